//! Rasters of PNM files: plain and raw, bits and numbers.

use super::super::{Raster, Samples};
use super::header::{Encoding, Field, Header, HeaderError, Scanner, number, quote};
use super::source::{Source, Taken};
use super::{Cause, PageError};
use crate::memory::{Demand, Memory};

/// Reads the raster that `header` describes; returns it and its number of samples above maxval.
pub(super) fn read(source: &mut Source<'_>, header: &Header, memory: Memory) -> Result<(Raster, usize), PageError> {
    let (width, height) = (u64::from(header.size.width()), u64::from(header.size.height()));
    let numbers = width * height * header.channels.count() as u64;
    let needed = match header.encoding {
        Encoding::PlainBits => numbers,
        // One digit each, separated by white space.
        Encoding::PlainNumbers => numbers * 2 - 1,
        Encoding::RawBits => width.div_ceil(8) * height,
        Encoding::RawNumbers if header.maxval > 255 => numbers * 2,
        Encoding::RawNumbers => numbers,
    };
    let too_short = |left: u64| Cause::TooShort { size: header.size, needed, left };
    if let Some(left) = source.left().filter(|left| needed > *left) {
        return Err(too_short(left).into());
    }
    memory.check(&demand(header, numbers, needed, source.left()))?;
    let mut clipped = 0;
    let samples = match header.encoding {
        Encoding::PlainBits | Encoding::PlainNumbers => {
            source.widen_to_end()?;
            let left = source.window().len();
            if needed > left as u64 {
                return Err(too_short(left as u64).into());
            }
            let mut scanner = Scanner::new(source.window());
            let samples = plain(&mut scanner, header, &mut clipped)?;
            let used = left - scanner.rest().len();
            source.skip(used);
            samples
        }
        Encoding::RawBits => {
            let bytes = taken(source.take_numbers(needed as usize)?, needed, too_short)?;
            Samples::U8 { values: raw_bits(&bytes, header), maxval: 1 }
        }
        Encoding::RawNumbers => match u8::try_from(header.maxval) {
            Ok(maxval) => {
                let mut values = taken(source.take_numbers(numbers as usize)?, needed, too_short)?;
                clipped = clip(&mut values, maxval);
                Samples::U8 { values, maxval }
            }
            Err(_) => {
                let mut values = taken(source.take_numbers(numbers as usize)?, needed, too_short)?;
                values.iter_mut().for_each(|value| *value = u16::from_be(*value));
                clipped = clip(&mut values, header.maxval);
                Samples::U16 { values, maxval: header.maxval }
            }
        },
    };
    // The checks above make the shape valid; the error only satisfies the type.
    let raster = Raster::new(header.size, header.channels, samples).map_err(|_| too_short(needed))?;
    Ok((raster, clipped))
}

/// Memory of a raster of `numbers`, with the bytes of the file held beside it. For an unknown number of `left` bytes,
/// memory grows as they arrive, and the header's promise is not demanded.
fn demand(header: &Header, numbers: u64, needed: u64, left: Option<u64>) -> Demand {
    let mut demand = Demand::default();
    if let Some(left) = left {
        let bytes_a_number = if header.maxval > 255 { 2 } else { 1 };
        demand.hold(|| format!("{} samples take", header.size), numbers * bytes_a_number);
        match header.encoding {
            Encoding::PlainBits | Encoding::PlainNumbers => demand.pass(|| "their text takes".to_owned(), left),
            Encoding::RawBits => demand.pass(|| "their bytes take".to_owned(), needed),
            Encoding::RawNumbers => {}
        }
    }
    demand
}

/// The numbers, if all `needed` bytes were found.
fn taken<T>(taken: Taken<T>, needed: u64, too_short: impl Fn(u64) -> Cause) -> Result<Vec<T>, Cause> {
    if taken.bytes == needed { Ok(taken.values) } else { Err(too_short(taken.bytes)) }
}

/// P1, P2 and P3.
fn plain(scanner: &mut Scanner<'_>, header: &Header, clipped: &mut usize) -> Result<Samples, Cause> {
    if header.encoding == Encoding::PlainBits {
        return Ok(Samples::U8 { values: plain_bits(scanner, header)?, maxval: 1 });
    }
    Ok(match u8::try_from(header.maxval) {
        Ok(maxval) => Samples::U8 { values: plain_numbers(scanner, header, maxval, clipped)?, maxval },
        Err(_) => {
            let maxval = header.maxval;
            Samples::U16 { values: plain_numbers(scanner, header, maxval, clipped)?, maxval }
        }
    })
}

/// P1: digits, with or without white space; 1 is black.
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

/// P2 and P3: decimal numbers; numbers above maxval become maxval and are counted in `clipped`.
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

/// P4: the high bit is the leftmost sample; bits after the last column are padding.
fn raw_bits(bytes: &[u8], header: &Header) -> Vec<u8> {
    let width = header.size.width() as usize;
    let mut values = Vec::with_capacity(header.size.area());
    for row in bytes.chunks_exact(width.div_ceil(8)) {
        values.extend((0..width).map(|column| 1 - (row[column / 8] >> (7 - column % 8) & 1)));
    }
    values
}

/// Sets numbers above `maxval` to it; returns how many there were.
fn clip<T: Copy + PartialOrd>(values: &mut [T], maxval: T) -> usize {
    // Such files are rare, and counting runs at the speed of memory.
    let clipped = values.iter().filter(|value| **value > maxval).count();
    if clipped > 0 {
        values.iter_mut().filter(|value| **value > maxval).for_each(|value| *value = maxval);
    }
    clipped
}
