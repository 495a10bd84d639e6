//! Chips of a header: the properties of its panel that are not usual.

use egui::containers::menu::MenuButton;
use egui::{Button, Color32, Response, Role, Sense, Stroke, Ui, WidgetInfo, vec2};

use super::choices::{
    ANTIALIAS_HELP, PREFILTER_HELP, address_choices, component_choices, image_choices, path_choices, path_help,
    plane_choices,
};
use super::hint;
use crate::app::bars::status;
use crate::app::session::address_names::library_names;
use crate::app::session::{PanelChip, PanelTrait, Session};
use crate::app::widgets::line_text::LineText;
use crate::app::widgets::menu_item::open_menu;
use crate::app::widgets::theme::{Palette, SMALL_RADIUS, SPACE, text_size};
use crate::resize::PIXEL_CENTRES;
use crate::sampling::Sampler;
use crate::warp::Warp;

/// Opacity of the text's colour in the fill of a chip.
const CHIP_FILL: f32 = 0.09;
/// The same in the fill of a chip under the pointer.
const HOVERED_CHIP_FILL: f32 = 0.18;
/// Height of a chip, in points.
const CHIP_HEIGHT: f32 = 18.0;
/// Horizontal padding of a chip, in points.
const CHIP_PADDING: f32 = 1.5 * SPACE;

/// What a chip of all panels begins with in the first header, and its name everywhere.
const OF_ALL: &str = "all panels: ";

/// A chip of a header.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Chip {
    /// The property.
    pub(super) panel_trait: PanelTrait,
    /// Its value in words: `mirror`; in the first header, of all panels, `all panels: mirror`.
    pub(super) text: String,
    /// Its name for assistive technology: of all panels `all panels: mirror`, wherever it stands.
    name: String,
    /// Whether all visible panels have this value. A change is made in all panels.
    pub(super) is_of_all: bool,
}

/// The text of a chip.
fn chip_text(chip: &Chip) -> LineText<'_> {
    LineText::regular(&chip.text, text_size::UNIT)
}

/// Width of a chip, in points.
pub(super) fn chip_width(ui: &Ui, chip: &Chip) -> f32 {
    chip_text(chip).width(ui.painter()) + 2.0 * CHIP_PADDING
}

/// The chips of a header. Filters have a mark of their own. What all visible panels have alike stands once: in the first header if
/// `has_common`, in the status line otherwise.
pub(super) fn chips_of(session: &Session, index: usize, has_common: bool) -> Vec<Chip> {
    let (visible, common) = (session.visible(), common_chips(session));
    let is_first = has_common && visible.first() == Some(&index);
    let chip = |PanelChip { panel_trait, text }| {
        let is_of_all = common.iter().any(|of_all| of_all.panel_trait == panel_trait);
        let text = if is_of_all { format!("{OF_ALL}{text}") } else { text };
        Chip { panel_trait, name: text.clone(), text, is_of_all }
    };
    let is_shown = |chip: &Chip| chip.panel_trait != PanelTrait::Filters && (is_first || !chip.is_of_all);
    let mut chips: Vec<Chip> = session.panel_chips(index).into_iter().map(chip).filter(is_shown).collect();
    // Of a narrow header, what tells this panel from the others remains, and what all panels have alike goes first.
    chips.sort_by_key(|chip| (chip.is_of_all, !session.tells(index, chip.panel_trait)));
    chips
}

/// Draws the chips that all visible panels have alike, from the right to the left, as far as there is room: the first is at the right.
pub(in crate::app) fn show_common(ui: &mut Ui, session: &mut Session) {
    let Some(first) = session.visible().first().copied() else { return };
    for PanelChip { panel_trait, text } in common_chips(session) {
        let chip = Chip { panel_trait, name: format!("{OF_ALL}{text}"), text, is_of_all: true };
        if panel_trait == PanelTrait::Filters || chip_width(ui, &chip) > ui.available_width() {
            continue;
        }
        let before = session.panels()[first].sampler;
        let mut sampler = before;
        ui.scope(|ui| show_chip(ui, (session, first), &mut sampler, &chip));
        if sampler != before {
            session.change_samplers(|changed| take(panel_trait, &sampler, changed));
        }
    }
}

/// Width of the chips that all visible panels have alike in the status line, with a gap before each, in points.
pub(in crate::app) fn common_width(ui: &Ui, session: &Session) -> f32 {
    let chips = common_chips(session).into_iter().filter(|chip| chip.panel_trait != PanelTrait::Filters);
    let text_width = |chip: PanelChip| LineText::regular(&chip.text, text_size::UNIT).width(ui.painter());
    chips.map(|chip| status::GAP + text_width(chip) + 2.0 * CHIP_PADDING).sum()
}

/// The chips that all visible panels have alike; none of one panel alone.
fn common_chips(session: &Session) -> Vec<PanelChip> {
    let visible = session.visible();
    let [first, others @ ..] = &visible[..] else { return Vec::new() };
    if others.is_empty() {
        return Vec::new();
    }
    let mut common = session.panel_chips(*first);
    others.iter().for_each(|index| {
        let chips = session.panel_chips(*index);
        common.retain(|chip| chips.contains(chip));
    });
    common
}

