//! Pictures that take long: a thread of its own makes them while the window goes on.
//!
//! On the CPU, whatever passes filters comes from here. Whoever wants something asks for it in every frame until it has
//! come; what nobody asked for in a frame is forgotten, and given up where it is being made. Something newer for the same
//! place takes over, unless both are of the same filtered samples: these are finished, and kept. A frame waits a moment for
//! what it asks, so that quick filters are as live as if there were no thread; the window is drawn again only when
//! something has come.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::app::session::PanelId;
use crate::backend;
use crate::backend::{
    Backend, BackendError, BackendKind, Benchmark, CpuBackend, FallbackBackend, GlWriter, PixelFormat, RenderRequest,
    RenderTimer, Waker,
};
use crate::filter::{Stop, Work};
use crate::image::{Image, PageId, Raster};
use crate::panics::caught;

/// How long a frame waits in all for what it asks.
const PATIENCE: Duration = Duration::from_millis(12);
/// How long a picture goes on being made when a newer one is wanted in its place: where each takes less, a slider that is
/// dragged shows all the way.
const GRACE: Duration = Duration::from_millis(150);

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum Who {
    /// A panel's picture. Pictures go before all others, and the newest that is asked for replaces the last.
    Picture(PanelId),
    /// The picture of the difference of two panels, which is treated alike.
    Difference,
    /// The value under the cursor in a panel; the newest replaces the last.
    Probe(PanelId),
    /// A tool, for any number of things.
    Tool,
}

impl Who {
    fn is_picture(self) -> bool {
        match self {
            Self::Picture(_) | Self::Difference => true,
            Self::Probe(_) | Self::Tool => false,
        }
    }
}

/// The page that a request is of, and the one that it subtracts.
pub(in crate::app) type Pages = [Option<PageId>; 2];

/// The pages of `image` that `request` is of.
pub(in crate::app) fn pages_of(image: &Image, request: &RenderRequest) -> Pages {
    let id = |index| image.page(index).map(|page| page.id());
    [id(request.page), request.subtract.as_ref().and_then(|other| id(other.page))]
}

/// What is asked for.
#[derive(Clone, Debug, PartialEq)]
struct Asked {
    who: Who,
    pages: Pages,
    request: RenderRequest,
    format: PixelFormat,
}

impl Asked {
    /// Whether filters before the interpolation make the same samples for both: what one has of them serves the other, so
    /// that a view moved on does not begin them anew.
    fn shares_samples(&self, other: &Self) -> bool {
        let key = |asked: &Self| {
            let RenderRequest { sampler, filters, .. } = &asked.request;
            (asked.pages[0], sampler.address, sampler.border, sampler.uses_coefficients(), filters.before.clone())
        };
        self.request.filters.before.is_active() && key(self) == key(other)
    }
}

#[derive(Debug)]
struct Job {
    asked: Asked,
    image: Image,
    /// The last frame that asked for it.
    frame: u64,
    stop: Stop,
    /// When its making began.
    started: Instant,
}

/// What was made.
#[derive(Clone, Debug)]
pub(in crate::app) struct Made {
    /// Of which request; for a picture it may be an earlier one than the last that was asked for.
    pub(in crate::app) request: RenderRequest,
    /// Of which pages.
    pub(in crate::app) pages: Pages,
    /// The pixels.
    pub(in crate::app) result: Result<Raster, BackendError>,
    /// How long it took.
    pub(in crate::app) took: Duration,
}

#[derive(Debug, Default)]
struct State {
    frame: u64,
    waiting: Vec<Job>,
    running: Option<Job>,
    /// With the last frame that asked for each.
    done: Vec<(u64, Asked, Made)>,
    is_closed: bool,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

/// The thread, and what it has to do.
pub(in crate::app) struct Later {
    shared: Arc<Shared>,
    ctx: egui::Context,
    has_thread: bool,
    /// Until when this frame waits.
    patience: Instant,
}

impl std::fmt::Debug for Later {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Later").field("shared", &self.shared).finish_non_exhaustive()
    }
}

impl Shared {
    /// The state; a thread that panicked left it whole, since nothing that can panic is done while it is held.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Later {
    /// For the window of `ctx`, which is drawn again when something has come. The thread starts with the first work.
    pub(in crate::app) fn new(ctx: egui::Context) -> Self {
        Self { shared: Arc::default(), ctx, has_thread: false, patience: Instant::now() }
    }

