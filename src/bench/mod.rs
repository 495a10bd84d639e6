//! Report of `bench`: time of each method by each path, as a ratio to a plain store of the same bytes. The report is
//! the same for all backends; each backend decides what it measures.

mod window;

use std::fmt::Write as _;

use serde::Serialize;

use crate::backend::{Backend, BackendError, BenchError, BenchOptions, LeftOut, Measurements, benchmark_of};
use crate::image::Size;

pub use self::window::{FrameTimes, WindowBenchReport, WindowTimes, processor_time};

/// Measurements of one backend.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchReport {
    /// Description of the backend.
    pub description: String,
    /// Options of the measurement.
    pub options: BenchOptions,
    /// Results of the backend.
    pub measured: Measurements,
}

/// Measures `backend`.
///
/// # Errors
/// An error of the backend, or a backend without measurements.
pub fn run(backend: &mut dyn Backend, options: &BenchOptions) -> Result<BenchReport, BackendError> {
    let measured = benchmark_of(backend)?.measure(options)?;
    Ok(BenchReport { description: backend.description(), options: options.clone(), measured })
}

impl BenchReport {
    /// Adds results that were measured elsewhere in the same run.
    pub fn join(&mut self, other: Measurements) {
        let Measurements { rows, errors, left_out } = other;
        self.measured.rows.extend(rows);
        self.measured.errors.extend(errors);
        self.measured.left_out.extend(left_out);
    }

    /// Report as JSON: one object with an array `rows`.
    ///
    /// # Errors
    /// None in practice: every value is a number or a text.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        #[derive(Serialize)]
        struct Json<'a> {
            device: &'a str,
            output: [u32; 2],
            image: [u32; 2],
            #[serde(flatten)]
            measured: &'a Measurements,
        }
        let sides = |size: Size| [size.width(), size.height()];
        let BenchOptions { size, image, .. } = self.options;
        let json =
            Json { device: &self.description, output: sides(size), image: sides(image), measured: &self.measured };
        Ok(serde_json::to_string_pretty(&json)? + "\n")
    }

    /// Report as a text table.
    pub fn to_table(&self) -> String {
        let mut table = format!(
            "{}; {} pixels from {} samples, medians\n",
            self.description, self.options.size, self.options.image
        );
        let _ = writeln!(
            table,
            "{:<28} {:<24} {:<26} {:>7} {:>4} {:>11} {:>9} {:>7} {:>8} {:>7}",
            "what", "how", "pixels", "scale", "of", "µs", "Gpixel/s", "/store", "/points", "/copy"
        );
        for row in &self.measured.rows {
            let ratio = |ratio: f64| if ratio > 0.0 { format!("{ratio:.2}") } else { "-".to_owned() };
            let scale = scale_text(row.scale);
            let _ = writeln!(
                table,
                "{:<28} {:<24} {:<26} {:>7} {:>4} {:>11.2} {:>9.2} {:>7} {:>8} {:>7}",
                row.what,
                row.how,
                row.pixels,
                scale,
                row.repeats,
                row.median_us,
                row.pixels_a_second * 1e-9,
                ratio(row.ratio_to_store),
                ratio(row.ratio_to_points),
                ratio(row.ratio_to_copy)
            );
        }
        for BenchError { what, how, rms, repeats, median_us } in &self.measured.errors {
            let _ = writeln!(
                table,
                "{what:<28} {how:<24} 512×512, RMS error {rms:.2e}, {median_us:.2} µs, median of {repeats}"
            );
        }
        for LeftOut { what, how, pixels, scale, why } in &self.measured.left_out {
            let _ = writeln!(table, "{what:<28} {how:<24} {pixels:<26} {:>7} left out: {why}", scale_text(*scale));
        }
        table
    }
}

/// At most four decimals.
fn scale_text(scale: f64) -> String {
    if scale > 0.0 { ((scale * 1e4).round() / 1e4).to_string() } else { "-".to_owned() }
}
