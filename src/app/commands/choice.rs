//! Choices: values of the focused panel, the view, the display and the window that menus and the palette set.

use super::menu_state::MenuState;
use super::notice::CommandNotice;
use super::setting::Setting;
use super::window_action::{FileAction, WindowAction};
use crate::app::session::coordinates::{COORDINATES, Coordinates};
use crate::app::session::inspect::DrawerTool;
use crate::app::session::preferences::Preferences;
use crate::app::session::unit::{UNITS, Unit};
use crate::app::session::{PanelMethod, Session, SetMethod as _};
use crate::arguments::{address_text, address_titles};
use crate::backend::{COLOUR_MAPS, ColourMap, Content, RequestError};
use crate::complex::{COMPLEX_SOURCES, COMPONENTS, ComplexFormula};
use crate::filter::{FILTERS, STAGES, Stage, Step};
use crate::grid::{VOLUMES, VolumeFormula, VolumeRow};
use crate::image::synth::SYNTHS;
use crate::image::{Formula, Size};
use crate::lesson::embedded;
use crate::plots::{PLOT_KINDS, PlotKind};
use crate::quality::{DECIMATIONS, Decimate, Decimation};
use crate::sampling::{
    ADDRESS_MODES, AddressMode, METHOD_FORMS, METHODS, Method, SAMPLING_PATHS, Sampler, SamplingPath,
};
use crate::text::{capitalized, number_text};
use crate::volume::{MAIN_PLANES, Orientation};

/// The usual factors of a decimation.
const DECIMATION_FACTORS: [u32; 4] = [2, 3, 4, 8];
/// Side of a test picture without a typed size, in samples.
const PICTURE_SIDE: u32 = 512;
/// Size of a test volume without a typed size, in samples.
pub(in crate::app) const VOLUME_SIZE: [u32; 3] = [64; 3];
/// Number of samples along x, y and z of a test volume that changes.
const CHANGING_SIZE: [u32; 3] = [48; 3];
/// Number of its times.
const CHANGING_TIMES: u32 = 12;

/// A value that a menu or the palette sets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Choice {
    /// The focused panel's method.
    Method(Method),
    /// The focused panel's address modes along x and y; `None` keeps the axis.
    Address([Option<AddressMode>; 2]),
    /// The focused panel's sampling path.
    Path(SamplingPath),
    /// Colours of grey values, and of the luminance of colours.
    ColourMap(ColourMap),
    /// Unit of displayed values.
    Unit(Unit),
    /// Convention of displayed positions.
    Coordinates(Coordinates),
    /// A step added to a chain of the focused panel.
    Filter(Stage, Step),
    /// A test picture to open.
    Picture(Formula),
    /// A synthetic volume to open.
    Volume(VolumeFormula),
    /// A complex image by its formula.
    Complex(ComplexFormula),
    /// A decimation of the focused panel's image to open.
    Decimate(Decimate),
    /// What the drawer plots, which opens.
    Plot(PlotKind),
    /// A number of the view, of the sampler or of the display.
    Setting(Setting),
    /// A lesson of the program to start, by its index.
    Lesson(usize),
}

impl Choice {
    /// All choices without a typed value: methods, address modes, sampling paths, colour maps, units,
    /// conventions of positions, plots, filters, test pictures.
    pub(in crate::app) fn all() -> Vec<Self> {
        let forms = METHOD_FORMS.iter().filter(|form| form.takes_none()).filter_map(|form| form.method(&[]).ok());
        let steps = |stage| {
            let rows = FILTERS.iter().filter(move |row| row.filter.serves(stage));
            rows.map(move |row| Self::Filter(stage, Step::default_of(row.filter)))
        };
        let mut all: Vec<Self> = METHODS.iter().map(|row| row.method).chain(forms).map(Self::Method).collect();
        for axes in [[true, true], [true, false], [false, true]] {
            all.extend(Self::addresses(axes));
        }
        all.extend(SAMPLING_PATHS.iter().map(|row| Self::Path(row.path)));
        all.extend(COLOUR_MAPS.iter().map(|row| Self::ColourMap(row.colour_map)));
        all.extend(UNITS.iter().map(|row| Self::Unit(row.unit)));
        all.extend(COORDINATES.iter().map(|row| Self::Coordinates(row.coordinates)));
        all.extend(PLOT_KINDS.iter().map(|row| Self::Plot(row.kind)));
        all.extend(STAGES.iter().flat_map(|row| steps(row.stage)));
        let side = Size::new(PICTURE_SIDE, PICTURE_SIDE);
        let picture = |size: Size| SYNTHS.iter().filter_map(move |row| Formula::new(row.synth, size).ok());
        all.extend(side.into_iter().flat_map(picture).map(Self::Picture));
        all.extend(VOLUMES.iter().filter_map(|row| VolumeFormula::new(row.volume, VOLUME_SIZE).ok()).map(Self::Volume));
        let changing = |row: &VolumeRow| VolumeFormula::with_times(row.volume, CHANGING_SIZE, CHANGING_TIMES).ok();
        all.extend(VOLUMES.iter().filter_map(changing).map(Self::Volume));
        let complex =
            |size: Size| COMPLEX_SOURCES.iter().filter_map(move |row| ComplexFormula::new(row.source, size).ok());
        all.extend(side.into_iter().flat_map(complex).map(Self::Complex));
        // Those by Lanczos are typed, or in the menu: the palette finds methods by that name.
        all.extend(Self::decimations().filter(|choice| choice.is_usual_decimation()));
        all.extend(Self::planes());
        all.extend(Self::components());
        all.extend((0..embedded().len()).map(Self::Lesson));
        all
    }

