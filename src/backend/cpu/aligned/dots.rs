//! The horizontal pass of columns that are far apart, as those of a stretched kernel: each is the sum of adjacent samples of a line by
//! weights of its own.

use super::super::instructions::Instructions;
use crate::sampling::AxisWeights;

/// Samples that are weighed at once.
const LANES: usize = 16;
/// Sums of a pixel of several channels, which are added up at last: short chains of additions, and small rounding errors.
const SUMS: usize = 4;
/// Numbers of a pixel that are weighed at once.
const PIXEL: usize = 4;
/// Values behind a line that are read and weighed by 0.
pub(super) const SLACK: usize = LANES;

/// Weights of all columns.
#[derive(Debug)]
pub(super) struct Dots {
    channels: usize,
    /// The first value of each column in the line.
    from: Vec<u32>,
    /// Weights of each column, up to a multiple of [`LANES`]. Those behind the last sample are 0.
    weights: Vec<[f32; LANES]>,
    /// Vectors of weights of a column.
    parts: usize,
}

impl Dots {
    /// For lines of `channels` that begin with sample `lowest`.
    pub(super) fn new(weights: &AxisWeights, lowest: i64, channels: usize) -> Self {
        let parts = weights.taps.div_ceil(LANES);
        let mut all = vec![[0.0; LANES]; weights.first.len() * parts];
        for (column, to) in all.chunks_exact_mut(parts).enumerate() {
            let (_, weights) = weights.entry(column);
            to.as_flattened_mut()[..weights.len()].copy_from_slice(weights);
        }
        let from = weights.first.iter().map(|first| (first - lowest) as u32 * channels as u32).collect();
        Self { channels, from, weights: all, parts }
    }

    /// Bytes of the weights.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.from[..]) + size_of_val(&self.weights[..])
    }

    /// Filters `line`, whose last [`SLACK`] values are finite, into pixels of `stride` values.
    pub(super) fn filter(&self, instructions: Instructions, line: &[f32], stride: usize, out: &mut [f32]) {
        instructions.run(
            #[inline(always)]
            || {
                if self.channels == 1 {
                    self.filter_grey(line, stride, out);
                } else {
                    self.filter_pixels(line, stride, out);
                }
            },
        );
    }

    #[inline(always)]
    fn filter_grey(&self, line: &[f32], stride: usize, out: &mut [f32]) {
        for column in 0..self.from.len() {
            let samples = line[self.from[column] as usize..].as_chunks::<LANES>().0;
            let weights = &self.weights[column * self.parts..][..self.parts];
            let mut sums = [0.0_f32; LANES];
            for (weights, samples) in weights.iter().zip(samples) {
                for lane in 0..LANES {
                    sums[lane] += weights[lane] * samples[lane];
                }
            }
            let mut width = LANES / 2;
            while width > 0 {
                for lane in 0..width {
                    sums[lane] += sums[lane + width];
                }
                width /= 2;
            }
            out[column * stride] = sums[0];
        }
    }

    #[inline(always)]
    fn filter_pixels(&self, line: &[f32], stride: usize, out: &mut [f32]) {
        for column in 0..self.from.len() {
            let weights = self.weights[column * self.parts..][..self.parts].as_flattened();
            let mut sums = [[0.0_f32; PIXEL]; SUMS];
            let mut at = self.from[column] as usize;
            for weights in weights.as_chunks::<SUMS>().0 {
                for place in 0..SUMS {
                    let pixel = line[at..].first_chunk::<PIXEL>().copied().unwrap_or_default();
                    for value in 0..PIXEL {
                        sums[place][value] += weights[place] * pixel[value];
                    }
                    at = (at + self.channels).min(line.len());
                }
            }
            for channel in 0..self.channels {
                out[column * stride + channel] =
                    sums[0][channel] + sums[1][channel] + (sums[2][channel] + sums[3][channel]);
            }
        }
    }
}
