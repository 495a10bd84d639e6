//! The dialog of key bindings: a sheet with a search field, the common keys or all in columns, and a foot that says what the line
//! under the pointer does. A click on the line of a command runs the command.
//!
//! ```text
//! ╭──────────────────────────────────────────────────────────╮
//! │ Keys  [ search field       found ]  [ Common | All ]  ✕ │  head
//! │ ▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓  group              group              │
//! │ ▓▓ essentials ▓▓▓  line          key  line          key  │  list, which scrolls in a small window
//! │ ▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓  line          key  line          key  │
//! │ ──────────────────────────────────────────────────────── │
//! │ what the line under the pointer does                     │  foot
//! ╰──────────────────────────────────────────────────────────╯
//! ```

use egui::emath::GuiRounding as _;
use egui::scroll_area::ScrollBarVisibility;
use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{
    Align, Align2, Atom, FontId, Id, Key, Layout, Margin, Modal, Rect, Role, ScrollArea, Sense, Stroke, Ui, UiBuilder,
    Vec2, WidgetInfo, pos2, vec2,
};

use super::key_columns::{self, Columns, Pitch};
use super::key_groups::{Extent, Group, count, found, groups};
use super::key_list::{self, Look, Pointed};
use super::modal;
use crate::app::bars::{status, toolbar};
use crate::app::commands::keymap::KeyLine;
use crate::app::commands::{Command, Keymap};
use crate::app::widgets::caret;
use crate::app::widgets::line_text::LineText;
use crate::app::widgets::symbol::Symbol;
use crate::app::widgets::theme::{CONTROL_HEIGHT, Palette, SPACE, medium, text_size, with_scroll_bar};
use crate::app::widgets::toggle::segments;

/// Distance of the sheet from the top of the window, below the toolbar, and from its foot, above the status line, in points.
const ABOVE: f32 = toolbar::HEIGHT + SPACE;
const BELOW: f32 = status::HEIGHT + SPACE;
/// Least and greatest width of the window at both sides of the sheet, in points.
const AROUND: [f32; 2] = [8.0, 24.0];
/// Shorter side of a window with the least of it, in points, and growth of it with that side.
const SMALL_WINDOW: f32 = 440.0;
const AROUND_GROWTH: f32 = 0.04;
/// Width of the sheet's border, in points.
const BORDER: f32 = 1.0;
/// Distances of the contents from the sides of the sheet in a window that is at least as wide, and in a narrower one, in points.
const SIDES: [f32; 2] = [6.0 * SPACE, 4.0 * SPACE];
const WIDE_WINDOW: f32 = 1000.0;
/// Distance of the contents from the top and the bottom of the sheet, in points.
const TOP: f32 = 4.0 * SPACE;
const BOTTOM: f32 = 3.0 * SPACE;
/// Height of the lines of the list of all keys in a sheet that is as high as it may be, in points.
const HIGHEST_LINE: f32 = 24.0;
/// Height of the head and gap below it, in points.
const HEAD: f32 = 28.0;
const HEAD_GAP: f32 = 4.0 * SPACE;
/// Gap between the list and the rule of the foot, and distance of the rule from the text below it, in points.
const FOOT_GAP: f32 = 4.0 * SPACE;
const RULE_GAP: f32 = 2.5 * SPACE;
/// Height of a line of the foot, in points.
const FOOT_LINE: f32 = 18.0;
/// Width of the contents from which on each description is one line, in points. In narrower ones the foot has two.
const WIDE_FOOT: f32 = 880.0;
/// Minimum height of the list, in points.
const LEAST_LIST: f32 = 60.0;
/// Least width of the search field, and width of the number of lines that are found in it, in points.
const LEAST_FIELD: f32 = 40.0;
const NUMBER: f32 = 60.0;
/// Width of the choice between the common keys and all, in points.
const CHOICE: f32 = 208.0;
/// Width of the button that closes the sheet with the gaps around the choice, in points.
const BEHIND_FIELD: f32 = 60.0;
/// Distance of the scroll bar from the keys, in points.
const BAR_GAP: f32 = 3.0 * SPACE;
/// Name of the search field.
const NAME: &str = "Find a command or key";
/// What the foot says while the pointer is over no line.
const HINT: &str = "Point at a line to read what it does, click to run it";

