//! First views of a window: of the built-in image a detail at 8× on which the methods of the four panels differ
//! plainly, of a file the whole image, on which they look alike.

use super::Session;
use super::compare::PanelArea;
use super::history::{Change, Framing, History};
use super::inspect::Tool;
use crate::image::finest_detail;
use crate::view::View;

/// Translation of the opening detail, in samples of the built-in image: the boat, with letters, stripes and lines thinner than a sample.
const TRANSLATION: [f64; 2] = [0.0, -2.0];
/// Size of the panels from which on the opening detail has its usual magnification, in points; smaller ones show it at the greatest at which the
/// boat is in sight whole. Panels twice as large, as that of a comparison is, show it at twice the magnification, and so on.
const USUAL_FROM: [f64; 2] = [400.0, 230.0];
/// Width and height of the boat with a margin, in samples.
const BOAT: [f64; 2] = [50.0, 43.0];
/// Side of a sample of a detail, in points, the least of the opening detail, and that of a detail in the many small panels of all methods, whose
/// methods differ less.
const TIMES: f64 = 8.0;
const LEAST_TIMES: f64 = 3.6;
const TIMES_OF_ALL_METHODS: f64 = 10.0;
/// Side of the window in which the detail of an image is finest, in samples.
const DETAIL: f64 = 24.0;
/// Least scale at which methods look alike: less than twice enlarged.
pub(super) const ALIKE_FROM: f64 = 0.5;

impl Session {
    /// Shows the opening detail of the built-in image in all panels. It is the oldest view of the history.
    pub fn show_opening(&mut self) {
        self.open_at(self.opening_scale());
    }

    /// Shows the opening detail at the magnification for the size of the panels and for the display, as long as no other view followed it.
    pub(super) fn reopen(&mut self) {
        let scale = self.opening_scale();
        if self.is_opening() && self.view().scale() != scale {
            self.open_at(scale);
        }
    }

    /// Scale of the opening detail, in samples per pixel.
    fn opening_scale(&self) -> f64 {
        let room_for = |size: [f64; 2]| {
            let [across, down] = [0, 1].map(|axis: usize| f64::from(self.output.sides()[axis]) / size[axis]);
            across.min(down) as u32
        };
        let usual = self.whole_pixels(TIMES);
        let pixels = match room_for(USUAL_FROM.map(|points| points * self.pixels_per_point)) {
            0 => room_for(BOAT).clamp(self.whole_pixels(LEAST_TIMES), usual),
            times => times * usual,
        };
        f64::from(pixels).recip()
    }

    /// Sets the number of pixels of a point of the display. A sample of a detail is as large to the eye on each display, and a whole number
    /// of pixels: the opening detail, as long as no other view followed, is scaled.
    pub fn set_pixels_per_point(&mut self, pixels_per_point: f64) {
        self.pixels_per_point = pixels_per_point;
        self.reopen();
    }

    /// Magnification of a detail: a whole number of pixels a sample, near 8 points.
    pub(in crate::app) fn detail_times(&self) -> u32 {
        self.whole_pixels(TIMES)
    }

    /// The whole number of pixels next to `points`, at least one.
    fn whole_pixels(&self, points: f64) -> u32 {
        (points * self.pixels_per_point).round().max(1.0) as u32
    }

    /// Whether the focused panel shows the whole image at a scale at which methods look alike.
    pub fn looks_alike(&self) -> bool {
        self.looks_alike_in(self.focused)
    }

    /// The same of panel `index`.
    pub(in crate::app) fn looks_alike_in(&self, index: usize) -> bool {
        let panel = &self.panels[index];
        panel.framing == Framing::Fit && panel.view.scale() > ALIKE_FROM
    }

    /// Position, in samples, of the middle of the finest detail of the focused panel's image in a window of `extent` samples; of a volume the
    /// middle of its plane.
    fn detail_within(&self, extent: [f64; 2]) -> [f64; 2] {
        let (index, page) = (self.focused, self.page());
        match self.volume_of(index) {
            None => finest_detail(page.raster(), extent),
            Some(_) => page.size().sides().map(|side| (f64::from(side) - 1.0) / 2.0),
        }
    }

