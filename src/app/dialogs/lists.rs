//! Contents of the lists: recent files, open images, filters.

use std::path::PathBuf;

use super::fuzzy_list::{FuzzyList, ListEntry, ListTexts};
use super::list_panel::ListPanel;
use super::list_row::RowMark;
use crate::app::bars::image_list::{facts, letter};
use crate::app::session::{ImageId, Session};
use crate::filter::{FILTERS, Filter, FilterRow, STAGES, Stage, StageRow};
use crate::text::capitalized;

/// Files by name, with their paths.
pub(super) fn files(files: &[PathBuf]) -> FuzzyList<PathBuf> {
    let entry = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        ListEntry::new(path.clone(), name, path.display().to_string())
    };
    let texts = ListTexts { name: "Find a recent file", hint: "Find a recent file", verb: "open" };
    FuzzyList::new(texts, files.iter().map(entry).collect())
}

/// The open images by letter and name.
pub(super) fn images(session: &Session) -> FuzzyList<ImageId> {
    let entry = |(place, id): (usize, &ImageId)| {
        let image = &session.images()[place];
        let title = format!("{}  {}", letter(place), image.name());
        ListEntry { is_current: *id == session.shown_id(), ..ListEntry::new(*id, title, facts(&image.pages()[0])) }
    };
    let texts = ListTexts { name: "Find an open image", hint: "An image by its letter or its name", verb: "show" };
    FuzzyList::new(texts, session.image_ids().iter().enumerate().map(entry).collect())
}

/// All filters, before and after the interpolation.
pub(super) fn filters(session: &Session) -> FuzzyList<(Stage, Filter)> {
    let entry = |stage: &StageRow, filter: &FilterRow| ListEntry {
        section: stage.title,
        group: stage.title,
        mark: RowMark::Code(filter.name.to_owned()),
        names: filter.name.to_owned(),
        is_of_panel: true,
        ..ListEntry::new((stage.stage, filter.filter), filter.title.to_owned(), capitalized(filter.help))
    };
    let entries = STAGES.iter().flat_map(|stage| {
        let rows = FILTERS.iter().filter(|filter| filter.filter.serves(stage.stage));
        rows.map(move |filter| entry(stage, filter))
    });
    let texts = ListTexts { name: "Find a filter", hint: "A filter by its name or its effect", verb: "add" };
    let panel = ListPanel::focused(session);
    FuzzyList::new(texts, entries.collect()).of_panel(panel)
}
