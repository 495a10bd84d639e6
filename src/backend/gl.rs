//! Rendering straight into OpenGL textures.

use std::time::Duration;

use super::{BackendError, RenderRequest};
use crate::image::{Channels, Image, Size};

/// An OpenGL texture for a backend to write: two-dimensional, one level, uncompressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GlTexture {
    /// Its name in the current context.
    pub name: u32,
    /// Its size in pixels.
    pub size: Size,
    /// `Grey` for a texture of format `R8`, `Rgba` for `RGBA8`; no other format is supported.
    pub channels: Channels,
}

/// Handle of a registered texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GlTarget(pub(crate) u64);

/// One panel of a frame: an image, a request and the texture to render into. The request has the texture's size.
#[derive(Clone, Copy, Debug)]
pub struct GlPanel<'a> {
    /// The texture.
    pub target: GlTarget,
    /// The image.
    pub image: &'a Image,
    /// The request.
    pub request: &'a RenderRequest,
}

/// A backend that renders into OpenGL textures.
///
/// A texture is identified by its name alone, so the caller of [`GlWriter::register`] guarantees its lifetime:
/// ```compile_fail,E0133
/// # use lerpscope::backend::{GlTexture, GlWriter};
/// fn share(writer: &mut dyn GlWriter, texture: GlTexture) {
///     let _ = writer.register(texture);
/// }
/// ```
pub trait GlWriter {
    /// Registers `texture`. A texture is registered once.
    ///
    /// # Errors
    /// Where the context belongs to another device, or the driver refuses. The caller then uploads the result of
    /// [`Backend::render`](super::Backend::render).
    ///
    /// # Safety
    /// `texture` names a two-dimensional texture of one level, of this size and format, in the OpenGL context that is current
    /// on this thread. Until it is unregistered, or the backend is dropped or reports that its device is lost, OpenGL
    /// neither deletes it nor gives it another size or format, and every call of this writer is made with that context
    /// current on the calling thread.
    #[expect(unsafe_code, reason = "the caller guarantees the lifetime of the texture that is named")]
    unsafe fn register(&mut self, texture: GlTexture) -> Result<GlTarget, BackendError>;

    /// Unregisters a texture.
    fn unregister(&mut self, target: GlTarget);

    /// Renders all panels of a frame: maps their textures at once, launches the work and unmaps them. Does not block:
    /// OpenGL synchronizes when it draws with the textures.
    ///
    /// Returns one result per panel, in their order. A panel that fails leaves the others unaffected. Its error is that
    /// of [`Backend::render`](super::Backend::render); its texture keeps its content or holds part of the picture.
    fn draw(&mut self, panels: &[GlPanel<'_>]) -> Vec<Result<(), BackendError>>;

    /// Whether the device has finished all panels. Does not block.
    ///
    /// # Errors
    /// Where the device has failed since. The content of the textures is then undefined.
    fn is_done(&mut self) -> Result<bool, BackendError>;

    /// Device times of the timed panels ([`RenderTimer::set_timing`](super::RenderTimer::set_timing)) that have finished
    /// since the last call. Does not block: the times of a frame are usually available in the next one.
    ///
    /// # Errors
    /// As [`GlWriter::is_done`].
    fn times(&mut self) -> Result<Vec<(GlTarget, Duration)>, BackendError>;

    /// Whether times of panels are outstanding.
    fn is_timing(&self) -> bool;
}
