//! Incomplete files: unnamed, or with a hidden name that is removed on failure.

use std::collections::BTreeSet;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Hidden names of this process that exist on disk. While the lock is held, no signal ends the process; see
/// [`end_by_signal`].
static HIDDEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn hidden() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    HIDDEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `work`, which must be short, with termination by signals delayed until its end.
pub(super) fn uninterrupted<T>(work: impl FnOnce() -> T) -> T {
    let _names = hidden();
    work()
}

/// A hidden name; dropping it removes the file.
#[derive(Debug)]
struct HiddenName(PathBuf);

impl HiddenName {
    /// Calls `make` with an unused name in the folder of `target`. Signals are delayed until the name is recorded.
    ///
    /// # Errors
    /// Errors of `make`, except for names in use: an earlier process with the same number may have been killed.
    fn beside<T>(target: &Path, make: impl Fn(&Path) -> io::Result<T>) -> io::Result<(Self, T)> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        // Absolute, since the process may change its working directory.
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

    /// Renames the file to `target`.
    fn rename(&self, target: &Path) -> io::Result<()> {
        uninterrupted(|| fs::rename(&self.0, target))
    }
}

impl Drop for HiddenName {
    fn drop(&mut self) {
        let mut names = hidden();
        // After a rename there is nothing to remove.
        let _ = fs::remove_file(&self.0);
        names.remove(&self.0);
    }
}

/// Removes all files with hidden names and ends the process by `signal`'s default action. Returns only if that action
/// does not end the process.
#[cfg(all(unix, feature = "cli"))]
pub fn end_by_signal(signal: i32) {
    // Held to the end: no other hidden name is created.
    let names = hidden();
    // A renamed file is not found.
    names.iter().for_each(|name| drop(fs::remove_file(name)));
    if let Err(error) = signal_hook::low_level::emulate_default_handler(signal) {
        log::info!("signal {signal} does not end the process: {error}");
    }
}

/// Installs handlers for SIGINT, SIGTERM and SIGHUP that call [`end_by_signal`]. Ignored signals, such as SIGHUP under
/// `nohup`, stay ignored. `is_handled` is called on a thread, once per signal; true means that the program itself cancels its
/// work and ends.
///
/// # Errors
/// An I/O error if the handlers cannot be installed.
#[cfg(all(unix, feature = "cli"))]
pub fn clean_up_on_signals(is_handled: impl Fn(i32) -> bool + Send + 'static) -> io::Result<()> {
    let mut signals = signal_hook::iterator::Signals::new(crate::signals::ending())?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        signals.forever().filter(|signal| !is_handled(*signal)).for_each(end_by_signal);
    })?;
    Ok(())
}

/// No handlers on this system: files with hidden names are removed by their writers.
///
/// # Errors
/// None.
#[cfg(all(not(unix), feature = "cli"))]
pub fn clean_up_on_signals(_is_handled: impl Fn(i32) -> bool + Send + 'static) -> io::Result<()> {
    Ok(())
}

/// An incomplete file; it is removed on drop unless it gets its name.
#[derive(Debug)]
pub(super) struct Staged {
    file: File,
    /// Hidden name, on file systems without unnamed files.
    name: Option<HiddenName>,
}

impl Staged {
    /// Creates a file in the folder of `target`, with default permissions.
    ///
    /// # Errors
    /// An I/O error if the folder does not allow it.
    pub(super) fn beside(target: &Path) -> io::Result<Self> {
        match unnamed_in(folder_of(target))? {
            Some(file) => Ok(Self { file, name: None }),
            None => Self::named(target),
        }
    }

    /// Creates a file with a hidden name in the folder of `target`.
    pub(super) fn named(target: &Path) -> io::Result<Self> {
        let make = |path: &Path| OpenOptions::new().read(true).write(true).create_new(true).open(path);
        let (name, file) = HiddenName::beside(target, make)?;
        Ok(Self { file, name: Some(name) })
    }

    /// Creates an unnamed file in the system's temporary folder; it cannot get a name.
    ///
    /// # Errors
    /// An I/O error if that folder is not writable.
    pub(super) fn unnamed() -> io::Result<Self> {
        // Only the kind of the error: its text names the temporary folder.
        let file = tempfile::tempfile().map_err(|error| io::Error::from(error.kind()))?;
        Ok(Self { file, name: None })
    }

    /// The open file.
    pub(super) fn file(&self) -> &File {
        &self.file
    }

    /// The open file, without a name.
    pub(super) fn into_file(self) -> File {
        self.file
    }

    /// Sets the owner, group and permissions of `old`; `false` if the system does not permit it.
    #[cfg(unix)]
    pub(super) fn take_over(&self, old: &Metadata) -> bool {
        use rustix::fs::{Gid, Uid, fchown};
        use std::os::unix::fs::MetadataExt;
        let own = self.file.metadata();
        let is_same = own.is_ok_and(|own| (own.uid(), own.gid()) == (old.uid(), old.gid()));
        let (uid, gid) = (Uid::from_raw(old.uid()), Gid::from_raw(old.gid()));
        // The owner first: changing it clears the set-user-ID bit.
        (is_same || fchown(&self.file, Some(uid), Some(gid)).is_ok())
            && self.file.set_permissions(old.permissions()).is_ok()
    }

    /// Sets the permissions of `old`.
    #[cfg(not(unix))]
    pub(super) fn take_over(&self, old: &Metadata) -> bool {
        self.file.set_permissions(old.permissions()).is_ok()
    }

    /// Names the file `target`, which must be unused.
    ///
    /// # Errors
    /// An I/O error if the system does not permit it.
    pub(super) fn create(&mut self, target: &Path) -> io::Result<()> {
        if self.name.is_none() {
            match link(&self.file, target) {
                // Another process created the file in the meantime: it is replaced.
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

    /// Names the file `target`, in place of the existing file.
    ///
    /// # Errors
    /// An I/O error if the system does not permit it.
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

/// Folder that contains `target`.
fn folder_of(target: &Path) -> &Path {
    target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Synchronizes the folder of `target`, so that the new name is on disk. Errors are ignored: the file is complete
/// either way, some file systems cannot synchronize folders, and a folder may be unreadable.
fn sync_folder(target: &Path) {
    let _ = File::open(folder_of(target)).and_then(|folder| folder.sync_all());
}

/// Creates an unnamed file in `folder`; `None` on a file system without unnamed files, or without `/proc`, which is
/// needed to name it.
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

/// `None`: this system has no unnamed files.
#[cfg(not(target_os = "linux"))]
fn unnamed_in(_: &Path) -> io::Result<Option<File>> {
    Ok(None)
}

/// Names an unnamed file `path`.
#[cfg(target_os = "linux")]
fn link(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    use std::os::fd::AsRawFd;
    let descriptor = format!("/proc/self/fd/{}", file.as_raw_fd());
    Ok(linkat(CWD, descriptor, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

/// Fails: this system has no unnamed files.
#[cfg(not(target_os = "linux"))]
fn link(_: &File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
