//! `bench`: how long each method takes by each path, held against a plain store of the same bytes. One report for any
//! backend; what is measured where is the backend's matter.

use std::fmt::Write as _;

use crate::backend::{Backend, BackendError, BenchError, BenchOptions, Measurements};

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchReport {
    /// The backend's one line on what it runs on.
    pub description: String,
    /// What was asked.
    pub options: BenchOptions,
    /// What the backend measured.
    pub measured: Measurements,
}

/// Measures on `backend`.
///
/// # Errors
/// Where the backend measures nothing, or fails.
pub fn run(backend: &mut dyn Backend, options: &BenchOptions) -> Result<BenchReport, BackendError> {
    let measured = backend.measure(options)?;
    Ok(BenchReport { description: backend.description(), options: options.clone(), measured })
}

impl BenchReport {
    /// The report as JSON: one object, its `rows` an array.
    pub fn to_json(&self) -> String {
        let text = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
        let number = |number: f64| if number.is_finite() { format!("{number}") } else { "null".to_owned() };
        let mut json = format!(
            "{{\n  \"device\": {},\n  \"output\": [{}, {}],\n  \"image\": [{}, {}],\n  \"repeats\": {},\n  \"rows\": [",
            text(&self.description),
            self.options.size.width(),
            self.options.size.height(),
            self.options.image.width(),
            self.options.image.height(),
            self.options.repeats
        );
        for (index, row) in self.measured.rows.iter().enumerate() {
            let _ = write!(
                json,
                "{}\n    {{\"what\": {}, \"how\": {}, \"pixels\": {}, \"scale\": {}, \"median_us\": {}, \
                 \"pixels_a_second\": {}, \"ratio_to_store\": {}, \"ratio_to_points\": {}, \"ratio_to_copy\": {}}}",
                if index == 0 { "" } else { "," },
                text(&row.what),
                text(&row.how),
                text(&row.pixels),
                number(row.scale),
                number(row.median_us),
                number(row.pixels_a_second),
                number(row.ratio_to_store),
                number(row.ratio_to_points),
                number(row.ratio_to_copy)
            );
        }
        json.push_str("\n  ],\n  \"errors\": [");
        for (index, error) in self.measured.errors.iter().enumerate() {
            let _ = write!(
                json,
                "{}\n    {{\"what\": {}, \"how\": {}, \"rms\": {}, \"median_us\": {}}}",
                if index == 0 { "" } else { "," },
                text(&error.what),
                text(&error.how),
                number(error.rms),
                number(error.median_us)
            );
        }
        json.push_str("\n  ]\n}\n");
        json
    }

    /// The report as a table for people.
    pub fn to_table(&self) -> String {
        let mut table = format!(
            "{}; {} pixels from {} samples, median of {}\n",
            self.description, self.options.size, self.options.image, self.options.repeats
        );
        let _ = writeln!(
            table,
            "{:<28} {:<14} {:<24} {:>7} {:>11} {:>9} {:>7} {:>8} {:>7}",
            "what", "how", "pixels", "scale", "µs", "Gpixel/s", "/store", "/points", "/copy"
        );
        for row in &self.measured.rows {
            let ratio = |ratio: f64| if ratio > 0.0 { format!("{ratio:.2}") } else { "-".to_owned() };
            let scale = if row.scale > 0.0 { format!("{}", row.scale) } else { "-".to_owned() };
            let _ = writeln!(
                table,
                "{:<28} {:<14} {:<24} {:>7} {:>11.2} {:>9.2} {:>7} {:>8} {:>7}",
                row.what,
                row.how,
                row.pixels,
                scale,
                row.median_us,
                row.pixels_a_second * 1e-9,
                ratio(row.ratio_to_store),
                ratio(row.ratio_to_points),
                ratio(row.ratio_to_copy)
            );
        }
        for BenchError { what, how, rms, median_us } in &self.measured.errors {
            let _ = writeln!(table, "{what:<28} {how:<14} 512×512, RMS error {rms:.2e}, {median_us:.2} µs");
        }
        table
    }
}
