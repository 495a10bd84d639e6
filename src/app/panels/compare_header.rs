//! Header of a comparison: the names of both panels, each a menu of all panels, and the controls of the comparison. In a
//! narrow header the names are shortened, and the least important controls move into a menu.

use egui::containers::menu::MenuButton;
use egui::{Align, Button, Color32, FontId, Label, Layout, RichText, Role, TextStyle, Ui, WidgetInfo};

use super::header::{BUTTON_PADDING, command_items};
use crate::app::commands::{Command, Keymap};
use crate::app::render::probe::Reading;
use crate::app::session::unit::Unit;
use crate::app::session::{Difference, PanelArea, Session};
use crate::app::widgets::fit::{button_width, count_that_fit, first_that_fits, text_width};
use crate::app::widgets::panel_mark;
use crate::app::widgets::theme::{Palette, SPACE};
use crate::backend::{COLOUR_MAPS, ColourMap};

/// Controls beside the names, in order of importance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Control {
    Gain,
    Map,
    Absolute,
    Turn,
    Exchange,
    Value,
}

const OF_WIPE: &[Control] = &[Control::Exchange, Control::Turn];
const OF_DIFFERENCE: &[Control] = &[Control::Gain, Control::Map, Control::Absolute, Control::Exchange, Control::Value];
/// Of a colour image, which is shown channel by channel.
const OF_COLOUR_DIFFERENCE: &[Control] = &[Control::Gain, Control::Absolute, Control::Exchange, Control::Value];
/// Drawing order, from right to left.
const FROM_RIGHT: [Control; 6] =
    [Control::Exchange, Control::Turn, Control::Map, Control::Absolute, Control::Gain, Control::Value];

/// Text sizes of the controls and of the names, in points.
const SMALL: f32 = 12.0;
const NAME: f32 = 13.0;
/// Number of forms of a name. The next form of the header has the shortest names without their dots.
const NAME_FORMS: usize = 3;
const MENU: &str = "⋯";
const LEAVE: &str = "×";
const SWAP: &str = "Swap";

impl Control {
    /// Width in the header, with the gap to the next control.
    fn width(self, ui: &Ui, session: &Session, value: Option<&str>) -> f32 {
        let difference = session.difference();
        let button = |text: &str| SPACE + button_width(ui, text, SMALL);
        match self {
            Self::Gain => {
                let gain = ui.painter().layout_no_wrap(gain_text(difference), monospaced(ui), Color32::PLACEHOLDER);
                2.0 * SPACE + button("+") + button("−") + gain.size().x.ceil() + SPACE
            }
            Self::Map => button(&map_text(difference.map(session.ground()))),
            Self::Absolute => button("Absolute"),
            Self::Turn => button("Turn"),
            Self::Exchange => button(SWAP),
            Self::Value => value.map_or(0.0, |value| {
                let value = ui.painter().layout_no_wrap(value.to_owned(), monospaced(ui), Color32::PLACEHOLDER);
                3.0 * SPACE + value.size().x.ceil()
            }),
        }
    }

    /// Commands of the control's menu items.
    fn commands(self) -> &'static [Command] {
        match self {
            Self::Gain => &[Command::LessGain, Command::MoreGain],
            Self::Map => &[Command::NextDifferenceMap],
            Self::Absolute => &[Command::ToggleAbsolute],
            Self::Turn => &[Command::TurnWipe],
            Self::Exchange => &[Command::ExchangePair],
            Self::Value => &[],
        }
    }
}

fn monospaced(ui: &Ui) -> FontId {
    TextStyle::Monospace.resolve(ui.style())
}

fn gain_text(difference: Difference) -> String {
    format!("×{}", 1_u32 << difference.gain_log2)
}

/// The values under the cursor and their unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReadingInUnit<'a> {
    /// The values; `None` without a cursor.
    pub(super) reading: Option<&'a Reading>,
    /// Unit of a difference's value.
    pub(super) unit: Unit,
}

/// Draws the header of `area`. Commands are pushed onto `asked`.
pub(super) fn show(
    ui: &mut Ui,
    session: &mut Session,
    area: PanelArea,
    ReadingInUnit { reading, unit }: ReadingInUnit<'_>,
    asked: &mut Vec<Command>,
) {
    ui.spacing_mut().item_spacing.x = SPACE;
    ui.spacing_mut().button_padding.x = BUTTON_PADDING;
    match area {
        PanelArea::Panel(place) | PanelArea::Flipped { place, .. } => flipped(ui, session, place, area.seen()),
        PanelArea::Wipe(pair) => two(ui, session, (pair, "|", OF_WIPE), None, asked),
        PanelArea::Difference(pair) => {
            let maxval = session.page_of(pair[0]).raster().samples().maxval();
            let value = reading.and_then(|reading| difference_at(session, reading, pair));
            let value = value.map(|value| value_text(&value, unit, maxval));
            let has_map = !session.page_of(pair[0]).channels().has_colour();
            let controls = if has_map { OF_DIFFERENCE } else { OF_COLOUR_DIFFERENCE };
            two(ui, session, (pair, "−", controls), value.as_deref(), asked);
        }
    }
}

