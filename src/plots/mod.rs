//! Plots of interpolation methods: kernels, weights, responses, and the fractions of texture fetches.
//!
//! A [`Plot`] is a value: curves of points with the ranges to show. The window draws its [`Chart`], and [`PlotFormat`]s
//! write that to files.
//! Curves are computed from the weights that every backend uses ([`Taps`](crate::sampling::Taps)); responses are also
//! measured, by an impulse that goes through a backend ([`Measured`]). The response of image filters with the interpolation
//! between them is that of a [`FilterChain`].

mod chart;
mod drawing;
mod file;
mod filter_response;
mod fractions;
mod kind;
mod local_frequency;
mod measured;
mod reconstruction;
mod response;
mod style;
mod table;

pub use chart::{Chart, ChartEntry, ChartSeries, SeriesShape};
pub use file::{PLOT_FORMATS, PlotFileError, PlotFormat, PlotFormatRow};
pub use filter_response::FilterChain;
pub use fractions::PairFraction;
pub use kind::{Guide, PLOT_KINDS, PlotAxis, PlotKind, PlotKindRow};
pub use local_frequency::local_frequency;
pub use measured::Measured;
pub use reconstruction::Reconstruction;
pub use response::{Complex, Response};
pub use style::{CURVE_COLOURS, CURVE_DASHES, Dash};

/// Frequencies of a plot: 0 to 2 cycles per sample.
const MOST_FREQUENCY: f64 = 2.0;
/// Number of steps between them, for a computed curve and for measured dots.
const FREQUENCY_STEPS: u32 = 400;
const MEASURED_STEPS: u32 = 50;
/// Measured pixels between two dots of a response to an impulse or a step.
const PIXELS_BETWEEN_DOTS: usize = 8;
/// The least value in decibels. Zeros of a response are far below it.
const LEAST_DB: f64 = -120.0;
/// Magnitude of an impulse response below which a plot does not show it.
const FAINT: f64 = 4e-3;
/// Margin above and below the curves of a plot, as a share of their range.
const MARGIN: f64 = 0.08;

/// A plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// The kind.
    pub kind: PlotKind,
    /// The filters, in the order of their styles.
    pub filters: Vec<Reconstruction>,
    /// Their curves.
    pub curves: Vec<PlotCurve>,
    /// Range of x to show.
    pub x: [f64; 2],
    /// Range of y to show; curves may leave it.
    pub y: [f64; 2],
    /// What follows from the curves, in a sentence.
    pub conclusion: Option<String>,
}

/// A curve of a plot.
#[derive(Clone, Debug, PartialEq)]
pub struct PlotCurve {
    /// Index of its filter in [`Plot::filters`].
    pub filter: usize,
    /// Which curve of the filter it is: `w1`; empty where there is one.
    pub part: String,
    /// Whether the points are values of a backend. They are drawn as dots.
    pub is_measured: bool,
    /// x and y, by rising x.
    pub points: Vec<[f64; 2]>,
}

impl Plot {
    /// The plot of `filters`, with dots of the first of them if they were `measured`.
    pub fn new(kind: PlotKind, filters: &[Reconstruction], measured: &[Measured]) -> Self {
        let of_filter = |(place, filter): (usize, &Reconstruction)| {
            curves(kind, filter, measured.get(place)).into_iter().map(move |curve| PlotCurve { filter: place, ..curve })
        };
        Self::of_curves(kind, filters.to_vec(), filters.iter().enumerate().flat_map(of_filter).collect())
    }

