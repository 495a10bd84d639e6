//! Background loader: file dialogs and decoders run on their own threads, so that no frame waits for them.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use thiserror::Error;

use super::session_file::{Restored, SessionFileError};
use crate::app::session::{ImageId, PanelId};
use crate::image::{Image, OpenError, Opened};
use crate::panics::{Panicked, caught};
use crate::quality::open_source;

/// Where a loaded image is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum OpenTarget {
    /// In every panel that shows the focused panel's image.
    Everywhere,
    /// In this panel only; as [`OpenTarget::Everywhere`] if the panel was closed meanwhile.
    Panel(PanelId),
    /// In the place of this image; nowhere if the session was replaced meanwhile.
    InPlace(ImageId),
    /// In the place of every image that was opened from the same file.
    Reload,
}

/// Result of a file operation.
#[derive(Debug)]
pub(in crate::app) enum Arrival {
    /// An image was opened.
    Image {
        /// The image.
        image: Arc<Image>,
        /// Warnings of its decoder.
        warnings: Vec<String>,
        /// The source it was opened from.
        source: PathBuf,
        /// Where it is shown.
        target: OpenTarget,
    },
    /// A session and its images were opened.
    Session(Box<Restored>),
    /// The operation failed.
    Failed {
        /// The reason.
        error: LoadError,
        /// The file; `None` if it is not known.
        source: Option<PathBuf>,
    },
    /// The system has no file dialog.
    NoDialog,
    /// The file dialog was cancelled.
    Cancelled,
}

/// Why a file was not opened.
#[derive(Debug, Error)]
pub(in crate::app) enum LoadError {
    /// The image cannot be opened.
    #[error(transparent)]
    Image(#[from] OpenError),
    /// The session or one of its images cannot be opened.
    #[error(transparent)]
    Session(#[from] SessionFileError),
    /// The thread panicked.
    #[error("A file was not opened: {0}")]
    Panicked(Panicked),
}

/// A dialog that closes without a file within this time was not shown.
const MIN_DIALOG_TIME: Duration = Duration::from_millis(300);

/// Opens files on background threads.
#[derive(Debug)]
pub(in crate::app) struct Loader {
    sender: Sender<Arrival>,
    arrivals: Receiver<Arrival>,
    has_dialog: Arc<AtomicBool>,
}

impl Default for Loader {
    fn default() -> Self {
        let (sender, arrivals) = channel();
        Self { sender, arrivals, has_dialog: Arc::default() }
    }
}

impl Loader {
    /// Shows the system's file dialog and opens the chosen image. Does nothing while a dialog is open.
    pub(in crate::app) fn choose_image(&self, ctx: &egui::Context) {
        if self.has_dialog.swap(true, Ordering::AcqRel) {
            return;
        }
        let has_dialog = Arc::clone(&self.has_dialog);
        let answer = rfd::AsyncFileDialog::new().set_title("Open an image").pick_file();
        let start = Instant::now();
        self.spawn(ctx, move || {
            let file = pollster::block_on(answer);
            has_dialog.store(false, Ordering::Release);
            match file {
                Some(file) => open_image(file.path(), OpenTarget::Everywhere),
                None if start.elapsed() < MIN_DIALOG_TIME => Arrival::NoDialog,
                None => Arrival::Cancelled,
            }
        });
    }

    /// Opens the image at `path`.
    pub(in crate::app) fn open(&self, ctx: &egui::Context, path: PathBuf, target: OpenTarget) {
        self.spawn(ctx, move || open_image(&path, target));
    }

    /// Opens the session file at `path` and its images.
    pub(in crate::app) fn open_session(&self, ctx: &egui::Context, path: PathBuf) {
        self.spawn(ctx, move || match Restored::open(&path) {
            Ok(restored) => Arrival::Session(Box::new(restored)),
            Err(error) => Arrival::Failed { error: error.into(), source: Some(path) },
        });
    }

    fn spawn(&self, ctx: &egui::Context, work: impl FnOnce() -> Arrival + Send + 'static) {
        let (sender, ctx) = (self.sender.clone(), ctx.clone());
        std::thread::spawn(move || {
            let failed = |panicked| Arrival::Failed { error: LoadError::Panicked(panicked), source: None };
            // The receiver is gone only while the window closes.
            if sender.send(caught(work).unwrap_or_else(failed)).is_ok() {
                ctx.request_repaint();
            }
        });
    }

    /// Takes the results that arrived since the last call.
    pub(in crate::app) fn take_arrivals(&self) -> Vec<Arrival> {
        self.arrivals.try_iter().collect()
    }
}

fn open_image(path: &Path, target: OpenTarget) -> Arrival {
    match open_source(path) {
        Ok(Opened { image, warnings, .. }) => {
            Arrival::Image { image: Arc::new(image), warnings, source: path.to_owned(), target }
        }
        Err(error) => Arrival::Failed { error: error.into(), source: Some(path.to_owned()) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loader_reports_a_panic_of_its_thread_as_a_failure() {
        let loader = Loader::default();
        loader.spawn(&egui::Context::default(), || panic!("not a file"));
        match loader.arrivals.recv().expect("an arrival") {
            Arrival::Failed { error, .. } => {
                let text = error.to_string();
                assert!(text.starts_with("A file was not opened: not a file (src/app/files/loader.rs:"), "{text}");
            }
            other => panic!("{other:?}"),
        }
    }
}
