//! Short text files: settings, sessions.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use thiserror::Error;

use crate::text::system_message;

/// Largest size of a text file, in bytes.
pub const MAX_TEXT: u64 = 1 << 20;

/// Error of [`read_text`]; the message does not name the file.
#[derive(Error)]
pub enum ReadTextError {
    /// The file cannot be opened or read.
    #[error("{}", system_message(.0))]
    Io(#[from] io::Error),
    /// The file is longer than the largest number of bytes, or endless.
    #[error("is longer than {} MiB", .max >> 20)]
    TooLong {
        /// The largest number of bytes.
        max: u64,
    },
    /// The file is not UTF-8.
    #[error("is not UTF-8 text")]
    NotText,
}

/// Text of the file `path`, of any file type: at most [`MAX_TEXT`] bytes are read.
///
/// # Errors
/// [`ReadTextError`] for a file that cannot be read, is too long, or is not UTF-8.
pub fn read_text(path: &Path) -> Result<String, ReadTextError> {
    read_text_up_to(path, MAX_TEXT)
}

/// The same with another largest number of bytes.
///
/// # Errors
/// As [`read_text`].
pub(crate) fn read_text_up_to(path: &Path, max: u64) -> Result<String, ReadTextError> {
    let mut bytes = Vec::new();
    File::open(path)?.take(max + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max {
        return Err(ReadTextError::TooLong { max });
    }
    String::from_utf8(bytes).map_err(|_| ReadTextError::NotText)
}
