//! `rotations`: ranking, formats, references, and errors in one line.

use serde_json::Value;

use super::{BASILICA, fail, folder, succeed};

const METHODS: [&str; 2] = ["--methods", "nearest,linear,catmull-rom,bspline"];

fn text(folder: &std::path::Path, options: &[&str]) -> String {
    String::from_utf8(succeed(folder, &[&["rotations"], options].concat())).expect("text")
}

#[test]
fn rotations_of_a_star_rank_the_methods_as_published_in_table_json_and_csv() {
    let folder = folder();
    let star = [&["synth:siemens-star:128x128"], &METHODS[..]].concat();
    let table = text(folder.path(), &star);
    let lines: Vec<&str> = table.lines().collect();
    assert!(lines[0].starts_with("synth:siemens-star:128x128, 15 turns of 24 degrees, 128×128 samples"), "{table}");
    let names: Vec<&str> = lines[2..].iter().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names, ["bspline", "catmull-rom", "linear", "bspline", "nearest"], "{table}");
    let rows: Vec<Value> =
        serde_json::from_str(&text(folder.path(), &[&star[..], &["--json"]].concat())).expect("rows");
    assert_eq!(rows.len(), 5 * 15);
    assert!(rows.iter().all(|row| row["reference"] == if row["turn"] == 15 { "samples" } else { "formula" }));
    let csv = text(folder.path(), &[&star[..], &["--csv"]].concat());
    assert!(csv.starts_with("method,prefilter,turn,psnr,rms,max,ssim,reference\nnearest,false,1,"), "{csv}");
    assert_eq!(csv.lines().count(), 1 + 5 * 15);
    for (row, line) in rows.iter().zip(csv.lines().skip(1)) {
        let psnr: f64 = line.split(',').nth(3).and_then(|cell| cell.parse().ok()).expect("a number");
        assert!((row["psnr"].as_f64().expect("a number") - psnr).abs() < 1e-9, "{line}");
    }
}

#[test]
fn rotations_of_a_file_are_drawn_and_have_one_turn_as_their_reference() {
    let folder = folder();
    let file = [BASILICA, "--side", "64", "--turns", "6", "--methods", "linear"];
    assert_eq!(text(folder.path(), &[&file[..], &["-o", "curve.svg"]].concat()), "");
    let svg = std::fs::read_to_string(folder.path().join("curve.svg")).expect("a drawing");
    assert!(svg.contains("6 turns of 60°") && svg.contains("PSNR, in dB"), "{svg}");
    let csv = text(folder.path(), &[&file[..], &["--csv"]].concat());
    let references: Vec<&str> = csv.lines().skip(1).filter_map(|line| line.rsplit(',').next()).collect();
    assert_eq!(references, ["one-turn", "one-turn", "samples", "one-turn", "one-turn", "samples"]);
    let curve = text(folder.path(), &[&file[..], &["-o", "-"]].concat());
    assert!(curve.starts_with("method,prefilter,curve,source,turns,psnr\nlinear,false,,all turns,1,"), "{curve}");
}

#[test]
fn rotations_that_cannot_be_done_are_refused_in_one_line() {
    let folder = folder();
    for (options, code, line) in [
        (&[BASILICA, "--turns", "1"][..], 2, "lerpscope: 1 turns: from 2 to 360 are possible\n"),
        (&[BASILICA, "--turns", "361"], 2, "lerpscope: 361 turns: from 2 to 360 are possible\n"),
        (
            &["synth:disc:9x40"],
            2,
            "lerpscope: an image of 9×40 is too small to be turned: 16 samples a side are the least\n",
        ),
        (&[BASILICA, "--page", "2"], 2, "lerpscope: page 2 is not among the image's 1\n"),
        (&[BASILICA, "-o", "x.bmp"], 2, "lerpscope: x.bmp: unknown extension; plots are written as svg, png and csv\n"),
        (
            &[BASILICA, "--path", "filtered", "--methods", "mitchell"],
            2,
            "lerpscope: path 'filtered' does not serve mitchell\n",
        ),
    ] {
        assert_eq!(fail(folder.path(), &[&["rotations"], options].concat(), code), line);
    }
    assert!(fail(folder.path(), &["rotations", "none.pgm"], 1).starts_with("lerpscope: none.pgm: "));
}
