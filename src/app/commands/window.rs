//! Commands of the window.

use egui::Key;

use super::chord::{ctrl, ctrl_shift, key, shift};
use super::command::{Command, CommandRow, Menu, entry, row};

/// The rows, in menu order.
pub(super) const ROWS: &[CommandRow] = &[
    row(
        Command::Palette,
        "palette",
        "Find…",
        &[ctrl_shift(Key::P)],
        entry(Menu::Window, "Finds any command or value by some of its letters: lanczos3, mirror x, 8x, gamma 2.2"),
    ),
    row(Command::Help, "help", "Keys", &[key(Key::F1), key(Key::Questionmark)], entry(Menu::Window, "Shows this list")),
    row(
        Command::ToggleChrome,
        "chrome",
        "Pictures only",
        &[key(Key::H)],
        entry(Menu::Window, "Hides or shows everything but the pictures"),
    )
    .opening_group(),
    row(
        Command::ToggleSideBar,
        "side-bar",
        "Side bar",
        &[ctrl(Key::B)],
        entry(Menu::Window, "Hides or shows the side bar"),
    ),
    row(
        Command::Present,
        "presentation",
        "Presentation",
        &[key(Key::F11)],
        entry(Menu::Window, "Fills the screen with the panels and their names in large type, for an audience"),
    ),
    row(
        Command::NextLayout,
        "layout",
        "Grid or row",
        &[ctrl(Key::L)],
        entry(Menu::Window, "Places the panels in a grid or a row"),
    ),
    row(Command::NextTheme, "theme", "Switch theme", &[], entry(Menu::Window, "Selects the light or the dark theme")),
    row(
        Command::Timing,
        "timing",
        "Performance",
        &[ctrl_shift(Key::T)],
        entry(Menu::Window, "Shows the times of frames and panels"),
    )
    .opening_group(),
    row(
        Command::BlockSweep,
        "race",
        "Block sweep…",
        &[],
        entry(Menu::Window, "Times kernels in blocks of different shapes, or on the CPU in bands of different heights"),
    ),
    row(Command::Settings, "settings", "Settings…", &[ctrl(Key::Comma)], entry(Menu::Window, "Changes the settings"))
        .opening_group(),
    row(
        Command::FocusRegion(true),
        "next-region",
        "Next region",
        &[key(Key::F6)],
        entry(Menu::None, "Moves the keyboard's focus: menu bar, panels, side bar, status line"),
    )
    .in_line("Next / previous region"),
    row(
        Command::FocusRegion(false),
        "previous-region",
        "Previous region",
        &[shift(Key::F6)],
        entry(Menu::None, "Moves the keyboard's focus: menu bar, panels, side bar, status line"),
    )
    .in_line("Next / previous region"),
    row(
        Command::Leave,
        "leave",
        "Close or cancel",
        &[key(Key::Escape)],
        entry(Menu::None, "Closes a dialog, cancels a drag, leaves the presentation, the lesson or the comparison"),
    ),
];
