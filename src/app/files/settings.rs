//! Settings: a TOML file that users may edit.

use std::path::{Path, PathBuf};

use egui::ThemePreference;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use toml_edit::{Array, DocumentMut, value};

use super::drawer::DrawerHeight;
use super::fields::{FieldError, Fields, UnknownName};
use super::lesson_progress::LessonProgress;
use super::side_bar::{SIDE_SECTIONS, SIDE_TABS, SideBar, SideSection, SideTab};
use crate::app::commands::{Chord, Keymap};
use crate::app::session::coordinates::{COORDINATES, Coordinates};
use crate::app::session::preferences::{Preferences, WHEEL_DEVICES, WheelDevice};
use crate::app::session::unit::{UNITS, Unit};

/// Colour theme of the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ThemeChoice {
    /// The desktop's theme.
    #[default]
    System,
    /// Light theme.
    Light,
    /// Dark theme.
    Dark,
}

/// User settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// Colour theme.
    pub theme: ThemeChoice,
    /// Wheel device, unit of displayed values, reduced motion.
    pub preferences: Preferences,
    /// Size of text and controls.
    pub text_scale: TextScale,
    /// State of the side bar.
    pub side_bar: SideBar,
    /// Height of the drawer of the laboratory.
    pub drawer_height: DrawerHeight,
    /// A window opened without files restores the session of the previous window.
    pub restore_session: bool,
    /// Recently opened files, the newest first.
    pub recent: Vec<PathBuf>,
    /// What was seen and done in the lessons.
    pub lessons: LessonProgress,
    /// Key bindings.
    pub keys: Keymap,
}

/// Settings cannot be written into a text that is not TOML. The text is the user's work and is kept.
#[derive(Clone, Copy, PartialEq, Eq, Error)]
#[error("the file is not TOML and is left unchanged")]
pub struct NotTomlError;

/// Scale of text and controls; 1 is the system's size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextScale(f32);

impl Default for TextScale {
    fn default() -> Self {
        Self(1.0)
    }
}

