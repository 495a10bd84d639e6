//! The vertical pass: rows are weighed and added up, those of filtered values straight into numbers of the output.

#[cfg(target_arch = "x86_64")]
use pulp::x86::V4;

use super::super::finish::Number;
#[cfg(target_arch = "x86_64")]
use super::super::finish::PACKED;
use super::super::instructions::Instructions;
#[cfg(target_arch = "x86_64")]
use super::super::instructions::{Inlined, Set};

/// Output rows that are computed at once from the same rows: a row is loaded once for all.
pub(super) const GROUP: usize = 4;
/// Values computed at once.
const LANES: usize = 16;
/// Rows of the image that are added up at once.
const ADDED: usize = 8;

/// Writes `weights.len()` rows of `out`, at most [`GROUP`]: each the values that are the sum of `rows` by its weights,
/// as numbers up to `maxval`.
pub(super) fn write<T: Number, const TAPS: usize>(
    instructions: Instructions,
    rows: [&[f32]; TAPS],
    weights: &[[f32; TAPS]],
    maxval: f32,
    out: &mut [T],
) {
    let stride = out.len() / weights.len().max(1);
    #[cfg(target_arch = "x86_64")]
    if let Set::Avx512(simd) = instructions.set() {
        return simd.vectorize(Inlined(
            #[inline(always)]
            || write_packed(simd, rows, weights, maxval, out, stride),
        ));
    }
    match *weights {
        [a, b, c, d] => instructions.run(
            #[inline(always)]
            || write_rows(rows, [a, b, c, d], maxval, out, stride),
        ),
        [a, b] => instructions.run(
            #[inline(always)]
            || write_rows(rows, [a, b], maxval, out, stride),
        ),
        _ => {
            for (weights, out) in weights.iter().zip(out.chunks_exact_mut(stride)) {
                instructions.run(
                    #[inline(always)]
                    || write_row(rows, *weights, maxval, out),
                );
            }
        }
    }
}

/// Several rows.
#[inline(always)]
fn write_rows<T: Number, const TAPS: usize, const ROWS: usize>(
    rows: [&[f32]; TAPS],
    weights: [[f32; TAPS]; ROWS],
    maxval: f32,
    out: &mut [T],
    stride: usize,
) {
    let whole = stride / LANES;
    let mut outs = out.chunks_exact_mut(stride);
    let mut outs: [&mut [T]; ROWS] = std::array::from_fn(|_| outs.next().unwrap_or_default());
    let blocks = rows.map(|row| &row.as_chunks::<LANES>().0[..whole]);
    // Loops by index: closures and iterators may be left out of line, without this set's instructions.
    for block in 0..whole {
        let mut values = [[0.0; LANES]; TAPS];
        for tap in 0..TAPS {
            values[tap] = blocks[tap][block];
        }
        for row in 0..ROWS {
            let mut sums = [0.0; LANES];
            for lane in 0..LANES {
                sums[lane] = weights[row][0] * values[0][lane];
                for tap in 1..TAPS {
                    sums[lane] += weights[row][tap] * values[tap][lane];
                }
            }
            let out = &mut outs[row][block * LANES..block * LANES + LANES];
            for lane in 0..LANES {
                out[lane] = T::from_value(sums[lane], maxval);
            }
        }
    }
    let rest = rows.map(|row| &row[whole * LANES..stride]);
    for (out, weights) in outs.iter_mut().zip(weights) {
        write_row(rest, weights, maxval, &mut out[whole * LANES..]);
    }
}

/// Any number of rows with AVX-512: as many values at once as are packed into a cache line.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn write_packed<T: Number, const TAPS: usize>(
    simd: V4,
    rows: [&[f32]; TAPS],
    weights: &[[f32; TAPS]],
    maxval: f32,
    out: &mut [T],
    stride: usize,
) {
    const PARTS: usize = PACKED / LANES;
    // Vectors by name: the compiler does not find them in loops over lanes for every number of taps.
    let avx = simd.avx512f;
    let whole = stride / PACKED;
    let blocks = rows.map(|row| &row.as_chunks::<LANES>().0[..whole * PARTS]);
    for block in 0..whole {
        for row in 0..weights.len() {
            let mut sums = [avx._mm512_setzero_ps(); PARTS];
            for part in 0..PARTS {
                let mut sum =
                    avx._mm512_mul_ps(avx._mm512_set1_ps(weights[row][0]), pulp::cast(blocks[0][block * PARTS + part]));
                for tap in 1..TAPS {
                    let product = avx._mm512_mul_ps(
                        avx._mm512_set1_ps(weights[row][tap]),
                        pulp::cast(blocks[tap][block * PARTS + part]),
                    );
                    sum = avx._mm512_add_ps(sum, product);
                }
                sums[part] = sum;
            }
            if let Some(out) = out[row * stride + block * PACKED..].first_chunk_mut() {
                T::pack(simd, sums, maxval, out);
            }
        }
    }
    let rest = rows.map(|row| &row[whole * PACKED..stride]);
    for row in 0..weights.len() {
        write_row(rest, weights[row], maxval, &mut out[row * stride + whole * PACKED..(row + 1) * stride]);
    }
}

/// One row.
#[inline(always)]
fn write_row<T: Number, const TAPS: usize>(rows: [&[f32]; TAPS], weights: [f32; TAPS], maxval: f32, out: &mut [T]) {
    let rows = rows.map(|row| &row[..out.len()]);
    for (x, out) in out.iter_mut().enumerate() {
        let mut sum = weights[0] * rows[0][x];
        for tap in 1..TAPS {
            sum += weights[tap] * rows[tap][x];
        }
        *out = T::from_value(sum, maxval);
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
