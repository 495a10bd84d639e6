//! Responses of a reconstruction filter to an impulse and to a step, and their spectra.
//!
//! The weight that a position x gives to sample k depends on x − k alone: with f[0] = 1 among zeros, the value at d is the
//! impulse response h(d) = Σ c[j]·w(d − j), where w are the weights at the fraction of d and c the impulse response of the
//! prefilter (1 at 0 without one). Its spectrum is H(f) = ∫ h(d)·e^(−2πifd) dd, f in cycles per sample.

use std::f64::consts::TAU;

use super::reconstruction::Reconstruction;
use crate::sampling::{AddressMode, Prefilter};

/// Number of pieces of a sample interval for integration, each with five nodes: for a kernel of its own width, and the least
/// number for a widened one, which the waves of the highest frequency need.
const PIECES: f64 = 32.0;
const LEAST_PIECES: f64 = 8.0;
/// Number of points of a curve in a sample interval, and of that of a widened kernel.
const POINTS: f64 = 64.0;
const LEAST_POINTS: f64 = 4.0;
/// Distance of the point before a jump from the jump, in samples.
const BEFORE: f64 = 1e-9;

/// Values at the same fractions of every sample interval.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// Fractions of an interval, in [0, 1), rising.
    fractions: Vec<f64>,
    /// Start of the first interval. Before it and after the last one the response is constant.
    first: i64,
    /// Values by interval and fraction.
    intervals: Vec<Vec<f64>>,
}

/// A complex number, real part first.
pub type Complex = [f64; 2];

/// Nodes of integration over a sample interval.
#[derive(Clone, Debug)]
struct Nodes {
    fractions: Vec<f64>,
    /// Weight of each node; they sum to 1.
    widths: Vec<f64>,
}

impl Nodes {
    /// The five-point rule of Gauss and Legendre on pieces between `breaks`: exact for polynomials of degree 9, nodes and
    /// weights in closed form (Abramowitz and Stegun 1964, 25.4.30).
    fn gauss(breaks: &[f64], stretch: f64) -> Self {
        let root = (10.0_f64 / 7.0).sqrt();
        let (inner, outer) = ((5.0 - 2.0 * root).sqrt() / 3.0, (5.0 + 2.0 * root).sqrt() / 3.0);
        let [of_inner, of_outer] = [13.0, -13.0].map(|sign| (322.0 + sign * 70.0_f64.sqrt()) / 900.0);
        let rule = [(-outer, of_outer), (-inner, of_inner), (0.0, 128.0 / 225.0), (inner, of_inner), (outer, of_outer)];
        let (mut fractions, mut widths) = (Vec::new(), Vec::new());
        for (start, end) in pieces(breaks) {
            let count = ((end - start) * (PIECES / stretch).max(LEAST_PIECES)).ceil().max(1.0);
            let half = (end - start) / count / 2.0;
            for piece in 0..count as u32 {
                let middle = start + half * (2.0 * f64::from(piece) + 1.0);
                fractions.extend(rule.iter().map(|(node, _)| middle + half * node));
                widths.extend(rule.iter().map(|(_, weight)| half * weight));
            }
        }
        Self { fractions, widths }
    }
}

/// The pieces of [0, 1) between `breaks`, which start with 0.
fn pieces(breaks: &[f64]) -> impl Iterator<Item = (f64, f64)> {
    breaks.iter().copied().zip(breaks[1..].iter().copied().chain([1.0]))
}

impl Reconstruction {
    /// Fractions for a curve: equal steps, and both sides of every break.
    pub(crate) fn curve_fractions(&self) -> Vec<f64> {
        let points = (POINTS / self.widening()).max(LEAST_POINTS);
        pieces(&self.breaks())
            .flat_map(|(start, end)| {
                let count = ((end - start) * points).ceil().max(1.0);
                let step = (end - start) / count;
                (0..count as u32).map(move |point| start + step * f64::from(point)).chain([end - BEFORE])
            })
            .collect()
    }

