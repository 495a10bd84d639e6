//! Saving images to files.

use std::path::Path;

use thiserror::Error;

use super::Raster;
use super::format::{FileFormat, WriteError, check, extensions, write};
use crate::files;
use crate::text::one_line;

/// Error of [`save`]; one line with the file's name.
#[derive(Error)]
pub enum SaveError {
    /// The extension is of no format.
    #[error("{file}: unknown extension; formats that can be written are {}", extensions(|_| true))]
    UnknownFormat {
        /// The file.
        file: String,
    },
    /// The path is a directory.
    #[error("{file}: is a folder")]
    Directory {
        /// The path.
        file: String,
    },
    /// The format cannot store the raster, or writing failed.
    #[error("{file}: {cause}")]
    Write {
        /// The file.
        file: String,
        /// The cause.
        #[source]
        cause: WriteError,
    },
}

/// Saves `raster` to the file `path` in the format of its extension. On failure an existing file stays unchanged;
/// [`files::write`] describes the treatment of existing files, links and devices.
///
/// # Errors
/// [`SaveError`] for an unknown extension, a format that cannot store the raster, a directory, a file without write
/// permission, and an error of writing.
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
