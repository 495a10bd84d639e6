//! The device: opened once, asked for its limits, and what becomes of it when something fails.

use std::sync::Arc;

use cudarc::driver::sys::CUdevice_attribute as Attribute;
use cudarc::driver::{
    CudaContext, CudaFunction, CudaSlice, CudaStream, DevicePtr, DeviceRepr, DriverError, LaunchConfig, PushKernelArg,
    sys,
};

use super::arguments::Target;
use super::kernels::{Entry, Kernels};
use crate::backend::BackendError;
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

/// A call that failed: what was tried, and what the driver says.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub(super) what: String,
    pub(super) error: DriverError,
}

/// Says what was tried when an error happened; nothing is made of it where none does.
pub(super) fn because(what: impl std::fmt::Display) -> impl FnOnce(DriverError) -> Fault {
    move |error| Fault { what: what.to_string(), error }
}

impl Fault {
    /// Whether the context is lost with it: after an illegal address, a trap or a failed launch no call succeeds again,
    /// while memory that ran out can be had later.
    pub(super) fn is_fatal(&self) -> bool {
        use sys::CUresult::{
            CUDA_ERROR_ASSERT, CUDA_ERROR_CONTEXT_IS_DESTROYED, CUDA_ERROR_DEINITIALIZED,
            CUDA_ERROR_DEVICE_UNAVAILABLE, CUDA_ERROR_ECC_UNCORRECTABLE, CUDA_ERROR_HARDWARE_STACK_ERROR,
            CUDA_ERROR_ILLEGAL_ADDRESS, CUDA_ERROR_ILLEGAL_INSTRUCTION, CUDA_ERROR_INVALID_ADDRESS_SPACE,
            CUDA_ERROR_INVALID_PC, CUDA_ERROR_LAUNCH_FAILED, CUDA_ERROR_LAUNCH_TIMEOUT, CUDA_ERROR_MISALIGNED_ADDRESS,
            CUDA_ERROR_NVLINK_UNCORRECTABLE, CUDA_ERROR_UNKNOWN,
        };
        matches!(
            self.error.0,
            CUDA_ERROR_ASSERT
                | CUDA_ERROR_CONTEXT_IS_DESTROYED
                | CUDA_ERROR_DEINITIALIZED
                | CUDA_ERROR_DEVICE_UNAVAILABLE
                | CUDA_ERROR_ECC_UNCORRECTABLE
                | CUDA_ERROR_HARDWARE_STACK_ERROR
                | CUDA_ERROR_ILLEGAL_ADDRESS
                | CUDA_ERROR_ILLEGAL_INSTRUCTION
                | CUDA_ERROR_INVALID_ADDRESS_SPACE
                | CUDA_ERROR_INVALID_PC
                | CUDA_ERROR_LAUNCH_FAILED
                | CUDA_ERROR_LAUNCH_TIMEOUT
                | CUDA_ERROR_MISALIGNED_ADDRESS
                | CUDA_ERROR_NVLINK_UNCORRECTABLE
                | CUDA_ERROR_UNKNOWN
        )
    }
}

impl From<Fault> for BackendError {
    fn from(fault: Fault) -> Self {
        if fault.error.0 == sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY {
            return Self::Memory { what: fault.what };
        }
        if fault.error.0 == sys::CUresult::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES {
            return Self::Limit { what: format!("what a block asks for ({})", fault.what) };
        }
        Self::Device { what: format!("{}: {}", fault.what, describe(fault.error)), lost: fault.is_fatal() }
    }
}

/// The driver's own words.
pub(super) fn describe(error: DriverError) -> String {
    let text = error.error_string().map(|text| text.to_string_lossy().into_owned());
    text.unwrap_or_else(|_| format!("{:?}", error.0))
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
    /// What is missing; `None` where this is enough.
    fn refusal(self) -> Option<String> {
        match self {
            Self::Library(false) => Some("there is no NVIDIA driver (its CUDA library is not found)".to_owned()),
            Self::Driver(driver) if driver < LEAST_CUDA => Some(format!(
                "the NVIDIA driver is too old: it knows CUDA {}, CUDA {} is needed (driver 525 or newer)",
                version(driver),
                version(LEAST_CUDA)
            )),
            Self::Devices(count) if count < 1 => Some("there is no CUDA device".to_owned()),
            Self::Capability((major, minor)) if major < LEAST_CAPABILITY => Some(format!(
                "the CUDA device is too old: compute capability {major}.{minor}, {LEAST_CAPABILITY}.0 is needed"
            )),
            _ => None,
        }
    }
}

