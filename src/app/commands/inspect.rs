//! Commands of the inspection tools.

use egui::Key;

use super::chord::{Chord, key, shift};
use super::command::{Command, CommandRow, Menu, entry, row};
use super::inspect_command::InspectCommand;

const fn inspect(
    command: InspectCommand,
    id: &'static str,
    title: &'static str,
    keys: &'static [Chord],
    help: &'static str,
) -> CommandRow {
    row(Command::Inspect(command), id, title, keys, entry(Menu::Inspect, help))
}

/// The rows, in menu order.
pub(super) const ROWS: &[CommandRow] = &[
    inspect(
        InspectCommand::Values,
        "values",
        "Values in pixels",
        &[key(Key::V)],
        "Writes the samples' values into pixels that are large enough",
    ),
    inspect(
        InspectCommand::Grid,
        "grid",
        "Grid",
        &[key(Key::G)],
        "Draws lines between the samples where they are large enough",
    ),
    inspect(
        InspectCommand::Unit,
        "unit",
        "Next unit",
        &[key(Key::U)],
        "Reads values as the file's numbers, 0 … 1, 0 … 255 or more",
    ),
    inspect(
        InspectCommand::Loupe,
        "loupe",
        "Loupe",
        &[key(Key::Z)],
        "Held down: enlarges the pixels under the cursor, in every panel",
    ),
    inspect(
        InspectCommand::Outside,
        "ghosts",
        "Address ghosts",
        &[key(Key::B)],
        "Tints and names what lies outside the image",
    ),
    inspect(
        InspectCommand::Pin,
        "pin",
        "Pin",
        &[shift(Key::P)],
        "Keeps the place under the cursor, and its values, in sight",
    ),
    inspect(InspectCommand::ClearPins, "clear-pins", "Remove all pins", &[], "Takes all pins away"),
    inspect(
        InspectCommand::Histogram,
        "histogram",
        "Histogram",
        &[key(Key::I)],
        "Counts the samples' values, of the image or a part",
    ),
    inspect(
        InspectCommand::LogHistogram,
        "log-histogram",
        "Logarithmic histogram",
        &[shift(Key::I)],
        "Shows rare values in the histogram as well as common ones",
    ),
    inspect(
        InspectCommand::ClearRegion,
        "clear-region",
        "Count the whole image",
        &[],
        "Counts all samples again, not a part",
    ),
    inspect(
        InspectCommand::Profile,
        "profile",
        "Line profile",
        &[key(Key::L)],
        "Then a drag draws a line: all panels' values along it",
    ),
    inspect(
        InspectCommand::Clipping,
        "clipping",
        "Clipping warning",
        &[shift(Key::C)],
        "Marks pixels beyond white by rising stripes, below black by falling ones",
    ),
    inspect(
        InspectCommand::Normalize,
        "normalize",
        "Normalize",
        &[key(Key::N)],
        "Puts black and white at the least and the greatest value seen",
    ),
    inspect(
        InspectCommand::Exposure(true),
        "more-exposure",
        "Brighter",
        &[key(Key::E)],
        "Exposes by a quarter of a stop",
    ),
    inspect(
        InspectCommand::Exposure(false),
        "less-exposure",
        "Darker",
        &[shift(Key::E)],
        "Exposes by a quarter of a stop",
    ),
    inspect(InspectCommand::ResetShow, "reset-show", "Reset the display", &[key(Key::R)], "Shows values as they are"),
];
