//! Decoders that panic, and images that do not fit the memory.

use std::process::Command;

use super::super::open_error::FORMATS;
use super::*;
use crate::memory::Memory;

/// Environment variable that makes the test's process its child.
const IS_CHILD: &str = "LERPSCOPE_TEST_DECODER_PANICS";

/// In a child process the decoder panics, then a thread; the parent reads the child's output.
#[test]
#[expect(clippy::print_stderr, reason = "the first process reads it")]
fn decoder_panic_is_one_line_and_other_panics_are_printed() {
    if std::env::var_os(IS_CHILD).is_some() {
        let decode = || -> Result<(), OpenError> { panic!("index out of bounds\nin somebody else's code") };
        let error = tif("a picture.tif").guarded(decode).expect_err("the decoder panics");
        eprintln!("told: {error}");
        assert!(tif("whole.tif").guarded(|| Ok(())).is_ok());
        std::thread::spawn(|| panic!("one of ours")).join().expect_err("the thread panics");
        return;
    }
    let test = "image::foreign::tests::decoder_panic_is_one_line_and_other_panics_are_printed";
    let this = std::env::current_exe().expect("the test's program");
    let output = Command::new(this).args(["--exact", test, "--nocapture"]).env(IS_CHILD, "1").output();
    let output = output.expect("the second process runs");
    let said = String::from_utf8(output.stderr).expect("text");
    assert!(output.status.success(), "{said}");
    assert!(said.lines().any(|line| line == "told: a picture.tif: is not a TIFF image: its signature is missing"));
    assert!(said.contains("one of ours") && !said.contains("somebody else"), "{said}");
}

fn tif(name: &str) -> ForeignFile<'_> {
    ForeignFile::new(name, (ImageFormat::Tiff, "TIFF"), &[], Memory::Machine)
}

/// The only page of a file.
fn decode_foreign(
    name: &str,
    row: (ImageFormat, &'static str),
    bytes: &[u8],
    memory: Memory,
) -> Result<Raster, OpenError> {
    let (mut pages, _) = ForeignFile::new(name, row, bytes, memory).decode()?;
    assert_eq!(pages.len(), 1);
    Ok(pages.remove(0))
}

/// File of this format with an image of 300 × 200 samples.
fn file_of(format: ImageFormat) -> Vec<u8> {
    let (width, height) = (300, 200);
    let picture = match format {
        ImageFormat::OpenExr | ImageFormat::Hdr => DynamicImage::new_rgb32f(width, height),
        ImageFormat::Farbfeld => DynamicImage::new_rgba16(width, height),
        _ => DynamicImage::new_rgb8(width, height),
    };
    let mut file = Cursor::new(Vec::new());
    picture.write_to(&mut file, format).expect("a format that can be written");
    file.into_inner()
}

#[test]
fn image_beyond_the_memory_is_refused_and_one_within_it_decoded_in_every_format() {
    for row in FORMATS {
        let file = file_of(row.0);
        let decode = |bytes| decode_foreign("a picture", row, &file, Memory::Bytes(bytes));
        let error = decode(100_000).expect_err("60,000 pixels of three samples take more");
        let OpenError::Memory { name, cause } = &error else { panic!("{}: {error}", row.1) };
        assert_eq!(name, "a picture");
        assert!(cause.largest.ends_with("samples take"), "{error}");
        let decoded = decode(cause.needed).unwrap_or_else(|error| panic!("{}: {error}", row.1));
        let bytes = match decoded.samples() {
            Samples::U8 { values, .. } => values.len(),
            Samples::U16 { values, .. } => 2 * values.len(),
            Samples::F32(values) => 4 * values.len(),
        };
        assert!(cause.needed >= bytes as u64, "{}", row.1);
        assert!(matches!(decode(cause.needed - 1), Err(OpenError::Memory { .. })), "{}", row.1);
    }
}

/// A TIFF with an orientation: the rotated image is made beside the decoded one.
#[test]
fn image_with_an_orientation_needs_memory_for_two() {
    let row = FORMATS[2];
    let mut file = Cursor::new(Vec::new());
    DynamicImage::new_rgb8(300, 200).write_to(&mut file, row.0).expect("a TIFF");
    let mut file = file.into_inner();
    let needed = |file: &[u8]| match decode_foreign("a picture", row, file, Memory::Bytes(100_000)) {
        Err(OpenError::Memory { cause, .. }) => cause.needed,
        other => panic!("{other:?}"),
    };
    let upright = needed(&file);
    set_orientation(&mut file);
    assert_eq!(needed(&file), 2 * upright);
}

/// Replaces the resolution unit tag by an orientation tag that turns the image.
fn set_orientation(file: &mut [u8]) {
    let word = |at: usize| u16::from_le_bytes([file[at], file[at + 1]]);
    let directory = u32::from_le_bytes([file[4], file[5], file[6], file[7]]) as usize;
    let entries = (0..usize::from(word(directory))).map(|index| directory + 2 + 12 * index);
    let entry = entries.into_iter().find(|&at| word(at) == 296).expect("a resolution unit");
    file[entry..entry + 2].copy_from_slice(&274_u16.to_le_bytes());
    file[entry + 8..entry + 10].copy_from_slice(&6_u16.to_le_bytes());
}
