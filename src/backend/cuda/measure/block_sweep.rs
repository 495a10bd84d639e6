//! The race over block shapes on a GPU: kernels alone, by CUDA events, of the launches that the window makes.
//!
//! Kernels that make one pixel a thread and the filters' take their shape from the launch. `tiled`, and what `auto` takes in its
//! place, are compiled for four warps in a row. A Gaussian races in its two passes, whose blocks may have any shape, also
//! where the window takes the one launch whose tile is a constant.

use std::sync::Arc;

use cudarc::driver::CudaSlice;

use super::{Clock, screen};
use crate::backend::bench::noise;
use crate::backend::cuda::CudaBackend;
use crate::backend::cuda::driver::destination::{Destination, DeviceBuffer};
use crate::backend::cuda::driver::device::Limits;
use crate::backend::cuda::driver::texture::Surface;
use crate::backend::cuda::plan::tiled::WARPS;
use crate::backend::cuda::plan::{Route, route, route_by};
use crate::backend::cuda::render::sides;
use crate::backend::race::{BLOCK_SHAPES, Kernel, Lap, RaceOptions, Shape, Track};
use crate::backend::{Backend as _, BackendError, RenderRequest};
use crate::filter::{Chain, Stop};
use crate::image::{Image, Page};
use crate::sampling::{Path, Sampler};

/// What the kernels read and write.
pub(in crate::backend::cuda) struct CudaTrack<'a> {
    backend: &'a mut CudaBackend,
    options: RaceOptions,
    limits: Limits,
    /// What methods show.
    image: Image,
    /// What filters work on: as large as the output.
    picture: Image,
    /// There until the track ends.
    gear: Option<Gear>,
}

/// What is on the device.
struct Gear {
    clock: Clock,
    screen: Surface,
    values: Arc<CudaSlice<f32>>,
}

impl Drop for CudaTrack<'_> {
    fn drop(&mut self) {
        // What is freed after this wants its context current, and nothing at work on it. A device that is lost is not called
        // again, not even to free what was on it.
        let _ = self.backend.wait();
        if self.backend.limits().is_none() {
            std::mem::forget(self.gear.take());
        }
    }
}

impl<'a> CudaTrack<'a> {
    /// # Errors
    /// Where the device cannot hold what is read and written.
    pub(in crate::backend::cuda) fn new(
        backend: &'a mut CudaBackend,
        options: &RaceOptions,
    ) -> Result<Self, BackendError> {
        let too_large = || BackendError::Limit { what: format!("noise of {} samples", options.image) };
        let image = noise(options.image).ok_or_else(too_large)?;
        let picture = noise(options.size).ok_or_else(too_large)?;
        let (limits, gear) = backend.run(|working| {
            let device = &working.renderer.device;
            let screen = screen(device, options.size, false)?;
            let values = Arc::new(device.allocate(options.size.area())?);
            let gear = Gear { clock: Clock::new(device)?, screen, values };
            Ok((device.limits, gear))
        })?;
        Ok(Self { backend, options: options.clone(), limits, image, picture, gear: Some(gear) })
    }

    fn request(&self, kernel: &Kernel) -> Option<RenderRequest> {
        let (method, path) = match *kernel {
            Kernel::Method { method, path } => (method, path),
            Kernel::Form { method, .. } => (method, Path::Auto),
            Kernel::Filter(_) => return None,
        };
        let sampler = Sampler { path, ..Sampler::default().with_method(method) };
        Some(RenderRequest { view: self.options.view, sampler, ..RenderRequest::new(self.options.size) })
    }

    fn route(&self, kernel: &Kernel, request: &RenderRequest) -> Result<Route, BackendError> {
        let page = &self.image.pages()[0];
        request.check(page)?;
        match *kernel {
            Kernel::Form { form, .. } => route_by(form, &self.limits, page, request),
            Kernel::Method { .. } | Kernel::Filter(_) => route(&self.limits, page, request),
        }
    }
}

impl Track for CudaTrack<'_> {
    fn description(&self) -> String {
        self.backend.description()
    }

    fn shapes(&self) -> Vec<Shape> {
        BLOCK_SHAPES.to_vec()
    }

    fn kernels(&self) -> Vec<Kernel> {
        Kernel::all(&[Path::Tiled, Path::Lookup, Path::Filtered])
    }

    fn fixed_shape(&self, kernel: &Kernel) -> Option<Shape> {
        let route = self.route(kernel, &self.request(kernel)?).ok()?;
        let any_shape =
            matches!(route, Route::Gather | Route::Points | Route::Filtered | Route::FilteredTable | Route::Memory);
        (!any_shape).then_some(Shape::Block { width: 32 * WARPS, height: 1 })
    }

    fn time(&mut self, kernel: &Kernel, shape: Shape, stop: &Stop) -> Result<Lap, BackendError> {
        if stop.is_set() {
            return Err(BackendError::Stopped);
        }
        let Shape::Block { width, height } = shape else {
            return Err(BackendError::Lacks { name: "CUDA", what: "bands of rows" });
        };
        let request = self.request(kernel);
        let route = request.as_ref().map(|request| self.route(kernel, request)).transpose()?;
        let chain = match kernel {
            Kernel::Filter(step) => Chain(vec![*step]),
            Kernel::Method { .. } | Kernel::Form { .. } => Chain::default(),
        };
        let Self { backend, options, image, picture, gear: Some(Gear { clock, screen, values }), .. } = self else {
            return Err(BackendError::Stopped);
        };
        let (page, picture): (&Arc<Page>, &Arc<Page>) = (&image.pages()[0], &picture.pages()[0]);
        let busy = screen.canvas().pieces();
        backend.run(|working| {
            let renderer = &mut working.renderer;
            let shown = Destination::surface(screen.canvas(), options.size)?;
            let filtered = Destination::values(DeviceBuffer::Floats(Arc::clone(values)), sides(options.size), 1)?;
            renderer.device.block = Some([width, height]);
            let mut work = |renderer: &mut crate::backend::cuda::Renderer| match (&request, route) {
                (Some(request), Some(route)) => renderer.interpolate(page, request, route, &shown),
                _ => renderer.filter_page(picture, &chain, &filtered),
            };
            renderer.device.watched = Some(Vec::new());
            let once = work(renderer);
            let launches = renderer.device.watched.take().unwrap_or_default();
            let lap = once.and_then(|()| {
                let occupancy = renderer.device.least_occupancy(&launches)?;
                let median_us = clock.measure(renderer, (busy, options.repeats), &mut work)?;
                Ok(Lap { median_us, occupancy })
            });
            renderer.device.block = None;
            lap
        })
    }
}
