//! Weights of a kernel as functions of the fraction, in a form that many positions are weighed by quickly.
//!
//! A position x reads the samples from ⌊x + shift⌋ − before on. Its fraction α = x + shift − ⌊x + shift⌋ decides their
//! weights. The shift is ½ for kernels whose pieces join halfway between the integers (B-splines of even degree), which so
//! read the fewest samples, else 0.

use crate::sampling::{Family, MAX_TAPS, Method, MethodKernel, SplineDegree};

/// Weights of all samples of a position.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Weights {
    /// Polynomials of α of degree 3 at most, for up to four samples: row d has the coefficients of αᵈ.
    Cubic([[f64; 4]; 4]),
    /// Chebyshev series in 2α − 1: row j has the coefficients of T_j, one for each sample.
    Series {
        /// The coefficients.
        rows: Vec<Vec<f64>>,
        /// Whether weights are divided by their sum.
        is_normalized: bool,
    },
    /// By the definition.
    Direct(MethodKernel),
}

/// The samples that a position reads, and their weights.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fractions {
    /// Number of samples.
    pub(crate) taps: usize,
    /// Added to a position before it is rounded down.
    pub(crate) shift: f64,
    /// Samples before the one at ⌊x + shift⌋.
    pub(crate) before: usize,
    /// Weights, and their first and second derivatives by the position where the method has them.
    pub(crate) weights: Vec<Weights>,
}

/// Terms of a series: enough for double precision of `lanczos=1`, the shortest.
const TERMS: usize = 24;
/// Terms below this magnitude are left out.
const NEGLIGIBLE: f64 = 1e-16;

/// Whether the kinks of a method's kernel all have this fraction.
fn has_kinks_at(kernel: &MethodKernel, fraction: f64) -> bool {
    kernel.kinks().iter().all(|d| d.abs().fract() == fraction)
}

/// Number of samples that a position reads, and the shift of its fraction.
fn taps_and_shift(kernel: &MethodKernel) -> (usize, f64) {
    match kernel.method {
        Method::Gaussian { .. } | Method::Custom(_) => (kernel.taps, 0.0),
        _ if has_kinks_at(kernel, 0.5) => (2 * kernel.radius.floor() as usize + 1, 0.5),
        _ => (kernel.taps, 0.0),
    }
}

/// Whether the weights of a method are cubics of the fraction.
fn is_cubic(kernel: &MethodKernel) -> bool {
    kernel.family == Family::Cubic || kernel.method == Method::BSpline(SplineDegree::Quadratic)
}

/// Number of samples that a position reads, 1 to 4, of a method whose weights are [`Weights::Cubic`]; `None` of any other.
#[cfg(feature = "cuda")]
pub(crate) fn cubic_taps(kernel: &MethodKernel) -> Option<usize> {
    is_cubic(kernel).then(|| taps_and_shift(kernel).0)
}

/// Whether a position x reads the samples from ⌊x⌋ − taps/2 + 1 on, as in pictures.
#[cfg(feature = "cuda")]
pub(crate) fn reads_as_pictures(kernel: &MethodKernel) -> bool {
    taps_and_shift(kernel) == (kernel.taps, 0.0)
}

impl Fractions {
    pub(super) fn new(method: Method) -> Self {
        let kernel = method.kernel();
        let (taps, shift) = taps_and_shift(&kernel);
        let before = if taps == 1 { 0 } else { (taps - 1) / 2 };
        let weight = |tap: usize, alpha: f64| kernel.weight(alpha - shift + before as f64 - tap as f64);
        let is_smooth = !matches!(method, Method::Gaussian { .. } | Method::Custom(_))
            && (has_kinks_at(&kernel, 0.0) || has_kinks_at(&kernel, 0.5));
        let mut weights = vec![if method == Method::Nearest {
            Weights::Cubic([[1.0, 0.0, 0.0, 0.0], [0.0; 4], [0.0; 4], [0.0; 4]])
        } else if is_cubic(&kernel) {
            Weights::cubic(taps, weight)
        } else if is_smooth {
            Weights::series(taps, kernel.normalized, weight)
        } else {
            Weights::Direct(kernel)
        }];
        if let Method::BSpline(_) = method {
            for order in 0..2 {
                weights.push(weights[order].derivative());
            }
        }
        Self { taps, shift, before, weights }
    }

