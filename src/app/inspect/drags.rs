//! Drags over a picture that do not move it: a rectangle to zoom to (Ctrl), a region to count (Shift), the line of a profile
//! (its tool), the window of values (right button). Esc lets go of them.

use egui::{
    Color32, CursorIcon, Event, Modifiers, Painter, PointerButton, Pos2, Rect, Response, Shape, Stroke, StrokeKind, Ui,
};

use super::lens::Lens;
use super::{Tool, show};
use crate::app::session::history::{Change, Framing};
use crate::app::session::{PanelId, Session};
use crate::image::Region;

/// A drag shorter than this, in points, is a click.
const CLICK: f32 = 4.0;

/// What a drag does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Zoom,
    Region,
    Line,
    Window,
}

/// A drag that goes on.
#[derive(Clone, Debug)]
pub(in crate::app) struct Hold {
    kind: Kind,
    panel: PanelId,
    start: Pos2,
    now: Pos2,
    start_in_image: [f64; 2],
    /// The windows of all panels at the start.
    windows: Vec<(PanelId, [f32; 2])>,
}

/// Reads this frame's drag over one picture; true where the drag is not for the hand.
pub(in crate::app) fn read(ui: &Ui, session: &mut Session, response: &Response, lens: &Lens) -> bool {
    let is_down = response.is_pointer_button_down_on();
    let (pressed, touches) = ui.input(|input| (input.pointer.any_pressed(), input.multi_touch().is_some()));
    if touches {
        session.inspect.hold = None;
        return false;
    }
    if is_down && pressed && session.inspect.hold.is_none() {
        begin(ui, session, lens);
    }
    // A quick click goes down and up within one frame, so it is not told by the hold.
    if response.clicked() && is_pinning(ui) {
        session.inspect.hold = None;
        if let Some(pos) = response.interact_pointer_pos() {
            session.inspect.pin(lens.pos_in_image(pos));
        }
        return true;
    }
    if session.inspect.hold.is_none()
        && !is_down
        && response.contains_pointer()
        && let Some(hold) = within_frame(ui, session, lens)
    {
        follow(ui, session, &hold, lens);
        end(session, &hold, lens);
        return true;
    }
    let panel = session.panels()[lens.panel].id();
    let Some(mut hold) = session.inspect.hold.take_if(|hold| hold.panel == panel) else {
        return false;
    };
    let (pos, released, any_down) =
        ui.input(|input| (input.pointer.interact_pos(), input.pointer.any_released(), input.pointer.any_down()));
    // The pointer may have gone on since the button came up.
    hold.now = release_pos(ui).or(pos).unwrap_or(hold.now);
    follow(ui, session, &hold, lens);
    if released || !any_down {
        end(session, &hold, lens);
    } else {
        let cursor = if hold.kind == Kind::Window { CursorIcon::AllScroll } else { CursorIcon::Crosshair };
        ui.set_cursor_icon(cursor);
        session.inspect.hold = Some(hold);
    }
    true
}

/// Drops a drag whose panel is no longer seen: no picture would ever end it.
pub(in crate::app) fn drop_unseen(session: &mut Session) {
    let seen = session.areas();
    let is_seen = |hold: &Hold| seen.iter().any(|area| session.panels()[area.panel()].id() == hold.panel);
    if session.inspect.hold.as_ref().is_some_and(|hold| !is_seen(hold)) {
        session.inspect.hold = None;
    }
}

/// Whether the left button came up with Ctrl held.
fn is_pinning(ui: &Ui) -> bool {
    let comes_up = |event: &Event| matches!(event, Event::PointerButton { button: PointerButton::Primary, pressed: false, modifiers, .. } if modifiers.command);
    ui.input(|input| input.events.iter().any(comes_up))
}

/// Where a button came up in this frame.
fn release_pos(ui: &Ui) -> Option<Pos2> {
    ui.input(|input| {
        input.events.iter().find_map(|event| match event {
            Event::PointerButton { pos, pressed: false, .. } => Some(*pos),
            _ => None,
        })
    })
}

