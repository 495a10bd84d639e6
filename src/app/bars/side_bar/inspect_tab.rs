//! Tab *Inspect*: the instruments as switches with their keys, the unit of values, statistics.

use egui::{Align2, FontId, Role, Sense, StrokeKind, Ui, WidgetInfo, pos2, vec2};

use super::section::section;
use super::{SideBarContext, quality_section, statistics_section};
use crate::app::commands::menu::menu_state;
use crate::app::commands::{Command, InspectCommand, Keymap};
use crate::app::files::SideSection;
use crate::app::session::unit::UNITS;
use crate::app::widgets::combo_box::combo_box;
use crate::app::widgets::menu_item::choose;
use crate::app::widgets::row::wide_row;
use crate::app::widgets::symbol::Symbol;
use crate::app::widgets::theme::{CONTROL_HEIGHT, Palette, RADIUS, SPACE, text_size};

/// A switch of an instrument.
#[derive(Clone, Copy)]
struct Instrument {
    symbol: Symbol,
    name: &'static str,
    command: InspectCommand,
}

const INSTRUMENTS: [Instrument; 10] = [
    Instrument { symbol: Symbol::Values, name: "Values in pixels", command: InspectCommand::Values },
    Instrument { symbol: Symbol::Grid, name: "Sample grid", command: InspectCommand::Grid },
    Instrument { symbol: Symbol::Ghosts, name: "Regions outside the image", command: InspectCommand::Outside },
    Instrument { symbol: Symbol::Clipping, name: "Clipping warning", command: InspectCommand::Clipping },
    Instrument { symbol: Symbol::SampleCheck, name: "Sample check", command: InspectCommand::SampleCheck },
    Instrument { symbol: Symbol::Overshoot, name: "Overshoot", command: InspectCommand::Overshoot },
    Instrument { symbol: Symbol::Lens, name: "Smoothness lens", command: InspectCommand::NextLens },
    Instrument { symbol: Symbol::Profile, name: "Line profile", command: InspectCommand::Profile },
    Instrument { symbol: Symbol::Histogram, name: "Histogram", command: InspectCommand::Histogram },
    Instrument { symbol: Symbol::Metrics, name: "Metrics", command: InspectCommand::Metrics },
];

/// Draws the tab. Appends the commands of its switches to `asked`.
pub(super) fn show(ui: &mut Ui, context: &mut SideBarContext<'_>, asked: &mut Vec<Command>) {
    let SideBarContext { session, preferences, side_bar, overlays, .. } = context;
    let keys = Keymap::in_force(ui);
    ui.add_space(2.0 * SPACE);
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 0.5 * SPACE;
        for instrument in INSTRUMENTS {
            let command = Command::Inspect(instrument.command);
            if switch(ui, instrument, menu_state(session, command).is_chosen, &keys) {
                asked.push(command);
            }
        }
    });
    ui.add_space(SPACE);
    wide_row(ui, "Unit", |ui, name| {
        let unit = &mut preferences.unit;
        let chosen = combo_box("unit").selected_text(unit.row().title);
        let shown = chosen.width(ui.available_width()).show_ui(ui, |ui| {
            for row in &UNITS {
                choose(ui, unit, row.unit, row.title);
            }
        });
        shown.response.labelled_by(name).on_hover_text(keys.tooltip(Command::Inspect(InspectCommand::Unit)))
    });
    ui.add_space(SPACE);
    let rows = overlays.quality.rows(session);
    let facts = if rows.is_empty() { "" } else { "PSNR · ms" };
    section(ui, side_bar, SideSection::Quality, facts, |ui| quality_section::show(ui, session, &rows));
    let facts = session.inspect.state.region.map_or("", |_| "region");
    section(ui, side_bar, SideSection::Statistics, facts, |ui| {
        statistics_section::show(ui, session, preferences.unit, overlays);
    });
}

/// Draws the switch of an instrument: icon, name and key. Returns true if it is clicked.
fn switch(ui: &mut Ui, instrument: Instrument, is_on: bool, keys: &Keymap) -> bool {
    let palette = Palette::of_ui(ui);
    let command = Command::Inspect(instrument.command);
    let size = vec2(ui.available_width(), CONTROL_HEIGHT + 2.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let is_hovered = response.hovered();
    if is_on || is_hovered {
        let fill = if is_on { palette.active } else { palette.control };
        ui.painter().rect_filled(rect, RADIUS, fill);
    }
    let colour = if is_on { palette.text } else { palette.weak };
    let icon = if is_on { palette.text } else { palette.weak };
    instrument.symbol.paint(ui, pos2(rect.left() + 3.5 * SPACE, rect.center().y), icon);
    let at = pos2(rect.left() + 8.0 * SPACE, rect.center().y);
    ui.painter().text(at, Align2::LEFT_CENTER, instrument.name, FontId::proportional(text_size::BODY), colour);
    let key = keys.key_text(command);
    if !key.is_empty() {
        let font = FontId::proportional(text_size::UNIT);
        let galley = ui.painter().layout_no_wrap(key, font, palette.weak);
        let size = galley.size() + vec2(2.5 * SPACE, 0.5 * SPACE);
        let cap = Align2::RIGHT_CENTER.anchor_size(rect.right_center() - vec2(1.5 * SPACE, 0.0), size);
        let line = egui::Stroke::new(1.0, palette.line);
        ui.painter().rect(cap, 3.0, palette.field, line, StrokeKind::Inside);
        ui.painter().galley(cap.center() - 0.5 * galley.size(), galley, palette.weak);
    }
    response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, is_on, instrument.name));
    response.on_hover_text(keys.tooltip(command)).clicked()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switches_are_named_as_their_commands() {
        for instrument in INSTRUMENTS {
            // The switch of the lens has the name of its submenu, which lists the lenses and this command.
            if instrument.command != InspectCommand::NextLens {
                let title = Command::Inspect(instrument.command).row().map(|row| row.title);
                assert_eq!(title, Some(instrument.name));
            }
        }
    }
}
