//! The CUDA backend: every method by every path on the GPU, straight into the texture that is shown.
//!
//! [`CudaBackend`] holds a `Renderer` for as long as the device works. A frame's kernels are launched into one stream and
//! write either a texture of OpenGL's (`gl_interop`), an array of ours that is copied to the host ([`Backend::render`] at
//! 8 bits), or single-precision values (any other depth, and what no surface holds). The same kernels make the same bytes in all cases. When a call
//! fails in a way that leaves the context useless, the renderer is given up and never called again; the caller goes on with
//! another backend.

mod abi;
mod driver;
mod gl_interop;
mod kernels;
mod measure;
mod plan;
mod render;

use std::sync::Arc;
use std::time::Duration;

pub use self::abi::arguments::{Layout, layouts};
pub use self::driver::device::Limits;
pub use self::kernels::modules::{Entry, PTX_FILES, PtxFile, entries};

use self::driver::destination::Canvas;
use self::driver::device::Device;
use self::driver::events::Clock;
use self::driver::fault::because;
use self::driver::staging::Staging;
use self::driver::texture::{Array, Surface};
use self::gl_interop::Interop;
use self::kernels::prewarm::Loading;
use self::measure::block_sweep::CudaTrack;
use self::plan::route_by;
use self::render::Renderer;
use super::{
    Backend, BackendError, BenchOptions, Display, Form, GlPanel, GlTarget, GlTexture, GlWriter, Measurements,
    PixelFormat, RaceOptions, RenderRequest, Track, cpu, fit_raster, page_of,
};
use crate::image::{Channels, Depth, Image, Raster, Samples, Size};

/// Opens the backend for [`BACKENDS`](crate::backend::BACKENDS).
pub(super) fn open() -> Result<Box<dyn Backend>, BackendError> {
    Ok(Box::new(CudaBackend::open()?))
}

/// Renders on the first CUDA device.
#[derive(Debug)]
pub struct CudaBackend {
    description: String,
    state: State,
}

#[derive(Debug)]
enum State {
    Works(Box<Working>),
    /// The device failed beyond repair, and why.
    Lost(String),
}

/// All that lives on the device, the renderer with the context last.
#[derive(Debug)]
struct Working {
    interop: Interop,
    /// Where 8-bit pixels are written on their way to the host: of one byte, and of four.
    screens: [Option<Surface>; 2],
    staging: Option<Staging>,
    clock: Clock<()>,
    worked: Option<Duration>,
    loading: Option<Loading>,
    renderer: Renderer,
}

impl Drop for Working {
    fn drop(&mut self) {
        // What is freed after this wants its context current, and no kernel at work on it. A context that is lost is not
        // dropped but forgotten (`CudaBackend::run`); where it fails only now there is nothing left to free.
        let _ = self.renderer.device.finish();
    }
}

impl CudaBackend {
    /// The backend on the first device.
    ///
    /// # Errors
    /// Where there is no driver, one that is too old, or no device: the error says which.
    pub fn open() -> Result<Self, BackendError> {
        let device = Device::open()?;
        let description = device.description();
        let working = Working {
            interop: Interop::default(),
            screens: [None, None],
            staging: None,
            clock: Clock::default(),
            worked: None,
            loading: None,
            renderer: Renderer::new(device),
        };
        Ok(Self { description, state: State::Works(Box::new(working)) })
    }

    /// Runs `work` on the device. Where memory runs out, what can be made again is freed and the work tried once more;
    /// where the context is lost, all that was on it is given up without another call.
    fn run<T>(&mut self, mut work: impl FnMut(&mut Working) -> Result<T, BackendError>) -> Result<T, BackendError> {
        let working = match &mut self.state {
            State::Works(working) => working,
            State::Lost(what) => return Err(BackendError::Device { what: what.clone(), lost: true }),
        };
        let mut result = working.bind().and_then(|()| work(working));
        if let Err(BackendError::Memory { what }) = &result {
            log::warn!("out of device memory: {what}; trying again with what can be made again freed");
            result = working.free().and_then(|()| work(working));
        }
        if let Err(BackendError::Device { what, lost: true }) = &result {
            log::error!("the CUDA device is lost: {what}");
            let lost = State::Lost(what.clone());
            if let State::Works(working) = std::mem::replace(&mut self.state, lost) {
                working.loading.iter().for_each(Loading::give_up);
                std::mem::forget(working);
            }
        }
        result
    }

