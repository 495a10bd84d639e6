//! TIFF samples that the `image` crate does not decode, by the `tiff` crate: grey floats, floats of 16 and 64 bits, signed
//! integers and integers of 32 bits. All become single-precision floats with the numbers of the file.

use std::io::Cursor;

use tiff::ColorType;
use tiff::decoder::{Decoder, DecodingResult, Limits};
use tiff::tags::Tag;

use super::limits::HeaderFault;
use super::limits::tiff::{SampleFormat, TiffPage};
use super::{Channels, Raster, Samples, Size};
use crate::memory::{Demand, Memory};

/// Value of the tag `PlanarConfiguration` for interleaved channels.
const INTERLEAVED: u16 = 1;

/// Whether [`decode`] is meant for `page`; the `image` crate decodes the others.
pub(super) fn decodes(page: &TiffPage<'_>) -> bool {
    match page.sample_format() {
        SampleFormat::Float => page.bits() != 32 || page.samples() < 3,
        SampleFormat::Signed => true,
        SampleFormat::Unsigned => page.bits() > 16,
    }
}

/// Decodes the first page. The samples take at most `limit` bytes.
///
/// # Errors
/// [`HeaderFault`] for a malformed or unsupported page, and for one above `limit` or `memory`.
pub(super) fn decode(bytes: &[u8], limit: u64, memory: Memory) -> Result<Raster, HeaderFault> {
    let malformed = |error: tiff::TiffError| HeaderFault::of_decoder(&error);
    let unsupported = |what: String| HeaderFault::Malformed(format!("{what} are not supported"));
    let mut limits = Limits::default();
    limits.decoding_buffer_size = usize::try_from(limit).unwrap_or(usize::MAX);
    limits.intermediate_buffer_size = limits.decoding_buffer_size;
    let mut decoder = Decoder::new(Cursor::new(bytes)).map_err(malformed)?.with_limits(limits);
    let (width, height) = decoder.dimensions().map_err(malformed)?;
    let size = Size::new(width, height).map_err(|error| HeaderFault::Malformed(error.to_string()))?;
    let color_type = decoder.colortype().map_err(malformed)?;
    let (channels, bits) = match color_type {
        ColorType::Gray(bits) => (Channels::Grey, bits),
        ColorType::GrayA(bits) => (Channels::GreyAlpha, bits),
        ColorType::RGB(bits) => (Channels::Rgb, bits),
        ColorType::RGBA(bits) => (Channels::Rgba, bits),
        other => return Err(unsupported(format!("samples of the kind {other:?}"))),
    };
    let planes: Option<u16> = decoder.find_tag_unsigned(Tag::PlanarConfiguration).map_err(malformed)?;
    if channels != Channels::Grey && planes.is_some_and(|planes| planes != INTERLEAVED) {
        return Err(unsupported(format!("separate planes of {bits} bits")));
    }
    let (count, sample_bytes) = ((size.area() * channels.count()) as u64, u64::from(bits).div_ceil(8));
    let taken = count.saturating_mul(sample_bytes.max(4));
    if taken > limit {
        return Err(HeaderFault::TooLarge(taken));
    }
    let mut demand = Demand::default();
    demand.hold(|| format!("{size} samples take"), count * 4);
    if bits != 32 || !matches!(TiffPage::first(bytes).map(|page| page.sample_format()), Some(SampleFormat::Float)) {
        demand.pass(|| format!("{size} samples of {bits} bits take"), count * sample_bytes);
    }
    memory.check(&demand).map_err(HeaderFault::Memory)?;
    let orientation: Option<u16> = decoder.find_tag_unsigned(Tag::Orientation).map_err(malformed)?;
    let values = match decoder.read_image().map_err(malformed)? {
        DecodingResult::F32(values) => values,
        DecodingResult::F16(values) => values.into_iter().map(|value| value.to_f32()).collect(),
        DecodingResult::F64(values) => values.into_iter().map(|value| value as f32).collect(),
        DecodingResult::U8(values) => values.into_iter().map(f32::from).collect(),
        DecodingResult::U16(values) => values.into_iter().map(f32::from).collect(),
        DecodingResult::U32(values) => values.into_iter().map(|value| value as f32).collect(),
        DecodingResult::U64(values) => values.into_iter().map(|value| value as f32).collect(),
        DecodingResult::I8(values) => values.into_iter().map(f32::from).collect(),
        DecodingResult::I16(values) => values.into_iter().map(f32::from).collect(),
        DecodingResult::I32(values) => values.into_iter().map(|value| value as f32).collect(),
        DecodingResult::I64(values) => values.into_iter().map(|value| value as f32).collect(),
    };
    if values.len() as u64 != count {
        return Err(HeaderFault::Malformed("its samples do not fill it".to_owned()));
    }
    if let Some(orientation @ 2..=8) = orientation {
        let mut demand = Demand::default();
        demand.hold(|| format!("{size} turned samples take"), count * 4);
        memory.check(&demand).map_err(HeaderFault::Memory)?;
        return oriented(&values, size, channels, orientation);
    }
    Raster::new(size, channels, Samples::F32(values)).map_err(|error| HeaderFault::Malformed(error.to_string()))
}

/// The samples as the tag `Orientation` from 2 to 8 says: mirrored, turned, or both.
fn oriented(values: &[f32], size: Size, channels: Channels, orientation: u16) -> Result<Raster, HeaderFault> {
    let (width, height, count) = (size.width() as usize, size.height() as usize, channels.count());
    let is_transposed = orientation >= 5;
    let (columns, rows) = if is_transposed { (height, width) } else { (width, height) };
    let mut turned = Vec::with_capacity(values.len());
    for row in 0..rows {
        for column in 0..columns {
            let [x, y] = match orientation {
                2 => [width - 1 - column, row],
                3 => [width - 1 - column, height - 1 - row],
                4 => [column, height - 1 - row],
                5 => [row, column],
                6 => [row, height - 1 - column],
                7 => [width - 1 - row, height - 1 - column],
                8 => [width - 1 - row, column],
                _ => [column, row],
            };
            let at = (y * width + x) * count;
            turned.extend_from_slice(&values[at..at + count]);
        }
    }
    let malformed = |error: &dyn std::fmt::Display| HeaderFault::Malformed(error.to_string());
    let size = if is_transposed { Size::new(size.height(), size.width()) } else { Ok(size) };
    let size = size.map_err(|error| malformed(&error))?;
    Raster::new(size, channels, Samples::F32(turned)).map_err(|error| malformed(&error))
}

#[cfg(test)]
mod tests {
    use image::metadata::Orientation;
    use image::{DynamicImage, ImageBuffer};

    use super::*;
    use crate::test_support::size;

    /// The `image` crate is the oracle.
    #[test]
    fn orientations_turn_and_mirror_as_the_image_crate_does() {
        let values: Vec<f32> = (0..3 * 2 * 3).map(|value| value as f32).collect();
        for number in 2..=8_u8 {
            let image = ImageBuffer::from_raw(3, 2, values.clone()).expect("an image");
            let mut image = DynamicImage::ImageRgb32F(image);
            image.apply_orientation(Orientation::from_exif(number).expect("an orientation"));
            let turned = oriented(&values, size(3, 2), Channels::Rgb, number.into()).expect("a raster");
            let sides = (turned.size().width(), turned.size().height());
            assert_eq!(sides, (image.width(), image.height()), "{number}");
            let DynamicImage::ImageRgb32F(image) = image else { panic!("another type") };
            assert_eq!(turned.samples(), &Samples::F32(image.into_raw()), "{number}");
        }
    }
}
