//! The shaders that draw a texture, one texel per pixel.

use std::sync::Arc;

use eframe::glow::{self, HasContext as _};

use super::context::GlContext;
use super::program::program;
use super::{GlError, TextureFormat};
use crate::app::widgets::pixel_rect::PixelRect;

/// The texel of this pixel, whose one channel is expanded to three.
const GREY: &str = "
uniform sampler2D picture;
uniform ivec2 top_left;
out vec4 colour;
void main() {
    ivec2 pixel = ivec2(int(gl_FragCoord.x) - top_left.x, top_left.y - int(gl_FragCoord.y));
    colour = vec4(texelFetch(picture, pixel, 0).rrr, 1.0);
}
";

/// The texel of this pixel, blended over a checkerboard by its alpha. Squares are found without a division of integers, which Mesa's
/// processor renderer computes one by one.
const RGBA: &str = "
uniform sampler2D picture;
uniform ivec2 top_left;
uniform float squares_per_px;
out vec4 colour;
void main() {
    ivec2 pixel = ivec2(int(gl_FragCoord.x) - top_left.x, top_left.y - int(gl_FragCoord.y));
    vec4 texel = texelFetch(picture, pixel, 0);
    ivec2 square = ivec2((vec2(pixel) + 0.5) * squares_per_px);
    float behind = ((square.x + square.y) & 1) == 0 ? 0.80 : 0.66;
    colour = vec4(mix(vec3(behind), texel.rgb, texel.a), 1.0);
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

/// The compiled shaders.
#[derive(Debug)]
pub(super) struct Blit {
    context: Arc<GlContext>,
    grey: Shader,
    rgba: Shader,
}

/// The shader of one texture format.
#[derive(Debug)]
struct Shader {
    program: glow::Program,
    no_vertices: glow::VertexArray,
    top_left: Option<glow::UniformLocation>,
    squares_per_px: Option<glow::UniformLocation>,
}

impl Shader {
    /// # Safety
    /// The context of `gl` is current on this thread.
    #[expect(unsafe_code, reason = "OpenGL calls")]
    unsafe fn new(gl: &glow::Context, fragment: &str) -> Result<Self, GlError> {
        // SAFETY: the context is current by this function's contract; the program is made here and used by nobody else.
        unsafe {
            let (program, no_vertices) = program(gl, fragment)?;
            let [top_left, squares_per_px] =
                ["top_left", "squares_per_px"].map(|name| gl.get_uniform_location(program, name));
            Ok(Self { program, no_vertices, top_left, squares_per_px })
        }
    }
}

impl Blit {
    #[expect(unsafe_code, reason = "OpenGL calls")]
    pub(super) fn new(context: Arc<GlContext>) -> Result<Self, GlError> {
        let gl = context.current().ok_or_else(GlError::not_current)?;
        // SAFETY: the context is current on this thread.
        let [grey, rgba] = unsafe { [Shader::new(gl, GREY)?, Shader::new(gl, RGBA)?] };
        Ok(Self { context, grey, rgba })
    }

    /// Draws `texture`, one texel per pixel, within egui's scissor rectangle. OpenGL counts rows from the bottom of the window.
    #[expect(unsafe_code, reason = "OpenGL calls")]
    pub(super) fn draw(&self, texture: glow::Texture, format: TextureFormat, place: Place) {
        let PixelRect { left, top, size } = place.rect;
        let (width, height) = (size.width() as i32, size.height() as i32);
        let from_bottom = place.screen_px[1] as i32 - top - height;
        let shader = match format {
            TextureFormat::Grey => &self.grey,
            TextureFormat::Rgba => &self.rgba,
        };
        let Some(gl) = self.context.current() else { return };
        // SAFETY: the context is current on this thread, and egui_glow sets its own state anew afterwards. The programs and
        // vertex arrays are this value's own. The texture was made by this context; where it was deleted since, or given to
        // CUDA, OpenGL draws nothing or anything, and reads no memory of ours: the shader fetches by texel.
        unsafe {
            gl.viewport(left, from_bottom, width, height);
            gl.disable(glow::BLEND);
            gl.disable(glow::DITHER);
            gl.use_program(Some(shader.program));
            gl.bind_vertex_array(Some(shader.no_vertices));
            gl.active_texture(glow::TEXTURE0);
            gl.bind_texture(glow::TEXTURE_2D, Some(texture));
            gl.uniform_2_i32(shader.top_left.as_ref(), left, from_bottom + height - 1);
            gl.uniform_1_f32(shader.squares_per_px.as_ref(), 1.0 / place.checker_px.max(1) as f32);
            gl.draw_arrays(glow::TRIANGLES, 0, 3);
            gl.bind_vertex_array(None);
        }
    }
}

impl Drop for Blit {
    #[expect(unsafe_code, reason = "OpenGL calls")]
    fn drop(&mut self) {
        let Some(gl) = self.context.current() else { return };
        for shader in [&self.grey, &self.rgba] {
            // SAFETY: the context is current on this thread, made both names, and is told once.
            unsafe {
                gl.delete_program(shader.program);
                gl.delete_vertex_array(shader.no_vertices);
            }
        }
    }
}
