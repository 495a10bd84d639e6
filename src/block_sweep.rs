//! Sweep over block shapes: every kernel is timed alone in every shape that it supports. The report has the best shape
//! of each kernel, the fastest and the slowest kernel.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::backend::{Backend, BackendError, BlockSweepOptions, Kernel, Shape, Timing, benchmark_of};
use crate::filter::CancelToken;
use crate::view::{View, ViewError};

/// Result of one kernel in one shape.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// The measured time.
    Timed(Timing),
    /// The kernel is compiled for another shape.
    Fixed,
    /// The kernel cannot run in the shape; the reason.
    Refused(String),
}

/// Results of one kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockSweepRow {
    /// The kernel.
    pub kernel: Kernel,
    /// One cell for each of the report's shapes; fewer while the sweep runs.
    pub cells: Vec<Cell>,
    /// The kernel's only shape, if that is not one of the report's.
    pub fixed: Option<(Shape, Cell)>,
}

/// Results of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockSweepReport {
    /// Description of the device.
    pub description: String,
    /// Options of the sweep.
    pub options: BlockSweepOptions,
    /// The shapes, in the order of the cells.
    pub shapes: Vec<Shape>,
    /// The kernels in the order of running; the finished ones while the sweep runs.
    pub rows: Vec<BlockSweepRow>,
}

/// Progress of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Measurements finished.
    pub done: usize,
    /// Measurements in total.
    pub of: usize,
}

/// View of the kernels, off the centre, so that no position is an integer.
///
/// # Errors
/// [`ViewError`] for a scale out of range.
pub fn view(scale: f64) -> Result<View, ViewError> {
    View::new([0.31, -0.27], scale)
}

/// Measures all kernels on `backend` and calls `watch` with the results so far after each measurement.
///
/// # Errors
/// A backend without kernels to time, a lost device, and [`BackendError::Cancelled`] after a cancellation by `stop`.
pub fn run(
    backend: &mut dyn Backend,
    options: &BlockSweepOptions,
    stop: &CancelToken,
    watch: &mut dyn FnMut(&BlockSweepReport, Progress),
) -> Result<BlockSweepReport, BackendError> {
    let mut timer = benchmark_of(backend)?.timer(options)?;
    let shapes = timer.shapes();
    let kernels = if options.kernels.is_empty() { timer.kernels() } else { options.kernels.clone() };
    let timings = |kernel: &Kernel| timer.fixed_shape(kernel).map_or(shapes.len(), |_| 1);
    let mut progress = Progress { done: 0, of: kernels.iter().map(timings).sum() };
    let mut report =
        BlockSweepReport { description: timer.description(), options: options.clone(), shapes, rows: Vec::new() };
    watch(&report, progress);
    for kernel in kernels {
        let place = report.rows.len();
        report.rows.push(BlockSweepRow { kernel, cells: Vec::new(), fixed: None });
        let fixed = timer.fixed_shape(&kernel);
        let mut timing = |shape: Shape| match timer.time(&kernel, shape, stop) {
            Ok(timing) => Ok(Cell::Timed(timing)),
            Err(error @ (BackendError::Cancelled | BackendError::Device { .. })) => Err(error),
            Err(error) => Ok(Cell::Refused(error.to_string())),
        };
        for shape in report.shapes.clone() {
            let is_other = fixed.is_some_and(|fixed| fixed != shape);
            let cell = if is_other { Cell::Fixed } else { timing(shape)? };
            report.rows[place].cells.push(cell);
            if !is_other {
                progress.done += 1;
                watch(&report, progress);
            }
        }
        if let Some(shape) = fixed.filter(|shape| !report.shapes.contains(shape)) {
            report.rows[place].fixed = Some((shape, timing(shape)?));
            progress.done += 1;
            watch(&report, progress);
        }
    }
    Ok(report)
}

