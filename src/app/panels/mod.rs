//! One panel on the screen: header, picture, hands.

mod compare;
mod compare_header;
pub(in crate::app) mod crosshair;
mod filter_mark;
pub(in crate::app) mod header;
mod reorder;

use std::sync::Arc;
use std::time::Duration;

use egui::{Color32, CursorIcon, Rect, RichText, Role, Sense, Stroke, StrokeKind, Ui, UiBuilder, WidgetInfo};

use self::crosshair::Pointer;
use super::commands::Command;
use super::input::fling::Finger;
use super::input::pointer::{Hands, Under};
use super::inspect::Lens;
use super::inspect::drags::{DragTool, PictureInput};
use super::render::gl::Canvas;
use super::render::picture::{Picture, PictureError};
use super::render::probe::Reading;
use super::session::layout::Place;
use super::session::preferences::Preferences;
use super::session::{Area, Session};
use super::widgets::pixel_rect::PixelRect;
use super::widgets::theme::{Palette, SPACE};
use crate::backend::{BackendError, RequestError};
use crate::sampling::Path;

/// How long a picture may be on its way before the last one is dimmed.
const SHOWN_LATE: Duration = Duration::from_millis(100);

/// What drawing a panel needs beside the session.
pub(super) struct Stage<'a> {
    /// What takes pictures to the screen, if anything does.
    pub canvas: Option<&'a Canvas>,
    /// What the hands are in the middle of.
    pub hands: &'a mut Hands,
    /// Drag of an inspection tool.
    pub drag: &'a mut DragTool,
    /// The preferences.
    pub preferences: &'a Preferences,
    /// What stands in this place.
    pub area: Area,
    /// The second picture of a wipe.
    pub second: Option<&'a Picture>,
    /// Where the pointer was last, if over a picture.
    pub pointer: Option<Pointer>,
    /// What is under the cursor.
    pub reading: Option<&'a Reading>,
    /// What headers ask of the window.
    pub asked: &'a mut Vec<Command>,
    /// Whether headers are shown.
    pub has_headers: bool,
}

/// What happened to a panel in this frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Outcome {
    /// Whether a button is held on the picture.
    pub held: bool,
    /// The output pixel under the pointer.
    pub pixel: Option<[u32; 2]>,
    /// Whether the picture has the keyboard's focus.
    pub has_focus: bool,
    /// The panel that was let go over this one, by its index.
    pub received: Option<usize>,
}

