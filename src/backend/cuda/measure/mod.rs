//! What `bench` measures on a GPU: kernel times by CUDA events, of the very launches that the window makes.
//!
//! Every measurement is queued behind work that keeps the device busy, so that no time between two launches counts, and
//! the median of many is kept. A plain store of 16 bytes a thread to the same surface is measured in the same run: it is
//! what no kernel that fills the surface can be quicker than.

pub(in crate::backend::cuda) mod block_sweep;
mod documents;
mod filters;
mod frame;
mod paths;
mod prefilter;

use std::sync::Arc;

use cudarc::driver::{CudaEvent, sys};

use super::driver::destination::{Destination, DeviceBuffer, Pieces};
use super::driver::device::Device;
use super::driver::fault::{Fault, because};
use super::driver::texture::Surface;
use super::plan::Route;
use super::render::{Renderer, floats_of, sides};
use crate::backend::bench::{median, noise};
use crate::backend::{BackendError, BenchOptions, BenchRow, LeftOut, Measurements, RenderRequest};
use crate::image::{Image, Page, Size};

/// How often each is measured where nobody says.
const REPEATS: usize = 101;
/// Launches timed at once, behind one stretch of work.
const BATCH: usize = 20;
/// Stores that keep the device busy while a batch is queued.
const BUSY_STORES: usize = 120;

/// A surface as large as the output.
///
/// # Errors
/// Where the device has no such surfaces, or no memory.
pub(super) fn screen(device: &Device, size: Size, rgba: bool) -> Result<Surface, BackendError> {
    if !device.limits.has_surface(size) {
        return Err(BackendError::Limit { what: format!("an output of {size}") });
    }
    Ok(Surface::new(device, size, rgba)?)
}

/// What a measurement's pixels are, in a surface of four bytes a pixel or of one.
fn pixels(rgba: bool) -> &'static str {
    if rgba { "grey 8-bit to RGBA8" } else { "grey 8-bit to R8" }
}

/// A pair of events for each launch of a batch.
pub(super) struct Clock {
    events: Vec<(CudaEvent, CudaEvent)>,
}

impl Clock {
    pub(super) fn new(device: &Device) -> Result<Self, Fault> {
        let event = || {
            let event = device.context.new_event(Some(sys::CUevent_flags::CU_EVENT_DEFAULT));
            event.map_err(because("no event"))
        };
        let events = (0..BATCH).map(|_| Ok((event()?, event()?))).collect::<Result<_, Fault>>()?;
        Ok(Self { events })
    }

    /// The median of `repeats` times of `work` in microseconds.
    pub(super) fn measure(
        &self,
        renderer: &mut Renderer,
        (busy, repeats): (Pieces<'_>, usize),
        mut work: impl FnMut(&mut Renderer) -> Result<(), BackendError>,
    ) -> Result<f64, BackendError> {
        for _ in 0..3 {
            work(renderer)?;
        }
        renderer.device.finish()?;
        let mut times = Vec::with_capacity(repeats);
        while times.len() < repeats {
            for _ in 0..BUSY_STORES {
                renderer.device.store_plain(busy, 1)?;
            }
            let batch = &self.events[..BATCH.min(repeats - times.len())];
            for (start, end) in batch {
                start.record(&renderer.device.stream).map_err(because("an event fails"))?;
                work(renderer)?;
                end.record(&renderer.device.stream).map_err(because("an event fails"))?;
            }
            renderer.device.finish()?;
            for (start, end) in batch {
                times.push(f64::from(start.elapsed_ms(end).map_err(because("an event fails"))?) * 1e3);
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
    clock: Clock,
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
pub(super) fn run(renderer: &mut Renderer, options: &BenchOptions) -> Result<Measurements, BackendError> {
    let too_large = || BackendError::Limit { what: format!("noise of {} samples", options.image) };
    let image = noise(options.image).ok_or_else(too_large)?;
    let clock = Clock::new(&renderer.device)?;
    let rgba = Arc::new(screen(&renderer.device, options.size, true)?);
    let grey = Arc::new(screen(&renderer.device, options.size, false)?);
    let measured = Measurements::default();
    let mut run = Run { renderer, options, image, clock, rgba, grey, stores: [0.0; 2], measured };
    match run.all() {
        Ok(()) => Ok(run.measured),
        Err(error) => {
            if error.is_lost() {
                // A device that is lost is not called again, not even to free what was on it.
                std::mem::forget((run.clock, run.rgba, run.grey));
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
            Err(error @ (BackendError::Stopped | BackendError::Device { lost: true, .. })) => Err(error),
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
        self.clock.measure(self.renderer, (busy, self.options.repeats_or(usual)), work)
    }

    /// Plain stores to both surfaces.
    fn stores(&mut self) -> Result<(), BackendError> {
        for rgba in [false, true] {
            let screen = self.screen(rgba);
            let pieces = screen.canvas().pieces();
            let time = self.time(REPEATS, |renderer| Ok(renderer.device.store_plain(pieces, 7)?))?;
            self.stores[usize::from(rgba)] = time;
            let subject = self.subject(["plain store", "16 bytes", pixels(rgba)], 0.0);
            self.keep(subject, Against { store: time, ..Against::default() }, Ok(time))?;
        }
        Ok(())
    }

    /// The time of `request` of `page` by `route` into the surface of this kind.
    fn view_time(
        &mut self,
        page: &Arc<Page>,
        request: &RenderRequest,
        route: Result<Route, BackendError>,
        rgba: bool,
    ) -> Result<f64, BackendError> {
        let route = route?;
        let screen = self.screen(rgba);
        let destination = Destination::surface(screen.canvas(), request.size)?;
        self.time(REPEATS, |renderer| renderer.interpolate(page, request, route, &destination))
    }
}

/// The values of `request` by `route`, before the display mapping: one a pixel of grey, four of colour. What no kernel wrote
/// is no number.
pub(super) fn values(
    renderer: &mut Renderer,
    page: &Arc<Page>,
    request: &RenderRequest,
    route: Route,
) -> Result<Vec<f32>, BackendError> {
    let floats = floats_of(page);
    let mut values = vec![f32::NAN; request.size.area() * floats];
    let memory = Arc::new(renderer.device.upload(values.clone())?);
    let destination = Destination::values(DeviceBuffer::Floats(Arc::clone(&memory)), sides(request.size), floats)?;
    renderer.interpolate(page, request, route, &destination)?;
    renderer.device.download(&memory, &mut values)?;
    Ok(values)
}
