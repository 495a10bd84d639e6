//! A backend that renders on the CPU what its device cannot render: before the device has started, while it loads kernels,
//! where it fails, and after it is lost.

use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::in_driver::{InDriver, is_driver_busy, note_abandoned};
use super::{
    Backend, BackendError, BackendKind, Benchmark, CpuBackend, Feature, GlWriter, PannedPicture, PixelFormat,
    RenderRequest, RenderTimer, Waker,
};
use crate::filter::ExecOptions;
use crate::image::{Image, Raster};

/// A device with the CPU behind it. A request that the device cannot hold is tried on it again the next time; a lost device
/// is dropped. Each kind of failure is logged and reported once ([`FallbackBackend::take_notices`]).
pub struct FallbackBackend {
    device: Device,
    cpu: CpuBackend,
    work: ExecOptions,
    /// Whether a render waits for kernels of the device rather than being made by the CPU.
    waits: bool,
    /// Whether the CPU rendered the last picture in place of the device.
    used_fallback: bool,
    reported: Vec<Failure>,
    notices: Vec<String>,
    waker: Waker,
    /// Why the CPU rendered the last picture in place of the device, where that was a failure.
    last_failure: Option<BackendError>,
}

/// The state of the device.
enum Device {
    /// A thread opens it.
    Starting(Starting),
    /// It renders.
    Ready(Box<dyn Backend>),
    /// It is missing, cannot be used, or is lost, and why.
    Failed(BackendError),
}

/// A device that a thread opens.
struct Starting {
    opened: Receiver<Result<Box<dyn Backend>, BackendError>>,
    waker: Arc<Mutex<Waker>>,
}

/// What a device does at the moment, where the CPU renders in its place for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Startup {
    /// The driver is loaded and the device opened.
    Device,
    /// The kernels of a request are loaded or compiled.
    Kernels,
}

impl Startup {
    /// The state in a few words, for a status line: `CUDA is starting`.
    pub fn short(self) -> &'static str {
        match self {
            Self::Device => "CUDA is starting",
            Self::Kernels => "CUDA loads its kernels",
        }
    }
}

/// Kinds of failures, each of which is reported once: the sizes in an error's text differ from frame to frame.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Failure {
    Limit,
    Unsupported(Feature),
    Memory,
    Device { lost: bool },
}

impl Failure {
    /// The kind of an error of the device; `None` for an error that is the request's own or that no device causes.
    fn of(error: &BackendError) -> Option<Self> {
        match error {
            BackendError::Limit { .. } => Some(Self::Limit),
            BackendError::Unsupported { what, .. } => Some(Self::Unsupported(*what)),
            BackendError::Memory { .. } => Some(Self::Memory),
            BackendError::Device { lost, .. } => Some(Self::Device { lost: *lost }),
            BackendError::Request(_)
            | BackendError::Grid(_)
            | BackendError::Name { .. }
            | BackendError::Unavailable { .. }
            | BackendError::HostMemory(_)
            | BackendError::Unusable { .. }
            | BackendError::Cancelled => None,
        }
    }
}

impl std::fmt::Debug for FallbackBackend {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FallbackBackend").field("kind", &self.kind()).finish_non_exhaustive()
    }
}

impl FallbackBackend {
    /// A device that is open. Renders wait for its kernels.
    pub fn new(device: Box<dyn Backend>) -> Self {
        Self::of(Device::Ready(device), true)
    }

    /// A device that a thread opens by `open`. The CPU renders until it is open and, after that, whatever needs kernels that
    /// are not loaded yet. No call waits for the thread.
    pub fn starting(open: impl FnOnce() -> Result<Box<dyn Backend>, BackendError> + Send + 'static) -> Self {
        let (send, opened) = channel();
        let waker = Arc::new(Mutex::new(Waker::default()));
        let wake = Arc::clone(&waker);
        let start = move || {
            let device = {
                let _in_driver = InDriver::new();
                open()
            };
            // The receiver is gone if the window has closed.
            if send.send(device).is_ok() {
                wake.lock().unwrap_or_else(PoisonError::into_inner).wake();
            }
        };
        let device = match std::thread::Builder::new().name("device".to_owned()).spawn(start) {
            Ok(_) => Device::Starting(Starting { opened, waker }),
            Err(error) => Device::Failed(BackendError::Device { what: error.to_string(), lost: true }),
        };
        Self::of(device, false)
    }

    fn of(device: Device, waits: bool) -> Self {
        Self {
            device,
            cpu: CpuBackend::new(),
            work: ExecOptions::default(),
            waits,
            used_fallback: false,
            reported: Vec::new(),
            notices: Vec::new(),
            waker: Waker::default(),
            last_failure: None,
        }
    }

    /// Takes over a device that has been opened since the last call; to be called once a frame. Its failure is logged, and
    /// returned where the device is missing or cannot be used.
    pub fn follow(&mut self) -> Option<BackendError> {
        let Device::Starting(starting) = &self.device else { return None };
        let opened = match starting.opened.try_recv() {
            Ok(opened) => opened,
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => {
                Err(BackendError::Device { what: "the thread that starts it panicked".to_owned(), lost: true })
            }
        };
        self.adopt(opened)
    }

