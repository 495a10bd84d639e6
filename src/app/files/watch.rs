//! File watcher: reports open files that change on disk.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher as _};

/// A changed file is reported after this time without a further change: programs write in several steps.
const QUIET: Duration = Duration::from_millis(150);

/// Watches the folders of the open files. Many programs write a new file and rename it, so a watch on the file itself would
/// be lost.
#[derive(Debug)]
pub(super) struct Watch {
    watcher: RecommendedWatcher,
    events: Receiver<PathBuf>,
    folders: BTreeSet<PathBuf>,
    files: BTreeSet<PathBuf>,
    changed: BTreeMap<PathBuf, Instant>,
}

impl Watch {
    /// A watcher that repaints the window of `ctx` on a change. `None` if the system has no file notifications; the reason
    /// is logged.
    pub(super) fn new(ctx: &egui::Context) -> Option<Self> {
        let (sender, events) = channel();
        let ctx = ctx.clone();
        let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            let Ok(event) = event else { return };
            if event.kind.is_modify() || event.kind.is_create() {
                // The receiver is gone only while the window closes.
                event.paths.into_iter().for_each(|path| drop(sender.send(path)));
                ctx.request_repaint();
            }
        });
        match watcher {
            Ok(watcher) => {
                let (folders, files) = (BTreeSet::new(), BTreeSet::new());
                Some(Self { watcher, events, folders, files, changed: BTreeMap::new() })
            }
            Err(error) => {
                log::warn!("files are not watched: {error}");
                None
            }
        }
    }

    /// Sets the files to watch.
    pub(super) fn follow(&mut self, files: Vec<PathBuf>) {
        let files: BTreeSet<PathBuf> = files.into_iter().collect();
        if files == self.files {
            return;
        }
        let folders: BTreeSet<PathBuf> = files.iter().filter_map(|file| file.parent()).map(Path::to_owned).collect();
        for left in self.folders.difference(&folders) {
            // The watch of a removed folder is gone already.
            let _ = self.watcher.unwatch(left);
        }
        for new in folders.difference(&self.folders) {
            if let Err(error) = self.watcher.watch(new, RecursiveMode::NonRecursive) {
                log::warn!("{} is not watched: {error}", new.display());
            }
        }
        (self.files, self.folders) = (files, folders);
    }

    /// Files that changed and were quiet for [`QUIET`] since. Requests a repaint for those that are not quiet yet.
    pub(super) fn changed(&mut self, ctx: &egui::Context) -> Vec<PathBuf> {
        let now = Instant::now();
        for path in self.events.try_iter().filter(|path| self.files.contains(path)) {
            self.changed.insert(path, now);
        }
        let is_quiet = |at: &Instant| now.duration_since(*at) >= QUIET;
        let quiet: Vec<PathBuf> =
            self.changed.iter().filter(|(_, at)| is_quiet(at)).map(|(path, _)| path.clone()).collect();
        self.changed.retain(|path, _| !quiet.contains(path));
        if !self.changed.is_empty() {
            ctx.request_repaint_after(QUIET);
        }
        quiet
    }
}
