//! One piece of work of a tool on threads of its own, with progress, and cancelled when something else is wanted.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::time::Duration;

use egui::Context;

use crate::filter::{CancelToken, ExecOptions, StageProgress, WorkProgress};
use crate::panics::caught;

/// Interval of showing the progress.
const SHOW: Duration = Duration::from_millis(100);

/// Work, which gets the options to run with. Its error is a sentence.
pub(super) type Work<T> = Box<dyn FnOnce(&ExecOptions) -> Result<T, String> + Send>;

/// The work of a tool. `K` says what is computed: another key starts other work.
#[derive(Debug)]
pub(super) struct Task<K, T> {
    running: Option<Running<K, T>>,
    done: Option<(K, Result<Arc<T>, String>)>,
    /// What was cancelled by hand; it starts again only when asked.
    cancelled: Option<K>,
}

#[derive(Debug)]
struct Running<K, T> {
    key: K,
    stop: CancelToken,
    progress: Arc<WorkProgress>,
    result: Receiver<Result<T, String>>,
}

/// Where the work is.
#[derive(Debug)]
pub(super) enum TaskState<T> {
    /// It runs.
    Running(Option<StageProgress>),
    /// It was cancelled by hand.
    Cancelled,
    /// It failed, for this reason.
    Failed(String),
    /// It is done.
    Done(Arc<T>),
}

impl<K, T> Default for Task<K, T> {
    fn default() -> Self {
        Self { running: None, done: None, cancelled: None }
    }
}

impl<K: Clone + PartialEq, T: Send + 'static> Task<K, T> {
    /// The state of the work for `key`, which `work` makes where it is not done. Other work is cancelled.
    pub(super) fn state(&mut self, ctx: &Context, key: &K, work: impl FnOnce() -> Work<T>) -> TaskState<T> {
        self.receive();
        if let Some((_, result)) = self.done.as_ref().filter(|(done, _)| done == key) {
            return match result {
                Ok(made) => TaskState::Done(Arc::clone(made)),
                Err(error) => TaskState::Failed(error.clone()),
            };
        }
        if self.cancelled.as_ref() == Some(key) {
            return TaskState::Cancelled;
        }
        if self.running.as_ref().is_none_or(|running| running.key != *key) {
            self.start(ctx, key.clone(), work());
        }
        ctx.request_repaint_after(SHOW);
        TaskState::Running(self.running.as_ref().and_then(|running| running.progress.now()))
    }

    /// The result of the work for `key`. Blocks until it is done.
    pub(super) fn wait(&mut self, ctx: &Context, key: &K, work: impl FnOnce() -> Work<T>) -> Result<Arc<T>, String> {
        self.cancelled = None;
        if let TaskState::Running(_) = self.state(ctx, key, work)
            && let Some(running) = self.running.take()
        {
            let result = running.result.recv().unwrap_or_else(|_| Err("the work ended early".to_owned()));
            self.done = Some((running.key, result.map(Arc::new)));
        }
        let done = self.done.as_ref().filter(|(done, _)| done == key);
        done.map_or_else(|| Err("the work ended early".to_owned()), |(_, result)| result.clone())
    }

    /// Cancels the running work until [`Task::resume`].
    pub(super) fn cancel(&mut self) {
        if let Some(running) = self.running.take() {
            running.stop.cancel();
            self.cancelled = Some(running.key);
        }
    }

    /// Lets cancelled work start again.
    pub(super) fn resume(&mut self) {
        self.cancelled = None;
    }

    /// Whether no work runs.
    pub(super) fn is_idle(&self) -> bool {
        self.running.is_none()
    }

    /// Cancels the running work; it starts again when it is wanted.
    pub(super) fn rest(&mut self) {
        if let Some(running) = self.running.take() {
            running.stop.cancel();
        }
        self.cancelled = None;
    }

    fn start(&mut self, ctx: &Context, key: K, work: Work<T>) {
        self.rest();
        let progress = Arc::new(WorkProgress::default());
        let options = ExecOptions { progress: Some(Arc::clone(&progress)), ..ExecOptions::default() };
        let stop = options.stop.clone();
        let (send, result) = mpsc::channel();
        let ctx = ctx.clone();
        std::thread::spawn(move || {
            // Threads of its own: the panels' renders do not wait behind its tasks.
            let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get().div_ceil(2));
            let made = match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
                Ok(pool) => pool.install(|| caught(|| work(&options))),
                Err(error) => {
                    log::warn!("a tool works on the threads of the panels: {error}");
                    caught(|| work(&options))
                }
            };
            let made = made.unwrap_or_else(|panicked| {
                log::error!("a tool of the laboratory failed: {panicked}");
                Err(panicked.to_string())
            });
            // Nobody waits for cancelled work.
            let _ = send.send(made);
            ctx.request_repaint();
        });
        self.running = Some(Running { key, stop, progress, result });
    }

    /// Keeps the result of work that has ended.
    fn receive(&mut self) {
        let Some(running) = &self.running else { return };
        let result = match running.result.try_recv() {
            Ok(result) => result,
            Err(TryRecvError::Empty) => return,
            Err(TryRecvError::Disconnected) => Err("the work ended early".to_owned()),
        };
        if let Some(running) = self.running.take() {
            self.done = Some((running.key, result.map(Arc::new)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Work that ends when it is cancelled.
    fn endless() -> Work<u32> {
        Box::new(|options| {
            while !options.stop.is_set() {
                std::thread::sleep(Duration::from_millis(1));
            }
            Err("cancelled".to_owned())
        })
    }

    #[test]
    fn work_is_done_once_for_a_key_and_again_for_another() {
        let (mut task, ctx) = (Task::default(), Context::default());
        let times = |factor: u32| move || -> Work<u32> { Box::new(move |_| Ok(7 * factor)) };
        assert_eq!(task.wait(&ctx, &1, times(1)).map(|made| *made), Ok(7));
        let kept = task.state(&ctx, &1, || panic!("it is done"));
        assert!(matches!(kept, TaskState::Done(made) if *made == 7));
        assert_eq!(task.wait(&ctx, &2, times(2)).map(|made| *made), Ok(14));
        let failed = task.wait(&ctx, &3, || Box::new(|_| Err("no".to_owned())));
        assert_eq!(failed.map(|made| *made), Err("no".to_owned()));
        assert!(task.is_idle());
    }

    #[test]
    fn cancelled_work_starts_again_only_when_asked() {
        let (mut task, ctx) = (Task::default(), Context::default());
        assert!(matches!(task.state(&ctx, &1, endless), TaskState::Running(None)) && !task.is_idle());
        task.cancel();
        assert!(task.is_idle());
        assert!(matches!(task.state(&ctx, &1, || panic!("it was cancelled")), TaskState::Cancelled));
        task.resume();
        assert_eq!(task.wait(&ctx, &1, || Box::new(|_| Ok(5))).map(|made| *made), Ok(5));
    }

    #[test]
    fn panic_of_work_is_its_failure() {
        let (mut task, ctx) = (Task::<u32, u32>::default(), Context::default());
        let failed = task.wait(&ctx, &1, || Box::new(|_| panic!("a test")));
        assert!(failed.is_err_and(|error| error.contains("a test")));
    }
}
