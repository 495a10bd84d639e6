//! The views of the panels. A change moves one panel; the link mode determines how the others follow.

use super::Session;
use super::history::{Change, Framing};
use super::link::{Link, Motion, aligned};
use crate::image::{Size, Truth};
use crate::view::{View, reduced_deg};

impl Session {
    /// View of the focused panel.
    pub fn view(&self) -> View {
        self.view_of(self.focused)
    }

    /// View of panel `index`.
    pub fn view_of(&self, index: usize) -> View {
        self.panels[index].view
    }

    /// Position in the middle of the focused panel's picture, in samples.
    pub(in crate::app) fn middle_of_view(&self) -> [f64; 2] {
        let middle = self.output.sides().map(|side| (f64::from(side) - 1.0) / 2.0);
        self.view().image_from_output(self.output, self.page().size()).at(middle)
    }

    /// How the focused panel's view follows the size of the picture.
    pub fn framing(&self) -> Framing {
        self.panels[self.focused].framing
    }

    /// The link mode.
    pub fn link(&self) -> Link {
        self.link
    }

    /// Sets the link mode. [`Link::Absolute`] moves all panels to the focused panel's view.
    pub fn set_link(&mut self, link: Link) {
        if link != self.link {
            self.end_burst();
            self.link = link;
            if link == Link::Absolute {
                let (view, framing) = (self.view(), self.framing());
                self.go(view, framing, Change::Jump);
                self.reframe();
            }
        }
    }

    /// Sets the size of the pictures. A fitted view is fitted again, a snapped view is snapped again, any other keeps
    /// its values. The sample at the centre of the picture stays there.
    pub fn resize(&mut self, output: Size) {
        self.resize_with_margin(output, self.fit_margin_px);
    }

    /// The same with a margin of `fit_margin_px` around fitted images, in physical pixels; 0 at first.
    pub fn resize_with_margin(&mut self, output: Size, fit_margin_px: u32) {
        if (output, fit_margin_px) != (self.output, self.fit_margin_px) {
            (self.output, self.fit_margin_px) = (output, fit_margin_px);
            self.finish_animation_for_resize();
            self.reframe_views();
            self.reopen();
        }
    }

    /// Updates all views for the sizes of the picture and of the pages.
    pub(super) fn reframe(&mut self) {
        self.finish_animation();
        self.reframe_views();
    }

    pub(super) fn reframe_views(&mut self) {
        match self.link {
            Link::Absolute => self.lead(self.focused, self.reframed(self.focused)),
            Link::Relative => {
                let is_fit = |index: &usize| self.panels[*index].framing == Framing::Fit;
                let lead = (0..self.panels.len()).find(is_fit).unwrap_or(self.focused);
                self.lead(lead, self.reframed(lead));
            }
            Link::Off => {
                for index in 0..self.panels.len() {
                    self.panels[index].view = self.reframed(index);
                }
            }
        }
    }

    /// View of panel `index` according to its framing.
    fn reframed(&self, index: usize) -> View {
        let view = self.view_of(index);
        match self.panels[index].framing {
            Framing::Fit => self.fitted(index),
            Framing::Snapped => self.snapped(index, view),
            Framing::Free => self.view_of_region(index).unwrap_or(view),
        }
    }

    /// The view that shows panel `index`'s whole image within the margin, at its angle; the largest image's, if all panels show the
    /// same samples.
    fn fitted(&self, index: usize) -> View {
        self.fitted_as(index, self.view_of(index))
    }

    /// The same at the angle and the ratio of scales of `view`. A centred view is independent of the size of its picture, so that
    /// the one that fills the middle of the picture is one of the picture.
    fn fitted_as(&self, index: usize, view: View) -> View {
        let whole = self.extent_of(index);
        aligned(view.fitted(self.fit_area(), whole), whole, self.page_of(index).size())
    }

