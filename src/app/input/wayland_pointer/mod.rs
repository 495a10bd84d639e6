//! Pinches of trackpads on Wayland, which winit 0.30 does not pass: `zwp_pointer_gestures_v1` on the window's own connection.
//!
//! ```text
//!   socket ──► libwayland ─┬─► winit's queue
//!                          └─► queue of the pinches ──► QueueWatch: repaint ──► frame: dispatch ──► Pinches ──► egui events
//! ```
//! The queue is dispatched by the thread of the window, which also destroys the window's surfaces. An event that names a surface
//! is therefore never read while that surface is destroyed.

#[cfg(test)]
mod compositor;
mod pinches;
mod queue_watch;

use std::error::Error;
use std::ffi::c_void;
use std::ptr::NonNull;

use egui::RawInput;
use wayland_backend::client::{Backend, ObjectId};
use wayland_client::globals::{BindError, registry_queue_init};
use wayland_client::protocol::wl_surface::WlSurface;
use wayland_client::{Connection, EventQueue, Proxy as _};

use self::pinches::Pinches;
use self::queue_watch::QueueWatch;

/// A guest of the connection of the window.
#[derive(Debug)]
pub(in crate::app) struct WaylandPointer {
    /// Dropped first: its thread ends before the queue.
    watch: QueueWatch,
    pinches: Pinches,
    queue: EventQueue<Pinches>,
}

impl WaylandPointer {
    /// Reads the pinches over `surface`, a `wl_surface` that is shown by `ctx`, on `display`, its `wl_display`. Waits for one
    /// answer of the compositor. `None` if that does not report pinches; another reason is logged.
    ///
    /// # Safety
    /// `display` and `surface` are valid until the result is dropped. Surfaces of the display are destroyed by this thread alone.
    #[expect(unsafe_code, reason = "only the caller knows how long the window exists")]
    pub(super) unsafe fn open(ctx: &egui::Context, display: NonNull<c_void>, surface: NonNull<c_void>) -> Option<Self> {
        // SAFETY: as required of the caller.
        match unsafe { Self::try_open(ctx, display, surface) } {
            Ok(pointer) => pointer,
            Err(error) => {
                log::info!("pinches are not read: {error}");
                None
            }
        }
    }

    #[expect(unsafe_code, reason = "only the caller knows how long the window exists")]
    unsafe fn try_open(
        ctx: &egui::Context,
        display: NonNull<c_void>,
        surface: NonNull<c_void>,
    ) -> Result<Option<Self>, Box<dyn Error>> {
        // SAFETY: the display is valid until the result is dropped. All owners of the backend end with the result: the queue,
        // and the thread of `QueueWatch`, which is joined. The objects of `Pinches` refer to the backend weakly.
        let backend = unsafe { Backend::from_foreign_display(display.as_ptr().cast()) };
        let connection = Connection::from_backend(backend);
        // SAFETY: the surface is valid until the result is dropped.
        let surface = unsafe { ObjectId::from_ptr(WlSurface::interface(), surface.as_ptr().cast()) }?;
        let (globals, queue) = registry_queue_init::<Pinches>(&connection)?;
        let manager = match globals.bind(&queue.handle(), 1..=1, ()) {
            Ok(manager) => manager,
            Err(BindError::NotPresent) => return Ok(None),
            Err(error @ BindError::UnsupportedVersion) => return Err(error.into()),
        };
        let pinches = Pinches::new(surface, manager, &globals, &queue.handle());
        connection.flush()?;
        let repainted = ctx.clone();
        let watch = QueueWatch::start(connection, move || repainted.request_repaint())?;
        Ok(Some(Self { watch, pinches, queue }))
    }

