//! Curves made by a background thread: integrals over weights, impulses through a backend, and their transforms.
//!
//! The drawer names the curves that it wants in every frame, and gets those that are made. The thread makes the others, one
//! after the other; curves that are no longer wanted are not begun. Measurements run on an instance of the backend in use
//! of their own, which is open while curves are being made.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::backend::{Backend, BackendError, BackendKind};
use crate::background;
use crate::panics::caught;
use crate::plots::{FilterChain, Measured, PlotCurve, PlotKind, Reconstruction, curves};

/// Number of results that are kept.
const MAX_KEPT: usize = 160;

/// The curves of one filter in one kind of plot.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PlotJob {
    /// The kind of plot.
    pub(super) kind: PlotKind,
    /// The filter.
    pub(super) filter: Reconstruction,
    /// The filters of images with the interpolation between them, of [`PlotKind::Filters`].
    pub(super) chain: Option<FilterChain>,
    /// The backend to measure, of kinds that have measured curves.
    pub(super) measured_by: Option<BackendKind>,
}

/// The result of a job.
#[derive(Debug, Default)]
pub(super) struct MadeCurves {
    /// The curves; none if making them failed.
    pub(super) curves: Vec<PlotCurve>,
    /// Why there are no measured ones.
    pub(super) failure: Option<String>,
}

/// The thread and its results.
#[derive(Debug)]
pub(super) struct PlotWorker {
    shared: Arc<Shared>,
    has_thread: bool,
}

#[derive(Debug, Default)]
struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Queue {
    /// Jobs of the last frame that are not done, the next first.
    wanted: Vec<PlotJob>,
    /// Results, the oldest first.
    made: Vec<(PlotJob, Arc<MadeCurves>)>,
    is_closed: bool,
}

impl Shared {
    /// The jobs. No code that can panic runs while they are locked.
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queue {
    fn result(&self, job: &PlotJob) -> Option<Arc<MadeCurves>> {
        self.made.iter().find(|(made, _)| made == job).map(|(_, made)| Arc::clone(made))
    }

    fn keep(&mut self, job: PlotJob, made: MadeCurves) {
        if self.made.len() >= MAX_KEPT {
            self.made.remove(0);
        }
        self.wanted.retain(|wanted| *wanted != job);
        self.made.push((job, Arc::new(made)));
    }
}

impl PlotWorker {
    /// A worker without a thread, which starts with the first job.
    pub(super) fn new() -> Self {
        Self { shared: Arc::default(), has_thread: false }
    }

    /// The results of `jobs` so far; the thread makes the others and repaints the window of `ctx` after each.
    pub(super) fn results(&mut self, ctx: &egui::Context, jobs: &[PlotJob]) -> Vec<Option<Arc<MadeCurves>>> {
        let mut queue = self.shared.lock();
        let results: Vec<_> = jobs.iter().map(|job| queue.result(job)).collect();
        queue.wanted =
            jobs.iter().zip(&results).filter(|(_, made)| made.is_none()).map(|(job, _)| job.clone()).collect();
        let has_work = !queue.wanted.is_empty();
        drop(queue);
        if has_work {
            if !std::mem::replace(&mut self.has_thread, true) {
                let (shared, ctx) = (Arc::clone(&self.shared), ctx.clone());
                std::thread::spawn(move || run(&shared, &ctx));
            }
            self.shared.changed.notify_all();
        }
        results
    }

    /// Drops the jobs that are not begun.
    pub(super) fn rest(&self) {
        self.shared.lock().wanted.clear();
    }

