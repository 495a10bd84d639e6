//! Curves of a plot in the styles of the panels. A legend shows colour and dash.

use std::ops::RangeInclusive;

use egui::{Color32, Pos2, Shape, Stroke, Ui};
use egui_plot::{LineStyle, PlotBounds, PlotGeometry, PlotItem, PlotItemBase, PlotPoint, PlotTransform};

use crate::app::widgets::theme::PanelStyle;

/// Distance of two points of a curve below which they are the two sides of a jump, in units of x.
const JUMP: f64 = 1e-7;
/// Height of a jump that is drawn as a step, in points.
const LEAST_STEP: f32 = 0.5;
/// Distance of two points of a curve that are drawn as one, in points.
const SAME: f32 = 0.01;

/// Line width of a style, in points; for dotted lines the radius of the dots.
pub(in crate::app) fn width(style: LineStyle) -> f32 {
    if matches!(style, LineStyle::Dotted { .. }) { 0.9 } else { 1.5 }
}

/// A line in the style of a panel.
pub(in crate::app) fn stroked(path: &[Pos2], style: PanelStyle) -> Vec<Shape> {
    let stroke = Stroke::new(width(style.line), style.color);
    match style.line {
        LineStyle::Solid => vec![Shape::line(path.to_vec(), stroke)],
        LineStyle::Dotted { spacing } => Shape::dotted_line(path, style.color, spacing, stroke.width),
        LineStyle::Dashed { length } => dashed(path, stroke, length, 0.5 * length),
    }
}

/// A dashed line along `path`. Each dash is one shape: of a level dash that is drawn from point to point, pieces shorter than a pixel
/// would be rounded away.
fn dashed(path: &[Pos2], stroke: Stroke, dash: f32, gap: f32) -> Vec<Shape> {
    let mut shapes = Vec::new();
    let mut points: Vec<Pos2> = path.first().copied().into_iter().collect();
    // What remains of the dash or of the gap.
    let (mut is_dash, mut remains) = (true, dash);
    for pair in path.windows(2) {
        let [mut from, to] = [pair[0], pair[1]];
        // A length that is no number ends the piece.
        while (to - from).length() >= remains {
            from += (to - from).normalized() * remains;
            points.push(from);
            if is_dash {
                shapes.push(Shape::line(std::mem::take(&mut points), stroke));
            }
            is_dash = !is_dash;
            remains = if is_dash { dash } else { gap };
        }
        remains -= (to - from).length();
        if is_dash {
            points.push(to);
        }
    }
    if points.len() > 1 {
        shapes.push(Shape::line(points, stroke));
    }
    shapes
}

/// A curve of a plot, stroked as one line. Where two successive points have the same x, the curve has a step: steps, and the level
/// parts beside them, lie in the middles of the screen's pixels, so that all of them look equally thick.
pub(in crate::app) struct StrokedCurve {
    base: PlotItemBase,
    points: Vec<[f64; 2]>,
    style: PanelStyle,
}

impl StrokedCurve {
    /// A curve through `points`, in their order. A jump is upright.
    pub(in crate::app) fn new(name: &str, mut points: Vec<[f64; 2]>, style: PanelStyle) -> Self {
        for at in 1..points.len() {
            if (0.0..=JUMP).contains(&(points[at][0] - points[at - 1][0])) {
                points[at][0] = points[at - 1][0];
            }
        }
        Self { base: PlotItemBase::new(name.to_owned()), points, style }
    }

    /// Its points on the screen, as `place` maps them, for `ppp` pixels a point.
    fn path(&self, place: impl Fn([f64; 2]) -> Pos2, ppp: f32) -> Vec<Pos2> {
        let mut path: Vec<Pos2> = self.points.iter().map(|point| place(*point)).collect();
        let middle = |at: f32| ((at * ppp).floor() + 0.5) / ppp;
        let is_step =
            |pair: &[[f64; 2]]| pair[0][0] == pair[1][0] && (place(pair[0]).y - place(pair[1]).y).abs() >= LEAST_STEP;
        for (before, _) in self.points.windows(2).enumerate().filter(|(_, pair)| is_step(pair)) {
            let after = before + 1;
            let is_level = |from: usize, to: &usize| self.points[*to][1] == self.points[from][1];
            let left = (0..=before).rev().take_while(|at| is_level(before, at));
            let right = (after..path.len()).take_while(|at| is_level(after, at));
            let level: Vec<usize> = left.chain(right).collect();
            level.into_iter().for_each(|at| path[at].y = middle(place(self.points[at]).y));
            let x = middle(path[before].x);
            (path[before].x, path[after].x) = (x, x);
            // Points that the step has passed, by less than a pixel, would be a spur.
            let (left, right) = path.split_at_mut(after);
            left.iter_mut().rev().take_while(|pos| (0.0..=1.0 / ppp).contains(&(pos.x - x))).for_each(|pos| pos.x = x);
            right.iter_mut().take_while(|pos| (0.0..=1.0 / ppp).contains(&(x - pos.x))).for_each(|pos| pos.x = x);
        }
        path.dedup_by(|b, a| (*b - *a).length() < SAME);
        path
    }
}

