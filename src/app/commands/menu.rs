//! Menus: their tree, and the title and the state of each item.

use super::choice::Choice;
use super::command::{Command, CommandRow, Menu};
use super::inspect_command::{self, InspectCommand};
use super::lesson_command::LessonCommand;
use super::menu_state::MenuState;
use super::obstacle::obstacle;
use super::rows::COMMANDS;
use crate::app::session::coordinates::COORDINATES;
use crate::app::session::unit::UNITS;
use crate::app::session::{Compare, Gain, Session};
use crate::backend::Content;
use crate::sampling::{METHODS, SAMPLING_PATHS};

/// Menus of the menu bar with their titles, from left to right.
pub(in crate::app) const MENUS: [(Menu, &str); 7] = [
    (Menu::File, "File"),
    (Menu::Edit, "Edit"),
    (Menu::View, "View"),
    (Menu::Panel, "Panel"),
    (Menu::Compare, "Compare"),
    (Menu::Inspect, "Inspect"),
    (Menu::Window, "Window"),
];

/// A menu within a menu.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::app) struct Submenu {
    /// The menu that contains it.
    pub(in crate::app) parent: Menu,
    /// The command that it follows there; `None` if it comes before all commands.
    after: Option<Command>,
    /// Whether a line separates it from what is before it.
    opens_group: bool,
    /// Its title.
    pub(in crate::app) title: &'static str,
    /// Its items' menu.
    pub(in crate::app) menu: Menu,
}

const fn submenu(parent: Menu, after: Option<Command>, title: &'static str, menu: Menu) -> Submenu {
    Submenu { parent, after, opens_group: false, title, menu }
}

impl Submenu {
    const fn opening_group(mut self) -> Self {
        self.opens_group = true;
        self
    }
}

/// All submenus; those in one place of a menu in their order.
static SUBMENUS: [Submenu; 19] = [
    submenu(Menu::File, Some(Command::TestPictures), "Decimate", Menu::Decimations),
    submenu(Menu::File, Some(Command::SaveSession), "Go to", Menu::GoTo).opening_group(),
    submenu(Menu::View, Some(Command::Times(1)), "Scale", Menu::Scale),
    submenu(Menu::View, Some(Command::SquarePixels), "Plane of a volume", Menu::Planes).opening_group(),
    submenu(Menu::Panel, None, "Method", Menu::Methods),
    submenu(Menu::Panel, None, "Address mode", Menu::Address),
    submenu(Menu::Address, None, "Along x", Menu::AddressX).opening_group(),
    submenu(Menu::Address, None, "Along y", Menu::AddressY),
    submenu(Menu::Panel, None, "Sampling", Menu::Sampling),
    submenu(Menu::Panel, None, "Component", Menu::Components),
    submenu(Menu::Panel, Some(Command::TogglePrefilter), "Filters", Menu::Filters),
    submenu(Menu::Panel, Some(Command::SwapPrevious), "Sets of panels", Menu::PanelSets).opening_group(),
    submenu(Menu::Panel, Some(Command::SwapPrevious), "Link", Menu::Links),
    submenu(Menu::Inspect, Some(Command::Inspect(InspectCommand::NextLens)), "Smoothness lens", Menu::Lenses),
    submenu(Menu::Inspect, Some(Command::Inspect(InspectCommand::Metrics)), "Laboratory", Menu::Laboratory),
    submenu(Menu::Inspect, Some(Command::Inspect(InspectCommand::Loupe)), "Display", Menu::Display).opening_group(),
    submenu(Menu::Inspect, Some(Command::Inspect(InspectCommand::Loupe)), "Unit", Menu::Units),
    submenu(Menu::Inspect, Some(Command::Inspect(InspectCommand::Loupe)), "Position", Menu::Coordinates),
    submenu(Menu::Window, Some(Command::Lesson(LessonCommand::Lessons)), "Lesson", Menu::Lesson),
];

