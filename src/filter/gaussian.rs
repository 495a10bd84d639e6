//! Gaussian blur: two passes of symmetric weights, strip by strip.
//!
//! A band of rows is one task. It runs down strips of columns so narrow that the rows which one output row needs stay in a
//! core's own caches: each row of the plane is weighed across once, held, and weighed down as often as it is needed.
//! Opposite samples are added before they are weighed, from the outermost weights, the smallest, inwards.

use multiversion::multiversion;
use multiversion::target::target_cfg_f;

use super::power::multiply_add;
use super::{Edges, Plane, Work};

/// Values that the loops make together.
const LANES: usize = 64;
/// Values of held rows that fit a core's first cache, in stretches long enough to be read ahead.
const HELD_VALUES: usize = 5 << 10;
/// Weights that are added up in one sum: sums of these sums keep single precision exact enough at any radius.
const PART: usize = 32;

/// ⌈4σ⌉: what lies further out has no weight.
pub fn gaussian_radius(sigma: f64) -> u32 {
    (4.0 * sigma).ceil() as u32
}

/// The weights from the middle outwards, w(0) … w(⌈4σ⌉), w(d) = exp(−d²/2σ²), so that w(0) + 2·(w(1) + …) is 1.
pub fn gaussian_weights(sigma: f64) -> Vec<f64> {
    let weights: Vec<f64> =
        (0..=gaussian_radius(sigma)).map(|d| (-f64::from(d).powi(2) / (2.0 * sigma * sigma)).exp()).collect();
    let sum = weights[0] + 2.0 * weights[1..].iter().rev().sum::<f64>();
    weights.into_iter().map(|weight| weight / sum).collect()
}

/// The blurred plane.
pub(super) fn gaussian(parameters: &[f64], plane: &Plane, edges: &Edges, work: &Work, out: &mut [f32]) {
    let weights: Vec<f32> = gaussian_weights(parameters[0]).into_iter().map(|weight| weight as f32).collect();
    let stride = plane.stride();
    let rows = plane.size[1] as usize;
    let threads = rayon::current_num_threads();
    let band = rows.div_ceil(4 * threads).max(4 * weights.len()).min(rows.div_ceil(threads));
    let pass = Pass { plane, edges, weights: &weights, work };
    work.for_bands((out, stride), band, Scratch::default, |scratch, from, out| scratch.blur_band(&pass, from, out));
}

/// What is blurred, and how.
struct Pass<'a> {
    plane: &'a Plane,
    edges: &'a Edges,
    weights: &'a [f32],
    work: &'a Work,
}

/// Memory that a task keeps from band to band.
#[derive(Default)]
struct Scratch {
    /// A stretch of one row with what lies around it, where that is not all in the plane.
    line: Vec<f32>,
    /// Rows already weighed across, as many as one output row needs; the newest takes the oldest's place.
    held: Vec<f32>,
    /// The last stretch of a row weighed down, whose lanes are not all wanted.
    rest: Vec<f32>,
}

impl Scratch {
    /// Fills `out` with the rows from `from` on.
    fn blur_band(&mut self, pass: &Pass<'_>, from: usize, out: &mut [f32]) {
        let channels = pass.plane.channels.count();
        let rows = 2 * pass.weights.len() - 1;
        let columns = ((HELD_VALUES / rows).max(4 * LANES) / (LANES * channels)).max(1) * LANES;
        for left in (0..pass.plane.size[0] as usize).step_by(columns) {
            if pass.work.stop.is_set() {
                return;
            }
            self.blur_strip(pass, [left, from], columns * channels, out);
        }
    }

    /// Fills those columns of `out` that `strip` values from column `left` on cover, with the rows from `top` on.
    fn blur_strip(&mut self, pass: &Pass<'_>, [left, top]: [usize; 2], strip: usize, out: &mut [f32]) {
        let stride = pass.plane.stride();
        let first = left * pass.plane.channels.count();
        let used = strip.min(stride - first);
        let count = 2 * pass.weights.len() - 1;
        self.held.resize(count * strip, 0.0);
        self.rest.resize(strip, 0.0);
        let reach = pass.weights.len() - 1;
        for row in 0..2 * reach {
            pass.weigh_across(
                [left as i64, (top + row) as i64 - reach as i64],
                &mut self.line,
                &mut self.held[row * strip..][..strip],
            );
        }
        let mut newest = 2 * reach;
        for (row, out) in out.chunks_exact_mut(stride).enumerate() {
            let held = &mut self.held[newest * strip..][..strip];
            pass.weigh_across([left as i64, (top + row + reach) as i64], &mut self.line, held);
            newest = (newest + 1) % count;
            let out = &mut out[first..first + used];
            if used == strip {
                down(&self.held, newest * strip, pass.weights, out);
            } else {
                down(&self.held, newest * strip, pass.weights, &mut self.rest);
                out.copy_from_slice(&self.rest[..used]);
            }
        }
    }
}

