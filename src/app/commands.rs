//! Every command is a row: menus, keys, the overlay and tooltips come from [`COMMANDS`].

use std::fmt;
use std::str::FromStr;

use egui::{InputState, Key, Modifiers};

use super::arrangements::{ARRANGEMENTS, Arrangement};
use super::inspect::Ask;
use super::keys;
use super::session::{LINKS, Link};

/// What can be asked by key or menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Choose a file.
    Open,
    /// Choose among the files opened last.
    OpenRecent,
    /// Read the file again.
    Reload,
    /// The next file in the folder.
    NextFile,
    /// The previous file in the folder.
    PreviousFile,
    /// What was set last as it was before.
    Undo,
    /// What was undone last once more.
    Redo,
    /// Open what the clipboard has.
    Paste,
    /// Save the focused panel.
    SavePanel,
    /// Save all panels as one figure.
    SaveFigure,
    /// The focused panel's picture to the clipboard.
    CopyPicture,
    /// The commands that give the panels to the clipboard.
    CopyCommands,
    /// Choose a session.
    OpenSession,
    /// Save the session.
    SaveSession,
    /// Find a command by its name.
    Palette,
    /// What the program remembers.
    Settings,
    /// How long frames take.
    Timing,
    /// Which block shape suits which kernel.
    Race,
    /// The next open image.
    NextImage,
    /// The previous open image.
    PreviousImage,
    /// Close the window.
    Quit,
    /// To the next larger snap step.
    ZoomIn,
    /// To the next smaller snap step.
    ZoomOut,
    /// A little larger.
    ZoomInFine,
    /// A little smaller.
    ZoomOutFine,
    /// The whole image.
    Fit,
    /// This many pixels a sample.
    Times(u8),
    /// The view left last.
    Back,
    /// Moves the view along an axis (0: x, 1: y).
    Pan(Step, usize, bool),
    /// The focus goes to the next panel.
    NextPanel,
    /// The focus goes to the previous panel.
    PreviousPanel,
    /// Another panel like the focused one.
    AddPanel,
    /// The focused panel goes.
    ClosePanel,
    /// The focused panel and the next change places.
    SwapNext,
    /// The focused panel and the previous change places.
    SwapPrevious,
    /// Another set of panels.
    Arrange(Arrangement),
    /// The next way of moving together.
    NextLink,
    /// This way of moving together.
    Link(Link),
    /// Each panel in a place of its own.
    SideBySide,
    /// Two panels and a line between them.
    Wipe,
    /// The line upright or lying.
    TurnWipe,
    /// The line moves on, or back.
    MoveWipe(bool),
    /// One panel minus another.
    Difference,
    /// The difference with or without its sign.
    ToggleAbsolute,
    /// The difference twice as large.
    MoreGain,
    /// The difference half as large.
    LessGain,
    /// The next colours of the difference.
    NextDifferenceMap,
    /// The two that are compared change roles.
    ExchangePair,
    /// The focused panel's place shows the other panel, or its own again; by a tap of the space bar.
    Flip,
    /// That by itself, again and again.
    Flicker,
    /// The pointer's place in the other panels, or not.
    ToggleGhost,
    /// Grid or row.
    NextLayout,
    /// The focused panel alone, or all.
    Maximise,
    /// The focused panel's next method.
    NextMethod,
    /// The focused panel's previous method.
    PreviousMethod,
    /// The texture unit's arithmetic or the exact one.
    TogglePath,
    /// Samples or B-spline coefficients.
    TogglePrefilter,
    /// The next address mode on both axes.
    NextAddress,
    /// The next address mode along x.
    NextAddressX,
    /// The next address mode along y.
    NextAddressY,
    /// Choose a filter for the focused panel.
    AddFilter,
    /// The focused panel's filters off, or on.
    ToggleFilters,
    /// No filters in the focused panel.
    ResetFilters,
    /// What the tools for looking closely are asked.
    Inspect(Ask),
    /// The next page of the image.
    NextPage,
    /// The previous page of the image.
    PreviousPage,
    /// Pictures only, or everything.
    ToggleChrome,
    /// Panels and their names on the whole screen.
    Present,
    /// System, light, dark.
    NextTheme,
    /// The keys.
    Help,
    /// Out of what is open.
    Leave,
}

