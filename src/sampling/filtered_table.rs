//! Twin: kernels/filtered.cu. Weights of the cubic B-spline from a look-up table that the texture unit interpolates.
//!
//! A position needs three numbers on each axis: the weight g₀ of its first fetch, and the fractions h₀ and h₁ of both fetches
//! (Sigg and Hadwiger 2005; Ruijters et al. 2008, sections 3 and 4). They are in a texture of 128 entries of 16 bits, read
//! with linear filtering: the fraction between two entries has 8 bits, as the fraction between two samples.

use std::sync::LazyLock;

use super::texture_unit::TextureFormat;
use super::{Method, fixed_point_fraction};

/// Number of entries of the look-up table.
pub const WEIGHT_TABLE_LEN: usize = 128;
/// Number of an entry that stands for 1.
const MAXVAL: f64 = 65535.0;

/// Weights of the four samples of a cubic B-spline as two fetches: those of the first two samples are g₀(1 − h₀) and g₀h₀, those
/// of the others (1 − g₀)(1 − h₁) and (1 − g₀)h₁.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairedFetches {
    /// Weight g₀ of the first fetch; that of the second is 1 − g₀.
    pub first_weight: f64,
    /// Fractions h₀ and h₁ of the fetches between their two samples.
    pub fractions: [f64; 2],
}

impl PairedFetches {
    /// At `fraction`, from 0 to 1, in double precision.
    pub fn exact(fraction: f64) -> Self {
        let kernel = Method::BSPLINE.kernel();
        let w = [1.0, 0.0, -1.0, -2.0].map(|distance| kernel.weight(fraction + distance));
        let (g0, g1) = (w[0] + w[1], w[2] + w[3]);
        Self { first_weight: g0, fractions: [w[1] / g0, w[3] / g1] }
    }

    /// At `fraction`, from 0 to 1, as the texture unit returns it from the look-up table.
    pub fn looked_up(fraction: f64) -> Self {
        let place = fraction * (WEIGHT_TABLE_LEN - 1) as f64;
        let entry = (place as usize).min(WEIGHT_TABLE_LEN - 2);
        let alpha = fixed_point_fraction(place - entry as f64);
        let between = |number: usize| {
            let [a, b] = [entry, entry + 1].map(|entry| f64::from(weight_table()[entry][number]));
            let mean = (1.0 - alpha) * a + alpha * b;
            let steps = TextureFormat::Sixteen.fetch_steps();
            steps.map_or(mean, |steps| (mean * steps).round() / steps) / MAXVAL
        };
        Self { first_weight: between(0), fractions: [between(1), between(2)] }
    }
}

/// The look-up table: g₀, h₀, h₁ and 0 at the fractions k/127, rounded to 16 bits.
pub fn weight_table() -> &'static [[u16; 4]; WEIGHT_TABLE_LEN] {
    static TABLE: LazyLock<[[u16; 4]; WEIGHT_TABLE_LEN]> = LazyLock::new(|| {
        std::array::from_fn(|k| {
            let PairedFetches { first_weight, fractions: [h0, h1] } =
                PairedFetches::exact(k as f64 / (WEIGHT_TABLE_LEN - 1) as f64);
            [first_weight, h0, h1, 0.0].map(rounded)
        })
    });
    &TABLE
}

/// `value` in 16 bits, halves upwards: 5/6 and 1/6, the ends of g₀, are halves, which double precision may have just below.
fn rounded(value: f64) -> u16 {
    (value * MAXVAL + 0.5 + 1e-9).floor() as u16
}

