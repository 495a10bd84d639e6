//! The lessons that can be opened: those of the program, and a file or a folder of the user's own.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use crate::files::{ReadTextError, read_text};
use crate::lesson::{EmbeddedLesson, Lesson, LessonError, embedded};

/// Extension of lesson files.
const EXTENSION: &str = "toml";
/// Most lessons of a folder.
const MOST_FILES: usize = 200;

/// A lesson on the shelf, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::app) enum LessonId {
    /// A lesson of the program, by its index.
    Embedded(usize),
    /// A lesson of the user, by its index.
    Own(usize),
}

/// Why a lesson was not opened.
#[derive(Debug, Error)]
pub(in crate::app) enum OpenLessonError {
    /// The file or folder cannot be read.
    #[error("{}: {cause}", file.display())]
    Read {
        /// The file or folder.
        file: PathBuf,
        /// The reason.
        #[source]
        cause: ReadTextError,
    },
    /// The lesson is invalid.
    #[error(transparent)]
    Lesson(#[from] LessonError),
    /// The folder has no lessons.
    #[error("{}: the folder has no lesson; a lesson is a file that ends in .toml", .0.display())]
    EmptyFolder(PathBuf),
    /// There is neither a lesson of the program nor a file of this name.
    #[error("there is no lesson and no file '{}'", crate::text::shortened(&.0.to_string_lossy()))]
    Unknown(PathBuf),
}

/// A lesson of the user.
#[derive(Debug)]
pub(in crate::app) struct OwnLesson {
    /// Its file.
    pub(in crate::app) file: PathBuf,
    /// The last version without an error; `None` before the first.
    pub(in crate::app) lesson: Option<Arc<Lesson>>,
    /// What is wrong with the file now.
    pub(in crate::app) error: Option<OpenLessonError>,
}

impl OwnLesson {
    /// Reads the file again. A version with an error leaves the last good one.
    fn read(&mut self) {
        match open(&self.file) {
            Ok(lesson) => (self.lesson, self.error) = (Some(Arc::new(lesson)), None),
            Err(error) => self.error = Some(error),
        }
    }
}

/// The lessons of the user.
#[derive(Debug, Default)]
pub(in crate::app) struct Shelf {
    own: Vec<OwnLesson>,
}

impl Shelf {
    /// The lessons of the user.
    pub(in crate::app) fn own(&self) -> &[OwnLesson] {
        &self.own
    }

    /// The lesson with this id; `None` if it has no version without an error.
    pub(in crate::app) fn lesson(&self, id: LessonId) -> Option<Arc<Lesson>> {
        match id {
            LessonId::Embedded(index) => embedded().get(index).map(|embedded| Arc::clone(&embedded.lesson)),
            LessonId::Own(index) => self.own.get(index)?.lesson.clone(),
        }
    }

    /// What is wrong with the lesson's file now.
    pub(in crate::app) fn error(&self, id: LessonId) -> Option<&OpenLessonError> {
        match id {
            LessonId::Embedded(_) => None,
            LessonId::Own(index) => self.own.get(index)?.error.as_ref(),
        }
    }

    /// The name under which the progress of a lesson is kept: that of the program's lesson, or the path of a file.
    pub(in crate::app) fn name(&self, id: LessonId) -> String {
        match id {
            LessonId::Embedded(index) => {
                embedded().get(index).map_or(String::new(), |embedded| embedded.name.to_owned())
            }
            LessonId::Own(index) => self.own.get(index).map_or(String::new(), |own| own.file.display().to_string()),
        }
    }

    /// Folder of the files that the lesson names.
    pub(in crate::app) fn folder(&self, id: LessonId) -> PathBuf {
        match id {
            LessonId::Embedded(_) => PathBuf::new(),
            LessonId::Own(index) => {
                self.own.get(index).and_then(|own| own.file.parent()).map(Path::to_owned).unwrap_or_default()
            }
        }
    }

