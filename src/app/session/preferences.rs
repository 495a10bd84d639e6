//! Preferences: settings of the user that no session stores.
//!
//! The settings own them. A [`Session`](super::Session) never copies them: its methods take `&Preferences`.

use super::unit::Unit;

/// Device that scroll events are attributed to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WheelDevice {
    /// Detected from the first event of a burst.
    #[default]
    Auto,
    /// A mouse wheel: scrolling zooms.
    Mouse,
    /// A trackpad: scrolling pans.
    Trackpad,
}

/// The wheel devices with their titles, in menu order.
pub const WHEEL_DEVICES: [(WheelDevice, &str); 3] =
    [(WheelDevice::Auto, "Auto"), (WheelDevice::Mouse, "Mouse"), (WheelDevice::Trackpad, "Trackpad")];

/// Preferences of the user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Preferences {
    /// Device that scroll events are attributed to.
    pub wheel: WheelDevice,
    /// Unit of displayed values.
    pub unit: Unit,
    /// Disables view animations and flings.
    pub reduced_motion: bool,
}
