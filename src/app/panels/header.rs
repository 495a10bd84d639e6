//! Header of a panel: dot, number, method, and a chip for each property that is not the usual one or tells the panel from the
//! others. The panel's menu has every property. A narrow header omits the last chips.

use egui::containers::menu::MenuButton;
use egui::{Button, Color32, Response, RichText, Role, Stroke, Ui, Vec2, WidgetInfo};

use super::{Headers, fallback_mark, filter_mark, method_values, quality_mark};
use crate::app::commands::menu::menu_state;
use crate::app::commands::notice::CommandNotice;
use crate::app::commands::{Command, Keymap};
use crate::app::inspect::quality::PanelQuality;
use crate::app::session::address_names::library_names;
use crate::app::session::{PanelChip, PanelMethod, PanelTrait, Session, SetMethod as _};
use crate::app::widgets::fit::{button_width, count_that_fit, first_that_fits, text_width};
use crate::app::widgets::panel_mark;
use crate::app::widgets::symbol::{Symbol, SymbolButton};
use crate::app::widgets::theme::{HIT_SIZE, Palette, SPACE, text_size};
use crate::arguments::address_titles;
use crate::backend::{BackendError, Content, RequestError};
use crate::sampling::{ADDRESS_MODES, METHODS, SAMPLING_PATHS, Sampler, SamplingPath};

/// Height in points.
pub(in crate::app) const HEIGHT: f32 = 30.0;

/// Text sizes in points: the name, captions of menus, and chips.
const NAME: f32 = 13.0;
/// Horizontal padding of buttons in headers, in points: the name stands near its number.
pub(super) const BUTTON_PADDING: f32 = 5.0;
const SECONDARY: f32 = 12.0;
const CHIP: f32 = 11.0;
/// Height of a chip, in points.
const CHIP_HEIGHT: f32 = 20.0;

/// Layout of a header of a given width.
struct Fit {
    /// The longest name of the method that fits.
    name: String,
    /// Whether the caret of the menu is shown behind the name.
    has_caret: bool,
    /// Whether the panel's menu has its own button. Otherwise its items are in the method's menu.
    has_menu: bool,
    /// Number of chips that fit.
    chips: usize,
}

impl Fit {
    /// The layout for `room` points.
    fn new(ui: &Ui, method: PanelMethod, (headers, chips): (Headers, &[PanelChip]), room: f32) -> Self {
        let [_, title, label] = method.names();
        let beside = |[has_caret, has_menu]: [bool; 2]| {
            let caret = if has_caret { text_size::ICON } else { 0.0 };
            let menu = if has_menu { SPACE + SymbolButton::width(ui) } else { 0.0 };
            caret + menu
        };
        let forms: &[(&String, [bool; 2])] = match headers {
            Headers::Controls => &[
                (&title, [true, true]),
                (&title, [false, true]),
                (&label, [true, true]),
                (&label, [false, true]),
                (&title, [false, false]),
                (&label, [false, false]),
            ],
            Headers::Names | Headers::Hidden => &[(&title, [false, false]), (&label, [false, false])],
        };
        let widths: Vec<f32> = forms.iter().map(|(name, has)| button_width(ui, name, NAME) + beside(*has)).collect();
        let chosen = first_that_fits(room, &widths);
        let (name, [has_caret, has_menu]) = forms[chosen];
        let wide: Vec<f32> = chips.iter().map(|chip| SPACE + button_width(ui, &chip.text, CHIP)).collect();
        let has_chips = has_menu || headers != Headers::Controls;
        let chips = if has_chips { count_that_fit(room - widths[chosen], &wide, 0.0) } else { 0 };
        Self { name: name.clone(), has_caret, has_menu, chips }
    }
}

impl Fit {
    /// Width of the shortest name and the button of the panel's menu.
    fn least_width(ui: &Ui, method: PanelMethod) -> f32 {
        let [_, _, label] = method.names();
        button_width(ui, &label, NAME) + SPACE + SymbolButton::width(ui)
    }
}

/// The panel of a header.
#[derive(Clone, Copy)]
pub(super) struct HeaderInput<'a> {
    /// Index of the panel.
    pub(super) index: usize,
    /// What its header has.
    pub(super) headers: Headers,
    /// Why a device failed to render it.
    pub(super) failure: Option<&'a BackendError>,
    /// Its quality, where it is measured.
    pub(super) quality: Option<&'a PanelQuality>,
}

