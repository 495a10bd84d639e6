//! Key caps: each key of a chord is a small label with a fill and a frame, and an input of the pointer has a frame with round ends. *or* stands
//! between chords that do the same, a slash between those of two commands that are named together, in the order of their title: *Zoom in / out* has `+` or `=` / `−`. Keys that are held for neighbours
//! stand once: `Shift` `PgDn` / `PgUp`.

use egui::{Color32, FontId, Painter, Pos2, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, vec2};

use super::fit::text_width;
use super::theme::{Palette, SMALL_RADIUS, SPACE, text_size};

/// Least width of a cap, in points.
const LEAST_WIDTH: f32 = 20.0;
/// Margin between the frame and the text, in points.
const MARGIN: f32 = 4.5;
/// The same of an input of the pointer, whose ends are round.
const GESTURE_MARGIN: f32 = 6.5;
/// Gap between the caps of a chord, in points.
const GAP: f32 = 3.0;
/// Gap on both sides of a word or a sign between chords, in points.
const SIGN_GAP: f32 = 1.25 * SPACE;
/// Keys that are held while another is pressed, as chords write them.
const HELD: [&str; 4] = ["Ctrl+", "Cmd+", "Alt+", "Shift+"];
/// What stands between chords that do the same.
const OR: &str = "or";
/// What stands between the chords of two commands.
const BETWEEN: &str = "/";
/// Inputs of the pointer, whose frames have round ends.
const GESTURES: [&str; 11] = [
    "Click",
    "Double click",
    "Drag",
    "Middle drag",
    "Right click",
    "Right drag",
    "Drop a file",
    "Wheel",
    "Pinch",
    "Two fingers",
    "Rotate",
];
/// Names of the keys whose signs are hardly seen.
const SMALL_SIGNS: [(&str, &str); 2] = [(",", "Comma"), (".", "Period")];

/// How caps are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::app) struct CapLook {
    /// Height of a cap, in points.
    height: f32,
    /// Size of its text, in points.
    text: f32,
}

impl CapLook {
    /// Caps in a list.
    pub(in crate::app) const USUAL: Self = Self { height: 19.0, text: text_size::UNIT };

    /// Caps in lines with more room.
    pub(in crate::app) const LARGE: Self = Self { height: 22.0, text: text_size::VALUE };

    /// The same, at most `room` points high: caps in low lines do not touch.
    pub(in crate::app) fn within(self, room: f32) -> Self {
        Self { height: self.height.min(room), ..self }
    }
}

