//! Toolbar above the panels: menus, name of the image, scale.

use std::path::Path;

use egui::containers::menu::MenuButton;
use egui::{Align, Atom, Button, Layout, Popup, RichText, Role, Stroke, Ui, WidgetInfo, vec2};

use super::image_list;
use super::menus::{self, MenuInput, command_items};
use super::side_bar::image_section;
use super::status::zoom_text;
use crate::app::commands::{Command, Keymap};
use crate::app::session::history::Framing;
use crate::app::session::panel_sets::PanelSet;
use crate::app::session::preferences::Preferences;
use crate::app::session::{COMPARES, Compare};
use crate::app::session::{Link, Session};
use crate::app::widgets::fit::text_width;
use crate::app::widgets::line_text::LineText;
use crate::app::widgets::number::five_digits;
use crate::app::widgets::stepper::{Step, Stepper};
use crate::app::widgets::symbol::{CARET_WIDTH, Symbol, SymbolButton};
use crate::app::widgets::theme::{CONTROL_HEIGHT, HIT_SIZE, Palette, SPACE, text_size};
use crate::app::widgets::toggle::{Widths, segments_with_tips};
use crate::view::View;

/// The widest text of a scale.
const WIDEST_SCALE: &str = "00.000×";
/// A wide text of a scale in a menu, whose button grows with a wider one.
const WIDE_SCALE: &str = "0.00×";
/// Distance of the image's name from the menus, and its least width where something follows it, in points.
const NAME_DISTANCE: f32 = 5.0 * SPACE;
const LEAST_NAME_WIDTH: f32 = 16.0;
/// Least distance of the name from what follows it, in points, with *Open* as text. With less, *Open* is an icon.
const NAME_RESERVE: f32 = 4.0 * SPACE;
/// Width of the button that opens a file, with the gap behind it, in points, and that gap.
const OPEN_WIDTH: f32 = 88.0;
const OPEN_GAP: f32 = 3.0 * SPACE;
/// Width of the link mode's name, in points.
const LINK_WIDTH: f32 = 110.0;
/// Width of the toolbar below which the menus are submenus of one, in points. In a narrower one seven titles crowd the comparison and the scale.
const FOLDED: f32 = 1360.0;
/// Width of the button that looks like a field and opens the palette, in points.
const FIND_WIDTH: f32 = 224.0;
/// Width of the toolbar below which *Find*, *Fit*, 1:1 and the steps of the scale have no button, in points.
const SMALL: f32 = 872.0;
/// Width of *Fit* and 1:1, and of both with the gap to the scale and the least room for a name, in points.
const FIT_CHOICE: f32 = 76.0;
const FIT_WIDTH: f32 = 152.0;
/// Name of the choice of a comparison, for assistive technology, and of its menu, which is not the menu *Compare*.
const COMPARE: &str = "Compare";
const COMPARISON: &str = "Comparison";
/// Width of the choice of a comparison, its distance from the scale, and the room that it leaves for the name of the image and the button that
/// opens files, in points.
const COMPARE_WIDTH: f32 = 264.0;
const COMPARE_DISTANCE: f32 = 4.0 * SPACE;
const BESIDE_COMPARE: f32 = 120.0;
/// The same beside the number of an image among several, where the button that opens files may be an icon.
const BESIDE_COMPARE_OF_MANY: f32 = 76.0;
/// Room that the menu of comparisons leaves for the name of the image, in points.
const BESIDE_COMPARE_MENU: f32 = NAME_DISTANCE + 12.0 * SPACE;
/// The commands of the menu of scales.
const SCALES: &[Command] = &[
    Command::Fit,
    Command::Times(1),
    Command::Times(2),
    Command::Times(4),
    Command::Times(8),
    Command::ZoomIn,
    Command::ZoomOut,
];
/// Width of the menu of panels, in points, and its commands in groups.
const PANELS_WIDTH: f32 = 88.0;
const PANEL_COMMANDS: [&[Command]; 2] = [
    &[
        Command::Arrange(PanelSet::Four),
        Command::Arrange(PanelSet::AllMethods),
        Command::Arrange(PanelSet::AddressModes),
        Command::Arrange(PanelSet::Prefilter),
        Command::Arrange(PanelSet::Truth),
    ],
    &[Command::AddPanel, Command::DuplicatePanel, Command::ClosePanel],
];
/// Height, in points.
pub(in crate::app) const HEIGHT: f32 = 36.0;

