//! Sources of the open images: files, and the names of built-in and synthetic images.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::app::session::Session;
use crate::grid::VolumeFormula;
use crate::image::{Image, PageId, is_file_name, pages_of, volume_of};
use crate::quality::Decimate;

/// An image has no source that could be opened again.
#[derive(Clone, PartialEq, Eq, Error)]
#[error("{name} has no file to be opened from again")]
pub struct NoSourceError {
    /// Name of the image.
    pub name: String,
}

/// The source of each image, by the id of its first page.
#[derive(Debug, Default)]
pub(super) struct Sources {
    by_page: HashMap<PageId, PathBuf>,
}

impl Sources {
    /// Records that `image` was opened from `source`.
    pub(super) fn note(&mut self, image: &Image, source: &Path) {
        self.by_page.insert(image.pages()[0].id(), absolute(source));
    }

    /// The source of `image`: the absolute path of a file, or the name of a built-in or synthetic image.
    ///
    /// # Errors
    /// If none was recorded.
    pub(super) fn of<'a>(&'a self, image: &'a Image) -> Result<&'a Path, NoSourceError> {
        let source = self.by_page.get(&image.pages()[0].id()).map(PathBuf::as_path);
        // A figure opens the volume of a formula itself.
        let formula = || VolumeFormula::is_meant(image.name()).then(|| Path::new(image.name()));
        let source = source.or_else(formula);
        source.ok_or_else(|| NoSourceError { name: image.name().to_owned() })
    }

    /// The file of `image`; `None` if its source is not a file.
    pub(super) fn file_of(&self, image: &Image) -> Option<&Path> {
        let source = self.by_page.get(&image.pages()[0].id()).map(PathBuf::as_path);
        source.filter(|source| is_file_name(source))
    }

    /// Indices of the session's images that were opened from `source`.
    pub(super) fn indices(&self, session: &Session, source: &Path) -> Vec<usize> {
        let is_from = |index: &usize| self.of(&session.images()[*index]) == Ok(source);
        (0..session.images().len()).filter(is_from).collect()
    }

    /// The files of all open images.
    pub(super) fn files(&self, session: &Session) -> Vec<PathBuf> {
        session.images().iter().filter_map(|image| self.file_of(image)).map(Path::to_owned).collect()
    }
}

/// The absolute path of a file, and of the original of a decimated image or of a volume of pages; other sources are returned unchanged.
pub(in crate::app) fn absolute(source: &Path) -> PathBuf {
    if let Some((decimate, original)) = Decimate::of(source) {
        decimate.source(&absolute(original))
    } else if let Some(original) = pages_of(source) {
        volume_of(&absolute(original))
    } else if is_file_name(source) {
        std::path::absolute(source).unwrap_or_else(|_| source.to_owned())
    } else {
        source.to_owned()
    }
}