/// Writes the weights of the path `filtered-table` at `fraction`, from 0 to 1. Weights of methods without that path stay unchanged.
pub fn weigh_by_table(method: Method, fraction: f64, weights: &mut [f64]) {
    if method != Method::BSPLINE {
        return;
    }
    let PairedFetches { first_weight, fractions } = PairedFetches::looked_up(fraction);
    let [alpha0, alpha1] = fractions.map(fixed_point_fraction);
    let second_weight = 1.0 - first_weight;
    weights[..4].copy_from_slice(&[
        first_weight * (1.0 - alpha0),
        first_weight * alpha0,
        second_weight * (1.0 - alpha1),
        second_weight * alpha1,
    ]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_of_the_table_make_the_four_weights_to_16_bits() {
        let table = weight_table();
        for (k, entry) in table.iter().enumerate() {
            let [g0, h0, h1, none] = entry.map(|number| f64::from(number) / MAXVAL);
            let a = k as f64 / 127.0;
            let weights = [
                (1.0 - a).powi(3) / 6.0,
                2.0 / 3.0 - a * a * (2.0 - a) / 2.0,
                2.0 / 3.0 - (1.0 - a).powi(2) * (1.0 + a) / 2.0,
                a.powi(3) / 6.0,
            ];
            let made = [g0 * (1.0 - h0), g0 * h0, (1.0 - g0) * (1.0 - h1), (1.0 - g0) * h1];
            // Half a last bit of each of two factors.
            assert!(made.iter().zip(weights).all(|(a, b)| (a - b).abs() < 1.0 / MAXVAL), "{k}: {made:?} {weights:?}");
            assert_eq!(none, 0.0);
        }
    }

    #[test]
    fn entries_are_those_of_exact_fractions() {
        // By tests/golden/make_weight_table.py.
        let golden = include_str!("../../tests/golden/weight_table.csv");
        let rows: Vec<[u16; 3]> = golden
            .lines()
            .skip(1)
            .map(|line| {
                let numbers: Vec<u16> = line.split(',').map(|number| number.parse().expect("a number")).collect();
                numbers.try_into().expect("g0, h0 and h1")
            })
            .collect();
        let table = weight_table().map(|[g0, h0, h1, _]| [g0, h0, h1]);
        assert_eq!(rows, table);
    }

    #[test]
    fn weights_by_table_sum_to_one_and_stay_within_a_step_of_the_exact_ones() {
        let (mut by_table, mut filtered) = (0.0_f64, 0.0_f64);
        for step in 0..=4096 {
            let fraction = f64::from(step) / 4096.0 * (1.0 - 1e-12);
            let mut exact = [0.0; 4];
            Method::BSPLINE.kernel().weights_at(fraction, &mut exact);
            let (mut weights, mut fetched) = (exact, exact);
            weigh_by_table(Method::BSPLINE, fraction, &mut weights);
            crate::sampling::weigh_filtered(Method::BSPLINE, &mut fetched);
            assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            for ((w, f), e) in weights.iter().zip(fetched).zip(exact) {
                by_table = by_table.max((w - e).abs());
                filtered = filtered.max((f - e).abs());
            }
        }
        // Half a step of a fetch whose weights sum to 5/6 at most, and the table's error, which is the straight lines'
        // (second derivative / 8 / 127²) with that of the 16 bits and of the fraction between two entries.
        assert!(filtered <= 5.0 / 6.0 * 0.5 / 256.0 + 1e-9, "{filtered}");
        assert!(by_table > filtered && by_table <= 5.0 / 6.0 * 0.5 / 256.0 + 4e-5, "{by_table} {filtered}");
    }

    #[test]
    fn place_between_two_entries_has_eight_bits() {
        // From entry 3 to entry 4 the numbers rise in 256 steps, of which none is at a half.
        let values: Vec<f64> = (0..=4096)
            .map(|step| PairedFetches::looked_up((3.0 + f64::from(step) / 4096.0) / 127.0).first_weight)
            .collect();
        let mut distinct = values.clone();
        distinct.dedup();
        assert_eq!(distinct.len(), 257);
        // As a fetch from 16 bits is rounded; the entries differ by more than 256.
        let [a, b] = [3, 4].map(|entry| f64::from(weight_table()[entry][0]));
        assert_eq!((values[0], values[4096]), (a / MAXVAL, b / MAXVAL));
        for (k, value) in distinct.iter().enumerate() {
            assert_eq!(*value, (a + (b - a) * k as f64 / 256.0).round() / MAXVAL, "step {k}");
        }
    }

    #[test]
    fn other_methods_keep_their_weights() {
        let mut weights = [0.25; 4];
        weigh_by_table(Method::CATMULL_ROM, 0.3, &mut weights);
        assert_eq!(weights, [0.25; 4]);
    }
}
