//! Header of a panel: dot, number, method, and a chip for each property that is not the usual one or tells the panel from the
//! others. The panel's menu has every property. A narrow header omits the last chips.

use egui::containers::menu::MenuButton;
use egui::{Button, Response, RichText, Role, Sense, Stroke, Ui, Vec2, WidgetInfo, vec2};

use super::{Headers, fallback_mark, filter_mark, method_values, quality_mark};
use crate::app::bars::menus::command_items;
use crate::app::commands::notice::CommandNotice;
use crate::app::commands::{Command, Keymap};
use crate::app::inspect::quality::PanelQuality;
use crate::app::session::address_names::library_names;
use crate::app::session::{PanelChip, PanelMethod, PanelTrait, Session, SetMethod as _};
use crate::app::widgets::fit::{count_that_fit, first_that_fits};
use crate::app::widgets::line_text::{LaidOutText, LineText};
use crate::app::widgets::panel_mark;
use crate::app::widgets::symbol::{CARET_WIDTH, Symbol, SymbolButton};
use crate::app::widgets::theme::{HIT_SIZE, Palette, SMALL_RADIUS, SPACE, text_size};
use crate::arguments::address_titles;
use crate::backend::{BackendError, Content, RequestError};
use crate::complex::COMPONENTS;
use crate::resize::PIXEL_CENTRES;
use crate::sampling::{ADDRESS_MODES, METHODS, SAMPLING_PATHS, Sampler};
use crate::volume::{MAIN_PLANES, Orientation, Plane};
use crate::warp::Warp;

/// Height in points.
pub(in crate::app) const HEIGHT: f32 = 30.0;

/// Text size of captions of menus, in points.
const SECONDARY: f32 = 12.0;
/// Horizontal padding of buttons in headers, in points: the name stands near its number.
pub(super) const BUTTON_PADDING: f32 = SPACE;
/// Gaps in points: between the dot and the number, between the number and the name's button, and between the name and its caret.
pub(super) const NUMBER_GAP: f32 = SPACE;
pub(super) const NAME_GAP: f32 = 0.5 * SPACE;
pub(super) const CARET_GAP: f32 = 0.5 * SPACE;
/// Opacity of the text's colour in the fill of a chip.
const CHIP_FILL: f32 = 0.09;
/// Height of a chip, in points.
const CHIP_HEIGHT: f32 = 20.0;
/// Horizontal padding of a chip, in points.
const CHIP_PADDING: f32 = 1.5 * SPACE;
/// Distance of the dot from the start of the header, in points: as far as the icon at its end.
pub(super) const DOT_INSET: f32 = 0.5 * SPACE;

/// The text of a chip.
fn chip_text(chip: &PanelChip) -> LineText<'_> {
    LineText::regular(&chip.text, text_size::UNIT)
}

/// What stands beside a name in a header. A narrower header lacks the panel's menu first, then the caret: with two buttons the
/// caret tells them apart, with one there is nothing else to click.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BesideName {
    /// The caret of the menu of methods, and the button of the panel's menu.
    CaretAndMenu,
    /// The caret. The items of the panel's menu are in the menu of methods.
    Caret,
    /// Nothing: the name is the button of one menu with all items.
    Nothing,
}

impl BesideName {
    /// Width in points.
    fn width(self, ui: &Ui) -> f32 {
        let caret = CARET_GAP + CARET_WIDTH;
        match self {
            Self::CaretAndMenu => caret + SymbolButton::width(ui),
            Self::Caret => caret,
            Self::Nothing => 0.0,
        }
    }
}

/// Layout of a header of a given width.
struct Fit {
    /// The longest name of the method that fits; the shortest one with an ellipsis if none does.
    name: LaidOutText,
    /// What is beside it.
    beside: BesideName,
    /// Number of chips that fit.
    chips: usize,
}

impl Fit {
    /// The layout for `room` points.
    fn new(ui: &Ui, method: PanelMethod, (headers, chips): (Headers, &[PanelChip]), room: f32) -> Self {
        use BesideName::{Caret, CaretAndMenu, Nothing};
        let [_, title, label] = method.names();
        let forms: &[(&String, BesideName)] = match headers {
            Headers::Controls => {
                &[(&title, CaretAndMenu), (&label, CaretAndMenu), (&title, Caret), (&label, Caret), (&label, Nothing)]
            }
            Headers::Names | Headers::Hidden => &[(&title, Nothing), (&label, Nothing)],
        };
        let widths: Vec<f32> = forms.iter().map(|(name, beside)| name_width(ui, name) + beside.width(ui)).collect();
        let chosen = first_that_fits(room, &widths);
        let (name, beside) = forms[chosen];
        let wide: Vec<f32> = chips.iter().map(|chip| SPACE + chip_width(ui, chip)).collect();
        let has_chips = beside == CaretAndMenu || headers != Headers::Controls;
        let chips = if has_chips { count_that_fit(room - widths[chosen], &wide, 0.0) } else { 0 };
        let name = LineText::medium(name).within(ui.painter(), room - beside.width(ui) - 2.0 * BUTTON_PADDING);
        Self { name, beside, chips }
    }

