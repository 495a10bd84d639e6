//! Kernels of the visible panels, or of their insets where these are drawn: curves of the weight by the distance d of a sample. With a
//! prefilter that is h(d) = Σ c[j]·w(d − j), where c is the response of the prefilter to an impulse: the weights are those of samples, not of
//! coefficients (Unser, Aldroubi, Eden 1993, part II). Weights of a widened kernel are times its widening: the curve is as high as that of
//! the kernel itself.

use super::inset::Insets;
use crate::app::session::Session;
use crate::backend::Content;
use crate::plots::{Chart, Plot, PlotCurve, PlotKind, Reconstruction, curves};

/// Greatest widening at which a prefilter is seen in the curve. It is smooth beyond, and its number of points grows with the widening.
const MOST_FILTERED: f64 = 16.0;

/// The curves, with the filters that they are made of.
#[derive(Debug)]
pub(in crate::app) struct KernelCurves {
    filters: Vec<Reconstruction>,
    chart: Chart,
}

impl Default for KernelCurves {
    fn default() -> Self {
        Self { filters: Vec::new(), chart: chart_of(&[]) }
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
        }
        panels
    }

    /// The chart.
    pub(in crate::app) fn chart(&self) -> &Chart {
        &self.chart
    }
}

/// The filter of panel `index`: at the scale of its inset if one is drawn, else at that of its view.
fn filter_of(session: &Session, insets: &Insets, index: usize) -> Reconstruction {
    let of_inset = insets.scale_of(session.panels()[index].id());
    let scale = of_inset.unwrap_or_else(|| session.rest_view_of(index).scale());
    Reconstruction::new(&session.request(index).sampler, scale)
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
    use crate::sampling::Method;
    use crate::test_support::size;
    use crate::view::View;

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
}
