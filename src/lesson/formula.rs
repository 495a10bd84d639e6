//! Formulas for the window: LaTeX becomes outlines, and outlines become pixels at any size.
//!
//! The layout and the font (STIX Two Math) are those of the crate `latex-rust`. Lengths are in em: 1 is the size of the font
//! of the text around.

use std::borrow::Cow;
use std::sync::OnceLock;

use ab_glyph_rasterizer::{Rasterizer, point};
use latex_rust::ttf_parser::{GlyphId, OutlineBuilder};
use latex_rust::{BoxContent, Dim, MathBox, MathFont, MathStyle};
use thiserror::Error;

use crate::text::{foreign_message, shortened};

/// Longest formula, in bytes.
const MAX_FORMULA: usize = 4000;
/// Greatest side of a picture of a formula, in pixels.
const MAX_SIDE: f32 = 16384.0;

/// A formula is not LaTeX, or has a part that is not drawn. The message is one line.
#[derive(Clone, PartialEq, Eq, Error)]
#[error("formula '{}': {cause}", shortened(.latex))]
pub struct FormulaError {
    latex: String,
    cause: String,
}

/// How large sums and fractions are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FormulaStyle {
    /// As in a line of text.
    Inline,
    /// As on a line of its own.
    Display,
}

/// A laid out formula.
#[derive(Clone, Debug)]
pub struct Formula {
    /// Width.
    pub width: f32,
    /// Height above the baseline.
    pub height: f32,
    /// Depth below the baseline.
    pub depth: f32,
    segments: Vec<Segment>,
}

/// A piece of an outline; x to the right from the left edge, y up from the baseline. Outlines are closed, and filled where
/// their winding number is not 0.
#[derive(Clone, Copy, Debug)]
enum Segment {
    Line([[f32; 2]; 2]),
    Quad([[f32; 2]; 3]),
    Cubic([[f32; 2]; 4]),
}

/// Pixels of a formula: how much of each is covered.
#[derive(Clone, Debug)]
pub struct FormulaPixels {
    /// Width and height.
    pub size: [usize; 2],
    /// Rows above the baseline; whole, so that formulas stand on the pixel grid as the text does.
    pub baseline: usize,
    /// Coverage of each pixel, row by row: 0 is none, 255 is all.
    pub coverage: Vec<u8>,
}

impl Formula {
    /// Lays out `latex`, without its dollar signs.
    ///
    /// # Errors
    /// [`FormulaError`]: a command is unknown, a brace is missing, or a character has no glyph.
    pub fn new(latex: &str, style: FormulaStyle) -> Result<Self, FormulaError> {
        let wrong = |cause: &str| FormulaError { latex: latex.to_owned(), cause: foreign_message(cause) };
        if latex.len() > MAX_FORMULA {
            return Err(wrong(&format!("is longer than {MAX_FORMULA} bytes")));
        }
        let font = font().ok_or_else(|| wrong("its font cannot be read"))?;
        let parsed = latex_rust::parse(&kept_spaces(latex)).map_err(|error| wrong(&error.to_string()))?;
        let style = match style {
            FormulaStyle::Inline => MathStyle::Text,
            FormulaStyle::Display => MathStyle::Display,
        };
        let tree = latex_rust::layout(&parsed, font, style).map_err(|error| wrong(&error.to_string()))?;
        let mut outline = Outline { font, segments: Vec::new() };
        outline.add(&tree, [0.0, 0.0]);
        let [width, height, depth] = [&tree.width, &tree.height, &tree.depth].map(number);
        Ok(Self { width, height, depth, segments: outline.segments })
    }

