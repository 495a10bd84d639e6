//! Kernel launches: functions looked up by their entry, queued in the stream of a device.

use std::collections::HashMap;
use std::sync::Arc;

use cudarc::driver::sys::CUdevice_attribute as Attribute;
use cudarc::driver::{CudaFunction, CudaStream, DeviceRepr, LaunchConfig, PushKernelArg, sys};

use super::compiled::Module;
use super::entry::{Entry, TypedEntry};
use super::modules::Modules;
use crate::backend::block_bounds::{BlockFacts, ResidencyLimit};
use crate::backend::cuda::driver::device::Device;
use crate::backend::cuda::driver::error::{Context as _, DriverError};
use crate::backend::cuda::plan::PIXEL_BLOCK;

/// A launch that can be queued: an entry with its argument struct and its grid.
#[derive(Clone, Copy)]
pub(crate) struct Launch<T> {
    pub(crate) entry: TypedEntry<T>,
    pub(crate) arguments: T,
    pub(crate) config: LaunchConfig,
}

/// A device and the kernels that were launched on it.
///
/// The device is dropped first. Its drop waits for the stream, so no kernel runs when the modules are unloaded.
#[derive(Debug)]
pub(crate) struct Launcher {
    pub(crate) device: Device,
    pub(crate) modules: Arc<Modules>,
    functions: HashMap<Entry, CudaFunction>,
    /// Block shape that a measurement imposes on kernels that support any shape.
    pub(crate) block: Option<[u32; 2]>,
    /// The launches since a measurement began to record them; `None` while it does not.
    pub(crate) recorded: Option<Vec<(CudaFunction, LaunchConfig)>>,
}

impl Launcher {
    /// A launcher without loaded modules.
    pub(crate) fn new(device: Device) -> Self {
        let modules = Arc::new(Modules::new(Arc::clone(&device.context)));
        Self { device, modules, functions: HashMap::new(), block: None, recorded: None }
    }

    /// The block shape of kernels that compute one pixel a thread.
    pub(crate) fn pixel_block(&self) -> [u32; 2] {
        self.block.unwrap_or(PIXEL_BLOCK)
    }

    /// The function of `entry`; its module is loaded on first use.
    ///
    /// # Errors
    /// If the module does not load or has no such function, or if the device has too little shared memory for it.
    pub(crate) fn function(&mut self, entry: &Entry) -> Result<CudaFunction, DriverError> {
        if let Some(function) = self.functions.get(entry) {
            return Ok(function.clone());
        }
        let name = entry.to_string();
        let module = self.modules.get_for_launch(&name)?;
        let function = module.load_function(&name);
        let function = function.context(format_args!("kernel '{entry}' is not in its module"))?;
        if Module::of_entry(&name).is_some_and(|(module, _)| module.shares) {
            let maximum = sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
            // Static shared memory counts against the same limit.
            let fixed = sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES;
            let fixed = function.get_attribute(fixed).context("shared memory is not reported")?;
            let bytes = i32::try_from(self.device.limits.shared_bytes).unwrap_or(i32::MAX) - fixed;
            function.set_attribute(maximum, bytes).context("shared memory is refused")?;
        }
        self.functions.insert(*entry, function.clone());
        Ok(function)
    }

    /// Queues `launch` in the device's stream.
    ///
    /// # Errors
    /// If the kernel does not load or the driver refuses the launch.
    ///
    /// # Safety
    /// Every address and handle in the arguments refers to memory, a texture or a surface of this device's context that is
    /// alive now, and that is freed only in stream order or after a wait for the stream. Each has room for all that the
    /// entry reads and writes with these arguments in this many blocks. The grid has the threads and the shared memory that
    /// the entry was written for. The type of the arguments is checked at compile time.
    #[expect(unsafe_code, reason = "a kernel reads and writes by the addresses of its arguments")]
    pub(crate) unsafe fn launch<T: DeviceRepr>(&mut self, launch: &Launch<T>) -> Result<(), DriverError> {
        let stream = Arc::clone(&self.device.stream);
        // SAFETY: as the caller promises.
        unsafe { self.launch_in(&stream, launch) }
    }

    /// Queues `launch` in `stream`, a stream of the device's context.
    ///
    /// # Errors
    /// As [`Launcher::launch`].
    ///
    /// # Safety
    /// As of [`Launcher::launch`], in the order of `stream`.
    #[expect(unsafe_code, reason = "a kernel reads and writes by the addresses of its arguments")]
    pub(crate) unsafe fn launch_in<T: DeviceRepr>(
        &mut self,
        stream: &Arc<CudaStream>,
        launch: &Launch<T>,
    ) -> Result<(), DriverError> {
        let Launch { entry, arguments, config } = launch;
        let entry = entry.entry();
        let function = self.function(&entry)?;
        if let Some(recorded) = &mut self.recorded {
            recorded.push((function.clone(), *config));
        }
        let mut builder = stream.launch_builder(&function);
        builder.arg(arguments);
        // SAFETY: a `TypedEntry` takes one `T`, whose declaration is compared with the kernel's (`kernel_struct!`); the driver
        // copies it before the call returns. The function belongs to the context of the stream. The caller guarantees the
        // validity of the addresses.
        let launched = unsafe { builder.launch(*config) };
        launched.context(format_args!("kernel '{entry}' does not start"))?;
        Ok(())
    }