/// Margin at both ends, in points: the text of the first menu, which has a padding of its own, begins where the status line begins.
pub(in crate::app) const MARGIN: f32 = SPACE;

/// What the toolbar shows.
#[derive(Clone, Copy, Debug)]
pub(in crate::app) struct ToolbarInput<'a> {
    /// The session.
    pub(in crate::app) session: &'a Session,
    /// The preferences.
    pub(in crate::app) preferences: &'a Preferences,
    /// Source of the focused panel's image: the path of its file, or the name of a built-in or synthetic image; `None` if it
    /// has none.
    pub(in crate::app) source: Option<&'a Path>,
    /// Whether the side bar is shown.
    pub(in crate::app) has_side_bar: bool,
    /// Whether the palette is open, whose own field takes the place of the toolbar's.
    pub(in crate::app) has_palette: bool,
}

/// Draws the toolbar. Returns the chosen commands.
pub(in crate::app) fn show(ui: &mut Ui, input: ToolbarInput<'_>) -> Vec<Command> {
    let ToolbarInput { session, preferences, source, has_side_bar, has_palette } = input;
    let mut chosen = Vec::new();
    egui::MenuBar::new().ui(ui, |ui| {
        let [is_folded, is_small] = [FOLDED, SMALL].map(|width| ui.available_width() < width);
        ui.spacing_mut().button_padding = vec2(2.0 * SPACE, 0.5 * SPACE);
        let input = MenuInput { session, preferences };
        if is_folded {
            menus::show_folded(ui, input, &mut chosen);
        } else {
            menus::show(ui, input, &mut chosen);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let room = |after: f32| {
                ui.available_width() - if after > 0.0 { NAME_DISTANCE + LEAST_NAME_WIDTH + after } else { 0.0 }
            };
            let after =
                [after_name_width(ui, session, &image_list::numbers(session)), after_name_width(ui, session, &[])];
            let [room, most_room] = after.map(room);
            buttons(ui, session, Buttons { room, most_room, is_small, has_side_bar, has_palette }, &mut chosen);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                document(ui, session, source, &mut chosen);
            });
        });
    });
    chosen
}

