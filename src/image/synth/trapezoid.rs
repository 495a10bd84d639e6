//! The convolution of two boxes: how far a point lies from the centre, along one axis, when it is spread evenly over a box
//! of one width and then over a box of another.
//!
//! ```text
//!   1/max       ________
//!              /        \            lo = |a − b|/2
//!    _________/          \_________  hi = (a + b)/2
//!          −hi −lo  0  lo  hi
//! ```
//! All expressions are relative to the nearest kink, so that no large numbers cancel.

/// Density of a box of width a convolved with a box of width b, of area 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trapezoid {
    narrow: f64,
    wide: f64,
}

impl Trapezoid {
    /// Of two widths, each at least 0, not both 0.
    pub(super) fn new(a: f64, b: f64) -> Self {
        Self { narrow: a.min(b), wide: a.max(b) }
    }

    /// Half the width of the flat part.
    pub(super) fn lo(self) -> f64 {
        (self.wide - self.narrow) / 2.0
    }

    /// Half the width of the support.
    pub(super) fn hi(self) -> f64 {
        f64::midpoint(self.wide, self.narrow)
    }

    /// Density at `t`.
    pub(super) fn density(self, t: f64) -> f64 {
        let t = t.abs();
        if t > self.hi() {
            0.0
        } else if t <= self.lo() {
            1.0 / self.wide
        } else {
            (self.hi() - t) / (self.wide * self.narrow)
        }
    }

    /// Share of the area at positions below `t`.
    pub(super) fn below(self, t: f64) -> f64 {
        let tail = |distance: f64| distance * distance / (2.0 * self.wide * self.narrow);
        if t <= -self.hi() {
            0.0
        } else if t >= self.hi() {
            1.0
        } else if t < -self.lo() {
            tail(self.hi() + t)
        } else if t > self.lo() {
            1.0 - tail(self.hi() - t)
        } else {
            0.5 + t / self.wide
        }
    }

    /// Mean of max(t + u, 0) over u with this density: the integral of [`Trapezoid::below`] up to `t`.
    pub(super) fn excess(self, t: f64) -> f64 {
        let (lo, hi) = (self.lo(), self.hi());
        let tail = |distance: f64| distance.powi(3) / (6.0 * self.wide * self.narrow);
        if t <= -hi {
            0.0
        } else if t >= hi {
            t
        } else if t < -lo {
            tail(hi + t)
        } else if t > lo {
            t + tail(hi - t)
        } else {
            let at_kink = self.narrow * self.narrow / (6.0 * self.wide);
            at_kink + f64::midpoint(t, lo) + (t * t - lo * lo) / (2.0 * self.wide)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trapezoid_integrals_equal_sums_of_its_density() {
        for (a, b) in [(1.0, 0.0), (1.0, 0.3), (0.3, 1.0), (2.0, 2.0), (1.0, 40.0)] {
            let trapezoid = Trapezoid::new(a, b);
            let (steps, reach) = (400_000, trapezoid.hi() * 1.25);
            let step = 2.0 * reach / f64::from(steps);
            let (mut below, mut excess) = (0.0, 0.0);
            for index in 0..steps {
                let t = -reach + f64::from(index) * step;
                assert!((trapezoid.below(t) - below).abs() < 1e-5, "{a}, {b} at {t}");
                assert!((trapezoid.excess(t) - excess).abs() < 1e-5 * a.max(b), "{a}, {b} at {t}");
                let next = trapezoid.density(t + step / 2.0) * step;
                excess += (below + next / 2.0) * step;
                below += next;
            }
        }
    }
}
