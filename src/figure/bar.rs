//! The colour bar of a difference.

use std::fmt;

use super::FigureTextError;
use crate::arguments::parse_number;
use crate::backend::ColourMap;
use crate::text::signed;

/// The colours of a picture with the values at their ends and in the middle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FigureBar {
    /// The colours.
    pub(crate) colour_map: ColourMap,
    /// The values of the lower and of the upper end.
    pub(crate) range: [f64; 2],
}

impl FigureBar {
    /// The colours, as bytes of red, green and blue, from the lower end.
    pub(super) fn colours(self) -> Vec<[u8; 3]> {
        self.colour_map.table().iter().map(|colour| colour.map(|value| (value * 255.0).round() as u8)).collect()
    }

    /// Shares of the height from the lower end, each with its text. Values have signs where the range begins below 0.
    pub(super) fn ticks(self) -> [(f64, String); 3] {
        let [low, high] = self.range;
        [0.0, 0.5, 1.0].map(|share| (share, signed(low + share * (high - low), low)))
    }
}

/// `blue-black-orange:-25.5:25.5`: the colour map, and the values of its ends.
impl fmt::Display for FigureBar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [low, high] = self.range;
        write!(f, "{}:{low}:{high}", self.colour_map.row().name)
    }
}

impl FigureBar {
    /// The bar of a text that [`Display`](fmt::Display) writes.
    ///
    /// # Errors
    /// [`FigureTextError`].
    pub(crate) fn parse(text: &str) -> Result<Self, FigureTextError> {
        let wrong = || FigureTextError::Bar(text.to_owned());
        let mut parts = text.split(':');
        let name = parts.next().unwrap_or_default();
        let mut number = || parts.next().and_then(|number| parse_number::<f64>(number).ok());
        let range = [number().ok_or_else(wrong)?, number().ok_or_else(wrong)?];
        if parts.next().is_some() || range[0] >= range[1] {
            return Err(wrong());
        }
        let colour_map = ColourMap::by_name(name).ok_or_else(|| FigureTextError::ColourMap(name.to_owned()))?;
        Ok(Self { colour_map, range })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::COLOUR_MAPS;

    #[test]
    fn bar_written_as_text_is_parsed_back_equal_and_others_are_refused() {
        for row in &COLOUR_MAPS {
            for range in [[-25.5, 25.5], [0.0, 1.0 / 3.0], [-1e-9, 2.0]] {
                let bar = FigureBar { colour_map: row.colour_map, range };
                assert_eq!(FigureBar::parse(&bar.to_string()), Ok(bar));
            }
        }
        for wrong in ["", "grey", "grey:1", "grey:1:1", "grey:2:1", "grey:a:1", "grey:0:1:2", "grey:0:inf"] {
            assert_eq!(FigureBar::parse(wrong), Err(FigureTextError::Bar(wrong.to_owned())), "{wrong}");
        }
        assert_eq!(FigureBar::parse("pink:0:1"), Err(FigureTextError::ColourMap("pink".to_owned())));
    }

    #[test]
    fn ends_and_middle_have_values_with_signs_in_a_signed_range() {
        let texts = |range: [f64; 2]| {
            FigureBar { colour_map: ColourMap::Grey, range }.ticks().map(|(share, text)| format!("{share} {text}"))
        };
        assert_eq!(texts([-25.5, 25.5]), ["0 −25.5", "0.5 0", "1 +25.5"]);
        assert_eq!(texts([0.0, 51.0]), ["0 0", "0.5 25.5", "1 51"]);
    }
}
