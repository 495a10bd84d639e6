//! Values under the cursor: the interpolated values of a panel's pixel in single precision, before the display mapping.
//!
//! The backend renders a request of one pixel whose position in the image is exactly that of the panel's pixel.

use std::collections::BTreeMap;

use super::page_request::PageRequest;
use crate::app::session::PanelId;
use crate::backend::{Backend, BackendError, Display, PixelFormat, RenderRequest, page_of};
use crate::image::{Channels, Depth, Image, Page, Raster, Size};
use crate::view::View;

/// The values under the cursor.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The panel under the cursor.
    pub panel: PanelId,
    /// The position in the image, in samples.
    pub pos_in_image: [f64; 2],
    /// For each visible panel one value per channel, 1 for maxval; empty where the panel cannot be rendered.
    pub values: Vec<(PanelId, Vec<f32>)>,
}

/// A pixel of a panel's picture.
#[derive(Clone, Copy, Debug)]
pub(in crate::app) struct PanelPixel<'a> {
    /// The panel.
    pub(in crate::app) panel: PanelId,
    /// Its image.
    pub(in crate::app) image: &'a Image,
    /// The request of its picture.
    pub(in crate::app) request: &'a RenderRequest,
    /// The column and the row.
    pub(in crate::app) pixel: [u32; 2],
}

/// Reads single pixels. A pixel is rendered again only where the pixel or its request changed, since a device may block.
#[derive(Debug)]
pub(in crate::app) struct Probe {
    pixel: Raster,
    last: BTreeMap<PanelId, Probed>,
}

/// The last pixel of a panel.
#[derive(Debug)]
struct Probed {
    source: PageRequest,
    pixel: [u32; 2],
    values: Vec<f32>,
}

impl Default for Probe {
    fn default() -> Self {
        Self { pixel: Raster::zeros(one_by_one(), Channels::Grey, Depth::Float), last: BTreeMap::new() }
    }
}

impl Probe {
    /// Forgets the pixels of panels for which `is_open` is false.
    pub(in crate::app) fn retain(&mut self, is_open: impl Fn(PanelId) -> bool) {
        self.last.retain(|panel, _| is_open(*panel));
    }

    /// The values of a pixel before the display mapping, one per channel, 1 for maxval.
    ///
    /// # Errors
    /// Where the backend cannot serve the request.
    pub(in crate::app) fn values(
        &mut self,
        backend: &mut dyn Backend,
        probed: &PanelPixel<'_>,
    ) -> Result<Vec<f32>, BackendError> {
        let PanelPixel { panel, image, request, pixel } = *probed;
        let page = page_of(image, request)?;
        if let Some(last) = self.last.get(&panel)
            && last.pixel == pixel
            && last.source.is(image, request)
        {
            return Ok(last.values.clone());
        }
        let one = one_pixel(request, (image, &page), pixel);
        backend.render(image, &one, PixelFormat::file(Depth::Float), &mut self.pixel)?;
        let channels = 0..self.pixel.channels().count();
        let values: Vec<f32> = channels.map(|channel| self.pixel.number(0, 0, channel)).collect();
        let source = PageRequest::new(image, request);
        self.last.insert(panel, Probed { source, pixel, values: values.clone() });
        Ok(values)
    }
}

/// The size of a probe's output.
fn one_by_one() -> Size {
    Size::new(1, 1).expect("1 × 1 is a size")
}

/// The request of one pixel that shows what `request` shows at `pixel`, without the display mapping.
fn one_pixel(request: &RenderRequest, (image, page): (&Image, &Page), pixel: [u32; 2]) -> RenderRequest {
    let view = view_of_pixel(&request.view, (request.size, page.size()), pixel);
    let subtract = request.subtract.as_ref().map(|other| {
        let of_other = page_of(image, other).ok();
        Box::new(one_pixel(other, (image, of_other.as_deref().unwrap_or(page)), pixel))
    });
    RenderRequest {
        size: one_by_one(),
        view,
        warp: request.warp.clone(),
        content: request.content,
        sampler: request.sampler,
        page: request.page,
        plane: request.plane,
        component: request.component,
        filters: request.filters.clone(),
        subtract,
        display: Display::default(),
    }
}

/// The view of one pixel whose position is that of `pixel` under `view`, to the last bit where floating point allows it.
fn view_of_pixel(view: &View, (output, image): (Size, Size), pixel: [u32; 2]) -> View {
    let place = view.image_from_output(output, image).at(pixel.map(f64::from));
    let centred = |translation: [f64; 2]| view.translated(translation).unwrap_or(*view);
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
    use crate::image::Samples;
    use crate::sampling::{METHODS, Sampler};
    use crate::test_support::size;

    fn noise(size: Size, random: &mut fastrand::Rng) -> Image {
        let values = (0..size.area()).map(|_| random.u8(..)).collect();
        let raster = Raster::new(size, Channels::Grey, Samples::U8 { values, maxval: 255 }).expect("a raster");
        Image::new("noise", vec![Page::new(raster)]).expect("an image")
    }

    #[test]
    fn probed_pixel_equals_the_pixel_of_the_whole_picture() {
        let mut random = fastrand::Rng::with_seed(3);
        let (image_size, size) = (size(61, 40), size(97, 53));
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
                    let probed = {
                        let probed = PanelPixel { panel, image: &image, request: &request, pixel };
                        probe.values(&mut backend, &probed).expect("a value")
                    };
                    let shown = whole.number(pixel[0], pixel[1], 0);
                    assert!((probed[0] - shown).abs() < 2e-6, "{} at {pixel:?}: {probed:?} {shown}", row.name);
                }
            }
        }
    }

    #[test]
    fn probe_renders_a_pixel_again_only_where_it_or_its_request_changed() {
        let size = size(9, 9);
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
            let values = probe.values(&mut backend, &PanelPixel { panel, image, request, pixel }).expect("a pixel");
            let expected = render(&mut CpuBackend::new(), image, request, PixelFormat::file(Depth::Float));
            assert!((values[0] - expected.expect("a picture").number(pixel[0], pixel[1], 0)).abs() < 2e-6);
            assert_eq!(backend.renders, renderings);
        }
        probe.retain(|panel| panel == two);
        assert_eq!(probe.last.keys().collect::<Vec<_>>(), [&two]);
    }
}
