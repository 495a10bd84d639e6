//! The window and its desk: files that arrive, what commands do with files and the clipboard, what lies over the panels.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use egui::{Rect, Ui};

use super::Lerpscope;
use super::screenshot::{Problem, Screenshot};
use crate::app::Launch;
use crate::app::commands::window_action::{DialogAction, FileAction};
use crate::app::dialogs::toast::Tone;
use crate::app::dialogs::{Asked, Facts, Places, Purpose, Restored, Said};
use crate::app::files::loader::{Arrival, Target};
use crate::app::panels::header;
use crate::app::render::picture::Picture;
use crate::app::render::texture_sharing::Way;
use crate::app::render::worker::Deferred;
use crate::app::session::layout::Layout;
use crate::app::session::{Area, Session, State};
use crate::backend::Backend as _;
use crate::image::Image;
use crate::sampling::Sampler;

impl Lerpscope {
    /// Notes what the images were opened from, in their order: that is what commands and sessions name.
    pub fn name_sources(&mut self, sources: &[PathBuf]) {
        let images = self.session.images().to_vec();
        images.iter().zip(sources).for_each(|(image, source)| self.desk.note(image, source));
    }

    /// Takes settings from these places and keeps them, and the session, there.
    pub fn remember_at(&mut self, ctx: &egui::Context, places: Places) {
        let problems = self.desk.remember_at(ctx, places);
        for problem in problems {
            log::warn!("{problem}");
            self.toasts.say(Tone::Error, problem);
        }
    }

    /// Fills the window with panels of these samplers, all looking where the focused one does; none leaves it as it is.
    pub fn arrange(&mut self, samplers: &[Sampler]) {
        self.session.arrange(samplers);
    }

    /// Places the panels so.
    pub fn set_layout(&mut self, layout: Layout) {
        self.session.set_layout(layout);
    }

    /// Shows a session that was saved.
    pub fn restore(&mut self, restored: Restored) {
        let Restored { session, sources, warnings, unit } = restored;
        self.show_session(session);
        let preferences = &mut self.desk.settings.preferences;
        preferences.unit = unit.unwrap_or(preferences.unit);
        self.name_sources(&sources);
        warnings.into_iter().for_each(|warning| self.toasts.say(Tone::Note, warning));
    }

    /// Shows these panels of the open images; false where they do not fit these.
    pub fn restore_state(&mut self, state: &State) -> bool {
        let restored = Session::restored(self.session.images().to_vec(), state);
        restored.map(|session| self.show_session(session)).is_some()
    }

    /// Sets the window up as it was asked for on the command line; `problem` takes what goes wrong with its picture.
    pub(in crate::app) fn start(
        &mut self,
        ctx: &egui::Context,
        (launch, is_bare): (Launch, bool),
        restored: Option<Restored>,
        problem: Problem,
    ) {
        let Launch { inputs, panels, layout, screenshot, .. } = launch;
        self.name_sources(&inputs);
        // A picture for a script is the same whatever a person has set.
        if screenshot.is_none()
            && let Some(places) = Places::of_system()
        {
            let last = places.session.clone();
            self.remember_at(ctx, places);
            if is_bare && self.desk.settings.restore_session && last.exists() {
                match Restored::open(&last) {
                    Ok(restored) => self.restore(restored),
                    Err(problem) => self.toasts.say(Tone::Error, problem),
                }
            }
        }
        if let Some(restored) = restored {
            self.restore(restored);
        }
        let samplers: Vec<Sampler> = panels.iter().map(|(sampler, _)| *sampler).collect();
        self.arrange(&samplers);
        for (index, (_, filters)) in panels.into_iter().enumerate() {
            if let Some(panel) = self.session.panel_mut(index) {
                panel.filters = filters;
            }
        }
        if let Some(layout) = layout {
            self.set_layout(layout);
        }
        self.problem = Arc::clone(&problem);
        self.screenshot = screenshot.map(|file| Screenshot::new(file, problem));
    }

    pub(super) fn show_session(&mut self, mut session: Session) {
        session.tick(0.0);
        session.resize(self.session.output());
        self.session = session;
    }

    /// The commands that give the visible panels' pictures again, a line each.
    ///
    /// # Errors
    /// Where an image came from no file.
    pub fn command_lines(&self) -> Result<Vec<String>, String> {
        self.desk.commands(&self.session)
    }

