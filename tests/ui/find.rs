//! Finding and setting values, and states of the window, without a screen: palette, menus, keys, Esc, dialogs.

use std::path::{Path, PathBuf};
use std::time::Duration;

use egui::{Event, Key, Modifiers, Role, ViewportCommand};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lerpscope::app::{COMMANDS, Session, Unit};
use lerpscope::filter::Stage;
use lerpscope::image::BUILT_IN;
use lerpscope::sampling::{AddressMode, Method, Sampler, SamplingPath};

use crate::harness::documents::{CTRL_SHIFT, basilica, open, press, type_text, widen};
use crate::harness::painted::texts;
use crate::harness::pointer::drag;
use crate::harness::waiting::wait;
use crate::harness::{Window, app};

const NONE: Modifiers = Modifiers::NONE;
const PALETTE: &str = "Find a command or a value";

fn session(window: &Window) -> &Session {
    app(window).session()
}

fn sampler(window: &Window) -> Sampler {
    session(window).panels()[session(window).focused()].sampler
}

/// Types `text` in the palette and chooses the first row.
fn find(window: &mut Window, text: &str) {
    press(window, CTRL_SHIFT, Key::P);
    type_text(window, text);
    press(window, NONE, Key::Enter);
    assert!(window.query_by_role_and_label(Role::TextInput, PALETTE).is_none(), "{text} is chosen");
}

#[test]
fn palette_sets_methods_address_modes_paths_and_units() {
    let mut window = basilica();
    find(&mut window, "lanczos3");
    assert_eq!(sampler(&window).method, Method::LANCZOS3);
    find(&mut window, "lanczos=2.5");
    assert_eq!(Ok(sampler(&window).method), Method::lanczos(2.5));
    find(&mut window, "mirror x");
    assert_eq!(sampler(&window).address, [AddressMode::Mirror, AddressMode::Clamp]);
    find(&mut window, "y wrap");
    assert_eq!(sampler(&window).address, [AddressMode::Mirror, AddressMode::Wrap]);
    find(&mut window, "border:clamp");
    assert_eq!(sampler(&window).address, [AddressMode::Border, AddressMode::Clamp]);
    find(&mut window, "catrom");
    find(&mut window, "path texture unit");
    assert_eq!((sampler(&window).method, sampler(&window).path), (Method::CATMULL_ROM, SamplingPath::Filtered));
    find(&mut window, "unit hexadecimal");
    assert_eq!(app(&window).preferences().unit, Unit::Hex);
}

/// The marked row of the palette is seen in the focused panel alone, and only its choice changes the panel.
#[test]
fn palette_previews_the_marked_row_in_the_focused_panel() {
    let mut window = basilica();
    let before = sampler(&window);
    let shown = |window: &Window, index: usize| session(window).request(index).sampler;
    let others: Vec<Sampler> = (1..4).map(|index| shown(&window, index)).collect();
    press(&mut window, CTRL_SHIFT, Key::P);
    window.run();
    assert_eq!(shown(&window, 0), before, "the list as it was opened");
    type_text(&mut window, "lanczos");
    window.run();
    for method in [Method::LANCZOS2, Method::LANCZOS3, Method::LANCZOS4] {
        assert_eq!((shown(&window, 0).method, sampler(&window)), (method, before));
        window.get_by_label("preview");
        window.get_by_role_and_label(Role::Button, &method.title());
        press(&mut window, NONE, Key::ArrowDown);
        window.run();
    }
    assert_eq!(shown(&window, 0), before, "the row that takes a number sets none");
    press(&mut window, NONE, Key::ArrowUp);
    press(&mut window, NONE, Key::Escape);
    window.run();
    assert_eq!((shown(&window, 0), sampler(&window)), (before, before));
    // An address mode is seen in what the first view has covered.
    assert!(session(&window).dims_outside());
    press(&mut window, CTRL_SHIFT, Key::P);
    type_text(&mut window, "mirror");
    window.run();
    assert_eq!((shown(&window, 0).address, sampler(&window)), ([AddressMode::Mirror; 2], before));
    assert!(!session(&window).dims_outside());
    press(&mut window, NONE, Key::Escape);
    window.run();
    assert_eq!((shown(&window, 0), session(&window).dims_outside()), (before, true));
    // A choice is one step of undo, of the panel that was previewed.
    find(&mut window, "lanczos4");
    window.run();
    assert_eq!((shown(&window, 0).method, sampler(&window).method), (Method::LANCZOS4, Method::LANCZOS4));
    assert_eq!((1..4).map(|index| shown(&window, index)).collect::<Vec<_>>(), others);
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(sampler(&window), before);
}

