//! Access to the device for this crate's tests. Not part of the API: it may change with any version.

use std::sync::Arc;

use super::driver::destination::{Destination, DeviceBuffer};
use super::driver::error::Context as _;
use super::measure::store::store_plain;
use super::plan::launch_plan_by;
use super::{CudaBackend, Limits, measure};
use crate::backend::{BackendError, KernelVariant, RenderRequest, page_of};
use crate::filter::GaussianBlur;
use crate::image::Image;

/// Waits for all queued work.
///
/// # Errors
/// If any of it failed.
pub fn wait(backend: &mut CudaBackend) -> Result<(), BackendError> {
    backend.state.run(|working| Ok(working.device().finish()?))
}

/// Launches a kernel that traps, and does not wait for it. The context is lost from then on.
///
/// # Errors
/// If the kernel does not start.
pub fn trap(backend: &mut CudaBackend) -> Result<(), BackendError> {
    backend.state.run(|working| Ok(working.renderer.launcher.trap()?))
}

/// Bytes of free device memory.
///
/// # Errors
/// If the device fails.
pub fn free_memory(backend: &mut CudaBackend) -> Result<usize, BackendError> {
    backend.state.run(|working| {
        let device = working.device();
        device.finish()?;
        Ok(device.context.mem_get_info().context("free memory is not reported")?.0)
    })
}

/// Makes the buffer of mapped values `bytes` large, until an out-of-memory error frees the caches.
///
/// # Errors
/// If the device has less memory.
pub fn hold_memory(backend: &mut CudaBackend, bytes: usize) -> Result<(), BackendError> {
    backend.state.run(|working| Ok(working.renderer.hold(bytes.div_ceil(size_of::<f32>()))?))
}

/// The values of `request` rendered by `variant`, before the display mapping, as `bench` compares them: one a pixel of a grey
/// page, four of colour, premultiplied. Pixels that no kernel wrote are NaN.
///
/// # Errors
/// If the form does not serve the request, or the device fails.
pub fn values_by(
    backend: &mut CudaBackend,
    variant: KernelVariant,
    image: &Image,
    request: &RenderRequest,
) -> Result<Vec<f32>, BackendError> {
    let page = &page_of(image, request)?;
    request.check(page)?;
    backend.state.run(|working| {
        let plan = launch_plan_by(variant, &working.device().limits, page, request)?;
        measure::values(&mut working.renderer, page, request, plan)
    })
}

/// The values of a grey page after the filter `gaussian` with these parameters by two transposing passes, as the block sweep times
/// them; edges are clamped.
///
/// # Errors
/// If the image has no page, or the device fails.
pub fn transposed_values(
    backend: &mut CudaBackend,
    image: &Image,
    parameters: &[f64],
) -> Result<Vec<f32>, BackendError> {
    let page = &page_of(image, &RenderRequest::new(image.pages()[0].size()))?;
    backend.state.run(|working| {
        let renderer = &mut working.renderer;
        let mut values = vec![f32::NAN; page.size().area()];
        let memory = Arc::new(renderer.launcher.device.upload(values.clone())?);
        let destination = Destination::values(DeviceBuffer::Floats(Arc::clone(&memory)), page.size().sides(), 1)?;
        renderer.blur_transposed(page, &GaussianBlur::new(parameters), &destination)?;
        renderer.launcher.device.download(&memory, &mut values)?;
        Ok(values)
    })
}

/// Fills all buffers of values with NaN and all screens with a fixed pattern, so that a test detects pixels that no kernel
/// wrote.
///
/// # Errors
/// If the device fails.
pub fn poison(backend: &mut CudaBackend) -> Result<(), BackendError> {
    backend.state.run(|working| {
        working.renderer.poison()?;
        for screen in working.screens.iter().flatten() {
            store_plain(&mut working.renderer.launcher, screen.canvas().pieces(), 0x5AA5_C33C)?;
        }
        Ok(())
    })
}

/// Sets the block shape, threads along x and y, of all kernels that support any; `None` restores their own.
pub fn set_block_shape(backend: &mut CudaBackend, block: Option<[u32; 2]>) {
    if let Some(working) = backend.state.working_mut() {
        working.renderer.launcher.block = block;
    }
}

/// The limits of the device; `None` if it is lost.
pub fn limits(backend: &CudaBackend) -> Option<Limits> {
    backend.state.working().map(|working| working.device().limits)
}

/// Number of launches that had to load their module: 0 if [`Backend::is_ready`](crate::backend::Backend::is_ready) named
/// every module.
pub fn late_loads(backend: &CudaBackend) -> usize {
    backend.state.working().map_or(0, |working| working.renderer.launcher.modules.late_loads())
}
