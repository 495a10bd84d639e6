//! TIFF and BigTIFF: the tags of the first page, and the JPEG frames of its strips or tiles.

use super::HeaderFault;
use super::bytes::Order;

const WIDTH: u64 = 256;
const BITS_PER_SAMPLE: u64 = 258;
const COMPRESSION: u64 = 259;
const SAMPLES_PER_PIXEL: u64 = 277;
const TILE_WIDTH: u64 = 322;

/// Value of [`COMPRESSION`] for JPEG.
const MODERN_JPEG: u64 = 7;

/// Checks the tags of the first page.
///
/// # Errors
/// [`HeaderFault`] for a tag longer than the file, and for a row of samples or a JPEG frame above `limit` bytes.
pub(in super::super) fn check(bytes: &[u8], limit: u64) -> Result<(), HeaderFault> {
    let Some(page) = Page::first(bytes) else { return Ok(()) };
    for tag in page.tags() {
        let len = tag.bytes();
        if len > bytes.len() as u64 {
            return Err(HeaderFault::Malformed(format!("tag {} has {len} bytes, more than the file", tag.id)));
        }
    }
    let first =
        |id, usual: u64| page.tags().find(|tag| tag.id == id).and_then(|tag| page.first_value(&tag)).unwrap_or(usual);
    let bits = first(BITS_PER_SAMPLE, 1).saturating_mul(first(SAMPLES_PER_PIXEL, 1));
    let widest = first(WIDTH, 0).max(first(TILE_WIDTH, 0));
    let row = widest.saturating_mul(bits) / 8;
    if row > limit {
        return Err(HeaderFault::TooLarge(row));
    }
    if first(COMPRESSION, 1) == MODERN_JPEG {
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

/// First page of a file.
struct Page<'a> {
    bytes: &'a [u8],
    order: Order,
    is_big: bool,
    /// Position of its first tag.
    start: u64,
    count: u64,
}

impl<'a> Page<'a> {
    /// `None` for a truncated file, or one that is not TIFF.
    fn first(bytes: &'a [u8]) -> Option<Self> {
        let order = match bytes.get(..2)? {
            b"II" => Order::Little,
            b"MM" => Order::Big,
            _ => return None,
        };
        let is_big = match order.number(bytes, 2, 2)? {
            42 => false,
            43 => true,
            _ => return None,
        };
        let (at, count_len) = if is_big { (order.number(bytes, 8, 8)?, 8) } else { (order.number(bytes, 4, 4)?, 2) };
        let count = order.number(bytes, at, count_len)?;
        Some(Self { bytes, order, is_big, start: at.checked_add(count_len as u64)?, count })
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
