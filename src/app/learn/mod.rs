//! Lessons in the window: the list of lessons, and the column of the lesson that runs. The step's session is shown in place of
//! the user's own, which is kept as it is.

mod column;
mod contents;
mod formula;
mod parameters;
mod play;
mod questions;
mod shelf;
mod tasks;
mod text;

pub(in crate::app) use self::column::{LearnRequest, show};
pub(in crate::app) use self::contents::{ListContext, RowForm, list};
pub(in crate::app) use self::play::{Play, Revealed};
pub(in crate::app) use self::shelf::{LessonId, OpenLessonError, Shelf, names_lesson};

use super::session::Session;

/// What the column shows.
#[derive(Debug, Default)]
pub(in crate::app) enum ColumnView {
    /// Nothing: there is no column.
    #[default]
    Closed,
    /// The list of lessons.
    Contents,
    /// The lesson that runs.
    Running(Box<Play>),
}

/// The lessons of the window.
#[derive(Debug, Default)]
pub(in crate::app) struct Learn {
    /// The lessons that can be opened.
    pub(in crate::app) shelf: Shelf,
    /// What the column shows.
    pub(in crate::app) view: ColumnView,
    /// The user's own session while a lesson runs.
    pub(in crate::app) own: Option<Box<Session>>,
    /// Whether the side bar is shown beside the column: it was asked for there.
    pub(in crate::app) shows_side_bar: bool,
}

impl Learn {
    /// Whether there is a column.
    pub(in crate::app) fn has_column(&self) -> bool {
        !matches!(self.view, ColumnView::Closed)
    }

    /// The lesson that runs.
    pub(in crate::app) fn play(&self) -> Option<&Play> {
        match &self.view {
            ColumnView::Running(play) => Some(play),
            ColumnView::Closed | ColumnView::Contents => None,
        }
    }

    /// The lesson that runs, to be changed.
    pub(in crate::app) fn play_mut(&mut self) -> Option<&mut Play> {
        match &mut self.view {
            ColumnView::Running(play) => Some(play),
            ColumnView::Closed | ColumnView::Contents => None,
        }
    }
}
