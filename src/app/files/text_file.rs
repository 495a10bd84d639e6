//! Text files of the window: settings and sessions.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::files::{self, ReadTextError};
use crate::text::write_message;

/// A settings or session file cannot be read or written. The message is one line that names the file.
#[derive(Error)]
pub enum TextFileError {
    /// The file cannot be read, is longer than 1 MiB, or is not UTF-8.
    #[error("{}: {cause}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// The reason.
        #[source]
        cause: ReadTextError,
    },
    /// The file or its folder cannot be written.
    #[error("{}: cannot be written: {}", file.display(), write_message(cause))]
    Write {
        /// The file.
        file: PathBuf,
        /// The reason.
        #[source]
        cause: io::Error,
    },
}

/// Reads `file`. A missing file is an empty text.
///
/// # Errors
/// [`TextFileError::Read`].
pub(super) fn read_text(file: &Path) -> Result<String, TextFileError> {
    match files::read_text(file) {
        Err(ReadTextError::Io(error)) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        other => other.map_err(|cause| TextFileError::Read { file: file.to_owned(), cause }),
    }
}

/// Writes `text` to `file` by [`files::write`]. Creates the folder of the file if it is missing.
///
/// # Errors
/// [`TextFileError::Write`].
pub(super) fn write_text(file: &Path, text: &str) -> Result<(), TextFileError> {
    let write = || {
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder)?;
        }
        files::write(file, |out| out.write_all(text.as_bytes()))
    };
    write().map_err(|cause: io::Error| TextFileError::Write { file: file.to_owned(), cause })
}
