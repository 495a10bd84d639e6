//! RMS and maximum of a difference, and the distribution of the values that its colours show.

use super::difference_counts::{DifferenceBin, DifferenceCounts, ROUNDING};
use crate::app::session::{Gain, Session};
use crate::backend::{self, Backend, BackendError, Display, PixelFormat, RenderRequest, mapped_value};
use crate::image::{Depth, Raster};

/// What the colours of a difference show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) struct ShownDifference {
    /// Whether a colour map maps one value, of colours the luminance; without a map each channel is shown.
    is_mapped: bool,
    /// Whether values lose their sign first.
    is_absolute: bool,
}

impl ShownDifference {
    /// What is shown of the difference of the panels `pair`.
    pub(in crate::app) fn of(session: &Session, pair: [usize; 2]) -> Self {
        let Display { colour_map, absolute, .. } = session.difference_request(pair).display;
        Self { is_mapped: !colour_map.is_grey(), is_absolute: absolute }
    }

    /// The values that are shown of a pixel whose colour channels differ by `difference`.
    pub(in crate::app) fn values(self, difference: &[f32]) -> impl Iterator<Item = f32> {
        let mut shown = [0.0; 3];
        let count = difference.len().min(shown.len());
        for (shown, &value) in shown.iter_mut().zip(difference) {
            *shown = if self.is_absolute { value.abs() } else { value };
        }
        let luminance = mapped_value(&shown[..count]);
        let values = if self.is_mapped { [luminance, 0.0, 0.0] } else { shown };
        values.into_iter().take(if self.is_mapped { 1 } else { count })
    }
}

/// Size of a difference, where 1 is maxval. Every colour channel counts, alpha does not.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) struct DifferenceMeasure {
    /// Square root of the mean square.
    pub(in crate::app) rms: f64,
    /// Largest magnitude.
    pub(in crate::app) max: f64,
    /// Shares of the shown values beyond the scale, below its lower end and above its upper one, at each of [`Gain::automatic`].
    beyond: [[f64; 2]; Gain::AUTOMATIC],
    /// Share of the shown values that are further from 0 than rounding.
    differing: f64,
    /// The shown values.
    counts: DifferenceCounts,
    /// Whether they have no sign.
    is_absolute: bool,
}

impl DifferenceMeasure {
    /// Shares of the shown values beyond the scale at `gain`: below its lower end, which no absolute value is, and above its upper
    /// one. The gain is one of [`Gain::automatic`].
    pub(in crate::app) fn beyond(&self, gain: f64) -> [f64; 2] {
        self.beyond[Self::index_of(gain)]
    }

    /// The shown values in bins from the lower end of the scale at `gain` to the upper one, with what lies beyond as the first and the
    /// last bin. The gain is one of [`Gain::automatic`].
    pub(in crate::app) fn bins(&self, gain: f64) -> impl Iterator<Item = DifferenceBin> + '_ {
        self.counts.bins(Self::index_of(gain), self.is_absolute)
    }

    /// Number of the shown values.
    pub(in crate::app) fn shown_count(&self) -> u32 {
        self.counts.total()
    }

    /// Index of `gain` in [`Gain::automatic`].
    fn index_of(gain: f64) -> usize {
        Gain::automatic().partition_point(|automatic| *automatic <= gain).saturating_sub(1)
    }

    /// Of the values that differ, the shares beyond the scale at each of [`Gain::automatic`]; `None` if no value differs. Values
    /// of 0 do not count, so that a difference in few places has the scale of those places.
    pub(in crate::app) fn beyond_of_differing(&self) -> Option<[f64; Gain::AUTOMATIC]> {
        let differing = self.differing.max(f64::MIN_POSITIVE);
        (self.max > 0.0).then(|| self.beyond.map(|[below, above]| (below + above) / differing))
    }
}

/// The request of the values of a difference. Its display has no effect on them.
pub(in crate::app) fn request_of_values(session: &Session, pair: [usize; 2]) -> RenderRequest {
    RenderRequest { display: Display::default(), ..session.difference_request(pair) }
}

