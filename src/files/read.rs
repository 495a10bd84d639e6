//! Text files of a person's: settings, sessions. Short ones only.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use thiserror::Error;

/// The most bytes of a text file.
pub const MAX_TEXT: u64 = 1 << 20;

/// Why a text file was not read; the message does not name the file.
#[derive(Error)]
pub enum ReadTextError {
    /// It cannot be opened or read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It holds more than [`MAX_TEXT`], or never ends.
    #[error("is longer than 1 MiB")]
    TooLong,
    /// Its bytes are no UTF-8.
    #[error("is not UTF-8 text")]
    NotText,
}

/// The text of the file `path`, of whatever kind it is: no more than [`MAX_TEXT`] bytes are read.
///
/// # Errors
/// Where it cannot be read, is longer, or is no UTF-8.
pub fn read_text(path: &Path) -> Result<String, ReadTextError> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_TEXT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_TEXT {
        return Err(ReadTextError::TooLong);
    }
    String::from_utf8(bytes).map_err(|_| ReadTextError::NotText)
}
