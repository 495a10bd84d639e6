//! PNM files: P1 to P6 and P7 (PAM), with every maxval and every page.
//!
//! The grammar is Netpbm's (<https://netpbm.sourceforge.net/doc/pnm.html>, `pgm.html`, `pam.html`): white space is
//! blank, tab, CR, LF, VT or FF; a `#` ends a token and starts a comment that runs to the end of its line; a raw raster
//! starts after exactly one white-space byte behind maxval. Comments in a plain raster, a missing final newline and
//! bytes after the last image are let pass.
//!
//! Decoding takes time and memory in proportion to the bytes given, whatever a header claims: a raster is allocated
//! only where the bytes left could fill it.

mod header;
mod raster;
mod write;

use thiserror::Error;

use super::{Raster, Size};
pub use header::{Field, HeaderError};
use header::{Header, Scanner};
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
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}{cause}", place(*page))]
pub struct PnmError {
    /// The page, counted from 1.
    pub page: usize,
    /// What is wrong with it.
    pub cause: Cause,
}

/// What is wrong with one page.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
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
    let mut scanner = Scanner::new(bytes);
    let mut decoded = Decoded { pages: Vec::new(), clipped: Vec::new() };
    loop {
        let page = decoded.pages.len() + 1;
        let (raster, samples) = decode_page(&mut scanner).map_err(|cause| PnmError { page, cause })?;
        if samples > 0 {
            decoded.clipped.push(Clipped { page, samples, maxval: raster.samples().maxval() });
        }
        decoded.pages.push(raster);
        if !scanner.at_magic() {
            return Ok(decoded);
        }
    }
}

/// Reads one image and the gap behind it; gives the image and how many of its samples were clipped.
fn decode_page(scanner: &mut Scanner<'_>) -> Result<(Raster, usize), Cause> {
    let header = Header::read(scanner)?;
    let decoded = raster::read(scanner, &header)?;
    if header.encoding.is_plain() {
        scanner.skip_blank();
    } else {
        scanner.skip_white_space();
    }
    Ok(decoded)
}
