//! `measure`: columns, order, sources, formats, and errors in one line.

use std::path::Path;

use lerpscope::image::{self, Channels, Raster, Samples, Size};
use lerpscope::sampling::METHODS;
use serde_json::Value;

use super::{BASILICA, fail, folder, random_pgm, succeed};

fn text(folder: &Path, options: &[&str]) -> String {
    String::from_utf8(succeed(folder, &[&["measure"], options].concat())).expect("text")
}

/// Objects of `--json`.
fn rows(folder: &Path, options: &[&str]) -> Vec<Value> {
    serde_json::from_str(&text(folder, &[options, &["--json"]].concat())).expect("an array")
}

fn psnr(rows: &[Value], method: &str, prefilter: bool) -> f64 {
    let row = rows.iter().find(|row| row["method"] == method && row["prefilter"] == prefilter);
    row.and_then(|row| row["psnr"].as_f64()).unwrap_or_else(|| panic!("{method}, {prefilter}"))
}

#[test]
fn measure_of_the_zone_plate_ranks_the_methods_at_low_and_high_frequencies() {
    let folder = folder();
    for translate in [&[][..], &["--translate", "100,100"]] {
        let plate = ["--source", "zone-plate", "--samples", "256x256", "--scale", "0.125", "--methods", "all"];
        let rows = rows(folder.path(), &[&plate[..], translate].concat());
        assert_eq!(rows.len(), METHODS.len() + 1, "bspline without and with its prefilter");
        let order = [("bspline", true), ("catmull-rom", false), ("linear", false), ("nearest", false)];
        let values = order.map(|(method, prefilter)| psnr(&rows, method, prefilter));
        assert!(values.windows(2).all(|pair| pair[0] > pair[1]), "{values:?}");
        assert!(psnr(&rows, "bspline", false) < values[0]);
        let all: Vec<f64> = rows.iter().map(|row| row["psnr"].as_f64().expect("a number")).collect();
        assert!(all.is_sorted_by(|a, b| a >= b), "{all:?}");
        for row in &rows {
            let [psnr, rms, max] = ["psnr", "rms", "max"].map(|key| row[key].as_f64().expect("a number"));
            assert!((psnr + 20.0 * rms.log10()).abs() < 1e-9 && rms < max, "{row}");
            assert!((-1.0..=1.0).contains(&row["ssim"].as_f64().expect("a number")), "{row}");
            assert!(row["ms"].as_f64().is_some_and(|ms| ms > 0.0), "{row}");
        }
    }
}

const METHODS_OF_A_LIST: &str = "linear,bspline,cubic=0.2:0.4";

#[test]
fn measure_prints_the_same_numbers_as_table_json_and_csv() {
    let folder = folder();
    let view =
        ["--source", "synth:siemens-star:64x48", "--scale", "1/3", "--size", "192x144", "--methods", METHODS_OF_A_LIST];
    let rows = rows(folder.path(), &view);
    let csv = text(folder.path(), &[&view[..], &["--csv"]].concat());
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!((lines[0], lines.len()), ("method,prefilter,psnr,rms,max,ssim,ms", 5));
    let table = text(folder.path(), &view);
    assert!(table.starts_with("synth:siemens-star:64x48, 26980 of 27648 pixels between"), "{table}");
    for (row, line) in rows.iter().zip(csv::Reader::from_reader(csv.as_bytes()).records()) {
        let line = line.expect("a line");
        assert_eq!((row["method"].as_str(), row["prefilter"].to_string().as_str()), (Some(&line[0]), &line[1]));
        let printed = table.lines().find(|printed| {
            let switch = match (&line[0], &line[1]) {
                ("bspline", "true") => "on ",
                ("bspline", _) => "off ",
                _ => "",
            };
            printed.starts_with(&line[0]) && printed.contains(switch)
        });
        let printed = printed.expect("a row of the table");
        for (place, (key, decimals)) in [("psnr", 2), ("rms", 6), ("max", 6), ("ssim", 6)].into_iter().enumerate() {
            let number: f64 = line[place + 2].parse().expect("a number");
            assert!(row[key].as_f64().is_some_and(|of_json| (of_json - number).abs() < 1e-12), "{key} of {row}");
            assert!(printed.contains(&format!("{number:.decimals$}")), "{key} of {printed}");
        }
    }
}

