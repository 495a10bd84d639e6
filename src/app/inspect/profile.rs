//! The line profile: the values of every panel along a line, with the samples as dots.
//!
//! A curve has the panel's own values: the backend renders one row of pixels along the line.

use std::ops::Range;

use super::cells::sample_at;
use super::patch::{PictureSizes, unmapped, view_showing};
use crate::app::session::{PanelId, PanelName, Session};
use crate::backend::{self, Backend, Content, PixelFormat, RenderRequest};
use crate::image::{Channels, Depth, PageId, Size};
use crate::plots::{Chart, ChartEntry, ChartSeries, PlotAxis, SeriesShape};
use crate::sampling::SamplingPath;
use crate::text::short;
use crate::view::View;

/// The horizontal axis.
const DISTANCE: PlotAxis =
    PlotAxis { name: "distance", symbol: "Distance", label: "Distance along the line, in samples" };
/// Margin above and below the curves, as a share of their range, and at least, as a share of maxval.
const MARGIN: f64 = 0.08;
const LEAST_MARGIN: f64 = 0.002;
/// Number of pixels along a line, unless the panel's scale determines it.
const STEPS: u32 = 1024;
/// Maximum number of pixels along a line.
const MAX_STEPS: f64 = 4096.0;
/// Distance of a sample from a line below which it is on the line, in samples.
const ON_LINE: f64 = 0.005;

/// Values of one panel along the line.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Curve {
    /// The panel. It may have been closed since.
    pub(super) panel: PanelId,
    /// Distance from the line's start, in samples, and value of the channel on show, 1 is maxval. Two points at one distance are a step.
    pub(super) points: Vec<[f64; 2]>,
}

/// The curves of a line, with the requests that they are of.
#[derive(Default)]
pub(in crate::app) struct Profile {
    /// The channel on show, where there are colours; `None` for their mean.
    pub(in crate::app) channel: Option<usize>,
    made_for: (Option<usize>, Vec<(PanelId, PageId, RenderRequest)>),
    /// A curve for each visible panel that could be rendered.
    pub(super) curves: Vec<Curve>,
    /// The samples along the line, from the focused panel's image.
    pub(super) dots: Dots,
}

/// The samples nearest to a line, one per step along its longer axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Dots {
    /// Distance from the line's start, in samples, and value of the channel on show, 1 is maxval.
    pub(super) points: Vec<[f64; 2]>,
    /// Greatest distance of a sample from the line along the shorter axis, in samples: 0 for a line through samples. The
    /// values of other samples are not those of the curves.
    pub(super) off_line: f64,
}

impl Dots {
    /// What the plot calls them.
    fn title(&self) -> String {
        if self.off_line < ON_LINE {
            "Samples".to_owned()
        } else {
            format!("Samples within {} of the line", short(self.off_line, 2))
        }
    }

    /// Whether a plot of `width` points has room for them.
    fn fit(&self, width: f32) -> bool {
        !self.points.is_empty() && self.points.len() < width as usize / 4
    }
}

impl Profile {
    /// Invalidates the curves.
    pub(super) fn forget(&mut self) {
        self.made_for.1.clear();
    }

    /// Updates the curves if the line or a panel changed. Returns `true` if they were updated.
    pub(super) fn update(&mut self, session: &Session, backend: &mut dyn Backend) -> bool {
        let line = session.inspect.state.line;
        let request = |&index: &usize| {
            let id = session.panels()[index].id();
            Some((id, session.page_of(index).id(), along(session, index, line?)?))
        };
        let asked = (self.channel, session.visible().iter().filter_map(request).collect());
        if asked == self.made_for {
            return false;
        }
        let curve = |(panel, _, request): &(PanelId, PageId, RenderRequest)| {
            let format = PixelFormat::file(Depth::Float);
            let row = backend::render(backend, session.image_of(session.index_of(*panel)?), request, format).ok()?;
            let shown = self.shown(row.channels());
            let steps = request.view.image_from_output(request.size, request.size).steps();
            let step = steps[0][0].hypot(steps[1][0]);
            let value = |column: u32| {
                let sum: f64 = shown.clone().map(|channel| f64::from(row.number(column, 0, channel))).sum();
                [f64::from(column) * step, sum / shown.len() as f64]
            };
            let points: Vec<_> = (0..request.size.width()).map(value).collect();
            let points = if has_steps(request) { with_steps(&points) } else { points };
            Some(Curve { panel: *panel, points })
        };
        self.curves = asked.1.iter().filter_map(curve).collect();
        // The samples of a warped picture are not along the line.
        let is_plain = session.panels()[session.focused()].warp.is_none();
        self.dots = line.filter(|_| is_plain).map(|line| self.dots(session, line)).unwrap_or_default();
        self.made_for = asked;
        true
    }

