//! The footprint on the grid of samples: discs whose areas are the weights, the position, fetches, and lines to the samples
//! that the address mode reads instead of those outside.

use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Vec2, vec2};

use crate::app::widgets::theme::Palette;
use crate::lab::footprint::{Footprint, Notation, Tap};

/// Side of a sample from which on taps are drawn, in points.
const LEAST_SIDE: f32 = 14.0;
/// Opacity of a disc, and of one over the value of its sample, which stays readable.
const OPACITY: f32 = 0.72;
const OVER_VALUE: f32 = 0.36;
/// Side of a sample from which on weights are written, in points.
pub(super) const NUMBER_SIDE: f32 = 32.0;
/// Radius of the disc of weight 1, in sides of a sample. Discs of neighbours whose weights sum to 1 do not cover each other's centre.
const UNIT_RADIUS: f32 = 0.58;
/// Largest and smallest radius of the ring around the position, in points.
const RINGS: [f32; 2] = [3.5, 7.0];
/// Its radius in sides of a sample, between the two.
const RING: f32 = 0.22;
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

/// A footprint and where it is drawn.
pub(super) struct Drawing<'a> {
    /// The footprint.
    pub(super) footprint: &'a Footprint,
    /// Window position of a position in the image.
    pub(super) pos: &'a dyn Fn([f64; 2]) -> Pos2,
    /// Side of a sample, in points.
    pub(super) side: f32,
    /// Colours of positive and negative weights.
    pub(super) colours: [Color32; 2],
    /// Whether the values of the samples are written in their middles.
    pub(super) has_values: bool,
}

/// Colours of positive and negative weights, the same in every panel: blue and orange. Over pictures they are those of the dark
/// theme.
pub(super) fn colours(palette: &Palette) -> [Color32; 2] {
    [0, 1].map(|index| palette.panel(index).color)
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
        let centre = (self.pos)(self.footprint.position);
        // Where there are no discs, the ring hides nothing.
        let ring = if self.side < LEAST_SIDE { RINGS[1] } else { (RING * self.side).clamp(RINGS[0], RINGS[1]) };
        painter.circle_stroke(centre, ring, Stroke::new(3.5, RIM));
        painter.circle_stroke(centre, ring, Stroke::new(1.5, Color32::WHITE));
        painter.circle_filled(centre, 1.4, Color32::WHITE);
    }

    fn each_tap(&self, mut paint: impl FnMut([&Tap; 2])) {
        let [columns, rows] = &self.footprint.axes;
        for row in &rows.taps {
            columns.taps.iter().for_each(|column| paint([column, row]));
        }
    }

    /// A disc of area |w|: filled where the sample exists, a ring where the address mode reads another.
    fn disc(&self, painter: &Painter, [x, y]: [&Tap; 2]) {
        let weight = x.weight * y.weight;
        if weight.abs() < NO_WEIGHT {
            return;
        }
        let centre = (self.pos)([x.index as f64, y.index as f64]);
        let radius = self.radius(weight);
        let colour = self.colours[usize::from(weight < 0.0)];
        painter.circle_stroke(centre, radius + 1.0, Stroke::new(1.0, RIM));
        let is_own = x.resolved == Some(x.index) && y.resolved == Some(y.index);
        if is_own {
            let opacity = if self.has_values { OVER_VALUE } else { OPACITY };
            painter.circle_filled(centre, radius, colour.gamma_multiply(opacity));
        }
        painter.circle_stroke(centre, radius, Stroke::new(1.5, colour));
    }

    /// Radius of the disc of `weight`, in points.
    fn radius(&self, weight: f64) -> f32 {
        (UNIT_RADIUS * self.side * (weight.abs() as f32).sqrt()).max(1.5)
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

    /// The weight as a number, below its disc.
    fn number(&self, painter: &Painter, [x, y]: [&Tap; 2]) {
        // A row or a column without any weight is not read.
        if x.weight.abs().min(y.weight.abs()) < NOT_READ {
            return;
        }
        let weight = x.weight * y.weight;
        let centre = (self.pos)([x.index as f64, y.index as f64]);
        let size = (0.21 * self.side).clamp(8.0, 12.0);
        let font = FontId::proportional(size);
        // The number of a sample without a disc stands in its middle, if nothing else does.
        let reach = if weight.abs() >= NO_WEIGHT { self.radius(weight) } else { 0.0 };
        let reach = if self.has_values { reach.max(0.6 * size) } else { reach };
        // Below the cross of a fetch, too.
        let has_fetches = self.footprint.axes.iter().all(|axis| !axis.fetches.is_empty());
        let reach = if has_fetches && reach > 0.0 { reach.max(ARM) } else { reach };
        let pos = centre + vec2(0.0, if reach > 0.0 { reach + 0.65 * size } else { 0.0 });
        captioned(painter, pos, &Notation::short_weight(weight), font);
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
        painter.add(Shape::closed_line(corners, Stroke::new(1.5, self.colours[0])));
    }
}

/// White text on a dark ground, centred.
fn captioned(painter: &Painter, pos: Pos2, text: &str, font: FontId) {
    let galley = painter.layout_no_wrap(text.to_owned(), font, Color32::PLACEHOLDER);
    let place = Align2::CENTER_CENTER.anchor_size(pos, galley.size());
    painter.rect_filled(place.expand2(vec2(2.0, -1.0)), 2.0, GROUND);
    painter.galley(place.min, galley, Color32::WHITE);
}

#[cfg(test)]
mod tests {
    use egui::Theme;

    use super::*;

    #[test]
    fn added_samples_are_blue_and_subtracted_ones_orange() {
        for theme in [Theme::Dark, Theme::Light] {
            let palette = Palette::of(theme);
            let [added, subtracted] = colours(&palette);
            assert!(added.b() > added.r() && subtracted.r() > subtracted.b(), "{theme:?}");
        }
    }
}
