//! Backends render an image as a [`RenderRequest`] says.

mod bench;
mod bench_cases;
mod block_bounds;
mod block_sweep;
pub mod cpu;
#[cfg(feature = "cuda")]
pub mod cuda;
#[cfg(not(feature = "cuda"))]
#[path = "no_cuda.rs"]
mod cuda;
mod demand;
mod device_kernel;
mod display;
mod error;
mod estimate;
#[cfg(test)]
pub(crate) mod fake;
mod fallback;
mod feature;
mod gl;
pub(crate) mod in_driver;
mod kind;
mod out_of_range;
mod prepared;
pub mod reference;
mod request;
mod truth;
mod unusable;
mod variant;
mod waker;

#[cfg(feature = "cli")]
pub(crate) use bench::median;
#[cfg(feature = "window")]
pub(crate) use bench::noise_of;
pub use bench::{BenchError, BenchOptions, BenchRow, LeftOut, Measurements};
pub use block_bounds::{BlockFacts, Bounds, Division, ResidencyLimit};
pub use block_sweep::{BLOCK_SHAPES, BlockSweepOptions, Kernel, KernelError, KernelTimer, Shape, Timing};
pub use cpu::{CpuBackend, Instructions, PannedPicture};
#[cfg(feature = "cuda")]
pub use cuda::{CudaBackend, GridTimes, GridVariant};
pub use cuda::{CudaGrids, ResidentGrid};
pub use demand::{output_demand, prepared_demand};
pub use device_kernel::{DeviceKernel, DeviceKernelKind, DeviceWeights, device_kernel};
pub use display::{COLOUR_MAPS, COLOUR_STEPS, ColourMap, ColourMapRow, Display, Tone, mapped_value};
pub use error::BackendError;
pub use estimate::Estimate;
pub use fallback::{FallbackBackend, Startup};
pub use feature::Feature;
pub use gl::{GlPanel, GlTarget, GlTexture, GlWriter};
pub use in_driver::must_exit_at_once;
pub use kind::{BACKENDS, BackendKind};
pub use out_of_range::OutOfRange;
pub use prepared::{Numbers, Prepared, PreparedCache};
pub use reference::ReferenceBackend;
pub use request::{CONTENTS, Content, ContentRow, NoTruth, PixelFormat, RenderRequest, RequestError};
pub(crate) use truth::TruthView;
pub use unusable::Unusable;
pub use variant::{KERNEL_VARIANTS, KernelVariant, KernelVariantRow};
pub use waker::Waker;

use std::sync::Arc;
use std::time::Duration;

use crate::filter::ExecOptions;
use crate::image::{Channels, Depth, Image, Page, Raster};
use crate::memory::Memory;
use crate::panics::caught;
use crate::{complex, volume};

/// Renders images as their requests say. Keeps what it derives from an image (coefficients, textures) for the next
/// render.
///
/// No method has a default body: a backend that wraps another one ([`FallbackBackend`]) does not compile until it
/// forwards a new method. Optional powers are traits of their own, which a backend offers or does not.
pub trait Backend: Send {
    /// Which backend renders.
    fn kind(&self) -> BackendKind;

    /// The hardware it runs on, in one line for people.
    fn description(&self) -> String;

    /// Renders `request` of `image` into `out`. The memory of `out` is reused where size and format fit.
    ///
    /// # Errors
    /// Where the request cannot be served ([`RenderRequest::check`]), or the device fails.
    fn render(
        &mut self,
        image: &Image,
        request: &RenderRequest,
        format: PixelFormat,
        out: &mut Raster,
    ) -> Result<(), BackendError>;

    /// Renders `request` of `image` into `picture`, to the bytes of [`Backend::render`]. By default the picture is
    /// replaced ([`PannedPicture::replace`]); a backend may move what it shows already and render the rest.
    ///
    /// # Errors
    /// As [`Backend::render`].
    fn render_panned(
        &mut self,
        image: &Image,
        request: &RenderRequest,
        format: PixelFormat,
        picture: &mut PannedPicture,
    ) -> Result<(), BackendError> {
        picture.replace(|out| self.render(image, request, format, out))
    }

    /// Whether rendering `request` of `image` may take longer than a frame of a window.
    fn is_slow(&mut self, image: &Image, request: &RenderRequest) -> bool;

    /// Sets how later renders are executed: when they are cancelled ([`BackendError::Cancelled`]) and where they report
    /// progress. Backends whose renders are short ignore it.
    fn set_exec_options(&mut self, work: ExecOptions);

    /// Whether a render of `request` would begin at once. Where it would wait for a kernel to be loaded, the load begins in
    /// the background and the waker is called after it ([`Backend::set_waker`]). Does not wait.
    fn is_ready(&mut self, image: &Image, request: &RenderRequest) -> bool;

    /// Sets what is called, from any thread, when something has come that [`Backend::is_ready`] reported missing.
    fn set_waker(&mut self, waker: Waker);

