//! Wipes: two pictures on both sides of a line.

use std::fmt;

use super::FigureTextError;
use crate::arguments::parse_number;
use crate::image::{Raster, from_rgba, rgba};

/// The line of a wipe.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WipeLine {
    /// Its position, as a fraction of the picture's width from the left, or of its height from the top.
    pub share: f64,
    /// Whether the line is horizontal: the first picture is above it, the second below. Otherwise they are left and
    /// right.
    pub is_horizontal: bool,
}

impl WipeLine {
    /// The first column (row, if horizontal) of the second picture, of `length`.
    pub fn first_of_second(self, length: u32) -> u32 {
        (self.share.clamp(0.0, 1.0) * f64::from(length)).round() as u32
    }
}

/// `x:0.5` for a vertical line at half the width, `y:0.25` for a horizontal one at a quarter of the height.
impl fmt::Display for WipeLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", if self.is_horizontal { 'y' } else { 'x' }, self.share)
    }
}

impl WipeLine {
    /// The line of a text that [`Display`](fmt::Display) writes.
    ///
    /// # Errors
    /// [`FigureTextError::Wipe`].
    pub(crate) fn parse(text: &str) -> Result<Self, FigureTextError> {
        let wrong = || FigureTextError::Wipe(text.to_owned());
        let (axis, share) = text.split_once(':').ok_or_else(wrong)?;
        let is_horizontal = match axis {
            "x" => false,
            "y" => true,
            _ => return Err(wrong()),
        };
        let share = parse_number(share).ok().filter(|share| (0.0..=1.0).contains(share)).ok_or_else(wrong)?;
        Ok(Self { share, is_horizontal })
    }
}

/// A wipe of two pictures of one size: the first before the line, the second behind it. Pictures with different channels are joined as RGBA,
/// and the result has as few channels as hold it.
pub(crate) fn wiped([first, second]: [&Raster; 2], line: WipeLine) -> Raster {
    let size = first.size();
    let length = if line.is_horizontal { size.height() } else { size.width() };
    let border = line.first_of_second(length) as usize;
    let width = size.width() as usize;
    let bytes = [first, second].map(rgba);
    let mut joined = Vec::with_capacity(bytes[0].len());
    for pixel in 0..size.area() {
        let place = if line.is_horizontal { pixel / width } else { pixel % width };
        joined.extend_from_slice(&bytes[usize::from(place >= border)][4 * pixel..4 * pixel + 4]);
    }
    from_rgba(size, &joined).unwrap_or_else(|| first.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::{Channels, Samples};
    use crate::test_support::size;

    #[test]
    fn line_written_as_text_is_parsed_back_equal_and_others_are_refused() {
        for line in [(0.5, false), (0.0, true), (1.0, false), (0.123_456_789, true)] {
            let line = WipeLine { share: line.0, is_horizontal: line.1 };
            assert_eq!(WipeLine::parse(&line.to_string()), Ok(line));
        }
        for wrong in ["", "x", "0.5", "z:0.5", "x:", "x:-0.1", "y:1.5", "x:nan", "x:0.5:1"] {
            assert_eq!(WipeLine::parse(wrong), Err(FigureTextError::Wipe(wrong.to_owned())));
        }
    }

    #[test]
    fn first_picture_is_before_the_line_and_the_second_behind_it() {
        let grey = |number: u8| {
            Raster::new(size(4, 2), Channels::Grey, Samples::U8 { values: vec![number; 8], maxval: 255 })
                .expect("a raster")
        };
        for (line, expected) in [("x:0.25", [1, 2, 2, 2, 1, 2, 2, 2]), ("y:0.5", [1, 1, 1, 1, 2, 2, 2, 2])] {
            let joined = wiped([&grey(1), &grey(2)], WipeLine::parse(line).expect("a line"));
            assert_eq!(joined.samples(), &Samples::U8 { values: expected.to_vec(), maxval: 255 }, "{line}");
        }
    }
}
