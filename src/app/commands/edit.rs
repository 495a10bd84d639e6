//! What was done, and the clipboard.

use egui::Key;

use super::chord::{ctrl, ctrl_shift};
use super::{Command, CommandRow, Menu, row};

/// The rows, in the order of menus.
pub(super) const ROWS: &[CommandRow] = &[
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
];
