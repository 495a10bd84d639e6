//! Backends: what turns an image and a [`RenderRequest`] into pixels.

mod bench;
pub mod cpu;
#[cfg(feature = "cuda")]
pub mod cuda;
#[cfg(not(feature = "cuda"))]
#[path = "no_cuda.rs"]
mod cuda;
mod demand;
mod display;
mod fallback;
mod form;
mod out_of_range;
mod prepared;
mod race;
pub mod reference;
mod request;
mod unusable;

pub use bench::{BenchError, BenchOptions, BenchRow, LeftOut, Measurements};
#[cfg(feature = "window")]
pub(crate) use bench::{median, noise_of};
pub use cpu::CpuBackend;
#[cfg(feature = "cuda")]
pub use cuda::CudaBackend;
pub use demand::output_demand;
pub use display::{COLOUR_MAPS, COLOUR_STEPS, ColourMap, ColourMapRow, Display, Tone};
pub use fallback::FallbackBackend;
pub use form::{FORMS, Form, FormRow};
pub use out_of_range::OutOfRange;
pub use prepared::{Prepared, PreparedCache};
pub use race::{BLOCK_SHAPES, Kernel, KernelError, Lap, RaceOptions, Shape, Track};
pub use reference::ReferenceBackend;
pub use request::{PixelFormat, RenderRequest, RequestError};
pub use unusable::Unusable;

use std::time::Duration;

use crate::filter::Work;
use crate::image::{Channels, Depth, Image, Page, Raster, Size};
use crate::memory::{Memory, MemoryError};
use crate::panics::caught;
use crate::text::shortened;

/// Something that renders. A backend keeps what it made from an image (coefficients, textures) and reuses it.
pub trait Backend: Send {
    /// Its row's name: `cpu`, `cuda`.
    fn name(&self) -> &'static str;

    /// One line on what it runs on, for people.
    fn description(&self) -> String;

    /// Renders `request` of `image` into `out`, which keeps its memory where size and format fit and is replaced where not.
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

    /// Keeps time of what it does from now on, or no longer, where that is an effort; at first it keeps none. One that knows
    /// its times anyway need not be told.
    fn keep_time(&mut self, on: bool) {
        let _ = on;
    }

    /// Says how the renders from now on are done: when they are given up ([`BackendError::Stopped`]), and where their
    /// progress is noted. A backend whose renders take no time worth noting ignores it.
    fn work_by(&mut self, work: Work) {
        let _ = work;
    }

    /// Hears that pictures of `image` will be asked for soon, one after the other, and begins what the first of them would
    /// wait long for. It returns at once.
    fn foresee(&mut self, image: &Image) {
        let _ = image;
    }

    /// How long the last [`Backend::render`] worked on its pixels, without their way to the host, where that is known.
    fn worked(&self) -> Option<Duration> {
        None
    }

    /// Writes straight into textures of the OpenGL context that is current on this thread, where the backend can.
    fn gl(&mut self) -> Option<&mut dyn GlWriter> {
        None
    }

    /// Where this backend's kernels are timed one by one, in different shapes.
    ///
    /// # Errors
    /// Where it has no such place, or the device cannot hold what `options` ask for.
    fn track<'a>(&'a mut self, options: &RaceOptions) -> Result<Box<dyn Track + 'a>, BackendError> {
        let _ = options;
        Err(BackendError::Lacks { name: self.name(), what: "race over block shapes" })
    }

    /// How long this backend's methods take, by each of its paths.
    ///
    /// # Errors
    /// Where it measures nothing, or the device fails or cannot hold what `options` ask for.
    fn measure(&mut self, options: &BenchOptions) -> Result<Measurements, BackendError> {
        let _ = options;
        Err(BackendError::Lacks { name: self.name(), what: "bench" })
    }
}

/// A texture of OpenGL's that a backend is to write: two-dimensional, one level, not compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GlTexture {
    /// Its name in the context that is current.
    pub name: u32,
    /// Its size in pixels.
    pub size: Size,
    /// `Grey` for a texture of format `R8`, `Rgba` for `RGBA8`; there are no others.
    pub channels: Channels,
}

/// A texture that was registered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GlTarget(pub(crate) u64);

/// One panel of a frame: what is drawn into which texture. The request's size is the texture's.
#[derive(Clone, Copy, Debug)]
pub struct GlPanel<'a> {
    /// Where.
    pub target: GlTarget,
    /// Of what.
    pub image: &'a Image,
    /// How.
    pub request: &'a RenderRequest,
}

/// A backend that writes into OpenGL's own textures.
///
/// A texture is known by its name alone, so whoever registers one answers for its life:
/// ```compile_fail,E0133
/// # use lerpscope::backend::{GlTexture, GlWriter};
/// fn share(writer: &mut dyn GlWriter, texture: GlTexture) {
///     let _ = writer.register(texture);
/// }
/// ```
pub trait GlWriter {
    /// Makes `texture` known, once in its life.
    ///
    /// # Errors
    /// Where the context belongs to another device, or the driver refuses; the caller then uploads what
    /// [`Backend::render`] gives.
    ///
    /// # Safety
    /// `texture` names a two-dimensional texture of one level, of this size and format, in the OpenGL context that is current
    /// on this thread. Until it is unregistered, or the backend is dropped or says that its device is lost, OpenGL neither
    /// deletes it nor gives it another size or format, and every call of this writer is made with that context current on the
    /// calling thread.
    #[expect(unsafe_code, reason = "the texture is a name, whose life is the caller's")]
    unsafe fn register(&mut self, texture: GlTexture) -> Result<GlTarget, BackendError>;

