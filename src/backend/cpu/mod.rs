//! CPU backend, used where CUDA is unavailable.
//!
//! Filters before the interpolation are part of the prepared values. The output is divided into bands of rows, one task
//! each. A band's values are computed in single precision (`aligned` by the axis tables for views without rotation,
//! `rotated` pixel by pixel, warped ones as well, `fetched` by the texture unit's fetches of integers), then mapped and written
//! (`finish`). Pixels that are samples are copied (`selected`), and 8-bit pictures of `auto` are computed in fixed-point arithmetic
//! (`aligned::fixed_point`). An oblique plane of a volume is interpolated by `grid`; of a component of complex numbers both
//! parts are interpolated first. The inner
//! loops are compiled for several instruction sets, selected once at run time. None fuses a multiplication with an addition, so that every machine writes the same
//! bytes.

mod aligned;
mod antiringing;
mod bench;
mod block_sweep;
mod cache_lines;
mod fetched;
mod finish;
mod frame;
mod instructions;
mod panned;
mod rotated;
mod selected;
mod straight;
mod vectors;

use std::sync::Arc;
use std::time::{Duration, Instant};

use self::aligned::{Aligned, Axes};
#[cfg(feature = "cli")]
pub(crate) use self::aligned::{StretchedColumns, stretched_columns};
use self::antiringing::Antiringing;
use self::fetched::Fetched;
use self::finish::{Finish, Rows};
use self::frame::Frame;
pub use self::instructions::Instructions;
pub use self::panned::PannedPicture;
use self::rotated::Rotated;
use super::demand::{add_filtered_view, add_prepared, output_demand};
use super::estimate::shrink_ms;
use super::prepared::edges;
use super::request::of_parts;
use super::{
    Backend, BackendError, BackendKind, BenchOptions, Benchmark, BlockSweepOptions, Content, Display, GlWriter,
    KernelTimer, Measurements, PixelFormat, Prepared, PreparedCache, RenderRequest, RenderTimer, RequestError,
    TruthView, Waker, fit_raster, page_of, page_to_subtract,
};
use crate::complex::Derived;
use crate::filter::{CancelToken, ExecOptions, Plane};
use crate::grid::GridError;
use crate::image::{Channels, Depth, Image, MeanAccuracy, Page, Raster, Size};
use crate::memory::{Demand, Memory};
use crate::sampling::Sampler;
use crate::volume::ObliquePlane;
use crate::warp::WarpedMap;

/// Smallest number of output rows of one task: enough rows that share rows of the image.
const MIN_BAND_ROWS: usize = 16;
/// Largest number of values of a band above the smallest number of rows: they stay in the cache.
const BAND_VALUES: usize = 1 << 16;
/// Estimated time of an antialiased reduction from which on it is slow, in milliseconds.
const SLOW_SHRINK_MS: f64 = 25.0;
/// Pixels of a formula up to which it is quick: those of a probe. A mean by quadrature may take a millisecond.
const QUICK_TRUTH_PIXELS: usize = 16;
/// Smallest number of tasks per thread, for load balance.
const TASKS_A_THREAD: usize = 4;

/// Output rows of one task, for `rows` rows of `stride` values. Adjacent bands both read the image rows between them,
/// so larger bands are cheaper.
fn band_rows(rows: usize, stride: usize) -> usize {
    let shared = rows / (TASKS_A_THREAD * rayon::current_num_threads());
    shared.min(BAND_VALUES / stride.max(1)).max(MIN_BAND_ROWS)
}

/// Backend that renders on all CPU cores.
#[derive(Debug, Default)]
pub struct CpuBackend {
    prepared: PreparedCache,
    axes: Axes,
    last_kernel_time: Option<Duration>,
    work: ExecOptions,
    memory: Memory,
    instructions: Instructions,
}

impl CpuBackend {
    /// Backend with empty caches.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same backend with the inner loops for `instructions`.
    #[must_use]
    pub fn with_instructions(self, instructions: Instructions) -> Self {
        Self { instructions, axes: Axes::default(), ..self }
    }

    /// Backend that refuses requests beyond `memory` with [`BackendError::HostMemory`].
    pub fn within(memory: Memory) -> Self {
        Self { memory, ..Self::default() }
    }
}

impl Backend for CpuBackend {
    fn kind(&self) -> BackendKind {
        BackendKind::Cpu
    }

    fn description(&self) -> String {
        let threads = match rayon::current_num_threads() {
            1 => "1 thread".to_owned(),
            threads => format!("{threads} threads"),
        };
        format!("CPU, {threads}, {}", self.instructions.name())
    }

    fn render(
        &mut self,
        image: &Image,
        request: &RenderRequest,
        format: PixelFormat,
        out: &mut Raster,
    ) -> Result<(), BackendError> {
        let start = Instant::now();
        self.frame(image, request, format, out)?.write(out, &self.work, self.instructions);
        self.finished(start)
    }

