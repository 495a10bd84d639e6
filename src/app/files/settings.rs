//! What the program remembers from one day to the next, in a TOML file that a person may edit.

use std::path::{Path, PathBuf};

use egui::ThemePreference;
use serde::{Deserialize, Serialize};
use toml_edit::{Array, DocumentMut, value};

use super::fields::Fields;
use crate::app::commands::{Chord, Keymap};
use crate::app::session::preferences::{Preferences, WHEEL_DEVICES, WheelDevice};
use crate::app::session::unit::{UNITS, Unit};
use crate::arguments::listed;
use crate::files;
use crate::files::ReadTextError;
use crate::text::shortened;

/// The colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ThemeChoice {
    /// As the desktop has them.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// What is remembered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// The colours.
    pub theme: ThemeChoice,
    /// Wheel device, unit and reduced motion.
    pub preferences: Preferences,
    /// How large letters are.
    pub text_scale: TextScale,
    /// Whether a window without files goes on where the last one ended.
    pub restore_session: bool,
    /// The files opened last, the last first.
    pub recent: Vec<PathBuf>,
    /// The keys.
    pub keys: Keymap,
}

/// How large letters and controls are, 1 as the system has them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextScale(f32);

impl Default for TextScale {
    fn default() -> Self {
        Self(1.0)
    }
}

impl TextScale {
    /// The sizes that are offered, with their names.
    pub(in crate::app) const CHOICES: [(Self, &'static str); 4] =
        [(Self(1.0), "100 %"), (Self(1.25), "125 %"), (Self(1.5), "150 %"), (Self(2.0), "200 %")];

    /// So large; `None` where nobody could read it.
    pub fn new(scale: f32) -> Option<Self> {
        (0.5..=4.0).contains(&scale).then_some(Self(scale))
    }

    /// The factor.
    pub fn factor(self) -> f32 {
        self.0
    }
}

impl ThemeChoice {
    /// As egui calls it.
    pub(in crate::app) fn preference(self) -> ThemePreference {
        match self {
            Self::System => ThemePreference::System,
            Self::Light => ThemePreference::Light,
            Self::Dark => ThemePreference::Dark,
        }
    }
}

impl Settings {
    /// Files that are remembered.
    const MOST_RECENT: usize = 20;

    /// The settings in `text`, which messages call `file`, and what is wrong there: each such key keeps its default.
    pub fn parse(text: &str, file: &str) -> (Self, Vec<String>) {
        let (mut settings, mut problems) = (Self::default(), Vec::new());
        let mut fields = match Fields::parse(text, file) {
            Ok(fields) => fields,
            Err(problem) => return (settings, vec![problem]),
        };
        let mut report = |problem: String| problems.push(problem);
        settings.theme = taken(fields.take("theme"), &mut report).unwrap_or_default();
        settings.preferences.wheel = taken(fields.take_text("wheel", wheel), &mut report).unwrap_or_default();
        settings.preferences.unit = taken(fields.take_text("unit", unit), &mut report).unwrap_or_default();
        let text_scale = fields.take("text-scale").and_then(|scale: Option<f32>| {
            let wrong = |scale: f32| fields.wrong("text-scale", &format!("it is between 0.5 and 4, not {scale}"));
            scale.map(|scale| TextScale::new(scale).ok_or_else(|| wrong(scale))).transpose()
        });
        settings.text_scale = taken(text_scale, &mut report).unwrap_or_default();
        settings.preferences.reduced_motion = taken(fields.take("reduced-motion"), &mut report).unwrap_or_default();
        settings.restore_session = taken(fields.take("restore-session"), &mut report).unwrap_or_default();
        settings.recent = taken(fields.take("recent"), &mut report).unwrap_or_default();
        if let Some(mut keys) = taken(fields.take_table("keys"), &mut report) {
            for id in keys.keys() {
                let chords = keys.take::<OneOrMore>(&id).and_then(|texts| {
                    let chords: Result<Vec<Chord>, String> =
                        texts.unwrap_or_default().iter().map(|text| text.parse()).collect();
                    chords
                        .and_then(|chords| settings.keys.change(&id, chords).map_err(|error| error.to_string()))
                        .map_err(|cause| keys.wrong(&id, &cause))
                });
                taken(chords.map(Some), &mut report);
            }
        }
        fields.finish();
        (settings, problems)
    }

    /// `text` with these settings in it; comments, keys and what is unknown stay as they are.
    ///
    /// # Errors
    /// Where `text` is no TOML: it is somebody's work, and stays.
    pub fn written_into(&self, text: &str) -> Result<String, String> {
        let mut document: DocumentMut = text.parse().map_err(|_| "it is no TOML and is left as it is".to_owned())?;
        let name = |choice: Result<toml::Value, _>| choice.ok().and_then(|name| name.as_str().map(str::to_owned));
        document["theme"] = value(name(toml::Value::try_from(self.theme)).unwrap_or_default());
        document["wheel"] = value(wheel_name(self.preferences.wheel));
        document["unit"] = value(self.preferences.unit.row().name);
        document["text-scale"] = value(f64::from(self.text_scale.0));
        document["reduced-motion"] = value(self.preferences.reduced_motion);
        document["restore-session"] = value(self.restore_session);
        let recent: Array = self.recent.iter().filter_map(|path| path.to_str()).collect();
        document["recent"] = value(recent);
        Ok(document.to_string())
    }

    /// Puts `path` first among the files opened last.
    pub(in crate::app) fn remember(&mut self, path: &Path) {
        self.recent.retain(|earlier| earlier != path);
        self.recent.insert(0, path.to_owned());
        self.recent.truncate(Self::MOST_RECENT);
    }
}

fn wheel_name(wheel: WheelDevice) -> String {
    WHEEL_DEVICES.iter().find(|(known, _)| *known == wheel).map_or_else(String::new, |(_, title)| title.to_lowercase())
}

fn wheel(name: &str) -> Result<WheelDevice, String> {
    let found = WHEEL_DEVICES.iter().find(|(known, _)| wheel_name(*known) == name).map(|(wheel, _)| *wheel);
    found.ok_or_else(|| format!("'{}' is none of auto, mouse and trackpad", shortened(name)))
}

fn unit(name: &str) -> Result<Unit, String> {
    let names = || listed(UNITS.iter().map(|row| row.name));
    UNITS
        .iter()
        .find(|row| row.name == name)
        .map(|row| row.unit)
        .ok_or_else(|| format!("'{}' is none of {}", shortened(name), names()))
}

/// One key or several.
#[derive(Deserialize)]
#[serde(untagged, expecting = "a key or a list of keys")]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

impl Default for OneOrMore {
    fn default() -> Self {
        Self::More(Vec::new())
    }
}

impl OneOrMore {
    fn iter(&self) -> std::slice::Iter<'_, String> {
        match self {
            Self::One(one) => std::slice::from_ref(one).iter(),
            Self::More(more) => more.iter(),
        }
    }
}

fn taken<T>(value: Result<Option<T>, String>, report: &mut impl FnMut(String)) -> Option<T> {
    value.unwrap_or_else(|problem| {
        report(problem);
        None
    })
}

/// Where the program keeps what it remembers; `None` where the system has no such place.
#[derive(Clone, Debug)]
pub struct Places {
    /// The settings.
    pub settings: PathBuf,
    /// The session that was shown last.
    pub session: PathBuf,
    /// Pictures that were pasted.
    pub pasted: PathBuf,
}

impl Places {
    /// The folder of recovery sessions: what is shown, saved while a window runs, a file for each window.
    pub fn recovery(&self) -> PathBuf {
        self.session.with_file_name("recovery")
    }

