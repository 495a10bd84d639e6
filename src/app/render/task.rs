//! One piece of work of a tool or a histogram on threads of its own, with progress, and cancelled when something else is wanted.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::time::Duration;

use egui::Context;

use crate::background;
use crate::filter::{CancelToken, ExecOptions, StageProgress, WorkProgress};
use crate::panics::caught;

/// Interval of showing the progress.
const SHOW: Duration = Duration::from_millis(100);

/// Work, which gets the options to run with and a function that publishes what is made so far. Its error is a sentence.
pub(in crate::app) type Work<T> = Box<dyn FnOnce(&ExecOptions, &(dyn Fn(T) + Sync)) -> Result<T, String> + Send>;

/// The work of a tool. `K` says what is computed: another key starts other work.
#[derive(Debug)]
pub(in crate::app) struct Task<K, T> {
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
    so_far: Option<Arc<T>>,
    made: Receiver<Made<T>>,
}

/// What a thread sends.
enum Made<T> {
    /// What is made so far.
    SoFar(T),
    /// The result.
    Whole(Result<T, String>),
}

/// Where the work is.
#[derive(Debug)]
pub(in crate::app) enum TaskState<T> {
    /// It runs; with its progress and what it published last.
    Running(Option<StageProgress>, Option<Arc<T>>),
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
    pub(in crate::app) fn state(&mut self, ctx: &Context, key: &K, work: impl FnOnce() -> Work<T>) -> TaskState<T> {
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
        let running = self.running.as_ref();
        let so_far = running.and_then(|running| running.so_far.clone());
        TaskState::Running(running.and_then(|running| running.progress.now()), so_far)
    }

    /// As [`Task::state`] for a key that changes while the view moves: work that runs for another key is not cancelled, and
    /// the newest result stays until the next. Returns that result, for whichever key, and the state.
    pub(in crate::app) fn follow(
        &mut self,
        ctx: &Context,
        key: &K,
        work: impl FnOnce() -> Work<T>,
    ) -> (Option<Arc<T>>, TaskState<T>) {
        self.receive();
        let is_other = self.running.as_ref().filter(|running| running.key != *key);
        let state = match is_other {
            Some(running) => TaskState::Running(running.progress.now(), running.so_far.clone()),
            None => self.state(ctx, key, work),
        };
        let newest = self.done.as_ref().and_then(|(_, result)| result.as_ref().ok().cloned());
        (newest, state)
    }

    /// The result of the work for `key`.
    ///
    /// # Errors
    /// Why there is none, in a sentence.
    pub(in crate::app) fn result(
        &mut self,
        ctx: &Context,
        key: &K,
        work: impl FnOnce() -> Work<T>,
    ) -> Result<Arc<T>, String> {
        match self.state(ctx, key, work) {
            TaskState::Done(made) => Ok(made),
            TaskState::Failed(reason) => Err(reason),
            TaskState::Running(..) => Err("The computation is not done yet".to_owned()),
            TaskState::Cancelled => Err("The computation was cancelled".to_owned()),
        }
    }

    /// Cancels the running work until [`Task::resume`].
    pub(in crate::app) fn cancel(&mut self) {
        if let Some(running) = self.running.take() {
            running.stop.cancel();
            self.cancelled = Some(running.key);
        }
    }

    /// Lets cancelled work start again.
    pub(in crate::app) fn resume(&mut self) {
        self.cancelled = None;
    }

    /// Whether no work runs.
    pub(in crate::app) fn is_idle(&self) -> bool {
        self.running.is_none()
    }

    /// Cancels the running work; it starts again when it is wanted.
    pub(in crate::app) fn rest(&mut self) {
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
        let (send, made) = mpsc::channel();
        let ctx = ctx.clone();
        std::thread::spawn(move || {
            // Threads of its own, behind those of the window: the panels' renders do not wait behind its tasks.
            background::lower_priority();
            let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get().div_ceil(2));
            // Nobody waits for cancelled work.
            let publish = |so_far: T| {
                let _ = send.send(Made::SoFar(so_far));
                ctx.request_repaint();
            };
            let made = match background::pool(threads) {
                Ok(pool) => pool.install(|| caught(|| work(&options, &publish))),
                Err(error) => {
                    log::warn!("a tool works on the threads of the panels: {error}");
                    caught(|| work(&options, &publish))
                }
            };
            let made = made.unwrap_or_else(|panicked| {
                log::error!("a tool failed: {panicked}");
                Err(panicked.to_string())
            });
            let _ = send.send(Made::Whole(made));
            ctx.request_repaint();
        });
        self.running = Some(Running { key, stop, progress, so_far: None, made });
    }

    /// Keeps what the thread sent.
    fn receive(&mut self) {
        let Some(running) = &mut self.running else { return };
        let result = loop {
            match running.made.try_recv() {
                Ok(Made::SoFar(so_far)) => running.so_far = Some(Arc::new(so_far)),
                Ok(Made::Whole(result)) => break result,
                Err(TryRecvError::Empty) => return,
                Err(TryRecvError::Disconnected) => break Err("the work ended early".to_owned()),
            }
        };
        if let Some(running) = self.running.take() {
            self.done = Some((running.key, result.map(Arc::new)));
        }
    }
}

