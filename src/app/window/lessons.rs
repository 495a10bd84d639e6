//! Lessons in the window: the step's session takes the place of the user's own, which is kept as it is and put back at the end.

use std::path::{Path, PathBuf};

use egui::{Context, Ui};
use toml::Table;

use super::Lerpscope;
use super::regions::Region;
use crate::app::commands::LessonCommand;
use crate::app::commands::notice::CommandNotice;
use crate::app::dialogs::PathPurpose;
use crate::app::files::{LessonProgress, StepError, StepPlace};
use crate::app::learn::{self, ColumnView, LearnRequest, LessonId, OpenLessonError, Play, Revealed};
use crate::app::session::Session;
use crate::app::session::lesson::StepState;
use crate::app::session::unit::Unit;
use crate::lesson::scene;

/// Longest time between two frames that a playing parameter follows, in seconds.
const LONGEST_FRAME_S: f64 = 0.1;

/// How a step is entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entry {
    /// Views ease from those that are shown.
    Eased,
    /// Views are shown at once: the lesson's file changed.
    AtOnce,
}

impl Lerpscope {
    /// Whether the column of lessons is shown.
    pub(super) fn has_lesson_column(&self) -> bool {
        self.learn.has_column() && !self.chrome.is_hidden
    }

    /// The lesson that runs and its step, by the name that the settings keep.
    pub fn lesson(&self) -> Option<(&str, usize)> {
        self.learn.play().map(|play| (play.name.as_str(), play.step()))
    }

    /// What was seen and done in the lessons.
    pub fn lesson_progress(&self) -> &LessonProgress {
        &self.settings.current.lessons
    }

    /// The text that *Copy as lesson step* copies.
    ///
    /// # Errors
    /// Why the session cannot be a step, in a sentence.
    pub fn lesson_step(&self) -> Result<String, String> {
        let unit = self.settings.current.preferences.unit;
        let text = self.documents.step_text(&self.session, unit, &self.step_before());
        text.map_err(|error| error.to_string())
    }

    /// Runs a command of the lessons.
    pub(super) fn run_lesson(&mut self, ctx: &Context, command: LessonCommand) {
        let place = self.session.lesson();
        let step = place.map_or(0, |place| place.step);
        match command {
            LessonCommand::Lessons if self.learn.has_column() => self.close_lessons(),
            LessonCommand::Lessons => self.open_column(ColumnView::Contents),
            LessonCommand::Continue => self.continue_lesson(ctx),
            LessonCommand::Next => self.show_step(ctx, step + 1, Entry::Eased),
            LessonCommand::Previous => self.show_step(ctx, step.saturating_sub(1), Entry::Eased),
            LessonCommand::First => self.show_step(ctx, 0, Entry::Eased),
            LessonCommand::Last => self.show_step(ctx, place.map_or(0, |place| place.count), Entry::Eased),
            LessonCommand::Reset => self.show_step(ctx, step, Entry::Eased),
            LessonCommand::Leave => self.leave_lesson(),
            LessonCommand::Open => self.open_path(PathPurpose::OpenLesson),
            LessonCommand::CopyStep => {
                let before = self.step_before();
                let unit = self.settings.current.preferences.unit;
                match self.documents.copy_step(&self.session, unit, &before) {
                    Ok(notice) => self.dialogs.toasts.note(notice),
                    Err(error) => self.dialogs.toasts.error(error),
                }
            }
            LessonCommand::Forget => {
                self.settings.current.lessons = LessonProgress::default();
                self.dialogs.toasts.note("The lessons forgot what you have seen and answered");
            }
        }
    }

    fn open_column(&mut self, view: ColumnView) {
        self.learn.view = view;
        self.learn.shows_side_bar = false;
        self.chrome.is_hidden = false;
    }

    fn continue_lesson(&mut self, ctx: &Context) {
        let last = self.settings.current.lessons.last.clone();
        match last.and_then(|name| self.learn.shelf.by_name(&name)) {
            Some(id) => self.start_lesson(ctx, id, None),
            None => self.dialogs.toasts.note(CommandNotice::NoLessonYet),
        }
    }

