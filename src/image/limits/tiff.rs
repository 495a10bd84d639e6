//! TIFF and BigTIFF: the chain of pages, the tags of the first page, and the JPEG frames of its strips or tiles.

use std::collections::HashSet;

use super::HeaderFault;
use super::bytes::Order;

const WIDTH: u64 = 256;
const BITS_PER_SAMPLE: u64 = 258;
const COMPRESSION: u64 = 259;
const SAMPLES_PER_PIXEL: u64 = 277;
const TILE_WIDTH: u64 = 322;
const SAMPLE_FORMAT: u64 = 339;
const SUBFILE_TYPE: u64 = 254;

/// Bits of [`SUBFILE_TYPE`].
const REDUCED: u64 = 1;
const MASK: u64 = 4;

/// Value of [`COMPRESSION`] for JPEG.
const MODERN_JPEG: u64 = 7;

/// Number type of samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum SampleFormat {
    Unsigned,
    Signed,
    Float,
}

/// Byte order of a file, and whether it is BigTIFF; `None` for a file that is not TIFF.
fn layout(bytes: &[u8]) -> Option<(Order, bool)> {
    let order = match bytes.get(..2)? {
        b"II" => Order::Little,
        b"MM" => Order::Big,
        _ => return None,
    };
    match order.number(bytes, 2, 2)? {
        42 => Some((order, false)),
        43 => Some((order, true)),
        _ => None,
    }
}

/// Positions of the pages, in file order. Reduced copies of pages and masks are left out, but not the first page. A chain
/// of pages that leads back ends there.
pub(in super::super) fn page_starts(bytes: &[u8]) -> Vec<u64> {
    let Some((order, is_big)) = layout(bytes) else { return Vec::new() };
    let first = if is_big { order.number(bytes, 8, 8) } else { order.number(bytes, 4, 4) };
    let (mut starts, mut seen, mut next) = (Vec::new(), HashSet::new(), first);
    while let Some(at) = next.filter(|at| seen.insert(*at)) {
        let Some(page) = TiffPage::at(bytes, at) else { break };
        if starts.is_empty() || page.value(SUBFILE_TYPE, 0) & (REDUCED | MASK) == 0 {
            starts.push(at);
        }
        next = page.next();
    }
    starts
}

/// Makes the page at byte `at` the first one of the file `bytes`.
pub(in super::super) fn lead_to(bytes: &mut [u8], at: u64) {
    let Some((order, is_big)) = layout(bytes) else { return };
    let (field, len) = if is_big { (8..16, 8) } else { (4..8, 4) };
    let Some(field) = bytes.get_mut(field) else { return };
    match order {
        Order::Little => field.copy_from_slice(&at.to_le_bytes()[..len]),
        Order::Big => field.copy_from_slice(&at.to_be_bytes()[8 - len..]),
    }
}

/// Checks the tags of the first page.
///
/// # Errors
/// [`HeaderFault`] for a tag longer than the file, and for a row of samples or a JPEG frame above `limit` bytes.
pub(in super::super) fn check(bytes: &[u8], limit: u64) -> Result<(), HeaderFault> {
    let Some(page) = TiffPage::first(bytes) else { return Ok(()) };
    for tag in page.tags() {
        let len = tag.bytes();
        if len > bytes.len() as u64 {
            return Err(HeaderFault::Malformed(format!("tag {} has {len} bytes, more than the file", tag.id)));
        }
    }
    let bits = page.bits().saturating_mul(page.samples());
    let widest = page.value(WIDTH, 0).max(page.value(TILE_WIDTH, 0));
    let row = widest.saturating_mul(bits) / 8;
    if row > limit {
        return Err(HeaderFault::TooLarge(row));
    }
    if page.value(COMPRESSION, 1) == MODERN_JPEG {
        let frame = largest_jpeg_frame(bytes);
        if frame > limit {
            return Err(HeaderFault::TooLarge(frame));
        }
    }
    Ok(())
}

/// Bytes of the largest JPEG frame in `bytes`, at any position: the decoder concatenates strips, tiles and the tables
/// that they share, and each may contain a frame.
///
/// A frame header is a marker `FF C0` to `FF CF` without C4, C8 and CC, a length of 8 + 3·components, the precision, height
/// and width, and the number of components. Entropy-coded bytes never look like a marker.
fn largest_jpeg_frame(bytes: &[u8]) -> u64 {
    let frame = |header: &[u8]| {
        let [0xff, 0xc0..=0xcf, high, low, _, h1, h0, w1, w0, components @ 1..=4] = *header else { return None };
        let is_frame = !matches!(header[1], 0xc4 | 0xc8 | 0xcc);
        let is_long_enough = u16::from_be_bytes([high, low]) == 8 + 3 * u16::from(components);
        let [height, width] = [[h1, h0], [w1, w0]].map(|side| u64::from(u16::from_be_bytes(side)));
        // One byte per sample, and two for its coefficient.
        (is_frame && is_long_enough).then_some(width * height * u64::from(components) * 3)
    };
    bytes.windows(10).filter_map(frame).max().unwrap_or(0)
}

