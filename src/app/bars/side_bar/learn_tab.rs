//! Tab *Learn*: the lessons, and views of the tutorial.

use egui::{Button, Ui, vec2};

use super::section::section;
use super::{SideBarContext, caption};
use crate::app::files::SideSection;
use crate::app::learn::{LearnRequest, RowForm, list};
use crate::app::session::Session;
use crate::app::session::figures::TUTORIAL_FIGURES;
use crate::app::widgets::theme::{CONTROL_HEIGHT, SPACE};

/// Draws the tab. Returns what the list of lessons asks for.
pub(super) fn show(ui: &mut Ui, context: &mut SideBarContext<'_>) -> Vec<LearnRequest> {
    // Above the lessons, which fill the tab.
    let count = TUTORIAL_FIGURES.len().to_string();
    section(ui, context.side_bar, SideSection::Figures, &count, |ui| figures(ui, context.session));
    ui.add_space(2.0 * SPACE);
    list(ui, context.lessons, RowForm::Title)
}

/// Draws the figures of the tutorial.
fn figures(ui: &mut Ui, session: &mut Session) {
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
