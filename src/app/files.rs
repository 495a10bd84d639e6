//! Files on their way in: the dialog and the decoders work on threads of their own, the window waits for neither.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use crate::image::Image;

/// What came of a file.
#[derive(Debug)]
pub(super) enum Arrival {
    /// It is open; the warnings say what its decoder had to mend.
    Opened(Arc<Image>, Vec<String>),
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
pub(super) struct Files {
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
    pub(super) fn ask(&self, ctx: &egui::Context) {
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
                Some(file) => load(file.path()),
                None if start.elapsed() < SHORTEST_DIALOG => Arrival::NoDialog,
                None => Arrival::Dismissed,
            }
        });
    }

    /// Opens `path`.
    pub(super) fn open(&self, ctx: &egui::Context, path: PathBuf) {
        self.work(ctx, move || load(&path));
    }

    fn work(&self, ctx: &egui::Context, work: impl FnOnce() -> Arrival + Send + 'static) {
        let (sender, ctx) = (self.sender.clone(), ctx.clone());
        std::thread::spawn(move || {
            // The receiver is gone only where the window is closing: then nobody waits for the file.
            if sender.send(work()).is_ok() {
                ctx.request_repaint();
            }
        });
    }

    /// What has arrived since the last call.
    pub(super) fn take(&self) -> Vec<Arrival> {
        self.arrivals.try_iter().collect()
    }
}

fn load(path: &Path) -> Arrival {
    match super::inputs::open(path) {
        Ok((image, warnings)) => Arrival::Opened(Arc::new(image), warnings),
        Err(error) => Arrival::Failed(format!("{error:#}")),
    }
}
