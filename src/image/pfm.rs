//! PFM files: `Pf` (grey) or `PF` (colour), width, height and scale as text, then rows of `f32` from the bottom up.
//!
//! The sign of the scale is the byte order, negative for the low byte first. Its absolute value is a unit of radiance that
//! the format does not apply to the samples (<https://www.pauldebevec.com/Research/HDR/PFM/>), so that they are kept.

use super::limits::HeaderFault;
use super::{Channels, Raster, Samples, Size};
use crate::memory::{Demand, Memory};
use crate::text::shortened;

/// Whether a file starts as PFM does.
pub(super) fn is_pfm(bytes: &[u8]) -> bool {
    matches!(bytes, [b'P', b'f' | b'F', white, ..] if white.is_ascii_whitespace())
}

/// Decodes a PFM file.
///
/// # Errors
/// [`HeaderFault`] for a malformed header, for samples that the file does not contain, and for more than `memory`.
pub(super) fn decode(bytes: &[u8], memory: Memory) -> Result<Raster, HeaderFault> {
    let malformed = |cause: String| HeaderFault::Malformed(cause);
    let channels = if bytes.get(1) == Some(&b'F') { Channels::Rgb } else { Channels::Grey };
    let mut at = 2;
    let mut word = |what: &str| {
        let blank = bytes[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let rest = &bytes[at + blank..];
        let len = rest.iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
        at += blank + len;
        let text = String::from_utf8_lossy(&rest[..len.min(64)]).into_owned();
        if text.is_empty() { Err(malformed(format!("its header ends before the {what}"))) } else { Ok(text) }
    };
    let wrong = |what: &str, text: &str| HeaderFault::Malformed(format!("its {what} is '{}'", shortened(text)));
    let mut side = |what: &str| word(what).and_then(|text| text.parse::<u32>().map_err(|_| wrong(what, &text)));
    let (width, height) = (side("width")?, side("height")?);
    let scale = word("scale")?;
    let is_finite = |scale: &f32| scale.is_finite() && *scale != 0.0;
    let order = scale.parse::<f32>().ok().filter(is_finite).ok_or_else(|| wrong("scale", &scale))?;
    let size = Size::new(width, height).map_err(|error| malformed(error.to_string()))?;
    // One white-space byte ends the header.
    let raster = bytes.get(at + 1..).unwrap_or_default();
    let row_bytes = size.width() as usize * channels.count() * 4;
    let needed = row_bytes as u64 * u64::from(size.height());
    if (raster.len() as u64) < needed {
        return Err(malformed(format!("{size} samples take {needed} bytes; the file has {}", raster.len())));
    }
    let mut demand = Demand::default();
    demand.hold(|| format!("{size} samples take"), needed);
    memory.check(&demand).map_err(HeaderFault::Memory)?;
    let number = |bytes: &[u8]| {
        let bytes = [bytes[0], bytes[1], bytes[2], bytes[3]];
        if order < 0.0 { f32::from_le_bytes(bytes) } else { f32::from_be_bytes(bytes) }
    };
    let rows = raster[..needed as usize].chunks_exact(row_bytes).rev();
    let values = rows.flat_map(|row| row.chunks_exact(4).map(number)).collect();
    Raster::new(size, channels, Samples::F32(values)).map_err(|error| malformed(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(header: &str, values: &[f32]) -> Vec<u8> {
        let bytes = values.iter().flat_map(|value| value.to_be_bytes());
        header.bytes().chain(bytes).collect()
    }

    #[test]
    fn pfm_rows_run_from_the_bottom_up() {
        let raster = decode(&file("Pf\n2 2\n1.0\n", &[1.0, 2.0, -3.5, 4e9]), Memory::Machine).expect("a raster");
        assert_eq!((raster.channels(), raster.samples()), (Channels::Grey, &Samples::F32(vec![-3.5, 4e9, 1.0, 2.0])));
        let raster = decode(&file("PF 1 2 1\n", &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), Memory::Machine).expect("a raster");
        assert_eq!(raster.samples(), &Samples::F32(vec![4.0, 5.0, 6.0, 1.0, 2.0, 3.0]));
    }

    #[test]
    fn malformed_pfm_is_refused_with_its_cause() {
        for (header, cause) in [
            ("Pf\n2 x\n1\n", "its height is 'x'"),
            ("Pf\n2 2\n0\n", "its scale is '0'"),
            ("Pf\n2 2\nnan\n", "its scale is 'nan'"),
            ("Pf\n2 2\n255\u{11}1\n", "its scale is '255\u{fffd}1'"),
            ("Pf\n0 2\n1\n", "a size of 0×2 is impossible"),
            ("Pf\n2 3\n1\n", "2×3 samples take 24 bytes; the file has 16"),
            ("Pf\n16777216 16777216\n1\n", "the file has 16"),
        ] {
            match decode(&file(header, &[0.0; 4]), Memory::Machine) {
                Err(HeaderFault::Malformed(said)) => assert!(said.contains(cause), "{header:?}: {said}"),
                other => panic!("{header:?}: {other:?}"),
            }
        }
        let cut = HeaderFault::Malformed("its header ends before the width".to_owned());
        assert_eq!(decode(b"Pf\n", Memory::Machine), Err(cut));
    }
}
