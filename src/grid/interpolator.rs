//! Values, gradients and Hessians of a grid at points.

use std::borrow::Cow;

use super::contract::Block;
use super::error::GridError;
use super::number::Number;
use super::order::{Bricks, Sorting};
use super::plan::GridPlan;
use super::sampler::GridSampler;
use super::samples::{Components, Grid, MAX_DIMENSIONS};
use super::store::stored;
use super::taps::{AxisTaps, Sinks};
use crate::filter::ExecOptions;
use crate::sampling::Method;

/// Points that are weighed together: their weights stay in the first-level cache.
const BLOCK: usize = 64;
/// Points of one task.
const TASK_POINTS: usize = 1 << 14;
/// Points that are sorted together.
const SORTED_POINTS: usize = 1 << 20;
/// Stored values of fewer bytes stay in the caches, in whatever order points come.
const BYTES_IN_CACHE: usize = 16 << 20;

/// A grid with the coefficients of a sampler, ready for points. It may be shared by threads.
///
/// A point has one coordinate for each axis, in the order of the axes: with [`GridAxis::Samples`](super::GridAxis::Samples) those of
/// `scipy.ndimage.map_coordinates`. Points may lie anywhere; beyond the edges the address modes decide. A coordinate that is
/// NaN gives NaN, and so does an infinite one under wrap and mirror. A sample that is not finite spreads to the points whose
/// taps reach it; at an edge those of points outside are the taps of the outermost samples.
///
/// Real grids of `f32` are within 2·10⁻⁶ of the sum in double precision, for samples in [0, 1].
#[derive(Clone, Debug)]
pub struct Interpolator<'a, T: Number> {
    method: Method,
    components: Components,
    axes: Vec<AxisTaps>,
    values: Cow<'a, [T]>,
    bricks: Option<Bricks>,
}

/// A result of a point: the order of the derivative along each axis.
type Orders = [u8; MAX_DIMENSIONS];

impl<'a, T: Number> Interpolator<'a, T> {
    pub(super) fn new(grid: &'a Grid<T>, sampler: &GridSampler, work: &ExecOptions) -> Result<Self, GridError> {
        let components = grid.components();
        let GridPlan { axes, stores } = GridPlan::new(grid, sampler)?;
        let values = stored(grid, &stores, sampler.border, work)?;
        let bricks = is_worth_sorting(size_of_val(&*values), &axes).then(|| Bricks::new(&axes));
        Ok(Self { method: sampler.method, components, axes, values, bricks })
    }

    /// Number of axes.
    pub fn dimensions(&self) -> usize {
        self.axes.len()
    }

    /// The numbers of a value.
    pub fn components(&self) -> Components {
        self.components
    }

