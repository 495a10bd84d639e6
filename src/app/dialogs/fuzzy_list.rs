//! A modal list with a search field: commands and values, recent files, filters, images.

use egui::scroll_area::ScrollBarVisibility;
use egui::{Align2, Key, Margin, Modal, Modifiers, Rect, RichText, Sense, Ui, WidgetInfo, vec2};

use super::fuzzy_match::{MatchKind, RowMatch, RowTexts, row_match};
use super::list_foot::{self, ListFoot};
use super::list_panel::ListPanel;
use super::list_place::{ListPlace, PanelRects};
use super::list_row::{self, Row, RowMark, RowState};
use crate::app::inspect::kernel_picture::KernelPicture;
use crate::app::widgets::caret;
use crate::app::widgets::symbol::Symbol;
use crate::app::widgets::theme::{Palette, SPACE, medium, text_size, with_scroll_bar};

/// Share of the height of the window that a list leaves free above it and below it.
const FREE: f32 = 0.1;
/// Margin of the list, in points.
const MARGIN: f32 = 2.5 * SPACE;
/// Maximum number of visible rows.
const VISIBLE_ROWS: f32 = 18.0;
/// Height of everything in the list but its rows, in points.
const AROUND_ROWS: f32 = 104.0;
/// Width of the rows from which on they end in names on the command line, in points.
const WITH_CODES: f32 = 560.0;
/// Height of a heading between rows, in points.
const HEADING: f32 = 30.0;
/// Height of the search field, in points.
const FIELD: f32 = 32.0;

/// Texts of a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct ListTexts {
    /// Its name.
    pub(super) name: &'static str,
    /// What can be typed. It stands in the empty search field.
    pub(super) hint: &'static str,
    /// What Enter does, in one word.
    pub(super) verb: &'static str,
}

/// One row of the list.
#[derive(Clone, Debug)]
pub(super) struct ListEntry<T> {
    /// The value of this row.
    pub(super) value: T,
    /// The heading below which the row is as long as nothing is typed, and below which it is found if it has no group; empty for
    /// none.
    pub(super) section: &'static str,
    /// The group, which is searched: `Method`; empty for none. It is the heading of rows that are found.
    pub(super) group: &'static str,
    /// Its title.
    pub(super) title: String,
    /// Names on the command line and aliases, which are searched, separated by blanks.
    pub(super) names: String,
    /// Its description, which is searched.
    pub(super) detail: String,
    /// More about it, which is searched. The tooltip shows it.
    pub(super) more: String,
    /// The picture of its kernel.
    pub(super) kernel: Option<KernelPicture>,
    /// Where else it is: its menus. The tooltip shows it.
    pub(super) place: String,
    /// What is at the right end.
    pub(super) mark: RowMark,
    /// Whether it is the value in force.
    pub(super) is_current: bool,
    /// Indices of other visible panels that have the value.
    pub(super) others: Vec<usize>,
    /// Whether the row can be chosen.
    pub(super) is_enabled: bool,
    /// Whether it changes the focused panel.
    pub(super) is_of_panel: bool,
    /// Whether the row only continues the search text. It comes after rows that match as well.
    pub(super) continues: bool,
}

impl<T> ListEntry<T> {
    /// A row with a title and a description alone.
    pub(super) fn new(value: T, title: String, detail: String) -> Self {
        Self {
            value,
            section: "",
            group: "",
            title,
            names: String::new(),
            detail,
            more: String::new(),
            kernel: None,
            place: String::new(),
            mark: RowMark::None,
            is_current: false,
            others: Vec::new(),
            is_enabled: true,
            is_of_panel: false,
            continues: false,
        }
    }

    /// Group and title: `Method: Linear`.
    fn whole_title(&self) -> String {
        if self.group.is_empty() { self.title.clone() } else { format!("{}: {}", self.group, self.title) }
    }

    /// Number of characters of the whole title before the title.
    fn group_length(&self) -> usize {
        self.whole_title().chars().count() - self.title.chars().count()
    }

    fn matched(&self, query: &str) -> Option<RowMatch> {
        let (title, group) = (self.whole_title(), self.group_length());
        let matched = |detail: &str| row_match(RowTexts { title: &title, group, names: &self.names, detail }, query);
        let without_letters = |found: RowMatch| RowMatch { detail_letters: Vec::new(), ..found };
        matched(&self.detail).or_else(|| matched(&self.more).map(without_letters))
    }

