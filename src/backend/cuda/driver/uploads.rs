//! Host memory that copies to the device still read. A copy owns what it reads until an event behind it in the stream has
//! passed, so that nothing is borrowed, nobody waits, and no guard can be leaked.

use std::any::Any;
use std::collections::VecDeque;

use cudarc::driver::CudaEvent;

/// A place in a stream's order that the device passes.
pub(crate) trait Mark {
    /// Whether the device has passed it; `false` where that cannot be told.
    fn is_passed(&self) -> bool;
}

impl Mark for CudaEvent {
    fn is_passed(&self) -> bool {
        self.try_is_complete().unwrap_or(false)
    }
}

/// What copies read, in the order of the stream.
#[derive(Debug)]
pub(crate) struct Uploads<M: Mark> {
    under_way: VecDeque<(M, Box<dyn Any + Send>)>,
    /// Marks to be used again.
    free: Vec<M>,
}

impl<M: Mark> Default for Uploads<M> {
    fn default() -> Self {
        Self { under_way: VecDeque::new(), free: Vec::new() }
    }
}

impl<M: Mark> Uploads<M> {
    /// Frees what copies that are done have read, and gives a mark of theirs to be used again.
    pub(crate) fn reclaim(&mut self) -> Option<M> {
        while self.under_way.front().is_some_and(|(mark, _)| mark.is_passed()) {
            self.free.extend(self.under_way.pop_front().map(|(mark, _)| mark));
        }
        self.free.pop()
    }

    /// Keeps `read` until the device has passed `mark`, which stands behind the copy that reads it.
    pub(crate) fn keep(&mut self, mark: M, read: Box<dyn Any + Send>) {
        self.under_way.push_back((mark, read));
    }
}

impl<M: Mark> Drop for Uploads<M> {
    fn drop(&mut self) {
        self.reclaim();
        // Whose copy may still read it is leaked: after a wait for the stream that is nothing, unless the context is lost.
        self.under_way.drain(..).for_each(|(_, read)| std::mem::forget(read));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    /// Passed once the device has come to its number.
    struct Numbered(u32, Arc<AtomicU32>);

    impl Mark for Numbered {
        fn is_passed(&self) -> bool {
            self.1.load(Ordering::Relaxed) >= self.0
        }
    }

    fn is_freed(buffer: &std::sync::Weak<Vec<u8>>) -> bool {
        buffer.upgrade().is_none()
    }

    #[test]
    fn host_memory_of_a_copy_is_kept_until_its_mark_is_passed() {
        let device = Arc::new(AtomicU32::new(0));
        let mut uploads = Uploads::default();
        let buffers = [1, 2, 3].map(|number| {
            let buffer = Arc::new(vec![0_u8; 16]);
            let weak = Arc::downgrade(&buffer);
            uploads.keep(Numbered(number, Arc::clone(&device)), Box::new(buffer));
            weak
        });
        assert!(uploads.reclaim().is_none());
        assert_eq!(buffers.each_ref().map(is_freed), [false; 3]);
        device.store(2, Ordering::Relaxed);
        assert!(uploads.reclaim().is_some(), "a mark to be used again");
        assert_eq!(buffers.each_ref().map(is_freed), [true, true, false]);
    }

    #[test]
    fn host_memory_of_a_copy_that_never_ends_is_leaked_on_drop() {
        let device = Arc::new(AtomicU32::new(1));
        let mut uploads = Uploads::default();
        let buffers = [1, 2].map(|number| {
            let buffer = Arc::new(vec![0_u8; 16]);
            let weak = Arc::downgrade(&buffer);
            uploads.keep(Numbered(number, Arc::clone(&device)), Box::new(buffer));
            weak
        });
        drop(uploads);
        assert_eq!(buffers.each_ref().map(is_freed), [true, false]);
    }
}
