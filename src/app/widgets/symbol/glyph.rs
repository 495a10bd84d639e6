//! Icons as glyphs of egui's font atlas.

use egui::epaint::text::{GlyphBitmap, GlyphRasterizer, RasterizedGlyph};
use egui::{Color32, ColorImage, vec2};

use super::drawing::Pixels;
use super::{SYMBOLS, Symbol};

/// The rasterizer of the characters that stand for icons.
pub(super) fn rasterizer() -> GlyphRasterizer {
    GlyphRasterizer::new("lerpscope::symbol", |request| {
        let row = SYMBOLS.iter().find(|row| request.cluster.chars().eq([row.letter]))?;
        Some(glyph(row.symbol, request.font_size_px))
    })
}

/// `symbol` at `size` × `size` pixels.
fn glyph(symbol: Symbol, size: f32) -> RasterizedGlyph {
    let pixels = Pixels::new(size);
    let coverage = pixels.coverage(symbol.row().parts);
    let alpha = coverage.iter().map(|part| Color32::from_white_alpha((255.0 * part).round() as u8)).collect();
    // It is on the baseline, since `Symbol::paint` places it by its bounds.
    let offset_px = vec2(0.0, -(pixels.side as f32));
    let bitmap = GlyphBitmap { image: ColorImage::new([pixels.side; 2], alpha), offset_px, is_color: false };
    RasterizedGlyph { bitmap, advance_px: size }
}

#[cfg(test)]
mod tests {
    use egui::{Shape, pos2};

    use super::*;
    use crate::app::widgets::{symbol, theme};

    /// Scales of displays, in pixels per point.
    const SCALES: [f32; 6] = [1.0, 1.25, 1.5, 1.75, 2.0, 3.0];
    /// The width of a line at each of them that is covered whole, in pixels.
    const WIDTHS: [usize; 6] = [1, 1, 2, 2, 3, 4];

    #[test]
    fn icons_have_letters_of_their_own_and_lie_within_their_squares() {
        for size in SCALES.map(|scale| 16.0 * scale) {
            let drawn = SYMBOLS.each_ref().map(|row| Pixels::new(size).coverage(row.parts));
            for (index, coverage) in drawn.iter().enumerate() {
                let row = &SYMBOLS[index];
                assert!(coverage.iter().any(|part| *part > 0.9), "{:?} at {size}", row.symbol);
                assert!(SYMBOLS[..index].iter().all(|other| other.letter != row.letter), "{:?}", row.symbol);
                let side = Pixels::new(size).side;
                let edge = |at: usize| [at % side, at / side].iter().any(|place| *place == 0 || *place == side - 1);
                let outside = coverage.iter().enumerate().filter(|(at, part)| edge(*at) && **part > 0.0).count();
                assert_eq!(outside, 0, "{:?} at {size}", row.symbol);
            }
        }
    }

    #[test]
    fn lines_of_the_grid_cover_whole_pixels_at_each_scale() {
        for (scale, width) in SCALES.into_iter().zip(WIDTHS) {
            let pixels = Pixels::new(16.0 * scale);
            let coverage = pixels.coverage(Symbol::Grid.row().parts);
            // The middle column crosses four horizontal lines of 4/3 points, the middle row four vertical ones.
            let (side, middle) = (pixels.side, pixels.side / 2);
            let column: Vec<f32> = (0..side).map(|y| coverage[y * side + middle]).collect();
            let row = &coverage[middle * side..][..side];
            for parts in [&column[..], row] {
                let full = parts.iter().filter(|part| **part > 0.99).count();
                assert_eq!(full, 4 * width, "{parts:?} at {scale}");
                // Only lines between one and two pixels touch further pixels.
                let least = if scale < 1.3 { 0.35 } else { 0.01 };
                assert!(parts.iter().all(|part| *part > 0.99 || *part < least), "{parts:?} at {scale}");
            }
        }
    }

    #[test]
    fn icon_is_centred_to_half_a_pixel_and_on_whole_pixels_at_each_scale() {
        for scale in SCALES {
            let ctx = egui::Context::default();
            ctx.set_pixels_per_point(scale);
            theme::install(&ctx);
            symbol::install(&ctx);
            let mut output = ctx.run_ui(egui::RawInput::default(), |_| {});
            output.textures_delta.clear();
            let mut output = ctx.run_ui(egui::RawInput::default(), |ui| {
                Symbol::Plus.paint(ui, pos2(40.0, 40.0), Color32::WHITE);
            });
            output.textures_delta.clear();
            let text = output.shapes.iter().find_map(|clipped| match &clipped.shape {
                Shape::Text(text) => Some(text),
                _ => None,
            });
            let text = text.expect("the icon");
            let corner = (scale * text.pos.to_vec2()).round() / scale;
            let drawn = text.galley.mesh_bounds.translate(corner);
            for (start, middle) in [(drawn.min.x, drawn.center().x), (drawn.min.y, drawn.center().y)] {
                let pixel = scale * start;
                assert!((pixel - pixel.round()).abs() < 0.01, "{pixel} at {scale}");
                assert!((middle - 40.0).abs() * scale < 0.51, "{middle} at {scale}");
            }
        }
    }
}
