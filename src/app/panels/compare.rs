//! Two panels in one place: its name, the divider of a wipe with both names, the name of a panel that is flipped in, and the
//! plate over a difference that is 0.

use egui::{
    Align2, Color32, CursorIcon, Label, Mesh, Painter, PointerButton, Pos2, Rect, RichText, Role, Sense, Shape, Stroke,
    StrokeKind, Ui, Vec2, WidgetInfo, vec2,
};

use super::compare_header::is_flipping;
use crate::app::session::{PanelArea, Session, WipeLine};
use crate::app::widgets::fit::text_width;
use crate::app::widgets::panel_mark::PanelPlate;
use crate::app::widgets::pixel_rect::PixelRect;
use crate::app::widgets::theme::{Palette, SPACE, text_size};

/// Distance from the divider, in points, at which the pointer grabs it, and radius of its handle.
const REACH: f32 = 12.0;
/// Height of the plate over a difference that is 0, in points.
const PLATE_HEIGHT: f32 = 28.0;

/// Name of `area`, for assistive technology and tests.
pub(in crate::app) fn name(session: &Session, area: PanelArea) -> String {
    let name = |index: usize| session.panel_name(index).whole();
    match area {
        PanelArea::Panel(panel) => format!("Panel {}: {}", panel + 1, name(panel)),
        PanelArea::Flipped { place, shows } => {
            format!("Panel {} shows panel {}: {}", place + 1, shows + 1, name(shows))
        }
        PanelArea::Wipe([first, second]) => format!("Wipe: {} | {}", name(first), name(second)),
        PanelArea::Difference([first, second]) => format!("Difference: {} − {}", name(first), name(second)),
    }
}

/// The two parts of `place` beside the divider, in points.
pub(in crate::app) fn halves(place: PixelRect, line: WipeLine, pixels_per_point: f32) -> [Rect; 2] {
    let rect = place.in_points(pixels_per_point);
    let mut halves = [rect; 2];
    if line.is_horizontal {
        let y = (place.top + line.first_of_second(place.size.height()) as i32) as f32 / pixels_per_point;
        (halves[0].max.y, halves[1].min.y) = (y, y);
    } else {
        let x = (place.left + line.first_of_second(place.size.width()) as i32) as f32 / pixels_per_point;
        (halves[0].max.x, halves[1].min.x) = (x, x);
    }
    halves
}

/// Draws the divider of a wipe of `pair` at `place` with its handle, and handles its drag. It covers exactly the first
/// column or row of pixels of the second picture.
pub(in crate::app) fn line(ui: &Ui, session: &mut Session, place: PixelRect) {
    let ppp = ui.pixels_per_point();
    let line = session.line();
    let (rect, halves) = (place.in_points(ppp), halves(place, line, ppp));
    let (start, pixel) = (halves[1].min, 1.0 / ppp);
    let (mark, reach) = if line.is_horizontal {
        (Rect::from_min_size(start, vec2(rect.width(), pixel)), vec2(0.0, REACH))
    } else {
        (Rect::from_min_size(start, vec2(pixel, rect.height())), vec2(REACH, 0.0))
    };
    let response = ui.interact(mark.expand2(reach), ui.scope_id().with("wipe line"), Sense::drag());
    response.widget_info(|| WidgetInfo::slider(true, line.share, "Wipe line"));
    let is_grabbed = response.hovered() || response.dragged();
    if is_grabbed {
        ui.set_cursor_icon(if line.is_horizontal { CursorIcon::ResizeVertical } else { CursorIcon::ResizeHorizontal });
    }
    if response.dragged_by(PointerButton::Primary)
        && let Some(pos) = response.interact_pointer_pos()
    {
        let share = if line.is_horizontal {
            f64::from(pos.y - rect.top()) / f64::from(rect.height())
        } else {
            f64::from(pos.x - rect.left()) / f64::from(rect.width())
        };
        session.set_line(WipeLine { share, ..line });
    }
    let colour = if is_grabbed { Palette::of_ui(ui).accent } else { Color32::WHITE };
    // A mesh has no feathered edges, so that the divider is exactly one pixel wide.
    let mut mesh = Mesh::default();
    mesh.add_colored_rect(mark.intersect(rect), colour);
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    painter.add(Shape::mesh(mesh));
    paint_handle(&painter, mark.center(), line.is_horizontal, colour);
}

