//! How long the device works on a picture, by events in its stream: recorded as the work is queued, read when the device has
//! come to them. Nobody waits for a time, and where nobody wants one no event is recorded.

use std::collections::VecDeque;
use std::time::Duration;

use cudarc::driver::{CudaEvent, sys};

use super::device::Device;
use super::fault::{Fault, because};

/// Measurements that are kept until their times are there; those before them are given up.
const MOST_RUNNING: usize = 64;

/// The moments before and after some work.
type Span = (CudaEvent, CudaEvent);

/// Times of works, each named by a `T`; none until it is started.
#[derive(Debug)]
pub(in crate::backend::cuda) struct Clock<T> {
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
    /// Keeps time of works from now on, or no longer; times that are still to come are given up then.
    pub(in crate::backend::cuda) fn run(&mut self, on: bool) {
        if on != self.runs {
            *self = Self { runs: on, ..Self::default() };
        }
    }

    /// Notes that work begins here in the device's stream; nothing where the clock does not run.
    pub(in crate::backend::cuda) fn begin(&mut self, device: &Device) -> Result<Option<Span>, Fault> {
        if !self.runs {
            return Ok(None);
        }
        let event = || {
            let event = device.context.new_event(Some(sys::CUevent_flags::CU_EVENT_DEFAULT));
            event.map_err(because("no event"))
        };
        let span = match self.free.pop() {
            Some(span) => span,
            None => (event()?, event()?),
        };
        span.0.record(&device.stream).map_err(because("an event fails"))?;
        Ok(Some(span))
    }

    /// Notes that the work called `what`, which began with `span`, ends here.
    pub(in crate::backend::cuda) fn end(&mut self, device: &Device, what: T, span: Option<Span>) -> Result<(), Fault> {
        let Some(span) = span else { return Ok(()) };
        span.1.record(&device.stream).map_err(because("an event fails"))?;
        self.running.push_back((what, span));
        if self.running.len() > MOST_RUNNING {
            self.running.pop_front();
        }
        Ok(())
    }

    /// The works that the device has done since the last call, in their order.
    pub(in crate::backend::cuda) fn take(&mut self) -> Result<Vec<(T, Duration)>, Fault> {
        let mut done = Vec::new();
        while let Some((_, (_, end))) = self.running.front() {
            if !end.try_is_complete().map_err(because("the device fails"))? {
                break;
            }
            let Some((what, span)) = self.running.pop_front() else { break };
            let milliseconds = span.0.elapsed_ms(&span.1).map_err(because("an event fails"))?;
            done.push((what, Duration::from_secs_f64(f64::from(milliseconds.max(0.0)) / 1e3)));
            self.free.push(span);
        }
        Ok(done)
    }

    /// Whether there are works whose times are still to come.
    pub(in crate::backend::cuda) fn is_running(&self) -> bool {
        !self.running.is_empty()
    }
}