/// One tag of a page.
struct Tag {
    id: u64,
    kind: u64,
    count: u64,
    /// Position of its value or offset.
    field: u64,
}

impl Tag {
    /// Bytes of one value; 0 for an unknown type, which decoders skip.
    fn value_len(&self) -> u64 {
        match self.kind {
            1 | 2 | 6 | 7 => 1,
            3 | 8 => 2,
            4 | 9 | 11 | 13 => 4,
            5 | 10 | 12 | 16 | 17 | 18 => 8,
            _ => 0,
        }
    }

    fn bytes(&self) -> u64 {
        self.count.saturating_mul(self.value_len())
    }
}

/// A page of a file.
pub(in super::super) struct TiffPage<'a> {
    bytes: &'a [u8],
    order: Order,
    is_big: bool,
    /// Position of its first tag.
    start: u64,
    count: u64,
}

impl<'a> TiffPage<'a> {
    /// First page of a file; `None` for a truncated file, or one that is not TIFF.
    pub(in super::super) fn first(bytes: &'a [u8]) -> Option<Self> {
        let (order, is_big) = layout(bytes)?;
        let at = if is_big { order.number(bytes, 8, 8)? } else { order.number(bytes, 4, 4)? };
        Self::at(bytes, at)
    }

    /// The page at byte `at`; `None` if the file ends before it.
    fn at(bytes: &'a [u8], at: u64) -> Option<Self> {
        let (order, is_big) = layout(bytes)?;
        let count_len = if is_big { 8 } else { 2 };
        let count = order.number(bytes, at, count_len)?;
        Some(Self { bytes, order, is_big, start: at.checked_add(count_len as u64)?, count })
    }

    /// Position of the next page; `None` for the last one, or if the file ends before it.
    fn next(&self) -> Option<u64> {
        let (tag_len, len) = if self.is_big { (20, 8) } else { (12, 4) };
        let at = self.start.checked_add(self.count.checked_mul(tag_len)?)?;
        self.order.number(self.bytes, at, len).filter(|at| *at != 0)
    }

    /// First value of the integer tag `id`; `usual` if the page has none.
    fn value(&self, id: u64, usual: u64) -> u64 {
        self.tags().find(|tag| tag.id == id).and_then(|tag| self.first_value(&tag)).unwrap_or(usual)
    }

    /// Bits of a sample.
    pub(in super::super) fn bits(&self) -> u64 {
        self.value(BITS_PER_SAMPLE, 1)
    }

    /// Samples of a pixel.
    pub(in super::super) fn samples(&self) -> u64 {
        self.value(SAMPLES_PER_PIXEL, 1)
    }

    /// Number type of its samples.
    pub(in super::super) fn sample_format(&self) -> SampleFormat {
        match self.value(SAMPLE_FORMAT, 1) {
            2 => SampleFormat::Signed,
            3 => SampleFormat::Float,
            _ => SampleFormat::Unsigned,
        }
    }

    /// The tags that the file contains.
    fn tags(&self) -> impl Iterator<Item = Tag> + '_ {
        let (tag_len, count_len) = if self.is_big { (20, 8) } else { (12, 4) };
        (0..self.count).map_while(move |index| {
            let at = self.start.checked_add(index.checked_mul(tag_len)?)?;
            let number = |at, len| self.order.number(self.bytes, at, len);
            let field = at.checked_add(4 + count_len as u64)?;
            // The last byte of the value: the whole tag is in the file.
            number(at.checked_add(tag_len - 1)?, 1)?;
            Some(Tag { id: number(at, 2)?, kind: number(at + 2, 2)?, count: number(at + 4, count_len)?, field })
        })
    }

    /// First value of an integer tag.
    fn first_value(&self, tag: &Tag) -> Option<u64> {
        let len = usize::try_from(tag.value_len()).ok()?;
        let field_len = if self.is_big { 8 } else { 4 };
        let at = if tag.bytes() <= field_len as u64 {
            tag.field
        } else {
            self.order.number(self.bytes, tag.field, field_len)?
        };
        self.order.number(self.bytes, at, len)
    }
}
