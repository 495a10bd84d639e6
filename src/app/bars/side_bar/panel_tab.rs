//! Tab *Panel*: how the focused panel samples and filters the image.

use egui::{RichText, Slider, Ui, vec2};

use super::section::section;
use super::{SideBarContext, filter_cards, of_focused, warp_fields};
use crate::app::commands::notice::CommandNotice;
use crate::app::commands::obstacle::obstacle;
use crate::app::commands::{Command, Keymap};
use crate::app::files::SideSection;
use crate::app::session::address_names::library_names;
use crate::app::session::{PanelMethod, Session, SetMethod as _};
use crate::app::widgets::combo_box::combo_box;
use crate::app::widgets::limits::Limits;
use crate::app::widgets::menu_item::menu_item;
use crate::app::widgets::number::{NumberField, add_number};
use crate::app::widgets::row::{wide_number_row, wide_row};
use crate::app::widgets::theme::{CONTROL_HEIGHT, HIT_SIZE, Palette, SPACE, text_size};
use crate::app::widgets::toggle::choice;
use crate::backend::{Content, RenderRequest, RequestError};
use crate::filter::STAGES;
use crate::sampling::{ADDRESS_MODES, AddressMode, METHODS, Sampler, SamplingPath};
use crate::text::capitalized;

/// Width of the number of the antiringing's strength, in points.
const STRENGTH_WIDTH: f32 = 44.0;
/// Values outside of the image; 1 is maxval.
const BORDERS: Limits = Limits::real(-1e6, 1e6);

/// Draws the tab. Appends the commands of its buttons to `asked`.
pub(super) fn show(ui: &mut Ui, context: &mut SideBarContext<'_>, asked: &mut Vec<Command>) {
    let SideBarContext { session, side_bar, .. } = context;
    ui.add_space(2.0 * SPACE);
    of_focused(ui, session, |ui, session| {
        title(ui, session);
        let before = session.panels()[session.focused()].sampler;
        let mut sampler = before;
        fields(ui, session, &mut sampler);
        if sampler != before {
            let panel = session.focused_panel();
            if sampler.method != before.method {
                panel.content = Content::Interpolation;
            }
            panel.sampler = sampler;
        }
        warp_fields::show(ui, session);
        share(ui, session, asked);
    });
    ui.add_space(SPACE);
    let facts = filter_facts(session);
    section(ui, side_bar, SideSection::Filters, &facts, |ui| {
        of_focused(ui, session, |ui, session| filter_cards::show(ui, session, asked));
    });
    section(ui, side_bar, SideSection::Libraries, "", |ui| libraries(ui, session));
}

/// The button that gives all panels these settings, where a panel has others.
fn share(ui: &mut Ui, session: &Session, asked: &mut Vec<Command>) {
    let why = obstacle(session, Command::ShareSettings).map(|why| capitalized(&why.to_string())).unwrap_or_default();
    let row = Command::ShareSettings.row();
    let button = egui::Button::new(row.map_or("", |row| row.title)).min_size(vec2(0.0, HIT_SIZE));
    let tip = Keymap::in_force(ui).tooltip(Command::ShareSettings);
    ui.add_space(SPACE);
    let response = ui.add_enabled(why.is_empty(), button).on_hover_text(tip).on_disabled_hover_text(why);
    if response.clicked() {
        asked.push(Command::ShareSettings);
    }
}

/// Colour, number and method of the focused panel.
fn title(ui: &mut Ui, session: &Session) {
    let palette = Palette::of_ui(ui);
    let index = session.focused();
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(10.0, CONTROL_HEIGHT), egui::Sense::hover());
        ui.painter().circle_filled(rect.center(), 4.5, palette.panel(index).color);
        let name = session.panel_name(index).numbered();
        ui.add(egui::Label::new(RichText::new(name).color(palette.text)).selectable(false).truncate());
    });
}