    /// The heading above the row once something is typed.
    fn found_heading(&self) -> &'static str {
        if self.group.is_empty() { self.section } else { self.group }
    }

    /// Text of the tooltip: what the row has no room for.
    fn tooltip(&self) -> String {
        let others: Vec<String> = self.others.iter().map(|index| (index + 1).to_string()).collect();
        let others = if others.is_empty() { String::new() } else { format!("Also in panel {}", others.join(", ")) };
        let parts = [self.detail.as_str(), &self.more, &others, self.place.as_str(), self.names.as_str()];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
    }
}

/// A row that is listed.
struct Found<'a, T> {
    entry: &'a ListEntry<T>,
    /// Characters of the whole title, and of the description, that the search text matches.
    letters: [Vec<usize>; 2],
    /// The heading above the row.
    heading: Option<&'static str>,
}

/// The list and its search text.
#[derive(Debug)]
pub(super) struct FuzzyList<T> {
    texts: ListTexts,
    panel: Option<ListPanel>,
    entries: Vec<ListEntry<T>>,
    /// Rows that come first as long as nothing is typed.
    recent: Vec<ListEntry<T>>,
    /// Rows that come first once something is typed.
    first: Vec<ListEntry<T>>,
    query: String,
    /// The query was replaced: the cursor moves behind it.
    is_replaced: bool,
    selected: usize,
    /// Something was typed, or the selection was moved.
    is_in_use: bool,
    /// The value of the selected row of a list in use; `None` if it cannot be chosen.
    marked: Option<T>,
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
    /// A list with an empty search text. Rows of one section are in one place.
    pub(super) fn new(texts: ListTexts, entries: Vec<ListEntry<T>>) -> Self {
        Self {
            texts,
            panel: None,
            entries: by_section(entries),
            recent: Vec::new(),
            first: Vec::new(),
            query: String::new(),
            is_replaced: false,
            selected: 0,
            is_in_use: false,
            marked: None,
            has_moved: false,
        }
    }

    /// This list, which names the panel that its rows change.
    pub(super) fn of_panel(mut self, panel: ListPanel) -> Self {
        self.panel = Some(panel);
        self
    }

    /// This list with rows that come first as long as nothing is typed.
    pub(super) fn with_recent(mut self, recent: Vec<ListEntry<T>>) -> Self {
        self.recent = recent;
        self
    }

    /// Replaces the search text. The cursor is behind it.
    pub(super) fn set_query(&mut self, text: String) {
        (self.query, self.selected, self.has_moved) = (text, 0, true);
        self.is_replaced = true;
    }

