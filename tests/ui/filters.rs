//! Filters in the window without a screen: added, edited, moved by hand and by menu, switched off, reset; made off the
//! window's thread; kept in sessions and commands. And the block sweep: run, told, cancelled.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use egui::{Event, Key, Modifiers, Pos2, Vec2};
use egui_kittest::kittest::Queryable as _;
use lerpscope::app::{Compare, Restored, SavedSession, Tool};
use lerpscope::backend::{self, CpuBackend, PixelFormat};
use lerpscope::filter::{FILTERS, Filters, Mask, Step};
use lerpscope::image::{self, BUILT_IN};

use crate::harness::documents::open_restored;
use crate::harness::pictures::assert_pictures;
use crate::harness::pointer::drag_slowly;
use crate::harness::side_bar::open_tab;
use crate::harness::waiting::{press_and_settle, settle};
use crate::harness::{Window, app};

/// How long a slow machine may take for anything.
const PATIENCE: Duration = Duration::from_secs(120);

fn open(restored: Option<Restored>) -> Window {
    let mut window = open_restored(BUILT_IN, 960.0, restored);
    open_tab(&mut window, "Panel", None);
    window
}

fn filters(window: &Window) -> &Filters {
    let session = app(window).session();
    &session.panels()[session.focused()].filters
}

/// The chains of the focused panel as text.
fn chains(window: &Window) -> [String; 2] {
    let filters = filters(window);
    [filters.before.to_string(), filters.after.to_string()]
}

fn click(window: &mut Window, name: &str) {
    window.get_by_label(name).click();
    settle(window);
}

/// Adds a filter by the menu of a chain's title.
fn add(window: &mut Window, stage: &str, title: &str) {
    click(window, &format!("Add a filter {stage} interpolation"));
    window.get_all_by_label(title).last().expect("an item").click();
    settle(window);
}

fn point(window: &mut Window, pos: Pos2) {
    window.event(Event::PointerMoved(pos));
    window.run_ok();
}

#[test]
fn filter_parameters_act_while_they_change() {
    let mut window = open(None);
    assert!(window.query_by_label("Filters of panel 1: on").is_none());
    add(&mut window, "before", "Gaussian blur");
    assert_eq!(chains(&window), ["gaussian", "none"]);
    assert!(window.query_by_label("Filters of panel 1: on").is_some(), "the header's mark");
    assert_pictures(&window);
    add(&mut window, "after", "Negative");
    assert_eq!(chains(&window), ["gaussian", "negative"]);
    assert_pictures(&window);
    // The slider, dragged: each step on the way is shown.
    let sliders: Vec<_> = window.get_all_by_label("Sigma").map(|node| node.rect()).collect();
    let rail = sliders.iter().max_by(|a, b| a.width().total_cmp(&b.width())).expect("a slider");
    let before = filters(&window).before.0[0].parameters()[0];
    drag_slowly(&mut window, rail.center(), rail.right_center());
    let after = filters(&window).before.0[0].parameters()[0];
    assert!(after > 4.0 * before, "{before} {after}");
    assert_pictures(&window);
    // The other panels have none.
    assert!(app(&window).session().panels()[1].filters.is_empty());
}

#[test]
fn filters_each_have_a_menu_item_and_a_card_with_all_parameters() {
    for row in &FILTERS {
        let mut window = open(None);
        add(&mut window, "before", row.title);
        assert_eq!(filters(&window).before.0, [Step::default_of(row.filter)]);
        if row.parameters.iter().any(|parameter| parameter.follows.is_some()) {
            click(&mut window, &format!("Menu of {}", row.title));
            click(&mut window, "Axes apart");
        }
        for parameter in row.parameters {
            let widgets = if parameter.is_switch() || !parameter.choices.is_empty() { 1 } else { 2 };
            assert!(window.query_all_by_label(parameter.title).count() >= widgets, "{} {}", row.name, parameter.name);
        }
    }
}

