//! Theme: colours, text sizes, spacing, fonts. Pictures' surroundings are neutral and bars nearly so, so that they do not bias the
//! perception of the pictures. One accent colour marks the focus; nine colours identify the panels.

mod fonts;
mod palette;
mod style;

use egui::Theme;

pub(in crate::app) use self::fonts::medium;
pub(in crate::app) use self::palette::{CHANNELS, Palette, PanelStyle};
pub(in crate::app) use self::style::{as_field, with_scroll_bar};

/// Spacing unit, in points. Gaps are 1, 2, 3 or 4 of it.
pub(in crate::app) const SPACE: f32 = 4.0;
/// Height of a control, in points.
pub(in crate::app) const CONTROL_HEIGHT: f32 = 26.0;
/// Minimum side of a clickable area, in points.
pub(in crate::app) const HIT_SIZE: f32 = 24.0;
/// Corner radius of key caps, chips and plates, in points.
pub(in crate::app) const SMALL_RADIUS: u8 = 4;
/// Corner radius of controls and of rows of lists, in points.
pub(in crate::app) const RADIUS: u8 = 5;
/// Corner radius of menus and dialogs, in points.
pub(in crate::app) const LARGE_RADIUS: u8 = 8;
/// Width of a focus ring, in points.
pub(in crate::app) const RING_WIDTH: f32 = 2.0;

/// Duration of animations of controls without reduced motion, in seconds.
pub(in crate::app) const ANIMATION_S: f32 = 0.12;

/// Text sizes, in points.
pub(in crate::app) mod text_size {
    /// Units, axes, chips.
    pub(in crate::app) const UNIT: f32 = 11.0;
    /// Values and captions.
    pub(in crate::app) const VALUE: f32 = 12.0;
    /// All other text.
    pub(in crate::app) const BODY: f32 = 13.0;
    /// Text of lessons.
    pub(in crate::app) const LESSON: f32 = 15.0;
    /// Titles of dialogs and of the steps of lessons.
    pub(in crate::app) const TITLE: f32 = 20.0;
    /// Icons.
    pub(in crate::app) const ICON: f32 = 16.0;
}

/// Installs the styles of both themes and the fonts.
pub(in crate::app) fn install(ctx: &egui::Context) {
    for theme in [Theme::Dark, Theme::Light] {
        ctx.style_mut_of(theme, |style| style::apply(style, Palette::of(theme)));
    }
    ctx.options_mut(|options| options.zoom_with_keyboard = false);
    ctx.set_fonts(fonts::definitions());
}
