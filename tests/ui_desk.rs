//! The desk around the panels, without a screen: commands by their letters, keys from a settings file, files, exports.

mod fake_backend;
mod harness;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use egui::{Event, Key, Modifiers, MouseWheelUnit, TouchPhase, Vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use lerpscope::app::{Area, COMMANDS, Lerpscope, Places};
use lerpscope::backend::{self, CpuBackend, PixelFormat, RenderRequest, RenderTimer};
use lerpscope::image::{self, BUILT_IN, Channels, Raster, Samples, Size};
use lerpscope::sampling::Method;

use fake_backend::FakeBackend;
use harness::{Window, app, window_of};

const CTRL_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);

/// A window on `sources` that remembers in `folder`.
fn open(sources: Vec<PathBuf>, folder: Option<&Path>) -> Window {
    let places = folder.map(|folder| Places {
        settings: folder.join("config/settings.toml"),
        session: folder.join("data/session.toml"),
        pasted: folder.join("data/pasted"),
    });
    let builder = Harness::builder().with_size([1280.0, 860.0]).with_max_steps(16);
    let mut window = window_of(builder, move |ctx| {
        let open = |source: &PathBuf| image::open_source(source).expect("an image").image;
        let images = sources.iter().map(open).collect();
        let mut app = Lerpscope::new(ctx, images, Box::new(CpuBackend::new())).expect("an image");
        if let Some(places) = places {
            app.remember_at(ctx, places);
        }
        app.name_sources(&sources);
        app
    });
    window.run_ok();
    window
}

fn basilica() -> Window {
    open(vec![PathBuf::from(BUILT_IN)], None)
}

fn press(window: &mut Window, modifiers: Modifiers, key: Key) {
    window.key_press_modifiers(modifiers, key);
    window.run_ok();
}

fn type_text(window: &mut Window, text: &str) {
    window.event(Event::Text(text.to_owned()));
    window.run_ok();
}

fn wait(window: &mut Window, what: &str, until: impl Fn(&Window) -> bool) {
    for _ in 0..300 {
        window.run_ok();
        if until(window) {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("{what} never came");
}

fn write_grey(file: &Path, side: u32, value: u8) {
    let size = Size::new(side, side).expect("a size");
    let samples = Samples::U8 { values: vec![value; size.area()], maxval: 255 };
    image::save(file, &Raster::new(size, Channels::Grey, samples).expect("a raster")).expect("a file");
}

/// Opens the dialog of `command` from the palette, types `file` and says yes.
fn save_as(window: &mut Window, key: (Modifiers, Key), file: &Path) {
    press(window, key.0, key.1);
    press(window, Modifiers::COMMAND, Key::A);
    type_text(window, file.to_str().expect("a name"));
    window.get_by_role_and_label(egui::Role::Button, "Save").click();
    window.run_ok();
}

#[test]
fn palette_finds_a_command_by_letters_and_runs_it_by_enter() {
    let mut window = basilica();
    press(&mut window, CTRL_SHIFT, Key::P);
    window.get_by_role_and_label(egui::Role::TextInput, "Find a command");
    type_text(&mut window, "nxmeth");
    press(&mut window, Modifiers::NONE, Key::Enter);
    assert_eq!(app(&window).session().panels()[0].sampler.method, Method::Linear);
    assert!(window.query_by_role_and_label(egui::Role::TextInput, "Find a command").is_none());
}

#[test]
fn palette_is_closed_by_escape_and_navigated_by_arrows() {
    let mut window = basilica();
    press(&mut window, CTRL_SHIFT, Key::P);
    for row in COMMANDS.iter().filter(|row| ["fit", "save-panel", "presentation"].contains(&row.id)) {
        assert!(window.query_all_by_label(row.title).count() >= 1, "{}", row.id);
    }
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert!(window.query_by_role_and_label(egui::Role::TextInput, "Find a command").is_none());
    press(&mut window, CTRL_SHIFT, Key::P);
    type_text(&mut window, "next method");
    press(&mut window, Modifiers::NONE, Key::ArrowDown);
    press(&mut window, Modifiers::NONE, Key::ArrowUp);
    press(&mut window, Modifiers::NONE, Key::Enter);
    assert_eq!(app(&window).session().panels()[0].sampler.method, Method::Linear);
}

#[test]
fn settings_assign_keys_and_wrong_ones_are_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("config")).expect("a folder");
    let settings = folder.path().join("config/settings.toml");
    let text = "# mine\nwheel = 'trackpad'\ntheme = 'pink'\n[keys]\nnext-method = ['M', 'Ctrl+J']\nfit = 'Alt+1'\n";
    std::fs::write(&settings, text).expect("a file");
    let mut window = open(vec![PathBuf::from(BUILT_IN)], Some(folder.path()));
    window.get_by_label_contains("theme");
    window.get_by_label_contains("'Alt+1' is no key");
    press(&mut window, Modifiers::NONE, Key::M);
    press(&mut window, Modifiers::COMMAND, Key::J);
    press(&mut window, Modifiers::NONE, Key::K);
    assert_eq!(app(&window).session().panels()[0].sampler.method, Method::BSpline);
    // The overlay tells the keys in force.
    press(&mut window, Modifiers::NONE, Key::F1);
    window.get_by_label("M, Ctrl+J, Shift+K");
    press(&mut window, Modifiers::NONE, Key::Escape);
    // A trackpad's two fingers pan, even where their events say lines.
    let scale = app(&window).session().view().scale();
    let pos = window.get_by_label("Panel 2: Linear (lerp)").rect().center();
    window.hover_at(pos);
    window.run_ok();
    window.event(Event::MouseWheel {
        unit: MouseWheelUnit::Line,
        delta: Vec2::new(0.0, 3.0),
        phase: TouchPhase::Move,
        source: egui::MouseWheelSource::Unknown,
        modifiers: Modifiers::NONE,
    });
    window.run_steps(8);
    assert_eq!(app(&window).session().view().scale(), scale);
}

