//! Clipping warning: stripes over pixels that the display mapping clips. Rising stripes mark values above white,
//! falling ones values below black.

use std::collections::BTreeMap;

use egui::{Color32, ColorImage, Painter, Rect, TextureHandle, TextureOptions, pos2};

use super::panel_transform::PanelTransform;
use crate::app::session::{PanelId, Session};
use crate::backend::{self, Backend, ColourMap, Display, PixelFormat, RenderRequest};
use crate::image::{Depth, PageId, Raster};

/// Tolerance: a difference below half an 8-bit step is invisible.
const UNSEEN: f32 = 0.5 / 255.0;

/// Stripes of one panel, with the page and the request that they are of.
pub(super) struct ClippingPattern {
    made_for: (PageId, RenderRequest),
    texture: Option<TextureHandle>,
}

/// Paints the stripes of one panel. `patterns` caches them by panel.
pub(super) fn paint(
    painter: &Painter,
    session: &Session,
    backend: &mut dyn Backend,
    transform: &PanelTransform,
    patterns: &mut BTreeMap<PanelId, ClippingPattern>,
) {
    let (panel, shown) = (session.panels()[transform.panel].id(), session.request(transform.panel));
    let made_for = (session.page_of(transform.panel).id(), shown.clone());
    if patterns.get(&panel).is_none_or(|pattern| pattern.made_for != made_for) {
        let texture = values(session, backend, transform.panel).and_then(|values| {
            let image = stripes(&values, transform.pixels_per_point)?;
            Some(painter.ctx().load_texture("clipping", image, TextureOptions::NEAREST))
        });
        patterns.insert(panel, ClippingPattern { made_for, texture });
    }
    if let Some(texture) = patterns.get(&panel).and_then(|pattern| pattern.texture.as_ref()) {
        let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        painter.image(texture.id(), transform.rect(), whole, Color32::WHITE);
    }
}

/// Whether the display mapping clips a pixel of panel `index`; false if it cannot be rendered.
pub(in crate::app) fn clips(session: &Session, backend: &mut dyn Backend, index: usize) -> bool {
    values(session, backend, index).is_some_and(|values| {
        let size = values.size();
        (0..size.height()).any(|row| (0..size.width()).any(|column| beyond(&values, column, row) != 0))
    })
}

/// The values of panel `index` after its display mapping without a colour map; `None` if it cannot be rendered.
fn values(session: &Session, backend: &mut dyn Backend, index: usize) -> Option<Raster> {
    let shown = session.request(index);
    let display = Display { colour_map: ColourMap::Grey, ..shown.display };
    let request = RenderRequest { display, ..shown };
    backend::render(backend, session.image_of(index), &request, PixelFormat::file(Depth::Float)).ok()
}

/// Clipping of a pixel: 1 above white, −1 below black, else 0. The channel farthest outside decides; alpha is ignored.
fn beyond(values: &Raster, column: u32, row: u32) -> i8 {
    let colours = values.channels().opaque().count();
    let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
    for channel in 0..colours {
        let value = values.number(column, row, channel);
        low = low.min(value);
        high = high.max(value);
    }
    i8::from(high > 1.0 + UNSEEN) - i8::from(low < -UNSEEN && high <= 1.0 + UNSEEN)
}

/// The stripes for a float picture; `None` if no pixel is clipped.
fn stripes(values: &Raster, pixels_per_point: f32) -> Option<ColorImage> {
    let (width, height) = (values.size().width(), values.size().height());
    let period = (6.0 * pixels_per_point).round().max(2.0) as u32;
    let mut is_any = false;
    let mut pixels = Vec::with_capacity(values.size().area());
    for row in 0..height {
        for column in 0..width {
            let beyond = beyond(values, column, row);
            is_any |= beyond != 0;
            // The offset keeps the row difference positive.
            let place = if beyond > 0 { column + row } else { column + 65536 * period - row };
            let is_on = place % period < period / 3;
            pixels.push(match (beyond, is_on) {
                (1, true) => Color32::from_rgb(200, 40, 20),
                (1, false) => Color32::WHITE,
                (-1, true) => Color32::from_rgb(70, 130, 255),
                (-1, false) => Color32::BLACK,
                _ => Color32::TRANSPARENT,
            });
        }
    }
    is_any.then(|| ColorImage::new([width as usize, height as usize], pixels))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::row;

    #[test]
    fn only_visible_clipping_is_marked() {
        let values = row(&[0.0, 1.0, 1.001, 1.1, -0.001, -0.2]);
        let found: Vec<i8> = (0..6).map(|column| beyond(&values, column, 0)).collect();
        assert_eq!(found, [0, 0, 0, 1, 0, -1]);
        assert!(stripes(&row(&[0.0, 1.0]), 1.0).is_none());
    }

    #[test]
    fn stripes_above_white_and_below_black_differ() {
        let image = |value: f32| stripes(&row(&[value; 12]), 1.0).expect("a pattern").pixels;
        let (above, below) = (image(2.0), image(-2.0));
        assert!(above.contains(&Color32::WHITE) && above.iter().any(|pixel| *pixel != Color32::WHITE));
        assert!(below.contains(&Color32::BLACK) && !below.contains(&Color32::WHITE));
    }
}