    /// Bytes of the stored values.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.values)
    }

    /// Whether the stored values are the samples of the grid.
    pub fn borrows_samples(&self) -> bool {
        matches!(self.values, Cow::Borrowed(_))
    }

    /// The same with stored values of its own.
    pub fn into_owned(self) -> Interpolator<'static, T> {
        let Self { method, components, axes, values, bricks } = self;
        Interpolator { method, components, axes, values: Cow::Owned(values.into_owned()), bricks }
    }

    /// Value at each of the points, whose coordinates follow one another: `dimensions` numbers a point. Complex values are
    /// two numbers each.
    ///
    /// # Errors
    /// [`GridError::Points`] for coordinates that are not whole points.
    pub fn sample<P: Number>(&self, points: &[P]) -> Result<Vec<T>, GridError> {
        let mut out = vec![T::default(); self.count(points)? * self.components.count()];
        self.sample_into(points, &mut out, &ExecOptions::default())?;
        Ok(out)
    }

    /// The same into memory of the caller, with progress and cancellation.
    ///
    /// # Errors
    /// As [`Interpolator::sample`], and [`GridError::Cancelled`].
    ///
    /// # Panics
    /// If `out` is not as long as the values of the points.
    pub fn sample_into<P: Number>(&self, points: &[P], out: &mut [T], work: &ExecOptions) -> Result<(), GridError> {
        self.derivatives_into(points, &Results::value(), out, work)
    }

    /// Gradient at each point: the derivative along each axis in order, per unit of the coordinate; `dimensions` values a
    /// point. Of B-splines of degree 2 to 5; that of degree 2 is continuous, its derivative is not smooth.
    ///
    /// # Errors
    /// [`GridError::Derivatives`] for other methods, and as [`Interpolator::sample`].
    pub fn gradients<P: Number>(&self, points: &[P]) -> Result<Vec<T>, GridError> {
        self.derivatives(points, &Results::gradient(self.dimensions()))
    }

    /// Hessian at each point: second derivatives row by row, `dimensions`² values a point. Of B-splines of degree 2 to 5;
    /// that of degree 2 jumps halfway between samples.
    ///
    /// # Errors
    /// As [`Interpolator::gradients`].
    pub fn hessians<P: Number>(&self, points: &[P]) -> Result<Vec<T>, GridError> {
        self.derivatives(points, &Results::hessian(self.dimensions()))
    }

    fn derivatives<P: Number>(&self, points: &[P], results: &Results) -> Result<Vec<T>, GridError> {
        if !matches!(self.method, Method::BSpline(_)) {
            return Err(GridError::Derivatives(self.method));
        }
        let mut out = vec![T::default(); self.count(points)? * results.places.len() * self.components.count()];
        self.derivatives_into(points, results, &mut out, &ExecOptions::default())?;
        Ok(out)
    }

    /// Number of points.
    fn count<P>(&self, points: &[P]) -> Result<usize, GridError> {
        let dimensions = self.dimensions();
        if points.len().is_multiple_of(dimensions) {
            Ok(points.len() / dimensions)
        } else {
            Err(GridError::Points { found: points.len(), dimensions })
        }
    }

    fn derivatives_into<P: Number>(
        &self,
        points: &[P],
        results: &Results,
        out: &mut [T],
        work: &ExecOptions,
    ) -> Result<(), GridError> {
        let count = self.count(points)?;
        let stride = results.places.len() * self.components.count();
        assert_eq!(out.len(), count * stride, "as many results as points");
        let threads = rayon::current_num_threads();
        // Few points for each brick read its values as often sorted as not.
        let bricks = self.bricks.as_ref().filter(|bricks| count.min(SORTED_POINTS) >= 4 * bricks.count());
        let task = if bricks.is_some() { count.div_ceil(threads).min(SORTED_POINTS) } else { TASK_POINTS };
        let work = work.stage("sampling");
        work.for_bands(
            (out, stride),
            task,
            || Scratch::new(self, results),
            |scratch, first, out| {
                let points = &points[first * self.dimensions()..][..out.len() / stride * self.dimensions()];
                self.band(points, results, bricks, (scratch, out));
            },
        );
        if work.stop.is_set() { Err(GridError::Cancelled) } else { Ok(()) }
    }

    /// The results of some points.
    fn band<P: Number>(
        &self,
        points: &[P],
        results: &Results,
        bricks: Option<&Bricks>,
        (scratch, out): (&mut Scratch<T>, &mut [T]),
    ) {
        let dimensions = self.dimensions();
        let stride = results.places.len() * self.components.count();
        let Some(bricks) = bricks else {
            for (points, out) in points.chunks(BLOCK * dimensions).zip(out.chunks_mut(BLOCK * stride)) {
                scratch.place_points(points);
                self.block(results, points.len() / dimensions, (scratch, out));
            }
            return;
        };
        let mut sorting = std::mem::take(&mut scratch.sorting);
        let mut values = std::mem::take(&mut scratch.values);
        bricks.sort(&self.axes, points, &mut sorting);
        for numbers in sorting.order.chunks(BLOCK) {
            for (k, &number) in numbers.iter().enumerate() {
                scratch.place_point(k, &points[number as usize * dimensions..][..dimensions]);
            }
            self.block(results, numbers.len(), (scratch, &mut values[..numbers.len() * stride]));
            for (values, &number) in values.chunks_exact(stride).zip(numbers) {
                out[number as usize * stride..][..stride].copy_from_slice(values);
            }
        }
        scratch.sorting = sorting;
        scratch.values = values;
    }

    /// The results of the `count` points whose coordinates are in `scratch`.
    fn block(&self, results: &Results, count: usize, (scratch, out): (&mut Scratch<T>, &mut [T])) {
        let dimensions = self.dimensions();
        let taps = self.taps();
        let step = dimensions * taps;
        let components = self.components.count();
        for (order, weights) in scratch.weights.iter_mut().enumerate() {
            scratch.bases[..count].fill(0);
            for (index, (axis, coordinates)) in self.axes.iter().zip(&scratch.coordinates).enumerate() {
                let positions = &mut scratch.positions[..count];
                positions.copy_from_slice(&coordinates[..count]);
                let (bases, weights) = (&mut scratch.bases[..count], &mut weights[..count * step]);
                axis.weigh(order, positions, &mut Sinks { bases, weights, step, at: index * taps });
            }
        }
        let mut strides = [0; MAX_DIMENSIONS];
        strides.iter_mut().zip(&self.axes).for_each(|(stride, axis)| *stride = axis.layout.stride);
        let block = Block { values: &self.values, strides, dimensions, components: self.components, taps };
        let bases = &scratch.bases[..count];
        if results.is_value() {
            block.contract(bases, &scratch.weights[0][..count * step], out);
            return;
        }
        let stride = results.places.len() * components;
        for (index, orders) in results.orders.iter().enumerate() {
            let mixed = &mut scratch.mixed[..count * step];
            for (axis, &order) in orders[..dimensions].iter().enumerate() {
                let from = &scratch.weights[usize::from(order)];
                for (to, from) in mixed.chunks_exact_mut(step).zip(from.chunks_exact(step)) {
                    to[axis * taps..][..taps].copy_from_slice(&from[axis * taps..][..taps]);
                }
            }
            let found = &mut scratch.found[..count * components];
            block.contract(bases, mixed, found);
            for place in (0..results.places.len()).filter(|&place| results.places[place] == index) {
                for (out, found) in out.chunks_exact_mut(stride).zip(found.chunks_exact(components)) {
                    out[place * components..][..components].copy_from_slice(found);
                }
            }
        }
    }

    /// Number of taps of an axis.
    fn taps(&self) -> usize {
        self.axes[0].taps()
    }
}

