//! Errors of files of grids and points.

use std::path::Path;

use crate::grid::{GridError, VolumeError};
use crate::image::OpenError;
use crate::memory::MemoryError;
use crate::text::{one_line, shortened, system_message};

/// A file that holds no grid, no points or no knots, in one line.
#[derive(thiserror::Error)]
#[error("{}{cause}", if matches!(.cause, GridFileCause::Image(_)) { String::new() } else { format!("{file}: ") })]
pub struct GridFileError {
    /// The file, which the error of a picture names itself.
    pub file: String,
    /// What is wrong.
    pub cause: GridFileCause,
}

/// What is wrong with a file.
#[derive(thiserror::Error)]
pub enum GridFileCause {
    /// It cannot be opened, read or decompressed; the system's message.
    #[error("{0}")]
    Read(String),
    /// It cannot be written; the system's message.
    #[error("cannot be written: {0}")]
    Write(String),
    /// A folder, a device, a pipe.
    #[error("is no regular file")]
    Kind,
    /// The header is none of its format; the reader's message.
    #[error("is no {format} file: {message}")]
    Header {
        /// Name of the format.
        format: &'static str,
        /// The message.
        message: String,
    },
    /// The file ends before its last number.
    #[error("ends early: {needed} bytes of numbers are needed, {found} are there")]
    EndsEarly {
        /// Bytes by the header.
        needed: u64,
        /// Bytes found.
        found: u64,
    },
    /// Numbers of a type that is not read.
    #[error("has numbers of type '{}'; {known} are read", shortened(.found))]
    Type {
        /// The type.
        found: String,
        /// The known types.
        known: &'static str,
    },
    /// Pictures of one file that are no slices of a volume.
    #[error("image {page} has {found} samples, the first has {first}: slices of a grid are equal in size")]
    Slices {
        /// The image, from 1.
        page: usize,
        /// Its size.
        found: String,
        /// The size of the first.
        first: String,
    },
    /// Colour or alpha.
    #[error("has {0} channels; a grid has one value a sample")]
    Channels(usize),
    /// A line that is no row of numbers.
    #[error("line {line}: '{}' is no row of {columns} numbers", shortened(.text))]
    Row {
        /// The line, from 1.
        line: u64,
        /// Its text.
        text: String,
        /// Numbers of a row.
        columns: usize,
    },
    /// An array whose shape fits neither points nor knots.
    #[error("has shape {shape}; {wanted}")]
    Shape {
        /// The shape.
        shape: String,
        /// What is wanted.
        wanted: String,
    },
    /// Unknown extension.
    #[error("unknown extension; {0}")]
    Extension(&'static str),
    /// No number.
    #[error("is empty")]
    Empty,
    /// A grid that is impossible.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// The numbers do not fit the memory.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// An image that does not open. Its message names the file.
    #[error(transparent)]
    Image(#[from] OpenError),
    /// A text of a synthetic volume that is wrong.
    #[error(transparent)]
    Formula(#[from] VolumeError),
}

impl GridFileError {
    /// The error of `path`.
    pub(super) fn of(path: &Path, cause: impl Into<GridFileCause>) -> Self {
        Self { file: one_line(&path.display().to_string()), cause: cause.into() }
    }
}

impl From<std::io::Error> for GridFileCause {
    fn from(error: std::io::Error) -> Self {
        Self::Read(system_message(&error))
    }
}
