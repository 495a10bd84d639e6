//! Rotation of the view in a window without a screen: drag, two fingers on a screen, keys and the field.

use egui::{Event, Key, Modifiers, PointerButton, Pos2, Role, TouchDeviceId, TouchId, TouchPhase, Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use lerpscope::app::{Framing, Lerpscope, Link};
use lerpscope::backend::CpuBackend;
use lerpscope::image::{self, Image, Page, Raster, Samples, Size};
use lerpscope::view::View;

use crate::harness::documents::press;
use crate::harness::pointer::{pixel_centre, seen_at};
use crate::harness::side_bar::unfold_numbers;
use crate::harness::{Window, app, window_of};

const NONE: Modifiers = Modifiers::NONE;
const SHIFT: Modifiers = Modifiers::SHIFT;
const CTRL: Modifiers = Modifiers::COMMAND;
const CTRL_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);
const FIRST: &str = "Panel 1: Nearest (nerp)";

/// An image of 600 × 400 samples, fitted.
fn open() -> Window {
    open_at_pace(0.25)
}

/// The same with this many seconds from frame to frame.
fn open_at_pace(seconds: f32) -> Window {
    let size = Size::new(600, 400).expect("a size");
    let mut random = fastrand::Rng::with_seed(3);
    let values = (0..size.area()).map(|_| random.u8(..)).collect();
    let raster = Raster::new(size, image::Channels::Grey, Samples::U8 { values, maxval: 255 }).expect("a raster");
    let image = Image::new("noise", vec![Page::new(raster)]).expect("an image");
    let builder = Harness::builder().with_size([1280.0, 860.0]).with_max_steps(64).with_step_dt(seconds);
    let mut window =
        window_of(builder, |ctx| Lerpscope::new(ctx, vec![image], Box::new(CpuBackend::new())).expect("an image"));
    window.run_ok();
    window
}

fn view(window: &Window) -> View {
    app(window).session().view()
}

fn angle(window: &Window) -> f64 {
    view(window).angle_deg()
}

fn center(window: &Window) -> Pos2 {
    window.get_by_label(FIRST).rect().center()
}

fn assert_near(a: [f64; 2], b: [f64; 2]) {
    assert!((a[0] - b[0]).abs() < 1e-6 && (a[1] - b[1]).abs() < 1e-6, "{a:?} is not {b:?}");
}

/// The point of a lever of 60 points about `pos`, `degrees` counter-clockwise of the right.
fn lever(pos: Pos2, degrees: f32) -> Pos2 {
    pos + 60.0 * vec2(degrees.to_radians().cos(), -degrees.to_radians().sin())
}

/// Presses at `pos`, moves through `to`, and releases there.
fn drag(window: &mut Window, pos: Pos2, to: &[Pos2], held: Modifiers) {
    window.hover_at(pos);
    window.run_ok();
    window.event(Event::ModifiersChanged(held));
    let button = |pos, pressed| Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers: held };
    window.event(button(pos, true));
    window.step();
    for at in to {
        window.event(Event::PointerMoved(*at));
        window.step();
    }
    window.event(button(to.last().copied().unwrap_or(pos), false));
    window.step();
    window.event(Event::ModifiersChanged(NONE));
    window.run_ok();
}

#[test]
fn drag_with_ctrl_and_shift_turns_about_its_first_point_and_back_returns() {
    let mut window = open();
    press(&mut window, NONE, Key::Num8);
    let pos = center(&window) + vec2(31.0, -47.0);
    let (before, sample) = (view(&window), seen_at(&window, FIRST, pos));
    drag(&mut window, pos, &[lever(pos, 10.0), lever(pos, 30.0), lever(pos, 47.0)], CTRL_SHIFT);
    let after = view(&window);
    assert!((after.angle_deg() - 37.0).abs() < 1e-4, "{after:?}");
    assert_eq!(after.scale(), before.scale());
    assert_near(seen_at(&window, FIRST, pos), sample);
    let session = app(&window).session();
    assert!((0..4).all(|index| session.view_of(index) == after), "linked panels turn together");
    assert!(session.inspect.state.pins.is_empty() && session.inspect.state.region.is_none());
    assert!(window.query_by_label("Turned 37°").is_some(), "the status line has the angle");
    press(&mut window, NONE, Key::Backspace);
    assert_eq!(view(&window), before);
    assert!(window.query_by_label("Turned 37°").is_none());
}

