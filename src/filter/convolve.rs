//! Convolution with a matrix of one's own.
//!
//! I'(x, y) = Σ w(i, j)·I(x + c_x − i, y + c_y − j) over the columns i and the rows j of the matrix, with its centre at
//! (c_x, c_y). This is a convolution, not a correlation: an impulse gives the matrix as it is written, and
//! `scipy.ndimage.convolve` gives the same.
//!
//! ```text
//!   columns   centre c = ⌊columns/2⌋, plus the parameter x
//!      1      (a)
//!      2       a (b)
//!      3       a (b) c
//!      4       a  b (c) d
//! ```

use multiversion::multiversion;
use multiversion::target::target_cfg_f;

use super::power::multiply_add;
use super::{Edges, ExecOptions, Matrix, Plane};

/// Rows of one task.
const BAND_ROWS: usize = 16;
/// Values per group of lanes.
const LANES: usize = 64;

/// A matrix with its centre: weights by the offset of the sample that each is multiplied by.
#[derive(Clone, Debug, PartialEq)]
pub struct Convolution {
    /// Numbers of columns and rows.
    pub size: [u32; 2],
    /// Offset of the first weight's sample from the result, in samples.
    pub first: [i32; 2],
    /// Weights by offset, row by row: those of the matrix in reverse, divided by their sum where that is asked for.
    pub weights: Vec<f64>,
}

impl Convolution {
    /// The convolution with `matrix`, whose centre is `shift` columns and rows from ⌊size/2⌋.
    pub(super) fn new(matrix: Matrix, is_normalized: bool, shift: [i32; 2]) -> Self {
        let size = matrix.size();
        let divisor = if is_normalized { matrix.divisor() } else { 1.0 };
        let first = [0, 1].map(|axis| size[axis] as i32 / 2 + shift[axis] - (size[axis] as i32 - 1));
        let weights = matrix.weights().iter().rev().map(|weight| weight / divisor).collect();
        Self { size, first, weights }
    }

    /// Largest distance of a sample from the result along an axis.
    pub fn reach(&self) -> u32 {
        let ends = |axis: usize| {
            let last = self.first[axis] + self.size[axis] as i32 - 1;
            self.first[axis].unsigned_abs().max(last.unsigned_abs())
        };
        ends(0).max(ends(1))
    }
}

/// Writes the filtered plane.
pub(super) fn convolve(convolution: &Convolution, plane: &Plane, edges: &Edges, work: &ExecOptions, out: &mut [f32]) {
    let weights: Vec<f32> = convolution.weights.iter().map(|&weight| weight as f32).collect();
    let [width, height] = convolution.size.map(|side| side as usize);
    let channels = plane.channels.count();
    let stride = plane.stride();
    // The last group of lanes reads beyond the last column.
    let spare = (stride.next_multiple_of(LANES) - stride).div_ceil(channels);
    let columns = plane.size[0] as usize + width - 1 + spare;
    let padded = columns * channels;
    let [left, top] = convolution.first.map(i64::from);
    work.for_bands((out, stride), BAND_ROWS, Vec::new, |block, from, out| {
        let rows = out.len() / stride;
        block.resize((rows + height - 1) * padded, 0.0);
        plane.copy_block(edges, [left, from as i64 + top], columns, block);
        for (row, out) in out.chunks_exact_mut(stride).enumerate() {
            if work.stop.is_set() {
                return;
            }
            weigh_row(&block[row * padded..][..height * padded], &weights, [width, channels], out);
        }
    });
}

