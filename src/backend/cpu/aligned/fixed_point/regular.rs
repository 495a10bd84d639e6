//! Views by two samples along both axes whose pixels are a whole number of samples apart: linear at 100 %, and zoomed out by whole
//! factors. All pixels have the same four weights, so that their samples are added up at once, without sums between two passes.
//!
//! u: samples, c: products of the weights of both axes, with r fraction bits: level = ⌊(Σ c·u + 2^(r−1)) / 2^r⌋.

#[cfg(target_arch = "x86_64")]
mod vectors;

use super::super::super::instructions::Instructions;
use super::super::line::Line;
use super::columns;
use super::plain;
use super::weights::FixedWeights;
use super::{BITS, OFFSET, Vectors};
use crate::sampling::{Axis, AxisWeights};

#[cfg(target_arch = "x86_64")]
use self::vectors::Windows;

/// Samples along an axis.
const TAPS: usize = 2;
/// Largest distance of neighbouring pixels, in samples.
const MAX_STEP: i64 = 4;
/// How far weights may be from those of the first pixel: the rounding of positions.
const MAX_DEFECT: f32 = 1e-6;

/// Positions of an axis that are `step` samples apart, all by the same weights.
#[derive(Clone, Copy, Debug)]
struct RegularAxis {
    step: i64,
    weights: [f32; TAPS],
}

impl RegularAxis {
    fn new(exact: &AxisWeights) -> Option<Self> {
        if exact.taps != TAPS {
            return None;
        }
        let entries: &[[f32; TAPS]] = exact.weights.as_chunks().0;
        let weights = *entries.first()?;
        let is_alike = |entry: &[f32; TAPS]| entry.iter().zip(weights).all(|(a, b)| (a - b).abs() <= MAX_DEFECT);
        let mut steps = exact.first.windows(2).map(|pair| pair[1] - pair[0]);
        let step = steps.next().unwrap_or(1);
        let is_regular =
            (1..=MAX_STEP).contains(&step) && steps.all(|next| next == step) && entries.iter().all(is_alike);
        is_regular.then_some(Self { step, weights })
    }
}

/// The weights of a pixel's samples in the upper and in the lower row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::backend::cpu) struct QuadWeights {
    rows: [[i16; TAPS]; 2],
    bits: u32,
}

impl QuadWeights {
    /// What the sum of a channel begins with, and that of one that the image has not: sums are 128 levels too small.
    fn start(self) -> [i32; 2] {
        let start = (1 << (self.bits - 1)) - (OFFSET << self.bits);
        [start, start + (255 << self.bits)]
    }

    /// The pairs of both rows as the instruction that adds two products reads them.
    #[cfg(target_arch = "x86_64")]
    fn packed(self) -> [i32; 2] {
        self.rows.map(super::weights::packed)
    }
}

/// The columns of such a view.
#[derive(Debug)]
pub(super) struct RegularColumns {
    axis: RegularAxis,
    /// Number of columns.
    count: usize,
    /// Channels of the image and of the output.
    channels: [usize; 2],
    line: Line,
    layout: Layout,
}

#[derive(Debug)]
enum Layout {
    Plain(Instructions),
    #[cfg(target_arch = "x86_64")]
    Avx2(pulp::x86::V3, Windows<8>),
    #[cfg(target_arch = "x86_64")]
    Avx512(super::Avx512Bytes, Windows<16>),
}

impl RegularColumns {
    /// The columns of `exact` in rows along `axis`, from the image's channels to as many or one more, which is opaque; `None` for
    /// others than regular ones.
    pub(super) fn new(
        exact: &AxisWeights,
        axis: Axis,
        channels: [usize; 2],
        instructions: Instructions,
    ) -> Option<Self> {
        let regular = RegularAxis::new(exact)?;
        let line = Line::new(exact.range()?, axis, channels[0]);
        let count = exact.first.len();
        let layout = Layout::new(count, regular.step as usize * channels[0], channels, instructions);
        Some(Self { axis: regular, count, channels, line, layout })
    }

