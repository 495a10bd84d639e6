//! Thumbnails of pages, as textures.

use std::collections::HashMap;

use egui::{Color32, ColorImage, TextureHandle, TextureOptions};

use crate::complex::{ComplexImage, Component};
use crate::image::{Channels, Page, PageId};
use crate::volume::Volume;

/// Longest side of a thumbnail, in pixels.
const SIDE: u32 = 96;
/// Samples of a page, along each axis, that a pixel of its thumbnail averages at most.
const TAPS: u32 = 4;

/// The thumbnails of the pages that were drawn.
#[derive(Default)]
pub(in crate::app) struct Thumbnails {
    by_page: HashMap<PageId, TextureHandle>,
}

impl Thumbnails {
    /// The thumbnail of `page`, made at the first call.
    pub(in crate::app) fn of(&mut self, ctx: &egui::Context, page: &Page) -> &TextureHandle {
        self.by_page
            .entry(page.id())
            .or_insert_with(|| ctx.load_texture("thumbnail", thumbnail(page), TextureOptions::LINEAR))
    }

    /// Removes the thumbnails of all pages but these.
    pub(in crate::app) fn retain(&mut self, pages: &[PageId]) {
        self.by_page.retain(|page, _| pages.contains(page));
    }
}

/// The page reduced to at most [`SIDE`] pixels. Each pixel is the mean of up to [`TAPS`]² samples, spread evenly: the time
/// does not depend on the size of the page. Complex numbers are shown by their domain colouring.
fn thumbnail(page: &Page) -> ColorImage {
    if let Some(image) = ComplexImage::of(page) {
        return thumbnail_within(image.page(Component::Domain), image.display_window(Component::Domain));
    }
    thumbnail_within(page, Volume::of(page).and_then(|volume| volume.display_window()).unwrap_or([0.0, 1.0]))
}

/// The same with these values as black and white.
fn thumbnail_within(page: &Page, window: [f32; 2]) -> ColorImage {
    let (width, height) = (page.size().width(), page.size().height());
    let shrink = (f64::from(width.max(height)) / f64::from(SIDE)).max(1.0);
    let side = |length: u32| ((f64::from(length) / shrink).round() as u32).max(1);
    let (columns, rows) = (side(width), side(height));
    let pixels = (0..rows).flat_map(|row| (0..columns).map(move |column| [column, row]));
    let colours = pixels.map(|pixel| {
        let taps = |axis: usize| {
            let (length, count) = ([width, height][axis], [columns, rows][axis]);
            let start = u64::from(pixel[axis]) * u64::from(length) / u64::from(count);
            let end = u64::from(pixel[axis] + 1) * u64::from(length) / u64::from(count);
            let taps = (end - start).clamp(1, u64::from(TAPS));
            (0..taps).map(move |tap| (start + (2 * tap + 1) * (end - start).max(1) / (2 * taps)) as u32)
        };
        let (mut sum, mut count) = ([0.0; 4], 0.0);
        for y in taps(1) {
            for x in taps(0) {
                let colour = straight(page, window, x, y);
                sum = std::array::from_fn(|channel| sum[channel] + colour[channel]);
                count += 1.0;
            }
        }
        let [r, g, b, a] = sum.map(|sum| (sum / count * 255.0).round() as u8);
        Color32::from_rgba_unmultiplied(r, g, b, a)
    });
    let colours = colours.collect();
    ColorImage::new([columns as usize, rows as usize], colours)
}

/// Red, green, blue and alpha of a sample, each in [0, 1], between the values of black and white.
fn straight(page: &Page, [black, white]: [f32; 2], x: u32, y: u32) -> [f32; 4] {
    let raster = page.raster();
    let maxval = f32::from(page.maxval());
    let value = |channel: usize| ((raster.number(x, y, channel) / maxval - black) / (white - black)).clamp(0.0, 1.0);
    let finite = |value: f32| if value.is_finite() { value } else { 0.0 };
    let value = |channel: usize| finite(value(channel));
    match page.channels() {
        Channels::Grey => [value(0), value(0), value(0), 1.0],
        Channels::GreyAlpha => [value(0), value(0), value(0), value(1)],
        Channels::Rgb => [value(0), value(1), value(2), 1.0],
        Channels::Rgba => [0, 1, 2, 3].map(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::{Raster, Samples};
    use crate::test_support::size;

    fn page(width: u32, height: u32, values: Vec<u8>) -> Page {
        let samples = Samples::U8 { values, maxval: 255 };
        Page::new(Raster::new(size(width, height), Channels::Grey, samples).expect("a raster"))
    }

    #[test]
    fn thumbnail_of_a_small_page_has_its_samples() {
        let image = thumbnail(&page(3, 2, vec![0, 50, 100, 150, 200, 250]));
        assert_eq!(image.size, [3, 2]);
        let values: Vec<u8> = image.pixels.iter().map(|pixel| pixel.r()).collect();
        assert_eq!(values, [0, 50, 100, 150, 200, 250]);
    }

    #[test]
    fn thumbnail_of_a_large_page_averages_it_in_its_proportions() {
        let stripes = (0..800 * 200).map(|place| if place % 2 == 0 { 0 } else { 200 }).collect();
        let image = thumbnail(&page(800, 200, stripes));
        assert_eq!(image.size, [96, 24]);
        let mean = image.pixels.iter().map(|pixel| f64::from(pixel.r())).sum::<f64>() / image.pixels.len() as f64;
        assert!((mean - 100.0).abs() < 15.0, "{mean}");
    }
}
