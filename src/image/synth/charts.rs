//! Test charts: sources with a formula of one line.
//!
//! In a chart of flat pieces, the piece of sample (m, n) covers m − ½ ≤ x < m + ½ and n − ½ ≤ y < n + ½. Between the samples
//! `nearest` then gives the exact values, and other methods can be compared with them.

use std::f64::consts::PI;

use super::Size;

/// ½ + ½·cos(π((x − W/2)² + (y − H/2)²)/W). The frequency along x is |x − W/2|/W cycles per sample: ½ (Nyquist) at the
/// middle of the left and right edges, and of the top and bottom edges for H = W.
pub(super) fn zone_plate(size: Size, x: f64, y: f64) -> f64 {
    let (dx, dy) = from_centre(size, x, y);
    0.5 + 0.5 * (PI * (dx * dx + dy * dy) / f64::from(size.width())).cos()
}

/// Edge through (W/2, H/2), 5° off the vertical as in ISO 12233: 0.2 on its left, 0.8 on its right, so that overshoot
/// is visible. It is averaged over one sample across: a ramp of width 1, ½ sample to each side.
pub(super) fn slanted_edge(size: Size, x: f64, y: f64) -> f64 {
    let (sin, cos) = 5.0_f64.to_radians().sin_cos();
    let (dx, dy) = from_centre(size, x, y);
    let distance = dx * cos + dy * sin;
    0.2 + 0.6 * (distance + 0.5).clamp(0.0, 1.0)
}

/// ½ + ½·sin(36·θ) about (W/2, H/2): 36/(2πr) cycles per sample at radius r, above Nyquist within 11.46 samples of the
/// centre. The centre is ½.
pub(super) fn siemens_star(size: Size, x: f64, y: f64) -> f64 {
    const CYCLES: f64 = 36.0;
    let (dx, dy) = from_centre(size, x, y);
    0.5 + 0.5 * (CYCLES * dy.atan2(dx)).sin()
}

/// Squares of 8 × 8 samples; the square of sample (0, 0) is black.
pub(super) fn checkerboard(_size: Size, x: f64, y: f64) -> f64 {
    const SIDE: f64 = 8.0;
    ((piece(x) / SIDE).floor() + (piece(y) / SIDE).floor()).rem_euclid(2.0)
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

/// Eleven steps of equal width, 0, 0.1, … 1 from left to right; the outer steps continue beyond the edges.
pub(super) fn step_wedge(size: Size, x: f64, _y: f64) -> f64 {
    const LAST: f64 = 10.0;
    let step = ((x + 0.5) * (LAST + 1.0) / f64::from(size.width())).floor();
    step.clamp(0.0, LAST) / LAST
}

/// White samples at 16k + 8 in x and y; black elsewhere.
pub(super) fn impulses(_size: Size, x: f64, y: f64) -> f64 {
    const PERIOD: f64 = 16.0;
    f64::from([x, y].iter().all(|place| piece(*place).rem_euclid(PERIOD) == PERIOD / 2.0))
}

/// Position relative to (W/2, H/2).
fn from_centre(size: Size, x: f64, y: f64) -> (f64, f64) {
    (x - f64::from(size.width()) / 2.0, y - f64::from(size.height()) / 2.0)
}

/// Index of the sample whose piece contains `place`.
fn piece(place: f64) -> f64 {
    (place + 0.5).floor()
}
