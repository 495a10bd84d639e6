//! The 1-D laboratory in the drawer, without a screen: its tabs, handles, table, sources of samples, files.

use std::path::Path;

use egui::{Event, Key, Modifiers, Pos2, Rect, Role, Vec2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lerpscope::app::{CurveSet, DrawerTool, LINE_TABS, LineState, LineTab, SampleSource, SavedSession};
use lerpscope::lab::one_dimension::{BasisLayout, PRESETS, Preset};
use lerpscope::sampling::AddressMode;

use crate::harness::documents::{CTRL_SHIFT, basilica, open, press, type_text};
use crate::harness::pointer::{button, drag};
use crate::harness::saving::{save_as, save_plot};
use crate::harness::waiting::{settle, wait};
use crate::harness::{Window, app};

const NONE: Modifiers = Modifiers::NONE;

fn state(window: &Window) -> &LineState {
    &app(window).session().inspect.state.one_dimension
}

fn drawer(window: &Window) -> Option<DrawerTool> {
    app(window).session().inspect.state.drawer
}

/// A window with the laboratory open.
fn with_lab() -> Window {
    let mut window = basilica();
    press(&mut window, NONE, Key::F7);
    settle(&mut window);
    window
}

/// The same with a drawer so high that everything beside the chart is in sight.
fn with_high_lab(folder: &Path) -> Window {
    std::fs::create_dir_all(folder.join("config")).expect("a folder");
    std::fs::write(folder.join("config/settings.toml"), "drawer-height = 420\n").expect("a file");
    let mut window = open(vec!["builtin:basilica".into()], Some(folder));
    press(&mut window, NONE, Key::F7);
    settle(&mut window);
    window
}

fn choose(window: &mut Window, tab: LineTab) {
    window.get_by_role_and_label(Role::Tab, &format!("{} of the 1-D laboratory", tab.row().title)).click();
    window.run_ok();
    settle(window);
}

/// What the chart says of itself, and its place.
fn chart(window: &Window, title: &str) -> (String, Rect) {
    let is_chart = |label: &str| label.starts_with(&format!("{title}: "));
    let node = window.get_by(|node| node.role() == Role::Image && node.label().is_some_and(|label| is_chart(&label)));
    (node.accesskit_node().label().expect("a label"), node.rect())
}

fn at(window: &Window, name: &str) -> Pos2 {
    window.get_by_label(name).rect().center()
}

/// Opens the menu of samples and chooses an item.
fn take(window: &mut Window, item: &str) {
    window.get_by_label("Samples of the 1-D laboratory").click();
    window.run_ok();
    window.get_by_label(item).click();
    window.run_ok();
    settle(window);
}

#[test]
fn f7_opens_the_documents_samples_with_a_curve_for_each_panel_and_closes_them() {
    let mut window = basilica();
    assert_eq!(drawer(&window), None);
    press(&mut window, NONE, Key::F7);
    settle(&mut window);
    assert_eq!(drawer(&window), Some(DrawerTool::OneDimension));
    let (label, place) = chart(&window, "Values between samples");
    assert_eq!(label, "Values between samples: 4 curves, 5 samples, 7 points");
    let panel = window.get_by_label("Panel 1: Nearest (nerp)").rect();
    assert!(panel.bottom() <= place.top() && place.height() > 80.0 && place.width() > 400.0, "{panel:?} {place:?}");
    press(&mut window, NONE, Key::F3);
    settle(&mut window);
    assert_eq!(drawer(&window), Some(DrawerTool::Plots), "another tool takes its place");
    press(&mut window, NONE, Key::F7);
    press(&mut window, NONE, Key::F7);
    assert_eq!(drawer(&window), None);
}

/// The linear values of listing 2 by hand: see the engine's test for the arithmetic.
#[test]
fn table_has_the_values_of_the_focused_panels_method() {
    let mut window = with_lab();
    window.get_by_label_contains("Values of 1 Nearest");
    window.get_by_label("Panel 2: Linear (lerp)").click();
    window.run_ok();
    settle(&mut window);
    window.get_by_label_contains("Values of 2 Linear");
    for text in ["0.120313", "0.420313", "0.579688"] {
        assert_eq!(window.query_all_by_label(text).count(), 1, "{text}: the texture's own");
    }
    for text in ["0.12", "0.42", "0.58"] {
        assert_eq!(window.query_all_by_label(text).count(), 2, "{text}: manual and exact");
    }
}

#[test]
fn dragged_sample_follows_the_pointer_and_one_undo_puts_it_back() {
    let mut window = with_lab();
    let before = state(&window).clone();
    let (from, top) = (at(&window, "Sample 2"), at(&window, "Sample 4"));
    // Where sample 4 of value 0.8 is, along y.
    drag(&mut window, from, Pos2::new(from.x, top.y));
    let samples = state(&window).signal.samples();
    // A pixel is 0.01 of the range of about 1.
    assert!((samples[2] - 0.8).abs() < 0.02, "{samples:?}");
    assert_eq!([samples[0], samples[1], samples[3], samples[4]], [0.0, 0.2, 0.6, 0.8]);
    assert_eq!(state(&window).source, SampleSource::Own);
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(state(&window), &before, "the drag is one step");
}

#[test]
fn sample_held_beyond_the_frame_stays_while_the_pointer_rests() {
    let mut window = with_lab();
    let (_, frame) = chart(&window, "Values between samples");
    let from = at(&window, "Sample 2");
    let to = Pos2::new(from.x, frame.top() - 30.0);
    window.hover_at(from);
    window.run_ok();
    window.event(button(from, true));
    window.step();
    for _ in 0..3 {
        window.event(Event::PointerMoved(to));
        window.step();
    }
    let held = state(&window).signal.samples()[2];
    assert!(held > 0.9, "{held}");
    for _ in 0..5 {
        window.event(Event::PointerMoved(to));
        window.step();
        assert_eq!(state(&window).signal.samples()[2], held, "the axis does not run away under a drag");
    }
    window.event(button(to, false));
    window.run_ok();
    let handle = at(&window, "Sample 2");
    assert!(handle.y > frame.top(), "the axis takes the new sample in after the drag: {handle:?} {frame:?}");
}

#[test]
fn dragged_point_moves_along_x_and_the_table_follows() {
    let mut window = with_lab();
    let (from, to) = (at(&window, "Point 3"), at(&window, "Sample 3"));
    drag(&mut window, from, Pos2::new(to.x, from.y - 25.0));
    let points = &state(&window).points;
    assert!((points[2] - 3.0).abs() < 0.03, "{points:?}");
    assert_eq!([points[0], points[1], points[3], points[6]], [-0.6, -0.1, 1.5, 4.7]);
    let field = window.get_by_label("Position of point 3");
    let shown: f64 = field.accesskit_node().numeric_value().expect("a number");
    assert_eq!(shown, points[2]);
}

#[test]
fn arrow_keys_move_the_focused_sample_and_not_the_picture() {
    let mut window = with_lab();
    let view = app(&window).session().view();
    window.get_by_label("Sample 1").focus();
    window.run_ok();
    press(&mut window, NONE, Key::ArrowUp);
    press(&mut window, NONE, Key::ArrowUp);
    press(&mut window, Modifiers::SHIFT, Key::ArrowDown);
    assert_eq!(state(&window).signal.samples()[1], 0.295);
    window.get_by_label("Point 4").focus();
    window.run_ok();
    press(&mut window, NONE, Key::ArrowRight);
    assert_eq!(state(&window).points[3], 1.55);
    assert_eq!(app(&window).session().view(), view);
}

#[test]
fn number_typed_into_a_sample_is_exact() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = with_high_lab(folder.path());
    window.get_by_label("Value of sample 0").click();
    window.run_ok();
    type_text(&mut window, "1/3");
    press(&mut window, NONE, Key::Enter);
    assert_eq!(state(&window).signal.samples()[0], 1.0 / 3.0);
}

