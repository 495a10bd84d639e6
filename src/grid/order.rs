//! Order in which points are sampled: by bricks of the grid, where that keeps the values that they read in the caches.

use super::taps::AxisTaps;
use super::{MAX_DIMENSIONS, Number};

/// Values of a brick, at most: with the rows around it, it fits the second-level cache.
const BRICK_VALUES: usize = 4096;

/// Bricks of a grid.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bricks {
    /// Bricks for each sample, along each axis.
    densities: [f64; MAX_DIMENSIONS],
    /// Number of bricks along each axis.
    counts: [usize; MAX_DIMENSIONS],
}

impl Bricks {
    /// Bricks of about [`BRICK_VALUES`] samples with equal sides.
    pub(super) fn new(axes: &[AxisTaps]) -> Self {
        let mut densities = [1.0; MAX_DIMENSIONS];
        let mut counts = [1; MAX_DIMENSIONS];
        // Short axes are left whole, and the others get longer sides.
        let mut lens: Vec<usize> = axes.iter().map(|axis| axis.layout.len).collect();
        lens.sort_unstable();
        let mut values = BRICK_VALUES as f64;
        let mut side = 1.0;
        for (k, &len) in lens.iter().enumerate() {
            side = values.powf(1.0 / (lens.len() - k) as f64);
            if len as f64 > side {
                break;
            }
            values /= len as f64;
        }
        for (k, axis) in axes.iter().enumerate() {
            let len = axis.layout.len as f64;
            counts[k] = (len / side).ceil().max(1.0) as usize;
            densities[k] = 1.0 / (len / counts[k] as f64).ceil();
        }
        Self { densities, counts }
    }

    /// Number of bricks.
    pub(super) fn count(&self) -> usize {
        self.counts.iter().product()
    }

    /// The brick of a point.
    fn brick<P: Number>(&self, axes: &[AxisTaps], point: &[P]) -> usize {
        let parts = axes.iter().zip(point).zip(self.densities.iter().zip(&self.counts));
        parts.fold(0, |number, ((axis, &x), (density, &count))| {
            // A cast of NaN is 0.
            number * count + ((axis.place(x.into()) * density) as usize).min(count - 1)
        })
    }

    /// The numbers of `points`, brick by brick, in `order`; `keys` and `starts` are scratch memory.
    pub(super) fn sort<P: Number>(&self, axes: &[AxisTaps], points: &[P], scratch: &mut Sorting) {
        let Sorting { order, keys, starts } = scratch;
        keys.clear();
        keys.extend(points.chunks_exact(axes.len()).map(|point| self.brick(axes, point) as u32));
        starts.clear();
        starts.resize(self.count() + 1, 0);
        keys.iter().for_each(|&key| starts[key as usize + 1] += 1);
        for brick in 0..self.count() {
            starts[brick + 1] += starts[brick];
        }
        order.clear();
        order.resize(keys.len(), 0);
        for (point, &key) in keys.iter().enumerate() {
            let start = &mut starts[key as usize];
            order[*start as usize] = point as u32;
            *start += 1;
        }
    }
}

/// Memory of a sort.
#[derive(Debug, Default)]
pub(super) struct Sorting {
    /// Numbers of the points, in order.
    pub(super) order: Vec<u32>,
    keys: Vec<u32>,
    starts: Vec<u32>,
}
