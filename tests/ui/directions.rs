//! The direction of every key, wheel and drag, without a screen: a row says what is done and what changes, and by how much.

use egui::{Event, Key, Modifiers, MouseWheelSource, MouseWheelUnit, PointerButton, Pos2, TouchPhase, Vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use lerpscope::app::{Compare, Framing, Lerpscope, Session};
use lerpscope::backend::CpuBackend;
use lerpscope::image::{self, Image, Page, Raster, Samples, Size};
use lerpscope::view::View;

use crate::harness::pointer::pixel_centre;
use crate::harness::waiting::press_and_rest as press;
use crate::harness::{Window, app, window_of};

const NONE: Modifiers = Modifiers::NONE;
const SHIFT: Modifiers = Modifiers::SHIFT;
const CTRL: Modifiers = Modifiers::COMMAND;
const CTRL_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);
const FIRST: &str = "Panel 1: Nearest (nerp)";

/// An image of three pages, and two more images, 8 times in.
fn open() -> Window {
    open_at_pace(0.25)
}

/// The same with this many seconds from frame to frame.
fn open_at_pace(seconds: f32) -> Window {
    let size = Size::new(600, 500).expect("a size");
    let mut random = fastrand::Rng::with_seed(3);
    let mut page = || {
        let values = (0..size.area()).map(|_| random.u8(..)).collect();
        let samples = Samples::U8 { values, maxval: 255 };
        Page::new(Raster::new(size, image::Channels::Grey, samples).expect("a raster"))
    };
    let images = [3, 1, 1]
        .map(|count| Image::new(format!("{count} pages"), (0..count).map(|_| page()).collect()).expect("an image"));
    let builder = Harness::builder().with_size([1000.0, 700.0]).with_max_steps(64).with_step_dt(seconds);
    let mut window = window_of(builder, move |ctx| {
        Lerpscope::new(ctx, images.into(), Box::new(CpuBackend::new())).expect("an image")
    });
    window.run();
    press(&mut window, NONE, Key::Num8);
    window
}

fn session(window: &Window) -> &Session {
    app(window).session()
}

fn view(window: &Window) -> View {
    session(window).view()
}

/// A number of the session that a key changes.
type Quantity = fn(&Session) -> f64;

const X: Quantity = |session| session.view().translation()[0];
const Y: Quantity = |session| session.view().translation()[1];
const SCALE: Quantity = |session| session.view().scale();
const EXPOSURE: Quantity = |session| f64::from(session.panels()[session.focused()].display.exposure);
const FOCUS: Quantity = |session| session.focused() as f64;
const METHOD: Quantity =
    |session| session.panels()[session.focused()].sampler.method.position().map_or(-1.0, |place| place as f64);
const IMAGE: Quantity = |session| session.shown() as f64;
const PAGE: Quantity = |session| session.page_index() as f64;
const LINE: Quantity = |session| session.line().share;
const GAIN: Quantity = |session| f64::from(session.gain_log2());
const RATE: Quantity = Session::flips_a_second;
/// A key with what is held beside it.
type Stroke = (Modifiers, Key);
/// A turn of a wheel or of two fingers.
type Turn = (MouseWheelUnit, Vec2);
/// Whether a switch of the session is on.
type Switch = fn(&Session) -> bool;

const PANELS: Quantity = |session| session.panels().len() as f64;

