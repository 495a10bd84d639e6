//! OpenGL for tests: textures that are deleted, and nothing else.

use std::cell::Cell;
use std::ffi::{c_char, c_int, c_uint, c_void};
use std::num::NonZeroU32;
use std::sync::Arc;

use eframe::glow;

use super::context::GlContext;
use super::{PanelTexture, TextureFormat};
use crate::test_support::size;

thread_local! {
    /// Textures that this thread deleted.
    static DELETED: Cell<u32> = const { Cell::new(0) };
}

/// Textures that this thread deleted.
pub(super) fn deleted() -> u32 {
    DELETED.get()
}

extern "system" fn get_string(_: c_uint) -> *const c_char {
    c"3.1 of a test".as_ptr()
}

#[expect(unsafe_code, reason = "OpenGL's way to answer")]
extern "system" fn get_integer(_: c_uint, to: *mut c_int) {
    // SAFETY: glow passes the address of one number.
    unsafe { *to = 0 };
}

extern "system" fn delete_textures(count: c_int, _: *const c_uint) {
    DELETED.set(DELETED.get() + count as u32);
}

/// A context whose functions are not OpenGL's, current on this thread.
pub(in crate::app) fn context() -> Arc<GlContext> {
    let load = |name: &str| match name {
        "glGetString" => get_string as *const c_void,
        "glGetIntegerv" => get_integer as *const c_void,
        "glDeleteTextures" => delete_textures as *const c_void,
        _ => std::ptr::null(),
    };
    #[expect(unsafe_code, reason = "the functions are given by address")]
    // SAFETY: each function takes what the one takes that it stands for.
    let functions = unsafe { glow::Context::from_loader_function(load) };
    #[expect(unsafe_code, reason = "the functions need no context")]
    // SAFETY: none of the functions looks at the context that is current.
    Arc::new(unsafe { GlContext::of_this_thread(Arc::new(functions)) })
}

/// A texture of 2 × 2 grey texels. It can be dropped and not be written.
pub(in crate::app) fn texture(context: &Arc<GlContext>) -> PanelTexture {
    let raw = glow::NativeTexture(NonZeroU32::new(7).expect("a name"));
    let size = size(2, 2);
    PanelTexture::of_name(Arc::clone(context), raw, size, TextureFormat::Grey)
}
