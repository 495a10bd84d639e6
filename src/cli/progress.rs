//! Progress of long work on standard error, and cancellation by Ctrl+C.
//!
//! On a terminal one line is rewritten each second, after the first second, and removed at the end. Elsewhere, as in a
//! script's log, at most one line is printed, if some seconds remain.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGINT, SIGTERM};

use super::errors::Interrupted;
use super::failure::say;
use crate::filter::{ExecOptions, StageProgress, WorkProgress};

/// Interval of checking for signals.
const POLL: Duration = Duration::from_millis(50);
/// Interval of showing progress, and time before the first.
const SHOW: Duration = Duration::from_secs(1);
/// Smallest remaining time for a line where standard error is no terminal.
const WORTH_A_LINE: Duration = Duration::from_secs(3);
/// Time for cancelled work to end. Work that does not check its token (decoders, a device) is abandoned after it.
const GRACE: Duration = Duration::from_secs(1);

/// State of [`watched`] work: none, running, or cancelled by the signal of this number.
static STATE: AtomicI32 = AtomicI32::new(NONE);
const NONE: i32 = -1;
const UNDER_WAY: i32 = 0;

/// Cancels running work because of `signal`, so that the program ends by [`Interrupted`] rather than by the signal;
/// `false` if there is no work or the signal does not cancel. [`crate::files::clean_up_on_signals`] calls it.
pub(super) fn cancel(signal: i32) -> bool {
    let set = |state| (state != NONE).then_some(signal);
    matches!(signal, SIGINT | SIGTERM) && STATE.fetch_update(Ordering::AcqRel, Ordering::Acquire, set).is_ok()
}

/// Signal of a state, if any.
fn interrupted(state: i32) -> Option<Interrupted> {
    (state > UNDER_WAY).then_some(Interrupted { signal: state })
}

/// Runs `work`, shows its progress on standard error, and cancels it on a signal. No file may be open for writing
/// meanwhile: work that does not end soon after a signal is abandoned with the process.
///
/// # Errors
/// Errors of `work`, and [`Interrupted`] after a signal.
pub(super) fn watched<T>(work: impl FnOnce(ExecOptions) -> anyhow::Result<T>) -> anyhow::Result<T> {
    watched_for(&STATE, GRACE, work)
}

/// As [`watched`], with its own state; the process ends if the work continues for `grace` after a cancellation.
fn watched_for<T>(
    state: &AtomicI32,
    grace: Duration,
    work: impl FnOnce(ExecOptions) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    state.store(UNDER_WAY, Ordering::Release);
    let progress = Arc::new(WorkProgress::default());
    let how = ExecOptions { progress: Some(Arc::clone(&progress)), ..ExecOptions::default() };
    let stop = how.stop.clone();
    let ended = Ended::default();
    let result = std::thread::scope(|scope| {
        scope.spawn(|| {
            let start = Instant::now();
            let mut line = ProgressLine::new(start);
            let mut interrupted_at = None;
            while !ended.wait(POLL) {
                if let Some(interrupted) = interrupted(state.load(Ordering::Acquire)) {
                    stop.cancel();
                    if interrupted_at.get_or_insert_with(Instant::now).elapsed() > grace {
                        line.clear();
                        say(&interrupted.to_string());
                        std::process::exit(interrupted.exit_code().into());
                    }
                } else if let Some(stage) = progress.now() {
                    line.show(&stage);
                }
            }
            line.clear();
        });
        let _end = ended.at_drop();
        work(how)
    });
    // Atomic: a signal either cancels the work or ends the program.
    interrupted(state.swap(NONE, Ordering::AcqRel)).map_or(result, |interrupted| Err(interrupted.into()))
}

/// Completion of the work, which can be awaited.
#[derive(Debug, Default)]
struct Ended(Mutex<bool>, Condvar);

impl Ended {
    /// Waits for completion, at most `longest`; returns whether the work has ended.
    fn wait(&self, longest: Duration) -> bool {
        let ended = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.1.wait_timeout_while(ended, longest, |ended| !*ended);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Guard that marks completion when dropped, also by a panic.
    fn at_drop(&self) -> impl Drop + '_ {
        struct AtDrop<'a>(&'a Ended);
        impl Drop for AtDrop<'_> {
            fn drop(&mut self) {
                *self.0.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
                self.0.1.notify_all();
            }
        }
        AtDrop(self)
    }
}

/// Progress line on standard error.
#[derive(Debug)]
struct ProgressLine {
    is_terminal: bool,
    next: Instant,
    is_shown: bool,
}