    /// Shows the place of the focused panel's image with the finest detail, where methods differ plainly, with samples of 8 points; of a
    /// volume the middle.
    pub fn show_detail(&mut self) {
        self.show_enlarged(self.detail_within([DETAIL; 2]));
    }

    /// Shows the same with samples of 10 points in the panels of all methods, which take the place of `before` panels: what is finest in a
    /// window as large as one of them.
    pub(super) fn show_detail_of_all_methods(&mut self, before: usize) {
        let times = self.whole_pixels(TIMES_OF_ALL_METHODS);
        // Their size is known once they are laid out.
        let shrinking = (before as f64 / self.panels.len() as f64).sqrt();
        let extent = self.output.sides().map(|side| f64::from(side) * shrinking / f64::from(times));
        self.show_magnified(self.detail_within(extent), times);
    }

    /// Shows the position `place` of the focused panel's image, in samples, with samples of 8 points.
    pub(in crate::app) fn show_enlarged(&mut self, place: [f64; 2]) {
        self.show_magnified(place, self.detail_times());
    }

    /// Shows the position `place` of the focused panel's image, in samples, with samples of `times` pixels.
    fn show_magnified(&mut self, place: [f64; 2], times: u32) {
        let (index, scale) = (self.focused, f64::from(times).recip());
        let centred = self.view().centred_at(scale);
        let translation = [0, 1].map(|axis: usize| {
            let side = f64::from(self.page_of(index).size().sides()[axis]);
            // The panel shows no more of the outside than it must.
            let room = (0.5 * (side - f64::from(self.output.sides()[axis]) * scale)).max(0.0);
            centred.translation()[axis] + (place[axis] + 0.5 - 0.5 * side).clamp(-room, room)
        });
        if let Ok(view) = centred.translated(translation) {
            self.go_in(index, self.snapped(index, view), Framing::Snapped, Change::Jump);
        }
    }

    fn open_at(&mut self, scale: f64) {
        let page = self.page().size();
        let view = View::new(TRANSLATION, scale).unwrap_or_default().snapped(self.output, page);
        self.go(view, Framing::Snapped, Change::Jump);
        self.history = History::default();
        self.is_opening = true;
    }

    /// Whether the view or the image has not changed since [`Session::show_opening`].
    pub fn is_opening(&self) -> bool {
        self.is_opening
    }

    /// Shows the whole of an image that was opened over the opening detail.
    pub(super) fn fit_after_opening(&mut self) {
        if self.is_opening() {
            self.fit();
            self.is_opening = false;
        }
    }

