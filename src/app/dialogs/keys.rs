//! The page of key bindings, which covers the window: groups by topic in balanced columns, of the common keys or of all, and a search
//! field.

use std::ops::Range;

use egui::emath::GuiRounding as _;
use egui::scroll_area::ScrollBarVisibility;
use egui::{
    Align, Align2, Color32, Frame, Id, Layout, Modal, Rect, Sense, Shape, Stroke, Theme, Ui, UiBuilder, Vec2,
    WidgetInfo, vec2,
};

use super::key_groups::{ESSENTIAL_TITLE, Group, groups};
use super::modal;
use crate::app::commands::keymap::KeyLine;
use crate::app::commands::{Command, Keymap};
use crate::app::widgets::fit::{first_that_fits, text_width};
use crate::app::widgets::key_cap::{caps, caps_width};
use crate::app::widgets::line_text::{LineText, Weight};
use crate::app::widgets::theme::{CONTROL_HEIGHT, Palette, RADIUS, SMALL_RADIUS, SPACE, text_size, with_scroll_bar};
use crate::app::widgets::toggle::segments;

/// Maximum width of the contents, in points.
const WIDEST: f32 = 1200.0;
/// Least distances of the contents from the sides of a window that is at least as wide, and of a narrower one, in points.
const SIDES: [f32; 2] = [48.0, 5.0 * SPACE];
const WIDE_WINDOW: f32 = 1280.0;
/// Distances of the contents from the top and the bottom of a window that is at least as high, and of a lower one, in points.
const ENDS: [f32; 2] = [28.0, 4.0 * SPACE];
const HIGH_WINDOW: f32 = 810.0;
/// Minimum width of a column, in points.
const COLUMN: f32 = 264.0;
/// Maximum number of columns, of the common keys and of all.
const MOST_COLUMNS: [usize; 2] = [3, 4];
/// Gap between columns, in points.
const GAP: f32 = 6.0 * SPACE;
/// Heights of a line, of which the greatest that shows all lines is taken, in points.
const LINES: [f32; 8] = [27.0, 26.0, 25.0, 24.0, 23.0, 22.0, 21.0, 20.0];
/// Height of a line from which on its title has the size of body text, in points.
const ROOMY: f32 = 25.0;
/// Height of a heading with the rule below it, and gap below a group, as multiples of a line.
const HEADING: f32 = 1.35;
const GROUP_GAP: f32 = 0.9;
/// Opacity of the accent behind letters that were searched for.
const HIT_FILL: f32 = 0.35;
/// Opacity of the line between a title and its keys, in the light theme and in the dark one: as strong to the eye.
const LEADER: [f32; 2] = [0.4, 0.55];
/// Least length of that line, in points: a shorter one would be read as a dash.
const LEAST_LEADER: f32 = 1.5 * SPACE;
/// Width of the search field, in points.
const FIELD: f32 = 320.0;
/// Width of the choice between the common keys and all, in points.
const CHOICE: f32 = 168.0;
/// Width of the number of lines that are found and of the button behind it, in points.
const BEHIND_FIELD: f32 = 100.0;
/// Width of the button that closes the page, with the gap before it, in points.
const CLOSE: f32 = 40.0;
/// Height of the row of the title with the gap below it, in points.
const TITLE: f32 = 52.0;
/// Distance of the scroll bar from the keys, in points.
const BAR_GAP: f32 = 3.0 * SPACE;
/// Name of the search field.
const NAME: &str = "Find a command or key";

/// The page.
#[derive(Debug, Default)]
pub(super) struct KeysDialog {
    query: String,
    shows_all: bool,
    is_open: bool,
}

impl Group {
    /// Its height with the gap to the next one, in lines.
    fn height(&self) -> f32 {
        HEADING + self.lines.len() as f32 + GROUP_GAP
    }
}

impl KeysDialog {
    /// Draws the page. Returns true if it is to be closed.
    pub(super) fn show(&mut self, ui: &Ui) -> bool {
        let window = ui.content_rect().size();
        let id = Id::unique("keys");
        // The page covers the window: parts of it beside the columns would be read as theirs.
        let end = if window.y >= HIGH_WINDOW { ENDS[0] } else { ENDS[1] };
        let least = if window.x >= WIDE_WINDOW { SIDES[0] } else { SIDES[1] };
        let width = (window.x - 2.0 * least).clamp(160.0, WIDEST).floor();
        let side = (0.5 * (window.x - width)).floor();
        let frame = Frame::new().fill(Palette::of_ui(ui).surface);
        let area = Modal::default_area(id).anchor(Align2::LEFT_TOP, Vec2::ZERO);
        let modal = modal::modal(ui, id).area(area).frame(frame).show(ui, |ui| {
            ui.set_min_size(window);
            let contents = Rect::from_min_size(ui.min_rect().min, window).shrink2(vec2(side, end));
            ui.scope_builder(UiBuilder::new().max_rect(contents), |ui| self.page(ui, contents.height())).inner
        });
        modal.inner || modal.should_close()
    }

