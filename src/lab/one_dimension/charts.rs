//! The laboratory's charts.

use super::{GrownSpline, Interpolant, Lagrange, Preset, Signal};
use crate::plots::{Chart, ChartEntry, ChartSeries, PlotAxis, Reconstruction, SeriesShape};
use crate::rows::rows;
use crate::sampling::{Method, Prefilter};

pub(super) const X: PlotAxis = PlotAxis { name: "x", symbol: "x", label: "Position x, in samples" };
const DISTANCE: PlotAxis = PlotAxis { name: "x", symbol: "x", label: "Distance x from the middle" };
const VALUE: PlotAxis = PlotAxis { name: "value", symbol: "f", label: "Value" };
const SPLINE: PlotAxis = PlotAxis { name: "value", symbol: "β", label: "Value β(x)" };
/// Range of values below which a chart shows more than the values have, in values.
const LEAST_SPAN: f64 = 1e-3;

/// Curves of methods over a signal.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueCurves<'a> {
    /// The samples.
    pub signal: &'a Signal,
    /// The methods.
    pub filters: &'a [Reconstruction],
    /// Positions whose values are dots on each curve.
    pub points: &'a [f64],
    /// Whether the slope of each curve at each point is drawn, with the line between the samples beside it.
    pub has_slopes: bool,
    /// Whether the polynomial through all samples is drawn.
    pub has_lagrange: bool,
    /// The preset that the samples are of. A smooth function that it has is drawn.
    pub preset: Option<Preset>,
}

impl ValueCurves<'_> {
    /// Name of the entry of the polynomial through all samples.
    pub const LAGRANGE: &'static str = "polynomial through all samples";
    /// Name of the entry of the samples.
    pub const SAMPLES: &'static str = "samples";

    /// Curves from `range[0]` to `range[1]`: an entry for each method, then the polynomial, the preset's function, and the
    /// samples, those that the address mode continues them by included.
    pub fn chart(&self, range: [f64; 2]) -> Chart {
        let mut chart = empty("Values between samples", X, range);
        chart.keys = vec!["curve of", "method", "prefilter"];
        for filter in self.filters {
            let interpolant = Interpolant::new(self.signal, filter);
            let entry = entry_of(&mut chart, filter);
            push(&mut chart, entry, "computed", SeriesShape::Line, interpolant.curve(range));
            let dots = sorted(self.points).into_iter().map(|x| [x, interpolant.at(x)]).collect();
            push(&mut chart, entry, "at the points", SeriesShape::Dots, dots);
            let exact = Interpolant::exact(self.signal, filter);
            for x in sorted(self.points).into_iter().filter(|_| self.has_slopes) {
                push(&mut chart, entry, "slope", SeriesShape::Line, tangent(&exact, x));
            }
        }
        let mut spans: Vec<[f64; 2]> = chart.series.iter().flat_map(|series| series.points.iter().copied()).collect();
        spans.extend(self.continued(range));
        chart.y_range = span(spans.iter().map(|[_, y]| *y));
        let positions: Vec<f64> = steps(range);
        if self.has_lagrange {
            let polynomial = Lagrange::new(self.signal);
            let entry = entry(&mut chart, Self::LAGRANGE);
            let curve = polynomial.curve(&positions);
            chart.y_range = with_swing(chart.y_range, &curve, self.signal.last());
            push(&mut chart, entry, "computed", SeriesShape::Line, curve);
        }
        let function = |preset: Preset| {
            let value = |&x: &f64| preset.function(x, self.signal.samples().len()).map(|y| [x, y]);
            positions.iter().map(value).collect::<Option<Vec<_>>>().map(|curve| (preset, curve))
        };
        if let Some((preset, curve)) = self.preset.and_then(function) {
            let entry = entry(&mut chart, preset.row().title);
            push(&mut chart, entry, "formula", SeriesShape::Line, curve);
        }
        let entry = entry(&mut chart, Self::SAMPLES);
        for x in sorted(self.points).into_iter().filter(|_| self.has_slopes) {
            push(&mut chart, entry, "between neighbours", SeriesShape::Line, self.chord(x));
        }
        push(&mut chart, entry, "samples", SeriesShape::Dots, self.continued(range));
        chart.conclusion = self.conclusion();
        chart
    }

    /// The straight line between the samples beside the one nearest to `x`.
    fn chord(&self, x: f64) -> Vec<[f64; 2]> {
        let nearest = (x + 0.5).floor() as i64;
        [nearest - 1, nearest + 1].map(|k| [k as f64, self.signal.sample(k)]).to_vec()
    }

    /// The samples at whole positions of `range`.
    fn continued(&self, range: [f64; 2]) -> Vec<[f64; 2]> {
        let [from, to] = [range[0].ceil(), range[1].floor()];
        (from as i64..=to as i64).map(|k| [k as f64, self.signal.sample(k)]).collect()
    }

    /// How far the polynomial leaves the preset's function, and how far the best method does.
    fn conclusion(&self) -> Option<String> {
        let (preset, count) = (self.preset?, self.signal.samples().len());
        preset.function(0.0, count)?;
        let positions = steps([0.0, self.signal.last()]);
        let worst = |at: &dyn Fn(f64) -> f64| {
            let error = |&x: &f64| (at(x) - preset.function(x, count).unwrap_or_default()).abs();
            positions.iter().map(error).fold(0.0, f64::max)
        };
        let lagrange = Lagrange::new(self.signal);
        let of_filter = |filter: &Reconstruction| {
            let interpolant = Interpolant::new(self.signal, filter);
            (worst(&|x| interpolant.at(x)), filter.label())
        };
        let best = self.filters.iter().map(of_filter).min_by(|a, b| a.0.total_cmp(&b.0));
        let best = best.map(|(error, label)| format!(", {label} by {error:.3}")).unwrap_or_default();
        let degree = lagrange.degree();
        Some(format!(
            "The polynomial of degree {degree} misses the function by up to {:.3}{best}.",
            worst(&|x| lagrange.at(x))
        ))
    }
}

