//! Commands of lessons.

use egui::Key;

use super::chord::{Chord, key};
use super::command::{Command, CommandRow, Entry, Menu, entry, row};
use super::lesson_command::LessonCommand;

/// The keys that walk through a lesson, in the list of keys and in the documentation.
const WALK: Entry =
    entry(Menu::Lesson, "Shows the next or the previous step of the lesson; a presenter's remote does so too");
const ENDS: Entry = entry(Menu::Lesson, "Shows the first or the last step of the lesson");

const fn lesson(
    command: LessonCommand,
    id: &'static str,
    title: &'static str,
    keys: &'static [Chord],
    entry: Entry,
) -> CommandRow {
    row(Command::Lesson(command), id, title, keys, entry)
}

/// The rows, in menu order.
pub(super) const ROWS: &[CommandRow] = &[
    lesson(
        LessonCommand::Lessons,
        "lessons",
        "Lessons",
        &[key(Key::F2)],
        entry(Menu::Window, "Opens the list of lessons; again, and the window is as it was before"),
    ),
    lesson(LessonCommand::Next, "lesson-next", "Next step", &[key(Key::ArrowRight), key(Key::PageDown)], WALK)
        .in_line("Step on / back"),
    lesson(LessonCommand::Previous, "lesson-previous", "Previous step", &[key(Key::ArrowLeft), key(Key::PageUp)], WALK)
        .in_line("Step on / back"),
    lesson(LessonCommand::First, "lesson-first", "First step", &[key(Key::Home)], ENDS).in_line("First / last step"),
    lesson(LessonCommand::Last, "lesson-last", "Last step", &[key(Key::End)], ENDS).in_line("First / last step"),
    lesson(
        LessonCommand::Reset,
        "lesson-reset",
        "Reset step",
        &[],
        entry(Menu::Lesson, "Shows the step as it was before you changed it"),
    ),
    lesson(
        LessonCommand::Leave,
        "lesson-leave",
        "Leave lesson",
        &[],
        entry(Menu::Lesson, "Ends the lesson: the window is as it was before"),
    ),
    lesson(
        LessonCommand::Continue,
        "lesson-continue",
        "Continue lesson",
        &[],
        entry(Menu::Lesson, "Continues the lesson that you left last, at its step"),
    )
    .opening_group(),
    lesson(
        LessonCommand::Open,
        "lesson-open",
        "Open lesson…",
        &[],
        entry(Menu::Lesson, "Opens a lesson of your own: a TOML file, or a folder of them"),
    ),
    lesson(
        LessonCommand::CopyStep,
        "lesson-copy",
        "Copy as lesson step",
        &[],
        entry(Menu::Lesson, "Copies what the window shows as a step of a lesson's file"),
    ),
    lesson(
        LessonCommand::Forget,
        "lesson-forget",
        "Forget progress",
        &[],
        entry(Menu::Lesson, "Forgets which steps of the lessons you have seen, and your answers"),
    ),
];
