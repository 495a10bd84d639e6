//! Rows of a form: a label on the left, a control on the right; and columns of one: a caption above its control.

use egui::{Align, Layout, RichText, Sense, Ui, vec2};

use super::number::{NumberField, field, scrubbing_label};
use super::theme::{CONTROL_HEIGHT, Palette, text_size};

/// Width of the controls as a part of the row.
const CONTROL_SHARE: f32 = 0.5;

/// The same of controls with long texts.
const WIDE_CONTROL_SHARE: f32 = 0.66;

/// Number of letters of the longest unit that stands in a field below its caption.
const SHORT_UNIT: usize = 2;
/// Gap between a caption and its control, in points.
const CAPTION_GAP: f32 = 2.0;

/// A row with the label `name` and a wide control.
pub(in crate::app) fn wide_row<R>(ui: &mut Ui, name: &str, control: impl FnOnce(&mut Ui, egui::Id) -> R) -> R {
    two_parts(ui, WIDE_CONTROL_SHARE, |ui| label(ui, name), control)
}

/// A row with the label `name`. `control` draws the control and gets the label's id.
pub(in crate::app) fn row<R>(ui: &mut Ui, name: &str, control: impl FnOnce(&mut Ui, egui::Id) -> R) -> R {
    two_parts(ui, CONTROL_SHARE, |ui| label(ui, name), control)
}

fn label(ui: &mut Ui, name: &str) -> egui::Id {
    let text = RichText::new(name).color(Palette::of_ui(ui).weak);
    ui.add(egui::Label::new(text).selectable(false).truncate().sense(Sense::hover())).id
}

/// A row with a number field, whose label is dragged as the field is. Returns the new value if it was changed.
pub(in crate::app) fn number_row(ui: &mut Ui, wanted: NumberField<'_>, value: f64) -> Option<f64> {
    number_parts(ui, CONTROL_SHARE, (wanted, value))
}

/// The same with a field that is as wide as the controls of [`wide_row`], between which it stands.
pub(in crate::app) fn wide_number_row(ui: &mut Ui, wanted: NumberField<'_>, value: f64) -> Option<f64> {
    number_parts(ui, WIDE_CONTROL_SHARE, (wanted, value))
}

fn number_parts(ui: &mut Ui, share: f32, (wanted, value): (NumberField<'_>, f64)) -> Option<f64> {
    let mut scrubbed = value;
    let label = |ui: &mut Ui| scrubbing_label(ui, wanted, (wanted.name, text_size::BODY), &mut scrubbed).id;
    let typed = two_parts(ui, share, label, |ui, label| field(ui, wanted, Some(label), value));
    typed.or((scrubbed != value).then_some(scrubbed))
}

/// A column with the caption `name` above a control. `control` draws the control and gets the caption's id.
pub(in crate::app) fn captioned<R>(ui: &mut Ui, name: &str, control: impl FnOnce(&mut Ui, egui::Id) -> R) -> R {
    ui.spacing_mut().item_spacing.y = CAPTION_GAP;
    let text = RichText::new(name).size(text_size::UNIT).color(Palette::of_ui(ui).weak);
    let caption = ui.add(egui::Label::new(text).selectable(false).truncate().sense(Sense::hover())).id;
    control(ui, caption)
}

/// A column with a number field below its name, which is dragged as the field is. A unit in words stands behind the name: it would
/// come and go with the number's length. Returns the new value if it was changed.
pub(in crate::app) fn captioned_number(ui: &mut Ui, wanted: NumberField<'_>, value: f64) -> Option<f64> {
    ui.spacing_mut().item_spacing.y = CAPTION_GAP;
    let mut scrubbed = value;
    let is_word = wanted.unit.chars().count() > SHORT_UNIT;
    let caption = if is_word { format!("{} ({})", wanted.name, wanted.unit) } else { wanted.name.to_owned() };
    let caption = scrubbing_label(ui, wanted, (&caption, text_size::UNIT), &mut scrubbed).id;
    let wanted = if is_word { NumberField { unit: "", ..wanted } } else { wanted };
    let typed = field(ui, wanted, (!is_word).then_some(caption), value);
    typed.or((scrubbed != value).then_some(scrubbed))
}

/// Number fields side by side, each below its name, whose widths are as their `shares`. Returns the new values of those that were
/// changed.
pub(in crate::app) fn number_columns<const N: usize>(
    ui: &mut Ui,
    shares: [f32; N],
    fields: [(NumberField<'_>, f64); N],
) -> [Option<f64>; N] {
    let gaps = ui.spacing().item_spacing.x * (N as f32 - 1.0);
    let part = (ui.available_width() - gaps) / shares.iter().sum::<f32>();
    ui.horizontal_top(|ui| {
        let mut shares = shares.into_iter();
        fields.map(|(wanted, value)| {
            // The last field ends where the row ends.
            let width = (part * shares.next().unwrap_or(1.0)).round().min(ui.available_width());
            let column = Layout::top_down(Align::Min);
            let shown = ui.allocate_ui_with_layout(vec2(width, CONTROL_HEIGHT), column, |ui| {
                ui.set_width(width);
                captioned_number(ui, wanted, value)
            });
            shown.inner
        })
    })
    .inner
}

/// Draws a label and a control at fixed places, whatever their contents. The control has a part of the row's width.
fn two_parts<R>(
    ui: &mut Ui,
    control_share: f32,
    label: impl FnOnce(&mut Ui) -> egui::Id,
    control: impl FnOnce(&mut Ui, egui::Id) -> R,
) -> R {
    ui.horizontal(|ui| {
        let gap = ui.spacing().item_spacing.x;
        let width = ui.available_width();
        let control_width = (control_share * width).floor();
        let left_to_right = Layout::left_to_right(Align::Center);
        let place = |width: f32| vec2(width.max(0.0), CONTROL_HEIGHT);
        let label = ui.allocate_ui_with_layout(place(width - control_width - gap), left_to_right, |ui| {
            ui.set_min_size(ui.max_rect().size());
            label(ui)
        });
        let shown = ui.allocate_ui_with_layout(place(control_width), left_to_right, |ui| {
            ui.set_min_size(ui.max_rect().size());
            control(ui, label.inner)
        });
        shown.inner
    })
    .inner
}
