//! The pointer over a window without a screen.

use egui::{Event, Modifiers, PointerButton, Pos2, Vec2};
use egui_kittest::kittest::Queryable as _;

use crate::harness::waiting::settle;
use crate::harness::{Window, app};

/// Number of moves of a drag.
const MOVES: u8 = 8;

/// The left button pressed or released at `pos`.
pub(crate) fn button(pos: Pos2, pressed: bool) -> Event {
    Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE }
}

/// Drags from one place to another, one frame a move.
pub(crate) fn drag(window: &mut Window, from: Pos2, to: Pos2) {
    drag_by(window, [from, to], |window| {
        window.step();
    });
}

/// Drags from one place to another, with frames until rest after every move, and in the end until all that was asked for has come.
pub(crate) fn drag_slowly(window: &mut Window, from: Pos2, to: Pos2) {
    drag_by(window, [from, to], |window| {
        window.run_ok();
    });
    settle(window);
}

fn drag_by(window: &mut Window, [from, to]: [Pos2; 2], frames: impl Fn(&mut Window)) {
    window.hover_at(from);
    window.run_ok();
    window.event(button(from, true));
    frames(window);
    for place in 1..=MOVES {
        window.event(Event::PointerMoved(from + (to - from) * (f32::from(place) / f32::from(MOVES))));
        frames(window);
    }
    window.event(button(to, false));
    window.run_ok();
}

/// The centre of the pixel that has `pos`, where a point has one pixel: a zoom and a turn are about it.
pub(crate) fn pixel_centre(pos: Pos2) -> Pos2 {
    pos.floor() + Vec2::splat(0.5)
}

/// The place in the focused panel's image that the picture of this name shows under `pos`.
pub(crate) fn seen_at(window: &Window, picture: &str, pos: Pos2) -> [f64; 2] {
    let session = app(window).session();
    let at = pos - window.get_by_label(picture).rect().min;
    let map = session.shown_view_of(session.focused()).image_from_output(session.output(), session.page().size());
    map.at([f64::from(at.x) - 0.5, f64::from(at.y) - 0.5])
}
