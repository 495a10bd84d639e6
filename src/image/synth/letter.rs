//! A drawn letter: edges of every direction, corners and a counter, as print has them.
//!
//! ```text
//!   (−4, −6) ██████▄      stem: x from −4 to −2, y from −6 to 6
//!            ██   ▀█▌     bowl: a stroke of width 2 from (−3, −5) by the half circle of radius 2½
//!            ██   ▄█▌           about (½, −2½) to (−3, 0)
//!            ██████▀      leg:  a stroke of width 2 from (0, 0) to (3, 6), cut level at y = 6
//!            ██  ▀█▄
//!            ██    ▀█▄ (≈4, 6)
//! ```
//! Units are sixteenths of the shorter side of the image, about (W/2, H/2); y runs down.

use super::{Size, from_centre, shorter_side};

/// Value of the paper.
const PAPER: f64 = 0.9;
/// Value of the ink. Paper and ink leave room for overshoot.
const INK: f64 = 0.1;

/// The letter R, dark on light. Its outline is a ramp one sample across.
pub(super) fn value(size: Size, x: f64, y: f64) -> f64 {
    let samples_a_unit = shorter_side(size) / 16.0;
    let (dx, dy) = from_centre(size, x, y);
    let (x, y) = (dx / samples_a_unit, dy / samples_a_unit);
    let distance = stem(x, y).min(bowl(x, y)).min(leg(x, y));
    let covered = (0.5 - distance * samples_a_unit).clamp(0.0, 1.0);
    PAPER + (INK - PAPER) * covered
}

/// Signed distance to the stem, negative inside.
fn stem(x: f64, y: f64) -> f64 {
    let (dx, dy) = ((x + 3.0).abs() - 1.0, y.abs() - 6.0);
    dx.max(0.0).hypot(dy.max(0.0)) + dx.max(dy).min(0.0)
}

/// Signed distance to the bowl: 1 less than the distance to the middle of its stroke.
fn bowl(x: f64, y: f64) -> f64 {
    const RADIUS: f64 = 2.5;
    const TURN: f64 = 0.5;
    let from_axis = y + RADIUS;
    let to_middle = if x > TURN {
        ((x - TURN).hypot(from_axis) - RADIUS).abs()
    } else {
        let beyond_end = (-3.0 - x).max(0.0);
        beyond_end.hypot(from_axis.abs() - RADIUS)
    };
    to_middle - 1.0
}

/// Distance to the leg across its nearest side: exact but beyond its two corners.
fn leg(x: f64, y: f64) -> f64 {
    let across = (2.0 * x - y).abs() / 5.0_f64.sqrt() - 1.0;
    across.max(y - 6.0).max(-y)
}
