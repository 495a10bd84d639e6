//! Commands of the inspection tools.

use egui::Key;

use super::chord::{Chord, key, shift};
use super::command::{self, Command, CommandRow, Menu, entry, row};
use super::inspect_command::InspectCommand;
use crate::lab::field::{LENSES, Lens};

const fn inspect(
    command: InspectCommand,
    id: &'static str,
    title: &'static str,
    keys: &'static [Chord],
    help: &'static str,
) -> CommandRow {
    row(Command::Inspect(command), id, title, keys, entry(Menu::Inspect, help))
}

const fn lens(lens: Lens, id: &'static str) -> CommandRow {
    let row = &LENSES[lens as usize];
    command::row(Command::Inspect(InspectCommand::Lens(lens)), id, row.title, &[], entry(Menu::Lenses, row.help))
}

/// The rows, in menu order.
pub(super) const ROWS: &[CommandRow] = &[
    inspect(
        InspectCommand::Values,
        "values",
        "Values in pixels",
        &[key(Key::V)],
        "Shows the values of samples that are large enough",
    ),
    inspect(
        InspectCommand::Grid,
        "grid",
        "Sample grid",
        &[key(Key::G)],
        "Draws lines between samples that are large enough",
    ),
    inspect(
        InspectCommand::Outside,
        "ghosts",
        "Regions outside the image",
        &[key(Key::B)],
        "Tints and labels the regions outside the image, the background beyond its edges",
    ),
    inspect(
        InspectCommand::Clipping,
        "clipping",
        "Clipping warning",
        &[shift(Key::C)],
        "Marks clipped pixels: above white by rising stripes, below black by falling ones",
    ),
    inspect(
        InspectCommand::SampleCheck,
        "sample-check",
        "Sample check",
        &[shift(Key::V)],
        "Marks every sample: a green disc where the interpolation passes through it, a red cross with the error where not",
    ),
    inspect(
        InspectCommand::Overshoot,
        "overshoot",
        "Overshoot",
        &[key(Key::O)],
        "Marks values beyond the samples around them: orange with + above, blue with − below; antiringing takes them away",
    ),
    inspect(
        InspectCommand::NextLens,
        "next-lens",
        "Next smoothness lens",
        &[key(Key::C)],
        "Shows isolines, relief, gradient or second derivative in place of the values, one after the other, and the values again",
    ),
    lens(Lens::Isolines, "isolines"),
    lens(Lens::Relief, "relief"),
    lens(Lens::Gradient, "gradient"),
    lens(Lens::Curvature, "curvature"),
    inspect(
        InspectCommand::Profile,
        "profile",
        "Line profile",
        &[key(Key::L)],
        "Plots all panels' values along a line, which a drag draws",
    )
    .opening_group(),
    inspect(
        InspectCommand::Inpaint,
        "inpaint",
        "Inpaint a rectangle",
        &[],
        "The next drag outlines samples that the filter inpainting fills from those around them",
    ),
    inspect(
        InspectCommand::Metrics,
        "metrics",
        "Metrics",
        &[key(Key::M)],
        "Shows PSNR, RMS, maximum and SSIM of each panel against the formula, or against a decimated image's original",
    ),
    inspect(
        InspectCommand::Histogram,
        "histogram",
        "Histogram",
        &[key(Key::I)],
        "Shows the histogram of the image or of a region",
    )
    .opening_group(),
    inspect(
        InspectCommand::LogHistogram,
        "log-histogram",
        "Logarithmic histogram",
        &[shift(Key::I)],
        "Uses a logarithmic count axis in the histogram",
    ),
    inspect(InspectCommand::ClearRegion, "clear-region", "Clear region", &[], "Removes the region of the histogram"),
    inspect(
        InspectCommand::Pin,
        "pin",
        "Pin",
        &[shift(Key::P)],
        "Pins the position under the cursor and lists its values",
    )
    .opening_group(),
    inspect(InspectCommand::ClearPins, "clear-pins", "Remove all pins", &[], "Removes all pins"),
    inspect(
        InspectCommand::Loupe,
        "loupe",
        "Loupe (hold)",
        &[key(Key::Z)],
        "While held: enlarges the pixels under the cursor, in every panel",
    ),
    row(
        Command::Inspect(InspectCommand::Unit),
        "unit",
        "Next unit of values",
        &[key(Key::U)],
        entry(Menu::Units, "Selects the unit of values: the file's numbers, 0 … 1, 0 … 255 or more"),
    )
    .opening_group(),
    inspect(
        InspectCommand::Normalize,
        "normalize",
        "Normalize",
        &[key(Key::N)],
        "Sets black and white to the smallest and the largest visible value",
    )
    .within(Menu::Display),
    inspect(
        InspectCommand::Exposure(true),
        "more-exposure",
        "Brighter",
        &[key(Key::E)],
        "Changes the exposure by a quarter of a stop",
    )
    .within(Menu::Display)
    .in_line("Brighter / darker"),
    inspect(
        InspectCommand::Exposure(false),
        "less-exposure",
        "Darker",
        &[shift(Key::E)],
        "Changes the exposure by a quarter of a stop",
    )
    .within(Menu::Display)
    .in_line("Brighter / darker"),
    inspect(InspectCommand::ResetShow, "reset-show", "Reset display", &[key(Key::R)], "Resets the display mapping")
        .within(Menu::Display),
];
