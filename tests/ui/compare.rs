//! Wipe and flicker without a screen: plates, handle, names, and the controls of their headers.

use std::collections::BTreeMap;

use egui::accesskit::Toggled;
use egui::{Color32, CursorIcon, Key, Modifiers, Rect, Role, Shape, Theme, Vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lerpscope::app::{COMPARES, Compare, Lerpscope, PanelArea};
use lerpscope::backend::CpuBackend;
use lerpscope::image::{self, Channels};

use crate::harness::documents::open_images;
use crate::harness::{Window, app, window_of};

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

/// The toolbar has the comparisons side by side, with their keys in tooltips; one panel has nothing to compare.
#[test]
fn comparison_is_chosen_in_the_toolbar() {
    let mut window = open(Theme::Dark);
    let names = COMPARES.each_ref().map(|row| format!("Compare: {}", row.title));
    let choice = |window: &Window, name: &str| {
        window
            .query_by_role_and_label(Role::RadioButton, name)
            .map(|node| (node.rect(), node.accesskit_node().toggled()))
    };
    let zoom_out = window.get_by_role_and_label(Role::Button, "Zoom out").rect();
    let open_file = window.get_by_role_and_label(Role::Button, "Open a file").rect();
    let places = names.each_ref().map(|name| choice(&window, name).expect("a choice").0);
    assert!(places[0].left() > open_file.right() + 60.0 && places[2].right() < zoom_out.left() - 8.0, "{places:?}");
    assert!(places.iter().all(|place| place.y_range() == zoom_out.y_range()), "{places:?} beside {zoom_out:?}");
    assert!(places.windows(2).all(|pair| (pair[0].right() - pair[1].left()).abs() < 0.5), "{places:?}");
    for chosen in [Compare::Wipe, Compare::Difference, Compare::SideBySide, Compare::Wipe] {
        let name = format!("Compare: {}", chosen.row().title);
        // A second click on it changes nothing.
        for _ in 0..2 {
            window.get_by_role_and_label(Role::RadioButton, &name).click();
            window.run();
            assert_eq!(app(&window).session().compare(), chosen);
        }
        for name_of in &names {
            let is_on = choice(&window, name_of).expect("a choice").1 == Some(Toggled::True);
            assert_eq!(is_on, *name_of == name, "{name_of} with {chosen:?}");
        }
    }
    for (place, key) in places.into_iter().zip(["(S)", "(W)", "(D)"]) {
        window.hover_at(place.center());
        window.run_steps(8);
        window.get_by_label_contains(key);
    }
    press(&mut window, Key::S);
    for _ in 0..3 {
        window.key_press_modifiers(Modifiers::COMMAND, Key::W);
        window.run();
    }
    assert!(names.iter().all(|name| choice(&window, name).is_none()), "one panel");
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    window.run();
    assert!(names.iter().all(|name| choice(&window, name).is_some()), "two panels");
}

/// In every window there is one of three controls: titles, icons, or a menu. Titles have room in all of them where the image has no number.
#[test]
fn comparison_has_one_control_in_windows_of_any_width() {
    let names = COMPARES.each_ref().map(|row| format!("Compare: {}", row.title));
    let pages = || {
        let samples =
            image::Raster::zeros(image::Size::new(64, 64).expect("a size"), Channels::Grey, image::Depth::EIGHT);
        image::Image::new(
            "ten-pages-of-one-file.tiff",
            vec![image::Page::new(samples.clone()), image::Page::new(samples)],
        )
    };
    for many in [false, true] {
        let mut window = open(Theme::Dark);
        if many {
            let images = (0..12).map(|_| pages().expect("an image")).collect();
            window = open_images(images, 860.0, 32);
        }
        // The test's window has a margin of 8 points.
        let mut found = BTreeMap::new();
        for width in (656..=1660).step_by(12) {
            window.set_size(Vec2::new(width as f32, 700.0));
            window.run();
            let count =
                |role: Role| names.iter().filter(|name| window.query_by_role_and_label(role, name).is_some()).count();
            let menus = window.query_all_by_role(Role::Button).filter(|node| is_comparison(node)).count();
            let way = match (count(Role::RadioButton), count(Role::Button), menus) {
                (3, 0, 0) => "titles",
                (0, 3, 0) => "icons",
                (0, 0, 1) => "menu",
                other => panic!("{other:?} at {width}"),
            };
            found.insert(way, width);
        }
        let ways: Vec<&str> = found.keys().copied().collect();
        assert_eq!(ways, if many { vec!["icons", "menu", "titles"] } else { vec!["titles"] }, "{found:?}");
        for (way, width) in found {
            window.set_size(Vec2::new(width as f32, 700.0));
            window.run();
            for chosen in [Compare::Wipe, Compare::SideBySide, Compare::Difference] {
                choose(&mut window, way, chosen);
                assert_eq!(app(&window).session().compare(), chosen, "{way} at {width}");
            }
        }
    }
}

/// Chooses a comparison by the control of the toolbar: titles, icons, or a menu.
fn choose(window: &mut Window, way: &str, chosen: Compare) {
    if way == "menu" {
        window.get_by_role_and_label(Role::Button, "Comparison").click();
        window.run();
        let [button, less] =
            ["Comparison", "Zoom out"].map(|name| window.query_all_by_label(name).map(|node| node.rect()).next());
        let button = button.expect("the menu");
        assert!(less.is_none_or(|less| button.right() <= less.left()), "{button:?} {less:?}");
        let is_below = |node: &egui_kittest::Node<'_>| {
            node.rect().top() > button.bottom() && (node.rect().left() - button.left()).abs() < 40.0
        };
        window.get_all_by_label_contains(chosen.row().title).rfind(is_below).expect("an item").click();
    } else {
        let role = if way == "titles" { Role::RadioButton } else { Role::Button };
        window.get_by_role_and_label(role, &format!("Compare: {}", chosen.row().title)).click();
    }
    window.run();
}

