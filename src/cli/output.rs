//! Destinations of images: a file with the format of its extension, or standard output.

use std::io;
use std::num::NonZeroU16;
use std::path::Path;

use super::stdout;
use crate::image::{self, Channels, Depth, FileFormat, Raster, SaveError, Size, WriteError};

/// Destination of one image.
#[derive(Clone, Copy, Debug)]
pub(super) enum Output<'a> {
    /// Standard output: PGM; PPM or PAM for colour or alpha; NPY for floats.
    Stdout,
    /// A file and its format.
    File(&'a Path, FileFormat),
}

impl<'a> Output<'a> {
    /// The destination named OUT; `-` is standard output.
    ///
    /// # Errors
    /// [`SaveError`] for an extension of no format.
    pub(super) fn new(path: &'a Path) -> Result<Self, SaveError> {
        if path == Path::new("-") {
            return Ok(Self::Stdout);
        }
        match FileFormat::from_path(path) {
            Some(format) => Ok(Self::File(path, format)),
            None => Err(SaveError::UnknownFormat { file: path.display().to_string() }),
        }
    }

    /// Depth to render at, so that values are rounded once: `asked`, or else `natural`, the input's, as far as the
    /// format supports it. Floats stay floats without a request: an integer format then refuses them.
    pub(super) fn depth(self, asked: Option<Depth>, natural: Depth) -> Depth {
        match (asked, self) {
            (Some(depth), _) => depth,
            (None, Self::File(_, format)) if format.row().float => Depth::Float,
            (None, Self::File(_, FileFormat::Png)) => widened(natural),
            (None, _) => natural,
        }
    }

    /// Checks that the format can store the image, by a raster of one pixel, and that standard output is open, before a
    /// large image is rendered.
    ///
    /// # Errors
    /// Errors of [`Output::write`].
    pub(super) fn check(self, channels: Channels, depth: Depth) -> anyhow::Result<()> {
        let (path, format) = match self {
            Self::Stdout => return stdout::check(),
            Self::File(path, format) => (path, format),
        };
        let one = Raster::zeros(Size::new(1, 1).expect("one pixel"), channels, depth);
        image::write(&mut io::sink(), format, &one)
            .map_err(|cause| SaveError::Write { file: path.display().to_string(), cause }.into())
    }

    /// Writes `raster`; a file is complete or unchanged.
    ///
    /// # Errors
    /// An error of the format or of writing.
    pub(super) fn write(self, raster: &Raster) -> anyhow::Result<()> {
        match self {
            Self::File(path, _) => image::save(path, raster)?,
            Self::Stdout => {
                let format = match (raster.depth(), raster.channels()) {
                    (Depth::Float, _) => FileFormat::Npy,
                    (_, Channels::Grey) => FileFormat::Pgm,
                    (_, Channels::Rgb) => FileFormat::Ppm,
                    (_, Channels::GreyAlpha | Channels::Rgba) => FileFormat::Pam,
                };
                stdout::write(|out| match image::write(out, format, raster) {
                    Err(WriteError::Io(error)) => Err(error),
                    other => other.map_err(io::Error::other),
                })?;
            }
        }
        Ok(())
    }
}

/// Depth of PNG with at least as many steps.
fn widened(depth: Depth) -> Depth {
    match depth {
        Depth::Integer { maxval } if maxval <= NonZeroU16::from(std::num::NonZeroU8::MAX) => Depth::EIGHT,
        Depth::Integer { .. } => Depth::SIXTEEN,
        Depth::Float => Depth::Float,
    }
}
