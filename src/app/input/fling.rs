//! Flings: a picture that a finger releases in motion keeps moving for a moment. Mouse and trackpad drags do not fling:
//! they place the picture to the pixel, and the system provides a trackpad's momentum.

use egui::{InputState, Pos2, Vec2};

use crate::app::session::PanelId;

/// Time before the release over which the velocity is measured, in seconds.
const MEMORY_S: f64 = 0.1;
/// Time constant of the exponential decay of the velocity, in seconds.
const FALLS_S: f32 = 0.25;
/// Minimum velocity of a fling, and velocity at which it ends, in points per second.
const FLING: f32 = 300.0;
const REST: f32 = 20.0;
/// Maximum duration of a frame, in seconds.
const MAX_FRAME_S: f32 = 0.1;

/// A finger over a picture.
#[derive(Clone, Copy, Debug)]
pub(in crate::app) struct Finger {
    /// The panel of the picture.
    pub(in crate::app) panel: PanelId,
    /// Whether the finger drags the picture.
    pub(in crate::app) is_held: bool,
    /// Whether flings are disabled.
    pub(in crate::app) reduced_motion: bool,
}

/// A fling, or the drag before it.
#[derive(Debug, Default)]
pub(in crate::app) struct Fling {
    /// The panel that the finger drags, or dragged last.
    panel: Option<PanelId>,
    moves: Vec<(f64, Pos2)>,
    going: Option<Vec2>,
}

impl Fling {
    /// Updates the fling for one panel. Returns the movement of the picture in this frame, in points; another frame is
    /// then needed.
    pub(in crate::app) fn follow(&mut self, input: &InputState, finger: Finger) -> Option<Vec2> {
        let Finger { panel, is_held, reduced_motion } = finger;
        let is_touch = input.any_touches() && input.multi_touch().is_none();
        if is_held && is_touch && !reduced_motion {
            self.going = None;
            self.panel = Some(panel);
            self.moves.retain(|(at, _)| input.time - at <= MEMORY_S);
            self.moves.extend(input.pointer.interact_pos().map(|pos| (input.time, pos)));
            return None;
        }
        if self.panel != Some(panel) {
            return None;
        }
        if input.pointer.any_down() || input.multi_touch().is_some() || reduced_motion {
            self.stop();
            return None;
        }
        if let Some(velocity) = self.released(input.time) {
            self.going = Some(velocity);
            return Some(Vec2::ZERO);
        }
        let velocity = self.going?;
        let seconds = input.unstable_dt.min(MAX_FRAME_S);
        let slower = velocity * (-seconds / FALLS_S).exp();
        self.going = (slower.length() > REST).then_some(slower);
        Some((velocity - slower) * FALLS_S)
    }

    /// Ends the fling.
    pub(in crate::app) fn stop(&mut self) {
        self.moves.clear();
        self.going = None;
    }

    /// Velocity of the finger at its release, if it is high enough for a fling.
    fn released(&mut self, now_s: f64) -> Option<Vec2> {
        let moves = std::mem::take(&mut self.moves);
        let (first, last) = (moves.first()?, moves.last()?);
        let seconds = last.0 - first.0;
        if seconds <= 0.0 || now_s - last.0 > MEMORY_S {
            return None;
        }
        let velocity = (last.1 - first.1) / seconds as f32;
        (velocity.length() >= FLING).then_some(velocity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    #[test]
    fn only_a_fast_finger_flings() {
        let moves = vec![(0.0, pos2(0.0, 0.0)), (0.05, pos2(50.0, 0.0))];
        let mut fling = Fling { moves, ..Fling::default() };
        assert_eq!(fling.released(0.06), Some(Vec2::new(1000.0, 0.0)));
        assert_eq!(fling.released(0.06), None);
        fling.moves = vec![(0.0, pos2(0.0, 0.0)), (0.05, pos2(5.0, 0.0))];
        assert_eq!(fling.released(0.06), None);
        fling.moves = vec![(0.0, pos2(0.0, 0.0)), (0.05, pos2(50.0, 0.0))];
        assert_eq!(fling.released(0.3), None, "the finger stood still before it let go");
    }
}
