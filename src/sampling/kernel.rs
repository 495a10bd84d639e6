//! Kernels: the weights of a [`Method`] by distance, and the facts that backends decide on.
//!
//! The value at x is Σ f[k]·w(x − k) over the samples within the radius, divided by Σ w(x − k) if the kernel is
//! [`MethodKernel::normalized`]. In two dimensions the weights multiply, axis by axis.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use super::condition::{self, Weights};
use super::method::Method;
use super::parameters::SplineDegree;
use super::prefilter::Prefilter;
use super::{SamplingPath, weights};

/// The largest number of samples of one axis that an unstretched kernel reads: `gaussian=8`, and a custom table of radius 32.
pub const MAX_TAPS: usize = 66;

/// A method's weight function with its facts. Cheap to make: no allocation, no search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MethodKernel {
    /// Whose kernel.
    pub method: Method,
    /// w(d) = 0 for |d| > radius, in samples.
    pub radius: f64,
    /// How many samples of one axis a position reads: the even number from ⌊x⌋ − taps/2 + 1 on that covers the support;
    /// 1 for [`Method::Nearest`], which reads ⌊x + ½⌋. At most [`MAX_TAPS`].
    pub taps: usize,
    /// Whether the weights of a position are divided by their sum.
    pub normalized: bool,
    /// The form of the weights as functions of the fraction α = x − ⌊x⌋.
    pub family: Family,
    /// Whether w(0) = 1 and w(k) = 0 at the other integers, so that whole positions give their sample.
    pub interpolates: bool,
    /// The recursive filter that turns samples into coefficients, where there is one.
    pub prefilter: Option<Prefilter>,
    /// The sampling paths that serve it.
    pub paths: &'static [SamplingPath],
}

/// The form of a kernel's weights as functions of the fraction α, for backends with a quicker evaluation of some.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Family {
    /// At most four taps, each weight one cubic polynomial of α on [0, 1].
    Cubic,
    /// Lanczos with this whole a, 2 to 4: 2a taps.
    Lanczos(f64),
    /// Any other function: tabulated or evaluated by [`MethodKernel::weight`].
    Table,
}

const EVERY_PATH: &[SamplingPath] = &[
    SamplingPath::Auto,
    SamplingPath::Filtered,
    SamplingPath::FilteredTable,
    SamplingPath::Lookup,
    SamplingPath::Tiled,
];
const FILTERED_PATHS: &[SamplingPath] =
    &[SamplingPath::Auto, SamplingPath::Filtered, SamplingPath::Lookup, SamplingPath::Tiled];
const EXACT_PATHS: &[SamplingPath] = &[SamplingPath::Auto, SamplingPath::Lookup, SamplingPath::Tiled];

impl Method {
    /// Its kernel.
    ///
    /// ```
    /// use lerpscope::sampling::Method;
    /// let kernel = Method::LANCZOS3.kernel();
    /// assert_eq!((kernel.radius, kernel.taps, kernel.weight(1.0)), (3.0, 6, 0.0));
    /// ```
    pub fn kernel(self) -> MethodKernel {
        let (radius, is_zero_at_radius) = match self {
            Self::Nearest => (0.5, true),
            Self::Linear | Self::Hermite => (1.0, true),
            Self::Cubic { .. } | Self::OMoms => (2.0, true),
            Self::BSpline(degree) => ((f64::from(degree as u8) + 1.0) / 2.0, true),
            Self::Lanczos { a } => (a.get(), true),
            Self::Gaussian { sigma } => (4.0 * sigma.get(), false),
            Self::Custom(kernel) => (kernel.radius(), kernel.weight(kernel.radius()) == 0.0),
        };
        let taps = match self {
            Self::Nearest => 1,
            // The sample at the radius itself counts where its weight is not 0.
            _ if is_zero_at_radius => 2 * radius.ceil() as usize,
            _ => 2 * (radius.floor() as usize + 1),
        };
        let family = match self {
            Self::Nearest | Self::Linear | Self::Cubic { .. } | Self::Hermite | Self::OMoms => Family::Cubic,
            Self::BSpline(SplineDegree::Cubic) => Family::Cubic,
            Self::Lanczos { a } if [2.0, 3.0, 4.0].contains(&a.get()) => Family::Lanczos(a.get()),
            Self::BSpline(_) | Self::Lanczos { .. } | Self::Gaussian { .. } | Self::Custom(_) => Family::Table,
        };
        let interpolates = match self {
            Self::Nearest | Self::Linear | Self::Hermite | Self::Lanczos { .. } => true,
            Self::Cubic { b, .. } => b.get() == 0.0,
            Self::BSpline(_) | Self::OMoms | Self::Gaussian { .. } => false,
            Self::Custom(kernel) => kernel.interpolates(),
        };
        let normalized = match self {
            Self::Lanczos { .. } | Self::Gaussian { .. } => true,
            Self::Custom(kernel) => kernel.is_normalized(),
            _ => false,
        };
        let prefilter = match self {
            Self::BSpline(degree) => Some(Prefilter::of_bspline(degree)),
            Self::OMoms => Some(Prefilter::O_MOMS),
            _ => None,
        };
        let paths = match self {
            Self::BSPLINE => EVERY_PATH,
            Self::Nearest | Self::Linear | Self::CATMULL_ROM => FILTERED_PATHS,
            _ => EXACT_PATHS,
        };
        MethodKernel { method: self, radius, taps, normalized, family, interpolates, prefilter, paths }
    }
}

