//! A modal list with fuzzy search: commands, recent files, filters.

use egui::text::{LayoutJob, TextWrapping};
use egui::{Align2, FontId, Frame, Key, Margin, Modal, Modifiers, Role, Sense, TextFormat, Ui, WidgetInfo};
use fuzzy_matcher::FuzzyMatcher as _;
use fuzzy_matcher::skim::SkimMatcherV2;

use crate::app::widgets::theme::{Palette, SPACE};

/// Height of a row, in points.
const ROW_HEIGHT: f32 = 28.0;
/// Score that a row loses which only continues the search text: less than one matched letter counts.
const CONTINUED: i64 = 12;
/// Number of visible rows.
const VISIBLE_ROWS: f32 = 12.0;

/// One row of the list.
#[derive(Clone, Debug)]
pub(super) struct ListEntry<T> {
    /// The value of this row.
    pub(super) value: T,
    /// Its title. The search prefers matches in titles.
    pub(super) title: String,
    /// Text after the title, which is searched for whole words.
    pub(super) detail: String,
    /// Text at the right end: a key binding.
    pub(super) key: String,
    /// Whether the row can be chosen.
    pub(super) is_enabled: bool,
    /// Whether the row only continues the search text. It comes after rows that match as well.
    pub(super) continues: bool,
}

/// The list and its search text.
#[derive(Debug)]
pub(super) struct FuzzyList<T> {
    name: &'static str,
    entries: Vec<ListEntry<T>>,
    /// Rows that come first whatever the query.
    first: Vec<ListEntry<T>>,
    query: String,
    /// The query was replaced: the cursor moves behind it.
    is_replaced: bool,
    selected: usize,
    /// The selection changed: the list scrolls to it.
    has_moved: bool,
}

/// Result of a frame.
#[derive(Debug, PartialEq)]
pub(super) enum ListAnswer<T> {
    /// No row was chosen yet.
    Pending,
    /// The user closed the list.
    Cancelled,
    /// This row was chosen.
    Chosen(T),
}

impl<T: Clone> FuzzyList<T> {
    /// A list with the label `name` and an empty search text.
    pub(super) fn new(name: &'static str, entries: Vec<ListEntry<T>>) -> Self {
        Self {
            name,
            entries,
            first: Vec::new(),
            query: String::new(),
            is_replaced: false,
            selected: 0,
            has_moved: false,
        }
    }

    /// The search text.
    pub(super) fn query(&self) -> &str {
        &self.query
    }

    /// Replaces the search text. The cursor is behind it.
    pub(super) fn set_query(&mut self, text: String) {
        (self.query, self.selected, self.has_moved) = (text, 0, true);
        self.is_replaced = true;
    }

    /// Sets the rows that come first whatever the search text.
    pub(super) fn set_first(&mut self, first: Vec<ListEntry<T>>) {
        self.first = first;
    }

    /// The rows that match the query, the best first, with the indices of the matched characters in the title. A row matches if
    /// its title has the letters of every word of the query, or its detail contains the query.
    fn found(&self) -> Vec<(&ListEntry<T>, Vec<usize>)> {
        let query = self.query.trim();
        let first = self.first.iter().map(|entry| (entry, Vec::new()));
        if query.is_empty() {
            return first.chain(self.entries.iter().map(|entry| (entry, Vec::new()))).collect();
        }
        let matcher = SkimMatcherV2::default().ignore_case();
        let lower = query.to_lowercase();
        let score = |(index, entry): (usize, &'_ ListEntry<T>)| {
            let word = |word: &str| matcher.fuzzy_indices(&entry.title, word);
            let words = query.split_whitespace().map(word).collect::<Option<Vec<_>>>();
            let in_title = words.map(|words| {
                let is_title = entry.title.to_lowercase() == lower;
                let score = words.iter().map(|(score, _)| score).sum::<i64>();
                let letters = words.into_iter().flat_map(|(_, letters)| letters).collect();
                let score = score - if entry.continues { CONTINUED } else { 0 };
                (if is_title { i64::MAX } else { score }, letters)
            });
            // Fuzzy matches in a long sentence are accidental, so that the detail must contain the query as typed.
            let in_detail = || entry.detail.to_lowercase().contains(&lower).then_some((0, Vec::new()));
            let (score, letters) = in_title.or_else(in_detail)?;
            Some((score, index, letters))
        };
        let mut found: Vec<_> = self.entries.iter().enumerate().filter_map(score).collect();
        let best = found.iter().map(|(score, ..)| *score).filter(|score| *score < i64::MAX).max().unwrap_or_default();
        // Letters far apart in a title are accidental where another title has them together.
        found.retain(|(score, ..)| *score == 0 || *score >= best / 2);
        found.sort_by_key(|&(score, index, _)| (std::cmp::Reverse(score), index));
        first.chain(found.into_iter().map(|(_, index, letters)| (&self.entries[index], letters))).collect()
    }

    /// Draws the list.
    pub(super) fn show(&mut self, ui: &Ui) -> ListAnswer<T> {
        let id = egui::Id::unique("list");
        let area = Modal::default_area(id).anchor(Align2::CENTER_TOP, egui::vec2(0.0, 72.0));
        let frame = Frame::popup(ui.style()).inner_margin(Margin::same(12));
        let modal = Modal::new(id).area(area).frame(frame).show(ui, |ui| {
            ui.set_width(560.0_f32.min(ui.content_rect().width() - 64.0));
            self.contents(ui)
        });
        match modal.inner {
            None if modal.should_close() => ListAnswer::Cancelled,
            None => ListAnswer::Pending,
            Some(value) => ListAnswer::Chosen(value),
        }
    }