    /// Opens the lesson of the program with this name, or the lesson's file or the folder of lessons at `path`, and starts it at `step`
    /// or where it was left; of a folder with several lessons the list is shown.
    ///
    /// # Errors
    /// If there is none, or it is invalid.
    pub(in crate::app) fn open_lesson(
        &mut self,
        ctx: &Context,
        path: &Path,
        step: Option<usize>,
    ) -> Result<(), OpenLessonError> {
        let id = self.learn.shelf.open(path)?;
        if path.is_dir() && self.learn.shelf.own().len() > 1 {
            self.leave_lesson();
            self.open_column(ColumnView::Contents);
        } else {
            self.start_lesson(ctx, id, step);
        }
        Ok(())
    }

    /// Starts the lesson `id` at `step`, or at the step where it was left; at the first one if that was the last.
    pub(in crate::app) fn start_lesson(&mut self, ctx: &Context, id: LessonId, step: Option<usize>) {
        let Some(lesson) = self.learn.shelf.lesson(id) else { return };
        let name = self.learn.shelf.name(id);
        let left = self.settings.current.lessons.of(&name).map_or(0, |marks| marks.step);
        let left = if left + 1 >= lesson.steps.len() { 0 } else { left };
        self.open_column(ColumnView::Running(Box::new(Play::new(id, name, lesson))));
        self.show_step(ctx, step.unwrap_or(left), Entry::Eased);
        if !self.session.is_of_lesson() {
            self.dialogs.toasts.error("The lesson's step cannot be shown");
        }
    }

    /// Shows step `step` of the lesson that runs, or its last one.
    fn show_step(&mut self, ctx: &Context, step: usize, entry: Entry) {
        let Some(play) = self.learn.play() else { return };
        let place = play.place(step);
        let shown = &play.lesson().steps[place.step];
        let lasts_s = if entry == Entry::Eased { shown.seconds } else { 0.0 };
        let table = shown.session(&shown.start()).map_err(StepError::Value);
        let found = table.and_then(|table| Ok((self.state_of(place.step, table.clone())?, table)));
        let entered = found.and_then(|((state, unit), table)| {
            let preferences = &self.settings.current.preferences;
            let session = self.session.at_step(place, &state, preferences, lasts_s).ok_or(StepError::MissingPage)?;
            Ok((session, unit, table))
        });
        ctx.request_repaint();
        match entered {
            Ok((session, unit, table)) => {
                self.enter_session(session);
                self.settings.show_unit(unit);
                if let Some(play) = self.learn.play_mut() {
                    play.enter(place, table);
                    let name = play.name.clone();
                    let progress = &mut self.settings.current.lessons;
                    progress.last = Some(name.clone());
                    let marks = progress.of_mut(&name);
                    marks.step = place.step;
                    marks.seen.insert(place.step);
                }
            }
            Err(error) => self.learn.play_mut().into_iter().for_each(|play| play.note_problem(&error)),
        }
    }

    /// The state that the keys `table` of step `step` describe, and the unit of displayed values.
    fn state_of(&mut self, step: usize, table: Table) -> Result<(StepState, Option<Unit>), StepError> {
        let Some(play) = self.learn.play() else { return Err(StepError::MissingPage) };
        let name = format!("{}: step {}", play.lesson().title, step + 1);
        let folder = self.learn.shelf.folder(play.id);
        self.documents.step_state(table, StepPlace { name: &name, folder: &folder })
    }

    /// Shows the session of a step. The user's own is set aside.
    fn enter_session(&mut self, session: Session) {
        self.overlays.drag.cancel();
        let left = std::mem::replace(&mut self.session, session);
        if !left.is_of_lesson() {
            self.learn.own = Some(Box::new(left));
            self.settings.set_aside();
        }
        // The pins of a session are not new ones.
        self.pin_count = self.session.inspect.state.pins.len();
    }

    /// Closes the list of lessons, or leaves the lesson.
    pub(super) fn close_lessons(&mut self) {
        self.leave_lesson();
        self.learn.view = ColumnView::Closed;
    }

    /// Ends the lesson that runs: the user's own session is shown as it was.
    pub(super) fn leave_lesson(&mut self) {
        self.learn.view = ColumnView::Closed;
        let Some(own) = self.learn.own.take() else { return };
        self.overlays.drag.cancel();
        self.session = *own;
        self.pin_count = self.session.inspect.state.pins.len();
        self.settings.put_back();
        self.documents.close_lesson_images();
    }

