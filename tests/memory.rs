//! Peak resident memory of the program on a large image, as reported by the system for a child process.
//!
//! Bounds are multiples of the file's size, plus [`BASE`] for the program itself: code, threads, buffers of rows and
//! strips.
#![cfg(target_os = "linux")]

mod skip;

use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use wait4::Wait4 as _;

const PROGRAM: &str = env!("CARGO_BIN_EXE_lerpscope");
/// Side of the image in samples of one byte.
const SIDE: u64 = 11_000;
/// Side of the image shown by the window.
const WINDOW_SIDE: u64 = 16_384;
/// Size of the file without its header, in bytes.
const FILE: u64 = SIDE * SIDE;
/// Memory independent of the image.
const BASE: u64 = 40 << 20;

/// P5 file of `side` × `side` zeros, sparse on disk.
fn large_file(folder: &Path, side: u64) -> PathBuf {
    let path = folder.join("large.pgm");
    let mut file = File::create(&path).expect("a file");
    let header = format!("P5 {side} {side} 255\n");
    file.write_all(header.as_bytes()).expect("its header");
    file.set_len(header.len() as u64 + side * side).expect("its length");
    path
}

fn program(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.current_dir(folder).args(arguments).stdout(Stdio::null()).stdin(Stdio::null());
    for name in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"] {
        command.env_remove(name);
    }
    command
}

/// Peak resident bytes of a successful run.
fn peak(folder: &Path, arguments: &[&str]) -> u64 {
    let used = program(folder, arguments).spawn().expect("it starts").wait4().expect("it ends");
    assert!(used.status.success(), "{arguments:?}");
    used.rusage.maxrss
}

/// Asserts the peak for each list of arguments, with its bound in hundredths of the file's size plus [`BASE`].
fn assert_bounds(cases: &[(&[&str], u64)]) {
    let folder = tempfile::tempdir().expect("a folder");
    large_file(folder.path(), SIDE);
    for (arguments, hundredths) in cases {
        let (peak, bound) = (peak(folder.path(), arguments), BASE + FILE / 100 * hundredths);
        assert!(peak <= bound, "{arguments:?}: {} MiB, not {} MiB", peak >> 20, bound >> 20);
    }
}

const SMALL: [&str; 6] = ["render", "large.pgm", "-o", "out.pgm", "--size", "600x400"];

fn render<'a>(options: &[&'a str]) -> Vec<&'a str> {
    SMALL.iter().chain(options).copied().collect()
}

/// The whole bound, [`BASE`] included, is 1.3 times the file.
#[test]
fn info_and_render_hold_a_pnm_file_once() {
    let left = 130 - BASE * 100 / FILE - 1;
    let catmull_rom = render(&["--method", "catmull-rom"]);
    let fitted = render(&["--method", "lanczos3", "--scale", "18", "--antialias"]);
    assert_bounds(&[(&["info", "large.pgm"], left), (&SMALL, left), (&catmull_rom, left), (&fitted, left)]);
}

#[test]
fn pnm_stream_is_held_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = large_file(folder.path(), SIDE);
    let mut command = program(folder.path(), &["info", "-"]);
    let mut cat = Command::new("cat").arg(file).stdout(Stdio::piped()).spawn().expect("cat runs");
    let used =
        command.stdin(cat.stdout.take().expect("its output")).spawn().expect("it starts").wait4().expect("it ends");
    assert!(used.status.success() && cat.wait().expect("it ends").success());
    let bound = FILE / 100 * 130;
    assert!(used.rusage.maxrss <= bound, "{} MiB, not {} MiB", used.rusage.maxrss >> 20, bound >> 20);
}

/// The page is 1, the coefficients are 4.
#[test]
fn prefiltered_render_holds_the_file_and_its_coefficients() {
    assert_bounds(&[(&render(&["--method", "bspline", "--prefilter"]), 510)]);
}

/// The page is 1, each plane of values is 4: point filters take one plane, neighbourhood filters two; coefficients of
/// filtered values replace the second.
#[test]
fn filters_hold_at_most_two_planes_in_addition_to_the_file() {
    assert_bounds(&[
        (&render(&["--filter", "negative", "--filter", "gamma=2"]), 510),
        (&render(&["--filter", "gaussian=2", "--filter", "sobel"]), 910),
        (&render(&["--filter", "negative", "--filter", "unsharp", "--method", "bspline", "--prefilter"]), 910),
    ]);
}

struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Peak resident bytes of a running process.
fn high_water(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("its status");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("its peak");
    line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") << 10
}

/// Peak of the window on `input`, after its panels and the histogram were shown for a while.
fn window_peak(display: &str, folder: &Path, input: &str) -> u64 {
    let mut command = Command::new(PROGRAM);
    command.current_dir(folder).arg(input).env("DISPLAY", display).stdout(Stdio::null()).stderr(Stdio::piped());
    command.env("XDG_CONFIG_HOME", folder).env("XDG_DATA_HOME", folder).env("LIBGL_ALWAYS_SOFTWARE", "1");
    command.env("RUST_LOG", "lerpscope::frame=debug,warn");
    for name in ["WAYLAND_DISPLAY", "WAYLAND_SOCKET", "DBUS_SESSION_BUS_ADDRESS"] {
        command.env_remove(name);
    }
    let mut window = Running(command.spawn().expect("it starts"));
    let said = BufReader::new(window.0.stderr.take().expect("its standard error"));
    let mut shown = said.lines().map_while(Result::ok).filter(|line| line.contains("panel 3 at "));
    shown.next().expect("four panels are shown");
    // Deferred work starts within a few frames.
    let (start, mut last) = (Instant::now(), (0, Instant::now()));
    while last.1.elapsed() < Duration::from_secs(3) && start.elapsed() < Duration::from_secs(60) {
        let peak = high_water(window.0.id());
        if peak != last.0 {
            last = (peak, Instant::now());
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    last.0
}

/// The base of the window is its peak on the built-in image of 512 × 512 samples. The file is so much larger that even
/// a temporary second copy would exceed the bound.
#[test]
fn window_holds_the_file_once_in_addition_to_its_base() {
    let server = Command::new("Xvfb")
        .args(["-displayfd", "1", "-nolisten", "tcp", "-screen", "0", "1280x860x24"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut server) = server else {
        skip::skip(Some("LERPSCOPE_REQUIRE_WINDOW"), "the window tests need Xvfb");
        return;
    };
    let said = server.stdout.take().expect("its standard output");
    let _server = Running(server);
    let mut number = String::new();
    BufReader::new(said).read_line(&mut number).expect("Xvfb names its display");
    let display = format!(":{}", number.trim());
    let folder = tempfile::tempdir().expect("a folder");
    large_file(folder.path(), WINDOW_SIDE);
    let base = window_peak(&display, folder.path(), "builtin:basilica");
    let peak = window_peak(&display, folder.path(), "large.pgm");
    let bound = base + WINDOW_SIDE * WINDOW_SIDE / 100 * 130;
    let [peak, base, bound] = [peak, base, bound].map(|bytes| bytes >> 20);
    assert!(peak <= bound, "{peak} MiB, not {bound} MiB; the built-in picture takes {base} MiB");
}
