//! The Basilica: the Julia set of z² − 1, in grey by stripe average colouring.
//!
//! Stripe average colouring is Jussi Härkönen's (“On Smooth Fractal Coloring Techniques”, Åbo Akademi, 2007): the mean
//! of ½ + ½·sin(d·arg z) over the orbit, blended between the last two means by the smooth iteration count, so that
//! there is no step where the count changes. For an escaping orbit the mean is over all points but the first; for an
//! orbit that converges to the cycle 0 → −1 → 0 it is over every second point, those that converge to 0. There, w = −2z
//! maps to w² in two steps as an escaping z maps to z² in one, so both cases share one formula: r, the modulus of z or
//! w, squares at every step.
//!
//! The mean's contrast is raised by ½ − ½·cos(π·mean). Near the Julia set, where stripes are finer than any sample, it is
//! darkened by t/√(1 + t²) with t the distance to the set in units of [`DARK_WIDTH`].

use std::f64::consts::PI;

use super::Size;

/// Modulus above which an orbit has escaped. The next modulus is r² to one part in r², far below an 8-bit step.
const ESCAPE_RADIUS: f64 = 1000.0;
/// |w| = 2|z| below which the cycle has captured an orbit. The next modulus is |w|² to one part in 200.
const CAPTURE_RADIUS: f64 = 0.2;
/// Radius of a disc in the component of 0, where two steps square its Riemann coordinate.
const CENTRAL_DISC: f64 = 0.52;
/// Steps after which a point counts as part of the Julia set.
const MAX_STEPS: u32 = 400;
/// Distance from the Julia set with a shade of 1/√2, in the plane of z.
const DARK_WIDTH: f64 = 0.03;

/// Value at (x, y): z runs from −2 at x = 0 to 2 at x = W, 0 is at (W/2, H/2), pixels are square.
pub(super) fn value(size: Size, x: f64, y: f64) -> f64 {
    let (width, height) = (f64::from(size.width()), f64::from(size.height()));
    let z = (4.0 * (x - width / 2.0) / width, 4.0 * (height / 2.0 - y) / width);
    let Some(end) = follow(z) else { return 0.0 };
    let t = end.distance / DARK_WIDTH;
    let shade = if t.is_finite() { t / t.hypot(1.0) } else { 1.0 };
    (0.5 - 0.5 * (PI * end.stripes).cos()) * shade
}

/// Result of following an orbit.
struct End {
    /// Blended mean of the stripes, in [0, 1].
    stripes: f64,
    /// Approximate distance to the Julia set.
    distance: f64,
}

/// Follows the orbit of `z` until it escapes or is captured; `None` for a point of the Julia set.
fn follow(z: (f64, f64)) -> Option<End> {
    let (mut z, mut slope) = (z, (1.0_f64, 0.0_f64));
    // Means over all points but the first, and over the even and the odd points.
    let mut escaping = Mean::default();
    let mut captured = [Mean::default(); 2];
    for step in 0..MAX_STEPS {
        let modulus = (z.0 * z.0 + z.1 * z.1).sqrt();
        let parity = &mut captured[step as usize % 2];
        if modulus > 0.0 {
            let stripe = stripe((z.0 / modulus, z.1 / modulus));
            if step > 0 {
                escaping.add(stripe);
            }
            // The stripe of w = −2z: π added to the angle, five times, changes the sign of the sine.
            parity.add(1.0 - stripe);
        } else {
            parity.add(0.5);
        }
        if modulus < CENTRAL_DISC {
            parity.central += 1;
        } else {
            parity.central = 0;
        }
        if modulus > ESCAPE_RADIUS {
            return Some(escaping.end(modulus, ESCAPE_RADIUS, modulus / slope.0.hypot(slope.1), step));
        }
        if 2.0 * modulus < CAPTURE_RADIUS {
            let w = (2.0 * modulus).max(1e-150);
            return Some(parity.end(w, CAPTURE_RADIUS, w / (2.0 * slope.0.hypot(slope.1)), parity.central - 1));
        }
        slope = (2.0 * (z.0 * slope.0 - z.1 * slope.1), 2.0 * (z.0 * slope.1 + z.1 * slope.0));
        z = (z.0 * z.0 - z.1 * z.1 - 1.0, 2.0 * z.0 * z.1);
    }
    None
}

/// ½ + ½·sin(5·arg u) for |u| = 1: the sine is the imaginary part of u⁵.
fn stripe(u: (f64, f64)) -> f64 {
    let square = (u.0 * u.0 - u.1 * u.1, 2.0 * u.0 * u.1);
    let fourth = (square.0 * square.0 - square.1 * square.1, 2.0 * square.0 * square.1);
    0.5 + 0.5 * (fourth.0 * u.1 + fourth.1 * u.0)
}

/// Running mean of stripes, with the previous mean.
#[derive(Clone, Copy, Default)]
struct Mean {
    sum: f64,
    count: f64,
    /// Sum without the last stripe.
    sum_before: f64,
    /// Number of latest points in the central disc.
    central: u32,
}

impl Mean {
    /// Mean of `count` stripes of this sum; ½ if there is none.
    fn of(sum: f64, count: f64) -> f64 {
        if count > 0.0 { sum / count } else { 0.5 }
    }

    fn add(&mut self, stripe: f64) {
        self.sum_before = self.sum;
        self.sum += stripe;
        self.count += 1.0;
    }

    /// Result for an orbit whose modulus `r` exceeded `radius`, with r/|r′| = `ratio`.
    ///
    /// The weight of the last stripe is 1 for r = radius and 0 for r = radius², one step later. The distance is
    /// 2·sinh(g)/|g′| with g = |ln r|/2^squarings, from the derivative of the component's Riemann map.
    fn end(&self, r: f64, radius: f64, ratio: f64, squarings: u32) -> End {
        let logarithm = r.ln().abs();
        let share = (1.0 - (logarithm / radius.ln().abs()).log2()).clamp(0.0, 1.0);
        let doublings = f64::from(squarings).exp2();
        let distance = 2.0 * (logarithm / doublings).sinh() * doublings * ratio;
        let [now, before] = [Self::of(self.sum, self.count), Self::of(self.sum_before, self.count - 1.0)];
        End { stripes: before + (now - before) * share, distance }
    }
}
