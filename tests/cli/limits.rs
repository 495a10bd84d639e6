//! Headers of huge images: each decoder runs in a process with little address space, where a large allocation would
//! abort. The test expects one line and exit code 1.
#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::{Command, Output};

use image::{DynamicImage, ImageBuffer, ImageFormat};

use super::folder;

/// Address space of the process, in KiB. The smallest limit allows a decoder four times 64 MiB; the program itself
/// takes less than 100 MiB.
const ADDRESS_SPACE_KIB: u32 = 350 << 10;

/// Renders `name` to `out.npy` or `out.pam` in little address space.
fn render(folder: &Path, name: &str, output: &str) -> Output {
    let script = format!("ulimit -v {ADDRESS_SPACE_KIB} && exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.current_dir(folder).args(["-c", &script, env!("CARGO_BIN_EXE_lerpscope")]);
    // Threads and their heaps take address space: a fixed number of threads on every machine.
    command.env("RAYON_NUM_THREADS", "2").env("MALLOC_ARENA_MAX", "2");
    command.args(["render", name, "-o", output, "--backend", "cpu"]).output().expect("sh")
}

/// Image of 8 × 6 samples in each format.
fn seed(format: ImageFormat) -> Vec<u8> {
    let bytes: Vec<u8> = (0..8 * 6 * 3).map(|at| (at * 37 % 251) as u8).collect();
    let image = DynamicImage::ImageRgb8(ImageBuffer::from_raw(8, 6, bytes).expect("samples"));
    let image = if matches!(format, ImageFormat::OpenExr | ImageFormat::Hdr) {
        DynamicImage::ImageRgb32F(image.to_rgb32f())
    } else {
        image
    };
    let mut file = std::io::Cursor::new(Vec::new());
    image.write_to(&mut file, format).expect("a picture");
    file.into_inner()
}

fn patched(mut file: Vec<u8>, at: usize, bytes: &[u8]) -> Vec<u8> {
    file[at..at + bytes.len()].copy_from_slice(bytes);
    file
}

fn find(file: &[u8], pattern: &[u8]) -> usize {
    file.windows(pattern.len()).position(|window| window == pattern).expect("the pattern")
}

/// PNG with this IHDR (sides, depth, colour type, interlacing) and a correct checksum.
fn png(sides: [u32; 2], kind: [u8; 3]) -> Vec<u8> {
    let [width, height] = sides.map(u32::to_be_bytes);
    let header = [&width[..], &height, &[kind[0], kind[1], 0, 0, kind[2]]].concat();
    let mut file = patched(seed(ImageFormat::Png), 16, &header);
    let mut crc = u32::MAX;
    for byte in &file[12..29] {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    file[29..33].copy_from_slice(&(!crc).to_be_bytes());
    file
}

fn png_files() -> Vec<Vec<u8>> {
    let mut text = seed(ImageFormat::Png);
    // A metadata chunk of 2 GiB, and one that expands.
    text.splice(33..33, [&0x7fff_ffff_u32.to_be_bytes()[..], b"eXIf"].concat());
    vec![
        png([1 << 31 >> 1, 1 << 24], [8, 2, 0]),
        png([60_000, 60_000], [16, 6, 0]),
        png([60_000, 60_000], [8, 2, 1]),
        png([1 << 24, 2], [16, 6, 0]),
        png([8000, 8000], [1, 3, 0]),
        text,
    ]
}

fn jpeg(frame: u8, sides: [u16; 2]) -> Vec<u8> {
    let file = seed(ImageFormat::Jpeg);
    let at = find(&file, &[0xff, 0xc0]);
    let [width, height] = sides.map(u16::to_be_bytes);
    patched(patched(file, at + 1, &[frame]), at + 5, &[height, width].concat())
}

fn jpeg_files() -> Vec<Vec<u8>> {
    // The last has samples of 60 MiB, and coefficients of twice as many bytes.
    vec![jpeg(0xc0, [65_500, 65_500]), jpeg(0xc2, [65_500, 65_500]), jpeg(0xc0, [8000, 8000]), jpeg(0xc2, [5000, 4000])]
}

fn bmp_files() -> Vec<Vec<u8>> {
    let sides = |width: i32, height: i32| {
        patched(seed(ImageFormat::Bmp), 18, &[width.to_le_bytes(), height.to_le_bytes()].concat())
    };
    let mut palette = patched(sides(60_000, 60_000), 28, &[8, 0]);
    palette = patched(palette, 46, &u32::MAX.to_le_bytes());
    let small_palette = patched(patched(seed(ImageFormat::Bmp), 28, &[8, 0]), 46, &0x7fff_ffff_u32.to_le_bytes());
    let run_length = patched(patched(sides(65_535, 65_535), 28, &[8, 0]), 30, &[1]);
    vec![sides(60_000, 60_000), sides(60_000, -60_000), sides(1 << 24, 16), palette, small_palette, run_length]
}

/// TIFF with these tags: id, type, count, value.
fn tiff(tags: &[(u16, u16, u32, u32)], data: &[u8]) -> Vec<u8> {
    let mut file = b"II*\0\x08\0\0\0".to_vec();
    file.extend((tags.len() as u16).to_le_bytes());
    for (id, kind, count, value) in tags {
        file.extend([id.to_le_bytes(), kind.to_le_bytes()].concat());
        file.extend([count.to_le_bytes(), value.to_le_bytes()].concat());
    }
    file.extend([0; 4]);
    file.extend(data);
    file
}

/// BigTIFF with these tags.
fn big_tiff(tags: &[(u16, u16, u64, u64)]) -> Vec<u8> {
    let mut file = b"II+\0\x08\0\0\0\x10\0\0\0\0\0\0\0".to_vec();
    file.extend((tags.len() as u64).to_le_bytes());
    for (id, kind, count, value) in tags {
        file.extend([id.to_le_bytes(), kind.to_le_bytes()].concat());
        file.extend([count.to_le_bytes(), value.to_le_bytes()].concat());
    }
    file.extend([0; 8]);
    file
}

/// Tags of an 8-bit grey page with one strip after `count` tags.
fn page(sides: [u32; 2], compression: u32, count: u32) -> Vec<(u16, u16, u32, u32)> {
    let data = 8 + 2 + 12 * count + 4;
    vec![
        (256, 4, 1, sides[0]),
        (257, 4, 1, sides[1]),
        (258, 3, 1, 8),
        (259, 3, 1, compression),
        (262, 3, 1, 1),
        (273, 4, 1, data),
        (277, 3, 1, 1),
        (278, 4, 1, sides[1]),
        (279, 4, 1, 64),
    ]
}

fn tiff_files() -> Vec<Vec<u8>> {
    let large = tiff(&page([60_000, 60_000], 1, 9), &[7; 64]);
    let with = |extra: &[(u16, u16, u32, u32)], data: &[u8]| {
        let mut tags = page([8, 8], 1, 9 + extra.len() as u32);
        tags.retain(|tag| extra.iter().all(|other| other.0 != tag.0));
        tags.extend(extra);
        tags.sort_by_key(|tag| tag.0);
        tiff(&tags, data)
    };
    let counts = |kind: u16, count: u32| with(&[(273, kind, count, 200), (279, kind, count, 200)], &[1; 64]);
    // The strip's JPEG has a frame of its own.
    let stream = jpeg(0xc2, [16_000, 16_000]);
    let mut tags = page([8, 8], 7, 9);
    tags[8].3 = stream.len() as u32;
    let jpeg_inside = tiff(&tags, &stream);
    let tables = seed(ImageFormat::Jpeg);
    // As above, with the frame in the tables that strips share.
    let at = 8 + 2 + 12 * 10 + 4;
    let mut tags = page([8, 8], 7, 10);
    tags[8].3 = 64;
    tags.push((347, 7, stream.len() as u32, at + 64));
    let jpeg_in_tables = tiff(&tags, &[&tables[..64], &stream].concat());
    let tile = |predictor: u32| {
        with(
            &[
                (258, 3, 1, 32),
                (262, 3, 1, 2),
                (277, 3, 1, 3),
                (317, 3, 1, predictor),
                (322, 4, 1, 1 << 28),
                (323, 4, 1, 16),
                (324, 4, 1, 200),
                (325, 4, 1, 64),
                (339, 3, 1, 3),
            ],
            &[1; 256],
        )
    };
    vec![
        large,
        counts(4, 1 << 24),
        counts(3, 100_000_000),
        counts(4, u32::MAX),
        with(&[(339, 1, 200_000_000, 200)], &[1; 64]),
        with(&[(338, 3, 60_000_000, 200)], &[1; 64]),
        with(&[(270, 2, 250_000_000, 8)], &[1; 64]),
        with(&[(279, 4, 1, u32::MAX)], &[1; 64]),
        with(&[(277, 3, 1, 65_535), (256, 4, 1, 1 << 23)], &[1; 64]),
        jpeg_inside,
        jpeg_in_tables,
        tile(3),
        tile(1),
        big_tiff(&[(256, 4, 1, 8), (257, 4, 1, 8), (273, 16, 1 << 40, 16), (279, 16, 1 << 40, 16)]),
        big_tiff(&[(256, 16, 1, 1 << 40), (257, 16, 1, 1 << 40), (258, 3, 30_000_000, 16)]),
    ]
}

fn riff(chunks: &[u8]) -> Vec<u8> {
    [b"RIFF", &(chunks.len() as u32 + 4).to_le_bytes()[..], b"WEBP", chunks].concat()
}

fn chunk(name: &[u8; 4], len: u32, bytes: &[u8]) -> Vec<u8> {
    [&name[..], &len.to_le_bytes(), bytes].concat()
}

fn webp_files() -> Vec<Vec<u8>> {
    let canvas = |flags: u8, sides: [u32; 2]| {
        let [width, height] = sides.map(|side| (side - 1).to_le_bytes());
        chunk(b"VP8X", 10, &[&[flags, 0, 0, 0], &width[..3], &height[..3]].concat())
    };
    let lossy = |sides: u16| {
        let side = sides.to_le_bytes();
        let frame = [&[0x10, 0, 0, 0x9d, 0x01, 0x2a][..], &side, &side, &[0; 30]].concat();
        chunk(b"VP8 ", frame.len() as u32, &frame)
    };
    let lossless = |sides: u32| {
        let bits = (sides - 1) | (sides - 1) << 14;
        let frame = [&[0x2f][..], &bits.to_le_bytes(), &[0; 9]].concat();
        chunk(b"VP8L", frame.len() as u32, &frame)
    };
    let exif = chunk(b"EXIF", 0xffff_fff0, b"II*\0");
    let animation = chunk(b"ANIM", 6, &[0; 6]);
    let frame = [&[0; 6][..], &[7, 0, 0, 7, 0, 0, 1, 0, 0, 0], &lossy(16_383)].concat();
    let animated = [canvas(2, [8, 8]), animation, chunk(b"ANMF", frame.len() as u32, &frame)].concat();
    vec![
        riff(&lossless(16_384)),
        riff(&lossy(16_383)),
        riff(&[canvas(0, [1 << 24, 1 << 24]), lossy(8)].concat()),
        riff(&[canvas(8, [8, 8]), lossy(8), exif.clone()].concat()),
        riff(&[canvas(8, [8, 8]), exif, lossy(8)].concat()),
        riff(&[canvas(0, [8, 8]), lossy(16_383)].concat()),
        riff(&[canvas(0, [8, 8]), lossless(16_384)].concat()),
        riff(&[canvas(0x10, [8, 8]), chunk(b"ALPH", u32::MAX - 1, &[1]), lossy(16_383)].concat()),
        riff(&animated),
    ]
}

/// A data window of gigabytes and a small display window.
const DATA_WINDOW: &[u8; 337] = include_bytes!("../data/data-window.exr");

fn exr_files() -> Vec<Vec<u8>> {
    let file = seed(ImageFormat::OpenExr);
    let value = |name: &str| find(&file, name.as_bytes()) + name.len();
    let window = |sides: [i32; 2]| [[0; 2], sides.map(|side| side - 1)].concat();
    let with_window = |file: Vec<u8>, name: &str, sides: [i32; 2]| {
        let bytes: Vec<u8> = window(sides).iter().flat_map(|number| number.to_le_bytes()).collect();
        patched(file, value(name) + 4, &bytes)
    };
    let (data, display, compression) = ("dataWindow\0box2i\0", "displayWindow\0box2i\0", "compression\0compression\0");
    let compressed = |file: Vec<u8>, kind: u8| patched(file, value(compression) + 4, &[kind]);
    // The encoder writes one tile; its offset stands before it.
    let offset = |at: usize| u64::from_le_bytes(file[at..at + 8].try_into().expect("eight bytes"));
    let chunk = (8..file.len() - 8).find(|&at| offset(at - 8) == at as u64).expect("a chunk behind its offset");
    // Coordinates of the tile and its level, then the length of its bytes.
    let tiled = |tile: [u32; 2], mode: u8| {
        let bytes = [&tile[0].to_le_bytes()[..], &tile[1].to_le_bytes(), &[mode]].concat();
        let tiled = patched(file.clone(), value("tiles\0tiledesc\0") + 4, &bytes);
        patched(tiled, chunk + 16, &0x7fff_0000_u32.to_le_bytes())
    };
    // One row in a block of 256: a row and the length of the block.
    let lines = patched(with_window(compressed(file.clone(), 9), data, [1 << 18, 1]), 4, &[2, 0, 0, 0]);
    let lines = patched(lines, chunk, &[&[0; 4][..], &0x2fff_0000_u32.to_le_bytes()].concat());
    vec![
        DATA_WINDOW.to_vec(),
        with_window(file.clone(), data, [60_000, 60_000]),
        with_window(compressed(file.clone(), 4), data, [1 << 22, 30_000]),
        with_window(file.clone(), display, [60_000, 60_000]),
        with_window(file.clone(), display, [i32::MAX, 2]),
        with_window(with_window(file.clone(), data, [40_000, 40_000]), display, [40_000, 40_000]),
        lines,
        tiled([1 << 16, 1 << 15], 0),
        tiled([1 << 30, 1 << 30], 0),
        tiled([1 << 16, 1 << 14], 2),
    ]
}

fn hdr_files() -> Vec<Vec<u8>> {
    let file = |resolution: &str| format!("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n{resolution}\n\x02\x02").into_bytes();
    vec![file("-Y 60000 +X 60000"), file("-Y 1 +X 16777216"), file("-Y 4294967295 +X 4294967295")]
}

fn pnm_files() -> Vec<Vec<u8>> {
    let file = |header: &str| format!("{header}\n1 0 1 ").into_bytes();
    vec![
        file("P1 16777216 16777216"),
        file("P2 16777216 16777216 9"),
        file("P3 60000 60000 65535"),
        file("P4 16777216 16777216"),
        file("P5 16777216 16777216 255"),
        file("P6 60000 60000 65535"),
        file("P7\nWIDTH 16777216\nHEIGHT 16777216\nDEPTH 4\nMAXVAL 65535\nTUPLTYPE RGB_ALPHA\nENDHDR"),
    ]
}

/// A format, a valid file, and headers of huge images.
type Case = (&'static str, Option<ImageFormat>, Vec<Vec<u8>>);

fn cases() -> Vec<Case> {
    vec![
        ("png", Some(ImageFormat::Png), png_files()),
        ("jpg", Some(ImageFormat::Jpeg), jpeg_files()),
        ("bmp", Some(ImageFormat::Bmp), bmp_files()),
        ("tif", Some(ImageFormat::Tiff), tiff_files()),
        ("webp", Some(ImageFormat::WebP), webp_files()),
        ("exr", Some(ImageFormat::OpenExr), exr_files()),
        ("hdr", Some(ImageFormat::Hdr), hdr_files()),
        ("pnm", None, pnm_files()),
    ]
}

#[test]
fn header_of_a_huge_image_is_refused_in_little_memory() {
    let folder = folder();
    let mut wrong = Vec::new();
    for (extension, format, files) in cases() {
        if let Some(format) = format {
            // A small image renders within the limits.
            let name = format!("whole.{extension}");
            std::fs::write(folder.path().join(&name), seed(format)).expect("a file");
            let float = matches!(format, ImageFormat::OpenExr | ImageFormat::Hdr);
            let output = render(folder.path(), &name, if float { "out.npy" } else { "out.ppm" });
            assert_eq!(output.status.code(), Some(0), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        }
        for (index, file) in files.into_iter().enumerate() {
            let name = format!("{index}.{extension}");
            std::fs::write(folder.path().join(&name), file).expect("a file");
            let output = render(folder.path(), &name, "out.npy");
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            let is_one_line = said.starts_with(&format!("lerpscope: {name}: ")) && said.lines().count() == 1;
            if output.status.code() != Some(1) || !is_one_line {
                wrong.push(format!("{name}: {}: {said}", output.status));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Images at the limit, 64 MiB of samples or coefficients, are decoded or refused in the same memory.
#[test]
fn header_at_the_memory_limit_does_not_abort() {
    let folder = folder();
    let sides = |file: Vec<u8>, at: usize, sides: [i32; 2]| {
        patched(file, at, &[sides[0].to_le_bytes(), sides[1].to_le_bytes()].concat())
    };
    let exr = seed(ImageFormat::OpenExr);
    let windows: Vec<usize> = [&b"dataWindow\0box2i\0"[..], b"displayWindow\0box2i\0"]
        .map(|name| find(&exr, name) + name.len() + 4 + 8)
        .into();
    let exr = windows.into_iter().fold(exr, |file, at| sides(file, at, [2300, 2300]));
    let lossless = [&[0x2f][..], &(4095_u32 | 4095 << 14).to_le_bytes(), &[0; 9]].concat();
    let side = 4090_u16.to_le_bytes();
    let lossy = [&[0x10, 0, 0, 0x9d, 0x01, 0x2a][..], &side, &side, &[0; 30]].concat();
    for (name, file) in [
        ("a.png", png([4700, 4700], [8, 2, 0])),
        ("b.png", png([4700, 4700], [8, 2, 1])),
        ("a.jpg", jpeg(0xc0, [2300, 2300])),
        ("b.jpg", jpeg(0xc2, [2300, 2300])),
        ("a.bmp", sides(seed(ImageFormat::Bmp), 18, [4700, 4700])),
        ("a.tif", tiff(&page([8000, 8000], 1, 9), &[7; 64])),
        ("b.tif", tiff(&page([8000, 8000], 5, 9), &[7; 64])),
        ("a.webp", riff(&chunk(b"VP8L", lossless.len() as u32, &lossless))),
        ("b.webp", riff(&chunk(b"VP8 ", lossy.len() as u32, &lossy))),
        ("a.exr", exr),
        ("a.hdr", b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 2300 +X 2300\n\x02\x02".to_vec()),
    ] {
        std::fs::write(folder.path().join(name), file).expect("a file");
        let output = render(folder.path(), name, "out.npy");
        assert!(matches!(output.status.code(), Some(0 | 1)), "{name}: {}", output.status);
    }
}

/// The limits apply to headers, not to image sizes: a large image of each format is decoded.
#[test]
fn large_valid_images_are_decoded() {
    let folder = folder();
    let image = DynamicImage::ImageRgb8(ImageBuffer::from_fn(3000, 2000, |x, y| {
        image::Rgb([(x % 256) as u8, (y % 256) as u8, ((x ^ y) % 256) as u8])
    }));
    for (extension, format, _) in cases() {
        let Some(format) = format else { continue };
        let float = matches!(format, ImageFormat::OpenExr | ImageFormat::Hdr);
        let image = if float { DynamicImage::ImageRgb32F(image.to_rgb32f()) } else { image.clone() };
        let name = format!("large.{extension}");
        image.save_with_format(folder.path().join(&name), format).expect("a picture");
        let opened = lerpscope::image::open(&folder.path().join(&name)).expect("a picture");
        let size = opened.image.pages()[0].size();
        assert_eq!((size.width(), size.height()), (3000, 2000), "{name}");
    }
}
