//! Volumes: three-dimensional images, also such that change with time, shown as planes.
//!
//! A [`Volume`] is held by a [`Page`], whose own samples are its middle axial slice. A request names a [`Plane`]; [`resolved`]
//! turns the page of a volume into the page of that plane, so that everything after it (filters, prefilter, tables, kernels,
//! tools) is two-dimensional.
//!
//! ```text
//!   main plane:     Σ weights in time · weights along the normal · slices ──▶ page of samples ──▶ interpolation along x and y by any backend
//!   oblique plane:  Σ weights in time · volumes, then pixel ──▶ position in the plane ──▶ position in the volume ──▶ Σ along z, y and x
//! ```
//!
//! The interpolation is separable along the axes: the sampler's method, its prefilter and its address mode along y apply along
//! the normal of a main plane and along time, once for a plane, and the two-dimensional path does the rest. The CPU sums the slices for
//! every backend: of 512³ samples in 0.3 to 4 ms on 16 threads, and a plane is a hundredth of its volume or less to upload. A device
//! would need the samples of all times, and the tools of the window read the samples of the page on the host. An oblique plane has no
//! samples of its own: the volume is interpolated at every pixel, on the CPU by [`grid::Interpolator`](crate::grid::Interpolator)
//! ([`ObliquePlane`]), on CUDA by a kernel that reads a volume that stays on the device. Its page has the values at its whole positions,
//! which are computed where something reads them.

mod oblique;
#[cfg(feature = "cli")]
mod open;
mod plane;
mod slice;
mod weights;

use std::ops::Deref;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use rayon::prelude::*;
use thiserror::Error;

use self::slice::Slice;
use self::weights::AxisWeights;

#[cfg(feature = "cuda")]
pub(crate) use oblique::MomentKey;
pub use oblique::ObliquePlane;
#[cfg(feature = "cli")]
pub use open::open_source;
pub use plane::{MAIN_PLANES, MainPlane, MainPlaneRow, Orientation, Plane, PlaneFrame, VolumeShape};

use crate::filter::ExecOptions;
use crate::grid::{Components, Grid, GridError, GridSampler, Interpolator, Number, VolumeFormula};
use crate::image::{Channels, Depth, Page, Raster, Samples, Size, TrueFunction, Truth};
use crate::lru::{Lru, LruLimits, Weigh};
use crate::sampling::{AddressMode, Method, Sampler};

/// Why a grid is no volume.
#[derive(Clone, PartialEq, Eq, Error)]
pub enum NoVolume {
    /// Another number of axes than three.
    #[error("a volume has three axes, not {0}")]
    Dimensions(usize),
    /// Complex samples.
    #[error("the samples of a volume are real, not complex")]
    Complex,
    /// A side that is longer than that of an image.
    #[error("a volume has sides of up to {most} samples, not {0}", most = Size::MAX_SIDE)]
    Side(usize),
    /// No time, or more than an axis has.
    #[error("a volume has from 1 to {most} times, not {0}", most = Size::MAX_SIDE)]
    Times(usize),
    /// Times with another number of samples.
    #[error("the volumes of all times have the same number of samples")]
    Unlike,
}

/// A grid of three dimensions with the axes z, y and x, or one for each of several times, and the planes that were taken from it.
#[derive(Debug)]
pub struct Volume {
    times: Vec<Grid<f32>>,
    formula: Option<VolumeFormula>,
    shape: VolumeShape,
    window: OnceLock<Option<[f32; 2]>>,
    slices: Mutex<Lru<PageKey, Arc<Page>>>,
    oblique: Mutex<Vec<(PageKey, Weak<Page>)>>,
    between: Mutex<Lru<TimeKey, Arc<Grid<f32>>>>,
    interpolators: Mutex<Lru<TimeKey, Arc<Interpolator<'static, f32>>>>,
}

/// What decides the values of a volume at a position in time, and its coefficients.
#[derive(Clone, Copy, Debug, PartialEq)]
struct TimeKey {
    time: f64,
    sampler: SamplerKey,
}

/// The samples at a position in time.
enum Moment<'a> {
    /// Those of a time.
    Given(&'a Grid<f32>),
    /// Those between times, or smoothed.
    Between(Arc<Grid<f32>>),
}

impl Deref for Moment<'_> {
    type Target = Grid<f32>;

    fn deref(&self) -> &Grid<f32> {
        match self {
            Self::Given(grid) => grid,
            Self::Between(grid) => grid,
        }
    }
}

/// What of a sampler decides the values of a plane.
#[derive(Clone, Copy, Debug, PartialEq)]
struct SamplerKey {
    method: Method,
    prefilter: bool,
    address: [AddressMode; 2],
    border: f32,
}