    /// Launches the kernel that traps, in one thread.
    ///
    /// # Errors
    /// As [`Launcher::launch`].
    pub(crate) fn trap(&mut self) -> Result<(), DriverError> {
        let entry = TypedEntry::trap().entry();
        let function = self.function(&entry)?;
        #[expect(unsafe_code, reason = "a kernel is launched")]
        // SAFETY: the entry takes no argument and touches no memory. The trap invalidates the context, which the caller
        // then abandons.
        let launched = unsafe { self.device.stream.launch_builder(&function).launch(LaunchConfig::for_num_elems(1)) };
        launched.context(format_args!("kernel '{entry}' does not start"))?;
        Ok(())
    }

    /// The launch of the lowest occupancy among `launches`: what is resident of it on a multiprocessor, and what keeps more
    /// away. `None` for no launches.
    ///
    /// # Errors
    /// If the driver does not report an occupancy or an attribute.
    pub(crate) fn least_resident(
        &self,
        launches: &[(CudaFunction, LaunchConfig)],
    ) -> Result<Option<BlockFacts>, DriverError> {
        let mut least: Option<BlockFacts> = None;
        for (function, config) in launches {
            let facts = self.block_facts(function, config)?;
            if least.is_none_or(|least| facts.occupancy < least.occupancy) {
                least = Some(facts);
            }
        }
        Ok(least)
    }

    fn block_facts(&self, function: &CudaFunction, config: &LaunchConfig) -> Result<BlockFacts, DriverError> {
        use sys::CUfunction_attribute as OfFunction;
        let of_device = |attribute: Attribute| -> Result<u32, DriverError> {
            let value = self.device.context.attribute(attribute).context("a limit of the device is not reported")?;
            Ok(u32::try_from(value).unwrap_or(0))
        };
        let of_function = |attribute: OfFunction| -> Result<u32, DriverError> {
            let value = function.get_attribute(attribute).context("an attribute of the kernel is not reported")?;
            Ok(u32::try_from(value).unwrap_or(0))
        };
        let (grid, block) = (config.grid_dim, config.block_dim);
        let threads = block.0 * block.1 * block.2;
        let blocks = u64::from(grid.0) * u64::from(grid.1) * u64::from(grid.2);
        let dynamic = config.shared_mem_bytes;
        let resident = function.occupancy_max_active_blocks_per_multiprocessor(threads, dynamic as usize, None);
        let resident = resident.context("the occupancy is not reported")?;
        let warps = threads.div_ceil(32);
        let most_threads = of_device(Attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR)?;
        let registers = of_function(OfFunction::CU_FUNC_ATTRIBUTE_NUM_REGS)?;
        let shared_bytes = of_function(OfFunction::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)? + dynamic;
        // Registers are given to warps in pieces of 256.
        let of_block = (registers * 32).next_multiple_of(256) * warps;
        let by_registers =
            of_device(Attribute::CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR)?.checked_div(of_block);
        let reserved = of_device(Attribute::CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK)?;
        let by_shared = self.device.limits.shared_bytes_in_all.checked_div(shared_bytes + reserved);
        let by_threads = most_threads / threads.max(1);
        let limit = match [by_registers, by_shared].map(|blocks| blocks.filter(|blocks| *blocks < by_threads)) {
            [Some(by_registers), Some(by_shared)] if by_shared < by_registers => ResidencyLimit::SharedMemory,
            [Some(_), _] => ResidencyLimit::Registers,
            [None, Some(_)] => ResidencyLimit::SharedMemory,
            [None, None] => ResidencyLimit::Threads,
        };
        let at_once = u64::from(self.device.limits.multiprocessors) * u64::from(resident);
        // Two transfers for each clock.
        let clock_khz = of_device(Attribute::CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE)?;
        let bus_bits = of_device(Attribute::CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH)?;
        let rate = 2.0 * f64::from(clock_khz) * 1e3 * f64::from(bus_bits) / 8.0;
        Ok(BlockFacts {
            waves: blocks as f64 / at_once.max(1) as f64,
            registers,
            shared_bytes,
            resident,
            limit,
            occupancy: f64::from(resident * warps) / (f64::from(most_threads) / 32.0),
            memory_rate: (rate > 0.0).then_some(rate),
        })
    }
}