#[test]
fn measure_of_an_identity_has_no_error_and_its_psnr_is_null_or_inf() {
    let folder = folder();
    let options = ["--source", "noise", "--samples", "16x16", "--methods", "catmull-rom"];
    let rows = rows(folder.path(), &options);
    assert_eq!(rows.len(), 1);
    assert_eq!((&rows[0]["psnr"], &rows[0]["rms"], &rows[0]["ssim"]), (&Value::Null, &0.0.into(), &1.0.into()));
    assert!(text(folder.path(), &[&options[..], &["--csv"]].concat()).contains("\ncatmull-rom,false,inf,0,0,1,"));
    // No window of 7 × 7 pixels.
    let small = ["--source", "noise", "--samples", "6x9", "--methods", "linear", "--csv"];
    assert!(text(folder.path(), &small).contains("\nlinear,false,inf,0,0,,"));
}

#[test]
fn measure_of_a_decimated_file_compares_with_its_original() {
    let folder = folder();
    for filter in ["box", "lanczos"] {
        let options = ["--source", BASILICA, "--decimate", "4", "--decimate-filter", filter];
        let rows = rows(folder.path(), &options);
        assert_eq!(rows.len(), METHODS.len() + 1);
        assert!(psnr(&rows, "lanczos3", false) > psnr(&rows, "nearest", false) + 1.0, "{rows:?}");
        let table = text(folder.path(), &options);
        let head = table.lines().next().expect("a line");
        assert!(head.contains(&format!("basilica.pgm decimated by 4 ({filter}), 258064 of 262144 pixels")), "{head}");
        assert!(head.ends_with("truth: the original"), "{head}");
    }
    // Colour: alpha is left out; the last column and row are no multiple of 2.
    let size = Size::new(21, 31).expect("a size");
    let values = (0..21 * 31 * 4).map(|k: u32| (k * 37 % 251) as u8).collect();
    let colour = Raster::new(size, Channels::Rgba, Samples::U8 { values, maxval: 255 }).expect("a raster");
    image::save(&folder.path().join("in.png"), &colour).expect("a file");
    let rows = rows(folder.path(), &["--source", "in.png", "--decimate", "2", "--methods", "linear"]);
    assert!((0.05..0.5).contains(&rows[0]["rms"].as_f64().expect("a number")), "{rows:?}");
}

#[test]
fn measure_respects_view_size_address_and_antialias() {
    let folder = folder();
    let of = |options: &[&str]| {
        let rows = rows(folder.path(), &[&["--source", "zone-plate", "--methods", "linear"], options].concat());
        psnr(&rows, "linear", false)
    };
    let plain = of(&["--scale", "2.6", "--size", "64x64"]);
    assert!(of(&["--scale", "2.6", "--size", "64x64", "--antialias"]) > plain + 1.0);
    assert_ne!(of(&["--scale", "2.6", "--size", "64x64", "--rotate", "20"]), plain);
    assert_ne!(of(&["--scale", "2.6", "--size", "32x64"]), plain);
    assert_ne!(of(&["--scale", "2.6", "--size", "64x64", "--translate", "0.3,0"]), plain);
    let edge = |address: &str| {
        let rows = rows(
            folder.path(),
            &[
                "--source",
                "chirp",
                "--methods",
                "catmull-rom",
                "--scale",
                "1/2",
                "--size",
                "512x512",
                "--address",
                address,
            ],
        );
        psnr(&rows, "catmull-rom", false)
    };
    assert_ne!(edge("clamp"), edge("border"));
    let usual = ["--source", "zone-plate", "--scale", "1/8", "--methods", "linear", "--csv"];
    let exact = text(folder.path(), &[&usual[..], &["--backend", "reference"]].concat());
    let value = |csv: &str| csv.lines().nth(1).and_then(|line| line.split(',').nth(2)?.parse::<f64>().ok());
    let [exact, cpu] = [exact, text(folder.path(), &usual)].map(|csv| value(&csv).expect("a number"));
    assert!((exact - cpu).abs() < 0.01, "{exact} {cpu}");
}

