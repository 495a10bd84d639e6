//! What is wrong with a lesson file.

use thiserror::Error;

/// A lesson file is invalid. The message is one line with the file, the line and the field.
#[derive(Clone, PartialEq, Eq, Error)]
#[error("{file}:{line}: {place}{}{cause}", if place.is_empty() { "" } else { ": " })]
pub struct LessonError {
    /// The file.
    pub file: String,
    /// Line in the file, from 1.
    pub line: usize,
    /// The field: `step 2: task 1: done`. Empty for an error of the TOML syntax.
    pub place: String,
    /// What is wrong with it.
    pub cause: String,
}

/// What is wrong with a field, without the file: [`LessonError`] adds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub line: usize,
    pub place: String,
    pub cause: String,
}

impl Fault {
    pub(super) fn new(line: usize, place: impl Into<String>, cause: impl std::fmt::Display) -> Self {
        Self { line, place: place.into(), cause: crate::text::one_line(&cause.to_string()) }
    }

    pub(super) fn in_file(self, file: &str) -> LessonError {
        let Self { line, place, cause } = self;
        LessonError { file: file.to_owned(), line, place, cause }
    }
}