/// Paints the names of the panels of `area` over its pictures at `place`, and over what covers these: of both panels of a wipe, of
/// the shown panel of one that is flipped or flickers.
pub(in crate::app) fn plates(ui: &Ui, session: &Session, area: PanelArea, place: PixelRect) {
    let ppp = ui.pixels_per_point();
    let rect = place.in_points(ppp);
    match area {
        PanelArea::Wipe(pair) => wipe_plates(ui, session, pair, (rect, halves(place, session.line(), ppp))),
        _ => shown_plate(ui, session, area, rect),
    }
}

/// Paints the round handle with an arrow to each side. The divider is grabbed as far from it as the handle is wide.
fn paint_handle(painter: &Painter, centre: Pos2, is_horizontal: bool, colour: Color32) {
    painter.circle(centre, REACH - 1.0, Color32::from_black_alpha(200), Stroke::new(1.5, colour));
    for sign in [-1.0, 1.0] {
        let turned = |along: f32, across: f32| {
            if is_horizontal { centre + vec2(across, along) } else { centre + vec2(along, across) }
        };
        let arrow = [turned(sign * 3.0, -4.0), turned(sign * 7.0, 0.0), turned(sign * 3.0, 4.0)];
        painter.add(Shape::line(arrow.to_vec(), Stroke::new(1.5, colour)));
    }
}

/// Paints the names of both panels beside the top of a vertical divider, or beside the left end of a horizontal one.
fn wipe_plates(ui: &Ui, session: &Session, pair: [usize; 2], (rect, halves): (Rect, [Rect; 2])) {
    let names = pair.map(|index| session.panel_name(index).forms());
    let (gap, corner) = (2.0 * SPACE, halves[1].min);
    let places = if session.line().is_horizontal {
        [(Align2::LEFT_BOTTOM, corner + vec2(gap, -gap)), (Align2::LEFT_TOP, corner + vec2(gap, gap))]
    } else {
        [(Align2::RIGHT_TOP, corner + vec2(-gap, gap)), (Align2::LEFT_TOP, corner + vec2(gap, gap))]
    };
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    for (side, (anchor, pos)) in places.into_iter().enumerate() {
        let plate = PanelPlate { index: pair[side], names: &names[side], anchor, pos };
        if let Some((name, place)) = plate.paint(&painter, halves[side]) {
            name_plate(ui, ("wipe plate", side), place, &name);
        }
    }
}

/// Paints the name of the shown panel into the corner of the area of a panel that is flipped or flickers.
fn shown_plate(ui: &Ui, session: &Session, area: PanelArea, rect: Rect) {
    if !is_flipping(session, area) {
        return;
    }
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let names = session.panel_name(area.seen()).forms();
    let pos = rect.min + Vec2::splat(2.0 * SPACE);
    let plate = PanelPlate { index: area.seen(), names: &names, anchor: Align2::LEFT_TOP, pos };
    if let Some((name, place)) = plate.paint(&painter, rect) {
        name_plate(ui, ("shown plate", area.panel()), place, &name);
    }
}

/// Says in the middle of a difference that it is 0 in the whole view.
pub(in crate::app) fn no_difference(ui: &mut Ui, rect: Rect) {
    let (palette, text) = (Palette::of_ui(ui), "No difference in this view");
    let size = vec2(text_width(ui, text, text_size::BODY) + 6.0 * SPACE, PLATE_HEIGHT);
    let plate = Rect::from_center_size(rect.center(), size);
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    painter.rect(plate, 0.5 * PLATE_HEIGHT, palette.surface, Stroke::new(1.0, palette.line), StrokeKind::Inside);
    let text = RichText::new(text).size(text_size::BODY).color(palette.text);
    ui.put(plate, Label::new(text).selectable(false));
}

/// Names a plate for assistive technology.
fn name_plate(ui: &Ui, salt: (&str, usize), place: Rect, name: &str) {
    let response = ui.interact(place, ui.scope_id().with(salt), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, name));
}
