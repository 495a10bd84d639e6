//! What lies around the panels on a person's desk: files and where they came from, the clipboard, sessions, settings, the
//! lists over the window.

pub(in crate::app) mod block_sweep;
pub(in crate::app) mod block_sweep_map;
mod chooser;
pub(in crate::app) mod keys;
mod path_dialog;
mod settings_dialog;
mod timing;
pub(in crate::app) mod toast;

use crate::app::files::export;
use crate::app::files::folder;
use crate::app::files::sources;
use std::path::{Path, PathBuf};
use std::time::Duration;

use egui::{Rect, Ui};

pub use super::files::session_file::{Restored, SavedSession};
pub use super::files::settings::{Places, Settings, TextScale, ThemeChoice};

use self::chooser::{Choice, Chooser, Chosen};
pub(super) use self::path_dialog::Purpose;
use self::path_dialog::{Answer, PathDialog};
pub(super) use self::timing::Facts;
use self::timing::Timing;
use super::commands::menu::{menu_state, path, title};
use super::commands::{COMMANDS, Command, Keymap};
use super::files::clipboard::{Clipboard, Pasted};
use super::files::loader::{Files, Target};
pub(super) use super::files::recovery::Recovery;
use super::files::settings::{read_text, write_text};
use super::files::sources::Sources;
use super::files::watch::Watch;
use super::session::Session;
use crate::backend::Backend;
use crate::filter::{FILTERS, Filter, FilterRow, STAGES, Stage, StageRow};
use crate::image;
use crate::image::{Channels, FileFormat, Image};

/// What is open over the panels.
#[derive(Debug)]
enum Over {
    Palette(Chooser<Command>),
    Recent(Chooser<PathBuf>),
    Filters(Chooser<(Stage, Filter)>),
    Path(PathDialog),
    Settings,
}

/// What became of something that a person asked for: what there is to say.
pub(super) type Said = Result<String, String>;

/// Everything around the panels.
#[derive(Debug)]
pub(super) struct Desk {
    pub(super) settings: Settings,
    saved: Settings,
    places: Option<Places>,
    /// `None` where the window remembers nothing.
    pub(super) recovery: Option<Recovery>,
    sources: Sources,
    clipboard: Clipboard,
    watch: Option<Watch>,
    over: Option<Over>,
    timing: Option<Timing>,
    export_folder: Option<PathBuf>,
}

/// What a list over the panels asks the window to do.
#[derive(Debug, PartialEq)]
pub(super) enum Asked {
    /// This command was chosen.
    Command(Command),
    /// The focused panel is to have this filter there, too.
    AddFilter(Stage, Filter),
    /// This file is to be opened.
    Open(PathBuf),
    /// This session is to be opened.
    OpenSession(PathBuf),
    /// The focused panel is to be saved so many times as large.
    SavePanel(PathBuf, u32),
    /// The figure is to be saved so many times as large.
    SaveFigure(PathBuf, u32),
    /// The session is to be saved.
    SaveSession(PathBuf),
}

impl Desk {
    /// A desk that remembers nothing beyond its window.
    pub(super) fn new(ctx: &egui::Context) -> Self {
        let desk = Self {
            settings: Settings::default(),
            saved: Settings::default(),
            places: None,
            recovery: None,
            sources: Sources::default(),
            clipboard: Clipboard::default(),
            watch: Watch::new(ctx),
            over: None,
            timing: None,
            export_folder: None,
        };
        desk.settings.keys.install(ctx);
        desk
    }

    /// Takes the settings from `places` and keeps them there; what is wrong with them.
    pub(super) fn remember_at(&mut self, ctx: &egui::Context, places: Places) -> Vec<String> {
        let file = places.settings.display().to_string();
        let (settings, problems) = match read_text(&places.settings) {
            Ok(text) => Settings::parse(&text, &file),
            Err(problem) => (Settings::default(), vec![problem]),
        };
        self.recovery = Some(Recovery::open(ctx, &places.recovery()));
        self.places = Some(places);
        self.saved = settings.clone();
        self.settings = settings;
        self.apply(ctx);
        problems
    }

