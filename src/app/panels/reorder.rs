//! Panels change places by hand: one is carried by its header onto another.

use egui::{Align2, CursorIcon, Id, LayerId, Order, Rect, Response, Sense, Stroke, StrokeKind, TextStyle, Ui};

use crate::app::session::{PanelId, Session};
use crate::app::widgets::theme::{Palette, SPACE};

/// The panel that is being carried.
struct Carried(PanelId);

/// Lets panel `index` be carried by its header at `rect`; a click there gives it the focus. To be called before the header's
/// controls are drawn, which lie above it.
pub(in crate::app) fn carry(ui: &Ui, session: &mut Session, (index, rect): (usize, Rect)) {
    let panel = session.panels()[index].id();
    let header = ui.interact(rect, ui.scope_id().with(("carry", panel)), Sense::click_and_drag());
    if header.clicked() || header.drag_started() {
        session.focus(index);
    }
    if session.visible().len() < 2 {
        return;
    }
    header.dnd_set_drag_payload(Carried(panel));
    if header.dragged()
        && let Some(pos) = ui.input(|input| input.pointer.interact_pos())
    {
        ui.set_cursor_icon(CursorIcon::Grabbing);
        let palette = Palette::of_ui(ui);
        let painter = ui.layer_painter(LayerId::new(Order::Tooltip, Id::unique("carried panel")));
        let font = TextStyle::Body.resolve(ui.style());
        let title = session.panels()[index].sampler.method.title();
        let galley = painter.layout_no_wrap(title.into_owned(), font, palette.strong);
        let at = Align2::LEFT_TOP.anchor_size(pos + egui::vec2(3.0 * SPACE, 3.0 * SPACE), galley.size());
        painter.rect(at.expand(1.5 * SPACE), 4.0, palette.surface, Stroke::new(1.0, palette.line), StrokeKind::Outside);
        painter.galley(at.min, galley, palette.strong);
    }
}

/// The index of the carried panel that is let go over panel `index`, whose picture is `part`: the two are to change places
/// once all panels of the frame are drawn, since each is drawn by its index.
pub(in crate::app) fn receive(ui: &Ui, session: &Session, index: usize, part: &Response) -> Option<usize> {
    // The carried panel may have been closed on the way.
    let carried = part.dnd_hover_payload::<Carried>().and_then(|carried| session.index_of(carried.0));
    let carried = carried.filter(|carried| *carried != index)?;
    let painter = ui.layer_painter(LayerId::new(Order::Foreground, Id::unique("place for a panel")));
    let stroke = Stroke::new(2.0, Palette::of_ui(ui).accent);
    painter.rect_stroke(part.rect.shrink(1.0), 0.0, stroke, StrokeKind::Inside);
    part.dnd_release_payload::<Carried>().map(|_| carried)
}
