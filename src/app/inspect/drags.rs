//! Drags of the inspection tools: a rectangle to zoom to (Ctrl), a rotation (Ctrl+Shift), a region to count (Shift), the
//! profile line, a rectangle to inpaint and the handles of a warp (their tools), the display window (right button). Esc cancels a drag.

use egui::{
    Color32, CursorIcon, Event, InputState, Modifiers, Painter, PointerButton, Pos2, Rect, Response, Shape, Stroke,
    StrokeKind, Ui,
};

use super::handles;
use super::panel_transform::PanelTransform;
use super::turn_drag::{Lever, TurnDrag};
use crate::app::session::display::dragged_window;
use crate::app::session::history::{Change, Framing};
use crate::app::session::inspect::Tool;
use crate::app::session::preferences::Preferences;
use crate::app::session::{PanelId, Session};
use crate::image::Region;

/// Minimum length of a drag, in points. A shorter one is a click.
const CLICK: f32 = 4.0;

/// Action of a drag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DragKind {
    Zoom,
    Turn,
    Region,
    Line,
    Inpaint,
    /// The handle of a warp at this index.
    Handle(usize),
    Window,
}

/// A drag in progress.
#[derive(Clone, Debug)]
struct ToolDrag {
    kind: DragKind,
    panel: PanelId,
    start: Pos2,
    now: Pos2,
    start_in_image: [f64; 2],
    turn: TurnDrag,
    /// Display windows of all panels at the start.
    windows: Vec<(PanelId, [f32; 2])>,
}

impl ToolDrag {
    fn new(session: &Session, kind: DragKind, start: Pos2, transform: &PanelTransform) -> Self {
        Self {
            kind,
            panel: session.panels()[transform.panel].id(),
            start,
            now: start,
            start_in_image: transform.pos_in_image(start),
            turn: TurnDrag::new(session.shown_view_of(transform.panel)),
            windows: session.panels().iter().map(|panel| (panel.id(), panel.display.window)).collect(),
        }
    }

    fn is_click(&self) -> bool {
        (self.now - self.start).length() < CLICK
    }
}

/// Input over one picture.
#[derive(Clone, Copy)]
pub(in crate::app) struct PictureInput<'a> {
    /// User interface of the frame.
    pub(in crate::app) ui: &'a Ui,
    /// Response of the picture.
    pub(in crate::app) response: &'a Response,
    /// Transform of the picture.
    pub(in crate::app) transform: &'a PanelTransform,
}

/// The drag of an inspection tool, across frames.
#[derive(Debug, Default)]
pub(in crate::app) struct DragTool {
    hold: Option<ToolDrag>,
}

impl DragTool {
    /// Whether a drag is in progress.
    pub(in crate::app) fn is_active(&self) -> bool {
        self.hold.is_some()
    }

    /// Cancels the drag in progress. Returns `false` if there is none.
    pub(in crate::app) fn cancel(&mut self) -> bool {
        self.hold.take().is_some()
    }

    /// Cancels a drag whose panel is no longer visible, since no picture would end it.
    pub(in crate::app) fn cancel_unseen(&mut self, session: &Session) {
        let areas = session.areas();
        self.hold.take_if(|hold| !areas.iter().any(|area| session.panels()[area.panel()].id() == hold.panel));
    }

