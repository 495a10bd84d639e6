//! What one panel shows at the moment: it is rendered again exactly when its request differs from its last.

use std::time::{Duration, Instant};

use super::gl::{Canvas, PanelTexture, TextureFormat};
use super::layout::PixelRect;
use crate::backend::{Backend, PixelFormat, RenderRequest};
use crate::image::{Channels, Depth, Image, PageId, Raster};

/// A panel's picture, or why there is none.
#[derive(Debug)]
pub struct Picture {
    shown: Option<(PageId, RenderRequest)>,
    place: Option<PixelRect>,
    pixels: Raster,
    texture: Option<PanelTexture>,
    refusal: Option<String>,
    took: Duration,
}

impl Default for Picture {
    fn default() -> Self {
        let no_size = crate::image::Size::new(1, 1).expect("1 × 1 is a size");
        Self {
            shown: None,
            place: None,
            pixels: Raster::zeros(no_size, Channels::Grey, Depth::EIGHT),
            texture: None,
            refusal: None,
            took: Duration::ZERO,
        }
    }
}

/// What renders, and what it is shown with.
pub(super) struct Renderer<'a> {
    /// Makes the pixels.
    pub(super) backend: &'a mut dyn Backend,
    /// Takes them to the screen; `None` where there is no graphics library.
    pub(super) canvas: Option<&'a Canvas>,
}

impl Picture {
    /// Brings the picture up to date; true where it was rendered.
    pub(super) fn update(&mut self, image: &Image, request: &RenderRequest, renderer: &mut Renderer<'_>) -> bool {
        let Some(page) = image.page(request.page) else {
            return false;
        };
        let is_shown = |(id, shown): &(PageId, RenderRequest)| *id == page.id() && shown == request;
        if self.shown.as_ref().is_some_and(is_shown) {
            return false;
        }
        let start = Instant::now();
        self.shown = Some((page.id(), request.clone()));
        let rendered = renderer.backend.render(image, request, PixelFormat::TEXTURE, &mut self.pixels);
        self.refusal = rendered.err().map(|error| error.to_string());
        if let (None, Some(canvas)) = (&self.refusal, renderer.canvas) {
            self.upload(canvas);
        }
        self.took = start.elapsed();
        true
    }

    fn upload(&mut self, canvas: &Canvas) {
        let (size, format) = (self.pixels.size(), TextureFormat::of(self.pixels.channels()));
        let fits = |texture: &PanelTexture| texture.size() == size && texture.format() == format;
        if !self.texture.as_ref().is_some_and(fits) {
            match canvas.texture(size, format) {
                Ok(texture) => self.texture = Some(texture),
                Err(error) => self.refusal = Some(error),
            }
        }
        if let Some(texture) = &mut self.texture {
            texture.write(&self.pixels);
        }
    }

    /// Notes where the picture stands in the window; true where that changed.
    pub fn stand_at(&mut self, place: PixelRect) -> bool {
        self.place.replace(place) != Some(place)
    }

    /// The texture, where there is a picture to draw.
    pub fn texture(&self) -> Option<&PanelTexture> {
        if self.refusal.is_some() { None } else { self.texture.as_ref() }
    }

    /// The pixels as the backend made them.
    pub fn pixels(&self) -> &Raster {
        &self.pixels
    }

    /// Why the request could not be served.
    pub fn refusal(&self) -> Option<&str> {
        self.refusal.as_deref()
    }

    /// How long the last rendering took, its way to the graphics library included.
    pub fn took(&self) -> Duration {
        self.took
    }

    /// Gives the texture back; to be called while the window's context is current.
    pub fn release(&mut self) {
        self.texture = None;
        self.shown = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::CpuBackend;
    use crate::image::{Page, Size};

    #[test]
    fn a_picture_is_rendered_once_for_a_request_and_again_for_another() {
        let size = Size::new(8, 8).expect("a size");
        let page = || Page::new(Raster::zeros(size, Channels::Grey, Depth::EIGHT));
        let image = Image::new("two pages", vec![page(), page()]).expect("an image");
        let mut backend = CpuBackend::new();
        let mut renderer = Renderer { backend: &mut backend, canvas: None };
        let mut picture = Picture::default();
        let mut request = RenderRequest::new(size);
        assert!(picture.update(&image, &request, &mut renderer));
        assert!(!picture.update(&image, &request, &mut renderer));
        request.page = 1;
        assert!(picture.update(&image, &request, &mut renderer));
        request.sampler.border = f32::NAN;
        assert!(picture.update(&image, &request, &mut renderer));
        assert!(picture.refusal().is_some_and(|why| why.contains("border")));
    }
}
