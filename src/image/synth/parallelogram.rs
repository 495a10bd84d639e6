//! Parallelograms over which formulas are averaged: the footprint of an output pixel.

/// A parallelogram in the image plane, in samples: a square or a rectangle of any direction, as a pixel of a view has it, or a
/// sheared one. A side without length makes it a line, two make it a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parallelogram {
    centre: [f64; 2],
    /// The first and the second side, as vectors.
    sides: [[f64; 2]; 2],
}

impl Parallelogram {
    /// Square of this side, parallel to the axes.
    ///
    /// ```
    /// use lerpscope::image::{Formula, Parallelogram};
    /// let edge: Formula = "synth:checkerboard:64x64".parse().unwrap();
    /// assert_eq!(edge.mean(&Parallelogram::square([7.5, 4.0], 2.0)), 0.5);
    /// ```
    pub fn square(centre: [f64; 2], side: f64) -> Self {
        Self::new(centre, [[side.abs(), 0.0], [0.0, side.abs()]])
    }

    /// Parallelogram of these two sides about `centre`.
    pub fn new(centre: [f64; 2], sides: [[f64; 2]; 2]) -> Self {
        Self { centre, sides }
    }

    /// The centre.
    pub fn centre(&self) -> [f64; 2] {
        self.centre
    }

    /// Lengths of the two sides.
    pub fn lengths(&self) -> [f64; 2] {
        self.sides.map(|[x, y]| x.hypot(y))
    }

    /// The two sides, as vectors.
    pub(super) fn sides(&self) -> [[f64; 2]; 2] {
        self.sides
    }

    /// Whether the sides are at right angles, to rounding.
    pub(super) fn is_rectangle(&self) -> bool {
        let ([[a, b], [c, d]], [first, second]) = (self.sides, self.lengths());
        (a * c + b * d).abs() <= 1e-12 * first * second
    }

    /// Whether the sides are parallel to the axes.
    pub(super) fn is_aligned(&self) -> bool {
        let [[a, b], [c, d]] = self.sides;
        (b == 0.0 && c == 0.0) || (a == 0.0 && d == 0.0)
    }

    /// Length along `axis`, of a parallelogram that [`Parallelogram::is_aligned`].
    pub(super) fn length_along(&self, axis: usize) -> f64 {
        self.sides[0][axis].abs() + self.sides[1][axis].abs()
    }

    /// Lowest and highest position along `axis`, of a parallelogram that [`Parallelogram::is_aligned`].
    pub(super) fn span(&self, axis: usize) -> [f64; 2] {
        let half = self.length_along(axis) / 2.0;
        [self.centre[axis] - half, self.centre[axis] + half]
    }

    /// Position at (u, v) in units of half a side: (−1, −1) to (1, 1) from corner to corner.
    pub(super) fn at(&self, [u, v]: [f64; 2]) -> [f64; 2] {
        let [first, second] = self.sides;
        [0, 1].map(|axis: usize| self.centre[axis] + 0.5 * (u * first[axis] + v * second[axis]))
    }

    /// The centre relative to `origin`, along the two sides of a rectangle: what a formula with circular symmetry about
    /// `origin` depends on. A side without length is at a right angle to the other one.
    pub(super) fn centre_from(&self, origin: [f64; 2]) -> [f64; 2] {
        let [x, y] = [self.centre[0] - origin[0], self.centre[1] - origin[1]];
        let ([first, second], [a, b]) = (self.sides, self.lengths());
        let [cos, sin] = if a > 0.0 {
            first.map(|part| part / a)
        } else if b > 0.0 {
            [second[1] / b, -second[0] / b]
        } else {
            [1.0, 0.0]
        };
        [x * cos + y * sin, y * cos - x * sin]
    }
}