/// Whether the picture in `area` is exchanged with that of another panel, so that its header names both.
pub(super) fn is_flipping(session: &Session, area: PanelArea) -> bool {
    match area {
        PanelArea::Flipped { .. } => true,
        PanelArea::Panel(panel) => session.flickers() && session.pair().is_some_and(|[first, _]| first == panel),
        PanelArea::Wipe(_) | PanelArea::Difference(_) => false,
    }
}

/// Draws the names of both panels of a flip in the place of panel `place`, always in the same places. The one that is not
/// shown is faint.
fn flipped(ui: &mut Ui, session: &Session, place: usize, shown: usize) {
    let palette = Palette::of_ui(ui);
    for index in session.pair().unwrap_or([place, shown]) {
        ui.add_space(SPACE);
        let is_shown = index == shown;
        ui.scope(|ui| {
            ui.set_opacity(if is_shown { 1.0 } else { 0.45 });
            panel_mark::dot(ui, index);
            let colour = if is_shown { palette.text } else { palette.weak };
            ui.add(Label::new(RichText::new(session.panel_name(index).numbered()).size(NAME).color(colour)).truncate());
        });
    }
}

/// Draws both names, the controls that fit, a menu of the rest, and the button that ends the comparison.
fn two(
    ui: &mut Ui,
    session: &mut Session,
    (pair, between, controls): ([usize; 2], &str, &[Control]),
    value: Option<&str>,
    asked: &mut Vec<Command>,
) {
    let room = ui.available_width() - SPACE - button_width(ui, LEAVE, SMALL);
    let menu = SPACE + button_width(ui, MENU, SMALL);
    let width = |form: usize| {
        let name = |index: usize| button_width(ui, &end_text(session, index, form), NAME);
        let dots = if form < NAME_FORMS { 2.0 * (panel_mark::DOT_WIDTH + 2.0 * SPACE) } else { 0.0 };
        dots + pair.into_iter().map(name).sum::<f32>() + 2.0 * SPACE + text_width(ui, between, NAME)
    };
    let widths = [0, 1, 2, NAME_FORMS].map(width);
    let difference = session.difference();
    let wide: Vec<f32> = controls.iter().map(|control| control.width(ui, session, value)).collect();
    // The gain is always shown: a difference is not readable without it.
    let gain = if controls.first() == Some(&Control::Gain) { wide[0] } else { 0.0 };
    let form = first_that_fits(room - menu - gain, &widths);
    let (shown, folded) = controls.split_at(count_that_fit(room - widths[form], &wide, menu));
    ends(ui, session, (pair, form), between);
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        button(ui, asked, LEAVE, Command::SideBySide);
        if folded.iter().any(|control| !control.commands().is_empty()) {
            let (response, _) = MenuButton::from_button(quiet(ui, MENU)).ui(ui, |ui| {
                for control in folded {
                    asked.extend(command_items(ui, session, control.commands()));
                }
            });
            response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Comparison menu"));
            if !egui::Popup::is_any_open(&response.ctx) {
                response.on_hover_text("What else there is to set, for which there is no room here");
            }
        }
        for control in FROM_RIGHT.into_iter().filter(|control| shown.contains(control)) {
            match control {
                Control::Exchange => button(ui, asked, SWAP, Command::ExchangePair),
                Control::Turn => button(ui, asked, "Turn", Command::TurnWipe),
                Control::Map => map_menu(ui, session),
                Control::Absolute => absolute_toggle(ui, difference, asked),
                Control::Gain => gain_buttons(ui, difference, asked),
                Control::Value => show_value(ui, value),
            }
        }
    });
}

/// Draws the names of both panels, each a menu.
fn ends(ui: &mut Ui, session: &mut Session, ([first, second], form): ([usize; 2], usize), between: &str) {
    let has_dots = form < NAME_FORMS;
    if has_dots {
        ui.add_space(SPACE);
        panel_mark::dot(ui, first);
    }
    if let Some(chosen) = panel_menu(ui, session, (first, form), "First") {
        let kept = if chosen == second { first } else { second };
        session.focus(chosen);
        session.set_second(kept);
    }
    ui.label(RichText::new(between).size(NAME).color(Palette::of_ui(ui).weak));
    if has_dots {
        ui.add_space(SPACE);
        panel_mark::dot(ui, second);
    }
    if let Some(chosen) = panel_menu(ui, session, (second, form), "Second") {
        if chosen == first {
            session.exchange_pair();
        } else {
            session.set_second(chosen);
        }
    }
}

/// Number and name of a panel. `form` selects its length among the forms of its name; beyond them it is the shortest one.
fn end_text(session: &Session, index: usize, form: usize) -> String {
    let mark = if session.panels()[index].filters_in_force().is_active() { "  ƒ" } else { "" };
    format!("{}{mark}", session.panel_name(index).forms()[form.min(NAME_FORMS - 1)])
}

