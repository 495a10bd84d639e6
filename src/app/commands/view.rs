//! Commands of the view.

use egui::Key;

use super::chord::{ctrl, key, shift};
use super::command::{Command, CommandRow, Entry, Menu, Pan, PanStep, QuarterTurn, entry, row};
use super::inspect_command::InspectCommand;

const TENTH: Entry = entry(Menu::None, "Moves by a tenth of the panel");
const SAMPLE: Entry = entry(Menu::None, "Moves by one sample of the image");
const SIXTEENTH: Entry = entry(Menu::None, "Moves by 1/16 of a sample");
const TIMES: Entry = entry(Menu::Scale, "Shows a sample as 2 to 9 pixels, on whole pixels");

const fn pan(step: PanStep, axis: usize, forwards: bool) -> Command {
    Command::Pan(Pan { step, axis, forwards })
}

/// Titles in the list of keys that several rows share.
const BY_TENTH: &str = "Move by a tenth of the panel";
const BY_SAMPLE: &str = "Move by one sample";
const BY_SIXTEENTH: &str = "Move by 1/16 sample";
const N_TIMES: &str = "Zoom to 2× … 9×";
const ZOOM: &str = "Zoom in / out";
const QUARTER: &str = "Turn left / right by 90°";
const ZOOM_FINE: &str = "Zoom in / out by 2 %";