    /// Size of the image of panel `index`; the size that contains all images, if all panels show the same samples.
    pub(super) fn extent_of(&self, index: usize) -> Size {
        let own = self.page_of(index).size();
        if self.link != Link::Absolute {
            return own;
        }
        let both = |a: Size, b: Size| Size::new(a.width().max(b.width()), a.height().max(b.height())).unwrap_or(a);
        self.sizes().into_iter().fold(own, both)
    }

    /// Sets the view of panel `index`; linked panels follow.
    pub(super) fn lead(&mut self, index: usize, to: View) {
        let (from, size) = (self.view_of(index), self.page_of(index).size());
        self.panels[index].view = to;
        let framing = self.panels[index].framing;
        for other in (0..self.panels.len()).filter(|other| *other != index) {
            let page = self.page_of(other).size();
            let panel = &mut self.panels[other];
            match self.link {
                Link::Absolute => (panel.view, panel.framing) = (aligned(to, size, page), framing),
                Link::Relative if to != from => {
                    (panel.view, panel.framing) = (Motion { from, to }.applied(panel.view), Framing::Free);
                }
                Link::Relative | Link::Off => {}
            }
        }
    }

    /// Moves the focused panel to `view`; linked panels follow. The history records the earlier views.
    pub fn go(&mut self, view: View, framing: Framing, change: Change) {
        self.go_in(self.focused, view, framing, change);
    }

    /// Moves panel `index` to `view`; linked panels follow. The history records the earlier views.
    pub fn go_in(&mut self, index: usize, view: View, framing: Framing, change: Change) {
        if view != self.view_of(index) {
            let left = self.panels.iter().map(|panel| (panel.id, panel.view, panel.framing)).collect();
            self.history.leave(left, change, self.now_s);
            self.is_opening = false;
        }
        self.finish_animation();
        self.forget_regions(index);
        self.panels[index].framing = framing;
        self.lead(index, view);
    }

    /// Returns to the views left last.
    pub fn back(&mut self) {
        for (id, view, framing) in self.history.back().into_iter().flatten() {
            if let Some(panel) = self.panels.iter_mut().find(|panel| panel.id == id) {
                (panel.view, panel.framing) = (view, framing);
            }
        }
        self.reframe();
    }

    /// Whether the middle of panel `index`'s picture is outside its image.
    pub fn is_off_image(&self, index: usize) -> bool {
        self.way_to_image(index) != [0.0; 2]
    }

    /// The way from the middle of panel `index`'s picture to the nearest sample of its image, in samples.
    fn way_to_image(&self, index: usize) -> [f64; 2] {
        let page = self.page_of(index).size();
        let middle = self.middle().map(|middle| middle - 0.5);
        let [x, y] = self.view_of(index).image_from_output(self.output, page).at(middle);
        let way = |at: f64, side: u32| at.clamp(0.0, f64::from(side) - 1.0) - at;
        // Fitted images of one sample are half a pixel off the middle.
        let beyond = |way: f64| if way.abs() <= 0.5 { 0.0 } else { way };
        [beyond(way(x, page.width())), beyond(way(y, page.height()))]
    }

    /// The way from the middle of panel `index`'s picture to the nearest sample of its image, in output pixels; `None` while
    /// a part of the image is visible.
    pub fn way_back(&self, index: usize) -> Option<[f64; 2]> {
        let page = self.page_of(index).size();
        let map = self.shown_view_of(index).image_from_output(self.output, page);
        let side = |side: u32| f64::from(side) - 0.5;
        let (image, output) =
            ([page.width(), page.height()].map(side), [self.output.width(), self.output.height()].map(side));
        // Two rectangles, turned against each other, are disjoint if a side of either separates them.
        let is_apart = separates(output, corners(image).map(|corner| map.inverse_at(corner)))
            || separates(image, corners(output).map(|corner| map.at(corner)));
        is_apart.then(|| {
            let middle = self.middle().map(|middle| middle - 0.5);
            let [x, y] = map.at(middle);
            let nearest = [x.clamp(-0.5, image[0]), y.clamp(-0.5, image[1])];
            let to = map.inverse_at(nearest);
            [to[0] - middle[0], to[1] - middle[1]]
        })
    }

