//! No tooltip stays or opens over a dialog that the pointer has not reached yet: a dialog that a key opens covers controls, one of
//! which may show its tooltip, and egui keeps a tooltip open as long as the pointer rests over its control.

use std::mem::{Discriminant, discriminant, take};

use egui::{Context, Event, PointerState};

use super::Dialog;

/// Which dialog waits for the pointer.
#[derive(Debug, Default)]
pub(super) struct TooltipGuard {
    /// The dialog of the last frame.
    last: Option<Discriminant<Dialog>>,
    /// Whether the pointer has neither moved nor been pressed nor turned its wheel since this dialog opened.
    waits: bool,
}

impl TooltipGuard {
    /// Takes the pointer away from the controls of this frame, so that none shows a tooltip, from the frame in which `open`
    /// opened until the pointer is used. The frame restores the pointer at its end. Whether a control is under the pointer, and
    /// clicks, are found before a frame and do not depend on it.
    pub(super) fn take_pointer(&mut self, ctx: &Context, open: Option<&Dialog>) -> Option<PointerState> {
        let open = open.map(discriminant);
        let is_new = open.is_some() && open != self.last;
        self.last = open;
        let (is_moved, is_pressed) = ctx.input(|input| {
            let has = |is: fn(&Event) -> bool| input.events.iter().any(is);
            (has(is_move), has(|event| matches!(event, Event::PointerButton { .. } | Event::Touch { .. })))
        });
        self.waits = open.is_some() && !is_pressed && (is_new || (self.waits && !is_moved));
        self.waits.then(|| ctx.input_mut(|input| take(&mut input.pointer)))
    }
}

/// Whether the pointer was used since the dialog opened: a row under a pointer that rests is not pointed at.
pub(super) fn is_in_use(ctx: &Context) -> bool {
    ctx.input(|input| input.pointer.has_pointer())
}

fn is_move(event: &Event) -> bool {
    matches!(event, Event::PointerMoved(_) | Event::MouseWheel { .. } | Event::Zoom(_))
}
