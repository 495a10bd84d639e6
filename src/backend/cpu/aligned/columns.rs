//! The horizontal pass: from a row of the image to a row of the output's width.
//!
//! Columns are filtered in blocks of 8 or 16 values, as many as a vector register holds. The samples of a block lie in a window
//! of a line ([`Line`]) that fits into a few registers; for each tap a permutation takes one sample for every value out of the
//! window. Where columns of a stretched kernel are further apart than a window, each is a sum of its own ([`Dots`]); else their samples
//! are read from the row one by one.

use std::ops::Range;

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{__m256, __m256i, __m512, __m512i};

#[cfg(target_arch = "x86_64")]
use pulp::x86::{V3, V4};

use super::super::instructions::{Inlined, Instructions, Set};
use super::dots::{self, Dots};
use super::line::Line;
use crate::sampling::{Axis, AxisWeights};

/// Largest number of samples of a line for each column.
const MAX_SAMPLES_A_COLUMN: i64 = 64;

/// The largest number of samples of a column for which the loops are compiled with that number.
pub(super) const MAX_TAPS: usize = 8;

/// The number of samples of loops that know it at run time only.
const ANY: usize = 0;

/// The largest number of values of a window. A line has as many more than its samples, since windows are loaded whole.
pub(super) const WINDOW: usize = 64;

/// The horizontal pass of one request.
#[derive(Debug)]
pub(super) struct Columns {
    /// Number of values of a row: columns times channels.
    len: usize,
    /// Channels of the image and of the row.
    channels: [usize; 2],
    taps: usize,
    /// The constant of the fourth channel, where the image has three.
    opaque: f32,
    layout: Layout,
}

/// Blocks of as many values as the instruction set computes at once.
#[derive(Debug)]
enum Layout {
    Eight(Line, Blocks<8>),
    Sixteen(Line, Blocks<16>),
    /// Columns of a stretched kernel that are further apart than a window.
    Far(Line, Dots),
    /// Stored index and weight of each sample of every column.
    Single(Vec<u32>, Vec<f32>),
}

/// Blocks of `LANES` values.
#[derive(Debug)]
struct Blocks<const LANES: usize> {
    /// The first value of each block's window in the line.
    from: Vec<u32>,
    /// Place of each value's first sample in the window.
    index: Vec<[u32; LANES]>,
    /// Weights: for each block and tap those of all values.
    weights: Vec<[f32; LANES]>,
    /// Number of values of the longest window.
    window: usize,
    taps: usize,
}

impl<const LANES: usize> Blocks<LANES> {
    /// Blocks of the values whose first samples are `first` and whose weights are `weight(value, tap)`; `None` if a window is
    /// too large.
    fn new(first: &[u32], taps: usize, step: usize, weight: impl Fn(usize, usize) -> f32) -> Option<Self> {
        let count = first.len().div_ceil(LANES);
        let mut blocks = Self {
            from: Vec::with_capacity(count),
            index: Vec::with_capacity(count),
            weights: Vec::with_capacity(count * taps),
            window: 0,
            taps,
        };
        for (block, first) in first.chunks(LANES).enumerate() {
            let from = first.iter().copied().min()?;
            let mut index = [0; LANES];
            index.iter_mut().zip(first).for_each(|(index, first)| *index = first - from);
            let last = index.iter().copied().max()? as usize + (taps - 1) * step;
            blocks.window = blocks.window.max(last + 1);
            if blocks.window > WINDOW {
                return None;
            }
            blocks.from.push(from);
            blocks.index.push(index);
            for tap in 0..taps {
                let mut weights = [0.0; LANES];
                for (lane, to) in weights[..first.len()].iter_mut().enumerate() {
                    *to = weight(block * LANES + lane, tap);
                }
                blocks.weights.push(weights);
            }
        }
        Some(blocks)
    }

    /// Bytes of weights and places.
    fn bytes(&self) -> usize {
        size_of_val(&self.from[..]) + size_of_val(&self.index[..]) + size_of_val(&self.weights[..])
    }