/// The tangent of a curve at `x`, one sample to each side, by the difference of two exact values close to it.
fn tangent(interpolant: &Interpolant, x: f64) -> Vec<[f64; 2]> {
    const STEP: f64 = 1e-6;
    let slope = (interpolant.at(x + STEP) - interpolant.at(x - STEP)) / (2.0 * STEP);
    [-1.0, 1.0].map(|by| [x + by, interpolant.at(x) + by * slope]).to_vec()
}

/// Description of a layout of basis functions.
#[derive(Debug)]
pub struct BasisLayoutRow {
    /// The layout.
    pub layout: BasisLayout,
    /// Its name in session files.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// What it shows.
    pub help: &'static str,
}

rows! {
    /// How the copies of a kernel are drawn.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum BasisLayout {
        /// Each on those before it.
        #[default]
        Stacked => {
            name: "stacked",
            title: "Stacked",
            help: "Each copy stands on those before it: the upper edge of the last is the curve",
        },
        /// Each from 0.
        Overlaid => {
            name: "overlaid",
            title: "Overlaid",
            help: "Each copy stands on 0: its height at a sample is its part of the value there",
        },
    }

    /// The layouts.
    pub static BASIS_LAYOUTS: [BasisLayoutRow { layout, .. }];

    impl by_name, Display;
}

/// A basis function where it is not 0.
#[derive(Clone, Debug, PartialEq)]
pub struct BasisBand {
    /// k, before the address mode.
    pub index: i64,
    /// x, and both edges of the band: where the function stands, and its upper end. The lower edge of an overlaid one is 0.
    pub edges: Vec<[f64; 3]>,
}

/// The basis functions c\[k\]·w(x − k) of `filter` over `signal`, by rising k.
pub fn basis_bands(signal: &Signal, filter: &Reconstruction, layout: BasisLayout, range: [f64; 2]) -> Vec<BasisBand> {
    let interpolant = Interpolant::new(signal, filter);
    let positions = interpolant.positions(range);
    let reach = filter.radius() + 1e-6;
    let mut sums = vec![0.0; positions.len()];
    let mut band = |(index, part): (i64, Vec<f64>)| {
        let mut edges = Vec::new();
        for ((x, value), sum) in positions.iter().zip(part).zip(&mut sums) {
            let below = match layout {
                BasisLayout::Stacked => std::mem::replace(sum, *sum + value),
                BasisLayout::Overlaid => 0.0,
            };
            if (x - index as f64).abs() <= reach {
                edges.push([*x, below, below + value]);
            }
        }
        BasisBand { index, edges }
    };
    interpolant.basis(range).into_iter().map(&mut band).collect()
}

