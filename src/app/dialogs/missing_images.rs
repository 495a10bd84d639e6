//! The message over a panel whose image cannot be opened, with a button that locates its file.

use egui::{Align2, Area, Button, Frame, Id, Margin, Order, Rect, RichText, Stroke, Ui};

use crate::app::session::PanelId;
use crate::app::widgets::theme::{Palette, SPACE};

/// A panel with a missing image.
#[derive(Clone, Debug)]
pub(in crate::app) struct MissingImage {
    /// The panel.
    pub(in crate::app) panel: PanelId,
    /// Where its picture is, in points.
    pub(in crate::app) rect: Rect,
    /// Name of the image.
    pub(in crate::app) name: String,
}

/// Draws the message in the middle of the panel. Returns whether the user asks to locate the file.
pub(in crate::app) fn show(ui: &Ui, missing: &MissingImage) -> bool {
    let palette = Palette::of_ui(ui);
    let MissingImage { panel, rect, name } = missing;
    ui.painter().with_clip_rect(*rect).rect_filled(*rect, 0.0, palette.surface);
    Area::new(Id::unique("missing image").with(panel))
        .order(Order::Middle)
        .pivot(Align2::CENTER_CENTER)
        .fixed_pos(rect.center())
        .constrain_to(*rect)
        .show(ui, |ui| {
            let frame = Frame::new().stroke(Stroke::new(1.0, palette.error)).fill(palette.surface).corner_radius(5);
            frame
                .inner_margin(Margin::symmetric(12, 8))
                .show(ui, |ui| {
                    ui.set_max_width((rect.width() - 8.0 * SPACE).clamp(80.0, 320.0));
                    ui.vertical_centered(|ui| {
                        ui.label(RichText::new(format!("{name} cannot be opened")).color(palette.text));
                        let help = "Names the image's file. Others that are missing are opened if they are beside it";
                        ui.add(Button::new("Locate…")).on_hover_text(help).clicked()
                    })
                    .inner
                })
                .inner
        })
        .inner
}