    /// Each block's window, places and weights, of `taps` taps.
    #[inline(always)]
    fn each<'a>(
        &'a self,
        taps: usize,
        line: &'a [f32],
    ) -> impl Iterator<Item = (&'a [f32; WINDOW], &'a [u32; LANES], &'a [[f32; LANES]])> {
        let weights = self.weights.chunks_exact(taps);
        self.from.iter().zip(&self.index).zip(weights).map(|((&from, index), weights)| {
            let window = line[from as usize..].first_chunk().unwrap_or(&[0.0; WINDOW]);
            (window, index, weights)
        })
    }
}

impl Columns {
    /// The pass for `weights` of rows along `axis`, from the image's channels to as many or one more, which is `opaque`.
    pub(super) fn new(
        weights: &AxisWeights,
        axis: Axis,
        channels: [usize; 2],
        opaque: f32,
        instructions: Instructions,
    ) -> Self {
        let layout = Self::in_blocks(weights, axis, channels, instructions);
        let single = || {
            let taps = 0..weights.taps as i64;
            let stored = weights.first.iter().flat_map(|first| taps.clone().map(move |tap| axis.stored(first + tap)));
            Layout::Single(stored.collect(), weights.weights.clone())
        };
        Self {
            len: weights.first.len() * channels[1],
            channels,
            taps: weights.taps,
            opaque,
            layout: layout.unwrap_or_else(single),
        }
    }

    /// `None` if columns are too far apart.
    fn in_blocks(
        weights: &AxisWeights,
        axis: Axis,
        [from, to]: [usize; 2],
        instructions: Instructions,
    ) -> Option<Layout> {
        let [lowest, highest] = weights.range()?;
        if highest.saturating_sub(lowest) > MAX_SAMPLES_A_COLUMN * weights.first.len() as i64 + 64 {
            return None;
        }
        let line = Line::new([lowest, highest], axis, from);
        let channel = |channel: usize| channel.min(from - 1) as u32;
        let columns = weights.first.iter().map(|first| (first - lowest) as u32 * from as u32);
        let first: Vec<u32> = columns.flat_map(|column| (0..to).map(move |c| column + channel(c))).collect();
        let taps = weights.taps;
        let weight = |value: usize, tap: usize| weights.weights[value / to * taps + tap];
        #[cfg(target_arch = "x86_64")]
        if let Set::Avx512(_) = instructions.set()
            && let Some(blocks) = Blocks::new(&first, taps, from, weight)
        {
            return Some(Layout::Sixteen(line, blocks));
        }
        if let Some(blocks) = Blocks::new(&first, taps, from, weight) {
            return Some(Layout::Eight(line, blocks));
        }
        (taps > MAX_TAPS).then(|| Layout::Far(line, Dots::new(weights, lowest, from)))
    }

    /// Whether columns are near enough for lines.
    pub(super) fn reads_lines(&self) -> bool {
        !matches!(self.layout, Layout::Single(..))
    }

    /// Whether the samples of a column are added up in lanes, rather than one after the other.
    pub(super) fn has_lanes(&self) -> bool {
        matches!(self.layout, Layout::Far(..))
    }

    /// Bytes of weights and places.
    pub(super) fn bytes(&self) -> usize {
        match &self.layout {
            Layout::Eight(_, blocks) => blocks.bytes(),
            Layout::Sixteen(_, blocks) => blocks.bytes(),
            Layout::Far(_, dots) => dots.bytes(),
            Layout::Single(stored, weights) => size_of_val(&stored[..]) + size_of_val(&weights[..]),
        }
    }

    /// The values that are read of a row of `len`.
    pub(super) fn reads(&self, len: usize) -> Range<usize> {
        match &self.layout {
            Layout::Eight(line, _) | Layout::Sixteen(line, _) | Layout::Far(line, _) => line.reads(),
            Layout::Single(..) => 0..len,
        }
    }

    /// Number of values of a row.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Number of values of the buffer for a row: whole blocks.
    pub(super) fn padded_len(&self) -> usize {
        self.len.next_multiple_of(16)
    }

