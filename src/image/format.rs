//! Output file formats: sample types, channels and encoders.

use std::io::{self, Write};
use std::path::Path;

use image::codecs::png::PngEncoder;
use image::{ExtendedColorType, ImageEncoder};
use thiserror::Error;

use super::{Channels, Raster, Samples, pnm};
use crate::rows::rows;
use crate::text::{foreign_message, write_message};

/// The properties of an output format.
#[derive(Clone, Copy, Debug)]
pub struct FormatRow {
    /// The format.
    pub format: FileFormat,
    /// Name in messages.
    pub name: &'static str,
    /// File name extension, in lower case.
    pub extension: &'static str,
    /// Whether it stores red, green and blue.
    pub colour: bool,
    /// Whether it stores alpha.
    pub alpha: bool,
    /// Whether it stores floats (and no integers) or integers (and no floats).
    pub float: bool,
    write: fn(&mut dyn Write, &Raster) -> io::Result<()>,
}

rows! {
    /// Output file format.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum FileFormat {
        /// P5.
        Pgm => {
            name: "PGM",
            extension: "pgm",
            colour: false,
            alpha: false,
            float: false,
            write: pnm::write_pgm,
        },
        /// P6; grey becomes colour.
        Ppm => {
            name: "PPM",
            extension: "ppm",
            colour: true,
            alpha: false,
            float: false,
            write: pnm::write_ppm,
        },
        /// P5 or P6, whichever fits.
        Pnm => {
            name: "PNM",
            extension: "pnm",
            colour: true,
            alpha: false,
            float: false,
            write: write_pnm,
        },
        /// P7.
        Pam => {
            name: "PAM",
            extension: "pam",
            colour: true,
            alpha: true,
            float: false,
            write: pnm::write_pam,
        },
        /// PNG of 8 or 16 bits; samples with another maxval are rescaled.
        Png => {
            name: "PNG",
            extension: "png",
            colour: true,
            alpha: true,
            float: false,
            write: write_png,
        },
        /// NumPy array of float32, H × W or H × W × C.
        Npy => {
            name: "NPY",
            extension: "npy",
            colour: true,
            alpha: true,
            float: true,
            write: write_npy,
        },
    }

    /// The formats that [`save`](super::save) and [`write()`] support.
    pub static FORMATS: [FormatRow { format, .. }];
}

impl FileFormat {
    /// The format that the extension of `path` names, in upper or lower case.
    pub fn from_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        FORMATS.iter().find(|row| row.extension.eq_ignore_ascii_case(extension)).map(|row| row.format)
    }
}