#[test]
fn direction_keys_move_in_their_direction() {
    // A tenth of the panel, in samples at 8×.
    let tenth = |session: &Session, axis: usize| {
        let side = [session.output().width(), session.output().height()][axis];
        (f64::from(side) / 10.0).round() / 8.0
    };
    let at_eight = open();
    let [across, down] = [0, 1].map(|axis| tenth(session(&at_eight), axis));
    let rows: &[(&[Stroke], Stroke, Quantity, f64)] = &[
        (&[], (NONE, Key::ArrowRight), X, across),
        (&[], (NONE, Key::ArrowLeft), X, -across),
        (&[], (NONE, Key::ArrowDown), Y, down),
        (&[], (NONE, Key::ArrowUp), Y, -down),
        (&[], (SHIFT, Key::ArrowRight), X, 1.0),
        (&[], (SHIFT, Key::ArrowLeft), X, -1.0),
        (&[], (SHIFT, Key::ArrowDown), Y, 1.0),
        (&[], (SHIFT, Key::ArrowUp), Y, -1.0),
        (&[], (CTRL, Key::ArrowRight), X, 0.0625),
        (&[], (CTRL, Key::ArrowLeft), X, -0.0625),
        (&[], (CTRL, Key::ArrowDown), Y, 0.0625),
        (&[], (CTRL, Key::ArrowUp), Y, -0.0625),
        (&[], (NONE, Key::Plus), SCALE, 1.0 / 12.0 - 0.125),
        (&[], (SHIFT, Key::Plus), SCALE, 1.0 / 12.0 - 0.125),
        (&[], (NONE, Key::Equals), SCALE, 1.0 / 12.0 - 0.125),
        (&[], (NONE, Key::Minus), SCALE, 1.0 / 6.0 - 0.125),
        (&[], (CTRL, Key::Plus), SCALE, 0.125 / 1.02 - 0.125),
        (&[], (CTRL, Key::Minus), SCALE, 0.125 * 1.02 - 0.125),
        (&[], (NONE, Key::Num2), SCALE, 0.5 - 0.125),
        (&[], (NONE, Key::Num9), SCALE, 1.0 / 9.0 - 0.125),
        (&[], (NONE, Key::E), EXPOSURE, 0.25),
        (&[], (SHIFT, Key::E), EXPOSURE, -0.25),
        (&[], (CTRL, Key::Tab), FOCUS, 1.0),
        (&[(CTRL, Key::Tab)], (CTRL_SHIFT, Key::Tab), FOCUS, -1.0),
        (&[], (CTRL_SHIFT, Key::Tab), FOCUS, 3.0),
        (&[], (CTRL_SHIFT, Key::ArrowRight), FOCUS, 1.0),
        (&[(CTRL, Key::Tab)], (CTRL_SHIFT, Key::ArrowLeft), FOCUS, -1.0),
        (&[], (NONE, Key::K), METHOD, 1.0),
        (&[(NONE, Key::K)], (SHIFT, Key::K), METHOD, -1.0),
        (&[], (NONE, Key::PageDown), IMAGE, 1.0),
        (&[(NONE, Key::PageDown)], (NONE, Key::PageUp), IMAGE, -1.0),
        (&[], (NONE, Key::PageUp), IMAGE, 2.0),
        (&[], (CTRL, Key::PageDown), PAGE, 1.0),
        (&[(CTRL, Key::PageDown)], (CTRL, Key::PageUp), PAGE, -1.0),
        (&[(NONE, Key::W)], (NONE, Key::Period), LINE, 1.0 / 32.0),
        (&[(NONE, Key::W)], (NONE, Key::Comma), LINE, -1.0 / 32.0),
        (&[(NONE, Key::D)], (NONE, Key::CloseBracket), GAIN, 1.0),
        (&[(NONE, Key::D), (NONE, Key::CloseBracket)], (NONE, Key::OpenBracket), GAIN, -1.0),
        (&[], (CTRL, Key::N), PANELS, 1.0),
        (&[], (CTRL, Key::W), PANELS, -1.0),
    ];
    for (before, (modifiers, key), quantity, change) in rows {
        let mut window = open();
        before.iter().for_each(|(modifiers, key)| press(&mut window, *modifiers, *key));
        let start = quantity(session(&window));
        press(&mut window, *modifiers, *key);
        let changed = quantity(session(&window)) - start;
        assert!((changed - change).abs() < 1e-9, "{modifiers:?} {key:?}: {changed}, not {change}");
    }
}

#[test]
fn brackets_during_flicker_change_its_rate() {
    let mut window = open();
    window.key_press_modifiers(SHIFT, Key::Space);
    window.step();
    assert!(session(&window).flickers());
    for (key, rate) in [(Key::CloseBracket, 4.0), (Key::OpenBracket, 2.0), (Key::OpenBracket, 1.0)] {
        window.key_press(key);
        window.step();
        window.step();
        assert_eq!(RATE(session(&window)), rate, "{key:?}");
    }
    assert_eq!(GAIN(session(&window)), 0.0);
}

/// An event of a key as it goes down, of a keyboard that repeats it or not.
fn key_event(key: Key, modifiers: Modifiers, repeat: bool) -> Event {
    Event::Key { key, physical_key: None, pressed: true, repeat, modifiers }
}

#[test]
fn question_mark_opens_the_key_list_as_keyboards_send_it() {
    for modifiers in [NONE, SHIFT] {
        let mut window = open();
        // Text follows the key.
        window.event(key_event(Key::Questionmark, modifiers, false));
        window.event(Event::Text("?".to_owned()));
        window.run();
        window.get_by_label("Find a command or key");
    }
}