impl MethodKernel {
    /// The largest Σ|w| / Σw of an antialiased position. Rounding errors of a value grow with its square in two dimensions;
    /// single precision keeps them below 2·10⁻⁶ up to here.
    pub const MAX_CONDITION: f64 = condition::MAX_CONDITION;
    /// The largest Σ|w| / Σw of a position without antialiasing; `lanczos=8` reaches 2.16.
    pub const MAX_UNSTRETCHED_CONDITION: f64 = condition::MAX_UNSTRETCHED_CONDITION;
    /// Results of [`MethodKernel::min_stretch`] that are kept.
    const MAX_KEPT: usize = 1024;

    /// w(d), before any division by the sum.
    pub fn weight(&self, d: f64) -> f64 {
        match self.method {
            Method::Nearest => weights::box_weight(d),
            Method::Linear => weights::triangle_weight(d),
            Method::Cubic { b, c } => weights::cubic_weight(d, b.get(), c.get()),
            Method::Hermite => weights::hermite_weight(d),
            Method::BSpline(degree) => weights::bspline_weight(d, degree),
            Method::OMoms => weights::o_moms_weight(d),
            Method::Lanczos { a } => weights::lanczos_weight(d, a.get()),
            Method::Gaussian { sigma } => weights::gaussian_weight(d, sigma.get()),
            Method::Custom(kernel) => kernel.weight(d),
        }
    }

    /// Appends the weights at `count` distances, which decrease by `step`.
    pub(super) fn extend_at_steps(
        &self,
        weights: &mut Vec<f64>,
        (count, step): (usize, f64),
        distance: impl Fn(usize) -> f64,
    ) {
        match self.method {
            Method::Lanczos { a } => {
                let mut angles = weights::LanczosAngles::new(distance(0), step, a.get());
                weights.extend((0..count).map(|k| angles.next_weight(distance(k))));
            }
            _ => weights.extend((0..count).map(|k| self.weight(distance(k)))),
        }
    }

    /// The first sample that a position reads.
    pub fn first_sample(&self, x: f64) -> f64 {
        if self.taps == 1 { (x + 0.5).floor() } else { x.floor() - (self.taps / 2) as f64 + 1.0 }
    }

    /// Writes the weights of the `taps` samples from [`MethodKernel::first_sample`] on, for position `x`.
    ///
    /// # Panics
    /// If `weights` is shorter than `taps`.
    pub fn weights_at(&self, x: f64, weights: &mut [f64]) {
        let first = self.first_sample(x);
        let weights = &mut weights[..self.taps];
        for (k, weight) in weights.iter_mut().enumerate() {
            *weight = self.weight(x - (first + k as f64));
        }
        if self.normalized {
            let sum: f64 = weights.iter().sum();
            weights.iter_mut().for_each(|weight| *weight /= sum);
        }
    }

