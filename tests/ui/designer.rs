//! The kernel designer in a window without a screen: the plane of cubics, its keys, Lanczos and blur, undo.

use egui::{Key, Modifiers, Pos2, Rect, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lerpscope::app::{DRAWER_TOOLS, DrawerTool, SavedSession};
use lerpscope::sampling::Method;

use crate::harness::documents::{CTRL_SHIFT, basilica, open, press, type_text};
use crate::harness::pointer::{button, drag};
use crate::harness::{Window, app};

/// The range of B and C that the plane shows, and the room of its axes' letters.
const RANGE: [f32; 2] = [-0.25, 1.25];
const AXES: [f32; 2] = [24.0, 14.0];

fn method(window: &Window) -> Method {
    let session = app(window).session();
    session.panels()[session.focused()].sampler.method
}

/// A window with Catmull-Rom focused and the designer open.
fn with_designer() -> Window {
    let mut window = basilica();
    press(&mut window, Modifiers::NONE, Key::Num4);
    press(&mut window, Modifiers::NONE, Key::F10);
    assert_eq!(app(&window).session().inspect.state.drawer, Some(DrawerTool::Designer));
    window
}

fn plane(window: &Window) -> Rect {
    window
        .get_by(|node| node.role() == Role::Canvas && node.label().is_some_and(|label| label.starts_with("Plane")))
        .rect()
}

fn plane_name(window: &Window) -> String {
    let plane = window
        .get_by(|node| node.role() == Role::Canvas && node.label().is_some_and(|label| label.starts_with("Plane")));
    plane.accesskit_node().label().expect("a label")
}

/// Where B and C are on the screen.
fn at(window: &Window, b: f32, c: f32) -> Pos2 {
    let plane = plane(window);
    let area = Rect::from_min_max(plane.min + egui::vec2(AXES[0], 0.0), plane.max - egui::vec2(0.0, AXES[1]));
    let share = |value: f32| (value - RANGE[0]) / (RANGE[1] - RANGE[0]);
    Pos2::new(area.left() + area.width() * share(b), area.bottom() - area.height() * share(c))
}

#[test]
fn drag_of_the_point_designs_the_focused_panels_cubic_in_one_undo_step() {
    let mut window = with_designer();
    let before = method(&window);
    let (from, to) = (at(&window, 0.0, 0.5), at(&window, 0.75, 0.9));
    drag(&mut window, from, to);
    let Method::Cubic { b, c } = method(&window) else { panic!("{}", method(&window)) };
    assert!((b.get() - 0.75).abs() < 0.02 && (c.get() - 0.9).abs() < 0.02, "{}", method(&window));
    assert_eq!(plane_name(&window), format!("Plane of cubics: B {:.3}, C {:.3}", b.get(), c.get()));
    window.get_by_label(&format!("--method {}", method(&window)));
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(method(&window), before, "one step");
    press(&mut window, CTRL_SHIFT, Key::Z);
    assert!(matches!(method(&window), Method::Cubic { .. }) && method(&window) != before);
}

#[test]
fn press_near_a_named_cubic_or_the_line_of_keys_takes_it_exactly() {
    let mut window = with_designer();
    for (b, c, expected) in [
        (1.0, 0.0, Method::BSPLINE),
        (0.334, 0.332, Method::MITCHELL),
        (0.0, 0.01, Method::Hermite),
        (0.01, 0.75, Method::keys(-0.75).expect("in range")),
    ] {
        let pos = at(&window, b, c) + egui::vec2(1.0, 1.0);
        drag(&mut window, pos, pos);
        assert_eq!(method(&window), expected, "{b}, {c}");
    }
    let pos = at(&window, 0.6, 0.2) + egui::vec2(1.0, 1.0);
    drag(&mut window, pos, pos);
    let Method::Cubic { b, c } = method(&window) else { panic!("{}", method(&window)) };
    assert!((b.get() + 2.0 * c.get() - 1.0).abs() < 1e-9 && (b.get() - 0.6).abs() < 0.05, "{}", method(&window));
}

#[test]
fn arrow_keys_move_the_point_by_a_hundredth_and_with_shift_by_a_tenth() {
    let mut window = with_designer();
    let pos = at(&window, 0.6, 0.9);
    drag(&mut window, pos, pos);
    let Method::Cubic { b, c } = method(&window) else { panic!("{}", method(&window)) };
    let near = |window: &Window, by: [f64; 2]| {
        let expected = Method::cubic(((b.get() + by[0]) * 1e6).round() / 1e6, ((c.get() + by[1]) * 1e6).round() / 1e6);
        assert_eq!(Ok(method(window)), expected, "{by:?}");
    };
    press(&mut window, Modifiers::NONE, Key::ArrowRight);
    near(&window, [0.01, 0.0]);
    press(&mut window, Modifiers::NONE, Key::ArrowDown);
    near(&window, [0.01, -0.01]);
    press(&mut window, Modifiers::SHIFT, Key::ArrowLeft);
    near(&window, [-0.09, -0.01]);
    press(&mut window, Modifiers::NONE, Key::ArrowUp);
    near(&window, [-0.09, 0.0]);
}

#[test]
fn lanczos_has_a_slider_and_blur_needs_antialias() {
    let mut window = with_designer();
    window.get_by_role_and_label(Role::Tab, "Lanczos kernels").click();
    window.run_ok();
    assert_eq!(method(&window), Method::LANCZOS3);
    let set = |window: &mut Window, name: &str, text: &str| {
        let field = window.get_by(|node| node.role() == Role::SpinButton && node.label().as_deref() == Some(name));
        field.focus();
        window.run_ok();
        press(window, Modifiers::COMMAND, Key::A);
        type_text(window, text);
        press(window, Modifiers::NONE, Key::Enter);
    };
    set(&mut window, "a", "2.5");
    assert_eq!(method(&window), Method::lanczos(2.5).expect("in range"));
    let sampler = |window: &Window| app(window).session().panels()[app(window).session().focused()].sampler;
    let blur = |window: &Window| {
        window
            .get_by(|node| node.role() == Role::SpinButton && node.label().as_deref() == Some("Blur"))
            .accesskit_node()
            .is_disabled()
    };
    assert!(sampler(&window).antialias && !blur(&window));
    for is_off in [true, false] {
        window.get_by(|node| node.role() == Role::CheckBox && node.label().as_deref() == Some("Antialias")).click();
        window.run_ok();
        assert_eq!((sampler(&window).antialias, blur(&window)), (!is_off, is_off));
    }
    set(&mut window, "Blur", "1.25");
    assert_eq!((sampler(&window).antialias, sampler(&window).blur), (true, 1.25));
    window.get_by_role_and_label(Role::Tab, "Cubic kernels").click();
    window.run_ok();
    assert_eq!(method(&window), Method::CATMULL_ROM);
}

#[test]
fn numbers_of_a_cubic_are_inside_the_drawer_of_a_new_window() {
    let mut window = with_designer();
    let catmull_rom = at(&window, 0.0, 0.5);
    for pressed in [true, false] {
        window.event(button(catmull_rom, pressed));
        window.step();
    }
    for text in ["% overshoot at an edge", "largest error on a ramp", "passes through the samples"] {
        let line = window.get_by_label_contains(text).rect();
        assert!(line.bottom() <= plane(&window).bottom() + 0.5, "{text} at {line:?} in {:?}", plane(&window));
    }
}

#[test]
fn kernel_of_another_family_becomes_a_cubic_by_a_press_on_the_plane() {
    let mut window = open(vec!["synth:zone-plate:128x128".into()], None);
    press(&mut window, Modifiers::NONE, Key::Num2);
    press(&mut window, Modifiers::NONE, Key::F10);
    assert_eq!(plane_name(&window), "Plane of cubics: no cubic");
    window.get_by_label_contains("is no cubic");
    let pos = at(&window, 0.0, 0.5);
    drag(&mut window, pos, pos);
    assert_eq!(method(&window), Method::CATMULL_ROM);
}

/// Values that a slider of a tool does not reach: of the command line, of a session, of another version.
const UNUSUAL: [&str; 3] = [
    "method=lanczos=2.345,antialias=on,blur=3",
    "method=cubic=-0.7:1.9,antialias=on,blur=0.123",
    "method=lanczos=7.999,antialias=on,blur=0.505",
];

#[test]
fn opened_tool_changes_nothing_but_the_drawer() {
    for (sampler, content) in UNUSUAL.iter().flat_map(|sampler| [(sampler, "interpolation"), (sampler, "truth")]) {
        let mut window = open(vec!["synth:disc:64x64".into()], None);
        let text = format!(
            "images = ['synth:disc:64x64']\n[[panel]]\nsampler = '{sampler}'\ncontent = '{content}'\nscale = 2.0\n\
             framing = 'free'\n"
        );
        let mut state = SavedSession::parse(&text, "s.toml").expect("a session").state;
        let mut shown = |drawer: Option<DrawerTool>| {
            state.inspect.drawer = drawer;
            assert!(window.state_mut().as_mut().expect("the app").restore_state(&state));
            window.run_ok();
            app(&window).session().state()
        };
        let before = shown(None);
        for row in &DRAWER_TOOLS {
            let mut opened = shown(Some(row.tool));
            assert_eq!(opened.inspect.drawer.take(), Some(row.tool));
            assert_eq!(opened, before, "{} of {sampler}, {content}", row.title);
        }
    }
}
