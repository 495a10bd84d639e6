//! The marks of samples: a filled green disc, a red cross. They differ in shape as well as in colour, and a white and a dark
//! rim stand out from any picture.

use egui::{Color32, ColorImage, Mesh, Painter, Pos2, Rect, Shape, TextureHandle, TextureOptions, Vec2, pos2};

/// Side of a mark's square, in points.
pub(super) const SIDE: f32 = 15.0;
/// Radius of the disc, in points.
const DISC: f32 = 3.1;
/// Reach of the cross from its centre along an axis, and half the width of its strokes, in points.
const CROSS: [f32; 2] = [3.3, 1.15];
/// Outer edges of the rims, in points beyond the mark.
const RIMS: [f32; 2] = [1.3, 2.3];

/// A mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// A green disc.
    Kept,
    /// A red cross.
    Wrong,
}

const MARKS: [Mark; 2] = [Mark::Kept, Mark::Wrong];

impl Mark {
    fn colour(self) -> Color32 {
        match self {
            Self::Kept => Color32::from_rgb(20, 160, 74),
            Self::Wrong => Color32::from_rgb(222, 32, 38),
        }
    }

    /// Distance of a point from the mark's edge, negative inside.
    fn distance(self, [x, y]: [f32; 2]) -> f32 {
        match self {
            Self::Kept => x.hypot(y) - DISC,
            Self::Wrong => {
                let [reach, half_width] = CROSS;
                // Both strokes, folded onto the diagonal of the first quadrant.
                let (x, y) = (x.abs(), y.abs());
                let along = (0.5 * (x + y)).clamp(0.0, reach);
                (x - along).hypot(y - along) - half_width
            }
        }
    }
}

/// The marks as a texture of whole pixels.
pub(super) struct Sprites {
    texture: TextureHandle,
    pixels_per_point: f32,
}

impl std::fmt::Debug for Sprites {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sprites").field("pixels_per_point", &self.pixels_per_point).finish_non_exhaustive()
    }
}

impl Sprites {
    /// Those of `kept`, drawn anew for another number of pixels per point.
    pub(super) fn of<'a>(kept: &'a mut Option<Self>, painter: &Painter, pixels_per_point: f32) -> &'a Self {
        let fits = kept.as_ref().is_some_and(|sprites| sprites.pixels_per_point == pixels_per_point);
        if !fits {
            *kept = None;
        }
        kept.get_or_insert_with(|| {
            let image = drawn(pixels_per_point);
            let texture = painter.ctx().load_texture("sample marks", image, TextureOptions::LINEAR);
            Self { texture, pixels_per_point }
        })
    }

    /// Paints marks, each with its place and its size as a part of [`SIDE`].
    pub(super) fn paint(&self, painter: &Painter, marks: impl Iterator<Item = (Mark, Pos2, f32)>) {
        let mut mesh = Mesh::with_texture(self.texture.id());
        let on_pixels = |pos: Pos2| (pos * self.pixels_per_point).round() / self.pixels_per_point;
        for (mark, pos, size) in marks {
            let place = MARKS.iter().position(|known| *known == mark).unwrap_or(0) as f32;
            let part = 1.0 / MARKS.len() as f32;
            let uv = Rect::from_min_max(pos2(place * part, 0.0), pos2((place + 1.0) * part, 1.0));
            let side = sprite_side(self.pixels_per_point) as f32 / self.pixels_per_point * size;
            let corner = on_pixels(pos - Vec2::splat(0.5 * side));
            mesh.add_rect_with_uv(Rect::from_min_size(corner, Vec2::splat(side)), uv, Color32::WHITE);
        }
        painter.add(Shape::mesh(mesh));
    }
}

/// Side of a sprite in pixels.
fn sprite_side(pixels_per_point: f32) -> usize {
    (SIDE * pixels_per_point).round().max(1.0) as usize
}

/// The marks side by side, antialiased.
fn drawn(pixels_per_point: f32) -> ColorImage {
    let side = sprite_side(pixels_per_point);
    let mut pixels = Vec::with_capacity(MARKS.len() * side * side);
    for row in 0..side {
        for mark in MARKS {
            for column in 0..side {
                let at = [column, row].map(|place| (place as f32 + 0.5 - 0.5 * side as f32) / pixels_per_point);
                let distance = mark.distance(at);
                let covered = |edge: f32| (0.5 + (edge - distance) * pixels_per_point).clamp(0.0, 1.0);
                let dark = Color32::from_black_alpha(200).gamma_multiply(covered(RIMS[1]));
                let white = Color32::WHITE.gamma_multiply(covered(RIMS[0]));
                let inner = mark.colour().gamma_multiply(covered(0.0));
                pixels.push(dark.blend(white).blend(inner));
            }
        }
    }
    ColorImage::new([MARKS.len() * side, side], pixels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_differ_in_shape_and_have_a_white_and_a_dark_rim() {
        for pixels_per_point in [1.0, 2.0] {
            let image = drawn(pixels_per_point);
            let side = sprite_side(pixels_per_point);
            let at = |mark: usize, x: f32, y: f32| {
                let place = |points: f32| ((points + 0.5 * SIDE) * pixels_per_point) as usize;
                image.pixels[place(y) * 2 * side + mark * side + place(x)]
            };
            assert_eq!(at(0, 0.2, 0.2), Mark::Kept.colour());
            assert_eq!(at(1, 0.2, 0.2), Mark::Wrong.colour());
            // Right of the centre the disc goes on, and the cross has its rim.
            assert_eq!(at(0, 2.2, 0.2), Mark::Kept.colour());
            assert_ne!(at(1, 2.7, 0.2), Mark::Wrong.colour());
            for mark in 0..2 {
                let along = (0..side).map(|column| image.pixels[side / 2 * 2 * side + mark * side + column]);
                let row: Vec<Color32> = along.collect();
                let light = row.iter().map(|pixel| pixel.r().min(pixel.g()).min(pixel.b())).max();
                assert!(light.is_some_and(|light| light > 140), "a white rim: {light:?}");
                let is_dark = |pixel: &Color32| pixel.a() > 80 && u16::from(pixel.g()) * 3 < u16::from(pixel.a());
                assert!(row.iter().any(is_dark), "a dark rim");
                assert_eq!(row[0], Color32::TRANSPARENT, "the rims end within the sprite");
            }
        }
    }
}
