//! Looking closely, without a screen: overlays, measurements, the display's controls and what drags do beside moving.

use egui::emath::GuiRounding as _;
use egui::{
    Event, Key, Modifiers, MouseWheelSource, MouseWheelUnit, PointerButton, Pos2, Rect, Role, Shape, TouchPhase, Vec2,
};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lerpscope::app::{COORDINATES, Coordinates, Framing, Inspect, Lerpscope, Tool, Unit, WheelDevice};
use lerpscope::backend::{self, ColourMap, CpuBackend, Display, PixelFormat};
use lerpscope::image::{self, Depth, Region};
use lerpscope::view::View;

use crate::harness::painted::shapes;
use crate::harness::saving::save_plot;
use crate::harness::side_bar::{open_tab, unfold_display};
use crate::harness::waiting::press_and_rest as press;
use crate::harness::{Window, app, window_of};

fn basilica() -> Window {
    at_pace(0.25)
}

/// A window with this many seconds from frame to frame.
fn at_pace(seconds: f32) -> Window {
    let images = vec![image::embedded().expect("the embedded image").image];
    let builder = Harness::builder().with_size([1280.0, 1800.0]).with_max_steps(64).with_step_dt(seconds);
    let mut window =
        window_of(builder, move |ctx| Lerpscope::new(ctx, images, Box::new(CpuBackend::new())).expect("an image"));
    window.run();
    window
}

fn inspect(window: &Window) -> &Inspect {
    &app(window).session().inspect
}

fn displays(window: &Window) -> Vec<Display> {
    app(window).session().panels().iter().map(|panel| panel.display).collect()
}

const SECOND: &str = "Panel 2: Linear (lerp)";

fn middle(window: &Window) -> Pos2 {
    window.get_by_label(SECOND).rect().center()
}

/// The place of the image under `pos` of the second panel.
fn seen_at(window: &Window, pos: Pos2) -> [f64; 2] {
    let session = app(window).session();
    let corner = window.get_by_label(SECOND).rect().min;
    let output = [f64::from(pos.x - corner.x) - 0.5, f64::from(pos.y - corner.y) - 0.5];
    session.shown_view_of(1).image_from_output(session.output(), session.page_of(1).size()).at(output)
}

/// Drags from one place to another with a button, keys held down.
fn drag(window: &mut Window, (from, to): (Pos2, Pos2), button: PointerButton, modifiers: Modifiers) {
    window.hover_at(from);
    window.run();
    window.event(Event::ModifiersChanged(modifiers));
    window.event(Event::PointerButton { pos: from, button, pressed: true, modifiers });
    window.step();
    for step in 1..=4 {
        window.event(Event::PointerMoved(from + (to - from) * (step as f32 / 4.0)));
        window.step();
    }
    window.event(Event::PointerButton { pos: to, button, pressed: false, modifiers });
    window.step();
    window.event(Event::ModifiersChanged(Modifiers::NONE));
    window.run();
}

#[test]
fn overlay_keys_keep_panel_pixels() {
    let mut window = basilica();
    press(&mut window, Modifiers::NONE, Key::Num9);
    (0..6).for_each(|_| press(&mut window, Modifiers::NONE, Key::Plus));
    let pixels = |window: &Window| app(window).picture(1).expect("a picture").pixels().clone();
    let before = pixels(&window);
    for key in [Key::V, Key::G, Key::B] {
        press(&mut window, Modifiers::NONE, key);
    }
    press(&mut window, Modifiers::SHIFT, Key::C);
    let found = inspect(&window);
    assert!(found.state.has_values && found.state.has_grid && found.state.shows_outside && found.state.marks_clipping);
    assert_eq!(pixels(&window), before);
    let frames = window.run();
    assert!(frames <= 2, "{frames} frames at rest");
    for key in [Key::V, Key::G, Key::B] {
        press(&mut window, Modifiers::NONE, key);
    }
    let found = inspect(&window);
    assert!(!found.state.has_values && !found.state.has_grid && !found.state.shows_outside);
}

