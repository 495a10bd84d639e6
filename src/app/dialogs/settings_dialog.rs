//! The settings dialog.

use egui::{RichText, Role, Ui, WidgetInfo};

use super::modal;
use crate::app::files::{SettingsStore, TextScale, ThemeChoice};
use crate::app::session::preferences::{WHEEL_DEVICES, WheelDevice};
use crate::app::widgets::theme::{CONTROL_HEIGHT, Palette, SPACE};
use crate::app::widgets::toggle;

/// Draws the dialog. Returns true if it is to be closed.
pub(super) fn show(ui: &Ui, store: &mut SettingsStore) -> bool {
    let text = match store.file() {
        Some(file) => format!("Set keys under [keys], for example fit = [\"F\", \"Ctrl+0\"], in\n{}", file.display()),
        None => "The system has no folder for settings: they last as long as the window".to_owned(),
    };
    let settings = &mut store.current;
    let modal = modal::modal(ui, egui::Id::unique("settings")).show(ui, |ui| {
        ui.set_width(440.0);
        let is_closed = modal::title(ui, "Settings");
        let themes =
            [(ThemeChoice::System, "As the system"), (ThemeChoice::Light, "Light"), (ThemeChoice::Dark, "Dark")];
        choice(ui, Label { name: "Colours", help: "Colours of the window" }, &mut settings.theme, &themes);
        let help = "A mouse wheel zooms, two fingers on a trackpad pan. Choose one if Auto confuses them";
        let wheels: Vec<(WheelDevice, &str)> = WHEEL_DEVICES.iter().map(|row| (row.wheel, row.title)).collect();
        choice(ui, Label { name: "Wheel", help }, &mut settings.preferences.wheel, &wheels);
        let help = "Size of text and controls. Pictures keep their pixels";
        choice(ui, Label { name: "Letters", help }, &mut settings.text_scale, &TextScale::CHOICES);
        ui.add_space(SPACE);
        let help = "Views change without animation, drags have no fling, menus do not fade";
        ui.checkbox(&mut settings.preferences.reduced_motion, "Reduced motion").on_hover_text(help);
        let help = "A window opened without files restores the images, panels and views of the previous window";
        ui.checkbox(&mut settings.restore_session, "Restore the session of the previous window").on_hover_text(help);
        ui.add_space(2.0 * SPACE);
        ui.label(RichText::new(text).size(11.5).color(Palette::of_ui(ui).weak));
        is_closed
    });
    modal.inner || modal.should_close()
}

/// Label and tooltip of a row.
#[derive(Clone, Copy)]
struct Label<'a> {
    name: &'a str,
    help: &'a str,
}

/// A row of radio buttons.
fn choice<T: Copy + PartialEq>(ui: &mut Ui, label: Label<'_>, chosen: &mut T, choices: &[(T, &str)]) {
    let Label { name, help } = label;
    ui.horizontal(|ui| {
        let size = egui::vec2(72.0, CONTROL_HEIGHT);
        ui.allocate_ui_with_layout(size, egui::Layout::left_to_right(egui::Align::Center), |ui| {
            ui.set_min_size(size);
            ui.label(name);
        });
        for (value, title) in choices {
            let is_chosen = value == chosen;
            let response = toggle::choice(ui, (title, true), is_chosen).on_hover_text(help);
            response
                .widget_info(|| WidgetInfo::selected(Role::RadioButton, true, is_chosen, format!("{name}: {title}")));
            if response.clicked() {
                *chosen = *value;
            }
        }
    });
}
