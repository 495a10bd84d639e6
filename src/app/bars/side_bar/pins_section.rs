//! Section *Pins*: pinned positions with every panel's values.

use egui::{RichText, Ui};

use super::caption;
use crate::app::commands::{Command, InspectCommand, Keymap};
use crate::app::inspect::Overlays;
use crate::app::session::Session;
use crate::app::session::unit::Unit;
use crate::app::widgets::panel_mark;
use crate::app::widgets::symbol::{Symbol, SymbolButton};
use crate::app::widgets::theme::{Palette, SPACE, text_size};

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
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let name = format!("Remove pin {}", number + 1);
                let button = SymbolButton { symbol: Symbol::Close, name: &name, tip: "Removes this pin" };
                if button.show(ui, false).clicked() {
                    gone = Some(number);
                }
            });
        });
        for (panel, values) in overlays.pinned.values.get(number).into_iter().flatten() {
            let Some(name) = session.index_of(*panel).map(|index| session.panel_name(index)) else { continue };
            let text: Vec<String> = values.iter().map(|value| unit.text(*value, maxval)).collect();
            let text = if text.is_empty() { "–".to_owned() } else { text.join(" ") };
            ui.horizontal(|ui| {
                ui.add_space(3.0 * SPACE);
                panel_mark::dot(ui, name.index);
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    ui.label(RichText::new(text).size(text_size::VALUE).color(palette.text));
                    ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                        let name = RichText::new(name.numbered()).size(text_size::VALUE).color(palette.weak);
                        ui.add(egui::Label::new(name).truncate());
                    });
                });
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