#[test]
fn menu_of_values_has_the_conventions_of_positions_and_the_line_begins_with_the_hint_without_a_cursor() {
    let mut window = basilica();
    let has = |window: &Window, text: &str| window.query_by_role_and_label(Role::Label, text).is_some();
    let begins_with_hint = |window: &Window| {
        let hints = ["Scroll to zoom", "Point at a picture"];
        let places = hints.into_iter().flat_map(|hint| window.query_all_by_label_contains(hint));
        places.map(|node| node.rect().left()).fold(f32::INFINITY, f32::min) < 40.0
    };
    assert!(begins_with_hint(&window));
    let size = app(&window).session().page().size();
    for row in [1, 2, 0].map(|place| &COORDINATES[place]) {
        // The pointer leaves the pictures on its way to the menu.
        window.get_by_role_and_label(Role::Button, "Unit of values").click();
        window.run();
        window.get_by_label(row.title).click();
        window.run();
        assert_eq!(app(&window).preferences().coordinates, row.coordinates);
        let pos = middle(&window);
        window.hover_at(pos);
        window.run();
        let [x, y] = app(&window).reading().expect("a reading").pos_in_image;
        let [first, second] = match row.coordinates {
            Coordinates::Sample => [format!("x {x:.2}"), format!("y {y:.2}")],
            Coordinates::Texel => [format!("x + ½ {:.2}", x + 0.5), format!("y + ½ {:.2}", y + 0.5)],
            Coordinates::Normalized => {
                let [u, v] = [(x + 0.5) / f64::from(size.width()), (y + 0.5) / f64::from(size.height())];
                [format!("u {u:.5}"), format!("v {v:.5}")]
            }
        };
        assert!(has(&window, &first) && has(&window, &second), "{first} {second}");
        window.event(Event::PointerGone);
        window.run();
        assert!(!has(&window, &first) && begins_with_hint(&window), "the cursor is over no picture");
    }
}

/// The texts that are painted and contain `part`.
fn painted(window: &Window, part: &str) -> Vec<String> {
    let text = |shape: &Shape| match shape {
        Shape::Text(text) => Some(text.galley.text().to_owned()),
        _ => None,
    };
    window.output().shapes.iter().filter_map(|shape| text(&shape.shape)).filter(|text| text.contains(part)).collect()
}

#[test]
fn ghosts_of_wrap_and_mirror_say_what_cuda_makes_of_them_and_others_do_not() {
    let mut window = basilica();
    press(&mut window, Modifiers::NONE, Key::X);
    (0..4).for_each(|_| press(&mut window, Modifiers::NONE, Key::Minus));
    press(&mut window, Modifiers::NONE, Key::B);
    let note = "CUDA: clamp, unless coordinates are normalized";
    for has_note in [false, false, true, true] {
        let name = app(&window).session().panels()[0].sampler.address[0].to_string();
        let labels = painted(&window, &format!("x {name}"));
        assert!(!labels.is_empty(), "{name} is named");
        assert_eq!(labels.iter().any(|label| label.contains(note)), has_note, "{name}: {labels:?}");
        press(&mut window, Modifiers::NONE, Key::A);
    }
}

/// Names are read over the borders of the copies and over the grid.
#[test]
fn names_of_regions_outside_are_painted_over_all_lines() {
    let mut window = basilica();
    press(&mut window, Modifiers::NONE, Key::X);
    (0..4).for_each(|_| press(&mut window, Modifiers::NONE, Key::Minus));
    press(&mut window, Modifiers::NONE, Key::B);
    // To wrap, whose copies have borders.
    (0..2).for_each(|_| press(&mut window, Modifiers::NONE, Key::A));
    let picture = window.get_by_label("Panel 1: Nearest (nerp) · wrap").rect();
    let (mut names, mut lines) = (Vec::new(), Vec::new());
    for (place, shape) in shapes(&window).into_iter().enumerate() {
        match shape {
            Shape::Text(text) if text.galley.text().starts_with("x wrap") && picture.contains(text.pos) => {
                names.push(place);
            }
            Shape::LineSegment { points, .. } if points.iter().all(|end| picture.expand(1.0).contains(*end)) => {
                lines.push(place);
            }
            Shape::Path(path) if path.closed && path.fill == egui::Color32::TRANSPARENT => {
                let middle = path.visual_bounding_rect().center();
                lines.extend(picture.contains(middle).then_some(place));
            }
            _ => {}
        }
    }
    let (first, last) = (names.iter().min().expect("names"), lines.iter().max().expect("lines"));
    assert!(first > last, "names at {names:?}, lines at {lines:?}");
}

#[test]
fn values_are_shown_in_the_chosen_unit() {
    let mut window = basilica();
    press(&mut window, Modifiers::NONE, Key::Num8);
    let pos = middle(&window);
    window.hover_at(pos);
    window.run();
    let value = app(&window).reading().expect("a reading").values[1].1[0];
    for unit in [Unit::File, Unit::One, Unit::Byte, Unit::Word, Unit::Hex] {
        assert_eq!(app(&window).preferences().unit, unit);
        let text = unit.text(value, 255);
        assert!(window.query_all_by_label_contains(&text).count() >= 1, "{text}");
        press(&mut window, Modifiers::NONE, Key::U);
    }
    assert_eq!(app(&window).preferences().unit, Unit::File);
}

