//! WebP: chunks of a four-byte name, a length and the data, padded to an even number of bytes.

use super::HeaderFault;
use super::bytes::Order::Little;

/// Bytes of a chunk's name and length.
const HEADER: u64 = 8;
/// Bytes of an `ANMF` chunk before its inner chunks.
const FRAME_HEADER: u64 = 16;

/// Checks the chunks of a WebP file and of its animation frames.
///
/// # Errors
/// [`HeaderFault`] for a metadata chunk longer than the file, and for a lossy frame above `limit` bytes: the decoder
/// allocates its planes before it compares them with the canvas.
pub(in super::super) fn check(bytes: &[u8], limit: u64) -> Result<(), HeaderFault> {
    let len = bytes.len() as u64;
    let mut at = 12;
    while let Some(chunk) = Chunk::at(bytes, at) {
        chunk.check(bytes, limit)?;
        if chunk.name == *b"ANMF" {
            let mut inner = chunk.start + FRAME_HEADER;
            while let Some(part) = Chunk::at(bytes, inner).filter(|_| inner < chunk.next()) {
                part.check(bytes, limit)?;
                inner = part.next();
            }
        }
        at = chunk.next();
        if at >= len {
            break;
        }
    }
    Ok(())
}

struct Chunk {
    name: [u8; 4],
    /// Position of its data.
    start: u64,
    len: u64,
}

impl Chunk {
    fn at(bytes: &[u8], at: u64) -> Option<Self> {
        let len = Little.number(bytes, at + 4, 4)?;
        let name = Little.number(bytes, at, 4)?.to_le_bytes();
        Some(Self { name: [name[0], name[1], name[2], name[3]], start: at + HEADER, len })
    }

    fn next(&self) -> u64 {
        self.start + self.len + self.len % 2
    }

    fn check(&self, bytes: &[u8], limit: u64) -> Result<(), HeaderFault> {
        match &self.name {
            b"EXIF" | b"ICCP" | b"XMP " if self.start + self.len > bytes.len() as u64 => {
                let name = String::from_utf8_lossy(&self.name);
                Err(HeaderFault::Malformed(format!("chunk {} has {} bytes, more than the file", name.trim(), self.len)))
            }
            b"VP8 " => {
                // A three-byte frame tag and a three-byte start code precede the sides, which have 14 bits.
                let side = |at| Little.number(bytes, self.start + at, 2).map_or(0, |side| side & 0x3fff);
                let taken = side(6) * side(8) * 4;
                if taken > limit { Err(HeaderFault::TooLarge(taken)) } else { Ok(()) }
            }
            _ => Ok(()),
        }
    }
}