#[test]
fn space_bar_and_loupe_keys_follow_the_settings() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("config")).expect("a folder");
    let text = "[keys]\nflip = 'J'\nnext-method = 'Space'\nloupe = 'Q'\n";
    std::fs::write(folder.path().join("config/settings.toml"), text).expect("a file");
    let mut window = open(vec![PathBuf::from(BUILT_IN)], Some(folder.path()));
    press(&mut window, Modifiers::NONE, Key::Space);
    assert_eq!(app(&window).session().panels()[0].sampler.method, Method::Linear);
    press(&mut window, Modifiers::NONE, Key::J);
    assert_eq!(app(&window).session().areas()[0], Area::Flipped { place: 0, shows: 1 });
    let pos = window.get_by_label("Panel 2: Linear (lerp)").rect().center();
    window.hover_at(pos);
    window.run_ok();
    // The loupe is a mesh of 15 × 15 squares in each of the four pictures.
    let has_loupe = |window: &Window| {
        let is_mesh = |shape: &egui::epaint::ClippedShape| matches!(&shape.shape, egui::Shape::Mesh(mesh) if mesh.vertices.len() == 4 * 225);
        window.output().shapes.iter().filter(|shape| is_mesh(shape)).count() == 4
    };
    for (key, shows) in [(Key::Z, false), (Key::Q, true)] {
        window.key_down(key);
        window.run_ok();
        assert_eq!(has_loupe(&window), shows, "{key:?}");
        window.key_up(key);
        window.run_ok();
    }
    assert!(!has_loupe(&window));
}

#[test]
fn settings_changed_in_the_window_are_saved() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(vec![PathBuf::from(BUILT_IN)], Some(folder.path()));
    press(&mut window, Modifiers::COMMAND, Key::Comma);
    window.get_by_label("Colours: Light").click();
    window.run_ok();
    window.get_by_label("Reduced motion").click();
    window.run_ok();
    press(&mut window, Modifiers::NONE, Key::Escape);
    let text = std::fs::read_to_string(folder.path().join("config/settings.toml")).expect("settings");
    assert!(text.contains("theme = \"light\"") && text.contains("reduced-motion = true"), "{text}");
    assert_eq!(window.ctx.theme(), egui::Theme::Light);
}

