//! Grids of 1 to 6 dimensions, real or complex, and their values, gradients and Hessians at any points.
//!
//! A [`Grid`] has samples; a [`GridSampler`] says how they are interpolated; both make an [`Interpolator`], which holds
//! coefficients and what lies beyond the edges, and takes points by the million. The methods, the prefilters and the address
//! modes are those of [`crate::sampling`], which images use too.
//!
//! The value at a point is the sum over the samples of every axis, Σ f\[k₁, …, k_N\]·w(x₁ − k₁)·…·w(x_N − k_N), or of
//! coefficients in place of samples.
//!
//! ```text
//!   Grid ──filter, what lies beyond the edges──▶ stored values ─┐
//!   points ──axis by axis──▶ runs of stored values, weights ────┴─▶ sums ──▶ values in the order of the points
//! ```
//!
//! Points are weighed in blocks; every axis has a contiguous run of stored values for each of them, wherever it lies. Where
//! the stored values exceed the caches, points are sampled brick by brick.

mod axis;
mod contract;
mod error;
#[cfg(feature = "cli")]
mod file;
mod interpolator;
mod knots;
mod number;
mod order;
mod path;
mod plan;
mod points;
mod sampler;
mod samples;
mod store;
mod strided;
mod tail;
mod taps;
#[cfg(feature = "ndarray")]
mod view;
mod volume;
mod weights;

pub use axis::GridAxis;
pub use error::GridError;
#[cfg(feature = "cli")]
pub(crate) use file::put;
#[cfg(feature = "cli")]
pub use file::{
    AnyGrid, BodyAxis, BodyFrame, Coordinates, GridFileCause, GridFileError, OpenedGrid, Points, ValueFormat, Values,
    open, read, read_knots, read_points, write_values,
};
pub use interpolator::Interpolator;
pub use number::Number;
pub use path::{GRID_PATHS, GridPath, GridPathRow};
#[cfg(feature = "cuda")]
pub(crate) use plan::GridPlan;
pub use points::PointSlice;
pub use sampler::GridSampler;
pub(crate) use samples::shape_text;
pub use samples::{Components, Grid, MAX_DIMENSIONS};
pub use strided::Strided;
#[cfg(feature = "cuda")]
pub(crate) use taps::AxisNumbers;
pub use volume::{VOLUMES, Volume, VolumeError, VolumeFormula, VolumeRow};
#[cfg(feature = "cuda")]
pub(crate) use weights::{Fractions, Weights, cubic_taps, reads_as_pictures};
