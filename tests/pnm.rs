//! PNM decoder and writer: grammar, errors, pages, mutated files; the oracles are Netpbm and the `image` crate.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod skip;

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use lerpscope::image::pnm::{self, Cause, Clipped, Field, HeaderError};
use lerpscope::image::{Channels, FileFormat, Raster, Samples, Size, read, write};
use lerpscope::memory::Memory;

/// A raster of 8-bit numbers.
fn bytes_raster(width: u32, height: u32, channels: Channels, maxval: u8, values: &[u8]) -> Raster {
    let samples = Samples::U8 { values: values.to_vec(), maxval };
    Raster::new(Size::new(width, height).unwrap(), channels, samples).unwrap()
}

fn words_raster(width: u32, height: u32, channels: Channels, maxval: u16, values: &[u16]) -> Raster {
    let samples = Samples::U16 { values: values.to_vec(), maxval };
    Raster::new(Size::new(width, height).unwrap(), channels, samples).unwrap()
}

/// A raster of seeded random numbers up to `maxval`.
fn random_raster(rng: &mut fastrand::Rng, channels: Channels, maxval: u16) -> Raster {
    let (width, height) = (rng.u32(1..20), rng.u32(1..20));
    let len = (width * height) as usize * channels.count();
    match u8::try_from(maxval) {
        Ok(maxval) => {
            let values: Vec<_> = (0..len).map(|_| rng.u8(..=maxval)).collect();
            bytes_raster(width, height, channels, maxval, &values)
        }
        Err(_) => {
            let values: Vec<_> = (0..len).map(|_| rng.u16(..=maxval)).collect();
            words_raster(width, height, channels, maxval, &values)
        }
    }
}

fn encode(format: FileFormat, raster: &Raster) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(&mut bytes, format, raster).unwrap();
    bytes
}

/// The single page of a file.
fn decode_one(file: &[u8]) -> Raster {
    let mut decoded = pnm::decode(file).unwrap();
    assert_eq!(decoded.pages.len(), 1, "{}", file.escape_ascii());
    assert_eq!(decoded.clipped, [], "{}", file.escape_ascii());
    decoded.pages.pop().unwrap()
}

fn refusal(file: &[u8]) -> Cause {
    let error = pnm::decode(file).expect_err(&file.escape_ascii().to_string());
    let line = read("some.pnm", file).unwrap_err().to_string();
    assert!(!line.contains('\n') && line.starts_with("some.pnm: "), "{line}");
    error.cause
}

#[test]
fn pnm_formats_are_all_decoded() {
    use Channels::{Grey, GreyAlpha, Rgb, Rgba};
    let bits = bytes_raster(3, 2, Grey, 1, &[1, 0, 1, 0, 0, 1]);
    let cases: [(&[u8], Raster); 12] = [
        (b"P1\n3 2\n0 1 0\n1 1 0\n", bits.clone()),
        (b"P1 3 2 010110", bits.clone()),
        (b"P4 3 2\n\x40\xc0", bits.clone()),
        (b"P4 3 2\n\x5f\xdf", bits),
        (b"P2 2 1 100 7 100", bytes_raster(2, 1, Grey, 100, &[7, 100])),
        (b"P2 2 1 1000 7 1000", words_raster(2, 1, Grey, 1000, &[7, 1000])),
        (b"P3 1 1 9 1 2 3", bytes_raster(1, 1, Rgb, 9, &[1, 2, 3])),
        (b"P5 2 1 255\n\x00\xff", bytes_raster(2, 1, Grey, 255, &[0, 255])),
        (b"P5 2 1 256 \x00\x07\x01\x00", words_raster(2, 1, Grey, 256, &[7, 256])),
        (b"P6 1 1 255\nabc", bytes_raster(1, 1, Rgb, 255, b"abc")),
        (
            b"P7\nWIDTH 1\nHEIGHT 1\nDEPTH 2\nMAXVAL 65535\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n\x01\x02\x03\x04",
            words_raster(1, 1, GreyAlpha, 65535, &[0x0102, 0x0304]),
        ),
        (
            b"P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\nabcd",
            bytes_raster(1, 1, Rgba, 255, b"abcd"),
        ),
    ];
    for (file, expected) in cases {
        assert_eq!(decode_one(file), expected, "{}", file.escape_ascii());
    }
}

