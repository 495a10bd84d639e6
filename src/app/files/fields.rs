//! A TOML table read key by key: what is missing keeps its default, what is wrong is named with its file, and what is
//! unknown is kept out of the way, so that a file of a later version still opens.

use serde::de::DeserializeOwned;
use toml::{Table, Value};

use crate::text::{foreign_message, one_line, shortened};

/// What is still to be read of a table.
#[derive(Debug)]
pub(in crate::app) struct Fields {
    table: Table,
    /// The file, and the place in it: `session.toml: panel 2`.
    place: String,
}

impl Fields {
    /// Reads `text`, which messages call `file`.
    ///
    /// # Errors
    /// Where it is no TOML, in one line.
    pub(in crate::app) fn parse(text: &str, file: &str) -> Result<Self, String> {
        let table = text.parse::<Table>().map_err(|error| {
            let line = error.span().map_or(1, |span| text[..span.start.min(text.len())].matches('\n').count() + 1);
            format!("{file}: line {line}: {}", foreign_message(error.message()))
        })?;
        Ok(Self { table, place: file.to_owned() })
    }

    /// What stands at `key`, if anything does.
    ///
    /// # Errors
    /// Where it is no `T`, in one line that names the file and the key.
    pub(in crate::app) fn take<T: DeserializeOwned>(&mut self, key: &str) -> Result<Option<T>, String> {
        let value = self.table.remove(key);
        let read = |value: Value| {
            let wrong = |error: toml::de::Error| self.wrong(key, &foreign_message(&error.to_string()));
            value.try_into().map_err(wrong)
        };
        value.map(read).transpose()
    }

    /// What stands at `key`, read by `parse` from its text.
    ///
    /// # Errors
    /// As [`Fields::take`], and what `parse` says.
    pub(in crate::app) fn take_text<T, E: std::fmt::Display>(
        &mut self,
        key: &str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<Option<T>, String> {
        let text: Option<String> = self.take(key)?;
        text.map(|text| parse(&text).map_err(|error| self.wrong(key, &error))).transpose()
    }

    /// The table at `key`, read key by key in its turn.
    ///
    /// # Errors
    /// Where no table stands there.
    pub(in crate::app) fn take_table(&mut self, key: &str) -> Result<Option<Self>, String> {
        let table: Option<Table> = self.take(key)?;
        Ok(table.map(|table| Self { table, place: format!("{}: {key}", self.place) }))
    }

    /// The tables of the list at `key`.
    ///
    /// # Errors
    /// Where something else stands there.
    pub(in crate::app) fn take_tables(&mut self, key: &str) -> Result<Vec<Self>, String> {
        let tables: Vec<Table> = self.take(key)?.unwrap_or_default();
        let numbered = |(index, table)| Self { table, place: format!("{}: {key} {}", self.place, index + 1) };
        Ok(tables.into_iter().enumerate().map(numbered).collect())
    }

    /// What is wrong with the value at `key`.
    pub(in crate::app) fn wrong(&self, key: &str, cause: &dyn std::fmt::Display) -> String {
        format!("{}: {}: {}", self.place, shortened(&printable(key)), one_line(&cause.to_string()))
    }

    /// The keys that are left.
    pub(in crate::app) fn keys(&self) -> Vec<String> {
        self.table.keys().cloned().collect()
    }

    /// Logs the keys that nobody asked for.
    pub(in crate::app) fn finish(self) {
        for key in self.table.keys() {
            log::warn!("{}: unknown key '{}'", self.place, shortened(&printable(key)));
        }
    }
}

/// A key without the control characters that a quoted one may have.
fn printable(key: &str) -> String {
    key.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_named_and_what_is_unknown_is_left() {
        let mut fields = Fields::parse("a = 1\nb = 'x'\nnew = true", "f.toml").expect("TOML");
        assert_eq!(fields.take::<u32>("a"), Ok(Some(1)));
        assert_eq!(fields.take::<u32>("missing"), Ok(None));
        let wrong = fields.take::<u32>("b").expect_err("no number");
        assert!(wrong.starts_with("f.toml: b: ") && !wrong.contains('\n'), "{wrong}");
        assert_eq!(fields.keys(), ["new"]);
        let mut fields = Fields::parse(r#""k\u001b[2J" = "x\u0007""#, "f.toml").expect("TOML");
        let escaped = fields.keys().remove(0);
        let wrong = |text: &str| -> Result<u32, String> { Err(format!("there is no '{text}'")) };
        let problem = fields.take_text(&escaped, wrong).expect_err("no number");
        assert_eq!(problem, "f.toml: k\u{fffd}[2J: there is no 'x '");
        assert!(Fields::parse("a = 1\nb = = 2", "f.toml").expect_err("no TOML").starts_with("f.toml: line 2: "));
    }
}
