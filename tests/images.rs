//! Opening and saving images: formats, depths, limits, messages, files.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::io::Cursor;
use std::path::Path;

use image::{DynamicImage, ImageBuffer, ImageFormat};
use lerpscope::image::{
    Channels, FORMATS, FileFormat, Image, Raster, Samples, Size, WriteError, embedded, open, read, read_from, save,
    write,
};

const SIZE: (u32, u32) = (7, 5);

const ALL_CHANNELS: [Channels; 4] = [Channels::Grey, Channels::GreyAlpha, Channels::Rgb, Channels::Rgba];

fn len(channels: Channels) -> usize {
    (SIZE.0 * SIZE.1) as usize * channels.count()
}

fn raster(channels: Channels, samples: Samples) -> Raster {
    Raster::new(Size::new(SIZE.0, SIZE.1).unwrap(), channels, samples).unwrap()
}

/// Seeded random numbers up to `maxval`.
fn integers(channels: Channels, maxval: u16) -> Raster {
    let mut rng = fastrand::Rng::with_seed(u64::from(maxval));
    let samples = match u8::try_from(maxval) {
        Ok(maxval) => Samples::U8 { values: (0..len(channels)).map(|_| rng.u8(..=maxval)).collect(), maxval },
        Err(_) => Samples::U16 { values: (0..len(channels)).map(|_| rng.u16(..=maxval)).collect(), maxval },
    };
    raster(channels, samples)
}

/// Values from −1 to 3.
fn floats(channels: Channels) -> Raster {
    let mut rng = fastrand::Rng::with_seed(9);
    raster(channels, Samples::F32((0..len(channels)).map(|_| rng.f32() * 4.0 - 1.0).collect()))
}

fn encode(format: FileFormat, raster: &Raster) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(&mut bytes, format, raster).unwrap();
    bytes
}

fn only_page(image: &Image) -> &Raster {
    assert_eq!(image.pages().len(), 1);
    image.pages()[0].raster()
}

/// The same numbers as an image of the `image` crate.
fn foreign(raster: &Raster) -> DynamicImage {
    let (width, height) = SIZE;
    match (raster.channels(), raster.samples().clone()) {
        (Channels::Grey, Samples::U8 { values, .. }) => {
            ImageBuffer::from_raw(width, height, values).map(DynamicImage::ImageLuma8)
        }
        (Channels::GreyAlpha, Samples::U8 { values, .. }) => {
            ImageBuffer::from_raw(width, height, values).map(DynamicImage::ImageLumaA8)
        }
        (Channels::Rgb, Samples::U8 { values, .. }) => {
            ImageBuffer::from_raw(width, height, values).map(DynamicImage::ImageRgb8)
        }
        (Channels::Rgba, Samples::U8 { values, .. }) => {
            ImageBuffer::from_raw(width, height, values).map(DynamicImage::ImageRgba8)
        }
        (Channels::Grey, Samples::U16 { values, .. }) => {
            ImageBuffer::from_raw(width, height, values).map(DynamicImage::ImageLuma16)
        }
        (Channels::GreyAlpha, Samples::U16 { values, .. }) => {
            ImageBuffer::from_raw(width, height, values).map(DynamicImage::ImageLumaA16)
        }
        (Channels::Rgb, Samples::U16 { values, .. }) => {
            ImageBuffer::from_raw(width, height, values).map(DynamicImage::ImageRgb16)
        }
        (Channels::Rgba, Samples::U16 { values, .. }) => {
            ImageBuffer::from_raw(width, height, values).map(DynamicImage::ImageRgba16)
        }
        (Channels::Rgb, Samples::F32(values)) => {
            ImageBuffer::from_raw(width, height, values).map(DynamicImage::ImageRgb32F)
        }
        (Channels::Rgba, Samples::F32(values)) => {
            ImageBuffer::from_raw(width, height, values).map(DynamicImage::ImageRgba32F)
        }
        _ => None,
    }
    .unwrap()
}

