//! Section *Values*: how values become brightness, with the histogram above the numbers.

use egui::{Atom, Button, RichText, Role, Ui, Vec2, WidgetInfo, vec2};

use super::histogram;
use crate::app::commands::menu::menu_state;
use crate::app::commands::{Command, InspectCommand, Keymap};
use crate::app::inspect::Overlays;
use crate::app::session::Session;
use crate::app::session::unit::Unit;
use crate::app::widgets::combo_box::combo_box;
use crate::app::widgets::number::{NumberField, short};
use crate::app::widgets::row::{number_pair, number_row, row};
use crate::app::widgets::symbol::Symbol;
use crate::app::widgets::theme::{CONTROL_HEIGHT, Palette, SPACE};
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
    numbers(ui, &mut edited, unit.of_difference().one(session.page().raster().samples().maxval()));
    let has_colour = session.page().channels().has_colour();
    // Colour images keep their colours.
    if !has_colour {
        row(ui, "Colours", |ui, name| {
            let chosen = combo_box("colour map").selected_text(edited.colour_map.row().title);
            let shown = chosen.width(ui.available_width()).show_ui(ui, |ui| {
                for map in &COLOUR_MAPS {
                    ui.selectable_value(&mut edited.colour_map, map.colour_map, map.title);
                }
            });
            shown.response.labelled_by(name).on_hover_text("Colour map of grey values")
        });
    }
    let mut is_all = !session.inspect.state.is_alone;
    let help = "Applies changes to all panels; off: to the focused panel only";
    let text = RichText::new("Apply to all panels").color(Palette::of_ui(ui).weak);
    ui.checkbox(&mut is_all, text).on_hover_text(help);
    session.inspect.state.is_alone = !is_all;
    let palette = Palette::of_ui(ui);
    ui.horizontal(|ui| {
        let gap = ui.spacing().item_spacing.x;
        let half = vec2((ui.available_width() - CONTROL_HEIGHT - 2.0 * gap) / 2.0, CONTROL_HEIGHT);
        let square = Vec2::splat(CONTROL_HEIGHT);
        for (name, content, size, ask) in [
            ("Normalize", Atom::from("Normalize"), half, InspectCommand::Normalize),
            ("Reset", Atom::from("Reset"), half, InspectCommand::ResetShow),
            ("Histogram", Symbol::Histogram.atom(None), square, InspectCommand::Histogram),
        ] {
            let is_on = menu_state(session, Command::Inspect(ask)).is_chosen;
            ui.spacing_mut().button_padding.x = SPACE;
            let button =
                ui.add_sized(size, Button::new(content).fill(if is_on { palette.active } else { palette.button }));
            button.widget_info(|| WidgetInfo::selected(Role::Button, true, is_on, name));
            if button.on_hover_text(Keymap::in_force(ui).tooltip(Command::Inspect(ask))).clicked() {
                asked.push(Command::Inspect(ask));
            }
        }
    });
    if edited != before {
        session.change_display(|display| *display = edited);
    }
}

/// Least and greatest offset, black and white; 1 is maxval.
const ANY: (f32, f32) = (-1e6, 1e6);

/// Draws exposure, offset, gamma, black and white, of which offset, black and white are in a unit in which white is `one` unless
/// it is changed.
fn numbers(ui: &mut Ui, display: &mut Display, one: f64) {
    let field = |name, help, unit, speed| NumberField { name, help, unit, speed };
    let exposure = field("Exposure", "Exposure in stops: each stop doubles the values", "EV", 0.02);
    if let Some(edited) = number_row(ui, exposure, f64::from(display.exposure)) {
        display.exposure = (edited as f32).clamp(-24.0, 24.0);
    }
    // Values, what 1 of them is in their field, and their ranges.
    let mut pair = |fields: [NumberField<'_>; 2], values: [f32; 2], ones: [f64; 2], ranges: [(f32, f32); 2]| {
        let edited = number_pair(ui, [0, 1].map(|place| (fields[place], f64::from(values[place]) * ones[place])));
        [0, 1].map(|place| {
            let new = edited[place].map(|value| (value / ones[place]) as f32);
            new.map_or(values[place], |value| value.clamp(ranges[place].0, ranges[place].1))
        })
    };
    let of_values =
        |what: &str| format!("{what}, in the unit of the status line: {} is the greatest value", short(one, 5));
    let [added, black, white] =
        ["Added after the exposure", "Value shown as black", "Value shown as white"].map(of_values);
    let speed = 0.005 * one;
    let curve = [field("Offset", &added, "", speed), field("Gamma", "Above 1 brightens dark values", "", 0.01)];
    [display.offset, display.gamma] = pair(curve, [display.offset, display.gamma], [one, 1.0], [ANY, (0.05, 20.0)]);
    let range = [field("Black", &black, "", speed), field("White", &white, "", speed)];
    let [black, white] = pair(range, display.window, [one; 2], [ANY; 2]);
    if black != white {
        display.window = [black, white];
    }
}
