//! Test of texture sharing in a window that stays hidden.

use std::rc::Rc;
use std::sync::Arc;

use eframe::{CreationContext, NativeOptions};

use super::gl::{Canvas, GlError, TextureFormat};
use super::texture_sharing::{PresentMode, TextureSharing};
use crate::backend::{Backend, FallbackBackend};
use crate::image::{Size, SizeError};

/// Error of work in a hidden window.
#[derive(thiserror::Error)]
pub enum HiddenWindowError {
    /// The environment names no display.
    #[error("there is no display")]
    NoDisplay,
    /// No window opens, with the reason of the window library if it gives one.
    #[error("no window opens{}", .0.as_ref().map_or_else(String::new, |error| format!(": {error}")))]
    NoWindow(#[source] Option<eframe::Error>),
    /// The window has no OpenGL context.
    #[error("there is no OpenGL")]
    NoOpenGl,
    /// OpenGL is too old, out of memory or not current.
    #[error(transparent)]
    Gl(#[from] GlError),
    /// A size out of range.
    #[error(transparent)]
    Size(#[from] SizeError),
}

/// How pictures of `backend` would reach the screen, as text. Opens a hidden window and closes it before returning.
pub fn way_to_screen(backend: Box<dyn Backend>) -> String {
    match in_hidden_window(|creation| try_sharing(creation, backend)) {
        Ok(Ok(PresentMode::Shared)) => "the backend writes the textures that are drawn".to_owned(),
        Ok(Ok(PresentMode::Upload)) => "pictures are uploaded".to_owned(),
        Ok(Ok(PresentMode::UploadBecause(why))) => format!("pictures are uploaded: {why}"),
        Ok(Err(why)) => format!("pictures are uploaded: {why}"),
        Err(why) => why.to_string(),
    }
}

/// The result of `work` in a hidden window, which is closed before this returns. A process can call this once.
///
/// # Errors
/// [`HiddenWindowError::NoDisplay`] or [`HiddenWindowError::NoWindow`].
pub(in crate::app) fn in_hidden_window<T>(
    work: impl FnOnce(&CreationContext<'_>) -> T,
) -> Result<T, HiddenWindowError> {
    if !names_display() {
        return Err(HiddenWindowError::NoDisplay);
    }
    let viewport = egui::ViewportBuilder::default().with_title("Lerpscope").with_visible(false);
    let options = NativeOptions { viewport, ..NativeOptions::default() };
    let mut found = None;
    let create = |creation: &CreationContext<'_>| {
        found = Some(work(creation));
        Err::<Box<dyn eframe::App>, Box<dyn std::error::Error + Send + Sync>>("found out".into())
    };
    let opened = eframe::run_native("Lerpscope", options, Box::new(create));
    found.ok_or_else(|| HiddenWindowError::NoWindow(opened.err()))
}

/// Registers one small texture.
fn try_sharing(creation: &CreationContext<'_>, backend: Box<dyn Backend>) -> Result<PresentMode, HiddenWindowError> {
    let gl = creation.gl.as_ref().ok_or(HiddenWindowError::NoOpenGl)?;
    let size = Size::new(64, 64)?;
    #[expect(unsafe_code, reason = "eframe makes the context current")]
    // SAFETY: eframe makes the context of a window current before it calls `create`, which ends after the canvas is dropped.
    let canvas = unsafe { Canvas::new(Arc::clone(gl)) }?;
    let texture = Rc::new(canvas.texture(size, TextureFormat::Rgba)?);
    let (mut backend, mut sharing) = (FallbackBackend::new(backend), TextureSharing::default());
    sharing.target(&texture, &mut backend);
    let mode = sharing.present_mode();
    sharing.release(&mut backend);
    Ok(mode)
}

/// Whether the environment names a display. Systems without X11 and Wayland always have one.
pub(in crate::app) fn names_display() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(not(all(unix, not(target_os = "macos"))))
        || ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"].into_iter().any(is_set)
}
