//! What the laboratory computes from the session: the chart of the open tab and the table at the points.

use egui_plot::LineStyle;

use crate::app::lab::chart_view::EntryStyle;
use crate::app::session::one_dimension::{CurveSet, LineState, LineTab, SampleSource};
use crate::app::session::{PanelName, Session};
use crate::app::widgets::theme::{Palette, PanelStyle};
use crate::backend::Content;
use crate::filter::Chain;
use crate::lab::one_dimension::{
    BasisBand, GrownSpline, ImpulseSum, Preset, ValueCurves, ValueTable, basis_bands, basis_chart, prefilter_chart,
    prefilter_of, splines_chart,
};
use crate::plots::{Chart, Reconstruction};
use crate::sampling::{METHODS, Method, Prefilter, PrefilterPasses, Sampler};
use crate::text::short;

/// A method whose curve is drawn.
#[derive(Clone, Debug, PartialEq)]
struct Drawn {
    filter: Reconstruction,
    /// Its name in the legend.
    label: String,
    /// Index of its colour and dash.
    style: usize,
    /// Whether it is the method of a panel.
    is_panel: bool,
}

/// What decides the charts.
#[derive(Clone, Debug, PartialEq)]
struct Inputs {
    state: LineState,
    drawn: Vec<Drawn>,
    /// The focused panel's method.
    focused: Drawn,
    /// The focused panel's filters of samples, of the tab *Sum*.
    filters: Chain,
}

/// The chart of a tab, with what belongs to it.
#[derive(Debug)]
pub(super) struct Made {
    inputs: Inputs,
    /// The tab.
    pub(super) tab: LineTab,
    /// Its chart.
    pub(super) chart: Chart,
    /// The chart's own range of values.
    own_range: [f64; 2],
    /// The basis functions of the tab *Basis*.
    pub(super) bands: Vec<BasisBand>,
    /// The values of the focused panel's method at the points.
    pub(super) table: ValueTable,
}

impl Made {
    /// `kept` if the session has not changed in what decides it, else what the session shows now.
    pub(super) fn current(kept: Option<Self>, session: &Session) -> Self {
        let inputs = Inputs::new(session);
        match kept {
            Some(mut kept) if kept.inputs == inputs => {
                // A drag holds the range of the chart; without one it is the chart's own.
                kept.chart.y_range = kept.own_range;
                kept
            }
            _ => Self::of(inputs),
        }
    }

    /// What the session shows.
    pub(super) fn new(session: &Session) -> Self {
        Self::of(Inputs::new(session))
    }

    fn of(inputs: Inputs) -> Self {
        let Inputs { state, drawn, focused, .. } = &inputs;
        let (signal, range) = (&state.signal, state.range());
        let mut bands = Vec::new();
        let chart = match state.tab {
            LineTab::Values => {
                let filters: Vec<Reconstruction> = drawn.iter().map(|drawn| drawn.filter).collect();
                let curves = ValueCurves {
                    signal,
                    filters: &filters,
                    points: &state.points,
                    has_slopes: state.has_slopes,
                    has_lagrange: state.has_lagrange,
                    preset: preset(state),
                };
                curves.chart(range)
            }
            LineTab::Basis => {
                bands = basis_bands(signal, &focused.filter, state.basis, range);
                basis_chart(signal, &focused.filter, state.basis, range)
            }
            LineTab::Splines => splines_chart(state.degree, state.place),
            LineTab::Impulses => ImpulseSum::new(signal, &inputs.filters, range).chart(range),
            LineTab::Prefilter => prefilter_chart(signal, focused.filter.method, range),
        };
        let table = ValueTable::new(signal.clone(), &[focused.filter], &state.points);
        Self { tab: state.tab, own_range: chart.y_range, chart, bands, table, inputs }
    }

    /// The state that it is of.
    pub(super) fn state(&self) -> &LineState {
        &self.inputs.state
    }

    /// Name of the method of the table and of the basis functions.
    pub(super) fn focused_label(&self) -> &str {
        &self.inputs.focused.label
    }

