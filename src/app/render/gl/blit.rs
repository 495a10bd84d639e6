//! The shader that draws a texture, one texel per pixel.

use std::sync::Arc;

use eframe::glow::{self, HasContext as _};

use super::context::GlContext;
use super::program::program;
use super::{GlError, TextureFormat};
use crate::app::widgets::pixel_rect::PixelRect;

/// The texel of this pixel. Grey is expanded to three channels; alpha is blended over a checkerboard.
const FRAGMENT: &str = "
uniform sampler2D picture;
uniform ivec2 top_left;
uniform int is_grey;
uniform int checker_px;
out vec4 colour;
void main() {
    ivec2 pixel = ivec2(int(gl_FragCoord.x) - top_left.x, top_left.y - int(gl_FragCoord.y));
    vec4 texel = texelFetch(picture, pixel, 0);
    if (is_grey != 0) {
        colour = vec4(texel.rrr, 1.0);
    } else {
        ivec2 square = pixel / checker_px;
        float behind = ((square.x + square.y) & 1) == 0 ? 0.80 : 0.66;
        colour = vec4(mix(vec3(behind), texel.rgb, texel.a), 1.0);
    }
}
";

/// Position of a texture in the window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// In the window's physical pixels, from its top left corner.
    pub rect: PixelRect,
    /// The window's size in physical pixels.
    pub screen_px: [u32; 2],
    /// Side of a square of the checkerboard, in pixels.
    pub checker_px: u32,
}

/// The compiled shader.
#[derive(Debug)]
pub(super) struct Blit {
    context: Arc<GlContext>,
    program: glow::Program,
    no_vertices: glow::VertexArray,
    top_left: Option<glow::UniformLocation>,
    is_grey: Option<glow::UniformLocation>,
    checker_px: Option<glow::UniformLocation>,
}

impl Blit {
    #[expect(unsafe_code, reason = "OpenGL calls")]
    pub(super) fn new(context: Arc<GlContext>) -> Result<Self, GlError> {
        let gl = context.current().ok_or_else(GlError::not_current)?;
        // SAFETY: the context is current on this thread; the program is made here and used by nobody else.
        let (program, no_vertices, [top_left, is_grey, checker_px]) = unsafe {
            let (program, no_vertices) = program(gl, FRAGMENT)?;
            let location = |name| gl.get_uniform_location(program, name);
            (program, no_vertices, ["top_left", "is_grey", "checker_px"].map(location))
        };
        Ok(Self { context, program, no_vertices, top_left, is_grey, checker_px })
    }

    /// Draws `texture`, one texel per pixel, within egui's scissor rectangle. OpenGL counts rows from the bottom of the window.
    #[expect(unsafe_code, reason = "OpenGL calls")]
    pub(super) fn draw(&self, texture: glow::Texture, format: TextureFormat, place: Place) {
        let PixelRect { left, top, size } = place.rect;
        let (width, height) = (size.width() as i32, size.height() as i32);
        let from_bottom = place.screen_px[1] as i32 - top - height;
        let Some(gl) = self.context.current() else { return };
        // SAFETY: the context is current on this thread, and egui_glow sets its own state anew afterwards. The program and the
        // vertex array are this value's own. The texture was made by this context; where it was deleted since, or given to
        // CUDA, OpenGL draws nothing or anything, and reads no memory of ours: the shader fetches by texel.
        unsafe {
            gl.viewport(left, from_bottom, width, height);
            gl.disable(glow::BLEND);
            gl.disable(glow::DITHER);
            gl.use_program(Some(self.program));
            gl.bind_vertex_array(Some(self.no_vertices));
            gl.active_texture(glow::TEXTURE0);
            gl.bind_texture(glow::TEXTURE_2D, Some(texture));
            gl.uniform_2_i32(self.top_left.as_ref(), left, from_bottom + height - 1);
            gl.uniform_1_i32(self.is_grey.as_ref(), i32::from(format == TextureFormat::Grey));
            gl.uniform_1_i32(self.checker_px.as_ref(), place.checker_px.max(1) as i32);
            gl.draw_arrays(glow::TRIANGLES, 0, 3);
            gl.bind_vertex_array(None);
        }
    }
}

impl Drop for Blit {
    #[expect(unsafe_code, reason = "OpenGL calls")]
    fn drop(&mut self) {
        let Some(gl) = self.context.current() else { return };
        // SAFETY: the context is current on this thread, made both names, and is told once.
        unsafe {
            gl.delete_program(self.program);
            gl.delete_vertex_array(self.no_vertices);
        }
    }
}
