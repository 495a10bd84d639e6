//! Statistics of a region of a page: those of few samples at once, those of many by a thread, so that no frame waits for them.

use std::sync::Arc;

use egui::Context;

use crate::app::render::task::{Task, Work};
use crate::image::{Page, PageId, Region, Statistics, statistics};

/// Greatest number of values that are counted at once: a few milliseconds.
const AT_ONCE: u64 = 1 << 21;
/// Greatest number of histogram bins, and the number where samples have no levels that divide into them.
const MOST_BINS: usize = 128;
const BINS: usize = 124;

/// What is counted.
type Counted = (PageId, Region);

/// The statistics of its channels.
type Found = Arc<(Counted, Vec<Statistics>)>;

/// Statistics of one region of a page, kept until another is asked for.
#[derive(Debug, Default)]
pub(in crate::app) struct SampleCounts {
    found: Option<Found>,
    task: Task<Counted, (Counted, Vec<Statistics>)>,
    /// What the thread counted last.
    of_thread: Option<Found>,
}

impl SampleCounts {
    /// Statistics of the channels of `region`. While a thread counts many samples they are those of the region of the same page that was
    /// counted last, and none at first.
    pub(in crate::app) fn of(&mut self, ctx: &Context, page: &Arc<Page>, region: Region) -> &[Statistics] {
        let wanted = (page.id(), region);
        if self.found.as_ref().is_none_or(|found| found.0 != wanted) {
            let [width, height] = region.sides().map(u64::from);
            if width * height * page.channels().count() as u64 <= AT_ONCE {
                self.task.rest();
                self.found = Some(Arc::new((wanted, count(page, region))));
            } else {
                self.follow(ctx, page, wanted);
            }
        }
        let of_page = self.found.as_ref().filter(|found| found.0.0 == page.id());
        of_page.map_or(&[], |found| &found.1)
    }

    /// Counts what is `wanted` of `page` by a thread after what it counts now, and takes what it has counted.
    fn follow(&mut self, ctx: &Context, page: &Arc<Page>, wanted: Counted) {
        let page = Arc::clone(page);
        let work = || -> Work<_> { Box::new(move |_, _| Ok((wanted, count(&page, wanted.1)))) };
        let (newest, _) = self.task.follow(ctx, &wanted, work);
        let is_new = |newest: &Found| self.of_thread.as_ref().is_none_or(|known| !Arc::ptr_eq(known, newest));
        if let Some(newest) = newest.filter(|newest| newest.0 == wanted || is_new(newest)) {
            self.of_thread = Some(Arc::clone(&newest));
            self.found = Some(newest);
        }
    }

    /// Whether no thread counts.
    pub(in crate::app) fn is_idle(&self) -> bool {
        self.task.is_idle()
    }
}

fn count(page: &Page, region: Region) -> Vec<Statistics> {
    statistics(page, region, bin_count(page.maxval()))
}

/// Number of histogram bins of samples 0 … `maxval`: each bin has the same number of levels, but for the last, which has white as
/// well. Bins of unequal numbers of levels would have peaks that the image has not.
fn bin_count(maxval: u16) -> usize {
    let is_whole = |bins: &usize| usize::from(maxval) % bins == 0;
    let whole = (1..=MOST_BINS).rev().find(is_whole).unwrap_or(1);
    if usize::from(maxval) <= MOST_BINS && maxval > 1 || whole >= BINS / 3 { whole } else { BINS }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::image::{Channels, Depth, Raster, Samples};
    use crate::test_support::size;

    #[test]
    fn flat_counts_have_flat_histograms() {
        for (maxval, bins) in [(1_u16, 124), (15, 15), (255, 85), (1000, 125), (1023, 93), (4095, 117), (65535, 85)] {
            assert_eq!(bin_count(maxval), bins, "{maxval}");
            // Each level once: a ramp.
            let values: Vec<u16> = (0..=maxval).collect();
            let area = size(u32::from(maxval) + 1, 1);
            let page = Page::new(Raster::new(area, Channels::Grey, Samples::U16 { values, maxval }).expect("a raster"));
            let found = statistics(&page, Region::whole(page.size()), bins);
            let counts = &found[0].bins[..bins - 1];
            assert!(maxval == 1 || counts.iter().all(|count| *count == u64::from(maxval) / bins as u64), "{counts:?}");
        }
    }

    /// Of another page there are no counts until its own are made; of another region of the same page the old ones stay until then.
    #[test]
    fn many_samples_are_counted_by_a_thread_and_few_at_once() {
        let ctx = Context::default();
        let page_of = |width: u32| Arc::new(Page::new(Raster::zeros(size(width, 1024), Channels::Grey, Depth::EIGHT)));
        let (small, large) = (page_of(2048), page_of(2052));
        let whole = |page: &Page| Region::whole(page.size());
        let mut counts = SampleCounts::default();
        assert_eq!(counts.of(&ctx, &small, whole(&small))[0].count, 2048 * 1024);
        assert!(counts.is_idle());
        assert!(counts.of(&ctx, &large, whole(&large)).is_empty() && !counts.is_idle());
        let wait = |counts: &mut SampleCounts, region: Region| {
            let start = Instant::now();
            loop {
                counts.of(&ctx, &large, region);
                if counts.is_idle() {
                    return;
                }
                assert!(start.elapsed() < Duration::from_mins(1), "no counts");
                std::thread::sleep(Duration::from_millis(1));
            }
        };
        wait(&mut counts, whole(&large));
        assert_eq!(counts.of(&ctx, &large, whole(&large))[0].count, 2052 * 1024);
        let part = Region { left: 4, ..whole(&large) };
        assert_eq!(counts.of(&ctx, &large, part)[0].count, 2048 * 1024, "few samples");
        let rest = Region { left: 1, ..whole(&large) };
        assert_eq!(counts.of(&ctx, &large, rest)[0].count, 2048 * 1024, "the last region of this page");
        wait(&mut counts, rest);
        assert_eq!(counts.of(&ctx, &large, rest)[0].count, 2051 * 1024);
        // What the thread counted last is known when it is asked for again.
        assert_eq!(counts.of(&ctx, &large, part)[0].count, 2048 * 1024);
        assert_eq!(counts.of(&ctx, &large, rest)[0].count, 2051 * 1024);
        assert!(counts.is_idle());
    }
}