    fn apply(&self, ctx: &egui::Context) {
        self.settings.keys.install(ctx);
        ctx.set_theme(self.settings.theme.preference());
        let reduced_motion = self.settings.preferences.reduced_motion;
        ctx.all_styles_mut(|style| style.animation_time = if reduced_motion { 0.0 } else { 1.0 / 12.0 });
    }

    /// Makes letters as large as the settings have them, and `times` that.
    pub(super) fn scale_text(&self, ctx: &egui::Context, times: f32) {
        ctx.set_zoom_factor(self.settings.text_scale.factor() * times);
    }

    /// Puts changed settings in force and into their file.
    pub(super) fn keep_settings(&mut self, ctx: &egui::Context) -> Result<(), String> {
        if self.settings == self.saved {
            return Ok(());
        }
        self.apply(ctx);
        self.saved = self.settings.clone();
        let Some(places) = &self.places else {
            return Ok(());
        };
        let text = read_text(&places.settings)?;
        let text =
            self.settings.written_into(&text).map_err(|cause| format!("{}: {cause}", places.settings.display()))?;
        write_text(&places.settings, &text)
    }

    /// Notes that `image` was opened from `source`.
    pub(super) fn note(&mut self, image: &Image, source: &Path) {
        self.sources.note(image, source);
        if image::is_file_name(source) {
            self.settings.remember(&sources::absolute(source));
        }
    }

    /// The places among the session's images that were opened from `source`.
    pub(super) fn places_of(&self, session: &Session, source: &Path) -> Vec<usize> {
        self.sources.places(session, &sources::absolute(source))
    }

    /// Reads files that changed on disk again.
    pub(super) fn follow_files(&mut self, ctx: &egui::Context, session: &Session, files: &Files) {
        if let Some(watch) = &mut self.watch {
            watch.follow(self.sources.files(session));
            watch.changed(ctx).into_iter().for_each(|path| files.open(ctx, path, Target::Again));
        }
    }

    /// Whether a list or a dialog is open, to which the keys belong.
    pub(super) fn has_keys(&self) -> bool {
        self.over.is_some()
    }

    /// Shows or hides the times.
    pub(super) fn toggle_timing(&mut self) {
        self.timing = if self.timing.is_some() { None } else { Some(Timing::default()) };
    }

    /// Notes how long a frame took, and making its pictures.
    pub(super) fn note_frame(&mut self, whole: Duration, rendering: Duration) {
        if let Some(timing) = &mut self.timing {
            timing.note(whole, rendering);
        }
    }

    /// Whether the times are shown.
    pub(super) fn shows_timing(&self) -> bool {
        self.timing.is_some()
    }

    /// Draws the times, where they are shown.
    pub(super) fn show_timing(&self, ui: &Ui, within: Rect, facts: &Facts) {
        if let Some(timing) = &self.timing {
            timing.show(ui, within, facts);
        }
    }

    /// Opens the list of all commands.
    pub(super) fn open_palette(&mut self, ctx: &egui::Context, session: &Session) {
        let keys = Keymap::in_force(ctx);
        let is_listed = |command: Command| !matches!(command, Command::Palette | Command::Leave);
        let choice = |row: &crate::app::CommandRow| Choice {
            value: row.command,
            title: title(session, row),
            detail: path(row.menu).map_or_else(|| row.help.to_owned(), |path| format!("{path} · {}", row.help)),
            key: keys.key_text(row.command),
            is_possible: menu_state(session, row.command).is_possible,
        };
        let choices = COMMANDS.iter().filter(|row| is_listed(row.command)).map(choice).collect();
        self.over = Some(Over::Palette(Chooser::new("Find a command", choices)));
    }

    /// Opens the list of the files opened last.
    pub(super) fn open_recent(&mut self) -> Said {
        if self.settings.recent.is_empty() {
            return Err("No file was opened yet".to_owned());
        }
        let choice = |path: &PathBuf| Choice {
            value: path.clone(),
            title: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            detail: path.display().to_string(),
            key: String::new(),
            is_possible: true,
        };
        let choices = self.settings.recent.iter().map(choice).collect();
        self.over = Some(Over::Recent(Chooser::new("Find a recent file", choices)));
        Ok(String::new())
    }

