//! What a file's header may make its decoder allocate, found out before the decoder runs.
//!
//! The decoders' own limits do not hold everywhere: some allocate for a number of the header before anything says how many
//! bytes stand behind it, and an allocation that fails ends the program. So the headers that such decoders trust are read
//! here first.
//!
//! | format | trusted by its decoder | bounded by |
//! |---|---|---|
//! | PNG | nothing beyond its limit | the limit that it is given, and the size of its samples |
//! | JPEG | coefficients of progressive files | the size of its samples, four times |
//! | TIFF | counts of tags, rows of tiles, frames of JPEG inside | [`tiff::check`] |
//! | BMP, HDR | width and height alone | the size of their samples |
//! | WebP | the length of its EXIF chunk, the frame inside its canvas | [`webp::check`] |
//! | OpenEXR | data window, tiles, blocks | [`super::exr`], which decodes it |
//! | PNM | nothing | the bytes of the file |
//!
//! A decoder holds its samples once or twice, and rows or blocks beside them: no more than four times the limit in all.

mod bytes;
pub(super) mod tiff;
pub(super) mod webp;

use image::ImageFormat;

use crate::memory::MemoryError;

/// Why a header is refused.
#[derive(Debug, PartialEq)]
pub(super) enum HeaderFault {
    /// It asks for so many bytes of memory.
    TooLarge(u64),
    /// The machine has less memory than it asks for.
    Memory(MemoryError),
    /// It contradicts the file.
    Malformed(String),
}

/// The most bytes that the decoded samples of a compressed file of `len` bytes may take; see [`super::read`].
pub(super) fn memory_limit(len: u64) -> u64 {
    const ALWAYS: u64 = 64 << 20;
    const UNPROVEN: u64 = 2 << 30;
    // Deflate's 1032 to 1, and a byte for each bit.
    const MOST_EXPANDED: u64 = 1032 * 8;
    const EXPANDED: u64 = 32;
    let unproven = len.saturating_mul(MOST_EXPANDED).clamp(ALWAYS, UNPROVEN);
    unproven.max(len.saturating_mul(EXPANDED))
}

/// Reads what the header of `bytes` promises, where the decoder of `format` would trust it.
///
/// # Errors
/// Where the decoder would allocate more than `limit` bytes at once, or the header promises bytes that are not there.
pub(super) fn check_header(format: ImageFormat, bytes: &[u8], limit: u64) -> Result<(), HeaderFault> {
    match format {
        ImageFormat::Tiff => tiff::check(bytes, limit),
        ImageFormat::WebP => webp::check(bytes, limit),
        _ => Ok(()),
    }
}

/// The bytes that a decoder of `format` takes for samples of `taken` bytes.
pub(super) fn working_bytes(format: ImageFormat, taken: u64) -> u64 {
    match format {
        // Two bytes for each of up to four coefficients of a pixel, beside the pixel's three or four.
        ImageFormat::Jpeg => taken.saturating_mul(4),
        _ => taken,
    }
}