/// The name of the image with its source and facts in a tooltip, its number among the open images, and the link mode if it is
/// not the usual one.
fn document(ui: &mut Ui, session: &Session, source: Option<&Path>, chosen: &mut Vec<Command>) {
    let palette = Palette::of_ui(ui);
    let keys = Keymap::in_force(ui);
    if ui.available_width() < NAME_DISTANCE + LEAST_NAME_WIDTH {
        return;
    }
    separator(ui);
    let mut numbers = image_list::numbers(session);
    let name = LineText::medium(session.image().name());
    let whole = after_name_width(ui, session, &numbers) + name.width(ui.painter()) + OPEN_WIDTH;
    let icon = SymbolButton::width(ui) + OPEN_GAP;
    let has_text = whole + NAME_RESERVE <= ui.available_width();
    if has_text || LEAST_NAME_WIDTH + after_name_width(ui, session, &numbers) + icon <= ui.available_width() {
        let (name, tip) = ("Open a file", keys.tooltip(Command::Open));
        let response = if has_text {
            let open = Button::new((Symbol::Folder.atom(Some(palette.weak)), "Open")).gap(SPACE);
            let response = ui.add(open.min_size(vec2(0.0, HIT_SIZE))).on_hover_text(tip);
            response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
            response
        } else {
            SymbolButton { symbol: Symbol::Folder, name, tip: &tip }.show(ui, false)
        };
        if response.clicked() {
            chosen.push(Command::Open);
        }
        ui.add_space(OPEN_GAP);
    }
    // A number that has no room is in the side bar, and *File · Go to* has its commands.
    while !numbers.is_empty() && LEAST_NAME_WIDTH + after_name_width(ui, session, &numbers) > ui.available_width() {
        numbers.pop();
    }
    // The name leaves room for what follows it.
    let after = after_name_width(ui, session, &numbers);
    let room = vec2((ui.available_width() - after).max(0.0), ui.available_height());
    ui.scope(|ui| {
        ui.set_max_width(room.x);
        name.label(ui, palette.text).on_hover_text(document_tip(session, source));
    });
    for (text, [back, on]) in numbers {
        ui.add_space(2.0 * SPACE);
        ui.label(RichText::new(text).size(text_size::VALUE).color(palette.weak));
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            for (symbol, command) in [(Symbol::Previous, back), (Symbol::Next, on)] {
                let name = command.row().map_or("", |row| row.title);
                if (SymbolButton { symbol, name, tip: &keys.tooltip(command) }).show(ui, false).clicked() {
                    chosen.push(command);
                }
            }
        });
    }
    if has_link(session) {
        let link = session.link();
        ui.add_space(2.0 * SPACE);
        let text = RichText::new(link.row().title).color(palette.weak);
        let tip = format!("{}  ({})", link.row().help, keys.key_text(Command::NextLink));
        ui.add(egui::Label::new(text).selectable(false).truncate()).on_hover_text(tip);
    }
}

/// Draws a line that separates the menus, the button that opens files and the name of the image.
fn separator(ui: &mut Ui) {
    ui.add_space(2.0 * SPACE);
    let line = Stroke::new(1.0, Palette::of_ui(ui).line);
    ui.painter().vline(ui.cursor().left(), ui.max_rect().shrink(SPACE).y_range(), line);
    ui.add_space(NAME_DISTANCE - 2.0 * SPACE);
}

/// Whether the link mode is shown: it is not the usual one.
fn has_link(session: &Session) -> bool {
    session.link() != Link::Absolute && session.panels().len() > 1
}

/// Width of what follows the name of the image: `numbers`, each with its two buttons, and the link mode, in points.
fn after_name_width(ui: &Ui, session: &Session, numbers: &[(String, [Command; 2])]) -> f32 {
    let button = SymbolButton::width(ui);
    let number = |(text, _): &(String, _)| 5.0 * SPACE + text_width(ui, text, text_size::VALUE) + 2.0 * button;
    numbers.iter().map(number).sum::<f32>() + if has_link(session) { LINK_WIDTH } else { 0.0 }
}

/// Source, size, channels, depth and number of pages of the focused panel's image, one per line.
fn document_tip(session: &Session, source: Option<&Path>) -> String {
    let source = source.map_or_else(|| session.image().name().to_owned(), |source| source.display().to_string());
    let pages = match session.image().pages().len() {
        1 => String::new(),
        count => format!("\n{count} pages"),
    };
    format!("{source}\n{}{pages}", image_section::facts(session))
}

/// The buttons at the right.
#[derive(Clone, Copy, Debug)]
struct Buttons {
    /// Their room, in points, and their room where the numbers behind the image's name give way.
    room: f32,
    most_room: f32,
    /// Whether the toolbar is small.
    is_small: bool,
    /// Whether the side bar is shown.
    has_side_bar: bool,
    /// Whether the palette is open.
    has_palette: bool,
}

