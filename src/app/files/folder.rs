//! Pictures in the folder of a file, in natural order: `a2` before `a10`.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::text::system_message;

/// File name extensions of the formats that can be read.
const EXTENSIONS: [&str; 17] = [
    "pgm", "ppm", "pbm", "pnm", "pam", "png", "jpg", "jpeg", "tif", "tiff", "bmp", "webp", "exr", "hdr", "jpe", "npy",
    "nii",
];

/// A folder cannot be listed.
#[derive(Debug, Error)]
#[error("{}: {}", folder.display(), system_message(cause))]
pub(in crate::app) struct FolderError {
    folder: PathBuf,
    #[source]
    cause: io::Error,
}

/// The picture `step` positions after `file` in its folder, cyclically. `None` if there is no other picture.
///
/// # Errors
/// If the folder cannot be listed.
pub(super) fn neighbour(file: &Path, step: isize) -> Result<Option<PathBuf>, FolderError> {
    let folder = file.parent().unwrap_or(Path::new("."));
    let entries = std::fs::read_dir(folder).map_err(|cause| FolderError { folder: folder.to_owned(), cause })?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(|path| is_picture(path)).collect();
    if !files.iter().any(|path| path == file) {
        files.push(file.to_owned());
    }
    let name = |path: &PathBuf| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    files.sort_by(|a, b| natord::compare_ignore_case(&name(a), &name(b)).then_with(|| a.cmp(b)));
    let index = files.iter().position(|path| path == file).unwrap_or(0);
    let other = (index as isize + step).rem_euclid(files.len() as isize) as usize;
    Ok((other != index).then(|| files.swap_remove(other)))
}

fn is_picture(path: &Path) -> bool {
    names_picture(path) && path.is_file()
}

/// Whether the name of `path` ends like those of pictures that can be read.
pub(in crate::app) fn names_picture(path: &Path) -> bool {
    let extension = |path: &Path| Some(path.extension()?.to_str()?.to_ascii_lowercase());
    // A compressed volume is called .nii.gz.
    let is_compressed = extension(path).as_deref() == Some("gz");
    let extension = if is_compressed { path.file_stem().map(Path::new).and_then(extension) } else { extension(path) };
    let extension = extension.filter(|extension| !is_compressed || extension == "nii");
    extension.is_some_and(|extension| EXTENSIONS.contains(&extension.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_follow_the_natural_order_of_file_names() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["a10.pgm", "a2.pgm", "A1.PGM", "notes.txt"] {
            std::fs::write(folder.path().join(name), "").expect("a file");
        }
        let named = ["a.nii", "a.NII.gz", "a.npy", "a.gz", "a.npy.gz", "a"].map(|name| names_picture(Path::new(name)));
        assert_eq!(named, [true, true, true, false, false, false]);
        let next = |name: &str, step: isize| {
            let found = neighbour(&folder.path().join(name), step).expect("a folder");
            found.and_then(|path| Some(path.file_name()?.to_str()?.to_owned()))
        };
        assert_eq!(next("A1.PGM", 1).as_deref(), Some("a2.pgm"));
        assert_eq!(next("a2.pgm", 1).as_deref(), Some("a10.pgm"));
        assert_eq!(next("a10.pgm", 1).as_deref(), Some("A1.PGM"));
        assert_eq!(next("A1.PGM", -1).as_deref(), Some("a10.pgm"));
        assert!(neighbour(Path::new("/no/such/folder/a.pgm"), 1).is_err());
    }
}