    /// The distances where w or a derivative of it jumps, rising; both ends of the support are among them. Between two of
    /// them w is analytic.
    pub fn kinks(&self) -> Vec<f64> {
        let symmetric = |distances: &[f64]| {
            let below = distances.iter().rev().filter(|&&d| d > 0.0).map(|d| -d);
            below.chain(distances.iter().copied()).collect()
        };
        match self.method {
            Method::Nearest => symmetric(&[0.5]),
            Method::Linear | Method::Hermite => symmetric(&[0.0, 1.0]),
            Method::Cubic { .. } | Method::OMoms | Method::BSpline(SplineDegree::Cubic) => symmetric(&[0.0, 1.0, 2.0]),
            Method::BSpline(SplineDegree::Quadratic) => symmetric(&[0.5, 1.5]),
            Method::BSpline(SplineDegree::Quartic) => symmetric(&[0.5, 1.5, 2.5]),
            Method::BSpline(SplineDegree::Quintic) => symmetric(&[0.0, 1.0, 2.0, 3.0]),
            Method::Lanczos { .. } | Method::Gaussian { .. } => symmetric(&[self.radius]),
            Method::Custom(kernel) => kernel.distances(),
        }
    }

    /// The least stretch (scale × blur) of an antialiased view. From there on Σ|w| / Σw ≤ [`MethodKernel::MAX_CONDITION`]
    /// at every position; below it a kernel with negative lobes has positions where the weights cancel. 0 where no weight is
    /// negative; infinite where no stretch is large enough. Found by search on the first call for a method, then kept.
    pub fn min_stretch(&self) -> f64 {
        static KEPT: LazyLock<Mutex<HashMap<Method, f64>>> = LazyLock::new(Mutex::default);
        let kept = || KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&stretch) = kept().get(&self.method) {
            return stretch;
        }
        let found = self.ask_weights(condition::min_stretch);
        let mut kept = kept();
        if kept.len() >= Self::MAX_KEPT {
            kept.clear();
        }
        kept.insert(self.method, found);
        found
    }

    /// The answer of `ask` about the weight function.
    fn ask_weights<T>(&self, ask: impl FnOnce(&Weights<'_>) -> T) -> T {
        let distances = if let Method::Custom(kernel) = self.method { Some(kernel.distances()) } else { None };
        ask(&Weights { radius: self.radius, weight: &|d| self.weight(d), distances: distances.as_deref() })
    }
}

#[cfg(test)]
mod tests {
    use super::super::METHODS;
    use super::super::samples_of_methods;
    use super::*;

    #[test]
    fn kernels_end_at_their_radius_within_the_taps_and_interpolate_as_they_say() {
        for method in samples_of_methods() {
            let kernel = method.kernel();
            assert!(kernel.taps <= MAX_TAPS && (kernel.taps == 1 || kernel.taps % 2 == 0), "{method}");
            assert!(kernel.radius <= (kernel.taps as f64 / 2.0).max(0.5), "{method}");
            assert_eq!(kernel.weight(kernel.radius + 1e-9), 0.0, "{method}");
            assert_eq!(kernel.weight(-kernel.radius - 1e-9), 0.0, "{method}");
            let mut weights = [0.0; MAX_TAPS];
            kernel.weights_at(7.0, &mut weights);
            let whole: Vec<f64> = weights[..kernel.taps].to_vec();
            let one = 7 - kernel.first_sample(7.0) as i64;
            let is_one = whole.iter().enumerate().all(|(k, &w)| w == f64::from(u8::from(k as i64 == one)));
            assert_eq!(is_one, kernel.interpolates, "{method}: {whole:?}");
        }
    }

    #[test]
    fn weights_at_steps_are_those_of_the_distances() {
        for method in samples_of_methods() {
            let kernel = method.kernel();
            for stretch in [1.0 / 3.0, 1.0, 2.0, 2.7, 6.25, 160.0] {
                for shift in 0..32 {
                    let farthest = kernel.radius * stretch - f64::from(shift) / 32.0;
                    let distance = |k: usize| (farthest - k as f64) / stretch;
                    let count = (2.0 * kernel.radius * stretch) as usize + 2;
                    let mut weights = vec![7.0];
                    kernel.extend_at_steps(&mut weights, (count, 1.0 / stretch), distance);
                    assert_eq!((weights.len(), weights[0]), (count + 1, 7.0));
                    for (k, &weight) in weights[1..].iter().enumerate() {
                        let error = (weight - kernel.weight(distance(k))).abs();
                        assert!(error < 1e-12, "{method} by {stretch}, step {k}: {error}");
                    }
                }
            }
        }
    }

