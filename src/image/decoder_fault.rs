//! What is wrong with a file by its decoder, in the words of this program. The decoder's own message goes to the log.

use std::error::Error;
use std::io;

use image::{ImageError, ImageFormat};
use tiff::TiffError;

/// What is wrong with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DecoderFault {
    /// The file ends before its last sample.
    EndsEarly,
    /// It uses a feature that the decoder lacks.
    Unsupported,
    /// It takes more memory than the decoder may use.
    TooLarge,
    /// Its contents contradict the format.
    Damaged,
}

impl DecoderFault {
    /// The fault as a predicate, behind the file's name: `is not a PNG image: its signature is missing`.
    pub(super) fn text(self, (format, name): (ImageFormat, &str), bytes: &[u8]) -> String {
        if image::guess_format(bytes).ok() != Some(format) {
            return format!("is not a {name} image: its signature is missing");
        }
        match self {
            Self::Unsupported => format!("is a {name} image of a kind that is not supported"),
            Self::TooLarge => format!("is a {name} image that is too large"),
            Self::EndsEarly => format!("is a truncated {name} image: the file ends early"),
            Self::Damaged if is_cut(format, bytes) => format!("is a truncated {name} image: the file ends early"),
            Self::Damaged => format!("is a damaged {name} image: its contents contradict the format"),
        }
    }
}

/// Whether the end of a file is missing, of the formats that mark it or say their length.
fn is_cut(format: ImageFormat, bytes: &[u8]) -> bool {
    let length_at =
        |at: usize| bytes.get(at..at + 4).and_then(|word| word.try_into().ok()).map(u32::from_le_bytes).map(u64::from);
    let len = bytes.len() as u64;
    match format {
        ImageFormat::Png => !bytes.windows(4).rev().take(64).any(|chunk| chunk == b"IEND"),
        ImageFormat::Jpeg => !bytes.windows(2).any(|marker| marker == [0xFF, 0xD9]),
        ImageFormat::Gif => bytes.last() != Some(&0x3B),
        ImageFormat::Qoi => !bytes.ends_with(&[0, 0, 0, 0, 0, 0, 0, 1]),
        ImageFormat::WebP => length_at(4).is_none_or(|rest| rest + 8 > len),
        ImageFormat::Farbfeld => {
            let side = |at: usize| bytes.get(at..at + 4).and_then(|word| word.try_into().ok()).map(u32::from_be_bytes);
            let pixels = side(8).zip(side(12)).map(|(width, height)| u64::from(width).saturating_mul(height.into()));
            pixels.is_none_or(|pixels| pixels.saturating_mul(8).saturating_add(16) > len)
        }
        ImageFormat::Bmp => length_at(2).is_none_or(|whole| whole > len),
        _ => false,
    }
}

/// Whether `error` or one of its causes is that a file ends early.
fn ends_early(error: &(dyn Error + 'static)) -> bool {
    let is_end = |error: &io::Error| error.kind() == io::ErrorKind::UnexpectedEof;
    error.downcast_ref().is_some_and(is_end) || error.source().is_some_and(ends_early)
}

impl From<&ImageError> for DecoderFault {
    fn from(error: &ImageError) -> Self {
        match error {
            ImageError::Unsupported(_) => Self::Unsupported,
            ImageError::Limits(_) => Self::TooLarge,
            error if ends_early(error) => Self::EndsEarly,
            ImageError::Decoding(_) | ImageError::Encoding(_) | ImageError::Parameter(_) | ImageError::IoError(_) => {
                Self::Damaged
            }
        }
    }
}

impl From<&TiffError> for DecoderFault {
    fn from(error: &TiffError) -> Self {
        match error {
            TiffError::UnsupportedError(_) => Self::Unsupported,
            TiffError::LimitsExceeded => Self::TooLarge,
            error if ends_early(error) => Self::EndsEarly,
            TiffError::FormatError(_) | TiffError::IoError(_) | TiffError::IntSizeError | TiffError::UsageError(_) => {
                Self::Damaged
            }
        }
    }
}

impl From<&exr::error::Error> for DecoderFault {
    fn from(error: &exr::error::Error) -> Self {
        match error {
            exr::error::Error::NotSupported(_) => Self::Unsupported,
            // The end of the file is one of the invalid contents.
            exr::error::Error::Io(_) | exr::error::Error::Invalid(_) | exr::error::Error::Aborted => Self::Damaged,
        }
    }
}
