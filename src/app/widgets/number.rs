//! Numbers as text, and number fields.

use std::cell::RefCell;

use egui::emath::smart_aim::best_in_range_f64;
use egui::text::{CCursor, CCursorRange};
use egui::text_edit::TextEditState;
use egui::{Align, CursorIcon, DragValue, Key, Layout, Response, RichText, Sense, Ui, vec2};

use super::fit::text_width;
use super::limits::Limits;
use super::refusal::{self, TypedText};
use super::theme::{CONTROL_HEIGHT, Palette, SPACE, as_field, text_size};
use crate::text::short;

/// Significant digits of a number that is not being edited.
pub(in crate::app) const DIGITS: i32 = 5;
/// Decimals of a number in a field that [`DIGITS`] do not state exactly, and its least number of significant digits.
const DECIMALS: i32 = 3;
const LEAST_DIGITS: i32 = 2;
/// Maximum number of characters in a field.
const MAX_LETTERS: usize = 20;
/// Factor of the speed of a drag with the Shift key.
const FINE: f64 = 0.1;

/// Parses a number or an arithmetic expression: `-0.4`, `1e-3`, `1/8`, `2*(512-60.5)`, `360/7`, `sqrt(2)`.
pub(in crate::app) fn parse(text: &str) -> Option<f64> {
    let text = text.trim().replace('−', "-").replace('×', "*").replace('÷', "/");
    let number = crate::arguments::parse_number(&text).ok();
    // A leading sign belongs to its first operand; the expression parser takes no exponents.
    number.or_else(|| exmex::eval_str::<f64>(&text).ok()).filter(|number| number.is_finite())
}

/// The least of 1, 2 and 5 times a power of ten that is at least `least`, a positive number: a distance of ticks at round numbers.
pub(in crate::app) fn round_step(least: f64) -> f64 {
    let power = 10.0_f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0].map(|times| times * power).into_iter().find(|step| *step >= least).unwrap_or(10.0 * power)
}

/// Formats `value` with five significant digits, in exponent form if it would be long.
pub(in crate::app) fn five_digits(value: f64) -> String {
    let is_plain = value == 0.0 || !value.is_finite() || (1e-4..1e9).contains(&value.abs());
    if is_plain {
        return short(value, DIGITS);
    }
    let text = format!("{value:.4e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    format!("{}e{exponent}", digits.trim_end_matches('0').trim_end_matches('.'))
}

/// The text of a field that is not edited: five significant digits where they state the number exactly, `0.015625`. Any other
/// number has three decimals, or two significant digits below 0.01: `1.395` of a fitted view, `0.0067`.
fn field_text(value: f64) -> String {
    let text = five_digits(value);
    if text.contains('e') || text.parse() == Ok(value) {
        return text;
    }
    let whole_digits = value.abs().log10().floor() as i32 + 1;
    short(value, (whole_digits + DECIMALS).clamp(LEAST_DIGITS, DIGITS))
}

/// Formats `value` with all its digits; in exponent form if it would be long.
fn whole(value: f64) -> String {
    let plain = value.to_string();
    if plain.len() > MAX_LETTERS { format!("{value:e}") } else { plain }
}

/// Description of a number field.
#[derive(Clone, Copy, Debug)]
pub(in crate::app) struct NumberField<'a> {
    /// Its label.
    pub name: &'a str,
    /// Its tooltip.
    pub help: &'a str,
    /// Its unit, drawn behind the number; may be empty.
    pub unit: &'a str,
    /// Change per point of dragging.
    pub speed: f64,
    /// The numbers that it takes.
    pub limits: Limits,
}

impl NumberField<'_> {
    /// Tooltip of `value`.
    fn tip(&self, value: f64) -> String {
        let number = if field_text(value) == whole(value) { String::new() } else { format!("\n{}", whole(value)) };
        format!("{}{number}\nDrag, or click to type: 0.125, 1/8, 3*(2+0.5)", self.help)
    }
}

/// The name of a field as `text`. It changes `value` while it is dragged sideways.
pub(in crate::app) fn scrubbing_label(
    ui: &mut Ui,
    field: NumberField<'_>,
    (text, size): (&str, f32),
    value: &mut f64,
) -> Response {
    let text = RichText::new(text).size(size).color(Palette::of_ui(ui).weak);
    let label = egui::Label::new(text).selectable(false).truncate().sense(Sense::DRAG);
    let response = ui.add(label).on_hover_cursor(CursorIcon::ResizeHorizontal);
    let id = response.id.with("scrubbed");
    if response.dragged() {
        ui.set_cursor_icon(CursorIcon::ResizeHorizontal);
        let speed = if ui.input(|input| input.modifiers.shift) { FINE * field.speed } else { field.speed };
        let exact = ui.data(|data| data.get_temp(id)).unwrap_or(*value) + f64::from(response.drag_delta().x) * speed;
        ui.data_mut(|data| data.insert_temp(id, exact));
        // The roundest number within the step, so that a drag leaves no long fractions.
        *value = field.limits.nearest(best_in_range_f64(exact - 0.5 * speed, exact + 0.5 * speed));
    } else {
        ui.data_mut(|data| data.remove::<f64>(id));
    }
    response.on_hover_text(field.tip(*value))
}