/// At 4096× a panel shows a part of one sample.
#[test]
fn value_of_a_sample_that_is_larger_than_its_panel_stays_in_sight() {
    let mut window = basilica();
    press(&mut window, Modifiers::NONE, Key::V);
    let pos = middle(&window);
    for (zoom, shift) in [(64.0, 0.0), (512.0, 0.3), (4096.0, 0.3), (4096.0, -0.45)] {
        let mut state = app(&window).session().state();
        for panel in &mut state.panels {
            panel.view = View::new([20.0 + shift, 10.0 + shift], 1.0 / zoom).expect("a view");
            panel.framing = Framing::Free;
        }
        assert!(window.state_mut().as_mut().expect("the app").restore_state(&state));
        window.run();
        window.hover_at(pos);
        window.run();
        let panel = window.get_by_label_contains("Panel 1: ").rect();
        let numbers: Vec<(String, Rect)> = crate::harness::painted::texts(&window, panel)
            .into_iter()
            .filter(|(text, _)| text.parse::<u8>().is_ok())
            .collect();
        assert!(!numbers.is_empty(), "{zoom}× {shift}");
        if zoom > 1000.0 {
            assert!(numbers.iter().all(|(_, rect)| panel.contains_rect(*rect)), "{numbers:?} in {panel:?}");
        }
    }
}

/// Of what lies outside an image, numbers and lines stand only where it is shown.
#[test]
fn covered_outside_has_neither_values_nor_grid() {
    let mut window = crate::harness::documents::open_settled("synth:zone-plate:7x5", 1400.0);
    press(&mut window, Modifiers::NONE, Key::V);
    press(&mut window, Modifiers::NONE, Key::G);
    let panel = window.get_by_label_contains("Panel 1: ").rect();
    // A number is drawn over its rim.
    let numbers = |window: &Window| {
        let texts = crate::harness::painted::texts(window, panel);
        let numbers = texts.iter().filter(|(text, _)| text.parse::<f32>().is_ok());
        let mut places: Vec<Pos2> = Vec::new();
        for place in numbers.map(|(_, rect)| rect.center()) {
            if places.iter().all(|other| other.distance(place) > 10.0) {
                places.push(place);
            }
        }
        places.len()
    };
    let lines = |window: &Window| {
        let is_of_panel = |shape: &Shape| matches!(shape, Shape::LineSegment { points, .. } if points.iter().all(|point| panel.contains(*point)));
        shapes(window).iter().filter(|shape| is_of_panel(shape)).count()
    };
    // A dark and a light line at each edge of a sample.
    assert_eq!((numbers(&window), lines(&window)), (7 * 5, 2 * (8 + 6)));
    press(&mut window, Modifiers::NONE, Key::A);
    assert!(numbers(&window) > 7 * 5 && lines(&window) != 2 * (8 + 6), "the outside is shown");
}

#[test]
fn held_loupe_key_changes_no_state() {
    let mut window = basilica();
    let pos = middle(&window);
    window.hover_at(pos);
    window.key_down(Key::Z);
    window.run();
    let view = app(&window).session().view();
    window.key_up(Key::Z);
    window.run();
    assert_eq!(app(&window).session().view(), view);
}

/// In reduced views a pixel is several samples: the position of the click and that of the middle of its pixel differ.
#[test]
fn pin_of_a_click_is_where_the_status_line_reads() {
    let mut window = basilica();
    for key in [Key::F, Key::Num1, Key::Num8] {
        press(&mut window, Modifiers::NONE, key);
        for by in [Vec2::new(30.0, -20.0), Vec2::new(-17.5, 11.25), Vec2::new(4.9, 60.1)] {
            let pos = middle(&window).floor() + by;
            window.hover_at(pos);
            window.run();
            let read = |window: &Window, axis: &str| {
                let nodes = window.query_all_by_label_contains(axis);
                let texts = nodes.filter_map(|node| node.accesskit_node().value());
                texts.into_iter().find(|text| text.starts_with(axis)).expect(axis)
            };
            let line = ["x ", "y "].map(|axis| read(&window, axis));
            drag(&mut window, (pos, pos), PointerButton::Primary, Modifiers::COMMAND);
            press(&mut window, Modifiers::SHIFT, Key::P);
            let pins = &inspect(&window).state.pins;
            let [.., by_click, by_key] = pins[..] else { panic!("{pins:?}") };
            assert_eq!(by_click, by_key, "{key:?} {by:?}");
            let [x, y] = by_click;
            assert_eq!(line, [format!("x {x:.2}"), format!("y {y:.2}")], "{key:?} {by:?}");
            press(&mut window, Modifiers::COMMAND, Key::Z);
            press(&mut window, Modifiers::COMMAND, Key::Z);
        }
    }
}

