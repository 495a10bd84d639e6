//! Normalization of the display window.

use super::patch::unmapped;
use crate::app::session::Session;
use crate::backend::{self, Backend, BackendError, Display, PixelFormat};
use crate::image::Depth;

/// The visible values have no range to normalize to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("All visible values are equal: there is no range to normalize to")]
pub(in crate::app) struct NormalizeError;

/// Sets the display window to the range of the values that the target panels show.
///
/// Nothing is set while the backend renders a picture in the background.
///
/// # Errors
/// If the visible values are all equal, or there are none.
pub(in crate::app) fn normalize(session: &mut Session, backend: &mut dyn Backend) -> Result<(), NormalizeError> {
    let seen = session.visible();
    let aimed: Vec<usize> = session.display_targets().into_iter().filter(|index| seen.contains(index)).collect();
    let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
    for &index in &aimed {
        let shown = session.request(index);
        let request = unmapped(&shown);
        let format = PixelFormat::file(Depth::Float);
        let values = match backend::render(backend, session.image_of(index), &request, format) {
            Ok(values) => values,
            Err(BackendError::Cancelled) => return Ok(()),
            Err(_) => continue,
        };
        let tone = Display { window: [0.0, 1.0], gamma: 1.0, ..shown.display }.tone();
        let (channels, colours) = (values.channels().count(), values.channels().opaque().count());
        for place in (0..values.samples().len()).filter(|place| place % channels < colours) {
            let value = tone.apply(values.samples().number(place));
            if value.is_finite() {
                low = low.min(value);
                high = high.max(value);
            }
        }
    }
    if low >= high {
        return Err(NormalizeError);
    }
    session.change_display(|display| display.window = [low, high]);
    Ok(())
}
