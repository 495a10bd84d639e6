//! Samples and points as handles on the chart: dragged with the pointer, or moved by the arrow keys once focused.

use egui::emath::smart_aim::best_in_range_f64;
use egui::{
    CursorIcon, EventFilter, Id, Key, Pos2, Rect, Response, Sense, Shape, Stroke, Ui, Vec2, WidgetInfo, pos2, vec2,
};
use egui_plot::{PlotPoint, PlotTransform};

use super::made::Made;
use crate::app::session::one_dimension::{LineState, LineTab};
use crate::app::widgets::theme::{Palette, RING_WIDTH};
use crate::text::short;

/// Radius of a sample's dot, in points; of one that the pointer is over.
const RADIUS: f32 = 4.5;
const RAISED: f32 = 6.0;
/// Size of the area that takes the pointer, in points.
const HIT: Vec2 = vec2(18.0, 18.0);
/// Half the width, and the height, of a point's triangle.
const TRIANGLE: Vec2 = vec2(5.0, 8.0);
/// Change by an arrow key, in values and in samples; a tenth of it with Shift.
const STEP: f64 = 0.05;
/// Part of a step with Shift.
const FINE: f64 = 0.1;

/// The handles of a chart.
#[derive(Debug, Default)]
pub(super) struct Handles {
    /// The handle that is dragged, the distance from the pointer to it, and the chart's range when the drag began.
    drag: Option<Drag>,
}

#[derive(Clone, Copy, Debug)]
struct Drag {
    id: Id,
    from_pointer: Vec2,
    y_range: [f64; 2],
}

/// Axis that a handle moves along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Along {
    X,
    Y,
}

/// A handle.
struct Handle<'a> {
    id: Id,
    name: &'a str,
    along: Along,
    /// Its place in the chart.
    at: [f64; 2],
    /// Its place on the screen.
    pos: Pos2,
}

impl Handles {
    /// The range of values that the chart keeps while a handle is dragged.
    pub(super) fn held_range(&self) -> Option<[f64; 2]> {
        self.drag.map(|drag| drag.y_range)
    }

    /// Draws the handles of the open tab, and changes `state` by them.
    pub(super) fn show(&mut self, ui: &mut Ui, state: &mut LineState, made: &Made, transform: &PlotTransform) {
        if !ui.input(|input| input.pointer.any_down()) {
            self.drag = None;
        }
        match made.tab {
            LineTab::Values => {
                self.points(ui, state, made, transform);
                self.samples(ui, state, made, transform);
            }
            LineTab::Basis | LineTab::Impulses | LineTab::Prefilter => self.samples(ui, state, made, transform),
            LineTab::Splines => self.interval(ui, state, made, transform),
        }
    }

    fn samples(&mut self, ui: &mut Ui, state: &mut LineState, made: &Made, transform: &PlotTransform) {
        let palette = Palette::of_ui(ui);
        for (k, &sample) in made.state().signal.samples().iter().enumerate() {
            let (name, at) = (format!("Sample {k}"), [k as f64, sample]);
            let pos = place(transform, at);
            let handle = Handle { id: ui.scope_id().with(("sample", k)), name: &name, along: Along::Y, at, pos };
            let Some((response, moved)) = self.handle(ui, &handle, transform, made) else { continue };
            dot(ui, &response, pos, &palette);
            response.on_hover_text(format!("s[{k}] = {}", short(sample, 6).replace('-', "−")));
            if let Some(value) = moved {
                state.set_sample(k, value);
            }
        }
    }

    fn points(&mut self, ui: &mut Ui, state: &mut LineState, made: &Made, transform: &PlotTransform) {
        let palette = Palette::of_ui(ui);
        let frame = *transform.frame();
        for (index, &x) in made.state().points.iter().enumerate() {
            let name = format!("Point {}", index + 1);
            let pos = pos2(place(transform, [x, 0.0]).x, frame.bottom() - TRIANGLE.y);
            let handle =
                Handle { id: ui.scope_id().with(("point", index)), name: &name, along: Along::X, at: [x, 0.0], pos };
            let Some((response, moved)) = self.handle(ui, &handle, transform, made) else { continue };
            let is_raised = response.hovered() || response.dragged() || response.has_focus();
            let line = if is_raised { palette.accent } else { palette.accent.gamma_multiply(0.45) };
            let painter = ui.painter_at(frame);
            painter.vline(pos.x, frame.top()..=frame.bottom(), Stroke::new(1.0, line));
            let corner = |x: f32, y: f32| pos2(pos.x + x, frame.bottom() + y);
            let corners = vec![corner(-TRIANGLE.x, 0.0), corner(TRIANGLE.x, 0.0), corner(0.0, -1.4 * TRIANGLE.y)];
            let ring = if response.has_focus() { RING_WIDTH } else { 0.0 };
            painter.add(Shape::convex_polygon(corners, palette.accent, Stroke::new(ring, palette.text)));
            let text = short(x, 6).replace('-', "−");
            let argument = short(x + 0.5, 6).replace('-', "−");
            response.on_hover_text(format!("x = {text}, the texture's argument {argument}"));
            if let Some(x) = moved {
                state.set_point(index, x);
            }
        }
    }

