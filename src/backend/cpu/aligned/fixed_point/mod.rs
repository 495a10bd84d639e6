//! Pictures of 8 bits in fixed-point arithmetic.
//!
//! An 8-bit sample weighed into an 8-bit pixel needs no floats. Weights are integers with up to 15 fraction bits that sum to one. The
//! pass along rows leaves 16-bit sums with seven fraction bits, the pass down the columns adds products of those in 32 bits and
//! rounds once more. Each addition is exact, so that every instruction set has the same bytes. A pixel is the level nearest to the exact
//! value but for the rounding of the weights and of the sums between the passes: at most 0.5 % of pixels are the level beside it.
//!
//! u: samples, a: weights of a column, b: weights of a row, with p and q fraction bits:
//! h = ⌊(Σ a·(u − 128) + 2^(p−8)) / 2^(p−7)⌋, level = 128 + ⌊(Σ b·h + 2^(q+6)) / 2^(q+7)⌋, clamped to 0 … 255.
//!
//! Views whose pixels all have the same weights round once (`regular`).
//!
//! The path `auto` has it; `lookup` and `tiled` stay exact.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod axis;
#[cfg(target_arch = "x86_64")]
mod blocks;
mod columns;
mod plain;
mod reduced;
mod regular;
mod vertical;
mod weights;

use std::cell::RefCell;

pub(super) use self::axis::{ColumnsOf, FixedAxis};

use self::columns::FixedColumns;
use self::reduced::{ReducedColumns, Stack};
use self::regular::{QuadWeights, RegularColumns};
use self::vertical::{GROUP, RowWeights};
use self::weights::FixedWeights;
use super::super::cache_lines::CacheLines;
use super::super::finish::Finish;
#[cfg(target_arch = "x86_64")]
use super::super::instructions::Avx512Bytes;
use super::super::instructions::{Instructions, Set};
use super::separable::Separable;
use super::{Aligned, Passes, band_rows};
use crate::backend::prepared::Numbers;
use crate::filter::ExecOptions;
use crate::image::{Raster, Samples};
use crate::sampling::AddressMode;

/// Most fraction bits of a weight.
const BITS: u32 = 15;
/// Fraction bits of the sums between the passes.
const FRACTION_BITS: u32 = 7;
/// What is subtracted from samples, so that sums with a sign have all bits.
const OFFSET: i32 = 128;
/// Most pairs of samples along an axis.
const MAX_PAIRS: usize = 4;

/// The widest loops of an instruction set.
#[derive(Clone, Copy, Debug)]
enum Vectors {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2(pulp::x86::V3),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512Bytes),
}

impl Vectors {
    fn of(instructions: Instructions) -> Self {
        match instructions.set() {
            Set::Baseline => Self::Plain,
            #[cfg(target_arch = "x86_64")]
            Set::Avx2(simd) => Self::Avx2(simd),
            #[cfg(target_arch = "x86_64")]
            Set::Avx512(simd) => instructions.avx512_bytes().map_or(Self::Avx2(*simd), Self::Avx512),
        }
    }

    /// Sums of a vector.
    fn lanes(self) -> usize {
        match self {
            Self::Plain => 1,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => 8,
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => 16,
        }
    }
}

/// An 8-bit view of an 8-bit image.
pub(in crate::backend::cpu) struct FixedPoint<'a> {
    separable: &'a Separable,
    numbers: &'a [u8],
    passes: FixedPasses<'a>,
    /// The border's number.
    border: u8,
    vectors: Vectors,
}

/// The order of the passes, with the weights of the rows.
enum FixedPasses<'a> {
    /// Along rows first.
    Columns(&'a FixedColumns, &'a FixedWeights),
    /// By a stretched kernel, down the columns first.
    Reduced(&'a ReducedColumns, &'a FixedWeights),
    /// Both at once.
    Regular(&'a RegularColumns, QuadWeights),
}

