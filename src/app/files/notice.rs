//! Results of file actions: a notice on success, an error on failure. Both become text only when they are shown.

use std::fmt;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::clipboard::ClipboardError;
use super::export::ExportError;
use super::folder::FolderError;
use super::lesson_state::StepError;
use super::session_file::SessionFileError;
use crate::image::{SaveError, Size};
use crate::plots::PlotFileError;
use crate::text::write_message;

/// What a successful file action tells the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::app) enum Notice {
    /// A picture was written to a file.
    SavedPicture {
        /// The file.
        file: PathBuf,
        /// Size of the picture.
        size: Size,
    },
    /// A plot was written to this file.
    SavedPlot(PathBuf),
    /// The session was written to this file.
    SavedSession(PathBuf),
    /// A picture was copied to the clipboard.
    CopiedPicture {
        /// The panel with its number, or both panels of a comparison.
        panel: String,
        /// Size of the picture.
        size: Size,
    },
    /// The session was copied as a step of a lesson.
    CopiedStep,
    /// This many commands were copied to the clipboard.
    CopiedCommands(usize),
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SavedPicture { file, size } => write!(f, "Saved {}, {size} pixels", file.display()),
            Self::SavedPlot(file) | Self::SavedSession(file) => write!(f, "Saved {}", file.display()),
            Self::CopiedPicture { panel, size } => write!(f, "Copied the picture of {panel}, {size} pixels"),
            Self::CopiedStep => f.write_str("Copied a step of a lesson: paste it into the lesson's file"),
            Self::CopiedCommands(1) => f.write_str("Copied one command"),
            Self::CopiedCommands(count) => write!(f, "Copied {count} commands, one per line"),
        }
    }
}

/// Why a file action failed.
#[derive(Debug, Error)]
pub(in crate::app) enum DocumentError {
    /// Clipboard access failed.
    #[error(transparent)]
    Clipboard(#[from] ClipboardError),
    /// A picture, a figure or its commands cannot be made.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// A folder cannot be listed.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A session cannot be a step of a lesson.
    #[error(transparent)]
    Step(#[from] StepError),
    /// A session cannot be saved.
    #[error(transparent)]
    Session(#[from] SessionFileError),
    /// A picture cannot be written.
    #[error(transparent)]
    Save(#[from] SaveError),
    /// A plot cannot be written.
    #[error(transparent)]
    Plot(#[from] PlotFileError),
    /// The open tool has nothing to plot, for this reason.
    #[error("{0}")]
    NoPlot(String),
    /// The folder of pasted pictures cannot be created.
    #[error("{}: cannot be created: {}", folder.display(), write_message(cause))]
    PasteFolder {
        /// The folder.
        folder: PathBuf,
        /// The reason.
        #[source]
        cause: io::Error,
    },
    /// The image was not opened from a file.
    #[error("{name} is not a file")]
    NotAFile {
        /// Name of the image.
        name: String,
    },
    /// The image's file is the only picture in its folder.
    #[error("There is no other picture in the folder")]
    NoNeighbour,
    /// The list of recent files is empty.
    #[error("No file was opened yet")]
    NoRecentFile,
}
