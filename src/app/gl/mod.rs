//! The graphics library: one texture for each panel, drawn 1:1 in physical pixels. The only place of the window that knows
//! OpenGL, and the only one with `unsafe`.
//!
//! A backend's pixels reach the screen unchanged: the texture has 8 bits a channel and exactly the picture's size, the
//! shader reads the texel of its own pixel, nothing filters, dithers or converts on the way.

mod blit;
mod texture;

use std::sync::Arc;

use eframe::egui_glow;
use eframe::glow::{self, HasContext as _};

pub(super) use self::texture::{PanelTexture, TextureFormat};

use self::blit::Blit;
use super::layout::PixelRect;

/// What the panels draw with.
#[derive(Debug)]
pub(super) struct Canvas {
    gl: Arc<glow::Context>,
    blit: Arc<Blit>,
}

impl Canvas {
    /// Compiles the shader.
    ///
    /// # Errors
    /// Where this machine's OpenGL is too old for it (below OpenGL 3.1 and OpenGL ES 3.0).
    pub(super) fn new(gl: Arc<glow::Context>) -> Result<Self, String> {
        let blit = Arc::new(Blit::new(Arc::clone(&gl))?);
        Ok(Self { gl, blit })
    }

    /// A texture of this size and format with no defined pixels; to be called while the window's context is current, as it
    /// is while the window is drawn.
    pub(super) fn texture(&self, size: crate::image::Size, format: TextureFormat) -> Result<PanelTexture, String> {
        PanelTexture::new(Arc::clone(&self.gl), size, format)
    }

    /// Waits until OpenGL has done all that was asked for; to be called while its context is current.
    #[expect(unsafe_code, reason = "OpenGL calls")]
    pub(super) fn finish(&self) {
        // SAFETY: the context is current on this thread.
        unsafe { self.gl.finish() };
    }

    /// What draws `texture` at `place` of the window when egui comes to it; `checker_px` is the side of a square of the
    /// pattern behind transparent pixels.
    pub(super) fn callback(&self, texture: &PanelTexture, place: PixelRect, checker_px: u32) -> egui_glow::CallbackFn {
        let blit = Arc::clone(&self.blit);
        let (texture, format) = (texture.raw(), texture.format());
        egui_glow::CallbackFn::new(move |info, _painter| {
            blit.draw(texture, format, blit::Place { rect: place, screen_px: info.screen_size_px, checker_px });
        })
    }
}
