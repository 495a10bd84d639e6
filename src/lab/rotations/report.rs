//! The errors of repeated rotations as tables and as a chart.

use std::fmt::Write as _;

use serde::Serialize;

use super::{Reference, RotationTest, Turned};
use crate::plots::{Chart, ChartEntry, ChartSeries, PlotAxis, SeriesShape};
use crate::quality::Metrics;
use crate::sampling::Sampler;
use crate::text::number_text;

const TURNS: PlotAxis = PlotAxis { name: "turns", symbol: "k", label: "Turns k" };

/// Errors of one method after one turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RotationRow {
    /// Index of the sampler.
    pub sampler: usize,
    /// Number of turns so far.
    pub turn: u32,
    /// The errors.
    pub metrics: Metrics,
    /// What it was compared with.
    pub reference: Reference,
}

/// Errors of all methods, turn by turn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RotationReport {
    /// Number of turns of the experiment.
    pub turns: u32,
    /// The samplers.
    pub samplers: Vec<Sampler>,
    /// The rows so far, by turn, then by sampler.
    pub rows: Vec<RotationRow>,
}

impl RotationReport {
    /// A report without rows.
    pub fn new(test: &RotationTest, samplers: &[Sampler]) -> Self {
        Self { turns: test.turns(), samplers: samplers.to_vec(), rows: Vec::new() }
    }

    /// Adds a turn.
    pub fn push(&mut self, turned: &Turned<'_>) {
        let Turned { turn, sampler, metrics, reference, .. } = *turned;
        self.rows.push(RotationRow { sampler, turn, metrics, reference });
    }

    /// Errors of `sampler` after `turn` turns; `None` if that is not computed.
    pub fn metrics(&self, sampler: usize, turn: u32) -> Option<&RotationRow> {
        self.rows.iter().find(|row| (row.sampler, row.turn) == (sampler, turn))
    }

    /// The samplers with their errors after the last turn, the best first; those that are not there yet are left out.
    pub fn ranking(&self) -> Vec<(usize, Metrics)> {
        let last = |sampler| self.metrics(sampler, self.turns).map(|row| (sampler, row.metrics));
        let mut ranking: Vec<_> = (0..self.samplers.len()).filter_map(last).collect();
        ranking.sort_by(|(_, a), (_, b)| b.psnr_db.total_cmp(&a.psnr_db));
        ranking
    }

    /// `bspline, prefiltered`.
    pub fn name(sampler: &Sampler) -> String {
        let prefilter = if is_prefiltered(sampler) { ", prefiltered" } else { "" };
        format!("{}{prefilter}", sampler.method)
    }

