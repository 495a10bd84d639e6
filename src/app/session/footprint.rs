//! The pixel whose arithmetic the laboratory explains. It is kept by its place in the image, so that it stays while the views
//! move and zoom.

use super::Session;
use crate::lab::footprint::StepKind;

/// The explained pixel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FootprintState {
    /// Its place in the image, in samples; `None` until a pixel is chosen.
    pub at: Option<[f64; 2]>,
    /// The step on show.
    pub step: StepKind,
    /// The channel on show; `None` for all channels.
    pub channel: Option<usize>,
}

impl Session {
    /// The output pixel of panel `index` that is nearest to the explained place; it may lie outside the picture.
    pub fn footprint_pixel(&self, index: usize) -> Option<[i64; 2]> {
        let at = self.inspect.state.footprint.at?;
        let map = self.shown_view_of(index).image_from_output(self.output, self.page_of(index).size());
        Some(map.inverse_at(at).map(|position| position.round() as i64))
    }

    /// Explains output pixel `pixel` of panel `index`.
    pub fn explain_pixel(&mut self, index: usize, pixel: [i64; 2]) {
        let map = self.shown_view_of(index).image_from_output(self.output, self.page_of(index).size());
        self.inspect.state.footprint.at = Some(map.at(pixel.map(|position| position as f64)));
    }

    /// Explains the pixel `by` pixels further right and down in the focused panel.
    pub fn move_footprint(&mut self, by: [i64; 2]) {
        if let Some([i, j]) = self.footprint_pixel(self.focused) {
            self.explain_pixel(self.focused, [i.saturating_add(by[0]), j.saturating_add(by[1])]);
        }
    }

    /// Chooses a pixel if none is chosen: the one under the cursor, or the one in the middle of the focused panel.
    pub(in crate::app) fn place_footprint(&mut self) {
        if self.inspect.state.footprint.at.is_some() {
            return;
        }
        match self.inspect.cursor.and_then(|cursor| self.pixel_at(self.focused, cursor)) {
            Some(pixel) => self.explain_pixel(self.focused, pixel.map(i64::from)),
            None => {
                // The middle of the panel's own view: beside the tool no image stands off the middle.
                let map = self.view().image_from_output(self.output, self.page().size());
                let middle = self.output.sides().map(|side| f64::from(side / 2));
                self.inspect.state.footprint.at = Some(map.at(middle));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::app::session::history::{Change, Framing};
    use crate::image::{Channels, Depth, Image, Page, Raster};
    use crate::test_support::size;
    use crate::view::View;

    fn session() -> Session {
        let page = Page::new(Raster::zeros(size(64, 48), Channels::Grey, Depth::EIGHT));
        let mut session = Session::new(Arc::new(Image::new("zeros", vec![page]).expect("an image")));
        session.resize(size(100, 80));
        session
    }

    #[test]
    fn explained_pixel_keeps_its_place_in_the_image_while_the_view_moves() {
        let mut session = session();
        session.go(View::new([1.0, 2.0], 0.125).expect("a view"), Framing::Free, Change::Jump);
        session.explain_pixel(0, [30, 40]);
        assert_eq!(session.footprint_pixel(0), Some([30, 40]));
        let at = session.inspect.state.footprint.at.expect("a place");
        assert_eq!(at, [(30.0 - 50.0) * 0.125 + 33.0, 26.0]);
        session.move_footprint([1, -2]);
        assert_eq!(session.footprint_pixel(0), Some([31, 38]));
        session.go(View::new([1.0, 2.0], 0.25).expect("a view"), Framing::Free, Change::Jump);
        let moved = session.inspect.state.footprint.at.expect("a place");
        assert_eq!(moved, [at[0] + 0.125, at[1] - 0.25]);
    }

    #[test]
    fn first_pixel_is_that_under_the_cursor_or_in_the_middle() {
        let mut middle = session();
        middle.place_footprint();
        assert_eq!(middle.footprint_pixel(0), Some([50, 40]));
        let mut pointed = session();
        pointed.inspect.cursor = Some(pointed.view().image_from_output(size(100, 80), size(64, 48)).at([7.0, 9.0]));
        pointed.place_footprint();
        assert_eq!(pointed.footprint_pixel(0), Some([7, 9]));
        pointed.inspect.cursor = None;
        pointed.place_footprint();
        assert_eq!(pointed.footprint_pixel(0), Some([7, 9]), "a chosen pixel stays");
    }
}
