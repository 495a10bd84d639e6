//! Background threads inside a device's driver: calls that start a device or compile its kernels cannot be interrupted.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

static THREADS: AtomicUsize = AtomicUsize::new(0);
static IS_ABANDONED: AtomicBool = AtomicBool::new(false);

/// A call into the driver by a background thread, for as long as this lives.
#[derive(Debug)]
pub(crate) struct InDriver(());

impl InDriver {
    /// Counts the call that begins now.
    pub(crate) fn new() -> Self {
        THREADS.fetch_add(1, Ordering::SeqCst);
        Self(())
    }
}

impl Drop for InDriver {
    fn drop(&mut self) {
        THREADS.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Whether a background thread is inside a driver.
pub(crate) fn is_driver_busy() -> bool {
    THREADS.load(Ordering::SeqCst) > 0
}

/// Notes that a device was leaked rather than closed, whose threads go on.
pub(super) fn note_abandoned() {
    IS_ABANDONED.store(true, Ordering::SeqCst);
}

/// Whether the process must end without running exit handlers. A background thread may be inside a driver then, and the
/// driver's own exit handler would free what the thread uses, or wait for it.
pub fn must_exit_at_once() -> bool {
    IS_ABANDONED.load(Ordering::SeqCst) || is_driver_busy()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn driver_is_busy_while_a_call_lives() {
        let call = InDriver::new();
        assert!(is_driver_busy() && must_exit_at_once());
        drop(call);
    }
}
