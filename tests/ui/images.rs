//! The open images in a window without a screen: list, missing images, sizes, test pictures, files that cannot be opened.

use std::path::{Path, PathBuf};

use egui::{Key, Modifiers, Rect, Role, Shape, TextureId};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use lerpscope::app::{DRAWER_TOOLS, DrawerTool, KeptPlace, Lerpscope, OpeningReport, Restored, SavedSession};
use lerpscope::backend::CpuBackend;
use lerpscope::image::{self, BUILT_IN, Channels, Raster, Samples, Size};

use crate::harness::documents::{CTRL_SHIFT, basilica, open, press, type_text};
use crate::harness::dropped::Dropped;
use crate::harness::waiting::wait;
use crate::harness::{Window, app, window_of};

fn write_grey(file: &Path, [width, height]: [u32; 2], value: u8) {
    let size = Size::new(width, height).expect("a size");
    let samples = Samples::U8 { values: vec![value; size.area()], maxval: 255 };
    image::save(file, &Raster::new(size, Channels::Grey, samples).expect("a raster")).expect("a file");
}

/// Files of one value each, named by letters.
fn files(folder: &Path, count: u8) -> Vec<PathBuf> {
    let file = |place: u8| {
        let file = folder.join(format!("picture-{}.pgm", char::from(b'a' + place)));
        write_grey(&file, [16, 12], 10 * (place + 1));
        file
    };
    (0..count).map(file).collect()
}

fn names(window: &Window) -> Vec<String> {
    app(window).session().images().iter().map(|image| image.name().to_owned()).collect()
}

fn shown(window: &Window) -> String {
    app(window).session().image().name().to_owned()
}

/// A window on the session file `file`.
fn restored(file: &Path) -> Window {
    let restored = Restored::open(file).expect("a session");
    let builder = Harness::builder().with_size([1280.0, 860.0]).with_max_steps(16);
    let mut window = window_of(builder, move |ctx| {
        let images = vec![image::embedded().expect("the built-in picture").image];
        let mut app = Lerpscope::new(ctx, images, Box::new(CpuBackend::new())).expect("an image");
        app.restore(restored);
        app
    });
    window.run_ok();
    window
}

fn row(window: &Window, name: &str) -> Rect {
    window.get_by_role_and_label(Role::Button, name).rect()
}

/// Number of pictures inside `rect`: shapes with a texture that is not the one of letters.
fn pictures_in(window: &Window, rect: Rect) -> usize {
    let is_picture = |shape: &Shape| {
        let texture = shape.texture_id();
        texture != TextureId::default() && rect.contains_rect(shape.visual_bounding_rect())
    };
    window.output().shapes.iter().filter(|clipped| is_picture(&clipped.shape)).count()
}

#[test]
fn rows_of_images_and_test_pictures_have_thumbnails() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(files(folder.path(), 2), None);
    for name in ["A picture-a.pgm", "B picture-b.pgm"] {
        assert_eq!(pictures_in(&window, row(&window, name)), 1, "{name}");
    }
    press(&mut window, CTRL_SHIFT, Key::P);
    type_text(&mut window, "test pictures");
    press(&mut window, Modifiers::NONE, Key::Enter);
    for row_of in &image::synth::SYNTHS {
        let place = window.get_by_role_and_label(Role::Button, row_of.title).rect();
        assert_eq!(pictures_in(&window, place), 1, "{}", row_of.title);
    }
}

#[test]
fn image_list_shows_closes_and_numbers_images() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(files(folder.path(), 3), None);
    window.get_by_label("1 / 3");
    window.get_by_role_and_label(Role::Button, "B picture-b.pgm").click();
    window.run_ok();
    assert_eq!(shown(&window), "picture-b.pgm");
    window.get_by_label("2 / 3");
    let at = row(&window, "B picture-b.pgm").center();
    window.hover_at(at);
    window.run_ok();
    window.get_by_role_and_label(Role::Button, "Close picture-b.pgm").click();
    window.run_ok();
    assert_eq!(
        (shown(&window), names(&window)),
        ("picture-c.pgm".into(), vec!["picture-a.pgm".into(), "picture-c.pgm".into()])
    );
    press(&mut window, CTRL_SHIFT, Key::W);
    assert_eq!(names(&window), ["picture-a.pgm"]);
    press(&mut window, CTRL_SHIFT, Key::W);
    window.get_by_label("The last image cannot be closed");
    assert!(window.query_by_label("1 / 1").is_none());
}

