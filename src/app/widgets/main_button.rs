//! The button of what a dialog or a step of a lesson is for: filled, so that it stands out from those beside it.

use egui::{Button, Color32, Response, RichText, Stroke, Ui, Vec2};

use super::theme::{Palette, text_size};

/// How much of the colour of secondary texts the fill has under the pointer.
const RAISED: f32 = 0.35;

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
            Self::Adds => palette.text,
            Self::Replaces => palette.error,
        }
    }
}

/// Draws the button with this text, which is cut where it has no room, at least `least` points wide and high.
pub(in crate::app) fn main_button(ui: &mut Ui, text: &str, effect: Effect, least: Vec2) -> Response {
    let palette = Palette::of_ui(ui);
    let fill = effect.fill(&palette);
    ui.scope(|ui| {
        let widgets = &mut ui.visuals_mut().widgets;
        widgets.inactive.weak_bg_fill = fill;
        let raised = fill.lerp_to_gamma(palette.weak, RAISED);
        [&mut widgets.hovered, &mut widgets.active].into_iter().for_each(|widget| widget.weak_bg_fill = raised);
        let text = RichText::new(text).size(text_size::BODY).color(palette.surface);
        ui.add(Button::new(text).truncate().stroke(Stroke::NONE).min_size(least))
    })
    .inner
}