impl Pass<'_> {
    /// Weighs the row at `row` across, from column `left` on, as far as `out` goes; what lies beyond the plane's last column
    /// is left to chance.
    fn weigh_across(&self, [left, row]: [i64; 2], line: &mut Vec<f32>, out: &mut [f32]) {
        let Self { plane, edges, weights, .. } = *self;
        let channels = plane.channels.count();
        let reach = weights.len() - 1;
        let needed = out.len() + 2 * reach * channels;
        let from = left - reach as i64;
        let inside =
            plane.row(edges, row).and_then(|row| row.get(usize::try_from(from).ok()? * channels..)?.get(..needed));
        if let Some(inside) = inside {
            across(inside, weights, channels, out);
        } else {
            line.resize(needed, 0.0);
            let wanted = (plane.stride() - left as usize * channels).min(out.len()) + 2 * reach * channels;
            plane.copy_row(edges, row, from, &mut line[..wanted]);
            across(line, weights, channels, out);
        }
    }
}

/// Weighs a line of values and 2·reach pixels around them, `channels` interleaved, into `out`.
#[multiversion(targets = "simd")]
fn across(line: &[f32], weights: &[f32], channels: usize, out: &mut [f32]) {
    weigh(target_cfg_f!(target_feature = "fma"), line, weights, [0, channels], out);
}

/// Weighs a ring of 2·reach + 1 rows as long as `out`, the oldest of which starts at `oldest`, into the middle one's `out`.
#[multiversion(targets = "simd")]
fn down(held: &[f32], oldest: usize, weights: &[f32], out: &mut [f32]) {
    let strip = out.len();
    weigh(target_cfg_f!(target_feature = "fma"), held, weights, [oldest, strip], out);
}

/// out[i] = Σ w(k)·(values[i + (reach − k)·step] + values[i + (reach + k)·step]), for whole groups of lanes; the first step's
/// values start at `from`, and steps go round at the last whole one.
#[inline(always)]
fn weigh(fused: bool, values: &[f32], weights: &[f32], [from, step]: [usize; 2], out: &mut [f32]) {
    let Some((&middle_weight, weights)) = weights.split_first() else { return };
    let around = (2 * weights.len() + 1) * step;
    let last = if from == 0 { around - step } else { from - step };
    for (place, out) in out.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
        let values = &values[place * LANES..];
        let (mut near, mut far) = (from, last);
        let mut sums = [0.0_f32; LANES];
        for weights in weights.rchunks(PART) {
            let mut part = [0.0_f32; LANES];
            for weight in weights.iter().rev() {
                let (a, b) = (&values[near..near + LANES], &values[far..far + LANES]);
                for lane in 0..LANES {
                    part[lane] = multiply_add(fused, *weight, a[lane] + b[lane], part[lane]);
                }
                near = if near + step == around { 0 } else { near + step };
                far = if far == 0 { around - step } else { far - step };
            }
            for lane in 0..LANES {
                sums[lane] += part[lane];
            }
        }
        let middle = &values[near..near + LANES];
        for lane in 0..LANES {
            out[lane] = multiply_add(fused, middle_weight, middle[lane], sums[lane]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_fall_outwards_and_sum_to_one() {
        for sigma in [0.01, 0.3, 1.0, 2.5, 64.0] {
            let weights = gaussian_weights(sigma);
            assert_eq!(weights.len(), (4.0 * sigma).ceil() as usize + 1);
            let sum = weights[0] + 2.0 * weights[1..].iter().sum::<f64>();
            assert!((sum - 1.0).abs() < 1e-12, "{sigma}: {sum}");
            assert!(weights.is_sorted_by(|a, b| a >= b), "{sigma}");
        }
    }
}
