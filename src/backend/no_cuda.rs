//! The row of the CUDA backend in a build without the feature `cuda`.

use super::{Backend, BackendError, BackendKind, DeviceKernel, DeviceKernelKind, DeviceWeights, RenderRequest};
use crate::image::Page;
use crate::sampling::{Method, SamplingPath};

/// Reports that the backend is not built in.
pub(super) fn open() -> Result<Box<dyn Backend>, BackendError> {
    Err(BackendError::Unavailable {
        backend: BackendKind::Cuda,
        reason: "this build lacks the feature 'cuda'".to_owned(),
    })
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
