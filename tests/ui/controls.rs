//! The window without a screen: its controls by their accessible names, keys, hands and files, and what they do to the
//! session.

use std::path::Path;
use std::sync::Arc;

use egui::{Event, Key, Modifiers, MouseWheelSource, MouseWheelUnit, PointerButton, Pos2, TouchPhase, Vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use lerpscope::app::{FIGURE_GROUPS, FigurePanels, Framing, Lerpscope};
use lerpscope::backend::{self, CpuBackend, PixelFormat};
use lerpscope::image::{self, Channels, Depth, Image, Page, Raster, Samples, Size};
use lerpscope::memory::Memory;
use lerpscope::sampling::{AddressMode, Method, SamplingPath};
use lerpscope::view::View;

use crate::harness::documents::{embedded, open_images};
use crate::harness::dropped::Dropped;
use crate::harness::pointer::{pixel_centre, seen_at};
use crate::harness::side_bar::{open_tab, unfold_numbers};
use crate::harness::waiting::press_and_rest as press;
use crate::harness::{Window, app, window_of};

fn open(images: Vec<Image>) -> Window {
    open_images(images, 860.0, 16)
}

fn basilica() -> Window {
    open(embedded())
}

fn view(window: &Window) -> View {
    app(window).session().view()
}

/// The scale that the first panel is seen at.
fn shown_scale(window: &Window) -> f64 {
    app(window).session().shown_view_of(0).scale()
}

fn assert_near(a: [f64; 2], b: [f64; 2]) {
    assert!((a[0] - b[0]).hypot(a[1] - b[1]) < 1e-3, "{a:?} is not {b:?}");
}

fn turn_wheel(window: &mut Window, unit: MouseWheelUnit, delta: [f32; 2], modifiers: Modifiers) {
    window.event(Event::MouseWheel {
        unit,
        delta: Vec2::from(delta),
        phase: TouchPhase::Move,
        source: MouseWheelSource::Unknown,
        modifiers,
    });
    window.run_steps(12);
}

const FIRST: &str = "Panel 1: Nearest (nerp)";
const FOURTH: &str = "Panel 4: Catmull-Rom";

#[test]
fn window_opens_with_four_titled_panels_and_a_fitted_image() {
    let window = basilica();
    for title in ["Nearest (nerp)", "Linear (lerp)", "Cubic B-spline (bicubic)", "Catmull-Rom"] {
        assert!(window.query_all_by_label(title).count() >= 1, "{title}");
    }
    let session = app(&window).session();
    assert_eq!(session.view(), View::fit(session.fit_area(), session.page().size()));
    for index in 0..4 {
        let name = format!("Panel {}: {}", index + 1, session.panels()[index].sampler.method.title());
        let rect = window.get_by_label(&name).rect();
        assert_eq!(rect.size(), Vec2::new(session.output().width() as f32, session.output().height() as f32));
        assert_eq!(app(&window).picture(index).expect("a picture").pixels().size(), session.output());
    }
}

#[test]
fn panel_pixels_equal_the_backends() {
    let window = basilica();
    let session = app(&window).session();
    for index in 0..4 {
        let expected =
            backend::render(&mut CpuBackend::new(), session.image(), &session.request(index), PixelFormat::TEXTURE)
                .expect("a picture");
        assert_eq!(app(&window).picture(index).expect("a picture").pixels(), &expected);
    }
}

/// The coefficients of 512 × 512 samples with their halo take 1.1 MiB.
#[test]
fn prefilter_beyond_the_memory_is_refused_in_its_panel_only() {
    let images = vec![image::embedded().expect("the embedded image").image];
    let builder = Harness::builder().with_size([1280.0, 860.0]).with_max_steps(16);
    let backend = Box::new(CpuBackend::within(Memory::Bytes(1 << 20)));
    let mut window = window_of(builder, move |ctx| Lerpscope::new(ctx, images, backend).expect("an image"));
    window.run();
    press(&mut window, Modifiers::COMMAND, Key::Tab);
    press(&mut window, Modifiers::COMMAND, Key::Tab);
    let refusal =
        |window: &Window, panel| app(window).picture(panel).expect("a picture").refusal().map(ToString::to_string);
    assert_eq!((0..4).find_map(|panel| refusal(&window, panel)), None);
    press(&mut window, Modifiers::NONE, Key::P);
    let why = refusal(&window, 2).expect("a refusal");
    assert!(why.starts_with("not enough memory: ") && why.contains("1.0 MiB available"), "{why}");
    assert!(why.contains("the B-spline coefficients of 512×512 samples take"), "{why}");
    assert!(window.query_by_label_contains("not enough memory").is_some(), "the panel says so");
    assert_eq!([0, 1, 3].into_iter().find_map(|panel| refusal(&window, panel)), None);
    press(&mut window, Modifiers::NONE, Key::P);
    assert_eq!(refusal(&window, 2), None);
}

#[test]
fn keys_change_the_focused_panel_only() {
    let mut window = basilica();
    let sampler = |window: &Window| app(window).session().panels()[app(window).session().focused()].sampler;
    press(&mut window, Modifiers::COMMAND, Key::Tab);
    press(&mut window, Modifiers::COMMAND, Key::Tab);
    assert_eq!(app(&window).session().focused(), 2);
    press(&mut window, Modifiers::NONE, Key::P);
    press(&mut window, Modifiers::NONE, Key::T);
    assert!(sampler(&window).prefilter);
    assert_eq!(sampler(&window).path, SamplingPath::Filtered);
    press(&mut window, Modifiers::NONE, Key::K);
    assert_eq!(sampler(&window).method, Method::CATMULL_ROM);
    press(&mut window, Modifiers::SHIFT, Key::K);
    assert_eq!(sampler(&window).method, Method::BSPLINE);
    press(&mut window, Modifiers::NONE, Key::A);
    assert_eq!(sampler(&window).address, [AddressMode::Border; 2]);
    press(&mut window, Modifiers::SHIFT, Key::A);
    assert_eq!(sampler(&window).address, [AddressMode::Wrap, AddressMode::Border]);
    press(&mut window, Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::A);
    assert_eq!(sampler(&window).address, [AddressMode::Wrap, AddressMode::Wrap]);
}

#[test]
fn zoom_pan_and_back_keys_change_the_view() {
    let mut window = basilica();
    press(&mut window, Modifiers::NONE, Key::Num1);
    assert_eq!(view(&window).scale(), 1.0);
    press(&mut window, Modifiers::NONE, Key::Plus);
    assert_eq!(view(&window).scale(), 1.0 / 1.5);
    press(&mut window, Modifiers::NONE, Key::Num8);
    let at_eight = view(&window);
    assert_eq!(at_eight.scale(), 0.125);
    press(&mut window, Modifiers::SHIFT, Key::ArrowRight);
    assert_eq!(view(&window).translation()[0], at_eight.translation()[0] + 1.0);
    press(&mut window, Modifiers::COMMAND, Key::ArrowDown);
    assert_eq!(view(&window).translation()[1], at_eight.translation()[1] + 0.0625);
    press(&mut window, Modifiers::NONE, Key::F);
    assert_eq!(app(&window).session().framing(), Framing::Fit);
    press(&mut window, Modifiers::NONE, Key::Backspace);
    assert_eq!(view(&window).scale(), 0.125);
}

/// A window with this many seconds from frame to frame.
fn at_pace(seconds: f32) -> Window {
    let images = vec![image::embedded().expect("the embedded image").image];
    let builder = Harness::builder().with_size([1280.0, 860.0]).with_max_steps(64).with_step_dt(seconds);
    let mut window =
        window_of(builder, move |ctx| Lerpscope::new(ctx, images, Box::new(CpuBackend::new())).expect("an image"));
    window.run();
    window
}

/// What the first panel's picture shows at the moment.
fn shown(window: &Window) -> View {
    app(window).session().request(0).view
}

#[test]
fn view_key_animates_to_the_exact_end() {
    let mut window = at_pace(1.0 / 60.0);
    let fitted = shown(&window);
    let seen = |window: &Window| -> [f64; 2] {
        let session = app(window).session();
        shown(window).image_from_output(session.output(), session.page().size()).at(session.middle())
    };
    for (modifiers, key) in [
        (Modifiers::NONE, Key::Num8),
        (Modifiers::NONE, Key::Plus),
        (Modifiers::NONE, Key::ArrowRight),
        (Modifiers::SHIFT, Key::ArrowDown),
        (Modifiers::COMMAND, Key::Minus),
        (Modifiers::NONE, Key::F),
        (Modifiers::NONE, Key::Backspace),
    ] {
        let (before, middle) = (shown(&window), seen(&window));
        window.key_press_modifiers(modifiers, key);
        window.step();
        // A fitted image stands off the middle, beside its inset.
        let target = if app(&window).session().framing() == Framing::Fit { fitted } else { view(&window) };
        let mut shown_on_the_way = Vec::new();
        while app(&window).session().is_animating() {
            shown_on_the_way.push(shown(&window));
            let pictured = app(&window).picture(0).expect("a picture").pixels();
            let session = app(&window).session();
            let expected =
                backend::render(&mut CpuBackend::new(), session.image(), &session.request(0), PixelFormat::TEXTURE);
            assert_eq!(pictured, &expected.expect("a picture"), "{key:?}");
            window.step();
        }
        assert!((5..12).contains(&shown_on_the_way.len()), "{key:?}: {} frames", shown_on_the_way.len());
        assert_ne!(shown_on_the_way[0], target, "{key:?}");
        assert_ne!(shown_on_the_way[0], before, "{key:?} is answered in its own frame");
        assert_eq!(shown(&window), target, "{key:?}");
        if key == Key::Plus {
            let now = seen(&window);
            assert!((now[0] - middle[0]).abs() <= 0.5 && (now[1] - middle[1]).abs() <= 0.5, "{now:?} {middle:?}");
        }
        assert!(window.run() <= 2, "{key:?}: at rest nothing is drawn");
    }
}

#[test]
fn drag_during_an_animation_starts_from_the_shown_view() {
    let mut window = at_pace(1.0 / 60.0);
    window.key_press(Key::Num1);
    window.run();
    // Two steps in quick succession lead as far as two slow ones.
    for _ in 0..2 {
        window.key_press(Key::Plus);
        window.step();
    }
    assert_eq!(view(&window).scale(), 0.5);
    window.run();
    let pos = window.get_by_label(FIRST).rect().min + Vec2::new(100.0, 200.0);
    window.hover_at(pos);
    window.run();
    window.key_press(Key::Num9);
    (0..4).for_each(|_| window.step());
    assert!(app(&window).session().is_animating());
    let (seen, scale) = (shown(&window), shown(&window).scale());
    turn_wheel(&mut window, MouseWheelUnit::Line, [0.0, 1.0], Modifiers::NONE);
    assert!(!app(&window).session().is_animating());
    assert!(view(&window).scale() < scale && view(&window).scale() > scale / 1.5, "{seen:?} {:?}", view(&window));
    // Back is where the panels looked: the end of the way, then its start.
    for scale in [1.0 / 9.0, 0.5] {
        window.key_press(Key::Backspace);
        window.run();
        assert_eq!(view(&window).scale(), scale);
    }
}

#[test]
fn wheel_zooms_about_the_cursor_and_trackpad_pans() {
    let mut window = basilica();
    // The centre of the pixel that has the cursor, whose values the status line reads.
    let pos = window.get_by_label(FIRST).rect().min + Vec2::new(100.5, 200.5);
    for within in [-0.5, 0.0, 0.4] {
        window.hover_at(pos + Vec2::splat(within));
        window.run();
        let before = (shown_scale(&window), seen_at(&window, FIRST, pos));
        turn_wheel(&mut window, MouseWheelUnit::Line, [0.0, 3.0], Modifiers::NONE);
        assert!((view(&window).scale() * 1.2_f64.powi(3) / before.0 - 1.0).abs() < 1e-12);
        assert_near(seen_at(&window, FIRST, pos), before.1);
    }
    // A pause, so that a new burst begins.
    window.run_steps(4);
    let before = seen_at(&window, FIRST, pos);
    turn_wheel(&mut window, MouseWheelUnit::Point, [5.0, -7.0], Modifiers::NONE);
    assert_near(seen_at(&window, FIRST, pos + Vec2::new(5.0, -7.0)), before);
    let scale = view(&window).scale();
    window.event(Event::Zoom(2.0));
    window.run();
    assert_eq!(view(&window).scale(), scale / 2.0);
}

#[test]
fn drag_keeps_the_sample_under_the_pointer() {
    let mut window = basilica();
    press(&mut window, Modifiers::NONE, Key::Num4);
    let start = window.get_by_label(FOURTH).rect().center();
    window.hover_at(start);
    window.run();
    let grabbed = seen_at(&window, FOURTH, start);
    window.drag_at(start);
    window.run();
    for step in 1..=20 {
        let pos = start + Vec2::new(-3.0, 1.7) * step as f32;
        window.hover_at(pos);
        window.run();
        assert_near(seen_at(&window, FOURTH, pos), grabbed);
    }
    assert_eq!(app(&window).session().focused(), 3);
    window.drop_at(start);
    window.run();
    press(&mut window, Modifiers::NONE, Key::Backspace);
    assert_eq!(view(&window).scale(), 0.25);
    assert_near(seen_at(&window, FOURTH, start), grabbed);
}

#[test]
fn drag_within_one_frame_moves_the_view() {
    let mut window = basilica();
    press(&mut window, Modifiers::NONE, Key::Num4);
    let (start, end) = (window.get_by_label(FIRST).rect().center(), Vec2::new(30.0, -12.0));
    window.hover_at(start);
    window.run();
    let grabbed = seen_at(&window, FIRST, start);
    for (pos, pressed) in [(start, true), (start + end, false)] {
        let button = PointerButton::Primary;
        window.input_mut().events.push(Event::PointerMoved(pos));
        window.input_mut().events.push(Event::PointerButton { pos, button, pressed, modifiers: Modifiers::NONE });
    }
    window.run();
    assert_near(seen_at(&window, FIRST, start + end), grabbed);
}

#[test]
fn double_click_toggles_fit_and_100_percent() {
    let mut window = basilica();
    // On the image, which is at the left of its inset.
    let pos = pixel_centre(window.get_by_label(FIRST).rect().center() - Vec2::new(121.0, 33.0));
    let double_click = |window: &mut Window| {
        window.hover_at(pos);
        for pressed in [true, false, true, false] {
            let button = PointerButton::Primary;
            window.input_mut().events.push(Event::PointerButton { pos, button, pressed, modifiers: Modifiers::NONE });
        }
        window.run();
    };
    let seen = seen_at(&window, FIRST, pos);
    double_click(&mut window);
    assert_eq!(view(&window).scale(), 1.0);
    let now = seen_at(&window, FIRST, pos);
    assert!((now[0] - seen[0]).abs() <= 0.5 && (now[1] - seen[1]).abs() <= 0.5, "{now:?} {seen:?}");
    window.run_steps(8);
    double_click(&mut window);
    assert_eq!(app(&window).session().framing(), Framing::Fit);
}

#[test]
fn two_finger_touch_pans_and_zooms() {
    let mut window = basilica();
    let middle = window.get_by_label(FIRST).rect().center();
    // The first finger moves the pointer too, as on a real touch screen.
    let touch = |window: &mut Window, phase: TouchPhase, fingers: &[(u64, Pos2)]| {
        for &(id, pos) in fingers {
            if id == 0 {
                window.input_mut().events.push(Event::PointerMoved(pos));
            }
            if id == 0 && phase != TouchPhase::Move {
                let (button, pressed) = (PointerButton::Primary, phase == TouchPhase::Start);
                let press = Event::PointerButton { pos, button, pressed, modifiers: Modifiers::NONE };
                window.input_mut().events.push(press);
            }
            let device_id = egui::TouchDeviceId(0);
            let event = Event::Touch { device_id, id: egui::TouchId::from(id), phase, pos, force: None };
            window.input_mut().events.push(event);
        }
        window.step();
    };
    let around = |middle: Pos2, reach: f32| [(0, middle - Vec2::new(reach, 0.0)), (1, middle + Vec2::new(reach, 0.0))];
    let scale = shown_scale(&window);
    let fingers = around(middle, 40.0);
    touch(&mut window, TouchPhase::Start, &fingers[..1]);
    touch(&mut window, TouchPhase::Start, &fingers[1..]);
    let seen = seen_at(&window, FIRST, middle);
    for step in 1..=10 {
        let moved = middle + Vec2::new(2.0, -3.0) * step as f32;
        touch(&mut window, TouchPhase::Move, &around(moved, 40.0 + 4.0 * step as f32));
        assert_near(seen_at(&window, FIRST, moved), seen);
    }
    assert!((scale / view(&window).scale() - 2.0).abs() < 1e-5, "{}", scale / view(&window).scale());
    touch(&mut window, TouchPhase::End, &around(middle, 80.0));
    window.run();
}

#[test]
fn view_numbers_are_edited_at_full_precision() {
    let mut window = basilica();
    unfold_numbers(&mut window);
    for (name, text) in [("Samples per pixel", "1/8"), ("Move x", "100.015625"), ("Move y", "-0.1"), ("Angle", "30")] {
        window.get_by_role_and_label(egui::Role::SpinButton, name).focus();
        window.run();
        window.get_by_role_and_label(egui::Role::SpinButton, name).type_text(text);
        window.run();
        window.key_press(Key::Enter);
        window.run();
    }
    let expected = View::new([100.015625, -0.1], 0.125).and_then(|view| view.rotated(30.0)).expect("a view");
    assert_eq!(view(&window), expected);
    assert_eq!(app(&window).session().framing(), Framing::Free);
}

#[test]
fn long_number_keeps_the_panel_widths() {
    let mut window = basilica();
    unfold_numbers(&mut window);
    let before = app(&window).session().output();
    for text in ["-0.000000000000028421709430404007", "-1.2345678901234567e-14", "-123456.78901234567"] {
        window.get_by_role_and_label(egui::Role::SpinButton, "Move y").focus();
        window.run();
        window.get_by_role_and_label(egui::Role::SpinButton, "Move y").type_text(text);
        window.run();
        window.key_press(Key::Enter);
        window.run();
        assert_eq!(view(&window).translation()[1], text.parse::<f64>().expect("a number"));
        assert_eq!(app(&window).session().output(), before, "{text}");
    }
}

#[test]
fn keys_during_number_entry_reach_the_field_only() {
    let mut window = basilica();
    unfold_numbers(&mut window);
    window.get_by_role_and_label(egui::Role::SpinButton, "Move x").focus();
    window.run();
    let before = app(&window).session().panels().to_vec();
    press(&mut window, Modifiers::NONE, Key::K);
    press(&mut window, Modifiers::NONE, Key::Num2);
    assert_eq!(app(&window).session().panels(), &before[..]);
    assert_eq!(app(&window).session().framing(), Framing::Fit);
}

#[test]
fn figures_of_one_panel_set_its_view_and_its_sampler() {
    let mut window = basilica();
    open_tab(&mut window, "Learn", Some("Figures"));
    for figure in FIGURE_GROUPS[0].figures {
        let FigurePanels::One(panel) = figure.panels else { continue };
        window.get_by_label(&format!("{}  {}", figure.number, figure.title)).click();
        window.run();
        let session = app(&window).session();
        assert_eq!(session.view(), panel.place.view(session.fit_area(), session.page().size()));
        let sampler = session.panels()[session.focused()].sampler;
        assert_eq!((sampler.method, sampler.address, sampler.path), (panel.method, panel.address, panel.path));
    }
    let methods: Vec<_> = app(&window).session().panels().iter().map(|panel| panel.sampler.method).collect();
    assert_eq!(methods, [Method::Nearest, Method::Linear, Method::BSPLINE, Method::CATMULL_ROM]);
}

#[test]
fn figures_of_every_document_show_their_panels_and_tools() {
    let mut window = basilica();
    open_tab(&mut window, "Learn", Some("Figures"));
    for group in &FIGURE_GROUPS {
        window.get_by_role_and_label(egui::Role::RadioButton, &format!("Figures: {}", group.title)).click();
        window.run();
        for figure in group.figures {
            window.get_by_label(&format!("{}  {}", figure.number, figure.title)).click();
            window.run_ok();
            let session = app(&window).session();
            assert!(figure.is_shown(session), "{} of {}", figure.title, group.title);
            if let FigurePanels::Set(panels) = figure.panels {
                assert_eq!(session.panels().len(), panels.len(), "{}", figure.title);
            }
        }
    }
    let session = app(&window).session();
    assert!(session.panels().iter().filter(|panel| panel.filters.is_active()).count() == 5, "the results of task 1");
}

#[test]
fn header_menus_change_method_and_address() {
    let mut window = basilica();
    window.get_by_role_and_label(egui::Role::Button, "Catmull-Rom").click();
    window.run();
    window.get_by_label("Lanczos 3").click();
    window.run();
    assert_eq!(app(&window).session().panels()[3].sampler.method, Method::LANCZOS3);
    window.get_by_label("Panel 1 menu").click();
    window.run();
    window.get_by_label("Address mode: Clamp").click();
    window.run();
    window.get_by_label("Mirror along y").click();
    window.run();
    assert_eq!(app(&window).session().panels()[0].sampler.address, [AddressMode::Clamp, AddressMode::Mirror]);
}

#[test]
fn values_under_the_cursor_are_shown_at_full_precision() {
    let mut window = basilica();
    press(&mut window, Modifiers::NONE, Key::Num8);
    let corner = window.get_by_label(FOURTH).rect().min;
    window.hover_at(corner + Vec2::new(123.0, 45.0));
    window.run();
    let reading = app(&window).reading().expect("a reading").clone();
    let session = app(&window).session();
    assert_eq!(reading.values.len(), 4);
    for (panel, values) in reading.values {
        let index = session.index_of(panel).expect("an open panel");
        let whole = backend::render(
            &mut CpuBackend::new(),
            session.image(),
            &session.request(index),
            PixelFormat::file(Depth::Float),
        )
        .expect("a picture");
        assert!((values[0] - whole.number(123, 45, 0)).abs() < 2e-6, "panel {index}");
    }
    window.event(Event::PointerGone);
    window.run();
    assert!(app(&window).reading().is_none());
}

#[test]
fn unsupported_path_shows_its_reason_and_offers_the_exact_path() {
    let mut window = basilica();
    let mut state = app(&window).session().state();
    state.panels[0].sampler.path = SamplingPath::Tiled;
    state.panels[0].view = state.panels[0].view.rotated(30.0).expect("an angle");
    state.panels[0].framing = Framing::Free;
    assert!(window.state_mut().as_mut().expect("the app").restore_state(&state));
    window.run();
    window.get_by_label_contains("does not serve a rotated view");
    window.get_by_label("Use the exact path").click();
    window.run();
    assert!(window.query_by_label_contains("does not serve").is_none());
    assert_eq!(app(&window).session().panels()[0].sampler.path, SamplingPath::Auto);
}

fn drop_file(window: &mut Window, path: &Path, until: impl Fn(&Window) -> bool) {
    window.input_mut().dropped_files.push(Arc::new(Dropped(path.to_owned())));
    for _ in 0..200 {
        window.run_ok();
        if until(window) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    panic!("{} never arrived", path.display());
}

#[test]
fn dropped_file_is_shown_or_its_error_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let (broken, good) = (folder.path().join("broken.pgm"), folder.path().join("good.pgm"));
    std::fs::write(&broken, "P5 4 4 255\nab").expect("a file");
    std::fs::write(&good, "P2 3 2 15\n1 2 3 4 5 6\n").expect("a file");
    let mut window = basilica();
    let before = view(&window);
    drop_file(&mut window, &broken, |window| window.query_by_label_contains("broken.pgm").is_some());
    assert_eq!(view(&window), before);
    assert_eq!(app(&window).session().images().len(), 1);
    drop_file(&mut window, &good, |window| app(window).session().images().len() == 2);
    let session = app(&window).session();
    assert_eq!(session.image().name(), "good.pgm");
    assert_eq!(session.view(), View::fit(session.fit_area(), session.page().size()));
}

#[test]
fn side_bar_selects_pages() {
    let size = Size::new(4, 4).expect("a size");
    let page = |value: u8| {
        let samples = Samples::U8 { values: vec![value; size.area()], maxval: 255 };
        Page::new(Raster::new(size, Channels::Grey, samples).expect("a raster"))
    };
    let mut window = open(vec![Image::new("pages", vec![page(10), page(200)]).expect("an image")]);
    open_tab(&mut window, "View", Some("Details"));
    window.get_by_role_and_label(egui::Role::SpinButton, "Page").increment_accesskit();
    window.run();
    assert_eq!(app(&window).session().page_index(), 1);
    assert_eq!(app(&window).picture(0).expect("a picture").pixels().number(5, 5, 0), 200.0);
}

#[test]
fn help_command_toggles_the_key_list() {
    let mut window = basilica();
    press(&mut window, Modifiers::NONE, Key::F1);
    window.get_by_label("Sample grid");
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert!(window.query_by_label("Sample grid").is_none());
    press(&mut window, Modifiers::NONE, Key::H);
    assert!(window.query_by_label("Overview").is_none());
    press(&mut window, Modifiers::NONE, Key::H);
    assert!(window.query_by_label("Overview").is_some());
}

#[test]
fn idle_window_requests_no_frame() {
    let mut window = basilica();
    let frames = window.run();
    assert!(frames <= 2, "{frames} frames");
}
