//! Stretched kernels of a view that is zoomed out: rows of samples are added up down the columns first, then along the row.

use super::super::super::cache_lines::CacheLines;
use super::super::super::instructions::Instructions;
use super::super::line::Line;
#[cfg(target_arch = "x86_64")]
use super::blocks::{Blocks, Shape};
use super::columns::BLOCK;
use super::plain::PlainColumns;
use super::weights::FixedWeights;
use super::{BITS, FRACTION_BITS, OFFSET, Vectors};
use crate::sampling::{Axis, AxisWeights};

/// Most fraction bits of the weights of rows: sums of 8-bit samples stay below 2³¹.
const ROW_BITS: u32 = 20;
/// Largest weight of a row: it is split into a multiple of 2⁷ and a rest, of 8 bits each.
const MAX_ROW_WEIGHT: i16 = 127 << 7;
/// Rows whose samples are multiplied at once.
pub(super) const ROWS: usize = 4;
/// Rows that are read at once.
const ROWS_AT_ONCE: usize = 8;
/// Sums of a strip, which stay in the first-level cache.
const STRIP: usize = 2048;
/// Numbers of the longest window of sixteen values.
const WINDOW: usize = 128;
/// Numbers that a line has behind its samples.
const SLACK: usize = WINDOW + 64;

/// The weights of the rows of a stretched kernel.
pub(super) fn row_weights(weights: &AxisWeights) -> Option<FixedWeights> {
    FixedWeights::new(weights, ROW_BITS, MAX_ROW_WEIGHT)
}

/// The rows of the image that one row of the output reads, with their weights.
#[derive(Default)]
pub(super) struct Stack<'a> {
    /// In groups of four; the weights of the last ones may be 0.
    pub(super) rows: Vec<&'a [u8]>,
    pub(super) weights: Vec<i16>,
    /// The four weights of each group as signed bytes: rests, and multiples of 2⁷.
    #[cfg(target_arch = "x86_64")]
    pub(super) split: Vec<[i32; 2]>,
    /// What a sum begins with: the border, and what sums of the first pass begin with.
    pub(super) start: i32,
    /// Fraction bits of the weights less those of the sums.
    pub(super) shift: u32,
}

impl<'a> Stack<'a> {
    /// The rows that `row(sample)` reads by the weights of entry `index`, the first of them `first`; `None` is the border's, of the level
    /// `border`.
    pub(super) fn set(
        &mut self,
        (weights, index, first): (&FixedWeights, usize, i64),
        border: u8,
        mut row: impl FnMut(i64) -> Option<&'a [u8]>,
    ) {
        self.rows.clear();
        self.weights.clear();
        self.start = super::columns::start(weights.bits);
        self.shift = weights.bits - FRACTION_BITS;
        for (sample, &weight) in (first..).zip(weights.entry(index).as_flattened()) {
            match row(sample) {
                _ if weight == 0 => {}
                Some(row) => {
                    self.rows.push(row);
                    self.weights.push(weight);
                }
                None => self.start += i32::from(weight) * i32::from(border),
            }
        }
        if let Some(&last) = self.rows.last() {
            let count = self.rows.len().next_multiple_of(ROWS);
            self.rows.resize(count, last);
            self.weights.resize(count, 0);
        }
        #[cfg(target_arch = "x86_64")]
        {
            self.split.clear();
            self.split.extend(self.weights.as_chunks().0.iter().map(split));
        }
    }

    /// Sets `sums` to the sums of the numbers from `from` on. `totals` is a buffer.
    pub(super) fn add_up(&self, vectors: Vectors, from: usize, totals: &mut CacheLines, sums: &mut [i16]) {
        totals.resize(STRIP * size_of::<i32>());
        // A shorter row has no whole vectors.
        let vectors = if sums.len() < BLOCK { Vectors::Plain } else { vectors };
        let whole = if sums.len() < BLOCK { sums.len() } else { sums.len() / BLOCK * BLOCK };
        let mut begin = 0;
        for strip in sums[..whole].chunks_mut(STRIP) {
            self.add_up_strip(vectors, from + begin, totals.numbers_mut(), strip);
            begin += strip.len();
        }
        if whole < sums.len() {
            // The last block overlaps the one before it.
            let last = sums.len() - BLOCK;
            self.add_up_strip(vectors, from + last, totals.numbers_mut(), &mut sums[last..]);
        }
    }

