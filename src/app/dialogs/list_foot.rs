//! The line below the rows of a list: the keys that it takes, and the number of rows that a search finds.

use egui::{Align, Label, Layout, RichText, Sense, Stroke, Ui, vec2};

use super::list_row;
use crate::app::widgets::key_cap::caps;
use crate::app::widgets::theme::{Palette, SPACE, text_size};

/// Height of the line, in points.
const HEIGHT: f32 = 22.0;

/// What the line says.
#[derive(Clone, Copy, Debug)]
pub(super) struct ListFoot {
    /// What Enter does, in one word.
    pub(super) verb: &'static str,
    /// Number of listed rows.
    pub(super) listed: usize,
    /// Whether these are what a search finds.
    pub(super) is_search: bool,
}

/// Draws the line below a rule.
pub(super) fn show(ui: &mut Ui, foot: ListFoot) {
    let palette = Palette::of_ui(ui);
    let text = |text: &str| RichText::new(text).size(text_size::VALUE).color(palette.weak);
    ui.add_space(SPACE);
    let (line, _) = ui.allocate_exact_size(vec2(ui.available_width(), 1.0), Sense::hover());
    ui.painter().hline(line.x_range(), line.center().y, Stroke::new(1.0, palette.line));
    let size = vec2(ui.available_width(), HEIGHT);
    ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_size(size);
        ui.spacing_mut().item_spacing.x = 1.5 * SPACE;
        ui.add_space(list_row::MARGIN);
        let keys: [(&[&str], &str); 3] = [(&["↵"], foot.verb), (&["↑", "↓"], "choose"), (&["Esc"], "close")];
        // Of an empty list nothing can be chosen.
        let keys = if foot.listed == 0 { &keys[2..] } else { &keys[..] };
        for &(keys, what) in keys {
            let keys: Vec<Vec<String>> = keys.iter().map(|&key| vec![key.to_owned()]).collect();
            caps(ui, &keys);
            ui.label(text(what));
            ui.add_space(2.0 * SPACE);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add_space(list_row::MARGIN);
            if foot.is_search {
                let plural = if foot.listed == 1 { "" } else { "es" };
                ui.add(Label::new(text(&format!("{} match{plural}", foot.listed))).truncate());
            }
        });
    });
}
