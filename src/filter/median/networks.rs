//! Median of a small window by sorting networks, as many windows at a time as there are lanes.
//!
//! Work is shared between windows as in Adams, "Fast Median Filters using Separable Sorting Networks" (2021). Two windows
//! one above the other have all rows but one each in common:
//!
//! 1. each column of the common rows is sorted once, for all the windows that it is in;
//! 2. a window's columns are merged, and of their values only those are kept that one row more can make the median;
//! 3. each of the two windows sorts the row of its own and merges it with what was kept.
//!
//! The networks are Batcher's odd-even merges, filled up to powers of two: comparisons with what fills them up, and those
//! whose result nobody reads, are left out by the compiler.

use multiversion::multiversion;

use super::{key, value};
use crate::filter::{Edges, Plane, Work};

/// Rows that one task makes.
const BAND_ROWS: usize = 32;
/// Values of a row that are made together: few enough for a core's first cache to hold all of two rows of windows.
const STRIP: usize = 512;
/// Windows that the loops sort together.
const LANES: usize = 32;
/// Values of a strip's row with what lies around it, in whole groups of lanes.
const PADDED: usize = STRIP + LANES;
/// What fills a network up: no key stands above it.
const LAST: u32 = u32::MAX;
/// Values of a column or a row, filled up.
const FULL: usize = 8;

/// The median of SIDE² values around each; SIDE is 3 or 5, and HEIGHT one less.
pub(super) fn median<const HEIGHT: usize, const SIDE: usize>(
    plane: &Plane,
    edges: &Edges,
    work: &Work,
    out: &mut [f32],
) {
    let channels = plane.channels.count();
    let stride = plane.stride();
    let around = HEIGHT * channels;
    work.for_bands((out, stride), BAND_ROWS, Scratch::default, |scratch, from, out| {
        // An odd last row has a partner that nobody sees.
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

/// Memory that a task keeps from band to band.
struct Scratch {
    /// A strip's part of one row with what lies around it.
    line: [f32; PADDED],
    /// The keys of all the band's rows, likewise, and of those around them.
    keys: Vec<u32>,
    /// The sorted columns of two rows of windows: the least of each, and so on.
    columns: [[u32; PADDED]; FULL],
    /// What is kept of each window, likewise.
    kept: [[u32; STRIP]; FULL],
    /// A row's medians.
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

/// Merges the SIDE columns of each window, and keeps the SIDE + 1 values that one row more can make the median.
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

/// The median of what was kept and of a row that is each window's own.
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

/// The value of two sorted lists together that `rank` others do not exceed: whatever number of them is taken from the one and
/// the rest from the other, their greatest is no less. `merged` goes as far as `rank`.
#[inline(always)]
fn of_rank<const COUNT: usize>(rank: usize, merged: &[u32], last: &[u32; COUNT]) -> u32 {
    let mut value = merged[rank];
    for k in 0..COUNT {
        let others = if k < rank { merged[rank - 1 - k] } else { 0 };
        value = value.min(last[k].max(others));
    }
    value
}

/// As many values as there are lanes, from `at` on.
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

/// As many values as the networks take.
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

/// One step of a merge: sorts values STEP apart, group by group. STEP and numbers of values are constants, so that the
/// loops are written out.
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
