//! `figure`: layout of the sheet, its defaults, and errors in one line.

use std::path::Path;

use lerpscope::image::{self, Channels, Raster, Samples, Size};
use lerpscope::plots::CURVE_COLOURS;

use super::{fail, folder, succeed};

/// Distances on the sheet, in pixels: its margin, between pictures, and above each for its label.
const MARGIN: u32 = 16;
const GAP: u32 = 12;
const LABEL: u32 = 24;

fn write(folder: &Path, name: &str, size: [u32; 2], value: u8) {
    let size = Size::new(size[0], size[1]).expect("a size");
    let samples = Samples::U8 { values: vec![value; size.area()], maxval: 255 };
    image::save(&folder.join(name), &Raster::new(size, Channels::Grey, samples).expect("a raster")).expect("a file");
}

fn sheet(folder: &Path, options: &[&str]) -> Raster {
    succeed(folder, &[&["figure"], options, &["-o", "figure.png"]].concat());
    image::open(&folder.join("figure.png")).expect("a picture").image.pages()[0].raster().clone()
}

/// Whether all pixels of `size` from the corner on have the value.
fn is_filled(sheet: &Raster, [left, top]: [u32; 2], [width, height]: [u32; 2], value: f32) -> bool {
    (top..top + height).all(|row| (left..left + width).all(|column| sheet.number(column, row, 0) == value))
}

/// Number of dark pixels in a rectangle.
fn inked(sheet: &Raster, [left, top]: [u32; 2], [width, height]: [u32; 2]) -> usize {
    let pixels = (top..top + height).flat_map(|row| (left..left + width).map(move |column| (column, row)));
    pixels.filter(|&(column, row)| sheet.number(column, row, 0) < 128.0).count()
}

#[test]
fn pictures_are_in_rows_below_their_labels() {
    let folder = folder();
    for (name, value) in [("a.pgm", 40), ("b.pgm", 80), ("c.png", 120), ("d.pgm", 160), ("e.pgm", 200)] {
        write(folder.path(), name, [60, 40], value);
    }
    let five = ["a.pgm", "b.pgm", "c.png", "d.pgm", "e.pgm"];
    for (options, columns) in [(&[][..], 3), (&["--columns", "2"], 2), (&["--columns", "9"], 5)] {
        let sheet = sheet(folder.path(), &[&five[..], options].concat());
        assert_eq!(sheet.size().width(), 2 * MARGIN + columns * 60 + (columns - 1) * GAP, "{columns} columns");
        assert_eq!(sheet.channels(), Channels::Grey);
        for (index, value) in [40.0, 80.0, 120.0, 160.0, 200.0].into_iter().enumerate() {
            let (column, row) = (index as u32 % columns, index as u32 / columns);
            let corner = [MARGIN + column * (60 + GAP), MARGIN + LABEL + row * (40 + LABEL + GAP)];
            assert!(is_filled(&sheet, corner, [60, 40], value), "picture {index} of {columns} columns");
            assert!(inked(&sheet, [corner[0], corner[1] - LABEL], [60, LABEL]) > 4, "the file's name is its label");
        }
    }
    // Empty labels and no caption leave the pictures alone; a caption is below them.
    let plain = sheet(folder.path(), &["a.pgm", "--label", ""]);
    let whole = [plain.size().width(), MARGIN + LABEL];
    assert!(is_filled(&plain, [0, 0], whole, 255.0));
    let below = MARGIN + LABEL + 40;
    let rest = [plain.size().width(), plain.size().height() - below];
    assert!(is_filled(&plain, [0, below], rest, 255.0));
    let captioned = sheet(folder.path(), &["a.pgm", "--label", "", "--caption", "-words-"]);
    assert!(inked(&captioned, [0, below], rest) > 10);
    let large = sheet(folder.path(), &["a.pgm", "--times", "2"]);
    assert!(is_filled(&large, [2 * MARGIN, 2 * (MARGIN + LABEL)], [60, 40], 40.0));
}

#[test]
fn wipe_and_colour_bar_are_those_of_their_options() {
    let folder = folder();
    write(folder.path(), "a.pgm", [60, 40], 40);
    write(folder.path(), "b.pgm", [60, 40], 200);
    let wiped = sheet(folder.path(), &["a.pgm", "b.pgm", "--wipe", "x:1/4"]);
    assert_eq!(wiped.size().width(), 2 * MARGIN + 60, "one picture");
    assert!(is_filled(&wiped, [MARGIN, MARGIN + LABEL], [15, 40], 40.0));
    assert!(is_filled(&wiped, [MARGIN + 15, MARGIN + LABEL], [45, 40], 200.0));
    let wiped = sheet(folder.path(), &["a.pgm", "b.pgm", "--wipe", "y:0.5", "--label", "a above b"]);
    assert!(is_filled(&wiped, [MARGIN, MARGIN + LABEL], [60, 20], 40.0));
    assert!(is_filled(&wiped, [MARGIN, MARGIN + LABEL + 20], [60, 20], 200.0));
    let barred = sheet(folder.path(), &["a.pgm", "--bar", "grey:-25.5:25.5"]);
    assert_eq!((barred.channels(), barred.size().width()), (Channels::Grey, 2 * MARGIN + 60 + 85));
    let at = |row: u32| barred.number(MARGIN + 60 + 10 + 3, MARGIN + LABEL + row, 0);
    assert_eq!([at(0), at(39)], [255.0, 0.0], "white is above");
    let coloured = sheet(folder.path(), &["a.pgm", "--bar", "viridis:0:1"]);
    assert_eq!(coloured.channels(), Channels::Rgb);
}

