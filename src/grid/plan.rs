//! An interpolation before its stored values: how each axis is stored, filtered and weighed.

use super::axis::GridAxis;
use super::error::GridError;
use super::knots::{KnotSpline, ORDER};
use super::number::Number;
use super::sampler::GridSampler;
use super::samples::Grid;
use super::store::{AxisStore, LineFilter};
use super::tail::Tail;
#[cfg(feature = "cuda")]
use super::taps::AxisNumbers;
use super::taps::{AxisTaps, Layout};
use super::weights::Fractions;
use crate::sampling::{AddressMode, Method, PrefilterLine};

/// An interpolation before its stored values.
#[derive(Clone, Debug)]
pub(crate) struct GridPlan {
    pub(super) axes: Vec<AxisTaps>,
    pub(super) stores: Vec<AxisStore>,
}

impl GridPlan {
    /// The plan of `grid` for `sampler`.
    ///
    /// # Errors
    /// [`GridError`] for a sampler that does not fit the grid.
    pub(crate) fn new<T: Number>(grid: &Grid<T>, sampler: &GridSampler) -> Result<Self, GridError> {
        let addresses = sampler.check(grid)?;
        let mut stores = Vec::new();
        let mut axes: Vec<Builder> = Vec::new();
        for (axis, address) in addresses.into_iter().enumerate() {
            let builder = Builder::new(grid, sampler, axis, address)?;
            stores.push(builder.store());
            axes.push(builder);
        }
        let mut stride = grid.components().count();
        for store in stores.iter_mut().rev() {
            store.layout.stride = stride;
            stride = stride.saturating_mul(store.layout.stored);
        }
        let axes = axes.into_iter().zip(&stores).map(|(axis, store)| axis.taps(store.layout.clone())).collect();
        Ok(Self { axes, stores })
    }

    /// Each axis in plain numbers.
    ///
    /// # Errors
    /// [`GridError::KnotDevice`] for an axis with unequal knots.
    #[cfg(feature = "cuda")]
    pub(crate) fn numbers(&self) -> Result<Vec<AxisNumbers>, GridError> {
        let number = |(axis, taps): (usize, &AxisTaps)| taps.numbers().ok_or(GridError::KnotDevice { axis });
        self.axes.iter().enumerate().map(number).collect()
    }

    /// The weights, which are those of all axes; `None` of a spline through unequal knots.
    #[cfg(feature = "cuda")]
    pub(crate) fn fractions(&self) -> Option<&Fractions> {
        self.axes[0].fractions()
    }

    /// What stands for values beyond the stored ones, of all axes that do not repeat: the number of stored values and their
    /// factors by distance from 1 on, of which the last hold for all distances beyond.
    #[cfg(feature = "cuda")]
    pub(crate) fn tail_factors(&self) -> (usize, Vec<[f64; 3]>) {
        // Axes that repeat have the constant of methods without a filter, which no position reads.
        self.axes.iter().map(AxisTaps::tail_factors).max_by_key(|(terms, _)| *terms).unwrap_or_default()
    }
}

/// One axis before its stored values have their place.
struct Builder {
    relation: GridAxis,
    address: AddressMode,
    len: usize,
    basis: Basis,
}

/// What decides the weights, and the filter.
enum Basis {
    Kernel { fractions: Fractions, tail: Tail, filter: Option<PrefilterLine>, halo: usize },
    Knots { spline: KnotSpline, coordinates: Vec<f64> },
}

impl Builder {
    fn new<T: Number>(
        grid: &Grid<T>,
        sampler: &GridSampler,
        axis: usize,
        address: AddressMode,
    ) -> Result<Self, GridError> {
        let (len, relation) = (grid.shape()[axis], grid.axes()[axis].clone());
        let method = sampler.method;
        if let GridAxis::Unequal(knots) = &relation {
            if address != AddressMode::Clamp {
                return Err(GridError::KnotAddress { axis, address });
            }
            match method {
                Method::Nearest | Method::Linear => {}
                Method::BSPLINE if sampler.prefilter => {
                    let basis = Basis::Knots { spline: KnotSpline::new(knots), coordinates: knots.clone() };
                    return Ok(Self { relation, address, len, basis });
                }
                _ => return Err(GridError::KnotMethod { axis, method }),
            }
        }
        let fractions = Fractions::new(method);
        let prefilter = sampler.coefficients();
        let is_endless = address.is_periodic();
        let tail = prefilter.filter(|_| !is_endless).map_or(Tail::CONSTANT, Tail::of);
        let halo = match (prefilter, address) {
            (Some(_), _) => tail.halo(),
            // One sample of the border, which stands for all of them.
            (None, AddressMode::Border) => 1,
            (None, _) => 0,
        };
        let line = |prefilter| PrefilterLine::with_margin(prefilter, len as u32, address, halo as u32);
        let basis = Basis::Kernel { fractions, tail, filter: prefilter.map(line), halo };
        Ok(Self { relation, address, len, basis })
    }

    /// Where the values are stored; the stride follows.
    fn store(&self) -> AxisStore {
        let (taps, halo) = match &self.basis {
            Basis::Kernel { fractions, halo, .. } => (fractions.taps, *halo),
            Basis::Knots { .. } => (ORDER, 0),
        };
        let behind = if self.address == AddressMode::Wrap { taps - 1 } else { 0 };
        let stored = (self.len + 2 * halo + behind).max(taps);
        let filter = match &self.basis {
            Basis::Kernel { filter, .. } => filter.clone().map(LineFilter::Recursion),
            Basis::Knots { spline, coordinates } => Some(LineFilter::Knots(spline.collocation(coordinates))),
        };
        AxisStore { layout: Layout { len: self.len, halo, stored, stride: 0 }, address: self.address, filter }
    }

    fn taps(self, layout: Layout) -> AxisTaps {
        match self.basis {
            Basis::Kernel { fractions, tail, .. } => {
                AxisTaps::of_kernel(fractions, self.relation, self.address, tail, layout)
            }
            Basis::Knots { spline, .. } => AxisTaps::of_knots(spline, layout),
        }
    }
}
