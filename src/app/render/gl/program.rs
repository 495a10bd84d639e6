//! Programs of one triangle that covers the viewport, with a fragment shader of ours.

use eframe::egui_glow::ShaderVersion;
use eframe::glow::{self, HasContext as _};

use super::GlError;

/// One triangle that covers the viewport.
const VERTEX: &str = "
void main() {
    vec2 corner = vec2(float((gl_VertexID << 1) & 2), float(gl_VertexID & 2));
    gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}
";

/// The program with this fragment shader, and a vertex array without attributes.
///
/// # Safety
/// The context of `gl` is current on this thread.
///
/// # Errors
/// Where OpenGL is below 3.1 or ES 3.0, and OpenGL's own. What is made before an error stays with the context.
#[expect(unsafe_code, reason = "OpenGL calls")]
pub(super) unsafe fn program(
    gl: &glow::Context,
    fragment: &str,
) -> Result<(glow::Program, glow::VertexArray), GlError> {
    let header = match ShaderVersion::get(gl) {
        ShaderVersion::Gl140 => "#version 140\n",
        ShaderVersion::Es300 => {
            "#version 300 es\nprecision highp float;\nprecision highp int;\nprecision highp sampler2D;\n"
        }
        ShaderVersion::Gl120 | ShaderVersion::Es100 => {
            return Err(GlError("OpenGL 3.1 or OpenGL ES 3.0 is needed to show pictures".to_owned()));
        }
    };
    // SAFETY: the context is current by this function's contract; shaders, program and vertex array are made and checked here.
    unsafe {
        let program = gl.create_program().map_err(GlError)?;
        for (kind, source) in [(glow::VERTEX_SHADER, VERTEX), (glow::FRAGMENT_SHADER, fragment)] {
            let shader = gl.create_shader(kind).map_err(GlError)?;
            gl.shader_source(shader, &format!("{header}{source}"));
            gl.compile_shader(shader);
            if !gl.get_shader_compile_status(shader) {
                return Err(GlError(gl.get_shader_info_log(shader)));
            }
            gl.attach_shader(program, shader);
            gl.delete_shader(shader);
        }
        gl.link_program(program);
        if !gl.get_program_link_status(program) {
            return Err(GlError(gl.get_program_info_log(program)));
        }
        Ok((program, gl.create_vertex_array().map_err(GlError)?))
    }
}
