//! Rasters as 8-bit RGBA, as clipboards have pictures.

use super::{Channels, Raster, Samples, Size};

/// The raster as 8-bit RGBA, 4 bytes per pixel.
pub(crate) fn rgba(raster: &Raster) -> Vec<u8> {
    let (size, channels) = (raster.size(), raster.channels());
    let maxval = f32::from(raster.samples().maxval());
    let byte = |number: f32| (number / maxval * 255.0).round().clamp(0.0, 255.0) as u8;
    let mut bytes = Vec::with_capacity(4 * size.area());
    for pixel in 0..size.area() {
        let at = |channel: usize| byte(raster.samples().number(pixel * channels.count() + channel));
        bytes.extend(match channels {
            Channels::Grey => [at(0), at(0), at(0), 255],
            Channels::GreyAlpha => [at(0), at(0), at(0), at(1)],
            Channels::Rgb => [at(0), at(1), at(2), 255],
            Channels::Rgba => [at(0), at(1), at(2), at(3)],
        });
    }
    bytes
}

/// A raster of 8-bit RGBA data with the fewest channels that hold it. `None` if the length does not match `size`.
pub(crate) fn from_rgba(size: Size, bytes: &[u8]) -> Option<Raster> {
    let is_grey = bytes.chunks_exact(4).all(|pixel| pixel[0] == pixel[1] && pixel[1] == pixel[2]);
    let is_opaque = bytes.chunks_exact(4).all(|pixel| pixel[3] == 255);
    let (channels, kept): (_, &[usize]) = match (is_grey, is_opaque) {
        (true, true) => (Channels::Grey, &[0]),
        (true, false) => (Channels::GreyAlpha, &[0, 3]),
        (false, true) => (Channels::Rgb, &[0, 1, 2]),
        (false, false) => (Channels::Rgba, &[0, 1, 2, 3]),
    };
    let values = bytes.chunks_exact(4).flat_map(|pixel| kept.iter().map(|&channel| pixel[channel])).collect();
    Raster::new(size, channels, Samples::U8 { values, maxval: 255 }).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::size;

    #[test]
    fn pictures_survive_the_conversion_to_rgba_and_back() {
        let size = size(2, 1);
        for bytes in [[7, 7, 7, 255, 9, 9, 9, 255], [7, 7, 7, 1, 9, 9, 9, 255], [1, 2, 3, 255, 4, 5, 6, 255]] {
            assert_eq!(rgba(&from_rgba(size, &bytes).expect("a raster")), bytes);
        }
        assert_eq!(
            from_rgba(size, &[7, 7, 7, 255, 9, 9, 9, 255]).map(|raster| raster.channels()),
            Some(Channels::Grey)
        );
        assert!(from_rgba(size, &[0; 4]).is_none());
    }
}
