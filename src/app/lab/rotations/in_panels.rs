//! The turned picture of a panel, in the panel itself.

use std::sync::Arc;

use egui::epaint::Vertex;
use egui::{
    Color32, FontId, Galley, Id, Mesh, Pos2, Rect, Role, Sense, Shape, TextureHandle, Ui, WidgetInfo, pos2, vec2,
};

use crate::app::inspect::PanelTransform;
use crate::app::session::inspect::RepeatedRotation;
use crate::app::session::{PanelName, Session};
use crate::app::widgets::theme::{Palette, RADIUS, SPACE, text_size};

/// What a panel shows in the place of its own picture.
#[derive(Clone, Debug)]
pub(super) struct TurnedPanel {
    /// Index of the panel.
    pub(super) panel: usize,
    /// `after 3 of 15 turns: 23.6 dB, RMS 0.0657`, and the same in fewer letters, for a narrow panel.
    captions: [String; 3],
    /// Its name for assistive technology.
    label: String,
}

impl TurnedPanel {
    /// The picture of the panel `name` after the shown turn, with its error: the whole text, and the same in fewer letters.
    pub(super) fn new(name: &PanelName, rotation: RepeatedRotation, [error, short]: [String; 2]) -> Self {
        let (shown, turns) = (rotation.shown(), rotation.turns());
        let after = |error: &str| match shown {
            0 => error.to_owned(),
            _ => format!("after {shown} of {turns} turns: {error}"),
        };
        let captions = [after(&error), after(&short), short];
        Self { panel: name.index, label: format!("{}: {}", name.numbered(), captions[0]), captions }
    }

    /// Paints `texture`, the central square of the panel's image after the turn, where the panel shows that square. Around it
    /// there is nothing.
    pub(super) fn paint(&self, ui: &Ui, session: &Session, transform: &PanelTransform, texture: &TextureHandle) {
        let palette = Palette::of_ui(ui);
        let room = transform.rect().intersect(ui.clip_rect());
        let painter = ui.painter().with_clip_rect(room);
        painter.rect_filled(room, 0.0, palette.ground);
        let [side, _] = texture.size();
        let start = session.page_of(self.panel).size().sides().map(|whole| (whole as usize).saturating_sub(side) / 2);
        let first = start.map(|start| start as f64 - 0.5);
        let corners = transform.quad(first, first.map(|start| start + side as f64));
        painter.add(Shape::mesh(textured(corners, texture)));
        let margin = vec2(1.5 * SPACE, 0.5 * SPACE);
        let font = FontId::proportional(text_size::VALUE);
        let layout = |caption: &String| painter.layout_no_wrap(caption.clone(), font.clone(), palette.text);
        let [whole, fewer, fewest] = &self.captions;
        // A cut number would be read as another number.
        let fits = |galley: &Arc<Galley>| galley.size().x + 2.0 * margin.x <= room.width() - 3.0 * SPACE;
        let galley = [whole, fewer].into_iter().map(layout).find(fits).unwrap_or_else(|| layout(fewest));
        let size = galley.size() + 2.0 * margin;
        let corner = room.left_bottom() + vec2(1.5 * SPACE, -1.5 * SPACE - size.y);
        let plate = Rect::from_min_size(corner, size);
        painter.rect_filled(plate, RADIUS, palette.surface.gamma_multiply(0.94));
        painter.galley(plate.min + margin, galley, palette.text);
        let response = ui.interact(plate.intersect(room), Id::unique(("turned", self.panel)), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &self.label));
    }
}

/// The texture over a quadrilateral, whose corners are in order around it from the upper left one.
fn textured(corners: [Pos2; 4], texture: &TextureHandle) -> Mesh {
    let mut mesh = Mesh::with_texture(texture.id());
    let ends = [pos2(0.0, 0.0), pos2(1.0, 0.0), pos2(1.0, 1.0), pos2(0.0, 1.0)];
    mesh.vertices.extend(corners.into_iter().zip(ends).map(|(pos, uv)| Vertex { pos, uv, color: Color32::WHITE }));
    mesh.add_triangle(0, 1, 2);
    mesh.add_triangle(0, 2, 3);
    mesh
}
