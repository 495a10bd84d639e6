//! Writers of PGM (P5), PPM (P6) and PAM (P7) with the raster's own maxval: one byte per number up to 255, two above,
//! high byte first.
//!
//! The raster must hold integers and have the channels of the format; anything else is an error of kind `InvalidInput`.

use std::io::{self, Write};

use super::super::{Channels, Raster, Samples};

/// Writes a grey raster as P5.
///
/// # Errors
/// An I/O error of `out`, and for a raster that is not grey or not of integers.
pub fn write_pgm(out: &mut dyn Write, raster: &Raster) -> io::Result<()> {
    if raster.channels() != Channels::Grey {
        return Err(invalid("PGM stores one grey channel"));
    }
    write_numbers(out, &header("P5", raster), raster, 1)
}

/// Writes an opaque raster as P6; a grey value is repeated for red, green and blue.
///
/// # Errors
/// An I/O error of `out`, and for a raster with alpha or not of integers.
pub fn write_ppm(out: &mut dyn Write, raster: &Raster) -> io::Result<()> {
    let copies = match raster.channels() {
        Channels::Grey => 3,
        Channels::Rgb => 1,
        Channels::GreyAlpha | Channels::Rgba => return Err(invalid("PPM stores no alpha")),
    };
    write_numbers(out, &header("P6", raster), raster, copies)
}

/// Writes a raster of any channels as P7.
///
/// # Errors
/// An I/O error of `out`, and for a raster not of integers.
pub fn write_pam(out: &mut dyn Write, raster: &Raster) -> io::Result<()> {
    let tuple = match raster.channels() {
        Channels::Grey => "GRAYSCALE",
        Channels::GreyAlpha => "GRAYSCALE_ALPHA",
        Channels::Rgb => "RGB",
        Channels::Rgba => "RGB_ALPHA",
    };
    let (width, height) = (raster.size().width(), raster.size().height());
    let (depth, maxval) = (raster.channels().count(), raster.samples().maxval());
    let header =
        format!("P7\nWIDTH {width}\nHEIGHT {height}\nDEPTH {depth}\nMAXVAL {maxval}\nTUPLTYPE {tuple}\nENDHDR\n");
    write_numbers(out, &header, raster, 1)
}

fn header(magic: &str, raster: &Raster) -> String {
    let (size, maxval) = (raster.size(), raster.samples().maxval());
    format!("{magic}\n{} {}\n{maxval}\n", size.width(), size.height())
}

/// Writes the header, then each number `copies` times.
fn write_numbers(out: &mut dyn Write, header: &str, raster: &Raster, copies: usize) -> io::Result<()> {
    let row_len = raster.size().width() as usize * raster.channels().count();
    match raster.samples() {
        Samples::F32(_) => Err(invalid("PNM stores integers")),
        Samples::U8 { values, .. } => {
            out.write_all(header.as_bytes())?;
            write_rows(out, values, row_len, |row, value| row.extend(std::iter::repeat_n(value, copies)))
        }
        Samples::U16 { values, maxval } => {
            out.write_all(header.as_bytes())?;
            // Up to maxval 255 a number is its low byte.
            let first = usize::from(*maxval <= 255);
            write_rows(out, values, row_len, |row, value| {
                for _ in 0..copies {
                    row.extend(&value.to_be_bytes()[first..]);
                }
            })
        }
    }
}

fn write_rows<T: Copy>(
    out: &mut dyn Write,
    values: &[T],
    row_len: usize,
    append: impl Fn(&mut Vec<u8>, T),
) -> io::Result<()> {
    let mut bytes = Vec::new();
    for row in values.chunks(row_len) {
        bytes.clear();
        row.iter().for_each(|value| append(&mut bytes, *value));
        out.write_all(&bytes)?;
    }
    Ok(())
}

fn invalid(cause: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, cause)
}
