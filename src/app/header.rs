//! A panel's header: its method as its title, and quietly beside it what else decides its pixels.

use egui::containers::menu::MenuButton;
use egui::{Button, Response, RichText, Role, Ui, WidgetInfo};

use super::commands::Command;
use super::filters;
use super::perform::{is_chosen, is_possible};
use super::session::{Session, SetMethod as _};
use super::theme::{Palette, SPACE};
use crate::sampling::{ADDRESSES, Address, METHODS, Method, PATHS, Sampler};

/// The header's height in points.
pub(super) const HEIGHT: f32 = 30.0;

/// Widths, in points, below which a header leaves things out; keys, menus and the side bar still reach them.
const ROOM_FOR_PATH: f32 = 330.0;
const ROOM_FOR_PREFILTER: f32 = 270.0;
const ROOM_FOR_MENU: f32 = 150.0;
const ROOM_FOR_ADDRESS: f32 = 200.0;

/// Draws the header of panel `index` into `ui`; what it asks of the whole window goes to `asked`.
pub(super) fn show(ui: &mut Ui, session: &mut Session, index: usize, asked: &mut Vec<Command>) {
    let before = session.panels()[index].sampler;
    let mut sampler = before;
    let room = ui.available_width();
    ui.spacing_mut().item_spacing.x = SPACE;
    method_menu(ui, &mut sampler);
    if filters::mark(ui, &session.panels()[index], index + 1) {
        session.focus(index);
        asked.push(Command::ToggleFilters);
    }
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        if room > ROOM_FOR_MENU {
            panel_menu(ui, session, index, asked);
        }
        if room > ROOM_FOR_PATH {
            path_menu(ui, session, index, &mut sampler);
        }
        if room > ROOM_FOR_PREFILTER {
            prefilter_toggle(ui, &mut sampler);
        }
        if room > ROOM_FOR_ADDRESS {
            address_menu(ui, &mut sampler);
        }
    });
    if sampler != before {
        session.focus(index);
        session.focused_panel().sampler = sampler;
    }
}

/// A button that shows its frame under the pointer only.
fn quiet(text: impl Into<RichText>) -> Button<'static> {
    Button::new(text.into()).frame_when_inactive(false)
}

fn secondary(ui: &Ui, text: impl Into<String>) -> RichText {
    RichText::new(text).size(12.0).color(Palette::of_ui(ui).weak)
}

fn method_menu(ui: &mut Ui, sampler: &mut Sampler) {
    let row = sampler.method.row();
    let palette = Palette::of_ui(ui);
    let title = RichText::new(row.title).color(palette.strong);
    let chevron = RichText::new("▾").size(11.0).color(palette.weak);
    let button = Button::new((title, chevron)).gap(SPACE).frame_when_inactive(false);
    let (response, _) = MenuButton::from_button(button).ui(ui, |ui| {
        for row in &METHODS {
            let choice = ui.selectable_label(row.method == sampler.method, row.title).on_hover_text(row.help);
            if choice.clicked() {
                sampler.set_method(row.method);
                ui.close();
            }
        }
    });
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, row.title));
    hint(response, &format!("Method: {}\nNext and previous: K, Shift+K", row.help));
}

fn hint(response: Response, text: &str) {
    if !egui::Popup::is_any_open(&response.ctx) {
        response.on_hover_text(text);
    }
}

/// `Clamp`, or x's and y's where they differ.
pub(super) fn address_text([x, y]: [Address; 2]) -> String {
    if x == y { x.row().title.to_owned() } else { format!("{} × {}", x.row().title, y.row().title) }
}

