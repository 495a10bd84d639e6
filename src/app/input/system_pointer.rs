//! Pointer devices that are read beside winit, by the window system's own protocol.

use egui::RawInput;
use winit::raw_window_handle::{RawDisplayHandle, RawWindowHandle};

use super::wayland_pointer::WaylandPointer;
use super::x11_pointer::X11Pointer;

/// The pointer devices of the window system that shows the window.
#[derive(Debug)]
pub(in crate::app) enum SystemPointer {
    /// X Input Extension 2.4.
    X11(X11Pointer),
    /// `zwp_pointer_gestures_v1`.
    Wayland(WaylandPointer),
}

impl SystemPointer {
    /// Reads the pointer devices for `window` on `display`, which is shown by `ctx`. `None` if the window system passes no more
    /// than winit reads.
    ///
    /// # Safety
    /// The handles are those of a window that exists until the result is dropped. Its event loop runs on this thread.
    #[expect(unsafe_code, reason = "only the caller knows how long the window exists")]
    pub(in crate::app) unsafe fn open(
        ctx: &egui::Context,
        display: RawDisplayHandle,
        window: RawWindowHandle,
    ) -> Option<Self> {
        match (display, window) {
            (RawDisplayHandle::Wayland(display), RawWindowHandle::Wayland(window)) => {
                // SAFETY: the display and the surface exist as long as the window. Its event loop alone destroys surfaces.
                unsafe { WaylandPointer::open(ctx, display.display, window.surface) }.map(Self::Wayland)
            }
            (_, RawWindowHandle::Xlib(window)) => {
                u32::try_from(window.window).ok().and_then(|id| X11Pointer::open(ctx, id)).map(Self::X11)
            }
            (_, RawWindowHandle::Xcb(window)) => X11Pointer::open(ctx, window.window.get()).map(Self::X11),
            _ => None,
        }
    }

    /// Adds the pinches since the last frame to `raw`, and corrects its wheel events.
    pub(in crate::app) fn amend(&mut self, raw: &mut RawInput) {
        match self {
            Self::X11(pointer) => pointer.amend(raw),
            Self::Wayland(pointer) => pointer.amend(raw),
        }
    }
}