impl BlockSweepRow {
    /// Every shape with its result, the kernel's own shape last.
    fn timings<'a>(&'a self, shapes: &'a [Shape]) -> impl Iterator<Item = (Shape, &'a Cell)> {
        let own = self.fixed.iter().map(|(shape, cell)| (*shape, cell));
        shapes.iter().copied().zip(&self.cells).chain(own)
    }

    /// The fastest of its shapes; `shapes` are the report's.
    pub fn best(&self, shapes: &[Shape]) -> Option<(Shape, Timing)> {
        let timed = self.timings(shapes).filter_map(|(shape, cell)| match cell {
            Cell::Timed(timing) => Some((shape, *timing)),
            Cell::Fixed | Cell::Refused(_) => None,
        });
        timed.min_by(|(_, a), (_, b)| a.median_us.total_cmp(&b.median_us))
    }
}

impl BlockSweepReport {
    /// Each kernel in its best shape.
    fn bests(&self) -> impl Iterator<Item = (&BlockSweepRow, Shape, Timing)> {
        self.rows.iter().filter_map(|row| row.best(&self.shapes).map(|(shape, timing)| (row, shape, timing)))
    }

    /// The fastest kernel, in its best shape.
    pub fn fastest(&self) -> Option<(&BlockSweepRow, Shape, Timing)> {
        self.bests().min_by(|(.., a), (.., b)| a.median_us.total_cmp(&b.median_us))
    }

    /// The slowest kernel, in its best shape.
    pub fn slowest(&self) -> Option<(&BlockSweepRow, Shape, Timing)> {
        self.bests().max_by(|(.., a), (.., b)| a.median_us.total_cmp(&b.median_us))
    }

    /// Explanation of the shapes.
    pub fn shape_title(&self) -> &'static str {
        match self.shapes.first() {
            Some(Shape::Band { .. }) => "There is no GPU in this sweep: shapes are CPU tile heights, rows a task",
            _ => "Shapes are threads of a block, across × down",
        }
    }

    /// The fastest and the slowest kernel, each in its best shape; `None` before the first measurement.
    pub fn verdict(&self) -> Option<String> {
        let told = |(row, shape, timing): (&BlockSweepRow, Shape, Timing)| {
            format!("{} ({} µs in {shape})", row.kernel, time_text(timing.median_us))
        };
        Some(format!("Fastest: {}; slowest: {}", told(self.fastest()?), told(self.slowest()?)))
    }

    /// Report as a text table: microseconds, and occupancy in per cent if there is one.
    pub fn to_table(&self) -> String {
        let BlockSweepOptions { size, image, view, repeats, .. } = &self.options;
        let mut table = format!(
            "{}; {size} pixels from {image} samples at scale {}, median of {repeats}, µs of the kernel alone\n{}\n",
            self.description,
            view.scale(),
            self.shape_title()
        );
        let has_occupancy = self.rows.iter().any(|row| {
            row.timings(&self.shapes).any(|(_, cell)| matches!(cell, Cell::Timed(Timing { occupancy: Some(_), .. })))
        });
        let width = if has_occupancy { 14 } else { 9 };
        let _ = write!(table, "{:<22}", "kernel");
        for shape in &self.shapes {
            let _ = write!(table, " {:>width$}", shape.to_string());
        }
        table.push_str("  best\n");
        for row in &self.rows {
            let _ = write!(table, "{:<22}", row.kernel.to_string());
            for cell in &row.cells {
                let _ = write!(table, " {:>width$}", cell_text(cell));
            }
            match row.best(&self.shapes) {
                Some((shape, timing)) if row.fixed.is_some() => {
                    let _ = writeln!(table, "  {shape} ({})", cell_text(&Cell::Timed(timing)));
                }
                Some((shape, _)) => {
                    let _ = writeln!(table, "  {shape}");
                }
                None => table.push_str("  -\n"),
            }
        }
        for row in &self.rows {
            for (shape, cell) in row.timings(&self.shapes) {
                if let Cell::Refused(why) = cell {
                    let _ = writeln!(table, "{} in {shape}: {why}", row.kernel);
                }
            }
        }
        for (row, shape, timing) in self.bests() {
            let _ = writeln!(table, "{} in {shape}: {}", row.kernel, timing.bound());
        }
        if let Some(verdict) = self.verdict() {
            let _ = writeln!(table, "{verdict}");
        }
        table
    }

    /// Report as JSON: one object with an array `rows` of kernels and their `timings`.
    ///
    /// # Errors
    /// None in practice: every value is a number or a text.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        let BlockSweepOptions { size, image, view, repeats, .. } = &self.options;
        let row = |row: &BlockSweepRow| {
            let best = row.best(&self.shapes);
            let (best, bound) = (best.map(|(shape, _)| shape.to_string()), best.map(|(_, timing)| timing.bound()));
            let timings: Vec<Value> = row.timings(&self.shapes).map(|(shape, cell)| timing_json(shape, cell)).collect();
            json!({ "kernel": row.kernel.to_string(), "best": best, "bound": bound, "timings": timings })
        };
        let named = |found: Option<(&BlockSweepRow, Shape, Timing)>| found.map(|(row, ..)| row.kernel.to_string());
        let report = json!({
            "device": self.description,
            "output": [size.width(), size.height()],
            "image": [image.width(), image.height()],
            "scale": view.scale(),
            "repeats": repeats,
            "shapes": self.shapes.iter().map(Shape::to_string).collect::<Vec<_>>(),
            "rows": self.rows.iter().map(row).collect::<Vec<_>>(),
            "fastest": named(self.fastest()),
            "slowest": named(self.slowest()),
        });
        Ok(serde_json::to_string_pretty(&report)? + "\n")
    }

    /// Report as CSV: a header line, then a line for each kernel and shape: `kernel`, `shape`, `state` (`timed`,
    /// `fixed`,
    /// `refused`), `median_us`, `occupancy`, `is_best`.
    ///
    /// # Errors
    /// An error of the writer.
    pub fn to_csv(&self) -> Result<Vec<u8>, csv::Error> {
        let mut csv = csv::Writer::from_writer(Vec::new());
        csv.write_record(["kernel", "shape", "state", "median_us", "occupancy", "is_best"])?;
        for row in &self.rows {
            let best = row.best(&self.shapes).map(|(shape, _)| shape);
            for (shape, cell) in row.timings(&self.shapes) {
                let (time, occupancy) = match cell {
                    Cell::Timed(timing) => {
                        (to_nanosecond(timing.median_us).to_string(), timing.occupancy.map(|share| share.to_string()))
                    }
                    Cell::Fixed | Cell::Refused(_) => (String::new(), None),
                };
                let is_best = (best == Some(shape)).to_string();
                let kernel = row.kernel.to_string();
                let occupancy = occupancy.unwrap_or_default();
                csv.write_record([&kernel, &shape.to_string(), state(cell), &time, &occupancy, &is_best])?;
            }
        }
        csv.into_inner().map_err(|error| csv::Error::from(error.into_error()))
    }
}