    /// Whether every wanted curve is made.
    pub(super) fn is_idle(&self) -> bool {
        self.shared.lock().wanted.is_empty()
    }
}

impl Drop for PlotWorker {
    fn drop(&mut self) {
        self.shared.lock().is_closed = true;
        self.shared.changed.notify_all();
    }
}

/// The thread: does job after job until the worker is dropped.
fn run(shared: &Shared, ctx: &egui::Context) {
    background::lower_priority();
    let mut measuring = None;
    let mut queue = shared.lock();
    while !queue.is_closed {
        let Some(job) = queue.wanted.first().cloned() else {
            // A device's memory is free while nothing is measured.
            drop(queue);
            measuring = None;
            queue = shared.lock();
            if queue.wanted.is_empty() && !queue.is_closed {
                queue = shared.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
            }
            continue;
        };
        drop(queue);
        let made = caught(|| make(&job, &mut measuring)).unwrap_or_else(|panicked| {
            log::error!("a plot failed: {panicked}");
            MadeCurves { curves: Vec::new(), failure: Some(panicked.to_string()) }
        });
        queue = shared.lock();
        queue.keep(job, made);
        ctx.request_repaint();
        shared.changed.notify_all();
    }
}

/// A backend that measures, with its kind.
type Measuring = Option<(BackendKind, Box<dyn Backend>)>;

fn make(job: &PlotJob, measuring: &mut Measuring) -> MadeCurves {
    let made = match &job.chain {
        Some(chain) => make_chain(chain, job.measured_by, measuring),
        None => make_filter(job, measuring),
    };
    if made.failure.is_some() {
        *measuring = None;
    }
    made
}

fn make_filter(job: &PlotJob, measuring: &mut Measuring) -> MadeCurves {
    let measured = job.measured_by.map(|kind| Measured::new(&job.filter, open(kind, measuring)?));
    let (measured, failure) = match measured.transpose() {
        Ok(measured) => (measured, None),
        Err(error) => (None, Some(error.to_string())),
    };
    MadeCurves { curves: curves(job.kind, &job.filter, measured.as_ref()), failure }
}

/// The exact curve is made even where the backend fails.
fn make_chain(chain: &FilterChain, measured_by: Option<BackendKind>, measuring: &mut Measuring) -> MadeCurves {
    let measured = measured_by.map(|kind| chain.curves(Some(open(kind, measuring)?)));
    let (made, failure) = match measured {
        Some(Err(error)) => (chain.curves(None), Some(error.to_string())),
        Some(made) => (made, None),
        None => (chain.curves(None), None),
    };
    match made {
        Ok(curves) => MadeCurves { curves, failure },
        Err(error) => MadeCurves { curves: Vec::new(), failure: Some(error.to_string()) },
    }
}

/// The backend of this kind, opened unless it is open.
fn open(kind: BackendKind, measuring: &mut Measuring) -> Result<&mut dyn Backend, BackendError> {
    if measuring.as_ref().is_none_or(|(open, _)| *open != kind) {
        *measuring = Some((kind, kind.row().try_open()?));
    }
    measuring.as_mut().map(|(_, backend)| &mut **backend as &mut dyn Backend).ok_or(BackendError::Cancelled)
}

#[cfg(test)]
impl PlotWorker {
    /// The results of `jobs`. Blocks until all are made.
    pub(super) fn wait(&mut self, ctx: &egui::Context, jobs: &[PlotJob]) -> Vec<Arc<MadeCurves>> {
        drop(self.results(ctx, jobs));
        let mut queue = self.shared.lock();
        while !queue.wanted.is_empty() {
            queue = self.shared.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
        jobs.iter().filter_map(|job| queue.result(job)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::Method;

    fn job(kind: PlotKind, method: Method) -> PlotJob {
        PlotJob { kind, filter: Reconstruction::of(method, false), chain: None, measured_by: Some(BackendKind::Cpu) }
    }

    #[test]
    fn results_are_those_of_the_jobs_in_their_order() {
        let (mut worker, ctx) = (PlotWorker::new(), egui::Context::default());
        let jobs = [job(PlotKind::Impulse, Method::Linear), job(PlotKind::Weights, Method::BSPLINE)];
        let made = worker.wait(&ctx, &jobs);
        let counts: Vec<usize> = made.iter().map(|made| made.curves.len()).collect();
        assert_eq!(counts, [2, 4], "a computed and a measured curve, and four weights");
        assert!(worker.is_idle() && made.iter().all(|made| made.failure.is_none()));
        assert!(
            worker
                .results(&ctx, &jobs)
                .iter()
                .zip(&made)
                .all(|(kept, made)| { kept.as_ref().is_some_and(|kept| Arc::ptr_eq(kept, made)) })
        );
    }

    #[test]
    fn jobs_that_are_not_wanted_any_more_are_dropped() {
        let (mut worker, ctx) = (PlotWorker::new(), egui::Context::default());
        let many: Vec<PlotJob> = (1..60)
            .map(|step| {
                let stretch = Some(1.0 + f64::from(step));
                let filter = Reconstruction { stretch, ..Reconstruction::of(Method::LANCZOS4, false) };
                PlotJob { kind: PlotKind::Response, filter, chain: None, measured_by: None }
            })
            .collect();
        drop(worker.results(&ctx, &many));
        assert!(!worker.is_idle());
        worker.rest();
        assert!(worker.is_idle());
        assert_eq!(worker.wait(&ctx, &[job(PlotKind::Kernel, Method::Linear)]).len(), 1);
        let kept = worker.results(&ctx, &many).iter().flatten().count();
        assert!(kept < many.len(), "{kept}");
    }

    #[test]
    fn backend_that_does_not_open_leaves_the_computed_curve_and_says_why() {
        let failure = BackendKind::Cuda.row().try_open().err().map(|error| error.to_string());
        // With a device both curves are made.
        let count = if failure.is_some() { 1 } else { 2 };
        let (mut worker, ctx) = (PlotWorker::new(), egui::Context::default());
        let cuda = PlotJob { measured_by: Some(BackendKind::Cuda), ..job(PlotKind::Step, Method::Linear) };
        let made = worker.wait(&ctx, &[cuda]);
        assert_eq!((made[0].curves.len(), &made[0].failure), (count, &failure));
    }
}
