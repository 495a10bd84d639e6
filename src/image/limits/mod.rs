//! Memory that a file's header makes its decoder allocate, bounded before the decoder runs.
//!
//! Some decoders allocate by a number of the header before checking that the file contains the bytes, and a failed
//! allocation ends the program. Their own limits do not cover this, so the headers that they trust are read here first.
//!
//! | format | values trusted by its decoder | bounded by |
//! |---|---|---|
//! | PNG | none beyond its limit | the limit given to it, and the size of its samples |
//! | JPEG | coefficients of progressive files | four times the size of its samples |
//! | TIFF | counts of tags, rows of tiles, JPEG frames inside | [`tiff::check`] |
//! | BMP, HDR | width and height | the size of their samples |
//! | WebP | the length of its EXIF chunk, the frame inside its canvas | [`webp::check`] |
//! | OpenEXR | data window, tiles, blocks | [`super::exr`], which decodes it |
//! | GIF | width and height, for every frame | the limit for all frames, in [`super::gif`] |
//! | QOI, farbfeld | width and height | the size of their samples |
//! | PNM, PFM | none | the bytes of the file |
//!
//! A decoder holds its samples once or twice, plus rows or blocks: at most four times the limit in total.

mod bytes;
pub(super) mod tiff;
pub(super) mod webp;

use image::ImageFormat;

use super::decoder_fault::DecoderFault;
use crate::memory::MemoryError;
use crate::text::foreign_message;

/// Reason to refuse a header.
#[derive(Debug, PartialEq)]
pub(super) enum HeaderFault {
    /// The decoder would need this many bytes.
    TooLarge(u64),
    /// The decoder needs more memory than is available.
    Memory(MemoryError),
    /// The header contradicts the file.
    Malformed(String),
    /// The decoder refuses the file.
    Decoder(DecoderFault),
}

impl HeaderFault {
    /// The fault of a decoder's `error`, which goes to the log.
    pub(super) fn of_decoder<'a, E: std::fmt::Display>(error: &'a E) -> Self
    where
        DecoderFault: From<&'a E>,
    {
        log::info!("{}", foreign_message(&error.to_string()));
        Self::Decoder(error.into())
    }
}

/// Largest size of the decoded samples of a compressed file of `len` bytes; see [`super::read`].
pub(super) fn memory_limit(len: u64) -> u64 {
    const ALWAYS: u64 = 64 << 20;
    const UNPROVEN: u64 = 2 << 30;
    // Deflate expands at most 1032 to 1, and a bit may become a byte.
    const MAX_EXPANDED: u64 = 1032 * 8;
    const EXPANDED: u64 = 32;
    let unproven = len.saturating_mul(MAX_EXPANDED).clamp(ALWAYS, UNPROVEN);
    unproven.max(len.saturating_mul(EXPANDED))
}

/// Checks the header of `bytes` where the decoder of `format` would trust it.
///
/// # Errors
/// [`HeaderFault`] for a single allocation above `limit` bytes, and for a header that promises bytes beyond the file.
pub(super) fn check_header(format: ImageFormat, bytes: &[u8], limit: u64) -> Result<(), HeaderFault> {
    match format {
        ImageFormat::Tiff => tiff::check(bytes, limit),
        ImageFormat::WebP => webp::check(bytes, limit),
        _ => Ok(()),
    }
}

/// Bytes that a decoder of `format` uses for samples of `taken` bytes.
pub(super) fn working_bytes(format: ImageFormat, taken: u64) -> u64 {
    match format {
        // Two bytes for each of up to four coefficients of a pixel, in addition to the pixel's three or four.
        ImageFormat::Jpeg => taken.saturating_mul(4),
        _ => taken,
    }
}
