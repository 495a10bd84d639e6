//! Documents of the window: open images with their sources, the session file, exports and the clipboard.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use toml::Table;

use super::clipboard::{Clipboard, Pasted};
use super::export::{self, ExportError, ExportTarget, FigureCopy};
use super::folder;
use super::lesson_state::{self, StepError, StepPlace};
use super::loader::{Loader, OpenTarget};
use super::notice::{DocumentError, Notice};
use super::recovery::Recovery;
use super::session_file::{SavedSession, SessionFileError};
use super::settings::AppPaths;
use super::sources::{Sources, absolute};
use super::watch::Watch;
use crate::app::session::lesson::StepState;
use crate::app::session::unit::Unit;
use crate::app::session::{ImageId, PanelArea, Session};
use crate::backend::Backend;
use crate::image::{self, Channels, FileFormat, Image};
use crate::plots::Chart;
use crate::quality::Decimate;
use crate::volume::open_source;

/// Files and clipboard of the window.
#[derive(Debug)]
pub(in crate::app) struct Documents {
    /// Opens files in the background.
    pub(in crate::app) loader: Loader,
    /// The recovery session; `None` if the window keeps no files.
    pub(in crate::app) recovery: Option<Recovery>,
    paths: Option<AppPaths>,
    sources: Sources,
    clipboard: Clipboard,
    watch: Option<Watch>,
    /// Folder of the last export.
    export_folder: Option<PathBuf>,
    /// The images of the lesson that runs, with their sources.
    lesson_images: Vec<(PathBuf, Arc<Image>)>,
}

impl Documents {
    /// Documents of a window that keeps no files of its own.
    pub(in crate::app) fn new(ctx: &egui::Context) -> Self {
        Self {
            loader: Loader::default(),
            recovery: None,
            paths: None,
            sources: Sources::default(),
            clipboard: Clipboard::default(),
            watch: Watch::new(ctx),
            export_folder: None,
            lesson_images: Vec::new(),
        }
    }

    /// Keeps sessions and pasted pictures in `paths` and starts a recovery session there.
    pub(in crate::app) fn remember_at(&mut self, ctx: &egui::Context, paths: AppPaths) {
        self.recovery = Some(Recovery::open(ctx, &paths.recovery()));
        self.paths = Some(paths);
    }

    /// Records that `image` was opened from `source`. Returns the absolute path if the source is a file.
    pub(in crate::app) fn note_source(&mut self, image: &Image, source: &Path) -> Option<PathBuf> {
        self.sources.note(image, source);
        image::is_file_name(source).then(|| absolute(source))
    }

    /// Indices of the session's images that were opened from `source`.
    pub(in crate::app) fn indices_of(&self, session: &Session, source: &Path) -> Vec<usize> {
        self.sources.indices(session, &absolute(source))
    }

    /// The source of the image with this id; `None` if it was closed or has none.
    pub(in crate::app) fn source_of<'a>(&'a self, session: &'a Session, id: ImageId) -> Option<&'a Path> {
        let place = session.place_of_image(id)?;
        self.sources.of(&session.images()[place]).ok()
    }

    /// Missing images of the session that have a file of their name beside `located`, with these files.
    pub(in crate::app) fn found_beside(&self, session: &Session, located: &Path) -> Vec<(ImageId, PathBuf)> {
        let Some(folder) = located.parent() else { return Vec::new() };
        let found = |id: &ImageId| {
            let name = self.source_of(session, *id)?.file_name()?;
            Some((*id, folder.join(name))).filter(|(_, file)| file.is_file())
        };
        let missing = session.image_ids().iter().zip(session.images()).filter(|(_, image)| image.is_missing());
        missing.filter_map(|(id, _)| found(id)).collect()
    }

    /// Reloads images of the `sessions` that changed on disk. Returns those of the files `lessons` that changed.
    pub(in crate::app) fn reload_changed(
        &mut self,
        ctx: &egui::Context,
        sessions: &[&Session],
        lessons: &[PathBuf],
    ) -> Vec<PathBuf> {
        let Some(watch) = &mut self.watch else { return Vec::new() };
        let images = sessions.iter().flat_map(|session| self.sources.files(session));
        watch.follow(images.chain(lessons.iter().cloned()).collect());
        let (lessons, images) = watch.changed(ctx).into_iter().partition(|path| lessons.contains(path));
        let images: Vec<PathBuf> = images;
        images.into_iter().for_each(|path| self.loader.open(ctx, path, OpenTarget::Reload));
        lessons
    }

