//! Units of displayed values.

use crate::rows::rows;
use crate::text::short;

/// Description of a unit.
#[derive(Debug)]
pub struct UnitRow {
    /// The unit.
    pub unit: Unit,
    /// Its name in files.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
}

rows! {
    /// Unit of displayed values. A value of 1 is the file's maxval.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Unit {
        /// The file's samples, 0 … maxval.
        #[default]
        File => { name: "file", title: "File's numbers" },
        /// 0 … 1.
        One => { name: "one", title: "0 … 1" },
        /// 0 … 255.
        Byte => { name: "byte", title: "0 … 255" },
        /// 0 … 65535.
        Word => { name: "word", title: "0 … 65535" },
        /// 0 … 255, rounded, in hexadecimal; values outside are marked `<00` and `>FF`.
        Hex => { name: "hex", title: "Hexadecimal" },
    }

    /// The units, in the order of the command *Next unit of values*.
    pub static UNITS: [UnitRow { unit, .. }];

    impl by_name;
}

impl Unit {
    /// The next unit, cyclically.
    #[must_use]
    pub fn next(self) -> Self {
        UNITS[(self as usize + 1) % UNITS.len()].unit
    }

    /// The value 1 in this unit, for a file with this maxval (1 for float samples).
    pub fn one(self, maxval: u16) -> f64 {
        match self {
            Self::File => f64::from(maxval),
            Self::One => 1.0,
            Self::Byte | Self::Hex => 255.0,
            Self::Word => 65535.0,
        }
    }

    /// The unit of a difference. Hexadecimal digits have no fractions and no sign: it is shown as 0 … 255.
    pub(in crate::app) fn of_difference(self) -> Self {
        if self == Self::Hex { Self::Byte } else { self }
    }

    /// `value`, interpolated, with as many decimals as single precision resolves.
    ///
    /// ```
    /// use lerpscope::app::Unit;
    /// assert_eq!(Unit::File.text(0.5, 255), "127.50");
    /// assert_eq!(Unit::One.text(0.5, 255), "0.5000");
    /// assert_eq!(Unit::Word.text(0.5, 255), "32767.5");
    /// assert_eq!(Unit::Hex.text(0.5, 255), "80");
    /// assert_eq!(Unit::Hex.text(-0.5, 255), "<00");
    /// ```
    pub fn text(self, value: f32, maxval: u16) -> String {
        let one = self.one(maxval);
        let number = f64::from(value) * one;
        if self == Self::Hex {
            return hexadecimal(number);
        }
        let decimals = if one <= 1.0 {
            4
        } else if one < 4096.0 {
            2
        } else {
            1
        };
        fixed(number, decimals)
    }

    /// `value`, interpolated, with as few decimals as tell the levels of a byte apart, and `more` decimals, for narrow places.
    ///
    /// ```
    /// use lerpscope::app::Unit;
    /// assert_eq!(Unit::File.short_text(0.5, 255, 0), "128");
    /// assert_eq!(Unit::File.short_text(0.5, 255, 1), "127.5");
    /// assert_eq!(Unit::One.short_text(0.5, 255, 0), "0.50");
    /// assert_eq!(Unit::Hex.short_text(0.5, 255, 1), "80");
    /// ```
    pub fn short_text(self, value: f32, maxval: u16, more: usize) -> String {
        let one = self.one(maxval);
        let number = f64::from(value) * one;
        if self == Self::Hex { hexadecimal(number) } else { fixed(number, more + if one <= 1.0 { 2 } else { 0 }) }
    }

    /// `value` of a sample, with as few decimals as possible.
    pub fn sample_text(self, value: f32, maxval: u16) -> String {
        let number = f64::from(value) * self.one(maxval);
        if self == Self::Hex { hexadecimal(number) } else { short((number * 1e4).round() / 1e4, 5).replace('-', "−") }
    }
}

/// `number` with this many decimals and a minus sign, which has the width of a figure; none where it is rounded to 0.
fn fixed(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    match text.strip_prefix('-') {
        Some(zero) if zero.chars().all(|figure| matches!(figure, '0' | '.')) => zero.to_owned(),
        _ => text.replace('-', "−"),
    }
}

fn hexadecimal(number: f64) -> String {
    let rounded = number.round();
    if rounded.is_nan() {
        "??".to_owned()
    } else if rounded < 0.0 {
        "<00".to_owned()
    } else if rounded > 255.0 {
        ">FF".to_owned()
    } else {
        format!("{:02X}", rounded as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn next_unit_cycles() {
        let mut unit = Unit::File;
        for row in &UNITS {
            assert_eq!(unit, row.unit);
            unit = unit.next();
        }
        assert_eq!(unit, Unit::File);
    }

    #[test]
    fn negative_values_have_a_minus_and_a_rounded_zero_has_none() {
        assert_eq!(Unit::File.text(-0.5, 255), "−127.50");
        assert_eq!(Unit::File.text(-0.00001, 255), "0.00");
        assert_eq!(Unit::One.text(-0.25, 255), "−0.2500");
        assert_eq!(Unit::File.short_text(-0.001, 255, 0), "0");
        assert_eq!(Unit::File.sample_text(-2.0 / 255.0, 255), "−2");
        assert_eq!(Unit::File.text(f32::NAN, 255), "NaN");
    }

    #[test]
    fn sample_values_in_the_files_unit_are_its_samples() {
        assert_eq!(Unit::File.sample_text(7.0 / 15.0, 15), "7");
        assert_eq!(Unit::Byte.sample_text(7.0 / 15.0, 15), "119");
        assert_eq!(Unit::Word.sample_text(1.0, 15), "65535");
        assert_eq!(Unit::File.sample_text(0.125, 1), "0.125");
        assert_eq!(Unit::Hex.sample_text(f32::NAN, 1), "??");
    }
}
