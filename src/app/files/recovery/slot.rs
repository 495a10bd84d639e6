//! Files of one recovery session: the session, and a lock that is held while its window lives.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

use thiserror::Error;

/// Maximum number of sessions kept for an answer; older ones are removed.
const MAX_LEFT_BEHIND: usize = 8;
/// Maximum age of a session kept for an answer.
const MAX_AGE: Duration = Duration::from_secs(30 * 24 * 3600);
/// Prefix of temporary files. One older than [`MAX_TEMPORARY_AGE`] has no owner.
const TEMPORARY: &str = ".";
const MAX_TEMPORARY_AGE: Duration = Duration::from_secs(24 * 3600);
const LOCK: &str = "lock";
const SESSION: &str = "toml";

/// The folder of recovery sessions cannot be written, or its file system has no locks.
#[derive(Debug, Error)]
#[error("{}: {}", folder.display(), crate::text::system_message(cause))]
pub(in crate::app) struct SlotError {
    folder: PathBuf,
    #[source]
    cause: io::Error,
}

/// Files of a recovery session. The lock is held for the lifetime of this value; the system releases it however the process
/// ends.
#[derive(Debug)]
pub(super) struct Slot {
    lock: File,
    lock_file: PathBuf,
}

impl Slot {
    /// A new slot in `folder`, which is created if it is missing.
    ///
    /// # Errors
    /// If the folder cannot be written or its file system has no locks.
    pub(super) fn create(folder: &Path) -> Result<Self, SlotError> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let failed = |cause: io::Error| SlotError { folder: folder.to_owned(), cause };
        std::fs::create_dir_all(folder).map_err(failed)?;
        // The file is locked before it gets its name, so that no other window finds it unlocked.
        let lock = tempfile::Builder::new().prefix(TEMPORARY).tempfile_in(folder).map_err(failed)?;
        lock.as_file().try_lock().map_err(|error| failed(error.into()))?;
        let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_millis();
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("{time}-{}-{count}", std::process::id());
        let lock_file = folder.join(name).with_extension(LOCK);
        let lock = lock.persist_noclobber(&lock_file).map_err(|error| failed(error.error))?;
        Ok(Self { lock, lock_file })
    }

    /// Claims the slot of `lock_file`; `None` while its window lives.
    fn claim(lock_file: PathBuf) -> Option<Self> {
        let lock = OpenOptions::new().read(true).write(true).open(&lock_file).ok()?;
        lock.try_lock().ok()?;
        Some(Self { lock, lock_file })
    }

    /// The session file.
    pub(super) fn session_file(&self) -> PathBuf {
        self.lock_file.with_extension(SESSION)
    }

    /// Time of the last save; `None` if there was none.
    pub(super) fn saved_at(&self) -> Option<SystemTime> {
        std::fs::metadata(self.session_file()).and_then(|data| data.modified()).ok()
    }

    /// Removes both files, the lock last: a session file without a lock would never be removed.
    pub(super) fn remove(self) {
        remove_file(&self.session_file());
        remove_file(&self.lock_file);
        drop(self.lock);
    }
}

/// Claims the slots in `folder` whose windows are gone and left a session, the newest first. Removes locks without a session,
/// sessions that are too old or too many, and old temporary files.
pub(super) fn claim(folder: &Path) -> Vec<Slot> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for file in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        let is_temporary = file.file_name().is_some_and(|name| name.to_string_lossy().starts_with(TEMPORARY));
        if is_temporary {
            if age(std::fs::metadata(&file).and_then(|data| data.modified()).ok()) > MAX_TEMPORARY_AGE {
                remove_file(&file);
            }
        } else if file.extension().is_some_and(|extension| extension == LOCK)
            && let Some(slot) = Slot::claim(file)
        {
            match slot.saved_at() {
                Some(saved_at) => found.push((saved_at, slot)),
                None => slot.remove(),
            }
        }
    }
    found.sort_by_key(|(saved_at, _)| std::cmp::Reverse(*saved_at));
    let mut kept = Vec::new();
    for (saved_at, slot) in found {
        if kept.len() < MAX_LEFT_BEHIND && age(Some(saved_at)) <= MAX_AGE {
            kept.push(slot);
        } else {
            slot.remove();
        }
    }
    kept
}

/// Time since `time`; zero if it is unknown or in the future.
fn age(time: Option<SystemTime>) -> Duration {
    time.and_then(|time| time.elapsed().ok()).unwrap_or_default()
}

fn remove_file(file: &Path) {
    if let Err(error) = std::fs::remove_file(file)
        && error.kind() != io::ErrorKind::NotFound
    {
        log::info!("{}: {error}", file.display());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A slot whose window is gone, with a session saved `days` ago.
    fn abandon(folder: &Path, days: u64) -> PathBuf {
        let slot = Slot::create(folder).expect("a slot");
        let session = File::create(slot.session_file()).expect("a file");
        session.set_modified(SystemTime::now() - Duration::from_secs(days * 24 * 3600)).expect("a time");
        slot.session_file()
    }

    fn files(folder: &Path) -> usize {
        std::fs::read_dir(folder).expect("the folder").count()
    }

    #[test]
    fn slot_is_claimed_only_after_its_window_is_gone() {
        let folder = tempfile::tempdir().expect("a folder");
        let slot = Slot::create(folder.path()).expect("a slot");
        std::fs::write(slot.session_file(), "").expect("a file");
        assert!(claim(folder.path()).is_empty());
        let file = slot.session_file();
        drop(slot);
        let claimed = claim(folder.path());
        assert_eq!(claimed.iter().map(Slot::session_file).collect::<Vec<_>>(), [file]);
        assert!(claim(folder.path()).is_empty(), "the slot is claimed already");
    }

    #[test]
    fn slot_older_than_the_maximum_age_is_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let kept = abandon(folder.path(), 29);
        abandon(folder.path(), 31);
        let claimed = claim(folder.path());
        assert_eq!(claimed.iter().map(Slot::session_file).collect::<Vec<_>>(), [kept]);
        assert_eq!(files(folder.path()), 2);
    }

    #[test]
    fn slots_that_are_old_surplus_or_empty_are_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let recent: Vec<PathBuf> = (0..10).map(|days| abandon(folder.path(), days)).collect();
        abandon(folder.path(), 31);
        drop(Slot::create(folder.path()).expect("a slot without a session"));
        let day = |days: u64| SystemTime::now() - Duration::from_secs(days * 24 * 3600);
        for (name, days) in [(".tmp1", 2), (".tmp2", 0)] {
            File::create(folder.path().join(name)).and_then(|file| file.set_modified(day(days))).expect("a file");
        }
        let claimed = claim(folder.path());
        assert_eq!(claimed.iter().map(Slot::session_file).collect::<Vec<_>>(), recent[..8]);
        assert_eq!(files(folder.path()), 8 * 2 + 1);
        claimed.into_iter().for_each(Slot::remove);
        assert_eq!(files(folder.path()), 1);
    }
}
