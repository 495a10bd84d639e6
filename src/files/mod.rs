//! Reading and writing files: one writer for images, measurements, settings and sessions.
//!
//! The action of [`write()`] depends on the file at the path:
//!
//! | at the path | action |
//! |---|---|
//! | nothing | creates a file with default permissions; it gets its name when it is complete |
//! | a regular file | replaces it by a complete new file with the same owner, group and permissions |
//! | a regular file with several hard links, or whose folder or owner prevent replacing it | writes in place, after all bytes are ready |
//! | a symbolic link | keeps the link and writes its target, creating it if necessary |
//! | a device, a FIFO, a descriptor such as `/dev/stdout` | writes the bytes as they come |
//!
//! A file without write permission is not replaced. The bytes are synchronized to disk (`fsync`) before a file gets its
//! name. Access control lists and extended attributes of a replaced file are not kept.
//!
//! No temporary file is left behind. On Linux the new file has no name while it is written (`O_TMPFILE`), so that even
//! SIGKILL leaves nothing; replacing a file needs a hidden name between two system calls. On file systems without
//! unnamed files the hidden name exists during the whole write; `clean_up_on_signals` removes it on SIGINT, SIGTERM and
//! SIGHUP. These signals are delayed until a file written in place is complete.

mod destination;
mod read;
mod staged;

use std::io::{self, BufWriter, Seek, Write};
use std::path::Path;

use destination::{Destination, OldFile};
pub(crate) use read::read_text_up_to;
pub use read::{MAX_TEXT, ReadTextError, read_text};
use staged::Staged;
#[cfg(feature = "cli")]
pub use staged::clean_up_on_signals;
#[cfg(all(unix, feature = "cli"))]
pub use staged::end_by_signal;

/// Writes the file `path` with the output of `fill`; the module's table has the treatment of an existing file.
///
/// # Errors
/// Errors of `fill`, of a path that is a directory or not writable, and of writing. The existing file is then
/// unchanged, except after a disk error while writing in place. No error names a temporary file.
pub fn write<E: From<io::Error>>(path: &Path, fill: impl FnOnce(&mut dyn Write) -> Result<(), E>) -> Result<(), E> {
    match Destination::of(path)? {
        Destination::Stream(path) => fill_buffered(destination::open_stream(&path)?, fill).map(drop),
        Destination::New(target) => {
            let mut staged = stage(Staged::beside(&target)?, fill)?;
            Ok(staged.create(&target)?)
        }
        Destination::Old(old) => replace(old, fill),
    }
}

/// Fails as [`write()`] would, before there is anything to write.
///
/// # Errors
/// An I/O error for a directory and for a path without write permission.
pub fn check_writable(path: &Path) -> io::Result<()> {
    match Destination::of(path)? {
        Destination::Stream(path) => destination::check_stream(&path),
        Destination::New(target) => Staged::beside(&target).map(drop),
        Destination::Old(_) => Ok(()),
    }
}

/// Replaces the contents of an existing file: by a new file if possible, otherwise in place.
fn replace<E: From<io::Error>>(old: OldFile, fill: impl FnOnce(&mut dyn Write) -> Result<(), E>) -> Result<(), E> {
    let beside = if old.has_several_links() { None } else { unless_denied(Staged::beside(&old.path))? };
    if let Some(staged) = beside {
        let mut staged = stage(staged, fill)?;
        if staged.take_over(&old.metadata) && unless_denied(staged.replace(&old.path))?.is_some() {
            return Ok(());
        }
        return Ok(overwrite(old, staged.into_file())?);
    }
    Ok(overwrite(old, stage(Staged::unnamed()?, fill)?.into_file())?)
}

/// Copies `new` over the contents of `old`, which keeps its inode. Signals are delayed: an interrupted copy would mix
/// both.
fn overwrite(old: OldFile, mut new: std::fs::File) -> io::Result<()> {
    let mut file = old.file;
    new.rewind()?;
    staged::uninterrupted(|| {
        let len = io::copy(&mut new, &mut file)?;
        file.set_len(len)?;
        sync(&file)
    })
}

/// `None` for a permission error, as in a folder that is not writable.
fn unless_denied<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Err(error) if matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem) => {
            Ok(None)
        }
        other => other.map(Some),
    }
}

/// Fills `staged` and synchronizes it to disk.
fn stage<E: From<io::Error>>(staged: Staged, fill: impl FnOnce(&mut dyn Write) -> Result<(), E>) -> Result<Staged, E> {
    let staged = fill_buffered(staged, fill)?;
    sync(staged.file())?;
    Ok(staged)
}

fn fill_buffered<W: Write, E: From<io::Error>>(
    out: W,
    fill: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<W, E> {
    let mut out = BufWriter::new(out);
    fill(&mut out)?;
    Ok(out.into_inner().map_err(io::IntoInnerError::into_error)?)
}

/// Synchronizes `file` to disk. File systems without that operation are accepted.
fn sync(file: &std::fs::File) -> io::Result<()> {
    match file.sync_all() {
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => Ok(()),
        other => other,
    }
}

#[cfg(test)]
#[cfg(all(unix, feature = "cli"))]
mod tests;
