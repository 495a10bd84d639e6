//! The first view of the built-in image: a detail at 8× on which the methods of the four panels differ plainly, and a hint
//! until it is left.

use super::Session;
use super::history::{Change, Framing, History};
use super::inspect::Tool;
use crate::view::View;

/// Translation of the opening detail, in samples of the built-in image: a dark branch across bright rays.
const TRANSLATION: [f64; 2] = [-62.0, 34.0];
/// Its scale: 8×.
const SCALE: f64 = 0.125;
/// Numbers of panels in words, from 1.
const NUMBERS: [&str; Session::MAX_PANELS] = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

impl Session {
    /// Shows the opening detail of the built-in image in all panels. It is the oldest view of the history.
    pub fn show_opening(&mut self) {
        let page = self.page().size();
        let view = View::new(TRANSLATION, SCALE).unwrap_or_default().snapped(self.output, page);
        self.go(view, Framing::Snapped, Change::Jump);
        self.history = History::default();
        self.is_opening = true;
    }

    /// Whether the view or the image has not changed since [`Session::show_opening`].
    pub fn is_opening(&self) -> bool {
        self.is_opening
    }

    /// Ends the opening. Returns whether it was shown.
    pub(super) fn end_opening(&mut self) -> bool {
        std::mem::take(&mut self.is_opening)
    }

    /// The two lines of the hint over the opening detail: what is seen, and what to do. `None` once it was left, and while a
    /// drag draws the profile line.
    pub fn hint(&self) -> Option<[String; 2]> {
        let count = self.panels.len();
        let [columns, rows] =
            [self.output.width(), self.output.height()].map(|side| (f64::from(side) * self.view().scale()).round());
        let drags_view = self.inspect.tool == Tool::Hand && self.inspect.state.line.is_none();
        let ways = if count == 1 { "way" } else { "ways" };
        (self.is_opening && drags_view).then(|| {
            [
                format!("The same {columns} × {rows} samples, {} {ways} to fill the gaps", NUMBERS[count - 1]),
                "Scroll to zoom · drag to move · F1 for the keys".to_owned(),
            ]
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::image::{Channels, Depth, Image, Page, Raster};
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
        assert_eq!(
            session.hint().map(|[seen, _]| seen),
            Some("The same 63 × 45 samples, four ways to fill the gaps".into())
        );
        assert!(!session.can_go_back());
        session.resize(size(640, 480));
        assert!(session.is_opening(), "a resized window shows the detail still");
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
            assert!(!session.is_opening() && session.hint().is_none());
        }
        let mut session = session();
        session.pan_in(2, by_px);
        assert!(!session.is_opening());
    }

    #[test]
    fn hint_is_hidden_while_the_profile_tool_is_selected_or_a_line_is_shown() {
        let mut session = session();
        session.inspect.tool = Tool::Profile;
        assert!(session.hint().is_none());
        session.inspect.tool = Tool::Hand;
        session.inspect.state.line = Some([[0.0, 0.0], [3.0, 4.0]]);
        assert!(session.hint().is_none());
        session.inspect.leave();
        assert!(session.hint().is_some());
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
}
