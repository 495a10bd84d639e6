//! Commands of undo and the clipboard.

use egui::Key;

use super::chord::{ctrl, ctrl_shift};
use super::command::{Command, CommandRow, Menu, entry, row};

/// The rows, in menu order.
pub(super) const ROWS: &[CommandRow] = &[
    row(
        Command::Undo,
        "undo",
        "Undo",
        &[ctrl(Key::Z)],
        entry(Menu::Edit, "Reverts the last change of a setting, in any panel; views have a history of their own"),
    ),
    row(
        Command::Redo,
        "redo",
        "Redo",
        &[ctrl_shift(Key::Z), ctrl(Key::Y)],
        entry(Menu::Edit, "Repeats the change that was undone last"),
    ),
    row(
        Command::CopyPicture,
        "copy-picture",
        "Copy picture",
        &[ctrl(Key::C)],
        entry(Menu::Edit, "Copies the focused panel's picture to the clipboard"),
    )
    .opening_group(),
    row(
        Command::CopyCommands,
        "copy-commands",
        "Copy as command line",
        &[ctrl_shift(Key::C)],
        entry(Menu::Edit, "Copies the command lines that render every panel's picture and make a figure of them"),
    ),
    row(
        Command::Paste,
        "paste",
        "Paste",
        &[ctrl(Key::V)],
        entry(Menu::Edit, "Opens the picture or the file in the clipboard"),
    ),
];
