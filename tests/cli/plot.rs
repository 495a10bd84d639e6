//! `plot`: kinds from the rows, numbers, drawings, and errors in one line.

use std::f64::consts::PI;
use std::path::Path;

use lerpscope::image::{self, Channels, Size};
use lerpscope::plots::{PLOT_FORMATS, PLOT_KINDS};
use lerpscope::sampling::METHODS;

use super::{fail, folder, run, succeed};

/// A line of the CSV: filter, method, prefilter, curve, source, x, y.
type Line = (String, String, String, String, String, f64, f64);

fn lines(folder: &Path, options: &[&str]) -> Vec<Line> {
    let csv = succeed(folder, &[&["plot"], options, &["--backend", "cpu", "-o", "-"]].concat());
    csv::Reader::from_reader(&csv[..]).deserialize().map(|line| line.expect("a line")).collect()
}

#[test]
fn plot_help_lists_the_kinds_and_the_formats() {
    let help = String::from_utf8(succeed(folder().path(), &["plot", "--help"])).expect("text");
    for row in &PLOT_KINDS {
        assert!(help.contains(&format!("- {}:", row.name)), "{help}");
    }
    assert!(PLOT_FORMATS.iter().all(|row| help.contains(&format!(".{}", row.name))), "{help}");
}

#[test]
fn measured_and_computed_frequency_responses_are_the_closed_forms() {
    let folder = folder();
    let lines = lines(folder.path(), &["response", "--methods", "nearest,linear,bspline"]);
    let sinc = |x: f64| if x == 0.0 { 1.0 } else { (PI * x).sin() / (PI * x) };
    let mut sources = [0; 2];
    for (_, method, _, _, source, frequency, magnitude) in &lines {
        let power = match method.as_str() {
            "nearest" => 1,
            "linear" => 2,
            _ => 4,
        };
        let error = (sinc(*frequency).powi(power).abs() - magnitude).abs();
        let is_measured = source == "measured";
        assert!(error < if is_measured { 1e-3 } else { 2e-9 }, "{method} at {frequency}: {magnitude}, {source}");
        sources[usize::from(is_measured)] += 1;
    }
    assert_eq!(sources, [3 * 401, 3 * 51]);
}

#[test]
fn prefilter_of_a_plot_is_off_on_or_both() {
    let folder = folder();
    for (when, expected) in [("off", &["false"][..]), ("on", &["true"]), ("both", &["false", "true"])] {
        let lines = lines(folder.path(), &["kernel", "--methods", "bspline", "--prefilter", when]);
        let mut found: Vec<&str> = lines.iter().map(|line| line.2.as_str()).collect();
        found.dedup();
        assert_eq!(found, expected, "{when}");
    }
    let linear = lines(folder.path(), &["kernel", "--methods", "linear", "--prefilter", "both"]);
    assert!(linear.iter().all(|line| line.2 == "false"), "linear has no prefilter");
}

#[test]
fn prefiltered_impulse_response_is_one_at_its_sample_and_zero_at_the_others() {
    let lines = lines(folder().path(), &["impulse", "--methods", "bspline", "--prefilter", "on"]);
    let whole: Vec<_> = lines.iter().filter(|line| line.4 == "computed" && line.5.fract() == 0.0).collect();
    assert!(whole.len() > 20, "{}", whole.len());
    for (.., distance, value) in whole {
        assert!((value - f64::from(u8::from(*distance == 0.0))).abs() < 1e-8, "{distance}: {value}");
    }
}

