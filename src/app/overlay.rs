//! The list of keys, over everything.

use egui::{Frame, Margin, Modal, RichText, Ui};

use super::commands::{COMMANDS, Chord};
use super::theme::{Palette, SPACE};

/// What the mouse and fingers do, beside the rows of keys.
const HANDS: [(&str, &str); 6] = [
    ("Drag, middle drag", "Moves the image"),
    ("Wheel, pinch", "Zooms about the cursor"),
    ("Two-finger scroll", "Moves the image"),
    ("Shift+wheel", "Moves sideways"),
    ("Double click", "Whole image, or 100 %"),
    ("Drop a file", "Opens it"),
];

/// Draws the overlay; true where it is to be closed.
pub(super) fn show(ui: &Ui) -> bool {
    let frame = Frame::popup(ui.style()).inner_margin(Margin::same(24));
    let modal = Modal::new(egui::Id::unique("keys")).frame(frame).show(ui, |ui| {
        ui.heading("Keys");
        ui.add_space(2.0 * SPACE);
        let height = (ui.content_rect().height() - 160.0).max(120.0);
        egui::ScrollArea::vertical().max_height(height).show(ui, |ui| {
            ui.horizontal_top(|ui| {
                let lines = lines();
                let (first, second) = lines.split_at((lines.len() + HANDS.len()).div_ceil(2).min(lines.len()));
                column(ui, "first keys", first);
                ui.add_space(8.0 * SPACE);
                ui.vertical(|ui| {
                    column(ui, "second keys", second);
                    ui.add_space(4.0 * SPACE);
                    let hands: Vec<_> = HANDS.iter().map(|(what, help)| ((*what).to_owned(), *help)).collect();
                    column(ui, "hands", &hands);
                });
            });
        });
        ui.add_space(3.0 * SPACE);
        ui.vertical_centered(|ui| ui.button("Close").clicked()).inner
    });
    modal.inner || modal.should_close()
}

fn column(ui: &mut Ui, id: &str, lines: &[(String, &'static str)]) {
    let palette = Palette::of_ui(ui);
    egui::Grid::new(id).num_columns(2).spacing([4.0 * SPACE, 1.5 * SPACE]).show(ui, |ui| {
        for (keys, help) in lines {
            ui.label(RichText::new(keys).color(palette.strong));
            ui.label(RichText::new(*help).color(palette.weak));
            ui.end_row();
        }
    });
}

/// The rows' keys and help; rows in a row with the same help are one line.
fn lines() -> Vec<(String, &'static str)> {
    let rows: Vec<_> = COMMANDS.iter().filter(|row| !row.keys.is_empty()).collect();
    rows.chunk_by(|a, b| a.help == b.help)
        .map(|rows| {
            let chords: Vec<&Chord> = rows.iter().flat_map(|row| row.keys).collect();
            (keys_text(&chords), rows[0].help)
        })
        .collect()
}

fn keys_text(chords: &[&Chord]) -> String {
    let [first, .., last] = chords else {
        return chords.first().map(|chord| chord.text()).unwrap_or_default();
    };
    if chords.len() > 4 {
        return format!("{} … {}", first.text(), last.text());
    }
    if chords.iter().all(|chord| chord.is_arrow()) {
        let names: Vec<_> = chords.iter().map(|chord| chord.key_name()).collect();
        return format!("{}{}", first.held_text(), names.join(" "));
    }
    let texts: Vec<_> = chords.iter().map(|chord| chord.text()).collect();
    texts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_join_what_belongs_together() {
        let lines = lines();
        let keys = |help: &str| lines.iter().find(|(_, text)| text.starts_with(help)).map(|(keys, _)| keys.as_str());
        assert_eq!(keys("Shows a sample as 2"), Some("2 … 9"));
        assert_eq!(keys("Moves by one sample"), Some("Shift+← → ↑ ↓"));
        assert_eq!(keys("Changes the focused panel's method"), Some("K, Shift+K"));
    }
}