fn foreign_file(raster: &Raster, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    foreign(raster).write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

#[test]
fn lossless_formats_keep_depth_and_channels() {
    use Channels::{Grey, Rgb, Rgba};
    let mut cases = Vec::new();
    for channels in ALL_CHANNELS {
        cases.push((ImageFormat::Png, integers(channels, 255)));
        cases.push((ImageFormat::Png, integers(channels, 65535)));
    }
    for channels in [Grey, Rgb, Rgba] {
        cases.push((ImageFormat::Tiff, integers(channels, 255)));
        cases.push((ImageFormat::Tiff, integers(channels, 65535)));
    }
    for channels in [Rgb, Rgba] {
        cases.push((ImageFormat::Tiff, floats(channels)));
        cases.push((ImageFormat::OpenExr, floats(channels)));
        cases.push((ImageFormat::WebP, integers(channels, 255)));
    }
    cases.push((ImageFormat::Bmp, integers(Rgb, 255)));
    for (format, raster) in cases {
        // The content decides: the extension is wrong.
        let opened = read("some.pgm", &foreign_file(&raster, format)).unwrap();
        assert_eq!(only_page(&opened.image), &raster, "{format:?} {:?}", raster.channels());
        assert!(opened.warnings.is_empty());
    }
}

#[test]
fn lossy_formats_are_decoded_within_their_error() {
    let values: Vec<f32> = (0..len(Channels::Rgb)).map(|at| at as f32 / 10.0).collect();
    let bright = raster(Channels::Rgb, Samples::F32(values));
    let opened = read("some.hdr", &foreign_file(&bright, ImageFormat::Hdr)).unwrap();
    let page = only_page(&opened.image);
    for at in 0..len(Channels::Rgb) {
        // Three mantissas of 8 bit share an exponent, so a number is off by a 128th of the largest of its pixel.
        let (found, expected) = (page.samples().number(at), bright.samples().number(at));
        assert!((found - expected).abs() <= (expected + 0.2) / 128.0, "{found} {expected}");
    }
    let grey = raster(Channels::Grey, Samples::U8 { values: vec![77; len(Channels::Grey)], maxval: 255 });
    let opened = read("some", &foreign_file(&grey, ImageFormat::Jpeg)).unwrap();
    assert_eq!(only_page(&opened.image), &grey);
}

#[test]
fn orientation_of_a_file_is_applied() {
    let jpeg = foreign_file(&integers(Channels::Grey, 255), ImageFormat::Jpeg);
    // An APP1 segment whose only EXIF entry is orientation 6: a quarter turn clockwise.
    let exif = b"\xff\xe1\x00\x22Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
    let turned = read("turned.jpg", &[&jpeg[..2], exif, &jpeg[2..]].concat()).unwrap();
    let plain = read("plain.jpg", &jpeg).unwrap();
    let (turned, plain) = (only_page(&turned.image), only_page(&plain.image));
    assert_eq!((turned.size().width(), turned.size().height()), (SIZE.1, SIZE.0));
    for (column, row) in [(0, 0), (6, 0), (2, 4)] {
        assert_eq!(turned.number(SIZE.1 - 1 - row, column, 0), plain.number(column, row, 0));
    }
}

#[test]
fn png_keeps_8_and_16_bits_and_rescales_other_maxvals() {
    for channels in ALL_CHANNELS {
        for maxval in [255, 65535] {
            let raster = integers(channels, maxval);
            assert_eq!(only_page(&read("a.png", &encode(FileFormat::Png, &raster)).unwrap().image), &raster);
        }
        for (maxval, target) in [(1, 255.0), (100, 255.0), (1023, 65535.0)] {
            let raster = integers(channels, maxval);
            let opened = read("a.png", &encode(FileFormat::Png, &raster)).unwrap();
            let page = only_page(&opened.image);
            assert_eq!(f32::from(page.samples().maxval()), target);
            for at in 0..len(channels) {
                let exact = f64::from(raster.samples().number(at)) * f64::from(target) / f64::from(maxval);
                assert_eq!(f64::from(page.samples().number(at)), exact.round());
            }
        }
    }
}

#[test]
fn npy_stores_float32_in_c_order() {
    for channels in ALL_CHANNELS {
        let raster = floats(channels);
        let bytes = encode(FileFormat::Npy, &raster);
        let file = npyz::NpyFile::new(bytes.as_slice()).unwrap();
        let shape = [5, 7, channels.count() as u64];
        assert_eq!(file.shape(), &shape[..if channels == Channels::Grey { 2 } else { 3 }]);
        assert_eq!(file.order(), npyz::Order::C);
        assert_eq!(Samples::F32(file.into_vec::<f32>().unwrap()), *raster.samples());
        assert!(bytes.starts_with(b"\x93NUMPY\x01\x00") && bytes.windows(3).any(|bytes| bytes == b"<f4"));
    }
}

#[test]
fn rasters_that_a_format_cannot_store_are_refused_by_name() {
    let message = |format, raster: &Raster| {
        let mut out = Vec::new();
        let error = write(&mut out, format, raster).unwrap_err();
        assert!(out.is_empty(), "nothing is written");
        assert!(!matches!(error, WriteError::Io(_)));
        error.to_string()
    };
    let colour = integers(Channels::Rgb, 255);
    assert_eq!(message(FileFormat::Pgm, &colour), "PGM stores no colour; choose .ppm, .pnm, .pam or .png");
    let see_through = integers(Channels::Rgba, 255);
    assert_eq!(message(FileFormat::Pgm, &see_through), "PGM stores no alpha; choose .pam or .png");
    assert_eq!(message(FileFormat::Ppm, &see_through), "PPM stores no alpha; choose .pam or .png");
    assert!(message(FileFormat::Npy, &colour).contains("give --depth float, or choose .ppm"));
    for row in FORMATS.iter().filter(|row| !row.float) {
        assert!(message(row.format, &floats(Channels::Grey)).contains("--depth 8"));
    }
}

#[test]
fn format_rows_match_the_enum_and_extensions_are_found() {
    for row in &FORMATS {
        assert_eq!(row.format.row().format, row.format);
        let name = format!("dir.png/a.b.{}", row.extension);
        assert_eq!(FileFormat::from_path(Path::new(&name)), Some(row.format));
        assert_eq!(FileFormat::from_path(Path::new(&name.to_uppercase())), Some(row.format));
    }
    for name in ["png", ".png", "a.", "a.txt", "", "/dev/stdout"] {
        assert_eq!(FileFormat::from_path(Path::new(name)), None, "{name}");
    }
}

#[test]
fn saved_files_are_complete_or_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgm");
    let (first, second) = (integers(Channels::Grey, 255), integers(Channels::Grey, 100));
    save(&path, &first).unwrap();
    assert_eq!(only_page(&open(&path).unwrap().image), &first);
    save(&path, &second).unwrap();
    assert_eq!(only_page(&open(&path).unwrap().image), &second);
    let refused = [save(&path, &integers(Channels::Rgb, 255)), save(&path, &floats(Channels::Grey))];
    for error in refused.map(Result::unwrap_err) {
        assert!(error.to_string().starts_with(&format!("{}: PGM stores ", path.display())), "{error}");
    }
    assert_eq!(only_page(&open(&path).unwrap().image), &second);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "no temporary file is left");

    let one_line = |path: &Path, cause: &str| {
        let line = save(path, &first).unwrap_err().to_string();
        assert!(line.starts_with(&path.display().to_string()) && line.contains(cause), "{line}");
        assert!(!line.contains('\n'));
    };
    one_line(&folder.path().join("missing/a.pgm"), "cannot be written: its folder does not exist");
    one_line(&folder.path().join("a.gif"), "formats that can be written are .pgm, .ppm, .pnm, .pam, .png or .npy");
    fs::create_dir(folder.path().join("b.pgm")).unwrap();
    one_line(&folder.path().join("b.pgm"), "is a folder");
}