#[test]
fn presets_and_their_number_of_samples_are_chosen_in_the_header() {
    let mut window = with_lab();
    for row in PRESETS.iter().rev() {
        take(&mut window, row.title);
        assert_eq!(state(&window).source, SampleSource::Preset(row.preset));
        assert_eq!(state(&window).signal.samples(), row.preset.samples(row.count), "{}", row.name);
    }
    take(&mut window, Preset::Runge.row().title);
    window.get_by_label("More samples").click();
    window.run_ok();
    assert_eq!(state(&window).signal.samples(), Preset::Runge.samples(12));
    window.get_by_label("Polynomial through all samples").click();
    window.run_ok();
    settle(&mut window);
    let (label, _) = chart(&window, "Values between samples");
    assert_eq!(label, "Values between samples: 4 curves, polynomial, 12 samples, 7 points");
    window.get_by_label_contains("The polynomial of degree 11 misses the function by up to");
}

#[test]
fn address_mode_and_set_of_curves_are_chosen_in_the_header() {
    let mut window = with_lab();
    window.get_by_label("Address mode of the 1-D laboratory").click();
    window.run_ok();
    window.get_by(|node| node.label().is_some_and(|label| label.starts_with("Border"))).click();
    window.run_ok();
    settle(&mut window);
    assert_eq!(state(&window).signal.address, AddressMode::Border);
    window.get_by_label("Value beyond the edges");
    window.get_by_label("All methods").click();
    window.run_ok();
    settle(&mut window);
    assert_eq!(state(&window).curves, CurveSet::Named);
    let (label, _) = chart(&window, "Values between samples");
    assert_eq!(label, "Values between samples: 8 curves, 5 samples, 7 points");
}