/// How far an arrow key goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A tenth of the panel.
    Tenth,
    /// One sample of the image.
    Sample,
    /// A sixteenth of a sample.
    Sixteenth,
}

/// A key with what is held down beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chord {
    key: Key,
    modifiers: Modifiers,
}

/// Where a command stands in the menus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Menu {
    /// Files.
    File,
    /// What was done, and the clipboard.
    Edit,
    /// Where the view is.
    View,
    /// The scales of the *View* menu.
    Scale,
    /// The focused panel.
    Panel,
    /// The sets of panels, within the *Panel* menu.
    Arrangements,
    /// How panels move together, within the *Panel* menu.
    Links,
    /// The focused panel's filters, within the *Panel* menu.
    Filters,
    /// Panels against each other.
    Compare,
    /// Looking closely.
    Inspect,
    /// The window.
    Window,
    /// By key only.
    None,
}

/// All that is known of a command.
#[derive(Debug)]
pub struct CommandRow {
    /// Which one.
    pub command: Command,
    /// Its name in files.
    pub id: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// The keys that call it.
    pub keys: &'static [Chord],
    /// Its menu.
    pub menu: Menu,
    /// One line on what it does; rows in a row with the same line stand as one in the overlay.
    pub help: &'static str,
}

const fn key(key: Key) -> Chord {
    Chord { key, modifiers: Modifiers::NONE }
}

const fn shift(key: Key) -> Chord {
    Chord { key, modifiers: Modifiers::SHIFT }
}

const fn ctrl(key: Key) -> Chord {
    Chord { key, modifiers: Modifiers::COMMAND }
}

const fn ctrl_shift(key: Key) -> Chord {
    Chord { key, modifiers: Modifiers::COMMAND.plus(Modifiers::SHIFT) }
}