    /// The weights of all pixels with `rows`; `None` if those are not regular.
    pub(super) fn quad_weights(&self, rows: &AxisWeights) -> Option<QuadWeights> {
        let ([left, right], [upper, lower]) = (self.axis.weights, RegularAxis::new(rows)?.weights);
        let products = vec![left * upper, right * upper, left * lower, right * lower];
        let exact = AxisWeights { taps: products.len(), first: vec![0], weights: products };
        let fixed = FixedWeights::new(&exact, BITS, i16::MAX)?;
        Some(QuadWeights { rows: *fixed.entry(0).first_chunk()?, bits: fixed.bits })
    }

    /// Number of values of a row of the output.
    pub(super) fn len(&self) -> usize {
        self.count * self.channels[1]
    }

    /// Bytes of places.
    pub(super) fn bytes(&self) -> usize {
        match &self.layout {
            Layout::Plain(_) => 0,
            #[cfg(target_arch = "x86_64")]
            Layout::Avx2(_, windows) => windows.bytes(),
            #[cfg(target_arch = "x86_64")]
            Layout::Avx512(_, windows) => windows.bytes(),
        }
    }

    /// Writes a row of the output from two rows of the image: each has `len` of the `numbers` from one on, or is the border's. `lines` are
    /// buffers.
    pub(super) fn write(
        &self,
        numbers: &[u8],
        ([upper, lower], len): ([Option<usize>; 2], usize),
        (border, weights): (u8, QuadWeights),
        ([upper_line, lower_line], out): (&mut [Vec<u8>; 2], &mut [u8]),
    ) {
        let rows = [
            columns::read(&self.line, numbers, (upper, len), border, upper_line),
            columns::read(&self.line, numbers, (lower, len), border, lower_line),
        ];
        match &self.layout {
            Layout::Plain(instructions) => instructions.run(
                #[inline(always)]
                || match self.channels[0] {
                    1 => self.write_plain::<1>(rows, weights, out),
                    _ => self.write_plain::<3>(rows, weights, out),
                },
            ),
            #[cfg(target_arch = "x86_64")]
            Layout::Avx2(simd, windows) => windows.write(*simd, rows, weights, out),
            #[cfg(target_arch = "x86_64")]
            Layout::Avx512(simd, windows) => windows.write(*simd, rows, weights, out),
        }
    }

    #[inline(always)]
    fn write_plain<const CHANNELS: usize>(&self, rows: [&[u8]; 2], weights: QuadWeights, out: &mut [u8]) {
        let step = self.axis.step as usize * CHANNELS;
        let [start, _] = weights.start();
        for (column, out) in out.chunks_exact_mut(self.channels[1]).enumerate() {
            let mut sums = [start; CHANNELS];
            for (samples, weights) in rows.iter().zip(weights.rows) {
                let samples: &[[u8; CHANNELS]] = samples[column * step..][..TAPS * CHANNELS].as_chunks().0;
                for (sample, weight) in samples.iter().zip(weights) {
                    sums.iter_mut().zip(sample).for_each(|(sum, &s)| *sum += i32::from(weight) * i32::from(s));
                }
            }
            out.iter_mut().zip(sums).for_each(|(out, sum)| *out = plain::level(sum, weights.bits));
            out[CHANNELS..].fill(u8::MAX);
        }
    }
}

impl Layout {
    /// The widest layout whose windows hold the samples of `count` columns, `step` numbers apart.
    fn new(count: usize, step: usize, channels: [usize; 2], instructions: Instructions) -> Self {
        match Vectors::of(instructions) {
            Vectors::Plain => {}
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx2(simd) => {
                if let Some(windows) = Windows::new(count, step, channels) {
                    return Self::Avx2(simd, windows);
                }
            }
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx512(simd) => {
                if let Some(windows) = Windows::new(count, step, channels) {
                    return Self::Avx512(simd, windows);
                }
            }
        }
        Self::Plain(instructions)
    }
}
