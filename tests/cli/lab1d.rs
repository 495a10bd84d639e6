//! `lab1d`: the tutorial's table, sources of samples, formats, and errors in one line.

use std::path::Path;

use super::{fail, folder, succeed};

/// A line of the CSV: method, prefilter, x, argument, texture, manual, exact.
type Line = (String, bool, f64, f64, Option<f64>, f64, f64);

fn lines(folder: &Path, options: &[&str]) -> Vec<Line> {
    let csv = succeed(folder, &[&["lab1d"], options, &["--csv"]].concat());
    csv::Reader::from_reader(&csv[..]).deserialize().map(|line| line.expect("a line")).collect()
}

/// The lines that listings 4 and 5 of document 000 print for listing 2, by hand: see the engine's test for the arithmetic.
#[test]
fn table_without_options_is_that_of_the_tutorials_listings() {
    let text = String::from_utf8(succeed(folder().path(), &["lab1d"])).expect("text");
    let rows: Vec<Vec<&str>> = text
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .filter(|cells| cells.len() == 6 && cells[0].parse::<f64>().is_ok())
        .collect();
    let expected = [
        ["-0.600000", "-0.100000", "0.000000", "0.000000", "0.000000", "0.0000000"],
        ["-0.100000", "0.400000", "0.000000", "0.000000", "0.000000", "0.0000000"],
        ["0.600000", "1.100000", "0.200000", "0.200000", "0.200000", "0.0000000"],
        ["1.500000", "2.000000", "0.400000", "0.400000", "0.400000", "0.0000000"],
        ["2.100000", "2.600000", "0.400000", "0.400000", "0.400000", "0.0000000"],
        ["2.900000", "3.400000", "0.600000", "0.600000", "0.600000", "0.0000000"],
        ["4.700000", "5.200000", "0.800000", "0.800000", "0.800000", "0.0000000"],
        ["-0.600000", "-0.100000", "0.000000", "0.000000", "0.000000", "0.0000000"],
        ["-0.100000", "0.400000", "0.000000", "0.000000", "0.000000", "0.0000000"],
        ["0.600000", "1.100000", "0.120313", "0.120000", "0.120000", "0.0003125"],
        ["1.500000", "2.000000", "0.300000", "0.300000", "0.300000", "0.0000000"],
        ["2.100000", "2.600000", "0.420313", "0.420000", "0.420000", "0.0003125"],
        ["2.900000", "3.400000", "0.579688", "0.580000", "0.580000", "-0.0003125"],
        ["4.700000", "5.200000", "0.800000", "0.800000", "0.800000", "0.0000000"],
    ];
    assert_eq!(rows, expected, "{text}");
    assert!(text.contains("5 samples: 0, 0.2, 0.4, 0.6, 0.8; address mode clamp"), "{text}");
}

#[test]
fn address_mode_and_prefilter_change_the_values_but_not_the_manual_clamp() {
    let folder = folder();
    let wrapped = lines(folder.path(), &["--address", "wrap", "--methods", "linear", "--points", "-1/4,4.5"]);
    // Between the last sample 0.8 and the first 0: 0.75·0 + 0.25·0.8 and the mean.
    for (line, exact) in wrapped.iter().zip([0.2, 0.4]) {
        assert!((line.6 - exact).abs() < 1e-12 && (line.4.expect("a texture") - exact).abs() < 1e-7, "{line:?}");
    }
    assert!(wrapped[0].5.abs() < 1e-7 && (wrapped[1].5 - 0.8).abs() < 1e-7, "manual values clamp");
    let both =
        lines(folder.path(), &["--methods", "bspline", "--prefilter", "both", "--samples", "0,1,0", "--points", "1"]);
    assert_eq!(both.iter().map(|line| line.1).collect::<Vec<_>>(), [false, true]);
    assert!((both[0].6 - 2.0 / 3.0).abs() < 1e-12 && (both[1].6 - 1.0).abs() < 1e-8, "{both:?}");
}

#[test]
fn samples_come_from_a_preset_a_list_or_a_line_of_an_image() {
    let folder = folder();
    let at = |options: &[&str]| lines(folder.path(), &[options, &["--methods", "nearest"]].concat());
    assert_eq!(
        at(&["--preset", "impulse", "--points", "3,4"]).iter().map(|line| line.6).collect::<Vec<_>>(),
        [0.0, 1.0]
    );
    assert_eq!(at(&["--preset", "runge", "--count", "3", "--points", "1"])[0].6, 1.0);
    assert_eq!(
        at(&["--samples", "-1,1/4", "--points", "0,1"]).iter().map(|line| line.6).collect::<Vec<_>>(),
        [-1.0, 0.25]
    );
    std::fs::write(folder.path().join("a.pgm"), "P2 3 2 10 0 1 2 3 4 5").expect("a file");
    let image = ["--image", "a.pgm", "--points", "0,1,2"];
    let row = at(&[&image[..], &["--through", "0,1"]].concat());
    assert_eq!(row.iter().map(|line| line.6).collect::<Vec<_>>(), [0.3, 0.4, 0.5]);
    let column = at(&[&image[..], &["--through", "2,0", "--along", "column"]].concat());
    assert_eq!(column.iter().map(|line| line.6).collect::<Vec<_>>(), [0.2, 0.5, 0.5]);
    std::fs::write(folder.path().join("c.ppm"), "P3 1 1 10 10 0 0").expect("a file");
    assert!((at(&["--image", "c.ppm", "--points", "0"])[0].6 - 0.3).abs() < 1e-12, "luminance");
}

