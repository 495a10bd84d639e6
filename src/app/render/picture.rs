//! The picture of a panel. It is rendered again exactly when its request differs from the last one.

mod state;
#[cfg(test)]
mod tests;

use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub use self::state::PictureError;

use self::state::{Origin, PictureState, Shown};
use super::gl::{Canvas, GlError, PanelTexture, TextureFormat};
use super::page_request::PageRequest;
use super::texture_sharing::TextureSharing;
use super::worker::{Client, RenderWorker, Submission};
use crate::app::widgets::pixel_rect::PixelRect;
use crate::backend::{
    Backend as _, BackendError, BackendKind, FallbackBackend, GlPanel, GlTarget, PannedPicture, PixelFormat,
    RenderRequest, RenderTimer as _, RequestError, page_of,
};
use crate::image::{Channels, Image, Raster, Size};

/// A panel's picture, its buffers and its times.
#[derive(Debug)]
pub struct Picture {
    state: PictureState,
    /// The pixels of the last render in host memory.
    pixels: PannedPicture,
    texture: Option<SharedTexture>,
    place: Option<PixelRect>,
    took: Duration,
    last_kernel_time: Option<Duration>,
}

/// The texture of a picture.
#[derive(Debug)]
struct SharedTexture {
    texture: Rc<PanelTexture>,
    /// Its registration with the backend, where the backend writes it.
    target: Option<GlTarget>,
}

impl Default for Picture {
    fn default() -> Self {
        Self {
            state: PictureState::Empty,
            pixels: PannedPicture::default(),
            texture: None,
            place: None,
            took: Duration::ZERO,
            last_kernel_time: None,
        }
    }
}

/// What renders pictures, and where to.
pub(in crate::app) struct RenderContext<'a> {
    /// The backend.
    pub(in crate::app) backend: &'a mut FallbackBackend,
    /// Makes and draws textures; `None` without OpenGL.
    pub(in crate::app) canvas: Option<&'a Canvas>,
    /// The textures that the backend writes itself.
    pub(in crate::app) sharing: &'a mut TextureSharing,
    /// Renders what is too slow for a frame.
    pub(in crate::app) worker: &'a mut RenderWorker,
}

impl Picture {
    /// Updates the picture of `client` to `request` of `image`. Returns whether it changed to it.
    ///
    /// A picture whose texture the backend writes itself is queued: the caller calls [`draw_queued`] in the same frame. A
    /// slow one is rendered by the worker ([`Picture::late_since`]); call this every frame until it has arrived.
    pub(in crate::app) fn update(
        &mut self,
        client: Client,
        image: &Arc<Image>,
        request: &RenderRequest,
        context: &mut RenderContext<'_>,
    ) -> bool {
        let is_current = self.state.settle(image, request);
        if is_current && !(self.is_stand_in() && context.backend.is_ready(image, request)) {
            return false;
        }
        let start = Instant::now();
        let channels = match checked_channels(image, request) {
            Ok(_) if context.backend.is_slow(image, request) => {
                let submission = Submission { client, image, request, format: PixelFormat::TEXTURE };
                return self.update_by_worker(&submission, context);
            }
            Ok(channels) => channels,
            Err(error) => {
                self.refuse(PageRequest::new(image, request), error.into());
                self.took = start.elapsed();
                return true;
            }
        };
        let source = PageRequest::new(image, request);
        // The CPU renders the truth on any machine, and what the device was found to lack.
        let is_of_cpu = request.has_truth() || context.backend.known_lack(request).is_some();
        let is_shared = !is_of_cpu && context.backend.is_ready(image, request);
        let texture = match is_shared {
            true => self.shared_target(request.size, channels, context),
            // A texture stays registered while the host renders it: a lost device then drops it all the same.
            false => self.fit_texture(request.size, TextureFormat::of(channels), context.canvas).map(|()| None),
        };
        match texture {
            Err(error) => self.refuse(source, error.into()),
            Ok(Some(target)) => self.state = PictureState::Queued { source, image: Arc::clone(image), target },
            Ok(None) => self.render_on_host(image, source, context.backend),
        }
        self.took = start.elapsed();
        true
    }

    /// Polls the worker. Returns whether the result of this very submission arrived.
    fn update_by_worker(&mut self, submission: &Submission<'_>, context: &mut RenderContext<'_>) -> bool {
        let since = self.late_since().unwrap_or_else(Instant::now);
        let last = std::mem::take(&mut self.state).into_shown();
        let Some(rendered) = context.worker.poll(submission) else {
            self.state = PictureState::Rendering { last, since };
            return false;
        };
        let is_latest = rendered.source.is(submission.image, submission.request);
        (self.took, self.last_kernel_time) = (rendered.took, Some(rendered.took));
        let uploaded =
            rendered.result.map_err(PictureError::from).and_then(|pixels| self.upload(pixels, context.canvas));
        self.state = match uploaded {
            Ok(()) => {
                let origin = Origin::of_cpu(context.backend, submission.image, submission.request);
                let shown = Shown { source: rendered.source, origin };
                if is_latest {
                    PictureState::Shown(shown)
                } else {
                    PictureState::Rendering { last: Some(shown), since }
                }
            }
            Err(error) if is_latest => PictureState::Refused { source: rendered.source, error },
            Err(_) => PictureState::Rendering { last, since },
        };
        is_latest
    }

