//! The table `[inspect.one-dimension]` of a session file:
//!
//! ```toml
//! [inspect.one-dimension]
//! samples = [0.0, 1.0, 0.5]
//! address = "wrap"
//! points = [-0.5, 1.25]
//! tab = "basis"
//! lagrange = true
//! ```

use toml::{Table, Value};

use super::fields::{FieldError, Fields, UnknownName};
use crate::app::session::one_dimension::{CURVE_SETS, CurveSet, LINE_TABS, LineState, LineTab, SampleSource};
use crate::lab::one_dimension::{BASIS_LAYOUTS, BasisLayout, GrownSpline, PRESETS, Preset, Signal};
use crate::sampling::{ADDRESS_MODES, AddressMode};

/// The table of `state`; `None` for the state at the start. Samples of a preset of its usual size have no key.
pub(super) fn write(state: &LineState) -> Option<Table> {
    let usual = LineState::default();
    if *state == usual {
        return None;
    }
    let mut table = Table::new();
    let mut put = |key: &str, value: Value| drop(table.insert(key.to_owned(), value));
    match &state.source {
        SampleSource::Preset(preset) => put("preset", preset.row().name.into()),
        SampleSource::Image(label) => put("image", label.as_str().into()),
        SampleSource::Own => {}
    }
    put("samples", state.signal.samples().to_vec().into());
    put("points", state.points.clone().into());
    if state.signal.address != usual.signal.address {
        put("address", state.signal.address.row().name.into());
    }
    if state.signal.border != usual.signal.border {
        put("border", state.signal.border.into());
    }
    if state.tab != usual.tab {
        put("tab", state.tab.row().name.into());
    }
    if state.curves != usual.curves {
        put("curves", state.curves.row().name.into());
    }
    if state.has_lagrange {
        put("lagrange", true.into());
    }
    if state.has_slopes {
        put("slopes", true.into());
    }
    if state.basis != usual.basis {
        put("basis", state.basis.row().name.into());
    }
    if state.degree != usual.degree {
        put("degree", (state.degree as i64).into());
    }
    if state.place != usual.place {
        put("place", state.place.into());
    }
    Some(table)
}

/// Reads the table. Logs and ignores unknown keys.
///
/// # Errors
/// If a value is invalid.
pub(super) fn read(mut fields: Fields) -> Result<LineState, FieldError> {
    let mut state = LineState::default();
    let preset = fields.take_text("preset", |name| {
        Preset::by_name(name).ok_or_else(|| UnknownName::new("preset", name, PRESETS.iter().map(|row| row.name)))
    })?;
    let label: Option<String> = fields.take("image")?;
    if let Some(preset) = preset {
        state.take_preset(preset);
    }
    let address = fields.take_text("address", |name| {
        let unknown = || UnknownName::new("address mode", name, ADDRESS_MODES.iter().map(|row| row.name));
        AddressMode::by_name(name).ok_or_else(unknown)
    })?;
    let address = address.unwrap_or(state.signal.address);
    let border = fields.take("border")?.unwrap_or(state.signal.border);
    if !in_range(border, Signal::MAX_VALUE) {
        return Err(fields.wrong("border", &"it is a number within the range of samples"));
    }
    let samples: Option<Vec<f64>> = fields.take("samples")?;
    if let Some(samples) = samples {
        let is_preset = |preset: &Preset| preset.samples(samples.len()) == samples;
        state.source = match (preset.filter(is_preset), label) {
            (Some(preset), _) => SampleSource::Preset(preset),
            (None, Some(label)) => SampleSource::Image(label),
            (None, None) => SampleSource::Own,
        };
        state.signal = Signal::new(samples, address, border).map_err(|error| fields.wrong("samples", &error))?;
    }
    (state.signal.address, state.signal.border) = (address, border);
    if let Some(points) = fields.take::<Vec<f64>>("points")? {
        let [from, to] = state.range();
        if points.len() > LineState::MAX_POINTS || !points.iter().all(|x| (from..=to).contains(x)) {
            let cause = format!("at most {} numbers from {from} to {to}", LineState::MAX_POINTS);
            return Err(fields.wrong("points", &cause));
        }
        state.points = points;
    }
    let tab = fields.take_text("tab", |name| {
        LineTab::by_name(name).ok_or_else(|| UnknownName::new("tab", name, LINE_TABS.iter().map(|row| row.name)))
    })?;
    state.tab = tab.unwrap_or_default();
    let curves = fields.take_text("curves", |name| {
        let unknown = || UnknownName::new("set of curves", name, CURVE_SETS.iter().map(|row| row.name));
        CurveSet::by_name(name).ok_or_else(unknown)
    })?;
    state.curves = curves.unwrap_or_default();
    state.has_lagrange = fields.take("lagrange")?.unwrap_or_default();
    state.has_slopes = fields.take("slopes")?.unwrap_or_default();
    let basis = fields.take_text("basis", |name| {
        let unknown = || UnknownName::new("layout", name, BASIS_LAYOUTS.iter().map(|row| row.name));
        BasisLayout::by_name(name).ok_or_else(unknown)
    })?;
    state.basis = basis.unwrap_or_default();
    let degree: Option<usize> = fields.take("degree")?;
    if degree.is_some_and(|degree| degree > GrownSpline::MAX_DEGREE) {
        return Err(fields.wrong("degree", &format!("it is at most {}", GrownSpline::MAX_DEGREE)));
    }
    state.degree = degree.unwrap_or(state.degree);
    let place = fields.take("place")?.unwrap_or(state.place);
    if !in_range(place, LineState::MAX_PLACE) {
        return Err(fields.wrong("place", &format!("it is from -{0} to {0}", LineState::MAX_PLACE)));
    }
    state.set_place(place);
    fields.finish();
    Ok(state)
}

