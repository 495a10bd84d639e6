//! Choices: values of the focused panel, the view, the display and the window that menus and the palette set.

use std::path::Path;

use super::menu_state::MenuState;
use super::notice::CommandNotice;
use super::setting::{SETTINGS, Setting};
use super::window_action::{FileAction, WindowAction};
use crate::app::session::preferences::Preferences;
use crate::app::session::unit::{UNITS, Unit};
use crate::app::session::{PanelMethod, Session, SetMethod as _};
use crate::arguments::{ArgumentError, address_titles, parse_address, parse_number, parse_size};
use crate::backend::{COLOUR_MAPS, ColourMap, Content, RequestError};
use crate::filter::{FILTERS, Filter, STAGES, Stage, Step};
use crate::image::synth::SYNTHS;
use crate::image::{Formula, Size};
use crate::plots::{PLOT_KINDS, PlotKind};
use crate::quality::{DECIMATIONS, Decimate, Decimation};
use crate::sampling::{
    ADDRESS_MODES, AddressMode, FormParameters, METHOD_FORMS, METHODS, Method, MethodForm, SAMPLING_PATHS, Sampler,
    SamplingPath,
};
use crate::text::{capitalized, number_text};

/// The usual factors of a decimation.
const DECIMATION_FACTORS: [u32; 4] = [2, 3, 4, 8];
/// Side of a test picture without a typed size, in samples.
const PICTURE_SIDE: u32 = 512;

/// A value that a menu or the palette sets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Choice {
    /// The focused panel's method.
    Method(Method),
    /// The focused panel's address modes along x and y; `None` keeps the axis.
    Address([Option<AddressMode>; 2]),
    /// The focused panel's sampling path.
    Path(SamplingPath),
    /// Colours of grey values.
    ColourMap(ColourMap),
    /// Unit of displayed values.
    Unit(Unit),
    /// A step added to a chain of the focused panel.
    Filter(Stage, Step),
    /// A test picture to open.
    Picture(Formula),
    /// A decimation of the focused panel's image to open.
    Decimate(Decimate),
    /// What the drawer plots, which opens.
    Plot(PlotKind),
    /// A number of the view, of the sampler or of the display.
    Setting(Setting),
}

/// One reading of a typed text.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) enum TypedChoice {
    /// A value that can be set.
    Choice(Choice),
    /// The text names something, but its value is wrong.
    Wrong(ArgumentError),
}

impl Choice {
    /// All choices without a typed value: methods, address modes, sampling paths, colour maps, units, plots, filters, test
    /// pictures.
    pub(in crate::app) fn all() -> Vec<Self> {
        let forms = METHOD_FORMS.iter().filter(|form| form.takes_none()).filter_map(|form| form.method(&[]).ok());
        let steps = |stage| FILTERS.iter().map(move |row| Self::Filter(stage, Step::default_of(row.filter)));
        let mut all: Vec<Self> = METHODS.iter().map(|row| row.method).chain(forms).map(Self::Method).collect();
        for axes in [[true, true], [true, false], [false, true]] {
            all.extend(Self::addresses(axes));
        }
        all.extend(SAMPLING_PATHS.iter().map(|row| Self::Path(row.path)));
        all.extend(COLOUR_MAPS.iter().map(|row| Self::ColourMap(row.colour_map)));
        all.extend(UNITS.iter().map(|row| Self::Unit(row.unit)));
        all.extend(PLOT_KINDS.iter().map(|row| Self::Plot(row.kind)));
        all.extend(STAGES.iter().flat_map(|row| steps(row.stage)));
        let side = Size::new(PICTURE_SIDE, PICTURE_SIDE);
        let picture = |size: Size| SYNTHS.iter().filter_map(move |row| Formula::new(row.synth, size).ok());
        all.extend(side.into_iter().flat_map(picture).map(Self::Picture));
        // Those by Lanczos are typed, or in the menu: the palette finds methods by that name.
        all.extend(Self::decimations().filter(|choice| choice.is_usual_decimation()));
        all
    }

