//! The vertical pass: rows are weighed and added up, those of filtered values straight into numbers of the output.

use super::super::finish::Number;
#[cfg(target_arch = "x86_64")]
use super::super::instructions::Inlined;
use super::super::instructions::{Instructions, Set};
use super::super::vectors::{Arrays, PACKED, PARTS, PIXELS, Vectors};

/// Output rows that are computed at once from the same rows: a row is loaded once for all.
pub(super) const GROUP: usize = 4;
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
/// weights. Rows are padded to multiples of [`PIXELS`].
pub(super) fn write<T: Number, const TAPS: usize>(
    instructions: Instructions,
    rows: [&[f32]; TAPS],
    weights: &[[f32; TAPS]],
    mut target: Target<'_, T>,
) {
    match instructions.set() {
        Set::Baseline => write_rows(Arrays, rows, weights, &mut target),
        #[cfg(target_arch = "x86_64")]
        Set::Avx2(simd) => simd.vectorize(Inlined(
            #[inline(always)]
            || write_rows(simd, rows, weights, &mut target),
        )),
        #[cfg(target_arch = "x86_64")]
        Set::Avx512(simd) => simd.vectorize(Inlined(
            #[inline(always)]
            || write_rows(simd, rows, weights, &mut target),
        )),
    }
}

/// As many values at once as are packed together; those that are left over at the end of rows from copies, padded with zeros.
#[inline(always)]
fn write_rows<V: Vectors, T: Number, const TAPS: usize>(
    simd: V,
    rows: [&[f32]; TAPS],
    weights: &[[f32; TAPS]],
    target: &mut Target<'_, T>,
) {
    let stride = target.out.len() / weights.len().max(1);
    let whole = stride / PACKED;
    let blocks = rows.map(|row| &row.as_chunks::<PIXELS>().0.as_chunks::<PARTS>().0[..whole]);
    for block in 0..whole {
        let mut values = [&[[0.0; PIXELS]; PARTS]; TAPS];
        for (values, blocks) in values.iter_mut().zip(&blocks) {
            *values = &blocks[block];
        }
        // Two rows at a time: their sums and weights stay in registers, and samples are loaded once for both.
        let (pairs, rest) = weights.as_chunks::<2>();
        for (pair, weights) in pairs.iter().enumerate() {
            let sums = weighed(simd, values, weights);
            put(simd, sums[0], target, 2 * pair * stride + block * PACKED);
            put(simd, sums[1], target, (2 * pair + 1) * stride + block * PACKED);
        }
        if let Some(weights) = rest.first_chunk() {
            let [sums] = weighed::<V, TAPS, 1>(simd, values, weights);
            put(simd, sums, target, 2 * pairs.len() * stride + block * PACKED);
        }
    }
    let from = whole * PACKED;
    if from < stride {
        let mut last = [[[0.0; PIXELS]; PARTS]; TAPS];
        for (last, row) in last.iter_mut().zip(&rows) {
            last.as_flattened_mut()[..stride - from].copy_from_slice(&row[from..stride]);
        }
        for (row, weights) in weights.iter().enumerate() {
            let [sums] = weighed::<V, TAPS, 1>(simd, last.each_ref(), &[*weights]);
            let mut packed = [T::default(); PACKED];
            put(simd, sums, &mut Target { out: &mut packed, ..*target }, 0);
            target.out[row * stride + from..(row + 1) * stride].copy_from_slice(&packed[..stride - from]);
        }
    }
}

/// Sums of a block of `values` by the weights of several rows.
#[inline(always)]
fn weighed<V: Vectors, const TAPS: usize, const ROWS: usize>(
    simd: V,
    values: [&[[f32; PIXELS]; PARTS]; TAPS],
    weights: &[[f32; TAPS]; ROWS],
) -> [[V::Floats; PARTS]; ROWS] {
    let mut sums = [[simd.splat(0.0); PARTS]; ROWS];
    for part in 0..PARTS {
        for tap in 0..TAPS {
            let values = simd.floats(&values[tap][part]);
            for row in 0..ROWS {
                let product = simd.mul(simd.splat(weights[row][tap]), values);
                sums[row][part] = if tap == 0 { product } else { simd.add(sums[row][part], product) };
            }
        }
    }
    sums
}

/// Writes a block of sums as numbers from `place` on.
#[inline(always)]
fn put<V: Vectors, T: Number>(simd: V, mut sums: [V::Floats; PARTS], target: &mut Target<'_, T>, place: usize) {
    if target.is_premultiplied {
        sums = simd.straighten(sums);
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
