//! The footprint of a pixel in the drawer, without a screen: the choice of the pixel, the sum, the steps, the source, files.

use std::path::PathBuf;

use egui::{Event, Key, Modifiers, PointerButton, Pos2, Rect, Role, Vec2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lerpscope::app::{DrawerTool, FootprintState, Unit};
use lerpscope::arguments::parse_sampler;
use lerpscope::image::{self, Channels, Raster, Samples, Size};
use lerpscope::lab::footprint::{STEPS, StepKind};
use lerpscope::sampling::Sampler;

use crate::harness::documents::{CTRL_SHIFT, basilica, open, press, type_text};
use crate::harness::pointer::drag;
use crate::harness::saving::{save_as, save_plot};
use crate::harness::waiting::settle;
use crate::harness::{Window, app};

const PANELS: [&str; 4] =
    ["Panel 1: Nearest (nerp)", "Panel 2: Linear (lerp)", "Panel 3: Cubic B-spline (bicubic)", "Panel 4: Catmull-Rom"];

fn footprint(window: &Window) -> FootprintState {
    app(window).session().inspect.state.footprint
}

fn panel(window: &Window, index: usize) -> Rect {
    window.get_by_label(PANELS[index]).rect()
}

/// A window at 8× with the footprint open.
fn with_footprint() -> Window {
    let mut window = basilica();
    press(&mut window, Modifiers::NONE, Key::Num8);
    press(&mut window, Modifiers::NONE, Key::F4);
    settle(&mut window);
    window
}

fn click(window: &mut Window, pos: Pos2) {
    window.hover_at(pos);
    window.run_ok();
    for pressed in [true, false] {
        let button = PointerButton::Primary;
        window.event(Event::PointerButton { pos, button, pressed, modifiers: Modifiers::NONE });
        window.step();
    }
    window.run_ok();
    settle(window);
}

/// The text of the node whose label contains `part`.
fn text_of(window: &Window, part: &str) -> String {
    let node = window.get_by_label_contains(part);
    let node = node.accesskit_node();
    node.label().or_else(|| node.value()).expect("a text")
}

/// The lines of the source that are in sight, from 1.
fn lines_in_sight(window: &Window) -> [usize; 2] {
    let text = text_of(window, "Lines ");
    let numbers: Vec<usize> = text.split(' ').filter_map(|word| word.parse().ok()).collect();
    numbers.try_into().expect("a first and a last line")
}

/// The value after `sum` or `sum of red`.
fn total(window: &Window, name: &str) -> String {
    let of_label = |label: String| label.strip_prefix(&format!("{name} ")).map(str::to_owned);
    let labels = window.query_all_by_label_contains(name);
    let mut found = labels.filter_map(|node| node.accesskit_node().label().or_else(|| node.accesskit_node().value()));
    found.find_map(of_label).unwrap_or_else(|| panic!("no '{name}'"))
}

/// Checks the total after `name`: the value of single precision in units of which 1 is `one`, with one decimal more than the status
/// line has.
fn assert_total(window: &Window, name: &str, value: f32, one: f64) {
    let text = total(window, name);
    let (found, decimals) = (text.replace('−', "-"), text.split('.').nth(1).map_or(0, str::len));
    let found: f64 = found.parse().unwrap_or_else(|_| panic!("{name} {text}"));
    assert_eq!(decimals, if one <= 1.0 { 5 } else { 3 }, "{name} {text}");
    let expected = f64::from(value) * one;
    assert!((found - expected).abs() < 6e-4 * one.max(1.0) / 255.0 + 1e-5, "{name} {text}: {expected}");
}

/// The file and the marked lines of the source: `kernels/weights.cuh:97–103`.
fn source(window: &Window) -> String {
    let of_file = |label: &String| label.contains(".cu") || label.contains(".rs:");
    let labels = window.query_all_by(|node| node.label().or_else(|| node.value()).is_some_and(|text| of_file(&text)));
    let mut labels: Vec<String> =
        labels.filter_map(|node| node.accesskit_node().label().or_else(|| node.accesskit_node().value())).collect();
    labels.dedup();
    assert_eq!(labels.len(), 1, "{labels:?}");
    labels.remove(0)
}

fn choose(window: &mut Window, step: StepKind) {
    window.get_by_role_and_label(Role::Tab, &format!("Step {}", step.row().title)).click();
    window.run_ok();
}

/// The key of the discs gives way to the buttons.
#[test]
fn controls_do_not_overlap_at_any_width() {
    let mut window = with_footprint();
    let mut shown = 0;
    for width in (280..=1300).step_by(30) {
        window.set_size(Vec2::new(width as f32, 760.0));
        settle(&mut window);
        let buttons = window.query_all_by_role(Role::Button);
        let last = buttons
            .filter(|node| node.accesskit_node().label().is_some_and(|label| label.starts_with("Pixel ")))
            .map(|node| node.rect().right())
            .fold(0.0, f32::max);
        assert!(last > 0.0, "{width}: no buttons");
        if let Some(key) = window.query_by_label("added") {
            shown += 1;
            assert!(
                key.rect().left() > last,
                "{width}: the key begins at {}, the buttons end at {last}",
                key.rect().left()
            );
        }
    }
    assert!(shown > 5, "the key is shown at {shown} widths");
}

#[test]
fn f4_explains_the_pixel_under_the_cursor_or_in_the_middle_and_closes_again() {
    let mut window = basilica();
    assert_eq!(footprint(&window), FootprintState::default());
    press(&mut window, Modifiers::NONE, Key::F4);
    settle(&mut window);
    assert_eq!(app(&window).session().inspect.state.drawer, Some(DrawerTool::Footprint));
    let session = app(&window).session();
    let middle = session.output().sides().map(|side| i64::from(side / 2));
    assert_eq!(session.footprint_pixel(session.focused()), Some(middle));
    assert_eq!(text_of(&window, "pixel ("), format!("pixel ({}, {})", middle[0], middle[1]));
    choose(&mut window, StepKind::Weights);
    assert!(text_of(&window, "pixel (").contains("α = "), "an antialiased view");
    press(&mut window, Modifiers::NONE, Key::F4);
    assert_eq!(app(&window).session().inspect.state.drawer, None);
    assert_eq!(window.query_all_by_label_contains("pixel (").count(), 0);
}

#[test]
fn click_on_a_picture_chooses_its_pixel_and_a_drag_does_not() {
    let mut window = with_footprint();
    let pos = panel(&window, 3).center() + Vec2::new(31.0, 17.0);
    click(&mut window, pos);
    let session = app(&window).session();
    assert_eq!(session.focused(), 3, "the clicked panel has the focus");
    let reading = app(&window).reading().expect("a reading").pos_in_image;
    assert_eq!(footprint(&window).at, Some(reading), "the position in the status line");
    let before = footprint(&window);
    drag(&mut window, pos, pos + Vec2::new(40.0, 12.0));
    settle(&mut window);
    assert_eq!(footprint(&window), before, "the pixel keeps its place in the image");
}

#[test]
fn click_on_a_picture_chooses_nothing_while_the_footprint_is_closed() {
    let mut window = basilica();
    let pos = panel(&window, 1).center();
    click(&mut window, pos);
    assert_eq!(footprint(&window).at, None);
}

#[test]
fn sum_of_every_panel_is_the_value_of_the_status_line() {
    let mut window = with_footprint();
    let mut totals = Vec::new();
    for index in 0..4 {
        let pos = panel(&window, index).center() + Vec2::new(-3.0, 21.0);
        click(&mut window, pos);
        let panel = app(&window).session().panels()[index].id();
        let reading = app(&window).reading().expect("a reading");
        let (_, values) = reading.values.iter().find(|(of, _)| *of == panel).expect("a value");
        assert_total(&window, "sum", values[0], 255.0);
        totals.push(Unit::File.text(values[0], 255));
    }
    assert_ne!(totals[0], totals[3], "methods differ");
    // In another unit both change.
    press(&mut window, Modifiers::NONE, Key::U);
    let reading = app(&window).reading().expect("a reading").clone();
    let last = app(&window).session().panels()[3].id();
    let (_, values) = reading.values.iter().find(|(of, _)| *of == last).expect("a value");
    assert_total(&window, "sum", values[0], 1.0);
}

#[test]
fn sums_of_a_filtered_prefiltered_and_mirrored_view_are_the_values_of_the_status_line() {
    for (name, view) in [
        ("filtered", "method=bspline,path=filtered,address=wrap"),
        ("coefficients", "method=bspline,prefilter=on,address=mirror"),
    ] {
        let sampler = parse_sampler(view, Sampler::default()).expect("a sampler");
        let mut window = with_footprint();
        let mut state = app(&window).session().state();
        state.panels[3].sampler = sampler;
        assert!(window.state_mut().as_mut().expect("the app").restore_state(&state));
        window.run_ok();
        settle(&mut window);
        let picture = window.get_by(|node| node.label().is_some_and(|label| label.starts_with("Panel 4: "))).rect();
        click(&mut window, picture.center() + Vec2::new(-9.0, 5.0));
        let panel = app(&window).session().panels()[3].id();
        let reading = app(&window).reading().expect("a reading");
        let (_, values) = reading.values.iter().find(|(of, _)| *of == panel).expect("a value");
        assert_total(&window, "sum", values[0], 255.0);
        let tabs = window.query_all_by_role_and_label(Role::Tab, "Step Fetches").count();
        assert_eq!(tabs, usize::from(name == "filtered"), "{name}");
        if name == "filtered" {
            choose(&mut window, StepKind::Fetches);
            assert!(source(&window).starts_with("kernels/filtered.cu:"), "{}", source(&window));
            assert!(text_of(&window, "h_x1 = ").contains("/256"), "{}", text_of(&window, "h_x1 = "));
        } else {
            window.get_by_label_contains("coefficients 4 × 4");
        }
    }
}

#[test]
fn colours_are_summed_channel_by_channel_or_one_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("colours.ppm");
    let mut random = fastrand::Rng::with_seed(8);
    let values = (0..40 * 30 * 3).map(|_| random.u8(..)).collect();
    let size = Size::new(40, 30).expect("a size");
    let raster = Raster::new(size, Channels::Rgb, Samples::U8 { values, maxval: 255 }).expect("a raster");
    image::save(&file, &raster).expect("a file");
    let mut window = open(vec![PathBuf::from(&file)], None);
    press(&mut window, Modifiers::NONE, Key::F4);
    settle(&mut window);
    let pos = panel(&window, 1).center() + Vec2::new(13.0, 7.0);
    click(&mut window, pos);
    let panel = app(&window).session().panels()[1].id();
    let reading = app(&window).reading().expect("a reading").clone();
    let (_, values) = reading.values.iter().find(|(of, _)| *of == panel).expect("values");
    for (name, value) in ["red", "green", "blue"].into_iter().zip(values) {
        assert_total(&window, &format!("sum of {name}"), *value, 255.0);
    }
    window.get_by_role_and_label(Role::Tab, "Channel green").click();
    window.run_ok();
    assert_eq!(footprint(&window).channel, Some(1));
    assert_total(&window, "sum of green", values[1], 255.0);
    assert_eq!(window.query_all_by_label_contains("sum of red").count(), 0);
}