    fn contents(&mut self, ui: &mut Ui) -> Option<T> {
        let steps = ui.input_mut(|input| {
            let mut count = |key: Key| input.count_and_consume_key(Modifiers::NONE, key) as isize;
            count(Key::ArrowDown) - count(Key::ArrowUp) + 8 * (count(Key::PageDown) - count(Key::PageUp))
        });
        let enter = ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
        let edit = egui::TextEdit::singleline(&mut self.query)
            .hint_text(self.name)
            .desired_width(f32::INFINITY)
            .align(Align2::LEFT_CENTER);
        let response = ui.add(edit);
        let query = &self.query;
        response.widget_info(|| {
            let mut info = WidgetInfo::text_edit(true, query, query, self.name);
            info.label = Some(self.name.to_owned());
            info
        });
        response.request_focus();
        if std::mem::take(&mut self.is_replaced)
            && let Some(mut state) = egui::TextEdit::load_state(ui, response.id)
        {
            let end = egui::text::CCursor::new(self.query.chars().count());
            state.cursor.set_char_range(Some(egui::text::CCursorRange::one(end)));
            state.store(ui, response.id);
        }
        if response.changed() {
            self.selected = 0;
            self.has_moved = true;
        }
        if steps != 0 {
            let last = self.found().len().saturating_sub(1);
            self.selected = self.selected.saturating_add_signed(steps).min(last);
            self.has_moved = true;
        }
        let (selected, has_moved) = (self.selected, std::mem::take(&mut self.has_moved));
        let found = self.found();
        ui.add_space(SPACE);
        let mut chosen = None;
        if found.is_empty() {
            ui.label("No row matches");
        }
        let height = (found.len() as f32).min(VISIBLE_ROWS) * ROW_HEIGHT;
        let area = egui::ScrollArea::vertical().max_height(height).min_scrolled_height(height);
        area.auto_shrink([false, true]).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for (rank, (entry, letters)) in found.into_iter().enumerate() {
                let is_selected = rank == selected;
                let row = show_row(ui, entry, &letters, is_selected);
                if is_selected && has_moved {
                    row.scroll_to_me(None);
                }
                if entry.is_enabled && (row.clicked() || (enter && is_selected)) {
                    chosen = Some(entry.value.clone());
                }
            }
        });
        chosen
    }
}

/// Draws a row: its title with the matched `letters` marked, its detail, its key.
fn show_row<T>(ui: &mut Ui, entry: &ListEntry<T>, letters: &[usize], is_selected: bool) -> egui::Response {
    let palette = Palette::of_ui(ui);
    let size = egui::vec2(ui.available_width(), ROW_HEIGHT);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::Button, entry.is_enabled, is_selected, &entry.title));
    if is_selected || response.hovered() {
        let fill = if is_selected { palette.active } else { palette.hovered };
        ui.painter().rect_filled(rect, 4.0, fill);
    }
    let (plain, found) = match entry.is_enabled {
        true => (palette.text, palette.accent),
        false => (palette.weak.gamma_multiply(0.7), palette.weak),
    };
    let font = FontId::proportional(13.0);
    let mut job = LayoutJob::default();
    for (index, letter) in entry.title.chars().enumerate() {
        let is_found = letters.contains(&index);
        let mut format = TextFormat::simple(font.clone(), if is_found { found } else { plain });
        // Colour alone does not mark the letters.
        format.underline = if is_found { egui::Stroke::new(1.0, found) } else { egui::Stroke::NONE };
        job.append(letter.encode_utf8(&mut [0; 4]), 0.0, format);
    }
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let title = painter.layout_job(job);
    let left = rect.left_center() + egui::vec2(2.0 * SPACE, 0.0);
    let width = title.size().x;
    painter.galley(left - egui::vec2(0.0, title.size().y / 2.0), title, plain);
    let key = painter.text(
        rect.right_center() - egui::vec2(2.0 * SPACE, 0.0),
        Align2::RIGHT_CENTER,
        &entry.key,
        font.clone(),
        palette.weak,
    );
    let beside = left + egui::vec2(width + 4.0 * SPACE, 0.0);
    let detail_rect =
        egui::Rect::from_min_max(egui::pos2(beside.x, rect.top()), egui::pos2(key.left() - 2.0 * SPACE, rect.bottom()));
    let mut job = LayoutJob::simple_singleline(entry.detail.clone(), FontId::proportional(11.5), palette.weak);
    job.wrap = TextWrapping::truncate_at_width(detail_rect.width().max(0.0));
    let detail = painter.layout_job(job);
    painter.galley(beside - egui::vec2(0.0, detail.size().y / 2.0), detail, palette.weak);
    response.on_hover_text(&entry.detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(titles: &[&str]) -> FuzzyList<usize> {
        let entry = |(value, title): (usize, &&str)| ListEntry {
            value,
            title: (*title).to_owned(),
            detail: String::new(),
            key: String::new(),
            is_enabled: true,
            continues: false,
        };
        FuzzyList::new("test", titles.iter().enumerate().map(entry).collect())
    }

    #[test]
    fn query_finds_letters_in_order_and_ranks_the_closest_match_first() {
        let mut list = list(&["Previous method", "Next method", "Next page"]);
        list.query = "nxmet".to_owned();
        assert_eq!(list.found().iter().map(|(entry, _)| entry.value).collect::<Vec<_>>(), [1]);
        list.query = "next".to_owned();
        assert_eq!(list.found()[0].1, [0, 1, 2, 3]);
        list.query = "page prev".to_owned();
        assert!(list.found().is_empty(), "every word is in the title");
        list.query = "method prev".to_owned();
        assert_eq!(list.found()[0].0.value, 0, "in any order");
        list.query = "zzz".to_owned();
        assert!(list.found().is_empty());
    }
}
