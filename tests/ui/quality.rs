//! The tool *Quality against cost* in a window without a screen: its order, its numbers, its two sets, moving views, files.

use egui::{Key, Modifiers, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lerpscope::app::DrawerTool;
use lerpscope::backend::{CpuBackend, RenderRequest};
use lerpscope::filter::ExecOptions;
use lerpscope::image::open_source;
use lerpscope::measure::{MeasureReport, Subject, requests, run};
use lerpscope::sampling::{METHODS, Method, Sampler};

use crate::harness::documents::{open, press};
use crate::harness::saving::save_plot;
use crate::harness::waiting::settle;
use crate::harness::{Window, app};

/// Fitted, it is enlarged: a reduced view is antialiased, and so is its truth.
const PLATE: &str = "synth:zone-plate:192x192";

fn with_quality() -> Window {
    let mut window = open(vec![PLATE.into()], None);
    press(&mut window, Modifiers::SHIFT, Key::M);
    assert_eq!(app(&window).session().inspect.state.drawer, Some(DrawerTool::Quality));
    settle(&mut window);
    window
}

/// The rows without their times: `2 Linear: 31.4 dB`.
fn rows(window: &Window) -> Vec<String> {
    let is_row = |label: &String| label.contains(" dB, ") && label.ends_with(" ms");
    let nodes = window.query_all_by_role(Role::Button).filter_map(|node| node.accesskit_node().label());
    nodes.filter(is_row).map(|label| label.split(" dB, ").next().unwrap_or_default().to_owned() + " dB").collect()
}

/// What `measure` has for samplers in the focused panel's view.
fn expected(window: &Window, samplers: &[Sampler]) -> MeasureReport {
    let session = app(window).session();
    let image = open_source(PLATE.as_ref()).expect("an image").image;
    let plain = RenderRequest { view: session.view(), ..RenderRequest::new(session.request(session.focused()).size) };
    let wanted: Vec<_> = samplers.iter().map(|&sampler| RenderRequest { sampler, ..plain.clone() }).collect();
    let subject = Subject { image, request: plain };
    run(&mut CpuBackend::new(), &subject, &wanted, &ExecOptions::default()).expect("measurements")
}

fn samplers_of_panels(window: &Window) -> Vec<Sampler> {
    app(window).session().panels().iter().map(|panel| panel.sampler).collect()
}

fn psnr(row: &str) -> f64 {
    let text = row.rsplit(": ").next().and_then(|text| text.split(' ').next()).unwrap_or_default();
    text.parse().unwrap_or_else(|_| panic!("{row}"))
}

fn assert_panels_are_measured(window: &Window) {
    let report = expected(window, &samplers_of_panels(window));
    let session = app(window).session();
    let row = |row: &lerpscope::measure::MeasureRow| {
        format!("{}: {:.1} dB", session.panel_name(row.request).numbered(), row.metrics.psnr_db)
    };
    assert_eq!(rows(window), report.rows.iter().map(row).collect::<Vec<_>>());
}

#[test]
fn panels_are_listed_by_falling_psnr_with_the_errors_that_measure_has() {
    let window = with_quality();
    assert_panels_are_measured(&window);
    let found = rows(&window);
    assert!(found.is_sorted_by(|a, b| psnr(a) >= psnr(b)) && found.len() == 4, "{found:?}");
    let dots = window.get_by(|node| {
        node.role() == Role::Image && node.label().is_some_and(|label| label == "Quality against cost: 4 dots")
    });
    assert!(dots.rect().width() > 260.0 && dots.rect().height() > 60.0, "{:?}", dots.rect());
}

#[test]
fn all_methods_are_measured_and_a_click_shows_one_in_the_focused_panel() {
    let mut window = with_quality();
    window.get_by_role_and_label(Role::Tab, "Quality of all methods").click();
    window.run_ok();
    settle(&mut window);
    let found = rows(&window);
    let methods: Vec<Method> = METHODS.iter().map(|row| row.method).collect();
    let plain = RenderRequest::new(app(&window).session().request(0).size);
    let samplers: Vec<Sampler> = requests(&plain, &methods).into_iter().map(|request| request.sampler).collect();
    let report = expected(&window, &samplers);
    assert_eq!(found.len(), report.rows.len());
    for (found, row) in found.iter().zip(&report.rows) {
        assert_eq!(format!("{:.1}", psnr(found)), format!("{:.1}", row.metrics.psnr_db), "{found}");
    }
    let best = window.get_by(|node| {
        node.role() == Role::Button && node.label().is_some_and(|label| label.contains(" bspline, prefilter: "))
    });
    best.click();
    window.run_ok();
    let session = app(&window).session();
    let sampler = session.panels()[session.focused()].sampler;
    assert_eq!((sampler.method, sampler.prefilter), (Method::BSPLINE, true));
}

#[test]
fn rows_stay_while_the_view_moves_and_are_those_of_the_last_view() {
    let mut window = with_quality();
    let before = rows(&window);
    for key in [Key::ArrowRight, Key::ArrowLeft, Key::ArrowDown, Key::ArrowUp, Key::Plus, Key::Plus] {
        press(&mut window, Modifiers::NONE, key);
        assert_eq!(rows(&window).len(), 4, "never empty");
    }
    settle(&mut window);
    assert_panels_are_measured(&window);
    assert_ne!(rows(&window), before, "the view moved");
}

#[test]
fn click_on_the_row_of_a_panel_focuses_it() {
    let mut window = with_quality();
    let name = app(&window).session().panel_name(2).numbered();
    let row = window.get_by(|node| {
        node.role() == Role::Button && node.label().is_some_and(|label| label.starts_with(&format!("{name}: ")))
    });
    row.click();
    window.run_ok();
    assert_eq!(app(&window).session().focused(), 2);
}

#[test]
fn image_without_a_truth_has_the_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("grey.pgm");
    std::fs::write(&file, "P2 2 2 255 1 2 3 4\n").expect("a file");
    let mut window = open(vec![file], None);
    press(&mut window, Modifiers::SHIFT, Key::M);
    settle(&mut window);
    window.get_by_label_contains("No truth: ");
    assert!(rows(&window).is_empty());
}

#[test]
fn plot_is_saved_with_a_dot_for_each_panel() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = with_quality();
    let file = folder.path().join("quality.csv");
    save_plot(&mut window, &file);
    let csv = std::fs::read_to_string(&file).expect("a file");
    assert!(csv.starts_with("method,prefilter,curve,source,ms,psnr\n"), "{csv}");
    for name in ["nearest,false,1 Nearest,measured,", "catmull-rom,false,4 Catmull-Rom,measured,"] {
        assert!(csv.contains(name), "{name}: {csv}");
    }
    assert_eq!(csv.lines().count(), 5);
}