/// The basis functions c\[k\]·w(x − k) of `filter` over `signal`, and their sum. A stacked one is the sum of those up to it.
pub fn basis_chart(signal: &Signal, filter: &Reconstruction, layout: BasisLayout, range: [f64; 2]) -> Chart {
    let mut chart = empty("Basis functions", X, range);
    chart.keys = vec!["curve of"];
    let basis = entry(&mut chart, "c[k]·w(x − k)");
    for BasisBand { index, edges } in basis_bands(signal, filter, layout, range) {
        let points = edges.into_iter().map(|[x, _, top]| [x, top]).collect();
        let part = format!("k = {index}");
        chart.series.push(ChartSeries { entry: basis, part, source: "computed", shape: SeriesShape::Line, points });
    }
    let sum = entry(&mut chart, &format!("their sum: {}", filter.label()));
    push(&mut chart, sum, "computed", SeriesShape::Line, Interpolant::new(signal, filter).curve(range));
    let samples = entry(&mut chart, ValueCurves::SAMPLES);
    let dots = signal.samples().iter().enumerate().map(|(k, sample)| [k as f64, *sample]).collect();
    push(&mut chart, samples, "samples", SeriesShape::Dots, dots);
    let ys: Vec<f64> = chart.series.iter().flat_map(|series| &series.points).map(|[_, y]| *y).collect();
    chart.y_range = span(ys.into_iter().chain([0.0]));
    chart.conclusion = Some(if filter.prefilter {
        "The coefficients c[k] are not the samples: the copies overlap, and only their sum meets each sample."
            .to_owned()
    } else if filter.method.kernel().interpolates {
        "The coefficients are the samples: at a sample only its own copy is not 0, so the sum meets it.".to_owned()
    } else {
        "The coefficients are the samples, but copies overlap at a sample, so the sum misses it: it smooths.".to_owned()
    });
    chart
}

/// B-splines of the degrees 0 to `degree`; at `place`, the value of the last as the mean of the one before.
pub fn splines_chart(degree: usize, place: f64) -> Chart {
    let grown: Vec<GrownSpline> = (0..=degree).map(GrownSpline::new).collect();
    let reach = grown.last().map_or(1.0, GrownSpline::radius) + 0.5;
    let mut chart = empty("B-splines grown from the box", DISTANCE, [-reach, reach]);
    chart.y = SPLINE;
    chart.keys = vec!["curve of"];
    for spline in &grown {
        let entry = entry(&mut chart, &spline_name(spline.degree()));
        push(&mut chart, entry, "computed", SeriesShape::Line, spline.curve());
    }
    chart.y_range = [0.0, 1.08];
    if let [.., before, last] = &grown[..] {
        let value = last.at(place);
        push(&mut chart, degree, "mean of the one before", SeriesShape::Dots, vec![[place, value]]);
        chart.conclusion = Some(format!(
            "{}({}) = {} is the mean of {} from {} to {}.",
            spline_name(degree),
            short(place),
            short(value),
            spline_name(before.degree()),
            short(place - 0.5),
            short(place + 0.5),
        ));
    } else {
        chart.conclusion = Some("The box takes the one sample within half a step: nearest. Its mean over an interval is the triangle: linear.".to_owned());
    }
    chart
}

