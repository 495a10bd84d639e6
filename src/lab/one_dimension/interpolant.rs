//! One method over a signal.

use super::Signal;
use crate::plots::Reconstruction;
use crate::sampling::{AddressMode, Axis, SamplingPath, Taps};

/// A method over a signal: its value at any position.
#[derive(Clone, Debug)]
pub struct Interpolant {
    taps: Taps,
    axis: Axis,
    /// Samples, or coefficients with their halo; behind them the border constant.
    stored: Vec<f64>,
    precision: Precision,
    /// Fractions of a sample interval at which a curve has points.
    fractions: Vec<f64>,
}

/// The part of one sample in a value.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Term {
    /// Its index before the address mode.
    pub index: i64,
    /// The weight at this position.
    pub weight: f64,
    /// The sample, or the coefficient, that the address mode gives for the index.
    pub value: f64,
}

/// Number type of the products and of their sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Precision {
    Single,
    Double,
}

impl Interpolant {
    /// The value by the weights of the path of `filter`: exact, or [`Interpolant::texture`].
    pub fn new(signal: &Signal, filter: &Reconstruction) -> Self {
        if filter.path.is_exact() { Self::exact(signal, filter) } else { Self::by_path(signal, filter) }
    }

    /// The exact value, in double precision.
    ///
    /// ```
    /// use lerpscope::lab::one_dimension::{Interpolant, Preset};
    /// use lerpscope::plots::Reconstruction;
    /// use lerpscope::sampling::Method;
    /// let linear = Interpolant::exact(&Preset::Document.signal(5), &Reconstruction::of(Method::Linear, false));
    /// assert!((linear.at(0.6) - 0.12).abs() < 1e-15);
    /// ```
    pub fn exact(signal: &Signal, filter: &Reconstruction) -> Self {
        Self::by_path(signal, &Reconstruction { path: SamplingPath::Auto, ..*filter })
    }

    /// The value of the texture unit, whose fractions are multiples of 1/256 and whose samples have single precision; `None`
    /// for a method that it does not serve.
    pub fn texture(signal: &Signal, filter: &Reconstruction) -> Option<Self> {
        let is_served = filter.method.kernel().paths.contains(&SamplingPath::Filtered);
        is_served.then(|| Self::by_path(signal, &Reconstruction { path: SamplingPath::Filtered, ..*filter }))
    }

    /// The value of a program without a texture, as in listings 4 and 5: single precision throughout, and the edge sample
    /// outside whatever the address mode is.
    pub fn manual(signal: &Signal, filter: &Reconstruction) -> Self {
        Self { precision: Precision::Single, ..Self::exact(&signal.with_address(AddressMode::Clamp), filter) }
    }

    fn by_path(signal: &Signal, filter: &Reconstruction) -> Self {
        let prefilter = filter.coefficients();
        let halo = prefilter.map_or(0, |prefilter| prefilter.halo(signal.address));
        let passes = prefilter.map(|prefilter| prefilter.passes(signal.samples(), signal.address, signal.border, halo));
        let coefficients = passes.and_then(|mut passes| passes.pop()).map(|last| last.anticausal);
        let mut stored = coefficients.unwrap_or_else(|| signal.samples().to_vec());
        stored.push(signal.border);
        if !filter.path.is_exact() {
            stored.iter_mut().for_each(|value| *value = f64::from(*value as f32));
        }
        Self {
            taps: filter.taps(),
            axis: Axis { len: signal.len(), halo, address: signal.address },
            stored,
            precision: Precision::Double,
            fractions: filter.curve_fractions(),
        }
    }

    /// The value at `x`.
    pub fn at(&self, x: f64) -> f64 {
        self.weighed(x, &mut Vec::new())
    }

    fn weighed(&self, x: f64, weights: &mut Vec<f64>) -> f64 {
        let first = self.taps.weights_at(x, weights);
        let terms = (first..).zip(&*weights).map(|(index, weight)| (self.value(index), *weight));
        match self.precision {
            Precision::Double => terms.map(|(value, weight)| value * weight).sum(),
            Precision::Single => f64::from(terms.map(|(value, weight)| value as f32 * weight as f32).sum::<f32>()),
        }
    }

