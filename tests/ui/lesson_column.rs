//! The column of a lesson: who has the keyboard, what lies below, whole titles, pins beside it.

use egui::{Key, Modifiers, Pos2, Rect, Role, vec2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lerpscope::lesson::embedded;

use crate::harness::documents::{basilica, press};
use crate::harness::waiting::wait;
use crate::harness::{Window, app, painted};
use crate::lesson::{click, drag, lesson_at, rest, step, walking};

const NONE: Modifiers = Modifiers::NONE;

/// Position of the footprint along x, which the slider of the walk's second step sets.
fn place(window: &Window) -> f64 {
    app(window).session().inspect.state.footprint.at.expect("a footprint")[0]
}

#[test]
fn slider_that_was_dragged_keeps_the_arrow_keys_until_esc() {
    let mut window = walking();
    press(&mut window, NONE, Key::PageDown);
    rest(&mut window);
    let slider = window.get_by_role_and_label(Role::Slider, "α").rect();
    let at = |share: f32| Pos2::new(slider.left() + share * slider.width(), slider.center().y);
    assert!(window.query_by_label_contains("Esc ends").is_none());
    drag(&mut window, at(0.25), at(0.5));
    window.get_by_label_contains("Esc ends");
    for (key, rises) in [(Key::ArrowRight, true), (Key::ArrowRight, true), (Key::ArrowLeft, false)] {
        let before = place(&window);
        press(&mut window, NONE, key);
        rest(&mut window);
        assert_eq!(step(&window), 1, "{key:?} walks");
        assert!((place(&window) - before != 0.0) && (place(&window) > before) == rises, "{key:?}: {}", place(&window));
    }
    press(&mut window, NONE, Key::Escape);
    assert!(window.query_by_label_contains("Esc ends").is_none());
    press(&mut window, NONE, Key::ArrowRight);
    assert_eq!(step(&window), 2, "the lesson runs on, and the key walks");
    press(&mut window, NONE, Key::Escape);
    assert!(app(&window).lesson().is_none());
}

#[test]
fn click_beside_a_slider_that_was_dragged_gives_the_arrow_keys_back() {
    let mut window = walking();
    press(&mut window, NONE, Key::PageDown);
    rest(&mut window);
    let slider = window.get_by_role_and_label(Role::Slider, "α").rect();
    let at = |share: f32| Pos2::new(slider.left() + share * slider.width(), slider.center().y);
    drag(&mut window, at(0.25), at(0.5));
    // The keys of a presenter walk all the same.
    press(&mut window, NONE, Key::PageDown);
    press(&mut window, NONE, Key::PageUp);
    assert_eq!(step(&window), 1);
    drag(&mut window, at(0.25), at(0.5));
    window.get_by_role(Role::Heading).click();
    window.run_ok();
    press(&mut window, NONE, Key::ArrowLeft);
    assert_eq!(step(&window), 0);
}

#[test]
fn line_at_the_fold_names_a_question_only_until_it_is_answered() {
    let mut window = lesson_at([900.0, 480.0], "07-catmull-rom.toml");
    press(&mut window, NONE, Key::PageDown);
    rest(&mut window);
    click(&mut window, Role::Button, "Question below");
    rest(&mut window);
    click(&mut window, Role::RadioButton, "One that is one at distance zero, and zero at every other whole distance");
    rest(&mut window);
    press(&mut window, NONE, Key::PageUp);
    press(&mut window, NONE, Key::PageDown);
    rest(&mut window);
    assert!(window.query_by_role_and_label(Role::Button, "Question below").is_none());
    click(&mut window, Role::Button, "More below");
    rest(&mut window);
    assert!(window.query_by_role_and_label(Role::Button, "More below").is_none());
}

#[test]
fn titles_of_all_lessons_are_whole_in_the_list_and_in_the_tab_learn() {
    let shown = |window: &Window| -> Vec<String> {
        let whole = Rect::from_min_size(Pos2::ZERO, vec2(1280.0, 4000.0));
        painted::texts(window, whole).into_iter().map(|(text, _)| text).collect()
    };
    let check = |window: &Window, place: &str| {
        let texts = shown(window);
        // Letters alone: a line that is broken has no blank at its end.
        let letters = |text: &str| text.split_whitespace().collect::<String>();
        let texts: Vec<String> = texts.iter().map(|text| letters(text)).collect();
        for lesson in embedded() {
            let name = format!("Lesson: {}", lesson.lesson.title);
            let row = window.get_by_role_and_label(Role::Button, &name);
            if row.rect().bottom() < 830.0 && !row.accesskit_node().is_hidden() {
                assert!(texts.contains(&letters(&lesson.lesson.title)), "{place}: {}", lesson.lesson.title);
            }
        }
    };
    let mut window = basilica();
    click(&mut window, Role::Tab, "Learn tab");
    check(&window, "the tab");
    press(&mut window, NONE, Key::F2);
    check(&window, "the list");
}

#[test]
fn side_bar_of_a_presentation_scrolls_to_a_new_pin() {
    let mut window = walking();
    press(&mut window, NONE, Key::F11);
    press(&mut window, Modifiers::COMMAND, Key::B);
    click(&mut window, Role::Tab, "View tab");
    rest(&mut window);
    let panel = window.get_by_label_contains("Panel 1:").rect();
    window.hover_at(panel.center() + vec2(20.0, 0.0));
    window.run_ok();
    press(&mut window, Modifiers::SHIFT, Key::P);
    let bottom = window.get_by_label("Unit of values").rect().top();
    wait(&mut window, "the pin", |window| {
        window.query_by_label("Remove pin 1").is_some_and(|pin| pin.rect().bottom() <= bottom)
    });
}
