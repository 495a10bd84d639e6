//! Closed, full and discarded standard output.
#![cfg(target_os = "linux")]

use std::process::{Command, Output};

use super::{BASILICA, folder};

/// Runs the program under a shell with `redirection`.
fn shell(redirection: &str, arguments: &[&str]) -> Output {
    let script = format!("exec \"$0\" \"$@\" {redirection}");
    let folder = folder();
    let mut command = Command::new("sh");
    command.current_dir(folder.path()).args(["-c", &script, env!("CARGO_BIN_EXE_lerpscope")]).args(arguments);
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").output().expect("sh")
}

const SMALL_BENCH: [&str; 10] =
    ["bench", "--backend", "cpu", "--size", "8x8", "--image", "8x8", "--repeats=1", "--scale", "1"];

#[test]
fn closed_standard_output_is_an_error_for_commands_that_print() {
    for (redirection, cause) in [(">&-", "standard output: is closed"), (">/dev/full", "standard output: ")] {
        for arguments in [
            &["info"][..],
            &["info", BASILICA],
            &["filters"],
            &["--help"],
            &["--version"],
            &["render", "--help"],
            &["render", BASILICA, "-o", "-"],
            &["synth", "lines", "--size", "9x9", "-o", "-"],
            &SMALL_BENCH,
            &["measure", "--source", "lines", "--samples", "9x9"],
            &["measure", "--source", "lines", "--samples", "9x9", "--csv"],
            &["plot", "kernel", "-o", "-"],
            &["footprint", BASILICA, "--pixel", "1,1"],
            &["footprint", BASILICA, "--pixel", "1,1", "-o", "-"],
            &["lab1d"],
            &["lab1d", "--csv"],
        ] {
            let output = shell(redirection, arguments);
            let line = String::from_utf8(output.stderr).expect("UTF-8");
            assert_eq!(output.status.code(), Some(1), "{arguments:?} {redirection}: {line}");
            assert!(line.starts_with(&format!("lerpscope: {cause}")) && line.lines().count() == 1, "{line}");
        }
    }
}

/// A discarded standard output is not closed, however `/dev/null` was opened, and commands that print nothing accept a
/// closed one.
#[test]
fn discarded_or_unused_standard_output_is_accepted() {
    for (redirection, arguments) in [
        (">/dev/null", &["info"][..]),
        ("1<>/dev/null", &["info"]),
        ("1<>/dev/null", &["--help"]),
        (">&-", &["render", BASILICA, "-o", "out.pgm", "--backend", "cpu"]),
        (">&-", &["synth", "lines", "--size", "9x9", "-o", "out.pgm"]),
        (">&- <&-", &["synth", "lines", "--size", "9x9", "-o", "out.pgm"]),
    ] {
        let output = shell(redirection, arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*said), (Some(0), ""), "{arguments:?} {redirection}");
    }
}

#[test]
fn help_into_a_closed_pipe_succeeds() {
    let output = shell("| true", &["render", "--help"]);
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
}
