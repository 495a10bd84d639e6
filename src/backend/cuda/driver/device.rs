//! The device: opened once, asked for its limits, and what becomes of it when something fails.

use std::sync::Arc;

use cudarc::driver::sys::CUdevice_attribute as Attribute;
use cudarc::driver::{
    CudaContext, CudaEvent, CudaFunction, CudaSlice, CudaStream, DevicePtr, DeviceRepr, DriverError, LaunchConfig,
    PushKernelArg, sys,
};

use super::destination::Pieces;
use super::fault::{Fault, because, describe, is_driver_present};
use super::texture::check;
use super::uploads::Uploads;
use crate::backend::cuda::kernels::modules::{Kernels, TypedEntry};
use crate::backend::{BackendError, Unusable};
use crate::image::Size;

/// The least CUDA version that a driver must know, as the driver says it: 12.0, which drivers have from 525 on.
const LEAST_CUDA: i32 = 12_000;
/// The least compute capability that the PTX is for (its first number).
const LEAST_CAPABILITY: i32 = 6;

/// What the device can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Sides of a two-dimensional texture.
    pub texture: [u32; 2],
    /// Sides of a texture that can be gathered from.
    pub gather: [u32; 2],
    /// Sides of a surface.
    pub surface: [u32; 2],
    /// Shared memory that a block can ask for, in bytes.
    pub shared_bytes: u32,
    /// Shared memory of a multiprocessor, in bytes.
    pub shared_bytes_in_all: u32,
    /// Multiprocessors.
    pub multiprocessors: u32,
}

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
            Self::Driver(driver) if driver < LEAST_CUDA => {
                Some(unusable(Unusable::DriverTooOld { found: version(driver), needed: version(LEAST_CUDA) }))
            }
            Self::Devices(count) if count < 1 => Some(missing("there is no CUDA device".to_owned())),
            Self::Capability(found) if found.0 < LEAST_CAPABILITY => {
                Some(unusable(Unusable::DeviceTooOld { found, needed: (LEAST_CAPABILITY, 0) }))
            }
            Self::Library(true) | Self::Driver(_) | Self::Devices(_) | Self::Capability(_) => None,
        }
    }
}

fn missing(reason: String) -> BackendError {
    BackendError::Missing { name: "cuda", reason }
}

fn unusable(cause: Unusable) -> BackendError {
    BackendError::Unusable { name: "cuda", cause }
}