    /// The places that the system names for such files.
    pub fn of_system() -> Option<Self> {
        let folders = directories::ProjectDirs::from("", "", "lerpscope")?;
        Some(Self {
            settings: folders.config_dir().join("settings.toml"),
            session: folders.data_local_dir().join("session.toml"),
            pasted: folders.data_local_dir().join("pasted"),
        })
    }
}

/// The text of `file`; empty where there is none yet.
///
/// # Errors
/// Where it cannot be read or is longer than 1 MiB, in one line.
pub(in crate::app) fn read_text(file: &Path) -> Result<String, String> {
    match files::read_text(file) {
        Err(ReadTextError::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        other => other.map_err(|error| format!("{}: {error}", file.display())),
    }
}

/// Writes `text` as `file`, in a folder that is made where it is missing, by [`files::write`].
///
/// # Errors
/// Where that fails, in one line.
pub(in crate::app) fn write_text(file: &Path, text: &str) -> Result<(), String> {
    let write = || {
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder)?;
        }
        files::write(file, |out| out.write_all(text.as_bytes()))
    };
    write().map_err(|error: std::io::Error| format!("{}: {error}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::commands::Command;

    #[test]
    fn what_is_wrong_keeps_its_default_and_is_named() {
        let text = "theme = 'purple'\nwheel = 'mouse'\ntext-scale = 9\nfuture = 1\n[keys]\nfit = 'Ctrl+J'\nquit = ['Alt+K']\nfly = 'F'";
        let (settings, problems) = Settings::parse(text, "s.toml");
        assert_eq!((settings.theme, settings.preferences.wheel), (ThemeChoice::System, WheelDevice::Mouse));
        assert_eq!(problems.len(), 4, "{problems:?}");
        assert!(problems[1].starts_with("s.toml: text-scale: it is between"), "{problems:?}");
        assert!(problems[0].starts_with("s.toml: theme: "), "{problems:?}");
        assert!(problems.iter().any(|problem| problem.starts_with("s.toml: keys: quit: 'Alt+K'")), "{problems:?}");
        assert_eq!(settings.keys.of(Command::Fit)[0].to_string(), "Ctrl+J");
        assert_eq!(settings.keys.of(Command::Quit), Keymap::default().of(Command::Quit));
    }

    #[test]
    fn values_of_settings_are_cut_in_messages() {
        let long = "x".repeat(10_000);
        let keys = ["theme", "wheel", "unit", "text-scale", "reduced-motion", "restore-session", "recent", "keys.fit"];
        let mut text: String = keys.iter().map(|key| format!("{key} = '{long}'\n")).collect();
        text += &format!("keys.{long} = 'F'\nkeys.quit = 7\n");
        let (_, mut problems) = Settings::parse(&text, "s.toml");
        assert_eq!(problems.len(), keys.len() + 2, "{problems:?}");
        problems.extend(Settings::parse(&format!("{text}{long}"), "s.toml").1);
        for problem in problems {
            assert!(problem.len() <= 300 && problem.starts_with("s.toml: "), "{problem:.400}");
            assert!(!problem.contains(&"x".repeat(41)), "{problem}");
        }
    }

    #[test]
    fn settings_are_written_into_a_persons_file_and_read_back() {
        let mut settings = Settings {
            theme: ThemeChoice::Dark,
            text_scale: TextScale(1.5),
            preferences: Preferences { reduced_motion: true, ..Preferences::default() },
            ..Settings::default()
        };
        settings.remember(Path::new("/b.pgm"));
        settings.remember(Path::new("/a.pgm"));
        settings.remember(Path::new("/b.pgm"));
        let text = settings.written_into("# mine\ntheme = 'light'\nfuture = 7\n").expect("TOML");
        assert!(text.starts_with("# mine\n") && text.contains("future = 7"), "{text}");
        assert_eq!(Settings::parse(&text, "s.toml"), (settings, Vec::new()));
        assert!(Settings::default().written_into("not toml").is_err());
    }

    /// Settings with every field off its default; a field that is added and forgotten here does not compile.
    fn unusual() -> (Settings, &'static str) {
        let text = "[keys]\nfit = ['Ctrl+J', 'Ctrl+K']\nquit = []\n";
        let keys = Settings::parse(text, "s.toml").0.keys;
        let settings = Settings {
            theme: ThemeChoice::Light,
            preferences: Preferences {
                wheel: WheelDevice::Trackpad,
                unit: UNITS[UNITS.len() - 1].unit,
                reduced_motion: true,
            },
            text_scale: TextScale(1.25),
            restore_session: true,
            recent: vec![PathBuf::from("/b/c.pgm"), PathBuf::from("/a.pgm")],
            keys,
        };
        let usual = Settings::default();
        let Settings { theme, preferences, text_scale, restore_session, recent, keys } = &settings;
        let Preferences { wheel, unit, reduced_motion } = preferences;
        let plain = usual.preferences;
        assert!(*theme != usual.theme && *text_scale != usual.text_scale);
        assert!(*wheel != plain.wheel && *unit != plain.unit && *reduced_motion != plain.reduced_motion);
        assert!(*restore_session != usual.restore_session && *recent != usual.recent && *keys != usual.keys);
        (settings, text)
    }

    #[test]
    fn settings_with_every_field_off_its_default_are_read_back_equal() {
        let (settings, keys) = unusual();
        let text = settings.written_into(keys).expect("TOML");
        assert_eq!(Settings::parse(&text, "s.toml"), (settings, Vec::new()), "{text}");
        let table = |text: &str| text.parse::<toml::Table>().expect("TOML");
        let (written, usual) = (table(&text), table(&Settings::default().written_into("").expect("TOML")));
        for (key, value) in &usual {
            assert_ne!(written.get(key), Some(value), "{key} is written as its default");
        }
        assert_eq!(written.len(), usual.len() + 1, "the keys are the person's own: {text}");
    }

    #[test]
    fn every_choice_is_written_by_a_name_that_is_read_back() {
        let mut settings = Settings::default();
        for theme in [ThemeChoice::System, ThemeChoice::Light, ThemeChoice::Dark] {
            for (wheel, _) in WHEEL_DEVICES {
                for row in &UNITS {
                    (settings.theme, settings.preferences.wheel, settings.preferences.unit) = (theme, wheel, row.unit);
                    let text = settings.written_into("").expect("TOML");
                    assert_eq!(Settings::parse(&text, "s.toml"), (settings.clone(), Vec::new()), "{text}");
                }
            }
        }
    }
}