/// Of each panel: the palette is at the side where it covers less of it.
#[test]
fn palette_leaves_the_panel_that_it_changes_in_sight() {
    let mut window = basilica();
    // The right edge of the first column.
    let middle = window.get_by_label("Panel 1: Nearest (nerp)").rect().right();
    for focused in 0..4 {
        assert_eq!(session(&window).focused(), focused);
        press(&mut window, CTRL_SHIFT, Key::P);
        window.run();
        let field = window.get_by_role_and_label(Role::TextInput, PALETTE).rect();
        assert_eq!(field.center().x > middle, focused % 2 == 0, "{field:?} for panel {focused}");
        press(&mut window, NONE, Key::Escape);
        press(&mut window, Modifiers::COMMAND, Key::Tab);
    }
}

#[test]
fn palette_names_the_group_of_found_rows_once_and_finds_rows_by_it() {
    let mut window = basilica();
    press(&mut window, CTRL_SHIFT, Key::P);
    for (query, group, count) in [("lanc", "Method", 4), ("method lanc", "Method", 4), ("mirror", "Address mode", 1)] {
        press(&mut window, Modifiers::COMMAND, Key::A);
        type_text(&mut window, query);
        let rows = window.query_all_by(|node| {
            node.role() == Role::Button && node.label().is_some_and(|label| label.starts_with(&format!("{group}: ")))
        });
        let rows: Vec<_> = rows.map(|node| node.rect()).collect();
        assert!(rows.len() >= count, "{query}: {rows:?}");
        let list = rows.iter().fold(egui::Rect::NOTHING, |all, row| all.union(*row)).expand2(egui::vec2(0.0, 40.0));
        let headings = texts(&window, list).into_iter().filter(|(text, _)| text == group);
        let headings: Vec<_> = headings.map(|(_, place)| place).collect();
        assert!(matches!(headings[..], [place] if place.bottom() <= rows[0].top()), "{query}: {headings:?}");
    }
}

/// `-ize`, as the documents of image processing write *normalize*.
#[test]
fn commands_are_spelled_with_ize() {
    for row in COMMANDS {
        for word in format!("{} {} {}", row.title, row.line, row.help).split(|letter: char| !letter.is_alphabetic()) {
            let ends =
                ["alise", "imise", "onise", "orise", "arise", "isation", "alising", "imising", "alised", "imised"];
            let is_british = ends.iter().any(|end| word.to_lowercase().ends_with(end));
            assert!(!is_british, "{word} in {}", row.title);
        }
    }
}

#[test]
fn palette_prefers_a_named_method_to_the_beginning_of_a_value() {
    let mut window = basilica();
    find(&mut window, "lanc");
    assert_eq!(sampler(&window).method, Method::LANCZOS2);
}

#[test]
fn palette_sets_zooms_and_numbers_and_adds_filters() {
    let mut window = basilica();
    for (text, scale) in [("8x", 0.125), ("1/2×", 2.0), ("400 %", 0.25), ("zoom 16", 0.0625)] {
        find(&mut window, text);
        assert_eq!(session(&window).view().scale(), scale, "{text}");
    }
    find(&mut window, "translate 3,-4.5");
    find(&mut window, "rotate 30");
    assert_eq!(session(&window).view().translation(), [3.0, -4.5]);
    assert!((session(&window).view().angle_deg() - 30.0).abs() < 1e-9);
    find(&mut window, "gamma 2.2");
    find(&mut window, "exposure 1/2");
    let display = session(&window).panels()[3].display;
    assert_eq!((display.gamma, display.exposure), (2.2, 0.5));
    find(&mut window, "median=3");
    assert_eq!(session(&window).panels()[0].filters.chain(Stage::Before).to_string(), "median=3");
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert!(session(&window).panels()[0].filters.is_empty(), "undo reverts a choice");
}

