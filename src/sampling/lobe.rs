//! The main lobe of a kernel: the samples around a position that an antiringing takes its bounds from.
//!
//! ```text
//!          ___
//!         /   \          w(d) > 0 from the lobe's one end to the other: the first zeros beside d = 0
//!   _    /     \    _
//!  / \__/       \__/ \
//!      −1   0    1
//! ```
//! Samples whose weights lie beyond the first zero make overshoot: their weights are negative, or positive again. The range
//! of the samples of the main lobe is therefore free of ringing. libplacebo bounds its polar filters by the samples within
//! `radius_zero`, the kernel's first root, and its separable ones by the two nearest samples of each axis, which are those of
//! the main lobe where a kernel is 0 at whole distances (haasn/libplacebo, `src/shaders/sampling.c`, `polar_sample` and
//! `pl_shader_sample_ortho`). Here the bounds are the least and the greatest sample of the main lobe of every kernel: one
//! sample of `nearest`, 2 × 2 of `linear`, of interpolating kernels and of prefiltered splines, all samples of a B-spline
//! without prefilter, whose values never leave their range.

use super::{MethodKernel, Prefilter, Sampler};

/// Steps of a sample in which the first zero of a kernel is searched, and of a kernel with a prefilter, which is a spline: it changes its sign
/// no more often than once a sample.
const STEPS: f64 = 64.0;
const STEPS_OF_SPLINES: f64 = 8.0;
/// Halvings of a step: as many as a fraction has bits.
const HALVINGS: usize = 53;
/// Width to which the zero of a spline is enclosed, in samples, and the most secants that takes.
const ENCLOSED: f64 = 1e-13;
const MOST_SECANTS: usize = 64;
/// A zero is at a whole distance if it is as near.
const WHOLE: f64 = 1e-9;
/// Part of a prefilter's response that is left out.
const RESPONSE_END: f64 = 1e-12;

/// The main lobe of a sampler at a scale, in samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MainLobe {
    /// Greatest distance d = x − k of its samples, before and after the position; both belong to it.
    before: f64,
    after: f64,
}

/// The main lobes of a sampler at all scales.
#[derive(Clone, Debug)]
pub struct MainLobes {
    sampler: Sampler,
    kernel: MethodKernel,
    /// The ends of the kernel's own lobe, before and after the position.
    own: [f64; 2],
    /// The prefilter's response to an impulse at 0, 1 …; empty without a prefilter.
    response: Vec<f64>,
    /// The scales of the last two lobes, and these.
    last: Option<([f64; 2], [MainLobe; 2])>,
}

impl MainLobes {
    /// The lobes of `sampler`.
    pub fn new(sampler: &Sampler) -> Self {
        let kernel = sampler.method.kernel();
        let own = [-1.0, 1.0].map(|sign: f64| first_zero(kernel.radius, |d| kernel.weight(sign * d)));
        let response = sampler.coefficients().map_or_else(Vec::new, response);
        Self { sampler: *sampler, kernel, own, response, last: None }
    }

    /// The lobe of the kernel, stretched for an output pixel `scale` samples wide where it is antialiased. With a prefilter it is the lobe of
    /// the kernel that acts on samples: the spline's, convolved with the prefilter's response. A kernel that is not positive at 0 has the lobe of
    /// its whole support.
    pub fn at(&self, scale: f64) -> MainLobe {
        let stretch = self.sampler.stretch(scale);
        if self.kernel.taps == 1 && stretch.is_none() {
            return MainLobe { before: 0.0, after: 0.0 };
        }
        let stretch = stretch.unwrap_or(1.0);
        if self.response.is_empty() {
            let [before, after] = self.own.map(|end| stretch * end);
            return MainLobe { before, after };
        }
        let reach = self.kernel.radius * stretch + self.response.len() as f64;
        let end = first_zero_of_spline(reach, |d| on_samples(&self.kernel, &self.response, stretch, d));
        MainLobe { before: end, after: end }
    }

    /// The lobes along both axes at these scales. Those of the last call are kept: neighbours often have one scale.
    pub fn along(&mut self, scales: [f64; 2]) -> [MainLobe; 2] {
        if let Some((last, lobes)) = self.last
            && last == scales
        {
            return lobes;
        }
        let first = self.at(scales[0]);
        let lobes = [first, if scales[1] == scales[0] { first } else { self.at(scales[1]) }];
        self.last = Some((scales, lobes));
        lobes
    }
}

impl MainLobe {
    /// The lobe of `sampler` at one scale: see [`MainLobes::at`].
    pub fn new(sampler: &Sampler, scale: f64) -> Self {
        MainLobes::new(sampler).at(scale)
    }

    /// The first and the last sample of the lobe about `x`, before the address mode; the nearest sample where the lobe lies
    /// between two.
    pub fn samples_at(&self, x: f64) -> [i64; 2] {
        let (mut first, mut last) = ((x - self.after).ceil(), (x + self.before).floor());
        // The sums are rounded, the differences are not.
        if x - first > self.after {
            first += 1.0;
        }
        if last - x > self.before {
            last -= 1.0;
        }
        if first > last { [(x + 0.5).floor() as i64; 2] } else { [first as i64, last as i64] }
    }
}

