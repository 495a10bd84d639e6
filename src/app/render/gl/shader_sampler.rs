//! The sampling path `filtered` as a fragment shader: what the texture unit of the window's OpenGL makes of samples.
//!
//! Fetches are those of the CUDA kernels and of their emulation (`kernels/filtered.cu`, `sampling/fetch.rs`): one texel of
//! `nearest`, one linear fetch of `linear`, four of the cubic B-spline (Sigg and Hadwiger 2005), nine of Catmull-Rom. Samples
//! are in a texture of single-precision floats, results in a framebuffer of them, so that nothing but the unit's own weights is
//! rounded. It measures the unit; panels are not rendered by it.

use std::sync::Arc;

use eframe::glow::{self, HasContext as _};

use super::GlError;
use super::context::{Closing, GlContext};
use super::program::program;
use crate::image::Size;
use crate::sampling::Method;

/// Positions are in samples; sample k lies at the texture coordinate (k + ½)/N. Edges are clamped.
const FRAGMENT: &str = "
uniform sampler2D samples;
uniform vec2 size;
uniform vec2 first;
uniform vec2 spacing;
uniform int method;
out vec4 colour;

float linear_fetch(float x, float y) {
    return texture(samples, (vec2(x, y) + 0.5) / size).r;
}

float nearest(vec2 at) {
    return texelFetch(samples, clamp(ivec2(floor(at + 0.5)), ivec2(0), ivec2(size) - 1), 0).r;
}

float bspline(vec2 at) {
    vec2 m = floor(at);
    vec2 a = at - m;
    vec2 b = 1.0 - a;
    vec2 w0 = b * b * b / 6.0;
    vec2 w1 = 2.0 / 3.0 - a * a * (2.0 - a) / 2.0;
    vec2 w2 = 2.0 / 3.0 - b * b * (1.0 + a) / 2.0;
    vec2 w3 = a * a * a / 6.0;
    vec2 g0 = w0 + w1;
    vec2 g1 = w2 + w3;
    vec2 h0 = m - 1.0 + w1 / g0;
    vec2 h1 = m + 1.0 + w3 / g1;
    float upper = g0.x * linear_fetch(h0.x, h0.y) + g1.x * linear_fetch(h1.x, h0.y);
    float lower = g0.x * linear_fetch(h0.x, h1.y) + g1.x * linear_fetch(h1.x, h1.y);
    return g0.y * upper + g1.y * lower;
}

float catmull_rom_row(float m, float pair, vec3 w, float y) {
    return w.x * linear_fetch(m - 1.0, y) + w.y * linear_fetch(pair, y) + w.z * linear_fetch(m + 2.0, y);
}

float catmull_rom(vec2 at) {
    vec2 m = floor(at);
    vec2 a = at - m;
    vec2 w0 = a * (-0.5 + a * (1.0 - 0.5 * a));
    vec2 w1 = 1.0 + a * a * (-2.5 + 1.5 * a);
    vec2 w2 = a * (0.5 + a * (2.0 - 1.5 * a));
    vec2 w3 = a * a * (-0.5 + 0.5 * a);
    vec2 inner = w1 + w2;
    vec2 pair = m + w2 / inner;
    vec3 across = vec3(w0.x, inner.x, w3.x);
    return w0.y * catmull_rom_row(m.x, pair.x, across, m.y - 1.0)
        + inner.y * catmull_rom_row(m.x, pair.x, across, pair.y)
        + w3.y * catmull_rom_row(m.x, pair.x, across, m.y + 2.0);
}

void main() {
    vec2 at = first + floor(gl_FragCoord.xy) * spacing;
    float value = 0.0;
    if (method == 0) {
        value = nearest(at);
    } else if (method == 1) {
        value = linear_fetch(at.x, at.y);
    } else if (method == 2) {
        value = bspline(at);
    } else {
        value = catmull_rom(at);
    }
    colour = vec4(value);
}
";

/// The methods of the path `filtered`, in the order of the shader's numbers.
const METHODS: [Method; 4] = [Method::Nearest, Method::Linear, Method::BSPLINE, Method::CATMULL_ROM];

/// Samples, and the positions that are interpolated.
#[derive(Clone, Copy, Debug)]
pub struct ShaderRequest<'a> {
    /// The samples, or the coefficients of a prefiltered B-spline: one number each, row by row.
    pub samples: &'a [f32],
    /// Their columns and rows.
    pub size: Size,
    /// One of the four methods of the path `filtered`.
    pub method: Method,
    /// Position of the first result, in samples.
    pub first: [f32; 2],
    /// Distance of two results along x and y, in samples.
    pub spacing: [f32; 2],
    /// Columns and rows of the results.
    pub output: Size,
}

