//! Pointer, wheel and touch over pictures: from events to gestures to views.
//!
//! A drag keeps the view and the position of its press. Every frame derives the view from these, so that no error
//! accumulates and the grabbed sample stays under the pointer. A zoom is about the cursor.

use egui::{Event, InputState, Modifiers, MouseWheelSource, MouseWheelUnit, PointerButton, Pos2, Vec2};

use super::fling::Fling;
use super::turn::Turn;
use crate::app::session::history::{Change, Framing};
use crate::app::session::preferences::{Preferences, WheelDevice};
use crate::app::session::{PanelId, Session};
use crate::app::widgets::pixel_rect::PixelRect;
use crate::view::View;

/// Zoom factor of one wheel notch.
pub(in crate::app) const ZOOM_PER_NOTCH: f64 = 1.2;
/// Maximum time between wheel events of one burst, in seconds.
const BURST_S: f64 = 0.25;
/// Minimum scroll of a wheel that reports points, in points. Trackpads start with less.
const NOTCH_POINTS: f32 = 24.0;
/// Pan of one notch sideways, in points.
const PAN_PER_NOTCH: f64 = 60.0;
/// Scroll of a trackpad with Ctrl that zooms by a factor of e, in points.
const POINTS_PER_E: f64 = 200.0;

/// A gesture over a picture, in output pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::app) enum Gesture {
    /// A drag.
    Drag {
        /// The new view, derived from the view at the press.
        to: View,
    },
    /// A pan.
    Pan {
        /// Movement of the picture, to the right and down.
        by_px: [f64; 2],
    },
    /// A zoom.
    Zoom {
        /// Fixed position.
        about: [f64; 2],
        /// Zoom factor; above 1 zooms in.
        factor: f64,
    },
    /// A move of the plane of a volume along its normal; a zoom of any other image.
    Slice {
        /// Fixed position of the zoom.
        about: [f64; 2],
        /// Slices forwards, notches of the zoom.
        by: f64,
    },
    /// A move in time of a volume that changes; a pan of any other image.
    Time {
        /// Times forwards.
        by: f64,
        /// Movement of the picture, to the right.
        by_px: f64,
    },
    /// A rotation.
    Rotate {
        /// Fixed position.
        about: [f64; 2],
        /// The new angle in degrees, counter-clockwise.
        to_deg: f64,
    },
    /// A switch between the whole image and 100 %.
    Toggle {
        /// Fixed position of the zoom to 100 %.
        about: [f64; 2],
    },
}

impl Gesture {
    /// Whether the gesture zooms in. A step between slices counts: it is a zoom of an image that is not a volume.
    pub(in crate::app) fn zooms_in(self) -> bool {
        match self {
            Self::Zoom { factor, .. } => factor > 1.0,
            Self::Slice { by, .. } => by > 0.0,
            Self::Drag { .. } | Self::Pan { .. } | Self::Time { .. } | Self::Rotate { .. } | Self::Toggle { .. } => {
                false
            }
        }
    }

    /// Applies the gesture to panel `index`.
    pub(in crate::app) fn apply(self, session: &mut Session, index: usize, preferences: &Preferences) {
        // Gestures start from the shown view, also during an animation.
        let view = session.shown_view_of(index);
        let framing = session.panels()[index].framing();
        match self {
            Self::Drag { to } => {
                let by = |axis: usize| to.translation()[axis] - view.translation()[axis];
                let moved_px = [0, 1].map(|axis| by(axis) / view.scales()[axis]);
                let whole = moved_px.iter().all(|px| (px - px.round()).abs() < 1e-6);
                let stays = whole && framing == Framing::Snapped && !session.is_animating();
                session.go_in(index, to, if stays || to == view { framing } else { Framing::Free }, Change::Pan);
            }
            Self::Pan { by_px } => session.pan_in(index, by_px),
            Self::Zoom { about, factor } => {
                let to = view.zoomed_about(about, view.scale() / factor, session.output());
                if to != view {
                    session.go_in(index, to, Framing::Free, Change::Zoom);
                }
            }
            Self::Slice { by, .. } if session.volume_of(index).is_some() => session.step_slice(index, by),
            Self::Slice { about, by } => {
                Self::Zoom { about, factor: ZOOM_PER_NOTCH.powf(by) }.apply(session, index, preferences);
            }
            Self::Time { by, .. } if session.has_times(index) => session.step_time(index, by),
            Self::Time { by_px, .. } => session.pan_in(index, [by_px, 0.0]),
            Self::Rotate { about, to_deg } => {
                let to = view.rotated_about(about, to_deg, session.output());
                if to != view {
                    session.go_in(index, to, Framing::Free, Change::Zoom);
                }
            }
            Self::Toggle { .. } if framing != Framing::Fit => {
                session.animate(preferences, |session| session.fit_in(index));
            }
            Self::Toggle { about } => {
                let to = session.snapped(index, view.zoomed_about(about, 1.0, session.output()));
                session.animate(preferences, |session| session.go_in(index, to, Framing::Snapped, Change::Jump));
            }
        }
    }
}

