//! Block sweep in the window: a background thread times every kernel in every block shape. The window shows the report
//! while it grows.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::backend::{BackendError, BackendKind, BlockSweepOptions, Kernel};
use crate::block_sweep;
use crate::block_sweep::{BlockSweepReport, Progress};
use crate::filter::CancelToken;
use crate::image::Size;
use crate::panics::{Panicked, caught};
use crate::sampling::{SAMPLING_PATHS, SamplingPath};

/// Scale of the view, in samples per pixel.
const SCALE: f64 = 0.5;
/// Minimum time between two repaints for new results.
const REPAINT_INTERVAL: Duration = Duration::from_millis(50);

/// Why a sweep ended early.
#[derive(Debug, Error)]
pub(super) enum SweepEnd {
    /// The user cancelled the sweep.
    #[error("Cancelled: the table has the results until then")]
    Cancelled,
    /// The backend failed.
    #[error(transparent)]
    Backend(BackendError),
    /// The thread panicked.
    #[error("The block sweep failed: {0}")]
    Panicked(Panicked),
}

/// State of a sweep, shared with its thread.
#[derive(Debug, Default)]
pub(super) struct SweepState {
    pub(super) report: Option<BlockSweepReport>,
    pub(super) progress: Option<Progress>,
    pub(super) is_running: bool,
    pub(super) end: Option<SweepEnd>,
}

/// Window of the block sweep.
#[derive(Debug, Default)]
pub(in crate::app) struct BlockSweepWindow {
    pub(super) is_open: bool,
    /// The kernel to time; `None` for all.
    pub(super) kernel: Option<Kernel>,
    /// The row whose bars are shown; `None` for the slowest kernel.
    pub(super) chosen: Option<usize>,
    /// Number of rows in the last frame.
    pub(super) drawn_rows: Option<usize>,
    pub(super) state: Arc<Mutex<SweepState>>,
    pub(super) stop: CancelToken,
}

/// Locks the state. A panic while it was locked leaves a valid state.
pub(super) fn lock(state: &Mutex<SweepState>) -> MutexGuard<'_, SweepState> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl BlockSweepWindow {
    /// Opens the window.
    pub(in crate::app) fn open(&mut self) {
        self.is_open = true;
    }

    /// Closes the window and cancels the sweep. Returns false if the window was closed.
    pub(in crate::app) fn close(&mut self) -> bool {
        self.stop.cancel();
        std::mem::take(&mut self.is_open)
    }

    /// Starts a sweep on a new instance of `backend`.
    pub(super) fn start(&mut self, ctx: &egui::Context, backend: BackendKind) {
        self.stop = CancelToken::default();
        self.chosen = None;
        self.state = Arc::new(Mutex::new(SweepState { is_running: true, ..SweepState::default() }));
        let (state, stop, ctx) = (Arc::clone(&self.state), self.stop.clone(), ctx.clone());
        let kernels = self.kernel.into_iter().collect();
        std::thread::spawn(move || {
            let end = match caught(|| run(backend, kernels, &stop, &state, &ctx)) {
                Ok(Ok(())) => None,
                Ok(Err(BackendError::Cancelled)) => Some(SweepEnd::Cancelled),
                Ok(Err(error)) => Some(SweepEnd::Backend(error)),
                Err(panicked) => Some(SweepEnd::Panicked(panicked)),
            };
            let mut state = lock(&state);
            (state.is_running, state.end) = (false, end);
            ctx.request_repaint();
        });
    }
}

impl Drop for BlockSweepWindow {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// Options of a sweep in the window. On a CPU it takes some seconds.
fn options(backend: BackendKind, kernels: Vec<Kernel>) -> Option<BlockSweepOptions> {
    let (size, image, repeats) = match backend {
        BackendKind::Cuda => ([3840, 2160], [4096, 4096], 51),
        BackendKind::Cpu | BackendKind::Reference => ([960, 540], [1024, 1024], 5),
    };
    let side = |[width, height]: [u32; 2]| Size::new(width, height).ok();
    Some(BlockSweepOptions {
        size: side(size)?,
        image: side(image)?,
        view: block_sweep::view(SCALE).ok()?,
        repeats,
        kernels,
    })
}

/// The kernels that can be timed.
pub(super) fn kernels(backend: BackendKind) -> Vec<Kernel> {
    match backend {
        BackendKind::Cuda => Kernel::all(&SAMPLING_PATHS.each_ref().map(|row| row.path)),
        BackendKind::Cpu | BackendKind::Reference => {
            Kernel::all(&[SamplingPath::Auto, SamplingPath::Filtered, SamplingPath::FilteredTable])
        }
    }
}

/// Runs a sweep and keeps its report in `state`.
fn run(
    backend: BackendKind,
    kernels: Vec<Kernel>,
    stop: &CancelToken,
    state: &Mutex<SweepState>,
    ctx: &egui::Context,
) -> Result<(), BackendError> {
    let Some(options) = options(backend, kernels) else { return Ok(()) };
    let mut backend = backend.row().try_open()?;
    let mut drawn = Instant::now();
    let mut watch = |report: &BlockSweepReport, progress: Progress| {
        let mut state = lock(state);
        (state.report, state.progress) = (Some(report.clone()), Some(progress));
        if drawn.elapsed() >= REPAINT_INTERVAL {
            drawn = Instant::now();
            ctx.request_repaint();
        }
    };
    // An own thread pool: renders of the window do not wait for a measurement.
    match rayon::ThreadPoolBuilder::new().build() {
        Ok(pool) => pool.install(|| block_sweep::run(&mut *backend, &options, stop, &mut watch))?,
        Err(_) => block_sweep::run(&mut *backend, &options, stop, &mut watch)?,
    };
    Ok(())
}
