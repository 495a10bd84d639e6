//! Commands of files, sessions and open images.

use egui::Key;

use super::chord::{ctrl, ctrl_shift, key, shift};
use super::command::{Command, CommandRow, Menu, entry, row};

/// The rows, in menu order.
pub(super) const ROWS: &[CommandRow] = &[
    row(Command::Open, "open", "Open…", &[ctrl(Key::O)], entry(Menu::File, "Opens an image")),
    row(
        Command::OpenRecent,
        "open-recent",
        "Open recent…",
        &[ctrl_shift(Key::O)],
        entry(Menu::File, "Opens a recently opened file"),
    ),
    row(
        Command::TestPictures,
        "test-pictures",
        "Test pictures…",
        &[],
        entry(Menu::File, "Opens an image of a formula: zone plate, edge, star, checkerboard, impulses and others"),
    ),
    row(
        Command::PagesAsVolume,
        "pages-as-volume",
        "Pages as a volume",
        &[],
        entry(Menu::File, "Opens the pages of the image as slices of a volume, interpolated along all three axes"),
    ),
    row(Command::Reload, "reload", "Reload", &[ctrl(Key::R)], entry(Menu::File, "Reads the image's file again")),
    row(
        Command::LocateImage,
        "locate-image",
        "Locate missing image…",
        &[],
        entry(Menu::File, "Names the file of an image that a session did not find"),
    ),
    row(
        Command::SavePanel,
        "save-panel",
        "Save panel…",
        &[ctrl(Key::S)],
        entry(Menu::File, "Saves the focused panel's picture, at its size or larger"),
    )
    .opening_group(),
    row(
        Command::SaveFigure,
        "save-figure",
        "Save figure…",
        &[ctrl_shift(Key::S)],
        entry(Menu::File, "Saves all panels with their names as one picture"),
    ),
    row(
        Command::OpenSession,
        "open-session",
        "Open session…",
        &[],
        entry(Menu::File, "Opens saved images, panels and views"),
    )
    .opening_group(),
    row(
        Command::SaveSession,
        "save-session",
        "Save session…",
        &[],
        entry(Menu::File, "Saves images, panels and views in a session file"),
    ),
    row(
        Command::NextImage,
        "next-image",
        "Next image",
        &[key(Key::PageDown)],
        entry(Menu::GoTo, "Shows the next or the previous open image"),
    )
    .in_line("Next / previous image"),
    row(
        Command::PreviousImage,
        "previous-image",
        "Previous image",
        &[key(Key::PageUp)],
        entry(Menu::GoTo, "Shows the next or the previous open image"),
    )
    .in_line("Next / previous image"),
    row(
        Command::AlternateImage,
        "alternate-image",
        "Last image shown",
        &[key(Key::Backtick)],
        entry(Menu::GoTo, "Shows the image that was shown before; again, and the first one returns"),
    ),
    row(
        Command::FindImage,
        "find-image",
        "Image by letter…",
        &[key(Key::J)],
        entry(Menu::GoTo, "Shows an open image by its letter or its name"),
    ),
    row(
        Command::MoveImage(false),
        "move-image-up",
        "Move image up",
        &[],
        entry(Menu::None, "Moves the image in the list of open images"),
    ),
    row(
        Command::MoveImage(true),
        "move-image-down",
        "Move image down",
        &[],
        entry(Menu::None, "Moves the image in the list of open images"),
    ),
    row(
        Command::NextPage,
        "next-page",
        "Next page",
        &[ctrl(Key::PageDown)],
        entry(Menu::GoTo, "Shows the next or the previous page of the image, or slice of a volume"),
    )
    .opening_group()
    .in_line("Next / previous page"),
    row(
        Command::PreviousPage,
        "previous-page",
        "Previous page",
        &[ctrl(Key::PageUp)],
        entry(Menu::GoTo, "Shows the next or the previous page of the image, or slice of a volume"),
    )
    .in_line("Next / previous page"),
    row(
        Command::NextTime,
        "next-time",
        "Next time",
        &[shift(Key::PageDown)],
        entry(Menu::GoTo, "Shows the next or the previous time of a volume that changes"),
    )
    .in_line("Next / previous time"),
    row(
        Command::PreviousTime,
        "previous-time",
        "Previous time",
        &[shift(Key::PageUp)],
        entry(Menu::GoTo, "Shows the next or the previous time of a volume that changes"),
    )
    .in_line("Next / previous time"),
    row(
        Command::NextFile,
        "next-file",
        "Next file in folder",
        &[ctrl_shift(Key::PageDown)],
        entry(Menu::GoTo, "Replaces the image by the next or the previous file of its folder"),
    )
    .opening_group()
    .in_line("Next / previous file"),
    row(
        Command::PreviousFile,
        "previous-file",
        "Previous file in folder",
        &[ctrl_shift(Key::PageUp)],
        entry(Menu::GoTo, "Replaces the image by the next or the previous file of its folder"),
    )
    .in_line("Next / previous file"),
    row(
        Command::CloseImage,
        "close-image",
        "Close image",
        &[ctrl_shift(Key::W)],
        entry(Menu::File, "Closes the image; its panels show its neighbour"),
    )
    .opening_group(),
    row(Command::Quit, "quit", "Quit", &[ctrl(Key::Q)], entry(Menu::File, "Closes the window")),
];