#[test]
fn pam_headers_in_any_order_and_of_any_tuple_type_are_accepted() {
    use Channels::{Grey, GreyAlpha, Rgb, Rgba};
    let head = "P7\n# a comment\n\nMAXVAL 9\r\nDEPTH ";
    for (depth, channels) in [(1, Grey), (2, GreyAlpha), (3, Rgb), (4, Rgba)] {
        for tuple in ["", "TUPLTYPE\n", "TUPLTYPE SOMETHING\nTUPLTYPE ELSE\n"] {
            let file = format!("{head}{depth}\n{tuple}HEIGHT 1 # so low\n\tWIDTH  1\nENDHDR\n");
            let values: Vec<u8> = (1..=depth).collect();
            let decoded = decode_one(&[file.as_bytes(), &values].concat());
            assert_eq!(decoded, bytes_raster(1, 1, channels, 9, &values), "{file}");
        }
    }
    // In PAM, unlike in P1 and P4, a 1 is white.
    let file = b"P7\nWIDTH 2\nHEIGHT 1\nDEPTH 1\nMAXVAL 1\nTUPLTYPE BLACKANDWHITE\nENDHDR\n\x00\x01";
    assert_eq!(decode_one(file), bytes_raster(2, 1, Grey, 1, &[0, 1]));
}

#[test]
fn white_space_and_comments_follow_netpbm() {
    let expected = bytes_raster(2, 1, Channels::Grey, 255, b"#\n");
    for head in [
        "P5 2 1 255\n",
        "P5\t2\x0b1\x0c255\r",
        "P5#c\n2#c\r1# P5 9 9\n255 ",
        "P5\n# one\n#two\n\n 2 #\n 1\n#\n255\n",
        "P5 2 1 255#ends the token, and its line end is the one white-space byte\n",
        "P5 0002 01 0000000000000000000255\n",
    ] {
        assert_eq!(decode_one(&[head.as_bytes(), b"#\n"].concat()), expected, "{head:?}");
    }
    // One white-space byte behind maxval: the second is a sample.
    assert_eq!(decode_one(b"P5 2 1 255\r\nx"), bytes_raster(2, 1, Channels::Grey, 255, b"\nx"));
    let plain = bytes_raster(2, 1, Channels::Grey, 20, &[3, 17]);
    for file in ["P2 2 1 20 3 17", "P2 2 1 20 3#c\n17#c", "P2 2 1 20#\n#\n3\x0b#c\r\n#\n17 # end\n junk"] {
        assert_eq!(decode_one(file.as_bytes()), plain, "{file:?}");
    }
    let bits = bytes_raster(2, 1, Channels::Grey, 1, &[0, 1]);
    assert_eq!(decode_one(b"P1 2 1 1# one\n#\n0#"), bits);
}

#[test]
fn several_images_of_a_file_are_pages() {
    let file =
        b"P5 1 1 255\nxP6 1 1 255\nabc\n P4 1 1\n\x80P2 2 1 7 7 3\n# next\nP1 1 1 0P7\nWIDTH 1\nHEIGHT 1\nDEPTH 1\n\
        MAXVAL 300\nENDHDR\n\x00\x09P8 1 1 255 x";
    let pages = pnm::decode(file).unwrap().pages;
    let expected = [
        bytes_raster(1, 1, Channels::Grey, 255, b"x"),
        bytes_raster(1, 1, Channels::Rgb, 255, b"abc"),
        bytes_raster(1, 1, Channels::Grey, 1, &[0]),
        bytes_raster(2, 1, Channels::Grey, 7, &[7, 3]),
        bytes_raster(1, 1, Channels::Grey, 1, &[1]),
        words_raster(1, 1, Channels::Grey, 300, &[9]),
    ];
    assert_eq!(pages, expected);
    for behind in ["", "\n", "rubbish", "P", "P5", "P55 1 1", "p5 1 1 255\nx", "\0\0P5 1 1 255\nx"] {
        let file = format!("P5 1 1 255\nx{behind}");
        assert_eq!(decode_one(file.as_bytes()), expected[0], "{behind:?}");
    }
    let error = pnm::decode(b"P5 1 1 255\nxP5 1 0 255\nx").unwrap_err();
    assert_eq!(error.to_string(), "page 2: the height is zero");
}

