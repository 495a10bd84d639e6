//! The numbers that a field takes.

use super::number::{five_digits, parse};
use crate::text::shortened;

/// The numbers that a field takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::app) struct Limits {
    /// The least and the greatest number.
    pub(super) range: (f64, f64),
    is_whole: bool,
    /// A number between them that is not taken.
    except: Option<f64>,
}

impl Limits {
    /// Real numbers from `least` to `most`.
    pub(in crate::app) const fn real(least: f64, most: f64) -> Self {
        Self::of((least, most), false)
    }

    /// Whole numbers from `least` to `most`.
    pub(in crate::app) const fn whole(least: f64, most: f64) -> Self {
        Self::of((least, most), true)
    }

    /// The numbers of a row with this range, whole ones only if `is_whole`.
    pub(in crate::app) const fn of(range: (f64, f64), is_whole: bool) -> Self {
        Self { range, is_whole, except: None }
    }

    /// The same numbers but one.
    pub(in crate::app) const fn except(self, number: f64) -> Self {
        Self { except: Some(number), ..self }
    }

    /// Whether `number` is one of them.
    pub(in crate::app) fn has(self, number: f64) -> bool {
        let is_in_range = (self.range.0..=self.range.1).contains(&number);
        is_in_range && !(self.is_whole && number.fract() != 0.0) && self.except != Some(number)
    }

    /// The number nearest to `number`, for a drag and for keys, which end at the limits.
    pub(in crate::app) fn nearest(self, number: f64) -> f64 {
        let number = if self.is_whole { number.round() } else { number };
        number.max(self.range.0).min(self.range.1)
    }

    /// The range in words, `0.01 to 100`, `whole numbers 2 to 16`. Both numbers are taken by the field: an end with more than five
    /// significant digits is rounded inwards.
    pub(in crate::app) fn text(self) -> String {
        let [least, most] = [self.end_text(self.range.0, f64::ceil), self.end_text(self.range.1, f64::floor)];
        let except = self.except.map_or_else(String::new, |number| format!(" except {}", signed(number)));
        format!("{}{least} to {most}{except}", if self.is_whole { "whole numbers " } else { "" })
    }

    /// An end of the range with five significant digits. One that would lie outside is rounded by `inwards`.
    fn end_text(self, end: f64, inwards: fn(f64) -> f64) -> String {
        let text = signed(end);
        if parse(&text).is_some_and(|shown| (self.range.0..=self.range.1).contains(&shown)) {
            return text;
        }
        let quantum = 10_f64.powi(end.abs().log10().floor() as i32 - 4);
        signed(inwards(end / quantum) * quantum)
    }

    /// The number that the text of the field `name` states, as arithmetic if wanted. `unit` is the field's unit.
    ///
    /// # Errors
    /// A line that names the field and the range, for a text that is not a number and for a number that the field does not take.
    pub(in crate::app) fn read(self, text: &str, (name, unit): (&str, &str)) -> Result<f64, String> {
        let unit = if unit == "°" || unit.is_empty() { unit.to_owned() } else { format!(" {unit}") };
        let permitted = format!("{name}: {}{unit}", self.text());
        match parse(text) {
            Some(number) if self.has(number) => Ok(number),
            Some(_) => Err(permitted),
            None if text.trim().is_empty() => Err(permitted),
            None => Err(format!("'{}' is not a number · {permitted}", shortened(text.trim()))),
        }
    }
}

/// A number with five significant digits and the minus sign of text.
fn signed(number: f64) -> String {
    five_digits(number).replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn range_is_written_with_true_minus_signs_and_its_ends_are_taken() {
        for (limits, text) in [
            (Limits::real(1e-6, 1024.0), "1e−6 to 1024"),
            (Limits::real(1.0 / 1_048_576.0, 1_048_576.0), "9.5368e−7 to 1048576"),
            (Limits::real(1.0 / 1024.0, 1024.0), "0.00097657 to 1024"),
            (Limits::real(-1_073_741_824.0, 1_073_741_824.0), "−1.0737e9 to 1.0737e9"),
            (Limits::real(-24.0, 24.0), "−24 to 24"),
            (Limits::whole(2.0, 16.0), "whole numbers 2 to 16"),
        ] {
            assert_eq!(limits.text(), text);
            for end in text.trim_start_matches("whole numbers ").split(" to ") {
                let number = limits.read(end, ("", ""));
                assert!(number.is_ok(), "{text}: {number:?}");
            }
        }
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..2000 {
            let end = |random: &mut fastrand::Rng| {
                let sign = if random.bool() { 1.0 } else { -1.0 };
                sign * 10_f64.powf(random.f64() * 80.0 - 40.0)
            };
            let (a, b) = (end(&mut random), end(&mut random));
            let limits = Limits::real(a.min(b), a.max(b));
            for shown in limits.text().split(" to ") {
                assert!(limits.read(shown, ("", "")).is_ok(), "{limits:?}: {shown}");
            }
        }
    }

    #[test]
    fn number_out_of_range_and_a_text_that_is_no_number_are_refused_with_the_range() {
        let limits = Limits::real(-360.0, 360.0);
        let read = |text: &str| limits.read(text, ("Tilt", "°"));
        assert_eq!(read("2*180"), Ok(360.0));
        assert_eq!(read("361"), Err("Tilt: −360 to 360°".to_owned()));
        assert_eq!(read(""), Err("Tilt: −360 to 360°".to_owned()));
        assert_eq!(read("1/0"), Err("'1/0' is not a number · Tilt: −360 to 360°".to_owned()));
        let sides = Limits::whole(1.0, 9.0);
        assert_eq!(sides.read("2.5", ("Columns", "samples")), Err("Columns: whole numbers 1 to 9 samples".to_owned()));
        let black = Limits::real(0.0, 1.0).except(0.5);
        assert_eq!(black.read("1/2", ("Black", "")), Err("Black: 0 to 1 except 0.5".to_owned()));
        assert_eq!((sides.nearest(2.6), sides.nearest(-4.0), limits.nearest(1e9)), (3.0, 1.0, 360.0));
    }
}
