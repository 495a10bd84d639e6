//! Background threads inside a device's driver: calls that start a device or compile its kernels cannot be interrupted.

use std::sync::atomic::{AtomicUsize, Ordering};

static THREADS: AtomicUsize = AtomicUsize::new(0);

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

/// Whether a background thread is inside a driver. A process that ends then must not run exit handlers: the driver's own
/// handler would free what the thread still uses, or wait for it.
pub fn is_driver_busy() -> bool {
    THREADS.load(Ordering::SeqCst) > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn driver_is_busy_while_a_call_lives() {
        let call = InDriver::new();
        assert!(is_driver_busy());
        drop(call);
    }
}