/// Source of wheel events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ScrollSource {
    Wheel,
    Trackpad,
}

#[derive(Clone, Copy, Debug)]
struct PanDrag {
    panel: PanelId,
    start: View,
    start_pos: Pos2,
    last: View,
    last_pos: Pos2,
}

/// A picture under the pointer.
#[derive(Clone, Copy, Debug)]
pub(in crate::app) struct PointerTarget {
    /// Its panel.
    pub(in crate::app) panel: PanelId,
    /// Its rectangle.
    pub rect: PixelRect,
    /// Whether the pointer is over it and nothing covers it.
    pub hovered: bool,
    /// Whether a button was pressed on it and is held.
    pub held: bool,
    /// Whether it was double-clicked.
    pub double_clicked: bool,
    /// Whether the drag belongs to an inspection tool, so that it does not pan.
    pub taken: bool,
}

/// Pointer input across frames.
#[derive(Debug, Default)]
pub(in crate::app) struct PointerInput {
    drag: Option<PanDrag>,
    burst: Option<(ScrollSource, f64)>,
    turn: Turn,
    /// Fling of a finger.
    pub(in crate::app) fling: Fling,
    /// The panel that is focused in the next frame.
    pub(in crate::app) focus_next: Option<PanelId>,
}

impl PointerInput {
    /// Whether a drag is in progress.
    pub(in crate::app) fn is_dragging(&self) -> bool {
        self.drag.is_some()
    }

    /// The gestures of this frame over one picture.
    pub(in crate::app) fn read(
        &mut self,
        input: &InputState,
        target: &PointerTarget,
        view: View,
        preferences: &Preferences,
    ) -> Vec<Gesture> {
        if let Some(touch) = input.multi_touch() {
            return self.read_touch(input, (target, view), touch);
        }
        let mut gestures = Vec::new();
        // A button may be released in the frame of the last move, which still counts.
        if target.held || self.drag.is_some_and(|drag| drag.panel == target.panel) {
            let to = self.read_drag(input, target.panel, view);
            gestures.extend(to.map(|to| Gesture::Drag { to }));
            if let Some(drag) = &mut self.drag {
                drag.last = to.unwrap_or(view);
            }
        } else if target.hovered && !target.taken {
            gestures.extend(drag_within_frame(input, target, view).map(|to| Gesture::Drag { to }));
        }
        if target.double_clicked
            && let Some(pos) = input.pointer.interact_pos()
        {
            gestures.push(Gesture::Toggle { about: target.pixel_at(input, pos) });
        }
        if target.hovered {
            gestures.extend(self.read_wheel(input, target, preferences.wheel));
            gestures.extend(self.read_turn(input, target, view));
        }
        gestures
    }

    /// Ends the drag. Called in every frame in which no picture is held.
    pub(in crate::app) fn release(&mut self) {
        self.drag = None;
    }

    /// Two fingers: the samples under them follow.
    fn read_touch(
        &mut self,
        input: &InputState,
        (target, view): (&PointerTarget, View),
        touch: egui::MultiTouchInfo,
    ) -> Vec<Gesture> {
        if target.held {
            self.drag = None;
        }
        if !target.rect.in_points(input.pixels_per_point).contains(touch.center_pos) {
            return Vec::new();
        }
        let by_px = scaled(touch.translation_delta, f64::from(input.pixels_per_point));
        let about = target.output_from_points(input, touch.center_pos);
        let mut gestures = Vec::new();
        if by_px != [0.0; 2] {
            gestures.push(Gesture::Pan { by_px });
        }
        if touch.zoom_delta != 1.0 && touch.zoom_delta.is_finite() && touch.zoom_delta > 0.0 {
            gestures.push(Gesture::Zoom { about, factor: f64::from(touch.zoom_delta) });
        }
        if touch.rotation_delta.is_finite() {
            // Clockwise in egui. Resting fingers continue the gesture.
            let by_deg = -f64::from(touch.rotation_delta).to_degrees();
            let to_deg = self.turn.follow(by_deg, view.angle_deg(), input.time);
            gestures.extend(to_deg.map(|to_deg| Gesture::Rotate { about, to_deg }));
        }
        gestures
    }