    /// Gives the parameters of the step these values. What the user changed in the step remains.
    fn set_values(&mut self, values: Vec<f64>) {
        let Some(play) = self.learn.play() else { return };
        let (step, tables) = (play.step(), play.tables_at(&values));
        let unit = self.settings.current.preferences.unit;
        let changed = tables.map_err(StepError::Value).and_then(|[before, after]| {
            let mut table = self.documents.session_table(&self.session, unit)?;
            crate::app::files::take_changes(&before, &after, &mut table);
            let (state, _) = self.state_of(step, table)?;
            if self.session.take_values(&state) { Ok(after) } else { Err(StepError::MissingPage) }
        });
        let Some(play) = self.learn.play_mut() else { return };
        match changed {
            Ok(table) => play.take_values(values, table),
            Err(error) => play.note_problem(&error),
        }
    }

    /// Reads the lesson files that changed. The lesson that runs is shown in its new version, at the same step.
    pub(super) fn reload_lessons(&mut self, ctx: &Context, files: &[PathBuf]) {
        for file in files {
            let Some(id) = self.learn.shelf.reload(file) else { continue };
            let lesson = self.learn.shelf.lesson(id).filter(|_| self.learn.shelf.error(id).is_none());
            let Some(play) = self.learn.play_mut().filter(|play| play.id == id) else { continue };
            if let Some(lesson) = lesson {
                let step = play.step();
                play.replace(lesson);
                self.documents.close_lesson_images();
                self.show_step(ctx, step, Entry::AtOnce);
            }
            ctx.request_repaint();
        }
    }

    /// Advances a parameter that plays, and keeps the tasks that the session does now.
    pub(super) fn play_lesson(&mut self, ctx: &Context) {
        let dt_s = ctx.input(|input| f64::from(input.stable_dt)).min(LONGEST_FRAME_S);
        let Some(play) = self.learn.play_mut() else { return };
        if let Some(values) = play.played(dt_s) {
            self.set_values(values);
            ctx.request_repaint();
        }
        let Some(play) = self.learn.play_mut() else { return };
        let (session, documents) = (&self.session, &self.documents);
        let unit = self.settings.current.preferences.unit;
        let marks = self.settings.current.lessons.of(&play.name);
        let done = play.newly_done(&session.state(), marks, |open| {
            let Ok(table) = documents.session_table(session, unit) else { return Vec::new() };
            let mut sizes = |image: usize| session.images().get(image).map(|image| image.pages()[0].size());
            open.iter().filter(|(_, task)| task.is_done(&table, &mut sizes)).map(|(index, _)| *index).collect()
        });
        let name = play.name.clone();
        if let Some(part) = done.last() {
            play.revealed = Some(Revealed::Task(*part));
            self.settings.current.lessons.of_mut(&name).done.extend(done);
            ctx.request_repaint();
        }
    }

    /// Draws the column and does what it asks for.
    pub(super) fn show_lesson_column(&mut self, ui: &mut Ui) {
        let progress = &self.settings.current.lessons;
        let regions = &mut self.regions;
        let asked = learn::show(ui, &mut self.learn, progress, &mut |ui| regions.enter(ui, Region::Lesson));
        asked.into_iter().for_each(|request| self.answer_lesson(ui, request));
    }

    /// Does what the column or the list of lessons asks for.
    pub(super) fn answer_lesson(&mut self, ui: &Ui, request: LearnRequest) {
        match request {
            LearnRequest::Run(command) => self.run(ui, command),
            LearnRequest::Start(id) => self.start_lesson(ui, id, None),
            LearnRequest::Show(step) => self.show_step(ui, step, Entry::Eased),
            LearnRequest::Values(values) => self.set_values(values),
            LearnRequest::Answered(parts) => {
                if let Some(play) = self.learn.play() {
                    self.settings.current.lessons.of_mut(&play.name).answered.extend(parts);
                }
            }
        }
    }

    /// The keys of the session that a copied step is compared with: those of the step before, or of a lesson's beginning.
    fn step_before(&self) -> Table {
        let play = self.learn.play();
        let before = play.and_then(|play| {
            let step = play.lesson().steps.get(play.step().checked_sub(1)?)?;
            step.session(&step.start()).ok()
        });
        before.unwrap_or_else(scene::first)
    }
}