    /// The listed rows: all, below the headings of their sections, as long as nothing is typed; else those that match, below the
    /// headings of their groups, the best first (see [`fuzzy_match`](super::fuzzy_match)).
    fn found(&self) -> Vec<Found<'_, T>> {
        let query = self.query.trim();
        if query.is_empty() {
            let rows = self.recent.iter().chain(&self.entries);
            let rows = rows.map(|entry| Found { entry, letters: Default::default(), heading: None });
            return with_headings(rows.collect(), |entry| entry.section);
        }
        let matched = |entry: &'_ ListEntry<T>| entry.matched(query);
        let mut found: Vec<_> =
            self.entries.iter().filter_map(|entry| matched(entry).map(|matched| (entry, matched))).collect();
        let best = found.iter().map(|(_, matched)| matched.kind).min();
        let least = found.iter().map(|(_, matched)| matched.rank).min().unwrap_or_default();
        match best {
            // Scores of scattered letters are negative ranks. Those of less than half the best score are far apart.
            Some(MatchKind::Scattered) => found.retain(|(_, matched)| matched.rank <= least / 2),
            Some(MatchKind::Misspelt) => found.retain(|(_, matched)| matched.kind == MatchKind::Misspelt),
            _ => found.retain(|(_, matched)| matched.kind < MatchKind::Misspelt),
        }
        // Of rows that match alike, those that can be chosen come first.
        found.sort_by_key(|(entry, matched)| (matched.kind, !entry.is_enabled, entry.continues, matched.rank));
        // Each group is named once, above its rows: the group of the best row first.
        let mut groups: Vec<&str> = Vec::new();
        for (entry, _) in &found {
            if !groups.contains(&entry.found_heading()) {
                groups.push(entry.found_heading());
            }
        }
        found.sort_by_key(|(entry, _)| groups.iter().position(|group| *group == entry.found_heading()));
        let first = self.first.iter().map(|entry| Found { entry, letters: Default::default(), heading: None });
        let found = found.into_iter().map(|(entry, matched)| Found {
            entry,
            letters: [matched.letters, matched.detail_letters],
            heading: None,
        });
        with_headings(first.chain(found).collect(), ListEntry::found_heading)
    }

    /// The value of the selected row; `None` if it cannot be chosen, or as long as the list is as it was opened.
    pub(super) fn marked(&self) -> Option<&T> {
        self.marked.as_ref()
    }

    /// Draws the list over the panels. The rows that `typed` reads from the search text come first.
    pub(super) fn show(
        &mut self,
        ui: &Ui,
        panels: PanelRects,
        typed: impl Fn(&str) -> Vec<ListEntry<T>>,
    ) -> ListAnswer<T> {
        // A list that changes no panel leaves none free, and dims what is behind it.
        let changes_panel = self.panel.is_some();
        let focused = panels.focused.filter(|_| changes_panel);
        let place = ListPlace::of(PanelRects { focused, ..panels }, ui.content_rect());
        let modal = place.modal(ui, egui::Id::unique("list"), !changes_panel);
        let frame = modal.frame.map(|frame| frame.inner_margin(MARGIN));
        let modal = Modal { frame, ..modal }.show(ui, |ui| {
            // The outline of the list is one point wide.
            ui.set_width(place.width() - 2.0 * (MARGIN + 1.0));
            self.contents(ui, typed)
        });
        match modal.inner {
            None if modal.should_close() => ListAnswer::Cancelled,
            None => ListAnswer::Pending,
            Some(value) => ListAnswer::Chosen(value),
        }
    }

    fn contents(&mut self, ui: &mut Ui, typed: impl Fn(&str) -> Vec<ListEntry<T>>) -> Option<T> {
        let steps = ui.input_mut(|input| {
            let mut count = |key: Key| input.count_and_consume_key(Modifiers::NONE, key) as isize;
            count(Key::ArrowDown) - count(Key::ArrowUp) + 8 * (count(Key::PageDown) - count(Key::PageUp))
        });
        let enter = ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
        // Before Enter is answered, which may arrive in one frame with the text.
        if self.search(ui) {
            self.first = typed(&self.query);
        }
        if steps != 0 {
            let last = self.found().len().saturating_sub(1);
            self.selected = self.selected.saturating_add_signed(steps).min(last);
            (self.has_moved, self.is_in_use) = (true, true);
        }
        let has_moved = std::mem::take(&mut self.has_moved);
        let found = self.found();
        ui.add_space(SPACE);
        let chosen = self.rows(ui, &found, has_moved).or_else(|| {
            let selected = found.get(self.selected).filter(|found| enter && found.entry.is_enabled)?;
            Some(selected.entry.value.clone())
        });
        let is_search = !self.query.trim().is_empty();
        list_foot::show(ui, ListFoot { verb: self.texts.verb, listed: found.len(), is_search });
        let marked = found.get(self.selected).filter(|found| self.is_in_use && found.entry.is_enabled);
        self.marked = marked.map(|found| found.entry.value.clone());
        chosen
    }

    /// Draws the search field, whose text begins above those of the rows. Returns whether its text is new.
    fn search(&mut self, ui: &mut Ui) -> bool {
        let palette = Palette::of_ui(ui);
        let edit = egui::TextEdit::singleline(&mut self.query)
            .hint_text(caret::hint(ui, self.texts.hint))
            .suffix(Symbol::Search.atom(Some(palette.weak)))
            .margin(Margin::symmetric(list_row::MARGIN as i8, 0))
            .min_size(vec2(0.0, FIELD))
            .desired_width(f32::INFINITY)
            .align(Align2::LEFT_CENTER);
        let response = ui.add(edit);
        let (query, name) = (&self.query, self.texts.name);
        response.widget_info(|| {
            let mut info = WidgetInfo::text_edit(true, query, query, name);
            info.label = Some(name.to_owned());
            info
        });
        response.request_focus();
        let is_replaced = std::mem::take(&mut self.is_replaced);
        if is_replaced && let Some(mut state) = egui::TextEdit::load_state(ui, response.id) {
            let end = egui::text::CCursor::new(self.query.chars().count());
            state.cursor.set_char_range(Some(egui::text::CCursorRange::one(end)));
            state.store(ui, response.id);
        }
        if response.changed() {
            self.selected = 0;
            (self.has_moved, self.is_in_use) = (true, true);
        }
        is_replaced || response.changed()
    }

    /// Draws the rows. Returns the value of the row that was clicked.
    fn rows(&self, ui: &mut Ui, found: &[Found<'_, T>], has_moved: bool) -> Option<T> {
        let headings = found.iter().filter(|found| found.heading.is_some()).count() as f32;
        let window = ui.content_rect().height();
        let room = (window * (1.0 - 2.0 * FREE) - AROUND_ROWS).max(3.0 * list_row::HEIGHT);
        let all = found.len().max(1) as f32 * list_row::HEIGHT + headings * HEADING;
        let height = all.min(VISIBLE_ROWS * list_row::HEIGHT).min(room);
        with_scroll_bar(ui, Palette::of_ui(ui));
        let area = egui::ScrollArea::vertical().max_height(height).min_scrolled_height(height);
        // A list that became short has no bar at once: one that fades away would be seen beside rows that are all there.
        let bar = if all > height { ScrollBarVisibility::VisibleWhenNeeded } else { ScrollBarVisibility::AlwaysHidden };
        let area = area.scroll_bar_visibility(bar);
        let (mut chosen, mut is_named) = (None, false);
        // Of all rows, so that the descriptions stay where they are while a search is typed.
        let titles =
            list_row::titles_width(ui, self.first.iter().chain(&self.entries).map(|entry| entry.title.as_str()));
        area.auto_shrink([false, true]).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            // Where they would cut descriptions, names on the command line are in tooltips alone.
            let has_codes = ui.available_width() >= WITH_CODES;
            if found.is_empty() {
                let text = format!("Nothing is called “{}”", self.query.trim());
                ui.horizontal(|ui| {
                    ui.add_space(list_row::MARGIN);
                    ui.label(RichText::new(text).color(Palette::of_ui(ui).weak));
                });
            }
            // A method takes the place of the panel's.
            let selected = found.get(self.selected).map(|found| found.entry);
            let becomes = selected.filter(|entry| entry.kernel.is_some()).map(|entry| entry.title.as_str());
            for (place, Found { entry, letters: [letters, detail_letters], heading }) in found.iter().enumerate() {
                if let Some(heading) = heading {
                    let place = show_heading(ui, heading);
                    // Named once, above the first rows that change it.
                    if let Some(panel) = self.panel.as_ref().filter(|_| entry.is_of_panel && !is_named) {
                        panel.show(ui, place, becomes);
                        is_named = true;
                    }
                }
                let is_selected = place == self.selected;
                let group = entry.group_length();
                let letters: Vec<usize> = letters.iter().filter_map(|letter| letter.checked_sub(group)).collect();
                let row = Row {
                    title: &entry.title,
                    titles,
                    detail: &entry.detail,
                    mark: if has_codes || !matches!(entry.mark, RowMark::Code(_)) {
                        &entry.mark
                    } else {
                        &RowMark::None
                    },
                    kernel: entry.kernel.as_ref(),
                    others: &entry.others,
                    letters: &letters,
                    detail_letters,
                    state: RowState { is_selected, is_enabled: entry.is_enabled, is_current: entry.is_current },
                };
                let response = list_row::show(ui, &row, &entry.whole_title());
                if is_selected && has_moved {
                    response.scroll_to_me(None);
                }
                if entry.is_enabled && response.clicked() {
                    chosen = Some(entry.value.clone());
                }
                response.on_hover_ui(|ui| drop(ui.label(entry.tooltip())));
            }
        });
        chosen
    }
}

