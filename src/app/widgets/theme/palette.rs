//! Colours of the two themes. Each is chosen by hand; tests state the contrast of every pair that is drawn.

use egui::{Color32, Theme};
use egui_plot::LineStyle;

use crate::plots::{CURVE_COLOURS, CURVE_DASHES, Dash};

/// Colours of the channels red, green and blue of an image, as curves over a bar of either theme.
pub(in crate::app) const CHANNELS: [Color32; 3] = [hex(0xDC_46_3C), hex(0x3C_AA_50), hex(0x46_78_F0)];

/// Number of panel colours.
const PANELS: usize = 9;

/// Colours of a theme, from back to front.
#[derive(Clone, Copy, Debug)]
pub(in crate::app) struct Palette {
    /// Background of the pictures: neutral, so that it does not bias the perception of their colours.
    pub ground: Color32,
    /// Bars and menus.
    pub surface: Color32,
    /// Buttons and menus of choices, which have outlines.
    pub button: Color32,
    /// Chips, the active tab, readings.
    pub control: Color32,
    /// Text and number fields, check boxes.
    pub field: Color32,
    /// Hovered controls.
    pub hovered: Color32,
    /// Pressed or selected controls.
    pub active: Color32,
    /// Toggles that are on, and their texts.
    pub selected: Color32,
    pub on_selected: Color32,
    /// Separators and outlines of controls.
    pub line: Color32,
    /// Outlines of fields and check boxes, which alone say where a text can be typed or a mark be set.
    pub outline: Color32,
    /// Units, counts, axes.
    pub faint: Color32,
    /// Labels and secondary text.
    pub weak: Color32,
    /// Text, titles and values.
    pub text: Color32,
    /// Focus of the keyboard, the row of a list that Enter takes, and what a search found. Toggles that are on have a muted fill of its hue;
    /// tabs, icons that are on and the buttons of dialogs are neutral.
    pub accent: Color32,
    /// Errors.
    pub error: Color32,
    panels: [Color32; PANELS],
}

/// Colour and line style of a panel, wherever the panel is named or plotted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::app) struct PanelStyle {
    /// Colour of its dot, text marks and curves. Told apart by colour-blind viewers: the first of the dark theme after Okabe and Ito
    /// (2008), the others chosen by their distances in OKLab through Machado's simulation (2009).
    pub color: Color32,
    /// Line style of its curves, lengths in points.
    pub line: LineStyle,
}

const DARK: Palette = Palette {
    ground: hex(0x18_18_18),
    surface: hex(0x1C_1F_24),
    button: hex(0x24_28_2E),
    control: hex(0x26_2A_31),
    field: hex(0x11_13_17),
    hovered: hex(0x2E_33_3B),
    active: hex(0x38_3E_48),
    selected: hex(0x45_5C_80),
    on_selected: hex(0xE6_E8_EB),
    line: hex(0x42_49_54),
    outline: hex(0x66_70_80),
    faint: hex(0x86_8E_9B),
    weak: hex(0xA3_AA_B5),
    text: hex(0xE6_E8_EB),
    accent: hex(0x6A_A9_FF),
    error: hex(0xF0_80_70),
    panels: [
        hex(0x56_B4_E9),
        hex(0xE6_9F_00),
        hex(0x29_B9_8B),
        hex(0xE0_8B_BE),
        hex(0xF0_E4_42),
        hex(0xE0_60_2A),
        hex(0x8F_80_F5),
        hex(0xE8_EC_F0),
        hex(0x60_F0_C0),
    ],
};

const LIGHT: Palette = Palette {
    ground: hex(0xEB_EB_EB),
    surface: hex(0xF7_F8_FA),
    button: hex(0xFF_FF_FF),
    control: hex(0xE7_EA_EF),
    field: hex(0xFF_FF_FF),
    hovered: hex(0xDE_E2_E8),
    active: hex(0xD2_D8_E0),
    selected: hex(0xA4_BE_EA),
    on_selected: hex(0x1B_1E_23),
    line: hex(0xB7_BD_C6),
    outline: hex(0x85_8D_99),
    faint: hex(0x68_70_80),
    weak: hex(0x4D_55_61),
    text: hex(0x1B_1E_23),
    accent: hex(0x1A_66_DE),
    error: hex(0xB4_2C_1C),
    panels: colours(CURVE_COLOURS),
};

/// The colours `0xRRGGBB`.
const fn colours(rgb: [u32; PANELS]) -> [Color32; PANELS] {
    let (mut colours, mut panel) = ([Color32::BLACK; PANELS], 0);
    while panel < PANELS {
        colours[panel] = hex(rgb[panel]);
        panel += 1;
    }
    colours
}

