//! Controls in the header of a comparison: their widths, their gaps, their drawing, and the commands that a menu has in the
//! place of a control without room.

use egui::containers::menu::MenuButton;
use egui::{Button, Role, Ui, WidgetInfo, vec2};

use super::map_strip;
use crate::app::commands::{Command, Keymap};
use crate::app::session::{Gain, Session};
use crate::app::widgets::menu_item::menu_item;
use crate::app::widgets::stepper::{Step, Stepper};
use crate::app::widgets::symbol::{CARET_WIDTH, Symbol, SymbolButton};
use crate::app::widgets::theme::{HIT_SIZE, Palette, SPACE};
use crate::app::widgets::toggle::Toggle;
use crate::backend::COLOUR_MAPS;
use crate::text::short;

/// Gap between the sample and the title of a colour map in the menu, in points.
const ITEM_GAP: f32 = 2.0 * SPACE;
/// Gaps between controls of a group, and between groups, in points.
pub(super) const GAP: f32 = 2.0 * SPACE;
const GROUP_GAP: f32 = 4.0 * SPACE;
/// Gap between the sample of the colour map and its caret, and horizontal padding of their button, in points.
const MAP_GAP: f32 = SPACE;
const MAP_PADDING: f32 = 2.0 * SPACE;
/// The widest values of the steppers.
const WIDEST_GAIN: &str = "Gain 4096×";
const WIDEST_RATE: &str = "0.5 Hz";

/// A group of controls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Group {
    Rate,
    Gain,
    Colours,
    Icons,
}

/// A control of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Control {
    Gain,
    AutomaticGain,
    /// The menu of colour maps, of the signed and of the absolute difference.
    Map,
    Rate,
    Turn,
    Exchange,
}

impl Control {
    /// Those of a wipe, in order of importance.
    pub(super) const OF_WIPE: &[Self] = &[Self::Exchange, Self::Turn];
    /// Those of a flicker.
    pub(super) const OF_FLICKER: &[Self] = &[Self::Rate];
    /// Those of a difference, in order of importance.
    pub(super) const OF_DIFFERENCE: &[Self] = &[Self::Gain, Self::AutomaticGain, Self::Map, Self::Exchange];
    /// Drawing order at the end of a header, from right to left. The control that exchanges the names is behind them.
    pub(super) const FROM_RIGHT: [Self; 5] = [Self::Turn, Self::Map, Self::AutomaticGain, Self::Gain, Self::Rate];

    /// Those of `controls` that are drawn at the end of a header, from right to left.
    pub(super) fn drawn(controls: &[Self]) -> impl Iterator<Item = Self> {
        Self::FROM_RIGHT.into_iter().filter(|control| controls.contains(control))
    }

    /// Width of those of `controls` at the end of a header with their gaps, in points.
    pub(super) fn row_width(ui: &Ui, controls: &[Self]) -> f32 {
        let mut right = None;
        Self::drawn(controls).map(|control| control.gap(right.replace(control)) + control.width(ui)).sum()
    }

    fn group(self) -> Group {
        match self {
            Self::Rate => Group::Rate,
            Self::Gain | Self::AutomaticGain => Group::Gain,
            Self::Map => Group::Colours,
            Self::Turn | Self::Exchange => Group::Icons,
        }
    }

    /// Gap to the control on the right, or to the icons that end the header, in points.
    pub(super) fn gap(self, right: Option<Self>) -> f32 {
        let right = right.map_or(Group::Icons, Self::group);
        if self.group() == right { GAP } else { GROUP_GAP }
    }

    /// Width in points.
    fn width(self, ui: &Ui) -> f32 {
        match self {
            Self::Gain => Stepper::width(ui, WIDEST_GAIN),
            Self::Rate => Stepper::width(ui, WIDEST_RATE),
            Self::AutomaticGain => AUTOMATIC.width(ui),
            Self::Map => map_strip::SAMPLE_SIZE.x + MAP_GAP + CARET_WIDTH + 2.0 * MAP_PADDING,
            Self::Turn | Self::Exchange => SymbolButton::width(ui),
        }
    }

    /// Commands of the control's menu items.
    pub(super) fn commands(self) -> &'static [Command] {
        match self {
            Self::Gain | Self::Rate => &[Command::LessGain, Command::MoreGain],
            Self::AutomaticGain => &[Command::ToggleAutomaticGain],
            Self::Map => &[Command::ToggleAbsolute, Command::NextDifferenceMap],
            Self::Turn => &[Command::TurnWipe],
            Self::Exchange => &[Command::ExchangePair],
        }
    }

    /// Draws the control. Commands are pushed onto `asked`.
    pub(super) fn show(self, ui: &mut Ui, session: &mut Session, asked: &mut Vec<Command>) {
        match self {
            Self::Gain => asked.extend(gain_stepper(ui, session)),
            Self::Rate => asked.extend(rate_stepper(ui, session)),
            Self::AutomaticGain => {
                let is_on = session.difference().gain == Gain::Automatic;
                asked.extend(toggle(ui, AUTOMATIC, is_on, Command::ToggleAutomaticGain));
            }
            Self::Map => asked.extend(ui.scope(|ui| map_menu(ui, session)).inner),
            Self::Turn => {
                // The icon is of the line after the turn.
                let symbol = if session.line().is_horizontal { Symbol::Columns } else { Symbol::Rows };
                asked.extend(symbol_button(ui, symbol, Command::TurnWipe));
            }
            Self::Exchange => asked.extend(symbol_button(ui, Symbol::Swap, Command::ExchangePair)),
        }
    }
}

