//! Tab *Learn*: the lessons, and the figures of the documents.

use egui::{Button, Id, Role, Ui, WidgetInfo, vec2};

use super::section::section;
use super::{SideBarContext, caption};
use crate::app::files::SideSection;
use crate::app::learn::{LearnRequest, RowForm, list};
use crate::app::session::Session;
use crate::app::session::figures::{FIGURE_GROUPS, FigureGroup};
use crate::app::widgets::theme::{CONTROL_HEIGHT, SPACE};
use crate::app::widgets::toggle::choice;

/// Draws the tab. Returns what the list of lessons asks for.
pub(super) fn show(ui: &mut Ui, context: &mut SideBarContext<'_>) -> Vec<LearnRequest> {
    // Above the lessons, which fill the tab. The line of the tabs is that of the section.
    ui.add_space(-SPACE);
    let count: usize = FIGURE_GROUPS.iter().map(|row| row.figures.len()).sum();
    section(ui, context.side_bar, SideSection::Figures, &count.to_string(), |ui| figures(ui, context.session));
    ui.add_space(2.0 * SPACE);
    list(ui, context.lessons, RowForm::Title)
}

/// Draws the figures of the chosen document.
fn figures(ui: &mut Ui, session: &mut Session) {
    let group = chosen_group(ui);
    caption(ui, group.row().help);
    ui.add_space(SPACE);
    ui.spacing_mut().item_spacing.y = 0.0;
    for figure in group.row().figures {
        let text = format!("{}  {}", figure.number, figure.title);
        let item =
            Button::selectable(figure.is_shown(session), text).min_size(vec2(ui.available_width(), CONTROL_HEIGHT));
        if ui.add(item).on_hover_text(figure.summary()).clicked() {
            figure.show(session);
        }
    }
}

/// Draws the names of the documents. Returns the chosen one, which the window remembers while it is open.
fn chosen_group(ui: &mut Ui) -> FigureGroup {
    let id = Id::unique("figures of a document");
    let mut group: FigureGroup = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    ui.horizontal(|ui| {
        for row in &FIGURE_GROUPS {
            let choice = choice(ui, (row.title, true), group == row.group);
            if choice.clicked() {
                group = row.group;
            }
            let (is_chosen, name) = (group == row.group, format!("Figures: {}", row.title));
            choice.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, is_chosen, &name));
            choice.on_hover_text(row.help);
        }
    });
    ui.data_mut(|data| data.insert_temp(id, group));
    group
}
