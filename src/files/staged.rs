//! Files that are not complete yet: they have no name, or a hidden one that is removed where they are given up.

use std::collections::BTreeSet;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The hidden names of this process that are on the disk. Whoever holds the lock cannot be ended by a signal in between, see
/// [`end_by_signal`].
static HIDDEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn hidden() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    HIDDEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does `work`, which is short; a signal that asks the program to end waits for it.
pub(super) fn uninterrupted<T>(work: impl FnOnce() -> T) -> T {
    let _names = hidden();
    work()
}

/// A hidden name: the file that has it is removed when this is dropped.
#[derive(Debug)]
struct HiddenName(PathBuf);

impl HiddenName {
    /// Has `make` make a file under a name that no other has, in the folder of `target`. No signal ends the program between
    /// that and the note of the name.
    ///
    /// # Errors
    /// As `make`, but for names that are taken: a process with the same number may have been killed here.
    fn beside<T>(target: &Path, make: impl Fn(&Path) -> io::Result<T>) -> io::Result<(Self, T)> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        // Absolute, since the process may change its folder.
        let folder = std::path::absolute(folder_of(target))?;
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = folder.join(format!(".lerpscope-{}-{number}", std::process::id()));
            let mut names = hidden();
            match make(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => {
                    let made = made?;
                    names.insert(path.clone());
                    return Ok((Self(path), made));
                }
            }
        }
    }

    /// Gives the file `target`'s name.
    fn rename(&self, target: &Path) -> io::Result<()> {
        uninterrupted(|| fs::rename(&self.0, target))
    }
}

impl Drop for HiddenName {
    fn drop(&mut self) {
        let mut names = hidden();
        // Renamed: then there is nothing to remove.
        let _ = fs::remove_file(&self.0);
        names.remove(&self.0);
    }
}

/// Removes the files under hidden names, which are given up, and ends the program by `signal`'s default action. Returns
/// where that ends nothing.
#[cfg(all(unix, feature = "cli"))]
pub fn end_by_signal(signal: i32) {
    // Held to the end: no other file is made under a hidden name.
    let names = hidden();
    // One that is renamed is not there.
    names.iter().for_each(|name| drop(fs::remove_file(name)));
    if let Err(error) = signal_hook::low_level::emulate_default_handler(signal) {
        log::info!("signal {signal} does not end the process: {error}");
    }
}

/// Ends the program by [`end_by_signal`] on SIGINT, SIGTERM and SIGHUP. A signal that is ignored, as SIGHUP under `nohup`,
/// stays so. The program goes on after a signal for which `is_handled` is true: its own code cancels what is under way and
/// ends it. `is_handled` is called on a thread, for one signal after the other.
///
/// # Errors
/// Where the system installs no handlers.
#[cfg(all(unix, feature = "cli"))]
pub fn clean_up_on_signals(is_handled: impl Fn(i32) -> bool + Send + 'static) -> io::Result<()> {
    let mut signals = signal_hook::iterator::Signals::new(crate::signals::ending())?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        signals.forever().filter(|signal| !is_handled(*signal)).for_each(end_by_signal);
    })?;
    Ok(())
}

/// Signals end the program as they did: files under hidden names are removed by those that wrote them.
///
/// # Errors
/// None.
#[cfg(all(not(unix), feature = "cli"))]
pub fn clean_up_on_signals(_is_handled: impl Fn(i32) -> bool + Send + 'static) -> io::Result<()> {
    Ok(())
}

/// A file that is being written, and is gone unless it gets a name.
#[derive(Debug)]
pub(super) struct Staged {
    file: File,
    /// The hidden name, where the file system has no files without one.
    name: Option<HiddenName>,
}

impl Staged {
    /// A file in the folder of `target`, with the usual permissions of a new file.
    ///
    /// # Errors
    /// Where no file can be made there.
    pub(super) fn beside(target: &Path) -> io::Result<Self> {
        match unnamed_in(folder_of(target))? {
            Some(file) => Ok(Self { file, name: None }),
            None => Self::named(target),
        }
    }

