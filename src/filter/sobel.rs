//! Sobel filter: gradient magnitude.

use multiversion::multiversion;

use super::{Edges, ExecOptions, Plane};

/// Rows of one task.
const BAND_ROWS: usize = 32;

/// scale·√(g_x² + g_y²) with g_x = Σ (1 2 1)ᵀ·(−1 0 1)/4 and g_y likewise: a step from 0 to 1 along an axis has
/// magnitude 1 on both sides.
pub(super) fn sobel(parameters: &[f64], plane: &Plane, edges: &Edges, work: &ExecOptions, out: &mut [f32]) {
    let scale = (parameters[0] / 4.0) as f32;
    let channels = plane.channels.count();
    let stride = plane.stride();
    let columns = plane.size[0] as usize + 2;
    work.for_bands((out, stride), BAND_ROWS, Vec::new, |block, from, out| {
        let rows = out.len() / stride;
        let padded = columns * channels;
        block.resize((rows + 2) * padded, 0.0);
        plane.copy_block(edges, [-1, from as i64 - 1], columns, block);
        for (row, out) in out.chunks_exact_mut(stride).enumerate() {
            gradient_lengths(&block[row * padded..][..3 * padded], channels, scale, out);
        }
    });
}

/// Magnitudes of one row, from three rows that are a pixel longer at both ends.
#[multiversion(targets = "simd")]
fn gradient_lengths(rows: &[f32], channels: usize, scale: f32, out: &mut [f32]) {
    let (padded, len) = (rows.len() / 3, out.len());
    let [above, here, below] = [0, 1, 2].map(|row| &rows[row * padded..][..padded]);
    let [above_left, above_middle, above_right] = [0, 1, 2].map(|k| &above[k * channels..][..len]);
    let [left, right] = [0, 2].map(|k| &here[k * channels..][..len]);
    let [below_left, below_middle, below_right] = [0, 1, 2].map(|k| &below[k * channels..][..len]);
    for (i, out) in out.iter_mut().enumerate() {
        let x = (above_right[i] - above_left[i]) + 2.0 * (right[i] - left[i]) + (below_right[i] - below_left[i]);
        let y = (below_left[i] - above_left[i])
            + 2.0 * (below_middle[i] - above_middle[i])
            + (below_right[i] - above_right[i]);
        *out = scale * (x * x + y * y).sqrt();
    }
}
