//! Reports of `bench --grids`: the cubic B-spline of grids at random points on the CPU, and grids by each form on the GPU.

#[cfg(feature = "cuda")]
mod device;
#[cfg(feature = "cuda")]
mod goals;

#[cfg(feature = "cuda")]
pub use device::{GridDeviceReport, GridDeviceRow, run_on_device};
#[cfg(feature = "cuda")]
pub use goals::GridGoal;

use std::fmt::Write as _;
use std::time::Instant;

use serde::Serialize;

use crate::filter::ExecOptions;
use crate::grid::{Components, Grid, GridError, GridSampler, Interpolator};
use crate::memory::{Demand, Memory};
use crate::sampling::Method;

/// What is measured.
#[derive(Clone, Debug, PartialEq)]
pub struct GridBenchOptions {
    /// Number of measurements of each row, of which the median counts.
    pub repeats: usize,
    /// Longest side of a four-dimensional grid; longer ones are left out.
    pub longest: usize,
}

impl Default for GridBenchOptions {
    /// Five measurements of every grid.
    fn default() -> Self {
        Self { repeats: 5, longest: 64 }
    }
}

/// One grid with its points.
struct Case {
    /// Number of axes.
    dimensions: usize,
    /// Samples of each axis.
    side: usize,
    points: Count,
    method: Method,
    /// Milliseconds on the CPU (one core, SSE) and on the GPU in table 1 of document 003.
    table: Option<[f64; 2]>,
}

#[cfg(feature = "cuda")]
impl Case {
    /// Whether this is the row with the most points on the largest grid of that table.
    fn is_largest_of_document(&self) -> bool {
        self.table.is_some() && self.side == 64 && self.points.get() == 64_usize.pow(4)
    }
}

/// Number of points.
enum Count {
    Plain(usize),
    /// As in that table: a side to a power.
    Power(usize, u32),
}

impl Count {
    fn get(&self) -> usize {
        match *self {
            Self::Plain(count) => count,
            Self::Power(side, power) => side.pow(power),
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Plain(count) => count.to_string(),
            Self::Power(side, power) => format!("{side}^{power}"),
        }
    }
}

/// Rows of document 003's table 1, then grids whose figures are compared with other libraries, and one of each further number of
/// dimensions. Points of five and six axes are as few as a sum over 4⁵ and 4⁶ samples needs for the time of the others.
fn cases() -> Vec<Case> {
    let spline = |dimensions, side, points, table| Case { dimensions, side, points, method: Method::BSPLINE, table };
    vec![
        spline(4, 16, Count::Power(16, 4), Some([13.4187, 6.84025])),
        spline(4, 32, Count::Power(32, 4), Some([324.932, 68.7728])),
        spline(4, 64, Count::Power(64, 4), Some([5323.88, 1226.92])),
        spline(4, 64, Count::Power(64, 3), Some([82.6943, 26.9824])),
        spline(4, 64, Count::Power(64, 2), Some([1.36261, 6.59928])),
        spline(1, 1 << 16, Count::Plain(1 << 20), None),
        spline(2, 512, Count::Plain(1 << 20), None),
        spline(3, 64, Count::Plain(1 << 20), None),
        spline(3, 256, Count::Plain(1 << 20), None),
        spline(4, 32, Count::Plain(1 << 18), None),
        spline(5, 16, Count::Plain(1 << 16), None),
        spline(6, 8, Count::Plain(1 << 14), None),
        Case { dimensions: 3, side: 256, points: Count::Plain(1 << 20), method: Method::Linear, table: None },
    ]
}

/// One measurement.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GridBenchRow {
    /// The method.
    pub method: String,
    /// Samples of each axis: `64^4`.
    pub grid: String,
    /// Number of points: `64^3`.
    pub points: String,
    /// Number of measurements.
    pub repeats: usize,
    /// Time of the prefilter in milliseconds; 0 of methods without one.
    pub prefilter_ms: f64,
    /// Median time of all points in milliseconds.
    pub sample_ms: f64,
    /// Points per second.
    pub points_a_second: f64,
    /// Milliseconds on the CPU and on the GPU of document 003.
    pub document_ms: Option<[f64; 2]>,
}

/// All measurements.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GridBenchReport {
    /// Device and number of threads.
    pub device: String,
    /// The rows.
    pub rows: Vec<GridBenchRow>,
}

