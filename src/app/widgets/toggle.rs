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
        let response = button(ui, (self.text, true), is_on, (padding, HIT_SIZE)).on_hover_text(self.tip);
        response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_on, self.name));
        response
    }
}

/// Draws one of several choices side by side, of which one is on, as a toggle. One that is not `is_enabled` is faded.
pub(in crate::app) fn choice(ui: &mut Ui, (text, is_enabled): (&str, bool), is_on: bool) -> Response {
    let response = button(ui, (text, is_enabled), is_on, (1.5 * SPACE, HIT_SIZE));
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, is_enabled, is_on, text));
    response
}

/// Draws `choices` side by side over the whole width, each as wide as the others, of which `chosen` is on. `name` says what is chosen,
/// for assistive technology. Returns the one that is clicked.
pub(in crate::app) fn segments<T: Copy + PartialEq>(
    ui: &mut Ui,
    name: &str,
    chosen: T,
    choices: &[(T, &str)],
) -> Option<T> {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = SPACE;
        let count = choices.len() as f32;
        let width = (ui.available_width() - SPACE * (count - 1.0)) / count;
        let mut clicked = None;
        for &(value, text) in choices {
            let response = button(ui, (text, true), value == chosen, (SPACE, width));
            let label = format!("{name}: {text}");
            response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, value == chosen, &label));
            if response.clicked() {
                clicked = Some(value);
            }
        }
        clicked
    })
    .inner
}

/// A button with its text at a distance of `padding` from both sides, of at least `least` points.
fn button(ui: &mut Ui, (text, is_enabled): (&str, bool), is_on: bool, (padding, least): (f32, f32)) -> Response {
    let palette = Palette::of_ui(ui);
    let fill = if is_on { palette.selected() } else { palette.button };
    let response = ui.scope(|ui| {
        ui.spacing_mut().button_padding.x = padding;
        let widgets = &mut ui.visuals_mut().widgets;
        widgets.inactive.weak_bg_fill = fill;
        if is_on {
            widgets.hovered.weak_bg_fill = fill;
        }
        let text = RichText::new(text).size(text_size::BODY).color(palette.text);
        // Menu bars take the outline away from their buttons.
        let button = Button::new(text).stroke(Stroke::new(1.0, palette.line)).min_size(vec2(least, HIT_SIZE));
        ui.add_enabled(is_enabled, button)
    });
    response.inner
}