    pub(super) fn receive_files(&mut self, ui: &Ui) {
        let pos = ui.input(|input| input.pointer.latest_pos());
        for file in ui.input(|input| input.raw.dropped_files.clone()) {
            let panel = pos.and_then(|pos| self.panel_at(ui, pos));
            let target = panel.map_or(Target::Everywhere, |index| Target::Panel(self.session.panels()[index].id()));
            self.files.open(ui, file.path().to_owned(), target);
        }
        self.desk.follow_files(ui, &self.session, &self.files);
        for arrival in self.files.take() {
            match arrival {
                Arrival::Opened { image, warnings, source, target } => {
                    self.place_image(image, &source, target);
                    warnings.into_iter().for_each(|warning| self.toasts.say(Tone::Note, warning));
                }
                Arrival::Session(restored) => {
                    self.restore(*restored);
                    self.desk.close_over();
                    self.end_restore(true);
                }
                Arrival::Failed(why) => {
                    self.toasts.say(Tone::Error, why);
                    self.end_restore(false);
                }
                Arrival::NoDialog => self.toasts.say(
                    Tone::Error,
                    "The desktop offers no file dialog. Drop a file on the window, or name it on the command line.",
                ),
                Arrival::Dismissed => {}
            }
        }
        self.keep_settings(ui);
    }

