//! Predictions: the values that a hypothesis gives some columns and rows of the output.

use rayon::prelude::*;

use super::edges::EdgeRule;
use super::field::{Field, Reach};
use super::geometry::{Convention, Widening};
use super::pair::{AxisPair, Pair};
use super::passes::Passes;
use super::shape::Shape;

/// How far a clamped value may be from its limit, beyond half a step.
const LIMIT_ROUNDING: f64 = 1e-6;

/// Samples and weights of some pixels of one axis; all read the same number of samples.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    /// First sample of each pixel.
    pub(super) first: Vec<i64>,
    pub(super) taps: usize,
    /// The weights of each pixel, one after the other.
    pub(super) weights: Vec<f64>,
}

/// One axis of a hypothesis.
#[derive(Clone, Copy, Debug)]
pub(super) struct AxisModel<'a> {
    pub(super) axis: &'a AxisPair,
    pub(super) convention: Convention,
    pub(super) widening: Widening,
    pub(super) edge: EdgeRule,
    /// Added to each position, in samples.
    pub(super) shift: f64,
}

impl AxisModel<'_> {
    /// Weights of `shape` for `pixels`, divided by their sum.
    pub(super) fn rows(&self, shape: Shape, pixels: &[u32]) -> Rows {
        let stretch = self.widening.stretch(self.axis);
        let mut rows =
            self.rows_of(shape.radius(self.axis) * stretch, pixels, |d| shape.weight(self.axis, d / stretch));
        for weights in rows.weights.chunks_mut(rows.taps) {
            let sum: f64 = weights.iter().sum();
            if sum.abs() > 1e-9 {
                weights.iter_mut().for_each(|weight| *weight /= sum);
            }
        }
        rows
    }

    /// Values of `weight` at the distances of the samples within `reach` of each of `pixels`.
    pub(super) fn rows_of(&self, reach: f64, pixels: &[u32], weight: impl Fn(f64) -> f64) -> Rows {
        let taps = (2.0 * reach).floor() as usize + 2;
        let (mut first, mut weights) = (Vec::with_capacity(pixels.len()), Vec::with_capacity(pixels.len() * taps));
        for &pixel in pixels {
            let x = self.convention.position(self.axis, f64::from(pixel)) + self.shift;
            // A position between two samples to 10⁻⁹ is one of them: quotients are rounded.
            let x = if ((2.0 * x).round() - 2.0 * x).abs() < 1e-9 { (2.0 * x).round() / 2.0 } else { x };
            let start = (x - reach).floor() as i64;
            first.push(start);
            for k in start..start + taps as i64 {
                let is_left_out = self.edge == EdgeRule::Inside && !(0..i64::from(self.axis.samples)).contains(&k);
                weights.push(if is_left_out { 0.0 } else { weight(x - k as f64) });
            }
        }
        Rows { first, taps, weights }
    }
}

impl Rows {
    /// First and last sample that a pixel reads.
    pub(super) fn reach(&self) -> [i64; 2] {
        let first = self.first.iter().copied().min().unwrap_or(0);
        [first, self.first.iter().copied().max().unwrap_or(0) + self.taps as i64 - 1]
    }

    /// The weights of pixel `place`.
    fn weights(&self, place: usize) -> &[f64] {
        &self.weights[place * self.taps..][..self.taps]
    }
}

/// First and last sample that `columns` and `rows` read.
pub(super) fn reach(columns: &Rows, rows: &Rows) -> Reach {
    [columns.reach(), rows.reach()]
}

/// The values at `columns` × `rows`, row by row.
pub(super) fn predict(field: &Field, columns: &Rows, rows: &Rows, passes: Passes) -> Vec<f64> {
    let count = columns.first.len();
    if passes.between.is_columns_first() {
        // Each row of the output is a row of sums down the columns, then weighted along.
        let [low, high] = columns.reach();
        let width = (high - low + 1) as usize;
        let mut out = vec![0.0; count * rows.first.len()];
        out.par_chunks_mut(count).enumerate().for_each_init(
            || vec![0.0; width],
            |line, (y, out)| {
                line.fill(0.0);
                for (k, weight) in rows.weights(y).iter().enumerate().filter(|(_, weight)| **weight != 0.0) {
                    let row = (rows.first[y] + k as i64 - field.first[1]) as usize;
                    let samples = &field.values[row * field.width + (low - field.first[0]) as usize..][..width];
                    line.iter_mut().zip(samples).for_each(|(sum, &sample)| *sum += weight * f64::from(sample));
                }
                line.iter_mut().for_each(|value| *value = passes.after_first(*value));
                for (x, to) in out.iter_mut().enumerate() {
                    let line = &line[(columns.first[x] - low) as usize..][..columns.taps];
                    *to = columns.weights(x).iter().zip(line).map(|(weight, value)| weight * value).sum();
                }
            },
        );
        return out;
    }
    let [low, high] = rows.reach();
    let mut lines = vec![0.0; count * (high - low + 1) as usize];
    lines.par_chunks_mut(count).enumerate().for_each(|(y, line)| {
        let row = (low + y as i64 - field.first[1]) as usize;
        let samples = &field.values[row * field.width..][..field.width];
        for (x, to) in line.iter_mut().enumerate() {
            let samples = &samples[(columns.first[x] - field.first[0]) as usize..][..columns.taps];
            let sum: f64 = columns.weights(x).iter().zip(samples).map(|(weight, &s)| weight * f64::from(s)).sum();
            *to = passes.after_first(sum);
        }
    });
    let mut out = vec![0.0; count * rows.first.len()];
    out.par_chunks_mut(count).enumerate().for_each(|(y, out)| {
        for (k, weight) in rows.weights(y).iter().enumerate().filter(|(_, weight)| **weight != 0.0) {
            let line = &lines[(rows.first[y] + k as i64 - low) as usize * count..][..count];
            out.iter_mut().zip(line).for_each(|(sum, value)| *sum += weight * value);
        }
    });
    out
}

/// Columns and rows of the output, and the numbers there.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    pub(super) columns: Vec<u32>,
    pub(super) rows: Vec<u32>,
    /// The output's values, row by row.
    pub(super) values: Vec<f64>,
}

impl Grid {
    pub(super) fn new(pair: &Pair, columns: Vec<u32>, rows: Vec<u32>) -> Self {
        let at =
            |row: u32, column: u32| f64::from(pair.output.values[row as usize * pair.output.width + column as usize]);
        let values = rows.iter().flat_map(|&row| columns.iter().map(move |&column| at(row, column))).collect();
        Self { columns, rows, values }
    }

    /// Residuals output − `predicted`; 0 where the output was clamped and the prediction lies beyond.
    pub(super) fn residuals(&self, pair: &Pair, predicted: &[f64]) -> Vec<f64> {
        let is_at = |value: f64, limits: &[f64]| {
            limits.iter().any(|limit| (value - limit).abs() <= pair.step / 2.0 + LIMIT_ROUNDING)
        };
        let [low, high] = &pair.limits;
        let residual = |(&value, &predicted): (&f64, &f64)| {
            let limits = if predicted > value { high } else { low };
            if is_at(value, limits) { 0.0 } else { value - predicted }
        };
        self.values.iter().zip(predicted).map(residual).collect()
    }
}
