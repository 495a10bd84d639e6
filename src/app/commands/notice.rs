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
    #[error("Values are read as: {}", .0.row().title)]
    Unit(Unit),
    /// The flicker rate was changed.
    #[error("{0} flips a second")]
    FlickerRate(f64),
    /// No more panels fit.
    #[error("there are {} panels, and no more fit", Session::MOST_PANELS)]
    PanelLimit,
    /// The only panel cannot be closed.
    #[error("the last panel stays open")]
    LastPanel,
    /// A comparison needs two panels.
    #[error("there is but one panel; add another to compare it with")]
    NeedsTwoPanels,
    /// The sampling path does not serve the focused panel.
    #[error(transparent)]
    Path(#[from] RequestError),
    /// The focused panel's method has no prefilter.
    #[error("the prefilter is for B-splines from degree 2 on and for O-MOMS")]
    NoPrefilter,
    /// The pointer is over no picture.
    #[error("There is nothing to pin: the pointer is over no picture")]
    NothingToPin,
    /// No more pins fit.
    #[error("There are {} pins, and no more fit", Inspect::MOST_PINS)]
    PinLimit,
}
