//! Weights of 16 pixels as functions of the fraction of their positions.

use super::super::vectors::{PIXELS, Vectors};
use crate::sampling::{Family, MethodKernel};

/// The largest number of taps.
pub(super) const MAX_TAPS: usize = 8;

/// Weights of a kernel whose taps are smooth functions of the fraction on all of [0, 1].
pub(super) enum FractionWeights {
    /// 1 − t and t.
    Linear,
    /// Each weight is one cubic polynomial: its coefficients, the constant first.
    Cubic(Vec<[f32; 4]>),
    /// Weights at equidistant fractions, with cubic interpolation between them: within 10⁻⁷ of the definition.
    Table(Vec<[f32; MAX_TAPS]>),
}

/// The polynomials of linear interpolation.
const LINEAR: [[f32; 4]; 2] = [[1.0, -1.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]];
/// Steps of the table.
const STEPS: usize = 1024;

impl FractionWeights {
    /// `None` for a kernel of more taps, or with a kink between two samples.
    pub(super) fn new(kernel: &MethodKernel) -> Option<Self> {
        let is_smooth = kernel.taps == 1 || kernel.kinks().iter().all(|d| d.fract() == 0.0);
        if !is_smooth || kernel.taps > MAX_TAPS {
            return None;
        }
        let exact = |fraction: f64| -> [f64; MAX_TAPS] {
            let before = kernel.taps as f64 / 2.0 - 1.0;
            let mut weights = [0.0; MAX_TAPS];
            for (k, weight) in weights[..kernel.taps].iter_mut().enumerate() {
                *weight = if kernel.taps == 1 { 1.0 } else { kernel.weight(fraction + before - k as f64) };
            }
            if kernel.normalized {
                let sum: f64 = weights.iter().sum();
                weights.iter_mut().for_each(|weight| *weight /= sum);
            }
            weights
        };
        if kernel.family == Family::Cubic && !kernel.normalized {
            let [a, b, c, d] = [0.0, 0.25, 0.5, 0.75].map(exact);
            let polynomials = (0..kernel.taps).map(|tap| {
                // Newton's divided differences at those fractions, multiplied out.
                let [first, second] = [b[tap] - a[tap], c[tap] - 2.0 * b[tap] + a[tap]];
                let third = d[tap] - 3.0 * c[tap] + 3.0 * b[tap] - a[tap];
                let cubic = third * 32.0 / 3.0;
                let square = 8.0 * second - 8.0 * third;
                let linear = 4.0 * first - 2.0 * second + 4.0 / 3.0 * third;
                [a[tap] as f32, linear as f32, square as f32, cubic as f32]
            });
            let polynomials: Vec<[f32; 4]> = polynomials.collect();
            return Some(if polynomials == LINEAR { Self::Linear } else { Self::Cubic(polynomials) });
        }
        let table = (0..=STEPS).map(|step| exact(step as f64 / STEPS as f64).map(|weight| weight as f32));
        Some(Self::Table(table.collect()))
    }

    /// Weights of every tap at `fractions`.
    #[inline(always)]
    pub(super) fn vectors<V: Vectors, const TAPS: usize>(&self, simd: V, fractions: V::Floats) -> [V::Floats; TAPS] {
        let mut weights = [simd.splat(0.0); TAPS];
        match self {
            Self::Linear => {
                weights[0] = simd.add(simd.mul(fractions, simd.splat(-1.0)), simd.splat(1.0));
                weights[TAPS - 1] = fractions;
            }
            Self::Cubic(polynomials) => {
                let t = fractions;
                for (weights, polynomial) in weights.iter_mut().zip(polynomials) {
                    let [constant, linear, square, cubic] = *polynomial;
                    let sum = simd.add(simd.mul(simd.splat(cubic), t), simd.splat(square));
                    let sum = simd.add(simd.mul(sum, t), simd.splat(linear));
                    *weights = simd.add(simd.mul(sum, t), simd.splat(constant));
                }
            }
            Self::Table(_) => {
                let of_taps = self.at::<TAPS>(&simd.array(fractions));
                for tap in 0..TAPS {
                    weights[tap] = simd.floats(&of_taps[tap]);
                }
            }
        }
        weights
    }

    /// The same as arrays.
    #[inline(always)]
    pub(super) fn at<const TAPS: usize>(&self, fractions: &[f32; PIXELS]) -> [[f32; PIXELS]; TAPS] {
        let mut weights = [[0.0; PIXELS]; TAPS];
        match self {
            Self::Linear => {
                weights[0] = fractions.map(|t| 1.0 - t);
                weights[TAPS - 1] = *fractions;
            }
            Self::Cubic(polynomials) => {
                for (weights, &[constant, linear, square, cubic]) in weights.iter_mut().zip(polynomials) {
                    for pixel in 0..PIXELS {
                        let t = fractions[pixel];
                        weights[pixel] = ((cubic * t + square) * t + linear) * t + constant;
                    }
                }
            }
            Self::Table(table) => {
                for pixel in 0..PIXELS {
                    let place = fractions[pixel] * STEPS as f32;
                    // Lagrange's cubic through four neighbours at t = −1, 0, 1, 2; clamped at the ends, where kernels are not
                    // smooth.
                    let from = (place as usize).clamp(1, STEPS - 2) - 1;
                    let t = place - (from + 1) as f32;
                    let Some([a, b, c, d]) = table[from..].first_chunk() else {
                        unreachable!("a step within the table")
                    };
                    let (wa, wb) = (-t * (t - 1.0) * (t - 2.0) / 6.0, (t + 1.0) * (t - 1.0) * (t - 2.0) / 2.0);
                    let (wc, wd) = (-(t + 1.0) * t * (t - 2.0) / 2.0, (t + 1.0) * t * (t - 1.0) / 6.0);
                    for tap in 0..TAPS {
                        weights[tap][pixel] = wa * a[tap] + wb * b[tap] + wc * c[tap] + wd * d[tap];
                    }
                }
            }
        }
        weights
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::{MAX_TAPS as MOST, samples_of_methods};

    fn compare<const TAPS: usize>(kernel: &MethodKernel, weights: &FractionWeights) {
        let mut exact = [0.0; MOST];
        for step in 0..64 {
            let fractions: [f32; PIXELS] = std::array::from_fn(|pixel| (step * PIXELS + pixel) as f32 / 1024.0);
            let found = weights.at::<TAPS>(&fractions);
            for (pixel, &fraction) in fractions.iter().enumerate() {
                // The position of nearest's only sample is half a sample before its fraction.
                let shift = if kernel.taps == 1 { 0.5 } else { 0.0 };
                kernel.weights_at(100.0 + f64::from(fraction) - shift, &mut exact);
                for tap in 0..TAPS {
                    let error = (f64::from(found[tap][pixel]) - exact[tap]).abs();
                    assert!(error < 3e-7, "{} tap {tap} at {fraction}: {error}", kernel.method);
                }
            }
        }
    }

    #[test]
    fn weights_of_fractions_are_those_of_the_kernel() {
        let mut served = 0;
        for method in samples_of_methods() {
            let kernel = method.kernel();
            let Some(weights) = FractionWeights::new(&kernel) else { continue };
            served += 1;
            match kernel.taps {
                1 => compare::<1>(&kernel, &weights),
                2 => compare::<2>(&kernel, &weights),
                4 => compare::<4>(&kernel, &weights),
                6 => compare::<6>(&kernel, &weights),
                _ => compare::<8>(&kernel, &weights),
            }
        }
        assert!(served > 8, "{served}");
    }
}
