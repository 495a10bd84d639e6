//! A number of a request that is outside its range.

use crate::text::number_text;

/// The number, its name and its range.
#[derive(Clone, Copy, PartialEq, thiserror::Error)]
#[error("{name} must be {range}, not {}", number_text(*.value))]
pub struct OutOfRange {
    /// The number's name.
    pub name: &'static str,
    /// The range in words.
    pub range: &'static str,
    /// The number.
    pub value: f64,
}
