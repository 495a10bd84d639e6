//! A row of a list: title, description and mark in three columns.

use std::sync::Arc;

use egui::emath::GuiRounding as _;
use egui::text::{LayoutJob, TextWrapping};
use egui::{Align2, Color32, FontId, Galley, Rect, Response, Role, Sense, TextFormat, Ui, WidgetInfo, pos2, vec2};

use super::tooltip_guard;
use crate::app::inspect::kernel_picture::{self, KernelPicture};
use crate::app::widgets::fit::{baseline, text_width};
use crate::app::widgets::key_cap::{CapLook, caps_width, paint_caps};
use crate::app::widgets::line_text::LineText;
use crate::app::widgets::panel_mark::{DOT_WIDTH, paint_dot};
use crate::app::widgets::symbol::Symbol;
use crate::app::widgets::theme::{Palette, RADIUS, SPACE, medium, text_size};

/// Height of a row, in points.
pub(super) const HEIGHT: f32 = 28.0;
/// Margin at both ends of a row, in points. The texts above and below the rows have it too.
pub(super) const MARGIN: f32 = 2.5 * SPACE;
/// Width of the bar at the start of the selected row, and its distance from the top and the bottom, in points. It is as far from the
/// edge as it is wide, so that the row has round corners as all others have.
const EDGE: f32 = 3.0;
const EDGE_INSET: f32 = 1.5 * SPACE;
/// Gap between columns, in points.
const GAP: f32 = 3.0 * SPACE;
/// Width of the column of titles: at least, at most in rows that are narrow, and at most in others, in points. A longer title moves its own
/// description, up to a share of the row.
const TITLES: [f32; 3] = [136.0, 168.0, 176.0];
const NARROW: f32 = 500.0;
const LONG_TITLE: f32 = 0.5;
/// Least gap behind a title, in points: one that is longer than the column of titles is not read as one with what follows.
const LONG_TITLE_GAP: f32 = 5.0 * SPACE;
/// Minimum width of the descriptions, in points. In narrower rows there are none.
const LEAST_DETAIL: f32 = 120.0;

/// What is at the right end of a row.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum RowMark {
    /// Nothing.
    None,
    /// The first chord of a command.
    Keys(String),
    /// A name on the command line, or a pattern.
    Code(String),
}

/// A row to draw.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'a> {
    /// The title.
    pub(super) title: &'a str,
    /// Width of the longest title of the list with the gap behind it, in points.
    pub(super) titles: f32,
    /// The description. Without one the title has the whole width.
    pub(super) detail: &'a str,
    /// What is at the right end.
    pub(super) mark: &'a RowMark,
    /// The picture of a kernel before the mark.
    pub(super) kernel: Option<&'a KernelPicture>,
    /// Indices of panels, whose dots and numbers are before the mark.
    pub(super) others: &'a [usize],
    /// Characters of the title to mark.
    pub(super) letters: &'a [usize],
    /// Characters of the description to mark.
    pub(super) detail_letters: &'a [usize],
    /// Its state.
    pub(super) state: RowState,
}

/// State of a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowState {
    /// Whether Enter chooses it.
    pub(super) is_selected: bool,
    /// Whether it can be chosen.
    pub(super) is_enabled: bool,
    /// Whether it is the value in force.
    pub(super) is_current: bool,
}

/// `text` at a size in the colour `plain`, its characters with indices `letters` of medium weight in `marked`.
fn marked_text((text, size): (&str, f32), letters: &[usize], [plain, marked]: [Color32; 2]) -> LayoutJob {
    let lengths: Vec<usize> = text.chars().map(char::len_utf8).collect();
    let is_marked: Vec<bool> = (0..lengths.len()).map(|at| letters.contains(&at)).collect();
    let mut job = LayoutJob::default();
    let (mut from, mut start) = (0, 0);
    for run in is_marked.chunk_by(|a, b| a == b) {
        let bytes: usize = lengths[start..start + run.len()].iter().sum();
        // Colour alone does not mark the characters.
        let (font, colour) = if run[0] { (medium(size), marked) } else { (FontId::proportional(size), plain) };
        let format = TextFormat::simple(font, colour);
        job.append(&text[from..from + bytes], 0.0, format);
        (from, start) = (from + bytes, start + run.len());
    }
    job
}

/// Width of the longest of `titles` with the gap behind it, in points.
pub(super) fn titles_width<'a>(ui: &Ui, titles: impl Iterator<Item = &'a str>) -> f32 {
    titles.map(|title| text_width(ui, title, text_size::BODY)).fold(0.0, f32::max).ceil() + GAP
}

/// Draws a row. Its name for assistive technology is `label`.
pub(super) fn show(ui: &mut Ui, row: &Row<'_>, label: &str) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::click());
    let RowState { is_selected, is_enabled, .. } = row.state;
    response.widget_info(|| WidgetInfo::selected(Role::Button, is_enabled, is_selected, label));
    if ui.is_rect_visible(rect) {
        paint(ui, row, rect, response.hovered() && tooltip_guard::is_in_use(ui));
    }
    response
}

