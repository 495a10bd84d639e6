//! Labels of a figure: text with the dots of panels.

use crate::plots::CURVE_COLOURS;

/// Character before a panel's number in a label that is drawn as a dot in the colour of the panel.
const DOT: char = '●';

/// A letter of a label.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Letter {
    /// A glyph of the font.
    Glyph(char),
    /// A dot in this colour.
    Dot([u8; 3]),
}

/// Colour of the panel at `index`, 0 for the panel with number 1.
pub(super) fn curve_colour(index: usize) -> [u8; 3] {
    let [_, red, green, blue] = CURVE_COLOURS[index % CURVE_COLOURS.len()].to_be_bytes();
    [red, green, blue]
}

/// The letters of `text`. `●` before a digit from 1 to 9 is a dot in the colour of the panel with this number, or nothing without
/// `has_dots`; elsewhere it is the font's character.
pub(super) fn letters(text: &str, has_dots: bool) -> Vec<Letter> {
    let mut found = Vec::new();
    let mut rest = text.chars().peekable();
    while let Some(letter) = rest.next() {
        let number = rest.peek().and_then(|next| next.to_digit(10)).filter(|digit| letter == DOT && *digit > 0);
        match number {
            Some(number) if has_dots => found.push(Letter::Dot(curve_colour(number as usize - 1))),
            Some(_) => {}
            None => found.push(Letter::Glyph(letter)),
        }
    }
    found
}

/// The number of the panel at `index` in a label, with the mark of its dot.
#[cfg(feature = "window")]
pub(crate) fn numbered(index: usize, label: &str) -> String {
    format!("{DOT}{}  {label}", index + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dot_before_a_number_is_drawn_and_elsewhere_a_character() {
        let glyphs = |text: &str| text.chars().map(Letter::Glyph).collect::<Vec<_>>();
        let dot = |index| vec![Letter::Dot(curve_colour(index))];
        let text = format!("{} | {}", numbered(0, "a"), numbered(8, "b"));
        assert_eq!(letters(&text, true), [dot(0), glyphs("1  a | "), dot(8), glyphs("9  b")].concat());
        assert_eq!(letters(&text, false), glyphs("1  a | 9  b"));
        for plain in ["● a", "●", "●0", "a 1", ""] {
            assert_eq!(letters(plain, true), glyphs(plain));
        }
    }
}
