//! What stands at a path that is to be written.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// Links that are followed at most, as Linux does.
const MAX_LINKS: usize = 40;

/// What stands at a path, its symbolic links followed.
#[derive(Debug)]
pub(super) enum Destination {
    /// A device, a FIFO or an open descriptor: it has no contents to replace.
    Stream(PathBuf),
    /// Nothing yet.
    New(PathBuf),
    /// A regular file that may be written.
    Old(OldFile),
}

/// A regular file that may be written.
#[derive(Debug)]
pub(super) struct OldFile {
    /// Open for writing; nothing is written yet.
    pub(super) file: File,
    /// Owner, permissions and links.
    pub(super) metadata: Metadata,
    /// Its name, which is no link.
    pub(super) path: PathBuf,
}

impl Destination {
    /// What stands at `path`.
    ///
    /// # Errors
    /// Where that is a directory, a regular file that may not be written, or cannot be found out.
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
    /// Whether other names lead to the same file: a new file in its place would part them.
    #[cfg(unix)]
    pub(super) fn has_several_links(&self) -> bool {
        std::os::unix::fs::MetadataExt::nlink(&self.metadata) > 1
    }

    /// Unknown here: links are not kept.
    #[cfg(not(unix))]
    pub(super) fn has_several_links(&self) -> bool {
        false
    }
}

/// The path that `path`'s symbolic links end at, where nothing need be; `None` where one of them is an open descriptor,
/// such as `/proc/self/fd/1` behind `/dev/stdout`.
fn follow(path: &Path) -> io::Result<Option<PathBuf>> {
    let mut target = path.to_owned();
    for _ in 0..=MAX_LINKS {
        match fs::read_link(&target) {
            Ok(_) if ["/proc", "/dev/fd"].iter().any(|descriptors| target.starts_with(descriptors)) => return Ok(None),
            Ok(next) => target = target.parent().unwrap_or(Path::new("")).join(next),
            // No link, or nothing there.
            Err(_) => return Ok(Some(target)),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Opens a stream for writing. What it holds already, as a file behind `/dev/stdout` may, stays.
pub(super) fn open_stream(path: &Path) -> io::Result<File> {
    OpenOptions::new().append(true).open(path)
}

/// Fails where a stream may not be written, without opening it: a FIFO waits for its reader then.
#[cfg(unix)]
pub(super) fn check_stream(path: &Path) -> io::Result<()> {
    use rustix::fs::{Access, AtFlags, CWD, accessat};
    Ok(accessat(CWD, path, Access::WRITE_OK, AtFlags::EACCESS)?)
}

/// Opens the stream and closes it again.
#[cfg(not(unix))]
pub(super) fn check_stream(path: &Path) -> io::Result<()> {
    open_stream(path).map(drop)
}
