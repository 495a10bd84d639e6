//! The drawer of plots, without a screen: its tabs, its curves, the marks of the pointer, its files.

use egui::{Key, Modifiers, Pos2, Rect, Role, Vec2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lerpscope::app::{DrawerTool, InspectState, Settings};
use lerpscope::plots::{PLOT_KINDS, PlotKind};
use lerpscope::sampling::Method;

use crate::harness::documents::{CTRL_SHIFT, basilica, open, press, type_text};
use crate::harness::pointer::drag;
use crate::harness::saving::{save_as, save_plot};
use crate::harness::waiting::{settle, wait};
use crate::harness::{Window, app};

fn state(window: &Window) -> &InspectState {
    &app(window).session().inspect.state
}

/// A window at 8×, where antialiasing widens no kernel, with the drawer open and its curves made.
fn with_plots() -> Window {
    let mut window = basilica();
    press(&mut window, Modifiers::NONE, Key::Num8);
    press(&mut window, Modifiers::NONE, Key::F3);
    settle(&mut window);
    window
}

fn choose(window: &mut Window, kind: PlotKind) {
    window.get_by_role_and_label(Role::Tab, &format!("{} plot", kind.row().tab)).click();
    window.run_ok();
    settle(window);
}

/// The plot's place, by its title, with its number of computed and measured curves.
fn plot_with(window: &Window, kind: PlotKind, curves: [usize; 2]) -> Rect {
    let [computed, measured] = curves;
    let failure = window.query_all_by_label_contains("Not measured").next();
    assert_eq!(failure.and_then(|node| node.accesskit_node().label()), None);
    let plot = window
        .get_by(|node| node.role() == Role::Image && node.label().is_some_and(|label| label.contains(" curves, ")));
    let label = format!("{}: {computed} curves, {measured} measured", kind.row().title);
    assert_eq!(plot.accesskit_node().label(), Some(label));
    plot.rect()
}

fn panels(window: &Window) -> Vec<Rect> {
    let names = [
        "Panel 1: Nearest (nerp)",
        "Panel 2: Linear (lerp)",
        "Panel 3: Cubic B-spline (bicubic)",
        "Panel 4: Catmull-Rom",
    ];
    names.iter().map(|name| window.get_by_label(name).rect()).collect()
}

/// Left edges of the panels: 2 by 2 and not a row.
#[test]
fn drawer_and_profile_leave_the_columns_of_the_panels() {
    let mut window = basilica();
    let lefts = |window: &Window| panels(window).iter().map(|rect| rect.left()).collect::<Vec<f32>>();
    for size in [Vec2::new(1280.0, 860.0), Vec2::new(1280.0, 760.0), Vec2::new(1600.0, 800.0)] {
        window.set_size(size);
        settle(&mut window);
        let before = lefts(&window);
        for key in [Key::F3, Key::F4, Key::F3, Key::F3] {
            press(&mut window, Modifiers::NONE, key);
            settle(&mut window);
            assert_eq!(lefts(&window), before, "{key:?} in {size:?}");
        }
    }
}

#[test]
fn f3_opens_the_drawer_under_the_panels_and_closes_it_without_a_trace() {
    let mut window = basilica();
    let before = panels(&window);
    assert!(state(&window).drawer.is_none(), "closed at first");
    press(&mut window, Modifiers::NONE, Key::F3);
    settle(&mut window);
    let plot = plot_with(&window, PlotKind::Kernel, [4, 0]);
    let open = panels(&window);
    for (open, before) in open.iter().zip(&before) {
        assert!(open.bottom() <= plot.top() && open.left() == before.left(), "{open:?} {plot:?}");
    }
    assert!(open[2].height() < before[2].height() - 60.0, "two rows share 190 points");
    press(&mut window, Modifiers::NONE, Key::F3);
    assert_eq!(panels(&window), before);
}

#[test]
fn tabs_plot_every_kind_for_all_four_panels() {
    let mut window = with_plots();
    for row in &PLOT_KINDS {
        choose(&mut window, row.kind);
        let computed = match row.kind {
            // Two samples of nearest, two of linear, four of both cubics.
            PlotKind::Weights => 12,
            // No pair of nearest, one of linear, two of both cubics.
            PlotKind::Fractions => 5,
            _ => 4,
        };
        let plot = plot_with(&window, row.kind, [computed, if row.is_measured { 4 } else { 0 }]);
        assert!(plot.width() > 600.0 && plot.height() > 100.0, "{} {plot:?}", row.name);
    }
    assert_eq!(state(&window).plot, PlotKind::Fractions);
    window.get_by_label_contains("linear and bspline stay within 0 … 1");
}

#[test]
fn kernels_that_antialiasing_widens_are_plotted_and_measured_as_wide_as_they_are() {
    let mut window = with_plots();
    press(&mut window, Modifiers::NONE, Key::F);
    settle(&mut window);
    let scale = app(&window).session().view().scale();
    assert!(scale > 1.1, "the whole image is smaller than its samples: {scale}");
    choose(&mut window, PlotKind::Impulse);
    plot_with(&window, PlotKind::Impulse, [4, 4]);
    choose(&mut window, PlotKind::Weights);
    // The widened cubics read more than four samples.
    let label = window.get_by(|node| node.label().is_some_and(|label| label.starts_with("Weights: ")));
    let label = label.accesskit_node().label().expect("a label");
    let count: usize = label.split([' ']).nth(1).and_then(|count| count.parse().ok()).expect("a number");
    assert!(count > 12, "{label}");
}

#[test]
fn change_of_a_panels_method_changes_its_curves() {
    let mut window = with_plots();
    choose(&mut window, PlotKind::Fractions);
    plot_with(&window, PlotKind::Fractions, [5, 0]);
    // The first panel changes from nearest, without a pair of samples, to linear.
    press(&mut window, Modifiers::NONE, Key::K);
    assert_eq!(app(&window).session().panels()[0].sampler.method, Method::Linear);
    settle(&mut window);
    plot_with(&window, PlotKind::Fractions, [6, 0]);
}

#[test]
fn pointer_in_the_plot_shows_the_values_of_each_curve_there() {
    let mut window = with_plots();
    choose(&mut window, PlotKind::Kernel);
    let plot = plot_with(&window, PlotKind::Kernel, [4, 0]);
    window.get_by_label("Point at the plot for values");
    window.hover_at(plot.center());
    window.run_ok();
    window.run_ok();
    assert_eq!(window.query_all_by_label("Point at the plot for values").count(), 0);
    window.get_by_label_contains("d = ");
    window.hover_at(plot.lerp_inside(egui::vec2(0.3, 0.5)));
    window.run_ok();
    window.run_ok();
    window.get_by_label_contains("d = −");
}

#[test]
fn pointer_over_a_picture_marks_its_fraction_in_the_weights() {
    let mut window = with_plots();
    choose(&mut window, PlotKind::Weights);
    let pos = panels(&window)[1].center();
    window.hover_at(pos);
    window.run_ok();
    window.run_ok();
    let [x, y] = app(&window).reading().expect("a reading").pos_in_image.map(|x| x - x.floor());
    let label = window.get_by_label_contains("α: x ");
    let text = label.accesskit_node().label().or_else(|| label.accesskit_node().value()).expect("a text");
    let numbers: Vec<f64> = text.split([' ', ',']).filter_map(|word| word.parse().ok()).collect();
    let is_near = numbers.iter().zip([x, y]).all(|(shown, expected)| (shown - expected).abs() < 0.005);
    assert!(numbers.len() == 2 && is_near, "{text}: {x}, {y}");
}

#[test]
fn pointer_over_the_zone_plate_marks_its_frequency_in_the_response() {
    let mut window = open(vec!["synth:zone-plate:256x256".into()], None);
    press(&mut window, Modifiers::NONE, Key::F3);
    choose(&mut window, PlotKind::Response);
    window.get_by_label("Point at a picture for the frequency there");
    let picture = panels(&window)[1];
    window.hover_at(picture.center() + Vec2::new(0.2 * picture.width(), 0.0));
    window.run_ok();
    window.run_ok();
    let [x, _] = app(&window).reading().expect("a reading").pos_in_image;
    let label = window.get_by_label_contains("ν: x ");
    let text = label.accesskit_node().label().or_else(|| label.accesskit_node().value()).expect("a text");
    let numbers: Vec<f64> = text.split([' ', ',']).filter_map(|word| word.parse().ok()).collect();
    assert!((numbers[0] - (x - 128.0).abs() / 256.0).abs() < 0.03, "{text} at {x}");
}

#[test]
fn drawer_keeps_the_height_that_it_is_dragged_to_in_the_settings() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(vec!["builtin:basilica".into()], Some(folder.path()));
    press(&mut window, Modifiers::NONE, Key::F3);
    settle(&mut window);
    let plot = plot_with(&window, PlotKind::Kernel, [4, 0]);
    let tabs = window.get_by_role_and_label(Role::Tab, "Kernel plot").rect();
    let edge = Pos2::new(plot.center().x, tabs.top() - 4.0);
    drag(&mut window, edge, edge - Vec2::new(0.0, 70.0));
    let taller = plot_with(&window, PlotKind::Kernel, [4, 0]);
    assert!((taller.height() - plot.height() - 70.0).abs() < 8.0, "{plot:?} {taller:?}");
    let settings = folder.path().join("config/settings.toml");
    let kept = |_: &Window| {
        let text = std::fs::read_to_string(&settings).unwrap_or_default();
        let (kept, _) = Settings::parse(&text, "s.toml");
        (kept.drawer_height.points() - 260.0).abs() < 8.0
    };
    wait(&mut window, "the height in the settings", kept);
}

