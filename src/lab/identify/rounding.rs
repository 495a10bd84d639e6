//! Edges and rounding of a picture whose kernel is known, and the agreement of all its pixels.

use rayon::prelude::*;

use super::edges::{EDGE_RULES, EdgeRule};
use super::field::{Content, Field};
use super::hypothesis::{Hypothesis, Score};
use super::inside::picks;
use super::pair::{IdentifyError, Pair};
use super::passes::{Between, Passes, nearest};
use super::predict::{AxisModel, Grid, Rows, predict, reach};
use crate::filter::ExecOptions;
use crate::rows::rows;

/// Most columns, or rows, of a part that is compared.
const MOST: usize = 96;
/// Residuals are equal up to this factor.
const EQUAL: f64 = 1.02;

/// The properties of a rounding.
#[derive(Debug)]
pub struct RoundingRow {
    /// The rounding.
    pub rounding: Rounding,
    /// Name in JSON.
    pub name: &'static str,
    /// One line on it.
    pub help: &'static str,
}

rows! {
    /// How sums became numbers.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Rounding {
        /// The numbers are floats.
        Off => { name: "off", help: "floats are not rounded" },
        /// To the nearest number.
        Nearest => { name: "nearest", help: "to the nearest number" },
        /// Downwards.
        Down => { name: "down", help: "downwards: the fraction is cut off" },
    }

    /// The roundings, the most usual first.
    pub static ROUNDINGS: [RoundingRow { rounding, .. }];

    impl Display;
}

/// How far a rounded prediction is from the output, in the output's numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agreement {
    /// The rounding.
    pub rounding: Rounding,
    /// What happens between the passes.
    pub between: Between,
    /// Whether values were clamped to the range of the source.
    pub is_clamped_to_source: bool,
    /// Root mean square.
    pub rms: f64,
    /// Largest magnitude.
    pub max: f64,
    /// Share of the pixels that are equal; of floats equal to 10⁻⁵.
    pub equal: f64,
    /// Number of pixels.
    pub pixels: usize,
}

/// A hypothesis with its edges.
#[derive(Clone, Copy)]
struct Model<'a> {
    pair: &'a Pair,
    hypothesis: Hypothesis,
    between: Between,
    edge: EdgeRule,
}

/// The edge rules and the rounding that predict `pair` best. No rule if no pixel reads beyond an edge.
pub(super) fn finish(
    pair: &Pair,
    inside: &Grid,
    (hypothesis, between): (Hypothesis, Between),
    work: &ExecOptions,
) -> Result<(Vec<EdgeRule>, Agreement), IdentifyError> {
    let edges = edges(pair, hypothesis, between);
    if work.stop.is_set() {
        return Err(IdentifyError::Cancelled);
    }
    let model = Model { pair, hypothesis, between, edge: edges.first().copied().unwrap_or(EdgeRule::Clamp) };
    let of_values = |grid: &Grid, values: &[f64], choice: (Rounding, bool)| {
        agreement(&model, grid, &model.numbers(values, choice), choice)
    };
    let roundings: &[Rounding] = if pair.step > 0.0 { &[Rounding::Nearest, Rounding::Down] } else { &[Rounding::Off] };
    let choices = roundings.iter().flat_map(|&rounding| [(rounding, false), (rounding, true)]);
    let mut best: Option<((Rounding, bool), Agreement)> = None;
    let values = model.values(inside);
    for choice in choices {
        let found = of_values(inside, &values, choice);
        if best.is_none_or(|(_, best)| found.rms < best.rms - 1e-9) {
            best = Some((choice, found));
        }
    }
    let choice = best.map_or((Rounding::Off, false), |(choice, _)| choice);
    let all = |axis: usize| (0..pair.axes[axis].pixels).collect::<Vec<u32>>();
    let whole = Grid::new(pair, all(0), all(1));
    Ok((edges, of_values(&whole, &model.values(&whole), choice)))
}