#[test]
fn gaussian_is_one_slider_until_its_axes_are_apart() {
    let mut window = open(None);
    add(&mut window, "before", "Gaussian blur");
    let is_shown = |window: &Window, title: &str| window.query_all_by_label(title).count() > 0;
    assert!(is_shown(&window, "Sigma") && !is_shown(&window, "Sigma y") && !is_shown(&window, "Radius"));
    type_into(&mut window, "Sigma", "3");
    assert_eq!(chains(&window), ["gaussian=3", "none"]);
    click(&mut window, "Menu of Gaussian blur");
    click(&mut window, "Axes apart");
    assert_eq!(chains(&window), ["gaussian=3", "none"], "the menu shows sliders and changes nothing");
    type_into(&mut window, "Sigma", "1.5");
    assert_eq!(chains(&window), ["gaussian=1.5", "none"], "equal sigmas stay equal");
    type_into(&mut window, "Sigma y", "0");
    assert_pictures(&window);
    type_into(&mut window, "Sigma", "2");
    type_into(&mut window, "Radius", "4");
    assert_eq!(chains(&window), ["gaussian=2,0,4", "none"]);
    assert_pictures(&window);
    // A second sigma that equals the first one keeps its slider.
    type_into(&mut window, "Sigma y", "2");
    type_into(&mut window, "Radius", "0");
    assert_eq!(chains(&window), ["gaussian", "none"]);
    assert!(is_shown(&window, "Sigma y"));
    type_into(&mut window, "Sigma y", "5");
    click(&mut window, "Menu of Gaussian blur");
    click(&mut window, "Axes apart");
    assert_eq!(chains(&window), ["gaussian", "none"], "joined axes have the sigma along x");
    assert!(!is_shown(&window, "Sigma y"));
}

