//! The samples that footprints read: pages as they are at once, filtered, prefiltered and premultiplied ones from a thread.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use egui::Context;

use crate::backend::{Prepared, PreparedCache, RenderRequest, prepared_demand};
use crate::filter::{CancelToken, Chain, ExecOptions, WorkProgress};
use crate::image::{Page, PageId};
use crate::memory::Memory;
use crate::panics::caught;
use crate::sampling::{AddressMode, Prefilter};

/// Time between two looks at the thread.
const PATIENCE: Duration = Duration::from_millis(30);

/// The samples of a request.
#[derive(Clone, Debug)]
pub(super) enum Found {
    /// They are there.
    Ready(Arc<Prepared>),
    /// They are being computed: what is done, in words.
    Pending(String),
    /// They cannot be computed.
    Failed(String),
}

/// What the samples depend on.
#[derive(Clone, Debug, PartialEq)]
struct Key {
    page: PageId,
    prefilter: Option<Prefilter>,
    address: [AddressMode; 2],
    border: f32,
    before: Chain,
}

impl Key {
    fn new(page: &Page, request: &RenderRequest) -> Self {
        Self {
            page: page.id(),
            prefilter: request.sampler.coefficients(),
            address: request.sampler.address,
            border: request.sampler.border,
            before: Chain(request.filters.before.active().copied().collect()),
        }
    }
}

/// A thread that computes samples.
#[derive(Debug)]
struct Job {
    key: Key,
    stop: CancelToken,
    progress: Arc<WorkProgress>,
    thread: JoinHandle<Result<Arc<Prepared>, String>>,
}

/// Samples of the visible panels.
#[derive(Debug, Default)]
pub(super) struct Samples {
    made: Vec<(Key, Result<Arc<Prepared>, String>)>,
    wanted: Vec<Key>,
    job: Option<Job>,
}

impl Drop for Samples {
    fn drop(&mut self) {
        self.rest();
    }
}

impl Samples {
    /// Begins a frame: forgets what the last one did not ask for.
    pub(super) fn begin_frame(&mut self) {
        let wanted = std::mem::take(&mut self.wanted);
        self.made.retain(|(key, _)| wanted.contains(key));
        if let Some(job) = self.job.take_if(|job| !wanted.contains(&job.key)) {
            job.stop.cancel();
        }
    }

    /// Forgets everything and stops the thread.
    pub(super) fn rest(&mut self) {
        self.made.clear();
        self.wanted.clear();
        if let Some(job) = self.job.take() {
            job.stop.cancel();
        }
    }

    /// Whether nothing is being computed.
    pub(super) fn is_idle(&self) -> bool {
        self.job.is_none()
    }

    /// The samples that `request` reads from `page`. Where they are missing, a thread computes them, one request after the
    /// other.
    pub(super) fn find(&mut self, ctx: &Context, page: &Arc<Page>, request: &RenderRequest) -> Found {
        let is_plain =
            !request.filters.before.is_active() && !request.sampler.uses_coefficients() && !page.channels().has_alpha();
        if is_plain {
            return Found::Ready(PreparedCache::default().get(page, request));
        }
        let key = Key::new(page, request);
        if !self.wanted.contains(&key) {
            self.wanted.push(key.clone());
        }
        if self.job.as_ref().is_some_and(|job| job.thread.is_finished()) {
            self.finish();
        }
        match self.made.iter().find(|(made, _)| *made == key) {
            Some((_, Ok(prepared))) => return Found::Ready(Arc::clone(prepared)),
            Some((_, Err(error))) => return Found::Failed(error.clone()),
            None => {}
        }
        let job = self.job.get_or_insert_with(|| Job::start(key, Arc::clone(page), request.clone()));
        ctx.request_repaint_after(PATIENCE);
        let stage = job.progress.now();
        Found::Pending(stage.map_or_else(
            || "Computing the samples…".to_owned(),
            |stage| format!("Computing the samples: {} {:.0} %", stage.name, 100.0 * stage.share),
        ))
    }

