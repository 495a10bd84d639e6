//! One channel of a raster as numbers.

use crate::image::Raster;

/// One channel of a raster.
#[derive(Clone, Copy)]
pub(super) struct Plane<'a> {
    pub(super) raster: &'a Raster,
    pub(super) channel: usize,
}

impl Plane<'_> {
    /// The value (1 is maxval) at (`column`, `row`).
    pub(super) fn value(self, column: usize, row: usize) -> f64 {
        let samples = self.raster.samples();
        let pixel = row * self.raster.size().width() as usize + column;
        let number = samples.number(pixel * self.raster.channels().count() + self.channel);
        f64::from(number) / f64::from(samples.maxval())
    }
}