#[test]
fn dragged_row_moves_its_image_and_the_letters_follow() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(files(folder.path(), 3), None);
    let from = row(&window, "A picture-a.pgm").center();
    let last = row(&window, "C picture-c.pgm");
    window.drag_at(from);
    window.run_ok();
    window.hover_at(last.center() + egui::vec2(0.0, 0.3 * last.height()));
    window.run_ok();
    window.drop_at(last.center() + egui::vec2(0.0, 0.3 * last.height()));
    window.run_ok();
    assert_eq!(names(&window), ["picture-b.pgm", "picture-c.pgm", "picture-a.pgm"]);
    assert_eq!(shown(&window), "picture-a.pgm");
    window.get_by_role_and_label(Role::Button, "C picture-a.pgm");
}

#[test]
fn image_is_shown_by_its_letter_and_two_alternate_by_a_key() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(files(folder.path(), 4), None);
    press(&mut window, Modifiers::NONE, Key::Backtick);
    window.get_by_label("No other image was shown before");
    press(&mut window, Modifiers::NONE, Key::J);
    type_text(&mut window, "c");
    press(&mut window, Modifiers::NONE, Key::Enter);
    assert_eq!(shown(&window), "picture-c.pgm");
    for expected in ["picture-a.pgm", "picture-c.pgm", "picture-a.pgm"] {
        press(&mut window, Modifiers::NONE, Key::Backtick);
        assert_eq!(shown(&window), expected);
    }
}

#[test]
fn page_number_stands_beside_the_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("pages.pgm");
    std::fs::write(&file, "P2 1 1 9\n1\nP2 1 1 9\n2\nP2 1 1 9\n3\nP2 1 1 9\n4\n").expect("a file");
    let mut window = open(vec![file], None);
    window.get_by_label("page 1 / 4");
    press(&mut window, Modifiers::COMMAND, Key::PageDown);
    window.get_by_label("page 2 / 4");
}

/// Position in the image under the middle of the focused panel.
fn middle(window: &Window) -> [f64; 2] {
    let session = app(window).session();
    let output = session.output();
    let map = session.view().image_from_output(output, session.page().size());
    map.at([f64::from(output.width()) / 2.0, f64::from(output.height()) / 2.0])
}

#[test]
fn view_stays_through_files_of_other_sizes_by_sample_or_by_share() {
    let folder = tempfile::tempdir().expect("a folder");
    let (small, large) = (folder.path().join("a.pgm"), folder.path().join("b.pgm"));
    write_grey(&small, [320, 200], 10);
    write_grey(&large, [640, 400], 20);
    let mut window = open(vec![small], None);
    press(&mut window, Modifiers::NONE, Key::Num4);
    (0..2).for_each(|_| press(&mut window, Modifiers::NONE, Key::ArrowRight));
    let (at, scale) = (middle(&window), app(&window).session().view().scale());
    assert_eq!(scale, 0.25);
    press(&mut window, CTRL_SHIFT, Key::PageDown);
    wait(&mut window, "the next file", |window| shown(window) == "b.pgm");
    assert_eq!((middle(&window), app(&window).session().view().scale()), (at, 0.25));
    // By share: the large file shows the part that the small one showed.
    press(&mut window, CTRL_SHIFT, Key::PageUp);
    wait(&mut window, "the file before", |window| shown(window) == "a.pgm");
    press(&mut window, CTRL_SHIFT, Key::P);
    type_text(&mut window, "keep the share");
    press(&mut window, Modifiers::NONE, Key::Enter);
    assert_eq!(app(&window).session().kept_place(), KeptPlace::Share);
    let at = middle(&window);
    press(&mut window, CTRL_SHIFT, Key::PageDown);
    wait(&mut window, "the next file", |window| shown(window) == "b.pgm");
    let [x, y] = middle(&window);
    assert_eq!(app(&window).session().view().scale(), 0.5);
    assert!((x + 0.5 - 2.0 * (at[0] + 0.5)).abs() < 1e-9 && (y + 0.5 - 2.0 * (at[1] + 0.5)).abs() < 1e-9);
}

#[test]
fn view_stays_through_open_images_of_other_sizes_and_a_file_that_has_another_size_when_it_is_read_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let [small, large] = ["a.pgm", "b.pgm"].map(|name| folder.path().join(name));
    write_grey(&small, [320, 200], 10);
    write_grey(&large, [640, 400], 20);
    let mut window = open(vec![large, small.clone()], None);
    press(&mut window, Modifiers::NONE, Key::Num4);
    press(&mut window, Modifiers::NONE, Key::ArrowUp);
    let seen = |window: &Window| (middle(window), app(window).session().view().scale());
    let before = seen(&window);
    for name in ["a.pgm", "b.pgm", "a.pgm"] {
        press(&mut window, Modifiers::NONE, Key::PageDown);
        assert_eq!((shown(&window).as_str(), seen(&window)), (name, before));
    }
    write_grey(&small, [400, 300], 30);
    press(&mut window, Modifiers::COMMAND, Key::R);
    wait(&mut window, "the file", |window| app(window).session().page().size().width() == 400);
    assert_eq!(seen(&window), before);
}