/// A device with its one stream and the kernels loaded so far.
#[derive(Debug)]
pub(super) struct Device {
    pub(super) context: Arc<CudaContext>,
    pub(super) stream: Arc<CudaStream>,
    pub(super) limits: Limits,
    /// The shape of blocks, where a measurement asks for one and a kernel takes any.
    pub(super) block: Option<[u32; 2]>,
    /// What is launched, while a measurement wants to know.
    pub(super) watched: Option<Vec<(CudaFunction, LaunchConfig)>>,
    pub(super) kernels: Kernels,
    name: String,
    driver: i32,
}

impl Device {
    /// The first device, or what is missing: the driver, a new enough one, or a device.
    pub(super) fn open() -> Result<Self, BackendError> {
        let missing = |reason: String| BackendError::Missing { name: "cuda", reason };
        let accept = |found: Found| found.refusal().map_or(Ok(()), |reason| Err(missing(reason)));
        #[expect(unsafe_code, reason = "cudarc's own question whether there is a driver is an unsafe function")]
        // SAFETY: it opens and closes the driver's library by name; nothing of it is called.
        let present = unsafe { sys::is_culib_present() };
        accept(Found::Library(present))?;
        let mut driver = 0;
        #[expect(unsafe_code, reason = "the one question that a driver answers before it is initialised")]
        // SAFETY: the library is present, and `driver` outlives the call.
        let answered = unsafe { sys::cuDriverGetVersion(&raw mut driver) }.result();
        answered.map_err(|error| missing(format!("the NVIDIA driver does not answer: {}", describe(error))))?;
        accept(Found::Driver(driver))?;
        let count = CudaContext::device_count();
        let count = count.map_err(|error| missing(format!("there is no CUDA device: {}", describe(error))))?;
        accept(Found::Devices(count))?;
        let unopened = |error| missing(format!("the CUDA device does not open: {}", describe(error)));
        let context = CudaContext::new(0).map_err(unopened)?;
        accept(Found::Capability(context.compute_capability().map_err(unopened)?))?;
        #[expect(unsafe_code, reason = "there is one stream, so that events between streams would only cost time")]
        // SAFETY: everything below runs in this one stream, in the order in which it is asked for.
        unsafe {
            context.disable_event_tracking();
        }
        let stream = context.new_stream().map_err(unopened)?;
        let limits = Limits::of(&context).map_err(unopened)?;
        let name = context.name().map_err(unopened)?;
        let kernels = Kernels::new(Arc::clone(&context));
        Ok(Self { context, stream, limits, block: None, watched: None, kernels, name, driver })
    }

    /// The device's name and the CUDA version of its driver.
    pub(super) fn description(&self) -> String {
        format!("CUDA {}, {}", version(self.driver), self.name)
    }

    /// Launches `entry` with its one argument.
    ///
    /// The caller answers for what no type says: that `arguments` is the entry's own struct, and that every address in it
    /// has room for what the entry reads and writes.
    pub(super) fn launch<T: DeviceRepr>(
        &mut self,
        entry: &Entry,
        arguments: &T,
        config: LaunchConfig,
    ) -> Result<(), Fault> {
        let function = self.kernels.get(self.limits.shared_bytes, entry)?;
        if let Some(watched) = &mut self.watched {
            watched.push((function.clone(), config));
        }
        let mut launch = self.stream.launch_builder(&function);
        launch.arg(arguments);
        #[expect(unsafe_code, reason = "a kernel is launched")]
        // SAFETY: `Entry` names entries that take one struct; the addresses in it are the caller's.
        let launched = unsafe { launch.launch(config) };
        launched.map_err(because(format_args!("kernel '{entry}' does not start")))?;
        Ok(())
    }