    /// Draws the contents of the page, which are `height` points high. Returns true if it is to be closed.
    fn page(&mut self, ui: &mut Ui, height: f32) -> bool {
        // The button behind the title extends the available width by its empty edge.
        let width = ui.available_width();
        let count = |groups: Vec<Group>| groups.iter().map(|group| group.lines.len()).sum();
        let all = count(groups(ui, "", true));
        let found = count(self.shown(ui));
        let is_closed = modal::title_row(ui, "Keys", |ui| self.search(ui, [found, all]));
        ui.add_space(2.0 * SPACE);
        let shown = self.shown(ui);
        let room = (height - TITLE).max(120.0);
        // A search's result has the lines of the list that it was typed over.
        let (most, whole) = (MOST_COLUMNS[usize::from(self.shows_all)], groups(ui, "", self.shows_all));
        let lines = Columns::of((width, most), &whole).height(&whole);
        let fitting = LINES.into_iter().find(|line| lines * line <= room);
        let line = fitting.unwrap_or(LINES[LINES.len() - 1]);
        with_scroll_bar(ui, Palette::of_ui(ui));
        ui.spacing_mut().scroll.bar_inner_margin = BAR_GAP;
        // Without a line that is out of sight there is no bar.
        let bar =
            if fitting.is_some() { ScrollBarVisibility::AlwaysHidden } else { ScrollBarVisibility::VisibleWhenNeeded };
        let list = egui::ScrollArea::vertical().auto_shrink([false, false]).max_height(room).min_scrolled_height(room);
        let list = list.scroll_bar_visibility(bar);
        list.show(ui, |ui| {
            let query = self.query.trim();
            match shown.is_empty() {
                true => {
                    let keys = Keymap::in_force(ui).key_text(Command::Palette);
                    let elsewhere =
                        if keys.is_empty() { String::new() } else { format!(". {keys} finds what has no key") };
                    ui.label(format!("No key for “{query}”{elsewhere}"));
                }
                false => columns(ui, (shown, width.min(ui.available_width()), most), (line, query)),
            }
        });
        is_closed
    }

    /// The groups with the lines that the search finds among all, or the common lines or all without a search.
    fn shown(&self, ui: &Ui) -> Vec<Group> {
        let query = self.query.trim();
        groups(ui, query, self.shows_all || !query.is_empty())
    }

    /// Draws the search field, the choice between the common keys and all, and the number of lines that a search finds.
    fn search(&mut self, ui: &mut Ui, [found, all]: [usize; 2]) {
        ui.add_space(2.0 * SPACE);
        let edit = egui::TextEdit::singleline(&mut self.query)
            .hint_text(NAME)
            .desired_width(FIELD.min(ui.available_width() - CHOICE - BEHIND_FIELD))
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
        ui.add_space(2.0 * SPACE);
        let size = vec2(CHOICE, CONTROL_HEIGHT);
        let chosen = ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
            segments(ui, "Keys", self.shows_all, &[(false, "Common"), (true, &format!("All {all}"))])
        });
        if let Some(shows_all) = chosen.inner {
            self.shows_all = shows_all;
            // What is typed next is searched for.
            response.request_focus();
        }
        ui.add_space(2.0 * SPACE);
        let texts = match self.query.trim().is_empty() {
            true => ["Point at a line to read what it does".to_owned(), String::new()],
            false => [format!("{found} of {all} · Point at a line to read what it does"), format!("{found} of {all}")],
        };
        let widths = texts.each_ref().map(|text| text_width(ui, text, text_size::VALUE));
        // The button that closes the page is behind it.
        let text = &texts[first_that_fits(ui.available_width() - CLOSE, &widths)];
        LineText::regular(text, text_size::VALUE).label(ui, Palette::of_ui(ui).weak);
    }
}