    fn render_panned(
        &mut self,
        image: &Image,
        request: &RenderRequest,
        format: PixelFormat,
        picture: &mut PannedPicture,
    ) -> Result<(), BackendError> {
        self.pan(image, request, format, picture)
    }

    fn set_exec_options(&mut self, work: ExecOptions) {
        self.work = work;
    }

    fn is_ready(&mut self, _image: &Image, _request: &RenderRequest) -> bool {
        true
    }

    fn set_waker(&mut self, _waker: Waker) {}

    fn is_slow(&mut self, image: &Image, request: &RenderRequest) -> bool {
        let shrinks = |request: &RenderRequest| {
            image.page(request.page).map_or(0.0, |page| shrink_ms(page, request, rayon::current_num_threads()))
        };
        let shrinks_ms = shrinks(request) + request.subtract.as_deref().map_or(0.0, shrinks);
        let has_truth = request.has_truth() && request.size.area() > QUICK_TRUTH_PIXELS;
        let is_whole = (request.is_oblique() || request.is_derived()) && request.size.area() > QUICK_TRUTH_PIXELS;
        request.has_filters() || has_truth || is_whole || shrinks_ms > SLOW_SHRINK_MS
    }

    fn timer(&mut self) -> Option<&mut dyn RenderTimer> {
        Some(self)
    }

    fn gl(&mut self) -> Option<&mut dyn GlWriter> {
        None
    }

    fn benchmark(&mut self) -> Option<&mut dyn Benchmark> {
        Some(self)
    }
}

impl RenderTimer for CpuBackend {
    fn set_timing(&mut self, _on: bool) {}

    fn last_kernel_time(&mut self) -> Option<Duration> {
        self.last_kernel_time
    }
}

impl Benchmark for CpuBackend {
    fn timer<'a>(&'a mut self, options: &BlockSweepOptions) -> Result<Box<dyn KernelTimer + 'a>, BackendError> {
        Ok(Box::new(block_sweep::CpuKernelTimer::new(options)?))
    }

    fn measure(&mut self, options: &BenchOptions) -> Result<Measurements, BackendError> {
        bench::run(self, options)
    }
}

impl CpuBackend {
    /// The pixels of `request`, which are not computed yet, and `out` in their size and format.
    fn frame(
        &mut self,
        image: &Image,
        request: &RenderRequest,
        format: PixelFormat,
        out: &mut Raster,
    ) -> Result<Frame, BackendError> {
        self.last_kernel_time = None;
        self.axes.next_turn();
        let page = page_of(image, request)?;
        request.check(&page)?;
        let channels = format.channels(request.channels(page.channels()));
        let other = match &request.subtract {
            Some(other) => Some((page_to_subtract(image, &page, other)?, other.as_ref())),
            None => None,
        };
        let mut demand = output_demand(request.size, channels, format.depth);
        self.add_demand(&mut demand, &page, request)?;
        if let Some((page, other)) = &other {
            self.add_demand(&mut demand, page, other)?;
        }
        self.check_memory(&demand)?;
        fit_raster(out, request, channels, format.depth);
        let is_coarse = matches!(format.depth, Depth::Integer { maxval } if maxval.get() <= 255);
        let accuracy = if is_coarse { MeanAccuracy::PICTURE } else { MeanAccuracy::FINE };
        let first = self.plan(&page, request, accuracy)?;
        let second = other.map(|(page, other)| self.plan(&page, other, accuracy)).transpose()?;
        let finish =
            Finish::new(page.channels(), second.is_some(), &request.display, out.channels(), self.instructions);
        Ok(Frame { first, second, finish, channels: page.channels().count() })
    }

    /// Adds the allocations of `request` except the output; cached values cost nothing.
    fn add_demand(&self, demand: &mut Demand, page: &Page, request: &RenderRequest) -> Result<(), BackendError> {
        if let Some(derived) = derived_of(page, request) {
            let values = request.around_view()?.size.area() * 2 * size_of::<f32>();
            demand.hold(|| "the interpolated parts take".to_owned(), values as u64);
            let request = of_parts(request);
            return derived.parts().iter().try_for_each(|part| self.add_demand(demand, part, &request));
        }
        let oblique = oblique_of(page, request);
        if let Some(oblique) = &oblique {
            oblique.add_demand(demand, &request.sampler, request.around_view()?.size);
        } else if request.content == Content::Interpolation && !self.prepared.holds(page, request) {
            add_prepared(demand, page, request);
        }
        if let Some(samples) = samples_of(request)
            && !self.prepared.holds(page, &samples)
        {
            add_prepared(demand, page, &samples);
        }
        add_filtered_view(demand, request.around_view()?.size, page.channels(), request);
        Ok(())
    }