/// Gives `changed` the property `panel_trait` of `sampler`.
pub(super) fn take(panel_trait: PanelTrait, sampler: &Sampler, changed: &mut Sampler) {
    match panel_trait {
        PanelTrait::AddressMode => changed.address = sampler.address,
        PanelTrait::Prefilter => changed.prefilter = sampler.prefilter,
        PanelTrait::SamplingPath => changed.path = sampler.path,
        PanelTrait::Antialias => changed.antialias = sampler.antialias,
        PanelTrait::Antiringing => changed.antiringing = sampler.antiringing,
        PanelTrait::Filters
        | PanelTrait::Warp
        | PanelTrait::Plane
        | PanelTrait::Component
        | PanelTrait::PixelCentres
        | PanelTrait::Image => {}
    }
}

/// What `chips` say with the names of their properties, one line each.
pub(super) fn lines(chips: &[Chip]) -> String {
    let line = |chip: &Chip| format!("\n{}: {}", chip.panel_trait.row().title, chip.text);
    chips.iter().map(line).collect()
}

/// The text of the chip in the place of `count` chips without room.
pub(super) fn more_text(count: usize) -> String {
    format!("+{count}")
}

/// Width of the chip in the place of chips without room, with the gap before it, in points.
pub(super) fn more_width(ui: &Ui) -> f32 {
    SPACE + LineText::regular(&more_text(9), text_size::UNIT).width(ui.painter()) + 2.0 * CHIP_PADDING
}

/// The button of a chip with this text in `ui`, which is its own.
pub(super) fn chip_button(ui: &mut Ui, text: LineText<'_>, colour: Color32) -> Button<'static> {
    let palette = Palette::of_ui(ui);
    // A chip is lower than the header.
    ui.spacing_mut().interact_size.y = CHIP_HEIGHT;
    ui.spacing_mut().button_padding = vec2(CHIP_PADDING, 0.0);
    // Fills are seen over the tint of a focused header, too.
    let [rest, hovered] = [CHIP_FILL, HOVERED_CHIP_FILL].map(|opacity| palette.text.gamma_multiply(opacity));
    let widgets = &mut ui.visuals_mut().widgets;
    widgets.inactive.weak_bg_fill = rest;
    for visuals in [&mut widgets.hovered, &mut widgets.active, &mut widgets.open] {
        visuals.weak_bg_fill = hovered;
    }
    let text = text.within(ui.painter(), f32::INFINITY).atom(colour);
    Button::new(text).stroke(Stroke::NONE).corner_radius(SMALL_RADIUS)
}

/// Draws a chip: what its panel has that is not usual. A click on a switch turns it; the others are menus of their choices.
pub(super) fn show_chip(ui: &mut Ui, (session, index): (&mut Session, usize), sampler: &mut Sampler, chip: &Chip) {
    // Beside the name of a panel a chip is weaker than that.
    let palette = Palette::of_ui(ui);
    let button = chip_button(ui, chip_text(chip), if chip.is_of_all { palette.text } else { palette.weak });
    let in_all = if chip.is_of_all { " in all panels" } else { "" };
    let named = |response: Response| {
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &chip.name));
        response
    };
    match chip.panel_trait {
        PanelTrait::AddressMode => {
            let (response, _) =
                MenuButton::from_button(button).config(open_menu()).ui(ui, |ui| address_choices(ui, session, sampler));
            let response = named(response);
            let [x, y] = sampler.address.map(library_names);
            let elsewhere = if x == y { x } else { format!("Along x\n{x}\nAlong y\n{y}") };
            let keys = "Next: A, along x Shift+A, along y Ctrl+Shift+A";
            hint(response, &format!("Address mode: what lies beyond the edges\n{elsewhere}\n{keys}"));
        }
        PanelTrait::Prefilter => {
            let response = named(ui.add(button));
            if response.on_hover_text(format!("{PREFILTER_HELP}\nClick to switch it{in_all}  (P)")).clicked() {
                sampler.prefilter = !sampler.prefilter;
            }
        }
        PanelTrait::SamplingPath => {
            let choices = |ui: &mut Ui| path_choices(ui, session, index, sampler);
            let (response, _) = MenuButton::from_button(button).ui(ui, choices);
            hint(
                named(response),
                &format!("Sampling path {}\nTexture unit or exact: T", path_help(sampler.path.row())),
            );
        }
        PanelTrait::Antialias => {
            let response = named(ui.add(button));
            if response.on_hover_text(format!("{ANTIALIAS_HELP}\nClick to switch it{in_all}")).clicked() {
                sampler.antialias = !sampler.antialias;
            }
        }
        PanelTrait::Antiringing => {
            let range = "Draws values into the range of their samples: no overshoot at 1";
            let help = format!("{range}\nClick to switch it{in_all}");
            if ui.add(button).on_hover_text(help).clicked() {
                sampler.antiringing = if sampler.is_antiringed() { 0.0 } else { 1.0 };
            }
        }
        PanelTrait::Warp => {
            let from = if chip.is_of_all { "all panels" } else { "this panel" };
            let help = format!("Warp: {}\nClick to take it away from {from}", session.panels()[index].warp);
            if named(ui.add(button)).on_hover_text(help).clicked() {
                for index in if chip.is_of_all { session.visible() } else { vec![index] } {
                    if let Some(panel) = session.panel_mut(index) {
                        panel.warp = Warp::None;
                    }
                }
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