#[test]
fn samples_above_maxval_are_clipped_with_one_warning_per_page() {
    let file = b"P2 3 1 100 101 100 4294967295 P5 2 1 9\n\x0a\x09P5 1 1 300 \x01\x2dP2 1 1 5 5";
    let decoded = pnm::decode(file).unwrap();
    assert_eq!(decoded.pages[0], bytes_raster(3, 1, Channels::Grey, 100, &[100, 100, 100]));
    assert_eq!(decoded.pages[2], words_raster(1, 1, Channels::Grey, 300, &[300]));
    let clipped = [(1, 2, 100), (2, 1, 9), (3, 1, 300)];
    assert_eq!(decoded.clipped, clipped.map(|(page, samples, maxval)| Clipped { page, samples, maxval }));
    let opened = read("some.pgm", file).unwrap();
    assert_eq!(opened.warnings[0], "some.pgm: 2 samples above maxval 100 are clipped to it");
    assert_eq!(opened.warnings[1], "some.pgm: page 2: 1 sample above maxval 9 is clipped to it");
    assert_eq!(opened.warnings.len(), 3);
}

#[test]
fn malformed_headers_are_refused_by_name() {
    use Field::{Depth, Height, Maxval, Sample, Width};
    use HeaderError::{Ends, Magic, Missing, Negative, NoEndOfHeader, NoNumber, Overflow, TooLarge, Zero};
    let text = str::to_owned;
    let cases = [
        ("P5", Ends(Width)),
        ("P5 ", Ends(Width)),
        ("P5 # 1 1 255", Ends(Width)),
        ("P5 1", Ends(Height)),
        ("P5 1 1", Ends(Maxval)),
        ("P52 1 255 x", Magic),
        ("P5 0 1 255 x", Zero(Width)),
        ("P5 1 0 255 x", Zero(Height)),
        ("P4 1 00 x", Zero(Height)),
        ("P5 1 1 0 x", Zero(Maxval)),
        ("P5 1 1 65536 xx", TooLarge(Maxval, 65536, 65535)),
        ("P5 16777217 1 255 x", TooLarge(Width, 16_777_217, Size::MAX_SIDE)),
        ("P5 1 4294967295 255 x", TooLarge(Height, u32::MAX, Size::MAX_SIDE)),
        ("P5 4294967296 1 255 x", Overflow(Width, text("4294967296"))),
        ("P5 1 99999999999999999999999999999 255 x", Overflow(Height, text("99999999999999999999999999999"))),
        (
            "P5 1 99999999999999999999999999999999999999999 255 x",
            Overflow(Height, text("9999999999999999999999999999999999999999…")),
        ),
        ("P5 -1 1 255 x", Negative(Width, text("-1"))),
        ("P5 1 1 -255 x", Negative(Maxval, text("-255"))),
        ("P5 +1 1 255 x", NoNumber(Width, text("+1"))),
        ("P5 - 1 255 x", NoNumber(Width, text("-"))),
        ("P5 1.0 1 255 x", NoNumber(Width, text("1.0"))),
        ("P5 1 1 0xff x", NoNumber(Maxval, text("0xff"))),
        ("P5 1 1 255\u{a0}x", NoNumber(Maxval, text(r"255\xc2\xa0x"))),
        ("P2 2 1 255 0 -1", Negative(Sample(2), text("-1"))),
        ("P2 2 1 255 0 4294967296", Overflow(Sample(2), text("4294967296"))),
        ("P2 2 1 255 zero 1", NoNumber(Sample(1), text("zero"))),
        ("P1 3 1 012", NoNumber(Sample(3), text("2"))),
        ("P7\nWIDTH 1\n", NoEndOfHeader),
        ("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 1\nMAXVAL 1\nENDHDR", NoEndOfHeader),
        ("P7\nHEIGHT 1\nDEPTH 1\nMAXVAL 1\nENDHDR\nx", Missing(Width)),
        ("P7\nWIDTH 1\nHEIGHT 1\nMAXVAL 1\nENDHDR\nx", Missing(Depth)),
        ("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 0\nMAXVAL 1\nENDHDR\nx", Zero(Depth)),
        ("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 5\nMAXVAL 1\nENDHDR\nxxxxx", TooLarge(Depth, 5, 4)),
        ("P7\nWIDTH\nENDHDR\n", NoNumber(Width, String::new())),
        ("P7\nWIDTH 1 2\nENDHDR\n", NoNumber(Width, text("1 2"))),
        ("P7 332\n#XVVERSION\n", HeaderError::UnknownLine(text("332"))),
        (
            "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 1\nMAXVAL 1\nTUPLTYPE RGB\nENDHDR\nx",
            HeaderError::TupleDepth { tuple: "RGB", needed: 3, depth: 1 },
        ),
    ];
    for (file, expected) in cases {
        assert_eq!(refusal(file.as_bytes()), Cause::Header(expected), "{file:?}");
    }
    assert_eq!(pnm::decode(b"GIF89a").unwrap_err().cause, Cause::Header(Magic));
    let line = read("a\nb.pgm", b"P5 1 1 255x").unwrap_err().to_string();
    assert_eq!(line, "a b.pgm: is not a PNM image: maxval is “255x”, which is not a number");
}