#[test]
fn drag_of_relatively_linked_panels_turns_each_from_its_own_angle_and_of_unlinked_ones_one() {
    let mut window = open();
    press(&mut window, NONE, Key::Num8);
    let turn = |window: &mut Window| {
        let pos = center(window);
        drag(window, pos, &[lever(pos, 0.0), lever(pos, 20.0)], CTRL_SHIFT);
    };
    let angles = |window: &Window| {
        let session = app(window).session();
        [0, 1].map(|index| (session.view_of(index).angle_deg() * 1e3).round() / 1e3)
    };
    (0..2).for_each(|_| press(&mut window, CTRL, Key::U));
    assert_eq!(app(&window).session().link(), Link::Off);
    turn(&mut window);
    assert_eq!(angles(&window), [20.0, 0.0]);
    // The cycle passes through absolute, which would align the panels: the palette selects relative at once.
    press(&mut window, CTRL_SHIFT, Key::P);
    window.event(Event::Text("linked, each with its offset".to_owned()));
    window.run_ok();
    press(&mut window, NONE, Key::Enter);
    assert_eq!(app(&window).session().link(), Link::Relative);
    turn(&mut window);
    assert_eq!(angles(&window), [40.0, 20.0]);
}

#[test]
fn modifiers_of_a_drag_decide_between_zoom_region_and_turn() {
    let wanted = |window: &Window| {
        let session = app(window).session();
        (session.view().angle_deg() != 0.0, session.view().scale() != 0.125, session.inspect.state.region.is_some())
    };
    for (held, effect) in [
        (CTRL_SHIFT, (true, false, false)),
        (CTRL, (false, true, false)),
        (SHIFT, (false, false, true)),
        (NONE, (false, false, false)),
    ] {
        let mut window = open();
        press(&mut window, NONE, Key::Num8);
        let pos = center(&window);
        drag(&mut window, pos, &[lever(pos, -10.0), lever(pos, -30.0), lever(pos, -50.0)], held);
        assert_eq!(wanted(&window), effect, "{held:?}");
    }
}

#[test]
fn click_with_ctrl_and_shift_pins_nothing_and_turns_nothing() {
    let mut window = open();
    let (pos, before) = (center(&window), view(&window));
    drag(&mut window, pos, &[], CTRL_SHIFT);
    assert!(app(&window).session().inspect.state.pins.is_empty());
    assert_eq!(view(&window), before);
}

#[test]
fn drag_with_alt_turns_in_steps_of_15_degrees() {
    let mut window = open();
    let pos = center(&window);
    let held = CTRL_SHIFT.plus(Modifiers::ALT);
    drag(&mut window, pos, &[lever(pos, 0.0), lever(pos, 20.0), lever(pos, 39.0)], held);
    assert_eq!(angle(&window), 45.0);
}

#[test]
fn two_fingers_on_a_screen_turn_the_view_about_their_centre_after_a_free_angle() {
    let mut window = open_at_pace(1.0 / 60.0);
    press(&mut window, NONE, Key::Num8);
    let pos = center(&window) + vec2(-20.0, 35.0);
    // The first finger moves the pointer, as on a real touch screen.
    window.hover_at(pos);
    window.run_ok();
    let sample = seen_at(&window, FIRST, pos);
    let touch = |window: &mut Window, phase: TouchPhase, degrees: f32| {
        for (id, sign) in [(1, 1.0), (2, -1.0)] {
            let pos = pos + sign * (lever(pos, degrees) - pos);
            let (device_id, id) = (TouchDeviceId(0), TouchId(id));
            // Both fingers in one frame.
            window.input_mut().events.push(Event::Touch { device_id, id, phase, pos, force: None });
        }
        window.step();
    };
    touch(&mut window, TouchPhase::Start, 0.0);
    for degrees in [5.0, 10.0] {
        touch(&mut window, TouchPhase::Move, degrees);
    }
    assert_eq!(angle(&window), 0.0);
    for degrees in [20.0, 30.0, 42.0] {
        touch(&mut window, TouchPhase::Move, degrees);
    }
    assert!((angle(&window) - 30.0).abs() < 0.01, "{}", angle(&window));
    let now = seen_at(&window, FIRST, pos);
    assert!((now[0] - sample[0]).hypot(now[1] - sample[1]) < 0.1, "{now:?} {sample:?}");
}

