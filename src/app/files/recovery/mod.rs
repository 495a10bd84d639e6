//! Recovery sessions: the session is saved while the window runs. If the window does not end in order, the next window
//! offers to restore it.
//!
//! Life of a recovery session:
//! ```text
//!   a change ── 2 s ──► RECOVERY/ID.toml, beside ID.lock, which is locked while the window lives
//!   the window closes in order ──► both files are removed (the session is written to `AppPaths::session`)
//!   the window ends otherwise  ──► the system releases the lock; the next window claims the session and offers it
//! ```
//! Each window has its own files, so that windows open at the same time neither overwrite nor claim each other's sessions.

#[cfg(unix)]
mod at_exit;
mod offer;
mod slot;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

pub(in crate::app) use self::offer::{Offer, OfferAnswer};
pub(in crate::app) use self::writer::RecoveryError;

use self::offer::RestoreResult;
use self::writer::Writer;
use super::session_file::SavedSession;
use super::sources::NoSourceError;

/// Delay between a change and its save. Changes within the delay are saved together.
const DELAY: Duration = Duration::from_secs(2);

/// The window's recovery session, and the offer of an earlier one.
#[derive(Debug)]
pub(in crate::app) struct Recovery {
    writer: Arc<Writer>,
    /// Sessions that earlier windows left behind.
    pub(in crate::app) offer: Offer,
    /// The last reason why the session cannot be saved, so that it is logged once.
    refusal: Option<NoSourceError>,
}

impl Recovery {
    /// Starts a recovery session in `folder` and claims the sessions that were left behind there. The folder is created with
    /// the first save.
    pub(in crate::app) fn open(ctx: &egui::Context, folder: &Path) -> Self {
        Self::with_delay(ctx, folder, DELAY)
    }

    fn with_delay(ctx: &egui::Context, folder: &Path, delay: Duration) -> Self {
        let writer = Writer::new(ctx.clone(), folder, delay);
        #[cfg(unix)]
        at_exit::save_at_exit(&writer);
        let slots = slot::claim(folder);
        for slot in &slots {
            log::info!(target: "lerpscope::recovery", "a session was left behind: {}", slot.session_file().display());
        }
        Self { writer, offer: Offer::new(slots), refusal: None }
    }

    /// Saves `session` after the delay, on a background thread. A session that no file can hold is logged once.
    pub(in crate::app) fn schedule(&mut self, session: Result<SavedSession, NoSourceError>) {
        match session {
            Ok(session) => {
                self.refusal = None;
                self.writer.schedule(session);
            }
            Err(error) => {
                if self.refusal.as_ref() != Some(&error) {
                    log::warn!("the session is not saved for recovery: {error}");
                    self.refusal = Some(error);
                }
            }
        }
    }

    /// Saves the scheduled session now. Returns the recovery file, `None` if nothing was ever scheduled.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(in crate::app) fn flush(&self) -> Result<Option<PathBuf>, Arc<RecoveryError>> {
        self.writer.flush()
    }

    /// A function that saves the scheduled session, callable from any thread while the window exists.
    #[cfg(unix)]
    pub(in crate::app) fn flusher(&self) -> impl Fn() + Send + use<> {
        let writer = Arc::downgrade(&self.writer);
        move || {
            // The window reports a failure when it ends.
            let _ = writer.upgrade().map(|writer| writer.flush());
        }
    }

    /// Takes the first error of a save. Later errors are not reported.
    pub(in crate::app) fn take_problem(&self) -> Option<Arc<RecoveryError>> {
        self.writer.take_problem()
    }

    /// Ends the restore of the offered session, if one is under way.
    pub(in crate::app) fn end_restore(&mut self, is_restored: bool) {
        if !self.offer.is_opening() {
            return;
        }
        let result = match is_restored {
            false => RestoreResult::Failed,
            true if matches!(self.flush(), Ok(Some(_))) => RestoreResult::Saved,
            true => RestoreResult::Shown,
        };
        self.offer.end_opening(result);
    }

    /// Ends the recovery session of a window that closed in order: removes its files.
    pub(in crate::app) fn remove(self) {
        self.writer.remove();
    }

    /// Ends the recovery session of a window that did not close in order: saves it for a later window. Returns its file,
    /// `None` if nothing changed.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(in crate::app) fn leave_behind(self) -> Result<Option<PathBuf>, Arc<RecoveryError>> {
        self.writer.close();
        self.writer.flush()
    }
}