/// The parameters of fixed-point arithmetic that depend on all columns and rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::backend::cpu) enum FixedArithmetic {
    /// Along rows first: fraction bits of the weights of columns and rows, and pairs of samples of a row.
    Columns { bits: [u32; 2], pairs: usize },
    /// Down the columns first: fraction bits of both.
    Reduced { bits: [u32; 2] },
    /// Both at once.
    Regular(QuadWeights),
}

/// Buffers of a thread.
#[derive(Default)]
struct Buffers {
    /// Samples of two rows.
    lines: [Vec<u8>; 2],
    /// Filtered rows of the output's width.
    rows: CacheLines,
    /// Sums of rows of the image.
    sums: Vec<i16>,
    totals: CacheLines,
    line_of_sums: Vec<i16>,
}

thread_local! {
    static BUFFERS: RefCell<Buffers> = RefCell::default();
}

impl<'a> FixedPoint<'a> {
    /// For the pixels of `aligned` in the format of `out`; `None` if they are mapped, or not all of 8 bits, or by a kernel whose weights
    /// do not sum to one.
    pub(in crate::backend::cpu) fn new(aligned: &'a Aligned, finish: &Finish, out: &Raster) -> Option<Self> {
        let Passes::Separable(separable) = &aligned.passes else { return None };
        let prepared = &aligned.prepared;
        let is_eight_bit = matches!(out.samples(), Samples::U8 { maxval: 255, .. }) && prepared.maxval() == 255;
        let Numbers::U8(numbers) = prepared.numbers() else { return None };
        if !is_eight_bit || !aligned.serves_fixed_point || !finish.keeps_numbers() {
            return None;
        }
        let reads_border = prepared.axes().iter().any(|axis| axis.address == AddressMode::Border);
        let border = if reads_border { whole_level(aligned.border)? } else { 0 };
        let instructions = separable.instructions();
        let [across, down] = separable.passes();
        let of = across.columns_of(out.channels() != prepared.channels());
        let passes = if separable.is_stretched() {
            let rows = down.fixed.rows(&down.weights, true)?;
            FixedPasses::Reduced(across.fixed.reduced_columns(of, instructions)?, rows)
        } else if let Some(columns) = across.fixed.regular_columns(of, instructions)
            && let Some(weights) = columns.quad_weights(&down.weights)
        {
            FixedPasses::Regular(columns, weights)
        } else {
            let rows = down.fixed.rows(&down.weights, false)?;
            FixedPasses::Columns(across.fixed.columns(of, instructions)?, rows)
        };
        Some(Self { separable, numbers, passes, border, vectors: Vectors::of(instructions) })
    }

    /// The parameters that depend on all columns and rows.
    pub(in crate::backend::cpu) fn arithmetic(&self) -> FixedArithmetic {
        match self.passes {
            FixedPasses::Columns(columns, rows) => {
                FixedArithmetic::Columns { bits: [columns.bits(), rows.bits], pairs: rows.pairs }
            }
            FixedPasses::Reduced(columns, rows) => FixedArithmetic::Reduced { bits: [columns.bits(), rows.bits] },
            FixedPasses::Regular(_, weights) => FixedArithmetic::Regular(weights),
        }
    }

    /// Fills `out`, band by band.
    pub(in crate::backend::cpu) fn write(&self, out: &mut Raster, work: &ExecOptions) {
        let rows = band_rows(out.size().height() as usize, 1);
        let stride = out.size().width() as usize * out.channels().count();
        if let Samples::U8 { values, .. } = out.samples_mut() {
            work.for_bands(
                (values, stride),
                rows,
                || (),
                |(), from, band| match self.passes {
                    FixedPasses::Columns(columns, rows) => match rows.pairs {
                        1 => self.fill::<1, 2>((columns, rows), from, band),
                        2 => self.fill::<2, 4>((columns, rows), from, band),
                        3 => self.fill::<3, 6>((columns, rows), from, band),
                        _ => self.fill::<4, 8>((columns, rows), from, band),
                    },
                    FixedPasses::Reduced(columns, rows) => self.fill_reduced((columns, rows), from, band),
                    FixedPasses::Regular(columns, weights) => self.fill_regular((columns, weights), from, band),
                },
            );
        }
    }

