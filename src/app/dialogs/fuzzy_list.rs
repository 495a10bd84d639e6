//! A modal list with fuzzy search: commands, recent files, filters.

use egui::text::LayoutJob;
use egui::{Align2, FontId, Frame, Key, Margin, Modal, Modifiers, Role, Sense, TextFormat, Ui, WidgetInfo};
use fuzzy_matcher::FuzzyMatcher as _;
use fuzzy_matcher::skim::SkimMatcherV2;

use crate::app::widgets::theme::{Palette, SPACE};

/// Height of a row, in points.
const ROW_HEIGHT: f32 = 28.0;
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
}

/// The list and its search text.
#[derive(Debug)]
pub(super) struct FuzzyList<T> {
    name: &'static str,
    entries: Vec<ListEntry<T>>,
    query: String,
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
        Self { name, entries, query: String::new(), selected: 0, has_moved: false }
    }

    /// Indices of the rows that match the query, the best first, with the indices of the matched characters in the title.
    fn found(&self) -> Vec<(usize, Vec<usize>)> {
        let query = self.query.trim();
        if query.is_empty() {
            return (0..self.entries.len()).map(|index| (index, Vec::new())).collect();
        }
        let matcher = SkimMatcherV2::default();
        let score = |(index, entry): (usize, &ListEntry<T>)| {
            let in_title = matcher.fuzzy_indices(&entry.title, query);
            // Fuzzy matches in a long sentence are accidental, so that the detail must contain the query as typed.
            let in_detail = || entry.detail.to_lowercase().contains(&query.to_lowercase()).then_some((0, Vec::new()));
            let (score, letters) = in_title.or_else(in_detail)?;
            Some((score, index, letters))
        };
        let mut found: Vec<_> = self.entries.iter().enumerate().filter_map(score).collect();
        found.sort_by_key(|&(score, index, _)| (std::cmp::Reverse(score), index));
        found.into_iter().map(|(_, index, letters)| (index, letters)).collect()
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
        if response.changed() {
            self.selected = 0;
            self.has_moved = true;
        }
        let found = self.found();
        let last = found.len().saturating_sub(1);
        if steps != 0 {
            self.selected = self.selected.saturating_add_signed(steps).min(last);
            self.has_moved = true;
        }
        ui.add_space(SPACE);
        let mut chosen = None;
        if found.is_empty() {
            ui.label("No row matches");
        }
        egui::ScrollArea::vertical().max_height(VISIBLE_ROWS * ROW_HEIGHT).auto_shrink([false, true]).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for (rank, (index, letters)) in found.iter().enumerate() {
                let entry = &self.entries[*index];
                let is_selected = rank == self.selected;
                let row = show_row(ui, entry, letters, is_selected);
                if is_selected && std::mem::take(&mut self.has_moved) {
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
    let font = FontId::proportional(11.5);
    painter.with_clip_rect(detail_rect).text(beside, Align2::LEFT_CENTER, &entry.detail, font, palette.weak);
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
        };
        FuzzyList::new("test", titles.iter().enumerate().map(entry).collect())
    }

    #[test]
    fn query_finds_letters_in_order_and_ranks_the_closest_match_first() {
        let mut list = list(&["Previous method", "Next method", "Next page"]);
        list.query = "nxmet".to_owned();
        assert_eq!(list.found().iter().map(|(index, _)| *index).collect::<Vec<_>>(), [1]);
        list.query = "next".to_owned();
        assert_eq!(list.found()[0].1, [0, 1, 2, 3]);
        list.query = "zzz".to_owned();
        assert!(list.found().is_empty());
    }
}