#[cfg(test)]
impl<K: Clone + PartialEq, T: Send + 'static> Task<K, T> {
    /// The result of the work for `key`. Waits until it is done.
    pub(in crate::app) fn wait(
        &mut self,
        ctx: &Context,
        key: &K,
        mut work: impl FnMut() -> Work<T>,
    ) -> Result<Arc<T>, String> {
        while let TaskState::Running(..) = self.state(ctx, key, &mut work) {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.result(ctx, key, work)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Work that ends when it is cancelled.
    fn endless() -> Work<u32> {
        Box::new(|options, _| {
            while !options.stop.is_set() {
                std::thread::sleep(Duration::from_millis(1));
            }
            Err("cancelled".to_owned())
        })
    }

    #[test]
    fn work_is_done_once_for_a_key_and_again_for_another() {
        let (mut task, ctx) = (Task::default(), Context::default());
        let times = |factor: u32| move || -> Work<u32> { Box::new(move |_, _| Ok(7 * factor)) };
        assert_eq!(task.wait(&ctx, &1, times(1)).map(|made| *made), Ok(7));
        let kept = task.state(&ctx, &1, || panic!("it is done"));
        assert!(matches!(kept, TaskState::Done(made) if *made == 7));
        assert_eq!(task.wait(&ctx, &2, times(2)).map(|made| *made), Ok(14));
        let failed = task.wait(&ctx, &3, || Box::new(|_, _| Err("no".to_owned())));
        assert_eq!(failed.map(|made| *made), Err("no".to_owned()));
        assert!(task.is_idle());
    }

    #[test]
    fn cancelled_work_starts_again_only_when_asked() {
        let (mut task, ctx) = (Task::default(), Context::default());
        assert!(matches!(task.state(&ctx, &1, endless), TaskState::Running(None, None)) && !task.is_idle());
        task.cancel();
        assert!(task.is_idle());
        assert!(matches!(task.state(&ctx, &1, || panic!("it was cancelled")), TaskState::Cancelled));
        task.resume();
        assert_eq!(task.wait(&ctx, &1, || Box::new(|_, _| Ok(5))).map(|made| *made), Ok(5));
    }

    #[test]
    fn running_work_shows_what_it_published_last_and_then_its_result() {
        let (mut task, ctx) = (Task::default(), Context::default());
        let work = || -> Work<u32> {
            Box::new(|options, publish| {
                publish(1);
                publish(2);
                while !options.stop.is_set() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                Ok(3)
            })
        };
        let published = loop {
            match task.state(&ctx, &1, work) {
                TaskState::Running(_, Some(so_far)) if *so_far == 2 => break so_far,
                TaskState::Running(..) => std::thread::sleep(Duration::from_millis(1)),
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(*published, 2);
        assert_eq!(task.result(&ctx, &1, work), Err("The computation is not done yet".to_owned()));
        task.rest();
        assert_eq!(task.wait(&ctx, &2, || Box::new(|_, _| Ok(3))).map(|made| *made), Ok(3));
    }

    #[test]
    fn followed_work_ends_before_that_of_the_next_key_and_its_result_stays_until_then() {
        let (mut task, ctx) = (Task::default(), Context::default());
        let gate = CancelToken::default();
        let work = |factor: u32| {
            let gate = gate.clone();
            move || -> Work<u32> {
                Box::new(move |options, _| {
                    while !gate.is_set() {
                        assert!(!options.stop.is_set(), "it is not cancelled");
                        std::thread::sleep(Duration::from_millis(1));
                    }
                    Ok(7 * factor)
                })
            }
        };
        assert!(matches!(task.follow(&ctx, &1, work(1)), (None, TaskState::Running(..))));
        assert!(matches!(task.follow(&ctx, &2, work(2)), (None, TaskState::Running(..))), "the first still runs");
        gate.cancel();
        let mut seen = Vec::new();
        loop {
            let (newest, state) = task.follow(&ctx, &2, work(2));
            seen.extend(newest.map(|made| *made));
            if let TaskState::Done(made) = state {
                assert_eq!(*made, 14);
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        seen.dedup();
        assert_eq!(seen, [7, 14]);
    }

    #[test]
    fn panic_of_work_is_its_failure() {
        let (mut task, ctx) = (Task::<u32, u32>::default(), Context::default());
        let failed = task.wait(&ctx, &1, || Box::new(|_, _| panic!("a test")));
        assert!(failed.is_err_and(|error| error.contains("a test")));
    }
}