/// Measures on the threads of the current pool; `device` is their description.
///
/// # Errors
/// [`GridError::Memory`] for a grid that does not fit the memory.
pub fn run(options: &GridBenchOptions, device: String, work: &ExecOptions) -> Result<GridBenchReport, GridError> {
    let is_asked = |case: &Case| case.dimensions != 4 || case.side <= options.longest;
    let rows = cases().into_iter().filter(is_asked).map(|case| measure(&case, options, work));
    Ok(GridBenchReport { device, rows: rows.collect::<Result<_, _>>()? })
}

fn measure(case: &Case, options: &GridBenchOptions, work: &ExecOptions) -> Result<GridBenchRow, GridError> {
    let &Case { dimensions, side, method, .. } = case;
    let count = case.points.get();
    let samples = side.pow(dimensions as u32);
    let mut demand = Demand::default();
    // Samples, coefficients and a little more around them; coordinates and values of points.
    let bytes = samples * 3 * size_of::<f32>() + count * (dimensions * size_of::<f64>() + size_of::<f32>());
    demand.hold(|| "the grid and the points take".to_owned(), bytes as u64);
    Memory::Machine.check(&demand)?;
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let values = (0..samples).map(|_| random.next() as f32).collect();
    let grid = Grid::new(&vec![side; dimensions], Components::Real, values)?;
    let points: Vec<f64> = (0..count * dimensions).map(|_| random.next() * (side - 1) as f64).collect();
    let sampler = GridSampler::of_method(method).prefiltered();
    let start = Instant::now();
    let interpolator: Interpolator<'_, f32> = grid.interpolator_with(&sampler, work)?;
    let prefilter_ms = if sampler.coefficients().is_some() { start.elapsed().as_secs_f64() * 1e3 } else { 0.0 };
    let mut out = vec![0.0; count];
    let mut times = Vec::with_capacity(options.repeats);
    // The first run touches the memory.
    for run in 0..=options.repeats {
        let start = Instant::now();
        interpolator.sample_into(&points, &mut out, work)?;
        if run > 0 {
            times.push(start.elapsed().as_secs_f64() * 1e3);
        }
    }
    let sample_ms = median_of(&mut times);
    Ok(GridBenchRow {
        method: if sampler.coefficients().is_some() { format!("{method}, prefilter") } else { method.to_string() },
        grid: format!("{side}^{dimensions}"),
        points: case.points.text(),
        repeats: options.repeats,
        prefilter_ms,
        sample_ms,
        points_a_second: count as f64 / sample_ms * 1e3,
        document_ms: case.table,
    })
}

/// The middle of the times, the upper one of two.
fn median_of(times: &mut [f64]) -> f64 {
    times.sort_unstable_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::INFINITY)
}

/// Numbers in [0, 1) that are equal in every run (xorshift, Marsaglia 2003).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

impl GridBenchReport {
    /// Report as JSON: one object with an array `rows`.
    ///
    /// # Errors
    /// None in practice: every value is a number or a text.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// Report as a text table.
    pub fn to_table(&self) -> String {
        let mut table = format!("{}; grids of float32, random points, medians\n", self.device);
        let _ = writeln!(
            table,
            "{:<20} {:>8} {:>9} {:>4} {:>14} {:>11} {:>12} {:>14} {:>14} {:>12} {:>12}",
            "method",
            "grid",
            "points",
            "of",
            "prefilter, ms",
            "sample, ms",
            "10^6 pts/s",
            "003, CPU, ms",
            "003, GPU, ms",
            "003 CPU/ours",
            "003 GPU/ours"
        );
        for row in &self.rows {
            let document = |index: usize| row.document_ms.map_or_else(|| "-".to_owned(), |ms| ms[index].to_string());
            let ratio = |index: usize| ratio_text(row.document_ms, index, row.sample_ms);
            let _ = writeln!(
                table,
                "{:<20} {:>8} {:>9} {:>4} {:>14.2} {:>11.3} {:>12.3} {:>14} {:>14} {:>12} {:>12}",
                row.method,
                row.grid,
                row.points,
                row.repeats,
                row.prefilter_ms,
                row.sample_ms,
                row.points_a_second * 1e-6,
                document(0),
                document(1),
                ratio(0),
                ratio(1)
            );
        }
        table
    }
}

/// A time of a document over ours; `-` where it has none.
fn ratio_text(document_ms: Option<[f64; 2]>, index: usize, ours_ms: f64) -> String {
    document_ms.map_or_else(|| "-".to_owned(), |ms| format!("{:.2}", ms[index] / ours_ms))
}