const fn row(
    command: Command,
    id: &'static str,
    title: &'static str,
    keys: &'static [Chord],
    place: (Menu, &'static str),
) -> CommandRow {
    CommandRow { command, id, title, keys, menu: place.0, help: place.1 }
}

const fn arrange(arrangement: Arrangement) -> CommandRow {
    let row_ = &ARRANGEMENTS[arrangement as usize];
    row(Command::Arrange(arrangement), row_.name, row_.title, &[], (Menu::Arrangements, row_.help))
}

const fn link(link: Link, id: &'static str) -> CommandRow {
    let row_ = &LINKS[link as usize];
    row(Command::Link(link), id, row_.title, &[], (Menu::Links, row_.help))
}

const fn inspect(
    ask: Ask,
    id: &'static str,
    title: &'static str,
    keys: &'static [Chord],
    help: &'static str,
) -> CommandRow {
    row(Command::Inspect(ask), id, title, keys, (Menu::Inspect, help))
}

const TENTH: (Menu, &str) = (Menu::None, "Moves by a tenth of the panel");
const SAMPLE: (Menu, &str) = (Menu::None, "Moves by one sample of the image");
const SIXTEENTH: (Menu, &str) = (Menu::None, "Moves by 1/16 of a sample");
const TIMES: (Menu, &str) = (Menu::Scale, "Shows a sample as 2 to 9 pixels, on whole pixels");

/// The commands, in the order of menus and overlay.
pub static COMMANDS: &[CommandRow] = &[
    row(Command::Open, "open", "Open…", &[ctrl(Key::O)], (Menu::File, "Opens an image")),
    row(
        Command::OpenRecent,
        "open-recent",
        "Open recent…",
        &[ctrl_shift(Key::O)],
        (Menu::File, "Opens one of the files that were opened last"),
    ),
    row(Command::Reload, "reload", "Reload", &[ctrl(Key::R)], (Menu::File, "Reads the image's file again")),
    row(
        Command::NextFile,
        "next-file",
        "Next file in folder",
        &[ctrl_shift(Key::PageDown)],
        (Menu::File, "Opens the next or the previous file of the folder in the image's place"),
    ),
    row(
        Command::PreviousFile,
        "previous-file",
        "Previous file in folder",
        &[ctrl_shift(Key::PageUp)],
        (Menu::File, "Opens the next or the previous file of the folder in the image's place"),
    ),
    row(
        Command::SavePanel,
        "save-panel",
        "Save panel…",
        &[ctrl(Key::S)],
        (Menu::File, "Saves the focused panel as it is seen, or larger"),
    ),
    row(
        Command::SaveFigure,
        "save-figure",
        "Save figure…",
        &[ctrl_shift(Key::S)],
        (Menu::File, "Saves all panels as one picture with their names"),
    ),
    row(
        Command::OpenSession,
        "open-session",
        "Open session…",
        &[],
        (Menu::File, "Opens images, panels and views that were saved"),
    ),
    row(
        Command::SaveSession,
        "save-session",
        "Save session…",
        &[],
        (Menu::File, "Saves images, panels and views, to go on another day"),
    ),
    row(
        Command::NextImage,
        "next-image",
        "Next image",
        &[key(Key::PageDown)],
        (Menu::File, "Goes through the open images"),
    ),
    row(
        Command::PreviousImage,
        "previous-image",
        "Previous image",
        &[key(Key::PageUp)],
        (Menu::File, "Goes through the open images"),
    ),
    row(
        Command::NextPage,
        "next-page",
        "Next page",
        &[ctrl(Key::PageDown)],
        (Menu::File, "Goes through the pages of the image"),
    ),
    row(
        Command::PreviousPage,
        "previous-page",
        "Previous page",
        &[ctrl(Key::PageUp)],
        (Menu::File, "Goes through the pages of the image"),
    ),
    row(Command::Quit, "quit", "Quit", &[ctrl(Key::Q)], (Menu::File, "Closes the window")),
    row(
        Command::Undo,
        "undo",
        "Undo",
        &[ctrl(Key::Z)],
        (Menu::Edit, "Takes back what was set last, in any panel; views go back by a key of their own"),
    ),
    row(Command::Redo, "redo", "Redo", &[ctrl_shift(Key::Z), ctrl(Key::Y)], (Menu::Edit, "Does again what was undone")),
    row(
        Command::CopyPicture,
        "copy-picture",
        "Copy picture",
        &[ctrl(Key::C)],
        (Menu::Edit, "Copies the focused panel's picture to the clipboard"),
    ),
    row(
        Command::CopyCommands,
        "copy-commands",
        "Copy as command line",
        &[ctrl_shift(Key::C)],
        (Menu::Edit, "Copies the commands that give every panel's picture again"),
    ),
    row(
        Command::Paste,
        "paste",
        "Paste",
        &[ctrl(Key::V)],
        (Menu::Edit, "Opens the picture, or the file, that the clipboard has"),
    ),
    row(
        Command::ZoomIn,
        "zoom-in",
        "Zoom in",
        &[key(Key::Plus), key(Key::Equals)],
        (Menu::View, "Zooms in to the next round scale"),
    ),
    row(
        Command::ZoomOut,
        "zoom-out",
        "Zoom out",
        &[key(Key::Minus)],
        (Menu::View, "Zooms out to the next round scale"),
    ),
    row(
        Command::ZoomInFine,
        "zoom-in-fine",
        "Zoom in a little",
        &[ctrl(Key::Plus), ctrl(Key::Equals)],
        (Menu::None, "Zooms by ×1.02"),
    ),
    row(
        Command::ZoomOutFine,
        "zoom-out-fine",
        "Zoom out a little",
        &[ctrl(Key::Minus)],
        (Menu::None, "Zooms by ×1.02"),
    ),
    row(Command::Fit, "fit", "Fit", &[key(Key::F), key(Key::Num0)], (Menu::View, "Shows the whole image")),
    row(
        Command::Times(1),
        "scale-1",
        "100 %",
        &[key(Key::Num1)],
        (Menu::View, "Shows a sample as one pixel, on whole pixels"),
    ),
    row(Command::Times(2), "scale-2", "2×", &[key(Key::Num2)], TIMES),
    row(Command::Times(3), "scale-3", "3×", &[key(Key::Num3)], TIMES),
    row(Command::Times(4), "scale-4", "4×", &[key(Key::Num4)], TIMES),
    row(Command::Times(5), "scale-5", "5×", &[key(Key::Num5)], TIMES),
    row(Command::Times(6), "scale-6", "6×", &[key(Key::Num6)], TIMES),
    row(Command::Times(7), "scale-7", "7×", &[key(Key::Num7)], TIMES),
    row(Command::Times(8), "scale-8", "8×", &[key(Key::Num8)], TIMES),
    row(Command::Times(9), "scale-9", "9×", &[key(Key::Num9)], TIMES),
    row(Command::Back, "back", "Back", &[key(Key::Backspace)], (Menu::View, "Goes back to the view before")),
    row(Command::Pan(Step::Tenth, 0, false), "left", "Left", &[key(Key::ArrowLeft)], TENTH),
    row(Command::Pan(Step::Tenth, 0, true), "right", "Right", &[key(Key::ArrowRight)], TENTH),
    row(Command::Pan(Step::Tenth, 1, false), "up", "Up", &[key(Key::ArrowUp)], TENTH),
    row(Command::Pan(Step::Tenth, 1, true), "down", "Down", &[key(Key::ArrowDown)], TENTH),
    row(Command::Pan(Step::Sample, 0, false), "sample-left", "Left", &[shift(Key::ArrowLeft)], SAMPLE),
    row(Command::Pan(Step::Sample, 0, true), "sample-right", "Right", &[shift(Key::ArrowRight)], SAMPLE),
    row(Command::Pan(Step::Sample, 1, false), "sample-up", "Up", &[shift(Key::ArrowUp)], SAMPLE),
    row(Command::Pan(Step::Sample, 1, true), "sample-down", "Down", &[shift(Key::ArrowDown)], SAMPLE),
    row(Command::Pan(Step::Sixteenth, 0, false), "sixteenth-left", "Left", &[ctrl(Key::ArrowLeft)], SIXTEENTH),
    row(Command::Pan(Step::Sixteenth, 0, true), "sixteenth-right", "Right", &[ctrl(Key::ArrowRight)], SIXTEENTH),
    row(Command::Pan(Step::Sixteenth, 1, false), "sixteenth-up", "Up", &[ctrl(Key::ArrowUp)], SIXTEENTH),
    row(Command::Pan(Step::Sixteenth, 1, true), "sixteenth-down", "Down", &[ctrl(Key::ArrowDown)], SIXTEENTH),
    row(
        Command::NextMethod,
        "next-method",
        "Next method",
        &[key(Key::K)],
        (Menu::Panel, "Changes the focused panel's method"),
    ),
    row(
        Command::PreviousMethod,
        "previous-method",
        "Previous method",
        &[shift(Key::K)],
        (Menu::Panel, "Changes the focused panel's method"),
    ),
    row(
        Command::NextAddress,
        "next-address",
        "Next address mode",
        &[key(Key::A)],
        (Menu::Panel, "Changes what lies beyond the edges"),
    ),
    row(
        Command::NextAddressX,
        "next-address-x",
        "Next address mode, x",
        &[shift(Key::A)],
        (Menu::Panel, "Changes what lies beyond the left and right edges"),
    ),
    row(
        Command::NextAddressY,
        "next-address-y",
        "Next address mode, y",
        &[ctrl_shift(Key::A)],
        (Menu::Panel, "Changes what lies beyond the top and bottom edges"),
    ),
    row(
        Command::TogglePrefilter,
        "prefilter",
        "Prefilter",
        &[key(Key::P)],
        (Menu::Panel, "Makes the B-spline pass through the samples, or smooth them"),
    ),
    row(
        Command::TogglePath,
        "path",
        "Texture unit or exact",
        &[key(Key::T)],
        (Menu::Panel, "Interpolates in the texture unit's steps of 1/256, or exactly"),
    ),
    row(
        Command::NextPanel,
        "next-panel",
        "Next panel",
        &[ctrl(Key::Tab)],
        (Menu::Panel, "Moves the focus to another panel"),
    ),
    row(
        Command::PreviousPanel,
        "previous-panel",
        "Previous panel",
        &[ctrl_shift(Key::Tab)],
        (Menu::None, "Moves the focus to another panel"),
    ),
    row(
        Command::Maximise,
        "maximise",
        "Maximise",
        &[key(Key::X)],
        (Menu::Panel, "Shows the focused panel alone, or all"),
    ),
    row(
        Command::AddPanel,
        "add-panel",
        "Add a panel",
        &[ctrl(Key::N)],
        (Menu::Panel, "Adds a panel like the focused one, up to nine"),
    ),
    row(Command::ClosePanel, "close-panel", "Close", &[ctrl(Key::W)], (Menu::Panel, "Closes the focused panel")),
    row(
        Command::SwapNext,
        "swap-next",
        "Move on",
        &[ctrl_shift(Key::ArrowRight)],
        (Menu::Panel, "Lets the focused panel change places with its neighbour"),
    ),
    row(
        Command::SwapPrevious,
        "swap-previous",
        "Move back",
        &[ctrl_shift(Key::ArrowLeft)],
        (Menu::Panel, "Lets the focused panel change places with its neighbour"),
    ),
    arrange(Arrangement::Four),
    arrange(Arrangement::AddressModes),
    arrange(Arrangement::FilteredExact),
    arrange(Arrangement::Prefilter),
    arrange(Arrangement::AllMethods),
    row(
        Command::AddFilter,
        "add-filter",
        "Add a filter…",
        &[ctrl(Key::F)],
        (Menu::Filters, "Adds a filter to the focused panel, on samples or on pixels"),
    ),
    row(
        Command::ToggleFilters,
        "filters",
        "Filters off",
        &[shift(Key::F)],
        (Menu::Filters, "Switches all filters of the focused panel off, or on as they were"),
    ),
    row(
        Command::ResetFilters,
        "reset-filters",
        "Reset filters",
        &[],
        (Menu::Filters, "Takes all filters of the focused panel away"),
    ),
    row(
        Command::NextLink,
        "next-link",
        "Next link",
        &[ctrl(Key::U)],
        (Menu::Links, "Panels show the same, move alike with their own offsets, or move by themselves"),
    ),
    link(Link::Absolute, "link-absolute"),
    link(Link::Relative, "link-relative"),
    link(Link::Off, "link-off"),
    row(
        Command::SideBySide,
        "side-by-side",
        "Side by side",
        &[key(Key::S)],
        (Menu::Compare, "Shows every panel in a place of its own"),
    ),
    row(
        Command::Wipe,
        "wipe",
        "Wipe",
        &[key(Key::W)],
        (Menu::Compare, "Shows the focused panel and the next in one place, with a line between them to drag"),
    ),
    row(
        Command::Difference,
        "difference",
        "Difference",
        &[key(Key::D)],
        (Menu::Compare, "Shows the focused panel minus the next, at full precision"),
    ),
    row(
        Command::ExchangePair,
        "exchange-pair",
        "Exchange the two",
        &[ctrl(Key::E)],
        (Menu::Compare, "Exchanges the two that are compared"),
    ),
    row(
        Command::Flip,
        "flip",
        "Flip",
        &[key(Key::Space)],
        (Menu::Compare, "A tap shows the next panel in the focused one's place, another tap the panel itself"),
    ),
    row(
        Command::Flicker,
        "flicker",
        "Flicker",
        &[shift(Key::Space)],
        (Menu::Compare, "Flips twice a second, until it is chosen again"),
    ),
    row(
        Command::TurnWipe,
        "turn-wipe",
        "Turn the wipe line",
        &[shift(Key::W)],
        (Menu::Compare, "Sets the wipe line upright or lays it down"),
    ),
    row(
        Command::MoveWipe(false),
        "wipe-back",
        "Wipe line back",
        &[key(Key::Comma)],
        (Menu::None, "Moves the wipe line"),
    ),
    row(Command::MoveWipe(true), "wipe-on", "Wipe line on", &[key(Key::Period)], (Menu::None, "Moves the wipe line")),
    row(
        Command::LessGain,
        "less-gain",
        "Less gain",
        &[key(Key::OpenBracket)],
        (Menu::Compare, "Halves or doubles the difference's gain, ×1 to ×4096; while panels flicker, its rate"),
    ),
    row(
        Command::MoreGain,
        "more-gain",
        "More gain",
        &[key(Key::CloseBracket)],
        (Menu::Compare, "Halves or doubles the difference's gain, ×1 to ×4096; while panels flicker, its rate"),
    ),
    row(
        Command::ToggleAbsolute,
        "absolute-difference",
        "Absolute difference",
        &[shift(Key::D)],
        (Menu::Compare, "Drops the difference's sign, or keeps it"),
    ),
    row(
        Command::NextDifferenceMap,
        "difference-colours",
        "Next colours of the difference",
        &[],
        (Menu::Compare, "Changes the difference's colour map"),
    ),
    row(
        Command::ToggleGhost,
        "ghost-cursor",
        "Cursor in every panel",
        &[],
        (Menu::Compare, "Marks the pointer's place in the image in the other panels"),
    ),
    inspect(
        Ask::Values,
        "values",
        "Values in pixels",
        &[key(Key::V)],
        "Writes the samples' values into pixels that are large enough",
    ),
    inspect(Ask::Grid, "grid", "Grid", &[key(Key::G)], "Draws lines between the samples where they are large enough"),
    inspect(
        Ask::Unit,
        "unit",
        "Next unit",
        &[key(Key::U)],
        "Reads values as the file's numbers, 0 … 1, 0 … 255 or more",
    ),
    inspect(
        Ask::Loupe,
        "loupe",
        "Loupe",
        &[key(Key::Z)],
        "Held down: enlarges the pixels under the cursor, in every panel",
    ),
    inspect(Ask::Ghosts, "ghosts", "Address ghosts", &[key(Key::B)], "Tints and names what lies outside the image"),
    inspect(Ask::Pin, "pin", "Pin", &[shift(Key::P)], "Keeps the place under the cursor, and its values, in sight"),
    inspect(Ask::ClearPins, "clear-pins", "Remove all pins", &[], "Takes all pins away"),
    inspect(
        Ask::Histogram,
        "histogram",
        "Histogram",
        &[key(Key::I)],
        "Counts the samples' values, of the image or a part",
    ),
    inspect(
        Ask::LogHistogram,
        "log-histogram",
        "Logarithmic histogram",
        &[shift(Key::I)],
        "Shows rare values in the histogram as well as common ones",
    ),
    inspect(Ask::ClearRegion, "clear-region", "Count the whole image", &[], "Counts all samples again, not a part"),
    inspect(
        Ask::Profile,
        "profile",
        "Line profile",
        &[key(Key::L)],
        "Then a drag draws a line: all panels' values along it",
    ),
    inspect(
        Ask::Clipping,
        "clipping",
        "Clipping warning",
        &[shift(Key::C)],
        "Marks pixels beyond white by rising stripes, below black by falling ones",
    ),
    inspect(
        Ask::Normalize,
        "normalize",
        "Normalize",
        &[key(Key::N)],
        "Puts black and white at the least and the greatest value seen",
    ),
    inspect(Ask::Exposure(true), "more-exposure", "Brighter", &[key(Key::E)], "Exposes by a quarter of a stop"),
    inspect(Ask::Exposure(false), "less-exposure", "Darker", &[shift(Key::E)], "Exposes by a quarter of a stop"),
    inspect(Ask::ResetShow, "reset-show", "Reset the display", &[key(Key::R)], "Shows values as they are"),
    row(
        Command::NextLayout,
        "layout",
        "Grid or row",
        &[ctrl(Key::L)],
        (Menu::Window, "Places the panels in a grid or a row"),
    ),
    row(
        Command::ToggleChrome,
        "chrome",
        "Pictures only",
        &[key(Key::H)],
        (Menu::Window, "Hides everything but the pictures, or shows it again"),
    ),
    row(
        Command::Present,
        "presentation",
        "Presentation",
        &[key(Key::F11)],
        (Menu::Window, "Fills the screen with the panels and their names in large type, for an audience"),
    ),
    row(Command::NextTheme, "theme", "Light, dark, as the system", &[], (Menu::Window, "Changes the colours")),
    row(
        Command::Palette,
        "palette",
        "Find a command…",
        &[ctrl_shift(Key::P)],
        (Menu::Window, "Finds any command by some of its letters"),
    ),
    row(
        Command::Timing,
        "timing",
        "Performance",
        &[ctrl_shift(Key::T)],
        (Menu::Window, "Shows how long frames take, and each panel of them"),
    ),
    row(
        Command::Race,
        "race",
        "Race…",
        &[],
        (Menu::Window, "Times kernels in blocks of different shapes, or on the CPU in bands of different heights"),
    ),
    row(
        Command::Settings,
        "settings",
        "Settings…",
        &[ctrl(Key::Comma)],
        (Menu::Window, "Changes what the program remembers"),
    ),
    row(Command::Help, "help", "Keys", &[key(Key::F1), key(Key::Questionmark)], (Menu::Window, "Shows this list")),
    row(Command::Leave, "leave", "Leave", &[key(Key::Escape)], (Menu::None, "Closes what is open")),
];

impl Command {
    /// This command's row.
    pub fn row(self) -> Option<&'static CommandRow> {
        COMMANDS.iter().find(|row| row.command == self)
    }

    /// Whether a key that is held down calls it again and again.
    pub(super) fn repeats(self) -> bool {
        !matches!(self, Self::Inspect(ask) if !super::inspect::repeats(ask))
    }

    /// Its first key, as people write it; empty where it has none.
    pub fn key_text(self) -> String {
        keys::in_force(|keys| keys.of(self).first().map(Chord::text)).unwrap_or_default()
    }

    /// What it does and its key, for a tooltip.
    pub fn tooltip(self) -> String {
        let help = self.row().map_or("", |row| row.help);
        let key = self.key_text();
        if key.is_empty() { help.to_owned() } else { format!("{help}  ({key})") }
    }
}