fn address_menu(ui: &mut Ui, sampler: &mut Sampler) {
    let title = secondary(ui, address_text(sampler.address));
    let (response, _) = MenuButton::from_button(quiet(title)).ui(ui, |ui| {
        egui::Grid::new("address modes").num_columns(4).min_col_width(0.0).spacing([SPACE, SPACE]).show(ui, |ui| {
            for row in &ADDRESSES {
                let both = sampler.address == [row.address; 2];
                let names = super::inspect::names(row.address);
                if ui.selectable_label(both, row.title).on_hover_text(names).clicked() {
                    sampler.address = [row.address; 2];
                    ui.close();
                }
                for (axis, name) in ["x", "y"].into_iter().enumerate() {
                    let chosen = sampler.address[axis] == row.address;
                    let choice =
                        ui.selectable_label(chosen, name).on_hover_text(format!("{} along {name} only", row.title));
                    choice.widget_info(|| {
                        WidgetInfo::selected(Role::RadioButton, true, chosen, format!("{} along {name}", row.title))
                    });
                    if choice.clicked() {
                        sampler.address[axis] = row.address;
                    }
                }
                ui.label(RichText::new(row.picture).monospace().color(Palette::of_ui(ui).weak));
                ui.end_row();
            }
        });
    });
    let [x, y] = sampler.address.map(super::inspect::names);
    let elsewhere = if x == y { x } else { format!("Along x\n{x}\nAlong y\n{y}") };
    let keys = "Next: A, along x Shift+A, along y Ctrl+Shift+A";
    hint(response, &format!("Address mode: what lies beyond the edges\n{elsewhere}\n{keys}"));
}

fn prefilter_toggle(ui: &mut Ui, sampler: &mut Sampler) {
    let acts = sampler.method == Method::BSpline;
    let on = acts && sampler.prefilter;
    let palette = Palette::of_ui(ui);
    let text = RichText::new("Prefilter").size(12.0).color(if on { palette.strong } else { palette.weak });
    let toggle = Button::selectable(on, text);
    let help = "Turns samples into B-spline coefficients first, so that the curve passes through the samples  (P)";
    let response = ui.add_enabled(acts, toggle).on_hover_text(help).on_disabled_hover_text(
        "The prefilter is for the cubic B-spline alone: the other methods take samples as they are",
    );
    if response.clicked() {
        sampler.prefilter = !sampler.prefilter;
    }
}

/// What else can be done with a panel: another image, alone or among the others, gone.
fn panel_menu(ui: &mut Ui, session: &mut Session, index: usize, asked: &mut Vec<Command>) {
    let title = secondary(ui, "⋯");
    let (response, _) = MenuButton::from_button(quiet(title)).ui(ui, |ui| {
        ui.set_min_width(150.0);
        let shown = session.panels()[index].image_index();
        let names: Vec<String> = session.images().iter().map(|image| image.name().to_owned()).collect();
        if names.len() > 1 {
            ui.label(secondary(ui, "Image of this panel alone"));
            for (place, name) in names.into_iter().enumerate() {
                if ui.selectable_label(place == shown, name).clicked() {
                    session.show_image_in(index, place);
                    ui.close();
                }
            }
            ui.separator();
        }
        let (pages, page) = (session.image_of(index).pages().len(), session.panels()[index].page_index());
        if pages > 1 {
            let mut number = page + 1;
            let field =
                egui::DragValue::new(&mut number).range(1..=pages).prefix("Page ").suffix(format!(" of {pages}"));
            if ui.add(field).on_hover_text("The page that this panel alone shows").changed() {
                session.show_page_in(index, number - 1);
            }
            ui.separator();
        }
        for command in [Command::Maximise, Command::AddPanel, Command::ClosePanel] {
            let Some(row) = command.row() else {
                continue;
            };
            let item = Button::selectable(is_chosen(session, command), row.title).shortcut_text(command.key_text());
            if ui.add_enabled(is_possible(session, command), item).on_hover_text(row.help).clicked() {
                session.focus(index);
                asked.push(command);
                ui.close();
            }
        }
    });
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Panel {} menu", index + 1)));
    hint(response, "This panel: its image, alone, closed");
}

fn path_menu(ui: &mut Ui, session: &Session, index: usize, sampler: &mut Sampler) {
    let title = secondary(ui, sampler.path.row().name);
    let (response, _) = MenuButton::from_button(quiet(title)).ui(ui, |ui| {
        for row in &PATHS {
            let refusal = session.refusal(index, Sampler { path: row.path, ..*sampler });
            let choice = ui
                .add_enabled(refusal.is_none(), Button::selectable(row.path == sampler.path, row.name))
                .on_hover_text(row.help)
                .on_disabled_hover_text(refusal.map(|error| error.to_string()).unwrap_or_default());
            if choice.clicked() {
                sampler.path = row.path;
                ui.close();
            }
        }
    });
    hint(response, &format!("Sampling path: {}\nTexture unit or exact: T", sampler.path.row().help));
}