#[test]
fn palette_refuses_a_value_out_of_range_with_its_reason() {
    let mut window = basilica();
    press(&mut window, CTRL_SHIFT, Key::P);
    type_text(&mut window, "gamma 0");
    window.get_by_label_contains("Gamma 0");
    press(&mut window, NONE, Key::Enter);
    window.get_by_role_and_label(Role::TextInput, PALETTE);
    assert_eq!(session(&window).panels()[0].display.gamma, 1.0);
    press(&mut window, Modifiers::COMMAND, Key::A);
    type_text(&mut window, "lanczos=9");
    window.get_by_label("method 'lanczos': a must be between 1 and 8, not 9");
    press(&mut window, NONE, Key::Enter);
    assert_eq!(sampler(&window).method, Method::Nearest);
}

#[test]
fn palette_completes_the_name_of_a_number() {
    let mut window = basilica();
    press(&mut window, CTRL_SHIFT, Key::P);
    type_text(&mut window, "Gamma…");
    press(&mut window, NONE, Key::Enter);
    type_text(&mut window, "3");
    press(&mut window, NONE, Key::Enter);
    assert_eq!(session(&window).panels()[0].display.gamma, 3.0);
}

/// The formula of the focused panel's page, as text.
fn formula(window: &Window) -> Option<String> {
    session(window).page().formula().map(ToString::to_string)
}

