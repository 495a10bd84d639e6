//! What CUDA kernels make of their arguments, in the same arithmetic, for tests without a GPU: kernels/weights.cuh and
//! kernels/kernel_curve.cuh, function by function.

use super::direct::DirectWeights;
use super::kernel_curve::{CurveForm, KernelCurve};
use super::weight_polynomials::{WeightForm, WeightPolynomials, taps_before};
use super::{Fetches, LaunchPlan};
use crate::backend::cuda::abi::arguments::WeightCurves;
use crate::sampling::{MethodKernel, WEIGHT_TABLE_LEN, weight_table};

/// The arguments of a launch and the memory that they point to.
pub(super) struct Launched {
    curves: WeightCurves,
    terms: Vec<[f32; 4]>,
    taps: usize,
}

impl Launched {
    pub(super) fn new(kernel: &MethodKernel, polynomials: &WeightPolynomials) -> Self {
        let terms = match polynomials {
            WeightPolynomials::Segments(terms, _) => terms.clone(),
            WeightPolynomials::Cubics(..) | WeightPolynomials::Lanczos(..) => Vec::new(),
        };
        Self { curves: polynomials.arguments(taps_before(kernel)), terms, taps: kernel.taps }
    }

    /// The weights that the entry of `plan` evaluates at `fraction`, by the forms that it is compiled for.
    pub(super) fn weights(&self, plan: LaunchPlan, fraction: f32) -> Vec<f32> {
        let any = || {
            if self.taps >= 4 && self.curves.lanczos != 0 {
                self.lanczos(fraction)
            } else if self.taps <= 4 && self.curves.segments == 0 {
                self.cubics(fraction)
            } else {
                self.segments(fraction)
            }
        };
        match plan {
            LaunchPlan::Tiled(_) | LaunchPlan::Columns(_) => any(),
            _ if self.taps == 1 => vec![1.0],
            LaunchPlan::Direct(direct) => match direct.weights {
                DirectWeights::Cubic => self.cubics(fraction),
                DirectWeights::Lanczos => self.lanczos(fraction),
            },
            LaunchPlan::Gather(form) | LaunchPlan::Points(form) => match (form, self.taps) {
                (WeightForm::Linear, _) => vec![1.0 - fraction, fraction],
                (WeightForm::SymmetricCubic, _) => self.symmetric(fraction),
                (WeightForm::Cubic | WeightForm::Lanczos | WeightForm::Segments, _) => any(),
            },
            LaunchPlan::Filtered(Fetches::Point | Fetches::Linear) => self.cubics(fraction),
            LaunchPlan::Filtered(Fetches::Pairs | Fetches::Middle) => self.symmetric(fraction),
            LaunchPlan::FilteredTable => looked_up(fraction),
            LaunchPlan::Passes | LaunchPlan::Memory | LaunchPlan::Warped => {
                panic!("{plan:?} evaluates no weights by fraction")
            }
        }
    }

    fn cubics(&self, fraction: f32) -> Vec<f32> {
        self.curves.cubics[..self.taps].iter().map(|terms| cubic_at(&terms.0, fraction)).collect()
    }

    fn symmetric(&self, f: f32) -> Vec<f32> {
        let (outer, inner) = (self.curves.outer, self.curves.inner);
        let outer_at = |u: f32| outer[1].mul_add(u, outer[0]) * (u * u);
        let inner_at = |d: f32| inner[2].mul_add(d, inner[1]).mul_add(d * d, inner[0]);
        vec![outer_at(1.0 - f), inner_at(f), inner_at(1.0 - f), outer_at(f)]
    }

    fn segments(&self, fraction: f32) -> Vec<f32> {
        let segments = self.curves.segments;
        let scaled = fraction * segments as f32;
        let segment = (scaled as i32).min(segments - 1);
        let t = scaled - segment as f32;
        let fourth = (t * t) * (t * t);
        let at = |row: usize| &self.terms[row * segments as usize + segment as usize];
        (0..self.taps).map(|tap| cubic_at(at(2 * tap + 1), t).mul_add(fourth, cubic_at(at(2 * tap), t))).collect()
    }

    fn lanczos(&self, f: f32) -> Vec<f32> {
        let [low, high] = [self.curves.cubics[0].0, self.curves.cubics[1].0];
        let sine_over = |x: f32| {
            let square = x * x;
            let high = high[1].mul_add(square, high[0]).mul_add(square, low[3]);
            high.mul_add(square, low[2]).mul_add(square, low[1]).mul_add(square, low[0])
        };
        let over_square = |numerator: f32, x: f32| numerator * x.recip() * x.recip();
        let g = 1.0 - f;
        let product = f * g;
        let (nearest, next) = (sine_over(f), sine_over(g));
        let (s, q) = (nearest * f * product, next * g * product);
        let (inner, outer) = (nearest * g, next * f);
        let mut weights = match self.taps {
            4 => vec![-over_square(q, 1.0 + f), inner, outer, -over_square(s, 1.0 + g)],
            6 => {
                let between = s + q;
                let [near, far] = [over_square(between, 1.0 + f), over_square(between, 1.0 + g)];
                vec![over_square(q, 2.0 + f), -near, inner, outer, -far, over_square(s, 2.0 + g)]
            }
            8 => {
                let cosine = std::f32::consts::SQRT_2.mul_add(q, s);
                let between = (cosine + s) * std::f32::consts::FRAC_1_SQRT_2;
                vec![
                    -over_square(q, 3.0 + f),
                    over_square(cosine, 2.0 + f),
                    -over_square(between, 1.0 + f),
                    inner,
                    outer,
                    -over_square(cosine, 1.0 + g),
                    over_square(between, 2.0 + g),
                    -over_square(s, 3.0 + g),
                ]
            }
            taps => panic!("no Lanczos kernel has {taps} taps"),
        };
        let sum: f32 = weights.iter().sum();
        let factor = if f == 0.0 { 0.0 } else { sum.recip() };
        weights.iter_mut().for_each(|weight| *weight *= factor);
        if f == 0.0 {
            weights[self.taps / 2 - 1] = 1.0;
        }
        weights
    }
}

