//! PNM files: P1 to P6 and P7 (PAM), with every maxval and every page.
//!
//! The grammar is Netpbm's (<https://netpbm.sourceforge.net/doc/pnm.html>, `pgm.html`, `pam.html`): white space is
//! blank, tab, CR, LF, VT or FF; a `#` ends a token and starts a comment that runs to the end of its line; a raw raster
//! starts after exactly one white-space byte behind maxval. Comments in a plain raster, a missing final newline and
//! bytes after the last image are let pass.
//!
//! Decoding takes time and memory in proportion to the bytes given, whatever a header claims: a raster is allocated
//! only where the bytes left could fill it. Raw numbers are read straight into the memory that the raster keeps, words are
//! swapped there; a plain raster needs its text beside it, bits their bytes.

mod header;
mod raster;
mod source;
mod write;

use std::io::{self, Read};

use thiserror::Error;

use super::{Raster, Size};
use crate::memory::{Memory, MemoryError};
pub use header::{Field, HeaderError};
use header::{Header, Scanner};
use source::Source;
pub use write::{write_pam, write_pgm, write_ppm};

/// What a PNM file holds: its pages in the order of the file, at least one, and what had to be clipped.
#[derive(Clone, Debug, PartialEq)]
pub struct Decoded {
    /// The images of the file.
    pub pages: Vec<Raster>,
    /// One entry for each page that has samples above its maxval.
    pub clipped: Vec<Clipped>,
}

/// Samples of one page that were above its maxval and were set to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clipped {
    /// The page, counted from 1.
    pub page: usize,
    /// How many samples were clipped; at least 1.
    pub samples: usize,
    /// The page's maxval.
    pub maxval: u16,
}

impl std::fmt::Display for Clipped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { page, samples, maxval } = self;
        let (noun, verb) = if *samples == 1 { ("sample", "is") } else { ("samples", "are") };
        write!(f, "{}{samples} {noun} above maxval {maxval} {verb} clipped to it", place(*page))
    }
}

/// How a message names a page: the first, often the only one, not at all.
fn place(page: usize) -> String {
    if page == 1 { String::new() } else { format!("page {page}: ") }
}

/// Why a file is no PNM file: the page where reading stopped, and the cause.
#[derive(Clone, PartialEq, Eq, Error)]
#[error("{}{cause}", place(*page))]
pub struct PnmError {
    /// The page, counted from 1.
    pub page: usize,
    /// What is wrong with it.
    pub cause: Cause,
}