/// The rules that predict the pixels near the edges best.
fn edges(pair: &Pair, hypothesis: Hypothesis, between: Between) -> Vec<EdgeRule> {
    let near = [0, 1].map(|axis| near_edges(pair, hypothesis, axis));
    let some = |axis: usize| picks(&(0..pair.axes[axis].pixels).collect::<Vec<_>>(), MOST);
    let [near_columns, near_rows] = near;
    let mut grids = Vec::new();
    if !near_columns.is_empty() {
        grids.push(Grid::new(pair, near_columns, some(1)));
    }
    if !near_rows.is_empty() {
        grids.push(Grid::new(pair, some(0), near_rows));
    }
    if grids.is_empty() {
        return Vec::new();
    }
    let has_memory = hypothesis.shape.coefficients().is_some();
    let rules = EDGE_RULES.iter().map(|row| row.rule).filter(|rule| !(has_memory && *rule == EdgeRule::Inside));
    let mut scores: Vec<(EdgeRule, f64)> = rules
        .map(|edge| {
            let model = Model { pair, hypothesis, between, edge };
            let residuals: Vec<f64> = grids.iter().flat_map(|grid| grid.residuals(pair, &model.values(grid))).collect();
            (edge, Score::new(&residuals, pair.step).rms)
        })
        .collect();
    scores.sort_by(|a, b| a.1.total_cmp(&b.1));
    let limit = scores[0].1 * EQUAL + pair.slack();
    scores.retain(|(_, rms)| *rms <= limit);
    scores.sort_by_key(|(edge, _)| *edge as usize);
    scores.into_iter().map(|(edge, _)| edge).collect()
}

/// The pixels of axis `axis` that read samples beyond its ends.
fn near_edges(pair: &Pair, hypothesis: Hypothesis, axis: usize) -> Vec<u32> {
    let Hypothesis { shape, convention, widening } = hypothesis;
    let model = AxisModel { axis: &pair.axes[axis], convention, widening, edge: EdgeRule::Clamp, shift: 0.0 };
    let pixels: Vec<u32> = (0..pair.axes[axis].pixels).collect();
    let rows = model.rows(shape, &pixels);
    let last = i64::from(pair.axes[axis].samples) - 1;
    // A Gaussian before the interpolation reaches further.
    let more = widening.sigma(&pair.axes[axis]).ceil() as i64;
    let reads_beyond = |place: &usize| {
        let weights = &rows.weights[place * rows.taps..][..rows.taps];
        let is_beyond = |k: i64| k < more || k > last - more;
        weights.iter().enumerate().any(|(k, weight)| *weight != 0.0 && is_beyond(rows.first[*place] + k as i64))
    };
    let found: Vec<u32> = (0..pixels.len()).filter(reads_beyond).map(|place| pixels[place]).collect();
    picks(&found, MOST)
}

impl Model<'_> {
    /// The values at the pixels of `grid`.
    fn values(&self, grid: &Grid) -> Vec<f64> {
        let Self { pair, hypothesis: Hypothesis { shape, convention, widening }, between, edge } = *self;
        let rows = |axis: usize, pixels: &[u32]| -> Rows {
            AxisModel { axis: &pair.axes[axis], convention, widening, edge, shift: 0.0 }.rows(shape, pixels)
        };
        let (columns, rows) = (rows(0, &grid.columns), rows(1, &grid.rows));
        let field = Field::new(&pair.source, &pair.axes, Content { shape, widening, edge }, reach(&columns, &rows));
        predict(&field, &columns, &rows, Passes { between, step: pair.step })
    }

    /// `values` as numbers, rounded and clamped; of floats the values.
    fn numbers(&self, values: &[f64], (rounding, clamps): (Rounding, bool)) -> Vec<f64> {
        let step = self.pair.step;
        let [low, high] = self.pair.source.range().map(f64::from);
        let finish = |&value: &f64| {
            let value = if clamps { value.clamp(low, high) } else { value };
            match rounding {
                Rounding::Off => value,
                Rounding::Down => (value / step + 1e-9).floor().clamp(0.0, (1.0 / step).round()),
                Rounding::Nearest => (nearest(value, step) / step).round(),
            }
        };
        values.par_iter().map(finish).collect()
    }
}

/// How far `numbers` are from the output.
fn agreement(
    model: &Model<'_>,
    grid: &Grid,
    numbers: &[f64],
    (rounding, is_clamped_to_source): (Rounding, bool),
) -> Agreement {
    let (pair, between) = (model.pair, model.between);
    let unit = pair.unit();
    let tolerance = if pair.step > 0.0 { 0.5 } else { 1e-5 };
    let errors = grid.values.iter().zip(numbers).map(|(value, number)| (value / unit - number).abs());
    let (mut squares, mut max, mut equal) = (0.0, 0.0_f64, 0_usize);
    for error in errors {
        let error = if pair.step > 0.0 { error.round() } else { error };
        squares += error * error;
        max = max.max(error);
        equal += usize::from(error < tolerance);
    }
    let pixels = numbers.len();
    let count = pixels.max(1) as f64;
    let rms = (squares / count).sqrt();
    Agreement { rounding, between, is_clamped_to_source, rms, max, equal: equal as f64 / count, pixels }
}