    /// Its pixels with `em` pixels to an em.
    pub fn pixels(&self, em: f32) -> FormulaPixels {
        let em = em.clamp(1.0, MAX_SIDE);
        // One pixel around for what sticks out of the boxes, as slanted letters do.
        let side = |length: f32| ((length.max(0.0) * em).min(MAX_SIDE).ceil() + 1.0) as usize;
        let (above, below, width) = (side(self.height), side(self.depth), side(self.width) + 1);
        let size = [width, above + below];
        let mut raster = Rasterizer::new(size[0], size[1]);
        let place = |[x, y]: [f32; 2]| point(x.mul_add(em, 1.0), (-y).mul_add(em, above as f32));
        for segment in &self.segments {
            match segment {
                Segment::Line([a, b]) => raster.draw_line(place(*a), place(*b)),
                Segment::Quad([a, b, c]) => raster.draw_quad(place(*a), place(*b), place(*c)),
                Segment::Cubic([a, b, c, d]) => raster.draw_cubic(place(*a), place(*b), place(*c), place(*d)),
            }
        }
        let mut coverage = vec![0; size[0] * size[1]];
        raster.for_each_pixel(|index, share| {
            if let Some(pixel) = coverage.get_mut(index) {
                *pixel = (share.clamp(0.0, 1.0) * 255.0).round() as u8;
            }
        });
        FormulaPixels { size, baseline: above, coverage }
    }
}

/// Commands of a space. `{}` has no width, but takes part in the spacing around it.
const SPACES: [&str; 9] = [r"\qquad", r"\quad", r"\,", r"\:", r"\>", r"\;", r"\!", r"\ ", "{}"];

/// `latex` with its spaces inside `\begin … \end` as phantoms, since the parser drops bare spaces from the cells of an
/// environment.
fn kept_spaces(latex: &str) -> Cow<'_, str> {
    if !latex.contains(r"\begin") {
        return Cow::Borrowed(latex);
    }
    let (mut kept, mut depth, mut rest) = (String::with_capacity(2 * latex.len()), 0_usize, latex);
    while let Some(first) = rest.chars().next() {
        let space = SPACES.into_iter().find(|space| rest.starts_with(space)).filter(|_| depth > 0);
        if rest.starts_with(r"\begin") {
            depth += 1;
        } else if rest.starts_with(r"\end") {
            depth = depth.saturating_sub(1);
        }
        // A backslash and the character after it are one: `\\` ends a row, whatever follows.
        let length = match (space, first) {
            (Some(space), _) => space.len(),
            (None, '\\') => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
            (None, other) => other.len_utf8(),
        };
        let (part, after) = rest.split_at(length);
        if space.is_some() {
            kept.push_str(r"\hphantom{");
            kept.push_str(part);
            kept.push('}');
        } else {
            kept.push_str(part);
        }
        rest = after;
    }
    Cow::Owned(kept)
}

fn font() -> Option<&'static MathFont> {
    static FONT: OnceLock<Option<MathFont>> = OnceLock::new();
    FONT.get_or_init(|| MathFont::stix_two_math().ok()).as_ref()
}

fn number(dim: &Dim) -> f32 {
    let number = f32::from_bits(dim.to_ieee32_bits());
    if number.is_finite() { number } else { 0.0 }
}

struct Outline<'a> {
    font: &'a MathFont,
    segments: Vec<Segment>,
}

