//! Hidden names, as on a file system without unnamed files: in a child process, which a signal ends.

use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use super::staged::Staged;
use super::{clean_up_on_signals, sync};

/// Environment variable with the file that the child process writes.
const IS_CHILD: &str = "LERPSCOPE_TEST_HIDDEN_NAME";
/// Environment variable: the child process ends by itself after a short time.
const IS_SHORT: &str = "LERPSCOPE_TEST_SHORT";

/// Sets the action for `signal` that `command` starts with, whatever the action of this process is.
fn set_disposition(command: &mut Command, signal: i32, action: libc::sighandler_t) {
    use std::os::unix::process::CommandExt as _;
    let set = move || {
        #[expect(unsafe_code, reason = "actions are inherited, and set by the C library alone")]
        // SAFETY: the action is one of the system's own, which runs no code of the program.
        let before = unsafe { libc::signal(signal, action) };
        if before == libc::SIG_ERR { Err(io::Error::last_os_error()) } else { Ok(()) }
    };
    #[expect(unsafe_code, reason = "the closure runs between fork and exec")]
    // SAFETY: it makes one system call and reads `errno`; it allocates nothing and takes no lock.
    unsafe {
        command.pre_exec(set);
    }
}

fn names(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect()
}

#[test]
fn hidden_file_is_removed_by_a_terminating_signal() {
    if let Some(target) = std::env::var_os(IS_CHILD) {
        clean_up_on_signals(|_| false).expect("handlers");
        let mut staged = Staged::named(Path::new(&target)).expect("a file");
        staged.write_all(b"half").expect("room");
        let mut out = io::stdout().lock();
        writeln!(out, "\nwriting").and_then(|()| out.flush()).expect("a reader");
        drop(out);
        std::thread::sleep(Duration::from_secs(if std::env::var_os(IS_SHORT).is_some() { 1 } else { 60 }));
        return;
    }
    for (signal, number, is_ignored) in
        [("INT", SIGINT, false), ("TERM", SIGTERM, false), ("HUP", SIGHUP, false), ("HUP", SIGHUP, true)]
    {
        let folder = tempfile::tempdir().expect("a folder");
        let this = std::env::current_exe().expect("the test's program");
        let test = "files::tests::hidden_file_is_removed_by_a_terminating_signal";
        let mut command = Command::new(this);
        let child = command.args(["--exact", test, "--nocapture"]).env(IS_CHILD, folder.path().join("file"));
        if is_ignored {
            child.env(IS_SHORT, "1");
        }
        // The test process may itself ignore signals, as under `nohup`.
        set_disposition(child, number, if is_ignored { libc::SIG_IGN } else { libc::SIG_DFL });
        let mut child = child.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the second process");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        assert!(lines.any(|line| line.expect("text") == "writing"));
        let hidden = names(folder.path());
        assert!(hidden.len() == 1 && hidden[0].to_string_lossy().contains("/.lerpscope-"), "{hidden:?}");
        let pid = child.id().to_string();
        assert!(Command::new("kill").args(["-s", signal, &pid]).status().expect("kill").success());
        lines.for_each(drop);
        let status = child.wait().expect("its end");
        assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status).is_none(), is_ignored, "{signal}: {status}");
        assert!(names(folder.path()).is_empty(), "{signal}");
    }
}

#[test]
fn hidden_file_is_renamed_to_its_target() {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("file");
    for text in ["first", "second"] {
        let mut staged = Staged::named(&target).expect("a file");
        staged.write_all(text.as_bytes()).expect("room");
        sync(staged.file()).expect("a disk");
        staged.create(&target).expect("a name");
        drop(staged);
        assert_eq!(std::fs::read_to_string(&target).expect("a file"), text);
        assert_eq!(names(folder.path()), std::slice::from_ref(&target));
    }
    drop(Staged::named(&target).expect("a file"));
    assert_eq!(names(folder.path()), std::slice::from_ref(&target));
}
