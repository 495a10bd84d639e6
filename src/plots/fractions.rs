//! The fractions at which one linear texture fetch returns two weighted samples: exercise 3 and the Catmull-Rom exercise of
//! document 000.
//!
//! A fetch at fraction h between samples k and k + 1 returns (1 − h)·f[k] + h·f[k + 1]. Two weights are one fetch, times
//! their sum, where h = w_(k+1) / (w_k + w_(k+1)) is between 0 and 1: where both have one sign.

use crate::arguments::listed;
use crate::sampling::{MAX_TAPS, Method};

/// Number of steps of α between 0 and 1.
const STEPS: u32 = 256;
/// Sum of two weights below which they have no fraction.
const NOTHING: f64 = 1e-12;
/// Rounding error of a fraction.
const ROUNDING: f64 = 1e-9;

/// The fraction of one pair of neighbouring weights, over α.
#[derive(Clone, Debug, PartialEq)]
pub struct PairFraction {
    /// Index of the first weight of the pair.
    pub first: usize,
    /// α and the fraction, where the two weights do not cancel.
    pub points: Vec<[f64; 2]>,
    /// The least fraction.
    pub least: f64,
    /// The greatest fraction.
    pub greatest: f64,
}

impl PairFraction {
    /// The fraction of weights `first` and `first` + 1 of `method`, in the order of its samples.
    fn new(method: Method, first: usize) -> Self {
        let kernel = method.kernel();
        let mut weights = [0.0; MAX_TAPS];
        let points: Vec<[f64; 2]> = (0..=STEPS)
            .filter_map(|step| {
                // At α = 1 the position is the next sample: the limit from below stays with this one's samples.
                let alpha = f64::from(step) / f64::from(STEPS);
                kernel.weights_at(alpha.min(1.0 - 1e-6), &mut weights);
                let sum = weights[first] + weights[first + 1];
                (sum.abs() > NOTHING).then(|| [alpha, weights[first + 1] / sum])
            })
            .collect();
        let (least, greatest) = points
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, greatest), [_, h]| (least.min(*h), greatest.max(*h)));
        Self { first, points, least, greatest }
    }

    /// Its name: `w1/(w0+w1)`.
    pub fn label(&self) -> String {
        let Self { first, .. } = self;
        format!("w{next}/(w{first}+w{next})", next = first + 1)
    }

    /// Whether it stays between 0 and 1, so that one linear fetch serves the pair.
    pub fn is_fetched(&self) -> bool {
        self.least >= -ROUNDING && self.greatest <= 1.0 + ROUNDING
    }

    /// The fractions of the pairs w0 and w1, w2 and w3 … of `method`; none for a method that reads one sample.
    pub fn all(method: Method) -> Vec<Self> {
        (0..method.kernel().taps.saturating_sub(1)).step_by(2).map(|first| Self::new(method, first)).collect()
    }

    /// The fraction of the middle pair of `method`, where that is not among the pairs of [`PairFraction::all`].
    fn middle(method: Method) -> Option<Self> {
        let taps = method.kernel().taps;
        taps.is_multiple_of(4).then(|| Self::new(method, taps / 2 - 1))
    }
}