    /// Times of its renders, where it measures them.
    fn timer(&mut self) -> Option<&mut dyn RenderTimer>;

    /// Rendering into textures of the OpenGL context that is current on this thread, where supported.
    fn gl(&mut self) -> Option<&mut dyn GlWriter>;

    /// Measurements of its own kernels, where supported.
    fn benchmark(&mut self) -> Option<&mut dyn Benchmark>;
}

/// A backend that measures its renders.
pub trait RenderTimer {
    /// Enables or disables the timing of renders. Off by default. Backends that measure for free ignore it.
    fn set_timing(&mut self, on: bool);

    /// How long the last [`Backend::render`] computed pixels, without the transfer to the host; `None` where unknown.
    fn last_kernel_time(&mut self) -> Option<Duration>;
}

/// A backend that measures its own kernels.
pub trait Benchmark {
    /// Prepares the timing of single kernels in several block shapes.
    ///
    /// # Errors
    /// Where the device cannot hold what `options` ask for.
    fn timer<'a>(&'a mut self, options: &BlockSweepOptions) -> Result<Box<dyn KernelTimer + 'a>, BackendError>;

    /// Times every method by each of its paths.
    ///
    /// # Errors
    /// Where the device fails or cannot hold what `options` ask for.
    fn measure(&mut self, options: &BenchOptions) -> Result<Measurements, BackendError>;
}

/// The measurements that `backend` offers.
///
/// # Errors
/// [`BackendError::Unsupported`] where it offers none.
#[cfg(feature = "cli")]
pub(crate) fn benchmark_of(backend: &mut dyn Backend) -> Result<&mut dyn Benchmark, BackendError> {
    let lacks = BackendError::Unsupported { backend: backend.kind(), what: Feature::Benchmark };
    backend.benchmark().ok_or(lacks)
}

/// What is known of a backend before it is opened.
#[derive(Debug)]
pub struct BackendRow {
    /// Which backend.
    pub kind: BackendKind,
    /// Its name on the command line.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// Whether it renders fast enough for a window. [`AUTO`] selects among these.
    pub is_interactive: bool,
    /// Opens it.
    pub open: fn() -> Result<Box<dyn Backend>, BackendError>,
}

impl BackendRow {
    /// Opens the backend. A driver library without the driver's functions is an error as well.
    ///
    /// # Errors
    /// Where the backend is missing on this machine, or its device cannot be used.
    pub fn try_open(&self) -> Result<Box<dyn Backend>, BackendError> {
        // The driver's functions are looked up when they are first called; a missing one panics.
        caught(self.open).unwrap_or_else(|panicked| {
            Err(BackendError::Unusable {
                backend: self.kind,
                cause: Unusable::DriverFails { what: panicked.to_string() },
            })
        })
    }

    /// Whether `name`, which may be [`AUTO`], selects this backend.
    fn is_named(&self, name: &str) -> bool {
        if name == AUTO { self.is_interactive } else { self.name == name }
    }
}

/// The name of the first interactive backend that opens.
pub const AUTO: &str = "auto";

/// A backend opened by its name or by [`AUTO`].
pub struct Selected {
    /// The backend.
    pub backend: Box<dyn Backend>,
    /// Why a preferred backend was skipped although its device is present. `None` where the device is missing.
    pub unusable: Option<BackendError>,
}

impl std::fmt::Debug for Selected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { backend, unusable } = self;
        f.debug_struct("Selected").field("backend", &backend.kind()).field("unusable", unusable).finish()
    }
}

/// Opens the backend of this name, or the first interactive one that opens for [`AUTO`].
///
/// # Errors
/// Where the backend is missing on this machine, or its device cannot be used.
pub fn open(name: &str) -> Result<Box<dyn Backend>, BackendError> {
    select(name).map(|selected| selected.backend)
}

/// Opens the backend of this name, or the first interactive one that opens for [`AUTO`]; returns why a preferred one
/// was skipped.
///
/// # Errors
/// As [`open`].
pub fn select(name: &str) -> Result<Selected, BackendError> {
    select_from(&BACKENDS, name)
}

fn select_from(rows: &[BackendRow], name: &str) -> Result<Selected, BackendError> {
    let (mut last, mut unusable) = (None, None);
    for row in rows.iter().filter(|row| row.is_named(name)) {
        match row.try_open() {
            Ok(backend) => return Ok(Selected { backend, unusable }),
            Err(error) => {
                log::info!("{error}");
                if matches!(error, BackendError::Unusable { .. }) {
                    unusable.get_or_insert_with(|| error.clone());
                }
                last = Some(error);
            }
        }
    }
    Err(last.unwrap_or_else(|| BackendError::Name { name: name.to_owned() }))
}

