//! Ends of the window: by signals, by losing its display, by SIGKILL. The next window restores or offers its session.

use std::io::{BufRead as _, BufReader};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use lerpscope::app::SavedSession;

use crate::live_window::{PROGRAM, Running, has_programs, turn};

/// Time limit for a slow machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// An X server of its own.
struct Display {
    server: Running,
    name: String,
}

impl Display {
    fn start() -> Self {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-nolisten", "tcp", "-screen", "0", "1280x860x24"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb starts");
        let said = server.stdout.take().expect("its standard output");
        let server = Running(server);
        let mut number = String::new();
        BufReader::new(said).read_line(&mut number).expect("Xvfb names its display");
        Self { server, name: format!(":{}", number.trim()) }
    }

    fn xdotool(&self, arguments: &[&str]) -> String {
        let output = Command::new("xdotool").args(arguments).env("DISPLAY", &self.name).output();
        String::from_utf8(output.expect("xdotool runs").stdout).expect("text")
    }
}

/// A window with settings and data in a folder that outlives it.
struct Window {
    program: Running,
    lines: Arc<Mutex<Vec<String>>>,
}

impl Window {
    /// Starts a window that restores the last session.
    fn start(display: &Display, home: &Path) -> Self {
        // The tests may run with ignored signals (`nohup`), which the window would inherit.
        let mut command = Command::new("env");
        command.args(["--default-signal=INT,HUP,TERM", PROGRAM]);
        Self::start_by(command, display, home)
    }

    fn start_by(mut command: Command, display: &Display, home: &Path) -> Self {
        let settings = home.join("lerpscope/settings.toml");
        std::fs::create_dir_all(settings.parent().expect("a folder")).expect("a folder");
        std::fs::write(&settings, "restore-session = true\n").expect("settings");
        let mut program = command
            .env("DISPLAY", &display.name)
            .env("XDG_CONFIG_HOME", home)
            .env("XDG_DATA_HOME", home)
            .env("RUST_LOG", "lerpscope::frame=debug,lerpscope::recovery=info,lerpscope=warn")
            .env("LIBGL_ALWAYS_SOFTWARE", "1")
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("WAYLAND_SOCKET")
            .env_remove("DBUS_SESSION_BUS_ADDRESS")
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let said = program.stderr.take().expect("its standard error");
        let window = Self { program: Running(program), lines: Arc::default() };
        let lines = Arc::clone(&window.lines);
        std::thread::spawn(move || {
            for line in BufReader::new(said).lines().map_while(Result::ok) {
                lines.lock().expect("the lines").push(line);
            }
        });
        window.wait_for("four panels", |lines| (0..4).all(|panel| last(lines, panel).is_some()));
        let id = display.xdotool(&["search", "--sync", "--onlyvisible", "--name", "Lerpscope"]);
        display.xdotool(&["windowfocus", "--sync", id.lines().next().expect("a window")]);
        window
    }

    fn lines(&self) -> Vec<String> {
        self.lines.lock().expect("the lines").clone()
    }

