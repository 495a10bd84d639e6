//! Tests with a display but without input: `--screenshot`, whose image has the panels' own pixels, and the frame
//! measured by `bench`.

mod skip;

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use lerpscope::image;

const PROGRAM: &str = env!("CARGO_BIN_EXE_lerpscope");

struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A display; `None`, with a report, without Xvfb.
fn display() -> Option<(Running, String)> {
    let started = Command::new("Xvfb")
        .args(["-displayfd", "1", "-nolisten", "tcp", "-screen", "0", "1400x900x24"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut server) = started else {
        skip::skip(Some("LERPSCOPE_REQUIRE_WINDOW"), "the window tests need Xvfb");
        return None;
    };
    let said = server.stdout.take().expect("its standard output");
    let server = Running(server);
    let mut number = String::new();
    BufReader::new(said).read_line(&mut number).expect("Xvfb names its display");
    Some((server, format!(":{}", number.trim())))
}

#[test]
fn screenshot_shows_the_requested_panels() {
    let Some((_server, display)) = display() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let lerpscope = |arguments: &[&str]| {
        Command::new(PROGRAM)
            .args(arguments)
            .current_dir(folder.path())
            .env("DISPLAY", &display)
            .env("RUST_LOG", "lerpscope::frame=debug,warn")
            .env("LIBGL_ALWAYS_SOFTWARE", "1")
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("WAYLAND_SOCKET")
            .env_remove("DBUS_SESSION_BUS_ADDRESS")
            .output()
            .expect("the program runs")
    };
    let output = lerpscope(&[
        "--panel",
        "method=catmull-rom,address=wrap:mirror,path=filtered",
        "--panel",
        "method=bspline,prefilter",
        "--layout",
        "row",
        "--screenshot",
        "out.png",
        "synth:siemens-star:96x64",
    ]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    let window = image::open(&folder.path().join("out.png")).expect("a picture").image;
    let window = window.pages()[0].raster();
    for index in 0..2 {
        let begin = format!("panel {index} at ");
        let line = said.lines().rfind(|line| line.contains(&begin)).unwrap_or_else(|| panic!("no {begin}in\n{said}"));
        let (corner, options) = line.split_once(&begin).and_then(|(_, rest)| rest.split_once(": ")).expect("a frame");
        let (left, top) = corner.split_once(',').expect("a corner");
        let [left, top] = [left, top].map(|number| number.parse::<u32>().expect("a number"));
        let mut arguments = vec!["render", "synth:siemens-star:96x64", "-o", "panel.png", "--depth", "8"];
        arguments.extend(options.split(' '));
        assert!(lerpscope(&arguments).status.success());
        let panel = image::open(&folder.path().join("panel.png")).expect("a picture").image;
        let panel = panel.pages()[0].raster();
        let size = panel.size();
        let differs = |&(column, row): &(u32, u32)| -> bool {
            window.number(left + column, top + row, 0) != panel.number(column, row, 0)
        };
        let count = (0..size.height())
            .flat_map(|row| (0..size.width()).map(move |column| (column, row)))
            .filter(differs)
            .count();
        assert_eq!(count, 0, "panel {index}: {line}");
    }
}

/// With a display, a frame is measured in a hidden window; a backend that cannot share textures reports it.
#[test]
fn bench_with_a_display_measures_a_frame_in_a_hidden_window() {
    let Some((_server, display)) = display() else { return };
    let small = ["--size", "32x24", "--image", "300x200", "--scale", "1", "--repeats", "2"];
    let output = Command::new(PROGRAM)
        .args(["bench", "--backend", "cpu"])
        .args(small)
        .env("DISPLAY", &display)
        .env("LIBGL_ALWAYS_SOFTWARE", "1")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .env_remove("DBUS_SESSION_BUS_ADDRESS")
        .output()
        .expect("the program runs");
    let table = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let frames: Vec<&str> = table.lines().filter(|line| line.starts_with("frame ")).collect();
    let (left_out, measured): (Vec<&str>, Vec<&str>) = frames.iter().partition(|line| line.contains("left out: "));
    assert!(measured.len() == 2 && measured.iter().all(|line| line.contains("by host memory")), "{table}");
    let why = "this backend writes no textures of OpenGL's";
    assert!(left_out.len() == 4 && left_out.iter().all(|line| line.ends_with(why)), "{table}");
}

#[test]
fn unwritable_screenshot_prints_one_line() {
    let run = |arguments: &[&str]| {
        let output = Command::new(PROGRAM).args(arguments).env_remove("DISPLAY").output().expect("the program runs");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, said) = run(&["--screenshot", "out.xyz"]);
    assert_eq!((code, said.lines().count()), (Some(2), 1), "{said}");
    let (code, said) = run(&["--screenshot", "out.pgm"]);
    assert_eq!((code, said.lines().count()), (Some(2), 1), "{said}");
    let (code, said) = run(&["--panel", "method=cubic"]);
    assert_eq!((code, said.lines().count()), (Some(2), 1), "{said}");
    let (code, said) = run(&["--session", "/no/such/session.toml"]);
    assert_eq!((code, said.lines().count()), (Some(1), 1), "{said}");
}