#[test]
fn pins_are_set_by_click_and_key_then_listed_and_removed() {
    let mut window = basilica();
    press(&mut window, Modifiers::NONE, Key::Num4);
    let pos = middle(&window) + Vec2::new(30.0, -20.0);
    let place = seen_at(&window, pos);
    drag(&mut window, (pos, pos), PointerButton::Primary, Modifiers::COMMAND);
    assert_eq!(inspect(&window).state.pins.len(), 1);
    let pin = inspect(&window).state.pins[0];
    // The middle of a pixel, four of which are a sample.
    assert!((0..2).all(|axis| (pin[axis] - place[axis]).abs() < 0.126), "{pin:?} {place:?}");
    window.hover_at(pos + Vec2::new(50.0, 0.0));
    window.run();
    press(&mut window, Modifiers::SHIFT, Key::P);
    assert_eq!(inspect(&window).state.pins.len(), 2);
    let line = window.query_all_by_label("4 Catmull-Rom").count();
    assert!(line >= 2, "{line} lines of Catmull-Rom");
    window.get_by_label("Remove pin 1").click();
    window.run();
    assert_eq!(inspect(&window).state.pins.len(), 1);
}

#[test]
fn shift_drag_selects_the_histogram_region() {
    let mut window = basilica();
    window.get_by_role_and_label(Role::Image, "Histogram");
    open_tab(&mut window, "Inspect", None);
    window.get_by_label("The whole image; Shift+drag for a part");
    press(&mut window, Modifiers::NONE, Key::Num1);
    let start = middle(&window);
    let end = start + Vec2::new(40.0, 24.0);
    let expected =
        Region::between(seen_at(&window, start), seen_at(&window, end), app(&window).session().page().size());
    let view = app(&window).session().view();
    drag(&mut window, (start, end), PointerButton::Primary, Modifiers::SHIFT);
    assert_eq!(inspect(&window).state.region, expected);
    assert_eq!(app(&window).session().view(), view);
    let page = app(&window).session().page().clone();
    let found = &image::statistics(&page, expected.expect("a region"), 64)[0];
    for value in [found.min, found.mean, found.max, found.deviation] {
        let text = Unit::File.text(value as f32, 255);
        assert!(window.query_all_by_label(&text).count() >= 1, "{text}");
    }
    window.get_by_label("Whole image").click();
    window.run();
    assert_eq!(inspect(&window).state.region, None);
}

#[test]
fn profile_is_drawn_by_a_drag_and_removed_by_escape() {
    let mut window = basilica();
    press(&mut window, Modifiers::NONE, Key::Num4);
    press(&mut window, Modifiers::NONE, Key::L);
    assert_eq!(inspect(&window).tool, Tool::Profile);
    let (start, view) = (middle(&window), app(&window).session().view());
    let ends = [start, start + Vec2::new(80.0, 40.0)].map(|pos| seen_at(&window, pos));
    drag(&mut window, (start, start + Vec2::new(80.0, 40.0)), PointerButton::Primary, Modifiers::NONE);
    let line = inspect(&window).state.line.expect("a line");
    for (found, expected) in line.iter().zip(ends) {
        assert!((found[0] - expected[0]).abs() < 1e-3 && (found[1] - expected[1]).abs() < 1e-3);
    }
    assert_eq!(app(&window).session().view(), view);
    window.get_by_label_contains("Line profile: 4 curves over 22.3");
    drag(&mut window, (start, start + Vec2::new(80.0, 10.0)), PointerButton::Primary, Modifiers::SHIFT);
    let [from, to] = inspect(&window).state.line.expect("a line");
    assert_eq!((from[1], from[1].fract()), (to[1], 0.0));
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert!(inspect(&window).state.line.is_none() && inspect(&window).tool == Tool::Hand);
    assert!(window.query_by_label_contains("Line profile").is_none());
}

#[test]
fn profile_has_the_head_of_a_drawer_which_saves_its_numbers_and_closes_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = basilica();
    press(&mut window, Modifiers::NONE, Key::L);
    assert_eq!(window.query_all_by_label("Save plot…").count(), 0, "there is no curve yet");
    let start = middle(&window);
    drag(&mut window, (start, start + Vec2::new(80.0, 0.0)), PointerButton::Primary, Modifiers::NONE);
    let file = folder.path().join("profile.csv");
    save_plot(&mut window, &file);
    let csv = std::fs::read_to_string(file).expect("text");
    assert!(csv.starts_with("panel,curve,source,distance,value\n"), "{csv:.100}");
    for panel in ["1 Nearest", "2 Linear", "4 Catmull-Rom"] {
        assert!(csv.lines().filter(|line| line.starts_with(panel)).count() > 20, "{panel}");
    }
    window.get_by_role_and_label(Role::Button, "Close Profile").click();
    window.run();
    assert!(inspect(&window).state.line.is_none() && inspect(&window).tool == Tool::Hand);
    assert!(window.query_by_label_contains("Line profile").is_none());
}