/// Draws panel `index` at `place` and lets hands act on it.
pub(super) fn show(
    ui: &mut Ui,
    session: &mut Session,
    stage: &mut Stage<'_>,
    panel: (usize, Place, &Picture),
) -> Outcome {
    let (index, place, picture) = panel;
    let id = session.panels()[index].id();
    let ppp = ui.pixels_per_point();
    let rect = place.picture.in_points(ppp);
    let response = ui.interact(rect, ui.scope_id().with(("picture", id)), Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, compare::name(session, stage.area)));
    paint_area(ui, session, stage, (index, place, picture));
    if stage.has_headers {
        let top = egui::pos2(place.header[0] as f32, place.header[1] as f32) / ppp;
        show_header(ui, session, stage, (index, Rect::from_min_max(top, rect.right_top())));
    }
    let held = response.is_pointer_button_down_on();
    let pressed = held && ui.input(|input| input.pointer.any_pressed());
    let mut takes_focus = response.gained_focus() || stage.hands.focus_next.take_if(|panel| *panel == id).is_some();
    if pressed {
        session.end_burst();
        match ui.memory(|memory| memory.focused()) {
            // The keys belong to the pictures again. A number that is being typed is set in the next frame, in the panel
            // that had the focus until then.
            Some(focused) => {
                ui.memory_mut(|memory| memory.surrender_focus(focused));
                stage.hands.focus_next = Some(id);
                ui.request_repaint();
            }
            None => takes_focus = true,
        }
    }
    if takes_focus {
        session.focus(index);
    }
    let lens = Lens::new(session, index, place.picture, ppp);
    let over = PictureInput { ui, response: &response, lens: &lens };
    let is_taken = stage.drag.read(over, session, stage.preferences);
    let under = Under {
        panel: id,
        rect: place.picture,
        hovered: response.contains_pointer(),
        held: held && !is_taken,
        double_clicked: response.double_clicked() && !is_taken,
        taken: is_taken,
    };
    let view = session.shown_view_of(index);
    let gestures = ui.input(|input| stage.hands.read(input, &under, view, stage.preferences));
    if !gestures.is_empty() && !under.held {
        stage.hands.glide.stop();
    }
    gestures.into_iter().for_each(|gesture| gesture.apply(session, index, stage.preferences));
    let finger = Finger { panel: id, is_held: under.held, reduced_motion: stage.preferences.reduced_motion };
    if let Some(moved) = ui.input(|input| stage.hands.glide.follow(input, finger)) {
        session.pan_in(index, [f64::from(moved.x * ppp), f64::from(moved.y * ppp)]);
        ui.request_repaint();
    }
    if response.contains_pointer() && !is_taken {
        ui.set_cursor_icon(if stage.hands.is_dragging() { CursorIcon::Grabbing } else { CursorIcon::Crosshair });
    }
    let pixel = response.hover_pos().and_then(|pos| pixel_at(place, pos, ppp));
    let received = reorder::receive(ui, session, index, &response);
    Outcome { held, pixel, has_focus: response.has_focus(), received }
}

/// The output pixel that contains `pos`.
fn pixel_at(place: Place, pos: egui::Pos2, pixels_per_point: f32) -> Option<[u32; 2]> {
    let [x, y] = place.picture.output_from_points(pos, pixels_per_point).map(|position| (position + 0.5).floor());
    let size = place.picture.size;
    let inside = x >= 0.0 && y >= 0.0 && x < f64::from(size.width()) && y < f64::from(size.height());
    inside.then_some([x as u32, y as u32])
}

/// Draws what stands in a place: a picture, or two with a line between them; over it the pointer's ghost.
fn paint_area(ui: &mut Ui, session: &mut Session, stage: &Stage<'_>, panel: (usize, Place, &Picture)) {
    let (index, place, picture) = panel;
    let makers = match stage.area {
        Area::Flipped { shows, .. } => vec![shows],
        Area::Difference(pair) => pair.to_vec(),
        Area::Panel(_) | Area::Wipe(_) => vec![index],
    };
    let mut parts = vec![(makers, picture, place.picture.in_points(ui.pixels_per_point()))];
    if let (Area::Wipe([_, second]), Some(second_picture)) = (stage.area, stage.second) {
        let [left, right] = compare::halves(place.picture, session.line(), ui.pixels_per_point());
        parts = vec![(vec![index], picture, left), (vec![second], second_picture, right)];
    }
    for (makers, picture, part) in parts {
        ui.scope(|ui| {
            ui.shrink_clip_rect(part);
            paint(ui, stage.canvas, picture, place);
            show_late(ui, picture, part);
            if let Some(error) = picture.refusal() {
                show_refusal(ui, session, (&makers, part), error);
            }
        });
    }
    if matches!(stage.area, Area::Wipe(_)) {
        compare::line(ui, session, place.picture);
    }
    let is_apart = matches!(stage.area, Area::Panel(_) | Area::Flipped { .. }) && session.has_ghost();
    let id = session.panels()[index].id();
    if let Some(pointer) = stage.pointer.filter(|pointer| is_apart && pointer.panel != id) {
        crosshair::paint(ui, session, (index, place.picture), &pointer);
    }
}

