//! Header of a panel: dot, number, method, and a chip for each property that is not the usual one or tells the panel from the
//! others. The panel's menu has every property. In a narrow header the values under the cursor come before chips, the menu's button
//! and the caret. What all panels have alike stands once, in the status line, or in the first header where that has no room,
//! and gives way first. All headers show their values in one form, or none does.

mod chips;
mod choices;
mod fit;
mod menus;

use egui::{Response, Ui};

use self::chips::{Chip, chips_of, show_chip, take};
pub(in crate::app) use self::chips::{common_width, show_common};
pub(in crate::app) use self::fit::BesideName;
use self::fit::{Fit, HeaderChips, name_width};
pub(super) use self::menus::picture_menu;
use self::menus::{method_menu, more_menu, panel_menu};
use super::{Headers, fallback_mark, filter_mark, method_values, quality_mark};
use crate::app::bars::panel_values::{PanelValues, ValueForm};
use crate::app::commands::Command;
use crate::app::inspect::quality::PanelQuality;
use crate::app::session::{PanelTrait, Session};
use crate::app::widgets::line_text::LineText;
use crate::app::widgets::panel_mark;
use crate::app::widgets::theme::{Palette, SPACE, text_size};
use crate::backend::{BackendError, Content};
use crate::sampling::Sampler;

/// Heights in points, in a window that is at least as high as `LOW_WINDOW`, and in a lower one.
const HEIGHTS: [f32; 2] = [30.0, 26.0];
const LOW_WINDOW: f32 = 560.0;

/// Height in a window that is `window` points high, in points.
pub(in crate::app) fn height(window: f32) -> f32 {
    HEIGHTS[usize::from(window < LOW_WINDOW)]
}

/// Horizontal padding of buttons in headers, in points: the name stands near its number.
pub(super) const BUTTON_PADDING: f32 = SPACE;
/// Gaps in points: between the dot and the number, between the number and the name's button, and between the name and its caret.
pub(super) const NUMBER_GAP: f32 = SPACE;
pub(super) const NAME_GAP: f32 = 0.5 * SPACE;
pub(super) const CARET_GAP: f32 = 0.5 * SPACE;
/// Distance of the dot from the start of the header, in points: as far as the icon at its end.
pub(super) const DOT_INSET: f32 = 0.5 * SPACE;

/// Distance of the look of the picture from what is before it, in points.
const LOOK_GAP: f32 = 2.0 * SPACE;

/// The panel of a header.
pub(super) struct HeaderInput<'a> {
    /// Index of the panel.
    pub(super) index: usize,
    /// What its header has.
    pub(super) headers: Headers,
    /// Whether the first header has what all panels have alike.
    pub(super) has_common: bool,
    /// Why a device failed to render it.
    pub(super) failure: Option<&'a BackendError>,
    /// Its quality, where it is measured.
    pub(super) quality: Option<&'a PanelQuality>,
    /// Its values under the cursor, where all headers have room for them, and their form.
    pub(super) value: Option<(PanelValues, ValueForm)>,
    /// Widths of the values under the cursor in the forms that headers reserve, from the narrowest on, in points. They do not depend on the
    /// cursor.
    pub(super) value_widths: [(ValueForm, f32); 4],
    /// The form whose width is reserved. `None` where the status line has room for the values of all panels, or a header has none.
    pub(super) kept: Option<ValueForm>,
    /// What all headers have room for beside their names.
    pub(super) beside: BesideName,
    /// The form in which the look of the picture stands behind the chips, where it has room; `None` for none.
    pub(super) look: Option<LookForm>,
}

/// The words that say how the picture of a panel looks (see [`Session::looks`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum LookForm {
    /// A few words.
    Whole,
    /// One or two.
    Short,
}

/// What a header has room for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct HeaderRoom {
    /// The longest form of the values under the cursor, where they are shown.
    pub(super) value_form: Option<ValueForm>,
    /// The longest form of values that fits. The short form fits beside the name; a longer form fits beside the name and the chips that
    /// not all panels have.
    pub(super) holds: Option<ValueForm>,
    /// What stands beside the name.
    pub(super) beside: BesideName,
}

