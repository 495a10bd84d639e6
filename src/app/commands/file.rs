//! Files, sessions and the images that are open.

use egui::Key;

use super::chord::{ctrl, ctrl_shift, key};
use super::{Command, CommandRow, Menu, row};

/// The rows, in the order of menus.
pub(super) const ROWS: &[CommandRow] = &[
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
];
