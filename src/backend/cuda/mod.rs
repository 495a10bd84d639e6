//! The CUDA backend: every method by every sampling path on the GPU, straight into the texture on screen.
//!
//! A frame's kernels are launched into one stream. They write an OpenGL texture (`gl_interop`), an array that is copied to
//! the host ([`Backend::render`] at 8 bits), or single-precision values (any other depth, and sizes beyond the limit of
//! surfaces). The same kernels produce the same bytes in all three cases. If an error leaves the context unusable, its
//! objects are abandoned without further calls to the driver, and the caller continues with another backend.
//!
//! Rooms, from the ground up: `abi` (argument structs), `driver` (device, memory, errors), `plan` (launch plans and
//! weights), `kernels` (entries, modules, launches), `render` (planes, filters, tables, launches of a request),
//! `gl_interop`, `state`, `measure`; `grids` samples grids at points, and stores and weighs volumes for `render`; `catalogue` lists all
//! entries for the tests.

mod abi;
mod catalogue;
mod driver;
mod gl_interop;
mod grids;
mod kernels;
mod measure;
mod plan;
mod render;
mod state;
#[doc(hidden)]
pub mod testing;

use std::sync::Arc;
use std::time::Duration;

pub use self::catalogue::entries;
pub use self::driver::limits::Limits;
pub use self::grids::{CudaGrids, GridTimes, GridVariant, ResidentGrid};
pub use self::kernels::compiled::{MODULES, Module};
pub use self::kernels::entry::Entry;

use self::driver::array::Array;
use self::driver::staging::Staging;
use self::driver::surface::Surface;
use self::kernels::prewarm::Prewarm;
use self::measure::block_sweep::CudaKernelTimer;
use self::render::needs::{entries_of_neighbours, entries_of_request};
use self::state::{State, Working};
use super::{
    Backend, BackendError, BackendKind, BenchOptions, Benchmark, BlockSweepOptions, DeviceKernel, Display, Feature,
    GlPanel, GlTarget, GlTexture, GlWriter, KernelTimer, Measurements, PixelFormat, RenderRequest, RenderTimer, Waker,
    cpu, fit_raster, page_of,
};
use crate::filter::ExecOptions;
use crate::image::{Channels, Depth, Image, Page, Raster, Samples};
use crate::volume::ObliquePlane;

/// Opens the backend for [`BACKENDS`](crate::backend::BACKENDS).
pub(super) fn open() -> Result<Box<dyn Backend>, BackendError> {
    Ok(Box::new(CudaBackend::open()?))
}

/// The kernel for `request` on a device with the limits of an H200; `None` of an oblique plane, which has no samples.
pub(super) fn device_kernel(page: &Page, request: &RenderRequest) -> Option<DeviceKernel> {
    if ObliquePlane::of(page).is_some() {
        return None;
    }
    plan::launch_plan(&Limits::H200, page, request).ok().map(|launch| launch.kernel(request.sampler.method))
}

/// Renders on the first CUDA device.
#[derive(Debug)]
pub struct CudaBackend {
    state: State,
}

impl CudaBackend {
    /// Opens the first device.
    ///
    /// # Errors
    /// If there is no driver, the driver or the device is too old, or there is no device.
    pub fn open() -> Result<Self, BackendError> {
        Ok(Self { state: State::open()? })
    }
}

impl Backend for CudaBackend {
    fn kind(&self) -> BackendKind {
        BackendKind::Cuda
    }

    fn description(&self) -> String {
        self.state.description()
    }

    fn is_ready(&mut self, image: &Image, request: &RenderRequest) -> bool {
        let Some(working) = self.state.working_mut() else { return true };
        let (limits, modules) = (working.device().limits, Arc::clone(&working.renderer.launcher.modules));
        let mut entries = entries_of_request(&limits, image, request);
        // Most requests of a drag launch what the last one did: names are compared only for kernels that are new.
        entries.retain(|entry| {
            let is_ready = working.ready.contains(entry) || modules.is_settled(&entry.to_string());
            if is_ready {
                working.ready.insert(*entry);
            }
            !is_ready
        });
        if entries.is_empty() {
            return true;
        }
        let prewarm = working.prewarm.get_or_insert_with(|| Prewarm::start(modules));
        prewarm.set_waker(working.waker.clone());
        prewarm.expect(&entries_of_neighbours(&limits, image, request));
        // What nothing loads in the background is loaded by the launch.
        !prewarm.want(&entries)
    }

    fn set_waker(&mut self, waker: Waker) {
        if let Some(working) = self.state.working_mut() {
            working.waker = waker;
        }
    }

    fn render(
        &mut self,
        image: &Image,
        request: &RenderRequest,
        format: PixelFormat,
        out: &mut Raster,
    ) -> Result<(), BackendError> {
        let page = page_of(image, request)?;
        request.check(&page)?;
        if request.has_truth() {
            return Err(BackendError::Unsupported { backend: BackendKind::Cuda, what: Feature::Truth });
        }
        let channels = format.channels(request.channels(page.channels()));
        self.state.run(|working| {
            fit_raster(out, request, channels, format.depth);
            working.last_time = None;
            if format.depth == Depth::EIGHT && working.device().limits.has_surface(request.size) {
                working.render_bytes(image, request, out)
            } else {
                working.render_values(image, request, out)
            }
        })
    }

    fn is_slow(&mut self, _image: &Image, _request: &RenderRequest) -> bool {
        false
    }

