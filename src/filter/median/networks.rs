//! Median of a small window by sorting networks, one window per lane.
//!
//! Windows share work as in Adams, "Fast Median Filters using Separable Sorting Networks" (2021). Two vertically
//! adjacent windows have all rows but one each in common:
//!
//! 1. each column of the common rows is sorted once, for all windows that contain it;
//! 2. the columns of a window are merged; only the values that can be the median after one more row are kept;
//! 3. each of the two windows sorts its own row and merges it with the kept values.
//!
//! The networks are Batcher's odd-even merges, padded to powers of two. The compiler removes comparisons with the
//! padding and comparisons whose result is unused.

use multiversion::multiversion;

use super::{key, value};
use crate::filter::{Edges, ExecOptions, Plane};

/// Rows of one task.
const BAND_ROWS: usize = 32;
/// Values of a row processed together: two rows of windows fit a core's first-level cache.
const STRIP: usize = 512;
/// Windows per group of lanes.
const LANES: usize = 32;
/// Values of a strip's row with its surroundings, in whole groups of lanes.
const PADDED: usize = STRIP + LANES;
/// Padding of a network: no key is larger.
const LAST: u32 = u32::MAX;
/// Values of a column or a row, padded.
const FULL: usize = 8;

/// Writes the median of SIDE² values around each sample; SIDE is 3 or 5, HEIGHT is SIDE − 1.
pub(super) fn median<const HEIGHT: usize, const SIDE: usize>(
    plane: &Plane,
    edges: &Edges,
    work: &ExecOptions,
    out: &mut [f32],
) {
    let channels = plane.channels.count();
    let stride = plane.stride();
    let around = HEIGHT * channels;
    work.for_bands((out, stride), BAND_ROWS, Scratch::default, |scratch, from, out| {
        // An odd last row is paired with an unused one.
        let rows = (out.len() / stride).next_multiple_of(2) + HEIGHT;
        scratch.keys.resize(rows * PADDED, 0);
        for left in (0..plane.size[0] as usize).step_by(STRIP / channels) {
            if work.stop.is_set() {
                return;
            }
            let first = left * channels;
            let used = (STRIP / channels * channels).min(stride - first);
            let corner = [left, from].map(|k| k as i64 - (HEIGHT / 2) as i64);
            for (row, keys) in scratch.keys.chunks_exact_mut(PADDED).enumerate() {
                let line = &mut scratch.line[..used + around];
                plane.copy_row(edges, corner[1] + row as i64, corner[0], line);
                write_keys(line, keys);
            }
            for (pair, out) in out.chunks_mut(2 * stride).enumerate() {
                let rows = &scratch.keys[2 * pair * PADDED..][..(SIDE + 1) * PADDED];
                let (above, rest) = rows.split_at(PADDED);
                let (common, below) = rest.split_at(HEIGHT * PADDED);
                sort_columns::<HEIGHT>(common, &mut scratch.columns);
                merge_columns::<HEIGHT, SIDE>(&scratch.columns, channels, &mut scratch.kept);
                for (own, out) in [above, below].into_iter().zip(out.chunks_exact_mut(stride)) {
                    merge_row::<SIDE>(own, &scratch.kept, channels, &mut scratch.medians);
                    out[first..first + used].copy_from_slice(&scratch.medians[..used]);
                }
            }
        }
    });
}

/// Buffers of a task, reused for all its bands.
struct Scratch {
    /// A strip's part of one row with its surroundings.
    line: [f32; PADDED],
    /// Keys of all rows of the band and of their surroundings.
    keys: Vec<u32>,
    /// Sorted columns of two rows of windows: first the minimum of each, and so on.
    columns: [[u32; PADDED]; FULL],
    /// Kept values of each window, in the same order.
    kept: [[u32; STRIP]; FULL],
    /// Medians of one row.
    medians: [f32; STRIP],
}

impl Default for Scratch {
    fn default() -> Self {
        Self {
            line: [0.0; PADDED],
            keys: Vec::new(),
            columns: [[0; PADDED]; FULL],
            kept: [[0; STRIP]; FULL],
            medians: [0.0; STRIP],
        }
    }
}

#[multiversion(targets = "simd")]
fn write_keys(values: &[f32], keys: &mut [u32]) {
    keys.iter_mut().zip(values).for_each(|(to, &value)| *to = key(value));
}

/// Sorts each column of HEIGHT rows.
#[multiversion(targets = "simd")]
fn sort_columns<const HEIGHT: usize>(rows: &[u32], out: &mut [[u32; PADDED]; FULL]) {
    for at in (0..PADDED).step_by(LANES) {
        let sorted = sort_lanes::<HEIGHT>(std::array::from_fn(|k| lanes(rows, k * PADDED + at)));
        for (out, sorted) in out.iter_mut().zip(&sorted) {
            out[at..at + LANES].copy_from_slice(sorted);
        }
    }
}