    /// Takes `pixels` and uploads them.
    fn upload(&mut self, pixels: Raster, canvas: Option<&Canvas>) -> Result<(), PictureError> {
        self.fit_texture(pixels.size(), TextureFormat::of(pixels.channels()), canvas)?;
        self.pixels = pixels.into();
        self.write_texture();
        Ok(())
    }

    /// Renders `source` into host memory and uploads the pixels.
    fn render_on_host(&mut self, image: &Image, source: PageRequest, backend: &mut FallbackBackend) {
        match backend.render_panned(image, source.request(), PixelFormat::TEXTURE, &mut self.pixels) {
            Ok(()) => {
                self.last_kernel_time = backend.last_kernel_time();
                self.write_texture();
                let origin = Origin::of_last(backend, image, source.request());
                self.state = PictureState::Shown(Shown { source, origin });
            }
            Err(error) => self.refuse(source, error.into()),
        }
    }

    fn refuse(&mut self, source: PageRequest, error: PictureError) {
        self.state = PictureState::Refused { source, error };
    }

    fn write_texture(&self) {
        if let Some(SharedTexture { texture, .. }) = &self.texture {
            texture.write(self.pixels.raster());
        }
    }

    /// Fits the texture and registers it with the backend; `None` where the backend does not write textures.
    fn shared_target(
        &mut self,
        size: Size,
        channels: Channels,
        context: &mut RenderContext<'_>,
    ) -> Result<Option<GlTarget>, GlError> {
        self.fit_texture(size, TextureFormat::of(channels), context.canvas)?;
        let Some(SharedTexture { texture, target }) = &mut self.texture else {
            return Ok(None);
        };
        *target = context.sharing.target(texture, context.backend);
        Ok(*target)
    }

    /// Replaces the texture where its size or format differs.
    fn fit_texture(&mut self, size: Size, format: TextureFormat, canvas: Option<&Canvas>) -> Result<(), GlError> {
        let Some(canvas) = canvas else { return Ok(()) };
        let fits = |shared: &SharedTexture| shared.texture.size() == size && shared.texture.format() == format;
        if !self.texture.as_ref().is_some_and(fits) {
            let texture = Rc::new(canvas.texture(size, format)?);
            self.texture = Some(SharedTexture { texture, target: None });
        }
        Ok(())
    }

