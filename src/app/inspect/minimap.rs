//! The overview: the whole image in the side bar, with a frame around the visible part, or an arrow to it. A drag moves the
//! view.

use egui::emath::GuiRounding as _;
use egui::{
    Color32, Mesh, Painter, Pos2, Rect, Sense, Shape, Stroke, StrokeKind, TextureHandle, TextureOptions, Theme, Ui,
    WidgetInfo, pos2, vec2,
};

use super::Overlays;
use super::loupe::colour_image;
use super::patch::{PictureSizes, view_showing};
use super::polygon;
use crate::app::session::Session;
use crate::app::session::history::{Change, Framing};
use crate::app::widgets::theme::{Palette, SMALL_RADIUS};
use crate::backend::{self, Backend, PixelFormat, RenderRequest};
use crate::image::{PageId, Size};
use crate::sampling::{Method, Sampler};
use crate::view::View;

/// Height, in points. It is the same for every image and view, so that nothing below the overview moves.
const HEIGHT: f32 = 120.0;
/// The same of a volume, in points: the controls of its plane need the rest.
const VOLUME_HEIGHT: f32 = 80.0;
/// The same for a volume that changes, whose section has a line more.
const SERIES_HEIGHT: f32 = 64.0;
/// Distance of the picture from the outline, in points.
const INSET: f32 = 6.0;
/// Maximum size of the thumbnail, in pixels.
const MAX_SIZE_PX: [u32; 2] = [480, 264];
/// Length beyond the corners that is dimmed, in points.
const FAR: f32 = 1e5;
/// What of the image lies around the visible part is covered with: black in the light theme, where a light veil would not be seen
/// beside the light surroundings, the surroundings' colour in the dark one; and how much of it.
const LIGHT_VEIL: f32 = 0.25;
const DARK_VEIL: f32 = 0.29;
/// Side of the arrow to a view beside the image, in points.
const ARROW: f32 = 7.0;

/// A thumbnail of one image.
pub(in crate::app) struct Overview {
    made_for: (PageId, RenderRequest),
    texture: TextureHandle,
    size: Size,
}

/// Renders the thumbnail if the image or its display changed. Returns `true` if it was rendered.
pub(super) fn update(ui: &Ui, session: &Session, backend: &mut dyn Backend, kept: &mut Option<Overview>) -> bool {
    let page = session.page();
    let [width, height] = MAX_SIZE_PX.map(f64::from);
    let shrink = (f64::from(page.size().width()) / width).max(f64::from(page.size().height()) / height);
    let side = |length: u32| ((f64::from(length) / shrink).round() as u32).max(1);
    let Ok(size) = Size::new(side(page.size().width()), side(page.size().height())) else {
        return false;
    };
    let RenderRequest { plane, component, .. } = session.request(session.focused());
    // An oblique plane is not antialiased.
    let antialias = !plane.orientation.is_oblique();
    let sampler = Sampler { antialias, ..Sampler::default().with_method(Method::Linear) };
    let request = RenderRequest {
        view: View::fit(size, page.size()),
        sampler,
        page: session.panels()[session.focused()].page_index(),
        plane,
        component,
        display: session.panels()[session.focused()].display,
        ..RenderRequest::new(size)
    };
    let made_for = (page.id(), request);
    if kept.as_ref().is_some_and(|overview| overview.made_for == made_for) {
        return false;
    }
    let Ok(pixels) = backend::render(backend, session.image(), &made_for.1, PixelFormat::TEXTURE) else {
        return false;
    };
    let texture = ui.ctx().load_texture("overview", colour_image(&pixels), TextureOptions::LINEAR);
    *kept = Some(Overview { made_for, texture, size });
    true
}