    /// The view that the drag leads to.
    fn read_drag(&mut self, input: &InputState, panel: PanelId, view: View) -> Option<View> {
        let pointer = &input.pointer;
        let pos = pointer.interact_pos()?;
        let begin = |start_pos| PanDrag { panel, start: view, start_pos, last: view, last_pos: start_pos };
        let mut drag = self.drag.take_if(|drag| drag.panel == panel).unwrap_or_else(|| {
            let pressed = pointer.any_pressed();
            begin(if pressed { pointer.press_origin().unwrap_or(pos) } else { pos })
        });
        if drag.last != view {
            // Something else moved the view, such as the wheel or a key: the drag continues from there.
            drag = begin(drag.last_pos);
        }
        drag.last_pos = pos;
        let is_held = [PointerButton::Primary, PointerButton::Middle].iter().any(|&button| pointer.button_down(button));
        let ends = pointer.any_released();
        self.drag = is_held.then_some(drag);
        let moved = scaled(pos - drag.start_pos, f64::from(input.pixels_per_point));
        let to = drag.start.panned(moved);
        ((is_held || ends) && to != view).then_some(to)
    }

    /// The rotation by two fingers on a trackpad.
    fn read_turn(&mut self, input: &InputState, target: &PointerTarget, view: View) -> Option<Gesture> {
        let pos = input.pointer.latest_pos()?;
        let clockwise = |event: &Event| match event {
            Event::Rotate(radians) if radians.is_finite() => f64::from(*radians).to_degrees(),
            _ => 0.0,
        };
        let by_deg = -input.events.iter().map(clockwise).sum::<f64>();
        if by_deg == 0.0 {
            return None;
        }
        let to_deg = self.turn.follow(by_deg, view.angle_deg(), input.time)?;
        Some(Gesture::Rotate { about: target.pixel_at(input, pos), to_deg })
    }

    fn read_wheel(&mut self, input: &InputState, target: &PointerTarget, wheel: WheelDevice) -> Vec<Gesture> {
        let Some(pos) = input.pointer.latest_pos() else {
            return Vec::new();
        };
        let about = target.pixel_at(input, pos);
        let mut gestures = Vec::new();
        for event in &input.events {
            match *event {
                Event::Zoom(factor) if factor > 0.0 && factor.is_finite() => {
                    gestures.push(Gesture::Zoom { about, factor: f64::from(factor) });
                }
                Event::MouseWheel { unit, delta, source, modifiers, .. } if delta != Vec2::ZERO => {
                    let device = match wheel {
                        WheelDevice::Auto => self.device(unit, delta, source, input.time),
                        WheelDevice::Mouse => ScrollSource::Wheel,
                        WheelDevice::Trackpad => ScrollSource::Trackpad,
                    };
                    gestures.extend(turn(
                        ScrollEvent { device, unit, delta, modifiers },
                        about,
                        input.pixels_per_point,
                    ));
                }
                _ => {}
            }
        }
        gestures
    }

    /// The source of a wheel event, detected once per burst.
    fn device(&mut self, unit: MouseWheelUnit, delta: Vec2, source: MouseWheelSource, now_s: f64) -> ScrollSource {
        let going_on = self.burst.filter(|(_, at)| now_s - at < BURST_S).map(|(device, _)| device);
        let device = going_on.unwrap_or_else(|| guess_source(unit, delta, source));
        self.burst = Some((device, now_s));
        device
    }
}

impl PointerTarget {
    fn output_from_points(&self, input: &InputState, pos: Pos2) -> [f64; 2] {
        self.rect.output_from_points(pos, input.pixels_per_point)
    }

