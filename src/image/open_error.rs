//! Errors of opening an image.

use image::ImageFormat;
use thiserror::Error;

use super::pnm::PnmError;
use super::synth::SynthError;
use crate::memory::MemoryError;
use crate::text::system_message;

/// Formats that [`super::read`] accepts besides PNM and PFM.
pub(super) const FORMATS: [(ImageFormat, &str); 10] = [
    (ImageFormat::Png, "PNG"),
    (ImageFormat::Jpeg, "JPEG"),
    (ImageFormat::Tiff, "TIFF"),
    (ImageFormat::Bmp, "BMP"),
    (ImageFormat::WebP, "WebP"),
    (ImageFormat::OpenExr, "OpenEXR"),
    (ImageFormat::Hdr, "Radiance HDR"),
    (ImageFormat::Gif, "GIF"),
    (ImageFormat::Qoi, "QOI"),
    (ImageFormat::Farbfeld, "farbfeld"),
];

/// Error of opening an image; each message is one line with the file's name.
#[derive(Error)]
pub enum OpenError {
    /// The file cannot be read.
    #[error("{name}: {}", system_message(.cause))]
    Read {
        /// The file.
        name: String,
        /// Error of the system.
        #[source]
        cause: std::io::Error,
    },
    /// The path is a directory.
    #[error("{name}: is a folder, not an image")]
    Directory {
        /// The path.
        name: String,
    },
    /// A name with the prefix of a formula that is not a formula.
    #[error(transparent)]
    Formula(#[from] SynthError),
    /// A name with the prefix of a formula that is no formula of a volume or of complex numbers.
    #[error("{0}")]
    GridFormula(String),
    /// A file that is no volume and no array.
    #[error("{name}: {cause}")]
    Grid {
        /// The file.
        name: String,
        /// Why.
        cause: String,
    },
    /// An image cannot be decimated, or the text that says so is wrong.
    #[error("{name}: {cause}")]
    Decimation {
        /// The text.
        name: String,
        /// Why.
        cause: String,
    },
    /// The file is empty.
    #[error("{name}: is empty")]
    Empty {
        /// The file.
        name: String,
    },
    /// A pipe or device with more than 1 GiB.
    #[error("{name}: exceeds 1 GiB, the limit for anything but a regular file")]
    Endless {
        /// The stream.
        name: String,
    },
    /// Neither the content nor the extension is of a known format.
    #[error("{name}: is no image of a known format; known are PNM, PFM, {}", format_names())]
    UnknownFormat {
        /// The file.
        name: String,
    },
    /// A known image format without a decoder.
    #[error("{name}: {format} is not supported; convert it to PNG or TIFF")]
    Unsupported {
        /// The file.
        name: String,
        /// The format.
        format: &'static str,
    },
    /// A malformed PNM file.
    #[error("{name}: is not a PNM image: {cause}")]
    Pnm {
        /// The file.
        name: String,
        /// The fault.
        #[source]
        cause: PnmError,
    },
    /// A file of another format that is malformed or uses an unsupported feature.
    #[error("{name}: {cause}")]
    Malformed {
        /// The file.
        name: String,
        /// The format.
        format: &'static str,
        /// Why, as a predicate: `is not a PNG image: its signature is missing`.
        cause: String,
    },
    /// The image does not fit the available memory.
    #[error("{name}: {cause}")]
    Memory {
        /// The file.
        name: String,
        /// Needed and available memory.
        #[source]
        cause: MemoryError,
    },
    /// The image would take more memory than the limit for a file of its length.
    #[error("{name}: would take {bytes} bytes of memory; the limit for {format} in a file of its length is {limit}")]
    TooLarge {
        /// The file.
        name: String,
        /// The format.
        format: &'static str,
        /// Bytes that decoding takes.
        bytes: u64,
        /// Limit in bytes.
        limit: u64,
    },
}

impl OpenError {
    /// The file, as it was named; empty for a formula.
    pub fn name(&self) -> &str {
        match self {
            Self::Formula(_) | Self::GridFormula(_) => "",
            Self::Read { name, .. }
            | Self::Grid { name, .. }
            | Self::Decimation { name, .. }
            | Self::Directory { name }
            | Self::Empty { name }
            | Self::Endless { name }
            | Self::UnknownFormat { name }
            | Self::Unsupported { name, .. }
            | Self::Pnm { name, .. }
            | Self::Malformed { name, .. }
            | Self::Memory { name, .. }
            | Self::TooLarge { name, .. } => name,
        }
    }
}

fn format_names() -> String {
    FORMATS.map(|(_, name)| name).join(", ")
}
