//! Frames that panic, recovery sessions and their offer, without a screen.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use egui::{Key, Modifiers, ViewportCommand, ViewportId};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use lerpscope::app::{AppPaths, Lerpscope, SavedSession, SessionState};
use lerpscope::backend::{BackendError, BackendKind, CpuBackend, RenderRequest, Unusable};
use lerpscope::image::{self, BUILT_IN};
use lerpscope::sampling::Method;

use crate::harness::fake_backend::FakeBackend;
use crate::harness::waiting::wait;
use crate::harness::{Window, app, window_of};

/// When the backend panics.
#[derive(Debug, Default)]
struct Faults {
    always: AtomicBool,
    once: AtomicBool,
    at_lanczos3: AtomicBool,
}

impl Faults {
    /// Panics where a fault is set for `request`.
    fn strike(&self, request: &RenderRequest) {
        let is_hit = self.at_lanczos3.load(Relaxed) && request.sampler.method == Method::LANCZOS3;
        assert!(!(self.once.swap(false, Relaxed) || self.always.load(Relaxed) || is_hit), "a row\nis missing");
    }
}

fn places(folder: &Path) -> AppPaths {
    AppPaths {
        settings: folder.join("config/settings.toml"),
        session: folder.join("data/session.toml"),
        pasted: folder.join("data/pasted"),
    }
}

/// A window on `sources` that remembers in `folder`.
fn open(sources: Vec<PathBuf>, folder: &Path, faults: &Arc<Faults>) -> Window {
    let (places, faults) = (places(folder), Arc::clone(faults));
    let builder = Harness::builder().with_size([1280.0, 860.0]).with_max_steps(16);
    let make = move |ctx: &egui::Context| {
        let open = |source: &PathBuf| image::open_source(source).expect("an image").image;
        let images = sources.iter().map(open).collect();
        let backend = Box::new(FakeBackend::new(move |request| faults.strike(request), None));
        let mut app = Lerpscope::new(ctx, images, backend).expect("an image");
        app.remember_at(ctx, places);
        app.name_sources(&sources);
        app
    };
    let mut make = Some(make);
    // Its frames may panic, unlike those of the harness.
    let mut window = builder.build_ui_state(
        move |ui, app: &mut Option<Lerpscope>| {
            app.get_or_insert_with(|| (make.take().expect("the app is made once"))(ui.ctx())).show(ui);
        },
        None,
    );
    window.run_ok();
    window
}

fn basilica(folder: &Path) -> Window {
    open(vec![PathBuf::from(BUILT_IN)], folder, &Arc::default())
}

fn press(window: &mut Window, key: Key) {
    window.key_press_modifiers(Modifiers::NONE, key);
    window.run_ok();
}

fn state(window: &Window) -> SessionState {
    app(window).session().state()
}

/// The recovery sessions in `folder`.
fn saved(folder: &Path) -> Vec<(PathBuf, SavedSession)> {
    let Ok(entries) = std::fs::read_dir(places(folder).recovery()) else { return Vec::new() };
    let files = entries.map(|entry| entry.expect("an entry").path());
    let files = files.filter(|file| file.extension().is_some_and(|extension| extension == "toml"));
    let read = |file: PathBuf| {
        let text = std::fs::read_to_string(&file).expect("text");
        (file, SavedSession::parse(&text, "session").expect("a session"))
    };
    files.map(read).collect()
}

fn asks_to_close(window: &Window) -> bool {
    let commands = &window.output().viewport_output[&ViewportId::ROOT].commands;
    commands.contains(&ViewportCommand::Close)
}

