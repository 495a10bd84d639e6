//! How close the weights of a position come to cancelling: the condition Σ|w| / Σw. Rounding errors of a weighted mean grow
//! with it.

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
/// The largest Σ|w| / Σw of an antialiased position. Rounding errors of a value grow with its square in two dimensions;
/// single precision keeps them below 2·10⁻⁶ up to here.
pub(super) const MAX_CONDITION: f64 = 2.1;
/// The largest Σ|w| / Σw of a position without antialiasing; `lanczos=8` reaches 2.16.
pub(super) const MAX_UNSTRETCHED_CONDITION: f64 = 2.2;

/// A weight function w(d).
pub(super) struct Weights<'a> {
    /// w(d) = 0 for |d| > radius, in samples.
    pub(super) radius: f64,
    /// w.
    pub(super) weight: &'a dyn Fn(f64) -> f64,
    /// The distances, rising, between which a table is straight; `None` for other kernels.
    pub(super) distances: Option<&'a [f64]>,
}

/// The least stretch from which on Σ|w| / Σw ≤ [`MAX_CONDITION`] at every position; 0 where no weight is negative, infinite
/// where no stretch is large enough. Stretches are searched downwards until a position's weights cancel, then the boundary by
/// bisection, rounded up to a hundredth.
pub(super) fn min_stretch(weights: &Weights<'_>) -> f64 {
    let places = || (0..=2 * PLACES).map(|k| weights.radius * (f64::from(k) / f64::from(PLACES) - 1.0));
    let negative: Vec<f64> = places().filter(|&d| (weights.weight)(d) < -NEGLIGIBLE).map(f64::abs).collect();
    if negative.is_empty() {
        return 0.0;
    }
    let largest = weights.distances.map_or(LARGEST_STRETCH, |distances| safe_stretch(weights, distances));
    if largest > LARGEST_TABLE_STRETCH {
        return largest;
    }
    // Halfway between two samples both have the distance ½: where only these two are left, a weight below 0 decides.
    let halfway = negative.iter().map(|d| 0.5 / d).filter(|&stretch| (SMALLEST_STRETCH..largest).contains(&stretch));
    let steps = (largest / SMALLEST_STRETCH).ln() / -STEP.ln();
    let mut stretches: Vec<f64> = (0..=steps as i32).map(|k| largest * STEP.powi(k)).chain(halfway).collect();
    stretches.sort_unstable_by(|a, b| b.total_cmp(a));
    let is_bad = |stretch: f64, phases: u32| condition(weights, stretch, phases) > MAX_CONDITION;
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
pub(super) fn condition(weights: &Weights<'_>, stretch: f64, phases: u32) -> f64 {
    let reach = (weights.radius * stretch).ceil() as i32;
    let mut worst = 0.0_f64;
    for phase in 0..phases {
        let x = f64::from(phase) / f64::from(phases);
        let (mut sum, mut magnitude) = (0.0, 0.0);
        for k in -reach..=reach + 1 {
            let weight = (weights.weight)((x - f64::from(k)) / stretch);
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
fn safe_stretch(weights: &Weights<'_>, distances: &[f64]) -> f64 {
    let ends =
        [distances.first(), distances.last()].into_iter().flatten().map(|&d| (weights.weight)(d).abs()).sum::<f64>();
    let (mut sum, mut magnitude, mut variation) = (0.0, 0.0, ends);
    for pair in distances.windows(2) {
        let [a, b] = [pair[0], pair[1]].map(|d| (weights.weight)(d));
        let width = pair[1] - pair[0];
        sum += width * (a + b) / 2.0;
        magnitude += width * if a * b >= 0.0 { (a + b).abs() / 2.0 } else { (a * a + b * b) / (2.0 * (a - b).abs()) };
        variation += (b - a).abs();
    }
    let most = MAX_CONDITION;
    let excess = most * sum - magnitude;
    if excess > 0.0 { ((1.0 + most) * variation / excess).max(LARGEST_STRETCH) } else { f64::INFINITY }
}