    /// Refuses `demand` if it does not fit, even with empty caches.
    fn check_memory(&mut self, demand: &Demand) -> Result<(), BackendError> {
        if self.memory.check(demand).is_err() {
            self.prepared = PreparedCache::default();
            self.memory.check(demand)?;
        }
        Ok(())
    }

    /// The end of a render that began at `start`.
    fn finished(&mut self, start: Instant) -> Result<(), BackendError> {
        self.last_kernel_time = Some(start.elapsed());
        if self.work.stop.is_set() { Err(BackendError::Cancelled) } else { Ok(()) }
    }

    fn plan(
        &mut self,
        page: &Arc<Page>,
        request: &RenderRequest,
        accuracy: MeanAccuracy,
    ) -> Result<Plan, BackendError> {
        let around = request.around_view()?;
        let is_filtered = request.filters.after.is_active();
        let shown = if is_filtered { &around } else { request };
        if let Some(derived) = derived_of(page, request) {
            let ([real, imaginary], request_of_parts) = (derived.parts(), of_parts(shown));
            let real = self.plan(real, &request_of_parts, accuracy)?.values(shown.size, 1, &self.work);
            let imaginary = self.plan(imaginary, &request_of_parts, accuracy)?.values(shown.size, 1, &self.work);
            let plan = Plan::Filtered(Plane {
                size: shown.size.sides(),
                first: shown.first_pixel(page.size()),
                channels: page.channels(),
                values: derived.values([&real, &imaginary], |value| value as f32),
            });
            return if is_filtered { plan.filtered(page, (request, &around), &self.work) } else { Ok(plan) };
        }
        let plan = match (request.content, oblique_of(page, request)) {
            (Content::Truth, _) => Plan::Truth(
                TruthView::new(page, shown, accuracy).map_err(RequestError::from)?.with_factors(shown.size),
                self.work.stop.clone(),
            ),
            (Content::Interpolation, Some(oblique)) => {
                let map = shown.map(page.size());
                let work = self.work.stage("interpolation");
                let values = oblique.values(&request.sampler, shown.size, |pixel| map.at(pixel), &work);
                Plan::Filtered(Plane {
                    size: shown.size.sides(),
                    first: shown.first_pixel(page.size()),
                    channels: page.channels(),
                    values: values.map_err(of_grid)?,
                })
            }
            (Content::Interpolation, None) => {
                let prepared = self.prepared.get_by(page, request, &self.work).ok_or(BackendError::Cancelled)?;
                let map = shown.map(page.size());
                let antiringing = match samples_of(request) {
                    Some(samples) => {
                        let samples = self.prepared.get_by(page, &samples, &self.work);
                        Some(Antiringing::new(samples.ok_or(BackendError::Cancelled)?, shown, &map))
                    }
                    None => None,
                };
                Plan::new(prepared, shown, map, antiringing, (&mut self.axes, self.instructions))
            }
        };
        if is_filtered { plan.filtered(page, (request, &around), &self.work) } else { Ok(plan) }
    }
}

/// The oblique plane whose interpolation is shown.
fn oblique_of(page: &Page, request: &RenderRequest) -> Option<Arc<ObliquePlane>> {
    (request.content == Content::Interpolation).then(|| ObliquePlane::of(page)).flatten()
}

/// The component of complex numbers that is computed from interpolated parts.
fn derived_of(page: &Page, request: &RenderRequest) -> Option<Arc<Derived>> {
    (request.content == Content::Interpolation).then(|| Derived::of(page)).flatten()
}

/// The error of a volume's interpolation. Its sampler and its points are always valid.
fn of_grid(error: GridError) -> BackendError {
    match error {
        GridError::Memory(error) => BackendError::HostMemory(error),
        _ => BackendError::Cancelled,
    }
}

/// The request that reads the samples whose range bounds the values of `request`; `None` without antiringing.
fn samples_of(request: &RenderRequest) -> Option<RenderRequest> {
    let is_bounded = request.content == Content::Interpolation && request.sampler.is_antiringed();
    let samples = |request: &RenderRequest| RenderRequest {
        sampler: Sampler { prefilter: false, ..request.sampler },
        ..request.clone()
    };
    is_bounded.then(|| samples(request))
}

thread_local! {
    /// Two bands of values and a scratch buffer, kept by each thread.
    static BUFFERS: std::cell::RefCell<[Vec<f32>; 3]> = const { std::cell::RefCell::new([const { Vec::new() }; 3]) };
}

