//! The thread that turns images. The drawer names the experiment that it wants in every frame and gets what is done of it;
//! another experiment cancels the one in progress.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use egui::ColorImage;

use crate::backend::{BackendError, CpuBackend};
use crate::filter::{CancelToken, ExecOptions};
use crate::image::{Page, PageId, Raster};
use crate::lab::rotations::{RotationError, RotationReport, RotationTest};
use crate::panics::caught;
use crate::sampling::Sampler;

/// Largest side of the square that is turned, in samples: all turns of nine panels are kept as pictures.
pub(super) const MOST_SIDE: u32 = 256;

/// An experiment.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RotationJob {
    pub(super) page: PageId,
    pub(super) samplers: Vec<Sampler>,
    pub(super) turns: u32,
}

/// What is done of an experiment.
#[derive(Clone, Debug, Default)]
pub(super) struct MadeTurns {
    /// The errors so far.
    pub(super) report: RotationReport,
    /// Pictures of each sampler after 0, 1, 2 … turns.
    pub(super) pictures: Vec<Vec<Arc<ColorImage>>>,
    /// Why there are no more.
    pub(super) failure: Option<String>,
    /// Whether all turns are done, or failed.
    pub(super) is_done: bool,
}

impl MadeTurns {
    /// Nothing of `job`.
    fn none_of(job: &RotationJob) -> Self {
        let report = RotationReport { turns: job.turns, samplers: job.samplers.clone(), rows: Vec::new() };
        Self { report, ..Self::default() }
    }
}

/// The thread and its results.
#[derive(Debug, Default)]
pub(super) struct RotationWorker {
    shared: Arc<Shared>,
    has_thread: bool,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    wanted: Option<(RotationJob, Arc<Page>)>,
    made: Option<(RotationJob, Arc<MadeTurns>)>,
    stop: CancelToken,
    is_closed: bool,
}

impl Shared {
    /// The state. No code that can panic runs while it is locked.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// What is done of `job`, begun or not.
    fn result(&self, job: &RotationJob) -> Option<Arc<MadeTurns>> {
        self.made.as_ref().filter(|(made, _)| made == job).map(|(_, made)| Arc::clone(made))
    }

    /// Whether the wanted experiment is done.
    fn is_done(&self) -> bool {
        self.wanted.as_ref().is_none_or(|(job, _)| self.result(job).is_some_and(|made| made.is_done))
    }
}

impl RotationWorker {
    /// What is done of `job`, on `page`; the thread goes on with it and repaints the window of `ctx` after each turn.
    pub(super) fn result(&mut self, ctx: &egui::Context, job: RotationJob, page: &Arc<Page>) -> Arc<MadeTurns> {
        let mut state = self.shared.lock();
        let result = state.result(&job).unwrap_or_else(|| Arc::new(MadeTurns::none_of(&job)));
        if state.wanted.as_ref().is_none_or(|(wanted, _)| *wanted != job) {
            state.stop.cancel();
            state.wanted = Some((job, Arc::clone(page)));
        }
        drop(state);
        if !std::mem::replace(&mut self.has_thread, true) {
            let (shared, ctx) = (Arc::clone(&self.shared), ctx.clone());
            std::thread::spawn(move || run(&shared, &ctx));
        }
        self.shared.changed.notify_all();
        result
    }

    /// All turns of `job`. Blocks until they are done.
    pub(super) fn wait(&mut self, ctx: &egui::Context, job: &RotationJob, page: &Arc<Page>) -> Arc<MadeTurns> {
        drop(self.result(ctx, job.clone(), page));
        let mut state = self.shared.lock();
        while !state.is_done() {
            state = self.shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.result(job).unwrap_or_default()
    }

    /// Drops the work; what is done of it is dropped as well, unless it is all.
    pub(super) fn rest(&self) {
        let mut state = self.shared.lock();
        state.wanted = None;
        state.stop.cancel();
        state.made.take_if(|(_, made)| !made.is_done);
    }

    /// Whether the wanted experiment is done.
    pub(super) fn is_idle(&self) -> bool {
        self.shared.lock().is_done()
    }
}

impl Drop for RotationWorker {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.is_closed = true;
        state.stop.cancel();
        drop(state);
        self.shared.changed.notify_all();
    }
}

