//! Kernel modules: the committed PTX and the modules loaded from it.
//!
//! The driver compiles a module when it is first loaded and caches the result on disk, so kernels that are used together
//! share a module.

use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::{CudaContext, CudaModule, sys};
use cudarc::nvrtc::Ptx;

use crate::backend::cuda::driver::fault::{Fault, because};

/// A file of kernels/ptx.
#[derive(Debug)]
pub struct PtxFile {
    /// The kernel file's name, without its ending.
    pub name: &'static str,
    /// What the build script made of it.
    pub text: &'static str,
}

macro_rules! ptx_files {
    ($($name:literal),*) => {
        /// The committed PTX.
        pub static PTX_FILES: [PtxFile; [$($name),*].len()] = [$(PtxFile {
            name: $name,
            text: include_str!(concat!("../../../../kernels/ptx/", $name, ".ptx")),
        }),*];
    };
}
ptx_files!(
    "bench",
    "direct_u16",
    "direct_u8",
    "display",
    "filtered",
    "filters",
    "gaussian",
    "gaussian_tile_16",
    "gaussian_tile_8",
    "layout",
    "lookup",
    "median",
    "passes",
    "prefilter",
    "tiled_f32",
    "tiled_u16",
    "tiled_u8"
);

/// The modules loaded so far. Each has a lock of its own: a caller waits for the module that it needs and for no other.
#[derive(Debug)]
pub(crate) struct Modules {
    context: Arc<CudaContext>,
    loaded: [Mutex<Option<Arc<CudaModule>>>; PTX_FILES.len()],
}

impl Modules {
    pub(crate) fn new(context: Arc<CudaContext>) -> Self {
        Self { context, loaded: Default::default() }
    }

    /// The module called `name`, loaded on first use. A failed load is not cached: the next call tries again.
    pub(crate) fn get(&self, name: &str) -> Result<Arc<CudaModule>, Fault> {
        let file = PTX_FILES.iter().zip(&self.loaded).find(|(file, _)| file.name == name);
        let Some((file, place)) = file else {
            let unknown = cudarc::driver::DriverError(sys::CUresult::CUDA_ERROR_NOT_FOUND);
            return Err(because(format_args!("there is no module '{name}'"))(unknown));
        };
        // A thread that panicked leaves a whole module or none.
        let mut module = place.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(module) = &*module {
            return Ok(Arc::clone(module));
        }
        let loaded = self.context.load_module(Ptx::from_src(file.text));
        let loaded = loaded.map_err(because(format_args!("module '{name}' does not load")))?;
        Ok(Arc::clone(module.insert(loaded)))
    }
}
