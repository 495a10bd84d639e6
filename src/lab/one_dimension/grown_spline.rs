//! B-splines grown from the box: β_(n+1)(x) is the mean of β_n over the unit interval about x.

/// The centred B-spline of a degree as polynomials of the fraction within each unit interval of its support.
///
/// β₀ is the box, 1 on [−½, ½). Each further degree is the convolution with the box (Unser, Aldroubi, Eden 1993, part I,
/// equation 2.1), integrated piece by piece: β_(n+1)(x) = ∫ β_n over [x − ½, x + ½].
#[derive(Clone, Debug, PartialEq)]
pub struct GrownSpline {
    /// Coefficients of 1, t, t², … on each interval, t in [0, 1), from −radius on.
    pieces: Vec<Vec<f64>>,
}

impl GrownSpline {
    /// The largest degree.
    pub const MAX_DEGREE: usize = 9;

    /// The box, convolved `degree` times with itself.
    ///
    /// ```
    /// use lerpscope::lab::one_dimension::GrownSpline;
    /// use lerpscope::sampling::Method;
    /// let cubic = GrownSpline::new(3);
    /// assert!((cubic.at(0.25) - Method::BSPLINE.kernel().weight(0.25)).abs() < 1e-15);
    /// ```
    ///
    /// # Panics
    /// For a degree above [`GrownSpline::MAX_DEGREE`].
    pub fn new(degree: usize) -> Self {
        assert!(degree <= Self::MAX_DEGREE, "degree {degree} is above {}", Self::MAX_DEGREE);
        let grown = (0..degree).fold(vec![vec![1.0]], |pieces, _| convolved(&pieces));
        Self { pieces: grown }
    }

    /// Its degree n.
    pub fn degree(&self) -> usize {
        self.pieces.len() - 1
    }

    /// Half its width, (n + 1)/2.
    pub fn radius(&self) -> f64 {
        self.pieces.len() as f64 / 2.0
    }

    /// β_n(x).
    pub fn at(&self, x: f64) -> f64 {
        let place = x + self.radius();
        let piece = (place >= 0.0).then(|| self.pieces.get(place.floor() as usize)).flatten();
        piece.map_or(0.0, |coefficients| value(coefficients, place.fract()))
    }

    /// Its curve from one half beyond its support to the other. The box has both sides of its jumps.
    pub fn curve(&self) -> Vec<[f64; 2]> {
        const STEPS: u32 = 64;
        /// Distance of the point before a jump from the jump.
        const BEFORE: f64 = 1e-9;
        let radius = self.radius();
        let interval = |start: usize| {
            let left = start as f64 - radius;
            let inside = (0..STEPS).map(move |step| left + f64::from(step) / f64::from(STEPS));
            inside.chain([left + 1.0 - BEFORE])
        };
        let support = (0..self.pieces.len()).flat_map(interval);
        let ends = [-radius - 0.5, -radius - BEFORE].into_iter().chain(support).chain([radius, radius + 0.5]);
        ends.map(|x| [x, self.at(x)]).collect()
    }
}

/// The value of a polynomial.
fn value(coefficients: &[f64], t: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, coefficient| sum * t + coefficient)
}

