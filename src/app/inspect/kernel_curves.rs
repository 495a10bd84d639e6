//! Kernels of the visible panels, or of their insets where these are drawn: curves of the weight by the distance d of a sample. With a
//! prefilter that is h(d) = Σ c[j]·w(d − j), where c is the response of the prefilter to an impulse: the weights are those of samples, not of
//! coefficients (Unser, Aldroubi, Eden 1993, part II). Weights of a widened kernel are times its widening: the curve is as high as that of
//! the kernel itself.

use super::curve_labels::label_places;
use super::inset::Insets;
use crate::app::session::Session;
use crate::backend::Content;
use crate::plots::{Chart, Plot, PlotCurve, PlotKind, Reconstruction, curves};

/// Greatest widening at which a prefilter is seen in the curve. It is smooth beyond, and its number of points grows with the widening.
const MOST_FILTERED: f64 = 16.0;

/// Greatest difference of the weights of curves that are drawn as alike, and number of the distances at which they are compared.
const ALIKE: f64 = 0.04;
const DISTANCES: u32 = 96;

/// The curves, with the filters that they are made of.
#[derive(Debug)]
pub(in crate::app) struct KernelCurves {
    filters: Vec<Reconstruction>,
    chart: Chart,
    labels: Option<Labels>,
    /// Pairs of entries whose curves are alike, the lower index first.
    alike: Option<Vec<[usize; 2]>>,
}

/// Places of labels.
#[derive(Debug)]
struct Labels {
    /// Size of the plot, in points.
    size: [f64; 2],
    /// x and y in the chart, one for each entry.
    places: Vec<Option<[f64; 2]>>,
}

impl Default for KernelCurves {
    fn default() -> Self {
        Self { filters: Vec::new(), chart: chart_of(&[]), labels: None, alike: None }
    }
}

impl KernelCurves {
    /// How many times as wide as without antialiasing the kernel of the focused panel is; `None` if it has its own width.
    pub(in crate::app) fn widening(session: &Session, insets: &Insets) -> Option<f64> {
        filter_of(session, insets, session.focused()).stretch
    }

    /// Makes the chart of the kernels, with an entry for each visible panel that interpolates. Returns the indices of those panels.
    pub(in crate::app) fn update(&mut self, session: &Session, insets: &Insets) -> Vec<usize> {
        let interpolates = |index: &usize| session.panels()[*index].content == Content::Interpolation;
        let panels: Vec<usize> = session.visible().into_iter().filter(interpolates).collect();
        let filters: Vec<Reconstruction> = panels.iter().map(|index| filter_of(session, insets, *index)).collect();
        if filters != self.filters {
            self.chart = chart_of(&filters);
            self.filters = filters;
            self.labels = None;
            self.alike = None;
        }
        panels
    }

    /// The chart.
    pub(in crate::app) fn chart(&self) -> &Chart {
        &self.chart
    }

    /// Groups of entries whose curves are alike. The entries of a group have the order of `order`.
    pub(in crate::app) fn groups(&mut self, order: &[usize]) -> Vec<Vec<usize>> {
        let (chart, count) = (&self.chart, self.filters.len());
        let alike = self.alike.get_or_insert_with(|| {
            let pairs = (0..count).flat_map(|second| (0..second).map(move |first| [first, second]));
            pairs.filter(|pair| are_alike(chart, *pair)).collect()
        });
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for &entry in order {
            let is_alike = |other: &usize| alike.contains(&[entry.min(*other), entry.max(*other)]);
            match groups.iter_mut().find(|group| group.iter().any(is_alike)) {
                Some(group) => group.push(entry),
                None => groups.push(vec![entry]),
            }
        }
        groups
    }

    /// A place for the label of each entry in a plot of `size` points: x and y in the chart. `None` without a free one.
    pub(in crate::app) fn label_places(&mut self, size: [f64; 2]) -> &[Option<[f64; 2]>] {
        let labels = self.labels.take().filter(|labels| labels.size == size);
        let made = || Labels { size, places: places_in(&self.chart, size, self.filters.len()) };
        &self.labels.insert(labels.unwrap_or_else(made)).places
    }
}

