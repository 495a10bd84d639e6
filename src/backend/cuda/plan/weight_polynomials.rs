//! Twin: kernels/weights.cuh. A method's weights by the fraction α of a position, as polynomials that its row
//! makes: a kernel evaluates them in a few multiply-adds, and a new row needs no line of CUDA. Lanczos's kernels alone have
//! lines of their own there, since they are quicker made from two sines.

use crate::sampling::{Family, MethodKernel};

/// How far a polynomial may be from the row's own weights.
const FIT: f64 = 2e-8;
/// The most segments that α's range is cut into.
const MOST_SEGMENTS: usize = 64;

/// The weights of a method, as its row makes them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Curves {
    /// One cubic a tap, terms from the constant on.
    Cubics(Vec<[f32; 4]>),
    /// a, and sin(πx/a)/x as a polynomial of x² for 0 ≤ x ≤ 1: six terms from the constant on, then zeros.
    Lanczos(i32, [[f32; 4]; 2]),
    /// Polynomials of degree seven, t from 0 to 1 over each of this many segments of α: a tap's four terms from the constant
    /// on for all segments, then its four higher ones for all.
    Segments(Vec<[f32; 4]>, usize),
}

impl Curves {
    /// The curves of `row`: one cubic a tap where they are cubics; else degree seven, over as many segments as it takes.
    pub(crate) fn new(kernel: &MethodKernel) -> Self {
        let lanczos = lanczos_of(kernel);
        if lanczos > 0 {
            let [a, b, c, d, e, f] = sine_over(f64::from(lanczos)).map(|term| term as f32);
            return Self::Lanczos(lanczos, [[a, b, c, d], [e, f, 0.0, 0.0]]);
        }
        let cubics = polynomials::<4>(kernel, 0, 1);
        if kernel.taps <= 4 && misfit(kernel, &cubics, 0, 1) <= FIT {
            return Self::Cubics(cubics.into_iter().map(|terms| terms.map(|term| term as f32)).collect());
        }
        let fits = |segments: &usize| {
            (0..*segments)
                .all(|segment| misfit(kernel, &polynomials::<8>(kernel, segment, *segments), segment, *segments) <= FIT)
        };
        let segments = [1, 2, 4, 8, 16, 32].into_iter().find(fits).unwrap_or(MOST_SEGMENTS);
        let made: Vec<_> = (0..segments).map(|segment| polynomials::<8>(kernel, segment, segments)).collect();
        let all = (0..kernel.taps)
            .flat_map(|tap| [(tap, 0), (tap, 4)])
            .flat_map(|(tap, from)| made.iter().map(move |taps| std::array::from_fn(|n| taps[tap][from + n] as f32)))
            .collect();
        Self::Segments(all, segments)
    }
}

/// a of a Lanczos kernel, else 0.
pub(crate) fn lanczos_of(kernel: &MethodKernel) -> i32 {
    match kernel.family {
        Family::Lanczos(a) => a as i32,
        Family::Cubic | Family::Table => 0,
    }
}

/// The weights of all taps at fraction `a`, which may be 1.
fn weights_at(kernel: &MethodKernel, a: f64) -> Vec<f64> {
    if kernel.taps == 1 {
        return vec![1.0];
    }
    let before = (kernel.taps / 2 - 1) as f64;
    let mut weights: Vec<f64> = (0..kernel.taps).map(|k| kernel.weight(a + before - k as f64)).collect();
    if kernel.normalized {
        let sum: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= sum);
    }
    weights
}

/// One polynomial a tap through `TERMS` places of a segment: the Chebyshev extrema, both ends among them, so that whole
/// positions give exactly their sample.
fn polynomials<const TERMS: usize>(kernel: &MethodKernel, segment: usize, segments: usize) -> Vec<[f64; TERMS]> {
    let places: [f64; TERMS] = std::array::from_fn(|k| {
        if k == 0 { 0.0 } else { 0.5 - 0.5 * (std::f64::consts::PI * k as f64 / (TERMS - 1) as f64).cos() }
    });
    let at = places.map(|t| weights_at(kernel, (segment as f64 + t) / segments as f64));
    (0..kernel.taps).map(|tap| through(places, std::array::from_fn(|k| at[k][tap]))).collect()
}

