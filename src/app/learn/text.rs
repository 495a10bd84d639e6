//! Lesson text: paragraphs with formulas in the line, lists, code, and formulas in a box, laid out for a width.

use std::sync::Arc;

use egui::emath::GuiRounding as _;
use egui::text::{LayoutJob, TextWrapping};
use egui::{
    Color32, FontFamily, FontId, Galley, Painter, Pos2, Rect, Response, Role, Sense, Stroke, StrokeKind, TextFormat,
    Ui, Vec2, WidgetInfo, pos2, vec2,
};

use super::formula::LaidFormula;
use crate::app::widgets::fit::baseline;
use crate::app::widgets::theme::{Palette, RADIUS, SPACE, medium, text_size};
use crate::lesson::markdown::{Bars, Block, Inline};

/// Height of a line as a multiple of the font size.
const LINE: f32 = 1.38;
/// The same of a title.
const TITLE_LINE: f32 = 1.3;
/// Distance of blocks, in points.
const BLOCK_GAP: f32 = 2.25 * SPACE;
/// Distance of the items of a list, in points.
const ITEM_GAP: f32 = SPACE;
/// Width of a list's numbers and dots, in points.
const MARKER: f32 = 20.0;
/// Padding of boxes around formulas and code, in points.
const PADDING: Vec2 = vec2(2.5 * SPACE, 1.5 * SPACE);
/// Height of a line of a bar chart as a multiple of the font size, and height of a bar, in points.
const BAR_LINE: f32 = 1.4;
const BAR: f32 = 10.0;
/// Size of a formula in a box, as a multiple of the text's.
const FORMULA: f32 = 1.15;

/// Size and colour of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextLook {
    /// Font size, in points.
    pub(super) size: f32,
    /// Colour.
    pub(super) colour: Color32,
    /// Height of a line as a multiple of the font size.
    pub(super) line: f32,
}

impl TextLook {
    /// The text of a step.
    pub(super) fn body(palette: &Palette) -> Self {
        Self { size: text_size::LESSON, colour: palette.text, line: LINE }
    }

    /// Reasons, hints and what is said beside the text.
    pub(super) fn small(palette: &Palette) -> Self {
        Self { size: text_size::BODY, colour: palette.text, line: LINE }
    }

    /// The title of a step.
    fn title(palette: &Palette) -> Self {
        Self { size: text_size::TITLE, colour: palette.text, line: TITLE_LINE }
    }
}

/// A text that is laid out.
#[derive(Clone, Debug)]
pub(super) struct LaidText {
    size: Vec2,
    parts: Vec<(Vec2, Part)>,
    /// The text for assistive technology.
    plain: String,
}

#[derive(Clone, Debug)]
enum Part {
    Words(Arc<Galley>, Color32),
    Formula(LaidFormula, Color32),
    /// A box around a formula or code.
    Frame(Vec2),
    /// The ground of code in a line.
    Chip(Vec2),
    /// A bar of a chart.
    Bar(Vec2),
}

/// How words stand out.
#[derive(Clone, Copy, Debug, Default)]
struct Emphasis {
    is_bold: bool,
    is_emphasised: bool,
}

/// A part of a line that is not divided.
#[derive(Debug, Default)]
struct Chunk {
    pieces: Vec<Piece>,
    /// Width of the blank before it, if it is not the first of its line.
    blank: f32,
}

#[derive(Debug)]
struct Piece {
    part: Part,
    width: f32,
    ascent: f32,
    descent: f32,
}

impl LaidText {
    /// `blocks` in `width` points.
    pub(super) fn new(ui: &Ui, blocks: &[Block], width: f32, look: TextLook) -> Self {
        let mut layout = Layout { ui, look, parts: Vec::new(), plain: String::new() };
        let height = layout.blocks(blocks, pos2(0.0, 0.0), width);
        let Layout { parts, plain, .. } = layout;
        Self { size: vec2(width, height), parts, plain: plain.trim_end().to_owned() }
    }