#[test]
fn quarter_turns_keep_a_fitted_view_fitted_and_upright_returns() {
    let mut window = open();
    let before = view(&window);
    press(&mut window, CTRL, Key::OpenBracket);
    let session = app(&window).session();
    let turned = session.view();
    assert_eq!((turned.angle_deg(), session.framing()), (90.0, Framing::Fit));
    // 400 × 600 as seen.
    let output = session.fit_area();
    let scale = (400.0 / f64::from(output.width())).max(600.0 / f64::from(output.height()));
    assert!((turned.scale() - scale).abs() < 1e-12, "{turned:?}");
    press(&mut window, CTRL, Key::OpenBracket);
    assert_eq!(angle(&window), 180.0);
    press(&mut window, CTRL, Key::CloseBracket);
    assert_eq!(view(&window), turned);
    window.set_size(Vec2::new(1100.0, 700.0));
    window.run_ok();
    assert_eq!(angle(&window), 90.0, "the angle outlives a resize");
    window.set_size(Vec2::new(1280.0, 860.0));
    window.run_ok();
    press(&mut window, SHIFT, Key::U);
    assert_eq!((view(&window), app(&window).session().framing()), (before, Framing::Fit));
    press(&mut window, SHIFT, Key::U);
    assert!(window.query_by_label("1 Nearest is upright").is_some(), "the key says why it does nothing");
}

#[test]
fn four_quarter_turns_give_a_free_view_back_and_fit_keeps_the_angle() {
    let mut window = open();
    press(&mut window, NONE, Key::Num8);
    let pos = center(&window);
    drag(&mut window, pos, &[lever(pos, 0.0), lever(pos, 33.0)], CTRL_SHIFT);
    let before = view(&window);
    (0..4).for_each(|_| press(&mut window, CTRL, Key::CloseBracket));
    let after = view(&window);
    assert!((after.angle_deg() - before.angle_deg()).abs() < 1e-9);
    assert_eq!(after.translation(), before.translation());
    press(&mut window, NONE, Key::F);
    let session = app(&window).session();
    assert_eq!((session.view().angle_deg(), session.framing()), (after.angle_deg(), Framing::Fit));
    // All corners are visible.
    let map = session.view().image_from_output(session.output(), session.page().size());
    for corner in [[0.0, 0.0], [599.0, 0.0], [0.0, 399.0], [599.0, 399.0]] {
        assert!(session.pixel_at(0, corner).is_some(), "{corner:?} at {:?}", map.inverse_at(corner));
    }
}

#[test]
fn field_takes_degrees_as_arithmetic_and_reduces_them_to_half_a_turn() {
    let mut window = open();
    unfold_numbers(&mut window);
    for (text, degrees, shown) in [("30+60/4", 45.0, "45"), ("725", 5.0, "5"), ("-200", 160.0, "160")] {
        window.get_by_role_and_label(Role::SpinButton, "Angle").focus();
        window.run_ok();
        window.get_by_role_and_label(Role::SpinButton, "Angle").type_text(text);
        window.run_ok();
        press(&mut window, NONE, Key::Enter);
        assert_eq!(angle(&window), degrees, "{text}");
        let status = format!("Turned {shown}°");
        assert!(window.query_by_label(&status).is_some(), "{status}");
    }
}

/// Types `text` into the field `name`.
fn type_number(window: &mut Window, name: &str, text: &str) {
    window.get_by_role_and_label(Role::SpinButton, name).focus();
    window.run_ok();
    window.get_by_role_and_label(Role::SpinButton, name).type_text(text);
    window.run_ok();
    press(window, NONE, Key::Enter);
}

fn choose(window: &mut Window, command: &str) {
    press(window, CTRL_SHIFT, Key::P);
    window.event(Event::Text(command.to_owned()));
    window.run_ok();
    press(window, NONE, Key::Enter);
    window.run_ok();
}