impl Outline<'_> {
    /// Adds `tree`, whose parent's baseline begins at `origin`.
    fn add(&mut self, tree: &MathBox, [x, parent]: [f32; 2]) {
        let y = parent + number(&tree.shift);
        match &tree.content {
            BoxContent::Glyph { glyph_id, scale, .. } => {
                let em = number(scale) / f32::from(self.font.units_per_em());
                let mut pen = Pen { segments: &mut self.segments, em, origin: [x, y], start: [0.0; 2], at: [0.0; 2] };
                let _ = self.font.face().outline_glyph(GlyphId(*glyph_id), &mut pen);
            }
            BoxContent::Rule => self.rectangle(
                [x, y - number(&tree.depth)],
                [number(&tree.width), number(&tree.height) + number(&tree.depth)],
            ),
            BoxContent::HList(parts) => {
                let mut x = x;
                for part in parts {
                    self.add(part, [x, y]);
                    x += number(&part.width);
                }
            }
            BoxContent::VList(parts) => {
                let mut below = 0.0;
                for (index, part) in parts.iter().enumerate() {
                    if index > 0 {
                        below += number(&part.height);
                    }
                    self.add(part, [x, y - below]);
                    below += number(&part.depth);
                }
            }
            BoxContent::Overlap(parts) => parts.iter().for_each(|part| self.add(part, [x, y])),
            // The colour is that of the text.
            BoxContent::Color(_, inner) | BoxContent::BackColor(_, inner) => self.add(inner, [x, y]),
            BoxContent::Line { x1, y1, x2, y2, thickness } => {
                let [a, b] = [[x1, y1], [x2, y2]].map(|[dx, dy]| [x + number(dx), y + number(dy)]);
                self.stroke(a, b, number(thickness));
            }
            BoxContent::Frame { thickness, inner, .. } => {
                let t = number(thickness);
                let (width, height) = (number(&tree.width), number(&tree.height) + number(&tree.depth));
                let bottom = y - number(&tree.depth);
                self.rectangle([x, bottom], [width, t]);
                self.rectangle([x, bottom + height - t], [width, t]);
                self.rectangle([x, bottom], [t, height]);
                self.rectangle([x + width - t, bottom], [t, height]);
                self.add(inner, [x, y]);
            }
            _ => {}
        }
    }

    fn rectangle(&mut self, [x, y]: [f32; 2], [width, height]: [f32; 2]) {
        if width > 0.0 && height > 0.0 {
            // Counter-clockwise, as the outer outlines of glyphs are: what overlaps adds up.
            self.polygon([[x, y], [x + width, y], [x + width, y + height], [x, y + height]]);
        }
    }

    fn stroke(&mut self, a: [f32; 2], b: [f32; 2], thickness: f32) {
        let along = [b[0] - a[0], b[1] - a[1]];
        let length = along[0].hypot(along[1]);
        if length > 0.0 {
            let half = 0.5 * thickness / length;
            let side = [-along[1] * half, along[0] * half];
            let moved = |p: [f32; 2], sign: f32| [p[0] + sign * side[0], p[1] + sign * side[1]];
            self.polygon([moved(a, -1.0), moved(b, -1.0), moved(b, 1.0), moved(a, 1.0)]);
        }
    }

    fn polygon(&mut self, corners: [[f32; 2]; 4]) {
        for index in 0..4 {
            self.segments.push(Segment::Line([corners[index], corners[(index + 1) % 4]]));
        }
    }
}

/// Takes the outline of a glyph, in font units, to its place.
struct Pen<'a> {
    segments: &'a mut Vec<Segment>,
    em: f32,
    origin: [f32; 2],
    start: [f32; 2],
    at: [f32; 2],
}

impl Pen<'_> {
    fn placed(&self, x: f32, y: f32) -> [f32; 2] {
        [x.mul_add(self.em, self.origin[0]), y.mul_add(self.em, self.origin[1])]
    }
}

