//! Twin: kernels/weights.cuh. The weights of a position by its fraction α, as polynomials that follow from the kernel alone. A
//! CUDA kernel evaluates them in a few multiply-adds and knows no method by name.

use crate::backend::cuda::abi::arguments::{MAX_CUBIC_TAPS, WeightCurves};
use crate::backend::cuda::abi::kernel_struct::Float4;
use crate::sampling::{Family, MethodKernel};

/// The numbers of taps that kernels/tiled.cuh and kernels/lookup.cu are compiled for.
pub(crate) const TAPS: [usize; 5] = [1, 2, 4, 6, 8];
/// The largest error of a polynomial in double precision. Evaluated in single precision the weights stay within 2·10⁻⁷.
const MAX_ERROR: f64 = 2e-8;
/// The numbers of segments that are tried. A kink of the kernel has to fall between two segments, so they are not powers of two
/// alone.
const SEGMENT_COUNTS: [usize; 17] = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48, 56, 64];

/// The weights of the taps of a kernel for 0 ≤ α ≤ 1. The sample of tap k is ⌊x⌋ − taps_before + k.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum WeightPolynomials {
    /// One cubic a tap, coefficients from the constant on; the symmetric form if the kernel has one.
    Cubics(Vec<[f32; 4]>, Option<SymmetricCubic>),
    /// a, and sin(πx/a)/x as a polynomial of x² for 0 ≤ x ≤ 1: six coefficients from the constant on, then zeros.
    Lanczos(i32, [[f32; 4]; 2]),
    /// Polynomials of degree seven, t from 0 to 1 over each of this many segments of α: for each tap its four low coefficients
    /// of all segments, then its four high ones.
    Segments(Vec<[f32; 4]>, usize),
}

/// A symmetric kernel of four taps whose slope is 0 at its middle and at its ends, as Mitchell and Netravali's are: two cubics
/// without the terms that are 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SymmetricCubic {
    /// w is u²·(outer\[0\] + outer\[1\]·u) at distance 2 − u, 0 ≤ u ≤ 1.
    outer: [f32; 2],
    /// w is inner\[0\] + d²·(inner\[1\] + inner\[2\]·d) at distance d, 0 ≤ d ≤ 1.
    inner: [f32; 3],
}

impl SymmetricCubic {
    /// The symmetric form of the weights `cubics`, coefficients from the constant on, which may be off by `MAX_NOISE`.
    fn new(cubics: &[[f64; 4]]) -> Option<Self> {
        const MAX_NOISE: f64 = 1e-12;
        let [first, second, third, fourth] = <[[f64; 4]; 4]>::try_from(cubics).ok()?;
        let is_zero = |term: f64| term.abs() <= MAX_NOISE;
        let mirrors = |tap: [f64; 4], other: [f64; 4]| {
            reversed(tap).iter().zip(other).all(|(&term, other)| is_zero(term - other))
        };
        let is_symmetric = mirrors(fourth, first) && mirrors(third, second);
        let is_flat = [fourth[0], fourth[1], second[1]].into_iter().all(is_zero);
        (is_symmetric && is_flat).then(|| Self {
            outer: on_one_grid([fourth[2], fourth[3]]),
            inner: {
                let [square, cube] = on_one_grid([second[2], second[3]]);
                [second[0] as f32, square, cube]
            },
        })
    }
}

/// The cubic p(1 − t) of p(t), coefficients from the constant on.
fn reversed([c0, c1, c2, c3]: [f64; 4]) -> [f64; 4] {
    [c0 + c1 + c2 + c3, -c1 - 2.0 * c2 - 3.0 * c3, c2 + 3.0 * c3, -c3]
}

/// Two coefficients in single precision as multiples of one power of two: their sum is exact, so that whole positions of an
/// interpolating kernel give exactly their sample.
fn on_one_grid(terms: [f64; 2]) -> [f32; 2] {
    let largest = terms[0].abs().max(terms[1].abs());
    let grid = if largest > 0.0 { (largest.log2().floor() - 23.0).exp2() } else { 1.0 };
    terms.map(|term| ((term / grid).round() * grid) as f32)
}

