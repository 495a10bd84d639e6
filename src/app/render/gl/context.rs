//! OpenGL's functions and the one condition of calling them: that their context is current on the calling thread.
//!
//! eframe makes its window's context current before it calls the program and destroys it after the program was told to exit.
//! So OpenGL is called from the thread that the canvas was made on, until the canvas is dropped, and not while a panic unwinds,
//! when nobody knows what is dropped first. Whoever is refused leaves textures and programs to the context, which frees them
//! when it goes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, ThreadId};

use eframe::glow;

/// OpenGL's functions, and whether they may be called.
#[derive(Debug)]
pub(in crate::app) struct GlContext {
    functions: Arc<glow::Context>,
    thread: ThreadId,
    is_open: AtomicBool,
}

impl GlContext {
    /// The functions of the context that is current on this thread.
    ///
    /// # Safety
    /// The context of `functions` is current on this thread, now and at each call of [`Self::current`] on this thread until
    /// the [`Closing`] of this value is dropped.
    #[expect(unsafe_code, reason = "OpenGL calls the context that is current, whichever that is")]
    pub(super) unsafe fn of_this_thread(functions: Arc<glow::Context>) -> Self {
        Self { functions, thread: thread::current().id(), is_open: AtomicBool::new(true) }
    }

    /// The functions, where their context is current; `None` on another thread, after the end, or in a panic.
    pub(super) fn current(&self) -> Option<&glow::Context> {
        let is_current = self.is_open.load(Ordering::Acquire) && thread::current().id() == self.thread;
        (is_current && !thread::panicking()).then_some(&*self.functions)
    }
}

/// Ends the calls of a context when it is dropped.
#[derive(Debug)]
pub(super) struct Closing(Arc<GlContext>);

impl Closing {
    pub(super) fn new(context: &Arc<GlContext>) -> Self {
        Self(Arc::clone(context))
    }
}

impl Drop for Closing {
    fn drop(&mut self) {
        self.0.is_open.store(false, Ordering::Release);
    }
}