/// What follows from the fractions of `methods`: which of them linear fetches serve.
pub(super) fn conclusion(methods: &[Method]) -> String {
    let (mut fetched, mut outside, mut single) = (Vec::new(), Vec::new(), Vec::new());
    for &method in methods {
        let pairs = PairFraction::all(method);
        let label = method.label().into_owned();
        let worst = pairs.iter().filter(|pair| !pair.is_fetched());
        let worst = worst.max_by(|a, b| excess(a).total_cmp(&excess(b)));
        match worst {
            _ if pairs.is_empty() => single.push(label),
            None => fetched.push(label),
            Some(worst) => {
                let middle = PairFraction::middle(method).filter(PairFraction::is_fetched);
                let middle = middle.map(|pair| format!("; only w{} with w{} is a fetch", pair.first, pair.first + 1));
                let range = format!("{} … {}", short(worst.least), short(worst.greatest));
                outside.push(format!("{label} ({range}{})", middle.unwrap_or_default()));
            }
        }
    }
    let sentence = |labels: &[String], one: &str, more: &str| {
        let names = listed(labels.iter().map(String::as_str));
        let rest = if labels.len() == 1 { one } else { more };
        (!labels.is_empty()).then(|| format!("{names} {rest}"))
    };
    let sentences = [
        sentence(
            &fetched,
            "stays within 0 … 1: one linear fetch for each pair.",
            "stay within 0 … 1: one linear fetch for each pair.",
        ),
        sentence(&outside, "leaves 0 … 1: no linear fetch.", "leave 0 … 1: no linear fetch."),
        sentence(&single, "reads one sample.", "read one sample."),
    ];
    sentences.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// How far a fraction leaves 0 … 1.
fn excess(pair: &PairFraction) -> f64 {
    (-pair.least).max(pair.greatest - 1.0)
}

/// Two decimals, with a true minus sign and none before 0.00; a power of ten near a pole.
fn short(value: f64) -> String {
    let text = if value.abs() < 1e3 { format!("{value:.2}") } else { format!("{value:.0e}") };
    if text == "-0.00" { "0.00".to_owned() } else { text.replace('-', "−") }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Exercise 3 of document 000 by the polynomials of its solution.
    #[test]
    fn fractions_of_the_cubic_bspline_are_those_of_exercise_3_and_between_0_and_1() {
        let pairs = PairFraction::all(Method::BSPLINE);
        assert_eq!(pairs.iter().map(PairFraction::label).collect::<Vec<_>>(), ["w1/(w0+w1)", "w3/(w2+w3)"]);
        for (pair, points) in pairs.iter().map(|pair| (pair, &pair.points)) {
            assert!(pair.is_fetched() && points.len() == 257, "{pair:?}");
            for [a, found] in points {
                let w = [
                    (-a.powi(3) + 3.0 * a * a - 3.0 * a + 1.0) / 6.0,
                    (3.0 * a.powi(3) - 6.0 * a * a + 4.0) / 6.0,
                    (-3.0 * a.powi(3) + 3.0 * a * a + 3.0 * a + 1.0) / 6.0,
                    a.powi(3) / 6.0,
                ];
                let expected = w[pair.first + 1] / (w[pair.first] + w[pair.first + 1]);
                assert!((found - expected).abs() < 1e-5, "{} at {a}: {found}, {expected}", pair.label());
            }
        }
    }

    /// The Catmull-Rom exercise of document 000: “the inequalities are not met”.
    #[test]
    fn fractions_of_catmull_rom_leave_0_to_1_except_in_the_middle() {
        let [outer, last] = <[PairFraction; 2]>::try_from(PairFraction::all(Method::CATMULL_ROM)).expect("two pairs");
        assert!((1.127..1.128).contains(&outer.greatest) && !outer.is_fetched(), "{outer:?}");
        assert!((-0.128..-0.127).contains(&last.least) && !last.is_fetched(), "{last:?}");
        // w0 = −1/16 and w1 = 9/16 at the middle.
        let middle = outer.points.iter().find(|[alpha, _]| *alpha == 0.5).expect("α = ½");
        assert!((middle[1] - 9.0 / 8.0).abs() < 1e-12, "{middle:?}");
        assert!(PairFraction::middle(Method::CATMULL_ROM).is_some_and(|pair| pair.is_fetched()));
    }

    #[test]
    fn methods_with_pairs_within_0_to_1_are_those_without_negative_weights() {
        for text in ["linear", "hermite", "bspline=2", "bspline=3", "bspline=4", "bspline=5", "o-moms", "gaussian=0.5"]
        {
            let method: Method = text.parse().expect(text);
            assert!(PairFraction::all(method).iter().all(PairFraction::is_fetched), "{text}");
        }
        for text in ["catmull-rom", "mitchell", "lanczos2", "lanczos3"] {
            let method: Method = text.parse().expect(text);
            assert!(!PairFraction::all(method).iter().all(PairFraction::is_fetched), "{text}");
        }
    }

    #[test]
    fn conclusion_sorts_methods_by_what_a_linear_fetch_returns() {
        let found = conclusion(&[Method::Nearest, Method::Linear, Method::BSPLINE, Method::CATMULL_ROM]);
        let expected = "linear and bspline stay within 0 … 1: one linear fetch for each pair. catmull-rom (1.00 … 1.13; only w1 \
                        with w2 is a fetch) leaves 0 … 1: no linear fetch. nearest reads one sample.";
        assert_eq!(found, expected);
        assert_eq!([-0.004, -0.127, 1.5, -2e6].map(short), ["0.00", "−0.13", "1.50", "−2e6"]);
        let outside = conclusion(&[Method::MITCHELL, Method::LANCZOS2]);
        assert!(outside.starts_with("mitchell (") && outside.ends_with("leave 0 … 1: no linear fetch."), "{outside}");
    }
}
