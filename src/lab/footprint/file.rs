//! Footprints as text and as JSON.

use std::fmt::Write as _;

use serde::Serialize;

use super::{Explained, Notation, STEPS};

/// A footprint as JSON.
#[derive(Debug, Serialize)]
pub struct FootprintJson {
    /// The output pixel.
    pub pixel: [i64; 2],
    /// Its position in samples.
    pub position: [f64; 2],
    /// ⌊x⌋ and ⌊y⌋; of a method of one sample ⌊x + ½⌋ and ⌊y + ½⌋.
    pub whole: [i64; 2],
    /// Fractions of the position.
    pub fraction: [f64; 2],
    /// Taps along x and along y.
    pub taps: [Vec<TapJson>; 2],
    /// Fetches along x and along y, of the path `filtered`.
    pub fetches: [Vec<FetchJson>; 2],
    /// Whether the values are coefficients.
    pub coefficients: bool,
    /// Names of the channels; colours are premultiplied by alpha.
    pub channels: Vec<&'static str>,
    /// The values by row, column and channel; 1 is maxval.
    pub values: Vec<Vec<Vec<f64>>>,
    /// Whether each fetch is rounded to a multiple of 1/65535: in the total, not in the sums of the rows.
    pub rounded: bool,
    /// The sums of the rows, by row and channel.
    pub rows: Vec<Vec<f64>>,
    /// The total, by channel.
    pub total: Vec<f64>,
    /// The numbers that are shown, by channel.
    pub shown: Option<Vec<u16>>,
}

/// A tap as JSON.
#[derive(Debug, Serialize)]
pub struct TapJson {
    /// Index before the address mode.
    pub index: i64,
    /// Index after it; null for the border's constant.
    pub resolved: Option<i64>,
    /// Weight.
    pub weight: f64,
}

/// A fetch as JSON.
#[derive(Debug, Serialize)]
pub struct FetchJson {
    /// Position in samples.
    pub position: f64,
    /// Indices of its samples before the address mode.
    pub samples: Vec<i64>,
    /// Fraction between them.
    pub fraction: f64,
    /// The same in 1/256.
    pub fraction_256: u32,
    /// Weight.
    pub weight: f64,
}

impl Explained<'_> {
    /// As JSON.
    pub fn to_json(&self) -> FootprintJson {
        let footprint = self.footprint;
        let [columns, rows] = [0, 1].map(|axis: usize| footprint.axes[axis].taps.len());
        let count = footprint.channels.count();
        let value = |row, column| (0..count).map(|channel| footprint.value([column, row], channel)).collect();
        FootprintJson {
            pixel: footprint.pixel,
            position: footprint.position,
            whole: [0, 1].map(|axis: usize| footprint.axes[axis].whole),
            fraction: [0, 1].map(|axis: usize| footprint.axes[axis].fraction),
            taps: [0, 1].map(|axis: usize| {
                let taps = footprint.axes[axis].taps.iter();
                taps.map(|tap| TapJson { index: tap.index, resolved: tap.resolved, weight: tap.weight }).collect()
            }),
            fetches: [0, 1].map(|axis: usize| {
                let own = &footprint.axes[axis];
                let json = |fetch: &super::Fetch| FetchJson {
                    position: fetch.position,
                    samples: own.taps_of(fetch).iter().map(|tap| tap.index).collect(),
                    fraction: fetch.fraction,
                    fraction_256: (fetch.fixed_fraction * 256.0).round() as u32,
                    weight: fetch.weight,
                };
                own.fetches.iter().map(json).collect()
            }),
            coefficients: footprint.has_coefficients,
            rounded: footprint.is_rounded,
            channels: footprint.channels.names().to_vec(),
            values: (0..rows).map(|row| (0..columns).map(|column| value(row, column)).collect()).collect(),
            rows: footprint.rows.clone(),
            total: footprint.total.clone(),
            shown: self.shown.map(|shown| shown.numbers.clone()),
        }
    }

    /// As text: each step with its formulas.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let [i, j] = self.footprint.pixel.map(|index| Notation::plain(index as f64));
        // Writing to a string does not fail.
        let _ = writeln!(text, "pixel ({i}, {j}), method {}", self.footprint.sampler.method);
        for step in self.steps(None) {
            let _ = writeln!(text, "\n{}", STEPS[step.step as usize].title);
            for line in &step.lines {
                let _ = writeln!(text, "  {line}");
            }
        }
        text
    }
}