#[test]
fn palette_opens_a_test_picture_of_the_typed_size() {
    let mut window = basilica();
    for (text, name) in [("zone plate", "synth:zone-plate:512x512"), ("siemens star 30x20", "synth:siemens-star:30x20")]
    {
        find(&mut window, text);
        for _ in 0..300 {
            window.run_ok();
            if formula(&window).as_deref() == Some(name) {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        assert_eq!(formula(&window).as_deref(), Some(name), "{text}");
    }
}

/// The window shows the built-in image, which has the same formula and other values.
#[test]
fn palette_finds_a_test_picture_by_a_word_of_its_title_alone() {
    let mut window = basilica();
    press(&mut window, CTRL_SHIFT, Key::P);
    type_text(&mut window, "basilica");
    window.get_by_role_and_label(Role::Button, "Test picture: Basilica, 512×512");
    window.get_by_label("1 match");
    press(&mut window, NONE, Key::Enter);
    let name = "synth:basilica:512x512";
    wait(&mut window, name, |window| session(window).image().name() == name);
    assert_eq!((session(&window).images().len(), formula(&window).as_deref()), (2, Some(name)));
    // Of a typed size.
    find(&mut window, "basilica 40x30");
    let name = "synth:basilica:40x30";
    wait(&mut window, name, |window| session(window).image().name() == name);
    assert_eq!((session(&window).images().len(), formula(&window).as_deref()), (3, Some(name)));
}

#[test]
fn address_mode_of_one_axis_is_chosen_in_a_submenu() {
    let mut window = basilica();
    widen(&mut window);
    window.get_by_label("Panel").click();
    window.run();
    let is_item = |label: Option<String>| label.is_some_and(|label| label.starts_with("Address mode"));
    window.get_by(|node| node.role() == Role::Button && is_item(node.label())).hover();
    window.run();
    window.get_by_label_contains("Along y").hover();
    window.run();
    window.get_all_by_label_contains("Mirror").last().expect("the mode").click();
    window.run();
    assert_eq!(sampler(&window).address, [AddressMode::Clamp, AddressMode::Mirror]);
}

#[test]
fn keys_without_an_effect_say_why() {
    let mut window = basilica();
    for (modifiers, key, reason) in [
        (NONE, Key::PageDown, "Only one image is open"),
        (Modifiers::COMMAND, Key::PageDown, "The image has no further page"),
        (Modifiers::COMMAND, Key::Z, "There is nothing to undo"),
        (NONE, Key::Backspace, "There is no earlier view"),
        (NONE, Key::Home, "The image is in the middle of 1 Nearest"),
        (Modifiers::SHIFT, Key::D, "The two panels are not shown as a difference"),
        (NONE, Key::Period, "The two panels are not shown as a wipe"),
        (Modifiers::SHIFT, Key::F, "1 Nearest has no filters"),
    ] {
        let before = session(&window).state();
        press(&mut window, modifiers, key);
        window.get_by_label(reason);
        assert_eq!(session(&window).state(), before, "{key:?}");
    }
}

#[test]
fn home_returns_to_the_image_at_the_same_scale() {
    let mut window = basilica();
    find(&mut window, "8x");
    find(&mut window, "translate -9000,4000");
    assert!(session(&window).is_off_image(0));
    press(&mut window, NONE, Key::Home);
    assert!(!session(&window).is_off_image(0));
    assert_eq!(session(&window).view().scale(), 0.125);
    let output = session(&window).output();
    let map = session(&window).view().image_from_output(output, session(&window).page().size());
    let [x, y] = map.at([-0.5, f64::from(output.height()) - 0.5]);
    assert!(
        (x + 0.5).abs() < 0.1 && (y - 511.5).abs() < 0.1,
        "{x}, {y}: the nearest corner of the image is that of the panel"
    );
}

#[test]
fn arrow_over_a_panel_without_its_image_returns_to_the_image() {
    let mut window = basilica();
    let arrows = |window: &Window| window.query_all_by_label("Return to the image").count();
    assert_eq!(arrows(&window), 0);
    find(&mut window, "8x");
    find(&mut window, "translate -9000,4000");
    assert_eq!(arrows(&window), 4, "every panel of the linked views has its arrow");
    let arrow = window.query_all_by_label("Return to the image").nth(2).expect("an arrow");
    let (picture, arrow) = (window.get_by_label_contains("Panel 3: ").rect(), arrow.rect());
    assert!(picture.contains_rect(arrow) && arrow.left() > picture.center().x, "{arrow:?} in {picture:?}");
    window.query_all_by_label("Return to the image").nth(2).expect("an arrow").click();
    window.run_ok();
    assert_eq!((session(&window).focused(), arrows(&window)), (2, 0));
    assert!(!session(&window).is_off_image(0));
    assert_eq!(session(&window).view().scale(), 0.125);
}

/// The time of the last frame in the status line.
fn time(window: &Window) -> Option<String> {
    let labels = window.query_all_by(|node| node.role() == Role::Label);
    let texts = labels.map(|node| node.accesskit_node().value().unwrap_or_default());
    let found: Vec<String> = texts.filter(|text| text.ends_with(" ms")).collect();
    assert!(found.len() <= 1, "{found:?}");
    found.first().cloned()
}

#[test]
fn status_line_shows_the_time_of_a_frame_for_a_second() {
    let mut window = basilica();
    for key in [Key::Num4, Key::Num8] {
        window.key_press(key);
        // The frame that renders, and the next one.
        window.step();
        window.step();
        assert!(time(&window).is_some());
        // A step is a quarter of a second.
        window.run_steps(6);
        assert_eq!(time(&window), None);
    }
}

/// The commands to the window in the last frame.
fn full_screen(window: &Window) -> Vec<bool> {
    let commands = window.output().viewport_output.values().flat_map(|viewport| &viewport.commands);
    let on = |command: &ViewportCommand| match command {
        ViewportCommand::Fullscreen(on) => Some(*on),
        _ => None,
    };
    commands.filter_map(on).collect()
}

fn step_key(window: &mut Window, key: Key) {
    let event = |pressed| Event::Key { key, physical_key: None, pressed, repeat: false, modifiers: NONE };
    window.input_mut().events.push(event(true));
    window.step();
    // The next frame gets it, so that the output is that of the press.
    window.input_mut().events.push(event(false));
}

#[test]
fn escape_leaves_a_presentation_at_once_also_after_h() {
    for keys in [vec![], vec![Key::H], vec![Key::H, Key::H]] {
        let mut window = basilica();
        step_key(&mut window, Key::F11);
        assert_eq!(full_screen(&window), [true]);
        keys.iter().for_each(|key| step_key(&mut window, *key));
        step_key(&mut window, Key::Escape);
        assert_eq!(full_screen(&window), [false], "after {keys:?}");
        window.run_ok();
        assert!(window.query_by_label("Menu").is_some(), "the bars are shown after {keys:?}");
    }
    let mut window = basilica();
    press(&mut window, NONE, Key::H);
    press(&mut window, NONE, Key::Escape);
    assert!(window.query_by_label("Menu").is_some());
    // A profile line and the profile tool stay: they are not what was opened last.
    for key in [Key::F11, Key::H] {
        let mut window = basilica();
        press(&mut window, NONE, Key::L);
        let panel = window.get_by_label("Panel 1: Nearest (nerp)").rect();
        drag(&mut window, panel.center(), panel.center() + egui::vec2(60.0, 40.0));
        assert!(app(&window).session().inspect.state.line.is_some());
        step_key(&mut window, key);
        step_key(&mut window, Key::Escape);
        assert!(!full_screen(&window).contains(&true), "after {key:?}");
        window.run_ok();
        assert!(window.query_by_label("Menu").is_some(), "the bars are shown after {key:?}");
        assert!(app(&window).session().inspect.state.line.is_some(), "after {key:?}");
        press(&mut window, NONE, Key::Escape);
        assert!(app(&window).session().inspect.state.line.is_none(), "after {key:?}");
    }
}

#[test]
fn settings_with_many_mistakes_report_each_of_them() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("config")).expect("a folder");
    let text = "wheel = 'a'\nunit = 'b'\ntheme = 'c'\ntext-scale = 9\nreduced-motion = 7\n[keys]\nnext-method = 'F'\n";
    std::fs::write(folder.path().join("config/settings.toml"), text).expect("a file");
    let mut window = open(vec![PathBuf::from(BUILT_IN)], Some(folder.path()));
    let mut seen = Vec::new();
    for _ in 0..8 {
        for part in
            ["theme:", "wheel:", "unit:", "text-scale:", "reduced-motion:", "next-method: 'F' is taken from 'fit'"]
        {
            if window.query_by_label_contains(part).is_some() && !seen.contains(&part) {
                seen.push(part);
            }
        }
        if let Some(close) = window.query_all_by_label("Close the message").next() {
            close.click();
        }
        window.run_ok();
    }
    assert_eq!(seen.len(), 6, "{seen:?}");
}

