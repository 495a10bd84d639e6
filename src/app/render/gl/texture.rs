//! Texture of a panel.

use std::sync::Arc;

use eframe::glow::{self, HasContext as _};

use super::GlError;
use super::context::GlContext;
use crate::image::{Channels, Raster, Samples, Size};

/// Format of a texel, with 8 bits per channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextureFormat {
    /// One channel, shown as grey (`GL_R8`).
    Grey,
    /// Red, green, blue and straight alpha (`GL_RGBA8`).
    Rgba,
}

impl TextureFormat {
    /// The format for a picture with these channels.
    pub fn of(channels: Channels) -> Self {
        if channels == Channels::Grey { Self::Grey } else { Self::Rgba }
    }

    /// Channels of a picture in this format.
    pub fn channels(self) -> Channels {
        match self {
            Self::Grey => Channels::Grey,
            Self::Rgba => Channels::Rgba,
        }
    }

    /// `GL_R8` or `GL_RGBA8`, and the layout of uploaded pixels.
    fn names(self) -> (u32, u32) {
        match self {
            Self::Grey => (glow::R8, glow::RED),
            Self::Rgba => (glow::RGBA8, glow::RGBA),
        }
    }
}

/// A texture whose size and format never change. A panel of another size or format gets a new texture, so that a registration
/// by name, as with CUDA, stays valid for the texture's lifetime.
#[derive(Debug)]
pub struct PanelTexture {
    context: Arc<GlContext>,
    raw: glow::Texture,
    size: Size,
    format: TextureFormat,
}

impl PanelTexture {
    #[expect(unsafe_code, reason = "OpenGL calls")]
    pub(super) fn new(context: Arc<GlContext>, size: Size, format: TextureFormat) -> Result<Self, GlError> {
        let (internal, layout) = format.names();
        let gl = context.current().ok_or_else(GlError::not_current)?;
        // SAFETY: the context is current on this thread; every name passed is one that OpenGL 3 knows, and no
        // memory of ours is read, since no pixels are given.
        let raw = unsafe {
            let raw = gl.create_texture().map_err(GlError)?;
            gl.bind_texture(glow::TEXTURE_2D, Some(raw));
            for (name, value) in [
                (glow::TEXTURE_MIN_FILTER, glow::NEAREST),
                (glow::TEXTURE_MAG_FILTER, glow::NEAREST),
                (glow::TEXTURE_WRAP_S, glow::CLAMP_TO_EDGE),
                (glow::TEXTURE_WRAP_T, glow::CLAMP_TO_EDGE),
            ] {
                gl.tex_parameter_i32(glow::TEXTURE_2D, name, value as i32);
            }
            gl.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_MAX_LEVEL, 0);
            gl.tex_image_2d(
                glow::TEXTURE_2D,
                0,
                internal as i32,
                size.width() as i32,
                size.height() as i32,
                0,
                layout,
                glow::UNSIGNED_BYTE,
                glow::PixelUnpackData::Slice(None),
            );
            gl.bind_texture(glow::TEXTURE_2D, None);
            raw
        };
        Ok(Self { context, raw, size, format })
    }

    /// Width and height in texels.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Format of a texel.
    pub fn format(&self) -> TextureFormat {
        self.format
    }

    /// OpenGL's name of the texture, for registration with a backend.
    pub fn name(&self) -> u32 {
        self.raw.0.get()
    }

    /// A texture of a test, by its name alone.
    #[cfg(test)]
    pub(super) fn of_name(context: Arc<GlContext>, raw: glow::Texture, size: Size, format: TextureFormat) -> Self {
        Self { context, raw, size, format }
    }

    pub(super) fn raw(&self) -> glow::Texture {
        self.raw
    }

    /// Uploads a picture, which must have the texture's size and format.
    #[expect(unsafe_code, reason = "OpenGL calls")]
    pub fn write(&self, picture: &Raster) {
        let Samples::U8 { values, .. } = picture.samples() else {
            return;
        };
        if picture.size() != self.size || TextureFormat::of(picture.channels()) != self.format {
            return;
        }
        let Some(gl) = self.context.current() else { return };
        let (_, layout) = self.format.names();
        // SAFETY: the context is current on this thread; with an alignment of one byte and rows of their own length, OpenGL
        // reads width × height × channels bytes before the call returns, which is what a raster of this size and these
        // channels holds.
        unsafe {
            gl.bind_texture(glow::TEXTURE_2D, Some(self.raw));
            gl.pixel_store_i32(glow::UNPACK_ALIGNMENT, 1);
            for (unpack, value) in
                [(glow::UNPACK_ROW_LENGTH, 0), (glow::UNPACK_SKIP_ROWS, 0), (glow::UNPACK_SKIP_PIXELS, 0)]
            {
                gl.pixel_store_i32(unpack, value);
            }
            // OpenGL would read a bound buffer in place of the slice, with the address as an offset.
            gl.bind_buffer(glow::PIXEL_UNPACK_BUFFER, None);
            gl.tex_sub_image_2d(
                glow::TEXTURE_2D,
                0,
                0,
                0,
                self.size.width() as i32,
                self.size.height() as i32,
                layout,
                glow::UNSIGNED_BYTE,
                glow::PixelUnpackData::Slice(Some(values)),
            );
            gl.pixel_store_i32(glow::UNPACK_ALIGNMENT, 4);
            gl.bind_texture(glow::TEXTURE_2D, None);
        }
    }
}

impl Drop for PanelTexture {
    #[expect(unsafe_code, reason = "OpenGL calls")]
    fn drop(&mut self) {
        let Some(gl) = self.context.current() else { return };
        // SAFETY: the context is current on this thread, made the name, and is told once. Drawing that is under way finishes
        // first; drawing that is still to come draws nothing, since OpenGL checks names. Who else writes the texture was
        // made to let go of it before (`GlWriter::register`).
        unsafe { gl.delete_texture(self.raw) };
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;
    use crate::app::render::gl::context::Closing;
    use crate::app::render::gl::fake::{context, deleted, texture};
    use crate::test_support::size;

    #[test]
    fn texture_is_deleted_in_its_current_context() {
        let context = context();
        let closing = Closing::new(&context);
        drop(texture(&context));
        assert_eq!(deleted(), 1);
        drop(closing);
    }

    #[test]
    fn texture_dropped_after_its_context_calls_no_opengl() {
        let context = context();
        let (late, closing) = (texture(&context), Closing::new(&context));
        drop(closing);
        drop(late);
        assert_eq!(deleted(), 0);
        assert!(PanelTexture::new(context, size(2, 2), TextureFormat::Grey).is_err());
    }

    #[test]
    fn texture_dropped_by_a_panic_calls_no_opengl() {
        let context = context();
        let unwound = catch_unwind(AssertUnwindSafe(|| {
            let _late = texture(&context);
            panic!("a frame that panics");
        }));
        assert!(unwound.is_err());
        assert_eq!(deleted(), 0);
    }

    #[test]
    fn opengl_is_not_called_from_another_thread() {
        let context = context();
        let elsewhere = std::thread::spawn({
            let context = Arc::clone(&context);
            move || context.current().is_some()
        });
        assert!(!elsewhere.join().expect("a thread that ends"));
        assert!(context.current().is_some());
    }
}