fn fields(ui: &mut Ui, session: &mut Session, sampler: &mut Sampler) {
    method(ui, session, sampler);
    let interpolates = session.panels()[session.focused()].content == Content::Interpolation;
    // The truth has no samples to read.
    ui.add_enabled_ui(interpolates, |ui| reading_fields(ui, session, sampler));
    if interpolates {
        antiringing(ui, sampler);
    }
    let help =
        "Widens the kernel when the view is zoomed out, against aliasing; of the truth, the mean over each pixel";
    ui.checkbox(&mut sampler.antialias, "Antialias").on_hover_text(help);
    if interpolates && sampler.antialias {
        let help = "Factor of the antialiasing kernel's width; 1 is the width for the scale";
        let limits = Limits::real(RenderRequest::BLURS.0, RenderRequest::BLURS.1);
        let blur = NumberField { name: "Blur", help, unit: "", speed: 0.01, limits };
        sampler.blur = wide_number_row(ui, blur, sampler.blur).unwrap_or(sampler.blur);
    }
}

/// The strength of the antiringing.
fn antiringing(ui: &mut Ui, sampler: &mut Sampler) {
    wide_row(ui, "Antiringing", |ui, name| {
        ui.visuals_mut().widgets.inactive.bg_fill = Palette::of_ui(ui).line;
        ui.spacing_mut().slider_width = (ui.available_width() - STRENGTH_WIDTH - ui.spacing().item_spacing.x).max(40.0);
        let slider =
            Slider::new(&mut sampler.antiringing, 0.0..=1.0).step_by(0.01).show_value(false).trailing_fill(true);
        let help = "Takes overshoot away: values beyond the samples of their kernel's main lobe are drawn into their range. \
            0 leaves them, 1 clamps them";
        ui.add(slider).labelled_by(name).on_hover_text(help);
        let limits = Limits::real(0.0, 1.0);
        let wanted = NumberField { name: "Antiringing", help, unit: "", speed: 0.01, limits };
        let size = vec2(STRENGTH_WIDTH, CONTROL_HEIGHT);
        let field = add_number(ui, &mut sampler.antiringing, &wanted, |drag| drag.min_size(size).clip_text(true));
        field.on_hover_text(help);
    });
}

/// How samples are read: address modes, border, path and prefilter.
fn reading_fields(ui: &mut Ui, session: &mut Session, sampler: &mut Sampler) {
    addresses(ui, session, &mut sampler.address);
    let help = "Value outside of the image for address mode Border; 1 is maxval";
    let border = NumberField { name: "Border", help, unit: "", speed: 0.01, limits: BORDERS };
    // Without a border there is no value beyond it.
    let has_border = sampler.address.contains(&AddressMode::Border);
    let edited = ui.add_enabled_ui(has_border, |ui| wide_number_row(ui, border, f64::from(sampler.border)));
    if let Some(edited) = edited.inner {
        sampler.border = edited as f32;
    }
    sampling(ui, session, sampler);
    let has_prefilter = sampler.method.kernel().prefilter.is_some();
    let mut is_on = has_prefilter && sampler.prefilter;
    let help = format!(
        "Turns samples into coefficients first, so that the curve passes through the samples  ({})",
        Keymap::in_force(ui).key_text(Command::TogglePrefilter)
    );
    let none = "The prefilter is for B-splines from degree 2 on and for O-MOMS: other methods take samples as they are";
    let switch = ui.add_enabled(has_prefilter, egui::Checkbox::new(&mut is_on, "Prefilter"));
    if switch.on_hover_text(help).on_disabled_hover_text(none).changed() {
        sampler.prefilter = is_on;
    }
}

fn method(ui: &mut Ui, session: &mut Session, sampler: &mut Sampler) {
    let (focused, method) = (session.focused(), session.panels()[session.focused()].method());
    wide_row(ui, "Method", |ui, name| {
        let [_, title, _] = method.names();
        let chosen = combo_box("method").selected_text(title).truncate();
        let shown = chosen.width(ui.available_width()).show_ui(ui, |ui| {
            for row in &METHODS {
                let mut changed = *sampler;
                changed.set_method(row.method);
                // Other errors concern all methods alike and disable none.
                let refusal = session
                    .refusal(session.focused(), changed)
                    .filter(|error| matches!(error, RequestError::Stretch { .. }));
                let choice = menu_item(method == PanelMethod::Method(row.method), row.title);
                let choice = ui.add_enabled(refusal.is_none(), choice).on_hover_text(row.help);
                let why = refusal.map(|error| error.to_string()).unwrap_or_default();
                if choice.on_disabled_hover_text(why).clicked() {
                    sampler.set_method(row.method);
                    session.set_content(focused, Content::Interpolation);
                }
            }
            let (row, obstacle) = (Content::Truth.row(), session.no_truth(focused));
            let choice = menu_item(method == PanelMethod::Truth, row.title);
            let why = obstacle.map(|why| CommandNotice::from(why).to_string()).unwrap_or_default();
            let choice = ui.add_enabled(obstacle.is_none(), choice).on_hover_text(row.help);
            if choice.on_disabled_hover_text(why).clicked() {
                session.set_content(focused, Content::Truth);
            }
        });
        shown.response.labelled_by(name).on_hover_text(method.help())
    });
}

