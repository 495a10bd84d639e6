//! The arrow over a picture that shows no part of its image. It points to the image; a click returns to it.

use egui::emath::Rot2;
use egui::{Color32, CursorIcon, Rect, Role, Sense, Shape, Stroke, Ui, Vec2, WidgetInfo, vec2};

use crate::app::commands::{Command, Keymap};
use crate::app::session::Session;
use crate::app::widgets::theme::{Palette, SPACE};

/// Radius of the plate, in points.
const RADIUS: f32 = 16.0;

/// Draws the arrow of panel `index` at the edge of `picture`, if no part of its image is visible. Returns whether it is
/// clicked.
pub(super) fn show(ui: &Ui, session: &Session, index: usize, picture: Rect) -> bool {
    let Some(way) = session.way_back(index) else {
        return false;
    };
    let way = vec2(way[0] as f32, way[1] as f32).normalized();
    // The point where the ray from the middle meets the edge of the room.
    let room = picture.shrink(RADIUS + 2.0 * SPACE);
    if way == Vec2::ZERO || !room.is_positive() {
        return false;
    }
    let reach = [(0.5 * room.width(), way.x), (0.5 * room.height(), way.y)].map(|(half, along)| half / along.abs());
    let middle = room.center() + way * reach[0].min(reach[1]);
    let plate = Rect::from_center_size(middle, Vec2::splat(2.0 * RADIUS));
    let id = ui.scope_id().with(("way back", session.panels()[index].id()));
    let response = ui.interact(plate, id, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Return to the image"));
    let is_raised = response.hovered() || response.has_focus();
    let painter = ui.painter().with_clip_rect(picture);
    painter.circle_filled(middle, RADIUS, if is_raised { Color32::BLACK } else { Color32::from_black_alpha(190) });
    if is_raised {
        painter.circle_stroke(middle, RADIUS, Stroke::new(2.0, Palette::of_ui(ui).accent));
    }
    let turn = Rot2::from_angle(way.angle());
    let arrow = [vec2(9.0, 0.0), vec2(-5.0, 7.5), vec2(-2.0, 0.0), vec2(-5.0, -7.5)].map(|at| middle + turn * at);
    // The arrow is concave, so it is drawn as two triangles.
    for triangle in [[arrow[0], arrow[1], arrow[2]], [arrow[0], arrow[2], arrow[3]]] {
        painter.add(Shape::convex_polygon(triangle.to_vec(), Color32::WHITE, Stroke::NONE));
    }
    response
        .on_hover_cursor(CursorIcon::PointingHand)
        .on_hover_text(Keymap::in_force(ui).tooltip(Command::ReturnToImage))
        .clicked()
}
