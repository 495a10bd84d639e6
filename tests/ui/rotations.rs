//! The drawer of repeated rotation, without a screen: its turns, its pictures, scrubbing, its files.

use egui::{Event, Key, Modifiers, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lerpscope::app::{DrawerTool, RepeatedRotation};
use lerpscope::backend::Content;

use crate::harness::documents::{basilica, open, press};
use crate::harness::pointer::button;
use crate::harness::saving::save_plot;
use crate::harness::waiting::settle;
use crate::harness::{Window, app};

fn rotation(window: &Window) -> RepeatedRotation {
    app(window).session().inspect.state.rotation
}

/// A window with the drawer open and all turns done.
fn with_turns() -> Window {
    let mut window = basilica();
    press(&mut window, Modifiers::NONE, Key::F8);
    settle(&mut window);
    window
}

/// Names of the pictures in the drawer, with their errors.
fn pictures(window: &Window) -> Vec<String> {
    let found = window.query_all_by(|node| {
        node.role() == Role::Image && node.label().is_some_and(|label| label.contains(" turns: "))
    });
    found.filter_map(|node| node.accesskit_node().label()).collect()
}

/// The PSNR in the name of a picture.
fn psnr(name: &str) -> f64 {
    let text = name.split(": ").nth(1).and_then(|text| text.split(" dB").next());
    text.and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("{name}"))
}

#[test]
fn f8_opens_the_published_experiment_with_a_picture_of_each_panel_and_closes_it() {
    let mut window = with_turns();
    assert_eq!(app(&window).session().inspect.state.drawer, Some(DrawerTool::Rotations));
    window.get_by_label("Repeated rotation: 4 methods, 15 of 15 turns");
    // The header's parts are side by side.
    let part = |name: &str| window.get_by_label(name).rect();
    let turns = window.get_by_role_and_label(Role::SpinButton, "Turns").rect();
    let parts = [turns, part("Shown turn"), part("after 15 of 15: 360°"), part("Save plot…")];
    assert!(parts.windows(2).all(|pair| pair[0].right() < pair[1].left()), "{parts:?}");
    let names = pictures(&window);
    assert_eq!(names.len(), 4, "{names:?}");
    let [nearest, linear, _, catmull_rom] = [0, 1, 2, 3].map(|index| psnr(&names[index]));
    assert!(nearest < linear && linear < catmull_rom, "{names:?}");
    press(&mut window, Modifiers::NONE, Key::F8);
    assert!(app(&window).session().inspect.state.drawer.is_none() && pictures(&window).is_empty());
}

#[test]
fn drag_over_the_plot_goes_through_the_turns_and_undo_returns() {
    let mut window = with_turns();
    let plot = window.get_by_label("Repeated rotation: 4 methods, 15 of 15 turns").rect();
    let (from, to) = (plot.center(), plot.left_center() + egui::vec2(-40.0, 0.0));
    window.hover_at(from);
    window.run_ok();
    window.event(button(from, true));
    window.step();
    window.event(Event::PointerMoved(from - egui::vec2(20.0, 0.0)));
    window.step();
    let middle = rotation(&window).shown();
    assert!((4..=9).contains(&middle), "{middle}");
    window.event(Event::PointerMoved(to));
    window.step();
    window.event(button(to, false));
    window.run_ok();
    assert_eq!(rotation(&window), RepeatedRotation::new(15, 0));
    assert!(
        pictures(&window).iter().all(|name| name.ends_with("after 0 turns: the original")),
        "{:?}",
        pictures(&window)
    );
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(rotation(&window), RepeatedRotation::default());
}

#[test]
fn number_of_turns_is_typed_and_kept_in_its_range() {
    let mut window = with_turns();
    for (text, expected) in [
        ("4", RepeatedRotation::new(4, 4)),
        // Beyond the range: refused, and the text stays to be mended.
        ("1000", RepeatedRotation::new(4, 4)),
        ("8", RepeatedRotation::new(8, 4)),
    ] {
        window.get_by_role_and_label(Role::SpinButton, "Turns").focus();
        window.run_ok();
        window.get_by_role_and_label(Role::SpinButton, "Turns").type_text(text);
        window.run_ok();
        press(&mut window, Modifiers::NONE, Key::Enter);
        assert_eq!(rotation(&window), expected, "{text}");
    }
    settle(&mut window);
    assert!(pictures(&window).iter().all(|name| name.contains(" after 4 turns: ")), "{:?}", pictures(&window));
    window.get_by_label("Repeated rotation: 4 methods, 8 of 8 turns");
}

#[test]
fn quarter_turns_are_exact_for_methods_that_interpolate() {
    let mut window = with_turns();
    window.get_by_role_and_label(Role::SpinButton, "Turns").focus();
    window.run_ok();
    window.get_by_role_and_label(Role::SpinButton, "Turns").type_text("4");
    window.run_ok();
    press(&mut window, Modifiers::NONE, Key::Enter);
    settle(&mut window);
    let names = pictures(&window);
    for index in [0, 1, 3] {
        assert!(names[index].ends_with("after 4 turns: exact"), "{names:?}");
    }
    assert!(psnr(&names[2]) < 40.0, "the B-spline without its prefilter blurs: {names:?}");
}

#[test]
fn changed_method_is_turned_anew() {
    let mut window = with_turns();
    let before = pictures(&window);
    press(&mut window, Modifiers::NONE, Key::K);
    settle(&mut window);
    let after = pictures(&window);
    assert!(after[0] != before[0] && after[1..] == before[1..], "{after:?}");
}

#[test]
fn chart_is_saved_as_numbers() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = with_turns();
    let file = folder.path().join("turns.csv");
    save_plot(&mut window, &file);
    let csv = std::fs::read_to_string(&file).expect("a file");
    assert!(csv.starts_with("method,prefilter,curve,source,turns,psnr\nnearest,false,,all turns,1,"), "{csv}");
    assert_eq!(csv.lines().count(), 1 + 4 * 15, "a line for each turn");
}

#[test]
fn panels_of_the_truth_alone_have_nothing_to_turn() {
    let mut window = open(vec!["synth:disc:64x64".into()], None);
    let mut state = app(&window).session().state();
    state.panels.iter_mut().for_each(|panel| panel.content = Content::Truth);
    state.inspect.drawer = Some(DrawerTool::Rotations);
    assert!(window.state_mut().as_mut().expect("the app").restore_state(&state));
    window.run_ok();
    window.get_by_label_contains("No visible panel interpolates");
    // The truth may be rendered for some frames.
    settle(&mut window);
    assert!(pictures(&window).is_empty());
}