    /// Opens the list of filters, each before and after the interpolation.
    pub(super) fn open_filters(&mut self) {
        let choice = |stage: &StageRow, filter: &FilterRow| Choice {
            value: (stage.stage, filter.filter),
            title: format!("{}, {}", filter.title, stage.title.to_lowercase()),
            detail: filter.help.to_owned(),
            key: String::new(),
            is_possible: true,
        };
        let choices = STAGES.iter().flat_map(|stage| FILTERS.iter().map(move |filter| choice(stage, filter)));
        self.over = Some(Over::Filters(Chooser::new("Find a filter", choices.collect())));
    }

    /// Opens the settings.
    pub(super) fn open_settings(&mut self) {
        self.over = Some(Over::Settings);
    }

    /// Asks for the file to write or read for `purpose`.
    pub(super) fn ask_path(&mut self, session: &Session, purpose: Purpose) {
        let name = match purpose {
            Purpose::SavePanel => export::file_name(session, session.focused()),
            Purpose::SaveFigure => "figure.png".to_owned(),
            Purpose::SaveSession | Purpose::OpenSession => "session.toml".to_owned(),
        };
        let image_folder = || self.sources.file_of(session.image()).and_then(Path::parent).map(Path::to_owned);
        let folder = self.export_folder.clone().or_else(image_folder).or_else(pictures_folder);
        let path = folder.unwrap_or_default().join(name);
        self.over = Some(Over::Path(PathDialog::new(purpose, &path, session.output())));
    }

    /// Draws what is open over the panels; what it asks for.
    pub(super) fn show_over(&mut self, ui: &Ui) -> Option<Asked> {
        let (asked, is_done) = match self.over.as_mut()? {
            Over::Palette(chooser) => outcome(chooser.show(ui), Asked::Command),
            Over::Recent(chooser) => outcome(chooser.show(ui), Asked::Open),
            Over::Filters(chooser) => outcome(chooser.show(ui), |(stage, filter)| Asked::AddFilter(stage, filter)),
            Over::Settings => {
                let place = self.places.as_ref().map(|places| places.settings.display().to_string());
                (None, settings_dialog::show(ui, &mut self.settings, place.as_deref()))
            }
            Over::Path(dialog) => match dialog.show(ui) {
                Answer::NotYet => (None, false),
                Answer::Left => (None, true),
                Answer::File(path, times) => {
                    let asked = match dialog.purpose {
                        Purpose::SavePanel => Asked::SavePanel(path, times),
                        Purpose::SaveFigure => Asked::SaveFigure(path, times),
                        Purpose::SaveSession => Asked::SaveSession(path),
                        Purpose::OpenSession => Asked::OpenSession(path),
                    };
                    // It stays until that is done: what fails can be mended.
                    (Some(asked), false)
                }
            },
        };
        if is_done {
            self.over = None;
        }
        asked
    }

    /// Closes what is open over the panels.
    pub(super) fn close_over(&mut self) {
        self.over = None;
    }

    /// Saves the focused panel as `file`.
    pub(super) fn save_panel(
        &mut self,
        session: &Session,
        backend: &mut dyn Backend,
        (file, times): (&Path, u32),
    ) -> Said {
        let raster = export::picture(backend, session, export::focused(session), times)?;
        self.save(file, &raster)
    }

    /// Saves the visible panels as `file`, `columns` side by side.
    pub(super) fn save_figure(
        &mut self,
        (session, columns): (&Session, usize),
        backend: &mut dyn Backend,
        (file, times): (&Path, u32),
    ) -> Said {
        let raster = export::whole_figure(backend, session, columns, times)?;
        self.save(file, &raster)
    }

    fn save(&mut self, file: &Path, raster: &image::Raster) -> Said {
        if FileFormat::from_path(file) == Some(FileFormat::Pgm) && !export::is_grey(raster.channels()) {
            return Err(format!("{}: a PGM is grey, and this has colour or alpha; .png holds it", file.display()));
        }
        image::save(file, raster).map_err(|error| error.to_string())?;
        self.export_folder = file.parent().map(Path::to_owned);
        Ok(format!("Saved {}, {} pixels", file.display(), raster.size()))
    }

    /// Copies the focused panel's picture.
    pub(super) fn copy_picture(&mut self, session: &Session, backend: &mut dyn Backend) -> Said {
        let picture = export::picture(backend, session, export::focused(session), 1)?;
        self.clipboard.copy_picture(&picture)?;
        Ok(format!("Copied the picture, {} pixels", picture.size()))
    }

