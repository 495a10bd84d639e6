//! Kernels of the visible panels: curves of the weight w(d) by the distance d of a sample.

use crate::app::session::Session;
use crate::backend::Content;
use crate::plots::{Chart, Plot, PlotKind, Reconstruction};

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
    /// The chart of the kernels, with an entry for each visible panel that interpolates, and the indices of those panels.
    pub(in crate::app) fn update(&mut self, session: &Session) -> (&Chart, Vec<usize>) {
        let interpolates = |index: &usize| session.panels()[*index].content == Content::Interpolation;
        let panels: Vec<usize> = session.visible().into_iter().filter(interpolates).collect();
        let filter =
            |index: &usize| Reconstruction::new(&session.request(*index).sampler, session.view_of(*index).scale());
        let filters: Vec<Reconstruction> = panels.iter().map(filter).collect();
        if filters != self.filters {
            self.chart = chart_of(&filters);
            self.filters = filters;
        }
        (&self.chart, panels)
    }
}

fn chart_of(filters: &[Reconstruction]) -> Chart {
    Plot::new(PlotKind::Kernel, filters, &[]).chart()
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
        let (chart, _) = curves.update(session);
        let series = chart.series.iter().find(|series| series.entry == entry).expect("a curve");
        Chart::value(&series.points, d).expect("a value")
    }

    /// Linear: 1 − |d|. Catmull-Rom: 1 − 5/2 d² + 3/2 |d|³ up to 1 (Keys 1981, a = −1/2).
    #[test]
    fn curves_are_the_kernels_of_visible_panels_as_wide_as_their_views_make_them() {
        let page = Page::new(Raster::zeros(size(64, 64), Channels::Grey, Depth::EIGHT));
        let mut session = Session::new(Arc::new(Image::new("zeros", vec![page]).expect("an image")));
        session.resize(size(512, 512));
        let mut curves = KernelCurves::default();
        assert_eq!(curves.update(&session).1, [0, 1, 2, 3]);
        for d in [0.0, 0.25, 0.5, 0.75] {
            assert!((value_of(&mut curves, &session, 1, d) - (1.0 - d)).abs() < 1e-3);
            let cubic = 1.0 - 2.5 * d * d + 1.5 * d * d * d;
            assert!((value_of(&mut curves, &session, 3, d) - cubic).abs() < 1e-3, "{d}");
        }
        // Antialiased at two samples a pixel: twice as wide.
        session.resize(size(32, 32));
        assert!((value_of(&mut curves, &session, 1, 1.0) / value_of(&mut curves, &session, 1, 0.0) - 0.5).abs() < 1e-3);
        session.go(View::default(), Framing::Free, Change::Jump);
        assert!((value_of(&mut curves, &session, 1, 0.5) - 0.5).abs() < 1e-3, "not reduced");
        // The most reduced view has no more points.
        let reduced = View::new([0.0; 2], View::SCALES.1).expect("a view");
        session.go(reduced, Framing::Free, Change::Jump);
        let (chart, _) = curves.update(&session);
        assert!(chart.series.iter().all(|series| series.points.len() < 10_000));
        session.go(View::default(), Framing::Free, Change::Jump);
        // The truth has no kernel.
        session.set_content(1, Content::Truth);
        assert_eq!(curves.update(&session).1, [0, 2, 3]);
        session.focused_panel().sampler.method = Method::CATMULL_ROM;
        assert!((value_of(&mut curves, &session, 0, 0.5) - 0.5625).abs() < 1e-3, "another method");
    }
}
