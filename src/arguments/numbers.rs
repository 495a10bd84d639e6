//! Parsers of numbers, sizes and pages. Errors name the invalid part.

use std::ops::Div;
use std::str::FromStr;

use super::ArgumentError;
use crate::image::Size;

/// A finite number, or the quotient of two: `0.125`, `-3`, `1/8`.
///
/// ```
/// use lerpscope::arguments::parse_number;
/// assert_eq!(parse_number("1/8"), Ok(0.125));
/// assert!(parse_number::<f64>("1/0").is_err());
/// ```
///
/// # Errors
/// If the text is not a number, or the number is not finite.
pub fn parse_number<T>(text: &str) -> Result<T, ArgumentError>
where
    T: FromStr + Div<Output = T> + Into<f64> + Copy,
{
    let wrong = || ArgumentError::Number(text.to_owned());
    let one = |text: &str| text.trim().parse::<T>().map_err(|_| wrong());
    let number = match text.split_once('/') {
        Some((above, below)) => one(above)? / one(below)?,
        None => one(text)?,
    };
    if number.into().is_finite() { Ok(number) } else { Err(wrong()) }
}

/// Two numbers with `separator` between them.
///
/// # Errors
/// If there are not exactly two parts, or a part is not a number.
pub fn parse_pair<T>(text: &str, separator: char) -> Result<[T; 2], ArgumentError>
where
    T: FromStr + Div<Output = T> + Into<f64> + Copy,
{
    let wrong = || ArgumentError::Pair { text: text.to_owned(), separator };
    let (first, second) = text.split_once(separator).ok_or_else(wrong)?;
    Ok([parse_number(first).map_err(|_| wrong())?, parse_number(second).map_err(|_| wrong())?])
}

/// Scales of a view along x and y: one number for both, or two with `separator` between them.
///
/// ```
/// use lerpscope::arguments::parse_scales;
/// assert_eq!(parse_scales("1/8", ','), Ok([0.125, 0.125]));
/// assert_eq!(parse_scales("1,1/2", ','), Ok([1.0, 0.5]));
/// ```
///
/// # Errors
/// If a part is not a number, or there are more than two.
pub fn parse_scales(text: &str, separator: char) -> Result<[f64; 2], ArgumentError> {
    if !text.contains(separator) {
        return parse_number(text).map(|scale| [scale; 2]);
    }
    parse_pair(text, separator).map_err(|_| ArgumentError::Scales { text: text.to_owned(), separator })
}

/// Numbers separated by commas.
///
/// ```
/// use lerpscope::arguments::parse_numbers;
/// assert_eq!(parse_numbers("0,1/4,-2"), Ok(vec![0.0, 0.25, -2.0]));
/// ```
///
/// # Errors
/// If a part is not a number.
pub fn parse_numbers(text: &str) -> Result<Vec<f64>, ArgumentError> {
    text.split(',').map(parse_number).collect()
}

/// `WIDTHxHEIGHT`.
///
/// # Errors
/// If the text is not a size, or a side is zero or too long.
pub fn parse_size(text: &str) -> Result<Size, ArgumentError> {
    let sides = text.split_once(['x', 'X', '×']);
    let side = |side: &str| side.trim().parse::<u32>().ok();
    sides
        .and_then(|(width, height)| Size::new(side(width)?, side(height)?).ok())
        .ok_or_else(|| ArgumentError::Size(text.to_owned()))
}

/// A page number, counted from 1, as the index from 0 of a request.
///
/// # Errors
/// If the text is not a whole number above 0.
pub fn parse_page(text: &str) -> Result<usize, ArgumentError> {
    let page = text.parse::<usize>().ok().and_then(|page| page.checked_sub(1));
    page.ok_or_else(|| ArgumentError::Page(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::size;

    #[test]
    fn numbers_may_be_fractions_and_must_be_finite() {
        assert_eq!(parse_number("1/8"), Ok(0.125));
        assert_eq!(parse_number("-3"), Ok(-3.0_f32));
        assert_eq!(parse_pair("-0.4,-1/2", ','), Ok([-0.4, -0.5]));
        for wrong in ["", "x", "nan", "inf", "1/0", "1/2/3", "0x10", "1e999"] {
            assert_eq!(parse_number::<f64>(wrong), Err(ArgumentError::Number(wrong.to_owned())));
        }
        for wrong in ["", "1", "1,2,3", ",", "1;2"] {
            assert!(parse_pair::<f64>(wrong, ',').is_err(), "{wrong}");
        }
        assert_eq!(parse_scales("1/8", ','), Ok([0.125; 2]));
        assert_eq!(parse_scales("2:-1/2", ':'), Ok([2.0, -0.5]));
        for wrong in ["", "1,2,3", ",", "1,", "1:2"] {
            assert!(parse_scales(wrong, ',').is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes_and_pages_are_never_zero() {
        assert_eq!(parse_size("3x4"), Ok(size(3, 4)));
        for wrong in ["", "3", "0x4", "3x0", "-3x4", "3x4x5", "3.5x4", "99999999x1", "4294967297x1"] {
            assert_eq!(parse_size(wrong), Err(ArgumentError::Size(wrong.to_owned())));
        }
        assert_eq!(parse_page("1"), Ok(0));
        assert!(parse_page("0").is_err() && parse_page("-1").is_err());
    }
}
