//! The rows of all commands.

use super::command::{Command, CommandRow};
use super::{compare, edit, file, inspect, inspect_command, laboratory, lesson, lesson_command, panel, view, window};
use crate::rows::rows;

/// Description of a topic.
#[derive(Debug)]
pub(in crate::app) struct TopicRow {
    /// The topic.
    pub(in crate::app) topic: Topic,
    /// Its heading in the list of keys.
    pub(in crate::app) title: &'static str,
    /// Its commands, in menu order.
    pub(in crate::app) commands: &'static [CommandRow],
}

rows! {
    /// A topic of commands and of pointer input: a group of the list of keys.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(in crate::app) enum Topic {
        /// Files, sessions and open images.
        File => { title: "File", commands: file::ROWS },
        /// Undo and the clipboard.
        Edit => { title: "Edit", commands: edit::ROWS },
        /// The view.
        View => { title: "View", commands: view::ROWS },
        /// The panels.
        Panel => { title: "Panel", commands: panel::ROWS },
        /// Comparisons.
        Compare => { title: "Compare", commands: compare::ROWS },
        /// Inspection tools.
        Inspect => { title: "Inspect", commands: inspect::ROWS },
        /// Tools of the laboratory.
        Laboratory => { title: "Laboratory", commands: laboratory::ROWS },
        /// The lessons.
        Lessons => { title: "Lessons", commands: lesson::ROWS },
        /// The window.
        Window => { title: "Window", commands: window::ROWS },
    }

    /// The topics, in menu order.
    pub(in crate::app) static TOPICS: [TopicRow { topic, .. }];
}

const COUNT: usize = {
    let (mut count, mut topic) = (0, 0);
    while topic < TOPICS.len() {
        count += TOPICS[topic].commands.len();
        topic += 1;
    }
    count
};

/// All commands, in menu order.
pub static COMMANDS: &[CommandRow] = &{
    let mut rows = [TOPICS[0].commands[0]; COUNT];
    let (mut count, mut topic) = (0, 0);
    while topic < TOPICS.len() {
        let mut place = 0;
        while place < TOPICS[topic].commands.len() {
            rows[count] = TOPICS[topic].commands[place];
            (count, place) = (count + 1, place + 1);
        }
        topic += 1;
    }
    rows
};

impl Command {
    /// Row of this command; `None` for values of a parameter that have no row.
    pub fn row(self) -> Option<&'static CommandRow> {
        COMMANDS.iter().find(|row| row.command == self)
    }

    /// Whether a held key repeats this command. Commands that move or step repeat; commands that switch, open, add or close
    /// do not.
    pub(in crate::app) fn repeats(self) -> bool {
        match self {
            Self::NextFile
            | Self::PreviousFile
            | Self::Undo
            | Self::Redo
            | Self::NextImage
            | Self::PreviousImage
            | Self::MoveImage(_)
            | Self::ZoomIn
            | Self::ZoomOut
            | Self::ZoomInFine
            | Self::ZoomOutFine
            | Self::Back
            | Self::FocusRegion(_)
            | Self::Pan(..)
            | Self::Turn(_)
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
            | Self::PreviousPage
            | Self::NextTime
            | Self::PreviousTime => true,
            Self::Inspect(ask) => inspect_command::repeats(ask),
            Self::Lesson(ask) => lesson_command::repeats(ask),
            Self::Open
            | Self::OpenRecent
            | Self::Reload
            | Self::Paste
            | Self::SavePanel
            | Self::SaveFigure
            | Self::SavePlot
            | Self::CopyPicture
            | Self::CopyCommands
            | Self::OpenSession
            | Self::SaveSession
            | Self::Palette
            | Self::Settings
            | Self::Timing
            | Self::BlockSweep
            | Self::AlternateImage
            | Self::FindImage
            | Self::CloseImage
            | Self::LocateImage
            | Self::TestPictures
            | Self::PagesAsVolume
            | Self::KeepPlace(_)
            | Self::Quit
            | Self::Fit
            | Self::ReturnToImage
            | Self::ShowDetail
            | Self::Upright
            | Self::SquarePixels
            | Self::Choose(_)
            | Self::Times(_)
            | Self::AddPanel
            | Self::DuplicatePanel
            | Self::ClosePanel
            | Self::ShareSettings
            | Self::Arrange(_)
            | Self::NextLink
            | Self::Link(_)
            | Self::SideBySide
            | Self::Wipe
            | Self::TurnWipe
            | Self::Difference
            | Self::ToggleAbsolute
            | Self::ToggleAutomaticGain
            | Self::NextDifferenceMap
            | Self::ExchangePair
            | Self::Flip
            | Self::Flicker
            | Self::ToggleCrosshair
            | Self::NextLayout
            | Self::Maximize
            | Self::ToggleTruth
            | Self::TogglePath
            | Self::TogglePrefilter
            | Self::AddFilter
            | Self::ToggleFilters
            | Self::ResetFilters
            | Self::ToggleChrome
            | Self::ToggleSideBar
            | Self::Present
            | Self::NextTheme
            | Self::Help
            | Self::Leave => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_distinct_ids_and_keys() {
        for (index, a) in COMMANDS.iter().enumerate() {
            for b in &COMMANDS[index + 1..] {
                assert_ne!(a.id, b.id);
                // While a lesson runs its keys are its own.
                let is_at_one_time = a.command.is_of_running_lesson() == b.command.is_of_running_lesson();
                let shares = a.keys.iter().any(|chord| b.keys.contains(chord));
                assert!(!(is_at_one_time && shares), "{} and {}", a.id, b.id);
            }
        }
    }
}