#[test]
fn held_key_toggles_once_and_repeats_steps() {
    let is_on: &[(Modifiers, Key, Switch)] = &[
        (NONE, Key::G, |session| session.inspect.state.has_grid),
        (NONE, Key::V, |session| session.inspect.state.has_values),
        (NONE, Key::B, |session| session.inspect.state.shows_outside),
        (SHIFT, Key::C, |session| session.inspect.state.marks_clipping),
        (SHIFT, Key::V, |session| session.inspect.state.checks_samples),
        (NONE, Key::O, |session| session.inspect.state.marks_overshoot),
        (NONE, Key::X, Session::is_maximized),
        (NONE, Key::I, |session| session.inspect.state.has_histogram),
        (NONE, Key::M, |session| session.inspect.state.has_metrics),
        (NONE, Key::F3, |session| session.inspect.state.drawer.is_some()),
        (NONE, Key::P, |session| session.panels()[session.focused()].sampler.prefilter),
    ];
    for (modifiers, key, is_on) in is_on {
        for repeats in 0..4 {
            let mut window = open();
            // The prefilter belongs to the third panel's method.
            (0..2).for_each(|_| press(&mut window, CTRL, Key::Tab));
            let before = is_on(session(&window));
            window.event(key_event(*key, *modifiers, false));
            (0..repeats).for_each(|_| window.event(key_event(*key, *modifiers, true)));
            window.run();
            assert_ne!(is_on(session(&window)), before, "{key:?} held, {repeats} repeats");
        }
    }
    let compared: &[(Key, Key, Switch)] = &[
        (Key::D, Key::D, |session| session.difference().absolute),
        (Key::W, Key::W, |session| session.line().is_horizontal),
    ];
    for (compare, key, is_on) in compared {
        for repeats in 0..4 {
            let mut window = open();
            press(&mut window, NONE, *compare);
            let before = is_on(session(&window));
            window.event(key_event(*key, SHIFT, false));
            (0..repeats).for_each(|_| window.event(key_event(*key, SHIFT, true)));
            window.run();
            assert_ne!(is_on(session(&window)), before, "Shift+{key:?} held, {repeats} repeats");
        }
    }
    let steps: &[(Modifiers, Key, Quantity, f64)] = &[
        (NONE, Key::E, EXPOSURE, 1.0),
        (SHIFT, Key::ArrowRight, X, 4.0),
        (NONE, Key::K, METHOD, 4.0),
        (CTRL, Key::Tab, FOCUS, 0.0),
        (CTRL, Key::N, PANELS, 1.0),
        (CTRL, Key::W, PANELS, -1.0),
    ];
    for (modifiers, key, quantity, change) in steps {
        let mut window = open();
        let before = quantity(session(&window));
        window.event(key_event(*key, *modifiers, false));
        (0..3).for_each(|_| window.event(key_event(*key, *modifiers, true)));
        window.run();
        assert_eq!(quantity(session(&window)) - before, *change, "{key:?} held, three repeats");
    }
}

/// The place in the image that the first picture shows under `pos`.
fn seen_at(window: &Window, pos: Pos2) -> [f64; 2] {
    let corner = window.get_by_label(FIRST).rect().min;
    let output = [f64::from(pos.x - corner.x) - 0.5, f64::from(pos.y - corner.y) - 0.5];
    view(window).image_from_output(session(window).output(), session(window).page().size()).at(output)
}

fn middle(window: &Window) -> Pos2 {
    window.get_by_label(FIRST).rect().center()
}

