//! Components of complex images, and the display windows with which images begin.

use std::sync::Arc;

use super::Session;
use crate::backend::Display;
use crate::complex::{ComplexImage, Component};

impl Session {
    /// The complex image of panel `index`; `None` if its image is none.
    pub fn complex_of(&self, index: usize) -> Option<Arc<ComplexImage>> {
        ComplexImage::of(self.base_page_of(index))
    }

    /// The component that panel `index` shows: the real part of a picture.
    pub fn component_of(&self, index: usize) -> Component {
        if self.complex_of(index).is_some() { self.panels[index].component } else { Component::Real }
    }

    /// Shows a component in panel `index`, if its image is complex.
    pub fn set_component(&mut self, index: usize, component: Component) {
        if self.panels.get(index).is_none() || self.complex_of(index).is_none() {
            return;
        }
        let before = [(index, self.usual_window(index))];
        self.panels[index].component = component;
        self.follow_window(&before);
    }

    /// Gives panels, which had the usual windows `before`, the usual window of what they show now, unless they have another one.
    pub(super) fn follow_window(&mut self, before: &[(usize, [f32; 2])]) {
        for &(index, earlier) in before {
            let now = self.usual_window(index);
            let window = &mut self.panels[index].display.window;
            if *window == earlier {
                *window = now;
            }
        }
    }

    /// The display window with which panel `index` begins: that of a component, the range of a volume with values beyond 0 … 1,
    /// else 0 … 1.
    pub(super) fn usual_window(&self, index: usize) -> [f32; 2] {
        let window = match self.complex_of(index) {
            Some(image) => Some(image.display_window(self.panels[index].component)),
            None => self.volume_of(index).and_then(|volume| volume.display_window()),
        };
        window.unwrap_or(Display::default().window)
    }

    /// The display mapping with which panel `index` begins: the identity, in the usual window of what it shows.
    pub(in crate::app) fn usual_display(&self, index: usize) -> Display {
        Display { window: self.usual_window(index), ..Display::default() }
    }
}

#[cfg(test)]
mod tests {
    use std::f32::consts::PI;

    use super::*;
    use crate::app::session::preferences::Preferences;
    use crate::complex::{ComplexFormula, ComplexSource};
    use crate::image::{Channels, Depth, Image, Page, Raster};
    use crate::test_support::size;

    fn session() -> Session {
        let formula = ComplexFormula::new(ComplexSource::PlaneWave, size(32, 24)).expect("in range");
        let mut session = Session::new(Arc::new(Image::of_page("wave", formula.image().into_page())));
        session.resize(size(300, 300));
        session
    }

    #[test]
    fn component_is_of_one_panel_its_window_follows_and_undo_reverts_it() {
        let mut session = session();
        let mut preferences = Preferences::default();
        session.note_edits(&preferences, false);
        let window = |session: &Session, index: usize| session.panels()[index].display.window;
        assert_eq!(
            (session.component_of(0), session.request(0).component),
            (Component::Magnitude, Component::Magnitude)
        );
        assert!((window(&session, 0)[1] - 1.0).abs() < 1e-6);
        session.set_component(1, Component::Phase);
        assert_eq!((window(&session, 1), session.request(1).component), ([-PI, PI], Component::Phase));
        assert_eq!(session.component_of(0), Component::Magnitude);
        session.note_edits(&preferences, false);
        session.panels[1].display.window = [0.0, 2.0];
        session.set_component(1, Component::Real);
        assert_eq!(window(&session, 1), [0.0, 2.0], "one's own window stays");
        session.note_edits(&preferences, false);
        assert_eq!(session.undo(&mut preferences).map(|step| step.what), Some("component"));
        assert_eq!(session.undo(&mut preferences).map(|step| step.what), Some("component"));
        assert_eq!(session.component_of(1), Component::Magnitude);
    }

    #[test]
    fn picture_is_its_own_real_part() {
        let mut session = session();
        let page = Page::new(Raster::zeros(size(8, 8), Channels::Grey, Depth::EIGHT));
        session.open_in(0, Arc::new(Image::of_page("picture", page)));
        assert_eq!((session.component_of(0), session.panels()[0].display.window), (Component::Real, [0.0, 1.0]));
        session.set_component(0, Component::Phase);
        assert_eq!(session.request(0).component, Component::Real);
        session.show_image_in(0, 0);
        assert_eq!(session.request(0).component, Component::Magnitude);
    }
}
