//! Execution of long work: tasks, cancellation, progress.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Origin of the moments in [`CancelToken`].
static START: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Cancellation token; clones share its state. Work checks it between bands of rows; the results of cancelled work are
/// unspecified.
#[derive(Clone, Debug)]
pub struct CancelToken(Arc<AtomicU64>);

impl Default for CancelToken {
    /// A token that is not cancelled.
    fn default() -> Self {
        Self(Arc::new(AtomicU64::new(u64::MAX)))
    }
}

impl CancelToken {
    /// Cancels the work at `moment`, or at an earlier moment set before.
    pub fn cancel_at(&self, moment: Instant) {
        let nanoseconds = moment.saturating_duration_since(*START).as_nanos();
        self.0.fetch_min(u64::try_from(nanoseconds).unwrap_or(u64::MAX - 1), Ordering::Relaxed);
    }

    /// Cancels the work now.
    pub fn cancel(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// Whether a cancellation is set, for now or a later moment.
    pub fn is_wanted(&self) -> bool {
        self.0.load(Ordering::Relaxed) != u64::MAX
    }

    /// Whether the work is cancelled by now.
    pub fn is_set(&self) -> bool {
        match self.0.load(Ordering::Relaxed) {
            u64::MAX => false,
            moment => START.elapsed().as_nanos() >= u128::from(moment),
        }
    }
}

/// Execution options; they change no value of the result.
#[derive(Clone, Debug, Default)]
pub struct ExecOptions {
    /// Rows of one task; `None` for a default that suits the work.
    pub band_rows: Option<NonZeroUsize>,
    /// Cancellation token.
    pub stop: CancelToken,
    /// Name of the current stage, for people.
    pub stage: &'static str,
    /// Progress of the rows, if it is wanted.
    pub progress: Option<Arc<WorkProgress>>,
}

/// Progress of long work, which runs in stages (filters, the interpolation); it is that of the current stage.
#[derive(Debug, Default)]
pub struct WorkProgress {
    stage: Mutex<Option<(&'static str, usize, Instant)>>,
    rows_done: AtomicUsize,
}

/// Progress of one stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StageProgress {
    /// Name of the stage.
    pub name: &'static str,
    /// Share of the rows completed, from 0 to 1.
    pub share: f64,
    /// Time since the start of the stage.
    pub elapsed: Duration,
}

impl WorkProgress {
    /// Starts the stage `name` of `rows` rows.
    fn begin(&self, name: &'static str, rows: usize) {
        let mut stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        self.rows_done.store(0, Ordering::Relaxed);
        *stage = Some((name, rows, Instant::now()));
    }

    fn advance(&self, rows: usize) {
        self.rows_done.fetch_add(rows, Ordering::Relaxed);
    }

    /// The current stage; `None` before the first.
    pub fn now(&self) -> Option<StageProgress> {
        let (name, rows, since) = (*self.stage.lock().unwrap_or_else(PoisonError::into_inner))?;
        let share = self.rows_done.load(Ordering::Relaxed) as f64 / rows.max(1) as f64;
        Some(StageProgress { name, share: share.min(1.0), elapsed: since.elapsed() })
    }
}

impl StageProgress {
    /// Estimated time to the end of the stage at its mean speed; `None` before the first row is complete.
    pub fn left(&self) -> Option<Duration> {
        let seconds = self.elapsed.as_secs_f64() * (1.0 - self.share) / self.share;
        Duration::try_from_secs_f64(seconds).ok()
    }
}

impl ExecOptions {
    /// The same options for a stage called `name`.
    #[must_use]
    pub fn stage(&self, name: &'static str) -> Self {
        Self { stage: name, ..self.clone() }
    }

    /// The same options with tasks of one row, unless a height is set: for rows that share no work.
    #[must_use]
    pub fn row_by_row(&self) -> Self {
        Self { band_rows: self.band_rows.or(Some(NonZeroUsize::MIN)), ..self.clone() }
    }

    /// Rows of one task, where `usual` is the default.
    pub fn rows(&self, usual: usize) -> usize {
        self.band_rows.map_or(usual, NonZeroUsize::get)
    }

    /// Calls `part` for ranges of `usual` rows in order, on this thread. After a cancellation no further part starts.
    ///
    /// # Errors
    /// The first error of `part`.
    #[cfg(feature = "cuda")]
    pub(crate) fn for_parts<E>(
        &self,
        rows: usize,
        usual: usize,
        mut part: impl FnMut(std::ops::Range<usize>) -> Result<(), E>,
    ) -> Result<(), E> {
        if let Some(progress) = &self.progress {
            progress.begin(self.stage, rows);
        }
        for first in (0..rows).step_by(usual.max(1)) {
            if self.stop.is_set() {
                break;
            }
            let range = first..rows.min(first + usual);
            let len = range.len();
            part(range)?;
            if let Some(progress) = &self.progress {
                progress.advance(len);
            }
        }
        Ok(())
    }

