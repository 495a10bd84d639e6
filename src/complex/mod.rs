//! Complex images: two real numbers a sample, of which a picture shows one [`Component`].
//!
//! A [`ComplexImage`] is held by a [`Page`], whose own samples are the real parts. A request names a component; [`resolved`] turns
//! the page into that of the component:
//!
//! ```text
//!   real, imaginary:            page of samples, as that of any picture
//!   magnitude, phase, domain:   both parts are interpolated as pictures, then the quantity is computed at every pixel
//! ```
//!
//! The magnitude and the phase are no linear functions, so that the interpolated phase is not the phase of the interpolated number:
//! between 3.1 and −3.1 lies π, not 0. The page of such a component has the quantity at the samples, computed where something
//! reads them.

mod component;
mod formula;

use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

pub use component::{COMPONENTS, Component, ComponentRow};
pub use formula::{COMPLEX_SOURCES, ComplexError, ComplexFormula, ComplexSource, ComplexSourceRow};

use crate::image::{Channels, Depth, Page, Raster, Samples, Size};

/// An image of complex numbers, as a page for each component.
#[derive(Debug)]
pub struct ComplexImage {
    /// In the order of [`COMPONENTS`].
    pages: [Arc<Page>; COMPONENTS.len()],
    parts: Arc<Parts>,
}

/// Real and imaginary parts.
#[derive(Debug)]
struct Parts {
    pages: [Arc<Page>; 2],
    greatest: OnceLock<f64>,
}

/// The page of a component that is computed from interpolated parts.
#[derive(Debug)]
pub struct Derived {
    parts: Arc<Parts>,
    component: Component,
}

impl Parts {
    /// Real and imaginary parts of a row of samples.
    fn row(&self, row: usize) -> impl Iterator<Item = [f64; 2]> + '_ {
        let width = self.pages[0].size().width() as usize;
        let part = move |part: usize| match self.pages[part].raster().samples() {
            Samples::F32(values) => &values[row * width..][..width],
            Samples::U8 { .. } | Samples::U16 { .. } => unreachable!("the parts are floats"),
        };
        part(0).iter().zip(part(1)).map(|(&re, &im)| [f64::from(re), f64::from(im)])
    }

    /// Greatest magnitude of the samples that is finite; 1 if it is 0.
    fn greatest(&self) -> f64 {
        *self.greatest.get_or_init(|| {
            let of_row = |row| {
                let magnitudes = self.row(row).map(|[re, im]| re.hypot(im));
                magnitudes.filter(|magnitude| magnitude.is_finite()).fold(0.0, f64::max)
            };
            let rows = self.pages[0].size().height() as usize;
            let greatest = (0..rows).into_par_iter().map(of_row).reduce(|| 0.0, f64::max);
            if greatest > 0.0 { greatest } else { 1.0 }
        })
    }

    /// The samples of a component.
    fn raster(&self, component: Component) -> Raster {
        let (size, channels) = (self.pages[0].size(), component.channels());
        let greatest = self.greatest();
        let stride = size.width() as usize * channels.count();
        let mut values = vec![0.0; size.height() as usize * stride];
        values.par_chunks_mut(stride).enumerate().for_each(|(row, values)| {
            for (pixel, parts) in values.chunks_exact_mut(channels.count()).zip(self.row(row)) {
                let found = component.values(parts, greatest);
                pixel.iter_mut().zip(found).for_each(|(value, found)| *value = found as f32);
            }
        });
        Raster::new(size, channels, Samples::F32(values)).expect("a value for each sample")
    }
}

impl ComplexImage {
    /// Image of `size`; `values` are real and imaginary part of each sample, row by row.
    ///
    /// # Panics
    /// If there are not two values for each sample.
    pub fn new(size: Size, values: &[f32]) -> Self {
        let part = |part: usize| {
            let numbers = values.par_chunks_exact(2).map(|sample| sample[part]).collect();
            let raster = Raster::new(size, Channels::Grey, Samples::F32(numbers)).expect("two values for each sample");
            Arc::new(Page::new(raster))
        };
        let parts = Arc::new(Parts { pages: [part(0), part(1)], greatest: OnceLock::new() });
        let page = |component: Component| match component {
            Component::Real => Arc::clone(&parts.pages[0]),
            Component::Imaginary => Arc::clone(&parts.pages[1]),
            Component::Magnitude | Component::Phase | Component::Domain => {
                let own = Arc::clone(&parts);
                let page = Page::on_demand((size, component.channels(), Depth::Float), move || own.raster(component));
                Arc::new(page.with_source(Arc::new(Derived { parts: Arc::clone(&parts), component })))
            }
        };
        let pages = COMPONENTS.each_ref().map(|row| page(row.component));
        Self { pages, parts }
    }

    /// Page of the image: its samples are the real parts.
    pub fn into_page(self) -> Page {
        let own = Arc::clone(&self.parts);
        let raster = move || own.pages[0].raster().clone();
        Page::on_demand((self.size(), Channels::Grey, Depth::Float), raster).with_source(Arc::new(self))
    }

    /// The complex image of a page; `None` for a page that is none.
    pub fn of(page: &Page) -> Option<Arc<Self>> {
        Arc::clone(page.source()?).downcast().ok()
    }

    /// Width and height in samples.
    pub fn size(&self) -> Size {
        self.parts.pages[0].size()
    }

    /// The page of a component.
    pub fn page(&self, component: Component) -> &Arc<Page> {
        &self.pages[component as usize]
    }

    /// Greatest magnitude of the samples; 1 if all are 0.
    pub fn greatest(&self) -> f64 {
        self.parts.greatest()
    }

    /// Values of `component` that are black and white at first.
    pub fn display_window(&self, component: Component) -> [f32; 2] {
        let greatest = self.greatest() as f32;
        match component {
            Component::Real | Component::Imaginary => [-greatest, greatest],
            Component::Magnitude => [0.0, greatest],
            Component::Phase => [-std::f32::consts::PI, std::f32::consts::PI],
            Component::Domain => [0.0, 1.0],
        }
    }
}

impl Derived {
    /// The component of a page; `None` for a page that is none, or a real or imaginary part.
    pub fn of(page: &Page) -> Option<Arc<Self>> {
        Arc::clone(page.source()?).downcast().ok()
    }

    /// The component.
    pub fn component(&self) -> Component {
        self.component
    }

    /// The pages of the real and the imaginary parts.
    pub(crate) fn parts(&self) -> &[Arc<Page>; 2] {
        &self.parts.pages
    }

    /// The component of interpolated parts, channels interleaved.
    pub(crate) fn values<T: Copy + Into<f64> + Send + Sync, U: Default + Clone + Send>(
        &self,
        [real, imaginary]: [&[T]; 2],
        convert: impl Fn(f64) -> U + Sync,
    ) -> Vec<U> {
        let (greatest, channels) = (self.parts.greatest(), self.component.channels().count());
        let mut values = vec![U::default(); real.len() * channels];
        let parts = real.par_iter().zip(imaginary);
        values.par_chunks_mut(channels).zip(parts).for_each(|(pixel, (&re, &im))| {
            let found = self.component.values([re.into(), im.into()], greatest);
            pixel.iter_mut().zip(found).for_each(|(value, found)| *value = convert(found));
        });
        values
    }
}

/// The page that a request with this component shows: that of a component of a complex image, or `page` itself.
pub fn resolved(page: &Arc<Page>, component: Component) -> Arc<Page> {
    ComplexImage::of(page).map_or_else(|| Arc::clone(page), |image| Arc::clone(image.page(component)))
}
