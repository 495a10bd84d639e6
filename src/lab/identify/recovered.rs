//! The kernel without a name: its values at distances, by least squares over the phases of the pixels.
//!
//! w is a sum of hats at knots, Σ θ_m·hat(|d|/h − m). The prediction is quadratic in θ, since w weighs both axes; Gauss and
//! Newton's method solves it from the kernel of the best hypothesis. Where the scale is a quotient of small whole numbers,
//! distances take few values, and the knots are these.

use rayon::prelude::*;

use super::fit::Normal;
use super::geometry::{Convention, Widening};
use super::hypothesis::{Hypothesis, Score};
use super::inside::Inside;
use super::pair::AxisPair;
use super::passes::Passes;
use super::predict::{Rows, predict};
use super::shape::Shape;
use crate::sampling::Method;

/// Largest distance of a dot, in units of the kernel, of kernels that are no wider.
const REACH: f64 = 4.5;
/// Knots to a unit, where distances take many values.
const KNOTS: f64 = 16.0;
/// Most knots.
const MOST_KNOTS: usize = 144;
/// Steps of Gauss and Newton's method.
const STEPS: usize = 5;
/// Largest standard error of a dot.
const MOST_ERROR: f64 = 0.05;

/// A value of a recovered kernel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dot {
    /// Distance from the sample, at least 0: in samples, of a widened kernel in widths of a pixel.
    pub distance: f64,
    /// The weight, times the widening.
    pub weight: f64,
    /// Its standard error.
    pub error: f64,
}

/// A recovered kernel.
pub(super) struct Recovered {
    pub(super) dots: Vec<Dot>,
    /// Its residual.
    pub(super) score: Score,
}

/// Recovers the kernel, with the positions and the widening of `hypothesis`.
pub(super) fn recover(inside: &Inside<'_>, hypothesis: Hypothesis) -> Recovered {
    let knots = Knots::new(inside, hypothesis);
    // Prefilter and Gaussian are part of the recovered kernel: the samples stay as they are.
    let widening = match hypothesis.widening {
        Widening::Off | Widening::Gaussian => Widening::Off,
        Widening::Kernel => Widening::Kernel,
    };
    let plain = Hypothesis { shape: Shape::plain(Method::Linear), widening, ..hypothesis };
    let mut theta: Vec<f64> = (0..knots.count).map(|m| knots.start(inside, hypothesis, m)).collect();
    let rows_of = |axis: usize, weight: &dyn Fn(f64) -> f64| {
        let stretch = widening.stretch(&inside.pair.axes[axis]);
        let reach = knots.reach * stretch;
        inside.model(plain, axis).rows_of(reach, inside.pixels(axis), |d| weight((d / stretch).abs()) / stretch)
    };
    let whole = |theta: &[f64]| [0, 1].map(|axis| rows_of(axis, &|d| knots.value(theta, d)));
    let [columns, rows] = whole(&theta);
    let field = inside.field(plain, &columns, &rows);
    let predicted = |[columns, rows]: [&Rows; 2]| predict(&field, columns, rows, Passes::EXACT);
    let residuals = |theta: &[f64]| {
        let [columns, rows] = whole(theta);
        inside.grid.residuals(inside.pair, &predicted([&columns, &rows]))
    };
    let hats: Vec<[Rows; 2]> =
        (0..knots.count).map(|m| [0, 1].map(|axis| rows_of(axis, &|d| knots.hat(m, d)))).collect();
    let mut current = residuals(&theta);
    let mut errors = vec![f64::INFINITY; knots.count];
    for _ in 0..STEPS {
        let [columns, rows] = whole(&theta);
        let derivatives: Vec<Vec<f64>> = hats
            .par_iter()
            .map(|[hat_x, hat_y]| {
                let along_y = predicted([&columns, hat_y]);
                let sum = predicted([hat_x, &rows]).into_iter().zip(along_y).map(|(x, y)| x + y);
                // A clamped pixel says nothing.
                sum.zip(&current).map(|(sum, residual)| if *residual == 0.0 { 0.0 } else { sum }).collect()
            })
            .collect();
        let energy = |m: &usize| derivatives[*m].iter().map(|value| value * value).sum::<f64>();
        let most = (0..knots.count).map(|m| energy(&m)).fold(0.0, f64::max);
        let seen: Vec<usize> = (0..knots.count).filter(|m| energy(m) > 1e-6 * most).collect();
        let columns: Vec<Vec<f64>> = seen.iter().map(|&m| derivatives[m].clone()).collect();
        let mut normal = Normal::new(&columns, &current);
        // A millionth of the mean keeps combinations that no pixel shows from growing.
        let trace: f64 = (0..seen.len()).map(|m| normal.matrix[m * seen.len() + m]).sum();
        for m in 0..seen.len() {
            normal.matrix[m * seen.len() + m] += 1e-6 * trace / seen.len() as f64;
        }
        let Some(factor) = normal.factor() else { break };
        let mut moved = theta.clone();
        seen.iter().zip(factor.solve(&normal.right)).for_each(|(&m, step)| moved[m] += step);
        let next = residuals(&moved);
        let variance = squares(&next) / next.len().saturating_sub(seen.len()).max(1) as f64;
        let inverse = factor.inverse_diagonal();
        seen.iter().zip(inverse).for_each(|(&m, inverse)| errors[m] = (variance * inverse).sqrt());
        let has_improved = squares(&next) < squares(&current) * (1.0 - 1e-6);
        if squares(&next) <= squares(&current) {
            (theta, current) = (moved, next);
        }
        if !has_improved {
            break;
        }
    }
    let dot = |m: usize| Dot { distance: m as f64 * knots.spacing, weight: theta[m], error: errors[m] };
    let dots = (0..knots.count).map(dot).filter(|dot| dot.error <= MOST_ERROR).collect();
    Recovered { dots, score: Score::new(&current, inside.pair.step) }
}

