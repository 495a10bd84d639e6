//! The keyboard while a menu is open: arrow keys walk it, Enter chooses, Esc closes, and nothing behind it acts.

use egui::{Key, Modifiers, Vec2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lerpscope::sampling::Method;

use crate::harness::documents::{embedded, open_images, widen};
use crate::harness::waiting::press_and_rest as press;
use crate::harness::{Window, app};

const NONE: Modifiers = Modifiers::NONE;

/// A window whose last step, the method of panel 1, can be undone, with the menu *Edit* open.
fn with_open_menu() -> Window {
    let mut window = open_images(embedded(), 1400.0, 64);
    widen(&mut window);
    press(&mut window, NONE, Key::K);
    assert_eq!(method(&window), Method::Linear);
    window.get_by_label("Edit").click();
    window.run();
    assert!(is_open(&window));
    window
}

fn method(window: &Window) -> Method {
    app(window).session().panels()[0].sampler.method
}

fn is_open(window: &Window) -> bool {
    window.query_by_label_contains("Undo: method").is_some()
}

#[test]
fn keys_of_the_window_do_nothing_behind_an_open_menu_and_escape_closes_it() {
    let mut window = with_open_menu();
    for key in [Key::K, Key::D, Key::A] {
        let before = app(&window).session().state();
        press(&mut window, NONE, key);
        assert_eq!(app(&window).session().state(), before, "{key:?}");
        assert!(is_open(&window), "{key:?}");
    }
    press(&mut window, NONE, Key::Escape);
    assert!(!is_open(&window));
    press(&mut window, NONE, Key::K);
    assert_ne!(method(&window), Method::Linear, "the keys act again");
}

#[test]
fn arrow_keys_walk_an_open_menu_and_enter_chooses() {
    let mut window = with_open_menu();
    let focused = |window: &Window| {
        let node = window.query_all_by(|node| node.is_focused()).next();
        node.and_then(|node| node.accesskit_node().label()).unwrap_or_default()
    };
    press(&mut window, NONE, Key::ArrowDown);
    assert!(focused(&window).contains("Undo: method"), "{}", focused(&window));
    press(&mut window, NONE, Key::ArrowDown);
    let second = focused(&window);
    assert!(!second.contains("Undo: method") && !second.is_empty(), "{second}");
    // From the first item to the last one and back.
    [Key::ArrowUp, Key::ArrowUp].into_iter().for_each(|key| press(&mut window, NONE, key));
    assert!(!focused(&window).contains("Undo: method"), "{}", focused(&window));
    press(&mut window, NONE, Key::ArrowDown);
    assert!(focused(&window).contains("Undo: method"), "{}", focused(&window));
    press(&mut window, NONE, Key::Enter);
    assert!(!is_open(&window));
    assert_eq!(method(&window), Method::Nearest);
}

/// The right arrow key opens the next menu of the bar, the left one the one before, also past the ends; on the item of a submenu it
/// opens that, and closes it.
#[test]
fn left_and_right_arrow_keys_walk_the_menus_of_the_bar_and_their_submenus() {
    let mut window = with_open_menu();
    let has = |window: &Window, text: &str| {
        window
            .query_all_by(|node| node.label().is_some_and(|label| label.starts_with(text)) && !node.is_hidden())
            .count()
            > 0
    };
    press(&mut window, NONE, Key::ArrowLeft);
    assert!(!is_open(&window) && has(&window, "Open…"), "File");
    press(&mut window, NONE, Key::ArrowRight);
    assert!(is_open(&window) && !has(&window, "Open…"), "Edit");
    // An item of the next menu has no focus yet: the down key goes to its first.
    press(&mut window, NONE, Key::ArrowDown);
    press(&mut window, NONE, Key::ArrowLeft);
    press(&mut window, NONE, Key::ArrowLeft);
    assert!(!has(&window, "Open…") && !is_open(&window), "the last menu");
    press(&mut window, NONE, Key::ArrowRight);
    assert!(has(&window, "Open…"), "File again");
    let focused = |window: &Window| {
        let node = window.query_all_by(|node| node.is_focused()).next();
        node.and_then(|node| node.accesskit_node().label()).unwrap_or_default()
    };
    let mut steps = 0;
    while focused(&window) != "Decimate" {
        press(&mut window, NONE, Key::ArrowDown);
        steps += 1;
        assert!(steps < 40, "{}", focused(&window));
    }
    let has_items = |window: &Window| has(window, "By 2, ");
    assert!(!has_items(&window));
    press(&mut window, NONE, Key::ArrowRight);
    assert!(has(&window, "Open…") && has_items(&window), "the submenu opens in place of the next menu");
    press(&mut window, NONE, Key::ArrowLeft);
    assert!(has(&window, "Open…") && !has_items(&window), "the submenu closes, the menu stays");
}

/// In a window without room for their titles the menus are submenus of one: arrow keys open and close them, and a click on an item acts.
#[test]
fn menus_of_a_narrow_window_are_submenus_of_one_that_keys_and_clicks_walk() {
    let mut window = open_images(embedded(), 500.0, 64);
    window.set_size(Vec2::new(700.0, 500.0));
    window.run();
    let has = |window: &Window, text: &str| {
        let items = window.query_all_by(|node| node.label().is_some_and(|label| label.starts_with(text)));
        items.filter(|node| !node.accesskit_node().is_hidden()).count() > 0
    };
    let focused = |window: &Window| {
        let node = window.query_all_by(|node| node.is_focused()).next();
        node.and_then(|node| node.accesskit_node().label()).unwrap_or_default()
    };
    assert!(!has(&window, "Edit"));
    window.get_by_label("Menu").click();
    window.run();
    for title in ["File", "Edit", "View", "Panel", "Compare", "Inspect", "Window"] {
        assert!(has(&window, title), "{title}");
    }
    press(&mut window, NONE, Key::ArrowDown);
    assert_eq!(focused(&window), "File");
    press(&mut window, NONE, Key::ArrowRight);
    assert!(has(&window, "Open…"), "the submenu opens");
    press(&mut window, NONE, Key::ArrowLeft);
    assert!(!has(&window, "Open…") && has(&window, "Edit"), "it closes, the menu stays");
    press(&mut window, NONE, Key::Escape);
    let left: Vec<_> = window
        .query_all_by(|node| node.label().is_some_and(|label| label.starts_with("Edit")))
        .map(|node| (node.rect(), node.accesskit_node().role(), node.accesskit_node().label()))
        .collect();
    assert!(!has(&window, "Edit"), "{left:?}, focus {}", focused(&window));
    assert_eq!(method(&window), Method::Nearest);
    window.get_by_label("Menu").click();
    window.run();
    window.get_by_label("Panel").click();
    window.run();
    window.get_by_label_contains("Maximize panel").click();
    window.run();
    assert!(app(&window).session().is_maximized());
    assert!(!has(&window, "Edit"), "a choice closes all");
}
