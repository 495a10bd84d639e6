//! Test charts: sources with a formula of one line.
//!
//! In a chart of flat pieces, the piece of sample (m, n) covers m − ½ ≤ x < m + ½ and n − ½ ≤ y < n + ½. Between the samples
//! `nearest` then gives the exact values, and other methods can be compared with them.

use super::trapezoid::Trapezoid;
use super::{Parallelogram, Size, from_centre};

/// Edge through (W/2, H/2), 5° off the vertical as in ISO 12233: 0.2 on its left, 0.8 on its right, so that overshoot
/// is visible. It is averaged over one sample across: a ramp of width 1, ½ sample to each side.
pub(super) fn slanted_edge(size: Size, x: f64, y: f64) -> f64 {
    let [cos, sin] = across_edge();
    let (dx, dy) = from_centre(size, x, y);
    let distance = dx * cos + dy * sin;
    0.2 + 0.6 * (distance + 0.5).clamp(0.0, 1.0)
}

/// Mean of [`slanted_edge`]: across the edge, a parallelogram is the convolution of two boxes.
pub(super) fn slanted_edge_mean(size: Size, area: &Parallelogram) -> f64 {
    let [cos, sin] = across_edge();
    let [x, y] = area.centre();
    let (dx, dy) = from_centre(size, x, y);
    let distance = dx * cos + dy * sin;
    let [first, second] = area.sides().map(|[x, y]| (x * cos + y * sin).abs());
    let across = Trapezoid::new(first, second);
    0.2 + 0.6 * (across.excess(distance + 0.5) - across.excess(distance - 0.5)).clamp(0.0, 1.0)
}

/// Unit vector across the slanted edge.
fn across_edge() -> [f64; 2] {
    let (sin, cos) = 5.0_f64.to_radians().sin_cos();
    [cos, sin]
}

/// ½ + ½·sin(36·θ) about (W/2, H/2): 36/(2πr) cycles per sample at radius r, above Nyquist within 11.46 samples of the
/// centre. The centre is ½.
pub(super) fn siemens_star(size: Size, x: f64, y: f64) -> f64 {
    const CYCLES: f64 = 36.0;
    let (dx, dy) = from_centre(size, x, y);
    0.5 + 0.5 * (CYCLES * dy.atan2(dx)).sin()
}

/// Side of a square of the checkerboard, in samples.
const CHECK: f64 = 8.0;

/// Squares of 8 × 8 samples; the square of sample (0, 0) is black.
pub(super) fn checkerboard(_size: Size, x: f64, y: f64) -> f64 {
    ((piece(x) / CHECK).floor() + (piece(y) / CHECK).floor()).rem_euclid(2.0)
}

/// Mean of [`checkerboard`] over a rectangle along the axes: ½ − ½·(mean of a wave of ±1 along x)·(the same along y).
pub(super) fn checkerboard_mean(_size: Size, area: &Parallelogram) -> f64 {
    // Integral of the wave: a triangle of height CHECK.
    let triangle = |place: f64| CHECK - ((place + 0.5).rem_euclid(2.0 * CHECK) - CHECK).abs();
    let wave = |axis: usize| {
        let ([lo, hi], length) = (area.span(axis), area.length_along(axis));
        if length == 0.0 {
            return 1.0 - 2.0 * (piece(lo) / CHECK).floor().rem_euclid(2.0);
        }
        (triangle(hi) - triangle(lo)) / length
    };
    0.5 - 0.5 * wave(0) * wave(1)
}

/// White lines one sample wide on black: vertical in the left half, horizontal in the right half; every second sample
/// in the upper half, every eighth in the lower half. The first sample of each quarter is on a line.
pub(super) fn lines(size: Size, x: f64, y: f64) -> f64 {
    let (half_width, half_height) = (f64::from(size.width() / 2), f64::from(size.height() / 2));
    let (right, lower) = (piece(x) >= half_width, piece(y) >= half_height);
    let period = if lower { 8.0 } else { 2.0 };
    let place = match (right, lower) {
        (false, _) => piece(x),
        (true, false) => piece(y),
        (true, true) => piece(y) - half_height,
    };
    f64::from(place.rem_euclid(period) == 0.0)
}

