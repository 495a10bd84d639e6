//! Bilateral filter: a weighted mean over a square window, with weights by distance and by difference.
//!
//! For the sample at offset (m, n) whose channels differ by Δ (Euclidean, alpha included) the weight is exp(−(m² +
//! n²)/2σ_s²)·exp(−Δ²/2σ_r²); the sum is divided by the sum of the weights. A sample that is not finite in some channel
//! has weight 0, and is itself left unchanged.
//!
//! The result is blended with the original by the share of weights that reach a threshold (document 004), so that flat
//! areas are smoothed and detailed ones are not. The document gives two limits: the result at threshold 0, the original
//! at threshold 1. The centre's weight is always 1 and would break the second limit, so the share is over the (2r + 1)²
//! − 1 neighbours of the window. The share itself can be shown in place of the result;
//! alpha stays.

use multiversion::multiversion;
use multiversion::target::target_cfg_f;

use super::power::{multiply_add, two_to_minus};
use super::{Edges, ExecOptions, ParameterChoice, Plane};
use crate::image::Channels;

/// Rows of one task.
const BAND_ROWS: usize = 16;
/// Pixels per group of lanes.
const LANES: usize = 16;
/// Weights below 2^−SMALLEST are 0.
const SMALLEST: f32 = 125.0;

/// What the filter shows; the parameter is the index.
pub(super) const SHOWN: &[ParameterChoice] = &[
    ParameterChoice { name: "result", title: "Result" },
    ParameterChoice { name: "share", title: "Share of weights" },
];

/// Whether a bilateral step shows the share of weights that reach the threshold.
pub(crate) fn shows_share(parameters: &[f64]) -> bool {
    parameters[4] == 1.0
}

/// Default radius of the window: ⌈2σ⌉, at most 32.
pub fn automatic_radius(sigma: f64) -> u32 {
    ((2.0 * sigma).ceil() as u32).min(32)
}

/// Radius of the window for the parameters of a bilateral step.
pub fn bilateral_radius(parameters: &[f64]) -> u32 {
    if parameters[2] == 0.0 { automatic_radius(parameters[0]) } else { parameters[2] as u32 }
}

/// Writes the filtered plane.
pub(super) fn bilateral(parameters: &[f64], plane: &Plane, edges: &Edges, work: &ExecOptions, out: &mut [f32]) {
    let window = Window::new(parameters);
    let work = (work, out);
    match plane.channels {
        Channels::Grey => smooth::<1>(&window, plane, edges, work),
        Channels::GreyAlpha => smooth::<2>(&window, plane, edges, work),
        Channels::Rgb => smooth::<3>(&window, plane, edges, work),
        Channels::Rgba => smooth::<4>(&window, plane, edges, work),
    }
}

/// Precomputed weights of the window. A weight is 2^−(nearness + likeness·Δ²).
struct Window {
    radius: usize,
    /// One for each offset, row by row.
    nearness: Vec<f32>,
    likeness: f32,
    /// Largest exponent whose weight reaches the threshold; `None` if the share is not needed: at threshold 0 all do.
    limit: Option<f32>,
    shows_share: bool,
}

impl Window {
    fn new(parameters: &[f64]) -> Self {
        let log2_e = std::f64::consts::LOG2_E;
        let [sigma, range, threshold] = [parameters[0], parameters[1], parameters[3]];
        let radius = i64::from(bilateral_radius(parameters));
        let offsets = (-radius..=radius).flat_map(|n| (-radius..=radius).map(move |m| (m * m + n * n) as f64));
        Self {
            radius: radius as usize,
            nearness: offsets.map(|square| (square * log2_e / (2.0 * sigma * sigma)) as f32).collect(),
            likeness: (log2_e / (2.0 * range * range)) as f32,
            limit: (threshold > 0.0 || shows_share(parameters)).then(|| -threshold.log2() as f32),
            shows_share: shows_share(parameters),
        }
    }

    fn side(&self) -> usize {
        2 * self.radius + 1
    }
}

fn smooth<const CHANNELS: usize>(
    window: &Window,
    plane: &Plane,
    edges: &Edges,
    (work, out): (&ExecOptions, &mut [f32]),
) {
    let stride = plane.stride();
    let width = plane.size[0] as usize;
    let padded = width.next_multiple_of(LANES) + 2 * window.radius;
    let scratch = || (vec![0.0_f32; padded * CHANNELS], [const { Vec::new() }; CHANNELS]);
    work.for_bands((out, stride), BAND_ROWS, scratch, |(line, planes), from, out| {
        let rows = out.len() / stride + 2 * window.radius;
        let corner = [from, window.radius].map(|k| k as i64);
        planes.iter_mut().for_each(|plane: &mut Vec<f32>| plane.resize(rows * padded, 0.0));
        for row in 0..rows {
            plane.copy_row(edges, corner[0] - corner[1] + row as i64, -corner[1], line);
            for (channel, plane) in planes.iter_mut().enumerate() {
                let values = line.iter().skip(channel).step_by(CHANNELS);
                plane[row * padded..][..padded].iter_mut().zip(values).for_each(|(to, &value)| *to = value);
            }
        }
        for (row, out) in out.chunks_exact_mut(stride).enumerate() {
            if work.stop.is_set() {
                return;
            }
            let rows = planes.each_ref().map(|plane| &plane[row * padded..][..window.side() * padded]);
            let out = out.as_chunks_mut::<CHANNELS>().0;
            if window.limit.is_some() {
                smooth_row::<CHANNELS, true>(window, rows, out);
            } else {
                smooth_row::<CHANNELS, false>(window, rows, out);
            }
        }
    });
}