    /// `title`, which is bold.
    pub(super) fn title(ui: &Ui, title: &str, width: f32) -> Self {
        let words = Inline::Text { text: title.to_owned(), is_bold: true, is_emphasised: false };
        Self::new(ui, &[Block::Paragraph(vec![words])], width, TextLook::title(&Palette::of_ui(ui)))
    }

    /// Its size, in points.
    pub(super) fn size(&self) -> Vec2 {
        self.size
    }

    /// The text for assistive technology.
    pub(super) fn plain(&self) -> &str {
        &self.plain
    }

    /// Paints it with its corner at `corner`.
    pub(super) fn paint(&self, ui: &Ui, painter: &Painter, corner: Pos2) {
        let palette = Palette::of_ui(ui);
        for (at, part) in &self.parts {
            let at = (corner + *at).round_to_pixels(painter.pixels_per_point());
            match part {
                Part::Words(galley, colour) => painter.galley(at, Arc::clone(galley), *colour),
                Part::Formula(formula, colour) => formula.paint(painter, at, *colour),
                Part::Frame(size) => {
                    let rect = Rect::from_min_size(at, *size);
                    painter.rect(rect, RADIUS, palette.field, Stroke::new(1.0, palette.line), StrokeKind::Inside);
                }
                Part::Bar(size) => drop(painter.rect_filled(Rect::from_min_size(at, *size), 2.0, palette.accent)),
                Part::Chip(size) => drop(painter.rect_filled(Rect::from_min_size(at, *size), 3.0, palette.field)),
            }
        }
    }

    /// Draws it as a label.
    pub(super) fn show(&self, ui: &mut Ui) -> Response {
        self.show_as(ui, Role::Label)
    }

    /// Draws it for assistive technology with this role.
    pub(super) fn show_as(&self, ui: &mut Ui, role: Role) -> Response {
        let (rect, response) = ui.allocate_exact_size(self.size, Sense::hover());
        if ui.is_rect_visible(rect) {
            self.paint(ui, ui.painter(), rect.min);
        }
        response.widget_info(|| WidgetInfo::labeled(role, true, &self.plain));
        response
    }
}

/// A layout in progress.
struct Layout<'a> {
    ui: &'a Ui,
    look: TextLook,
    parts: Vec<(Vec2, Part)>,
    plain: String,
}