/// The compiled shader.
#[derive(Debug)]
pub struct ShaderSampler {
    context: Arc<GlContext>,
    program: glow::Program,
    no_vertices: glow::VertexArray,
    renderer: String,
    /// Of a context of its own.
    _closing: Option<Closing>,
}

impl ShaderSampler {
    /// The shader in the context that is current on this thread.
    ///
    /// # Safety
    /// `gl` is the library of the context that is current on this thread now, and whenever this value is used or dropped on
    /// this thread.
    ///
    /// # Errors
    /// As [`ShaderSampler::render`].
    #[expect(unsafe_code, reason = "which context is current is the caller's to know")]
    pub unsafe fn of_current(gl: Arc<glow::Context>) -> Result<Self, GlError> {
        // SAFETY: by this function's contract; the closing is dropped with the shader.
        let context = Arc::new(unsafe { GlContext::of_this_thread(gl) });
        let closing = Closing::new(&context);
        let mut sampler = Self::new(context)?;
        sampler._closing = Some(closing);
        Ok(sampler)
    }

    #[expect(unsafe_code, reason = "OpenGL calls")]
    pub(super) fn new(context: Arc<GlContext>) -> Result<Self, GlError> {
        let gl = context.current().ok_or_else(GlError::not_current)?;
        // Desktop OpenGL 3 filters floats and renders to them; OpenGL ES does by extensions.
        let extensions = gl.supported_extensions();
        let has = |name: &str| !gl.version().is_embedded || extensions.contains(name);
        if !has("GL_OES_texture_float_linear") || !has("GL_EXT_color_buffer_float") {
            return Err(GlError("This OpenGL does not filter and render single-precision floats".to_owned()));
        }
        // SAFETY: the context is current on this thread, and the query takes no memory of ours.
        let ((program, no_vertices), renderer) =
            unsafe { (program(gl, FRAGMENT)?, gl.get_parameter_string(glow::RENDERER)) };
        Ok(Self { context, program, no_vertices, renderer, _closing: None })
    }

    /// OpenGL's name of what renders: a GPU, or a program such as Mesa's llvmpipe.
    pub fn renderer(&self) -> &str {
        &self.renderer
    }

    /// The methods that it has.
    pub fn methods() -> &'static [Method] {
        &METHODS
    }

    /// The interpolated values, row by row.
    ///
    /// # Errors
    /// If the context is not current, the numbers do not fill the size, the method has no fetches, or OpenGL cannot filter or
    /// render floats of these sizes.
    #[expect(unsafe_code, reason = "OpenGL calls")]
    pub fn render(&self, request: &ShaderRequest<'_>) -> Result<Vec<f32>, GlError> {
        let ShaderRequest { samples, size, method, first, spacing, output } = *request;
        let gl = self.context.current().ok_or_else(GlError::not_current)?;
        let number = METHODS.iter().position(|known| *known == method);
        let number = number.ok_or_else(|| GlError(format!("The texture unit does not interpolate by {method}")))?;
        // SAFETY: the context is current on this thread, and the query takes the address of one number of glow's.
        let largest = unsafe { gl.get_parameter_i32(glow::MAX_TEXTURE_SIZE) }.max(0) as u32;
        if size.area() != samples.len() || size.sides().iter().chain(&output.sides()).any(|side| *side > largest) {
            return Err(GlError(format!("{} numbers of {size} do not fit {output} results", samples.len())));
        }
        let mut values = vec![0.0_f32; 4 * output.area()];
        // SAFETY: the context is current on this thread. OpenGL reads as many floats from `samples` as the size has, which is
        // checked, and writes four for each pixel to `values`, before the calls return; rows of floats need no padding. What is
        // made is deleted here, and what is bound or switched is what egui_glow sets anew, but the framebuffer, which is put
        // back.
        unsafe {
            let bound = gl.get_parameter_framebuffer(glow::FRAMEBUFFER_BINDING);
            let input = float_texture(gl, (glow::R32F, glow::RED), size, glow::LINEAR, Some(samples))?;
            let target = float_texture(gl, (glow::RGBA32F, glow::RGBA), output, glow::NEAREST, None)?;
            let framebuffer = gl.create_framebuffer().map_err(GlError)?;
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
            gl.framebuffer_texture_2d(glow::FRAMEBUFFER, glow::COLOR_ATTACHMENT0, glow::TEXTURE_2D, Some(target), 0);
            let is_complete = gl.check_framebuffer_status(glow::FRAMEBUFFER) == glow::FRAMEBUFFER_COMPLETE;
            if is_complete {
                self.draw(gl, input, (size, output));
                gl.uniform_2_f32(self.location(gl, "first").as_ref(), first[0], first[1]);
                gl.uniform_2_f32(self.location(gl, "spacing").as_ref(), spacing[0], spacing[1]);
                gl.uniform_1_i32(self.location(gl, "method").as_ref(), number as i32);
                gl.draw_arrays(glow::TRIANGLES, 0, 3);
                gl.bind_buffer(glow::PIXEL_PACK_BUFFER, None);
                gl.read_pixels(
                    0,
                    0,
                    output.width() as i32,
                    output.height() as i32,
                    glow::RGBA,
                    glow::FLOAT,
                    glow::PixelPackData::Slice(Some(bytemuck::cast_slice_mut(&mut values))),
                );
                gl.bind_vertex_array(None);
            }
            gl.bind_framebuffer(glow::FRAMEBUFFER, bound);
            gl.delete_framebuffer(framebuffer);
            gl.delete_texture(input);
            gl.delete_texture(target);
            if !is_complete {
                return Err(GlError("This OpenGL does not render to single-precision floats".to_owned()));
            }
        }
        Ok(values.into_iter().step_by(4).collect())
    }

    /// Sets what a draw of `output` from the texture `input` of this size needs.
    ///
    /// # Safety
    /// The context of `gl` is current on this thread, and `input` is a texture of it.
    #[expect(unsafe_code, reason = "OpenGL calls")]
    unsafe fn draw(&self, gl: &glow::Context, input: glow::Texture, (size, output): (Size, Size)) {
        // SAFETY: by this function's contract; the program and the vertex array are this value's own.
        unsafe {
            gl.viewport(0, 0, output.width() as i32, output.height() as i32);
            for capability in [glow::BLEND, glow::DITHER, glow::SCISSOR_TEST, glow::DEPTH_TEST, glow::CULL_FACE] {
                gl.disable(capability);
            }
            gl.color_mask(true, true, true, true);
            gl.use_program(Some(self.program));
            gl.bind_vertex_array(Some(self.no_vertices));
            gl.active_texture(glow::TEXTURE0);
            gl.bind_texture(glow::TEXTURE_2D, Some(input));
            gl.uniform_1_i32(self.location(gl, "samples").as_ref(), 0);
            let sides = size.sides().map(|side| side as f32);
            gl.uniform_2_f32(self.location(gl, "size").as_ref(), sides[0], sides[1]);
        }
    }

    #[expect(unsafe_code, reason = "OpenGL calls")]
    fn location(&self, gl: &glow::Context, name: &str) -> Option<glow::UniformLocation> {
        // SAFETY: the program is this value's own, and callers have the context current.
        unsafe { gl.get_uniform_location(self.program, name) }
    }
}