/// `entries` with those of one section together, in the order in which sections appear first.
fn by_section<T>(entries: Vec<ListEntry<T>>) -> Vec<ListEntry<T>> {
    let mut sections: Vec<&str> = Vec::new();
    for entry in &entries {
        if !sections.contains(&entry.section) {
            sections.push(entry.section);
        }
    }
    let mut entries = entries;
    entries.sort_by_key(|entry| sections.iter().position(|section| *section == entry.section));
    entries
}

/// `rows` with the heading of each row that `heading_of` says and the row above does not have.
fn with_headings<T>(
    mut rows: Vec<Found<'_, T>>,
    heading_of: impl Fn(&ListEntry<T>) -> &'static str,
) -> Vec<Found<'_, T>> {
    let mut above = "";
    for row in &mut rows {
        let heading = heading_of(row.entry);
        let is_new = std::mem::replace(&mut above, heading) != heading;
        row.heading = (is_new && !heading.is_empty()).then_some(heading);
    }
    rows
}

/// Draws the heading of a group. Returns the place of its line.
fn show_heading(ui: &mut Ui, heading: &str) -> Rect {
    let palette = Palette::of_ui(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), HEADING), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, heading));
    let inner = rect.shrink2(vec2(list_row::MARGIN, 1.5 * SPACE));
    ui.painter().text(inner.left_bottom(), Align2::LEFT_BOTTOM, heading, medium(text_size::UNIT), palette.weak);
    rect.with_min_y(rect.top() + SPACE)
}