/// The thread: does experiment after experiment until the worker is dropped.
fn run(shared: &Shared, ctx: &egui::Context) {
    // Its own threads: the window's renders do not queue behind the turns, and a core is left to the window.
    let threads = rayon::current_num_threads().saturating_sub(1).max(1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let mut state = shared.lock();
    while !state.is_closed {
        let Some((job, page)) = state.wanted.clone().filter(|_| !state.is_done()) else {
            state = shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            continue;
        };
        state.stop = CancelToken::default();
        let work = ExecOptions { stop: state.stop.clone(), ..ExecOptions::default() };
        drop(state);
        let publish = |made: &MadeTurns| {
            let mut state = shared.lock();
            if !work.stop.is_set() {
                state.made = Some((job.clone(), Arc::new(made.clone())));
                ctx.request_repaint();
            }
        };
        let mut made = MadeTurns::none_of(&job);
        let mut turn_all = || caught(|| turn(&job, &page, &work, (&mut made, &publish)));
        let result = match &pool {
            Ok(pool) => pool.install(&mut turn_all),
            Err(_) => turn_all(),
        };
        made.failure = match result {
            Ok(Ok(()) | Err(RotationError::Backend(BackendError::Cancelled))) => None,
            Ok(Err(error)) => Some(error.to_string()),
            Err(panicked) => {
                log::error!("repeated rotation failed: {panicked}");
                Some(panicked.to_string())
            }
        };
        made.is_done = true;
        publish(&made);
        state = shared.lock();
        shared.changed.notify_all();
    }
}

/// Turns `page` as `job` says, and publishes what is made after each turn of all samplers.
fn turn(
    job: &RotationJob,
    page: &Arc<Page>,
    work: &ExecOptions,
    (made, publish): (&mut MadeTurns, &(dyn Fn(&MadeTurns) + Sync)),
) -> Result<(), RotationError> {
    let test = RotationTest::new(page, job.turns, Some(MOST_SIDE))?;
    let first = Arc::new(picture(test.original()));
    made.pictures = vec![vec![first]; job.samplers.len()];
    publish(made);
    test.run(&mut CpuBackend::new(), &job.samplers, work, &mut |turned| {
        made.report.push(&turned);
        made.pictures[turned.sampler].push(Arc::new(picture(turned.picture)));
        if turned.sampler + 1 == job.samplers.len() {
            publish(made);
        }
    })
}

/// The values of a raster without alpha, clamped to black … white.
fn picture(values: &Raster) -> ColorImage {
    let size = values.size();
    let places = (0..size.height()).flat_map(|row| (0..size.width()).map(move |column| (column, row)));
    let byte = |column: u32, row: u32, channel: usize| {
        (values.number(column, row, channel).clamp(0.0, 1.0) * 255.0).round() as u8
    };
    let colour = |(column, row)| match values.channels().count() {
        1 => egui::Color32::from_gray(byte(column, row, 0)),
        _ => egui::Color32::from_rgb(byte(column, row, 0), byte(column, row, 1), byte(column, row, 2)),
    };
    ColorImage::new([size.width() as usize, size.height() as usize], places.map(colour).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::{Formula, Synth};
    use crate::sampling::Method;
    use crate::test_support::size;

    fn page() -> Arc<Page> {
        Arc::new(Formula::new(Synth::Disc, size(64, 64)).expect("a formula").page())
    }

    fn job(page: &Page, turns: u32) -> RotationJob {
        let samplers = [Method::Nearest, Method::Linear].map(|method| Sampler::default().with_method(method));
        RotationJob { page: page.id(), samplers: samplers.to_vec(), turns }
    }

    #[test]
    fn result_has_the_errors_and_the_pictures_of_every_turn() {
        let (mut worker, ctx, page) = (RotationWorker::default(), egui::Context::default(), page());
        let made = worker.wait(&ctx, &job(&page, 6), &page);
        assert_eq!((made.report.rows.len(), made.pictures.len(), made.pictures[1].len()), (12, 2, 7));
        assert!(made.is_done && made.failure.is_none() && worker.is_idle());
        assert_ne!(made.pictures[1][0], made.pictures[1][6], "the image is blurred");
    }

    #[test]
    fn other_experiment_cancels_the_one_in_progress_and_a_failure_is_said() {
        let (mut worker, ctx, page) = (RotationWorker::default(), egui::Context::default(), page());
        drop(worker.result(&ctx, job(&page, 360), &page));
        assert!(!worker.is_idle());
        let made = worker.wait(&ctx, &job(&page, 3), &page);
        assert_eq!(made.report.turns, 3);
        let failed = worker.wait(&ctx, &job(&page, 1), &page);
        assert_eq!(failed.failure.as_deref(), Some("1 turns: from 2 to 360 are possible"));
        drop(worker.result(&ctx, job(&page, 360), &page));
        worker.rest();
        assert!(worker.is_idle());
    }
}
