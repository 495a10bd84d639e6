//! Refused requests: messages and exit codes.

use lerpscope::backend;

use super::{BASILICA, fail, folder, run_with};

/// A custom kernel's file is at fault, not the option: exit code 1, with the file and the line.
#[test]
fn custom_kernels_are_refused_by_file_and_line() {
    let folder = folder();
    let file = folder.path().join("kernel.csv");
    for (text, cause) in [
        ("0,1\n", ": a kernel needs at least 2 rows, not 1"),
        ("0,1\nx,0\n", ", line 2: 'x,0' is not a distance and a weight, D,W"),
        ("0,1\n1,-1\n2,0\n", ": its weights cancel at x = m + 0: they sum to -1, their magnitudes to 3"),
        ("0,9\n1,0\n", ": its weights sum to 9 in magnitude at x = m + 0, more than 2.2; "),
    ] {
        std::fs::write(&file, text).expect("a file");
        for options in [["--method", "custom=kernel.csv"], ["--subtract", "method=custom=kernel.csv"]] {
            let line = fail(folder.path(), &[&["render", BASILICA, "-o", "out.pgm"], &options[..]].concat(), 1);
            assert!(line.contains(&format!("kernel.csv{cause}")), "{options:?}: {line}");
        }
    }
    let line = fail(folder.path(), &["render", BASILICA, "-o", "out.pgm", "--method", "custom=missing.csv"], 1);
    assert!(line.contains("missing.csv: "), "{line}");
    let line = fail(folder.path(), &["render", BASILICA, "-o", "out.pgm", "--method", "custom=."], 1);
    assert!(line.contains(": is no regular file"), "{line}");
}

#[test]
fn unsupported_requests_are_refused_by_name() {
    let folder = folder();
    for (options, named) in [
        (&["--method", "cubic"][..], "cubic"),
        (&["--method", "mitchell", "--path", "filtered"], "mitchell"),
        (&["--method", "sinc"], "there is no method 'sinc'"),
        (&["--method", "lanczos=9"], "method 'lanczos': a must be between 1 and 8, not 9"),
        (&["--method", "bspline=2.5"], "method 'bspline': n must be a whole number between 0 and 5, not 2.5"),
        (&["--method", "cubic=1"], "it takes 2 parameters, not 1"),
        (&["--method", "gaussian=nan"], "method 'gaussian': sigma must be between 0.3 and 8, not NaN"),
        (&["--method", "lanczos=3.5", "--path", "filtered"], "path 'filtered' does not serve method 'lanczos=3.5'"),
        (&["--method", "keys=-2", "--scale", "1.1", "--antialias"], "weights cancel"),
        (&["--subtract", "method=gaussian=9"], "method 'gaussian': sigma must be between 0.3 and 8, not 9"),
        (&["--path", "tiled", "--rotate", "10"], "tiled"),
        (&["--path", "filtered", "--antialias", "--scale", "2"], "filtered"),
        (&["--address", "clamp:edge"], "edge"),
        (&["--colour-map", "jet"], "jet"),
        (&["--backend", "gpu"], "gpu"),
        (&["--depth", "12"], "12"),
        (&["--scale", "0"], "scale 0"),
        (&["--scale", "-1"], "scale -1"),
        (&["--scale", "nan"], "nan"),
        (&["--scale", "1/0"], "1/0"),
        (&["--scale", "1e300"], "scale 1"),
        (&["--scale", "1,0"], "scale 0"),
        (&["--scale", "1,2,3"], "'1,2,3' is no scale: S, or X,Y for each axis"),
        (&["--scale", "1,2000"], "scales 1 and 2000 differ by more than a factor of 1024"),
        (&["--scale", "1/2,2", "--antialias", "--path", "filtered"], "filtered"),
        (&["--scale", "1,1/2", "--rotate", "90", "--path", "tiled"], "tiled"),
        (&["--subtract", "scale=1:2:3"], "'1:2:3' is no scale"),
        (&["--translate", "1"], "'1'"),
        (&["--translate", "1e30,0"], "translation 1"),
        (&["--rotate", "right"], "right"),
        (&["--size", "0x5"], "0x5"),
        (&["--fit", "half-pixel"], "--size"),
        (&["--size", "64x64", "--fit", "edges"], "edges"),
        (&["--size", "64x64", "--fit", "asymmetric", "--scale", "2"], "--scale"),
        (&["--size", "-3x5"], "-3x5"),
        (&["--size", "16777216x16777216"], "16777216×16777216"),
        (&["--behind", "synth:fractal:9x9", "--subtract", "page=2"], "fractal"),
        (&["--subtract", "page=2"], "page 2"),
        (&["--border", "grey"], "grey"),
        (&["--blur", "0"], "blur"),
        (&["--blur", "1e308", "--scale", "2", "--antialias"], "blur"),
        (&["--blur", "0.398", "--scale", "1.08", "--antialias", "--method", "lanczos4"], "weights cancel"),
        (&["--antiring", "1.01"], "antiring must be between 0 and 1, not 1.01"),
        (&["--antiring", "-0.5", "--method", "lanczos3"], "antiring"),
        (&["--gamma", "0"], "gamma"),
        (&["--window", "1,1"], "window"),
        (&["--subtract", "method=cubic"], "cubic"),
        (&["--subtract", "methd=linear"], "methd"),
        (&["--subtract", "method=mitchell,path=filtered"], "mitchell"),
        (&["--page", "two"], "two"),
        (&["--filter", "blur=3"], "gaussian"),
        (&["--filter", "gaussian=0"], "between 0.01 and 64 samples"),
        (&["--filter", "gaussian=NaN"], "between 0.01 and 64 samples"),
        (&["--filter", "gaussian=-1"], "not -1"),
        (&["--filter", "bilateral=3,0.1,33"], "between 0 and 32 samples"),
        (&["--filter", "median=17"], "between 1 and 16 samples"),
        (&["--filter", "negative=1"], "no parameters"),
        (&["--filter-after", "gamma=0"], "between 0.01 and 100"),
        (&["--subtract", "filter=gaussian=0"], "between 0.01 and 64 samples"),
        (&["--sharpen"], "--sharpen"),
    ] {
        let line = fail(folder.path(), &[&["render", BASILICA, "-o", "out.pgm"], options].concat(), 2);
        assert!(line.contains(named), "{options:?}: {line}");
    }
    fail(folder.path(), &["render", BASILICA], 2);
    fail(folder.path(), &["render", "synth:fractal:9x9", "-o", "out.npy"], 2);
    fail(folder.path(), &["render", "synth:lines:9", "-o", "out.npy"], 2);
    let line = fail(folder.path(), &["render", BASILICA, "-o", "out.gif"], 2);
    assert!(line.contains("out.gif"), "{line}");
    assert_eq!(std::fs::read_dir(folder.path()).expect("the folder").count(), 0);
}

