//! Thread that asks for a frame when events wait in the queue of a guest connection.

use std::io::{self, PipeReader, PipeWriter, Read as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use wayland_client::Connection;

/// The thread. It ends when this is dropped.
///
/// Wayland's socket is read by all threads that announced it: one of them reads for all, and each event goes to the queue of its
/// object. The thread takes part in that, so that it wakes with each event, but dispatches nothing.
#[derive(Debug)]
pub(super) struct QueueWatch {
    /// Gets one byte for each dispatch that the thread waits for. Closed to end the thread.
    dispatched: Option<PipeWriter>,
    /// The thread waits for a dispatch.
    is_waiting: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl QueueWatch {
    /// Calls `wake` whenever events wait in the queue of `connection`. After a call the queue must be dispatched, and
    /// [`note_dispatched`](Self::note_dispatched) called.
    pub(super) fn start(connection: Connection, wake: impl Fn() + Send + 'static) -> io::Result<Self> {
        let (receiver, dispatched) = io::pipe()?;
        let is_waiting = Arc::new(AtomicBool::new(false));
        let waiting = Arc::clone(&is_waiting);
        let thread = thread::Builder::new()
            .name("pinches".to_owned())
            .spawn(move || watch(&connection, receiver, &waiting, wake))?;
        Ok(Self { dispatched: Some(dispatched), is_waiting, thread: Some(thread) })
    }

    /// Lets the thread wait for further events.
    pub(super) fn note_dispatched(&mut self) {
        if self.is_waiting.swap(false, Ordering::AcqRel)
            && let Some(dispatched) = &mut self.dispatched
            && let Err(error) = dispatched.write_all(&[0])
        {
            log::info!("pinches are no longer read: {error}");
        }
    }

    /// Whether the thread has ended.
    #[cfg(test)]
    pub(super) fn has_ended(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }
}

impl Drop for QueueWatch {
    fn drop(&mut self) {
        drop(self.dispatched.take());
        // The thread panics nowhere; its connection is dropped with it.
        let _ended = self.thread.take().map(JoinHandle::join);
    }
}

/// Returns when `dispatched` is closed or the display is lost.
fn watch(connection: &Connection, mut dispatched: PipeReader, is_waiting: &AtomicBool, wake: impl Fn()) {
    loop {
        // `None` if events wait in the queue. After the announcement no other thread reads before this one does, so that no event
        // comes into the queue unnoticed.
        let Some(announced) = connection.prepare_read() else {
            is_waiting.store(true, Ordering::Release);
            wake();
            match dispatched.read_exact(&mut [0]) {
                Ok(()) => continue,
                Err(_) => return,
            }
        };
        let socket = announced.connection_fd();
        let mut polled = [PollFd::new(&socket, PollFlags::IN), PollFd::new(&dispatched, PollFlags::IN)];
        let result = poll(&mut polled, None);
        let [of_socket, of_pipe] = [polled[0].revents(), polled[1].revents()];
        match result {
            Err(Errno::INTR) => continue,
            Err(_) => return,
            Ok(_) => {}
        }
        // An error of the socket is left to the window library, which reports it.
        if !of_pipe.is_empty() || of_socket.intersects(PollFlags::HUP | PollFlags::ERR) {
            return;
        }
        // An error is that of the socket, which the next poll reports, or says that another thread was faster.
        let _read = announced.read_without_dispatch();
    }
}