    /// Its response to an impulse as a curve.
    pub fn impulse(&self) -> Response {
        let response = self.weights_at(&self.curve_fractions());
        match self.coefficients() {
            Some(prefilter) => response.filtered(&impulse_of(prefilter)).padded(),
            None => response.padded(),
        }
    }

    /// H(f) at `frequencies`, in cycles per sample: the integral over the weights, times the response of the prefilter.
    pub fn spectrum(&self, frequencies: &[f64]) -> Vec<Complex> {
        let nodes = Nodes::gauss(&self.breaks(), self.widening());
        let weights = self.weights_at(&nodes.fractions);
        let prefilter = self.coefficients();
        let at = |&frequency: &f64| {
            let gain = prefilter.map_or(1.0, |prefilter| gain_of(prefilter, frequency));
            weights.spectrum(&nodes, frequency).map(|part| gain * part)
        };
        frequencies.iter().map(at).collect()
    }

    /// For each sample that a position in [0, 1) reads, from the first: the fraction and its weight. Samples have no weight
    /// where a position does not read them.
    pub(super) fn weights_over_fraction(&self) -> Vec<Vec<[f64; 2]>> {
        let Response { fractions, intervals, .. } = self.weights_at(&self.curve_fractions());
        let points =
            |weights: &Vec<f64>| fractions.iter().copied().zip(weights.iter().copied()).map(Into::into).collect();
        intervals.iter().rev().map(points).collect()
    }

    /// The weight of sample 0 by distance: the response without the prefilter.
    fn weights_at(&self, fractions: &[f64]) -> Response {
        let (taps, mut weights) = (self.taps(), Vec::new());
        let columns: Vec<(i64, Vec<f64>)> = fractions
            .iter()
            .map(|&fraction| {
                let first = taps.weights_at(fraction, &mut weights);
                (first, weights.clone())
            })
            .collect();
        // A position at fraction α has the distance α − k from sample k: it is in the interval from −k on.
        let last = |(first, weights): &(i64, Vec<f64>)| first + weights.len() as i64 - 1;
        let start = -columns.iter().map(last).max().unwrap_or_default();
        let end = -columns.iter().map(|(first, _)| *first).min().unwrap_or_default();
        let mut intervals = vec![vec![0.0; fractions.len()]; usize::try_from(end - start + 1).unwrap_or_default()];
        for (column, (first, weights)) in columns.iter().enumerate() {
            for (sample, &weight) in (*first..).zip(weights) {
                intervals[(-sample - start) as usize][column] = weight;
            }
        }
        Response { fractions: fractions.to_vec(), first: start, intervals }
    }
}

impl Response {
    /// Distances from the sample, or from the step's first sample, and values.
    pub fn points(&self) -> Vec<[f64; 2]> {
        let interval = |(start, values): (i64, &Vec<f64>)| {
            let point = move |(fraction, value): (&f64, &f64)| [start as f64 + fraction, *value];
            self.fractions.iter().zip(values).map(point).collect::<Vec<_>>()
        };
        (self.first..).zip(&self.intervals).flat_map(interval).collect()
    }

    /// The value at distance `d`: that of the last of [`Response::points`] at or before it, or of the first of all.
    pub fn at(&self, d: f64) -> f64 {
        let columns = self.fractions.len();
        let before = |start: i64| usize::try_from(start - self.first).unwrap_or_default() * columns;
        let inside = self.fractions.partition_point(|fraction| *fraction <= d - d.floor());
        let last = (columns * self.intervals.len()).saturating_sub(1);
        let place = (before(d.floor() as i64) + inside).saturating_sub(1).min(last);
        self.intervals[place / columns][place % columns]
    }