#[test]
fn wheel_turns_act_in_their_direction() {
    let line = |x: f32, y: f32| (MouseWheelUnit::Line, Vec2::new(x, y));
    let point = |x: f32, y: f32| (MouseWheelUnit::Point, Vec2::new(x, y));
    // What the turn does to the scale (as a factor) and to the translation, in pixels that the image moves.
    let rows: &[(Turn, Modifiers, Option<f64>, [f64; 2])] = &[
        (line(0.0, 1.0), NONE, Some(1.0 / 1.2), [0.0; 2]),
        (line(0.0, -1.0), NONE, Some(1.2), [0.0; 2]),
        (line(0.0, 1.0), CTRL, Some(1.0 / 1.2), [0.0; 2]),
        (line(0.0, 1.0), CTRL_SHIFT, Some(1.0 / 1.2), [0.0; 2]),
        (line(0.0, -2.0), CTRL_SHIFT, Some(1.44), [0.0; 2]),
        (line(0.0, 1.0), SHIFT, None, [60.0, 0.0]),
        (line(0.0, -1.0), SHIFT, None, [-60.0, 0.0]),
        (line(1.0, 0.0), NONE, None, [60.0, 0.0]),
        (point(5.0, -7.0), NONE, None, [5.0, -7.0]),
        (point(-5.0, 7.0), SHIFT, None, [-5.0, 7.0]),
        (point(0.0, 10.0), CTRL, Some((-0.05_f64).exp()), [0.0; 2]),
        (point(0.0, -10.0), CTRL, Some(0.05_f64.exp()), [0.0; 2]),
    ];
    for ((unit, delta), modifiers, factor, moved_px) in rows {
        let mut window = open();
        let pos = pixel_centre(middle(&window) + Vec2::new(31.0, -17.0));
        window.hover_at(pos);
        window.run();
        let (before, anchor) = (view(&window), seen_at(&window, pos));
        window.event(Event::MouseWheel {
            unit: *unit,
            delta: *delta,
            phase: TouchPhase::Move,
            source: MouseWheelSource::Unknown,
            modifiers: *modifiers,
        });
        window.run_steps(12);
        let what = format!("{unit:?} {delta:?} with {modifiers:?}");
        let after = view(&window);
        let scale = before.scale() * factor.unwrap_or(1.0);
        assert!((after.scale() / scale - 1.0).abs() < 1e-6, "{what}: {} is not {scale}", after.scale());
        match factor {
            Some(_) => {
                let seen = seen_at(&window, pos);
                assert!((0..2).all(|axis| (seen[axis] - anchor[axis]).abs() < 1e-3), "{what}: the anchor moved");
            }
            None => {
                for (axis, expected) in moved_px.iter().enumerate() {
                    let moved = (before.translation()[axis] - after.translation()[axis]) / before.scale();
                    assert!((moved - expected).abs() < 1e-6, "{what}: {moved} pixels along {axis}");
                }
            }
        }
    }
}

fn button(pos: Pos2, button: PointerButton, pressed: bool, modifiers: Modifiers) -> Event {
    Event::PointerButton { pos, button, pressed, modifiers }
}

/// A drag with a frame for each step: pressed, moved half the way, moved, released.
fn drag(window: &mut Window, which: PointerButton, modifiers: Modifiers, [from, to]: [Pos2; 2]) {
    window.event(Event::ModifiersChanged(modifiers));
    window.hover_at(from);
    window.run();
    window.event(button(from, which, true, modifiers));
    window.run();
    for pos in [from + (to - from) / 2.0, to] {
        window.hover_at(pos);
        window.run();
    }
    window.event(button(to, which, false, modifiers));
    window.run();
    window.event(Event::ModifiersChanged(NONE));
    window.run();
}

#[test]
fn drags_act_in_their_direction() {
    let by = Vec2::new(40.0, -24.0);
    // The hand takes the sample under it along.
    for which in [PointerButton::Primary, PointerButton::Middle] {
        let mut window = open();
        let from = middle(&window);
        let (before, grabbed) = (view(&window), seen_at(&window, from));
        drag(&mut window, which, NONE, [from, from + by]);
        let after = view(&window);
        let seen = seen_at(&window, from + by);
        assert!((0..2).all(|axis| (seen[axis] - grabbed[axis]).abs() < 1e-9), "{which:?}");
        assert_eq!(after.translation()[0] - before.translation()[0], -40.0 / 8.0, "{which:?}");
        assert_eq!(after.translation()[1] - before.translation()[1], 24.0 / 8.0, "{which:?}");
    }
    // A rectangle comes nearer, and its middle to the middle.
    let mut window = open();
    let from = middle(&window) - Vec2::new(60.0, 45.0);
    let (before, centre) = (view(&window), seen_at(&window, from + Vec2::new(50.0, 30.0)));
    drag(&mut window, PointerButton::Primary, CTRL, [from, from + Vec2::new(100.0, 60.0)]);
    assert!(view(&window).scale() < before.scale());
    let output = session(&window).output();
    let seen = view(&window)
        .image_from_output(output, session(&window).page().size())
        .at([(f64::from(output.width()) - 1.0) / 2.0, (f64::from(output.height()) - 1.0) / 2.0]);
    assert!((0..2).all(|axis| (seen[axis] - centre[axis]).abs() < 0.1), "{seen:?} is not {centre:?}");
    // A region is what the rectangle holds.
    let mut window = open();
    let from = middle(&window);
    let [start, end] =
        [from, from + Vec2::new(80.0, 40.0)].map(|pos| seen_at(&window, pos).map(|at| at.round() as u32));
    let before = view(&window);
    drag(&mut window, PointerButton::Primary, SHIFT, [from, from + Vec2::new(80.0, 40.0)]);
    let region = session(&window).inspect.state.region.expect("a region");
    assert_eq!([region.left, region.top, region.right, region.bottom], [start[0], start[1], end[0], end[1]]);
    assert_eq!(view(&window), before);
    // Across widens the window, up brightens: less is white already.
    for (by, widens, brightens) in [
        (Vec2::new(90.0, 0.0), 1, 0),
        (Vec2::new(-90.0, 0.0), -1, 0),
        (Vec2::new(0.0, -90.0), 0, 1),
        (Vec2::new(0.0, 90.0), 0, -1),
    ] {
        let mut window = open();
        let from = middle(&window);
        drag(&mut window, PointerButton::Secondary, NONE, [from, from + by]);
        let [black, white] = session(&window).panels()[0].display.window;
        let sign = |number: f32| if number.abs() < 1e-4 { 0 } else { number.signum() as i32 };
        assert_eq!((sign(white - black - 1.0), sign(0.5 - (black + white) / 2.0)), (widens, brightens), "{by:?}");
    }
}

