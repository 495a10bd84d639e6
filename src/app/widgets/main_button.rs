//! The button of what a dialog is for: filled, so that it stands out from those beside it.

use egui::{Button, Color32, RichText, Stroke, Ui};

use super::theme::{Palette, SPACE};

/// What the button does to what is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum Effect {
    /// It opens or adds something.
    Adds,
    /// It replaces something that is lost then.
    Replaces,
}

impl Effect {
    fn fill(self, palette: &Palette) -> Color32 {
        match self {
            Self::Adds => palette.accent,
            Self::Replaces => palette.error,
        }
    }
}

/// The button with this text.
pub(in crate::app) fn main_button(ui: &Ui, text: &str, effect: Effect) -> Button<'static> {
    let palette = Palette::of_ui(ui);
    let text = RichText::new(text).color(palette.surface);
    Button::new(text).fill(effect.fill(&palette)).stroke(Stroke::NONE).min_size(egui::vec2(18.0 * SPACE, 0.0))
}
