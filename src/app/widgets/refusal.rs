//! What a number field says of a text that it does not take.
//!
//! A text is judged when it is entered. One that is refused stays in the field with the reason below it, in the colour of errors,
//! until it is mended: then each change is judged at once. Leaving the field brings the number back; the reason stays for some
//! seconds, unless the field was left with Esc.

use egui::{Context, Event, Id, Key, PopupAnchor, Response, RichText, Stroke, StrokeKind, TextWrapMode, Tooltip, Ui};

use super::theme::{Palette, RADIUS};

/// Seconds for which a field that is not edited any more says why its last text was refused.
const REFUSAL_S: f64 = 5.0;

/// The text that is being typed into a field.
#[derive(Clone, Debug, Default)]
pub(super) struct TypedText {
    /// The text, as soon as it was changed.
    pub(super) text: Option<String>,
    /// Why it is refused.
    pub(super) refusal: Option<String>,
    /// The number of the field when it was typed. Whoever changes the number replaces the text.
    pub(super) number: f64,
}

impl TypedText {
    fn id(field: Id) -> Id {
        field.with("typed")
    }

    /// The text in `field`, which shows `number`.
    pub(super) fn of(ui: &Ui, field: Id, number: f64) -> Self {
        let kept: Option<Self> = ui.data(|data| data.get_temp(Self::id(field)));
        kept.filter(|typed| typed.number == number).unwrap_or(Self { number, ..Self::default() })
    }

    /// Keeps the text until the next frame.
    pub(super) fn keep(self, ui: &Ui, field: Id) {
        ui.data_mut(|data| data.insert_temp(Self::id(field), self));
    }

    /// Forgets the text in `field`.
    pub(super) fn forget(ui: &Ui, field: Id) {
        ui.data_mut(|data| data.remove::<Self>(Self::id(field)));
    }
}

/// Whether the text in `field`, which is edited, is refused.
pub(super) fn stands(ctx: &Context, field: Id) -> bool {
    let typed: Option<TypedText> = ctx.data(|data| data.get_temp(TypedText::id(field)));
    typed.is_some_and(|typed| typed.refusal.is_some())
}

/// The reason why a field that was left has not taken its text.
#[derive(Clone, Debug)]
struct LeftRefusal {
    reason: String,
    until_s: f64,
    /// The frame in which the field was left, by a key or a click.
    frame: u64,
}

/// Notes why the text in `field`, which is left, is refused.
pub(super) fn note(ui: &Ui, field: Id, reason: String) {
    let (until_s, frame) = (ui.input(|input| input.time) + REFUSAL_S, ui.cumulative_frame_nr());
    ui.data_mut(|data| data.insert_temp(field.with("refused"), LeftRefusal { reason, until_s, frame }));
}

/// The reason noted for `field`, until the next key or click, for some seconds at most.
pub(super) fn noted(ui: &Ui, field: Id) -> Option<String> {
    let id = field.with("refused");
    let LeftRefusal { reason, until_s, frame } = ui.data(|data| data.get_temp(id))?;
    let is_input = |event: &Event| {
        matches!(
            event,
            Event::Text(_)
                | Event::Paste(_)
                | Event::Key { pressed: true, .. }
                | Event::PointerButton { pressed: true, .. }
        )
    };
    let now_s = ui.input(|input| input.time);
    let is_over = frame < ui.cumulative_frame_nr() && ui.input(|input| input.events.iter().any(is_input));
    if now_s >= until_s || is_over {
        ui.data_mut(|data| data.remove::<LeftRefusal>(id));
        return None;
    }
    ui.request_repaint_after(std::time::Duration::from_secs_f64(until_s - now_s));
    Some(reason)
}

/// Marks `field` and says the `reason` below it, in one line.
pub(super) fn show(ui: &Ui, field: &Response, reason: &str) {
    let error = Palette::of_ui(ui).error;
    ui.painter().rect_stroke(field.rect, RADIUS, Stroke::new(1.5, error), StrokeKind::Inside);
    let (id, layer) = (field.id.with("refused"), ui.layer_id());
    Tooltip::always_open(ui.ctx().clone(), layer, id, PopupAnchor::ParentRect(field.rect)).show(|ui| {
        ui.style_mut().wrap_mode = Some(TextWrapMode::Extend);
        ui.label(RichText::new(reason).color(error));
    });
}

/// Whether Esc ended the editing of `field` in this frame or one of the two before it, in which egui's field reads its last text
/// where the key is not pressed any more.
pub(super) fn was_cancelled(ui: &Ui, field: Id) -> bool {
    let (id, frame) = (field.with("cancelled"), ui.cumulative_frame_nr());
    if is_cancelled(ui) {
        ui.data_mut(|data| data.insert_temp(id, frame));
    }
    let last: Option<u64> = ui.data(|data| data.get_temp(id));
    last.is_some_and(|last| frame <= last + 2)
}

/// Whether Esc ends the editing, which brings the number back. The window may have taken the key already.
pub(super) fn is_cancelled(ui: &Ui) -> bool {
    let is_escape = |event: &Event| matches!(event, Event::Key { key: Key::Escape, pressed: true, .. });
    ui.input(|input| input.raw.events.iter().any(is_escape))
}
