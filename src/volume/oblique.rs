//! Oblique planes: the volume is interpolated at every pixel.

use std::sync::Arc;

use super::plane::PlaneFrame;
use super::{SamplerKey, TimeKey, Volume, grey};
use crate::filter::ExecOptions;
use crate::grid::{GridError, Interpolator, Number};
use crate::image::{Page, Raster, Size};
use crate::memory::Demand;
use crate::sampling::Sampler;

/// Pixels whose positions are computed together.
const BATCH: usize = 1 << 18;

/// An oblique plane of a volume.
#[derive(Debug)]
pub struct ObliquePlane {
    volume: Arc<Volume>,
    frame: PlaneFrame,
    time: f64,
}

impl ObliquePlane {
    pub(super) fn new(volume: Arc<Volume>, frame: PlaneFrame, time: f64) -> Self {
        Self { volume, frame, time }
    }

    /// The oblique plane of a page; `None` for any other page.
    pub fn of(page: &Page) -> Option<Arc<Self>> {
        Arc::clone(page.source()?).downcast().ok()
    }

    /// The volume.
    pub fn volume(&self) -> &Arc<Volume> {
        &self.volume
    }

    fn key(&self, sampler: SamplerKey) -> TimeKey {
        TimeKey { time: self.time, sampler }
    }

    /// The positions of its samples.
    pub fn frame(&self) -> &PlaneFrame {
        &self.frame
    }

    /// Values of pixels of `size` by the method, the prefilter, the address modes (those of x along x, those of y along y and z)
    /// and the border of `sampler`; `map` gives the position in the plane of a column and a row.
    ///
    /// # Errors
    /// [`GridError::Memory`] for coefficients that do not fit the memory, and [`GridError::Cancelled`].
    pub(crate) fn values(
        &self,
        sampler: &Sampler,
        size: Size,
        map: impl Fn([f64; 2]) -> [f64; 2],
        work: &ExecOptions,
    ) -> Result<Vec<f32>, GridError> {
        self.values_by(SamplerKey::new(sampler), size, map, work)
    }

    fn values_by(
        &self,
        key: SamplerKey,
        size: Size,
        map: impl Fn([f64; 2]) -> [f64; 2],
        work: &ExecOptions,
    ) -> Result<Vec<f32>, GridError> {
        self.volume.with_interpolator(self.key(key), work, |interpolator| self.sample(interpolator, size, map, work))
    }

    fn sample<T: Number>(
        &self,
        interpolator: &Interpolator<'_, T>,
        size: Size,
        map: impl Fn([f64; 2]) -> [f64; 2],
        work: &ExecOptions,
    ) -> Result<Vec<T>, GridError> {
        let width = size.width() as usize;
        let mut values = vec![T::default(); size.area()];
        let mut points = Vec::with_capacity(3 * BATCH.min(values.len()));
        for (batch, out) in values.chunks_mut(BATCH).enumerate() {
            points.clear();
            for pixel in batch * BATCH..batch * BATCH + out.len() {
                let [x, y, z] = self.frame.at(map([(pixel % width) as f64, (pixel / width) as f64]));
                points.extend([z, y, x]);
            }
            interpolator.sample_into(&points, out, work)?;
        }
        Ok(values)
    }

    /// As [`ObliquePlane::values`] in double precision, from coefficients that are not kept.
    ///
    /// # Errors
    /// As [`ObliquePlane::values`].
    pub(crate) fn exact_values(
        &self,
        sampler: &Sampler,
        size: Size,
        map: impl Fn([f64; 2]) -> [f64; 2],
        work: &ExecOptions,
    ) -> Result<Vec<f64>, GridError> {
        let key = SamplerKey::new(sampler);
        let grid = self.volume.exact_moment(self.key(key));
        let interpolator = grid.interpolator_with(&key.of_volume(), work)?;
        self.sample(&interpolator, size, map, work)
    }

    /// Adds the memory of values of `size`, and of coefficients that are not kept.
    pub(crate) fn add_demand(&self, demand: &mut Demand, sampler: &Sampler, size: Size) {
        demand.hold(|| format!("the values of {size} pixels take"), (size.area() * size_of::<f32>()) as u64);
        let key = self.key(SamplerKey::new(sampler));
        let bytes = size_of_val(self.volume.times[0].values()) as u64;
        let is_kept = self.volume.has_interpolator(key);
        if !is_kept && self.volume.adds_moment(key) {
            demand.hold(|| "the volume between two times takes".to_owned(), bytes);
        }
        if sampler.uses_coefficients() && !is_kept {
            demand.hold(|| "the coefficients of the volume take".to_owned(), bytes);
        }
    }

    /// The values at whole positions of the plane. NaN where coefficients do not fit the memory.
    pub(super) fn raster(&self, key: SamplerKey) -> Raster {
        let size = self.frame.size();
        let values = self.values_by(key, size, |position| position, &ExecOptions::default());
        grey(size, values.unwrap_or_else(|_| vec![f32::NAN; size.area()]))
    }
}
