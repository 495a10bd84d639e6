//! Kernel modules: loaded into the context of a device when a launch first needs them.
//!
//! A device with a cubin of its major compute capability loads that: the modules that a window needs at its start have
//! cubins. Everything else is PTX, which the driver compiles on first use and caches on disk.

use std::fmt::Display;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::{CudaContext, CudaModule, DriverError as DriverCode, sys};
use cudarc::nvrtc::Ptx;

use super::compiled::{MODULES, Module};
use crate::backend::cuda::driver::error::{Context as _, DriverError, ErrorClass};

/// The driver's code for a kernel that the program does not contain.
const NOT_FOUND: DriverCode = DriverCode(sys::CUresult::CUDA_ERROR_NOT_FOUND);

/// The environment variable that selects PTX where there is a cubin: `LERPSCOPE_CUDA_PTX=1`.
const PTX_VARIABLE: &str = "LERPSCOPE_CUDA_PTX";

/// The modules loaded so far. Each has a lock of its own: a caller waits for the module that it needs and for no other.
#[derive(Debug)]
pub(crate) struct Modules {
    context: Arc<CudaContext>,
    /// The device's major compute capability, for its cubins; `None` if PTX is used.
    cubin_major: Option<i32>,
    /// False once the driver has refused a cubin: it may be older than the assembler. PTX is used from then on.
    uses_cubins: AtomicBool,
    /// A place for each entry of each module, in the order of [`MODULES`]. A cubin is in its module's first place.
    places: Vec<Vec<Mutex<Place>>>,
    /// How many modules launches have loaded themselves.
    late: AtomicUsize,
}

/// What became of a module.
#[derive(Debug, Default)]
enum Place {
    #[default]
    Unloaded,
    Loaded(Arc<CudaModule>),
    /// The driver refused it. The next use tries again and reports the error.
    Refused,
}

impl Modules {
    pub(crate) fn new(context: Arc<CudaContext>) -> Self {
        let wants_ptx = std::env::var_os(PTX_VARIABLE).is_some_and(|value| value == "1");
        let capability = context.compute_capability().inspect_err(|error| log::info!("cubins are not used: {error}"));
        let cubin_major = capability.ok().map(|(major, _)| major).filter(|_| !wants_ptx);
        let places = |module: &Module| module.entries.iter().map(|_| Mutex::default()).collect();
        Self {
            context,
            cubin_major,
            uses_cubins: AtomicBool::new(true),
            places: MODULES.iter().map(places).collect(),
            late: AtomicUsize::new(0),
        }
    }

    /// The module of a kernel that is about to be launched; counts those that are not loaded yet.
    pub(crate) fn get_for_launch(&self, entry: &str) -> Result<Arc<CudaModule>, DriverError> {
        self.get_with(entry, || {
            self.late.fetch_add(1, Ordering::Relaxed);
        })
    }

    /// How many modules launches have loaded themselves.
    pub(crate) fn late_loads(&self) -> usize {
        self.late.load(Ordering::Relaxed)
    }

    /// The module that contains the kernel `entry`, loaded on first use. A failed load is not cached: the next call tries
    /// again.
    pub(crate) fn get(&self, entry: &str) -> Result<Arc<CudaModule>, DriverError> {
        self.get_with(entry, || ())
    }

    /// As [`Modules::get`]; calls `on_load` if the module is not loaded yet.
    fn get_with(&self, entry: &str, on_load: impl FnOnce()) -> Result<Arc<CudaModule>, DriverError> {
        let unknown = || DriverError::new(format_args!("there is no kernel '{entry}'"), NOT_FOUND);
        let found = self.find(entry).ok_or_else(unknown)?;
        let mut place = found.place.lock().unwrap_or_else(PoisonError::into_inner);
        if let Place::Loaded(loaded) = &*place {
            return Ok(Arc::clone(loaded));
        }
        on_load();
        *place = Place::Refused;
        let Some(cubin) = found.cubin_major.and_then(|major| found.module.cubin(major)) else {
            let loaded = self.load(entry, found.module.ptx(found.position).map(Ptx::from_src))?;
            *place = Place::Loaded(Arc::clone(&loaded));
            return Ok(loaded);
        };
        match self.load(entry, cubin.map(Ptx::from_binary)) {
            Ok(loaded) => {
                *place = Place::Loaded(Arc::clone(&loaded));
                Ok(loaded)
            }
            Err(error) if matches!(error.class(), ErrorClass::ContextLost | ErrorClass::Memory) => Err(error),
            Err(error) => {
                log::warn!("{}: PTX is used", error.what);
                self.uses_cubins.store(false, Ordering::Relaxed);
                *place = Place::Unloaded;
                drop(place);
                self.get(entry)
            }
        }
    }

    /// Loads the decompressed `image` of the module of `entry`.
    fn load(&self, entry: &str, image: Result<Ptx, impl Display>) -> Result<Arc<CudaModule>, DriverError> {
        let image =
            image.map_err(|error| DriverError::new(format_args!("kernel '{entry}' is damaged: {error}"), NOT_FOUND))?;
        self.context.load_module(image).context(format_args!("the module of kernel '{entry}' does not load"))
    }

    /// Whether [`Modules::get`] would return at once: the module is loaded, or the driver has refused it. Does not wait.
    pub(crate) fn is_settled(&self, entry: &str) -> bool {
        // A lock that is held is held by a load.
        self.find(entry).is_none_or(|found| {
            found.place.try_lock().is_ok_and(|place| matches!(*place, Place::Loaded(_) | Place::Refused))
        })
    }

    /// Where `entry` is.
    fn find(&self, entry: &str) -> Option<Found<'_>> {
        let (module, position) = Module::of_entry(entry)?;
        let cubin_major = self
            .cubin_major
            .filter(|&major| self.uses_cubins.load(Ordering::Relaxed) && module.cubin_majors().any(|of| of == major));
        let (_, places) = MODULES.iter().zip(&self.places).find(|(of, _)| of.name == module.name)?;
        let place = places.get(if cubin_major.is_some() { 0 } else { position })?;
        Some(Found { module, position, cubin_major, place })
    }
}

/// An entry's module, its position in it, and the place of what is loaded for it.
struct Found<'a> {
    module: &'static Module,
    position: usize,
    /// The major compute capability of the cubin; `None` if PTX is used.
    cubin_major: Option<i32>,
    place: &'a Mutex<Place>,
}