    /// Filters a row of the image, or one of the border's constant, into `out`, which is padded. `line` is a buffer.
    pub(super) fn filter<T: Copy + Into<f32>>(
        &self,
        instructions: Instructions,
        (row, border): (Option<&[T]>, f32),
        line: &mut Vec<f32>,
        out: &mut [f32],
    ) {
        if let Layout::Eight(samples, _) | Layout::Sixteen(samples, _) | Layout::Far(samples, _) = &self.layout {
            line.resize(samples.len() + WINDOW, 0.0);
            line[samples.len()..][..dots::SLACK].fill(0.0);
            instructions.run(
                #[inline(always)]
                || samples.fill(row, border, line, Into::into),
            );
        }
        match self.taps {
            1 => self.filter_taps::<T, 1>(instructions, (row, border), line, out),
            2 => self.filter_taps::<T, 2>(instructions, (row, border), line, out),
            4 => self.filter_taps::<T, 4>(instructions, (row, border), line, out),
            6 => self.filter_taps::<T, 6>(instructions, (row, border), line, out),
            8 => self.filter_taps::<T, 8>(instructions, (row, border), line, out),
            _ => self.filter_taps::<T, ANY>(instructions, (row, border), line, out),
        }
        if self.channels[1] > self.channels[0] {
            out.as_chunks_mut::<4>().0.iter_mut().for_each(|pixel| pixel[3] = self.opaque);
        }
    }

    fn filter_taps<T: Copy + Into<f32>, const TAPS: usize>(
        &self,
        instructions: Instructions,
        (row, border): (Option<&[T]>, f32),
        line: &[f32],
        out: &mut [f32],
    ) {
        let step = self.channels[0];
        match (&self.layout, instructions.set()) {
            #[cfg(target_arch = "x86_64")]
            (Layout::Sixteen(_, blocks), Set::Avx512(simd)) => {
                let out = out.as_chunks_mut::<16>().0;
                if blocks.window <= 32 {
                    simd.vectorize(Inlined(
                        #[inline(always)]
                        || permuted_512::<TAPS, false>(simd, blocks, line, step, out),
                    ));
                } else {
                    simd.vectorize(Inlined(
                        #[inline(always)]
                        || permuted_512::<TAPS, true>(simd, blocks, line, step, out),
                    ));
                }
            }
            (Layout::Eight(_, blocks), _) => filter_eights::<TAPS>(instructions, blocks, line, step, out),
            (Layout::Sixteen(_, blocks), _) => instructions.run(
                #[inline(always)]
                || indexed::<TAPS, 16>(blocks, line, step, out.as_chunks_mut().0),
            ),
            (Layout::Far(_, dots), _) => dots.filter(instructions, line, self.channels[1], out),
            (Layout::Single(stored, weights), _) => {
                let columns = stored.chunks_exact(self.taps).zip(weights.chunks_exact(self.taps));
                for (out, (stored, weights)) in out.chunks_exact_mut(self.channels[1]).zip(columns) {
                    for (c, value) in out[..step].iter_mut().enumerate() {
                        let sample = |tap: usize| {
                            let sample = row.and_then(|row| row.get(stored[tap] as usize * step + c));
                            sample.map_or(border, |&sample| sample.into())
                        };
                        *value = weights[0] * sample(0);
                        for (tap, weight) in weights.iter().enumerate().skip(1) {
                            *value += weight * sample(tap);
                        }
                    }
                }
            }
        }
    }
}

/// Blocks of eight values.
fn filter_eights<const TAPS: usize>(
    instructions: Instructions,
    blocks: &Blocks<8>,
    line: &[f32],
    step: usize,
    out: &mut [f32],
) {
    let out = out.as_chunks_mut::<8>().0;
    #[cfg(target_arch = "x86_64")]
    if let Some(simd) = instructions.avx2() {
        if blocks.window <= 16 {
            return simd.vectorize(Inlined(
                #[inline(always)]
                || permuted_256::<TAPS, false>(simd, blocks, line, step, out),
            ));
        }
        if blocks.window <= 32 {
            return simd.vectorize(Inlined(
                #[inline(always)]
                || permuted_256::<TAPS, true>(simd, blocks, line, step, out),
            ));
        }
    }
    instructions.run(
        #[inline(always)]
        || indexed::<TAPS, 8>(blocks, line, step, out),
    );
}

