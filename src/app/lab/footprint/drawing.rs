//! The footprint on the grid of samples: discs whose areas are in proportion to the weights, the position, fetches, and lines to
//! the samples that the address mode reads instead of those outside.

use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Vec2, vec2};

use crate::lab::footprint::{Footprint, Notation, Tap};

/// Side of a sample from which on taps are drawn, in points.
const LEAST_SIDE: f32 = 14.0;
/// Opacity of a disc, and of one over the value of its sample, which stays readable.
const OPACITY: f32 = 0.9;
const OVER_VALUE: f32 = 0.36;
/// Side of a sample from which on weights are written, in points.
pub(super) const NUMBER_SIDE: f32 = 32.0;
/// Radius of the disc of a full weight, in sides of a sample. No disc leaves the cell of its sample.
const UNIT_RADIUS: f32 = 0.45;
/// Smallest and largest radius of the ring around the position, in points.
const RINGS: [f32; 2] = [3.5, 7.0];
/// Its radius in sides of a sample, between the two.
const RING: f32 = 0.22;
/// Side of the outline of the samples from which on it is found without a ring around it, in points.
const LEAST_OUTLINE: f32 = 6.0;
/// Radius of the dot of the position, in points.
const DOT: f32 = 1.5;
/// Radius of a disc from which on its sign is drawn into it, in points, and length of the sign's arms in radii.
const LEAST_WITH_SIGN: f32 = 4.5;
const SIGN_ARM: f32 = 0.45;
/// Height of a number in sizes of its font.
const NUMBER_HEIGHT: f32 = 1.3;
/// Length of the arms of a fetch's cross, in points.
const ARM: f32 = 6.0;
/// A weight that is not drawn.
const NO_WEIGHT: f64 = 5e-5;
/// A weight along an axis that is zero but for rounding.
const NOT_READ: f64 = 1e-12;
/// Outlines are visible on pictures of any lightness.
const RIM: Color32 = Color32::from_black_alpha(190);
/// Ground of numbers.
const GROUND: Color32 = Color32::from_black_alpha(150);
/// Colours of positive and negative weights, in every panel and in both themes. They are none of the colours of the first panels,
/// and told apart by colour-blind viewers; the sign is drawn as well.
pub(super) const COLOURS: [Color32; 2] = [Color32::from_rgb(0x3F, 0xD0, 0xD8), Color32::from_rgb(0xFF, 0x6B, 0x5E)];

/// A footprint and where it is drawn.
pub(super) struct Drawing<'a> {
    /// The footprint.
    pub(super) footprint: &'a Footprint,
    /// Window position of a position in the image.
    pub(super) pos: &'a dyn Fn([f64; 2]) -> Pos2,
    /// Side of a sample, in points.
    pub(super) side: f32,
    /// The weight whose disc fills its cell.
    pub(super) full_weight: f64,
    /// Whether the values of the samples are written in their middles.
    pub(super) has_values: bool,
}