    /// The lesson with this name.
    pub(in crate::app) fn by_name(&self, name: &str) -> Option<LessonId> {
        let known = (0..embedded().len()).map(LessonId::Embedded).chain((0..self.own.len()).map(LessonId::Own));
        known.into_iter().find(|id| self.name(*id) == name)
    }

    /// Opens the lesson of the program with the name `path`, or the file or folder `path`. Lessons of the user that were opened before
    /// remain.
    ///
    /// # Errors
    /// If there is none, or the lesson of a file is invalid. A folder's lessons are listed with their errors.
    pub(in crate::app) fn open(&mut self, path: &Path) -> Result<LessonId, OpenLessonError> {
        let named = path.to_str().and_then(EmbeddedLesson::by_name);
        let named = named.and_then(|named| embedded().iter().position(|embedded| embedded.name == named.name));
        if let (Some(index), false) = (named, path.exists()) {
            return Ok(LessonId::Embedded(index));
        }
        if !path.exists() {
            return Err(OpenLessonError::Unknown(path.to_owned()));
        }
        let files = if path.is_dir() { files_of(path)? } else { vec![path.to_owned()] };
        let is_folder = path.is_dir();
        let mut first = None;
        for file in files {
            let file = std::path::absolute(&file).unwrap_or(file);
            let index = self.own.iter().position(|own| own.file == file);
            let index = index.unwrap_or_else(|| {
                self.own.push(OwnLesson { file, lesson: None, error: None });
                self.own.len() - 1
            });
            self.own[index].read();
            if self.own[index].lesson.is_none() && !is_folder {
                let failed = self.own.remove(index);
                return Err(failed.error.unwrap_or_else(|| OpenLessonError::Unknown(path.to_owned())));
            }
            first = first.or(self.own[index].lesson.is_some().then_some(index));
        }
        first.map(LessonId::Own).ok_or_else(|| OpenLessonError::EmptyFolder(path.to_owned()))
    }

    /// The files of the lessons of the user.
    pub(in crate::app) fn files(&self) -> Vec<PathBuf> {
        self.own.iter().map(|own| own.file.clone()).collect()
    }

    /// Reads a file that changed. Returns the id of its lesson.
    pub(in crate::app) fn reload(&mut self, file: &Path) -> Option<LessonId> {
        let index = self.own.iter().position(|own| own.file == file)?;
        self.own[index].read();
        Some(LessonId::Own(index))
    }
}

/// Whether `path` is a lesson's file or a folder of lessons, by its name.
pub(in crate::app) fn names_lesson(path: &Path) -> bool {
    if path.is_dir() {
        return files_of(path).is_ok();
    }
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(EXTENSION))
}

/// The lesson of `file`.
///
/// # Errors
/// If it cannot be read or is invalid.
fn open(file: &Path) -> Result<Lesson, OpenLessonError> {
    let text = read_text(file).map_err(|cause| OpenLessonError::Read { file: file.to_owned(), cause })?;
    let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
    Ok(Lesson::parse(&text, &crate::text::one_line(&name))?)
}

/// The lesson files of `folder`, by their names.
///
/// # Errors
/// If the folder cannot be listed or has none.
fn files_of(folder: &Path) -> Result<Vec<PathBuf>, OpenLessonError> {
    let wrong = |cause| OpenLessonError::Read { file: folder.to_owned(), cause: ReadTextError::Io(cause) };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(wrong)? {
        let path = entry.map_err(wrong)?.path();
        if path.extension().is_some_and(|extension| extension == EXTENSION) {
            files.push(path);
        }
    }
    files.sort_by(|a, b| natord::compare(&a.to_string_lossy(), &b.to_string_lossy()));
    files.truncate(MOST_FILES);
    if files.is_empty() { Err(OpenLessonError::EmptyFolder(folder.to_owned())) } else { Ok(files) }
}