/// What the user did in the dialog.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum KeysAnswer {
    /// Nothing that ends it.
    Pending,
    /// Closed it.
    Cancelled,
    /// Chose a command.
    Chosen(Command),
}

/// The dialog.
#[derive(Debug, Default)]
pub(super) struct KeysDialog {
    query: String,
    extent: Extent,
    is_open: bool,
}

impl KeysDialog {
    /// Draws the dialog.
    pub(super) fn show(&mut self, ui: &Ui) -> KeysAnswer {
        let size = sheet_size(ui, self.extent);
        // In the middle between toolbar and status line.
        let free = ui.content_rect().height() - ABOVE - size.y - 2.0 * BORDER - BELOW;
        let id = Id::unique("keys");
        let area = Modal::default_area(id).anchor(Align2::CENTER_TOP, vec2(0.0, ABOVE + (0.5 * free.max(0.0)).round()));
        let modal = modal::modal_with_margin(ui, id, Margin::ZERO).area(area).show(ui, |ui| {
            let (sheet, _) = ui.allocate_exact_size(size, Sense::hover());
            self.contents(ui, Parts::of(sheet, side(ui)))
        });
        if modal.should_close() { KeysAnswer::Cancelled } else { modal.inner }
    }

    /// Draws the contents of the sheet.
    fn contents(&mut self, ui: &mut Ui, parts: Parts) -> KeysAnswer {
        let keys = Keymap::in_force(ui);
        let head = UiBuilder::new().max_rect(parts.head);
        let (is_closed, is_entered) = ui.scope_builder(head, |ui| self.head(ui, &keys)).inner;
        // The text that the field has now.
        let shown = self.shown(&keys);
        let list = UiBuilder::new().max_rect(parts.list);
        let pointed = ui.scope_builder(list, |ui| self.list(ui, &keys, &shown)).inner;
        show_foot(ui, parts.foot, pointed.map(|pointed| pointed.line));
        let clicked = pointed.filter(|pointed| pointed.is_clicked).and_then(|pointed| pointed.line.command);
        // The list of all commands finds what has no key.
        let palette = Some(Command::Palette).filter(|command| keys.is_called_with_ctrl(ui, *command));
        let entered = self.only_command(&shown).filter(|_| is_entered);
        match clicked.or(palette).or(entered) {
            Some(command) => KeysAnswer::Chosen(command),
            None if is_closed => KeysAnswer::Cancelled,
            None => KeysAnswer::Pending,
        }
    }

    /// The command of the only line that a search finds.
    fn only_command(&self, shown: &[Group]) -> Option<Command> {
        let mut lines = shown.iter().flat_map(|group| &group.lines);
        let only = lines.next().filter(|_| !self.query.trim().is_empty())?;
        only.command.filter(|_| lines.next().is_none())
    }

    /// The groups with the lines that the search finds among all; without a search, those of the chosen extent.
    fn shown(&self, keys: &Keymap) -> Vec<Group> {
        match self.query.trim() {
            "" => groups(keys, self.extent),
            query => found(keys, query),
        }
    }

