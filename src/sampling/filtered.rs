//! Weights of linear filtering by the texture unit: 9-bit fixed point.
//!
//! A bilinear fetch at position h between samples k and k + 1 has the weights 1 − α and α, where α is the fraction of h
//! rounded to 8 bits (CUDA C++ Programming Guide, "Linear Filtering"). Along an axis `nearest` is one point fetch and
//! `linear` one bilinear fetch. `bspline` merges its four samples into two fetches (Sigg and Hadwiger 2005; Ruijters et
//! al. 2008, equation 5). `catmull-rom` takes three: its outer weights are negative and stay single samples, the two inner
//! ones have the same sign and become one fetch.

use super::Method;

/// A fraction in [0, 1], rounded to a multiple of 1/256 as in the texture unit.
///
/// ```
/// assert_eq!(lerpscope::sampling::fixed_point_fraction(0.3), 77.0 / 256.0);
/// ```
pub fn fixed_point_fraction(fraction: f64) -> f64 {
    (fraction * 256.0).round() / 256.0
}

/// Replaces the exact weights of a position, of the samples from
/// [`MethodKernel::first_sample`](super::MethodKernel::first_sample) on, by those of linear filtering. Weights of methods
/// without the path `filtered` stay unchanged.
pub fn weigh_filtered(method: Method, weights: &mut [f64]) {
    let fetch = |pair: &mut [f64]| {
        let sum = pair[0] + pair[1];
        let alpha = fixed_point_fraction(pair[1] / sum);
        pair[0] = sum * (1.0 - alpha);
        pair[1] = sum * alpha;
    };
    match method {
        Method::Linear => fetch(&mut weights[..2]),
        Method::BSPLINE => weights[..4].chunks_exact_mut(2).for_each(fetch),
        Method::CATMULL_ROM => fetch(&mut weights[1..3]),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::super::MAX_TAPS;
    use super::*;

    #[test]
    fn filtered_weights_sum_to_one_and_stay_within_a_step() {
        for method in [Method::Linear, Method::BSPLINE, Method::CATMULL_ROM] {
            for i in 0..1000 {
                let x = f64::from(i) / 999.0;
                let mut exact = [0.0; MAX_TAPS];
                method.kernel().weights_at(x, &mut exact);
                let mut filtered = exact;
                weigh_filtered(method, &mut filtered);
                assert!((filtered.iter().sum::<f64>() - 1.0).abs() < 1e-12);
                for (f, e) in filtered.iter().zip(exact) {
                    // Half a step of a fetch whose weights sum to 1.125 at most.
                    assert!((f - e).abs() <= 1.125 * 0.5 / 256.0 + 1e-12, "{method} at {x}");
                }
            }
        }
    }
}
