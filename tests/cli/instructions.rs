//! `LERPSCOPE_INSTRUCTIONS` selects an instruction set, and no byte of a picture depends on it.

use std::path::Path;
use std::process::Output;

use lerpscope::backend::Instructions;

use super::{BASILICA, folder};

const VARIABLE: &str = "LERPSCOPE_INSTRUCTIONS";
/// Every set of any machine.
const ALL: [&str; 3] = ["avx512", "avx2", "baseline"];

/// Renders `options` to `out` with the instruction set that `name` selects, or with the widest.
fn render(folder: &Path, name: Option<&str>, options: &[&str], out: &str) -> Output {
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_lerpscope"));
    command.current_dir(folder).env_remove("RUST_LOG").env_remove(VARIABLE).envs(name.map(|name| (VARIABLE, name)));
    command.args(["render", BASILICA, "--backend", "cpu", "--size", "300x200", "-o", out]).args(options);
    command.output().expect("the program starts")
}

#[test]
#[expect(clippy::print_stderr, reason = "a set that the machine lacks is reported")]
fn every_instruction_set_writes_the_bytes_of_the_widest() {
    let folder = folder();
    let available: Vec<&str> = Instructions::available().into_iter().map(Instructions::variable).collect();
    for name in ALL.iter().filter(|name| !available.contains(name)) {
        eprintln!("skipped: this machine lacks the instruction set {name}");
    }
    for (options, out) in [
        (&["--method", "catmull-rom", "--scale", "0.125"][..], "out.pgm"),
        (&["--method", "linear", "--scale", "0.5", "--path", "lookup"], "out.pgm"),
        (&["--method", "lanczos4", "--scale", "1.3", "--depth", "16"], "out.pgm"),
        (&["--method", "bspline", "--prefilter", "--scale", "0.3", "--rotate", "30"], "out.pgm"),
        (&["--method", "mitchell", "--scale", "2.5", "--antialias", "--depth", "float"], "out.npy"),
    ] {
        let bytes = |name: Option<&str>| {
            let output = render(folder.path(), name, options, out);
            assert!(output.status.success() && output.stderr.is_empty(), "{name:?}, {options:?}: {output:?}");
            std::fs::read(folder.path().join(out)).expect("the picture")
        };
        let widest = bytes(None);
        for name in &available {
            assert!(bytes(Some(name)) == widest, "{name}, {options:?}");
        }
    }
}

#[test]
fn unknown_instruction_set_warns_in_one_line_and_the_widest_renders() {
    let folder = folder();
    let bytes = |out: &str| std::fs::read(folder.path().join(out)).expect("the picture");
    assert!(render(folder.path(), None, &["--scale", "0.125"], "widest.pgm").status.success());
    for name in ["avx1024", "", "AVX2", "baseline "] {
        let output = render(folder.path(), Some(name), &["--scale", "0.125"], "out.pgm");
        let said = String::from_utf8(output.stderr).expect("text");
        assert!(output.status.success() && said.lines().count() == 1, "{name:?}: {said}");
        let begin = "lerpscope: warning: LERPSCOPE_INSTRUCTIONS names no instruction set of this machine, which has ";
        assert!(said.starts_with(begin) && said.trim_end().ends_with("baseline"), "{name:?}: {said}");
        assert!(bytes("out.pgm") == bytes("widest.pgm"), "{name:?}");
    }
}
