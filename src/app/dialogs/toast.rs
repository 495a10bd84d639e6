//! Toasts: short messages in a corner of the window that disappear after some seconds.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use egui::{Align2, Area, Frame, Id, Label, LayerId, Margin, Order, RichText, Sense, Stroke, Ui};

use crate::app::widgets::symbol::{Symbol, SymbolButton};
use crate::app::widgets::theme::{Palette, SPACE};

/// Severity of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Severity {
    /// A notice.
    Note,
    /// An error.
    Error,
}

#[derive(Debug)]
struct Toast {
    severity: Severity,
    text: String,
    until_s: f64,
    /// The file that an error is about.
    about: Option<PathBuf>,
    /// Whether it says what the last command changed, or why it changed nothing.
    is_change: bool,
}

/// The visible messages.
#[derive(Debug, Default)]
pub(in crate::app) struct Toasts {
    shown: Vec<Toast>,
    /// Errors that are shown when there is room, the oldest first, with the files that they are about.
    waiting: VecDeque<(String, Option<PathBuf>)>,
    now_s: f64,
    /// Number of messages in the last frame.
    drawn: usize,
}

impl Toasts {
    /// Maximum number of messages. A new notice replaces the oldest notice; errors wait until there is room.
    const MAX_SHOWN: usize = 4;

    /// Shows a notice. Showing the same text again restarts its time.
    pub(in crate::app) fn note(&mut self, text: impl std::fmt::Display) {
        self.show_text(Severity::Note, text.to_string(), None);
    }

    /// Shows what a command changed, or why it changed nothing, in the place of what the last one did.
    pub(in crate::app) fn note_change(&mut self, text: impl std::fmt::Display) {
        self.end_change();
        let text = text.to_string();
        self.show_text(Severity::Note, text.clone(), None);
        self.shown.iter_mut().filter(|toast| toast.text == text).for_each(|toast| toast.is_change = true);
    }

    /// Removes what was said of the last command: it holds no longer.
    pub(in crate::app) fn end_change(&mut self) {
        self.shown.retain(|toast| !toast.is_change);
    }

    /// Shows an error. Showing the same text again restarts its time.
    pub(in crate::app) fn error(&mut self, text: impl std::fmt::Display) {
        self.show_text(Severity::Error, text.to_string(), None);
    }

    /// Shows an error of `file`, until [`Toasts::withdraw`] at the latest.
    pub(in crate::app) fn error_of_file(&mut self, file: &Path, text: impl std::fmt::Display) {
        self.show_text(Severity::Error, text.to_string(), Some(file.to_owned()));
    }

    /// Removes the errors of `file`, which was read.
    pub(in crate::app) fn withdraw(&mut self, file: &Path) {
        self.shown.retain(|toast| toast.about.as_deref() != Some(file));
        self.waiting.retain(|(_, about)| about.as_deref() != Some(file));
    }

    fn show_text(&mut self, severity: Severity, text: String, about: Option<PathBuf>) {
        let stays_s = if severity == Severity::Error { 10.0 } else { 4.0 };
        self.shown.retain(|toast| toast.text != text);
        if self.shown.len() >= Self::MAX_SHOWN {
            match self.shown.iter().position(|toast| toast.severity == Severity::Note) {
                Some(note) => drop(self.shown.remove(note)),
                None if severity == Severity::Note => return,
                None => {
                    if self.waiting.iter().all(|(waiting, _)| *waiting != text) {
                        self.waiting.push_back((text, about));
                    }
                    return;
                }
            }
        }
        self.shown.push(Toast { severity, text, until_s: self.now_s + stays_s, about, is_change: false });
    }

    /// Shows waiting errors for which there is room.
    fn admit(&mut self) {
        while self.shown.len() < Self::MAX_SHOWN {
            let Some((text, about)) = self.waiting.pop_front() else { return };
            self.show_text(Severity::Error, text, about);
        }
    }