    /// Forgets a texture.
    fn unregister(&mut self, target: GlTarget);

    /// Draws all panels of a frame: maps their textures at once, starts the work, and unmaps them. It does not wait: OpenGL
    /// does when it draws with them.
    ///
    /// The answers are the panels', in their order: one that cannot be drawn leaves the others as they are. Its error is as
    /// [`Backend::render`]'s, and its texture then holds what it held or part of the picture.
    fn draw(&mut self, panels: &[GlPanel<'_>]) -> Vec<Result<(), BackendError>>;

    /// Whether the device has done all that it was asked to draw. It does not wait.
    ///
    /// # Errors
    /// Where the device failed since: what the textures hold is then anything.
    fn is_done(&mut self) -> Result<bool, BackendError>;

    /// How long the device worked on panels that were drawn, for those that it has done since the last call, and that it
    /// kept time of ([`Backend::keep_time`]). It does not wait: a frame's times are mostly there a frame later.
    ///
    /// # Errors
    /// As [`GlWriter::is_done`].
    fn times(&mut self) -> Result<Vec<(GlTarget, Duration)>, BackendError>;

    /// Whether there are times still to come.
    fn is_timing(&self) -> bool;
}

/// Why a backend gave no pixels.
#[derive(Clone, thiserror::Error)]
pub enum BackendError {
    /// The request cannot be served.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// The backend is not to be had on this machine.
    #[error("backend '{name}' is missing: {reason}")]
    Missing {
        /// Which backend.
        name: &'static str,
        /// Why.
        reason: String,
    },
    /// The backend's device is there, but cannot be used.
    #[error("backend '{name}' cannot be used: {cause}")]
    Unusable {
        /// Which backend.
        name: &'static str,
        /// Why.
        cause: Unusable,
    },
    /// The device cannot hold what the request needs; another backend may.
    #[error("{what} is more than the device can hold")]
    Limit {
        /// What is too large.
        what: String,
    },
    /// The backend cannot do a thing that another can.
    #[error("{name} has no {what}")]
    Lacks {
        /// Which backend.
        name: &'static str,
        /// What it lacks.
        what: &'static str,
    },
    /// The host has not enough memory left for the request; nothing was allocated.
    #[error(transparent)]
    HostMemory(#[from] MemoryError),
    /// The device has no memory left; later it may.
    #[error("the device is out of memory: {what}")]
    Memory {
        /// What was tried.
        what: String,
    },
    /// The caller cancelled the work ([`Backend::work_by`]).
    #[error("the work was given up")]
    Stopped,
    /// The device failed.
    #[error("the device failed: {what}")]
    Device {
        /// What was tried, and what the driver says.
        what: String,
        /// Whether the device is of no more use to this process: an illegal address or a failed launch leaves nothing that
        /// works.
        lost: bool,
    },
}

impl BackendError {
    /// Whether the device is of no more use to this process.
    pub fn is_lost(&self) -> bool {
        matches!(self, Self::Device { lost: true, .. })
    }

    /// The error in a few words, as a status line has room for.
    pub fn short(&self) -> &'static str {
        match self {
            Self::Request(_) => "request refused",
            Self::Missing { .. } => "missing",
            Self::Unusable { cause, .. } => cause.short(),
            Self::Limit { .. } => "more than the GPU holds",
            Self::Lacks { .. } => "not supported",
            Self::Memory { .. } => "GPU memory taken",
            Self::HostMemory(_) => "not enough memory",
            Self::Stopped => "cancelled",
            Self::Device { lost: true, .. } => "GPU lost",
            Self::Device { lost: false, .. } => "GPU fails",
        }
    }
}

/// All that is known of a backend before it is opened.
#[derive(Debug)]
pub struct BackendRow {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// Whether it renders fast enough for a window; [`AUTO`] chooses among these.
    pub is_interactive: bool,
    /// Opens it, or says why it is missing.
    pub open: fn() -> Result<Box<dyn Backend>, BackendError>,
}

impl BackendRow {
    /// Opens the backend. A library by the driver's name that lacks its functions is an error, too.
    ///
    /// # Errors
    /// Where the backend is missing on this machine, or its device cannot be used.
    pub fn try_open(&self) -> Result<Box<dyn Backend>, BackendError> {
        // The driver's functions are looked up when they are first called, and that panics where one is not found.
        caught(self.open).unwrap_or_else(|panicked| {
            Err(BackendError::Unusable { name: self.name, cause: Unusable::DriverFails { what: panicked.to_string() } })
        })
    }

    /// Whether `name` asks for this backend, by its name or by [`AUTO`].
    fn is_named(&self, name: &str) -> bool {
        if name == AUTO { self.is_interactive } else { self.name == name }
    }
}

/// The backends, the preferred one first; `auto` is the first interactive one that opens.
pub static BACKENDS: [BackendRow; 3] = [
    BackendRow { name: "cuda", title: "CUDA", is_interactive: true, open: cuda::open },
    BackendRow { name: "cpu", title: "CPU", is_interactive: true, open: || Ok(Box::new(CpuBackend::new())) },
    BackendRow {
        name: "reference",
        title: "double precision, straight from the definitions; slow",
        is_interactive: false,
        open: || Ok(Box::new(ReferenceBackend::default())),
    },
];

/// The name that asks for the first interactive backend that opens.
pub const AUTO: &str = "auto";

/// A backend that was opened by its name or by [`AUTO`].
pub struct Selected {
    /// The backend.
    pub backend: Box<dyn Backend>,
    /// Why a preferred one is not in its place although its device is there. A device that is missing is no reason.
    pub unusable: Option<BackendError>,
}

impl std::fmt::Debug for Selected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { backend, unusable } = self;
        f.debug_struct("Selected").field("backend", &backend.name()).field("unusable", unusable).finish()
    }
}