    /// The middle of the interval whose mean is the next B-spline.
    fn interval(&mut self, ui: &mut Ui, state: &mut LineState, made: &Made, transform: &PlotTransform) {
        let (before, spline) = made.splines();
        if before.is_none() {
            return;
        }
        let palette = Palette::of_ui(ui);
        let place_x = made.state().place;
        let at = [place_x, spline.at(place_x)];
        let pos = place(transform, at);
        let handle =
            Handle { id: ui.scope_id().with("interval"), name: "Middle of the interval", along: Along::X, at, pos };
        let Some((response, moved)) = self.handle(ui, &handle, transform, made) else { return };
        dot(ui, &response, pos, &palette);
        response.on_hover_text("The mean over the tinted interval");
        if let Some(x) = moved {
            state.set_place(x);
        }
    }

    /// Lets the pointer and the keys move a handle. Returns its response and where it is moved to; `None` outside the chart.
    fn handle(
        &mut self,
        ui: &Ui,
        handle: &Handle<'_>,
        transform: &PlotTransform,
        made: &Made,
    ) -> Option<(Response, Option<f64>)> {
        let &Handle { id, name, along, at, pos } = handle;
        let is_dragged = self.drag.is_some_and(|drag| drag.id == id);
        if !transform.frame().expand(1.0).contains(pos) && !is_dragged {
            return None;
        }
        let response = ui.interact(Rect::from_center_size(pos, HIT), id, Sense::click_and_drag());
        let (own, icon) = match along {
            Along::X => (at[0], CursorIcon::ResizeHorizontal),
            Along::Y => (at[1], CursorIcon::ResizeVertical),
        };
        response.widget_info(|| WidgetInfo::slider(true, own, name));
        if response.hovered() || response.dragged() {
            ui.set_cursor_icon(icon);
        }
        if response.clicked() || response.drag_started() {
            response.request_focus();
        }
        let pointer = response.interact_pointer_pos();
        if response.drag_started()
            && let Some(pressed) = ui.input(|input| input.pointer.press_origin())
        {
            self.drag = Some(Drag { id, from_pointer: pos - pressed, y_range: made.chart.y_range });
        }
        let dragged = self.drag.filter(|drag| drag.id == id).zip(pointer);
        if let Some((drag, pointer)) = dragged.filter(|_| response.dragged()) {
            return Some((response, Some(value_at(transform, along, pointer + drag.from_pointer))));
        }
        let moved = response.has_focus().then(|| step(ui, id, along)).flatten();
        Some((response, moved.map(|step| round(own + step))))
    }
}

/// The change by the arrow keys that were pressed.
fn step(ui: &Ui, id: Id, along: Along) -> Option<f64> {
    let filter = EventFilter {
        horizontal_arrows: along == Along::X,
        vertical_arrows: along == Along::Y,
        ..EventFilter::default()
    };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
    let (less, more) = match along {
        Along::X => (Key::ArrowLeft, Key::ArrowRight),
        Along::Y => (Key::ArrowDown, Key::ArrowUp),
    };
    let (steps, is_fine) = ui.input(|input| {
        let count = |key: Key| input.num_presses(key) as f64;
        (count(more) - count(less), input.modifiers.shift)
    });
    (steps != 0.0).then_some(steps * STEP * if is_fine { FINE } else { 1.0 })
}

/// The roundest number within a pixel of `pos`.
fn value_at(transform: &PlotTransform, along: Along, pos: Pos2) -> f64 {
    let value = |offset: f32| match along {
        Along::X => transform.value_from_position(pos + vec2(offset, 0.0)).x,
        Along::Y => transform.value_from_position(pos + vec2(0.0, offset)).y,
    };
    let (a, b) = (value(-0.5), value(0.5));
    best_in_range_f64(a.min(b), a.max(b))
}

/// To a millionth: steps of the keys leave no rounding errors.
fn round(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

fn place(transform: &PlotTransform, [x, y]: [f64; 2]) -> Pos2 {
    transform.position_from_point(&PlotPoint::new(x, y))
}

/// A dot, larger under the pointer, with a ring when it has the focus.
fn dot(ui: &Ui, response: &Response, pos: Pos2, palette: &Palette) {
    let is_raised = response.hovered() || response.dragged();
    let radius = if is_raised { RAISED } else { RADIUS };
    ui.painter().circle(pos, radius, palette.text, Stroke::new(1.5, palette.surface));
    if response.has_focus() {
        ui.painter().circle_stroke(pos, radius + 2.0, Stroke::new(RING_WIDTH, palette.accent));
    }
}
