//! Whether an interpolation passes through its samples: f(k) is compared with s[k] at every sample.
//!
//! f is rendered at scale 1 with a whole translation, so that each pixel is on a sample. A kernel with w(0) = 1 and w(k) = 0
//! at the other integers keeps every sample; a B-spline keeps them with its prefilter alone.

use std::fmt::Write as _;
use std::sync::Arc;

use serde::Serialize;

use super::Exceedance;
use crate::backend::{Backend as _, BackendError, CpuBackend, PixelFormat, RenderRequest, RequestError, render};
use crate::complex::{self, Component};
use crate::filter::{Chain, ExecOptions, Filters};
use crate::image::{Depth, Image, Page, Region, Size};
use crate::plots::{Chart, ChartEntry, ChartSeries, PlotAxis, SeriesShape};
use crate::sampling::Sampler;
use crate::view::View;
use crate::volume::{self, Plane};

/// Largest difference of a sample that is kept, for samples of magnitudes up to 1; of larger ones this part of them.
pub const SAMPLE_TOLERANCE: f32 = 1e-5;
/// Values that are rendered at once.
const VALUES_AT_ONCE: usize = 1 << 20;

/// What is compared.
#[derive(Clone, Debug, PartialEq)]
pub struct SampleCheckRequest {
    /// The page, from 0.
    pub page: usize,
    /// Plane of a page that is a volume.
    pub plane: Plane,
    /// Component of a page of complex numbers.
    pub component: Component,
    /// The interpolation. The view is not reduced: antialiasing has no effect.
    pub sampler: Sampler,
    /// Filters of the samples before the interpolation. They change the values that the original samples are compared with.
    pub before: Chain,
    /// The samples.
    pub region: Region,
    /// Side of a block, in samples: [`SampleCheck::blocks`] has one entry for each.
    pub block: u32,
}

/// A sample and the value of the interpolation there, in the channel where they differ most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleDifference {
    /// Column and row of the sample.
    pub at: [u32; 2],
    /// The channel.
    pub channel: usize,
    /// `s[k]`; 1 is maxval.
    pub sample: f32,
    /// f(k).
    pub value: f32,
}

impl SampleDifference {
    /// `f(k) − s[k]`.
    pub fn error(&self) -> f32 {
        self.value - self.sample
    }

    /// `|f(k) − s[k]|`, infinite where it is not a number.
    pub fn magnitude(&self) -> f32 {
        let error = self.error().abs();
        if error.is_nan() { f32::INFINITY } else { error }
    }

    /// Whether the sample is kept, within [`SAMPLE_TOLERANCE`].
    pub fn is_kept(&self) -> bool {
        self.magnitude() <= SAMPLE_TOLERANCE * self.sample.abs().max(1.0)
    }
}

/// A square of samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleBlock {
    /// Its centre, in samples.
    pub middle: [f64; 2],
    /// Number of its samples.
    pub count: u32,
    /// Number of those that are not kept.
    pub wrong: u32,
    /// The sample that differs most.
    pub worst: SampleDifference,
}

/// The comparison of a region.
#[derive(Clone, Debug, PartialEq)]
pub struct SampleCheck {
    /// Number of samples.
    pub count: u64,
    /// Number of those that are kept.
    pub kept: u64,
    /// The sample that differs most; the first of equal ones.
    pub largest: SampleDifference,
    /// The blocks that the region touches, row by row. Block (i, j) has the samples from (i, j)·block on.
    pub blocks: Vec<SampleBlock>,
}

impl SampleCheck {
    /// Compares the samples of `request`.
    ///
    /// # Errors
    /// Errors of the render, and cancelled work.
    pub fn new(image: &Image, request: &SampleCheckRequest, backend: &mut CpuBackend) -> Result<Self, BackendError> {
        let Region { left, top, right, bottom } = request.region;
        let block = request.block.max(1);
        let columns = (right / block - left / block + 1) as usize;
        let mut blocks: Vec<Option<SampleBlock>> = vec![None; columns * (bottom / block - top / block + 1) as usize];
        visit_samples(image, request, backend, &mut |sample| {
            let [i, j] = [sample.at[0] / block, sample.at[1] / block];
            let place = (j - top / block) as usize * columns + (i - left / block) as usize;
            let middle = [i, j].map(|index| f64::from(index * block) + (f64::from(block) - 1.0) / 2.0);
            let of_block = blocks[place].get_or_insert(SampleBlock { middle, count: 0, wrong: 0, worst: sample });
            of_block.count += 1;
            of_block.wrong += u32::from(!sample.is_kept());
            if sample.magnitude() > of_block.worst.magnitude() {
                of_block.worst = sample;
            }
        })?;
        let blocks: Vec<SampleBlock> = blocks.into_iter().flatten().collect();
        let count = blocks.iter().map(|block| u64::from(block.count)).sum();
        let wrong: u64 = blocks.iter().map(|block| u64::from(block.wrong)).sum();
        let worst = blocks.iter().map(|block| block.worst);
        let largest =
            worst.reduce(|largest, worst| if worst.magnitude() > largest.magnitude() { worst } else { largest });
        let largest = largest.ok_or(BackendError::Cancelled)?;
        Ok(Self { count, kept: count - wrong, largest, blocks })
    }
}