#[test]
fn error_of_a_file_goes_when_the_file_is_read_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = files(folder.path(), 1).remove(0);
    let mut window = open(vec![file.clone()], None);
    std::fs::remove_file(&file).expect("the file is there");
    press(&mut window, Modifiers::COMMAND, Key::R);
    let is_told = |window: &Window| window.query_by_label_contains("does not exist").is_some();
    wait(&mut window, "the error", is_told);
    write_grey(&file, [16, 12], 77);
    press(&mut window, Modifiers::COMMAND, Key::R);
    let value = |window: &Window| app(window).session().page().raster().number(3, 3, 0);
    wait(&mut window, "the file", |window| value(window) == 77.0);
    assert!(!is_told(&window));
}

/// A session of three images in `folder`: the second panel shows the second page of the first image.
fn session_file(folder: &Path) -> PathBuf {
    std::fs::create_dir_all(folder.join("deep")).expect("a folder");
    let pages = "P2 4 3 9\n1 1 1 1 1 1 1 1 1 1 1 1\nP2 4 3 9\n2 2 2 2 2 2 2 2 2 2 2 2\n";
    std::fs::write(folder.join("pages.pgm"), pages).expect("a file");
    write_grey(&folder.join("other.pgm"), [8, 6], 40);
    let file = folder.join("deep/s.toml");
    let text = format!(
        "images = ['../pages.pgm', '{BUILT_IN}', '../other.pgm']\nlink = 'off'\n\
         [[panel]]\nimage = 2\n[[panel]]\nimage = 1\npage = 2\ntranslate = [0.5, 0.25]\nscale = 0.125\n\
         [[panel]]\nimage = 3\n"
    );
    std::fs::write(&file, text).expect("a file");
    file
}

#[test]
fn session_with_moved_images_opens_the_rest_and_locates_them_with_their_views_and_pages() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = session_file(folder.path());
    let whole = Restored::open(&file).expect("a session");
    assert!(whole.missing.is_empty());
    let moved = folder.path().join("moved");
    std::fs::create_dir(&moved).expect("a folder");
    for name in ["pages.pgm", "other.pgm"] {
        std::fs::rename(folder.path().join(name), moved.join(name)).expect("a move");
    }
    let mut window = restored(&file);
    let session = app(&window).session();
    assert_eq!(session.state(), whole.session.state());
    let missing: Vec<bool> = session.images().iter().map(|image| image.is_missing()).collect();
    assert_eq!(missing, [true, false, true]);
    window.get_by_label_contains("pages.pgm: does not exist");
    window.get_by_label("pages.pgm cannot be opened");
    // One is located, the other is found beside it.
    window.get_all_by_role_and_label(Role::Button, "Locate…").next().expect("a button").click();
    window.run_ok();
    press(&mut window, Modifiers::COMMAND, Key::A);
    type_text(&mut window, moved.join("pages.pgm").to_str().expect("a name"));
    window.get_by_role_and_label(Role::Button, "Open").click();
    wait(&mut window, "the images", |window| app(window).session().images().iter().all(|image| !image.is_missing()));
    let session = app(&window).session();
    let views = |session: &lerpscope::app::Session| -> Vec<_> {
        session.state().panels.into_iter().map(|panel| (panel.image, panel.page, panel.view)).collect()
    };
    assert_eq!(views(session)[1], views(&whole.session)[1]);
    assert_eq!(session.page_of(1).raster().number(0, 0, 0), 2.0);
    assert_eq!(session.page_of(2).raster().number(0, 0, 0), 40.0);
    assert!(window.query_by_label("pages.pgm cannot be opened").is_none());
    assert!(window.query_by_label_contains("does not exist").is_none());
}

#[test]
fn missing_image_of_a_session_comes_when_its_file_comes_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = session_file(folder.path());
    let (there, away) = (folder.path().join("pages.pgm"), folder.path().join("away"));
    std::fs::rename(&there, &away).expect("a move");
    let mut window = restored(&file);
    assert!(app(&window).session().images()[0].is_missing());
    std::fs::copy(&away, &there).expect("a copy");
    wait(&mut window, "the file", |window| !app(window).session().images()[0].is_missing());
    assert_eq!(app(&window).session().page_of(1).raster().number(0, 0, 0), 2.0);
}

