//! Samples and weights of all columns and rows of a view, to be compared with those of a moved one.

use std::sync::Arc;

use super::axes::AxisPass;
use crate::sampling::AxisWeights;

/// Samples and weights of the columns and rows.
#[derive(Debug)]
pub(in crate::backend::cpu) struct Lattice {
    passes: [Arc<AxisPass>; 2],
}

impl Lattice {
    pub(super) fn new(passes: [Arc<AxisPass>; 2]) -> Self {
        Self { passes }
    }

    /// Whether the columns and rows of this lattice from `by` on are the first ones of `moved`, or for a negative distance the first
    /// ones of this lattice those of `moved` from there on: equal samples, and weights of equal bits.
    pub(in crate::backend::cpu) fn is_moved(&self, moved: &Self, by: [i64; 2]) -> bool {
        let pairs = self.passes.iter().zip(&moved.passes).zip(by);
        pairs
            .into_iter()
            .all(|((own, moved), by)| Arc::ptr_eq(own, moved) && by == 0 || is_moved(&own.weights, &moved.weights, by))
    }
}

/// The bits of weights, of which 0 and −0 are different.
fn bits(weights: &[f32]) -> &[u32] {
    bytemuck::cast_slice(weights)
}

fn is_moved(own: &AxisWeights, moved: &AxisWeights, by: i64) -> bool {
    let places = by.unsigned_abs() as usize;
    let (from, to) = if by > 0 { (own, moved) } else { (moved, own) };
    if own.taps != moved.taps || own.first.len() != moved.first.len() || places > own.first.len() {
        return false;
    }
    let rest = from.first.len() - places;
    from.first[places..] == to.first[..rest]
        && bits(&from.weights[places * own.taps..]) == bits(&to.weights[..rest * own.taps])
}
