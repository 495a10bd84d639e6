//! A picture that a finger flung glides on for a moment. A mouse and a trackpad stop where they stop: what they show is
//! placed to the pixel, and a trackpad's own momentum comes from its system.

use egui::{InputState, Pos2, Vec2};

use crate::app::session::PanelId;

/// The moves of this many seconds before a release tell how fast a finger was.
const MEMORY_S: f64 = 0.1;
/// The speed falls to 1/e in this many seconds.
const FALLS_S: f32 = 0.25;
/// Speeds, in points a second, from which a release is a fling, and at which a picture rests.
const FLING: f32 = 300.0;
const REST: f32 = 20.0;
/// A frame counts for no more than this many seconds.
const LONGEST_FRAME_S: f32 = 0.1;

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

/// A finger that drags, or a picture that glides.
#[derive(Debug, Default)]
pub(in crate::app) struct Fling {
    /// The panel that a finger drags, or did last.
    panel: Option<PanelId>,
    moves: Vec<(f64, Pos2)>,
    going: Option<Vec2>,
}

impl Fling {
    /// Follows a finger over a panel. Returns how far, in points, the picture moves in this frame; another frame is then
    /// needed.
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
        let seconds = input.unstable_dt.min(LONGEST_FRAME_S);
        let slower = velocity * (-seconds / FALLS_S).exp();
        self.going = (slower.length() > REST).then_some(slower);
        Some((velocity - slower) * FALLS_S)
    }

    /// Lets everything rest.
    pub(in crate::app) fn stop(&mut self) {
        self.moves.clear();
        self.going = None;
    }

    /// How fast the finger was that just let go, where that was a fling.
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
    fn only_a_quick_finger_flings() {
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
