//! The panel that the rows of a list change, at the end of the heading above them.

use egui::{Align, Label, Layout, Rect, RichText, Ui, UiBuilder};

use super::list_row;
use crate::app::session::Session;
use crate::app::widgets::panel_mark::dot;
use crate::app::widgets::theme::{Palette, SPACE, text_size};

/// The panel.
#[derive(Clone, Debug)]
pub(super) struct ListPanel {
    index: usize,
    /// Its name with its number.
    name: String,
}

impl ListPanel {
    /// The focused panel.
    pub(super) fn focused(session: &Session) -> Self {
        let index = session.focused();
        Self { index, name: session.panel_name(index).numbered() }
    }

    /// Draws it at the end of a heading, which has the place `heading`.
    pub(super) fn show(&self, ui: &mut Ui, heading: Rect) {
        let place = heading.with_max_x(heading.right() - list_row::MARGIN);
        let builder = UiBuilder::new().max_rect(place).layout(Layout::right_to_left(Align::Center));
        ui.scope_builder(builder, |ui| {
            ui.spacing_mut().item_spacing.x = 1.5 * SPACE;
            let text = |text: &str| RichText::new(text).size(text_size::VALUE);
            ui.add(Label::new(text(&self.name)).selectable(false));
            dot(ui, self.index);
            ui.add(Label::new(text("Changes").color(Palette::of_ui(ui).weak)).selectable(false));
        });
    }
}
