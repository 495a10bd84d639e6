//! Rasters of PNM files: plain and raw, bits and numbers.

use super::super::{Raster, Samples};
use super::Cause;
use super::header::{Encoding, Field, Header, HeaderError, Scanner, number, quote};

/// Reads the raster that `header` describes; gives it with the count of samples that were above maxval.
pub(super) fn read(scanner: &mut Scanner<'_>, header: &Header) -> Result<(Raster, usize), Cause> {
    let (width, height) = (u64::from(header.size.width()), u64::from(header.size.height()));
    let numbers = width * height * header.channels.count() as u64;
    let needed = match header.encoding {
        Encoding::PlainBits => numbers,
        // A digit each, and white space between.
        Encoding::PlainNumbers => numbers * 2 - 1,
        Encoding::RawBits => width.div_ceil(8) * height,
        Encoding::RawNumbers if header.maxval > 255 => numbers * 2,
        Encoding::RawNumbers => numbers,
    };
    let left = scanner.rest().len() as u64;
    let too_short = Cause::TooShort { size: header.size, needed, left };
    if needed > left {
        return Err(too_short);
    }
    let mut clipped = 0;
    let samples = match header.encoding {
        Encoding::PlainBits => Samples::U8 { values: plain_bits(scanner, header)?, maxval: 1 },
        Encoding::PlainNumbers => match u8::try_from(header.maxval) {
            Ok(maxval) => Samples::U8 { values: plain_numbers(scanner, header, maxval, &mut clipped)?, maxval },
            Err(_) => Samples::U16 {
                values: plain_numbers(scanner, header, header.maxval, &mut clipped)?,
                maxval: header.maxval,
            },
        },
        Encoding::RawBits | Encoding::RawNumbers => {
            let Some(bytes) = usize::try_from(needed).ok().and_then(|needed| scanner.take(needed)) else {
                return Err(too_short);
            };
            if header.encoding == Encoding::RawBits {
                Samples::U8 { values: raw_bits(bytes, header), maxval: 1 }
            } else {
                raw_numbers(bytes, header.maxval, &mut clipped)
            }
        }
    };
    // The counts above make the shape right; the error only serves the type.
    let raster = Raster::new(header.size, header.channels, samples).map_err(|_| too_short)?;
    Ok((raster, clipped))
}

/// P1: digits with or without white space between them; 1 is black.
fn plain_bits(scanner: &mut Scanner<'_>, header: &Header) -> Result<Vec<u8>, Cause> {
    let expected = header.size.area();
    let mut values = Vec::with_capacity(expected);
    while values.len() < expected {
        scanner.skip_blank();
        match scanner.take(1) {
            Some(b"0") => values.push(1),
            Some(b"1") => values.push(0),
            Some(other) => {
                let field = Field::Sample(values.len() + 1);
                return Err(HeaderError::NoNumber(field, quote(other)).into());
            }
            None => return Err(Cause::EndsEarly { size: header.size, found: values.len(), expected }),
        }
    }
    Ok(values)
}

/// P2 and P3: decimal numbers; what is above maxval becomes maxval and is counted in `clipped`.
fn plain_numbers<T>(scanner: &mut Scanner<'_>, header: &Header, maxval: T, clipped: &mut usize) -> Result<Vec<T>, Cause>
where
    T: Copy + TryFrom<u32> + PartialOrd,
{
    let expected = header.size.area() * header.channels.count();
    let mut values = Vec::with_capacity(expected);
    while values.len() < expected {
        let Some(token) = scanner.token() else {
            return Err(Cause::EndsEarly { size: header.size, found: values.len(), expected });
        };
        let value = number(token, Field::Sample(values.len() + 1))?;
        values.push(match T::try_from(value) {
            Ok(value) if value <= maxval => value,
            _ => {
                *clipped += 1;
                maxval
            }
        });
    }
    Ok(values)
}

/// P4: the high bit is the leftmost sample; bits behind the last column are padding.
fn raw_bits(bytes: &[u8], header: &Header) -> Vec<u8> {
    let width = header.size.width() as usize;
    let mut values = Vec::with_capacity(header.size.area());
    for row in bytes.chunks_exact(width.div_ceil(8)) {
        values.extend((0..width).map(|column| 1 - (row[column / 8] >> (7 - column % 8) & 1)));
    }
    values
}

/// P5, P6 and P7: a byte a number, or two with the high one first; what is above maxval becomes maxval and is counted
/// in `clipped`.
fn raw_numbers(bytes: &[u8], maxval: u16, clipped: &mut usize) -> Samples {
    if let Ok(maxval) = u8::try_from(maxval) {
        let mut values = bytes.to_vec();
        *clipped += clip(&mut values, maxval);
        Samples::U8 { values, maxval }
    } else {
        let mut values: Vec<u16> = bytes.as_chunks::<2>().0.iter().map(|number| u16::from_be_bytes(*number)).collect();
        *clipped += clip(&mut values, maxval);
        Samples::U16 { values, maxval }
    }
}

/// Sets what is above `maxval` to it; gives how many there were.
fn clip<T: Copy + PartialOrd>(values: &mut [T], maxval: T) -> usize {
    let mut clipped = 0;
    for value in values.iter_mut().filter(|value| **value > maxval) {
        *value = maxval;
        clipped += 1;
    }
    clipped
}
