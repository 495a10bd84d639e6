//! Twin: kernels/slices.cu. Oblique planes: the volume is interpolated at every pixel.

use std::sync::Arc;
#[cfg(feature = "cuda")]
use std::sync::Weak;

use super::plane::PlaneFrame;
use super::{SamplerKey, TimeKey, Volume, grey};
use crate::filter::ExecOptions;
#[cfg(feature = "cuda")]
use crate::grid::{Grid, GridSampler};
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

/// What decides the samples that an oblique plane interpolates: planes with equal keys have the same.
#[cfg(feature = "cuda")]
#[derive(Clone, Debug)]
pub(crate) struct MomentKey {
    volume: Weak<Volume>,
    moment: MomentTime,
}

#[cfg(feature = "cuda")]
impl PartialEq for MomentKey {
    fn eq(&self, other: &Self) -> bool {
        // A weak reference keeps the address from another volume.
        self.volume.ptr_eq(&other.volume) && self.moment == other.moment
    }
}

/// The samples of a time, or those between times.
#[cfg(feature = "cuda")]
#[derive(Clone, Copy, Debug, PartialEq)]
enum MomentTime {
    Given(usize),
    Between(TimeKey),
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

    /// The sampler of the axes z, y and x that `sampler` is in a plane.
    #[cfg(feature = "cuda")]
    pub(crate) fn grid_sampler(sampler: &Sampler) -> GridSampler {
        SamplerKey::new(sampler).of_volume()
    }

    /// The key of the samples at the time of the plane.
    #[cfg(feature = "cuda")]
    pub(crate) fn moment_key(&self, sampler: &Sampler) -> MomentKey {
        let key = self.key(SamplerKey::new(sampler));
        let only = self.volume.time_weights(key.sampler, key.time).only();
        MomentKey {
            volume: Arc::downgrade(&self.volume),
            moment: only.map_or(MomentTime::Between(key), MomentTime::Given),
        }
    }

    /// Calls `work` with the samples at the time of the plane.
    #[cfg(feature = "cuda")]
    pub(crate) fn with_moment<T>(&self, sampler: &Sampler, work: impl FnOnce(&Grid<f32>) -> T) -> T {
        work(&self.volume.moment(self.key(SamplerKey::new(sampler))))
    }

    /// Adds the memory of values of `size`, and of coefficients that are not kept.
    pub(crate) fn add_demand(&self, demand: &mut Demand, sampler: &Sampler, size: Size) {
        demand.hold(|| format!("the values of {size} pixels take"), (size.area() * size_of::<f32>()) as u64);
        let is_kept = self.volume.has_interpolator(self.key(SamplerKey::new(sampler)));
        if !is_kept {
            self.add_moment(demand, sampler);
        }
        if sampler.uses_coefficients() && !is_kept {
            demand.hold(|| "the coefficients of the volume take".to_owned(), self.bytes());
        }
    }

    /// Adds the memory of the samples at the time of the plane where they are not there.
    pub(crate) fn add_moment(&self, demand: &mut Demand, sampler: &Sampler) {
        if self.volume.adds_moment(self.key(SamplerKey::new(sampler))) {
            demand.hold(|| "the volume between two times takes".to_owned(), self.bytes());
        }
    }

    /// Bytes of the samples of a time.
    pub(crate) fn bytes(&self) -> u64 {
        size_of_val(self.volume.times[0].values()) as u64
    }

    /// The values at whole positions of the plane. NaN where coefficients do not fit the memory.
    pub(super) fn raster(&self, key: SamplerKey) -> Raster {
        let size = self.frame.size();
        let values = self.values_by(key, size, |position| position, &ExecOptions::default());
        grey(size, values.unwrap_or_else(|_| vec![f32::NAN; size.area()]))
    }
}