    /// Draws title, search field, extent and number of lines. Returns whether the dialog is to be closed, and whether Enter was pressed in the
    /// field.
    fn head(&mut self, ui: &mut Ui, keys: &Keymap) -> (bool, bool) {
        let mut is_entered = false;
        let is_closed = modal::title_row(ui, "Keys", |ui| {
            ui.add_space(2.0 * SPACE);
            let weak = Palette::of_ui(ui).weak;
            let all = count(&groups(keys, Extent::All));
            // Room for the number of lines that are found.
            let number = Atom::paint(vec2(NUMBER, 0.0), |_, _| {});
            let edit = egui::TextEdit::singleline(&mut self.query)
                .hint_text(caret::hint(ui, NAME))
                .suffix((number, Symbol::Search.atom(Some(weak))))
                .desired_width((ui.available_width() - CHOICE - BEHIND_FIELD).max(LEAST_FIELD))
                .align(Align2::LEFT_CENTER);
            let response = ui.add(edit);
            let query = &self.query;
            response.widget_info(|| {
                let mut info = WidgetInfo::text_edit(true, query, query, NAME);
                info.label = Some(NAME.to_owned());
                info
            });
            if !std::mem::replace(&mut self.is_open, true) {
                // The text of the key that opened the dialog is not typed into it.
                response.request_focus();
            }
            is_entered = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            if is_entered {
                // What is typed next is searched for.
                response.request_focus();
            }
            let query = self.query.trim();
            if !query.is_empty() {
                let text = format!("{} of {all}", count(&found(keys, query)));
                let place = response.rect.with_max_x(response.rect.right() - text_size::ICON - 3.0 * SPACE);
                let builder = UiBuilder::new().max_rect(place).layout(Layout::right_to_left(Align::Center));
                LineText::regular(&text, text_size::VALUE).label(&mut ui.new_child(builder), weak);
            }
            ui.add_space(2.0 * SPACE);
            let size = vec2(CHOICE, CONTROL_HEIGHT);
            let chosen = ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
                segments(
                    ui,
                    ("Keys", ""),
                    self.extent,
                    &[(Extent::Common, "Common"), (Extent::All, &format!("All {all} keys"))],
                )
            });
            if let Some(extent) = chosen.inner {
                self.extent = extent;
                // What is typed next is searched for.
                response.request_focus();
            }
        });
        (is_closed, is_entered)
    }

    /// Draws the groups that are `shown`. Returns the line under the pointer.
    fn list<'a>(&self, ui: &mut Ui, keys: &Keymap, shown: &'a [Group]) -> Option<Pointed<'a>> {
        let (size, scale) = (ui.available_size(), ui.pixels_per_point());
        let fitting = pitch(&groups(keys, self.extent), shown, (size, scale));
        let look =
            Look { pitch: fitting.unwrap_or(Pitch::scrolled(scale)), is_on_card: false, query: self.query.trim() };
        with_scroll_bar(ui, Palette::of_ui(ui));
        ui.spacing_mut().scroll.bar_inner_margin = BAR_GAP;
        // Without a line that is out of sight there is no bar.
        let bar =
            if fitting.is_some() { ScrollBarVisibility::AlwaysHidden } else { ScrollBarVisibility::VisibleWhenNeeded };
        let area = ScrollArea::vertical().auto_shrink([false, false]).max_height(size.y).min_scrolled_height(size.y);
        let list = area.scroll_bar_visibility(bar).show(ui, |ui| {
            if shown.is_empty() {
                let keys = keys.key_text(Command::Palette);
                let elsewhere = if keys.is_empty() { String::new() } else { format!(". {keys} finds what has no key") };
                ui.label(format!("No key for “{}”{elsewhere}", look.query));
                return None;
            }
            let columns = Columns::of(size.x.min(ui.available_width()), shown);
            key_list::show(ui, &columns, shown, look)
        });
        list.inner
    }
}

/// Heights of a list in which the groups `shown` need no scroll bar; `None` if they need one. A search's result has the lines of `whole`, the
/// list that it was typed over, unless it has more lines than that.
fn pitch(whole: &[Group], shown: &[Group], (size, scale): (Vec2, f32)) -> Option<Pitch> {
    let fitting = |groups: &[Group]| Pitch::that_fits(&Columns::of(size.x, groups), groups, (size.y, scale));
    let of_whole = fitting(whole)?;
    let fits = Columns::of(size.x, shown).height(shown, of_whole) <= size.y;
    if fits { Some(of_whole) } else { fitting(shown) }
}

/// The parts of the sheet.
#[derive(Clone, Copy, Debug)]
struct Parts {
    head: Rect,
    list: Rect,
    foot: Rect,
}

impl Parts {
    /// The parts of `sheet`, whose contents are `side` points within its sides.
    fn of(sheet: Rect, side: f32) -> Self {
        let contents = Rect::from_x_y_ranges(
            sheet.left() + side..=sheet.right() - side,
            sheet.top() + TOP..=sheet.bottom() - BOTTOM,
        );
        let foot = contents.with_min_y(contents.bottom() - foot_height(contents.width()));
        let list = contents.top() + HEAD + HEAD_GAP..=foot.top() - FOOT_GAP;
        Self {
            head: contents.with_max_y(contents.top() + HEAD),
            list: Rect::from_x_y_ranges(contents.x_range(), list),
            foot,
        }
    }
}