    /// Whether `request` of `backend` is to be asked here: on the CPU, where filters act.
    pub(in crate::app) fn takes(backend: &FallbackBackend, request: &RenderRequest) -> bool {
        backend.is_slow(request)
    }

    /// To be called as a frame begins.
    pub(in crate::app) fn begin_frame(&mut self) {
        self.patience = Instant::now() + PATIENCE;
        self.shared.lock().frame += 1;
    }

    /// To be called as a frame ends: forgets what it did not ask for.
    pub(in crate::app) fn end_frame(&self) {
        let mut state = self.shared.lock();
        let frame = state.frame;
        state.waiting.retain(|job| job.frame == frame);
        state.done.retain(|(asked_in, ..)| asked_in + 1 >= frame);
        if let Some(job) = state.running.as_ref().filter(|job| job.frame != frame) {
            job.stop.now();
        }
    }

    /// Whether nothing is to be made and nothing waits to be taken.
    pub(in crate::app) fn is_idle(&self) -> bool {
        let state = self.shared.lock();
        let is_kept = |asked: &Asked| !asked.who.is_picture();
        state.waiting.is_empty() && state.running.is_none() && state.done.iter().all(|(_, asked, _)| is_kept(asked))
    }

    /// What was made for `who` since the last call, where it comes while this frame waits; for a picture perhaps an earlier
    /// one on its way to this. Until this one has come, ask again in the next frame.
    pub(in crate::app) fn ask(
        &mut self,
        who: Who,
        image: &Image,
        request: &RenderRequest,
        format: PixelFormat,
    ) -> Option<Made> {
        let until = self.patience;
        self.ask_until(Some(until), (who, format), image, request)
    }

    /// The same, until it has come.
    fn wait(&mut self, who: Who, image: &Image, request: &RenderRequest, format: PixelFormat) -> Option<Made> {
        self.ask_until(None, (who, format), image, request)
    }

    fn ask_until(
        &mut self,
        until: Option<Instant>,
        (who, format): (Who, PixelFormat),
        image: &Image,
        request: &RenderRequest,
    ) -> Option<Made> {
        let asked = Asked { who, pages: pages_of(image, request), request: request.clone(), format };
        self.start_thread();
        let mut state = self.shared.lock();
        state.want(&asked, image);
        self.shared.changed.notify_all();
        loop {
            if let Some(made) = state.take(&asked) {
                return Some(made);
            }
            let rest = until.map_or(PATIENCE, |until| until.saturating_duration_since(Instant::now()));
            if rest.is_zero() {
                return None;
            }
            let waited = self.shared.changed.wait_timeout(state, rest);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn start_thread(&mut self) {
        if !std::mem::replace(&mut self.has_thread, true) {
            let (shared, ctx) = (Arc::clone(&self.shared), self.ctx.clone());
            std::thread::spawn(move || work(&shared, &ctx));
        }
    }
}

impl Drop for Later {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.is_closed = true;
        if let Some(job) = &state.running {
            job.stop.now();
        }
        self.shared.changed.notify_all();
    }
}

impl State {
    /// Puts a job in the queue, or notes that one is still wanted.
    fn want(&mut self, asked: &Asked, image: &Image) {
        let frame = self.frame;
        let is_one = asked.who != Who::Tool;
        if let Some((asked_in, ..)) = self.done.iter_mut().find(|(_, done, _)| done == asked) {
            *asked_in = frame;
            return;
        }
        if let Some(job) = self.waiting.iter_mut().chain(&mut self.running).find(|job| job.asked == *asked)
            && !job.stop.is_set()
        {
            job.frame = frame;
            return;
        }
        if is_one {
            self.waiting.retain(|job| job.asked.who != asked.who);
        }
        let is_picture = asked.who.is_picture();
        if let Some(job) = &mut self.running {
            if is_one && job.asked.who == asked.who {
                job.frame = frame;
                if !job.asked.shares_samples(asked) {
                    job.stop.at(job.started + GRACE);
                }
            } else if is_picture && !job.asked.who.is_picture() {
                job.stop.now();
            }
        }
        let started = Instant::now();
        let job = Job { asked: asked.clone(), image: image.clone(), frame, stop: Stop::default(), started };
        // Pictures first, each kind in the order of asking.
        let behind = |job: &Job| is_picture && !job.asked.who.is_picture();
        let place = self.waiting.iter().position(behind).unwrap_or(self.waiting.len());
        self.waiting.insert(place, job);
    }