/// What is wrong with one page.
#[derive(Clone, PartialEq, Eq, Error)]
pub enum Cause {
    /// The header breaks the grammar or names an impossible image.
    #[error(transparent)]
    Header(#[from] HeaderError),
    /// The bytes left cannot hold the raster that the header promises.
    #[error("the raster of {size} ends early: it needs {needed} bytes or more, {left} are left")]
    TooShort {
        /// The size that the header gives.
        size: Size,
        /// The fewest bytes that such a raster takes.
        needed: u64,
        /// The bytes behind the header.
        left: u64,
    },
    /// The numbers of a plain raster stop before the last sample.
    #[error("the raster of {size} ends early: {found} of its {expected} numbers are there")]
    EndsEarly {
        /// The size that the header gives.
        size: Size,
        /// Numbers found.
        found: usize,
        /// Numbers that the header promises.
        expected: usize,
    },
}

/// Why nothing was decoded from a reader.
#[derive(Error)]
pub enum ReadError {
    /// The reader fails.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    /// What it gives is no PNM file.
    #[error(transparent)]
    Malformed(#[from] PnmError),
    /// A raster is larger than the memory that is left.
    #[error(transparent)]
    Memory(#[from] MemoryError),
}

/// Why one page was not read.
#[derive(Debug, Error)]
enum PageError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Cause(#[from] Cause),
    #[error(transparent)]
    Memory(#[from] MemoryError),
}

impl PageError {
    /// The same of the page with this number, counted from 1.
    fn on(self, page: usize) -> ReadError {
        match self {
            Self::Io(cause) => cause.into(),
            Self::Cause(cause) => PnmError { page, cause }.into(),
            Self::Memory(cause) => cause.into(),
        }
    }
}

/// Whether `bytes` start as a PNM file does: `P` and a digit from 1 to 7.
pub fn is_pnm(bytes: &[u8]) -> bool {
    matches!(bytes, [b'P', b'1'..=b'7', ..])
}

/// Decodes all images of a PNM file. Raw images follow each other directly; white space, and comments behind a plain
/// image, may stand between. What follows the last image and is no magic number is ignored.
///
/// # Errors
/// Where the first bytes are no magic number, where a header is malformed, and where a raster ends early, on any page.
///
/// ```
/// let decoded = lerpscope::image::pnm::decode(b"P2 # two samples\n2 1 100\n25 50").unwrap();
/// assert_eq!(decoded.pages[0].number(1, 0, 0), 50.0);
/// assert_eq!(decoded.pages[0].samples().maxval(), 100);
/// ```
pub fn decode(bytes: &[u8]) -> Result<Decoded, PnmError> {
    let mut rest = bytes;
    match read(&mut rest, Some(bytes.len() as u64), Memory::Bytes(u64::MAX)) {
        Ok(decoded) => Ok(decoded),
        Err(ReadError::Malformed(error)) => Err(error),
        Err(ReadError::Io(_) | ReadError::Memory(_)) => unreachable!("bytes in memory are read without fail"),
    }
}

/// Decodes all images of a PNM file as [`decode`] does, from a reader that has `len` bytes where that is known. What stands
/// behind the last image may stay unread.
///
/// # Errors
/// As [`decode`], where the reader fails, and where a raster does not fit `memory`.
pub fn read(reader: &mut dyn Read, len: Option<u64>, memory: Memory) -> Result<Decoded, ReadError> {
    let mut source = Source::new(reader, len);
    let mut decoded = Decoded { pages: Vec::new(), clipped: Vec::new() };
    loop {
        let page = decoded.pages.len() + 1;
        let (raster, samples) = read_page(&mut source, memory).map_err(|error| error.on(page))?;
        if samples > 0 {
            decoded.clipped.push(Clipped { page, samples, maxval: raster.samples().maxval() });
        }
        decoded.pages.push(raster);
        if !Scanner::new(source.window()).at_magic() {
            return Ok(decoded);
        }
    }
}

/// Reads one image and the gap behind it; gives the image and how many of its samples were clipped.
fn read_page(source: &mut Source<'_>, memory: Memory) -> Result<(Raster, usize), PageError> {
    let header = read_header(source)?;
    let decoded = raster::read(source, &header, memory)?;
    skip_gap(source, header.encoding.is_plain())?;
    Ok(decoded)
}

/// Reads a header, widening the window until it is whole: one that uses up the window might go on behind it.
fn read_header(source: &mut Source<'_>) -> Result<Header, PageError> {
    loop {
        let mut scanner = Scanner::new(source.window());
        let header = Header::read(&mut scanner);
        let is_cut = scanner.rest().is_empty() || matches!(header, Err(HeaderError::NoEndOfHeader));
        if is_cut && !source.is_at_end() {
            source.widen()?;
            continue;
        }
        let used = source.window().len() - scanner.rest().len();
        source.skip(used);
        return Ok(header.map_err(Cause::from)?);
    }
}

/// Passes white space, and comments where `has_comments`, up to the three bytes that a further image shows by.
fn skip_gap(source: &mut Source<'_>, has_comments: bool) -> io::Result<()> {
    loop {
        let mut scanner = Scanner::new(source.window());
        if has_comments {
            scanner.skip_blank();
        } else {
            scanner.skip_white_space();
        }
        let rest = scanner.rest().len();
        let used = source.window().len() - rest;
        source.skip(used);
        if rest >= MAGIC_LEN || source.is_at_end() {
            return Ok(());
        }
        source.widen()?;
    }
}

/// Bytes of a magic number and the white space behind it.
const MAGIC_LEN: usize = 3;
