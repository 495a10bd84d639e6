//! A compositor for tests: surfaces, seats and `zwp_pointer_gestures_v1`, without a screen.

use std::collections::VecDeque;
use std::os::fd::{OwnedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use wayland_backend::message;
use wayland_backend::protocol::{Argument, Interface, Message, same_interface};
use wayland_backend::rs::server::{Backend, ClientId, GlobalHandler, GlobalId, Handle, ObjectData, ObjectId};
use wayland_client::Proxy as _;
use wayland_client::protocol::wl_compositor::WlCompositor;
use wayland_client::protocol::wl_seat::WlSeat;
use wayland_client::protocol::wl_surface::WlSurface;
use wayland_protocols::wp::pointer_gestures::zv1::client::zwp_pointer_gesture_pinch_v1::ZwpPointerGesturePinchV1;
use wayland_protocols::wp::pointer_gestures::zv1::client::zwp_pointer_gestures_v1::ZwpPointerGesturesV1;

/// The globals of a compositor, beside surfaces and one seat with a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Served {
    /// `zwp_pointer_gestures_v1`.
    WithGestures,
    /// None.
    WithoutGestures,
}

/// What happens next.
#[derive(Clone, Copy, Debug)]
enum Order {
    /// A pinch over the surface of this index.
    Pinch { surface: usize },
    /// The seat is removed and another one comes.
    ReplaceSeat,
}

/// A compositor of one client, on a thread of its own.
#[derive(Debug)]
pub(super) struct Compositor {
    orders: Option<Sender<Order>>,
    thread: Option<JoinHandle<()>>,
}

impl Compositor {
    /// Starts the compositor. Returns it with the client's end of the socket.
    pub(super) fn start(served: Served) -> (Self, UnixStream) {
        let (own, client) = UnixStream::pair().expect("two sockets");
        let (orders, received) = channel();
        let thread = thread::spawn(move || serve(served, own, &received));
        (Self { orders: Some(orders), thread: Some(thread) }, client)
    }

    /// Two fingers over the surface of index `surface`, in the order of creation, move to 1.25 times their distance, then
    /// to twice their distance and a quarter of a turn clockwise.
    pub(super) fn pinch(&self, surface: usize) {
        self.order(Order::Pinch { surface });
    }

    /// The seat is removed and another one comes.
    pub(super) fn replace_seat(&self) {
        self.order(Order::ReplaceSeat);
    }

    /// Does `order` after those before, as soon as the client follows pinches.
    fn order(&self, order: Order) {
        self.orders.as_ref().expect("the compositor").send(order).expect("the compositor's thread");
    }
}

impl Drop for Compositor {
    fn drop(&mut self) {
        drop(self.orders.take());
        let ended = self.thread.take().map(JoinHandle::join);
        // A second panic would hide the first.
        assert!(thread::panicking() || matches!(ended, Some(Ok(()))), "the compositor's thread panicked");
    }
}

/// The objects of the client.
#[derive(Default)]
struct Objects {
    surfaces: Vec<ObjectId>,
    pinches: Vec<ObjectId>,
}

/// Global and object of every interface: a new object is listed, a destroyed one is not, other requests do nothing.
struct Listed;

impl GlobalHandler<Objects> for Listed {
    fn bind(
        self: Arc<Self>,
        handle: &Handle,
        _objects: &mut Objects,
        _client: ClientId,
        _global: GlobalId,
        object: ObjectId,
    ) -> Arc<dyn ObjectData<Objects>> {
        if is_a(&object, WlSeat::interface()) {
            // `capabilities`: a pointer.
            send(handle, message!(object, 0, [Argument::Uint(1)]));
        }
        self
    }
}

impl ObjectData<Objects> for Listed {
    fn request(
        self: Arc<Self>,
        _handle: &Handle,
        objects: &mut Objects,
        _client: ClientId,
        request: Message<ObjectId, OwnedFd>,
    ) -> Option<Arc<dyn ObjectData<Objects>>> {
        let created = request.args.into_iter().find_map(|argument| match argument {
            Argument::NewId(id) => Some(id),
            _ => None,
        })?;
        if is_a(&created, WlSurface::interface()) {
            objects.surfaces.push(created);
        } else if is_a(&created, ZwpPointerGesturePinchV1::interface()) {
            objects.pinches.push(created);
        }
        Some(self)
    }

    fn destroyed(self: Arc<Self>, _handle: &Handle, objects: &mut Objects, _client: ClientId, object: ObjectId) {
        objects.surfaces.retain(|other| *other != object);
        objects.pinches.retain(|other| *other != object);
    }
}

fn is_a(object: &ObjectId, interface: &'static Interface) -> bool {
    same_interface(object.interface(), interface)
}

fn send(handle: &Handle, event: Message<ObjectId, RawFd>) {
    handle.send_event(event).expect("an object of the client");
}

/// Serves the client at `socket` until no more orders can come.
fn serve(served: Served, socket: UnixStream, orders: &Receiver<Order>) {
    let mut backend = Backend::<Objects>::new().expect("a server");
    let handle = backend.handle();
    handle.clone().insert_client(socket, Arc::new(())).expect("a client");
    handle.create_global(WlCompositor::interface(), 1, Arc::new(Listed));
    let mut seat = handle.create_global(WlSeat::interface(), 5, Arc::new(Listed));
    if served == Served::WithGestures {
        handle.create_global(ZwpPointerGesturesV1::interface(), 1, Arc::new(Listed));
    }
    let (mut objects, mut waiting) = (Objects::default(), VecDeque::new());
    loop {
        backend.dispatch_all_clients(&mut objects).expect("requests");
        match orders.recv_timeout(Duration::from_millis(1)) {
            Ok(order) => waiting.push_back(order),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        while !objects.pinches.is_empty()
            && let Some(order) = waiting.pop_front()
        {
            match order {
                Order::Pinch { surface } => {
                    let events = objects.pinches.iter().flat_map(|pinch| events(pinch, &objects.surfaces[surface]));
                    events.for_each(|event| send(&handle, event));
                }
                Order::ReplaceSeat => {
                    handle.remove_global::<Objects>(seat);
                    seat = handle.create_global(WlSeat::interface(), 5, Arc::new(Listed));
                    // Of the old seat, which the client releases.
                    objects.pinches.clear();
                }
            }
        }
        backend.flush(None).expect("a client that reads");
    }
}

/// The events of [`Compositor::pinch`].
fn events(pinch: &ObjectId, surface: &ObjectId) -> [Message<ObjectId, RawFd>; 4] {
    let (serial, time, two) = (Argument::Uint(1), Argument::Uint(7), Argument::Uint(2));
    // 24 bits before and 8 behind the binary point.
    let fixed = |number: f64| Argument::Fixed((number * 256.0) as i32);
    let update = |scale, rotation_deg| {
        message!(pinch.clone(), 1, [time.clone(), fixed(3.0), fixed(-4.0), fixed(scale), fixed(rotation_deg)])
    };
    [
        message!(pinch.clone(), 0, [serial.clone(), time.clone(), Argument::Object(surface.clone()), two]),
        update(1.25, 0.0),
        update(2.0, 90.0),
        message!(pinch.clone(), 2, [serial, time.clone(), Argument::Int(0)]),
    ]
}
