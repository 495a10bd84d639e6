//! The writer of all files: existing files, links, devices, owners, signals.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::print_stderr, reason = "a test that is skipped says so")]

mod signals;

use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use lerpscope::files;
use rustix::process::{Pid, Signal, getuid, kill_process};
use signals::with_default_signals;
use tempfile::TempDir;

/// A user without privileges.
const NOBODY: u32 = 65534;

fn write(path: &Path, text: &str) -> io::Result<()> {
    files::write(path, |out| out.write_all(text.as_bytes()))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o7777
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// Whether the test runs as root; otherwise it reports that it is skipped.
fn is_root(what: &str) -> bool {
    let is_root = getuid().is_root();
    if !is_root {
        eprintln!("skipped: {what} needs root");
    }
    is_root
}

/// A folder accessible to everyone, with a copy of the program for other users.
struct Shared {
    folder: TempDir,
    program: PathBuf,
}

impl Shared {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        set_mode(folder.path(), 0o755);
        let program = folder.path().join("lerpscope");
        fs::copy(env!("CARGO_BIN_EXE_lerpscope"), &program).unwrap();
        set_mode(&program, 0o755);
        fs::create_dir(folder.path().join("work")).unwrap();
        Self { folder, program }
    }

    fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    /// Saves an image to `file` as an unprivileged user.
    fn save_as_nobody(&self, file: &Path) -> Output {
        let nobody = NOBODY.to_string();
        let user = ["--reuid", &nobody, "--regid", &nobody, "--clear-groups", "--"];
        let mut command = Command::new("setpriv");
        command.args(user).arg(&self.program).args(["synth", "lines", "--size", "4x4", "-o"]).arg(file);
        command.output().unwrap()
    }
}

fn assert_saved(output: &Output, file: &Path) {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(fs::read(file).unwrap().starts_with(b"P5\n4 4\n255\n"));
}

/// One line that names the file once, and no temporary file.
fn assert_refused(output: &Output, file: &Path) {
    let line = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!((output.status.code(), line.lines().count()), (Some(1), 1), "{line}");
    assert_eq!(line.matches(file.to_str().unwrap()).count(), 1, "{line}");
    assert!(!line.contains("/.lerpscope") && !line.contains("/proc"), "{line}");
}

#[test]
fn new_file_has_the_default_mode_and_replaced_file_keeps_its_mode() {
    let folder = tempfile::tempdir().unwrap();
    let [usual, new] = ["usual", "new"].map(|name| folder.path().join(name));
    fs::write(&usual, "").unwrap();
    write(&new, "first").unwrap();
    assert_eq!((mode(&new), read(&new)), (mode(&usual), "first".to_owned()));
    for bits in [0o600, 0o640, 0o755, 0o666] {
        set_mode(&new, bits);
        write(&new, "second").unwrap();
        assert_eq!((mode(&new), read(&new)), (bits, "second".to_owned()));
    }
    assert_eq!(names(folder.path()), ["new", "usual"]);
}

#[test]
fn failing_writer_leaves_the_old_file_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let [old, linked, new] = ["old", "linked", "new"].map(|name| folder.path().join(name));
    fs::write(&old, "old").unwrap();
    fs::write(&linked, "linked").unwrap();
    fs::hard_link(&linked, folder.path().join("other")).unwrap();
    for path in [&old, &linked, &new] {
        let result: io::Result<()> = files::write(path, |out| {
            out.write_all(&[b'x'; 100_000])?;
            Err(io::Error::other("no more"))
        });
        assert_eq!(result.unwrap_err().to_string(), "no more");
    }
    assert_eq!((read(&old), read(&linked)), ("old".to_owned(), "linked".to_owned()));
    assert_eq!(names(folder.path()), ["linked", "old", "other"]);
}

