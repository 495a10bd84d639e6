//! The panel that the rows of a list change, at the end of the heading above them.

use egui::{Align, Label, Layout, Rect, RichText, Sense, Ui, UiBuilder, Vec2};

use super::list_row;
use crate::app::session::Session;
use crate::app::widgets::panel_mark::dot;
use crate::app::widgets::symbol::Symbol;
use crate::app::widgets::theme::{Palette, SPACE, text_size};

/// The panel.
#[derive(Clone, Debug)]
pub(super) struct ListPanel {
    index: usize,
    /// Its number and its name: `Panel 1: Nearest`.
    name: String,
}

impl ListPanel {
    /// The focused panel.
    pub(super) fn focused(session: &Session) -> Self {
        let index = session.focused();
        Self { index, name: format!("Panel {}: {}", index + 1, session.panel_name(index)) }
    }

    /// Draws it at the end of a heading, which has the place `heading`: with an arrow to what it `becomes`, if the rows are methods.
    pub(super) fn show(&self, ui: &mut Ui, heading: Rect, becomes: Option<&str>) {
        let place = heading.with_max_x(heading.right() - list_row::MARGIN);
        let builder = UiBuilder::new().max_rect(place).layout(Layout::right_to_left(Align::Center));
        ui.scope_builder(builder, |ui| {
            ui.spacing_mut().item_spacing.x = 1.5 * SPACE;
            let weak = Palette::of_ui(ui).weak;
            let text = |ui: &mut Ui, text: &str, colour| {
                ui.add(Label::new(RichText::new(text).size(text_size::VALUE).color(colour)).selectable(false));
            };
            if let Some(becomes) = becomes {
                text(ui, becomes, Palette::of_ui(ui).text);
                let (place, _) = ui.allocate_exact_size(Vec2::splat(text_size::ICON), Sense::hover());
                Symbol::Becomes.paint(ui, place.center(), weak);
            }
            text(ui, &self.name, Palette::of_ui(ui).text);
            dot(ui, self.index);
            if becomes.is_none() {
                text(ui, "Changes", weak);
            }
        });
    }
}