    /// Width of the shortest name, its caret and the button of the panel's menu.
    fn least_width(ui: &Ui, method: PanelMethod) -> f32 {
        let [_, _, label] = method.names();
        name_width(ui, &label) + BesideName::CaretAndMenu.width(ui)
    }
}

/// Width of the button of a name without a caret, in points.
fn name_width(ui: &Ui, name: &str) -> f32 {
    LineText::medium(name).width(ui.painter()) + 2.0 * BUTTON_PADDING
}

/// Width of a chip, in points.
fn chip_width(ui: &Ui, chip: &PanelChip) -> f32 {
    chip_text(chip).width(ui.painter()) + 2.0 * CHIP_PADDING
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
    // Each part has its own gap.
    ui.spacing_mut().item_spacing.x = 0.0;
    ui.spacing_mut().button_padding.x = BUTTON_PADDING;
    show_identity(ui, session, index);
    let chips = chips_of(session, index);
    let fallback = failure.map_or(0.0, |_| fallback_mark::width(ui) + SPACE);
    let least = Fit::least_width(ui, session.panels()[index].method());
    // A lesson speaks of the filters by name, and of the figure.
    let figure = quality_mark::width(ui, quality);
    let room = if session.is_of_lesson() { ui.available_width() - fallback - least - figure - SPACE } else { 0.0 };
    let mark_text = filter_mark::text(ui, &session.panels()[index], room);
    let mark = mark_text.as_ref().map_or(0.0, |text| filter_mark::width(ui, text) + SPACE);
    // A header that has no room for a name and a figure has the name.
    let quality = quality.filter(|_| ui.available_width() - mark - fallback - figure >= least);
    let figure = if quality.is_some() { figure } else { 0.0 };
    let room = (ui.available_width() - mark - fallback - figure).max(0.0);
    let fit = Fit::new(ui, session.panels()[index].method(), (headers, &chips), room);
    method_menu(ui, (session, index), &mut sampler, &fit, asked);
    for chip in &chips[..fit.chips] {
        ui.add_space(SPACE);
        ui.scope(|ui| show_chip(ui, (session, index), &mut sampler, chip));
    }
    if let Some(failure) = failure {
        ui.add_space(SPACE);
        fallback_mark::show(ui, failure, index + 1);
    }
    if let Some(text) = mark_text {
        ui.add_space(SPACE);
        if filter_mark::show(ui, &session.panels()[index], (index + 1, &text)) {
            session.focus(index);
            asked.push(Command::ToggleFilters);
        }
    }
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        if fit.beside == BesideName::CaretAndMenu {
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
    let number = LineText::regular(&number, text_size::BODY);
    let rest = ui.available_width() - name_width(ui, &label);
    let dot = DOT_INSET + panel_mark::DOT_WIDTH + NAME_GAP;
    if rest < dot {
        return;
    }
    ui.add_space(DOT_INSET);
    panel_mark::dot(ui, index).on_hover_text(session.panel_name(index).numbered());
    if rest >= dot + NUMBER_GAP + number.width(ui.painter()) {
        ui.add_space(NUMBER_GAP);
        number.label(ui, Palette::of_ui(ui).weak);
    }
    ui.add_space(NAME_GAP);
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
        if fit.beside != BesideName::CaretAndMenu {
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

/// The chips of a header. Filters have a mark of their own.
fn chips_of(session: &Session, index: usize) -> Vec<PanelChip> {
    let is_shown = |chip: &PanelChip| chip.panel_trait != PanelTrait::Filters;
    let mut chips: Vec<PanelChip> = session.panel_chips(index).into_iter().filter(is_shown).collect();
    // Of a narrow header, what tells this panel from the others remains.
    chips.sort_by_key(|chip| !session.tells(index, chip.panel_trait));
    chips
}

/// The chips that do not fit, one line each.
fn hidden(session: &Session, index: usize, fit: &Fit) -> String {
    let chips = chips_of(session, index).into_iter();
    let line = |chip: PanelChip| format!("\n{}: {}", chip.panel_trait.row().title, chip.text);
    chips.skip(fit.chips).map(line).collect()
}

/// Draws a chip: what its panel has that is not usual. A click on a switch turns it; the others are menus of their choices.
fn show_chip(ui: &mut Ui, (session, index): (&mut Session, usize), sampler: &mut Sampler, chip: &PanelChip) {
    let palette = Palette::of_ui(ui);
    // A chip is lower than the header.
    ui.spacing_mut().interact_size.y = CHIP_HEIGHT;
    ui.spacing_mut().button_padding = vec2(CHIP_PADDING, 0.0);
    let text = chip_text(chip).within(ui.painter(), f32::INFINITY).atom(palette.text);
    // It is seen over the tint of a focused header, too.
    let fill = palette.text.gamma_multiply(CHIP_FILL);
    let button = Button::new(text).fill(fill).stroke(Stroke::NONE).corner_radius(SMALL_RADIUS);
    let named = |response: Response| {
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &chip.text));
        response
    };
    match chip.panel_trait {
        PanelTrait::AddressMode => {
            let (response, _) = MenuButton::from_button(button).ui(ui, |ui| address_choices(ui, session, sampler));
            let response = named(response);
            let [x, y] = sampler.address.map(library_names);
            let elsewhere = if x == y { x } else { format!("Along x\n{x}\nAlong y\n{y}") };
            let keys = "Next: A, along x Shift+A, along y Ctrl+Shift+A";
            hint(response, &format!("Address mode: what lies beyond the edges\n{elsewhere}\n{keys}"));
        }
        PanelTrait::Prefilter => {
            let response = named(ui.add(button));
            if response.on_hover_text(format!("{PREFILTER_HELP}\nClick to switch it  (P)")).clicked() {
                sampler.prefilter = !sampler.prefilter;
            }
        }
        PanelTrait::SamplingPath => {
            let choices = |ui: &mut Ui| path_choices(ui, session, index, sampler);
            let (response, _) = MenuButton::from_button(button).ui(ui, choices);
            hint(named(response), &format!("Sampling path: {}\nTexture unit or exact: T", sampler.path.row().help));
        }
        PanelTrait::Antialias => {
            let response = named(ui.add(button));
            if response.on_hover_text(format!("{ANTIALIAS_HELP}\nClick to switch it")).clicked() {
                sampler.antialias = !sampler.antialias;
            }
        }
        PanelTrait::Antiringing => {
            let help = "Draws values into the range of their samples: no overshoot at 1\nClick to switch it";
            if ui.add(button).on_hover_text(help).clicked() {
                sampler.antiringing = if sampler.is_antiringed() { 0.0 } else { 1.0 };
            }
        }
        PanelTrait::Warp => {
            let help = format!("Warp: {}\nClick to take it away from this panel", session.panels()[index].warp);
            if named(ui.add(button)).on_hover_text(help).clicked()
                && let Some(panel) = session.panel_mut(index)
            {
                panel.warp = Warp::None;
            }
        }
        PanelTrait::Plane => {
            let (response, _) = MenuButton::from_button(button).ui(ui, |ui| plane_choices(ui, session, index));
            hint(named(response), "Plane of the volume; Alt+wheel over the picture moves it");
        }
        PanelTrait::Component => {
            let (response, _) = MenuButton::from_button(button).ui(ui, |ui| component_choices(ui, session, index));
            hint(named(response), "What of complex numbers is shown");
        }
        PanelTrait::PixelCentres => {
            let rows = PIXEL_CENTRES.iter().map(|row| format!("{}: {}", row.name, row.help)).collect::<Vec<_>>();
            let help = format!("Pixel centres of a resize\n{}", rows.join("\n"));
            named(ui.add(button.sense(Sense::hover()))).on_hover_text(help);
        }
        PanelTrait::Image => {
            let (response, _) = MenuButton::from_button(button).ui(ui, |ui| image_choices(ui, session, index));
            hint(named(response), "The image that this panel alone shows");
        }
        // Their mark has a button of its own.
        PanelTrait::Filters => {}
    }
}

/// The main planes of a volume.
fn plane_choices(ui: &mut Ui, session: &mut Session, index: usize) {
    for row in &MAIN_PLANES {
        let orientation = Orientation::Main(row.plane);
        let is_chosen = session.plane_of(index).orientation == orientation;
        if ui.selectable_label(is_chosen, row.title).on_hover_text(row.help).clicked() {
            session.set_plane(index, Plane { orientation, slice: None, ..session.plane_of(index) });
            ui.close();
        }
    }
}

/// The components of complex numbers.
fn component_choices(ui: &mut Ui, session: &mut Session, index: usize) {
    for row in &COMPONENTS {
        let is_chosen = session.component_of(index) == row.component;
        if ui.selectable_label(is_chosen, row.title).on_hover_text(row.help).clicked() {
            session.set_component(index, row.component);
            ui.close();
        }
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
    let has_path = sampler.path.is_exact();
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
    if let Some(command) = command_items(ui, session, &[Command::Maximize, Command::AddPanel, Command::ClosePanel]) {
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