/// Whether the node is the menu of comparisons.
fn is_comparison(node: &egui_kittest::Node<'_>) -> bool {
    node.accesskit_node().label().is_some_and(|label| label == "Comparison")
}

#[test]
fn line_of_a_wipe_has_a_handle_at_its_middle() {
    let mut window = open(Theme::Dark);
    press(&mut window, Key::W);
    let handles = |window: &Window| -> Vec<(egui::Pos2, Color32)> {
        let handle = |shape: &Shape| match shape {
            Shape::Circle(circle) if circle.radius > 8.0 => Some((circle.center, circle.stroke.color)),
            _ => None,
        };
        window.output().shapes.iter().filter_map(|clipped| handle(&clipped.shape)).collect()
    };
    for _ in 0..3 {
        let line = window.get_by_label("Wipe line").rect().center();
        let found = handles(&window);
        assert_eq!(found.len(), 1);
        assert!((found[0].0 - line).length() < 1.0, "{found:?}, {line:?}");
        assert_eq!(found[0].1, Color32::WHITE);
        press(&mut window, Key::Period);
    }
    let line = window.get_by_label("Wipe line").rect().center();
    window.hover_at(line);
    window.run();
    assert_ne!(handles(&window)[0].1, Color32::WHITE, "the accent where it can be grabbed");
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
fn flicker_header_has_the_rate_and_an_end() {
    let mut window = open(Theme::Dark);
    window.key_press_modifiers(Modifiers::SHIFT, Key::Space);
    window.step();
    // The frames of a flicker do not end.
    let click = |window: &mut Window, name: &str| {
        window.get_by_label(name).click();
        (0..3).for_each(|_| window.step());
    };
    for (name, rate) in [("Faster", 4.0), ("Slower", 2.0), ("Slower", 1.0)] {
        click(&mut window, name);
        assert_eq!(app(&window).session().flips_a_second(), rate);
        window.get_by_label(&format!("Flicker rate {rate} Hz"));
    }
    click(&mut window, "Flicker");
    assert!(!app(&window).session().flickers());
    // A flip by its key has the end only.
    press(&mut window, Key::Space);
    assert!(matches!(app(&window).session().areas()[0], PanelArea::Flipped { .. }));
    assert!(window.query_by_label("Faster").is_none());
    window.get_by_label("Flip to the other panel").click();
    window.run();
    assert_eq!(app(&window).session().areas()[0], PanelArea::Panel(0));
}

#[test]
fn wipe_header_turns_the_line_and_swaps_the_pair() {
    let mut window = open(Theme::Dark);
    press(&mut window, Key::W);
    for is_horizontal in [true, false] {
        window.get_by_label("Turn wipe line").click();
        window.run();
        assert_eq!(app(&window).session().line().is_horizontal, is_horizontal);
    }
    window.get_by_label("Swap pair").click();
    window.run();
    assert_eq!(app(&window).session().areas(), [PanelArea::Wipe([1, 0])]);
}
