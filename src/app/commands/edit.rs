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
        entry(Menu::Edit, "Takes back what was set last, in any panel; views go back by a key of their own"),
    ),
    row(
        Command::Redo,
        "redo",
        "Redo",
        &[ctrl_shift(Key::Z), ctrl(Key::Y)],
        entry(Menu::Edit, "Does again what was undone"),
    ),
    row(
        Command::CopyPicture,
        "copy-picture",
        "Copy picture",
        &[ctrl(Key::C)],
        entry(Menu::Edit, "Copies the focused panel's picture to the clipboard"),
    ),
    row(
        Command::CopyCommands,
        "copy-commands",
        "Copy as command line",
        &[ctrl_shift(Key::C)],
        entry(Menu::Edit, "Copies the commands that give every panel's picture again"),
    ),
    row(
        Command::Paste,
        "paste",
        "Paste",
        &[ctrl(Key::V)],
        entry(Menu::Edit, "Opens the picture, or the file, that the clipboard has"),
    ),
];
