//! `overshoot` and `render --antiring`: counts, drawings, pixels, errors in one line.

use serde_json::Value;

use super::{fail, folder, succeed};

const STAR: &str = "synth:siemens-star:64x64";

fn text(options: &[&str]) -> String {
    String::from_utf8(succeed(folder().path(), options)).expect("text")
}

fn rows(options: &[&str]) -> Vec<Value> {
    serde_json::from_str(&text(&[options, &["--json"]].concat())).expect("an array")
}

fn number(row: &Value, key: &str) -> f64 {
    row[key].as_f64().unwrap_or_else(|| panic!("{key} of {row}"))
}

#[test]
fn sharp_kernels_overshoot_and_smoothing_ones_do_not() {
    for row in rows(&["overshoot", STAR]) {
        let method = row["method"].as_str().expect("a name");
        let smooths = matches!(method, "nearest" | "linear") || method == "bspline" && row["prefilter"] == false;
        let beyond = number(&row, "over") + number(&row, "under");
        assert_eq!(beyond == 0.0, smooths, "{row}");
        assert!(smooths || number(&row, "largest_over") > 0.005 && number(&row, "largest_under") > 0.005, "{row}");
    }
}

#[test]
fn antiringing_scales_the_largest_overshoot_in_table_csv_and_curve() {
    let options = ["overshoot", STAR, "--methods", "catmull-rom,lanczos3"];
    let [none, half, all] = ["0", "0.5", "1"].map(|strength| rows(&[&options[..], &["--antiring", strength]].concat()));
    for ((none, half), all) in none.iter().zip(&half).zip(&all) {
        for key in ["largest_over", "largest_under"] {
            assert!((number(half, key) - 0.5 * number(none, key)).abs() < 1e-5, "{none} {half}");
            assert_eq!(number(all, key), 0.0, "{all}");
        }
    }
    let csv = text(&[&options[..], &["--csv"]].concat());
    assert_eq!((csv.lines().next().map(|line| line.split(',').count()), csv.lines().count()), (Some(12), 3));
    let table = text(&options);
    assert!(
        table.contains(&format!(" {} ", none[0]["over"])) && table.contains("The largest overshoot is that of "),
        "{table}"
    );
    let curve = text(&[&options[..], &["-o", "-"]].concat());
    assert_eq!(curve.lines().next(), Some("method,prefilter,antiring,curve,source,distance,share"));
    let first = |part: &str| {
        let line = curve.lines().find(|line| line.starts_with("catmull-rom") && line.contains(part)).expect("a line");
        line.rsplit(',').next().and_then(|share| share.parse::<f64>().ok()).expect("a share")
    };
    assert!((first(",over,") - number(&none[0], "over") / 4096.0).abs() < 1e-6);
    assert!((first(",under,") - number(&none[0], "under") / 4096.0).abs() < 1e-6);
}

#[test]
fn drawings_are_written_and_wrong_options_are_one_line() {
    let folder = folder();
    for name in ["overshoot.svg", "overshoot.png", "overshoot.csv"] {
        succeed(folder.path(), &["overshoot", STAR, "--methods", "keys=-1", "-o", name]);
        assert!(folder.path().join(name).metadata().expect("a file").len() > 200, "{name}");
    }
    let line = fail(folder.path(), &["overshoot", STAR, "--antiring", "2"], 2);
    assert!(line.contains("antiring must be between 0 and 1, not 2"), "{line}");
    let line = fail(folder.path(), &["overshoot", STAR, "--scale", "0"], 2);
    assert!(line.contains("scale 0"), "{line}");
    let line = fail(folder.path(), &["overshoot", "missing.pgm"], 1);
    assert!(line.contains("missing.pgm"), "{line}");
}

#[test]
fn rendered_antiringing_leaves_no_value_outside_0_and_1_and_subtract_takes_its_key() {
    let folder = folder();
    let values = |name: &str, options: &[&str]| {
        let render = ["render", STAR, "-o", name, "--depth", "float", "--method", "lanczos3", "--scale", "1/5"];
        succeed(folder.path(), &[&render[..], options].concat());
        let bytes = std::fs::read(folder.path().join(name)).expect("a file");
        let header = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
        bytes[header..].as_chunks::<4>().0.iter().map(|value| f32::from_le_bytes(*value)).collect::<Vec<f32>>()
    };
    let [plain, clamped] = [&["--size", "200x200"][..], &["--size", "200x200", "--antiring", "1"]]
        .map(|options| values("out.npy", options));
    assert!(plain.iter().any(|value| !(-0.05..=1.05).contains(value)));
    assert!(clamped.iter().all(|value| (0.0..=1.0).contains(value)));
    let difference = values("difference.npy", &["--size", "200x200", "--subtract", "antiring=1"]);
    for ((plain, clamped), difference) in plain.iter().zip(&clamped).zip(&difference) {
        assert_eq!(plain - clamped, *difference);
    }
}