/// The passes of the prefilter of `method`, or of the cubic B-spline if it has none, over `signal`.
pub fn prefilter_chart(signal: &Signal, method: Method, range: [f64; 2]) -> Chart {
    let (method, prefilter) = prefilter_of(method);
    let beyond = (-range[0]).max(0.0).floor();
    let passes = prefilter.passes(signal.samples(), signal.address, signal.border, beyond as u32);
    let mut chart = empty("The prefilter's passes", X, range);
    chart.keys = vec!["curve of"];
    let at = |values: &[f64]| values.iter().zip(0_i32..).map(|(y, k)| [f64::from(k) - beyond, *y]).collect::<Vec<_>>();
    let mut formulas = Vec::new();
    let has_many = passes.len() > 1;
    for (number, pass) in passes.iter().enumerate() {
        let (z, gain) = (short(pass.pole), short(Prefilter::gain(pass.pole)));
        let which = if has_many { format!(", pole {}", number + 1) } else { String::new() };
        let causal = entry(&mut chart, &format!("forwards c⁺[k]{which}"));
        push(&mut chart, causal, "causal", SeriesShape::Rings, at(&pass.causal));
        let anticausal = entry(&mut chart, &format!("backwards c[k]{which}"));
        push(&mut chart, anticausal, "anticausal", SeriesShape::Stems, at(&pass.anticausal));
        let input = if number == 0 { "s" } else { "c" };
        formulas.push(format!(
            "Forwards: c⁺[k] = {input}[k] + z·c⁺[k−1], backwards: c[k] = z·(c[k+1] − g·c⁺[k]), z = {z}, g = {gain}."
        ));
    }
    let filter = Reconstruction::of(method, true);
    let curve = entry(&mut chart, &format!("{}, through the samples", filter.label()));
    push(&mut chart, curve, "computed", SeriesShape::Line, Interpolant::exact(signal, &filter).curve(range));
    let samples = entry(&mut chart, "samples s[k]");
    let continued = passes.first().map(|pass| at(&pass.input)).unwrap_or_default();
    push(&mut chart, samples, "samples", SeriesShape::Dots, continued);
    let ys: Vec<f64> = chart.series.iter().flat_map(|series| &series.points).map(|[_, y]| *y).collect();
    chart.y_range = span(ys.into_iter().chain([0.0]));
    chart.conclusion = Some(formulas.join(" "));
    chart
}

/// `method` with its prefilter; the cubic B-spline with its own if `method` has none.
pub fn prefilter_of(method: Method) -> (Method, Prefilter) {
    let own = method.kernel().prefilter.map(|prefilter| (method, prefilter));
    own.or_else(|| Some((Method::BSPLINE, Method::BSPLINE.kernel().prefilter?))).expect("the cubic B-spline has a pole")
}

/// β with its degree.
fn spline_name(degree: usize) -> String {
    format!("β{degree}")
}

/// At most four decimals, with a true minus sign.
fn short(value: f64) -> String {
    ((value * 1e4).round() / 1e4 + 0.0).to_string().replace('-', "−")
}

pub(super) fn empty(title: &str, x: PlotAxis, x_range: [f64; 2]) -> Chart {
    Chart {
        title: title.to_owned(),
        x,
        y: VALUE,
        x_range,
        y_range: [0.0, 1.0],
        guides: Vec::new(),
        keys: Vec::new(),
        entries: Vec::new(),
        series: Vec::new(),
        conclusion: None,
    }
}

/// Adds an entry of a name; returns its index.
pub(super) fn entry(chart: &mut Chart, label: &str) -> usize {
    let mut cells = vec![label.to_owned()];
    cells.resize(chart.keys.len(), String::new());
    chart.entries.push(ChartEntry { label: label.to_owned(), cells });
    chart.entries.len() - 1
}

/// Adds the entry of a method; returns its index.
fn entry_of(chart: &mut Chart, filter: &Reconstruction) -> usize {
    let index = entry(chart, &filter.label());
    chart.entries[index].cells[1..].clone_from_slice(&[filter.method.to_string(), filter.prefilter.to_string()]);
    index
}

pub(super) fn push(chart: &mut Chart, entry: usize, source: &'static str, shape: SeriesShape, points: Vec<[f64; 2]>) {
    chart.series.push(ChartSeries { entry, part: String::new(), source, shape, points });
}

/// 32 steps a sample from one end to the other.
fn steps([from, to]: [f64; 2]) -> Vec<f64> {
    let count = ((to - from) * 32.0).round().max(1.0) as u32;
    (0..=count).map(|step| from + (to - from) * f64::from(step) / f64::from(count)).collect()
}

fn sorted(points: &[f64]) -> Vec<f64> {
    let mut points = points.to_vec();
    points.sort_by(f64::total_cmp);
    points
}

/// The range of `values` with a margin.
pub(super) fn span(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let (least, most) =
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), value| (least.min(value), most.max(value)));
    if least > most {
        return [0.0, 1.0];
    }
    let margin = if most - least < LEAST_SPAN { 0.5 } else { 0.08 * (most - least) };
    [least - margin, most + margin]
}

