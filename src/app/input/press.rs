//! Order of a press and the motion that follows it within one frame.
//!
//! egui hit-tests a press at the last pointer position of its frame. If the pointer moves within that frame, a quick drag of a handle goes to
//! the widget beside it. The events after a press are therefore deferred to the next frame.

use egui::{Event, RawInput};

/// Events that are deferred to the next frame.
#[derive(Debug, Default)]
pub(in crate::app) struct PressOrder {
    later: Vec<Event>,
}

impl PressOrder {
    /// Defers the events after the first press of `raw` to the next frame if the pointer moves among them. No event is deferred twice.
    /// Returns whether another frame is needed.
    pub(in crate::app) fn amend(&mut self, raw: &mut RawInput) -> bool {
        if !self.later.is_empty() {
            raw.events.splice(0..0, self.later.drain(..));
            return false;
        }
        let is_press = |event: &Event| matches!(event, Event::PointerButton { pressed: true, .. });
        let Some(press) = raw.events.iter().position(is_press) else { return false };
        let moves = raw.events[press..].iter().any(|event| matches!(event, Event::PointerMoved(_)));
        if moves {
            self.later = raw.events.split_off(press + 1);
        }
        moves
    }
}

#[cfg(test)]
mod tests {
    use egui::{Modifiers, PointerButton, Pos2, Rect, Sense, pos2, vec2};

    use super::*;

    fn button(pos: Pos2, pressed: bool) -> Event {
        Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE }
    }

    /// A handle of 10 points before a ground, as the divider of a wipe lies over its pictures: how far each was dragged.
    fn dragged(frames: Vec<Vec<Event>>, is_ordered: bool) -> [f32; 2] {
        let (ctx, mut order, mut sums) = (egui::Context::default(), PressOrder::default(), [0.0; 2]);
        for events in std::iter::once(Vec::new()).chain(frames) {
            let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, vec2(400.0, 300.0)));
            let mut raw = RawInput { screen_rect, events, ..Default::default() };
            if is_ordered {
                order.amend(&mut raw);
            }
            let mut output = ctx.run_ui(raw, |ui| {
                let ground = ui.interact(ui.max_rect(), ui.scope_id().with("ground"), Sense::drag());
                let place = Rect::from_center_size(pos2(100.0, 100.0), vec2(10.0, 300.0));
                let handle = ui.interact(place, ui.scope_id().with("handle"), Sense::drag());
                for (sum, response) in sums.iter_mut().zip([handle, ground]) {
                    *sum += response.drag_delta().x;
                }
            });
            output.textures_delta.clear();
        }
        sums
    }

    #[test]
    fn drag_that_begins_and_moves_within_one_frame_belongs_to_what_was_pressed() {
        let start = pos2(100.0, 100.0);
        let moved = |x: f32| Event::PointerMoved(start + vec2(x, 0.0));
        let frames = || vec![vec![moved(0.0)], vec![button(start, true), moved(50.0)], vec![moved(60.0)], vec![]];
        assert_eq!(dragged(frames(), false)[0], 0.0, "the toolkit alone gives it to the ground");
        assert_eq!(dragged(frames(), true), [60.0, 0.0]);
    }

    #[test]
    fn events_keep_their_order_and_no_press_without_motion_waits() {
        let mut order = PressOrder::default();
        let (here, there) = (pos2(1.0, 1.0), pos2(9.0, 1.0));
        let mut raw = RawInput { events: vec![button(here, true), button(here, false)], ..Default::default() };
        assert!(!order.amend(&mut raw) && raw.events.len() == 2, "a click is one frame");
        let events =
            vec![Event::PointerMoved(here), button(here, true), Event::PointerMoved(there), button(there, false)];
        let mut raw = RawInput { events: events.clone(), ..Default::default() };
        assert!(order.amend(&mut raw));
        assert_eq!(raw.events, events[..2]);
        let mut raw = RawInput { events: events.clone(), ..Default::default() };
        assert!(!order.amend(&mut raw), "nothing waits for more than one frame");
        assert_eq!(raw.events, [&events[2..], &events[..]].concat());
    }
}
