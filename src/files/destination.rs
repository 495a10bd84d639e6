//! The existing file at a path that is to be written.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// Largest number of symbolic links followed, as on Linux.
const MAX_LINKS: usize = 40;

/// The file at a path, after its symbolic links.
#[derive(Debug)]
pub(super) enum Destination {
    /// A device, a FIFO or an open descriptor: it has no contents to replace.
    Stream(PathBuf),
    /// No file.
    New(PathBuf),
    /// A writable regular file.
    Old(OldFile),
}

/// A writable regular file.
#[derive(Debug)]
pub(super) struct OldFile {
    /// The file opened for writing; nothing is written yet.
    pub(super) file: File,
    /// Owner, permissions and links.
    pub(super) metadata: Metadata,
    /// Path of the file, without symbolic links.
    pub(super) path: PathBuf,
}

impl Destination {
    /// Classifies the file at `path`.
    ///
    /// # Errors
    /// An I/O error for a directory, for a regular file without write permission, and for a path that cannot be read.
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        let Some(target) = follow(path)? else { return Ok(Self::Stream(path.to_owned())) };
        match fs::metadata(&target) {
            Ok(metadata) if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(metadata) if metadata.is_file() => {
                let file = OpenOptions::new().write(true).open(&target)?;
                Ok(Self::Old(OldFile { file, metadata, path: target }))
            }
            Ok(_) => Ok(Self::Stream(target)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::New(target)),
            Err(error) => Err(error),
        }
    }
}

impl OldFile {
    /// Whether the file has other names: replacing it would separate them.
    #[cfg(unix)]
    pub(super) fn has_several_links(&self) -> bool {
        std::os::unix::fs::MetadataExt::nlink(&self.metadata) > 1
    }

    /// False: hard links are not counted on this system.
    #[cfg(not(unix))]
    pub(super) fn has_several_links(&self) -> bool {
        false
    }
}

/// The end of `path`'s chain of symbolic links, which need not exist; `None` for a chain through an open descriptor
/// such as
/// `/proc/self/fd/1` behind `/dev/stdout`.
fn follow(path: &Path) -> io::Result<Option<PathBuf>> {
    let mut target = path.to_owned();
    for _ in 0..=MAX_LINKS {
        match fs::read_link(&target) {
            Ok(_) if ["/proc", "/dev/fd"].iter().any(|descriptors| target.starts_with(descriptors)) => return Ok(None),
            Ok(next) => target = target.parent().unwrap_or(Path::new("")).join(next),
            // Not a link, or no file.
            Err(_) => return Ok(Some(target)),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Opens a stream for writing. Its existing contents stay, for example of a file behind `/dev/stdout`.
pub(super) fn open_stream(path: &Path) -> io::Result<File> {
    OpenOptions::new().append(true).open(path)
}

/// Checks that a stream is writable, without opening it: opening a FIFO would wait for its reader.
#[cfg(unix)]
pub(super) fn check_stream(path: &Path) -> io::Result<()> {
    use rustix::fs::{Access, AtFlags, CWD, accessat};
    Ok(accessat(CWD, path, Access::WRITE_OK, AtFlags::EACCESS)?)
}

/// Checks that a stream is writable, by opening it.
#[cfg(not(unix))]
pub(super) fn check_stream(path: &Path) -> io::Result<()> {
    open_stream(path).map(drop)
}