    /// The state of a lesson's step with its images: [`lesson_state::step_state`]. Images stay open until
    /// [`Documents::close_lesson_images`].
    ///
    /// # Errors
    /// If a value is invalid, or an image cannot be opened.
    pub(in crate::app) fn step_state(
        &mut self,
        table: Table,
        place: StepPlace<'_>,
    ) -> Result<(StepState, Option<Unit>), StepError> {
        let (kept, sources) = (&mut self.lesson_images, &mut self.sources);
        lesson_state::step_state(table, place, &mut |source| {
            if let Some((_, image)) = kept.iter().find(|(known, _)| *known == source) {
                return Ok(Arc::clone(image));
            }
            let image = Arc::new(open_source(&source)?.image);
            sources.note(&image, &source);
            kept.push((source, Arc::clone(&image)));
            Ok(image)
        })
    }

    /// The keys that describe `session`: [`lesson_state::session_table`].
    ///
    /// # Errors
    /// If an image has no source, or its path is not UTF-8.
    pub(in crate::app) fn session_table(&self, session: &Session, unit: Unit) -> Result<Table, StepError> {
        lesson_state::session_table(session, &self.sources, unit)
    }

    /// Copies `session` to the clipboard as a step of a lesson. Keys that the step `before` has with the same values are left out.
    ///
    /// # Errors
    /// If an image has no source, or the clipboard does not accept the text.
    pub(in crate::app) fn copy_step(
        &mut self,
        session: &Session,
        unit: Unit,
        before: &Table,
    ) -> Result<Notice, DocumentError> {
        let text = self.step_text(session, unit, before)?;
        self.clipboard.copy_text(&text)?;
        Ok(Notice::CopiedStep)
    }

    /// The text that [`Documents::copy_step`] copies.
    ///
    /// # Errors
    /// If an image has no source, or its path is not UTF-8.
    pub(in crate::app) fn step_text(&self, session: &Session, unit: Unit, before: &Table) -> Result<String, StepError> {
        Ok(lesson_state::step_text(session, self.session_table(session, unit)?, before))
    }

    /// Closes the images of the lesson.
    pub(in crate::app) fn close_lesson_images(&mut self) {
        self.lesson_images.clear();
    }

    /// The file of the focused panel's image.
    ///
    /// # Errors
    /// If the image was not opened from a file.
    pub(in crate::app) fn file_of(&self, session: &Session) -> Result<&Path, DocumentError> {
        let image = session.image();
        self.sources.file_of(image).ok_or_else(|| DocumentError::NotAFile { name: image.name().to_owned() })
    }

    /// The source of a decimation of the focused panel's image, or of the original where that is a decimation itself.
    ///
    /// # Errors
    /// If the image has no source.
    pub(in crate::app) fn decimated_source(
        &self,
        session: &Session,
        decimate: Decimate,
    ) -> Result<PathBuf, DocumentError> {
        let source = self.sources.of(session.image()).map_err(ExportError::from)?;
        Ok(decimate.source(source))
    }

    /// The source of the volume of the pages of the focused panel's image.
    ///
    /// # Errors
    /// If the image has no source.
    pub(in crate::app) fn volume_source(&self, session: &Session) -> Result<PathBuf, DocumentError> {
        Ok(image::volume_of(self.sources.of(session.image()).map_err(ExportError::from)?))
    }

    /// Index of an open image that was opened from `source`.
    pub(in crate::app) fn place_of_source(&self, session: &Session, source: &Path) -> Option<usize> {
        self.sources.indices(session, source).first().copied()
    }

    /// The picture `step` positions after the focused panel's image in its folder.
    ///
    /// # Errors
    /// If the image was not opened from a file, or its folder has no other picture or cannot be listed.
    pub(in crate::app) fn neighbour(&self, session: &Session, step: isize) -> Result<PathBuf, DocumentError> {
        folder::neighbour(self.file_of(session)?, step)?.ok_or(DocumentError::NoNeighbour)
    }