    /// Fills `out`, rows of `stride` values, in bands on all threads: `band(scratch, first row, rows)`. After a
    /// cancellation no further band starts.
    pub(crate) fn for_bands<T: Send, S>(
        &self,
        (out, stride): (&mut [T], usize),
        usual_rows: usize,
        scratch: impl Fn() -> S + Send + Sync,
        band: impl Fn(&mut S, usize, &mut [T]) + Send + Sync,
    ) {
        let rows = self.rows(usual_rows).max(1);
        if let Some(progress) = &self.progress {
            progress.begin(self.stage, out.len() / stride.max(1));
        }
        let bands = Mutex::new(out.chunks_mut((stride * rows).max(1)).enumerate());
        let count = bands.lock().unwrap_or_else(PoisonError::into_inner).len();
        let run = || {
            let mut scratch = scratch();
            let next = || bands.lock().unwrap_or_else(PoisonError::into_inner).next();
            while let Some((index, out)) = next() {
                if self.stop.is_set() {
                    break;
                }
                band(&mut scratch, index * rows, out);
                if let Some(progress) = &self.progress {
                    progress.advance(out.len() / stride.max(1));
                }
            }
        };
        // This thread takes bands as well: with one thread, no other has to wake up.
        let others = rayon::current_num_threads().min(count).saturating_sub(1);
        rayon::in_place_scope(|scope| {
            for _ in 0..others {
                scope.spawn(|_| run());
            }
            run();
        });
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn stop_is_shared_by_clones_and_the_earliest_moment_counts() {
        let stop = CancelToken::default();
        let heard = stop.clone();
        assert!(!heard.is_set());
        stop.cancel_at(Instant::now() + Duration::from_secs(3600));
        assert!(!heard.is_set());
        stop.cancel();
        stop.cancel_at(Instant::now() + Duration::from_secs(3600));
        assert!(heard.is_set());
    }

    #[test]
    fn bands_cover_every_row_once_until_cancelled() {
        for rows in [1, 2, 3, 7, 100] {
            let work = ExecOptions { band_rows: NonZeroUsize::new(rows), ..ExecOptions::default() };
            let mut out = vec![0; 7 * 5];
            work.for_bands(
                (&mut out, 5),
                4,
                || (),
                |(), first, band| {
                    band.iter_mut().enumerate().for_each(|(k, value)| *value += first * 5 + k);
                },
            );
            assert!(out.iter().copied().eq(0..35), "{rows}: {out:?}");
            work.stop.cancel();
            work.for_bands((&mut out, 5), 4, || (), |(), _, band| band.fill(0));
            assert!(out.iter().copied().eq(0..35));
        }
    }

    #[test]
    fn progress_is_the_share_of_finished_rows_of_the_current_stage() {
        let progress = Arc::new(WorkProgress::default());
        assert_eq!(progress.now(), None);
        let work = ExecOptions { progress: Some(Arc::clone(&progress)), ..ExecOptions::default() };
        let seen = Mutex::new(Vec::new());
        work.stage("median").row_by_row().for_bands(
            (&mut [0_u8; 8], 2),
            4,
            || (),
            |(), _, _| {
                seen.lock().expect("a lock").extend(progress.now());
            },
        );
        let seen = seen.into_inner().expect("a lock");
        assert!(seen.iter().all(|stage| stage.name == "median" && stage.share < 1.0), "{seen:?}");
        assert_eq!((seen.len(), progress.now().map(|stage| stage.share)), (4, Some(1.0)));
        work.stage("mapping").for_bands(
            (&mut [0_u8; 8], 2),
            4,
            || (),
            |(), _, _| {
                assert_eq!(progress.now().map(|stage| (stage.name, stage.share)), Some(("mapping", 0.0)));
            },
        );
    }

    #[test]
    fn remaining_time_follows_from_the_mean_speed() {
        let stage = |share| StageProgress { name: "median", share, elapsed: Duration::from_secs(3) };
        assert_eq!(stage(0.25).left(), Some(Duration::from_secs(9)));
        assert_eq!((stage(1.0).left(), stage(0.0).left()), (Some(Duration::ZERO), None));
    }
}
