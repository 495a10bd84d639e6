//! Display mapping of all panels, or of the focused panel alone.

use super::Session;
use crate::backend::Display;

/// Range of the width of a display window.
const WINDOW_WIDTHS: (f32, f32) = (1e-6, 1e6);
/// Range of the exposure, in stops.
const EXPOSURES: (f32, f32) = (-24.0, 24.0);

impl Session {
    /// Indices of the panels that a display change applies to.
    pub(in crate::app) fn display_targets(&self) -> Vec<usize> {
        if self.inspect.state.is_alone { vec![self.focused] } else { (0..self.panels.len()).collect() }
    }

    /// Applies `change` to the display of every target panel.
    pub(in crate::app) fn change_display(&mut self, change: impl Fn(&mut Display)) {
        for index in self.display_targets() {
            change(&mut self.panels[index].display);
        }
    }

    /// Changes the exposure by `stops`.
    pub(in crate::app) fn expose(&mut self, stops: f32) {
        self.change_display(|display| {
            display.exposure = (display.exposure + stops).clamp(EXPOSURES.0, EXPOSURES.1);
        });
    }

    /// Whether a target panel's exposure is below its maximum, for `is_more`, or above its minimum.
    pub(in crate::app) fn can_expose(&self, is_more: bool) -> bool {
        self.display_targets().into_iter().any(|index| {
            let exposure = self.panels[index].display.exposure;
            if is_more { exposure < EXPOSURES.1 } else { exposure > EXPOSURES.0 }
        })
    }

    /// Resets the display mapping of every target panel to that with which it begins.
    pub(in crate::app) fn reset_display(&mut self) {
        for index in self.display_targets() {
            self.panels[index].display = self.usual_display(index);
        }
    }
}

/// The display window after a drag: `across`, a fraction of the picture's width, widens it; `up`, a fraction of its
/// height, brightens.
pub(in crate::app) fn dragged_window([black, white]: [f32; 2], across: f32, up: f32) -> [f32; 2] {
    let (middle, width) = ((black + white) / 2.0, white - black);
    let widened = (width.abs() * (2.0 * across).exp2()).clamp(WINDOW_WIDTHS.0, WINDOW_WIDTHS.1).copysign(width);
    let middle = middle - up * width;
    [middle - widened / 2.0, middle + widened / 2.0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn window_dragged_sideways_widens_and_dragged_upwards_moves() {
        let near = |a: [f32; 2], b: [f32; 2]| (a[0] - b[0]).abs() < 1e-6 && (a[1] - b[1]).abs() < 1e-6;
        assert!(near(dragged_window([0.0, 1.0], 0.0, 0.0), [0.0, 1.0]));
        assert!(near(dragged_window([0.0, 1.0], 0.5, 0.0), [-0.5, 1.5]));
        assert!(near(dragged_window([0.0, 1.0], 0.0, 0.25), [-0.25, 0.75]));
        let narrow = dragged_window([0.0, 1.0], -100.0, 0.0);
        assert!(narrow[1] > narrow[0]);
    }
}