fn save_as(window: &mut Window, file: &Path) {
    press(window, Modifiers::COMMAND, Key::S);
    press(window, Modifiers::COMMAND, Key::A);
    type_text(window, file.to_str().expect("a name"));
    window.get_by_role_and_label(Role::Button, "Save").click();
    window.run_ok();
}

#[test]
fn save_dialog_shows_its_error_in_itself_and_only_takes_the_endings_it_states() {
    let mut window = basilica();
    save_as(&mut window, Path::new("/no/such/folder/a.png"));
    let error = window.get_by_label_contains("/no/such/folder/a.png: ").rect();
    let field = window.get_by_role_and_label(Role::TextInput, "File").rect();
    assert!(error.left() >= field.left() - 1.0 && error.top() > field.bottom() && error.top() < field.bottom() + 60.0);
    assert!(window.query_by_label_contains(".lerpscope").is_none(), "the real path is named");
    press(&mut window, NONE, Key::Escape);
    let folder = tempfile::tempdir().expect("a folder");
    window.get_by_label("Fit");
    for ending in ["jpg", "npy"] {
        let file = folder.path().join("a").with_extension(ending);
        save_as(&mut window, &file);
        window.get_by_label_contains("the name of a picture ends in ");
        window.get_by_label_contains("Ends in .pgm (grey), .ppm (no alpha), .pnm (no alpha), .pam, .png");
        assert!(!file.exists());
        type_text(&mut window, "!");
        let typed = window.get_by_role_and_label(Role::TextInput, "File").value().unwrap_or_default();
        assert!(typed.ends_with('!'), "the field has the focus again: {typed}");
        press(&mut window, NONE, Key::Escape);
    }
    for ending in ["pgm", "ppm", "pnm", "pam", "png"] {
        let file = folder.path().join("a").with_extension(ending);
        save_as(&mut window, &file);
        assert!(file.exists(), "{ending}");
    }
}

