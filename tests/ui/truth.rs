//! The truth beside interpolations, without a screen: its panel, its set of panels, differences from it, and the errors of the
//! panels in their headers.

use std::path::{Path, PathBuf};

use egui::{Key, Modifiers, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lerpscope::app::Session;
use lerpscope::backend::{self, Content, CpuBackend, Display, PixelFormat, RenderRequest};
use lerpscope::filter::ExecOptions;
use lerpscope::image::{self, Channels, Depth, Image, Page, Raster, Samples, Size};
use lerpscope::quality::{Counted, compare, truth};
use lerpscope::sampling::Method;

use crate::harness::documents::{CTRL_SHIFT, basilica, open, press, type_text};
use crate::harness::waiting::{settle, wait};
use crate::harness::{Window, app, side_bar, window_of};

const NONE: Modifiers = Modifiers::NONE;
const SHIFT: Modifiers = Modifiers::SHIFT;

fn window_on(source: &str) -> Window {
    open(vec![PathBuf::from(source)], None)
}

fn session(window: &Window) -> &Session {
    app(window).session()
}

/// Runs the command of the palette that `text` finds first.
fn find(window: &mut Window, text: &str) {
    press(window, CTRL_SHIFT, Key::P);
    type_text(window, text);
    press(window, NONE, Key::Enter);
    settle(window);
}

/// The true values of panel `index`.
fn true_values(session: &Session, index: usize) -> Raster {
    let request = session.request(index);
    truth(&session.page_of(index), &request, &Counted::all(request.size), &ExecOptions::default()).expect("a truth")
}

/// Whether `pixels` are `values`, rounded to bytes.
fn are_rounded(pixels: &[u8], values: &Raster) -> bool {
    let Samples::F32(values) = values.samples() else { panic!("floats") };
    let is_near = |(pixel, value): (&u8, &f32)| (f32::from(*pixel) - 255.0 * value.clamp(0.0, 1.0)).abs() < 0.501;
    pixels.len() == values.len() && pixels.iter().zip(values).all(is_near)
}

fn pixels(window: &Window, index: usize) -> Vec<u8> {
    match app(window).picture(index).expect("a picture").pixels().samples() {
        Samples::U8 { values, .. } => values.clone(),
        other => panic!("{other:?}"),
    }
}

/// The texts that contain `part`.
fn texts(window: &Window, part: &str) -> Vec<String> {
    let nodes = window.query_all_by_label_contains(part);
    nodes.filter_map(|node| node.accesskit_node().label().or_else(|| node.accesskit_node().value())).collect()
}

/// The label of the quality figure of panel `index`; `None` without one.
fn figure(window: &Window, index: usize) -> Option<String> {
    let start = format!("Quality of panel {}: ", index + 1);
    texts(window, &start).first().and_then(|text| text.strip_prefix(&start).map(str::to_owned))
}

#[test]
fn truth_panel_shows_the_formulas_values_and_returns_to_its_method() {
    for source in ["synth:zone-plate:256x256", "synth:text:64x64", "builtin:basilica"] {
        let mut window = window_on(source);
        press(&mut window, NONE, Key::Num8);
        press(&mut window, SHIFT, Key::T);
        settle(&mut window);
        assert_eq!(session(&window).panels()[0].content, Content::Truth, "{source}");
        window.get_by_label("Panel 1: Truth");
        let exact = true_values(session(&window), 0);
        assert!(are_rounded(&pixels(&window, 0), &exact), "{source}");
        assert!(!are_rounded(&pixels(&window, 1), &exact), "{source}");
        press(&mut window, SHIFT, Key::T);
        settle(&mut window);
        window.get_by_label("Panel 1: Nearest (nerp)");
    }
}

#[test]
fn antialiased_truth_panel_shows_means_over_its_pixels() {
    let mut window = window_on("synth:zone-plate:4000x4000");
    press(&mut window, SHIFT, Key::T);
    settle(&mut window);
    let request = session(&window).request(0);
    assert!(request.view.scale() > 4.0 && request.sampler.antialias);
    assert!(are_rounded(&pixels(&window, 0), &true_values(session(&window), 0)));
    let points = RenderRequest { sampler: lerpscope::sampling::Sampler::default(), ..request.clone() };
    let points = truth(&session(&window).page(), &points, &Counted::all(request.size), &ExecOptions::default())
        .expect("a truth");
    assert!(!are_rounded(&pixels(&window, 0), &points));
}

#[test]
fn chosen_method_undo_and_redo_walk_between_truth_and_method() {
    let mut window = window_on("synth:chirp:64x64");
    press(&mut window, SHIFT, Key::T);
    let content = |window: &Window| session(window).panels()[0].content;
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(content(&window), Content::Interpolation);
    press(&mut window, CTRL_SHIFT, Key::Z);
    assert_eq!(content(&window), Content::Truth);
    // The method that it had before, by the header's menu.
    window.get_all_by_role_and_label(Role::Button, "Truth").next().expect("the header").click();
    window.run_ok();
    window.get_all_by_role_and_label(Role::Button, "Nearest (nerp)").next().expect("an item").click();
    window.run_ok();
    assert_eq!(
        (content(&window), session(&window).panels()[0].sampler.method),
        (Content::Interpolation, Method::Nearest)
    );
    find(&mut window, "Truth");
    assert_eq!(content(&window), Content::Truth);
    press(&mut window, NONE, Key::K);
    assert_eq!(
        (content(&window), session(&window).panels()[0].sampler.method),
        (Content::Interpolation, Method::Linear)
    );
}

#[test]
fn commands_of_samples_do_nothing_in_a_truth_panel_and_say_why() {
    let mut window = window_on("synth:noise:64x64");
    press(&mut window, SHIFT, Key::T);
    let before = session(&window).panels()[0].clone();
    for (modifiers, key) in [(NONE, Key::A), (NONE, Key::T), (NONE, Key::P), (SHIFT, Key::A)] {
        press(&mut window, modifiers, key);
        assert_eq!(session(&window).panels()[0], before, "{key:?}");
        assert!(window.query_all_by_label_contains("The panel shows the truth").next().is_some(), "{key:?}");
        press(&mut window, NONE, Key::Escape);
    }
}

#[test]
fn page_without_a_formula_has_no_truth_and_its_panel_says_what_to_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("plain.pgm");
    std::fs::write(&file, "P2 3 2 9\n1 2 3 4 5 6\n").expect("a file");
    let mut window = open(vec![PathBuf::from("synth:disc:64x64"), file], None);
    press(&mut window, SHIFT, Key::T);
    press(&mut window, NONE, Key::PageDown);
    settle(&mut window);
    assert_eq!(session(&window).page().formula(), None);
    assert!(window.query_by_label_contains("The image has no formula").is_some());
    window.get_by_label("Show Nearest (nerp)").click();
    settle(&mut window);
    assert_eq!(session(&window).panels()[0].content, Content::Interpolation);
    press(&mut window, SHIFT, Key::T);
    assert_eq!(session(&window).panels()[0].content, Content::Interpolation);
    assert!(window.query_all_by_label_contains("No truth: the image has no formula").next().is_some());
}

