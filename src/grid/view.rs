//! Grids of the views of the crate `ndarray`.

use ndarray::{ArrayView, Dimension};
use num_complex::Complex;

use super::error::GridError;
use super::number::Number;
use super::samples::{Components, Grid, check_copy, values_of};

/// A real grid of the elements of a view of any strides, also negative and zero ones. They are copied.
///
/// ```
/// use lerpscope::grid::{Grid, GridError};
/// let array = ndarray::array![[0.0_f32, 1.0, 2.0], [10.0, 11.0, 12.0]];
/// let grid = Grid::try_from(array.t())?;
/// assert_eq!((grid.shape(), grid.values()), (&[3, 2][..], &[0.0, 10.0, 1.0, 11.0, 2.0, 12.0][..]));
/// # Ok::<(), GridError>(())
/// ```
impl<T: Number, D: Dimension> TryFrom<ArrayView<'_, T, D>> for Grid<T> {
    type Error = GridError;

    /// # Errors
    /// [`GridError`] for a number of axes or a length of an axis that no grid has, and for a copy that does not fit the memory.
    fn try_from(view: ArrayView<'_, T, D>) -> Result<Self, GridError> {
        check_copy::<T>(view.shape(), values_of(view.shape(), Components::Real)?)?;
        Self::new(view.shape(), Components::Real, view.iter().copied().collect())
    }
}

/// A complex grid of the elements of a view.
///
/// ```
/// use lerpscope::grid::{Components, Grid, GridError};
/// use num_complex::Complex;
/// let array = ndarray::array![Complex::new(1.0_f64, 2.0), Complex::new(3.0, 4.0)];
/// let grid = Grid::try_from(array.view())?;
/// assert_eq!((grid.components(), grid.values()), (Components::Complex, &[1.0, 2.0, 3.0, 4.0][..]));
/// # Ok::<(), GridError>(())
/// ```
impl<T: Number, D: Dimension> TryFrom<ArrayView<'_, Complex<T>, D>> for Grid<T> {
    type Error = GridError;

    /// # Errors
    /// As of a real view.
    fn try_from(view: ArrayView<'_, Complex<T>, D>) -> Result<Self, GridError> {
        check_copy::<T>(view.shape(), values_of(view.shape(), Components::Complex)?)?;
        Self::new(view.shape(), Components::Complex, view.iter().flat_map(|number| [number.re, number.im]).collect())
    }
}