    /// Moves panel `index` so that its image fills the picture, as little as that takes; along an axis where the image is shorter it is in the
    /// middle. Of a turned image, whose box has empty corners, the middle of the picture shows the nearest sample.
    pub fn return_to_image(&mut self, index: usize) {
        let view = self.view_of(index);
        let to = if view.angle_deg() % 90.0 == 0.0 {
            Ok(view.panned(self.way_into_picture(index)))
        } else {
            let ([x, y], way) = (view.translation(), self.way_to_image(index));
            view.translated([x + way[0], y + way[1]])
        };
        if let Ok(to) = to {
            self.go_in(index, to, Framing::Free, Change::Jump);
        }
    }

    /// The shortest way on which the image of panel `index`, which is parallel to the picture, comes to fill the picture, or to its middle along
    /// an axis where it is shorter, in output pixels.
    fn way_into_picture(&self, index: usize) -> [f64; 2] {
        let page = self.page_of(index).size();
        let map = self.view_of(index).image_from_output(self.output, page);
        let image = [page.width(), page.height()].map(|side| f64::from(side) - 0.5);
        let corners = corners(image).map(|corner| map.inverse_at(corner));
        [0, 1].map(|axis: usize| {
            let (least, most) = corners.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), corner| {
                (least.min(corner[axis]), most.max(corner[axis]))
            });
            let (to_first, to_last) = (-0.5 - least, f64::from(self.output.sides()[axis]) - 0.5 - most);
            if to_last > to_first { (to_first + to_last) / 2.0 } else { 0.0_f64.clamp(to_last, to_first) }
        })
    }

    /// Whether the history has views.
    pub fn can_go_back(&self) -> bool {
        !self.history.is_empty()
    }

    /// The output pixel of panel `index` that shows `pos_in_image`; `None` if it is outside the picture.
    pub fn pixel_at(&self, index: usize, pos_in_image: [f64; 2]) -> Option<[u32; 2]> {
        let map = self.shown_view_of(index).image_from_output(self.output, self.page_of(index).size());
        let [x, y] = map.inverse_at(pos_in_image).map(f64::round);
        let (width, height) = (f64::from(self.output.width()), f64::from(self.output.height()));
        let is_inside = (0.0..width).contains(&x) && (0.0..height).contains(&y);
        is_inside.then_some([x as u32, y as u32])
    }

    /// Ends the current history step: the next change is a step of its own.
    pub fn end_burst(&mut self) {
        self.history.pause();
    }

    /// Shows the focused panel's whole image.
    pub fn fit(&mut self) {
        self.fit_in(self.focused);
    }

    /// Shows panel `index`'s whole image.
    pub fn fit_in(&mut self, index: usize) {
        self.go_in(index, self.fitted(index), Framing::Fit, Change::Jump);
    }

    /// Turns the focused panel about its centre to `angle_deg`. A fitted view is fitted again; a snapped view is snapped again
    /// if its rows and columns stay parallel to the picture's.
    pub fn turn_to(&mut self, angle_deg: f64) {
        let index = self.focused;
        let turned = self.view().rotated_about(self.middle(), angle_deg, self.output);
        let is_quarter = turned.angle_deg() % 90.0 == 0.0;
        match self.framing() {
            Framing::Fit => self.go_in(index, self.fitted_as(index, turned), Framing::Fit, Change::Jump),
            Framing::Snapped if is_quarter => {
                self.go_in(index, self.snapped(index, turned), Framing::Snapped, Change::Jump);
            }
            Framing::Snapped | Framing::Free => self.go_in(index, turned, Framing::Free, Change::Jump),
        }
    }

    /// Stretches the focused panel in height to `stretch` times its width, about its centre; 1 is for square pixels. The scale
    /// along x stays. A fitted view is fitted again, a snapped one is snapped again. A stretch that no view has changes
    /// nothing.
    pub fn stretch_to(&mut self, stretch: f64) {
        let (index, view) = (self.focused, self.view());
        let Ok(to) = view.scaled([view.scale(), view.scale() / stretch]) else { return };
        let (to, framing) = match self.framing() {
            Framing::Fit => (self.fitted_as(index, to), Framing::Fit),
            Framing::Snapped => {
                let about = view.rescaled_about(self.middle(), to.scales(), self.output);
                (self.snapped(index, about), Framing::Snapped)
            }
            Framing::Free => (view.rescaled_about(self.middle(), to.scales(), self.output), Framing::Free),
        };
        self.go_in(index, to, framing, Change::Jump);
    }

    /// Turns the focused panel about its centre by `by_deg`, counter-clockwise.
    pub fn turn_by(&mut self, by_deg: f64) {
        self.turn_to(reduced_deg(self.view().angle_deg() + by_deg));
    }

    /// The output position of the picture's centre.
    pub fn middle(&self) -> [f64; 2] {
        [f64::from(self.output.width()) / 2.0, f64::from(self.output.height()) / 2.0]
    }

    /// Sets the scale along x, in samples per output pixel, snapped, about the output position `about`; the ratio of the scales
    /// stays. From a fitted view the image stays centred.
    pub fn show_at(&mut self, scale: f64, about: [f64; 2], change: Change) {
        let (index, page) = (self.focused, self.page().size());
        let view = if self.framing() == Framing::Fit && about == self.middle() {
            let whole = self.extent_of(self.focused);
            let scale = scale.clamp(View::ZOOM_SCALES.0, View::ZOOM_SCALES.1);
            let centred = aligned(self.view().centred_at(scale).snapped(self.output, whole), whole, page);
            if self.original_scale(index).is_some() { self.snapped(index, centred) } else { centred }
        } else {
            self.snapped(index, self.view().zoomed_about(about, scale, self.output))
        };
        self.go_in(self.focused, view, Framing::Snapped, change);
    }

    /// The scale at which panel `index` shows each sample of its page's original as a pixel; `None` if its page was not
    /// decimated.
    fn original_scale(&self, index: usize) -> Option<f64> {
        match self.page_of(index).truth()? {
            Truth::Original(original) => Some(f64::from(original.factor().get()).recip()),
            Truth::Formula(_) | Truth::Function(_) => None,
        }
    }

    /// `view` of panel `index` with its translation rounded so that x(0) and y(0) are whole multiples of the scale; at the
    /// scale of an original, so that they are on its samples.
    pub(in crate::app) fn snapped(&self, index: usize, view: View) -> View {
        let page = self.page_of(index).size();
        let is_at = |scale: f64| view.scales().iter().all(|own| (own / scale - 1.0).abs() < 1e-9);
        let is_original = self.original_scale(index).is_some_and(is_at);
        // An even number n of samples of the original has its centre, a sample of the page, between two of them.
        let n = view.scale().recip().round();
        let phase = if is_original && n % 2.0 == 0.0 { 0.5 } else { 0.0 };
        view.snapped_to(phase, self.output, page)
    }

    /// Shows the original of the focused panel's page sample by sample, if the page was decimated.
    pub fn show_original(&mut self) {
        if let Some(scale) = self.original_scale(self.focused) {
            self.show_at(scale, self.middle(), Change::Jump);
        }
    }

    /// Pans the focused panel by output pixels.
    pub fn pan(&mut self, by_px: [f64; 2]) {
        let index = self.focused;
        self.finish_animation();
        let (view, framing) = (self.rest_view_of(index).panned(by_px), self.framing_panned(index, by_px));
        self.go_in(index, view, framing, Change::Pan);
    }

    /// Pans the view that panel `index` shows at this time by output pixels.
    pub fn pan_in(&mut self, index: usize, by_px: [f64; 2]) {
        let (view, framing) = (self.shown_view_of(index).panned(by_px), self.framing_panned(index, by_px));
        self.go_in(index, view, framing, Change::Pan);
    }

    /// Framing after a pan: a snapped view that is not animating stays snapped if it is panned by whole pixels.
    fn framing_panned(&self, index: usize, by_px: [f64; 2]) -> Framing {
        let is_whole = by_px.iter().all(|px| px.fract() == 0.0);
        let rests = self.panels[index].framing == Framing::Snapped && !self.is_animating();
        if rests && is_whole { Framing::Snapped } else { Framing::Free }
    }
}

