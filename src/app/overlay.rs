//! The list of keys, over everything.

use egui::{Frame, Margin, Modal, RichText, Ui};

use super::keys::{self, Keymap};
use super::theme::{Palette, SPACE};

/// What the mouse and fingers do, beside the rows of keys.
pub(super) const HANDS: [(&str, &str); 10] = [
    ("Drag, middle drag", "Moves the image"),
    ("Wheel, pinch", "Zooms about the cursor"),
    ("Two-finger scroll", "Moves the image"),
    ("Shift+wheel", "Moves sideways"),
    ("Double click", "Whole image, or 100 %"),
    ("Ctrl+drag", "Zooms to a rectangle"),
    ("Ctrl+click", "Pins a place and its values"),
    ("Shift+drag", "Counts a part in the histogram"),
    ("Right drag", "Window (across) and level (up)"),
    ("Drop a file", "Opens it: in that panel alone, or beside the panels in all"),
];

/// Draws the overlay; true where it is to be closed.
pub(super) fn show(ui: &Ui) -> bool {
    let frame = Frame::popup(ui.style()).inner_margin(Margin::same(24));
    let modal = Modal::new(egui::Id::unique("keys")).frame(frame).show(ui, |ui| {
        ui.heading("Keys");
        ui.add_space(2.0 * SPACE);
        let height = (ui.content_rect().height() - 160.0).max(120.0);
        egui::ScrollArea::vertical().max_height(height).show(ui, |ui| {
            ui.horizontal_top(|ui| {
                let lines = keys::in_force(Keymap::lines);
                let (first, second) = lines.split_at((lines.len() + HANDS.len()).div_ceil(2).min(lines.len()));
                column(ui, "first keys", first);
                ui.add_space(8.0 * SPACE);
                ui.vertical(|ui| {
                    column(ui, "second keys", second);
                    ui.add_space(4.0 * SPACE);
                    let hands: Vec<_> = HANDS.iter().map(|(what, help)| ((*what).to_owned(), *help)).collect();
                    column(ui, "hands", &hands);
                });
            });
        });
        ui.add_space(3.0 * SPACE);
        ui.vertical_centered(|ui| ui.button("Close").clicked()).inner
    });
    modal.inner || modal.should_close()
}

fn column(ui: &mut Ui, id: &str, lines: &[(String, &'static str)]) {
    let palette = Palette::of_ui(ui);
    egui::Grid::new(id).num_columns(2).spacing([4.0 * SPACE, 1.5 * SPACE]).show(ui, |ui| {
        for (keys, help) in lines {
            ui.label(RichText::new(keys).color(palette.strong));
            ui.label(RichText::new(*help).color(palette.weak));
            ui.end_row();
        }
    });
}
