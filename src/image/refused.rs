//! Image formats that are known but have no decoder here, so that an error names them.

/// Endings of file names, with their formats.
const ENDINGS: [(&str, &str); 12] = [
    ("avif", "AVIF"),
    ("heic", "HEIC"),
    ("heif", "HEIF"),
    ("jxl", "JPEG XL"),
    ("jp2", "JPEG 2000"),
    ("j2k", "JPEG 2000"),
    ("svg", "SVG"),
    ("pdf", "PDF"),
    ("psd", "Photoshop"),
    ("dds", "DDS"),
    ("ico", "ICO"),
    ("tga", "TGA"),
];

/// First bytes of files, with their formats.
const STARTS: [(&[u8], &str); 9] = [
    (b"\xff\x0a", "JPEG XL"),
    (b"\0\0\0\x0cJXL \r\n\x87\n", "JPEG XL"),
    (b"\0\0\0\x0cjP  \r\n\x87\n", "JPEG 2000"),
    (b"\xff\x4f\xff\x51", "JPEG 2000"),
    (b"%PDF-", "PDF"),
    (b"8BPS", "Photoshop"),
    (b"DDS ", "DDS"),
    (b"\0\0\x01\0", "ICO"),
    (b"SIMPLE  =", "FITS"),
];

/// Brands of files of the ISO base media format, with their formats.
const BRANDS: [(&[u8; 4], &str); 8] = [
    (b"avif", "AVIF"),
    (b"avis", "AVIF"),
    (b"heic", "HEIC"),
    (b"heix", "HEIC"),
    (b"hevc", "HEIC"),
    (b"hevx", "HEIC"),
    (b"mif1", "HEIF"),
    (b"msf1", "HEIF"),
];

/// The format of a file named `name` with these bytes, by its content, or else by the ending of its name; `None` for any
/// other file.
pub(super) fn format_of(name: &str, bytes: &[u8]) -> Option<&'static str> {
    let by_start = STARTS.iter().find(|(start, _)| bytes.starts_with(start));
    let brand = bytes.get(8..12).filter(|_| bytes.get(4..8) == Some(b"ftyp"));
    let by_brand = brand.and_then(|brand| BRANDS.iter().find(|(known, _)| brand == known.as_slice()));
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    let by_ending = || ENDINGS.iter().find(|(known, _)| Some(*known) == ending.as_deref()).map(|row| row.1);
    by_start.map(|row| row.1).or(by_brand.map(|row| row.1)).or_else(by_ending)
}