    /// Shows an image that has been read where it belongs. Panels and sessions may have changed while it was read.
    fn place_image(&mut self, image: Arc<Image>, source: &Path, target: Target) {
        let places = self.desk.places_of(&self.session, source);
        self.desk.note(&image, source);
        match target {
            Target::Everywhere => self.session.open(image),
            Target::Panel(panel) => match self.session.index_of(panel) {
                Some(index) => self.session.open_in(index, image),
                None => self.session.open(image),
            },
            Target::InPlace(id) => {
                if let Some(place) = self.session.place_of_image(id) {
                    self.session.replace(place, image);
                }
            }
            Target::Again => places.into_iter().for_each(|place| self.session.replace(place, Arc::clone(&image))),
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

    fn keep_settings(&mut self, ctx: &egui::Context) {
        if let Err(problem) = self.desk.keep_settings(ctx) {
            self.toasts.say(Tone::Error, problem);
        }
    }

    /// Performs an action on files or the clipboard.
    pub(super) fn run_file_action(&mut self, ui: &Ui, action: FileAction) {
        // Exports use the views of the panels, not the views of an animation.
        self.session.arrive();
        let said = match action {
            FileAction::Reload => self.desk.file_of(&self.session).map(Path::to_owned).map(|file| {
                self.files.open(ui, file, Target::Again);
                String::new()
            }),
            FileAction::NextFile => self.open_neighbour(ui, 1),
            FileAction::PreviousFile => self.open_neighbour(ui, -1),
            FileAction::Paste => self.desk.paste().map(|file| {
                self.files.open(ui, file, Target::Everywhere);
                String::new()
            }),
            FileAction::CopyPicture => {
                let mut backend = Deferred::waiting(&mut self.backend, &mut self.later);
                self.desk.copy_picture(&self.session, &mut backend)
            }
            FileAction::CopyCommands => self.desk.copy_commands(&self.session),
        };
        self.tell(said);
    }

    /// Opens a dialog.
    pub(super) fn open_dialog(&mut self, ui: &Ui, dialog: DialogAction) {
        self.session.arrive();
        match dialog {
            DialogAction::Palette => self.desk.open_palette(ui, &self.session),
            DialogAction::RecentFiles => {
                let said = self.desk.open_recent();
                self.tell(said);
            }
            DialogAction::Filters => self.desk.open_filters(),
            DialogAction::Settings => self.desk.open_settings(),
            DialogAction::Keys => self.shows_keys = true,
            DialogAction::SavePanel => self.desk.ask_path(&self.session, Purpose::SavePanel),
            DialogAction::SaveFigure => self.desk.ask_path(&self.session, Purpose::SaveFigure),
            DialogAction::SaveSession => self.desk.ask_path(&self.session, Purpose::SaveSession),
            DialogAction::OpenSession => self.desk.ask_path(&self.session, Purpose::OpenSession),
        }
    }

    /// Shows or hides frame times.
    pub(super) fn toggle_timing(&mut self) {
        self.desk.toggle_timing();
        if self.desk.shows_timing() {
            self.pictures.iter_mut().chain([&mut self.difference]).for_each(Picture::time_again);
        }
    }

    fn open_neighbour(&mut self, ui: &Ui, step: isize) -> Said {
        let file = self.desk.neighbour(&self.session, step)?;
        self.files.open(ui, file, Target::InPlace(self.session.shown_id()));
        Ok(String::new())
    }

    /// Says what came of something, where there is anything to say.
    fn tell(&mut self, said: Said) {
        match said {
            Ok(text) if text.is_empty() => {}
            Ok(text) => self.toasts.say(Tone::Note, text),
            Err(text) => self.toasts.say(Tone::Error, text),
        }
    }

    /// Draws what is open over the panels, and does what it asks for.
    pub(super) fn show_over(&mut self, ui: &Ui) {
        let said = match self.desk.show_over(ui) {
            None => return,
            Some(Asked::Command(command)) => return self.run(ui, command),
            Some(Asked::AddFilter(stage, filter)) => return self.session.add_filter(stage, filter),
            Some(Asked::Open(path)) => return self.files.open(ui, path, Target::Everywhere),
            Some(Asked::OpenSession(path)) => return self.files.open_session(ui, path),
            Some(Asked::SavePanel(path, times)) => {
                let mut backend = Deferred::waiting(&mut self.backend, &mut self.later);
                self.desk.save_panel(&self.session, &mut backend, (&path, times))
            }
            Some(Asked::SaveFigure(path, times)) => {
                let columns = self.columns();
                let mut backend = Deferred::waiting(&mut self.backend, &mut self.later);
                self.desk.save_figure((&self.session, columns), &mut backend, (&path, times))
            }
            Some(Asked::SaveSession(path)) => self.desk.save_session(&self.session, &path),
        };
        if said.is_ok() {
            self.desk.close_over();
        }
        self.tell(said);
    }

    /// How many panels stand side by side.
    fn columns(&self) -> usize {
        let top =
            |area: &Area| self.pictures.at(&self.session, area.panel()).and_then(Picture::place).map(|place| place.top);
        let areas = self.session.areas();
        let first = areas.first().and_then(top);
        areas.iter().filter(|area| top(area) == first).count().max(1)
    }

    /// Draws the times of the last frames, where they are shown.
    pub(super) fn show_timing(&mut self, ui: &Ui, within: Rect) {
        if !self.desk.shows_timing() {
            return;
        }
        let name = |index: usize| self.session.panels()[index].sampler.method.row().title;
        let pictures: Vec<(String, &Picture)> = match self.session.areas().as_slice() {
            [Area::Difference([first, second])] => {
                vec![(format!("{} − {}", name(*first), name(*second)), &self.difference)]
            }
            areas => {
                let seen = areas.iter().flat_map(|area| area.pictures());
                seen.filter_map(|index| Some((name(index).to_owned(), self.pictures.at(&self.session, index)?)))
                    .collect()
            }
        };
        let way = match &self.drawn.way {
            _ if self.canvas.is_none() => "none".to_owned(),
            Way::Shared => "shared texture".to_owned(),
            Way::Upload | Way::UploadBecause(_) => {
                let beside = |(_, picture): &(String, &Picture)| {
                    picture.took().saturating_sub(picture.worked().unwrap_or_default())
                };
                format!("upload, {:.2} ms", pictures.iter().map(beside).sum::<Duration>().as_secs_f64() * 1e3)
            }
        };
        let panels = pictures.into_iter().map(|(name, picture)| (name, picture.worked())).collect();
        let backend = if self.drawn.backends == [self.backend.kind()] {
            self.backend.description()
        } else {
            format!("{} ({})", self.drawn.backend_titles(), self.backend.description())
        };
        let header = if self.chrome.has_headers() { header::HEIGHT } else { 0.0 };
        let within = within.with_min_y(within.top() + header);
        self.desk.show_timing(ui, within, &Facts { backend, way, panels });
        if self.backend.gl().is_some_and(|writer| writer.is_timing()) {
            ui.request_repaint_after(TIMES_COME);
        }
    }
}

/// The device's times are there after this long, mostly.
const TIMES_COME: Duration = Duration::from_millis(30);
