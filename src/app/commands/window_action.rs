//! Actions that a command requests from the window. Each group has its own type, so that every handler matches all of its
//! actions.

use super::lesson_command::LessonCommand;
use super::notice::CommandNotice;
use crate::app::session::ImageId;
use crate::complex::ComplexFormula;
use crate::grid::VolumeFormula;
use crate::image::Formula;
use crate::quality::Decimate;

/// An action that needs more than the session.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) enum WindowAction {
    /// Show the system's dialog for an image file.
    ChooseImage,
    /// Close the window.
    Quit,
    /// Enter or leave the full-screen presentation.
    TogglePresentation,
    /// Hide or show everything but the pictures.
    ToggleChrome,
    /// Hide or show the side bar.
    ToggleSideBar,
    /// Move the keyboard's focus to the next region (`true`) or the previous one.
    FocusRegion(bool),
    /// Switch between the light and the dark theme.
    NextTheme,
    /// Close what is open: a dialog, a tool, a message, the presentation.
    Leave,
    /// Show or hide the timing overlay.
    ToggleTiming,
    /// Open the window of the block sweep.
    OpenBlockSweep,
    /// Set black and white to the smallest and the largest visible value.
    Normalize,
    /// Read or write files or the clipboard.
    File(FileAction),
    /// Open a dialog.
    Dialog(DialogAction),
    /// Walk through a lesson, open or leave one.
    Lesson(LessonCommand),
    /// Start the lesson of the program with this index.
    StartLesson(usize),
    /// Show a notice: the result of a command, or why it did nothing.
    Notice(CommandNotice),
}

/// An action on files or the clipboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum FileAction {
    /// Read the file of the focused panel's image again.
    Reload,
    /// Open the next picture of the folder in the image's place.
    NextFile,
    /// Open the previous picture of the folder in the image's place.
    PreviousFile,
    /// Open a test picture.
    OpenFormula(Formula),
    /// Open a synthetic volume.
    OpenVolume(VolumeFormula),
    /// Opens a complex image by its formula.
    OpenComplex(ComplexFormula),
    /// Open a decimation of the focused panel's image.
    Decimate(Decimate),
    /// Open the pages of the focused panel's image as a volume.
    PagesAsVolume,
    /// Open the contents of the clipboard.
    Paste,
    /// Copy the picture of the focused panel.
    CopyPicture,
    /// Copy the commands that render the panels.
    CopyCommands,
}

/// A dialog to open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum DialogAction {
    /// The list of commands.
    Palette,
    /// The list of recent files.
    RecentFiles,
    /// The list of filters.
    Filters,
    /// The settings.
    Settings,
    /// The key bindings.
    Keys,
    /// The file for the focused panel's picture.
    SavePanel,
    /// The file for the figure.
    SaveFigure,
    /// The file for the plot.
    SavePlot,
    /// The file for the session.
    SaveSession,
    /// The session file to open.
    OpenSession,
    /// The list of open images.
    Images,
    /// The synthetic images.
    TestPictures,
    /// The file of a missing image.
    LocateImage(ImageId),
}
