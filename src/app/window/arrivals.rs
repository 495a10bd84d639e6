//! Files that are dropped, loaded or changed on disk, and settings that changed.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::Ui;

use super::Lerpscope;
use crate::app::files::{AppPaths, Arrival, LoadError, OpenTarget, Restored, absolute};
use crate::app::learn::names_lesson;
use crate::app::render::picture::Picture;
use crate::app::session::Session;
use crate::image::{Image, OpenError};

/// What opening several images has to report.
#[derive(Debug, Default)]
pub struct OpeningReport {
    /// Why some were not opened.
    pub unopened: Vec<OpenError>,
    /// Warnings about the opened ones.
    pub warnings: Vec<String>,
}

/// Largest number of errors of files that are shown one by one.
const MAX_TOLD: usize = 3;
/// Largest number of files that a message names.
const MAX_NAMED: usize = 8;

impl Lerpscope {
    /// Records the sources of the images, in their order. Commands and sessions name these sources.
    pub fn name_sources(&mut self, sources: &[PathBuf]) {
        let images = self.session.images().to_vec();
        // The first image is the newest of the recent files.
        images.iter().zip(sources).rev().for_each(|(image, source)| self.note_source(image, source));
    }

    fn note_source(&mut self, image: &Image, source: &Path) {
        if let Some(file) = self.documents.note_source(image, source).filter(|_| !image.is_missing()) {
            self.settings.current.remember(&file);
        }
    }

    /// Reads the settings from the files of `paths` and keeps settings and sessions there.
    pub fn remember_at(&mut self, ctx: &egui::Context, paths: AppPaths) {
        let errors = self.settings.load(ctx, &paths.settings);
        self.documents.remember_at(ctx, paths);
        for error in errors {
            log::warn!("{error}");
            self.dialogs.toasts.error(error);
        }
    }

    /// Shows a session that was read from a file.
    pub fn restore(&mut self, restored: Restored) {
        let Restored { session, sources, missing, warnings, unit } = restored;
        self.show_session(session);
        let preferences = &mut self.settings.current.preferences;
        preferences.unit = unit.unwrap_or(preferences.unit);
        self.name_sources(&sources);
        self.report_opening(OpeningReport { unopened: missing, warnings });
    }

    /// Shows what opening several images had to report.
    pub fn report_opening(&mut self, report: OpeningReport) {
        report.warnings.into_iter().for_each(|warning| self.dialogs.toasts.note(warning));
        self.report_unopened(report.unopened);
    }

    /// Shows why files were not opened beside others.
    fn report_unopened(&mut self, errors: Vec<OpenError>) {
        if errors.len() > MAX_TOLD {
            let names: Vec<&str> = errors.iter().map(OpenError::name).collect();
            return self.dialogs.toasts.error(format!("{} files were not opened: {}", errors.len(), listed(&names)));
        }
        for error in errors {
            self.dialogs.toasts.error_of_file(&absolute(Path::new(error.name())), &error);
        }
    }

    /// Opens dropped and changed files, and shows what was loaded since the last frame.
    pub(super) fn receive_files(&mut self, ui: &Ui) {
        let pos = ui.input(|input| input.pointer.latest_pos());
        for file in ui.input(|input| input.raw.dropped_files.clone()) {
            if names_lesson(file.path()) {
                if let Err(error) = self.open_lesson(ui, file.path(), None) {
                    self.dialogs.toasts.error_of_file(&absolute(file.path()), &error);
                }
                continue;
            }
            let panel = pos.and_then(|pos| self.panel_at(ui, pos));
            let target =
                panel.map_or(OpenTarget::Everywhere, |index| OpenTarget::Panel(self.session.panels()[index].id()));
            self.documents.loader.open(ui, file.path().to_owned(), target);
        }
        let sessions: Vec<&Session> = std::iter::once(&self.session).chain(self.learn.own.as_deref()).collect();
        let lessons = self.documents.reload_changed(ui, &sessions, &self.learn.shelf.files());
        self.reload_lessons(ui, &lessons);
        for arrival in self.documents.loader.take_arrivals() {
            match arrival {
                Arrival::Image { image, warnings, source, target } => {
                    self.dialogs.toasts.withdraw(&absolute(&source));
                    if self.dialogs.waits_for(&source) {
                        self.dialogs.close();
                    }
                    self.place_image(ui, image, &source, target);
                    warnings.into_iter().for_each(|warning| self.dialogs.toasts.note(warning));
                }
                Arrival::Session(restored) => {
                    self.restore(*restored);
                    self.dialogs.close();
                    self.end_restore(true);
                }
                Arrival::Failed { error, source } => {
                    self.report_load(source.as_deref(), &error);
                    self.end_restore(false);
                }
                Arrival::NoDialog => {
                    let path = self.documents.export_path(&self.session, "");
                    self.dialogs.open_image_path(&path, &self.session);
                }
                Arrival::Cancelled => {}
            }
        }
    }

