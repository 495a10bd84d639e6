//! Reordering of panels: drag and drop of a panel's header onto another panel.

use egui::{Align2, CursorIcon, Id, LayerId, Order, Rect, Response, Sense, Stroke, StrokeKind, TextStyle, Ui};

use crate::app::session::{PanelId, Session};
use crate::app::widgets::theme::{Palette, SPACE};

/// Payload of the drag: the panel.
struct DraggedPanel(PanelId);

/// Makes the header of panel `index`, at `rect`, draggable. A click or the start of a drag focuses the panel. Call this before
/// the controls of the header are drawn: they lie above it.
pub(in crate::app) fn drag(ui: &Ui, session: &mut Session, (index, rect): (usize, Rect)) {
    let panel = session.panels()[index].id();
    let header = ui.interact(rect, ui.scope_id().with(("carry", panel)), Sense::click_and_drag());
    if header.clicked() || header.drag_started() {
        session.focus(index);
    }
    if session.visible().len() < 2 {
        return;
    }
    header.dnd_set_drag_payload(DraggedPanel(panel));
    if header.dragged()
        && let Some(pos) = ui.input(|input| input.pointer.interact_pos())
    {
        ui.set_cursor_icon(CursorIcon::Grabbing);
        let palette = Palette::of_ui(ui);
        let painter = ui.layer_painter(LayerId::new(Order::Tooltip, Id::unique("dragged panel")));
        let font = TextStyle::Body.resolve(ui.style());
        let name = session.panel_name(index).numbered();
        let galley = painter.layout_no_wrap(name, font, palette.text);
        let at = Align2::LEFT_TOP.anchor_size(pos + egui::vec2(3.0 * SPACE, 3.0 * SPACE), galley.size());
        painter.rect(at.expand(1.5 * SPACE), 4.0, palette.surface, Stroke::new(1.0, palette.line), StrokeKind::Outside);
        painter.galley(at.min, galley, palette.text);
    }
}

/// The index of the panel that was dropped on panel `index`, whose picture is `part`. The caller swaps the two after all
/// panels of the frame are drawn, since panels are drawn by index.
pub(in crate::app) fn receive(ui: &Ui, session: &Session, index: usize, part: &Response) -> Option<usize> {
    // The dragged panel may have been closed during the drag.
    let dragged = part.dnd_hover_payload::<DraggedPanel>().and_then(|dragged| session.index_of(dragged.0));
    let dragged = dragged.filter(|dragged| *dragged != index)?;
    let painter = ui.layer_painter(LayerId::new(Order::Foreground, Id::unique("place for a panel")));
    let stroke = Stroke::new(2.0, Palette::of_ui(ui).accent);
    painter.rect_stroke(part.rect.shrink(1.0), 0.0, stroke, StrokeKind::Inside);
    part.dnd_release_payload::<DraggedPanel>().map(|_| dragged)
}
