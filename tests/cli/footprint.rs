//! `footprint`: the arithmetic of a pixel as text, as JSON and as a chart.

use std::path::Path;

use super::{BASILICA, fail, folder, succeed};

fn json(folder: &Path, options: &[&str]) -> serde_json::Value {
    let text = succeed(folder, &[&["footprint"], options, &["--json"]].concat());
    serde_json::from_slice(&text).expect("JSON")
}

fn numbers(value: &serde_json::Value) -> Vec<f64> {
    value.as_array().expect("an array").iter().map(|number| number.as_f64().expect("a number")).collect()
}

#[test]
fn text_lists_every_step_with_the_numbers_of_the_image() {
    let folder = folder();
    std::fs::write(folder.path().join("row.pgm"), "P2\n4 1\n255\n10 20 30 80\n").expect("a file");
    let options = ["footprint", "row.pgm", "--pixel", "1,0", "--method", "catmull-rom", "--translate", "0.25,0"];
    let text = String::from_utf8(succeed(folder.path(), &options)).expect("text");
    assert_eq!(
        text,
        "\
pixel (1, 0), method catmull-rom

Position
  x = (1 − 4/2)·1 + 4/2 + 0.25 = 1.25
  y = (0 − 1/2)·1 + 1/2 + 0 = 0

Fraction
  m = ⌊x⌋ = 1, α = x − m = 0.25
  n = ⌊y⌋ = 0, β = y − n = 0

Weights
  w(x − k), k = 0 … 3: −0.0703, +0.8672, +0.2266, −0.0234; sum +1.0000
  w(y − k), k = −1 … 2: +0.0000, +1.0000, +0.0000, +0.0000; sum +1.0000

Indices
  k_x = 0, 1, 2, 3: all within 0 … 3
  k_y = −1, 0, 1, 2 → 0, 0, 0, 0 (clamp)

Row sums
  row −1: −0.070·10 +0.867·20 +0.227·30 −0.023·80 = 21.56
  row 0: −0.070·10 +0.867·20 +0.227·30 −0.023·80 = 21.56
  row 1: −0.070·10 +0.867·20 +0.227·30 −0.023·80 = 21.56
  row 2: −0.070·10 +0.867·20 +0.227·30 −0.023·80 = 21.56

Sum
  +0.000·21.56 +1.000·21.56 +0.000·21.56 +0.000·21.56 = 21.56

Display
  21.56 → rounded 22
"
    );
}

