//! Weights of an axis as 16-bit integers.

use crate::sampling::AxisWeights;

/// Largest sum of the magnitudes of a position's weights. Sums of both passes then fit into 32 bits.
const MAX_MAGNITUDE: f64 = 1.98;
/// How far a position's weights may be from a sum of 1 before they are rounded.
const MAX_DEFECT: f64 = 1e-4;

/// Rounded weights of every position of an axis: pairs of neighbours, as the instruction that adds two products reads them.
#[derive(Debug)]
pub(super) struct FixedWeights {
    /// Number of pairs of every position. The last weight of an odd number of samples is 0.
    pub(super) pairs: usize,
    /// The weights of a position sum to 2^`bits`.
    pub(super) bits: u32,
    weights: Vec<[i16; 2]>,
}

impl FixedWeights {
    /// The weights with `most_bits` fraction bits, or as many fewer that none is larger than `most`. `None` if the weights of a
    /// position do not sum to 1, or their magnitudes sum to more than [`MAX_MAGNITUDE`].
    pub(super) fn new(weights: &AxisWeights, most_bits: u32, most: i16) -> Option<Self> {
        let taps = weights.taps;
        let largest = weights.weights.iter().fold(0.0_f64, |largest, &weight| largest.max(f64::from(weight).abs()));
        // Rounding to a sum of one moves a weight by less than the number of weights.
        let limit = f64::from(most) - taps as f64;
        let bits = (0..=most_bits).rev().find(|&bits| largest * f64::from(1 << bits) <= limit)?;
        let pairs = taps.div_ceil(2);
        let mut rounded = vec![0; 2 * pairs];
        let mut fixed = Self { pairs, bits, weights: Vec::with_capacity(weights.first.len() * pairs) };
        for exact in weights.weights.chunks_exact(taps) {
            round_to_sum(exact, bits, &mut rounded[..taps])?;
            fixed.weights.extend(rounded.as_chunks().0);
        }
        Some(fixed)
    }

    /// The weights of rows of a kernel that is not stretched.
    pub(super) fn of_rows(weights: &AxisWeights) -> Option<Self> {
        Self::new(weights, super::BITS, i16::MAX)
    }

    /// The pairs of position `index`.
    pub(super) fn entry(&self, index: usize) -> &[[i16; 2]] {
        &self.weights[index * self.pairs..][..self.pairs]
    }

    /// The pairs of every position.
    pub(super) fn all_entries(&self) -> impl Iterator<Item = &[[i16; 2]]> {
        self.weights.chunks_exact(self.pairs)
    }

    /// The same of positions of `PAIRS` pairs.
    pub(super) fn entries<const PAIRS: usize>(&self) -> &[[[i16; 2]; PAIRS]] {
        self.weights.as_chunks().0
    }

    /// Bytes of the weights.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.weights[..])
    }
}

/// Two weights in 32 bits, the first in the lower half.
pub(super) fn packed([a, b]: [i16; 2]) -> i32 {
    i32::from(a) & 0xFFFF | i32::from(b) << 16
}

/// Rounds `exact` to multiples of 2^−`bits` that sum to 1: those that rounding moved furthest give way.
fn round_to_sum(exact: &[f32], bits: u32, rounded: &mut [i16]) -> Option<()> {
    let one = f64::from(1 << bits);
    let sum: f64 = exact.iter().map(|&weight| f64::from(weight)).sum();
    let magnitude: f64 = exact.iter().map(|&weight| f64::from(weight).abs()).sum();
    // Written so that NaN is refused.
    if !((sum - 1.0).abs() <= MAX_DEFECT && magnitude <= MAX_MAGNITUDE) {
        return None;
    }
    let scaled = |weight: f32| f64::from(weight) * one / sum;
    rounded.iter_mut().zip(exact).for_each(|(to, &weight)| *to = scaled(weight).round() as i16);
    let mut excess = rounded.iter().map(|&weight| i32::from(weight)).sum::<i32>() - (1 << bits);
    while excess != 0 {
        let step = excess.signum();
        let moved = |place: usize| (f64::from(rounded[place]) - scaled(exact[place])) * f64::from(step);
        let place = (0..exact.len()).max_by(|&a, &b| moved(a).total_cmp(&moved(b)))?;
        rounded[place] -= step as i16;
        excess -= step;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis_weights(taps: usize, weights: Vec<f32>) -> AxisWeights {
        AxisWeights { taps, first: vec![0; weights.len() / taps], weights }
    }

    #[test]
    fn rounded_weights_sum_to_one_and_are_within_a_step() {
        let mut random = fastrand::Rng::with_seed(5);
        for round in 0..2000 {
            let taps = 1 + round % 32;
            let mut exact: Vec<f32> = (0..taps).map(|_| random.f32() - 0.2).collect();
            let sum: f32 = exact.iter().sum();
            exact.iter_mut().for_each(|weight| *weight /= sum);
            let bits = random.u32(13..18);
            let Some(fixed) = FixedWeights::new(&axis_weights(taps, exact.clone()), bits, i16::MAX) else { continue };
            let flat = fixed.entry(0).as_flattened();
            assert_eq!(flat.iter().map(|&weight| i32::from(weight)).sum::<i32>(), 1 << fixed.bits);
            for (&rounded, &weight) in flat.iter().zip(&exact) {
                let error = f64::from(rounded) - f64::from(weight) * f64::from(1 << fixed.bits);
                assert!(error.abs() < 1.01, "{weight}: {rounded} with {} bits", fixed.bits);
            }
            assert!(flat[taps..].iter().all(|&weight| weight == 0));
        }
    }

    #[test]
    fn whole_samples_keep_a_weight_of_one() {
        let fixed = FixedWeights::new(&axis_weights(4, vec![0.0, 1.0, 0.0, 0.0]), 15, i16::MAX).expect("weights");
        assert_eq!((fixed.bits, fixed.entry(0)), (14, &[[0, 1 << 14], [0, 0]][..]));
    }

    #[test]
    fn sums_other_than_one_large_magnitudes_and_nan_are_refused() {
        for weights in [[0.5, 0.4], [f32::NAN, 1.0], [1.7, -0.7], [f32::INFINITY, 0.0]] {
            assert!(FixedWeights::new(&axis_weights(2, weights.to_vec()), 15, i16::MAX).is_none(), "{weights:?}");
        }
    }
}
