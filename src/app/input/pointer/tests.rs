//! Tests of gestures from wheel, touch and button events.

use std::sync::Arc;

use super::*;
use crate::app::session::coordinates::Coordinates;
use crate::app::session::unit::Unit;
use crate::image::{Channels, Depth, Image, Page, Raster};
use crate::test_support::size;

fn gesture(unit: MouseWheelUnit, delta: [f32; 2], modifiers: Modifiers) -> Option<Gesture> {
    let delta = Vec2::from(delta);
    let device = guess_source(unit, delta, MouseWheelSource::Unknown);
    turn(ScrollEvent { device, unit, delta, modifiers }, [5.0, 6.0], 2.0)
}

#[test]
fn wheel_zooms_about_the_cursor_and_trackpad_pans() {
    let about = [5.0, 6.0];
    let zoom = |factor| Some(Gesture::Zoom { about, factor });
    assert_eq!(gesture(MouseWheelUnit::Line, [0.0, 1.0], Modifiers::NONE), zoom(1.2));
    assert_eq!(gesture(MouseWheelUnit::Line, [0.0, -1.0], Modifiers::COMMAND), zoom(1.2_f64.powi(-1)));
    assert_eq!(gesture(MouseWheelUnit::Line, [0.0, 1.0], Modifiers::SHIFT), Some(Gesture::Pan { by_px: [120.0, 0.0] }));
    assert_eq!(gesture(MouseWheelUnit::Point, [3.0, -4.0], Modifiers::NONE), Some(Gesture::Pan { by_px: [6.0, -8.0] }));
    assert_eq!(gesture(MouseWheelUnit::Point, [0.0, 2.0], Modifiers::COMMAND), zoom((2.0_f64 / POINTS_PER_E).exp()));
}

/// Scrolling up zooms in, and trackpads move the image with the fingers, whatever modifiers are held. Shift alone turns
/// a wheel sideways.
#[test]
fn scroll_direction_is_the_same_with_all_modifiers() {
    let held = [Modifiers::NONE, Modifiers::SHIFT, Modifiers::CTRL, Modifiers::COMMAND];
    let held = held.into_iter().flat_map(|one| [one, one.plus(Modifiers::SHIFT)]);
    for (modifiers, sign) in held.flat_map(|held| [(held, 1.0_f32), (held, -1.0)]) {
        let zooms = modifiers.ctrl || modifiers.command;
        let case = format!("{modifiers:?} {sign}");
        match gesture(MouseWheelUnit::Line, [0.0, sign], modifiers) {
            Some(Gesture::Pan { by_px }) => {
                assert_eq!((by_px, modifiers.shift && !zooms), ([120.0 * f64::from(sign), 0.0], true), "{case}");
            }
            Some(Gesture::Zoom { about, factor }) => {
                assert_eq!((about, factor > 1.0), ([5.0, 6.0], sign > 0.0), "{case}");
                assert!(zooms || !modifiers.shift, "{case}");
            }
            other => panic!("{case}: {other:?}"),
        }
        match gesture(MouseWheelUnit::Point, [0.0, 2.0 * sign], modifiers) {
            Some(Gesture::Pan { by_px }) => {
                assert_eq!((by_px, zooms), ([0.0, 4.0 * f64::from(sign)], false), "{case}");
            }
            Some(Gesture::Zoom { factor, .. }) => assert_eq!((factor > 1.0, zooms), (sign > 0.0, true), "{case}"),
            other => panic!("{case}: {other:?}"),
        }
        let sideways = gesture(MouseWheelUnit::Line, [sign, 0.0], Modifiers::NONE);
        assert_eq!(sideways, Some(Gesture::Pan { by_px: [120.0 * f64::from(sign), 0.0] }), "{case}");
    }
}

#[test]
fn source_is_detected_once_per_burst() {
    let mut pointer_input = PointerInput::default();
    let mut device = |delta: [f32; 2], at| {
        pointer_input.device(MouseWheelUnit::Point, Vec2::from(delta), MouseWheelSource::Unknown, at)
    };
    assert_eq!(device([1.0, 2.0], 0.0), ScrollSource::Trackpad);
    assert_eq!(device([0.0, 90.0], 0.1), ScrollSource::Trackpad);
    assert_eq!(device([0.0, 90.0], 1.0), ScrollSource::Wheel);
    assert_eq!(device([0.0, 2.0], 1.1), ScrollSource::Wheel);
    // The burst ends once the maximum pause has passed.
    assert_eq!(device([0.0, 2.0], 1.25), ScrollSource::Wheel);
    assert_eq!(device([0.0, 2.0], 1.25 + BURST_S), ScrollSource::Trackpad);
}

/// Wheels may report points, 40 per notch; trackpads may report lines, 60 points each.
#[test]
fn notch_has_the_same_effect_in_every_unit() {
    let about = [5.0, 6.0];
    let turned = |device, unit, delta: [f32; 2]| {
        turn(ScrollEvent { device, unit, delta: Vec2::from(delta), modifiers: Modifiers::NONE }, about, 2.0)
    };
    let zoom = turned(ScrollSource::Wheel, MouseWheelUnit::Point, [0.0, 80.0]);
    assert_eq!(zoom, Some(Gesture::Zoom { about, factor: 1.2_f64.powf(2.0) }));
    let sideways = turned(ScrollSource::Wheel, MouseWheelUnit::Point, [-20.0, 0.0]);
    assert_eq!(sideways, Some(Gesture::Pan { by_px: [-60.0, 0.0] }));
    let lines = turned(ScrollSource::Trackpad, MouseWheelUnit::Line, [1.0, -0.5]);
    assert_eq!(lines, Some(Gesture::Pan { by_px: [120.0, -60.0] }));
}

