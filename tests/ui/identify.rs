//! The tool *Identify kernel* in a window without a screen: its report, its choice of images, its plot.

use std::path::{Path, PathBuf};

use egui::{Key, Modifiers, Role};
use egui_kittest::kittest::Queryable as _;
use lerpscope::app::DrawerTool;

use crate::harness::documents::{CTRL_SHIFT, basilica, open, press, type_text};
use crate::harness::saving::save_plot;
use crate::harness::waiting::settle;
use crate::harness::{Window, app};

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/resized/{name}.png"))
}

fn identify(window: &mut Window) {
    press(window, CTRL_SHIFT, Key::P);
    type_text(window, "identify kernel");
    press(window, Modifiers::NONE, Key::Enter);
    settle(window);
}

/// A window on the source and two outputs, with the tool open.
fn with_pictures() -> Window {
    let names = ["source-96x80", "opencv-cubic-131x117", "pillow-lanczos-53x37"];
    let mut window = open(names.map(golden).to_vec(), None);
    identify(&mut window);
    window
}

#[test]
fn palette_opens_the_tool_which_names_the_kernel_of_the_next_image() {
    let window = with_pictures();
    assert_eq!(app(&window).session().inspect.state.drawer, Some(DrawerTool::Identify));
    // In the report, and beside its line.
    assert_eq!(window.get_all_by_label("Keys' cubic, a = −0.75").count(), 2);
    window.get_by_label("the edge sample is repeated");
    window.get_by_label_contains("OpenCV, resize(…, INTER_CUBIC)");
    let chart = window.get_by(|node| {
        node.role() == Role::Image && node.label().is_some_and(|label| label.starts_with("Recovered kernel: "))
    });
    assert!(chart.rect().width() > 280.0 && chart.rect().height() > 60.0, "{:?}", chart.rect());
    // What its dots and lines are.
    let recovered = window.get_by_role_and_label(Role::Label, "recovered").rect();
    assert!(recovered.bottom() <= chart.rect().top() + 0.5, "{recovered:?} over {:?}", chart.rect());
}

#[test]
fn chosen_image_is_identified_in_place_of_the_first() {
    let mut window = with_pictures();
    window.get_by_label("Output: opencv-cubic-131x117.png").click();
    window.run_ok();
    window.get_by_label("pillow-lanczos-53x37.png, 53 × 37").click();
    window.run_ok();
    settle(&mut window);
    window.get_by_label("Lanczos 3, widened 2.162 times");
    window.get_by_label_contains("Pillow, Image.resize(…, LANCZOS)");
    // The chosen image in the focused panel is the source; the first other one becomes the output.
    window.get_by_label("Output: pillow-lanczos-53x37.png");
}

#[test]
fn one_image_alone_asks_for_the_other() {
    let mut window = basilica();
    identify(&mut window);
    window.get_by_label_contains("Open the image that another program made from this one");
}

#[test]
fn pictures_without_a_kernel_show_the_reason() {
    let mut window = open(vec![golden("source-96x80"), "synth:chirp:5x5".into()], None);
    identify(&mut window);
    window.get_by_label_contains("the output of 5×5 pixels is too small");
}

#[test]
fn plot_of_the_tool_is_saved_as_a_drawing_and_as_numbers() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = with_pictures();
    for name in ["kernel.svg", "kernel.csv"] {
        save_plot(&mut window, &folder.path().join(name));
    }
    let csv = std::fs::read_to_string(folder.path().join("kernel.csv")).expect("text");
    assert!(csv.starts_with("kernel,rms,curve,source,distance,weight\n"), "{csv:.100}");
    assert!(csv.contains("\nrecovered,,,recovered,0,"), "{csv:.300}");
    let svg = std::fs::read_to_string(folder.path().join("kernel.svg")).expect("text");
    assert!(svg.contains("Keys&apos; cubic, a = −0.75") || svg.contains("Keys' cubic, a = −0.75"), "no legend");
}