/// Draws the overview and handles drags. Its place has one size; the thumbnail fills as much of it as fits.
pub(in crate::app) fn show(ui: &mut Ui, session: &mut Session, overlays: &mut Overlays) {
    overlays.shows_overview = true;
    let height = match session.volume_of(session.focused()) {
        Some(_) if session.has_times(session.focused()) => SERIES_HEIGHT,
        Some(_) => VOLUME_HEIGHT,
        None => HEIGHT,
    };
    let place = vec2(ui.available_width(), height);
    let (frame, response) = ui.allocate_exact_size(place, Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, "Overview"));
    let painter = ui.painter().with_clip_rect(frame.intersect(ui.clip_rect()));
    let palette = Palette::of_ui(ui);
    painter.rect(frame, SMALL_RADIUS, palette.ground, Stroke::new(1.0, palette.line), StrokeKind::Inside);
    let Some(overview) = &overlays.overview else { return };
    let side = vec2(overview.size.width() as f32, overview.size.height() as f32);
    // A frame around the whole picture has room beside it.
    let inner = frame.shrink(INSET);
    let rect = Rect::from_center_size(inner.center(), side * (inner.width() / side.x).min(inner.height() / side.y));
    // Picture and veil end at the same pixels.
    let rect = rect.round_to_pixels(ui.pixels_per_point());
    painter.image(overview.texture.id(), rect, Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0)), Color32::WHITE);
    let (page, output) = (session.page().size(), session.output());
    let sides = [f64::from(page.width()), f64::from(page.height())];
    // The frame of a fitted image is that of the panel's own view, without the offset beside an inset.
    let view = if session.is_animating() { session.shown_view_of(session.focused()) } else { session.view() };
    let map = view.image_from_output(output, page);
    let [right, bottom] = [f64::from(output.width()) - 0.5, f64::from(output.height()) - 0.5];
    let corners = [[-0.5, -0.5], [right, -0.5], [right, bottom], [-0.5, bottom]].map(|corner| {
        let place = map.at(corner);
        let share = [0, 1].map(|axis| ((place[axis] + 0.5) / sides[axis]) as f32);
        rect.min + vec2(share[0] * rect.width(), share[1] * rect.height())
    });
    let is_visible = !polygon::clipped(&corners, frame).is_empty();
    let middle = Rect::from_points(&corners).center();
    // What is beside the image is no part of it. The edges of a frame at another angle are cut off at the place.
    let side = corners[1] - corners[0];
    let is_quarter = side.x.abs().min(side.y.abs()) < 0.01;
    let corners = if is_quarter { corners.map(|corner| rect.expand(1.0).clamp(corner)) } else { corners };
    if is_visible {
        let veil = match ui.theme() {
            Theme::Dark => palette.ground.gamma_multiply(DARK_VEIL),
            Theme::Light => Color32::BLACK.gamma_multiply(LIGHT_VEIL),
        };
        cover_around(&painter.with_clip_rect(painter.clip_rect().intersect(rect)), corners, veil);
        painter.add(Shape::closed_line(corners.to_vec(), Stroke::new(4.0, palette.surface)));
        painter.add(Shape::closed_line(corners.to_vec(), Stroke::new(2.0, palette.text)));
    } else {
        arrow(&painter, frame, middle);
    }
    if (response.dragged() || response.clicked())
        && let Some(pos) = response.interact_pointer_pos()
    {
        let share = (pos - rect.min) / rect.size();
        let wanted = [f64::from(share.x) * sides[0] - 0.5, f64::from(share.y) * sides[1] - 0.5];
        go_to(session, wanted);
    }
    response.on_hover_text("The whole image; the frame is what the focused panel shows. Drag to move it");
}

/// Covers what lies around the rectangle `corners`, turned by any angle: beyond each of its sides, as far as the diagonals.
fn cover_around(painter: &Painter, corners: [Pos2; 4], veil: Color32) {
    let middle = Rect::from_points(&corners).center();
    let far = corners.map(|corner| corner + FAR * (corner - middle).normalized());
    let mut mesh = Mesh::default();
    for side in 0..4 {
        let next = (side + 1) % 4;
        for corner in [corners[side], corners[next], far[next], far[side]] {
            mesh.colored_vertex(corner, veil);
        }
        let first = 4 * side as u32;
        mesh.add_triangle(first, first + 1, first + 2);
        mesh.add_triangle(first, first + 2, first + 3);
    }
    painter.add(Shape::mesh(mesh));
}

/// Paints an arrow at the edge of `frame` that points to `target` outside.
fn arrow(painter: &Painter, frame: Rect, target: Pos2) {
    let towards = (target - frame.center()).normalized();
    let tip = frame.shrink(ARROW).clamp(target) + 0.5 * ARROW * towards;
    let (back, across) = (tip - 1.5 * ARROW * towards, 0.8 * ARROW * towards.rot90());
    let corners = vec![tip, back + across, back - across];
    painter.add(Shape::convex_polygon(corners, Color32::WHITE, Stroke::new(1.5, Color32::from_black_alpha(170))));
}

/// Moves the view so that the picture's centre shows `pos_in_image`.
fn go_to(session: &mut Session, pos_in_image: [f64; 2]) {
    let (view, output) = (session.view(), session.output());
    let middle = [f64::from(output.width() - 1) / 2.0, f64::from(output.height() - 1) / 2.0];
    let sizes = PictureSizes { output, page: session.page().size() };
    if let Some(to) = view_showing(&view, sizes, middle, pos_in_image) {
        session.go(to, Framing::Free, Change::Pan);
    }
}
