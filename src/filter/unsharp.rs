//! Unsharp mask: the difference from a Gaussian blur, added to the image.

use multiversion::multiversion;

use super::gaussian::gaussian;
use super::{Edges, ExecOptions, Plane};

/// Rows of one task.
const BAND_ROWS: usize = 16;

/// I + amount·(I − G) where |I − G| reaches the threshold, I elsewhere, for each value. A NaN reaches no threshold and
/// stays.
pub(super) fn unsharp(parameters: &[f64], plane: &Plane, edges: &Edges, work: &ExecOptions, out: &mut [f32]) {
    gaussian(&parameters[..1], plane, edges, work, out);
    let [amount, threshold] = [parameters[1] as f32, parameters[2] as f32];
    let stride = plane.stride();
    work.for_bands(
        (out, stride),
        BAND_ROWS,
        || (),
        |(), from, out| {
            add_difference(&plane.values[from * stride..][..out.len()], amount, threshold, out);
        },
    );
}

/// Sharpens `out`, which holds the blurred values at first.
#[multiversion(targets = "simd")]
fn add_difference(values: &[f32], amount: f32, threshold: f32, out: &mut [f32]) {
    for (out, &value) in out.iter_mut().zip(values) {
        let difference = value - *out;
        *out = if difference.abs() >= threshold { value + amount * difference } else { value };
    }
}