#[test]
fn measure_refuses_what_has_no_truth_or_no_pixel() {
    let folder = folder();
    std::fs::write(folder.path().join("in.pgm"), random_pgm(9, 9, 255)).expect("a file");
    let said = |options: &[&str], code| fail(folder.path(), &[&["measure", "--source"], options].concat(), code);
    assert!(said(&["in.pgm"], 2).contains("in.pgm has no formula: --decimate N"));
    assert!(said(&["none.pgm"], 1).contains("none.pgm"));
    assert!(said(&["none.pgm", "--decimate", "2"], 1).contains("none.pgm"));
    assert!(said(&["in.pgm", "--decimate", "10"], 2).contains("an image of 9×9 is decimated by 2 to 9, not by 10"));
    assert!(said(&["in.pgm", "--decimate", "2", "--page", "2"], 2).contains("page 2"));
    assert!(said(&["in.pgm", "--samples", "9x9"], 2).contains("--samples"));
    for option in ["--scale=2", "--translate=1,1", "--rotate=3", "--size=9x9"] {
        assert!(said(&["in.pgm", "--decimate", "2", option], 2).contains("cannot be used with"));
    }
    assert!(said(&["zone-plate", "--decimate-filter", "box"], 2).contains("--decimate"));
    assert!(
        said(&["zone-plate", "--translate", "1000,0"], 2).contains("no pixel of the view lies between the samples")
    );
    assert!(said(&["zone-plate", "--methods", "linear,cubic"], 2).contains("cubic=B,C"));
    assert!(said(&["zone-plate", "--methods", "linear,lerp"], 2).contains("twice"));
    assert!(said(&["zone-plate", "--samples", "0x9"], 2).contains("0x9"));
    assert!(said(&["zone-plate", "--samples", "16385x16384"], 2).contains("exceed"));
    assert!(said(&["zone-plate", "--json", "--csv"], 2).contains("--csv"));
    assert!(said(&["synth:julia:9x9"], 2).contains("julia"));
    let narrow = ["zone-plate", "--scale", "2", "--antialias", "--blur", "0.1", "--methods", "catmull-rom"];
    assert!(said(&narrow, 2).contains("weights cancel"));
    assert!(fail(folder.path(), &["measure"], 2).contains("--source"));
}

/// The texture unit's weights of 1/256 are an error of their own; exact paths agree.
#[test]
fn measure_by_the_texture_units_path_leaves_out_what_it_does_not_serve() {
    let folder = folder();
    let plate = ["--source", "gaussian", "--samples", "64x64", "--scale", "1/7"];
    let exact = rows(folder.path(), &plate);
    let lookup = rows(folder.path(), &[&plate[..], &["--path", "lookup"]].concat());
    let run = super::run(folder.path(), &[&["measure", "--json", "--path", "filtered"], &plate[..]].concat());
    let said = String::from_utf8(run.stderr).expect("UTF-8");
    assert!(
        said.starts_with("lerpscope: path 'filtered' does not serve mitchell, lanczos2, lanczos3 and lanczos4"),
        "{said}"
    );
    let filtered: Vec<Value> = serde_json::from_slice(&run.stdout).expect("an array");
    let names = |rows: &[Value]| -> Vec<String> {
        let mut names: Vec<String> = rows.iter().map(|row| format!("{} {}", row["method"], row["prefilter"])).collect();
        names.sort();
        names
    };
    let served = ["bspline\" false", "bspline\" true", "catmull-rom\" false", "linear\" false", "nearest\" false"];
    assert_eq!(names(&filtered), served.map(|name| format!("\"{name}")));
    assert_eq!(names(&lookup), names(&exact));
    assert!((psnr(&lookup, "bspline", true) - psnr(&exact, "bspline", true)).abs() < 0.1);
    assert!(psnr(&filtered, "bspline", true) < psnr(&exact, "bspline", true) - 3.0, "{filtered:?}");
    let error = fail(
        folder.path(),
        &[&["measure"], &plate[..], &["--methods", "mitchell,lanczos3", "--path", "filtered"]].concat(),
        2,
    );
    assert!(error.contains("path 'filtered' does not serve mitchell and lanczos3"), "{error}");
}

/// Quality against cost is a drawing of the rows: a dot for each, named beside it.
#[test]
fn measure_draws_quality_against_cost_with_a_named_dot_for_each_row() {
    let folder = folder();
    let methods = "nearest,linear,catmull-rom,bspline";
    let options = ["--source", "zone-plate", "--samples", "64x64", "--scale", "1/8", "--methods", methods];
    for name in ["q.svg", "q.csv", "q.png"] {
        text(folder.path(), &[&options[..], &["-o", name]].concat());
    }
    let svg = std::fs::read_to_string(folder.path().join("q.svg")).expect("a drawing");
    let circles = svg.matches("<circle").count();
    assert_eq!(circles, 5, "bspline without and with its prefilter");
    for name in ["nearest", "linear", "catmull-rom"] {
        assert!(svg.contains(name), "{name}");
    }
    assert!(svg.contains("in dB") && svg.contains("in ms") && svg.contains("Quality against cost"));
    let csv = std::fs::read_to_string(folder.path().join("q.csv")).expect("a table");
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("method,prefilter,curve,source,ms,psnr"));
    assert_eq!(lines.count(), 5);
    let refused = fail(folder.path(), &["measure", "--source", "zone-plate", "-o", "q.jpg"], 2);
    assert!(refused.contains("q.jpg: unknown extension"), "{refused}");
}
