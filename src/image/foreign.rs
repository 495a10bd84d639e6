//! Files of other formats: by the `image` crate, OpenEXR by the `exr` crate, some samples of TIFF by the `tiff` crate.
//!
//! Decoders run under the limits of [`super::limits`], and the memory that they need is compared with the available memory
//! first. The pages of one file share the limit.

use std::io::Cursor;

use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};

use super::decoder_fault::DecoderFault;
use super::limits::tiff::{self, TiffPage};
use super::limits::{HeaderFault, check_header, memory_limit, working_bytes};
use super::open_error::OpenError;
use super::{Channels, Raster, Samples, Size, exr, gif, pfm, tiff_numbers};
use crate::memory::{Demand, Memory};
use crate::panics::caught;

/// A file of another format.
#[derive(Clone, Copy)]
pub(super) struct ForeignFile<'a> {
    /// Its name in messages.
    label: &'a str,
    format: ImageFormat,
    format_name: &'static str,
    bytes: &'a [u8],
    /// Largest size of the samples of all pages, in bytes.
    limit: u64,
    memory: Memory,
}

impl<'a> ForeignFile<'a> {
    /// The file `bytes`, named `label`, of the format `row`. Decoding may take `memory`.
    pub(super) fn new(label: &'a str, row: (ImageFormat, &'static str), bytes: &'a [u8], memory: Memory) -> Self {
        Self { label, format: row.0, format_name: row.1, bytes, limit: memory_limit(bytes.len() as u64), memory }
    }

    /// Decodes all pages. Returns them with warnings for the user.
    ///
    /// # Errors
    /// [`OpenError`] for a malformed file, and for samples above the limit or the memory.
    pub(super) fn decode(&self) -> Result<(Vec<Raster>, Vec<String>), OpenError> {
        match self.format {
            ImageFormat::Tiff => Ok((self.tiff_pages()?, Vec::new())),
            ImageFormat::Gif => {
                let frames = || gif::frames(self.bytes, self.limit, self.memory).map_err(|fault| self.refused(fault));
                Ok((self.guarded(frames)?, Vec::new()))
            }
            ImageFormat::Png | ImageFormat::WebP => {
                let warning = format!("{}: is an animation; its first frame is shown", self.label);
                let warnings = if is_animation(self.format, self.bytes) { vec![warning] } else { Vec::new() };
                Ok((vec![self.decode_page()?], warnings))
            }
            _ => Ok((vec![self.decode_page()?], Vec::new())),
        }
    }

    /// Decodes a PFM file.
    ///
    /// # Errors
    /// As [`ForeignFile::decode`].
    pub(super) fn decode_pfm(&self) -> Result<Raster, OpenError> {
        pfm::decode(self.bytes, self.memory).map_err(|fault| self.refused(fault))
    }

    /// The pages of a TIFF file. Each is decoded as the first page of a copy of the file, whose header leads to it.
    fn tiff_pages(&self) -> Result<Vec<Raster>, OpenError> {
        let starts = tiff::page_starts(self.bytes);
        if starts.len() < 2 {
            return Ok(vec![self.tiff_page()?]);
        }
        let mut demand = Demand::default();
        demand.hold(|| "a copy of the file takes".to_owned(), self.bytes.len() as u64);
        self.memory.check(&demand).map_err(|cause| self.refused(HeaderFault::Memory(cause)))?;
        let (mut bytes, mut pages, mut limit) = (self.bytes.to_vec(), Vec::new(), self.limit);
        for start in starts {
            tiff::lead_to(&mut bytes, start);
            let page = ForeignFile { bytes: &bytes, limit, ..*self }.tiff_page()?;
            limit = limit.saturating_sub(page.samples().bytes());
            pages.push(page);
        }
        Ok(pages)
    }

    /// The first page of a TIFF file.
    fn tiff_page(&self) -> Result<Raster, OpenError> {
        let is_of_numbers = TiffPage::first(self.bytes).is_some_and(|page| tiff_numbers::decodes(&page));
        if !is_of_numbers {
            return self.decode_page();
        }
        self.guarded(|| {
            check_header(self.format, self.bytes, self.limit).map_err(|fault| self.refused(fault))?;
            tiff_numbers::decode(self.bytes, self.limit, self.memory).map_err(|fault| self.refused(fault))
        })
    }

    /// Decodes the first page by the `image` crate, or OpenEXR by the `exr` crate.
    fn decode_page(&self) -> Result<Raster, OpenError> {
        let Self { format, bytes, limit, memory, .. } = *self;
        let malformed = |error: &ImageError| self.refused(HeaderFault::of_decoder(error));
        self.guarded(|| {
            if format == ImageFormat::OpenExr {
                return exr::decode(bytes, limit, memory).map_err(|fault| self.refused(fault));
            }
            check_header(format, bytes, limit).map_err(|fault| self.refused(fault))?;
            let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
            let mut limits = Limits::no_limits();
            limits.max_image_width = Some(Size::MAX_SIDE);
            limits.max_image_height = Some(Size::MAX_SIDE);
            limits.max_alloc = Some(limit);
            reader.limits(limits);
            let mut decoder = reader.into_decoder().map_err(|error| malformed(&error))?;
            let taken = working_bytes(format, decoder.total_bytes());
            if taken > limit {
                return Err(self.refused(HeaderFault::TooLarge(taken)));
            }
            let orientation = decoder.orientation().map_err(|error| malformed(&error))?;
            let (width, height) = decoder.dimensions();
            let mut demand = Demand::default();
            demand.hold(|| format!("{width}×{height} samples take"), taken);
            if orientation != Orientation::NoTransforms {
                // The rotated image exists beside the decoded one.
                demand.pass(|| format!("{width}×{height} turned samples take"), decoder.total_bytes());
            }
            memory.check(&demand).map_err(HeaderFault::Memory).map_err(|fault| self.refused(fault))?;
            let mut image = DynamicImage::from_decoder(decoder).map_err(|error| malformed(&error))?;
            image.apply_orientation(orientation);
            raster(image).ok_or_else(|| self.refused(HeaderFault::Decoder(DecoderFault::Unsupported)))
        })
    }

    /// The error of the file for `fault`.
    fn refused(&self, fault: HeaderFault) -> OpenError {
        let (name, format) = (self.label.to_owned(), self.format_name);
        match fault {
            HeaderFault::TooLarge(bytes) => OpenError::TooLarge { name, format, bytes, limit: self.limit },
            HeaderFault::Memory(cause) => OpenError::Memory { name, cause },
            HeaderFault::Malformed(cause) => {
                let cause = format!("is a damaged {format} image: {cause}");
                OpenError::Malformed { name, format, cause }
            }
            HeaderFault::Decoder(fault) => {
                let cause = fault.text((self.format, format), self.bytes);
                OpenError::Malformed { name, format, cause }
            }
        }
    }

    /// Result of `decode`. A panic of the decoder is an error of the file.
    fn guarded<T>(&self, decode: impl FnOnce() -> Result<T, OpenError>) -> Result<T, OpenError> {
        let failed = || self.refused(HeaderFault::Decoder(DecoderFault::Damaged));
        caught(decode).unwrap_or_else(|_| Err(failed()))
    }
}

