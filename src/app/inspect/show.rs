//! Show: the display mapping of all panels, or of the focused one alone.

use super::patch::unmapped;
use crate::app::session::Session;
use crate::backend::{self, Backend, Display, PixelFormat};
use crate::image::Depth;

/// The widths that a window may have.
const WIDTHS: (f32, f32) = (1e-6, 1e6);

/// The panels that a change of the display is for.
pub(super) fn aimed_at(session: &Session) -> Vec<usize> {
    if session.inspect.kept.is_alone { vec![session.focused()] } else { (0..session.panels().len()).collect() }
}

/// Changes the display of the panels that it is for.
pub(in crate::app) fn change(session: &mut Session, change: impl Fn(&mut Display)) {
    for index in aimed_at(session) {
        if let Some(panel) = session.panel_mut(index) {
            change(&mut panel.display);
        }
    }
}

/// Brighter or darker by `stops`.
pub(super) fn expose(session: &mut Session, stops: f32) {
    change(session, |display| display.exposure = (display.exposure + stops).clamp(-24.0, 24.0));
}

/// Restores the identity mapping.
pub(super) fn reset(session: &mut Session) {
    change(session, |display| *display = Display::default());
}

/// The window after a drag: `across` shares of a picture's width widen it, `up` shares of its height brighten.
pub(super) fn dragged([black, white]: [f32; 2], across: f32, up: f32) -> [f32; 2] {
    let (middle, width) = ((black + white) / 2.0, white - black);
    let widened = (width.abs() * (2.0 * across).exp2()).clamp(WIDTHS.0, WIDTHS.1).copysign(width);
    let middle = middle - up * width;
    [middle - widened / 2.0, middle + widened / 2.0]
}

/// Puts black and white at the least and the greatest value that the panels show; why not, where that cannot be done.
pub(in crate::app) fn normalize(session: &mut Session, backend: &mut dyn Backend) -> Option<String> {
    let seen = session.visible();
    let aimed: Vec<usize> = aimed_at(session).into_iter().filter(|index| seen.contains(index)).collect();
    let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
    for &index in &aimed {
        let shown = session.request(index);
        let request = unmapped(&shown);
        let Ok(values) = backend::render(backend, session.image_of(index), &request, PixelFormat::file(Depth::Float))
        else {
            continue;
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
        return Some("All that is seen has one value: there is nothing to normalize".to_owned());
    }
    change(session, |display| display.window = [low, high]);
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drag_widens_the_window_and_moves_it() {
        let near = |a: [f32; 2], b: [f32; 2]| (a[0] - b[0]).abs() < 1e-6 && (a[1] - b[1]).abs() < 1e-6;
        assert!(near(dragged([0.0, 1.0], 0.0, 0.0), [0.0, 1.0]));
        assert!(near(dragged([0.0, 1.0], 0.5, 0.0), [-0.5, 1.5]));
        assert!(near(dragged([0.0, 1.0], 0.0, 0.25), [-0.25, 0.75]));
        let narrow = dragged([0.0, 1.0], -100.0, 0.0);
        assert!(narrow[1] > narrow[0]);
    }
}
