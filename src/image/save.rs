//! Saving files: each is complete, or as it was.

use std::fs::{self, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::Raster;
use super::format::{FileFormat, WriteError, check, extensions, write};
use super::open::one_line;

/// Why a file was not saved; one line that names the file.
#[derive(Debug, Error)]
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

/// Saves `raster` as the file `path`, whose extension names the format.
///
/// The bytes go to a new file beside it, which then takes its name: where anything fails, an old file is as it was. An
/// old file keeps its permissions, a new one gets the usual ones. A symbolic link stays and its target is written; what
/// is no regular file, such as a device, is written in place.
///
/// # Errors
/// Where the extension names no format, where the format cannot hold the raster, where the path is a directory or a file
/// that may not be written, and where writing fails.
pub fn save(path: &Path, raster: &Raster) -> Result<(), SaveError> {
    let file = || one_line(&path.display().to_string());
    let format = FileFormat::from_path(path).ok_or_else(|| SaveError::UnknownFormat { file: file() })?;
    let fail = |cause| SaveError::Write { file: file(), cause };
    check(format, raster).map_err(fail)?;
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => return Err(SaveError::Directory { file: file() }),
        Ok(metadata) if metadata.is_file() => replace(path, Some(&metadata), format, raster),
        Err(_) if !path.is_symlink() => replace(path, None, format, raster),
        Ok(_) | Err(_) => write_in_place(path, format, raster),
    }
    .map_err(fail)
}

/// Writes a new file beside `path` and gives it that name.
fn replace(path: &Path, old: Option<&fs::Metadata>, format: FileFormat, raster: &Raster) -> Result<(), WriteError> {
    let target = if old.is_some() {
        // A file that may not be written is not to be replaced either.
        OpenOptions::new().write(true).open(path)?;
        fs::canonicalize(path)?
    } else {
        path.to_owned()
    };
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.map_or_else(|| PathBuf::from("."), Path::to_owned);
    let mut builder = tempfile::Builder::new();
    builder.prefix(".lerpscope-");
    #[cfg(unix)]
    let builder = {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666))
    };
    let mut out = BufWriter::new(builder.tempfile_in(folder)?);
    write(&mut out, format, raster)?;
    let written = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    if let Some(old) = old {
        written.as_file().set_permissions(old.permissions())?;
    }
    written.persist(&target).map_err(io::Error::from)?;
    Ok(())
}

/// Writes to what has the name already: a device, a pipe, or a link to a file that is still to be made.
fn write_in_place(path: &Path, format: FileFormat, raster: &Raster) -> Result<(), WriteError> {
    let file = OpenOptions::new().write(true).create(true).truncate(true).open(path)?;
    let mut out = BufWriter::new(file);
    write(&mut out, format, raster)?;
    out.flush()?;
    Ok(())
}