#[test]
fn display_keys_act_on_all_panels_or_the_focused_one() {
    let mut window = basilica();
    unfold_display(&mut window);
    press(&mut window, Modifiers::NONE, Key::E);
    press(&mut window, Modifiers::NONE, Key::E);
    press(&mut window, Modifiers::SHIFT, Key::E);
    assert!(displays(&window).iter().all(|display| display.exposure == 0.25));
    press(&mut window, Modifiers::NONE, Key::R);
    assert!(displays(&window).iter().all(|display| *display == Display::default()));
    window.get_by_role_and_label(Role::CheckBox, "In all panels").click();
    window.run();
    press(&mut window, Modifiers::NONE, Key::E);
    let exposures: Vec<f32> = displays(&window).iter().map(|display| display.exposure).collect();
    assert_eq!(exposures, [0.25, 0.0, 0.0, 0.0]);
}

#[test]
fn normalize_maps_minimum_to_black_and_maximum_to_white() {
    let mut window = basilica();
    press(&mut window, Modifiers::NONE, Key::Num8);
    press(&mut window, Modifiers::NONE, Key::N);
    let session = app(&window).session();
    let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
    for index in 0..4 {
        let request = session.request(index);
        let shown = backend::render(&mut CpuBackend::new(), session.image(), &request, PixelFormat::file(Depth::Float))
            .expect("a picture");
        for place in 0..shown.samples().len() {
            low = low.min(shown.samples().number(place));
            high = high.max(shown.samples().number(place));
        }
    }
    assert!(low.abs() < 1e-5 && (high - 1.0).abs() < 1e-5, "{low} … {high}");
}

#[test]
fn right_drag_sets_window_and_level() {
    let mut window = basilica();
    let rect = window.get_by_label(SECOND).rect();
    let (start, view) = (rect.center(), app(&window).session().view());
    drag(&mut window, (start, start + Vec2::new(rect.width() / 4.0, 0.0)), PointerButton::Secondary, Modifiers::NONE);
    for display in displays(&window) {
        let [black, white] = display.window;
        assert!((white - black - 2.0_f32.sqrt()).abs() < 1e-3 && (black + white - 1.0).abs() < 1e-3, "{black} {white}");
    }
    press(&mut window, Modifiers::NONE, Key::R);
    drag(&mut window, (start, start - Vec2::new(0.0, rect.height() / 4.0)), PointerButton::Secondary, Modifiers::NONE);
    let [black, white] = displays(&window)[0].window;
    assert!((white - 0.75).abs() < 1e-2 && (black + 0.25).abs() < 1e-2, "up brightens: {black} {white}");
    assert_eq!(app(&window).session().view(), view);
}

#[test]
fn drag_within_one_frame_belongs_to_its_tool() {
    let mut window = basilica();
    let rect = window.get_by_label(SECOND).rect();
    let (start, view) = (rect.center(), app(&window).session().view());
    let quick = |window: &mut Window, by: Vec2, button: PointerButton, modifiers: Modifiers| {
        window.hover_at(start);
        window.run();
        for (pos, pressed) in [(start, true), (start + by, false)] {
            let events = &mut window.input_mut().events;
            events.push(Event::PointerMoved(pos));
            events.push(Event::PointerButton { pos, button, pressed, modifiers });
        }
        window.run();
    };
    quick(&mut window, Vec2::new(rect.width() / 4.0, 0.0), PointerButton::Secondary, Modifiers::NONE);
    for display in displays(&window) {
        let [black, white] = display.window;
        assert!((white - black - 2.0_f32.sqrt()).abs() < 1e-3, "{black} {white}");
    }
    quick(&mut window, Vec2::new(40.0, 30.0), PointerButton::Primary, Modifiers::SHIFT);
    let region = Region::between(
        seen_at(&window, start),
        seen_at(&window, start + Vec2::new(40.0, 30.0)),
        app(&window).session().page().size(),
    );
    assert_eq!((inspect(&window).state.region, app(&window).session().view()), (region, view));
    press(&mut window, Modifiers::NONE, Key::L);
    quick(&mut window, Vec2::new(60.0, 0.0), PointerButton::Primary, Modifiers::NONE);
    assert!(inspect(&window).state.line.is_some());
    assert_eq!(app(&window).session().view(), view);
    press(&mut window, Modifiers::NONE, Key::Escape);
    quick(&mut window, rect.size() / 8.0, PointerButton::Primary, Modifiers::COMMAND);
    assert!((app(&window).session().view().scale() * 8.0 / view.scale() - 1.0).abs() < 1e-3);
}

