//! Grids of any dimension: SciPy's numbers, the definition summed by hand, derivatives, edges, strides, files.

#[cfg(feature = "cuda")]
mod cuda;
mod definition;
mod derivatives;
#[cfg(feature = "cli")]
mod files;
mod fixed_point;
#[cfg(feature = "cli")]
#[path = "../npy/mod.rs"]
mod npy;
mod properties;
mod scipy;
#[cfg(feature = "cuda")]
#[path = "../skip/mod.rs"]
mod skip;
mod strided;

use lerpscope::grid::{Components, Grid};

/// Largest error of single precision, for samples in [0, 1].
const TOLERANCE: f64 = 2e-6;

/// The same numbers as `samples` in tests/golden/make_grids.py.
fn samples(shape: &[usize]) -> Vec<f64> {
    let count: usize = shape.iter().product();
    (0..count).map(|k| ((k * 73 + k * k % 151 * 37 + 11) % 256) as f64 / 255.0).collect()
}

fn double_grid(shape: &[usize]) -> Grid<f64> {
    Grid::new(shape, Components::Real, samples(shape)).expect("a grid")
}

fn single_grid(shape: &[usize]) -> Grid<f32> {
    let values = samples(shape).into_iter().map(|value| value as f32).collect();
    Grid::new(shape, Components::Real, values).expect("a grid")
}

/// Random points from a length before the grid to a length behind it.
fn random_points(shape: &[usize], count: usize, seed: u64) -> Vec<f64> {
    let mut random = fastrand::Rng::with_seed(seed);
    let point = |_| shape.iter().map(|&side| (random.f64() * 3.0 - 1.0) * side as f64).collect::<Vec<_>>();
    (0..count).flat_map(point).collect()
}