    /// The address modes along the `axes` that are set, x and y.
    pub(super) fn addresses(axes: [bool; 2]) -> impl Iterator<Item = Self> {
        ADDRESS_MODES.iter().map(move |row| Self::Address(axes.map(|is_set| is_set.then_some(row.address))))
    }

    /// The main planes of a volume.
    pub(super) fn planes() -> impl Iterator<Item = Self> {
        MAIN_PLANES.iter().map(|row| Self::Setting(Setting::Plane(Orientation::Main(row.plane))))
    }

    /// The components of complex numbers.
    pub(super) fn components() -> impl Iterator<Item = Self> {
        COMPONENTS.iter().map(|row| Self::Setting(Setting::Component(row.component)))
    }

    /// The usual decimations.
    pub(super) fn decimations() -> impl Iterator<Item = Self> {
        let by = |by| DECIMATION_FACTORS.map(|factor| Self::Decimate(Decimate { factor, by }));
        DECIMATIONS.iter().filter(|row| row.is_offered).flat_map(move |row| by(row.decimation))
    }

    /// Whether it is one of the decimations in [`Choice::all`].
    pub(super) fn is_usual_decimation(self) -> bool {
        let Self::Decimate(Decimate { factor, by }) = self else { return false };
        by == Decimation::default() && DECIMATION_FACTORS.contains(&factor)
    }

    /// Its title in a menu, below the name of its kind.
    pub(in crate::app) fn short_title(self) -> String {
        match self {
            Self::Method(method) => method_title(method),
            Self::Address([Some(x), Some(y)]) => address_titles([x, y]),
            Self::Address([x, y]) => x.or(y).map_or("", |address| address.row().title).to_owned(),
            Self::Path(path) => path.row().title.to_owned(),
            Self::ColourMap(map) => map.row().title.to_owned(),
            Self::Unit(unit) => unit.row().title.to_owned(),
            Self::Coordinates(coordinates) => coordinates.row().title.to_owned(),
            Self::Plot(kind) => kind.row().title.to_owned(),
            Self::Filter(stage, step) => {
                let title = step.filter().row().title;
                let values = step.to_string();
                let values = values.split_once('=').map_or(String::new(), |(_, values)| format!(" {values}"));
                format!("{title}{values}, {}", stage.row().title.to_lowercase())
            }
            Self::Decimate(Decimate { factor, by }) => format!("By {factor}, {}", by.row().title),
            Self::Picture(formula) => {
                format!("{}, {}", capitalized(&formula.synth().name().replace('-', " ")), formula.size())
            }
            Self::Volume(formula) => {
                let ([width, height, depth], times) = (formula.size(), formula.times());
                let times = if times > 1 { format!(", {times} times") } else { String::new() };
                format!("{}, {width}×{height}×{depth}{times}", formula.volume().row().title)
            }
            Self::Complex(formula) => format!("{}, {}", formula.source().row().title, formula.size()),
            Self::Setting(setting) => setting.title(),
            Self::Lesson(index) => {
                embedded().get(index).map_or(String::new(), |embedded| embedded.lesson.title.clone())
            }
        }
    }

