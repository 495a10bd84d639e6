//! Contents of the lists: recent files, filters.

use std::path::PathBuf;

use super::fuzzy_list::{FuzzyList, ListEntry};
use crate::app::bars::image_list::{facts, letter};
use crate::app::session::{ImageId, Session};
use crate::filter::{FILTERS, Filter, FilterRow, STAGES, Stage, StageRow};

/// Files by name, with their paths.
pub(super) fn files(files: &[PathBuf]) -> FuzzyList<PathBuf> {
    let entry = |path: &PathBuf| ListEntry {
        value: path.clone(),
        title: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        detail: path.display().to_string(),
        key: String::new(),
        is_enabled: true,
        continues: false,
    };
    FuzzyList::new("Find a recent file", files.iter().map(entry).collect())
}

/// The open images by letter and name.
pub(super) fn images(session: &Session) -> FuzzyList<ImageId> {
    let entry = |(place, id): (usize, &ImageId)| {
        let image = &session.images()[place];
        ListEntry {
            value: *id,
            title: format!("{}  {}", letter(place), image.name()),
            detail: facts(&image.pages()[0]),
            key: String::new(),
            is_enabled: true,
            continues: false,
        }
    };
    FuzzyList::new("Find an open image", session.image_ids().iter().enumerate().map(entry).collect())
}

/// All filters, before and after the interpolation.
pub(super) fn filters() -> FuzzyList<(Stage, Filter)> {
    let entry = |stage: &StageRow, filter: &FilterRow| ListEntry {
        value: (stage.stage, filter.filter),
        title: format!("{}, {}", filter.title, stage.title.to_lowercase()),
        detail: filter.help.to_owned(),
        key: String::new(),
        is_enabled: true,
        continues: false,
    };
    let entries = STAGES.iter().flat_map(|stage| FILTERS.iter().map(move |filter| entry(stage, filter)));
    FuzzyList::new("Find a filter", entries.collect())
}
