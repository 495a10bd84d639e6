//! Section *Component*: what of complex numbers is shown.

use egui::{Role, Ui, WidgetInfo};

use crate::app::session::Session;
use crate::app::widgets::theme::SPACE;
use crate::complex::COMPONENTS;

/// Draws the components to choose from for the focused panel.
pub(super) fn show(ui: &mut Ui, session: &mut Session) {
    let focused = session.focused();
    let shown = session.component_of(focused);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = SPACE;
        ui.spacing_mut().button_padding.x = 1.5 * SPACE;
        for row in &COMPONENTS {
            let is_chosen = shown == row.component;
            let choice = ui.selectable_label(is_chosen, row.title);
            choice.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, is_chosen, row.title));
            if choice.on_hover_text(row.help).clicked() {
                session.set_component(focused, row.component);
            }
        }
    });
}
