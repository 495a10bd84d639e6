//! Offsets of fitted views. A fitted image stands off the middle of its panel where an inset stands beside it. The panel's own view stays
//! centred: commands, saved pictures and the numbers of its position do not have the offset.

use super::Session;
use super::history::Framing;
use super::panels::PanelId;
use crate::backend::RenderRequest;
use crate::view::View;

impl Session {
    /// Sets how far the fitted images of panels stand off the middle, in output pixels, right and down. Panels that are not named have no
    /// offset.
    pub(in crate::app) fn set_fit_offsets(&mut self, offsets: Vec<(PanelId, [f64; 2])>) {
        self.fit_offsets = offsets;
    }

    /// The view that panel `index` shows at rest: its own, with the offset of a fitted one.
    pub(in crate::app) fn rest_view_of(&self, index: usize) -> View {
        let panel = &self.panels[index];
        let offset = self.fit_offsets.iter().find(|(id, _)| *id == panel.id && panel.framing == Framing::Fit);
        offset.map_or(panel.view, |(_, offset_px)| panel.view.panned(*offset_px))
    }

    /// The render request of panel `index` with its own view: without animation and without offset, as commands and saved pictures
    /// have it.
    pub(in crate::app) fn own_request(&self, index: usize) -> RenderRequest {
        RenderRequest { view: self.view_of(index), ..self.request(index) }
    }

    /// Sides of the box around the image of panel `index` in its view, in output pixels; around all images, if all panels show the
    /// same samples.
    pub(in crate::app) fn fitted_box_px(&self, index: usize) -> [f64; 2] {
        self.view_of(index).box_px(self.extent_of(index))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::history::Change;
    use super::super::preferences::Preferences;
    use super::*;
    use crate::image::{Channels, Depth, Image, Page, Raster};
    use crate::test_support::size;

    const OFFSET_PX: [f64; 2] = [-66.0, 0.0];

    fn session() -> Session {
        let page = Page::new(Raster::zeros(size(512, 512), Channels::Grey, Depth::EIGHT));
        let mut session = Session::new(Arc::new(Image::new("zeros", vec![page]).expect("an image")));
        session.resize(size(508, 368));
        let offsets = session.panels().iter().map(|panel| (panel.id(), OFFSET_PX)).collect();
        session.set_fit_offsets(offsets);
        session
    }

    #[test]
    fn fitted_image_is_shown_off_the_middle_and_its_own_view_stays_centred() {
        let session = session();
        for index in 0..4 {
            let centred = View::fit(size(508, 368), size(512, 512));
            assert_eq!((session.view_of(index), session.own_request(index).view), (centred, centred));
            let shown = session.request(index).view;
            assert_eq!(shown.scale(), centred.scale());
            let map = shown.image_from_output(session.output(), size(512, 512));
            let [left, _] = map.inverse_at([-0.5, 0.0]);
            assert!((left + 0.5 - (0.5 * (508.0 - 368.0) - 66.0)).abs() < 1e-9, "{left}");
        }
    }

    /// What is shown is moved on: nothing jumps where a gesture ends the fitted view.
    #[test]
    fn gestures_begin_at_the_view_that_is_shown() {
        let mut session = session();
        let shown = session.shown_view_of(1);
        session.pan_in(1, [3.0, 2.0]);
        assert_eq!(session.shown_view_of(1), shown.panned([3.0, 2.0]));
        session.back();
        assert_eq!(session.shown_view_of(1), shown, "fitted again");
        session.pan([0.0, 5.0]);
        assert_eq!(session.shown_view_of(0), shown.panned([0.0, 5.0]));
    }

    #[test]
    fn animation_of_a_fit_ends_at_the_offset() {
        let mut session = session();
        let fitted = session.shown_view_of(0);
        session.go(View::new([40.0, 3.0], 0.25).expect("a view"), Framing::Free, Change::Jump);
        session.tick(5.0);
        session.animate(&Preferences::default(), Session::fit);
        session.tick(5.05);
        assert!(session.is_animating() && session.shown_view_of(0) != fitted);
        session.tick(6.0);
        assert_eq!((session.shown_view_of(0), session.is_animating()), (fitted, false));
    }
}
