//! Undo and redo in the window, without a screen: by key, by menu, and of what a hand drags.

use egui::{Event, Key, Modifiers, PointerButton, Pos2, Role, Vec2};
use egui_kittest::kittest::Queryable as _;
use lerpscope::app::{SessionState, Unit};
use lerpscope::sampling::Method;

use crate::harness::documents::{embedded, open_images, widen};
use crate::harness::side_bar::open_tab;
use crate::harness::waiting::press_and_rest as press;
use crate::harness::{Window, app};

const CTRL_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);

fn basilica() -> Window {
    open_images(embedded(), 1400.0, 64)
}

fn state(window: &Window) -> SessionState {
    app(window).session().state()
}

/// Keys that set something. Views come back with the rest here since all are fitted; a relative link would end that where
/// the pictures' size changes.
#[test]
fn undo_and_redo_of_random_keys_restore_the_first_and_last_state() {
    let edits = [
        (Modifiers::NONE, Key::K),
        (Modifiers::SHIFT, Key::K),
        (Modifiers::NONE, Key::A),
        (Modifiers::SHIFT, Key::A),
        (Modifiers::NONE, Key::E),
        (Modifiers::NONE, Key::G),
        (Modifiers::NONE, Key::U),
        (Modifiers::NONE, Key::S),
        (Modifiers::NONE, Key::W),
        (Modifiers::NONE, Key::D),
        (Modifiers::NONE, Key::CloseBracket),
        (Modifiers::COMMAND, Key::L),
        (Modifiers::COMMAND, Key::N),
        (Modifiers::COMMAND, Key::W),
        (CTRL_SHIFT, Key::ArrowRight),
    ];
    for seed in 0..2 {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut window = basilica();
        let (first, mut edited) = (state(&window), 0);
        while edited < 30 {
            let (modifiers, key) = edits[random.usize(..edits.len())];
            let before = state(&window);
            press(&mut window, modifiers, key);
            edited += usize::from(state(&window) != before);
        }
        let last = state(&window);
        let walk = |window: &mut Window, modifiers: Modifiers, key: Key| {
            (0..40).for_each(|_| press(window, modifiers, key));
            state(window)
        };
        assert_eq!(walk(&mut window, Modifiers::COMMAND, Key::Z), first, "seed {seed}");
        assert_eq!(walk(&mut window, CTRL_SHIFT, Key::Z), last, "seed {seed}");
        assert_eq!(walk(&mut window, Modifiers::COMMAND, Key::Z), first, "seed {seed}");
        assert_eq!(walk(&mut window, Modifiers::COMMAND, Key::Y), last, "seed {seed}");
    }
}

#[test]
fn undo_menu_item_names_its_step() {
    let mut window = basilica();
    widen(&mut window);
    window.get_by_label("Edit").click();
    window.run();
    window.get_by_label_contains("Undo");
    assert!(window.query_by_label_contains("Undo:").is_none());
    press(&mut window, Modifiers::NONE, Key::Escape);
    press(&mut window, Modifiers::NONE, Key::K);
    window.get_by_label("Edit").click();
    window.run();
    window.get_by_label_contains("Undo: method").click();
    window.run();
    assert_eq!(app(&window).session().panels()[0].sampler.method, Method::Nearest);
    window.get_by_label("Undone: method of 1 Linear");
    window.get_by_label("Edit").click();
    window.run();
    window.get_by_label_contains("Redo: method").click();
    window.run();
    assert_eq!(app(&window).session().panels()[0].sampler.method, Method::Linear);
}

#[test]
fn undo_of_a_drag_is_one_step_and_views_go_back_separately() {
    let mut window = basilica();
    let first = state(&window);
    // The mode that reads the border's value: the third step.
    press(&mut window, Modifiers::NONE, Key::A);
    for (tab, section, name) in [("Panel", None, "Border"), ("View", Some("Display"), "Exposure")] {
        open_tab(&mut window, tab, section);
        let from = window.get_by_role_and_label(Role::SpinButton, name).rect().center();
        let to = from + Vec2::new(60.0, 0.0);
        window.hover_at(from);
        window.run();
        window.drag_at(from);
        window.run();
        for step in 1..=6 {
            window.hover_at(from + (to - from) * (step as f32 / 6.0));
            window.run();
        }
        window.drop_at(to);
        window.run();
    }
    let dragged = state(&window);
    let panel = &dragged.panels[0];
    assert!(panel.sampler.border > 0.0 && panel.display.exposure > 0.0, "{panel:?}");
    press(&mut window, Modifiers::NONE, Key::Num8);
    let near = app(&window).session().view();
    press(&mut window, Modifiers::COMMAND, Key::Z);
    let panel = &app(&window).session().panels()[0];
    assert_eq!((panel.display.exposure, panel.sampler.border), (0.0, dragged.panels[0].sampler.border));
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(app(&window).session().panels()[0].sampler.border, 0.0);
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(app(&window).session().view(), near);
    press(&mut window, Modifiers::NONE, Key::Backspace);
    assert_eq!(state(&window), first);
}

/// The unit is a preference and no part of the session; its change is an undo step all the same.
#[test]
fn unit_is_undone_and_redone() {
    let mut window = basilica();
    let unit = |window: &Window| app(window).preferences().unit;
    press(&mut window, Modifiers::NONE, Key::U);
    press(&mut window, Modifiers::NONE, Key::U);
    assert_eq!(unit(&window), Unit::Byte);
    press(&mut window, Modifiers::COMMAND, Key::Z);
    window.get_by_label("Undone: unit");
    assert_eq!(unit(&window), Unit::One);
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(unit(&window), Unit::File);
    press(&mut window, CTRL_SHIFT, Key::Z);
    assert_eq!(unit(&window), Unit::One);
}

/// A drag with the right button that undo, redo or Esc interrupts changes nothing more.
#[test]
fn undo_and_escape_cancel_a_drag_of_the_display_window() {
    for (modifiers, key) in [(Modifiers::COMMAND, Key::Z), (Modifiers::COMMAND, Key::Y), (Modifiers::NONE, Key::Escape)]
    {
        let mut window = basilica();
        press(&mut window, Modifiers::NONE, Key::K);
        let start = window.get_by_label_contains("Panel 2:").rect().center();
        let pointer = |window: &mut Window, pos: Pos2, pressed: Option<bool>| {
            let events = &mut window.input_mut().events;
            events.push(Event::PointerMoved(pos));
            let (button, modifiers) = (PointerButton::Secondary, Modifiers::NONE);
            events.extend(pressed.map(|pressed| Event::PointerButton { pos, button, pressed, modifiers }));
            window.run();
        };
        pointer(&mut window, start, None);
        pointer(&mut window, start, Some(true));
        pointer(&mut window, start + Vec2::new(40.0, 0.0), None);
        let display = |window: &Window| app(window).session().panels()[1].display.window;
        assert_ne!(display(&window), [0.0, 1.0]);
        press(&mut window, modifiers, key);
        let cancelled = display(&window);
        pointer(&mut window, start + Vec2::new(90.0, 50.0), None);
        pointer(&mut window, start + Vec2::new(90.0, 50.0), Some(false));
        assert_eq!(display(&window), cancelled, "{key:?}");
    }
}
