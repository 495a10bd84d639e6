//! The values under the cursor: what a panel's method gives there, in single precision, before rounding and display.
//!
//! They come from the backend, by a request of one pixel that shows exactly the place that the panel's pixel shows.

use std::collections::BTreeMap;

use super::worker::{Pages, pages_of};
use crate::app::session::PanelId;
use crate::backend::{Backend, BackendError, Display, PixelFormat, RenderRequest};
use crate::image::{Depth, Image, Page, Raster, Size};
use crate::view::View;

/// The values under the cursor.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// The position in the image, in samples.
    pub pos_in_image: [f64; 2],
    /// For each visible panel one value per channel, 1 for maxval; empty where the panel cannot be rendered.
    pub values: Vec<(PanelId, Vec<f32>)>,
}

/// The size of a probe's picture.
fn one_by_one() -> Size {
    Size::new(1, 1).expect("1 × 1 is a size")
}

/// Reads single pixels of requests, each panel's anew only where it is another one: a backend may have to wait for it.
#[derive(Debug)]
pub(in crate::app) struct Probe {
    pixel: Raster,
    /// What each panel's last pixel was, and its values.
    last: BTreeMap<PanelId, (Asked, Vec<f32>)>,
}

/// All that a pixel's values follow from.
#[derive(Debug)]
struct Asked {
    pages: Pages,
    request: RenderRequest,
    pixel: [u32; 2],
}

impl Default for Probe {
    fn default() -> Self {
        Self { pixel: Raster::zeros(one_by_one(), crate::image::Channels::Grey, Depth::Float), last: BTreeMap::new() }
    }
}

impl Probe {
    /// Forgets the pixels of panels for which `is_open` is false.
    pub(in crate::app) fn retain(&mut self, is_open: impl Fn(PanelId) -> bool) {
        self.last.retain(|panel, _| is_open(*panel));
    }

    /// The values of the pixel of a panel's `request`, one a channel; 1 means the image's maxval.
    ///
    /// # Errors
    /// Where the backend cannot serve the request.
    pub(in crate::app) fn values(
        &mut self,
        backend: &mut dyn Backend,
        (panel, image): (PanelId, &Image),
        request: &RenderRequest,
        pixel: [u32; 2],
    ) -> Result<Vec<f32>, BackendError> {
        let Some(page) = image.page(request.page) else {
            return Ok(Vec::new());
        };
        let pages = pages_of(image, request);
        if let Some((last, values)) = self.last.get(&panel)
            && last.pixel == pixel
            && last.pages == pages
            && last.request == *request
        {
            return Ok(values.clone());
        }
        let one = one_pixel(request, (image, page), pixel);
        backend.render(image, &one, PixelFormat::file(Depth::Float), &mut self.pixel)?;
        let channels = 0..self.pixel.channels().count();
        let values: Vec<f32> = channels.map(|channel| self.pixel.number(0, 0, channel)).collect();
        self.last.insert(panel, (Asked { pages, request: request.clone(), pixel }, values.clone()));
        Ok(values)
    }
}

/// The request whose only pixel shows what `request` shows at `pixel`, before the display mapping.
fn one_pixel(request: &RenderRequest, (image, page): (&Image, &Page), pixel: [u32; 2]) -> RenderRequest {
    let view = view_of_pixel(&request.view, (request.size, page.size()), pixel);
    let subtract = request.subtract.as_ref().map(|other| {
        let page = image.page(other.page).map_or(page, |page| page.as_ref());
        Box::new(one_pixel(other, (image, page), pixel))
    });
    RenderRequest {
        size: one_by_one(),
        view,
        sampler: request.sampler,
        page: request.page,
        filters: request.filters.clone(),
        subtract,
        display: Display::default(),
    }
}