    /// The same of at most a strip. A few rows at a time are read over the whole strip, so that the hardware prefetches them.
    fn add_up_strip(&self, vectors: Vectors, from: usize, totals: &mut [i32], sums: &mut [i16]) {
        let totals = &mut totals[..sums.len()];
        let count = self.rows.len().div_ceil(ROWS_AT_ONCE);
        if count == 0 {
            return sums.fill((self.start >> self.shift) as i16);
        }
        for group in 0..count {
            let rows = group * ROWS_AT_ONCE..self.rows.len().min((group + 1) * ROWS_AT_ONCE);
            let group = Group {
                rows: &self.rows[rows.clone()],
                weights: &self.weights[rows.clone()],
                #[cfg(target_arch = "x86_64")]
                split: &self.split[rows.start / ROWS..rows.end / ROWS],
                from,
                start: (group == 0).then_some(self.start),
                shift: (group + 1 == count).then_some(self.shift),
            };
            match vectors {
                Vectors::Plain => super::plain::add(&group, totals, sums),
                #[cfg(target_arch = "x86_64")]
                Vectors::Avx2(simd) => super::avx2::add(simd, &group, totals, sums),
                #[cfg(target_arch = "x86_64")]
                Vectors::Avx512(simd) => simd.add(&group, totals, sums),
            }
        }
    }
}

/// Rows whose samples are added to the totals of a strip.
pub(super) struct Group<'a> {
    /// In fours.
    pub(super) rows: &'a [&'a [u8]],
    pub(super) weights: &'a [i16],
    #[cfg(target_arch = "x86_64")]
    pub(super) split: &'a [[i32; 2]],
    /// The first number of a row.
    pub(super) from: usize,
    /// What the totals begin with; `None`: they are there.
    pub(super) start: Option<i32>,
    /// The shift from totals to sums; `None`: other rows follow.
    pub(super) shift: Option<u32>,
}

/// The pass along rows of sums.
#[derive(Debug)]
pub(super) struct ReducedColumns {
    /// Channels of the image and of the output.
    channels: [usize; 2],
    pub(super) line: Line,
    weights: FixedWeights,
    /// The first number of each column in the line.
    first: Vec<u32>,
    layout: Layout,
}

#[derive(Debug)]
enum Layout {
    Plain(Instructions),
    /// Vectors of eight values, from two windows of eight numbers.
    #[cfg(target_arch = "x86_64")]
    Avx2(pulp::x86::V3, Blocks),
    /// Vectors of sixteen values, from a window of up to 128 numbers.
    #[cfg(target_arch = "x86_64")]
    Avx512(super::Avx512Bytes, Blocks),
}

impl ReducedColumns {
    /// The pass for the weights `exact` of rows along `axis`, from the image's channels to as many or one more, which is opaque. `None`
    /// if the columns are too far apart.
    pub(super) fn new(
        exact: &AxisWeights,
        axis: Axis,
        channels: [usize; 2],
        instructions: Instructions,
    ) -> Option<Self> {
        let [lowest, highest] = exact.range()?;
        let weights = FixedWeights::new(exact, BITS, i16::MAX)?;
        let first = exact.first.iter().map(|first| u32::try_from((first - lowest) * channels[0] as i64).ok());
        let first: Vec<u32> = first.collect::<Option<_>>()?;
        // Every instruction set serves the same views.
        let columns = 16_usize.div_ceil(channels[1]);
        let spans = first.windows(columns.min(first.len())).map(|first| first[first.len() - 1] - first[0]);
        if spans.max()? as usize + 2 * channels[0] > WINDOW {
            return None;
        }
        let layout = Layout::new(&first, &weights, channels, instructions);
        Some(Self { channels, line: Line::new([lowest, highest], axis, channels[0]), weights, first, layout })
    }