    /// Waits until all that was asked for is done.
    ///
    /// # Errors
    /// Where some of it failed.
    pub fn wait(&mut self) -> Result<(), BackendError> {
        self.run(|working| Ok(working.renderer.device.finish()?))
    }

    /// Launches a kernel that traps and does not wait for what comes of it: for the tests that a lost device is given up.
    ///
    /// # Errors
    /// Where it does not start.
    pub fn trap(&mut self) -> Result<(), BackendError> {
        self.run(|working| Ok(working.renderer.device.trap()?))
    }

    /// Bytes of device memory that nothing has taken yet.
    ///
    /// # Errors
    /// Where the device fails.
    pub fn memory_left(&mut self) -> Result<usize, BackendError> {
        self.run(|working| {
            let device = &working.renderer.device;
            device.finish()?;
            Ok(device.context.mem_get_info().map_err(because("the device does not tell its memory"))?.0)
        })
    }

    /// Makes the buffer of mapped values this large, whatever pictures need, until memory runs out: for the test that it is
    /// had again then.
    ///
    /// # Errors
    /// Where there is not so much.
    pub fn hold_memory(&mut self, bytes: usize) -> Result<(), BackendError> {
        self.run(|working| Ok(working.renderer.hold(bytes.div_ceil(size_of::<f32>()))?))
    }

    /// The values of `request` by `form`, before the display mapping: one a pixel of grey, four of colour, premultiplied; as
    /// `bench` holds forms against each other.
    ///
    /// # Errors
    /// Where the form does not serve the request, or the device fails.
    pub fn values_by(&mut self, form: Form, image: &Image, request: &RenderRequest) -> Result<Vec<f32>, BackendError> {
        let page = page_of(image, request)?;
        request.check(page)?;
        self.run(|working| {
            let route = route_by(form, &working.renderer.device.limits, page, request)?;
            measure::values(&mut working.renderer, page, request, route)
        })
    }

    /// Fills every buffer that pixels are written to with numbers that no picture has: so that a test sees a pixel which no
    /// kernel wrote.
    ///
    /// # Errors
    /// Where the device fails.
    pub fn poison(&mut self) -> Result<(), BackendError> {
        self.run(|working| {
            working.renderer.poison()?;
            for screen in working.screens.iter().flatten() {
                working.renderer.device.store_plain(screen.canvas().pieces(), 0x5AA5_C33C)?;
            }
            Ok(())
        })
    }

    /// Has kernels that take any shape of blocks launched in this one, across and down, or in their own again: for the test that
    /// a shape changes no value.
    pub fn shape_blocks(&mut self, block: Option<[u32; 2]>) {
        if let State::Works(working) = &mut self.state {
            working.renderer.device.block = block;
        }
    }

    /// What the device can hold.
    pub fn limits(&self) -> Option<Limits> {
        match &self.state {
            State::Works(working) => Some(working.renderer.device.limits),
            State::Lost(_) => None,
        }
    }
}

impl Backend for CudaBackend {
    fn name(&self) -> &'static str {
        "cuda"
    }

    fn description(&self) -> String {
        match &self.state {
            State::Works(_) => self.description.clone(),
            State::Lost(what) => format!("{}, lost: {what}", self.description),
        }
    }

    fn foresee(&mut self, image: &Image) {
        if let (State::Works(working), Some(page)) = (&mut self.state, image.pages().first()) {
            let modules = &working.renderer.device.kernels.modules;
            working.loading.get_or_insert_with(|| Loading::start(Arc::clone(modules), page));
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
        request.check(page)?;
        let channels = format.channels(request.channels(page.channels()));
        self.run(|working| {
            fit_raster(out, request, channels, format.depth);
            working.worked = None;
            if format.depth == Depth::EIGHT && working.renderer.device.limits.has_surface(request.size) {
                working.render_bytes(image, request, out)
            } else {
                working.render_values(image, request, out)
            }
        })
    }

    fn keep_time(&mut self, on: bool) {
        if let State::Works(working) = &mut self.state {
            working.clock.run(on);
            working.interop.clock.run(on);
        }
    }

    fn worked(&self) -> Option<Duration> {
        match &self.state {
            State::Works(working) => working.worked,
            State::Lost(_) => None,
        }
    }

    fn track<'a>(&'a mut self, options: &RaceOptions) -> Result<Box<dyn Track + 'a>, BackendError> {
        Ok(Box::new(CudaTrack::new(self, options)?))
    }

    fn measure(&mut self, options: &BenchOptions) -> Result<Measurements, BackendError> {
        self.run(|working| measure::run(&mut working.renderer, options))
    }

    fn gl(&mut self) -> Option<&mut dyn GlWriter> {
        match self.state {
            State::Works(_) => Some(self),
            State::Lost(_) => None,
        }
    }
}