/// The unit behind a number with its gap, and its letters in points; the same with less of a gap. The sign of degrees has none.
fn unit_texts(unit: &str) -> Vec<(String, f32)> {
    match unit {
        "" => Vec::new(),
        "°" => vec![(unit.to_owned(), text_size::BODY)],
        unit => [" \u{2009}", " "].map(|gap| (format!("{gap}{unit}"), text_size::UNIT)).to_vec(),
    }
}

/// The text of a field with the minus sign of text.
fn shown_text(value: f64) -> String {
    field_text(value).replace('-', "−")
}

/// Columns and rows as the window writes them: `512 × 512`.
pub(in crate::app) fn sides_text([columns, rows]: [u32; 2]) -> String {
    format!("{columns} × {rows}")
}

/// A number field labelled by the widget `label`, or by its name alone. Returns the new value if it was changed.
pub(in crate::app) fn field(ui: &mut Ui, field: NumberField<'_>, label: Option<egui::Id>, value: f64) -> Option<f64> {
    let palette = Palette::of_ui(ui);
    let mut edited = value;
    let size = vec2(ui.available_width(), CONTROL_HEIGHT);
    let layout = Layout::left_to_right(Align::Center).with_main_align(Align::Max);
    ui.allocate_ui_with_layout(size, layout, |ui| {
        // The number is drawn whole; its unit, which the label implies, where there is room. A long number with its unit comes
        // nearer to the ends of the field.
        let number = text_width(ui, &shown_text(value), text_size::BODY);
        let room = |padding: f32| size.x - 2.0 * padding;
        let wholes = unit_texts(field.unit).into_iter().map(|unit| (number + text_width(ui, &unit.0, unit.1), unit));
        let wholes: Vec<(f32, (String, f32))> = wholes.collect();
        let least = wholes.iter().map(|(whole, _)| *whole).reduce(f32::min).unwrap_or(number);
        if least > room(ui.spacing().button_padding.x) {
            ui.spacing_mut().button_padding.x = SPACE;
        }
        let room = room(ui.spacing().button_padding.x);
        let unit = wholes.into_iter().find(|(whole, _)| *whole <= room).map(|(_, unit)| unit);
        let response = add_number(ui, &mut edited, &field, |drag| {
            let drag = drag.min_size(size).clip_text(true);
            match unit {
                Some((unit, letters)) => drag.suffix(RichText::new(unit).size(letters).color(palette.faint)),
                None => drag,
            }
        });
        let response = match label {
            Some(label) => response.labelled_by(label),
            None => response,
        };
        response.on_hover_text(field.tip(value));
    });
    (edited != value).then_some(edited)
}

