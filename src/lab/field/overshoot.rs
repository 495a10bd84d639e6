//! Overshoot: by how much values leave the range of the samples in their kernel's main lobe
//! ([`MainLobe`](crate::sampling::MainLobe)), above it or below.
//!
//! It is the difference between the values and those with an antiringing of strength 1, which are clamped to that range.

use std::fmt::Write as _;

use serde::Serialize;

use super::Exceedance;
use crate::backend::{Backend as _, BackendError, CpuBackend, Display, PixelFormat, RenderRequest, render};
use crate::filter::{Chain, ExecOptions, Filters};
use crate::image::{Depth, Image, Raster};
use crate::plots::{Chart, ChartEntry, ChartSeries, PlotAxis, SeriesShape};
use crate::sampling::Sampler;

/// Largest distance from the range that is no overshoot: rounding errors of values in [0, 1] are smaller.
pub const OVERSHOOT_TOLERANCE: f32 = 1e-5;

/// The two sides of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Above the greatest sample.
    Over,
    /// Below the least.
    Under,
}

/// The two sides, in the order of tables.
pub const SIDES: [Side; 2] = [Side::Over, Side::Under];

impl Side {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Over => "over",
            Self::Under => "under",
        }
    }
}

/// The overshoot of one side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SideCount {
    /// Number of pixels with a channel beyond the range on this side.
    pub pixels: u64,
    /// Largest distance from the range; 1 is maxval.
    pub largest: f32,
    /// The pixel that has it: its column and row.
    pub at: [u32; 2],
    exceedance: Exceedance,
}

/// The overshoot of a view.
#[derive(Clone, Debug, PartialEq)]
pub struct Overshoot {
    /// What was rendered.
    pub request: RenderRequest,
    /// Number of pixels.
    pub pixels: u64,
    /// Above the range and below it.
    pub sides: [SideCount; 2],
}

/// Value minus the nearest value of its range, in the channel that is farthest from it; 0 within the range.
pub fn distance(difference: &Raster, column: u32, row: u32) -> f32 {
    let channels = difference.channels().opaque().count();
    let distances = (0..channels).map(|channel| difference.number(column, row, channel));
    let farthest =
        distances.fold(0.0_f32, |farthest, distance| if distance.abs() > farthest.abs() { distance } else { farthest });
    if farthest.abs() > OVERSHOOT_TOLERANCE { farthest } else { 0.0 }
}

impl Overshoot {
    /// The request whose values are compared with their ranges: that of a panel without the filters after the interpolation,
    /// which make values from several pixels, and without subtraction and display mapping.
    pub fn request(shown: &RenderRequest) -> RenderRequest {
        let filters = Filters { after: Chain::default(), ..shown.filters.clone() };
        RenderRequest { filters, subtract: None, display: Display::default(), ..shown.clone() }
    }

    /// Renders `request` and its distances from the ranges; also returns these.
    ///
    /// # Errors
    /// Errors of the render, and cancelled work.
    pub fn new(
        image: &Image,
        request: RenderRequest,
        backend: &mut CpuBackend,
    ) -> Result<(Self, Raster), BackendError> {
        let clamped = RenderRequest { sampler: Sampler { antiringing: 1.0, ..request.sampler }, ..request.clone() };
        let distances = RenderRequest { subtract: Some(Box::new(clamped)), ..request.clone() };
        let difference = render(backend, image, &distances, PixelFormat::file(Depth::Float))?;
        let mut sides = [SideCount::default(), SideCount::default()];
        for row in 0..difference.size().height() {
            for column in 0..difference.size().width() {
                let distance = distance(&difference, column, row);
                for (side, distance) in sides.iter_mut().zip([distance, -distance]) {
                    let beyond = distance.max(0.0);
                    side.exceedance.add(beyond);
                    side.pixels += u64::from(beyond > 0.0);
                    if beyond > side.largest {
                        (side.largest, side.at) = (beyond, [column, row]);
                    }
                }
            }
        }
        let pixels = difference.size().area() as u64;
        Ok((Self { request, pixels, sides }, difference))
    }

    /// The same by a backend of its own.
    ///
    /// # Errors
    /// As [`Overshoot::new`].
    pub fn of(image: &Image, request: &RenderRequest, work: &ExecOptions) -> Result<Self, BackendError> {
        let mut backend = CpuBackend::new();
        backend.set_exec_options(work.clone());
        Self::new(image, Self::request(request), &mut backend).map(|(overshoot, _)| overshoot)
    }

    /// The method with its prefilter and its antiringing: `bspline, prefilter, antiringing 0.5`.
    pub fn label(&self) -> String {
        let Sampler { method, antiringing, .. } = self.request.sampler;
        let mut label = method.label().into_owned();
        if self.request.sampler.uses_coefficients() {
            label += ", prefilter";
        }
        if antiringing > 0.0 {
            let _ = write!(label, ", antiringing {antiringing}");
        }
        label
    }

