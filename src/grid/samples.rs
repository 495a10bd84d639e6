//! Samples on a regular or unequal grid.

use super::axis::GridAxis;
use super::error::GridError;
use super::interpolator::Interpolator;
use super::number::Number;
use super::sampler::GridSampler;
use crate::filter::ExecOptions;
use crate::memory::{Demand, Memory};

/// Largest number of axes of a grid.
pub const MAX_DIMENSIONS: usize = 6;

/// The numbers of one sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Components {
    /// One number.
    Real,
    /// Real and imaginary part. Both are interpolated by the same weights.
    Complex,
}

impl Components {
    /// 1 or 2.
    pub fn count(self) -> usize {
        match self {
            Self::Real => 1,
            Self::Complex => 2,
        }
    }
}

/// Samples of 1 to 6 dimensions in C order: the last axis varies fastest. A complex sample is its real part, then its
/// imaginary part.
///
/// ```
/// use lerpscope::grid::{Components, Grid, GridSampler};
/// use lerpscope::sampling::Method;
/// // 2 × 3 samples f(y, x) = 10·y + x.
/// let grid = Grid::new(&[2, 3], Components::Real, vec![0.0_f32, 1.0, 2.0, 10.0, 11.0, 12.0])?;
/// let linear = grid.interpolator(&GridSampler::of_method(Method::Linear))?;
/// assert_eq!(linear.sample(&[0.5_f64, 1.5, 0.0, 2.0])?, [6.5, 2.0]);
/// # Ok::<(), lerpscope::grid::GridError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Grid<T> {
    shape: Vec<usize>,
    components: Components,
    axes: Vec<GridAxis>,
    values: Vec<T>,
}

/// Number of values of a grid; at most 2^181, which saturates.
///
/// # Errors
/// [`GridError`] for a number of axes or a length of an axis that no grid has.
pub(super) fn values_of(shape: &[usize], components: Components) -> Result<u128, GridError> {
    if !(1..=MAX_DIMENSIONS).contains(&shape.len()) {
        return Err(GridError::Dimensions(shape.len()));
    }
    if let Some((axis, &len)) = shape.iter().enumerate().find(|(_, len)| !(1..=Grid::<f32>::MAX_LEN).contains(*len)) {
        return Err(GridError::Len { axis, len });
    }
    Ok(shape.iter().fold(components.count() as u128, |product, &len| product.saturating_mul(len as u128)))
}

/// Checks that a copy of `count` values fits the memory.
///
/// # Errors
/// [`GridError::Memory`].
pub(super) fn check_copy<T>(shape: &[usize], count: u128) -> Result<(), GridError> {
    let bytes = u64::try_from(count.saturating_mul(size_of::<T>() as u128)).unwrap_or(u64::MAX);
    let mut demand = Demand::default();
    demand.hold(|| format!("the samples of a grid of {} take", shape_text(shape)), bytes);
    Ok(Memory::Machine.check(&demand)?)
}

impl<T> Grid<T> {
    /// Largest number of samples of an axis.
    pub const MAX_LEN: usize = 1 << 30;
}

impl<T: Number> Grid<T> {
    /// Grid of `shape` samples, one axis after the other.
    ///
    /// # Errors
    /// [`GridError`] for a number of axes, a length of an axis or a number of values that no grid has.
    pub fn new(shape: &[usize], components: Components, values: Vec<T>) -> Result<Self, GridError> {
        let expected = values_of(shape, components)?;
        if expected != values.len() as u128 {
            return Err(GridError::Values { shape: shape.to_vec(), expected, found: values.len() });
        }
        Ok(Self { shape: shape.to_vec(), components, axes: vec![GridAxis::Samples; shape.len()], values })
    }

    /// The same of samples that belong to another, which are copied.
    ///
    /// ```
    /// use lerpscope::grid::{Components, Grid};
    /// let samples = [0.0_f32, 1.0, 2.0, 10.0, 11.0, 12.0];
    /// let grid = Grid::from_slice(&[2, 3], Components::Real, &samples)?;
    /// assert_eq!(grid, Grid::new(&[2, 3], Components::Real, samples.to_vec())?);
    /// # Ok::<(), lerpscope::grid::GridError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Grid::new`], and [`GridError::Memory`] for a copy that does not fit the memory.
    pub fn from_slice(shape: &[usize], components: Components, values: &[T]) -> Result<Self, GridError> {
        check_copy::<T>(shape, values.len() as u128)?;
        Self::new(shape, components, values.to_vec())
    }

    /// The same grid with another relation between the coordinates and the samples of `axis`.
    ///
    /// # Errors
    /// [`GridError`] for an axis that the grid lacks, a step of 0, and knots that do not rise or are not as many as samples.
    pub fn with_axis(mut self, axis: usize, relation: GridAxis) -> Result<Self, GridError> {
        let dimensions = self.dimensions();
        let len = *self.shape.get(axis).ok_or(GridError::Axis { axis, dimensions })?;
        relation.check(axis, len)?;
        self.axes[axis] = relation;
        Ok(self)
    }

    /// Number of samples of each axis.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Number of axes.
    pub fn dimensions(&self) -> usize {
        self.shape.len()
    }

    /// The numbers of a sample.
    pub fn components(&self) -> Components {
        self.components
    }

    /// How coordinates refer to the samples of each axis.
    pub fn axes(&self) -> &[GridAxis] {
        &self.axes
    }

    /// The samples, the last axis fastest.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// Prepares the interpolation: coefficients if a prefilter is in effect, and what lies beyond the edges. Samples that
    /// need neither are borrowed.
    ///
    /// # Errors
    /// [`GridError`] for a sampler that does not fit the grid, and for stored values that do not fit the memory.
    pub fn interpolator(&self, sampler: &GridSampler) -> Result<Interpolator<'_, T>, GridError> {
        self.interpolator_with(sampler, &ExecOptions::default())
    }

    /// The same, with progress and cancellation.
    ///
    /// # Errors
    /// As [`Grid::interpolator`], and [`GridError::Cancelled`].
    pub fn interpolator_with(
        &self,
        sampler: &GridSampler,
        work: &ExecOptions,
    ) -> Result<Interpolator<'_, T>, GridError> {
        Interpolator::new(self, sampler, work)
    }
}

/// `4×5×6`.
pub(crate) fn shape_text(shape: &[usize]) -> String {
    shape.iter().map(usize::to_string).collect::<Vec<_>>().join("×")
}
