//! Overlays of the interpolated field, without a screen: what their keys show, count and keep.

use std::path::PathBuf;

use egui::{Key, Modifiers, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lerpscope::lab::field::{LENSES, Lens};

use crate::harness::documents::{basilica, open, press};
use crate::harness::side_bar::open_tab;
use crate::harness::waiting::settle;
use crate::harness::{Window, app};

const CTRL: Modifiers = Modifiers::COMMAND;
const NONE: Modifiers = Modifiers::NONE;
const SHIFT: Modifiers = Modifiers::SHIFT;

/// The captions that begin with `title`, in the order of the panels.
fn captions(window: &Window, title: &str) -> Vec<String> {
    let start = format!("{title} of panel ");
    let labels = window.query_all_by_role(Role::Label).filter_map(|node| node.accesskit_node().value());
    let mut found: Vec<String> = labels.filter(|label| label.starts_with(&start)).collect();
    found.sort();
    found
}

#[test]
fn sample_check_counts_kept_samples_of_each_panel_and_the_prefilter_keeps_them() {
    let mut window = basilica();
    press(&mut window, SHIFT, Key::V);
    settle(&mut window);
    let counts = captions(&window, "Sample check");
    assert_eq!(counts.len(), 4, "{counts:?}");
    let count = app(&window).session().page().size().area();
    for (index, keeps) in [true, true, false, true].into_iter().enumerate() {
        let all = format!("Sample check of panel {}: {count} of {count} samples kept", index + 1);
        assert_eq!(counts[index].starts_with(&all), keeps, "{}", counts[index]);
    }
    (0..2).for_each(|_| press(&mut window, CTRL, Key::Tab));
    press(&mut window, NONE, Key::P);
    settle(&mut window);
    let counts = captions(&window, "Sample check");
    assert!(counts[2].starts_with(&format!("Sample check of panel 3: {count} of {count}")), "{}", counts[2]);
    press(&mut window, SHIFT, Key::V);
    assert_eq!(captions(&window, "Sample check"), Vec::<String>::new());
}

#[test]
fn sample_check_keeps_panel_pixels_is_undone_and_has_a_switch_in_the_side_bar() {
    let mut window = open(vec![PathBuf::from("synth:zone-plate:256x256")], None);
    press(&mut window, NONE, Key::Num9);
    let pixels = |window: &Window| app(window).picture(2).expect("a picture").pixels().clone();
    let before = pixels(&window);
    open_tab(&mut window, "Inspect", None);
    window.get_by_label("Sample check").click();
    window.run_ok();
    settle(&mut window);
    assert!(app(&window).session().inspect.state.checks_samples);
    assert_eq!(captions(&window, "Sample check").len(), 4);
    assert!(pixels(&window) == before, "the overlay changes no pixel");
    press(&mut window, CTRL, Key::Z);
    assert!(!app(&window).session().inspect.state.checks_samples && captions(&window, "Sample check").is_empty());
}

#[test]
fn overshoot_is_counted_in_panels_of_sharp_methods_and_antiringing_takes_it_away() {
    let mut window = open(vec![PathBuf::from("synth:siemens-star:64x64")], None);
    press(&mut window, NONE, Key::O);
    settle(&mut window);
    let counts = captions(&window, "Overshoot");
    for (index, overshoots) in [false, false, false, true].into_iter().enumerate() {
        let none = format!("Overshoot of panel {}: none", index + 1);
        assert_eq!(counts[index] != none, overshoots, "{}", counts[index]);
    }
    let overlaid = app(&window).picture(3).expect("a picture").pixels().clone();
    // The slider belongs to the focused panel and to its request.
    (0..3).for_each(|_| press(&mut window, CTRL, Key::Tab));
    open_tab(&mut window, "Panel", None);
    let slider = window.get_by_role_and_label(Role::Slider, "Antiringing");
    slider.focus();
    window.run_ok();
    press(&mut window, NONE, Key::End);
    (0..100).for_each(|_| press(&mut window, NONE, Key::ArrowRight));
    settle(&mut window);
    assert_eq!(app(&window).session().panels()[3].sampler.antiringing, 1.0);
    assert_eq!(captions(&window, "Overshoot")[3], "Overshoot of panel 4: none");
    assert!(*app(&window).picture(3).expect("a picture").pixels() != overlaid, "the picture is antiringed");
    let commands = app(&window).command_lines().expect("commands");
    assert!(commands[3].contains("--antiring 1") && !commands[2].contains("--antiring"), "{commands:?}");
}

#[test]
fn lens_key_walks_through_the_lenses_and_back_to_the_values_and_pixels_stay() {
    let mut window = basilica();
    press(&mut window, NONE, Key::Num4);
    let pixels = |window: &Window| app(window).picture(3).expect("a picture").pixels().clone();
    let before = pixels(&window);
    for row in &LENSES {
        press(&mut window, NONE, Key::C);
        settle(&mut window);
        assert_eq!(app(&window).session().inspect.state.lens, Some(row.lens));
        let found = captions(&window, row.title);
        assert_eq!(found.len(), 4, "{}: {found:?}", row.title);
        assert!(found.iter().all(|caption| !caption.ends_with('…')), "{found:?}");
    }
    press(&mut window, NONE, Key::C);
    assert_eq!(app(&window).session().inspect.state.lens, None);
    assert!(pixels(&window) == before, "a lens changes no pixel");
    press(&mut window, CTRL, Key::Z);
    assert_eq!(app(&window).session().inspect.state.lens, Some(Lens::Curvature));
}

#[test]
fn second_derivative_of_a_linear_panel_is_sharper_than_that_of_a_prefiltered_spline() {
    let mut window = open(vec![PathBuf::from("synth:gaussian:64x64")], None);
    (0..2).for_each(|_| press(&mut window, CTRL, Key::Tab));
    press(&mut window, NONE, Key::P);
    press(&mut window, NONE, Key::Num9);
    (0..4).for_each(|_| press(&mut window, NONE, Key::C));
    settle(&mut window);
    let most = |caption: &String| {
        let number = caption.rsplit("up to ").next().and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
        number.unwrap_or_else(|| panic!("{caption}"))
    };
    let found: Vec<f64> = captions(&window, "Second derivative").iter().map(most).collect();
    assert!(found[0] > found[1] && found[1] > 2.0 * found[2], "nearest, linear, B-spline: {found:?}");
}

#[test]
fn overlays_stay_while_the_view_moves_and_a_window_at_rest_draws_no_frame() {
    let mut window = basilica();
    for (modifiers, key) in [(SHIFT, Key::V), (NONE, Key::O), (NONE, Key::C)] {
        press(&mut window, modifiers, key);
    }
    settle(&mut window);
    let frames = window.run();
    assert!(frames <= 2, "{frames} frames at rest");
    for _ in 0..5 {
        press(&mut window, NONE, Key::ArrowRight);
        let found = captions(&window, "Isolines");
        assert!(found.len() == 4 && found.iter().all(|caption| !caption.ends_with('…')), "{found:?}");
    }
}
