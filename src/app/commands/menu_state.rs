//! State of a command in menus.

/// Menu state of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) struct MenuState {
    /// The command has an effect if it is called.
    pub(in crate::app) is_possible: bool,
    /// The command stands for what is selected or shown.
    pub(in crate::app) is_chosen: bool,
}

impl Default for MenuState {
    fn default() -> Self {
        Self { is_possible: true, is_chosen: false }
    }
}

impl MenuState {
    pub(super) fn possible(is_possible: bool) -> Self {
        Self { is_possible, ..Self::default() }
    }

    pub(super) fn chosen(is_chosen: bool) -> Self {
        Self { is_chosen, ..Self::default() }
    }
}
