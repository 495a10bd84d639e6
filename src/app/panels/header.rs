//! Header of a panel: the method as its title, then the controls of the other sampler properties. In a narrow header the
//! controls move into the panel's menu, the least important first.

use egui::containers::menu::MenuButton;
use egui::{Button, Response, RichText, Role, Ui, WidgetInfo};

use super::{fallback_mark, filter_mark, method_values};
use crate::app::commands::menu::menu_state;
use crate::app::commands::{Command, Keymap};
use crate::app::session::address_names::library_names;
use crate::app::session::{Session, SetMethod as _};
use crate::app::widgets::fit::{button_width, count_that_fit, first_that_fits, text_width};
use crate::app::widgets::theme::{Palette, SPACE};
use crate::arguments::address_titles;
use crate::backend::{BackendError, RequestError};
use crate::sampling::{ADDRESS_MODES, METHODS, Method, SAMPLING_PATHS, Sampler};

/// Height in points.
pub(in crate::app) const HEIGHT: f32 = 30.0;

/// Text sizes in points: the name, the controls beside it, and the menu arrow.
const NAME: f32 = 13.0;
const SECONDARY: f32 = 12.0;
const CHEVRON: f32 = 11.0;

/// Controls beside the method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Control {
    AddressMode,
    Prefilter,
    SamplingPath,
}

impl Control {
    /// Order from left to right.
    const IN_ORDER: [Self; 3] = [Self::AddressMode, Self::Prefilter, Self::SamplingPath];

    /// Order of importance. A prefilter without effect comes last.
    fn by_importance(method: Method) -> [Self; 3] {
        if method.kernel().prefilter.is_some() {
            [Self::AddressMode, Self::Prefilter, Self::SamplingPath]
        } else {
            [Self::AddressMode, Self::SamplingPath, Self::Prefilter]
        }
    }

    /// Title of the property.
    fn title(self) -> &'static str {
        match self {
            Self::AddressMode => "Address mode",
            Self::Prefilter => PREFILTER,
            Self::SamplingPath => "Sampling path",
        }
    }

    /// Its value in words.
    fn value(self, sampler: &Sampler) -> String {
        match self {
            Self::AddressMode => address_titles(sampler.address),
            Self::Prefilter => if sampler.uses_coefficients() { "on" } else { "off" }.to_owned(),
            Self::SamplingPath => sampler.path.row().name.to_owned(),
        }
    }

    /// Whether the value differs from that of a new panel.
    fn is_set(self, sampler: &Sampler) -> bool {
        self.value(sampler) != self.value(&Sampler::default().with_method(sampler.method))
    }

    /// Width in the header.
    fn width(self, ui: &Ui, sampler: &Sampler) -> f32 {
        match self {
            Self::Prefilter => button_width(ui, PREFILTER, SECONDARY),
            _ => button_width(ui, &self.value(sampler), SECONDARY),
        }
    }
}

const PREFILTER: &str = "Prefilter";
const MENU: &str = "⋯";

/// Layout of a header of a given width.
struct Fit {
    /// The longest name of the method that fits.
    name: String,
    /// Whether the menu arrow is shown behind the name.
    has_chevron: bool,
    /// Whether the panel's menu has its own button. Otherwise its items are in the method's menu.
    has_menu: bool,
    /// Controls that moved into the panel's menu.
    folded: Vec<Control>,
}

/// Names of a method, the longest first: title with alias, title, command-line name.
pub(in crate::app) fn names(method: Method) -> [String; 3] {
    let title = method.title();
    let without_alias = title.split(" (").next().unwrap_or(&title).to_owned();
    [title.into_owned(), without_alias, method.label().into_owned()]
}

impl Fit {
    /// The layout for `room` points.
    fn new(ui: &Ui, sampler: &Sampler, room: f32) -> Self {
        let names = names(sampler.method);
        let beside = |[has_chevron, has_menu]: [bool; 2]| {
            let chevron = if has_chevron { SPACE + text_width(ui, "▾", CHEVRON) } else { 0.0 };
            let menu = if has_menu { SPACE + button_width(ui, MENU, SECONDARY) } else { 0.0 };
            chevron + menu
        };
        let with_menu = names.iter().flat_map(|name| [(name.as_str(), [true, true]), (name, [false, true])]);
        let alone = names.iter().map(|name| (name.as_str(), [false, false]));
        let forms: Vec<(&str, [bool; 2])> = with_menu.chain(alone).collect();
        let widths: Vec<f32> = forms.iter().map(|(name, has)| button_width(ui, name, NAME) + beside(*has)).collect();
        let chosen = first_that_fits(room, &widths);
        let (name, [has_chevron, has_menu]) = forms[chosen];
        let controls = Control::by_importance(sampler.method);
        let wide = controls.map(|control| SPACE + control.width(ui, sampler));
        let count = if has_menu { count_that_fit(room - widths[chosen], &wide, 0.0) } else { 0 };
        let is_folded = |control: &Control| controls[count..].contains(control);
        let folded = Control::IN_ORDER.into_iter().filter(is_folded).collect();
        Self { name: name.to_owned(), has_chevron, has_menu, folded }
    }
}

