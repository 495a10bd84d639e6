//! Where the open images came from.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::app::session::Session;
use crate::image::{Image, PageId, is_file_name};

/// The source that an image was opened from, by the id of its first page.
#[derive(Debug, Default)]
pub(in crate::app) struct Sources {
    by_page: HashMap<PageId, PathBuf>,
}

impl Sources {
    /// Notes that `image` was opened from `source`.
    pub(in crate::app) fn note(&mut self, image: &Image, source: &Path) {
        self.by_page.insert(image.pages()[0].id(), absolute(source));
    }

    /// What `image` was opened from: a file's absolute path, or a formula or built-in picture by name.
    pub(in crate::app) fn of(&self, image: &Image) -> Option<&Path> {
        self.by_page.get(&image.pages()[0].id()).map(PathBuf::as_path)
    }

    /// The file of `image`, where it has one.
    pub(in crate::app) fn file_of(&self, image: &Image) -> Option<&Path> {
        self.of(image).filter(|source| is_file_name(source))
    }

    /// The places among the session's images that were opened from `source`.
    pub(in crate::app) fn places(&self, session: &Session, source: &Path) -> Vec<usize> {
        let is_from = |place: &usize| self.of(&session.images()[*place]) == Some(source);
        (0..session.images().len()).filter(is_from).collect()
    }

    /// The files of all open images.
    pub(in crate::app) fn files(&self, session: &Session) -> Vec<PathBuf> {
        session.images().iter().filter_map(|image| self.file_of(image)).map(Path::to_owned).collect()
    }
}

/// `source` from the root where it is a file, so that it means the same wherever the program runs.
pub(in crate::app) fn absolute(source: &Path) -> PathBuf {
    if is_file_name(source) {
        std::path::absolute(source).unwrap_or_else(|_| source.to_owned())
    } else {
        source.to_owned()
    }
}