    /// PSNR over the number of turns. Exact values among estimates have dots on the lines. An infinite PSNR has no point.
    pub fn chart(&self) -> Chart {
        let points = |sampler: usize, is_wanted: fn(Reference) -> bool| -> Vec<[f64; 2]> {
            let own = self.rows.iter().filter(|row| row.sampler == sampler && is_wanted(row.reference));
            let finite = own.filter(|row| row.metrics.psnr_db.is_finite());
            finite.map(|row| [f64::from(row.turn), row.metrics.psnr_db]).collect()
        };
        let has_estimates = self.rows.iter().any(|row| row.reference == Reference::OneTurn);
        let mut series = Vec::new();
        for sampler in 0..self.samplers.len() {
            let part =
                |source, shape, points| ChartSeries { entry: sampler, part: String::new(), source, shape, points };
            series.push(part("all turns", SeriesShape::Line, points(sampler, |_| true)));
            if has_estimates {
                let exact = points(sampler, |reference| reference != Reference::OneTurn);
                series.push(part("exact", SeriesShape::Dots, exact));
            }
        }
        let values = series.iter().flat_map(|series| &series.points).map(|[_, psnr]| *psnr);
        let (least, most) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), psnr| (a.min(psnr), b.max(psnr)));
        let y_range = if least > most { [0.0, 60.0] } else { [(least - 1.0).floor(), (most + 1.0).ceil()] };
        let entry = |sampler: &Sampler| ChartEntry {
            label: Self::name(sampler),
            cells: vec![sampler.method.to_string(), is_prefiltered(sampler).to_string()],
        };
        Chart {
            title: format!("{} turns of {}°", self.turns, number_text(360.0 / f64::from(self.turns.max(1)))),
            x: TURNS,
            y: PlotAxis::PSNR,
            x_range: [0.0, f64::from(self.turns.max(1))],
            y_range,
            guides: Vec::new(),
            keys: vec!["method", "prefilter"],
            entries: self.samplers.iter().map(entry).collect(),
            series,
            conclusion: self.conclusion(),
        }
    }

    /// Which methods are the best and the worst after all turns; `None` before, and for a single method.
    fn conclusion(&self) -> Option<String> {
        let ranking = self.ranking();
        let [(best, first), .., (worst, last)] = ranking.as_slice() else { return None };
        let name = |sampler: usize| Self::name(&self.samplers[sampler]);
        let decibels = |metrics: &Metrics| format!("{:.1} dB", metrics.psnr_db);
        (ranking.len() == self.samplers.len()).then(|| {
            format!(
                "After {} turns {} keeps most of the image ({}), {} least ({})",
                self.turns,
                name(*best),
                decibels(first),
                name(*worst),
                decibels(last)
            )
        })
    }

    /// All rows as JSON: an array of objects. A PSNR that is infinite and a similarity without a window are null.
    ///
    /// # Errors
    /// None in practice: every value is a number, a text or a Boolean.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        #[derive(Serialize)]
        struct Json {
            method: String,
            prefilter: bool,
            turn: u32,
            psnr: f64,
            rms: f64,
            max: f64,
            ssim: Option<f64>,
            reference: &'static str,
        }
        let json = |row: &RotationRow| {
            let sampler = &self.samplers[row.sampler];
            let Metrics { psnr_db, rms, max, ssim } = row.metrics;
            let (method, prefilter) = (sampler.method.to_string(), is_prefiltered(sampler));
            Json { method, prefilter, turn: row.turn, psnr: psnr_db, rms, max, ssim, reference: row.reference.name() }
        };
        Ok(serde_json::to_string_pretty(&self.rows.iter().map(json).collect::<Vec<_>>())? + "\n")
    }

    /// All rows as CSV with a line of names. An infinite PSNR is `inf`, a similarity without a window is empty.
    ///
    /// # Errors
    /// None in practice: the table is in memory.
    pub fn to_csv(&self) -> Result<Vec<u8>, csv::Error> {
        let mut csv = csv::Writer::from_writer(Vec::new());
        csv.write_record(["method", "prefilter", "turn", "psnr", "rms", "max", "ssim", "reference"])?;
        for row in &self.rows {
            let sampler = &self.samplers[row.sampler];
            let Metrics { psnr_db, rms, max, ssim } = row.metrics;
            let numbers = [psnr_db, rms, max].map(|number| number.to_string());
            let [psnr, rms, max] = &numbers;
            let ssim = ssim.map(|ssim| ssim.to_string()).unwrap_or_default();
            let (method, prefilter) = (sampler.method.to_string(), is_prefiltered(sampler).to_string());
            csv.write_record([
                &method,
                &prefilter,
                &row.turn.to_string(),
                psnr,
                rms,
                max,
                &ssim,
                row.reference.name(),
            ])?;
        }
        csv.into_inner().map_err(|error| csv::Error::from(error.into_error()))
    }

    /// The errors after the last turn as a text table, the best first, with a line on the experiment before it.
    pub fn to_table(&self, test: &RotationTest, image: &str) -> String {
        let angle = number_text(360.0 / f64::from(self.turns));
        let mut table = format!(
            "{image}, {} turns of {angle} degrees, {} samples, back at the original\n",
            self.turns,
            test.size()
        );
        let names: Vec<String> = self.samplers.iter().map(|sampler| sampler.method.to_string()).collect();
        let width = names.iter().map(|name| name.chars().count()).fold(11, usize::max);
        let heads = ["prefilter", "PSNR dB", "RMS", "max", "SSIM"];
        let _ = write!(table, "{:<width$}  {:<9}", "method", heads[0]);
        for head in &heads[1..] {
            let _ = write!(table, "  {head:>9}");
        }
        table.push('\n');
        for (sampler, Metrics { psnr_db, rms, max, ssim }) in self.ranking() {
            let prefilter = match (
                self.samplers[sampler].method.kernel().prefilter.is_some(),
                is_prefiltered(&self.samplers[sampler]),
            ) {
                (false, _) => "",
                (true, false) => "off",
                (true, true) => "on",
            };
            let ssim = ssim.map_or_else(|| "-".to_owned(), |ssim| format!("{ssim:.6}"));
            let name = &names[sampler];
            let _ =
                writeln!(table, "{name:<width$}  {prefilter:<9}  {psnr_db:>9.2}  {rms:>9.6}  {max:>9.6}  {ssim:>9}");
        }
        table
    }
}

/// Whether the prefilter is on and the method has one.
fn is_prefiltered(sampler: &Sampler) -> bool {
    sampler.prefilter && sampler.method.kernel().prefilter.is_some()
}