    /// The same with an interval of zeros before and after it.
    fn padded(self) -> Self {
        let nothing = vec![0.0; self.fractions.len()];
        let intervals = [nothing.clone()].into_iter().chain(self.intervals).chain([nothing]).collect();
        Self { fractions: self.fractions, first: self.first - 1, intervals }
    }

    /// The response to a step, samples 0 before and 1 from 0 on, from that to an impulse: the sum over all of its samples.
    #[must_use]
    pub fn accumulated(&self) -> Self {
        let mut sums = vec![0.0; self.fractions.len()];
        let interval = |values: &Vec<f64>| {
            sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
            sums.clone()
        };
        Self { intervals: self.intervals.iter().map(interval).collect(), ..self.clone() }
    }

    /// H(f) at `frequency`; the fractions are those of `nodes`.
    fn spectrum(&self, nodes: &Nodes, frequency: f64) -> Complex {
        let waves: Vec<Complex> = self.fractions.iter().map(|fraction| wave(frequency * fraction)).collect();
        let mut sum = [0.0; 2];
        for (start, values) in (self.first..).zip(&self.intervals) {
            let mut part = [0.0; 2];
            for ((value, width), [re, im]) in values.iter().zip(&nodes.widths).zip(&waves) {
                part[0] += value * width * re;
                part[1] += value * width * im;
            }
            let [re, im] = wave(frequency * start as f64);
            sum[0] += part[0] * re - part[1] * im;
            sum[1] += part[0] * im + part[1] * re;
        }
        sum
    }

    /// The response behind a filter with `coefficients`, whose middle one is at 0.
    fn filtered(&self, coefficients: &[f64]) -> Self {
        let reach = coefficients.len() / 2;
        let mut intervals = vec![vec![0.0; self.fractions.len()]; self.intervals.len() + 2 * reach];
        for (shift, coefficient) in coefficients.iter().enumerate() {
            for (to, from) in intervals[shift..].iter_mut().zip(&self.intervals) {
                to.iter_mut().zip(from).for_each(|(to, from)| *to += coefficient * from);
            }
        }
        Self { fractions: self.fractions.clone(), first: self.first - reach as i64, intervals }
    }
}

/// e^(−2πi·turns).
fn wave(turns: f64) -> Complex {
    let (sin, cos) = (TAU * turns).sin_cos();
    [cos, -sin]
}

/// The impulse response of `prefilter` within its halo, 10⁻⁹ of it left out: (1 − z)/(1 + z)·z^|j| for each pole z,
/// convolved (Unser, Aldroubi, Eden 1993, part II).
fn impulse_of(prefilter: Prefilter) -> Vec<f64> {
    let reach = i64::from(prefilter.halo(AddressMode::Border));
    let of_pole = |pole: f64| move |j: i64| (1.0 - pole) / (1.0 + pole) * pole.powi(j.unsigned_abs() as i32);
    let mut poles = prefilter.poles().iter().copied();
    let first: Vec<f64> = poles.next().map(|pole| (-reach..=reach).map(of_pole(pole)).collect()).unwrap_or_default();
    poles.fold(first, |before, pole| {
        let next = of_pole(pole);
        let at = |j: i64| (-reach..=reach).zip(&before).map(|(i, value)| value * next(j - i)).sum();
        (-reach..=reach).map(at).collect()
    })
}