    /// Counts of several methods as a text table.
    pub fn to_table(counted: &[Self]) -> String {
        let width = counted.iter().map(|overshoot| overshoot.label().chars().count()).fold(6, usize::max);
        let mut table = format!(
            "{:<width$} {:>10} {:>10} {:>10} {:>13} {:>13}\n",
            "method", "over", "under", "of", "largest over", "largest under"
        );
        for overshoot in counted {
            let Self { pixels, sides: [over, under], .. } = overshoot;
            let label = overshoot.label();
            let _ = writeln!(
                table,
                "{label:<width$} {:>10} {:>10} {pixels:>10} {:>13.4} {:>13.4}",
                over.pixels, under.pixels, over.largest, under.largest
            );
        }
        table + &Self::conclusion(counted) + "\n"
    }

    /// A sentence: which method overshoots most.
    pub fn conclusion(counted: &[Self]) -> String {
        let largest = |overshoot: &Self| overshoot.sides[0].largest.max(overshoot.sides[1].largest);
        match counted.iter().max_by(|a, b| largest(a).total_cmp(&largest(b))) {
            Some(worst) if largest(worst) > 0.0 => {
                format!("The largest overshoot is that of {}: {:.4} of maxval.", worst.label(), largest(worst))
            }
            _ => "No value leaves the range of its samples.".to_owned(),
        }
    }

    /// Counts as CSV.
    ///
    /// # Errors
    /// None in practice: the table is in memory.
    pub fn to_csv(counted: &[Self]) -> Result<Vec<u8>, csv::Error> {
        let mut csv = csv::Writer::from_writer(Vec::new());
        counted.iter().try_for_each(|overshoot| csv.serialize(overshoot.row()))?;
        csv.into_inner().map_err(|error| csv::Error::from(error.into_error()))
    }

    /// Counts as JSON: an array of objects.
    ///
    /// # Errors
    /// None in practice: every value is a number, a text or a Boolean.
    pub fn to_json(counted: &[Self]) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string_pretty(&counted.iter().map(Self::row).collect::<Vec<_>>())? + "\n")
    }

    fn row(&self) -> Row {
        let [over, under] = &self.sides;
        Row {
            method: self.request.sampler.method.to_string(),
            prefilter: self.request.sampler.uses_coefficients(),
            antiring: self.request.sampler.antiringing,
            pixels: self.pixels,
            over: over.pixels,
            under: under.pixels,
            largest_over: over.largest,
            over_column: over.at[0],
            over_row: over.at[1],
            largest_under: under.largest,
            under_column: under.at[0],
            under_row: under.at[1],
        }
    }

    /// Two curves for each method: the share of the pixels that are farther than e above their range, and below it.
    pub fn chart(counted: &[Self]) -> Chart {
        let entry = |overshoot: &Self| {
            let Sampler { method, antiringing, .. } = overshoot.request.sampler;
            let prefilter = overshoot.request.sampler.uses_coefficients();
            ChartEntry {
                label: overshoot.label(),
                cells: vec![method.to_string(), prefilter.to_string(), antiringing.to_string()],
            }
        };
        let series = |(entry, overshoot): (usize, &Self)| {
            let of_side = move |(side, count): (Side, &SideCount)| ChartSeries {
                entry,
                part: side.name().to_owned(),
                source: "measured",
                shape: SeriesShape::Line,
                points: count.exceedance.points(),
            };
            SIDES.into_iter().zip(&overshoot.sides).map(of_side).collect::<Vec<_>>()
        };
        let series: Vec<ChartSeries> = counted.iter().enumerate().flat_map(series).collect();
        let far = |axis: usize, least: f64| {
            let places = series.iter().flat_map(|series| &series.points).map(|point| point[axis]);
            places.fold(least, f64::max)
        };
        Chart {
            title: "Overshoot".to_owned(),
            x: DISTANCE,
            y: SHARE,
            x_range: [0.0, far(0, 1.0 / 256.0)],
            y_range: [0.0, (1.05 * far(1, 0.01)).min(1.0)],
            guides: Vec::new(),
            keys: vec!["method", "prefilter", "antiring"],
            entries: counted.iter().map(entry).collect(),
            series,
            conclusion: Some(Self::conclusion(counted)),
        }
    }
}

const DISTANCE: PlotAxis = PlotAxis { name: "distance", symbol: "e", label: "Distance e from the range; 1 is maxval" };
const SHARE: PlotAxis =
    PlotAxis { name: "share", symbol: "p", label: "Share of the pixels beyond the range by more than e" };

/// Counts in a file.
#[derive(Serialize)]
struct Row {
    method: String,
    prefilter: bool,
    antiring: f64,
    pixels: u64,
    over: u64,
    under: u64,
    largest_over: f32,
    over_column: u32,
    over_row: u32,
    largest_under: f32,
    under_column: u32,
    under_row: u32,
}