fn paint(ui: &Ui, row: &Row<'_>, rect: Rect, is_hovered: bool) {
    let palette = Palette::of_ui(ui);
    let RowState { is_selected, is_enabled, is_current } = row.state;
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    if is_selected {
        painter.rect_filled(rect, RADIUS, palette.chosen());
        let edge = Rect::from_min_size(rect.min, vec2(EDGE, rect.height())).shrink2(vec2(0.0, EDGE_INSET));
        painter.rect_filled(edge.translate(vec2(EDGE, 0.0)), 0.5 * EDGE, palette.accent);
    } else if is_hovered {
        painter.rect_filled(rect, RADIUS, palette.hovered);
    }
    let inner = rect.shrink2(vec2(MARGIN, 0.0));
    let mark = paint_mark(ui, &painter, row.mark, inner);
    let mut right = if mark > 0.0 { inner.right() - mark - GAP } else { inner.right() };
    if let Some(kernel) = row.kernel {
        let corner = pos2(right - kernel_picture::SIZE.x, inner.center().y - 0.5 * kernel_picture::SIZE.y);
        let colour = if is_enabled { palette.matched() } else { palette.weak };
        kernel.paint(&painter, corner, [colour, palette.line]);
        right = corner.x - GAP;
    }
    if is_current {
        Symbol::Check.paint(ui, pos2(right - 0.5 * text_size::ICON, inner.center().y), palette.text);
        right -= text_size::ICON + GAP;
    }
    for index in row.others.iter().rev() {
        let number = (index + 1).to_string();
        let number = LineText::regular(&number, text_size::VALUE).within(&painter, f32::INFINITY);
        number.paint(&painter, pos2(right - number.width(), inner.center().y), palette.weak);
        let dot = pos2(right - number.width() - SPACE - 0.5 * DOT_WIDTH, inner.center().y);
        paint_dot(&painter, dot, palette.panel(*index).color);
        right = dot.x - 0.5 * DOT_WIDTH - 2.0 * SPACE;
    }
    if !row.others.is_empty() {
        right -= GAP - 2.0 * SPACE;
    }
    let [least, in_narrow, most] = TITLES;
    let column = row.titles.max(least).min(if inner.width() < NARROW { in_narrow } else { most });
    let own = (text_width(ui, row.title, text_size::BODY) + LONG_TITLE_GAP).min(LONG_TITLE * inner.width());
    let detail_x = inner.left() + column.max(own);
    let has_detail = !row.detail.is_empty() && right - detail_x >= LEAST_DETAIL;
    let title_right = if has_detail { detail_x - GAP } else { right };
    let colors = if is_enabled { [palette.text, palette.matched()] } else { [palette.weak; 2] };
    let title = Marked { text: row.title, size: text_size::BODY, letters: row.letters, colors };
    let title = title.laid_out(&painter, title_right - inner.left());
    let top = (inner.center().y - 0.5 * title.size().y).round_to_pixels(ui.pixels_per_point());
    let line = top + baseline(&title);
    let detail = has_detail.then(|| {
        let colour = if is_selected { palette.weak.lerp_to_gamma(palette.text, 0.5) } else { palette.weak };
        let detail = Marked {
            text: row.detail,
            size: text_size::VALUE,
            letters: row.detail_letters,
            colors: [colour, colors[1]],
        };
        (detail_x, detail.laid_out(&painter, right - detail_x))
    });
    for (x, text) in std::iter::once((inner.left(), title)).chain(detail) {
        painter.galley(pos2(x, line - baseline(&text)), text, palette.weak);
    }
}

/// A text with marked characters.
#[derive(Clone, Copy)]
struct Marked<'a> {
    text: &'a str,
    size: f32,
    /// Indices of the marked characters.
    letters: &'a [usize],
    /// Colours of the others and of the marked ones.
    colors: [Color32; 2],
}

impl Marked<'_> {
    /// The text in one line that is cut at `width`.
    fn laid_out(self, painter: &egui::Painter, width: f32) -> Arc<Galley> {
        let mut text = marked_text((self.text, self.size), self.letters, self.colors);
        text.wrap = TextWrapping::truncate_at_width(width.max(0.0));
        painter.layout_job(text)
    }
}

/// Paints the mark at the right end of `inner`. Returns its width.
fn paint_mark(ui: &Ui, painter: &egui::Painter, mark: &RowMark, inner: Rect) -> f32 {
    match mark {
        RowMark::None => 0.0,
        RowMark::Keys(chord) => {
            let keys = [vec![chord.clone()]];
            let width = caps_width(ui, &keys, CapLook::USUAL);
            paint_caps(ui, painter, &keys, inner.right_center() - vec2(width, 0.0));
            width
        }
        RowMark::Code(code) => {
            let font = FontId::monospace(text_size::UNIT);
            let color = Palette::of_ui(ui).weak;
            painter.text(inner.right_center(), Align2::RIGHT_CENTER, code, font, color).width()
        }
    }
}
