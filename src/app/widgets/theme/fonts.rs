//! Fonts: Noto Sans for text in two weights, whose figures have one width; Hack for monospaced text.

use std::sync::Arc;

use egui::{FontData, FontDefinitions, FontFamily, FontId};

/// Name of the text font.
const TEXT: &str = "Noto Sans";
/// Name of the text font's heavier weight, and of its family.
const MEDIUM: &str = "Noto Sans Bold";
/// Name of the monospaced font.
const MONOSPACED: &str = "Hack";

/// The font of names and headings.
pub(in crate::app) fn medium(size: f32) -> FontId {
    FontId::new(size, FontFamily::Name(MEDIUM.into()))
}

/// The fonts of the window. Glyphs that one font lacks, such as arrows in the text font, are taken from the next.
pub(super) fn definitions() -> FontDefinitions {
    let mut fonts = FontDefinitions::empty();
    let data = [
        (TEXT, ttf_noto_sans::REGULAR),
        (MEDIUM, ttf_noto_sans::BOLD),
        (MONOSPACED, epaint_default_fonts::HACK_REGULAR),
    ];
    for (name, data) in data {
        fonts.font_data.insert(name.to_owned(), Arc::new(FontData::from_static(data)));
    }
    let families = [
        (FontFamily::Proportional, &[TEXT, MONOSPACED][..]),
        (medium(0.0).family, &[MEDIUM, TEXT, MONOSPACED]),
        (FontFamily::Monospace, &[MONOSPACED, TEXT]),
    ];
    let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    fonts.families = families.map(|(family, names)| (family, owned(names))).into();
    fonts
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::PathBuf;

    use egui::{Color32, FontId};

    use super::*;
    use crate::app::widgets::theme::text_size;

    /// The characters of the string and character literals of the crate, outside of unit tests.
    fn literal_characters() -> BTreeSet<char> {
        let mut folders = vec![PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))];
        let mut found = BTreeSet::new();
        while let Some(folder) = folders.pop() {
            for path in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    let text = fs::read_to_string(path).expect("a file");
                    let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
                    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
                    found.extend(lines.flat_map(|line| line.split(" // ").next().unwrap_or_default().chars()));
                }
            }
        }
        found
    }

    #[test]
    fn all_characters_of_the_texts_have_glyphs_in_all_families() {
        let characters = literal_characters();
        assert!(characters.contains(&'×') && characters.contains(&'→'), "the texts are not found");
        let ctx = egui::Context::default();
        ctx.set_fonts(definitions());
        let mut lacking = Vec::new();
        let mut output = ctx.run_ui(egui::RawInput::default(), |ui| {
            for font in
                [FontId::proportional(text_size::BODY), medium(text_size::BODY), FontId::monospace(text_size::VALUE)]
            {
                let lacks =
                    |letter: &&char| !letter.is_control() && !ui.fonts_mut(|fonts| fonts.has_glyph(&font, **letter));
                lacking.extend(characters.iter().filter(lacks).map(|letter| (font.family.clone(), *letter)));
            }
        });
        output.textures_delta.clear();
        assert_eq!(lacking, [], "U+{:04X}", lacking.first().map_or(0, |(_, letter)| *letter as u32));
    }

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
