//! How pictures reach the screen: rendered by the backend into the textures that are drawn, or uploaded from host memory.
//!
//! The first texture decides. Where the backend refuses to register it, all pictures are uploaded from then on, and the
//! reason is kept for the status line.

use std::rc::Rc;

use super::gl::PanelTexture;
use crate::backend::{Backend as _, BackendError, FallbackBackend, GlTarget, GlTexture, GlWriter};

/// The textures that are registered with the backend.
#[derive(Debug, Default)]
pub(in crate::app) struct TextureSharing {
    /// Each is held here as well, so that OpenGL does not delete it before it is unregistered.
    shared: Vec<(Rc<PanelTexture>, GlTarget)>,
    refusal: Option<BackendError>,
}

/// How pictures reach the screen.
#[derive(Clone, Debug)]
pub(in crate::app) enum PresentMode {
    /// The backend renders into host memory, and the pixels are uploaded.
    Upload,
    /// The backend renders into the textures that are drawn.
    Shared,
    /// As [`PresentMode::Upload`], since the backend refused to share a texture.
    UploadBecause(BackendError),
}

impl Drop for TextureSharing {
    fn drop(&mut self) {
        // After a panic, textures that were not unregistered: the backend may still write them, so OpenGL keeps them until its
        // context is destroyed.
        self.shared.drain(..).for_each(std::mem::forget);
    }
}

impl TextureSharing {
    /// The registration of `texture`, which is registered now where it was not; `None` where it is not shared.
    pub(in crate::app) fn target(
        &mut self,
        texture: &Rc<PanelTexture>,
        backend: &mut FallbackBackend,
    ) -> Option<GlTarget> {
        if self.refusal.is_some() {
            return None;
        }
        let writer = backend.gl()?;
        if let Some((_, target)) = self.shared.iter().find(|(shared, _)| Rc::ptr_eq(shared, texture)) {
            return Some(*target);
        }
        let channels = texture.format().channels();
        #[expect(unsafe_code, reason = "the writer knows the texture by its name")]
        // SAFETY: the texture was made by the window's context, which is current on this thread while a frame is drawn, with
        // this size and format, and has both for life. `shared` keeps it until it is unregistered, and does not delete it
        // where it is not (`Drop`); the window draws and releases with its context current.
        let registered = unsafe { writer.register(GlTexture { name: texture.name(), size: texture.size(), channels }) };
        match registered {
            Ok(target) => {
                self.shared.push((Rc::clone(texture), target));
                Some(target)
            }
            Err(error) if error.is_lost() => {
                backend.handle_failure(error);
                None
            }
            Err(error) => {
                log::warn!("pictures are uploaded: {error}");
                self.refusal = Some(error);
                None
            }
        }
    }

    /// Unregisters the textures that no picture uses any more. The window's context must be current.
    pub(in crate::app) fn tidy(&mut self, backend: &mut FallbackBackend) {
        self.unregister(backend.gl(), |texture| Rc::strong_count(texture) == 1);
    }

    /// Unregisters all textures. The window's context must be current.
    pub(in crate::app) fn release(&mut self, backend: &mut FallbackBackend) {
        self.unregister(backend.gl(), |_| true);
    }

    fn unregister(&mut self, mut writer: Option<&mut dyn GlWriter>, is_done: impl Fn(&Rc<PanelTexture>) -> bool) {
        self.shared.retain(|(texture, target)| {
            let is_done = is_done(texture) || writer.is_none();
            if let (true, Some(writer)) = (is_done, writer.as_deref_mut()) {
                writer.unregister(*target);
            }
            !is_done
        });
    }

    /// How pictures reach the screen.
    pub(in crate::app) fn present_mode(&self) -> PresentMode {
        match &self.refusal {
            Some(why) => PresentMode::UploadBecause(why.clone()),
            None if self.shared.is_empty() => PresentMode::Upload,
            None => PresentMode::Shared,
        }
    }
}