/// Maps and writes values of another backend, `channels` interleaved with straight alpha.
pub(super) fn finish_values(values: &[f32], channels: Channels, display: &Display, out: &mut Raster) {
    let finish = Finish::straight(channels, display, out.channels());
    let stride = out.size().width() as usize * channels.count();
    finish.run_in_bands(out, &ExecOptions::default(), |from, rows, write| {
        let mut values = values[from * stride..][..rows * stride].to_vec();
        write(Rows { values: &mut values, subtract: None });
    });
}

/// Execution options for the interpolation by `plan`. Rows of a rotated or a warped view share no work, and each may take long.
fn interpolation(work: &ExecOptions, plan: &Plan) -> ExecOptions {
    let work = work.stage("interpolation");
    let is_by_pixels = matches!(plan, Plan::Rotated(..) | Plan::Fetched(..) | Plan::Truth(..));
    if is_by_pixels { work.row_by_row() } else { work }
}

/// Computation of one request's values.
enum Plan {
    Aligned(Aligned, Option<Antiringing>),
    /// A rotated or a warped view.
    Rotated(Rotated, Option<Antiringing>),
    /// By the texture unit's paths from a texture of integers.
    Fetched(Fetched, Option<Antiringing>),
    /// The true values, until the token is cancelled.
    Truth(TruthView, CancelToken),
    /// Values of the whole view, already computed.
    Filtered(Plane),
}

impl Plan {
    fn new(
        prepared: Arc<Prepared>,
        request: &RenderRequest,
        map: WarpedMap,
        antiringing: Option<Antiringing>,
        (axes, instructions): (&mut Axes, Instructions),
    ) -> Self {
        if map.is_warped() {
            return Self::Rotated(Rotated::new(prepared, request, map, instructions), antiringing);
        }
        if let Some(fetched) = Fetched::new(&prepared, request, map.view()) {
            Self::Fetched(fetched, antiringing)
        } else if request.view.is_axis_aligned() {
            Self::Aligned(Aligned::new(prepared, request, map.view(), axes, instructions), antiringing)
        } else {
            Self::Rotated(Rotated::new(prepared, request, map, instructions), antiringing)
        }
    }

    /// The values of this plan, which is that of `around`, the view with the margin of the filters after the
    /// interpolation, filtered and cut to the size of `request`.
    fn filtered(
        &self,
        page: &Page,
        (request, around): (&RenderRequest, &RenderRequest),
        work: &ExecOptions,
    ) -> Result<Self, BackendError> {
        let (channels, first) = (page.channels(), around.first_pixel(page.size()));
        let values = self.values(around.size, channels.count(), work);
        let plane = Plane { size: around.size.sides(), first, channels, values };
        let size = [request.size.width(), request.size.height()];
        let filtered = request.filters.after.apply_within(plane, &edges(&request.sampler), work, size);
        filtered.map(Self::Filtered).ok_or(BackendError::Cancelled)
    }

    /// All values of a view of `size`, premultiplied.
    fn values(&self, size: Size, channels: usize, work: &ExecOptions) -> Vec<f32> {
        let stride = size.width() as usize * channels;
        let mut values = vec![0.0; size.area() * channels];
        interpolation(work, self).for_bands(
            (&mut values, stride),
            band_rows(size.height() as usize, stride),
            || (),
            |(), from, band| {
                BUFFERS.with_borrow_mut(|[_, _, scratch]| self.render(from, band, scratch));
            },
        );
        values
    }

    /// Fills `out` with the values of the rows from `from`, premultiplied.
    fn render(&self, from: usize, out: &mut [f32], scratch: &mut Vec<f32>) {
        match self {
            Self::Aligned(aligned, antiringing) => {
                aligned.render(from, out, scratch);
                antiringing.iter().for_each(|antiringing| antiringing.apply(from, out));
            }
            Self::Rotated(rotated, antiringing) => {
                rotated.render(from, out);
                antiringing.iter().for_each(|antiringing| antiringing.apply(from, out));
            }
            Self::Fetched(fetched, antiringing) => {
                fetched.render(from, out);
                antiringing.iter().for_each(|antiringing| antiringing.apply(from, out));
            }
            Self::Truth(truth, stop) => truth.fill((from, out), |_, _| true, stop, |value| value as f32),
            Self::Filtered(plane) => out.copy_from_slice(&plane.values[from * plane.stride()..][..out.len()]),
        }
    }
}

/// Matches a raster's number type, for loops that are generic in it.
macro_rules! with_samples {
    ($samples:expr, |$values:ident, $scale:ident| $body:expr) => {
        match $samples {
            $crate::image::Samples::U8 { values: $values, maxval } => {
                let $scale = f32::from(*maxval);
                $body
            }
            $crate::image::Samples::U16 { values: $values, maxval } => {
                let $scale = f32::from(*maxval);
                $body
            }
            $crate::image::Samples::F32($values) => {
                let $scale = 1.0_f32;
                $body
            }
        }
    };
}
use with_samples;
