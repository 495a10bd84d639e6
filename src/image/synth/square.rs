//! Squares over which formulas are averaged: the footprint of an output pixel.

/// A square in the image plane, in samples. A side of 0 is a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Square {
    centre: [f64; 2],
    side: f64,
    /// cos θ and sin θ of the angle from the x axis to the square's first side.
    direction: [f64; 2],
}

impl Square {
    /// Square with sides parallel to the axes.
    ///
    /// ```
    /// use lerpscope::image::{Formula, Square};
    /// let edge: Formula = "synth:checkerboard:64x64".parse().unwrap();
    /// assert_eq!(edge.mean(&Square::aligned([7.5, 4.0], 2.0)), 0.5);
    /// ```
    pub fn aligned(centre: [f64; 2], side: f64) -> Self {
        Self { centre, side: side.abs(), direction: [1.0, 0.0] }
    }

    /// Square whose first side has the direction `direction`, a unit vector.
    pub fn turned(centre: [f64; 2], side: f64, direction: [f64; 2]) -> Self {
        Self { centre, side: side.abs(), direction }
    }

    /// The centre.
    pub fn centre(&self) -> [f64; 2] {
        self.centre
    }

    /// Length of a side.
    pub fn side(&self) -> f64 {
        self.side
    }

    /// Direction of the first side.
    pub(super) fn direction(&self) -> [f64; 2] {
        self.direction
    }

    /// Whether the sides are parallel to the axes.
    pub(super) fn is_aligned(&self) -> bool {
        self.direction.contains(&0.0)
    }

    /// Lowest and highest position along `axis`, of a square that [`Square::is_aligned`].
    pub(super) fn span(&self, axis: usize) -> [f64; 2] {
        let half = self.side / 2.0;
        [self.centre[axis] - half, self.centre[axis] + half]
    }

    /// Position at (u, v) in units of half a side: (−1, −1) to (1, 1) from corner to corner.
    pub(super) fn at(&self, [u, v]: [f64; 2]) -> [f64; 2] {
        let [cos, sin] = self.direction.map(|part| part * self.side / 2.0);
        [self.centre[0] + u * cos - v * sin, self.centre[1] + u * sin + v * cos]
    }

    /// The centre relative to `origin`, along the square's own two sides: what a formula with circular symmetry about
    /// `origin` depends on.
    pub(super) fn centre_from(&self, origin: [f64; 2]) -> [f64; 2] {
        let [x, y] = [self.centre[0] - origin[0], self.centre[1] - origin[1]];
        let [cos, sin] = self.direction;
        [x * cos + y * sin, y * cos - x * sin]
    }
}
