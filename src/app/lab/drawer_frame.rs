//! What the drawer and the profile have in common: margins, and the buttons at the end of a head.

use egui::{Button, Margin, Ui, vec2};

use crate::app::commands::{Command, Keymap};
use crate::app::widgets::fit::button_width;
use crate::app::widgets::symbol::{Symbol, SymbolButton};
use crate::app::widgets::theme::{CONTROL_HEIGHT, text_size};

/// Margins of the drawer and of the profile, in points.
pub(super) const MARGIN: Margin = Margin { left: 8, right: 8, top: 4, bottom: 8 };

/// The text of the button that saves the plot.
const SAVE: &str = "Save plot…";

/// Draws the buttons at the right end of a head, from right to left: the one that runs `close` for what `title` names, and the one that
/// saves the plot. Returns the commands of those that were clicked.
pub(super) fn ending(ui: &mut Ui, (close, title): (Command, &str), can_save: bool) -> Vec<Command> {
    let keys = Keymap::in_force(ui);
    let mut asked = Vec::new();
    let (tip, name) = (keys.tooltip(close), format!("Close {title}"));
    if (SymbolButton { symbol: Symbol::Close, name: &name, tip: &tip }).show(ui, false).clicked() {
        asked.push(close);
    }
    // Where tabs leave no room for it, its key and the palette save the plot.
    if can_save && button_width(ui, SAVE, text_size::BODY) <= ui.available_width() {
        let save = ui.add(Button::new(SAVE).min_size(vec2(0.0, CONTROL_HEIGHT)));
        if save.on_hover_text(keys.tooltip(Command::SavePlot)).clicked() {
            asked.push(Command::SavePlot);
        }
    }
    asked
}
