//! Size of the window on its screen.

use egui::{Ui, Vec2, ViewportCommand, vec2};

/// Size of a new window, in points.
pub(in crate::app) const WANTED_SIZE: Vec2 = vec2(1280.0, 860.0);
/// Least size, in points.
pub(in crate::app) const LEAST_SIZE: Vec2 = vec2(640.0, 440.0);
/// Room for the window's frame and the desktop's bars, in points. The window library does not report them before the window
/// is shown.
const AROUND: Vec2 = vec2(16.0, 88.0);

/// Keeps a new window within its screen. Done once, when the window library first reports the screen.
#[derive(Debug, Default)]
pub(super) struct ScreenFit {
    is_done: bool,
}

impl ScreenFit {
    /// Asks for a smaller window if the screen has no room for the current one. Before the window is visible this is its
    /// first size.
    pub(super) fn show(&mut self, ui: &Ui) {
        if self.is_done {
            return;
        }
        let (screen, size, is_filling) = ui.input(|input| {
            let viewport = input.viewport();
            let is_filling = viewport.fullscreen == Some(true) || viewport.maximized == Some(true);
            (viewport.monitor_size, viewport.inner_rect.map(|rect| rect.size()), is_filling)
        });
        let (Some(screen), Some(size)) = (screen, size) else { return };
        self.is_done = true;
        let least = fitted(LEAST_SIZE, screen);
        if least != LEAST_SIZE {
            ui.send_viewport_cmd(ViewportCommand::MinInnerSize(least));
        }
        let wanted = fitted(size, screen);
        if wanted != size && !is_filling {
            ui.send_viewport_cmd(ViewportCommand::InnerSize(wanted));
        }
    }
}

/// `size`, reduced so that a window with its frame is within a screen of size `screen`, all in points.
fn fitted(size: Vec2, screen: Vec2) -> Vec2 {
    size.min((screen - AROUND).max(Vec2::splat(1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn window_is_within_a_scaled_screen_and_unchanged_on_a_large_one() {
        let pixels = vec2(1920.0, 1200.0);
        for (scale, expected) in
            [(1.0, WANTED_SIZE), (1.5, vec2(1264.0, 712.0)), (2.0, vec2(944.0, 512.0)), (3.0, vec2(624.0, 312.0))]
        {
            let size = fitted(WANTED_SIZE, pixels / scale);
            assert_eq!(size, expected, "{scale}");
            assert!((size + AROUND).x <= pixels.x / scale && (size + AROUND).y <= pixels.y / scale || scale == 1.0);
        }
        assert_eq!(fitted(LEAST_SIZE, pixels / 2.0), LEAST_SIZE);
        assert_eq!(fitted(LEAST_SIZE, pixels / 3.0), vec2(624.0, 312.0));
    }
}
