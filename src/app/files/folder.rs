//! The files beside a file, in the order in which people count.

use std::path::{Path, PathBuf};

/// Ends of names that the decoders read.
const ENDS: [&str; 15] =
    ["pgm", "ppm", "pbm", "pnm", "pam", "png", "jpg", "jpeg", "tif", "tiff", "bmp", "webp", "exr", "hdr", "jpe"];

/// The picture `step` places on in the folder of `file`, round and round; `None` where there is no other.
///
/// # Errors
/// Where the folder cannot be read, in one line that names it.
pub(in crate::app) fn neighbour(file: &Path, step: isize) -> Result<Option<PathBuf>, String> {
    let folder = file.parent().unwrap_or(Path::new("."));
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(|path| is_picture(path)).collect();
    if !files.iter().any(|path| path == file) {
        files.push(file.to_owned());
    }
    let name = |path: &PathBuf| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    files.sort_by(|a, b| natord::compare_ignore_case(&name(a), &name(b)).then_with(|| a.cmp(b)));
    let place = files.iter().position(|path| path == file).unwrap_or(0);
    let other = (place as isize + step).rem_euclid(files.len() as isize) as usize;
    Ok((other != place).then(|| files.swap_remove(other)))
}

fn is_picture(path: &Path) -> bool {
    let end = path.extension().and_then(|end| end.to_str()).map(str::to_ascii_lowercase);
    end.is_some_and(|end| ENDS.contains(&end.as_str())) && path.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_counted_as_people_count() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["a10.pgm", "a2.pgm", "A1.PGM", "notes.txt"] {
            std::fs::write(folder.path().join(name), "").expect("a file");
        }
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
