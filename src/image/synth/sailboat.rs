//! A drawn sailing boat off a lighthouse, in colour: letters, hard edges of every direction, lines thinner than a sample,
//! and waves whose wavelength grows from 2 units at the horizon.
//!
//! ```text
//!     ☁          ☁       The unit is 1/192 of the shorter side of the image: a sample at 256 × 192. (0, 0) is the middle
//!                 ╻      of the image; y runs down. The horizon is at y = 9.
//!        |\      ╓╨╖
//!       /| \  ●  ║▒║     Shapes have ramps one sample across, by their exact signed distance. What is nearer covers
//!  ____/_|__\____▟▒▙__   what is farther. All values are from 0.1 to 0.94, which leaves room for overshoot.
//!  ~~~~\LERP/~~~▟███▙
//! ```

use std::f64::consts::PI;

use super::{Size, from_centre, shorter_side};

/// Units of the shorter side.
const UNITS: f64 = 192.0;
/// y of the horizon.
const HORIZON: f64 = 9.0;
/// Wavelength of the waves at the horizon, and its growth per unit of depth below the horizon.
const FIRST_WAVE: f64 = 2.0;
const GROWTH: f64 = 0.055;
/// Waves turn by this many wavelengths per unit of x.
const SLOPE: f64 = 0.02;
/// Wavelength at which waves have faded, and the one from which they have their full contrast, in samples.
const FADED: f64 = 1.6;
const FULL: f64 = 2.6;

type Colour = [f64; 3];

const WHITE: Colour = [0.90, 0.89, 0.85];
const RED: Colour = [0.76, 0.17, 0.13];
const DARK: Colour = [0.12, 0.13, 0.18];
const YELLOW: Colour = [0.94, 0.70, 0.20];
const CLOUD: Colour = [0.88, 0.91, 0.91];
const GREEN: Colour = [0.36, 0.53, 0.43];
const ROCK: Colour = [0.34, 0.31, 0.30];
/// Colours of the sky at the zenith, of the sky at the horizon, of a wave's trough and of its crest.
const ZENITH: Colour = [0.40, 0.60, 0.78];
const HAZE: Colour = [0.80, 0.85, 0.83];
const TROUGH: Colour = [0.10, 0.29, 0.46];
const CREST: Colour = [0.27, 0.51, 0.65];

/// A shape of one colour.
struct Painted(Shape, Colour);