/// Preferences without animations.
const STILL: Preferences = Preferences {
    wheel: WheelDevice::Auto,
    unit: Unit::File,
    coordinates: Coordinates::Sample,
    reduced_motion: true,
    has_insets: true,
    has_hint: true,
};

fn session(side: u32) -> Session {
    let page = Page::new(Raster::zeros(size(side, side), Channels::Grey, Depth::EIGHT));
    let mut session = Session::new(Arc::new(Image::new("zeros", vec![page]).expect("an image")));
    session.resize(size(500, 400));
    session
}

/// A drag by whole pixels keeps a snapped view snapped; other drags free it.
#[test]
fn snapped_view_dragged_by_whole_pixels_stays_snapped() {
    // At two samples per pixel, the centre of 513 samples is a quarter of a pixel off.
    for (scale, by_px, framing) in [
        (2.0, [3.0, -5.0], Framing::Snapped),
        (2.0, [3.5, 0.0], Framing::Free),
        (2.0, [0.0, 0.25], Framing::Free),
        (0.125, [1.0, 0.0], Framing::Snapped),
        (0.125, [0.0, -0.5], Framing::Free),
    ] {
        let mut session = session(513);
        session.show_at(scale, session.middle(), Change::Jump);
        assert_eq!(session.framing(), Framing::Snapped);
        let to = session.view().panned(by_px);
        Gesture::Drag { to }.apply(&mut session, 0, &STILL);
        assert_eq!((session.view(), session.framing()), (to, framing), "{by_px:?} at {scale}");
    }
}

#[test]
fn gestures_have_their_effects_on_the_view() {
    let mut session = session(512);
    let about = [100.0, 50.0];
    let seen = |session: &Session| session.view().image_from_output(session.output(), session.page().size()).at(about);
    let (before, fitted) = (seen(&session), session.view());
    Gesture::Zoom { about, factor: 2.0 }.apply(&mut session, 0, &STILL);
    assert_eq!((session.view().scale(), session.framing()), (fitted.scale() / 2.0, Framing::Free));
    assert!((0..2).all(|axis| (seen(&session)[axis] - before[axis]).abs() < 1e-9));
    let zoomed = session.view();
    Gesture::Pan { by_px: [7.0, -3.0] }.apply(&mut session, 0, &STILL);
    assert_eq!(session.view(), zoomed.panned([7.0, -3.0]));
    Gesture::Toggle { about }.apply(&mut session, 0, &STILL);
    assert_eq!((session.view(), session.framing()), (fitted, Framing::Fit));
    Gesture::Toggle { about }.apply(&mut session, 0, &STILL);
    assert_eq!((session.view().scale(), session.framing()), (1.0, Framing::Snapped));
    assert!((0..2).all(|axis| (seen(&session)[axis] - before[axis]).abs() <= 0.5));
}

/// A drag ends with the release of the button that started it; other buttons have no effect.
#[test]
fn drag_within_one_frame_belongs_to_the_button_that_started_it() {
    let page = Page::new(Raster::zeros(size(4, 4), Channels::Grey, Depth::EIGHT));
    let panel = Session::new(Arc::new(Image::of_page("a", page))).panels()[0].id();
    let (first, other) = (PointerButton::Primary, PointerButton::Middle);
    let view = session(64).view();
    for (presses, moved_px) in [
        (&[(first, 20.0, true), (first, 50.0, false)][..], 30.0),
        (&[(first, 20.0, true), (other, 25.0, true)], 0.0),
        (&[(first, 20.0, true), (first, 25.0, true)], 0.0),
        (&[(first, 20.0, true), (first, 25.0, true), (first, 50.0, false)], 30.0),
        (&[(first, 20.0, true), (other, 25.0, true), (other, 40.0, false)], 0.0),
        (&[(first, 20.0, true), (other, 25.0, true), (other, 40.0, false), (first, 50.0, false)], 30.0),
        (&[(other, 20.0, true), (first, 25.0, true), (other, 28.0, false), (first, 50.0, false)], 8.0),
        (&[(first, 20.0, true), (first, 30.0, false), (other, 40.0, true), (other, 45.0, false)], 15.0),
        (&[(first, 200.0, true), (first, 50.0, false)], 0.0),
        (&[(PointerButton::Secondary, 20.0, true), (PointerButton::Secondary, 50.0, false)], 0.0),
    ] {
        let event = |&(button, x, pressed): &(PointerButton, f32, bool)| Event::PointerButton {
            pos: Pos2::new(x, 10.0),
            button,
            pressed,
            modifiers: Modifiers::NONE,
        };
        let mut input = InputState::default();
        input.events = presses.iter().map(event).collect();
        let rect = PixelRect { left: 0, top: 0, size: size(100, 80) };
        let target = PointerTarget { panel, rect, hovered: true, held: false, double_clicked: false, taken: false };
        let expected = (moved_px != 0.0).then(|| view.panned([moved_px, 0.0]));
        assert_eq!(drag_within_frame(&input, &target, view), expected, "{presses:?}");
    }
}

/// A drag starts from the animated view, which is between pixels.
#[test]
fn drag_during_an_animation_frees_the_view() {
    let mut session = session(512);
    session.tick(3.0);
    let preferences = Preferences::default();
    session.animate(&preferences, |session| session.show_at(0.125, session.middle(), Change::Jump));
    session.tick(3.05);
    assert!(session.is_animating());
    let to = session.shown_view_of(0).panned([4.0, 0.0]);
    Gesture::Drag { to }.apply(&mut session, 0, &preferences);
    assert_eq!((session.view(), session.framing()), (to, Framing::Free));
}