    /// Index of the first sample of position `x`, and the weights' derivatives of `order`.
    pub(super) fn at(&self, x: f64, order: usize, weights: &mut [f64; MAX_TAPS]) -> f64 {
        let floor = (x + self.shift).floor();
        match &self.weights[order] {
            Weights::Direct(kernel) => kernel.weights_at(x, weights),
            other => other.at(x + self.shift - floor, &mut weights[..self.taps]),
        }
        floor - self.before as f64
    }
}

impl Weights {
    /// The cubics through the weights at α = 0, ⅓, ⅔ and 1. At α = 0 they are the weights themselves, to the last bit.
    fn cubic(taps: usize, weight: impl Fn(usize, f64) -> f64) -> Self {
        let mut rows = [[0.0; 4]; 4];
        (0..taps).for_each(|tap| {
            let [a, b, c, d] = [0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0].map(|alpha| weight(tap, alpha));
            rows[0][tap] = a;
            rows[1][tap] = (-11.0 * a + 18.0 * b - 9.0 * c + 2.0 * d) / 2.0;
            rows[2][tap] = 4.5 * (2.0 * a - 5.0 * b + 4.0 * c - d);
            rows[3][tap] = 4.5 * (3.0 * (b - c) - a + d);
        });
        Self::Cubic(rows)
    }

    /// The series that agree with the weights at the zeros of the Chebyshev polynomial of degree [`TERMS`].
    fn series(taps: usize, is_normalized: bool, weight: impl Fn(usize, f64) -> f64) -> Self {
        let angle = |node: usize| std::f64::consts::PI * (node as f64 + 0.5) / TERMS as f64;
        let mut rows = vec![vec![0.0; taps]; TERMS];
        for (j, row) in rows.iter_mut().enumerate() {
            for (tap, coefficient) in row.iter_mut().enumerate() {
                let term = |node| weight(tap, 0.5 + 0.5 * angle(node).cos()) * (j as f64 * angle(node)).cos();
                let sum: f64 = (0..TERMS).map(term).sum();
                *coefficient = sum * if j == 0 { 1.0 } else { 2.0 } / TERMS as f64;
            }
        }
        let is_negligible = |row: &Vec<f64>| row.iter().all(|c| c.abs() < NEGLIGIBLE);
        while rows.len() > 1 && rows.last().is_some_and(is_negligible) {
            rows.pop();
        }
        Self::Series { rows, is_normalized }
    }

    /// The derivative by α.
    fn derivative(&self) -> Self {
        match self {
            Self::Cubic(rows) => {
                let scaled = |d: usize| rows[d].map(|c| c * d as f64);
                Self::Cubic([scaled(1), scaled(2), scaled(3), [0.0; 4]])
            }
            Self::Series { rows, is_normalized } => {
                let taps = rows[0].len();
                let mut derived = vec![vec![0.0; taps]; rows.len() + 1];
                // d T_j: c′[j−1] = c′[j+1] + 2·j·c[j]; and twice that, since the argument is 2α − 1.
                for j in (1..rows.len()).rev() {
                    for tap in 0..taps {
                        derived[j - 1][tap] = derived[j + 1][tap] + 4.0 * j as f64 * rows[j][tap];
                    }
                }
                derived[0].iter_mut().for_each(|c| *c /= 2.0);
                derived.truncate((rows.len() - 1).max(1));
                Self::Series { rows: derived, is_normalized: *is_normalized }
            }
            Self::Direct(kernel) => Self::Direct(*kernel),
        }
    }

