//! Short messages in a corner of the window, gone by themselves.

use egui::{Align2, Area, Frame, Margin, Order, RichText, Stroke, Ui};

use crate::app::widgets::theme::{Palette, SPACE};

/// How grave a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum Tone {
    /// Something to know.
    Note,
    /// Something did not work.
    Error,
}

#[derive(Debug)]
struct Toast {
    tone: Tone,
    text: String,
    until_s: f64,
}

/// The messages that are shown.
#[derive(Debug, Default)]
pub(in crate::app) struct Toasts {
    shown: Vec<Toast>,
    now_s: f64,
}

impl Toasts {
    /// Messages shown at once; the oldest goes first.
    const MOST: usize = 4;

    /// Shows `text` for a while; the same text again stays longer.
    pub(in crate::app) fn say(&mut self, tone: Tone, text: impl Into<String>) {
        let text = text.into();
        let stays_s = if tone == Tone::Error { 10.0 } else { 4.0 };
        self.shown.retain(|toast| toast.text != text);
        self.shown.push(Toast { tone, text, until_s: self.now_s + stays_s });
        if self.shown.len() > Self::MOST {
            self.shown.remove(0);
        }
    }

    /// Sets the time in seconds.
    pub(in crate::app) fn tick(&mut self, now_s: f64) {
        self.now_s = now_s;
        self.shown.retain(|toast| toast.until_s > now_s);
    }

    /// Takes all messages away; true where there were any.
    pub(in crate::app) fn clear(&mut self) -> bool {
        let any = !self.shown.is_empty();
        self.shown.clear();
        any
    }

    /// Draws them in the lower left corner of `within`.
    pub(in crate::app) fn show(&mut self, ui: &Ui, within: egui::Rect) {
        let Some(first_to_go) = self.shown.iter().map(|toast| toast.until_s).min_by(f64::total_cmp) else {
            return;
        };
        let rest_s = (first_to_go - self.now_s).max(0.0) + 0.01;
        ui.request_repaint_after(std::time::Duration::from_secs_f64(rest_s));
        let mut closed = None;
        Area::new(egui::Id::unique("toasts"))
            .order(Order::Foreground)
            .pivot(Align2::LEFT_BOTTOM)
            .fixed_pos(within.left_bottom() + egui::vec2(4.0 * SPACE, -4.0 * SPACE))
            .show(ui, |ui| {
                for (index, toast) in self.shown.iter().enumerate() {
                    if show_one(ui, toast, (within.width() - 16.0 * SPACE).clamp(120.0, 520.0)) {
                        closed = Some(index);
                    }
                }
            });
        if let Some(index) = closed {
            self.shown.remove(index);
        }
    }
}

/// Draws one message; true where it is closed by hand.
fn show_one(ui: &mut Ui, toast: &Toast, width: f32) -> bool {
    let palette = Palette::of_ui(ui);
    let (line, title) = match toast.tone {
        Tone::Note => (palette.line, None),
        Tone::Error => (palette.error, Some("Error")),
    };
    Frame::popup(ui.style())
        .stroke(Stroke::new(1.0, line))
        .inner_margin(Margin::symmetric(12, 8))
        .show(ui, |ui| {
            ui.horizontal(|ui| {
                let text = RichText::new(&toast.text).color(palette.strong);
                match title {
                    Some(title) => drop(ui.vertical(|ui| {
                        ui.set_max_width(width);
                        ui.label(RichText::new(title).small().color(palette.error));
                        ui.label(text);
                    })),
                    // In line with the button, not above it.
                    None => drop(ui.scope(|ui| {
                        ui.set_max_width(width);
                        ui.label(text);
                    })),
                }
                ui.add(egui::Button::new("×").frame_when_inactive(false)).on_hover_text("Close").clicked()
            })
            .inner
        })
        .inner
}