/// The view of one pixel that shows the place which `view` shows at `pixel`, to the last bit wherever numbers allow it.
fn view_of_pixel(view: &View, (output, image): (Size, Size), pixel: [u32; 2]) -> View {
    let place = view.image_from_output(output, image).at(pixel.map(f64::from));
    let centred = |translation: [f64; 2]| {
        View::new(translation, view.scale()).and_then(|view_| view_.rotated(view.angle_deg())).unwrap_or(*view)
    };
    let mut translation = [0.0; 2];
    for _ in 0..4 {
        let shown = centred(translation).image_from_output(one_by_one(), image).at([0.0, 0.0]);
        if shown == place {
            break;
        }
        translation = [translation[0] + (place[0] - shown[0]), translation[1] + (place[1] - shown[1])];
    }
    centred(translation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::fake::FakeBackend;
    use crate::backend::{CpuBackend, render};
    use crate::image::{Channels, Samples};
    use crate::sampling::{METHODS, Sampler};

    fn noise(size: Size, random: &mut fastrand::Rng) -> Image {
        let values = (0..size.area()).map(|_| random.u8(..)).collect();
        let raster = Raster::new(size, Channels::Grey, Samples::U8 { values, maxval: 255 }).expect("a raster");
        Image::new("noise", vec![Page::new(raster)]).expect("an image")
    }

    #[test]
    fn a_probed_pixel_is_the_pixel_of_the_whole_picture() {
        let mut random = fastrand::Rng::with_seed(3);
        let (image_size, size) = (Size::new(61, 40).expect("a size"), Size::new(97, 53).expect("a size"));
        let image = noise(image_size, &mut random);
        let (mut backend, mut probe, panel) = (CpuBackend::new(), Probe::default(), PanelId::next());
        for scale in [1.0 / 6.0, 0.125, 0.37, 1.0, 1.5, 2.9] {
            for row in &METHODS {
                let mut sampler = Sampler::default().with_method(row.method);
                sampler.antialias = random.bool();
                let view = View::new([random.f64() * 9.0, -3.0], scale).expect("a view");
                let request = RenderRequest { view, sampler, ..RenderRequest::new(size) };
                let whole = render(&mut backend, &image, &request, PixelFormat::file(Depth::Float)).expect("a picture");
                for _ in 0..20 {
                    let pixel = [random.u32(..size.width()), random.u32(..size.height())];
                    let probed = probe.values(&mut backend, (panel, &image), &request, pixel).expect("a value");
                    let shown = whole.number(pixel[0], pixel[1], 0);
                    assert!((probed[0] - shown).abs() < 2e-6, "{} at {pixel:?}: {probed:?} {shown}", row.name);
                }
            }
        }
    }

    #[test]
    fn a_pixel_is_rendered_once_until_it_is_another() {
        let size = Size::new(9, 9).expect("a size");
        let image = noise(size, &mut fastrand::Rng::with_seed(4));
        let other = noise(size, &mut fastrand::Rng::with_seed(5));
        let (mut backend, mut probe) = (FakeBackend::default(), Probe::default());
        let (one, two) = (PanelId::next(), PanelId::next());
        let (request, mut changed) = (RenderRequest::new(size), RenderRequest::new(size));
        changed.sampler.border = 0.5;
        for (panel, image, request, pixel, renderings) in [
            (one, &image, &request, [3, 4], 1),
            (one, &image, &request, [3, 4], 1),
            (two, &image, &request, [3, 4], 2),
            (one, &image, &request, [3, 5], 3),
            (one, &image, &changed, [3, 5], 4),
            (one, &other, &changed, [3, 5], 5),
            (two, &image, &request, [3, 4], 5),
        ] {
            let values = probe.values(&mut backend, (panel, image), request, pixel).expect("a pixel");
            let expected = render(&mut CpuBackend::new(), image, request, PixelFormat::file(Depth::Float));
            assert!((values[0] - expected.expect("a picture").number(pixel[0], pixel[1], 0)).abs() < 2e-6);
            assert_eq!(backend.renders, renderings);
        }
        probe.retain(|panel| panel == two);
        assert_eq!(probe.last.keys().collect::<Vec<_>>(), [&two]);
    }
}
