//! Preferences: settings of the user that no session stores.
//!
//! The settings own them. A [`Session`](super::Session) never copies them: its methods take `&Preferences`.

use super::coordinates::Coordinates;
use super::unit::Unit;
use crate::rows::rows;

/// Description of a wheel device.
#[derive(Debug)]
pub struct WheelDeviceRow {
    /// The wheel device.
    pub wheel: WheelDevice,
    /// Its name in settings files.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
}

rows! {
    /// Device that scroll events are attributed to.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum WheelDevice {
        /// Detected from the first event of a burst.
        #[default]
        Auto => { name: "auto", title: "Auto" },
        /// A mouse wheel: scrolling zooms.
        Mouse => { name: "mouse", title: "Mouse" },
        /// A trackpad: scrolling pans.
        Trackpad => { name: "trackpad", title: "Trackpad" },
    }

    /// The wheel devices, in menu order.
    pub static WHEEL_DEVICES: [WheelDeviceRow { wheel, .. }];

    impl by_name;
}

/// Preferences of the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preferences {
    /// Device that scroll events are attributed to.
    pub wheel: WheelDevice,
    /// Unit of displayed values.
    pub unit: Unit,
    /// Convention of displayed positions.
    pub coordinates: Coordinates,
    /// Disables view animations and flings.
    pub reduced_motion: bool,
    /// Shows the finest detail of whole images in insets, where methods look alike.
    pub has_insets: bool,
    /// Shows the hint over the panels.
    pub has_hint: bool,
}

impl Default for Preferences {
    fn default() -> Self {
        Self {
            wheel: WheelDevice::default(),
            unit: Unit::default(),
            coordinates: Coordinates::default(),
            reduced_motion: false,
            has_insets: true,
            has_hint: true,
        }
    }
}