/// Draws the header of a panel into `ui`, with a mark where a device failed to render the panel. Commands are pushed onto
/// `asked`.
pub(super) fn show(ui: &mut Ui, session: &mut Session, input: HeaderInput<'_>, asked: &mut Vec<Command>) {
    let HeaderInput { index, headers, failure, quality } = input;
    let before = session.panels()[index].sampler;
    let mut sampler = before;
    method_values::take_file(ui, session.panels()[index].id(), &mut sampler);
    ui.spacing_mut().item_spacing.x = SPACE;
    ui.spacing_mut().button_padding.x = BUTTON_PADDING;
    show_identity(ui, session, index);
    let mut chips = session.panel_chips(index);
    // The mark of the filters is their chip.
    chips.retain(|chip| chip.panel_trait != PanelTrait::Filters);
    let mark = filter_mark::width(ui, &session.panels()[index]).map_or(0.0, |width| width + SPACE);
    let fallback = failure.map_or(0.0, |_| fallback_mark::width(ui) + SPACE);
    // A header that has no room for a name and a figure has the name.
    let least = Fit::least_width(ui, session.panels()[index].method());
    let figure = quality_mark::width(ui, quality);
    let quality = quality.filter(|_| ui.available_width() - mark - fallback - figure >= least);
    let figure = if quality.is_some() { figure } else { 0.0 };
    let room = (ui.available_width() - mark - fallback - figure).max(0.0);
    let fit = Fit::new(ui, session.panels()[index].method(), (headers, &chips), room);
    ui.scope(|ui| {
        ui.set_max_width(room);
        method_menu(ui, (session, index), &mut sampler, &fit, asked);
    });
    for chip in &chips[..fit.chips] {
        ui.scope(|ui| show_chip(ui, (session, index), &mut sampler, chip));
    }
    if let Some(failure) = failure {
        fallback_mark::show(ui, failure, index + 1);
    }
    if filter_mark::show(ui, &session.panels()[index], index + 1) {
        session.focus(index);
        asked.push(Command::ToggleFilters);
    }
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        if fit.has_menu {
            panel_menu(ui, (session, index), &mut sampler, asked);
        }
        if let Some(quality) = quality {
            quality_mark::show(ui, (session, index), quality);
        }
    });
    if sampler != before {
        session.focus(index);
        let panel = session.focused_panel();
        if sampler.method != before.method {
            panel.content = Content::Interpolation;
        }
        panel.sampler = sampler;
    }
}

/// Draws the dot and the number of panel `index`, or only the dot, or nothing, so that the shortest name of the method fits.
fn show_identity(ui: &mut Ui, session: &Session, index: usize) {
    let [_, _, label] = session.panels()[index].method().names();
    let number = (index + 1).to_string();
    let rest = ui.available_width() - button_width(ui, &label, NAME);
    let dot = panel_mark::DOT_WIDTH + 2.5 * SPACE;
    if rest < dot {
        return;
    }
    ui.add_space(SPACE);
    panel_mark::dot(ui, index).on_hover_text(session.panel_name(index).numbered());
    if rest >= dot + text_width(ui, &number, NAME) + SPACE {
        ui.add_space(0.5 * SPACE);
        ui.label(RichText::new(number).size(NAME).color(Palette::of_ui(ui).weak));
    }
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
    let method = session.panels()[index].method();
    let [title, ..] = method.names();
    let palette = Palette::of_ui(ui);
    let name = RichText::new(&fit.name).size(NAME).color(palette.text);
    let caret = Symbol::Down.atom(Some(palette.weak));
    let button = if fit.has_caret { Button::new((name, caret)).gap(0.0) } else { Button::new(name) };
    let (response, _) = MenuButton::from_button(button.truncate().frame_when_inactive(false)).ui(ui, |ui| {
        for row in &METHODS {
            let mut changed = *sampler;
            changed.set_method(row.method);
            // Other errors concern all methods alike and disable none.
            let refusal = session.refusal(index, changed).filter(|error| matches!(error, RequestError::Stretch { .. }));
            let choice = ui
                .add_enabled(
                    refusal.is_none(),
                    Button::selectable(method == PanelMethod::Method(row.method), row.title),
                )
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
        if !fit.has_menu {
            ui.separator();
            panel_items(ui, (session, index), sampler, asked);
        }
    });
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, title.clone()));
    let text = format!("{title}: {}", method.help());
    hint(response, &format!("{text}{}\nNext and previous: K, Shift+K", hidden(session, index, fit)));
}

