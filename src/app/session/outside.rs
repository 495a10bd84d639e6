//! Dimming of what lies outside the images: on until an address mode is chosen.
//!
//! A new window repeats the edge samples outside its image, which nobody asked for. Once an address mode was chosen the
//! outside is a subject of its own and is shown at full strength.

use super::Session;
use crate::sampling::Sampler;

impl Session {
    /// Whether what lies outside the images is dimmed: no address mode was chosen yet.
    pub fn dims_outside(&self) -> bool {
        let usual = Sampler::default().address;
        !self.address_touched && self.panels.iter().all(|panel| panel.sampler.address == usual)
    }

    /// Shows the outside at full strength from now on, whatever the address modes are.
    pub fn touch_address(&mut self) {
        self.address_touched = true;
    }

    /// Remembers that an address mode was chosen, also after it is the usual one again.
    pub(super) fn note_address(&mut self) {
        self.address_touched = !self.dims_outside();
    }
}
