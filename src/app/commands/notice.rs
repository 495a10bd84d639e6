//! Messages of commands.

use crate::app::session::inspect::Inspect;
use crate::app::session::unit::Unit;
use crate::app::session::{Link, Session};
use crate::backend::RequestError;

/// Message of a command: its result, or the reason why it did nothing.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(in crate::app) enum CommandNotice {
    /// A step was undone.
    #[error("Undone: {0}")]
    Undone(&'static str),
    /// A step was redone.
    #[error("Redone: {0}")]
    Redone(&'static str),
    /// Another link mode was selected.
    #[error("{}", .0.row().help)]
    Link(Link),
    /// Another unit was selected.
    #[error("Values are displayed as: {}", .0.row().title)]
    Unit(Unit),
    /// The flicker rate was changed.
    #[error("{0} flips per second")]
    FlickerRate(f64),
    /// No more panels fit.
    #[error("There are {} panels, which is the maximum", Session::MAX_PANELS)]
    PanelLimit,
    /// The only panel cannot be closed.
    #[error("The last panel cannot be closed")]
    LastPanel,
    /// The only image cannot be closed.
    #[error("The last image cannot be closed")]
    LastImage,
    /// No other image was shown, or it was closed.
    #[error("No other image was shown before")]
    NoImageBefore,
    /// The focused panel's image is no stand-in.
    #[error("The image is not missing")]
    NotMissing,
    /// A comparison needs two panels.
    #[error("Only one panel is open; add another to compare it with")]
    NeedsTwoPanels,
    /// The sampling path does not serve the focused panel.
    #[error(transparent)]
    SamplingPath(#[from] RequestError),
    /// The focused panel's method has no prefilter.
    #[error("Only B-splines from degree 2 on and O-MOMS have a prefilter")]
    NoPrefilter,
    /// The pointer is over no picture.
    #[error("Nothing to pin: the pointer is over no picture")]
    NothingToPin,
    /// No more pins fit.
    #[error("There are {} pins, which is the maximum", Inspect::MAX_PINS)]
    PinLimit,
}
