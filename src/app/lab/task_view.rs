//! What a tool shows of its work until it is done: progress with a button that cancels it, or why there is no result.

use std::sync::Arc;

use egui::{Button, Label, ProgressBar, RichText, Ui, vec2};

use crate::app::render::task::{Task, TaskState};
use crate::app::widgets::theme::{CONTROL_HEIGHT, Palette};

/// Width of the bar of progress, in points.
const BAR: f32 = 220.0;

/// What the work is called.
#[derive(Clone, Copy, Debug)]
pub(super) struct TaskTexts {
    /// What is being done: `Comparing kernels`.
    pub(super) doing: &'static str,
    /// The button that starts it again after it was cancelled: `Identify`.
    pub(super) again: &'static str,
}

/// Draws the `state` of `task` unless it is done. Returns what is done.
pub(super) fn show<K: Clone + PartialEq, T: Send + 'static>(
    ui: &mut Ui,
    task: &mut Task<K, T>,
    state: TaskState<T>,
    texts: TaskTexts,
) -> Option<Arc<T>> {
    match state {
        TaskState::Running(progress, _) => {
            ui.horizontal(|ui| {
                let share = progress.map_or(0.0, |stage| stage.share as f32);
                ui.add(ProgressBar::new(share).desired_width(BAR).text(texts.doing));
                if ui.add(Button::new("Cancel").min_size(vec2(0.0, CONTROL_HEIGHT))).clicked() {
                    task.cancel();
                }
            });
            None
        }
        TaskState::Cancelled => {
            ui.horizontal(|ui| {
                ui.label("Cancelled");
                if ui.add(Button::new(texts.again).min_size(vec2(0.0, CONTROL_HEIGHT))).clicked() {
                    task.resume();
                }
            });
            None
        }
        TaskState::Failed(reason) => {
            message(ui, &reason);
            None
        }
        TaskState::Done(made) => Some(made),
    }
}

/// Draws a sentence in the place of a result.
pub(super) fn message(ui: &mut Ui, text: &str) {
    ui.add(Label::new(RichText::new(text).color(Palette::of_ui(ui).weak)).wrap());
}