/// Draws the item of the truth in the menu of methods.
fn truth_item(ui: &mut Ui, session: &mut Session, index: usize) {
    let (row, obstacle) = (Content::Truth.row(), session.no_truth(index));
    let is_chosen = session.panels()[index].content == Content::Truth;
    let key = Keymap::in_force(ui).key_text(Command::ToggleTruth);
    let item = Button::selectable(is_chosen, row.title).shortcut_text(key);
    let why = obstacle.map(|why| CommandNotice::from(why).to_string()).unwrap_or_default();
    let choice = ui.add_enabled(obstacle.is_none(), item).on_hover_text(row.help).on_disabled_hover_text(why);
    if choice.clicked() {
        session.focus(index);
        session.set_content(index, Content::Truth);
        ui.close();
    }
}

/// The chips that do not fit, one line each.
fn hidden(session: &Session, index: usize, fit: &Fit) -> String {
    let chips = session.panel_chips(index).into_iter().filter(|chip| chip.panel_trait != PanelTrait::Filters);
    let line = |chip: PanelChip| format!("\n{}: {}", chip.panel_trait.row().title, chip.text);
    chips.skip(fit.chips).map(line).collect()
}

/// Draws a chip: what its panel has that is not usual. A click on a switch turns it; the others are menus of their choices.
fn show_chip(ui: &mut Ui, (session, index): (&mut Session, usize), sampler: &mut Sampler, chip: &PanelChip) {
    let palette = Palette::of_ui(ui);
    // What all panels have in common is said quietly.
    let (fill, colour) =
        if chip.is_common { (Color32::TRANSPARENT, palette.weak) } else { (palette.control, palette.text) };
    // A chip is lower than the header.
    ui.spacing_mut().interact_size.y = CHIP_HEIGHT;
    ui.spacing_mut().button_padding.y = 0.0;
    let text = RichText::new(&chip.text).size(CHIP).color(colour);
    let button = Button::new(text).fill(fill).stroke(Stroke::NONE).corner_radius(5);
    match chip.panel_trait {
        PanelTrait::AddressMode => {
            let (response, _) = MenuButton::from_button(button).ui(ui, |ui| address_choices(ui, session, sampler));
            let [x, y] = sampler.address.map(library_names);
            let elsewhere = if x == y { x } else { format!("Along x\n{x}\nAlong y\n{y}") };
            let keys = "Next: A, along x Shift+A, along y Ctrl+Shift+A";
            hint(response, &format!("Address mode: what lies beyond the edges\n{elsewhere}\n{keys}"));
        }
        PanelTrait::Prefilter => {
            if ui.add(button).on_hover_text(format!("{PREFILTER_HELP}\nClick to switch it  (P)")).clicked() {
                sampler.prefilter = !sampler.prefilter;
            }
        }
        PanelTrait::SamplingPath => {
            let choices = |ui: &mut Ui| path_choices(ui, session, index, sampler);
            let (response, _) = MenuButton::from_button(button).ui(ui, choices);
            hint(response, &format!("Sampling path: {}\nTexture unit or exact: T", sampler.path.row().help));
        }
        PanelTrait::Antialias => {
            if ui.add(button).on_hover_text(format!("{ANTIALIAS_HELP}\nClick to switch it")).clicked() {
                sampler.antialias = !sampler.antialias;
            }
        }
        PanelTrait::Image => {
            let (response, _) = MenuButton::from_button(button).ui(ui, |ui| image_choices(ui, session, index));
            hint(response, "The image that this panel alone shows");
        }
        // Their mark has a button of its own.
        PanelTrait::Filters => {}
    }
}

/// Tooltips of the switches.
const PREFILTER_HELP: &str =
    "Prefilter: samples become coefficients first, so that the curve passes through the samples";
const ANTIALIAS_HELP: &str = "Antialias: the kernel widens where the view is reduced, against moiré and broken lines";

fn hint(response: Response, text: &str) {
    if !egui::Popup::is_any_open(&response.ctx) {
        response.on_hover_text(text);
    }
}