/// Filters one row, from as many rows as there are rows of `width` weights. A row of weights has a sum of its own, which
/// limits the rounding error.
#[multiversion(targets = "simd")]
fn weigh_row(rows: &[f32], weights: &[f32], [width, channels]: [usize; 2], out: &mut [f32]) {
    let fused = target_cfg_f!(target_feature = "fma");
    let padded = rows.len() / (weights.len() / width);
    for (place, out) in out.chunks_mut(LANES).enumerate() {
        let mut sums = [0.0_f32; LANES];
        for (row, weights) in rows.chunks_exact(padded).zip(weights.chunks_exact(width)) {
            let mut part = [0.0_f32; LANES];
            for (column, &weight) in weights.iter().enumerate() {
                let values = &row[place * LANES + column * channels..][..LANES];
                for lane in 0..LANES {
                    part[lane] = multiply_add(fused, weight, values[lane], part[lane]);
                }
            }
            for lane in 0..LANES {
                sums[lane] += part[lane];
            }
        }
        out.copy_from_slice(&sums[..out.len()]);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Filter, Step};
    use super::*;
    use crate::image::Channels;
    use crate::sampling::AddressMode;

    fn convolved(text: &str, size: [u32; 2], values: Vec<f32>) -> Vec<f32> {
        let plane = Plane { size, first: [0; 2], channels: Channels::Grey, values };
        let edges = Edges { address: [AddressMode::Border; 2], border: 0.0 };
        let mut out = Vec::new();
        text.parse::<Step>().expect(text).apply(&plane, &edges, &ExecOptions::default(), &mut out);
        out
    }

    /// The middle of 7 × 7 samples is 1, the others are 0.
    fn of_impulse(text: &str) -> Vec<f32> {
        let mut values = vec![0.0; 49];
        values[24] = 1.0;
        convolved(text, [7, 7], values)
    }

    #[test]
    fn impulse_gives_the_matrix_with_its_centre_at_the_impulse() {
        for (text, [left, top], [width, height]) in [
            ("convolve=[1,2,3;4,5,6;7,8,9]", [2_usize, 2_usize], [3, 3]),
            ("convolve=[1,2]", [2, 3], [2, 1]),
            ("convolve=[1,2;3,4]", [2, 2], [2, 2]),
            ("convolve=[1,2,3,4;5,6,7,8]", [1, 2], [4, 2]),
            // The centre one column to the right: the matrix one to the left.
            ("convolve=[1,2;3,4],x=1", [1, 2], [2, 2]),
            ("convolve=[1,2,3],y=-2", [2, 5], [3, 1]),
        ] {
            let mut expected = vec![0.0; 49];
            for row in 0..height {
                for column in 0..width {
                    expected[(top + row) * 7 + left + column] = (row * width + column + 1) as f32;
                }
            }
            assert_eq!(of_impulse(text), expected, "{text}");
        }
    }

    #[test]
    fn normalized_weights_are_divided_by_their_sum_and_cancelling_ones_stay() {
        assert_eq!(of_impulse("convolve=[1,2,1],1")[23..26], [0.25, 0.5, 0.25]);
        assert_eq!(of_impulse("convolve=[1,-1,0],1")[23..26], [1.0, -1.0, 0.0]);
    }

    #[test]
    fn reach_covers_the_farthest_weight_of_any_size_and_centre() {
        let reach = |text: &str| text.parse::<Step>().expect(text).reach();
        assert_eq!(reach("convolve=[1]"), 0);
        assert_eq!(reach("convolve=[1,1]"), 1);
        assert_eq!(reach("convolve=[1,1,1,1]"), 2);
        assert_eq!(reach("convolve=[1,1,1],x=2"), 3);
        assert_eq!(reach("convolve=[1;1;1],y=-16"), 17);
        assert_eq!(Step::default_of(Filter::Convolve).reach(), 1);
    }

    #[test]
    fn rows_longer_than_the_lanes_are_filtered_whole() {
        let values: Vec<f32> = (0..3 * 150).map(|k| (k * k % 17) as f32).collect();
        let out = convolved("convolve=[1,0,-1]", [150, 3], values.clone());
        for (k, &got) in out.iter().enumerate() {
            let (x, at) = (k % 150, |x: usize| values[k / 150 * 150 + x]);
            let expected = if x < 149 { at(x + 1) } else { 0.0 } - if x > 0 { at(x - 1) } else { 0.0 };
            assert_eq!(got, expected, "{k}");
        }
    }
}
