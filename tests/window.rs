//! The real window on a display of its own (Xvfb), driven by a real pointer and real keys (xdotool): what the screen shows
//! is compared, byte for byte, with what `lerpscope render` writes for the options that the window logs.
//!
//! Where Xvfb, xdotool or ImageMagick's `import` is missing, the tests say that they are skipped; with
//! `LERPSCOPE_REQUIRE_WINDOW=1` they fail instead.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use lerpscope::image::{self, Image};

const PROGRAM: &str = env!("CARGO_BIN_EXE_lerpscope");
const SCREEN: [u32; 2] = [1280, 860];
/// How long a slow machine may take for anything.
const PATIENCE: Duration = Duration::from_secs(60);
/// One display at a time: two machines' worth of software OpenGL would only slow each other down.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// A program that ends with its owner.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself; there is nothing to be done about it here.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A display and the window on it.
struct Desk {
    display: String,
    input: String,
    lines: Arc<Mutex<Vec<String>>>,
    program: Running,
    _server: Running,
}

/// What the window says a panel shows.
#[derive(Clone, Debug, PartialEq)]
struct Shown {
    corner: [u32; 2],
    options: Vec<String>,
}

impl Shown {
    /// The value of `--name`, or `default`.
    fn option<'a>(&'a self, name: &str, default: &'a str) -> &'a str {
        let place = self.options.iter().position(|option| option == name);
        place.and_then(|place| self.options.get(place + 1)).map_or(default, String::as_str)
    }

    fn scale(&self) -> f64 {
        self.option("--scale", "1").parse().expect("a scale")
    }

    fn translation(&self) -> [f64; 2] {
        let (x, y) = self.option("--translate", "0,0").split_once(',').expect("two numbers");
        [x, y].map(|number| number.parse().expect("a number"))
    }
}

/// Whether the programs are here; says so, or fails, where not.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn has_programs() -> bool {
    let is_there = |name: &str| {
        let look = Command::new("sh").args(["-c", &format!("command -v {name}")]).stdout(Stdio::null()).status();
        look.is_ok_and(|status| status.success())
    };
    let missing: Vec<_> = ["Xvfb", "xdotool", "import"].into_iter().filter(|name| !is_there(name)).collect();
    if missing.is_empty() {
        return true;
    }
    let is_required = std::env::var_os("LERPSCOPE_REQUIRE_WINDOW").is_some_and(|value| value == "1");
    assert!(!is_required, "the window tests need {}", missing.join(", "));
    eprintln!("skipped: the window tests need {}", missing.join(", "));
    false
}

