//! A number as a text has it: its value, its precision.

use crate::arguments::parse_number;

/// A number of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::lesson) struct Said {
    /// The value of its digits.
    digits: f64,
    /// Factor from the value of the digits to the number: 1/100 for a percentage, 10⁻⁴ for `5.4·10⁻⁴`.
    unit: f64,
    /// Half a unit of the last digit; `None` for a quotient, which is exact.
    half_step: Option<f64>,
}

impl Said {
    /// Reads `0.479`, `−3 %`, `1/6`, `65,536`, `5.4·10⁻⁴` or `5.4\cdot 10^{-4}`.
    pub(in crate::lesson) fn read(text: &str) -> Result<Self, String> {
        let wrong = || format!("says '{}', which is no number", crate::text::shortened(text));
        let plain = text.replace('\u{2212}', "-").replace(['\u{a0}', '\u{202f}', '\u{2009}'], " ");
        let plain = plain.trim();
        let (plain, percent) = match plain.strip_suffix('%') {
            Some(rest) => (rest.trim_end_matches('\\').trim_end(), 0.01),
            None => (plain, 1.0),
        };
        if plain.contains('/') {
            let digits = parse_number::<f64>(plain).map_err(|_| wrong())?;
            return Ok(Self { digits, unit: percent, half_step: None });
        }
        let written = plain.replace("\\cdot", "·").replace("\\times", "·").replace('×', "·");
        let (mantissa, power) = match written.split_once('·') {
            None => (written.as_str(), 0),
            Some((mantissa, power)) => (mantissa, power_of_ten(power).ok_or_else(wrong)?),
        };
        let digits = without_separators(mantissa.trim()).ok_or_else(wrong)?;
        let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        let value: f64 = digits.parse().map_err(|_| wrong())?;
        let is_number = digits.chars().all(|c| c.is_ascii_digit() || "+-.".contains(c));
        if !is_number || !value.is_finite() {
            return Err(wrong());
        }
        let half_step = 0.5 * 0.1_f64.powi(i32::try_from(decimals).map_err(|_| wrong())?);
        Ok(Self { digits: value, unit: percent * 10.0_f64.powi(power), half_step: Some(half_step) })
    }

    /// Whether `value`, rounded to the digits of the text, is what the text says.
    pub(in crate::lesson) fn is(self, value: f64) -> bool {
        let found = value / self.unit;
        match self.half_step {
            // A value halfway between two roundings may be rounded either way.
            Some(half) => (found - self.digits).abs() <= half * (1.0 + 1e-6) + 1e-12,
            None => (found - self.digits).abs() <= 1e-9 * self.digits.abs().max(1.0),
        }
    }

    /// `value` in the unit of the text, with some more digits than it has.
    pub(in crate::lesson) fn written(self, value: f64) -> String {
        let more = match self.half_step {
            Some(half) => (-(2.0 * half).log10()).round().max(0.0) as usize + 3,
            None => 9,
        };
        format!("{:.more$}", value / self.unit)
    }
}

/// `65,536` as `65536`.
fn without_separators(text: &str) -> Option<String> {
    let (whole, decimals) = text.split_once('.').map_or((text, None), |(whole, decimals)| (whole, Some(decimals)));
    let mut groups = whole.trim_start_matches(['+', '-']).split(',');
    let first = groups.next()?;
    let has_groups = whole.contains(',');
    if has_groups && (first.is_empty() || first.len() > 3 || !groups.all(|group| group.len() == 3)) {
        return None;
    }
    let whole = whole.replace(',', "");
    Some(decimals.map_or(whole.clone(), |decimals| format!("{whole}.{decimals}")))
}

/// The exponent of `10⁻⁴` or `10^{-4}`.
fn power_of_ten(text: &str) -> Option<i32> {
    let exponent = text.trim().strip_prefix("10")?.trim_start_matches('^').trim_matches(['{', '}']);
    let plain = |c: char| match c {
        '⁻' => Some('-'),
        '⁰' => Some('0'),
        '¹' => Some('1'),
        '²' => Some('2'),
        '³' => Some('3'),
        '⁴'..='⁹' => char::from_digit(c as u32 - '⁴' as u32 + 4, 10),
        '-' | '0'..='9' => Some(c),
        _ => None,
    };
    let exponent: i32 = exponent.chars().map(plain).collect::<Option<String>>()?.parse().ok()?;
    (-300..=300).contains(&exponent).then_some(exponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Said {
        Said::read(text).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn number_of_a_text_is_the_value_rounded_to_its_digits() {
        for (text, value) in [
            ("0.479", 23.0 / 48.0),
            ("0.48", 23.0 / 48.0),
            ("\u{2212}3.1 %", -0.0313),
            ("65,536", 65_536.0),
            ("5.4·10⁻⁴", 5.41e-4),
            ("5.4\\cdot 10^{-4}", 5.41e-4),
            ("1/6", 1.0 / 6.0),
            ("29.7", 29.74),
            ("12\\%", 0.1249),
            ("0", -0.2),
        ] {
            assert!(said(text).is(value), "{text} is {value}");
        }
        for (text, value) in [
            ("0.479", 0.4784),
            ("0.479", -0.479),
            ("0.480", 23.0 / 48.0),
            ("1/6", 0.1667),
            ("3 %", 0.0361),
            ("5.4·10⁻⁴", 5.41e-3),
            ("16", 16.6),
        ] {
            assert!(!said(text).is(value), "{text} is not {value}");
        }
    }

    #[test]
    fn text_without_a_number_is_refused() {
        for text in ["", "α", "1.2.3", "1,2", "12,34,567", "nan", "inf", "1e5", "%", "3·5", "3·10^x", "1/0"] {
            assert!(Said::read(text).is_err(), "{text}");
        }
    }
}