#[test]
fn save_plot_writes_what_the_drawer_shows_in_the_format_of_the_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = with_plots();
    choose(&mut window, PlotKind::Step);
    for name in ["step.csv", "step.svg", "step.png"] {
        save_plot(&mut window, &folder.path().join(name));
    }
    let csv = std::fs::read_to_string(folder.path().join("step.csv")).expect("text");
    assert!(csv.starts_with("filter,method,prefilter,curve,source,distance,value\n"), "{csv:.100}");
    for method in ["nearest", "linear", "bspline", "catmull-rom"] {
        for source in ["computed", "measured"] {
            assert!(csv.contains(&format!("\n{method},{method},false,,{source},")), "{method} {source}");
        }
    }
    press(&mut window, Modifiers::SHIFT, Key::F3);
    save_as(&mut window, &folder.path().join("step.gif"));
    window.get_by_label_contains("plots are written as svg, png and csv");
    assert!(!folder.path().join("step.gif").exists());
}

#[test]
fn save_plot_without_a_plot_says_how_to_open_one() {
    let mut window = basilica();
    press(&mut window, Modifiers::SHIFT, Key::F3);
    window.get_by_label_contains("No plot is shown: choose one in the menu Inspect · Laboratory");
}

#[test]
fn palette_opens_the_drawer_with_the_chosen_kind() {
    let mut window = basilica();
    press(&mut window, Modifiers::NONE, Key::Num8);
    press(&mut window, CTRL_SHIFT, Key::P);
    type_text(&mut window, "step response");
    press(&mut window, Modifiers::NONE, Key::Enter);
    settle(&mut window);
    assert!(state(&window).drawer == Some(DrawerTool::Plots) && state(&window).plot == PlotKind::Step);
    plot_with(&window, PlotKind::Step, [4, 4]);
}

#[test]
fn undo_closes_the_drawer_that_was_opened() {
    let mut window = with_plots();
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert!(state(&window).drawer.is_none());
}

#[test]
fn settled_drawer_draws_no_further_frames() {
    let mut window = with_plots();
    choose(&mut window, PlotKind::ResponseDb);
    let frames = window.run();
    assert!(frames <= 2, "{frames} frames at rest");
}

/// The truth has no kernel.
#[test]
fn panel_of_the_truth_has_no_curve() {
    let mut window = open(vec!["synth:zone-plate:128x128".into()], None);
    press(&mut window, Modifiers::NONE, Key::Num8);
    press(&mut window, Modifiers::NONE, Key::F3);
    settle(&mut window);
    plot_with(&window, PlotKind::Kernel, [4, 0]);
    press(&mut window, Modifiers::SHIFT, Key::T);
    settle(&mut window);
    plot_with(&window, PlotKind::Kernel, [3, 0]);
    choose(&mut window, PlotKind::Response);
    plot_with(&window, PlotKind::Response, [3, 3]);
}
