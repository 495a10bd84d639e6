//! Saving the plot of the drawer by its dialog, for tests without a screen.

use std::path::Path;

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;

use crate::harness::Window;
use crate::harness::documents::{press, type_text};
use crate::harness::waiting::wait;

/// Types `file` into the open dialog for a file and accepts it.
pub(crate) fn save_as(window: &mut Window, file: &Path) {
    press(window, Modifiers::COMMAND, Key::A);
    type_text(window, &file.display().to_string());
    press(window, Modifiers::NONE, Key::Enter);
}

/// Saves the plot of the open tool as `file`, by the drawer's button, and waits for the file.
pub(crate) fn save_plot(window: &mut Window, file: &Path) {
    window.get_by_label("Save plot…").click();
    window.run_ok();
    save_as(window, file);
    wait(window, "the file", |_| file.exists());
}
