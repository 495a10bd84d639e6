//! The list of keys as it is drawn: groups in columns, a line for each title with its keys at the right edge of the column. In
//! columns of the greatest number the essentials are on a card.

use std::ops::Range;

use egui::{Align, Color32, CursorIcon, Layout, Rect, Sense, Shape, Stroke, StrokeKind, Ui, UiBuilder, vec2};

use super::key_columns::{CARD_SIDE, Columns, GAP, Pitch};
use super::key_groups::Group;
use super::tooltip_guard;
use crate::app::commands::keymap::KeyLine;
use crate::app::widgets::key_cap::{CapLook, caps_of};
use crate::app::widgets::line_text::{LineText, Weight};
use crate::app::widgets::theme::{LARGE_RADIUS, Palette, SMALL_RADIUS, SPACE, text_size};

/// Height of a line from which on its title has the size of body text, in points.
const ROOMY: f32 = 25.0;
/// Height of a line from which on its key caps are large, in points.
const SPACIOUS: f32 = 30.0;
/// Least distance between the key caps of two lines, in points.
const BETWEEN_CAPS: f32 = 3.0;
/// Distance of the rule below a heading from the first line, in points: the fill of that line does not touch it.
const RULE_END: f32 = 3.0;
/// Share of the accent in the fill of the card.
const CARD_TINT: f32 = 0.06;
/// Opacity of the accent behind letters that were searched for.
const HIT_FILL: f32 = 0.35;

/// How lines are drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look<'a> {
    /// Their heights.
    pub(super) pitch: Pitch,
    /// Whether they are on a card.
    pub(super) is_on_card: bool,
    /// What is marked in their titles.
    pub(super) query: &'a str,
}

/// The line under the pointer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pointed<'a> {
    pub(super) line: &'a KeyLine,
    pub(super) is_clicked: bool,
}

/// Draws the `groups` in `columns`. Returns the line under the pointer.
pub(super) fn show<'a>(ui: &mut Ui, columns: &Columns, groups: &'a [Group], look: Look<'_>) -> Option<Pointed<'a>> {
    let mut pointed = None;
    let height = columns.height(groups, look.pitch);
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = GAP;
        let columns_with_starts = columns.split(groups).into_iter().zip(columns.starts(groups, look.pitch));
        for (place, (column, starts)) in columns_with_starts.enumerate() {
            let is_on_card = columns.has_card && place == 0;
            let look = Look { is_on_card, ..look };
            let side = if is_on_card { CARD_SIDE } else { 0.0 };
            let (rect, _) = ui.allocate_exact_size(vec2(columns.width + 2.0 * side, height), Sense::hover());
            if is_on_card {
                let palette = Palette::of_ui(ui);
                let line = Stroke::new(1.0, palette.line);
                let fill = palette.button.lerp_to_gamma(palette.accent, CARD_TINT);
                ui.painter().rect(rect, LARGE_RADIUS, fill, line, StrokeKind::Inside);
            }
            let inner = UiBuilder::new().max_rect(rect.shrink2(vec2(side, 0.0)));
            // What it contains does not move what follows.
            let mut ui = ui.new_child(inner.layout(Layout::top_down(Align::Min)));
            ui.spacing_mut().item_spacing = vec2(2.0 * SPACE, 0.0);
            for (group, start) in column.iter().zip(&starts) {
                ui.add_space((rect.top() + start - ui.cursor().top()).max(0.0));
                pointed = show_group(&mut ui, group, look).or(pointed);
            }
        }
    });
    pointed
}

/// Draws the heading and the lines of a group.
fn show_group<'a>(ui: &mut Ui, group: &'a Group, look: Look<'_>) -> Option<Pointed<'a>> {
    let palette = Palette::of_ui(ui);
    let size = vec2(ui.available_width(), look.pitch.heading);
    ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_size(size);
        let title = LineText { text: group.title, size: text_size::LESSON, weight: Weight::Medium };
        title.label(ui, palette.text);
        let rule = Stroke::new(1.0, if look.is_on_card { palette.outline } else { palette.line });
        ui.painter().hline(ui.max_rect().x_range(), ui.max_rect().bottom() - RULE_END, rule);
    });
    // The lines of a first visit stand out.
    let colour = if group.is_essential { palette.text } else { palette.weak.lerp_to_gamma(palette.text, 0.6) };
    group.lines.iter().filter_map(|line| show_line(ui, line, colour, look)).last()
}

/// Draws a line with its title in `title_colour`; one of a command can be clicked. Returns it if the pointer is over it.
fn show_line<'a>(ui: &mut Ui, line: &'a KeyLine, title_colour: Color32, look: Look<'_>) -> Option<Pointed<'a>> {
    let palette = Palette::of_ui(ui);
    let size = vec2(ui.available_width(), look.pitch.line);
    let row = Rect::from_min_size(ui.cursor().min, size);
    // Tab skips the lines: by keyboard a command is searched for and run by Enter.
    let sense = if line.command.is_some() { Sense::CLICK } else { Sense::hover() };
    let response = ui.interact(row, ui.next_auto_id(), sense);
    let is_pointed = response.contains_pointer() && tooltip_guard::is_in_use(ui);
    if is_pointed {
        ui.painter().rect_filled(row.expand2(vec2(SPACE, 0.0)), SMALL_RADIUS, palette.active);
    }
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
        ui.set_min_size(size);
        let caps = if size.y >= SPACIOUS { CapLook::LARGE } else { CapLook::USUAL };
        caps_of(ui, &line.keys, caps.within(size.y - BETWEEN_CAPS));
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| show_title(ui, line, title_colour, look));
    });
    if is_pointed && line.command.is_some() {
        ui.set_cursor_icon(CursorIcon::PointingHand);
    }
    is_pointed.then(|| Pointed { line, is_clicked: response.clicked() })
}

fn show_title(ui: &mut Ui, line: &KeyLine, colour: Color32, look: Look<'_>) {
    let size = if look.pitch.line >= ROOMY { text_size::BODY } else { text_size::VALUE };
    let title = LineText::regular(line.title, size);
    let behind = ui.painter().add(Shape::Noop);
    let response = title.label(ui, colour);
    // The foot shows it to those who point; assistive technology reads it with the title.
    ui.ctx().accesskit_node_builder(response.id, |node| node.set_description(line.help));
    if let Some(hit) = hit(line.title, look.query) {
        let [before, marked] =
            [&line.title[..hit.start], &line.title[hit]].map(|text| LineText { text, ..title }.width(ui.painter()));
        let start = response.rect.left_top() + vec2(before, 0.0);
        let mark = Rect::from_min_size(start, vec2(marked, response.rect.height()));
        let fill = Palette::of_ui(ui).accent.gamma_multiply(HIT_FILL);
        ui.painter().set(behind, Shape::rect_filled(mark.expand2(vec2(1.0, 0.0)), SMALL_RADIUS, fill));
    }
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
}
