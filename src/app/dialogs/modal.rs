//! The frame that all modal dialogs share: margins, shadow, what is behind them, and the title with its button.

use egui::epaint::Shadow;
use egui::{Align, Color32, Frame, Id, Layout, Margin, Modal, Stroke, Theme, Ui};

use crate::app::widgets::symbol::{Symbol, SymbolButton};
use crate::app::widgets::theme::{LARGE_RADIUS, Palette, SPACE};

/// Margin of a dialog, in points.
pub(super) const MARGIN: f32 = 20.0;

/// Width of the empty edge of the button that closes a dialog, in points.
const CLOSE_EDGE: f32 = 8.0;

/// A modal dialog with the identifier `id`. The window behind it stays recognizable.
pub(super) fn modal(ui: &Ui, id: Id) -> Modal {
    modal_with_margin(ui, id, Margin::same(MARGIN as i8))
}

/// The same with `margin` between the frame and the contents.
pub(super) fn modal_with_margin(ui: &Ui, id: Id, margin: Margin) -> Modal {
    let (backdrop, shadow) = match ui.theme() {
        Theme::Dark => (Color32::from_black_alpha(150), Color32::from_black_alpha(120)),
        Theme::Light => (Color32::from_rgba_unmultiplied(0x1B, 0x1E, 0x23, 100), Color32::from_black_alpha(38)),
    };
    let shadow = Shadow { offset: [0, 8], blur: 28, spread: 0, color: shadow };
    let outline = Stroke::new(1.0, Palette::of_ui(ui).outline);
    let frame =
        Frame::popup(ui.style()).inner_margin(margin).corner_radius(LARGE_RADIUS).shadow(shadow).stroke(outline);
    Modal::new(id).frame(frame).backdrop_color(backdrop)
}

/// Draws the title of a dialog, with the button that closes it at the right end. Returns whether it was clicked.
pub(super) fn title(ui: &mut Ui, title: &str) -> bool {
    title_row(ui, title, |_| {})
}

/// Draws the title of a dialog as [`title`] does, with `contents` behind it.
pub(super) fn title_row(ui: &mut Ui, title: &str, contents: impl FnOnce(&mut Ui)) -> bool {
    let is_closed = ui.horizontal(|ui| {
        ui.heading(title);
        contents(ui);
        let close = SymbolButton { symbol: Symbol::Close, name: "Close", tip: "Closes the dialog  (Esc)" };
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            // The drawing, not the area of the button, ends where the contents end.
            ui.add_space(-CLOSE_EDGE);
            close.show(ui, false).clicked()
        })
        .inner
    });
    ui.add_space(2.0 * SPACE);
    is_closed.inner
}