impl Drawing<'_> {
    /// Paints the taps, the fetches and the position.
    pub(super) fn paint(&self, painter: &Painter) {
        if self.side >= LEAST_SIDE {
            self.each_tap(|tap| self.link(painter, tap));
            self.each_tap(|tap| self.disc(painter, tap));
            if self.side >= NUMBER_SIDE {
                self.each_tap(|tap| self.number(painter, tap));
            }
            self.fetches(painter);
        } else {
            self.outline(painter);
        }
        self.position(painter);
    }

    /// The position: a ring among discs, which hides none of them; else a dot. An outline that is too small to be found has a ring
    /// around it.
    fn position(&self, painter: &Painter) {
        let centre = (self.pos)(self.footprint.position);
        let widest = self.footprint.axes.iter().map(|axis| axis.taps.len()).max().unwrap_or(1);
        let ring = if self.side >= LEAST_SIDE {
            Some((RING * self.side).clamp(RINGS[0], RINGS[1]))
        } else {
            (self.side * widest as f32 <= LEAST_OUTLINE).then_some(RINGS[1])
        };
        if let Some(ring) = ring {
            painter.circle_stroke(centre, ring, Stroke::new(3.5, RIM));
            painter.circle_stroke(centre, ring, Stroke::new(1.5, Color32::WHITE));
        }
        if self.side >= DOT * 2.0 {
            painter.circle_filled(centre, DOT + 1.0, RIM);
            painter.circle_filled(centre, DOT, Color32::WHITE);
        }
    }

    fn each_tap(&self, mut paint: impl FnMut([&Tap; 2])) {
        let [columns, rows] = &self.footprint.axes;
        for row in &rows.taps {
            columns.taps.iter().for_each(|column| paint([column, row]));
        }
    }

    /// A disc of an area in proportion to |w|: filled where the sample exists, a ring where the address mode reads another.
    fn disc(&self, painter: &Painter, [x, y]: [&Tap; 2]) {
        let weight = x.weight * y.weight;
        if weight.abs() < NO_WEIGHT {
            return;
        }
        let centre = (self.pos)([x.index as f64, y.index as f64]);
        let is_own = x.resolved == Some(x.index) && y.resolved == Some(y.index);
        let opacity = match (is_own, self.has_values) {
            (false, _) => 0.0,
            (true, true) => OVER_VALUE,
            (true, false) => OPACITY,
        };
        // Where there are numbers, they have the signs.
        let has_sign = self.side < NUMBER_SIDE;
        Disc { weight, radius: self.radius(weight), opacity, has_sign }.paint(painter, centre);
    }

    /// Radius of the disc of `weight`, in points.
    fn radius(&self, weight: f64) -> f32 {
        let share = ((weight / self.full_weight).abs() as f32).sqrt().min(1.0);
        (UNIT_RADIUS * self.side * share).max(1.5)
    }

    /// A line from a tap outside the image to the sample that is read; a cross for the border's constant.
    fn link(&self, painter: &Painter, [x, y]: [&Tap; 2]) {
        if (x.weight * y.weight).abs() < NO_WEIGHT {
            return;
        }
        let from = (self.pos)([x.index as f64, y.index as f64]);
        match (x.resolved, y.resolved) {
            (Some(column), Some(row)) if (column, row) == (x.index, y.index) => {}
            (Some(column), Some(row)) => {
                let to = (self.pos)([column as f64, row as f64]);
                painter.line_segment([from, to], Stroke::new(2.5, RIM.gamma_multiply(0.7)));
                painter.line_segment([from, to], Stroke::new(1.0, Color32::from_white_alpha(190)));
                painter.circle_filled(to, 2.5, Color32::WHITE);
            }
            (None, _) | (_, None) => {
                let square = Rect::from_center_size(from, Vec2::splat(0.5 * self.side));
                painter.rect_stroke(square, 0.0, Stroke::new(2.5, RIM), StrokeKind::Middle);
                painter.rect_stroke(square, 0.0, Stroke::new(1.0, Color32::WHITE), StrokeKind::Middle);
            }
        }
    }

    /// The weight as a number, below its disc, or above where a cross or the ring of the position would lie over it, but inside the
    /// sample's own cell; in its middle where there is nothing else.
    fn number(&self, painter: &Painter, [x, y]: [&Tap; 2]) {
        // A row or a column without any weight is not read.
        if x.weight.abs().min(y.weight.abs()) < NOT_READ {
            return;
        }
        let weight = x.weight * y.weight;
        let centre = (self.pos)([x.index as f64, y.index as f64]);
        let size = (0.21 * self.side).clamp(8.0, 12.0);
        let has_disc = weight.abs() >= NO_WEIGHT;
        let has_fetches = self.footprint.axes.iter().all(|axis| !axis.fetches.is_empty());
        // Half the height of what stands in the middle: the disc, the cross of a fetch, the value.
        let reach = [(has_disc, self.radius(weight)), (has_disc && has_fetches, ARM), (self.has_values, 0.6 * size)];
        let reach = reach.into_iter().filter(|(is_there, _)| *is_there).map(|(_, reach)| reach).fold(0.0, f32::max);
        let height = NUMBER_HEIGHT * size;
        let below = if reach > 0.0 { (reach + 0.5 * height).min(0.5 * (self.side - height)) } else { 0.0 };
        let font = FontId::proportional(size);
        let galley = painter.layout_no_wrap(Notation::short_weight(weight), font, Color32::PLACEHOLDER);
        let place = |by: f32| Align2::CENTER_CENTER.anchor_size(centre + vec2(0.0, by), galley.size());
        let is_free = |place: &Rect| self.marks().iter().all(|mark| !mark.intersects(*place));
        let [below, above] = [place(below), place(-below)];
        let place = if !is_free(&below) && is_free(&above) { above } else { below };
        painter.rect_filled(place.expand2(vec2(2.0, -1.0)), 2.0, GROUND);
        painter.galley(place.min, galley, Color32::WHITE);
    }

    /// What lies over the numbers: the crosses of the fetches, and the ring of the position.
    fn marks(&self) -> Vec<Rect> {
        let [columns, rows] = &self.footprint.axes;
        let place =
            |position: [f64; 2], reach: f32| Rect::from_center_size((self.pos)(position), Vec2::splat(2.0 * reach));
        let of_row = |y: f64| columns.fetches.iter().map(move |column| place([column.position, y], ARM));
        let crosses = rows.fetches.iter().flat_map(|row| of_row(row.position));
        crosses.chain([place(self.footprint.position, RINGS[1])]).collect()
    }

    /// A cross at the place of each fetch.
    fn fetches(&self, painter: &Painter) {
        let [columns, rows] = &self.footprint.axes;
        for row in &rows.fetches {
            for column in &columns.fetches {
                let centre = (self.pos)([column.position, row.position]);
                for (width, colour) in [(3.5, RIM), (1.5, Color32::WHITE)] {
                    for arm in [vec2(ARM, ARM), vec2(ARM, -ARM)] {
                        painter.line_segment([centre - arm, centre + arm], Stroke::new(width, colour));
                    }
                }
            }
        }
    }

    /// The outline of the samples that are read, where they are too small for discs.
    fn outline(&self, painter: &Painter) {
        let ends = self.footprint.axes.each_ref().map(|axis| {
            let index = |tap: Option<&Tap>| tap.map_or(axis.whole, |tap| tap.index) as f64;
            [index(axis.taps.first()) - 0.5, index(axis.taps.last()) + 0.5]
        });
        let [[left, right], [top, bottom]] = ends;
        let corners = [[left, top], [right, top], [right, bottom], [left, bottom]].map(self.pos).to_vec();
        painter.add(Shape::closed_line(corners.clone(), Stroke::new(3.0, RIM)));
        painter.add(Shape::closed_line(corners, Stroke::new(1.0, Color32::WHITE)));
    }
}