impl Drop for ShaderSampler {
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

/// A texture of floats, whose edges are clamped; without `samples` its texels are undefined.
///
/// # Safety
/// The context of `gl` is current on this thread, and `samples` has as many numbers as the size.
#[expect(unsafe_code, reason = "OpenGL calls")]
unsafe fn float_texture(
    gl: &glow::Context,
    (internal, layout): (u32, u32),
    size: Size,
    filter: u32,
    samples: Option<&[f32]>,
) -> Result<glow::Texture, GlError> {
    // SAFETY: by this function's contract; with rows of their own length OpenGL reads width × height floats before the call
    // returns.
    unsafe {
        let texture = gl.create_texture().map_err(GlError)?;
        gl.active_texture(glow::TEXTURE0);
        gl.bind_texture(glow::TEXTURE_2D, Some(texture));
        for (name, value) in [
            (glow::TEXTURE_MIN_FILTER, filter),
            (glow::TEXTURE_MAG_FILTER, filter),
            (glow::TEXTURE_WRAP_S, glow::CLAMP_TO_EDGE),
            (glow::TEXTURE_WRAP_T, glow::CLAMP_TO_EDGE),
        ] {
            gl.tex_parameter_i32(glow::TEXTURE_2D, name, value as i32);
        }
        gl.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_MAX_LEVEL, 0);
        gl.pixel_store_i32(glow::UNPACK_ALIGNMENT, 4);
        for unpack in [glow::UNPACK_ROW_LENGTH, glow::UNPACK_SKIP_ROWS, glow::UNPACK_SKIP_PIXELS] {
            gl.pixel_store_i32(unpack, 0);
        }
        // OpenGL would read a bound buffer in place of the slice.
        gl.bind_buffer(glow::PIXEL_UNPACK_BUFFER, None);
        gl.tex_image_2d(
            glow::TEXTURE_2D,
            0,
            internal as i32,
            size.width() as i32,
            size.height() as i32,
            0,
            layout,
            glow::FLOAT,
            glow::PixelUnpackData::Slice(samples.map(bytemuck::cast_slice)),
        );
        gl.bind_texture(glow::TEXTURE_2D, None);
        Ok(texture)
    }
}
