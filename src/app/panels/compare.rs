//! Two panels in one place: its name, and the divider of a wipe.

use egui::{Color32, CursorIcon, Mesh, PointerButton, Rect, Sense, Shape, Ui, WidgetInfo};

use crate::app::session::{PanelArea, Session, WipeLine};
use crate::app::widgets::pixel_rect::PixelRect;
use crate::app::widgets::theme::Palette;

/// Distance from the divider, in points, at which the pointer grabs it.
const REACH: f32 = 6.0;

/// Name of `area`, for assistive technology and tests.
pub(in crate::app) fn name(session: &Session, area: PanelArea) -> String {
    let title = |index: usize| session.panels()[index].sampler.method.title();
    match area {
        PanelArea::Panel(panel) => format!("Panel {}: {}", panel + 1, title(panel)),
        PanelArea::Flipped { place, shows } => {
            format!("Panel {} shows panel {}: {}", place + 1, shows + 1, title(shows))
        }
        PanelArea::Wipe([first, second]) => format!("Wipe: {} | {}", title(first), title(second)),
        PanelArea::Difference([first, second]) => format!("Difference: {} − {}", title(first), title(second)),
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

/// Draws the divider of a wipe at `place` and handles its drag. It covers exactly the first column or row of pixels of the
/// second picture.
pub(in crate::app) fn line(ui: &Ui, session: &mut Session, place: PixelRect) {
    let ppp = ui.pixels_per_point();
    let line = session.line();
    let (rect, [_, second]) = (place.in_points(ppp), halves(place, line, ppp));
    let pixel = 1.0 / ppp;
    let (mark, reach) = if line.is_horizontal {
        (Rect::from_min_size(second.min, egui::vec2(rect.width(), pixel)), egui::vec2(0.0, REACH))
    } else {
        (Rect::from_min_size(second.min, egui::vec2(pixel, rect.height())), egui::vec2(REACH, 0.0))
    };
    let response = ui.interact(mark.expand2(reach), ui.scope_id().with("wipe line"), Sense::drag());
    response.widget_info(|| WidgetInfo::slider(true, line.share, "Wipe line"));
    if response.hovered() || response.dragged() {
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
    let colour = if response.hovered() || response.dragged() { Palette::of_ui(ui).accent } else { Color32::WHITE };
    // A mesh has no feathered edges, so that the divider is exactly one pixel wide.
    let mut mesh = Mesh::default();
    mesh.add_colored_rect(mark.intersect(rect), colour);
    ui.painter().with_clip_rect(rect.intersect(ui.clip_rect())).add(Shape::mesh(mesh));
}
