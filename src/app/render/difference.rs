//! RMS and maximum of a difference, and the shares of its values beyond the scale.

use crate::app::session::{Gain, Session};
use crate::backend::{self, Backend, Display, PixelFormat, RenderRequest, mapped_value};
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
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::app) struct DifferenceMeasure {
    /// Square root of the mean square.
    pub(in crate::app) rms: f64,
    /// Largest magnitude.
    pub(in crate::app) max: f64,
    /// Shares of the shown values beyond the scale, below its lower end and above its upper one, at each of [`Gain::automatic`].
    beyond: [[f64; 2]; Gain::AUTOMATIC],
    /// Share of the shown values that are further from 0 than rounding.
    differing: f64,
}

impl DifferenceMeasure {
    /// Shares of the shown values beyond the scale at `gain`: below its lower end, which no absolute value is, and above its upper
    /// one. The gain is one of [`Gain::automatic`].
    pub(in crate::app) fn beyond(&self, gain: f64) -> [f64; 2] {
        let at_most = Gain::automatic().partition_point(|automatic| *automatic <= gain);
        self.beyond[at_most.saturating_sub(1)]
    }

    /// Of the values that differ, the shares beyond the scale at each of [`Gain::automatic`]; `None` if no value differs. Values
    /// of 0 do not count, so that a difference in few places has the scale of those places.
    pub(in crate::app) fn beyond_of_differing(&self) -> Option<[f64; Gain::AUTOMATIC]> {
        let differing = self.differing.max(f64::MIN_POSITIVE);
        (self.max > 0.0).then(|| self.beyond.map(|[below, above]| (below + above) / differing))
    }
}

/// Parts of the scale by which a value exceeds it because of rounding: the tolerance of exact paths.
const ROUNDING: f32 = 2e-6;

/// The request of the values of a difference. Its display has no effect on them.
pub(in crate::app) fn request_of_values(session: &Session, pair: [usize; 2]) -> RenderRequest {
    RenderRequest { display: Display::default(), ..session.difference_request(pair) }
}

/// Measures the difference of the panels `pair` in their view; `None` if the backend fails, or if no pixel counts.
pub(in crate::app) fn measure_of(
    session: &Session,
    pair: [usize; 2],
    backend: &mut dyn Backend,
) -> Option<DifferenceMeasure> {
    let (request, page) = (request_of_values(session, pair), session.page_of(pair[0]).size());
    let (image, format) = (session.difference_image(pair), PixelFormat::file(Depth::Float));
    let values = backend::render(backend, &image, &request, format).ok()?;
    let map = request.view.image_from_output(request.size, page);
    let sides = [f64::from(page.width()), f64::from(page.height())];
    measure(&values, ShownDifference::of(session, pair), |column, row| {
        let place = map.at([f64::from(column), f64::from(row)]);
        !session.dims_outside() || [0, 1].iter().all(|&axis| (-0.5..sides[axis] - 0.5).contains(&place[axis]))
    })
}

/// Measures the pixels for which `counts` is true; `None` if there is none. Values that are not finite do not count.
fn measure(values: &Raster, shown: ShownDifference, counts: impl Fn(u32, u32) -> bool) -> Option<DifferenceMeasure> {
    let colours = values.channels().opaque().count();
    let (mut squares, mut max, mut count, mut shown_count) = (0.0, 0.0_f32, 0_u32, 0_u32);
    // Values whose first gain beyond the scale is this one.
    let (mut firsts, mut differing) = ([[0_u32; 2]; Gain::AUTOMATIC], 0_u32);
    let gains = Gain::automatic().map(|gain| gain as f32);
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
                shown_count += 1;
                differing += u32::from(value.abs() > ROUNDING);
                let within = gains.partition_point(|gain| value.abs() * gain <= 1.0 + ROUNDING);
                if let Some(first) = firsts.get_mut(within) {
                    first[usize::from(value > 0.0)] += 1;
                }
            }
        }
    }
    if count == 0 {
        return None;
    }
    let (mut counts, share) = ([0_u32; 2], |some: u32| f64::from(some) / f64::from(shown_count.max(1)));
    let beyond = firsts.map(|first| {
        counts = [counts[0] + first[0], counts[1] + first[1]];
        counts.map(share)
    });
    Some(DifferenceMeasure {
        rms: (squares / f64::from(count)).sqrt(),
        max: max.into(),
        beyond,
        differing: share(differing),
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
        for found in [channels, luminance, magnitudes] {
            assert!((found.rms - (0.5_f64 / 6.0).sqrt()).abs() < 1e-12 && found.max == 0.5, "{found:?}");
        }
        // 0.3·0.5 − 0.59·0.5 = −0.145, of the magnitudes 0.445: at gain 2.5 only the latter is beyond 1.
        assert_eq!(
            [channels, luminance, magnitudes].map(|found| found.beyond(2.5)),
            [[1.0 / 6.0; 2], [0.0; 2], [0.0, 0.5]]
        );
        assert_eq!(luminance.beyond(8.0), [0.5, 0.0]);
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
