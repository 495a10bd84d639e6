//! Stored values beyond the edge of an axis.
//!
//! Beyond an edge where the extended samples are constant, coefficients tend to that constant by powers of the filter's
//! poles: c[−m] = S + Σ Aₚ·zₚᵐ for m ≥ 0, since the prefilter is the sum of two-sided exponentials zₚ^|k| (Unser, Aldroubi,
//! Eden 1993, part II). As many coefficients beyond the edge as there are poles, with that of the edge sample, determine S
//! and the Aₚ. So each coefficient further out is a fixed combination of these, and a position anywhere is a sum over stored
//! values alone.

use crate::sampling::Prefilter;

/// Most stored values that a value beyond them depends on: two poles, and the constant.
pub(super) const MAX_TAIL: usize = 3;

/// Combinations of stored values that stand for the values beyond them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tail {
    poles: &'static [f64],
    /// Row r, column m: factor of c\[−m\] in the r-th unknown, S first.
    inverse: [[f64; MAX_TAIL]; MAX_TAIL],
}

impl Tail {
    /// Beyond the outermost stored value all are equal to it.
    pub(super) const CONSTANT: Self = Self { poles: &[], inverse: [[1.0, 0.0, 0.0], [0.0; 3], [0.0; 3]] };

    /// Of coefficients; [`Tail::halo`] of them are stored beyond the edge sample's.
    pub(super) fn of(prefilter: Prefilter) -> Self {
        let poles = prefilter.poles();
        let count = poles.len() + 1;
        assert!(count <= MAX_TAIL, "a prefilter has at most two poles");
        Self { poles, inverse: inverse(count, |m, r| if r == 0 { 1.0 } else { poles[r - 1].powi(m as i32) }) }
    }

    /// Number of stored values beyond the edge sample's.
    pub(super) fn halo(&self) -> usize {
        self.poles.len()
    }

    /// Factors of the stored values, the outermost first, in the value that lies `beyond` ≥ 1 places further out.
    pub(super) fn factors(&self, beyond: i32) -> [f64; MAX_TAIL] {
        let halo = self.halo();
        let m = beyond + halo as i32;
        let mut factors = [0.0; MAX_TAIL];
        for (r, row) in self.inverse[..=halo].iter().enumerate() {
            let power = if r == 0 { 1.0 } else { self.poles[r - 1].powi(m) };
            for (factor, inverse) in factors.iter_mut().zip(row[..=halo].iter().rev()) {
                *factor += power * inverse;
            }
        }
        factors
    }
}

/// The inverse of the `count` × `count` matrix `at(row, column)`, by Gauss and Jordan with pivots.
fn inverse(count: usize, at: impl Fn(usize, usize) -> f64) -> [[f64; MAX_TAIL]; MAX_TAIL] {
    let mut left = [[0.0; MAX_TAIL]; MAX_TAIL];
    let mut right = [[0.0; MAX_TAIL]; MAX_TAIL];
    for row in 0..count {
        right[row][row] = 1.0;
        left[row][..count].iter_mut().enumerate().for_each(|(column, value)| *value = at(row, column));
    }
    for column in 0..count {
        let pivot = (column..count).max_by(|&a, &b| left[a][column].abs().total_cmp(&left[b][column].abs()));
        let pivot = pivot.unwrap_or(column);
        left.swap(column, pivot);
        right.swap(column, pivot);
        let scale = 1.0 / left[column][column];
        left[column].iter_mut().chain(&mut right[column]).for_each(|value| *value *= scale);
        for row in (0..count).filter(|&row| row != column) {
            let factor = left[row][column];
            for k in 0..count {
                left[row][k] -= factor * left[column][k];
                right[row][k] -= factor * right[column][k];
            }
        }
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::{AddressMode, Method};

    #[test]
    fn coefficients_beyond_the_stored_ones_are_combinations_of_them() {
        let samples = [0.3, 0.9, 0.1, 0.6, 0.2, 0.8];
        for text in ["bspline=2", "bspline=3", "bspline=4", "bspline=5", "o-moms"] {
            let prefilter = text.parse::<Method>().expect("a method").kernel().prefilter.expect("a prefilter");
            let tail = Tail::of(prefilter);
            for address in [AddressMode::Clamp, AddressMode::Border] {
                let margin = 30;
                let passes = prefilter.passes(&samples, address, 0.4, margin);
                let line = &passes.last().expect("a pole").anticausal;
                let (first, last) = (margin as usize, margin as usize + samples.len() - 1);
                let halo = tail.halo();
                for beyond in 1..=20_i32 {
                    let factors = tail.factors(beyond);
                    let sum = |at: &dyn Fn(usize) -> f64| (0..=halo).map(|j| factors[j] * at(j)).sum::<f64>();
                    let left = sum(&|j| line[first - halo + j]);
                    let right = sum(&|j| line[last + halo - j]);
                    let further = halo + beyond as usize;
                    assert!((left - line[first - further]).abs() < 1e-13, "{text} {address} {beyond}");
                    assert!((right - line[last + further]).abs() < 1e-13, "{text} {address} {beyond}");
                }
            }
        }
    }
}
