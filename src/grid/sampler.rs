//! Parameters of the interpolation of a grid.

use super::error::GridError;
use super::number::Number;
use super::samples::Grid;
use crate::sampling::{AddressMode, Method, Prefilter};

/// Parameters of the interpolation of a grid. Together with a point they decide a value.
#[derive(Clone, Debug, PartialEq)]
pub struct GridSampler {
    /// The kernel, the same along every axis.
    pub method: Method,
    /// Address modes: one for all axes, or one for each in the order of the axes.
    pub address: Vec<AddressMode>,
    /// Value of samples beyond the edges under [`AddressMode::Border`]: real part, imaginary part.
    pub border: [f64; 2],
    /// Whether samples are turned into coefficients first. Applies to methods with a prefilter; ignored for the others.
    pub prefilter: bool,
}

impl Default for GridSampler {
    /// Linear, clamp, border 0, no prefilter.
    fn default() -> Self {
        Self::of_method(Method::Linear)
    }
}

impl GridSampler {
    /// `method`, clamp, border 0, no prefilter.
    pub fn of_method(method: Method) -> Self {
        Self { method, address: vec![AddressMode::Clamp], border: [0.0; 2], prefilter: false }
    }

    /// The same with the prefilter, so that B-splines pass through the samples.
    #[must_use]
    pub fn prefiltered(self) -> Self {
        Self { prefilter: true, ..self }
    }

    /// The same with this address mode along every axis.
    #[must_use]
    pub fn with_address(self, address: AddressMode) -> Self {
        Self { address: vec![address], ..self }
    }

    /// The prefilter in effect: that of the method if [`GridSampler::prefilter`] is on.
    pub fn coefficients(&self) -> Option<Prefilter> {
        self.method.kernel().prefilter.filter(|_| self.prefilter)
    }

    /// The address mode of each axis.
    ///
    /// # Errors
    /// [`GridError::Addresses`] unless there is one for all or one for each axis.
    pub fn addresses(&self, dimensions: usize) -> Result<Vec<AddressMode>, GridError> {
        match self.address[..] {
            [one] => Ok(vec![one; dimensions]),
            ref each if each.len() == dimensions => Ok(each.to_vec()),
            ref other => Err(GridError::Addresses { found: other.len(), dimensions }),
        }
    }

    /// Checks the border and returns the address modes for `grid`.
    pub(super) fn check<T: Number>(&self, grid: &Grid<T>) -> Result<Vec<AddressMode>, GridError> {
        if let Some(&border) = self.border.iter().find(|border| !border.is_finite()) {
            return Err(GridError::Border(border));
        }
        self.addresses(grid.dimensions())
    }
}
