//! The window and the recovery of its session: frames that panic, sessions that earlier windows left behind, the end.

use std::time::Instant;

use egui::{Rect, Ui, ViewportCommand};

use super::Lerpscope;
use super::frame_guard::Remedy;
#[cfg(unix)]
use super::termination::Termination;
use crate::app::dialogs::block_sweep::Race;
use crate::app::dialogs::toast::Tone;
use crate::app::input::key_tap::SpaceBar;
use crate::app::input::pointer::Hands;
use crate::app::inspect::Instruments;
use crate::app::render::picture::Picture;
use crate::app::render::probe::Probe;
use crate::panics::{Panicked, caught};

impl Lerpscope {
    /// Why frames that kept failing closed the window, in one line; `None` while it works.
    pub fn failure(&self) -> Option<String> {
        self.problem.lock().ok().and_then(|problem| problem.clone()).filter(|_| self.guard.is_closed())
    }

    /// What the last panic that was caught in a frame said, and what became of the session, in one line; `None` where every
    /// frame succeeded.
    pub fn last_panic(&self) -> Option<&str> {
        self.last_panic.as_deref()
    }

    /// Has signals close the window, with the session saved first.
    #[cfg(unix)]
    pub(in crate::app) fn watch_signals(&self, ctx: &egui::Context) -> std::io::Result<Termination> {
        let flush = self.desk.recovery.as_ref().map(|recovery| recovery.flusher());
        Termination::watch(ctx.clone(), move || flush.iter().for_each(|flush| flush()))
    }

    /// Schedules what the frame showed to be saved where it is new.
    pub(super) fn note_success(&mut self) {
        if self.guard.note_success(&self.session) {
            self.desk.schedule_recovery(&self.session);
        }
        if let Some(problem) = self.desk.recovery.as_ref().and_then(|recovery| recovery.take_problem()) {
            let text = format!("The session is not saved for recovery: {problem}");
            log::warn!("{text}");
            self.toasts.say(Tone::Error, text);
        }
    }

    /// Saves the session of the last frame that succeeded, reports the panic, and resets what it may have left half done.
    pub(super) fn handle_panic(&mut self, ui: &Ui, panicked: &Panicked) {
        let remedy = self.guard.note_failure(Instant::now());
        let text =
            format!("a frame failed: {panicked}; {}", saved_text(self.desk.recovery.as_ref().map(|r| r.flush())));
        self.last_panic = Some(text.clone());
        let is_reset = caught(|| self.reset_tools());
        match (remedy, is_reset) {
            (Remedy::ResetTools, Ok(())) => {}
            (Remedy::RestoreSession, Ok(())) => {
                if let Some(session) = self.guard.last_good() {
                    self.show_session(session);
                }
            }
            (Remedy::Close, _) | (_, Err(_)) => {
                self.guard.close();
                self.leave_problem(text);
                ui.send_viewport_cmd(ViewportCommand::Close);
                return ui.request_repaint();
            }
        }
        // The second of two frames that fail alike has nothing new to say.
        if remedy == Remedy::ResetTools {
            log::error!("{text}");
        }
        self.toasts.say(Tone::Error, text);
        ui.request_repaint();
    }

    /// Makes anew what the window keeps beside the session. Textures are released while the window's context is current,
    /// the backend's hold on them first.
    fn reset_tools(&mut self) {
        self.later.end_frame();
        self.hands = Hands::default();
        self.instruments = Instruments::default();
        self.probe = Probe::default();
        self.race = Race::default();
        self.space_bar = SpaceBar::default();
        (self.pointer, self.reading) = (None, None);
        self.session.inspect.cursor = None;
        (self.shows_keys, self.picture_has_focus) = (false, false);
        self.desk.close_over();
        self.release_pictures();
    }

    /// Releases the textures, the backend's hold on them first; to be called while the window's context is current.
    pub(super) fn release_pictures(&mut self) {
        self.sharing.release(&mut self.backend);
        self.pictures.iter_mut().chain([&mut self.difference]).for_each(Picture::release);
        self.pictures.clear();
    }

    /// Keeps what went wrong for the one who opened the window, where nothing was before.
    fn leave_problem(&self, text: String) {
        if let Ok(mut problem) = self.problem.lock() {
            problem.get_or_insert(text);
        }
    }

    /// Draws the offer of a session that was left behind, and opens it where that is the answer.
    pub(super) fn show_offer(&mut self, ui: &Ui, within: Rect) {
        let file = self.desk.recovery.as_mut().and_then(|recovery| recovery.show_offer(ui, within));
        if let Some(file) = file {
            self.files.open_session(ui, file);
        }
    }

    /// Hides the offer; false where there was none.
    pub(super) fn postpone_offer(&mut self) -> bool {
        self.desk.recovery.as_mut().is_some_and(|recovery| recovery.postpone_offer())
    }

    /// Ends the restoring of a session that was left behind, where one is under way.
    pub(super) fn end_restore(&mut self, is_restored: bool) {
        if !self.desk.recovery.as_ref().is_some_and(|recovery| recovery.is_restoring()) {
            return;
        }
        if is_restored {
            self.desk.schedule_recovery(&self.session);
        }
        if let Some(recovery) = &mut self.desk.recovery {
            recovery.end_restore(is_restored);
        }
    }

    /// Keeps the session at the window's end: for the next window where this one was closed in order, and for recovery
    /// where frames failed or the display went away.
    pub(super) fn end_session(&mut self) {
        // macOS ends an application that is quit from its menu without asking its window to close.
        let is_in_order = (self.is_closing || cfg!(target_os = "macos")) && !self.guard.is_closed();
        if is_in_order {
            return self.desk.keep_session(&self.session);
        }
        let saved = self.desk.recovery.take().map(|recovery| recovery.leave_behind());
        self.leave_problem(format!("the connection to the display is lost; {}", saved_text(saved)));
    }
}

impl Drop for Lerpscope {
    /// A window that is dropped without its end, by a panic of what draws it, releases its textures while its context still
    /// is current, as that end does.
    fn drop(&mut self) {
        if let Err(panicked) = caught(|| self.release_pictures()) {
            log::error!("the window's textures are not released: {panicked}");
        }
    }
}

/// What became of a session that was to be saved; `None` where there is no place for it.
fn saved_text(saved: Option<Result<Option<std::path::PathBuf>, String>>) -> String {
    match saved {
        Some(Ok(Some(file))) => format!("the session is saved as {}", file.display()),
        Some(Ok(None)) => "there is no session to save yet".to_owned(),
        Some(Err(why)) => format!("the session is not saved: {why}"),
        None => "the session is not saved: there is no place for it".to_owned(),
    }
}