    /// The address modes along the `axes` that are set, x and y.
    pub(super) fn addresses(axes: [bool; 2]) -> impl Iterator<Item = Self> {
        ADDRESS_MODES.iter().map(move |row| Self::Address(axes.map(|is_set| is_set.then_some(row.address))))
    }

    /// The usual decimations.
    pub(super) fn decimations() -> impl Iterator<Item = Self> {
        let by = |by| DECIMATION_FACTORS.map(|factor| Self::Decimate(Decimate { factor, by }));
        DECIMATIONS.iter().flat_map(move |row| by(row.decimation))
    }

    /// Whether it is one of the decimations in [`Choice::all`].
    fn is_usual_decimation(self) -> bool {
        let Self::Decimate(Decimate { factor, by }) = self else { return false };
        by == Decimation::default() && DECIMATION_FACTORS.contains(&factor)
    }

    /// The readings of a typed text: `8x`, `gamma 2.2`, `mirror:clamp`, `lanczos=2.5`, `gaussian=1.5`, `zone plate 300x200`,
    /// `decimate 5 lanczos`.
    /// Values are parsed as on the command line.
    pub(in crate::app) fn typed(text: &str) -> Vec<TypedChoice> {
        let text = text.trim();
        let mut found = Vec::new();
        let mut note = |choice: Result<Self, ArgumentError>| {
            found.push(choice.map_or_else(TypedChoice::Wrong, TypedChoice::Choice));
        };
        if let Some(zoom) = typed_zoom(text) {
            note(Ok(Self::Setting(Setting::Zoom(zoom))));
        }
        if let Some((name, value)) = text.split_once([' ', '='])
            && let Some(row) = SETTINGS.iter().find(|row| row.name.eq_ignore_ascii_case(name.trim()))
            && !value.trim().is_empty()
        {
            note((row.parse)(value.trim()).map(Self::Setting));
        }
        if let Some((name, _)) = text.split_once('=') {
            // A file of a custom kernel is chosen in the method's menu: it is not read while its name is typed.
            if MethodForm::by_name(name.trim())
                .is_some_and(|form| matches!(form.parameters, FormParameters::Numbers(..)))
            {
                note(Method::read(text, Path::new("")).map(Self::Method).map_err(ArgumentError::from));
            }
            if Filter::by_name(name.trim()).is_some() {
                for row in &STAGES {
                    note(text.parse().map(|step| Self::Filter(row.stage, step)).map_err(ArgumentError::from));
                }
            }
        }
        if text.contains(':')
            && let Ok(address) = parse_address(text)
        {
            note(Ok(Self::Address(address.map(Some))));
        }
        if let Some((name, size)) = text.rsplit_once([' ', ':'])
            && let Ok(size) = parse_size(size)
        {
            let name = name.trim().trim_start_matches("synth:").replace(' ', "-");
            let row = SYNTHS.iter().find(|row| row.name.eq_ignore_ascii_case(&name));
            if let Some(formula) = row.and_then(|row| Formula::new(row.synth, size).ok()) {
                note(Ok(Self::Picture(formula)));
            }
        }
        if let Some(choice) = typed_decimation(text)
            // The usual ones are listed anyway.
            && !choice.is_usual_decimation()
        {
            note(Ok(choice));
        }
        found
    }

    /// Its title in a menu, below the name of its kind.
    pub(in crate::app) fn short_title(self) -> String {
        match self {
            Self::Method(method) => method_title(method),
            Self::Address([Some(x), Some(y)]) => address_titles([x, y]),
            Self::Address([x, y]) => x.or(y).map_or("", |address| address.row().title).to_owned(),
            Self::Path(path) => capitalized(path.row().name),
            Self::ColourMap(map) => map.row().title.to_owned(),
            Self::Unit(unit) => unit.row().title.to_owned(),
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
            Self::Setting(setting) => setting.title(),
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
            Self::Plot(_) => "Plot",
            Self::Filter(..) => "Add filter",
            Self::Picture(_) => "Test picture",
            Self::Decimate(_) => "Decimate",
            Self::Setting(_) => "",
        }
    }

