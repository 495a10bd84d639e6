//! Choices by typed text, in the palette.

use std::path::Path;

use super::choice::Choice;
use super::setting::{SETTINGS, Setting};
use crate::arguments::{ArgumentError, parse_address, parse_number, parse_size};
use crate::filter::{Filter, STAGES};
use crate::image::Formula;
use crate::image::synth::SYNTHS;
use crate::quality::{Decimate, Decimation};
use crate::sampling::{FormParameters, Method, MethodForm};

/// One reading of a typed text.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) enum TypedChoice {
    /// A value that can be set.
    Choice(Choice),
    /// The text names something, but its value is wrong.
    Wrong(ArgumentError),
}

impl Choice {
    /// The readings of a typed text: `8x`, `gamma 2.2`, `mirror:clamp`, `lanczos=2.5`, `gaussian=1.5`, `zone plate 300x200`,
    /// `decimate 5 lanczos`.
    /// Values are parsed as on the command line.
    pub(in crate::app) fn typed(text: &str) -> Vec<TypedChoice> {
        let text = text.trim();
        let mut found = Vec::new();
        let mut note = |choice: Result<Self, ArgumentError>| {
            found.push(choice.map_or_else(TypedChoice::Wrong, TypedChoice::Choice));
        };
        if let Some(zoom) = typed_zoom(text) {
            note(Ok(Self::Setting(Setting::Zoom(zoom))));
        }
        if let Some((name, value)) = text.split_once([' ', '='])
            && let Some(row) = SETTINGS.iter().find(|row| row.name.eq_ignore_ascii_case(name.trim()))
            && !value.trim().is_empty()
        {
            note((row.parse)(value.trim()).map(Self::Setting));
        }
        if let Some((name, _)) = text.split_once('=') {
            // A file of a custom kernel is chosen in the method's menu: it is not read while its name is typed.
            if MethodForm::by_name(name.trim())
                .is_some_and(|form| matches!(form.parameters, FormParameters::Numbers(..)))
            {
                note(Method::read(text, Path::new("")).map(Self::Method).map_err(ArgumentError::from));
            }
            // Nor is the file of a matrix or a mask: parsing reads none.
            if let Some(filter) = Filter::by_name(name.trim()) {
                for row in STAGES.iter().filter(|row| filter.serves(row.stage)) {
                    note(text.parse().map(|step| Self::Filter(row.stage, step)).map_err(ArgumentError::from));
                }
            }
        }
        if text.contains(':')
            && let Ok(address) = parse_address(text)
        {
            note(Ok(Self::Address(address.map(Some))));
        }
        if let Some((name, size)) = text.rsplit_once([' ', ':'])
            && let Ok(size) = parse_size(size)
        {
            let name = name.trim().trim_start_matches("synth:").replace(' ', "-");
            let row = SYNTHS.iter().find(|row| row.name.eq_ignore_ascii_case(&name));
            if let Some(formula) = row.and_then(|row| Formula::new(row.synth, size).ok()) {
                note(Ok(Self::Picture(formula)));
            }
        }
        if let Some(choice) = typed_decimation(text)
            // The usual ones are listed anyway.
            && !choice.is_usual_decimation()
        {
            note(Ok(choice));
        }
        found
    }
}

/// A decimation: `decimate 5`, `decimate 3 lanczos`.
fn typed_decimation(text: &str) -> Option<Choice> {
    let mut words = text.split_whitespace();
    let is_command = words.next()?.eq_ignore_ascii_case("decimate");
    let factor = words.next()?.parse().ok().filter(|factor| *factor >= 2)?;
    let by = match words.next() {
        Some(name) => Decimation::by_name(&name.to_ascii_lowercase())?,
        None => Decimation::default(),
    };
    (is_command && words.next().is_none()).then_some(Choice::Decimate(Decimate { factor, by }))
}

/// A magnification: `8x`, `1/2×`, `800 %`.
fn typed_zoom(text: &str) -> Option<f64> {
    let times = text.strip_suffix(['x', 'X', '×']).map(|number| (number, 1.0));
    let (number, divisor) = times.or_else(|| text.strip_suffix('%').map(|number| (number, 100.0)))?;
    parse_number::<f64>(number.trim()).ok().map(|number| number / divisor).filter(|zoom| *zoom > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::AddressMode;

    fn choices(text: &str) -> Vec<Choice> {
        let choice = |typed: TypedChoice| match typed {
            TypedChoice::Choice(choice) => Some(choice),
            TypedChoice::Wrong(_) => None,
        };
        Choice::typed(text).into_iter().filter_map(choice).collect()
    }

    #[test]
    fn typed_values_are_parsed_as_on_the_command_line() {
        for (text, zoom) in [("8x", 8.0), ("1/2×", 0.5), ("250 %", 2.5)] {
            assert_eq!(choices(text), [Choice::Setting(Setting::Zoom(zoom))], "{text}");
        }
        assert_eq!(choices("gamma 2.2"), [Choice::Setting(Setting::Gamma(2.2))]);
        assert_eq!(choices("Translate=1/2,-3"), [Choice::Setting(Setting::Translate([0.5, -3.0]))]);
        assert_eq!(choices("lanczos=2.5"), [Choice::Method(Method::lanczos(2.5).expect("in range"))]);
        let both = [AddressMode::Mirror, AddressMode::Clamp].map(Some);
        assert_eq!(choices("mirror:clamp"), [Choice::Address(both)]);
        let formula = "synth:zone-plate:300x200".parse().expect("a formula");
        for text in ["zone plate 300x200", "synth:zone-plate:300x200"] {
            assert_eq!(choices(text), [Choice::Picture(formula)], "{text}");
        }
        let by_lanczos = Decimate { factor: 3, by: Decimation::Lanczos };
        assert_eq!(choices("Decimate 3 Lanczos"), [Choice::Decimate(by_lanczos)]);
        assert_eq!(choices("decimate 5"), [Choice::Decimate(Decimate { factor: 5, by: Decimation::Box })]);
        assert_eq!(choices("decimate 4"), [], "it is listed");
        assert_eq!(choices("gaussian=1.5").len(), 1 + STAGES.len(), "a kernel, and a filter of each stage");
        for text in ["", "x", "%", "gamma", "zone plate", "-2x", "custom=/dev/zero"] {
            assert_eq!(Choice::typed(text), [], "{text}");
        }
        for text in ["gamma two", "lanczos=9", "median=x"] {
            assert!(matches!(Choice::typed(text)[..], [TypedChoice::Wrong(_), ..]), "{text}");
        }
    }
}