/// The weights that `fetches_from` in kernels/filtered.cu makes of the look-up table.
fn looked_up(fraction: f32) -> Vec<f32> {
    let place = fraction * (WEIGHT_TABLE_LEN - 1) as f32;
    let entry = (place as usize).min(WEIGHT_TABLE_LEN - 2);
    let alpha = ((place - entry as f32) * 256.0).round() / 256.0;
    let between = |number: usize| {
        let [a, b] = [entry, entry + 1].map(|entry| f32::from(weight_table()[entry][number]));
        // The texture unit rounds a fetch from 16 bits.
        ((1.0 - alpha) * a + alpha * b).round() / 65535.0
    };
    let (g0, h0, h1) = (between(0), between(1), between(2));
    vec![g0 * (1.0 - h0), g0 * h0, (1.0 - g0) * (1.0 - h1), (1.0 - g0) * h1]
}

fn cubic_at(terms: &[f32; 4], t: f32) -> f32 {
    terms[3].mul_add(t, terms[2]).mul_add(t, terms[1]).mul_add(t, terms[0])
}

/// The samples of a position and their weights as `memory` makes them: the first sample, then the weights, divided by their sum
/// where the kernel divides them.
pub(super) fn memory_weights(kernel: &MethodKernel, curve: &KernelCurve, x: f64, stretch: f64) -> (f64, Vec<f64>) {
    let arguments = curve.arguments(kernel);
    let alone = || ((x + 0.5).floor(), vec![1.0]);
    let is_within = |d: f64| {
        (d > arguments.ends[0] && d < arguments.ends[1])
            || (d == arguments.ends[0] && arguments.closed[0] != 0)
            || (d == arguments.ends[1] && arguments.closed[1] != 0)
    };
    let divisor = if stretch > 0.0 { stretch } else { 1.0 };
    let (mut first, mut count) = if stretch > 0.0 {
        let reach = arguments.radius * stretch;
        let first = (x - reach).ceil();
        (first, ((x + reach).floor() - first).max(-1.0) as i32 + 1)
    } else if arguments.taps > 1 {
        (x.floor() - f64::from(arguments.taps_before), arguments.taps)
    } else {
        return alone();
    };
    let distance = |first: f64, k: i32| (x - (first + f64::from(k))) / divisor;
    while count > 0 && !is_within(distance(first, 0)) {
        first += 1.0;
        count -= 1;
    }
    while count > 0 && !is_within(distance(first, count - 1)) {
        count -= 1;
    }
    let place = (distance(first, 0) - arguments.ends[0]) * arguments.bins_a_sample;
    let step = arguments.bins_a_sample / divisor;
    let weight = |k: i32| match &curve.form {
        CurveForm::Polynomials(terms) => {
            let place = f64::from(-k).mul_add(step, place);
            let bin = (place as i32).clamp(0, arguments.bins);
            let t = place - f64::from(bin);
            terms[bin as usize].iter().rev().fold(0.0, |sum: f64, term| sum.mul_add(t, *term))
        }
        CurveForm::Lines { knots, first_knots } => {
            let d = distance(first, k);
            let bin =
                (((d - arguments.ends[0]) * arguments.bins_a_sample) as i32).clamp(0, arguments.bins - 1) as usize;
            let (mut knot, mut beyond) = (first_knots[bin], (first_knots[bin + 1] + 2).min(arguments.knot_count));
            while beyond - knot > 1 {
                let middle = (knot + beyond) / 2;
                if knots[middle as usize][0] <= d {
                    knot = middle;
                } else {
                    beyond = middle;
                }
            }
            let [at, w, slope, _] = knots[knot as usize];
            (d - at).mul_add(slope, w)
        }
    };
    let mut weights: Vec<f64> = (0..count).map(weight).collect();
    let (sum, magnitude) = weights.iter().fold((0.0, 0.0), |(sum, magnitude), w| (sum + w, magnitude + w.abs()));
    if stretch == 0.0 && arguments.is_normalized == 0 {
        return (first, weights);
    }
    if sum.abs() <= 1e-9 * f64::max(magnitude, 1.0) {
        return alone();
    }
    weights.iter_mut().for_each(|weight| *weight /= sum);
    (first, weights)
}
