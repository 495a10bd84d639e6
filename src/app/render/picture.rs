//! What one panel shows at the moment: it is rendered again exactly when its request differs from its last.

use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::gl::{Canvas, PanelTexture, TextureFormat};
use super::texture_sharing::Sharing;
use super::worker::{Later, Made, Pages, Who, pages_of};
use crate::app::widgets::pixel_rect::PixelRect;
use crate::backend::{
    Backend as _, BackendError, BackendKind, FallbackBackend, GlPanel, GlTarget, PixelFormat, RenderRequest,
    RenderTimer as _,
};
use crate::image::{Channels, Depth, Image, Raster, Size};

/// A panel's picture, or why there is none.
#[derive(Debug)]
pub struct Picture {
    shown: Option<(Pages, RenderRequest)>,
    place: Option<PixelRect>,
    pixels: Raster,
    texture: Option<Rc<PanelTexture>>,
    /// What the backend is to draw into the texture, with all other such pictures of the frame at once.
    waiting: Option<(Arc<Image>, GlTarget)>,
    /// The texture as the backend knows it that writes it itself.
    target: Option<GlTarget>,
    /// Since when a picture is on its way that is made elsewhere; what is shown meanwhile is the last one.
    late_since: Option<Instant>,
    refusal: Option<String>,
    /// The backend that made what is shown, once something is.
    maker: Option<BackendKind>,
    took: Duration,
    worked: Option<Duration>,
}

impl Default for Picture {
    fn default() -> Self {
        let no_size = Size::new(1, 1).expect("1 × 1 is a size");
        Self {
            shown: None,
            place: None,
            pixels: Raster::zeros(no_size, Channels::Grey, Depth::EIGHT),
            texture: None,
            waiting: None,
            target: None,
            late_since: None,
            refusal: None,
            maker: None,
            took: Duration::ZERO,
            worked: None,
        }
    }
}

/// What renders, and what it is shown with.
pub(in crate::app) struct Renderer<'a> {
    /// Makes the pixels.
    pub(in crate::app) backend: &'a mut FallbackBackend,
    /// Takes them to the screen; `None` where there is no graphics library.
    pub(in crate::app) canvas: Option<&'a Canvas>,
    /// The textures that the backend writes itself.
    pub(in crate::app) sharing: &'a mut Sharing,
    /// Makes what takes long.
    pub(in crate::app) later: &'a mut Later,
}

impl Picture {
    /// Brings `who`'s picture up to date; true where it was not and is now. A picture whose texture the backend writes
    /// itself waits for [`draw_waiting`], which the caller owes it; one that takes long is late ([`Picture::late_since`]),
    /// and is to be updated in every frame until it has come.
    pub(in crate::app) fn update(
        &mut self,
        who: Who,
        image: &Arc<Image>,
        request: &RenderRequest,
        renderer: &mut Renderer<'_>,
    ) -> bool {
        let Some(page) = image.page(request.page) else {
            return false;
        };
        let pages = pages_of(image, request);
        let is_shown = |(of, shown): &(Pages, RenderRequest)| *of == pages && shown == request;
        if self.shown.as_ref().is_some_and(is_shown) {
            self.late_since = None;
            return false;
        }
        let start = Instant::now();
        let refusal = request.check(page).err().map(|error| error.to_string());
        if refusal.is_none() && Later::takes(renderer.backend, request) {
            self.refusal = None;
            self.late_since.get_or_insert(start);
            let Some(made) = renderer.later.ask(who, image, request, PixelFormat::TEXTURE) else {
                return false;
            };
            let is_last = made.pages == pages && made.request == *request;
            self.take(made, renderer.backend.kind(), renderer.canvas);
            if is_last {
                self.late_since = None;
            }
            return is_last;
        }
        self.late_since = None;
        self.shown = Some((pages, request.clone()));
        self.refusal = refusal;
        if self.refusal.is_none() {
            let channels = PixelFormat::TEXTURE.channels(request.channels(page.channels()));
            self.fit_texture(request.size, TextureFormat::of(channels), renderer.canvas);
            let target = self.texture.as_ref().and_then(|texture| renderer.sharing.target(texture, renderer.backend));
            self.target = target;
            self.waiting = target.map(|target| (Arc::clone(image), target));
            if self.waiting.is_none() {
                self.render_on_host(image, request, renderer.backend);
            }
        }
        self.took = start.elapsed();
        true
    }

