//! The values that sums run over: samples or coefficients, what is kept beyond the edges, and repeated values behind them.

use std::borrow::Cow;

use rayon::prelude::*;

use super::error::GridError;
use super::knots::Collocation;
use super::number::Number;
use super::samples::{Grid, shape_text};
use super::taps::Layout;
use crate::filter::ExecOptions;
use crate::memory::{Demand, Memory};
use crate::sampling::{AddressMode, PrefilterLine};

/// Lines that are filtered together, so that neighbours in memory are read in whole cache lines.
const LANES: usize = PrefilterLine::LANES;
/// Lines of one task of a wide axis.
const TASK_LINES: usize = 8 * LANES;

/// How one axis becomes stored values.
#[derive(Clone, Debug)]
pub(super) struct AxisStore {
    /// Where values are stored.
    pub(super) layout: Layout,
    /// Address mode.
    pub(super) address: AddressMode,
    /// The filter along the axis.
    pub(super) filter: Option<LineFilter>,
}

/// A filter along lines.
#[derive(Clone, Debug)]
pub(super) enum LineFilter {
    /// The recursions of a prefilter over the endless signal.
    Recursion(PrefilterLine),
    /// The solution for a spline through unequal knots.
    Knots(Collocation),
}

impl LineFilter {
    /// Number of places of a line while it is filtered.
    fn places(&self) -> usize {
        match self {
            Self::Recursion(line) => line.len(),
            Self::Knots(system) => system.len(),
        }
    }

    /// The sample behind a place; `None` for the border.
    fn source(&self, place: usize) -> Option<usize> {
        match self {
            Self::Recursion(line) => line.source(place),
            Self::Knots(_) => Some(place),
        }
    }

    /// Filters [`LANES`] lines side by side.
    fn run(&self, lines: &mut [f64]) {
        match self {
            Self::Recursion(recursion) => recursion.filter(lines.as_chunks_mut().0),
            Self::Knots(system) => system.solve(lines, LANES),
        }
    }

    /// Places before the first result that is kept.
    fn skip(&self) -> usize {
        match self {
            Self::Recursion(line) => line.skip(),
            Self::Knots(_) => 0,
        }
    }
}

/// Stored values of `grid`.
///
/// # Errors
/// [`GridError::Memory`] for values that do not fit the memory, and [`GridError::Cancelled`].
pub(super) fn stored<'a, T: Number>(
    grid: &'a Grid<T>,
    axes: &[AxisStore],
    border: [f64; 2],
    work: &ExecOptions,
) -> Result<Cow<'a, [T]>, GridError> {
    let is_as_given = |axis: &AxisStore| axis.filter.is_none() && axis.layout.stored == axis.layout.len;
    if axes.iter().all(is_as_given) {
        return Ok(Cow::Borrowed(grid.values()));
    }
    let components = grid.components().count();
    let count =
        axes.iter().fold(components as u128, |product, axis| product.saturating_mul(axis.layout.stored as u128));
    let bytes = u64::try_from(count.saturating_mul(size_of::<T>() as u128)).unwrap_or(u64::MAX);
    let mut demand = Demand::default();
    demand.hold(|| format!("the coefficients of {} samples take", shape_text(grid.shape())), bytes);
    Memory::Machine.check(&demand)?;
    let mut values = vec![T::default(); count as usize];
    place_samples(grid, axes, &mut values);
    let border = &border[..components];
    for (index, axis) in axes.iter().enumerate() {
        if work.stop.is_set() {
            return Err(GridError::Cancelled);
        }
        let outer_stride = axis.layout.stored * axis.layout.stride;
        let stride = axis.layout.stride;
        let is_last = index + 1 == axes.len();
        let work = work.stage("prefilter").row_by_row();
        if let Some(filter) = &axis.filter {
            let lines = Lines { filter, axis, border };
            if is_last {
                // Neighbouring lines lie one behind the other.
                work.for_bands(
                    (&mut values, LANES * outer_stride),
                    1,
                    || lines.scratch(),
                    |scratch, _, chunk| {
                        lines.filter_behind(chunk, outer_stride, scratch);
                    },
                );
            } else if values.len() > outer_stride {
                work.for_bands(
                    (&mut values, outer_stride),
                    1,
                    || lines.scratch(),
                    |scratch, _, chunk| {
                        lines.filter_strips(&mut chunk.chunks_mut(stride).collect::<Vec<_>>(), scratch);
                    },
                );
            } else {
                lines.filter_halves(values.chunks_mut(stride).collect());
            }
        } else if axis.address == AddressMode::Border {
            values.par_chunks_mut(outer_stride).for_each(|chunk| fill_halo(chunk, axis, border));
        }
        if axis.address == AddressMode::Wrap {
            values.par_chunks_mut(outer_stride).for_each(|chunk| repeat_first(chunk, &axis.layout));
        }
    }
    if work.stop.is_set() { Err(GridError::Cancelled) } else { Ok(Cow::Owned(values)) }
}

