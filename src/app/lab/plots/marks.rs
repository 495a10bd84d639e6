//! What the pointer over a picture marks in the plots: the fraction between two samples, the frequency of the image there.

use crate::app::session::Session;
use crate::image::PageId;
use crate::plots::{PlotKind, local_frequency};

/// A place on the horizontal axis of a plot for each axis of the image.
pub(super) type Marks = [f64; 2];

/// The marks of the pointer, with the last frequency that was computed.
#[derive(Debug, Default)]
pub(super) struct MarkSource {
    frequency: Option<(PageId, [i64; 2], Option<[f64; 2]>)>,
}

impl MarkSource {
    /// The marks in a plot of `kind`; `None` if the pointer is over no picture, or the kind has none.
    pub(super) fn marks(&mut self, session: &Session, kind: PlotKind) -> Option<Marks> {
        let position = session.inspect.cursor?;
        match kind {
            PlotKind::Weights | PlotKind::Fractions => Some(position.map(|x| x - x.floor())),
            PlotKind::Response | PlotKind::ResponseDb => self.frequency(session, position),
            PlotKind::Kernel | PlotKind::Impulse | PlotKind::Step | PlotKind::Filters => None,
        }
    }

    /// The frequency of the focused panel's image at `position`. It is the same for all positions of a sample.
    fn frequency(&mut self, session: &Session, position: [f64; 2]) -> Option<[f64; 2]> {
        let page = session.page();
        let key = (page.id(), position.map(|x| (x + 0.5).floor() as i64));
        match self.frequency {
            Some((id, sample, found)) if (id, sample) == key => found,
            _ => {
                let found = local_frequency(&page, position);
                self.frequency = Some((key.0, key.1, found));
                found
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::image::{Formula, Image, Synth};
    use crate::test_support::size;

    #[test]
    fn pointer_marks_its_fraction_and_the_frequency_of_the_image() {
        let page = Formula::new(Synth::ZonePlate, size(256, 256)).expect("a formula").page();
        let mut session = Session::new(Arc::new(Image::of_page("plate", page)));
        let mut source = MarkSource::default();
        assert_eq!(source.marks(&session, PlotKind::Weights), None, "the pointer is elsewhere");
        session.inspect.cursor = Some([192.25, -0.25]);
        assert_eq!(source.marks(&session, PlotKind::Weights), Some([0.25, 0.75]));
        assert_eq!(source.marks(&session, PlotKind::Kernel), None);
        session.inspect.cursor = Some([192.25, 127.5]);
        for _ in 0..2 {
            let [x, y] = source.marks(&session, PlotKind::Response).expect("a frequency");
            assert!((x - 0.25).abs() < 0.02 && y < 0.02, "{x}, {y}");
        }
        session.inspect.cursor = Some([160.0, 127.5]);
        let [x, _] = source.marks(&session, PlotKind::ResponseDb).expect("a frequency");
        assert!((x - 0.125).abs() < 0.02, "{x}");
    }
}