#[test]
fn saved_session_names_its_images_relative_to_its_file_and_follows_a_moved_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let home = folder.path().join("home");
    std::fs::create_dir_all(home.join("sessions")).expect("folders");
    let beside = home.join("sessions/beside.pgm");
    write_grey(&beside, [8, 6], 1);
    let above = home.join("above.pgm");
    write_grey(&above, [8, 6], 2);
    let mut window = open(vec![beside, above, PathBuf::from(BUILT_IN)], None);
    let file = home.join("sessions/s.toml");
    press(&mut window, CTRL_SHIFT, Key::P);
    type_text(&mut window, "save session");
    press(&mut window, Modifiers::NONE, Key::Enter);
    press(&mut window, Modifiers::COMMAND, Key::A);
    type_text(&mut window, file.to_str().expect("a name"));
    window.get_by_role_and_label(Role::Button, "Save").click();
    window.run_ok();
    let text = std::fs::read_to_string(&file).expect("the session");
    let saved = SavedSession::parse(&text, "s.toml").expect("a session");
    assert_eq!(saved.images, ["beside.pgm", "../above.pgm", BUILT_IN].map(PathBuf::from));
    let elsewhere = folder.path().join("elsewhere");
    std::fs::rename(&home, &elsewhere).expect("a move");
    let restored = Restored::open(&elsewhere.join("sessions/s.toml")).expect("a session");
    assert!(restored.missing.is_empty(), "{:?}", restored.missing);
    let values: Vec<f32> =
        restored.session.images()[..2].iter().map(|image| image.pages()[0].raster().number(0, 0, 0)).collect();
    assert_eq!(values, [1.0, 2.0]);
}

/// A folder that is a link leads elsewhere through `..`.
#[cfg(unix)]
#[test]
fn path_that_a_link_would_lead_astray_stays_absolute() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().canonicalize().expect("a folder");
    std::fs::create_dir_all(folder.join("far/away")).expect("folders");
    std::os::unix::fs::symlink(folder.join("far/away"), folder.join("link")).expect("a link");
    let above = folder.join("above.pgm");
    write_grey(&above, [8, 6], 2);
    let state = SavedSession::parse(&format!("images = ['{BUILT_IN}']\n[[panel]]\n"), "s").expect("a session").state;
    let saved = SavedSession { images: vec![above.clone()], state, unit: None };
    assert_eq!(saved.clone().relative_to(&folder.join("link/s.toml")).images, [above]);
    assert_eq!(saved.relative_to(&folder.join("far/s.toml")).images, [PathBuf::from("../above.pgm")]);
}

#[test]
fn test_pictures_are_opened_by_thumbnail_and_size() {
    let mut window = basilica();
    for (title, side, name) in [
        ("Zone plate", "256²", "synth:zone-plate:256x256"),
        ("Impulses", "64²", "synth:impulses:64x64"),
        ("Basilica", "128²", "synth:basilica:128x128"),
    ] {
        press(&mut window, CTRL_SHIFT, Key::P);
        type_text(&mut window, "test pictures");
        press(&mut window, Modifiers::NONE, Key::Enter);
        for row in &image::synth::SYNTHS {
            window.get_by_role_and_label(Role::Button, row.title);
        }
        window.get_by_role_and_label(Role::RadioButton, side).click();
        window.run_ok();
        window.get_by_role_and_label(Role::Button, title).click();
        wait(&mut window, "the picture", |window| shown(window) == name);
        let session = app(&window).session();
        assert_eq!(session.page().formula().map(ToString::to_string).as_deref(), Some(name));
        assert!(window.query_by_role_and_label(Role::RadioButton, side).is_none(), "the dialog is closed");
    }
    assert_eq!(app(&window).session().images().len(), 4);
}

#[test]
fn files_that_cannot_be_opened_are_told_one_by_one_or_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    let errors = |count: usize| -> Vec<_> {
        let error = |place: usize| {
            let file = folder.path().join(format!("bad-{place}.xyz"));
            std::fs::write(&file, "no picture").expect("a file");
            image::open(&file).expect_err("no picture")
        };
        (0..count).map(error).collect()
    };
    for (count, told) in
        [(1, "bad-0.xyz: is no image of a known format"), (3, "bad-2.xyz: is no image"), (5, "5 files were not opened")]
    {
        let unopened = errors(count);
        let builder = Harness::builder().with_size([1280.0, 860.0]).with_max_steps(16);
        let mut window = window_of(builder, move |ctx| {
            let images = vec![image::embedded().expect("the built-in picture").image];
            let mut app = Lerpscope::new(ctx, images, Box::new(CpuBackend::new())).expect("an image");
            app.report_opening(OpeningReport { unopened, warnings: Vec::new() });
            app
        });
        window.run_ok();
        window.get_by_label_contains(told);
    }
}