    /// Handles this frame's drag over one picture. Returns `true` if the drag belongs to an inspection tool, so that it
    /// does not pan.
    pub(in crate::app) fn read(
        &mut self,
        input: PictureInput<'_>,
        session: &mut Session,
        preferences: &Preferences,
    ) -> bool {
        let PictureInput { ui, response, transform } = input;
        let is_down = response.is_pointer_button_down_on();
        let (pressed, touches) = ui.input(|input| (input.pointer.any_pressed(), input.multi_touch().is_some()));
        if touches {
            self.hold = None;
            return false;
        }
        self.hold.take_if(|hold| match hold.kind {
            DragKind::Line => session.inspect.tool != Tool::Profile,
            DragKind::Inpaint => session.inspect.tool != Tool::Inpaint,
            DragKind::Handle(_) => session.inspect.tool != Tool::Handles,
            DragKind::Zoom | DragKind::Turn | DragKind::Region | DragKind::Window => false,
        });
        if is_down && pressed && self.hold.is_none() {
            self.hold = ui.input(|input| begin(input, session, transform));
        }
        // A quick click is pressed and released within one frame and leaves no drag.
        if response.clicked() && ui.input(is_pinning) {
            self.hold = None;
            if let Some(pos) = response.interact_pointer_pos() {
                session.inspect.pin(transform.pixel_in_image(pos));
            }
            return true;
        }
        if self.hold.is_none()
            && !is_down
            && response.contains_pointer()
            && let Some(mut hold) = ui.input(|input| within_frame(input, session, transform))
        {
            follow(ui, session, &mut hold, transform);
            end(session, preferences, &hold, transform);
            return true;
        }
        let panel = session.panels()[transform.panel].id();
        let Some(mut hold) = self.hold.take_if(|hold| hold.panel == panel) else {
            return false;
        };
        let (pos, released, any_down) =
            ui.input(|input| (input.pointer.interact_pos(), input.pointer.any_released(), input.pointer.any_down()));
        // The pointer may have moved on after the button was released.
        hold.now = ui.input(release_pos).or(pos).unwrap_or(hold.now);
        follow(ui, session, &mut hold, transform);
        if released || !any_down {
            end(session, preferences, &hold, transform);
        } else {
            ui.set_cursor_icon(match hold.kind {
                DragKind::Window => CursorIcon::AllScroll,
                DragKind::Zoom | DragKind::Turn | DragKind::Region | DragKind::Line | DragKind::Inpaint => {
                    CursorIcon::Crosshair
                }
                DragKind::Handle(_) => CursorIcon::Grabbing,
            });
            self.hold = Some(hold);
        }
        true
    }

    /// Draws the region, the profile line, the rectangle of the zoom drag and the lever of the rotation.
    pub(super) fn paint(&self, painter: &Painter, session: &Session, transform: &PanelTransform) {
        let state = &session.inspect.state;
        if let Some(region) = state.region.filter(|_| state.has_histogram || self.is_active()) {
            outline_region(painter, region, transform);
        }
        if let Some([start, end]) = state.line {
            let [start, end] = [start, end].map(|place| transform.pos(place));
            painter.line_segment([start, end], Stroke::new(3.0, Color32::from_black_alpha(170)));
            painter.line_segment([start, end], Stroke::new(1.0, Color32::WHITE));
            painter.circle_filled(start, 4.0, Color32::from_black_alpha(170));
            painter.circle_filled(start, 2.5, Color32::WHITE);
        }
        if session.inspect.tool == Tool::Handles {
            handles::paint(painter, session, transform);
        }
        let panel = session.panels()[transform.panel].id();
        let Some(hold) = self.hold.as_ref().filter(|hold| hold.panel == panel) else { return };
        match hold.kind {
            DragKind::Zoom => {
                let rect = Rect::from_two_pos(hold.start, hold.now);
                painter.rect_filled(rect, 0.0, Color32::from_white_alpha(24));
                painter.rect_stroke(rect, 0.0, Stroke::new(3.0, Color32::from_black_alpha(150)), StrokeKind::Middle);
                painter.rect_stroke(rect, 0.0, Stroke::new(1.0, Color32::WHITE), StrokeKind::Middle);
            }
            DragKind::Turn => hold.turn.paint(painter, [hold.start, hold.now], transform.rect()),
            DragKind::Inpaint => {
                let hole = hole_of(session, hold, transform);
                hole.into_iter().for_each(|region| outline_region(painter, region, transform));
            }
            DragKind::Region | DragKind::Line | DragKind::Handle(_) | DragKind::Window => {}
        }
    }
}

/// Whether the left button was released with Ctrl held and without Shift.
fn is_pinning(input: &InputState) -> bool {
    input.events.iter().any(|event| match *event {
        Event::PointerButton { button: PointerButton::Primary, pressed: false, modifiers: held, .. } => {
            held.command && !held.shift
        }
        _ => false,
    })
}

/// Position at which a button was released in this frame.
fn release_pos(input: &InputState) -> Option<Pos2> {
    input.events.iter().find_map(|event| match event {
        Event::PointerButton { pos, pressed: false, .. } => Some(*pos),
        _ => None,
    })
}

