//! Commands of the laboratory: the tools of the drawer under the panels.

use egui::Key;

use super::chord::{Chord, key, shift};
use super::command::{Command, CommandRow, Menu, entry, row};
use super::inspect_command::InspectCommand;
use crate::app::session::inspect::{DRAWER_TOOLS, DrawerTool};

const fn drawer(tool: DrawerTool, keys: &'static [Chord]) -> CommandRow {
    let tool_row = &DRAWER_TOOLS[tool as usize];
    let command = Command::Inspect(InspectCommand::Drawer(tool));
    row(command, tool_row.name, tool_row.title, keys, entry(Menu::Laboratory, tool_row.help))
}

/// The rows, in menu order.
pub(super) const ROWS: &[CommandRow] = &[
    drawer(DrawerTool::Plots, &[key(Key::F3)]),
    drawer(DrawerTool::Footprint, &[key(Key::F4)]),
    drawer(DrawerTool::TextureError, &[key(Key::F5)]),
    drawer(DrawerTool::OneDimension, &[key(Key::F7)]),
    drawer(DrawerTool::Rotations, &[key(Key::F8)]).opening_group(),
    drawer(DrawerTool::Quality, &[shift(Key::M)]),
    drawer(DrawerTool::Pairs, &[key(Key::F9)]),
    drawer(DrawerTool::Designer, &[key(Key::F10)]),
    drawer(DrawerTool::Identify, &[]),
    row(
        Command::SavePlot,
        "save-plot",
        "Save plot",
        &[shift(Key::F3)],
        entry(Menu::Laboratory, "Writes the plot to a file: SVG, PNG or its numbers as CSV"),
    )
    .opening_group(),
];