#[test]
fn hole_is_drawn_over_a_picture_and_filled_in_its_panel_alone() {
    let mut window = open(None);
    // Its name has a note once there is a filter.
    let picture = window.get_by_label("Panel 1: Nearest (nerp)").rect();
    add(&mut window, "before", "Inpainting");
    assert_eq!(chains(&window), ["inpaint", "none"]);
    assert!(window.query_by_label("Mask: Transparent samples").is_some());
    click(&mut window, "Mask: Transparent samples");
    click(&mut window, "Draw a rectangle");
    assert_eq!(app(&window).session().inspect.tool, Tool::Inpaint);
    let [from, to] = [0.3, 0.6].map(|share| picture.lerp_inside(egui::vec2(share, share)));
    let view = app(&window).session().panels()[0].view();
    drag_slowly(&mut window, from, to);
    let session = app(&window).session();
    assert_eq!((session.inspect.tool, session.panels()[0].view()), (Tool::Hand, view), "the view stays");
    let mask = filters(&window).before.0[0].mask().expect("a mask");
    let Mask::Rectangle(rectangle) = mask else { panic!("{mask:?} is no rectangle") };
    let [x, y, columns, rows] = rectangle.parts();
    assert!(x > 0 && y > 0 && columns > 1 && rows > 1, "{rectangle:?}");
    assert_pictures(&window);
    assert!(session.panels()[1].filters.is_empty());
    type_into(&mut window, "Columns of the mask", "7");
    assert_eq!(chains(&window)[0], format!("inpaint=[{x},{y},7,{rows}]"));
    assert_pictures(&window);
    // Undone with one key each, and filled after the interpolation never.
    press_and_settle(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(chains(&window)[0], format!("inpaint=[{x},{y},{columns},{rows}]"));
    click(&mut window, "Add a filter after interpolation");
    assert_eq!(window.query_all_by_label("Inpainting").count(), 1, "the card's title alone");
}

#[test]
fn hole_drawn_in_a_panel_without_inpainting_adds_the_filter() {
    let mut window = open(None);
    press_and_settle(&mut window, Modifiers::COMMAND | Modifiers::SHIFT, Key::P);
    window.event(Event::Text("Inpaint a rectangle".to_owned()));
    settle(&mut window);
    press_and_settle(&mut window, Modifiers::NONE, Key::Enter);
    assert_eq!(app(&window).session().inspect.tool, Tool::Inpaint);
    let picture = window.get_by_label("Panel 2: Linear (lerp)").rect();
    drag_slowly(&mut window, picture.center(), picture.right_bottom() + egui::vec2(40.0, 40.0));
    let session = app(&window).session();
    assert_eq!(session.focused(), 1);
    let step = filters(&window).before.0[0];
    let size = session.page().size();
    let Some(Mask::Rectangle(rectangle)) = step.mask() else { panic!("{step} has no rectangle") };
    let [x, y, columns, rows] = rectangle.parts();
    assert!(x + columns <= size.width() && y + rows <= size.height() && columns > 1, "{rectangle:?}");
    assert_pictures(&window);
    assert!(session.panels()[0].filters.is_empty());
}

fn type_into(window: &mut Window, name: &str, text: &str) {
    window.get_by_role_and_label(egui::Role::SpinButton, name).click();
    window.run_ok();
    window.get_by_role_and_label(egui::Role::SpinButton, name).type_text(text);
    press_and_settle(window, Modifiers::NONE, Key::Enter);
}

#[test]
fn matrix_of_a_convolution_is_chosen_edited_and_resized_in_its_card() {
    let mut window = open(None);
    add(&mut window, "before", "Convolution");
    assert_eq!(chains(&window), ["convolve", "none"]);
    assert_pictures(&window);
    click(&mut window, "Matrix: Sharpen");
    click(&mut window, "Box");
    assert_eq!(chains(&window)[0], "convolve=[1,1,1;1,1,1;1,1,1],1");
    assert!(window.query_by_label("The weights sum to 9: divided by it").is_some());
    assert_pictures(&window);
    type_into(&mut window, "Weight at column 2, row 1", "-3");
    assert_eq!(chains(&window)[0], "convolve=[1,-3,1;1,1,1;1,1,1],1");
    assert!(window.query_by_label("Matrix: Own").is_some());
    assert_pictures(&window);
    // Weights that cancel are not divided.
    type_into(&mut window, "Weight at column 2, row 1", "-8");
    assert!(window.query_by_label("The weights sum to 0 and cancel: not divided").is_some());
    click(&mut window, "Normalized");
    assert_eq!(chains(&window)[0], "convolve=[1,-8,1;1,1,1;1,1,1]");
    // The middle weight stays in the middle.
    type_into(&mut window, "Weight at column 2, row 2", "7");
    type_into(&mut window, "Columns of the matrix", "2");
    type_into(&mut window, "Rows of the matrix", "1");
    assert_eq!(chains(&window)[0], "convolve=[1,7]");
    assert_pictures(&window);
    assert!(window.query_by_label("Weight at column 3, row 1").is_none());
    // As text, and wrong text with its reason.
    click(&mut window, "Matrix: Own");
    for (text, expected) in [("[1,2;3]", "convolve=[1,7]"), ("[0.5;0.5],y=1", "convolve=[0.5;0.5],0,0,1")] {
        window.get_by_label("Weights as text, or a CSV file").click();
        window.run_ok();
        press_and_settle(&mut window, Modifiers::COMMAND, Key::A);
        window.get_by_label("Weights as text, or a CSV file").type_text(text);
        press_and_settle(&mut window, Modifiers::NONE, Key::Enter);
        assert_eq!(chains(&window)[0], expected);
        let refusal = window.query_by_label("filter 'convolve': row 2 of the matrix has 1 weights, the first row 2");
        assert_eq!(refusal.is_some(), expected == "convolve=[1,7]", "{text}");
    }
    assert_pictures(&window);
    press_and_settle(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(chains(&window)[0], "convolve=[1,7]");
}

#[test]
fn noise_is_chosen_in_its_card_and_its_estimate_sets_bilateral_and_gaussian() {
    let mut window = open(None);
    add(&mut window, "before", "Noise");
    assert_pictures(&window);
    type_into(&mut window, "Seed", "7");
    window.get_by_role_and_label(egui::Role::ComboBox, "Kind").click();
    window.run_ok();
    click(&mut window, "Uniform");
    assert_eq!(chains(&window)[0], "noise=uniform,0.05,7");
    assert_pictures(&window);
    let mut state = app(&window).session().state();
    state.panels[0].filters.before = "noise=white,0.1;bilateral;gaussian".parse().expect("a chain");
    assert!(window.state_mut().as_mut().expect("the app").restore_state(&state));
    settle(&mut window);
    click(&mut window, "Estimate range sigma");
    let range = filters(&window).before.0[1].parameters()[1];
    assert!((0.2..0.23).contains(&range), "twice the noise, and a little of the picture's own details: {range}");
    // The bilateral filter leaves less noise than there was.
    window.get_all_by_label("Estimate sigma").last().expect("a button").click();
    settle(&mut window);
    let sigma = filters(&window).before.0[2].parameters()[0];
    assert!((0.05..0.1 * 255.0 / 3.545).contains(&sigma), "{sigma}");
    assert_pictures(&window);
    // After the interpolation noise depends on the method as well.
    state.panels[0].filters = Filters { after: "bilateral".parse().expect("a chain"), ..Filters::default() };
    assert!(window.state_mut().as_mut().expect("the app").restore_state(&state));
    settle(&mut window);
    assert!(window.query_by_label("Estimate range sigma").is_none());
}

#[test]
fn filter_cards_are_dragged_within_and_between_chains() {
    let mut window = open(None);
    for title in ["Negative", "Sobel edges", "Gamma"] {
        add(&mut window, "before", title);
    }
    assert_eq!(chains(&window), ["negative;sobel;gamma", "none"]);
    let grip = |window: &Window, title: &str| window.get_by_label(&format!("Move {title}")).rect().center();
    // The first behind the last.
    let to = grip(&window, "Gamma") + Vec2::new(20.0, 20.0);
    let from = grip(&window, "Negative");
    drag_slowly(&mut window, from, to);
    assert_eq!(chains(&window), ["sobel;gamma;negative", "none"]);
    assert_pictures(&window);
    // Into the empty chain.
    let from = grip(&window, "Gamma");
    let to = window.get_by_label("After interpolation").rect().center() + Vec2::new(0.0, 18.0);
    drag_slowly(&mut window, from, to);
    assert_eq!(chains(&window), ["sobel;negative", "gamma"]);
    assert_pictures(&window);
    // Beside the chains nothing happens.
    let from = grip(&window, "Gamma");
    drag_slowly(&mut window, from, Pos2::new(300.0, 300.0));
    assert_eq!(chains(&window), ["sobel;negative", "gamma"]);
    // By the menu, from the end of one chain into the other.
    for (name, title, expected) in [
        ("Negative", "Move up", ["negative;sobel", "gamma"]),
        ("Sobel edges", "Move down", ["negative", "sobel;gamma"]),
        ("Sobel edges", "Move down", ["negative", "gamma;sobel"]),
        ("Gamma", "Move up", ["negative;gamma", "sobel"]),
        ("Gamma", "Remove", ["negative", "sobel"]),
    ] {
        click(&mut window, &format!("Menu of {name}"));
        click(&mut window, title);
        assert_eq!(chains(&window), expected, "{name}: {title}");
    }
}

#[test]
fn filter_steps_are_disabled_removed_and_reset() {
    let mut window = open(None);
    let plain = app(&window).picture(0).expect("a picture").pixels().clone();
    add(&mut window, "before", "Median");
    add(&mut window, "before", "Sobel edges");
    let both = app(&window).picture(0).expect("a picture").pixels().clone();
    assert!(both != plain);
    click(&mut window, "Sobel edges");
    assert_eq!(chains(&window), ["median;sobel,off", "none"]);
    assert_pictures(&window);
    click(&mut window, "Sobel edges");
    // All off, to compare, and on again as they were: by key, by the mark, by the button.
    let keep = chains(&window);
    press_and_settle(&mut window, Modifiers::SHIFT, Key::F);
    assert!(app(&window).picture(0).expect("a picture").pixels() == &plain);
    assert_eq!(chains(&window), keep);
    click(&mut window, "Filters of panel 1: off");
    assert!(app(&window).picture(0).expect("a picture").pixels() == &both);
    click(&mut window, "All off");
    assert!(app(&window).picture(0).expect("a picture").pixels() == &plain);
    click(&mut window, "All off");
    click(&mut window, "Remove Median");
    assert_eq!(chains(&window), ["sobel", "none"]);
    let resets: Vec<_> = window.get_all_by_label("Reset").map(|node| node.rect()).collect();
    let first = resets.iter().min_by(|a, b| a.top().total_cmp(&b.top())).expect("a button");
    window.get_all_by_label("Reset").find(|node| node.rect() == *first).expect("it").click();
    settle(&mut window);
    assert!(filters(&window).is_empty() && window.query_by_label("All off").is_none());
    assert!(app(&window).picture(0).expect("a picture").pixels() == &plain);
}

#[test]
fn filter_is_found_by_its_letters() {
    let mut window = open(None);
    press_and_settle(&mut window, Modifiers::COMMAND, Key::F);
    window.event(Event::Text("bilat".to_owned()));
    settle(&mut window);
    press_and_settle(&mut window, Modifiers::NONE, Key::Enter);
    assert_eq!(chains(&window), ["bilateral", "none"]);
    assert_pictures(&window);
}

/// A window whose first panel has these chains.
fn with_chains(before: &str, after: &str) -> Window {
    let mut window = open(None);
    let mut state = app(&window).session().state();
    let filters = &mut state.panels[0].filters;
    (filters.before, filters.after) = (before.parse().expect("a chain"), after.parse().expect("a chain"));
    assert!(window.state_mut().as_mut().expect("the app").restore_state(&state));
    window.step();
    window
}

#[test]
fn window_stays_responsive_during_a_long_filter_and_shows_its_result() {
    let mut window = with_chains("bilateral=16,0.5,32;bilateral=16,0.5,32", "none");
    let is_late = |window: &Window| app(window).picture(0).expect("a picture").late_since().is_some();
    assert!(is_late(&window) && !app(&window).has_settled());
    // Hands and keys work meanwhile, and other panels' pictures are new at once.
    window.key_press(Key::Num2);
    window.run_steps(2);
    let session = app(&window).session();
    assert_eq!(session.view().scale(), 0.5);
    let expected = backend::render(&mut CpuBackend::new(), session.image(), &session.request(1), PixelFormat::TEXTURE);
    assert_eq!(app(&window).picture(1).expect("a picture").pixels(), &expected.expect("a picture"));
    // Later than a moment, the last picture is dimmed and says so.
    while is_late(&window) && window.query_by_label("Rendering…").is_none() {
        window.step();
        std::thread::sleep(Duration::from_millis(5));
    }
    settle(&mut window);
    assert!(!is_late(&window) && window.query_by_label("Rendering…").is_none());
    assert_pictures(&window);
}

#[test]
fn newest_filter_parameters_win_and_reverted_ones_render_nothing() {
    let mut window = with_chains("bilateral=16,0.5,32", "bilateral=8,0.5,16");
    // Long before that has come, something quick takes its place.
    let mut state = app(&window).session().state();
    state.panels[0].filters.before = "negative".parse().expect("a chain");
    state.panels[0].filters.after = "gaussian=3".parse().expect("a chain");
    assert!(window.state_mut().as_mut().expect("the app").restore_state(&state));
    settle(&mut window);
    assert_eq!(chains(&window), ["negative", "gaussian=3"]);
    assert_pictures(&window);
}

#[test]
fn values_pins_and_profile_include_filters() {
    let mut window = with_chains("gaussian=6;bilateral", "unsharp");
    settle(&mut window);
    let picture = window.get_by_label_contains("Panel 1: Nearest (nerp)").rect();
    // On the image, beside its inset.
    point(&mut window, picture.lerp_inside(Vec2::new(0.25, 0.5)));
    settle(&mut window);
    let reading = app(&window).reading().expect("a reading").clone();
    let value = reading.values[0].1[0];
    let session = app(&window).session();
    let pixel = session.pixel_at(0, reading.pos_in_image).expect("a pixel");
    let shown = app(&window).picture(0).expect("a picture").pixels().number(pixel[0], pixel[1], 0);
    assert!((value.clamp(0.0, 1.0) * 255.0 - shown).abs() <= 0.51, "{value} is shown as {shown}");
    // A difference of a filtered panel and a plain one is made there, too.
    press_and_settle(&mut window, Modifiers::NONE, Key::D);
    assert_eq!(app(&window).session().compare(), Compare::Difference);
    let session = app(&window).session();
    let request = session.difference_request([0, 1]);
    let expected = backend::render(&mut CpuBackend::new(), session.image(), &request, PixelFormat::TEXTURE);
    assert!(app(&window).difference().pixels() == &expected.expect("a picture"));
}

#[test]
fn sessions_and_copied_commands_contain_the_chains() {
    let mut window = with_chains("gaussian=1.5;negative,off", "bilateral=3,0.2");
    settle(&mut window);
    let app_ = app(&window);
    let lines = app_.command_lines().expect("commands");
    assert!(
        lines[0].contains("--filter gaussian=1.5 --filter negative,off --filter-after bilateral=3,0.2"),
        "{}",
        lines[0]
    );
    let saved = SavedSession { images: vec![PathBuf::from(BUILT_IN)], state: app_.session().state(), unit: None };
    let text = saved.text().expect("a text");
    assert!(text.contains(r#"filter = ["gaussian=1.5", "negative,off"]"#), "{text}");
    assert_eq!(SavedSession::parse(&text, "s.toml").as_ref(), Ok(&saved));
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("s.toml");
    std::fs::write(&file, &text).expect("a file");
    let again = open(Some(Restored::open(&file).expect("a session")));
    assert_eq!(chains(&again), ["gaussian=1.5;negative,off", "bilateral=3,0.2"]);
    assert_pictures(&again);
    // A matrix that a session gives by a file is relative to the session.
    std::fs::write(folder.path().join("k.csv"), "1,2\n3,4\n").expect("a file");
    std::fs::write(&file, text.replace("gaussian=1.5", "convolve=k.csv")).expect("a file");
    let again = open(Some(Restored::open(&file).expect("a session")));
    assert_eq!(chains(&again)[0], "convolve=[1,2;3,4];negative,off");
    let wrong = text.replace("gaussian=1.5", "gaussian=65");
    let said = SavedSession::parse(&wrong, "s.toml").expect_err("a wrong sigma").to_string();
    let expected = "s.toml: panel 1: filter: filter 'gaussian': sigma must be between 0.01 and 64 samples, not 65";
    assert_eq!(said, expected);
    // Switched off all at once: the command says so of each step.
    press_and_settle(&mut window, Modifiers::SHIFT, Key::F);
    let lines = app(&window).command_lines().expect("commands");
    assert!(lines[0].contains("--filter gaussian=1.5,off --filter negative,off --filter-after bilateral=3,0.2,off"));
}

#[test]
fn exports_wait_for_the_filtered_image() {
    let mut window = with_chains("bilateral=16,0.5,32", "none");
    // A fitted image is saved in the middle of the picture, wherever it stands in the window.
    window.key_press(Key::Num2);
    window.run_ok();
    let folder = tempfile::tempdir().expect("a folder");
    save(&mut window, Key::S, folder.path(), "panel.png");
    settle(&mut window);
    let saved = image::open(&folder.path().join("panel.png")).expect("a picture").image;
    assert!(saved.pages()[0].raster() == app(&window).picture(0).expect("a picture").pixels());
}

/// Saves the focused panel by its dialog.
fn save(window: &mut Window, key: Key, folder: &Path, name: &str) {
    window.key_press_modifiers(Modifiers::COMMAND, key);
    window.run_ok();
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.event(Event::Text(folder.join(name).display().to_string()));
    window.run_ok();
    window.get_by_role_and_label(egui::Role::Button, "Save").click();
    window.run_ok();
}

/// Opens the block sweep by the list of commands.
fn open_block_sweep(window: &mut Window) {
    press_and_settle(window, Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::P);
    window.event(Event::Text("block sweep".to_owned()));
    settle(window);
    press_and_settle(window, Modifiers::NONE, Key::Enter);
    assert!(window.query_by_label("Close the block sweep").is_some());
}

/// Draws until a sweep has ended.
fn until_over(window: &mut Window) {
    let start = Instant::now();
    while window.query_by_label("Cancel").is_some() {
        assert!(start.elapsed() < PATIENCE, "the sweep never ends");
        std::thread::sleep(Duration::from_millis(5));
        window.run_ok();
    }
}

#[test]
fn block_sweep_of_one_kernel_reports_its_best_shape() {
    let mut window = open(None);
    open_block_sweep(&mut window);
    assert!(window.query_by_label_contains("Without a GPU").is_some());
    window.get_by_label("Kernels to run: All kernels").click();
    window.run_ok();
    window.get_all_by_label("linear:auto").last().expect("an item").click();
    window.run_ok();
    assert!(window.query_by_label("Kernels to run: linear:auto").is_some());
    window.get_by_label("Run").click();
    window.run_ok();
    until_over(&mut window);
    assert!(window.query_by_label_contains("linear:auto: best in ").is_some());
    assert!(window.query_by_label_contains("Fastest: linear:auto (").is_some());
    assert!(window.query_by_label_contains("shapes are CPU tile heights").is_some());
    assert!(window.query_by_label("Copy table").is_some() && window.query_by_label_contains("Cancelled").is_none());
    press_and_settle(&mut window, Modifiers::NONE, Key::Escape);
    assert!(window.query_by_label("Close the block sweep").is_none());
}

#[test]
fn cancelled_block_sweep_keeps_finished_measurements() {
    let mut window = open(None);
    open_block_sweep(&mut window);
    window.get_by_label("Run").click();
    window.run_ok();
    // The first kernel has run.
    let start = Instant::now();
    while window.query_by_label_contains("nearest:auto: best in ").is_none() {
        assert!(start.elapsed() < PATIENCE, "no timing ends");
        std::thread::sleep(Duration::from_millis(5));
        window.run_ok();
    }
    if window.query_by_label("Cancel").is_some() {
        click(&mut window, "Cancel");
    }
    until_over(&mut window);
    assert!(window.query_by_label_contains("Cancelled").is_some());
    assert!(window.query_by_label_contains("nearest:auto: best in ").is_some());
}

#[test]
fn chain_beyond_the_reach_limit_is_refused_in_the_panel() {
    let mut window = with_chains("none", "gaussian=64;gaussian=64;gaussian=64;gaussian=64;gaussian=64");
    settle(&mut window);
    let why = app(&window).picture(0).expect("a picture").refusal().expect("a refusal").to_string();
    assert!(why.contains("reach 1280 pixels; they may reach 1024"), "{why}");
}