impl ProgressLine {
    fn new(start: Instant) -> Self {
        Self { is_terminal: io::stderr().is_terminal(), next: start + SHOW, is_shown: false }
    }

    /// Shows the progress if it is time; a closed standard error is ignored.
    fn show(&mut self, stage: &StageProgress) {
        let now = Instant::now();
        if now < self.next {
            return;
        }
        self.next = now + SHOW;
        if self.is_terminal {
            let _ = write!(io::stderr().lock(), "\rlerpscope: {}\x1b[K", text(stage));
            self.is_shown = true;
        } else if !self.is_shown && stage.left().is_some_and(|left| left > WORTH_A_LINE) {
            say(&text(stage));
            self.is_shown = true;
        }
    }

    /// Removes the line from a terminal.
    fn clear(&mut self) {
        if self.is_terminal && self.is_shown {
            let _ = write!(io::stderr().lock(), "\r\x1b[K");
            self.is_shown = false;
        }
    }
}

/// `interpolation: 12 %, about 40 s left`.
fn text(stage: &StageProgress) -> String {
    let percent = (stage.share * 100.0).floor();
    match stage.left() {
        Some(left) => format!("{}: {percent} %, about {} left", stage.name, duration_text(left)),
        None => format!("{}: {percent} %", stage.name),
    }
}

/// `40 s`, `3 min 20 s`, `2 h 10 min`.
fn duration_text(duration: Duration) -> String {
    match duration.as_secs_f64().ceil() as u64 {
        seconds @ 0..60 => format!("{seconds} s"),
        seconds @ 60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        seconds => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::{self, Backend, BackendError, CpuBackend, PixelFormat, ReferenceBackend, RenderRequest};
    use crate::image::{Depth, open_source};
    use crate::sampling::{Method, Sampler};
    use crate::test_support::size;
    use crate::view::View;

    #[test]
    fn progress_text_has_the_stage_its_share_and_the_time_left() {
        let stage = |share, seconds| StageProgress { name: "median", share, elapsed: Duration::from_secs(seconds) };
        assert_eq!(text(&stage(0.25, 10)), "median: 25 %, about 30 s left");
        assert_eq!(text(&stage(0.5, 200)), "median: 50 %, about 3 min 20 s left");
        assert_eq!(text(&stage(0.01, 100)), "median: 1 %, about 2 h 45 min left");
        assert_eq!(text(&stage(0.0, 2)), "median: 0 %");
    }

    #[test]
    fn watched_work_returns_its_result_or_error() {
        assert_eq!(watched(|_| Ok(7)).expect("no signal"), 7);
        let error = watched(|_| anyhow::bail!("no memory") as anyhow::Result<()>).expect_err("an error");
        assert_eq!(error.to_string(), "no memory");
    }

    /// A view that takes seconds. Without a grace period the process does not end early.
    #[test]
    fn render_interrupted_midway_ends_by_cancellation() {
        let image = open_source("synth:zone-plate:512x512".as_ref()).expect("an image").image;
        let request = RenderRequest {
            view: View::new([0.0; 2], 15.0).and_then(|view| view.rotated(30.0)).expect("a view"),
            sampler: Sampler { antialias: true, ..Sampler::default().with_method(Method::LANCZOS4) },
            ..RenderRequest::new(size(800, 800))
        };
        let backends: [Box<dyn Backend>; 2] = [Box::new(CpuBackend::new()), Box::<ReferenceBackend>::default()];
        for mut backend in backends {
            let state = AtomicI32::new(NONE);
            let mut rendered = None;
            let result = watched_for(&state, Duration::MAX, |how| {
                let progress = how.progress.clone().expect("progress is watched");
                backend.set_exec_options(how);
                std::thread::scope(|scope| {
                    scope.spawn(|| {
                        let start = Instant::now();
                        let has_begun = || progress.now().is_some_and(|stage| stage.share > 0.0);
                        while !has_begun() && start.elapsed() < Duration::from_secs(60) {
                            std::thread::sleep(Duration::from_millis(1));
                        }
                        state.store(SIGTERM, Ordering::Release);
                    });
                    let format = PixelFormat::file(Depth::EIGHT);
                    rendered = Some(backend::render(&mut *backend, &image, &request, format));
                });
                Ok(())
            });
            assert_eq!(result.expect_err("a signal").to_string(), "interrupted by SIGTERM", "{}", backend.kind());
            let name = backend.kind();
            assert!(matches!(rendered, Some(Err(BackendError::Cancelled))), "{name} went on to the end");
        }
    }
}