/// The toggle of the automatic gain. Its tooltip is that of its command.
const AUTOMATIC: Toggle<'static> = Toggle { text: "Auto", name: "Automatic gain", tip: "" };

/// Draws the button of `command`, which is named as in the menus. Returns the command if it was clicked.
pub(super) fn symbol_button(ui: &mut Ui, symbol: Symbol, command: Command) -> Option<Command> {
    let name = command.row().map_or("", |row| row.title);
    let tip = Keymap::in_force(ui).tooltip(command);
    (SymbolButton { symbol, name, tip: &tip }).show(ui, false).clicked().then_some(command)
}

fn toggle(ui: &mut Ui, toggle: Toggle<'_>, is_on: bool, command: Command) -> Option<Command> {
    let tip = Keymap::in_force(ui).tooltip(command);
    (Toggle { tip: &tip, ..toggle }).show(ui, is_on).clicked().then_some(command)
}

/// The kinds of a difference, and whether they are absolute.
const KINDS: [(bool, &str); 2] = [(false, "Signed"), (true, "Absolute")];

fn gain_stepper(ui: &mut Ui, session: &Session) -> Option<Command> {
    let keys = Keymap::in_force(ui);
    let gain = format!("Gain {}×", short(session.gain(), 4));
    let tip = match session.difference().gain {
        Gain::Automatic => {
            "Gain of the difference: the greatest at which the largest difference of the view is within the colour bar"
        }
        Gain::Fixed(_) => "Gain of the difference",
    };
    let stepper = Stepper {
        value: &gain,
        widest: WIDEST_GAIN,
        name: &gain,
        tip,
        step_names: ["Less gain", "More gain"],
        step_tips: [&keys.tooltip(Command::LessGain), &keys.tooltip(Command::MoreGain)],
    };
    stepper.show(ui).map(step_command)
}

fn rate_stepper(ui: &mut Ui, session: &Session) -> Option<Command> {
    let keys = Keymap::in_force(ui);
    let rate = session.flips_a_second();
    let tip = |text: &str, command: Command| format!("{text}  ({})", keys.key_text(command));
    let stepper = Stepper {
        value: &format!("{rate} Hz"),
        widest: WIDEST_RATE,
        name: &format!("Flicker rate {rate} Hz"),
        tip: "Flips per second",
        step_names: ["Slower", "Faster"],
        step_tips: [
            &tip("Halves the flicker rate", Command::LessGain),
            &tip("Doubles the flicker rate", Command::MoreGain),
        ],
    };
    stepper.show(ui).map(step_command)
}

fn step_command(step: Step) -> Command {
    match step {
        Step::Less => Command::LessGain,
        Step::More => Command::MoreGain,
    }
}

/// Draws the menu of both kinds of a difference and of its colour maps, titled by the colours of the shown one. Returns the command of the
/// other kind if that was chosen.
fn map_menu(ui: &mut Ui, session: &mut Session) -> Option<Command> {
    // Both panels have the same channels.
    let has_colour = session.page().channels().has_colour();
    let pair = session.pair()?;
    let (difference, usual) = (session.difference(), session.usual_map(pair));
    let shown = difference.map(usual);
    let palette = Palette::of_ui(ui);
    ui.spacing_mut().button_padding.x = MAP_PADDING;
    let button = Button::new((map_strip::sample(shown), Symbol::caret(palette.weak))).gap(MAP_GAP);
    let button = button.fill(palette.button).min_size(vec2(HIT_SIZE, HIT_SIZE));
    let mut asked = None;
    let tip = Keymap::in_force(ui).tooltip(Command::ToggleAbsolute);
    let (response, _) = MenuButton::from_button(button).ui(ui, |ui| {
        for (is_absolute, title) in KINDS {
            let is_chosen = is_absolute == difference.absolute;
            if ui.add(menu_item(is_chosen, title)).on_hover_text(&tip).clicked() {
                asked = (!is_chosen).then_some(Command::ToggleAbsolute);
                ui.close();
            }
        }
        ui.separator();
        let of_theme = difference.with_map(None);
        let map = of_theme.map(usual);
        let title = if difference.absolute { "As the theme" } else { "As the panels" };
        let item = menu_item(difference == of_theme, (map_strip::sample(map), title));
        if ui.add(item.gap(ITEM_GAP)).clicked() {
            session.set_difference(of_theme);
            ui.close();
        }
        ui.separator();
        for row in &COLOUR_MAPS {
            let is_chosen = difference != of_theme && row.colour_map == shown;
            let item = menu_item(is_chosen, (map_strip::sample(row.colour_map), row.colour_map.title_of(has_colour)));
            if ui.add(item.gap(ITEM_GAP)).clicked() {
                session.set_difference(difference.with_map(Some(row.colour_map)));
                ui.close();
            }
        }
    });
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Colour map"));
    if !egui::Popup::is_any_open(&response.ctx) {
        let of = if has_colour { "the difference's luminance" } else { "the difference" };
        let kind = if difference.absolute { "absolute" } else { "signed" };
        response.on_hover_text(format!("Colour map of {of}, {kind}: {}", shown.title_of(has_colour)));
    }
    asked
}
