//! The settings, over everything.

use egui::{Frame, Margin, Modal, RichText, Role, Ui, WidgetInfo};

use crate::app::files::settings::{Settings, TextScale, ThemeChoice};
use crate::app::session::preferences::WHEEL_DEVICES;
use crate::app::widgets::theme::{CONTROL_HEIGHT, Palette, SPACE};

/// Draws the settings, kept in the file `place`; true where they are to be closed.
pub(super) fn show(ui: &Ui, settings: &mut Settings, place: Option<&str>) -> bool {
    let frame = Frame::popup(ui.style()).inner_margin(Margin::same(24));
    let modal = Modal::new(egui::Id::unique("settings")).frame(frame).show(ui, |ui| {
        ui.set_width(440.0);
        ui.heading("Settings");
        ui.add_space(3.0 * SPACE);
        let themes =
            [(ThemeChoice::System, "As the system"), (ThemeChoice::Light, "Light"), (ThemeChoice::Dark, "Dark")];
        choices(ui, ("Colours", "The window's colours"), &mut settings.theme, &themes);
        let help =
            "A mouse's wheel zooms, two fingers on a trackpad pan; where auto takes the two for each other, choose";
        choices(ui, ("Wheel", help), &mut settings.preferences.wheel, &WHEEL_DEVICES);
        let help = "Letters and controls as large as this; pictures keep their pixels";
        choices(ui, ("Letters", help), &mut settings.text_scale, &TextScale::CHOICES);
        ui.add_space(SPACE);
        let help = "Views change at once, nothing glides on, and menus come and go without fading";
        ui.checkbox(&mut settings.preferences.reduced_motion, "Reduced motion").on_hover_text(help);
        let help = "A window that is opened without files shows the images, panels and views of the last one";
        ui.checkbox(&mut settings.restore_session, "Go on where the last window ended").on_hover_text(help);
        ui.add_space(2.0 * SPACE);
        let palette = Palette::of_ui(ui);
        let text = match place {
            Some(place) => format!("Keys are changed under [keys], as fit = [\"F\", \"Ctrl+0\"], in\n{place}"),
            None => "This system has no place for settings: they last as long as the window".to_owned(),
        };
        ui.label(RichText::new(text).size(11.5).color(palette.weak));
        ui.add_space(3.0 * SPACE);
        ui.button("Close").on_hover_text("Closes the settings  (Esc)").clicked()
    });
    modal.inner || modal.should_close()
}

fn choices<T: Copy + PartialEq>(ui: &mut Ui, (name, help): (&str, &str), chosen: &mut T, choices: &[(T, &str)]) {
    ui.horizontal(|ui| {
        let size = egui::vec2(72.0, CONTROL_HEIGHT);
        ui.allocate_ui_with_layout(size, egui::Layout::left_to_right(egui::Align::Center), |ui| {
            ui.set_min_size(size);
            ui.label(name);
        });
        for (choice, title) in choices {
            let is_chosen = choice == chosen;
            let response = ui.selectable_label(is_chosen, *title).on_hover_text(help);
            response
                .widget_info(|| WidgetInfo::selected(Role::RadioButton, true, is_chosen, format!("{name}: {title}")));
            if response.clicked() {
                *chosen = *choice;
            }
        }
    });
}