/// From right to left: keys, side bar, find, 1:1, fit, the scale between its two buttons, the comparison, and the number of panels. Where it has
/// room, find is a field at the left of these. Those that do not fit are omitted.
fn buttons(ui: &mut Ui, session: &Session, wanted: Buttons, chosen: &mut Vec<Command>) {
    let Buttons { room, most_room, is_small, has_side_bar, has_palette } = wanted;
    let keys = Keymap::in_force(ui);
    // What has no room is in the menu *View* and has keys.
    ui.spacing_mut().item_spacing.x = 0.5 * SPACE;
    let mut symbol = |ui: &mut Ui, symbol: Symbol, name: &str, (command, is_on): (Command, bool)| {
        if (SymbolButton { symbol, name, tip: &keys.tooltip(command) }).show(ui, is_on).clicked() {
            chosen.push(command);
        }
    };
    symbol(ui, Symbol::Help, "Keys", (Command::Help, false));
    symbol(ui, Symbol::SideBar, "Side bar", (Command::ToggleSideBar, has_side_bar));
    let icon = SymbolButton::width(ui);
    let with_scale =
        if is_small { 2.0 * icon + scale_menu_width(ui) } else { 3.0 * icon + Stepper::width(ui, WIDEST_SCALE) };
    let with_scale = with_scale + 6.0 * SPACE;
    let fit_width = if is_small { 0.0 } else { FIT_WIDTH };
    let beside_name = if session.images().len() > 1 { BESIDE_COMPARE_OF_MANY } else { BESIDE_COMPARE };
    let with_compare = if session.panels().len() > 1 { COMPARE_WIDTH + COMPARE_DISTANCE } else { 0.0 };
    let with_find = FIND_WIDTH + COMPARE_DISTANCE + NAME_RESERVE;
    let has_field = !is_small && room >= with_scale + fit_width + with_compare + beside_name + with_find;
    if !is_small && !has_field {
        symbol(ui, Symbol::Search, "Find", (Command::Palette, false));
    }
    if !is_small && room >= with_scale + FIT_WIDTH {
        fit_choice(ui, session, &keys, chosen);
    }
    // The list of images has the numbers, too; the scale is here alone.
    if most_room >= with_scale {
        scale(ui, (session, is_small), &keys, chosen);
    }
    if session.panels().len() > 1 {
        compare_choice(ui, session, room - with_scale - fit_width - COMPARE_DISTANCE - beside_name, chosen);
    }
    let beside_panels = if has_field { with_compare + with_find } else { with_compare };
    if !is_small && room >= with_scale + fit_width + beside_panels + beside_name + PANELS_WIDTH + COMPARE_DISTANCE {
        ui.add_space(if session.panels().len() > 1 { 2.0 * SPACE } else { COMPARE_DISTANCE });
        chosen.extend(panels_menu(ui, session));
    }
    if has_field {
        ui.add_space(COMPARE_DISTANCE);
        chosen.extend(find_field(ui, &keys, has_palette).then_some(Command::Palette));
    }
}

/// The choice of a comparison: by titles, by icons where these have no room, or by a menu.
fn compare_choice(ui: &mut Ui, session: &Session, room: f32, chosen: &mut Vec<Command>) {
    let keys = Keymap::in_force(ui);
    let parts = |compare: Compare| match compare {
        Compare::SideBySide => (Command::SideBySide, Symbol::Panels),
        Compare::Wipe => (Command::Wipe, Symbol::Wipe),
        Compare::Difference => (Command::Difference, Symbol::Difference),
    };
    let tip = |compare: Compare| keys.tooltip(parts(compare).0);
    let mut asked = None;
    if room >= COMPARE_WIDTH {
        ui.add_space(COMPARE_DISTANCE);
        let choices = COMPARES.each_ref().map(|row| (row.compare, row.title));
        let place = vec2(COMPARE_WIDTH, CONTROL_HEIGHT);
        let choice = ui.allocate_ui_with_layout(place, Layout::left_to_right(Align::Center), |ui| {
            segments_with_tips(ui, (COMPARE, Widths::ByText), session.compare(), &choices, tip)
        });
        asked = choice.inner;
    } else if room >= COMPARES.len() as f32 * SymbolButton::width(ui) {
        ui.add_space(COMPARE_DISTANCE);
        for row in COMPARES.iter().rev() {
            let button = SymbolButton {
                symbol: parts(row.compare).1,
                name: &format!("{COMPARE}: {}", row.title),
                tip: &format!("{}\n{}", row.title, tip(row.compare)),
            };
            if button.show(ui, row.compare == session.compare()).clicked() {
                asked = Some(row.compare);
            }
        }
    } else if ui.available_width() >= COMPARE_DISTANCE + compare_menu_width(ui) + BESIDE_COMPARE_MENU {
        ui.add_space(SPACE);
        let shown = COMPARES.iter().find(|row| row.compare == session.compare()).map_or("", |row| row.title);
        let (symbol, tip) = (parts(session.compare()).1.atom(None), format!("{COMPARE}: {shown}"));
        let menu = CommandMenu { name: COMPARISON, tip: &tip, width: compare_menu_width(ui) };
        let command = menu.show(ui, session, symbol, &[&COMPARES.each_ref().map(|row| parts(row.compare).0)]);
        asked = COMPARES.iter().map(|row| row.compare).find(|compare| Some(parts(*compare).0) == command);
        // From the name of the image.
        ui.add_space(SPACE);
    }
    // The command of the comparison on show would end it.
    chosen.extend(asked.filter(|compare| *compare != session.compare()).map(|compare| parts(compare).0));
}