    /// Sets the time, in seconds, and removes expired messages.
    pub(in crate::app) fn tick(&mut self, now_s: f64) {
        self.now_s = now_s;
        self.shown.retain(|toast| toast.until_s > now_s);
        self.admit();
    }

    /// Removes all messages.
    pub(in crate::app) fn clear(&mut self) {
        self.shown.clear();
        self.waiting.clear();
    }

    /// The layer in which messages are drawn.
    pub(in crate::app) fn layer() -> LayerId {
        LayerId::new(Order::Foreground, Id::unique("toasts"))
    }

    /// Draws the messages in the lower left corner of `within`.
    pub(in crate::app) fn show(&mut self, ui: &Ui, within: egui::Rect) {
        // The area stands by its size in the last frame: the next one shows it in its place.
        if std::mem::replace(&mut self.drawn, self.shown.len()) != self.shown.len() {
            ui.request_repaint();
        }
        let Some(next_end_s) = self.shown.iter().map(|toast| toast.until_s).min_by(f64::total_cmp) else {
            return;
        };
        let rest_s = (next_end_s - self.now_s).max(0.0) + 0.01;
        ui.request_repaint_after(std::time::Duration::from_secs_f64(rest_s));
        let mut closed = None;
        let layer = Self::layer();
        Area::new(layer.id)
            .order(layer.order)
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
            self.admit();
            ui.request_repaint();
        }
    }
}

/// The button that takes a message away.
const CLOSE: SymbolButton =
    SymbolButton { symbol: Symbol::Close, name: "Close the message", tip: "Takes the message away" };

/// Draws one message. Returns true if the user closes it.
fn show_one(ui: &mut Ui, toast: &Toast, width: f32) -> bool {
    let palette = Palette::of_ui(ui);
    let (line, title) = match toast.severity {
        Severity::Note => (palette.line, None),
        Severity::Error => (palette.error, Some("Error")),
    };
    let frame = Frame::popup(ui.style()).stroke(Stroke::new(1.0, line)).inner_margin(Margin::symmetric(12, 8));
    let shown = frame.show(ui, |ui| {
        let contents = ui.horizontal(|ui| {
            let text = RichText::new(&toast.text).color(palette.text);
            match title {
                Some(title) => drop(ui.vertical(|ui| {
                    ui.set_max_width(width);
                    ui.label(RichText::new(title).small().color(palette.error));
                    ui.label(text);
                })),
                // In line with the button.
                None => drop(ui.scope(|ui| {
                    ui.set_max_width(width);
                    ui.add(Label::new(text).selectable(false));
                })),
            }
            CLOSE.show(ui, false).clicked()
        });
        contents.inner
    });
    // A notice goes with a click anywhere on it. The text of an error can be selected.
    let is_note = toast.severity == Severity::Note;
    shown.inner || (is_note && shown.response.interact(Sense::click()).clicked())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(toasts: &Toasts) -> Vec<&str> {
        toasts.shown.iter().map(|toast| toast.text.as_str()).collect()
    }

    #[test]
    fn last_change_alone_is_said_beside_other_messages() {
        let mut toasts = Toasts::default();
        toasts.tick(0.0);
        toasts.note("saved");
        toasts.note_change("undone: method");
        toasts.error("error");
        toasts.note_change("undone: warp");
        assert_eq!(texts(&toasts), ["saved", "error", "undone: warp"]);
        toasts.end_change();
        assert_eq!(texts(&toasts), ["saved", "error"]);
    }

    #[test]
    fn errors_beyond_the_maximum_are_shown_when_there_is_room() {
        let mut toasts = Toasts::default();
        toasts.tick(0.0);
        toasts.note("note");
        (1..=6).for_each(|number| toasts.error(format!("error {number}")));
        assert_eq!(texts(&toasts), ["error 1", "error 2", "error 3", "error 4"]);
        toasts.note("another");
        toasts.error("error 6");
        toasts.tick(20.0);
        assert_eq!(texts(&toasts), ["error 5", "error 6"]);
        toasts.tick(40.0);
        assert!(texts(&toasts).is_empty());
    }
}