impl Drop for Recovery {
    fn drop(&mut self) {
        self.writer.close();
        // A panic that no frame catches unwinds through this function; the path is not reported elsewhere.
        if std::thread::panicking()
            && let Ok(Some(file)) = self.writer.flush()
        {
            log::error!("the session is saved as {}", file.display());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::slot::Slot;
    use super::*;
    use crate::app::session::Session;
    use crate::image;

    const SHORT: Duration = Duration::from_millis(150);

    /// A session whose focused panel is translated by `x` samples.
    fn session(x: f64) -> SavedSession {
        let image = Arc::new(image::embedded().expect("the embedded image").image);
        let mut state = Session::new(image).state();
        state.panels[0].view = crate::view::View::new([x, 0.0], 1.0).expect("a view");
        SavedSession { images: vec![PathBuf::from(image::BUILT_IN)], state, unit: None }
    }

    fn recovery(folder: &Path) -> Recovery {
        Recovery::with_delay(&egui::Context::default(), folder, SHORT)
    }

    /// The sessions in `folder`.
    fn saved(folder: &Path) -> Vec<SavedSession> {
        let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
        let files = entries.map(|entry| entry.expect("an entry").path());
        let files = files.filter(|file| file.extension().is_some_and(|extension| extension == "toml"));
        let read =
            |file: PathBuf| SavedSession::parse(&std::fs::read_to_string(file).expect("text"), "s").expect("one");
        files.map(read).collect()
    }

    fn wait_for(what: &str, is_so: impl Fn() -> bool) {
        let start = Instant::now();
        while !is_so() {
            assert!(start.elapsed() < Duration::from_secs(60), "{what} never came");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn recovery_saves_changes_together_after_the_delay() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut recovery = recovery(folder.path());
        let start = Instant::now();
        for x in 0..5 {
            recovery.schedule(Ok(session(f64::from(x))));
        }
        assert!(saved(folder.path()).is_empty() || start.elapsed() >= SHORT);
        wait_for("the session", || !saved(folder.path()).is_empty());
        assert!(start.elapsed() >= SHORT);
        assert_eq!(saved(folder.path()), [session(4.0)]);
        assert_eq!(recovery.writer.writes(), 1);
    }

    #[test]
    fn recovery_saves_during_changes_that_never_pause_for_the_delay() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut recovery = recovery(folder.path());
        let (start, mut x) = (Instant::now(), 0.0);
        while saved(folder.path()).is_empty() {
            assert!(start.elapsed() < Duration::from_secs(60), "each change postponed the save");
            recovery.schedule(Ok(session(x)));
            x += 1.0;
            std::thread::sleep(SHORT / 10);
        }
    }

    #[test]
    fn recovery_does_not_write_an_unchanged_session_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut recovery = recovery(folder.path());
        assert_eq!(recovery.flush().expect("no failure"), None, "nothing changed yet");
        recovery.schedule(Ok(session(1.0)));
        let file = recovery.flush().expect("it is written").expect("there is a session");
        recovery.schedule(Ok(session(1.0)));
        assert_eq!(recovery.flush().expect("no failure"), Some(file));
        assert_eq!(recovery.writer.writes(), 1);
        recovery.schedule(Ok(session(2.0)));
        assert!(recovery.flush().is_ok());
        assert_eq!((recovery.writer.writes(), saved(folder.path())), (2, vec![session(2.0)]));
    }

    #[test]
    fn recovery_saves_when_dropped_and_removes_its_files_when_ended_in_order() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut dropped = recovery(folder.path());
        dropped.schedule(Ok(session(3.0)));
        drop(dropped);
        assert_eq!(saved(folder.path()), [session(3.0)]);

        let mut closed = recovery(folder.path());
        closed.schedule(Ok(session(4.0)));
        closed.flush().expect("it is written");
        assert_eq!(saved(folder.path()).len(), 2);
        closed.remove();
        assert_eq!(saved(folder.path()), [session(3.0)]);
        assert_eq!(std::fs::read_dir(folder.path()).expect("the folder").count(), 2, "a session and its lock");
    }

    #[test]
    fn recovery_of_windows_open_at_once_is_separate_and_one_window_offers_a_session() {
        let folder = tempfile::tempdir().expect("a folder");
        let (mut first, mut second) = (recovery(folder.path()), recovery(folder.path()));
        first.schedule(Ok(session(1.0)));
        second.schedule(Ok(session(2.0)));
        let files = [&first, &second].map(|window| window.flush().expect("it is written").expect("a session"));
        assert_ne!(files[0], files[1]);
        // Both live: a third window has nothing to offer.
        assert!(recovery(folder.path()).offer.slots().is_empty());
        drop(first);
        let third = recovery(folder.path());
        let fourth = recovery(folder.path());
        let offered =
            |window: &Recovery| -> Vec<PathBuf> { window.offer.slots().iter().map(Slot::session_file).collect() };
        assert_eq!((offered(&third), offered(&fourth)), (vec![files[0].clone()], Vec::new()));
        // A session without an answer is offered again.
        drop(third);
        assert_eq!(offered(&recovery(folder.path())), [files[0].clone()]);
        assert!(files.iter().all(|file| file.exists()));
    }

    #[test]
    fn recovery_reports_a_folder_that_cannot_be_written_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a file");
        std::fs::write(&file, "").expect("a file");
        let mut recovery = recovery(&file.join("recovery"));
        for x in 0..3 {
            recovery.schedule(Ok(session(f64::from(x))));
            assert!(recovery.flush().is_err());
        }
        let problem = recovery.take_problem().expect("a problem").to_string();
        assert!(problem.contains("a file") && !problem.contains('\n'), "{problem}");
        recovery.schedule(Ok(session(9.0)));
        assert!(recovery.flush().is_err());
        assert!(recovery.take_problem().is_none());
        // The session is kept for the next attempt.
        std::fs::remove_file(&file).expect("the file is removed");
        assert!(recovery.flush().is_ok_and(|path| path.is_some()));
        assert_eq!(saved(&file.join("recovery")), [session(9.0)]);
    }
}
