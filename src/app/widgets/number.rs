//! Numbers as text, and number fields.

use egui::{DragValue, Ui};

/// Parses a number: `-0.4`, `1e-3`, or a fraction such as `1/8`.
pub(in crate::app) fn parse(text: &str) -> Option<f64> {
    crate::arguments::parse_number(&text.trim().replace('−', "-")).ok()
}

/// Formats `value` with at most `digits` significant digits, without trailing zeros.
pub(in crate::app) fn short(value: f64, digits: i32) -> String {
    if value == 0.0 || !value.is_finite() {
        return if value == 0.0 { "0".to_owned() } else { value.to_string() };
    }
    let whole_digits = value.abs().log10().floor() as i32 + 1;
    let decimals = (digits - whole_digits).clamp(0, 15) as usize;
    let text = format!("{value:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Formats `value` with all its digits; in exponent form if it would be long.
fn whole(value: f64) -> String {
    let plain = value.to_string();
    if plain.len() > MAX_LETTERS { format!("{value:e}") } else { plain }
}

/// Maximum number of characters in a field.
const MAX_LETTERS: usize = 20;
/// Width of a field, in points: enough for all digits of a double.
const WIDTH: f32 = 164.0;

/// Description of a number field.
#[derive(Clone, Copy, Debug)]
pub(in crate::app) struct NumberField<'a> {
    /// Its label.
    pub name: &'a str,
    /// Its tooltip.
    pub help: &'a str,
    /// Change per point of dragging.
    pub speed: f64,
}

/// A number field labelled by the widget `label`. The number is typed at full precision or dragged. Returns the new value
/// if it was changed.
pub(in crate::app) fn field(ui: &mut Ui, field: NumberField<'_>, label: egui::Id, value: f64) -> Option<f64> {
    let mut edited = value;
    let drag = DragValue::new(&mut edited)
        .speed(field.speed)
        .custom_formatter(|value, _| whole(value))
        .custom_parser(parse)
        .clip_text(true)
        .update_while_editing(false);
    let response = ui.add_sized([WIDTH, crate::app::widgets::theme::CONTROL_HEIGHT], drag);
    response.labelled_by(label).on_hover_text(format!("{}\nDrag, or click to type: 0.125 or 1/8", field.help));
    (edited != value).then_some(edited)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_and_signs_are_parsed() {
        assert_eq!(parse("1/8"), Some(0.125));
        assert_eq!(parse(" −0.4 "), Some(-0.4));
        assert_eq!(parse("1e-3"), Some(0.001));
        for wrong in ["", "1/0", "a", "inf", "1/2/3"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn whole_format_is_parsed_back_equal_and_is_short() {
        assert_eq!(whole(0.125), "0.125");
        assert_eq!(whole(-2.842170943040401e-14), "-2.842170943040401e-14");
        for number in [1.0 / 3.0, -1e300, 1e-300, 123_456.789_012_345_67] {
            assert_eq!(parse(&whole(number)), Some(number));
        }
    }

    #[test]
    fn short_format_keeps_significant_digits() {
        assert_eq!(short(0.125, 6), "0.125");
        assert_eq!(short(1.0 / 3.0, 4), "0.3333");
        assert_eq!(short(1234.56, 3), "1235");
        assert_eq!(short(-1e-12, 20), "-0.000000000001");
        assert_eq!(short(0.0, 3), "0");
    }
}