/// The greatest distance up to `reach` at which, and up to which, `weight` is positive; `reach` if it is not positive at 0.
fn first_zero(reach: f64, weight: impl Fn(f64) -> f64) -> f64 {
    if weight(0.0) <= 0.0 {
        return reach;
    }
    let mut positive = 0.0;
    loop {
        let next: f64 = (positive + 1.0 / STEPS).min(reach);
        if weight(next) <= 0.0 {
            return refined([positive, next], weight);
        }
        if next >= reach {
            return reach;
        }
        positive = next;
    }
}

/// The same of a spline with its prefilter, which is smooth: its zero is enclosed by secants. The value at the end that stays is halved, so that
/// both ends move (Dowell and Jarratt 1971, the Illinois method).
fn first_zero_of_spline(reach: f64, weight: impl Fn(f64) -> f64) -> f64 {
    let (mut positive, mut above) = (0.0, weight(0.0));
    if above <= 0.0 {
        return reach;
    }
    let (mut zero, mut below) = loop {
        let next: f64 = (positive + 1.0 / STEPS_OF_SPLINES).min(reach);
        let at_next = weight(next);
        if at_next <= 0.0 {
            break (next, at_next);
        }
        if next >= reach {
            return reach;
        }
        (positive, above) = (next, at_next);
    };
    for _ in 0..MOST_SECANTS {
        let width = zero - positive;
        if width <= ENCLOSED * zero.max(1.0) {
            break;
        }
        // Within the ends, so that both are moved by a secant that meets the zero itself.
        let share = (above / (above - below)).clamp(1e-3 * ENCLOSED, 1.0 - 1e-3 * ENCLOSED);
        let secant = (positive + share * width).clamp(positive.next_up(), zero.next_down());
        let at_secant = weight(secant);
        if at_secant > 0.0 {
            (positive, above, below) = (secant, at_secant, 0.5 * below);
        } else {
            (zero, below, above) = (secant, at_secant, 0.5 * above);
        }
    }
    end_before([positive, zero])
}

/// The last place before the zero between `positive` and `zero`.
fn refined([mut positive, mut zero]: [f64; 2], weight: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..HALVINGS {
        let middle = 0.5 * (positive + zero);
        if weight(middle) > 0.0 { positive = middle } else { zero = middle }
    }
    end_before([positive, zero])
}

/// The end of a lobe whose zero is between these: no sample at the zero itself belongs to it.
fn end_before([positive, zero]: [f64; 2]) -> f64 {
    let whole = zero.round();
    if (zero - whole).abs() < WHOLE { whole.next_down() } else { positive }
}

/// Σ p[|j|]·w((d − j)/stretch): the weight of a sample at distance d, by way of the coefficients that the kernel reaches.
fn on_samples(kernel: &MethodKernel, response: &[f64], stretch: f64, d: f64) -> f64 {
    let reach = kernel.radius * stretch;
    let (first, last) = ((d - reach).ceil() as i64, (d + reach).floor() as i64);
    let last_of_response = response.len() as i64 - 1;
    let reached = first.max(-last_of_response)..=last.min(last_of_response);
    reached.map(|j| response[j.unsigned_abs() as usize] * kernel.weight((d - j as f64) / stretch)).sum()
}

/// The impulse response of a prefilter at 0, 1 … until it has decayed; it is even. Each pole z has (1 − z)/(1 + z)·z^|k|.
fn response(prefilter: Prefilter) -> Vec<f64> {
    let slowest = prefilter.poles().first().map_or(0.0, |pole| pole.abs());
    let reach = if slowest > 0.0 { (RESPONSE_END.ln() / slowest.ln()).ceil() as i64 } else { 0 };
    let of_pole = |z: f64, k: i64| (1.0 - z) / (1.0 + z) * z.powi(k.unsigned_abs() as i32);
    let mut response: Vec<f64> = (-reach..=reach).map(|k| if k == 0 { 1.0 } else { 0.0 }).collect();
    for &z in prefilter.poles() {
        let before = response.clone();
        for (k, value) in (-reach..=reach).zip(&mut response) {
            *value = (-reach..=reach).zip(&before).map(|(n, before)| before * of_pole(z, k - n)).sum();
        }
    }
    response.split_off(reach as usize)
}

#[cfg(test)]
mod tests {
    use super::super::{Method, samples_of_methods};
    use super::*;

    fn lobe(method: &str, prefilter: bool, stretch: f64) -> MainLobe {
        let method: Method = method.parse().expect("a method");
        let sampler = Sampler { prefilter, antialias: stretch > 1.0, ..Sampler::default().with_method(method) };
        MainLobe::new(&sampler, stretch)
    }

