//! Block sweep on the GPU: kernel times for each block shape, measured by CUDA events around the launches of the window.
//!
//! Filters and kernels that compute one pixel a thread take any block shape. `tiled`, `direct` and Gaussians are compiled for
//! blocks of four warps.

use std::sync::Arc;

use cudarc::driver::CudaSlice;

use super::BatchTimer;
use crate::backend::bench::noise;
use crate::backend::block_bounds::{Bounds, Division};
use crate::backend::block_sweep::{BLOCK_SHAPES, BlockSweepOptions, Kernel, KernelTimer, Shape, Timing};
use crate::backend::cuda::driver::destination::{Destination, DeviceBuffer};
use crate::backend::cuda::driver::limits::Limits;
use crate::backend::cuda::driver::surface::Surface;
use crate::backend::cuda::plan::tiled::WARPS;
use crate::backend::cuda::plan::{LaunchPlan, launch_plan, launch_plan_by};
use crate::backend::cuda::render::Renderer;
use crate::backend::cuda::render::filter_grid::block_of_gaussian;
use crate::backend::cuda::state::State;
use crate::backend::{BackendError, BackendKind, Feature, RenderRequest};
use crate::filter::{CancelToken, Chain, Filter, GaussianBlur};
use crate::image::{Image, Page};
use crate::sampling::{Sampler, SamplingPath};

/// Times kernels of the CUDA backend in any block shape.
pub(crate) struct CudaKernelTimer<'a> {
    state: &'a mut State,
    options: BlockSweepOptions,
    limits: Limits,
    /// The source of methods and forms.
    image: Image,
    /// The source of filters, of the output's size.
    picture: Image,
    /// The device's part; taken when the timer is dropped.
    resources: Option<Resources>,
}

/// The objects of a timer on the device.
struct Resources {
    timer: BatchTimer,
    screen: Surface,
    values: Arc<CudaSlice<f32>>,
}

impl Drop for CudaKernelTimer<'_> {
    fn drop(&mut self) {
        // The resources are freed after this, with the context current and no kernel at work on them. After a lost device
        // the driver is not called again, not even to free them.
        let _ = self.state.run(|working| Ok(working.device().finish()?));
        if self.state.working().is_none() {
            std::mem::forget(self.resources.take());
        }
    }
}

impl<'a> CudaKernelTimer<'a> {
    /// A timer with the images and the output of `options`.
    ///
    /// # Errors
    /// If the device has too little memory for the source or the output, or fails.
    pub(crate) fn new(state: &'a mut State, options: &BlockSweepOptions) -> Result<Self, BackendError> {
        let too_large = || BackendError::Limit { what: format!("noise of {} samples", options.image) };
        let image = noise(options.image).ok_or_else(too_large)?;
        let picture = noise(options.size).ok_or_else(too_large)?;
        let (limits, resources) = state.run(|working| {
            let device = working.device();
            let screen = Surface::new(device, options.size, false)?;
            let values = Arc::new(device.allocate(options.size.area())?);
            Ok((device.limits, Resources { timer: BatchTimer::new(device)?, screen, values }))
        })?;
        Ok(Self { state, options: options.clone(), limits, image, picture, resources: Some(resources) })
    }

    fn request(&self, kernel: &Kernel) -> Option<RenderRequest> {
        let (method, path) = match *kernel {
            Kernel::Method { method, path } => (method, path),
            Kernel::KernelVariant { method, .. } => (method, SamplingPath::Auto),
            Kernel::Filter(_) | Kernel::TransposedPasses(_) => return None,
        };
        let sampler = Sampler { path, ..Sampler::default().with_method(method) };
        Some(RenderRequest { view: self.options.view, sampler, ..RenderRequest::new(self.options.size) })
    }

    fn launch_plan(&self, kernel: &Kernel, request: &RenderRequest) -> Result<LaunchPlan, BackendError> {
        let page = &self.image.pages()[0];
        request.check(page)?;
        match *kernel {
            Kernel::KernelVariant { variant, .. } => launch_plan_by(variant, &self.limits, page, request),
            Kernel::Method { .. } | Kernel::Filter(_) | Kernel::TransposedPasses(_) => {
                launch_plan(&self.limits, page, request)
            }
        }
    }
}

