//! Toggles: buttons that stay on. One that is on has a muted fill of the accent's hue; one that is off looks as any button.

use egui::emath::GuiRounding as _;
use egui::{Button, CornerRadius, Rect, Response, RichText, Role, Stroke, StrokeKind, Ui, WidgetInfo, vec2};

use super::fit::text_width;
use super::theme::{HIT_SIZE, Palette, RADIUS, SPACE, text_size};

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
        let shape = ButtonShape::alone(ui, PADDING);
        let response = button(ui, (self.text, true), is_on, shape).on_hover_text(self.tip);
        response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_on, self.name));
        response
    }
}

/// Draws one of several choices side by side, of which one is on, as a toggle. One that is not `is_enabled` is faded.
pub(in crate::app) fn choice(ui: &mut Ui, (text, is_enabled): (&str, bool), is_on: bool) -> Response {
    let shape = ButtonShape::alone(ui, 1.5 * SPACE);
    let response = button(ui, (text, is_enabled), is_on, shape);
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, is_enabled, is_on, text));
    response
}

/// Widths of the segments of a control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum Widths {
    /// Equal ones: controls that stand below each other.
    Equal,
    /// Such that texts are equally far from the edges of their segments: a control in a row of others.
    ByText,
}

/// Draws `choices` as one control over the whole width, of which `chosen` is on: segments of equal width within one outline, with a
/// line between two.
///
/// ```text
/// ╭────────┬────────┬────────╮
/// │ System │ Light  │  Dark  │
/// ╰────────┴────────┴────────╯
/// ```
///
/// `name` says what is chosen, for assistive technology, and `tip`, unless it is empty, is the tooltip. Returns the one that is clicked.
pub(in crate::app) fn segments<T: Copy + PartialEq>(
    ui: &mut Ui,
    (name, tip): (&str, &str),
    chosen: T,
    choices: &[(T, &str)],
) -> Option<T> {
    segments_with_tips(ui, (name, Widths::Equal), chosen, choices, |_| tip.to_owned())
}

/// As [`segments`], with these widths and the tooltip of each choice. Without a `name` the texts alone are the names of the choices.
pub(in crate::app) fn segments_with_tips<T: Copy + PartialEq>(
    ui: &mut Ui,
    (name, widths): (&str, Widths),
    chosen: T,
    choices: &[(T, &str)],
    tip: impl Fn(T) -> String,
) -> Option<T> {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        let (palette, scale) = (Palette::of_ui(ui), ui.pixels_per_point());
        let texts: Vec<f32> = choices.iter().map(|(_, text)| text_width(ui, text, text_size::BODY)).collect();
        let room = ui.available_width();
        let beside = ((room - texts.iter().sum::<f32>()) / choices.len() as f32).max(0.0);
        let (mut clicked, mut rects) = (None, Vec::new());
        for (place, &(value, text)) in choices.iter().enumerate() {
            let shape = ButtonShape {
                padding: SPACE,
                least: match widths {
                    Widths::Equal => room / choices.len() as f32,
                    Widths::ByText => texts[place] + beside,
                },
                corners: outer_corners(place, choices.len()),
                outline: Stroke::NONE,
            };
            let response = button(ui, (text, true), value == chosen, shape);
            let label = if name.is_empty() { text.to_owned() } else { format!("{name}: {text}") };
            response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, value == chosen, &label));
            rects.push(response.rect);
            if response.clicked() {
                clicked = Some(value);
            }
            let tip = tip(value);
            if !tip.is_empty() {
                response.on_hover_text(tip);
            }
        }
        let line = Stroke::new(1.0, palette.line);
        let whole = rects.iter().copied().fold(Rect::NOTHING, Rect::union);
        for segment in rects.iter().skip(1) {
            ui.painter().vline(segment.left().round_to_pixel_center(scale), whole.shrink(1.0).y_range(), line);
        }
        ui.painter().rect_stroke(whole, RADIUS, line, StrokeKind::Inside);
        clicked
    })
    .inner
}

/// The corners of segment `place` of `count`: round at the ends of the control, square between two segments.
fn outer_corners(place: usize, count: usize) -> CornerRadius {
    let [left, right] = [place == 0, place + 1 == count].map(|is_end| if is_end { RADIUS } else { 0 });
    CornerRadius { nw: left, sw: left, ne: right, se: right }
}

/// The shape of a button.
#[derive(Clone, Copy, Debug)]
struct ButtonShape {
    /// Distance of the text from both sides, in points.
    padding: f32,
    /// Minimum width, in points.
    least: f32,
    corners: CornerRadius,
    outline: Stroke,
}

impl ButtonShape {
    /// A button with an outline of its own.
    fn alone(ui: &Ui, padding: f32) -> Self {
        let outline = Stroke::new(1.0, Palette::of_ui(ui).line);
        Self { padding, least: HIT_SIZE, corners: CornerRadius::same(RADIUS), outline }
    }
}

/// A button of this shape.
fn button(ui: &mut Ui, (text, is_enabled): (&str, bool), is_on: bool, shape: ButtonShape) -> Response {
    let palette = Palette::of_ui(ui);
    let [fill, colour] = if is_on { [palette.selected, palette.on_selected] } else { [palette.button, palette.text] };
    let response = ui.scope(|ui| {
        ui.spacing_mut().button_padding.x = shape.padding;
        let widgets = &mut ui.visuals_mut().widgets;
        widgets.inactive.weak_bg_fill = fill;
        if is_on {
            // Its text has the colour for this fill.
            [&mut widgets.hovered, &mut widgets.active].into_iter().for_each(|widget| widget.weak_bg_fill = fill);
        }
        let text = RichText::new(text).size(text_size::BODY).color(colour);
        // Menu bars take the outline away from their buttons.
        let button = Button::new(text).stroke(shape.outline).corner_radius(shape.corners);
        ui.add_enabled(is_enabled, button.min_size(vec2(shape.least, HIT_SIZE)))
    });
    response.inner
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_have_round_corners_at_the_ends_of_the_control_only() {
        let corners = |place: usize, count: usize| {
            let CornerRadius { nw, ne, sw, se } = outer_corners(place, count);
            [nw, ne, sw, se]
        };
        assert_eq!(corners(0, 3), [RADIUS, 0, RADIUS, 0]);
        assert_eq!(corners(1, 3), [0; 4]);
        assert_eq!(corners(2, 3), [0, RADIUS, 0, RADIUS]);
        assert_eq!(corners(0, 1), [RADIUS; 4]);
    }
}