#[test]
fn truncated_rasters_are_refused_before_allocation() {
    let cases = [
        ("P5 2 2 255\nabc", 4, 3),
        ("P5 2 2 255", 4, 0),
        ("P5 2 2 256\nabcdefg", 8, 7),
        ("P6 1 1 255\nab", 3, 2),
        ("P4 9 2\nabc", 4, 3),
        ("P1 3 1 01", 3, 2),
        ("P2 3 1 9\n1 2 ", 5, 4),
        ("P5 1000000 1000000 255\nx", 1_000_000_000_000, 1),
        ("P4 16777216 16777216\n", 1 << 45, 0),
        ("P3 16777216 16777216 65535\n1", (1 << 48) * 6 - 1, 1),
        ("P7\nWIDTH 16777216\nHEIGHT 16777216\nDEPTH 4\nMAXVAL 65535\nENDHDR\n", 1 << 51, 0),
    ];
    for (file, needed, left) in cases {
        match refusal(file.as_bytes()) {
            Cause::TooShort { needed: found, left: rest, .. } => assert_eq!((found, rest), (needed, left), "{file:?}"),
            other => panic!("{file:?}: {other}"),
        }
    }
    let early = refusal(b"P2 3 1 999\n1 222   ");
    assert_eq!(early.to_string(), "the raster of 3×1 ends early: 2 of its 3 numbers are there");
    assert!(matches!(refusal(b"P1 3 1\n0 1    "), Cause::EndsEarly { found: 2, expected: 3, .. }));
}

#[test]
fn written_rasters_are_read_back_equal() {
    use FileFormat::{Pam, Pgm, Pnm, Ppm};
    let mut rng = fastrand::Rng::with_seed(1);
    for maxval in [1, 2, 99, 254, 255, 256, 1023, 65534, 65535] {
        for channels in [Channels::Grey, Channels::GreyAlpha, Channels::Rgb, Channels::Rgba] {
            let raster = random_raster(&mut rng, channels, maxval);
            assert_eq!(decode_one(&encode(Pam, &raster)), raster);
            if channels == Channels::Grey {
                assert_eq!(decode_one(&encode(Pgm, &raster)), raster);
                assert_eq!(encode(Pnm, &raster), encode(Pgm, &raster));
                let colour = decode_one(&encode(Ppm, &raster));
                assert_eq!(colour.channels(), Channels::Rgb);
                for index in 0..colour.samples().len() {
                    assert_eq!(colour.samples().number(index), raster.samples().number(index / 3));
                }
            }
            if channels == Channels::Rgb {
                assert_eq!(decode_one(&encode(Ppm, &raster)), raster);
                assert_eq!(encode(Pnm, &raster), encode(Ppm, &raster));
            }
        }
    }
    // Sixteen-bit numbers with a small maxval are a byte each in the file.
    let narrow = words_raster(2, 1, Channels::Grey, 200, &[1, 200]);
    assert_eq!(decode_one(&encode(Pgm, &narrow)), bytes_raster(2, 1, Channels::Grey, 200, &[1, 200]));
    let floats = Raster::new(Size::new(1, 1).unwrap(), Channels::Grey, Samples::F32(vec![0.5])).unwrap();
    let mut out = Vec::new();
    assert!(pnm::write_pgm(&mut out, &floats).is_err() && pnm::write_pam(&mut out, &floats).is_err());
    assert!(out.is_empty());
}

