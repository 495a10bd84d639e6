//! The Basilica: the Julia set of z² − 1, in grey by stripe average colouring.
//!
//! Stripe average colouring is Jussi Härkönen's (“On Smooth Fractal Coloring Techniques”, Åbo Akademi, 2007): the mean of
//! ½ + ½·sin(d·arg z) over the orbit, blended between the last two means by the smooth iteration count, so that no step
//! shows where the count changes. An orbit that escapes takes all its points but the first; one that falls into the
//! cycle 0 → −1 → 0 takes every second point, those that run into 0. There, w = −2z maps to w² in two steps just as an
//! escaping z maps to z² in one, so both are one case: r, the modulus of z or w, squares at every step.
//!
//! The mean gets more contrast by ½ − ½·cos(π·mean), and darkens towards the Julia set, where stripes are finer than any
//! sample, by t/√(1 + t²) with t the distance to the set in units of [`DARK_WIDTH`].

use std::f64::consts::PI;

use super::Size;

/// An orbit has escaped when |z| is above this. The next modulus is r² to one part in r², far below an 8-bit step.
const ESCAPE_RADIUS: f64 = 1000.0;
/// An orbit is captured by the cycle when |w| = 2|z| is below this. The next is |w|² to one part in 200.
const CAPTURE_RADIUS: f64 = 0.2;
/// A disc |z| < this lies in the component of 0, where two steps square its Riemann coordinate.
const CENTRAL_DISC: f64 = 0.52;
/// Steps before a point counts as one of the Julia set itself.
const MOST_STEPS: u32 = 400;
/// The distance from the Julia set at which its shade is 1/√2, in the plane of z.
const DARK_WIDTH: f64 = 0.03;

/// The value at (x, y): z runs from −2 at x = 0 to 2 at x = W, 0 lies at (W/2, H/2), pixels are square.
pub(super) fn value(size: Size, x: f64, y: f64) -> f64 {
    let (width, height) = (f64::from(size.width()), f64::from(size.height()));
    let z = (4.0 * (x - width / 2.0) / width, 4.0 * (height / 2.0 - y) / width);
    let Some(end) = follow(z) else { return 0.0 };
    let t = end.distance / DARK_WIDTH;
    let shade = if t.is_finite() { t / t.hypot(1.0) } else { 1.0 };
    (0.5 - 0.5 * (PI * end.stripes).cos()) * shade
}

/// What the orbit of a point shows.
struct End {
    /// The blended mean of the stripes, in [0, 1].
    stripes: f64,
    /// About the distance to the Julia set.
    distance: f64,
}

/// Follows the orbit of `z` until it escapes or is captured; `None` for a point of the Julia set.
fn follow(z: (f64, f64)) -> Option<End> {
    let (mut z, mut slope) = (z, (1.0_f64, 0.0_f64));
    // Means over all points but the first, and over the points of even and of odd number.
    let mut escaping = Mean::default();
    let mut captured = [Mean::default(); 2];
    for step in 0..MOST_STEPS {
        let modulus = (z.0 * z.0 + z.1 * z.1).sqrt();
        let parity = &mut captured[step as usize % 2];
        if modulus > 0.0 {
            let stripe = stripe((z.0 / modulus, z.1 / modulus));
            if step > 0 {
                escaping.add(stripe);
            }
            // The stripe of w = −2z: five times an angle turned by π turns the sine's sign.
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

/// ½ + ½·sin(5·arg u) for |u| = 1: the imaginary part of u⁵ is that sine.
fn stripe(u: (f64, f64)) -> f64 {
    let square = (u.0 * u.0 - u.1 * u.1, 2.0 * u.0 * u.1);
    let fourth = (square.0 * square.0 - square.1 * square.1, 2.0 * square.0 * square.1);
    0.5 + 0.5 * (fourth.0 * u.1 + fourth.1 * u.0)
}

/// The running mean of stripes, and the one before the last was added.
#[derive(Clone, Copy)]
struct Mean {
    sum: f64,
    count: f64,
    /// The mean without the last stripe; ½ where there is none.
    before: f64,
    /// How many of the last points lay in the central disc.
    central: u32,
}

impl Default for Mean {
    fn default() -> Self {
        Self { sum: 0.0, count: 0.0, before: 0.5, central: 0 }
    }
}

impl Mean {
    /// The mean of all stripes added.
    fn now(&self) -> f64 {
        if self.count > 0.0 { self.sum / self.count } else { 0.5 }
    }

    fn add(&mut self, stripe: f64) {
        self.before = self.now();
        self.sum += stripe;
        self.count += 1.0;
    }

    /// The end of an orbit whose modulus `r` has passed `radius` and whose r/|r′| is `ratio`.
    ///
    /// The share of the last stripe is 1 where r = radius and 0 where r = radius², one step further on. The distance is
    /// 2·sinh(g)/|g′| with g = |ln r|/2^squarings, from the slope of the Riemann map of the component.
    fn end(&self, r: f64, radius: f64, ratio: f64, squarings: u32) -> End {
        let logarithm = r.ln().abs();
        let share = (1.0 - (logarithm / radius.ln().abs()).log2()).clamp(0.0, 1.0);
        let doublings = f64::from(squarings).exp2();
        let distance = 2.0 * (logarithm / doublings).sinh() * doublings * ratio;
        End { stripes: self.before + (self.now() - self.before) * share, distance }
    }
}
