//! Values of grids at points on the GPU: the grid's stored values stay on the device, points and values are streamed.
//!
//! ```text
//!   Grid ──upload──▶ samples ──prefilter, axis by axis──▶ stored values ──▶ texture, for the paths that fetch
//!   points ──pinned memory──▶ device ──kernel──▶ values ──pinned memory──▶ caller     in parts, three streams in turn
//! ```

pub(super) mod arguments;
mod forms;
mod measure;
pub(super) mod prefilter;
mod resident;
mod stream;

use crate::backend::BackendError;
use crate::backend::cuda::driver::device::Device;
use crate::backend::cuda::driver::error::Context as _;
use crate::backend::cuda::kernels::launch::Launcher;
use crate::filter::ExecOptions;
use crate::grid::{Grid, GridError, GridPath, GridSampler, PointSlice};

pub use self::forms::GridVariant;
pub use self::measure::GridTimes;
pub use self::resident::ResidentGrid;
use self::stream::Slot;

/// The first CUDA device, for grids.
#[derive(Debug)]
pub struct CudaGrids {
    /// Streams with their memory. They are waited for before any call returns.
    slots: Vec<Slot>,
    launcher: Launcher,
}

impl CudaGrids {
    /// Opens the first device.
    ///
    /// # Errors
    /// If there is no driver, the driver or the device is too old, or there is no device.
    pub fn open() -> Result<Self, BackendError> {
        Ok(Self { slots: Vec::new(), launcher: Launcher::new(Device::open()?) })
    }

    /// Name of the device and the CUDA version of its driver.
    pub fn description(&self) -> String {
        self.launcher.device.description()
    }

    /// Copies `grid` to the device and prepares its interpolation there, as [`Grid::interpolator_with`] does on the CPU.
    ///
    /// # Errors
    /// [`BackendError::Grid`] for a sampler that does not fit the grid, an axis with unequal knots and a path that does not
    /// serve the method; [`BackendError::Limit`] for a grid larger than a texture; [`BackendError::Memory`] if the device
    /// has too little memory.
    pub fn load(
        &mut self,
        grid: &Grid<f32>,
        sampler: &GridSampler,
        path: GridPath,
        work: &ExecOptions,
    ) -> Result<ResidentGrid, BackendError> {
        self.load_variant(grid, sampler, GridVariant::Path(path), work)
    }

    /// Value at each of the points, whose coordinates follow one another, in their order. Complex values are two numbers each.
    /// Exact paths agree with [`Interpolator::sample`](crate::grid::Interpolator::sample) to 2·10⁻⁶ for samples in \[0, 1\].
    ///
    /// # Errors
    /// [`BackendError::Grid`] for coordinates that are not whole points, and errors of the device.
    pub fn sample<'p>(
        &mut self,
        grid: &ResidentGrid,
        points: impl Into<PointSlice<'p>>,
    ) -> Result<Vec<f32>, BackendError> {
        let points = points.into();
        let mut out = vec![0.0; grid.count(points)? * grid.components().count()];
        self.sample_into(grid, points, &mut out, &ExecOptions::default())?;
        Ok(out)
    }

    /// The same into memory of the caller, with progress and cancellation.
    ///
    /// # Errors
    /// As [`CudaGrids::sample`], and [`GridError::Cancelled`].
    ///
    /// # Panics
    /// If `out` is not as long as the values of the points.
    pub fn sample_into<'p>(
        &mut self,
        grid: &ResidentGrid,
        points: impl Into<PointSlice<'p>>,
        out: &mut [f32],
        work: &ExecOptions,
    ) -> Result<(), BackendError> {
        let points = points.into();
        let count = grid.count(points)?;
        assert_eq!(out.len(), count * grid.components().count(), "as many results as points");
        self.launcher.device.context.bind_to_thread().context("the context is lost")?;
        self.stream(grid, points, out, &work.stage("sampling"))?;
        if work.stop.is_set() { Err(GridError::Cancelled.into()) } else { Ok(()) }
    }
}

impl Drop for CudaGrids {
    fn drop(&mut self) {
        // What is freed after this wants its context current, and nothing at work on it.
        let _ = self.launcher.device.context.bind_to_thread();
        let _ = self.launcher.device.finish();
    }
}
