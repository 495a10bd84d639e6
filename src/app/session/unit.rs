//! Units of displayed values.

use crate::rows::rows;

/// The properties of a unit.
#[derive(Debug)]
pub struct UnitRow {
    /// The unit.
    pub unit: Unit,
    /// Name in files.
    pub name: &'static str,
    /// Name in the window.
    pub title: &'static str,
}

rows! {
    /// Unit of a displayed value; 1 is the file's maxval.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Unit {
        /// The file's own numbers, 0 … maxval.
        #[default]
        File => { name: "file", title: "File's numbers" },
        /// 0 … 1.
        One => { name: "one", title: "0 … 1" },
        /// 0 … 255.
        Byte => { name: "byte", title: "0 … 255" },
        /// 0 … 65535.
        Word => { name: "word", title: "0 … 65535" },
        /// 0 … 255, rounded, in hexadecimal digits; what lies outside is marked.
        Hex => { name: "hex", title: "Hexadecimal" },
    }

    /// The units, in the order in which the key U cycles through them.
    pub static UNITS: [UnitRow { unit, .. }];

    impl by_name;
}

impl Unit {
    /// The next one, round and round.
    #[must_use]
    pub fn next(self) -> Self {
        UNITS[(self as usize + 1) % UNITS.len()].unit
    }

    /// What 1 is in this unit, in a file of this maxval (1 where its samples are floats).
    pub fn one(self, maxval: u16) -> f64 {
        match self {
            Self::File => f64::from(maxval),
            Self::One => 1.0,
            Self::Byte | Self::Hex => 255.0,
            Self::Word => 65535.0,
        }
    }

    /// `value` between samples, with as many decimals as single precision has for it.
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
        match self {
            Self::Hex => hexadecimal(number),
            _ if one <= 1.0 => format!("{number:.4}"),
            _ if one < 4096.0 => format!("{number:.2}"),
            _ => format!("{number:.1}"),
        }
    }

    /// `value` of a sample, as short as it goes.
    pub fn sample_text(self, value: f32, maxval: u16) -> String {
        let number = f64::from(value) * self.one(maxval);
        match self {
            Self::Hex => hexadecimal(number),
            _ => crate::app::widgets::number::short((number * 1e4).round() / 1e4, 5),
        }
    }
}

fn hexadecimal(number: f64) -> String {
    let rounded = number.round();
    match rounded {
        _ if rounded.is_nan() => "??".to_owned(),
        _ if rounded < 0.0 => "<00".to_owned(),
        _ if rounded > 255.0 => ">FF".to_owned(),
        _ => format!("{:02X}", rounded as u8),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn next_unit_after_the_last_is_the_first() {
        assert_eq!(Unit::Hex.next(), Unit::File);
    }

    #[test]
    fn samples_are_the_files_numbers() {
        assert_eq!(Unit::File.sample_text(7.0 / 15.0, 15), "7");
        assert_eq!(Unit::Byte.sample_text(7.0 / 15.0, 15), "119");
        assert_eq!(Unit::Word.sample_text(1.0, 15), "65535");
        assert_eq!(Unit::File.sample_text(0.125, 1), "0.125");
        assert_eq!(Unit::Hex.sample_text(f32::NAN, 1), "??");
    }
}
