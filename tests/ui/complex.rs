//! Complex images in the window without a screen: the section *Component*, palette, headers, undo.

use std::f32::consts::PI;

use egui::{Key, Modifiers, Role};
use egui_kittest::kittest::Queryable as _;
use lerpscope::app::Session;
use lerpscope::complex::Component;

use crate::harness::documents::{open_settled, type_command};
use crate::harness::pictures::refusal;
use crate::harness::side_bar::{open_tab, says_adjusted, unfold_display};
use crate::harness::waiting::{press_and_settle, settle};
use crate::harness::{Window, app};

fn session(window: &Window) -> &Session {
    app(window).session()
}

fn components(window: &Window) -> Vec<Component> {
    (0..session(window).panels().len()).map(|index| session(window).component_of(index)).collect()
}

#[test]
fn section_component_sets_that_of_the_focused_panel_and_undo_reverts_it() {
    let mut window = open_settled("synth:vortex:32x32", 960.0);
    assert_eq!(components(&window), [Component::Magnitude; 4]);
    window.get_by_role_and_label(Role::DisclosureTriangle, "Component");
    window.get_by_role_and_label(Role::RadioButton, "Phase").click();
    settle(&mut window);
    let focused = session(&window).focused();
    let expected = |component| {
        (0..4).map(|index| if index == focused { component } else { Component::Magnitude }).collect::<Vec<_>>()
    };
    assert_eq!(components(&window), expected(Component::Phase));
    assert_eq!(session(&window).panels()[focused].display.window[1], PI);
    type_command(&mut window, "component domain");
    assert_eq!(components(&window), expected(Component::Domain));
    assert_eq!(session(&window).page().channels(), lerpscope::image::Channels::Rgb);
    assert!((0..4).all(|index| refusal(&window, index).is_none()));
    press_and_settle(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(components(&window), expected(Component::Phase));
    press_and_settle(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(components(&window), [Component::Magnitude; 4]);
}

#[test]
fn usual_window_of_a_component_is_not_adjusted_and_reset_returns_to_it() {
    let mut window = open_settled("synth:vortex:32x32", 960.0);
    window.get_by_role_and_label(Role::RadioButton, "Phase").click();
    settle(&mut window);
    let focused = session(&window).focused();
    let displays = |window: &Window| session(window).panels().iter().map(|panel| panel.display).collect::<Vec<_>>();
    let usual = displays(&window);
    assert!(usual[focused].window == [-PI, PI] && usual[(focused + 1) % 4].window[0] == 0.0 && !says_adjusted(&window));
    press_and_settle(&mut window, Modifiers::NONE, Key::E);
    assert!(displays(&window)[focused].exposure > 0.0 && says_adjusted(&window));
    // The kernels give way, so that the button is in sight.
    open_tab(&mut window, "View", Some("Kernels"));
    unfold_display(&mut window);
    window.get_by_role_and_label(Role::Button, "Reset").click();
    settle(&mut window);
    assert_eq!(displays(&window), usual, "each panel has the window of its own component");
    assert!(!says_adjusted(&window));
}

#[test]
fn tab_view_of_a_complex_image_fits_a_window_of_812_points() {
    // The test's window has a margin of 8 points.
    let window = open_settled("synth:vortex:32x32", 828.0);
    let status = window.get_by_label("Unit of values").rect();
    for title in ["Component", "Histogram", "Pins", "Details"] {
        let title = window.get_by_role_and_label(Role::DisclosureTriangle, title).rect();
        assert!(title.bottom() <= status.top(), "{title:?}");
    }
}

#[test]
fn picture_has_no_section_and_refuses_a_component() {
    let mut window = open_settled("synth:disc:32x32", 960.0);
    assert!(window.query_by_role_and_label(Role::DisclosureTriangle, "Component").is_none());
    type_command(&mut window, "component phase");
    assert_eq!(components(&window), [Component::Real; 4]);
}