/// Draws the address modes. A choice of one, also of the present one, ends the dimming of what lies outside.
fn address_choices(ui: &mut Ui, session: &mut Session, sampler: &mut Sampler) {
    egui::Grid::new("address modes").num_columns(4).min_col_width(0.0).spacing([SPACE, SPACE]).show(ui, |ui| {
        for row in &ADDRESS_MODES {
            let both = sampler.address == [row.address; 2];
            let names = library_names(row.address);
            if ui.selectable_label(both, row.title).on_hover_text(names).clicked() {
                sampler.address = [row.address; 2];
                session.touch_address();
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
                    session.touch_address();
                }
            }
            ui.label(RichText::new(row.picture).monospace().color(Palette::of_ui(ui).weak));
            ui.end_row();
        }
    });
}

/// Draws the switch of the prefilter in a menu.
fn prefilter_item(ui: &mut Ui, sampler: &mut Sampler) {
    let acts = sampler.method.kernel().prefilter.is_some();
    let item = Button::selectable(acts && sampler.prefilter, PanelTrait::Prefilter.row().title).shortcut_text("P");
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
    let has_path = sampler.path != SamplingPath::Filtered;
    let item = Button::selectable(has_path && sampler.antialias, PanelTrait::Antialias.row().title);
    let response = ui
        .add_enabled(has_path, item)
        .on_hover_text(ANTIALIAS_HELP)
        .on_disabled_hover_text("The texture unit does not widen kernels: choose another sampling path");
    if response.clicked() {
        sampler.antialias = !sampler.antialias;
    }
}

/// Draws the button and the menu of the panel.
fn panel_menu(ui: &mut Ui, (session, index): (&mut Session, usize), sampler: &mut Sampler, asked: &mut Vec<Command>) {
    let button = Button::new(Symbol::More.atom(Some(Palette::of_ui(ui).weak))).frame_when_inactive(false);
    let (response, _) = MenuButton::from_button(button.min_size(Vec2::splat(HIT_SIZE))).ui(ui, |ui| {
        panel_items(ui, (session, index), sampler, asked);
    });
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Panel {} menu", index + 1)));
    hint(response, "This panel: address mode, prefilter, sampling path, image, alone, closed");
}

/// Draws the items of the panel's menu: the properties, images and pages, then commands.
fn panel_items(ui: &mut Ui, (session, index): (&mut Session, usize), sampler: &mut Sampler, asked: &mut Vec<Command>) {
    ui.set_min_width(190.0);
    // The truth has none of them.
    if session.panels()[index].content == Content::Interpolation {
        ui.menu_button(format!("Address mode: {}", address_titles(sampler.address)), |ui| {
            address_choices(ui, session, sampler);
        });
        ui.menu_button(format!("Sampling path: {}", sampler.path), |ui| path_choices(ui, session, index, sampler));
        prefilter_item(ui, sampler);
    }
    antialias_item(ui, sampler);
    ui.separator();
    if image_choices(ui, session, index) {
        ui.separator();
    }
    if let Some(command) = command_items(ui, session, &[Command::Maximise, Command::AddPanel, Command::ClosePanel]) {
        session.focus(index);
        asked.push(command);
    }
}

/// Draws the images and the pages that panel `index` alone may show. Returns whether there is a choice.
fn image_choices(ui: &mut Ui, session: &mut Session, index: usize) -> bool {
    let shown = session.image_index_of(index);
    let names: Vec<String> = session.images().iter().map(|image| image.name().to_owned()).collect();
    let has_images = names.len() > 1;
    if has_images {
        ui.label(secondary(ui, "Image of this panel alone"));
        for (place, name) in names.into_iter().enumerate() {
            if ui.selectable_label(place == shown, name).clicked() {
                session.show_image_in(index, place);
                ui.close();
            }
        }
    }
    let (pages, page) = (session.image_of(index).pages().len(), session.panels()[index].page_index());
    if pages > 1 {
        let mut number = page + 1;
        let field = egui::DragValue::new(&mut number).range(1..=pages).prefix("Page ").suffix(format!(" of {pages}"));
        if ui.add(field).on_hover_text("The page that this panel alone shows").changed() {
            session.show_page_in(index, number - 1);
        }
    }
    has_images || pages > 1
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
