//! Files of the window, without a screen: exports, sessions, reloads, drops, the clipboard.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::{Event, Key, Modifiers};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lerpscope::image::{self, BUILT_IN, Channels, Raster, Samples, Size};

use crate::harness::documents::{CTRL_SHIFT, basilica, open, press, type_text};
use crate::harness::dropped::Dropped;
use crate::harness::side_bar::open_tab;
use crate::harness::waiting::wait;
use crate::harness::{Window, app};

fn write_grey(file: &Path, side: u32, value: u8) {
    let size = Size::new(side, side).expect("a size");
    let samples = Samples::U8 { values: vec![value; size.area()], maxval: 255 };
    image::save(file, &Raster::new(size, Channels::Grey, samples).expect("a raster")).expect("a file");
}

/// As in the dialog for a file to open, where a typed path takes the place of the folder.
#[test]
fn typed_path_takes_the_place_of_the_name_of_a_file_to_save() {
    let folder = tempfile::tempdir().expect("a folder");
    for (key, name) in [((Modifiers::COMMAND, Key::S), "panel.png"), ((CTRL_SHIFT, Key::S), "figure.png")] {
        let file = folder.path().join(name);
        let mut window = basilica();
        press(&mut window, key.0, key.1);
        type_text(&mut window, file.to_str().expect("a name"));
        window.get_by_role_and_label(egui::Role::Button, "Save").click();
        wait(&mut window, name, |_| file.is_file());
    }
}

/// A click on a size takes the focus from the field, and Enter saves nevertheless; the commands of the figure are copied in its size.
#[test]
fn enter_saves_behind_a_click_on_a_size_and_commands_are_copied_in_that_size() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("large.png");
    let mut window = basilica();
    press(&mut window, CTRL_SHIFT, Key::S);
    type_text(&mut window, file.to_str().expect("a name"));
    window.get_by_label("2×").click();
    window.run_ok();
    window.get_by_role_and_label(egui::Role::Button, "Copy commands").click();
    window.run_ok();
    // A machine without a screen has no clipboard.
    let said = ["Copied 5 commands", "The clipboard cannot be used", "Nothing was copied"];
    assert!(said.iter().any(|said| window.query_by_label_contains(said).is_some()));
    let commands = app(&window).figure_command_lines(&file, 2).expect("commands");
    let figure = commands.last().expect("a command");
    assert!(figure.contains(" --times 2 ") && figure.ends_with(&format!(" -o {}", file.display())), "{figure}");
    assert!(!file.exists());
    press(&mut window, Modifiers::NONE, Key::Enter);
    wait(&mut window, "the figure", |_| file.is_file());
    // The whole image is no part of a command. Panels that show it have nothing to add.
    let whole = "Whole image with a frame around the detail";
    press(&mut window, Modifiers::NONE, Key::F);
    press(&mut window, CTRL_SHIFT, Key::S);
    assert!(window.get_by_label(whole).accesskit_node().is_disabled());
    press(&mut window, Modifiers::NONE, Key::Escape);
    press(&mut window, Modifiers::NONE, Key::Num8);
    press(&mut window, CTRL_SHIFT, Key::S);
    window.get_by_label(whole).click();
    window.run_ok();
    let copy = window.get_by_role_and_label(egui::Role::Button, "Copy commands");
    assert!(copy.accesskit_node().is_disabled());
}

/// A key alone does not take a file away: the first Enter says what would be lost. The button is labelled *Replace*, and does it at once.
#[test]
fn enter_replaces_an_existing_file_when_it_is_pressed_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("kept.png");
    write_grey(&file, 24, 90);
    let size = |file: &Path| std::fs::metadata(file).expect("a file").len();
    let kept = size(&file);
    let mut window = basilica();
    press(&mut window, Modifiers::COMMAND, Key::S);
    type_text(&mut window, file.to_str().expect("a name"));
    press(&mut window, Modifiers::NONE, Key::Enter);
    window.get_by_label("The file exists: Enter replaces it");
    assert_eq!(size(&file), kept);
    // Another name is asked for anew.
    type_text(&mut window, "x");
    press(&mut window, Modifiers::NONE, Key::Backspace);
    window.get_by_label("The file exists: Enter replaces it");
    assert_eq!(size(&file), kept);
    press(&mut window, Modifiers::NONE, Key::Enter);
    wait(&mut window, "the picture", |_| size(&file) != kept);
    // A file that is not there is written at once.
    let new = folder.path().join("new.png");
    press(&mut window, Modifiers::COMMAND, Key::S);
    type_text(&mut window, new.to_str().expect("a name"));
    press(&mut window, Modifiers::NONE, Key::Enter);
    wait(&mut window, "the new picture", |_| new.is_file());
}