/// A disc as it is drawn over samples and in the legend.
#[derive(Clone, Copy, Debug)]
pub(super) struct Disc {
    /// The weight, whose sign selects the colour.
    pub(super) weight: f64,
    /// Its radius, in points.
    pub(super) radius: f32,
    /// Opacity of its fill.
    pub(super) opacity: f32,
    /// Whether its sign is drawn into it.
    pub(super) has_sign: bool,
}

impl Disc {
    /// Paints the disc around `centre`.
    pub(super) fn paint(&self, painter: &Painter, centre: Pos2) {
        let Self { weight, radius, opacity, has_sign } = *self;
        let colour = COLOURS[usize::from(weight < 0.0)];
        painter.circle_stroke(centre, radius + 1.0, Stroke::new(1.0, RIM));
        painter.circle_filled(centre, radius, colour.gamma_multiply(opacity));
        painter.circle_stroke(centre, radius - 0.75, Stroke::new(1.5, colour));
        if !has_sign || radius < LEAST_WITH_SIGN {
            return;
        }
        let arm = SIGN_ARM * radius.min(RINGS[1]);
        let stroke = Stroke::new(1.5, Color32::BLACK);
        painter.line_segment([centre - vec2(arm, 0.0), centre + vec2(arm, 0.0)], stroke);
        if weight >= 0.0 {
            painter.line_segment([centre - vec2(0.0, arm), centre + vec2(0.0, arm)], stroke);
        }
    }
}

#[cfg(test)]
mod tests {
    use egui::Theme;

    use super::*;
    use crate::app::widgets::theme::Palette;

    #[test]
    fn colours_of_signs_are_none_of_a_panel() {
        let distance = |a: Color32, b: Color32| {
            let apart = |channel: usize| i32::from(a.to_array()[channel]) - i32::from(b.to_array()[channel]);
            (0..3).map(|channel| apart(channel).pow(2)).sum::<i32>()
        };
        for theme in [Theme::Dark, Theme::Light] {
            let palette = Palette::of(theme);
            for (sign, panel) in COLOURS.iter().flat_map(|sign| (0..9).map(move |panel| (*sign, panel))) {
                let apart = distance(sign, palette.panel(panel).color);
                assert!(apart > 40 * 40, "{theme:?}, panel {}: {apart}", panel + 1);
            }
        }
    }
}
