//! Section *Values*: how values become brightness, with the histogram above the numbers.

use egui::{Button, ComboBox, Ui, vec2};

use super::histogram;
use crate::app::commands::menu::menu_state;
use crate::app::commands::{Command, InspectCommand, Keymap};
use crate::app::inspect::Overlays;
use crate::app::session::Session;
use crate::app::session::unit::Unit;
use crate::app::widgets::number::NumberField;
use crate::app::widgets::row::{number_row, row};
use crate::app::widgets::theme::{CONTROL_HEIGHT, SPACE};
use crate::backend::{COLOUR_MAPS, Display};

/// Whether the focused panel's values are shown otherwise than as they are.
pub(super) fn facts(session: &Session) -> &'static str {
    if session.panels()[session.focused()].display == Display::default() { "" } else { "adjusted" }
}

/// Draws the histogram, the display mapping of the focused panel, and the switch for all panels.
pub(super) fn show(ui: &mut Ui, session: &mut Session, unit: Unit, overlays: &mut Overlays, asked: &mut Vec<Command>) {
    let before = session.panels()[session.focused()].display;
    let mut edited = before;
    if session.inspect.state.has_histogram {
        edited.window = histogram::show(ui, session, unit, overlays, edited.window);
    }
    numbers(ui, &mut edited);
    let has_colour = session.page().channels().has_colour();
    row(ui, "Colours", |ui, name| {
        let text = if has_colour { "RGB" } else { edited.colour_map.row().title };
        let chosen = ComboBox::from_id_salt("colour map").selected_text(text).width(ui.available_width());
        let choices = |ui: &mut Ui| {
            for map in &COLOUR_MAPS {
                ui.selectable_value(&mut edited.colour_map, map.colour_map, map.title);
            }
        };
        let shown = ui.add_enabled_ui(!has_colour, |ui| chosen.show_ui(ui, choices)).inner;
        let help = "Colour map of grey values; colour images keep their colours";
        shown.response.labelled_by(name).on_hover_text(help).on_disabled_hover_text(help)
    });
    let mut is_all = !session.inspect.state.is_alone;
    let help = "Applies changes to all panels; off: to the focused panel only";
    ui.checkbox(&mut is_all, "Apply to all panels").on_hover_text(help);
    session.inspect.state.is_alone = !is_all;
    ui.horizontal(|ui| {
        let buttons = [
            ("Normalize", InspectCommand::Normalize),
            ("Reset", InspectCommand::ResetShow),
            ("Histogram", InspectCommand::Histogram),
        ];
        // *Histogram* fits into a third.
        ui.spacing_mut().button_padding.x = SPACE;
        let gaps = ui.spacing().item_spacing.x * (buttons.len() - 1) as f32;
        let size = vec2((ui.available_width() - gaps) / buttons.len() as f32, CONTROL_HEIGHT);
        for (text, ask) in buttons {
            let is_on = menu_state(session, Command::Inspect(ask)).is_chosen;
            let tip = Keymap::in_force(ui).tooltip(Command::Inspect(ask));
            if ui.add_sized(size, Button::new(text).selected(is_on)).on_hover_text(tip).clicked() {
                asked.push(Command::Inspect(ask));
            }
        }
    });
    if edited != before {
        session.change_display(|display| *display = edited);
    }
}

fn numbers(ui: &mut Ui, display: &mut Display) {
    let mut number = |field: NumberField<'_>, value: &mut f32, (least, most): (f32, f32)| {
        if let Some(edited) = number_row(ui, field, f64::from(*value)) {
            *value = (edited as f32).clamp(least, most);
        }
    };
    let field = |name, help, unit, speed| NumberField { name, help, unit, speed };
    let help = "Exposure in stops: each stop doubles the values";
    number(field("Exposure", help, "EV", 0.02), &mut display.exposure, (-24.0, 24.0));
    number(field("Offset", "Added after the exposure; 1 is maxval", "", 0.005), &mut display.offset, (-1e6, 1e6));
    number(field("Gamma", "Above 1 brightens dark values", "", 0.01), &mut display.gamma, (0.05, 20.0));
    let [mut black, mut white] = display.window;
    number(field("Black", "Value shown as black; 1 is maxval", "", 0.005), &mut black, (-1e6, 1e6));
    number(field("White", "Value shown as white; 1 is maxval", "", 0.005), &mut white, (-1e6, 1e6));
    if black != white {
        display.window = [black, white];
    }
}