fn format_file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/formats").join(name)
}

#[test]
fn pages_of_a_tiff_and_a_gif_are_counted_and_turned_in_the_bar() {
    for name in ["pages-float32.tif", "frames.gif"] {
        let mut window = open(vec![format_file(name)], None);
        window.get_by_label("page 1 / 3");
        let value = |window: &Window| app(window).session().page().raster().number(0, 0, 0);
        let first = value(&window);
        window.get_by_role_and_label(Role::Button, "Next page").click();
        window.run_ok();
        window.get_by_label("page 2 / 3");
        assert_ne!(value(&window), first, "{name}");
    }
}

#[test]
fn first_frame_of_an_animation_is_said_to_be_one_whether_it_is_an_argument_or_opened_later() {
    let told = "is an animation; its first frame is shown";
    for name in ["animation.png", "animation.webp"] {
        let opened = image::open(&format_file(name)).expect("an image");
        let (images, warnings) = (vec![opened.image], opened.warnings);
        let builder = Harness::builder().with_size([1280.0, 860.0]).with_max_steps(16);
        let mut window = window_of(builder, move |ctx| {
            let mut app = Lerpscope::new(ctx, images, Box::new(CpuBackend::new())).expect("an image");
            app.report_opening(OpeningReport { unopened: Vec::new(), warnings });
            app
        });
        window.run_ok();
        window.get_by_label(&format!("{}: {told}", format_file(name).display()));
        let mut window = basilica();
        window.input_mut().dropped_files.push(std::sync::Arc::new(Dropped(format_file(name))));
        wait(&mut window, "the note", |window| window.query_by_label_contains(told).is_some());
    }
}

/// Files of all formats that are read open by a drop: the samples are those of the decoder, and the list has the file's name.
#[test]
fn file_of_each_format_that_is_read_opens_by_a_drop() {
    let folder = std::fs::read_dir(format_file("")).expect("the folder");
    let mut files: Vec<PathBuf> = folder.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    let mut opened = 0;
    for file in files {
        let Ok(expected) = image::open(&file) else { continue };
        let name = expected.image.name().to_owned();
        let mut window = basilica();
        window.input_mut().dropped_files.push(std::sync::Arc::new(Dropped(file)));
        wait(&mut window, &name, |window| shown(window) == name);
        window.run_ok();
        let (page, expected) = (app(&window).session().page(), &expected.image.pages()[0]);
        assert_eq!((page.channels(), page.raster()), (expected.channels(), expected.raster()), "{name}");
        row(&window, &format!("B {name}"));
        let picture = app(&window).picture(0).expect("a picture").pixels();
        assert_eq!(picture.size(), app(&window).session().output(), "{name}");
        opened += 1;
    }
    assert!(opened >= 19, "{opened} files");
}

#[test]
fn file_of_a_format_without_a_decoder_is_refused_by_the_name_of_the_format() {
    for (name, format) in [("picture.avif", "AVIF"), ("picture.heic", "HEIC"), ("picture.jxl", "JPEG XL")] {
        let mut window = basilica();
        window.input_mut().dropped_files.push(std::sync::Arc::new(Dropped(format_file(name))));
        let told = format!("{format} is not supported; convert it to PNG or TIFF");
        wait(&mut window, "the refusal", |window| window.query_by_label_contains(&told).is_some());
        assert_eq!(names(&window).len(), 1);
    }
}

#[test]
fn tools_that_work_on_an_image_say_that_it_is_missing() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("s.toml");
    std::fs::write(&file, "images = ['gone.pgm']\n[[panel]]\n").expect("a file");
    let mut window = restored(&file);
    let mut state = app(&window).session().state();
    for row in &DRAWER_TOOLS {
        state.inspect.drawer = Some(row.tool);
        assert!(window.state_mut().as_mut().expect("the app").restore_state(&state));
        window.run_ok();
        let is_said = window.query_by_label("The image of the focused panel is missing").is_some();
        let without_image = [DrawerTool::Plots, DrawerTool::OneDimension, DrawerTool::Designer];
        assert_eq!(is_said, !without_image.contains(&row.tool), "{}", row.title);
        // Its plots are measured on another thread; a tool without an image does not compute for ever.
        wait(&mut window, "the rest", |window| app(window).has_settled());
    }
}