#[test]
fn set_of_truth_and_methods_has_the_truth_first_and_its_figures_in_order() {
    let mut window = window_on("synth:zone-plate:256x256");
    press(&mut window, NONE, Key::Num8);
    find(&mut window, "Truth and methods");
    let names: Vec<String> = (0..5).map(|index| session(&window).panel_name(index).to_string()).collect();
    assert_eq!(names, ["Truth", "Nearest", "Linear", "Catmull-Rom", "Cubic B-spline · prefiltered"]);
    assert!((0..5).all(|index| figure(&window, index).is_none()), "metrics are off");
    press(&mut window, NONE, Key::M);
    settle(&mut window);
    assert_eq!(figure(&window, 0), None);
    let psnr: Vec<f64> = (1..5)
        .map(|index| {
            let shown = figure(&window, index).expect("a figure");
            let request = session(&window).request(index);
            let page = session(&window).page();
            let counted = Counted::between_samples(&request, page.size());
            let exact = truth(&page, &request, &counted, &ExecOptions::default()).expect("a truth");
            let format = PixelFormat::file(Depth::Float);
            let picture = backend::render(&mut CpuBackend::new(), session(&window).image(), &request, format);
            let metrics = compare(&picture.expect("a picture"), &exact, &counted).expect("pixels");
            assert_eq!(shown, format!("{:.1} dB", metrics.psnr_db));
            metrics.psnr_db
        })
        .collect();
    assert!(psnr.windows(2).all(|pair| pair[0] < pair[1]), "{psnr:?}");
    // The same in the side bar, the best first, each with its time.
    side_bar::open_tab(&mut window, "Inspect", None);
    let rows = texts(&window, " dB, ");
    let starts: Vec<&str> = rows.iter().filter_map(|row| row.split(' ').next()).collect();
    assert_eq!(starts, ["5", "4", "3", "2"], "{rows:?}");
    press(&mut window, NONE, Key::M);
    assert!((0..5).all(|index| figure(&window, index).is_none()));
}

