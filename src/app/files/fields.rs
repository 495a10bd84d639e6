//! Reader of a TOML table, key by key. A missing key keeps its default. A wrong value is an error that names the file and
//! the key. An unknown key is logged and ignored, so that a file of a later version opens.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use serde::de::DeserializeOwned;
use thiserror::Error;
use toml::{Table, Value};

use crate::arguments::listed;
use crate::text::{foreign_message, one_line, shortened};

/// A TOML file or one of its values is invalid. The message is one line that names the file.
#[derive(Clone, PartialEq, Eq, Error)]
pub enum FieldError {
    /// The text is not TOML.
    #[error("{file}: line {line}: {message}")]
    Syntax {
        /// The file.
        file: String,
        /// Line number, from 1.
        line: usize,
        /// Message of the TOML parser.
        message: String,
    },
    /// The value of a key is invalid.
    #[error("{place}: {key}: {cause}")]
    Value {
        /// The file and the table in it: `session.toml: panel 2`.
        place: String,
        /// The key.
        key: String,
        /// What is wrong with the value.
        cause: String,
    },
}

/// A name that is not in its list.
#[derive(Debug, Error)]
#[error("there is no {kind} '{name}'; there are {known}")]
pub(super) struct UnknownName {
    kind: &'static str,
    name: String,
    known: String,
}

impl UnknownName {
    /// `name` is not among `known`, the names of all `kind`s. A long name is cut.
    pub(super) fn new<'a>(kind: &'static str, name: &str, known: impl Iterator<Item = &'a str>) -> Self {
        Self { kind, name: shortened(name).into_owned(), known: listed(known) }
    }
}

/// A TOML table with the keys that have not been read yet.
#[derive(Debug)]
pub(super) struct Fields {
    table: Table,
    /// The file and the table in it: `session.toml: panel 2`.
    place: String,
    /// The unknown keys of the file so far, each with its table.
    unknown: Rc<RefCell<Vec<String>>>,
    /// Whether unknown keys are logged.
    logs: bool,
}

impl Fields {
    /// Parses `text`, the contents of `file`.
    ///
    /// # Errors
    /// [`FieldError::Syntax`] if the text is not TOML.
    pub(super) fn parse(text: &str, file: &str) -> Result<Self, FieldError> {
        let table = text.parse::<Table>().map_err(|error| {
            let line = error.span().map_or(1, |span| text[..span.start.min(text.len())].matches('\n').count() + 1);
            FieldError::Syntax { file: file.to_owned(), line, message: foreign_message(error.message()) }
        })?;
        Ok(Self::of_table(table, file))
    }

    fn of_table(table: Table, place: &str) -> Self {
        Self { table, place: place.to_owned(), unknown: Rc::default(), logs: true }
    }

    /// The keys of `table`, which `place` names, for a reader that refuses unknown ones: they are not logged.
    pub(super) fn strict(table: Table, place: &str) -> Self {
        Self { logs: false, ..Self::of_table(table, place) }
    }

    /// The unknown keys of the whole file, as far as tables were finished.
    pub(super) fn unknown(&self) -> Rc<RefCell<Vec<String>>> {
        Rc::clone(&self.unknown)
    }

    /// Takes the value at `key`; `None` if the key is missing.
    ///
    /// # Errors
    /// [`FieldError::Value`] if the value is not a `T`.
    pub(super) fn take<T: DeserializeOwned>(&mut self, key: &str) -> Result<Option<T>, FieldError> {
        let value = self.table.remove(key);
        let read = |value: Value| {
            let wrong = |error: toml::de::Error| self.wrong(key, &foreign_message(&error.to_string()));
            value.try_into().map_err(wrong)
        };
        value.map(read).transpose()
    }

    /// Whether the value at `key` is a list.
    pub(super) fn has_list(&self, key: &str) -> bool {
        self.table.get(key).is_some_and(Value::is_array)
    }

    /// Takes the text at `key` and parses it.
    ///
    /// # Errors
    /// As [`Fields::take`]; [`FieldError::Value`] with the error of `parse`.
    pub(super) fn take_text<T, E: fmt::Display>(
        &mut self,
        key: &str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<Option<T>, FieldError> {
        let text: Option<String> = self.take(key)?;
        text.map(|text| parse(&text).map_err(|error| self.wrong(key, &error))).transpose()
    }

    /// Takes the table at `key`.
    ///
    /// # Errors
    /// [`FieldError::Value`] if the value is not a table.
    pub(super) fn take_table(&mut self, key: &str) -> Result<Option<Self>, FieldError> {
        let table: Option<Table> = self.take(key)?;
        let unknown = || Rc::clone(&self.unknown);
        Ok(table.map(|table| Self {
            table,
            place: format!("{}: {key}", self.place),
            unknown: unknown(),
            logs: self.logs,
        }))
    }

    /// Takes the array of tables at `key`; empty if the key is missing.
    ///
    /// # Errors
    /// [`FieldError::Value`] if the value is not an array of tables.
    pub(super) fn take_tables(&mut self, key: &str) -> Result<Vec<Self>, FieldError> {
        let tables: Vec<Table> = self.take(key)?.unwrap_or_default();
        let numbered = |(index, table)| Self {
            table,
            place: format!("{}: {key} {}", self.place, index + 1),
            unknown: Rc::clone(&self.unknown),
            logs: self.logs,
        };
        Ok(tables.into_iter().enumerate().map(numbered).collect())
    }

    /// The error for the value at `key`.
    pub(super) fn wrong(&self, key: &str, cause: &dyn fmt::Display) -> FieldError {
        FieldError::Value {
            place: self.place.clone(),
            key: shortened(key).into_owned(),
            cause: one_line(&cause.to_string()),
        }
    }

    /// The keys that have not been read yet, with their values.
    pub(super) fn into_table(self) -> Table {
        self.table
    }

    /// The keys that have not been read yet.
    pub(super) fn keys(&self) -> Vec<String> {
        self.table.keys().cloned().collect()
    }

    /// Logs the keys that have not been read.
    pub(super) fn finish(self) {
        for key in self.table.keys() {
            let problem = format!("{}: unknown key '{}'", self.place, shortened(key));
            if self.logs {
                log::warn!("{problem}");
            }
            self.unknown.borrow_mut().push(problem);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_name_a_wrong_value_and_keep_an_unknown_key() {
        let mut fields = Fields::parse("a = 1\nb = 'x'\nnew = true", "f.toml").expect("TOML");
        assert_eq!(fields.take::<u32>("a"), Ok(Some(1)));
        assert_eq!(fields.take::<u32>("missing"), Ok(None));
        let wrong = fields.take::<u32>("b").expect_err("no number").to_string();
        assert!(wrong.starts_with("f.toml: b: ") && !wrong.contains('\n'), "{wrong}");
        assert_eq!(fields.keys(), ["new"]);
        let mut fields = Fields::parse(r#""k\u001b[2J" = "x\u0007""#, "f.toml").expect("TOML");
        let escaped = fields.keys().remove(0);
        let wrong = |text: &str| -> Result<u32, String> { Err(format!("there is no '{text}'")) };
        let problem = fields.take_text(&escaped, wrong).expect_err("no number").to_string();
        assert_eq!(problem, "f.toml: k\u{fffd}[2J: there is no 'x '");
        let syntax = Fields::parse("a = 1\nb = = 2", "f.toml").expect_err("no TOML").to_string();
        assert!(syntax.starts_with("f.toml: line 2: "), "{syntax}");
    }
}