#[test]
fn single_panic_in_a_frame_is_caught() {
    let (folder, faults) = (tempfile::tempdir().expect("a folder"), Arc::<Faults>::default());
    let mut window = open(vec![PathBuf::from(BUILT_IN)], folder.path(), &faults);
    press(&mut window, Key::Num8);
    let before = state(&window);
    faults.once.store(true, Relaxed);
    press(&mut window, Key::K);
    let [(file, session)] = &saved(folder.path())[..] else { panic!("one session is saved at once") };
    assert_eq!(session.state, before, "it is what the last whole frame showed");
    let (said, kept) = ("a frame failed: a row is missing (tests/ui/recovery.rs:", "the session is saved as ");
    window.get_by_label_contains(said);
    window.get_by_label_contains(&format!("{kept}{}", file.display()));
    // What was asked for is done, and the window works as before.
    assert_eq!(app(&window).session().panels()[0].sampler.method, Method::Linear);
    press(&mut window, Key::K);
    assert_eq!(app(&window).session().panels()[0].sampler.method, Method::BSPLINE);
    assert!((0..4).all(|panel| app(&window).picture(panel).is_some_and(|picture| picture.refusal().is_none())));
    assert_eq!((app(&window).failure(), asks_to_close(&window)), (None, false));
    assert!(app(&window).last_panic().is_some_and(|panic| panic.starts_with(said)));
}

#[test]
fn repeated_panic_restores_the_last_good_session() {
    let (folder, faults) = (tempfile::tempdir().expect("a folder"), Arc::<Faults>::default());
    let mut window = open(vec![PathBuf::from(BUILT_IN)], folder.path(), &faults);
    faults.at_lanczos3.store(true, Relaxed);
    let mut seen = Vec::new();
    for _ in 0..12 {
        let before = state(&window);
        press(&mut window, Key::K);
        seen.push(app(&window).session().panels()[0].sampler.method);
        if state(&window) == before {
            break;
        }
    }
    assert!(!seen.contains(&Method::LANCZOS3) && seen.len() < 12, "{seen:?}");
    assert_eq!((app(&window).failure(), asks_to_close(&window)), (None, false));
    // It still does what is asked, also with this panel.
    let method = app(&window).session().panels()[0].sampler.method;
    window.key_press_modifiers(Modifiers::SHIFT, Key::K);
    window.run_ok();
    assert_ne!(app(&window).session().panels()[0].sampler.method, method);
}

#[test]
fn persistent_panic_closes_the_window_and_the_next_offers_its_session() {
    let (folder, faults) = (tempfile::tempdir().expect("a folder"), Arc::<Faults>::default());
    let mut window = open(vec![PathBuf::from(BUILT_IN)], folder.path(), &faults);
    press(&mut window, Key::Num4);
    let before = state(&window);
    faults.always.store(true, Relaxed);
    window.key_press(Key::K);
    let mut closes = false;
    for _ in 0..8 {
        window.step();
        closes |= asks_to_close(&window);
    }
    assert!(closes);
    let failure = app(&window).failure().expect("a failure");
    assert!(failure.contains("a row is missing") && failure.contains("the session is saved as "), "{failure}");
    assert_eq!(failure.lines().count(), 1, "{failure}");
    drop(window);
    assert_eq!(saved(folder.path()).iter().map(|(_, session)| &session.state).collect::<Vec<_>>(), [&before]);
    let mut window = basilica(folder.path());
    window.get_by_label("Restore the last session").click();
    wait(&mut window, "the session", |window| state(window) == before);
}

#[test]
fn session_is_saved_seconds_after_a_change() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = basilica(folder.path());
    press(&mut window, Key::Num8);
    press(&mut window, Key::K);
    let (state, path) = (state(&window), folder.path().to_owned());
    wait(&mut window, "the session", move |_| saved(&path).iter().any(|(_, session)| session.state == state));
    let images = saved(folder.path()).remove(0).1.images;
    assert_eq!(images, [PathBuf::from(BUILT_IN)]);
}

#[test]
fn recovery_session_is_offered_once_and_restored_by_a_click() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = basilica(folder.path());
    press(&mut window, Key::Num8);
    press(&mut window, Key::K);
    let left = state(&window);
    // Dropped without being closed: its file stays as after a crash.
    drop(window);
    let mut window = basilica(folder.path());
    assert_ne!(state(&window), left, "it is offered, not restored");
    window.get_by_label_contains("A window ended unexpectedly");
    let other = basilica(folder.path());
    assert!(other.query_by_label("Restore the last session").is_none(), "two windows do not offer the same");
    drop(other);
    let is_left = |(_, session): &(PathBuf, SavedSession)| session.state == left;
    let (left_behind, _) = saved(folder.path()).into_iter().find(is_left).expect("the session that is offered");
    window.get_by_label("Restore the last session").click();
    wait(&mut window, "the session", |window| state(window) == left);
    assert!(window.query_by_label("Restore the last session").is_none());
    // What was left behind is in this window's file now; that of the second window, which is gone, stands beside it.
    let now: Vec<_> = saved(folder.path()).into_iter().filter(is_left).collect();
    assert_eq!(now.len(), 1, "{now:?}");
    assert_ne!(now[0].0, left_behind);
}