/// Calls `visit` for each sample of the region, row by row.
///
/// Colours are premultiplied by alpha, as they are interpolated.
///
/// # Errors
/// Errors of the render, and cancelled work.
pub fn visit_samples(
    image: &Image,
    request: &SampleCheckRequest,
    backend: &mut CpuBackend,
    visit: &mut dyn FnMut(SampleDifference),
) -> Result<(), BackendError> {
    let page = &page_at(image, request)?;
    let channels = page.channels();
    let maxval = f32::from(page.maxval());
    let Region { left, top, right, bottom } = request.region;
    let values_a_row = (right - left + 1) as usize * channels.count();
    let rows_at_once = u32::try_from((VALUES_AT_ONCE / values_a_row).max(1)).unwrap_or(u32::MAX);
    let colours = channels.opaque().count();
    let mut first = top;
    while first <= bottom {
        let last = bottom.min(first.saturating_add(rows_at_once - 1));
        let strip = Region { left, top: first, right, bottom: last };
        let Some(on_samples) = request_of(page, request, strip) else { return Ok(()) };
        let values = render(backend, image, &on_samples, PixelFormat::file(Depth::Float))?;
        for row in first..=last {
            for column in left..=right {
                let sample = |channel: usize| page.raster().number(column, row, channel) / maxval;
                let value = |channel: usize| values.number(column - left, row - first, channel);
                let of_channel = |channel: usize| {
                    let is_weighted = channels.has_alpha() && channel < colours;
                    let [sample, value] = match is_weighted {
                        true => [sample(channel) * sample(colours), value(channel) * value(colours)],
                        false => [sample(channel), value(channel)],
                    };
                    SampleDifference { at: [column, row], channel, sample, value }
                };
                let all = (0..channels.count()).map(of_channel);
                let worst = all.reduce(|a, b| if b.magnitude() > a.magnitude() { b } else { a });
                worst.into_iter().for_each(&mut *visit);
            }
        }
        first = last + 1;
    }
    Ok(())
}

/// The page whose samples are read.
fn page_at(image: &Image, request: &SampleCheckRequest) -> Result<Arc<Page>, BackendError> {
    let missing = RequestError::Page { page: request.page, count: image.pages().len() };
    let page = volume::resolved(image.page(request.page).ok_or(missing)?, &request.plane, &request.sampler);
    Ok(complex::resolved(&page, request.component))
}

/// The request whose pixel (i, j) is sample (left + i, top + j). `None` for a region that no view shows.
fn request_of(page: &Page, request: &SampleCheckRequest, region: Region) -> Option<RenderRequest> {
    let [width, height] = region.sides();
    let size = Size::new(width, height).ok()?;
    // x(i) = i − W_o/2 + W/2 + t, without rounding errors.
    let start = |first: u32, shown: u32, whole: u32| f64::from(first) + f64::from(shown) / 2.0 - f64::from(whole) / 2.0;
    let translation = [start(region.left, width, page.size().width()), start(region.top, height, page.size().height())];
    let view = View::new(translation, 1.0).ok()?;
    let filters = Filters { before: request.before.clone(), ..Filters::default() };
    let sampler = Sampler { antialias: false, ..request.sampler };
    let SampleCheckRequest { page, plane, component, .. } = *request;
    Some(RenderRequest { view, sampler, page, plane, component, filters, ..RenderRequest::new(size) })
}

/// The comparison of one method, for a table and a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct SampleReport {
    /// The interpolation.
    pub sampler: Sampler,
    /// Number of samples.
    pub count: u64,
    /// Number of those that are kept.
    pub kept: u64,
    /// The sample that differs most.
    pub largest: SampleDifference,
    exceedance: Exceedance,
}

const ERROR: PlotAxis = PlotAxis { name: "error", symbol: "e", label: "Error e; 1 is maxval" };
const SHARE: PlotAxis = PlotAxis { name: "share", symbol: "p", label: "Share of the samples with an error above e" };

