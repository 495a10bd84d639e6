//! Section *Histogram*: counts of the values, with black and white as handles. While a difference is shown, the distribution of its
//! values. Section *Display*: how values become brightness, as numbers. The display mapping of the image has no effect on a difference,
//! which has none.

use egui::{Button, Response, Ui, vec2};

use super::{difference_histogram, histogram};
use crate::app::commands::{Command, InspectCommand, Keymap};
use crate::app::inspect::Overlays;
use crate::app::session::unit::Unit;
use crate::app::session::{PanelArea, Session};
use crate::app::widgets::combo_box::combo_box;
use crate::app::widgets::limits::Limits;
use crate::app::widgets::menu_item::choose;
use crate::app::widgets::number::NumberField;
use crate::app::widgets::row::{captioned, captioned_number, number_columns};
use crate::app::widgets::theme::{CONTROL_HEIGHT, Palette, SPACE, as_field};
use crate::backend::{COLOUR_MAPS, ColourMap, Display};
use crate::text::short;

/// What the histogram is of.
pub(super) fn facts(session: &Session) -> &'static str {
    match session.inspect.state.region {
        _ if !has_display(session) => "of the difference",
        Some(_) => "of a region",
        None => "of the image",
    }
}

/// Whether the focused panel's display mapping is the usual one.
pub(super) fn display_facts(session: &Session) -> &'static str {
    let focused = session.focused();
    if session.panels()[focused].display == session.usual_display(focused) { "not adjusted" } else { "adjusted" }
}

/// Whether the display mapping of images has an effect on what is shown: there is no difference.
pub(super) fn has_display(session: &Session) -> bool {
    !matches!(session.areas()[..], [PanelArea::Difference(_)])
}

/// Draws the histogram of the difference on show, or that of the image, whose handles set black and white. Where it is off, its switch.
pub(super) fn show(ui: &mut Ui, session: &mut Session, unit: Unit, overlays: &mut Overlays, asked: &mut Vec<Command>) {
    if !session.inspect.state.has_histogram {
        histogram_switch(ui, asked);
        return;
    }
    if let [PanelArea::Difference(pair)] = session.areas()[..] {
        difference_histogram::show(ui, session, pair, (unit, overlays));
        return;
    }
    let before = session.panels()[session.focused()].display.window;
    let window = histogram::show(ui, session, unit, overlays, before);
    if window != before {
        session.change_display(|display| display.window = window);
    }
}

/// Draws the display mapping of the focused panel.
pub(super) fn show_display(ui: &mut Ui, session: &mut Session, unit: Unit, asked: &mut Vec<Command>) {
    let before = session.panels()[session.focused()].display;
    let mut edited = before;
    let one = unit.of_difference().one(session.page().maxval());
    if session.panels().len() > 1 {
        let mut is_all = !session.inspect.state.is_alone;
        field_box(ui, &mut is_all, "In all panels").on_hover_text(
            "Changes of the display and of the histogram's handles are of all panels; off: of the focused one",
        );
        session.inspect.state.is_alone = !is_all;
        ui.add_space(SPACE);
    }
    levels(ui, &mut edited, one);
    ui.add_space(SPACE);
    tone(ui, &mut edited, one, session.page().channels().has_colour());
    ui.add_space(SPACE);
    let palette = Palette::of_ui(ui);
    ui.columns(2, |columns| {
        let asks = [("Normalize", InspectCommand::Normalize), ("Reset", InspectCommand::ResetShow)];
        for (ui, (name, ask)) in columns.iter_mut().zip(asks) {
            let button =
                ui.add_sized(vec2(ui.available_width(), CONTROL_HEIGHT), Button::new(name).fill(palette.button));
            if button.on_hover_text(Keymap::in_force(ui).tooltip(Command::Inspect(ask))).clicked() {
                asked.push(Command::Inspect(ask));
            }
        }
    });
    if edited != before {
        session.change_display(|display| *display = edited);
    }
}

/// Draws the switch of the histogram, which is off.
fn histogram_switch(ui: &mut Ui, asked: &mut Vec<Command>) {
    let histogram = Command::Inspect(InspectCommand::Histogram);
    let tip = Keymap::in_force(ui).tooltip(histogram);
    if field_box(ui, &mut false, "Histogram").on_hover_text(tip).clicked() {
        asked.push(histogram);
    }
}