fn in_range(number: f64, most: f64) -> bool {
    (-most..=most).contains(&number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<LineState, String> {
        read(Fields::parse(text, "s.toml").expect("TOML")).map_err(|error| error.to_string())
    }

    fn round_trip(state: &LineState) {
        let text = write(state).expect("a table").to_string();
        assert_eq!(parsed(&text).as_ref(), Ok(state), "{text}");
    }

    #[test]
    fn states_come_back_from_their_tables() {
        assert_eq!(write(&LineState::default()), None);
        let mut state = LineState { tab: LineTab::Prefilter, has_lagrange: true, ..LineState::default() };
        round_trip(&state);
        state.take_preset(Preset::Runge);
        state.set_count(17);
        state.set_address(AddressMode::Mirror);
        (state.degree, state.place, state.curves) = (6, -1.25, CurveSet::Named);
        state.basis = BasisLayout::Overlaid;
        round_trip(&state);
        state.set_sample(3, 0.123_456_789_012_345_6);
        state.signal.border = 0.5;
        round_trip(&state);
        state.source = SampleSource::Image("row 3, samples 0 to 16".to_owned());
        state.points = Vec::new();
        round_trip(&state);
    }

    #[test]
    fn preset_without_samples_has_its_own() {
        let state = parsed("preset = 'impulse'").expect("a state");
        assert_eq!(state.signal.samples(), Preset::Impulse.samples(9));
        // Samples that are not the preset's are their own.
        let state = parsed("preset = 'impulse'\nsamples = [1.0, 2.0]").expect("a state");
        assert_eq!((state.signal.samples(), state.source), (&[1.0, 2.0][..], SampleSource::Own));
    }

    #[test]
    fn wrong_values_are_refused_by_key() {
        for (text, named) in [
            ("preset = 'saw'", "s.toml: preset: there is no preset 'saw'; there are "),
            ("samples = []", "s.toml: samples: 0 samples: a line has 1 to 64 of them"),
            ("samples = [nan]", "s.toml: samples: sample 0 is not between"),
            ("address = 'edge'", "s.toml: address: there is no address mode 'edge'"),
            ("border = inf", "s.toml: border: "),
            ("points = [9.0]", "s.toml: points: at most 16 numbers from -3 to 7"),
            ("tab = 'first'", "s.toml: tab: there is no tab 'first'"),
            ("curves = 'none'", "s.toml: curves: there is no set of curves 'none'"),
            ("lagrange = 1", "s.toml: lagrange: "),
            ("slopes = 'yes'", "s.toml: slopes: "),
            ("basis = 'flat'", "s.toml: basis: there is no layout 'flat'"),
            ("degree = 10", "s.toml: degree: it is at most 9"),
            ("degree = -1", "s.toml: degree: "),
            ("place = nan", "s.toml: place: it is from -6 to 6"),
        ] {
            let error = parsed(text).expect_err(text);
            assert!(error.starts_with(named), "{text}: {error}");
        }
    }
}