/// The convolution of `pieces` with the box: on its interval i, ∫₀ᵗ of piece i and ∫ₜ¹ of piece i − 1.
fn convolved(pieces: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let integral = |place: Option<usize>| {
        let coefficients = place.and_then(|place| pieces.get(place)).map_or(&[][..], Vec::as_slice);
        let terms = coefficients.iter().zip(1_u32..).map(|(coefficient, power)| coefficient / f64::from(power));
        [0.0].into_iter().chain(terms).collect::<Vec<f64>>()
    };
    let piece = |place: usize| {
        let (here, before) = (integral(Some(place)), integral(place.checked_sub(1)));
        let mut grown = vec![0.0; here.len().max(before.len())];
        grown.iter_mut().zip(&here).for_each(|(sum, term)| *sum += term);
        grown.iter_mut().zip(&before).for_each(|(sum, term)| *sum -= term);
        grown[0] += value(&before, 1.0);
        grown
    };
    (0..=pieces.len()).map(piece).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::Method;

    #[test]
    fn grown_splines_are_the_closed_forms_of_the_methods() {
        for degree in 0..=5 {
            let (grown, kernel) =
                (GrownSpline::new(degree), format!("bspline={degree}").parse::<Method>().expect("a B-spline").kernel());
            assert_eq!((grown.degree(), grown.radius()), (degree, kernel.radius));
            for step in -350..=350 {
                let x = f64::from(step) / 100.0;
                assert!((grown.at(x) - kernel.weight(x)).abs() < 1e-14, "degree {degree} at {x}");
            }
        }
    }

    /// The convolution as a Riemann sum of the midpoint rule, of error 1/24·h²·max|β″| and less than h at the box's jumps.
    #[test]
    fn each_degree_is_the_numerical_convolution_of_the_one_before_with_the_box() {
        const STEPS: u32 = 4000;
        for degree in 1..=GrownSpline::MAX_DEGREE {
            let (before, grown) = (GrownSpline::new(degree - 1), GrownSpline::new(degree));
            for step in -60..=60 {
                let x = f64::from(step) / 10.0 + 0.017;
                let node = |i: u32| before.at(x - 0.5 + (f64::from(i) + 0.5) / f64::from(STEPS));
                let sum: f64 = (0..STEPS).map(node).sum::<f64>() / f64::from(STEPS);
                let bound = if degree == 1 { 1.0 / f64::from(STEPS) } else { 1e-7 };
                assert!((grown.at(x) - sum).abs() < bound, "degree {degree} at {x}: {} {sum}", grown.at(x));
            }
        }
    }

    /// The truncated powers of the closed form (Unser, Aldroubi, Eden 1993, part I, equation 2.2), beyond the degrees of the
    /// methods: Σ (−1)^j (n+1 over j) max(0, x + (n+1)/2 − j)ⁿ / n!.
    #[test]
    fn high_degrees_are_the_sums_of_truncated_powers() {
        for degree in 6..=GrownSpline::MAX_DEGREE {
            let grown = GrownSpline::new(degree);
            let factorial: f64 = (1..=degree).map(|k| k as f64).product();
            for step in -120..=0 {
                let x = f64::from(step) / 20.0;
                let (mut binomial, mut sum) = (1.0, 0.0);
                for j in 0..=degree + 1 {
                    let sign = if j % 2 == 0 { 1.0 } else { -1.0 };
                    sum += sign * binomial * (x + grown.radius() - j as f64).max(0.0).powi(degree as i32);
                    binomial *= (degree + 1 - j) as f64 / (j + 1) as f64;
                }
                assert!((grown.at(x) - sum / factorial).abs() < 1e-10, "degree {degree} at {x}");
            }
        }
    }

    #[test]
    fn shifted_copies_sum_to_one_at_every_place() {
        for degree in 0..=GrownSpline::MAX_DEGREE {
            let grown = GrownSpline::new(degree);
            for step in 0..37 {
                let x = f64::from(step) / 37.0;
                let sum: f64 = (-8..=8).map(|k| grown.at(x - f64::from(k))).sum();
                assert!((sum - 1.0).abs() < 1e-13, "degree {degree} at {x}: {sum}");
            }
        }
    }

    #[test]
    fn curve_rises_in_x_and_ends_at_zero() {
        for degree in 0..=GrownSpline::MAX_DEGREE {
            let curve = GrownSpline::new(degree).curve();
            assert!(curve.is_sorted_by(|a, b| a[0] < b[0]), "degree {degree}");
            assert!(curve[0][1] == 0.0 && curve[curve.len() - 1][1] == 0.0, "degree {degree}");
        }
    }
}
