//! `samples`: counts, lists, drawings, and errors in one line.

use serde_json::Value;

use super::{BASILICA, fail, folder, succeed};

fn text(options: &[&str]) -> String {
    String::from_utf8(succeed(folder().path(), options)).expect("text")
}

#[test]
fn photograph_keeps_its_samples_by_interpolating_kernels_and_by_prefiltered_splines() {
    let rows: Vec<Value> = serde_json::from_str(&text(&["samples", BASILICA, "--json"])).expect("an array");
    for row in &rows {
        let method = row["method"].as_str().expect("a name");
        let smooths = matches!(method, "bspline" | "mitchell") && row["prefilter"] == false;
        assert_eq!(row["kept"] == row["samples"], !smooths, "{row}");
    }
    assert_eq!(rows.len(), lerpscope::sampling::METHODS.len() + 1, "the B-spline comes without and with its prefilter");
}

#[test]
fn table_csv_list_and_curve_agree() {
    let options = ["samples", "synth:siemens-star:48x40", "--methods", "bspline,catmull-rom"];
    let with = |more: &[&str]| text(&[&options[..], more].concat());
    let rows: Vec<Value> = serde_json::from_str(&with(&["--json"])).expect("an array");
    let wrong = |row: &Value| row["samples"].as_u64().expect("a count") - row["kept"].as_u64().expect("a count");
    assert!(wrong(&rows[0]) > 0 && rows[1..].iter().all(|row| wrong(row) == 0), "{rows:?}");
    let list = with(&["--list"]);
    assert_eq!(list.lines().next(), Some("method,prefilter,x,y,channel,sample,value,error"));
    assert_eq!(list.lines().count() as u64, 1 + wrong(&rows[0]));
    let csv = with(&["--csv"]);
    assert_eq!(csv.lines().next(), Some("method,prefilter,samples,kept,largest,x,y,channel,sample,value"));
    let table = with(&[]);
    for (row, line) in rows.iter().zip(table.lines().skip(1)) {
        assert!(line.contains(&format!(" {} ", row["kept"])), "{line}");
    }
    assert!(table.ends_with("All samples are kept by bspline, prefilter; catmull-rom.\n"), "{table}");
    let curve = with(&["-o", "-"]);
    assert_eq!(curve.lines().next(), Some("method,prefilter,curve,source,error,share"));
    let first = curve.lines().nth(1).and_then(|line| line.rsplit(',').next()?.parse::<f64>().ok()).expect("a share");
    assert!((first - wrong(&rows[0]) as f64 / (48.0 * 40.0)).abs() < 1e-6, "{first}");
}

#[test]
fn drawings_are_written_and_wrong_options_are_one_line() {
    let folder = folder();
    for name in ["errors.svg", "errors.png", "errors.csv"] {
        succeed(folder.path(), &["samples", "synth:gaussian:20x20", "--methods", "bspline", "-o", name]);
        assert!(folder.path().join(name).metadata().expect("a file").len() > 200, "{name}");
    }
    let line =
        fail(folder.path(), &["samples", "synth:gaussian:20x20", "--path", "filtered", "--methods", "lanczos3"], 2);
    assert!(line.contains("path 'filtered' does not serve lanczos3"), "{line}");
    let line = fail(folder.path(), &["samples", "missing.pgm"], 1);
    assert!(line.contains("missing.pgm"), "{line}");
    let line = fail(folder.path(), &["samples", "synth:gaussian:20x20", "--page", "3"], 2);
    assert!(line.contains("page 3 is not among the image's 1"), "{line}");
}
