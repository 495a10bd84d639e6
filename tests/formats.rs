//! Files of other programs, written by `tests/data/make_formats.py`: every page, depth and channel is read as it was
//! written, and what is not read is refused by its name.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};

use lerpscope::image::{Channels, Depth, Image, OpenError, Opened, Samples, Size, open, read};

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/formats").join(name)
}

fn opened(name: &str) -> Opened {
    open(&file(name)).unwrap_or_else(|error| panic!("{error}"))
}

/// Integer (x, y, channel, page) of the script, for this maxval.
fn number([x, y]: [u32; 2], channel: usize, page: usize, maxval: u32) -> f32 {
    ((7 * x + 31 * y + 53 * channel as u32 + 101 * page as u32) % (maxval + 1)) as f32
}

/// Asserts that `image` has `count` pages of 7 × 5 samples and these channels, with the numbers of `expected`.
fn assert_pages(
    name: &str,
    image: &Image,
    (count, channels): (usize, Channels),
    expected: impl Fn([u32; 2], usize, usize) -> f32,
) {
    assert_eq!(image.pages().len(), count, "{name}");
    for (index, page) in image.pages().iter().enumerate() {
        let raster = page.raster();
        assert_eq!((raster.size(), raster.channels()), (Size::new(7, 5).unwrap(), channels), "{name}");
        for (y, x) in (0..5).flat_map(|y| (0..7).map(move |x| (y, x))) {
            for channel in 0..channels.count() {
                let value = raster.number(x, y, channel);
                assert_eq!(value, expected([x, y], channel, index), "{name}: page {index} at {x},{y},{channel}");
            }
        }
    }
}

#[test]
fn tiff_pages_are_all_read_with_their_depth() {
    for (name, count, channels, maxval) in [
        ("pages-8.tif", 4, Channels::Grey, 255),
        ("pages-16-big-endian.tif", 3, Channels::Grey, 65535),
        ("pages-bigtiff.tif", 2, Channels::Rgb, 255),
        // The reduced copy between its pages is left out.
        ("reduced.tif", 2, Channels::Grey, 255),
    ] {
        let opened = opened(name);
        assert_eq!((opened.format, opened.warnings), ("TIFF", Vec::new()));
        assert_pages(name, &opened.image, (count, channels), |at, channel, page| number(at, channel, page, maxval));
        let depth = if maxval == 255 { Depth::EIGHT } else { Depth::SIXTEEN };
        assert!(opened.image.pages().iter().all(|page| page.raster().depth() == depth), "{name}");
    }
}

#[test]
fn tiff_floats_and_signed_and_long_integers_keep_their_numbers() {
    let float = |at, channel, page| number(at, channel, page, 255) / 64.0 - 1.0;
    for (name, count, channels) in [
        ("grey-float32.tif", 1, Channels::Grey),
        ("pages-float32.tif", 3, Channels::Grey),
        ("grey-float16.tif", 1, Channels::Grey),
        ("grey-float64.tif", 1, Channels::Grey),
        ("deflate-float32.tif", 1, Channels::Grey),
        ("rgb-float16.tif", 1, Channels::Rgb),
    ] {
        assert_pages(name, &opened(name).image, (count, channels), float);
        assert_eq!(opened(name).image.pages()[0].raster().depth(), Depth::Float, "{name}");
    }
    let signed = opened("grey-int16.tif").image;
    assert_pages("grey-int16.tif", &signed, (1, Channels::Grey), |at, channel, page| {
        number(at, channel, page, 255) - 100.0
    });
    let long = opened("grey-uint32.tif").image;
    assert_pages("grey-uint32.tif", &long, (1, Channels::Grey), |at, channel, page| {
        number(at, channel, page, 255) * 1000.0
    });
}

#[test]
fn gif_frames_are_pages() {
    let opened = opened("frames.gif");
    assert_eq!(opened.format, "GIF");
    assert_pages("frames.gif", &opened.image, (3, Channels::Rgb), |at, _, page| number(at, 0, page, 255));
}

#[test]
fn qoi_farbfeld_and_pfm_are_read() {
    for (name, format, channels, maxval) in [
        ("rgb.qoi", "QOI", Channels::Rgb, 255),
        ("rgba.qoi", "QOI", Channels::Rgba, 255),
        ("rgba.ff", "farbfeld", Channels::Rgba, 65535),
    ] {
        let opened = opened(name);
        assert_eq!(opened.format, format);
        assert_pages(name, &opened.image, (1, channels), |at, channel, page| number(at, channel, page, maxval));
    }
    let pfm = opened("grey.pfm");
    assert_eq!(pfm.format, "PFM");
    let float = |at, channel, page| number(at, channel, page, 255) / 64.0 - 1.0;
    assert_pages("grey.pfm", &pfm.image, (1, Channels::Grey), float);
    assert!(matches!(pfm.image.pages()[0].raster().samples(), Samples::F32(_)));
}