/// The drag that a press in this frame starts.
fn begin(input: &InputState, session: &Session, transform: &PanelTransform) -> Option<ToolDrag> {
    let is_down = |button: &PointerButton| input.pointer.button_down(*button);
    let button = [PointerButton::Secondary, PointerButton::Primary].into_iter().find(is_down)?;
    let start = input.pointer.press_origin().or(input.pointer.interact_pos())?;
    let kind = kind_at(session, (button, start), input.modifiers, transform)?;
    Some(ToolDrag::new(session, kind, start, transform))
}

/// Action of a drag with this button from a position; `None` if it pans.
fn kind_at(
    session: &Session,
    (button, start): (PointerButton, Pos2),
    held: Modifiers,
    transform: &PanelTransform,
) -> Option<DragKind> {
    let grabs = session.inspect.tool == Tool::Handles && button == PointerButton::Primary && held.is_none();
    let handle = grabs.then(|| handles::at(session, transform, start)).flatten();
    handle.map(DragKind::Handle).or_else(|| kind_of(session.inspect.tool, button, held))
}

/// Action of a drag with this button; `None` if it pans.
fn kind_of(tool: Tool, button: PointerButton, held: Modifiers) -> Option<DragKind> {
    match button {
        PointerButton::Secondary => Some(DragKind::Window),
        PointerButton::Primary if held.command && held.shift => Some(DragKind::Turn),
        PointerButton::Primary if tool == Tool::Profile => Some(DragKind::Line),
        PointerButton::Primary if tool == Tool::Inpaint => Some(DragKind::Inpaint),
        PointerButton::Primary if held.command => Some(DragKind::Zoom),
        PointerButton::Primary if held.shift => Some(DragKind::Region),
        PointerButton::Primary | PointerButton::Middle | PointerButton::Extra1 | PointerButton::Extra2 => None,
    }
}

/// A drag that starts and ends within one slow frame. egui's pointer state has neither its press nor its motion.
fn within_frame(input: &InputState, session: &Session, transform: &PanelTransform) -> Option<ToolDrag> {
    let mut begun: Option<(PointerButton, ToolDrag)> = None;
    for event in &input.events {
        let Event::PointerButton { pos, button, pressed, modifiers } = *event else { continue };
        match begun.take() {
            None if pressed && transform.rect().contains(pos) => {
                let kind = kind_at(session, (button, pos), modifiers, transform);
                begun = kind.map(|kind| (button, ToolDrag::new(session, kind, pos, transform)));
            }
            Some((held, drag)) if !pressed && held == button && (pos - drag.start).length() >= CLICK => {
                return Some(ToolDrag { now: pos, ..drag });
            }
            _ => {}
        }
    }
    None
}

/// Applies a drag in progress to the session.
fn follow(ui: &Ui, session: &mut Session, hold: &mut ToolDrag, transform: &PanelTransform) {
    if hold.is_click() {
        return;
    }
    let end = transform.pos_in_image(hold.now);
    match hold.kind {
        DragKind::Region => {
            session.inspect.state.region =
                Region::between(hold.start_in_image, end, session.page_of(transform.panel).size());
        }
        DragKind::Line => {
            let is_level = ui.input(|input| input.modifiers.shift);
            let line = [hold.start_in_image, end];
            session.inspect.state.line = Some(if is_level { levelled(line) } else { line });
        }
        DragKind::Window => {
            let moved = (hold.now - hold.start) / transform.rect().size();
            for index in session.display_targets() {
                let Some(panel) = session.panel_mut(index) else { continue };
                let start = hold.windows.iter().find(|(of, _)| *of == panel.id());
                if let Some((_, window)) = start {
                    panel.display.window = dragged_window(*window, moved.x, -moved.y);
                }
            }
        }
        DragKind::Turn => {
            let lever = Lever {
                arm: hold.now - hold.start,
                about_px: transform.place.output_from_points(hold.start, transform.pixels_per_point),
                output: transform.place.size,
                in_steps: ui.input(|input| input.modifiers.alt),
            };
            if let Some(to) = hold.turn.follow(lever, session.shown_view_of(transform.panel)) {
                session.go_in(transform.panel, to, Framing::Free, Change::Turn);
            }
        }
        DragKind::Handle(index) => {
            session.focus(transform.panel);
            let size = session.page_of(transform.panel).size();
            let sides = [size.width(), size.height()].map(f64::from);
            session.move_handle(index, [0, 1].map(|axis| (end[axis] + 0.5) / sides[axis]));
        }
        DragKind::Zoom | DragKind::Inpaint => {}
    }
}

