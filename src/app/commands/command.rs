//! Commands, and the row that describes one.

use super::choice::Choice;
use super::chord::Chord;
use super::inspect_command::InspectCommand;
use super::lesson_command::{self, LessonCommand};
use crate::app::session::panel_sets::PanelSet;
use crate::app::session::{KeptPlace, Link};

/// A command of the window, called by key, menu or palette.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Command {
    /// Opens an image by a file dialog.
    Open,
    /// Lists recently opened files.
    OpenRecent,
    /// Reads the focused panel's file again.
    Reload,
    /// Opens the next file of the folder.
    NextFile,
    /// Opens the previous file of the folder.
    PreviousFile,
    /// Reverts the last undo step.
    Undo,
    /// Repeats the step that was undone last.
    Redo,
    /// Opens the clipboard's picture or file.
    Paste,
    /// Saves the focused panel.
    SavePanel,
    /// Saves all panels as one figure.
    SaveFigure,
    /// Copies the focused panel's picture.
    CopyPicture,
    /// Copies the command lines that render the panels.
    CopyCommands,
    /// Opens a session.
    OpenSession,
    /// Saves the session.
    SaveSession,
    /// Lists all commands.
    Palette,
    /// Shows the settings.
    Settings,
    /// Shows or hides frame times.
    Timing,
    /// Opens the block sweep.
    BlockSweep,
    /// Shows the next open image.
    NextImage,
    /// Shows the previous open image.
    PreviousImage,
    /// Shows the image that was shown before, and back.
    AlternateImage,
    /// Lists the open images.
    FindImage,
    /// Closes the focused panel's image.
    CloseImage,
    /// Moves the focused panel's image on in the list (`true`) or back.
    MoveImage(bool),
    /// Names the file of the focused panel's image, which cannot be opened.
    LocateImage,
    /// Shows the synthetic images.
    TestPictures,
    /// Opens the pages of the focused panel's image as a volume.
    PagesAsVolume,
    /// Selects what views keep when their panels change to an image of another size.
    KeepPlace(KeptPlace),
    /// Writes the plot of the drawer to a file.
    SavePlot,
    /// Closes the window.
    Quit,
    /// Zooms in to the next round scale.
    ZoomIn,
    /// Zooms out to the next round scale.
    ZoomOut,
    /// Zooms in by a small factor.
    ZoomInFine,
    /// Zooms out by a small factor.
    ZoomOutFine,
    /// Shows the whole image.
    Fit,
    /// Shows a sample as this many pixels.
    Times(u8),
    /// Shows the finest detail of the focused panel's image.
    ShowDetail,
    /// Returns to the view left last.
    Back,
    /// Moves the image back into the panel, at the same scale.
    ReturnToImage,
    /// Sets the angle of the view to 0°.
    Upright,
    /// Gives both axes of the view the scale along x.
    SquarePixels,
    /// Turns the view by a quarter.
    Turn(QuarterTurn),
    /// Pans along one axis.
    Pan(Pan),
    /// Focuses the next panel.
    NextPanel,
    /// Focuses the previous panel.
    PreviousPanel,
    /// Adds a panel with the next method that no panel shows.
    AddPanel,
    /// Adds a copy of the focused panel.
    DuplicatePanel,
    /// Closes the focused panel.
    ClosePanel,
    /// Gives all panels the settings of the focused one, but for their methods.
    ShareSettings,
    /// Swaps the focused panel with the next one.
    SwapNext,
    /// Swaps the focused panel with the previous one.
    SwapPrevious,
    /// Replaces the panels by a set of panels.
    Arrange(PanelSet),
    /// Selects the next link mode.
    NextLink,
    /// Selects a link mode.
    Link(Link),
    /// Shows each panel in an area of its own.
    SideBySide,
    /// Shows two panels with a wipe line between them.
    Wipe,
    /// Turns the wipe line by 90°.
    TurnWipe,
    /// Moves the wipe line forwards (`true`) or back.
    MoveWipe(bool),
    /// Shows the difference of two panels.
    Difference,
    /// Switches between signed and absolute difference.
    ToggleAbsolute,
    /// Doubles the difference's gain, or the flicker rate.
    MoreGain,
    /// Halves the difference's gain, or the flicker rate.
    LessGain,
    /// Switches between the automatic gain of the difference and the present gain as a fixed one.
    ToggleAutomaticGain,
    /// Selects the next colour map of the difference.
    NextDifferenceMap,
    /// Swaps the roles of the compared panels.
    ExchangePair,
    /// Shows the other compared panel in the focused panel's area, or the focused panel again. Called by a tap of its key.
    Flip,
    /// Starts or stops periodic flips.
    Flicker,
    /// Marks the pointer's position in the other panels, or not.
    ToggleCrosshair,
    /// Switches between grid and row.
    NextLayout,
    /// Shows the focused panel alone, or all panels.
    Maximize,
    /// Selects the focused panel's next method.
    NextMethod,
    /// Selects the focused panel's previous method.
    PreviousMethod,
    /// Has the focused panel show the truth, or its method again.
    ToggleTruth,
    /// Switches between the texture unit's sampling path and the exact one.
    TogglePath,
    /// Enables or disables the prefilter.
    TogglePrefilter,
    /// Selects the next address mode on both axes.
    NextAddress,
    /// Selects the next address mode along x.
    NextAddressX,
    /// Selects the next address mode along y.
    NextAddressY,
    /// Lists filters to add to the focused panel.
    AddFilter,
    /// Disables or enables the focused panel's filters.
    ToggleFilters,
    /// Removes the focused panel's filters.
    ResetFilters,
    /// A command of the inspection tools.
    Inspect(InspectCommand),
    /// A command of the lessons.
    Lesson(LessonCommand),
    /// Shows the image's next page.
    NextPage,
    /// Shows the image's previous page.
    PreviousPage,
    /// Moves a volume that changes to the next time.
    NextTime,
    /// Moves a volume that changes to the previous time.
    PreviousTime,
    /// Hides or shows everything but the pictures.
    ToggleChrome,
    /// Starts or ends the presentation.
    Present,
    /// Hides or shows the side bar.
    ToggleSideBar,
    /// Selects the next theme.
    NextTheme,
    /// Moves the keyboard's focus to the next region of the window (`true`) or the previous one.
    FocusRegion(bool),
    /// Sets a value. It has no row: menus and the palette list choices by [`Choice`].
    Choose(Choice),
    /// Shows the list of keys.
    Help,
    /// Closes what is open.
    Leave,
}