    /// What it sets: the group before its title in the palette. Settings, whose titles name them, have none.
    pub(in crate::app) fn kind(self) -> &'static str {
        match self {
            Self::Method(_) => "Method",
            Self::Address([Some(_), None]) => "Address mode x",
            Self::Address([None, Some(_)]) => "Address mode y",
            Self::Address(_) => "Address mode",
            Self::Path(_) => "Sampling path",
            Self::ColourMap(_) => "Colour map",
            Self::Unit(_) => "Unit",
            Self::Coordinates(_) => "Position",
            Self::Plot(_) => "Plot",
            Self::Filter(..) => "Add filter",
            Self::Picture(_) => "Test picture",
            Self::Decimate(_) => "Decimate",
            Self::Setting(Setting::Plane(_)) => "Plane",
            Self::Setting(Setting::Component(_)) => "Component",
            Self::Setting(_) => "",
            Self::Volume(_) => "Test volume",
            Self::Complex(_) => "Test picture",
            Self::Lesson(_) => "Lesson",
        }
    }

    /// Whether it changes the focused panel alone.
    pub(in crate::app) fn is_of_panel(self) -> bool {
        match self {
            Self::Method(_) | Self::Address(_) | Self::Path(_) | Self::Filter(..) => true,
            Self::Setting(setting) => setting.row().is_of_panel,
            Self::ColourMap(_)
            | Self::Unit(_)
            | Self::Coordinates(_)
            | Self::Plot(_)
            | Self::Picture(_)
            | Self::Volume(_)
            | Self::Complex(_)
            | Self::Decimate(_)
            | Self::Lesson(_) => false,
        }
    }

    /// Its name on the command line; empty if it has none.
    pub(in crate::app) fn code(self) -> String {
        match self {
            Self::Method(method) => method.to_string(),
            Self::Address([Some(x), Some(y)]) => address_text([x, y]),
            Self::Filter(_, step) => step.to_string(),
            Self::Plot(kind) => kind.row().name.to_owned(),
            Self::Address(_)
            | Self::Path(_)
            | Self::ColourMap(_)
            | Self::Unit(_)
            | Self::Coordinates(_)
            | Self::Picture(_)
            | Self::Volume(_)
            | Self::Complex(_)
            | Self::Decimate(_)
            | Self::Lesson(_)
            | Self::Setting(_) => String::new(),
        }
    }

    /// Its names on the command line.
    pub(in crate::app) fn names(self) -> Vec<String> {
        match self {
            Self::Method(method) => {
                let aliases = method.row().map_or(&[][..], |row| row.aliases);
                std::iter::once(method.to_string()).chain(aliases.iter().map(|&alias| alias.to_owned())).collect()
            }
            Self::Path(path) => vec![path.to_string()],
            Self::Picture(formula) => vec![formula.to_string()],
            Self::Volume(formula) => vec![formula.to_string()],
            Self::Complex(formula) => vec![formula.to_string()],
            Self::Lesson(index) => embedded().get(index).map(|embedded| embedded.name.to_owned()).into_iter().collect(),
            Self::Address(_)
            | Self::ColourMap(_)
            | Self::Unit(_)
            | Self::Coordinates(_)
            | Self::Plot(_)
            | Self::Filter(..)
            | Self::Decimate(_)
            | Self::Setting(_) => Vec::new(),
        }
    }

    /// What it makes of pictures, in a few words, where that is known; else its help.
    pub(in crate::app) fn detail(self) -> String {
        let looks = if let Self::Method(method) = self { method.row().map(|row| row.looks) } else { None };
        looks.map_or_else(|| self.help(), |[looks, _]| capitalized(looks))
    }

    /// Its help, one line.
    pub(in crate::app) fn help(self) -> String {
        capitalized(&match self {
            Self::Method(method) => method.help().to_owned(),
            Self::Address([Some(x), Some(y)]) if x != y => {
                format!("{} along x, {} along y", x.row().title, y.row().title.to_lowercase())
            }
            Self::Address([x, y]) => {
                x.or(y).map_or_else(String::new, |address| format!("{}: {}", address.row().help, address.row().picture))
            }
            Self::Path(path) => path.row().help.to_owned(),
            Self::ColourMap(_) => "Colours of grey values, and of the luminance of colours".to_owned(),
            Self::Unit(_) => "Unit of displayed values".to_owned(),
            Self::Coordinates(coordinates) => coordinates.row().help.to_owned(),
            Self::Plot(kind) => kind.row().help.to_owned(),
            Self::Filter(_, step) => step.filter().row().help.to_owned(),
            Self::Picture(formula) => formula.synth().row().help.to_owned(),
            Self::Decimate(Decimate { by, .. }) => {
                format!("A smaller image by {}, beside the original, which is its truth", by.row().help)
            }
            Self::Volume(formula) => formula.volume().row().help.to_owned(),
            Self::Complex(formula) => formula.source().row().help.to_owned(),
            Self::Setting(Setting::Plane(Orientation::Main(plane))) => plane.row().help.to_owned(),
            Self::Setting(Setting::Component(component)) => component.row().help.to_owned(),
            Self::Setting(setting) => setting.help().to_owned(),
            Self::Lesson(index) => {
                embedded().get(index).map_or(String::new(), |embedded| embedded.lesson.summary.clone())
            }
        })
    }

    /// Text at the right end of its item in a menu: the pattern of an address mode.
    pub(in crate::app) fn mark(self) -> &'static str {
        match self {
            Self::Address([x, y]) => x.or(y).map_or("", |address| address.row().picture),
            Self::Method(_)
            | Self::Path(_)
            | Self::ColourMap(_)
            | Self::Unit(_)
            | Self::Coordinates(_)
            | Self::Plot(_)
            | Self::Filter(..)
            | Self::Picture(_)
            | Self::Volume(_)
            | Self::Complex(_)
            | Self::Decimate(_)
            | Self::Lesson(_)
            | Self::Setting(_) => "",
        }
    }

    /// The focused panel's sampler with this choice.
    fn sampler(self, before: Sampler) -> Sampler {
        let mut sampler = before;
        match self {
            Self::Method(method) => sampler.set_method(method),
            Self::Address(modes) => {
                let pairs = sampler.address.iter_mut().zip(modes);
                pairs.for_each(|(address, mode)| *address = mode.unwrap_or(*address));
            }
            Self::Path(path) => sampler.path = path,
            Self::Setting(setting) => sampler = setting.sampler(sampler),
            Self::ColourMap(_)
            | Self::Unit(_)
            | Self::Coordinates(_)
            | Self::Plot(_)
            | Self::Filter(..)
            | Self::Picture(_)
            | Self::Volume(_)
            | Self::Complex(_)
            | Self::Lesson(_)
            | Self::Decimate(_) => {}
        }
        sampler
    }

    /// The focused panel's sampler with this choice; `None` if the choice cannot be made or changes no sampler.
    pub(in crate::app) fn previewed(self, session: &Session) -> Option<Sampler> {
        let before = session.panels()[session.focused()].sampler;
        Some(self.sampler(before)).filter(|sampler| *sampler != before && self.obstacle(session).is_none())
    }

    /// Why the choice cannot be made now; `None` if it can.
    pub(in crate::app) fn obstacle(self, session: &Session) -> Option<CommandNotice> {
        if let Self::Setting(setting) = self
            && let Err(notice) = setting.check(session)
        {
            return Some(notice);
        }
        if let Self::Decimate(Decimate { factor, .. }) = self {
            let size = session.page().size();
            let is_possible = size.sides().iter().all(|side| *side >= factor);
            return (!is_possible).then_some(CommandNotice::TooSmallToDecimate(size, factor));
        }
        let panel = &session.panels()[session.focused()];
        if panel.content == Content::Truth && self.is_of_interpolation() {
            return Some(CommandNotice::ShowsTruth);
        }
        let before = panel.sampler;
        let sampler = self.sampler(before);
        let refusal = if sampler == before { None } else { session.refusal(session.focused(), sampler) };
        refusal.filter(|refusal| self.is_refused_by(refusal)).map(CommandNotice::from)
    }

    /// Whether it has no effect on a panel that shows the truth.
    fn is_of_interpolation(self) -> bool {
        match self {
            Self::Address(_)
            | Self::Path(_)
            | Self::Setting(Setting::Border(_) | Setting::Blur(_) | Setting::Antiringing(_)) => true,
            Self::Method(_)
            | Self::ColourMap(_)
            | Self::Unit(_)
            | Self::Coordinates(_)
            | Self::Plot(_)
            | Self::Filter(..)
            | Self::Picture(_)
            | Self::Volume(_)
            | Self::Complex(_)
            | Self::Decimate(_)
            | Self::Lesson(_)
            | Self::Setting(_) => false,
        }
    }

    /// Whether an error of the request is this choice's. An error of a view that reaches too far concerns every method alike
    /// and hinders no choice.
    fn is_refused_by(self, refusal: &RequestError) -> bool {
        match self {
            Self::Method(_) => matches!(refusal, RequestError::Stretch { .. }),
            Self::Path(_) => matches!(refusal, RequestError::SamplingPath { .. }),
            Self::Setting(_) => true,
            Self::Address(_)
            | Self::ColourMap(_)
            | Self::Unit(_)
            | Self::Coordinates(_)
            | Self::Plot(_)
            | Self::Filter(..)
            | Self::Picture(_)
            | Self::Volume(_)
            | Self::Complex(_)
            | Self::Lesson(_)
            | Self::Decimate(_) => false,
        }
    }

    /// State of its item in menus.
    pub(in crate::app) fn menu_state(self, session: &Session, preferences: &Preferences) -> MenuState {
        let panel = &session.panels()[session.focused()];
        let is_chosen = match self {
            Self::Method(method) => panel.method() == PanelMethod::Method(method),
            Self::Address(_) | Self::Path(_) => self.sampler(panel.sampler) == panel.sampler,
            Self::ColourMap(map) => panel.display.colour_map == map,
            Self::Unit(unit) => preferences.unit == unit,
            Self::Coordinates(coordinates) => preferences.coordinates == coordinates,
            Self::Plot(kind) => {
                let state = &session.inspect.state;
                state.drawer == Some(DrawerTool::Plots) && state.plot == kind
            }
            Self::Setting(Setting::Plane(orientation)) => {
                let focused = session.focused();
                session.volume_of(focused).is_some() && session.plane_of(focused).orientation == orientation
            }
            Self::Setting(Setting::Component(component)) => {
                let focused = session.focused();
                session.complex_of(focused).is_some() && session.component_of(focused) == component
            }
            Self::Filter(..)
            | Self::Picture(_)
            | Self::Volume(_)
            | Self::Complex(_)
            | Self::Decimate(_)
            | Self::Lesson(_)
            | Self::Setting(_) => false,
        };
        MenuState { is_possible: self.obstacle(session).is_none(), is_chosen }
    }

    /// Makes the choice. Returns the action that is left to the window.
    pub(super) fn set(self, session: &mut Session, preferences: &mut Preferences) -> Option<WindowAction> {
        if let Some(notice) = self.obstacle(session) {
            return Some(WindowAction::Notice(notice));
        }
        match self {
            Self::Method(_) | Self::Address(_) | Self::Path(_) => {
                let panel = session.focused_panel();
                panel.content = Content::Interpolation;
                panel.sampler = self.sampler(panel.sampler);
                if let Self::Address(_) = self {
                    session.touch_address();
                }
            }
            Self::ColourMap(map) => session.change_display(|display| display.colour_map = map),
            Self::Unit(unit) => preferences.unit = unit,
            Self::Coordinates(coordinates) => preferences.coordinates = coordinates,
            Self::Plot(kind) => {
                let state = &mut session.inspect.state;
                (state.drawer, state.plot) = (Some(DrawerTool::Plots), kind);
            }
            Self::Filter(stage, step) => session.add_step(stage, step),
            Self::Picture(formula) => return Some(WindowAction::File(FileAction::OpenFormula(formula))),
            Self::Volume(formula) => return Some(WindowAction::File(FileAction::OpenVolume(formula))),
            Self::Complex(formula) => return Some(WindowAction::File(FileAction::OpenComplex(formula))),
            Self::Decimate(decimate) => return Some(WindowAction::File(FileAction::Decimate(decimate))),
            Self::Lesson(index) => return Some(WindowAction::StartLesson(index)),
            Self::Setting(setting) => setting.set(session, preferences),
        }
        None
    }
}

/// A method in words: its row's title, else the phrase of its form with the parameters.
fn method_title(method: Method) -> String {
    let numbers: Vec<String> = method.numbers().into_iter().map(number_text).collect();
    match (method.row(), numbers.is_empty()) {
        (None, false) => format!("{} {}", method.form().phrase, numbers.join(" and ")),
        (None, true) if method.form().takes_none() => method.form().title.to_owned(),
        (Some(_), _) | (None, true) => method.title().into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_all_have_distinct_titles() {
        let title = |choice: Choice| format!("{}: {}", choice.kind(), choice.short_title());
        let titles: Vec<String> = Choice::all().into_iter().map(title).collect();
        for (index, title) in titles.iter().enumerate() {
            assert!(!titles[..index].contains(title), "{title}");
        }
    }
}