    fn set_exec_options(&mut self, _work: ExecOptions) {}

    fn timer(&mut self) -> Option<&mut dyn RenderTimer> {
        Some(self)
    }

    fn gl(&mut self) -> Option<&mut dyn GlWriter> {
        if self.state.working().is_some() { Some(self) } else { None }
    }

    fn benchmark(&mut self) -> Option<&mut dyn Benchmark> {
        Some(self)
    }
}

impl RenderTimer for CudaBackend {
    fn set_timing(&mut self, on: bool) {
        if let Some(working) = self.state.working_mut() {
            working.clock.run(on);
            working.interop.clock.run(on);
        }
    }

    fn last_kernel_time(&mut self) -> Option<Duration> {
        self.state.working().and_then(|working| working.last_time)
    }
}

impl Benchmark for CudaBackend {
    fn timer<'a>(&'a mut self, options: &BlockSweepOptions) -> Result<Box<dyn KernelTimer + 'a>, BackendError> {
        Ok(Box::new(CudaKernelTimer::new(&mut self.state, options)?))
    }

    fn measure(&mut self, options: &BenchOptions) -> Result<Measurements, BackendError> {
        self.state.run(|working| measure::run(&mut working.renderer, options))
    }
}

impl GlWriter for CudaBackend {
    #[expect(unsafe_code, reason = "the texture is a name, whose life is the caller's")]
    unsafe fn register(&mut self, texture: GlTexture) -> Result<GlTarget, BackendError> {
        self.state.run(|working| {
            // SAFETY: the caller's promise, as the trait has it.
            unsafe { working.interop.register(&working.renderer.launcher.device, texture) }
        })
    }

    fn unregister(&mut self, target: GlTarget) {
        let unregistered =
            self.state.run(|working| Ok(working.interop.unregister(&working.renderer.launcher.device, target)?));
        if let Err(error) = unregistered {
            log::warn!("a texture stays registered: {error}");
        }
    }

    fn draw(&mut self, panels: &[GlPanel<'_>]) -> Vec<Result<(), BackendError>> {
        let mut is_first_try = true;
        let drawn = self.state.run(|working| {
            let mut drawn = working.interop.draw(&mut working.renderer, panels)?;
            // Memory that runs out is tried again with all panels; a panel that there is none for then goes without alone.
            let is_out_of_memory = |panel: &Result<(), BackendError>| matches!(panel, Err(BackendError::Memory { .. }));
            if std::mem::take(&mut is_first_try)
                && let Some(place) = drawn.iter().position(is_out_of_memory)
            {
                drawn.swap_remove(place)?;
            }
            Ok(drawn)
        });
        drawn.unwrap_or_else(|error| panels.iter().map(|_| Err(error.clone())).collect())
    }

    fn is_done(&mut self) -> Result<bool, BackendError> {
        self.state.run(|working| Ok(working.device().is_idle()?))
    }

    fn times(&mut self) -> Result<Vec<(GlTarget, Duration)>, BackendError> {
        self.state.run(|working| Ok(working.interop.clock.take()?))
    }

    fn is_timing(&self) -> bool {
        self.state.working().is_some_and(|working| working.interop.clock.is_running())
    }
}

impl Working {
    /// 8-bit pixels: the kernels that the window launches, into an array instead of a texture.
    fn render_bytes(&mut self, image: &Image, request: &RenderRequest, out: &mut Raster) -> Result<(), BackendError> {
        let (size, channels) = (out.size(), out.channels());
        let rgba = channels != Channels::Grey;
        let kept = &mut self.screens[usize::from(rgba)];
        let screen = Surface::reserve(&self.renderer.launcher.device, kept, size, rgba)?;
        let span = self.clock.begin(&self.renderer.launcher.device)?;
        self.renderer.draw(image, request, screen.canvas())?;
        let device = &self.renderer.launcher.device;
        self.clock.end(device, (), span)?;
        let bytes = size.area() * if rgba { 4 } else { 1 };
        let staging = Staging::of_at_least(device, &mut self.staging, bytes)?.bytes()?;
        Array::read(device, size, [(screen.array(), &mut *staging)])?;
        self.last_time = self.clock.take()?.pop().map(|((), time)| time);
        let Samples::U8 { values, .. } = out.samples_mut() else { return Ok(()) };
        let pixels = staging[..bytes].as_chunks::<4>().0;
        match channels {
            Channels::Grey | Channels::Rgba => values.copy_from_slice(&staging[..bytes]),
            Channels::Rgb => {
                let kept = values.as_chunks_mut::<3>().0;
                kept.iter_mut().zip(pixels).for_each(|(to, from)| to.copy_from_slice(&from[..3]));
            }
            Channels::GreyAlpha => {
                let kept = values.as_chunks_mut::<2>().0;
                kept.iter_mut().zip(pixels).for_each(|(to, from)| *to = [from[0], from[3]]);
            }
        }
        Ok(())
    }

    /// Any other depth, and what is larger than a surface can be: values from the device, rounded here as the CPU backend does it.
    fn render_values(&mut self, image: &Image, request: &RenderRequest, out: &mut Raster) -> Result<(), BackendError> {
        let page = page_of(image, request)?;
        let natural = request.channels(page.channels());
        let mut values = vec![0.0_f32; out.size().area() * natural.count()];
        self.renderer.mapped(image, request, &mut values)?;
        cpu::finish_values(&values, natural, &Display::default(), out);
        Ok(())
    }
}