/// The filter of panel `index`: at the scale of its inset if one is drawn, else at that of its view.
fn filter_of(session: &Session, insets: &Insets, index: usize) -> Reconstruction {
    let of_inset = insets.scale_of(session.panels()[index].id());
    let scale = of_inset.unwrap_or_else(|| session.rest_view_of(index).scale());
    Reconstruction::new(&session.request(index).sampler, scale)
}

/// Whether the weights of two entries differ by less than [`ALIKE`] at every distance.
fn are_alike(chart: &Chart, [first, second]: [usize; 2]) -> bool {
    let weight = |entry: usize, d: f64| {
        let of_entry = chart.series.iter().filter(|series| series.entry == entry);
        of_entry.filter_map(|series| Chart::value(&series.points, d)).next().unwrap_or(0.0)
    };
    let [left, right] = chart.x_range;
    let mut distances = (0..=DISTANCES).map(|at| left + (right - left) * f64::from(at) / f64::from(DISTANCES));
    distances.all(|d| (weight(first, d) - weight(second, d)).abs() < ALIKE)
}

/// The places of the labels of the `count` entries of `chart` in a plot of `size` points.
fn places_in(chart: &Chart, size: [f64; 2], count: usize) -> Vec<Option<[f64; 2]>> {
    let ranges = [chart.x_range, [chart.y_range[1], chart.y_range[0]]];
    let to_points = |value: [f64; 2]| {
        [0, 1].map(|axis: usize| (value[axis] - ranges[axis][0]) / (ranges[axis][1] - ranges[axis][0]) * size[axis])
    };
    let from_points = |place: [f64; 2]| {
        [0, 1].map(|axis: usize| ranges[axis][0] + place[axis] / size[axis] * (ranges[axis][1] - ranges[axis][0]))
    };
    let curve_of = |entry: usize| {
        let series = chart.series.iter().filter(|series| series.entry == entry);
        series.flat_map(|series| series.points.iter().copied().map(to_points)).collect()
    };
    let curves: Vec<Vec<[f64; 2]>> = (0..count).map(curve_of).collect();
    let [_, zero] = to_points([0.0; 2]);
    label_places(&curves, size, zero).into_iter().map(|place| place.map(from_points)).collect()
}

/// The weights that a chart reaches at least: the axes stay where they are from method to method.
const WEIGHTS: [f64; 2] = [-0.2, 1.08];

/// The chart of the kernels of `filters`, an entry for each. Curves are drawn from one end of their support to the other.
pub(super) fn chart_of(filters: &[Reconstruction]) -> Chart {
    let curves = filters
        .iter()
        .enumerate()
        .flat_map(|(filter, of)| curves_of(of).into_iter().map(move |curve| PlotCurve { filter, ..curve }));
    let mut chart = Plot::of_curves(PlotKind::Kernel, filters.to_vec(), curves.collect()).chart();
    chart.series.iter_mut().for_each(|series| cut_to_support(&mut series.points));
    let [low, high] = chart.y_range;
    chart.y_range = [low.min(WEIGHTS[0]), high.max(WEIGHTS[1])];
    chart
}

/// The curve of `filter`.
fn curves_of(filter: &Reconstruction) -> Vec<PlotCurve> {
    let widening = filter.stretch.unwrap_or(1.0);
    if !filter.prefilter || widening > MOST_FILTERED {
        return curves(PlotKind::Kernel, filter, None);
    }
    let mut found = curves(PlotKind::Impulse, filter, None);
    found.iter_mut().flat_map(|curve| &mut curve.points).for_each(|[_, weight]| *weight *= widening);
    found
}