/// Corners of the rectangle from (−½, −½) to `end`.
fn corners(end: [f64; 2]) -> [[f64; 2]; 4] {
    [[-0.5, -0.5], [end[0], -0.5], [-0.5, end[1]], end]
}

/// Whether all `corners` lie beyond one side of the rectangle from (−½, −½) to `end`.
fn separates(end: [f64; 2], corners: [[f64; 2]; 4]) -> bool {
    (0..2).any(|axis| {
        corners.iter().all(|corner| corner[axis] <= -0.5) || corners.iter().all(|corner| corner[axis] >= end[axis])
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::preferences::Preferences;
    use super::*;
    use crate::image::{Channels, Depth, Image, Page, Raster};
    use crate::test_support::size;

    /// Four panels of one image with the relative link mode.
    fn relative() -> Session {
        let page = Page::new(Raster::zeros(size(512, 400), Channels::Grey, Depth::EIGHT));
        let mut session = Session::new(Arc::new(Image::new("zeros", vec![page]).expect("an image")));
        session.resize(size(500, 400));
        session.set_link(Link::Relative);
        session
    }

    fn framings(session: &Session) -> Vec<Framing> {
        session.panels.iter().map(crate::app::session::Panel::framing).collect()
    }

    /// A fitted panel is fitted again, and the others follow it, whichever has the focus.
    #[test]
    fn resized_window_fits_the_fitted_panel_and_relatively_linked_panels_follow() {
        for (fitted, focused) in (0..4).flat_map(|fitted| (0..4).map(move |focused| (fitted, focused))) {
            let mut session = relative();
            // Moved without a link, the other panels have a free framing.
            session.set_link(Link::Off);
            for index in (0..4).filter(|index| *index != fitted) {
                let view = View::new([index as f64 * 7.0, 3.0], 0.5 + index as f64 / 8.0).expect("a view");
                session.go_in(index, view, Framing::Free, Change::Jump);
            }
            session.set_link(Link::Relative);
            session.focus(focused);
            let before: Vec<View> = (0..4).map(|index| session.view_of(index)).collect();
            let output = size(251, 333);
            session.resize(output);
            let fit = View::fit(output, size(512, 400));
            assert_eq!(session.view_of(fitted), fit, "{fitted} is fitted, {focused} has the focus");
            // All scales change by the same ratio.
            let ratio = fit.scale() / before[fitted].scale();
            for (index, before) in before.iter().enumerate() {
                let expected = before.scale() * ratio;
                assert!((session.view_of(index).scale() / expected - 1.0).abs() < 1e-12, "panel {index}");
            }
        }
    }

    /// Panels that follow are no longer fitted, so that a resize does not move them back.
    #[test]
    fn resized_window_keeps_the_views_of_panels_that_followed() {
        for moved in 0..4 {
            let mut session = relative();
            let to = session.view_of(moved).zoomed_about([100.0, 50.0], 0.125, session.output());
            session.go_in(moved, to, Framing::Free, Change::Zoom);
            assert_eq!(framings(&session), [Framing::Free; 4]);
            let views: Vec<View> = (0..4).map(|index| session.view_of(index)).collect();
            assert!(views.iter().all(|view| *view == to), "{views:?}");
            session.resize(size(640, 300));
            for (index, view) in views.into_iter().enumerate() {
                assert_eq!(session.view_of(index), view, "panel {index} after {moved} was moved");
            }
        }
    }

    /// Views and framings of the other panels after one panel moved, for each link mode.
    #[test]
    fn moved_panel_leads_the_others_by_the_link_mode() {
        for link in [Link::Absolute, Link::Relative, Link::Off] {
            let mut session = relative();
            session.set_link(Link::Off);
            let other = View::new([20.0, -5.0], 2.0).expect("a view");
            session.go_in(2, other, Framing::Snapped, Change::Jump);
            session.go_in(0, View::new([1.0, 2.0], 1.0).expect("a view"), Framing::Free, Change::Jump);
            session.link = link;
            let to = View::new([5.0, -2.0], 0.5).expect("a view");
            session.go_in(0, to, Framing::Free, Change::Jump);
            let (view, framing) = (session.view_of(2), session.panels[2].framing);
            match link {
                Link::Absolute => assert_eq!((view, framing), (to, Framing::Free)),
                // Its pixels are twice as wide: twice the scale, and twice as many samples of translation.
                Link::Relative => {
                    assert_eq!((view.scale(), framing), (1.0, Framing::Free));
                    assert_eq!(view.translation(), [20.0 + 4.0 * 2.0, -5.0 - 4.0 * 2.0]);
                }
                Link::Off => assert_eq!((view, framing), (other, Framing::Snapped)),
            }
        }
    }

    /// An animation of one panel does not affect the others.
    #[test]
    fn animation_shows_only_the_moved_panel_in_motion() {
        let mut session = relative();
        session.set_link(Link::Off);
        // All views differ, so that none is mistaken for another.
        for index in 0..4 {
            let view = View::new([index as f64 * 11.0, 2.0], 0.5 + index as f64).expect("a view");
            session.go_in(index, view, Framing::Free, Change::Jump);
        }
        session.tick(5.0);
        let [rests, from] = [0, 2].map(|index| session.view_of(index));
        let to = View::new([9.0, 9.0], 0.25).expect("a view");
        session.animate(&Preferences::default(), |session| session.go_in(2, to, Framing::Free, Change::Jump));
        session.tick(5.03);
        assert!(session.is_animating());
        assert_eq!(session.shown_view_of(0), rests);
        let shown = session.shown_view_of(2).scale();
        assert!(shown > to.scale() && shown < from.scale(), "{shown}");
        assert_eq!([1, 3].map(|index| session.shown_view_of(index)), [1, 3].map(|index| session.view_of(index)));
        session.tick(6.0);
        assert_eq!((session.shown_view_of(2), session.is_animating()), (to, false));
    }

    #[test]
    fn pixel_at_is_the_output_pixel_of_a_position() {
        let mut session = relative();
        session.go(View::new([0.0, 0.0], 0.5).expect("a view"), Framing::Free, Change::Jump);
        assert_eq!(session.middle(), [250.0, 200.0]);
        // The centre of 512 × 400 samples is the centre of 500 × 400 pixels.
        for (place, pixel) in [
            ([256.0, 200.0], Some([250, 200])),
            ([257.0, 198.5], Some([252, 197])),
            ([131.0, 100.0], Some([0, 0])),
            ([380.5, 299.5], Some([499, 399])),
            ([130.0, 200.0], None),
            ([256.0, 300.5], None),
        ] {
            assert_eq!(session.pixel_at(0, place), pixel, "{place:?}");
        }
    }

    #[test]
    fn image_returns_into_the_picture_on_the_shortest_way() {
        let mut session = relative();
        session.resize(size(60, 40));
        let mut counts = [0; 3];
        for step in 0..2000_u32 {
            let part = |ratio: f64| (f64::from(step) * ratio).fract();
            let translation = [part(0.618_033_988) - 0.5, part(0.645_751_311) - 0.5].map(|at| 1600.0 * at);
            let view = View::new(translation, 0.5 + 20.0 * part(0.414_213_562));
            let view = view.and_then(|view| view.rotated(90.0 * f64::from(step % 4))).expect("a view");
            session.go_in(0, view, Framing::Free, Change::Jump);
            session.return_to_image(0);
            let returned = session.view_of(0);
            assert_eq!((returned.scales(), returned.angle_deg()), (view.scales(), view.angle_deg()));
            assert!(!session.is_off_image(0) && session.way_back(0).is_none(), "{view:?}");
            let map = returned.image_from_output(session.output(), size(512, 400));
            let ends = [[-0.5, -0.5], [511.5, 399.5]].map(|corner| map.inverse_at(corner));
            let before = view.image_from_output(session.output(), size(512, 400));
            for (axis, side) in [60.0, 40.0].into_iter().enumerate() {
                let (least, most) = (ends[0][axis].min(ends[1][axis]) + 0.5, ends[0][axis].max(ends[1][axis]) + 0.5);
                let moved = (before.inverse_at([0.0; 2])[axis] - map.inverse_at([0.0; 2])[axis]).abs();
                if most - least < side {
                    assert!((least + most - side).abs() < 1e-6, "in the middle: {least} to {most}");
                    counts[0] += 1;
                } else {
                    assert!(least < 1e-6 && most > side - 1e-6, "filled: {least} to {most}");
                    // An image that is moved has an end at that of the picture.
                    assert!(moved < 1e-6 || least.abs() < 1e-6 || (most - side).abs() < 1e-6, "{least} to {most}");
                    counts[if moved < 1e-6 { 1 } else { 2 }] += 1;
                }
            }
        }
        assert!(counts.iter().all(|count| *count > 100), "{counts:?}");
    }

    /// Compared with the positions of all output pixels.
    #[test]
    fn way_back_is_given_exactly_where_no_pixel_shows_the_image_and_points_to_it() {
        let mut session = relative();
        session.resize(size(60, 40));
        let mut counts = [0, 0];
        for step in 0..4000_u32 {
            // Steps of irrational ratios cover translations, scales and angles.
            let part = |ratio: f64| (f64::from(step) * ratio).fract();
            let (scale, angle) = (0.5 + 8.0 * part(0.414_213_562), 360.0 * part(0.732_050_807));
            let translation = [part(0.618_033_988) - 0.5, part(0.645_751_311) - 0.5].map(|at| 1600.0 * at);
            let view = View::new(translation, scale).and_then(|view| view.rotated(angle)).expect("a view");
            session.go_in(0, view, Framing::Free, Change::Jump);
            let map = session.shown_view_of(0).image_from_output(session.output(), size(512, 400));
            let is_in = |x: f64, y: f64, margin: f64| {
                let [x, y] = map.at([x, y]);
                (-0.5 - margin..511.5 + margin).contains(&x) && (-0.5 - margin..399.5 + margin).contains(&y)
            };
            let pixels = |margin: f64| {
                (0..60)
                    .flat_map(|x| (0..40).map(move |y| (f64::from(x), f64::from(y))))
                    .any(|(x, y)| is_in(x, y, margin))
            };
            match session.way_back(0) {
                Some([x, y]) => {
                    assert!(!pixels(-1e-6), "{view:?}");
                    assert!(is_in(29.5 + x, 19.5 + y, 1e-6), "{view:?}");
                    counts[0] += 1;
                }
                None => {
                    assert!(pixels(scale), "{view:?}");
                    counts[1] += 1;
                }
            }
        }
        assert!(counts.iter().all(|count| *count > 500), "{counts:?}");
    }
}
