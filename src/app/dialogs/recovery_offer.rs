//! The offer of a recovered session: a message with buttons in a corner of the panels.

use std::time::Duration;

use egui::{Align2, Area, Button, Frame, Margin, Order, Rect, RichText, Stroke, Ui};

use crate::app::files::OfferAnswer;
use crate::app::widgets::theme::{Palette, SPACE};

/// Draws the offer of a session saved `age` ago, in the lower right corner of `within`. Returns the answer.
pub(in crate::app) fn show(ui: &Ui, within: Rect, age: Duration) -> Option<OfferAnswer> {
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
                ui.label(RichText::new(text).color(palette.text));
                ui.horizontal(|ui| {
                    let buttons = [
                        (OfferAnswer::Restore, "Restore the last session", "Opens its images, panels and views"),
                        (OfferAnswer::Discard, "Discard it", "Removes the saved session"),
                        (OfferAnswer::Postpone, "Not now", "The next window offers it again  (Esc)"),
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
    fn age_text_uses_the_largest_whole_unit() {
        let text = |seconds| age_text(Duration::from_secs(seconds));
        assert_eq!([text(59), text(60), text(3599)], ["just now", "1 minute ago", "59 minutes ago"]);
        assert_eq!([text(3600), text(7200), text(86_400 * 3)], ["1 hour ago", "2 hours ago", "3 days ago"]);
    }
}