    /// The curves of open panels, each with the name of its panel.
    fn named<'a>(&'a self, session: &'a Session) -> impl Iterator<Item = (&'a Curve, PanelName)> {
        self.curves.iter().filter_map(|curve| Some((curve, session.panel_name(session.index_of(curve.panel)?))))
    }
}

/// The request for one row of pixels along `line`, rotated into its direction.
fn along(session: &Session, index: usize, [start, end]: [[f64; 2]; 2]) -> Option<RenderRequest> {
    let request = unmapped(&session.request(index));
    let (across, down) = (end[0] - start[0], end[1] - start[1]);
    let length = across.hypot(down);
    // A kernel that is widened for the panel's scales has that width at these scales only.
    let [x, y] = if request.is_stretched() { request.view.scales() } else { [length / f64::from(STEPS - 1); 2] };
    let angle = (down / y).atan2(across / x);
    let step = (x * angle.cos()).hypot(y * angle.sin());
    let count = ((length / step).round() + 1.0).min(MAX_STEPS);
    if count.is_nan() || count < 2.0 {
        return None;
    }
    let size = Size::new(count as u32, 1).ok()?;
    let view = View::default().scaled([x, y]).and_then(|view| view.rotated(angle.to_degrees())).ok()?;
    let sizes = PictureSizes { output: size, page: session.page_of(index).size() };
    let view = view_showing(&view, sizes, [0.0; 2], start)?;
    let mut sampler = request.sampler;
    if sampler.path == SamplingPath::Tiled {
        // The tiled path does not serve rotated views; the exact path has the same arithmetic.
        sampler.path = SamplingPath::Auto;
    }
    Some(RenderRequest { size, view, sampler, ..request })
}

/// Whether the values of `request` are those of single samples, so that they change at once half way between two.
fn has_steps(request: &RenderRequest) -> bool {
    let is_interpolated = request.content == Content::Interpolation && !request.filters.after.is_active();
    is_interpolated && request.sampler.method.kernel().taps == 1 && !request.is_stretched()
}

/// `points` with upright steps: half way between two points of different values there are two at one distance.
fn with_steps(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut stepped: Vec<[f64; 2]> = points.first().copied().into_iter().collect();
    for pair in points.windows(2) {
        let [[x0, y0], [x1, y1]] = [pair[0], pair[1]];
        if y0 != y1 {
            let middle = 0.5 * (x0 + x1);
            stepped.extend([[middle, y0], [middle, y1]]);
        }
        stepped.push([x1, y1]);
    }
    stepped
}

impl Profile {
    /// The channels whose mean is shown, of those of a picture.
    fn shown(&self, channels: Channels) -> Range<usize> {
        self.channel_in(channels).map_or(0..channels.opaque().count(), |channel| channel..channel + 1)
    }

    /// The samples nearest to the line; none if it is longer than [`MAX_STEPS`].
    fn dots(&self, session: &Session, [start, end]: [[f64; 2]; 2]) -> Dots {
        let (page, sampler) = (session.page(), session.panels()[session.focused()].sampler);
        let towards = [end[0] - start[0], end[1] - start[1]];
        let length = towards[0].hypot(towards[1]);
        let axis = usize::from(towards[1].abs() > towards[0].abs());
        let (low, high) = (start[axis].min(end[axis]), start[axis].max(end[axis]));
        if length == 0.0 || high - low > MAX_STEPS {
            return Dots::default();
        }
        let mut off_line = 0.0_f64;
        let mut dot = |step: i64| {
            let share = (step as f64 - start[axis]) / towards[axis];
            let mut index = [step; 2];
            let across = start[1 - axis] + share * towards[1 - axis];
            index[1 - axis] = (across + 0.5).floor() as i64;
            off_line = off_line.max((across - index[1 - axis] as f64).abs());
            let values = sample_at(&page, &sampler, index);
            let shown = self.shown(page.channels());
            let sum: f64 = shown.clone().filter_map(|channel| values.get(channel)).map(|value| f64::from(*value)).sum();
            [share * length, sum / shown.len() as f64]
        };
        let (low, high) = (low.ceil() as i64, high.floor() as i64);
        let mut points: Vec<[f64; 2]> = (low..=high).map(&mut dot).collect();
        points.sort_by(|a, b| a[0].total_cmp(&b[0]));
        Dots { points, off_line }
    }
}