/// What a CUDA kernel has to evaluate for these weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum WeightForm {
    /// 1 − α and α.
    Linear,
    /// Cubics of a symmetric kernel that is flat at its middle and at its ends.
    SymmetricCubic,
    /// Other cubics.
    Cubic,
    /// Lanczos by two sines.
    Lanczos,
    /// Segments in device memory.
    Segments,
}

impl WeightForm {
    /// The forms that kernels of this many taps have.
    pub(crate) fn of_taps(taps: usize) -> Vec<Self> {
        match taps {
            1 => vec![Self::Cubic],
            2 => vec![Self::Linear, Self::Cubic, Self::Segments],
            4 => vec![Self::SymmetricCubic, Self::Cubic, Self::Lanczos, Self::Segments],
            _ => vec![Self::Lanczos, Self::Segments],
        }
    }
}

impl WeightPolynomials {
    /// The weights of `kernel`. `None` if no CUDA kernel is compiled for its number of taps, or if no number of segments
    /// brings the error below 2·10⁻⁸: weights that jump between two whole positions, or kinks at many fractions.
    pub(crate) fn new(kernel: &MethodKernel) -> Option<Self> {
        if !TAPS.contains(&kernel.taps) {
            return None;
        }
        match kernel.family {
            Family::Lanczos(a) => {
                let [c0, c1, c2, c3, c4, c5] = sine_over(a).map(|coefficient| coefficient as f32);
                Some(Self::Lanczos(a as i32, [[c0, c1, c2, c3], [c4, c5, 0.0, 0.0]]))
            }
            Family::Cubic if kernel.taps <= MAX_CUBIC_TAPS => {
                let cubics = polynomials::<4>(kernel, 0, 1);
                let fits = max_error(kernel, &cubics, 0, 1) <= MAX_ERROR;
                let symmetric = SymmetricCubic::new(&cubics);
                fits.then(|| {
                    Self::Cubics(cubics.into_iter().map(|terms| terms.map(without_noise)).collect(), symmetric)
                })
            }
            Family::Cubic | Family::Table => Self::segments(kernel),
        }
    }

    /// Segments of degree seven, as few as the error allows.
    fn segments(kernel: &MethodKernel) -> Option<Self> {
        let fits = |segments: usize| {
            (0..segments).all(|segment| {
                max_error(kernel, &polynomials::<8>(kernel, segment, segments), segment, segments) <= MAX_ERROR
            })
        };
        let segments = SEGMENT_COUNTS.into_iter().find(|&segments| fits(segments))?;
        let made: Vec<_> = (0..segments).map(|segment| polynomials::<8>(kernel, segment, segments)).collect();
        let mut coefficients = Vec::with_capacity(2 * kernel.taps * segments);
        for tap in 0..kernel.taps {
            for from in [0, 4] {
                coefficients.extend(made.iter().map(|taps| std::array::from_fn(|n| taps[tap][from + n] as f32)));
            }
        }
        Some(Self::Segments(coefficients, segments))
    }

    /// The numbers that travel with a launch. Coefficients of segments are in device memory: the caller sets `terms`.
    pub(crate) fn arguments(&self, taps_before: i32) -> WeightCurves {
        let mut arguments = WeightCurves { taps_before, ..WeightCurves::default() };
        match self {
            Self::Cubics(cubics, symmetric) => {
                set_all(&mut arguments.cubics, cubics);
                if let Some(SymmetricCubic { outer, inner }) = *symmetric {
                    (arguments.outer, arguments.inner) = (outer, inner);
                }
            }
            Self::Lanczos(a, coefficients) => {
                set_all(&mut arguments.cubics, coefficients);
                arguments.lanczos = *a;
            }
            Self::Segments(_, segments) => arguments.segments = *segments as i32,
        }
        arguments
    }

    /// What has to be evaluated.
    pub(crate) fn form(&self) -> WeightForm {
        match self {
            Self::Cubics(cubics, _) if cubics[..] == [[1.0, -1.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]] => {
                WeightForm::Linear
            }
            Self::Cubics(_, Some(_)) => WeightForm::SymmetricCubic,
            Self::Cubics(_, None) => WeightForm::Cubic,
            Self::Lanczos(..) => WeightForm::Lanczos,
            Self::Segments(..) => WeightForm::Segments,
        }
    }
}

