//! The menus of the menu bar.

use egui::containers::Tooltip;
use egui::containers::menu::{MenuConfig, SubMenuButton};
use egui::{Button, Popup, RectAlign, Response, Ui, UiKind, UiStackInfo, Vec2};

use crate::app::commands::menu::{MENUS, MenuItem, items, menu_state, title};
use crate::app::commands::obstacle::obstacle;
use crate::app::commands::{Command, Keymap, Menu};
use crate::app::input::menu_walk::BarMenus;
use crate::app::session::Session;
use crate::app::session::preferences::Preferences;
use crate::app::widgets::menu_item::{menu_item, submenu_item};
use crate::app::widgets::symbol::{Symbol, SymbolButton};
use crate::app::widgets::theme::Palette;

/// Least width of a menu, in points.
const WIDTH: f32 = 190.0;
/// How much farther within its button the icon of the menus begins than a title, in points.
const ICON_SHIFT: f32 = 2.0;

/// What the items of the menus depend on.
#[derive(Clone, Copy)]
pub(super) struct MenuInput<'a> {
    /// The session.
    pub(super) session: &'a Session,
    /// The preferences.
    pub(super) preferences: &'a Preferences,
}

/// Draws the buttons of all menus, weak beside the controls of the toolbar. Appends the chosen commands to `chosen`.
///
/// While a menu is open the pointer opens the one whose button it moves over. A pointer that rests on a button does not: it would take
/// back what the arrow keys open.
pub(super) fn show(ui: &mut Ui, input: MenuInput<'_>, chosen: &mut Vec<Command>) {
    let mut of_bar = BarMenus::default();
    let is_moving = ui.input(|input| input.pointer.delta() != Vec2::ZERO);
    let mut entered = None;
    let usual = ui.visuals().widgets.inactive.fg_stroke;
    for (menu, title) in MENUS {
        ui.visuals_mut().widgets.inactive.fg_stroke.color = Palette::of_ui(ui).weak;
        let button = ui.button(title);
        ui.visuals_mut().widgets.inactive.fg_stroke = usual;
        let id = Popup::default_response_id(&button);
        if is_moving && button.hovered() && !button.clicked() {
            entered = Some(id);
        }
        popup(&button).show(|ui| contents(ui, input, menu, (chosen, &mut of_bar)));
        of_bar.popups.push(id);
    }
    if let Some(entered) = entered
        && !Popup::is_id_open(ui, entered)
        && of_bar.popups.iter().any(|popup| Popup::is_id_open(ui, *popup))
    {
        Popup::open_id(ui, entered);
    }
    of_bar.keep(ui);
}

/// Draws a menu item for each of `commands`. Returns the command that was clicked.
pub(in crate::app) fn command_items(ui: &mut Ui, session: &Session, commands: &[Command]) -> Option<Command> {
    let mut chosen = None;
    let keys = Keymap::in_force(ui);
    for &command in commands {
        let Some(row) = command.row() else {
            continue;
        };
        let state = menu_state(session, command);
        let button = menu_item(state.is_chosen, row.title).shortcut_text(keys.key_text(command));
        let item = Item { command, is_possible: state.is_possible, help: row.help };
        if show_item(ui, session, button, item) {
            chosen = Some(command);
        }
    }
    chosen
}

/// Draws the button of a menu that has all menus as submenus, for a bar without room for their titles. Appends the chosen commands to
/// `chosen`.
pub(super) fn show_folded(ui: &mut Ui, input: MenuInput<'_>, chosen: &mut Vec<Command>) {
    let mut of_bar = BarMenus::default();
    // The icon stands above the texts and dots at the left edge.
    ui.add_space(-ICON_SHIFT);
    let tip = MENUS.map(|(_, title)| title).join(", ");
    let button = SymbolButton { symbol: Symbol::Menus, name: "Menu", tip: &tip }.show(ui, false);
    of_bar.popups.push(Popup::default_response_id(&button));
    popup(&button).show(|ui| {
        ui.set_min_width(WIDTH);
        for (menu, title) in MENUS {
            submenu(ui, input, (menu, title), (&mut *chosen, &mut of_bar));
        }
    });
    of_bar.keep(ui);
}

/// The menu that opens below `button`.
fn popup(button: &Response) -> Popup<'_> {
    let config = MenuConfig::new();
    let info = UiStackInfo::new(UiKind::Menu).with_tag_value(MenuConfig::MENU_CONFIG_TAG, config.clone());
    Popup::menu(button).close_behavior(config.close_behavior).style(config.style).info(info)
}

/// Draws the item of a submenu, and the submenu while it is open.
fn submenu(
    ui: &mut Ui,
    input: MenuInput<'_>,
    (menu, title): (Menu, &str),
    (chosen, of_bar): (&mut Vec<Command>, &mut BarMenus),
) {
    let (item, open) =
        SubMenuButton::new(submenu_item(title)).ui(ui, |ui| contents(ui, input, menu, (&mut *chosen, &mut *of_bar)));
    of_bar.is_on_submenu |= item.has_focus();
    of_bar.has_submenu |= open.is_some();
}

fn contents(ui: &mut Ui, input: MenuInput<'_>, menu: Menu, (chosen, of_bar): (&mut Vec<Command>, &mut BarMenus)) {
    ui.set_min_width(WIDTH);
    let keys = Keymap::in_force(ui);
    for item in items(menu) {
        match item {
            MenuItem::Line => drop(ui.separator()),
            MenuItem::Submenu(of_menu) => {
                submenu(ui, input, (of_menu.menu, of_menu.title), (&mut *chosen, &mut *of_bar));
            }
            MenuItem::Command(row) => {
                let state = menu_state(input.session, row.command);
                let button = menu_item(state.is_chosen, title(input.session, row));
                let key = keys.key_text(row.command);
                let button = if key.is_empty() { button } else { button.shortcut_text(key) };
                let item = Item { command: row.command, is_possible: state.is_possible, help: row.help };
                chosen.extend(show_item(ui, input.session, button, item).then_some(item.command));
            }
            MenuItem::Choice(choice) => {
                let state = choice.menu_state(input.session, input.preferences);
                let button = menu_item(state.is_chosen, choice.short_title());
                let button = if choice.mark().is_empty() { button } else { button.shortcut_text(choice.mark()) };
                let (help, names) = (choice.help(), choice.names());
                let help = if names.is_empty() { help } else { format!("{help}\n{}", names.join(" · ")) };
                let item = Item { command: Command::Choose(choice), is_possible: state.is_possible, help: &help };
                chosen.extend(show_item(ui, input.session, button, item).then_some(item.command));
            }
        }
    }
}

/// An item that calls a command.
#[derive(Clone, Copy)]
struct Item<'a> {
    command: Command,
    is_possible: bool,
    help: &'a str,
}

/// Draws an item, whose tooltip says why it can do nothing where that is so. Returns whether it was clicked; the menu closes then.
fn show_item(ui: &mut Ui, session: &Session, button: Button<'_>, item: Item<'_>) -> bool {
    let response = ui.add_enabled(item.is_possible, button);
    // Beside the item: below it would cover the next item.
    let mut tooltip = if item.is_possible { Tooltip::for_enabled(&response) } else { Tooltip::for_disabled(&response) };
    tooltip.popup = tooltip.popup.align(RectAlign::RIGHT);
    tooltip.show(|ui| {
        ui.label(item.help);
        if let Some(reason) = obstacle(session, item.command).filter(|_| !item.is_possible) {
            ui.label(reason.to_string());
        }
    });
    let is_clicked = response.clicked();
    if is_clicked {
        ui.close();
    }
    is_clicked
}
