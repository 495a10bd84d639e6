//! Background loader: file dialogs and decoders run on their own threads, so that no frame waits for them.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use thiserror::Error;

use super::session_file::{Restored, SessionFileError};
use crate::app::session::{ImageId, PanelId};
use crate::image::{Image, OpenError, Opened};
use crate::panics::{Panicked, caught};
use crate::volume::open_source;

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
    /// Nowhere yet: an image that was asked for later is shown already.
    List,
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
    sender: Sender<(u64, Arrival)>,
    arrivals: Receiver<(u64, Arrival)>,
    has_dialog: Arc<AtomicBool>,
    /// Number of the last request.
    last: Arc<AtomicU64>,
    /// Number of the latest request whose image or session was shown everywhere.
    shown: Cell<u64>,
}

impl Default for Loader {
    fn default() -> Self {
        let (sender, arrivals) = channel();
        Self { sender, arrivals, has_dialog: Arc::default(), last: Arc::default(), shown: Cell::new(0) }
    }
}

impl Loader {
    /// Shows the system's file dialog and opens the chosen image. Does nothing while a dialog is open.
    pub(in crate::app) fn choose_image(&self, ctx: &egui::Context) {
        if self.has_dialog.swap(true, Ordering::AcqRel) {
            return;
        }
        let (has_dialog, last) = (Arc::clone(&self.has_dialog), Arc::clone(&self.last));
        let answer = rfd::AsyncFileDialog::new().set_title("Open an image").pick_file();
        let start = Instant::now();
        self.spawn(ctx, move || {
            let file = pollster::block_on(answer);
            has_dialog.store(false, Ordering::Release);
            // The file is asked for by the answer, not by the opening of the dialog.
            let number = next(&last);
            let arrival = match file {
                Some(file) => open_image(file.path(), OpenTarget::Everywhere),
                None if start.elapsed() < MIN_DIALOG_TIME => Arrival::NoDialog,
                None => Arrival::Cancelled,
            };
            (number, arrival)
        });
    }

    /// Opens the image at `path`.
    pub(in crate::app) fn open(&self, ctx: &egui::Context, path: PathBuf, target: OpenTarget) {
        let number = next(&self.last);
        self.spawn(ctx, move || (number, open_image(&path, target)));
    }

    /// Opens the session file at `path` and its images.
    pub(in crate::app) fn open_session(&self, ctx: &egui::Context, path: PathBuf) {
        let number = next(&self.last);
        self.spawn(ctx, move || {
            let arrival = match Restored::open(&path) {
                Ok(restored) => Arrival::Session(Box::new(restored)),
                Err(error) => Arrival::Failed { error: error.into(), source: Some(path) },
            };
            (number, arrival)
        });
    }

    fn spawn(&self, ctx: &egui::Context, work: impl FnOnce() -> (u64, Arrival) + Send + 'static) {
        let (sender, ctx) = (self.sender.clone(), ctx.clone());
        std::thread::spawn(move || {
            let failed = |panicked| (0, Arrival::Failed { error: LoadError::Panicked(panicked), source: None });
            // The receiver is gone only while the window closes.
            if sender.send(caught(work).unwrap_or_else(failed)).is_ok() {
                ctx.request_repaint();
            }
        });
    }

    /// Takes the results that arrived since the last call. Files are decoded in any order; the image that was asked for last
    /// is the one that stays shown.
    pub(in crate::app) fn take_arrivals(&self) -> Vec<Arrival> {
        self.arrivals.try_iter().map(|(number, arrival)| self.in_order(number, arrival)).collect()
    }

    /// The arrival of request `number`. An image for all panels goes to the list if an image or a session that was asked for
    /// later is shown.
    fn in_order(&self, number: u64, mut arrival: Arrival) -> Arrival {
        match &mut arrival {
            Arrival::Image { target: target @ OpenTarget::Everywhere, .. } if number < self.shown.get() => {
                *target = OpenTarget::List;
            }
            Arrival::Image { target: OpenTarget::Everywhere, .. } | Arrival::Session(_) => {
                self.shown.set(self.shown.get().max(number));
            }
            Arrival::Image { .. } | Arrival::Failed { .. } | Arrival::NoDialog | Arrival::Cancelled => {}
        }
        arrival
    }
}

/// The number of a new request, from 1.
fn next(last: &AtomicU64) -> u64 {
    last.fetch_add(1, Ordering::Relaxed) + 1
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
    use crate::app::session::Session;

    #[test]
    fn image_that_was_asked_for_last_is_shown_in_whichever_order_they_arrive() {
        let image = crate::image::embedded().expect("the built-in picture").image;
        let image = Arc::new(image);
        let arrival = |target| Arrival::Image {
            image: Arc::clone(&image),
            warnings: Vec::new(),
            source: PathBuf::from("a.pgm"),
            target,
        };
        let loader = Loader::default();
        let arrive = |number, target| match loader.in_order(number, arrival(target)) {
            Arrival::Image { target, .. } => target,
            other => panic!("{other:?}"),
        };
        let everywhere = OpenTarget::Everywhere;
        assert_eq!([2, 1, 3].map(|number| arrive(number, everywhere)), [everywhere, OpenTarget::List, everywhere]);
        assert_eq!(arrive(1, OpenTarget::Reload), OpenTarget::Reload, "the file on disk changed");
        let session = Session::new(Arc::clone(&image));
        let restored = Restored { session, sources: Vec::new(), missing: Vec::new(), warnings: Vec::new(), unit: None };
        drop(loader.in_order(5, Arrival::Session(Box::new(restored))));
        assert_eq!(
            [4, 6].map(|number| arrive(number, everywhere)),
            [OpenTarget::List, everywhere],
            "a session is shown"
        );
    }

    #[test]
    fn loader_reports_a_panic_of_its_thread_as_a_failure() {
        let loader = Loader::default();
        loader.spawn(&egui::Context::default(), || panic!("not a file"));
        match loader.arrivals.recv().expect("an arrival").1 {
            Arrival::Failed { error, .. } => {
                let text = error.to_string();
                assert!(text.starts_with("A file was not opened: not a file (src/app/files/loader.rs:"), "{text}");
            }
            other => panic!("{other:?}"),
        }
    }
}