    /// Whether it changes the focused panel alone.
    pub(in crate::app) fn is_of_panel(self) -> bool {
        match self {
            Self::Method(_) | Self::Address(_) | Self::Path(_) | Self::Filter(..) => true,
            Self::Setting(setting) => setting.row().is_of_panel,
            Self::ColourMap(_) | Self::Unit(_) | Self::Plot(_) | Self::Picture(_) | Self::Decimate(_) => false,
        }
    }

    /// Its name on the command line, or the pattern of address modes; empty if it has none.
    pub(in crate::app) fn code(self) -> String {
        match self {
            Self::Method(method) => method.to_string(),
            Self::Address([x, y]) => {
                let mut pictures: Vec<&str> =
                    [x, y].into_iter().flatten().map(|address| address.row().picture).collect();
                pictures.dedup();
                pictures.join(" × ")
            }
            Self::Filter(_, step) => step.to_string(),
            Self::Plot(kind) => kind.row().name.to_owned(),
            Self::Path(_)
            | Self::ColourMap(_)
            | Self::Unit(_)
            | Self::Picture(_)
            | Self::Decimate(_)
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
            Self::Picture(formula) => vec![formula.to_string()],
            Self::Address(_)
            | Self::Path(_)
            | Self::ColourMap(_)
            | Self::Unit(_)
            | Self::Plot(_)
            | Self::Filter(..)
            | Self::Decimate(_)
            | Self::Setting(_) => Vec::new(),
        }
    }