    /// Shows what was made elsewhere.
    fn take(&mut self, Made { request, pages, result, took }: Made, maker: BackendKind, canvas: Option<&Canvas>) {
        self.shown = Some((pages, request));
        (self.took, self.worked) = (took, Some(took));
        match result {
            Ok(pixels) => {
                self.fit_texture(pixels.size(), TextureFormat::of(pixels.channels()), canvas);
                if let Some(texture) = &self.texture {
                    texture.write(&pixels);
                }
                self.pixels = pixels;
                self.maker = Some(maker);
            }
            Err(error) => self.refusal = Some(error.to_string()),
        }
    }

    /// Makes the pixels in host memory and uploads them.
    fn render_on_host(&mut self, image: &Image, request: &RenderRequest, backend: &mut FallbackBackend) {
        match backend.render(image, request, PixelFormat::TEXTURE, &mut self.pixels) {
            Ok(()) => {
                (self.maker, self.worked) = (Some(backend.maker()), backend.worked());
                if let Some(texture) = &self.texture {
                    texture.write(&self.pixels);
                }
            }
            Err(error) => self.refusal = Some(error.to_string()),
        }
    }

    fn fit_texture(&mut self, size: Size, format: TextureFormat, canvas: Option<&Canvas>) {
        let Some(canvas) = canvas else { return };
        let fits = |texture: &Rc<PanelTexture>| texture.size() == size && texture.format() == format;
        if !self.texture.as_ref().is_some_and(fits) {
            match canvas.texture(size, format) {
                Ok(texture) => self.texture = Some(Rc::new(texture)),
                Err(error) => self.refusal = Some(error),
            }
        }
    }

    /// What the backend is to draw into the texture.
    fn gl_panel(&self) -> Option<GlPanel<'_>> {
        let ((image, target), (_, request)) = (self.waiting.as_ref()?, self.shown.as_ref()?);
        Some(GlPanel { target: *target, image, request })
    }

    /// Ends the wait for the backend with its answer; where it did not draw the picture, the host makes it.
    fn end_wait(&mut self, drawn: Option<Result<(), BackendError>>, backend: &mut FallbackBackend) {
        let Some((image, _)) = self.waiting.take() else { return };
        if let Some(Ok(())) = drawn {
            self.maker = Some(backend.kind());
            return;
        }
        let Some((_, request)) = self.shown.clone() else { return };
        match drawn.and_then(Result::err).and_then(|error| backend.forgive(error)) {
            Some(error) => self.refusal = Some(error.to_string()),
            None => self.render_on_host(&image, &request, backend),
        }
    }

    /// Gives up the texture that a backend wrote which is lost, so that the next update makes the picture anew: what it
    /// holds is anything, and the device may never let go of it.
    fn give_up_shared(&mut self) {
        if self.target.take().is_some() {
            (self.texture, self.shown, self.waiting) = (None, None, None);
        }
    }

    /// Notes where the picture stands in the window; true where that changed.
    pub fn stand_at(&mut self, place: PixelRect) -> bool {
        self.place.replace(place) != Some(place)
    }

    /// Where the picture stands in the window, once it does.
    pub fn place(&self) -> Option<PixelRect> {
        self.place
    }

    /// The texture, where there is a picture to draw.
    pub fn texture(&self) -> Option<&PanelTexture> {
        if self.refusal.is_some() { None } else { self.texture.as_deref() }
    }

    /// The pixels as the backend last made them in host memory; where it shares the texture, they are there alone.
    pub fn pixels(&self) -> &Raster {
        &self.pixels
    }

    /// Since when the picture is on its way, where what is shown is the last one.
    pub fn late_since(&self) -> Option<Instant> {
        self.late_since
    }

    /// Why the request could not be served.
    pub fn refusal(&self) -> Option<&str> {
        self.refusal.as_deref()
    }

    /// The backend that made the picture, once one has.
    pub fn maker(&self) -> Option<BackendKind> {
        self.maker
    }

    /// How long the last rendering took, its way to the graphics library included.
    pub fn took(&self) -> Duration {
        self.took
    }

    /// How long the backend worked on the picture itself, where it says so; where it writes the texture itself, on the last
    /// one that it says it of.
    pub fn worked(&self) -> Option<Duration> {
        self.worked
    }

    /// Has the picture made again where its time is not known, or not the last one's.
    pub(in crate::app) fn time_again(&mut self) {
        if self.worked.is_none() || self.target.is_some() {
            (self.shown, self.worked) = (None, None);
        }
    }

    /// Takes the picture's time out of those that a backend found for its textures.
    pub(in crate::app) fn note_times(&mut self, times: &[(GlTarget, Duration)]) {
        let of_this = |(target, _): &&(GlTarget, Duration)| Some(*target) == self.target;
        if let Some((_, time)) = times.iter().rev().find(of_this) {
            self.worked = Some(*time);
        }
    }

    /// Gives the texture back; to be called while the window's context is current.
    pub fn release(&mut self) {
        self.texture = None;
        self.shown = None;
    }
}

