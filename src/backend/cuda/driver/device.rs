//! The CUDA device: opening it, its memory, and copies to and from the host.

use std::sync::Arc;

use cudarc::driver::{
    CudaContext, CudaEvent, CudaSlice, CudaStream, DevicePtr, DeviceRepr, DriverError as DriverCode, sys,
};

use super::error::{Context as _, DriverError, check, describe, is_driver_present};
use super::limits::Limits;
use super::uploads::Uploads;
use crate::backend::{BackendError, BackendKind, Unusable};

/// The least CUDA version that a driver must know, as the driver says it: 12.0, which drivers have from 525 on.
const MIN_CUDA: i32 = 12_000;
/// The least compute capability that the PTX is for (its first number).
const MIN_CAPABILITY: i32 = 6;

/// What a machine has, in the order in which it is asked.
#[derive(Clone, Copy, Debug)]
enum Found {
    /// Whether the driver's library is there.
    Library(bool),
    /// The newest CUDA that the driver knows, as it says it.
    Driver(i32),
    /// How many devices there are.
    Devices(i32),
    /// The compute capability of the first.
    Capability((i32, i32)),
}

impl Found {
    /// What is missing, or too old; `None` where this is enough.
    fn refusal(self) -> Option<BackendError> {
        match self {
            Self::Library(false) => {
                Some(missing("there is no NVIDIA driver (its CUDA library is not found)".to_owned()))
            }
            Self::Driver(driver) if driver < MIN_CUDA => {
                Some(unusable(Unusable::DriverTooOld { found: version(driver), needed: version(MIN_CUDA) }))
            }
            Self::Devices(count) if count < 1 => Some(missing("there is no CUDA device".to_owned())),
            Self::Capability(found) if found.0 < MIN_CAPABILITY => {
                Some(unusable(Unusable::DeviceTooOld { found, needed: (MIN_CAPABILITY, 0) }))
            }
            Self::Library(true) | Self::Driver(_) | Self::Devices(_) | Self::Capability(_) => None,
        }
    }
}

fn missing(reason: String) -> BackendError {
    BackendError::Unavailable { backend: BackendKind::Cuda, reason }
}

fn unusable(cause: Unusable) -> BackendError {
    BackendError::Unusable { backend: BackendKind::Cuda, cause }
}

/// What a call that fails while the device is being opened says of it: that there is none, or why it cannot be used.
fn unopened(what: &str) -> impl Fn(DriverCode) -> BackendError {
    move |error| judge_unopened(error.0, format!("{what}: {}", describe(error)))
}

/// The same of the driver's code; `what` is what was tried, and what the driver says.
fn judge_unopened(code: sys::CUresult, what: String) -> BackendError {
    match code {
        sys::CUresult::CUDA_ERROR_NO_DEVICE => missing(format!("there is no CUDA device ({what})")),
        sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY => unusable(Unusable::MemoryTaken { what }),
        _ => unusable(Unusable::DriverFails { what }),
    }
}

/// A device, its primary context and the one stream that all work is queued in.
#[derive(Debug)]
pub(crate) struct Device {
    pub(crate) context: Arc<CudaContext>,
    pub(crate) stream: Arc<CudaStream>,
    pub(crate) limits: Limits,
    uploads: Uploads<CudaEvent>,
    name: String,
    driver: i32,
}

impl Drop for Device {
    fn drop(&mut self) {
        // Copies of the stream may still read the host memory in `uploads`. If the context is lost, nothing runs any more
        // and the memory of unfinished copies is leaked.
        let _ = self.finish();
    }
}

impl Device {
    /// The first device, or what is missing (the driver, a device), or why the device cannot be used.
    pub(crate) fn open() -> Result<Self, BackendError> {
        let accept = |found: Found| found.refusal().map_or(Ok(()), Err);
        accept(Found::Library(is_driver_present()))?;
        let mut driver = 0;
        #[expect(unsafe_code, reason = "the one question that a driver answers before it is initialized")]
        // SAFETY: the library is present, the call needs no initialized driver, and it writes one number to `driver`, a local
        // that outlives it.
        let answered = unsafe { sys::cuDriverGetVersion(&raw mut driver) }.result();
        answered.map_err(unopened("it does not answer"))?;
        accept(Found::Driver(driver))?;
        let count = CudaContext::device_count();
        let count = count.map_err(unopened("it does not count its devices"))?;
        accept(Found::Devices(count))?;
        let unopened = unopened("the device does not open");
        let context = CudaContext::new(0).map_err(&unopened)?;
        accept(Found::Capability(context.compute_capability().map_err(&unopened)?))?;
        #[expect(unsafe_code, reason = "there is one stream, so that events between streams would only cost time")]
        // SAFETY: all memory of this context is allocated, used and freed in the one stream made below, in the order in which
        // it is asked for; the thread that loads modules has no memory and no stream. OpenGL's own work on shared textures
        // is ordered by mapping and unmapping them in this stream.
        unsafe {
            context.disable_event_tracking();
        }
        let stream = context.new_stream().map_err(&unopened)?;
        let limits = Limits::of(&context).map_err(&unopened)?;
        let name = context.name().map_err(&unopened)?;
        Ok(Self { context, stream, limits, uploads: Uploads::default(), name, driver })
    }

    /// The device's name and the CUDA version of its driver.
    pub(crate) fn description(&self) -> String {
        let (major, minor) = version(self.driver);
        format!("CUDA {major}.{minor}, {}", self.name)
    }