#[test]
fn display_is_edited_by_numbers_and_colour_map() {
    let mut window = basilica();
    unfold_display(&mut window);
    // Black and white are in the unit of the status line: the file's numbers, 0 … 255.
    for (name, text) in [("Exposure", "1"), ("Gamma", "2.2"), ("Black", "25.5"), ("White", "229.5")] {
        window.get_by_role_and_label(Role::SpinButton, name).focus();
        window.run();
        window.get_by_role_and_label(Role::SpinButton, name).type_text(text);
        window.run();
        window.key_press(Key::Enter);
        window.run();
    }
    window.get_by_role_and_label(Role::ComboBox, "Colours").click();
    window.run();
    window.get_by_label("Viridis").click();
    window.run();
    let expected =
        Display { exposure: 1.0, gamma: 2.2, window: [0.1, 0.9], colour_map: ColourMap::Viridis, ..Display::default() };
    assert_eq!(displays(&window), vec![expected; 4]);
    let numbers = |window: &Window| {
        ["Black", "White"].map(|name| {
            let node = window.get_by_role_and_label(Role::SpinButton, name);
            node.accesskit_node().numeric_value().expect("a number")
        })
    };
    let is_near = |found: [f64; 2], wanted: [f64; 2]| (0..2).all(|end| (found[end] - wanted[end]).abs() < 1e-4);
    assert!(is_near(numbers(&window), [25.5, 229.5]), "{:?}", numbers(&window));
    press(&mut window, Modifiers::NONE, Key::U);
    assert!(is_near(numbers(&window), [0.1, 0.9]), "in 0 … 1: {:?}", numbers(&window));
    assert_eq!(displays(&window), vec![expected; 4], "another unit changes nothing");
}

#[test]
fn ctrl_drag_zooms_to_its_rectangle() {
    let mut window = basilica();
    press(&mut window, Modifiers::NONE, Key::Num1);
    let rect = window.get_by_label(SECOND).rect();
    let start = rect.center() + Vec2::new(-60.0, 10.0);
    let side = rect.size() / 8.0;
    let wanted = seen_at(&window, start + side / 2.0);
    drag(&mut window, (start, start + side), PointerButton::Primary, Modifiers::COMMAND);
    assert!((app(&window).session().view().scale() - 0.125).abs() < 1e-3);
    let shown = seen_at(&window, rect.center());
    assert!((shown[0] - wanted[0]).abs() < 0.1 && (shown[1] - wanted[1]).abs() < 0.1, "{shown:?} {wanted:?}");
    assert!(inspect(&window).state.pins.is_empty());
    press(&mut window, Modifiers::NONE, Key::Backspace);
    assert_eq!(app(&window).session().view().scale(), 1.0);
}

#[test]
fn overview_has_one_place_in_every_view_and_moves_the_view() {
    let mut window = basilica();
    let rect = window.get_by_label("Overview").rect();
    press(&mut window, Modifiers::NONE, Key::Num8);
    assert_eq!(window.get_by_label("Overview").rect(), rect);
    // The picture is square and fills the height of its place but for a margin of 6 points.
    let picture = Rect::from_center_size(rect.center(), Vec2::splat(rect.height() - 12.0)).round_to_pixels(1.0);
    let pos = picture.min + picture.size() * 0.25;
    window.hover_at(pos);
    window.run();
    window.drag_at(pos);
    window.run();
    window.drop_at(pos);
    window.run();
    let shown = seen_at(&window, middle(&window));
    assert!((shown[0] - 127.5).abs() < 1.0 && (shown[1] - 127.5).abs() < 1.0, "{shown:?}");
}

#[test]
fn outside_overlay_shows_the_resolved_index() {
    let mut window = basilica();
    press(&mut window, Modifiers::NONE, Key::B);
    (0..2).for_each(|_| press(&mut window, Modifiers::SHIFT, Key::A));
    press(&mut window, Modifiers::NONE, Key::Minus);
    press(&mut window, Modifiers::NONE, Key::Minus);
    let first = window.get_by_label("Panel 1: Nearest (nerp) · wrap × clamp").rect();
    window.hover_at(first.left_center() + Vec2::new(4.0, 0.0));
    window.run();
    let x = app(&window).reading().expect("a reading").pos_in_image[0];
    assert!(x < -1.0, "{x}");
    let index = (x + 0.5).floor() as i64;
    let text = format!("x: i = −{} → {}", -index, index.rem_euclid(512));
    window.get_by_label_contains(&text);
    open_tab(&mut window, "Panel", Some("In other libraries"));
    window.get_by_label("REPEAT\nCLAMP_TO_EDGE");
    window.get_by_label("grid-wrap\nnearest");
}