#[test]
fn symbolic_link_is_kept_and_its_target_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir_all(path("dotfiles/deep")).unwrap();
    fs::create_dir(path("config")).unwrap();
    fs::write(path("dotfiles/deep/old"), "old, and longer than the new text").unwrap();
    symlink("../dotfiles/deep/old", path("config/relative")).unwrap();
    symlink(path("dotfiles/made"), path("config/dangling")).unwrap();
    symlink("relative", path("config/chain")).unwrap();
    symlink("dotfiles/deep", path("shortcut")).unwrap();
    symlink("../up", path("dotfiles/deep/back")).unwrap();
    symlink("loop", path("loop")).unwrap();
    for (link, target) in [
        ("config/relative", "dotfiles/deep/old"),
        ("config/dangling", "dotfiles/made"),
        ("config/chain", "dotfiles/deep/old"),
        ("shortcut/back", "dotfiles/up"),
    ] {
        write(&path(link), link).unwrap();
        assert!(path(link).is_symlink(), "{link}");
        assert_eq!(read(&path(target)), link);
    }
    assert!(write(&path("loop"), "x").unwrap_err().to_string().contains("symbolic links"));
    assert_eq!(names(&path("config")), ["chain", "dangling", "relative"]);
}

#[test]
fn hard_links_are_kept_by_a_write() {
    let folder = tempfile::tempdir().unwrap();
    let [one, other] = ["one", "other"].map(|name| folder.path().join(name));
    fs::write(&one, "old, and longer than the new text").unwrap();
    fs::hard_link(&one, &other).unwrap();
    write(&one, "new").unwrap();
    assert_eq!((read(&one), read(&other)), ("new".to_owned(), "new".to_owned()));
    assert_eq!(fs::metadata(&one).unwrap().ino(), fs::metadata(&other).unwrap().ino());
}

#[test]
fn fifo_is_written_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let fifo = folder.path().join("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    files::check_writable(&fifo).unwrap();
    let reader = std::thread::spawn({
        let fifo = fifo.clone();
        move || read(&fifo)
    });
    write(&fifo, "through").unwrap();
    // Before waiting for the reader: of a removed FIFO it would get nothing.
    assert!(fs::symlink_metadata(&fifo).unwrap().file_type().is_fifo());
    assert_eq!(reader.join().unwrap(), "through");
}

/// Root could replace a device by a file. The device is created by the test.
#[test]
fn device_is_written_and_kept() {
    if !is_root("making a device") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let device = folder.path().join("null");
    let made = Command::new("mknod").arg(&device).args(["c", "1", "3"]).output().unwrap();
    if !made.status.success() || OpenOptions::new().write(true).open(&device).is_err() {
        eprintln!("skipped: this system lets nobody make or open a device here");
        return;
    }
    let link = folder.path().join("link");
    symlink("null", &link).unwrap();
    for path in [&device, &link] {
        files::check_writable(path).unwrap();
        write(path, "gone").unwrap();
        assert!(fs::symlink_metadata(&device).unwrap().file_type().is_char_device());
    }
    // End to end, by the option that replaced devices.
    let arguments = ["bench", "--backend", "cpu", "--size", "8x8", "--image", "8x8", "--repeats", "1", "--scale", "1"];
    let output = Command::new(env!("CARGO_BIN_EXE_lerpscope")).args(arguments).arg("--json").arg(&device).output();
    assert!(output.unwrap().status.success());
    assert!(fs::symlink_metadata(&device).unwrap().file_type().is_char_device());
    assert_eq!(names(folder.path()), ["link", "null"]);
}

#[test]
fn descriptor_in_proc_is_appended_to() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("out");
    fs::write(&file, "first ").unwrap();
    let inode = fs::metadata(&file).unwrap().ino();
    let open = OpenOptions::new().append(true).open(&file).unwrap();
    let descriptor = PathBuf::from(format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&open)));
    if !descriptor.exists() {
        eprintln!("skipped: there is no /proc");
        return;
    }
    write(&descriptor, "second").unwrap();
    assert_eq!((read(&file), fs::metadata(&file).unwrap().ino()), ("first second".to_owned(), inode));
}

#[test]
fn owner_of_a_file_replaced_by_root_is_kept() {
    if !is_root("a file of another owner") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "old").unwrap();
    std::os::unix::fs::chown(&file, Some(NOBODY), Some(7)).unwrap();
    set_mode(&file, 0o4750);
    write(&file, "new").unwrap();
    let metadata = fs::metadata(&file).unwrap();
    assert_eq!((metadata.uid(), metadata.gid(), mode(&file)), (NOBODY, 7, 0o4750));
    assert_eq!(read(&file), "new");
}

