//! PNM files: P1 to P6 and P7 (PAM), with every maxval and every page.
//!
//! The grammar is Netpbm's (<https://netpbm.sourceforge.net/doc/pnm.html>, `pgm.html`, `pam.html`): white space is
//! blank, tab, CR, LF, VT or FF; a `#` ends a token and starts a comment to the end of its line; a raw raster starts
//! after exactly one white-space byte behind maxval. Comments in a plain raster, a missing final newline and bytes
//! after the last image are accepted.
//!
//! Decoding takes time and memory in proportion to the bytes given, whatever the header claims: a raster is allocated
//! only if the remaining bytes can fill it. Raw numbers are read directly into the raster's memory and 16-bit numbers
//! are swapped in place; a plain raster needs its text in addition, a raster of bits its bytes.

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

/// Contents of a PNM file: at least one page, in file order, and the clipped samples.
#[derive(Clone, Debug, PartialEq)]
pub struct Decoded {
    /// The images of the file.
    pub pages: Vec<Raster>,
    /// One entry for each page with samples above its maxval.
    pub clipped: Vec<Clipped>,
}

/// Samples of one page that were above its maxval and were set to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clipped {
    /// Page number, from 1.
    pub page: usize,
    /// Number of clipped samples, at least 1.
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

/// Prefix of a message about a page; empty for the first, often only, page.
fn place(page: usize) -> String {
    if page == 1 { String::new() } else { format!("page {page}: ") }
}

/// Error of [`decode`]: the page where decoding stopped, and the cause.
#[derive(Clone, PartialEq, Eq, Error)]
#[error("{}{cause}", place(*page))]
pub struct PnmError {
    /// Page number, from 1.
    pub page: usize,
    /// The fault of that page.
    pub cause: Cause,
}

/// Fault of one page.
#[derive(Clone, PartialEq, Eq, Error)]
pub enum Cause {
    /// The header breaks the grammar or describes an impossible image.
    #[error(transparent)]
    Header(#[from] HeaderError),
    /// The remaining bytes cannot hold the raster of the header.
    #[error("the raster of {size} ends early: it needs at least {needed} bytes, {left} are left")]
    TooShort {
        /// Size in the header.
        size: Size,
        /// Smallest number of bytes of such a raster.
        needed: u64,
        /// Bytes after the header.
        left: u64,
    },
    /// A plain raster has too few numbers.
    #[error("the raster of {size} ends early: {found} of its {expected} numbers are there")]
    EndsEarly {
        /// Size in the header.
        size: Size,
        /// Numbers found.
        found: usize,
        /// Numbers by the header.
        expected: usize,
    },
}

/// Error of [`read`].
#[derive(Error)]
pub enum ReadError {
    /// The reader failed.
    #[error("{}", crate::text::system_message(.0))]
    Io(#[from] io::Error),
    /// The contents are not a PNM file.
    #[error(transparent)]
    Malformed(#[from] PnmError),
    /// A raster does not fit the available memory.
    #[error(transparent)]
    Memory(#[from] MemoryError),
}

/// Error of reading one page.
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
    /// The same error for page number `page`, from 1.
    fn on(self, page: usize) -> ReadError {
        match self {
            Self::Io(cause) => cause.into(),
            Self::Cause(cause) => PnmError { page, cause }.into(),
            Self::Memory(cause) => cause.into(),
        }
    }
}

/// Whether `bytes` start with a PNM magic number: `P` and a digit from 1 to 7.
pub fn is_pnm(bytes: &[u8]) -> bool {
    matches!(bytes, [b'P', b'1'..=b'7', ..])
}

/// Decodes all images of a PNM file. Raw images follow each other directly; white space, and comments after a plain
/// image, may separate them. Bytes after the last image that are not a magic number are ignored.
///
/// # Errors
/// [`PnmError`] for a missing magic number, a malformed header, and a truncated raster, on any page.
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

/// Decodes all images of a PNM file as [`decode`] does, from a reader with `len` bytes, if known. Bytes after the last
/// image may remain unread.
///
/// # Errors
/// Errors of [`decode`] and of the reader, and a raster that does not fit `memory`.
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

/// Reads one image and the gap after it; returns the image and its number of clipped samples.
fn read_page(source: &mut Source<'_>, memory: Memory) -> Result<(Raster, usize), PageError> {
    let header = read_header(source)?;
    let decoded = raster::read(source, &header, memory)?;
    skip_gap(source, header.encoding.is_plain())?;
    Ok(decoded)
}

/// Reads a header. The window grows until the header ends inside it: a header that fills the window might continue.
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

/// Skips white space, and comments if `has_comments`, up to the three bytes that identify a further image.
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

/// Bytes of a magic number and its white space.
const MAGIC_LEN: usize = 3;