    #[test]
    fn weights_beyond_the_taps_are_zero_at_every_fraction() {
        for method in samples_of_methods() {
            let kernel = method.kernel();
            for step in 0..=512 {
                let x = 40.0 + f64::from(step) / 512.0;
                let first = kernel.first_sample(x);
                let beyond = (1..4).flat_map(|k| [first - f64::from(k), first + (kernel.taps - 1 + k as usize) as f64]);
                for sample in beyond {
                    assert_eq!(kernel.weight(x - sample), 0.0, "{method} at {x}: sample {sample}");
                }
            }
        }
    }

    #[test]
    fn kernels_without_kinks_between_are_smooth() {
        // Fourth differences of an analytic function vanish with the fourth power of the step.
        for method in samples_of_methods() {
            let kernel = method.kernel();
            let kinks = kernel.kinks();
            assert!(kinks.is_sorted_by(|a, b| a < b), "{method}: {kinks:?}");
            assert!(kinks.last().is_some_and(|&last| last <= kernel.radius), "{method}: {kinks:?}");
            for pair in kinks.windows(2) {
                let step = (pair[1] - pair[0]) / 256.0;
                for k in 1..252 {
                    let at = |n: u32| kernel.weight(pair[0] + step * f64::from(k + n));
                    let difference = at(0) - 4.0 * at(1) + 6.0 * at(2) - 4.0 * at(3) + at(4);
                    assert!(difference.abs() < 2e3 * step.powi(4) + 1e-14, "{method} at {}: {difference}", pair[0]);
                }
            }
        }
    }

    #[test]
    fn kernel_family_matches_its_weights() {
        for method in samples_of_methods() {
            let kernel = method.kernel();
            if kernel.family != Family::Cubic || kernel.taps == 1 {
                continue;
            }
            assert!(kernel.taps <= 4 && !kernel.normalized, "{method}");
            // A cubic has vanishing fourth differences, with whole steps across all of [0, 1).
            for tap in 0..kernel.taps {
                let at = |n: u32| kernel.weight(f64::from(n) / 4.0 + (kernel.taps / 2) as f64 - 1.0 - tap as f64);
                let difference = at(0) - 4.0 * at(1) + 6.0 * at(2) - 4.0 * at(3) + at(4);
                assert!(difference.abs() < 1e-14, "{method} tap {tap}: {difference}");
            }
        }
    }

    #[test]
    fn weights_sum_to_one() {
        let mut weights = [0.0; MAX_TAPS];
        for method in samples_of_methods().into_iter().filter(|method| !matches!(method, Method::Custom(_))) {
            let kernel = method.kernel();
            for i in -50..=50 {
                let x = f64::from(i) * 0.073;
                kernel.weights_at(x, &mut weights);
                let sum: f64 = weights[..kernel.taps].iter().sum();
                assert!((sum - 1.0).abs() < 1e-12, "{method} at {x}: {sum}");
            }
        }
    }

    /// The polynomials of the source documents, written out, against the kernels.
    #[test]
    fn cubic_weights_are_the_documents_polynomials() {
        let mut weights = [0.0; MAX_TAPS];
        for i in 0..64 {
            let a = f64::from(i) / 64.0;
            Method::BSPLINE.kernel().weights_at(10.0 + a, &mut weights);
            let bspline = [
                (1.0 - a).powi(3) / 6.0,
                2.0 / 3.0 - a * a * (2.0 - a) / 2.0,
                2.0 / 3.0 - (1.0 - a).powi(2) * (1.0 + a) / 2.0,
                a.powi(3) / 6.0,
            ];
            for k in 0..4 {
                assert!((weights[k] - bspline[k]).abs() < 1e-14, "bspline w{k}({a})");
            }
            Method::CATMULL_ROM.kernel().weights_at(-3.0 + a, &mut weights);
            let catmull_rom = [
                a * (-0.5 + a * (1.0 - 0.5 * a)),
                1.0 + a * a * (-2.5 + 1.5 * a),
                a * (0.5 + a * (2.0 - 1.5 * a)),
                a * a * (-0.5 + 0.5 * a),
            ];
            for k in 0..4 {
                assert!((weights[k] - catmull_rom[k]).abs() < 1e-14, "catmull-rom w{k}({a})");
            }
        }
    }