/// An item of a menu.
#[derive(Clone, Copy, Debug)]
pub(in crate::app) enum MenuItem {
    /// A line between groups.
    Line,
    /// A command.
    Command(&'static CommandRow),
    /// A value.
    Choice(Choice),
    /// A menu within this menu.
    Submenu(&'static Submenu),
}

/// The items of `menu`, from the top: choices, submenus and commands, in groups.
pub(in crate::app) fn items(menu: Menu) -> Vec<MenuItem> {
    let mut items: Vec<MenuItem> = choices(menu).into_iter().map(MenuItem::Choice).collect();
    let mut add = |item: MenuItem, opens_group: bool| {
        if opens_group && !items.is_empty() {
            items.push(MenuItem::Line);
        }
        items.push(item);
    };
    let add_submenus = |after: Option<Command>, add: &mut dyn FnMut(MenuItem, bool)| {
        let here = SUBMENUS.iter().filter(|submenu| submenu.parent == menu && submenu.after == after);
        here.for_each(|submenu| add(MenuItem::Submenu(submenu), submenu.opens_group));
    };
    add_submenus(None, &mut add);
    for row in COMMANDS.iter().filter(|row| row.menu == menu) {
        add(MenuItem::Command(row), row.opens_group);
        add_submenus(Some(row.command), &mut add);
    }
    items
}

/// The choices of `menu`.
fn choices(menu: Menu) -> Vec<Choice> {
    match menu {
        Menu::Decimations => Choice::decimations().collect(),
        Menu::Planes => Choice::planes().collect(),
        Menu::Components => Choice::components().collect(),
        Menu::Methods => METHODS.iter().map(|row| Choice::Method(row.method)).collect(),
        Menu::Address => Choice::addresses([true, true]).collect(),
        Menu::AddressX => Choice::addresses([true, false]).collect(),
        Menu::AddressY => Choice::addresses([false, true]).collect(),
        Menu::Sampling => SAMPLING_PATHS.iter().map(|row| Choice::Path(row.path)).collect(),
        Menu::Units => UNITS.iter().map(|row| Choice::Unit(row.unit)).collect(),
        Menu::Coordinates => COORDINATES.iter().map(|row| Choice::Coordinates(row.coordinates)).collect(),
        Menu::File
        | Menu::GoTo
        | Menu::Edit
        | Menu::View
        | Menu::Scale
        | Menu::Panel
        | Menu::PanelSets
        | Menu::Links
        | Menu::Filters
        | Menu::Compare
        | Menu::Inspect
        | Menu::Lenses
        | Menu::Display
        | Menu::Laboratory
        | Menu::Window
        | Menu::Lesson
        | Menu::None => Vec::new(),
    }
}

/// Path to `menu` through the menu bar: `Panel › Link`. `None` for commands that are in no menu.
pub(in crate::app) fn path(menu: Menu) -> Option<String> {
    let within = || {
        let submenu = SUBMENUS.iter().find(|submenu| submenu.menu == menu)?;
        Some(format!("{} › {}", path(submenu.parent)?, submenu.title))
    };
    let title = MENUS.iter().find(|(known, _)| *known == menu).map(|(_, title)| (*title).to_owned());
    title.or_else(within)
}

/// Menu state of `command`. A key that is held has no effect in a menu.
pub(in crate::app) fn menu_state(session: &Session, command: Command) -> MenuState {
    let is_held = command == Command::Inspect(InspectCommand::Loupe);
    MenuState { is_possible: !is_held && obstacle(session, command).is_none(), is_chosen: is_chosen(session, command) }
}

/// Whether `command` stands for what is selected or shown.
fn is_chosen(session: &Session, command: Command) -> bool {
    let panel = &session.panels()[session.focused()];
    let compares = |compare: Compare| session.compare() == compare;
    match command {
        Command::KeepPlace(kept_place) => session.kept_place() == kept_place,
        Command::ToggleTruth => panel.content == Content::Truth,
        Command::TogglePrefilter => panel.content == Content::Interpolation && panel.sampler.prefilter,
        Command::Inspect(ask) => inspect_command::is_chosen(&session.inspect, ask),
        Command::ToggleFilters => panel.filters_off,
        Command::Link(link) => session.link() == link,
        Command::Maximize => session.is_maximized(),
        Command::SideBySide => compares(Compare::SideBySide),
        Command::Wipe => compares(Compare::Wipe),
        Command::Difference => compares(Compare::Difference),
        Command::Flicker => session.flickers(),
        Command::ToggleCrosshair => session.has_crosshair(),
        Command::ToggleAbsolute => session.difference().absolute,
        Command::ToggleAutomaticGain => session.difference().gain == Gain::Automatic,
        Command::NextImage
        | Command::PreviousImage
        | Command::AlternateImage
        | Command::FindImage
        | Command::MoveImage(_)
        | Command::CloseImage
        | Command::LocateImage
        | Command::TestPictures
        | Command::PagesAsVolume
        | Command::NextPage
        | Command::PreviousPage
        | Command::NextTime
        | Command::PreviousTime
        | Command::Back
        | Command::ReturnToImage
        | Command::ShowDetail
        | Command::Undo
        | Command::Redo
        | Command::TogglePath
        | Command::ResetFilters
        | Command::AddPanel
        | Command::DuplicatePanel
        | Command::ClosePanel
        | Command::ShareSettings
        | Command::SwapNext
        | Command::SwapPrevious
        | Command::NextPanel
        | Command::PreviousPanel
        | Command::ExchangePair
        | Command::Flip
        | Command::TurnWipe
        | Command::MoveWipe(_)
        | Command::LessGain
        | Command::MoreGain
        | Command::NextDifferenceMap
        | Command::Choose(_)
        | Command::Lesson(_)
        | Command::Open
        | Command::OpenRecent
        | Command::Reload
        | Command::NextFile
        | Command::PreviousFile
        | Command::Paste
        | Command::SavePanel
        | Command::SaveFigure
        | Command::SavePlot
        | Command::CopyPicture
        | Command::CopyCommands
        | Command::OpenSession
        | Command::SaveSession
        | Command::Palette
        | Command::Settings
        | Command::Timing
        | Command::BlockSweep
        | Command::Quit
        | Command::ZoomIn
        | Command::ZoomOut
        | Command::ZoomInFine
        | Command::ZoomOutFine
        | Command::Fit
        | Command::Times(_)
        | Command::Pan(_)
        | Command::Arrange(_)
        | Command::NextLink
        | Command::NextLayout
        | Command::NextMethod
        | Command::PreviousMethod
        | Command::NextAddress
        | Command::NextAddressX
        | Command::NextAddressY
        | Command::AddFilter
        | Command::ToggleChrome
        | Command::ToggleSideBar
        | Command::Present
        | Command::NextTheme
        | Command::FocusRegion(_)
        | Command::Help
        | Command::Upright
        | Command::SquarePixels
        | Command::Turn(_)
        | Command::Leave => false,
    }
}

/// Title of the command of `row` in menus. Undo and redo name their step.
pub(in crate::app) fn title(session: &Session, row: &CommandRow) -> String {
    let step = if row.command == Command::Undo {
        session.undoes()
    } else if row.command == Command::Redo {
        session.redoes()
    } else {
        None
    };
    step.map_or_else(|| row.title.to_owned(), |step| format!("{}: {step}", row.title))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn menus_with_a_command_have_a_path() {
        for row in COMMANDS {
            assert_eq!(path(row.menu).is_none(), row.menu == Menu::None, "{}", row.id);
        }
        assert_eq!(path(Menu::Links).as_deref(), Some("Panel › Link"));
        assert_eq!(path(Menu::AddressX).as_deref(), Some("Panel › Address mode › Along x"));
    }

    /// All items of `menu` and its submenus.
    fn all_items(menu: Menu) -> Vec<MenuItem> {
        let below = |item: MenuItem| match item {
            MenuItem::Submenu(submenu) => all_items(submenu.menu),
            item => vec![item],
        };
        items(menu).into_iter().flat_map(below).collect()
    }

    #[test]
    fn menus_hold_every_command_once_in_short_groups() {
        let all: Vec<MenuItem> = MENUS.iter().flat_map(|(menu, _)| all_items(*menu)).collect();
        for row in COMMANDS.iter().filter(|row| row.menu != Menu::None) {
            let is_row = |item: &&MenuItem| matches!(item, MenuItem::Command(other) if other.id == row.id);
            assert_eq!(all.iter().filter(is_row).count(), 1, "{}", row.id);
        }
        let menus = MENUS.iter().map(|(menu, _)| *menu).chain(SUBMENUS.iter().map(|submenu| submenu.menu));
        for menu in menus {
            let items = items(menu);
            let is_line = |item: &MenuItem| matches!(item, MenuItem::Line);
            assert!(items.first().is_some_and(|item| !is_line(item)), "{menu:?}");
            for group in items.split(is_line) {
                assert!((1..=8).contains(&group.len()), "{menu:?} has a group of {}", group.len());
            }
        }
    }

    #[test]
    fn titles_in_menus_are_short() {
        for row in COMMANDS.iter().filter(|row| row.menu != Menu::None) {
            assert!(row.title.chars().count() <= 28, "{}", row.title);
        }
    }
}