/// Merges the SIDE columns of each window and keeps the SIDE + 1 values that can be the median after one more row.
#[multiversion(targets = "simd")]
fn merge_columns<const HEIGHT: usize, const SIDE: usize>(
    columns: &[[u32; PADDED]; FULL],
    channels: usize,
    out: &mut [[u32; STRIP]; FULL],
) {
    let least = SIDE * SIDE / 2 - SIDE;
    for at in (0..STRIP).step_by(LANES) {
        let rows: [[&[u32; LANES]; HEIGHT]; SIDE] =
            std::array::from_fn(|column| std::array::from_fn(|row| lanes(&columns[row], at + column * channels)));
        let mut kept = [[0; LANES]; FULL];
        for lane in 0..LANES {
            let column = |k: usize| if k + 1 < SIDE { fill_up(rows[k].map(|row| row[lane])) } else { [LAST; 4] };
            let left: [u32; 8] = merge(column(0), column(1));
            let right: [u32; 8] = merge(column(2), column(3));
            let merged: [u32; 16] = merge(left, right);
            let last = rows[SIDE - 1].map(|row| row[lane]);
            for (k, kept) in kept[..SIDE + 1].iter_mut().enumerate() {
                kept[lane] = of_rank(least + k, &merged, &last);
            }
        }
        for (out, kept) in out.iter_mut().zip(&kept[..SIDE + 1]) {
            out[at..at + LANES].copy_from_slice(kept);
        }
    }
}

/// Median of the kept values and each window's own row.
#[multiversion(targets = "simd")]
fn merge_row<const SIDE: usize>(own: &[u32], kept: &[[u32; STRIP]; FULL], channels: usize, out: &mut [f32; STRIP]) {
    for at in (0..STRIP).step_by(LANES) {
        let own = sort_lanes::<SIDE>(std::array::from_fn(|k| lanes(own, at + k * channels)));
        let kept: [&[u32; LANES]; FULL] = std::array::from_fn(|k| lanes(&kept[k], at));
        for (lane, out) in out[at..at + LANES].iter_mut().enumerate() {
            let (kept, own) = (kept.map(|row| row[lane]), own.each_ref().map(|row| row[lane]));
            *out = value(of_rank(SIDE, &kept, &own));
        }
    }
}

/// Value at index `rank` of the merge of two sorted lists: the minimum, over all splits of the first `rank` + 1 values
/// between the lists, of the larger of the two last values. `merged` extends to index `rank`.
#[inline(always)]
fn of_rank<const COUNT: usize>(rank: usize, merged: &[u32], last: &[u32; COUNT]) -> u32 {
    let mut value = merged[rank];
    for k in 0..COUNT {
        let others = if k < rank { merged[rank - 1 - k] } else { 0 };
        value = value.min(last[k].max(others));
    }
    value
}

/// One group of lanes, from `at`.
#[inline(always)]
fn lanes(values: &[u32], at: usize) -> &[u32; LANES] {
    values[at..].first_chunk().expect("lanes")
}

/// Sorts rows lane by lane.
#[inline(always)]
fn sort_lanes<const COUNT: usize>(rows: [&[u32; LANES]; COUNT]) -> [[u32; LANES]; COUNT] {
    let mut sorted = [[0; LANES]; COUNT];
    for lane in 0..LANES {
        let [a, b, c, d, e, f, g, h] = fill_up::<COUNT, FULL>(rows.map(|row| row[lane])).map(|value| [value]);
        let low = merge::<2, 4>(merge::<1, 2>(a, b), merge::<1, 2>(c, d));
        let high = merge::<2, 4>(merge::<1, 2>(e, f), merge::<1, 2>(g, h));
        let values = merge::<4, 8>(low, high);
        for k in 0..COUNT {
            sorted[k][lane] = values[k];
        }
    }
    sorted
}

/// Pads values to the length of the networks.
#[inline(always)]
fn fill_up<const COUNT: usize, const LEN: usize>(values: [u32; COUNT]) -> [u32; LEN] {
    std::array::from_fn(|k| if k < COUNT { values[k] } else { LAST })
}

/// Batcher's odd-even merge of two sorted halves; LEN is a power of two.
#[inline(always)]
fn merge<const HALF: usize, const LEN: usize>(a: [u32; HALF], b: [u32; HALF]) -> [u32; LEN] {
    let mut values = [0; LEN];
    for i in 0..HALF {
        values[i] = a[i].min(b[i]);
        values[HALF + i] = a[i].max(b[i]);
    }
    sort_apart::<4, LEN>(&mut values);
    sort_apart::<2, LEN>(&mut values);
    sort_apart::<1, LEN>(&mut values);
    values
}

/// One step of a merge: compares and exchanges values STEP apart, group by group. STEP and the lengths are constants,
/// so that the loops are unrolled.
#[inline(always)]
fn sort_apart<const STEP: usize, const LEN: usize>(values: &mut [u32; LEN]) {
    if 2 * STEP < LEN {
        for group in 0..LEN / (2 * STEP) - 1 {
            for i in 0..STEP {
                let a = (2 * group + 1) * STEP + i;
                let (low, high) = (values[a].min(values[a + STEP]), values[a].max(values[a + STEP]));
                (values[a], values[a + STEP]) = (low, high);
            }
        }
    }
}