/// The image is small, but its margin for the filters after the interpolation is not.
#[test]
fn filter_margin_of_a_view_counts_as_memory() {
    let folder = folder();
    std::fs::write(
        folder.path().join("in.pam"),
        "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\nabcd",
    )
    .expect("a file");
    let mut arguments = vec!["render", "in.pam", "-o", "out.pam", "--size", "1x16770000"];
    arguments.extend([["--filter-after", "gaussian=64"]; 4].as_flattened());
    let line = fail(folder.path(), &arguments, 2);
    assert!(line.contains("2049×16772048 pixels take"), "{line}");
}

/// A backend named explicitly is not replaced by another one.
#[test]
fn missing_device_is_reported_in_one_line() {
    let folder = folder();
    let arguments = ["render", BASILICA, "-o", "out.pgm", "--backend", "cuda"];
    if backend::open("cuda").is_ok() {
        let output = run_with(folder.path(), &arguments, b"");
        assert_eq!(output.status.code(), Some(0));
        return;
    }
    let line = fail(folder.path(), &arguments, 1);
    assert!(
        line.contains("'cuda'") && ["driver", "device", "feature"].iter().any(|word| line.contains(word)),
        "{line}"
    );
    assert_eq!(std::fs::read_dir(folder.path()).expect("the folder").count(), 0);
}

#[test]
fn failing_file_is_named_in_one_line() {
    let folder = folder();
    for (name, bytes) in [
        ("zero.pgm", &b"P5 0 4 255\n"[..]),
        ("maxval.pgm", b"P5 2 2 0\nabcd"),
        ("short.pgm", b"P5 2 2 255\nabc"),
        ("token.pgm", b"P2 2 x 255\n1 2 3 4"),
        ("huge.pgm", b"P5 4000000000 4000000000 255\nabc"),
        ("empty.pgm", b""),
        ("noise.bin", b"\x01\x02\x03 no picture"),
        ("two\nlines.pgm", b"P5 0 4 255\n"),
    ] {
        std::fs::write(folder.path().join(name), bytes).expect("a file");
        let line = fail(folder.path(), &["render", name, "-o", "out.pgm"], 1);
        assert!(line.contains(name.split('\n').next_back().expect("a part")), "{line}");
    }
    for name in ["none.pgm", "."] {
        fail(folder.path(), &["render", name, "-o", "out.pgm"], 1);
    }
    let line = fail(folder.path(), &["render", BASILICA, "-o", "none/out.pgm"], 1);
    assert!(line.contains("none/out.pgm"), "{line}");
}