/// Copies the samples, row by row, to their places.
fn place_samples<T: Number>(grid: &Grid<T>, axes: &[AxisStore], values: &mut [T]) {
    let Some((last, outer)) = axes.split_last() else { return };
    let row_len = last.layout.len * grid.components().count();
    let mut places = vec![0; outer.len()];
    for row in grid.values().chunks_exact(row_len) {
        let at = |(axis, place): (&AxisStore, &usize)| (axis.layout.halo + place) * axis.layout.stride;
        let start: usize = outer.iter().zip(&places).map(at).sum::<usize>() + last.layout.halo * last.layout.stride;
        values[start..start + row_len].copy_from_slice(row);
        if let Some(axis) = (0..outer.len()).rev().find(|&axis| places[axis] + 1 < outer[axis].layout.len) {
            places[axis] += 1;
            places[axis + 1..].fill(0);
        }
    }
}

/// Sets the places beyond the samples to the border.
fn fill_halo<T: Number>(chunk: &mut [T], axis: &AxisStore, border: &[f64]) {
    let Layout { len, halo, stride, .. } = axis.layout;
    let core = axis.layout.core();
    for place in (0..halo).chain(halo + len..core) {
        for (k, value) in chunk[place * stride..][..stride].iter_mut().enumerate() {
            *value = T::from_f64(border[k % border.len()]);
        }
    }
}

/// Copies the first values behind the last.
fn repeat_first<T: Number>(chunk: &mut [T], layout: &Layout) {
    for place in layout.len..layout.stored {
        let from = place % layout.len * layout.stride;
        chunk.copy_within(from..from + layout.stride, place * layout.stride);
    }
}

/// The lines of one axis.
struct Lines<'a> {
    filter: &'a LineFilter,
    axis: &'a AxisStore,
    /// The border's components.
    border: &'a [f64],
}

impl Lines<'_> {
    fn scratch(&self) -> Vec<f64> {
        vec![0.0; self.filter.places() * LANES]
    }

    /// Filters the columns of `rows`, slices of equal length, on several threads.
    fn filter_halves<T: Number>(&self, mut rows: Vec<&mut [T]>) {
        let width = rows.first().map_or(0, |row| row.len());
        if width <= TASK_LINES {
            self.filter_strips(&mut rows, &mut self.scratch());
            return;
        }
        // A multiple of the components, so that the border's stay in step.
        let middle = (width / 2).next_multiple_of(TASK_LINES);
        let (left, right): (Vec<_>, Vec<_>) = rows.into_iter().map(|row| row.split_at_mut(middle)).unzip();
        rayon::join(|| self.filter_halves(left), || self.filter_halves(right));
    }

    /// Filters the columns of `rows`, [`LANES`] at a time.
    fn filter_strips<T: Number>(&self, rows: &mut [&mut [T]], scratch: &mut [f64]) {
        let width = rows.first().map_or(0, |row| row.len());
        let halo = self.axis.layout.halo;
        for from in (0..width).step_by(LANES) {
            let columns = from..width.min(from + LANES);
            for (place, line) in scratch.chunks_exact_mut(LANES).enumerate() {
                match self.filter.source(place) {
                    Some(sample) => {
                        let row = &rows[halo + sample][columns.clone()];
                        line.iter_mut().zip(row).for_each(|(to, &value)| *to = value.into());
                    }
                    None => line.iter_mut().enumerate().for_each(|(k, to)| *to = self.border[k % self.border.len()]),
                }
            }
            self.filter.run(scratch);
            let kept = scratch.chunks_exact(LANES).skip(self.filter.skip());
            for (row, line) in rows[..self.axis.layout.core()].iter_mut().zip(kept) {
                row[columns.clone()].iter_mut().zip(line).for_each(|(to, &c)| *to = T::from_f64(c));
            }
        }
    }

    /// Filters the lines along the last axis, each `stride` numbers behind the one before; [`LANES`] of them at most.
    fn filter_behind<T: Number>(&self, chunk: &mut [T], stride: usize, scratch: &mut [f64]) {
        let Layout { halo, stride: components, .. } = self.axis.layout;
        for component in 0..components {
            for (place, line) in scratch.chunks_exact_mut(LANES).enumerate() {
                match self.filter.source(place) {
                    Some(sample) => {
                        let at = (halo + sample) * components + component;
                        let samples = chunk.chunks_exact(stride).map(|values| values[at]);
                        line.iter_mut().zip(samples).for_each(|(to, value)| *to = value.into());
                    }
                    None => line.fill(self.border[component]),
                }
            }
            self.filter.run(scratch);
            let kept = scratch.chunks_exact(LANES).skip(self.filter.skip()).take(self.axis.layout.core());
            for (place, line) in kept.enumerate() {
                let at = place * components + component;
                chunk.chunks_exact_mut(stride).zip(line).for_each(|(values, &c)| values[at] = T::from_f64(c));
            }
        }
    }
}