/// Draws the header of a panel into `ui`, with a mark where a device failed to render the panel. Commands are pushed onto
/// `asked`. Returns what has room.
pub(super) fn show(ui: &mut Ui, session: &mut Session, input: HeaderInput<'_>, asked: &mut Vec<Command>) -> HeaderRoom {
    let HeaderInput { index, headers, has_common, failure, quality, value, value_widths, kept, beside, look } = input;
    let before = session.panels()[index].sampler;
    let mut sampler = before;
    method_values::take_file(ui, session.panels()[index].id(), &mut sampler);
    // Each part has its own gap.
    ui.spacing_mut().item_spacing.x = 0.0;
    ui.spacing_mut().button_padding.x = BUTTON_PADDING;
    show_identity(ui, session, index);
    let mut chips = chips_of(session, index, has_common);
    let fallback = failure.map_or(0.0, |_| fallback_mark::width(ui) + SPACE);
    let (method, is_preview) = session.shown_method(index);
    let least = Fit::least_width(ui, method);
    let look = look.filter(|_| value.is_none()).and_then(|form| Some(session.looks(index)?[form as usize]));
    let is_of_prefilter = |chip: &Chip| chip.panel_trait == PanelTrait::Prefilter;
    let tells = session.tells(index, PanelTrait::Prefilter);
    let has_values = value.is_some() || kept.is_some();
    let is_crowded = has_values && {
        let [_, _, (_, named), _] = value_widths;
        let own = HeaderChips { chips: &chips, told: 0 }.own_width(ui);
        least + own + named > ui.available_width()
    };
    let is_of_prefilter = quality.is_none() && chips.iter().all(is_of_prefilter);
    if (look.is_some() || is_crowded) && !sampler.prefilter && !tells && is_of_prefilter {
        // The look says what the prefilter would change. With other chips or a figure it may have no room. Values with letters come before it.
        chips.clear();
    }
    // A lesson speaks of the filters by name, and of the figure.
    let figure = quality_mark::width(ui, quality);
    let room = if session.is_of_lesson() { ui.available_width() - fallback - least - figure - SPACE } else { 0.0 };
    let mark_text = filter_mark::text(ui, &session.panels()[index], room);
    let mark = mark_text.as_ref().map_or(0.0, |text| filter_mark::width(ui, text) + SPACE);
    // A header that has no room for a name and a figure has the name.
    let quality = quality.filter(|_| ui.available_width() - mark - fallback - figure >= least);
    let figure = if quality.is_some() { figure } else { 0.0 };
    let room = (ui.available_width() - mark - fallback - figure).max(0.0);
    // Those that tell this panel from the others come first.
    let told = chips.iter().filter(|chip| !chip.is_of_all && session.tells(index, chip.panel_trait)).count();
    let of_header = HeaderChips { chips: &chips, told };
    // Values have fewer decimals so that the panel's own chips have room.
    let [short, ..] = value_widths.map(|(_, width)| width);
    let (buttons, own) = (Fit::least_width(ui, method), of_header.own_width(ui));
    let chips_width = if buttons + own + short <= room { own } else { of_header.counted_width(ui) };
    let least = |form: ValueForm| match form {
        ValueForm::Short => Fit::name_alone(ui, method),
        ValueForm::Tenths | ValueForm::NamedShort => buttons + chips_width,
        ValueForm::NamedTenths | ValueForm::Whole => Fit::whole_width(ui, method) + chips_width,
    };
    let held = value_widths.iter().filter(|(form, width)| least(*form) + width <= room);
    let holds = held.map(|(form, _)| *form).max();
    let kept = value_widths.iter().find(|(form, _)| Some(*form) == kept && holds >= kept);
    let room = room - kept.map_or(0.0, |(_, width)| *width);
    let fit = Fit::new(ui, method, (headers, beside), of_header, room);
    method_menu(ui, (session, index), &mut sampler, (&fit, &chips[fit.chips..]), asked);
    for chip in &chips[..fit.chips] {
        ui.add_space(SPACE);
        let unchanged = sampler;
        ui.scope(|ui| show_chip(ui, (session, index), &mut sampler, chip));
        if chip.is_of_all && sampler != unchanged {
            session.change_samplers(|changed| take(chip.panel_trait, &sampler, changed));
        }
    }
    if fit.counted > 0 {
        let others = &chips[fit.chips..][..fit.counted];
        ui.add_space(SPACE);
        ui.scope(|ui| more_menu(ui, (session, index), &mut sampler, others, asked));
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
    let shown = ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        if fit.beside == BesideName::CaretAndMenu {
            panel_menu(ui, (session, index), &mut sampler, asked);
        }
        if let Some(quality) = quality {
            quality_mark::show(ui, (session, index), quality);
        }
        let shown = value.and_then(|(value, form)| value.show_in_header(ui, form));
        ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
            let palette = Palette::of_ui(ui);
            let colour = if is_preview { palette.matched() } else { palette.weak };
            let look = is_preview.then_some("preview").or(look).map(|look| LineText::regular(look, text_size::VALUE));
            if let Some(look) = look.filter(|look| LOOK_GAP + look.width(ui.painter()) <= ui.available_width()) {
                ui.add_space(LOOK_GAP);
                look.label(ui, colour);
            }
        });
        shown
    });
    set_sampler(session, index, [before, sampler]);
    HeaderRoom { value_form: shown.inner, holds, beside: fit.most }
}

/// Gives panel `index` the sampler `after` in place of `before`, and the focus, if they differ. A panel of the truth shows a method that is
/// chosen.
fn set_sampler(session: &mut Session, index: usize, [before, after]: [Sampler; 2]) {
    if after != before {
        session.focus(index);
        let panel = session.focused_panel();
        if after.method != before.method {
            panel.content = Content::Interpolation;
        }
        panel.sampler = after;
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

/// Shows `text` at the pointer, unless a menu is open.
fn hint(response: Response, text: &str) {
    if !egui::Popup::is_any_open(&response.ctx) {
        response.on_hover_text(text);
    }
}
