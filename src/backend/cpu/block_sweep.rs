//! Timing of the CPU's kernels in bands of different heights.

use std::num::NonZeroUsize;
use std::time::Instant;

use super::CpuBackend;
use crate::backend::bench::{median, noise};
use crate::backend::block_bounds::{Bounds, Division};
use crate::backend::block_sweep::{BlockSweepOptions, Kernel, KernelTimer, Shape, Timing};
use crate::backend::{Backend as _, BackendError, BackendKind, Feature, PixelFormat, RenderRequest};
use crate::filter::{CancelToken, Edges, ExecOptions, GaussianBlur, Plane, Step, gaussian_transposed};
use crate::image::{Channels, Image, Raster};
use crate::sampling::{AddressMode, Sampler, SamplingPath};

/// Heights of the bands, in rows.
const BAND_HEIGHTS: [u32; 8] = [1, 2, 4, 8, 16, 32, 64, 128];

/// Input and output of the kernels.
pub(super) struct CpuKernelTimer {
    options: BlockSweepOptions,
    backend: CpuBackend,
    image: Image,
    plane: Plane,
    shown: Raster,
    filtered: Vec<f32>,
}

impl CpuKernelTimer {
    /// # Errors
    /// Where the sizes hold nothing.
    pub(super) fn new(options: &BlockSweepOptions) -> Result<Self, BackendError> {
        let too_large = || BackendError::Limit { what: format!("noise of {} samples", options.image) };
        let image = noise(options.image).ok_or_else(too_large)?;
        let samples = noise(options.size).ok_or_else(too_large)?;
        let numbers = samples.pages()[0].raster().samples();
        let values = (0..numbers.len()).map(|place| numbers.number(place) / 255.0).collect();
        let size = [options.size.width(), options.size.height()];
        Ok(Self {
            options: options.clone(),
            backend: CpuBackend::new(),
            image,
            plane: Plane { size, first: [0; 2], channels: Channels::Grey, values },
            shown: Raster::zeros(options.size, Channels::Grey, PixelFormat::TEXTURE.depth),
            filtered: Vec::new(),
        })
    }

    /// One run of a filter.
    fn filter(&mut self, step: &Step, work: &ExecOptions) {
        let edges = Edges { address: [AddressMode::Clamp; 2], border: 0.0 };
        step.apply(&self.plane, &edges, work, &mut self.filtered);
    }

    /// One run of a Gaussian by transposing passes.
    fn filter_transposed(&mut self, step: &Step, work: &ExecOptions) {
        let edges = Edges { address: [AddressMode::Clamp; 2], border: 0.0 };
        let blur = GaussianBlur::new(step.parameters());
        gaussian_transposed(&blur, &self.plane, &edges, work, &mut self.filtered);
    }

    /// One picture.
    fn render(&mut self, request: &RenderRequest, work: &ExecOptions) -> Result<(), BackendError> {
        self.backend.set_exec_options(work.clone());
        self.backend.render(&self.image, request, PixelFormat::TEXTURE, &mut self.shown)
    }
}

impl KernelTimer for CpuKernelTimer {
    fn description(&self) -> String {
        format!("{}, heights of the bands that a core makes at once", self.backend.description())
    }

    fn shapes(&self) -> Vec<Shape> {
        BAND_HEIGHTS.map(|rows| Shape::Band { rows }).to_vec()
    }

    fn kernels(&self) -> Vec<Kernel> {
        Kernel::all(&[SamplingPath::Auto, SamplingPath::Filtered, SamplingPath::FilteredTable])
    }

    fn fixed_shape(&self, _kernel: &Kernel) -> Option<Shape> {
        None
    }

    fn time(&mut self, kernel: &Kernel, shape: Shape, stop: &CancelToken) -> Result<Timing, BackendError> {
        let rows = match shape {
            Shape::Band { rows } => NonZeroUsize::new(rows as usize),
            Shape::Block { .. } => {
                return Err(BackendError::Unsupported { backend: BackendKind::Cpu, what: Feature::ThreadBlocks });
            }
        };
        let work = ExecOptions { band_rows: rows, stop: stop.clone(), ..ExecOptions::default() };
        let mut times = Vec::with_capacity(self.options.repeats);
        // The first run fetches memory and prepares samples: it does not count.
        for run in 0..=self.options.repeats {
            let start = Instant::now();
            match kernel {
                Kernel::Filter(step) => self.filter(step, &work),
                Kernel::TransposedPasses(step) => self.filter_transposed(step, &work),
                Kernel::Method { method, path } => {
                    let sampler = Sampler { path: *path, ..Sampler::default().with_method(*method) };
                    let request =
                        RenderRequest { view: self.options.view, sampler, ..RenderRequest::new(self.options.size) };
                    self.render(&request, &work)?;
                }
                Kernel::KernelVariant { variant, .. } => {
                    return Err(BackendError::Unsupported {
                        backend: BackendKind::Cpu,
                        what: Feature::KernelVariant(*variant),
                    });
                }
            }
            if stop.is_set() {
                return Err(BackendError::Cancelled);
            }
            if run > 0 {
                times.push(start.elapsed().as_secs_f64() * 1e6);
            }
        }
        let cores = u32::try_from(rayon::current_num_threads()).unwrap_or(u32::MAX);
        let rows = rows.map_or(1, |rows| rows.get() as u32);
        let bands = self.options.size.height().div_ceil(rows);
        // Bytes of samples and results; filters have single-precision values.
        let bytes = match kernel {
            Kernel::Filter(_) | Kernel::TransposedPasses(_) => self.options.least_bytes(kernel, [4, 4]),
            Kernel::Method { .. } | Kernel::KernelVariant { .. } => self.options.least_bytes(kernel, [1, 1]),
        };
        let bounds = Bounds { bytes, division: Division::Cores { bands, cores } };
        Ok(Timing { median_us: median(times), occupancy: None, bounds })
    }
}