/// What decides the samples of a page.
#[derive(Clone, Copy, Debug, PartialEq)]
struct PageKey {
    orientation: Orientation,
    position: f64,
    time: f64,
    sampler: SamplerKey,
}

impl Weigh for Arc<Page> {
    fn bytes(&self) -> usize {
        self.size().area() * size_of::<f32>()
    }
}

impl Weigh for Arc<Grid<f32>> {
    fn bytes(&self) -> usize {
        size_of_val(self.values())
    }
}

impl Weigh for Arc<Interpolator<'static, f32>> {
    fn bytes(&self) -> usize {
        Interpolator::bytes(self)
    }
}

impl SamplerKey {
    fn new(sampler: &Sampler) -> Self {
        Self {
            method: sampler.method,
            prefilter: sampler.uses_coefficients(),
            address: sampler.address,
            border: if sampler.address.contains(&AddressMode::Border) { sampler.border } else { 0.0 },
        }
    }

    /// The sampler of the axes z, y and x.
    fn of_volume(self) -> GridSampler {
        let [x, y] = self.address;
        self.of_axes(vec![y, y, x])
    }

    /// The sampler along one axis: the normal of a main plane, or time.
    fn of_line(self) -> GridSampler {
        self.of_axes(vec![self.address[1]])
    }

    fn of_axes(self, address: Vec<AddressMode>) -> GridSampler {
        let Self { method, prefilter, border, .. } = self;
        GridSampler { method, address, border: [f64::from(border), 0.0], prefilter }
    }
}

impl Volume {
    /// Limits of the slices that are kept.
    const SLICES: LruLimits = LruLimits { bytes: 512 << 20, idle_bytes: 512 << 20 };
    /// Limits of the coefficients that are kept for oblique planes.
    const INTERPOLATORS: LruLimits = LruLimits { bytes: 4 << 30, idle_bytes: 1 << 30 };

    /// Limits of the volumes between times that are kept for oblique planes.
    const BETWEEN: LruLimits = LruLimits { bytes: 2 << 30, idle_bytes: 256 << 20 };

    /// Volume of a grid with the axes z, y and x, whose samples are `spacing` apart along x, y and z. A distance that is not
    /// a number above 0 counts as 1.
    ///
    /// # Errors
    /// [`NoVolume`] for a grid of other dimensions, with complex samples, or with a side that no image has.
    pub fn new(grid: Grid<f32>, spacing: [f64; 3], is_y_up: bool) -> Result<Self, NoVolume> {
        Self::series(vec![grid], spacing, is_y_up)
    }

    /// Volume that changes: a grid for each time, else as [`Volume::new`].
    ///
    /// # Errors
    /// As [`Volume::new`], and for no time, too many of them, and grids of different sizes.
    pub fn series(times: Vec<Grid<f32>>, spacing: [f64; 3], is_y_up: bool) -> Result<Self, NoVolume> {
        let Some(first) = times.first().filter(|_| times.len() <= Size::MAX_SIDE as usize) else {
            return Err(NoVolume::Times(times.len()));
        };
        let &[depth, height, width] = first.shape() else {
            return Err(NoVolume::Dimensions(first.dimensions()));
        };
        if times.iter().any(|grid| grid.components() == Components::Complex) {
            return Err(NoVolume::Complex);
        }
        if times.iter().any(|grid| grid.shape() != first.shape()) {
            return Err(NoVolume::Unlike);
        }
        let sides = [width, height, depth];
        if let Some(side) = sides.into_iter().find(|&side| side > Size::MAX_SIDE as usize) {
            return Err(NoVolume::Side(side));
        }
        let spacing = spacing.map(|step| if step.is_finite() && step > 0.0 { step } else { 1.0 });
        let count = times.len() as u32;
        let shape = VolumeShape { size: sides.map(|side| side as u32), times: count, spacing, is_y_up };
        Ok(Self {
            times,
            formula: None,
            shape,
            window: OnceLock::new(),
            slices: Mutex::new(Lru::new(Self::SLICES)),
            oblique: Mutex::default(),
            between: Mutex::new(Lru::new(Self::BETWEEN)),
            interpolators: Mutex::new(Lru::new(Self::INTERPOLATORS)),
        })
    }

    /// The volume of a formula.
    ///
    /// # Errors
    /// [`NoVolume`] for a side that no image has, or too many times.
    pub fn of_formula(formula: &VolumeFormula) -> Result<Self, NoVolume> {
        let times = (0..formula.times()).map(|time| formula.grid_at(f64::from(time))).collect();
        Ok(Self { formula: Some(*formula), ..Self::series(times, [1.0; 3], false)? })
    }

