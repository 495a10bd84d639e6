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

/// Unfolds the numbers of the view and those of the display mapping; the kernels are folded, so that all are in sight.
pub(crate) fn unfold_numbers(window: &mut Window) {
    for title in ["Kernels", "Position", "Display"] {
        window.get_by_role_and_label(Role::DisclosureTriangle, title).click();
        window.run_ok();
    }
}

/// Unfolds the numbers of the display mapping.
pub(crate) fn unfold_display(window: &mut Window) {
    open_tab(window, "View", Some("Display"));
}

/// Whether the section *Display* says that values are shown otherwise than at first.
pub(crate) fn says_adjusted(window: &Window) -> bool {
    let title = window.get_by_role_and_label(Role::DisclosureTriangle, "Display").rect();
    texts(window, title).iter().any(|(text, _)| text == "adjusted")
}