#[test]
fn difference_from_the_truth_is_the_error_of_the_method() {
    let mut window = window_on("synth:siemens-star:128x128");
    press(&mut window, NONE, Key::Num5);
    find(&mut window, "Truth and methods");
    // The linear panel minus the truth, though the next panel is another.
    press(&mut window, Modifiers::COMMAND, Key::Tab);
    press(&mut window, Modifiers::COMMAND, Key::Tab);
    press(&mut window, NONE, Key::D);
    settle(&mut window);
    let session = session(&window);
    assert_eq!(session.pair(), Some([2, 0]));
    let request = RenderRequest { display: Display::default(), ..session.difference_request([2, 0]) };
    let format = PixelFormat::file(Depth::Float);
    let difference = backend::render(&mut CpuBackend::new(), session.image(), &request, format).expect("values");
    let linear = backend::render(&mut CpuBackend::new(), session.image(), &session.request(2), format).expect("values");
    let exact = true_values(session, 0);
    for (column, row) in [(0, 0), (17, 40), (100, 90), (200, 150)] {
        let error = linear.number(column, row, 0) - exact.number(column, row, 0);
        assert!((difference.number(column, row, 0) - error).abs() < 1e-6, "{column}, {row}");
    }
    window.get_by_label("Difference: Linear (lerp) − Truth");
    let commands = app(&window).command_lines().expect("commands");
    assert_eq!(commands.len(), 2, "the difference and its figure: {commands:?}");
    assert!(commands[0].contains("--subtract method=truth"), "{commands:?}");
}

#[test]
fn command_of_a_truth_panel_renders_its_pixels() {
    let mut window = basilica();
    press(&mut window, NONE, Key::Num6);
    press(&mut window, SHIFT, Key::T);
    settle(&mut window);
    let command = app(&window).command_lines().expect("commands").remove(0);
    assert!(command.starts_with("lerpscope render builtin:basilica -o panel-1.png --method truth"), "{command}");
    let folder = tempfile::tempdir().expect("a folder");
    let mut words: Vec<&str> = command.split(' ').skip(1).collect();
    let place = words.iter().position(|word| *word == "panel-1.png").expect("the output");
    words[place] = "panel.pgm";
    let run = assert_cmd::Command::new(env!("CARGO_BIN_EXE_lerpscope")).args(words).current_dir(folder.path()).output();
    assert!(run.expect("it runs").status.success());
    let file = image::open(&folder.path().join("panel.pgm")).expect("a picture").image;
    let Samples::U8 { values, .. } = file.pages()[0].raster().samples() else { panic!("bytes") };
    assert!(*values == pixels(&window, 0));
}

#[test]
fn figures_follow_the_view_and_say_where_there_is_no_truth() {
    let mut window = window_on("synth:text:64x64");
    press(&mut window, NONE, Key::M);
    settle(&mut window);
    let fitted = figure(&window, 1).expect("a figure");
    assert!(fitted.ends_with(" dB"), "{fitted}");
    press(&mut window, NONE, Key::Num2);
    settle(&mut window);
    assert_ne!(figure(&window, 1), Some(fitted));
    // At 100 % all methods that interpolate have the samples themselves.
    press(&mut window, NONE, Key::Num1);
    settle(&mut window);
    assert_eq!(figure(&window, 0).as_deref(), Some("∞ dB"));
    let size = Size::new(3, 3).expect("a size");
    let raster = Raster::zeros(size, Channels::Grey, Depth::EIGHT);
    let image = Image::of_page("plain", Page::new(raster));
    let state = session(&window).state();
    let mut window = window_of(egui_kittest::Harness::builder().with_size([1280.0, 860.0]), move |ctx| {
        let mut app = lerpscope::app::Lerpscope::new(ctx, vec![image], Box::new(CpuBackend::new())).expect("an image");
        assert!(app.restore_state(&state));
        app
    });
    settle(&mut window);
    assert!((0..4).all(|index| figure(&window, index).as_deref() == Some("no truth")));
}

