//! Fonts: Noto Sans for text, whose figures have one width; Hack for monospaced text; Material Symbols for icons.

use std::sync::Arc;

use egui::{FontData, FontDefinitions, FontFamily};
use egui_material_icons::font_insert;

/// Name of the text font.
const TEXT: &str = "Noto Sans";

/// The fonts of the window. Glyphs that the text font lacks are taken from egui's fonts, arrows from the monospaced one.
pub(super) fn definitions() -> FontDefinitions {
    let mut fonts = FontDefinitions::default();
    fonts.font_data.insert(TEXT.to_owned(), Arc::new(FontData::from_static(ttf_noto_sans::REGULAR)));
    let monospaced = fonts.families.get(&FontFamily::Monospace).cloned().unwrap_or_default();
    let text = fonts.families.entry(FontFamily::Proportional).or_default();
    text.insert(0, TEXT.to_owned());
    let lacking: Vec<String> = monospaced.into_iter().filter(|name| !text.contains(name)).collect();
    text.extend(lacking);
    let icons = font_insert();
    for family in icons.families {
        fonts.families.entry(family.family).or_default().push(icons.name.clone());
    }
    fonts.font_data.insert(icons.name, Arc::new(icons.data));
    fonts
}

#[cfg(test)]
mod tests {
    use egui::{Color32, FontId};

    use super::*;
    use crate::app::widgets::theme::text_size;

    #[test]
    fn figures_and_minus_have_equal_widths() {
        let ctx = egui::Context::default();
        ctx.set_fonts(definitions());
        let mut widths = Vec::new();
        let mut output = ctx.run_ui(egui::RawInput::default(), |ui| {
            let width = |text: &str| {
                let font = FontId::proportional(text_size::VALUE);
                ui.painter().layout_no_wrap(text.repeat(20), font, Color32::WHITE).size().x
            };
            widths = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "−"].map(width).to_vec();
        });
        output.textures_delta.clear();
        assert!(widths[0] > 20.0 && widths.iter().all(|width| *width == widths[0]), "{widths:?}");
    }
}