#[test]
fn tabs_and_arrow_keys_walk_through_the_steps_and_move_the_marked_lines() {
    let mut window = with_footprint();
    let pos = panel(&window, 3).center();
    click(&mut window, pos);
    let mut sources = Vec::new();
    for row in STEPS.iter().filter(|row| row.step != StepKind::Fetches) {
        choose(&mut window, row.step);
        assert_eq!(footprint(&window).step, row.step);
        sources.push(source(&window));
        let marked = source(&window);
        let (_, marked) = marked.rsplit_once(':').expect("a file and its lines");
        let first: usize = marked.split('–').next().and_then(|line| line.parse().ok()).expect("a line");
        let [from, to] = lines_in_sight(&window);
        assert!(from <= first && first <= to && first == from, "line {first} of {:?}: {from} to {to}", row.step);
    }
    let mut distinct = sources.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), sources.len(), "{sources:?}");
    if cfg!(feature = "cuda") {
        assert!(sources.iter().all(|source| source.starts_with("kernels/")), "{sources:?}");
    }
    // The tab of the last step has the focus.
    window.get_by_role_and_label(Role::Tab, "Step Display").focus();
    window.run_ok();
    press(&mut window, Modifiers::NONE, Key::ArrowLeft);
    press(&mut window, Modifiers::NONE, Key::ArrowLeft);
    assert_eq!(footprint(&window).step, StepKind::Rows);
    let view = app(&window).session().view();
    // Any control of the drawer serves.
    window.get_by_role_and_label(Role::Button, "Close Footprint").focus();
    window.run_ok();
    press(&mut window, Modifiers::NONE, Key::ArrowRight);
    assert_eq!(footprint(&window).step, StepKind::Sum);
    assert_eq!(app(&window).session().view(), view, "the keys pan nothing");
}

