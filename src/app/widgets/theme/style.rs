//! The egui style of a palette.

use egui::style::ScrollStyle;
use egui::{CornerRadius, FontId, Margin, Stroke, Style, TextStyle, Vec2, Visuals};

use super::{ANIMATION_S, CONTROL_HEIGHT, LARGE_RADIUS, Palette, RADIUS, SPACE, medium, text_size};

/// Side of a check box, width of its mark and of the mark's line, in points.
const CHECK_BOX: f32 = 16.0;
const CHECK_MARK: f32 = 9.0;
const CHECK_STROKE: f32 = 1.75;

/// Sets text sizes, spacing and colours of `style`.
pub(super) fn apply(style: &mut Style, palette: Palette) {
    style.text_styles = [
        (TextStyle::Heading, medium(text_size::TITLE)),
        (TextStyle::Body, FontId::proportional(text_size::BODY)),
        (TextStyle::Button, FontId::proportional(text_size::BODY)),
        (TextStyle::Small, FontId::proportional(text_size::UNIT)),
        (TextStyle::Monospace, FontId::monospace(text_size::VALUE)),
    ]
    .into();
    style.drag_value_text_style = TextStyle::Body;
    style.explanation_tooltips = false;
    style.animation_time = ANIMATION_S;
    let spacing = &mut style.spacing;
    spacing.item_spacing = Vec2::new(2.0 * SPACE, SPACE);
    spacing.button_padding = Vec2::new(2.0 * SPACE, 0.5 * SPACE);
    spacing.interact_size = Vec2::new(32.0, CONTROL_HEIGHT);
    spacing.menu_margin = Margin::same(6);
    spacing.window_margin = Margin::same(16);
    spacing.tooltip_width = 360.0;
    spacing.slider_rail_height = 3.0;
    (spacing.icon_width, spacing.icon_width_inner) = (CHECK_BOX, CHECK_MARK);
    apply_visuals(&mut style.visuals, palette);
}

fn apply_visuals(visuals: &mut Visuals, palette: Palette) {
    visuals.panel_fill = palette.surface;
    visuals.window_fill = palette.surface;
    visuals.window_stroke = Stroke::new(1.0, palette.line);
    visuals.window_corner_radius = CornerRadius::same(LARGE_RADIUS);
    visuals.menu_corner_radius = CornerRadius::same(LARGE_RADIUS);
    visuals.extreme_bg_color = palette.field;
    visuals.text_edit_bg_color = Some(palette.field);
    visuals.code_bg_color = palette.field;
    visuals.faint_bg_color = palette.control;
    visuals.weak_text_color = Some(palette.weak);
    // A wider cursor covers a part of the character before it.
    visuals.text_cursor.stroke.width = 1.0;
    visuals.hyperlink_color = palette.accent;
    visuals.error_fg_color = palette.error;
    visuals.selection.bg_fill = palette.accent.gamma_multiply(0.35);
    visuals.selection.stroke = Stroke::new(1.0, palette.text);
    let widgets = &mut visuals.widgets;
    // `bg_fill` is drawn by check boxes and sliders, `weak_bg_fill` by buttons.
    let states = [
        (&mut widgets.noninteractive, palette.surface, palette.surface, palette.text),
        (&mut widgets.inactive, palette.field, palette.button, palette.text),
        (&mut widgets.hovered, palette.hovered, palette.hovered, palette.text),
        (&mut widgets.active, palette.active, palette.active, palette.text),
        (&mut widgets.open, palette.hovered, palette.hovered, palette.text),
    ];
    for (widget, bg_fill, weak_bg_fill, text) in states {
        widget.bg_fill = bg_fill;
        widget.weak_bg_fill = weak_bg_fill;
        widget.bg_stroke = Stroke::new(1.0, palette.line);
        widget.fg_stroke = Stroke::new(CHECK_STROKE, text);
        widget.corner_radius = CornerRadius::same(RADIUS);
        widget.expansion = 0.0;
    }
}

/// Gives buttons within `ui` the look of fields, and fields and check boxes outlines that are seen.
pub(in crate::app) fn as_field(ui: &mut egui::Ui, palette: Palette) {
    let widgets = &mut ui.visuals_mut().widgets;
    widgets.inactive.weak_bg_fill = palette.field;
    for widget in [&mut widgets.inactive, &mut widgets.hovered, &mut widgets.active, &mut widgets.open] {
        widget.bg_stroke.color = palette.outline;
    }
}

/// Gives the lists within `ui` a scroll bar that is always drawn, beside them. Lists have no check boxes and sliders, whose fill its
/// handle has.
pub(in crate::app) fn with_scroll_bar(ui: &mut egui::Ui, palette: Palette) {
    ui.spacing_mut().scroll = ScrollStyle { foreground_color: false, ..ScrollStyle::solid() };
    let visuals = ui.visuals_mut();
    visuals.extreme_bg_color = palette.control;
    let widgets = &mut visuals.widgets;
    for (widget, fill) in [
        (&mut widgets.inactive, palette.line),
        (&mut widgets.hovered, palette.faint),
        (&mut widgets.active, palette.weak),
    ] {
        widget.bg_fill = fill;
    }
}
