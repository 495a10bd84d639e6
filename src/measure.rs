//! Report of `measure`: the errors of each method against the truth of a view, and the time that its render took.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::arguments::scales_text;
use crate::backend::{self, Backend, BackendError, PixelFormat, RenderRequest, output_demand};
use crate::filter::ExecOptions;
use crate::image::{Depth, Image, Truth};
use crate::memory::{Demand, Memory};
use crate::plots::{Chart, ChartEntry, ChartSeries, PlotAxis, Reconstruction, SeriesShape};
use crate::quality::{CompareError, Counted, Metrics, compare, truth};
use crate::sampling::{Method, Sampler};
use crate::text::number_text;

/// Largest number of timed renders of a method.
const RENDERS: usize = 5;
/// Time after which no further render of a method is timed.
const LONG: Duration = Duration::from_millis(500);

/// What the methods are measured on.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The image that is interpolated.
    pub image: Image,
    /// The view, with the sampler of all methods but for method and prefilter. Its page has a truth.
    pub request: RenderRequest,
}

/// Reason why nothing was measured.
#[derive(Clone, thiserror::Error)]
pub enum MeasureError {
    /// A render failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// There is nothing to compare.
    #[error(transparent)]
    Compare(#[from] CompareError),
}

/// Measurement of one method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasureRow {
    /// Index of its request.
    pub request: usize,
    /// The method.
    pub method: Method,
    /// Whether the samples were prefiltered.
    pub prefilter: bool,
    /// Its errors.
    pub metrics: Metrics,
    /// Median time of a render in milliseconds, with prefiltered samples kept from the render before.
    pub median_ms: f64,
}

/// Measurements of all methods, the best first.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasureReport {
    /// Description of the backend.
    pub description: String,
    /// Number of compared pixels.
    pub counted: usize,
    /// One row for each method, by falling PSNR.
    pub rows: Vec<MeasureRow>,
}

/// `request` for each of `methods`; methods with a prefilter come twice, without and with it.
pub fn requests(request: &RenderRequest, methods: &[Method]) -> Vec<RenderRequest> {
    let switches = |method: Method| if method.kernel().prefilter.is_some() { &[false, true][..] } else { &[false] };
    let samplers = methods.iter().flat_map(|&method| {
        switches(method).iter().map(move |&prefilter| Sampler { prefilter, ..request.sampler.with_method(method) })
    });
    samplers.map(|sampler| RenderRequest { sampler, ..request.clone() }).collect()
}

/// Renders and measures `requests`: those of [`requests`], or others of the subject's view.
///
/// # Errors
/// [`MeasureError`] for a request that is not served, and for a view without a pixel between the samples.
pub fn run(
    backend: &mut dyn Backend,
    subject: &Subject,
    requests: &[RenderRequest],
    work: &ExecOptions,
) -> Result<MeasureReport, MeasureError> {
    let page = backend::page_of(&subject.image, &subject.request).map_err(BackendError::from)?;
    let size = subject.request.size;
    let mut demand = Demand::default();
    // The truth, a picture, and which of its pixels count.
    let raster = output_demand(size, page.channels(), Depth::Float).peak();
    demand.hold(|| format!("two pictures of {size} pixels take"), 2 * raster + size.area() as u64);
    Memory::Machine.check(&demand).map_err(BackendError::from)?;
    for request in requests {
        request.check(&page).map_err(BackendError::from)?;
    }
    let counted = Counted::between_samples(&subject.request, page.size());
    if counted.count() == 0 {
        return Err(CompareError::NothingCounted.into());
    }
    let exact = truth(&page, &subject.request, &counted, work)?;
    backend.set_exec_options(work.clone());
    if let Some(timer) = backend.timer() {
        timer.set_timing(true);
    }
    let mut rows = Vec::with_capacity(requests.len());
    for (index, request) in requests.iter().enumerate() {
        let Sampler { method, prefilter, .. } = request.sampler;
        let format = PixelFormat::file(Depth::Float);
        let mut picture = backend::render(backend, &subject.image, request, format)?;
        let metrics = compare(&picture, &exact, &counted)?;
        let median_ms = median_ms(|| {
            let start = Instant::now();
            backend.render(&subject.image, request, format, &mut picture)?;
            let kernel = backend.timer().and_then(|timer| timer.last_kernel_time());
            Ok(kernel.unwrap_or_else(|| start.elapsed()))
        })?;
        rows.push(MeasureRow { request: index, method, prefilter, metrics, median_ms });
    }
    rows.sort_by(|a, b| b.metrics.psnr_db.total_cmp(&a.metrics.psnr_db));
    Ok(MeasureReport { description: backend.description(), counted: counted.count(), rows })
}

