//! Background loading: a thread loads the modules of requests before a launch needs them.
//!
//! On an H200 whose driver had compiled nothing before, the PTX of one entry takes 28 to 323 ms to load, a cubin less than
//! 1 ms. The driver compiles one module at a time, so one thread serves all.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::entry::Entry;
use super::modules::Modules;
use crate::backend::Waker;
use crate::backend::in_driver::InDriver;

/// The thread and its queue.
#[derive(Debug)]
pub(crate) struct Prewarm {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Queue {
    /// Entries that a request waits for, oldest first.
    wanted: VecDeque<String>,
    /// Entries that later requests may need.
    likely: VecDeque<String>,
    /// Called after each wanted entry.
    waker: Waker,
    is_closed: bool,
}

impl Shared {
    /// The queue. Nothing can panic while its lock is held.
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queue {
    /// The entry to load next, and whether a request waits for it.
    fn next(&mut self) -> Option<(String, bool)> {
        let wanted = self.wanted.pop_front().map(|entry| (entry, true));
        wanted.or_else(|| self.likely.pop_front().map(|entry| (entry, false)))
    }
}

impl Prewarm {
    /// Starts the thread. Without one, nothing is loaded in the background.
    pub(crate) fn start(modules: Arc<Modules>) -> Self {
        let shared = Arc::<Shared>::default();
        let queue = Arc::clone(&shared);
        let started = std::thread::Builder::new().name("kernels".to_owned()).spawn(move || load(&queue, &modules));
        if let Err(error) = started {
            log::info!("no thread loads kernels: {error}");
            shared.lock().is_closed = true;
        }
        Self { shared }
    }

    /// Sets what is called after each entry that a request waits for.
    pub(crate) fn set_waker(&self, waker: Waker) {
        self.shared.lock().waker = waker;
    }

    /// Queues `entries`, before those that are only likely to be needed; false if nothing loads them.
    pub(crate) fn want(&self, entries: &[Entry]) -> bool {
        let mut queue = self.shared.lock();
        for entry in entries {
            let name = entry.to_string();
            if !queue.wanted.contains(&name) {
                queue.wanted.push_back(name);
            }
        }
        self.shared.changed.notify_all();
        !queue.is_closed
    }

    /// Replaces the entries that are likely to be needed.
    pub(crate) fn expect(&self, entries: &[Entry]) {
        self.shared.lock().likely = entries.iter().map(ToString::to_string).collect();
        self.shared.changed.notify_all();
    }
}

impl Drop for Prewarm {
    /// Ends the thread after the module that it loads, and does not wait: the driver's compiler cannot be interrupted. The
    /// thread keeps the context alive until then.
    fn drop(&mut self) {
        self.shared.lock().is_closed = true;
        self.shared.changed.notify_all();
    }
}

/// The work of the thread.
fn load(shared: &Shared, modules: &Modules) {
    let mut queue = shared.lock();
    while !queue.is_closed {
        let Some((entry, is_wanted)) = queue.next() else {
            queue = shared.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
            continue;
        };
        let waker = queue.waker.clone();
        drop(queue);
        if !modules.is_settled(&entry) {
            let _in_driver = InDriver::new();
            // A launch tries again and reports the error.
            if let Err(error) = modules.get(&entry) {
                log::info!("{}", error.what);
            }
        }
        if is_wanted {
            waker.wake();
        }
        queue = shared.lock();
    }
}
