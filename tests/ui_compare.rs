//! Comparisons without a screen: the plates and the handle of a wipe, the names of a flicker, the colour bar of a difference.

mod harness;

use egui::{CursorIcon, Key, Modifiers, Rect, Role, Theme, Vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lerpscope::app::{Lerpscope, PanelArea};
use lerpscope::backend::{self, ColourMap, CpuBackend, Display, PixelFormat, RenderRequest};
use lerpscope::image::{self, Depth};

use harness::{Window, app, window_of};

fn open(theme: Theme) -> Window {
    let builder = Harness::builder().with_size([1280.0, 860.0]).with_theme(theme).with_max_steps(32);
    let mut window = window_of(builder, move |ctx| {
        let images = vec![image::embedded().expect("the embedded image").image];
        Lerpscope::new(ctx, images, Box::new(CpuBackend::new())).expect("an image")
    });
    window.run();
    press(&mut window, Key::Num8);
    window
}

fn press(window: &mut Window, key: Key) {
    window.key_press_modifiers(Modifiers::NONE, key);
    window.run();
}

/// Rectangles of the labels with this text inside `place`.
fn labels(window: &Window, text: &str, place: Rect) -> Vec<Rect> {
    window.query_all_by_label(text).map(|node| node.rect()).filter(|rect| place.contains_rect(*rect)).collect()
}

#[test]
fn names_of_a_wipe_stand_beside_its_line_and_follow_it() {
    let mut window = open(Theme::Dark);
    press(&mut window, Key::W);
    let whole = window.get_by_label("Wipe: Nearest (nerp) | Linear (lerp)").rect();
    for _ in 0..4 {
        let line = window.get_by_label("Wipe line").rect().center().x;
        let (first, second) = (labels(&window, "1 Nearest", whole), labels(&window, "2 Linear", whole));
        assert_eq!((first.len(), second.len()), (1, 1));
        assert!((line - first[0].right() - 8.0).abs() < 1.5 && (second[0].left() - line - 8.0).abs() < 1.5);
        assert!((first[0].top() - whole.top() - 8.0).abs() < 1.0);
        press(&mut window, Key::Period);
    }
    window.key_press_modifiers(Modifiers::SHIFT, Key::W);
    window.run();
    let line = window.get_by_label("Wipe line").rect().center().y;
    assert!((line - labels(&window, "1 Nearest", whole)[0].bottom() - 8.0).abs() < 1.5);
    assert!((labels(&window, "2 Linear", whole)[0].top() - line - 8.0).abs() < 1.5);
    // A half that is too narrow for a name has none.
    window.key_press_modifiers(Modifiers::SHIFT, Key::W);
    (0..40).for_each(|_| press(&mut window, Key::Comma));
    assert!(labels(&window, "1 Nearest", whole).is_empty());
    assert_eq!(labels(&window, "2 Linear", whole).len(), 1);
}

#[test]
fn wipe_is_grabbed_within_twelve_points_of_its_line() {
    let mut window = open(Theme::Dark);
    press(&mut window, Key::W);
    let whole = window.get_by_label("Wipe: Nearest (nerp) | Linear (lerp)").rect();
    let cursor = |window: &mut Window, pos: egui::Pos2| {
        window.hover_at(pos);
        window.run();
        window.output().platform_output.cursor_icon
    };
    let share = |window: &Window| app(window).session().line().share;
    let line = window.get_by_label("Wipe line").rect().center().x;
    let [left, right] = [-11.0, 11.0].map(|off| egui::pos2(line + off, whole.top() + 200.0));
    for pos in [left, right] {
        assert_eq!(cursor(&mut window, pos), CursorIcon::ResizeHorizontal);
    }
    assert_eq!(cursor(&mut window, right + Vec2::new(4.0, 0.0)), CursorIcon::Crosshair);
    for from in [left, right] {
        let (before, from) = (share(&window), egui::pos2(from.x - line, from.y));
        let line = window.get_by_label("Wipe line").rect().center().x;
        let start = egui::pos2(line + from.x, from.y);
        window.hover_at(start);
        window.run();
        window.drag_at(start);
        window.run();
        window.hover_at(start - Vec2::new(120.0, 0.0));
        window.run();
        window.drop_at(start - Vec2::new(120.0, 0.0));
        window.run();
        assert!(share(&window) < before - 0.05, "{} after {before}", share(&window));
    }
}

#[test]
fn flicker_names_the_shown_panel_over_its_picture_and_in_the_header() {
    let mut window = open(Theme::Dark);
    window.key_press_modifiers(Modifiers::SHIFT, Key::Space);
    window.step();
    let picture = |window: &Window| {
        let found = window
            .query_all_by_role(Role::Image)
            .find(|node| node.accesskit_node().label().is_some_and(|label| label.starts_with("Panel 1")));
        found.expect("the first panel").rect()
    };
    let mut seen = Vec::new();
    for _ in 0..200 {
        window.step();
        let place = picture(&window);
        let over = |name: &str| labels(&window, name, place).len();
        let header = place.with_min_y(place.top() - 30.0).with_max_y(place.top());
        let shown = match app(&window).session().areas()[0] {
            PanelArea::Flipped { .. } => 1,
            _ => 0,
        };
        assert_eq!([over("1 Nearest"), over("2 Linear")], if shown == 1 { [0, 1] } else { [1, 0] });
        // The header has both names, always in the same places.
        let names = ["1 Nearest", "2 Linear"].map(|name| labels(&window, name, header));
        assert!(names.iter().all(|found| found.len() == 1), "{names:?}");
        seen.push((shown, names[0][0].left().round(), names[1][0].left().round()));
    }
    assert!(seen.iter().any(|(shown, ..)| *shown == 0) && seen.iter().any(|(shown, ..)| *shown == 1));
    assert!(seen.iter().all(|(_, first, second)| (*first, *second) == (seen[0].1, seen[0].2)));
}

#[test]
fn colour_bar_of_a_difference_has_its_range_in_the_unit_and_the_size_of_the_view() {
    let mut window = open(Theme::Dark);
    press(&mut window, Key::D);
    window.run();
    let label =
        |window: &Window| window.get_by_label_contains("Colour bar from").accesskit_node().label().expect("a label");
    let session = app(&window).session();
    let request = RenderRequest { display: Display::default(), ..session.difference_request([0, 1]) };
    let format = PixelFormat::file(Depth::Float);
    let values = backend::render(&mut CpuBackend::new(), session.image(), &request, format).expect("values");
    let size = values.size();
    let all = (0..size.height()).flat_map(|row| (0..size.width()).map(move |column| (column, row)));
    let all: Vec<f64> = all.map(|(column, row)| f64::from(values.number(column, row, 0))).collect();
    let rms = (all.iter().map(|value| value * value).sum::<f64>() / all.len() as f64).sqrt();
    let max = all.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
    let digits = |text: &str| -> f64 { text.trim().parse().expect("a number") };
    let numbers = |label: &str| {
        let (_, found) = label.split_once("RMS ").expect("RMS");
        let (rms, max) = found.split_once(", maximum ").expect("maximum");
        [digits(rms), digits(max)]
    };
    let found = label(&window);
    assert!(found.starts_with("Colour bar from −255 to +255. "), "{found}");
    let [found_rms, found_max] = numbers(&found);
    assert!(
        (found_rms / (rms * 255.0) - 1.0).abs() < 1e-3 && (found_max / (max * 255.0) - 1.0).abs() < 1e-3,
        "{found}"
    );
    (0..3).for_each(|_| press(&mut window, Key::CloseBracket));
    assert!(label(&window).starts_with("Colour bar from −31.88 to +31.88. "), "{}", label(&window));
    press(&mut window, Key::U);
    assert!(label(&window).starts_with("Colour bar from −0.125 to +0.125. "), "{}", label(&window));
    let [found_rms, found_max] = numbers(&label(&window));
    assert!((found_rms / rms - 1.0).abs() < 1e-3 && (found_max / max - 1.0).abs() < 1e-3);
    window.key_press_modifiers(Modifiers::SHIFT, Key::D);
    window.run();
    assert!(label(&window).starts_with("Colour bar from 0 to 0.125. "), "{}", label(&window));
    // It stands beside the picture.
    let picture = window.get_by_label("Difference: Nearest (nerp) − Linear (lerp)").rect();
    let bar = window.get_by_label_contains("Colour bar from").rect();
    assert!((bar.left() - picture.right()).abs() < 1.0 && (bar.bottom() - picture.bottom()).abs() < 1.0);
    press(&mut window, Key::S);
    assert!(window.query_by_label_contains("Colour bar from").is_none());
}

#[test]
fn difference_has_a_map_with_the_lightness_of_the_theme() {
    for (theme, signed, absolute) in [
        (Theme::Dark, ColourMap::BlueBlackOrange, ColourMap::Inferno),
        (Theme::Light, ColourMap::BlueRed, ColourMap::WhiteRed),
    ] {
        let mut window = open(theme);
        press(&mut window, Key::D);
        let map = |window: &Window| app(window).session().difference_request([0, 1]).display.colour_map;
        assert_eq!(map(&window), signed);
        window.key_press_modifiers(Modifiers::SHIFT, Key::D);
        window.run();
        assert_eq!(map(&window), absolute);
        // A chosen map stays, and the theme's returns by its own item.
        window.get_by_label("Colour map").click();
        window.run();
        window.get_by_label("Viridis").click();
        window.run();
        assert_eq!(map(&window), ColourMap::Viridis);
        window.get_by_label("Colour map").click();
        window.run();
        window.get_by_label_contains("As the theme").click();
        window.run();
        assert_eq!(map(&window), absolute);
    }
}

#[test]
fn value_of_a_difference_is_in_the_unit_of_the_status_line() {
    let mut window = open(Theme::Dark);
    press(&mut window, Key::D);
    let middle = window.get_by_label("Difference: Nearest (nerp) − Linear (lerp)").rect().center();
    // The two methods agree at some places.
    let difference = (0..100_u8).find_map(|step| {
        window.hover_at(middle + Vec2::new(3.0, 2.5) * (f32::from(step) - 50.0));
        window.run();
        let values = &app(&window).reading().expect("a reading").values;
        Some(f64::from(values[0].1[0] - values[1].1[0])).filter(|difference| difference.abs() > 1e-3)
    });
    let difference = difference.expect("a difference");
    // The units in the order of their key. A difference has no hexadecimal digits.
    for (one, decimals) in [(255.0, 5), (1.0, 7), (255.0, 5), (65535.0, 3), (255.0, 5)] {
        let text = format!("{:+.decimals$}", difference * one);
        let header = window.get_by_label(&text).rect();
        assert!(header.bottom() < window.get_by_label_contains("Difference:").rect().top());
        press(&mut window, Key::U);
    }
}

#[test]
fn difference_of_colour_images_has_no_choice_of_a_colour_map() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/formats/rgb.qoi");
    let builder = Harness::builder().with_size([1280.0, 860.0]).with_max_steps(32);
    let mut window = window_of(builder, move |ctx| {
        let images = vec![image::open(file.as_ref()).expect("an image").image];
        Lerpscope::new(ctx, images, Box::new(CpuBackend::new())).expect("an image")
    });
    window.run();
    press(&mut window, Key::D);
    window.get_by_label("More gain");
    assert!(window.query_by_label("Colour map").is_none());
}
