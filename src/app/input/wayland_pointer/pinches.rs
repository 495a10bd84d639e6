//! Pinches of the seats of a Wayland compositor, from the protocol's events to steps.

use egui::Event;
use wayland_backend::client::ObjectId;
use wayland_client::globals::{GlobalList, GlobalListContents};
use wayland_client::protocol::wl_pointer::WlPointer;
use wayland_client::protocol::wl_registry::{self, WlRegistry};
use wayland_client::protocol::wl_seat::{self, Capability, WlSeat};
use wayland_client::{Connection, Dispatch, Proxy as _, QueueHandle, delegate_noop};
use wayland_protocols::wp::pointer_gestures::zv1::client::zwp_pointer_gesture_pinch_v1::{
    self, ZwpPointerGesturePinchV1,
};
use wayland_protocols::wp::pointer_gestures::zv1::client::zwp_pointer_gestures_v1::ZwpPointerGesturesV1;

use crate::app::input::pinch::{Pinch, PinchStep};

/// Version of `wl_seat`, the first whose objects can all be released.
const SEAT_VERSION: u32 = 5;

/// Pinches over one surface.
#[derive(Debug)]
pub(super) struct Pinches {
    surface: ObjectId,
    manager: ZwpPointerGesturesV1,
    seats: Vec<Seat>,
    /// Events of pinches, for the next frame.
    pub(super) events: Vec<Event>,
}

#[derive(Debug)]
struct Seat {
    /// Name of the global.
    name: u32,
    seat: WlSeat,
    /// `None` while the seat has no pointer.
    trackpad: Option<Trackpad>,
}

#[derive(Debug)]
struct Trackpad {
    pointer: WlPointer,
    gesture: ZwpPointerGesturePinchV1,
    pinch: Pinch,
    /// The pinch in progress is over the surface.
    is_over_surface: bool,
}

impl Pinches {
    /// Follows the pinches of all seats over `surface`.
    pub(super) fn new(
        surface: ObjectId,
        manager: ZwpPointerGesturesV1,
        globals: &GlobalList,
        queue: &QueueHandle<Self>,
    ) -> Self {
        let mut pinches = Self { surface, manager, seats: Vec::new(), events: Vec::new() };
        for global in globals.contents().clone_list() {
            if global.interface == WlSeat::interface().name && global.version >= SEAT_VERSION {
                pinches.add_seat(globals.registry(), global.name, queue);
            }
        }
        pinches
    }

    fn add_seat(&mut self, registry: &WlRegistry, name: u32, queue: &QueueHandle<Self>) {
        let seat = registry.bind(name, SEAT_VERSION, queue, ());
        self.seats.push(Seat { name, seat, trackpad: None });
    }
}

impl Trackpad {
    fn new(seat: &WlSeat, manager: &ZwpPointerGesturesV1, queue: &QueueHandle<Pinches>) -> Self {
        let pointer = seat.get_pointer(queue, ());
        let gesture = manager.get_pinch_gesture(&pointer, queue, ());
        Self { pointer, gesture, pinch: Pinch::default(), is_over_surface: false }
    }
}

impl Drop for Trackpad {
    fn drop(&mut self) {
        self.gesture.destroy();
        self.pointer.release();
    }
}

/// Seats that come and go.
impl Dispatch<WlRegistry, GlobalListContents> for Pinches {
    fn event(
        state: &mut Self,
        registry: &WlRegistry,
        event: wl_registry::Event,
        _globals: &GlobalListContents,
        _connection: &Connection,
        queue: &QueueHandle<Self>,
    ) {
        match event {
            wl_registry::Event::Global { name, interface, version }
                if interface == WlSeat::interface().name && version >= SEAT_VERSION =>
            {
                state.add_seat(registry, name, queue);
            }
            wl_registry::Event::GlobalRemove { name } => {
                for gone in state.seats.extract_if(.., |seat| seat.name == name) {
                    drop(gone.trackpad);
                    gone.seat.release();
                }
            }
            _ => {}
        }
    }
}

impl Dispatch<WlSeat, ()> for Pinches {
    fn event(
        state: &mut Self,
        seat: &WlSeat,
        event: wl_seat::Event,
        _data: &(),
        _connection: &Connection,
        queue: &QueueHandle<Self>,
    ) {
        let wl_seat::Event::Capabilities { capabilities } = event else { return };
        let has_pointer = Capability::from_bits_truncate(capabilities.into()).contains(Capability::Pointer);
        let Some(own) = state.seats.iter_mut().find(|own| own.seat == *seat) else { return };
        match (has_pointer, &own.trackpad) {
            (true, None) => own.trackpad = Some(Trackpad::new(seat, &state.manager, queue)),
            (false, Some(_)) => own.trackpad = None,
            (true, Some(_)) | (false, None) => {}
        }
    }
}

impl Dispatch<ZwpPointerGesturePinchV1, ()> for Pinches {
    fn event(
        state: &mut Self,
        gesture: &ZwpPointerGesturePinchV1,
        event: zwp_pointer_gesture_pinch_v1::Event,
        _data: &(),
        _connection: &Connection,
        _queue: &QueueHandle<Self>,
    ) {
        let mut trackpads = state.seats.iter_mut().filter_map(|seat| seat.trackpad.as_mut());
        let Some(trackpad) = trackpads.find(|trackpad| trackpad.gesture == *gesture) else { return };
        if let zwp_pointer_gesture_pinch_v1::Event::Begin { surface, .. } = &event {
            trackpad.is_over_surface = surface.id() == state.surface;
        }
        if trackpad.is_over_surface
            && let Some(step) = step_of(&event)
        {
            state.events.extend(trackpad.pinch.follow(step));
        }
    }
}

delegate_noop!(Pinches: ZwpPointerGesturesV1);
// winit follows the pointer. This one is bound because gestures belong to a pointer.
delegate_noop!(Pinches: ignore WlPointer);

/// The step of a pinch; `None` for events of later versions of the protocol.
fn step_of(event: &zwp_pointer_gesture_pinch_v1::Event) -> Option<PinchStep> {
    use zwp_pointer_gesture_pinch_v1::Event;
    match *event {
        Event::Begin { .. } => Some(PinchStep::Begin),
        Event::Update { scale, rotation, .. } => Some(PinchStep::Update { scale, angle_deg: rotation }),
        Event::End { .. } => Some(PinchStep::End),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use zwp_pointer_gesture_pinch_v1::Event;

    use super::*;

    #[test]
    fn update_of_a_pinch_has_its_scale_and_its_rotation_in_degrees() {
        let update = Event::Update { time: 7, dx: 3.0, dy: -4.0, scale: 1.5, rotation: -2.25 };
        assert_eq!(step_of(&update), Some(PinchStep::Update { scale: 1.5, angle_deg: -2.25 }));
    }

    #[test]
    fn cancelled_pinch_ends_as_a_finished_one() {
        for cancelled in [0, 1] {
            assert_eq!(step_of(&Event::End { serial: 1, time: 7, cancelled }), Some(PinchStep::End));
        }
    }
}