impl KernelTimer for CudaKernelTimer<'_> {
    fn description(&self) -> String {
        self.state.description()
    }

    fn shapes(&self) -> Vec<Shape> {
        BLOCK_SHAPES.to_vec()
    }

    fn kernels(&self) -> Vec<Kernel> {
        Kernel::all(&[SamplingPath::Tiled, SamplingPath::Lookup, SamplingPath::Filtered, SamplingPath::FilteredTable])
    }

    fn fixed_shape(&self, kernel: &Kernel) -> Option<Shape> {
        if let Kernel::Filter(step) = kernel
            && step.filter() == Filter::Gaussian
        {
            let [width, height] = block_of_gaussian(GaussianBlur::new(step.parameters()));
            return Some(Shape::Block { width, height });
        }
        let plan = self.launch_plan(kernel, &self.request(kernel)?).ok()?;
        let any_shape = matches!(
            plan,
            LaunchPlan::Gather(_)
                | LaunchPlan::Points(_)
                | LaunchPlan::Filtered(_)
                | LaunchPlan::FilteredTable
                | LaunchPlan::Memory
        );
        (!any_shape).then_some(Shape::Block { width: 32 * WARPS, height: 1 })
    }

    fn time(&mut self, kernel: &Kernel, shape: Shape, stop: &CancelToken) -> Result<Timing, BackendError> {
        if stop.is_set() {
            return Err(BackendError::Cancelled);
        }
        let Shape::Block { width, height } = shape else {
            return Err(BackendError::Unsupported { backend: BackendKind::Cuda, what: Feature::RowBands });
        };
        let request = self.request(kernel);
        let plan = request.as_ref().map(|request| self.launch_plan(kernel, request)).transpose()?;
        let (chain, transposed) = match kernel {
            Kernel::Filter(step) => (Chain(vec![*step]), None),
            Kernel::TransposedPasses(step) => (Chain::default(), Some(GaussianBlur::new(step.parameters()))),
            Kernel::Method { .. } | Kernel::KernelVariant { .. } => (Chain::default(), None),
        };
        let Self { state, options, image, picture, resources: Some(resources), .. } = self else {
            return Err(BackendError::Cancelled);
        };
        let Resources { timer, screen, values } = resources;
        let (page, picture): (&Arc<Page>, &Arc<Page>) = (&image.pages()[0], &picture.pages()[0]);
        let busy = screen.canvas().pieces();
        // Bytes of samples, and of a filter's single-precision values.
        let bytes = options.least_bytes(kernel, [1, 4]);
        state.run(|working| {
            let renderer = &mut working.renderer;
            let shown = Destination::surface(screen.canvas(), options.size)?;
            let filtered = Destination::values(DeviceBuffer::Floats(Arc::clone(values)), options.size.sides(), 1)?;
            renderer.launcher.block = Some([width, height]);
            let mut work = |renderer: &mut Renderer| match (&request, plan, &transposed) {
                (Some(request), Some(plan), _) => renderer.interpolate(page, request, plan, &shown),
                (_, _, Some(blur)) => renderer.blur_transposed(picture, blur, &filtered),
                _ => renderer.filter_page(picture, &chain, &filtered),
            };
            renderer.launcher.recorded = Some(Vec::new());
            let once = work(renderer);
            let launches = renderer.launcher.recorded.take().unwrap_or_default();
            let timing = once.and_then(|()| {
                let facts = renderer.launcher.least_resident(&launches)?;
                let facts =
                    facts.ok_or_else(|| BackendError::Limit { what: format!("'{kernel}' without a launch") })?;
                let median_us = timer.measure(renderer, busy, options.repeats, &mut work)?;
                let bounds = Bounds { bytes, division: Division::Blocks(facts) };
                Ok(Timing { median_us, occupancy: Some(facts.occupancy), bounds })
            });
            renderer.launcher.block = None;
            timing
        })
    }
}