/// Draws the address modes of both axes. Returns of which one was chosen, which may be the present one.
pub(super) fn addresses(ui: &mut Ui, session: &mut Session, modes: &mut [AddressMode; 2]) -> [bool; 2] {
    [0, 1].map(|axis: usize| address(ui, session, &mut modes[axis], ["Address x", "Address y"][axis]))
}

/// Draws the address mode of an axis. A choice, also of the present one, ends the dimming of what lies outside. Returns whether one was chosen.
fn address(ui: &mut Ui, session: &mut Session, mode: &mut AddressMode, name: &str) -> bool {
    let mut is_chosen = false;
    wide_row(ui, name, |ui, label| {
        let chosen = combo_box(name).selected_text(mode.row().title);
        let shown = chosen.width(ui.available_width()).show_ui(ui, |ui| {
            for row in &ADDRESS_MODES {
                let picture = RichText::new(row.picture).monospace().size(text_size::UNIT);
                let choice = menu_item(*mode == row.address, row.title).right_text(picture);
                if ui.add(choice).on_hover_text(library_names(row.address)).clicked() {
                    *mode = row.address;
                    session.touch_address();
                    is_chosen = true;
                }
            }
        });
        let tip = format!("What lies beyond the edges: {}\n{}", mode.row().picture, library_names(*mode));
        shown.response.labelled_by(label).on_hover_text(tip)
    });
    is_chosen
}

/// Draws the choice between exact sampling and the texture unit.
fn sampling(ui: &mut Ui, session: &Session, sampler: &mut Sampler) {
    wide_row(ui, "Sampling", |ui, _| {
        ui.spacing_mut().item_spacing.x = SPACE;
        let is_exact = sampler.path.is_exact();
        let help = format!("Weights in single precision. Sampling path: {}, {}", sampler.path, sampler.path.row().help);
        let help = if is_exact { help } else { "Weights in single precision. Sampling path: auto".to_owned() };
        if choice(ui, ("Exact", true), is_exact).on_hover_text(help).clicked() && !is_exact {
            sampler.path = SamplingPath::Auto;
        }
        let path = SamplingPath::Filtered;
        let refusal = session.refusal(session.focused(), Sampler { path, ..*sampler });
        let help = format!("{}. Sampling path: {path}", path.row().help);
        let choice = choice(ui, ("Texture unit", refusal.is_none()), !is_exact);
        let why = refusal.map(|error| error.to_string()).unwrap_or_default();
        if choice.on_hover_text(help).on_disabled_hover_text(why).clicked() {
            sampler.path = path;
        }
    });
}

/// Number of filters of the focused panel; empty without filters.
fn filter_facts(session: &Session) -> String {
    let panel = &session.panels()[session.focused()];
    let count: usize = STAGES.iter().map(|row| panel.filters.chain(row.stage).0.len()).sum();
    match (count, panel.filters_off) {
        (0, _) => String::new(),
        (count, false) => count.to_string(),
        (count, true) => format!("{count}, off"),
    }
}

/// Names of the focused panel's address modes in other libraries.
fn libraries(ui: &mut Ui, session: &Session) {
    let [x, y] = session.panels()[session.focused()].sampler.address.map(|mode| mode.row());
    let names = [
        ("CUDA", [x.cuda, y.cuda]),
        ("OpenGL", [x.opengl, y.opengl]),
        ("OpenCV", [x.opencv, y.opencv]),
        ("SciPy", [x.scipy, y.scipy]),
    ];
    for (library, [along_x, along_y]) in names {
        wide_row(ui, library, |ui, _| {
            let text = if along_x == along_y { along_x.to_owned() } else { format!("{along_x}\n{along_y}") };
            let text = RichText::new(text).size(text_size::UNIT).color(Palette::of_ui(ui).text);
            ui.add(egui::Label::new(text).truncate());
        });
    }
}