/// Frequency response of `prefilter`: the product of (1 − z)²/(1 − 2z·cos 2πf + z²) over its poles z.
fn gain_of(prefilter: Prefilter, frequency: f64) -> f64 {
    let cos = (TAU * frequency).cos();
    prefilter.poles().iter().map(|z| (1.0 - z).powi(2) / (1.0 - 2.0 * z * cos + z * z)).product()
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;
    use crate::sampling::{Method, Sampler, samples_of_methods};

    fn frequencies() -> Vec<f64> {
        (0..=160).map(|step| f64::from(step) / 80.0).collect()
    }

    fn sinc(x: f64) -> f64 {
        if x == 0.0 { 1.0 } else { (PI * x).sin() / (PI * x) }
    }

    fn parsed(text: &str) -> Method {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn assert_spectrum(method: &str, prefilter: bool, expected: impl Fn(f64) -> f64) {
        let filter = Reconstruction::of(parsed(method), prefilter);
        for (frequency, [re, im]) in frequencies().iter().zip(filter.spectrum(&frequencies())) {
            let expected = expected(*frequency);
            let found = format!("{method} at {frequency}: {re} + {im}i, not {expected}");
            assert!((re - expected).abs() < 1e-12 && im.abs() < 1e-12, "{found}");
        }
    }

    #[test]
    fn spectra_of_bsplines_are_powers_of_the_sinc() {
        for degree in 0..=5 {
            assert_spectrum(&format!("bspline={degree}"), false, |f| sinc(f).powi(degree + 1));
        }
    }

    /// Unser, Aldroubi, Eden 1993: the cardinal spline of degree n has sinc^(n+1)(f) / Σ β_n(k)·cos 2πfk.
    #[test]
    fn spectra_of_prefiltered_bsplines_are_those_of_cardinal_splines() {
        let middles: [&[f64]; 4] = [
            &[0.75, 0.125],
            &[2.0 / 3.0, 1.0 / 6.0],
            &[115.0 / 192.0, 19.0 / 96.0, 1.0 / 384.0],
            &[11.0 / 20.0, 13.0 / 60.0, 1.0 / 120.0],
        ];
        for (degree, middle) in (2..).zip(middles) {
            let sampled = |f: f64| {
                let side = |(k, weight): (i32, &f64)| 2.0 * weight * (TAU * f * f64::from(k)).cos();
                middle[0] + (1..).zip(&middle[1..]).map(side).sum::<f64>()
            };
            assert_spectrum(&format!("bspline={degree}"), true, |f| sinc(f).powi(degree + 1) / sampled(f));
        }
    }

    /// Mitchell and Netravali's cubic as the integral of its polynomials, by its moments about the knots: the fourth
    /// derivative of a piecewise cubic is a sum of impulses and their derivatives at the knots.
    fn cubic_spectrum(b: f64, c: f64, f: f64) -> f64 {
        if f == 0.0 {
            return 1.0;
        }
        let w = TAU * f;
        // Coefficients of the pieces 0 ≤ d < 1 and 1 ≤ d < 2 (Mitchell and Netravali 1988, equation 8).
        let inner = [1.0 - b / 3.0, 0.0, 2.0 * b + c - 3.0, 2.0 - 1.5 * b - c];
        let outer = [4.0 / 3.0 * b + 4.0 * c, -2.0 * b - 8.0 * c, b + 5.0 * c, -b / 6.0 - c];
        // ∫ p(d)·cos(wd) by parts: Σ over derivatives.
        let primitive = |p: [f64; 4], d: f64| {
            let [p0, p1, p2, p3] = p;
            let values = [
                p0 + d * (p1 + d * (p2 + d * p3)),
                p1 + d * (2.0 * p2 + d * 3.0 * p3),
                2.0 * p2 + 6.0 * p3 * d,
                6.0 * p3,
            ];
            let (sin, cos) = (w * d).sin_cos();
            values[0] * sin / w + values[1] * cos / (w * w) - values[2] * sin / w.powi(3) - values[3] * cos / w.powi(4)
        };
        2.0 * (primitive(inner, 1.0) - primitive(inner, 0.0) + primitive(outer, 2.0) - primitive(outer, 1.0))
    }

    #[test]
    fn spectra_of_cubics_are_their_closed_forms() {
        for (method, [b, c]) in [
            ("catmull-rom", [0.0, 0.5]),
            ("keys=-0.75", [0.0, 0.75]),
            ("mitchell", [1.0 / 3.0; 2]),
            ("cubic=0.2,0.4", [0.2, 0.4]),
        ] {
            let filter = Reconstruction::of(parsed(method), false);
            for (frequency, [re, im]) in frequencies().iter().zip(filter.spectrum(&frequencies())) {
                let expected = cubic_spectrum(b, c, *frequency);
                // The closed form loses digits to w⁻⁴ at low frequencies.
                assert!((re - expected).abs() < 1e-9 && im.abs() < 1e-12, "{method} at {frequency}: {re}, {expected}");
            }
        }
    }

    /// Keys 1981, equation 20: H(f) of the cubic convolution kernel with a = −½.
    #[test]
    fn spectrum_of_keys_cubic_is_the_published_one() {
        let published = |f: f64| {
            let w = PI * f;
            if f == 0.0 {
                return 1.0;
            }
            3.0 / (w * w) * (sinc(f).powi(2) - sinc(2.0 * f))
                - 0.5 * 2.0 / (w * w) * (3.0 * sinc(2.0 * f).powi(2) - 2.0 * sinc(2.0 * f) - sinc(4.0 * f))
        };
        let filter = Reconstruction::of(Method::CATMULL_ROM, false);
        for (frequency, [re, _]) in frequencies().iter().zip(filter.spectrum(&frequencies())) {
            let expected = published(*frequency);
            assert!((re - expected).abs() < 1e-10, "at {frequency}: {re}, {expected}");
        }
    }

    #[test]
    fn spectrum_at_zero_is_one_where_weights_sum_to_one() {
        for method in samples_of_methods().into_iter().filter(|method| !matches!(method, Method::Custom(_))) {
            for prefilter in [false, true] {
                let [re, im] = Reconstruction::of(method, prefilter).spectrum(&[0.0])[0];
                assert!((re - 1.0).abs() < 1e-12 && im.abs() < 1e-12, "{method}: {re} + {im}i");
            }
        }
    }

    #[test]
    fn impulse_responses_of_interpolating_filters_are_one_at_the_sample_and_zero_at_the_others() {
        for method in samples_of_methods() {
            for prefilter in [false, true] {
                let filter = Reconstruction::of(method, prefilter);
                if !method.kernel().interpolates && !filter.prefilter {
                    continue;
                }
                let response = filter.impulse();
                for k in -9..=9 {
                    let (found, expected) = (response.at(f64::from(k)), f64::from(u8::from(k == 0)));
                    // The prefilter's response is cut off at 10⁻⁹.
                    assert!((found - expected).abs() < 4e-9, "{} at {k}: {found}", filter.label());
                }
            }
        }
    }

    #[test]
    fn step_responses_rise_from_zero_to_one() {
        for method in samples_of_methods().into_iter().filter(|method| !matches!(method, Method::Custom(_))) {
            let step = Reconstruction::of(method, true).impulse().accumulated();
            let points = step.points();
            let (first, last) = (points[0][1], points[points.len() - 1][1]);
            assert!(first == 0.0 && (last - 1.0).abs() < 1e-8, "{method}: {first} to {last}");
        }
        let linear = Reconstruction::of(Method::Linear, false).impulse().accumulated();
        assert_eq!([-1.0, -0.5, 0.0].map(|d| linear.at(d)), [0.0, 0.5, 1.0]);
    }

    #[test]
    fn widened_filter_has_the_spectrum_of_its_kernel_at_the_wider_scale() {
        let sampler = Sampler { method: Method::BSPLINE, antialias: true, ..Sampler::default() };
        let filter = Reconstruction::new(&sampler, 2.0);
        // Twice as wide a cubic B-spline sums to 1 at every fraction without a division.
        for (frequency, [re, _]) in frequencies().iter().zip(filter.spectrum(&frequencies())) {
            let expected = sinc(2.0 * frequency).powi(4);
            assert!((re - expected).abs() < 1e-12, "at {frequency}: {re}, {expected}");
        }
    }
}