/// Without permutations of two registers: samples are read from the window one by one.
#[inline(always)]
fn indexed<const TAPS: usize, const LANES: usize>(
    blocks: &Blocks<LANES>,
    line: &[f32],
    step: usize,
    out: &mut [[f32; LANES]],
) {
    for ((window, index, weights), out) in blocks.each(if TAPS == ANY { blocks.taps } else { TAPS }, line).zip(out) {
        let mut sums = [0.0; LANES];
        for (tap, weights) in weights.iter().enumerate() {
            for lane in 0..LANES {
                let product = weights[lane] * window[(index[lane] as usize + tap * step) & (WINDOW - 1)];
                sums[lane] = if tap == 0 { product } else { sums[lane] + product };
            }
        }
        *out = sums;
    }
}

/// By permutations of two registers of 16 values; `WIDE`: of four.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn permuted_512<const TAPS: usize, const WIDE: bool>(
    simd: V4,
    blocks: &Blocks<16>,
    line: &[f32],
    step: usize,
    out: &mut [[f32; 16]],
) {
    let avx = simd.avx512f;
    let step = avx._mm512_set1_epi32(step as i32);
    let upper_half = avx._mm512_set1_epi32(32);
    for ((window, index, weights), out) in blocks.each(if TAPS == ANY { blocks.taps } else { TAPS }, line).zip(out) {
        let window: [__m512; 4] = pulp::cast(*window);
        let mut index: __m512i = pulp::cast(*index);
        let mut sums = avx._mm512_setzero_ps();
        for (tap, weights) in weights.iter().enumerate() {
            let mut samples = avx._mm512_permutex2var_ps(window[0], index, window[1]);
            if WIDE {
                let upper = avx._mm512_permutex2var_ps(window[2], index, window[3]);
                samples = avx._mm512_mask_blend_ps(avx._mm512_test_epi32_mask(index, upper_half), samples, upper);
            }
            let product = avx._mm512_mul_ps(pulp::cast(*weights), samples);
            sums = if tap == 0 { product } else { avx._mm512_add_ps(sums, product) };
            index = avx._mm512_add_epi32(index, step);
        }
        *out = pulp::cast(sums);
    }
}

/// Values of the lower or the upper register, by bit 3 of the index, which the shift makes the sign.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn permuted_two(simd: V3, [lower, upper]: [__m256; 2], index: __m256i) -> __m256 {
    let (avx, avx2) = (simd.avx, simd.avx2);
    let lower = avx2._mm256_permutevar8x32_ps(lower, index);
    let upper = avx2._mm256_permutevar8x32_ps(upper, index);
    avx._mm256_blendv_ps(lower, upper, pulp::cast(avx2._mm256_slli_epi32::<28>(index)))
}

/// By permutations of two registers of 8 values; `WIDE`: of four.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn permuted_256<const TAPS: usize, const WIDE: bool>(
    simd: V3,
    blocks: &Blocks<8>,
    line: &[f32],
    step: usize,
    out: &mut [[f32; 8]],
) {
    let (avx, avx2) = (simd.avx, simd.avx2);
    let step = avx._mm256_set1_epi32(step as i32);
    for ((window, index, weights), out) in blocks.each(if TAPS == ANY { blocks.taps } else { TAPS }, line).zip(out) {
        let window: [[__m256; 2]; 4] = pulp::cast(*window);
        let mut index: __m256i = pulp::cast(*index);
        let mut sums = avx._mm256_setzero_ps();
        for (tap, weights) in weights.iter().enumerate() {
            let mut samples = permuted_two(simd, window[0], index);
            if WIDE {
                let upper = permuted_two(simd, window[1], index);
                samples = avx._mm256_blendv_ps(samples, upper, pulp::cast(avx2._mm256_slli_epi32::<27>(index)));
            }
            let product = avx._mm256_mul_ps(pulp::cast(*weights), samples);
            sums = if tap == 0 { product } else { avx._mm256_add_ps(sums, product) };
            index = avx2._mm256_add_epi32(index, step);
        }
        *out = pulp::cast(sums);
    }
}