/// The value of a `.npy` file of single-precision numbers, one channel.
fn npy_value(path: &Path, index: usize) -> f64 {
    let bytes = std::fs::read(path).expect("a file");
    let header = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let at = header + 4 * index;
    f64::from(f32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes")))
}

#[test]
fn antiringing_acts_after_the_sum_and_leaves_out_what_is_shown_of_it() {
    let folder = folder();
    let options = [BASILICA, "--pixel", "7,5", "--method", "lanczos3", "--scale", "1/8"];
    let [plain, antiringed] =
        [&[][..], &["--antiring", "1"]].map(|more| json(folder.path(), &[&options[..], more].concat()));
    assert_eq!(plain["total"], antiringed["total"]);
    assert!(!plain["shown"].is_null() && antiringed["shown"].is_null(), "{antiringed}");
}

#[test]
fn total_is_the_rendered_value_on_exact_and_filtered_paths_and_turned_views() {
    let folder = folder();
    for view in [
        &["--method", "bspline", "--prefilter", "--scale", "1/8", "--translate", "-240,-250"][..],
        &["--method", "catmull-rom", "--path", "filtered", "--scale", "0.3", "--address", "wrap"],
        &["--method", "lanczos3", "--antialias", "--scale", "3.7", "--address", "mirror"],
        &["--method", "mitchell", "--rotate", "30", "--scale", "0.6"],
        &["--method", "linear", "--filter", "gaussian=1.5", "--scale", "0.4"],
    ] {
        let view = [view, &["--size", "40x30"]].concat();
        let render = ["render", BASILICA, "-o", "out.npy", "--depth", "float", "--backend", "cpu"];
        succeed(folder.path(), &[&render[..], &view].concat());
        let found = json(folder.path(), &[&[BASILICA, "--pixel", "17,11"], &view[..]].concat());
        let rendered = npy_value(&folder.path().join("out.npy"), 11 * 40 + 17);
        let total = numbers(&found["total"])[0];
        assert!((total - rendered).abs() < 2e-6, "{view:?}: {total} {rendered}");
        let rows: Vec<f64> = found["rows"].as_array().expect("rows").iter().map(|row| numbers(row)[0]).collect();
        let weights = found["taps"][1].as_array().expect("taps").iter().map(|tap| tap["weight"].as_f64());
        let sum: f64 = rows.iter().zip(weights).map(|(row, weight)| row * weight.expect("a weight")).sum();
        let fetches = [0, 1].map(|axis: usize| found["fetches"][axis].as_array().expect("fetches").clone());
        let is_filtered = view.contains(&"filtered");
        assert_eq!(fetches.each_ref().map(Vec::len), [if is_filtered { 3 } else { 0 }; 2]);
        // The total is that of fetches from an 8-bit texture, each at most half a step of 1/65535 from its value.
        assert_eq!(found["rounded"], is_filtered);
        let magnitude = |fetch: &serde_json::Value| fetch["weight"].as_f64().expect("a weight").abs();
        let [horizontal, vertical] = fetches.map(|axis| axis.iter().map(magnitude).sum::<f64>());
        let bound = 0.5 / 65535.0 * horizontal * vertical + 1e-12;
        assert!((sum - total).abs() <= bound, "{view:?}: {sum} {total}");
        assert_eq!((sum - total).abs() > 1e-12, is_filtered, "{view:?}: {sum} {total}");
    }
}

#[test]
fn difference_is_subtracted_in_the_step_of_the_display() {
    let folder = folder();
    let options = ["--pixel", "200,100", "--scale", "0.3", "--method", "catmull-rom", "--offset", "0.5"];
    let subtract = [&["footprint", BASILICA], &options[..], &["--subtract", "method=linear"]].concat();
    let text = String::from_utf8(succeed(folder.path(), &subtract)).expect("text");
    let display = text.split("Display\n").nth(1).expect("the step");
    assert!(display.contains(" − ") && display.contains(" + 127.50 = ") && display.contains("rounded"), "{display}");
    let render = [&["render", BASILICA, "-o", "out.pgm", "--backend", "cpu"], &options[2..]].concat();
    succeed(folder.path(), &[&render[..], &["--subtract", "method=linear"]].concat());
    let bytes = std::fs::read(folder.path().join("out.pgm")).expect("a file");
    let pixel = bytes[bytes.len() - 512 * 512 + 100 * 512 + 200];
    assert!(display.trim_end().ends_with(&format!("rounded {pixel}")), "{pixel}: {display}");
}

#[test]
fn chart_of_the_weights_is_written_in_every_format() {
    let folder = folder();
    let options = ["footprint", BASILICA, "--pixel", "200,100", "--scale", "0.3", "--method", "lanczos3", "-o"];
    for name in ["w.svg", "w.png", "w.csv"] {
        succeed(folder.path(), &[&options[..], &[name]].concat());
    }
    let svg = std::fs::read_to_string(folder.path().join("w.svg")).expect("text");
    assert!(svg.contains("Weights of pixel (200, 100)") && svg.contains("Kernel of Lanczos 3"), "{svg:.400}");
    let csv = succeed(folder.path(), &[&options[..], &["-"]].concat());
    assert_eq!(csv, std::fs::read(folder.path().join("w.csv")).expect("a file"));
    let csv = String::from_utf8(csv).expect("text");
    assert!(csv.starts_with("axis,curve,source,distance,weight\n"), "{csv:.80}");
    let along = |axis: &str| {
        let lines = csv.lines().filter(|line| line.starts_with(axis));
        lines.map(|line| line.rsplit(',').next().and_then(|w| w.parse::<f64>().ok()).expect("a weight")).sum::<f64>()
    };
    assert!((along("x,") - 1.0).abs() < 1e-8 && (along("y,") - 1.0).abs() < 1e-8);
}

#[test]
fn footprint_refuses_wrong_requests_in_one_line_with_exit_code_2() {
    let folder = folder();
    let said = |options: &[&str]| fail(folder.path(), &[&["footprint", BASILICA], options].concat(), 2);
    assert!(said(&["--pixel", "512,0"]).contains("pixel 512,0 is outside the output of 512×512 pixels"));
    assert!(said(&["--pixel", "1.5,0"]).contains("'1.5,0' is no pixel"));
    assert!(said(&["--pixel", "7"]).contains("'7' is no pixel"));
    assert!(said(&[]).contains("--pixel"));
    assert!(said(&["--pixel", "1,1", "--method", "truth"]).contains("no truth"));
    let wide = ["--pixel", "1,1", "--method", "lanczos4", "--antialias", "--scale", "40"];
    assert!(said(&wide).contains("322 samples wide"));
    assert!(said(&["--pixel", "1,1", "-o", "w.gif"]).contains("unknown extension"));
    assert!(said(&["--pixel", "1,1", "-o", "w.svg", "--json"]).contains("--json"));
}
