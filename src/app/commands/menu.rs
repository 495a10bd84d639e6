//! Menus: their tree, and the title and the state of each item.

use super::command::{Command, CommandRow, Menu};
use super::inspect_command;
use super::menu_state::MenuState;
use super::perform::other_path;
use crate::app::session::{Compare, Session};

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
#[derive(Clone, Copy, Debug)]
pub(in crate::app) struct Submenu {
    /// The menu that contains it.
    pub(in crate::app) parent: Menu,
    /// Its title.
    pub(in crate::app) title: &'static str,
    /// Its items' menu.
    pub(in crate::app) menu: Menu,
}

/// All submenus.
pub(in crate::app) const SUBMENUS: [Submenu; 4] = [
    Submenu { parent: Menu::View, title: "Scale", menu: Menu::Scale },
    Submenu { parent: Menu::Panel, title: "Sets of panels", menu: Menu::PanelSets },
    Submenu { parent: Menu::Panel, title: "Link", menu: Menu::Links },
    Submenu { parent: Menu::Panel, title: "Filters", menu: Menu::Filters },
];

/// Path to `menu` through the menu bar: `Panel › Link`. `None` for commands that are in no menu.
pub(in crate::app) fn path(menu: Menu) -> Option<String> {
    let title = |menu: Menu| MENUS.iter().find(|(known, _)| *known == menu).map(|(_, title)| *title);
    let within = || {
        let submenu = SUBMENUS.iter().find(|submenu| submenu.menu == menu)?;
        Some(format!("{} › {}", title(submenu.parent)?, submenu.title))
    };
    title(menu).map(str::to_owned).or_else(within)
}

/// Menu state of `command`.
pub(in crate::app) fn menu_state(session: &Session, command: Command) -> MenuState {
    let panel = &session.panels()[session.focused()];
    let compares = |compare: Compare| session.compare() == compare;
    let with_pair = |is_chosen: bool| MenuState { is_possible: session.pair().is_some(), is_chosen };
    match command {
        Command::NextImage | Command::PreviousImage | Command::CloseImage => {
            MenuState::possible(session.images().len() > 1)
        }
        Command::MoveImage(false) => MenuState::possible(session.shown() > 0),
        Command::MoveImage(true) => MenuState::possible(session.shown() + 1 < session.images().len()),
        Command::AlternateImage => MenuState::possible(session.shown_before().is_some()),
        Command::LocateImage => MenuState::possible(session.image().is_missing()),
        Command::KeepPlace(kept_place) => MenuState::chosen(session.kept_place() == kept_place),
        Command::NextPage => MenuState::possible(session.page_index() + 1 < session.image().pages().len()),
        Command::PreviousPage => MenuState::possible(session.page_index() > 0),
        Command::Back => MenuState::possible(session.can_go_back()),
        Command::TogglePrefilter => MenuState {
            is_possible: panel.sampler.method.kernel().prefilter.is_some(),
            is_chosen: panel.sampler.prefilter,
        },
        Command::TogglePath => MenuState::possible(other_path(session).is_ok()),
        Command::Inspect(ask) => inspect_command::menu_state(&session.inspect, ask),
        Command::ToggleFilters => MenuState { is_possible: !panel.filters.is_empty(), is_chosen: panel.filters_off },
        Command::ResetFilters => MenuState::possible(!panel.filters.is_empty()),
        Command::AddPanel => MenuState::possible(session.panels().len() < Session::MAX_PANELS),
        Command::ClosePanel | Command::SwapNext | Command::SwapPrevious => {
            MenuState::possible(session.panels().len() > 1)
        }
        Command::Undo => MenuState::possible(session.undoes().is_some()),
        Command::Redo => MenuState::possible(session.redoes().is_some()),
        Command::Link(link) => MenuState::chosen(session.link() == link),
        Command::Maximise => MenuState::chosen(session.is_maximised()),
        Command::SideBySide => MenuState::chosen(compares(Compare::SideBySide)),
        Command::Wipe => with_pair(compares(Compare::Wipe)),
        Command::Difference => with_pair(compares(Compare::Difference)),
        Command::ExchangePair | Command::Flip => with_pair(false),
        Command::Flicker => with_pair(session.flickers()),
        Command::ToggleCrosshair => MenuState::chosen(session.has_crosshair()),
        Command::TurnWipe => MenuState::possible(compares(Compare::Wipe)),
        Command::LessGain | Command::MoreGain => {
            MenuState::possible(compares(Compare::Difference) || session.flickers())
        }
        Command::ToggleAbsolute => {
            MenuState { is_possible: compares(Compare::Difference), is_chosen: session.difference().absolute }
        }
        Command::NextDifferenceMap => MenuState::possible(compares(Compare::Difference)),
        Command::FindImage
        | Command::TestPictures
        | Command::Open
        | Command::OpenRecent
        | Command::Reload
        | Command::NextFile
        | Command::PreviousFile
        | Command::Paste
        | Command::SavePanel
        | Command::SaveFigure
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
        | Command::NextPanel
        | Command::PreviousPanel
        | Command::Arrange(_)
        | Command::NextLink
        | Command::MoveWipe(_)
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
        | Command::Help
        | Command::Leave => MenuState::default(),
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
    use crate::app::commands::COMMANDS;

    #[test]
    fn menus_with_a_command_have_a_path() {
        for row in COMMANDS {
            assert_eq!(path(row.menu).is_none(), row.menu == Menu::None, "{}", row.id);
        }
        assert_eq!(path(Menu::Links).as_deref(), Some("Panel › Link"));
    }
}