#[test]
fn animations_show_their_first_frame_and_say_so() {
    for name in ["animation.png", "animation.webp"] {
        let opened = opened(name);
        assert_pages(name, &opened.image, (1, Channels::Rgb), |at, channel, page| number(at, channel, page, 255));
        assert_eq!(opened.warnings.len(), 1, "{name}");
        assert!(opened.warnings[0].ends_with(": is an animation; its first frame is shown"), "{:?}", opened.warnings);
    }
}

#[test]
fn formats_without_a_decoder_are_refused_by_their_names() {
    for (name, format) in [("picture.avif", "AVIF"), ("picture.heic", "HEIC"), ("picture.jxl", "JPEG XL")] {
        let bytes = std::fs::read(file(name)).unwrap();
        // The content decides, then the ending.
        for (name, bytes) in [(name, bytes.as_slice()), ("some.bin", &bytes), (name, b"no such content")] {
            let error = read(name, bytes).unwrap_err();
            assert!(matches!(error, OpenError::Unsupported { .. }), "{error}");
            assert_eq!(error.to_string(), format!("{name}: {format} is not supported; convert it to PNG or TIFF"));
        }
    }
    // A wrong ending does not keep a known format from being read.
    assert!(read("some.avif", &std::fs::read(file("rgb.qoi")).unwrap()).is_ok());
}

/// A chain of pages that leads back, and one that leads beyond the file.
#[test]
fn tiff_with_a_lying_chain_of_pages_has_the_pages_of_the_file() {
    let whole = std::fs::read(file("pages-8.tif")).unwrap();
    let word = |at: usize| u32::from_le_bytes([whole[at], whole[at + 1], whole[at + 2], whole[at + 3]]) as usize;
    let first = word(4);
    let entries = usize::from(u16::from_le_bytes([whole[first], whole[first + 1]]));
    let next = first + 2 + 12 * entries;
    let lying = |leads: usize| {
        let mut lying = whole.clone();
        lying[next..next + 4].copy_from_slice(&(leads as u32).to_le_bytes());
        read("lying.tif", &lying).map(|opened| opened.image.pages().len())
    };
    // The decoder itself refuses a page that leads to itself.
    let itself = lying(first).unwrap_err().to_string();
    assert!(itself.starts_with("lying.tif: is a damaged TIFF image: "), "{itself}");
    for (leads, pages) in [(u32::MAX as usize, 1), (whole.len(), 1), (word(next), 4)] {
        assert_eq!(lying(leads).unwrap(), pages, "{leads}");
    }
    // The last page leads to the first.
    let mut starts = vec![first];
    for _ in 0..3 {
        let at = *starts.last().unwrap();
        starts.push(word(at + 2 + 12 * usize::from(u16::from_le_bytes([whole[at], whole[at + 1]]))));
    }
    let mut circle = whole.clone();
    let end = starts[3] + 2 + 12 * usize::from(u16::from_le_bytes([whole[starts[3]], whole[starts[3] + 1]]));
    circle[end..end + 4].copy_from_slice(&(first as u32).to_le_bytes());
    assert_eq!(read("circle.tif", &circle).unwrap().image.pages().len(), 4);
}

/// Each cut or changed file is read or refused, and takes no long time or much memory.
#[test]
fn cut_and_changed_files_are_read_or_refused() {
    let mut random = fastrand::Rng::with_seed(7);
    let names =
        ["pages-8.tif", "pages-float32.tif", "grey-float16.tif", "frames.gif", "rgb.qoi", "rgba.ff", "grey.pfm"];
    let (mut read_count, mut refused) = (0, 0);
    for name in names {
        let whole = std::fs::read(file(name)).unwrap();
        for _ in 0..300 {
            let mut bytes = whole.clone();
            for _ in 0..random.usize(1..4) {
                let at = random.usize(..bytes.len());
                bytes[at] = random.u8(..);
            }
            if random.bool() {
                bytes.truncate(random.usize(..bytes.len()));
            }
            match read(name, &bytes) {
                Ok(opened) => {
                    read_count += 1;
                    assert!(opened.image.pages().len() < 100, "{name}");
                }
                Err(error) => {
                    refused += 1;
                    let said = error.to_string();
                    assert!(said.starts_with(name) && !said.contains('\n'), "{said}");
                }
            }
        }
    }
    assert!(read_count > 100 && refused > 100, "{read_count} {refused}");
}
