//! A display with the window on it, and its screen contents.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::time::{Duration, Instant};

use lerpscope::image::{self, Image, SAILBOAT};

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_lerpscope");
pub(crate) const SCREEN: [u32; 2] = [1280, 860];
/// Time limit for a slow machine.
const PATIENCE: Duration = Duration::from_secs(60);
/// Displays at a time. The tests wait most of their time: two cores serve three of them.
static TURNS: [Mutex<()>; 3] = [const { Mutex::new(()) }; 3];

/// Waits for a turn to open a display. It ends with the guard.
pub(crate) fn turn() -> MutexGuard<'static, ()> {
    loop {
        for turn in &TURNS {
            match turn.try_lock() {
                Ok(guard) => return guard,
                // A test failed during its turn.
                Err(TryLockError::Poisoned(guard)) => return guard.into_inner(),
                Err(TryLockError::WouldBlock) => {}
            }
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A process that ends with its owner.
pub(crate) struct Running(pub(crate) Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A display and the window on it.
pub(crate) struct LiveWindow {
    display: String,
    input: String,
    lines: Arc<Mutex<Vec<String>>>,
    program: Running,
    _server: Running,
    home: tempfile::TempDir,
}

/// A panel's options as logged by the window.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shown {
    pub(crate) corner: [u32; 2],
    options: Vec<String>,
}

impl Shown {
    /// The value of `--name`, or `default`.
    pub(crate) fn option<'a>(&'a self, name: &str, default: &'a str) -> &'a str {
        let place = self.options.iter().position(|option| option == name);
        place.and_then(|place| self.options.get(place + 1)).map_or(default, String::as_str)
    }

    /// The same image alone, without its position on the screen.
    pub(crate) fn alone(&self) -> Self {
        Self { corner: [0, 0], ..self.clone() }
    }

    pub(crate) fn scale(&self) -> f64 {
        self.option("--scale", "1").parse().expect("a scale")
    }

    pub(crate) fn size(&self) -> [u32; 2] {
        let (width, height) = self.option("--size", "").split_once('x').expect("a size");
        [width, height].map(|side| side.parse().expect("a side"))
    }

    pub(crate) fn translation(&self) -> [f64; 2] {
        let (x, y) = self.option("--translate", "0,0").split_once(',').expect("two numbers");
        [x, y].map(|number| number.parse().expect("a number"))
    }
}

/// Whether the programs are installed; reports, or fails, if not.
pub(crate) fn has_programs() -> bool {
    let is_there = |name: &str| {
        let look = Command::new("sh").args(["-c", &format!("command -v {name}")]).stdout(Stdio::null()).status();
        look.is_ok_and(|status| status.success())
    };
    let missing: Vec<_> = ["Xvfb", "xdotool", "xclip", "import"].into_iter().filter(|name| !is_there(name)).collect();
    if missing.is_empty() {
        return true;
    }
    crate::skip::skip(Some("LERPSCOPE_REQUIRE_WINDOW"), &format!("the window tests need {}", missing.join(", ")));
    false
}

impl LiveWindow {
    /// A display with the window on `input` (empty: the built-in image) at this scale factor.
    pub(crate) fn open(input: &str, scale_factor: &str) -> Self {
        let arguments: &[&str] = if input.is_empty() { &[] } else { &[input] };
        Self::open_with(arguments, input, scale_factor)
    }

    /// A display with the window that `session` opens, four panels of `input`.
    pub(crate) fn open_session(session: &Path, input: &str) -> Self {
        Self::open_with(&["--session", session.to_str().expect("a name")], input, "1")
    }

    /// A display with the window on the built-in image at this scale factor, with the size and at the place that it opens with.
    pub(crate) fn open_as_it_is(scale_factor: &str) -> Self {
        Self::start(&[], "", scale_factor)
    }

    /// A display with the window on these files, the first of which is shown.
    pub(crate) fn open_files(files: &[&str]) -> Self {
        Self::open_with(files, files[0], "1")
    }

    /// Text of the window's settings file; none before it is written.
    pub(crate) fn settings(&self) -> Option<String> {
        std::fs::read_to_string(self.home.path().join("lerpscope/settings.toml")).ok()
    }

    /// A display with the window of these arguments, as it opens.
    fn start(arguments: &[&str], input: &str, scale_factor: &str) -> Self {
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
        // The tests neither see nor change the user's settings and session.
        let home = tempfile::tempdir().expect("a temporary folder");
        let settings = home.path().join("lerpscope");
        std::fs::create_dir(&settings).expect("a folder");
        // Whole pictures are compared, which insets would cover.
        std::fs::write(settings.join("settings.toml"), "detail-insets = false\n").expect("settings");
        let mut program = Command::new(PROGRAM)
            .args(arguments)
            .env("DISPLAY", &display)
            .env("XDG_CONFIG_HOME", home.path())
            .env("XDG_DATA_HOME", home.path())
            .env("RUST_LOG", "lerpscope::frame=debug,warn")
            .env("LIBGL_ALWAYS_SOFTWARE", "1")
            .env("WINIT_X11_SCALE_FACTOR", scale_factor)
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("WAYLAND_SOCKET")
            // What events of the tests save is not saved in the project.
            .current_dir(home.path())
            // The desktop of the user has no part in the tests: no portal and no program opens a dialog.
            .env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent")
            .env("PATH", home.path())
            // A picture that is released leaves resident memory at once. glibc raises this threshold, up to 32 MiB, to the largest block that
            // was released, and keeps later blocks of that size in its heap, which then grows by what a picture takes.
            .env("MALLOC_MMAP_THRESHOLD_", "131072")
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
        let live = Self { display, input: input.to_owned(), lines, program: Running(program), _server: server, home };
        live.wait_for(|live| live.shown().len() == 4);
        live
    }

    /// The same over the whole screen, with nothing over its pictures.
    fn open_with(arguments: &[&str], input: &str, scale_factor: &str) -> Self {
        let live = Self::start(arguments, input, scale_factor);
        let window = live.id();
        let [width, height] = SCREEN.map(|side| side.to_string());
        live.xdotool(&["windowmove", &window, "0", "0", "windowsize", &window, &width, &height]);
        live.xdotool(&["windowfocus", &window]);
        live.settle();
        if !arguments.contains(&"--session") {
            // Nothing is painted over the pictures: the hint goes with the first zoom, the dimming with the first address mode.
            live.xdotool(&["mousemove", "200", "300", "key", "f"]);
            for mode in ["border", "wrap", "mirror", "clamp"] {
                live.xdotool(&["key", "a"]);
                live.wait_for(|live| {
                    live.last("panel 0").is_some_and(|shown| shown.option("--address", "clamp").starts_with(mode))
                });
            }
            // The notice that panels show the outside now would cover one of them.
            live.xdotool(&["key", "Escape"]);
            live.settle();
        }
        live
    }

    /// The window's number on its display.
    fn id(&self) -> String {
        let found = self.xdotool(&["search", "--sync", "--onlyvisible", "--name", "Lerpscope"]);
        found.lines().next().expect("a window").to_owned()
    }

    /// The window's corner and size on the screen, in pixels.
    pub(crate) fn place(&self) -> [[i32; 2]; 2] {
        let said = self.xdotool(&["getwindowgeometry", "--shell", &self.id()]);
        let number = |name: &str| -> i32 {
            let value = said.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
            value.and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("no {name} in\n{said}"))
        };
        [["X", "Y"], ["WIDTH", "HEIGHT"]].map(|names| names.map(number))
    }

    pub(crate) fn xdotool(&self, arguments: &[&str]) -> String {
        let output = Command::new("xdotool").args(arguments).env("DISPLAY", &self.display).output();
        String::from_utf8(output.expect("xdotool runs").stdout).expect("text")
    }

    /// Sends many commands at once, one per line.
    pub(crate) fn xdotool_lines(&self, lines: &[String]) {
        let mut xdotool = Command::new("xdotool");
        xdotool.arg("-").env("DISPLAY", &self.display).stdin(Stdio::piped()).stdout(Stdio::null());
        let mut running = xdotool.spawn().expect("xdotool starts");
        let mut input = running.stdin.take().expect("its standard input");
        input.write_all((lines.join("\n") + "\n").as_bytes()).expect("xdotool reads");
        drop(input);
        assert!(running.wait().expect("xdotool ends").success(), "{lines:#?}");
    }

    /// Lines that the window has written so far.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.lines.lock().expect("the lines").clone()
    }

    /// Resident memory in KiB; none once the window has ended.
    pub(crate) fn resident_kib(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.program.0.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.trim().strip_suffix(" kB")?.trim().parse().ok()
    }

    /// Latest options of each panel.
    pub(crate) fn shown(&self) -> BTreeMap<usize, Shown> {
        let lines = self.lines.lock().expect("the lines");
        lines.iter().filter_map(|line| read_panel(line)).collect()
    }

    pub(crate) fn wait_for(&self, is_so: impl Fn(&Self) -> bool) {
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
    pub(crate) fn settle(&self) {
        let (mut count, mut since) = (usize::MAX, Instant::now());
        while since.elapsed() < Duration::from_millis(700) {
            let now = self.lines.lock().expect("the lines").len();
            if now != count {
                (count, since) = (now, Instant::now());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Performs an action and waits until the first panel's options change.
    pub(crate) fn act(&self, arguments: &[&str]) -> Shown {
        let before = self.shown()[&0].clone();
        self.xdotool(arguments);
        self.wait_for(|live| live.shown()[&0] != before);
        self.settle();
        self.shown()[&0].clone()
    }

    pub(crate) fn screenshot(&self) -> Image {
        let mut import = Command::new("import");
        import.args(["-window", "root", "-depth", "8", "ppm:-"]).env("DISPLAY", &self.display);
        let output = import.output().expect("import runs");
        image::read("screenshot", &output.stdout).expect("a screenshot").image
    }

    /// Compares all panels on the screen with `lerpscope render`.
    pub(crate) fn compare(&self, moment: &str) {
        // The pointer is in the gap between the columns, beside the first picture: no tooltip and no crosshair covers a panel.
        let [first, second] = [0, 1].map(|panel| self.shown()[&panel].clone());
        let place = [second.corner[0].saturating_sub(1), first.corner[1] + first.size()[1] / 2];
        let [x, y] = place.map(|along| along.to_string());
        self.xdotool(&["mousemove", &x, &y]);
        self.settle();
        let screen = self.screenshot();
        for (panel, shown) in self.shown() {
            self.compare_part(&screen, &shown, &|_, _| true, &format!("{moment}: panel {panel}"));
        }
    }

    /// Contents of the clipboard of this type, as soon as there are any.
    pub(crate) fn clipboard(&self, target: &str) -> Vec<u8> {
        let start = Instant::now();
        loop {
            let mut xclip = Command::new("xclip");
            xclip.args(["-selection", "clipboard", "-out", "-target", target]).env("DISPLAY", &self.display);
            let output = xclip.stderr(Stdio::null()).output().expect("xclip runs");
            if output.status.success() && !output.stdout.is_empty() {
                return output.stdout;
            }
            assert!(start.elapsed() < PATIENCE, "the clipboard never had {target}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Compares a whole picture with `lerpscope render`.
    pub(crate) fn compare_picture(&self, picture: &Image, shown: &Shown, what: &str) {
        let size = picture.pages()[0].size();
        assert_eq!([size.width(), size.height()], shown.size(), "{what}");
        self.compare_part(picture, &shown.alone(), &|_, _| true, what);
    }

    /// Compares the pixels for which `counts` is true, on `screen`, with `lerpscope render`.
    pub(crate) fn compare_part(
        &self,
        screen: &Image,
        Shown { corner, options }: &Shown,
        counts: &dyn Fn(u32, u32) -> bool,
        what: &str,
    ) {
        let screen = screen.pages()[0].raster();
        let rendered = self.rendered(options, "ppm");
        let rendered = rendered.pages()[0].raster();
        let (colours, last) = (rendered.channels().count(), screen.channels().count() - 1);
        for row in 0..rendered.size().height() {
            for column in (0..rendered.size().width()).filter(|&column| counts(column, row)) {
                let (x, y) = (corner[0] + column, corner[1] + row);
                let same = (0..3).all(|channel| {
                    let wanted = rendered.number(column, row, channel.min(colours - 1));
                    screen.number(x, y, channel.min(last)) == wanted
                });
                assert!(same, "{what} differs at ({column}, {row}) of {options:?}");
            }
        }
    }

    /// Output of `lerpscope render` with these options, in a file with this extension.
    fn rendered(&self, options: &[String], ending: &str) -> Image {
        let folder = tempfile::tempdir().expect("a folder");
        let input = if self.input.is_empty() { SAILBOAT } else { &self.input };
        let file = folder.path().join(format!("rendered.{ending}"));
        let status = Command::new(PROGRAM).args(["render", input, "-o"]).arg(&file).args(options).status();
        assert!(status.expect("the program starts").success(), "render {options:?}");
        image::open(&file).expect("a picture").image
    }

    /// The same with its alpha.
    pub(crate) fn rendered_with_alpha(&self, shown: &Shown) -> Image {
        self.rendered(&shown.options, "png")
    }

    /// Contents of the clipboard of this type, as soon as they differ from `before`.
    pub(crate) fn clipboard_after(&self, target: &str, before: &[u8]) -> Vec<u8> {
        let start = Instant::now();
        loop {
            let now = self.clipboard(target);
            if now != before {
                return now;
            }
            assert!(start.elapsed() < PATIENCE, "the clipboard never had another {target}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Latest options of `what`, `panel 2` or `difference`.
    pub(crate) fn last(&self, what: &str) -> Option<Shown> {
        let lines = self.lines.lock().expect("the lines");
        lines.iter().rev().find_map(|line| read_picture(line).filter(|(name, _)| name == what)).map(|(_, shown)| shown)
    }

    /// Name of each thread of the window and its CPU time so far, in clock ticks of user and of system.
    pub(crate) fn threads(&self) -> Vec<String> {
        let threads = std::fs::read_dir(format!("/proc/{}/task", self.program.0.id())).expect("a running program");
        let stats = threads.filter_map(|thread| std::fs::read_to_string(thread.ok()?.path().join("stat")).ok());
        let used = stats.filter_map(|stat| {
            let (name, fields) = stat.split_once('(')?.1.rsplit_once(')')?;
            let fields: Vec<&str> = fields.split_whitespace().collect();
            Some(format!("{name}: {} {}", fields.get(11)?, fields.get(12)?))
        });
        used.collect()
    }

    /// CPU time used so far, in clock ticks.
    pub(crate) fn ticks(&self) -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.program.0.id())).expect("a running program");
        let after_name = stat.rsplit_once(')').expect("a name").1;
        let fields: Vec<&str> = after_name.split_whitespace().collect();
        [11, 12].iter().map(|&place| fields[place].parse::<u64>().expect("a number")).sum()
    }
}

/// `… panel 2 at 0,456: --method bspline --size 503x360`.
fn read_picture(line: &str) -> Option<(String, Shown)> {
    let (place, options) = line.strip_prefix("lerpscope: debug: ")?.split_once(": ")?;
    let (what, corner) = place.split_once(" at ")?;
    let (x, y) = corner.split_once(',')?;
    let corner = [x.parse().ok()?, y.parse().ok()?];
    Some((what.to_owned(), Shown { corner, options: options.split(' ').map(str::to_owned).collect() }))
}

/// The same of a panel, by its number.
fn read_panel(line: &str) -> Option<(usize, Shown)> {
    let (what, shown) = read_picture(line)?;
    Some((what.strip_prefix("panel ")?.parse().ok()?, shown))
}
