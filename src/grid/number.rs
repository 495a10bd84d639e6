//! Scalar types of samples, positions and results.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Mul};

/// A scalar type of samples, positions and results: `f32` or `f64`.
pub trait Number:
    sealed::Sealed
    + Copy
    + Default
    + Debug
    + PartialEq
    + PartialOrd
    + Into<f64>
    + Add<Output = Self>
    + AddAssign
    + Mul<Output = Self>
    + Send
    + Sync
    + 'static
{
    /// The number nearest to `value`.
    fn from_f64(value: f64) -> Self;
}

impl Number for f32 {
    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        value as Self
    }
}

impl Number for f64 {
    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        value
    }
}

mod sealed {
    /// The types of this module alone are numbers.
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}
