//! GIF frames as pages, by the `image` crate. Each frame is drawn over those before it, as a viewer shows it.

use std::io::Cursor;

use image::codecs::gif::GifDecoder;
use image::{AnimationDecoder as _, ImageDecoder as _, ImageError, Limits, RgbaImage};

use super::limits::HeaderFault;
use super::{Channels, Raster, Samples, Size};
use crate::memory::{Demand, Memory};

/// Decodes all frames. Their samples take at most `limit` bytes. The alpha channel is dropped if every frame is opaque.
///
/// # Errors
/// [`HeaderFault`] for a malformed file, and for one above `limit` or `memory`. A file that ends after its first frame has
/// the frames before its end.
pub(super) fn frames(bytes: &[u8], limit: u64, memory: Memory) -> Result<Vec<Raster>, HeaderFault> {
    let malformed = |error: &ImageError| HeaderFault::of_decoder(error);
    let mut decoder = GifDecoder::new(Cursor::new(bytes)).map_err(|error| malformed(&error))?;
    let mut limits = Limits::no_limits();
    limits.max_image_width = Some(Size::MAX_SIDE);
    limits.max_image_height = Some(Size::MAX_SIDE);
    // The frame before, the part that changes, and the frame.
    limits.max_alloc = Some(limit.saturating_mul(3));
    decoder.set_limits(limits).map_err(|error| malformed(&error))?;
    let (width, height) = decoder.dimensions();
    let size = Size::new(width, height).map_err(|error| HeaderFault::Malformed(error.to_string()))?;
    let frame_bytes = size.area() as u64 * 4;
    let (mut frames, mut taken) = (Vec::<RgbaImage>::new(), 0_u64);
    let mut decoded = decoder.into_frames();
    loop {
        taken = taken.saturating_add(frame_bytes);
        let mut demand = Demand::default();
        demand.hold(|| format!("{} frames of {size} samples take", frames.len() + 1), taken);
        demand.pass(|| format!("two frames of {size} samples take"), 2 * frame_bytes);
        let check = || match taken > limit {
            true => Err(HeaderFault::TooLarge(taken)),
            false => memory.check(&demand).map_err(HeaderFault::Memory),
        };
        if frames.is_empty() {
            check()?;
        }
        match decoded.next() {
            Some(Ok(frame)) => {
                check()?;
                frames.push(frame.into_buffer());
            }
            None => break,
            // The end of the file is missing.
            Some(Err(_)) if !frames.is_empty() => break,
            Some(Err(error)) => return Err(malformed(&error)),
        }
    }
    if frames.is_empty() {
        return Err(HeaderFault::Malformed("it has no frame".to_owned()));
    }
    let is_opaque = frames.iter().all(|frame| frame.pixels().all(|pixel| pixel.0[3] == u8::MAX));
    let page = |frame: RgbaImage| {
        let (channels, values) = if is_opaque {
            (Channels::Rgb, frame.pixels().flat_map(|pixel| [pixel.0[0], pixel.0[1], pixel.0[2]]).collect())
        } else {
            (Channels::Rgba, frame.into_raw())
        };
        Raster::new(size, channels, Samples::U8 { values, maxval: u8::MAX })
            .map_err(|error| HeaderFault::Malformed(error.to_string()))
    };
    frames.into_iter().map(page).collect()
}