/// The backend of this name, or of [`AUTO`], for a window: a device is opened by a thread, and the CPU renders until then.
///
/// # Errors
/// If there is no backend of this name, or one without a device does not open. The failure of a device is reported by
/// [`FallbackBackend::follow`].
pub fn start(name: &str) -> Result<FallbackBackend, BackendError> {
    let row = BACKENDS.iter().find(|row| row.is_named(name));
    let row = row.ok_or_else(|| BackendError::Name { name: name.to_owned() })?;
    match row.kind {
        BackendKind::Cuda => Ok(FallbackBackend::starting(|| BackendKind::Cuda.row().try_open())),
        BackendKind::Cpu | BackendKind::Reference => Ok(FallbackBackend::new(row.try_open()?)),
    }
}

/// Renders into a new raster.
///
/// # Errors
/// As [`Backend::render`], and where the raster exceeds the machine's memory.
pub fn render(
    backend: &mut dyn Backend,
    image: &Image,
    request: &RenderRequest,
    format: PixelFormat,
) -> Result<Raster, BackendError> {
    let page = page_of(image, request)?;
    let channels = format.channels(request.channels(page.channels()));
    Memory::Machine.check(&output_demand(request.size, channels, format.depth))?;
    let mut out = Raster::zeros(request.size, channels, format.depth);
    backend.render(image, request, format, &mut out)?;
    Ok(out)
}

/// The page of the file at `index`, counted from 0.
pub(crate) fn page_at(image: &Image, index: usize) -> Result<&Arc<Page>, RequestError> {
    image.page(index).ok_or(RequestError::Page { page: index, count: image.pages().len() })
}

/// The page of `request`: of a volume, the page of its plane; of a complex image, the page of its component.
pub(crate) fn page_of(image: &Image, request: &RenderRequest) -> Result<Arc<Page>, RequestError> {
    let page = page_at(image, request.page)?;
    Ok(complex::resolved(&volume::resolved(page, &request.plane, &request.sampler), request.component))
}

/// The page of `other`, the request to subtract from one of `page`.
pub(crate) fn page_to_subtract(image: &Image, page: &Page, other: &RenderRequest) -> Result<Arc<Page>, RequestError> {
    let other_page = page_of(image, other)?;
    if other_page.channels() != page.channels() {
        return Err(RequestError::Channels);
    }
    other.check(&other_page)?;
    Ok(other_page)
}

/// Replaces `out` where its size, channels or depth differ.
fn fit_raster(out: &mut Raster, request: &RenderRequest, channels: Channels, depth: Depth) {
    if out.size() != request.size || out.channels() != channels || out.depth() != depth {
        *out = Raster::zeros(request.size, channels, depth);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row of the table of a test.
    const fn row(kind: BackendKind, name: &'static str, open: fn() -> Opened) -> BackendRow {
        BackendRow { kind, name, title: "", is_interactive: true, open }
    }

    type Opened = Result<Box<dyn Backend>, BackendError>;

    const CPU: BackendRow = row(BackendKind::Cpu, "cpu", || Ok(Box::new(CpuBackend::new())));

    fn memory_taken() -> BackendError {
        let cause = Unusable::MemoryTaken { what: "the device does not open: out of memory".to_owned() };
        BackendError::Unusable { backend: BackendKind::Cuda, cause }
    }

    #[test]
    fn auto_with_an_unusable_device_selects_the_cpu_and_returns_the_reason() {
        let rows = [row(BackendKind::Cuda, "cuda", || Err(memory_taken())), CPU];
        let Selected { backend, unusable } = select_from(&rows, AUTO).expect("a backend");
        assert_eq!(backend.kind(), BackendKind::Cpu);
        let reason = unusable.expect("a reason");
        assert_eq!(reason.short(), "GPU memory taken");
        assert_eq!(
            reason.to_string(),
            "backend 'cuda' cannot be used: the GPU's memory is taken: the device does not open: out of memory"
        );
        assert!(matches!(select_from(&rows, "cuda"), Err(BackendError::Unusable { .. })), "by name it is an error");
        assert!(select_from(&rows, "cpu").expect("a backend").unusable.is_none(), "nobody preferred the other");
    }

    #[test]
    fn auto_without_a_device_selects_the_cpu_and_returns_no_reason() {
        let open =
            || Err(BackendError::Unavailable { backend: BackendKind::Cuda, reason: "there is no driver".to_owned() });
        let rows = [row(BackendKind::Cuda, "cuda", open), CPU];
        assert!(select_from(&rows, AUTO).expect("a backend").unusable.is_none());
    }

    #[test]
    fn driver_library_without_functions_is_an_unusable_device() {
        let rows = [row(BackendKind::Cuda, "cuda", || panic!("Missing symbol cuInit")), CPU];
        let reason = select_from(&rows, AUTO).expect("a backend").unusable.expect("a reason");
        assert_eq!(reason.short(), "driver fails");
        assert!(reason.to_string().contains("Missing symbol cuInit"), "{reason}");
    }

    #[test]
    fn unknown_backend_name_is_an_error_that_lists_the_names() {
        let error = open("metal").map(|_| ()).expect_err("there is no such backend");
        assert_eq!(error.to_string(), "there is no backend 'metal'; there are auto, cuda, cpu, reference");
    }
}