#[test]
fn text_scale_and_presentation_enlarge_text_and_keep_panel_pixels() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(vec![PathBuf::from(BUILT_IN)], Some(folder.path()));
    assert_eq!(window.ctx.zoom_factor(), 1.0);
    press(&mut window, Modifiers::COMMAND, Key::Comma);
    window.get_by_label("Letters: 125 %").click();
    window.run_ok();
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert_eq!(window.ctx.zoom_factor(), 1.25);
    let text = std::fs::read_to_string(folder.path().join("config/settings.toml")).expect("settings");
    assert!(text.contains("text-scale = 1.25"), "{text}");
    press(&mut window, Modifiers::NONE, Key::Num1);
    press(&mut window, Modifiers::NONE, Key::F11);
    assert_eq!(window.ctx.zoom_factor(), 2.0);
    assert!(window.query_by_label("scaleFactor").is_none() && window.query_by_label("Catmull-Rom").is_some());
    let session = app(&window).session();
    let request = session.request(0);
    let expected = backend::render(&mut CpuBackend::new(), session.image(), &request, PixelFormat::TEXTURE);
    assert_eq!((request.view.scale(), request.size), (1.0, session.output()));
    assert_eq!(app(&window).picture(0).expect("a picture").pixels(), &expected.expect("pixels"));
    // The note that says how to leave goes first.
    press(&mut window, Modifiers::NONE, Key::Escape);
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert_eq!(window.ctx.zoom_factor(), 1.25);
    assert!(window.query_by_label("scaleFactor").is_some());
}

#[test]
fn panel_is_saved_as_shown_and_figure_with_titles() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = basilica();
    press(&mut window, Modifiers::NONE, Key::Num8);
    let panel = folder.path().join("panel.pgm");
    save_as(&mut window, (Modifiers::COMMAND, Key::S), &panel);
    window.get_by_label_contains("Saved ");
    let saved = image::open(&panel).expect("a picture").image;
    assert_eq!(saved.pages()[0].raster(), app(&window).picture(0).expect("a picture").pixels());

    // Twice as large: every sample of the view is asked for anew, and every other one is the panel's.
    let large = folder.path().join("large.png");
    press(&mut window, Modifiers::COMMAND, Key::S);
    window.get_by_label("2×").click();
    window.run_ok();
    let field = window.get_by_role_and_label(egui::Role::TextInput, "File");
    field.focus();
    window.run_ok();
    press(&mut window, Modifiers::COMMAND, Key::A);
    type_text(&mut window, large.to_str().expect("a name"));
    window.get_by_role_and_label(egui::Role::Button, "Save").click();
    window.run_ok();
    let large = image::open(&large).expect("a picture").image;
    let (large, small) = (large.pages()[0].raster(), app(&window).picture(0).expect("a picture").pixels().clone());
    assert_eq!(large.size().width(), 2 * small.size().width());
    for (column, row) in [(0, 0), (17, 33), (400, 200)] {
        assert_eq!(large.number(2 * column, 2 * row, 0), small.number(column, row, 0));
    }

    let figure = folder.path().join("figure.png");
    save_as(&mut window, (CTRL_SHIFT, Key::S), &figure);
    let figure = image::open(&figure).expect("a picture").image;
    let figure = figure.pages()[0].raster();
    assert_eq!(figure.channels(), Channels::Grey);
    let size = small.size();
    assert!(figure.size().width() > 2 * size.width() && figure.size().height() > 2 * size.height());
    assert_eq!(figure.number(16 + 5, 16 + 24 + 7, 0), small.number(5, 7, 0));
}

