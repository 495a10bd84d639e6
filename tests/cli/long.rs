//! Long renders: progress, cancellation by signals, the reference backend.

use lerpscope::sampling::METHODS;

use super::{fail, folder, run, succeed};

/// A rotated, antialiased view that takes minutes.
#[cfg(unix)]
const MINUTES: [&str; 16] = [
    "render",
    "synth:zone-plate:512x512",
    "-o",
    "out.pgm",
    "--method",
    "lanczos4",
    "--antialias",
    "--scale",
    "15",
    "--rotate",
    "30",
    "--size",
    "2000x2000",
    "--depth",
    "8",
    "--backend",
];

/// Starts the render of [`MINUTES`] by `backend`, waits for its line on standard error, sends `signal`, and returns the
/// exit code and the second line.
#[cfg(unix)]
fn interrupt(folder: &std::path::Path, backend: &str, signal: &str) -> (Option<i32>, String) {
    use std::io::{BufRead as _, BufReader, Read as _};
    use std::process::{Command, Stdio};
    let mut command = Command::new(env!("CARGO_BIN_EXE_lerpscope"));
    let mut child = super::signals::with_default_signals(&mut command)
        .current_dir(folder)
        .args([&MINUTES[..], &[backend]].concat())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut errors = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut line = String::new();
    errors.read_line(&mut line).expect("a line");
    assert!(line.starts_with("lerpscope: interpolation: ") && line.ends_with(" left\n"), "{line}");
    let status = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill");
    assert!(status.success());
    let status = child.wait().expect("it ends");
    let mut rest = String::new();
    errors.read_to_string(&mut rest).expect("text");
    (status.code(), rest)
}

#[cfg(unix)]
#[test]
fn long_render_reports_progress_and_is_cancelled_by_a_signal_without_a_file() {
    for (backend, signal, code) in [("cpu", "-INT", 130), ("reference", "-INT", 130), ("cpu", "-TERM", 143)] {
        let folder = folder();
        let (status, line) = interrupt(folder.path(), backend, signal);
        assert_eq!(status, Some(code), "{backend} {signal}: {line}");
        assert_eq!(line, format!("lerpscope: interrupted by SIG{}\n", &signal[1..]));
        assert_eq!(std::fs::read_dir(folder.path()).expect("the folder").count(), 0);
    }
}

/// A shell starts background jobs with SIGINT ignored, so that Ctrl+C ends the foreground job only.
#[cfg(unix)]
#[test]
fn long_render_with_an_ignored_signal_continues() {
    use std::process::{Command, Stdio};
    let folder = folder();
    let mut command = Command::new("sh");
    let mut child = super::signals::with_default_signals(&mut command)
        .current_dir(folder.path())
        .args(["-c", "trap '' INT; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_lerpscope")])
        .args([&MINUTES[..], &["cpu"]].concat())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut errors = std::io::BufReader::new(child.stderr.take().expect("a pipe"));
    let mut line = String::new();
    std::io::BufRead::read_line(&mut errors, &mut line).expect("a line");
    let send = |signal: &str| {
        let status = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill");
        assert!(status.success());
    };
    send("-INT");
    // Cancelled work ends within a second.
    std::thread::sleep(std::time::Duration::from_millis(1500));
    send("-TERM");
    assert_eq!(child.wait().expect("it ends").code(), Some(143), "{line}");
}

#[test]
fn reference_backend_agrees_with_the_cpu_within_the_stated_error() {
    let folder = folder();
    let numbers = |backend: &str, method: &str| {
        let options = ["--scale", "1.3", "--rotate", "20", "--antialias", "--size", "40x30", "--method", method];
        let name = format!("{backend}.npy");
        let input = ["render", super::BASILICA, "-o", &name, "--backend", backend];
        succeed(folder.path(), &[&input[..], &options].concat());
        let bytes = std::fs::read(folder.path().join(name)).expect("the output");
        let floats = bytes[bytes.len() - 40 * 30 * 4..].as_chunks::<4>().0;
        floats.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect::<Vec<_>>()
    };
    for row in &METHODS {
        let (cpu, reference) = (numbers("cpu", row.name), numbers("reference", row.name));
        assert!(cpu.iter().zip(&reference).all(|(a, b)| (a - b).abs() <= 2e-6), "{}", row.name);
        assert!(reference.iter().any(|value| *value > 0.1), "{}", row.name);
    }
}

/// `auto` never selects it, and commands that must be fast do not offer it.
#[test]
fn reference_backend_is_refused_outside_render() {
    let folder = folder();
    for arguments in [&["--backend", "reference"][..], &["bench", "--backend", "reference"]] {
        let line = fail(folder.path(), arguments, 2);
        assert!(line.contains("'reference'") && line.contains("[possible values: auto, cuda, cpu]"), "{line}");
    }
    let help = String::from_utf8(run(folder.path(), &["render", "--help"]).stdout).expect("text");
    assert!(help.contains("- reference: double precision"), "{help}");
    let chosen = lerpscope::backend::open(lerpscope::backend::AUTO).expect("the CPU");
    assert_ne!(chosen.kind(), lerpscope::backend::BackendKind::Reference);
}