/// Draws the number of panels, of a comparison that of the compared ones, as the button of a menu: sets of panels, and one panel more or less.
/// Returns the chosen command.
fn panels_menu(ui: &mut Ui, session: &Session) -> Option<Command> {
    let text = match session.panels().len() {
        1 => "1 panel".to_owned(),
        count if session.compare() == Compare::SideBySide => format!("{count} panels"),
        count => format!("2 of {count}"),
    };
    let tip = "Sets of panels, and one panel more or less";
    let menu = CommandMenu { name: "Panels", tip, width: PANELS_WIDTH };
    ui.scope(|ui| {
        let text = LineText::regular(&text, text_size::BODY).within(ui.painter(), f32::INFINITY);
        let text = text.atom(Palette::of_ui(ui).text);
        menu.show(ui, session, text, &PANEL_COMMANDS)
    })
    .inner
}

/// Draws the button that opens the palette, as a field with its key; its place alone while the palette is open. Returns whether it was clicked.
fn find_field(ui: &mut Ui, keys: &Keymap, has_palette: bool) -> bool {
    let palette = Palette::of_ui(ui);
    let weak = |text: &str| RichText::new(text).color(palette.weak);
    let field = Button::new((Symbol::Search.atom(Some(palette.weak)), weak("Find a command"))).gap(2.0 * SPACE);
    let field = field.shortcut_text(weak(&keys.key_text(Command::Palette)).size(text_size::UNIT));
    let field = field.fill(palette.field).stroke(Stroke::new(1.0, palette.line));
    let response = ui.add_visible(!has_palette, field.min_size(vec2(FIND_WIDTH, CONTROL_HEIGHT)));
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Find"));
    response.on_hover_text(keys.tooltip(Command::Palette)).clicked()
}

/// Width of the menu of comparisons, in points.
fn compare_menu_width(ui: &Ui) -> f32 {
    SymbolButton::width(ui) + CARET_WIDTH
}

/// Draws the choice of *Fit* and 1:1. Either can be chosen again.
fn fit_choice(ui: &mut Ui, session: &Session, keys: &Keymap, chosen: &mut Vec<Command>) {
    ui.add_space(2.0 * SPACE);
    let is_fitted = session.framing() == Framing::Fit;
    let is_whole = session.view().scale() == 1.0 && !is_fitted;
    let shown = is_fitted.then_some(Command::Fit).or(is_whole.then_some(Command::Times(1)));
    let choices = [Command::Fit, Command::Times(1)].map(Some).into_iter().zip(["Fit", "1:1"]).collect::<Vec<_>>();
    let tip = |command: Option<Command>| command.map_or_else(String::new, |command| keys.tooltip(command));
    let size = vec2(FIT_CHOICE, CONTROL_HEIGHT);
    let choice = ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
        segments_with_tips(ui, ("", Widths::ByText), shown, &choices, tip)
    });
    chosen.extend(choice.inner.flatten());
}