/// Adds egui's number field for `field`, further described by `describe`. It shows a short form of the number with the minus sign
/// of text, and all digits while it is edited. The number is typed, as arithmetic if wanted, or dragged. A text that is not a number
/// that the field takes changes nothing, and the field says what it takes. Enter leaves such a text in the field, selected.
pub(in crate::app) fn add_number(
    ui: &mut Ui,
    value: &mut f64,
    field: &NumberField<'_>,
    describe: impl FnOnce(DragValue<'_>) -> DragValue<'_>,
) -> Response {
    let NumberField { name, unit, speed, limits, .. } = *field;
    let (palette, before) = (Palette::of_ui(ui), *value);
    let all = whole(before);
    ui.scope(|ui| {
        as_field(ui, palette);
        let id = ui.next_auto_id();
        let is_edited = ui.memory(|memory| memory.has_focus(id));
        // A text that was not changed leaves the number as it is, also one of another origin beyond the limits.
        let read = |text: &str| if text == all { Ok(before) } else { limits.read(text, (name, unit)) };
        // The text of a field that is edited is noted and read when it is entered; that of a field that is left is read here.
        let (typed, refused) = (RefCell::new(None), RefCell::new(None));
        let is_cancelled = refusal::was_cancelled(ui, id);
        let parser = |text: &str| {
            if is_edited {
                *typed.borrow_mut() = Some(text.to_owned());
                return None;
            }
            if is_cancelled {
                return None;
            }
            read(text).map_err(|reason| *refused.borrow_mut() = Some(reason)).ok()
        };
        let drag = DragValue::new(value)
            .custom_formatter(move |value, _| if is_edited { whole(value) } else { shown_text(value) })
            .custom_parser(parser)
            .range(limits.range.0..=limits.range.1)
            // A number of another origin stays until it is edited.
            .clamp_existing_to_range(false)
            .speed(speed);
        let mut response = ui.add(describe(drag));
        if *value != before {
            *value = limits.nearest(*value);
        }
        if response.clicked() {
            select_all(ui, response.id, &all);
        }
        if let Some(reason) = refused.take() {
            refusal::note(ui, response.id, reason);
        }
        let typed = typed.take();
        let standing = if is_edited {
            edit_text(ui, (&mut response, value), typed, &read)
        } else {
            TypedText::forget(ui, response.id);
            None
        };
        if let Some(reason) = standing.or_else(|| refusal::noted(ui, response.id)) {
            refusal::show(ui, &response, &reason);
        }
        ui.ctx().accesskit_node_builder(response.id, |node| node.set_label(name));
        response
    })
    .inner
}

/// Follows the text of the `field` that is edited: `typed` is the text if it was changed in this frame. Takes its number when it is
/// entered. Returns why the text is refused, as long as it is not mended.
fn edit_text(
    ui: &Ui,
    (field, value): (&mut Response, &mut f64),
    typed: Option<String>,
    read: &impl Fn(&str) -> Result<f64, String>,
) -> Option<String> {
    let mut edited = TypedText::of(ui, field.id, *value);
    if let Some(text) = typed {
        edited.refusal = edited.refusal.and_then(|_| read(&text).err());
        edited.text = Some(text);
    }
    if field.lost_focus() {
        let entered = edited.text.clone().filter(|_| !refusal::is_cancelled(ui));
        match entered.map(|text| (read(&text), text)) {
            None => edited = TypedText::default(),
            Some((Ok(number), _)) => {
                edited = TypedText::default();
                if number != *value {
                    *value = number;
                    field.mark_changed();
                }
            }
            Some((Err(reason), text)) if ui.input(|input| input.key_pressed(Key::Enter)) => {
                edited.refusal = Some(reason);
                field.request_focus();
                select_all(ui, field.id, &text);
            }
            Some((Err(reason), _)) => {
                edited = TypedText::default();
                refusal::note(ui, field.id, reason);
            }
        }
    }
    let refusal = edited.refusal.clone();
    edited.keep(ui, field.id);
    refusal
}

/// Selects all of `text` in the text field `id`. The widget of egui selects as many letters as it has shown before.
fn select_all(ui: &Ui, id: egui::Id, text: &str) {
    let mut state = TextEditState::load(ui, id).unwrap_or_default();
    let (start, end) = (CCursor::new(0), CCursor::new(text.chars().count()));
    state.cursor.set_char_range(Some(CCursorRange::two(start, end)));
    state.store(ui, id);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_step_is_the_next_of_1_2_and_5_times_a_power_of_ten() {
        for (least, step) in
            [(1.0, 1.0), (1.01, 2.0), (4.0, 5.0), (5.5, 10.0), (20.0, 20.0), (0.03, 0.05), (60.0, 100.0)]
        {
            assert!((round_step(least) / step - 1.0).abs() < 1e-12, "{least}: {}", round_step(least));
        }
    }

    #[test]
    fn fractions_and_signs_are_parsed() {
        assert_eq!(parse("1/8"), Some(0.125));
        assert_eq!(parse(" −0.4 "), Some(-0.4));
        assert_eq!(parse("1e-3"), Some(0.001));
        for wrong in ["", "1/0", "a", "inf", "1//2", "2*", "(1", "x+1"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn arithmetic_is_evaluated_by_precedence() {
        for (text, value) in [
            ("2*(512-60.5)", 903.0),
            ("1/2/2", 0.25),
            ("-3+2^3", 5.0),
            ("3×4÷8", 1.5),
            ("100 − 0.5", 99.5),
            ("sqrt(16)", 4.0),
            ("2*PI", std::f64::consts::TAU),
        ] {
            let parsed = parse(text).unwrap_or(f64::NAN);
            assert!((parsed - value).abs() < 1e-12, "{text}: {parsed}");
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
    fn fields_state_a_number_exactly_or_with_three_decimals() {
        for (value, text) in [
            (1.395_095_367_847_411_6, "1.395"),
            (0.197_547_683_923_705_8, "0.198"),
            (-61.937_5, "-61.938"),
            (0.084_210_526_315_789_47, "0.084"),
            (-0.013_333_333_333_333_33, "-0.013"),
            (0.006_666_666_666_666_667, "0.0067"),
            (0.015_625, "0.015625"),
            (0.125, "0.125"),
            (2.2, "2.2"),
            (1_234.567_8, "1234.6"),
            (123_456.0, "123456"),
            (0.0, "0"),
            (-2.842_170_943_040_401e-14, "-2.8422e-14"),
            (0.999_96, "0.99996"),
            (0.999_961, "1"),
        ] {
            assert_eq!(field_text(value), text);
        }
    }

    #[test]
    fn five_digits_are_shown_in_a_short_form() {
        for (value, text) in [
            (0.211_111_111_111_111_14, "0.21111"),
            (60.821_3, "60.821"),
            (-512.0, "-512"),
            (0.0, "0"),
            (123_456.78, "123457"),
            (0.000_244_140_625, "0.00024414"),
            (-2.842_170_943_040_401e-14, "-2.8422e-14"),
            (1e300, "1e300"),
        ] {
            assert_eq!(five_digits(value), text);
        }
    }
}
