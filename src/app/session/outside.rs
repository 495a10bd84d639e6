//! Dimming of what lies outside the images: on until an address mode is chosen.
//!
//! A new window repeats the edge samples outside its image, which nobody asked for. Once an address mode was chosen the
//! outside is a subject of its own and is shown at full strength.

use super::Session;
use crate::sampling::Sampler;

impl Session {
    /// Whether what lies outside the images is dimmed: no address mode was chosen yet, and none is previewed.
    pub fn dims_outside(&self) -> bool {
        self.has_usual_address() && !self.previews_address()
    }

    /// Whether no address mode was chosen yet.
    fn has_usual_address(&self) -> bool {
        let usual = Sampler::default().address;
        !self.address_touched && self.panels.iter().all(|panel| panel.sampler.address == usual)
    }

    /// Whether the picture of panel `index` shows positions beyond the edges of its image.
    pub fn has_outside_in_view(&self, index: usize) -> bool {
        let page = self.page_of(index).size();
        let map = self.view_of(index).image_from_output(self.output, page);
        let [right, bottom] = self.output.sides().map(|side| f64::from(side) - 1.0);
        let corners = [[0.0, 0.0], [right, 0.0], [0.0, bottom], [right, bottom]];
        corners.into_iter().any(|corner| {
            let (at, sides) = (map.at(corner), page.sides());
            [0, 1].into_iter().any(|axis| !(-0.5..f64::from(sides[axis]) - 0.5).contains(&at[axis]))
        })
    }

    /// Shows the outside at full strength from now on, whatever the address modes are.
    pub fn touch_address(&mut self) {
        self.address_touched = true;
    }

    /// Remembers that an address mode was chosen, also after it is the usual one again.
    pub(super) fn note_address(&mut self) {
        self.address_touched = !self.has_usual_address();
    }
}
