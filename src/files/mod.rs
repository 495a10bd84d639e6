//! Reading and writing files: one writer for pictures, measurements, settings and sessions.
//!
//! [`write()`] decides by what stands at the path:
//!
//! | at the path | what happens |
//! |---|---|
//! | nothing | a new file with the usual permissions; it has its name only once it is complete |
//! | a regular file | replaced by a complete new file of the same owner, group and permissions |
//! | a regular file with several hard links, or whose folder or owner do not allow that | written in place, once all bytes are at hand |
//! | a symbolic link | stays; the file that it names is written, and made where it is missing |
//! | a device, a FIFO, a descriptor such as `/dev/stdout` | written as the bytes come |
//!
//! A file that may not be written is not replaced either. Bytes are on the disk (`fsync`) before a file takes its name.
//! Access control lists and extended attributes of a replaced file are not kept.
//!
//! No temporary file is left behind. On Linux the new file has no name while it is written (`O_TMPFILE`), so that even
//! SIGKILL leaves nothing; replacing a file needs a hidden name between two system calls. Where the file system lacks
//! unnamed files the hidden name is there all the while; `clean_up_on_signals` removes it on SIGINT, SIGTERM and SIGHUP.
//! These signals wait for the end of a file that is written in place.

mod destination;
mod read;
mod staged;

use std::io::{self, BufWriter, Seek, Write};
use std::path::Path;

use destination::{Destination, OldFile};
pub use read::{MAX_TEXT, ReadTextError, read_text};
use staged::Staged;
#[cfg(feature = "cli")]
pub use staged::clean_up_on_signals;
#[cfg(all(unix, feature = "cli"))]
pub use staged::end_by_signal;

/// Writes the file `path` with what `fill` writes; see the module for what happens to a file that is there.
///
/// # Errors
/// Where `fill` fails, and where the path is a directory, may not be written, or writing fails. A file that was there is
/// then as it was, unless it is written in place and the disk fails. No error names a temporary file.
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

/// Fails where [`write()`] would, before there is anything to write.
///
/// # Errors
/// Where the path is a directory, or may not be written.
pub fn check_writable(path: &Path) -> io::Result<()> {
    match Destination::of(path)? {
        Destination::Stream(path) => destination::check_stream(&path),
        Destination::New(target) => Staged::beside(&target).map(drop),
        Destination::Old(_) => Ok(()),
    }
}

/// Gives an old file new contents: by a new file in its place, or else in place.
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

/// Copies `new` over the contents of `old`, which keeps its inode. A signal waits for that: it would leave a part of each.
fn overwrite(old: OldFile, mut new: std::fs::File) -> io::Result<()> {
    let mut file = old.file;
    new.rewind()?;
    staged::uninterrupted(|| {
        let len = io::copy(&mut new, &mut file)?;
        file.set_len(len)?;
        sync(&file)
    })
}

/// `None` where the system does not permit it, as in a folder that is not writable.
fn unless_denied<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Err(error) if matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem) => {
            Ok(None)
        }
        other => other.map(Some),
    }
}

/// Fills `staged` and waits until its bytes are on the disk.
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

/// Waits until the bytes of `file` are on the disk. File systems that cannot wait are let pass.
fn sync(file: &std::fs::File) -> io::Result<()> {
    match file.sync_all() {
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => Ok(()),
        other => other,
    }
}

#[cfg(test)]
#[cfg(all(unix, feature = "cli"))]
mod tests;