    /// Takes over the result of the thread that opened the device; its failure.
    fn adopt(&mut self, opened: Result<Box<dyn Backend>, BackendError>) -> Option<BackendError> {
        match opened {
            Ok(mut device) => {
                device.set_exec_options(self.work.clone());
                device.set_waker(self.waker.clone());
                self.device = Device::Ready(device);
                None
            }
            Err(error) => {
                match error {
                    BackendError::Unavailable { .. } => log::info!("{error}"),
                    _ => log::warn!("{error}"),
                }
                self.device = Device::Failed(error.clone());
                Some(error)
            }
        }
    }

    /// What the device does before it can render `request`; `None` where it can, where the CPU renders such requests on any
    /// machine, and where there is no device.
    pub fn startup(&mut self, image: &Image, request: &RenderRequest) -> Option<Startup> {
        if request.has_truth() {
            return None;
        }
        match &mut self.device {
            Device::Starting(_) => Some(Startup::Device),
            Device::Ready(device) => (!self.waits && !device.is_ready(image, request)).then_some(Startup::Kernels),
            Device::Failed(_) => None,
        }
    }

    /// What the device does, where the CPU renders pictures in its place for a while (`has_stand_ins`).
    pub fn startup_state(&self, has_stand_ins: bool) -> Option<Startup> {
        match &self.device {
            Device::Starting(_) => Some(Startup::Device),
            Device::Ready(_) => has_stand_ins.then_some(Startup::Kernels),
            Device::Failed(_) => None,
        }
    }

    /// Notes why there is no device.
    pub fn note_unusable(&mut self, error: BackendError) {
        self.device = Device::Failed(error);
    }

    /// Why the device does not render: it cannot be used, was lost, or, where the CPU made one of the pictures shown
    /// (`has_fallback`), failed at the last one. `None` where it renders, and where there is no device.
    pub fn reason(&self, has_fallback: bool) -> Option<&BackendError> {
        match &self.device {
            Device::Failed(BackendError::Unavailable { .. }) => None,
            Device::Failed(error) => Some(error),
            Device::Starting(_) | Device::Ready(_) => self.last_failure.as_ref().filter(|_| has_fallback),
        }
    }

    /// Classifies a failure of the device. Returns the error if the request itself is at fault; otherwise records a notice,
    /// drops the device if it is lost, and returns `None`: the caller should render on the CPU.
    pub fn handle_failure(&mut self, error: BackendError) -> Option<BackendError> {
        let Some(failure) = Failure::of(&error) else { return Some(error) };
        if failure == (Failure::Device { lost: true }) {
            self.device = Device::Failed(error.clone());
        }
        if !self.reported.contains(&failure) {
            let notice = format!("{error}; the CPU goes on");
            log::warn!("{notice}");
            self.reported.push(failure);
            self.notices.push(notice);
        }
        self.last_failure = Some(error);
        None
    }

    /// Calls `ask` with the device's writer of OpenGL textures and handles its failure; `None` where it fails, and where the
    /// device has no writer.
    pub fn ask_writer<T>(&mut self, ask: impl FnOnce(&mut dyn GlWriter) -> Result<T, BackendError>) -> Option<T> {
        match ask(self.gl()?) {
            Ok(answer) => Some(answer),
            Err(error) => {
                self.handle_failure(error);
                None
            }
        }
    }

    /// Why the CPU rendered the last picture in place of the device; `None` where the device rendered it.
    pub fn failure(&self) -> Option<&BackendError> {
        self.last_failure.as_ref().filter(|_| self.used_fallback)
    }

    /// The feature that `request` requires and that the device was found to lack: the CPU renders it without another try.
    pub fn known_lack(&self, request: &RenderRequest) -> Option<BackendError> {
        let Device::Ready(device) = &self.device else { return None };
        let lacks = self.reported.iter().find_map(|failure| match failure {
            Failure::Unsupported(what) if what.is_required_by(request) => Some(*what),
            Failure::Unsupported(_) | Failure::Limit | Failure::Memory | Failure::Device { .. } => None,
        });
        lacks.map(|what| BackendError::Unsupported { backend: device.kind(), what })
    }

    /// The backend that made the last picture that was rendered.
    pub fn rendered_by(&self) -> BackendKind {
        if self.used_fallback { self.cpu.kind() } else { self.kind() }
    }

    /// Whether there are notices to take.
    pub fn has_notices(&self) -> bool {
        !self.notices.is_empty()
    }

