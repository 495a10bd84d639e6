//! Commands of the window.

use egui::Key;

use super::chord::{ctrl, ctrl_shift, key};
use super::command::{Command, CommandRow, Menu, entry, row};

/// The rows, in menu order.
pub(super) const ROWS: &[CommandRow] = &[
    row(
        Command::NextLayout,
        "layout",
        "Grid or row",
        &[ctrl(Key::L)],
        entry(Menu::Window, "Places the panels in a grid or a row"),
    ),
    row(
        Command::ToggleChrome,
        "chrome",
        "Pictures only",
        &[key(Key::H)],
        entry(Menu::Window, "Hides or shows everything but the pictures"),
    ),
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
    row(Command::NextTheme, "theme", "Light, dark, as the system", &[], entry(Menu::Window, "Selects the next theme")),
    row(
        Command::Palette,
        "palette",
        "Find a command…",
        &[ctrl_shift(Key::P)],
        entry(Menu::Window, "Finds any command by some of its letters"),
    ),
    row(
        Command::Timing,
        "timing",
        "Performance",
        &[ctrl_shift(Key::T)],
        entry(Menu::Window, "Shows the times of frames and panels"),
    ),
    row(
        Command::BlockSweep,
        "race",
        "Block sweep…",
        &[],
        entry(Menu::Window, "Times kernels in blocks of different shapes, or on the CPU in bands of different heights"),
    ),
    row(Command::Settings, "settings", "Settings…", &[ctrl(Key::Comma)], entry(Menu::Window, "Changes the settings")),
    row(Command::Help, "help", "Keys", &[key(Key::F1), key(Key::Questionmark)], entry(Menu::Window, "Shows this list")),
    row(Command::Leave, "leave", "Leave", &[key(Key::Escape)], entry(Menu::None, "Closes what is open")),
];