impl PlotItem for StrokedCurve {
    fn shapes(&self, ui: &Ui, transform: &PlotTransform, shapes: &mut Vec<Shape>) {
        let place = |[x, y]: [f64; 2]| transform.position_from_point(&PlotPoint::new(x, y));
        let path = self.path(place, ui.pixels_per_point());
        shapes.extend(stroked(&path, self.style));
    }

    fn initialize(&mut self, _x_range: RangeInclusive<f64>) {}

    fn color(&self) -> Color32 {
        self.style.color
    }

    fn geometry(&self) -> PlotGeometry<'_> {
        PlotGeometry::None
    }

    fn bounds(&self) -> PlotBounds {
        let mut bounds = PlotBounds::NOTHING;
        self.points.iter().for_each(|[x, y]| bounds.extend_with(&PlotPoint::new(*x, *y)));
        bounds
    }

    fn base(&self) -> &PlotItemBase {
        &self.base
    }

    fn base_mut(&mut self) -> &mut PlotItemBase {
        &mut self.base
    }
}

#[cfg(test)]
mod tests {
    use egui::{Theme, pos2};

    use super::*;
    use crate::app::widgets::theme::Palette;

    fn curve(points: &[[f64; 2]]) -> StrokedCurve {
        StrokedCurve::new("curve", points.to_vec(), Palette::of(Theme::Dark).panel(0))
    }

    #[test]
    fn steps_are_upright_and_in_the_middles_of_pixels_at_every_scale() {
        let points = [[0.0, 1.0], [3.3, 1.0], [3.3, 7.4], [5.0, 7.4], [8.2, 7.4], [8.2, 2.0], [9.0, 2.5]];
        for ppp in [1.0, 1.5, 2.0] {
            let path = curve(&points).path(|[x, y]| pos2(10.1 * x as f32, 7.3 * y as f32), ppp);
            assert_eq!(path.len(), points.len());
            let is_middle = |at: f32| ((at * ppp).rem_euclid(1.0) - 0.5).abs() < 1e-3;
            for [from, to] in [[1, 2], [4, 5]] {
                assert_eq!(path[from].x, path[to].x);
                assert!(is_middle(path[from].x) && is_middle(path[from].y) && is_middle(path[to].y), "{ppp}: {path:?}");
            }
            assert!(path[0].y == path[1].y && path[2].y == path[3].y && path[3].y == path[4].y, "level parts");
            assert_eq!(path[6], pos2(10.1 * 9.0, 7.3 * 2.5), "a slanted part is where it is");
        }
    }

    /// The pieces of a level dash are shorter than a pixel where a curve has a point for each pixel.
    #[test]
    fn dash_of_a_curve_of_many_points_is_one_line_of_its_length() {
        let path: Vec<Pos2> = (0..=80).map(|index| pos2(0.5 * index as f32, 7.0)).collect();
        let shapes = dashed(&path, Stroke::new(1.5, Color32::WHITE), 6.0, 3.0);
        let ends: Vec<[f32; 2]> = shapes
            .iter()
            .map(|shape| match shape {
                Shape::Path(path) => [path.points[0].x, path.points[path.points.len() - 1].x],
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(ends, [[0.0, 6.0], [9.0, 15.0], [18.0, 24.0], [27.0, 33.0], [36.0, 40.0]]);
        let long = dashed(&[pos2(0.0, 0.0), pos2(20.0, 0.0)], Stroke::new(1.5, Color32::WHITE), 6.0, 3.0);
        assert_eq!(long.len(), 3, "of two points as well");
        assert!(dashed(&[], Stroke::NONE, 6.0, 3.0).is_empty());
        assert!(dashed(&[pos2(0.0, 0.0), pos2(f32::NAN, 0.0)], Stroke::NONE, 6.0, 3.0).len() < 2, "it ends");
    }

    #[test]
    fn points_of_a_curve_without_steps_stay_where_they_are_and_equal_ones_are_one() {
        let points = [[0.0, 1.0], [1.0, 1.0], [1.0, 1.0], [2.0, 3.3]];
        let path = curve(&points).path(|[x, y]| pos2(x as f32 * 10.0, y as f32 * 10.0), 1.0);
        assert_eq!(path, [pos2(0.0, 10.0), pos2(10.0, 10.0), pos2(20.0, 33.0)]);
    }
}
