//! Files under hidden names, as they are where a file system has none without: in a second process, which a signal ends.

use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::staged::Staged;
use super::{clean_up_on_signals, sync};

/// The file that the second process writes.
const IS_CHILD: &str = "LERPSCOPE_TEST_HIDDEN_NAME";

fn names(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect()
}

#[test]
fn a_hidden_name_is_removed_by_signals_that_end_the_program() {
    if let Some(target) = std::env::var_os(IS_CHILD) {
        clean_up_on_signals(|_| false).expect("handlers");
        let mut staged = Staged::named(Path::new(&target)).expect("a file");
        staged.write_all(b"half").expect("room");
        let mut out = io::stdout().lock();
        writeln!(out, "\nwriting").and_then(|()| out.flush()).expect("a reader");
        drop(out);
        std::thread::sleep(Duration::from_secs(if std::env::var_os("LERPSCOPE_TEST_SHORT").is_some() {
            1
        } else {
            60
        }));
        return;
    }
    for (signal, wrapper, is_ended) in
        [("INT", None, true), ("TERM", None, true), ("HUP", None, true), ("HUP", Some("nohup"), false)]
    {
        let folder = tempfile::tempdir().expect("a folder");
        let this = std::env::current_exe().expect("the test's program");
        let mut command = match wrapper {
            Some(wrapper) => {
                let mut command = Command::new(wrapper);
                command.arg(this).env("LERPSCOPE_TEST_SHORT", "1");
                command
            }
            None => Command::new(this),
        };
        let test = "files::tests::a_hidden_name_is_removed_by_signals_that_end_the_program";
        let child = command.args(["--exact", test, "--nocapture"]).env(IS_CHILD, folder.path().join("file"));
        let mut child = child.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the second process");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        assert!(lines.any(|line| line.expect("text") == "writing"));
        let hidden = names(folder.path());
        assert!(hidden.len() == 1 && hidden[0].to_string_lossy().contains("/.lerpscope-"), "{hidden:?}");
        let pid = child.id().to_string();
        assert!(Command::new("kill").args(["-s", signal, &pid]).status().expect("kill").success());
        lines.for_each(drop);
        let status = child.wait().expect("its end");
        assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status).is_some(), is_ended, "{signal}: {status}");
        assert!(names(folder.path()).is_empty(), "{signal}");
    }
}

#[test]
fn a_file_under_a_hidden_name_takes_its_own() {
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