#[test]
fn image_crate_decodes_the_same_samples() {
    let mut rng = fastrand::Rng::with_seed(2);
    for maxval in [255, 65535] {
        for (channels, format) in [(Channels::Grey, FileFormat::Pgm), (Channels::Rgb, FileFormat::Ppm)] {
            let raster = random_raster(&mut rng, channels, maxval);
            let file = encode(format, &raster);
            let theirs = image::load_from_memory_with_format(&file, image::ImageFormat::Pnm).unwrap();
            let theirs: Vec<u16> = match theirs {
                image::DynamicImage::ImageLuma8(image) => image.into_raw().into_iter().map(u16::from).collect(),
                image::DynamicImage::ImageRgb8(image) => image.into_raw().into_iter().map(u16::from).collect(),
                image::DynamicImage::ImageLuma16(image) => image.into_raw(),
                image::DynamicImage::ImageRgb16(image) => image.into_raw(),
                other => panic!("{:?}", other.color()),
            };
            let ours: Vec<u16> = (0..raster.samples().len()).map(|at| raster.samples().number(at) as u16).collect();
            assert_eq!(ours, theirs);
        }
    }
    let bits = b"P4 11 2\n\xa5\x5f\x3c\xff";
    let theirs = image::load_from_memory_with_format(bits, image::ImageFormat::Pnm).unwrap().into_luma8();
    let ours: Vec<u8> = (0..22).map(|at| decode_one(bits).samples().number(at) as u8 * 255).collect();
    assert_eq!(ours, theirs.into_raw());
}

/// Output of a Netpbm program for `input`; `None`, with a message, if it is not installed.
fn netpbm(program: &str, arguments: &[&str], input: &[u8]) -> Option<Vec<u8>> {
    let mut command = Command::new(program);
    let spawned = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let Ok(mut child) = spawned else {
        skip::skip(None, &format!("{program} of netpbm is not installed"));
        return None;
    };
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{program} refuses {}", input.escape_ascii());
    Some(output.stdout)
}

#[test]
fn netpbm_reads_and_writes_the_same_samples() {
    let mut rng = fastrand::Rng::with_seed(3);
    for maxval in [1, 7, 255, 256, 65535] {
        for channels in [Channels::Grey, Channels::Rgb] {
            let raster = random_raster(&mut rng, channels, maxval);
            let raw = encode(FileFormat::Pnm, &raster);
            let Some(plain) = netpbm("pnmtoplainpnm", &[], &raw) else { return };
            // Netpbm writes maxval 1 as P2, never as P1: the magic number was P5.
            assert_eq!(decode_one(&plain), raster);
            let Some(raw) = netpbm("pamtopnm", &[], &encode(FileFormat::Pam, &raster)) else { return };
            assert_eq!(decode_one(&raw), raster);
        }
    }
    let head = b"P4 # bits\n 13#\n 5\n";
    let bits: Vec<u8> = (0..10).map(|_| rng.u8(..)).collect();
    let raw = [head.as_slice(), &bits].concat();
    let Some(plain) = netpbm("pnmtoplainpnm", &[], &raw) else { return };
    assert!(plain.starts_with(b"P1"));
    assert_eq!(decode_one(&plain), decode_one(&raw));
    for header in ["P5#c\n2#c\r1# P5 9 9\n255 ", "P5 2 1 255#c\n", "P5\n#\n#\n\n2\t1\r255\n", "P5 2 1 255\r"] {
        let file = [header.as_bytes(), b"\n\x80"].concat();
        let Some(theirs) = netpbm("pnmtoplainpnm", &[], &file) else { return };
        assert_eq!(decode_one(&theirs), decode_one(&file), "{header:?}");
    }
}

/// Small valid files of every format, for mutation.
fn seeds() -> Vec<Vec<u8>> {
    let mut rng = fastrand::Rng::with_seed(4);
    let mut seeds: Vec<Vec<u8>> = vec![
        b"P1\n# bits\n4 3\n0101\n1 0 1 0\n1111\n".to_vec(),
        b"P2\n3 2 # size\n900\n1 2 3\n400 500 900\n".to_vec(),
        b"P3 2 1 15 1 2 3 4 5 15\n".to_vec(),
        b"P4 12 2\nabcd".to_vec(),
        b"P5 2 2 255\nabcdP5 1 1 300\nabP4 8 1\nx".to_vec(),
    ];
    for (format, channels, maxval) in [
        (FileFormat::Pgm, Channels::Grey, 100),
        (FileFormat::Ppm, Channels::Rgb, 255),
        (FileFormat::Ppm, Channels::Rgb, 1000),
        (FileFormat::Pam, Channels::GreyAlpha, 255),
        (FileFormat::Pam, Channels::Rgba, 65535),
    ] {
        seeds.push(encode(format, &random_raster(&mut rng, channels, maxval)));
    }
    seeds
}

