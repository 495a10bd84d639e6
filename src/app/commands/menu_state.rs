//! State of a command in menus.

/// Menu state of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) struct MenuState {
    /// The command has an effect if it is called.
    pub(in crate::app) is_possible: bool,
    /// The command stands for what is selected or shown.
    pub(in crate::app) is_chosen: bool,
}