/// The rows, in menu order.
pub(super) const ROWS: &[CommandRow] = &[
    row(Command::Fit, "fit", "Fit", &[key(Key::F), key(Key::Num0)], entry(Menu::View, "Shows the whole image")),
    row(
        Command::Times(1),
        "scale-1",
        "1:1",
        &[key(Key::Num1)],
        entry(Menu::View, "Shows a sample as one pixel, on whole pixels"),
    ),
    row(
        Command::ShowDetail,
        "show-detail",
        "Detail",
        &[],
        entry(
            Menu::View,
            "Shows the place with the finest detail, where methods differ plainly, with samples of 8 points",
        ),
    ),
    row(
        Command::Inspect(InspectCommand::Insets),
        "detail-insets",
        "Detail insets",
        &[],
        entry(
            Menu::View,
            "Enlarges the finest detail of a whole image in a corner of each panel, where methods look alike",
        ),
    ),
    row(
        Command::Inspect(InspectCommand::Hint),
        "hint",
        "Hint line",
        &[],
        entry(Menu::View, "Shows a line over the panels that says what they show and what to do"),
    ),
    row(Command::Times(2), "scale-2", "2×", &[key(Key::Num2)], TIMES).in_line(N_TIMES),
    row(Command::Times(3), "scale-3", "3×", &[key(Key::Num3)], TIMES).in_line(N_TIMES),
    row(Command::Times(4), "scale-4", "4×", &[key(Key::Num4)], TIMES).in_line(N_TIMES),
    row(Command::Times(5), "scale-5", "5×", &[key(Key::Num5)], TIMES).in_line(N_TIMES),
    row(Command::Times(6), "scale-6", "6×", &[key(Key::Num6)], TIMES).in_line(N_TIMES),
    row(Command::Times(7), "scale-7", "7×", &[key(Key::Num7)], TIMES).in_line(N_TIMES),
    row(Command::Times(8), "scale-8", "8×", &[key(Key::Num8)], TIMES).in_line(N_TIMES),
    row(Command::Times(9), "scale-9", "9×", &[key(Key::Num9)], TIMES).in_line(N_TIMES),
    row(
        Command::ZoomIn,
        "zoom-in",
        "Zoom in",
        &[key(Key::Plus), key(Key::Equals)],
        entry(Menu::View, "Zooms in to the next round scale"),
    )
    .opening_group()
    .in_line(ZOOM),
    row(
        Command::ZoomOut,
        "zoom-out",
        "Zoom out",
        &[key(Key::Minus)],
        entry(Menu::View, "Zooms out to the next round scale"),
    )
    .in_line(ZOOM),
    row(
        Command::ZoomInFine,
        "zoom-in-fine",
        "Zoom in a little",
        &[ctrl(Key::Plus), ctrl(Key::Equals)],
        entry(Menu::None, "Zooms by ×1.02"),
    )
    .in_line(ZOOM_FINE),
    row(
        Command::ZoomOutFine,
        "zoom-out-fine",
        "Zoom out a little",
        &[ctrl(Key::Minus)],
        entry(Menu::None, "Zooms by ×1.02"),
    )
    .in_line(ZOOM_FINE),
    row(
        Command::Back,
        "back",
        "Previous view",
        &[key(Key::Backspace)],
        entry(Menu::View, "Returns to the previous view"),
    )
    .opening_group(),
    row(
        Command::ReturnToImage,
        "return-to-image",
        "Return to image",
        &[key(Key::Home)],
        entry(Menu::View, "Moves the image back into the panel, at the same scale"),
    ),
    row(
        Command::Turn(QuarterTurn::Left),
        "turn-left",
        "Turn left by 90°",
        &[ctrl(Key::OpenBracket)],
        entry(Menu::View, "Turns the view by 90°: left, counter-clockwise, or right"),
    )
    .opening_group()
    .in_line(QUARTER),
    row(
        Command::Turn(QuarterTurn::Right),
        "turn-right",
        "Turn right by 90°",
        &[ctrl(Key::CloseBracket)],
        entry(Menu::View, "Turns the view by 90°: left, counter-clockwise, or right"),
    )
    .in_line(QUARTER),
    row(
        Command::Upright,
        "upright",
        "Turn upright",
        &[shift(Key::U)],
        entry(Menu::View, "Turns the view back to 0°, about the middle of the panel"),
    ),
    row(
        Command::SquarePixels,
        "square-pixels",
        "Square pixels",
        &[],
        entry(Menu::View, "Gives both axes of a stretched view the scale along x"),
    ),
    row(pan(PanStep::Tenth, 0, false), "left", "Left", &[key(Key::ArrowLeft)], TENTH).in_line(BY_TENTH),
    row(pan(PanStep::Tenth, 0, true), "right", "Right", &[key(Key::ArrowRight)], TENTH).in_line(BY_TENTH),
    row(pan(PanStep::Tenth, 1, false), "up", "Up", &[key(Key::ArrowUp)], TENTH).in_line(BY_TENTH),
    row(pan(PanStep::Tenth, 1, true), "down", "Down", &[key(Key::ArrowDown)], TENTH).in_line(BY_TENTH),
    row(pan(PanStep::Sample, 0, false), "sample-left", "Left", &[shift(Key::ArrowLeft)], SAMPLE).in_line(BY_SAMPLE),
    row(pan(PanStep::Sample, 0, true), "sample-right", "Right", &[shift(Key::ArrowRight)], SAMPLE).in_line(BY_SAMPLE),
    row(pan(PanStep::Sample, 1, false), "sample-up", "Up", &[shift(Key::ArrowUp)], SAMPLE).in_line(BY_SAMPLE),
    row(pan(PanStep::Sample, 1, true), "sample-down", "Down", &[shift(Key::ArrowDown)], SAMPLE).in_line(BY_SAMPLE),
    row(pan(PanStep::Sixteenth, 0, false), "sixteenth-left", "Left", &[ctrl(Key::ArrowLeft)], SIXTEENTH)
        .in_line(BY_SIXTEENTH),
    row(pan(PanStep::Sixteenth, 0, true), "sixteenth-right", "Right", &[ctrl(Key::ArrowRight)], SIXTEENTH)
        .in_line(BY_SIXTEENTH),
    row(pan(PanStep::Sixteenth, 1, false), "sixteenth-up", "Up", &[ctrl(Key::ArrowUp)], SIXTEENTH)
        .in_line(BY_SIXTEENTH),
    row(pan(PanStep::Sixteenth, 1, true), "sixteenth-down", "Down", &[ctrl(Key::ArrowDown)], SIXTEENTH)
        .in_line(BY_SIXTEENTH),
];
