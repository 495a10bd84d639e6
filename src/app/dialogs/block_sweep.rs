//! The race in the window: it runs on a thread of its own, and what there is so far is shown as it comes.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::backend::{BackendError, BackendKind, Kernel, RaceOptions};
use crate::filter::Stop;
use crate::image::Size;
use crate::panics::caught;
use crate::race;
use crate::race::{Progress, RaceReport};
use crate::sampling::{PATHS, Path};

/// The scale at which methods are raced: two pixels a sample.
const SCALE: f64 = 0.5;
/// How often, at most, the window is drawn for a lap.
const PACE: Duration = Duration::from_millis(50);

/// What there is of a race.
#[derive(Debug, Default)]
pub(super) struct SweepState {
    pub(super) report: Option<RaceReport>,
    pub(super) progress: Option<Progress>,
    pub(super) is_running: bool,
    /// Why it ended before its end.
    pub(super) said: Option<String>,
}

/// The window of the race.
#[derive(Debug, Default)]
pub(in crate::app) struct BlockSweepWindow {
    pub(super) is_open: bool,
    /// The kernel that is to run; all where there is none.
    pub(super) kernel: Option<Kernel>,
    /// The row whose bars are shown; the slowest kernel's where there is none.
    pub(super) chosen: Option<usize>,
    /// Rows in the last frame.
    pub(super) drawn_rows: Option<usize>,
    pub(super) course: Arc<Mutex<SweepState>>,
    pub(super) stop: Stop,
}

/// The course; a thread that panicked left it whole.
pub(super) fn lock(course: &Mutex<SweepState>) -> MutexGuard<'_, SweepState> {
    course.lock().unwrap_or_else(PoisonError::into_inner)
}

impl BlockSweepWindow {
    /// Opens the window.
    pub(in crate::app) fn open(&mut self) {
        self.is_open = true;
    }

    /// Closes the window and ends the race; false where there was none.
    pub(in crate::app) fn close(&mut self) -> bool {
        self.stop.now();
        std::mem::take(&mut self.is_open)
    }

    /// Starts a race on `backend`, in an instance of its own.
    pub(super) fn start(&mut self, ctx: &egui::Context, backend: BackendKind) {
        self.stop = Stop::default();
        self.chosen = None;
        self.course = Arc::new(Mutex::new(SweepState { is_running: true, ..SweepState::default() }));
        let (course, stop, ctx) = (Arc::clone(&self.course), self.stop.clone(), ctx.clone());
        let kernels = self.kernel.into_iter().collect();
        std::thread::spawn(move || {
            let said = match caught(|| run(backend, kernels, &stop, (&course, &ctx))) {
                Ok(Ok(())) => None,
                Ok(Err(BackendError::Stopped)) => Some("Cancelled: what had run by then".to_owned()),
                Ok(Err(error)) => Some(error.to_string()),
                Err(panicked) => Some(format!("The race failed: {panicked}")),
            };
            let mut course = lock(&course);
            (course.is_running, course.said) = (false, said);
            ctx.request_repaint();
        });
    }
}

impl Drop for BlockSweepWindow {
    fn drop(&mut self) {
        self.stop.now();
    }
}

/// What is raced in the window: on a CPU as much as runs in some seconds.
fn options(backend: BackendKind, kernels: Vec<Kernel>) -> Option<RaceOptions> {
    let (size, image, repeats) = match backend {
        BackendKind::Cuda => ([3840, 2160], [4096, 4096], 51),
        BackendKind::Cpu | BackendKind::Reference => ([960, 540], [1024, 1024], 5),
    };
    let side = |[width, height]: [u32; 2]| Size::new(width, height).ok();
    Some(RaceOptions { size: side(size)?, image: side(image)?, view: race::view(SCALE).ok()?, repeats, kernels })
}

/// The kernels to choose from.
pub(super) fn kernels(backend: BackendKind) -> Vec<Kernel> {
    match backend {
        BackendKind::Cuda => Kernel::all(&PATHS.each_ref().map(|row| row.path)),
        BackendKind::Cpu | BackendKind::Reference => Kernel::all(&[Path::Auto, Path::Filtered]),
    }
}

/// Runs a race and leaves what there is in the course.
fn run(
    backend: BackendKind,
    kernels: Vec<Kernel>,
    stop: &Stop,
    (course, ctx): (&Mutex<SweepState>, &egui::Context),
) -> Result<(), BackendError> {
    let Some(options) = options(backend, kernels) else { return Ok(()) };
    let mut backend = backend.row().try_open()?;
    let mut drawn = Instant::now();
    let mut watch = |report: &RaceReport, progress: Progress| {
        let mut course = lock(course);
        (course.report, course.progress) = (Some(report.clone()), Some(progress));
        if drawn.elapsed() >= PACE {
            drawn = Instant::now();
            ctx.request_repaint();
        }
    };
    // Threads of its own: the window does not wait behind a lap.
    match rayon::ThreadPoolBuilder::new().build() {
        Ok(pool) => pool.install(|| race::run(&mut *backend, &options, stop, &mut watch))?,
        Err(_) => race::run(&mut *backend, &options, stop, &mut watch)?,
    };
    Ok(())
}