    /// Colours, dashes and names of the chart's entries.
    pub(super) fn styles(&self, palette: &Palette) -> Vec<EntryStyle> {
        let plain = |color, line| PanelStyle { color, line };
        let own = |drawn: &Drawn| EntryStyle {
            label: drawn.label.clone(),
            style: palette.panel(drawn.style),
            is_panel: drawn.is_panel,
        };
        let mut styles: Vec<PanelStyle> = Vec::new();
        match self.tab {
            LineTab::Values => {
                let state = self.state();
                let mut entries: Vec<EntryStyle> = self.inputs.drawn.iter().map(own).collect();
                let rest = self.chart.entries[entries.len()..].iter().map(|entry| entry.label.clone());
                let polynomial = state.has_lagrange.then(|| plain(palette.error, LineStyle::dashed_dense()));
                let count = state.signal.samples().len();
                let has_function = preset(state).is_some_and(|preset| preset.function(0.0, count).is_some());
                let function = has_function.then(|| plain(palette.weak, LineStyle::dotted_dense()));
                let samples = plain(palette.text, LineStyle::Solid);
                let rest_styles = polynomial.into_iter().chain(function).chain([samples]);
                entries.extend(rest.zip(rest_styles).map(|(label, style)| EntryStyle {
                    label,
                    style,
                    is_panel: false,
                }));
                return entries;
            }
            LineTab::Basis => {
                let focused = palette.panel(self.inputs.focused.style);
                styles.push(plain(palette.weak, LineStyle::Solid));
                styles.push(plain(focused.color, LineStyle::Solid));
                styles.push(plain(palette.text, LineStyle::Solid));
            }
            LineTab::Impulses => {
                // The impulses have a colour unlike that of the sum.
                let [sum, impulses] = [0, 1].map(|step| palette.panel(self.inputs.focused.style + step));
                styles.push(plain(impulses.color, LineStyle::Solid));
                styles.push(plain(palette.weak, LineStyle::Solid));
                styles.push(plain(sum.color, LineStyle::Solid));
                styles.push(plain(palette.text, LineStyle::Solid));
            }
            LineTab::Splines => styles.extend((0..self.chart.entries.len()).map(|index| palette.panel(index))),
            LineTab::Prefilter => {
                let passes = self.chart.entries.len() - 2;
                // The first colour is like that of the curve.
                let pass = |index: usize| plain(palette.panel(index + 1).color, LineStyle::Solid);
                styles.extend((0..passes).map(pass));
                styles.push(plain(palette.accent, LineStyle::Solid));
                styles.push(plain(palette.text, LineStyle::Solid));
            }
        }
        let labels = self.chart.entries.iter().map(|entry| entry.label.clone());
        labels.zip(styles).map(|(label, style)| EntryStyle { label, style, is_panel: false }).collect()
    }

    /// What the chart shows, for assistive technology: `Values between samples: 4 curves, 5 samples, 7 points`.
    pub(super) fn summary(&self) -> String {
        let (title, state) = (&self.chart.title, self.state());
        let (samples, points) = (state.signal.len(), state.points.len());
        match self.tab {
            LineTab::Values => {
                let polynomial = if state.has_lagrange { ", polynomial" } else { "" };
                format!("{title}: {} curves{polynomial}, {samples} samples, {points} points", self.inputs.drawn.len())
            }
            LineTab::Basis => format!("{title}: {} of {}", self.bands.len(), self.focused_label()),
            LineTab::Splines => format!("{title}: degrees 0 to {}", state.degree),
            LineTab::Prefilter | LineTab::Impulses => format!("{title}: {samples} samples"),
        }
    }

    /// A sentence under the legend about the pointer's place.
    pub(super) fn note(&self, pointed: Option<f64>) -> Option<String> {
        match self.tab {
            LineTab::Prefilter => Some(self.recursion(pointed)),
            LineTab::Splines => Some("Drag the dot: the tinted area is its height".to_owned()),
            LineTab::Impulses => Some(self.filters_text()),
            LineTab::Values | LineTab::Basis => None,
        }
    }

