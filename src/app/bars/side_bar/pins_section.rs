//! Section *Pins*: pinned positions with every panel's values.

use egui::{Align, Color32, Layout, RichText, Ui, vec2};

use super::caption;
use crate::app::commands::{Command, InspectCommand, Keymap};
use crate::app::inspect::Overlays;
use crate::app::session::Session;
use crate::app::session::unit::Unit;
use crate::app::widgets::fit::text_width;
use crate::app::widgets::panel_mark;
use crate::app::widgets::symbol::{Symbol, SymbolButton};
use crate::app::widgets::theme::{Palette, SPACE, text_size};

/// Height of a row of a pin, in points.
const ROW: f32 = 5.0 * SPACE;

/// Number of pins.
pub(super) fn facts(session: &Session) -> String {
    match session.inspect.state.pins.len() {
        0 => "none".to_owned(),
        count => count.to_string(),
    }
}

/// Draws the pins with every panel's values.
pub(super) fn show(ui: &mut Ui, session: &mut Session, unit: Unit, overlays: &Overlays) {
    let palette = Palette::of_ui(ui);
    let maxval = session.page().maxval();
    let mut gone = None;
    for (number, pin) in session.inspect.state.pins.iter().enumerate() {
        ui.horizontal(|ui| {
            let [x, y] = session.position_at(session.focused(), *pin);
            let place = format!("{}   x {x:.2}  y {y:.2}", number + 1);
            ui.label(RichText::new(place).color(palette.text));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let name = format!("Remove pin {}", number + 1);
                let button = SymbolButton { symbol: Symbol::Close, name: &name, tip: "Removes this pin" };
                if button.show(ui, false).clicked() {
                    gone = Some(number);
                }
            });
        });
        let of_pin = || overlays.pinned.values.get(number).into_iter().flatten();
        let texts = |values: &[f32]| values.iter().map(|value| unit.text(*value, maxval)).collect::<Vec<_>>();
        // Numbers of a channel stand below each other.
        let widths = of_pin().flat_map(|(_, values)| texts(values)).map(|text| text_width(ui, &text, text_size::VALUE));
        let width = widths.fold(0.0, f32::max).ceil();
        let channels = of_pin().map(|(_, values)| values.len()).max().unwrap_or_default();
        let letters: Vec<String> = session.page().channels().names().iter().map(|name| name[..1].to_owned()).collect();
        if channels > 1 && letters.len() == channels {
            row(ui, |ui| numbers(ui, &letters, (width, palette.weak)), |_| {});
        }
        for (panel, values) in of_pin() {
            let Some(name) = session.index_of(*panel).map(|index| session.panel_name(index)) else { continue };
            let numbers_of = |ui: &mut Ui| match texts(values) {
                none if none.is_empty() => numbers(ui, &["–".to_owned()], (width, palette.text)),
                texts => numbers(ui, &texts, (width, palette.text)),
            };
            row(ui, numbers_of, |ui| {
                ui.spacing_mut().item_spacing.x = SPACE;
                panel_mark::dot(ui, name.index);
                let text = RichText::new(name.numbered()).size(text_size::VALUE).color(palette.weak);
                ui.add(egui::Label::new(text).truncate()).on_hover_text(name.whole());
            });
        }
    }
    if let Some(number) = gone {
        session.inspect.state.pins.remove(number);
    }
    if session.inspect.state.pins.len() > 1 {
        let tip = "Draws a line from each pin to the next, in the order of their numbers";
        ui.checkbox(&mut session.inspect.state.joins_pins, "Join the pins").on_hover_text(tip);
    }
    if session.inspect.state.pins.is_empty() {
        let key = Keymap::in_force(ui).key_text(Command::Inspect(InspectCommand::Pin));
        let by_key = if key.is_empty() { String::new() } else { format!(", or {key},") };
        caption(ui, &format!("Ctrl+click a picture{by_key} to pin a position and list its values"));
    }
}

/// Draws a row of a pin: what is at its right end, and the rest.
fn row(ui: &mut Ui, right: impl FnOnce(&mut Ui), left: impl FnOnce(&mut Ui)) {
    ui.scope(|ui| {
        ui.spacing_mut().interact_size.y = ROW;
        ui.horizontal(|ui| {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                right(ui);
                ui.with_layout(Layout::left_to_right(Align::Center), left);
            });
        });
    });
}

/// Draws `texts` from right to left, the last first, each at the right end of `width` points.
fn numbers(ui: &mut Ui, texts: &[String], (width, colour): (f32, Color32)) {
    let size = vec2(width, ui.spacing().interact_size.y);
    for text in texts.iter().rev() {
        ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
            ui.set_min_size(size);
            ui.label(RichText::new(text).size(text_size::VALUE).color(colour));
        });
    }
}
