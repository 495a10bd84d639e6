//! Samples of main planes.

use rayon::prelude::*;

use super::plane::{MainPlane, Plane, PlaneFrame};
use super::weights::{AxisWeights, NEGLIGIBLE};
use super::{SamplerKey, Volume, grey};
use crate::image::{Page, Size};

/// The page of the plane `main` at its position.
pub(super) fn main_page(volume: &Volume, main: MainPlane, plane: &Plane, key: SamplerKey) -> Page {
    let frame = volume.shape.frame(plane);
    let len = volume.shape.size[main.row().normal];
    let normal = AxisWeights::new(len, volume.shape.position(plane), &key.of_line());
    let time = volume.time_weights(key, plane.time);
    // The border is beyond the ends of either axis.
    let border = time.sum() * normal.border + time.border * (normal.sum() + normal.border);
    let pairs = time.samples.iter().flat_map(|&(time, of_time)| {
        normal.samples.iter().map(move |&(index, weight)| Slice { time, index, weight: of_time * weight })
    });
    let slices: Vec<_> = pairs.filter(|slice| slice.weight.abs() > NEGLIGIBLE).collect();
    page(frame.size(), sample_slices(volume, &frame, &slices, border * f64::from(key.border)))
}

/// A slice of a main plane with its weight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slice {
    /// Index of the time.
    pub(super) time: usize,
    /// Index along the normal.
    pub(super) index: usize,
    /// Weight.
    pub(super) weight: f64,
}

pub(super) fn page(size: Size, values: Vec<f32>) -> Page {
    Page::new(grey(size, values))
}

/// Samples of a main plane: the weighted sum of slices, and a constant.
pub(super) fn sample_slices(volume: &Volume, frame: &PlaneFrame, slices: &[Slice], constant: f64) -> Vec<f32> {
    let [width, height, _] = volume.shape.size.map(|side| side as i64);
    // x varies fastest.
    let strides = [1, width, width * height];
    let along = |step: [f64; 3]| (0..3).map(|axis| step[axis] as i64 * strides[axis]).sum::<i64>();
    let (across, down, normal) = (along(frame.across), along(frame.down), along(frame.normal));
    // The origin lies on a sample along the axes of the plane; weights give the place along its normal.
    let in_plane = |axis: usize| if frame.normal[axis] == 0.0 { frame.origin[axis] as i64 } else { 0 };
    let origin: i64 = (0..3).map(|axis| in_plane(axis) * strides[axis]).sum();
    let [columns, rows] = frame.sides.map(|side| side as usize);
    let mut out = vec![0.0; columns * rows];
    out.par_chunks_mut(columns).enumerate().for_each_init(
        || vec![0.0; columns],
        |sums, (row, out)| {
            sums.fill(constant);
            for &Slice { time, index, weight } in slices {
                let values = volume.times[time].values();
                let first = origin + row as i64 * down + index as i64 * normal;
                for (column, sum) in sums.iter_mut().enumerate() {
                    *sum += weight * f64::from(values[(first + column as i64 * across) as usize]);
                }
            }
            out.iter_mut().zip(&*sums).for_each(|(value, sum)| *value = *sum as f32);
        },
    );
    out
}