    /// The filters of the tab *Sum*, and where they come from.
    fn filters_text(&self) -> String {
        match self.inputs.filters.is_active() {
            true => format!("Filters of the focused panel: {}", self.inputs.filters),
            false => "The focused panel has no filter of its samples".to_owned(),
        }
    }

    /// The recursions of the first pole at the sample nearest to `pointed`, with their numbers.
    fn recursion(&self, pointed: Option<f64>) -> String {
        let Some(x) = pointed else { return "Point at a sample for its numbers".to_owned() };
        let state = self.state();
        let (_, prefilter) = prefilter_of(self.inputs.focused.filter.method);
        // One place before and one behind what is drawn.
        let margin = 4_u32;
        let passes = prefilter.passes(state.signal.samples(), state.signal.address, state.signal.border, margin);
        let [from, to] = state.range();
        let k = (x + 0.5).floor().clamp(from, to);
        let place = (k + f64::from(margin)) as usize;
        let Some(PrefilterPasses { pole, input, causal, anticausal }) = passes.first() else { return String::new() };
        let number = |value: f64| short((value * 1e4).round() / 1e4, 5).replace('-', "−");
        let (z, gain) = (number(*pole), number(Prefilter::gain(*pole)));
        format!(
            "k = {}: c⁺ = {} + ({z})·({}) = {}\nc = ({z})·({} − {gain}·{}) = {}",
            number(k),
            number(input[place]),
            number(causal[place - 1]),
            number(causal[place]),
            number(anticausal[place + 1]),
            number(causal[place]),
            number(anticausal[place]),
        )
    }

    /// β of the degree before that of the tab *B-splines*, and of that degree.
    pub(super) fn splines(&self) -> (Option<GrownSpline>, GrownSpline) {
        let degree = self.state().degree;
        (degree.checked_sub(1).map(GrownSpline::new), GrownSpline::new(degree))
    }
}

impl Inputs {
    fn new(session: &Session) -> Self {
        let state = session.inspect.state.one_dimension.clone();
        // Positions are in samples, whatever the scale of a panel's view: no kernel is widened.
        let of_panel = |index: usize| {
            let name: PanelName = session.panel_name(index);
            let filter = Reconstruction::new(&session.panels()[index].sampler, 1.0);
            Drawn { filter, style: name.index, label: name.numbered(), is_panel: true }
        };
        let interpolates = |index: &usize| session.panels()[*index].content == Content::Interpolation;
        let drawn = match state.curves {
            CurveSet::Panels => session.visible().into_iter().filter(interpolates).map(of_panel).collect(),
            CurveSet::Named => METHODS.iter().enumerate().map(named).collect(),
        };
        let focused = Some(session.focused()).filter(interpolates).map(of_panel);
        let focused = focused.unwrap_or_else(|| {
            let sampler = Sampler::default();
            Drawn {
                filter: Reconstruction::new(&sampler, 1.0),
                label: sampler.method.title().into_owned(),
                style: 0,
                is_panel: false,
            }
        });
        let filters = match state.tab {
            LineTab::Impulses => session.panels()[session.focused()].filters_in_force().before,
            LineTab::Values | LineTab::Basis | LineTab::Splines | LineTab::Prefilter => Chain::default(),
        };
        Self { state, drawn, focused, filters }
    }
}

/// A named method, with its prefilter where it has one.
fn named((style, row): (usize, &crate::sampling::MethodRow)) -> Drawn {
    let filter = Reconstruction::of(row.method, true);
    let prefilter = if filter.prefilter { ", prefilter" } else { "" };
    Drawn { filter, style, is_panel: false, label: format!("{}{prefilter}", Method::title(row.method)) }
}

/// The preset that the samples are of.
fn preset(state: &LineState) -> Option<Preset> {
    match state.source {
        SampleSource::Preset(preset) => Some(preset),
        SampleSource::Image(_) | SampleSource::Own => None,
    }
}
