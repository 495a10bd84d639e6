//! Test charts: the sources that are one line of arithmetic each.
//!
//! Where a chart is made of flat pieces, a piece that is sample (m, n) covers m − ½ ≤ x < m + ½ and n − ½ ≤ y < n + ½:
//! the truth between the samples is then what `nearest` shows, and every other method may be held against it.

use std::f64::consts::PI;

use super::Size;

/// ½ + ½·cos(π((x − W/2)² + (y − H/2)²)/W). The frequency along x is |x − W/2|/W cycles a sample: ½, Nyquist's, at the
/// middle of the left and right edges, and at the top and bottom ones where H = W.
pub(super) fn zone_plate(size: Size, x: f64, y: f64) -> f64 {
    let (dx, dy) = from_centre(size, x, y);
    0.5 + 0.5 * (PI * (dx * dx + dy * dy) / f64::from(size.width())).cos()
}

/// An edge through (W/2, H/2), 5° off the vertical as ISO 12233 has it: 0.2 on its left, 0.8 on its right, so that
/// overshoot is seen. It is averaged over one sample across: a ramp of width 1, ½ sample to each side.
pub(super) fn slanted_edge(size: Size, x: f64, y: f64) -> f64 {
    let (sin, cos) = 5.0_f64.to_radians().sin_cos();
    let (dx, dy) = from_centre(size, x, y);
    let distance = dx * cos + dy * sin;
    0.2 + 0.6 * (distance + 0.5).clamp(0.0, 1.0)
}

/// ½ + ½·sin(36·θ) about (W/2, H/2): at radius r there are 36/(2πr) cycles a sample, so within 11.46 samples of the
/// centre it is above Nyquist's frequency. The centre itself is ½.
pub(super) fn siemens_star(size: Size, x: f64, y: f64) -> f64 {
    const CYCLES: f64 = 36.0;
    let (dx, dy) = from_centre(size, x, y);
    0.5 + 0.5 * (CYCLES * dy.atan2(dx)).sin()
}

/// Squares of 8 × 8 samples; the one of sample (0, 0) is black.
pub(super) fn checkerboard(_size: Size, x: f64, y: f64) -> f64 {
    const SIDE: f64 = 8.0;
    ((piece(x) / SIDE).floor() + (piece(y) / SIDE).floor()).rem_euclid(2.0)
}

/// White lines one sample wide on black. Upright in the left half, level in the right; in the upper half every second
/// sample is a line, in the lower half every eighth. The first sample of each quarter is a line.
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

/// Eleven steps of equal width, 0, 0.1, … 1 from left to right; beyond the edges the outer steps go on.
pub(super) fn step_wedge(size: Size, x: f64, _y: f64) -> f64 {
    const LAST: f64 = 10.0;
    let step = ((x + 0.5) * (LAST + 1.0) / f64::from(size.width())).floor();
    step.clamp(0.0, LAST) / LAST
}

/// White at the samples that are 8 more than a multiple of 16 in x and in y; black elsewhere.
pub(super) fn impulses(_size: Size, x: f64, y: f64) -> f64 {
    const PERIOD: f64 = 16.0;
    f64::from([x, y].iter().all(|place| piece(*place).rem_euclid(PERIOD) == PERIOD / 2.0))
}

/// The place relative to (W/2, H/2).
fn from_centre(size: Size, x: f64, y: f64) -> (f64, f64) {
    (x - f64::from(size.width()) / 2.0, y - f64::from(size.height()) / 2.0)
}

/// The index of the sample whose piece `place` lies in.
fn piece(place: f64) -> f64 {
    (place + 0.5).floor()
}
