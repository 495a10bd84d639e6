//! A tap of the space bar: a short press without pointer input. A longer press belongs to a drag.

use egui::{Event, InputState, Key};

/// Maximum duration of a tap, in seconds.
const MAX_S: f64 = 0.4;

/// State of the space bar.
#[derive(Debug, Default)]
pub(in crate::app) struct KeyTap {
    down_since_s: Option<f64>,
}

impl KeyTap {
    /// Whether the space bar was tapped in this frame. `is_free` is `false` while a control takes keys.
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
                is_tapped = self.down_since_s.take().is_some_and(|since| input.time - since <= MAX_S);
            } else if !repeat && is_free && modifiers.is_none() && !input.pointer.any_down() {
                self.down_since_s = Some(input.time);
            }
        }
        is_tapped
    }
}
