//! The area outside the image. It has the colour of the surroundings until an address mode is chosen. The overlay *ghosts* tints and labels its
//! regions by address mode, and shows the image's border and the sample index under the cursor.
//!
//! ```text
//!   x and y │    y    │ x and y
//!   ────────┼─────────┼────────
//!      x    │  image  │    x
//!   ────────┼─────────┼────────
//!   x and y │    y    │ x and y
//! ```

use egui::{Align2, Color32, FontId, Mesh, Painter, Pos2, Rect, Shape, Stroke, Vec2, pos2, vec2};

use super::panel_transform::PanelTransform;
use super::polygon;
use crate::app::session::Session;
use crate::app::session::address_names::cursor_text;
use crate::app::widgets::theme::{Palette, RADIUS, SMALL_RADIUS, SPACE, text_size};
use crate::arguments::address_titles;
use crate::sampling::{AddressMode, Sampler};

/// Tints of the regions outside along x, along y and along both axes.
const TINTS: [Color32; 3] = [
    Color32::from_rgba_premultiplied(0, 26, 62, 112),
    Color32::from_rgba_premultiplied(62, 34, 0, 112),
    Color32::from_rgba_premultiplied(40, 8, 48, 134),
];
/// Maximum number of copy borders drawn per axis.
const MAX_COPIES: i64 = 400;

/// A region outside the image.
struct Region {
    /// Whether it is outside along x and along y.
    beyond: [bool; 2],
    /// Its corners in the window, in order around it.
    corners: [Pos2; 4],
}

/// Positions of the last edge of the image along x and y.
fn far_edges(session: &Session, transform: &PanelTransform) -> [f64; 2] {
    let size = session.page_of(transform.panel).size();
    [f64::from(size.width()) - 0.5, f64::from(size.height()) - 0.5]
}

/// The visible regions outside the image.
fn regions(session: &Session, transform: &PanelTransform) -> Vec<Region> {
    let last = far_edges(session, transform);
    let [least, greatest] = transform.shown();
    let bands = |axis: usize| {
        let (start, end) = (-0.5, last[axis]);
        [
            (least[axis], greatest[axis].min(start)),
            (least[axis].max(start), greatest[axis].min(end)),
            (least[axis].max(end), greatest[axis]),
        ]
    };
    let mut regions = Vec::new();
    for (column, (left, right)) in bands(0).into_iter().enumerate() {
        for (row, (top, bottom)) in bands(1).into_iter().enumerate() {
            let beyond = [column != 1, row != 1];
            if right > left && bottom > top && beyond != [false; 2] {
                regions.push(Region { beyond, corners: transform.quad([left, top], [right, bottom]) });
            }
        }
    }
    regions
}

/// Covers what lies outside the image of one panel with the colour of the surroundings, and draws a line of one pixel around
/// the image. Pixels of the image are left as they are.
pub(super) fn dim(painter: &Painter, session: &Session, transform: &PanelTransform, palette: &Palette) {
    if let Some(outline) = session.oblique_outline(transform.panel) {
        let outline: Vec<Pos2> = outline.into_iter().map(|corner| transform.pos(corner)).collect();
        return dim_around(painter, transform, &outline, palette);
    }
    let regions = regions(session, transform);
    if regions.is_empty() {
        return;
    }
    // Meshes have no feathered edges, which would draw seams between the regions.
    let mut mesh = Mesh::default();
    let border = transform.quad([-0.5; 2], far_edges(session, transform));
    if session.shown_view_of(transform.panel).is_axis_aligned() {
        // The line covers the first pixels outside, and the cover begins there: both end on edges of pixels.
        let ppp = transform.pixels_per_point;
        let image = Rect::from_points(&border.map(|corner| first_pixel_edge(corner, ppp)));
        for (outer, colour) in [(transform.rect(), palette.ground), (image.expand(1.0 / ppp), palette.outline)] {
            for side in around(outer, image) {
                mesh.add_colored_rect(side, colour);
            }
        }
        painter.add(Shape::mesh(mesh));
    } else {
        for Region { corners, .. } in regions {
            add_quad(&mut mesh, corners, palette.ground);
        }
        painter.add(Shape::mesh(mesh));
        painter
            .add(Shape::closed_line(border.to_vec(), Stroke::new(1.0 / transform.pixels_per_point, palette.outline)));
    }
}