/// Another owner's file is written in place, since its owner cannot be restored: in a folder writable by everyone, and
/// in one with the sticky bit, where it cannot be replaced.
#[test]
fn owner_of_a_file_replaced_by_another_user_is_kept() {
    if !is_root("acting as another user") {
        return;
    }
    let shared = Shared::new();
    for folder_mode in [0o777, 0o1777] {
        set_mode(&shared.work(), folder_mode);
        let file = shared.work().join("file.pgm");
        fs::write(&file, "old, and a good deal longer than the picture that takes its place").unwrap();
        set_mode(&file, 0o666);
        let before = fs::metadata(&file).unwrap();
        assert_saved(&shared.save_as_nobody(&file), &file);
        let after = fs::metadata(&file).unwrap();
        assert_eq!((after.uid(), after.gid(), after.ino()), (before.uid(), before.gid(), before.ino()));
        assert_eq!((mode(&file), after.len()), (0o666, 11 + 16));
        assert_eq!(names(&shared.work()), ["file.pgm"]);
        fs::remove_file(&file).unwrap();
    }
}

#[test]
fn file_in_a_read_only_folder_is_written_in_place_and_a_new_one_refused() {
    if !is_root("acting as another user") {
        return;
    }
    let shared = Shared::new();
    let [file, new, fixed] = ["file.pgm", "new.pgm", "fixed.pgm"].map(|name| shared.work().join(name));
    fs::write(&file, "old").unwrap();
    fs::write(&fixed, "fixed").unwrap();
    set_mode(&file, 0o666);
    set_mode(&fixed, 0o644);
    set_mode(&shared.work(), 0o555);
    let inode = fs::metadata(&file).unwrap().ino();
    assert_saved(&shared.save_as_nobody(&file), &file);
    assert_eq!(fs::metadata(&file).unwrap().ino(), inode);
    assert_refused(&shared.save_as_nobody(&new), &new);
    assert_refused(&shared.save_as_nobody(&fixed), &fixed);
    assert_eq!(read(&fixed), "fixed");
    assert_eq!(names(&shared.work()), ["file.pgm", "fixed.pgm"]);
}

#[test]
fn read_only_file_in_a_writable_folder_is_refused() {
    if !is_root("acting as another user") {
        return;
    }
    let shared = Shared::new();
    set_mode(&shared.work(), 0o777);
    let file = shared.work().join("file.pgm");
    fs::write(&file, "old").unwrap();
    set_mode(&file, 0o444);
    assert_refused(&shared.save_as_nobody(&file), &file);
    assert_eq!(read(&file), "old");
}

#[test]
fn unwritable_paths_are_detected_beforehand_without_a_trace() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("file"), "old").unwrap();
    for name in ["file", "new"] {
        files::check_writable(&path(name)).unwrap();
    }
    assert_eq!((names(folder.path()), read(&path("file"))), (vec!["file".to_owned()], "old".to_owned()));
    for (name, kind) in [
        ("missing/new", io::ErrorKind::NotFound),
        ("file/new", io::ErrorKind::NotADirectory),
        (".", io::ErrorKind::IsADirectory),
    ] {
        for error in [files::check_writable(&path(name)).unwrap_err(), write(&path(name), "x").unwrap_err()] {
            assert_eq!(error.kind(), kind, "{name}: {error}");
            assert!(!error.to_string().contains("lerpscope"), "{error}");
        }
    }
}

/// Environment variable with the file that the child process writes.
const CHILD_WRITES: &str = "LERPSCOPE_TEST_WRITES_SLOWLY";

/// Child process of the next test: writes some bytes, reports it, and waits for its end.
#[test]
fn child_that_writes_slowly() {
    let Some(path) = std::env::var_os(CHILD_WRITES) else { return };
    files::clean_up_on_signals(|_| false).unwrap();
    let _ = files::write(Path::new(&path), |out| {
        out.write_all(&[b'x'; 1 << 20])?;
        out.flush()?;
        println_now("writing");
        std::thread::sleep(Duration::from_secs(60));
        Err(io::Error::other("nobody ended this process"))
    });
}

fn println_now(text: &str) {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}").and_then(|()| out.flush()).unwrap();
}

