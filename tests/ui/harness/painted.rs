//! What a window without a screen paints.

use egui::epaint::TextShape;
use egui::{Color32, Rect, Shape};

use crate::harness::Window;

/// The painted shapes, those in groups too.
pub(crate) fn shapes(window: &Window) -> Vec<Shape> {
    fn collect(shape: &Shape, found: &mut Vec<Shape>) {
        match shape {
            Shape::Vec(group) => group.iter().for_each(|shape| collect(shape, found)),
            shape => found.push(shape.clone()),
        }
    }
    let mut found = Vec::new();
    window.output().shapes.iter().for_each(|clipped| collect(&clipped.shape, &mut found));
    found
}

/// The texts that are drawn within `place`, from left to right, with the rectangles of what is drawn of them.
pub(crate) fn texts(window: &Window, place: Rect) -> Vec<(String, Rect)> {
    let text = |shape: Shape| match shape {
        Shape::Text(TextShape { pos, galley, .. }) => {
            Some((shown_text(&galley), galley.mesh_bounds.translate(pos.to_vec2())))
        }
        _ => None,
    };
    let mut found: Vec<(String, Rect)> =
        shapes(window).into_iter().filter_map(text).filter(|(_, rect)| place.contains(rect.center())).collect();
    found.sort_by(|(_, a), (_, b)| a.left().total_cmp(&b.left()));
    found
}

/// Edges of a scrolled area within `place` towards which its contents fade: `[top, bottom]`.
pub(crate) fn faded(window: &Window, place: Rect) -> [bool; 2] {
    let mut faded = [false; 2];
    for shape in shapes(window) {
        let Shape::Mesh(mesh) = &shape else { continue };
        if let [edge, _, inner, _] = mesh.vertices.as_slice()
            && inner.color == Color32::TRANSPARENT
            && place.contains_rect(mesh.calc_bounds())
        {
            faded[usize::from(edge.pos.y > inner.pos.y)] = true;
        }
    }
    faded
}

/// The letters of a text that are drawn: a cut one ends in an ellipsis.
fn shown_text(galley: &egui::Galley) -> String {
    galley.rows.iter().flat_map(|row| row.glyphs.iter().map(|glyph| glyph.chr)).collect()
}