#[test]
fn enter_opens_the_only_file_that_begins_with_what_is_typed() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["first.png", "second.png", "other.png", "others.png"] {
        write_grey(&folder.path().join(name), 24, 90);
    }
    let mut window = basilica();
    let name = |window: &Window| app(window).session().image().name().to_owned();
    let type_path = |window: &mut Window, begin: &str, listed: &str| {
        press(window, Modifiers::COMMAND, Key::O);
        // It is not known at once that the desktop has no dialog of its own.
        let field = |window: &Window| {
            window.query_by_role_and_label(egui::Role::TextInput, "File").map(|field| field.is_focused())
        };
        wait(window, "the dialog", |window| field(window) == Some(true));
        type_text(window, folder.path().join(begin).to_str().expect("a name"));
        wait(window, listed, |window| window.query_by_label_contains(listed).is_some());
        press(window, Modifiers::NONE, Key::Enter);
    };
    type_path(&mut window, "sec", "second.png");
    // While the folder is read again the dialog has no entry to take.
    for _ in 0..100 {
        if name(&window).contains("second.png") {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
        press(&mut window, Modifiers::NONE, Key::Enter);
    }
    assert!(name(&window).contains("second.png"));
    // Of two the dialog takes none: it says that there is no such file.
    type_path(&mut window, "oth", "others.png");
    wait(&mut window, "the reason", |window| window.query_by_label_contains("does not exist").is_some());
    assert!(name(&window).contains("second.png"));
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

    // Of grey pictures the dots of the labels alone have colours, which PGM has not.
    for (name, channels) in [("figure.png", Channels::Rgb), ("figure.pgm", Channels::Grey)] {
        let figure = folder.path().join(name);
        save_as(&mut window, (CTRL_SHIFT, Key::S), &figure);
        let figure = image::open(&figure).expect("a picture").image;
        let figure = figure.pages()[0].raster();
        assert_eq!(figure.channels(), channels);
        let size = small.size();
        assert!(figure.size().width() > 2 * size.width() && figure.size().height() > 2 * size.height());
        let at = |x: u32, y: u32| (0..channels.count()).map(|channel| figure.number(x, y, channel)).collect::<Vec<_>>();
        assert!(at(16 + 5, 16 + 24 + 7).iter().all(|number| *number == small.number(5, 7, 0)));
        let is_coloured = |x: u32, y: u32| at(x, y).iter().any(|number| *number != at(x, y)[0]);
        let coloured: Vec<u32> = (0..24).flat_map(|y| (0..32).filter(move |x| is_coloured(16 + x, 16 + y))).collect();
        assert_eq!(coloured.len() > 20, channels == Channels::Rgb, "{name}: {coloured:?}");
        assert!(coloured.iter().all(|x| *x < 12), "the dot is before the number: {coloured:?}");
    }
}

#[test]
fn figure_with_the_whole_image_has_a_frame_around_the_detail() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = basilica();
    press(&mut window, Modifiers::NONE, Key::Num8);
    let plain = folder.path().join("plain.png");
    save_as(&mut window, (CTRL_SHIFT, Key::S), &plain);
    let file = folder.path().join("whole.png");
    press(&mut window, CTRL_SHIFT, Key::S);
    window.get_by_label("Whole image with a frame around the detail").click();
    window.run_ok();
    window.get_by_role_and_label(egui::Role::TextInput, "File").focus();
    window.run_ok();
    press(&mut window, Modifiers::COMMAND, Key::A);
    type_text(&mut window, file.to_str().expect("a name"));
    window.get_by_role_and_label(egui::Role::Button, "Save").click();
    window.run_ok();
    let [plain, whole] = [&plain, &file].map(|file| image::open(file).expect("a picture").image);
    let [plain, whole] = [&plain, &whole].map(|image| image.pages()[0].raster());
    let session = app(&window).session();
    let (output, page) = (session.output(), session.page().size());
    assert_eq!(whole.size().sides(), [plain.size().width() + output.width() + 12, plain.size().height()]);
    // The middle of the frame's upper edge is dark, and light on both sides.
    let map = lerpscope::view::View::fit(output, page).image_from_output(output, page);
    let shown = session.view().image_from_output(output, page);
    let [x, y] = map.inverse_at(shown.at([f64::from(output.width()) / 2.0, -0.5]));
    let column = 16 + x.round() as u32;
    let value = |row: f64| whole.number(column, 16 + 24 + row.round() as u32, 0);
    assert!(value(y) < 60.0, "{}", value(y));
    assert!(value(y - 1.3) > 200.0 || value(y + 1.3) > 200.0);
}

