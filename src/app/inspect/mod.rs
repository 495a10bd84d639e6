//! Looking closely: what is painted over pictures and measured from them. Nothing here changes a picture's own pixels but
//! through its panel's display mapping.

mod cells;
mod chart;
mod clipping;
pub(in crate::app) mod drags;
mod lens;
mod loupe;
pub(in crate::app) mod minimap;
pub(in crate::app) mod outside;
pub(in crate::app) mod overlays;
pub(in crate::app) mod patch;
mod pins;
pub(in crate::app) mod profile;
pub(in crate::app) mod show;

pub(super) use self::drags::{drop_unseen as drop_unseen_drag, read as read_tools};
pub(super) use self::lens::Lens;
pub use self::outside::index_text;
pub(super) use self::outside::{cursor_text, names};
pub(super) use self::overlays::Instruments;
pub(super) use self::profile::show as show_profile;
pub(super) use self::show::normalize;
pub(super) use super::bars::inspect_section::{
    histogram, minimap as overview, overlays, pins as pin_list, show as show_controls,
};
pub use super::session::inspect::Kept;
pub(super) use super::session::inspect::SWITCHES;
pub use super::session::unit::{UNITS, Unit, UnitRow};

use self::drags::Hold;
use crate::app::session::Session;

/// What a drag with the left button and no key does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tool {
    /// It moves the image.
    #[default]
    Hand,
    /// It draws the line of a profile.
    Profile,
}

/// What turns a wheel's events: told by the events, or said by a person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WheelDevice {
    /// Decided once for a burst of events.
    #[default]
    Auto,
    /// A wheel: it zooms.
    Mouse,
    /// Two fingers: they pan.
    Trackpad,
}

/// The wheel devices with their names, in the order of menus.
pub const WHEEL_DEVICES: [(WheelDevice, &str); 3] =
    [(WheelDevice::Auto, "Auto"), (WheelDevice::Mouse, "Mouse"), (WheelDevice::Trackpad, "Trackpad")];

/// What is looked at closely, and how.
#[derive(Clone, Debug, Default)]
pub struct Inspect {
    /// What a session keeps of it.
    pub kept: Kept,
    /// What a drag does.
    pub tool: Tool,
    /// What turns the wheel.
    pub wheel: WheelDevice,
    /// Whether nothing moves by itself, neither a view on its way nor a picture that a finger flung, for people whom
    /// movement disturbs.
    pub is_still: bool,
    /// What is under the cursor, in samples.
    pub(super) cursor: Option<[f64; 2]>,
    pub(super) hold: Option<Hold>,
}

/// What is asked of the tools by key or menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Values in large pixels, or none.
    Values,
    /// The next unit.
    Unit,
    /// Lines between samples, or none.
    Grid,
    /// The histogram, or none.
    Histogram,
    /// Its counts in logarithms, or not.
    LogHistogram,
    /// The line of a profile, or none.
    Profile,
    /// While its key is held: the neighbourhood under the cursor, enlarged.
    Loupe,
    /// The outside tinted and named, or not.
    Ghosts,
    /// A pin where the cursor is.
    Pin,
    /// No pins any longer.
    ClearPins,
    /// All samples counted again.
    ClearRegion,
    /// Pixels beyond black and white marked, or not.
    Clipping,
    /// Black and white at the least and the greatest value seen.
    Normalize,
    /// A quarter of a stop brighter, or darker.
    Exposure(bool),
    /// Values shown as they are.
    ResetShow,
}

impl Inspect {
    /// The most pins there are.
    pub const MOST_PINS: usize = 32;

    /// Ends what goes on; false where nothing does.
    pub fn leave(&mut self) -> bool {
        let goes_on = self.hold.is_some() || self.tool != Tool::Hand || self.kept.line.is_some();
        self.hold = None;
        self.tool = Tool::Hand;
        self.kept.line = None;
        goes_on
    }

    /// Pins a place of the image; false where there are [`Inspect::MOST_PINS`].
    pub fn pin(&mut self, pos_in_image: [f64; 2]) -> bool {
        let fits = self.kept.pins.len() < Self::MOST_PINS;
        if fits {
            self.kept.pins.push(pos_in_image);
        }
        fits
    }
}

/// Does what is asked; why not, for people, where it cannot be done.
pub(super) fn perform(session: &mut Session, ask: Ask) -> Option<String> {
    let inspect = &mut session.inspect;
    match ask {
        Ask::Values => inspect.kept.has_values = !inspect.kept.has_values,
        Ask::Unit => {
            inspect.kept.unit = inspect.kept.unit.next();
            return Some(format!("Values are read as: {}", inspect.kept.unit.row().title));
        }
        Ask::Grid => inspect.kept.has_grid = !inspect.kept.has_grid,
        Ask::Histogram => inspect.kept.has_histogram = !inspect.kept.has_histogram,
        Ask::LogHistogram => {
            inspect.kept.is_log = !inspect.kept.is_log;
            inspect.kept.has_histogram = true;
        }
        Ask::Profile if inspect.tool == Tool::Profile => {
            inspect.leave();
        }
        Ask::Profile => inspect.tool = Tool::Profile,
        Ask::Ghosts => inspect.kept.has_ghosts = !inspect.kept.has_ghosts,
        Ask::Clipping => inspect.kept.marks_clipping = !inspect.kept.marks_clipping,
        Ask::Pin => {
            let Some(cursor) = inspect.cursor else {
                return Some("There is nothing to pin: the pointer is over no picture".to_owned());
            };
            if !inspect.pin(cursor) {
                return Some(format!("There are {} pins, and no more fit", Inspect::MOST_PINS));
            }
        }
        Ask::ClearPins => inspect.kept.pins.clear(),
        Ask::ClearRegion => inspect.kept.region = None,
        Ask::Exposure(is_more) => show::expose(session, if is_more { 0.25 } else { -0.25 }),
        Ask::ResetShow => show::reset(session),
        Ask::Loupe | Ask::Normalize => {}
    }
    None
}

/// Whether `ask` stands for what is on.
pub(super) fn is_on(inspect: &Inspect, ask: Ask) -> bool {
    match ask {
        Ask::Values => inspect.kept.has_values,
        Ask::Grid => inspect.kept.has_grid,
        Ask::Histogram => inspect.kept.has_histogram,
        Ask::LogHistogram => inspect.kept.has_histogram && inspect.kept.is_log,
        Ask::Profile => inspect.tool == Tool::Profile,
        Ask::Ghosts => inspect.kept.has_ghosts,
        Ask::Clipping => inspect.kept.marks_clipping,
        _ => false,
    }
}

/// Whether a key that is held down asks again and again.
pub(super) fn repeats(ask: Ask) -> bool {
    matches!(ask, Ask::Exposure(_))
}
