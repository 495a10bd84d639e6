//! The colours of a colour map in a strip.

use egui::{Atom, Color32, Mesh, Painter, Rect, Shape, Stroke, StrokeKind, Vec2, pos2, vec2};

use crate::app::widgets::theme::Palette;
use crate::backend::ColourMap;

/// Bands of a painted strip.
const BANDS: u32 = 128;
/// Size of a strip in a button or a menu, in points.
pub(super) const SAMPLE_SIZE: Vec2 = vec2(40.0, 10.0);

/// Where the upper end of a map is.
#[derive(Clone, Copy, Debug)]
pub(super) enum UpperEnd {
    Right,
    Top,
}

/// Paints `map` into `rect`.
pub(super) fn paint(painter: &Painter, rect: Rect, map: ColourMap, upper_end: UpperEnd) {
    let mut mesh = Mesh::default();
    for band in 0..=BANDS {
        let share = band as f32 / BANDS as f32;
        let [red, green, blue] = map.colour(share).map(|value| (value.clamp(0.0, 1.0) * 255.0).round() as u8);
        let colour = Color32::from_rgb(red, green, blue);
        let sides = match upper_end {
            UpperEnd::Right => {
                let x = rect.left() + share * rect.width();
                [pos2(x, rect.top()), pos2(x, rect.bottom())]
            }
            UpperEnd::Top => {
                let y = rect.bottom() - share * rect.height();
                [pos2(rect.left(), y), pos2(rect.right(), y)]
            }
        };
        sides.into_iter().for_each(|corner| mesh.colored_vertex(corner, colour));
        if band > 0 {
            let last = 2 * band;
            mesh.add_triangle(last - 2, last - 1, last);
            mesh.add_triangle(last - 1, last, last + 1);
        }
    }
    painter.add(Shape::mesh(mesh));
}

/// `map` as a part of a button.
pub(super) fn sample(map: ColourMap) -> Atom<'static> {
    Atom::paint(SAMPLE_SIZE, move |ui, args| {
        let line = Stroke::new(1.0, Palette::of_ui(ui).line);
        paint(ui.painter(), args.rect, map, UpperEnd::Right);
        ui.painter().rect_stroke(args.rect, 0.0, line, StrokeKind::Outside);
    })
}