/// A slow frame has the press and the first move: the sample under the press stays under the pointer.
#[test]
fn press_and_move_in_one_frame_start_at_the_press() {
    for by in [Vec2::new(30.0, -12.0), Vec2::new(-55.0, 40.0)] {
        let mut window = open();
        let from = middle(&window);
        window.hover_at(from);
        window.run();
        let grabbed = seen_at(&window, from);
        window.input_mut().events.push(button(from, PointerButton::Primary, true, NONE));
        window.input_mut().events.push(Event::PointerMoved(from + by));
        window.step();
        for further in [by, by * 2.0] {
            window.hover_at(from + further);
            window.run();
            let seen = seen_at(&window, from + further);
            assert!((0..2).all(|axis| (seen[axis] - grabbed[axis]).abs() < 1e-3), "{seen:?} is not {grabbed:?}");
        }
        window.event(button(from + by * 2.0, PointerButton::Primary, false, NONE));
        window.run();
    }
}

/// A double click belongs to the tool that has the hand: the profile's line, the histogram's region, a pin.
#[test]
fn double_click_with_a_tool_keeps_the_view() {
    for (tool, modifiers) in [(Some(Key::L), NONE), (None, SHIFT), (None, CTRL), (None, NONE)] {
        let mut window = open_at_pace(1.0 / 60.0);
        tool.into_iter().for_each(|key| press(&mut window, NONE, key));
        let pos = middle(&window);
        let (before, framing) = (view(&window), session(&window).framing());
        window.event(Event::ModifiersChanged(modifiers));
        window.hover_at(pos);
        window.run();
        for pressed in [true, false, true, false] {
            window.event(button(pos, PointerButton::Primary, pressed, modifiers));
            window.step();
        }
        window.run();
        let is_hand = tool.is_none() && modifiers.is_none();
        let after = (view(&window), session(&window).framing());
        assert_eq!(after == (before, framing), !is_hand, "{tool:?} {modifiers:?}: {after:?}");
        assert_eq!(after.1 == Framing::Fit, is_hand, "{tool:?} {modifiers:?}");
    }
}

/// The line of a wipe goes where it is dragged.
#[test]
fn wipe_line_follows_the_pointer() {
    let mut window = open();
    press(&mut window, NONE, Key::W);
    assert_eq!(session(&window).compare(), Compare::Wipe);
    let rect = {
        let pictures = window.query_all_by_label_contains("Nearest (nerp)").map(|node| node.rect());
        pictures.max_by(|a, b| a.area().total_cmp(&b.area())).expect("the wipe's picture")
    };
    let from = rect.center();
    let share = |window: &Window| session(window).line().share;
    assert_eq!(share(&window), 0.5);
    drag(&mut window, PointerButton::Primary, NONE, [from, from + Vec2::new(rect.width() / 4.0, 5.0)]);
    assert!((share(&window) - 0.75).abs() < 0.01, "{}", share(&window));
    drag(
        &mut window,
        PointerButton::Primary,
        NONE,
        [from + Vec2::new(rect.width() / 4.0, 0.0), from - Vec2::new(rect.width() / 4.0, 0.0)],
    );
    assert!((share(&window) - 0.25).abs() < 0.01, "{}", share(&window));
}

/// A pinch that is no number, or none at all, leaves the view.
#[test]
fn pinch_with_an_invalid_factor_does_nothing() {
    let mut window = open();
    let pos = middle(&window);
    window.hover_at(pos);
    window.run();
    let before = view(&window);
    for factor in [0.0, -2.0, f32::NAN, f32::INFINITY] {
        window.event(Event::Zoom(factor));
        window.run();
        assert_eq!(view(&window), before, "{factor}");
    }
    window.event(Event::Zoom(1.5));
    window.run();
    assert!((before.scale() / view(&window).scale() - 1.5).abs() < 1e-6);
}