#[test]
fn wheel_setting_selects_mouse_or_trackpad() {
    let mut window = basilica();
    let pos = middle(&window);
    let scroll = |window: &mut Window| {
        window.hover_at(pos);
        window.run();
        let scale = app(window).session().view().scale();
        let (unit, delta, source) = (MouseWheelUnit::Line, Vec2::new(0.0, 1.0), MouseWheelSource::Unknown);
        window.event(Event::MouseWheel { unit, delta, phase: TouchPhase::Move, source, modifiers: Modifiers::NONE });
        window.run_steps(8);
        scale / app(window).session().view().scale()
    };
    assert!((scroll(&mut window) - 1.2).abs() < 1e-9);
    press(&mut window, Modifiers::COMMAND, Key::Comma);
    window.get_by_label("Scrolling device: Trackpad").click();
    window.run();
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert_eq!(app(&window).preferences().wheel, WheelDevice::Trackpad);
    assert_eq!(scroll(&mut window), 1.0);
}

#[test]
fn fling_decelerates_to_rest_and_is_off_with_reduced_motion() {
    for glides in [true, false] {
        let mut window = at_pace(0.02);
        press(&mut window, Modifiers::NONE, Key::Num4);
        if !glides {
            press(&mut window, Modifiers::COMMAND, Key::Comma);
            window.get_by_role_and_label(Role::CheckBox, "Reduced motion").click();
            window.run();
            press(&mut window, Modifiers::NONE, Key::Escape);
        }
        // The same switch is for views that keys change.
        window.key_press(Key::Num3);
        window.step();
        assert_eq!(app(&window).session().is_animating(), glides);
        let session = app(&window).session();
        assert_eq!(session.request(1).view == session.view(), !glides);
        press(&mut window, Modifiers::NONE, Key::Num4);
        let start = middle(&window);
        let touch = |window: &mut Window, phase: TouchPhase, pos: Pos2| {
            let (device_id, id) = (egui::TouchDeviceId(0), egui::TouchId::from(0));
            let events = &mut window.input_mut().events;
            events.push(Event::PointerMoved(pos));
            if phase != TouchPhase::Move {
                let (button, pressed) = (PointerButton::Primary, phase == TouchPhase::Start);
                events.push(Event::PointerButton { pos, button, pressed, modifiers: Modifiers::NONE });
            }
            events.push(Event::Touch { device_id, id, phase, pos, force: None });
            window.step();
        };
        touch(&mut window, TouchPhase::Start, start);
        for step in 1..=4 {
            touch(&mut window, TouchPhase::Move, start + Vec2::new(20.0, 10.0) * step as f32);
        }
        let last = start + Vec2::new(80.0, 40.0);
        let under_finger = seen_at(&window, last);
        touch(&mut window, TouchPhase::End, last);
        let released = app(&window).session().view();
        window.run_steps(120);
        let rest = app(&window).session().view();
        assert_eq!(rest != released, glides, "{:?} after {:?}", rest.translation(), released.translation());
        if glides {
            let now = seen_at(&window, last);
            assert!(now[0] < under_finger[0] && now[1] < under_finger[1], "it goes on the way it went");
        }
        assert!(window.run() <= 2, "at rest nothing is drawn");
    }
}

#[test]
fn profile_says_how_far_its_samples_are_beside_the_line() {
    let mut window = basilica();
    press(&mut window, Modifiers::NONE, Key::Num8);
    for (line, name) in [
        ([[100.0, 40.0], [120.0, 40.0]], "Samples"),
        ([[100.0, 40.0], [100.0, 60.0]], "Samples"),
        ([[100.0, 40.0], [120.0, 60.0]], "Samples"),
        ([[100.0, 40.25], [120.0, 40.25]], "Samples within 0.25 of the line"),
        ([[100.0, 40.0], [120.0, 45.0]], "Samples within 0.5 of the line"),
    ] {
        let mut state = app(&window).session().state();
        state.inspect.line = Some(line);
        assert!(window.state_mut().as_mut().expect("the app").restore_state(&state));
        window.run();
        window.run();
        window.get_by_label(name);
    }
    // A plot without room for dots does not name them.
    let mut state = app(&window).session().state();
    state.inspect.line = Some([[0.0, 0.0], [511.0, 100.0]]);
    assert!(window.state_mut().as_mut().expect("the app").restore_state(&state));
    window.run();
    window.run();
    assert!(window.query_by_label_contains("of the line").is_none());
}