/// The number of groups of each column: at most `count` columns, whose groups stay whole and in order, the highest column as
/// low as possible.
fn balanced(heights: &[f32], count: usize) -> Vec<usize> {
    let filled = |limit: f32| {
        let mut columns: Vec<(usize, f32)> = Vec::new();
        for height in heights {
            match columns.last_mut() {
                Some((groups, sum)) if *sum + height <= limit => (*groups, *sum) = (*groups + 1, *sum + height),
                _ => columns.push((1, *height)),
            }
        }
        columns
    };
    // The highest column of the best arrangement is a run of groups.
    let runs = (0..heights.len()).flat_map(|from| (from..heights.len()).map(move |to| from..=to));
    let mut limits: Vec<f32> = runs.map(|run| heights[run].iter().sum()).collect();
    limits.sort_by(f32::total_cmp);
    let columns = limits.into_iter().map(filled).find(|columns| columns.len() <= count).unwrap_or_default();
    columns.into_iter().map(|(groups, _)| groups).collect()
}

/// Columns of groups.
struct Columns {
    /// Number of groups of each.
    groups: Vec<usize>,
    /// Width of each, in points.
    width: f32,
}

impl Columns {
    /// As many columns as the `available` width, in points, permits, at most `most`.
    fn of((available, most): (f32, usize), groups: &[Group]) -> Self {
        let count = (((available + GAP) / (COLUMN + GAP)) as usize).clamp(1, most);
        let width = (available - GAP * (count as f32 - 1.0)) / count as f32;
        let heights: Vec<f32> = groups.iter().map(Group::height).collect();
        Self { groups: balanced(&heights, count), width }
    }

    /// Height of the highest column, in lines.
    fn height(&self, groups: &[Group]) -> f32 {
        let mut heights = groups.iter().map(Group::height);
        let highest = self.groups.iter().map(|count| heights.by_ref().take(*count).sum()).fold(0.0, f32::max);
        highest - GROUP_GAP
    }
}

/// Draws the groups in as many columns as `width` points permit, at most `most`. Lines are `line` points high, and `query` is marked in
/// them.
fn columns(ui: &mut Ui, (groups, width, most): (Vec<Group>, f32, usize), (line, query): (f32, &str)) {
    let Columns { groups: counts, width } = Columns::of((width, most), &groups);
    let mut groups = groups.into_iter();
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = GAP;
        for number in counts {
            ui.vertical(|ui| {
                ui.set_width(width);
                ui.spacing_mut().item_spacing = vec2(2.0 * SPACE, 0.0);
                for (place, group) in groups.by_ref().take(number).enumerate() {
                    if place > 0 {
                        ui.add_space(GROUP_GAP * line);
                    }
                    show_group(ui, &group, (line, query));
                }
            });
        }
    });
}

fn show_group(ui: &mut Ui, group: &Group, (line, query): (f32, &str)) {
    let palette = Palette::of_ui(ui);
    if group.title == ESSENTIAL_TITLE {
        let lines = HEADING + group.lines.len() as f32;
        let place = Rect::from_min_size(ui.cursor().min, vec2(ui.available_width(), lines * line));
        // The list begins at its top.
        let place = place.expand2(vec2(2.0 * SPACE, 0.0)).with_max_y(place.bottom() + SPACE);
        ui.painter().rect_filled(place, RADIUS, palette.focused());
    }
    let size = vec2(ui.available_width(), HEADING * line);
    ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_size(size);
        let title = LineText { text: group.title, size: text_size::LESSON, weight: Weight::Medium };
        title.label(ui, palette.text);
        ui.painter().hline(ui.max_rect().x_range(), ui.max_rect().bottom() - 2.0, Stroke::new(1.0, palette.line));
    });
    // The lines of a first visit stand out.
    let colour =
        if group.title == ESSENTIAL_TITLE { palette.text } else { palette.weak.lerp_to_gamma(palette.text, 0.5) };
    group.lines.iter().for_each(|of_group| show_line(ui, of_group, colour, (line, query)));
}