#[test]
fn failed_export_reports_the_cause_and_can_be_retried() {
    let mut window = basilica();
    save_as(&mut window, (Modifiers::COMMAND, Key::S), Path::new("/no/such/folder/a.png"));
    window.get_by_label_contains("/no/such/folder/a.png");
    window.get_by_role_and_label(egui::Role::TextInput, "File");
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert!(window.query_by_role_and_label(egui::Role::TextInput, "File").is_none());
}

#[test]
fn session_saved_in_the_window_opens_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("s.toml");
    let mut window = basilica();
    press(&mut window, Modifiers::NONE, Key::Num8);
    press(&mut window, Modifiers::NONE, Key::K);
    let state = app(&window).session().state();
    press(&mut window, CTRL_SHIFT, Key::P);
    type_text(&mut window, "save session");
    press(&mut window, Modifiers::NONE, Key::Enter);
    press(&mut window, Modifiers::COMMAND, Key::A);
    type_text(&mut window, file.to_str().expect("a name"));
    window.get_by_role_and_label(egui::Role::Button, "Save").click();
    window.run_ok();
    assert!(file.exists());
    press(&mut window, Modifiers::NONE, Key::F);
    press(&mut window, Modifiers::COMMAND, Key::N);
    assert_ne!(app(&window).session().state(), state);
    press(&mut window, CTRL_SHIFT, Key::P);
    type_text(&mut window, "open session");
    press(&mut window, Modifiers::NONE, Key::Enter);
    press(&mut window, Modifiers::COMMAND, Key::A);
    type_text(&mut window, file.to_str().expect("a name"));
    window.get_by_role_and_label(egui::Role::Button, "Open").click();
    wait(&mut window, "the session", |window| app(window).session().state() == state);
}

#[test]
fn changed_file_is_reloaded_and_broken_file_keeps_the_old_image() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.pgm");
    write_grey(&file, 16, 10);
    let mut window = open(vec![file.clone()], None);
    press(&mut window, Modifiers::NONE, Key::Num8);
    let view = app(&window).session().view();
    let value = |window: &Window| app(window).session().image().pages()[0].raster().number(3, 3, 0);
    write_grey(&file, 16, 77);
    wait(&mut window, "the change", |window| value(window) == 77.0);
    assert_eq!(app(&window).session().view(), view);
    std::fs::write(&file, "P5 16 16 255\nshort").expect("a file");
    wait(&mut window, "the reason", |window| window.query_by_label_contains("a.pgm:").is_some());
    assert_eq!(value(&window), 77.0);
    assert_eq!(app(&window).session().images().len(), 1);
}

/// The process lives on where a header asks for more memory than there is.
#[test]
fn file_replaced_by_a_huge_header_keeps_the_old_image() {
    let folder = tempfile::tempdir().expect("a folder");
    let bmp = |sides: [i32; 2]| {
        let mut file = b"BM\0\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0".to_vec();
        file.extend(sides.map(i32::to_le_bytes).as_flattened());
        file.extend(b"\x01\0\x18\0");
        file.extend([0; 24 + 64]);
        file
    };
    let huge: [(&str, Vec<u8>); 3] = [
        ("exr", include_bytes!("data/data-window.exr").to_vec()),
        ("bmp", bmp([60_000, 60_000])),
        ("pgm", b"P5 16777216 16777216 255\nshort".to_vec()),
    ];
    for (extension, bytes) in huge {
        let file = folder.path().join(format!("a.{extension}"));
        // The content decides on the format, the name does not.
        write_grey(&folder.path().join("good.pgm"), 16, 10);
        std::fs::copy(folder.path().join("good.pgm"), &file).expect("a file");
        let mut window = open(vec![file.clone()], None);
        std::fs::write(&file, bytes).expect("a file");
        let said = format!("a.{extension}:");
        wait(&mut window, "the reason", |window| window.query_by_label_contains(&said).is_some());
        let session = app(&window).session();
        assert_eq!((session.images().len(), session.image().pages()[0].raster().number(3, 3, 0)), (1, 10.0));
    }
}