/// Measures the difference of the panels `pair` in their view; `None` if no pixel counts.
///
/// # Errors
/// If the backend fails, or has not rendered the values yet.
pub(in crate::app) fn measure_of(
    session: &Session,
    pair: [usize; 2],
    backend: &mut dyn Backend,
) -> Result<Option<DifferenceMeasure>, BackendError> {
    let (request, page) = (request_of_values(session, pair), session.page_of(pair[0]).size());
    let (image, format) = (session.difference_image(pair), PixelFormat::file(Depth::Float));
    let values = backend::render(backend, &image, &request, format)?;
    let map = request.view.image_from_output(request.size, page);
    let sides = [f64::from(page.width()), f64::from(page.height())];
    Ok(measure(&values, ShownDifference::of(session, pair), |column, row| {
        let place = map.at([f64::from(column), f64::from(row)]);
        !session.dims_outside() || [0, 1].iter().all(|&axis| (-0.5..sides[axis] - 0.5).contains(&place[axis]))
    }))
}

/// Measures the pixels for which `counts` is true; `None` if there is none. Values that are not finite do not count.
fn measure(values: &Raster, shown: ShownDifference, counts: impl Fn(u32, u32) -> bool) -> Option<DifferenceMeasure> {
    let colours = values.channels().opaque().count();
    let (mut squares, mut max, mut count) = (0.0, 0.0_f32, 0_u32);
    let (mut shown_values, mut differing) = (DifferenceCounts::new(), 0_u32);
    for row in 0..values.size().height() {
        for column in (0..values.size().width()).filter(|&column| counts(column, row)) {
            let mut pixel = [0.0; 3];
            for (channel, value) in pixel.iter_mut().enumerate().take(colours) {
                *value = values.number(column, row, channel);
                if value.is_finite() {
                    squares += f64::from(*value).powi(2);
                    (max, count) = (max.max(value.abs()), count + 1);
                }
            }
            for value in shown.values(&pixel[..colours]).filter(|value| value.is_finite()) {
                differing += u32::from(value.abs() > ROUNDING);
                shown_values.add(value);
            }
        }
    }
    if count == 0 {
        return None;
    }
    let share = |some: u32| f64::from(some) / f64::from(shown_values.total().max(1));
    Some(DifferenceMeasure {
        rms: (squares / f64::from(count)).sqrt(),
        max: max.into(),
        beyond: shown_values.beyond().map(|signs| signs.map(share)),
        differing: share(differing),
        counts: shown_values,
        is_absolute: shown.is_absolute,
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::image::{Channels, Image, Page, Samples};
    use crate::test_support::{row, size};

    const SIGNED: ShownDifference = ShownDifference { is_mapped: true, is_absolute: false };

    #[test]
    fn measure_is_of_the_counted_finite_values() {
        let values = row(&[3.0, -4.0, f32::NAN, 100.0]);
        let found = measure(&values, SIGNED, |column, _| column != 3).expect("two values");
        assert!((found.rms - 12.5_f64.sqrt()).abs() < 1e-12 && found.max == 4.0, "{found:?}");
        assert_eq!(measure(&values, SIGNED, |column, _| column == 2), None);
    }

    #[test]
    fn values_beyond_the_scale_are_counted_by_gain_and_sign() {
        let values = row(&[0.5, -0.5, 0.25, 0.0, f32::NAN]);
        let found = measure(&values, SIGNED, |_, _| true).expect("values");
        let absolute = measure(&values, ShownDifference { is_absolute: true, ..SIGNED }, |_, _| true).expect("values");
        let beyond = |log2: u8| {
            let gain = f64::from(log2).exp2();
            (found.beyond(gain), absolute.beyond(gain))
        };
        assert_eq!(beyond(0), ([0.0, 0.0], [0.0, 0.0]));
        assert_eq!(beyond(1), ([0.0, 0.0], [0.0, 0.0]), "a value at an end is within the scale");
        assert_eq!(beyond(2), ([0.25, 0.25], [0.0, 0.5]));
        assert_eq!(beyond(3), ([0.25, 0.5], [0.0, 0.75]));
        assert_eq!(beyond(Gain::MAX_LOG2), ([0.25, 0.5], [0.0, 0.75]));
        assert_eq!(found.beyond(1.75), [0.0, 0.0]);
        assert_eq!(absolute.beyond(2.5), [0.0, 0.5], "also between powers of two");
        let rounded = measure(&row(&[1.000_001, -1.000_01]), SIGNED, |_, _| true).expect("values");
        assert_eq!(rounded.beyond(1.0), [0.5, 0.0]);
    }

    #[test]
    fn colours_are_measured_by_channel_and_shown_by_luminance() {
        let colours = Raster::new(size(2, 1), Channels::Rgb, Samples::F32(vec![0.5, -0.5, 0.0, 0.0, 0.0, 0.0]));
        let colours = colours.expect("a raster");
        let [channels, luminance, magnitudes] = [(false, false), (true, false), (true, true)]
            .map(|(is_mapped, is_absolute)| ShownDifference { is_mapped, is_absolute })
            .map(|shown| measure(&colours, shown, |_, _| true).expect("values"));
        for found in [&channels, &luminance, &magnitudes] {
            assert!((found.rms - (0.5_f64 / 6.0).sqrt()).abs() < 1e-12 && found.max == 0.5, "{found:?}");
        }
        // 0.3·0.5 − 0.59·0.5 = −0.145, of the magnitudes 0.445: at gain 2.5 only the latter is beyond 1.
        assert_eq!(
            [&channels, &luminance, &magnitudes].map(|found| found.beyond(2.5)),
            [[1.0 / 6.0; 2], [0.0; 2], [0.0, 0.5]]
        );
        assert_eq!(luminance.beyond(8.0), [0.5, 0.0]);
    }

    /// Bins with values: their ends and their counts.
    fn filled(found: &DifferenceMeasure, gain: f64) -> Vec<([f64; 2], u32)> {
        found.bins(gain).filter(|bin| bin.count > 0).map(|bin| (bin.range, bin.count)).collect()
    }

    #[test]
    fn bins_are_of_the_counted_finite_values_and_end_with_those_beyond() {
        let values = row(&[0.0, 0.25, -0.5, 0.5, 1.0, f32::NAN, f32::INFINITY, -0.125]);
        let signed = measure(&values, SIGNED, |column, _| column != 7).expect("values");
        let beyond = f64::INFINITY;
        let (step, end) = (0.5 / 64.0, 0.5);
        assert_eq!(
            filled(&signed, 2.0),
            [
                ([-end, -63.0 * step], 1),
                ([-step, step], 1),
                ([31.0 * step, 33.0 * step], 1),
                ([63.0 * step, end], 1),
                ([end, beyond], 1)
            ]
        );
        let absolute =
            measure(&values, ShownDifference { is_absolute: true, ..SIGNED }, |column, _| column != 7).expect("values");
        assert_eq!(
            filled(&absolute, 2.0),
            [([0.0, step], 1), ([31.0 * step, 32.0 * step], 1), ([63.0 * step, end], 2), ([end, beyond], 1)]
        );
        for (found, gain) in [(&signed, 1.0), (&signed, 4096.0), (&absolute, 1.75)] {
            assert_eq!(found.bins(gain).map(|bin| bin.count).sum::<u32>(), 5);
            let last = found.bins(gain).last().expect("a bin");
            assert_eq!(f64::from(last.count) / f64::from(found.shown_count()), found.beyond(gain)[1]);
        }
    }

    #[test]
    fn bins_of_colours_are_of_luminance_or_of_each_channel() {
        let colours = Raster::new(size(1, 1), Channels::Rgb, Samples::F32(vec![0.5, -0.5, 0.25])).expect("a raster");
        // 0.3·0.5 − 0.59·0.5 + 0.11·0.25 = −0.1175, which is 7.52 of the 64 steps from 0 to the end.
        let luminance = measure(&colours, SIGNED, |_, _| true).expect("values");
        assert_eq!(filled(&luminance, 1.0), [([-9.0 / 64.0, -7.0 / 64.0], 1)]);
        let channels = measure(&colours, ShownDifference { is_mapped: false, ..SIGNED }, |_, _| true).expect("values");
        let counts: Vec<u32> = filled(&channels, 1.0).into_iter().map(|(_, count)| count).collect();
        assert_eq!((counts, channels.shown_count()), (vec![1; 3], 3));
    }

    #[test]
    fn automatic_gain_is_of_the_values_that_differ() {
        let gain = |values: &[f32]| {
            let page = Page::new(Raster::zeros(size(4, 4), Channels::Grey, Depth::EIGHT));
            let mut session = Session::new(Arc::new(Image::new("zeros", vec![page]).expect("an image")));
            let measure = measure(&row(values), SIGNED, |_, _| true).expect("values");
            if let Some(beyond) = measure.beyond_of_differing() {
                session.settle_gain(&beyond);
            }
            session.gain()
        };
        let mut values = [0.0; 1000];
        assert_eq!(gain(&values), 1.0);
        values[..3].fill(-0.25);
        assert_eq!(gain(&values), 4.0, "zeros do not count");
        values[3..].fill(1e-6);
        assert_eq!(gain(&values), 4.0, "nor does rounding");
        values[3..].fill(0.125);
        assert_eq!(gain(&values), 8.0, "three of a thousand may lie beyond");
        values[3..6].fill(0.25);
        assert_eq!(gain(&values), 4.0, "six of a thousand may not");
    }
}
