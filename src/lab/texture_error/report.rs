//! The views as tables of text and as CSV.

use std::fmt::Write as _;

use super::formats::Formats;
use super::table_one::{DOCUMENT_TABLE, TableOne};
use super::texel::{PLACES, Texel};

impl Texel {
    /// RMS and largest error of each path, with the number of values.
    pub fn to_table(&self) -> String {
        let mut text = format!(
            "{} between a texel of 0 and one of 1, {PLACES} places, {}\n{:<16}{:>8}{:>12}{:>12}\n",
            self.request.label(),
            self.origin.name(),
            "path",
            "values",
            "RMS",
            "max"
        );
        for curve in &self.curves {
            let [rms, max] = self.rms_and_max(curve);
            let (path, count) = (curve.path.to_string(), curve.levels().len());
            let _ = writeln!(text, "{path:<16}{count:>8}{rms:>12.3e}{max:>12.3e}");
        }
        text
    }
}

impl Formats {
    /// What each format says, with the distance from the emulation.
    pub fn to_table(&self) -> String {
        let mut text =
            format!("A linear fetch between {}, {PLACES} places, {}\n", self.pair.row().title, self.origin.name());
        for curve in &self.curves {
            let distance = curve.distance_from_emulation();
            let _ = writeln!(text, "{}; at most {distance:.4} of it from the emulation", curve.sentence());
        }
        text
    }
}

impl TableOne {
    /// The rows, then the document's.
    pub fn to_table(&self) -> String {
        let width = self.rows.iter().map(|row| row.picture.chars().count()).fold(12, usize::max);
        let head = ["RMS", "max", "contrast", "RMS/contrast"];
        let mut text = format!("Cubic B-spline at 512×512 pixels against double precision, {}\n", self.origin.name());
        let _ = write!(text, "{:<width$}  {:<14}", "picture", "path");
        for name in head {
            let _ = write!(text, "{name:>14}");
        }
        text.push('\n');
        for row in &self.rows {
            let path = row.path.to_string();
            let _ = write!(text, "{:<width$}  {path:<14}{:>14.3e}{:>14.3e}", row.picture, row.rms, row.max);
            let _ = writeln!(text, "{:>14.5}{:>14.3e}", row.contrast, row.rms_by_contrast().unwrap_or(0.0));
        }
        for (path, rms) in DOCUMENT_TABLE {
            let _ = writeln!(text, "{:<width$}  {:<14}{rms:>14.3e}", "document 002", path.to_string());
        }
        text
    }

    /// The rows as CSV with a line of names.
    ///
    /// # Errors
    /// None in practice: the table is in memory.
    pub fn to_csv(&self) -> Result<Vec<u8>, csv::Error> {
        let mut csv = csv::Writer::from_writer(Vec::new());
        csv.write_record(["picture", "path", "source", "rms", "max", "contrast"])?;
        for row in &self.rows {
            let [rms, max, contrast] = [row.rms, row.max, row.contrast].map(|number| number.to_string());
            csv.write_record([&row.picture, row.path.row().name, self.origin.name(), &rms, &max, &contrast])?;
        }
        for (path, rms) in DOCUMENT_TABLE {
            csv.write_record(["document 002", path.row().name, "document", &rms.to_string(), "", ""])?;
        }
        csv.into_inner().map_err(|error| csv::Error::from(error.into_error()))
    }
}