/// Whether a PNG or WebP file has the chunk of an animation: `acTL`, or `ANIM`.
fn is_animation(format: ImageFormat, bytes: &[u8]) -> bool {
    // A PNG file has it before its first samples. A chunk is a length, a name, the data and a checksum.
    let mut at = 8;
    while let Some(&[a, b, c, d, ref name @ ..]) = bytes.get(at..at + 8).filter(|_| format == ImageFormat::Png) {
        match name {
            b"acTL" => return true,
            b"IDAT" => return false,
            _ => at = at.saturating_add(12).saturating_add(u32::from_be_bytes([a, b, c, d]) as usize),
        }
    }
    // A WebP file has it behind its first chunk, `VP8X`, of ten bytes.
    format == ImageFormat::WebP
        && bytes.get(12..16) == Some(b"VP8X")
        && bytes.get(20).is_some_and(|flags| flags & 2 != 0)
}

/// Samples of a decoded image, unchanged; `None` for an unsupported sample type.
fn raster(image: DynamicImage) -> Option<Raster> {
    let size = Size::new(image.width(), image.height()).ok()?;
    let bytes = |values| Samples::U8 { values, maxval: u8::MAX };
    let words = |values| Samples::U16 { values, maxval: u16::MAX };
    let (channels, samples) = match image {
        DynamicImage::ImageLuma8(image) => (Channels::Grey, bytes(image.into_raw())),
        DynamicImage::ImageLumaA8(image) => (Channels::GreyAlpha, bytes(image.into_raw())),
        DynamicImage::ImageRgb8(image) => (Channels::Rgb, bytes(image.into_raw())),
        DynamicImage::ImageRgba8(image) => (Channels::Rgba, bytes(image.into_raw())),
        DynamicImage::ImageLuma16(image) => (Channels::Grey, words(image.into_raw())),
        DynamicImage::ImageLumaA16(image) => (Channels::GreyAlpha, words(image.into_raw())),
        DynamicImage::ImageRgb16(image) => (Channels::Rgb, words(image.into_raw())),
        DynamicImage::ImageRgba16(image) => (Channels::Rgba, words(image.into_raw())),
        DynamicImage::ImageRgb32F(image) => (Channels::Rgb, Samples::F32(image.into_raw())),
        DynamicImage::ImageRgba32F(image) => (Channels::Rgba, Samples::F32(image.into_raw())),
        _ => return None,
    };
    Raster::new(size, channels, samples).ok()
}

#[cfg(test)]
mod tests;