/// A coefficient in single precision; 0 if it is only what rounding left of a 0.
fn without_noise(coefficient: f64) -> f32 {
    if coefficient.abs() < 1e-14 { 0.0 } else { coefficient as f32 }
}

fn set_all(vectors: &mut [Float4], coefficients: &[[f32; 4]]) {
    for (vector, four) in vectors.iter_mut().zip(coefficients) {
        *vector = Float4(*four);
    }
}

/// Samples before ⌊x⌋ that a position reads.
pub(crate) fn taps_before(kernel: &MethodKernel) -> i32 {
    if kernel.taps == 1 { 0 } else { kernel.taps as i32 / 2 - 1 }
}

/// The weights of all taps at fraction `alpha`, which may be 1: the limit from below there.
fn weights_at(kernel: &MethodKernel, alpha: f64) -> Vec<f64> {
    if kernel.taps == 1 {
        return vec![1.0];
    }
    let before = f64::from(taps_before(kernel));
    let mut weights: Vec<f64> = (0..kernel.taps).map(|k| kernel.weight(alpha + before - k as f64)).collect();
    if kernel.normalized {
        let sum: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= sum);
    }
    weights
}

/// One polynomial a tap through `TERMS` places of a segment: the Chebyshev extrema, both ends among them, so that whole
/// positions give exactly their sample.
fn polynomials<const TERMS: usize>(kernel: &MethodKernel, segment: usize, segments: usize) -> Vec<[f64; TERMS]> {
    let places: [f64; TERMS] = chebyshev_extrema();
    let at = places.map(|t| weights_at(kernel, (segment as f64 + t) / segments as f64));
    (0..kernel.taps).map(|tap| through(places, std::array::from_fn(|k| at[k][tap]))).collect()
}

/// The extrema of the Chebyshev polynomial of degree `TERMS` − 1 on [0, 1], rising.
pub(super) fn chebyshev_extrema<const TERMS: usize>() -> [f64; TERMS] {
    std::array::from_fn(|k| {
        if k == 0 { 0.0 } else { 0.5 - 0.5 * (std::f64::consts::PI * k as f64 / (TERMS - 1) as f64).cos() }
    })
}

/// sin(πx/a)/x as a polynomial of x² for 0 ≤ x ≤ 1, coefficients from the constant on.
fn sine_over(a: f64) -> [f64; 6] {
    let factor = std::f64::consts::PI / a;
    let places = chebyshev_extrema::<6>();
    let values =
        places.map(|square| if square == 0.0 { factor } else { (factor * square.sqrt()).sin() / square.sqrt() });
    through(places, values)
}

/// The polynomial through these values at these places, coefficients from the constant on.
pub(super) fn through<const TERMS: usize>(places: [f64; TERMS], values: [f64; TERMS]) -> [f64; TERMS] {
    // Newton's divided differences, then expanded from the innermost bracket.
    let mut differences = values;
    for order in 1..TERMS {
        for k in (order..TERMS).rev() {
            differences[k] = (differences[k] - differences[k - 1]) / (places[k] - places[k - order]);
        }
    }
    let mut terms = [0.0; TERMS];
    for k in (0..TERMS).rev() {
        for n in (1..TERMS).rev() {
            terms[n] = terms[n - 1] - places[k] * terms[n];
        }
        terms[0] = differences[k] - places[k] * terms[0];
    }
    terms
}

/// The largest difference between the polynomials of a segment and the kernel, between the places that they go through.
fn max_error<const TERMS: usize>(
    kernel: &MethodKernel,
    polynomials: &[[f64; TERMS]],
    segment: usize,
    segments: usize,
) -> f64 {
    const PLACES: usize = 32;
    let mut worst = 0.0_f64;
    for place in 0..PLACES {
        let t = (place as f64 + 0.5) / PLACES as f64;
        let weights = weights_at(kernel, (segment as f64 + t) / segments as f64);
        for (weight, terms) in weights.iter().zip(polynomials) {
            let value = terms.iter().rev().fold(0.0, |sum, term| sum * t + term);
            let error = (value - weight).abs();
            worst = if error.is_nan() { f64::INFINITY } else { worst.max(error) };
        }
    }
    worst
}
