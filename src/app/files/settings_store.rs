//! The settings in force, and their file.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::fields::FieldError;
use super::settings::{NotTomlError, Settings};
use super::text_file::{TextFileError, read_text, write_text};
use crate::app::widgets::theme::ANIMATION_S;

/// Why settings were not read or written.
#[derive(Debug, Error)]
pub(in crate::app) enum SettingsError {
    /// The file cannot be read or written.
    #[error(transparent)]
    File(#[from] TextFileError),
    /// A value is invalid and keeps its default.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// The file is not TOML.
    #[error("{}: {cause}", file.display())]
    NotToml {
        /// The file.
        file: PathBuf,
        /// The reason.
        #[source]
        cause: NotTomlError,
    },
}

/// Owner of the settings. A change takes effect and is written to the file by [`SettingsStore::apply_changes`].
#[derive(Debug)]
pub(in crate::app) struct SettingsStore {
    /// The settings, as the user sets them.
    pub(in crate::app) current: Settings,
    /// The settings in force, which are those of the file.
    applied: Settings,
    /// The file; without one the settings last as long as the window.
    file: Option<PathBuf>,
}

impl SettingsStore {
    /// Default settings without a file.
    pub(in crate::app) fn new(ctx: &egui::Context) -> Self {
        let store = Self { current: Settings::default(), applied: Settings::default(), file: None };
        store.current.keys.install(ctx);
        store
    }

    /// Reads the settings from `file` and keeps them there. Returns the errors; an invalid value keeps its default.
    pub(in crate::app) fn load(&mut self, ctx: &egui::Context, file: &Path) -> Vec<SettingsError> {
        let (settings, errors) = match read_text(file) {
            Ok(text) => {
                let (settings, errors) = Settings::parse(&text, &file.display().to_string());
                (settings, errors.into_iter().map(SettingsError::from).collect())
            }
            Err(error) => (Settings::default(), vec![error.into()]),
        };
        self.file = Some(file.to_owned());
        self.applied = settings.clone();
        self.current = settings;
        self.apply(ctx);
        errors
    }

    /// The settings file.
    pub(in crate::app) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Puts changed settings into force and writes them to the file.
    ///
    /// # Errors
    /// If the file cannot be written or is not TOML.
    pub(in crate::app) fn apply_changes(&mut self, ctx: &egui::Context) -> Result<(), SettingsError> {
        if self.current == self.applied {
            return Ok(());
        }
        self.apply(ctx);
        self.applied = self.current.clone();
        let Some(file) = &self.file else {
            return Ok(());
        };
        let text = read_text(file)?;
        let text =
            self.current.written_into(&text).map_err(|cause| SettingsError::NotToml { file: file.clone(), cause })?;
        Ok(write_text(file, &text)?)
    }

    fn apply(&self, ctx: &egui::Context) {
        self.current.keys.install(ctx);
        ctx.set_theme(self.current.theme.preference());
        let animation_s = if self.current.preferences.reduced_motion { 0.0 } else { ANIMATION_S };
        ctx.all_styles_mut(|style| style.animation_time = animation_s);
    }

    /// Scales text and controls by the setting and by `factor`.
    pub(in crate::app) fn apply_text_scale(&self, ctx: &egui::Context, factor: f32) {
        ctx.set_zoom_factor(self.current.text_scale.factor() * factor);
    }
}