#[test]
fn f6_moves_the_focus_between_regions() {
    let mut window = basilica();
    let focused = |window: &Window| {
        window.query_all_by(|node| node.is_focused()).next().map(|node| node.rect()).expect("a focus")
    };
    let panel = window.get_by_label("Panel 1: Nearest (nerp)").rect();
    press(&mut window, NONE, Key::F6);
    assert_eq!(focused(&window), window.get_by_label("Menu").rect());
    press(&mut window, NONE, Key::F6);
    assert_eq!(focused(&window), panel);
    press(&mut window, NONE, Key::F6);
    assert!(focused(&window).left() > panel.right() && focused(&window).bottom() < 830.0, "the side bar");
    press(&mut window, NONE, Key::F6);
    let last = window.get_by_label("Panel 4: Catmull-Rom").rect();
    assert!(focused(&window).top() >= last.bottom(), "the status line, not {:?}", focused(&window));
    press(&mut window, Modifiers::SHIFT, Key::F6);
    press(&mut window, Modifiers::SHIFT, Key::F6);
    assert_eq!(focused(&window), panel);
}

/// The first choice of an address mode shows what was covered in all panels, and says so.
#[test]
fn first_address_mode_by_key_says_that_the_outside_is_shown_and_how_it_is_covered_again() {
    let mut window = basilica();
    let notices = |window: &Window| window.query_all_by_label_contains("show what lies beyond the edges").count();
    press(&mut window, NONE, Key::A);
    let modes = app(&window).session().panels()[0].sampler.address;
    let title = modes[0].row().title.to_lowercase();
    window
        .get_by_label(&format!("Panel 1: {title}. All panels show what lies beyond the edges; Ctrl+Z covers it again"));
    press(&mut window, NONE, Key::Escape);
    press(&mut window, NONE, Key::A);
    assert_eq!(notices(&window), 0, "it is said once");
    (0..2).for_each(|_| press(&mut window, Modifiers::COMMAND, Key::Z));
    assert!(app(&window).session().dims_outside());
    press(&mut window, NONE, Key::A);
    assert_eq!(notices(&window), 1);
}

#[test]
fn values_and_grid_below_their_size_say_the_magnification_that_they_need() {
    let mut window = basilica();
    press(&mut window, NONE, Key::Num8);
    press(&mut window, NONE, Key::V);
    window.get_by_label("Values in pixels: shown from 36× on, the samples are too small now");
    press(&mut window, NONE, Key::Escape);
    press(&mut window, NONE, Key::V);
    press(&mut window, NONE, Key::G);
    assert!(window.query_by_label_contains("the samples are too small now").is_none());
    press(&mut window, NONE, Key::G);
    press(&mut window, NONE, Key::Num4);
    press(&mut window, NONE, Key::G);
    window.get_by_label_contains("the samples are too small now");
}

#[test]
fn overlay_of_what_is_not_in_view_says_so() {
    let mut window = basilica();
    press(&mut window, NONE, Key::Num8);
    press(&mut window, NONE, Key::B);
    window.get_by_label_contains("is inside the image: zoom out");
    press(&mut window, NONE, Key::Escape);
    press(&mut window, NONE, Key::B);
    assert!(window.query_by_label_contains("is inside the image: zoom out").is_none(), "nothing is said when it goes");
    press(&mut window, NONE, Key::F);
    press(&mut window, NONE, Key::B);
    assert!(window.query_by_label_contains("is inside the image: zoom out").is_none(), "a fitted image has a margin");
    press(&mut window, Modifiers::SHIFT, Key::C);
    window.get_by_label_contains("No pixel of panel 1");
    press(&mut window, NONE, Key::Escape);
    press(&mut window, Modifiers::SHIFT, Key::C);
    for _ in 0..8 {
        press(&mut window, NONE, Key::E);
    }
    press(&mut window, Modifiers::SHIFT, Key::C);
    assert!(window.query_by_label_contains("is clipped: stripes mark").is_none());
}

#[test]
fn key_list_finds_keys_and_pointer_input() {
    let mut window = basilica();
    press(&mut window, NONE, Key::F1);
    for keys in ["Drag or Two fingers", "K / Shift+K"] {
        assert_eq!(window.query_all_by_label(keys).count(), 1, "{keys}");
    }
    type_text(&mut window, "prefilter");
    window.get_by_label("P");
    assert!(window.query_by_label("Drag or Two fingers").is_none());
    press(&mut window, NONE, Key::Escape);
    assert!(window.query_by_label("Find a command or key").is_none());
}