    /// The plot of `curves` that are made already: of each filter those of [`curves()`].
    pub fn of_curves(kind: PlotKind, filters: Vec<Reconstruction>, mut curves: Vec<PlotCurve>) -> Self {
        let x = match kind {
            PlotKind::Weights | PlotKind::Fractions => [0.0, 1.0],
            PlotKind::Response | PlotKind::ResponseDb => [0.0, MOST_FREQUENCY],
            PlotKind::Kernel | PlotKind::Impulse | PlotKind::Step | PlotKind::Filters => {
                let points = curves.iter().flat_map(|curve| &curve.points);
                // A response of filters may be low everywhere.
                let most = points.map(|[_, y]| y.abs()).fold(0.0, f64::max);
                let is_far = |[_, y]: &&[f64; 2]| match kind {
                    PlotKind::Step => y.abs() > FAINT && (y - 1.0).abs() > FAINT,
                    PlotKind::Filters => y.abs() > FAINT * most,
                    _ => y.abs() > FAINT,
                };
                let points = curves.iter().flat_map(|curve| &curve.points).filter(is_far);
                let reach = points.map(|[x, _]| x.abs().ceil()).fold(2.0, f64::max);
                let x = [-reach, reach];
                curves.iter_mut().filter(|curve| !curve.is_measured).for_each(|curve| curve.continue_to(x));
                x
            }
        };
        let y = match kind {
            PlotKind::ResponseDb => [-80.0, 5.0],
            PlotKind::Fractions => [-0.3, 1.3],
            PlotKind::Kernel
            | PlotKind::Weights
            | PlotKind::Impulse
            | PlotKind::Step
            | PlotKind::Filters
            | PlotKind::Response => {
                let ys = curves.iter().flat_map(|curve| &curve.points).map(|[_, y]| *y);
                // A response of filters may be low everywhere; one that is 0 has no range of its own.
                let is_low = kind == PlotKind::Filters && ys.clone().any(|y| y > 1e-9);
                let greatest = if is_low { 0.0 } else { 1.0 };
                let range = |(least, most): (f64, f64), y: f64| (least.min(y), most.max(y));
                let (least, greatest) = ys.fold((0.0, greatest), range);
                // No curve lies on the frame.
                let margin = MARGIN * (greatest - least);
                [least - margin, greatest + margin]
            }
        };
        let conclusion = match kind {
            PlotKind::Fractions => {
                let mut methods = Vec::new();
                for filter in &filters {
                    if !methods.contains(&filter.method) {
                        methods.push(filter.method);
                    }
                }
                Some(fractions::conclusion(&methods))
            }
            PlotKind::Kernel
            | PlotKind::Weights
            | PlotKind::Impulse
            | PlotKind::Step
            | PlotKind::Filters
            | PlotKind::Response
            | PlotKind::ResponseDb => None,
        };
        Self { kind, filters, curves, x, y, conclusion }
    }

    /// The plot as a chart: an entry for each filter, a series for each curve.
    pub fn chart(&self) -> Chart {
        let row = self.kind.row();
        let entry = |filter: &Reconstruction| {
            let label = filter.label();
            let cells = vec![label.clone(), filter.method.to_string(), filter.prefilter.to_string()];
            ChartEntry { label, cells }
        };
        let series = |curve: &PlotCurve| {
            let (source, shape) =
                if curve.is_measured { ("measured", SeriesShape::Dots) } else { ("computed", SeriesShape::Line) };
            ChartSeries { entry: curve.filter, part: curve.part.clone(), source, shape, points: curve.points.clone() }
        };
        Chart {
            title: row.title.to_owned(),
            x: row.x,
            y: row.y,
            x_range: self.x,
            y_range: self.y,
            guides: row.guides.to_vec(),
            keys: vec!["filter", "method", "prefilter"],
            entries: self.filters.iter().map(entry).collect(),
            series: self.curves.iter().map(series).collect(),
            conclusion: self.conclusion.clone(),
        }
    }
}

impl PlotCurve {
    /// Continues the curve by its outermost values to both ends of `x`.
    fn continue_to(&mut self, x: [f64; 2]) {
        if let Some([_, y]) = self.points.first().copied().filter(|[first, _]| *first > x[0]) {
            self.points.insert(0, [x[0], y]);
        }
        if let Some([_, y]) = self.points.last().copied().filter(|[last, _]| *last < x[1]) {
            self.points.push([x[1], y]);
        }
    }
}

