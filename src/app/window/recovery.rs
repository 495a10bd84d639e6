//! Frames that panic, the recovery of the session, and the end of the window.

use std::time::Instant;

use egui::{Rect, Ui, ViewportCommand};

use super::Lerpscope;
use super::failure::{FrameFailure, SessionRescue, WindowFailure};
use super::frame_guard::Remedy;
#[cfg(unix)]
use super::termination::Termination;
use crate::app::dialogs::{BlockSweepWindow, show_recovery_offer};
use crate::app::input::key_tap::KeyTap;
use crate::app::input::pointer::PointerInput;
use crate::app::inspect::Overlays;
use crate::app::render::probe::Probe;
use crate::panics::{Panicked, caught};

impl Lerpscope {
    /// Why failing frames closed the window, in one line; `None` while it works.
    pub fn failure(&self) -> Option<String> {
        let failure = self.failure.lock().ok().and_then(|failure| failure.as_ref().map(ToString::to_string));
        failure.filter(|_| self.guard.is_closed())
    }

    /// The last panic of a frame and whether the session was saved, in one line; `None` if no frame panicked.
    pub fn last_panic(&self) -> Option<String> {
        self.last_failure.as_ref().map(ToString::to_string)
    }

    /// Closes the window on a signal, after a save of the session.
    #[cfg(unix)]
    pub(in crate::app) fn watch_signals(&self, ctx: &egui::Context) -> std::io::Result<Termination> {
        let flush = self.documents.recovery.as_ref().map(|recovery| recovery.flusher());
        Termination::watch(ctx.clone(), move || flush.iter().for_each(|flush| flush()))
    }

    /// Schedules a save of the session if the frame changed it.
    pub(super) fn note_success(&mut self) {
        // The recovery session is the user's own, not a lesson's.
        if self.guard.note_success(&self.session) && !self.session.is_of_lesson() {
            self.documents.schedule_recovery(&self.session);
        }
        if let Some(error) = self.documents.recovery.as_ref().and_then(|recovery| recovery.take_problem()) {
            let text = format!("The session is not saved for recovery: {error}");
            log::warn!("{text}");
            self.dialogs.toasts.error(text);
        }
    }

    /// Saves the session of the last good frame, reports the panic, and resets what it may have left inconsistent.
    pub(super) fn handle_panic(&mut self, ui: &Ui, panicked: Panicked) {
        let remedy = self.guard.note_failure(Instant::now());
        let session = SessionRescue::of(self.documents.recovery.as_ref().map(|recovery| recovery.flush()));
        let failure = FrameFailure { panicked, session };
        self.last_failure = Some(failure.clone());
        let is_reset = caught(|| self.reset_tools());
        match (remedy, is_reset) {
            (Remedy::ResetTools, Ok(())) => {}
            (Remedy::RestoreSession, Ok(())) if self.session.is_of_lesson() => self.close_lessons(),
            (Remedy::RestoreSession, Ok(())) => {
                if let Some(session) = self.guard.last_good() {
                    self.show_session(session);
                }
            }
            (Remedy::Close, _) | (_, Err(_)) => {
                self.guard.close();
                self.keep_failure(failure.into());
                ui.send_viewport_cmd(ViewportCommand::Close);
                return ui.request_repaint();
            }
        }
        // A second consecutive failure repeats the first.
        if remedy == Remedy::ResetTools {
            log::error!("{failure}");
        }
        self.dialogs.toasts.error(failure);
        ui.request_repaint();
    }

    /// Resets the window's state beside the session. Releases textures, which requires that the context is current.
    fn reset_tools(&mut self) {
        self.worker.end_frame();
        self.pointer_input = PointerInput::default();
        self.overlays = Overlays::default();
        self.probe = Probe::default();
        self.dialogs.block_sweep = BlockSweepWindow::default();
        self.key_tap = KeyTap::default();
        (self.pointer, self.reading) = (None, None);
        (self.session.inspect.cursor, self.session.inspect.pointed) = (None, None);
        self.picture_has_focus = false;
        self.dialogs.close();
        self.release_pictures();
    }

    /// Keeps the first failure for [`run`](crate::app::run).
    pub(super) fn keep_failure(&self, failure: WindowFailure) {
        if let Ok(mut kept) = self.failure.lock() {
            kept.get_or_insert(failure);
        }
    }

    /// Draws the offer of a recovered session and follows the user's answer.
    pub(super) fn show_offer(&mut self, ui: &Ui, within: Rect) {
        let Some(recovery) = &mut self.documents.recovery else {
            return;
        };
        let answer = recovery.offer.age().and_then(|age| show_recovery_offer(ui, within, age));
        let file = answer.and_then(|answer| recovery.offer.answer(answer));
        if let Some(file) = file {
            self.documents.loader.open_session(ui, file);
        }
    }

    /// Hides the offer. Returns false if none was shown.
    pub(super) fn postpone_offer(&mut self) -> bool {
        self.documents.recovery.as_mut().is_some_and(|recovery| recovery.offer.postpone())
    }

    /// Ends the restore of a recovered session, if one is under way.
    pub(super) fn end_restore(&mut self, is_restored: bool) {
        if !self.documents.recovery.as_ref().is_some_and(|recovery| recovery.offer.is_opening()) {
            return;
        }
        if is_restored {
            self.documents.schedule_recovery(&self.session);
        }
        if let Some(recovery) = &mut self.documents.recovery {
            recovery.end_restore(is_restored);
        }
    }

    /// Saves the session at the end of the window: for the next window if this one was asked to close, for recovery if
    /// frames failed or the display was lost.
    pub(super) fn end_session(&mut self) {
        // macOS quits an application from its menu without asking the window to close.
        let is_in_order = (self.is_closing || cfg!(target_os = "macos")) && !self.guard.is_closed();
        if is_in_order {
            self.close_lessons();
            return self.documents.keep_session(&self.session);
        }
        let saved = self.documents.recovery.take().map(|recovery| recovery.leave_behind());
        self.keep_failure(WindowFailure::DisplayLost(SessionRescue::of(saved)));
    }
}

impl Drop for Lerpscope {
    /// Releases the textures while the context is current, also after a panic outside of frames, when the window is dropped
    /// without `on_exit`.
    fn drop(&mut self) {
        if let Err(panicked) = caught(|| self.release_pictures()) {
            log::error!("the window's textures are not released: {panicked}");
        }
    }
}