/// Draws a check box that looks as fields do.
fn field_box(ui: &mut Ui, is_on: &mut bool, text: &str) -> Response {
    ui.scope(|ui| {
        as_field(ui, Palette::of_ui(ui));
        ui.checkbox(is_on, text)
    })
    .inner
}

/// Greatest offset, black and white, of either sign; 1 is maxval.
const MAX_VALUE: f64 = 1e6;
/// Exposure, in stops.
const EXPOSURES: Limits = Limits::real(-24.0, 24.0);
/// Gamma.
const GAMMA: Limits = Limits::real(0.05, 20.0);

/// Draws black, gamma and white below the histogram. Black and white are in a unit in which white is `one` unless it is changed.
fn levels(ui: &mut Ui, display: &mut Display, one: f64) {
    let [black, white] = ["Value shown as black", "Value shown as white"].map(|what| of_values(what, one));
    let [black_now, white_now] = display.window.map(|end| f64::from(end) * one);
    let (speed, limits) = (0.005 * one, Limits::real(-MAX_VALUE * one, MAX_VALUE * one));
    let field = |name, help| NumberField { name, help, unit: "", speed, limits };
    let edited = number_columns(
        ui,
        [1.0; 3],
        [
            // Black and white differ.
            (NumberField { limits: limits.except(white_now), ..field("Black", black.as_str()) }, black_now),
            (
                NumberField { speed: 0.01, limits: GAMMA, ..field("Gamma", "Above 1 brightens dark values") },
                f64::from(display.gamma),
            ),
            (NumberField { limits: limits.except(black_now), ..field("White", white.as_str()) }, white_now),
        ],
    );
    let end = |edited: Option<f64>, now: f32| edited.map_or(now, |value| (value / one) as f32);
    let [black, white] = [end(edited[0], display.window[0]), end(edited[2], display.window[1])];
    if black != white {
        display.window = [black, white];
    }
    if let Some(gamma) = edited[1] {
        display.gamma = gamma as f32;
    }
}

/// Draws exposure and offset, which is in a unit in which white is `one`, and the colour map.
fn tone(ui: &mut Ui, display: &mut Display, one: f64, has_colour: bool) {
    ui.columns(3, |columns| {
        let [first, second, third] = columns else { return };
        let help = "Exposure in stops: each stop doubles the values";
        let exposure = NumberField { name: "Exposure", help, unit: "EV", speed: 0.02, limits: EXPOSURES };
        if let Some(edited) = captioned_number(first, exposure, f64::from(display.exposure)) {
            display.exposure = edited as f32;
        }
        let help = of_values("Added after the exposure", one);
        let limits = Limits::real(-MAX_VALUE * one, MAX_VALUE * one);
        let offset = NumberField { name: "Offset", help: &help, unit: "", speed: 0.005 * one, limits };
        if let Some(edited) = captioned_number(second, offset, f64::from(display.offset) * one) {
            display.offset = (edited / one) as f32;
        }
        captioned(third, "Colours", |ui, name| colour_map(ui, name, &mut display.colour_map, has_colour));
    });
}

fn colour_map(ui: &mut Ui, name: egui::Id, chosen: &mut ColourMap, has_colour: bool) {
    let title = chosen.title_of(has_colour);
    as_field(ui, Palette::of_ui(ui));
    let menu = combo_box("colour map").selected_text(title).truncate().width(ui.available_width());
    let shown = menu.show_ui(ui, |ui| {
        for map in &COLOUR_MAPS {
            choose(ui, chosen, map.colour_map, map.colour_map.title_of(has_colour));
        }
    });
    shown
        .response
        .labelled_by(name)
        .on_hover_text(format!("Colour map of {}: {title}", if has_colour { "the luminance" } else { "grey values" }));
}

/// Help of a field in the unit of the status line, in which the greatest value is `one`.
fn of_values(what: &str, one: f64) -> String {
    format!("{what}, in the unit of the status line: {} is the greatest value", short(one, 5))
}
