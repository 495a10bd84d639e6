//! Marks of panels: the dot in a panel's colour, and the plate with dot, number and name that is painted over a picture.

use egui::{Align2, Atom, Color32, FontId, Painter, Pos2, Rect, Response, Sense, Theme, Ui, vec2};

use super::theme::{Palette, SMALL_RADIUS, SPACE, text_size};

/// Radius of a dot, in points.
const RADIUS: f32 = 4.5;
/// Width of a dot in a row, in points.
pub(in crate::app) const DOT_WIDTH: f32 = 2.0 * RADIUS + 1.0;
/// Margins of a plate, in points.
const MARGINS: egui::Vec2 = vec2(2.0 * SPACE, SPACE);

/// Draws the dot of the panel at `index` in a row.
pub(in crate::app) fn dot(ui: &mut Ui, index: usize) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(DOT_WIDTH, DOT_WIDTH), Sense::hover());
    paint_dot(ui.painter(), rect.center(), Palette::of_ui(ui).panel(index).color);
    response
}

/// The dot of the panel at `index` in a menu's item.
pub(in crate::app) fn atom(ui: &Ui, index: usize) -> Atom<'static> {
    let colour = Palette::of_ui(ui).panel(index).color;
    Atom::paint(vec2(DOT_WIDTH, DOT_WIDTH), move |ui, args| paint_dot(ui.painter(), args.rect.center(), colour))
}

/// Paints a dot.
pub(in crate::app) fn paint_dot(painter: &Painter, centre: Pos2, colour: Color32) {
    painter.circle_filled(centre, RADIUS, colour);
}

/// A plate of a panel over a picture. Its ground is dark in both themes, since pictures are of any lightness.
#[derive(Clone, Copy, Debug)]
pub(in crate::app) struct PanelPlate<'a> {
    /// Index of the panel.
    pub(in crate::app) index: usize,
    /// Its names with numbers, the longest first.
    pub(in crate::app) names: &'a [String],
    /// Corner of the plate at `pos`.
    pub(in crate::app) anchor: Align2,
    /// Its position.
    pub(in crate::app) pos: Pos2,
}

impl PanelPlate<'_> {
    /// Paints the plate with the longest name for which it is inside `room`, or nothing if none is. Returns the text and the
    /// rectangle.
    pub(in crate::app) fn paint(&self, painter: &Painter, room: Rect) -> Option<(String, Rect)> {
        let before = DOT_WIDTH + 1.5 * SPACE;
        let (name, galley, rect) = self.names.iter().find_map(|name| {
            let galley = painter.layout_no_wrap(name.clone(), FontId::proportional(text_size::VALUE), Color32::WHITE);
            let size = galley.size() + vec2(before, 0.0) + 2.0 * MARGINS;
            let rect = self.anchor.anchor_size(self.pos, size);
            room.contains_rect(rect).then_some((name, galley, rect))
        })?;
        painter.rect_filled(rect, SMALL_RADIUS, Color32::from_black_alpha(200));
        let left = rect.left_center() + vec2(MARGINS.x + 0.5 * DOT_WIDTH, 0.0);
        paint_dot(painter, left, Palette::of(Theme::Dark).panel(self.index).color);
        painter.galley(rect.min + MARGINS + vec2(before, 0.0), galley, Color32::WHITE);
        Some((name.clone(), rect))
    }
}
