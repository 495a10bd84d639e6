//! Section *Address mode*: which values are taken beyond the edges of the image, in all panels on show. The tab *Panel* has those of one panel.

use egui::Ui;

use super::panel_tab;
use crate::app::session::Session;
use crate::arguments::address_titles;

/// The address modes that all panels on show have: `clamp`, `wrap × mirror`.
pub(super) fn facts(session: &Session) -> String {
    let focused = session.panels()[session.focused()].sampler.address;
    let address = |index: usize| session.panels()[index].sampler.address;
    let are_alike = session.visible().into_iter().all(|index| address(index) == focused);
    if are_alike { address_titles(focused).to_lowercase() } else { "differs".to_owned() }
}

/// Draws the address modes of the focused panel. A choice is of all panels on show.
pub(super) fn show(ui: &mut Ui, session: &mut Session) {
    let mut modes = session.panels()[session.focused()].sampler.address;
    let are_chosen = panel_tab::addresses(ui, session, &mut modes);
    for axis in (0..2).filter(|axis| are_chosen[*axis]) {
        session.change_samplers(|sampler| sampler.address[axis] = modes[axis]);
    }
}
