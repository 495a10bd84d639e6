//! Errors of grids.

use crate::memory::MemoryError;
use crate::sampling::{AddressMode, Method};
use crate::text::number_text;

use super::{Grid, GridPath, MAX_DIMENSIONS};

/// Why a grid cannot be made or sampled. Axes count from 0, as in NumPy.
#[derive(Clone, PartialEq, thiserror::Error)]
pub enum GridError {
    /// No axis, or too many.
    #[error("a grid has 1 to {MAX_DIMENSIONS} dimensions, not {0}")]
    Dimensions(usize),
    /// An axis without samples, or with too many.
    #[error("axis {axis} has {len} samples; an axis has 1 to {most}", most = Grid::<f32>::MAX_LEN)]
    Len {
        /// The axis.
        axis: usize,
        /// Its number of samples.
        len: usize,
    },
    /// As many values as no grid of this shape has.
    #[error("a grid of {} has {expected} values, not {found}", super::shape_text(.shape))]
    Values {
        /// Number of samples of each axis.
        shape: Vec<usize>,
        /// Number of values of such a grid.
        expected: u128,
        /// Number of values given.
        found: usize,
    },
    /// As many strides as the grid has no axes.
    #[error("{found} strides for {dimensions} axes: give one for each axis")]
    Strides {
        /// Number of strides.
        found: usize,
        /// Number of axes.
        dimensions: usize,
    },
    /// Samples of strides that the slice lacks.
    #[error("the samples lie at numbers {least} to {greatest}; the slice has {len}, from 0")]
    Outside {
        /// Least index of a number of a sample.
        least: i128,
        /// Greatest index of a number of a sample.
        greatest: i128,
        /// Length of the slice.
        len: usize,
    },
    /// An axis that the grid lacks.
    #[error("there is no axis {axis}: the grid has {dimensions} axes, from 0")]
    Axis {
        /// The axis.
        axis: usize,
        /// Number of axes.
        dimensions: usize,
    },
    /// An origin that is not finite, or a step that is 0 or not finite.
    #[error("axis {axis}: origin {} and step {} must be finite, and the step not 0", number_text(*.origin), number_text(*.step))]
    Scale {
        /// The axis.
        axis: usize,
        /// Coordinate of sample 0.
        origin: f64,
        /// Distance of two samples.
        step: f64,
    },
    /// As many knots as the axis has no samples.
    #[error("axis {axis} has {len} samples and needs as many knots, not {found}")]
    KnotCount {
        /// The axis.
        axis: usize,
        /// Its number of samples.
        len: usize,
        /// Number of knots.
        found: usize,
    },
    /// A knot that is not finite, or not above the one before.
    #[error("axis {axis}: knots must be finite and rise; knot {knot} is {}", number_text(*.value))]
    KnotOrder {
        /// The axis.
        axis: usize,
        /// Index of the knot, from 0.
        knot: usize,
        /// Its value.
        value: f64,
    },
    /// A method that is not defined on unequal knots.
    #[error("axis {axis} is unequal: 'nearest', 'linear' and 'bspline' with the prefilter serve it, '{method}'{without} does not",
        without = if *.method == Method::BSPLINE { " without it" } else { "" })]
    KnotMethod {
        /// The axis.
        axis: usize,
        /// The method.
        method: Method,
    },
    /// An address mode that is not defined on unequal knots.
    #[error("axis {axis} is unequal: address mode 'clamp' serves it, '{address}' does not")]
    KnotAddress {
        /// The axis.
        axis: usize,
        /// The address mode.
        address: AddressMode,
    },
    /// Unequal knots on a GPU.
    #[error("axis {axis} is unequal: backend 'cuda' serves equal axes, 'cpu' serves both")]
    KnotDevice {
        /// The axis.
        axis: usize,
    },
    /// A path that does not serve the method in so many dimensions.
    #[error("path '{path}' does not serve '{method}' in {dimensions} dimensions; 'global' serves all")]
    Path {
        /// The path.
        path: GridPath,
        /// The method.
        method: Method,
        /// Number of axes.
        dimensions: usize,
    },
    /// As many address modes as the grid has no axes.
    #[error("{found} address modes for {dimensions} axes: give one for all, or one for each axis")]
    Addresses {
        /// Number of address modes.
        found: usize,
        /// Number of axes.
        dimensions: usize,
    },
    /// A border that is not finite.
    #[error("the border must be finite, not {}", number_text(*.0))]
    Border(f64),
    /// Coordinates that are not whole points.
    #[error("{found} coordinates are no points of {dimensions} dimensions")]
    Points {
        /// Number of coordinates.
        found: usize,
        /// Number of axes.
        dimensions: usize,
    },
    /// Derivatives by a method that has none here.
    #[error("derivatives are those of B-splines, 'bspline=2' to 'bspline=5'; method '{0}' is none of them")]
    Derivatives(Method),
    /// The stored values do not fit the memory.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The caller cancelled the work.
    #[error("the work was given up")]
    Cancelled,
}