fn begin(ui: &Ui, session: &mut Session, lens: &Lens) {
    let (kind, start) = ui.input(|input| {
        let down = |button: &PointerButton| input.pointer.button_down(*button);
        let button = [PointerButton::Secondary, PointerButton::Primary].into_iter().find(down);
        let kind = button.and_then(|button| kind_of(session.inspect.tool, button, input.modifiers));
        (kind, input.pointer.press_origin().or(input.pointer.interact_pos()))
    });
    if let (Some(kind), Some(start)) = (kind, start) {
        session.inspect.hold = Some(hold(session, kind, start, lens));
    }
}

/// What a drag with this button is for, where it is not the hand's.
fn kind_of(tool: Tool, button: PointerButton, held: Modifiers) -> Option<Kind> {
    match button {
        PointerButton::Secondary => Some(Kind::Window),
        PointerButton::Primary if tool == Tool::Profile => Some(Kind::Line),
        PointerButton::Primary if held.command => Some(Kind::Zoom),
        PointerButton::Primary if held.shift => Some(Kind::Region),
        _ => None,
    }
}

/// A drag from `start` on.
fn hold(session: &Session, kind: Kind, start: Pos2, lens: &Lens) -> Hold {
    Hold {
        kind,
        panel: session.panels()[lens.panel].id(),
        start,
        now: start,
        start_in_image: lens.pos_in_image(start),
        windows: session.panels().iter().map(|panel| (panel.id(), panel.display.window)).collect(),
    }
}

/// A drag that begins and ends in one slow frame, of which egui holds neither the press nor the way.
fn within_frame(ui: &Ui, session: &Session, lens: &Lens) -> Option<Hold> {
    ui.input(|input| {
        let mut begun: Option<(PointerButton, Hold)> = None;
        for event in &input.events {
            let Event::PointerButton { pos, button, pressed, modifiers } = *event else { continue };
            match begun.take() {
                None if pressed && lens.rect().contains(pos) => {
                    let kind = kind_of(session.inspect.tool, button, modifiers);
                    begun = kind.map(|kind| (button, hold(session, kind, pos, lens)));
                }
                Some((held, drag)) if !pressed && held == button && (pos - drag.start).length() >= CLICK => {
                    return Some(Hold { now: pos, ..drag });
                }
                _ => {}
            }
        }
        None
    })
}

/// What a drag does while it goes on.
fn follow(ui: &Ui, session: &mut Session, hold: &Hold, lens: &Lens) {
    let end = lens.pos_in_image(hold.now);
    let is_click = (hold.now - hold.start).length() < CLICK;
    match hold.kind {
        Kind::Region if !is_click => {
            session.inspect.kept.region = Region::between(hold.start_in_image, end, session.page_of(lens.panel).size());
        }
        Kind::Line if !is_click => {
            let is_level = ui.input(|input| input.modifiers.shift);
            let line = [hold.start_in_image, end];
            session.inspect.kept.line = Some(if is_level { levelled(line) } else { line });
        }
        Kind::Window if !is_click => {
            let moved = (hold.now - hold.start) / lens.rect().size();
            for index in show::aimed_at(session) {
                let Some(panel) = session.panel_mut(index) else { continue };
                let start = hold.windows.iter().find(|(of, _)| *of == panel.id());
                if let Some((_, window)) = start {
                    panel.display.window = show::dragged(*window, moved.x, -moved.y);
                }
            }
        }
        _ => {}
    }
}

/// What a drag leaves behind.
fn end(session: &mut Session, hold: &Hold, lens: &Lens) {
    let is_click = (hold.now - hold.start).length() < CLICK;
    match hold.kind {
        Kind::Zoom if is_click => {
            session.inspect.pin(hold.start_in_image);
        }
        Kind::Zoom => zoom_to(session, hold, lens),
        Kind::Region if is_click => session.inspect.kept.region = None,
        Kind::Region => session.inspect.kept.has_histogram = true,
        Kind::Line | Kind::Window => {}
    }
}