impl OutlineBuilder for Pen<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        self.start = self.placed(x, y);
        self.at = self.start;
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let to = self.placed(x, y);
        self.segments.push(Segment::Line([self.at, to]));
        self.at = to;
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let to = self.placed(x, y);
        self.segments.push(Segment::Quad([self.at, self.placed(x1, y1), to]));
        self.at = to;
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let to = self.placed(x, y);
        self.segments.push(Segment::Cubic([self.at, self.placed(x1, y1), self.placed(x2, y2), to]));
        self.at = to;
    }

    fn close(&mut self) {
        self.segments.push(Segment::Line([self.at, self.start]));
        self.at = self.start;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formula(latex: &str, style: FormulaStyle) -> Formula {
        Formula::new(latex, style).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Share of the covered pixels in the rows of a picture.
    fn ink(pixels: &FormulaPixels, rows: std::ops::Range<usize>) -> u32 {
        let width = pixels.size[0];
        pixels.coverage[rows.start * width..rows.end * width].iter().map(|share| u32::from(*share)).sum()
    }

    #[test]
    fn pixels_lie_within_the_box_of_a_formula_and_stand_on_its_baseline() {
        let pixels = formula("x", FormulaStyle::Inline).pixels(40.0);
        assert_eq!(pixels.coverage.len(), pixels.size[0] * pixels.size[1]);
        let (above, below) = (ink(&pixels, 0..pixels.baseline), ink(&pixels, pixels.baseline + 1..pixels.size[1]));
        assert!(above > 255 * 50 && below < above / 20, "{above} above, {below} below");
        let hanging = formula("y_m", FormulaStyle::Inline).pixels(40.0);
        assert!(ink(&hanging, hanging.baseline + 1..hanging.size[1]) > 255 * 20);
    }

    #[test]
    fn fraction_has_a_rule_between_its_two_parts() {
        let tall = formula(r"\frac{a}{b}", FormulaStyle::Display);
        let flat = formula("a", FormulaStyle::Display);
        assert!(tall.height > flat.height && tall.depth > flat.depth);
        let pixels = tall.pixels(60.0);
        let width = pixels.size[0];
        let widest = (0..pixels.size[1])
            .map(|row| pixels.coverage[row * width..(row + 1) * width].iter().filter(|share| **share > 200).count());
        let (row, count) = widest.enumerate().max_by_key(|(_, count)| *count).expect("a row");
        assert!(count * 10 > width * 8, "the rule covers {count} of {width} pixels");
        assert!((1..pixels.baseline).contains(&row), "row {row} above the baseline {}", pixels.baseline);
    }

    /// The rule above a root overlaps its sign by a little.
    #[test]
    fn overlapping_outlines_add_up_to_full_coverage() {
        let pixels = formula(r"\sqrt{x}", FormulaStyle::Inline).pixels(200.0);
        let width = pixels.size[0];
        let rows: Vec<&[u8]> = pixels.coverage.chunks(width).collect();
        let row =
            (0..rows.len()).max_by_key(|row| rows[*row].iter().filter(|share| **share > 250).count()).expect("a row");
        let first = rows[row].iter().position(|share| *share > 250).expect("the rule begins");
        let last = rows[row].iter().rposition(|share| *share > 250).expect("the rule ends");
        assert!(last - first > width / 2, "{first} to {last} of {width}");
        assert!(rows[row][first..=last].iter().all(|share| *share > 250), "a gap in row {row}");
    }

    #[test]
    fn display_style_is_larger_than_that_of_a_line_of_text() {
        let latex = r"\sum_{k} \frac{1}{k}";
        assert!(formula(latex, FormulaStyle::Display).height > formula(latex, FormulaStyle::Inline).height);
    }

    #[test]
    fn spaces_inside_an_environment_are_as_wide_as_outside() {
        let width = |latex: &str| formula(latex, FormulaStyle::Display).width;
        for space in [r"\,", r"\:", r"\;", r"\ ", r"\quad", r"\qquad"] {
            let outside = width(&format!("a{space} b")) - width("ab");
            let aligned = |cell: &str| width(&format!(r"\begin{{aligned}} f & {cell} \\ g & c \end{{aligned}}"));
            let inside = aligned(&format!("a{space} b")) - aligned("ab");
            assert!(outside > 0.1 && (inside - outside).abs() < 1e-4, "{space}: {inside}, outside {outside}");
        }
    }

    #[test]
    fn sign_at_the_end_of_a_cell_has_its_space_before_an_empty_group() {
        let aligned =
            |end: &str| formula(&format!(r"\begin{{aligned}} f {end} & (a) \end{{aligned}}"), FormulaStyle::Display);
        let [tight, spaced] = ["=", "= {}"].map(|end| aligned(end).width);
        assert!((spaced - tight - 5.0 / 18.0).abs() < 1e-3, "{tight} and {spaced}");
    }

    #[test]
    fn end_of_a_row_is_no_space() {
        assert_eq!(
            kept_spaces(r"\begin{aligned} a \\, b \end{aligned} \, c"),
            r"\begin{aligned} a \\, b \end{aligned} \, c"
        );
    }

    #[test]
    fn wrong_formula_is_refused_in_one_line() {
        for latex in [r"\frac{1}{", r"\nosuchcommand", "x^"] {
            let error = Formula::new(latex, FormulaStyle::Inline).expect_err(latex).to_string();
            assert!(error.starts_with("formula '") && !error.contains('\n'), "{error}");
        }
        let long = "x".repeat(MAX_FORMULA + 1);
        assert!(Formula::new(&long, FormulaStyle::Inline).is_err());
    }
}
