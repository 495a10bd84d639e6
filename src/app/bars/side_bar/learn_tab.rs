//! Tab *Learn*: views of the tutorial.

use egui::{Button, Ui, vec2};

use super::caption;
use crate::app::session::Session;
use crate::app::session::figures::TUTORIAL_FIGURES;
use crate::app::widgets::theme::{CONTROL_HEIGHT, SPACE};

/// Draws the tab.
pub(super) fn show(ui: &mut Ui, session: &mut Session) {
    ui.add_space(2.0 * SPACE);
    caption(
        ui,
        "Figures of the tutorial, each in the focused panel: its view, its method, its address modes and sampling.",
    );
    ui.add_space(SPACE);
    ui.spacing_mut().item_spacing.y = 0.0;
    for figure in &TUTORIAL_FIGURES {
        let is_shown = session.view() == figure.view() && {
            let sampler = session.panels()[session.focused()].sampler;
            (sampler.method, sampler.address, sampler.path) == (figure.method, figure.address, figure.path)
        };
        let text = format!("{}  {}", figure.number, figure.title);
        let item = Button::selectable(is_shown, text).min_size(vec2(ui.available_width(), CONTROL_HEIGHT));
        if ui.add(item).on_hover_text(figure.summary()).clicked() {
            figure.show(session);
        }
    }
}
