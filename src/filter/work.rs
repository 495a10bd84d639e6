//! How the work of a filter is cut into tasks, and when it is given up.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Instant;

use rayon::prelude::*;

/// What moments are counted from.
static START: LazyLock<Instant> = LazyLock::new(Instant::now);

/// A word from whoever no longer wants a result; its clones hear the same. Work looks at it between bands of rows, and
/// what it leaves then is of no use.
#[derive(Clone, Debug)]
pub struct Stop(Arc<AtomicU64>);

impl Default for Stop {
    /// Nobody has said it yet.
    fn default() -> Self {
        Self(Arc::new(AtomicU64::new(u64::MAX)))
    }
}

impl Stop {
    /// Gives the work up at `moment`, or earlier where that was said before.
    pub fn at(&self, moment: Instant) {
        let nanoseconds = moment.saturating_duration_since(*START).as_nanos();
        self.0.fetch_min(u64::try_from(nanoseconds).unwrap_or(u64::MAX - 1), Ordering::Relaxed);
    }

    /// Gives the work up.
    pub fn now(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// Whether it was said at all, for now or for later.
    pub fn is_wanted(&self) -> bool {
        self.0.load(Ordering::Relaxed) != u64::MAX
    }

    /// Whether the work is given up by now.
    pub fn is_set(&self) -> bool {
        match self.0.load(Ordering::Relaxed) {
            u64::MAX => false,
            moment => START.elapsed().as_nanos() >= u128::from(moment),
        }
    }
}

/// How work is done that changes no value of its result.
#[derive(Clone, Debug, Default)]
pub struct Work {
    /// Rows that one task makes; where there are none, what suits the work.
    pub band_rows: Option<NonZeroUsize>,
    /// When it is given up.
    pub stop: Stop,
}

impl Work {
    /// Rows that one task makes of work that `usual` suit.
    pub fn rows(&self, usual: usize) -> usize {
        self.band_rows.map_or(usual, NonZeroUsize::get)
    }

    /// Fills `out`, rows of `stride` values, band by band on all threads: `band(scratch, first row, rows)`. Nothing more
    /// is begun once the work is given up.
    pub(crate) fn for_bands<T: Send, S>(
        &self,
        (out, stride): (&mut [T], usize),
        usual_rows: usize,
        scratch: impl Fn() -> S + Send + Sync,
        band: impl Fn(&mut S, usize, &mut [T]) + Send + Sync,
    ) {
        let rows = self.rows(usual_rows).max(1);
        out.par_chunks_mut((stride * rows).max(1)).enumerate().for_each_init(scratch, |scratch, (index, out)| {
            if !self.stop.is_set() {
                band(scratch, index * rows, out);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_stop_is_heard_by_its_clones_and_the_earliest_word_holds() {
        let stop = Stop::default();
        let heard = stop.clone();
        assert!(!heard.is_set());
        stop.at(Instant::now() + Duration::from_secs(3600));
        assert!(!heard.is_set());
        stop.now();
        stop.at(Instant::now() + Duration::from_secs(3600));
        assert!(heard.is_set());
    }

    #[test]
    fn bands_cover_every_row_once_until_the_work_is_given_up() {
        for rows in [1, 2, 3, 7, 100] {
            let work = Work { band_rows: NonZeroUsize::new(rows), ..Work::default() };
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
            work.stop.now();
            work.for_bands((&mut out, 5), 4, || (), |(), _, band| band.fill(0));
            assert!(out.iter().copied().eq(0..35));
        }
    }
}