    /// The panel for the backend to draw.
    fn gl_panel(&self) -> Option<GlPanel<'_>> {
        let PictureState::Queued { source, image, target } = &self.state else {
            return None;
        };
        Some(GlPanel { target: *target, image, request: source.request() })
    }

    /// Takes the backend's answer to a queued picture. The host renders what the backend did not draw.
    fn finish_queued(&mut self, drawn: Option<Result<(), BackendError>>, backend: &mut FallbackBackend) {
        let (source, image) = match std::mem::take(&mut self.state) {
            PictureState::Queued { source, image, .. } => (source, image),
            state => {
                self.state = state;
                return;
            }
        };
        match drawn {
            Some(Ok(())) => {
                self.state = PictureState::Shown(Shown { source, origin: Origin::Backend(backend.kind()) });
            }
            Some(Err(error)) => match backend.handle_failure(error) {
                Some(error) => self.refuse(source, error.into()),
                None => self.render_on_host(&image, source, backend),
            },
            None => self.render_on_host(&image, source, backend),
        }
    }

    /// Drops a texture that a lost backend wrote, so that the next update renders the picture again: its content is
    /// undefined, and the device may never release it.
    fn drop_lost_texture(&mut self) {
        if self.texture.as_ref().is_some_and(|shared| shared.target.is_some()) {
            self.release();
        }
    }

    /// Notes where the picture stands in the window. Returns whether that changed.
    pub fn stand_at(&mut self, place: PixelRect) -> bool {
        self.place.replace(place) != Some(place)
    }

    /// Where the picture stands in the window; `None` before the first frame.
    pub fn place(&self) -> Option<PixelRect> {
        self.place
    }

    /// The texture to draw.
    pub fn texture(&self) -> Option<&PanelTexture> {
        let is_queued = matches!(self.state, PictureState::Queued { .. });
        let shared = self.texture.as_ref().filter(|_| is_queued || self.state.shown().is_some())?;
        Some(&shared.texture)
    }

    /// The pixels of the last render in host memory. A shared texture has no copy here.
    pub fn pixels(&self) -> &Raster {
        self.pixels.raster()
    }

    /// Since when the worker renders the picture; `None` where the picture is current.
    pub fn late_since(&self) -> Option<Instant> {
        if let PictureState::Rendering { since, .. } = &self.state { Some(*since) } else { None }
    }

    /// Why the request cannot be rendered.
    pub fn refusal(&self) -> Option<&PictureError> {
        if let PictureState::Refused { error, .. } = &self.state { Some(error) } else { None }
    }

    /// The backend that rendered the pixels on screen.
    pub fn rendered_by(&self) -> Option<BackendKind> {
        self.state.shown().map(|shown| shown.origin.kind())
    }

    /// Whether the CPU rendered the pixels on screen in place of a device that starts or loads kernels.
    pub fn is_stand_in(&self) -> bool {
        self.state.shown().is_some_and(|shown| matches!(shown.origin, Origin::StandIn))
    }

    /// Why the CPU rendered the pixels on screen in place of a device; `None` where the device rendered them, and while it
    /// starts or loads kernels.
    pub fn failure(&self) -> Option<&BackendError> {
        match &self.state.shown()?.origin {
            Origin::Fallback(error) => Some(error),
            Origin::Backend(_) | Origin::StandIn => None,
        }
    }

    /// How long the last render took, upload included.
    pub fn took(&self) -> Duration {
        self.took
    }

    /// How long the backend computed pixels, where it measures that. Times of shared textures arrive a frame later.
    pub fn last_kernel_time(&self) -> Option<Duration> {
        self.last_kernel_time
    }

    /// Has the picture rendered again where its time is unknown or may be that of an earlier request.
    pub(in crate::app) fn time_again(&mut self) {
        let is_shared = self.texture.as_ref().is_some_and(|shared| shared.target.is_some());
        if self.last_kernel_time.is_some() && !is_shared {
            return;
        }
        self.last_kernel_time = None;
        self.state = match std::mem::take(&mut self.state) {
            PictureState::Shown(shown) => PictureState::Outdated(shown),
            state => state,
        };
    }

    /// Takes the picture's time out of `times`, the latest device times by texture.
    pub(in crate::app) fn note_times(&mut self, times: &[(GlTarget, Duration)]) {
        let Some(own) = self.texture.as_ref().and_then(|shared| shared.target) else {
            return;
        };
        if let Some((_, time)) = times.iter().rev().find(|(target, _)| *target == own) {
            self.last_kernel_time = Some(*time);
        }
    }

    /// Drops the texture. The window's OpenGL context must be current.
    pub fn release(&mut self) {
        self.texture = None;
        self.state = PictureState::Empty;
    }
}

/// The channels of the pixels of `request` for a texture.
///
/// # Errors
/// Where no backend can serve the request.
fn checked_channels(image: &Image, request: &RenderRequest) -> Result<Channels, RequestError> {
    let page = page_of(image, request)?;
    request.check(&page)?;
    Ok(PixelFormat::TEXTURE.channels(request.channels(page.channels())))
}

/// Checks the renders into shared textures: drops the textures that were lost with the device. Returns whether the device
/// has finished.
pub(in crate::app) fn check_shared<'a>(
    pictures: impl Iterator<Item = &'a mut Picture>,
    backend: &mut FallbackBackend,
) -> bool {
    let is_done = backend.ask_writer(|writer| writer.is_done()).unwrap_or(true);
    if backend.gl().is_none() {
        pictures.for_each(Picture::drop_lost_texture);
    }
    is_done
}

/// Has the backend draw all queued pictures at once. The host renders those that it cannot draw, in the same frame.
pub(in crate::app) fn draw_queued<'a>(
    pictures: impl Iterator<Item = &'a mut Picture>,
    context: &mut RenderContext<'_>,
) {
    let queued: Vec<&mut Picture> = pictures.filter(|picture| picture.gl_panel().is_some()).collect();
    if queued.is_empty() {
        return;
    }
    let start = Instant::now();
    let panels: Vec<GlPanel<'_>> = queued.iter().filter_map(|picture| picture.gl_panel()).collect();
    // A device that was lost since the pictures were queued has no writer and returns no answers.
    let drawn = context.backend.gl().map(|writer| writer.draw(&panels)).unwrap_or_default();
    let each = start.elapsed() / u32::try_from(panels.len()).unwrap_or(1).max(1);
    drop(panels);
    let mut drawn = drawn.into_iter();
    for picture in queued {
        picture.finish_queued(drawn.next(), context.backend);
        picture.took += each;
    }
}