    #[test]
    fn filtered_serves_the_four_methods_of_the_texture_unit() {
        let served = METHODS.iter().filter(|row| row.method.kernel().paths.contains(&SamplingPath::Filtered));
        let names: Vec<&str> = served.map(|row| row.name).collect();
        assert_eq!(names, ["nearest", "linear", "bspline", "catmull-rom"]);
        let values = samples_of_methods().into_iter().filter(|method| method.row().is_none());
        assert!(values.into_iter().all(|method| method.kernel().paths == EXACT_PATHS));
    }

    #[test]
    fn filtered_table_serves_the_cubic_bspline_alone() {
        let has_table = |method: &Method| method.kernel().paths.contains(&SamplingPath::FilteredTable);
        assert_eq!(samples_of_methods().into_iter().filter(has_table).collect::<Vec<_>>(), [Method::BSPLINE; 2]);
    }

    fn condition_of(kernel: &MethodKernel, stretch: f64, phases: u32) -> f64 {
        kernel.ask_weights(|weights| condition::condition(weights, stretch, phases))
    }

    #[test]
    fn least_stretches_of_named_methods_are_the_boundaries_to_a_hundredth() {
        let found: Vec<f64> = METHODS.iter().map(|row| row.method.kernel().min_stretch()).collect();
        assert_eq!(found, [0.0, 0.0, 0.0, 0.52, 0.45, 0.52, 0.53, 0.53]);
    }

    #[test]
    fn weights_cancel_nowhere_from_the_least_stretch_on_and_somewhere_below_it() {
        let mut random = fastrand::Rng::with_seed(21);
        let mut between = |least: f64, largest: f64| least + (largest - least) * random.f64();
        let mut methods = samples_of_methods();
        for _ in 0..12 {
            methods.push(Method::cubic(between(-1.0, 2.0), between(-1.0, 2.0)).expect("in range"));
            methods.push(Method::lanczos(between(1.0, 8.0)).expect("in range"));
        }
        for a in [1.0001, 1.01] {
            methods.push(Method::lanczos(a).expect("in range"));
        }
        for b in [-1.0, 2.0] {
            methods.extend([-1.0, 2.0].map(|c| Method::cubic(b, c).expect("in range")));
        }
        for method in methods {
            let kernel = method.kernel();
            let least = kernel.min_stretch();
            for step in 0..1000 {
                let stretch = least.max(0.01) + f64::from(step) * 0.004;
                let worst = condition_of(&kernel, stretch, 512);
                assert!(worst <= MethodKernel::MAX_CONDITION, "{method} stretched by {stretch}: {worst}");
            }
            if least > 0.0 {
                let below = (0..400).map(|step| least - f64::from(step) * 1e-4);
                let worst = below.map(|stretch| condition_of(&kernel, stretch, 512)).fold(0.0, f64::max);
                assert!(worst > MethodKernel::MAX_CONDITION, "{method}: {worst} below the least stretch {least}");
            }
        }
    }

    #[test]
    fn unstretched_weights_cancel_nowhere() {
        for b in -10..=20 {
            for c in -10..=20 {
                let cubic = Method::cubic(f64::from(b) / 10.0, f64::from(c) / 10.0).expect("in range");
                let worst = condition_of(&cubic.kernel(), 1.0, 64);
                assert!(worst <= MethodKernel::MAX_UNSTRETCHED_CONDITION, "{cubic}: {worst}");
            }
        }
        for a in 100..=800 {
            let lanczos = Method::lanczos(f64::from(a) / 100.0).expect("in range");
            let worst = condition_of(&lanczos.kernel(), 1.0, 64);
            assert!(worst <= MethodKernel::MAX_UNSTRETCHED_CONDITION, "{lanczos}: {worst}");
        }
    }
}
