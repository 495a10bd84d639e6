//! Panels change places by hand: one is carried by its header onto another.

use egui::{Align2, CursorIcon, Id, LayerId, Order, Rect, Response, Sense, Stroke, StrokeKind, TextStyle, Ui};

use super::session::Session;
use super::theme::{Palette, SPACE};

/// The panel that is being carried.
struct Carried(usize);

/// Lets panel `index` be carried by its header at `rect`; a click there gives it the focus. To be called before the header's
/// controls are drawn, which lie above it.
pub(super) fn carry(ui: &Ui, session: &mut Session, (index, rect): (usize, Rect)) {
    let header = ui.interact(rect, ui.scope_id().with(("carry", index)), Sense::click_and_drag());
    if header.clicked() || header.drag_started() {
        session.focus(index);
    }
    if session.visible().len() < 2 {
        return;
    }
    header.dnd_set_drag_payload(Carried(index));
    if header.dragged()
        && let Some(pos) = ui.input(|input| input.pointer.interact_pos())
    {
        ui.set_cursor_icon(CursorIcon::Grabbing);
        let palette = Palette::of_ui(ui);
        let painter = ui.layer_painter(LayerId::new(Order::Tooltip, Id::unique("carried panel")));
        let font = TextStyle::Body.resolve(ui.style());
        let title = session.panels()[index].sampler.method.row().title;
        let galley = painter.layout_no_wrap(title.to_owned(), font, palette.strong);
        let at = Align2::LEFT_TOP.anchor_size(pos + egui::vec2(3.0 * SPACE, 3.0 * SPACE), galley.size());
        painter.rect(at.expand(1.5 * SPACE), 4.0, palette.surface, Stroke::new(1.0, palette.line), StrokeKind::Outside);
        painter.galley(at.min, galley, palette.strong);
    }
}

/// Lets a carried panel change places with panel `index`, whose header or picture is `part`.
pub(super) fn receive(ui: &Ui, session: &mut Session, index: usize, part: &Response) {
    let Some(carried) = part.dnd_hover_payload::<Carried>().filter(|carried| carried.0 != index) else {
        return;
    };
    let painter = ui.layer_painter(LayerId::new(Order::Foreground, Id::unique("place for a panel")));
    let stroke = Stroke::new(2.0, Palette::of_ui(ui).accent);
    painter.rect_stroke(part.rect.shrink(1.0), 0.0, stroke, StrokeKind::Inside);
    if part.dnd_release_payload::<Carried>().is_some() {
        session.swap_panels(carried.0, index);
    }
}
