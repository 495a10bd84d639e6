//! Panels against each other.

use egui::Key;

use super::chord::{ctrl, key, shift};
use super::{Command, CommandRow, Menu, row};

/// The rows, in the order of menus.
pub(super) const ROWS: &[CommandRow] = &[
    row(
        Command::SideBySide,
        "side-by-side",
        "Side by side",
        &[key(Key::S)],
        (Menu::Compare, "Shows every panel in a place of its own"),
    ),
    row(
        Command::Wipe,
        "wipe",
        "Wipe",
        &[key(Key::W)],
        (Menu::Compare, "Shows the focused panel and the next in one place, with a line between them to drag"),
    ),
    row(
        Command::Difference,
        "difference",
        "Difference",
        &[key(Key::D)],
        (Menu::Compare, "Shows the focused panel minus the next, at full precision"),
    ),
    row(
        Command::ExchangePair,
        "exchange-pair",
        "Exchange the two",
        &[ctrl(Key::E)],
        (Menu::Compare, "Exchanges the two that are compared"),
    ),
    row(
        Command::Flip,
        "flip",
        "Flip",
        &[key(Key::Space)],
        (Menu::Compare, "A tap shows the next panel in the focused one's place, another tap the panel itself"),
    ),
    row(
        Command::Flicker,
        "flicker",
        "Flicker",
        &[shift(Key::Space)],
        (Menu::Compare, "Flips twice a second, until it is chosen again"),
    ),
    row(
        Command::TurnWipe,
        "turn-wipe",
        "Turn the wipe line",
        &[shift(Key::W)],
        (Menu::Compare, "Sets the wipe line upright or lays it down"),
    ),
    row(
        Command::MoveWipe(false),
        "wipe-back",
        "Wipe line back",
        &[key(Key::Comma)],
        (Menu::None, "Moves the wipe line"),
    ),
    row(Command::MoveWipe(true), "wipe-on", "Wipe line on", &[key(Key::Period)], (Menu::None, "Moves the wipe line")),
    row(
        Command::LessGain,
        "less-gain",
        "Less gain",
        &[key(Key::OpenBracket)],
        (Menu::Compare, "Halves or doubles the difference's gain, ×1 to ×4096; while panels flicker, its rate"),
    ),
    row(
        Command::MoreGain,
        "more-gain",
        "More gain",
        &[key(Key::CloseBracket)],
        (Menu::Compare, "Halves or doubles the difference's gain, ×1 to ×4096; while panels flicker, its rate"),
    ),
    row(
        Command::ToggleAbsolute,
        "absolute-difference",
        "Absolute difference",
        &[shift(Key::D)],
        (Menu::Compare, "Drops the difference's sign, or keeps it"),
    ),
    row(
        Command::NextDifferenceMap,
        "difference-colours",
        "Next colours of the difference",
        &[],
        (Menu::Compare, "Changes the difference's colour map"),
    ),
    row(
        Command::ToggleGhost,
        "ghost-cursor",
        "Cursor in every panel",
        &[],
        (Menu::Compare, "Marks the pointer's place in the image in the other panels"),
    ),
];
