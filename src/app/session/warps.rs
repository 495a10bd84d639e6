//! Warps of all panels, or of the focused panel alone.

use super::Session;
use crate::warp::{Warp, WarpedMap};

impl Session {
    /// Warps the pictures that a display change applies to.
    pub fn set_warp(&mut self, warp: &Warp) {
        for index in self.display_targets() {
            self.panels[index].warp = warp.clone();
        }
    }

    /// Moves the handle at `index` of the focused panel's warp to a place, in parts of the picture's width and height. Nothing
    /// happens where the warp has no such handle or would not be valid.
    pub fn move_handle(&mut self, index: usize, place: [f64; 2]) {
        if let Some(moved) = self.panels[self.focused].warp.with_handle(index, place) {
            self.set_warp(&moved);
        }
    }

    /// The position in the image that panel `index` shows at a place of its picture, in samples: the place itself without a
    /// warp.
    pub fn position_at(&self, index: usize, place: [f64; 2]) -> [f64; 2] {
        let page = self.page_of(index).size();
        let view = self.shown_view_of(index).image_from_output(self.output, page);
        WarpedMap::new(view, &self.panels[index].warp, page).position(place)
    }
}