#[test]
fn recovery_offer_is_postponed_or_discarded_for_good() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = basilica(folder.path());
    press(&mut window, Key::Num8);
    drop(window);
    // Each of these windows leaves a session of its own behind, too: they are counted by what is shown.
    let has_eight =
        |folder: &Path| saved(folder).iter().any(|(_, session)| session.state.panels[0].view.scale() == 0.125);
    let offers = |window: &Window| window.query_by_label("Restore the last session").is_some();
    let mut window = basilica(folder.path());
    press(&mut window, Key::Escape);
    assert!(!offers(&window) && has_eight(folder.path()));
    drop(window);
    let mut window = basilica(folder.path());
    while offers(&window) {
        window.get_by_label("Discard it").click();
        window.run_ok();
    }
    assert!(!has_eight(folder.path()));
    drop(window);
    let mut window = basilica(folder.path());
    let offered = saved(folder.path());
    window.get_by_label("Not now").click();
    window.run_ok();
    assert!(!offers(&window));
    assert!(!offered.is_empty() && offered.iter().all(|(file, _)| file.exists()), "{offered:?}");
}

#[test]
fn recovery_session_with_a_missing_image_opens_without_it_and_keeps_its_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("gone.pgm");
    std::fs::write(&file, "P2 2 2 9\n1 2 3 4\n").expect("a file");
    drop(open(vec![file.clone()], folder.path(), &Arc::default()));
    std::fs::remove_file(&file).expect("it is there");
    let mut window = basilica(folder.path());
    window.get_by_label("Restore the last session").click();
    wait(&mut window, "the reason", |window| window.query_by_label_contains("gone.pgm: does not exist").is_some());
    assert!(app(&window).session().image().is_missing());
    assert!(window.query_by_label("Restore the last session").is_none());
    assert!(saved(folder.path()).iter().any(|(_, session)| session.images == [file.clone()]));
}

#[test]
fn unwritable_recovery_folder_is_reported_once() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("data"), "a file where a folder is wanted").expect("a file");
    let mut window = basilica(folder.path());
    let said = "The session is not saved for recovery: ";
    wait(&mut window, "the reason", |window| window.query_by_label_contains(said).is_some());
    press(&mut window, Key::Escape);
    assert!(window.query_by_label_contains(said).is_none());
    press(&mut window, Key::K);
    assert_eq!(app(&window).session().panels()[0].sampler.method, Method::Linear);
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(3) {
        window.run_ok();
        assert!(window.query_by_label_contains(said).is_none());
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn status_line_gives_the_reason_for_an_unusable_device() {
    let error = BackendError::Unusable {
        backend: BackendKind::Cuda,
        cause: Unusable::DriverTooOld { found: (11, 8), needed: (12, 0) },
    };
    for reason in [Some(error), None] {
        let builder = Harness::builder().with_size([1280.0, 860.0]).with_max_steps(16);
        let given = reason.clone();
        let mut window = window_of(builder, move |ctx| {
            let images = vec![image::embedded().expect("the embedded image").image];
            let mut app = Lerpscope::new(ctx, images, Box::new(CpuBackend::new())).expect("an image");
            given.into_iter().for_each(|error| app.note_unusable(error));
            app
        });
        window.run_ok();
        let short = window.query_by_label_contains("CPU: driver too old").map(|node| node.rect().center());
        assert_eq!(short.is_some(), reason.is_some());
        if let (Some(place), Some(reason)) = (short, reason) {
            window.hover_at(place);
            window.run_ok();
            for _ in 0..12 {
                window.step();
            }
            window.get_by_label_contains(&reason.to_string());
        }
    }
}
