//! Dialogs of the window, without a screen: palette, settings, keys, timing.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use egui::{Event, Key, Modifiers, MouseWheelUnit, TouchPhase, Vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use lerpscope::app::{COMMANDS, Lerpscope, PanelArea};
use lerpscope::backend::{self, CpuBackend, PixelFormat, RenderRequest, RenderTimer};
use lerpscope::image::{self, BUILT_IN};
use lerpscope::sampling::Method;

use crate::harness::documents::{CTRL_SHIFT, basilica, open, press, type_text};
use crate::harness::fake_backend::FakeBackend;
use crate::harness::{Window, app, window_of};

#[test]
fn palette_finds_a_command_by_letters_and_runs_it_by_enter() {
    let mut window = basilica();
    press(&mut window, CTRL_SHIFT, Key::P);
    window.get_by_role_and_label(egui::Role::TextInput, "Find a command or a value");
    type_text(&mut window, "nxmeth");
    press(&mut window, Modifiers::NONE, Key::Enter);
    assert_eq!(app(&window).session().panels()[0].sampler.method, Method::Linear);
    assert!(window.query_by_role_and_label(egui::Role::TextInput, "Find a command or a value").is_none());
}

#[test]
fn palette_is_closed_by_escape_and_navigated_by_arrows() {
    let mut window = basilica();
    press(&mut window, CTRL_SHIFT, Key::P);
    for row in COMMANDS.iter().filter(|row| ["fit", "save-panel", "presentation"].contains(&row.id)) {
        assert!(window.query_all_by_label(row.title).count() >= 1, "{}", row.id);
    }
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert!(window.query_by_role_and_label(egui::Role::TextInput, "Find a command or a value").is_none());
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
    let text = "# mine\nwheel = 'trackpad'\ntheme = 'pink'\n[keys]\nnext-method = ['Y', 'Ctrl+J']\nfit = 'Alt+1'\n";
    std::fs::write(&settings, text).expect("a file");
    let mut window = open(vec![PathBuf::from(BUILT_IN)], Some(folder.path()));
    window.get_by_label_contains("theme");
    window.get_by_label_contains("'Alt+1' is no key");
    press(&mut window, Modifiers::NONE, Key::Y);
    press(&mut window, Modifiers::COMMAND, Key::J);
    press(&mut window, Modifiers::NONE, Key::K);
    assert_eq!(app(&window).session().panels()[0].sampler.method, Method::BSPLINE);
    // The overlay tells the keys in force.
    press(&mut window, Modifiers::NONE, Key::F1);
    assert_eq!(window.query_all_by_label("Y / Shift+K").count(), 1, "of the common keys the first");
    window.get_by_label_contains("Keys: All ").click();
    window.run_ok();
    assert_eq!(window.query_all_by_label("Y or Ctrl+J / Shift+K").count(), 1);
    press(&mut window, Modifiers::NONE, Key::Escape);
    // A trackpad's two fingers pan, even where their events say lines.
    let scale = app(&window).session().shown_view_of(1).scale();
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
    assert_eq!(app(&window).session().areas()[0], PanelArea::Flipped { place: 0, shows: 1 });
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
    window.get_by_label("Theme: Light").click();
    window.run_ok();
    window.get_by_label("Reduced motion").click();
    window.run_ok();
    press(&mut window, Modifiers::NONE, Key::Escape);
    let text = std::fs::read_to_string(folder.path().join("config/settings.toml")).expect("settings");
    assert!(text.contains("theme = \"light\"") && text.contains("reduced-motion = true"), "{text}");
    assert_eq!(window.ctx.theme(), egui::Theme::Light);
}