impl Chord {
    /// Whether a key event is this chord. Shift does not count for keys that some keyboards need it for; Alt always does,
    /// since it belongs to window managers.
    pub fn matches(&self, key: Key, held: Modifiers) -> bool {
        let shifted_anyway = matches!(self.key, Key::Plus | Key::Questionmark);
        key == self.key
            && !held.alt
            && held.command == self.modifiers.command
            && (shifted_anyway || held.shift == self.modifiers.shift)
    }

    /// Whether it is held down now.
    pub(super) fn is_held(&self, input: &InputState) -> bool {
        input.key_down(self.key) && self.matches(self.key, input.modifiers)
    }

    /// Whether it is an arrow key, which moves the keyboard's focus while a control has it.
    pub fn is_arrow(&self) -> bool {
        matches!(self.key, Key::ArrowLeft | Key::ArrowRight | Key::ArrowUp | Key::ArrowDown)
    }

    /// Whether it counts as it comes up again, since held it means something else.
    pub fn is_tapped(&self) -> bool {
        self.key == Key::Space && self.modifiers.is_none()
    }

    /// As people write it: `Ctrl+Shift+A`.
    pub fn text(&self) -> String {
        format!("{}{}", self.held_text(), self.key_name())
    }

    /// What is held down: `Ctrl+Shift+`.
    pub fn held_text(&self) -> String {
        let command = if cfg!(target_os = "macos") { "Cmd+" } else { "Ctrl+" };
        let held = [(self.modifiers.command, command), (self.modifiers.shift, "Shift+")];
        held.iter().filter(|(held, _)| *held).map(|(_, name)| *name).collect()
    }

