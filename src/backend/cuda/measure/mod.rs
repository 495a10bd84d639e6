//! What `bench` measures on a GPU: kernel times by CUDA events, of the very launches that the window makes.
//!
//! Every measurement is queued behind work that keeps the device busy, so that no time between two launches counts, and
//! the median of many is kept. A plain store of 16 bytes a thread to the same surface is measured in the same run: it is
//! what no kernel that fills the surface can be quicker than.

pub(crate) mod block_sweep;
mod documents;
mod filters;
mod frame;
mod paths;
mod prefilter;
mod slices;
pub(crate) mod store;

use std::sync::Arc;

use self::store::store_plain;
use crate::backend::bench::{median, noise};
use crate::backend::cuda::abi::sample_kind::floats_of;
use crate::backend::cuda::driver::destination::{Destination, DeviceBuffer};
use crate::backend::cuda::driver::device::Device;
use crate::backend::cuda::driver::error::DriverError;
use crate::backend::cuda::driver::events::Span;
use crate::backend::cuda::driver::surface::{Pieces, Surface};
use crate::backend::cuda::plan::LaunchPlan;
use crate::backend::cuda::render::Renderer;
use crate::backend::{BackendError, BenchOptions, BenchRow, LeftOut, Measurements, RenderRequest};
use crate::image::{Image, Page};

/// How often each is measured where nobody says.
const REPEATS: usize = 101;
/// Launches timed at once, behind one stretch of work.
const BATCH: usize = 20;
/// Stores that keep the device busy while a batch is queued.
const BUSY_STORES: usize = 120;

/// What a measurement's pixels are, in a surface of four bytes a pixel or of one.
fn pixels(rgba: bool) -> &'static str {
    if rgba { "grey 8-bit to RGBA8" } else { "grey 8-bit to R8" }
}

/// The median time of repeated launches, by events around each launch of a batch.
pub(crate) struct BatchTimer {
    spans: Vec<Span>,
}

impl BatchTimer {
    /// Events for one batch.
    ///
    /// # Errors
    /// If the driver creates no event.
    pub(crate) fn new(device: &Device) -> Result<Self, DriverError> {
        Ok(Self { spans: (0..BATCH).map(|_| Span::new(device)).collect::<Result<_, _>>()? })
    }

    /// The median GPU time of `repeats` runs of `work`, in microseconds. Each batch is queued behind plain stores to `busy`,
    /// so that the device never waits for the host between two launches.
    ///
    /// # Errors
    /// If `work` or the device fails.
    pub(crate) fn measure(
        &self,
        renderer: &mut Renderer,
        busy: Pieces<'_>,
        repeats: usize,
        mut work: impl FnMut(&mut Renderer) -> Result<(), BackendError>,
    ) -> Result<f64, BackendError> {
        for _ in 0..3 {
            work(renderer)?;
        }
        renderer.launcher.device.finish()?;
        let mut times = Vec::with_capacity(repeats);
        while times.len() < repeats {
            for _ in 0..BUSY_STORES {
                store_plain(&mut renderer.launcher, busy, 1)?;
            }
            let batch = &self.spans[..BATCH.min(repeats - times.len())];
            for span in batch {
                span.start(&renderer.launcher.device)?;
                work(renderer)?;
                span.end(&renderer.launcher.device)?;
            }
            renderer.launcher.device.finish()?;
            for span in batch {
                times.push(span.elapsed_ms()? * 1e3);
            }
        }
        Ok(median(times))
    }
}

/// Everything of one run.
struct Run<'a> {
    renderer: &'a mut Renderer,
    options: &'a BenchOptions,
    image: Image,
    timer: BatchTimer,
    rgba: Arc<Surface>,
    grey: Arc<Surface>,
    /// Times of a plain store to each, in microseconds.
    stores: [f64; 2],
    measured: Measurements,
}

/// What a row is of.
#[derive(Clone, Copy)]
struct Subject<'a> {
    what: &'a str,
    how: &'a str,
    pixels: &'a str,
    scale: f64,
    /// How many pixels are made.
    area: usize,
    /// How often it is measured where nobody says.
    usual: usize,
}

/// Times that a row's own is held against, in microseconds; 0 where there is none.
#[derive(Clone, Copy, Default)]
struct Against {
    store: f64,
    points: f64,
    copy: f64,
}

/// Measures everything.
pub(crate) fn run(renderer: &mut Renderer, options: &BenchOptions) -> Result<Measurements, BackendError> {
    let too_large = || BackendError::Limit { what: format!("noise of {} samples", options.image) };
    let image = noise(options.image).ok_or_else(too_large)?;
    let timer = BatchTimer::new(&renderer.launcher.device)?;
    let rgba = Arc::new(Surface::new(&renderer.launcher.device, options.size, true)?);
    let grey = Arc::new(Surface::new(&renderer.launcher.device, options.size, false)?);
    let measured = Measurements::default();
    let mut run = Run { renderer, options, image, timer, rgba, grey, stores: [0.0; 2], measured };
    match run.all() {
        Ok(()) => Ok(run.measured),
        Err(error) => {
            if error.is_lost() {
                // A device that is lost is not called again, not even to free what was on it.
                std::mem::forget((run.timer, run.rgba, run.grey));
            }
            Err(error)
        }
    }
}