    /// What was made for this, or for the same picture before. A value, or what a tool asked for, stays for as long as it is
    /// asked for: a tool may need many, and begins anew until all have come; and what is made twice is drawn twice, for ever.
    fn take(&mut self, asked: &Asked) -> Option<Made> {
        let is_picture = asked.who.is_picture();
        let fits = |done: &Asked| done == asked || (is_picture && done.who == asked.who);
        let place = self.done.iter().position(|(_, done, _)| fits(done))?;
        Some(if is_picture { self.done.remove(place).2 } else { self.done[place].2.clone() })
    }
}

/// What the thread does until the window is gone.
fn work(shared: &Shared, ctx: &egui::Context) {
    // Threads of its own: what the window itself makes would wait behind the bands of a long filter.
    let pool = rayon::ThreadPoolBuilder::new().build();
    let mut backend = CpuBackend::new();
    let mut state = shared.lock();
    loop {
        if state.is_closed {
            return;
        }
        if state.waiting.is_empty() {
            state = shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            continue;
        }
        let mut job = state.waiting.remove(0);
        job.started = Instant::now();
        let (asked, image, stop, started) = (job.asked.clone(), job.image.clone(), job.stop.clone(), job.started);
        state.running = Some(job);
        drop(state);
        backend.work_by(Work { stop, ..Work::default() });
        let result = rendered(&mut backend, |backend| {
            let mut render = || backend::render(backend, &image, &asked.request, asked.format);
            match &pool {
                Ok(pool) => pool.install(render),
                Err(_) => render(),
            }
        });
        state = shared.lock();
        let frame = state.running.take().map_or(0, |job| job.frame);
        if !matches!(result, Err(BackendError::Stopped)) {
            let (request, pages) = (asked.request.clone(), asked.pages);
            let made = Made { request, pages, result, took: started.elapsed() };
            state.done.push((frame, asked, made));
            ctx.request_repaint();
        }
        shared.changed.notify_all();
    }
}

/// What `render` gives. A panic is logged, since probes and tools show nothing in its place, and is an error of its request:
/// the thread goes on, with a backend that keeps nothing half made, and nobody waits for ever.
fn rendered(
    backend: &mut CpuBackend,
    render: impl FnOnce(&mut CpuBackend) -> Result<Raster, BackendError>,
) -> Result<Raster, BackendError> {
    caught(|| render(backend)).unwrap_or_else(|panicked| {
        log::error!("a picture, a value or a tool failed: {panicked}");
        *backend = CpuBackend::new();
        Err(BackendError::Device { what: panicked.to_string(), lost: false })
    })
}

/// The backend of the window, with what takes long made by the thread.
pub(in crate::app) struct Deferred<'a> {
    backend: &'a mut FallbackBackend,
    later: &'a mut Later,
    who: Who,
    waits: bool,
    /// Whether something has not come yet: it is to be asked for again in the next frame.
    pub(in crate::app) is_late: bool,
}

impl<'a> Deferred<'a> {
    /// Fails with [`BackendError::Stopped`] where what `who` asks for has not come yet.
    pub(in crate::app) fn new(backend: &'a mut FallbackBackend, later: &'a mut Later, who: Who) -> Self {
        Self { backend, later, who, waits: false, is_late: false }
    }

    /// Waits for whatever is asked.
    pub(in crate::app) fn waiting(backend: &'a mut FallbackBackend, later: &'a mut Later) -> Self {
        Self { waits: true, ..Self::new(backend, later, Who::Tool) }
    }
}

