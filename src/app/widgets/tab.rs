//! The mark of the open one among tabs: a line at its lower edge, the same in the side bar and in drawers.

use egui::{Rect, Ui};

use super::theme::Palette;

/// Height of the line, in points.
const LINE: f32 = 2.0;

/// Draws the line at the lower edge of the tab `rect`.
pub(in crate::app) fn open_line(ui: &Ui, rect: Rect) {
    let line = rect.with_min_y(rect.bottom() - LINE);
    ui.painter().rect_filled(line, 0.0, Palette::of_ui(ui).text);
}