/// The curves of `filter`, with dots if it was `measured` and the kind shows them. Their [`PlotCurve::filter`] is 0. Of
/// [`PlotKind::Filters`] they are those of a chain without filters; others have [`FilterChain::curves`].
pub fn curves(kind: PlotKind, filter: &Reconstruction, measured: Option<&Measured>) -> Vec<PlotCurve> {
    let measured = measured.filter(|_| kind.row().is_measured);
    match kind {
        PlotKind::Kernel => vec![computed("", kernel(filter))],
        PlotKind::Weights => weights(filter),
        PlotKind::Fractions => {
            let pairs = PairFraction::all(filter.method);
            pairs.iter().flat_map(|pair| between_poles(pair).map(|points| computed(&pair.label(), points))).collect()
        }
        PlotKind::Impulse | PlotKind::Step | PlotKind::Filters => {
            let response = |response: Response| if kind == PlotKind::Step { response.accumulated() } else { response };
            let exact = computed("", response(filter.impulse()).points());
            let dots = measured.map(|measured| {
                let response = if kind == PlotKind::Step { &measured.step } else { &measured.impulse };
                response.iter().copied().step_by(PIXELS_BETWEEN_DOTS).collect()
            });
            [exact].into_iter().chain(dots.map(dotted)).collect()
        }
        PlotKind::Response | PlotKind::ResponseDb => {
            let points = |frequencies: &[f64], spectrum: Vec<Complex>| {
                let magnitude = |[re, im]: Complex| match kind {
                    PlotKind::ResponseDb => (20.0 * re.hypot(im).log10()).max(LEAST_DB),
                    _ => re.hypot(im),
                };
                frequencies.iter().copied().zip(spectrum).map(|(f, h)| [f, magnitude(h)]).collect::<Vec<_>>()
            };
            let (fine, coarse) = (frequencies(FREQUENCY_STEPS), frequencies(MEASURED_STEPS));
            let exact = computed("", points(&fine, filter.spectrum(&fine)));
            let dots = measured.map(|measured| points(&coarse, measured.spectrum(&coarse)));
            [exact].into_iter().chain(dots.map(dotted)).collect()
        }
    }
}

fn frequencies(steps: u32) -> Vec<f64> {
    (0..=steps).map(|step| MOST_FREQUENCY * f64::from(step) / f64::from(steps)).collect()
}

fn computed(part: &str, points: Vec<[f64; 2]>) -> PlotCurve {
    PlotCurve { filter: 0, part: part.to_owned(), is_measured: false, points }
}

fn dotted(points: Vec<[f64; 2]>) -> PlotCurve {
    PlotCurve { filter: 0, part: String::new(), is_measured: true, points }
}

/// w(d), widened, from beyond its support to the other side. Its points are those of the kernel that is not widened: their number does not
/// depend on the factor, which is a million in the most reduced view, and the kinks are among them.
fn kernel(filter: &Reconstruction) -> Vec<[f64; 2]> {
    let (kernel, stretch) = (filter.method.kernel(), filter.stretch.unwrap_or(1.0));
    let plain = Reconstruction { stretch: None, ..*filter };
    let reach = plain.radius().ceil() as i64 + 1;
    let fractions = plain.curve_fractions();
    let distances = (-reach..reach).flat_map(|start| fractions.iter().map(move |fraction| start as f64 + fraction));
    distances.map(|d| [d * stretch, kernel.weight(d)]).collect()
}

/// The weights of the samples that positions between two samples read, over the fraction of the position.
fn weights(filter: &Reconstruction) -> Vec<PlotCurve> {
    let response = filter.weights_over_fraction();
    (0..).zip(response).map(|(index, points): (usize, _)| computed(&format!("w{index}"), points)).collect()
}

