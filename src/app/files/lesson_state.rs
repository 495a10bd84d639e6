//! States of lesson steps: from the keys of a session file to a session's state with its images, and back.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;
use toml::{Table, Value};

use super::fields::{FieldError, Fields};
use super::session_file::{NotUtf8Error, SavedSession};
use super::sources::{NoSourceError, Sources};
use crate::app::session::Session;
use crate::app::session::history::Framing;
use crate::app::session::lesson::StepState;
use crate::app::session::unit::Unit;
use crate::image::{self, Image, OpenError};
use crate::lesson::scene::is_region;

/// Key of the rectangle that a panel shows.
const REGION: &str = "region";

/// Why a step has no state.
#[derive(Debug, Error)]
pub(in crate::app) enum StepError {
    /// A value is invalid.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// An image cannot be opened.
    #[error(transparent)]
    Image(#[from] OpenError),
    /// An image of the session has no source.
    #[error(transparent)]
    NoSource(#[from] NoSourceError),
    /// The path of an image is not UTF-8.
    #[error(transparent)]
    NotUtf8(#[from] NotUtf8Error),
    /// A value of the step is wrong, for this reason.
    #[error("{0}")]
    Value(String),
    /// A panel shows an image or a page that is not there.
    #[error("a panel shows a page that its image does not have")]
    MissingPage,
}

/// Where the keys of a step are from.
#[derive(Clone, Copy, Debug)]
pub(in crate::app) struct StepPlace<'a> {
    /// The lesson and the step, for errors.
    pub(in crate::app) name: &'a str,
    /// Folder of the files that the step names.
    pub(in crate::app) folder: &'a Path,
}

/// The state that `table` describes, in the keys of a session file with `region` in panels, and the unit of displayed values.
/// `open` opens an image.
///
/// # Errors
/// If a value is invalid, or an image cannot be opened.
pub(in crate::app) fn step_state(
    mut table: Table,
    place: StepPlace<'_>,
    open: &mut dyn FnMut(PathBuf) -> Result<Arc<Image>, OpenError>,
) -> Result<(StepState, Option<Unit>), StepError> {
    let mut regions = Vec::new();
    for (number, panel) in (1..).zip(panels_mut(&mut table)) {
        let mut fields = Fields::strict(std::mem::take(panel), &format!("{}: panel {number}", place.name));
        let edges: Option<[f64; 4]> = fields.take(REGION)?;
        if edges.is_some_and(|edges| !is_region(edges)) {
            return Err(fields.wrong(REGION, &"left, top, right and bottom stand in this order").into());
        }
        *panel = fields.into_table();
        regions.push(edges);
    }
    let saved = SavedSession::of_table(&table, place.folder);
    let SavedSession { images, state, unit } =
        saved.map_err(|cause| StepError::Value(format!("{}: {cause}", place.name)))?;
    let source = |source: PathBuf| if image::is_file_name(&source) { place.folder.join(source) } else { source };
    let images = images.into_iter().map(source).map(open).collect::<Result<Vec<_>, _>>()?;
    Ok((StepState { images, state, regions }, unit))
}

/// The keys that describe `session`: those of a session file with `region` in the panels that show a rectangle.
///
/// # Errors
/// If an image has no source, or its path is not UTF-8.
pub(super) fn session_table(session: &Session, sources: &Sources, unit: Unit) -> Result<Table, StepError> {
    let saved = SavedSession { unit: Some(unit), ..SavedSession::of(session, sources)? };
    let mut table = saved.table()?;
    for (index, panel) in panels_mut(&mut table).into_iter().enumerate() {
        if let Some(edges) = session.region_of(index) {
            panel.insert(REGION.to_owned(), edges.to_vec().into());
        }
    }
    Ok(table)
}

/// Changes in `onto` what differs between `before` and `after`, value by value.
pub(in crate::app) fn take_changes(before: &Table, after: &Table, onto: &mut Table) {
    for key in before.keys().filter(|key| !after.contains_key(*key)) {
        onto.remove(key);
    }
    for (key, new) in after {
        let old = before.get(key);
        if old == Some(new) {
            continue;
        }
        match (old, new, onto.get_mut(key)) {
            (Some(Value::Table(old)), Value::Table(new), Some(Value::Table(onto))) => take_changes(old, new, onto),
            (Some(Value::Array(old)), Value::Array(new), Some(Value::Array(onto)))
                if old.len() == new.len() && new.len() == onto.len() && new.iter().all(Value::is_table) =>
            {
                for ((old, new), onto) in old.iter().zip(new).zip(onto) {
                    if let (Value::Table(old), Value::Table(new), Value::Table(onto)) = (old, new, onto) {
                        take_changes(old, new, onto);
                    }
                }
            }
            _ => drop(onto.insert(key.clone(), new.clone())),
        }
        // A view by numbers replaces the rectangle.
        if matches!(key.as_str(), "translate" | "scale") {
            onto.remove(REGION);
        }
    }
}

/// The text of a lesson's step that shows `session`, whose keys are `table`. Keys with the values that `before` has are left out.
/// A panel that is not turned shows a rectangle in place of a scale, so that it shows the same in a window of any size.
pub(super) fn step_text(session: &Session, mut table: Table, before: &Table) -> String {
    for (index, panel) in panels_mut(&mut table).into_iter().enumerate() {
        let Some(edges) = rectangle(session, index) else { continue };
        ["translate", "scale", "rotate", "framing"].iter().for_each(|key| drop(panel.remove(*key)));
        match session.panels()[index].framing() {
            Framing::Fit => panel.insert("framing".to_owned(), "fit".into()),
            Framing::Snapped | Framing::Free => panel.insert(REGION.to_owned(), edges.to_vec().into()),
        };
    }
    let mut step = Table::new();
    step.insert("title".to_owned(), "A step".into());
    step.insert("text".to_owned(), "What to see.".into());
    step.insert("session".to_owned(), difference(&table, before).into());
    let mut file = Table::new();
    file.insert("step".to_owned(), Value::Array(vec![step.into()]));
    format!("\n{file}")
}

/// The samples that panel `index` shows, left, top, right and bottom, to a thousandth. `None` for a turned view.
fn rectangle(session: &Session, index: usize) -> Option<[f64; 4]> {
    let (view, output) = (session.view_of(index), session.output());
    if view.angle_deg() != 0.0 {
        return None;
    }
    if let Some(edges) = session.region_of(index) {
        return Some(edges);
    }
    let map = view.image_from_output(output, session.page_of(index).size());
    let [left, top] = map.at([-0.5, -0.5]);
    let [right, bottom] = map.at([f64::from(output.width()) - 0.5, f64::from(output.height()) - 0.5]);
    let rounded = |edge: f64| (edge * 1000.0).round() / 1000.0;
    // The rectangle is that of the samples: each reaches half a sample beyond its position.
    let edges = [left + 0.5, top + 0.5, right - 0.5, bottom - 0.5].map(rounded);
    (edges[0] <= edges[2] && edges[1] <= edges[3]).then_some(edges)
}

/// The keys of `table` whose values are not those of `usual`, value by value. A list stays whole.
pub(super) fn difference(table: &Table, usual: &Table) -> Table {
    let mut differing = Table::new();
    for (key, value) in table {
        match (value, usual.get(key)) {
            (value, Some(usual)) if value == usual => {}
            (Value::Table(table), Some(Value::Table(usual))) => {
                differing.insert(key.clone(), difference(table, usual).into());
            }
            _ => drop(differing.insert(key.clone(), value.clone())),
        }
    }
    differing
}

/// The tables of the panels.
pub(super) fn panels_mut(table: &mut Table) -> Vec<&mut Table> {
    let panels = table.get_mut("panel").and_then(Value::as_array_mut);
    panels.into_iter().flatten().filter_map(Value::as_table_mut).collect()
}