/// As in a folder of dotfiles, with links to it.
#[cfg(unix)]
#[test]
fn settings_file_behind_a_link_is_written_through_it() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["config", "dotfiles"] {
        std::fs::create_dir(folder.path().join(name)).expect("a folder");
    }
    let file = folder.path().join("dotfiles/lerpscope.toml");
    std::fs::write(&file, "# mine\ntheme = 'dark'\n").expect("a file");
    let link = folder.path().join("config/settings.toml");
    std::os::unix::fs::symlink("../dotfiles/lerpscope.toml", &link).expect("a link");
    let mut window = open(vec![PathBuf::from(BUILT_IN)], Some(folder.path()));
    press(&mut window, Modifiers::COMMAND, Key::Comma);
    window.get_by_label("Colours: Light").click();
    window.run_ok();
    let text = std::fs::read_to_string(&file).expect("settings");
    assert!(text.starts_with("# mine\n") && text.contains("theme = \"light\""), "{text}");
    assert!(link.is_symlink());
}

#[cfg(unix)]
#[test]
fn endless_settings_file_is_refused_in_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("config")).expect("a folder");
    std::os::unix::fs::symlink("/dev/zero", folder.path().join("config/settings.toml")).expect("a link");
    let window = open(vec![PathBuf::from(BUILT_IN)], Some(folder.path()));
    window.get_by_label_contains("settings.toml: is longer than 1 MiB");
}

#[test]
fn next_and_previous_file_replace_the_image() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, value) in [("a1.pgm", 1), ("a2.pgm", 2), ("a10.pgm", 10)] {
        write_grey(&folder.path().join(name), 16, value);
    }
    let mut window = open(vec![folder.path().join("a2.pgm")], None);
    press(&mut window, Modifiers::NONE, Key::Num4);
    let view = app(&window).session().view();
    press(&mut window, CTRL_SHIFT, Key::PageDown);
    wait(&mut window, "a10", |window| app(window).session().image().name() == "a10.pgm");
    press(&mut window, CTRL_SHIFT, Key::PageUp);
    wait(&mut window, "a2", |window| app(window).session().image().name() == "a2.pgm");
    press(&mut window, CTRL_SHIFT, Key::PageUp);
    wait(&mut window, "a1", |window| app(window).session().image().name() == "a1.pgm");
    assert_eq!(app(&window).session().images().len(), 1);
    assert_eq!(app(&window).session().view(), view);
}

#[derive(Debug)]
struct Dropped(PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        std::fs::read(&self.0).map_err(|error| error.to_string())
    }
}

#[test]
fn file_dropped_on_a_panel_opens_in_it_alone_and_is_recent() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("dropped.pgm");
    write_grey(&file, 16, 10);
    let mut window = open(vec![PathBuf::from(BUILT_IN)], Some(folder.path()));
    let pos = window.get_by_label("Panel 3: Cubic B-spline (bicubic)").rect().center();
    window.hover_at(pos);
    window.run_ok();
    window.input_mut().dropped_files.push(Arc::new(Dropped(file)));
    wait(&mut window, "the file", |window| app(window).session().images().len() == 2);
    let shown: Vec<_> = app(&window).session().panels().iter().map(|panel| panel.image_index()).collect();
    assert_eq!(shown, [0, 0, 1, 0]);
    press(&mut window, CTRL_SHIFT, Key::O);
    type_text(&mut window, "drop");
    press(&mut window, Modifiers::NONE, Key::Enter);
    wait(&mut window, "the file again", |window| app(window).session().images().len() == 3);
}

#[test]
fn page_slider_selects_pages() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("pages.pgm");
    std::fs::write(&file, "P2 1 1 9\n1\nP2 1 1 9\n2\nP2 1 1 9\n3\n").expect("a file");
    let mut window = open(vec![file], None);
    for page in [1, 2, 2] {
        window.get_by_role_and_label(egui::Role::Slider, "pages").increment_accesskit();
        window.run_ok();
        assert_eq!(app(&window).session().page_index(), page);
    }
}

