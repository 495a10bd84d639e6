//! A list that is searched by some of a row's letters, over everything: commands, recent files.

use egui::text::LayoutJob;
use egui::{Align2, FontId, Frame, Key, Margin, Modal, Modifiers, Role, Sense, TextFormat, Ui, WidgetInfo};
use fuzzy_matcher::FuzzyMatcher as _;
use fuzzy_matcher::skim::SkimMatcherV2;

use crate::app::widgets::theme::{Palette, SPACE};

/// The height of one row in points.
const ROW: f32 = 28.0;
/// Rows that are seen at once.
const SEEN: f32 = 12.0;

/// One row to choose.
#[derive(Clone, Debug)]
pub(super) struct Choice<T> {
    /// What choosing it gives.
    pub(super) value: T,
    /// Its name, which is searched first.
    pub(super) title: String,
    /// What stands beside it, searched too.
    pub(super) detail: String,
    /// What stands at its end.
    pub(super) key: String,
    /// Whether it can be chosen.
    pub(super) is_possible: bool,
}

/// A list and what is typed.
#[derive(Debug)]
pub(super) struct Chooser<T> {
    name: &'static str,
    choices: Vec<Choice<T>>,
    query: String,
    selected: usize,
    moved: bool,
}

/// What came of a list in a frame.
#[derive(Debug, PartialEq)]
pub(super) enum Chosen<T> {
    /// Nothing yet.
    NotYet,
    /// It is to be closed.
    Left,
    /// This.
    This(T),
}

impl<T: Clone> Chooser<T> {
    /// A list called `name`, with all rows seen.
    pub(super) fn new(name: &'static str, choices: Vec<Choice<T>>) -> Self {
        Self { name, choices, query: String::new(), selected: 0, moved: false }
    }

    /// The rows that have the letters of the query in their order, the best first, with the places of those letters in the
    /// title.
    fn found(&self) -> Vec<(usize, Vec<usize>)> {
        let query = self.query.trim();
        if query.is_empty() {
            return (0..self.choices.len()).map(|index| (index, Vec::new())).collect();
        }
        let matcher = SkimMatcherV2::default();
        let score = |(index, choice): (usize, &Choice<T>)| {
            let in_title = matcher.fuzzy_indices(&choice.title, query);
            // Letters strewn over a whole sentence are found by chance: there a word must stand as it is typed.
            let in_detail = || choice.detail.to_lowercase().contains(&query.to_lowercase()).then_some((0, Vec::new()));
            let (score, places) = in_title.or_else(in_detail)?;
            Some((score, index, places))
        };
        let mut found: Vec<_> = self.choices.iter().enumerate().filter_map(score).collect();
        found.sort_by_key(|&(score, index, _)| (std::cmp::Reverse(score), index));
        found.into_iter().map(|(_, index, places)| (index, places)).collect()
    }

    /// Draws it.
    pub(super) fn show(&mut self, ui: &Ui) -> Chosen<T> {
        let id = egui::Id::unique("chooser");
        let area = Modal::default_area(id).anchor(Align2::CENTER_TOP, egui::vec2(0.0, 72.0));
        let frame = Frame::popup(ui.style()).inner_margin(Margin::same(12));
        let modal = Modal::new(id).area(area).frame(frame).show(ui, |ui| {
            ui.set_width(560.0_f32.min(ui.content_rect().width() - 64.0));
            self.contents(ui)
        });
        match modal.inner {
            None if modal.should_close() => Chosen::Left,
            None => Chosen::NotYet,
            Some(value) => Chosen::This(value),
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
            self.moved = true;
        }
        let found = self.found();
        let last = found.len().saturating_sub(1);
        if steps != 0 {
            self.selected = self.selected.saturating_add_signed(steps).min(last);
            self.moved = true;
        }
        ui.add_space(SPACE);
        let mut chosen = None;
        if found.is_empty() {
            ui.label("Nothing has these letters in this order");
        }
        egui::ScrollArea::vertical().max_height(SEEN * ROW).auto_shrink([false, true]).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for (place, (index, letters)) in found.iter().enumerate() {
                let choice = &self.choices[*index];
                let is_selected = place == self.selected;
                let row = show_row(ui, choice, letters, is_selected);
                if is_selected && std::mem::take(&mut self.moved) {
                    row.scroll_to_me(None);
                }
                if choice.is_possible && (row.clicked() || (enter && is_selected)) {
                    chosen = Some(choice.value.clone());
                }
            }
        });
        chosen
    }
}

/// One row: its name with the letters that were found, what stands beside it, its key.
fn show_row<T>(ui: &mut Ui, choice: &Choice<T>, letters: &[usize], is_selected: bool) -> egui::Response {
    let palette = Palette::of_ui(ui);
    let size = egui::vec2(ui.available_width(), ROW);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::Button, choice.is_possible, is_selected, &choice.title));
    if is_selected || response.hovered() {
        let fill = if is_selected { palette.active } else { palette.hovered };
        ui.painter().rect_filled(rect, 4.0, fill);
    }
    let (plain, found) = match choice.is_possible {
        true => (palette.text, palette.accent),
        false => (palette.weak.gamma_multiply(0.7), palette.weak),
    };
    let font = FontId::proportional(13.0);
    let mut job = LayoutJob::default();
    for (place, letter) in choice.title.chars().enumerate() {
        let is_found = letters.contains(&place);
        let mut format = TextFormat::simple(font.clone(), if is_found { found } else { plain });
        // Not by colour alone.
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
        &choice.key,
        font.clone(),
        palette.weak,
    );
    let beside = left + egui::vec2(width + 4.0 * SPACE, 0.0);
    let room =
        egui::Rect::from_min_max(egui::pos2(beside.x, rect.top()), egui::pos2(key.left() - 2.0 * SPACE, rect.bottom()));
    let font = FontId::proportional(11.5);
    painter.with_clip_rect(room).text(beside, Align2::LEFT_CENTER, &choice.detail, font, palette.weak);
    response.on_hover_text(&choice.detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chooser(titles: &[&str]) -> Chooser<usize> {
        let choice = |(value, title): (usize, &&str)| Choice {
            value,
            title: (*title).to_owned(),
            detail: String::new(),
            key: String::new(),
            is_possible: true,
        };
        Chooser::new("test", titles.iter().enumerate().map(choice).collect())
    }

    #[test]
    fn some_letters_in_their_order_are_enough_and_the_closest_comes_first() {
        let mut chooser = chooser(&["Previous method", "Next method", "Next page"]);
        chooser.query = "nxmet".to_owned();
        assert_eq!(chooser.found().iter().map(|(index, _)| *index).collect::<Vec<_>>(), [1]);
        chooser.query = "next".to_owned();
        assert_eq!(chooser.found()[0].1, [0, 1, 2, 3]);
        chooser.query = "zzz".to_owned();
        assert!(chooser.found().is_empty());
    }
}