impl Desk {
    /// A display with the window on `input` (empty: the default image) at this scale factor.
    fn open(input: &str, scale_factor: &str) -> Self {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-nolisten", "tcp", "-screen", "0", &format!("{}x{}x24", SCREEN[0], SCREEN[1])])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb starts");
        let mut number = String::new();
        let said = server.stdout.take().expect("its standard output");
        BufReader::new(said).read_line(&mut number).expect("Xvfb names its display");
        let server = Running(server);
        let display = format!(":{}", number.trim());
        let mut program = Command::new(PROGRAM)
            .args((!input.is_empty()).then_some(input))
            .env("DISPLAY", &display)
            .env("RUST_LOG", "lerpscope::frame=debug,warn")
            .env("LIBGL_ALWAYS_SOFTWARE", "1")
            .env("WINIT_X11_SCALE_FACTOR", scale_factor)
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("WAYLAND_SOCKET")
            .env_remove("DBUS_SESSION_BUS_ADDRESS")
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let lines = Arc::new(Mutex::new(Vec::new()));
        let (said, heard) = (program.stderr.take().expect("its standard error"), Arc::clone(&lines));
        std::thread::spawn(move || {
            for line in BufReader::new(said).lines().map_while(Result::ok) {
                heard.lock().expect("the lines").push(line);
            }
        });
        let desk = Self { display, input: input.to_owned(), lines, program: Running(program), _server: server };
        desk.wait_for(|desk| desk.shown().len() == 4);
        let window = desk.xdotool(&["search", "--sync", "--onlyvisible", "--name", "Lerpscope"]);
        let window = window.lines().next().expect("a window").to_owned();
        let [width, height] = SCREEN.map(|side| side.to_string());
        desk.xdotool(&["windowmove", &window, "0", "0", "windowsize", &window, &width, &height]);
        desk.xdotool(&["windowfocus", &window]);
        desk.settle();
        desk
    }

    fn xdotool(&self, arguments: &[&str]) -> String {
        let output = Command::new("xdotool").args(arguments).env("DISPLAY", &self.display).output();
        String::from_utf8(output.expect("xdotool runs").stdout).expect("text")
    }

    /// What each panel showed last.
    fn shown(&self) -> BTreeMap<usize, Shown> {
        let lines = self.lines.lock().expect("the lines");
        lines.iter().filter_map(|line| read_line(line)).collect()
    }

    fn wait_for(&self, is_so: impl Fn(&Self) -> bool) {
        let start = Instant::now();
        while !is_so(self) {
            assert!(
                start.elapsed() < PATIENCE,
                "the window said:\n{}",
                self.lines.lock().expect("the lines").join("\n")
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until the window has drawn nothing for a while.
    fn settle(&self) {
        let (mut count, mut since) = (usize::MAX, Instant::now());
        while since.elapsed() < Duration::from_millis(700) {
            let now = self.lines.lock().expect("the lines").len();
            if now != count {
                (count, since) = (now, Instant::now());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Does something and waits until the first panel shows something else.
    fn act(&self, arguments: &[&str]) -> Shown {
        let before = self.shown()[&0].clone();
        self.xdotool(arguments);
        self.wait_for(|desk| desk.shown()[&0] != before);
        self.settle();
        self.shown()[&0].clone()
    }

    fn screenshot(&self) -> Image {
        let mut import = Command::new("import");
        import.args(["-window", "root", "-depth", "8", "ppm:-"]).env("DISPLAY", &self.display);
        let output = import.output().expect("import runs");
        image::read("screenshot", &output.stdout).expect("a screenshot").image
    }

    /// Compares all panels on the screen with `lerpscope render`.
    fn compare(&self, moment: &str) {
        // Off the pictures, so that no tooltip covers them.
        self.xdotool(&["mousemove", "600", "3"]);
        self.settle();
        let (screen, folder) = (self.screenshot(), tempfile::tempdir().expect("a folder"));
        let screen = screen.pages()[0].raster();
        for (panel, Shown { corner, options }) in self.shown() {
            let input = if self.input.is_empty() {
                concat!(env!("CARGO_MANIFEST_DIR"), "/assets/basilica.pgm")
            } else {
                &self.input
            };
            let file = folder.path().join(format!("{panel}.ppm"));
            let status = Command::new(PROGRAM).args(["render", input, "-o"]).arg(&file).args(&options).status();
            assert!(status.expect("the program starts").success(), "render {options:?}");
            let rendered = image::open(&file).expect("a picture").image;
            let rendered = rendered.pages()[0].raster();
            let (colours, last) = (rendered.channels().count(), screen.channels().count() - 1);
            for row in 0..rendered.size().height() {
                for column in 0..rendered.size().width() {
                    let (x, y) = (corner[0] + column, corner[1] + row);
                    let same = (0..3).all(|channel| {
                        let wanted = rendered.number(column, row, channel.min(colours - 1));
                        screen.number(x, y, channel.min(last)) == wanted
                    });
                    assert!(same, "{moment}: panel {panel} differs at ({column}, {row}) of {options:?}");
                }
            }
        }
    }

    /// Processor time used so far, in ticks of the kernel's clock.
    fn ticks(&self) -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.program.0.id())).expect("a running program");
        let after_name = stat.rsplit_once(')').expect("a name").1;
        let fields: Vec<&str> = after_name.split_whitespace().collect();
        [11, 12].iter().map(|&place| fields[place].parse::<u64>().expect("a number")).sum()
    }
}

/// `… panel 2 at 0,456: --method bspline --size 503x360`.
fn read_line(line: &str) -> Option<(usize, Shown)> {
    let (place, options) = line.split_once("panel ")?.1.split_once(": ")?;
    let (panel, corner) = place.split_once(" at ")?;
    let (x, y) = corner.split_once(',')?;
    let corner = [x.parse().ok()?, y.parse().ok()?];
    Some((panel.parse().ok()?, Shown { corner, options: options.split(' ').map(str::to_owned).collect() }))
}

#[test]
fn drag_wheel_and_keys_show_what_render_writes() {
    if !has_programs() {
        return;
    }
    let _turn = ONE_AT_A_TIME.lock();
    let desk = Desk::open("", "1");
    desk.compare("at the start");

    let before = desk.shown()[&0].clone();
    desk.xdotool(&["mousemove", "200", "300", "mousedown", "1", "mousemove", "230", "280", "mousemove", "263", "251"]);
    let dragged = desk.act(&["mousemove", "291", "243", "mouseup", "1"]);
    for (axis, moved_px) in [91.0, -57.0].into_iter().enumerate() {
        let expected = before.translation()[axis] - moved_px * before.scale();
        assert!((dragged.translation()[axis] - expected).abs() < 1e-9, "{dragged:?} after {before:?}");
    }
    desk.compare("after a drag");

    let turned = desk.act(&["mousemove", "350", "200", "click", "4"]);
    // The X test extension's wheel turns once as its button goes down and once as it comes up again.
    let notches = (dragged.scale() / turned.scale()).ln() / 1.2_f64.ln();
    assert!(notches > 0.5 && (notches - notches.round()).abs() < 1e-9, "{notches} notches");
    desk.compare("after the wheel");

    let at_eight = desk.act(&["mousemove", "350", "200", "key", "8"]);
    assert_eq!(at_eight.scale(), 0.125);
    desk.compare("at 8×");
    let other = desk.act(&["key", "k", "key", "shift+a", "key", "ctrl+shift+a", "key", "t"]);
    assert_eq!(other.option("--method", "linear"), "linear");
    assert_eq!((other.option("--address", ""), other.option("--path", "")), ("border", "filtered"));
    desk.compare("with another method, address mode and path");
    desk.act(&["key", "f"]);
    desk.xdotool(&["key", "h"]);
    desk.wait_for(|desk| desk.shown()[&0].corner == [0, 0]);
    desk.settle();
    // The note that says how to come back covers a corner until it goes.
    std::thread::sleep(Duration::from_secs(5));
    desk.compare("with pictures only");
}

#[test]
fn an_idle_window_uses_no_processor_time() {
    if !has_programs() {
        return;
    }
    let _turn = ONE_AT_A_TIME.lock();
    let desk = Desk::open("", "1");
    desk.xdotool(&["mousemove", "300", "300"]);
    desk.settle();
    let used = (0..8).map(|_| {
        let before = desk.ticks();
        std::thread::sleep(Duration::from_secs(1));
        desk.ticks() - before
    });
    let used: Vec<u64> = used.collect();
    // A window that draws all the time uses tens of ticks in every one of these seconds.
    assert!(used.iter().rev().take(4).sum::<u64>() <= 2, "ticks each second: {used:?}");
}

#[test]
fn colour_and_every_scale_factor_are_shown_pixel_by_pixel() {
    if !has_programs() {
        return;
    }
    let _turn = ONE_AT_A_TIME.lock();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("colours.ppm");
    let mut random = fastrand::Rng::with_seed(11);
    let samples: Vec<u8> = (0..40 * 30 * 3).map(|_| random.u8(..)).collect();
    std::fs::write(&file, [b"P6 40 30 255\n".as_slice(), &samples].concat()).expect("a file");
    for scale_factor in ["1.25", "1.5", "2"] {
        let desk = Desk::open(file.to_str().expect("a name"), scale_factor);
        desk.compare(&format!("at {scale_factor}"));
        let whole = desk.act(&["mousemove", "300", "300", "key", "1"]);
        assert_eq!(whole.scale(), 1.0, "100 % is one sample on one physical pixel");
        desk.compare(&format!("at {scale_factor} and 100 %"));
    }
}

#[test]
fn without_a_display_one_line_says_so_and_names_render() {
    let output = Command::new(PROGRAM)
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
        .output()
        .expect("the program starts");
    let said = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.contains("no display") && said.contains("lerpscope render"), "{said}");
}