/// In the smallest window as in a large one: the choices of a row have the same width and fill it, and the last line and the button
/// that closes the dialog are reached.
#[test]
fn settings_fit_the_smallest_window_and_their_choices_fill_the_row() {
    for (width, height) in [(640.0, 440.0), (1440.0, 900.0)] {
        let folder = tempfile::tempdir().expect("a folder");
        let mut window = open(vec![PathBuf::from(BUILT_IN)], Some(folder.path()));
        window.set_size(egui::vec2(width, height));
        window.run_ok();
        press(&mut window, Modifiers::COMMAND, Key::Comma);
        let whole = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(width, height));
        let mut ends = Vec::new();
        for row in [
            ["Theme: System", "Theme: Light", "Theme: Dark"].as_slice(),
            &["Text size: 100 %", "Text size: 125 %", "Text size: 150 %", "Text size: 200 %"],
            &["Scrolling device: Auto", "Scrolling device: Mouse", "Scrolling device: Trackpad"],
        ] {
            let rects: Vec<egui::Rect> = row.iter().map(|name| window.get_by_label(name).rect()).collect();
            let widths = rects.iter().map(|rect| rect.width());
            assert!(widths.clone().all(|other| (other - rects[0].width()).abs() < 1.0), "{row:?}: {rects:?}");
            ends.push((rects[0].left(), rects[rects.len() - 1].right()));
        }
        let is_same = |(left, right): &(f32, f32)| (left - ends[0].0).abs() < 1.0 && (right - ends[0].1).abs() < 1.0;
        assert!(ends.iter().all(is_same), "{ends:?}");
        let close = window.get_by_role_and_label(egui::Role::Button, "Close").rect();
        assert!(whole.contains_rect(close), "{close:?} in {whole:?}");
        let last = |window: &Window| window.get_by_label_contains("settings.toml").rect();
        window.hover_at(whole.center());
        for _ in 0..40 {
            window.event(Event::MouseWheel {
                unit: MouseWheelUnit::Line,
                delta: egui::vec2(0.0, -3.0),
                phase: TouchPhase::Move,
                source: egui::MouseWheelSource::Unknown,
                modifiers: Modifiers::NONE,
            });
            window.run_steps(4);
        }
        assert!(whole.shrink(8.0).contains_rect(last(&window)), "{:?}", last(&window));
        window.get_by_role_and_label(egui::Role::Button, "Close").click();
        window.run_ok();
        assert!(window.query_by_label("Theme: Light").is_none());
    }
}

#[test]
fn text_scale_and_presentation_enlarge_text_and_keep_panel_pixels() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(vec![PathBuf::from(BUILT_IN)], Some(folder.path()));
    assert_eq!(window.ctx.zoom_factor(), 1.0);
    press(&mut window, Modifiers::COMMAND, Key::Comma);
    window.get_by_label("Text size: 125 %").click();
    window.run_ok();
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert_eq!(window.ctx.zoom_factor(), 1.25);
    let text = std::fs::read_to_string(folder.path().join("config/settings.toml")).expect("settings");
    assert!(text.contains("text-scale = 1.25"), "{text}");
    press(&mut window, Modifiers::NONE, Key::Num1);
    press(&mut window, Modifiers::NONE, Key::F11);
    assert_eq!(window.ctx.zoom_factor(), 2.0);
    assert!(window.query_by_label("Overview").is_none() && window.query_by_label("Catmull-Rom").is_some());
    let session = app(&window).session();
    let request = session.request(0);
    let expected = backend::render(&mut CpuBackend::new(), session.image(), &request, PixelFormat::TEXTURE);
    assert_eq!((request.view.scale(), request.size), (1.0, session.output()));
    assert_eq!(app(&window).picture(0).expect("a picture").pixels(), &expected.expect("pixels"));
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert_eq!(window.ctx.zoom_factor(), 1.25);
    assert!(window.query_by_label("Overview").is_some());
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
    window.get_by_label("Theme: Light").click();
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
fn timing_overlay_shows_times_without_waking_an_idle_window() {
    let mut window = basilica();
    press(&mut window, CTRL_SHIFT, Key::T);
    window.get_by_label_contains("The last ");
    window.get_by_label("To the screen");
    window.get_by_label_contains("CPU, ");
    for index in 0..4 {
        let last_kernel_time = app(&window)
            .picture(index)
            .expect("a picture")
            .last_kernel_time()
            .expect("the CPU says how long it worked");
        let text = format!("{:.0} µs", last_kernel_time.as_secs_f64() * 1e6);
        assert!(window.query_all_by_label(&text).count() >= 1, "{text}");
    }
    assert!(window.run() <= 2);
    press(&mut window, CTRL_SHIFT, Key::T);
    assert!(window.query_by_label("To the screen").is_none());
}