#[cfg(unix)]
#[test]
fn saved_files_keep_permissions_and_links() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let raster = integers(Channels::Grey, 255);
    let mode = |name: &str| fs::metadata(folder.path().join(name)).unwrap().permissions().mode() & 0o777;
    let save_as = |name: &str| save(&folder.path().join(name), &raster).unwrap();

    fs::write(folder.path().join("usual"), "").unwrap();
    save_as("new.pgm");
    assert_eq!(mode("new.pgm"), mode("usual"));
    fs::set_permissions(folder.path().join("new.pgm"), fs::Permissions::from_mode(0o640)).unwrap();
    save_as("new.pgm");
    assert_eq!(mode("new.pgm"), 0o640);

    fs::create_dir(folder.path().join("deep")).unwrap();
    for (link, target) in [("link.pgm", "deep/old.pgm"), ("dangling.pgm", "deep/made.pgm")] {
        symlink(target, folder.path().join(link)).unwrap();
    }
    fs::write(folder.path().join("deep/old.pgm"), "old").unwrap();
    for (link, target) in [("link.pgm", "deep/old.pgm"), ("dangling.pgm", "deep/made.pgm")] {
        save_as(link);
        assert!(folder.path().join(link).is_symlink());
        assert_eq!(only_page(&open(&folder.path().join(target)).unwrap().image), &raster);
    }
    symlink("/dev/null", folder.path().join("null.pgm")).unwrap();
    save_as("null.pgm");
    assert_eq!(open(&folder.path().join("null.pgm")).unwrap_err().to_string().split(": ").nth(1), Some("is empty"));
}