fn paint(ui: &Ui, canvas: Option<&Canvas>, picture: &Picture, place: Place) {
    let ppp = ui.pixels_per_point();
    let rect = place.picture.in_points(ppp);
    match (canvas, picture.texture()) {
        (Some(canvas), Some(texture)) => {
            // The last picture may have another size, while the next one is made.
            let stands = PixelRect { size: texture.size(), ..place.picture };
            if texture.size() != place.picture.size {
                ui.painter().rect_filled(rect, 0.0, Palette::of_ui(ui).surface);
            }
            let checker_px = (8.0 * ppp).round() as u32;
            let callback = canvas.callback(texture, stands, checker_px);
            let rect = stands.in_points(ppp).intersect(rect);
            ui.painter().add(egui::PaintCallback { rect, callback: Arc::new(callback) });
        }
        _ => {
            ui.painter().rect_filled(rect, 0.0, Palette::of_ui(ui).surface);
        }
    }
}

/// Dims the last picture while the next one is made, and says so; not where it comes in a moment, which would flicker.
fn show_late(ui: &mut Ui, picture: &Picture, part: Rect) {
    let Some(since) = picture.late_since() else {
        return;
    };
    if let Some(rest) = SHOWN_LATE.checked_sub(since.elapsed()) {
        ui.request_repaint_after(rest);
        return;
    }
    let palette = Palette::of_ui(ui);
    ui.painter().rect_filled(part, 0.0, palette.ground.gamma_multiply(0.6));
    let size = egui::vec2(96.0, 28.0);
    let mark = Rect::from_center_size(part.center(), size);
    ui.painter().rect(mark, 14.0, palette.surface, Stroke::new(1.0, palette.line), StrokeKind::Inside);
    ui.put(mark, egui::Label::new(RichText::new("Filtering…").color(palette.strong)).selectable(false));
}

/// Says why there is no picture, and offers the panels that make it the exact path where that helps.
fn show_refusal(ui: &mut Ui, session: &mut Session, (makers, rect): (&[usize], Rect), error: &PictureError) {
    let palette = Palette::of_ui(ui);
    let middle = Rect::from_center_size(rect.center(), egui::vec2(rect.width() - 8.0 * SPACE, 80.0));
    ui.scope_builder(UiBuilder::new().max_rect(middle).layout(egui::Layout::top_down(egui::Align::Center)), |ui| {
        ui.label(RichText::new("This cannot be drawn").color(palette.strong));
        ui.label(RichText::new(error.to_string()).color(palette.weak));
        let has_path = |index: &usize| session.panels()[*index].sampler.path != Path::Auto;
        let is_of_path = matches!(error, PictureError::Backend(BackendError::Request(RequestError::Path { .. })));
        if is_of_path && makers.iter().any(has_path) && ui.button("Use the exact path").clicked() {
            for &index in makers {
                if let Some(panel) = session.panel_mut(index) {
                    panel.sampler.path = Path::Auto;
                }
            }
        }
    });
}

fn show_header(ui: &mut Ui, session: &mut Session, stage: &mut Stage<'_>, (index, rect): (usize, Rect)) {
    let palette = Palette::of_ui(ui);
    if let Area::Panel(_) = stage.area {
        reorder::carry(ui, session, (index, rect));
    }
    let is_focused = session.focused() == index;
    ui.painter().rect_filled(rect, 0.0, palette.surface);
    let mark = Rect::from_min_size(rect.min, egui::vec2(rect.width(), 2.0));
    ui.painter().rect_filled(mark, 0.0, if is_focused { palette.accent } else { Color32::TRANSPARENT });
    let inside = rect.shrink2(egui::vec2(SPACE, 0.0)).with_min_y(rect.top() + 2.0);
    let layout = egui::Layout::left_to_right(egui::Align::Center);
    let id = session.panels()[index].id();
    let builder = UiBuilder::new().max_rect(inside).layout(layout).id_salt(("header", id));
    ui.scope_builder(builder, |ui| {
        ui.shrink_clip_rect(rect);
        match stage.area {
            Area::Panel(_) => header::show(ui, session, index, stage.asked),
            area => compare_header::show(ui, session, area, stage.reading, stage.asked),
        }
    });
}