#[test]
fn every_kind_is_written_in_every_format() {
    let folder = folder();
    for row in &PLOT_KINDS {
        for format in &PLOT_FORMATS {
            let name = format!("{}.{}", row.name, format.name);
            let options = ["--methods", "all", "--prefilter", "both", "--backend", "cpu", "--size", "480x320", "-o"];
            succeed(folder.path(), &[&["plot", row.name][..], &options, &[&name]].concat());
        }
        let read = |extension: &str| {
            std::fs::read_to_string(folder.path().join(format!("{}.{extension}", row.name))).expect("text")
        };
        let svg = read("svg");
        assert!(svg.starts_with("<svg width=\"480\" height=\"320\" viewBox=\"0 0 4800 3200\""), "{svg:.200}");
        assert!(svg.trim_end().ends_with("</svg>") && svg.contains(row.title), "{}", row.name);
        for text in METHODS.iter().map(|row| row.name).chain(["bspline, prefilter", row.x.label, row.y.label]) {
            assert!(svg.contains(text), "{}: {text}", row.name);
        }
        assert_eq!(svg.contains("measured"), row.is_measured, "{}", row.name);
        let png = image::open(&folder.path().join(format!("{}.png", row.name))).expect("a picture").image;
        let page = png.page(0).expect("a page");
        assert_eq!((page.size(), page.channels()), (Size::new(960, 640).expect("a size"), Channels::Rgb));
        let head = read("csv").lines().next().unwrap_or_default().to_owned();
        assert_eq!(head, format!("filter,method,prefilter,curve,source,{},{}", row.x.name, row.y.name));
    }
}

#[test]
fn curves_of_a_drawing_end_at_the_edge_of_its_frame() {
    let folder = folder();
    // The quintic B-spline is below −80 dB, the frame's lower edge, for half of the frequencies.
    let options = ["response-db", "--methods", "nearest,bspline=5", "--backend", "cpu", "--size", "400x300"];
    succeed(folder.path(), &[&["plot"], &options[..], &["-o", "db.svg"]].concat());
    let svg = std::fs::read_to_string(folder.path().join("db.svg")).expect("text");
    let lists = svg.split(" points=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let points = lists.flat_map(str::split_whitespace).map(|point| {
        let (x, y) = point.split_once(',').expect("a pair");
        [x, y].map(|number| number.parse::<i32>().expect("a number"))
    });
    let points: Vec<[i32; 2]> = points.collect();
    assert!(points.len() > 300 && points.iter().all(|[x, y]| (0..4000).contains(x) && (370..2930).contains(y)));
    let mut rows = std::collections::BTreeMap::new();
    points.iter().for_each(|[_, y]| *rows.entry(*y).or_insert(0) += 1);
    let most = rows.values().max().expect("a point");
    assert!(*most < 40, "{most} points in one row: a curve along the edge");
}

#[test]
fn conclusion_of_the_fractions_is_written_below_them() {
    let folder = folder();
    succeed(folder.path(), &["plot", "fractions", "--methods", "linear,catmull-rom", "-o", "fractions.svg"]);
    let svg = std::fs::read_to_string(folder.path().join("fractions.svg")).expect("text");
    assert!(svg.contains("linear stays within 0 … 1") && svg.contains("w1/(w0+w1)"), "{svg}");
}

#[test]
fn plot_refuses_wrong_requests_in_one_line_with_exit_code_2() {
    let folder = folder();
    let said = |options: &[&str]| fail(folder.path(), &[&["plot"], options].concat(), 2);
    assert!(
        said(&["response", "-o", "out.gif"])
            .contains("out.gif: unknown extension; plots are written as svg, png and csv")
    );
    assert!(said(&["response", "-o", "out"]).contains("unknown extension"));
    assert!(said(&["spectrum", "-o", "out.svg"]).contains("'spectrum'"));
    assert!(said(&["kernel", "--methods", "linear,lerp", "-o", "out.svg"]).contains("twice"));
    assert!(said(&["kernel", "--methods", "sharp", "-o", "out.svg"]).contains("sharp"));
    assert!(said(&["kernel", "--prefilter", "maybe", "-o", "out.svg"]).contains("maybe"));
    assert!(said(&["kernel", "--path", "filtered", "-o", "out.svg"]).contains("does not serve method 'mitchell'"));
    assert!(said(&["kernel", "--size", "10x10", "-o", "out.svg"]).contains("each side is from 200 to 4000"));
    assert!(said(&["kernel"]).contains("--output"));
    assert_eq!(std::fs::read_dir(folder.path()).expect("the folder").count(), 0, "nothing is written");
    std::fs::create_dir(folder.path().join("taken.svg")).expect("a folder");
    assert!(fail(folder.path(), &["plot", "kernel", "-o", "taken.svg"], 1).contains("taken.svg: is a folder"));
    assert_eq!(run(folder.path(), &["plot", "kernel", "-o", "/nowhere/x.svg"]).status.code(), Some(1));
}