#[test]
fn arrows_move_the_pixel_by_one_output_pixel() {
    let mut window = with_footprint();
    let focused = app(&window).session().focused();
    let pixel = |window: &Window| app(window).session().footprint_pixel(focused).expect("a pixel");
    let [i, j] = pixel(&window);
    for (name, expected) in [
        ("Pixel to the right", [i + 1, j]),
        ("Pixel below", [i + 1, j + 1]),
        ("Pixel to the left", [i, j + 1]),
        ("Pixel above", [i, j]),
    ] {
        window.get_by_role_and_label(Role::Button, name).click();
        window.run_ok();
        assert_eq!(pixel(&window), expected, "{name}");
    }
    window.get_by_role_and_label(Role::Tab, "Step Weights").focus();
    window.run_ok();
    press(&mut window, Modifiers::SHIFT, Key::ArrowRight);
    press(&mut window, Modifiers::SHIFT, Key::ArrowDown);
    assert_eq!(pixel(&window), [i + 1, j + 1]);
}

#[test]
fn pixel_keeps_its_place_in_the_image_while_the_view_zooms() {
    let mut window = with_footprint();
    let before = footprint(&window);
    press(&mut window, Modifiers::NONE, Key::Plus);
    press(&mut window, Modifiers::NONE, Key::ArrowLeft);
    settle(&mut window);
    assert_eq!(footprint(&window), before);
    let line = text_of(&window, "x = (");
    let x = before.at.expect("a place")[0];
    let shown: f64 = line.rsplit(" = ").next().and_then(|x| x.parse().ok()).expect("x");
    let scale = app(&window).session().view().scale();
    assert!((shown - x).abs() <= 0.5 * scale + 1e-4, "{line}: {x}");
}