#[cfg(unix)]
#[test]
fn each_image_that_cannot_be_opened_is_named() {
    let folder = folder();
    std::fs::write(folder.path().join("cut.pgm"), "P2 2 1").expect("a file");
    let output = run_with(folder.path(), &["none.pgm", "cut.pgm", "."], b"");
    let lines = String::from_utf8(output.stderr).expect("UTF-8");
    let starts = ["lerpscope: warning: cut.pgm: ", "lerpscope: warning: .: ", "lerpscope: none.pgm: "];
    let are_named = lines.lines().zip(starts).all(|(line, start)| line.starts_with(start));
    assert!(are_named && lines.lines().count() == starts.len(), "{lines}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn warnings_are_printed_on_standard_error() {
    let folder = folder();
    let output = run_with(folder.path(), &["render", "-", "-o", "-"], b"P2 2 1 9 5 10");
    let warning = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(warning.starts_with("lerpscope: warning: ") && warning.lines().count() == 1, "{warning}");
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(0), &b"P5\n2 1\n9\n\x05\x09"[..]));
}

#[cfg(unix)]
#[test]
fn render_into_a_closed_pipe_succeeds() {
    use std::process::{Command, Stdio};
    let arguments = ["render", BASILICA, "-o", "-"];
    let mut program = Command::new(env!("CARGO_BIN_EXE_lerpscope"));
    let mut child = program.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
}

#[cfg(target_os = "linux")]
#[test]
fn window_without_a_display_is_refused_and_names_render() {
    let folder = folder();
    let line = fail(folder.path(), &[], 1);
    assert!(line.contains("display") && line.contains("render"), "{line}");
}

#[cfg(unix)]
#[test]
fn endless_session_file_is_refused_in_one_line() {
    let line = fail(folder().path(), &["--session", "/dev/zero"], 1);
    assert_eq!(line, "lerpscope: /dev/zero: is longer than 1 MiB\n");
}

/// The system grants the allocation and would kill the program when the pixels are written.
#[cfg(target_os = "linux")]
#[test]
fn output_as_large_as_available_memory_is_refused_with_both_figures() {
    let folder = folder();
    let meminfo = std::fs::read_to_string("/proc/meminfo").expect("the system says");
    let available = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:")).expect("available memory");
    let kib: f64 = available.trim_end_matches("kB").trim().parse().expect("a number");
    // One byte per pixel; other programs free less than a fourth of it meanwhile.
    let side = (kib * 1024.0 * 1.25).sqrt() as u32;
    let size = format!("{side}x{side}");
    for backend in ["auto", "cpu", "reference"] {
        let arguments = ["render", BASILICA, "-o", "out.pgm", "--size", &size, "--backend", backend];
        let line = fail(folder.path(), &arguments, 2);
        assert!(line.starts_with("lerpscope: not enough memory: ") && line.contains(" available; "), "{line}");
        assert!(line.contains(&format!("{side}×{side} pixels take")), "{line}");
    }
}

/// A wrong name is an error of usage on the command line, and an error of the file in a file.
#[test]
fn session_with_an_invalid_image_name_fails_with_exit_code_1_and_names_both() {
    let folder = folder();
    for (image, named) in [("synth:fractal:9x9", "fractal"), ("synth:lines:9", "9")] {
        std::fs::write(folder.path().join("s.toml"), format!("images = ['{image}']\n[[panel]]\n")).expect("a session");
        let line = fail(folder.path(), &["--session", "s.toml"], 1);
        assert!(line.contains("s.toml: ") && line.contains(named), "{line}");
    }
}

/// A window shows what it can open; the exit code of a screenshot says that it shows everything.
#[test]
fn screenshot_without_one_of_its_images_fails_with_exit_code_1_and_names_it() {
    let folder = folder();
    std::fs::write(folder.path().join("there.pgm"), "P2 1 1 9\n1\n").expect("a file");
    let session = "images = ['there.pgm', 'missing.pgm']\n[[panel]]\n";
    std::fs::write(folder.path().join("s.toml"), session).expect("a session");
    let line = fail(folder.path(), &["--session", "s.toml", "--screenshot", "o.png"], 1);
    assert!(line.contains("s.toml: ") && line.contains("missing.pgm: does not exist"), "{line}");
    let line = fail(folder.path(), &["there.pgm", "missing.pgm", "--screenshot", "o.png"], 1);
    assert!(line.contains("missing.pgm: does not exist"), "{line}");
    assert!(!folder.path().join("o.png").exists());
}
