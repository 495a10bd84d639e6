//! The mark in the header of a panel that has filters.

use egui::{Button, Color32, RichText, Role, Ui, WidgetInfo};

use crate::app::commands::{Command, Keymap};
use crate::app::session::{Panel, short_step};
use crate::app::widgets::fit::button_width;
use crate::app::widgets::theme::Palette;
use crate::filter::{STAGES, Stage, StageRow};

/// The mark's letter.
const LETTER: &str = "ƒ";
/// Its size in points.
const SIZE: f32 = 14.0;

/// The mark's text: its letter, followed by the filters in their order or by as many of the last ones as fit into `room` points;
/// `None` where the panel has no filters.
pub(super) fn text(ui: &Ui, panel: &Panel, room: f32) -> Option<String> {
    let steps = steps(panel);
    let form = |first: usize| {
        let before = if first > 0 { "… → " } else { "" };
        format!("{LETTER} {before}{}", steps[first..].join(" → "))
    };
    let mut forms = (0..steps.len()).map(form).chain(steps.last().map(|last| format!("{LETTER} {last}")));
    let named = forms.find(|text| width(ui, text) <= room);
    (!panel.filters.is_empty()).then(|| named.unwrap_or_else(|| LETTER.to_owned()))
}

/// The filters in force, in their order. One after the interpolation says so.
fn steps(panel: &Panel) -> Vec<String> {
    let of_stage = |row: &'static StageRow| {
        let steps = panel.filters.chain(row.stage).active();
        steps.map(|step| match row.stage {
            Stage::Before => short_step(&step.to_string()),
            Stage::After => format!("after: {}", short_step(&step.to_string())),
        })
    };
    STAGES.iter().flat_map(of_stage).collect()
}

/// The mark's width in points.
pub(super) fn width(ui: &Ui, text: &str) -> f32 {
    button_width(ui, text, SIZE)
}

/// Draws the mark of panel `number`, counted from 1, with its text. Returns whether it was clicked.
pub(super) fn show(ui: &mut Ui, panel: &Panel, (number, text): (usize, &str)) -> bool {
    let Some(summary) = summary(panel) else {
        return false;
    };
    let palette = Palette::of_ui(ui);
    let acts = panel.filters_in_force().is_active();
    let colour = if acts { palette.accent } else { palette.weak };
    let text = RichText::new(text).italics().size(SIZE).color(colour);
    let text = if acts { text } else { text.strikethrough() };
    let response = ui.add(Button::new(text).frame_when_inactive(false).fill(Color32::TRANSPARENT));
    let state = if acts { "on" } else { "off" };
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Filters of panel {number}: {state}")));
    let (is_off, key) = (panel.filters_off, Keymap::in_force(ui).key_text(Command::ToggleFilters));
    let click = if is_off { "Click to switch them on" } else { "Click to switch them off" };
    response.on_hover_text(format!("{summary}\n{click}  ({key})")).clicked()
}

/// The filter chains of `panel`, one line per stage; `None` where it has no filters.
fn summary(panel: &Panel) -> Option<String> {
    let line = |row: &StageRow| {
        let steps = &panel.filters.chain(row.stage).0;
        (!steps.is_empty()).then(|| {
            let steps: Vec<String> = steps.iter().map(ToString::to_string).collect();
            format!("{}: {}", row.title, steps.join(", then "))
        })
    };
    let lines: Vec<String> = STAGES.iter().filter_map(line).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}