/// Mean of [`lines`] over a rectangle along the axes: the share of lines in each quarter within it.
pub(super) fn lines_mean(size: Size, area: &Parallelogram) -> f64 {
    let (half_width, half_height) = (f64::from(size.width() / 2), f64::from(size.height() / 2));
    let mut white = 0.0;
    for ((rows, part), period) in halves(area.span(1), half_height).into_iter().zip([2.0, 8.0]) {
        let [(upright, left), (_, right)] = halves(area.span(0), half_width);
        // Level lines of the lower half begin at its first sample.
        let first = if period == 8.0 { half_height } else { 0.0 };
        white += part * (left * share(upright, period, 0.0) + right * share(rows, period, first));
    }
    white
}

/// The parts of a span before and from the piece `border` on, each with its share of the length.
fn halves([lo, hi]: [f64; 2], border: f64) -> [([f64; 2], f64); 2] {
    if lo == hi {
        let is_before = f64::from(piece(lo) < border);
        return [([lo, hi], is_before), ([lo, hi], 1.0 - is_before)];
    }
    let middle = (border - 0.5).clamp(lo, hi);
    [([lo, middle], (middle - lo) / (hi - lo)), ([middle, hi], (hi - middle) / (hi - lo))]
}

/// Number of the last step of the wedge, from 0.
const LAST_STEP: f64 = 10.0;

/// Eleven steps of equal width, 0, 0.1, … 1 from left to right; the outer steps continue beyond the edges.
pub(super) fn step_wedge(size: Size, x: f64, _y: f64) -> f64 {
    let step = ((x + 0.5) * (LAST_STEP + 1.0) / f64::from(size.width())).floor();
    step.clamp(0.0, LAST_STEP) / LAST_STEP
}

/// Mean of [`step_wedge`] over a rectangle along the axes: the share of it beyond each step.
pub(super) fn step_wedge_mean(size: Size, area: &Parallelogram) -> f64 {
    let [lo, hi] = area.span(0);
    let beyond = |step: u32| {
        let place = f64::from(step) * f64::from(size.width()) / (LAST_STEP + 1.0) - 0.5;
        if lo == hi { f64::from(lo >= place) } else { ((hi - place) / (hi - lo)).clamp(0.0, 1.0) }
    };
    (1..=LAST_STEP as u32).map(beyond).sum::<f64>() / LAST_STEP
}

/// Distance of the impulses, in samples.
const IMPULSES: f64 = 16.0;

/// White samples at 16k + 8 in x and y; black elsewhere.
pub(super) fn impulses(_size: Size, x: f64, y: f64) -> f64 {
    f64::from([x, y].iter().all(|place| piece(*place).rem_euclid(IMPULSES) == IMPULSES / 2.0))
}

/// Mean of [`impulses`] over a rectangle along the axes: a product of the axes.
pub(super) fn impulses_mean(_size: Size, area: &Parallelogram) -> f64 {
    let along = |axis: usize| share(area.span(axis), IMPULSES, IMPULSES / 2.0);
    along(0) * along(1)
}

/// Index of the sample whose piece contains `place`.
fn piece(place: f64) -> f64 {
    (place + 0.5).floor()
}

/// Share of the pieces of the samples `first` + k·`period` in a span; of one without length, whether it is in such a piece.
fn share([lo, hi]: [f64; 2], period: f64, first: f64) -> f64 {
    if lo == hi {
        return f64::from((piece(lo) - first).rem_euclid(period) == 0.0);
    }
    pulses([lo, hi], period, first) / (hi - lo)
}

/// Length within `lo` … `hi` of the pieces of the samples `first` + k·`period`.
fn pulses([lo, hi]: [f64; 2], period: f64, first: f64) -> f64 {
    // Whole periods and the part of a piece up to a position: whole numbers are subtracted exactly.
    let up_to = |place: f64| {
        let from_first = place + 0.5 - first;
        let whole = (from_first / period).floor();
        (whole, (from_first - whole * period).min(1.0))
    };
    let (from, to) = (up_to(lo), up_to(hi));
    (to.0 - from.0) + (to.1 - from.1)
}
