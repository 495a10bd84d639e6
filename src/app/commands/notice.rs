//! Messages of commands.

use crate::app::session::inspect::Inspect;
use crate::app::session::unit::Unit;
use crate::app::session::{Link, RevertedStep, Session};
use crate::arguments::ArgumentError;
use crate::backend::{NoTruth, RequestError};
use crate::image::Size;
use crate::text::short;

/// Message of a command: its result, or the reason why it did nothing.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(in crate::app) enum CommandNotice {
    /// A step was undone.
    #[error("Undone: {0}")]
    Undone(RevertedStep),
    /// A step was redone.
    #[error("Redone: {0}")]
    Redone(RevertedStep),
    /// Another link mode was selected.
    #[error("{}", .0.row().help)]
    Link(Link),
    /// Another unit was selected.
    #[error("Values are displayed as: {}", .0.row().title)]
    Unit(Unit),
    /// Insets were shown or hidden.
    #[error("{}", if *.0 { "Insets with the finest detail are shown over whole images" } else { "Detail insets are hidden" })]
    Insets(bool),
    /// The hint was shown or hidden.
    #[error("{}", if *.0 { "The hint line is shown" } else { "The hint line is hidden: View · Hint line shows it" })]
    Hint(bool),
    /// The flicker rate was changed.
    #[error("Flicker rate: {0} Hz")]
    FlickerRate(f64),
    /// No tool of the laboratory is open, and there is no line profile.
    #[error("No plot is shown: choose one in the menu Inspect · Laboratory")]
    NoPlots,
    /// No more panels fit.
    #[error("There are {} panels, which is the maximum", Session::MAX_PANELS)]
    PanelLimit,
    /// The only panel cannot be closed.
    #[error("The last panel cannot be closed")]
    LastPanel,
    /// All panels have the settings of the focused one.
    #[error("All panels have these settings, as far as their methods allow")]
    SettingsShared,
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
    /// The focused panel's image has no truth.
    #[error("No truth: {0}. Open a test picture, or decimate the image (File)")]
    NoTruth(#[from] NoTruth),
    /// The command acts on an interpolation.
    #[error("The panel shows the truth: choose a method first")]
    ShowsTruth,
    /// The image has too few samples for a decimation.
    #[error("An image of {0} is too small to be decimated by {1}")]
    TooSmallToDecimate(Size, u32),
    /// A value is out of its range.
    #[error(transparent)]
    Argument(#[from] ArgumentError),
    /// The image has fewer pages.
    #[error("The image has {0} page{plural}", plural = if *.0 == 1 { "" } else { "s" })]
    NoSuchPage(usize),
    /// The focused panel's image is no volume.
    #[error("The image is no volume: open a NIfTI file, an array of three axes, or a test volume")]
    NoVolume,
    /// The pages of the focused panel's image are no slices.
    #[error("The pages are no slices of a volume: two or more grey pages of one size are")]
    NoSlices,
    /// The plane is at the first or the last slice.
    #[error("This is the last slice of the volume")]
    NoFurtherSlice,
    /// The plane is at the first or the last time.
    #[error("This is the last time of the volume")]
    NoFurtherTime,
    /// The image is no volume, or one of a single time.
    #[error("The image does not change with time")]
    NoTimes,
    /// The image has real numbers.
    #[error("The image has no complex numbers")]
    NotComplex,
    /// Another page would be before the first or behind the last.
    #[error("The image has no further page")]
    NoFurtherPage,
    /// No other image is open.
    #[error("Only one image is open")]
    OnlyImage,
    /// The image is at the end of the list.
    #[error("The image is at the end of the list")]
    AtEndOfList,
    /// The history of views is empty.
    #[error("There is no earlier view")]
    NoEarlierView,
    /// The undo stack is empty.
    #[error("There is nothing to undo")]
    NothingToUndo,
    /// The redo stack is empty.
    #[error("There is nothing to redo")]
    NothingToRedo,
    /// The middle of the named panel shows the image.
    #[error("The image is in the middle of {0}")]
    NotLost(String),
    /// The named panel's angle is 0°.
    #[error("{0} is upright")]
    NotTurned(String),
    /// The named panel's scales are equal.
    #[error("{0} has square pixels")]
    NotStretched(String),
    /// Only one panel is open.
    #[error("Only one panel is open")]
    OnlyPanel,
    /// The named panel has no filters.
    #[error("{0} has no filters")]
    NoFilters(String),
    /// The command acts on a wipe.
    #[error("The two panels are not shown as a wipe")]
    NoWipe,
    /// The command acts on a difference.
    #[error("The two panels are not shown as a difference")]
    NoDifference,
    /// No position is pinned.
    #[error("No position is pinned")]
    NoPins,
    /// The next drag draws a rectangle that is inpainted.
    #[error("Drag a rectangle over a picture: what it outlines is filled from the samples around it")]
    DrawHole,
    /// The focused panel is warped.
    #[error("The picture is warped: its samples are not where this would show them")]
    Warped,
    /// The histogram has no region.
    #[error("The histogram counts the whole image")]
    NoRegion,
    /// The loupe enlarges what is under the cursor.
    #[error("Hold the loupe's key over a picture")]
    NothingToEnlarge,
    /// Samples are too small for what the command shows.
    #[error("{overlay}: shown from {}× on, the samples are too small now", short(*.zoom, 3))]
    SamplesTooSmall {
        /// Title of the command.
        overlay: &'static str,
        /// The least magnification.
        zoom: f64,
    },
    /// An address mode was chosen: the outside of the images is no longer covered.
    #[error("Panel {panel}: {modes}. All panels show what lies beyond the edges{undo}")]
    ShowsOutside {
        /// Number of the focused panel.
        panel: String,
        /// Its address modes.
        modes: String,
        /// The key that covers it again, after a semicolon; empty if it has none.
        undo: String,
    },
    /// A quantity that the command raises or lowers is at the end of its range.
    #[error("{0} is at its {end}", end = if *.1 { "maximum" } else { "minimum" })]
    AtEndOfRange(&'static str, bool),
    /// Nothing outside the image is in view.
    #[error("All that panel {0} shows is inside the image: zoom out to see what lies beyond its edges")]
    NothingOutside(String),
    /// No pixel is clipped.
    #[error("No pixel of panel {0} is clipped: stripes mark values below black and above white")]
    NothingClipped(String),
    /// The focused panel's method has no prefilter.
    #[error("Only B-splines from degree 2 on and O-MOMS have a prefilter")]
    NoPrefilter,
    /// The pointer is over no picture.
    #[error("Nothing to pin: the pointer is over no picture")]
    NothingToPin,
    /// No lesson runs.
    #[error("No lesson runs: the menu Window has the lessons")]
    NoLesson,
    /// The lesson has no further step.
    #[error("This is the last step of the lesson: Esc leaves it")]
    LastStep,
    /// The lesson has no earlier step.
    #[error("This is the first step of the lesson")]
    FirstStep,
    /// No lesson was begun.
    #[error("No lesson was begun yet: the menu Window has the lessons")]
    NoLessonYet,
    /// No more pins fit.
    #[error("There are {} pins, which is the maximum", Inspect::MAX_PINS)]
    PinLimit,
}
