//! Twin: kernels/kernel_curve.cuh. A kernel w(d) over its whole support, for the CUDA kernel that evaluates weights at any
//! distance: rotated views of stretched kernels, of kernels with many taps, and of images larger than a texture.

use super::weight_polynomials::{chebyshev_extrema, taps_before, through};
use crate::backend::cuda::abi::arguments::KernelCurve as CurveArguments;
use crate::sampling::MethodKernel;

/// The largest error of a polynomial. The weights of a narrowed kernel may sum to 3·10⁻⁴ before they are divided by their
/// sum, so it is far below the 2·10⁻⁶ of a result.
const MAX_ERROR: f64 = 1e-11;
/// The most bins of polynomials.
const MAX_BINS: usize = 2048;
/// The most bins of straight lines: as many as a custom table has rows.
const MAX_LINE_BINS: usize = 65_536;

/// w(d) between its ends; beyond them w is 0.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct KernelCurve {
    /// The least and the largest distance with a weight.
    ends: [f64; 2],
    /// How w is evaluated.
    pub(crate) form: CurveForm,
}

/// How w is evaluated.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum CurveForm {
    /// Degree seven in t, 0 ≤ t ≤ 1 over each of the bins of equal width: eight coefficients from the constant on. The last
    /// entry, one beyond the bins, is the constant w of the upper end.
    Polynomials(Vec<[f64; 8]>),
    /// Straight lines between knots.
    Lines {
        /// d, w(d), the slope up to the next knot, and 0.
        knots: Vec<[f64; 4]>,
        /// For the start of each of the bins of equal width and for the end of the last one: the last knot at or before it.
        first_knots: Vec<i32>,
    },
}

impl KernelCurve {
    /// The curve of `kernel`: polynomials if some number of bins fits it and has all kinks on edges of bins, else straight
    /// lines between its kinks, if w is straight there.
    pub(crate) fn new(kernel: &MethodKernel) -> Option<Self> {
        let kinks = kernel.kinks();
        let ends = [*kinks.first()?, *kinks.last()?];
        let form = polynomials(kernel, &kinks, ends).or_else(|| lines(kernel, &kinks, ends))?;
        Some(Self { ends, form })
    }

    /// The numbers that travel with a launch. The caller sets the addresses of `terms` and `first_knots`.
    pub(crate) fn arguments(&self, kernel: &MethodKernel) -> CurveArguments {
        let (bins, knot_count) = match &self.form {
            CurveForm::Polynomials(terms) => (terms.len() - 1, 0),
            CurveForm::Lines { knots, first_knots } => (first_knots.len() - 1, knots.len()),
        };
        CurveArguments {
            radius: kernel.radius,
            ends: self.ends,
            bins_a_sample: bins as f64 / (self.ends[1] - self.ends[0]),
            bins: bins as i32,
            knot_count: knot_count as i32,
            closed: self.ends.map(|end| i32::from(kernel.weight(end) != 0.0)),
            taps: kernel.taps as i32,
            taps_before: taps_before(kernel),
            is_normalized: i32::from(kernel.normalized),
            ..CurveArguments::default()
        }
    }
}

/// As few bins as the error and the kinks allow.
fn polynomials(kernel: &MethodKernel, kinks: &[f64], [low, high]: [f64; 2]) -> Option<CurveForm> {
    /// The most bins that are tried for the kinks alone.
    const MAX_BASE: usize = 64;
    let is_whole = |value: f64| (value - value.round()).abs() <= 1e-9;
    let aligned = |bins: usize| kinks.iter().all(|kink| is_whole((kink - low) / (high - low) * bins as f64));
    let least = (1..=MAX_BASE).find(|&bins| aligned(bins))?;
    // Bins of one sample, if the ends allow it: then whole distances, where a kernel that interpolates is 0, are edges.
    let whole = (high - low).round() as usize;
    let base = if is_whole(high - low) && aligned(whole) { whole } else { least };
    let mut parts = 1;
    while base * parts <= MAX_BINS {
        if let Some(terms) = fitted(kernel, [low, high], base * parts) {
            return Some(CurveForm::Polynomials(terms));
        }
        parts += 1 + parts / 4;
    }
    None
}

/// The coefficients of all bins and the constant beyond them, if all fit.
fn fitted(kernel: &MethodKernel, [low, high]: [f64; 2], bins: usize) -> Option<Vec<[f64; 8]>> {
    const PLACES: usize = 16;
    let width = (high - low) / bins as f64;
    // The ends from within.
    let within = [low, high].map(|end| end * (1.0 - 1e-15));
    let weight = |bin: usize, t: f64| kernel.weight(((bin as f64 + t) * width + low).clamp(within[0], within[1]));
    let places = chebyshev_extrema::<8>();
    let mut terms = Vec::with_capacity(bins + 1);
    for bin in 0..bins {
        let polynomial = through(places, places.map(|t| weight(bin, t)));
        for place in 0..PLACES {
            let t = (place as f64 + 0.5) / PLACES as f64;
            let value = polynomial.iter().rev().fold(0.0, |sum, term| sum * t + term);
            let error = (value - weight(bin, t)).abs();
            if error > MAX_ERROR || error.is_nan() {
                return None;
            }
        }
        terms.push(polynomial);
    }
    terms.push([weight(bins, 0.0), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    Some(terms)
}

/// Straight lines between kinks, if w is straight there.
fn lines(kernel: &MethodKernel, kinks: &[f64], [low, high]: [f64; 2]) -> Option<CurveForm> {
    let mut knots: Vec<[f64; 4]> = kinks.iter().map(|&d| [d, kernel.weight(d), 0.0, 0.0]).collect();
    for place in 1..knots.len() {
        let [[d, w, ..], [next, after, ..]] = [knots[place - 1], knots[place]];
        if (kernel.weight(0.5 * (d + next)) - 0.5 * (w + after)).abs() > MAX_ERROR {
            return None;
        }
        knots[place - 1][2] = (after - w) / (next - d);
    }
    let bins = (2 * knots.len()).min(MAX_LINE_BINS);
    // A little early, so that a distance whose bin is rounded up still finds its knot.
    let early = 1e-12 * (high - low);
    let mut first_knots = Vec::with_capacity(bins + 1);
    let mut knot = 0;
    for bin in 0..=bins {
        let start = (high - low) * (bin as f64 / bins as f64) + low - early;
        while knot + 1 < knots.len() && knots[knot + 1][0] <= start {
            knot += 1;
        }
        first_knots.push(knot as i32);
    }
    Some(CurveForm::Lines { knots, first_knots })
}