    /// The sample, or the coefficient, for a whole `index` before the address mode.
    pub fn value(&self, index: i64) -> f64 {
        self.stored[self.axis.stored(index) as usize]
    }

    /// The parts of the value at `x`: its samples by rising index. The value is the sum of weight · value.
    fn terms(&self, x: f64) -> Vec<Term> {
        let mut weights = Vec::new();
        let first = self.taps.weights_at(x, &mut weights);
        (first..).zip(weights).map(|(index, weight)| Term { index, weight, value: self.value(index) }).collect()
    }

    /// Positions of a curve from `from` to `to`, both sides of every jump among them.
    pub fn positions(&self, [from, to]: [f64; 2]) -> Vec<f64> {
        let starts = from.floor() as i64..to.floor() as i64 + 1;
        let inside = starts.flat_map(|start| self.fractions.iter().map(move |fraction| start as f64 + fraction));
        [from].into_iter().chain(inside.filter(|x| (from..to).contains(x) && *x != from)).chain([to]).collect()
    }

    /// The curve from `from` to `to`.
    pub fn curve(&self, range: [f64; 2]) -> Vec<[f64; 2]> {
        let mut weights = Vec::new();
        self.positions(range).into_iter().map(|x| [x, self.weighed(x, &mut weights)]).collect()
    }

