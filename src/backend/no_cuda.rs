//! The row of the CUDA backend in a build without the feature `cuda`.

use super::{Backend, BackendError, BackendKind, DeviceKernel, DeviceKernelKind, DeviceWeights, RenderRequest};
use crate::filter::ExecOptions;
use crate::grid::{Grid, GridPath, GridSampler, PointSlice};
use crate::image::Page;
use crate::sampling::{Method, SamplingPath};

/// Reports that the backend is not built in.
pub(super) fn open() -> Result<Box<dyn Backend>, BackendError> {
    Err(missing())
}

fn missing() -> BackendError {
    BackendError::Unavailable { backend: BackendKind::Cuda, reason: "this build lacks the feature 'cuda'".to_owned() }
}

/// The first CUDA device, for grids: there is none in this build.
#[derive(Debug)]
pub enum CudaGrids {}

/// A grid on the device: there is none in this build.
#[derive(Debug)]
pub enum ResidentGrid {}

impl CudaGrids {
    /// Reports that the backend is not built in.
    ///
    /// # Errors
    /// Always.
    pub fn open() -> Result<Self, BackendError> {
        Err(missing())
    }

    /// Name of the device.
    pub fn description(&self) -> String {
        match *self {}
    }

    /// Copies `grid` to the device.
    ///
    /// # Errors
    /// None: there is no value of this type.
    pub fn load(
        &mut self,
        _grid: &Grid<f32>,
        _sampler: &GridSampler,
        _path: GridPath,
        _work: &ExecOptions,
    ) -> Result<ResidentGrid, BackendError> {
        match *self {}
    }

    /// Value at each of the points.
    ///
    /// # Errors
    /// None: there is no value of this type.
    pub fn sample_into<'p>(
        &mut self,
        _grid: &ResidentGrid,
        _points: impl Into<PointSlice<'p>>,
        _out: &mut [f32],
        _work: &ExecOptions,
    ) -> Result<(), BackendError> {
        match *self {}
    }
}

/// The kernel for `request`, where it follows from the request alone.
pub(super) fn device_kernel(_page: &Page, request: &RenderRequest) -> Option<DeviceKernel> {
    if !request.sampler.path.is_exact() {
        let weights = match request.sampler.method {
            _ if request.sampler.path == SamplingPath::FilteredTable => DeviceWeights::LookUpTable,
            Method::BSPLINE | Method::CATMULL_ROM => DeviceWeights::Symmetric,
            _ => DeviceWeights::Linear,
        };
        return Some(DeviceKernel { kind: DeviceKernelKind::Filtered, weights });
    }
    if !request.warp.is_none() {
        return Some(DeviceKernel { kind: DeviceKernelKind::Memory, weights: DeviceWeights::Curve });
    }
    let is_passes = request.is_stretched() && request.view.is_axis_aligned();
    is_passes.then_some(DeviceKernel { kind: DeviceKernelKind::Passes, weights: DeviceWeights::Curve })
}