/// Tooltip of the scale along x: in pixels of the screen, which the methods fill, and in points where a point has other pixels;
/// with the scale along y of a stretched view.
fn scale_tip(view: &View, pixels_per_point: f32) -> String {
    let scale = view.scale();
    let points = if pixels_per_point == 1.0 {
        String::new()
    } else {
        let (ppp, points) = (f64::from(pixels_per_point), 1.0 / (scale * f64::from(pixels_per_point)));
        format!("\n{} points per sample: a point is {} pixels of this display", five_digits(points), five_digits(ppp))
    };
    let along = if view.has_square_pixels() {
        String::new()
    } else {
        let down = view.scales()[1];
        format!(" along x\nAlong y {}, {} samples per pixel", zoom_text(down), five_digits(down))
    };
    format!(
        "Pixels of the screen per sample, at every display scale\n{} samples per pixel{along}{points}",
        five_digits(scale)
    )
}

/// The scale, between its two buttons unless the toolbar is small.
fn scale(ui: &mut Ui, (session, is_small): (&Session, bool), keys: &Keymap, chosen: &mut Vec<Command>) {
    ui.add_space(SPACE);
    let view = session.view();
    let scale = view.scale();
    let stepper = Stepper {
        value: &zoom_text(scale),
        widest: WIDEST_SCALE,
        name: &zoom_text(scale),
        tip: &scale_tip(&view, ui.pixels_per_point()),
        step_names: ["Zoom out", "Zoom in"],
        step_tips: [&keys.tooltip(Command::ZoomOut), &keys.tooltip(Command::ZoomIn)],
    };
    if is_small {
        // Where *Fit*, 1:1 and the buttons of the steps have no room.
        let menu = CommandMenu { name: stepper.name, tip: stepper.tip, width: scale_menu_width(ui) };
        chosen.extend(menu.show(ui, session, stepper.value.to_owned(), &[SCALES]));
        return;
    }
    chosen.extend(stepper.show(ui).map(|step| match step {
        Step::Less => Command::ZoomOut,
        Step::More => Command::ZoomIn,
    }));
}

/// Width of the menu of scales, in points.
fn scale_menu_width(ui: &Ui) -> f32 {
    Stepper::value_width(ui, WIDE_SCALE) + CARET_WIDTH
}

/// A menu in the toolbar, in the place of controls without room.
struct CommandMenu<'a> {
    /// Name for assistive technology.
    name: &'a str,
    /// Text of the tooltip.
    tip: &'a str,
    /// Width of the button, in points.
    width: f32,
}

impl CommandMenu<'_> {
    /// Draws the button with what is `shown` on it, and the menu of `groups` of commands. Returns the chosen command.
    fn show(
        &self,
        ui: &mut Ui,
        session: &Session,
        shown: impl Into<Atom<'static>>,
        groups: &[&[Command]],
    ) -> Option<Command> {
        let palette = Palette::of_ui(ui);
        ui.spacing_mut().button_padding.x = SPACE;
        let button = Button::new((shown.into(), Symbol::caret(palette.weak))).gap(SPACE).fill(palette.button);
        let button = button.stroke(Stroke::new(1.0, palette.line)).min_size(vec2(self.width, HIT_SIZE));
        let (response, chosen) = MenuButton::from_button(button).ui(ui, |ui| {
            let mut chosen = None;
            for (place, commands) in groups.iter().enumerate() {
                if place > 0 {
                    ui.separator();
                }
                chosen = command_items(ui, session, commands).or(chosen);
            }
            chosen
        });
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, self.name));
        if !Popup::is_any_open(&response.ctx) {
            response.on_hover_text(self.tip);
        }
        chosen.and_then(|chosen| chosen.inner)
    }
}