fn squares(values: &[f64]) -> f64 {
    values.iter().map(|value| value * value).sum()
}

/// The knots of a recovered kernel.
#[derive(Clone, Copy, Debug)]
struct Knots {
    count: usize,
    spacing: f64,
    reach: f64,
}

impl Knots {
    fn new(inside: &Inside<'_>, hypothesis: Hypothesis) -> Self {
        let Hypothesis { shape, convention, widening } = hypothesis;
        let axes = &inside.pair.axes;
        let wide = |axis: &AxisPair| match widening {
            Widening::Off => shape.radius(axis) + 0.5,
            Widening::Kernel => 0.0,
            Widening::Gaussian => 4.0 * widening.sigma(axis) + 2.0,
        };
        let reach = axes.iter().map(wide).fold(REACH, f64::max);
        let fine = (KNOTS).min(MOST_KNOTS as f64 / 2.0 / reach);
        let per_unit = match lattice(axes, convention, widening) {
            Some(per_unit) if per_unit * reach <= MOST_KNOTS as f64 => per_unit,
            _ => fine,
        };
        let count = (reach * per_unit).floor() as usize + 1;
        Self { count, spacing: 1.0 / per_unit, reach: count as f64 / per_unit }
    }

    /// The hat of knot `m` at distance `d`.
    fn hat(&self, m: usize, d: f64) -> f64 {
        (1.0 - (d / self.spacing - m as f64).abs()).max(0.0)
    }

    /// Σ θ_m·hat_m(d).
    fn value(&self, theta: &[f64], d: f64) -> f64 {
        let place = d / self.spacing;
        let (m, share) = (place.floor() as usize, place.fract());
        let at = |m: usize| theta.get(m).copied().unwrap_or(0.0);
        at(m) * (1.0 - share) + if share > 0.0 { at(m + 1) * share } else { 0.0 }
    }

    /// Where knot `m` starts: the kernel of `hypothesis`, of filtered samples one like it.
    fn start(&self, inside: &Inside<'_>, hypothesis: Hypothesis, m: usize) -> f64 {
        let (axis, d) = (&inside.pair.axes[0], m as f64 * self.spacing);
        match (hypothesis.widening, hypothesis.shape) {
            (Widening::Gaussian, _) => {
                let sigma = (hypothesis.widening.sigma(axis).powi(2) + 0.2).sqrt();
                (-0.5 * (d / sigma).powi(2)).exp() / (sigma * std::f64::consts::TAU.sqrt())
            }
            (_, shape) if shape.coefficients().is_some() => Method::CATMULL_ROM.kernel().weight(d),
            (_, Shape::Area) => Shape::Area.weight(axis, d) / axis.scale,
            (_, shape) => {
                let sum: f64 = (-8..=8).map(|k| shape.weight(axis, f64::from(k) + 0.25)).sum();
                shape.weight(axis, d) / sum
            }
        }
    }
}

/// Knots to a unit of the kernel at which all distances lie: of a scale p/q in lowest terms, multiples of 1/2q samples, or
/// of 1/2p widths of a pixel.
fn lattice(axes: &[AxisPair; 2], convention: Convention, widening: Widening) -> Option<f64> {
    let mut all = 1_u64;
    for axis in axes {
        let [n, pixels] = match convention {
            Convention::Corners => [axis.samples - 1, axis.pixels - 1],
            Convention::Centres | Convention::TopLeft | Convention::Floor | Convention::Middle => {
                [axis.samples, axis.pixels]
            }
        };
        let is_quotient = (axis.scale - f64::from(axis.samples) / f64::from(axis.pixels)).abs() < 1e-12;
        if !is_quotient {
            return None;
        }
        let [n, pixels] = [n, pixels].map(u64::from);
        let per_unit = 2 * if widening == Widening::Kernel && n > pixels { n } else { pixels } / gcd(n, pixels);
        all = all / gcd(all, per_unit) * per_unit;
    }
    Some(all as f64)
}

/// The greatest common divisor, at least 1.
fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}