/// Draws a menu of the panels, titled by the shown one. Returns the panel that was clicked.
fn panel_menu(ui: &mut Ui, session: &Session, (shown, form): (usize, usize), role: &str) -> Option<usize> {
    let text = RichText::new(end_text(session, shown, form)).size(NAME).color(Palette::of_ui(ui).text);
    let (response, chosen) = MenuButton::from_button(Button::new(text).frame_when_inactive(false)).ui(ui, |ui| {
        let mut chosen = None;
        for index in 0..session.panels().len() {
            ui.horizontal(|ui| {
                panel_mark::dot(ui, index);
                if ui.selectable_label(index == shown, end_text(session, index, 0)).clicked() {
                    chosen = Some(index);
                    ui.close();
                }
            });
        }
        chosen
    });
    let title = end_text(session, shown, 0);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{role} panel: {title}")));
    if !egui::Popup::is_any_open(&response.ctx) {
        response.on_hover_text(format!("{title}\nWhich panel is compared"));
    }
    chosen.and_then(|chosen| chosen.inner)
}

fn quiet(ui: &Ui, text: &str) -> Button<'static> {
    let text = RichText::new(text).size(SMALL).color(Palette::of_ui(ui).weak);
    Button::new(text).frame_when_inactive(false)
}

/// Text of the menu of colour maps.
fn map_text(shown: ColourMap) -> String {
    format!("{} ▾", shown.row().title)
}

fn map_menu(ui: &mut Ui, session: &mut Session) {
    let (difference, ground) = (session.difference(), session.ground());
    let shown = difference.map(ground);
    let (response, _) = MenuButton::from_button(quiet(ui, &map_text(shown))).ui(ui, |ui| {
        let of_theme = difference.with_map(None);
        let title = format!("As the theme: {}", of_theme.map(ground).row().title);
        if ui.selectable_label(difference == of_theme, title).clicked() {
            session.set_difference(of_theme);
            ui.close();
        }
        ui.separator();
        for row in &COLOUR_MAPS {
            if ui.selectable_label(difference != of_theme && row.colour_map == shown, row.title).clicked() {
                session.set_difference(difference.with_map(Some(row.colour_map)));
                ui.close();
            }
        }
    });
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Colour map"));
    if !egui::Popup::is_any_open(&response.ctx) {
        response.on_hover_text("Colours of the difference");
    }
}

fn absolute_toggle(ui: &mut Ui, difference: Difference, asked: &mut Vec<Command>) {
    let palette = Palette::of_ui(ui);
    let colour = if difference.absolute { palette.text } else { palette.weak };
    let text = RichText::new("Absolute").size(SMALL).color(colour);
    let toggle = ui.add(Button::selectable(difference.absolute, text));
    if toggle.on_hover_text(Keymap::in_force(ui).tooltip(Command::ToggleAbsolute)).clicked() {
        asked.push(Command::ToggleAbsolute);
    }
}

fn gain_buttons(ui: &mut Ui, difference: Difference, asked: &mut Vec<Command>) {
    ui.add_space(2.0 * SPACE);
    named_button(ui, asked, ("+", "More gain"), Command::MoreGain);
    let gain = RichText::new(gain_text(difference)).monospace().color(Palette::of_ui(ui).text);
    ui.label(gain).on_hover_text("Gain of the difference");
    named_button(ui, asked, ("−", "Less gain"), Command::LessGain);
}

fn show_value(ui: &mut Ui, value: Option<&str>) {
    if let Some(value) = value {
        ui.add_space(2.0 * SPACE);
        ui.label(RichText::new(value).monospace().color(Palette::of_ui(ui).text))
            .on_hover_text("The difference under the cursor in the unit of the status line, before gain and colours");
    }
}

/// The difference of `pair` under the cursor, one value per channel, where 1 is maxval.
pub(super) fn difference_at(session: &Session, reading: &Reading, pair: [usize; 2]) -> Option<Vec<f32>> {
    let values = |index: usize| {
        let id = session.panels()[index].id();
        reading.values.iter().find(|(of, _)| *of == id).map(|(_, values)| values)
    };
    let (first, second) = (values(pair[0])?, values(pair[1])?);
    let difference: Vec<f32> = first.iter().zip(second).map(|(a, b)| a - b).collect();
    (!difference.is_empty()).then_some(difference)
}

/// The difference under the cursor in `unit`, one number per channel, with as many decimals as single precision resolves.
fn value_text(difference: &[f32], unit: Unit, maxval: u16) -> String {
    let one = unit.of_difference().one(maxval);
    let decimals = 7 - (one.log10().floor() as usize);
    difference.iter().map(|value| format!("{:+.decimals$}", f64::from(*value) * one)).collect::<Vec<_>>().join(" ")
}

fn button(ui: &mut Ui, asked: &mut Vec<Command>, text: &str, command: Command) {
    let name = command.row().map_or(text, |row| row.title);
    named_button(ui, asked, (text, name), command);
}

fn named_button(ui: &mut Ui, asked: &mut Vec<Command>, (text, name): (&str, &str), command: Command) {
    let text = RichText::new(text).size(SMALL);
    let tip = Keymap::in_force(ui).tooltip(command);
    let response = ui.add(Button::new(text).frame_when_inactive(false)).on_hover_text(tip);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
    if response.clicked() {
        asked.push(command);
    }
}
