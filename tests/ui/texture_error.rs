//! The tool *Texture unit's error* in a window without a screen: its views, its controls, its files.

use egui::{Key, Modifiers, Role, Vec2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lerpscope::app::{DrawerTool, TextureErrorState};
use lerpscope::backend::CpuBackend;
use lerpscope::filter::ExecOptions;
use lerpscope::lab::texture_error::{Picture, TableOne, TexelPair, scientific};
use lerpscope::sampling::{Method, SamplingPath};

use crate::harness::documents::{CTRL_SHIFT, basilica, press, type_text};
use crate::harness::painted::faded;
use crate::harness::saving::save_plot;
use crate::harness::waiting::settle;
use crate::harness::{Window, app};

fn state(window: &Window) -> TextureErrorState {
    app(window).session().inspect.state.texture_error
}

/// A window with the tool open.
fn with_tool() -> Window {
    let mut window = basilica();
    press(&mut window, Modifiers::NONE, Key::F5);
    settle(&mut window);
    window
}

fn choose_tab(window: &mut Window, name: &str) {
    window.get_by_role_and_label(Role::Tab, &format!("{name} of the texture unit")).click();
    window.run_ok();
    settle(window);
}

/// Shows `method` in the focused panel.
fn show_method(window: &mut Window, method: Method) {
    while app(window).session().panels()[app(window).session().focused()].sampler.method != method {
        press(window, Modifiers::NONE, Key::K);
    }
    settle(window);
}

/// Types `text` into the field of the gain.
fn type_gain(window: &mut Window, text: &str) {
    window.get_by_role_and_label(Role::SpinButton, "Gain").focus();
    window.run_ok();
    window.get_by_role_and_label(Role::SpinButton, "Gain").type_text(text);
    window.run_ok();
    press(window, Modifiers::NONE, Key::Enter);
}

/// Chooses the entry `entry` of the list `list`.
fn choose(window: &mut Window, list: &str, entry: &str) {
    window.get_by_label(list).click();
    window.run_ok();
    window.get_by(|node| node.role() == Role::Button && node.label().as_deref() == Some(entry)).click();
    window.run_ok();
    settle(window);
}

#[test]
fn f5_opens_the_staircase_of_the_focused_panels_method_and_says_that_it_is_emulated() {
    let mut window = with_tool();
    assert_eq!(app(&window).session().inspect.state.drawer, Some(DrawerTool::TextureError));
    // Nearest, the focused panel's method, has no steps.
    window.get_by_label("Between a texel of 0 and one of 1: linear, emulated");
    window.get_by_label("Nearest rounds no fraction: a linear fetch is shown");
    window.get_by_label("Emulated by the CPU: no texture unit is in use");
    window.get_by_label("The window has no OpenGL to ask");
    show_method(&mut window, Method::Linear);
    window.get_by_label("Between a texel of 0 and one of 1: linear, emulated");
    window.get_by_label("filtered: 257 values, at most 1.95·10⁻³ from exact, RMS 1.13·10⁻³");
    show_method(&mut window, Method::BSPLINE);
    window.get_by_label("Between a texel of 0 and one of 1: bspline, emulated");
    window.get_by_label_contains("filtered-table: at most ");
    press(&mut window, Modifiers::NONE, Key::F5);
    assert!(app(&window).session().inspect.state.drawer.is_none());
}

/// A line that is cut by the lower edge fades: it reads as one that goes on.
#[test]
fn sentences_of_a_legend_fade_towards_an_edge_with_more_behind_it() {
    let mut window = with_tool();
    window.set_size(Vec2::new(1280.0, 440.0));
    show_method(&mut window, Method::MITCHELL);
    let sentence = window.get_by_label_contains("filtered: 257 values").rect();
    let legend = sentence.with_min_y(0.0).with_max_y(f32::INFINITY).expand(24.0);
    assert_eq!(faded(&window, legend), [false, true]);
    press(&mut window, Modifiers::NONE, Key::F3);
    settle(&mut window);
    assert_eq!(faded(&window, legend), [false, false], "names alone");
}

#[test]
fn method_without_the_texture_unit_is_replaced_by_a_linear_fetch_which_is_said() {
    let mut window = with_tool();
    show_method(&mut window, Method::MITCHELL);
    window.get_by_label("Between a texel of 0 and one of 1: linear, emulated");
    window.get_by_label("The texture unit does not interpolate by mitchell: a linear fetch is shown");
}

#[test]
fn typed_gain_magnifies_the_error_is_refused_outside_its_range_and_is_undone() {
    let mut window = with_tool();
    show_method(&mut window, Method::Linear);
    choose_tab(&mut window, "Error");
    window.get_by_label("Error times 256: linear, emulated");
    for (text, gain) in [("64", 64), ("9000", 64), ("4096", 4096), ("0", 4096), ("1", 1)] {
        type_gain(&mut window, text);
        assert_eq!(state(&window).gain.get(), gain, "{text}");
        window.get_by_label(&format!("Error times {gain}: linear, emulated"));
    }
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(state(&window).gain.get(), 4096);
}

#[test]
fn formats_say_what_each_texture_holds_between_the_chosen_texels() {
    let mut window = with_tool();
    choose_tab(&mut window, "Formats");
    window.get_by_label("A linear fetch between 0 and 1/65535, emulated");
    window.get_by_label_contains("8-bit: 0 twice, since 1/65535 is below its last bit. 16-bit: 2 values");
    choose(&mut window, "Texels 0 and 1/65535", "0 and the last bit");
    assert_eq!(state(&window).texels, TexelPair::LastBit);
    window.get_by_label_contains("8-bit: 257 values, rounded to 1/65535");
}

#[test]
fn shown_steps_are_chosen_from_a_list() {
    let mut window = with_tool();
    assert_eq!(state(&window).steps.get(), 16);
    choose(&mut window, "Shown steps 16", "256");
    assert_eq!(state(&window).steps.get(), 256);
    window.get_by_label("Shown steps 256");
}

#[test]
fn table_has_the_measured_rows_of_the_image_and_of_noise_beside_the_documents() {
    let mut window = with_tool();
    choose_tab(&mut window, "Table 1");
    let session = app(&window).session();
    let image = Picture { name: session.image().name().to_owned(), page: session.image().pages()[0].clone() };
    let pictures = [image, Picture::noise().expect("a formula")];
    let table = TableOne::measure(&pictures, &mut CpuBackend::new(), &ExecOptions::default()).expect("a table");
    let texts: Vec<String> = window
        .query_all_by(|node| node.role() == Role::Label && node.value().is_some())
        .filter_map(|node| node.accesskit_node().value())
        .collect();
    let has = |text: &str| texts.iter().any(|known| known == text);
    for row in &table.rows {
        assert!(has(&row.picture) && has(&scientific(row.rms)) && has(&scientific(row.max)), "{row:?}: {texts:?}");
    }
    for rms in ["9.39·10⁻⁵", "8.58·10⁻⁵"] {
        assert!(has(rms), "{rms}: {texts:?}");
    }
    window.get_by_label("Cubic B-spline: RMS error over contrast, emulated");
}

#[test]
fn each_view_is_saved_as_svg_png_and_csv() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = with_tool();
    show_method(&mut window, Method::Linear);
    for (tab, name) in [("Staircase", "staircase"), ("Error", "error"), ("Formats", "formats"), ("Table 1", "table")] {
        choose_tab(&mut window, tab);
        for format in ["svg", "png", "csv"] {
            let file = folder.path().join(format!("{name}.{format}"));
            save_plot(&mut window, &file);
            assert!(std::fs::metadata(&file).is_ok_and(|file| file.len() > 200), "{name}.{format}");
        }
    }
    let csv = std::fs::read_to_string(folder.path().join("staircase.csv")).expect("a file");
    assert!(csv.starts_with("path,curve,source,fraction,value\n"), "{csv}");
    assert_eq!(csv.lines().filter(|line| line.starts_with("filtered,,emulated,")).count(), 2 * 257, "two ends a step");
}

#[test]
fn panel_by_the_look_up_table_is_named_and_rendered() {
    let mut window = with_tool();
    show_method(&mut window, Method::BSPLINE);
    press(&mut window, CTRL_SHIFT, Key::P);
    type_text(&mut window, "filtered-table");
    press(&mut window, Modifiers::NONE, Key::Enter);
    settle(&mut window);
    let session = app(&window).session();
    let sampler = session.panels()[session.focused()].sampler;
    assert_eq!((sampler.method, sampler.path), (Method::BSPLINE, SamplingPath::FilteredTable));
    assert_eq!(session.refusal(session.focused(), sampler), None);
}
