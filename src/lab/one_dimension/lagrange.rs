//! The polynomial through all samples.

use super::Signal;

/// The polynomial of degree M − 1 through M samples, in the second barycentric form (Berrut and Trefethen 2004, equation
/// 4.2). At equally spaced nodes its weights are (−1)^k·(M−1 over k).
///
/// It reads no address mode. Between equally spaced samples of a smooth function it may swing out the further, the more
/// samples there are (Runge 1901), which splines do not.
#[derive(Clone, Debug, PartialEq)]
pub struct Lagrange {
    samples: Vec<f64>,
    weights: Vec<f64>,
}

impl Lagrange {
    /// The polynomial through the samples of `signal`.
    ///
    /// ```
    /// use lerpscope::lab::one_dimension::{Lagrange, Signal};
    /// use lerpscope::sampling::AddressMode;
    /// let squares = Signal::new(vec![0.0, 1.0, 4.0], AddressMode::Clamp, 0.0)?;
    /// assert!((Lagrange::new(&squares).at(1.5) - 2.25).abs() < 1e-12);
    /// # Ok::<(), lerpscope::lab::one_dimension::SignalError>(())
    /// ```
    pub fn new(signal: &Signal) -> Self {
        let samples = signal.samples().to_vec();
        let degree = samples.len() - 1;
        let next = |weight: &mut f64, k: usize| {
            let here = *weight;
            *weight *= -((degree - k) as f64) / (k + 1) as f64;
            Some(here)
        };
        let weights = (0..=degree).scan(1.0, next).collect();
        Self { samples, weights }
    }

    /// Its degree.
    pub fn degree(&self) -> usize {
        self.samples.len() - 1
    }

    /// Its value at `x`.
    pub fn at(&self, x: f64) -> f64 {
        let (mut above, mut below) = (0.0, 0.0);
        for (k, (sample, weight)) in self.samples.iter().zip(&self.weights).enumerate() {
            let distance = x - k as f64;
            if distance == 0.0 {
                return *sample;
            }
            above += weight / distance * sample;
            below += weight / distance;
        }
        above / below
    }

    /// Its curve at `positions`.
    pub fn curve(&self, positions: &[f64]) -> Vec<[f64; 2]> {
        positions.iter().map(|&x| [x, self.at(x)]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Preset;
    use super::*;
    use crate::sampling::AddressMode;

    fn of(samples: Vec<f64>) -> Lagrange {
        Lagrange::new(&Signal::new(samples, AddressMode::Clamp, 0.0).expect("a line"))
    }

    /// The product form of the definition: Σ f[k]·Π (x − j)/(k − j) over j ≠ k.
    fn by_products(samples: &[f64], x: f64) -> f64 {
        let product = |k: usize| {
            let factor = |j: usize| (x - j as f64) / (k as f64 - j as f64);
            (0..samples.len()).filter(|j| *j != k).map(factor).product::<f64>()
        };
        samples.iter().enumerate().map(|(k, sample)| sample * product(k)).sum()
    }

    #[test]
    fn value_is_that_of_the_products_of_the_definition() {
        for count in [1, 2, 3, 7, 12] {
            let samples: Vec<f64> = (0..count).map(|k| f64::from(k * 29 % 13) / 13.0).collect();
            let polynomial = of(samples.clone());
            for step in -10..=10 * count {
                let x = f64::from(step) / 10.0 + 0.003;
                let (found, expected) = (polynomial.at(x), by_products(&samples, x));
                assert!(
                    (found - expected).abs() < 1e-9 * (1.0 + expected.abs()),
                    "{count} at {x}: {found}, {expected}"
                );
            }
        }
    }

    #[test]
    fn polynomial_of_a_low_degree_is_reproduced_beyond_the_edges_too() {
        let cubic = |x: f64| 0.5 - x + 0.25 * x * x - 0.125 * x.powi(3);
        let polynomial = of((0..6).map(|k| cubic(f64::from(k))).collect());
        for x in [-3.0, -0.5, 0.1, 2.5, 4.99, 8.0] {
            assert!((polynomial.at(x) - cubic(x)).abs() < 1e-11, "{x}");
        }
    }

    #[test]
    fn most_samples_have_finite_values_everywhere() {
        let polynomial = of((0..64).map(|k| f64::from(k % 5)).collect());
        for step in -20..660 {
            assert!(polynomial.at(f64::from(step) / 10.0).is_finite(), "{step}");
        }
        assert_eq!(polynomial.at(63.0), 3.0);
    }

    /// Runge 1901: between 11 equally spaced samples of 1/(1 + 25t²) on [−1, 1] the error reaches 1.92 near t = ±0.95
    /// (1.9157 by scipy.interpolate.KroghInterpolator on 200,001 places), and it grows with the number of samples.
    #[test]
    fn error_through_runges_samples_grows_with_their_number() {
        let worst = |count: usize| {
            let signal = Preset::Runge.signal(count);
            let polynomial = Lagrange::new(&signal);
            let error = |step: u32| {
                let t = f64::from(step) / 10_000.0 - 1.0;
                let x = (t + 1.0) / 2.0 * signal.last();
                (polynomial.at(x) - 1.0 / (1.0 + 25.0 * t * t)).abs()
            };
            (0..=20_000).map(error).fold(0.0, f64::max)
        };
        assert!((worst(11) - 1.9157).abs() < 1e-3, "{}", worst(11));
        let errors = [5, 9, 13, 17, 21].map(worst);
        assert!(errors.is_sorted_by(|a, b| a < b), "{errors:?}");
    }
}