    /// Weights at the fraction `alpha`; not of [`Weights::Direct`], which needs the position.
    pub(super) fn at(&self, alpha: f64, weights: &mut [f64]) {
        match self {
            Self::Cubic(rows) => {
                for (tap, weight) in weights.iter_mut().enumerate() {
                    *weight = rows[0][tap] + alpha * (rows[1][tap] + alpha * (rows[2][tap] + alpha * rows[3][tap]));
                }
            }
            Self::Series { rows, is_normalized } => {
                clenshaw(rows, 2.0 * alpha - 1.0, weights);
                if *is_normalized {
                    let sum: f64 = weights.iter().sum();
                    weights.iter_mut().for_each(|weight| *weight /= sum);
                }
            }
            Self::Direct(_) => unreachable!("weights by the definition depend on the position"),
        }
    }
}

/// Σ rows\[j\]·T_j(u) for each sample (Clenshaw 1955).
#[inline(always)]
fn clenshaw(rows: &[Vec<f64>], u: f64, sums: &mut [f64]) {
    let taps = sums.len();
    let mut next = [0.0; MAX_TAPS];
    sums.fill(0.0);
    for row in rows[1..].iter().rev() {
        for ((sum, next), c) in sums.iter_mut().zip(&mut next[..taps]).zip(row) {
            let this = c + 2.0 * u * *sum - *next;
            *next = *sum;
            *sum = this;
        }
    }
    for ((sum, next), c) in sums.iter_mut().zip(&next[..taps]).zip(&rows[0]) {
        *sum = c + u * *sum - next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::samples_of_methods;

    #[test]
    fn weights_are_those_of_the_definition_in_double_precision() {
        let mut random = fastrand::Rng::with_seed(5);
        for method in samples_of_methods() {
            let (kernel, fractions) = (method.kernel(), Fractions::new(method));
            let (mut found, mut expected) = ([0.0; MAX_TAPS], [0.0; MAX_TAPS]);
            for case in 0..200 {
                let x = if case < 9 { f64::from(case) * 0.5 } else { 20.0 * random.f64() - 10.0 };
                let first = fractions.at(x, 0, &mut found);
                kernel.weights_at(x, &mut expected);
                let shift = (first - kernel.first_sample(x)) as usize;
                for (k, weight) in expected[..kernel.taps].iter().enumerate() {
                    let own = k.checked_sub(shift).filter(|k| *k < fractions.taps).map_or(0.0, |k| found[k]);
                    assert!((own - weight).abs() < 4e-15, "{method} at {x}, sample {k}: {own} {weight}");
                }
            }
        }
    }

    #[test]
    fn cubics_at_samples_are_exact() {
        let mut weights = [0.0; MAX_TAPS];
        for method in [Method::Linear, Method::CATMULL_ROM, Method::Hermite] {
            Fractions::new(method).at(7.0, 0, &mut weights);
            assert!(weights.iter().all(|&weight| weight == 0.0 || weight == 1.0), "{method}: {weights:?}");
        }
    }

    #[test]
    fn derivatives_of_bspline_weights_are_those_of_differences() {
        let h = 1e-5;
        for text in ["bspline=2", "bspline=3", "bspline=4", "bspline=5"] {
            let fractions = Fractions::new(text.parse().expect("a method"));
            for step in 1..40 {
                let x = 3.0 + f64::from(step) / 40.3;
                let mut all = [[0.0; MAX_TAPS]; 3];
                for order in 0..2 {
                    let first = [x - h, x + h, x].map(|x| {
                        let mut weights = [0.0; MAX_TAPS];
                        let first = fractions.at(x, order, &mut weights);
                        all.rotate_left(1);
                        all[2] = weights;
                        first
                    });
                    if first[0] != first[1] {
                        continue;
                    }
                    let mut derived = [0.0; MAX_TAPS];
                    fractions.at(x, order + 1, &mut derived);
                    for k in 0..fractions.taps {
                        let difference = (all[1][k] - all[0][k]) / (2.0 * h);
                        assert!((difference - derived[k]).abs() < 1e-8, "{text} order {order} at {x}");
                    }
                }
            }
        }
    }
}
