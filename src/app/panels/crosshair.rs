//! Linked crosshair: the pointer's position in the image, marked in the other panels; in a presentation a ring around it in all.

use egui::emath::GuiRounding as _;
use egui::{Color32, Pos2, Rect, Stroke, Ui};

use crate::app::session::inspect::DrawerTool;
use crate::app::session::{PanelId, Session};
use crate::app::widgets::pixel_rect::PixelRect;

/// Distance from the centre to a stroke, and length of a stroke, in points.
const MARK: Mark = Mark { gap: 5.0, length: 9.0 };
/// The same in a picture whose shorter side is less than `SMALL` points.
const SMALL_MARK: Mark = Mark { gap: 3.0, length: 6.0 };
const SMALL: f32 = 200.0;
/// Radius and width of the ring around the pointer, in points.
const RING: f32 = 22.0;
const RING_WIDTH: f32 = 3.0;

/// Lengths of a mark, in points.
#[derive(Clone, Copy, Debug)]
struct Mark {
    gap: f32,
    length: f32,
}

/// Position of the pointer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::app) struct Pointer {
    /// The panel under it.
    pub(in crate::app) panel: PanelId,
    /// Its position in the image of the panel, in samples.
    pub(in crate::app) pos_in_image: [f64; 2],
}

/// Marks the position of `pointer` in the picture of panel `index` at `place`, if it is visible there.
pub(in crate::app) fn paint(ui: &Ui, session: &Session, (index, place): (usize, PixelRect), pointer: &Pointer) {
    let Some((pos, rect)) = pos_in_picture(ui, session, (index, place), pointer) else { return };
    let ppp = ui.pixels_per_point();
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let mark = if rect.size().min_elem() < SMALL { SMALL_MARK } else { MARK };
    for stroke in strokes(mark, pos, ppp) {
        painter.rect_filled(stroke.expand(1.0.round_to_pixels(ppp)), 1.0, Color32::from_black_alpha(160));
    }
    for stroke in strokes(mark, pos, ppp) {
        painter.rect_filled(stroke, 0.0, Color32::WHITE);
    }
}

/// Surrounds the position of `pointer` in the picture of panel `index` at `place` by a ring that is visible from afar, on pictures of
/// any lightness.
pub(in crate::app) fn paint_ring(ui: &Ui, session: &Session, (index, place): (usize, PixelRect), pointer: &Pointer) {
    let Some((pos, rect)) = pos_in_picture(ui, session, (index, place), pointer) else { return };
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    painter.circle_stroke(pos, RING, Stroke::new(RING_WIDTH + 2.0, Color32::from_black_alpha(160)));
    painter.circle_stroke(pos, RING, Stroke::new(RING_WIDTH, Color32::WHITE));
}

/// Position in the window of `pointer` in the picture of panel `index` at `place`, with the rectangle of the picture; `None` if
/// it is not in view there.
fn pos_in_picture(
    ui: &Ui,
    session: &Session,
    (index, place): (usize, PixelRect),
    pointer: &Pointer,
) -> Option<(Pos2, Rect)> {
    let page = session.page_of(index).size();
    let from = session.index_of(pointer.panel).unwrap_or(index);
    let pos_in_image = session.position_in_other((from, index), pointer.pos_in_image);
    let [x, y] = session.shown_view_of(index).image_from_output(place.size, page).inverse_at(pos_in_image);
    let rect = place.in_points(ui.pixels_per_point());
    let pos = rect.min + egui::vec2((x + 0.5) as f32, (y + 0.5) as f32) / ui.pixels_per_point();
    rect.contains(pos).then_some((pos, rect))
}

/// Whether the pointer is at the pixel of the footprint in panel `index`, which has a mark of its own.
pub(in crate::app) fn is_at_footprint(session: &Session, index: usize, pointer: &Pointer) -> bool {
    if session.inspect.state.drawer != Some(DrawerTool::Footprint) {
        return false;
    }
    let from = session.index_of(pointer.panel).unwrap_or(index);
    let own = session.position_in_other((from, index), pointer.pos_in_image);
    session
        .footprint_pixel(index)
        .is_some_and(|chosen| session.pixel_at(index, own).map(|at| at.map(i64::from)) == Some(chosen))
}

/// Four strokes of whole pixels around `pos` that leave its own pixel visible.
fn strokes(Mark { gap, length }: Mark, pos: Pos2, pixels_per_point: f32) -> [Rect; 4] {
    [egui::vec2(1.0, 0.0), egui::vec2(-1.0, 0.0), egui::vec2(0.0, 1.0), egui::vec2(0.0, -1.0)].map(|towards| {
        let thickness = egui::vec2(towards.y.abs(), towards.x.abs());
        let (near, far) = (pos + towards * gap, pos + towards * (gap + length));
        let exact = Rect::from_two_pos(near - thickness * 0.5, far + thickness * 0.5);
        let size = exact.size().round_to_pixels(pixels_per_point);
        Rect::from_min_size(exact.min.round_to_pixels(pixels_per_point), size)
    })
}
