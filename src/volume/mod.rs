//! Volumes: three-dimensional images, shown as planes.
//!
//! A [`Volume`] is held by a [`Page`], whose own samples are its middle axial slice. A request names a [`Plane`]; [`resolved`]
//! turns the page of a volume into the page of that plane, so that everything after it (filters, prefilter, tables, kernels,
//! tools) is two-dimensional.
//!
//! ```text
//!   main plane:     Σ weights along the normal · slices ──▶ page of samples ──▶ interpolation along x and y by any backend
//!   oblique plane:  pixel ──▶ position in the plane ──▶ position in the volume ──▶ grid::Interpolator, on the CPU
//! ```
//!
//! The interpolation is separable along the axes: the sampler's method, its prefilter and its address mode along y apply along
//! the normal of a main plane, once for a plane, and the two-dimensional path does the rest. An oblique plane has no samples of
//! its own: [`ObliquePlane`] interpolates the volume at every pixel. Its page has the values at its whole positions, which are
//! computed where something reads them.

mod normal;
mod oblique;
#[cfg(feature = "cli")]
mod open;
mod plane;
mod slice;

use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use rayon::prelude::*;
use thiserror::Error;

pub use oblique::ObliquePlane;
#[cfg(feature = "cli")]
pub use open::open_source;
pub use plane::{MAIN_PLANES, MainPlane, MainPlaneRow, Orientation, Plane, PlaneFrame, VolumeShape};

use crate::filter::ExecOptions;
use crate::grid::{Components, Grid, GridError, GridSampler, Interpolator};
use crate::image::{Channels, Depth, Page, Raster, Samples, Size};
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
}

/// A grid of three dimensions with the axes z, y and x, and the planes that were taken from it.
#[derive(Debug)]
pub struct Volume {
    grid: Grid<f32>,
    shape: VolumeShape,
    window: OnceLock<Option<[f32; 2]>>,
    slices: Mutex<Lru<PageKey, Arc<Page>>>,
    oblique: Mutex<Vec<(PageKey, Weak<Page>)>>,
    interpolators: Mutex<Lru<SamplerKey, Arc<Interpolator<'static, f32>>>>,
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
    sampler: SamplerKey,
}

