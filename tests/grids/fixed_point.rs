//! The bound of values that the texture unit interpolates, and proof of it by rounded fractions on the CPU.
//!
//! A linear fetch is the multilinear interpolation between the 2^N stored values c of a cell, at a fraction along each axis. The
//! texture unit's fractions have 8 bits, so that along axis a it has α + ε in place of α, |ε| ≤ 1/256. The fetch is linear in α:
//! it moves by ε·Σ w·Δc, where Δc are the differences of neighbours along a in the cell and w the weights of the other axes, which
//! are not negative and whose sum is 1. That is at most the largest |Δc| of the cell by 256, whatever fractions the other axes
//! have, so that the axes, one after another, add up to
//!
//! ```text
//!   Σ over the axes a of max |Δc along a| / 256
//! ```
//!
//! The cubic B-spline is a sum of 2^N fetches whose weights are not negative and add up to 1: the same bound holds, with the
//! maximum over all cells that are fetched. c are the samples, or the coefficients of the prefilter, whose differences may exceed
//! those of the samples. Of four axes the outer one is summed with weights in single precision, which add no term.

use lerpscope::grid::GridSampler;
use lerpscope::sampling::{ADDRESS_MODES, Method, weigh_filtered};

use super::{double_grid, random_points, samples};

/// Stored values beyond each edge that a fetch may read.
const REACH: usize = 4;
/// Samples beyond those at which the recursions of the prefilter start: (2 − √3)^40 = 10⁻²³.
const WARM_UP: usize = 40;
/// Axes of a texture.
const TEXTURE_AXES: usize = 3;

/// Samples or coefficients in double precision, also beyond the edges.
pub(crate) struct Stored {
    values: Vec<f64>,
    /// Number of samples of each axis; [`REACH`] more values lie beyond both of its edges.
    shape: Vec<usize>,
    method: Method,
}

impl Stored {
    /// What `sampler` makes of one component of samples; its border is `border`.
    pub(crate) fn new(component: &[f64], shape: &[usize], sampler: &GridSampler, border: f64) -> Self {
        assert!([Method::Linear, Method::BSPLINE].contains(&sampler.method), "linear fetches have two neighbours");
        let mut values = component.to_vec();
        for (axis, &len) in shape.iter().enumerate() {
            let address = sampler.address[axis % sampler.address.len()];
            // Lines lie `inner` values apart, of the axes behind; those before have their further values already.
            let inner: usize = shape[axis + 1..].iter().product();
            let mut longer = vec![0.0; values.len() / len * (len + 2 * REACH)];
            let parts = values.chunks_exact(len * inner).zip(longer.chunks_exact_mut((len + 2 * REACH) * inner));
            for (from, to) in parts {
                for at in 0..inner {
                    let sample =
                        |k: i64| address.resolve(k, len as u32).map_or(border, |k| from[k as usize * inner + at]);
                    let line = line(sample, len, sampler.coefficients().is_some());
                    line.into_iter().enumerate().for_each(|(k, value)| to[k * inner + at] = value);
                }
            }
            values = longer;
        }
        Self { values, shape: shape.to_vec(), method: sampler.method }
    }

    /// Distance of neighbours along `axis`.
    fn stride(&self, axis: usize) -> usize {
        self.shape[axis + 1..].iter().map(|len| len + 2 * REACH).product()
    }

    /// Each tap of a point as its digits, 0 to taps − 1 for each axis, and its place; `None` where some tap is not kept.
    fn taps(&self, point: &[f64]) -> Option<impl Iterator<Item = (Vec<usize>, usize)>> {
        let kernel = self.method.kernel();
        let mut first = 0;
        for (axis, (&x, &len)) in point.iter().zip(&self.shape).enumerate() {
            let start = kernel.first_sample(x) as i64 + REACH as i64;
            let is_kept = start >= 0 && start + kernel.taps as i64 <= (len + 2 * REACH) as i64;
            first += is_kept.then_some(start as usize)? * self.stride(axis);
        }
        let strides: Vec<usize> = (0..self.shape.len()).map(|axis| self.stride(axis)).collect();
        let taps = kernel.taps;
        Some((0..taps.pow(self.shape.len() as u32)).map(move |mut tap| {
            let mut digits = vec![0; strides.len()];
            for digit in digits.iter_mut().rev() {
                *digit = tap % taps;
                tap /= taps;
            }
            let place = first + digits.iter().zip(&strides).map(|(digit, stride)| digit * stride).sum::<usize>();
            (digits, place)
        }))
    }

    /// The sum of largest differences along the axes, of neighbours in the cells that are fetched, or of all taps. 0 where not all
    /// taps are kept, since such points take the exact sum.
    fn differences(&self, point: &[f64], are_all: bool) -> f64 {
        let Some(all) = self.taps(point) else { return 0.0 };
        let last = self.method.kernel().taps - 1;
        let outer = self.shape.len().saturating_sub(TEXTURE_AXES);
        let mut largest = vec![0.0_f64; self.shape.len()];
        for (digits, place) in all {
            for axis in outer..self.shape.len() {
                if digits[axis] < last && (are_all || digits[axis].is_multiple_of(2)) {
                    let difference = self.values[place + self.stride(axis)] - self.values[place];
                    largest[axis] = largest[axis].max(difference.abs());
                }
            }
        }
        largest.iter().sum()
    }