    /// Number of values of a row of the output.
    pub(super) fn len(&self) -> usize {
        self.first.len() * self.channels[1]
    }

    /// Fraction bits of the weights.
    pub(super) fn bits(&self) -> u32 {
        self.weights.bits
    }

    /// Bytes of weights and places.
    pub(super) fn bytes(&self) -> usize {
        let layout = match &self.layout {
            Layout::Plain(_) => 0,
            #[cfg(target_arch = "x86_64")]
            Layout::Avx2(_, blocks) | Layout::Avx512(_, blocks) => blocks.bytes(),
        };
        layout + self.weights.bytes() + size_of_val(&self.first[..])
    }

    /// Filters a row of `sums` into the levels `out`. `line` is a buffer.
    pub(super) fn filter(&self, sums: &[i16], border: u8, line: &mut Vec<i16>, out: &mut [u8]) {
        line.resize(self.line.len() + SLACK, 0);
        self.line.fill(Some(sums), sum_of_level(border), line, |sum| sum);
        let shift = self.weights.bits + FRACTION_BITS;
        match &self.layout {
            Layout::Plain(instructions) => {
                let columns = PlainColumns { weights: &self.weights, first: &self.first, channels: self.channels };
                columns.filter_sums(*instructions, shift, line, out);
            }
            #[cfg(target_arch = "x86_64")]
            Layout::Avx2(simd, blocks) => super::avx2::filter_sums(*simd, (blocks, shift), line, out),
            #[cfg(target_arch = "x86_64")]
            Layout::Avx512(simd, blocks) => simd.filter_sums((blocks, shift), line, out),
        }
    }
}

/// Four weights as signed bytes: rests, and multiples of 2⁷.
#[cfg(target_arch = "x86_64")]
fn split(weights: &[i16; ROWS]) -> [i32; 2] {
    let fine = weights.map(|weight| ((weight + 64) & 127) - 64);
    let mut coarse = *weights;
    coarse.iter_mut().zip(fine).for_each(|(coarse, fine)| *coarse = (*coarse - fine) >> 7);
    [fine, coarse].map(|parts| i32::from_le_bytes(parts.map(|part| part as u8)))
}

/// The sum of samples of one level by the first pass.
fn sum_of_level(level: u8) -> i16 {
    (i16::from(level) - OFFSET as i16) * (1 << FRACTION_BITS) + (1 << (FRACTION_BITS - 1))
}

impl Layout {
    /// The widest layout of `vectors` whose windows hold the samples.
    fn new(first: &[u32], weights: &FixedWeights, channels: [usize; 2], instructions: Instructions) -> Self {
        #[cfg(target_arch = "x86_64")]
        let start = [0, (255 - OFFSET) << (weights.bits + FRACTION_BITS)];
        match Vectors::of(instructions) {
            Vectors::Plain => {}
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx2(simd) => {
                // Two bytes of each number.
                let place = |first: u32, second: u32| 0x0202 * (first + (second << 16)) + 0x0100_0100;
                let shape = Shape { values: 8, of_a_window: 4, window: 8, place, start };
                if let Some(blocks) = Blocks::new(first, weights, channels, &shape) {
                    return Self::Avx2(simd, blocks);
                }
            }
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx512(simd) => {
                let place = |first, second| first | second << 16;
                let shape = Shape { values: 16, of_a_window: 16, window: WINDOW, place, start };
                if let Some(blocks) = Blocks::new(first, weights, channels, &shape) {
                    return Self::Avx512(simd, blocks);
                }
            }
        }
        Self::Plain(instructions)
    }
}
