//! The offer of a session that a window left behind: a line with buttons in a corner of the panels.

use std::path::PathBuf;
use std::time::Duration;

use egui::{Align2, Area, Button, Frame, Margin, Order, RichText, Stroke, Ui};

use super::Recovery;
use crate::app::widgets::theme::{Palette, SPACE};

/// Whether the newest session that was left behind is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Offer {
    /// It is.
    Shown,
    /// Its images are being opened.
    Opening,
    /// Not by this window any more; a later one offers it again.
    Postponed,
}

/// What is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Restore,
    Discard,
    Postpone,
}

impl Recovery {
    /// Draws the offer in the lower right corner of `within`, where there is one. Returns the file of the session that is
    /// to be restored; the caller opens it and then calls [`Recovery::end_restore`].
    pub(in crate::app) fn show_offer(&mut self, ui: &Ui, within: egui::Rect) -> Option<PathBuf> {
        let slot = self.left_behind.first().filter(|_| self.offer == Offer::Shown)?;
        let age = slot.saved_at().and_then(|saved_at| saved_at.elapsed().ok()).unwrap_or_default();
        match show(ui, within, age)? {
            Answer::Restore => {
                let file = slot.session_file();
                self.offer = Offer::Opening;
                Some(file)
            }
            Answer::Discard => {
                self.left_behind.remove(0).remove();
                None
            }
            Answer::Postpone => {
                self.offer = Offer::Postponed;
                None
            }
        }
    }

    /// Hides the offer for as long as this window lives; false where there was none.
    pub(in crate::app) fn postpone_offer(&mut self) -> bool {
        let is_offering = self.offer == Offer::Shown && !self.left_behind.is_empty();
        if is_offering {
            self.offer = Offer::Postponed;
        }
        is_offering
    }

    /// Whether the session that is being opened is one that was left behind.
    pub(in crate::app) fn is_restoring(&self) -> bool {
        self.offer == Offer::Opening
    }

    /// Ends what [`Recovery::show_offer`] began. Where the session is shown, its files are removed as soon as this window's
    /// own hold the same; where it could not be opened, it is offered again.
    pub(in crate::app) fn end_restore(&mut self, is_restored: bool) {
        if self.offer != Offer::Opening {
            return;
        }
        self.offer = if is_restored { Offer::Postponed } else { Offer::Shown };
        if is_restored && matches!(self.flush(), Ok(Some(_))) {
            self.left_behind.remove(0).remove();
        }
    }
}

/// Draws the offer of a session saved so long ago; what is answered.
fn show(ui: &Ui, within: egui::Rect, age: Duration) -> Option<Answer> {
    let palette = Palette::of_ui(ui);
    let mut answer = None;
    Area::new(egui::Id::unique("recovery"))
        .order(Order::Foreground)
        .pivot(Align2::RIGHT_BOTTOM)
        .fixed_pos(within.right_bottom() - egui::Vec2::splat(4.0 * SPACE))
        .show(ui, |ui| {
            let frame = Frame::popup(ui.style()).stroke(Stroke::new(1.0, palette.line));
            frame.inner_margin(Margin::symmetric(12, 8)).show(ui, |ui| {
                ui.set_max_width((within.width() - 16.0 * SPACE).clamp(120.0, 520.0));
                let text = format!("A window ended unexpectedly {}. Its session was saved.", age_text(age));
                ui.label(RichText::new(text).color(palette.strong));
                ui.horizontal(|ui| {
                    let buttons = [
                        (Answer::Restore, "Restore the last session", "Opens its images, panels and views"),
                        (Answer::Discard, "Discard it", "Removes the saved session"),
                        (Answer::Postpone, "Not now", "The next window offers it again  (Esc)"),
                    ];
                    for (value, title, help) in buttons {
                        if ui.add(Button::new(title)).on_hover_text(help).clicked() {
                            answer = Some(value);
                        }
                    }
                });
            });
        });
    answer
}

/// `just now`, `3 minutes ago`.
fn age_text(age: Duration) -> String {
    let minutes = age.as_secs() / 60;
    let (count, unit) = match minutes {
        0 => return "just now".to_owned(),
        1..60 => (minutes, "minute"),
        60..1440 => (minutes / 60, "hour"),
        _ => (minutes / 1440, "day"),
    };
    format!("{count} {unit}{} ago", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_is_told_in_its_largest_unit() {
        let told = |seconds| age_text(Duration::from_secs(seconds));
        assert_eq!([told(59), told(60), told(3599)], ["just now", "1 minute ago", "59 minutes ago"]);
        assert_eq!([told(3600), told(7200), told(86_400 * 3)], ["1 hour ago", "2 hours ago", "3 days ago"]);
    }
}
