//! Rows of a form: a label on the left, a control on the right.

use egui::Ui;

use super::number::{NumberField, field};
use super::theme::CONTROL_HEIGHT;

/// Width of the labels, in points.
const LABEL_WIDTH: f32 = 76.0;

/// A row with the label `name`. `control` draws the control and gets the label's id.
pub(in crate::app) fn row<R>(ui: &mut Ui, name: &str, control: impl FnOnce(&mut Ui, egui::Id) -> R) -> R {
    ui.horizontal(|ui| {
        let size = egui::vec2(LABEL_WIDTH, CONTROL_HEIGHT);
        let layout = egui::Layout::left_to_right(egui::Align::Center);
        let label = ui.allocate_ui_with_layout(size, layout, |ui| {
            ui.set_min_size(size);
            ui.label(name)
        });
        control(ui, label.inner.id)
    })
    .inner
}

/// A row with a number field. Returns the new value if it was changed.
pub(in crate::app) fn number_row(ui: &mut Ui, wanted: NumberField<'_>, value: f64) -> Option<f64> {
    row(ui, wanted.name, |ui, label| field(ui, wanted, label, value))
}