#[test]
fn row_and_column_of_the_image_go_through_the_newest_pin() {
    let mut window = with_lab();
    let panel = window.get_by_label("Panel 2: Linear (lerp)").rect();
    window.hover_at(panel.center());
    window.run_ok();
    press(&mut window, Modifiers::SHIFT, Key::P);
    let [x, y] = app(&window).session().inspect.state.pins[0].map(|place| (place + 0.5).floor() as u32);
    let page = app(&window).session().page().clone();
    let value = |column: u32, row: u32| f64::from(page.raster().number(column, row, 0)) / 255.0;
    take(&mut window, "Row of the image");
    let row: Vec<f64> = (x - 16..x + 16).map(|column| value(column, y)).collect();
    assert_eq!(state(&window).signal.samples(), row);
    let label = format!("row {y}, samples {} to {}", x - 16, x + 15);
    assert_eq!(state(&window).source, SampleSource::Image(label));
    take(&mut window, "Column of the image");
    let column: Vec<f64> = (y - 16..y + 16).map(|row| value(x, row)).collect();
    assert_eq!(state(&window).signal.samples(), column);
}

#[test]
fn row_of_a_colour_image_is_its_luminance() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("c.ppm");
    std::fs::write(&file, "P3 3 1 10  10 0 0  0 10 0  0 0 10").expect("a file");
    let mut window = open(vec![file], None);
    press(&mut window, NONE, Key::F7);
    settle(&mut window);
    take(&mut window, "Row of the image");
    let samples = state(&window).signal.samples();
    for (found, expected) in samples.iter().zip([0.3, 0.59, 0.11]) {
        assert!((found - expected).abs() < 1e-12, "{samples:?}");
    }
    assert_eq!(state(&window).source, SampleSource::Image("row 0, samples 0 to 2, luminance".to_owned()));
}

#[test]
fn every_tab_shows_its_chart() {
    let mut window = with_lab();
    let titles = [
        (LineTab::Values, "Values between samples"),
        (LineTab::Basis, "Basis functions"),
        (LineTab::Splines, "B-splines grown from the box"),
        (LineTab::Impulses, "A sum of shifted impulses"),
        (LineTab::Prefilter, "The prefilter's passes"),
    ];
    assert_eq!(titles.len(), LINE_TABS.len());
    for (tab, title) in titles {
        choose(&mut window, tab);
        assert_eq!(state(&window).tab, tab);
        let (_, place) = chart(&window, title);
        assert!(place.height() > 80.0, "{title}: {place:?}");
    }
    window.get_by_label_contains("z = −0.2679, g = 6.");
}

#[test]
fn impulses_are_filtered_by_the_focused_panels_filters() {
    let mut window = with_lab();
    choose(&mut window, LineTab::Impulses);
    window.get_by_label("The focused panel has no filter of its samples");
    let mut filtered = app(&window).session().state();
    let focused = app(&window).session().focused();
    for (chain, said) in [("gaussian=1.5", "The filters are linear"), ("median", "The filters are not linear")] {
        filtered.panels[focused].filters.before = chain.parse().expect("a chain");
        assert!(window.state_mut().as_mut().expect("the app").restore_state(&filtered));
        settle(&mut window);
        window.get_by_label(&format!("Filters of the focused panel: {chain}"));
        window.get_by_label_contains(said);
    }
}