/// Whether points of a grid with so many bytes of stored values are sorted. Sorting takes as long as some ten rows from the
/// third-level cache; of larger grids each row of a point costs more than that. Measured at random points with 32 MiB of that
/// cache: the cubic B-spline in 256³ samples takes 100 ns a point in place of 234, in 64⁴ 118 in place of 356; in 128³, which fit
/// the cache, it would take 72 in place of 51, and linear in 256³ 71 in place of 44.
fn is_worth_sorting(bytes: usize, axes: &[AxisTaps]) -> bool {
    let rows: usize = axes.iter().skip(1).map(AxisTaps::taps).product();
    bytes > BYTES_IN_CACHE && rows >= 16
}

/// What is computed at each point.
struct Results {
    /// The distinct results.
    orders: Vec<Orders>,
    /// Which of them stands at each place of a point's results.
    places: Vec<usize>,
}

impl Results {
    fn value() -> Self {
        Self { orders: vec![[0; MAX_DIMENSIONS]], places: vec![0] }
    }

    fn gradient(dimensions: usize) -> Self {
        let along = |axis| std::array::from_fn(|k| u8::from(k == axis));
        Self { orders: (0..dimensions).map(along).collect(), places: (0..dimensions).collect() }
    }

    fn hessian(dimensions: usize) -> Self {
        let mut orders = Vec::new();
        let mut places = vec![0; dimensions * dimensions];
        for row in 0..dimensions {
            for column in row..dimensions {
                places[row * dimensions + column] = orders.len();
                places[column * dimensions + row] = orders.len();
                orders.push(std::array::from_fn(|k| u8::from(k == row) + u8::from(k == column)));
            }
        }
        Self { orders, places }
    }

    fn is_value(&self) -> bool {
        self.orders.len() == 1 && self.highest() == 0
    }

    /// The highest order of a derivative along one axis.
    fn highest(&self) -> usize {
        usize::from(self.orders.iter().flatten().copied().max().unwrap_or(0))
    }
}

/// Memory of one thread.
struct Scratch<T> {
    /// Coordinates of the block's points, axis by axis.
    coordinates: Vec<[f64; BLOCK]>,
    positions: [f64; BLOCK],
    bases: [usize; BLOCK],
    /// Weights and their derivatives by order: point by point, axis by axis.
    weights: Vec<Vec<T>>,
    /// Weights of one result, and its values.
    mixed: Vec<T>,
    found: Vec<T>,
    /// Results of a sorted block.
    values: Vec<T>,
    sorting: Sorting,
}

impl<T: Number> Scratch<T> {
    fn new(interpolator: &Interpolator<'_, T>, results: &Results) -> Self {
        let (dimensions, components) = (interpolator.dimensions(), interpolator.components.count());
        let weights = vec![T::default(); BLOCK * dimensions * interpolator.taps()];
        Self {
            coordinates: vec![[0.0; BLOCK]; dimensions],
            positions: [0.0; BLOCK],
            bases: [0; BLOCK],
            mixed: if results.is_value() { Vec::new() } else { weights.clone() },
            weights: vec![weights; results.highest() + 1],
            found: vec![T::default(); BLOCK * components],
            values: vec![T::default(); BLOCK * components * results.places.len()],
            sorting: Sorting::default(),
        }
    }

    /// Sets the coordinates of the block's points, which follow one another.
    fn place_points<P: Number>(&mut self, points: &[P]) {
        match self.coordinates.len() {
            1 => place_all::<P, 1>(&mut self.coordinates, points),
            2 => place_all::<P, 2>(&mut self.coordinates, points),
            3 => place_all::<P, 3>(&mut self.coordinates, points),
            4 => place_all::<P, 4>(&mut self.coordinates, points),
            dimensions => {
                let points = points.chunks_exact(dimensions).enumerate();
                points.for_each(|(k, point)| self.place_point(k, point));
            }
        }
    }

    /// Sets the coordinates of point `k` of the block.
    #[inline(always)]
    fn place_point<P: Number>(&mut self, k: usize, point: &[P]) {
        for (coordinates, &x) in self.coordinates.iter_mut().zip(point) {
            coordinates[k] = x.into();
        }
    }
}

/// Points of `DIMENSIONS` coordinates, axis by axis.
fn place_all<P: Number, const DIMENSIONS: usize>(coordinates: &mut [[f64; BLOCK]], points: &[P]) {
    let coordinates: &mut [[f64; BLOCK]; DIMENSIONS] = coordinates.try_into().expect("a row for each axis");
    for (k, point) in points.as_chunks::<DIMENSIONS>().0.iter().take(BLOCK).enumerate() {
        for (coordinates, &x) in coordinates.iter_mut().zip(point) {
            coordinates[k] = x.into();
        }
    }
}