impl Weigh for Arc<Page> {
    fn bytes(&self) -> usize {
        self.size().area() * size_of::<f32>()
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

    /// The sampler along the normal of a main plane.
    fn of_normal(self) -> GridSampler {
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

    /// Volume of a grid with the axes z, y and x, whose samples are `spacing` apart along x, y and z. A distance that is not
    /// a number above 0 counts as 1.
    ///
    /// # Errors
    /// [`NoVolume`] for a grid of other dimensions, with complex samples, or with a side that no image has.
    pub fn new(grid: Grid<f32>, spacing: [f64; 3], is_y_up: bool) -> Result<Self, NoVolume> {
        let &[depth, height, width] = grid.shape() else {
            return Err(NoVolume::Dimensions(grid.dimensions()));
        };
        if grid.components() == Components::Complex {
            return Err(NoVolume::Complex);
        }
        let sides = [width, height, depth];
        if let Some(side) = sides.into_iter().find(|&side| side > Size::MAX_SIDE as usize) {
            return Err(NoVolume::Side(side));
        }
        let spacing = spacing.map(|step| if step.is_finite() && step > 0.0 { step } else { 1.0 });
        let shape = VolumeShape { size: sides.map(|side| side as u32), spacing, is_y_up };
        Ok(Self {
            grid,
            shape,
            window: OnceLock::new(),
            slices: Mutex::new(Lru::new(Self::SLICES)),
            oblique: Mutex::default(),
            interpolators: Mutex::new(Lru::new(Self::INTERPOLATORS)),
        })
    }

    /// Number of samples, spacing and direction of the rows.
    pub fn shape(&self) -> &VolumeShape {
        &self.shape
    }

    /// Least and greatest sample, for values that are black and white at first; `None` if all samples are from 0 to 1, or equal.
    /// Samples that are not finite do not count.
    pub fn display_window(&self) -> Option<[f32; 2]> {
        *self.window.get_or_init(|| {
            let finite = self.grid.values().par_iter().copied().filter(|value| value.is_finite());
            let widest = |[a, b]: [f32; 2], [c, d]: [f32; 2]| [a.min(c), b.max(d)];
            let [least, greatest] =
                finite.map(|value| [value; 2]).reduce(|| [f32::INFINITY, f32::NEG_INFINITY], widest);
            let is_outside = least < 0.0 || greatest > 1.0;
            (is_outside && least < greatest).then_some([least, greatest])
        })
    }

    /// The samples; the axes are z, y and x.
    pub fn grid(&self) -> &Grid<f32> {
        &self.grid
    }

    /// Page of the volume: its samples are the middle axial slice.
    pub fn into_page(self) -> Page {
        let frame = self.shape.frame(&Plane::default());
        let position = self.shape.position(&Plane::default());
        let values = slice::sample_slice(&self, &frame, &[(position as usize, 1.0)], 0.0);
        slice::page(frame.size(), values).with_source(Arc::new(self))
    }

    /// The volume of a page; `None` for a page that is none.
    pub fn of(page: &Page) -> Option<Arc<Self>> {
        Arc::clone(page.source()?).downcast().ok()
    }

    /// The page of `plane` as `sampler` interpolates it along the normal. Recent ones are kept.
    pub fn page(self: &Arc<Self>, plane: &Plane, sampler: &Sampler) -> Arc<Page> {
        let sampler = SamplerKey::new(sampler);
        let position = self.shape.position(plane);
        let key = PageKey { orientation: plane.orientation, position, sampler };
        match plane.orientation {
            Orientation::Oblique { .. } => self.oblique_page(key, plane),
            Orientation::Main(main) => {
                let mut slices = self.slices.lock().unwrap_or_else(PoisonError::into_inner);
                slices.next_turn();
                if let Some(page) = slices.get(&key) {
                    return Arc::clone(page);
                }
                let page = Arc::new(slice::main_page(self, main, plane, sampler));
                slices.insert(key, Arc::clone(&page));
                page
            }
        }
    }

    /// The page of an oblique plane. It holds the volume, which therefore does not hold it.
    fn oblique_page(self: &Arc<Self>, key: PageKey, plane: &Plane) -> Arc<Page> {
        let mut pages = self.oblique.lock().unwrap_or_else(PoisonError::into_inner);
        pages.retain(|(_, page)| page.strong_count() > 0);
        let known = pages.iter().find(|(known, _)| *known == key);
        if let Some(page) = known.and_then(|(_, page)| page.upgrade()) {
            return page;
        }
        let oblique = Arc::new(ObliquePlane::new(Arc::clone(self), self.shape.frame(plane)));
        let (size, own) = (oblique.frame().size(), Arc::clone(&oblique));
        let raster = move || own.raster(key.sampler);
        let page = Page::on_demand((size, Channels::Grey, Depth::Float), raster).with_source(oblique);
        let page = Arc::new(page);
        pages.push((key, Arc::downgrade(&page)));
        page
    }

    /// Whether the interpolator of a sampler is kept.
    fn has_interpolator(&self, key: SamplerKey) -> bool {
        self.interpolators.lock().unwrap_or_else(PoisonError::into_inner).contains(&key)
    }

    /// Calls `work` with the interpolator of a sampler. One that has coefficients is kept.
    fn with_interpolator<T>(
        &self,
        key: SamplerKey,
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
        let made = self.grid.interpolator_with(&key.of_volume(), options)?;
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

/// The page that a request with this plane and this sampler shows: the plane of a volume, or `page` itself.
pub fn resolved(page: &Arc<Page>, plane: &Plane, sampler: &Sampler) -> Arc<Page> {
    Volume::of(page).map_or_else(|| Arc::clone(page), |volume| volume.page(plane, sampler))
}

/// A float page of one grey value a sample.
fn grey(size: Size, values: Vec<f32>) -> Raster {
    Raster::new(size, Channels::Grey, Samples::F32(values)).expect("a value for each sample")
}
