//! Headers of PNM files, and the scanner of their tokens.

use std::fmt;

use thiserror::Error;

use super::super::{Channels, Size};
use crate::text::{MAX_ECHO, shortened};

/// A number of a PNM file, for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Columns.
    Width,
    /// Rows.
    Height,
    /// The number for the value 1.0.
    Maxval,
    /// Channels of a PAM file.
    Depth,
    /// Number of a plain raster, counted from 1.
    Sample(usize),
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Width => f.write_str("the width"),
            Self::Height => f.write_str("the height"),
            Self::Maxval => f.write_str("maxval"),
            Self::Depth => f.write_str("the depth"),
            Self::Sample(index) => write!(f, "sample {index}"),
        }
    }
}

/// Error in a header, or in a number of a plain raster. Tokens are quoted with at most 40 characters.
#[derive(Clone, PartialEq, Eq, Error)]
pub enum HeaderError {
    /// No magic number P1 to P7 followed by white space.
    #[error("there is no magic number P1 to P7 followed by white space")]
    Magic,
    /// The bytes end before a number.
    #[error("the header ends before {0}")]
    Ends(Field),
    /// A token that is not a number.
    #[error("{0} is “{1}”, which is not a number")]
    NoNumber(Field, String),
    /// A minus sign and digits.
    #[error("{0} is negative: {1}")]
    Negative(Field, String),
    /// More than 32 bits.
    #[error("{0} overflows: {1}")]
    Overflow(Field, String),
    /// Zero for a number of at least 1.
    #[error("{0} is zero")]
    Zero(Field),
    /// Above the largest allowed number.
    #[error("{0} is {1}, the limit is {2}")]
    TooLarge(Field, u32, u32),
    /// A PAM header without ENDHDR.
    #[error("the header ends before ENDHDR")]
    NoEndOfHeader,
    /// A PAM header without a required line.
    #[error("the header has no line for {0}")]
    Missing(Field),
    /// A PAM header line with an unknown keyword.
    #[error("unknown header line “{0}”")]
    UnknownLine(String),
    /// A TUPLTYPE that contradicts DEPTH.
    #[error("tuple type {tuple} needs depth {needed}, not {depth}")]
    TupleDepth {
        /// The TUPLTYPE.
        tuple: &'static str,
        /// Its number of channels.
        needed: usize,
        /// DEPTH of the header.
        depth: u32,
    },
}

/// Encoding of a raster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// P1: one digit per sample, 1 is black.
    PlainBits,
    /// P2 and P3: decimal numbers.
    PlainNumbers,
    /// P4: eight samples per byte, rows padded to whole bytes, 1 is black.
    RawBits,
    /// P5, P6 and P7: one byte per number up to maxval 255, two above, high byte first.
    RawNumbers,
}

impl Encoding {
    /// Whether the raster is text.
    pub(super) fn is_plain(self) -> bool {
        matches!(self, Self::PlainBits | Self::PlainNumbers)
    }
}

/// Contents of a header, checked: a possible size, and a maxval of 1 to 65535.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    pub(super) encoding: Encoding,
    pub(super) size: Size,
    pub(super) channels: Channels,
    pub(super) maxval: u16,
}

/// Tuple types of PAM and their channels.
const TUPLE_TYPES: [(&str, Channels); 6] = [
    ("BLACKANDWHITE", Channels::Grey),
    ("GRAYSCALE", Channels::Grey),
    ("RGB", Channels::Rgb),
    ("BLACKANDWHITE_ALPHA", Channels::GreyAlpha),
    ("GRAYSCALE_ALPHA", Channels::GreyAlpha),
    ("RGB_ALPHA", Channels::Rgba),
];