/// Draws the header of panel `index` into `ui`, with a mark where a device failed to render the panel. Commands are pushed
/// onto `asked`.
pub(in crate::app) fn show(
    ui: &mut Ui,
    session: &mut Session,
    index: usize,
    failure: Option<&BackendError>,
    asked: &mut Vec<Command>,
) {
    let before = session.panels()[index].sampler;
    let mut sampler = before;
    method_values::take_file(ui, session.panels()[index].id(), &mut sampler);
    ui.spacing_mut().item_spacing.x = SPACE;
    let mark = filter_mark::width(ui, &session.panels()[index]).map_or(0.0, |width| width + SPACE);
    let fallback = failure.map_or(0.0, |_| fallback_mark::width(ui) + SPACE);
    let room = (ui.available_width() - mark - fallback).max(0.0);
    let fit = Fit::new(ui, &sampler, room);
    ui.scope(|ui| {
        ui.set_max_width(room);
        method_menu(ui, (session, index), &mut sampler, &fit, asked);
    });
    if let Some(failure) = failure {
        fallback_mark::show(ui, failure, index + 1);
    }
    if filter_mark::show(ui, &session.panels()[index], index + 1) {
        session.focus(index);
        asked.push(Command::ToggleFilters);
    }
    if fit.has_menu {
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            panel_menu(ui, (session, index), &mut sampler, &fit.folded, asked);
            for control in Control::IN_ORDER.into_iter().rev().filter(|control| !fit.folded.contains(control)) {
                match control {
                    Control::AddressMode => address_menu(ui, &mut sampler),
                    Control::Prefilter => prefilter_toggle(ui, &mut sampler),
                    Control::SamplingPath => path_menu(ui, session, index, &mut sampler),
                }
            }
        });
    }
    if sampler != before {
        session.focus(index);
        session.focused_panel().sampler = sampler;
    }
}

/// A button whose frame is shown on hover only.
fn quiet(text: impl Into<RichText>) -> Button<'static> {
    Button::new(text.into()).frame_when_inactive(false)
}

fn secondary(ui: &Ui, text: impl Into<String>) -> RichText {
    RichText::new(text).size(SECONDARY).color(Palette::of_ui(ui).weak)
}

fn method_menu(
    ui: &mut Ui,
    (session, index): (&mut Session, usize),
    sampler: &mut Sampler,
    fit: &Fit,
    asked: &mut Vec<Command>,
) {
    let title = sampler.method.title();
    let palette = Palette::of_ui(ui);
    let name = RichText::new(&fit.name).size(NAME).color(palette.strong);
    let chevron = RichText::new("▾").size(CHEVRON).color(palette.weak);
    let button = if fit.has_chevron { Button::new((name, chevron)).gap(SPACE) } else { Button::new(name) };
    let (response, _) = MenuButton::from_button(button.truncate().frame_when_inactive(false)).ui(ui, |ui| {
        for row in &METHODS {
            let mut changed = *sampler;
            changed.set_method(row.method);
            // Other errors concern all methods alike and disable none.
            let refusal = session.refusal(index, changed).filter(|error| matches!(error, RequestError::Stretch { .. }));
            let choice = ui
                .add_enabled(refusal.is_none(), Button::selectable(row.method == sampler.method, row.title))
                .on_hover_text(row.help)
                .on_disabled_hover_text(refusal.map(|error| error.to_string()).unwrap_or_default());
            if choice.clicked() {
                sampler.set_method(row.method);
                ui.close();
            }
        }
        method_values::show(ui, session.panels()[index].id(), sampler);
        if !fit.has_menu {
            ui.separator();
            panel_items(ui, (session, index), sampler, &fit.folded, asked);
        }
    });
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, title.clone()));
    let mut text = format!("{title}: {}", sampler.method.help());
    if !fit.has_menu {
        text.push_str(&values(&fit.folded, sampler));
    }
    hint(response, &format!("{text}\nNext and previous: K, Shift+K"));
}

/// Values of `controls`, one line each.
fn values(controls: &[Control], sampler: &Sampler) -> String {
    controls.iter().map(|control| format!("\n{}: {}", control.title(), control.value(sampler))).collect()
}

fn hint(response: Response, text: &str) {
    if !egui::Popup::is_any_open(&response.ctx) {
        response.on_hover_text(text);
    }
}

