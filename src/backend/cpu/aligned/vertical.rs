//! The vertical pass: rows are weighed and added up, those of filtered values straight into numbers of the output.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::__m512;

#[cfg(target_arch = "x86_64")]
use pulp::x86::V4;

use super::super::finish::Number;
#[cfg(target_arch = "x86_64")]
use super::super::finish::PACKED;
use super::super::instructions::Instructions;
#[cfg(target_arch = "x86_64")]
use super::super::instructions::{Inlined, Set};
use super::super::straight::straighten_values;
#[cfg(target_arch = "x86_64")]
use super::super::straight::straightened;

/// Output rows that are computed at once from the same rows: a row is loaded once for all.
pub(super) const GROUP: usize = 4;
/// Values computed at once.
const LANES: usize = 16;
/// Vectors that are packed at once.
#[cfg(target_arch = "x86_64")]
const PARTS: usize = PACKED / LANES;
/// Rows of the image that are added up at once.
const ADDED: usize = 8;

/// Rows of the output.
pub(super) struct Target<'a, T> {
    /// The number for the value 1.
    pub(super) maxval: f32,
    /// Whether values are pixels of three colours and alpha, by which colours are divided.
    pub(super) is_premultiplied: bool,
    pub(super) out: &'a mut [T],
}

/// Writes as many rows of `target` as there are `weights`, at most [`GROUP`]: each the values that are the sum of `rows` by its
/// weights. Rows are padded to multiples of [`LANES`].
pub(super) fn write<T: Number, const TAPS: usize>(
    instructions: Instructions,
    rows: [&[f32]; TAPS],
    weights: &[[f32; TAPS]],
    mut target: Target<'_, T>,
) {
    let stride = target.out.len() / weights.len().max(1);
    #[cfg(target_arch = "x86_64")]
    if let Set::Avx512(simd) = instructions.set() {
        return simd.vectorize(Inlined(
            #[inline(always)]
            || write_packed(simd, rows, weights, &mut target, stride),
        ));
    }
    match *weights {
        [a, b, c, d] => instructions.run(
            #[inline(always)]
            || write_rows(rows, [a, b, c, d], &mut target, 0, stride),
        ),
        [a, b] => instructions.run(
            #[inline(always)]
            || write_rows(rows, [a, b], &mut target, 0, stride),
        ),
        _ => {
            for (row, weights) in weights.iter().enumerate() {
                let out = &mut target.out[row * stride..][..stride];
                let mut target = Target { out, ..target };
                instructions.run(
                    #[inline(always)]
                    || write_rows(rows, [*weights], &mut target, 0, stride),
                );
            }
        }
    }
}

/// The values from `from` on, a multiple of [`LANES`], of several rows.
#[inline(always)]
fn write_rows<T: Number, const TAPS: usize, const ROWS: usize>(
    rows: [&[f32]; TAPS],
    weights: [[f32; TAPS]; ROWS],
    target: &mut Target<'_, T>,
    from: usize,
    stride: usize,
) {
    let maxval = target.maxval;
    let count = stride.div_ceil(LANES);
    let blocks = rows.map(|row| &row.as_chunks::<LANES>().0[..count]);
    for block in from / LANES..count {
        let mut values = [[0.0; LANES]; TAPS];
        for (values, blocks) in values.iter_mut().zip(&blocks) {
            *values = blocks[block];
        }
        for (row, weights) in weights.iter().enumerate() {
            let mut sums = [0.0; LANES];
            for lane in 0..LANES {
                sums[lane] = weights[0] * values[0][lane];
                for tap in 1..TAPS {
                    sums[lane] += weights[tap] * values[tap][lane];
                }
            }
            if target.is_premultiplied {
                straighten_values(&mut sums);
            }
            let out = &mut target.out[row * stride + block * LANES..(row + 1) * stride];
            if let Some(out) = out.first_chunk_mut::<LANES>() {
                for lane in 0..LANES {
                    out[lane] = T::from_value(sums[lane], maxval);
                }
            } else {
                for lane in 0..out.len() {
                    out[lane] = T::from_value(sums[lane], maxval);
                }
            }
        }
    }
}

