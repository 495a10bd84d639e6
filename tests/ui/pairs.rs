//! The tool *Resize pairs* in a window without a screen: its matrix, its measures, the opening of a pair.

use egui::{Key, Modifiers, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lerpscope::app::DrawerTool;
use lerpscope::filter::ExecOptions;
use lerpscope::lab::pairs::{PairMatrix, PairMeasure, PairRequest, UpKernel, measure};
use lerpscope::sampling::{METHODS, Method};

use crate::harness::documents::{open, press};
use crate::harness::waiting::{settle, wait};
use crate::harness::{Window, app};

const STAR: &str = "synth:siemens-star:96x96";

fn with_pairs() -> Window {
    let mut window = open(vec![STAR.into()], None);
    press(&mut window, Modifiers::NONE, Key::F9);
    assert_eq!(app(&window).session().inspect.state.drawer, Some(DrawerTool::Pairs));
    settle(&mut window);
    window
}

fn expected(factor: u32) -> PairMatrix {
    let page = lerpscope::image::open_source(STAR.as_ref()).expect("an image").image.pages()[0].clone();
    let downs: Vec<Method> = METHODS.iter().map(|row| row.method).collect();
    let request = PairRequest { factor, ups: UpKernel::all(&downs), downs };
    measure(&page, &request, &ExecOptions::default()).expect("pairs")
}

/// The labels of the cells.
fn cells(window: &Window) -> Vec<String> {
    let is_cell = |label: &Option<String>| label.as_ref().is_some_and(|label| label.starts_with("Reduced with "));
    let nodes = window.query_all_by_role(Role::Button).map(|node| node.accesskit_node().label());
    nodes.filter(is_cell).flatten().collect()
}

#[test]
fn f9_opens_a_matrix_of_every_pair_with_the_measured_numbers() {
    let mut window = with_pairs();
    let matrix = expected(2);
    let found = cells(&window);
    assert_eq!(found.len(), matrix.cells.len());
    for (measure, tab) in [(PairMeasure::Psnr, "PSNR of pairs"), (PairMeasure::Ssim, "SSIM of pairs")] {
        window.get_by_role_and_label(Role::Tab, tab).click();
        window.run_ok();
        let found = cells(&window);
        for (down, method) in matrix.request.downs.iter().enumerate() {
            for (up, kernel) in matrix.request.ups.iter().enumerate() {
                let value = measure.text(matrix.cell(down, up));
                let label = format!("Reduced with {}, enlarged with {}: {value}", method.label(), kernel.label());
                assert!(found.contains(&label), "{label}: {found:?}");
            }
        }
    }
}

#[test]
fn chosen_factor_is_measured_anew() {
    let mut window = with_pairs();
    window.get_by_label("Reduced by 2").click();
    window.run_ok();
    window.get_by(|node| node.role() == Role::Button && node.label().as_deref() == Some("4")).click();
    window.run_ok();
    settle(&mut window);
    let matrix = expected(4);
    let label = format!("Reduced with linear, enlarged with linear: {:.2}", matrix.cell(1, 1).psnr_db);
    assert!(cells(&window).contains(&label), "{label}");
}

#[test]
fn click_on_a_cell_opens_the_reduced_image_enlarged_with_the_other_kernel() {
    let mut window = with_pairs();
    let label = cells(&window)
        .into_iter()
        .find(|label| label.starts_with("Reduced with mitchell, enlarged with bspline, prefilter"));
    window.get_by_label(&label.expect("a cell")).click();
    window.run_ok();
    wait(&mut window, "the reduced image", |window| app(window).session().image().name().contains("decimated"));
    let session = app(&window).session();
    assert_eq!(session.image().name(), format!("{STAR} decimated by 2 (mitchell)"));
    assert!(session.page().truth().is_some());
    let sampler = session.panels()[session.focused()].sampler;
    assert_eq!((sampler.method, sampler.prefilter), (Method::BSPLINE, true));
}

#[test]
fn pairs_of_a_large_image_run_beside_the_window_and_can_be_cancelled() {
    let mut window = open(vec!["synth:zone-plate:1024x1024".into()], None);
    // Few frames: those of the harness last until the pairs are there.
    let steps = |window: &mut Window| (0..2).for_each(|_| window.step());
    window.key_press_modifiers(Modifiers::NONE, Key::F9);
    steps(&mut window);
    window.get_by_label("Cancel").click();
    steps(&mut window);
    window.get_by_label("Cancelled");
    assert!(cells(&window).is_empty() && app(&window).has_settled());
    window.get_by_label("Measure").click();
    wait(&mut window, "the pairs", |window| !cells(window).is_empty());
}

#[test]
fn image_that_is_too_small_for_the_factor_has_the_reason() {
    let mut window = open(vec!["synth:chirp:1x1".into()], None);
    press(&mut window, Modifiers::NONE, Key::F9);
    settle(&mut window);
    window.get_by_label_contains("is decimated by 2 to 1, not by 2");
}

/// The label of the cell of a pair.
fn cell(window: &Window, pair: &str) -> String {
    cells(window).into_iter().find(|label| label.starts_with(pair)).unwrap_or_else(|| panic!("{pair}"))
}

fn click_cell(window: &mut Window, pair: &str) {
    let label = cell(window, pair);
    window.get_by_label(&label).click();
    window.run_ok();
}

fn wait_for_image(window: &mut Window, name: &str) {
    wait(window, name, |window| app(window).session().image().name() == name && app(window).has_settled());
    window.run_ok();
}

#[test]
fn pairs_of_the_original_stay_while_their_reduced_images_are_shown() {
    let mut window = with_pairs();
    let before = cells(&window);
    click_cell(&mut window, "Reduced with mitchell, enlarged with linear");
    wait_for_image(&mut window, &format!("{STAR} decimated by 2 (mitchell)"));
    assert_eq!(cells(&window), before, "not those of the reduced image");
    click_cell(&mut window, "Reduced with linear, enlarged with catmull-rom");
    wait_for_image(&mut window, &format!("{STAR} decimated by 2 (linear)"));
    click_cell(&mut window, "Reduced with mitchell, enlarged with nearest");
    wait_for_image(&mut window, &format!("{STAR} decimated by 2 (mitchell)"));
    assert_eq!(app(&window).session().images().len(), 3, "an open image is shown again");
    assert_eq!(cells(&window), before);
}

#[test]
fn measure_factor_and_order_are_undone_and_best_pairs_come_first() {
    let mut window = with_pairs();
    let usual = app(&window).session().inspect.state.pairs;
    window.get_by_label("Best pairs first").click();
    window.run_ok();
    assert!(app(&window).session().inspect.state.pairs.is_sorted);
    let psnr = |label: &str| label.rsplit(' ').next().and_then(|text| text.parse::<f64>().ok()).expect("a number");
    let values: Vec<f64> = cells(&window).iter().map(|label| psnr(label)).collect();
    let best = expected(2).range(PairMeasure::Psnr).expect("pairs")[1];
    assert_eq!(format!("{:.2}", values[0].max(values[1])), format!("{best:.2}"));
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(app(&window).session().inspect.state.pairs, usual);
    assert_eq!(app(&window).session().inspect.state.drawer, Some(DrawerTool::Pairs));
}