/// Draws a line with its title in `title_colour`.
fn show_line(ui: &mut Ui, line: &KeyLine, title_colour: Color32, (height, query): (f32, &str)) {
    let palette = Palette::of_ui(ui);
    let width = ui.available_width();
    let row = Rect::from_min_size(ui.cursor().min, vec2(width, height));
    let response = ui.interact(row, ui.next_auto_id(), Sense::hover());
    if response.contains_pointer() {
        ui.painter().rect_filled(row.expand2(vec2(SPACE, 0.0)), SMALL_RADIUS, palette.active);
    }
    response.on_hover_text(line.help);
    ui.allocate_ui_with_layout(vec2(width, height), Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_size(vec2(width, height));
        let keys = caps_width(ui, &line.keys);
        let room = (width - keys - 2.0 * SPACE).max(0.0);
        let title = ui.allocate_ui_with_layout(vec2(room, height), Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_width(room);
            let size = if height >= ROOMY { text_size::BODY } else { text_size::VALUE };
            let title = LineText::regular(line.title, size);
            let behind = ui.painter().add(Shape::Noop);
            let response = title.label(ui, title_colour);
            if let Some(hit) = hit(line.title, query) {
                let [before, marked] = [&line.title[..hit.start], &line.title[hit]]
                    .map(|text| LineText { text, ..title }.width(ui.painter()));
                let start = response.rect.left_top() + vec2(before, 0.0);
                let mark = Rect::from_min_size(start, vec2(marked, response.rect.height()));
                let fill = palette.accent.gamma_multiply(HIT_FILL);
                ui.painter().set(behind, Shape::rect_filled(mark.expand2(vec2(1.0, 0.0)), SMALL_RADIUS, fill));
            }
            response.rect
        });
        // The line leads from a title to its keys.
        let (from, to) = (title.inner.right() + 2.0 * SPACE, ui.max_rect().right() - keys - 2.0 * SPACE);
        if to - from >= LEAST_LEADER {
            let y = ui.max_rect().center().y.round_to_pixel_center(ui.pixels_per_point());
            let width = 1.0 / ui.pixels_per_point();
            let colour = palette.line.gamma_multiply(LEADER[usize::from(ui.theme() == Theme::Dark)]);
            ui.painter().hline(from..=to, y, Stroke::new(width, colour));
        }
        caps(ui, &line.keys);
    });
}

/// Where `title` contains `query`, in bytes, whatever the case of the letters; `None` for an empty query.
fn hit(title: &str, query: &str) -> Option<Range<usize>> {
    let (lower, query) = (title.to_lowercase(), query.to_lowercase());
    // Letters whose small form has another length would shift the place.
    let has_places = lower.len() == title.len() && !query.is_empty();
    let start = lower.find(&query).filter(|_| has_places)?;
    let found = start..start + query.len();
    (title.is_char_boundary(found.start) && title.is_char_boundary(found.end)).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hit_is_the_place_of_the_query_in_a_title_whatever_its_case() {
        assert_eq!(hit("Next / previous method", "PREV"), Some(7..11));
        assert_eq!(hit("Values in pixels", "in"), Some(7..9));
        assert_eq!(hit("Values in pixels", ""), None);
        assert_eq!(hit("Values in pixels", "Ctrl"), None, "it may be in the keys or in the help");
        assert_eq!(hit("Größe", "öß"), Some(2..6));
    }

    #[test]
    fn columns_hold_whole_groups_in_order_and_the_highest_is_as_low_as_possible() {
        assert_eq!(balanced(&[3.0, 3.0, 4.0, 2.0, 6.0], 3), [2, 2, 1]);
        assert_eq!(balanced(&[9.0, 1.0, 1.0, 1.0], 2), [1, 3]);
        assert_eq!(balanced(&[2.0, 2.0], 4), [1, 1]);
        assert_eq!(balanced(&[5.0, 4.0, 3.0], 1), [3]);
        assert!(balanced(&[], 4).is_empty());
        // Against every arrangement.
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..200 {
            let heights: Vec<f32> = (0..random.usize(1..8)).map(|_| random.u8(1..40).into()).collect();
            let count = random.usize(1..5);
            let highest = |columns: &[usize]| {
                let mut rest = heights.iter();
                columns.iter().map(|groups| rest.by_ref().take(*groups).sum::<f32>()).fold(0.0, f32::max)
            };
            let found = balanced(&heights, count);
            assert_eq!(found.iter().sum::<usize>(), heights.len());
            assert!(found.len() <= count);
            for cuts in 0..1_u32 << (heights.len() - 1) {
                let mut columns = vec![1];
                for group in 1..heights.len() {
                    match cuts >> (group - 1) & 1 {
                        1 => columns.push(1),
                        _ => *columns.last_mut().expect("a column") += 1,
                    }
                }
                assert!(columns.len() > count || highest(&columns) >= highest(&found), "{heights:?} in {count}");
            }
        }
    }
}