impl Profile {
    /// The chart of the curves, with values of which `one` is maxval, and of the dots if a plot of `width` points has room for them. Its
    /// entries are those of [`Profile::names`], then the samples.
    pub(in crate::app) fn chart(&self, session: &Session, one: f64, width: f32) -> Chart {
        let scaled = |points: &[[f64; 2]]| points.iter().map(|[x, y]| [*x, y * one]).collect::<Vec<_>>();
        let mut chart = Chart {
            title: "Line profile".to_owned(),
            x: DISTANCE,
            y: PlotAxis { name: "value", symbol: "v", label: self.label(session, one != 1.0) },
            x_range: [0.0, self.length().max(f64::MIN_POSITIVE)],
            y_range: [0.0, 1.0],
            guides: Vec::new(),
            keys: vec!["panel"],
            entries: Vec::new(),
            series: Vec::new(),
            conclusion: None,
        };
        let mut push = |label: String, shape: SeriesShape, source: &'static str, points: &[[f64; 2]]| {
            let entry = chart.entries.len();
            chart.entries.push(ChartEntry { cells: vec![label.clone()], label });
            chart.series.push(ChartSeries { entry, part: String::new(), source, shape, points: scaled(points) });
        };
        for (curve, name) in self.named(session) {
            push(name.numbered(), SeriesShape::Line, "interpolated", &curve.points);
        }
        if self.dots.fit(width) {
            push(self.dots.title(), SeriesShape::Dots, "samples", &self.dots.points);
        }
        let values = chart.series.iter().flat_map(|series| &series.points).map(|[_, y]| *y).filter(|y| y.is_finite());
        let (least, most) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), y| (a.min(y), b.max(y)));
        if least <= most {
            // A level curve has a range, too.
            let margin = (MARGIN * (most - least)).max(LEAST_MARGIN * one);
            chart.y_range = [least - margin, most + margin];
        }
        chart
    }

    /// Whether there is no curve.
    pub(in crate::app) fn is_empty(&self) -> bool {
        self.curves.is_empty()
    }

    /// The names of the panels of the curves.
    pub(in crate::app) fn names<'a>(&'a self, session: &'a Session) -> impl Iterator<Item = PanelName> {
        self.named(session).map(|(_, name)| name)
    }

    /// Length of the line, in samples.
    pub(in crate::app) fn length(&self) -> f64 {
        self.curves.iter().flat_map(|curve| &curve.points).map(|[x, _]| *x).fold(0.0, f64::max)
    }

    /// What the values are.
    fn label(&self, session: &Session, has_levels: bool) -> &'static str {
        let channels = session.page().channels();
        match (channels.opaque().count(), self.channel_in(channels), has_levels) {
            (1, _, true) => "Value, in levels",
            (1, _, false) => "Value",
            (_, None, true) => "Mean of R, G, B, in levels",
            (_, None, false) => "Mean of R, G, B",
            (_, Some(0), true) => "Red, in levels",
            (_, Some(0), false) => "Red",
            (_, Some(1), true) => "Green, in levels",
            (_, Some(1), false) => "Green",
            (_, Some(_), true) => "Blue, in levels",
            (_, Some(_), false) => "Blue",
        }
    }

    /// The channel on show, if `channels` have it and others; `None` for the mean of all.
    fn channel_in(&self, channels: Channels) -> Option<usize> {
        let count = channels.opaque().count();
        self.channel.filter(|channel| count > 1 && *channel < count)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::backend::CpuBackend;
    use crate::image::{Channels, Image, Page, Raster, Samples};
    use crate::test_support::size;

    fn ramp() -> Session {
        let image_size = size(32, 32);
        let values = (0..image_size.area()).map(|place| (place % 32) as f32 + 100.0 * (place / 32) as f32).collect();
        let raster = Raster::new(image_size, Channels::Grey, Samples::F32(values)).expect("a raster");
        let mut session = Session::new(Arc::new(Image::new("ramp", vec![Page::new(raster)]).expect("an image")));
        session.resize(size(200, 150));
        session
    }

    #[test]
    fn curve_has_the_values_of_the_panels_method_along_the_line() {
        let mut session = ramp();
        let (start, end) = ([4.0, 6.0], [20.0, 18.0]);
        session.inspect.state.line = Some([start, end]);
        let mut profile = Profile::default();
        assert!(profile.update(&session, &mut CpuBackend::new()));
        assert_eq!(profile.curves.len(), 4);
        let linear =
            profile.curves.iter().find(|curve| curve.panel == session.panels()[1].id()).expect("the linear panel");
        for [distance, value] in &linear.points {
            let share = distance / 20.0;
            let expected = (4.0 + 16.0 * share) + 100.0 * (6.0 + 12.0 * share);
            assert!((value - expected).abs() < 1e-2, "{value} is not {expected} at {distance}");
        }
        let last = linear.points.last().expect("a point");
        assert!((last[0] - 20.0).abs() < 1e-9);
        assert!(!profile.update(&session, &mut CpuBackend::new()));
    }

    #[test]
    fn dots_of_a_horizontal_line_are_its_samples() {
        let mut session = ramp();
        session.inspect.state.line = Some([[9.5, 3.0], [5.0, 3.0]]);
        let found = Profile::default().dots(&session, [[9.5, 3.0], [5.0, 3.0]]);
        let expected = [[0.5, 309.0], [1.5, 308.0], [2.5, 307.0], [3.5, 306.0], [4.5, 305.0]];
        assert_eq!((found.points, found.off_line), (expected.to_vec(), 0.0));
        assert_eq!(Profile::default().dots(&session, [[1.0, 1.0]; 2]), Dots::default());
    }

    #[test]
    fn dots_of_an_oblique_line_are_up_to_half_a_sample_beside_it() {
        let session = ramp();
        // Rows 3, 3.25, 3.5 … 4 at the columns 2 … 6.
        let found = Profile::default().dots(&session, [[2.0, 3.0], [6.0, 4.0]]);
        let values: Vec<f64> = found.points.iter().map(|point| point[1]).collect();
        assert_eq!((values, found.off_line), (vec![302.0, 303.0, 404.0, 405.0, 406.0], 0.5));
        assert_eq!(found.title(), "Samples within 0.5 of the line");
    }

    #[test]
    fn line_of_zero_length_has_no_curve() {
        let mut session = ramp();
        session.inspect.state.line = Some([[3.0, 3.0]; 2]);
        let mut profile = Profile::default();
        profile.update(&session, &mut CpuBackend::new());
        assert!(profile.curves.is_empty());
    }

    #[test]
    fn nearest_has_upright_steps_half_way_between_samples_and_the_other_methods_none() {
        let mut session = ramp();
        session.inspect.state.line = Some([[4.0, 6.0], [20.0, 6.0]]);
        let mut profile = Profile::default();
        profile.update(&session, &mut CpuBackend::new());
        let steps = |panel: usize| -> Vec<f64> {
            let id = session.panels()[panel].id();
            let curve = profile.curves.iter().find(|curve| curve.panel == id).expect("a curve");
            let is_step = |pair: &&[[f64; 2]]| pair[0][0] == pair[1][0];
            curve.points.windows(2).filter(is_step).map(|pair| pair[0][0]).collect()
        };
        let of_nearest = steps(0);
        assert_eq!(of_nearest.len(), 16);
        for (index, at) in of_nearest.iter().enumerate() {
            assert!((at - (index as f64 + 0.5)).abs() < 0.01, "{at}");
        }
        assert!(steps(1).is_empty());
        let chart = profile.chart(&session, 1.0, 900.0);
        assert_eq!((chart.entries.len(), chart.y.label), (5, "Value"));
        let [low, high] = chart.y_range;
        assert!(low < 604.0 && high > 620.0, "no curve lies on the frame");
    }

    #[test]
    fn channel_of_a_colour_picture_is_its_own_curve() {
        let values = [[0.1_f32, 0.4, 0.7]; 64].concat();
        let raster = Raster::new(size(8, 8), Channels::Rgb, Samples::F32(values)).expect("a raster");
        let mut session = Session::new(Arc::new(Image::new("colour", vec![Page::new(raster)]).expect("an image")));
        session.resize(size(200, 150));
        session.inspect.state.line = Some([[1.0, 2.0], [6.0, 2.0]]);
        let mut profile = Profile::default();
        for (channel, value, label) in [(None, 0.4, "Mean of R, G, B"), (Some(0), 0.1, "Red"), (Some(2), 0.7, "Blue")] {
            profile.channel = channel;
            assert!(profile.update(&session, &mut CpuBackend::new()));
            let points = profile.curves.iter().flat_map(|curve| &curve.points).chain(&profile.dots.points);
            assert!(points.clone().count() > 4 && points.clone().all(|[_, y]| (y - value).abs() < 1e-6));
            assert_eq!(profile.chart(&session, 1.0, 900.0).y.label, label);
        }
    }
}
