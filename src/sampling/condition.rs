//! How close the weights of a position come to cancelling: the condition Σ|w| / Σw. Rounding errors of a weighted mean grow
//! with it.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use super::kernel::MethodKernel;
use super::method::Method;

/// Largest stretch that is searched for kernels with parameters: their worst one is 1.25, at `cubic=-1,2`.
const LARGEST_STRETCH: f64 = 1.6;
/// The same for tables, whose weights may change sign anywhere.
const LARGEST_TABLE_STRETCH: f64 = 32.0;
/// Smallest stretch of a view: just above scale 1, at the least blur.
const SMALLEST_STRETCH: f64 = 0.01;
/// Ratio of neighbouring stretches that are searched.
const STEP: f64 = 0.995;
/// Places of the radius whose weights are looked at for their sign.
const PLACES: u32 = 4096;
/// Weights nearer to 0 count as 0: positions where only such weights are left take the nearest sample alone.
const NEGLIGIBLE: f64 = 1e-9;
/// Results that are kept.
const MAX_KEPT: usize = 1024;

/// [`MethodKernel::min_stretch`], kept for each method after the first call.
pub(super) fn min_stretch(kernel: &MethodKernel) -> f64 {
    static KEPT: LazyLock<Mutex<HashMap<Method, f64>>> = LazyLock::new(Mutex::default);
    let kept = || KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(&stretch) = kept().get(&kernel.method) {
        return stretch;
    }
    let found = find_min_stretch(kernel);
    let mut kept = kept();
    if kept.len() >= MAX_KEPT {
        kept.clear();
    }
    kept.insert(kernel.method, found);
    found
}

/// The search: stretches downwards, until a position's weights cancel, then the boundary by bisection, rounded up to a
/// hundredth.
fn find_min_stretch(kernel: &MethodKernel) -> f64 {
    let places = || (0..=2 * PLACES).map(|k| kernel.radius * (f64::from(k) / f64::from(PLACES) - 1.0));
    let negative: Vec<f64> = places().filter(|&d| kernel.weight(d) < -NEGLIGIBLE).map(f64::abs).collect();
    if negative.is_empty() {
        return 0.0;
    }
    let largest = match kernel.method {
        Method::Custom(_) => safe_stretch(kernel),
        _ => LARGEST_STRETCH,
    };
    if largest > LARGEST_TABLE_STRETCH {
        return largest;
    }
    // Halfway between two samples both have the distance ½: where only these two are left, a weight below 0 decides.
    let halfway = negative.iter().map(|d| 0.5 / d).filter(|&stretch| (SMALLEST_STRETCH..largest).contains(&stretch));
    let steps = (largest / SMALLEST_STRETCH).ln() / -STEP.ln();
    let mut stretches: Vec<f64> = (0..=steps as i32).map(|k| largest * STEP.powi(k)).chain(halfway).collect();
    stretches.sort_unstable_by(|a, b| b.total_cmp(a));
    let is_bad = |stretch: f64, phases: u32| condition(kernel, stretch, phases) > MethodKernel::MAX_CONDITION;
    let Some(mut first) = stretches.iter().position(|&stretch| is_bad(stretch, COARSE_PHASES)) else { return 0.0 };
    while first > 0 && is_bad(stretches[first - 1], FINE_PHASES) {
        first -= 1;
    }
    let (mut bad, mut good) = (stretches[first], if first == 0 { largest } else { stretches[first - 1] });
    for _ in 0..20 {
        let middle = f64::midpoint(bad, good);
        if is_bad(middle, FINE_PHASES) { bad = middle } else { good = middle }
    }
    (good * 100.0 + 0.05).ceil() / 100.0
}

/// Positions within a sample that a search tries, and those that a boundary is found by.
const COARSE_PHASES: u32 = 64;
const FINE_PHASES: u32 = 512;

/// The largest Σ|w| / Σw over `phases` positions of a kernel stretched by `stretch`; infinite where a sum is not above 0.
/// Positions without any weight take the nearest sample and do not count.
pub(super) fn condition(kernel: &MethodKernel, stretch: f64, phases: u32) -> f64 {
    let reach = (kernel.radius * stretch).ceil() as i32;
    let mut worst = 0.0_f64;
    for phase in 0..phases {
        let x = f64::from(phase) / f64::from(phases);
        let (mut sum, mut magnitude) = (0.0, 0.0);
        for k in -reach..=reach + 1 {
            let weight = kernel.weight((x - f64::from(k)) / stretch);
            sum += weight;
            magnitude += weight.abs();
        }
        if magnitude > NEGLIGIBLE {
            worst = worst.max(if sum > 0.0 { magnitude / sum } else { f64::INFINITY });
        }
    }
    worst
}

/// A stretch from which on no position's weights cancel, by the total variation V of w: a sum of samples differs from
/// stretch·∫w by V at most, and one of magnitudes from stretch·∫|w|. Infinite where ∫|w| / ∫w is too large itself.
fn safe_stretch(kernel: &MethodKernel) -> f64 {
    let distances = kernel.kinks();
    let ends =
        [distances.first(), distances.last()].into_iter().flatten().map(|&d| kernel.weight(d).abs()).sum::<f64>();
    let (mut sum, mut magnitude, mut variation) = (0.0, 0.0, ends);
    for pair in distances.windows(2) {
        let [a, b] = [pair[0], pair[1]].map(|d| kernel.weight(d));
        let width = pair[1] - pair[0];
        sum += width * (a + b) / 2.0;
        magnitude += width * if a * b >= 0.0 { (a + b).abs() / 2.0 } else { (a * a + b * b) / (2.0 * (a - b).abs()) };
        variation += (b - a).abs();
    }
    let most = MethodKernel::MAX_CONDITION;
    let excess = most * sum - magnitude;
    if excess > 0.0 { ((1.0 + most) * variation / excess).max(LARGEST_STRETCH) } else { f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::super::METHODS;
    use super::super::samples_of_methods;
    use super::*;

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
                let worst = condition(&kernel, stretch, 512);
                assert!(worst <= MethodKernel::MAX_CONDITION, "{method} stretched by {stretch}: {worst}");
            }
            if least > 0.0 {
                let below = (0..400).map(|step| least - f64::from(step) * 1e-4);
                let worst = below.map(|stretch| condition(&kernel, stretch, 512)).fold(0.0, f64::max);
                assert!(worst > MethodKernel::MAX_CONDITION, "{method}: {worst} below the least stretch {least}");
            }
        }
    }

    #[test]
    fn unstretched_weights_cancel_nowhere() {
        for b in -10..=20 {
            for c in -10..=20 {
                let cubic = Method::cubic(f64::from(b) / 10.0, f64::from(c) / 10.0).expect("in range");
                let worst = condition(&cubic.kernel(), 1.0, 64);
                assert!(worst <= MethodKernel::MAX_UNSTRETCHED_CONDITION, "{cubic}: {worst}");
            }
        }
        for a in 100..=800 {
            let lanczos = Method::lanczos(f64::from(a) / 100.0).expect("in range");
            let worst = condition(&lanczos.kernel(), 1.0, 64);
            assert!(worst <= MethodKernel::MAX_UNSTRETCHED_CONDITION, "{lanczos}: {worst}");
        }
    }
}