/// What a call that fails while the device is being opened says of it: that there is none, or why it cannot be used.
fn unopened(what: &str) -> impl Fn(DriverError) -> BackendError {
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

/// A device with its one stream and the kernels loaded so far.
#[derive(Debug)]
pub(in crate::backend::cuda) struct Device {
    pub(in crate::backend::cuda) context: Arc<CudaContext>,
    pub(in crate::backend::cuda) stream: Arc<CudaStream>,
    pub(in crate::backend::cuda) limits: Limits,
    /// The shape of blocks, where a measurement asks for one and a kernel takes any.
    pub(in crate::backend::cuda) block: Option<[u32; 2]>,
    /// What is launched, while a measurement wants to know.
    pub(in crate::backend::cuda) watched: Option<Vec<(CudaFunction, LaunchConfig)>>,
    pub(in crate::backend::cuda) kernels: Kernels,
    uploads: Uploads<CudaEvent>,
    name: String,
    driver: i32,
}

impl Drop for Device {
    fn drop(&mut self) {
        // Modules and host memory that copies read must not go while the stream still uses them. Where the context is lost
        // nothing runs any more; what copies may have read is leaked then.
        let _ = self.finish();
    }
}

impl Device {
    /// The first device, or what is missing (the driver, a device), or why the device cannot be used.
    pub(in crate::backend::cuda) fn open() -> Result<Self, BackendError> {
        let accept = |found: Found| found.refusal().map_or(Ok(()), Err);
        accept(Found::Library(is_driver_present()))?;
        let mut driver = 0;
        #[expect(unsafe_code, reason = "the one question that a driver answers before it is initialised")]
        // SAFETY: the library is present, the call needs no initialised driver, and it writes one number to `driver`, a local
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
        let kernels = Kernels::new(Arc::clone(&context));
        Ok(Self {
            context,
            stream,
            limits,
            block: None,
            watched: None,
            kernels,
            uploads: Uploads::default(),
            name,
            driver,
        })
    }

    /// The device's name and the CUDA version of its driver.
    pub(in crate::backend::cuda) fn description(&self) -> String {
        let (major, minor) = version(self.driver);
        format!("CUDA {major}.{minor}, {}", self.name)
    }

    /// Launches `entry` with its one argument.
    ///
    /// # Safety
    /// Every address and handle in `arguments` is of memory, a texture or a surface of this device's context that is alive
    /// now, and that is freed only in the order of the stream or after a wait for it. They have room for all that the entry
    /// reads and writes for these arguments in this many blocks, and `config` has the threads and the shared memory that the
    /// entry was written for. That `arguments` is the entry's own struct the types say.
    #[expect(unsafe_code, reason = "a kernel reads and writes by the addresses of its arguments")]
    pub(in crate::backend::cuda) unsafe fn launch<T: DeviceRepr>(
        &mut self,
        entry: TypedEntry<T>,
        arguments: &T,
        config: LaunchConfig,
    ) -> Result<(), Fault> {
        let entry = entry.entry();
        let function = self.kernels.get(self.limits.shared_bytes, &entry)?;
        if let Some(watched) = &mut self.watched {
            watched.push((function.clone(), config));
        }
        let mut launch = self.stream.launch_builder(&function);
        launch.arg(arguments);
        // SAFETY: a `TypedEntry` takes one `T`, whose layout and size `tests/ptx.rs` holds against the kernel's; the driver
        // copies it before the call returns. The function is of the context that the stream is of. What it does with the
        // addresses is the caller's promise.
        let launched = unsafe { launch.launch(config) };
        launched.map_err(because(format_args!("kernel '{entry}' does not start")))?;
        Ok(())
    }

    /// Of these launches the least share of a multiprocessor's warps that it has at once.
    pub(in crate::backend::cuda) fn least_occupancy(
        &self,
        launches: &[(CudaFunction, LaunchConfig)],
    ) -> Result<Option<f64>, Fault> {
        let threads = self.context.attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
        let warps = f64::from(threads.map_err(because("the device does not tell its threads"))?) / 32.0;
        let mut least: Option<f64> = None;
        for (function, config) in launches {
            let threads = config.block_dim.0 * config.block_dim.1 * config.block_dim.2;
            let shared_bytes = config.shared_mem_bytes as usize;
            let blocks = function.occupancy_max_active_blocks_per_multiprocessor(threads, shared_bytes, None);
            let blocks = blocks.map_err(because("the device does not tell an occupancy"))?;
            let share = f64::from(blocks * threads.div_ceil(32)) / warps;
            least = Some(least.map_or(share, |least| least.min(share)));
        }
        Ok(least)
    }

    /// Stores 16 bytes a thread to all of a surface: what no kernel that draws can be quicker than.
    pub(in crate::backend::cuda) fn store_plain(&mut self, pieces: Pieces<'_>, value: u32) -> Result<(), Fault> {
        let entry = TypedEntry::store_plain().entry();
        let function = self.kernels.get(self.limits.shared_bytes, &entry)?;
        let [width, height] = pieces.target().size_px.map(|side| side.unsigned_abs());
        let config = LaunchConfig {
            // A warp is 64 bytes wide and 8 rows tall: what surfaces keep together, and the quickest shape there is.
            grid_dim: (width.div_ceil(4), height.div_ceil(64), 1),
            block_dim: (4, 64, 1),
            shared_mem_bytes: 0,
        };
        let mut launch = self.stream.launch_builder(&function);
        launch.arg(pieces.target()).arg(&value);
        #[expect(unsafe_code, reason = "a kernel is launched")]
        // SAFETY: the entry takes a target and a number, which the driver copies before the call returns. The surface is
        // borrowed for the call and waits for the stream before it is destroyed; what is stored beyond it is dropped.
        let launched = unsafe { launch.launch(config) };
        launched.map_err(because("a plain store does not start"))?;
        Ok(())
    }

    /// Launches the kernel that traps, in one thread.
    pub(in crate::backend::cuda) fn trap(&mut self) -> Result<(), Fault> {
        let entry = TypedEntry::trap().entry();
        let function = self.kernels.get(self.limits.shared_bytes, &entry)?;
        #[expect(unsafe_code, reason = "a kernel is launched")]
        // SAFETY: the entry takes no argument and touches no memory; the context that it costs is given up by the caller.
        let launched = unsafe { self.stream.launch_builder(&function).launch(LaunchConfig::for_num_elems(1)) };
        launched.map_err(because(format_args!("kernel '{entry}' does not start")))?;
        Ok(())
    }

    /// Memory for `len` values, at least one, unset.
    pub(in crate::backend::cuda) fn allocate<T: DeviceRepr>(&self, len: usize) -> Result<CudaSlice<T>, Fault> {
        #[expect(unsafe_code, reason = "device memory comes unset")]
        // SAFETY: device memory is no Rust value: the host sees its bytes only as a copy of them, and the types here are
        // plain numbers, for which all bytes are values. What kernels read of it they, or copies, have written before.
        let memory = unsafe { self.stream.alloc(len.max(1)) };
        memory.map_err(because(format_args!("a buffer of {} MiB is refused", (len * size_of::<T>()) >> 20)))
    }

    /// `values` on the device; they are kept until they were copied.
    pub(in crate::backend::cuda) fn upload<T: DeviceRepr + Send + 'static>(
        &mut self,
        values: Vec<T>,
    ) -> Result<CudaSlice<T>, Fault> {
        let mut memory = self.allocate(values.len())?;
        self.fill(&mut memory, values)?;
        Ok(memory)
    }

    /// Writes `values` to the start of `memory`, and does not wait: they are kept until they were copied. The driver alone
    /// decides whether a copy from pageable memory is one that it waits for.
    ///
    /// # Errors
    /// Where there is no room for them, or the copy fails.
    pub(in crate::backend::cuda) fn fill<T: DeviceRepr + Send + 'static>(
        &mut self,
        memory: &mut CudaSlice<T>,
        values: Vec<T>,
    ) -> Result<(), Fault> {
        check(values.len() <= memory.len(), "values are more than their memory holds")?;
        if values.is_empty() {
            return Ok(());
        }
        let event = match self.uploads.reclaim() {
            Some(event) => event,
            None => self.context.new_event(None).map_err(because("no event"))?,
        };
        let copied = self.stream.memcpy_htod(&values, memory).map_err(because("a copy to the device fails"));
        let marked = event.record(&self.stream).map_err(because("an event fails"));
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
    pub(in crate::backend::cuda) fn download(&self, memory: &CudaSlice<f32>, to: &mut [f32]) -> Result<(), Fault> {
        check(to.len() <= memory.len(), "values are read beyond their memory")?;
        let copied = self.stream.memcpy_dtoh(&memory.slice(..to.len()), to);
        // `to` is borrowed until the device no longer writes it; where waiting fails the context is lost, and the driver has
        // ended its copies.
        let finished = self.finish();
        copied.map_err(because("a copy to the host fails")).and(finished)
    }

    /// Waits for all that was asked for.
    pub(in crate::backend::cuda) fn finish(&self) -> Result<(), Fault> {
        self.stream.synchronize().map_err(because("the device fails"))
    }

    /// Whether all that was asked for is done; it does not wait.
    pub(in crate::backend::cuda) fn is_idle(&self) -> Result<bool, Fault> {
        #[expect(unsafe_code, reason = "cudarc asks events alone")]
        // SAFETY: the stream is this device's own and is destroyed after it; a stream's handle may be asked from any thread.
        let answer = unsafe { sys::cuStreamQuery(self.stream.cu_stream()) };
        match answer {
            sys::CUresult::CUDA_ERROR_NOT_READY => Ok(false),
            answer => answer.result().map(|()| true).map_err(because("the device fails")),
        }
    }

    /// Where `memory` lies, for a kernel's argument.
    pub(in crate::backend::cuda) fn address<T>(&self, memory: &CudaSlice<T>) -> sys::CUdeviceptr {
        memory.device_ptr(&self.stream).0
    }
}

