//! Measure of the difference on show, once its view is at rest.

use crate::app::render::difference::{DifferenceMeasure, ShownDifference, measure_of, request_of_values};
use crate::app::session::{PanelArea, Session};
use crate::backend::{Backend, RenderRequest};
use crate::image::PageId;

/// The values that a measure is of.
#[derive(Clone, Debug, PartialEq)]
struct MeterKey {
    pages: [PageId; 2],
    request: RenderRequest,
    shown: ShownDifference,
    /// Whether only pixels inside the image count: the outside is dimmed.
    is_inside: bool,
}

/// Measures the difference on show once its view is at rest.
#[derive(Debug, Default)]
pub(in crate::app) struct DifferenceMeter {
    asked: Option<MeterKey>,
    found: Option<(MeterKey, Option<DifferenceMeasure>)>,
}

impl DifferenceMeter {
    /// The measure of the difference on show; `None` while it is not known.
    pub(in crate::app) fn measured(&self) -> Option<&DifferenceMeasure> {
        let (key, measure) = self.found.as_ref()?;
        measure.as_ref().filter(|_| self.asked.as_ref() == Some(key))
    }

    /// The last measure of the same values of the same pages: that of the last view at rest while the view moves.
    pub(in crate::app) fn last_measured(&self) -> Option<&DifferenceMeasure> {
        let ((key, measure), asked) = (self.found.as_ref()?, self.asked.as_ref()?);
        measure.as_ref().filter(|_| key.pages == asked.pages && key.shown == asked.shown)
    }

    /// Invalidates the measure.
    pub(super) fn forget(&mut self) {
        self.found = None;
    }

    /// Measures the difference if it is the same as in the last frame and was not measured. Returns `true` if another frame
    /// is needed.
    pub(super) fn update(&mut self, session: &Session, backend: &mut dyn Backend) -> bool {
        let [PanelArea::Difference(pair)] = session.areas()[..] else {
            *self = Self::default();
            return false;
        };
        let request = request_of_values(session, pair);
        let pages = pair.map(|index| session.page_of(index).id());
        let shown = ShownDifference::of(session, pair);
        let key = MeterKey { pages, request, shown, is_inside: session.dims_outside() };
        if self.asked.as_ref() != Some(&key) {
            self.asked = Some(key);
            return true;
        }
        if self.found.as_ref().is_some_and(|(found, _)| *found == key) {
            return false;
        }
        let measure = measure_of(session, pair, backend).ok().flatten();
        self.found = Some((key, measure));
        true
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::app::session::{Compare, Difference};
    use crate::backend::CpuBackend;
    use crate::image::{Channels, Image, Page, Raster, Samples};
    use crate::sampling::AddressMode;
    use crate::test_support::size;

    #[test]
    fn difference_is_measured_in_the_frame_after_its_view_came_to_rest() {
        let page = |value: f32| {
            Page::new(Raster::new(size(4, 4), Channels::Grey, Samples::F32(vec![value; 16])).expect("a raster"))
        };
        let mut session = Session::new(Arc::new(Image::new("pages", vec![page(0.75), page(0.5)]).expect("an image")));
        session.resize(size(40, 20));
        session.show_page_in(1, 1);
        session.set_compare(Compare::Difference);
        let (mut meter, mut backend) = (DifferenceMeter::default(), CpuBackend::new());
        assert!(meter.update(&session, &mut backend));
        assert_eq!(meter.measured(), None);
        assert!(meter.update(&session, &mut backend));
        let found = meter.measured().expect("a measure").clone();
        assert!((found.rms - 0.25).abs() < 1e-6 && (found.max - 0.25).abs() < 1e-6, "{found:?}");
        assert!(!meter.update(&session, &mut backend), "it is measured once");
        session.pan([1.0, 0.0]);
        assert!(meter.update(&session, &mut backend));
        assert_eq!(meter.measured(), None, "a moving view has no measure");
        assert!(meter.last_measured().is_some_and(|last| last.rms == found.rms));
        session.set_difference(Difference { absolute: true, ..session.difference() });
        assert!(meter.update(&session, &mut backend));
        assert_eq!(meter.last_measured(), None, "other values have another distribution");
        session.set_compare(Compare::SideBySide);
        assert!(!meter.update(&session, &mut backend));
    }

    /// Under border, the pixels outside are those of the border. They count once an address mode was chosen.
    #[test]
    fn dimmed_pixels_do_not_count() {
        let page = Page::new(Raster::new(size(4, 4), Channels::Grey, Samples::F32(vec![1.0; 16])).expect("a raster"));
        let mut session = Session::new(Arc::new(Image::new("ones", vec![page]).expect("an image")));
        session.resize(size(40, 20));
        session.set_compare(Compare::Difference);
        let measured = |session: &Session| {
            let (mut meter, mut backend) = (DifferenceMeter::default(), CpuBackend::new());
            (0..2).for_each(|_| assert!(meter.update(session, &mut backend)));
            meter.measured().expect("a measure").max
        };
        assert_eq!(measured(&session), 0.0);
        session.panel_mut(1).expect("a panel").sampler.address = [AddressMode::Border; 2];
        assert_eq!(measured(&session), 1.0);
    }
}
