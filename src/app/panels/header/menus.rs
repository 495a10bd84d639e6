//! Menus of a header: the methods, and all properties of the panel.

use egui::containers::menu::MenuButton;
use egui::{Button, Response, Role, Ui, Vec2, WidgetInfo};

use super::chips::{Chip, chip_button, lines, more_text};
use super::choices::{ANTIALIAS_HELP, PREFILTER_HELP, address_choices, image_choices, path_choices};
use super::fit::{BesideName, Fit};
use super::{CARET_GAP, hint, set_sampler};
use crate::app::bars::menus::command_items;
use crate::app::commands::notice::CommandNotice;
use crate::app::commands::{Command, Keymap};
use crate::app::panels::method_values;
use crate::app::session::{PanelMethod, PanelTrait, Session, SetMethod as _};
use crate::app::widgets::line_text::LineText;
use crate::app::widgets::menu_item::{menu_item, open_submenu, submenu_item};
use crate::app::widgets::symbol::Symbol;
use crate::app::widgets::theme::{HIT_SIZE, Palette, text_size};
use crate::arguments::address_titles;
use crate::backend::{Content, RequestError};
use crate::sampling::{METHODS, Sampler};

/// Draws the name of the method, which opens the menu of methods. Its tooltip has `others`, chips without room.
pub(super) fn method_menu(
    ui: &mut Ui,
    (session, index): (&mut Session, usize),
    sampler: &mut Sampler,
    (fit, others): (&Fit, &[Chip]),
    asked: &mut Vec<Command>,
) {
    let (method, _) = session.shown_method(index);
    let [title, ..] = method.names();
    let palette = Palette::of_ui(ui);
    let name = fit.name.clone().atom(palette.text);
    let button = match fit.beside {
        BesideName::CaretAndMenu | BesideName::Caret => Button::new((name, Symbol::caret(palette.weak))).gap(CARET_GAP),
        BesideName::Nothing => Button::new(name),
    };
    let (response, _) = MenuButton::from_button(button.frame_when_inactive(false)).ui(ui, |ui| {
        for row in &METHODS {
            let mut changed = *sampler;
            changed.set_method(row.method);
            // Other errors concern all methods alike and disable none.
            let refusal = session.refusal(index, changed).filter(|error| matches!(error, RequestError::Stretch { .. }));
            let choice = ui
                .add_enabled(refusal.is_none(), menu_item(method == PanelMethod::Method(row.method), row.title))
                .on_hover_text(row.help)
                .on_disabled_hover_text(refusal.map(|error| error.to_string()).unwrap_or_default());
            if choice.clicked() {
                sampler.set_method(row.method);
                session.set_content(index, Content::Interpolation);
                ui.close();
            }
        }
        truth_item(ui, session, index);
        method_values::show(ui, session.panels()[index].id(), sampler);
        if fit.beside != BesideName::CaretAndMenu {
            ui.separator();
            panel_items(ui, (session, index), sampler, asked);
        }
    });
    focus_by(&response, session, index);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, title.clone()));
    let text = format!("{title}: {}", method.help());
    let keys = Keymap::in_force(ui);
    let [next, previous] = [Command::NextMethod, Command::PreviousMethod].map(|command| keys.key_text(command));
    let by_key = if next.is_empty() { String::new() } else { format!("\nNext and previous: {next}, {previous}") };
    hint(response, &format!("{text}{}{by_key}", lines(others)));
}

/// Draws the item of the truth in the menu of methods.
fn truth_item(ui: &mut Ui, session: &mut Session, index: usize) {
    let (row, obstacle) = (Content::Truth.row(), session.no_truth(index));
    let is_chosen = session.panels()[index].content == Content::Truth;
    let key = Keymap::in_force(ui).key_text(Command::ToggleTruth);
    let item = menu_item(is_chosen, row.title).shortcut_text(key);
    let why = obstacle.map(|why| CommandNotice::from(why).to_string()).unwrap_or_default();
    let choice = ui.add_enabled(obstacle.is_none(), item).on_hover_text(row.help).on_disabled_hover_text(why);
    if choice.clicked() {
        session.focus(index);
        session.set_content(index, Content::Truth);
        ui.close();
    }
}

/// Draws the switch of the prefilter in a menu.
fn prefilter_item(ui: &mut Ui, sampler: &mut Sampler) {
    let acts = sampler.method.kernel().prefilter.is_some();
    let key = Keymap::in_force(ui).key_text(Command::TogglePrefilter);
    let item = menu_item(acts && sampler.prefilter, PanelTrait::Prefilter.row().title).shortcut_text(key);
    let response = ui.add_enabled(acts, item).on_hover_text(PREFILTER_HELP).on_disabled_hover_text(
        "The prefilter is for B-splines from degree 2 on and for O-MOMS: the other methods take samples as they are",
    );
    let is_on = acts && sampler.prefilter;
    response.widget_info(|| WidgetInfo::selected(Role::Button, acts, is_on, PanelTrait::Prefilter.row().title));
    if response.clicked() {
        sampler.prefilter = !sampler.prefilter;
    }
}