    /// The key alone.
    pub fn key_name(&self) -> &'static str {
        match self.key {
            Key::ArrowLeft => "←",
            Key::ArrowRight => "→",
            Key::ArrowUp => "↑",
            Key::ArrowDown => "↓",
            Key::Questionmark => "?",
            Key::Escape => "Esc",
            Key::PageUp => "Page ↑",
            Key::PageDown => "Page ↓",
            key => key.symbol_or_name(),
        }
    }
}

impl fmt::Display for Chord {
    /// As a settings file has it, with names that every keyboard can type.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let held = [(self.modifiers.command, "Ctrl+"), (self.modifiers.shift, "Shift+")];
        let held: String = held.iter().filter(|(held, _)| *held).map(|(_, name)| *name).collect();
        write!(f, "{held}{}", self.key.name())
    }
}

impl FromStr for Chord {
    type Err = String;

    /// `Ctrl+Shift+P`, `PageUp`, `?`; Ctrl is Cmd on a Mac.
    fn from_str(text: &str) -> Result<Self, String> {
        let (mut rest, mut modifiers) = (text.trim(), Modifiers::NONE);
        let held = [("ctrl+", Modifiers::COMMAND), ("cmd+", Modifiers::COMMAND), ("shift+", Modifiers::SHIFT)];
        while let Some((name, modifier)) =
            held.iter().find(|(name, _)| rest.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name)))
        {
            modifiers = modifiers.plus(*modifier);
            rest = &rest[name.len()..];
        }
        let single = (rest.chars().count() == 1).then(|| rest.to_uppercase());
        let key = single.as_deref().and_then(Key::from_name).or_else(|| Key::from_name(rest));
        let key = key.ok_or_else(|| format!("'{text}' is no key; Ctrl+Shift+P is one"))?;
        Ok(Self { key, modifiers })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_rows_share_an_id_or_a_key() {
        for (index, a) in COMMANDS.iter().enumerate() {
            for b in &COMMANDS[index + 1..] {
                assert_ne!(a.id, b.id);
                assert!(a.keys.iter().all(|chord| !b.keys.contains(chord)), "{} and {}", a.id, b.id);
            }
        }
    }

    #[test]
    fn chords_are_exact_but_for_keys_that_need_shift() {
        let command_shift = Modifiers::COMMAND.plus(Modifiers::SHIFT);
        assert!(shift(Key::K).matches(Key::K, Modifiers::SHIFT));
        assert!(!key(Key::K).matches(Key::K, Modifiers::SHIFT));
        assert!(!key(Key::K).matches(Key::K, Modifiers::ALT));
        assert!(key(Key::Plus).matches(Key::Plus, Modifiers::SHIFT));
        assert!(ctrl_shift(Key::A).matches(Key::A, command_shift));
        assert_eq!(ctrl_shift(Key::A).text(), "Ctrl+Shift+A");
    }
}