impl Command {
    /// Whether its keys call it only while a lesson runs. They may be the keys of another command at other times.
    pub(in crate::app) fn is_of_running_lesson(self) -> bool {
        matches!(self, Self::Lesson(command) if lesson_command::is_of_running(command))
    }
}

/// A pan by key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pan {
    /// Its distance.
    pub step: PanStep,
    /// Its axis: 0 is x, 1 is y.
    pub axis: usize,
    /// Its direction: right or down, as opposed to left or up.
    pub forwards: bool,
}

/// A turn of the view by a quarter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuarterTurn {
    /// By 90° counter-clockwise.
    Left,
    /// By 90° clockwise.
    Right,
}

/// Distance of a pan by key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PanStep {
    /// A tenth of the panel.
    Tenth,
    /// One sample of the image.
    Sample,
    /// A sixteenth of a sample.
    Sixteenth,
}

/// The menu that contains a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Menu {
    /// Files.
    File,
    /// Open images, pages and files of the folder, within *File*.
    GoTo,
    /// Decimations of the image, within *File*.
    Decimations,
    /// Undo and the clipboard.
    Edit,
    /// Views.
    View,
    /// Scales, within *View*.
    Scale,
    /// Planes of a volume, within *View*.
    Planes,
    /// The focused panel.
    Panel,
    /// Components of complex numbers, within *Panel*.
    Components,
    /// Methods, within *Panel*.
    Methods,
    /// Address modes of both axes, within *Panel*.
    Address,
    /// Address modes along x, within *Address mode*.
    AddressX,
    /// Address modes along y, within *Address mode*.
    AddressY,
    /// Sampling paths, within *Panel*.
    Sampling,
    /// Sets of panels, within *Panel*.
    PanelSets,
    /// Link modes, within *Panel*.
    Links,
    /// The focused panel's filters, within *Panel*.
    Filters,
    /// Comparisons.
    Compare,
    /// Inspection tools.
    Inspect,
    /// Tools of the laboratory, within *Inspect*.
    Laboratory,
    /// Lenses on the interpolated field, within *Inspect*.
    Lenses,
    /// The display mapping, within *Inspect*.
    Display,
    /// Units of displayed values, within *Inspect*.
    Units,
    /// Conventions of displayed positions, within *Inspect*.
    Coordinates,
    /// The window.
    Window,
    /// The lesson that runs, within *Window*.
    Lesson,
    /// No menu: the command has keys alone.
    None,
}

impl Menu {
    /// Whether its commands and values change the focused panel.
    pub(in crate::app) fn is_of_panel(self) -> bool {
        match self {
            Self::Panel
            | Self::Methods
            | Self::Address
            | Self::AddressX
            | Self::AddressY
            | Self::Sampling
            | Self::Components
            | Self::Filters => true,
            Self::File
            | Self::GoTo
            | Self::Decimations
            | Self::Edit
            | Self::View
            | Self::Scale
            | Self::Planes
            | Self::PanelSets
            | Self::Links
            | Self::Compare
            | Self::Inspect
            | Self::Lenses
            | Self::Laboratory
            | Self::Display
            | Self::Units
            | Self::Coordinates
            | Self::Window
            | Self::Lesson
            | Self::None => false,
        }
    }
}

/// Description of a command.
#[derive(Clone, Copy, Debug)]
pub struct CommandRow {
    /// The command.
    pub command: Command,
    /// Its name in settings files.
    pub id: &'static str,
    /// Its title in menus.
    pub title: &'static str,
    /// Its default keys.
    pub keys: &'static [Chord],
    /// Its menu.
    pub menu: Menu,
    /// Whether a line separates it from the commands before it in its menu.
    pub opens_group: bool,
    /// Its help, one line. Consecutive rows with the same help are one line of the documentation's table of keys.
    pub help: &'static str,
    /// Its title in the list of keys. Consecutive rows with the same title are one line.
    pub line: &'static str,
}

impl CommandRow {
    /// This row below a line in its menu.
    pub(super) const fn opening_group(mut self) -> Self {
        self.opens_group = true;
        self
    }

    /// This row in another menu.
    pub(super) const fn within(mut self, menu: Menu) -> Self {
        self.menu = menu;
        self
    }

    /// This row with the title `line` in the list of keys, which it shares with its neighbours.
    pub(super) const fn in_line(mut self, line: &'static str) -> Self {
        self.line = line;
        self
    }
}

/// The menu of a row and its help.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) menu: Menu,
    pub(super) help: &'static str,
}

pub(super) const fn entry(menu: Menu, help: &'static str) -> Entry {
    Entry { menu, help }
}

pub(super) const fn row(
    command: Command,
    id: &'static str,
    title: &'static str,
    keys: &'static [Chord],
    entry: Entry,
) -> CommandRow {
    CommandRow { command, id, title, keys, menu: entry.menu, opens_group: false, help: entry.help, line: title }
}
