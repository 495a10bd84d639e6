//! Toolbar above the panels: menus, name of the image, scale.

use egui::containers::Tooltip;
use egui::{Align, Button, Layout, RectAlign, RichText, Ui};

use super::status::zoom_text;
use crate::app::commands::menu::{MENUS, SUBMENUS, menu_state, title};
use crate::app::commands::{COMMANDS, Command, Keymap, Menu};
use crate::app::session::{Link, Session};
use crate::app::widgets::theme::{Palette, SPACE};

/// Height, in points.
pub(in crate::app) const HEIGHT: f32 = 34.0;

/// Draws the toolbar. Returns the chosen commands.
pub(in crate::app) fn show(ui: &mut Ui, session: &Session) -> Vec<Command> {
    let mut chosen = Vec::new();
    egui::MenuBar::new().ui(ui, |ui| {
        for (menu, title) in MENUS {
            ui.menu_button(title, |ui| {
                ui.set_min_width(190.0);
                items(ui, session, menu, &mut chosen);
                for submenu in SUBMENUS.iter().filter(|submenu| submenu.parent == menu) {
                    ui.menu_button(submenu.title, |ui| {
                        ui.set_min_width(190.0);
                        items(ui, session, submenu.menu, &mut chosen);
                    });
                }
            });
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            scale(ui, session, &mut chosen);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add_space(2.0 * SPACE);
                let name = RichText::new(session.image().name()).color(Palette::of_ui(ui).weak);
                ui.add(egui::Label::new(name).truncate());
                let link = session.link();
                if link != Link::Absolute && session.panels().len() > 1 {
                    ui.separator();
                    let key = Keymap::in_force(ui).key_text(Command::NextLink);
                    ui.label(link.row().title).on_hover_text(format!("{}  ({key})", link.row().help));
                }
            });
        });
    });
    chosen
}

fn items(ui: &mut Ui, session: &Session, menu: Menu, chosen: &mut Vec<Command>) {
    let keys = Keymap::in_force(ui);
    for row in COMMANDS.iter().filter(|row| row.menu == menu) {
        let state = menu_state(session, row.command);
        let item = Button::selectable(state.is_chosen, title(session, row));
        let key = keys.key_text(row.command);
        let item = if key.is_empty() { item } else { item.shortcut_text(key) };
        let response = ui.add_enabled(state.is_possible, item);
        // Beside the item: below it would cover the next item.
        let mut tooltip = Tooltip::for_enabled(&response);
        tooltip.popup = tooltip.popup.align(RectAlign::RIGHT);
        tooltip.show(|ui| ui.label(row.help));
        if response.clicked() {
            chosen.push(row.command);
            ui.close();
        }
    }
}

/// From right to left: keys, theme, 100 %, fit, and the scale between its two buttons.
fn scale(ui: &mut Ui, session: &Session, chosen: &mut Vec<Command>) {
    let is_dark = ui.visuals().dark_mode;
    let keys = Keymap::in_force(ui);
    let mut item = |ui: &mut Ui, text: &str, name: &str, command: Command| {
        let button = ui.add(Button::new(text).frame_when_inactive(false)).on_hover_text(keys.tooltip(command));
        button.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, name));
        if button.clicked() {
            chosen.push(command);
        }
    };
    ui.spacing_mut().item_spacing.x = 0.5 * SPACE;
    item(ui, "?", "Keys", Command::Help);
    item(ui, if is_dark { "Light" } else { "Dark" }, "Theme", Command::NextTheme);
    ui.separator();
    item(ui, "100 %", "100 %", Command::Times(1));
    item(ui, "Fit", "Fit", Command::Fit);
    ui.separator();
    item(ui, "+", "Zoom in", Command::ZoomIn);
    let scale = RichText::new(zoom_text(session.view().scale())).monospace();
    ui.add_sized([64.0, HEIGHT - 2.0 * SPACE], egui::Label::new(scale)).on_hover_text("Pixels per sample");
    item(ui, "−", "Zoom out", Command::ZoomOut);
}