    /// The parts of the curve from `from` to `to`: for each sample that it reads, its index before the address mode and
    /// weight · value at each of [`Interpolant::positions`], 0 where it is not read. The curve is their sum.
    pub fn basis(&self, range: [f64; 2]) -> Vec<(i64, Vec<f64>)> {
        let positions = self.positions(range);
        let mut parts: std::collections::BTreeMap<i64, Vec<f64>> = std::collections::BTreeMap::new();
        for (place, &x) in positions.iter().enumerate() {
            for Term { index, weight, value } in self.terms(x) {
                parts.entry(index).or_insert_with(|| vec![0.0; positions.len()])[place] = weight * value;
            }
        }
        parts.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::{ADDRESS_MODES, METHODS, Method, samples_of_methods};

    fn signal(address: AddressMode) -> Signal {
        Signal::new(vec![0.2, 0.9, 0.1, 0.6, 0.4, 1.0], address, 0.35).expect("a line")
    }

    fn filters() -> Vec<Reconstruction> {
        let methods = samples_of_methods();
        methods.into_iter().flat_map(|method| [false, true].map(|on| Reconstruction::of(method, on))).collect()
    }

    #[test]
    fn interpolating_methods_pass_through_the_samples_and_their_continuation() {
        for row in &ADDRESS_MODES {
            let signal = signal(row.address);
            for filter in filters() {
                if !filter.method.kernel().interpolates && !filter.prefilter {
                    continue;
                }
                let interpolant = Interpolant::exact(&signal, &filter);
                for k in -4..10 {
                    let (found, expected) = (interpolant.at(f64::from(k)), signal.sample(i64::from(k)));
                    assert!((found - expected).abs() < 1e-8, "{} {} at {k}: {found}", filter.label(), row.name);
                }
            }
        }
    }

    #[test]
    fn basis_functions_sum_to_the_curve() {
        let range = [-2.5, 7.5];
        for row in &ADDRESS_MODES {
            for filter in filters() {
                let interpolant = Interpolant::new(&signal(row.address), &filter);
                let basis = interpolant.basis(range);
                for (place, [x, y]) in interpolant.curve(range).into_iter().enumerate() {
                    let sum: f64 = basis.iter().map(|(_, part)| part[place]).sum();
                    assert!((sum - y).abs() < 1e-12, "{} {} at {x}", filter.label(), row.name);
                }
            }
        }
    }

    #[test]
    fn basis_function_of_an_unnormalized_kernel_is_its_coefficient_times_the_kernel() {
        let filter = Reconstruction::of(Method::BSPLINE, true);
        let interpolant = Interpolant::exact(&signal(AddressMode::Wrap), &filter);
        let range = [-1.5, 6.25];
        let positions = interpolant.positions(range);
        for (index, part) in interpolant.basis(range) {
            for (x, y) in positions.iter().zip(part) {
                let weight = filter.method.kernel().weight(x - index as f64);
                assert!((interpolant.value(index) * weight - y).abs() < 1e-14, "{index} at {x}");
            }
        }
    }

    #[test]
    fn positions_rise_from_one_end_to_the_other_and_lie_on_both_sides_of_a_jump() {
        let nearest = Interpolant::exact(&signal(AddressMode::Clamp), &Reconstruction::of(Method::Nearest, false));
        let curve = nearest.curve([-1.25, 3.75]);
        assert!(curve.is_sorted_by(|a, b| a[0] < b[0]));
        assert_eq!([curve[0][0], curve[curve.len() - 1][0]], [-1.25, 3.75]);
        for jump in [0.5, 1.5, 2.5, 3.5] {
            let after = curve.iter().position(|[x, _]| *x == jump).expect("a point at the jump");
            assert!(jump - curve[after - 1][0] < 1e-8 && curve[after - 1][1] != curve[after][1], "{jump}");
        }
    }

    /// Ruijters et al. 2008, equation 5, with the fractions of both fetches rounded to 1/256, at α = 0.3 between samples 1
    /// and 2: w = 0.343/6, 3.541/6... The weights by the polynomials, each pair moved to its rounded fraction.
    #[test]
    fn texture_value_of_the_cubic_bspline_is_that_of_two_rounded_fetches() {
        let signal = signal(AddressMode::Clamp);
        let [f0, f1, f2, f3] = [0.2_f32, 0.9, 0.1, 0.6].map(f64::from);
        let a: f64 = 0.3;
        let w = [
            (1.0 - a).powi(3),
            3.0 * a.powi(3) - 6.0 * a * a + 4.0,
            -3.0 * a.powi(3) + 3.0 * a * a + 3.0 * a + 1.0,
            a.powi(3),
        ]
        .map(|w| w / 6.0);
        let rounded = |below: f64, above: f64| (256.0 * above / (below + above)).round() / 256.0;
        let (h0, h1) = (rounded(w[0], w[1]), rounded(w[2], w[3]));
        let expected = (w[0] + w[1]) * ((1.0 - h0) * f0 + h0 * f1) + (w[2] + w[3]) * ((1.0 - h1) * f2 + h1 * f3);
        let filter = Reconstruction::of(Method::BSPLINE, false);
        let texture = Interpolant::texture(&signal, &filter).expect("a path").at(1.3);
        assert!((texture - expected).abs() < 1e-14, "{texture}, {expected}");
        assert!((texture - Interpolant::exact(&signal, &filter).at(1.3)).abs() > 1e-5, "rounded");
    }

    #[test]
    fn texture_serves_the_methods_of_its_path_and_stays_within_a_step_of_the_exact_value() {
        let served: Vec<&str> = METHODS
            .iter()
            .filter(|row| {
                let filter = Reconstruction::of(row.method, false);
                let signal = signal(AddressMode::Mirror);
                let Some(texture) = Interpolant::texture(&signal, &filter) else { return false };
                let exact = Interpolant::exact(&signal, &filter);
                for step in -200..900 {
                    let x = f64::from(step) / 100.0;
                    let error = (texture.at(x) - exact.at(x)).abs();
                    assert!(error < 1.0 / 256.0, "{} at {x}: {error}", row.name);
                }
                true
            })
            .map(|row| row.name)
            .collect();
        assert_eq!(served, ["nearest", "linear", "bspline", "catmull-rom"]);
    }

    #[test]
    fn manual_value_repeats_the_edge_sample_under_every_address_mode() {
        for row in &ADDRESS_MODES {
            let signal = signal(row.address);
            let filter = Reconstruction::of(Method::Linear, false);
            let manual = Interpolant::manual(&signal, &filter);
            assert_eq!([-2.5, -0.25, 5.5].map(|x| manual.at(x)), [0.2_f32, 0.2, 1.0].map(f64::from), "{}", row.name);
        }
    }

    #[test]
    fn manual_value_has_single_precision() {
        for filter in filters() {
            let (exact, manual) = (
                Interpolant::exact(&signal(AddressMode::Clamp), &filter),
                Interpolant::manual(&signal(AddressMode::Clamp), &filter),
            );
            for step in 0..50 {
                let x = f64::from(step) / 10.0;
                assert!((exact.at(x) - manual.at(x)).abs() < 4e-6, "{} at {x}", filter.label());
                assert_eq!(manual.at(x), f64::from(manual.at(x) as f32));
            }
        }
    }
}