    /// Of these launches the least share of a multiprocessor's warps that it has at once.
    pub(super) fn least_occupancy(&self, launches: &[(CudaFunction, LaunchConfig)]) -> Result<Option<f64>, Fault> {
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

    /// Stores 16 bytes a thread to all of `target`, whose width counts pieces of 16 bytes: what no kernel that draws can be
    /// quicker than.
    pub(super) fn store_plain(&mut self, target: &Target, value: u32) -> Result<(), Fault> {
        let entry = Entry::bench("store_plain");
        let function = self.kernels.get(self.limits.shared_bytes, &entry)?;
        let [width, height] = target.size_px.map(|side| side.unsigned_abs());
        let config = LaunchConfig {
            // A warp is 64 bytes wide and 8 rows tall: what surfaces keep together, and the quickest shape there is.
            grid_dim: (width.div_ceil(4), height.div_ceil(64), 1),
            block_dim: (4, 64, 1),
            shared_mem_bytes: 0,
        };
        let mut launch = self.stream.launch_builder(&function);
        launch.arg(target).arg(&value);
        #[expect(unsafe_code, reason = "a kernel is launched")]
        // SAFETY: the entry takes these two arguments; what it writes beyond the surface is dropped.
        let launched = unsafe { launch.launch(config) };
        launched.map_err(because("a plain store does not start"))?;
        Ok(())
    }

    /// Launches `entry`, which takes nothing.
    pub(super) fn launch_alone(&mut self, entry: &Entry, config: LaunchConfig) -> Result<(), Fault> {
        let function = self.kernels.get(self.limits.shared_bytes, entry)?;
        #[expect(unsafe_code, reason = "a kernel is launched")]
        // SAFETY: the entry takes no argument.
        let launched = unsafe { self.stream.launch_builder(&function).launch(config) };
        launched.map_err(because(format_args!("kernel '{entry}' does not start")))?;
        Ok(())
    }

    /// Memory for `len` values, unset.
    pub(super) fn allocate<T: DeviceRepr>(&self, len: usize) -> Result<CudaSlice<T>, Fault> {
        #[expect(unsafe_code, reason = "device memory comes unset")]
        // SAFETY: whatever is allocated here is written by a copy or by a kernel before anything reads it.
        let memory = unsafe { self.stream.alloc(len.max(1)) };
        memory.map_err(because(format_args!("a buffer of {} MiB is refused", (len * size_of::<T>()) >> 20)))
    }

    /// `values` on the device.
    pub(super) fn upload<T: DeviceRepr>(&self, values: &[T]) -> Result<CudaSlice<T>, Fault> {
        let mut memory = self.allocate(values.len())?;
        self.fill(&mut memory, values)?;
        Ok(memory)
    }

    /// Writes `values` to the start of `memory`, which has room for them.
    pub(super) fn fill<T: DeviceRepr>(&self, memory: &mut CudaSlice<T>, values: &[T]) -> Result<(), Fault> {
        if values.is_empty() {
            return Ok(());
        }
        self.stream.memcpy_htod(values, memory).map_err(because("a copy to the device fails"))
    }

    /// Waits for all that was asked for.
    pub(super) fn finish(&self) -> Result<(), Fault> {
        self.stream.synchronize().map_err(because("the device fails"))
    }

    /// Whether all that was asked for is done; it does not wait.
    pub(super) fn is_idle(&self) -> Result<bool, Fault> {
        #[expect(unsafe_code, reason = "cudarc asks events alone")]
        // SAFETY: the stream is this device's own and alive.
        let answer = unsafe { sys::cuStreamQuery(self.stream.cu_stream()) };
        match answer {
            sys::CUresult::CUDA_ERROR_NOT_READY => Ok(false),
            answer => answer.result().map(|()| true).map_err(because("the device fails")),
        }
    }

    /// Where `memory` lies, for a kernel's argument.
    pub(super) fn address<T>(&self, memory: &CudaSlice<T>) -> sys::CUdeviceptr {
        memory.device_ptr(&self.stream).0
    }
}

/// 12000 as 12.0.
fn version(number: i32) -> String {
    format!("{}.{}", number / 1000, number % 1000 / 10)
}

impl Limits {
    /// Whether there are surfaces of this size.
    pub(super) fn has_surface(&self, size: Size) -> bool {
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
    fn what_is_missing_is_named() {
        for (found, words) in [
            (Found::Library(false), &["no NVIDIA driver"][..]),
            (Found::Driver(11_080), &["driver is too old", "CUDA 11.8", "CUDA 12.0", "525"]),
            (Found::Devices(0), &["no CUDA device"]),
            (Found::Capability((5, 2)), &["device is too old", "5.2", "6.0"]),
        ] {
            let refusal = found.refusal().expect("a refusal");
            assert!(words.iter().all(|word| refusal.contains(word)), "{refusal}");
        }
        let enough = [Found::Library(true), Found::Driver(12_000), Found::Devices(1), Found::Capability((6, 0))];
        assert!(enough.into_iter().all(|found| found.refusal().is_none()));
    }
}