#[test]
fn stretch_field_gives_the_axes_two_scales_which_zoom_and_turn_keep_until_pixels_are_square_again() {
    let mut window = open();
    unfold_numbers(&mut window);
    press(&mut window, NONE, Key::Num4);
    let before = view(&window);
    type_number(&mut window, "Stretch", "2");
    assert_eq!(view(&window).scales(), [0.25, 0.125]);
    assert!(window.query_by_label("Stretched 2×").is_some(), "the status line has the stretch");
    assert!((0..4).all(|index| app(&window).session().view_of(index) == view(&window)), "linked panels follow");
    // The middle stays.
    let middle = |view: View, session: &lerpscope::app::Session| {
        view.image_from_output(session.output(), session.page().size()).at(session.middle())
    };
    let session = app(&window).session();
    assert_near(middle(view(&window), session), middle(before, session));
    press(&mut window, NONE, Key::Plus);
    assert_eq!(view(&window).ratio(), 0.5);
    assert!(view(&window).scale() < 0.25);
    press(&mut window, NONE, Key::Num8);
    assert_eq!(view(&window).scales(), [0.125, 0.0625]);
    press(&mut window, CTRL, Key::OpenBracket);
    assert_eq!((view(&window).scales(), angle(&window)), ([0.125, 0.0625], 90.0));
    type_number(&mut window, "Samples per pixel", "1/2");
    assert_eq!(view(&window).scales(), [0.5, 0.25]);
    // All of the image: it is as wide as 400 · 2 samples after the quarter turn.
    press(&mut window, NONE, Key::F);
    let session = app(&window).session();
    let output = session.fit_area();
    let fitted = (800.0 / f64::from(output.width())).max(600.0 / f64::from(output.height()));
    let scales = session.view().scales();
    assert!((scales[0] - fitted).abs() < 1e-12 && (scales[1] - fitted / 2.0).abs() < 1e-12, "{scales:?}");
    choose(&mut window, "square pixels");
    assert!(view(&window).has_square_pixels());
    assert_eq!((app(&window).session().framing(), angle(&window)), (Framing::Fit, 90.0));
    assert!(window.query_by_label_contains("Stretched").is_none());
    press(&mut window, NONE, Key::Backspace);
    assert_eq!(view(&window).scales(), scales, "Back returns to the stretched view");
}

#[test]
fn palette_takes_one_scale_or_one_for_each_axis() {
    let mut window = open();
    for (text, scales) in [("scale 1,1/2", [1.0, 0.5]), ("scale 1/4", [0.25, 0.25]), ("scale 0.5,2", [0.5, 2.0])] {
        choose(&mut window, text);
        assert_eq!(view(&window).scales(), scales, "{text}");
    }
    choose(&mut window, "zoom 4");
    assert_eq!(view(&window).scales(), [0.25, 1.0], "a zoom keeps the ratio");
}

#[test]
fn pointer_stays_on_its_sample_in_a_zoom_of_a_stretched_and_turned_view() {
    let mut window = open();
    unfold_numbers(&mut window);
    press(&mut window, NONE, Key::Num8);
    type_number(&mut window, "Stretch", "3");
    type_number(&mut window, "Angle", "25");
    let pos = pixel_centre(center(&window) + vec2(31.0, -47.0));
    let sample = seen_at(&window, FIRST, pos);
    window.hover_at(pos);
    window.event(Event::MouseWheel {
        unit: egui::MouseWheelUnit::Line,
        delta: vec2(0.0, 3.0),
        phase: TouchPhase::Move,
        source: egui::MouseWheelSource::Unknown,
        modifiers: NONE,
    });
    window.run_ok();
    assert!(view(&window).scale() < 0.125 && (view(&window).ratio() * 3.0 - 1.0).abs() < 1e-9, "{:?}", view(&window));
    assert_near(seen_at(&window, FIRST, pos), sample);
}

#[test]
fn snapped_view_after_a_quarter_turn_has_a_sample_on_every_pixel() {
    for size in [[1280.0, 860.0], [1282.0, 860.0], [1282.0, 862.0], [1280.0, 862.0]] {
        let mut window = open();
        window.set_size(Vec2::from(size));
        window.run_ok();
        press(&mut window, NONE, Key::Num1);
        press(&mut window, CTRL, Key::OpenBracket);
        let session = app(&window).session();
        assert_eq!((session.view().angle_deg(), session.framing()), (90.0, Framing::Snapped));
        let map = session.view().image_from_output(session.output(), session.page().size());
        let [x, y] = map.at([7.0, 11.0]);
        assert!((x - x.round()).abs() < 1e-9 && (y - y.round()).abs() < 1e-9, "{x} {y} at {size:?}");
    }
}