/// Error of [`write()`]; one line without the file's name.
#[derive(Error)]
pub enum WriteError {
    /// Colour samples for a grey format.
    #[error("{format} stores no colour; choose {others}")]
    Colour {
        /// The format.
        format: &'static str,
        /// Formats that store the raster.
        others: String,
    },
    /// Alpha for a format without alpha.
    #[error("{format} stores no alpha; choose {others}")]
    Alpha {
        /// The format.
        format: &'static str,
        /// Formats that store the raster.
        others: String,
    },
    /// Float samples for an integer format.
    #[error("{format} stores integers and the samples are floats; give --depth 8 or --depth 16, or choose .npy")]
    Float {
        /// The format.
        format: &'static str,
    },
    /// Integer samples for a float format.
    #[error("{format} stores floats and the samples are integers; give --depth float, or choose {others}")]
    Integer {
        /// The format.
        format: &'static str,
        /// Formats that store the raster.
        others: String,
    },
    /// Writing failed.
    #[error("cannot be written: {}", write_message(.0))]
    Io(#[from] io::Error),
}

/// Writes `raster` to `out` in `format`.
///
/// # Errors
/// [`WriteError`] for a format that cannot store the raster, before anything is written, and for an error of `out`.
pub fn write(out: &mut dyn Write, format: FileFormat, raster: &Raster) -> Result<(), WriteError> {
    check(format, raster)?;
    (format.row().write)(out, raster)?;
    Ok(())
}

/// Checks that `format` can store `raster`; the error is the first reason against it.
pub(super) fn check(format: FileFormat, raster: &Raster) -> Result<(), WriteError> {
    let row = format.row();
    let format = row.name;
    let channels = raster.channels();
    let float = matches!(raster.samples(), Samples::F32(_));
    let others = || {
        extensions(|row| row.float == float && row.colour >= channels.has_colour() && row.alpha >= channels.has_alpha())
    };
    if float && !row.float {
        Err(WriteError::Float { format })
    } else if row.float && !float {
        Err(WriteError::Integer { format, others: others() })
    } else if channels.has_alpha() && !row.alpha {
        Err(WriteError::Alpha { format, others: others() })
    } else if channels.has_colour() && !row.colour {
        Err(WriteError::Colour { format, others: others() })
    } else {
        Ok(())
    }
}

/// Extensions of the formats for which `chosen` is true: “.pam or .png”.
pub(super) fn extensions(chosen: impl Fn(&FormatRow) -> bool) -> String {
    let names: Vec<_> = FORMATS.iter().filter(|row| chosen(row)).map(|row| format!(".{}", row.extension)).collect();
    match names.as_slice() {
        [most @ .., last] if !most.is_empty() => format!("{} or {last}", most.join(", ")),
        _ => names.concat(),
    }
}

fn write_pnm(out: &mut dyn Write, raster: &Raster) -> io::Result<()> {
    if raster.channels() == Channels::Grey { pnm::write_pgm(out, raster) } else { pnm::write_ppm(out, raster) }
}

/// Writes PNG, which has maxval 255 and 65535 only: other maxvals are rescaled to the next of the two, rounded to
/// nearest.
fn write_png(out: &mut dyn Write, raster: &Raster) -> io::Result<()> {
    use ExtendedColorType as Kind;
    let (bytes, wide) = match raster.samples() {
        Samples::U8 { values, maxval } => {
            let maxval = u32::from(*maxval);
            let rescale = |value: &u8| ((u32::from(*value) * 255 + maxval / 2) / maxval).min(255) as u8;
            (values.iter().map(rescale).collect::<Vec<u8>>(), false)
        }
        Samples::U16 { values, maxval } => {
            let maxval = u64::from(*maxval);
            let rescale = |value: &u16| ((u64::from(*value) * 65535 + maxval / 2) / maxval).min(65535) as u16;
            (values.iter().flat_map(|value| rescale(value).to_ne_bytes()).collect(), true)
        }
        Samples::F32(_) => return Err(io::Error::new(io::ErrorKind::InvalidInput, "PNG stores integers")),
    };
    let kind = match (raster.channels(), wide) {
        (Channels::Grey, false) => Kind::L8,
        (Channels::GreyAlpha, false) => Kind::La8,
        (Channels::Rgb, false) => Kind::Rgb8,
        (Channels::Rgba, false) => Kind::Rgba8,
        (Channels::Grey, true) => Kind::L16,
        (Channels::GreyAlpha, true) => Kind::La16,
        (Channels::Rgb, true) => Kind::Rgb16,
        (Channels::Rgba, true) => Kind::Rgba16,
    };
    let size = raster.size();
    PngEncoder::new(out).write_image(&bytes, size.width(), size.height(), kind).map_err(|error| match error {
        image::ImageError::IoError(error) => error,
        other => io::Error::other(foreign_message(&other.to_string())),
    })
}

/// Writes NumPy format 1.0 in C order; a grey raster has no third axis.
fn write_npy(out: &mut dyn Write, raster: &Raster) -> io::Result<()> {
    let Samples::F32(values) = raster.samples() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "NPY stores floats"));
    };
    let (size, channels) = (raster.size(), raster.channels().count());
    let third = if channels == 1 { String::new() } else { format!(", {channels}") };
    let shape = format!("({}, {}{third})", size.height(), size.width());
    let mut header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}");
    // Prefix, length and header are padded to a multiple of 64 bytes with blanks and a newline, so that the data is
    // aligned.
    let before = NPY_PREFIX.len() + size_of::<u16>();
    let unpadded = before + header.len() + 1;
    header.extend(std::iter::repeat_n(' ', unpadded.next_multiple_of(64) - unpadded));
    header.push('\n');
    out.write_all(NPY_PREFIX)?;
    out.write_all(&(header.len() as u16).to_le_bytes())?;
    out.write_all(header.as_bytes())?;
    for value in values {
        out.write_all(&value.to_le_bytes())?;
    }
    Ok(())
}

/// Magic string and version 1.0 of [NumPy's format](https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html).
const NPY_PREFIX: &[u8] = b"\x93NUMPY\x01\x00";