fn address_menu(ui: &mut Ui, sampler: &mut Sampler) {
    let title = secondary(ui, address_titles(sampler.address));
    let (response, _) = MenuButton::from_button(quiet(title)).ui(ui, |ui| address_choices(ui, sampler));
    let [x, y] = sampler.address.map(library_names);
    let elsewhere = if x == y { x } else { format!("Along x\n{x}\nAlong y\n{y}") };
    let keys = "Next: A, along x Shift+A, along y Ctrl+Shift+A";
    hint(response, &format!("Address mode: what lies beyond the edges\n{elsewhere}\n{keys}"));
}

fn address_choices(ui: &mut Ui, sampler: &mut Sampler) {
    egui::Grid::new("address modes").num_columns(4).min_col_width(0.0).spacing([SPACE, SPACE]).show(ui, |ui| {
        for row in &ADDRESS_MODES {
            let both = sampler.address == [row.address; 2];
            let names = library_names(row.address);
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
}

fn prefilter_toggle(ui: &mut Ui, sampler: &mut Sampler) {
    let acts = sampler.method.kernel().prefilter.is_some();
    let on = acts && sampler.prefilter;
    let palette = Palette::of_ui(ui);
    let text = RichText::new(PREFILTER).size(SECONDARY).color(if on { palette.strong } else { palette.weak });
    let toggle = Button::selectable(on, text);
    let help = "Turns samples into coefficients first, so that the curve passes through the samples  (P)";
    let response = ui.add_enabled(acts, toggle).on_hover_text(help).on_disabled_hover_text(
        "The prefilter is for B-splines from degree 2 on and for O-MOMS: the other methods take samples as they are",
    );
    if response.clicked() {
        sampler.prefilter = !sampler.prefilter;
    }
}

/// Draws the button and the menu of the panel.
fn panel_menu(
    ui: &mut Ui,
    (session, index): (&mut Session, usize),
    sampler: &mut Sampler,
    folded: &[Control],
    asked: &mut Vec<Command>,
) {
    let palette = Palette::of_ui(ui);
    let is_set = folded.iter().any(|control| control.is_set(sampler));
    let title = secondary(ui, MENU).color(if is_set { palette.accent } else { palette.weak });
    let (response, _) = MenuButton::from_button(quiet(title)).ui(ui, |ui| {
        panel_items(ui, (session, index), sampler, folded, asked);
    });
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Panel {} menu", index + 1)));
    hint(response, &format!("This panel: its image, alone, closed{}", values(folded, sampler)));
}

/// Draws the items of the panel's menu: the folded controls, images and pages, then commands.
fn panel_items(
    ui: &mut Ui,
    (session, index): (&mut Session, usize),
    sampler: &mut Sampler,
    folded: &[Control],
    asked: &mut Vec<Command>,
) {
    ui.set_min_width(150.0);
    for control in folded {
        let title = format!("{}: {}", control.title(), control.value(sampler));
        match control {
            Control::AddressMode => {
                ui.menu_button(title, |ui| address_choices(ui, sampler));
            }
            Control::Prefilter => prefilter_toggle(ui, sampler),
            Control::SamplingPath => {
                ui.menu_button(title, |ui| path_choices(ui, session, index, sampler));
            }
        }
    }
    if !folded.is_empty() {
        ui.separator();
    }
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
        let field = egui::DragValue::new(&mut number).range(1..=pages).prefix("Page ").suffix(format!(" of {pages}"));
        if ui.add(field).on_hover_text("The page that this panel alone shows").changed() {
            session.show_page_in(index, number - 1);
        }
        ui.separator();
    }
    if let Some(command) = command_items(ui, session, &[Command::Maximise, Command::AddPanel, Command::ClosePanel]) {
        session.focus(index);
        asked.push(command);
    }
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
        let item = Button::selectable(state.is_chosen, row.title).shortcut_text(keys.key_text(command));
        if ui.add_enabled(state.is_possible, item).on_hover_text(row.help).clicked() {
            chosen = Some(command);
            ui.close();
        }
    }
    chosen
}

fn path_menu(ui: &mut Ui, session: &Session, index: usize, sampler: &mut Sampler) {
    let title = secondary(ui, sampler.path.row().name);
    let choices = |ui: &mut Ui| path_choices(ui, session, index, sampler);
    let (response, _) = MenuButton::from_button(quiet(title)).ui(ui, choices);
    hint(response, &format!("Sampling path: {}\nTexture unit or exact: T", sampler.path.row().help));
}

fn path_choices(ui: &mut Ui, session: &Session, index: usize, sampler: &mut Sampler) {
    for row in &SAMPLING_PATHS {
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
}