    /// Number of samples, spacing and direction of the rows.
    pub fn shape(&self) -> &VolumeShape {
        &self.shape
    }

    /// Least and greatest sample, for values that are black and white at first; `None` if all samples are from 0 to 1, or equal.
    /// Samples that are not finite do not count.
    pub fn display_window(&self) -> Option<[f32; 2]> {
        *self.window.get_or_init(|| {
            let finite = self.times.par_iter().flat_map(Grid::values).copied().filter(|value| value.is_finite());
            let widest = |[a, b]: [f32; 2], [c, d]: [f32; 2]| [a.min(c), b.max(d)];
            let [least, greatest] =
                finite.map(|value| [value; 2]).reduce(|| [f32::INFINITY, f32::NEG_INFINITY], widest);
            let is_outside = least < 0.0 || greatest > 1.0;
            (is_outside && least < greatest).then_some([least, greatest])
        })
    }

    /// The samples of each time; the axes are z, y and x.
    pub fn times(&self) -> &[Grid<f32>] {
        &self.times
    }

    /// Page of the volume: its samples are the middle axial slice at the first time.
    pub fn into_page(self) -> Page {
        let frame = self.shape.frame(&Plane::default());
        let position = self.shape.position(&Plane::default());
        let slice = Slice { time: 0, index: position as usize, weight: 1.0 };
        let values = slice::sample_slices(&self, &frame, &[slice], 0.0);
        let page = self.with_truth(slice::page(frame.size(), values), &Plane::default());
        page.with_source(Arc::new(self))
    }

    /// The volume of a page; `None` for a page that is none.
    pub fn of(page: &Page) -> Option<Arc<Self>> {
        Arc::clone(page.source()?).downcast().ok()
    }

    /// The page of `plane` as `sampler` interpolates it along the normal and in time. Recent ones are kept.
    pub fn page(self: &Arc<Self>, plane: &Plane, sampler: &Sampler) -> Arc<Page> {
        let sampler = SamplerKey::new(sampler);
        let (position, time) = (self.shape.position(plane), self.shape.time(plane));
        let key = PageKey { orientation: plane.orientation, position, time, sampler };
        match plane.orientation {
            Orientation::Oblique { .. } => self.oblique_page(key, plane),
            Orientation::Main(main) => {
                let mut slices = self.slices.lock().unwrap_or_else(PoisonError::into_inner);
                slices.next_turn();
                if let Some(page) = slices.get(&key) {
                    return Arc::clone(page);
                }
                let page = Arc::new(self.with_truth(slice::main_page(self, main, plane, sampler), plane));
                slices.insert(key, Arc::clone(&page));
                page
            }
        }
    }

    /// The page of a plane with the truth of a volume that is a formula.
    fn with_truth(&self, page: Page, plane: &Plane) -> Page {
        let Some(formula) = self.formula else { return page };
        let (frame, time) = (self.shape.frame(plane), self.shape.time(plane));
        page.with_truth(Truth::Function(Arc::new(PlaneTruth { formula, frame, time })))
    }

    /// The page of an oblique plane. It holds the volume, which therefore does not hold it.
    fn oblique_page(self: &Arc<Self>, key: PageKey, plane: &Plane) -> Arc<Page> {
        let mut pages = self.oblique.lock().unwrap_or_else(PoisonError::into_inner);
        pages.retain(|(_, page)| page.strong_count() > 0);
        let known = pages.iter().find(|(known, _)| *known == key);
        if let Some(page) = known.and_then(|(_, page)| page.upgrade()) {
            return page;
        }
        let oblique = Arc::new(ObliquePlane::new(Arc::clone(self), self.shape.frame(plane), key.time));
        let (size, own) = (oblique.frame().size(), Arc::clone(&oblique));
        let raster = move || own.raster(key.sampler);
        let page = Page::on_demand((size, Channels::Grey, Depth::Float), raster).with_source(oblique);
        let page = Arc::new(self.with_truth(page, plane));
        pages.push((key, Arc::downgrade(&page)));
        page
    }

    /// Weights of the times at a position in time.
    fn time_weights(&self, key: SamplerKey, time: f64) -> AxisWeights {
        match self.shape.times {
            1 => AxisWeights::of_sample(0),
            times => AxisWeights::new(times, time, &key.of_line()),
        }
    }

