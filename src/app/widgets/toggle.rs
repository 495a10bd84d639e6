//! Toggles: buttons that stay on. One that is on has a tint of the accent; one that is off looks as any button.

use egui::{Button, Response, RichText, Role, Stroke, Ui, WidgetInfo, vec2};

use super::fit::text_width;
use super::theme::{HIT_SIZE, Palette, SPACE, text_size};

/// Distance of the text from both sides, in points.
const PADDING: f32 = 2.0 * SPACE;

/// A toggle.
#[derive(Clone, Copy, Debug)]
pub(in crate::app) struct Toggle<'a> {
    /// Its text.
    pub(in crate::app) text: &'a str,
    /// Its name for assistive technology.
    pub(in crate::app) name: &'a str,
    /// Its tooltip.
    pub(in crate::app) tip: &'a str,
}

impl Toggle<'_> {
    /// Width in `ui`, in points.
    pub(in crate::app) fn width(self, ui: &Ui) -> f32 {
        text_width(ui, self.text, text_size::BODY) + 2.0 * PADDING
    }

    /// Draws the toggle.
    pub(in crate::app) fn show(self, ui: &mut Ui, is_on: bool) -> Response {
        self.show_with(ui, is_on, PADDING)
    }

    /// Draws the toggle with its text at a distance of `padding` points from both sides.
    pub(in crate::app) fn show_with(self, ui: &mut Ui, is_on: bool, padding: f32) -> Response {
        let palette = Palette::of_ui(ui);
        let fill = if is_on { palette.selected() } else { palette.button };
        let response = ui.scope(|ui| {
            ui.spacing_mut().button_padding.x = padding;
            let widgets = &mut ui.visuals_mut().widgets;
            widgets.inactive.weak_bg_fill = fill;
            if is_on {
                widgets.hovered.weak_bg_fill = fill;
            }
            let text = RichText::new(self.text).size(text_size::BODY).color(palette.text);
            // Menu bars take the outline away from their buttons.
            ui.add(Button::new(text).stroke(Stroke::new(1.0, palette.line)).min_size(vec2(HIT_SIZE, HIT_SIZE)))
        });
        let response = response.inner.on_hover_text(self.tip);
        response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_on, self.name));
        response
    }
}