/// Major and minor number of a CUDA version: 12020 is 12.2.
fn version(number: i32) -> (i32, i32) {
    (number / 1000, number % 1000 / 10)
}

impl Limits {
    /// Whether there are surfaces of this size.
    pub(in crate::backend::cuda) fn has_surface(&self, size: Size) -> bool {
        size.width() <= self.surface[0] && size.height() <= self.surface[1]
    }

    fn of(context: &CudaContext) -> Result<Self, DriverError> {
        let ask = |attribute| Ok(u32::try_from(context.attribute(attribute)?).unwrap_or(0));
        Ok(Self {
            texture: [
                ask(Attribute::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH)?,
                ask(Attribute::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT)?,
            ],
            gather: [
                ask(Attribute::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH)?,
                ask(Attribute::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT)?,
            ],
            surface: [
                ask(Attribute::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH)?,
                ask(Attribute::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT)?,
            ],
            shared_bytes: ask(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?,
            shared_bytes_in_all: ask(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR)?,
            multiprocessors: ask(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_or_too_old_is_named() {
        for (found, is_missing, words) in [
            (Found::Library(false), true, &["no NVIDIA driver"][..]),
            (Found::Driver(11_080), false, &["driver is too old", "CUDA 11.8", "CUDA 12.0", "525"]),
            (Found::Devices(0), true, &["no CUDA device"]),
            (Found::Capability((5, 2)), false, &["device is too old", "5.2", "6.0"]),
        ] {
            let refusal = found.refusal().expect("a refusal");
            assert_eq!(matches!(refusal, BackendError::Missing { .. }), is_missing, "{refusal}");
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
            BackendError::Missing { .. } => "missing",
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