/// Removes the points before and behind the support, but the last and the first of them: the curve begins and ends at the weight 0.
fn cut_to_support(points: &mut Vec<[f64; 2]>) {
    let has_weight = |[_, weight]: &[f64; 2]| *weight != 0.0;
    let Some(last) = points.iter().rposition(has_weight) else { return };
    points.truncate(last + 2);
    let first = points.iter().position(has_weight).unwrap_or(0);
    points.drain(..first.saturating_sub(1));
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::app::session::history::{Change, Framing};
    use crate::image::{Channels, Depth, Image, Page, Raster};
    use crate::sampling::{METHODS, Method};
    use crate::test_support::size;
    use crate::view::View;

    /// Of the methods that differ, those of two pairs differ by less than 0.04 at every distance.
    #[test]
    fn groups_are_of_equal_methods_and_of_two_pairs() {
        let page = Page::new(Raster::zeros(size(64, 64), Channels::Grey, Depth::EIGHT));
        let mut session = Session::new(Arc::new(Image::new("zeros", vec![page]).expect("an image")));
        session.resize(size(512, 512));
        session.go(View::new([0.0; 2], 0.125).expect("a view"), Framing::Free, Change::Jump);
        let mut curves = KernelCurves::default();
        let mut of_pair = |methods: [Method; 2]| {
            for (panel, method) in methods.into_iter().enumerate() {
                session.focus(panel);
                session.focused_panel().sampler.method = method;
            }
            curves.update(&session, &Insets::default());
            curves.groups(&[0, 1])
        };
        let close = [[Method::CATMULL_ROM, Method::LANCZOS2], [Method::LANCZOS3, Method::LANCZOS4]];
        for first in METHODS.iter().map(|row| row.method) {
            for second in METHODS.iter().map(|row| row.method) {
                let are_alike =
                    first == second || close.iter().any(|pair| pair.contains(&first) && pair.contains(&second));
                let expected = if are_alike { vec![vec![0, 1]] } else { vec![vec![0], vec![1]] };
                assert_eq!(of_pair([first, second]), expected, "{} and {}", first.title(), second.title());
            }
        }
    }

    fn value_of(curves: &mut KernelCurves, session: &Session, entry: usize, d: f64) -> f64 {
        curves.update(session, &Insets::default());
        let series = curves.chart().series.iter().find(|series| series.entry == entry).expect("a curve");
        Chart::value(&series.points, d).expect("a value")
    }

    /// Linear: 1 − |d|. Catmull-Rom: 1 − 5/2 d² + 3/2 |d|³ up to 1 (Keys 1981, a = −1/2).
    #[test]
    fn curves_are_the_kernels_of_visible_panels_as_wide_as_their_views_make_them() {
        let page = Page::new(Raster::zeros(size(64, 64), Channels::Grey, Depth::EIGHT));
        let mut session = Session::new(Arc::new(Image::new("zeros", vec![page]).expect("an image")));
        session.resize(size(512, 512));
        let mut curves = KernelCurves::default();
        assert_eq!(curves.update(&session, &Insets::default()), [0, 1, 2, 3]);
        for d in [0.0, 0.25, 0.5, 0.75] {
            assert!((value_of(&mut curves, &session, 1, d) - (1.0 - d)).abs() < 1e-3);
            let cubic = 1.0 - 2.5 * d * d + 1.5 * d * d * d;
            assert!((value_of(&mut curves, &session, 3, d) - cubic).abs() < 1e-3, "{d}");
        }
        // No curve is drawn where all weights are 0.
        for (entry, radius) in [(0, 0.5), (1, 1.0), (2, 2.0), (3, 2.0)] {
            let series = curves.chart().series.iter().find(|series| series.entry == entry).expect("a curve");
            let [from, to] = [series.points[0], series.points[series.points.len() - 1]];
            let is_end = |[d, weight]: [f64; 2]| (d.abs() - radius).abs() < 0.01 && weight.abs() < 1e-12;
            assert!(is_end(from) && is_end(to) && from[0] < to[0], "{entry}: {from:?} {to:?}");
        }
        // Antialiased at two samples a pixel: twice as wide.
        session.resize(size(32, 32));
        assert!((value_of(&mut curves, &session, 1, 1.0) / value_of(&mut curves, &session, 1, 0.0) - 0.5).abs() < 1e-3);
        session.go(View::default(), Framing::Free, Change::Jump);
        assert!((value_of(&mut curves, &session, 1, 0.5) - 0.5).abs() < 1e-3, "not reduced");
        // The most reduced view has no more points.
        let reduced = View::new([0.0; 2], View::SCALES.1).expect("a view");
        session.go(reduced, Framing::Free, Change::Jump);
        curves.update(&session, &Insets::default());
        assert!(curves.chart().series.iter().all(|series| series.points.len() < 10_000));
        session.go(View::default(), Framing::Free, Change::Jump);
        // The truth has no kernel.
        session.set_content(1, Content::Truth);
        assert_eq!(curves.update(&session, &Insets::default()), [0, 2, 3]);
        session.focused_panel().sampler.method = Method::CATMULL_ROM;
        assert!((value_of(&mut curves, &session, 0, 0.5) - 0.5625).abs() < 1e-3, "another method");
    }

    /// The B-spline of degree 3 has the weights 2/3 and 1/6 of coefficients at whole distances; the cardinal one interpolates, and is
    /// Σ c[j]·β(½ − j) at ½ with c[j] = √3·(√3 − 2)^|j| (Unser, Aldroubi, Eden 1993, part II).
    #[test]
    fn curve_of_a_prefiltered_panel_has_the_weights_of_samples() {
        let page = Page::new(Raster::zeros(size(64, 64), Channels::Grey, Depth::EIGHT));
        let mut session = Session::new(Arc::new(Image::new("zeros", vec![page]).expect("an image")));
        session.resize(size(512, 512));
        let mut curves = KernelCurves::default();
        let spline = |d: f64| match d.abs() {
            d if d < 1.0 => 2.0 / 3.0 - d * d + 0.5 * d.powi(3),
            d if d < 2.0 => (2.0 - d).powi(3) / 6.0,
            _ => 0.0,
        };
        session.focused_panel().sampler.method = Method::BSPLINE;
        session.focused_panel().sampler.prefilter = false;
        for d in [0.0, 0.5, 1.0] {
            assert!((value_of(&mut curves, &session, 0, d) - spline(d)).abs() < 1e-6, "{d}");
        }
        session.focused_panel().sampler.prefilter = true;
        let coefficient = |j: i32| 3.0_f64.sqrt() * (3.0_f64.sqrt() - 2.0).powi(j.abs());
        for d in [0.0, 0.5, 1.0, 1.5, 2.0] {
            let cardinal: f64 = (-40..=40).map(|j| coefficient(j) * spline(d - f64::from(j))).sum();
            assert!((value_of(&mut curves, &session, 0, d) - cardinal).abs() < 1e-6, "{d}: {cardinal}");
            if d.fract() == 0.0 {
                assert!((cardinal - f64::from(u8::from(d == 0.0))).abs() < 1e-9, "it interpolates");
            }
        }
        // Widened by two, it is the sum of widened kernels; most reduced, it has no more points than the others.
        session.focused_panel().sampler.antialias = true;
        session.go(View::new([0.0; 2], 2.0).expect("a view"), Framing::Free, Change::Jump);
        assert_eq!(KernelCurves::widening(&session, &Insets::default()), Some(2.0));
        let height = value_of(&mut curves, &session, 0, 0.0);
        let widened: f64 = (-40..=40).map(|j| coefficient(j) * spline(f64::from(j) / 2.0)).sum();
        assert!((height - widened).abs() < 1e-6, "{height}, not {widened}");
        session.go(View::new([0.0; 2], View::SCALES.1).expect("a view"), Framing::Free, Change::Jump);
        curves.update(&session, &Insets::default());
        assert!(curves.chart().series.iter().all(|series| series.points.len() < 10_000));
    }

    /// The four methods of a first window, in the side bar of a window of the usual size.
    #[test]
    fn labels_are_on_their_curves_and_follow_the_methods() {
        let page = Page::new(Raster::zeros(size(64, 64), Channels::Grey, Depth::EIGHT));
        let mut session = Session::new(Arc::new(Image::new("zeros", vec![page]).expect("an image")));
        session.resize(size(512, 512));
        let mut curves = KernelCurves::default();
        for plot in [[234.0, 48.0], [234.0, 80.0], [300.0, 96.0]] {
            curves.update(&session, &Insets::default());
            let places = curves.label_places(plot).to_vec();
            assert_eq!(places.len(), 4);
            assert!(plot[1] < 80.0 || places.iter().all(Option::is_some), "{plot:?}: {places:?}");
            for (entry, place) in places.into_iter().enumerate().skip(1) {
                let Some([x, y]) = place else { continue };
                assert!((value_of(&mut curves, &session, entry, x) - y).abs() < 0.02, "{entry}: {x} {y}");
            }
        }
        session.focused_panel().sampler.method = Method::Linear;
        curves.update(&session, &Insets::default());
        let places = curves.label_places([234.0, 80.0]);
        assert!(places.iter().all(Option::is_some) && places[0] != places[1], "two curves are alike: {places:?}");
    }
}
