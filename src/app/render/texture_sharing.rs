//! How pictures reach the screen: written by the backend straight into the textures that are drawn, or uploaded.
//!
//! Which of the two is decided once, by the first texture that the backend is asked to share; where it refuses, its reason
//! is kept for people and every picture goes by the host's memory from then on.

use std::rc::Rc;

use super::gl::PanelTexture;
use crate::backend::{Backend as _, FallbackBackend, GlTarget, GlTexture, GlWriter};

/// The textures that the backend shares.
#[derive(Debug, Default)]
pub(in crate::app) struct Sharing {
    /// Each is held here too, so that OpenGL does not delete it before the backend has let go of it.
    shared: Vec<(Rc<PanelTexture>, GlTarget)>,
    refusal: Option<String>,
}

/// How pictures reach the screen at the moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::app) enum Way {
    /// The backend's pixels are in host memory and are uploaded.
    Upload,
    /// The backend writes the textures that are drawn.
    Shared,
    /// They are uploaded because sharing was refused, for this reason.
    UploadBecause(String),
}

impl Drop for Sharing {
    fn drop(&mut self) {
        // Textures that were not released, after a panic: the backend may still know them, so OpenGL keeps them until its
        // context goes.
        self.shared.drain(..).for_each(std::mem::forget);
    }
}

impl Sharing {
    /// What `texture` is to the backend, which learns of it now if it has not; `None` where it is not shared.
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
                backend.forgive(error);
                None
            }
            Err(error) => {
                log::warn!("pictures are uploaded: {error}");
                self.refusal = Some(error.to_string());
                None
            }
        }
    }

    /// Lets go of the textures that no picture has any more; to be called while the window's context is current.
    pub(in crate::app) fn tidy(&mut self, backend: &mut FallbackBackend) {
        self.let_go(backend.gl(), |texture| Rc::strong_count(texture) == 1);
    }

    /// Lets go of all textures; to be called while the window's context is current.
    pub(in crate::app) fn release(&mut self, backend: &mut FallbackBackend) {
        self.let_go(backend.gl(), |_| true);
    }

    fn let_go(&mut self, mut writer: Option<&mut dyn GlWriter>, is_done: impl Fn(&Rc<PanelTexture>) -> bool) {
        self.shared.retain(|(texture, target)| {
            let is_done = is_done(texture) || writer.is_none();
            if let (true, Some(writer)) = (is_done, writer.as_deref_mut()) {
                writer.unregister(*target);
            }
            !is_done
        });
    }

    /// How pictures reach the screen.
    pub(in crate::app) fn way(&self) -> Way {
        match &self.refusal {
            Some(why) => Way::UploadBecause(why.clone()),
            None if self.shared.is_empty() => Way::Upload,
            None => Way::Shared,
        }
    }
}