impl Backend for Deferred<'_> {
    fn kind(&self) -> BackendKind {
        self.backend.kind()
    }

    fn description(&self) -> String {
        self.backend.description()
    }

    fn render(
        &mut self,
        image: &Image,
        request: &RenderRequest,
        format: PixelFormat,
        out: &mut Raster,
    ) -> Result<(), BackendError> {
        if !Later::takes(self.backend, request) {
            return self.backend.render(image, request, format, out);
        }
        let made = if self.waits {
            self.later.wait(self.who, image, request, format)
        } else {
            self.later.ask(self.who, image, request, format)
        };
        let Some(made) = made else {
            self.is_late = true;
            return Err(BackendError::Stopped);
        };
        *out = made.result?;
        Ok(())
    }

    fn is_slow(&self, request: &RenderRequest) -> bool {
        self.backend.is_slow(request)
    }

    fn work_by(&mut self, work: Work) {
        self.backend.work_by(work);
    }

    fn is_ready(&mut self, image: &Image, request: &RenderRequest) -> bool {
        self.backend.is_ready(image, request)
    }

    fn set_waker(&mut self, waker: Waker) {
        self.backend.set_waker(waker);
    }

    fn timer(&mut self) -> Option<&mut dyn RenderTimer> {
        self.backend.timer()
    }

    fn gl(&mut self) -> Option<&mut dyn GlWriter> {
        self.backend.gl()
    }

    fn benchmark(&mut self) -> Option<&mut dyn Benchmark> {
        self.backend.benchmark()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::Filters;
    use crate::image::{Channels, Page, Samples, Size};
    use crate::memory::Memory;

    fn panel() -> Who {
        Who::Picture(PanelId::next())
    }

    fn noise(side: u32) -> Image {
        let size = Size::new(side, side).expect("a size");
        let mut random = fastrand::Rng::with_seed(9);
        let values = (0..size.area()).map(|_| random.u8(..)).collect();
        let raster = Raster::new(size, Channels::Grey, Samples::U8 { values, maxval: 255 }).expect("a raster");
        Image::new("noise", vec![Page::new(raster)]).expect("an image")
    }

    fn request(side: u32, before: &str) -> RenderRequest {
        let filters = Filters { before: before.parse().expect("a chain"), ..Filters::default() };
        RenderRequest { filters, ..RenderRequest::new(Size::new(side, side).expect("a size")) }
    }

    /// Asks frame by frame until it comes.
    fn until_made(later: &mut Later, who: Who, image: &Image, request: &RenderRequest) -> Made {
        loop {
            later.begin_frame();
            let made = later.ask(who, image, request, PixelFormat::TEXTURE);
            later.end_frame();
            if let Some(made) = made.filter(|made| made.request == *request) {
                return made;
            }
        }
    }

    #[test]
    fn what_comes_is_what_the_backend_makes() {
        let (image, mut later) = (noise(64), Later::new(egui::Context::default()));
        for text in ["gaussian=3", "median=2;negative", "bilateral"] {
            let request = request(64, text);
            let made = until_made(&mut later, panel(), &image, &request).result.expect("a picture");
            let expected = backend::render(&mut CpuBackend::new(), &image, &request, PixelFormat::TEXTURE);
            assert_eq!(made, expected.expect("a picture"));
        }
        assert!(later.is_idle());
    }

    /// The errors that were logged.
    struct Errors(Mutex<Vec<String>>);

    static ERRORS: Errors = Errors(Mutex::new(Vec::new()));

    impl log::Log for Errors {
        fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
            metadata.level() == log::Level::Error
        }

        fn log(&self, record: &log::Record<'_>) {
            if self.enabled(record.metadata()) {
                self.0.lock().expect("the lines").push(record.args().to_string());
            }
        }

        fn flush(&self) {}
    }

    #[test]
    fn a_panic_is_an_error_of_its_request_and_of_the_log() {
        log::set_logger(&ERRORS).expect("no other test of the library keeps the log");
        log::set_max_level(log::LevelFilter::Error);
        let error = rendered(&mut CpuBackend::new(), |_| panic!("no such row")).expect_err("it panics").to_string();
        assert!(error.starts_with("the device failed: no such row (src/app/render/worker.rs:"), "{error}");
        let logged = ERRORS.0.lock().expect("the lines").clone();
        assert!(
            logged.iter().any(|line| line.contains("failed: no such row (src/app/render/worker.rs:")),
            "{logged:?}"
        );
    }

    #[test]
    fn a_backend_that_panicked_is_replaced_by_a_new_one() {
        let (image, request) = (noise(8), request(8, "none"));
        let serve = |backend: &mut CpuBackend| backend::render(backend, &image, &request, PixelFormat::TEXTURE);
        let mut backend = CpuBackend::within(Memory::Bytes(0));
        serve(&mut backend).expect_err("it may take no memory");
        rendered(&mut backend, |_| panic!("half made")).expect_err("it panics");
        serve(&mut backend).expect("the new one takes what the machine has");
    }

    #[test]
    fn the_newest_wins_and_what_nobody_asks_for_is_given_up() {
        let (image, mut later, who) = (noise(700), Later::new(egui::Context::default()), panel());
        let long = request(700, "bilateral=16,0.5,32;bilateral=16,0.5,32");
        later.begin_frame();
        later.patience = Instant::now();
        assert!(later.ask(who, &image, &long, PixelFormat::TEXTURE).is_none());
        later.end_frame();
        // Another takes its place long before it is made.
        let short = request(700, "negative");
        let made = until_made(&mut later, who, &image, &short);
        assert!(made.result.is_ok() && made.took < Duration::from_secs(60));
        // Nobody asks any longer.
        later.begin_frame();
        later.patience = Instant::now();
        assert!(later.ask(Who::Tool, &image, &long, PixelFormat::TEXTURE).is_none());
        later.end_frame();
        while !later.is_idle() {
            later.begin_frame();
            later.end_frame();
        }
    }

    #[test]
    fn a_view_that_moves_on_does_not_begin_its_filtered_samples_anew() {
        let (image, mut later) = (noise(500), Later::new(egui::Context::default()));
        let at = |x: f64, text: &str| {
            let view = crate::view::View::new([x, 0.0], 1.0).expect("a view");
            RenderRequest { view, ..request(500, text) }
        };
        let mut ask = |request: &RenderRequest| {
            later.begin_frame();
            later.patience = Instant::now();
            assert!(later.ask(Who::Difference, &image, request, PixelFormat::TEXTURE).is_none());
            later.end_frame();
            while later.shared.lock().running.is_none() {
                std::thread::yield_now();
            }
            let state = later.shared.lock();
            let stop = state.running.as_ref().map(|job| job.stop.clone());
            stop.is_some_and(|stop| stop.is_wanted())
        };
        let long = "bilateral=16,0.5,32;bilateral=16,0.5,32";
        assert!(!ask(&at(0.0, long)) && !ask(&at(1.0, long)) && !ask(&at(2.0, long)));
        assert!(ask(&at(2.0, "median=16;bilateral=16,0.5,32")), "other numbers take over");
    }

    #[test]
    fn a_value_is_made_once_however_often_it_is_asked_for() {
        let (image, mut later) = (noise(32), Later::new(egui::Context::default()));
        let (request, who) = (request(1, "gaussian=2"), Who::Probe(PanelId::next()));
        let frame = |later: &mut Later| {
            later.begin_frame();
            let made = later.ask(who, &image, &request, PixelFormat::TEXTURE);
            later.end_frame();
            made
        };
        let first = loop {
            if let Some(made) = frame(&mut later) {
                break made;
            }
        };
        for _ in 0..5 {
            let again = frame(&mut later).expect("it is kept");
            assert!(again.took == first.took && later.is_idle());
        }
        // Nobody asks any longer.
        for _ in 0..2 {
            later.begin_frame();
            later.end_frame();
        }
        assert!(later.shared.lock().done.is_empty());
    }

    #[test]
    fn a_picture_goes_before_what_a_tool_asks() {
        let (image, mut later) = (noise(300), Later::new(egui::Context::default()));
        later.begin_frame();
        later.patience = Instant::now();
        let tool = request(300, "bilateral=16,0.5,32");
        assert!(later.ask(Who::Tool, &image, &tool, PixelFormat::TEXTURE).is_none());
        assert!(later.ask(Who::Difference, &image, &request(300, "sobel"), PixelFormat::TEXTURE).is_none());
        let state = later.shared.lock();
        let first = state.running.iter().filter(|job| !job.stop.is_set()).chain(&state.waiting).next();
        assert!(first.is_none_or(|job| job.asked.who == Who::Difference) || state.done.len() == 1, "{state:?}");
    }
}