    /// Default path of an export named `name`: in the folder of the last export, else of the image, else where the program was started,
    /// else of pictures.
    pub(in crate::app) fn export_path(&self, session: &Session, name: &str) -> PathBuf {
        let image_folder = || self.sources.file_of(session.image()).and_then(Path::parent).map(Path::to_owned);
        let folder = self.export_folder.clone().or_else(image_folder).or_else(start_folder).or_else(pictures_folder);
        folder.unwrap_or_default().join(name)
    }

    /// Default path for the picture of the focused panel.
    pub(in crate::app) fn picture_path(&self, session: &Session) -> PathBuf {
        self.export_path(session, &export::file_name(session, session.focused()))
    }

    /// Saves the picture of the focused panel.
    ///
    /// # Errors
    /// If the picture cannot be rendered or written.
    pub(in crate::app) fn save_panel(
        &mut self,
        session: &Session,
        backend: &mut dyn Backend,
        target: &ExportTarget,
    ) -> Result<Notice, DocumentError> {
        let raster = export::picture(backend, session, export::focused(session), target.times)?;
        self.save(&target.file, &raster)
    }

    /// Saves a figure of the visible panels in rows of `columns`.
    ///
    /// # Errors
    /// If the figure cannot be rendered or written.
    pub(in crate::app) fn save_figure(
        &mut self,
        session: &Session,
        columns: usize,
        backend: &mut dyn Backend,
        target: &ExportTarget,
    ) -> Result<Notice, DocumentError> {
        let raster = export::whole_figure(backend, session, columns, target)?;
        self.save(&target.file, &raster)
    }

    fn save(&mut self, file: &Path, raster: &image::Raster) -> Result<Notice, DocumentError> {
        if FileFormat::from_path(file) == Some(FileFormat::Pgm) && !export::is_grey(raster.channels()) {
            return Err(ExportError::NotGrey { file: file.to_owned() }.into());
        }
        image::save(file, raster)?;
        self.export_folder = file.parent().map(Path::to_owned);
        Ok(Notice::SavedPicture { file: file.to_owned(), size: raster.size() })
    }

    /// Saves a chart in the format of the file's extension.
    ///
    /// # Errors
    /// If the extension is of no format, or the file cannot be written.
    pub(in crate::app) fn save_plot(&mut self, chart: &Chart, file: &Path) -> Result<Notice, DocumentError> {
        chart.save(file, Chart::usual_size())?;
        self.export_folder = file.parent().map(Path::to_owned);
        Ok(Notice::SavedPlot(file.to_owned()))
    }

    /// Copies the picture of the focused panel to the clipboard.
    ///
    /// # Errors
    /// If the picture cannot be rendered, or the clipboard does not accept it.
    pub(in crate::app) fn copy_picture(
        &mut self,
        session: &Session,
        backend: &mut dyn Backend,
    ) -> Result<Notice, DocumentError> {
        let picture = export::picture(backend, session, export::focused(session), 1)?;
        self.clipboard.copy_picture(&picture)?;
        let panel = picture_name(session, export::focused(session));
        Ok(Notice::CopiedPicture { panel, size: picture.size() })
    }

    /// The commands that render the visible panels and make their figure.
    ///
    /// # Errors
    /// If an image has no source, or if a picture is too large.
    pub(in crate::app) fn commands(
        &self,
        session: &Session,
        copy: &FigureCopy<'_>,
    ) -> Result<Vec<String>, ExportError> {
        export::commands(session, &self.sources, copy)
    }

    /// Copies `commands` to the clipboard.
    ///
    /// # Errors
    /// If there are none, or the clipboard does not accept the text.
    pub(in crate::app) fn copy_commands(
        &mut self,
        commands: Result<Vec<String>, ExportError>,
    ) -> Result<Notice, DocumentError> {
        let commands = commands?;
        self.clipboard.copy_text(&commands.join("\n"))?;
        Ok(Notice::CopiedCommands(commands.len()))
    }