/// `range` with what a polynomial's `curve` reaches between the samples 0 and `last`, at most its own height to either side.
fn with_swing([low, high]: [f64; 2], curve: &[[f64; 2]], last: f64) -> [f64; 2] {
    let inside = curve.iter().filter(|[x, _]| (0.0..=last).contains(x)).map(|[_, y]| *y);
    let height = high - low;
    let (least, most) = inside.fold((low, high), |(least, most), y| (least.min(y), most.max(y)));
    [least.max(low - height), most.min(high + height)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plots::PlotFormat;
    use crate::sampling::{ADDRESS_MODES, AddressMode, METHODS, samples_of_methods};

    const RANGE: [f64; 2] = [-3.0, 13.0];

    fn assert_sound(chart: &Chart) {
        let [low, high] = chart.y_range;
        assert!(low < high, "{}: {low} to {high}", chart.title);
        for series in &chart.series {
            let name = format!("{}: {} {}", chart.title, chart.entries[series.entry].label, series.part);
            assert!(series.points.iter().flatten().all(|number| number.is_finite()), "{name}");
            assert!(series.points.is_sorted_by(|a, b| a[0] <= b[0]), "{name}");
        }
        for format in [PlotFormat::Svg, PlotFormat::Csv] {
            let bytes = chart.to_bytes(format, Chart::usual_size()).expect("a file");
            assert!(!bytes.is_empty());
        }
    }

    #[test]
    fn charts_of_every_method_and_address_mode_are_sound() {
        for row in &ADDRESS_MODES {
            let signal = Preset::Runge.signal(11).with_address(row.address);
            for method in samples_of_methods() {
                for prefilter in [false, true] {
                    let filter = Reconstruction::of(method, prefilter);
                    assert_sound(&basis_chart(&signal, &filter, BasisLayout::Stacked, RANGE));
                }
                assert_sound(&prefilter_chart(&signal, method, RANGE));
            }
        }
    }

    #[test]
    fn value_curves_have_an_entry_for_each_method_then_the_polynomial_the_function_and_the_samples() {
        let filters: Vec<Reconstruction> = METHODS.iter().map(|row| Reconstruction::of(row.method, true)).collect();
        let signal = Preset::Runge.signal(11);
        let curves = ValueCurves {
            signal: &signal,
            filters: &filters,
            points: &[4.5, 0.5],
            has_slopes: false,
            has_lagrange: true,
            preset: Some(Preset::Runge),
        };
        let chart = curves.chart(RANGE);
        assert_sound(&chart);
        let labels: Vec<&str> = chart.entries[8..].iter().map(|entry| entry.label.as_str()).collect();
        assert_eq!(labels, [ValueCurves::LAGRANGE, "Runge: 1/(1 + 25t²)", ValueCurves::SAMPLES]);
        let dots: Vec<_> = chart.series.iter().filter(|series| series.source == "at the points").collect();
        assert!(dots.len() == 8 && dots.iter().all(|dots| dots.points[0][0] == 0.5 && dots.points[1][0] == 4.5));
        let samples = chart.series.last().expect("samples");
        assert_eq!((samples.points[0], samples.points.len()), ([-3.0, 1.0 / 26.0], 17), "clamped beyond the edges");
        let text = chart.conclusion.expect("Runge's lesson");
        assert!(text.starts_with("The polynomial of degree 10 misses the function by up to 1.9"), "{text}");
        // The polynomial swings to 1.96 at the ends, within a height of the other curves.
        assert!(chart.y_range[1] > 1.9 && chart.y_range[1] < 2.3, "{:?}", chart.y_range);
        let plain = ValueCurves { has_lagrange: false, preset: None, ..curves }.chart(RANGE);
        assert!(plain.y_range[1] < 1.2 && plain.conclusion.is_none() && plain.entries.len() == 9);
    }

    #[test]
    fn slope_of_catmull_rom_at_a_sample_is_that_of_the_line_between_its_neighbours() {
        let signal = Signal::new(vec![0.5, 0.2, 0.5, 0.8, 0.5], AddressMode::Clamp, 0.0).expect("a line");
        let filters = [Reconstruction::of(Method::CATMULL_ROM, false)];
        let curves = ValueCurves {
            signal: &signal,
            filters: &filters,
            points: &[2.0],
            has_slopes: true,
            has_lagrange: false,
            preset: None,
        };
        let chart = curves.chart(RANGE);
        assert_sound(&chart);
        let line = |source: &str| {
            let series = chart.series.iter().find(|series| series.source == source).expect(source);
            (series.points.clone(), series.entry)
        };
        let ((tangent, of_curve), (chord, of_samples)) = (line("slope"), line("between neighbours"));
        assert_eq!((chord, of_curve, of_samples), (vec![[1.0, 0.2], [3.0, 0.8]], 0, 1));
        let slope = (tangent[1][1] - tangent[0][1]) / (tangent[1][0] - tangent[0][0]);
        assert!((slope - 0.3).abs() < 1e-5, "{slope}");
        let plain = ValueCurves { has_slopes: false, ..curves }.chart(RANGE);
        assert!(plain.series.iter().all(|series| !["slope", "between neighbours"].contains(&series.source)));
    }

    #[test]
    fn stacked_basis_functions_end_at_the_curve_and_overlaid_ones_start_at_zero() {
        let (signal, filter) = (Preset::Document.signal(5), Reconstruction::of(Method::BSPLINE, true));
        let curve = Interpolant::exact(&signal, &filter);
        for layout in [BasisLayout::Stacked, BasisLayout::Overlaid] {
            let chart = basis_chart(&signal, &filter, layout, [-1.0, 5.0]);
            for x in [0.0, 0.7, 2.5, 4.0] {
                let parts: Vec<f64> = chart
                    .series
                    .iter()
                    .filter(|series| series.entry == 0)
                    .filter_map(|series| Chart::value(&series.points, x))
                    .collect();
                let top = match layout {
                    BasisLayout::Stacked => parts[parts.len() - 1],
                    BasisLayout::Overlaid => parts.iter().sum(),
                };
                // Straight lines between points 1/64 apart.
                assert!((top - curve.at(x)).abs() < 1e-4, "{layout:?} at {x}: {top}, {}", curve.at(x));
            }
        }
    }

    #[test]
    fn splines_chart_marks_the_mean_of_the_degree_before() {
        let chart = splines_chart(3, 0.5);
        assert_sound(&chart);
        assert_eq!(
            chart.entries.iter().map(|entry| entry.label.as_str()).collect::<Vec<_>>(),
            ["β0", "β1", "β2", "β3"]
        );
        // β3(½) = 23/48.
        assert!((chart.series.last().expect("the mark").points[0][1] - 23.0 / 48.0).abs() < 1e-15);
        assert_eq!(chart.conclusion.as_deref(), Some("β3(0.5) = 0.4792 is the mean of β2 from 0 to 1."));
        assert_sound(&splines_chart(0, 0.5));
        assert_eq!(splines_chart(0, 0.5).entries.len(), 1);
    }

    #[test]
    fn prefilter_chart_has_two_passes_for_each_pole_and_falls_back_on_the_cubic_bspline() {
        let signal = Preset::Step.signal(10);
        let labels = |method: &str| {
            let chart = prefilter_chart(&signal, method.parse().expect(method), RANGE);
            chart.entries.into_iter().map(|entry| entry.label).collect::<Vec<_>>()
        };
        assert_eq!(
            labels("linear"),
            ["forwards c⁺[k]", "backwards c[k]", "bspline, prefilter, through the samples", "samples s[k]"]
        );
        assert_eq!(labels("bspline=5").len(), 6);
        let chart = prefilter_chart(&signal, Method::BSPLINE, RANGE);
        assert_eq!(chart.series[0].points[0][0], -3.0);
        let text = chart.conclusion.expect("the recursions");
        // (1 − z)(1 − 1/z) = 6 for z = √3 − 2.
        assert!(text.contains("z = −0.2679, g = 6."), "{text}");
    }

    #[test]
    fn equal_values_have_a_range_around_them() {
        assert_eq!(span([2.0, 2.0].into_iter()), [1.5, 2.5]);
        assert_eq!(span([].into_iter()), [0.0, 1.0]);
        let [low, high] = span([0.0, 1.0].into_iter());
        assert!(low < 0.0 && high > 1.0);
    }
}
