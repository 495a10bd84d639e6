//! RMS and maximum of the difference on show, and the shares of its values beyond the scale.

use crate::app::session::{Gain, PanelArea, Session};
use crate::backend::{self, Backend, Display, PixelFormat, RenderRequest};
use crate::image::{Depth, PageId, Raster};

/// Size of a difference, where 1 is maxval. Every colour channel counts, alpha does not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::app) struct DifferenceMeasure {
    /// Square root of the mean square.
    pub(in crate::app) rms: f64,
    /// Largest magnitude.
    pub(in crate::app) max: f64,
    /// Shares of the values beyond the scale, below its lower end and above its upper one, by the binary logarithm of the
    /// gain.
    beyond: [[f64; 2]; GAINS],
}

impl DifferenceMeasure {
    /// Shares of the values beyond the scale at `gain`: below its lower end and above its upper one. The scale of an `absolute`
    /// difference has an upper end only. A gain that is no power of two is an automatic one, which has no values beyond.
    pub(in crate::app) fn beyond(&self, gain: f64, absolute: bool) -> [f64; 2] {
        if self.max * gain <= 1.0 {
            return [0.0; 2];
        }
        let [below, above] = self.beyond[(gain.log2() as usize).min(GAINS - 1)];
        if absolute { [0.0, below + above] } else { [below, above] }
    }
}

/// Number of gains.
const GAINS: usize = Gain::MAX_LOG2 as usize + 1;
/// Parts of the scale by which a value exceeds it because of rounding: the tolerance of exact paths.
const ROUNDING: f32 = 2e-6;

/// The values that a measure is of.
#[derive(Clone, Debug, PartialEq)]
struct MeterKey {
    pages: [PageId; 2],
    request: RenderRequest,
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
    pub(in crate::app) fn measured(&self) -> Option<DifferenceMeasure> {
        let (key, measure) = self.found.as_ref()?;
        measure.filter(|_| self.asked.as_ref() == Some(key))
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
        // The display has no effect on the values.
        let request = RenderRequest { display: Display::default(), ..session.difference_request(pair) };
        let pages = pair.map(|index| session.page_of(index).id());
        let key = MeterKey { pages, request, is_inside: session.dims_outside() };
        if self.asked.as_ref() != Some(&key) {
            self.asked = Some(key);
            return true;
        }
        if self.found.as_ref().is_some_and(|(found, _)| *found == key) {
            return false;
        }
        let (image, format) = (session.difference_image(pair), PixelFormat::file(Depth::Float));
        let values = backend::render(backend, &image, &key.request, format).ok();
        let measure = values.and_then(|values| {
            let (map, page) = (
                key.request.view.image_from_output(key.request.size, session.page_of(pair[0]).size()),
                session.page_of(pair[0]).size(),
            );
            let sides = [f64::from(page.width()), f64::from(page.height())];
            measure(&values, |column, row| {
                let place = map.at([f64::from(column), f64::from(row)]);
                !key.is_inside || [0, 1].iter().all(|&axis| (-0.5..sides[axis] - 0.5).contains(&place[axis]))
            })
        });
        self.found = Some((key, measure));
        true
    }
}

/// Measures the pixels for which `counts` is true; `None` if there is none. Values that are not finite do not count.
fn measure(values: &Raster, counts: impl Fn(u32, u32) -> bool) -> Option<DifferenceMeasure> {
    let colours = values.channels().opaque().count();
    let (mut squares, mut max, mut count) = (0.0, 0.0_f32, 0_u32);
    // Values whose first gain beyond the scale is this one.
    let mut firsts = [[0_u32; 2]; GAINS];
    for row in 0..values.size().height() {
        for column in (0..values.size().width()).filter(|&column| counts(column, row)) {
            for channel in 0..colours {
                let value = values.number(column, row, channel);
                if value.is_finite() {
                    squares += f64::from(value).powi(2);
                    (max, count) = (max.max(value.abs()), count + 1);
                    let is_beyond = |log2: &usize| value.abs() * (1_u32 << log2) as f32 > 1.0 + ROUNDING;
                    if let Some(first) = (0..GAINS).find(is_beyond) {
                        firsts[first][usize::from(value > 0.0)] += 1;
                    }
                }
            }
        }
    }
    if count == 0 {
        return None;
    }
    let mut counts = [0_u32; 2];
    let beyond = firsts.map(|first| {
        counts = [counts[0] + first[0], counts[1] + first[1]];
        counts.map(|beyond| f64::from(beyond) / f64::from(count))
    });
    Some(DifferenceMeasure { rms: (squares / f64::from(count)).sqrt(), max: max.into(), beyond })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::app::session::Compare;
    use crate::backend::CpuBackend;
    use crate::image::{Channels, Image, Page, Samples};
    use crate::sampling::AddressMode;
    use crate::test_support::{row, size};

    #[test]
    fn measure_is_of_the_counted_finite_values() {
        let values = row(&[3.0, -4.0, f32::NAN, 100.0]);
        let found = measure(&values, |column, _| column != 3).expect("two values");
        assert!((found.rms - 12.5_f64.sqrt()).abs() < 1e-12 && found.max == 4.0, "{found:?}");
        assert_eq!(measure(&values, |column, _| column == 2), None);
    }

    #[test]
    fn values_beyond_the_scale_are_counted_by_gain_and_sign() {
        let found = measure(&row(&[0.5, -0.5, 0.25, 0.0, f32::NAN]), |_, _| true).expect("values");
        let beyond = |log2: u8| {
            let gain = f64::from(log2).exp2();
            (found.beyond(gain, false), found.beyond(gain, true))
        };
        assert_eq!(beyond(0), ([0.0, 0.0], [0.0, 0.0]));
        assert_eq!(beyond(1), ([0.0, 0.0], [0.0, 0.0]), "a value at an end is within the scale");
        assert_eq!(beyond(2), ([0.25, 0.25], [0.0, 0.5]));
        assert_eq!(beyond(3), ([0.25, 0.5], [0.0, 0.75]));
        assert_eq!(beyond(Gain::MAX_LOG2), ([0.25, 0.5], [0.0, 0.75]));
        let rounded = measure(&row(&[1.000_001, -1.000_01]), |_, _| true).expect("values");
        assert_eq!(rounded.beyond(1.0, false), [0.5, 0.0]);
    }

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
        let found = meter.measured().expect("a measure");
        assert!((found.rms - 0.25).abs() < 1e-6 && (found.max - 0.25).abs() < 1e-6, "{found:?}");
        assert!(!meter.update(&session, &mut backend), "it is measured once");
        session.pan([1.0, 0.0]);
        assert!(meter.update(&session, &mut backend));
        assert_eq!(meter.measured(), None, "a moving view has no measure");
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
