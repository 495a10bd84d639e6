//! A panel's texture.

use std::sync::Arc;

use eframe::glow::{self, HasContext as _};

use crate::image::{Channels, Raster, Samples, Size};

/// How a texel is stored, 8 bits a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextureFormat {
    /// One channel, shown as grey (`GL_R8`).
    Grey,
    /// Red, green, blue and straight alpha (`GL_RGBA8`).
    Rgba,
}

impl TextureFormat {
    /// What a picture of these channels is stored as.
    pub fn of(channels: Channels) -> Self {
        if channels == Channels::Grey { Self::Grey } else { Self::Rgba }
    }

    /// What a picture that fits it is made of.
    pub fn channels(self) -> Channels {
        match self {
            Self::Grey => Channels::Grey,
            Self::Rgba => Channels::Rgba,
        }
    }

    /// `GL_R8` or `GL_RGBA8`, and the layout of the numbers that are written to it.
    fn names(self) -> (u32, u32) {
        match self {
            Self::Grey => (glow::R8, glow::RED),
            Self::Rgba => (glow::RGBA8, glow::RGBA),
        }
    }
}

/// A texture of one size and format for as long as it lives: where either changes, another one takes its place, so that
/// whoever registered it by its name (a CUDA context) knows that a new name means a new shape.
#[derive(Debug)]
pub struct PanelTexture {
    gl: Arc<glow::Context>,
    raw: glow::Texture,
    size: Size,
    format: TextureFormat,
}

impl PanelTexture {
    #[expect(unsafe_code, reason = "OpenGL calls")]
    pub(super) fn new(gl: Arc<glow::Context>, size: Size, format: TextureFormat) -> Result<Self, String> {
        let (internal, layout) = format.names();
        // SAFETY: the window's context is current on this thread; every name passed is one that OpenGL 3 knows, and no
        // memory of ours is read, since no pixels are given.
        let raw = unsafe {
            let raw = gl.create_texture()?;
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
        Ok(Self { gl, raw, size, format })
    }

    /// Width and height in texels.
    pub fn size(&self) -> Size {
        self.size
    }

    /// How a texel is stored.
    pub fn format(&self) -> TextureFormat {
        self.format
    }

    /// OpenGL's own name of it, for who shares it.
    pub fn name(&self) -> u32 {
        self.raw.0.get()
    }

    pub(super) fn raw(&self) -> glow::Texture {
        self.raw
    }

    /// Writes a backend's picture, which must have this texture's size and format.
    #[expect(unsafe_code, reason = "OpenGL calls")]
    pub fn write(&self, picture: &Raster) {
        let Samples::U8 { values, .. } = picture.samples() else {
            return;
        };
        if picture.size() != self.size || TextureFormat::of(picture.channels()) != self.format {
            return;
        }
        let (_, layout) = self.format.names();
        // SAFETY: the window's context is current on this thread; with an alignment of one byte, OpenGL reads
        // width × height × channels bytes, which is what a raster of this size and these channels holds.
        unsafe {
            self.gl.bind_texture(glow::TEXTURE_2D, Some(self.raw));
            self.gl.pixel_store_i32(glow::UNPACK_ALIGNMENT, 1);
            self.gl.tex_sub_image_2d(
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
            self.gl.pixel_store_i32(glow::UNPACK_ALIGNMENT, 4);
            self.gl.bind_texture(glow::TEXTURE_2D, None);
        }
    }
}

impl Drop for PanelTexture {
    #[expect(unsafe_code, reason = "OpenGL calls")]
    fn drop(&mut self) {
        // SAFETY: the name was made by this context and is used by nobody after this; OpenGL lets drawing that is under
        // way finish first.
        unsafe { self.gl.delete_texture(self.raw) };
    }
}