/// Asks the backend what became of the pictures that it wrote itself, and has those made anew that were lost with it; false
/// where it is still at work on some.
pub(in crate::app) fn follow_shared<'a>(
    pictures: impl Iterator<Item = &'a mut Picture>,
    backend: &mut FallbackBackend,
) -> bool {
    let is_done = backend.ask_writer(|writer| writer.is_done()).unwrap_or(true);
    if backend.gl().is_none() {
        pictures.for_each(Picture::give_up_shared);
    }
    is_done
}

/// Has the backend draw all pictures that wait for it, at once. Those that it cannot draw are made in host memory in the
/// same frame.
pub(in crate::app) fn draw_waiting<'a>(pictures: impl Iterator<Item = &'a mut Picture>, renderer: &mut Renderer<'_>) {
    let waiting: Vec<&mut Picture> = pictures.filter(|picture| picture.gl_panel().is_some()).collect();
    if waiting.is_empty() {
        return;
    }
    let start = Instant::now();
    let panels: Vec<GlPanel<'_>> = waiting.iter().filter_map(|picture| picture.gl_panel()).collect();
    // Where the device was lost since these pictures began to wait for it, nobody answers for them.
    let drawn = renderer.backend.gl().map(|writer| writer.draw(&panels)).unwrap_or_default();
    let each = start.elapsed() / u32::try_from(panels.len()).unwrap_or(1).max(1);
    drop(panels);
    let mut drawn = drawn.into_iter();
    for picture in waiting {
        picture.end_wait(drawn.next(), renderer.backend);
        picture.took += each;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::session::PanelId;
    use crate::backend::fake::FakeBackend;
    use crate::backend::{CpuBackend, render};
    use crate::image::{Page, Samples};

    /// Two pages of noise.
    fn image(size: Size) -> Arc<Image> {
        let mut random = fastrand::Rng::with_seed(5);
        let mut page = || {
            let samples = Samples::U8 { values: (0..size.area()).map(|_| random.u8(..)).collect(), maxval: 255 };
            Page::new(Raster::new(size, Channels::Grey, samples).expect("a raster"))
        };
        Arc::new(Image::new("two pages", vec![page(), page()]).expect("an image"))
    }

    /// What three pictures that wait for `backend` become: for each whether the host made it, and why it is refused.
    fn drawn_by(backend: FakeBackend) -> Vec<(bool, Option<String>)> {
        let image = image(Size::new(8, 8).expect("a size"));
        let request = RenderRequest::new(Size::new(8, 8).expect("a size"));
        let mut backend = FallbackBackend::new(Box::new(backend));
        let mut sharing = Sharing::default();
        let mut later = Later::new(egui::Context::default());
        let mut renderer = Renderer { backend: &mut backend, canvas: None, sharing: &mut sharing, later: &mut later };
        let picture = |number| Picture {
            shown: Some((pages_of(&image, &request), request.clone())),
            waiting: Some((Arc::clone(&image), GlTarget(number))),
            ..Picture::default()
        };
        let mut pictures = [1, 2, 3].map(picture);
        draw_waiting(pictures.iter_mut(), &mut renderer);
        let expected = render(&mut CpuBackend::new(), &image, &request, PixelFormat::TEXTURE).expect("a picture");
        let told = |picture: &Picture| {
            assert!(picture.waiting.is_none());
            (*picture.pixels() == expected, picture.refusal.clone())
        };
        pictures.iter().map(told).collect()
    }

    #[test]
    fn a_panel_that_the_device_cannot_draw_is_drawn_by_the_host_alone() {
        let memory = Err(BackendError::Memory { what: "a plane".to_owned() });
        let told = drawn_by(FakeBackend::writing(vec![vec![Ok(()), memory, Ok(())], Vec::new()]));
        assert_eq!(told, [(false, None), (true, None), (false, None)]);
        let stopped = || Err(BackendError::Stopped);
        let told = drawn_by(FakeBackend::writing(vec![vec![stopped(), Ok(()), Ok(())], Vec::new()]));
        assert_eq!(told[0], (false, Some(BackendError::Stopped.to_string())));
    }

    #[test]
    fn panels_that_wait_for_a_lost_device_are_drawn_by_the_host() {
        assert_eq!(drawn_by(FakeBackend::writing(Vec::new())), vec![(true, None); 3]);
        let lost = || Err(BackendError::Device { what: "a kernel trapped".to_owned(), lost: true });
        let told = drawn_by(FakeBackend::writing(vec![vec![lost(), lost(), lost()]]));
        assert_eq!(told, vec![(true, None); 3]);
    }

    /// A device that fails after it was given its work is noticed when it is asked, and its pictures are made anew.
    #[test]
    fn a_device_that_fails_later_is_noticed() {
        let size = Size::new(8, 8).expect("a size");
        let (image, request) = (image(size), RenderRequest::new(size));
        let lost = BackendError::Device { what: "a kernel trapped".to_owned(), lost: true };
        let mut backend = FallbackBackend::new(Box::new(FakeBackend::writing(vec![vec![Ok(())], vec![Err(lost)]])));
        let shown = || Some((pages_of(&image, &request), request.clone()));
        let mut pictures =
            [Some(GlTarget(1)), None].map(|target| Picture { shown: shown(), target, ..Picture::default() });
        assert!(!follow_shared(pictures.iter_mut(), &mut backend), "it is still at work");
        assert!(pictures.iter().all(|picture| picture.shown.is_some()) && !backend.has_notices());
        assert!(follow_shared(pictures.iter_mut(), &mut backend));
        assert_eq!(backend.take_notices().len(), 1);
        assert_eq!(pictures.each_ref().map(|picture| picture.shown.is_some()), [false, true]);
        let mut sharing = Sharing::default();
        let mut later = Later::new(egui::Context::default());
        let mut renderer = Renderer { backend: &mut backend, canvas: None, sharing: &mut sharing, later: &mut later };
        assert!(pictures[0].update(Who::Picture(PanelId::next()), &image, &request, &mut renderer));
        let expected = render(&mut CpuBackend::new(), &image, &request, PixelFormat::TEXTURE).expect("a picture");
        assert_eq!(*pictures[0].pixels(), expected);
    }

    #[test]
    fn a_picture_is_rendered_once_for_a_request_and_again_for_another() {
        let size = Size::new(8, 8).expect("a size");
        let image = image(size);
        let mut backend = FallbackBackend::new(Box::new(CpuBackend::new()));
        let mut sharing = Sharing::default();
        let mut later = Later::new(egui::Context::default());
        let mut renderer = Renderer { backend: &mut backend, canvas: None, sharing: &mut sharing, later: &mut later };
        let who = Who::Picture(PanelId::next());
        let mut picture = Picture::default();
        let mut request = RenderRequest::new(size);
        assert!(picture.update(who, &image, &request, &mut renderer));
        assert!(!picture.update(who, &image, &request, &mut renderer));
        request.page = 1;
        assert!(picture.update(who, &image, &request, &mut renderer));
        request.sampler.border = f32::NAN;
        assert!(picture.update(who, &image, &request, &mut renderer));
        assert!(picture.refusal().is_some_and(|why| why.contains("border")));
    }
}
