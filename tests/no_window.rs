//! The program without the feature `window`: every other command works, and the window is refused in one line.
//! `cargo test --no-default-features --features cli --test no_window` runs these tests.
#![cfg(not(feature = "window"))]

use std::process::Output;

fn run(arguments: &[&str]) -> Output {
    let mut program = assert_cmd::Command::new(env!("CARGO_BIN_EXE_lerpscope"));
    program.current_dir(env!("CARGO_MANIFEST_DIR")).args(arguments).output().expect("the program starts")
}

#[test]
fn window_in_a_build_without_it_is_refused_in_one_line_with_exit_code_2() {
    let calls: [&[&str]; 5] = [
        &[],
        &["assets/basilica.pgm"],
        &["assets/basilica.pgm", "--screenshot", "out.png"],
        &["--panel", "method=linear"],
        &["--session", "kept.toml", "--layout", "row"],
    ];
    for arguments in calls {
        let output = run(arguments);
        let line = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {line}");
        assert_eq!(line.lines().count(), 1, "{arguments:?}: {line}");
        assert!(line.starts_with("lerpscope: no window: this build lacks the feature 'window'; render, "), "{line}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn help_and_version_without_the_window_are_printed() {
    let help = run(&["--help"]);
    assert_eq!(help.status.code(), Some(0));
    let text = String::from_utf8(help.stdout).expect("text");
    assert!(text.contains("lacks the feature 'window'") && text.contains("render") && text.contains("bench"), "{text}");
    assert!(!text.contains("--panel"), "{text}");
    assert_eq!(run(&["--version"]).status.code(), Some(0));
}

#[test]
fn commands_without_the_window_succeed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("out.pgm");
    let out = out.to_str().expect("a path in UTF-8");
    let svg = folder.path().join("out.svg");
    let svg = svg.to_str().expect("a path in UTF-8");
    let calls: &[&[&str]] = &[
        &["render", "assets/basilica.pgm", "-o", out, "--scale", "1/8", "--size", "32x32"],
        &["synth", "lines", "--size", "8x8", "-o", out],
        &["info", "assets/basilica.pgm"],
        &["filters"],
        &["measure", "--source", "lines", "--samples", "9x9"],
        &["plot", "response", "--methods", "linear", "-o", svg],
        &["notices"],
    ];
    for arguments in calls {
        let output = run(arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*said), (Some(0), ""), "{arguments:?}");
    }
    let bench = ["bench", "--backend", "cpu", "--size", "16x16", "--image", "16x16", "--scale", "1", "--repeats", "1"];
    let table = run(&bench);
    assert_eq!(table.status.code(), Some(0), "{}", String::from_utf8_lossy(&table.stderr));
    let table = String::from_utf8(table.stdout).expect("text");
    assert!(table.contains("frame of a window") && table.contains("left out: this build lacks the feature"), "{table}");
}

/// A backend that is not built in keeps its row and gives the reason.
#[cfg(not(feature = "cuda"))]
#[test]
fn cuda_in_a_build_without_it_is_reported_as_not_built_in() {
    let reason = "this build lacks the feature 'cuda'";
    let info = String::from_utf8(run(&["info"]).stdout).expect("text");
    assert!(info.lines().any(|line| line == format!("cuda: missing: {reason}")), "{info}");
    let arguments = ["render", "assets/basilica.pgm", "-o", "missing/out.pgm", "--backend", "cuda"];
    let output = run(&arguments);
    let line = String::from_utf8(output.stderr).expect("text");
    assert_eq!((output.status.code(), line), (Some(1), format!("lerpscope: backend 'cuda' is missing: {reason}\n")));
}
