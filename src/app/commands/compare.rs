//! Commands of comparisons.

use egui::Key;

use super::chord::{ctrl, key, shift};
use super::command::{Command, CommandRow, Menu, entry, row};

/// The rows, in menu order.
pub(super) const ROWS: &[CommandRow] = &[
    row(
        Command::SideBySide,
        "side-by-side",
        "Side by side",
        &[key(Key::S)],
        entry(Menu::Compare, "Shows every panel in a place of its own"),
    ),
    row(
        Command::Wipe,
        "wipe",
        "Wipe",
        &[key(Key::W)],
        entry(Menu::Compare, "Shows the focused panel and the next in one place, with a line between them to drag"),
    ),
    row(
        Command::Difference,
        "difference",
        "Difference",
        &[key(Key::D)],
        entry(Menu::Compare, "Shows the focused panel minus the next, at full precision"),
    ),
    row(
        Command::Flip,
        "flip",
        "Flip to the other panel",
        &[key(Key::Space)],
        entry(
            Menu::Compare,
            "A tap shows the other compared panel in the focused panel's place, a second tap the panel itself",
        ),
    )
    .opening_group(),
    row(
        Command::Flicker,
        "flicker",
        "Flicker",
        &[shift(Key::Space)],
        entry(Menu::Compare, "Starts or stops periodic flips, twice a second at first"),
    ),
    row(
        Command::ExchangePair,
        "exchange-pair",
        "Swap pair",
        &[ctrl(Key::E)],
        entry(Menu::Compare, "Swaps the roles of the compared panels"),
    ),
    row(
        Command::TurnWipe,
        "turn-wipe",
        "Turn wipe line",
        &[shift(Key::W)],
        entry(Menu::Compare, "Turns the wipe line between vertical and horizontal"),
    )
    .opening_group(),
    row(
        Command::MoveWipe(false),
        "wipe-back",
        "Wipe line back",
        &[key(Key::Comma)],
        entry(Menu::None, "Moves the wipe line"),
    )
    .in_line("Move wipe line back / on"),
    row(
        Command::MoveWipe(true),
        "wipe-on",
        "Wipe line on",
        &[key(Key::Period)],
        entry(Menu::None, "Moves the wipe line"),
    )
    .in_line("Move wipe line back / on"),
    row(
        Command::LessGain,
        "less-gain",
        "Less gain",
        &[key(Key::OpenBracket)],
        entry(
            Menu::Compare,
            "Halves or doubles the gain of the difference, 1× to 4096×; while panels flicker, the rate",
        ),
    )
    .in_line("Less / more gain"),
    row(
        Command::MoreGain,
        "more-gain",
        "More gain",
        &[key(Key::CloseBracket)],
        entry(
            Menu::Compare,
            "Halves or doubles the gain of the difference, 1× to 4096×; while panels flicker, the rate",
        ),
    )
    .in_line("Less / more gain"),
    row(
        Command::ToggleAutomaticGain,
        "automatic-gain",
        "Automatic gain",
        &[],
        entry(
            Menu::Compare,
            "Chooses the greatest gain at which the largest difference of the view is within the colour bar",
        ),
    ),
    row(
        Command::ToggleAbsolute,
        "absolute-difference",
        "Absolute difference",
        &[shift(Key::D)],
        entry(Menu::Compare, "Shows the absolute or the signed difference"),
    ),
    row(
        Command::NextDifferenceMap,
        "difference-colours",
        "Next colour map",
        &[],
        entry(Menu::Compare, "Selects the next colour map of the difference"),
    ),
    row(
        Command::ToggleCrosshair,
        "ghost-cursor",
        "Shared cursor",
        &[],
        entry(Menu::Compare, "Marks the pointer's position in the image in the other panels"),
    )
    .opening_group(),
];
