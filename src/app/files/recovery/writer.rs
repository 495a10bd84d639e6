//! The thread that writes the recovery session, so that no frame waits for a disk.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::slot::Slot;
use crate::app::files::session_file::SavedSession;

/// Writes the newest session that it was given, at most once in each delay.
#[derive(Debug)]
pub(super) struct Writer {
    ctx: egui::Context,
    delay: Duration,
    queue: Mutex<Queue>,
    changed: Condvar,
    /// Locked before the queue where both are; held while a file is written, so that writes keep their order.
    file: Mutex<RecoveryFile>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// What is to be written.
#[derive(Debug, Default)]
struct Queue {
    session: Option<SavedSession>,
    /// When; `None` where there is nothing new, or where the last attempt failed and another change is waited for.
    due: Option<Instant>,
    is_closed: bool,
    problem: Option<String>,
    is_reported: bool,
}

/// Where it is written, and what was.
#[derive(Debug)]
struct RecoveryFile {
    folder: PathBuf,
    /// Made by the first write.
    slot: Option<Slot>,
    written: Option<SavedSession>,
    writes: usize,
}

/// The value; whoever panicked with it left it whole, since it is replaced in one step.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Writer {
    /// Writes into `folder`, `delay` after a change. The window of `ctx` is drawn again where that fails.
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

    /// Has `session` written after the delay. The thread starts with the first one.
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
                Err(error) => self.report(format!("no thread saves the session: {error}")),
            }
        }
        self.changed.notify_all();
    }

    /// What the thread does until the writer is closed.
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
                    // A failure is kept for the window.
                    let _ = self.flush();
                    queue = lock(&self.queue);
                }
            }
        }
    }

    /// Writes now what is to be written; the file that holds the newest session, `None` where there never was one.
    ///
    /// # Errors
    /// Where that fails, in one line. The session is tried again with the next change, and when the window ends.
    pub(super) fn flush(&self) -> Result<Option<PathBuf>, String> {
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
            Err(problem) => {
                lock(&self.queue).session.get_or_insert(session);
                self.report(problem.clone());
                Err(problem)
            }
        }
    }

    /// Keeps the first problem for the window.
    fn report(&self, problem: String) {
        let mut queue = lock(&self.queue);
        if !queue.is_reported {
            queue.is_reported = true;
            queue.problem = Some(problem);
            drop(queue);
            self.ctx.request_repaint();
        }
    }

    /// The first problem, once.
    pub(super) fn take_problem(&self) -> Option<String> {
        lock(&self.queue).problem.take()
    }

    /// Ends the thread and writes what is to be written.
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
            // One that panicked has ended too.
            let _ = thread.join();
        }
    }

    /// How many times a file was written.
    #[cfg(test)]
    pub(super) fn writes(&self) -> usize {
        lock(&self.file).writes
    }
}

impl RecoveryFile {
    /// Writes `session`, where it differs from what was written last; the file.
    fn write(&mut self, session: &SavedSession) -> Result<PathBuf, String> {
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