/// The line along its longer axis, through the middles of samples.
fn levelled([start, end]: [[f64; 2]; 2]) -> [[f64; 2]; 2] {
    let axis = usize::from((end[1] - start[1]).abs() > (end[0] - start[0]).abs());
    let (mut start, mut end) = (start, end);
    start[1 - axis] = start[1 - axis].round();
    end[1 - axis] = start[1 - axis];
    [start, end]
}

/// Shows what the rectangle holds as large as it fits, in the picture's middle.
fn zoom_to(session: &mut Session, hold: &Hold, lens: &Lens) {
    let size = lens.place.size;
    let [a, b] = [hold.start, hold.now].map(|pos| lens.place.output_from_points(pos, lens.pixels_per_point));
    let sides = [f64::from(size.width()), f64::from(size.height())];
    let share = ((a[0] - b[0]).abs() / sides[0]).max((a[1] - b[1]).abs() / sides[1]);
    let middle = sides.map(|side| (side - 1.0) / 2.0);
    let by_px = [0, 1].map(|axis| middle[axis] - (a[axis] + b[axis]) / 2.0);
    let view = session.shown_view_of(lens.panel);
    let to = view.panned(by_px).zoomed_about(middle, view.scale() * share, size);
    session.ease_in(lens.panel, to, Framing::Free, Change::Jump);
}

/// Draws what drags are at, and what they left: the region and the line.
pub(super) fn paint(painter: &Painter, session: &Session, lens: &Lens) {
    let inspect = &session.inspect;
    if let Some(region) = inspect.kept.region.filter(|_| inspect.kept.has_histogram || inspect.hold.is_some()) {
        let start = [f64::from(region.left) - 0.5, f64::from(region.top) - 0.5];
        let end = [f64::from(region.right) + 0.5, f64::from(region.bottom) + 0.5];
        outline(painter, lens.quad(start, end).to_vec());
    }
    if let Some([start, end]) = inspect.kept.line {
        let [start, end] = [start, end].map(|place| lens.pos(place));
        painter.line_segment([start, end], Stroke::new(3.0, Color32::from_black_alpha(170)));
        painter.line_segment([start, end], Stroke::new(1.0, Color32::WHITE));
        painter.circle_filled(start, 4.0, Color32::from_black_alpha(170));
        painter.circle_filled(start, 2.5, Color32::WHITE);
    }
    let panel = session.panels()[lens.panel].id();
    if let Some(hold) = inspect.hold.as_ref().filter(|hold| hold.kind == Kind::Zoom && hold.panel == panel) {
        let rect = Rect::from_two_pos(hold.start, hold.now);
        painter.rect_filled(rect, 0.0, Color32::from_white_alpha(24));
        painter.rect_stroke(rect, 0.0, Stroke::new(3.0, Color32::from_black_alpha(150)), StrokeKind::Middle);
        painter.rect_stroke(rect, 0.0, Stroke::new(1.0, Color32::WHITE), StrokeKind::Middle);
    }
}

fn outline(painter: &Painter, corners: Vec<Pos2>) {
    painter.add(Shape::closed_line(corners.clone(), Stroke::new(3.0, Color32::from_black_alpha(170))));
    let mut round = corners;
    round.extend(round.first().copied());
    painter.extend(Shape::dashed_line(&round, Stroke::new(1.0, Color32::WHITE), 5.0, 3.0));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_levelled_line_runs_through_samples() {
        assert_eq!(levelled([[1.2, 3.4], [9.7, 4.0]]), [[1.2, 3.0], [9.7, 3.0]]);
        assert_eq!(levelled([[1.6, 3.4], [2.0, -4.0]]), [[2.0, 3.4], [2.0, -4.0]]);
    }
}