#[test]
fn unreadable_files_are_named_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let png = encode(FileFormat::Png, &integers(Channels::Grey, 255));
    fs::write(path("empty.png"), "").unwrap();
    fs::write(path("text.txt"), "no image\n").unwrap();
    fs::write(path("text.pgm"), "no image\n").unwrap();
    fs::write(path("text.png"), "no image\n").unwrap();
    fs::write(path("cut.png"), &png[..png.len() / 2]).unwrap();
    fs::write(path("a.gif"), "GIF89a\x01\0\x01\0\0\0\0").unwrap();
    fs::create_dir(path("folder.png")).unwrap();
    for (name, cause) in [
        ("missing.png", "does not exist"),
        ("empty.png/a.png", "a part of its path is a file, not a folder"),
        ("folder.png", "is a folder, not an image"),
        ("empty.png", "is empty"),
        ("text.txt", "is no image of a known format; known are PNM, PFM, PNG, JPEG,"),
        ("a.gif", "is a truncated GIF image: the file ends early"),
        ("text.pgm", "is not a PNM image: there is no magic number"),
        ("text.png", "is not a PNG image: its signature is missing"),
        ("cut.png", "is a truncated PNG image: the file ends early"),
    ] {
        let line = open(&path(name)).unwrap_err().to_string();
        assert!(line.starts_with(&format!("{}: {cause}", path(name).display())), "{line}");
        assert!(!line.contains('\n'), "{line}");
    }
    assert_eq!(open(&path("missing.png")).unwrap_err().to_string().matches("missing.png").count(), 1);
}

/// Files of each format whose decoder is of another crate: a text under the format's name, a file cut in half, and one whose bytes
/// behind the signature are others. Each is refused in one sentence in plain words, or read.
#[test]
fn broken_files_of_each_format_are_refused_in_plain_words() {
    use ::image::ImageFormat::{Bmp, Farbfeld, Gif, Hdr, Jpeg, OpenExr, Png, Qoi, Tiff, WebP};
    let jargon =
        ["os error", "buffer", "Invalid", "chunk", "IFD", "UnexpectedEof", "decoder", "Format error", "marker"];
    let rows = [
        (Png, "png", "PNG"),
        (Jpeg, "jpg", "JPEG"),
        (Tiff, "tif", "TIFF"),
        (Bmp, "bmp", "BMP"),
        (WebP, "webp", "WebP"),
        (OpenExr, "exr", "OpenEXR"),
        (Hdr, "hdr", "Radiance HDR"),
        (Gif, "gif", "GIF"),
        (Qoi, "qoi", "QOI"),
        (Farbfeld, "ff", "farbfeld"),
    ];
    let mut random = fastrand::Rng::with_seed(3);
    for (format, end, title) in rows {
        let picture = match format {
            OpenExr | Hdr => ::image::DynamicImage::new_rgb32f(40, 30),
            Farbfeld => ::image::DynamicImage::new_rgba16(40, 30),
            _ => ::image::DynamicImage::new_rgb8(40, 30),
        };
        let mut file = Cursor::new(Vec::new());
        picture.write_to(&mut file, format).unwrap();
        let (whole, name) = (file.into_inner(), format!("a.{end}"));
        let said = |bytes: &[u8]| read(&name, bytes).map(|_| ()).map_err(|error| error.to_string());
        assert_eq!(said(&whole), Ok(()), "{title}");
        assert_eq!(said(b"no image"), Err(format!("{name}: is not a {title} image: its signature is missing")));
        let cut = said(&whole[..whole.len() / 2]).expect_err("half of the file is missing");
        // The decoders of these formats do not tell the end of the file from another contradiction.
        if !matches!(format, Tiff | OpenExr | Hdr) {
            assert_eq!(cut, format!("{name}: is a truncated {title} image: the file ends early"));
        }
        let mut refused = vec![cut];
        for _ in 0..40 {
            let mut bytes = whole.clone();
            for byte in &mut bytes[16..] {
                *byte = if random.u8(..8) == 0 { random.u8(..) } else { *byte };
            }
            refused.extend(said(&bytes).err());
        }
        for line in refused {
            let rest = line.strip_prefix(&format!("{name}: ")).expect("the file's name").to_owned();
            assert!(rest.starts_with("is a") || rest.starts_with("would take") || rest.starts_with("is not"), "{line}");
            assert!(!jargon.iter().any(|word| rest.contains(word)) && !rest.contains('\n'), "{line}");
        }
    }
}