/// Covers the picture around a convex polygon, and draws a line of one pixel around that.
fn dim_around(painter: &Painter, transform: &PanelTransform, outline: &[Pos2], palette: &Palette) {
    let Some(middle) = polygon::middle(outline) else {
        // The plane does not meet the volume.
        painter.rect_filled(transform.rect(), 0.0, palette.ground);
        return;
    };
    // From every side of the polygon to beyond the picture.
    let reach = transform.rect().size().length() + middle.distance(transform.rect().center());
    let far = |corner: Pos2| middle + (corner - middle).normalized() * (2.0 * reach + corner.distance(middle));
    let mut mesh = Mesh::default();
    for (index, &from) in outline.iter().enumerate() {
        let to = outline[(index + 1) % outline.len()];
        add_quad(&mut mesh, [from, to, far(to), far(from)], palette.ground);
    }
    painter.add(Shape::mesh(mesh));
    painter.add(Shape::closed_line(outline.to_vec(), Stroke::new(1.0 / transform.pixels_per_point, palette.outline)));
}

/// Names the address mode of what is dimmed while the pointer is outside the image.
pub(super) fn name_under_pointer(painter: &Painter, session: &Session, transform: &PanelTransform, palette: &Palette) {
    let image: Vec<Pos2> = match session.oblique_outline(transform.panel) {
        Some(outline) => outline.into_iter().map(|corner| transform.pos(corner)).collect(),
        None => transform.quad([-0.5; 2], far_edges(session, transform)).to_vec(),
    };
    let pointer = painter.ctx().input(|input| input.pointer.hover_pos());
    let is_outside = |at: Pos2| {
        // A dialog may be over the picture.
        painter.ctx().layer_id_at(at) == Some(painter.layer_id())
            && transform.rect().contains(at)
            && polygon::clipped(&image, Rect::from_center_size(at, Vec2::splat(1.0))).is_empty()
    };
    if pointer.is_some_and(is_outside) {
        name_dimmed(painter, session, (transform, &image), palette);
    }
}

/// Names the address mode in the upper left corner of the picture, beside the image with these corners, if it has room there. It is
/// there while the pointer is outside the image; the status line names it too.
fn name_dimmed(
    painter: &Painter,
    session: &Session,
    (transform, image): (&PanelTransform, &[Pos2]),
    palette: &Palette,
) {
    let name = address_titles(session.panels()[transform.panel].sampler.address).to_lowercase();
    let corner = transform.rect().left_top() + Vec2::splat(2.0 * SPACE);
    let text = format!("Outside: {name}");
    let galley = painter.layout_no_wrap(text, FontId::proportional(text_size::UNIT), palette.text);
    let chip = Rect::from_min_size(corner, galley.size() + vec2(3.0 * SPACE, SPACE));
    if polygon::clipped(image, chip).is_empty() && transform.rect().contains_rect(chip) {
        painter.rect_filled(chip, RADIUS, palette.surface);
        painter.galley(chip.min + vec2(1.5 * SPACE, 0.5 * SPACE), galley, palette.text);
    }
}

/// What of `outer` is above, below, to the left and to the right of `inner`.
fn around(outer: Rect, inner: Rect) -> [Rect; 4] {
    let within = inner.intersect(outer);
    // Of an `inner` elsewhere, one part is the whole of `outer`.
    let within = if within.is_positive() { within } else { Rect::from_min_size(outer.right_bottom(), Vec2::ZERO) };
    [
        outer.with_max_y(within.top()),
        outer.with_min_y(within.bottom()),
        Rect::from_min_max(pos2(outer.left(), within.top()), within.left_bottom()),
        Rect::from_min_max(within.right_top(), pos2(outer.right(), within.bottom())),
    ]
}

/// The edge, along both axes, of the first pixel whose centre is not before `corner`.
fn first_pixel_edge(corner: Pos2, pixels_per_point: f32) -> Pos2 {
    let edge = |points: f32| (points * pixels_per_point - 0.5).ceil() / pixels_per_point;
    pos2(edge(corner.x), edge(corner.y))
}

fn add_quad(mesh: &mut Mesh, corners: [Pos2; 4], colour: Color32) {
    let first = mesh.vertices.len() as u32;
    corners.into_iter().for_each(|corner| mesh.colored_vertex(corner, colour));
    mesh.add_triangle(first, first + 1, first + 2);
    mesh.add_triangle(first, first + 2, first + 3);
}

/// Paints the area outside the image in one panel.
pub(super) fn paint(painter: &Painter, session: &Session, transform: &PanelTransform) {
    let sampler = session.panels()[transform.panel].sampler;
    let last = far_edges(session, transform);
    for Region { beyond, corners } in regions(session, transform) {
        let tint = TINTS[usize::from(beyond[1]) + usize::from(beyond == [true; 2])];
        painter.add(Shape::convex_polygon(corners.to_vec(), tint, Stroke::NONE));
    }
    copies(painter, &sampler, transform, last.map(|end| end + 0.5));
    let border = transform.quad([-0.5; 2], last);
    painter.add(Shape::closed_line(border.to_vec(), Stroke::new(3.0, Color32::from_black_alpha(170))));
    painter.add(Shape::closed_line(border.to_vec(), Stroke::new(1.0, Color32::WHITE)));
}