impl Header {
    /// Reads the magic number and the header, up to the first byte of the raster.
    pub(super) fn read(scanner: &mut Scanner<'_>) -> Result<Self, HeaderError> {
        let digit = scanner.magic()?;
        let (encoding, channels) = match digit {
            b'1' => (Encoding::PlainBits, Channels::Grey),
            b'2' => (Encoding::PlainNumbers, Channels::Grey),
            b'3' => (Encoding::PlainNumbers, Channels::Rgb),
            b'4' => (Encoding::RawBits, Channels::Grey),
            b'5' => (Encoding::RawNumbers, Channels::Grey),
            b'6' => (Encoding::RawNumbers, Channels::Rgb),
            _ => return Self::read_pam(scanner),
        };
        let width = scanner.number(Field::Width)?;
        let height = scanner.number(Field::Height)?;
        let maxval = match encoding {
            Encoding::PlainBits | Encoding::RawBits => 1,
            Encoding::PlainNumbers | Encoding::RawNumbers => scanner.number(Field::Maxval)?,
        };
        Ok(Self { encoding, size: size(width, height)?, channels, maxval: check_maxval(maxval)? })
    }

    /// Reads the lines of a PAM header. The last of repeated lines counts; several TUPLTYPE lines are joined.
    fn read_pam(scanner: &mut Scanner<'_>) -> Result<Self, HeaderError> {
        let (mut width, mut height, mut depth, mut maxval) = (None, None, None, None);
        let mut tuple = String::new();
        loop {
            let line = scanner.line().ok_or(HeaderError::NoEndOfHeader)?;
            let mut words = Scanner::new(line);
            let Some(word) = words.token() else { continue };
            let mut value = |field| words.only_number(field).map(Some);
            match word {
                b"ENDHDR" => break,
                b"WIDTH" => width = value(Field::Width)?,
                b"HEIGHT" => height = value(Field::Height)?,
                b"DEPTH" => depth = value(Field::Depth)?,
                b"MAXVAL" => maxval = value(Field::Maxval)?,
                b"TUPLTYPE" => {
                    while let Some(word) = words.token() {
                        tuple.push_str(if tuple.is_empty() { "" } else { " " });
                        tuple.push_str(&String::from_utf8_lossy(word));
                    }
                }
                _ => return Err(HeaderError::UnknownLine(quote(line))),
            }
        }
        let present = |number: Option<u32>, field| number.ok_or(HeaderError::Missing(field));
        let size = size(present(width, Field::Width)?, present(height, Field::Height)?)?;
        let channels = tuple_channels(&tuple, present(depth, Field::Depth)?)?;
        let maxval = check_maxval(present(maxval, Field::Maxval)?)?;
        Ok(Self { encoding: Encoding::RawNumbers, size, channels, maxval })
    }
}

/// Channels of a tuple type, or of the depth for an unknown type.
fn tuple_channels(tuple: &str, depth: u32) -> Result<Channels, HeaderError> {
    let by_depth = match depth {
        0 => return Err(HeaderError::Zero(Field::Depth)),
        1 => Channels::Grey,
        2 => Channels::GreyAlpha,
        3 => Channels::Rgb,
        4 => Channels::Rgba,
        more => return Err(HeaderError::TooLarge(Field::Depth, more, 4)),
    };
    match TUPLE_TYPES.iter().find(|(name, _)| *name == tuple) {
        Some(&(tuple, channels)) if channels != by_depth => {
            Err(HeaderError::TupleDepth { tuple, needed: channels.count(), depth })
        }
        _ => Ok(by_depth),
    }
}

/// Size of a page; each side is 1 to [`Size::MAX_SIDE`].
fn size(width: u32, height: u32) -> Result<Size, HeaderError> {
    for (side, field) in [(width, Field::Width), (height, Field::Height)] {
        if side == 0 {
            return Err(HeaderError::Zero(field));
        }
        if side > Size::MAX_SIDE {
            return Err(HeaderError::TooLarge(field, side, Size::MAX_SIDE));
        }
    }
    Size::new(width, height).map_err(|_| HeaderError::Zero(Field::Width))
}

/// Checks a maxval: 1 to 65535.
fn check_maxval(maxval: u32) -> Result<u16, HeaderError> {
    match u16::try_from(maxval) {
        Ok(0) => Err(HeaderError::Zero(Field::Maxval)),
        Ok(maxval) => Ok(maxval),
        Err(_) => Err(HeaderError::TooLarge(Field::Maxval, maxval, u32::from(u16::MAX))),
    }
}

/// Scanner of tokens. Every byte is read once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scanner<'a> {
    rest: &'a [u8],
}