#[test]
fn basis_functions_are_stacked_or_overlaid() {
    let mut window = with_lab();
    choose(&mut window, LineTab::Basis);
    assert_eq!(state(&window).basis, BasisLayout::Stacked);
    window.get_by_label("Overlaid").click();
    window.run_ok();
    assert_eq!(state(&window).basis, BasisLayout::Overlaid);
    // Nearest, from three samples before the first to three behind the last.
    let (label, _) = chart(&window, "Basis functions");
    assert_eq!(label, "Basis functions: 11 of 1 Nearest");
}

#[test]
fn degree_of_the_grown_spline_and_its_interval_are_changed_on_the_tab() {
    let mut window = with_lab();
    choose(&mut window, LineTab::Splines);
    window.get_by_label("β3(0.5) = 0.4792 is the mean of β2 from 0 to 1.");
    window.get_by_label("Higher degree").click();
    window.run_ok();
    settle(&mut window);
    assert_eq!(state(&window).degree, 4);
    let (_, frame) = chart(&window, "B-splines grown from the box");
    let from = at(&window, "Middle of the interval");
    drag(&mut window, from, Pos2::new(frame.left() - 200.0, from.y));
    assert_eq!(state(&window).place, -3.0, "half a step beyond the support");
    window.get_by_label("Middle of the interval").focus();
    window.run_ok();
    press(&mut window, NONE, Key::ArrowRight);
    assert_eq!(state(&window).place, -2.95);
}

#[test]
fn pointed_sample_shows_the_numbers_of_both_recursions() {
    let mut window = with_lab();
    choose(&mut window, LineTab::Prefilter);
    window.get_by_label("Point at a sample for its numbers");
    let pos = at(&window, "Sample 2") + Vec2::new(3.0, 20.0);
    window.hover_at(pos);
    window.run_ok();
    window.run_ok();
    window.get_by_label_contains("k = 2: c⁺ = 0.4 + (−0.2679)·(");
}

#[test]
fn laboratory_is_restored_from_its_session() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("s.toml");
    let mut window = with_lab();
    take(&mut window, Preset::Step.row().title);
    window.get_by_label("Sample 3").focus();
    window.run_ok();
    press(&mut window, NONE, Key::ArrowUp);
    choose(&mut window, LineTab::Basis);
    let kept = state(&window).clone();
    press(&mut window, CTRL_SHIFT, Key::P);
    type_text(&mut window, "save session");
    press(&mut window, NONE, Key::Enter);
    save_as(&mut window, &file);
    wait(&mut window, "the session", |_| file.exists());
    let text = std::fs::read_to_string(&file).expect("text");
    let saved = SavedSession::parse(&text, "s.toml").expect("a session");
    assert_eq!(
        (&saved.state.inspect.one_dimension, saved.state.inspect.drawer),
        (&kept, Some(DrawerTool::OneDimension))
    );
}

#[test]
fn save_plot_writes_the_open_tab_in_the_format_of_the_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = with_lab();
    for (tab, head) in [
        (LineTab::Values, "curve of,method,prefilter,curve,source,x,value\n"),
        (LineTab::Prefilter, "curve of,curve,source,x,value\n"),
    ] {
        choose(&mut window, tab);
        for extension in ["csv", "svg", "png"] {
            let file = folder.path().join(format!("{tab}.{extension}"));
            save_plot(&mut window, &file);
        }
        let csv = std::fs::read_to_string(folder.path().join(format!("{tab}.csv"))).expect("text");
        assert!(csv.starts_with(head), "{csv:.100}");
    }
    let csv = std::fs::read_to_string(folder.path().join("values.csv")).expect("text");
    assert!(csv.contains("\nlinear,linear,false,,at the points,0.6,0.12\n"), "{csv:.300}");
    let passes = std::fs::read_to_string(folder.path().join("prefilter.csv")).expect("text");
    assert!(passes.contains("\nforwards c⁺[k],,causal,0,") && passes.contains("\nbackwards c[k],,anticausal,4,"));
}

#[test]
fn points_are_added_and_removed_beside_the_chart() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = with_high_lab(folder.path());
    window.get_by_label("Add a point").click();
    window.run_ok();
    assert_eq!(state(&window).points.len(), 8);
    for _ in 0..2 {
        window.get_by_label("Remove a point").click();
        window.run_ok();
    }
    assert_eq!(state(&window).points, Preset::POINTS[..6]);
}

#[test]
fn settled_laboratory_draws_no_further_frames() {
    let mut window = with_lab();
    for row in &LINE_TABS {
        choose(&mut window, row.tab);
        let frames = window.run();
        assert!(frames <= 2, "{frames} frames at rest on {}", row.name);
    }
}