/// Whether unnamed files are supported here: SIGKILL then leaves nothing.
#[cfg(target_os = "linux")]
fn has_unnamed_files() -> bool {
    use rustix::fs::{Mode, OFlags, open};
    let has = open(std::env::temp_dir(), OFlags::TMPFILE | OFlags::WRONLY, Mode::RUSR).is_ok();
    if !has {
        eprintln!("SIGKILL is skipped: this file system has no files without a name");
    }
    has
}

#[cfg(not(target_os = "linux"))]
fn has_unnamed_files() -> bool {
    eprintln!("SIGKILL is skipped: this system has no files without a name");
    false
}

#[test]
fn signal_during_a_write_leaves_the_old_file_and_no_temporary() {
    let kill = has_unnamed_files().then_some(Signal::KILL);
    for signal in [Signal::INT, Signal::TERM, Signal::HUP].into_iter().chain(kill) {
        for old in [Some("old"), None] {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("file");
            if let Some(old) = old {
                fs::write(&file, old).unwrap();
            }
            let mut command = Command::new(std::env::current_exe().unwrap());
            let mut child = with_default_signals(&mut command)
                .args(["--exact", "child_that_writes_slowly", "--nocapture"])
                .env(CHILD_WRITES, &file)
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            let mut said = String::new();
            let mut out = child.stdout.take().unwrap();
            while !said.contains("writing\n") {
                let mut byte = [0];
                out.read_exact(&mut byte).unwrap();
                said.push(char::from(byte[0]));
            }
            kill_process(Pid::from_child(&child), signal).unwrap();
            let status = child.wait().unwrap();
            let ended_by = std::os::unix::process::ExitStatusExt::signal(&status);
            assert_eq!(ended_by, Some(signal.as_raw()), "{status}");
            let left: Vec<String> = old.map(|_| "file".to_owned()).into_iter().collect();
            assert_eq!(names(folder.path()), left, "{signal:?}");
            if let Some(old) = old {
                assert_eq!(read(&file), old);
            }
        }
    }
}

/// Bytes of the file written in place: enough for a signal to arrive while they are copied.
const LONG: usize = 96 << 20;
/// Environment variable with the file that the child process writes in place.
const CHILD_OVERWRITES: &str = "LERPSCOPE_TEST_OVERWRITES";

/// Child process of the next test.
#[test]
fn child_that_writes_in_place() {
    let Some(path) = std::env::var_os(CHILD_OVERWRITES) else { return };
    files::clean_up_on_signals(|_| false).unwrap();
    files::write(Path::new(&path), |out| out.write_all(&vec![b'n'; LONG])).unwrap();
}

#[test]
fn signal_during_a_write_in_place_is_delayed_to_its_end() {
    use std::os::unix::fs::FileExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, vec![b'o'; LONG]).unwrap();
    fs::hard_link(&path, folder.path().join("other name")).unwrap();
    let file = fs::File::open(&path).unwrap();
    let mut command = Command::new(std::env::current_exe().unwrap());
    let mut child = with_default_signals(&mut command)
        .args(["--exact", "child_that_writes_in_place", "--nocapture"])
        .env(CHILD_OVERWRITES, &path)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut first = [b'o'];
    while first == *b"o" && child.try_wait().unwrap().is_none() {
        file.read_exact_at(&mut first, 0).unwrap();
    }
    // A child that has already ended gets no signal.
    let _ = kill_process(Pid::from_child(&child), Signal::TERM);
    child.wait().unwrap();
    let bytes = fs::read(&path).unwrap();
    assert!(
        bytes.len() == LONG && bytes.iter().all(|byte| *byte == b'n'),
        "{:?}",
        bytes.iter().position(|b| *b == b'o')
    );
}

#[test]
fn short_text_is_read_and_endless_text_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("full"), "x".repeat(1 << 20)).unwrap();
    fs::write(path("long"), "x".repeat((1 << 20) + 1)).unwrap();
    fs::write(path("bytes"), b"\xff\xfe").unwrap();
    assert_eq!(files::read_text(&path("full")).unwrap().len(), 1 << 20);
    let wrong = |path: &Path| files::read_text(path).unwrap_err().to_string();
    assert_eq!(wrong(&path("long")), "is longer than 1 MiB");
    assert_eq!(wrong(Path::new("/dev/zero")), "is longer than 1 MiB");
    assert_eq!(wrong(&path("bytes")), "is not UTF-8 text");
    assert!(wrong(&path("none")).starts_with("does not exist"));
}
