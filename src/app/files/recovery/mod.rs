//! Recovery sessions: what is shown is saved while the window runs, and is offered by a later window where this one did
//! not end in order.
//!
//! Life of a recovery session:
//! ```text
//!   a change ── 2 s ──► RECOVERY/ID.toml, beside ID.lock, which is locked for as long as the window lives
//!   the window closes in order ──► both files are removed (the session is kept by `Places::session`)
//!   anything else ends it      ──► the system releases the lock; the next window that starts claims and offers the session
//! ```
//! Each window has files of its own, so that windows open at once neither overwrite nor claim each other's sessions.

#[cfg(unix)]
mod at_exit;
mod offer;
mod slot;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use self::offer::Offer;
use self::slot::Slot;
use self::writer::Writer;
use super::session_file::SavedSession;

/// How long after a change it is saved, together with all changes in between.
const DELAY: Duration = Duration::from_secs(2);

/// The window's recovery session, and those that earlier windows left behind.
#[derive(Debug)]
pub(in crate::app) struct Recovery {
    writer: Arc<Writer>,
    /// Sessions left behind, the newest first. Their locks are held, so that no other window offers them as well.
    left_behind: Vec<Slot>,
    offer: Offer,
    /// The last reason why a session has no file form, so that it is reported once.
    refusal: Option<String>,
}

impl Recovery {
    /// Starts a recovery session in `folder`, which is made when it is needed, and claims those that are left behind there.
    pub(in crate::app) fn open(ctx: &egui::Context, folder: &Path) -> Self {
        Self::with_delay(ctx, folder, DELAY)
    }

    fn with_delay(ctx: &egui::Context, folder: &Path, delay: Duration) -> Self {
        let writer = Writer::new(ctx.clone(), folder, delay);
        #[cfg(unix)]
        at_exit::save_at_exit(&writer);
        let left_behind = slot::claim(folder);
        left_behind.iter().for_each(|slot| log::info!("a session was left behind: {}", slot.session_file().display()));
        Self { writer, left_behind, offer: Offer::Shown, refusal: None }
    }

    /// Saves `session` after the delay, on a thread of its own. A session that no file can hold is reported once.
    pub(in crate::app) fn schedule(&mut self, session: Result<SavedSession, String>) {
        match session {
            Ok(session) => {
                self.refusal = None;
                self.writer.schedule(session);
            }
            Err(why) => {
                if self.refusal.as_ref() != Some(&why) {
                    log::warn!("the session is not saved for recovery: {why}");
                    self.refusal = Some(why);
                }
            }
        }
    }

    /// Saves now what is scheduled; the file of the recovery session, `None` where there was no change yet.
    ///
    /// # Errors
    /// Where the file cannot be written, in one line.
    pub(in crate::app) fn flush(&self) -> Result<Option<PathBuf>, String> {
        self.writer.flush()
    }

    /// Saves what is scheduled, from any thread and for as long as the window exists.
    #[cfg(unix)]
    pub(in crate::app) fn flusher(&self) -> impl Fn() + Send + use<> {
        let writer = Arc::downgrade(&self.writer);
        move || {
            // A failure is reported by the window, which still has to end.
            let _ = writer.upgrade().map(|writer| writer.flush());
        }
    }

    /// The reason why the session could not be saved, once.
    pub(in crate::app) fn take_problem(&self) -> Option<String> {
        self.writer.take_problem()
    }

    /// Ends the recovery session in order: its files are removed.
    pub(in crate::app) fn remove(self) {
        self.writer.remove();
    }

    /// Ends the recovery session out of order: it is saved and stays for a later window. The file, `None` where there was
    /// no change.
    ///
    /// # Errors
    /// Where it cannot be written, in one line.
    pub(in crate::app) fn leave_behind(self) -> Result<Option<PathBuf>, String> {
        self.writer.close();
        self.writer.flush()
    }
}

impl Drop for Recovery {
    fn drop(&mut self) {
        self.writer.close();
        // A panic that no frame catches unwinds through here, and nothing after it knows the file.
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

    use super::*;
    use crate::app::session::Session;
    use crate::image;

    const SHORT: Duration = Duration::from_millis(150);

    /// A session whose focused panel looks `x` samples to the right.
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
            assert!(start.elapsed() < Duration::from_secs(20), "{what} never came");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn changes_are_saved_together_after_the_delay_and_not_before() {
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
    fn changes_that_follow_one_another_within_the_delay_are_saved_while_they_go_on() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut recovery = recovery(folder.path());
        let (start, mut x) = (Instant::now(), 0.0);
        while saved(folder.path()).is_empty() {
            assert!(start.elapsed() < Duration::from_secs(20), "each change put the session off");
            recovery.schedule(Ok(session(x)));
            x += 1.0;
            std::thread::sleep(SHORT / 10);
        }
    }

    #[test]
    fn a_session_that_is_saved_already_is_not_written_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut recovery = recovery(folder.path());
        assert_eq!(recovery.flush(), Ok(None), "nothing changed yet");
        recovery.schedule(Ok(session(1.0)));
        let file = recovery.flush().expect("it is written").expect("there is a session");
        recovery.schedule(Ok(session(1.0)));
        assert_eq!(recovery.flush(), Ok(Some(file)));
        assert_eq!(recovery.writer.writes(), 1);
        recovery.schedule(Ok(session(2.0)));
        assert!(recovery.flush().is_ok());
        assert_eq!((recovery.writer.writes(), saved(folder.path())), (2, vec![session(2.0)]));
    }

    #[test]
    fn a_window_that_is_dropped_saves_and_one_that_ends_in_order_removes_its_files() {
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
    fn windows_open_at_once_keep_apart_and_one_alone_offers_what_is_left_behind() {
        let folder = tempfile::tempdir().expect("a folder");
        let (mut first, mut second) = (recovery(folder.path()), recovery(folder.path()));
        first.schedule(Ok(session(1.0)));
        second.schedule(Ok(session(2.0)));
        let files = [&first, &second].map(|window| window.flush().expect("it is written").expect("a session"));
        assert_ne!(files[0], files[1]);
        // Both live: a third window has nothing to offer.
        assert!(recovery(folder.path()).left_behind.is_empty());
        drop(first);
        let third = recovery(folder.path());
        let fourth = recovery(folder.path());
        let offered =
            |window: &Recovery| -> Vec<PathBuf> { window.left_behind.iter().map(Slot::session_file).collect() };
        assert_eq!((offered(&third), offered(&fourth)), (vec![files[0].clone()], Vec::new()));
        // One that is not answered is offered again.
        drop(third);
        assert_eq!(offered(&recovery(folder.path())), [files[0].clone()]);
        assert!(files.iter().all(|file| file.exists()));
    }

    #[test]
    fn a_place_that_cannot_be_written_is_reported_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a file");
        std::fs::write(&file, "").expect("a file");
        let mut recovery = recovery(&file.join("recovery"));
        for x in 0..3 {
            recovery.schedule(Ok(session(f64::from(x))));
            assert!(recovery.flush().is_err());
        }
        let problem = recovery.take_problem().expect("a problem");
        assert!(problem.contains("a file") && !problem.contains('\n'), "{problem}");
        recovery.schedule(Ok(session(9.0)));
        assert!(recovery.flush().is_err());
        assert_eq!(recovery.take_problem(), None);
        // The session is kept for the next attempt.
        std::fs::remove_file(&file).expect("the file is removed");
        assert!(recovery.flush().is_ok_and(|path| path.is_some()));
        assert_eq!(saved(&file.join("recovery")), [session(9.0)]);
    }
}
