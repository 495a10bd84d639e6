//! Commands of lessons: their effects are the window's.

use super::notice::CommandNotice;
use crate::app::session::Session;

/// A command of the lessons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LessonCommand {
    /// Opens the list of lessons; closes the list or leaves the lesson.
    Lessons,
    /// Continues the lesson that was left last.
    Continue,
    /// Shows the next step.
    Next,
    /// Shows the previous step.
    Previous,
    /// Shows the first step.
    First,
    /// Shows the last step.
    Last,
    /// Shows the step as it was at first.
    Reset,
    /// Leaves the lesson.
    Leave,
    /// Opens a lesson of a file, or those of a folder.
    Open,
    /// Copies the session as a step of a lesson.
    CopyStep,
    /// Forgets which steps were seen and what was answered.
    Forget,
}

/// Whether its keys call `command` only while a lesson runs. They may be the keys of another command at other times.
pub(super) fn is_of_running(command: LessonCommand) -> bool {
    match command {
        LessonCommand::Next
        | LessonCommand::Previous
        | LessonCommand::First
        | LessonCommand::Last
        | LessonCommand::Reset
        | LessonCommand::Leave => true,
        LessonCommand::Lessons
        | LessonCommand::Continue
        | LessonCommand::Open
        | LessonCommand::CopyStep
        | LessonCommand::Forget => false,
    }
}

/// Whether a held key repeats `command`.
pub(super) fn repeats(command: LessonCommand) -> bool {
    matches!(command, LessonCommand::Next | LessonCommand::Previous)
}

/// Why `command` can do nothing now; `None` if it has an effect, or if only the window knows.
pub(super) fn obstacle(session: &Session, command: LessonCommand) -> Option<CommandNotice> {
    if !is_of_running(command) {
        return None;
    }
    let Some(place) = session.lesson() else { return Some(CommandNotice::NoLesson) };
    match command {
        LessonCommand::Next | LessonCommand::Last if place.step + 1 == place.count => Some(CommandNotice::LastStep),
        LessonCommand::Previous | LessonCommand::First if place.step == 0 => Some(CommandNotice::FirstStep),
        _ => None,
    }
}