    #[test]
    fn interpolating_kernels_and_prefiltered_splines_have_the_two_nearest_samples_of_an_axis() {
        let interpolating = ["linear", "hermite", "catmull-rom", "keys=-0.75", "lanczos2", "lanczos3", "lanczos=2.5"];
        let splines = ["bspline=2", "bspline", "bspline=4", "bspline=5", "o-moms"];
        let cases = interpolating.iter().map(|name| (name, false)).chain(splines.iter().map(|name| (name, true)));
        for (name, prefilter) in cases {
            let lobe = lobe(name, prefilter, 1.0);
            for (x, samples) in
                [(3.25, [3, 4]), (3.999, [3, 4]), (-0.5, [-1, 0]), (1e7 + 0.5, [10_000_000, 10_000_001])]
            {
                assert_eq!(lobe.samples_at(x), samples, "{name} at {x}");
            }
            assert_eq!(lobe.samples_at(7.0), [7, 7], "{name} at a sample");
        }
    }

    #[test]
    fn lobe_of_a_smoothing_kernel_ends_at_its_first_zero() {
        assert_eq!(lobe("nearest", false, 1.0).samples_at(3.6), [4, 4]);
        assert_eq!(lobe("bspline", false, 1.0).samples_at(3.6), [2, 5], "a B-spline has no zero within its radius");
        // Mitchell's kernel on 1 … 2: (−7d³ + 36d² − 60d + 32)/18 = 0 at d = 8/7.
        let mitchell = lobe("mitchell", false, 1.0);
        assert!((mitchell.after - 8.0 / 7.0).abs() < 1e-12, "{mitchell:?}");
        assert_eq!([3.1, 3.2].map(|x| mitchell.samples_at(x)), [[2, 4], [3, 4]]);
        assert_eq!(lobe("gaussian=1", false, 1.0).after, 4.0);
    }

    #[test]
    fn stretched_lobe_is_as_much_wider() {
        let lanczos = lobe("lanczos3", false, 4.0);
        assert_eq!([lanczos.samples_at(10.5), lanczos.samples_at(10.0)], [[7, 14], [7, 13]]);
        // A narrow stretch leaves the lobe between two samples.
        let sampler = Sampler { antialias: true, blur: 0.3, ..Sampler::default() };
        assert_eq!(MainLobe::new(&sampler, 1.5).samples_at(3.5), [4, 4]);
        // A prefilter narrows the spline's lobe to 1 at stretch 1, and hardly at large ones.
        let narrow = lobe("bspline", true, 1.0 + 1e-9).after;
        let wide = lobe("bspline", true, 8.0).after / 8.0;
        assert!((narrow - 1.0).abs() < 1e-6 && (1.4..2.0).contains(&wide), "{narrow} {wide}");
    }

    /// The first zero by steps of 1/4096 and by halving, of the kernel on samples as it is defined.
    #[test]
    fn lobe_of_a_prefiltered_spline_ends_at_the_first_zero_at_every_stretch() {
        for name in ["bspline=2", "bspline", "bspline=4", "bspline=5", "o-moms"] {
            let method: Method = name.parse().expect("a method");
            let kernel = method.kernel();
            let response = response(kernel.prefilter.expect("a prefilter"));
            for step in 0..120 {
                let stretch = 1.0 + f64::from(step * step) / 1600.0;
                let h = |d: f64| -> f64 {
                    let weight = |j: i64| kernel.weight((d - j as f64) / stretch);
                    let p = |j: i64| response[j.unsigned_abs() as usize];
                    let last = response.len() as i64 - 1;
                    (-last..=last).map(|j| p(j) * weight(j)).sum()
                };
                let next = (1..).map(|step| f64::from(step) / 4096.0).find(|d| h(*d) <= 0.0).expect("a zero");
                let zero = refined([next - 1.0 / 4096.0, next], h);
                let found = lobe(name, true, stretch).after;
                assert!((found - zero).abs() < 1e-9, "{name} at {stretch}: {found}, not {zero}");
            }
        }
    }

    #[test]
    fn lobes_of_both_axes_are_those_of_their_scales_whatever_came_before() {
        let sampler = Sampler { prefilter: true, antialias: true, ..Sampler::default().with_method(Method::BSPLINE) };
        let mut lobes = MainLobes::new(&sampler);
        for scales in [[2.0, 2.0], [2.0, 3.0], [3.0, 2.0], [3.0, 2.0], [0.5, 1.25]] {
            assert_eq!(lobes.along(scales), scales.map(|scale| MainLobe::new(&sampler, scale)), "{scales:?}");
        }
    }

    #[test]
    fn weights_within_the_lobe_are_positive_for_every_method() {
        for method in samples_of_methods() {
            let (kernel, lobe) = (method.kernel(), MainLobe::new(&Sampler::default().with_method(method), 1.0));
            for step in 0..200 {
                let x = 5.0 + f64::from(step) / 200.0;
                let [first, last] = lobe.samples_at(x);
                assert!(first <= last && (first..=last).contains(&((x + 0.5).floor() as i64)), "{method} at {x}");
                let is_positive = |k: i64| kernel.weight(x - k as f64) > 0.0;
                assert!(kernel.weight(0.0) <= 0.0 || (first..=last).all(is_positive), "{method} at {x}");
            }
        }
    }
}