    /// Memory for `len` values, at least one, unset.
    pub(crate) fn allocate<T: DeviceRepr>(&self, len: usize) -> Result<CudaSlice<T>, DriverError> {
        #[expect(unsafe_code, reason = "device memory comes unset")]
        // SAFETY: device memory is no Rust value: the host sees its bytes only as a copy of them, and the types here are
        // plain numbers, for which all bytes are values. What kernels read of it they, or copies, have written before.
        let memory = unsafe { self.stream.alloc(len.max(1)) };
        memory.context(format_args!("a buffer of {} MiB is refused", (len * size_of::<T>()) >> 20))
    }

    /// `values` on the device; they are kept until they were copied.
    pub(crate) fn upload<T: DeviceRepr + Send + 'static>(
        &mut self,
        values: Vec<T>,
    ) -> Result<CudaSlice<T>, DriverError> {
        let mut memory = self.allocate(values.len())?;
        self.fill(&mut memory, values)?;
        Ok(memory)
    }

    /// Writes `values` to the start of `memory`, and does not wait: they are kept until they were copied. The driver alone
    /// decides whether a copy from pageable memory is one that it waits for.
    ///
    /// # Errors
    /// Where there is no room for them, or the copy fails.
    pub(crate) fn fill<T: DeviceRepr + Send + 'static>(
        &mut self,
        memory: &mut CudaSlice<T>,
        values: Vec<T>,
    ) -> Result<(), DriverError> {
        check(values.len() <= memory.len(), "values are more than their memory holds")?;
        if values.is_empty() {
            return Ok(());
        }
        let event = match self.uploads.reclaim() {
            Some(event) => event,
            None => self.context.new_event(None).context("no event")?,
        };
        let copied = self.stream.memcpy_htod(&values, memory).context("a copy to the device fails");
        let marked = event.record(&self.stream).context("an event fails");
        if marked.is_err() && self.finish().is_err() {
            // Nobody knows whether it is still read.
            std::mem::forget(values);
        } else if marked.is_ok() {
            self.uploads.keep(event, Box::new(values));
        }
        copied.and(marked)
    }

    /// Copies the first `to.len()` values of `memory` to the host, and waits for it.
    ///
    /// # Errors
    /// Where there are not so many, or the copy or the device fails.
    pub(crate) fn download(&self, memory: &CudaSlice<f32>, to: &mut [f32]) -> Result<(), DriverError> {
        check(to.len() <= memory.len(), "values are read beyond their memory")?;
        let copied = self.stream.memcpy_dtoh(&memory.slice(..to.len()), to);
        // `to` is borrowed until the device no longer writes it; where waiting fails the context is lost, and the driver has
        // ended its copies.
        let finished = self.finish();
        copied.context("a copy to the host fails").and(finished)
    }

    /// Waits for all that was asked for.
    pub(crate) fn finish(&self) -> Result<(), DriverError> {
        self.stream.synchronize().context("the device fails")
    }

    /// Whether all that was asked for is done; it does not wait.
    pub(crate) fn is_idle(&self) -> Result<bool, DriverError> {
        #[expect(unsafe_code, reason = "cudarc asks events alone")]
        // SAFETY: the stream is this device's own and is destroyed after it; a stream's handle may be asked from any thread.
        let answer = unsafe { sys::cuStreamQuery(self.stream.cu_stream()) };
        match answer {
            sys::CUresult::CUDA_ERROR_NOT_READY => Ok(false),
            answer => answer.result().map(|()| true).context("the device fails"),
        }
    }

    /// Where `memory` lies, for a kernel's argument.
    pub(crate) fn address<T>(&self, memory: &CudaSlice<T>) -> sys::CUdeviceptr {
        memory.device_ptr(&self.stream).0
    }
}

/// Major and minor number of a CUDA version: 12020 is 12.2.
fn version(number: i32) -> (i32, i32) {
    (number / 1000, number % 1000 / 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_or_old_driver_is_reported_by_name() {
        for (found, is_missing, words) in [
            (Found::Library(false), true, &["no NVIDIA driver"][..]),
            (Found::Driver(11_080), false, &["driver is too old", "CUDA 11.8", "CUDA 12.0", "525"]),
            (Found::Devices(0), true, &["no CUDA device"]),
            (Found::Capability((5, 2)), false, &["device is too old", "5.2", "6.0"]),
        ] {
            let refusal = found.refusal().expect("a refusal");
            assert_eq!(matches!(refusal, BackendError::Unavailable { .. }), is_missing, "{refusal}");
            let refusal = refusal.to_string();
            assert!(words.iter().all(|word| refusal.contains(word)), "{refusal}");
        }
        let enough = [Found::Library(true), Found::Driver(12_000), Found::Devices(1), Found::Capability((6, 0))];
        assert!(enough.into_iter().all(|found| found.refusal().is_none()));
    }

    #[test]
    fn errors_while_the_device_opens_tell_one_that_is_missing_from_one_that_cannot_be_used() {
        use sys::CUresult;
        let told = |code| match judge_unopened(code, "the device does not open".to_owned()) {
            BackendError::Unavailable { .. } => "missing",
            error => error.short(),
        };
        assert_eq!(told(CUresult::CUDA_ERROR_NO_DEVICE), "missing");
        assert_eq!(told(CUresult::CUDA_ERROR_OUT_OF_MEMORY), "GPU memory taken");
        for code in [
            CUresult::CUDA_ERROR_SYSTEM_DRIVER_MISMATCH,
            CUresult::CUDA_ERROR_STUB_LIBRARY,
            CUresult::CUDA_ERROR_DEVICE_UNAVAILABLE,
            CUresult::CUDA_ERROR_UNKNOWN,
        ] {
            assert_eq!(told(code), "driver fails", "{code:?}");
        }
    }
}