    fn wait_for(&self, what: &str, is_so: impl Fn(&[String]) -> bool) {
        let start = Instant::now();
        while !is_so(&self.lines()) {
            assert!(start.elapsed() < PATIENCE, "{what} never came; the window said:\n{}", self.lines().join("\n"));
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Zooms to `n` pixels per sample and waits until it is shown.
    fn zoom(&self, display: &Display, n: u32) {
        display.xdotool(&["key", &n.to_string()]);
        self.wait_for("the zoom", |lines| shows_zoom(lines, n));
    }

    fn send(&self, signal: &str) {
        let sent = Command::new("kill").args([signal, &self.program.0.id().to_string()]).status();
        assert!(sent.expect("kill runs").success(), "{signal}");
    }

    /// Waits until the program has ended; returns its status and its messages.
    fn end(mut self) -> (ExitStatus, Vec<String>) {
        let start = Instant::now();
        loop {
            if let Some(status) = self.program.0.try_wait().expect("a program of ours") {
                // The rest of its output is still in the pipe.
                std::thread::sleep(Duration::from_millis(200));
                let lines = self.lines().into_iter().filter(|line| !line.starts_with("lerpscope: debug: "));
                return (status, lines.collect());
            }
            assert!(start.elapsed() < PATIENCE, "it never ended:\n{}", self.lines().join("\n"));
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Latest options of `panel`.
fn last(lines: &[String], panel: usize) -> Option<String> {
    let start = format!("lerpscope: debug: panel {panel} at ");
    let line = lines.iter().rev().find_map(|line| line.strip_prefix(&start))?;
    line.split_once(": ").map(|(_, options)| options.to_owned())
}

fn shows_zoom(lines: &[String], n: u32) -> bool {
    let scale = format!("--scale {} ", 1.0 / f64::from(n));
    last(lines, 0).is_some_and(|options| format!("{options} ").contains(&scale))
}

/// The recovery sessions under `home`.
fn recovery_sessions(home: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(home.join("lerpscope/recovery")) else { return Vec::new() };
    let files = entries.map(|entry| entry.expect("an entry").path());
    files.filter(|file| file.extension().is_some_and(|extension| extension == "toml")).collect()
}

/// The single recovery session under `home`, at `n` pixels per sample.
fn check_recovery(home: &Path, n: u32) -> PathBuf {
    let [file] = &recovery_sessions(home)[..] else { panic!("{:?}", recovery_sessions(home)) };
    let text = std::fs::read_to_string(file).expect("text");
    let session = SavedSession::parse(&text, "session").expect("a session");
    assert_eq!(session.state.panels[0].view.scale(), 1.0 / f64::from(n));
    file.clone()
}

/// The next window offers the session in `file`, and shows the session of the last closed window, or the default.
fn check_offer(home: &Path, file: &Path) {
    let display = Display::start();
    let window = Window::start(&display, home);
    let offer = format!("lerpscope: info: a session was left behind: {}", file.display());
    window.wait_for("the offer", |lines| lines.contains(&offer));
    assert!(!shows_zoom(&window.lines(), 4), "it is offered, not restored");
}

#[test]
fn signal_closes_the_window_and_the_next_restores_its_session() {
    if !has_programs() {
        return;
    }
    let _turn = turn();
    let home = tempfile::tempdir().expect("a folder");
    let display = Display::start();
    for (signal, number, zoom) in [("-TERM", 15, 4), ("-INT", 2, 2), ("-HUP", 1, 4)] {
        let window = Window::start(&display, home.path());
        window.zoom(&display, zoom);
        window.send(signal);
        let (status, said) = window.end();
        assert_eq!((status.signal(), said), (Some(number), Vec::new()), "{signal}");
        assert!(recovery_sessions(home.path()).is_empty(), "{signal}: it closed in order");
        let next = Window::start(&display, home.path());
        next.wait_for("the session", |lines| shows_zoom(lines, zoom));
        next.send("-TERM");
        next.end();
    }
}

#[test]
fn ignored_signal_does_not_close_the_window() {
    if !has_programs() {
        return;
    }
    let _turn = turn();
    let home = tempfile::tempdir().expect("a folder");
    let display = Display::start();
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("trap '' HUP; exec {PROGRAM}")]);
    let window = Window::start_by(shell, &display, home.path());
    window.send("-HUP");
    std::thread::sleep(Duration::from_secs(1));
    window.zoom(&display, 4);
    window.send("-TERM");
    assert_eq!(window.end().0.signal(), Some(15));
}

#[test]
fn lost_display_saves_the_last_change_for_the_next_window() {
    if !has_programs() {
        return;
    }
    let _turn = turn();
    let home = tempfile::tempdir().expect("a folder");
    let mut display = Display::start();
    let window = Window::start(&display, home.path());
    window.zoom(&display, 4);
    // Long before the change is saved periodically.
    display.server.0.kill().expect("the server is killed");
    let (status, said) = window.end();
    assert_eq!(status.code(), Some(1), "{said:?}");
    let file = check_recovery(home.path(), 4);
    let line = format!("the session is saved as {}", file.display());
    assert_eq!(said.iter().filter(|said| said.ends_with(&line)).count(), 1, "{said:?}");
    assert!(!said.iter().any(|line| line.contains("panicked")), "{said:?}");
    check_offer(home.path(), &file);
}

#[test]
fn killed_window_leaves_the_changes_of_seconds_before() {
    if !has_programs() {
        return;
    }
    let _turn = turn();
    let home = tempfile::tempdir().expect("a folder");
    let display = Display::start();
    let window = Window::start(&display, home.path());
    window.zoom(&display, 4);
    std::thread::sleep(Duration::from_secs(5));
    window.send("-KILL");
    assert_eq!(window.end().0.signal(), Some(9));
    let file = check_recovery(home.path(), 4);
    check_offer(home.path(), &file);
}