impl<'a> Scanner<'a> {
    /// Scanner at the first of `bytes`.
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Unread bytes.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Takes the next `count` bytes; `None` if fewer are left.
    pub(super) fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }

    /// Whether a magic number follows.
    pub(super) fn at_magic(&self) -> bool {
        matches!(self.rest, [b'P', b'1'..=b'7', next, ..] if ends_token(*next))
    }

    /// Takes a magic number; returns its digit.
    fn magic(&mut self) -> Result<u8, HeaderError> {
        match *self.rest {
            [b'P', digit @ b'1'..=b'7', ref rest @ ..] if rest.first().is_none_or(|next| ends_token(*next)) => {
                self.rest = rest;
                Ok(digit)
            }
            _ => Err(HeaderError::Magic),
        }
    }

    /// Skips white space.
    pub(super) fn skip_white_space(&mut self) {
        let end = self.rest.iter().position(|byte| !is_white_space(*byte)).unwrap_or(self.rest.len());
        self.rest = &self.rest[end..];
    }

    /// Skips white space and comments.
    pub(super) fn skip_blank(&mut self) {
        self.skip_white_space();
        while self.rest.first() == Some(&b'#') {
            self.skip_comment();
            self.skip_white_space();
        }
    }

    /// Skips a comment with the CR or LF at its end.
    fn skip_comment(&mut self) {
        let end = self.rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).map_or(self.rest.len(), |at| at + 1);
        self.rest = &self.rest[end..];
    }

    /// Takes the next token and, as Netpbm's reader, one white-space byte or one comment line after it; `None` at the
    /// end.
    pub(super) fn token(&mut self) -> Option<&'a [u8]> {
        self.skip_blank();
        let end = self.rest.iter().position(|byte| ends_token(*byte)).unwrap_or(self.rest.len());
        let (token, rest) = self.rest.split_at(end);
        self.rest = rest;
        match rest {
            [b'#', ..] => self.skip_comment(),
            [_, behind @ ..] => self.rest = behind,
            [] => {}
        }
        (!token.is_empty()).then_some(token)
    }

    /// Takes a number of the header.
    fn number(&mut self, field: Field) -> Result<u32, HeaderError> {
        number(self.token().ok_or(HeaderError::Ends(field))?, field)
    }

    /// Takes the single number of a PAM header line.
    fn only_number(&mut self, field: Field) -> Result<u32, HeaderError> {
        self.skip_blank();
        let line = self.rest;
        let value = self.token().ok_or_else(|| HeaderError::NoNumber(field, String::new()))?;
        match self.token() {
            None => number(value, field),
            Some(_) => Err(HeaderError::NoNumber(field, quote(line))),
        }
    }

    /// Takes a line without its LF; `None` if there is no LF.
    fn line(&mut self) -> Option<&'a [u8]> {
        let end = self.rest.iter().position(|byte| *byte == b'\n')?;
        let line = &self.rest[..end];
        self.rest = &self.rest[end + 1..];
        Some(line)
    }
}

/// Whether `byte` is Netpbm white space: blank, tab, LF, VT, FF or CR.
pub(super) fn is_white_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | 0x0b | 0x0c | b'\r')
}

/// Whether `byte` ends a token.
fn ends_token(byte: u8) -> bool {
    is_white_space(byte) || byte == b'#'
}

/// Parses a decimal number of up to 32 bits, without a sign.
pub(super) fn number(token: &[u8], field: Field) -> Result<u32, HeaderError> {
    let digits = |bytes: &[u8]| !bytes.is_empty() && bytes.iter().all(u8::is_ascii_digit);
    if !digits(token) {
        let negative = token.strip_prefix(b"-").is_some_and(digits);
        let error = if negative { HeaderError::Negative } else { HeaderError::NoNumber };
        return Err(error(field, quote(token)));
    }
    let append = |value: u32, digit: &u8| value.checked_mul(10)?.checked_add(u32::from(digit - b'0'));
    token.iter().try_fold(0, append).ok_or_else(|| HeaderError::Overflow(field, quote(token)))
}

/// A token for a message: printable ASCII, cut to 40 characters.
pub(super) fn quote(token: &[u8]) -> String {
    let shown = token.trim_ascii();
    // One byte more than the limit, so that the cut is marked.
    let start = &shown[..shown.len().min(MAX_ECHO + 1)];
    shortened(&start.escape_ascii().to_string()).into_owned()
}
