//! Parameters of methods: real numbers that compare by their bits, and degrees of B-splines.

use std::fmt;

/// A real parameter of a method. Two are equal if their bits are; −0 is kept as 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Real(u64);

impl Real {
    /// The callers check the parameter's range.
    pub(super) const fn new(value: f64) -> Self {
        Self((value + 0.0).to_bits())
    }

    /// The number.
    pub const fn get(self) -> f64 {
        f64::from_bits(self.0)
    }
}

impl fmt::Debug for Real {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

/// The degree of a B-spline that is neither the box (0, [`Method::Nearest`](super::Method::Nearest)) nor the triangle (1, [`Method::Linear`](super::Method::Linear)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SplineDegree {
    /// Degree 2, radius 1.5.
    Quadratic = 2,
    /// Degree 3, radius 2.
    Cubic = 3,
    /// Degree 4, radius 2.5.
    Quartic = 4,
    /// Degree 5, radius 3.
    Quintic = 5,
}
