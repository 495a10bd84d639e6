//! Accessibility of every control: a name for assistive technology, a tooltip, and a way to reach it without a mouse.

use std::collections::BTreeSet;

use egui::{Event, Key, Modifiers, MouseWheelSource, MouseWheelUnit, PointerButton, Rect, Role, TouchPhase, Vec2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lerpscope::app::Framing;

use crate::harness::documents::{embedded, open_images, widen};
use crate::harness::side_bar::unfold_numbers;
use crate::harness::waiting::press_and_rest as press;
use crate::harness::{Window, app};

fn basilica() -> Window {
    open_images(embedded(), 1800.0, 64)
}

const CONTROLS: [Role; 8] = [
    Role::Button,
    Role::CheckBox,
    Role::RadioButton,
    Role::ComboBox,
    Role::SpinButton,
    Role::Slider,
    Role::TextInput,
    Role::Image,
];

/// Visible controls: role, name, rectangle.
fn controls(window: &Window) -> Vec<(Role, Option<String>, Rect)> {
    let nodes = window.query_all_by(|node| CONTROLS.contains(&node.role()) && !node.is_hidden());
    nodes
        .map(|node| {
            let consumer = node.accesskit_node();
            let by: Vec<String> = consumer.labelled_by().filter_map(|label| label.label().or(label.value())).collect();
            let name =
                consumer.label().filter(|label| !label.trim().is_empty()).or((!by.is_empty()).then(|| by.join(" ")));
            (node.accesskit_node().role(), name, node.rect())
        })
        .collect()
}

/// A state of the window: its name, and the actions that lead to it.
type State = (&'static str, fn(&mut Window));

/// States with different visible controls.
fn states() -> [State; 5] {
    [
        ("as it opens", |_| {}),
        ("with tools", |window| {
            press(window, Modifiers::NONE, Key::Num8);
            let pos = window.get_by_label("Panel 2: Linear (lerp)").rect().center();
            window.hover_at(pos);
            window.run();
            press(window, Modifiers::SHIFT, Key::P);
        }),
        ("as a difference", |window| press(window, Modifiers::NONE, Key::D)),
        ("with the settings", |window| press(window, Modifiers::COMMAND, Key::Comma)),
        ("with the export", |window| press(window, Modifiers::COMMAND, Key::S)),
    ]
}

#[test]
fn controls_all_have_an_accessible_name() {
    for (state, bring_about) in states() {
        let mut window = basilica();
        // With the titles of the menus.
        widen(&mut window);
        bring_about(&mut window);
        let found = controls(&window);
        assert!(found.len() > 30, "{state}: {} controls", found.len());
        for (role, name, rect) in found {
            assert!(name.is_some(), "{state}: a {role:?} at {rect:?} has no name");
        }
    }
}

/// Menus are identified by their titles, text fields by their contents.
#[test]
fn controls_all_have_a_tooltip() {
    let plain = ["File", "Edit", "View", "Panel", "Compare", "Inspect", "Window"];
    for (state, bring_about) in &states()[..3] {
        let mut window = basilica();
        bring_about(&mut window);
        let texts = |window: &Window| -> BTreeSet<String> {
            window
                .query_all_by(|_| true)
                .filter_map(|node| node.accesskit_node().label().or(node.accesskit_node().value()))
                .collect()
        };
        window.hover_at(egui::pos2(640.0, 1.0));
        window.run();
        let before = texts(&window);
        for (role, name, rect) in controls(&window) {
            let name = name.unwrap_or_default();
            // The status line begins at 1756.
            let is_seen = rect.bottom() < 1756.0 && rect.top() > 0.0;
            if role == Role::Image || plain.contains(&name.as_str()) || !is_seen {
                continue;
            }
            window.hover_at(egui::pos2(640.0, 1.0));
            window.run();
            window.hover_at(rect.center());
            window.run();
            let new: Vec<String> = texts(&window).difference(&before).cloned().collect();
            assert!(!new.is_empty(), "{state}: {role:?} '{name}' at {rect:?} has no tooltip");
        }
    }
}

#[test]
fn keyboard_focus_reaches_every_control_and_panel() {
    let mut window = basilica();
    unfold_numbers(&mut window);
    let mut reached = BTreeSet::new();
    for _ in 0..160 {
        window.key_press(Key::Tab);
        window.run();
        let focused = window.query_all_by(|node| node.is_focused()).next();
        reached.extend(focused.and_then(|node| {
            let consumer = node.accesskit_node();
            let by = consumer.labelled_by().filter_map(|label| label.label().or(label.value())).next();
            consumer.label().filter(|label| !label.is_empty()).or(by)
        }));
    }
    for name in [
        "Move x",
        "Samples per pixel",
        "Exposure",
        "View tab",
        "Histogram",
        "Side bar",
        "Normalize",
        "Panel 1: Nearest (nerp)",
        "Menu",
        "Fit",
    ] {
        assert!(reached.contains(name), "{name} is not among {reached:?}");
    }
}

#[test]
fn pointer_gestures_do_what_the_bindings_table_says() {
    let mut window = basilica();
    press(&mut window, Modifiers::NONE, Key::Num4);
    let rect = window.get_by_label("Panel 1: Nearest (nerp)").rect();
    let pos = rect.center();
    let view = |window: &Window| app(window).session().view();
    let drag = |window: &mut Window, button: PointerButton| {
        window.hover_at(pos);
        window.run();
        let by = Vec2::new(12.0, -20.0);
        window.event(Event::PointerButton { pos, button, pressed: true, modifiers: Modifiers::NONE });
        window.step();
        window.event(Event::PointerMoved(pos + by));
        window.step();
        window.event(Event::PointerButton { pos: pos + by, button, pressed: false, modifiers: Modifiers::NONE });
        window.run();
    };
    // Middle drag pans, and so does a drag with the space bar held, which then is no tap.
    let before = view(&window).translation();
    drag(&mut window, PointerButton::Middle);
    assert_eq!(view(&window).translation(), [before[0] - 3.0, before[1] + 5.0]);
    window.key_down(Key::Space);
    window.step();
    drag(&mut window, PointerButton::Primary);
    window.key_up(Key::Space);
    window.run();
    assert_eq!(view(&window).translation(), [before[0] - 6.0, before[1] + 10.0]);
    assert_eq!(app(&window).session().areas().len(), 4);
    let turn = |window: &mut Window, unit: MouseWheelUnit, delta: [f32; 2], modifiers: Modifiers| {
        window.hover_at(pos);
        window.run_steps(4);
        let (delta, source) = (Vec2::from(delta), MouseWheelSource::Unknown);
        window.event(Event::MouseWheel { unit, delta, phase: TouchPhase::Move, source, modifiers });
        window.run_steps(8);
    };
    let scale = view(&window).scale();
    turn(&mut window, MouseWheelUnit::Line, [0.0, 1.0], Modifiers::COMMAND);
    assert!((scale / view(&window).scale() - 1.2).abs() < 1e-9, "Ctrl+wheel zooms");
    let before = view(&window);
    turn(&mut window, MouseWheelUnit::Line, [0.0, 1.0], Modifiers::SHIFT);
    let (now, was) = (view(&window).translation(), before.translation());
    assert!(
        now[0] != was[0] && now[1] == was[1] && view(&window).scale() == before.scale(),
        "Shift+wheel moves sideways"
    );
    turn(&mut window, MouseWheelUnit::Point, [0.0, 3.0], Modifiers::COMMAND);
    assert!(view(&window).scale() < before.scale(), "Ctrl+scroll zooms on a trackpad");
    press(&mut window, Modifiers::NONE, Key::Num0);
    assert_eq!(app(&window).session().framing(), Framing::Fit);
    press(&mut window, Modifiers::NONE, Key::Equals);
    assert_eq!(view(&window).scale(), 1.0);
    for n in [Key::Num2, Key::Num3, Key::Num5, Key::Num6, Key::Num7, Key::Num9] {
        press(&mut window, Modifiers::NONE, n);
        let times: f64 = n.name().parse().expect("a digit");
        assert_eq!(view(&window).scale(), 1.0 / times);
    }
    press(&mut window, Modifiers::NONE, Key::Questionmark);
    window.get_by_label("Find a command or key");
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert!(window.query_by_label("Find a command or key").is_none());
    let (key, modifiers) = (Key::Q, Modifiers::COMMAND);
    let quit = Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers };
    window.input_mut().events.push(quit);
    window.step();
    let closes = window
        .output()
        .viewport_output
        .values()
        .any(|viewport| viewport.commands.iter().any(|command| matches!(command, egui::ViewportCommand::Close)));
    assert!(closes, "Ctrl+Q closes the window");
}
