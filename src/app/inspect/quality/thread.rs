//! The thread that measures panels.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::{PanelMetrics, QualityKey};
use crate::backend::{self, Backend as _, BackendError, Content, CpuBackend, PixelFormat, RenderRequest, page_of};
use crate::filter::{CancelToken, ExecOptions, Filters};
use crate::image::{Depth, Image, PageId, Raster};
use crate::measure::MeasureError;
use crate::panics::caught;
use crate::quality::{Counted, compare, truth};
use crate::sampling::Sampler;

/// How long a measurement goes on after its request was replaced: while the view moves, quick ones are shown.
const GRACE: Duration = Duration::from_millis(150);

/// A measurement.
#[derive(Debug)]
pub(super) struct Measured {
    pub(super) key: QualityKey,
    pub(super) result: Result<PanelMetrics, MeasureError>,
    /// When it ended.
    pub(super) at: Instant,
}

/// A thread that measures until it is dropped.
#[derive(Debug)]
pub(super) struct QualityThread {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    waiting: Vec<(QualityKey, Arc<Image>)>,
    running: Option<Running>,
    done: Vec<Measured>,
    is_closed: bool,
}

#[derive(Clone, Debug)]
struct Running {
    key: QualityKey,
    since: Instant,
    stop: CancelToken,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // No code that can panic runs while the state is locked.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl QualityThread {
    /// Starts a thread for the window of `ctx`, which is repainted after each measurement.
    pub(super) fn new(ctx: egui::Context) -> Self {
        let shared = Arc::<Shared>::default();
        let own = Arc::clone(&shared);
        std::thread::spawn(move || run(&own, &ctx));
        Self { shared }
    }

    /// Measures these next, in this order, and nothing else. A measurement that runs and is not among them ends soon.
    pub(super) fn want(&self, mut wanted: Vec<(QualityKey, Arc<Image>)>) {
        let mut state = self.shared.lock();
        if let Some(running) = &state.running {
            let count = wanted.len();
            wanted.retain(|(key, _)| *key != running.key);
            if wanted.len() == count {
                running.stop.cancel_at(running.since + GRACE);
            }
        }
        state.waiting = wanted;
        self.shared.changed.notify_all();
    }

    /// Takes what was measured since the last call.
    pub(super) fn take(&self) -> Vec<Measured> {
        std::mem::take(&mut self.shared.lock().done)
    }

    /// Whether nothing waits, runs or is to be taken.
    pub(super) fn is_idle(&self) -> bool {
        let state = self.shared.lock();
        state.waiting.is_empty() && state.running.is_none() && state.done.is_empty()
    }
}

impl Drop for QualityThread {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.is_closed = true;
        if let Some(running) = &state.running {
            running.stop.cancel();
        }
        self.shared.changed.notify_all();
    }
}

fn run(shared: &Shared, ctx: &egui::Context) {
    // Its own threads: the window's renders do not queue behind a long integral, and a core is left to the window.
    let threads = rayon::current_num_threads().saturating_sub(1).max(1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let mut measurer = Measurer::default();
    let mut state = shared.lock();
    while !state.is_closed {
        if state.waiting.is_empty() {
            state = shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            continue;
        }
        let (key, image) = state.waiting.remove(0);
        let stop = CancelToken::default();
        state.running = Some(Running { key: key.clone(), since: Instant::now(), stop: stop.clone() });
        drop(state);
        let work = ExecOptions { stop, ..ExecOptions::default() };
        let mut measure = || measurer.measure(&image, &key, &work);
        let result = caught(|| match &pool {
            Ok(pool) => pool.install(&mut measure),
            Err(_) => measure(),
        });
        let result = result.unwrap_or_else(|panicked| {
            log::error!("a measurement failed: {panicked}");
            measurer = Measurer::default();
            Err(BackendError::Device { what: panicked.to_string(), lost: false }.into())
        });
        state = shared.lock();
        state.running = None;
        if !matches!(result, Err(MeasureError::Backend(BackendError::Cancelled))) {
            state.done.push(Measured { key, result, at: Instant::now() });
            ctx.request_repaint();
        }
    }
}

/// Renders and compares.
#[derive(Debug, Default)]
struct Measurer {
    backend: CpuBackend,
    /// The last truth: panels of one view share it.
    truth: Option<KnownTruth>,
}

/// The true values of a view and the pixels that count.
#[derive(Debug)]
struct KnownTruth {
    page: PageId,
    request: RenderRequest,
    values: Raster,
    counted: Counted,
}

impl Measurer {
    /// The errors of the values of `key`, as [`measure::run`](crate::measure::run) counts them.
    fn measure(&mut self, image: &Image, key: &QualityKey, work: &ExecOptions) -> Result<PanelMetrics, MeasureError> {
        let request = &key.request;
        let page = page_of(image, request).map_err(BackendError::from)?;
        let sampler = Sampler { antialias: request.sampler.antialias, ..Sampler::default() };
        let exact = RenderRequest { content: Content::Truth, sampler, filters: Filters::default(), ..request.clone() };
        let known = match self.truth.take().filter(|known| known.page == page.id() && known.request == exact) {
            Some(known) => known,
            None => {
                let counted = Counted::between_samples(request, page.size());
                let values = truth(page, &exact, &counted, work)?;
                KnownTruth { page: page.id(), request: exact, values, counted }
            }
        };
        let known = self.truth.insert(known);
        self.backend.set_exec_options(work.clone());
        let picture = backend::render(&mut self.backend, image, request, PixelFormat::file(Depth::Float))?;
        let metrics = compare(&picture, &known.values, &known.counted)?;
        Ok(PanelMetrics { metrics, counted: known.counted.count() })
    }
}