/// Any number of rows with AVX-512: as many values at once as are packed into a cache line.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn write_packed<T: Number, const TAPS: usize>(
    simd: V4,
    rows: [&[f32]; TAPS],
    weights: &[[f32; TAPS]],
    target: &mut Target<'_, T>,
    stride: usize,
) {
    let whole = stride / PACKED;
    let blocks = rows.map(|row| &row.as_chunks::<LANES>().0.as_chunks::<PARTS>().0[..whole]);
    for block in 0..whole {
        let mut values = [&[[0.0; LANES]; PARTS]; TAPS];
        for (values, blocks) in values.iter_mut().zip(&blocks) {
            *values = &blocks[block];
        }
        // Two rows at a time: their sums and weights stay in registers, and samples are loaded once for both.
        let (pairs, rest) = weights.as_chunks::<2>();
        for (pair, weights) in pairs.iter().enumerate() {
            let sums = packed_sums(simd, values, weights);
            put_packed(simd, sums[0], target, 2 * pair * stride + block * PACKED);
            put_packed(simd, sums[1], target, (2 * pair + 1) * stride + block * PACKED);
        }
        if let Some(weights) = rest.first_chunk() {
            let [sums] = packed_sums::<TAPS, 1>(simd, values, weights);
            put_packed(simd, sums, target, 2 * pairs.len() * stride + block * PACKED);
        }
    }
    if whole * PACKED < stride {
        for (row, weights) in weights.iter().enumerate() {
            let out = &mut target.out[row * stride..(row + 1) * stride];
            let mut target = Target { out, ..*target };
            write_rows(rows, [*weights], &mut target, whole * PACKED, stride);
        }
    }
}

/// Sums of a block of `values` by the weights of several rows.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn packed_sums<const TAPS: usize, const ROWS: usize>(
    simd: V4,
    values: [&[[f32; LANES]; PARTS]; TAPS],
    weights: &[[f32; TAPS]; ROWS],
) -> [[__m512; PARTS]; ROWS] {
    // Vectors by name: the compiler does not find them in loops over lanes for every number of taps.
    let avx = simd.avx512f;
    let mut sums = [[avx._mm512_setzero_ps(); PARTS]; ROWS];
    for part in 0..PARTS {
        for tap in 0..TAPS {
            let values: __m512 = pulp::cast(values[tap][part]);
            for row in 0..ROWS {
                let product = avx._mm512_mul_ps(avx._mm512_set1_ps(weights[row][tap]), values);
                sums[row][part] = if tap == 0 { product } else { avx._mm512_add_ps(sums[row][part], product) };
            }
        }
    }
    sums
}

/// Writes a block of sums as numbers from `place` on.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn put_packed<T: Number>(simd: V4, mut sums: [__m512; PARTS], target: &mut Target<'_, T>, place: usize) {
    if target.is_premultiplied {
        sums = straightened(simd, sums);
    }
    if let Some(out) = target.out[place..].first_chunk_mut() {
        T::pack(simd, sums, target.maxval, out);
    }
}

/// Sets `sums` to `constant` and the weighted sum of `rows`.
#[inline(always)]
pub(super) fn add_up<S: Copy + Into<f32>>(rows: &[(f32, &[S])], constant: f32, sums: &mut [f32]) {
    let (groups, rest) = rows.as_chunks::<ADDED>();
    let mut is_first = true;
    for group in groups {
        add_rows(group, is_first.then_some(constant), sums);
        is_first = false;
    }
    let first = is_first.then_some(constant);
    match *rest {
        [] if is_first => sums.fill(constant),
        [] => {}
        [a] => add_rows(&[a], first, sums),
        [a, b] => add_rows(&[a, b], first, sums),
        [a, b, c] => add_rows(&[a, b, c], first, sums),
        [a, b, c, d] => add_rows(&[a, b, c, d], first, sums),
        [a, b, c, d, e] => add_rows(&[a, b, c, d, e], first, sums),
        [a, b, c, d, e, f] => add_rows(&[a, b, c, d, e, f], first, sums),
        _ => {
            if let Some(rest) = rest.first_chunk::<7>() {
                add_rows(rest, first, sums);
            }
        }
    }
}

/// Adds the weighted sum of as many rows to `sums`, or to `first` instead.
#[inline(always)]
fn add_rows<S: Copy + Into<f32>, const COUNT: usize>(
    group: &[(f32, &[S]); COUNT],
    first: Option<f32>,
    sums: &mut [f32],
) {
    let mut weights = [0.0; COUNT];
    let mut rows: [&[S]; COUNT] = [&[]; COUNT];
    for (place, (weight, row)) in group.iter().enumerate() {
        weights[place] = *weight;
        rows[place] = &row[..sums.len()];
    }
    if let Some(first) = first {
        sums.fill(first);
    }
    for x in 0..sums.len() {
        let mut sum = weights[0] * rows[0][x].into();
        for place in 1..COUNT {
            sum += weights[place] * rows[place][x].into();
        }
        sums[x] += sum;
    }
}
