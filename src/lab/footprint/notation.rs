//! Numbers of formulas as text.

/// How values are written: the number that stands for 1, and the decimals of sums.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Notation {
    /// The number of the value 1: 255 for bytes.
    pub one: f64,
    /// Decimals of sums.
    pub decimals: usize,
}

impl Notation {
    /// Decimals of weights.
    const WEIGHT_DECIMALS: usize = 4;
    /// Decimals of positions.
    const POSITION_DECIMALS: usize = 4;

    /// Values in units of 1/`one`, with as many decimals as single precision resolves.
    pub fn new(one: f64) -> Self {
        let decimals = if one <= 1.0 {
            4
        } else if one < 4096.0 {
            2
        } else {
            1
        };
        Self { one, decimals }
    }

    /// The same with one decimal more, where values of single precision stand beside sums in double precision: both round halves, and not
    /// alike.
    #[must_use]
    pub fn finer(self) -> Self {
        Self { decimals: self.decimals + 1, ..self }
    }

    /// A sum.
    pub fn sum(&self, value: f64) -> String {
        fixed(value * self.one, self.decimals)
    }

    /// A sum with its sign.
    pub fn signed_sum(&self, value: f64) -> String {
        signed(value * self.one, self.decimals)
    }

    /// A sample or a coefficient: a whole number without decimals.
    pub fn sample(&self, value: f64) -> String {
        let number = value * self.one;
        let is_whole = (number - number.round()).abs() < 1e-4 && self.one > 1.0;
        fixed(number, if is_whole { 0 } else { self.decimals })
    }

    /// A weight with its sign.
    pub fn weight(weight: f64) -> String {
        signed(weight, Self::WEIGHT_DECIMALS)
    }

    /// A weight with its sign and as many decimals as fit into the cell of a table.
    pub fn short_weight(weight: f64) -> String {
        signed(weight, 3)
    }

    /// A position or a fraction.
    pub fn position(position: f64) -> String {
        fixed(position, Self::POSITION_DECIMALS)
    }

    /// A number with no more digits than it takes, to ten decimals.
    pub fn plain(number: f64) -> String {
        minus(&((number * 1e10).round() / 1e10).to_string())
    }
}

/// `number` with `decimals` digits and a minus sign; never −0.
fn fixed(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    let is_zero = text.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'));
    minus(if is_zero { text.trim_start_matches('-') } else { &text })
}

/// The same with a plus sign before numbers that are not negative.
fn signed(number: f64, decimals: usize) -> String {
    let text = fixed(number, decimals);
    if text.starts_with('−') { text } else { format!("+{text}") }
}

fn minus(text: &str) -> String {
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_signs_and_no_negative_zero() {
        let bytes = Notation::new(255.0);
        assert_eq!([bytes.sample(64.0 / 255.0), bytes.sum(0.5), bytes.signed_sum(-0.1)], ["64", "127.50", "−25.50"]);
        assert_eq!([Notation::weight(-0.000_01), Notation::short_weight(-0.0734)], ["+0.0000", "−0.073"]);
        assert_eq!([Notation::plain(-0.125), Notation::plain(310.0)], ["−0.125", "310"]);
        assert_eq!(Notation::new(1.0).sample(1.0), "1.0000");
        assert_eq!(bytes.finer().sum(39.625 / 255.0), "39.625");
    }
}