fn mutate(rng: &mut fastrand::Rng, file: &mut Vec<u8>) {
    const PIECES: [&[u8]; 14] = [
        b"0",
        b"-1",
        b"#",
        b"\n",
        b" ",
        b"65535",
        b"65536",
        b"16777216",
        b"4294967296",
        b"P5 ",
        b"P1\n",
        b"P7\n",
        b"ENDHDR\n",
        b"\xff",
    ];
    let at = rng.usize(..=file.len());
    match rng.u8(..5) {
        0 => file.truncate(at),
        1 => drop(file.splice(at..at, PIECES[rng.usize(..PIECES.len())].iter().copied())),
        2 => drop(file.drain(at..(at + rng.usize(..4)).min(file.len()))),
        3 => {
            let copy = file[at..(at + rng.usize(..20)).min(file.len())].to_vec();
            let to = rng.usize(..=file.len());
            drop(file.splice(to..to, copy));
        }
        _ => {
            if let Some(byte) = file.get_mut(at) {
                *byte = if rng.bool() { rng.u8(..) } else { rng.u8(b' '..b'~') };
            }
        }
    }
}

/// Reader of a few bytes at a time, as a pipe.
struct Dripping<'a>(&'a [u8], usize);

impl Read for Dripping<'_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let count = out.len().min(self.0.len()).min(self.1);
        out[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        Ok(count)
    }
}

/// Result of a reader of unknown length.
fn read_dripping(file: &[u8], piece: usize) -> Result<pnm::Decoded, String> {
    pnm::read(&mut Dripping(file, piece), None, Memory::Machine).map_err(|error| error.to_string())
}

#[test]
fn header_longer_than_the_window_is_decoded() {
    let expected = bytes_raster(2, 1, Channels::Grey, 255, b"ab");
    for len in [10, 16_000, 16_384, 40_000, 100_000] {
        for (before, after) in [("P5", " 2 1 255\nab"), ("P5 2 1", "\n255 ab"), ("P5 2 1 255", "\nab")] {
            let comment = format!("{before}#{}\n{}", "c".repeat(len), after.trim_start_matches('\n'));
            let blank = format!("{before}{}{}", " ".repeat(len), after.trim_start());
            for file in if before == "P5 2 1 255" { vec![comment] } else { vec![comment, blank] } {
                assert_eq!(decode_one(file.as_bytes()), expected, "{}", file.len());
                assert_eq!(read_dripping(file.as_bytes(), 1000).unwrap().pages, std::slice::from_ref(&expected));
            }
        }
        let pam = format!("P7\n#{}\nWIDTH 2\nHEIGHT 1\nDEPTH 1\nMAXVAL 255\nENDHDR\nab", "c".repeat(len));
        assert_eq!(decode_one(pam.as_bytes()), expected);
        let gap = format!("P5 2 1 255\nab{}P5 2 1 255\nab{}", "\n".repeat(len), " ".repeat(len));
        assert_eq!(read_dripping(gap.as_bytes(), 777).unwrap().pages, [expected.clone(), expected.clone()]);
    }
}

#[test]
fn large_rasters_of_files_and_streams_are_equal() {
    let mut rng = fastrand::Rng::with_seed(6);
    for maxval in [200, 255, 60_000, 65_535] {
        let bytes_a_number = if maxval > 255 { 2 } else { 1 };
        let mut file = Vec::new();
        for (width, height) in [(1500, 1100), (3, 2), (1024, 1024)] {
            file.extend(format!("P5 {width} {height} {maxval}\n").into_bytes());
            file.extend((0..width * height * bytes_a_number).map(|_| rng.u8(..)));
        }
        let whole = pnm::decode(&file).unwrap();
        assert_eq!(
            (whole.pages.len(), whole.clipped.len()),
            (3, if maxval == 255 || maxval == 65_535 { 0 } else { 3 })
        );
        assert_eq!(read_dripping(&file, 100_003).unwrap(), whole);
        let cut = &file[..file.len() - 1];
        let message = pnm::decode(cut).unwrap_err().to_string();
        assert_eq!(read_dripping(cut, 99_991).unwrap_err(), message);
        assert!(message.starts_with("page 3: the raster of 1024×1024 ends early"), "{message}");
    }
}