/// Names the regions outside the image in one panel, and the sample index beside `cursor`, a position in the image.
pub(super) fn name_regions(painter: &Painter, session: &Session, transform: &PanelTransform, cursor: Option<[f64; 2]>) {
    let sampler = session.panels()[transform.panel].sampler;
    for Region { beyond, corners } in regions(session, transform) {
        let mut texts = region_texts(&sampler, beyond);
        if session.is_of_lesson() {
            // A lesson says itself when a texture unit does something else.
            texts.drain(..texts.len() - 1);
        }
        name_region(painter, transform, &corners, &texts);
    }
    if let Some(cursor) = cursor {
        read_out(painter, transform, &cursor_text(session, transform.panel, cursor).join("   "), cursor);
    }
}

/// What a texture unit makes of a periodic mode, below the name of its region.
const CUDA_NOTE: &str = "CUDA: clamp, unless coordinates are normalized";

/// The label of a region, the longest first: its address modes, with [`CUDA_NOTE`] where one of them is periodic.
fn region_texts(sampler: &Sampler, beyond: [bool; 2]) -> Vec<String> {
    let outside = (0..2).filter(|&axis| beyond[axis]);
    let axes: Vec<String> =
        outside.clone().map(|axis| format!("{} {}", ["x", "y"][axis], sampler.address[axis])).collect();
    let name = axes.join(", ");
    let note = outside.map(|axis| sampler.address[axis]).any(AddressMode::is_periodic);
    note.then(|| format!("{name}\n{CUDA_NOTE}")).into_iter().chain([name.clone()]).collect()
}

/// Labels a region by the first of `texts` that fits.
fn name_region(painter: &Painter, transform: &PanelTransform, corners: &[Pos2; 4], texts: &[String]) {
    let region = polygon::clipped(corners, transform.rect());
    let Some(middle) = polygon::middle(&region) else { return };
    for text in texts {
        let galley = painter.layout_no_wrap(text.clone(), FontId::proportional(text_size::VALUE), Color32::WHITE);
        let place = Align2::CENTER_CENTER.anchor_size(middle, galley.size());
        let wanted = place.expand2(vec2(6.0, 3.0));
        let ends = [wanted.left_top(), wanted.right_top(), wanted.right_bottom(), wanted.left_bottom()];
        if ends.iter().all(|end| polygon::contains(&region, *end)) {
            tag(painter, place, galley);
            return;
        }
    }
}

fn tag(painter: &Painter, rect: Rect, galley: std::sync::Arc<egui::Galley>) {
    painter.rect_filled(rect.expand2(vec2(5.0, 2.0)), SMALL_RADIUS, Color32::from_black_alpha(190));
    painter.galley(rect.min, galley, Color32::WHITE);
}

/// Draws the borders of the image's copies under periodic address modes.
fn copies(painter: &Painter, sampler: &Sampler, transform: &PanelTransform, sides: [f64; 2]) {
    let [least, greatest] = transform.shown();
    let stroke = Stroke::new(1.0, Color32::from_white_alpha(90));
    for axis in [0, 1] {
        if !sampler.address[axis].is_periodic() {
            continue;
        }
        let first = ((least[axis] + 0.5) / sides[axis]).ceil() as i64;
        let last = ((greatest[axis] + 0.5) / sides[axis]).floor() as i64;
        if last - first > MAX_COPIES {
            continue;
        }
        for copy in first..=last {
            let at = |other: f64| {
                let mut place = [other; 2];
                place[axis] = copy as f64 * sides[axis] - 0.5;
                transform.pos(place)
            };
            painter.line_segment([at(least[1 - axis]), at(greatest[1 - axis])], stroke);
        }
    }
}

/// Draws a text beside the cursor, within the picture.
fn read_out(painter: &Painter, transform: &PanelTransform, text: &str, cursor: [f64; 2]) {
    let galley = painter.layout_no_wrap(text.to_owned(), FontId::monospace(text_size::VALUE), Color32::WHITE);
    let room = transform.rect().shrink2(vec2(7.0, 4.0));
    let wanted = transform.pos(cursor) + vec2(16.0, 18.0);
    let far = room.max - galley.size();
    let corner = pos2(wanted.x.min(far.x).max(room.min.x), wanted.y.min(far.y).max(room.min.y));
    tag(painter, Rect::from_min_size(corner, galley.size()), galley);
}