impl Layout<'_> {
    /// Lays out `blocks` from `corner` on. Returns their height.
    fn blocks(&mut self, blocks: &[Block], corner: Pos2, width: f32) -> f32 {
        let mut top = corner.y;
        for (index, block) in blocks.iter().enumerate() {
            if index > 0 {
                top += BLOCK_GAP;
            }
            let at = pos2(corner.x, top);
            top += match block {
                Block::Paragraph(inlines) => self.paragraph(inlines, at, width),
                Block::Formula(formula) => self.formula(formula, at, width),
                Block::List { start, items } => self.list(*start, items, at, width),
                Block::Code(code) => self.code(code, at, width),
                Block::Bars(bars) => self.bars(bars, at, width),
            };
            self.plain.push('\n');
        }
        top - corner.y
    }

    fn list(&mut self, start: Option<u64>, items: &[Vec<Block>], corner: Pos2, width: f32) -> f32 {
        let mut top = corner.y;
        for (index, item) in (0..).zip(items) {
            if index > 0 {
                top += ITEM_GAP;
            }
            let marker = start.map_or_else(|| "•".to_owned(), |start| format!("{}.", start + index));
            self.plain.push_str(&marker);
            self.plain.push(' ');
            let galley = self.words(&marker, Emphasis::default());
            let shift = 0.5 * (self.look.line * self.look.size - galley.size().y);
            self.parts.push((vec2(corner.x, top + shift), Part::Words(galley, self.look.colour)));
            top += self.blocks(item, pos2(corner.x + MARKER, top), (width - MARKER).max(1.0));
        }
        top - corner.y
    }

    /// A formula in a box, reduced if it is too wide.
    fn formula(&mut self, source: &str, corner: Pos2, width: f32) -> f32 {
        let room = (width - 2.0 * PADDING.x).max(1.0);
        let laid = |size: f32| LaidFormula::display(self.ui.painter(), source, size);
        let size = FORMULA * self.look.size;
        let wanted = laid(size);
        let laid = if wanted.size().x > room { laid(size * room / wanted.size().x) } else { wanted };
        let frame = vec2(width, laid.size().y + 2.0 * PADDING.y);
        let at = vec2(corner.x + 0.5 * (width - laid.size().x), corner.y + PADDING.y);
        self.parts.push((corner.to_vec2(), Part::Frame(frame)));
        self.plain.push_str(laid.plain());
        self.parts.push((at, Part::Formula(laid, self.look.colour)));
        frame.y
    }

    fn code(&mut self, code: &str, corner: Pos2, width: f32) -> f32 {
        let font = FontId::monospace(text_size::VALUE);
        let room = (width - 2.0 * PADDING.x).max(1.0);
        let galley = self.ui.painter().layout(code.to_owned(), font, self.look.colour, room);
        let frame = vec2(width, galley.size().y + 2.0 * PADDING.y);
        self.parts.push((corner.to_vec2(), Part::Frame(frame)));
        self.parts.push((corner.to_vec2() + PADDING, Part::Words(galley, self.look.colour)));
        self.plain.push_str(code);
        frame.y
    }

    /// A bar chart: in each line a name, a bar and a number.
    fn bars(&mut self, bars: &Bars, corner: Pos2, width: f32) -> f32 {
        let line = BAR_LINE * self.look.size;
        let names: Vec<Arc<Galley>> = bars.rows.iter().map(|(name, _)| self.words(name, Emphasis::default())).collect();
        let numbers: Vec<String> = (0..bars.rows.len()).map(|row| bars.number(row)).collect();
        let laid: Vec<Arc<Galley>> = numbers.iter().map(|number| self.words(number, Emphasis::default())).collect();
        let widest = |texts: &[Arc<Galley>]| texts.iter().map(|text| text.size().x).fold(0.0, f32::max);
        let start = widest(&names) + 2.0 * SPACE;
        let room = (width - start - widest(&laid) - 2.0 * SPACE).max(1.0);
        for (row, share) in bars.shares().into_iter().enumerate() {
            let top = corner.y + row as f32 * line;
            let text_at = |left: f32, text: &Galley| vec2(left, top + 0.5 * (line - text.size().y));
            let bar = vec2((room * share as f32).max(1.0), BAR);
            let behind = corner.x + start + bar.x + 2.0 * SPACE;
            self.parts.push((text_at(corner.x, &names[row]), Part::Words(Arc::clone(&names[row]), self.look.colour)));
            self.parts.push((vec2(corner.x + start, top + 0.5 * (line - BAR)), Part::Bar(bar)));
            self.parts.push((text_at(behind, &laid[row]), Part::Words(Arc::clone(&laid[row]), self.look.colour)));
            self.plain.push_str(&format!("{}: {}; ", bars.rows[row].0, numbers[row]));
        }
        line * bars.rows.len() as f32
    }

    /// Lays out a paragraph line by line. Returns its height.
    fn paragraph(&mut self, inlines: &[Inline], corner: Pos2, width: f32) -> f32 {
        let usual = self.words("x", Emphasis::default());
        let usual = (baseline(&usual), usual.size().y - baseline(&usual));
        let mut lines: Vec<Vec<Chunk>> = vec![Vec::new()];
        let mut filled = 0.0;
        for chunk in self.chunks(inlines) {
            let own: f32 = chunk.pieces.iter().map(|piece| piece.width).sum();
            let is_first = lines.last().is_none_or(Vec::is_empty);
            if !is_first && filled + chunk.blank + own > width {
                lines.push(Vec::new());
                filled = 0.0;
            }
            if let Some(line) = lines.last_mut() {
                filled += own + if line.is_empty() { 0.0 } else { chunk.blank };
                line.push(chunk);
            }
        }
        let mut top = corner.y;
        for line in lines {
            let highest = |of: fn(&Piece) -> f32, least: f32| {
                line.iter().flat_map(|chunk| &chunk.pieces).map(of).fold(least, f32::max)
            };
            let (ascent, descent) = (highest(|piece| piece.ascent, usual.0), highest(|piece| piece.descent, usual.1));
            let height = (self.look.line * self.look.size).max(ascent + descent + 0.5 * SPACE);
            let base = top + 0.5 * (height - ascent - descent) + ascent;
            let mut left = corner.x;
            for (index, chunk) in line.into_iter().enumerate() {
                if index > 0 {
                    left += chunk.blank;
                }
                for piece in chunk.pieces {
                    self.parts.push((vec2(left, base - piece.ascent), piece.part));
                    left += piece.width;
                }
            }
            top += height;
        }
        top - corner.y
    }

    /// The parts of a paragraph between its blanks.
    fn chunks(&mut self, inlines: &[Inline]) -> Vec<Chunk> {
        let blank = self.ui.painter().layout_no_wrap("\u{a0}".to_owned(), self.font(), Color32::PLACEHOLDER).size().x;
        let mut chunks = vec![Chunk::default()];
        let mut add = |pieces: Vec<Piece>, begins: bool| {
            if begins && chunks.last().is_some_and(|chunk| !chunk.pieces.is_empty()) {
                chunks.push(Chunk { pieces: Vec::new(), blank });
            }
            if let Some(chunk) = chunks.last_mut() {
                chunk.pieces.extend(pieces);
            }
        };
        for inline in inlines {
            match inline {
                Inline::Text { text, is_bold, is_emphasised } => {
                    self.plain.push_str(text);
                    let emphasis = Emphasis { is_bold: *is_bold, is_emphasised: *is_emphasised };
                    for (index, word) in text.split(' ').enumerate() {
                        let pieces = if word.is_empty() { Vec::new() } else { vec![self.word(word, emphasis)] };
                        add(pieces, index > 0);
                    }
                }
                Inline::Code(code) => {
                    self.plain.push_str(code);
                    add(self.code_chip(code), false);
                }
                Inline::Formula(source) => {
                    let laid = LaidFormula::inline(self.ui.painter(), source, self.look.size);
                    self.plain.push_str(laid.plain());
                    let (width, ascent) = (laid.size().x, laid.ascent());
                    let descent = laid.size().y - ascent;
                    add(vec![Piece { part: Part::Formula(laid, self.look.colour), width, ascent, descent }], false);
                }
            }
        }
        chunks
    }

    fn word(&self, word: &str, emphasis: Emphasis) -> Piece {
        let galley = self.words(word, emphasis);
        let (ascent, size) = (baseline(&galley), galley.size());
        Piece { part: Part::Words(galley, self.look.colour), width: size.x, ascent, descent: size.y - ascent }
    }

    /// Code on its ground: the ground takes no room, so that the code follows on it.
    fn code_chip(&self, code: &str) -> Vec<Piece> {
        let font = FontId::new(self.look.size * 0.88, FontFamily::Monospace);
        let galley = self.ui.painter().layout_no_wrap(code.to_owned(), font, self.look.colour);
        let (ascent, height, width) = (baseline(&galley), galley.size().y, galley.size().x);
        let chip = Piece {
            part: Part::Chip(vec2(width + 2.0 * SPACE, height)),
            width: SPACE,
            ascent,
            descent: height - ascent,
        };
        let words = Piece {
            part: Part::Words(galley, self.look.colour),
            width: width + SPACE,
            ascent,
            descent: height - ascent,
        };
        vec![chip, words]
    }

    fn words(&self, words: &str, Emphasis { is_bold, is_emphasised }: Emphasis) -> Arc<Galley> {
        let mut job = LayoutJob::default();
        let font = if is_bold { medium(self.look.size) } else { self.font() };
        let format = TextFormat { italics: is_emphasised, ..TextFormat::simple(font, self.look.colour) };
        job.append(words, 0.0, format);
        job.wrap = TextWrapping::no_max_width();
        self.ui.painter().layout_job(job)
    }

    fn font(&self) -> FontId {
        FontId::proportional(self.look.size)
    }
}
