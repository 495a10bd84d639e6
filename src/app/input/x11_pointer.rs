//! Pointer devices of X11 beside winit, which passes no pinch and counts the notches of some wheels twice.
//!
//! winit 0.30 makes an event of the press and one of the release of a wheel's button, where the pointer has no scroll
//! valuators: a virtual machine's, VNC's or Xvfb's pointer.

use std::sync::{Arc, Mutex, PoisonError};

use egui::{Event, MouseWheelUnit, RawInput};
use x11rb::connection::{Connection as _, RequestConnection as _};
use x11rb::protocol::Event as X11Event;
use x11rb::protocol::xinput::{self, ConnectionExt as _, DeviceClassData, EventMask, XIEventMask};
use x11rb::rust_connection::RustConnection;

use super::pinch::{Pinch, PinchStep};

/// The first version of the X Input Extension with gestures.
const WITH_GESTURES: (u16, u16) = (2, 4);
/// All master devices.
const ALL_MASTERS: u16 = 1;
/// Mask of the events `GesturePinchBegin`, `Update` and `End`, which have the numbers 27 to 29.
const PINCHES: u32 = 0b111 << 27;

/// A connection of its own to the X server of the window.
#[derive(Debug)]
pub(in crate::app) struct X11Pointer {
    connection: Arc<RustConnection>,
    /// Events of pinches, for the next frame.
    pinched: Arc<Mutex<Vec<Event>>>,
}

impl X11Pointer {
    /// Reads the pointer devices for the window with the id `window`, which is shown by `ctx`. `None` if the server cannot be
    /// reached, or has no X Input Extension 2; the reason is logged.
    pub(super) fn open(ctx: &egui::Context, window: u32) -> Option<Self> {
        match Self::try_open(ctx, window) {
            Ok(pointer) => Some(pointer),
            Err(error) => {
                log::info!("pinches and wheels without smooth scrolling are not read: {error}");
                None
            }
        }
    }

    fn try_open(ctx: &egui::Context, window: u32) -> Result<Self, Box<dyn std::error::Error>> {
        let (connection, _) = x11rb::connect(None)?;
        connection.extension_information(xinput::X11_EXTENSION_NAME)?.ok_or("there is no X Input Extension")?;
        let version = connection.xinput_xi_query_version(WITH_GESTURES.0, WITH_GESTURES.1)?.reply()?;
        let pointer = Self { connection: Arc::new(connection), pinched: Arc::default() };
        if (version.major_version, version.minor_version) >= WITH_GESTURES {
            let mask = EventMask { deviceid: ALL_MASTERS, mask: vec![XIEventMask::from(PINCHES)] };
            pointer.connection.xinput_xi_select_events(window, &[mask])?.check()?;
            pointer.follow_pinches(ctx)?;
        }
        Ok(pointer)
    }

    /// Receives pinches on a thread, which ends with the connection.
    fn follow_pinches(&self, ctx: &egui::Context) -> std::io::Result<()> {
        let (connection, pinched, ctx) = (Arc::clone(&self.connection), Arc::clone(&self.pinched), ctx.clone());
        let follow = move || {
            let mut pinch = Pinch::default();
            while let Ok(event) = connection.wait_for_event() {
                let events = step_of(&event).map(|step| pinch.follow(step)).unwrap_or_default();
                if !events.is_empty() {
                    pinched.lock().unwrap_or_else(PoisonError::into_inner).extend(events);
                    ctx.request_repaint();
                }
            }
        };
        std::thread::Builder::new().name("pinches".to_owned()).spawn(follow).map(drop)
    }

    /// Adds the pinches since the last frame to `raw`, and makes one notch of a wheel's two events where winit sends two.
    pub(super) fn amend(&self, raw: &mut RawInput) {
        raw.events.append(&mut self.pinched.lock().unwrap_or_else(PoisonError::into_inner));
        let is_line = |event: &Event| matches!(event, Event::MouseWheel { unit: MouseWheelUnit::Line, .. });
        if raw.events.iter().any(is_line) && self.counts_twice() {
            halve_lines(&mut raw.events);
        }
    }

    /// Whether the pointer in use has no smooth scrolling. A master device has the classes of the device that moved it last.
    fn counts_twice(&self) -> bool {
        let asked = self.connection.xinput_xi_query_device(ALL_MASTERS).ok().and_then(|asked| asked.reply().ok());
        let pointer = asked.and_then(|reply| {
            reply.infos.into_iter().find(|device| device.type_ == xinput::DeviceType::MASTER_POINTER)
        });
        pointer
            .is_some_and(|device| !device.classes.iter().any(|class| matches!(class.data, DeviceClassData::Scroll(_))))
    }
}

/// Halves the lines of every wheel event.
fn halve_lines(events: &mut [Event]) {
    for event in events {
        if let Event::MouseWheel { unit: MouseWheelUnit::Line, delta, .. } = event {
            *delta *= 0.5;
        }
    }
}

/// The step of a pinch; `None` for other events.
fn step_of(event: &X11Event) -> Option<PinchStep> {
    // 16 bits before and 16 behind the binary point.
    let number = |fixed: i32| f64::from(fixed) / 65536.0;
    match event {
        X11Event::XinputGesturePinchBegin(_) => Some(PinchStep::Begin),
        X11Event::XinputGesturePinchUpdate(update) => {
            Some(PinchStep::Update { scale: number(update.scale), angle_deg: number(update.delta_angle) })
        }
        X11Event::XinputGesturePinchEnd(_) => Some(PinchStep::End),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use egui::{Modifiers, MouseWheelSource, TouchPhase, Vec2, vec2};
    use x11rb::protocol::xinput::{GesturePinchUpdateEvent, GroupInfo, ModifierInfo};

    use super::*;

    fn update(scale: i32, delta_angle: i32) -> X11Event {
        X11Event::XinputGesturePinchUpdate(GesturePinchUpdateEvent {
            response_type: 35,
            extension: 131,
            sequence: 1,
            length: 0,
            event_type: 28,
            deviceid: 2,
            time: 0,
            detail: 2,
            root: 1,
            event: 2,
            child: 0,
            root_x: 0,
            root_y: 0,
            event_x: 0,
            event_y: 0,
            delta_x: 0,
            delta_y: 0,
            delta_unaccel_x: 0,
            delta_unaccel_y: 0,
            scale,
            delta_angle,
            sourceid: 9,
            mods: ModifierInfo::default(),
            group: GroupInfo::default(),
            flags: xinput::GesturePinchEventFlags::default(),
        })
    }

    #[test]
    fn fixed_point_numbers_of_a_pinch_become_scale_and_degrees() {
        let step = step_of(&update(0x0001_8000, -0x0002_4000));
        assert_eq!(step, Some(PinchStep::Update { scale: 1.5, angle_deg: -2.25 }));
    }

    #[test]
    fn halved_lines_of_press_and_release_are_one_notch() {
        let wheel = |unit, delta: Vec2| Event::MouseWheel {
            unit,
            delta,
            phase: TouchPhase::Move,
            source: MouseWheelSource::Unknown,
            modifiers: Modifiers::NONE,
        };
        let (line, point) = (MouseWheelUnit::Line, MouseWheelUnit::Point);
        let mut events = vec![wheel(line, vec2(0.0, 1.0)), wheel(point, vec2(0.0, 8.0)), wheel(line, vec2(0.0, 1.0))];
        halve_lines(&mut events);
        let half = wheel(line, vec2(0.0, 0.5));
        assert_eq!(events, [half.clone(), wheel(point, vec2(0.0, 8.0)), half]);
    }
}