    /// The file that the clipboard names. A picture in the clipboard is written to a new file first.
    ///
    /// # Errors
    /// If the clipboard holds neither, or the picture cannot be written.
    pub(in crate::app) fn paste(&mut self) -> Result<PathBuf, DocumentError> {
        match self.clipboard.paste()? {
            Pasted::File(path) => Ok(path),
            Pasted::Picture(raster) => {
                let folder = self.paths.as_ref().map_or_else(std::env::temp_dir, |paths| paths.pasted.clone());
                std::fs::create_dir_all(&folder)
                    .map_err(|cause| DocumentError::PasteFolder { folder: folder.clone(), cause })?;
                let is_free = |number: &u32| !folder.join(format!("pasted-{number}.png")).exists();
                let number = (1..).find(is_free).unwrap_or_default();
                let file = folder.join(format!("pasted-{number}.png"));
                image::save(&file, &raster)?;
                Ok(file)
            }
        }
    }

    /// Writes the session to `file`, with the unit of displayed values and with paths relative to the file.
    ///
    /// # Errors
    /// If an image has no source, or the file cannot be written.
    pub(in crate::app) fn save_session(
        &mut self,
        session: &Session,
        unit: Unit,
        file: &Path,
    ) -> Result<Notice, DocumentError> {
        let saved = SavedSession {
            unit: Some(unit),
            ..SavedSession::of(session, &self.sources).map_err(SessionFileError::from)?
        };
        saved.relative_to(file).save(file)?;
        self.export_folder = file.parent().map(Path::to_owned);
        Ok(Notice::SavedSession(file.to_owned()))
    }

    fn write_session(&self, session: &Session, file: &Path) -> Result<(), SessionFileError> {
        SavedSession::of(session, &self.sources)?.save(file)
    }

    /// Schedules a save of the recovery session.
    pub(in crate::app) fn schedule_recovery(&mut self, session: &Session) {
        if let Some(recovery) = &mut self.recovery {
            recovery.schedule(SavedSession::of(session, &self.sources));
        }
    }

    /// Saves the session for the next window and removes the recovery session. If the save fails, the recovery session is
    /// kept. To be called when the window closes in order.
    pub(in crate::app) fn keep_session(&mut self, session: &Session) {
        let Some(paths) = &self.paths else {
            return;
        };
        match self.write_session(session, &paths.session) {
            Ok(()) => drop(self.recovery.take().map(Recovery::remove)),
            Err(error) => log::warn!("the session is not kept: {error}"),
        }
    }
}

/// The folder in which a shell started the program.
fn start_folder() -> Option<PathBuf> {
    let home = directories::UserDirs::new().map(|folders| folders.home_dir().to_owned());
    std::env::current_dir().ok().filter(|folder| is_chosen(folder, home.as_deref()))
}

/// Whether a working folder was chosen by who started the program: desktops start programs in the root or in the home folder.
fn is_chosen(folder: &Path, home: Option<&Path>) -> bool {
    folder.parent().is_some() && Some(folder) != home
}

/// The user's folder of pictures, else the home folder.
fn pictures_folder() -> Option<PathBuf> {
    let folders = directories::UserDirs::new()?;
    Some(folders.picture_dir().filter(|folder| folder.is_dir()).unwrap_or(folders.home_dir()).to_owned())
}

/// An RGB raster of a screenshot; `None` without pixels.
pub(in crate::app) fn raster_of(picture: &egui::ColorImage) -> Option<image::Raster> {
    let side = |side: usize| u32::try_from(side).ok();
    let size = image::Size::new(side(picture.width())?, side(picture.height())?).ok()?;
    let values = picture.pixels.iter().flat_map(|pixel| [pixel.r(), pixel.g(), pixel.b()]).collect();
    image::Raster::new(size, Channels::Rgb, image::Samples::U8 { values, maxval: 255 }).ok()
}

/// Name of the picture in `area`: of its panel with its number, or of both panels.
fn picture_name(session: &Session, area: PanelArea) -> String {
    let name = |index: usize| session.panel_name(index).numbered();
    match area {
        PanelArea::Panel(panel) | PanelArea::Flipped { shows: panel, .. } => name(panel),
        PanelArea::Wipe([first, second]) => format!("{} and {}", name(first), name(second)),
        PanelArea::Difference([first, second]) => format!("{} minus {}", name(first), name(second)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_in_which_desktops_start_programs_are_not_chosen() {
        let home = Path::new("/home/user");
        assert!(is_chosen(Path::new("/home/user/photos"), Some(home)) && is_chosen(Path::new("/data"), None));
        assert!(!is_chosen(home, Some(home)) && !is_chosen(Path::new("/"), Some(home)));
    }
}
