//! The settings in force, and their file.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::fields::FieldError;
use super::settings::{NotTomlError, Settings};
use super::text_file::{TextFileError, read_text, write_text};
use crate::app::session::coordinates::Coordinates;
use crate::app::session::preferences::Preferences;
use crate::app::session::unit::Unit;
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
    /// The settings in force.
    applied: Settings,
    /// The settings that the file has.
    written: Settings,
    /// The file; without one the settings last as long as the window.
    file: Option<PathBuf>,
    /// The user's own values of what a lesson changes, while one runs. The file has these.
    own: Option<OwnPreferences>,
}

/// The preferences that a lesson changes.
#[derive(Clone, Copy, Debug)]
struct OwnPreferences {
    unit: Unit,
    coordinates: Coordinates,
}

impl SettingsStore {
    /// Default settings without a file.
    pub(in crate::app) fn new(ctx: &egui::Context) -> Self {
        let store = Self {
            current: Settings::default(),
            applied: Settings::default(),
            written: Settings::default(),
            file: None,
            own: None,
        };
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
        self.written = settings.clone();
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
        let kept = self.kept();
        let (Some(file), false) = (&self.file, kept == self.written) else {
            return Ok(());
        };
        self.written = kept;
        let text = read_text(file)?;
        let text =
            self.written.written_into(&text).map_err(|cause| SettingsError::NotToml { file: file.clone(), cause })?;
        Ok(write_text(file, &text)?)
    }

    /// Sets the preferences that lessons change aside. They stay in the file until [`SettingsStore::put_back`].
    pub(in crate::app) fn set_aside(&mut self) {
        let Preferences { unit, coordinates, .. } = self.current.preferences;
        self.own.get_or_insert(OwnPreferences { unit, coordinates });
    }

    /// Shows values in `unit`, or in the user's own where a step of a lesson has none.
    pub(in crate::app) fn show_unit(&mut self, unit: Option<Unit>) {
        let own = self.kept().preferences;
        let preferences = &mut self.current.preferences;
        (preferences.unit, preferences.coordinates) = (unit.unwrap_or(own.unit), own.coordinates);
    }

    /// Puts the preferences that were set aside in force again.
    pub(in crate::app) fn put_back(&mut self) {
        self.current = self.kept();
        self.own = None;
    }

    /// The settings as the file has them: the user's own.
    fn kept(&self) -> Settings {
        let mut kept = self.current.clone();
        if let Some(OwnPreferences { unit, coordinates }) = self.own {
            (kept.preferences.unit, kept.preferences.coordinates) = (unit, coordinates);
        }
        kept
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