#[test]
fn images_are_named_after_their_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("clip.pgm");
    fs::write(&path, "P2 1 1 9 10 P2 1 1 9 9").unwrap();
    let opened = open(&path).unwrap();
    assert_eq!((opened.image.name(), opened.image.pages().len()), ("clip.pgm", 2));
    assert_eq!(opened.warnings, [format!("{}: 1 sample above maxval 9 is clipped to it", path.display())]);
    let opened = read_from("standard input", &mut b"P1 1 1 1".as_slice()).unwrap();
    assert_eq!(opened.image.name(), "standard input");
    let default = embedded().unwrap();
    assert_eq!(only_page(&default.image).size(), Size::new(512, 512).unwrap());
    assert!(default.warnings.is_empty());
    // Its samples are those of its formula, rounded to 8 bits.
    let page = &default.image.pages()[0];
    let formula = page.formula().unwrap();
    for (column, row) in [(0, 0), (256, 256), (311, 97), (511, 130)] {
        let value = formula.value(f64::from(column), f64::from(row));
        assert_eq!(f64::from(page.raster().number(column, row, 0)), (255.0 * value).round(), "{column}, {row}");
    }
}

/// PNG of one colour whose IHDR claims `width` × `height`, with a correct checksum.
fn claim_size(png: &[u8], width: u32, height: u32) -> Vec<u8> {
    let mut png = png.to_vec();
    png[16..20].copy_from_slice(&width.to_be_bytes());
    png[20..24].copy_from_slice(&height.to_be_bytes());
    let mut crc = u32::MAX;
    for byte in &png[12..29] {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    png[29..33].copy_from_slice(&(!crc).to_be_bytes());
    png
}

#[test]
fn small_file_with_a_huge_header_is_refused() {
    let png = encode(FileFormat::Png, &integers(Channels::Grey, 255));
    for (width, height) in [(1_000_000, 1_000_000), (65536, 65536), (10_000, 10_000), (u32::MAX >> 1, 1), (1, 1 << 25)]
    {
        let line = read("bomb.png", &claim_size(&png, width, height)).unwrap_err().to_string();
        assert!(line.starts_with("bomb.png: ") && !line.contains('\n'), "{line}");
    }
    let mut bmp = foreign_file(&integers(Channels::Rgb, 255), ImageFormat::Bmp);
    bmp[18..22].copy_from_slice(&60_000_u32.to_le_bytes());
    bmp[22..26].copy_from_slice(&60_000_u32.to_le_bytes());
    let line = read("bomb.bmp", &bmp).unwrap_err().to_string();
    assert!(line.contains("would take 10800000000 bytes of memory"), "{line}");
    // One colour has the highest compression ratio of a valid file.
    let blank = Raster::zeros(Size::new(6000, 6000).unwrap(), Channels::Rgb, lerpscope::image::Depth::EIGHT);
    let file = encode(FileFormat::Png, &blank);
    assert!(file.len() < 1 << 20);
    assert_eq!(only_page(&read("blank.png", &file).unwrap().image), &blank);
}

#[test]
fn mutated_files_of_other_formats_decode_or_are_refused() {
    use ImageFormat::{Bmp, Hdr, Jpeg, OpenExr, Png, Tiff, WebP};
    let (rgb, float) = (integers(Channels::Rgb, 255), floats(Channels::Rgb));
    let mut seeds: Vec<_> = [Png, Jpeg, Bmp, Tiff, WebP].map(|format| foreign_file(&rgb, format)).into();
    seeds.extend([OpenExr, Hdr, Tiff].map(|format| foreign_file(&float, format)));
    seeds.push(foreign_file(&integers(Channels::GreyAlpha, 65535), Png));
    let mut rng = fastrand::Rng::with_seed(6);
    for round in 0..9000 {
        let mut file = seeds[round % seeds.len()].clone();
        for _ in 0..rng.usize(1..5) {
            // Most mutations are in the headers.
            let end = if rng.bool() { file.len().min(80) } else { file.len() };
            let at = rng.usize(..end);
            match rng.u8(..8) {
                0 => file.truncate(at + 1),
                1 => file[at] = 0xff,
                _ => file[at] = rng.u8(..),
            }
        }
        if let Err(error) = read("mutated", &file) {
            let line = error.to_string();
            assert!(line.starts_with("mutated: ") && !line.contains('\n'), "{line}");
        }
    }
}
