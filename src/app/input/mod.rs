//! Pointer, wheel, touch and the space bar: from events to gestures.

pub(in crate::app) mod fling;
pub(in crate::app) mod key_tap;
pub(in crate::app) mod menu_walk;
#[cfg(all(unix, not(target_os = "macos")))]
mod pinch;
pub(in crate::app) mod pointer;
pub(in crate::app) mod press;
#[cfg(all(unix, not(target_os = "macos")))]
pub(in crate::app) mod system_pointer;
mod turn;
#[cfg(all(unix, not(target_os = "macos")))]
mod wayland_pointer;
#[cfg(all(unix, not(target_os = "macos")))]
mod x11_pointer;
