//! Helpers of the unit tests.

use crate::image::Size;

/// A size; panics unless it is valid.
pub(crate) fn size(width: u32, height: u32) -> Size {
    Size::new(width, height).unwrap_or_else(|error| panic!("{width} × {height}: {error}"))
}

/// One row of grey floating-point samples.
#[cfg(feature = "window")]
pub(crate) fn row(values: &[f32]) -> crate::image::Raster {
    use crate::image::{Channels, Raster, Samples};

    let size = size(values.len() as u32, 1);
    Raster::new(size, Channels::Grey, Samples::F32(values.to_vec())).expect("a raster")
}
