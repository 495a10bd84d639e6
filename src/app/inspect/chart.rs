//! A small chart: axes with round numbers, bars and curves. Curves differ by colour and by dashes, both named in a legend.

use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Shape, Stroke, pos2, vec2};

use crate::app::number::short;
use crate::app::theme::Palette;

/// Colours that colour-blind eyes tell apart (Okabe and Ito 2008), middling bright, for both themes.
const COLOURS: [Color32; 5] = [
    Color32::from_rgb(0, 134, 200),
    Color32::from_rgb(224, 124, 0),
    Color32::from_rgb(0, 158, 115),
    Color32::from_rgb(204, 100, 160),
    Color32::from_rgb(140, 140, 140),
];
/// Lengths of dashes and gaps, in points; none means one line.
const DASHES: [Option<(f32, f32)>; 4] = [None, Some((8.0, 4.0)), Some((2.0, 3.0)), Some((14.0, 3.0))];

/// A range of numbers along both axes, drawn in a rectangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chart {
    /// Where curves go.
    pub(super) rect: Rect,
    /// What is at its left and right edge.
    pub(super) across: [f64; 2],
    /// What is at its lower and upper edge.
    pub(super) up: [f64; 2],
}

/// How the curve numbered `index` is drawn.
pub(super) fn style(index: usize) -> (Color32, Option<(f32, f32)>) {
    (COLOURS[index % COLOURS.len()], DASHES[index % DASHES.len()])
}

impl Chart {
    /// Where numbers are in the window.
    pub(super) fn pos(&self, x: f64, y: f64) -> Pos2 {
        let share = |value: f64, [from, to]: [f64; 2]| ((value - from) / (to - from)) as f32;
        let (x, y) = (share(x, self.across), share(y, self.up));
        pos2(self.rect.left() + x * self.rect.width(), self.rect.bottom() - y * self.rect.height())
    }

    /// What is under a column of the window.
    pub(super) fn across_at(&self, pos: Pos2) -> f64 {
        let share = f64::from((pos.x - self.rect.left()) / self.rect.width());
        self.across[0] + share * (self.across[1] - self.across[0])
    }

    /// Draws the ground, and lines at round numbers with what they are.
    pub(super) fn axes(&self, painter: &Painter, palette: &Palette) {
        painter.rect_filled(self.rect, 0.0, palette.ground.lerp_to_gamma(palette.surface, 0.6));
        let font = FontId::proportional(11.0);
        let line = Stroke::new(1.0, palette.line);
        for y in ticks(self.up, self.rect.height() / 34.0) {
            let left = self.pos(self.across[0], y);
            painter.line_segment([left, pos2(self.rect.right(), left.y)], line);
            let at = left - vec2(4.0, 0.0);
            painter.text(at, Align2::RIGHT_CENTER, short(y, 5), font.clone(), palette.weak);
        }
        self.rule_across(painter, palette);
    }

    /// Draws the ground, and lines across at round numbers only.
    pub(super) fn axes_across(&self, painter: &Painter, palette: &Palette) {
        painter.rect_filled(self.rect, 0.0, palette.ground.lerp_to_gamma(palette.surface, 0.6));
        self.rule_across(painter, palette);
    }

    fn rule_across(&self, painter: &Painter, palette: &Palette) {
        for x in ticks(self.across, self.rect.width() / 70.0) {
            let foot = self.pos(x, self.up[0]);
            painter.line_segment([foot, pos2(foot.x, self.rect.top())], Stroke::new(1.0, palette.line));
            let anchor = match () {
                () if x == self.across[0] => Align2::LEFT_TOP,
                () if (x - self.across[1]).abs() < 0.02 * (self.across[1] - self.across[0]) => Align2::RIGHT_TOP,
                () => Align2::CENTER_TOP,
            };
            let font = FontId::proportional(11.0);
            painter.text(foot + vec2(0.0, 2.0), anchor, short(x, 5), font, palette.weak);
        }
    }

    /// Draws a curve in the style numbered `index`.
    pub(super) fn curve(&self, painter: &Painter, points: &[[f64; 2]], index: usize) {
        let inside = painter.with_clip_rect(self.rect.intersect(painter.clip_rect()));
        let path: Vec<Pos2> = points.iter().map(|[x, y]| self.pos(*x, *y)).collect();
        inside.extend(stroked(&path, index));
    }
}

/// A line in the style numbered `index`.
pub(super) fn stroked(path: &[Pos2], index: usize) -> Vec<Shape> {
    let (colour, dashes) = style(index);
    let stroke = Stroke::new(1.5, colour);
    match dashes {
        None => vec![Shape::line(path.to_vec(), stroke)],
        Some((dash, gap)) => Shape::dashed_line(path, stroke, dash, gap),
    }
}

/// About `count` round numbers within a range.
pub(super) fn ticks([from, to]: [f64; 2], count: f32) -> Vec<f64> {
    let span = to - from;
    if span.is_nan() || span <= 0.0 || !span.is_finite() {
        return Vec::new();
    }
    let rough = span / f64::from(count.max(1.0));
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|step| step * power).into_iter().find(|step| *step >= rough);
    let step = step.unwrap_or(10.0 * power);
    let (first, last) = ((from / step).ceil() as i64, (to / step + 1e-9).floor() as i64);
    (first..=last).map(|tick| tick as f64 * step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(ticks([0.0, 255.0], 5.0), [0.0, 100.0, 200.0]);
        assert_eq!(ticks([-1.0, 1.0], 4.0), [-1.0, -0.5, 0.0, 0.5, 1.0]);
        assert!(ticks([1.0, 1.0], 4.0).is_empty() && ticks([0.0, f64::NAN], 4.0).is_empty());
    }

    #[test]
    fn numbers_find_their_places() {
        let rect = Rect::from_min_max(pos2(10.0, 20.0), pos2(110.0, 70.0));
        let chart = Chart { rect, across: [0.0, 10.0], up: [-1.0, 1.0] };
        assert_eq!(chart.pos(5.0, 0.0), pos2(60.0, 45.0));
        assert_eq!(chart.across_at(pos2(60.0, 0.0)), 5.0);
    }
}
