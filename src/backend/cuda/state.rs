//! The state of the backend: the objects on the device, or the reason that the device is lost.

use std::collections::HashSet;
use std::time::Duration;

use super::driver::device::Device;
use super::driver::error::Context as _;
use super::driver::events::Clock;
use super::driver::staging::Staging;
use super::driver::surface::Surface;
use super::gl_interop::Interop;
use super::kernels::entry::Entry;
use super::kernels::prewarm::Prewarm;
use super::render::Renderer;
use crate::backend::{BackendError, Waker};

/// A device that works or is lost.
#[derive(Debug)]
pub(crate) struct State {
    description: String,
    condition: Condition,
}

#[derive(Debug)]
enum Condition {
    Works(Box<Working>),
    /// The device failed beyond recovery; the reason.
    Lost(String),
}

/// All objects on the device. The renderer is last: it owns the context.
#[derive(Debug)]
pub(crate) struct Working {
    pub(crate) interop: Interop,
    /// Surfaces of renders to the host, by bytes a pixel: one, and four.
    pub(crate) screens: [Option<Surface>; 2],
    pub(crate) staging: Option<Staging>,
    /// GPU time of renders to the host.
    pub(crate) clock: Clock<()>,
    pub(crate) last_time: Option<Duration>,
    /// Loads kernels in the background, once a request has waited for some.
    pub(crate) prewarm: Option<Prewarm>,
    /// Entries whose modules need no load any more.
    pub(crate) ready: HashSet<Entry>,
    pub(crate) waker: Waker,
    pub(crate) renderer: Renderer,
}

impl Drop for Working {
    fn drop(&mut self) {
        // The fields are freed after this, with the context current and no kernel at work on them. A lost context is
        // forgotten instead of dropped (`State::run`); if it fails only now there is nothing left to free.
        let _ = self.device().finish();
    }
}

impl Working {
    /// The device that all objects are on.
    pub(crate) fn device(&self) -> &Device {
        &self.renderer.launcher.device
    }

    fn bind(&self) -> Result<(), BackendError> {
        Ok(self.device().context.bind_to_thread().context("the context is lost")?)
    }

    /// Frees caches and buffers. Waits for the stream: memory that is freed in stream order is not available to arrays
    /// before the stream has passed that point.
    fn free(&mut self) -> Result<(), BackendError> {
        self.screens = [None, None];
        self.staging = None;
        self.renderer.free();
        Ok(self.device().finish()?)
    }
}

impl State {
    /// Opens the first device.
    ///
    /// # Errors
    /// If there is no driver, the driver or the device is too old, or there is no device.
    pub(crate) fn open() -> Result<Self, BackendError> {
        let device = Device::open()?;
        let description = device.description();
        let working = Working {
            interop: Interop::default(),
            screens: [None, None],
            staging: None,
            clock: Clock::default(),
            last_time: None,
            prewarm: None,
            ready: HashSet::new(),
            waker: Waker::default(),
            renderer: Renderer::new(device),
        };
        Ok(Self { description, condition: Condition::Works(Box::new(working)) })
    }

    /// Runs `work` on the device. If the device is out of memory, caches are freed and `work` is run once more. If the
    /// context is lost, its objects are forgotten without another call to the driver.
    ///
    /// # Errors
    /// The error of `work`; [`BackendError::Device`] if the device was lost before.
    pub(crate) fn run<T>(
        &mut self,
        mut work: impl FnMut(&mut Working) -> Result<T, BackendError>,
    ) -> Result<T, BackendError> {
        let working = match &mut self.condition {
            Condition::Works(working) => working,
            Condition::Lost(what) => return Err(BackendError::Device { what: what.clone(), lost: true }),
        };
        let mut result = working.bind().and_then(|()| work(working));
        if let Err(BackendError::Memory { what }) = &result {
            log::warn!("out of device memory: {what}; caches are freed for a second try");
            result = working.free().and_then(|()| work(working));
        }
        if let Err(BackendError::Device { what, lost: true }) = &result {
            log::error!("the CUDA device is lost: {what}");
            let lost = Condition::Lost(what.clone());
            if let Condition::Works(mut working) = std::mem::replace(&mut self.condition, lost) {
                working.prewarm = None;
                std::mem::forget(working);
            }
        }
        result
    }

    /// The objects on the device; `None` if it is lost.
    pub(crate) fn working(&self) -> Option<&Working> {
        match &self.condition {
            Condition::Works(working) => Some(working),
            Condition::Lost(_) => None,
        }
    }

    /// The objects on the device, without a current context; `None` if it is lost.
    pub(crate) fn working_mut(&mut self) -> Option<&mut Working> {
        match &mut self.condition {
            Condition::Works(working) => Some(working),
            Condition::Lost(_) => None,
        }
    }

    /// Name of the device and the CUDA version of its driver; the failure if it is lost.
    pub(crate) fn description(&self) -> String {
        match &self.condition {
            Condition::Works(_) => self.description.clone(),
            Condition::Lost(what) => format!("{}, lost: {what}", self.description),
        }
    }
}