/// Median of the times that `render` returns.
fn median_ms(mut render: impl FnMut() -> Result<Duration, BackendError>) -> Result<f64, BackendError> {
    let start = Instant::now();
    let mut times_ms = Vec::new();
    while times_ms.is_empty() || (times_ms.len() < RENDERS && start.elapsed() < LONG) {
        times_ms.push(render()?.as_secs_f64() * 1e3);
    }
    Ok(backend::median(times_ms))
}

impl MeasureReport {
    /// The rows as JSON: an array of objects. A PSNR that is infinite and a similarity without a window are null.
    ///
    /// # Errors
    /// None in practice: every value is a number, a text or a Boolean.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        #[derive(Serialize)]
        struct Json {
            method: String,
            prefilter: bool,
            psnr: f64,
            rms: f64,
            max: f64,
            ssim: Option<f64>,
            ms: f64,
        }
        let json = |row: &MeasureRow| {
            let MeasureRow { method, prefilter, metrics: Metrics { psnr_db, rms, max, ssim }, median_ms, .. } = *row;
            Json { method: method.to_string(), prefilter, psnr: psnr_db, rms, max, ssim, ms: to_microsecond(median_ms) }
        };
        Ok(serde_json::to_string_pretty(&self.rows.iter().map(json).collect::<Vec<_>>())? + "\n")
    }

    /// The rows as CSV with a line of names. An infinite PSNR is `inf`, a similarity without a window is empty.
    ///
    /// # Errors
    /// None in practice: the table is in memory.
    pub fn to_csv(&self) -> Result<Vec<u8>, csv::Error> {
        let mut csv = csv::Writer::from_writer(Vec::new());
        csv.write_record(["method", "prefilter", "psnr", "rms", "max", "ssim", "ms"])?;
        for MeasureRow { method, prefilter, metrics, median_ms, .. } in &self.rows {
            let Metrics { psnr_db, rms, max, ssim } = metrics;
            let ssim = ssim.map(|ssim| ssim.to_string()).unwrap_or_default();
            let numbers = [psnr_db, rms, max].map(ToString::to_string);
            let [psnr, rms, max] = &numbers;
            let (method, prefilter) = (method.to_string(), prefilter.to_string());
            csv.write_record([&method, &prefilter, psnr, rms, max, &ssim, &to_microsecond(*median_ms).to_string()])?;
        }
        csv.into_inner().map_err(|error| csv::Error::from(error.into_error()))
    }

    /// Quality against cost: a named dot for each row at its time and its PSNR. A row with an infinite PSNR has none.
    pub fn chart(&self, subject: &Subject) -> Chart {
        self.chart_with_names(subject, |row| Reconstruction::of(row.method, row.prefilter).label())
    }

    /// The same with the rows called `name`.
    pub fn chart_with_names(&self, subject: &Subject, name: impl Fn(&MeasureRow) -> String) -> Chart {
        let rows: Vec<&MeasureRow> = self.rows.iter().filter(|row| row.metrics.psnr_db.is_finite()).collect();
        let point = |row: &MeasureRow| [to_microsecond(row.median_ms), row.metrics.psnr_db];
        let points: Vec<[f64; 2]> = rows.iter().map(|row| point(row)).collect();
        let slowest = points.iter().map(|[ms, _]| *ms).fold(0.0, f64::max);
        let psnrs = points.iter().map(|[_, psnr_db]| *psnr_db);
        let (least, most) = (psnrs.clone().fold(f64::INFINITY, f64::min), psnrs.fold(0.0, f64::max));
        let margin = (0.15 * (most - least)).max(1.0);
        let entry = |row: &&MeasureRow| ChartEntry {
            label: name(row),
            cells: vec![row.method.to_string(), row.prefilter.to_string()],
        };
        let entries: Vec<ChartEntry> = rows.iter().map(entry).collect();
        let dot = |(entry, row): (usize, &&MeasureRow)| ChartSeries {
            entry,
            part: entries[entry].label.clone(),
            source: "measured",
            shape: SeriesShape::Dots,
            points: vec![point(row)],
        };
        Chart {
            title: format!("Quality against cost: {}, by the backend {}", subject.image.name(), self.description),
            x: PlotAxis { name: "ms", symbol: "t", label: "Median time of a render, in ms" },
            y: PlotAxis { name: "psnr", symbol: "PSNR", label: "PSNR against the truth, in dB" },
            x_range: [0.0, (1.25 * slowest).max(1e-3)],
            y_range: if least.is_finite() { [least - margin, most + margin] } else { [0.0, 100.0] },
            guides: Vec::new(),
            keys: vec!["method", "prefilter"],
            series: rows.iter().enumerate().map(dot).collect(),
            entries,
            conclusion: None,
        }
    }

    /// The rows as a text table, with a line on the subject before and one on the times after it.
    pub fn to_table(&self, subject: &Subject) -> String {
        let RenderRequest { size, view, .. } = &subject.request;
        let [x, y] = view.translation().map(number_text);
        let mut table = format!(
            "{}, {} of {} pixels between the samples, scale {}, translation {x},{y}",
            subject.image.name(),
            self.counted,
            size.area(),
            scales_text(view.scales(), ',')
        );
        if !view.is_axis_aligned() {
            let _ = write!(table, ", {} degrees", number_text(view.angle_deg()));
        }
        let is_antialiased = subject.request.is_stretched();
        let page = subject.image.page(subject.request.page);
        let truth = match (page.and_then(|page| page.truth()), is_antialiased) {
            (Some(Truth::Formula(_) | Truth::Function(_)), false) => "the formula at each pixel's position",
            (Some(Truth::Formula(_) | Truth::Function(_)), true) => "the formula's mean over each pixel",
            (Some(Truth::Original(_)), _) => "the original",
            (None, _) => "none",
        };
        let _ = writeln!(table, "; truth: {truth}");
        let width = self.rows.iter().map(|row| row.method.to_string().chars().count()).fold(11, usize::max);
        let heads = ["prefilter", "PSNR dB", "RMS", "max", "SSIM", "ms"];
        let _ = write!(table, "{:<width$}  {:<9}", "method", heads[0]);
        for head in &heads[1..] {
            let _ = write!(table, "  {head:>9}");
        }
        table.push('\n');
        for MeasureRow { method, prefilter, metrics, median_ms, .. } in &self.rows {
            let Metrics { psnr_db, rms, max, ssim } = metrics;
            let prefilter = match (method.kernel().prefilter.is_some(), prefilter) {
                (false, _) => "",
                (true, false) => "off",
                (true, true) => "on",
            };
            let ssim = ssim.map_or_else(|| "-".to_owned(), |ssim| format!("{ssim:.6}"));
            let name = method.to_string();
            let _ = writeln!(
                table,
                "{name:<width$}  {prefilter:<9}  {psnr_db:>9.2}  {rms:>9.6}  {max:>9.6}  {ssim:>9}  {median_ms:>9.3}"
            );
        }
        let _ =
            writeln!(table, "ms: median of up to {RENDERS} renders, prefiltered samples kept; {}", self.description);
        table
    }
}

/// Milliseconds to the nearest microsecond.
fn to_microsecond(ms: f64) -> f64 {
    (ms * 1e3).round() / 1e3
}
