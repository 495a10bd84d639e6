//! The side bar in tests: its tabs and sections.

use egui::Role;
use egui_kittest::kittest::Queryable as _;

use crate::harness::Window;
use crate::harness::painted::texts;

/// Opens a tab, and folds or unfolds a section of it.
pub(crate) fn open_tab(window: &mut Window, tab: &str, section: Option<&str>) {
    window.get_by_role_and_label(Role::Tab, &format!("{tab} tab")).click();
    window.run_ok();
    if let Some(section) = section {
        window.get_by_role_and_label(Role::DisclosureTriangle, section).click();
        window.run_ok();
    }
}

/// Unfolds the numbers of the view.
pub(crate) fn unfold_position(window: &mut Window) {
    window.get_by_role_and_label(Role::DisclosureTriangle, "Position").click();
    window.run_ok();
}

/// Whether the section *Values* says that values are shown otherwise than at first.
pub(crate) fn says_adjusted(window: &Window) -> bool {
    let title = window.get_by_role_and_label(Role::DisclosureTriangle, "Values").rect();
    texts(window, title).iter().any(|(text, _)| text == "adjusted")
}
