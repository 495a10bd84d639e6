//! The pass down the columns: filtered rows become levels.

use super::weights::{self, FixedWeights};
use super::{FRACTION_BITS, MAX_PAIRS, Vectors};

/// Output rows that are computed at once from the same rows: a row is loaded once for all.
pub(super) const GROUP: usize = 8;

/// Pairs of weights of the rows of a group.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowWeights<const PAIRS: usize> {
    /// Two weights for each pair, the first in the lower half.
    pub(super) packed: [[i32; PAIRS]; GROUP],
    /// Number of rows.
    pub(super) count: usize,
    /// Fraction bits of a sum.
    pub(super) shift: u32,
}

impl<const PAIRS: usize> RowWeights<PAIRS> {
    /// The weights of `count` output rows from `row` on.
    pub(super) fn new(exact: &FixedWeights, row: usize, count: usize) -> Self {
        let mut packed = [[0; PAIRS]; GROUP];
        for (packed, row) in packed[..count].iter_mut().zip(row..) {
            packed.iter_mut().zip(exact.entry(row)).for_each(|(to, &pair)| *to = weights::packed(pair));
        }
        Self { packed, count, shift: exact.bits + FRACTION_BITS }
    }
}

/// Writes the rows of `out`: each is the sum of `rows`, which are padded, by its weights.
pub(super) fn write<const PAIRS: usize>(
    vectors: Vectors,
    rows: &[[&[i16]; 2]; PAIRS],
    weights: &RowWeights<PAIRS>,
    out: &mut [u8],
) {
    const { assert!(PAIRS <= MAX_PAIRS) };
    match vectors {
        Vectors::Plain => super::plain::write(rows, weights, out),
        #[cfg(target_arch = "x86_64")]
        Vectors::Avx2(simd) => super::avx2::write(simd, rows, weights, out),
        #[cfg(target_arch = "x86_64")]
        Vectors::Avx512(simd) => simd.write(rows, weights, out),
    }
}