    /// Output position of the centre of the pixel that contains `pos`: the value that is read there stays while the wheel turns.
    fn pixel_at(&self, input: &InputState, pos: Pos2) -> [f64; 2] {
        self.rect.pixel_from_points(pos, input.pixels_per_point)
    }
}

/// The view after a drag that starts and ends within one slow frame. egui's pointer state has neither its press nor its
/// motion. The drag belongs to the button that started it.
fn drag_within_frame(input: &InputState, target: &PointerTarget, view: View) -> Option<View> {
    let picture = target.rect.in_points(input.pixels_per_point);
    let mut start = None;
    let mut moved = Vec2::ZERO;
    for event in &input.events {
        if let Event::PointerButton {
            pos,
            button: button @ (PointerButton::Primary | PointerButton::Middle),
            pressed,
            ..
        } = *event
        {
            match start {
                None if pressed && picture.contains(pos) => start = Some((button, pos)),
                Some((held, from)) if held == button && !pressed => {
                    moved += pos - from;
                    start = None;
                }
                _ => {}
            }
        }
    }
    let to = view.panned(scaled(moved, f64::from(input.pixels_per_point)));
    (to != view).then_some(to)
}

fn scaled(points: Vec2, by: f64) -> [f64; 2] {
    [f64::from(points.x) * by, f64::from(points.y) * by]
}

fn guess_source(unit: MouseWheelUnit, delta: Vec2, source: MouseWheelSource) -> ScrollSource {
    match (source, unit) {
        (MouseWheelSource::Wheel, _) => ScrollSource::Wheel,
        (MouseWheelSource::Trackpad | MouseWheelSource::Momentum, _) => ScrollSource::Trackpad,
        (_, MouseWheelUnit::Line | MouseWheelUnit::Page) => ScrollSource::Wheel,
        (_, MouseWheelUnit::Point) => {
            let both_axes = delta.x != 0.0 && delta.y != 0.0;
            let small = delta.length() < NOTCH_POINTS;
            if both_axes || small { ScrollSource::Trackpad } else { ScrollSource::Wheel }
        }
    }
}

/// A wheel event with its source.
#[derive(Clone, Copy, Debug)]
struct ScrollEvent {
    device: ScrollSource,
    unit: MouseWheelUnit,
    delta: Vec2,
    modifiers: Modifiers,
}

fn turn(turn: ScrollEvent, about: [f64; 2], pixels_per_point: f32) -> Option<Gesture> {
    let ScrollEvent { device, unit, delta, modifiers } = turn;
    let ppp = f64::from(pixels_per_point);
    let notches = match unit {
        MouseWheelUnit::Point => scaled(delta, 1.0 / 40.0),
        MouseWheelUnit::Line | MouseWheelUnit::Page => scaled(delta, 1.0),
    };
    let zooms = modifiers.command || modifiers.ctrl;
    match device {
        _ if modifiers.alt && !zooms && !modifiers.shift && notches[1] != 0.0 => {
            Some(Gesture::Slice { about, by: notches[1] })
        }
        // Some systems turn the wheel sideways while Shift is held.
        _ if modifiers.alt && !zooms && modifiers.shift && notches != [0.0; 2] => {
            let by = notches[0] + notches[1];
            Some(Gesture::Time { by, by_px: (by * PAN_PER_NOTCH * ppp).round() })
        }
        ScrollSource::Trackpad if zooms => {
            let factor = (f64::from(delta.y) / POINTS_PER_E).exp();
            Some(Gesture::Zoom { about, factor })
        }
        ScrollSource::Trackpad => {
            let by_px = if unit == MouseWheelUnit::Point {
                scaled(delta, ppp)
            } else {
                notches.map(|notch| notch * PAN_PER_NOTCH * ppp)
            };
            Some(Gesture::Pan { by_px })
        }
        ScrollSource::Wheel if modifiers.shift && !zooms => {
            let sideways = (notches[0] + notches[1]) * PAN_PER_NOTCH * ppp;
            Some(Gesture::Pan { by_px: [sideways.round(), 0.0] })
        }
        ScrollSource::Wheel if notches[1] != 0.0 => {
            Some(Gesture::Zoom { about, factor: ZOOM_PER_NOTCH.powf(notches[1]) })
        }
        ScrollSource::Wheel => Some(Gesture::Pan { by_px: [(notches[0] * PAN_PER_NOTCH * ppp).round(), 0.0] }),
    }
}

#[cfg(test)]
mod tests;
