//! Commands of the panels: methods, address modes, filters, links, order.

use egui::Key;

use super::chord::{ctrl, ctrl_shift, key, shift};
use super::command::{Command, CommandRow, Menu, entry, row};
use crate::app::session::panel_sets::PanelSet;
use crate::app::session::{KeptPlace, Link};

const fn arrange(panel_set: PanelSet) -> CommandRow {
    let set = panel_set.row();
    row(Command::Arrange(panel_set), set.name, set.title, &[], entry(Menu::PanelSets, set.help))
}

const fn link(link: Link, id: &'static str) -> CommandRow {
    let mode = link.row();
    row(Command::Link(link), id, mode.title, &[], entry(Menu::Links, mode.help))
}

/// The row of a kept place.
const fn keep_place(kept_place: KeptPlace, id: &'static str) -> CommandRow {
    let row_of = kept_place.row();
    row(Command::KeepPlace(kept_place), id, row_of.title, &[], entry(Menu::Links, row_of.help))
}

/// The rows, in menu order.
pub(super) const ROWS: &[CommandRow] = &[
    row(
        Command::ToggleTruth,
        "truth",
        "Truth",
        &[shift(Key::T)],
        entry(
            Menu::Methods,
            "Shows the values of the formula in the focused panel, or of a decimated image's original; again, its method",
        ),
    )
    .opening_group(),
    row(
        Command::NextMethod,
        "next-method",
        "Next method",
        &[key(Key::K)],
        entry(Menu::Methods, "Changes the focused panel's method"),
    )
    .opening_group()
    .in_line("Next / previous method"),
    row(
        Command::PreviousMethod,
        "previous-method",
        "Previous method",
        &[shift(Key::K)],
        entry(Menu::Methods, "Changes the focused panel's method"),
    )
    .in_line("Next / previous method"),
    row(
        Command::NextAddress,
        "next-address",
        "Next address mode",
        &[key(Key::A)],
        entry(Menu::Address, "Selects the next address mode along both axes: what lies beyond the edges, the background"),
    )
    .opening_group(),
    row(
        Command::NextAddressX,
        "next-address-x",
        "Next address mode, x",
        &[shift(Key::A)],
        entry(Menu::AddressX, "Selects the next address mode along x"),
    )
    .opening_group(),
    row(
        Command::NextAddressY,
        "next-address-y",
        "Next address mode, y",
        &[ctrl_shift(Key::A)],
        entry(Menu::AddressY, "Selects the next address mode along y"),
    )
    .opening_group(),
    row(
        Command::TogglePath,
        "path",
        "Texture unit or exact",
        &[key(Key::T)],
        entry(Menu::Sampling, "Switches between the texture unit's weights, in steps of 1/256, and exact weights"),
    )
    .opening_group(),
    row(
        Command::TogglePrefilter,
        "prefilter",
        "Prefilter",
        &[key(Key::P)],
        entry(Menu::Panel, "Enables or disables the prefilter, with which the B-spline interpolates the samples"),
    ),
    row(
        Command::Maximize,
        "maximize",
        "Maximize panel",
        &[key(Key::X)],
        entry(Menu::Panel, "Shows the focused panel alone, or all"),
    )
    .opening_group(),
    row(
        Command::AddPanel,
        "add-panel",
        "Add panel",
        &[ctrl(Key::N)],
        entry(Menu::Panel, "Adds a panel with the next method that no panel shows, up to nine panels"),
    ),
    row(
        Command::DuplicatePanel,
        "duplicate-panel",
        "Duplicate panel",
        &[ctrl(Key::D)],
        entry(Menu::Panel, "Adds a copy of the focused panel"),
    ),
    row(
        Command::ClosePanel,
        "close-panel",
        "Close panel",
        &[ctrl(Key::W)],
        entry(Menu::Panel, "Closes the focused panel"),
    ),
    row(
        Command::ShareSettings,
        "share-settings",
        "Use settings in all panels",
        &[],
        entry(
            Menu::Panel,
            "Gives all panels the address modes, sampling, antialiasing, antiringing, warp and filters of the focused one",
        ),
    ),
    row(
        Command::NextPanel,
        "next-panel",
        "Next panel",
        &[ctrl(Key::Tab)],
        entry(Menu::Panel, "Moves the focus to another panel"),
    )
    .opening_group()
    .in_line("Panel on / back"),
    row(
        Command::PreviousPanel,
        "previous-panel",
        "Previous panel",
        &[ctrl_shift(Key::Tab)],
        entry(Menu::None, "Moves the focus to another panel"),
    )
    .in_line("Panel on / back"),
    row(
        Command::SwapNext,
        "swap-next",
        "Move forward",
        &[ctrl_shift(Key::ArrowRight)],
        entry(Menu::Panel, "Swaps the focused panel with its neighbour"),
    )
    .in_line("Move panel on / back"),
    row(
        Command::SwapPrevious,
        "swap-previous",
        "Move back",
        &[ctrl_shift(Key::ArrowLeft)],
        entry(Menu::Panel, "Swaps the focused panel with its neighbour"),
    )
    .in_line("Move panel on / back"),
    arrange(PanelSet::Four),
    arrange(PanelSet::AddressModes),
    arrange(PanelSet::AddressPairs),
    arrange(PanelSet::BorderFigures),
    arrange(PanelSet::PixelCentres),
    arrange(PanelSet::FilteredExact).opening_group(),
    arrange(PanelSet::Prefilter),
    arrange(PanelSet::Truth),
    arrange(PanelSet::ThreePlanes),
    arrange(PanelSet::AllMethods),
    row(
        Command::AddFilter,
        "add-filter",
        "Add filter…",
        &[ctrl(Key::F)],
        entry(Menu::Filters, "Adds a filter to the focused panel, on samples or on pixels"),
    ),
    row(
        Command::ToggleFilters,
        "filters",
        "Filters off",
        &[shift(Key::F)],
        entry(Menu::Filters, "Disables or enables all filters of the focused panel"),
    )
    .opening_group(),
    row(
        Command::ResetFilters,
        "reset-filters",
        "Reset filters",
        &[],
        entry(Menu::Filters, "Removes all filters of the focused panel"),
    ),
    link(Link::Absolute, "link-absolute"),
    link(Link::Relative, "link-relative"),
    link(Link::Off, "link-off"),
    row(
        Command::NextLink,
        "next-link",
        "Next link mode",
        &[ctrl(Key::U)],
        entry(Menu::Links, "Selects the next link mode: linked, linked with offsets, not linked"),
    )
    .opening_group(),
    keep_place(KeptPlace::Samples, "keep-samples").opening_group(),
    keep_place(KeptPlace::Share, "keep-share"),
];