    /// Its help, one line.
    pub(in crate::app) fn help(self) -> String {
        capitalized(&match self {
            Self::Method(method) => method.help().to_owned(),
            Self::Address([Some(x), Some(y)]) if x != y => {
                format!("{} along x, {} along y", x.row().title, y.row().title.to_lowercase())
            }
            Self::Address([x, y]) => x.or(y).map_or("", |address| address.row().help).to_owned(),
            Self::Path(path) => path.row().help.to_owned(),
            Self::ColourMap(_) => "Colours of grey values".to_owned(),
            Self::Unit(_) => "Unit of displayed values".to_owned(),
            Self::Plot(kind) => kind.row().help.to_owned(),
            Self::Filter(_, step) => step.filter().row().help.to_owned(),
            Self::Picture(formula) => formula.synth().row().help.to_owned(),
            Self::Decimate(Decimate { by, .. }) => {
                format!("A smaller image by {}, beside the original, which is its truth", by.row().help)
            }
            Self::Setting(setting) => setting.help().to_owned(),
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
            | Self::Plot(_)
            | Self::Filter(..)
            | Self::Picture(_)
            | Self::Decimate(_)
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
            | Self::Plot(_)
            | Self::Filter(..)
            | Self::Picture(_)
            | Self::Decimate(_) => {}
        }
        sampler
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
            Self::Address(_) | Self::Path(_) | Self::Setting(Setting::Border(_) | Setting::Blur(_)) => true,
            Self::Method(_)
            | Self::ColourMap(_)
            | Self::Unit(_)
            | Self::Plot(_)
            | Self::Filter(..)
            | Self::Picture(_)
            | Self::Decimate(_)
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
            | Self::Plot(_)
            | Self::Filter(..)
            | Self::Picture(_)
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
            Self::Plot(kind) => session.inspect.state.has_plots && session.inspect.state.plot == kind,
            Self::Filter(..) | Self::Picture(_) | Self::Decimate(_) | Self::Setting(_) => false,
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
            }
            Self::ColourMap(map) => session.change_display(|display| display.colour_map = map),
            Self::Unit(unit) => preferences.unit = unit,
            Self::Plot(kind) => {
                let state = &mut session.inspect.state;
                (state.has_plots, state.plot) = (true, kind);
            }
            Self::Filter(stage, step) => session.add_step(stage, step),
            Self::Picture(formula) => return Some(WindowAction::File(FileAction::OpenFormula(formula))),
            Self::Decimate(decimate) => return Some(WindowAction::File(FileAction::Decimate(decimate))),
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

/// A decimation: `decimate 5`, `decimate 3 lanczos`.
fn typed_decimation(text: &str) -> Option<Choice> {
    let mut words = text.split_whitespace();
    let is_command = words.next()?.eq_ignore_ascii_case("decimate");
    let factor = words.next()?.parse().ok().filter(|factor| *factor >= 2)?;
    let by = match words.next() {
        Some(name) => Decimation::by_name(&name.to_ascii_lowercase())?,
        None => Decimation::default(),
    };
    (is_command && words.next().is_none()).then_some(Choice::Decimate(Decimate { factor, by }))
}

/// A magnification: `8x`, `1/2×`, `800 %`.
fn typed_zoom(text: &str) -> Option<f64> {
    let times = text.strip_suffix(['x', 'X', '×']).map(|number| (number, 1.0));
    let (number, divisor) = times.or_else(|| text.strip_suffix('%').map(|number| (number, 100.0)))?;
    parse_number::<f64>(number.trim()).ok().map(|number| number / divisor).filter(|zoom| *zoom > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choices(text: &str) -> Vec<Choice> {
        let choice = |typed: TypedChoice| match typed {
            TypedChoice::Choice(choice) => Some(choice),
            TypedChoice::Wrong(_) => None,
        };
        Choice::typed(text).into_iter().filter_map(choice).collect()
    }

    #[test]
    fn typed_values_are_parsed_as_on_the_command_line() {
        for (text, zoom) in [("8x", 8.0), ("1/2×", 0.5), ("250 %", 2.5)] {
            assert_eq!(choices(text), [Choice::Setting(Setting::Zoom(zoom))], "{text}");
        }
        assert_eq!(choices("gamma 2.2"), [Choice::Setting(Setting::Gamma(2.2))]);
        assert_eq!(choices("Translate=1/2,-3"), [Choice::Setting(Setting::Translate([0.5, -3.0]))]);
        assert_eq!(choices("lanczos=2.5"), [Choice::Method(Method::lanczos(2.5).expect("in range"))]);
        let both = [AddressMode::Mirror, AddressMode::Clamp].map(Some);
        assert_eq!(choices("mirror:clamp"), [Choice::Address(both)]);
        let formula = "synth:zone-plate:300x200".parse().expect("a formula");
        for text in ["zone plate 300x200", "synth:zone-plate:300x200"] {
            assert_eq!(choices(text), [Choice::Picture(formula)], "{text}");
        }
        let by_lanczos = Decimate { factor: 3, by: Decimation::Lanczos };
        assert_eq!(choices("Decimate 3 Lanczos"), [Choice::Decimate(by_lanczos)]);
        assert_eq!(choices("decimate 5"), [Choice::Decimate(Decimate { factor: 5, by: Decimation::Box })]);
        assert_eq!(choices("decimate 4"), [], "it is listed");
        assert_eq!(choices("gaussian=1.5").len(), 1 + STAGES.len(), "a kernel, and a filter of each stage");
        for text in ["", "x", "%", "gamma", "zone plate", "-2x", "custom=/dev/zero"] {
            assert_eq!(Choice::typed(text), [], "{text}");
        }
        for text in ["gamma two", "lanczos=9", "median=x"] {
            assert!(matches!(Choice::typed(text)[..], [TypedChoice::Wrong(_), ..]), "{text}");
        }
    }

    #[test]
    fn choices_all_have_distinct_titles() {
        let title = |choice: Choice| format!("{}: {}", choice.kind(), choice.short_title());
        let titles: Vec<String> = Choice::all().into_iter().map(title).collect();
        for (index, title) in titles.iter().enumerate() {
            assert!(!titles[..index].contains(title), "{title}");
        }
    }
}
