//! Steps and chains as text: parsing of `--filter`, and the output of “copy as command line”.
//!
//! A step is a filter's name, then its parameters in the row's order or by name: `negative`, `gaussian=1.5`,
//! `bilateral=3,0.1`,
//! `bilateral=3,0.1,threshold=0.5`. Missing parameters have their defaults; a last `off` disables the step. Numbers may be
//! fractions (`1/8`). Colons may replace commas, for texts in which commas separate other things (`bilateral=3:0.1`). A
//! chain is steps separated by semicolons, or `none`.

use std::fmt;
use std::str::FromStr;

use super::{Chain, Filter, FilterError, ParameterRow, Step};

impl FromStr for Step {
    type Err = FilterError;

    fn from_str(text: &str) -> Result<Self, FilterError> {
        let (name, rest) = text.split_once('=').map_or((text, None), |(name, rest)| (name, Some(rest)));
        let (name, off_alone) = match name.trim().split_once([',', ':']) {
            Some((name, tail)) if rest.is_none() && tail.trim() == "off" => (name, true),
            _ => (name.trim(), false),
        };
        let filter = Filter::by_name(name).ok_or_else(|| FilterError::Name { name: name.to_owned() })?;
        let mut step = Self::default_of(filter);
        step.enabled = !off_alone;
        let mut parts: Vec<&str> = rest.map_or(Vec::new(), |rest| rest.split([',', ':']).map(str::trim).collect());
        if parts.last() == Some(&"off") {
            step.enabled = false;
            parts.pop();
        }
        let rows = filter.row().parameters;
        for (place, part) in parts.iter().enumerate() {
            let (index, value) = match part.split_once('=') {
                Some((name, value)) => {
                    let name = name.trim();
                    let index = rows.iter().position(|row| row.name == name);
                    (index.ok_or_else(|| FilterError::Parameter { filter, name: name.to_owned() })?, value.trim())
                }
                None => (place, *part),
            };
            let row = rows.get(index).ok_or(FilterError::Count { filter, given: parts.len() })?;
            step.set(index, number(filter, row, value)?)?;
        }
        Ok(step)
    }
}

/// A number, or the quotient of two.
fn number(filter: Filter, row: &ParameterRow, text: &str) -> Result<f64, FilterError> {
    let parsed = match text.split_once('/') {
        Some((above, below)) => above.trim().parse::<f64>().and_then(|a| Ok(a / below.trim().parse::<f64>()?)),
        None => text.parse(),
    };
    parsed.map_err(|_| FilterError::Number { filter, name: row.name, range: row.range_text(), text: text.to_owned() })
}

impl fmt::Display for Step {
    /// Writes every parameter up to the last that differs from its default.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.filter().row().name)?;
        let rows = self.filter().row().parameters;
        let changed = self.parameters().iter().zip(rows).rposition(|(&value, row)| value != row.default);
        let mut separator = '=';
        for value in &self.parameters()[..changed.map_or(0, |last| last + 1)] {
            write!(f, "{separator}{value}")?;
            separator = ',';
        }
        if self.enabled { Ok(()) } else { f.write_str(",off") }
    }
}

impl FromStr for Chain {
    type Err = FilterError;

    fn from_str(text: &str) -> Result<Self, FilterError> {
        if text.trim() == "none" {
            return Ok(Self::default());
        }
        text.split(';').map(str::parse).collect::<Result<_, _>>().map(Self)
    }
}

impl fmt::Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("none");
        }
        for (index, step) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { ";" };
            write!(f, "{separator}{step}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::FILTERS;
    use super::*;

    fn random_step(random: &mut fastrand::Rng) -> Step {
        let row = &FILTERS[random.usize(..FILTERS.len())];
        let mut step = Step::default_of(row.filter);
        for (index, parameter) in row.parameters.iter().enumerate() {
            let (low, high) = parameter.range;
            let value = low + (high - low) * random.f64();
            if random.bool() {
                step.set(index, if parameter.whole { value.round() } else { value }).expect("in its range");
            }
        }
        step.enabled = random.bool();
        step
    }

    #[test]
    fn chain_written_as_text_is_parsed_back_equal() {
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..2000 {
            let chain = Chain((0..random.usize(..4)).map(|_| random_step(&mut random)).collect());
            let text = chain.to_string();
            assert_eq!(text.parse().as_ref(), Ok(&chain), "{text}");
            assert_eq!(text.replace(',', ":").parse().as_ref(), Ok(&chain), "{text}");
        }
    }

    #[test]
    fn step_texts_are_parsed_as_documented() {
        let parameters = |text: &str| text.parse::<Step>().expect(text).parameters().to_vec();
        assert_eq!(parameters("gamma=2.2"), [2.2]);
        assert_eq!(parameters("gaussian=1/2"), [0.5]);
        assert_eq!(parameters("negative"), Vec::<f64>::new());
        assert_eq!(parameters("brightness=colour=0"), [1.0, 0.0]);
        assert_eq!(parameters("bilateral=3, 0.1"), [3.0, 0.1, 0.0, 0.0]);
        assert!(!"negative,off".parse::<Step>().expect("a step").enabled);
        assert!(!"gaussian=3,off".parse::<Step>().expect("a step").enabled);
        assert_eq!("bilateral=3,0.1".parse::<Step>().expect("a step").to_string(), "bilateral");
    }

    #[test]
    fn invalid_step_text_is_refused_with_the_allowed_values() {
        let wrong = |text: &str| text.parse::<Step>().expect_err(text).to_string();
        let sigma = "filter 'gaussian': sigma must be between 0.01 and 64 samples, not";
        for (value, shown) in
            [("0", "0"), ("-1", "-1"), ("NaN", "NaN"), ("64.5", "64.5"), ("inf", "inf"), ("1/0", "inf")]
        {
            assert_eq!(wrong(&format!("gaussian={value}")), format!("{sigma} {shown}"));
        }
        assert_eq!(wrong("gaussian=wide"), format!("{sigma} 'wide'"));
        assert_eq!(wrong("gaussian="), format!("{sigma} ''"));
        assert_eq!(wrong("gaussian=1,2"), "filter 'gaussian' takes 1 parameter, not 2");
        assert_eq!(wrong("negative=1"), "filter 'negative' takes no parameters, not 1");
        assert_eq!(
            wrong("median=1.5"),
            "filter 'median': radius must be a whole number between 1 and 16 samples, not 1.5"
        );
        assert_eq!(
            wrong("bilateral=3,0.1,33"),
            "filter 'bilateral': radius must be a whole number between 0 and 32 samples, not 33"
        );
        assert_eq!(wrong("gaussian=radius=3"), "filter 'gaussian' has no parameter 'radius'; it has sigma");
        assert!(wrong("blur=3").starts_with("there is no filter 'blur'; there are gamma, negative,"));
        assert!(wrong("").starts_with("there is no filter ''"));
    }
}
