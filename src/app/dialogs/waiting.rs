//! The dialog that waits for pictures which take longer than a frame.

use std::time::Duration;

use egui::{Color32, Context, Frame, Id, Key, Modal, ProgressBar, Ui};

use super::modal;
use super::path_dialog::PathDialog;
use crate::app::widgets::theme::SPACE;
use crate::filter::StageProgress;

/// Seconds after which the dialog is seen: one that is open for a moment only flickers.
const DELAY_S: f64 = 0.3;
/// Time between two steps of the bar.
const STEP: Duration = Duration::from_millis(100);
/// Width of its contents, in points.
const WIDTH: f32 = 300.0;

/// The dialog.
#[derive(Debug)]
pub(super) struct WaitingDialog {
    title: &'static str,
    /// When it was opened, in seconds of the window's clock.
    since_s: f64,
    /// Progress of the picture that is rendered; `None` before its first stage.
    pub(super) progress: Option<StageProgress>,
    /// The dialog for a file that it took the place of.
    pub(super) behind: Option<Box<PathDialog>>,
}

impl WaitingDialog {
    pub(super) fn new(ctx: &Context, title: &'static str, behind: Option<Box<PathDialog>>) -> Self {
        Self { title, since_s: ctx.input(|input| input.time), progress: None, behind }
    }

    /// Draws the dialog once it is open for a while; before, it takes the pointer and the keyboard alone. Returns whether it was cancelled.
    pub(super) fn show(&self, ui: &Ui) -> bool {
        ui.request_repaint_after(STEP);
        let id = Id::unique("waiting dialog");
        let is_seen = ui.input(|input| input.time) >= self.since_s + DELAY_S;
        let modal = if is_seen {
            modal::modal(ui, id)
        } else {
            Modal::new(id).frame(Frame::NONE).backdrop_color(Color32::TRANSPARENT)
        };
        let is_cancelled = modal.show(ui, |ui| is_seen && self.contents(ui)).inner;
        is_cancelled || ui.input(|input| input.key_pressed(Key::Escape))
    }

    fn contents(&self, ui: &mut Ui) -> bool {
        ui.set_width(WIDTH);
        ui.heading(self.title);
        ui.add_space(3.0 * SPACE);
        let share = self.progress.map_or(0.0, |stage| stage.share as f32);
        ui.add(ProgressBar::new(share).desired_width(WIDTH).text("Rendering"));
        ui.add_space(3.0 * SPACE);
        ui.button("Cancel").on_hover_text("Ends the rendering  (Esc)").clicked()
    }
}