    /// The samples at a position in time. Those between times are kept.
    fn moment(&self, key: TimeKey) -> Moment<'_> {
        let weights = self.time_weights(key.sampler, key.time);
        if let Some(time) = weights.only() {
            return Moment::Given(&self.times[time]);
        }
        let lock = || self.between.lock().unwrap_or_else(PoisonError::into_inner);
        let known = {
            let mut kept = lock();
            kept.next_turn();
            kept.evict_idle();
            kept.get(&key).map(|grid| Arc::clone(grid))
        };
        if let Some(grid) = known {
            return Moment::Between(grid);
        }
        let grid = Arc::new(self.grid_of(self.weighted_sum(&weights, key.sampler.border)));
        let mut kept = lock();
        if !kept.contains(&key) {
            kept.insert(key, Arc::clone(&grid));
        }
        Moment::Between(grid)
    }

    /// The samples at a position in time in double precision, which are not kept.
    fn exact_moment(&self, key: TimeKey) -> Grid<f64> {
        self.grid_of(self.weighted_sum(&self.time_weights(key.sampler, key.time), key.sampler.border))
    }

    /// A grid of one time.
    fn grid_of<T: Number>(&self, values: Vec<T>) -> Grid<T> {
        Grid::new(self.times[0].shape(), Components::Real, values).expect("the shape of every time")
    }

    /// The weighted sum of all times.
    fn weighted_sum<T: Number>(&self, weights: &AxisWeights, border: f32) -> Vec<T> {
        const CHUNK: usize = 1 << 12;
        let constant = weights.border * f64::from(border);
        let mut values = vec![T::default(); self.times[0].values().len()];
        values.par_chunks_mut(CHUNK).enumerate().for_each_init(
            || vec![0.0; CHUNK],
            |sums, (chunk, values)| {
                let sums = &mut sums[..values.len()];
                sums.fill(constant);
                for &(time, weight) in &weights.samples {
                    let samples = &self.times[time].values()[chunk * CHUNK..][..values.len()];
                    sums.iter_mut().zip(samples).for_each(|(sum, sample)| *sum += weight * f64::from(*sample));
                }
                values.iter_mut().zip(&*sums).for_each(|(to, sum)| *to = T::from_f64(*sum));
            },
        );
        values
    }

    /// Whether the interpolator of a sampler is kept.
    fn has_interpolator(&self, key: TimeKey) -> bool {
        self.interpolators.lock().unwrap_or_else(PoisonError::into_inner).contains(&key)
    }

    /// Whether [`Volume::moment`] allocates a grid.
    fn adds_moment(&self, key: TimeKey) -> bool {
        self.time_weights(key.sampler, key.time).only().is_none()
            && !self.between.lock().unwrap_or_else(PoisonError::into_inner).contains(&key)
    }

    /// Calls `work` with the interpolator of a sampler at a position in time. One that has coefficients is kept.
    fn with_interpolator<T>(
        &self,
        key: TimeKey,
        options: &ExecOptions,
        work: impl FnOnce(&Interpolator<'_, f32>) -> Result<T, GridError>,
    ) -> Result<T, GridError> {
        let lock = || self.interpolators.lock().unwrap_or_else(PoisonError::into_inner);
        let known = {
            let mut kept = lock();
            kept.next_turn();
            kept.evict_idle();
            kept.get(&key).map(|interpolator| Arc::clone(interpolator))
        };
        if let Some(known) = known {
            return work(&known);
        }
        let moment = self.moment(key);
        let made = moment.interpolator_with(&key.sampler.of_volume(), options)?;
        if made.borrows_samples() {
            return work(&made);
        }
        let made = Arc::new(made.into_owned());
        let mut kept = lock();
        if !kept.contains(&key) {
            kept.insert(key, Arc::clone(&made));
        }
        drop(kept);
        work(&made)
    }
}

/// The values of a formula on a plane.
#[derive(Debug)]
struct PlaneTruth {
    formula: VolumeFormula,
    frame: PlaneFrame,
    time: f64,
}

impl TrueFunction for PlaneTruth {
    fn value(&self, position: [f64; 2]) -> f64 {
        self.formula.value(self.frame.at(position), self.time)
    }
}

/// The page that a request with this plane and this sampler shows: the plane of a volume, or `page` itself.
pub fn resolved(page: &Arc<Page>, plane: &Plane, sampler: &Sampler) -> Arc<Page> {
    Volume::of(page).map_or_else(|| Arc::clone(page), |volume| volume.page(plane, sampler))
}

/// A float page of one grey value a sample.
fn grey(size: Size, values: Vec<f32>) -> Raster {
    Raster::new(size, Channels::Grey, Samples::F32(values)).expect("a value for each sample")
}