/// A part of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part<'a> {
    /// A cap with this text.
    Cap(&'a str),
    /// An input of the pointer.
    Gesture(&'a str),
    /// What stands between two chords.
    Sign(&'static str),
}

/// The modifiers that begin a chord, and the rest of it.
fn held_and_rest(chord: &str) -> (Vec<&str>, &str) {
    let (mut held, mut rest) = (Vec::new(), chord);
    while let Some((key, after)) = HELD.iter().find_map(|key| Some((key, rest.strip_prefix(key)?))) {
        held.push(key.trim_end_matches('+'));
        rest = after;
    }
    (held, rest)
}

/// The parts of a row: for each command of a line its chords. Keys that are held for two neighbours stand once.
/// The four arrows stand together.
fn parts(commands: &[Vec<String>]) -> Vec<Part<'_>> {
    let is_arrow = |keys: &Vec<String>| match &keys[..] {
        [chord] => ["←", "→", "↑", "↓"].contains(&held_and_rest(chord).1),
        _ => false,
    };
    let are_together = commands.len() == 4 && commands.iter().all(is_arrow);
    let mut parts = Vec::new();
    let mut before: Option<Vec<&str>> = None;
    for (place, chords) in commands.iter().enumerate() {
        for (alternative, chord) in chords.iter().enumerate() {
            let sign = match (place, alternative) {
                (_, 1..) => Some(OR),
                (1.., 0) if !are_together => Some(BETWEEN),
                (_, 0) => None,
            };
            let (held, rest) = held_and_rest(chord);
            let rest = SMALL_SIGNS.iter().find_map(|(sign, name)| (*sign == rest).then_some(*name)).unwrap_or(rest);
            parts.extend(sign.map(Part::Sign));
            if held.is_empty() || before.as_ref() != Some(&held) {
                parts.extend(held.iter().map(|key| Part::Cap(key)));
            }
            parts.push(if GESTURES.contains(&rest) { Part::Gesture(rest) } else { Part::Cap(rest) });
            before = Some(held);
        }
    }
    parts
}

fn part_width(ui: &Ui, part: &Part<'_>, text_size: f32) -> f32 {
    match part {
        Part::Cap(key) => (text_width(ui, key, text_size) + 2.0 * MARGIN).max(LEAST_WIDTH),
        Part::Gesture(text) => text_width(ui, text, text_size) + 2.0 * GESTURE_MARGIN,
        Part::Sign(text) => text_width(ui, text, text_size),
    }
}

/// Gap between two neighbours, in points.
fn gap(left: &Part<'_>, right: &Part<'_>) -> f32 {
    match (left, right) {
        (Part::Sign(_), _) | (_, Part::Sign(_)) => SIGN_GAP,
        _ => GAP,
    }
}

/// Width of the caps of `commands` in a row, in points.
pub(in crate::app) fn caps_width(ui: &Ui, commands: &[Vec<String>], look: CapLook) -> f32 {
    let parts = parts(commands);
    let gaps: f32 = parts.windows(2).map(|pair| gap(&pair[0], &pair[1])).sum();
    parts.iter().map(|part| part_width(ui, part, look.text)).sum::<f32>() + gaps
}

/// Paints the caps of `commands` in a row whose left end has its middle at `left`.
pub(in crate::app) fn paint_caps(ui: &Ui, painter: &Painter, commands: &[Vec<String>], left: Pos2) {
    paint(ui, painter, commands, (left, CapLook::USUAL));
}

fn paint(ui: &Ui, painter: &Painter, commands: &[Vec<String>], (left, look): (Pos2, CapLook)) {
    let palette = Palette::of_ui(ui);
    let parts = parts(commands);
    let line = Stroke::new(1.0, palette.line);
    let mut x = left.x;
    for (place, part) in parts.iter().enumerate() {
        let side = vec2(part_width(ui, part, look.text), look.height);
        let rect = Rect::from_min_size(Pos2::new(x, left.y - 0.5 * look.height), side);
        match part {
            Part::Cap(key) => {
                painter.rect(rect, SMALL_RADIUS, palette.control, line, StrokeKind::Inside);
                paint_key(painter, rect.center(), (key, look.text), palette.text);
            }
            Part::Gesture(text) => {
                painter.rect_stroke(rect, 0.5 * look.height, line, StrokeKind::Inside);
                paint_key(painter, rect.center(), (text, look.text), palette.text);
            }
            Part::Sign(sign) => paint_key(painter, rect.center(), (sign, look.text), palette.weak),
        }
        x = rect.right() + parts.get(place + 1).map_or(0.0, |next| gap(part, next));
    }
}

/// Paints the text of a cap. What is drawn of it is centred across; letters stand on one line, with the middle of capital letters in
/// the middle of the cap, and arrows alone are centred upright too.
fn paint_key(painter: &Painter, centre: Pos2, (key, size): (&str, f32), colour: Color32) {
    let galley = |text: &str| painter.layout_no_wrap(text.to_owned(), FontId::proportional(size), colour);
    let text = galley(key);
    let drawn = text.mesh_bounds.center();
    let middle =
        if key.chars().any(|letter| letter.is_ascii_graphic()) { galley("H").mesh_bounds.center().y } else { drawn.y };
    painter.galley(centre - vec2(drawn.x, middle), text, colour);
}

/// Draws the caps of `commands` in a row. Assistive technology reads them as one label.
pub(in crate::app) fn caps(ui: &mut Ui, commands: &[Vec<String>]) -> Response {
    caps_of(ui, commands, CapLook::USUAL)
}

/// Draws the caps of `commands` as [`caps`] does, in this look.
pub(in crate::app) fn caps_of(ui: &mut Ui, commands: &[Vec<String>], look: CapLook) -> Response {
    let side = vec2(caps_width(ui, commands, look), look.height);
    let (rect, response) = ui.allocate_exact_size(side, Sense::hover());
    paint(ui, ui.painter(), commands, (rect.left_center(), look));
    let all: Vec<String> = commands.iter().map(|chords| chords.join(" or ")).collect();
    let all = all.join(" / ");
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &all));
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::commands::pointer::POINTER_HELP;

    /// The parts with a blank between two, caps in brackets: `[Ctrl] [Shift] [P]`.
    fn row(commands: &[&[&str]]) -> String {
        let owned = |chords: &&[&str]| chords.iter().map(|&chord| chord.to_owned()).collect();
        let commands: Vec<Vec<String>> = commands.iter().map(owned).collect();
        let text = |part: &Part<'_>| match part {
            Part::Cap(text) => format!("[{text}]"),
            Part::Gesture(text) => format!("<{text}>"),
            Part::Sign(text) => (*text).to_owned(),
        };
        parts(&commands).iter().map(text).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn each_key_of_a_chord_has_a_cap_with_or_between_chords_and_a_slash_between_commands() {
        assert_eq!(row(&[&["Ctrl+Shift+P"]]), "[Ctrl] [Shift] [P]");
        assert_eq!(row(&[&["K"], &["Shift+K"]]), "[K] / [Shift] [K]");
        assert_eq!(row(&[&["+", "="], &["−"]]), "[+] or [=] / [−]");
        assert_eq!(row(&[&["PgDn"], &["PgUp"]]), "[PgDn] / [PgUp]");
        assert_eq!(row(&[&["Ctrl+Tab"], &["Ctrl+Shift+Tab"]]), "[Ctrl] [Tab] / [Ctrl] [Shift] [Tab]");
        assert_eq!(row(&[&["Ctrl+Shift+Z", "Ctrl+Y"]]), "[Ctrl] [Shift] [Z] or [Ctrl] [Y]");
        assert_eq!(row(&[&["→", "PgDn"], &["←", "PgUp"]]), "[→] or [PgDn] / [←] or [PgUp]");
        assert_eq!(row(&[&["←"], &["→"], &["↑"], &["↓"]]), "[←] [→] [↑] [↓]");
        assert_eq!(row(&[&["Alt+Wheel"]]), "[Alt] <Wheel>");
        assert_eq!(row(&[&["2 … 9"]]), "[2 … 9]");
        assert_eq!(row(&[&["Drag", "Middle drag"]]), "<Drag> or <Middle drag>");
        assert_eq!(row(&[&["Ctrl+,"]]), "[Ctrl] [Comma]");
        assert_eq!(row(&[&[","], &["."]]), "[Comma] / [Period]");
    }

    #[test]
    fn keys_that_are_held_for_neighbours_stand_once() {
        assert_eq!(row(&[&["Ctrl++", "Ctrl+="], &["Ctrl+−"]]), "[Ctrl] [+] or [=] / [−]");
        assert_eq!(row(&[&["Ctrl+["], &["Ctrl+]"]]), "[Ctrl] [[] / []]");
        assert_eq!(row(&[&["Shift+←"], &["Shift+→"]]), "[Shift] [←] / [→]");
        assert_eq!(row(&[&["Ctrl+Shift+PgDn"], &["Ctrl+Shift+PgUp"]]), "[Ctrl] [Shift] [PgDn] / [PgUp]");
        assert_eq!(row(&[&["Ctrl+←"], &["Ctrl+→"], &["Ctrl+↑"], &["Ctrl+↓"]]), "[Ctrl] [←] [→] [↑] [↓]");
    }

    #[test]
    fn inputs_of_the_pointer_are_no_keys() {
        for input in POINTER_HELP.iter().flat_map(|line| line.inputs) {
            let (held, rest) = held_and_rest(input);
            let expected: Vec<String> =
                held.iter().map(|key| format!("[{key}]")).chain([format!("<{rest}>")]).collect();
            assert_eq!(row(&[&[input]]), expected.join(" "));
        }
    }

    #[test]
    fn row_of_no_command_is_empty() {
        assert_eq!(row(&[]), "");
    }
}
