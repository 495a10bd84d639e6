//! Every command is a row: menus, keys, the overlay and tooltips come from [`COMMANDS`]. Rows stand by their topics, one
//! file each.

mod chord;
mod compare;
mod edit;
mod file;
mod inspect;
pub(in crate::app) mod keymap;
mod panel;
pub(in crate::app) mod perform;
mod view;
mod window;

pub use self::chord::Chord;

use super::inspect::Ask;
use super::session::Link;
use super::session::arrangements::Arrangement;

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
#[derive(Clone, Copy, Debug)]
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

const fn row(
    command: Command,
    id: &'static str,
    title: &'static str,
    keys: &'static [Chord],
    place: (Menu, &'static str),
) -> CommandRow {
    CommandRow { command, id, title, keys, menu: place.0, help: place.1 }
}

/// The topics, in the order of menus and overlay.
const TOPICS: [&[CommandRow]; 7] =
    [file::ROWS, edit::ROWS, view::ROWS, panel::ROWS, compare::ROWS, inspect::ROWS, window::ROWS];

const COUNT: usize = {
    let (mut count, mut topic) = (0, 0);
    while topic < TOPICS.len() {
        count += TOPICS[topic].len();
        topic += 1;
    }
    count
};

/// The commands, in the order of menus and overlay.
pub static COMMANDS: &[CommandRow] = &{
    let mut rows = [TOPICS[0][0]; COUNT];
    let (mut count, mut topic) = (0, 0);
    while topic < TOPICS.len() {
        let mut place = 0;
        while place < TOPICS[topic].len() {
            rows[count] = TOPICS[topic][place];
            (count, place) = (count + 1, place + 1);
        }
        topic += 1;
    }
    rows
};

impl Command {
    /// This command's row.
    pub fn row(self) -> Option<&'static CommandRow> {
        COMMANDS.iter().find(|row| row.command == self)
    }

    /// Whether a key that is held down calls it again and again: what moves or steps does, what switches, opens, adds or
    /// closes is done once.
    pub(super) fn repeats(self) -> bool {
        match self {
            Self::NextFile
            | Self::PreviousFile
            | Self::Undo
            | Self::Redo
            | Self::NextImage
            | Self::PreviousImage
            | Self::ZoomIn
            | Self::ZoomOut
            | Self::ZoomInFine
            | Self::ZoomOutFine
            | Self::Back
            | Self::Pan(..)
            | Self::NextPanel
            | Self::PreviousPanel
            | Self::SwapNext
            | Self::SwapPrevious
            | Self::MoveWipe(_)
            | Self::MoreGain
            | Self::LessGain
            | Self::NextMethod
            | Self::PreviousMethod
            | Self::NextAddress
            | Self::NextAddressX
            | Self::NextAddressY
            | Self::NextPage
            | Self::PreviousPage => true,
            Self::Inspect(ask) => crate::app::inspect::repeats(ask),
            Self::Open
            | Self::OpenRecent
            | Self::Reload
            | Self::Paste
            | Self::SavePanel
            | Self::SaveFigure
            | Self::CopyPicture
            | Self::CopyCommands
            | Self::OpenSession
            | Self::SaveSession
            | Self::Palette
            | Self::Settings
            | Self::Timing
            | Self::Race
            | Self::Quit
            | Self::Fit
            | Self::Times(_)
            | Self::AddPanel
            | Self::ClosePanel
            | Self::Arrange(_)
            | Self::NextLink
            | Self::Link(_)
            | Self::SideBySide
            | Self::Wipe
            | Self::TurnWipe
            | Self::Difference
            | Self::ToggleAbsolute
            | Self::NextDifferenceMap
            | Self::ExchangePair
            | Self::Flip
            | Self::Flicker
            | Self::ToggleGhost
            | Self::NextLayout
            | Self::Maximise
            | Self::TogglePath
            | Self::TogglePrefilter
            | Self::AddFilter
            | Self::ToggleFilters
            | Self::ResetFilters
            | Self::ToggleChrome
            | Self::Present
            | Self::NextTheme
            | Self::Help
            | Self::Leave => false,
        }
    }

    /// Its first key, as people write it; empty where it has none.
    pub fn key_text(self) -> String {
        keymap::in_force(|keys| keys.of(self).first().map(Chord::text)).unwrap_or_default()
    }

    /// What it does and its key, for a tooltip.
    pub fn tooltip(self) -> String {
        let help = self.row().map_or("", |row| row.help);
        let key = self.key_text();
        if key.is_empty() { help.to_owned() } else { format!("{help}  ({key})") }
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
}
