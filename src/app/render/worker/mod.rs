//! Background rendering of requests that are too slow for a frame: filters on the CPU.
//!
//! The API is immediate-mode: clients submit their request every frame and receive the result once it is ready. A job that
//! is not submitted in a frame is cancelled. A newer request of the same client replaces the older one after a grace period
//! of 150 ms, unless both share the same filtered samples. A frame blocks for at most 12 ms in all, so that quick filters
//! are shown without delay. The window is repainted when a result arrives.

mod backend;
mod job;
mod queue;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

pub(in crate::app) use self::backend::WorkerBackend;
pub(in crate::app) use self::job::{Client, Rendered, Submission};

use self::queue::JobQueue;
use crate::backend::{self as backends, Backend as _, BackendError, CpuBackend};
use crate::filter::{ExecOptions, StageProgress};
use crate::image::Raster;
use crate::panics::caught;

/// How long a frame blocks in all for its submissions.
const FRAME_WAIT: Duration = Duration::from_millis(12);

/// The thread and its jobs.
pub(in crate::app) struct RenderWorker {
    shared: Arc<Shared>,
    ctx: egui::Context,
    has_thread: bool,
    /// Until when this frame blocks.
    deadline: Instant,
}

#[derive(Debug, Default)]
struct Shared {
    queue: Mutex<JobQueue>,
    changed: Condvar,
}

impl Shared {
    /// The jobs. A thread that panicked left them consistent: no code that can panic runs while they are locked.
    fn lock(&self) -> MutexGuard<'_, JobQueue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for RenderWorker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RenderWorker").field("shared", &self.shared).finish_non_exhaustive()
    }
}

impl RenderWorker {
    /// A worker for the window of `ctx`, which is repainted when a result arrives. The thread starts with the first job.
    pub(in crate::app) fn new(ctx: egui::Context) -> Self {
        Self { shared: Arc::default(), ctx, has_thread: false, deadline: Instant::now() }
    }

    /// Begins a frame.
    pub(in crate::app) fn begin_frame(&mut self) {
        self.deadline = Instant::now() + FRAME_WAIT;
        self.shared.lock().begin_frame();
    }

    /// Ends a frame: cancels the jobs that it did not submit.
    pub(in crate::app) fn end_frame(&self) {
        self.shared.lock().end_frame();
    }

    /// Whether no job waits or runs, and no picture waits to be taken.
    pub(in crate::app) fn is_idle(&self) -> bool {
        self.shared.lock().is_idle()
    }

    /// Progress of the job that runs; `None` without one, or before its first stage.
    pub(in crate::app) fn progress(&self) -> Option<StageProgress> {
        self.shared.lock().progress()
    }

    /// The result of `submission`, where it arrives while this frame blocks; of a picture, possibly that of an earlier
    /// request. Submit it again in the next frame until it has arrived.
    pub(in crate::app) fn poll(&mut self, submission: &Submission<'_>) -> Option<Rendered> {
        self.start_thread();
        let mut queue = self.shared.lock();
        loop {
            if queue.submit(submission) {
                self.shared.changed.notify_all();
            }
            if let Some(rendered) = queue.take(submission) {
                return Some(rendered);
            }
            let rest = self.deadline.saturating_duration_since(Instant::now());
            if rest.is_zero() {
                return None;
            }
            let waited = self.shared.changed.wait_timeout(queue, rest);
            queue = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn start_thread(&mut self) {
        if !std::mem::replace(&mut self.has_thread, true) {
            let (shared, ctx) = (Arc::clone(&self.shared), self.ctx.clone());
            std::thread::spawn(move || run(&shared, &ctx));
        }
    }
}

impl Drop for RenderWorker {
    fn drop(&mut self) {
        self.shared.lock().close();
        self.shared.changed.notify_all();
    }
}

/// The thread: renders job after job until the worker is dropped.
fn run(shared: &Shared, ctx: &egui::Context) {
    // Its own threads: the window's own renders do not queue behind the bands of a long filter.
    let pool = rayon::ThreadPoolBuilder::new().build();
    let mut backend = CpuBackend::new();
    let mut queue = shared.lock();
    while !queue.is_closed() {
        let Some(task) = queue.start_next() else {
            queue = shared.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
            continue;
        };
        drop(queue);
        let result = render_or_replace(&mut backend, |backend| {
            let mut render = || task.render(backend);
            match &pool {
                Ok(pool) => pool.install(render),
                Err(_) => render(),
            }
        });
        queue = shared.lock();
        if queue.finish(result) {
            ctx.request_repaint();
        }
        shared.changed.notify_all();
    }
}

impl job::Task {
    fn render(&self, backend: &mut CpuBackend) -> Result<Raster, BackendError> {
        let progress = Some(Arc::clone(&self.progress));
        backend.set_exec_options(ExecOptions { stop: self.stop.clone(), progress, ..ExecOptions::default() });
        backends::render(backend, &self.image, self.key.source.request(), self.key.format)
    }
}

/// The result of `render`. A panic is logged, since probes and tools show nothing in its place, and becomes the error of the
/// job. The thread goes on with a new backend, and no client waits forever.
fn render_or_replace(
    backend: &mut CpuBackend,
    render: impl FnOnce(&mut CpuBackend) -> Result<Raster, BackendError>,
) -> Result<Raster, BackendError> {
    caught(|| render(backend)).unwrap_or_else(|panicked| {
        log::error!("a picture, a value or a tool failed: {panicked}");
        *backend = CpuBackend::new();
        Err(BackendError::Device { what: panicked.to_string(), lost: false })
    })
}
