//! The dialog of key bindings.

use egui::{Frame, Label, Margin, Modal, RichText, Ui};

use crate::app::commands::Keymap;
use crate::app::commands::pointer::POINTER_HELP;
use crate::app::widgets::theme::{Palette, SPACE};

/// Maximum width of the dialog, and minimum width for two columns, in points.
const WIDEST: f32 = 1040.0;
const TWO_COLUMNS: f32 = 680.0;
/// Width of the keys, in points.
const KEYS_WIDTH: f32 = 150.0;

/// Draws the dialog. Returns true if it is to be closed.
pub(super) fn show(ui: &Ui) -> bool {
    let frame = Frame::popup(ui.style()).inner_margin(Margin::same(24));
    let window = ui.content_rect().size();
    let modal = Modal::new(egui::Id::unique("keys")).frame(frame).show(ui, |ui| {
        ui.set_width((window.x - 96.0).clamp(160.0, WIDEST));
        ui.heading("Keys");
        ui.add_space(2.0 * SPACE);
        let height = (window.y - 192.0).max(120.0);
        let list = egui::ScrollArea::vertical().auto_shrink([false, true]).max_height(height);
        list.min_scrolled_height(height).show(ui, columns);
        ui.add_space(3.0 * SPACE);
        ui.vertical_centered(|ui| ui.button("Close").clicked()).inner
    });
    modal.inner || modal.should_close()
}

/// Draws all lines, in two columns if the width permits.
fn columns(ui: &mut Ui) {
    let mut lines = Keymap::in_force(ui).lines();
    lines.extend(POINTER_HELP.iter().map(|line| (line.input.to_owned(), line.help)));
    let available = ui.available_width() - 4.0 * SPACE;
    let count = if available < TWO_COLUMNS { 1 } else { 2 };
    let gap = 10.0 * SPACE;
    let width = (available - gap * (count as f32 - 1.0)) / count as f32;
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = gap;
        for part in lines.chunks(lines.len().div_ceil(count)) {
            ui.vertical(|ui| column(ui, width, part));
        }
    });
}

fn column(ui: &mut Ui, width: f32, lines: &[(String, &'static str)]) {
    let palette = Palette::of_ui(ui);
    ui.set_width(width);
    ui.spacing_mut().item_spacing = egui::vec2(4.0 * SPACE, 2.0 * SPACE);
    for (keys, help) in lines {
        ui.horizontal_top(|ui| {
            let layout = egui::Layout::top_down(egui::Align::Min);
            ui.allocate_ui_with_layout(egui::vec2(KEYS_WIDTH, 0.0), layout, |ui| {
                ui.set_width(KEYS_WIDTH);
                ui.add(Label::new(RichText::new(keys).color(palette.strong)).wrap());
            });
            ui.add(Label::new(RichText::new(*help).color(palette.weak)).wrap());
        });
    }
}
