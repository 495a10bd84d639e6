//! The bar above the panels: menus, the image's name, the scale.

use egui::containers::Tooltip;
use egui::{Align, Button, Layout, RectAlign, RichText, Ui};

use super::status::zoom_text;
use crate::app::commands::perform::{is_chosen, is_possible, title};
use crate::app::commands::{COMMANDS, Command, Menu};
use crate::app::session::{Link, Session};
use crate::app::widgets::theme::{Palette, SPACE};

/// The bar's height in points.
pub(in crate::app) const HEIGHT: f32 = 34.0;

const MENUS: [(Menu, &str); 7] = [
    (Menu::File, "File"),
    (Menu::Edit, "Edit"),
    (Menu::View, "View"),
    (Menu::Panel, "Panel"),
    (Menu::Compare, "Compare"),
    (Menu::Inspect, "Inspect"),
    (Menu::Window, "Window"),
];

/// Menus within menus.
const WITHIN: [(Menu, &str, Menu); 4] = [
    (Menu::View, "Scale", Menu::Scale),
    (Menu::Panel, "Sets of panels", Menu::Arrangements),
    (Menu::Panel, "Link", Menu::Links),
    (Menu::Panel, "Filters", Menu::Filters),
];

/// The way to `menu` through the menus; none for what has keys alone.
pub(in crate::app) fn path(menu: Menu) -> Option<String> {
    let title = |menu: Menu| MENUS.iter().find(|(known, _)| *known == menu).map(|(_, title)| *title);
    let within = || {
        let (outer, inner, _) = WITHIN.iter().find(|(.., within)| *within == menu)?;
        Some(format!("{} › {inner}", title(*outer)?))
    };
    title(menu).map(str::to_owned).or_else(within)
}

/// Draws the bar; the commands that were chosen.
pub(in crate::app) fn show(ui: &mut Ui, session: &Session) -> Vec<Command> {
    let mut chosen = Vec::new();
    egui::MenuBar::new().ui(ui, |ui| {
        for (menu, title) in MENUS {
            ui.menu_button(title, |ui| {
                ui.set_min_width(190.0);
                items(ui, session, menu, &mut chosen);
                for (_, title, within) in WITHIN.iter().filter(|(outer, ..)| *outer == menu) {
                    ui.menu_button(*title, |ui| {
                        ui.set_min_width(190.0);
                        items(ui, session, *within, &mut chosen);
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
                    ui.label(link.row().title).on_hover_text(format!(
                        "{}  ({})",
                        link.row().help,
                        Command::NextLink.key_text()
                    ));
                }
            });
        });
    });
    chosen
}

fn items(ui: &mut Ui, session: &Session, menu: Menu, chosen: &mut Vec<Command>) {
    for row in COMMANDS.iter().filter(|row| row.menu == menu) {
        let item = Button::selectable(is_chosen(session, row.command), title(session, row));
        let key = row.command.key_text();
        let item = if key.is_empty() { item } else { item.shortcut_text(key) };
        let response = ui.add_enabled(is_possible(session, row.command), item);
        // Beside the item, so that it does not cover the next.
        let mut tooltip = Tooltip::for_enabled(&response);
        tooltip.popup = tooltip.popup.align(RectAlign::RIGHT);
        tooltip.show(|ui| ui.label(row.help));
        if response.clicked() {
            chosen.push(row.command);
            ui.close();
        }
    }
}

/// From right to left: theme, keys, fit, 100 %, and the scale between its two buttons.
fn scale(ui: &mut Ui, session: &Session, chosen: &mut Vec<Command>) {
    let is_dark = ui.visuals().dark_mode;
    let mut item = |ui: &mut Ui, text: &str, name: &str, command: Command| {
        let button = ui.add(Button::new(text).frame_when_inactive(false)).on_hover_text(command.tooltip());
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
    ui.add_sized([64.0, HEIGHT - 2.0 * SPACE], egui::Label::new(scale)).on_hover_text("Pixels a sample");
    item(ui, "−", "Zoom out", Command::ZoomOut);
}