#[test]
fn small_samples_are_drawn_enlarged_in_the_drawer_and_large_ones_are_not() {
    let mut window = with_footprint();
    choose(&mut window, StepKind::Weights);
    assert!(text_of(&window, "pixel (").contains("nearest sample ("), "nearest has no fractions");
    let enlarged = |window: &Window| window.query_all_by_label("Samples of the pixel, enlarged").count();
    assert_eq!(enlarged(&window), 1, "8 points a sample");
    for _ in 0..10 {
        press(&mut window, Modifiers::NONE, Key::Plus);
    }
    settle(&mut window);
    assert!(app(&window).session().view().scale() < 1.0 / 32.0, "{}", app(&window).session().view().scale());
    assert_eq!(enlarged(&window), 0);
}

#[test]
fn panel_of_the_truth_says_that_it_reads_no_samples() {
    let mut window = open(vec!["synth:zone-plate:128x128".into()], None);
    press(&mut window, Modifiers::NONE, Key::F4);
    press(&mut window, Modifiers::SHIFT, Key::T);
    settle(&mut window);
    window.get_by_label_contains("the truth is evaluated at the position");
}

#[test]
fn undo_takes_back_the_choice_of_a_pixel_and_then_the_drawer() {
    let mut window = with_footprint();
    let first = footprint(&window);
    let pos = panel(&window, 0).center() + Vec2::new(50.0, -20.0);
    click(&mut window, pos);
    assert_ne!(footprint(&window), first);
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(footprint(&window), first);
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(app(&window).session().inspect.state.drawer, None);
}

/// A file without a result would look like one.
#[test]
fn save_plot_of_a_panel_without_a_footprint_says_why_and_writes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(vec!["synth:zone-plate:128x128".into()], None);
    press(&mut window, Modifiers::NONE, Key::F4);
    press(&mut window, Modifiers::SHIFT, Key::T);
    settle(&mut window);
    let reason = "the truth is evaluated at the position";
    assert_eq!(window.query_all_by_label_contains(reason).count(), 1, "in the drawer");
    let file = folder.path().join("weights.svg");
    window.get_by_label("Save plot…").click();
    window.run_ok();
    save_as(&mut window, &file);
    assert_eq!(window.query_all_by_label_contains(reason).count(), 2, "in the drawer and in the dialog");
    assert!(!file.exists());
}

#[test]
fn save_plot_writes_the_weights_on_the_kernel() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = with_footprint();
    let pos = panel(&window, 3).center();
    click(&mut window, pos);
    for name in ["weights.csv", "weights.svg"] {
        save_plot(&mut window, &folder.path().join(name));
    }
    let csv = std::fs::read_to_string(folder.path().join("weights.csv")).expect("text");
    assert!(csv.starts_with("axis,curve,source,distance,weight\n"), "{csv:.100}");
    assert_eq!(csv.lines().filter(|line| line.starts_with("x,")).count(), 4);
    let svg = std::fs::read_to_string(folder.path().join("weights.svg")).expect("text");
    assert!(svg.contains("Kernel of Catmull-Rom"), "{svg:.300}");
}

#[test]
fn palette_opens_the_footprint_and_replaces_the_plots() {
    let mut window = basilica();
    press(&mut window, Modifiers::NONE, Key::F3);
    press(&mut window, CTRL_SHIFT, Key::P);
    type_text(&mut window, "footprint");
    press(&mut window, Modifiers::NONE, Key::Enter);
    settle(&mut window);
    assert_eq!(app(&window).session().inspect.state.drawer, Some(DrawerTool::Footprint));
    assert!(text_of(&window, "y = (").contains(" = "));
}

#[test]
fn footprint_at_rest_draws_no_further_frames() {
    let mut window = with_footprint();
    let frames = window.run();
    assert!(frames <= 2, "{frames} frames at rest");
}
