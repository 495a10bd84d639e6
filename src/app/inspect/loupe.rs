//! The loupe: the pixels around the cursor, enlarged, in every panel.

use egui::{Color32, ColorImage, Mesh, Painter, Pos2, Rect, Stroke, StrokeKind, pos2, vec2};

use super::panel_transform::PanelTransform;
use super::patch::centred_on;
use crate::app::session::Session;
use crate::app::widgets::theme::SMALL_RADIUS;
use crate::backend::{self, Backend, PixelFormat};
use crate::image::Raster;

/// Pixels per side.
const PIXELS: u32 = 15;
/// Side of a pixel, in points.
const PIXEL_SIDE: f32 = 10.0;

/// Width of the rim, in points.
const RIM: f32 = 3.0;

/// The place of a loupe.
#[derive(Clone, Copy, Debug)]
pub(super) struct LoupePlace {
    /// Its pixels.
    rect: Rect,
    /// What it enlarges: the centre of its middle pixel.
    centre: Pos2,
    /// Enlargement of distances in points.
    times: f32,
}

impl LoupePlace {
    /// The rectangle that the loupe covers, with its rim.
    pub(super) fn covered(&self) -> Rect {
        self.rect.expand(RIM)
    }

    /// The place in the loupe of what is at `pos` in the picture; `None` if the loupe does not show it.
    pub(super) fn enlarged(&self, pos: Pos2) -> Option<Pos2> {
        let at = self.rect.center() + self.times * (pos - self.centre);
        self.rect.contains(at).then_some(at)
    }
}

/// Paints the loupe over `cursor`, a position in the image. Returns its place; `None` if there is nothing to enlarge.
pub(super) fn paint(
    painter: &Painter,
    session: &Session,
    backend: &mut dyn Backend,
    transform: &PanelTransform,
    cursor: [f64; 2],
) -> Option<LoupePlace> {
    let page = session.page_of(transform.panel).size();
    let request = centred_on(&session.request(transform.panel), page, cursor, PIXELS)?;
    let pixels = backend::render(backend, session.image_of(transform.panel), &request, PixelFormat::TEXTURE).ok()?;
    let side = PIXEL_SIDE * PIXELS as f32;
    let room = transform.rect().shrink(4.0);
    let wanted = transform.pos(cursor) - vec2(side, side) * 0.5;
    let far = room.max - vec2(side, side);
    let corner = pos2(wanted.x.min(far.x).max(room.min.x), wanted.y.min(far.y).max(room.min.y));
    let rect = Rect::from_min_size(corner, vec2(side, side));
    painter.rect_filled(rect.expand(RIM), SMALL_RADIUS, Color32::from_black_alpha(200));
    painter.add(enlarged(&pixels, rect));
    painter.rect_stroke(rect, 0.0, Stroke::new(1.0, Color32::WHITE), StrokeKind::Outside);
    let middle = corner + vec2(1.0, 1.0) * (PIXELS / 2) as f32 * PIXEL_SIDE;
    let pixel = Rect::from_min_size(middle, vec2(PIXEL_SIDE, PIXEL_SIDE));
    painter.rect_stroke(pixel, 0.0, Stroke::new(2.0, Color32::BLACK), StrokeKind::Outside);
    painter.rect_stroke(pixel, 0.0, Stroke::new(1.0, Color32::WHITE), StrokeKind::Outside);
    let times = PIXEL_SIDE * transform.pixels_per_point;
    Some(LoupePlace { rect, centre: transform.pos(cursor), times })
}

/// A mesh of the pixels that fills `rect`.
fn enlarged(pixels: &Raster, rect: Rect) -> Mesh {
    let mut mesh = Mesh::default();
    let (width, height) = (pixels.size().width(), pixels.size().height());
    let side = vec2(rect.width() / width as f32, rect.height() / height as f32);
    for row in 0..height {
        for column in 0..width {
            let corner = rect.min + vec2(column as f32 * side.x, row as f32 * side.y);
            mesh.add_colored_rect(Rect::from_min_size(corner, side), colour(pixels, column, row));
        }
    }
    mesh
}

/// An 8-bit picture for a texture.
pub(super) fn colour_image(pixels: &Raster) -> ColorImage {
    let [width, height] = pixels.size().sides();
    let places = (0..height).flat_map(|row| (0..width).map(move |column| (column, row)));
    let colours = places.map(|(column, row)| colour(pixels, column, row)).collect();
    ColorImage::new([width as usize, height as usize], colours)
}

/// The colour of a pixel of an 8-bit picture. Transparent pixels are blended over grey.
fn colour(pixels: &Raster, column: u32, row: u32) -> Color32 {
    let number = |channel: usize| pixels.number(column, row, channel);
    if pixels.channels().count() == 1 {
        return Color32::from_gray(number(0) as u8);
    }
    let alpha = number(3) / 255.0;
    let over = |channel: usize| (number(channel) * alpha + 187.0 * (1.0 - alpha)) as u8;
    Color32::from_rgb(over(0), over(1), over(2))
}