impl Run<'_> {
    fn all(&mut self) -> Result<(), BackendError> {
        self.stores()?;
        for &scale in &self.options.scales {
            self.paths(scale)?;
            self.memories(scale)?;
        }
        self.cases()?;
        self.slices()?;
        self.table_one()?;
        self.prefilter()?;
        self.filters()?;
        self.frame()
    }

    fn page(&self) -> Arc<Page> {
        Arc::clone(&self.image.pages()[0])
    }

    /// The surface of four bytes a pixel, or of one.
    fn screen(&self, rgba: bool) -> Arc<Surface> {
        Arc::clone(if rgba { &self.rgba } else { &self.grey })
    }

    /// A row of pixels of the output's size.
    fn subject<'a>(&self, [what, how, pixels]: [&'a str; 3], scale: f64) -> Subject<'a> {
        Subject { what, how, pixels, scale, area: self.options.size.area(), usual: REPEATS }
    }

    /// Keeps a row, and gives its time; 0 where it is left out, since the device cannot do this one thing.
    fn keep(
        &mut self,
        subject: Subject<'_>,
        against: Against,
        time: Result<f64, BackendError>,
    ) -> Result<f64, BackendError> {
        let Subject { what, how, pixels, scale, area, usual } = subject;
        match time {
            Ok(median_us) => {
                let ratio = |other: f64| if other > 0.0 { median_us / other } else { 0.0 };
                self.measured.rows.push(BenchRow {
                    what: what.to_owned(),
                    how: how.to_owned(),
                    pixels: pixels.to_owned(),
                    scale,
                    repeats: self.options.repeats_or(usual),
                    median_us,
                    pixels_a_second: area as f64 / median_us * 1e6,
                    ratio_to_store: ratio(against.store),
                    ratio_to_points: ratio(against.points),
                    ratio_to_copy: ratio(against.copy),
                });
                Ok(median_us)
            }
            Err(error @ (BackendError::Cancelled | BackendError::Device { lost: true, .. })) => Err(error),
            Err(error) => {
                let [what, how, pixels] = [what, how, pixels].map(str::to_owned);
                self.measured.left_out.push(LeftOut { what, how, pixels, scale, why: error.to_string() });
                Ok(0.0)
            }
        }
    }

    /// The median time of `work`, in microseconds.
    fn time(
        &mut self,
        usual: usize,
        work: impl FnMut(&mut Renderer) -> Result<(), BackendError>,
    ) -> Result<f64, BackendError> {
        let busy = self.rgba.canvas().pieces();
        self.timer.measure(self.renderer, busy, self.options.repeats_or(usual), work)
    }

    /// Plain stores to both surfaces.
    fn stores(&mut self) -> Result<(), BackendError> {
        for rgba in [false, true] {
            let screen = self.screen(rgba);
            let pieces = screen.canvas().pieces();
            let time = self.time(REPEATS, |renderer| Ok(store_plain(&mut renderer.launcher, pieces, 7)?))?;
            self.stores[usize::from(rgba)] = time;
            let subject = self.subject(["plain store", "16 bytes", pixels(rgba)], 0.0);
            self.keep(subject, Against { store: time, ..Against::default() }, Ok(time))?;
        }
        Ok(())
    }

    /// The time of `request` of `page` by `plan` into the surface of this kind.
    fn view_time(
        &mut self,
        page: &Arc<Page>,
        request: &RenderRequest,
        plan: Result<LaunchPlan, BackendError>,
        rgba: bool,
    ) -> Result<f64, BackendError> {
        let plan = plan?;
        let screen = self.screen(rgba);
        let destination = Destination::surface(screen.canvas(), request.size)?;
        self.time(REPEATS, |renderer| renderer.interpolate(page, request, plan, &destination))
    }
}

/// The values of `request` by `plan`, before the display mapping: one a pixel of grey, four of colour. What no kernel wrote
/// is no number.
pub(crate) fn values(
    renderer: &mut Renderer,
    page: &Arc<Page>,
    request: &RenderRequest,
    plan: LaunchPlan,
) -> Result<Vec<f32>, BackendError> {
    let floats = floats_of(page.channels());
    let mut values = vec![f32::NAN; request.size.area() * floats];
    let memory = Arc::new(renderer.launcher.device.upload(values.clone())?);
    let destination = Destination::values(DeviceBuffer::Floats(Arc::clone(&memory)), request.size.sides(), floats)?;
    renderer.interpolate(page, request, plan, &destination)?;
    renderer.launcher.device.download(&memory, &mut values)?;
    Ok(values)
}
