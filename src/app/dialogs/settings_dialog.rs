//! The settings dialog.

use egui::{Label, RichText, ScrollArea, Ui};

use super::modal;
use crate::app::files::{SettingsStore, TextScale, ThemeChoice};
use crate::app::session::preferences::{WHEEL_DEVICES, WheelDevice};
use crate::app::widgets::row::wide_row;
use crate::app::widgets::theme::{Palette, SPACE, medium, text_size, with_scroll_bar};
use crate::app::widgets::toggle::segments;

/// Width of the dialog, in points.
const WIDTH: f32 = 440.0;
/// Least distance between the dialog's contents and the edge of the window, in points.
const AROUND: f32 = modal::MARGIN + 2.0 * SPACE;
/// Height of the title with its gap, in points.
const TITLE: f32 = 44.0;
/// Gap between groups, in points.
const GROUP_GAP: f32 = 4.0 * SPACE;

/// Draws the dialog. Returns true if it is to be closed. In a small window the settings scroll below the title.
pub(super) fn show(ui: &Ui, store: &mut SettingsStore) -> bool {
    let modal = modal::modal(ui, egui::Id::unique("settings")).show(ui, |ui| {
        let window = ui.content_rect().size();
        ui.set_width(WIDTH.min(window.x - 2.0 * AROUND));
        let is_closed = modal::title(ui, "Settings");
        let style = ui.style().clone();
        with_scroll_bar(ui, Palette::of_ui(ui));
        let height = window.y - 2.0 * AROUND - TITLE;
        let area = ScrollArea::vertical().max_height(height).min_scrolled_height(height).auto_shrink([false, true]);
        area.show(ui, |ui| {
            ui.set_style(style);
            groups(ui, store);
        });
        is_closed
    });
    modal.inner || modal.should_close()
}

fn groups(ui: &mut Ui, store: &mut SettingsStore) {
    let settings = &mut store.current;
    title(ui, "Appearance");
    let themes = [(ThemeChoice::System, "System"), (ThemeChoice::Light, "Light"), (ThemeChoice::Dark, "Dark")];
    choice(ui, "Theme", &mut settings.theme, &themes);
    choice(ui, "Text size", &mut settings.text_scale, &TextScale::CHOICES);
    note(ui, "Enlarges text and controls. Pictures keep their pixels.");
    ui.checkbox(&mut settings.preferences.reduced_motion, "Reduced motion");
    note(ui, "Views change at once, a drag ends where it is released, and menus do not fade.");
    ui.checkbox(&mut settings.preferences.has_insets, "Detail insets");
    note(ui, "Where a whole image looks alike with all methods, each panel enlarges its finest detail.");
    ui.checkbox(&mut settings.preferences.has_hint, "Hint line");
    note(ui, "A line over the panels says what they show and what to do.");
    ui.add_space(GROUP_GAP);
    title(ui, "Scrolling");
    let wheels: Vec<(WheelDevice, &str)> = WHEEL_DEVICES.iter().map(|row| (row.wheel, row.title)).collect();
    choice(ui, "Scrolling device", &mut settings.preferences.wheel, &wheels);
    note(ui, "A mouse wheel zooms, two fingers on a trackpad move the picture. Choose one if Auto mistakes yours.");
    ui.add_space(GROUP_GAP);
    title(ui, "Start");
    ui.checkbox(&mut settings.restore_session, "Restore the previous session");
    note(ui, "A window opened without files begins with the images, panels and views of the last one.");
    ui.add_space(GROUP_GAP);
    title(ui, "Keys");
    match store.file() {
        Some(file) => {
            note(ui, "Set in the section [keys] of the settings file, for example fit = [\"F\", \"Ctrl+0\"]:");
            let text = RichText::new(file.display().to_string()).size(text_size::VALUE).color(Palette::of_ui(ui).text);
            ui.add(Label::new(text).wrap());
        }
        None => note(ui, "This system has no folder for settings: they last as long as the window."),
    }
}

/// The title of a group.
fn title(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).font(medium(text_size::BODY)).color(Palette::of_ui(ui).text));
    ui.add_space(0.5 * SPACE);
}

/// An explanation below its setting.
fn note(ui: &mut Ui, text: &str) {
    let text = RichText::new(text).size(text_size::VALUE).color(Palette::of_ui(ui).weak);
    ui.add(Label::new(text).wrap());
    ui.add_space(SPACE);
}

/// A row with choices side by side.
fn choice<T: Copy + PartialEq>(ui: &mut Ui, name: &str, chosen: &mut T, choices: &[(T, &str)]) {
    if let Some(value) = wide_row(ui, name, |ui, _| segments(ui, (name, ""), *chosen, choices)) {
        *chosen = value;
    }
}