/// sin(πx/a)/x as a polynomial of x² for 0 ≤ x ≤ 1, terms from the constant on.
fn sine_over(a: f64) -> [f64; 6] {
    let factor = std::f64::consts::PI / a;
    let places: [f64; 6] = std::array::from_fn(|k| 0.5 - 0.5 * (std::f64::consts::PI * k as f64 / 5.0).cos());
    let values =
        places.map(|square| if square == 0.0 { factor } else { (factor * square.sqrt()).sin() / square.sqrt() });
    through(places, values)
}

/// The polynomial that has these values at these places, terms from the constant on.
fn through<const TERMS: usize>(places: [f64; TERMS], values: [f64; TERMS]) -> [f64; TERMS] {
    // Newton's divided differences, then multiplied out from the innermost bracket.
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

/// The largest difference between the curves and the kernel, at places between those that they go through.
fn misfit<const TERMS: usize>(
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
            worst = worst.max((value - weight).abs());
        }
    }
    worst
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::{METHODS, Method};

    #[test]
    fn cubics_stay_cubics_and_every_row_fits() {
        for row in &METHODS {
            let kernel = row.method.kernel();
            match Curves::new(&kernel) {
                Curves::Cubics(cubics) => {
                    assert_eq!((cubics.len(), kernel.normalized), (kernel.taps, false), "{}", row.name)
                }
                Curves::Lanczos(a, terms) => {
                    assert_eq!((2 * a as usize, kernel.normalized), (kernel.taps, true), "{}", row.name);
                    let [[c0, c1, c2, c3], [c4, c5, ..]] = terms.map(|four| four.map(f64::from));
                    for k in 1..=1000 {
                        let x = f64::from(k) / 1000.0;
                        let value = [c5, c4, c3, c2, c1, c0].into_iter().fold(0.0, |sum, term| sum * x * x + term);
                        let expected = (std::f64::consts::PI * x / f64::from(a)).sin() / x;
                        assert!((value / expected - 1.0).abs() < 1e-7, "{} at {x}: {value} {expected}", row.name);
                    }
                }
                Curves::Segments(terms, segments) => {
                    assert!(kernel.normalized && segments <= 8, "{}: {segments} segments", row.name);
                    assert_eq!(terms.len(), 2 * segments * kernel.taps, "{}", row.name);
                }
            }
        }
    }

    /// A kernel that is neither a cubic nor Lanczos's needs no line of CUDA.
    #[test]
    fn designed_kernels_are_polynomials_over_segments() {
        let kernel = Method::lanczos(5.0).expect("in range").kernel();
        let Curves::Segments(terms, segments) = Curves::new(&kernel) else { panic!("a cubic has no ten taps") };
        assert_eq!(terms.len(), 2 * segments * kernel.taps);
        for k in 0..1000 {
            let a = f64::from(k) / 1000.0;
            let segment = (a * segments as f64) as usize;
            let t = a * segments as f64 - segment as f64;
            for (tap, weight) in weights_at(&kernel, a).into_iter().enumerate() {
                // As kernels/weights.cuh reads them.
                let [low, high] = [2 * tap, 2 * tap + 1].map(|four| terms[four * segments + segment].map(f64::from));
                let value = low.into_iter().chain(high).rev().fold(0.0, |sum, term| sum * t + term);
                assert!((value - weight).abs() < 2e-7, "tap {tap} at {a}: {value} {weight}");
            }
        }
    }

    #[test]
    fn whole_positions_give_the_weights_of_their_sample() {
        for row in METHODS.iter().filter(|row| row.method.kernel().interpolates) {
            let kernel = row.method.kernel();
            let terms: Vec<[f32; 4]> = match Curves::new(&kernel) {
                Curves::Cubics(terms) => terms,
                Curves::Lanczos(..) => continue,
                Curves::Segments(terms, segments) => terms.into_iter().step_by(2 * segments).collect(),
            };
            let expected = (0..kernel.taps).map(|k| if k + 1 == kernel.taps.div_ceil(2) { 1.0 } else { 0.0 });
            let fits = terms.iter().zip(expected).all(|(terms, weight): (_, f32)| (terms[0] - weight).abs() < 1e-15);
            assert!(fits, "{}: {:?}", row.name, &terms[..kernel.taps]);
        }
    }
}