/// A file of 64 × 48 samples, decimated by 4 from the menu's choice: its original is the truth, at 4×.
#[test]
fn decimated_image_opens_on_its_original_which_is_the_truth() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("noise.pgm");
    let size = Size::new(64, 48).expect("a size");
    let mut random = fastrand::Rng::with_seed(6);
    let values: Vec<u8> = (0..size.area()).map(|_| random.u8(..)).collect();
    let samples = Samples::U8 { values: values.clone(), maxval: 255 };
    image::save(&file, &Raster::new(size, Channels::Grey, samples).expect("a raster")).expect("a file");
    let mut window = open(vec![file.clone()], Some(folder.path()));
    find(&mut window, "decimate by 4 box");
    wait(&mut window, "the image", |window| session(window).images().len() == 2);
    settle(&mut window);
    assert_eq!(session(&window).image().name(), "noise.pgm decimated by 4 (box)");
    assert_eq!((session(&window).page().size().sides(), session(&window).view().scale()), ([16, 12], 0.25));
    press(&mut window, SHIFT, Key::T);
    press(&mut window, NONE, Key::M);
    // A pan by whole pixels, and a window of another size, keep pixels on the samples of the original.
    press(&mut window, NONE, Key::ArrowRight);
    window.set_size(egui::vec2(1281.0, 861.0));
    settle(&mut window);
    let request = session(&window).request(0);
    let map = request.view.image_from_output(request.size, session(&window).page().size());
    let shown = pixels(&window, 0);
    let mut count = 0;
    for row in 0..request.size.height() {
        for column in 0..request.size.width() {
            let [x, y] = map.at([f64::from(column), f64::from(row)]).map(|x| 4.0 * x + 1.5);
            if (0.0..64.0).contains(&x) && (0.0..48.0).contains(&y) {
                let (x, y) = (x.round() as usize, y.round() as usize);
                assert_eq!(shown[(row * request.size.width() + column) as usize], values[y * 64 + x], "{x}, {y}");
                count += 1;
            }
        }
    }
    assert!(count > 1000, "{count}");
    let request = session(&window).request(1);
    let page = session(&window).page();
    let counted = Counted::between_samples(&request, page.size());
    let exact = truth(&page, &request, &counted, &ExecOptions::default()).expect("a truth");
    let picture =
        backend::render(&mut CpuBackend::new(), session(&window).image(), &request, PixelFormat::file(Depth::Float));
    let metrics = compare(&picture.expect("a picture"), &exact, &counted).expect("pixels");
    assert_eq!(figure(&window, 1), Some(format!("{:.1} dB", metrics.psnr_db)));
    // Commands and sessions name the decimation.
    let source = format!("decimate:4:box:{}", file.display());
    let command = app(&window).command_lines().expect("commands").remove(0);
    assert!(command.contains(&source) && command.contains("--method truth"), "{command}");
    let opened = lerpscope::quality::open_source(source.as_ref()).expect("an image").image;
    assert_eq!(opened.pages()[0].raster(), page.raster());
    // At another scale there is no truth, and a button returns.
    press(&mut window, NONE, Key::Num5);
    settle(&mut window);
    assert_eq!(figure(&window, 1).as_deref(), Some("no truth"));
    window.get_by_label("Show at 4×").click();
    settle(&mut window);
    assert_eq!(session(&window).view().scale(), 0.25);
    assert!(app(&window).picture(0).expect("a picture").refusal().is_none());
    // Another factor is that of the original.
    find(&mut window, "decimate 3 lanczos");
    wait(&mut window, "the image", |window| session(window).images().len() == 3);
    assert_eq!(session(&window).image().name(), "noise.pgm decimated by 3 (lanczos)");
}

#[test]
fn image_that_is_too_small_is_not_decimated() {
    let mut window = window_on("synth:disc:40x6");
    for (factor, is_possible) in [(5, true), (7, false)] {
        press(&mut window, CTRL_SHIFT, Key::P);
        type_text(&mut window, &format!("decimate {factor}"));
        let title = format!("Decimate: By {factor}, box");
        let row = window.get_by_label(&title);
        assert_eq!(!row.accesskit_node().is_disabled(), is_possible, "{factor}");
        press(&mut window, NONE, Key::Escape);
    }
}