    /// Adds the pinches since the last frame to `raw`.
    pub(super) fn amend(&mut self, raw: &mut RawInput) {
        if let Ok(1..) = self.queue.dispatch_pending(&mut self.pinches) {
            // Requests for the objects of a new seat. winit reports a lost display, and flushes again where a socket is full.
            let _sent = self.queue.flush();
        }
        self.watch.note_dispatched();
        raw.events.append(&mut self.pinches.events);
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixStream;
    use std::sync::mpsc::{Receiver, channel};
    use std::time::{Duration, Instant};

    use egui::Event;
    use wayland_client::globals::GlobalListContents;
    use wayland_client::protocol::wl_compositor::WlCompositor;
    use wayland_client::protocol::wl_registry::{self, WlRegistry};
    use wayland_client::{Dispatch, QueueHandle, delegate_noop};

    use super::compositor::{Compositor, Served};
    use super::*;

    /// What winit is in the program: the owner of the connection and of two surfaces.
    struct Window {
        connection: Connection,
        queue: EventQueue<Requests>,
        surfaces: [WlSurface; 2],
    }

    struct Requests;

    impl Dispatch<WlRegistry, GlobalListContents> for Requests {
        fn event(
            _state: &mut Self,
            _registry: &WlRegistry,
            _event: wl_registry::Event,
            _globals: &GlobalListContents,
            _connection: &Connection,
            _queue: &QueueHandle<Self>,
        ) {
        }
    }

    delegate_noop!(Requests: WlCompositor);
    delegate_noop!(Requests: ignore WlSurface);

    impl Window {
        fn open(socket: UnixStream) -> Self {
            let connection = Connection::from_socket(socket).expect("libwayland-client");
            let (globals, mut queue) = registry_queue_init::<Requests>(&connection).expect("the globals");
            let compositor: WlCompositor = globals.bind(&queue.handle(), 1..=1, ()).expect("wl_compositor");
            let surfaces = [(); 2].map(|()| compositor.create_surface(&queue.handle(), ()));
            queue.roundtrip(&mut Requests).expect("an answer");
            Self { connection, queue, surfaces }
        }

        /// Reads the pinches over the first surface; `None` if the compositor reports none.
        #[expect(unsafe_code, reason = "the display of another connection")]
        fn reader(&self) -> Option<Reader> {
            let (ctx, (frames, asked)) = (egui::Context::default(), channel());
            ctx.set_request_repaint_callback(move |_| {
                // A receiver that is gone expects no more frames.
                let _sent = frames.send(());
            });
            let display = NonNull::new(self.connection.backend().display_ptr()).expect("a display");
            let surface = NonNull::new(self.surfaces[0].id().as_ptr()).expect("a surface");
            // SAFETY: the tests drop the result before the window.
            let pointer = unsafe { WaylandPointer::try_open(&ctx, display.cast(), surface.cast()) };
            pointer.expect("the globals").map(|pointer| Reader { pointer, ctx, asked })
        }
    }

    /// A reader, with the frames that it asks for.
    struct Reader {
        pointer: WaylandPointer,
        ctx: egui::Context,
        asked: Receiver<()>,
    }

    impl Reader {
        fn wait_for_request(&self) {
            self.asked.recv_timeout(Duration::from_secs(20)).expect("a frame is asked for");
        }

        /// The events of frames until there are `count`. A frame is drawn only when it was asked for.
        fn events(&mut self, count: usize) -> Vec<Event> {
            let mut events = Vec::new();
            while events.len() < count {
                self.wait_for_request();
                let mut raw = RawInput::default();
                self.pointer.amend(&mut raw);
                events.append(&mut raw.events);
                self.ctx.run_ui(raw, |_| {}).textures_delta.clear();
            }
            events
        }
    }

    /// The events of one pinch of the compositor.
    fn events_of_pinch() -> [Event; 3] {
        [Event::Zoom(1.25), Event::Zoom(1.6), Event::Rotate(std::f32::consts::FRAC_PI_2)]
    }

    #[test]
    fn pinches_over_the_window_are_read_and_those_over_other_surfaces_are_not() {
        let (compositor, socket) = Compositor::start(Served::WithGestures);
        let window = Window::open(socket);
        let mut reader = window.reader().expect("pinches");
        for surface in [1, 0, 1, 0] {
            compositor.pinch(surface);
        }
        let expected = [events_of_pinch(), events_of_pinch()].concat();
        assert_eq!(reader.events(expected.len()), expected);
    }

    #[test]
    fn pinches_of_a_seat_that_comes_later_are_read() {
        let (compositor, socket) = Compositor::start(Served::WithGestures);
        let window = Window::open(socket);
        let mut reader = window.reader().expect("pinches");
        compositor.pinch(0);
        assert_eq!(reader.events(3), events_of_pinch());
        compositor.replace_seat();
        compositor.pinch(0);
        assert_eq!(reader.events(3), events_of_pinch());
    }

    #[test]
    fn compositor_without_gestures_has_no_reader() {
        let (_compositor, socket) = Compositor::start(Served::WithoutGestures);
        assert!(Window::open(socket).reader().is_none());
    }

    #[test]
    fn connection_of_the_window_works_beside_a_reader_and_after_it() {
        for _ in 0..20 {
            let (compositor, socket) = Compositor::start(Served::WithGestures);
            let mut window = Window::open(socket);
            let mut reader = window.reader().expect("pinches");
            window.queue.roundtrip(&mut Requests).expect("an answer beside the reader");
            compositor.pinch(0);
            assert_eq!(reader.events(3), events_of_pinch());
            // The reader ends while events wait for a frame.
            compositor.pinch(0);
            reader.wait_for_request();
            drop(reader);
            window.queue.roundtrip(&mut Requests).expect("an answer after the reader");
        }
    }

    #[test]
    fn thread_of_a_lost_compositor_ends_by_itself() {
        let (compositor, socket) = Compositor::start(Served::WithGestures);
        let window = Window::open(socket);
        let reader = window.reader().expect("pinches");
        drop(compositor);
        assert!(window.connection.roundtrip().is_err());
        let start = Instant::now();
        while !reader.pointer.watch.has_ended() {
            assert!(start.elapsed() < Duration::from_secs(60), "the thread still runs");
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}
