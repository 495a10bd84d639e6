//! Background writer of the recovery session, so that no frame waits for a disk.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::slot::{Slot, SlotError};
use crate::app::files::session_file::{SavedSession, SessionFileError};

/// Why the recovery session was not saved.
#[derive(Debug, Error)]
pub(in crate::app) enum RecoveryError {
    /// The folder cannot be used.
    #[error(transparent)]
    Slot(#[from] SlotError),
    /// The session file cannot be written.
    #[error(transparent)]
    Session(#[from] SessionFileError),
    /// The background thread does not start.
    #[error("no thread saves the session: {0}")]
    Thread(#[source] io::Error),
}

/// Writes the newest scheduled session, at most once per delay.
#[derive(Debug)]
pub(super) struct Writer {
    ctx: egui::Context,
    delay: Duration,
    queue: Mutex<Queue>,
    changed: Condvar,
    /// Locked before the queue if both are locked. Held during a write, so that writes keep their order.
    file: Mutex<RecoveryFile>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// The scheduled session.
#[derive(Debug, Default)]
struct Queue {
    session: Option<SavedSession>,
    /// Time of the next write; `None` if nothing is new, or until the next change after a failure.
    due: Option<Instant>,
    is_closed: bool,
    problem: Option<Arc<RecoveryError>>,
    is_reported: bool,
}

/// The recovery file and its contents.
#[derive(Debug)]
struct RecoveryFile {
    folder: PathBuf,
    /// Created by the first write.
    slot: Option<Slot>,
    written: Option<SavedSession>,
    writes: usize,
}

/// Locks `mutex`. A panic while it was locked leaves a valid value: values are replaced in one step.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Writer {
    /// A writer into `folder`, `delay` after a change. Repaints the window of `ctx` after a failure.
    pub(super) fn new(ctx: egui::Context, folder: &Path, delay: Duration) -> Arc<Self> {
        let file = RecoveryFile { folder: folder.to_owned(), slot: None, written: None, writes: 0 };
        Arc::new(Self {
            ctx,
            delay,
            queue: Mutex::default(),
            changed: Condvar::new(),
            file: Mutex::new(file),
            thread: Mutex::default(),
        })
    }

    /// Writes `session` after the delay. The first call starts the thread.
    pub(super) fn schedule(self: &Arc<Self>, session: SavedSession) {
        let mut queue = lock(&self.queue);
        queue.session = Some(session);
        queue.due.get_or_insert_with(|| Instant::now() + self.delay);
        drop(queue);
        let mut thread = lock(&self.thread);
        if thread.is_none() {
            let writer = Arc::clone(self);
            let started = std::thread::Builder::new().name("recovery".to_owned()).spawn(move || writer.work());
            match started {
                Ok(started) => *thread = Some(started),
                Err(error) => self.report(Arc::new(RecoveryError::Thread(error))),
            }
        }
        self.changed.notify_all();
    }

    /// Main loop of the thread; returns when the writer is closed.
    fn work(&self) {
        let mut queue = lock(&self.queue);
        loop {
            let now = Instant::now();
            match queue.due {
                _ if queue.is_closed => return,
                None => queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner),
                Some(due) if due > now => {
                    let waited = self.changed.wait_timeout(queue, due - now);
                    queue = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
                Some(_) => {
                    drop(queue);
                    // The window takes a failure by `take_problem`.
                    let _ = self.flush();
                    queue = lock(&self.queue);
                }
            }
        }
    }

    /// Writes the scheduled session now. Returns the recovery file, `None` if nothing was ever scheduled.
    ///
    /// # Errors
    /// If the file cannot be written. The write is repeated with the next change, and when the window ends.
    pub(super) fn flush(&self) -> Result<Option<PathBuf>, Arc<RecoveryError>> {
        let mut file = lock(&self.file);
        let mut queue = lock(&self.queue);
        queue.due = None;
        let session = queue.session.take();
        drop(queue);
        let Some(session) = session else {
            return Ok(file.written.is_some().then(|| file.slot.as_ref().map(Slot::session_file)).flatten());
        };
        match file.write(&session) {
            Ok(path) => Ok(Some(path)),
            Err(error) => {
                let error = Arc::new(error);
                lock(&self.queue).session.get_or_insert(session);
                self.report(Arc::clone(&error));
                Err(error)
            }
        }
    }

    /// Keeps the first error for the window.
    fn report(&self, problem: Arc<RecoveryError>) {
        let mut queue = lock(&self.queue);
        if !queue.is_reported {
            queue.is_reported = true;
            queue.problem = Some(problem);
            drop(queue);
            self.ctx.request_repaint();
        }
    }

    /// Takes the first error.
    pub(super) fn take_problem(&self) -> Option<Arc<RecoveryError>> {
        lock(&self.queue).problem.take()
    }

    /// Ends the thread and writes the scheduled session.
    pub(super) fn close(&self) {
        self.end_thread();
        if let Err(problem) = self.flush() {
            log::warn!("the session is not saved: {problem}");
        }
    }

    /// Ends the thread and removes the files.
    pub(super) fn remove(&self) {
        self.end_thread();
        let mut file = lock(&self.file);
        lock(&self.queue).session = None;
        file.written = None;
        if let Some(slot) = file.slot.take() {
            slot.remove();
        }
    }

    fn end_thread(&self) {
        lock(&self.queue).is_closed = true;
        self.changed.notify_all();
        if let Some(thread) = lock(&self.thread).take() {
            // A thread that panicked has ended as well.
            let _ = thread.join();
        }
    }

    /// Number of writes.
    #[cfg(test)]
    pub(super) fn writes(&self) -> usize {
        lock(&self.file).writes
    }
}

impl RecoveryFile {
    /// Writes `session` if it differs from the last one. Returns the file.
    fn write(&mut self, session: &SavedSession) -> Result<PathBuf, RecoveryError> {
        let slot = match &mut self.slot {
            Some(slot) => slot,
            none => none.insert(Slot::create(&self.folder)?),
        };
        let path = slot.session_file();
        if self.written.as_ref() != Some(session) {
            session.save(&path)?;
            self.written = Some(session.clone());
            self.writes += 1;
        }
        Ok(path)
    }
}
