//! The focus ring: a frame in the accent colour around the control that has the keyboard's focus, the same for all controls; in
//! that of errors around a field whose text is refused.

use egui::{Context, Id, Stroke, StrokeKind, WidgetRect};

use super::refusal;
use super::theme::{Palette, RADIUS, RING_WIDTH};

/// Draws the ring. A control that got the focus from the pointer has one only while its text is edited: the pointer is where
/// the eye is. Called after all controls are drawn.
pub(in crate::app) fn show(ctx: &Context) {
    let Some(widget) = ringed(ctx) else { return };
    let palette = Palette::of(ctx.theme());
    let is_refused = refusal::stands(ctx, widget.id);
    let ring = Stroke::new(RING_WIDTH, if is_refused { palette.error } else { palette.accent });
    let painter = ctx.layer_painter(widget.layer_id).with_clip_rect(widget.interact_rect);
    painter.rect_stroke(widget.rect, RADIUS, ring, StrokeKind::Inside);
}

/// The control that has a ring. Its rectangle is read without a response: a response of a control below a dialog takes the
/// focus away.
fn ringed(ctx: &Context) -> Option<WidgetRect> {
    let id = ctx.memory(|memory| memory.focused())?;
    let widget = ctx.viewport(|viewport| viewport.this_pass.widgets.get(id).copied())?;
    let by_key = follows_key(ctx, id);
    (by_key || ctx.text_edit_focused()).then_some(widget)
}

/// Whether the focus came by key: the newest press before its arrival was of a key.
fn follows_key(ctx: &Context, focused: Id) -> bool {
    let (pressed, clicked) = ctx.input(|input| {
        let key = |event: &egui::Event| matches!(event, egui::Event::Key { pressed: true, .. });
        (input.events.iter().any(key), input.pointer.any_pressed())
    });
    let state = Id::unique("focus ring");
    ctx.data_mut(|data| {
        let (was, by_key, last_is_key) = data.get_temp(state).unwrap_or((Id::NULL, false, true));
        let last_is_key = pressed || (last_is_key && !clicked);
        let by_key = if was == focused { by_key } else { last_is_key };
        data.insert_temp(state, (focused, by_key, last_is_key));
        by_key
    })
}
