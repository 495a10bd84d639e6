//! Colours, text sizes and spacing. Greys are neutral, so that they do not bias the perception of the pictures. One
//! accent colour marks the focus.

use egui::{
    Color32, CornerRadius, FontDefinitions, FontFamily, FontId, Margin, Stroke, Style, TextStyle, Theme, Vec2, Visuals,
};

/// Colours of a theme, from back to front.
#[derive(Clone, Copy, Debug)]
pub(in crate::app) struct Palette {
    /// Background of the pictures.
    pub ground: Color32,
    /// Bars and menus.
    pub surface: Color32,
    /// Inactive controls.
    pub control: Color32,
    /// Hovered controls.
    pub hovered: Color32,
    /// Active or selected controls.
    pub active: Color32,
    /// Separators and borders.
    pub line: Color32,
    /// Secondary text.
    pub weak: Color32,
    /// Text.
    pub text: Color32,
    /// Titles and values.
    pub strong: Color32,
    /// Focus and selection.
    pub accent: Color32,
    /// Errors.
    pub error: Color32,
}

const DARK: Palette = Palette {
    ground: Color32::from_rgb(12, 12, 13),
    surface: Color32::from_rgb(27, 27, 28),
    control: Color32::from_rgb(38, 38, 40),
    hovered: Color32::from_rgb(48, 48, 51),
    active: Color32::from_rgb(58, 58, 62),
    line: Color32::from_rgb(56, 56, 59),
    weak: Color32::from_rgb(150, 150, 154),
    text: Color32::from_rgb(210, 210, 212),
    strong: Color32::from_rgb(244, 244, 245),
    accent: Color32::from_rgb(104, 168, 240),
    error: Color32::from_rgb(240, 128, 112),
};

const LIGHT: Palette = Palette {
    ground: Color32::from_rgb(198, 198, 200),
    surface: Color32::from_rgb(246, 246, 247),
    control: Color32::from_rgb(232, 232, 234),
    hovered: Color32::from_rgb(221, 221, 224),
    active: Color32::from_rgb(208, 208, 212),
    line: Color32::from_rgb(212, 212, 215),
    weak: Color32::from_rgb(92, 92, 97),
    text: Color32::from_rgb(44, 44, 47),
    strong: Color32::from_rgb(12, 12, 13),
    accent: Color32::from_rgb(26, 100, 190),
    error: Color32::from_rgb(180, 44, 28),
};

/// Spacing unit, in points. All distances are multiples of it.
pub(in crate::app) const SPACE: f32 = 4.0;
/// Height of a control, in points.
pub(in crate::app) const CONTROL_HEIGHT: f32 = 24.0;

impl Palette {
    /// The colours of `theme`.
    pub(in crate::app) fn of(theme: Theme) -> Self {
        match theme {
            Theme::Dark => DARK,
            Theme::Light => LIGHT,
        }
    }

    /// The colours of the theme of `ui`.
    pub(in crate::app) fn of_ui(ui: &egui::Ui) -> Self {
        Self::of(ui.theme())
    }
}

/// Installs the styles of both themes and the fonts.
pub(in crate::app) fn install(ctx: &egui::Context) {
    for theme in [Theme::Dark, Theme::Light] {
        ctx.style_mut_of(theme, |style| dress(style, Palette::of(theme)));
    }
    ctx.options_mut(|options| options.zoom_with_keyboard = false);
    ctx.set_fonts(fonts());
}

/// egui's fonts. The proportional font falls back to the monospaced one, which has arrows.
fn fonts() -> FontDefinitions {
    let mut fonts = FontDefinitions::default();
    let monospaced = fonts.families.get(&FontFamily::Monospace).cloned().unwrap_or_default();
    let text = fonts.families.entry(FontFamily::Proportional).or_default();
    let lacking: Vec<String> = monospaced.into_iter().filter(|name| !text.contains(name)).collect();
    text.extend(lacking);
    fonts
}

fn dress(style: &mut Style, palette: Palette) {
    style.text_styles = [
        (TextStyle::Heading, FontId::proportional(16.0)),
        (TextStyle::Body, FontId::proportional(13.0)),
        (TextStyle::Button, FontId::proportional(13.0)),
        (TextStyle::Small, FontId::proportional(11.0)),
        (TextStyle::Monospace, FontId::monospace(12.0)),
    ]
    .into();
    style.drag_value_text_style = TextStyle::Monospace;
    style.explanation_tooltips = false;
    let spacing = &mut style.spacing;
    spacing.item_spacing = Vec2::new(2.0 * SPACE, SPACE);
    spacing.button_padding = Vec2::new(2.0 * SPACE, 0.5 * SPACE);
    spacing.interact_size = Vec2::new(32.0, CONTROL_HEIGHT);
    spacing.menu_margin = Margin::same(6);
    spacing.window_margin = Margin::same(16);
    spacing.tooltip_width = 360.0;
    dress_visuals(&mut style.visuals, palette);
}

fn dress_visuals(visuals: &mut Visuals, palette: Palette) {
    let radius = CornerRadius::same(4);
    visuals.panel_fill = palette.surface;
    visuals.window_fill = palette.surface;
    visuals.window_stroke = Stroke::new(1.0, palette.line);
    visuals.window_corner_radius = CornerRadius::same(8);
    visuals.menu_corner_radius = CornerRadius::same(6);
    visuals.extreme_bg_color = palette.control;
    visuals.text_edit_bg_color = Some(palette.ground.lerp_to_gamma(palette.surface, 0.5));
    visuals.faint_bg_color = palette.control;
    visuals.weak_text_color = Some(palette.weak);
    visuals.hyperlink_color = palette.accent;
    visuals.error_fg_color = palette.error;
    visuals.selection.bg_fill = palette.accent.gamma_multiply(0.35);
    visuals.selection.stroke = Stroke::new(1.0, palette.strong);
    let widgets = &mut visuals.widgets;
    let states = [
        (&mut widgets.noninteractive, palette.surface, palette.line, palette.text),
        (&mut widgets.inactive, palette.control, palette.line, palette.text),
        (&mut widgets.hovered, palette.hovered, palette.line, palette.strong),
        (&mut widgets.active, palette.active, palette.accent, palette.strong),
        (&mut widgets.open, palette.hovered, palette.line, palette.strong),
    ];
    for (widget, fill, line, text) in states {
        widget.bg_fill = fill;
        widget.weak_bg_fill = fill;
        widget.bg_stroke = Stroke::new(1.0, line);
        widget.fg_stroke = Stroke::new(1.0, text);
        widget.corner_radius = radius;
        widget.expansion = 0.0;
    }
}