/// The line style of a dash.
const fn line_style(dash: Dash) -> LineStyle {
    match dash {
        Dash::Solid => LineStyle::Solid,
        Dash::Dashed { length } => LineStyle::Dashed { length },
        Dash::Dotted { spacing } => LineStyle::Dotted { spacing },
    }
}

/// The colour `0xRRGGBB`.
const fn hex(rgb: u32) -> Color32 {
    Color32::from_rgb((rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8)
}

impl Palette {
    /// Indices of the panels whose colours are green and orange.
    pub(in crate::app) const GREEN: usize = 2;
    pub(in crate::app) const ORANGE: usize = 1;

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

    /// Header of the panel at `index` while it is the focused one: a slight tint of the panel's colour over the bar.
    pub(in crate::app) fn focused(&self, index: usize) -> Color32 {
        self.surface.lerp_to_gamma(self.panel(index).color, 0.12)
    }

    /// Selected row of a list.
    pub(in crate::app) fn chosen(&self) -> Color32 {
        self.surface.lerp_to_gamma(self.accent, 0.20)
    }

    /// Characters of a row that a search found.
    pub(in crate::app) fn matched(&self) -> Color32 {
        self.accent.lerp_to_gamma(self.text, 0.40)
    }

    /// Colour and line style of the panel at `index`, 0 for the panel with number 1. They repeat after nine panels.
    pub(in crate::app) fn panel(&self, index: usize) -> PanelStyle {
        let line = line_style(CURVE_DASHES[index % CURVE_DASHES.len()]);
        PanelStyle { color: self.panels[index % PANELS], line }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::session::Session;
    use crate::app::session::difference::FROM_BLUE;

    /// Relative luminance by WCAG 2.
    fn luminance(color: Color32) -> f64 {
        let linear = |byte: u8| {
            let share = f64::from(byte) / 255.0;
            if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(color.r()) + 0.7152 * linear(color.g()) + 0.0722 * linear(color.b())
    }

    /// Contrast ratio by WCAG 2.
    fn contrast(a: Color32, b: Color32) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn contrasts_to_the_bar_are_those_of_the_design() {
        for (theme, expected) in [(DARK, [1.8, 13.5, 7.1, 5.0, 6.9]), (LIGHT, [1.8, 15.7, 7.1, 4.7, 4.9])] {
            let colours = [theme.line, theme.text, theme.weak, theme.faint, theme.accent];
            let found = colours.map(|colour| (10.0 * contrast(colour, theme.surface)).round() / 10.0);
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn labels_have_a_contrast_of_at_least_4_5_where_they_are_drawn() {
        for theme in [DARK, LIGHT] {
            for fill in [theme.surface, theme.field, theme.button, theme.control, theme.hovered, theme.ground] {
                for text in [theme.text, theme.weak] {
                    assert!(contrast(text, fill) >= 4.5, "{text:?} on {fill:?}: {}", contrast(text, fill));
                }
            }
            // Rows of lists.
            for fill in [theme.hovered, theme.active, theme.chosen()] {
                for text in [theme.text, theme.weak, theme.matched()] {
                    assert!(contrast(text, fill) >= 4.5, "{text:?} on {fill:?}: {}", contrast(text, fill));
                }
            }
            for fill in [theme.surface, theme.field] {
                for text in [theme.faint, theme.accent, theme.error] {
                    assert!(contrast(text, fill) >= 4.5, "{text:?} on {fill:?}: {}", contrast(text, fill));
                }
            }
            for fill in (0..PANELS).map(|index| theme.focused(index)) {
                for text in [theme.text, theme.weak] {
                    assert!(contrast(text, fill) >= 4.5, "{text:?} on {fill:?}: {}", contrast(text, fill));
                }
            }
            assert!(contrast(theme.text, theme.active) >= 4.5);
            assert!(contrast(theme.on_selected, theme.selected) >= 4.5);
        }
    }

    #[test]
    fn outlines_of_controls_have_a_contrast_of_at_least_1_6() {
        for theme in [DARK, LIGHT] {
            for fill in [theme.surface, theme.field, theme.button] {
                assert!(contrast(theme.line, fill) >= 1.6, "{fill:?}: {}", contrast(theme.line, fill));
            }
        }
    }

    #[test]
    fn outlines_of_fields_have_a_contrast_of_at_least_3() {
        for theme in [DARK, LIGHT] {
            for fill in [theme.surface, theme.field] {
                assert!(contrast(theme.outline, fill) >= 3.0, "{fill:?}: {}", contrast(theme.outline, fill));
            }
        }
    }

    #[test]
    fn filled_button_has_a_text_with_a_contrast_of_at_least_4_5() {
        for theme in [DARK, LIGHT] {
            for fill in [theme.text, theme.accent, theme.error] {
                assert!(contrast(theme.surface, fill) >= 4.5, "{fill:?}: {}", contrast(theme.surface, fill));
            }
        }
    }

    #[test]
    fn toggle_that_is_on_has_a_contrast_of_at_least_1_5_to_one_that_is_off() {
        for theme in [DARK, LIGHT] {
            let found = contrast(theme.selected, theme.control);
            assert!(found >= 1.5, "{found}");
        }
    }

    #[test]
    fn panel_colours_have_a_contrast_of_at_least_4_3_to_the_bar() {
        for theme in [DARK, LIGHT] {
            for index in 0..PANELS {
                let colour = theme.panel(index).color;
                assert!(contrast(colour, theme.surface) >= 4.3, "{index}: {}", contrast(colour, theme.surface));
            }
        }
    }

    /// Linear red, green and blue as seen by everyone and, at full severity, without cones of long, medium or short wavelengths
    /// (Machado, Oliveira and Fernandes 2009, table 1).
    const VISIONS: [(&str, [[f64; 3]; 3], f64); 4] = [
        ("normal", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], 0.10),
        (
            "protanopia",
            [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
            0.06,
        ),
        (
            "deuteranopia",
            [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
            0.06,
        ),
        // One person in ten thousand.
        (
            "tritanopia",
            [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
            0.035,
        ),
    ];

    /// Position in OKLab (Ottosson 2020) of `color` as it is seen by `vision`.
    fn oklab(color: Color32, vision: [[f64; 3]; 3]) -> [f64; 3] {
        let times = |rows: [[f64; 3]; 3], v: [f64; 3]| rows.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2]);
        let linear = [color.r(), color.g(), color.b()].map(|byte| {
            let share = f64::from(byte) / 255.0;
            if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        });
        let cones = [
            [0.4122214708, 0.5363325363, 0.0514459929],
            [0.2119034982, 0.6806995451, 0.1073969566],
            [0.0883024619, 0.2817188376, 0.6299787005],
        ];
        let lab = [
            [0.2104542553, 0.7936177850, -0.0040720468],
            [1.9779984951, -2.4285922050, 0.4505937099],
            [0.0259040371, 0.7827717662, -0.8086757660],
        ];
        times(lab, times(cones, times(vision, linear).map(|light| light.clamp(0.0, 1.0))).map(f64::cbrt))
    }

    #[test]
    fn panel_colours_are_told_apart_by_every_eye() {
        for theme in [DARK, LIGHT] {
            for (vision, matrix, least) in VISIONS {
                for second in 0..PANELS {
                    for first in 0..second {
                        let [a, b] = [first, second].map(|index| oklab(theme.panel(index).color, matrix));
                        let distance = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
                        assert!(distance >= least, "{vision}: panels {} and {}: {distance:.4}", first + 1, second + 1);
                    }
                }
            }
        }
    }

    /// Of two panels of plainly different hue the bluer one comes first in the order by which the sign of their difference is coloured.
    #[test]
    fn order_of_panels_from_blue_to_orange_is_that_of_their_colours() {
        for theme in [DARK, LIGHT] {
            let blueness = FROM_BLUE.map(|index| {
                let colour = theme.panel(index).color;
                i32::from(colour.b()) - i32::from(colour.r())
            });
            for (place, first) in blueness.iter().enumerate() {
                assert!(blueness[place..].iter().all(|later| *later < first + 40), "{blueness:?}");
            }
        }
    }

    #[test]
    fn panels_that_are_named_by_their_colours_have_them() {
        for theme in [DARK, LIGHT] {
            let [green, orange] = [Palette::GREEN, Palette::ORANGE].map(|index| theme.panel(index).color);
            assert!(green.g() > green.r().max(green.b()), "{green:?}");
            assert!(orange.r() > orange.g() && orange.g() > orange.b(), "{orange:?}");
        }
    }

    #[test]
    fn panels_have_distinct_styles() {
        assert_eq!(Session::MAX_PANELS, PANELS);
        for theme in [DARK, LIGHT] {
            let styles: Vec<PanelStyle> = (0..PANELS).map(|index| theme.panel(index)).collect();
            for (index, style) in styles.iter().enumerate() {
                assert!(styles[..index].iter().all(|other| other.color != style.color), "{index}");
            }
        }
    }
}
