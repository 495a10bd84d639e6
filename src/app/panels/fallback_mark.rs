//! The mark in the header of a panel that the CPU renders in place of a device.

use egui::{Label, RichText, Role, Sense, Ui, WidgetInfo};

use crate::app::widgets::fit::text_width;
use crate::app::widgets::theme::{Palette, text_size};
use crate::backend::BackendError;

const TEXT: &str = "CPU";

/// The mark's width in points.
pub(super) fn width(ui: &Ui) -> f32 {
    text_width(ui, TEXT, text_size::UNIT)
}

/// Draws the mark of panel `number`, counted from 1. Its tooltip has the reason.
pub(super) fn show(ui: &mut Ui, failure: &BackendError, number: usize) {
    let text = RichText::new(TEXT).size(text_size::UNIT).color(Palette::of_ui(ui).weak);
    let response = ui.add(Label::new(text).selectable(false).sense(Sense::hover()));
    let reason = format!("The CPU renders panel {number}: {failure}");
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &reason));
    response.on_hover_text(reason);
}