/// Pages are pictures each; samples of 16 bits and transparent ones are those that the window shows.
#[test]
fn pages_depths_and_transparent_pixels_are_shown_as_bytes_on_white() {
    let folder = folder();
    let pages = "P2 2 2 1000\n0 500 500 1000\nP2 2 2 1000\n1000 1000 1000 1000\n";
    std::fs::write(folder.path().join("pages.pgm"), pages).expect("a file");
    let two = sheet(folder.path(), &["pages.pgm"]);
    assert_eq!(two.size().width(), 2 * MARGIN + 2 * 2 + GAP);
    let at = |column: u32, row: u32| two.number(MARGIN + column, MARGIN + LABEL + row, 0);
    assert_eq!([at(0, 0), at(1, 0), at(0, 1), at(1, 1)], [0.0, 128.0, 128.0, 255.0]);
    let size = Size::new(2, 2).expect("a size");
    let samples =
        Samples::U8 { values: [[0, 0, 0, 0], [255, 0, 0, 255], [0, 0, 0, 51], [9, 9, 9, 255]].concat(), maxval: 255 };
    let clear = Raster::new(size, Channels::Rgba, samples).expect("a raster");
    image::save(&folder.path().join("clear.png"), &clear).expect("a file");
    let clear = sheet(folder.path(), &["clear.png"]);
    let at =
        |column: u32, row: u32| [0, 1, 2].map(|channel| clear.number(MARGIN + column, MARGIN + LABEL + row, channel));
    assert_eq!([at(0, 0), at(1, 0), at(0, 1), at(1, 1)], [[255.0; 3], [255.0, 0.0, 0.0], [204.0; 3], [9.0; 3]]);
}

#[test]
fn errors_name_their_option_or_file_in_one_line() {
    let folder = folder();
    write(folder.path(), "a.pgm", [60, 40], 40);
    write(folder.path(), "small.pgm", [6, 4], 40);
    for (options, code, named) in [
        (&["a.pgm", "missing.pgm"][..], 1, "missing.pgm: does not exist"),
        (&["a.pgm", "small.pgm"], 1, "small.pgm: it has 6 × 4 pixels, but a.pgm has 60 × 40"),
        (&["a.pgm", "--label", "a", "--label", "b"], 2, "--label: 2 labels for 1 picture"),
        (&["a.pgm", "a.pgm", "--label", "a"], 2, "--label: 1 label for 2 pictures"),
        (&["a.pgm", "a.pgm", "a.pgm", "--wipe", "x:0.5"], 2, "--wipe: two pictures have a line between them, not 3"),
        (&["a.pgm", "a.pgm", "--wipe", "0.5"], 2, "'0.5' is no line"),
        (&["a.pgm", "a.pgm", "--wipe", "x:2"], 2, "'x:2' is no line"),
        (&["a.pgm", "--bar", "grey:1"], 2, "'grey:1' is no colour bar"),
        (&["a.pgm", "--bar", "jet:0:1"], 2, "there is no colour map 'jet'; there are grey,"),
        (&["a.pgm", "--columns", "0"], 2, "--columns"),
        (&["a.pgm", "--times", "0"], 2, "--times"),
        (&[], 2, "PICTURE"),
    ] {
        let line = fail(folder.path(), &[&["figure"], options, &["-o", "figure.png"]].concat(), code);
        assert!(line.contains(named), "{options:?}: {line}");
    }
    let line = fail(folder.path(), &["figure", "a.pgm", "--bar", "viridis:0:1", "-o", "figure.pgm"], 2);
    assert!(line.contains("figure.pgm: "), "{line}");
    let line = fail(folder.path(), &["figure", "a.pgm", "-o", "figure.xyz"], 2);
    assert!(line.contains("figure.xyz"), "{line}");
    assert!(!folder.path().join("figure.png").exists() && !folder.path().join("figure.pgm").exists());
}

#[test]
fn dot_before_a_number_of_a_label_has_the_colour_of_its_panel() {
    let folder = folder();
    write(folder.path(), "a.pgm", [200, 40], 40);
    let colours = |sheet: &Raster| -> Vec<[f32; 3]> {
        let places = (MARGIN..MARGIN + LABEL).flat_map(|y| (MARGIN..MARGIN + 200).map(move |x| (x, y)));
        places.map(|(x, y)| [0, 1, 2].map(|channel| sheet.number(x, y, channel))).collect()
    };
    let dotted = sheet(folder.path(), &["a.pgm", "--label", "●1  a | ●2  b"]);
    assert_eq!(dotted.channels(), Channels::Rgb);
    let found = colours(&dotted);
    // The colours of panels 1 and 2 on paper.
    for colour in &CURVE_COLOURS[..2] {
        let [_, rgb @ ..] = colour.to_be_bytes();
        let colour = rgb.map(f32::from);
        assert!(found.iter().filter(|pixel| **pixel == colour).count() >= 30, "{colour:?}");
    }
    for label in ["1  a", "● a", ""] {
        assert_eq!(sheet(folder.path(), &["a.pgm", "--label", label]).channels(), Channels::Grey, "{label}");
    }
    succeed(folder.path(), &["figure", "a.pgm", "--label", "●1  a", "-o", "figure.pgm"]);
    let grey = image::open(&folder.path().join("figure.pgm")).expect("a picture").image;
    assert!(inked(grey.pages()[0].raster(), [MARGIN, MARGIN], [40, LABEL]) > 4, "the number and the name");
}