/// Applies the end of a drag to the session.
fn end(session: &mut Session, preferences: &Preferences, hold: &ToolDrag, transform: &PanelTransform) {
    match hold.kind {
        DragKind::Zoom if hold.is_click() => drop(session.inspect.pin(transform.pixel_in_image(hold.start))),
        DragKind::Zoom => zoom_to(session, preferences, hold, transform),
        DragKind::Region if hold.is_click() => session.inspect.state.region = None,
        DragKind::Region => session.inspect.state.has_histogram = true,
        DragKind::Inpaint => {
            let hole = hole_of(session, hold, transform);
            hole.into_iter().for_each(|region| session.inpaint(transform.panel, region));
            session.inspect.tool = Tool::Hand;
        }
        DragKind::Turn | DragKind::Line | DragKind::Handle(_) | DragKind::Window => {}
    }
}

/// The samples that a drag outlines for inpainting; `None` for a click and outside the image.
fn hole_of(session: &Session, hold: &ToolDrag, transform: &PanelTransform) -> Option<Region> {
    let end = transform.pos_in_image(hold.now);
    let region = Region::between(hold.start_in_image, end, session.page_of(transform.panel).size());
    region.filter(|_| !hold.is_click())
}

/// Makes a line horizontal or vertical along its longer axis, through sample centres.
fn levelled([start, end]: [[f64; 2]; 2]) -> [[f64; 2]; 2] {
    let axis = usize::from((end[1] - start[1]).abs() > (end[0] - start[0]).abs());
    let (mut start, mut end) = (start, end);
    start[1 - axis] = start[1 - axis].round();
    end[1 - axis] = start[1 - axis];
    [start, end]
}

/// Zooms so that the rectangle of the drag fills the picture.
fn zoom_to(session: &mut Session, preferences: &Preferences, hold: &ToolDrag, transform: &PanelTransform) {
    let size = transform.place.size;
    let [a, b] = [hold.start, hold.now].map(|pos| transform.place.output_from_points(pos, transform.pixels_per_point));
    let sides = [f64::from(size.width()), f64::from(size.height())];
    let share = ((a[0] - b[0]).abs() / sides[0]).max((a[1] - b[1]).abs() / sides[1]);
    let middle = sides.map(|side| (side - 1.0) / 2.0);
    let by_px = [0, 1].map(|axis| middle[axis] - (a[axis] + b[axis]) / 2.0);
    let view = session.shown_view_of(transform.panel);
    let to = view.panned(by_px).zoomed_about(middle, view.scale() * share, size);
    session.animate(preferences, |session| session.go_in(transform.panel, to, Framing::Free, Change::Jump));
}

/// Draws the outline of the samples of `region`.
fn outline_region(painter: &Painter, region: Region, transform: &PanelTransform) {
    let start = [f64::from(region.left) - 0.5, f64::from(region.top) - 0.5];
    let end = [f64::from(region.right) + 0.5, f64::from(region.bottom) + 0.5];
    let corners = transform.quad(start, end).to_vec();
    painter.add(Shape::closed_line(corners.clone(), Stroke::new(3.0, Color32::from_black_alpha(170))));
    let mut round = corners;
    round.extend(round.first().copied());
    painter.extend(Shape::dashed_line(&round, Stroke::new(1.0, Color32::WHITE), 5.0, 3.0));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levelled_line_runs_through_sample_centres() {
        assert_eq!(levelled([[1.2, 3.4], [9.7, 4.0]]), [[1.2, 3.0], [9.7, 3.0]]);
        assert_eq!(levelled([[1.6, 3.4], [2.0, -4.0]]), [[2.0, 3.4], [2.0, -4.0]]);
    }
}