impl TextScale {
    /// Scales that the settings dialog offers, with their labels.
    pub(in crate::app) const CHOICES: [(Self, &'static str); 4] =
        [(Self(1.0), "100 %"), (Self(1.25), "125 %"), (Self(1.5), "150 %"), (Self(2.0), "200 %")];

    /// A scale from 0.5 to 4; `None` outside this range.
    pub fn new(scale: f32) -> Option<Self> {
        (0.5..=4.0).contains(&scale).then_some(Self(scale))
    }

    /// The scale factor.
    pub fn factor(self) -> f32 {
        self.0
    }
}

impl ThemeChoice {
    /// The egui theme preference.
    pub(in crate::app) fn preference(self) -> ThemePreference {
        match self {
            Self::System => ThemePreference::System,
            Self::Light => ThemePreference::Light,
            Self::Dark => ThemePreference::Dark,
        }
    }
}

impl Settings {
    /// Maximum number of recent files.
    const MOST_RECENT: usize = 20;

    /// Parses `text`, the contents of `file`. Returns the settings and the errors; an invalid key keeps its default.
    pub fn parse(text: &str, file: &str) -> (Self, Vec<FieldError>) {
        let (mut settings, mut problems) = (Self::default(), Vec::new());
        let mut fields = match Fields::parse(text, file) {
            Ok(fields) => fields,
            Err(problem) => return (settings, vec![problem]),
        };
        let mut report = |problem: FieldError| problems.push(problem);
        settings.theme = taken(fields.take("theme"), &mut report).unwrap_or_default();
        settings.preferences.wheel = taken(fields.take_text("wheel", wheel), &mut report).unwrap_or_default();
        settings.preferences.unit = taken(fields.take_text("unit", unit), &mut report).unwrap_or_default();
        settings.preferences.coordinates =
            taken(fields.take_text("coordinates", coordinates), &mut report).unwrap_or_default();
        let text_scale = fields.take("text-scale").and_then(|scale: Option<f32>| {
            let wrong = |scale: f32| fields.wrong("text-scale", &format!("it is between 0.5 and 4, not {scale}"));
            scale.map(|scale| TextScale::new(scale).ok_or_else(|| wrong(scale))).transpose()
        });
        settings.text_scale = taken(text_scale, &mut report).unwrap_or_default();
        settings.preferences.reduced_motion = taken(fields.take("reduced-motion"), &mut report).unwrap_or_default();
        settings.preferences.has_insets = taken(fields.take("detail-insets"), &mut report).unwrap_or(true);
        settings.preferences.has_hint = taken(fields.take("hint"), &mut report).unwrap_or(true);
        settings.side_bar = side_bar(&mut fields, &mut report);
        let height = fields.take("drawer-height").and_then(|height: Option<f32>| {
            let (least, most) = DrawerHeight::RANGE;
            let wrong =
                |height| fields.wrong("drawer-height", &format!("it is between {least} and {most}, not {height}"));
            height.map(|height| DrawerHeight::new(height).ok_or_else(|| wrong(height))).transpose()
        });
        settings.drawer_height = taken(height, &mut report).unwrap_or_default();
        settings.restore_session = taken(fields.take("restore-session"), &mut report).unwrap_or_default();
        settings.recent = taken(fields.take("recent"), &mut report).unwrap_or_default();
        let lessons = LessonProgress::take(&mut fields).map(Some);
        settings.lessons = taken(lessons, &mut report).unwrap_or_default();
        if let Some(mut keys) = taken(fields.take_table("keys"), &mut report) {
            let mut assigned = Vec::new();
            for id in keys.keys() {
                let change = take_chords(&mut keys, &id).and_then(|chords| {
                    settings.keys.change(&id, chords.clone()).map_err(|cause| keys.wrong(&id, &cause))?;
                    Ok(chords)
                });
                match change {
                    Ok(chords) => assigned.push((id, chords)),
                    Err(problem) => report(problem),
                }
            }
            for conflict in Keymap::conflicts(&assigned) {
                report(keys.wrong(&conflict.id, &conflict));
            }
        }
        fields.finish();
        (settings, problems)
    }

    /// Writes the settings into `text`. Comments, key bindings and unknown keys are kept.
    ///
    /// # Errors
    /// If `text` is not TOML.
    pub fn written_into(&self, text: &str) -> Result<String, NotTomlError> {
        let mut document: DocumentMut = text.parse().map_err(|_| NotTomlError)?;
        let name = |choice: Result<toml::Value, _>| choice.ok().and_then(|name| name.as_str().map(str::to_owned));
        document["theme"] = value(name(toml::Value::try_from(self.theme)).unwrap_or_default());
        document["wheel"] = value(self.preferences.wheel.row().name);
        document["unit"] = value(self.preferences.unit.row().name);
        document["coordinates"] = value(self.preferences.coordinates.row().name);
        document["text-scale"] = value(f64::from(self.text_scale.0));
        document["reduced-motion"] = value(self.preferences.reduced_motion);
        document["detail-insets"] = value(self.preferences.has_insets);
        document["hint"] = value(self.preferences.has_hint);
        document["side-bar"] = value(self.side_bar.is_shown);
        document["side-bar-width"] = value(f64::from(self.side_bar.width()));
        document["side-bar-tab"] = value(self.side_bar.tab.row().name);
        let folded = SIDE_SECTIONS.iter().filter(|row| self.side_bar.is_folded(row.section));
        document["folded-sections"] = value(folded.map(|row| row.name).collect::<Array>());
        document["drawer-height"] = value(f64::from(self.drawer_height.points()));
        document["restore-session"] = value(self.restore_session);
        let recent: Array = self.recent.iter().filter_map(|path| path.to_str()).collect();
        document["recent"] = value(recent);
        self.lessons.write(&mut document);
        Ok(document.to_string())
    }

    /// Puts `path` first among the recent files.
    pub(in crate::app) fn remember(&mut self, path: &Path) {
        self.recent.retain(|earlier| earlier != path);
        self.recent.insert(0, path.to_owned());
        self.recent.truncate(Self::MOST_RECENT);
    }
}

fn wheel(name: &str) -> Result<WheelDevice, UnknownName> {
    let names = WHEEL_DEVICES.iter().map(|row| row.name);
    WheelDevice::by_name(name).ok_or_else(|| UnknownName::new("wheel device", name, names))
}

fn coordinates(name: &str) -> Result<Coordinates, UnknownName> {
    let names = COORDINATES.iter().map(|row| row.name);
    Coordinates::by_name(name).ok_or_else(|| UnknownName::new("convention of coordinates", name, names))
}

fn unit(name: &str) -> Result<Unit, UnknownName> {
    Unit::by_name(name).ok_or_else(|| UnknownName::new("unit", name, UNITS.iter().map(|row| row.name)))
}

/// Takes the state of the side bar. An invalid value keeps its default.
fn side_bar(fields: &mut Fields, report: &mut impl FnMut(FieldError)) -> SideBar {
    let mut side_bar = SideBar::default();
    side_bar.is_shown = taken(fields.take("side-bar"), report).unwrap_or(side_bar.is_shown);
    let width = fields.take("side-bar-width").and_then(|width: Option<f32>| match width {
        Some(width) if !(SideBar::WIDTHS.0..=SideBar::WIDTHS.1).contains(&width) => {
            let (least, most) = SideBar::WIDTHS;
            Err(fields.wrong("side-bar-width", &format!("it is between {least} and {most}, not {width}")))
        }
        width => Ok(width),
    });
    side_bar.set_width(taken(width, report).unwrap_or(side_bar.width()));
    side_bar.tab = taken(fields.take_text("side-bar-tab", side_tab), report).unwrap_or_default();
    let folded = fields.take("folded-sections").and_then(|names: Option<Vec<String>>| {
        let section = |name: &String| side_section(name).map_err(|cause| fields.wrong("folded-sections", &cause));
        names.map(|names| names.iter().map(section).collect::<Result<Vec<_>, _>>()).transpose()
    });
    if let Some(folded) = taken(folded, report) {
        SIDE_SECTIONS.iter().for_each(|row| side_bar.fold(row.section, folded.contains(&row.section)));
    }
    side_bar
}

fn side_tab(name: &str) -> Result<SideTab, UnknownName> {
    SideTab::by_name(name).ok_or_else(|| UnknownName::new("tab", name, SIDE_TABS.iter().map(|row| row.name)))
}

fn side_section(name: &str) -> Result<SideSection, UnknownName> {
    let names = SIDE_SECTIONS.iter().map(|row| row.name);
    SideSection::by_name(name).ok_or_else(|| UnknownName::new("section", name, names))
}

/// Takes the chords at key `id`.
fn take_chords(keys: &mut Fields, id: &str) -> Result<Vec<Chord>, FieldError> {
    let texts: OneOrMore = keys.take(id)?.unwrap_or_default();
    let chord = |text: &String| text.parse::<Chord>().map_err(|cause| keys.wrong(id, &cause));
    texts.iter().map(chord).collect()
}

/// A chord or a list of chords.
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

/// The value; `None` after an error, which is reported.
fn taken<T>(value: Result<Option<T>, FieldError>, report: &mut impl FnMut(FieldError)) -> Option<T> {
    value.unwrap_or_else(|problem| {
        report(problem);
        None
    })
}

/// Paths of the program's own files.
#[derive(Clone, Debug)]
pub struct AppPaths {
    /// Settings file.
    pub settings: PathBuf,
    /// Session file of the previous window.
    pub session: PathBuf,
    /// Folder of pasted pictures.
    pub pasted: PathBuf,
}

impl AppPaths {
    /// Folder of the recovery sessions; each open window has its own file there.
    pub fn recovery(&self) -> PathBuf {
        self.session.with_file_name("recovery")
    }

    /// The paths by the conventions of the system; `None` if it names no such folders.
    pub fn of_system() -> Option<Self> {
        let folders = directories::ProjectDirs::from("", "", "lerpscope")?;
        Some(Self {
            settings: folders.config_dir().join("settings.toml"),
            session: folders.data_local_dir().join("session.toml"),
            pasted: folders.data_local_dir().join("pasted"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::lesson_progress::LessonMarks;
    use super::*;
    use crate::app::commands::Command;

    #[test]
    fn invalid_settings_keep_their_defaults_and_are_named() {
        let text = "theme = 'purple'\nwheel = 'mouse'\ntext-scale = 9\nfuture = 1\n[keys]\nfit = 'Ctrl+J'\nquit = ['Alt+K']\nfly = 'F'";
        let (settings, problems) = Settings::parse(text, "s.toml");
        assert_eq!((settings.theme, settings.preferences.wheel), (ThemeChoice::System, WheelDevice::Mouse));
        let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(problems.len(), 4, "{problems:?}");
        assert!(problems[1].starts_with("s.toml: text-scale: it is between"), "{problems:?}");
        assert!(problems[0].starts_with("s.toml: theme: "), "{problems:?}");
        assert!(problems.iter().any(|problem| problem.starts_with("s.toml: keys: quit: 'Alt+K'")), "{problems:?}");
        assert_eq!(settings.keys.of(Command::Fit)[0].to_string(), "Ctrl+J");
        assert_eq!(settings.keys.of(Command::Quit), Keymap::default().of(Command::Quit));
    }

    #[test]
    fn key_of_two_commands_is_reported_unless_the_other_gets_a_key_of_its_own() {
        let problems = |keys: &str| {
            let (_, problems) = Settings::parse(&format!("[keys]\n{keys}"), "s.toml");
            problems.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(
            problems("next-method = 'F'"),
            ["s.toml: keys: next-method: 'F' is taken from 'fit', which had it too"]
        );
        assert_eq!(problems("next-method = 'F'\nfit = 'K'"), [""; 0]);
        assert_eq!(
            problems("fit = 'Ctrl+J'\nquit = 'Ctrl+J'"),
            ["s.toml: keys: quit: 'Ctrl+J' is taken from 'fit', which had it too"]
        );
    }

    #[test]
    fn messages_about_settings_cut_long_values() {
        let long = "x".repeat(10_000);
        let keys = [
            "theme",
            "wheel",
            "unit",
            "coordinates",
            "text-scale",
            "reduced-motion",
            "side-bar",
            "side-bar-width",
            "side-bar-tab",
            "folded-sections",
            "drawer-height",
            "restore-session",
            "recent",
            "lessons.a.step",
            "keys.fit",
        ];
        let mut text: String = keys.iter().map(|key| format!("{key} = '{long}'\n")).collect();
        text += &format!("keys.{long} = 'F'\nkeys.quit = 7\n");
        let (_, mut problems) = Settings::parse(&text, "s.toml");
        assert_eq!(problems.len(), keys.len() + 2, "{problems:?}");
        problems.extend(Settings::parse(&format!("{text}{long}"), "s.toml").1);
        for problem in problems.iter().map(ToString::to_string) {
            assert!(problem.len() <= 300 && problem.starts_with("s.toml: "), "{problem:.400}");
            assert!(!problem.contains(&"x".repeat(41)), "{problem}");
        }
    }

    #[test]
    fn settings_written_into_a_users_file_are_read_back() {
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

    #[test]
    fn invalid_side_bar_settings_keep_their_defaults_and_are_named() {
        let text =
            "side-bar-width = 10\nside-bar-tab = 'nowhere'\nfolded-sections = ['values', 'x']\nside-bar = false\n";
        let (settings, problems) = Settings::parse(text, "s.toml");
        let mut expected = SideBar::default();
        expected.is_shown = false;
        assert_eq!(settings.side_bar, expected);
        let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
        for (problem, start) in problems.iter().zip([
            "s.toml: side-bar-width: it is between 240 and 480, not 10",
            "s.toml: side-bar-tab: ",
            "s.toml: folded-sections: ",
        ]) {
            assert!(problem.starts_with(start), "{problem}");
        }
        assert_eq!(problems.len(), 3, "{problems:?}");
    }

    /// Settings with every field off its default. A field that is missing here does not compile.
    fn unusual() -> (Settings, &'static str) {
        let text = "[keys]\nfit = ['Ctrl+J', 'Ctrl+K']\nquit = []\n";
        let keys = Settings::parse(text, "s.toml").0.keys;
        let mut side_bar = SideBar::default();
        (side_bar.is_shown, side_bar.tab) = (false, SideTab::Inspect);
        side_bar.set_width(300.0);
        side_bar.fold(SideSection::Values, true);
        let mut lessons = LessonProgress::default();
        lessons.last = Some("bilinear".to_owned());
        let marks =
            LessonMarks { step: 2, seen: [0, 2].into(), done: [(1, 0)].into(), answered: [(2, 0), (2, 11)].into() };
        *lessons.of_mut("bilinear") = marks.clone();
        *lessons.of_mut("/home/ada/a lesson.toml") = marks;
        let settings = Settings {
            theme: ThemeChoice::Light,
            preferences: Preferences {
                wheel: WheelDevice::Trackpad,
                unit: UNITS[UNITS.len() - 1].unit,
                coordinates: Coordinates::Normalized,
                reduced_motion: true,
                has_insets: false,
                has_hint: false,
            },
            text_scale: TextScale(1.25),
            side_bar,
            drawer_height: DrawerHeight::new(240.0).expect("in range"),
            restore_session: true,
            recent: vec![PathBuf::from("/b/c.pgm"), PathBuf::from("/a.pgm")],
            lessons,
            keys,
        };
        let usual = Settings::default();
        let Settings {
            theme,
            preferences,
            text_scale,
            side_bar,
            drawer_height,
            restore_session,
            recent,
            lessons,
            keys,
        } = &settings;
        let Preferences { wheel, unit, coordinates, reduced_motion, has_insets, has_hint } = preferences;
        let plain = usual.preferences;
        assert!(*theme != usual.theme && *text_scale != usual.text_scale);
        assert!(*wheel != plain.wheel && *unit != plain.unit && *reduced_motion != plain.reduced_motion);
        assert!(*coordinates != plain.coordinates && *has_insets != plain.has_insets);
        assert!(*has_hint != plain.has_hint);
        assert!(side_bar.is_shown != usual.side_bar.is_shown && side_bar.tab != usual.side_bar.tab);
        assert!(side_bar.width() != usual.side_bar.width() && side_bar.is_folded(SideSection::Values));
        assert!(*drawer_height != usual.drawer_height);
        assert!(
            *lessons != usual.lessons
                && *restore_session != usual.restore_session
                && *recent != usual.recent
                && *keys != usual.keys
        );
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
        let own: Vec<&String> = written.keys().filter(|key| !usual.contains_key(*key)).collect();
        assert_eq!(
            own,
            ["keys", "lesson", "lessons"],
            "the keys are the person's own, and no lesson was begun: {text}"
        );
    }

    #[test]
    fn setting_choices_are_written_by_names_that_are_parsed_back() {
        let mut settings = Settings::default();
        for theme in [ThemeChoice::System, ThemeChoice::Light, ThemeChoice::Dark] {
            for wheel in WHEEL_DEVICES.iter().map(|row| row.wheel) {
                for (row, convention) in UNITS.iter().zip(COORDINATES.iter().cycle()) {
                    settings.preferences.coordinates = convention.coordinates;
                    (settings.theme, settings.preferences.wheel, settings.preferences.unit) = (theme, wheel, row.unit);
                    let text = settings.written_into("").expect("TOML");
                    assert_eq!(Settings::parse(&text, "s.toml"), (settings.clone(), Vec::new()), "{text}");
                }
            }
        }
    }
}