    /// Whether panels are neither compared nor measured: no drag draws the profile line, no panel flickers, and no tool of the laboratory
    /// and no overlay of the field is shown.
    pub(in crate::app) fn has_plain_panels(&self) -> bool {
        let drags_view = self.inspect.tool == Tool::Hand && self.inspect.state.line.is_none();
        let is_inspected = self.inspect.state.drawer.is_some() || self.inspect.state.shows_field();
        let shows_panels = self.areas().iter().all(|area| matches!(area, PanelArea::Panel(_)));
        drags_view && !is_inspected && shows_panels && !self.flickers()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::app::session::panel_sets::PanelSet;
    use crate::image::{Channels, Depth, Image, Page, Raster, Samples};
    use crate::test_support::size;

    fn session() -> Session {
        let page = Page::new(Raster::zeros(size(512, 512), Channels::Grey, Depth::EIGHT));
        let mut session = Session::new(Arc::new(Image::new("zeros", vec![page]).expect("an image")));
        session.resize(size(500, 360));
        session.show_opening();
        session
    }

    #[test]
    fn opening_is_the_detail_at_eight_times_in_every_panel_and_the_end_of_the_history() {
        let mut session = session();
        assert!((0..4).all(|index| session.view_of(index).scale() == 0.125));
        assert!(!session.can_go_back());
        session.resize(size(640, 480));
        assert!(session.is_opening(), "a resized window shows the detail still");
    }

    /// Smaller in panels that it does not fit, larger in those with room for it twice or more, at every scale of the display, until another view
    /// follows.
    #[test]
    fn opening_detail_is_seen_whole_and_large_in_panels_of_every_size() {
        for pixels_per_point in [1.0, 1.5, 2.0] {
            let mut session = session();
            session.set_pixels_per_point(pixels_per_point);
            let pixels = |points: f64| (points * pixels_per_point) as u32;
            // Whole pixels a sample.
            let small = (3.6 * pixels_per_point).round();
            // The boat fills the height.
            let of_nine = (222.0 * pixels_per_point / 43.0).floor();
            let usual = 8.0 * pixels_per_point;
            for ([width, height], times) in [
                ([500.0, 360.0], usual),
                ([320.0, 160.0], small),
                ([500.0, 160.0], small),
                ([338.0, 222.0], of_nine),
                ([240.0, 222.0], (240.0 * pixels_per_point / 50.0).floor()),
                ([400.0, 230.0], usual),
                ([900.0, 700.0], 2.0 * usual),
                ([1900.0, 700.0], 3.0 * usual),
                ([790.0, 700.0], usual),
            ] {
                session.resize(size(pixels(width), pixels(height)));
                assert_eq!(session.view().scale(), 1.0 / times, "{width} × {height}");
                assert!(session.is_opening() && !session.can_go_back());
            }
            session.pan([3.0, 0.0]);
            let scale = session.view().scale();
            session.resize(size(pixels(320.0), pixels(160.0)));
            assert_eq!(session.view().scale(), scale, "another view is kept");
        }
    }

    #[test]
    fn opening_ends_with_the_first_change_of_a_view() {
        let by_px = [3.0, 0.0];
        let changes: [fn(&mut Session); 3] = [
            |session| session.pan([3.0, 0.0]),
            |session| session.fit(),
            |session| session.show_at(0.5, session.middle(), Change::Zoom),
        ];
        for change in changes {
            let mut session = session();
            change(&mut session);
            assert!(!session.is_opening());
        }
        let mut session = session();
        session.pan_in(2, by_px);
        assert!(!session.is_opening());
    }

    #[test]
    fn file_opened_over_the_opening_is_fitted() {
        for side in [size(512, 512), size(64, 48)] {
            let mut session = session();
            let page = Page::new(Raster::zeros(side, Channels::Grey, Depth::EIGHT));
            session.open(Arc::new(Image::new("file", vec![page]).expect("an image")));
            assert_eq!((session.view(), session.framing()), (View::fit(session.output(), side), Framing::Fit));
            assert!(!session.is_opening());
        }
    }

    /// A patch of stripes in the upper left of a flat image.
    fn with_patch() -> Arc<Image> {
        let mut raster = Raster::zeros(size(900, 700), Channels::Grey, Depth::EIGHT);
        if let Samples::U8 { values, .. } = raster.samples_mut() {
            for row in 150..190 {
                (200..260).step_by(2).for_each(|column| values[row * 900 + column] = 200);
            }
        }
        Arc::new(Image::new("patch", vec![Page::new(raster)]).expect("an image"))
    }

    /// The sample in the middle of the panels, by the map of their view.
    fn middle_of(session: &Session) -> [f64; 2] {
        session.view().image_from_output(session.output, session.page().size()).at(session.middle())
    }

    #[test]
    fn detail_has_samples_of_eight_points_on_each_display_and_keeps_angle_and_stretch() {
        for (pixels_per_point, times) in [(1.0, 8.0), (1.5, 12.0), (2.0, 16.0)] {
            let mut session = Session::new(with_patch());
            session.resize(size(400, 300));
            session.set_pixels_per_point(pixels_per_point);
            session.turn_to(30.0);
            session.stretch_to(2.0);
            session.show_detail();
            let [x, y] = middle_of(&session);
            assert!((200.0..260.0).contains(&x) && (150.0..190.0).contains(&y), "{x} {y}");
            assert!((session.view().scale() - 1.0 / times).abs() < 1e-12, "{}", session.view().scale());
            assert_eq!((session.view().angle_deg(), session.view().ratio()), (30.0, 0.5));
            session.back();
            assert_eq!(session.framing(), Framing::Fit, "one step back");
        }
    }

    /// The view is on whole pixels.
    #[test]
    fn enlarged_place_is_in_the_middle_to_half_a_pixel() {
        for pixels_per_point in [1.0, 1.5, 2.0] {
            let mut session = Session::new(with_patch());
            session.resize(size(401, 300));
            session.set_pixels_per_point(pixels_per_point);
            for place in [[230.0, 170.0], [411.25, 333.5]] {
                session.show_enlarged(place);
                let map = session.view().image_from_output(session.output, session.page().size());
                let [x, y] = map.at(session.output.sides().map(|side| f64::from(side - 1) / 2.0));
                let half = 0.5 * session.view().scale() + 1e-9;
                assert!((x - place[0]).abs() <= half && (y - place[1]).abs() <= half, "{x} {y}, not {place:?}");
            }
        }
    }

    #[test]
    fn sets_of_methods_show_the_detail_of_a_whole_image_on_which_they_look_alike_and_keep_any_other_view() {
        for set in [PanelSet::Four, PanelSet::Prefilter, PanelSet::AllMethods, PanelSet::FilteredExact] {
            let mut session = Session::new(with_patch());
            session.resize(size(400, 300));
            let fitted = session.view();
            set.show(&mut session);
            let is_of_methods = set != PanelSet::FilteredExact;
            assert_eq!(session.view() != fitted, is_of_methods, "{set:?}");
            if is_of_methods {
                let [x, y] = middle_of(&session);
                assert!((200.0..260.0).contains(&x) && (150.0..190.0).contains(&y), "{set:?}: {x} {y}");
                let times = if set == PanelSet::AllMethods { 10.0 } else { 8.0 };
                assert_eq!(session.view().scale(), 1.0 / times, "{set:?}");
                assert!(session.panels().iter().all(|panel| panel.view == session.view()), "{set:?}");
            }
            session.show_at(0.75, session.middle(), Change::Zoom);
            let chosen = session.view();
            set.show(&mut session);
            assert_eq!(session.view(), chosen, "{set:?}: a chosen view is kept");
        }
    }

    /// Smaller panels show it at the greatest magnification at which the boat is in sight whole.
    #[test]
    fn sets_of_panels_keep_the_opening_detail() {
        for set in [PanelSet::Four, PanelSet::Prefilter, PanelSet::AllMethods] {
            let mut session = session();
            let opening = session.view();
            set.show(&mut session);
            assert_eq!(session.view(), opening, "{set:?}");
            session.resize(size(338, 224));
            assert_eq!((session.is_opening(), session.view().scale()), (true, 1.0 / 5.0), "{set:?}");
        }
    }

    #[test]
    fn opening_detail_is_as_large_to_the_eye_on_each_display_until_another_view_follows() {
        let mut session = session();
        let mut panel_px = size(500, 360);
        for (pixels_per_point, times) in [(1.0, 8.0), (1.25, 10.0), (1.5, 12.0), (1.0, 8.0), (2.0, 16.0)] {
            panel_px = size((500.0 * pixels_per_point) as u32, (360.0 * pixels_per_point) as u32);
            session.resize(panel_px);
            session.set_pixels_per_point(pixels_per_point);
            assert_eq!((session.view().scale(), session.is_opening()), (1.0 / times, true));
        }
        session.fit();
        let fitted = session.view();
        session.set_pixels_per_point(1.0);
        assert_eq!((session.view(), session.output), (fitted, panel_px));
    }
}