/// Draws the switch of antialiasing in a menu.
fn antialias_item(ui: &mut Ui, sampler: &mut Sampler) {
    let has_path = sampler.path.is_exact();
    let item = menu_item(has_path && sampler.antialias, PanelTrait::Antialias.row().title);
    let response = ui
        .add_enabled(has_path, item)
        .on_hover_text(ANTIALIAS_HELP)
        .on_disabled_hover_text("The texture unit does not widen kernels: choose another sampling path");
    if response.clicked() {
        sampler.antialias = !sampler.antialias;
    }
}

/// Draws the chip in the place of `others`, chips without room: the menu of the panel.
pub(super) fn more_menu(
    ui: &mut Ui,
    (session, index): (&mut Session, usize),
    sampler: &mut Sampler,
    others: &[Chip],
    asked: &mut Vec<Command>,
) {
    let text = more_text(others.len());
    let button = chip_button(ui, LineText::regular(&text, text_size::UNIT), Palette::of_ui(ui).weak);
    let lines = lines(others);
    let (response, _) = MenuButton::from_button(button).ui(ui, |ui| panel_items(ui, (session, index), sampler, asked));
    focus_by(&response, session, index);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &text));
    hint(response, lines.trim_start());
}

/// Focuses the panel at `index` with a click on the button of its menu, as a click of the right button does on its picture.
fn focus_by(button: &Response, session: &mut Session, index: usize) {
    if button.clicked() {
        session.focus(index);
    }
}

/// Draws the button and the menu of the panel.
pub(super) fn panel_menu(
    ui: &mut Ui,
    (session, index): (&mut Session, usize),
    sampler: &mut Sampler,
    asked: &mut Vec<Command>,
) {
    let button = Button::new(Symbol::More.atom(Some(Palette::of_ui(ui).weak))).frame_when_inactive(false);
    let (response, _) = MenuButton::from_button(button.min_size(Vec2::splat(HIT_SIZE))).ui(ui, |ui| {
        panel_items(ui, (session, index), sampler, asked);
    });
    focus_by(&response, session, index);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Panel {} menu", index + 1)));
    hint(response, "This panel: address mode, prefilter, sampling path, image, alone, closed");
}

/// Draws the menu at a click of the right button on the panel's picture: the panel's menu, then what is done with the picture.
pub(in crate::app::panels) fn picture_menu(
    ui: &mut Ui,
    (session, index): (&mut Session, usize),
    asked: &mut Vec<Command>,
) {
    let before = session.panels()[index].sampler;
    let mut sampler = before;
    panel_items(ui, (session, index), &mut sampler, asked);
    ui.separator();
    if let Some(command) = command_items(ui, session, &PICTURE_COMMANDS) {
        session.focus(index);
        asked.push(command);
    }
    set_sampler(session, index, [before, sampler]);
}

/// What is done with the picture of a panel.
const PICTURE_COMMANDS: [Command; 4] = [Command::Fit, Command::ShowDetail, Command::CopyPicture, Command::SavePanel];
/// The commands at the end of the panel's menu.
const PANEL_COMMANDS: [Command; 4] =
    [Command::Maximize, Command::DuplicatePanel, Command::ClosePanel, Command::ShareSettings];

/// Draws the items of the panel's menu: the properties, images and pages, then commands.
fn panel_items(ui: &mut Ui, (session, index): (&mut Session, usize), sampler: &mut Sampler, asked: &mut Vec<Command>) {
    ui.set_min_width(190.0);
    // The truth has none of them.
    if session.panels()[index].content == Content::Interpolation {
        // Both axes can be chosen.
        open_submenu(ui, format!("Address mode: {}", address_titles(sampler.address)), |ui| {
            address_choices(ui, session, sampler);
        });
        ui.menu_button(submenu_item(format!("Sampling: {}", sampler.path.row().title)), |ui| {
            path_choices(ui, session, index, sampler);
        });
        prefilter_item(ui, sampler);
    }
    antialias_item(ui, sampler);
    ui.separator();
    if image_choices(ui, session, index) {
        ui.separator();
    }
    if let Some(command) = command_items(ui, session, &PANEL_COMMANDS) {
        session.focus(index);
        asked.push(command);
    }
}
