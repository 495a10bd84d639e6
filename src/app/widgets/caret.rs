//! The blinking caret of text fields.
//!
//! A blinking caret redraws the window twice per second while a text field has the focus. The caret therefore blinks
//! during input and for some seconds after it, then stays visible, as in GTK. With reduced motion it never blinks.

use egui::{Atom, Atoms, Context, TextStyle, Ui, vec2};

/// Duration of the blinking after the last input, in seconds.
const BLINKS_FOR_S: f64 = 10.0;

/// Time of the last input.
#[derive(Debug, Default)]
pub(in crate::app) struct Caret {
    last_input_s: f64,
}

impl Caret {
    /// Updates the style of the caret. Called at the start of each frame.
    pub(in crate::app) fn begin_frame(&mut self, ctx: &Context, reduced_motion: bool) {
        let (now_s, is_input) = ctx.input(|input| (input.time, !input.events.is_empty()));
        if is_input {
            self.last_input_s = now_s;
        }
        let blinks = !reduced_motion && now_s - self.last_input_s < BLINKS_FOR_S;
        if ctx.global_style().visuals.text_cursor.blink != blinks {
            ctx.all_styles_mut(|style| style.visuals.text_cursor.blink = blinks);
        }
    }
}

/// The hint of an empty text field, at a distance from the caret: a caret on the first letter reads as a part of it.
pub(in crate::app) fn hint(ui: &Ui, text: &'static str) -> Atoms<'static> {
    // The caret is at the first atom.
    let place = Atom::paint(vec2(0.0, ui.text_style_height(&TextStyle::Body)), |_, _| {});
    Atoms::new((place, text))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Time until the next frame, after frames at these times with a focused text field. The first frame has text
    /// input.
    fn next_frame(times_s: &[f64], reduced_motion: bool) -> Duration {
        let (ctx, mut caret, mut text) = (Context::default(), Caret::default(), "text".to_owned());
        let mut delay = Duration::ZERO;
        for &time_s in times_s {
            let mut input = egui::RawInput { time: Some(time_s), ..egui::RawInput::default() };
            if time_s == times_s[0] {
                input.events.push(egui::Event::Text("a".to_owned()));
            }
            let mut output = ctx.run_ui(input, |ui| {
                caret.begin_frame(ui, reduced_motion);
                ui.text_edit_singleline(&mut text).request_focus();
            });
            output.textures_delta.clear();
            delay = output.viewport_output[&egui::ViewportId::ROOT].repaint_delay;
        }
        delay
    }

    #[test]
    fn caret_blinks_after_input_and_stops_some_seconds_later() {
        let soon = next_frame(&[100.0, 100.1, 100.2, 101.0, 105.0], false);
        assert!(soon <= Duration::from_secs(1), "{soon:?}");
        let later = next_frame(&[100.0, 100.1, 100.2, 101.0, 105.0, 110.5, 110.6], false);
        assert_eq!(later, Duration::MAX);
    }

    #[test]
    fn hint_is_beside_the_caret_and_typed_text_begins_at_it() {
        let left_of = |text: &str| {
            let (ctx, mut text) = (Context::default(), text.to_owned());
            let (mut left, mut caret) = (f32::NAN, f32::NAN);
            for _ in 0..3 {
                let mut output = ctx.run_ui(egui::RawInput::default(), |ui| {
                    let hint = hint(ui, "Find");
                    ui.add(egui::TextEdit::singleline(&mut text).hint_text(hint)).request_focus();
                });
                output.textures_delta.clear();
                let caret_of = output.platform_output.ime.map(|ime| ime.cursor_rect);
                caret = caret_of.map_or(f32::NAN, |rect| rect.center().x);
                for shape in output.shapes {
                    if let egui::Shape::Text(text) = shape.shape
                        && !text.galley.text().is_empty()
                    {
                        left = text.pos.x + text.galley.mesh_bounds.left();
                    }
                }
            }
            (left, caret)
        };
        let (hint, caret) = left_of("");
        assert!((2.0..8.0).contains(&(hint - caret)), "{hint} {caret}");
        let (typed, _) = left_of("Find");
        assert!((typed - caret).abs() <= 2.0, "{typed} {caret}");
    }

    #[test]
    fn caret_never_blinks_with_reduced_motion() {
        assert_eq!(next_frame(&[100.0, 100.1, 100.2, 100.3], true), Duration::MAX);
    }
}
