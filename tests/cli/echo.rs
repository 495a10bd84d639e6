//! Values in messages are cut: lines stay readable for arguments and file contents of any length.

use super::{BASILICA, fail, folder};

/// Largest length of a line in bytes; lists of names are the longest part.
const MAX_LINE: usize = 800;

fn assert_short(line: &str, what: &str) {
    assert!(line.len() <= MAX_LINE, "{what}: {} bytes: {line:.300}", line.len());
    assert!(line.contains('…'), "{what}: nothing is cut: {line}");
    for run in ["x".repeat(41), "9".repeat(41), "x ".repeat(21)] {
        assert!(!line.contains(&run), "{what}: {line}");
    }
}

#[test]
fn long_arguments_in_error_messages_are_cut() {
    let folder = folder();
    let long = "x".repeat(10_000);
    let spec = |prefix: &str| format!("{prefix}{long}");
    let digits = "9".repeat(10_000);
    let spaced = "x ".repeat(5_000);
    let render = ["render", BASILICA, "-o", "out.pgm"];
    let blocks = ["bench", "--blocks", "--backend", "cpu"];
    let measure = ["measure", "--source", "lines"];
    let plot = ["plot", "kernel", "-o", "out.svg"];
    let cases: Vec<(&[&str], &str, String)> = vec![
        (&plot, "--methods", long.clone()),
        (&plot, "--prefilter", long.clone()),
        (&plot, "--path", long.clone()),
        (&plot, "--size", long.clone()),
        (&["measure"], "--source", spec("synth:")),
        (&measure, "--samples", long.clone()),
        (&measure, "--decimate", long.clone()),
        (&measure, "--decimate-filter", long.clone()),
        (&measure, "--methods", long.clone()),
        (&measure, "--methods", spec("linear,cubic=")),
        (&measure, "--scale", long.clone()),
        (&render, "--method", long.clone()),
        (&render, "--method", spaced.clone()),
        (&render, "--translate", long.clone()),
        (&render, "--translate", spec("1,")),
        (&render, "--scale", long.clone()),
        (&render, "--scale", spec("1/")),
        (&render, "--rotate", long.clone()),
        (&render, "--size", long.clone()),
        (&render, "--size", digits.clone() + "x1"),
        (&render, "--page", long.clone()),
        (&render, "--page", digits),
        (&render, "--address", long.clone()),
        (&render, "--address", spec("clamp:")),
        (&render, "--border", long.clone()),
        (&render, "--path", long.clone()),
        (&render, "--blur", long.clone()),
        (&render, "--antiring", long.clone()),
        (&render, "--depth", long.clone()),
        (&render, "--backend", long.clone()),
        (&render, "--colour-map", long.clone()),
        (&render, "--exposure", long.clone()),
        (&render, "--window", long.clone()),
        (&render, "--filter", long.clone()),
        (&render, "--filter", spaced),
        (&render, "--filter", spec("gaussian=")),
        (&render, "--filter", format!("gaussian={long}=1")),
        (&render, "--filter-after", spec("bilateral=3,")),
        (&render, "--subtract", long.clone()),
        (&render, "--subtract", spec("method=")),
        (&render, "--subtract", spec("address=")),
        (&render, "--subtract", spec("prefilter=")),
        (&render, "--subtract", spec("scale=")),
        (&render, "--subtract", spec("filter=")),
        (&render, "--subtract", format!("{long},{long}")),
        (&render, "--subtract", format!("blur=1,{long}=1")),
        (&[], "--panel", long.clone()),
        (&[], "--panel", spec("method=")),
        (&[], "--panel", spec("filter=gaussian=")),
        (&[], "--layout", long.clone()),
        (&[], "--backend", long.clone()),
        (&blocks, "--kernel", long.clone()),
        (&blocks, "--kernel", spec("linear:")),
        (&blocks, "--repeats", long.clone()),
        (&["synth", "lines", "-o", "out.pgm"], "--size", long.clone()),
        (&["synth", "--size", "8x8", "-o"], "out.pgm", long.clone()),
        (&["render", "-o", "out.npy"], "--behind=synth:lines:9x9", spec("synth:")),
        (&["render", "-o", "out.npy"], "--behind=synth:lines:9x9", format!("synth:{long}:9x9")),
        (&["render", "-o", "out.npy"], "--behind=synth:lines:9x9", spec("synth:lines:")),
        (&render, "--absolute", spec("--")),
        (&render, "--absolute", spec("--absolute=")),
        (&render, "--absolute", long.clone()),
        (&["info", BASILICA], "--", long.clone()),
        (&["filters"], "--", long),
    ];
    for (before, option, value) in cases {
        let arguments = [before, &[option, &value]].concat();
        let line = fail(folder.path(), &arguments, 2);
        assert_short(&line, &format!("{before:?} {option} {value:.40}"));
    }
}

#[test]
fn long_numbers_in_error_messages_are_shortened() {
    let folder = folder();
    for options in
        [["--scale", "1e300"], ["--translate", "1e300,0"], ["--blur", "1e300"], ["--filter", "gaussian=1e300"]]
    {
        let line = fail(folder.path(), &[&["render", BASILICA, "-o", "out.pgm"], &options[..]].concat(), 2);
        assert!(line.len() <= 200 && line.contains("1e300"), "{line}");
    }
}

#[test]
fn long_words_of_files_in_error_messages_are_cut() {
    let folder = folder();
    let long = "x".repeat(10_000);
    for (name, text) in [
        ("width.pgm", format!("P5 {long} 1 255\n")),
        ("digits.pgm", format!("P5 {} 1 255\n", "9".repeat(10_000))),
        ("sample.pgm", format!("P2 1 1 9 {long}\n")),
        ("line.pam", format!("P7\n{long}\nENDHDR\n")),
        ("words.pam", format!("P7\nWIDTH {}\nENDHDR\n", "x ".repeat(5_000))),
    ] {
        std::fs::write(folder.path().join(name), text).expect("a file");
        assert_short(&fail(folder.path(), &["render", name, "-o", "out.pgm"], 1), name);
    }
}