impl GlWriter for CudaBackend {
    #[expect(unsafe_code, reason = "the texture is a name, whose life is the caller's")]
    unsafe fn register(&mut self, texture: GlTexture) -> Result<GlTarget, BackendError> {
        self.run(|working| {
            // SAFETY: the caller's promise, as the trait has it.
            unsafe { working.interop.register(&working.renderer.device, texture) }
        })
    }

    fn unregister(&mut self, target: GlTarget) {
        let unregistered = self.run(|working| Ok(working.interop.unregister(&working.renderer.device, target)?));
        if let Err(error) = unregistered {
            log::warn!("a texture stays registered: {error}");
        }
    }

    fn draw(&mut self, panels: &[GlPanel<'_>]) -> Vec<Result<(), BackendError>> {
        let mut is_first_try = true;
        let drawn = self.run(|working| {
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
        self.run(|working| Ok(working.renderer.device.is_idle()?))
    }

    fn times(&mut self) -> Result<Vec<(GlTarget, Duration)>, BackendError> {
        self.run(|working| Ok(working.interop.clock.take()?))
    }

    fn is_timing(&self) -> bool {
        matches!(&self.state, State::Works(working) if working.interop.clock.is_running())
    }
}

impl Working {
    fn bind(&self) -> Result<(), BackendError> {
        Ok(self.renderer.device.context.bind_to_thread().map_err(because("the context is lost"))?)
    }

    /// Frees what can be made again, and waits until the device has it: what is freed in the stream's order is not there for
    /// arrays before the stream has come to it.
    fn free(&mut self) -> Result<(), BackendError> {
        self.screens = [None, None];
        self.staging = None;
        self.renderer.free();
        Ok(self.renderer.device.finish()?)
    }

    /// 8-bit pixels: the kernels that the window launches, into an array instead of a texture.
    fn render_bytes(&mut self, image: &Image, request: &RenderRequest, out: &mut Raster) -> Result<(), BackendError> {
        let (size, channels) = (out.size(), out.channels());
        let rgba = channels != Channels::Grey;
        let canvas = screen(&self.renderer.device, &mut self.screens[usize::from(rgba)], size, rgba)?;
        let span = self.clock.begin(&self.renderer.device)?;
        self.renderer.draw(image, request, canvas)?;
        let device = &self.renderer.device;
        self.clock.end(device, (), span)?;
        let bytes = size.area() * if rgba { 4 } else { 1 };
        let staging = Staging::of_at_least(device, &mut self.staging, bytes)?.bytes()?;
        if let Some(screen) = &self.screens[usize::from(rgba)] {
            Array::read(device, size, [(screen.array(), &mut *staging)])?;
        }
        self.worked = self.clock.take()?.pop().map(|((), time)| time);
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

/// `kept`, or a new surface in its place where it is none or too small.
fn screen<'a>(
    device: &Device,
    kept: &'a mut Option<Surface>,
    size: Size,
    rgba: bool,
) -> Result<Canvas<'a>, BackendError> {
    let fits = |screen: &Surface| {
        let has = screen.array().size();
        has.width() >= size.width() && has.height() >= size.height()
    };
    let screen = match kept.take().filter(fits) {
        Some(screen) => screen,
        None => Surface::new(device, size, rgba)?,
    };
    Ok(kept.insert(screen).canvas())
}