    /// Takes over the result of the thread; waits for it.
    fn finish(&mut self) {
        if let Some(job) = self.job.take() {
            let result = job.thread.join().unwrap_or_else(|_| Err("the thread failed".to_owned()));
            self.made.push((job.key, result));
        }
    }
}

impl Job {
    fn start(key: Key, page: Arc<Page>, request: RenderRequest) -> Self {
        let (stop, progress) = (CancelToken::default(), Arc::new(WorkProgress::default()));
        let work = ExecOptions { stop: stop.clone(), progress: Some(Arc::clone(&progress)), ..ExecOptions::default() };
        let thread = std::thread::spawn(move || {
            let made = caught(|| prepare(&page, &request, &work));
            made.unwrap_or_else(|panicked| {
                log::error!("samples of a footprint: {panicked}");
                Err(panicked.to_string())
            })
        });
        Self { key, stop, progress, thread }
    }
}

fn prepare(page: &Arc<Page>, request: &RenderRequest, work: &ExecOptions) -> Result<Arc<Prepared>, String> {
    Memory::Machine.check(&prepared_demand(page, request)).map_err(|error| error.to_string())?;
    PreparedCache::default().get_by(page, request, work).ok_or_else(|| "cancelled".to_owned())
}

#[cfg(test)]
impl Samples {
    /// As [`Samples::find`], but waits for the thread.
    pub(super) fn wait(&mut self, ctx: &Context, page: &Arc<Page>, request: &RenderRequest) -> Found {
        loop {
            match self.find(ctx, page, request) {
                Found::Pending(_) => self.finish(),
                found => return found,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::{Channels, Depth, Raster};
    use crate::sampling::{Method, Sampler};
    use crate::test_support::size;

    fn page() -> Arc<Page> {
        Arc::new(Page::new(Raster::zeros(size(300, 200), Channels::Grey, Depth::EIGHT)))
    }

    fn prefiltered() -> RenderRequest {
        let sampler = Sampler { prefilter: true, ..Sampler::default().with_method(Method::BSPLINE) };
        RenderRequest { sampler, ..RenderRequest::new(size(8, 8)) }
    }

    #[test]
    fn samples_of_a_page_are_ready_at_once_and_coefficients_after_the_thread() {
        let (ctx, page, mut samples) = (Context::default(), page(), Samples::default());
        assert!(matches!(samples.find(&ctx, &page, &RenderRequest::new(size(8, 8))), Found::Ready(_)));
        assert!(matches!(samples.find(&ctx, &page, &prefiltered()), Found::Pending(_)));
        assert!(!samples.is_idle());
        let Found::Ready(made) = samples.wait(&ctx, &page, &prefiltered()) else { panic!("no coefficients") };
        assert_eq!(made.axes()[0].halo, 16);
        assert!(samples.is_idle());
        let Found::Ready(again) = samples.find(&ctx, &page, &prefiltered()) else { panic!("not kept") };
        assert!(Arc::ptr_eq(&made, &again));
    }

    #[test]
    fn samples_that_a_frame_does_not_ask_for_are_forgotten_and_their_thread_is_stopped() {
        let (ctx, page, mut samples) = (Context::default(), page(), Samples::default());
        drop(samples.wait(&ctx, &page, &prefiltered()));
        samples.begin_frame();
        assert_eq!(samples.made.len(), 1, "the last frame asked for them");
        samples.begin_frame();
        assert!(samples.made.is_empty());
        let mut filtered = prefiltered();
        filtered.filters.before = "bilateral=9,0.1".parse().expect("a chain");
        assert!(matches!(samples.find(&ctx, &page, &filtered), Found::Pending(_)));
        let stop = samples.job.as_ref().map(|job| job.stop.clone()).expect("a thread");
        samples.begin_frame();
        assert!(!stop.is_set());
        samples.begin_frame();
        assert!(stop.is_set() && samples.is_idle());
    }
}
