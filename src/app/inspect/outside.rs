//! Address modes as ghosts: what lies outside the image is dimmed and tinted by region, the image's border is drawn, and the
//! index under the cursor is read as what the address mode makes of it.
//!
//! ```text
//!   x and y │    y    │ x and y
//!   ────────┼─────────┼────────
//!      x    │  image  │    x
//!   ────────┼─────────┼────────
//!   x and y │    y    │ x and y
//! ```

use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Shape, Stroke, pos2, vec2};

use super::lens::Lens;
use crate::app::session::Session;
use crate::sampling::{Address, Sampler};

/// How the region outside along x, along y and along both is tinted.
const TINTS: [Color32; 3] = [
    Color32::from_rgba_premultiplied(0, 26, 62, 112),
    Color32::from_rgba_premultiplied(62, 34, 0, 112),
    Color32::from_rgba_premultiplied(40, 8, 48, 134),
];
/// The most borders of copies that are drawn.
const MOST_COPIES: i64 = 400;

/// What an axis makes of the sample nearest to `position`.
///
/// ```
/// use lerpscope::app::index_text;
/// use lerpscope::sampling::Address;
/// assert_eq!(index_text(Address::Wrap, -3.2, 5), "−3 → 2");
/// assert_eq!(index_text(Address::Mirror, 5.0, 5), "5 → 4");
/// assert_eq!(index_text(Address::Border, -1.0, 5), "−1 → border");
/// assert_eq!(index_text(Address::Clamp, 2.4, 5), "2");
/// ```
pub fn index_text(address: Address, position: f64, length: u32) -> String {
    let index = (position + 0.5).floor() as i64;
    let minus = |index: i64| index.to_string().replace('-', "−");
    match address.resolve(index, length) {
        Some(inside) if i64::from(inside) == index => minus(index),
        Some(inside) => format!("{} → {inside}", minus(index)),
        None => format!("{} → border", minus(index)),
    }
}

/// The names of an address mode elsewhere, a line each.
pub(in crate::app) fn names(address: Address) -> String {
    let row = address.row();
    format!("CUDA {}\nOpenGL {}\nOpenCV {}\nSciPy {}", row.cuda, row.opengl, row.opencv, row.scipy)
}

/// Paints one panel's ghosts, and the read-out beside `cursor`, a place in the image, where there is one.
pub(super) fn paint(painter: &Painter, session: &Session, lens: &Lens, cursor: Option<[f64; 2]>) {
    let size = session.page_of(lens.panel).size();
    let sampler = session.panels()[lens.panel].sampler;
    let last = [f64::from(size.width()) - 0.5, f64::from(size.height()) - 0.5];
    let [least, greatest] = lens.shown();
    let bands = |axis: usize| {
        let (start, end) = (-0.5, last[axis]);
        [
            (least[axis], greatest[axis].min(start)),
            (least[axis].max(start), greatest[axis].min(end)),
            (least[axis].max(end), greatest[axis]),
        ]
    };
    for (column, (left, right)) in bands(0).into_iter().enumerate() {
        for (row, (top, bottom)) in bands(1).into_iter().enumerate() {
            let beyond = [column != 1, row != 1];
            if right <= left || bottom <= top || beyond == [false; 2] {
                continue;
            }
            let corners = lens.quad([left, top], [right, bottom]);
            let tint = TINTS[usize::from(beyond[1]) + usize::from(beyond == [true; 2])];
            painter.add(Shape::convex_polygon(corners.to_vec(), tint, Stroke::NONE));
            name_region(painter, lens, &corners, &region_text(&sampler, beyond));
        }
    }
    copies(painter, &sampler, lens, last.map(|end| end + 0.5));
    let border = lens.quad([-0.5; 2], last);
    painter.add(Shape::closed_line(border.to_vec(), Stroke::new(3.0, Color32::from_black_alpha(170))));
    painter.add(Shape::closed_line(border.to_vec(), Stroke::new(1.0, Color32::WHITE)));
    if let Some(cursor) = cursor {
        read_out(painter, lens, &cursor_text(session, lens.panel, cursor), cursor);
    }
}

fn region_text(sampler: &Sampler, beyond: [bool; 2]) -> String {
    let axis = |axis: usize| format!("{} {}", ["x", "y"][axis], sampler.address[axis]);
    let axes: Vec<String> = (0..2).filter(|&index| beyond[index]).map(axis).collect();
    axes.join(", ")
}

/// What both axes make of a place: `x: −3 → 2   y: 7`.
pub(in crate::app) fn cursor_text(session: &Session, panel: usize, pos_in_image: [f64; 2]) -> String {
    let size = session.page_of(panel).size();
    let [x, y] = session.panels()[panel].sampler.address;
    let column = index_text(x, pos_in_image[0], size.width());
    let row = index_text(y, pos_in_image[1], size.height());
    format!("x: i = {column}   y: j = {row}")
}

/// Writes a region's name into it, where there is room.
fn name_region(painter: &Painter, lens: &Lens, corners: &[Pos2; 4], text: &str) {
    let region = Rect::from_points(corners).intersect(lens.rect());
    let galley = painter.layout_no_wrap(text.to_owned(), FontId::proportional(12.0), Color32::WHITE);
    if region.width() > galley.size().x + 12.0 && region.height() > galley.size().y + 6.0 {
        tag(painter, Align2::CENTER_CENTER.anchor_size(region.center(), galley.size()), galley);
    }
}

fn tag(painter: &Painter, rect: Rect, galley: std::sync::Arc<egui::Galley>) {
    painter.rect_filled(rect.expand2(vec2(5.0, 2.0)), 4.0, Color32::from_black_alpha(190));
    painter.galley(rect.min, galley, Color32::WHITE);
}

/// The borders of the copies that wrap and mirror make.
fn copies(painter: &Painter, sampler: &Sampler, lens: &Lens, sides: [f64; 2]) {
    let [least, greatest] = lens.shown();
    let stroke = Stroke::new(1.0, Color32::from_white_alpha(90));
    for axis in [0, 1] {
        if !matches!(sampler.address[axis], Address::Wrap | Address::Mirror) {
            continue;
        }
        let first = ((least[axis] + 0.5) / sides[axis]).ceil() as i64;
        let last = ((greatest[axis] + 0.5) / sides[axis]).floor() as i64;
        if last - first > MOST_COPIES {
            continue;
        }
        for copy in first..=last {
            let at = |other: f64| {
                let mut place = [other; 2];
                place[axis] = copy as f64 * sides[axis] - 0.5;
                lens.pos(place)
            };
            painter.line_segment([at(least[1 - axis]), at(greatest[1 - axis])], stroke);
        }
    }
}

/// A tag beside the cursor, kept inside the picture.
fn read_out(painter: &Painter, lens: &Lens, text: &str, cursor: [f64; 2]) {
    let galley = painter.layout_no_wrap(text.to_owned(), FontId::monospace(12.0), Color32::WHITE);
    let room = lens.rect().shrink2(vec2(7.0, 4.0));
    let wanted = lens.pos(cursor) + vec2(16.0, 18.0);
    let far = room.max - galley.size();
    let corner = pos2(wanted.x.min(far.x).max(room.min.x), wanted.y.min(far.y).max(room.min.y));
    tag(painter, Rect::from_min_size(corner, galley.size()), galley);
}
