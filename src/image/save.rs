//! Saving images as files.

use std::path::Path;

use thiserror::Error;

use super::Raster;
use super::format::{FileFormat, WriteError, check, extensions, write};
use crate::files;
use crate::text::one_line;

/// Why a file was not saved; one line that names the file.
#[derive(Error)]
pub enum SaveError {
    /// The extension names no format.
    #[error("{file}: its extension names no format that can be written; those are {}", extensions(|_| true))]
    UnknownFormat {
        /// The file.
        file: String,
    },
    /// The path is a directory.
    #[error("{file}: is a directory")]
    Directory {
        /// The path.
        file: String,
    },
    /// The raster does not fit the format, or the file cannot be written.
    #[error("{file}: {cause}")]
    Write {
        /// The file.
        file: String,
        /// Why not.
        #[source]
        cause: WriteError,
    },
}

/// Saves `raster` as the file `path`, whose extension names the format. Where anything fails, an old file is as it was;
/// [`files::write`] says what happens to old files, links and devices.
///
/// # Errors
/// Where the extension names no format, where the format cannot hold the raster, where the path is a directory or a file
/// that may not be written, and where writing fails.
pub fn save(path: &Path, raster: &Raster) -> Result<(), SaveError> {
    let file = || one_line(&path.display().to_string());
    let format = FileFormat::from_path(path).ok_or_else(|| SaveError::UnknownFormat { file: file() })?;
    let fail = |cause| SaveError::Write { file: file(), cause };
    check(format, raster).map_err(fail)?;
    if path.is_dir() {
        return Err(SaveError::Directory { file: file() });
    }
    files::write(path, |out| write(out, format, raster)).map_err(fail)
}