    /// The same under a hidden name.
    pub(super) fn named(target: &Path) -> io::Result<Self> {
        let make = |path: &Path| OpenOptions::new().read(true).write(true).create_new(true).open(path);
        let (name, file) = HiddenName::beside(target, make)?;
        Ok(Self { file, name: Some(name) })
    }

    /// A file without a name in the system's folder for such files: it cannot get one.
    ///
    /// # Errors
    /// Where that cannot be written.
    pub(super) fn unnamed() -> io::Result<Self> {
        // The kind of error alone: the whole names the folder of temporary files.
        let file = tempfile::tempfile().map_err(|error| io::Error::from(error.kind()))?;
        Ok(Self { file, name: None })
    }

    /// The file.
    pub(super) fn file(&self) -> &File {
        &self.file
    }

    /// The file, which gets no name.
    pub(super) fn into_file(self) -> File {
        self.file
    }

    /// Takes the owner, the group and the permissions of `old`; `false` where the system does not permit that.
    #[cfg(unix)]
    pub(super) fn take_over(&self, old: &Metadata) -> bool {
        use rustix::fs::{Gid, Uid, fchown};
        use std::os::unix::fs::MetadataExt;
        let own = self.file.metadata();
        let is_same = own.is_ok_and(|own| (own.uid(), own.gid()) == (old.uid(), old.gid()));
        let (uid, gid) = (Uid::from_raw(old.uid()), Gid::from_raw(old.gid()));
        // The owner first: a change of it takes the set-user-ID bit away.
        (is_same || fchown(&self.file, Some(uid), Some(gid)).is_ok())
            && self.file.set_permissions(old.permissions()).is_ok()
    }

    /// Takes the permissions of `old`.
    #[cfg(not(unix))]
    pub(super) fn take_over(&self, old: &Metadata) -> bool {
        self.file.set_permissions(old.permissions()).is_ok()
    }

    /// Gives the file the name `target`, which no other has.
    ///
    /// # Errors
    /// Where the system does not permit that.
    pub(super) fn create(&mut self, target: &Path) -> io::Result<()> {
        if self.name.is_none() {
            match link(&self.file, target) {
                // Somebody was faster: their file is replaced.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                other => {
                    other?;
                    sync_folder(target);
                    return Ok(());
                }
            }
        }
        self.replace(target)
    }

    /// Gives the file the name `target` in the place of the file that has it.
    ///
    /// # Errors
    /// Where the system does not permit that.
    pub(super) fn replace(&mut self, target: &Path) -> io::Result<()> {
        match &self.name {
            Some(name) => name.rename(target)?,
            None => {
                let (name, ()) = HiddenName::beside(target, |path| link(&self.file, path))?;
                name.rename(target)?;
            }
        }
        sync_folder(target);
        Ok(())
    }
}

impl Write for Staged {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The folder that holds `target`.
fn folder_of(target: &Path) -> &Path {
    target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Waits until the new name is on the disk. The file is complete under it either way: that some file systems cannot wait
/// for folders, and that a folder may be one that is not readable, is no failure.
fn sync_folder(target: &Path) {
    let _ = File::open(folder_of(target)).and_then(|folder| folder.sync_all());
}

/// A file without a name in `folder`; `None` where the file system has none, or where `/proc`, by which it gets a name
/// later, is not there.
#[cfg(target_os = "linux")]
fn unnamed_in(folder: &Path) -> io::Result<Option<File>> {
    use rustix::fs::{Mode, OFlags, open};
    use rustix::io::Errno;
    if !Path::new("/proc/self/fd").is_dir() {
        return Ok(None);
    }
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    match open(folder, flags, Mode::from_raw_mode(0o666)) {
        Ok(file) => Ok(Some(file.into())),
        Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// There are none.
#[cfg(not(target_os = "linux"))]
fn unnamed_in(_: &Path) -> io::Result<Option<File>> {
    Ok(None)
}

/// Gives a file without a name the name `path`.
#[cfg(target_os = "linux")]
fn link(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    use std::os::fd::AsRawFd;
    let descriptor = format!("/proc/self/fd/{}", file.as_raw_fd());
    Ok(linkat(CWD, descriptor, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

/// There are no files without a name to be linked.
#[cfg(not(target_os = "linux"))]
fn link(_: &File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