/// Marks and numbers of the pins in the second panel.
fn pin_marks(window: &Window) -> (Vec<Pos2>, Vec<(String, Rect)>) {
    let panel = window.get_by_label(SECOND).rect();
    let (mut rings, mut numbers) = (Vec::new(), Vec::new());
    for clipped in &window.output().shapes {
        match &clipped.shape {
            Shape::Circle(ring) if ring.radius == 5.0 && ring.stroke.width == 1.5 => rings.push(ring.center),
            Shape::Text(text) if ["1", "2", "3"].contains(&text.galley.text()) => {
                numbers.push((text.galley.text().to_owned(), Rect::from_min_size(text.pos, text.galley.size())));
            }
            _ => {}
        }
    }
    rings.retain(|ring| panel.contains(*ring));
    numbers.retain(|(_, rect)| panel.contains_rect(*rect));
    (rings, numbers)
}

#[test]
fn loupe_shows_the_pins_among_its_pixels_and_covers_no_number_of_another() {
    let mut window = basilica();
    press(&mut window, Modifiers::NONE, Key::Num8);
    let cursor = middle(&window);
    // Beside the loupe, which reaches 78 points from its middle; among its pixels; behind it.
    for by in [Vec2::new(-90.0, 10.0), Vec2::new(4.0, -3.0), Vec2::new(40.0, 30.0)] {
        window.hover_at(cursor + by);
        window.run();
        press(&mut window, Modifiers::SHIFT, Key::P);
    }
    window.hover_at(cursor);
    window.run();
    assert_eq!(pin_marks(&window).0.len(), 3);
    window.key_down(Key::Z);
    window.run();
    let (rings, numbers) = pin_marks(&window);
    let near = |a: Pos2, b: Pos2| a.distance(b) < 1.0;
    assert!(rings.len() == 2, "{rings:?}");
    assert!(near(rings[0], cursor + Vec2::new(-90.0, 10.0)) && near(rings[1], cursor + Vec2::new(40.0, -30.0)));
    assert_eq!(numbers.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>(), ["1", "2"]);
    let loupe = Rect::from_center_size(cursor, Vec2::splat(150.0));
    assert!(!numbers[0].1.intersects(loupe.expand(3.0)), "{:?}", numbers[0]);
    assert!(loupe.contains_rect(numbers[1].1), "{:?}", numbers[1]);
    window.key_up(Key::Z);
    window.run();
    assert_eq!(pin_marks(&window).0.len(), 3);
}

#[test]
fn number_of_a_pin_at_the_edge_of_a_panel_is_within_the_panel() {
    let mut window = basilica();
    let panel = window.get_by_label(SECOND).rect();
    for corner in [panel.left_top(), panel.right_top(), panel.right_bottom()] {
        window.hover_at(corner + (panel.center() - corner).normalized() * 10.0);
        window.run();
        press(&mut window, Modifiers::SHIFT, Key::P);
    }
    let (rings, numbers) = pin_marks(&window);
    assert_eq!((rings.len(), numbers.len()), (3, 3), "{numbers:?}");
}

#[test]
fn overview_points_to_a_view_beside_the_image() {
    let mut window = basilica();
    let overview = window.get_by_label("Overview").rect();
    let arrow = |window: &Window| -> Option<Vec<Pos2>> {
        window.output().shapes.iter().find_map(|clipped| match &clipped.shape {
            Shape::Path(path)
                if path.points.len() == 3
                    && path.fill == egui::Color32::WHITE
                    && path.points.iter().all(|point| overview.contains(*point)) =>
            {
                Some(path.points.clone())
            }
            _ => None,
        })
    };
    press(&mut window, Modifiers::NONE, Key::Num8);
    assert_eq!(arrow(&window), None);
    for (place, side) in [([5000.0, 0.0], Vec2::RIGHT), ([0.0, -5000.0], Vec2::UP)] {
        let mut state = app(&window).session().state();
        for panel in &mut state.panels {
            panel.view = View::new(place, 0.125).expect("a view");
        }
        assert!(window.state_mut().as_mut().expect("the app").restore_state(&state));
        window.run();
        let [tip, back, other] = arrow(&window).expect("an arrow")[..] else { panic!("three corners") };
        let towards = (tip - (back + (other - back) * 0.5)).normalized();
        assert!(towards.dot(side) > 0.9, "{towards:?} is not {side:?}");
        assert!((tip - overview.center()).dot(side) > 40.0, "{tip:?} in {overview:?}");
    }
}
