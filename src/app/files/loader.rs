//! Files on their way in: the dialog and the decoders work on threads of their own, the window waits for neither.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use crate::app::dialogs::Restored;
use crate::app::session::{ImageId, PanelId};
use crate::image;
use crate::image::{Image, Opened};
use crate::panics::caught;

/// What is to become of an image that was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum Target {
    /// It is shown wherever the focused panel's image is.
    Everywhere,
    /// It is shown in this panel alone, or everywhere where that has closed by then.
    Panel(PanelId),
    /// It takes the place of this image; it is not shown where another session has taken over by then.
    InPlace(ImageId),
    /// It takes the place of what was opened from the same file before.
    Again,
}

/// What came of a file.
#[derive(Debug)]
pub(in crate::app) enum Arrival {
    /// It is open; the warnings say what its decoder had to mend.
    Opened {
        /// The image.
        image: Arc<Image>,
        /// What its decoder had to mend.
        warnings: Vec<String>,
        /// What it was opened from.
        source: PathBuf,
        /// What is to become of it.
        target: Target,
    },
    /// A session's images are open.
    Session(Box<Restored>),
    /// It is not, and why, in one line that names it.
    Failed(String),
    /// Nobody could be asked for a file.
    NoDialog,
    /// Nobody chose a file.
    Dismissed,
}

/// A dialog that answers sooner than this was never shown.
const SHORTEST_DIALOG: Duration = Duration::from_millis(300);

/// Files that are being opened.
#[derive(Debug)]
pub(in crate::app) struct Files {
    sender: Sender<Arrival>,
    arrivals: Receiver<Arrival>,
    is_asking: Arc<AtomicBool>,
}

impl Default for Files {
    fn default() -> Self {
        let (sender, arrivals) = channel();
        Self { sender, arrivals, is_asking: Arc::default() }
    }
}

impl Files {
    /// Asks for a file by the desktop's dialog; one dialog at a time.
    pub(in crate::app) fn ask(&self, ctx: &egui::Context) {
        if self.is_asking.swap(true, Ordering::AcqRel) {
            return;
        }
        let is_asking = Arc::clone(&self.is_asking);
        let answer = rfd::AsyncFileDialog::new().set_title("Open an image").pick_file();
        let start = Instant::now();
        self.work(ctx, move || {
            let file = pollster::block_on(answer);
            is_asking.store(false, Ordering::Release);
            match file {
                Some(file) => load(file.path(), Target::Everywhere),
                None if start.elapsed() < SHORTEST_DIALOG => Arrival::NoDialog,
                None => Arrival::Dismissed,
            }
        });
    }

    /// Opens `path`.
    pub(in crate::app) fn open(&self, ctx: &egui::Context, path: PathBuf, target: Target) {
        self.work(ctx, move || load(&path, target));
    }

    /// Opens the session that is saved as `path`.
    pub(in crate::app) fn open_session(&self, ctx: &egui::Context, path: PathBuf) {
        self.work(ctx, move || match Restored::open(&path) {
            Ok(restored) => Arrival::Session(Box::new(restored)),
            Err(problem) => Arrival::Failed(problem),
        });
    }

    fn work(&self, ctx: &egui::Context, work: impl FnOnce() -> Arrival + Send + 'static) {
        let (sender, ctx) = (self.sender.clone(), ctx.clone());
        std::thread::spawn(move || {
            let failed = |panicked| Arrival::Failed(format!("A file was not opened: {panicked}"));
            // The receiver is gone only where the window is closing: then nobody waits for the file.
            if sender.send(caught(work).unwrap_or_else(failed)).is_ok() {
                ctx.request_repaint();
            }
        });
    }

    /// What has arrived since the last call.
    pub(in crate::app) fn take(&self) -> Vec<Arrival> {
        self.arrivals.try_iter().collect()
    }
}

fn load(path: &Path, target: Target) -> Arrival {
    match image::open_source(path) {
        Ok(Opened { image, warnings, .. }) => {
            Arrival::Opened { image: Arc::new(image), warnings, source: path.to_owned(), target }
        }
        Err(error) => Arrival::Failed(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_panics_arrives_as_a_failure() {
        let files = Files::default();
        files.work(&egui::Context::default(), || panic!("not a file"));
        match files.arrivals.recv().expect("an arrival") {
            Arrival::Failed(why) => {
                assert!(why.starts_with("A file was not opened: not a file (src/app/files/loader.rs:"))
            }
            other => panic!("{other:?}"),
        }
    }
}
