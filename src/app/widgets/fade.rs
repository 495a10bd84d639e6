//! Contents of a scrolled area that fade towards an edge with more behind it.

use egui::scroll_area::ScrollAreaOutput;
use egui::{Color32, Mesh, Rangef, Shape, Ui, pos2};

use super::theme::Palette;

/// Height over which contents fade, in points.
const HEIGHT: f32 = 28.0;

/// Fades the contents of a `shown` area on the surface towards its top and its bottom, over the width `across`.
pub(in crate::app) fn fade<R>(ui: &Ui, shown: &ScrollAreaOutput<R>, across: Rangef) {
    let rect = shown.inner_rect;
    let above = shown.state.clamped_offset().y;
    let below = shown.content_size.y - rect.height() - above;
    let surface = Palette::of_ui(ui).surface;
    let edges = [(rect.top(), 1.0, above), (rect.bottom(), -1.0, below)];
    for (edge, inwards, hidden) in edges.into_iter().filter(|(_, _, hidden)| *hidden > 0.5) {
        let mut mesh = Mesh::default();
        for (y, colour) in [(edge, surface), (edge + inwards * hidden.min(HEIGHT), Color32::TRANSPARENT)] {
            for x in [across.min, across.max] {
                mesh.colored_vertex(pos2(x, y), colour);
            }
        }
        mesh.add_triangle(0, 1, 2);
        mesh.add_triangle(1, 2, 3);
        ui.painter().add(Shape::mesh(mesh));
    }
}
