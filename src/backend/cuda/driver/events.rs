//! GPU time by events in the stream: recorded when the work is queued, read once the device has passed them.

use std::collections::VecDeque;
use std::time::Duration;

use cudarc::driver::{CudaEvent, sys};

use super::device::Device;
use super::error::{Context as _, DriverError};

/// Maximum number of measurements in flight; older ones are dropped.
const MAX_RUNNING: usize = 64;

/// A pair of events around some work in the stream.
#[derive(Debug)]
pub(crate) struct Span {
    start: CudaEvent,
    end: CudaEvent,
}

impl Span {
    /// A pair of events that are not recorded yet.
    ///
    /// # Errors
    /// If the driver creates no event.
    pub(crate) fn new(device: &Device) -> Result<Self, DriverError> {
        let event = || {
            let event = device.context.new_event(Some(sys::CUevent_flags::CU_EVENT_DEFAULT));
            event.context("no event")
        };
        Ok(Self { start: event()?, end: event()? })
    }

    /// Records the start: the work that is queued after it counts.
    ///
    /// # Errors
    /// If the device fails.
    pub(crate) fn start(&self, device: &Device) -> Result<(), DriverError> {
        self.start.record(&device.stream).context("an event fails")
    }

    /// Records the end: the work that is queued after it does not count.
    ///
    /// # Errors
    /// If the device fails.
    pub(crate) fn end(&self, device: &Device) -> Result<(), DriverError> {
        self.end.record(&device.stream).context("an event fails")
    }

    /// Whether the device has passed the end. Does not block.
    ///
    /// # Errors
    /// If the device fails.
    pub(crate) fn is_complete(&self) -> Result<bool, DriverError> {
        self.end.try_is_complete().context("the device fails")
    }

    /// GPU time between start and end in milliseconds, once the device has passed the end.
    ///
    /// # Errors
    /// If the device fails.
    pub(crate) fn elapsed_ms(&self) -> Result<f64, DriverError> {
        Ok(f64::from(self.start.elapsed_ms(&self.end).context("an event fails")?.max(0.0)))
    }
}

/// GPU times of renders, each with a key of type `T`. Disabled at first.
#[derive(Debug)]
pub(crate) struct Clock<T> {
    runs: bool,
    running: VecDeque<(T, Span)>,
    free: Vec<Span>,
}

impl<T> Default for Clock<T> {
    fn default() -> Self {
        Self { runs: false, running: VecDeque::new(), free: Vec::new() }
    }
}

impl<T> Clock<T> {
    /// Enables or disables timing. Disabling drops the times that are not read yet.
    pub(crate) fn run(&mut self, on: bool) {
        if on != self.runs {
            *self = Self { runs: on, ..Self::default() };
        }
    }

    /// Records the start of some work; `None` while timing is disabled.
    ///
    /// # Errors
    /// If the device fails.
    pub(crate) fn begin(&mut self, device: &Device) -> Result<Option<Span>, DriverError> {
        if !self.runs {
            return Ok(None);
        }
        let span = match self.free.pop() {
            Some(span) => span,
            None => Span::new(device)?,
        };
        span.start(device)?;
        Ok(Some(span))
    }

    /// Records the end of the work that began with `span`; its time is reported under `key`.
    ///
    /// # Errors
    /// If the device fails.
    pub(crate) fn end(&mut self, device: &Device, key: T, span: Option<Span>) -> Result<(), DriverError> {
        let Some(span) = span else { return Ok(()) };
        span.end(device)?;
        self.running.push_back((key, span));
        if self.running.len() > MAX_RUNNING {
            self.running.pop_front();
        }
        Ok(())
    }

    /// The times that became available since the last call, in the order of the work. Does not block.
    ///
    /// # Errors
    /// If the device fails.
    pub(crate) fn take(&mut self) -> Result<Vec<(T, Duration)>, DriverError> {
        let mut done = Vec::new();
        while let Some((_, span)) = self.running.front() {
            if !span.is_complete()? {
                break;
            }
            let Some((key, span)) = self.running.pop_front() else { break };
            done.push((key, Duration::from_secs_f64(span.elapsed_ms()? / 1e3)));
            self.free.push(span);
        }
        Ok(done)
    }

    /// Whether times are still to come.
    pub(crate) fn is_running(&self) -> bool {
        !self.running.is_empty()
    }
}