/// The parts of a fraction between its poles, where the sum of the two weights changes its sign.
fn between_poles(pair: &PairFraction) -> impl Iterator<Item = Vec<[f64; 2]>> + '_ {
    let jumps = |a: &[f64; 2], b: &[f64; 2]| (a[1] - b[1]).abs() < 4.0;
    pair.points.chunk_by(jumps).filter(|part| part.len() > 1).map(<[_]>::to_vec)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::CpuBackend;
    use crate::sampling::{METHODS, Method, samples_of_methods};

    fn plot(kind: PlotKind, methods: &[Method]) -> Plot {
        let filters: Vec<Reconstruction> = methods.iter().map(|&method| Reconstruction::of(method, true)).collect();
        let measure = |filter: &Reconstruction| Measured::new(filter, &mut CpuBackend::new()).expect("a render");
        Plot::new(kind, &filters, &filters.iter().map(measure).collect::<Vec<_>>())
    }

    #[test]
    fn every_kind_has_curves_of_every_method_with_finite_points_by_rising_x() {
        for row in &PLOT_KINDS {
            for method in samples_of_methods() {
                let plot = plot(row.kind, &[method]);
                let reads_one = row.kind == PlotKind::Fractions && method == Method::Nearest;
                assert_eq!(plot.curves.is_empty(), reads_one, "{row:?} {method}");
                for curve in &plot.curves {
                    assert!(curve.points.is_sorted_by(|a, b| a[0] < b[0]), "{} {method}", row.name);
                    assert!(curve.points.iter().flatten().all(|number| number.is_finite()), "{} {method}", row.name);
                }
                let dots = plot.curves.iter().filter(|curve| curve.is_measured).count();
                assert_eq!(dots, usize::from(row.is_measured), "{} {method}", row.name);
            }
        }
    }

    #[test]
    fn measured_dots_are_on_their_curves() {
        let methods = METHODS.each_ref().map(|row| row.method);
        for kind in [PlotKind::Impulse, PlotKind::Step, PlotKind::Response] {
            let plot = plot(kind, &methods);
            for dots in plot.curves.iter().filter(|curve| curve.is_measured) {
                let is_line = |curve: &&PlotCurve| curve.filter == dots.filter && !curve.is_measured;
                let line = plot.curves.iter().find(is_line).expect("a curve");
                for [x, y] in dots.points.iter().filter(|[x, _]| (plot.x[0]..=plot.x[1]).contains(x)) {
                    let value = Chart::value(&line.points, *x).expect("within the curve");
                    assert!((value - y).abs() < 2e-3, "{kind} {}: {y} at {x}, not {value}", methods[dots.filter]);
                }
            }
        }
    }

    #[test]
    fn weights_of_a_position_sum_to_one_at_each_fraction() {
        for method in METHODS.iter().map(|row| row.method) {
            let plot = plot(PlotKind::Weights, &[method]);
            for point in 0..plot.curves[0].points.len() {
                let sum: f64 = plot.curves.iter().map(|curve| curve.points[point][1]).sum();
                assert!((sum - 1.0).abs() < 1e-12, "{method}: {sum}");
            }
        }
        let linear = plot(PlotKind::Weights, &[Method::Linear]);
        let at = |curve: usize| Chart::value(&linear.curves[curve].points, 0.25).expect("inside");
        assert_eq!((linear.curves.len(), at(0), at(1)), (2, 0.75, 0.25));
    }

    #[test]
    fn widened_kernel_has_as_many_points_and_its_weights_at_wider_distances() {
        for method in samples_of_methods() {
            let plain = Reconstruction { stretch: None, ..Reconstruction::of(method, false) };
            let narrow = kernel(&plain);
            for stretch in [1.5, 1_048_576.0] {
                let wide = kernel(&Reconstruction { stretch: Some(stretch), ..plain });
                let is_scaled = |(a, b): (&[f64; 2], &[f64; 2])| a[0] * stretch == b[0] && a[1] == b[1];
                assert!(narrow.len() == wide.len() && narrow.iter().zip(&wide).all(is_scaled), "{method} at {stretch}");
            }
        }
    }

    #[test]
    fn ranges_show_what_is_visible_of_the_curves() {
        assert_eq!(plot(PlotKind::Kernel, &[Method::Linear, Method::LANCZOS3]).x, [-3.0, 3.0]);
        let cardinal = plot(PlotKind::Impulse, &[Method::BSPLINE]).x[1];
        assert!((4.0..=6.0).contains(&cardinal), "{cardinal}");
        let step = plot(PlotKind::Step, &[Method::CATMULL_ROM]);
        assert!(step.y[0] < -0.07 && step.y[1] > 1.07, "{:?}", step.y);
        assert_eq!(plot(PlotKind::Response, &[Method::Linear]).x, [0.0, 2.0]);
    }

    #[test]
    fn conclusion_is_of_the_fractions_alone_and_names_each_method_once() {
        for row in &PLOT_KINDS {
            let found = plot(row.kind, &[Method::BSPLINE, Method::BSPLINE]).conclusion;
            assert_eq!(found.is_some(), row.kind == PlotKind::Fractions);
            assert!(found.is_none_or(|found| found.matches("bspline").count() == 1));
        }
    }
}
