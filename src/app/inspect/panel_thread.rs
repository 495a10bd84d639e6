//! A thread that measures panels while the view moves: a newer request of a panel replaces its older one.

use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::background;
use crate::filter::{CancelToken, ExecOptions};
use crate::image::Image;
use crate::panics::{Panicked, caught};

/// How long a measurement goes on after its request was replaced: while the view moves, quick ones are shown.
const GRACE: Duration = Duration::from_millis(150);

/// What a thread does. It keeps what it needs from measurement to measurement.
pub(super) trait PanelWork: Default + Send + 'static {
    /// What is measured.
    type Key: Clone + fmt::Debug + PartialEq + Send + Sync;
    /// What is found.
    type Found: fmt::Debug + Send;

    /// Measures; `None` if the work was cancelled.
    fn measure(&mut self, image: &Image, key: &Self::Key, work: &ExecOptions) -> Option<Self::Found>;

    /// What is found where a measurement panicked.
    fn failed(panicked: &Panicked) -> Self::Found;
}

/// A measurement.
#[derive(Debug)]
pub(super) struct Measured<W: PanelWork> {
    /// What was measured.
    pub(super) key: W::Key,
    /// What was found.
    pub(super) found: W::Found,
    /// When it ended.
    pub(super) at: Instant,
}

/// A thread that measures until it is dropped.
pub(super) struct PanelThread<W: PanelWork> {
    shared: Arc<Shared<W>>,
}

impl<W: PanelWork> fmt::Debug for PanelThread<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PanelThread").field("is_idle", &self.is_idle()).finish_non_exhaustive()
    }
}

struct Shared<W: PanelWork> {
    state: Mutex<State<W>>,
    changed: Condvar,
}

struct State<W: PanelWork> {
    waiting: Vec<(W::Key, Arc<Image>)>,
    running: Option<Running<W::Key>>,
    done: Vec<Measured<W>>,
    is_closed: bool,
}

struct Running<K> {
    key: K,
    since: Instant,
    stop: CancelToken,
}

impl<W: PanelWork> Shared<W> {
    fn lock(&self) -> MutexGuard<'_, State<W>> {
        // No code that can panic runs while the state is locked.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<W: PanelWork> PanelThread<W> {
    /// Starts a thread for the window of `ctx`, which is repainted after each measurement.
    pub(super) fn new(ctx: egui::Context) -> Self {
        let state = State { waiting: Vec::new(), running: None, done: Vec::new(), is_closed: false };
        let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
        let own = Arc::clone(&shared);
        std::thread::spawn(move || run(&own, &ctx));
        Self { shared }
    }

    /// Measures these next, in this order, and nothing else. A measurement that runs and is not among them ends soon.
    pub(super) fn want(&self, mut wanted: Vec<(W::Key, Arc<Image>)>) {
        let mut state = self.shared.lock();
        if let Some(running) = &state.running {
            let count = wanted.len();
            wanted.retain(|(key, _)| *key != running.key);
            if wanted.len() == count {
                running.stop.cancel_at(running.since + GRACE);
            }
        }
        state.waiting = wanted;
        self.shared.changed.notify_all();
    }

    /// Takes what was measured since the last call.
    pub(super) fn take(&self) -> Vec<Measured<W>> {
        std::mem::take(&mut self.shared.lock().done)
    }

    /// Whether nothing waits, runs or is to be taken.
    pub(super) fn is_idle(&self) -> bool {
        let state = self.shared.lock();
        state.waiting.is_empty() && state.running.is_none() && state.done.is_empty()
    }
}

impl<W: PanelWork> Drop for PanelThread<W> {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.is_closed = true;
        if let Some(running) = &state.running {
            running.stop.cancel();
        }
        self.shared.changed.notify_all();
    }
}

fn run<W: PanelWork>(shared: &Shared<W>, ctx: &egui::Context) {
    // Its own threads, of lower priority: the window's renders do not queue behind a long measurement, and a core is left to the
    // window.
    let threads = rayon::current_num_threads().saturating_sub(1).max(1);
    background::lower_priority();
    let pool = background::pool(threads);
    let mut worker = W::default();
    let mut state = shared.lock();
    while !state.is_closed {
        if state.waiting.is_empty() {
            state = shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            continue;
        }
        let (key, image) = state.waiting.remove(0);
        let stop = CancelToken::default();
        state.running = Some(Running { key: key.clone(), since: Instant::now(), stop: stop.clone() });
        drop(state);
        let work = ExecOptions { stop, ..ExecOptions::default() };
        let mut measure = || worker.measure(&image, &key, &work);
        let found = caught(|| match &pool {
            Ok(pool) => pool.install(&mut measure),
            Err(_) => measure(),
        });
        let found = found.unwrap_or_else(|panicked| {
            log::error!("a measurement failed: {panicked}");
            worker = W::default();
            Some(W::failed(&panicked))
        });
        state = shared.lock();
        state.running = None;
        if let Some(found) = found {
            state.done.push(Measured { key, found, at: Instant::now() });
            ctx.request_repaint();
        }
    }
}
