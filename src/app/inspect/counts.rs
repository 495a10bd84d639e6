//! Statistics of a region of a page: those of few samples at once, those of many by a thread, so that no frame waits for them.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::thread;

use egui::Context;

use crate::background;
use crate::image::{Page, PageId, Region, Statistics, statistics};
use crate::panics::caught;

/// Greatest number of values that are counted at once: a few milliseconds.
const AT_ONCE: u64 = 1 << 21;
/// Greatest number of histogram bins, and the number where samples have no levels that divide into them.
const MOST_BINS: usize = 128;
const BINS: usize = 124;

/// What is counted.
type Counted = (PageId, Region);

/// Statistics of one region of a page, kept until another is asked for.
#[derive(Debug, Default)]
pub(in crate::app) struct SampleCounts {
    found: Option<(Counted, Vec<Statistics>)>,
    running: Option<(Counted, Receiver<Vec<Statistics>>)>,
}

impl SampleCounts {
    /// Statistics of the channels of `region`. While a thread counts many samples they are those of the region of the same page that was
    /// counted last, and none at first.
    pub(in crate::app) fn of(&mut self, ctx: &Context, page: &Arc<Page>, region: Region) -> &[Statistics] {
        let wanted = (page.id(), region);
        self.receive();
        if self.running.is_none() && self.found.as_ref().is_none_or(|(counted, _)| *counted != wanted) {
            let [width, height] = region.sides().map(u64::from);
            if width * height * page.channels().count() as u64 <= AT_ONCE {
                self.found = Some((wanted, count(page, region)));
            } else {
                self.start(ctx, page, region);
            }
        }
        let of_page = self.found.as_ref().filter(|((counted, _), _)| *counted == page.id());
        of_page.map_or(&[], |(_, found)| found)
    }

    /// Whether no thread counts.
    pub(in crate::app) fn is_idle(&self) -> bool {
        self.running.is_none()
    }

    /// Takes what the thread has counted.
    fn receive(&mut self) {
        let Some((counted, made)) = &self.running else { return };
        let found = match made.try_recv() {
            Ok(found) => found,
            Err(TryRecvError::Empty) => return,
            // It panicked, and would again.
            Err(TryRecvError::Disconnected) => Vec::new(),
        };
        self.found = Some((*counted, found));
        self.running = None;
    }

    fn start(&mut self, ctx: &Context, page: &Arc<Page>, region: Region) {
        let (send, made) = mpsc::channel();
        self.running = Some(((page.id(), region), made));
        let (ctx, page) = (ctx.clone(), Arc::clone(page));
        thread::spawn(move || {
            background::lower_priority();
            let found = caught(|| match background::pool(rayon::current_num_threads().saturating_sub(1).max(1)) {
                Ok(pool) => pool.install(|| count(&page, region)),
                Err(_) => count(&page, region),
            });
            match found {
                // The window may be gone.
                Ok(found) => drop(send.send(found)),
                Err(panicked) => {
                    log::error!("a histogram failed: {panicked}");
                    drop(send);
                }
            }
            ctx.request_repaint();
        });
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
        let (small, large) = (page_of(2048), page_of(2049));
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
                thread::sleep(Duration::from_millis(1));
            }
        };
        wait(&mut counts, whole(&large));
        assert_eq!(counts.of(&ctx, &large, whole(&large))[0].count, 2049 * 1024);
        let part = Region { left: 1, ..whole(&large) };
        assert_eq!(counts.of(&ctx, &large, part)[0].count, 2048 * 1024, "few samples");
        let rest = Region { left: 0, top: 0, right: 2048, bottom: 1023 };
        assert_eq!(counts.of(&ctx, &large, rest)[0].count, 2048 * 1024, "the last region of this page");
        wait(&mut counts, rest);
        assert_eq!(counts.of(&ctx, &large, rest)[0].count, 2049 * 1024);
    }
}