/// A timer that knows times only while it is enabled.
struct FakeTimer(Arc<AtomicBool>);

impl RenderTimer for FakeTimer {
    fn set_timing(&mut self, on: bool) {
        self.0.store(on, Relaxed);
    }

    fn last_kernel_time(&mut self) -> Option<Duration> {
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
    // Too narrow for the side bar, whose overview is rendered as well.
    let builder = Harness::builder().with_size([880.0, 860.0]).with_max_steps(16);
    let mut window = window_of(builder, move |ctx| {
        // Enlarged samples have no insets, which are rendered as well.
        let source = PathBuf::from("synth:zone-plate:64x48");
        let images = vec![image::open_source(&source).expect("an image").image];
        Lerpscope::new(ctx, images, Box::new(device)).expect("an image")
    });
    window.run_ok();
    let last_kernel_time = |window: &Window| app(window).picture(0).expect("a picture").last_kernel_time();
    let made = || renders.load(Relaxed);
    assert!(!keeps_time.load(Relaxed));
    assert_eq!((made(), last_kernel_time(&window)), (4, None));
    // What stands there already is made once more, for its time.
    press(&mut window, CTRL_SHIFT, Key::T);
    assert!(keeps_time.load(Relaxed));
    assert_eq!((made(), window.query_all_by_label("1234 µs").count()), (8, 4));
    press(&mut window, CTRL_SHIFT, Key::T);
    assert!(!keeps_time.load(Relaxed));
    press(&mut window, Modifiers::NONE, Key::K);
    assert_eq!((made(), last_kernel_time(&window)), (9, None));
}

/// The commands that open a dialog, and a label that only this dialog has.
const DIALOGS: [(&str, &str); 7] = [
    ("add-filter", "Find a filter"),
    ("settings", "Reduced motion"),
    ("help", "Find a command or key"),
    ("save-panel", "Save panel"),
    ("save-figure", "Save figure"),
    ("save-session", "Save session"),
    ("open-session", "Open session"),
];

#[test]
fn dialog_commands_open_their_own_dialog_which_takes_the_keyboard_until_escape() {
    let mut window = basilica();
    let method = |window: &Window| app(window).session().panels()[0].sampler.method;
    for (id, _) in DIALOGS {
        let row = COMMANDS.iter().find(|row| row.id == id).unwrap_or_else(|| panic!("no command {id}"));
        press(&mut window, CTRL_SHIFT, Key::P);
        type_text(&mut window, row.title);
        press(&mut window, Modifiers::NONE, Key::Enter);
        for (other, label) in DIALOGS {
            assert_eq!(window.query_all_by_label(label).count() > 0, other == id, "{id}: {label}");
        }
        press(&mut window, Modifiers::NONE, Key::K);
        assert_eq!(method(&window), Method::Nearest, "{id} takes the keyboard");
        press(&mut window, Modifiers::NONE, Key::Escape);
        for (_, label) in DIALOGS {
            assert_eq!(window.query_all_by_label(label).count(), 0, "{id} is closed: {label}");
        }
        press(&mut window, Modifiers::NONE, Key::K);
        assert_eq!(method(&window), Method::Linear, "{id} gives the keyboard back");
        press(&mut window, Modifiers::SHIFT, Key::K);
    }
}