    /// The commands that give the visible panels again.
    pub(super) fn commands(&self, session: &Session) -> Result<Vec<String>, String> {
        export::commands(session, &self.sources)
    }

    /// Copies the commands that give the visible panels again.
    pub(super) fn copy_commands(&mut self, session: &Session) -> Said {
        let commands = self.commands(session)?;
        self.clipboard.copy_text(&commands.join("\n"))?;
        let count = commands.len();
        Ok(if count == 1 { "Copied one command".to_owned() } else { format!("Copied {count} commands, a line each") })
    }

    /// The file that the clipboard names, or one made of the picture that it has.
    pub(super) fn paste(&mut self) -> Result<PathBuf, String> {
        match self.clipboard.paste()? {
            Pasted::File(path) => Ok(path),
            Pasted::Picture(raster) => {
                let folder = self.places.as_ref().map_or_else(std::env::temp_dir, |places| places.pasted.clone());
                std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
                let free = |number: &u32| !folder.join(format!("pasted-{number}.png")).exists();
                let number = (1..).find(free).unwrap_or_default();
                let file = folder.join(format!("pasted-{number}.png"));
                image::save(&file, &raster).map_err(|error| error.to_string())?;
                Ok(file)
            }
        }
    }

    /// The file of the focused panel's image.
    ///
    /// # Errors
    /// Where it has none.
    pub(super) fn file_of<'a>(&'a self, session: &Session) -> Result<&'a Path, String> {
        self.sources.file_of(session.image()).ok_or_else(|| format!("{} is no file", session.image().name()))
    }

    /// The picture `step` places on in the folder of the focused panel's image.
    ///
    /// # Errors
    /// Where there is none.
    pub(super) fn neighbour(&self, session: &Session, step: isize) -> Result<PathBuf, String> {
        let file = self.file_of(session)?;
        folder::neighbour(file, step)?.ok_or_else(|| "There is no other picture in the folder".to_owned())
    }

    /// Saves the session as `file`.
    pub(super) fn save_session(&mut self, session: &Session, file: &Path) -> Said {
        let unit = Some(self.settings.preferences.unit);
        SavedSession { unit, ..SavedSession::of(session, &self.sources)? }.save(file)?;
        self.export_folder = file.parent().map(Path::to_owned);
        Ok(format!("Saved {}", file.display()))
    }

    /// Has `session` saved for recovery, some time after this call.
    pub(super) fn schedule_recovery(&mut self, session: &Session) {
        if let Some(recovery) = &mut self.recovery {
            recovery.schedule(SavedSession::of(session, &self.sources));
        }
    }

    /// Keeps the session for the next window, and removes the recovery session, which stays where that fails. To be called
    /// where the window is closed in order.
    pub(super) fn keep_session(&mut self, session: &Session) {
        let Some(places) = &self.places else {
            return;
        };
        let saved = SavedSession::of(session, &self.sources).and_then(|saved| saved.save(&places.session));
        match saved {
            Ok(()) => drop(self.recovery.take().map(Recovery::remove)),
            Err(problem) => log::warn!("the session is not kept: {problem}"),
        }
    }
}

fn outcome<T, A>(chosen: Chosen<T>, ask: impl FnOnce(T) -> A) -> (Option<A>, bool) {
    match chosen {
        Chosen::NotYet => (None, false),
        Chosen::Left => (None, true),
        Chosen::This(value) => (Some(ask(value)), true),
    }
}

fn pictures_folder() -> Option<PathBuf> {
    let folders = directories::UserDirs::new()?;
    Some(folders.picture_dir().filter(|folder| folder.is_dir()).unwrap_or(folders.home_dir()).to_owned())
}

/// A picture of the window as it is, for a file.
pub(super) fn raster_of(picture: &egui::ColorImage) -> Option<image::Raster> {
    let side = |side: usize| u32::try_from(side).ok();
    let size = image::Size::new(side(picture.width())?, side(picture.height())?).ok()?;
    let values = picture.pixels.iter().flat_map(|pixel| [pixel.r(), pixel.g(), pixel.b()]).collect();
    image::Raster::new(size, Channels::Rgb, image::Samples::U8 { values, maxval: 255 }).ok()
}