fn state(cell: &Cell) -> &'static str {
    match cell {
        Cell::Timed(_) => "timed",
        Cell::Fixed => "fixed",
        Cell::Refused(_) => "refused",
    }
}

fn timing_json(shape: Shape, cell: &Cell) -> Value {
    let timing = match cell {
        Cell::Timed(timing) => Some(timing),
        Cell::Fixed | Cell::Refused(_) => None,
    };
    let why = if let Cell::Refused(why) = cell { Some(why) } else { None };
    json!({
        "shape": shape.to_string(),
        "state": state(cell),
        "median_us": timing.map(|timing| to_nanosecond(timing.median_us)),
        "occupancy": timing.and_then(|timing| timing.occupancy),
        "why": why,
    })
}

/// Rounds to nanoseconds.
fn to_nanosecond(microseconds: f64) -> f64 {
    (microseconds * 1e3).round() / 1e3
}

/// Three significant digits.
pub fn time_text(microseconds: f64) -> String {
    match microseconds {
        us if us < 9.995 => format!("{us:.2}"),
        us if us < 99.95 => format!("{us:.1}"),
        us => format!("{us:.0}"),
    }
}

/// Text of a cell: `12.3 75 %`, `fixed`, `-`.
fn cell_text(cell: &Cell) -> String {
    match cell {
        Cell::Timed(Timing { median_us, occupancy: None, .. }) => time_text(*median_us),
        Cell::Timed(Timing { median_us, occupancy: Some(share), .. }) => {
            format!("{} {:>3.0} %", time_text(*median_us), 100.0 * share)
        }
        Cell::Fixed => "fixed".to_owned(),
        Cell::Refused(_) => "-".to_owned(),
    }
}
