//! Helpers of the unit tests.

use crate::image::Size;

/// A size; panics unless it is valid.
pub(crate) fn size(width: u32, height: u32) -> Size {
    Size::new(width, height).unwrap_or_else(|error| panic!("{width} × {height}: {error}"))
}