/// Weighted sums of the pixels in the lanes: the channels, the weights, and the number of weights that reach the
/// threshold.
struct Sums<const CHANNELS: usize> {
    values: [[f32; LANES]; CHANNELS],
    weights: [f32; LANES],
    reaching: [f32; LANES],
}

impl<const CHANNELS: usize> Sums<CHANNELS> {
    const ZERO: Self = Self { values: [[0.0; LANES]; CHANNELS], weights: [0.0; LANES], reaching: [0.0; LANES] };
}

/// Filters one row, from the window's rows, for each channel.
#[multiversion(targets = "simd")]
fn smooth_row<const CHANNELS: usize, const BLENDS: bool>(
    window: &Window,
    planes: [&[f32]; CHANNELS],
    out: &mut [[f32; CHANNELS]],
) {
    let side = window.side();
    let padded = planes[0].len() / side;
    let middle = window.radius * padded + window.radius;
    let limit = window.limit.unwrap_or(f32::INFINITY);
    let fused = target_cfg_f!(target_feature = "fma");
    for (place, out) in out.chunks_mut(LANES).enumerate() {
        let lanes = |channel: usize, at: usize| planes[channel][at + place * LANES..].first_chunk::<LANES>();
        let mut centre = [[0.0_f32; LANES]; CHANNELS];
        for (channel, centre) in centre.iter_mut().enumerate() {
            let Some(values) = lanes(channel, middle) else { return };
            *centre = *values;
        }
        let mut sums = Sums::<CHANNELS>::ZERO;
        for n in 0..side {
            // Separate sums for each row of the window, to limit the rounding error.
            let mut line = Sums::<CHANNELS>::ZERO;
            for m in 0..side {
                let mut values = [[0.0_f32; LANES]; CHANNELS];
                for (channel, values) in values.iter_mut().enumerate() {
                    let Some(read) = lanes(channel, n * padded + m) else { return };
                    *values = *read;
                }
                let nearness = window.nearness[n * side + m];
                for lane in 0..LANES {
                    let mut exponent = nearness;
                    for (values, centre) in values.iter().zip(&centre) {
                        let difference = values[lane] - centre[lane];
                        // An exponent that is compared with a limit is computed by the same operations on every
                        // machine.
                        exponent = multiply_add(fused && !BLENDS, window.likeness, difference * difference, exponent);
                    }
                    if BLENDS {
                        line.reaching[lane] += if exponent <= limit { 1.0 } else { 0.0 };
                    }
                    let counts = exponent < SMALLEST;
                    let weight = two_to_minus(fused, exponent);
                    line.weights[lane] += if counts { weight } else { 0.0 };
                    for (sums, values) in line.values.iter_mut().zip(&values) {
                        let weighted = weight * values[lane];
                        sums[lane] += if counts { weighted } else { 0.0 };
                    }
                }
            }
            for lane in 0..LANES {
                sums.weights[lane] += line.weights[lane];
                sums.reaching[lane] += line.reaching[lane];
                for channel in 0..CHANNELS {
                    sums.values[channel][lane] += line.values[channel][lane];
                }
            }
        }
        let neighbours = (side * side - 1) as f32;
        let has_alpha = CHANNELS.is_multiple_of(2);
        for (lane, out) in out.iter_mut().enumerate() {
            for channel in 0..CHANNELS {
                let original = centre[channel][lane];
                let smoothed = sums.values[channel][lane] / sums.weights[lane];
                // The centre reaches the limit if it is finite.
                let share = if BLENDS { (sums.reaching[lane] - 1.0).max(0.0) / neighbours } else { 1.0 };
                if BLENDS && window.shows_share {
                    // Colours are premultiplied; alpha stays.
                    let alpha = if has_alpha { centre[CHANNELS - 1][lane] } else { 1.0 };
                    out[channel] = if has_alpha && channel == CHANNELS - 1 { alpha } else { share * alpha };
                    continue;
                }
                let blended = if BLENDS { original + share * (smoothed - original) } else { smoothed };
                // If even the centre's weight is 0, the pixel is not finite.
                out[channel] = if sums.weights[lane] > 0.0 { blended } else { original };
            }
        }
    }
}
