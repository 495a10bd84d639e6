//! `identify`: the report, JSON, plots, and errors in one line.

use std::path::Path;

use serde_json::Value;

use super::{fail, folder, run_with, succeed};

fn golden(name: &str) -> String {
    format!("{}/tests/golden/resized/{name}.png", env!("CARGO_MANIFEST_DIR"))
}

fn text(folder: &Path, options: &[&str]) -> String {
    String::from_utf8(succeed(folder, &[&["identify"], options].concat())).expect("text")
}

#[test]
fn report_and_json_name_the_kernel_and_the_program() {
    let folder = folder();
    let [source, output] = ["source-96x80", "opencv-cubic-131x117"].map(golden);
    let report = text(folder.path(), &[&source, &output]);
    let line =
        |name: &str| report.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_else(|| panic!("{report}"));
    assert_eq!(line("kernel    "), "Keys' cubic, a = −0.75");
    assert_eq!(line("positions "), "pixel areas coincide: x = (i + ½)·s − ½");
    assert_eq!(line("edges     "), "the edge sample is repeated");
    assert!(line("sure      ").starts_with("certain: the next, "), "{report}");
    assert!(line("as in     ").starts_with("OpenCV, resize(…, INTER_CUBIC)"), "{report}");
    let json: Value = serde_json::from_str(&text(folder.path(), &[&source, &output, "--json"])).expect("an object");
    assert_eq!((&json["fits"], &json["certainty"]), (&Value::from(true), &Value::from("certain")));
    assert_eq!(json["best"]["method"], "cubic=0,0.75");
    assert_eq!(json["best"]["convention"], "centres");
    assert_eq!(json["rounding"], "nearest");
    assert!(json["best"]["fitted"][1]["value"].as_f64().is_some_and(|c| (c - 0.75).abs() < 0.005), "{json}");
    let scaled = text(folder.path(), &[&source, &output, "--scale", "0.7328"]);
    assert!(scaled.contains("0.7328 samples per pixel"), "{scaled}");
}

#[test]
fn plot_has_the_recovered_dots_and_the_named_curve_in_every_format() {
    let folder = folder();
    let [source, output] = ["source-96x80", "pillow-bicubic-131x117"].map(golden);
    let csv = text(folder.path(), &[&source, &output, "-o", "-"]);
    assert_eq!(csv.lines().next(), Some("kernel,rms,curve,source,distance,weight"));
    let rows: Vec<Vec<&str>> = csv.lines().skip(1).map(|line| line.rsplitn(6, ',').collect()).collect();
    let weight = |source: &str, distance: &str| {
        let row = rows.iter().find(|row| row[2] == source && row[1] == distance);
        row.and_then(|row| row[0].parse::<f64>().ok()).unwrap_or_else(|| panic!("{source} at {distance}"))
    };
    assert_eq!(weight("named", "0"), 1.0);
    assert_eq!(weight("named", "-0.5"), 0.5625);
    assert!((weight("recovered", "0.5") - 0.5625).abs() < 0.02);
    assert!((weight("recovered", "-1.5") + 0.0625).abs() < 0.02);
    for file in ["k.svg", "k.png", "k.csv"] {
        let report = text(folder.path(), &[&source, &output, "-o", file]);
        assert!(report.contains("Catmull-Rom"), "{report}");
        assert!(std::fs::metadata(folder.path().join(file)).is_ok_and(|file| file.len() > 1000), "{file}");
    }
    let svg = std::fs::read_to_string(folder.path().join("k.svg")).expect("text");
    assert!(svg.contains("Recovered kernel") && svg.contains("recovered"), "no title");
}

#[test]
fn wrong_pictures_and_options_are_one_line_that_names_them() {
    let folder = folder();
    let [source, output] = ["source-96x80", "opencv-cubic-131x117"].map(golden);
    let identify = |options: &[&str], code: i32| fail(folder.path(), &[&["identify"], options].concat(), code);
    assert!(identify(&["none.png", &output], 1).contains("none.png"));
    let equal = identify(&[&source, &source], 1);
    assert!(equal.contains("source-96x80.png: source and output are equal, 96×80 pixels"), "{equal}");
    let small = identify(&[&source, "synth:chirp:5x5"], 1);
    assert!(small.contains("synth:chirp:5x5: the output of 5×5 pixels is too small"), "{small}");
    assert!(identify(&[&source, &output, "--scale", "0"], 2).contains("scale must be between 1/64 and 64"));
    assert!(identify(&[&source, &output, "-o", "k.gif"], 2).contains("k.gif: unknown extension"));
    assert!(identify(&[&source, &output, "--json", "-o", "-"], 2).contains("both print"));
    assert!(identify(&["-", "-"], 2).contains("standard input is one picture"));
    assert!(identify(&[&source, &output, "--page", "2"], 2).contains("page 2"));
    assert!(identify(&[&source], 2).contains("OUTPUT"));
    let bytes = std::fs::read(golden("opencv-cubic-131x117")).expect("a file");
    let piped = run_with(folder.path(), &["identify", &source, "-"], &bytes);
    assert!(String::from_utf8_lossy(&piped.stdout).contains("INTER_CUBIC"), "{piped:?}");
}