    /// Shows why `source` was not opened: in the dialog that asked for it, else in a toast.
    fn report_load(&mut self, source: Option<&Path>, error: &LoadError) {
        match source {
            Some(source) if self.dialogs.waits_for(source) => self.dialogs.report(error),
            Some(source) => self.dialogs.toasts.error_of_file(&absolute(source), error),
            None => self.dialogs.toasts.error(error),
        }
    }

    /// Shows a loaded image at `target`. Panels and sessions may have changed while it was loaded.
    fn place_image(&mut self, ui: &Ui, image: Arc<Image>, source: &Path, target: OpenTarget) {
        let indices = self.documents.indices_of(&self.session, source);
        let own_indices = self.learn.own.as_ref().map_or(Vec::new(), |own| self.documents.indices_of(own, source));
        if let OpenTarget::InPlace(id) = target
            && let Some(before) = self.documents.source_of(&self.session, id)
        {
            self.dialogs.toasts.withdraw(before);
        }
        self.note_source(&image, source);
        match target {
            OpenTarget::Everywhere => {
                self.session.open(image);
                self.session.show_original();
            }
            OpenTarget::Panel(panel) => match self.session.index_of(panel) {
                Some(index) => self.session.open_in(index, image),
                None => self.session.open(image),
            },
            OpenTarget::InPlace(id) => {
                if let Some(index) = self.session.place_of_image(id) {
                    let was_missing = self.session.images()[index].is_missing();
                    self.session.replace(index, image);
                    if was_missing {
                        self.open_located_folder(ui, source);
                    }
                }
            }
            OpenTarget::List => self.session.add(image),
            OpenTarget::Reload => {
                if let Some(own) = &mut self.learn.own {
                    own_indices.into_iter().for_each(|index| own.replace(index, Arc::clone(&image)));
                }
                indices.into_iter().for_each(|index| self.session.replace(index, Arc::clone(&image)));
            }
        }
    }

    /// Opens the other missing images that are in the folder of `located`.
    fn open_located_folder(&self, ui: &Ui, located: &Path) {
        for (id, file) in self.documents.found_beside(&self.session, located) {
            self.documents.loader.open(ui, file, OpenTarget::InPlace(id));
        }
    }

    /// The panel whose picture is at `pos`.
    fn panel_at(&self, ui: &Ui, pos: egui::Pos2) -> Option<usize> {
        let ppp = ui.pixels_per_point();
        let is_there = |index: &usize| {
            let place = self.pictures.at(&self.session, *index).and_then(Picture::place);
            place.is_some_and(|place| place.in_points(ppp).contains(pos))
        };
        self.session.visible().into_iter().find(is_there)
    }

    /// Applies and saves settings that changed in the last frame.
    pub(super) fn keep_settings(&mut self, ctx: &egui::Context) {
        if let Err(error) = self.settings.apply_changes(ctx) {
            self.dialogs.toasts.error(error);
        }
    }
}

/// `names`, separated by commas. Those after [`MAX_NAMED`] are counted.
fn listed(names: &[&str]) -> String {
    let (named, rest) = names.split_at(names.len().min(MAX_NAMED));
    let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
    format!("{}{more}", named.join(", "))
}