impl SampleReport {
    /// Compares all samples of a page, and calls `visit` for each.
    ///
    /// # Errors
    /// Errors of the render, and cancelled work.
    pub fn new(
        image: &Image,
        (page, before): (usize, &Chain),
        sampler: Sampler,
        work: &ExecOptions,
        visit: &mut dyn FnMut(SampleDifference),
    ) -> Result<Self, BackendError> {
        let missing = RequestError::Page { page, count: image.pages().len() };
        let region = Region::whole(image.page(page).ok_or(missing)?.size());
        let (plane, component, before) = (Plane::default(), Component::default(), before.clone());
        let request = SampleCheckRequest { page, plane, component, sampler, before, region, block: 1 };
        let mut backend = CpuBackend::new();
        backend.set_exec_options(ExecOptions { progress: None, ..work.clone() });
        let (mut exceedance, mut largest, mut count, mut kept) = (Exceedance::default(), None, 0, 0);
        visit_samples(image, &request, &mut backend, &mut |sample| {
            let is_kept = sample.is_kept();
            (count, kept) = (count + 1, kept + u64::from(is_kept));
            exceedance.add(if is_kept { 0.0 } else { sample.magnitude() });
            if largest.is_none_or(|largest: SampleDifference| sample.magnitude() > largest.magnitude()) {
                largest = Some(sample);
            }
            visit(sample);
        })?;
        let largest = largest.ok_or(BackendError::Cancelled)?;
        Ok(Self { sampler, count, kept, largest, exceedance })
    }

    /// The method with its prefilter: `bspline, prefilter`.
    pub fn label(&self) -> String {
        let name = self.sampler.method.label();
        if self.sampler.uses_coefficients() { format!("{name}, prefilter") } else { name.into_owned() }
    }

    /// The reports as a text table.
    pub fn to_table(reports: &[Self]) -> String {
        let width = reports.iter().map(|report| report.label().chars().count()).fold(6, usize::max);
        let mut table = format!("{:<width$} {:>10} {:>10} {:>14}  at\n", "method", "kept", "of", "largest error");
        for report in reports {
            let Self { count, kept, largest, .. } = report;
            let [column, row] = largest.at;
            let (label, error) = (report.label(), format!("{:.3e}", largest.magnitude()));
            let _ = writeln!(table, "{label:<width$} {kept:>10} {count:>10} {error:>14}  {column},{row}");
        }
        table + &Self::conclusion(reports) + "\n"
    }

    /// A sentence: which methods keep all samples.
    pub fn conclusion(reports: &[Self]) -> String {
        let all: Vec<String> = reports.iter().filter(|report| report.kept == report.count).map(Self::label).collect();
        match all.len() {
            0 => "No method keeps all samples.".to_owned(),
            count if count == reports.len() => "All samples are kept.".to_owned(),
            _ => format!("All samples are kept by {}.", all.join("; ")),
        }
    }

    /// The reports as CSV.
    ///
    /// # Errors
    /// None in practice: the table is in memory.
    pub fn to_csv(reports: &[Self]) -> Result<Vec<u8>, csv::Error> {
        let mut csv = csv::Writer::from_writer(Vec::new());
        reports.iter().try_for_each(|report| csv.serialize(report.row()))?;
        csv.into_inner().map_err(|error| csv::Error::from(error.into_error()))
    }

    /// The reports as JSON: an array of objects.
    ///
    /// # Errors
    /// None in practice: every value is a number, a text or a Boolean.
    pub fn to_json(reports: &[Self]) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string_pretty(&reports.iter().map(Self::row).collect::<Vec<_>>())? + "\n")
    }

    fn row(&self) -> Row {
        let SampleDifference { at: [x, y], channel, sample, value } = self.largest;
        Row {
            method: self.sampler.method.to_string(),
            prefilter: self.sampler.uses_coefficients(),
            samples: self.count,
            kept: self.kept,
            largest: self.largest.magnitude(),
            x,
            y,
            channel,
            sample,
            value,
        }
    }

    /// A curve for each method: the share of the samples whose error is larger than e.
    pub fn chart(reports: &[Self]) -> Chart {
        let entry = |report: &Self| ChartEntry {
            label: report.label(),
            cells: vec![report.sampler.method.to_string(), report.sampler.uses_coefficients().to_string()],
        };
        let series = |(entry, report): (usize, &Self)| ChartSeries {
            entry,
            part: String::new(),
            source: "measured",
            shape: SeriesShape::Line,
            points: report.exceedance.points(),
        };
        let series: Vec<ChartSeries> = reports.iter().enumerate().map(series).collect();
        let ends = series.iter().filter_map(|series| series.points.last());
        let end = ends.fold(1.0 / 256.0, |end: f64, point| end.max(point[0]));
        Chart {
            title: "Errors at the samples".to_owned(),
            x: ERROR,
            y: SHARE,
            x_range: [0.0, end],
            y_range: [0.0, 1.0],
            guides: Vec::new(),
            keys: vec!["method", "prefilter"],
            entries: reports.iter().map(entry).collect(),
            series,
            conclusion: Some(Self::conclusion(reports)),
        }
    }
}

/// A report in a file.
#[derive(Serialize)]
struct Row {
    method: String,
    prefilter: bool,
    samples: u64,
    kept: u64,
    largest: f32,
    x: u32,
    y: u32,
    channel: usize,
    sample: f32,
    value: f32,
}
