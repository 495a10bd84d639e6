//! A tap of the space bar: down and up again soon, with nothing done in between. Held, it belongs to the hand that drags.

use egui::{Event, InputState, Key};

/// A tap is over within this many seconds.
const LONGEST_S: f64 = 0.4;

/// The space bar.
#[derive(Debug, Default)]
pub(in crate::app) struct KeyTap {
    down_since_s: Option<f64>,
}

impl KeyTap {
    /// Whether it was tapped in this frame; `is_free` where no control has the keys.
    pub(in crate::app) fn is_tapped(&mut self, input: &InputState, is_free: bool) -> bool {
        if input.pointer.any_down() || !is_free {
            self.down_since_s = None;
        }
        let mut is_tapped = false;
        for event in &input.events {
            let Event::Key { key: Key::Space, pressed, repeat, modifiers, .. } = *event else {
                continue;
            };
            if !pressed {
                is_tapped = self.down_since_s.take().is_some_and(|since| input.time - since <= LONGEST_S);
            } else if !repeat && is_free && modifiers.is_none() && !input.pointer.any_down() {
                self.down_since_s = Some(input.time);
            }
        }
        is_tapped
    }
}
