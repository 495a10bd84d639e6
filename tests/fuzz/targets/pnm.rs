//! PNM files: a decoded file is written and decoded again equal, with memory in proportion to the file.

use lerpscope::image::pnm::{decode, is_pnm, write_pam, write_pgm, write_ppm};
use lerpscope::image::{Channels, Raster};

use super::check_message;

/// Decodes `bytes` as a PNM file.
pub(crate) fn pnm(bytes: &[u8]) {
    let decoded = match decode(bytes) {
        Ok(decoded) => decoded,
        Err(error) => return check_message(&error.to_string()),
    };
    assert!(is_pnm(bytes) && !decoded.pages.is_empty());
    // A packed bit is the smallest sample.
    let samples: usize = decoded.pages.iter().map(|page| page.samples().len()).sum();
    assert!(samples <= bytes.len() * 8, "{samples} samples from {} bytes", bytes.len());
    decoded.clipped.iter().for_each(|clipped| check_message(&clipped.to_string()));
    for page in &decoded.pages {
        let maxval = f32::from(page.samples().maxval());
        assert!((0..page.samples().len()).all(|index| page.samples().number(index) <= maxval));
        check_round_trip(page);
    }
}

/// Writes `page` in each format that can store it, and reads it back.
pub(super) fn check_round_trip(page: &Raster) {
    let read = |bytes: &[u8]| decode(bytes).expect("what was written is a PNM file").pages;
    let mut pam = Vec::new();
    write_pam(&mut pam, page).expect("PAM holds integers of any channels");
    assert_eq!(read(&pam), std::slice::from_ref(page));
    let mut plain = Vec::new();
    match page.channels() {
        Channels::Grey => write_pgm(&mut plain, page).expect("PGM holds grey"),
        Channels::Rgb => write_ppm(&mut plain, page).expect("PPM holds colour"),
        Channels::GreyAlpha | Channels::Rgba => return,
    }
    assert_eq!(read(&plain), std::slice::from_ref(page));
}
