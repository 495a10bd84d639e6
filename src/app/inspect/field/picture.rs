//! A measurement as a picture over a panel. While the view moves, the picture of another view is drawn where it belongs.

use egui::{Color32, ColorImage, Context, Mesh, Painter, Rect, Shape, TextureHandle, TextureOptions, pos2};

use super::super::panel_transform::PanelTransform;
use super::work::PictureRequest;
use crate::image::Size;

/// A picture with a pixel for each of the request's.
pub(super) struct OverlayPicture {
    texture: TextureHandle,
}

impl OverlayPicture {
    /// Uploads `image`.
    pub(super) fn new(image: ColorImage, ctx: &Context) -> Self {
        Self { texture: ctx.load_texture("overlay", image, TextureOptions::NEAREST) }
    }

    /// Paints the picture of `request` of a page of size `page`; one that `is_current` is in the panel's pixels.
    pub(super) fn paint(
        &self,
        painter: &Painter,
        (transform, page): (&PanelTransform, Size),
        PictureRequest { request, .. }: &PictureRequest,
        is_current: bool,
    ) {
        if is_current {
            let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            painter.image(self.texture.id(), transform.rect(), whole, Color32::WHITE);
            return;
        }
        let map = request.view.image_from_output(request.size, page);
        let [right, bottom] = [request.size.width(), request.size.height()].map(|side| f64::from(side) - 0.5);
        let corners = [[-0.5, -0.5], [right, -0.5], [right, bottom], [-0.5, bottom]];
        let uv = [pos2(0.0, 0.0), pos2(1.0, 0.0), pos2(1.0, 1.0), pos2(0.0, 1.0)];
        let mut mesh = Mesh::with_texture(self.texture.id());
        for (corner, uv) in corners.into_iter().zip(uv) {
            let pos = transform.pos(map.at(corner));
            mesh.vertices.push(egui::epaint::Vertex { pos, uv, color: Color32::WHITE });
        }
        mesh.indices.extend([0, 1, 2, 0, 2, 3]);
        painter.add(Shape::mesh(mesh));
    }
}
