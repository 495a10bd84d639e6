//! Parts of an icon, and their coverage of pixels.
//!
//! An icon is drawn on a grid of 24 × 24 units, x right, y down, whose centre is at (12, 12). Lines and arcs are 2 units wide with
//! round ends and joins. At 16 points an icon's unit is ⅔ point; coordinates 12 + 1.5·k are whole points from the centre.

/// Side of the grid.
const GRID: f32 = 24.0;
/// Width of lines and arcs, in units.
const LINE: f32 = 2.0;
/// Width of bars, in units.
const BAR: f32 = 4.0;
/// Lines at least this wide are a whole number of pixels wide.
const LEAST_ROUNDED_PX: f32 = 1.75;

/// A position on the grid.
type Point = [f32; 2];

/// A part of an icon.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    /// Straight lines through points. They are closed if the last point is the first.
    Line(&'static [Point]),
    /// The same, twice as wide.
    Bar(&'static [Point]),
    /// An arc from the angle `from` over the angle `sweep`, in degrees, from x towards y.
    Arc { center: Point, radius: f32, from: f32, sweep: f32 },
    /// A disc.
    Dot { center: Point, radius: f32 },
}

/// A circle around the centre.
pub(super) const fn circle(radius: f32) -> Part {
    Part::Arc { center: [0.5 * GRID, 0.5 * GRID], radius, from: -180.0, sweep: 360.0 }
}

/// The pixels onto which an icon is drawn, with the origin at its centre.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pixels {
    /// Pixels per unit.
    scale: f32,
    /// Number of pixels along a side. The middle of a line through the centre is a pixel's middle if it is odd, else between two
    /// pixels.
    pub(super) side: usize,
}

impl Pixels {
    /// The pixels of an icon of `size` × `size` pixels, with a margin of at least one pixel.
    pub(super) fn new(size: f32) -> Self {
        let scale = size / GRID;
        let side = size.ceil() as usize + 2;
        Self { scale, side: side + usize::from(is_odd(width(LINE, scale)) != (side % 2 == 1)) }
    }

    /// Coverage of each pixel by `parts`, 0 … 1, row by row.
    pub(super) fn coverage(self, parts: &[Part]) -> Vec<f32> {
        let shapes: Vec<Shape> = parts.iter().flat_map(|part| self.shapes(*part)).collect();
        let middle = |index: usize| index as f32 + 0.5 - 0.5 * self.side as f32;
        let pixels = (0..self.side).flat_map(|y| (0..self.side).map(move |x| [middle(x), middle(y)]));
        let distance = |at| shapes.iter().map(|shape| shape.distance(at)).fold(f32::INFINITY, f32::min);
        pixels.map(|at| (0.5 - distance(at)).clamp(0.0, 1.0)).collect()
    }

    /// The shapes of a part, in pixels.
    fn shapes(self, part: Part) -> Vec<Shape> {
        let half_width = 0.5 * width(LINE, self.scale);
        match part {
            Part::Line(points) => self.segments(points, width(LINE, self.scale)),
            Part::Bar(points) => self.segments(points, width(BAR, self.scale)),
            Part::Arc { center, radius, from, sweep } => {
                let (center, radius) = (self.pos(center), radius * self.scale);
                vec![Shape::Arc { center, radius, from: from.to_radians(), sweep: sweep.to_radians(), half_width }]
            }
            Part::Dot { center, radius } => vec![Shape::Dot { center: self.pos(center), radius: radius * self.scale }],
        }
    }

    fn pos(self, point: Point) -> Point {
        point.map(|coordinate| (coordinate - 0.5 * GRID) * self.scale)
    }

    /// The lines through `points`. Horizontal and vertical ones are moved by less than a pixel, to where they cover whole pixels.
    fn segments(self, points: &[Point], width: f32) -> Vec<Shape> {
        let shift = if is_odd(width) == (self.side % 2 == 1) { 0.0 } else { 0.5 };
        let is_closed = points.len() > 2 && points.first() == points.last();
        let corners = if is_closed { points.len() - 1 } else { points.len() };
        let placed: Vec<Point> = (0..corners)
            .map(|index| {
                let mut pos = self.pos(points[index]);
                let before = index.checked_sub(1).or(is_closed.then_some(corners - 1));
                let after = if index + 1 < corners { Some(index + 1) } else { is_closed.then_some(0) };
                for neighbour in [before, after].into_iter().flatten() {
                    for axis in 0..2 {
                        if points[neighbour][axis] == points[index][axis] {
                            pos[axis] = (pos[axis] - shift).round() + shift;
                        }
                    }
                }
                pos
            })
            .collect();
        let ends = placed.iter().skip(1).chain(placed.first().filter(|_| is_closed));
        placed.iter().zip(ends).map(|(&from, &to)| Shape::Segment { from, to, half_width: 0.5 * width }).collect()
    }
}

/// `units` in pixels; a whole number unless it is near one pixel.
fn width(units: f32, scale: f32) -> f32 {
    let width = units * scale;
    if width < LEAST_ROUNDED_PX { width } else { width.round() }
}

fn is_odd(width: f32) -> bool {
    width as u32 % 2 == 1
}

/// A shape, in pixels from the centre.
#[derive(Clone, Copy, Debug)]
enum Shape {
    Segment { from: Point, to: Point, half_width: f32 },
    Arc { center: Point, radius: f32, from: f32, sweep: f32, half_width: f32 },
    Dot { center: Point, radius: f32 },
}

impl Shape {
    /// Distance of `at` from the shape, in pixels; negative inside.
    fn distance(self, at: Point) -> f32 {
        let between = |a: Point, b: Point| (a[0] - b[0]).hypot(a[1] - b[1]);
        match self {
            Self::Segment { from, to, half_width } => {
                let along = [to[0] - from[0], to[1] - from[1]];
                let part = ((at[0] - from[0]) * along[0] + (at[1] - from[1]) * along[1]) / between(from, to).powi(2);
                let part = part.clamp(0.0, 1.0);
                between(at, [from[0] + part * along[0], from[1] + part * along[1]]) - half_width
            }
            Self::Arc { center, radius, from, sweep, half_width } => {
                let angle = (at[1] - center[1]).atan2(at[0] - center[0]);
                let past = (angle - from).rem_euclid(std::f32::consts::TAU);
                // Beyond the ends, the nearer end.
                let nearest = if past <= sweep {
                    angle
                } else if past - sweep < std::f32::consts::TAU - past {
                    from + sweep
                } else {
                    from
                };
                between(at, [center[0] + radius * nearest.cos(), center[1] + radius * nearest.sin()]) - half_width
            }
            Self::Dot { center, radius } => between(at, center) - radius,
        }
    }
}
