//! OpenGL: one texture per panel, drawn 1:1 in physical pixels. No other module of the window calls OpenGL.
//!
//! The pixels of a backend reach the screen unchanged. The texture has 8 bits per channel and exactly the size of the picture;
//! the shader reads the texel of its own pixel, without filtering, dithering or conversion.

mod blit;
mod context;
#[cfg(test)]
pub(in crate::app) mod fake;
mod program;
mod shader_sampler;
mod texture;

use std::sync::Arc;

use eframe::egui_glow;
use eframe::glow::{self, HasContext as _};

pub use self::shader_sampler::{ShaderRequest, ShaderSampler};
pub(in crate::app) use self::texture::{PanelTexture, TextureFormat};

use self::blit::Blit;
use self::context::{Closing, GlContext};
use crate::app::widgets::pixel_rect::PixelRect;
use crate::image::{Size, SizeError};

/// A failure of OpenGL, with its message.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct GlError(String);

impl From<SizeError> for GlError {
    fn from(error: SizeError) -> Self {
        Self(error.to_string())
    }
}

impl GlError {
    fn not_current() -> Self {
        Self("OpenGL is not current on this thread".to_owned())
    }
}

/// Creates and draws textures. After it is dropped OpenGL is not called any more: textures that are dropped later are freed
/// with their context.
#[derive(Debug)]
pub(in crate::app) struct Canvas {
    /// Before the context closes.
    blit: Arc<Blit>,
    context: Arc<GlContext>,
    _closing: Closing,
}

impl Canvas {
    /// Compiles the shader.
    ///
    /// # Safety
    /// `gl` is the library of the context that is current on this thread now, and whenever the canvas, or a texture or a
    /// callback of it, is used or dropped on this thread until the canvas is gone.
    ///
    /// # Errors
    /// Where this machine's OpenGL is too old for it (below OpenGL 3.1 and OpenGL ES 3.0).
    #[expect(unsafe_code, reason = "which context is current is the caller's to know")]
    pub(in crate::app) unsafe fn new(gl: Arc<glow::Context>) -> Result<Self, GlError> {
        // SAFETY: by this function's contract; the closing is dropped with the canvas.
        let context = Arc::new(unsafe { GlContext::of_this_thread(gl) });
        let closing = Closing::new(&context);
        Ok(Self { blit: Arc::new(Blit::new(Arc::clone(&context))?), context, _closing: closing })
    }

    /// A texture of this size and format. Its pixels are undefined.
    ///
    /// # Errors
    /// If OpenGL fails to create it, or the thread is not the window's.
    pub(in crate::app) fn texture(&self, size: Size, format: TextureFormat) -> Result<PanelTexture, GlError> {
        PanelTexture::new(Arc::clone(&self.context), size, format)
    }

    /// The texture unit's interpolation as a shader.
    ///
    /// # Errors
    /// Where this machine's OpenGL does not filter or render floats.
    pub(in crate::app) fn shader_sampler(&self) -> Result<ShaderSampler, GlError> {
        ShaderSampler::new(Arc::clone(&self.context))
    }

    /// Blocks until OpenGL has finished all commands.
    #[expect(unsafe_code, reason = "OpenGL calls")]
    pub(in crate::app) fn finish(&self) {
        let Some(gl) = self.context.current() else { return };
        // SAFETY: the context is current on this thread, and the call takes nothing.
        unsafe { gl.finish() };
    }

    /// A paint callback that draws `texture` at `place` of the window, unless the texture is deleted by then. `checker_px` is
    /// the side of a square of the pattern behind transparent pixels.
    pub(in crate::app) fn callback(
        &self,
        texture: &PanelTexture,
        place: PixelRect,
        checker_px: u32,
    ) -> egui_glow::CallbackFn {
        let blit = Arc::clone(&self.blit);
        let (texture, format) = (texture.raw(), texture.format());
        egui_glow::CallbackFn::new(move |info, _painter| {
            blit.draw(texture, format, blit::Place { rect: place, screen_px: info.screen_size_px, checker_px });
        })
    }
}