/// Opens the backend of this name, or the first interactive one that opens for [`AUTO`].
///
/// # Errors
/// Where the backend is missing on this machine, or its device cannot be used.
pub fn open(name: &str) -> Result<Box<dyn Backend>, BackendError> {
    select(name).map(|selected| selected.backend)
}

/// Opens the backend of this name, or the first interactive one that opens for [`AUTO`], and says why a preferred one was
/// passed over.
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
    let reason = || format!("there is no backend '{}'", shortened(name));
    Err(last.unwrap_or_else(|| BackendError::Missing { name: AUTO, reason: reason() }))
}

/// Renders into a raster of its own: the simple way where no frame follows another.
///
/// # Errors
/// As [`Backend::render`], and where the raster does not fit the machine's memory.
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

/// The page that `request` asks for.
fn page_of<'a>(image: &'a Image, request: &RenderRequest) -> Result<&'a std::sync::Arc<Page>, RequestError> {
    image.page(request.page).ok_or(RequestError::Page { page: request.page, count: image.pages().len() })
}

/// The page that the request `other` asks for, which is to be subtracted from one of `page`.
fn page_to_subtract<'a>(
    image: &'a Image,
    page: &Page,
    other: &RenderRequest,
) -> Result<&'a std::sync::Arc<Page>, RequestError> {
    let other_page = page_of(image, other)?;
    if other_page.channels() != page.channels() {
        return Err(RequestError::Channels);
    }
    other.check(other_page)?;
    Ok(other_page)
}

/// Makes `out` fit, if it does not.
fn fit_raster(out: &mut Raster, request: &RenderRequest, channels: Channels, depth: Depth) {
    if out.size() != request.size || out.channels() != channels || out.depth() != depth {
        *out = Raster::zeros(request.size, channels, depth);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CPU: BackendRow =
        BackendRow { name: "cpu", title: "CPU", is_interactive: true, open: || Ok(Box::new(CpuBackend::new())) };

    fn memory_taken() -> BackendError {
        let cause = Unusable::MemoryTaken { what: "the device does not open: out of memory".to_owned() };
        BackendError::Unusable { name: "gpu", cause }
    }

    #[test]
    fn a_device_that_cannot_be_used_is_passed_over_with_its_reason() {
        let rows = [BackendRow { name: "gpu", title: "GPU", is_interactive: true, open: || Err(memory_taken()) }, CPU];
        let Selected { backend, unusable } = select_from(&rows, AUTO).expect("a backend");
        assert_eq!(backend.name(), "cpu");
        let reason = unusable.expect("a reason");
        assert_eq!(reason.short(), "GPU memory taken");
        assert_eq!(
            reason.to_string(),
            "backend 'gpu' cannot be used: the GPU's memory is taken: the device does not open: out of memory"
        );
        assert!(matches!(select_from(&rows, "gpu"), Err(BackendError::Unusable { .. })), "by name it is an error");
        assert!(select_from(&rows, "cpu").expect("a backend").unusable.is_none(), "nobody preferred the other");
    }

    #[test]
    fn a_device_that_is_missing_is_passed_over_silently() {
        let open = || Err(BackendError::Missing { name: "gpu", reason: "there is no driver".to_owned() });
        let rows = [BackendRow { name: "gpu", title: "GPU", is_interactive: true, open }, CPU];
        assert!(select_from(&rows, AUTO).expect("a backend").unusable.is_none());
    }

    #[test]
    fn a_library_without_the_drivers_functions_is_an_unusable_device() {
        let rows = [
            BackendRow { name: "gpu", title: "GPU", is_interactive: true, open: || panic!("Missing symbol cuInit") },
            CPU,
        ];
        let reason = select_from(&rows, AUTO).expect("a backend").unusable.expect("a reason");
        assert_eq!(reason.short(), "driver fails");
        assert!(reason.to_string().contains("Missing symbol cuInit"), "{reason}");
    }
}