/// Size of the sheet within its border. It is no higher than the lines of `extent` need, and the window is seen around it.
fn sheet_size(ui: &Ui, extent: Extent) -> Vec2 {
    let window = ui.content_rect().size();
    let around = AROUND[0] + AROUND_GROWTH * (window.min_elem() - SMALL_WINDOW);
    let sides = 2.0 * around.clamp(AROUND[0], AROUND[1]).round();
    let room = window - vec2(sides, ABOVE + BELOW) - Vec2::splat(2.0 * BORDER);
    let shown = groups(&Keymap::in_force(ui), extent);
    let widest = key_columns::most_width(&shown) + 2.0 * side(ui);
    let contents = room.x.min(widest).floor() - 2.0 * side(ui);
    // The rule of the foot ends where the columns do, whose widths are whole points.
    let contents = Columns::of(contents, &shown).whole_width();
    let line = match extent {
        Extent::Common => key_columns::HIGHEST.into(),
        Extent::All => HIGHEST_LINE,
    };
    let pitch = Pitch::of(line, ui.pixels_per_point()).in_rows(extent == Extent::Common);
    let list = Columns::of(contents, &shown).height(&shown, pitch);
    let others = TOP + HEAD + HEAD_GAP + FOOT_GAP + foot_height(contents) + BOTTOM;
    let height = room.y.min(list + others).floor().max(LEAST_LIST + others);
    vec2(contents + 2.0 * side(ui), height)
}

/// Distance of the contents from the sides of the sheet, in points.
fn side(ui: &Ui) -> f32 {
    if ui.content_rect().width() >= WIDE_WINDOW { SIDES[0] } else { SIDES[1] }
}

/// Height of the foot in contents of this width, in points.
fn foot_height(width: f32) -> f32 {
    RULE_GAP + FOOT_LINE * foot_lines(width) as f32
}

/// Number of lines of the foot in contents of this width.
fn foot_lines(width: f32) -> usize {
    if width >= WIDE_FOOT { 1 } else { 2 }
}

/// Draws the rule of the foot and, below it, the title of the line under the pointer with its description.
fn show_foot(ui: &mut Ui, place: Rect, pointed: Option<&KeyLine>) {
    let palette = Palette::of_ui(ui);
    let rule = place.top().round_to_pixel_center(ui.pixels_per_point());
    ui.painter().hline(place.x_range(), rule, Stroke::new(1.0, palette.line));
    let (title, text, colour) = match pointed {
        Some(line) => (format!("{}  ", line.title), line.help, palette.text),
        None => (String::new(), HINT, palette.weak),
    };
    let mut job = LayoutJob::default();
    job.append(&title, 0.0, TextFormat::simple(medium(text_size::BODY), colour));
    job.append(text, 0.0, TextFormat::simple(FontId::proportional(text_size::BODY), colour));
    job.wrap =
        TextWrapping { max_width: place.width(), max_rows: foot_lines(place.width()), ..TextWrapping::default() };
    let galley = ui.painter().layout_job(job);
    ui.painter().galley(pos2(place.left(), place.top() + RULE_GAP), galley, colour);
    let response = ui.allocate_rect(place, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{title}{text}")));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Letters that most lines have find more lines than the common ones.
    #[test]
    fn list_without_a_scroll_bar_has_room_for_what_a_search_finds() {
        let keys = Keymap::default();
        let mut smaller = 0;
        for extent in [Extent::Common, Extent::All] {
            let whole = groups(&keys, extent);
            for query in ["e", "a", "next", "zoom", "undo"] {
                let shown = found(&keys, query);
                for height in [200.0, 400.0, 600.0, 690.0, 900.0] {
                    for width in [560.0, 900.0, 1184.0] {
                        let size = vec2(width, height);
                        let Some(fitting) = pitch(&whole, &shown, (size, 1.0)) else { continue };
                        let needed = Columns::of(width, &shown).height(&shown, fitting);
                        assert!(needed <= height, "{query} in {size:?}: {needed}");
                        let of_whole = pitch(&whole, &whole, (size, 1.0)).expect("it fits");
                        smaller += usize::from(fitting.line < of_whole.line);
                    }
                }
            }
        }
        assert!(smaller > 0, "no search found more than the common lines");
    }
}
