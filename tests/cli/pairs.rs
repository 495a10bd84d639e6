//! `pairs`: the numbers of `measure`, formats, and errors in one line.

use std::path::Path;

use lerpscope::sampling::METHODS;
use serde_json::Value;

use super::{BASILICA, fail, folder, succeed};

fn text(folder: &Path, options: &[&str]) -> String {
    String::from_utf8(succeed(folder, options)).expect("text")
}

fn rows(folder: &Path, options: &[&str]) -> Vec<Value> {
    serde_json::from_str(&text(folder, &[options, &["--json"]].concat())).expect("an array")
}

/// `measure` agrees with scikit-image (tests/quality.rs). Its decimation by a box is that of the widened nearest sample.
#[test]
fn pairs_have_the_errors_that_measure_has_for_a_decimated_image() {
    let folder = folder();
    let methods = "nearest,linear,bspline,catmull-rom,lanczos3";
    let pairs = rows(folder.path(), &["pairs", BASILICA, "--factor", "4", "--methods", methods]);
    assert_eq!(pairs.len(), 5 * 6, "bspline enlarges without and with its prefilter");
    for (down, filter) in [("nearest", "box"), ("lanczos3", "lanczos")] {
        let measure =
            ["measure", "--source", BASILICA, "--decimate", "4", "--decimate-filter", filter, "--methods", methods];
        for measured in rows(folder.path(), &measure) {
            let is_pair = |row: &&Value| {
                row["down"] == down && row["up"] == measured["method"] && row["prefilter"] == measured["prefilter"]
            };
            let pair = pairs.iter().find(is_pair).unwrap_or_else(|| panic!("{down} {measured}"));
            for key in ["psnr", "rms", "max", "ssim"] {
                let [a, b] = [pair, &measured].map(|row| row[key].as_f64().expect("a number"));
                assert!((a - b).abs() < 1e-9, "{key} of {pair} and {measured}");
            }
        }
    }
}

#[test]
fn pairs_print_the_same_numbers_as_table_csv_and_plot() {
    let folder = folder();
    let options = ["pairs", "synth:siemens-star:96x72", "--factor", "3", "--methods", "linear,catmull-rom,lanczos3"];
    let rows = rows(folder.path(), &options);
    let csv = text(folder.path(), &[&options[..], &["--csv"]].concat());
    assert_eq!((csv.lines().next(), csv.lines().count()), (Some("down,up,prefilter,psnr,rms,max,ssim"), 10));
    let table = text(folder.path(), &options);
    assert!(table.starts_with("PSNR, 96×72 pixels reduced by 3: rows reduce, columns enlarge\n"), "{table}");
    let plot = text(folder.path(), &[&options[..], &["-o", "-"]].concat());
    assert_eq!(plot.lines().next(), Some("down,curve,source,up,psnr"));
    let psnr = |row: &Value| row["psnr"].as_f64().expect("a number");
    for (place, row) in rows.iter().enumerate() {
        let line = table.lines().nth(2 + place / 3).expect("a row");
        let cell = line.split_whitespace().nth(1 + place % 3).expect("a cell");
        assert_eq!(cell, format!("{:.2}", psnr(row)), "{line}");
        let point = plot.lines().nth(1 + place).and_then(|line| line.rsplit(',').next()?.parse::<f64>().ok());
        assert!(point.is_some_and(|y| (y - psnr(row)).abs() < 1e-6), "{place}: {point:?}");
    }
    let best = rows.iter().max_by(|a, b| psnr(a).total_cmp(&psnr(b))).expect("a pair");
    let [down, up] = ["down", "up"].map(|key| best[key].as_str().expect("a name"));
    assert!(table.contains(&format!("with {down} and enlarged with {up}, the least is lost")), "{table}");
    let ssim = text(folder.path(), &[&options[..], &["--measure", "ssim"]].concat());
    assert!(ssim.contains(&format!("{:.4}", rows[0]["ssim"].as_f64().expect("a number"))), "{ssim}");
    for file in ["pairs.svg", "pairs.png"] {
        text(folder.path(), &[&options[..], &["-o", file]].concat());
        assert!(std::fs::metadata(folder.path().join(file)).is_ok_and(|file| file.len() > 1000), "{file}");
    }
}

#[test]
fn pairs_of_all_methods_are_measured_and_wrong_factors_are_named() {
    let folder = folder();
    let all = rows(folder.path(), &["pairs", "synth:zone-plate:64x64"]);
    assert_eq!(all.len(), METHODS.len() * (METHODS.len() + 1));
    let wrong = |factor: &str| fail(folder.path(), &["pairs", "synth:zone-plate:64x64", "--factor", factor], 2);
    for factor in ["0", "1", "65"] {
        assert!(wrong(factor).contains("is decimated by 2 to 64, not by"), "{}", wrong(factor));
    }
    assert!(fail(folder.path(), &["pairs", "none.png"], 1).contains("none.png"));
    assert!(
        fail(folder.path(), &["pairs", "synth:zone-plate:64x64", "-o", "p.gif"], 2)
            .contains("p.gif: unknown extension")
    );
}

#[test]
fn sorted_pairs_are_the_same_pairs_with_the_kernels_of_the_best_first() {
    let folder = folder();
    let options = ["pairs", "synth:siemens-star:96x96", "--methods", "nearest,linear,bspline,lanczos3"];
    let key = |row: &Value| [row["down"].to_string(), row["up"].to_string(), row["prefilter"].to_string()];
    for measure in ["psnr", "ssim"] {
        let plain = rows(folder.path(), &[&options[..], &["--measure", measure]].concat());
        let sorted = rows(folder.path(), &[&options[..], &["--measure", measure, "--sort"]].concat());
        assert_eq!(sorted.len(), 4 * 5);
        for row in &plain {
            assert!(sorted.contains(row), "{row}");
        }
        let value = |row: &Value| row[measure].as_f64().expect("a number");
        let best_down: Vec<f64> = sorted.chunks(5).map(|row| row.iter().map(value).fold(f64::MIN, f64::max)).collect();
        let best_up: Vec<f64> =
            (0..5).map(|up| sorted.chunks(5).map(|row| value(&row[up])).fold(f64::MIN, f64::max)).collect();
        for best in [best_down, best_up] {
            assert!(best.is_sorted_by(|a, b| a >= b), "{measure}: {best:?}");
        }
        assert_ne!(plain.iter().map(key).collect::<Vec<_>>(), sorted.iter().map(key).collect::<Vec<_>>());
    }
}