#[test]
fn raster_beyond_the_memory_is_refused_with_both_figures() {
    let file = [b"P5 1000 1000 255\n".as_slice(), &[0; 1_000_000]].concat();
    let read = |memory| pnm::read(&mut file.as_slice(), Some(file.len() as u64), memory);
    assert!(read(Memory::Bytes(1_000_000)).is_ok());
    let error = read(Memory::Bytes(999_999)).unwrap_err();
    assert!(matches!(error, pnm::ReadError::Memory(_)));
    let line = "not enough memory: 976.6 KiB needed, 976.6 KiB available; 1000×1000 samples take 976.6 KiB";
    assert_eq!(error.to_string(), line);
    // Bits need their bytes in addition, a plain raster its text.
    let bits = [b"P4 1000 1000\n".as_slice(), &[0; 125_000]].concat();
    let read = |file: &[u8], memory| pnm::read(&mut &file[..], Some(file.len() as u64), memory);
    assert!(read(&bits, Memory::Bytes(1_125_000)).is_ok() && read(&bits, Memory::Bytes(1_124_999)).is_err());
    let plain = [b"P1 1000 1000\n".as_slice(), &[b'0'; 1_000_000]].concat();
    assert!(read(&plain, Memory::Bytes(2_000_000)).is_ok() && read(&plain, Memory::Bytes(1_900_000)).is_err());
}

#[test]
fn mutated_pnm_bytes_decode_or_are_refused() {
    let mut rng = fastrand::Rng::with_seed(5);
    let seeds = seeds();
    let mut read_back = 0;
    for round in 0..100_000 {
        let mut file = seeds[round % seeds.len()].clone();
        for _ in 0..rng.usize(1..6) {
            mutate(&mut rng, &mut file);
        }
        let decoded = pnm::decode(&file).map_err(|error| error.to_string());
        if round % 8 == 0 {
            assert_eq!(read_dripping(&file, rng.usize(1..9)), decoded, "{}", file.escape_ascii());
        }
        let Ok(decoded) = decoded else { continue };
        read_back += 1;
        for page in &decoded.pages {
            // At most eight samples per byte, as in P4, and none above maxval.
            let samples = page.samples();
            assert!(samples.len() <= 8 * file.len());
            assert!((0..samples.len()).all(|at| samples.number(at) <= f32::from(samples.maxval())));
        }
    }
    assert!(read_back > 10_000, "{read_back} mutated files were read");
}

#[test]
fn decoding_time_is_linear_in_the_file_size() {
    const LEN: usize = 1 << 22;
    /// A decoder whose time grows with the square of the length takes minutes, a linear one a fraction of a second.
    const PATIENCE: Duration = Duration::from_secs(60);
    let repeat = |head: &str, piece: &str, tail: &str| {
        [head.as_bytes(), &piece.repeat(LEN / piece.len()).into_bytes(), tail.as_bytes()].concat()
    };
    let files = [
        repeat("P5 ", "#", ""),
        repeat("P5 ", "#\n", " 1 1 255 x"),
        repeat("P5 ", " ", "1 1 255 x"),
        repeat("P5 ", "0", "1 1 255 x"),
        repeat("P5 ", "9", " 1 255 x"),
        repeat("", "P5 1 1 255\nx", ""),
        repeat("", "P1 1 1 0#\n\n", ""),
        repeat("P5 1 1 255\nx", "\n", "P5 1 1 255"),
        repeat("P2 2 1 255 1 ", "#P5 ", ""),
        repeat("P2 1 1 255 1 ", "#\r", ""),
        repeat("P1 1000 1000 ", "1#\n", ""),
        repeat("P7\n", "TUPLTYPE RGB\n", "ENDHDR\n"),
        repeat("P7\n", "#\n", "ENDHDR\n"),
    ];
    for file in files {
        let start = Instant::now();
        let pages = pnm::decode(&file).map_or(0, |decoded| decoded.pages.len());
        let taken = start.elapsed();
        assert!(taken < PATIENCE, "{pages} pages of {} … take {taken:?}", file[..20].escape_ascii());
    }
}