enum Shape {
    /// Centre and radius.
    Disc([f64; 2], f64),
    /// Centre and radius of a disc, and the y below which it is cut off.
    CutDisc([f64; 2], f64, f64),
    /// Corners of a convex polygon, clockwise with y down.
    Polygon(&'static [[f64; 2]]),
    /// Lines with round ends, and their width: each from (x, y) to (x, y).
    Lines(&'static [[f64; 4]], f64),
    /// As `Lines` 1¼ wide, moved by (x, y).
    Letter(&'static [[f64; 4]], [f64; 2]),
}

/// Shapes within a box, from the farthest to the nearest: left, top, right, bottom.
struct Group([f64; 4], &'static [Painted]);

const L: &[[f64; 4]] = &[[0.0, 0.0, 0.0, 6.0], [0.0, 6.0, 3.0, 6.0]];
const E: &[[f64; 4]] = &[[0.0, 0.0, 0.0, 6.0], [0.0, 0.0, 3.0, 0.0], [0.0, 3.0, 2.5, 3.0], [0.0, 6.0, 3.0, 6.0]];
const R: &[[f64; 4]] = &[
    [0.0, 0.0, 0.0, 6.0],
    [0.0, 0.0, 2.3, 0.0],
    [2.3, 0.0, 3.0, 0.7],
    [3.0, 0.7, 3.0, 2.3],
    [3.0, 2.3, 2.3, 3.0],
    [2.3, 3.0, 0.0, 3.0],
    [1.4, 3.0, 3.0, 6.0],
];
/// R without its leg.
const P: &[[f64; 4]] = R.split_at(6).0;
const LETTER_WIDTH: f64 = 1.25;

/// Behind the sea.
static FAR: [Group; 3] = [
    Group(
        [-90.0, -88.0, 90.0, -60.0],
        &[
            Painted(Shape::CutDisc([-78.0, -65.0], 9.0, -63.0), CLOUD),
            Painted(Shape::CutDisc([-66.0, -68.0], 11.0, -63.0), CLOUD),
            Painted(Shape::CutDisc([-54.0, -65.0], 8.0, -63.0), CLOUD),
            Painted(Shape::CutDisc([26.0, -76.0], 8.0, -74.0), CLOUD),
            Painted(Shape::CutDisc([37.0, -78.0], 9.0, -74.0), CLOUD),
            Painted(Shape::CutDisc([47.0, -76.0], 7.0, -74.0), CLOUD),
        ],
    ),
    Group([12.0, -18.0, 25.0, -4.0], &[Painted(Shape::Disc([18.5, -11.0], 6.2), YELLOW)]),
    Group(
        [-210.0, -4.0, 10.0, HORIZON + 1.0],
        &[
            Painted(Shape::CutDisc([-62.0, 70.0], 70.0, HORIZON + 1.0), GREEN),
            Painted(Shape::CutDisc([-112.0, 90.0], 92.0, HORIZON + 1.0), GREEN),
        ],
    ),
];

/// Before the sea.
static NEAR: [Group; 3] = [
    Group(
        [58.0, -60.0, 300.0, 60.0],
        &[
            Painted(
                Shape::Polygon(&[[58.0, 14.0], [66.0, 1.0], [80.0, -6.0], [104.0, -4.0], [300.0, 50.0], [300.0, 60.0]]),
                ROCK,
            ),
            Painted(Shape::Polygon(&[[79.0, -5.0], [82.5, -42.0], [93.5, -42.0], [97.0, -5.0]]), WHITE),
            Painted(Shape::Polygon(&[[81.6, -32.0], [82.1, -38.0], [93.9, -38.0], [94.4, -32.0]]), RED),
            Painted(Shape::Polygon(&[[80.4, -20.0], [81.0, -26.0], [95.0, -26.0], [95.6, -20.0]]), RED),
            Painted(Shape::Polygon(&[[79.3, -8.0], [79.9, -14.0], [96.1, -14.0], [96.7, -8.0]]), RED),
            Painted(Shape::Polygon(&[[84.0, -43.0], [84.0, -50.0], [92.0, -50.0], [92.0, -43.0]]), YELLOW),
            Painted(
                Shape::Lines(
                    &[[84.5, -43.6, 84.5, -50.0], [88.0, -43.6, 88.0, -50.0], [91.5, -43.6, 91.5, -50.0]],
                    1.0,
                ),
                DARK,
            ),
            Painted(Shape::Lines(&[[81.0, -42.8, 95.0, -42.8]], 1.6), DARK),
            Painted(Shape::Lines(&[[88.0, -55.0, 88.0, -59.0]], 0.8), DARK),
            Painted(Shape::Polygon(&[[82.5, -50.0], [88.0, -56.0], [93.5, -50.0]]), RED),
        ],
    ),
    Group(
        [-27.0, -18.0, -9.0, -9.0],
        &[Painted(
            Shape::Lines(
                &[
                    [-15.0, -15.5, -17.6, -17.2],
                    [-17.6, -17.2, -19.8, -16.3],
                    [-15.0, -15.5, -12.4, -17.2],
                    [-12.4, -17.2, -10.2, -16.3],
                    [-22.0, -10.0, -24.6, -11.7],
                    [-24.6, -11.7, -26.5, -10.8],
                    [-22.0, -10.0, -19.4, -11.7],
                    [-19.4, -11.7, -17.2, -10.8],
                ],
                0.8,
            ),
            DARK,
        )],
    ),
    Group(
        [-25.0, -21.0, 24.0, 17.5],
        &[
            // The jib, and the mainsail with its stripes.
            Painted(Shape::Polygon(&[[-19.0, 5.5], [-2.5, -17.5], [-2.5, 4.5]]), WHITE),
            Painted(Shape::Polygon(&[[0.5, 4.5], [0.5, -18.5], [18.3, 4.5]]), WHITE),
            Painted(Shape::Polygon(&[[0.5, -14.1], [0.5, -17.7], [1.1, -17.9], [3.1, -15.2]]), RED),
            Painted(Shape::Polygon(&[[0.5, -6.9], [0.5, -10.5], [5.2, -12.5], [7.3, -9.8]]), RED),
            Painted(Shape::Polygon(&[[0.5, 0.2], [0.5, -3.4], [9.4, -7.1], [11.4, -4.4]]), RED),
            Painted(Shape::Polygon(&[[0.5, 4.5], [0.5, 3.8], [13.5, -1.7], [15.6, 1.1], [7.3, 4.5]]), RED),
            // The mast, the stays, the boom.
            Painted(Shape::Lines(&[[-1.0, -20.0, -1.0, 7.5]], 1.3), DARK),
            Painted(Shape::Lines(&[[-1.0, -20.0, -23.0, 6.5], [-1.0, -20.0, 22.0, 6.0]], 0.7), DARK),
            Painted(Shape::Lines(&[[-2.0, 5.0, 19.5, 5.0]], 1.1), DARK),
            // The hull with its gunwale and its name.
            Painted(Shape::Polygon(&[[-19.0, 17.5], [-24.5, 6.5], [23.0, 6.5], [17.5, 17.5]]), RED),
            Painted(Shape::Polygon(&[[-23.5, 8.5], [-24.5, 6.5], [23.0, 6.5], [22.0, 8.5]]), WHITE),
            Painted(Shape::Letter(L, [-10.0, 10.0]), WHITE),
            Painted(Shape::Letter(E, [-5.0, 10.0]), WHITE),
            Painted(Shape::Letter(R, [0.0, 10.0]), WHITE),
            Painted(Shape::Letter(P, [5.0, 10.0]), WHITE),
        ],
    ),
];

/// Red, green and blue at (x, y).
pub(super) fn colour(size: Size, x: f64, y: f64) -> Colour {
    let samples = shorter_side(size) / UNITS;
    let (dx, dy) = from_centre(size, x, y);
    let place = Place { samples, x: dx / samples, y: dy / samples };
    let mut seen = Seen { colour: [0.0; 3], open: 1.0 };
    let is_covered = place.paint(&NEAR, &mut seen)
        || seen.cover(place.inside(HORIZON - place.y), || place.sea())
        || place.paint(&FAR, &mut seen)
        || seen.cover(1.0, || place.sky());
    debug_assert!(is_covered, "the sky is everywhere");
    seen.colour.map(|value| value.clamp(0.0, 1.0))
}

/// What is seen of the layers from the nearest on.
struct Seen {
    /// Their colours, each times its share.
    colour: Colour,
    /// Share through which farther layers are seen.
    open: f64,
}

impl Seen {
    /// Adds a layer behind; returns whether all is covered.
    fn cover(&mut self, coverage: f64, colour: impl FnOnce() -> Colour) -> bool {
        if coverage > 0.0 {
            let share = self.open * coverage;
            self.colour.iter_mut().zip(colour()).for_each(|(sum, value)| *sum += share * value);
            self.open *= 1.0 - coverage;
        }
        self.open <= 0.0
    }
}

/// A place of the drawing.
struct Place {
    /// Samples of a unit.
    samples: f64,
    x: f64,
    y: f64,
}

impl Place {
    /// Share of a sample that is inside of an edge `distance` away, negative inside.
    fn inside(&self, distance: f64) -> f64 {
        (0.5 - distance * self.samples).clamp(0.0, 1.0)
    }

    /// Adds the shapes of `groups`, from the nearest on; returns whether all is covered.
    fn paint(&self, groups: &[Group], seen: &mut Seen) -> bool {
        for Group([left, top, right, bottom], shapes) in groups.iter().rev() {
            let beyond = [left - self.x, self.x - right, top - self.y, self.y - bottom];
            // No shape is nearer than its box.
            if self.inside(beyond.into_iter().fold(f64::MIN, f64::max)) <= 0.0 {
                continue;
            }
            for Painted(shape, colour) in shapes.iter().rev() {
                if seen.cover(self.inside(shape.distance(self.x, self.y)), || *colour) {
                    return true;
                }
            }
        }
        false
    }

    fn sky(&self) -> Colour {
        let height = ((HORIZON - self.y) / (HORIZON + UNITS / 2.0)).clamp(0.0, 1.0);
        mix(HAZE, ZENITH, height)
    }

    /// Waves of the wavelength [`FIRST_WAVE`] · (1 + [`GROWTH`] · depth): their phase is its reciprocal's integral.
    fn sea(&self) -> Colour {
        let growth = GROWTH * (self.y - HORIZON).max(0.0);
        let phase = growth.ln_1p() / (GROWTH * FIRST_WAVE) + SLOPE * self.x;
        let samples_a_wave = FIRST_WAVE * (1.0 + growth) * self.samples;
        let contrast = ((samples_a_wave - FADED) / (FULL - FADED)).clamp(0.0, 1.0);
        mix(TROUGH, CREST, 0.5 + 0.5 * contrast * (2.0 * PI * phase).sin())
    }
}

impl Shape {
    /// Signed distance to the outline, negative inside.
    fn distance(&self, x: f64, y: f64) -> f64 {
        match self {
            Self::Disc([centre_x, centre_y], radius) => (x - centre_x).hypot(y - centre_y) - radius,
            // A bound of the distance near the ends of the cut alone.
            Self::CutDisc([centre_x, centre_y], radius, cut) => {
                ((x - centre_x).hypot(y - centre_y) - radius).max(y - cut)
            }
            Self::Polygon(corners) => to_polygon(corners, x, y),
            Self::Lines(lines, width) => to_lines(lines, x, y) - width / 2.0,
            Self::Letter(lines, [left, top]) => to_lines(lines, x - left, y - top) - LETTER_WIDTH / 2.0,
        }
    }
}

/// Distance to the nearest of `lines`.
fn to_lines(lines: &[[f64; 4]], x: f64, y: f64) -> f64 {
    lines
        .iter()
        .map(|&[from_x, from_y, to_x, to_y]| to_line([from_x, from_y], [to_x, to_y], x, y))
        .fold(f64::MAX, f64::min)
}

fn to_line(from: [f64; 2], to: [f64; 2], x: f64, y: f64) -> f64 {
    let (along, place) = ([to[0] - from[0], to[1] - from[1]], [x - from[0], y - from[1]]);
    let share = (place[0] * along[0] + place[1] * along[1]) / (along[0] * along[0] + along[1] * along[1]);
    let share = share.clamp(0.0, 1.0);
    (place[0] - share * along[0]).hypot(place[1] - share * along[1])
}

/// Signed distance to a convex polygon.
fn to_polygon(corners: &[[f64; 2]], x: f64, y: f64) -> f64 {
    let (mut nearest, mut across) = (f64::MAX, f64::MIN);
    for (index, &from) in corners.iter().enumerate() {
        let to = corners[(index + 1) % corners.len()];
        let [along_x, along_y] = [to[0] - from[0], to[1] - from[1]];
        let outward = ((x - from[0]) * along_y - (y - from[1]) * along_x) / along_x.hypot(along_y);
        across = across.max(outward);
        nearest = nearest.min(to_line(from, to, x, y));
    }
    if across > 0.0 { nearest } else { across }
}

fn mix(from: Colour, to: Colour, share: f64) -> Colour {
    [0, 1, 2].map(|channel: usize| from[channel] + share * (to[channel] - from[channel]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_within_the_boxes_of_their_groups() {
        for Group([left, top, right, bottom], shapes) in NEAR.iter().chain(&FAR) {
            // Points around the box, a little outside.
            for step in 0..1000 {
                let share = f64::from(step) / 999.0;
                let (x, y) = (left + share * (right - left), top + share * (bottom - top));
                for [x, y] in [[x, top - 1e-9], [x, bottom + 1e-9], [left - 1e-9, y], [right + 1e-9, y]] {
                    for Painted(shape, _) in *shapes {
                        assert!(shape.distance(x, y) >= 0.0, "{x} {y}");
                    }
                }
            }
        }
    }

    #[test]
    fn polygons_are_convex_with_their_corners_in_order() {
        for Group(_, shapes) in NEAR.iter().chain(&FAR) {
            for Painted(shape, _) in *shapes {
                let Shape::Polygon(corners) = shape else { continue };
                for (index, corner) in corners.iter().enumerate() {
                    let [[a, b], [c, d]] = [1, 2].map(|step| corners[(index + step) % corners.len()]);
                    let turn = (a - corner[0]) * (d - b) - (b - corner[1]) * (c - a);
                    assert!(turn > 0.0, "{corner:?}");
                }
                let count = corners.len() as f64;
                let [x, y] = [0, 1].map(|axis| corners.iter().map(|corner| corner[axis]).sum::<f64>() / count);
                assert!(shape.distance(x, y) < 0.0, "{x} {y}");
            }
        }
    }
}