    /// Fills `out` with the rows from `from`, down the columns first.
    fn fill_reduced(&self, (columns, rows): (&ReducedColumns, &FixedWeights), from: usize, out: &mut [u8]) {
        BUFFERS.with_borrow_mut(|Buffers { sums, totals, line_of_sums, .. }| {
            let mut stack = Stack::default();
            for (index, out) in out.chunks_exact_mut(columns.len()).enumerate() {
                let index = from + index;
                stack.set((rows, index, self.separable.first_row(index)), self.border, |sample| {
                    self.separable.row(self.numbers, self.separable.stored_row(sample))
                });
                sums.resize(self.separable.row_len(), 0);
                let read = columns.line.reads();
                stack.add_up(self.vectors, read.start, totals, &mut sums[read]);
                columns.filter(sums, self.border, line_of_sums, out);
            }
        });
    }

    /// Fills `out` with the rows from `from`, each from two rows of the image.
    fn fill_regular(&self, (columns, weights): (&RegularColumns, QuadWeights), from: usize, out: &mut [u8]) {
        BUFFERS.with_borrow_mut(|Buffers { lines, .. }| {
            for (row, out) in out.chunks_exact_mut(columns.len()).enumerate() {
                let first = self.separable.first_row(from + row);
                let begin = |row| self.separable.place_of_row(self.separable.stored_row(row));
                let rows = ([begin(first), begin(first + 1)], self.separable.row_len());
                columns.write(self.numbers, rows, (self.border, weights), (&mut *lines, out));
            }
        });
    }

    /// Fills `out` with the rows from `from`, by `PAIRS` pairs, or `TAPS` samples, down the columns.
    fn fill<const PAIRS: usize, const TAPS: usize>(
        &self,
        (columns, weights): (&FixedColumns, &FixedWeights),
        from: usize,
        out: &mut [u8],
    ) {
        BUFFERS.with_borrow_mut(|buffers| {
            let (stride, padded) = (columns.len(), columns.padded_len());
            buffers.rows.resize(TAPS * padded * size_of::<i16>());
            let mut held: [Option<u32>; TAPS] = [None; TAPS];
            let mut out = out;
            let mut row = from;
            while !out.is_empty() {
                let (stored, alike) = self.separable.rows_of_group::<TAPS>(row, GROUP.min(out.len() / stride));
                let places = self.hold(columns, &stored, &mut held, buffers);
                let sums: &[i16] = buffers.rows.numbers();
                let line = |tap: usize| &sums[places[tap] * padded..][..padded];
                let rows = std::array::from_fn(|pair| [line(2 * pair), line(2 * pair + 1)]);
                let (group, rest) = out.split_at_mut(alike * stride);
                vertical::write(self.vectors, &rows, &RowWeights::<PAIRS>::new(weights, row, alike), group);
                out = rest;
                row += alike;
            }
        });
    }

    /// Filters those of the rows `stored` that are not in `held`, and returns the place of each.
    fn hold<const TAPS: usize>(
        &self,
        columns: &FixedColumns,
        stored: &[u32; TAPS],
        held: &mut [Option<u32>; TAPS],
        buffers: &mut Buffers,
    ) -> [usize; TAPS] {
        let padded = columns.padded_len();
        super::separable::hold(stored, held, |row, place| {
            let row = (self.separable.place_of_row(row), self.separable.row_len());
            let out = &mut buffers.rows.numbers_mut()[place * padded..][..padded];
            columns.filter(self.numbers, row, self.border, (&mut buffers.lines[0], out));
        })
    }
}

/// Copies the first of `bytes` to `out`, as many as it has.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn put<const COUNT: usize>(bytes: [u8; COUNT], out: &mut [u8]) {
    match out.first_chunk_mut() {
        Some(out) => *out = bytes,
        None => out.copy_from_slice(&bytes[..out.len()]),
    }
}

/// `number` as a level, if it is one.
fn whole_level(number: f32) -> Option<u8> {
    let level = number as u8;
    (f32::from(level) == number).then_some(level)
}