#[test]
fn figure_is_saved_under_the_endings_that_its_dialog_states_and_no_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = basilica();
    for ending in ["jpg", "npy"] {
        let file = folder.path().join("figure").with_extension(ending);
        save_as(&mut window, (CTRL_SHIFT, Key::S), &file);
        window.get_by_label_contains("the name of a picture ends in ");
        window.get_by_label_contains("Ends in .pgm (grey), .ppm (no alpha), .pnm (no alpha), .pam, .png");
        assert!(!file.exists(), "{ending}");
        press(&mut window, Modifiers::NONE, Key::Escape);
    }
    let panel = app(&window).session().output();
    for ending in ["pgm", "ppm", "pnm", "pam", "png"] {
        let file = folder.path().join("figure").with_extension(ending);
        save_as(&mut window, (CTRL_SHIFT, Key::S), &file);
        let figure = image::open(&file).unwrap_or_else(|error| panic!("{error}")).image;
        let size = figure.pages()[0].size();
        assert!(size.width() > 2 * panel.width() && size.height() > 2 * panel.height(), "{ending}: {size}");
    }
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
        ("exr", include_bytes!("../data/data-window.exr").to_vec()),
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
    let session = app(&window).session();
    let shown: Vec<_> = (0..session.panels().len()).map(|index| session.image_index_of(index)).collect();
    assert_eq!(shown, [0, 0, 1, 0]);
    press(&mut window, CTRL_SHIFT, Key::O);
    type_text(&mut window, "drop");
    press(&mut window, Modifiers::NONE, Key::Enter);
    wait(&mut window, "the file again", |window| app(window).session().images().len() == 3);
}

/// As a file that is opened by a double click in a file manager.
#[test]
fn file_that_the_window_opens_with_is_in_the_list_of_recent_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.pgm");
    write_grey(&file, 16, 10);
    let mut window = open(vec![file], Some(folder.path()));
    press(&mut window, CTRL_SHIFT, Key::O);
    window.get_by_role_and_label(egui::Role::TextInput, "Find a recent file");
    assert!(window.query_by_label_contains("No file was opened yet").is_none());
    type_text(&mut window, "a.pgm");
    window.get_by_label("1 match");
    press(&mut window, Modifiers::NONE, Key::Enter);
    wait(&mut window, "the file again", |window| app(window).session().images().len() == 2);
}

#[test]
fn page_slider_selects_pages() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("pages.pgm");
    std::fs::write(&file, "P2 1 1 9\n1\nP2 1 1 9\n2\nP2 1 1 9\n3\n").expect("a file");
    let mut window = open(vec![file], None);
    open_tab(&mut window, "View", Some("Details"));
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
fn clipboard_errors_are_reported() {
    let mut window = basilica();
    // Without a display there is no clipboard; with one there is. Either way one line says what came of it.
    press(&mut window, CTRL_SHIFT, Key::C);
    let said = ["Copied 5 commands", "The clipboard cannot be used", "Nothing was copied"];
    assert!(said.iter().any(|text| window.query_by_label_contains(text).is_some()));
    window.event(Event::Copy);
    window.run_ok();
    let said = ["Copied the picture", "The clipboard cannot be used", "Nothing was copied"];
    assert!(said.iter().any(|text| window.query_by_label_contains(text).is_some()));
}

/// Texts that are painted without a node of their own.
fn painted(window: &Window) -> Vec<String> {
    let text = |shape: &egui::epaint::ClippedShape| match &shape.shape {
        egui::Shape::Text(text) => Some(text.galley.text().to_owned()),
        _ => None,
    };
    window.output().shapes.iter().filter_map(text).collect()
}

#[test]
fn file_dragged_over_the_window_is_told_where_it_opens() {
    let mut window = basilica();
    // The status line says so once the first view is left.
    window.get_by_label("Hide the hint").click();
    window.run_ok();
    window.hover_at(egui::Pos2::ZERO);
    window.run_ok();
    window.get_by_label_contains("Drop a file to open it");
    let hint = "Drop on a panel to open there only, elsewhere to open in all panels";
    assert!(!painted(&window).iter().any(|text| text == hint));
    window.input_mut().hovered_files.push(egui::HoveredFile::default());
    window.step();
    assert!(painted(&window).iter().any(|text| text == hint), "{:?}", painted(&window));
}

#[test]
fn session_is_saved_under_any_name_as_its_dialog_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = basilica();
    for name in ["s.toml", "s.lerpscope", "without-ending"] {
        press(&mut window, CTRL_SHIFT, Key::P);
        type_text(&mut window, "save session");
        press(&mut window, Modifiers::NONE, Key::Enter);
        window.get_by_label("A text file in TOML, of any name");
        let file = folder.path().join(name);
        press(&mut window, Modifiers::COMMAND, Key::A);
        type_text(&mut window, file.to_str().expect("a name"));
        window.get_by_role_and_label(egui::Role::Button, "Save").click();
        window.run_ok();
        let text = std::fs::read_to_string(&file).expect("the session");
        assert!(lerpscope::app::SavedSession::parse(&text, name).is_ok(), "{name}");
    }
}
