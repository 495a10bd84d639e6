//! Unsharp mask: the difference to a Gaussian blur, added.

use multiversion::multiversion;
use rayon::prelude::*;

use super::gaussian::gaussian;
use super::{Edges, Plane};

/// Values that one task adds up.
const TASK: usize = 1 << 15;

/// I + amount·(I − G) where |I − G| reaches the threshold, I elsewhere; value by value. What is no number nowhere reaches
/// it, and stays.
pub(super) fn unsharp(parameters: &[f64], plane: &Plane, edges: &Edges, out: &mut [f32]) {
    gaussian(&parameters[..1], plane, edges, out);
    let [amount, threshold] = [parameters[1] as f32, parameters[2] as f32];
    out.par_chunks_mut(TASK)
        .zip(plane.values.par_chunks(TASK))
        .for_each(|(out, values)| add_difference(values, amount, threshold, out));
}

/// `out` holds the blurred values before and the sharpened ones after.
#[multiversion(targets = "simd")]
fn add_difference(values: &[f32], amount: f32, threshold: f32, out: &mut [f32]) {
    for (out, &value) in out.iter_mut().zip(values) {
        let difference = value - *out;
        *out = if difference.abs() >= threshold { value + amount * difference } else { value };
    }
}