#[test]
fn json_has_an_object_for_each_method_and_point() {
    let json = succeed(folder().path(), &["lab1d", "--methods", "linear,lanczos3", "--json"]);
    let rows: Vec<serde_json::Value> = serde_json::from_slice(&json).expect("JSON");
    assert_eq!(rows.len(), 14);
    assert_eq!(
        (&rows[2]["method"], rows[2]["x"].as_f64(), rows[2]["argument"].as_f64()),
        (&"linear".into(), Some(0.6), Some(1.1))
    );
    assert!((rows[2]["texture"].as_f64().expect("a number") - 0.120_312_5).abs() < 1e-7);
    assert!(rows[7]["texture"].is_null() && rows[7]["method"] == "lanczos3");
}

#[test]
fn lab1d_refuses_wrong_requests_in_one_line_with_exit_code_2() {
    let folder = folder();
    let said = |options: &[&str]| fail(folder.path(), &[&["lab1d"], options].concat(), 2);
    assert!(said(&["--samples", "0,x"]).contains("'x' is no number"));
    assert!(said(&["--samples", "1e7"]).contains("sample 0 is not between -1000000 and 1000000"));
    assert!(said(&["--samples", &vec!["0"; 65].join(",")]).contains("65 samples: a line has 1 to 64 of them"));
    assert!(said(&["--points", "1,inf"]).contains("'inf' is no number"));
    assert!(said(&["--count", "65"]).contains("65"));
    assert!(said(&["--preset", "saw"]).contains("saw"));
    assert!(said(&["--address", "edge"]).contains("edge"));
    assert!(said(&["--methods", "sharp"]).contains("sharp"));
    assert!(said(&["--samples", "1", "--preset", "step"]).contains("--preset"));
    assert!(said(&["--through", "1,1"]).contains("--image"));
    assert!(fail(folder.path(), &["lab1d", "--image", "missing.pgm"], 1).contains("missing.pgm"));
    std::fs::write(folder.path().join("a.pgm"), "P2 1 1 10 5").expect("a file");
    assert!(said(&["--image", "a.pgm", "--page", "2"]).contains("page 2"));
}

#[test]
fn curves_are_drawn_into_a_file_of_each_format() {
    let folder = folder();
    let options =
        ["lab1d", "--preset", "runge", "--methods", "linear,bspline", "--prefilter", "on", "--lagrange", "-o"];
    for name in ["runge.svg", "runge.png", "runge.csv"] {
        assert!(succeed(folder.path(), &[&options[..], &[name]].concat()).is_empty());
    }
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("text");
    let svg = read("runge.svg");
    for text in ["linear", "bspline, prefilter", "polynomial through all samples", "Runge: 1/(1 + 25t²)", "samples"] {
        assert!(svg.contains(text), "{text}");
    }
    assert!(svg.contains("The polynomial of degree 10 misses the function"), "{svg}");
    let csv = read("runge.csv");
    assert!(
        csv.starts_with("curve of,method,prefilter,curve,source,x,value\nlinear,linear,false,,computed,-3,"),
        "{csv:.200}"
    );
    assert!(csv.contains("\nsamples,,,,samples,5,1\n"), "the middle sample");
    let printed = succeed(folder.path(), &["lab1d", "--methods", "nearest", "-o", "-"]);
    assert!(String::from_utf8(printed).expect("text").contains("\nnearest,nearest,false,,at the points,0.6,0.2\n"));
    let said = fail(folder.path(), &["lab1d", "-o", "out.gif"], 2);
    assert!(said.contains("out.gif: unknown extension; plots are written as svg, png and csv"), "{said}");
    for option in ["--lagrange", "--slopes"] {
        assert!(fail(folder.path(), &["lab1d", option], 2).contains("--output"), "{option}");
    }
    let printed = succeed(folder.path(), &["lab1d", "--methods", "linear", "--points", "0.5", "--slopes", "-o", "-"]);
    let printed = String::from_utf8(printed).expect("text");
    assert!(
        printed.contains("\nlinear,linear,false,,slope,-0.5,") && printed.contains("between neighbours"),
        "{printed}"
    );
    assert!(
        fail(folder.path(), &["lab1d", "-o", "a.svg", "--size", "9x9"], 2).contains("each side is from 200 to 4000")
    );
}