#[test]
fn figure_of_a_narrow_header_gives_way_to_the_methods_name() {
    for (size, has_figures) in [([1280.0, 860.0], true), ([640.0, 440.0], false)] {
        let mut window = window_on("synth:zone-plate:64x64");
        window.set_size(size.into());
        find(&mut window, "All methods");
        assert_eq!(session(&window).panels().len(), Session::MAX_PANELS);
        if !has_figures {
            press(&mut window, Modifiers::COMMAND, Key::L);
        }
        press(&mut window, NONE, Key::M);
        settle(&mut window);
        for index in 0..session(&window).panels().len() {
            let start = format!("Quality of panel {}: ", index + 1);
            let figures: Vec<_> = window.query_all_by_label_contains(&start).map(|node| node.rect()).collect();
            assert_eq!(figures.len(), usize::from(has_figures), "panel {} of {size:?}", index + 1);
            let name = format!("Panel {}: ", index + 1);
            let picture = window.query_all_by_label_contains(&name).next().expect("a picture").rect();
            for figure in figures {
                assert!(figure.right() <= picture.right() && figure.left() > picture.left() + 60.0, "{figure:?}");
            }
        }
    }
}

/// Saves the picture of the focused panel to `file` by its dialog.
fn save_panel(window: &mut Window, file: &Path) {
    press(window, Modifiers::COMMAND, Key::S);
    press(window, Modifiers::COMMAND, Key::A);
    type_text(window, file.to_str().expect("a name"));
    window.get_by_role_and_label(Role::Button, "Save").click();
    window.run_ok();
}

/// The truth of a reduced drawing takes longer than a frame.
#[test]
fn slow_picture_is_saved_while_the_window_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = window_on("synth:sailboat:1024x768");
    press(&mut window, NONE, Key::Num3);
    press(&mut window, SHIFT, Key::T);
    settle(&mut window);
    assert_eq!(session(&window).panels()[0].content, Content::Truth);
    let dialog = "Saving the picture";
    let file = folder.path().join("truth.png");
    save_panel(&mut window, &file);
    assert!(!file.exists(), "a frame that renders it blocks the window");
    wait(&mut window, dialog, |window| file.exists() || window.query_by_label(dialog).is_some());
    wait(&mut window, "the file", |_| file.exists());
    window.run_ok();
    assert!(window.query_by_label(dialog).is_none() && window.query_by_label("Save panel").is_none());
    let saved = image::open(&file).expect("a picture").image;
    let (saved, shown) = (saved.pages()[0].raster(), app(&window).picture(0).expect("a picture").pixels());
    assert_eq!(saved.size(), shown.size());
    for (column, row) in [(0, 0), (17, 33), (200, 150)] {
        let colours = |raster: &Raster| [0, 1, 2].map(|channel| raster.number(column, row, channel));
        assert_eq!(colours(saved), colours(shown), "{column} {row}");
    }

    // An error comes back to the dialog for the file, which is as it was.
    let nowhere = folder.path().join("none").join("a.png");
    save_panel(&mut window, &nowhere);
    wait(&mut window, "the reason", |window| window.query_by_label_contains("its folder does not exist").is_some());
    window.get_by_role_and_label(Role::Button, "Save");
}

/// The picture would take minutes.
#[test]
fn slow_picture_is_cancelled_by_its_dialog() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = window_on("synth:sailboat:1024x768");
    press(&mut window, SHIFT, Key::T);
    (0..24).for_each(|_| press(&mut window, NONE, Key::Minus));
    assert!(session(&window).view_of(0).scale() > 8.0, "{}", session(&window).view_of(0).scale());
    let file = folder.path().join("truth.png");
    let saving = "Saving the picture";
    for by_key in [true, false] {
        save_panel(&mut window, &file);
        wait(&mut window, saving, |window| window.query_by_label(saving).is_some());
        // No command changes what is saved.
        press(&mut window, SHIFT, Key::T);
        assert_eq!(session(&window).panels()[0].content, Content::Truth);
        if by_key {
            press(&mut window, NONE, Key::Escape);
        } else {
            window.get_by_role_and_label(Role::Button, "Cancel").click();
            window.run_ok();
        }
        assert!(window.query_by_label(saving).is_none() && !file.exists());
        // The dialog for the file is open with what was typed.
        let field = window.get_by_role_and_label(Role::TextInput, "File");
        assert_eq!(field.accesskit_node().value().as_deref(), file.to_str());
        press(&mut window, NONE, Key::Escape);
        assert!(window.query_by_role_and_label(Role::TextInput, "File").is_none());
    }
    // The key of a copy is answered at once, too.
    window.event(egui::Event::Copy);
    let copying = "Copying the picture";
    wait(&mut window, copying, |window| window.query_by_label(copying).is_some());
    press(&mut window, NONE, Key::Escape);
    assert!(window.query_by_label(copying).is_none());
    press(&mut window, SHIFT, Key::T);
    assert_eq!(session(&window).panels()[0].content, Content::Interpolation);
}