    /// Largest error of a value at `point` by linear fetches.
    pub(crate) fn bound(&self, point: &[f64]) -> f64 {
        self.differences(point, false) / 256.0
    }

    /// The same where weights and fractions come from the table of 128 entries: the linear interpolation between its entries, of
    /// 16 bits, at a fraction of 8 bits, is off by less than 10⁻⁴. A fraction that is off so far moves a fetch by 10⁻⁴·|Δc|, a
    /// weight by 10⁻⁴ times the difference of two fetches, which is at most the sum of the three |Δc| of four taps: together
    /// 4·10⁻⁴ < 1/(3·256) of the largest |Δc| of all taps.
    #[cfg(feature = "cuda")]
    pub(crate) fn bound_by_table(&self, point: &[f64]) -> f64 {
        self.bound(point) + self.differences(point, true) / (3.0 * 256.0)
    }

    /// The sum by exact weights and by those of the texture unit.
    fn exact_and_rounded(&self, point: &[f64]) -> Option<[f64; 2]> {
        let taps = self.method.kernel().taps;
        let weights = |axis: usize| {
            let mut exact = vec![0.0; taps];
            self.method.kernel().weights_at(point[axis], &mut exact);
            let mut rounded = exact.clone();
            if axis + TEXTURE_AXES >= self.shape.len() {
                weigh_filtered(self.method, &mut rounded);
            }
            [exact, rounded]
        };
        let weights: Vec<[Vec<f64>; 2]> = (0..self.shape.len()).map(weights).collect();
        let all = self.taps(point)?;
        Some(all.fold([0.0; 2], |sums, (digits, place)| {
            [0, 1].map(|which| {
                let weight: f64 = digits.iter().zip(&weights).map(|(&digit, weights)| weights[which][digit]).product();
                sums[which] + weight * self.values[place]
            })
        }))
    }
}

/// A line of samples, or its coefficients, from [`REACH`] before it to as many behind. The recursions are those of the definition,
/// on the signal that goes on without end.
fn line(sample: impl Fn(i64) -> f64, len: usize, is_prefiltered: bool) -> Vec<f64> {
    if !is_prefiltered {
        return (0..len + 2 * REACH).map(|k| sample(k as i64 - REACH as i64)).collect();
    }
    let pole = 3.0_f64.sqrt() - 2.0;
    let beyond = REACH + WARM_UP;
    let mut values: Vec<f64> = (0..len + 2 * beyond).map(|k| 6.0 * sample(k as i64 - beyond as i64)).collect();
    for k in 1..values.len() {
        values[k] += pole * values[k - 1];
    }
    for k in (0..values.len() - 1).rev() {
        values[k] = pole * (values[k + 1] - values[k]);
    }
    values[WARM_UP..WARM_UP + len + 2 * REACH].to_vec()
}

#[test]
fn rounded_fractions_stay_within_half_the_bound_with_and_without_the_prefilter() {
    // The methods and numbers of axes that have linear fetches.
    for (method, prefilter, most) in
        [(Method::Linear, false, 3), (Method::BSPLINE, false, 4), (Method::BSPLINE, true, 4)]
    {
        for &shape in [&[117][..], &[40, 37], &[19, 11, 18], &[9, 8, 7, 6]].iter().take(most) {
            for row in &ADDRESS_MODES {
                let plain = GridSampler::of_method(method).with_address(row.address);
                let sampler = GridSampler { prefilter, border: [0.25, 0.0], ..plain };
                let stored = Stored::new(&samples(shape), shape, &sampler, 0.25);
                let points = random_points(shape, 2000, 8);
                let expected =
                    double_grid(shape).interpolator(&sampler).expect("served").sample(&points).expect("points");
                let (mut kept, mut largest) = (0, 0.0_f64);
                for (point, expected) in points.chunks_exact(shape.len()).zip(expected) {
                    let Some([exact, rounded]) = stored.exact_and_rounded(point) else {
                        assert_eq!(stored.bound(point), 0.0);
                        continue;
                    };
                    assert!((exact - expected).abs() < 1e-9, "{sampler:?} {shape:?} {point:?}: {exact} {expected}");
                    let (error, bound) = ((rounded - exact).abs(), stored.bound(point));
                    assert!(error <= 0.5 * bound + 1e-12, "{sampler:?} {shape:?} {point:?}: {error:e} {bound:e}");
                    (kept, largest) = (kept + 1, largest.max(if bound > 1e-9 { error / bound } else { 0.0 }));
                }
                // A bound that every error is far below would show nothing. Of the lines along an axis, 2 or 4 for each further axis,
                // one has the largest |Δc|, and the value is their mean.
                let least = 0.2_f64.powi(shape.len() as i32);
                assert!(kept >= 2 && largest > least, "{sampler:?} {shape:?}: {kept} points, {largest} of the bound");
            }
        }
    }
}
