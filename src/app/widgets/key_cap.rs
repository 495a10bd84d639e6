//! Key caps: each key of a chord is a small framed label, and a slash stands between chords that do the same.

use egui::{Color32, FontId, Painter, Pos2, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, vec2};

use super::fit::text_width;
use super::theme::{Palette, SPACE, text_size};

/// Height and least width of a cap, in points.
const HEIGHT: f32 = 18.0;
const LEAST_WIDTH: f32 = 20.0;
/// Margin between the frame and the text, in points.
const MARGIN: f32 = 4.5;
/// Gap between the caps of a chord, and on both sides of a slash, in points.
const GAP: f32 = 0.75 * SPACE;
/// Corner radius of a cap, in points.
const RADIUS: f32 = 4.0;
/// Keys that are held while another is pressed, as chords write them.
const HELD: [&str; 3] = ["Ctrl+", "Cmd+", "Shift+"];
/// What stands between chords.
const OR: &str = "/";

/// A part of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part<'a> {
    /// A cap with this text.
    Cap(&'a str),
    /// A slash.
    Or,
}

/// The parts of a row of chords. Keys to hold that end a text, `Shift+`, belong to the next one. The four arrows stand together:
/// `Shift+`, `←`, `→`, `↑`, `↓`.
fn parts(chords: &[String]) -> Vec<Part<'_>> {
    let is_arrow = |chord: &&String| ["←", "→", "↑", "↓"].contains(&chord.as_str());
    let are_together = chords.iter().filter(is_arrow).count() == 4;
    let mut parts = Vec::new();
    let mut is_held = true;
    let mut before: Option<Vec<&str>> = None;
    for chord in chords {
        let is_clustered = are_together && is_arrow(&chord);
        if !is_held && !is_clustered {
            parts.push(Part::Or);
        }
        let mut rest = chord.as_str();
        let mut held = Vec::new();
        while let Some((key, after)) = HELD.iter().find_map(|key| Some((key, rest.strip_prefix(key)?))) {
            held.push(key.trim_end_matches('+'));
            rest = after;
        }
        // Keys that are held for both of two chords stand once, before the first.
        if before.as_ref() != Some(&held) {
            parts.extend(held.iter().map(|key| Part::Cap(key)));
        }
        is_held = rest.is_empty();
        if !is_held {
            parts.push(Part::Cap(rest));
            before = Some(held);
        }
    }
    parts
}

fn part_width(ui: &Ui, part: Part<'_>) -> f32 {
    match part {
        Part::Cap(key) => (text_width(ui, key, text_size::UNIT) + 2.0 * MARGIN).max(LEAST_WIDTH),
        Part::Or => text_width(ui, OR, text_size::UNIT),
    }
}

/// Width of the caps of `chords` in a row.
pub(in crate::app) fn caps_width(ui: &Ui, chords: &[String]) -> f32 {
    let parts = parts(chords);
    let gaps = GAP * parts.len().saturating_sub(1) as f32;
    parts.into_iter().map(|part| part_width(ui, part)).sum::<f32>() + gaps
}

/// Paints the caps of `chords` in a row whose left end has its middle at `left`.
pub(in crate::app) fn paint_caps(ui: &Ui, painter: &Painter, chords: &[String], left: Pos2) {
    let palette = Palette::of_ui(ui);
    let mut x = left.x;
    for part in parts(chords) {
        let rect = Rect::from_min_size(Pos2::new(x, left.y - 0.5 * HEIGHT), vec2(part_width(ui, part), HEIGHT));
        match part {
            Part::Cap(key) => {
                painter.rect(rect, RADIUS, palette.control, Stroke::new(1.0, palette.line), StrokeKind::Inside);
                paint_key(painter, rect.center(), key, palette.text);
            }
            Part::Or => paint_key(painter, rect.center(), OR, palette.weak),
        }
        x = rect.right() + GAP;
    }
}

/// Paints the text of a cap. What is drawn of it is centred across; letters stand on one line, with the middle of capital letters in
/// the middle of the cap, and arrows alone are centred upright too.
fn paint_key(painter: &Painter, centre: Pos2, key: &str, colour: Color32) {
    let galley = |text: &str| painter.layout_no_wrap(text.to_owned(), FontId::proportional(text_size::UNIT), colour);
    let text = galley(key);
    let drawn = text.mesh_bounds.center();
    let middle = if key.chars().any(|letter| letter.is_ascii()) { galley("H").mesh_bounds.center().y } else { drawn.y };
    painter.galley(centre - vec2(drawn.x, middle), text, colour);
}

/// Draws the caps of `chords` in a row. Assistive technology reads them as one label.
pub(in crate::app) fn caps(ui: &mut Ui, chords: &[String]) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(caps_width(ui, chords), HEIGHT), Sense::hover());
    paint_caps(ui, ui.painter(), chords, rect.left_center());
    let all = chords.join(", ");
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &all));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parts with a blank between two: `Ctrl Shift P`.
    fn row(chords: &[&str]) -> String {
        let chords: Vec<String> = chords.iter().map(|&chord| chord.to_owned()).collect();
        let text = |part: &Part<'_>| match *part {
            Part::Cap(key) => key.to_owned(),
            Part::Or => OR.to_owned(),
        };
        parts(&chords).iter().map(text).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn each_key_of_a_chord_has_a_cap_and_chords_have_slashes_between_them() {
        assert_eq!(row(&["Ctrl+Shift+P"]), "Ctrl Shift P");
        assert_eq!(row(&["K", "Shift+K"]), "K / Shift K");
        assert_eq!(row(&["+", "=", "−"]), "+ / = / −");
        assert_eq!(row(&["Ctrl++", "Ctrl+−"]), "Ctrl + / −");
        assert_eq!(row(&["Ctrl+[", "Ctrl+]"]), "Ctrl [ / ]");
        assert_eq!(row(&["Ctrl+Tab", "Ctrl+Shift+Tab"]), "Ctrl Tab / Ctrl Shift Tab");
        assert_eq!(row(&["E", "Shift+E"]), "E / Shift E");
        assert_eq!(row(&["Ctrl+Y", "Z"]), "Ctrl Y / Z");
        assert_eq!(row(&["Shift+", "←", "→"]), "Shift ← / →");
        assert_eq!(row(&["Ctrl+", "←", "→", "↑", "↓"]), "Ctrl ← → ↑ ↓");
        assert_eq!(row(&["Ctrl+", "PgDn", "PgUp"]), "Ctrl PgDn / PgUp");
        assert_eq!(row(&["2 … 9"]), "2 … 9");
        assert_eq!(row(&["Drag", "Middle drag"]), "Drag / Middle drag");
        assert_eq!(row(&[]), "");
    }
}
