//! Key caps: keys, chords and pointer input as small framed labels.

use egui::{Color32, FontId, Painter, Pos2, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, vec2};

use super::fit::text_width;
use super::theme::{Palette, SPACE, text_size};

/// Height of a cap, in points.
const HEIGHT: f32 = 18.0;
/// Margin between the frame and the text, in points.
const MARGIN: f32 = 5.0;
/// Gap between caps, in points.
const GAP: f32 = SPACE;
/// Corner radius of a cap, in points.
const RADIUS: f32 = 4.0;

/// Width of the cap of `key`. The cap of one letter is a square.
fn cap_width(ui: &Ui, key: &str) -> f32 {
    (text_width(ui, key, text_size::UNIT) + 2.0 * MARGIN).max(HEIGHT)
}

/// Width of the caps of `keys` in a row.
pub(in crate::app) fn caps_width(ui: &Ui, keys: &[String]) -> f32 {
    let gaps = GAP * keys.len().saturating_sub(1) as f32;
    keys.iter().map(|key| cap_width(ui, key)).sum::<f32>() + gaps
}

/// Paints the caps of `keys` in a row whose left end has its middle at `left`.
pub(in crate::app) fn paint_caps(ui: &Ui, painter: &Painter, keys: &[String], left: Pos2) {
    let palette = Palette::of_ui(ui);
    let mut x = left.x;
    for key in keys {
        let rect = Rect::from_min_size(Pos2::new(x, left.y - 0.5 * HEIGHT), vec2(cap_width(ui, key), HEIGHT));
        painter.rect(rect, RADIUS, palette.control, Stroke::new(1.0, palette.line), StrokeKind::Inside);
        paint_key(painter, rect.center(), key, palette.text);
        x = rect.right() + GAP;
    }
}

/// Paints the text of a cap. What is drawn of it is centred across; letters stand on the line of text, arrows alone are centred
/// upright too.
fn paint_key(painter: &Painter, centre: Pos2, key: &str, colour: Color32) {
    let galley = painter.layout_no_wrap(key.to_owned(), FontId::proportional(text_size::UNIT), colour);
    let (drawn, row) = (galley.mesh_bounds.center(), galley.rect.center());
    let middle = if key.chars().any(|letter| letter.is_ascii()) { row.y } else { drawn.y };
    painter.galley(centre - vec2(drawn.x, middle), galley, colour);
}

/// Draws the caps of `keys` in a row. Assistive technology reads them as one label.
pub(in crate::app) fn caps(ui: &mut Ui, keys: &[String]) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(caps_width(ui, keys), HEIGHT), Sense::hover());
    paint_caps(ui, ui.painter(), keys, rect.left_center());
    let all = keys.join(", ");
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &all));
    response
}