    /// The failures since the last call, as sentences.
    pub fn take_notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }

    /// Waits at most this long for the device to open, for the error of a device that is missing.
    ///
    /// # Errors
    /// The failure of the device.
    pub fn wait_for_device(&mut self, patience: Duration) -> Result<(), BackendError> {
        let Device::Starting(starting) = &self.device else { return Ok(()) };
        match starting.opened.recv_timeout(patience) {
            Ok(opened) => self.adopt(opened).map_or(Ok(()), Err),
            // A thread that panicked is reported by `follow`.
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => Ok(()),
        }
    }

    /// Leaks the device: its memory, its context, and a thread that opens it or loads its kernels. For a process that is
    /// about to end: nothing waits for the driver, and the system frees what the process held.
    pub fn abandon(&mut self) {
        let has_device = match &self.device {
            Device::Starting(_) => true,
            Device::Ready(device) => device.kind() == BackendKind::Cuda,
            Device::Failed(_) => false,
        };
        if has_device {
            note_abandoned();
            let closed = BackendError::Device { what: "the window is closed".to_owned(), lost: true };
            std::mem::forget(std::mem::replace(&mut self.device, Device::Failed(closed)));
        }
    }

    /// Whether a call to the device may wait for a thread that is inside the driver.
    pub fn is_busy(&self) -> bool {
        matches!(self.device, Device::Starting(_)) || is_driver_busy()
    }

    /// The device where it is open, the CPU elsewhere.
    fn renderer(&self) -> &dyn Backend {
        match &self.device {
            Device::Ready(device) => device.as_ref(),
            Device::Starting(_) | Device::Failed(_) => &self.cpu,
        }
    }

    fn renderer_mut(&mut self) -> &mut dyn Backend {
        match &mut self.device {
            Device::Ready(device) => device.as_mut(),
            Device::Starting(_) | Device::Failed(_) => &mut self.cpu,
        }
    }

    /// Calls `render` with the device, or with the CPU where the device cannot render `request`.
    fn render_by(
        &mut self,
        image: &Image,
        request: &RenderRequest,
        mut render: impl FnMut(&mut dyn Backend) -> Result<(), BackendError>,
    ) -> Result<(), BackendError> {
        if request.has_truth() {
            // No device evaluates formulas: this is no failure.
            (self.used_fallback, self.last_failure) = (true, None);
            return render(&mut self.cpu);
        }
        self.used_fallback = self.startup(image, request).is_some();
        if let Some(error) = self.known_lack(request) {
            (self.used_fallback, self.last_failure) = (true, Some(error));
        }
        if self.used_fallback {
            return render(&mut self.cpu);
        }
        match render(self.renderer_mut()) {
            Ok(()) => {
                self.last_failure = None;
                Ok(())
            }
            Err(error) => match self.handle_failure(error) {
                Some(error) => Err(error),
                None => {
                    self.used_fallback = true;
                    render(&mut self.cpu)
                }
            },
        }
    }
}

impl Backend for FallbackBackend {
    /// The device where it is open, the CPU elsewhere.
    fn kind(&self) -> BackendKind {
        self.renderer().kind()
    }

    fn description(&self) -> String {
        self.renderer().description()
    }

    fn render(
        &mut self,
        image: &Image,
        request: &RenderRequest,
        format: PixelFormat,
        out: &mut Raster,
    ) -> Result<(), BackendError> {
        self.render_by(image, request, |backend| backend.render(image, request, format, out))
    }

    fn render_panned(
        &mut self,
        image: &Image,
        request: &RenderRequest,
        format: PixelFormat,
        picture: &mut PannedPicture,
    ) -> Result<(), BackendError> {
        self.render_by(image, request, |backend| backend.render_panned(image, request, format, picture))
    }

    fn is_slow(&mut self, image: &Image, request: &RenderRequest) -> bool {
        if request.has_truth() || self.startup(image, request).is_some() || self.known_lack(request).is_some() {
            self.cpu.is_slow(image, request)
        } else {
            self.renderer_mut().is_slow(image, request)
        }
    }

    fn set_exec_options(&mut self, work: ExecOptions) {
        if let Device::Ready(device) = &mut self.device {
            device.set_exec_options(work.clone());
        }
        self.cpu.set_exec_options(work.clone());
        self.work = work;
    }

    fn is_ready(&mut self, image: &Image, request: &RenderRequest) -> bool {
        self.startup(image, request).is_none()
    }

    fn set_waker(&mut self, waker: Waker) {
        match &mut self.device {
            Device::Starting(starting) => {
                *starting.waker.lock().unwrap_or_else(PoisonError::into_inner) = waker.clone();
            }
            Device::Ready(device) => device.set_waker(waker.clone()),
            Device::Failed(_) => {}
        }
        self.waker = waker;
    }

    fn timer(&mut self) -> Option<&mut dyn RenderTimer> {
        Some(self)
    }

    fn gl(&mut self) -> Option<&mut dyn GlWriter> {
        self.renderer_mut().gl()
    }

    fn benchmark(&mut self) -> Option<&mut dyn Benchmark> {
        self.renderer_mut().benchmark()
    }
}

impl RenderTimer for FallbackBackend {
    fn set_timing(&mut self, on: bool) {
        if let Some(timer) = self.renderer_mut().timer() {
            timer.set_timing(on);
        }
    }

    /// The time of whichever backend rendered last.
    fn last_kernel_time(&mut self) -> Option<Duration> {
        if self.used_fallback { self.cpu.last_kernel_time() } else { self.renderer_mut().timer()?.last_kernel_time() }
    }
}

#[cfg(test)]
mod tests;
