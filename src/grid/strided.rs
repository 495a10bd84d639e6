//! Grids of samples that lie apart, in another order or several times in one place.

use super::error::GridError;
use super::number::Number;
use super::samples::{Components, Grid, check_copy, values_of};

/// Where the samples of a grid lie in a slice of numbers: sample (k₁, …, k_N) begins at number
/// `first` + k₁·`strides`\[0\] + … + k_N·`strides`\[N − 1\]. The imaginary part of a complex sample follows its real part.
///
/// A negative stride reverses an axis, where `first` is at the axis's other end; exchanged strides exchange axes; a stride of 0
/// repeats the same samples along an axis.
///
/// ```
/// use lerpscope::grid::{Components, Grid, Strided};
/// // 2 × 3 numbers; their columns from right to left are the rows of the grid.
/// let numbers = [0.0_f32, 1.0, 2.0, 10.0, 11.0, 12.0];
/// let turned = Strided { shape: &[3, 2], strides: &[-1, 3], first: 2 };
/// let grid = Grid::from_strided(turned, Components::Real, &numbers)?;
/// assert_eq!(grid.values(), [2.0, 12.0, 1.0, 11.0, 0.0, 10.0]);
/// # Ok::<(), lerpscope::grid::GridError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strided<'a> {
    /// Number of samples of each axis.
    pub shape: &'a [usize],
    /// Numbers from a sample to the next along each axis, not bytes; contiguous complex samples have 2 along the last axis.
    pub strides: &'a [isize],
    /// Index of the first number of sample (0, …, 0).
    pub first: usize,
}

impl Strided<'_> {
    /// Checks that all samples lie among `len` numbers.
    fn check(&self, components: Components, len: usize) -> Result<(), GridError> {
        let (found, dimensions) = (self.strides.len(), self.shape.len());
        if found != dimensions {
            return Err(GridError::Strides { found, dimensions });
        }
        // 6 axes of 2³⁰ samples and strides of 63 bits stay far below 127 bits.
        let (mut least, mut greatest) = (self.first as i128, self.first as i128 + components.count() as i128 - 1);
        for (&stride, &len) in self.strides.iter().zip(self.shape) {
            let reach = stride as i128 * (len as i128 - 1);
            least += reach.min(0);
            greatest += reach.max(0);
        }
        if least < 0 || greatest >= len as i128 {
            return Err(GridError::Outside { least, greatest, len });
        }
        Ok(())
    }
}

impl<T: Number> Grid<T> {
    /// Grid of the samples that lie in `values` as `layout` says. They are copied.
    ///
    /// # Errors
    /// As [`Grid::new`], [`GridError::Strides`] for as many strides as the grid has no axes, [`GridError::Outside`] for samples
    /// that `values` lacks, and [`GridError::Memory`] for a copy that does not fit the memory.
    pub fn from_strided(layout: Strided<'_>, components: Components, values: &[T]) -> Result<Self, GridError> {
        let Strided { shape, strides, first } = layout;
        let count = values_of(shape, components)?;
        layout.check(components, values.len())?;
        check_copy::<T>(shape, count)?;
        let mut copy = Vec::with_capacity(usize::try_from(count).unwrap_or(0));
        // The places of all axes but the last, which is a row.
        let (row, outer) = (shape.len() - 1, &mut [0; super::MAX_DIMENSIONS][..shape.len() - 1]);
        loop {
            let start = outer.iter().zip(strides).fold(first, |at, (&place, &stride)| moved(at, place, stride));
            for place in 0..shape[row] {
                let at = moved(start, place, strides[row]);
                copy.extend_from_slice(&values[at..at + components.count()]);
            }
            let Some(axis) = (0..row).rev().find(|&axis| outer[axis] + 1 < shape[axis]) else { break };
            outer[axis] += 1;
            outer[axis + 1..].fill(0);
        }
        Self::new(shape, components, copy)
    }
}

/// The index `places` strides away from `at`. Every sample has one in range, the sums on the way may wrap around.
fn moved(at: usize, places: usize, stride: isize) -> usize {
    at.wrapping_add_signed(stride.wrapping_mul(places.cast_signed()))
}