#[cfg(test)]
impl<T: Clone> FuzzyList<T> {
    /// All rows.
    pub(super) fn all(&self) -> &[ListEntry<T>] {
        &self.entries
    }

    /// Titles of the listed rows with the marked characters of each, as long as `query` is typed.
    pub(super) fn found_titles(&mut self, query: &str) -> Vec<(String, Vec<usize>)> {
        query.clone_into(&mut self.query);
        let found = self.found().into_iter();
        found.map(|Found { entry, letters: [letters, _], .. }| (entry.whole_title(), letters)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(titles: &[&str]) -> FuzzyList<usize> {
        let entry =
            |(value, title): (usize, &&str)| ListEntry::new(value, (*title).to_owned(), "Acts at once".to_owned());
        let texts = ListTexts { name: "test", hint: "", verb: "" };
        FuzzyList::new(texts, titles.iter().enumerate().map(entry).collect())
    }

    #[test]
    fn query_finds_letters_in_order_and_ranks_the_closest_match_first() {
        let mut list = list(&["Previous method", "Next method", "Next page"]);
        list.query = "nxmet".to_owned();
        assert_eq!(list.found().iter().map(|found| found.entry.value).collect::<Vec<_>>(), [1]);
        list.query = "next".to_owned();
        assert_eq!(list.found()[0].letters[0], [0, 1, 2, 3]);
        list.query = "page prev".to_owned();
        assert!(list.found().is_empty(), "every word is in the title");
        list.query = "method prev".to_owned();
        assert_eq!(list.found()[0].entry.value, 0, "in any order");
        list.query = "zzz".to_owned();
        assert!(list.found().is_empty());
    }

    #[test]
    fn scattered_letters_are_found_only_where_no_title_has_them_together() {
        let mut list = list(&["Filtered against exact", "Lanczos 3", "Locate missing image"]);
        let titles = |list: &mut FuzzyList<usize>, query: &str| -> Vec<String> {
            list.found_titles(query).into_iter().map(|(title, _)| title).collect()
        };
        assert_eq!(titles(&mut list, "lanc"), ["Lanczos 3"]);
        assert_eq!(titles(&mut list, "fae"), ["Filtered against exact"], "beginnings of words");
        assert_eq!(titles(&mut list, "lczs"), ["Lanczos 3"], "nothing else matches");
        assert_eq!(titles(&mut list, "once"), ["Filtered against exact", "Lanczos 3", "Locate missing image"]);
    }

    #[test]
    fn sections_are_together_under_one_heading_each() {
        let mut list = list(&["a", "b", "c"]);
        for (entry, section) in list.entries.iter_mut().zip(["One", "Two", "One"]) {
            entry.section = section;
        }
        list.entries = by_section(list.entries);
        let headings = |list: &FuzzyList<usize>| -> Vec<_> {
            list.found().iter().map(|found| (found.entry.value, found.heading)).collect()
        };
        assert_eq!(headings(&list), [(0, Some("One")), (2, None), (1, Some("Two"))]);
        list.query = "b".to_owned();
        assert_eq!(headings(&list), [(1, Some("Two"))]);
    }

    #[test]
    fn rows_that_cannot_be_chosen_come_behind_those_that_match_alike() {
        let mut list = list(&["Next image", "Next page", "Next method", "Annexed"]);
        (list.entries[0].is_enabled, list.entries[1].is_enabled) = (false, false);
        list.query = "nex".to_owned();
        let found: Vec<usize> = list.found().iter().map(|found| found.entry.value).collect();
        assert_eq!(found, [2, 0, 1, 3]);
    }

    #[test]
    fn found_rows_have_the_group_of_the_best_row_first_and_name_each_group_once() {
        let mut list = list(&["Lens", "Ring lens", "Lens cap", "Old lens"]);
        let groups = [("Method", "One"), ("", "Two"), ("Method", "Three"), ("", "Two")];
        for (entry, (group, section)) in list.entries.iter_mut().zip(groups) {
            (entry.group, entry.section) = (group, section);
        }
        list.query = "lens".to_owned();
        let found: Vec<_> = list.found().iter().map(|found| (found.entry.title.clone(), found.heading)).collect();
        let expected = [("Lens", Some("Method")), ("Lens cap", None), ("Old lens", Some("Two")), ("Ring lens", None)];
        assert_eq!(found, expected.map(|(title, heading)| (title.to_owned(), heading)));
    }
}