#[test]
fn image_longer_than_any_texture_opens() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("long.pgm");
    let size = Size::new(200_000, 3).expect("a size");
    let values: Vec<u8> = (0..size.area()).map(|place| (place % 251) as u8).collect();
    let samples = Samples::U8 { values, maxval: 255 };
    image::save(&file, &Raster::new(size, Channels::Grey, samples).expect("a raster")).expect("a file");
    let mut window = open(vec![file], None);
    press(&mut window, Modifiers::NONE, Key::Num1);
    let session = app(&window).session();
    let place = session.view().image_from_output(session.output(), size).at([0.0, 0.0]);
    let picture = app(&window).picture(0).expect("a picture");
    assert!(picture.refusal().is_none());
    let rows = (-place[1]) as u32;
    assert_eq!(picture.pixels().number(0, rows, 0), f64::rem_euclid(place[0], 251.0) as f32);
}

#[test]
fn timing_overlay_shows_times_without_waking_an_idle_window() {
    let mut window = basilica();
    press(&mut window, CTRL_SHIFT, Key::T);
    window.get_by_label_contains("The last ");
    window.get_by_label("To the screen");
    window.get_by_label_contains("CPU, ");
    for index in 0..4 {
        let worked = app(&window).picture(index).expect("a picture").worked().expect("the CPU says how long it worked");
        let text = format!("{:.0} µs", worked.as_secs_f64() * 1e6);
        assert!(window.query_all_by_label(&text).count() >= 1, "{text}");
    }
    assert!(window.run() <= 2);
    press(&mut window, CTRL_SHIFT, Key::T);
    assert!(window.query_by_label("To the screen").is_none());
}

/// A timer that knows times only while it is enabled.
struct FakeTimer(Arc<AtomicBool>);

impl RenderTimer for FakeTimer {
    fn keep_time(&mut self, on: bool) {
        self.0.store(on, Relaxed);
    }

    fn worked(&mut self) -> Option<Duration> {
        self.0.load(Relaxed).then_some(Duration::from_micros(1234))
    }
}

#[test]
fn render_timing_is_enabled_only_while_times_are_shown() {
    let (keeps_time, renders) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let (timer, counter) = (FakeTimer(Arc::clone(&keeps_time)), Arc::clone(&renders));
    let count = move |_: &RenderRequest| {
        counter.fetch_add(1, Relaxed);
    };
    let device = FakeBackend::new(count, Some(Box::new(timer)));
    let builder = Harness::builder().with_size([1280.0, 860.0]).with_max_steps(16);
    let mut window = window_of(builder, move |ctx| {
        let images = vec![image::embedded().expect("the embedded image").image];
        Lerpscope::new(ctx, images, Box::new(device)).expect("an image")
    });
    window.run_ok();
    let worked = |window: &Window| app(window).picture(0).expect("a picture").worked();
    let made = || renders.load(Relaxed);
    assert!(!keeps_time.load(Relaxed));
    assert_eq!((made(), worked(&window)), (4, None));
    // What stands there already is made once more, for its time.
    press(&mut window, CTRL_SHIFT, Key::T);
    assert!(keeps_time.load(Relaxed));
    assert_eq!((made(), window.query_all_by_label("1234 µs").count()), (8, 4));
    press(&mut window, CTRL_SHIFT, Key::T);
    assert!(!keeps_time.load(Relaxed));
    press(&mut window, Modifiers::NONE, Key::K);
    assert_eq!((made(), worked(&window)), (9, None));
}

#[test]
fn clipboard_errors_are_reported() {
    let mut window = basilica();
    // Without a display there is no clipboard; with one there is. Either way one line says what came of it.
    press(&mut window, CTRL_SHIFT, Key::C);
    let said = ["Copied 4 commands", "The clipboard cannot be used", "Nothing was copied"];
    assert!(said.iter().any(|text| window.query_by_label_contains(text).is_some()));
    window.event(Event::Copy);
    window.run_ok();
    let said = ["Copied the picture", "The clipboard cannot be used", "Nothing was copied"];
    assert!(said.iter().any(|text| window.query_by_label_contains(text).is_some()));
}
