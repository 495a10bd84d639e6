//! Volumes in the window without a screen: the section *Slice*, wheel, keys, palette, undo, the status line, several planes, the
//! figure of document 002.

use egui::{Event, Key, Modifiers, MouseWheelSource, MouseWheelUnit, Rect, Role, TouchPhase, Vec2};
use egui_kittest::kittest::Queryable as _;
use lerpscope::app::{Compare, FIGURE_GROUPS, Link, Session};
use lerpscope::backend::Content;
use lerpscope::grid::{Components, ValueFormat, Values, write_values};
use lerpscope::image::BUILT_IN;
use lerpscope::volume::{MainPlane, Orientation, Plane, Volume};

use crate::harness::documents::{open_settled, type_command};
use crate::harness::pictures::refusal;
use crate::harness::side_bar::{open_tab, says_adjusted};
use crate::harness::waiting::{press_and_settle, settle};
use crate::harness::{Window, app};

/// Height of the window in points.
const HEIGHT: f32 = 960.0;

/// Name and number of samples of the volume.
const VOLUME: &str = "synth:marschner-lobb:24x20x16";
/// A volume of five times.
const SERIES: &str = "synth:gaussian-mixture:24x20x16x5";

fn session(window: &Window) -> &Session {
    app(window).session()
}

fn planes(window: &Window) -> Vec<Plane> {
    (0..session(window).panels().len()).map(|index| session(window).plane_of(index)).collect()
}

fn main_plane(plane: MainPlane, slice: Option<f64>) -> Plane {
    Plane { orientation: Orientation::Main(plane), slice, time: 0.0 }
}

/// The rectangle of the picture of panel `index`, in points.
fn picture(window: &Window, index: usize) -> Rect {
    let place = app(window).picture(index).and_then(|picture| picture.place()).expect("a picture");
    place.in_points(window.ctx.pixels_per_point())
}

/// Turns the wheel over the middle of panel `index` with Alt.
fn wheel(window: &mut Window, index: usize, notches: f32) {
    wheel_with(window, index, notches, Modifiers::ALT);
}

fn wheel_with(window: &mut Window, index: usize, notches: f32, modifiers: Modifiers) {
    let at = picture(window, index).center();
    window.hover_at(at);
    window.run_ok();
    let (unit, delta) = (MouseWheelUnit::Line, Vec2::new(0.0, notches));
    let (phase, source) = (TouchPhase::Move, MouseWheelSource::Wheel);
    window.event(Event::MouseWheel { unit, delta, phase, source, modifiers });
    settle(window);
}

#[test]
fn pages_open_as_a_volume_by_a_command_and_the_session_names_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("stack.pgm");
    let page = |k: u8| [&b"P5 4 3 255\n"[..], &[k; 12]].concat();
    std::fs::write(&file, (0..5).flat_map(|k| page(50 * k)).collect::<Vec<u8>>()).expect("a file");
    let mut window = open_settled(&file.to_string_lossy(), HEIGHT);
    assert_eq!((session(&window).image().pages().len(), session(&window).volume_of(0).is_none()), (5, true));
    type_command(&mut window, "pages as a volume");
    crate::harness::waiting::wait(&mut window, "the volume", |window| session(window).images().len() == 2);
    let volume = session(&window).volume_of(0).expect("a volume");
    assert_eq!(volume.shape().size, [4, 3, 5]);
    let command = app(&window).command_lines().expect("commands").remove(0);
    assert!(command.contains(&format!("volume:{}", file.display())), "{command}");
    // The volume is no picture of pages; that of the file is shown again, and the command finds the volume again.
    assert!(app(&window).session().image().pages().len() == 1);
    type_command(&mut window, "previous image");
    assert_eq!(session(&window).image().pages().len(), 5);
    type_command(&mut window, "pages as a volume");
    assert_eq!((session(&window).images().len(), session(&window).volume_of(0).is_some()), (2, true));
}

#[test]
fn section_slice_sets_the_plane_of_all_linked_panels_and_undo_reverts_it() {
    let mut window = open_settled(VOLUME, HEIGHT);
    window.get_by_role_and_label(Role::DisclosureTriangle, "Slice");
    assert_eq!(session(&window).page().size().sides(), [24, 20]);
    window.get_by_role_and_label(Role::RadioButton, "Coronal").click();
    settle(&mut window);
    assert_eq!(planes(&window), [main_plane(MainPlane::Coronal, None); 4]);
    assert_eq!(session(&window).page().size().sides(), [24, 16]);
    window.get_by_role_and_label(Role::RadioButton, "Oblique").click();
    settle(&mut window);
    assert!(planes(&window).iter().all(|plane| plane.orientation.is_oblique()));
    assert!((0..4).all(|index| refusal(&window, index).is_none()), "antialiasing is left out");
    window.get_by_label("Tilt");
    press_and_settle(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(planes(&window), [main_plane(MainPlane::Coronal, None); 4]);
    press_and_settle(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(planes(&window), [Plane::default(); 4]);
    assert_eq!(session(&window).page().size().sides(), [24, 20]);
}

#[test]
fn range_of_a_volume_is_not_adjusted_and_reset_returns_to_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("dense.npy");
    let values = (0..120).map(|k| 10.0 * k as f32 - 50.0).collect();
    write_values(&path, ValueFormat::Npy, (&Values::Single(values), Components::Real), &[4, 5, 6]).expect("a file");
    let mut window = open_settled(path.to_str().expect("UTF-8"), HEIGHT);
    let display = |window: &Window| session(window).panels()[0].display;
    assert!(display(&window).window == [-50.0, 1140.0] && !says_adjusted(&window));
    press_and_settle(&mut window, Modifiers::SHIFT, Key::E);
    assert!(display(&window).exposure != 0.0 && says_adjusted(&window));
    press_and_settle(&mut window, Modifiers::NONE, Key::R);
    assert!(display(&window).exposure == 0.0 && display(&window).window == [-50.0, 1140.0] && !says_adjusted(&window));
}

#[test]
fn tab_view_of_a_volume_fits_a_window_of_812_points() {
    // The test's window has a margin of 8 points.
    for source in [VOLUME, SERIES] {
        tab_view_fits(open_settled(source, 828.0));
    }
}

fn tab_view_fits(mut window: Window) {
    for plane in ["Axial", "Oblique"] {
        window.get_by_role_and_label(Role::RadioButton, plane).click();
        settle(&mut window);
        let status = window.get_by_label("Unit of values").rect();
        for title in ["Slice", "Histogram", "Pins", "Details"] {
            let title = window.get_by_role_and_label(Role::DisclosureTriangle, title).rect();
            assert!(title.bottom() <= status.top(), "{plane}: {title:?}");
        }
    }
}

#[test]
fn section_slice_is_there_for_volumes_alone() {
    let window = open_settled("synth:disc:32x32", HEIGHT);
    assert!(window.query_by_role_and_label(Role::DisclosureTriangle, "Slice").is_none());
}

#[test]
fn wheel_with_alt_and_keys_move_the_plane_within_the_volume() {
    let mut window = open_settled(VOLUME, HEIGHT);
    wheel(&mut window, 1, 1.0);
    assert_eq!(planes(&window), [main_plane(MainPlane::Axial, Some(9.0)); 4]);
    wheel(&mut window, 1, -2.0);
    assert_eq!(planes(&window)[0].slice, Some(7.0));
    press_and_settle(&mut window, Modifiers::COMMAND, Key::PageDown);
    assert_eq!(planes(&window)[0].slice, Some(8.0));
    press_and_settle(&mut window, Modifiers::COMMAND, Key::PageUp);
    assert_eq!(planes(&window)[0].slice, Some(7.0));
    wheel(&mut window, 0, 100.0);
    assert_eq!(planes(&window)[0].slice, Some(15.0), "the last slice");
    let view = session(&window).view();
    press_and_settle(&mut window, Modifiers::COMMAND, Key::PageDown);
    assert_eq!((planes(&window)[0].slice, session(&window).view()), (Some(15.0), view));
    type_command(&mut window, "slice 3.25");
    assert_eq!(planes(&window)[0].slice, Some(3.25));
    type_command(&mut window, "plane 30,-10");
    let orientation = Orientation::Oblique { tilt_deg: 30.0, turn_deg: -10.0 };
    assert_eq!(planes(&window), [Plane { orientation, slice: None, time: 0.0 }; 4]);
}

/// Times and positions in time of all panels.
fn times(window: &Window) -> Vec<f64> {
    planes(window).iter().map(|plane| plane.time).collect()
}

#[test]
fn wheel_keys_slider_and_palette_move_a_volume_in_time_and_undo_reverts_it() {
    let mut window = open_settled(SERIES, HEIGHT);
    window.get_by_role_and_label(Role::Slider, "Position in time");
    window.get_by_label("time 0 / 4");
    let both = Modifiers::ALT | Modifiers::SHIFT;
    wheel_with(&mut window, 1, 1.0, both);
    assert_eq!(times(&window), [1.0; 4]);
    wheel_with(&mut window, 1, -3.0, both);
    assert_eq!(times(&window), [0.0; 4], "the first time");
    press_and_settle(&mut window, Modifiers::SHIFT, Key::PageDown);
    press_and_settle(&mut window, Modifiers::SHIFT, Key::PageDown);
    press_and_settle(&mut window, Modifiers::SHIFT, Key::PageUp);
    assert_eq!((times(&window), planes(&window)[0].slice), (vec![1.0; 4], None));
    let before = session(&window).page_of(1).id();
    type_command(&mut window, "time 2.25");
    assert_eq!(times(&window), [2.25; 4]);
    assert_ne!(session(&window).page_of(1).id(), before);
    assert_eq!(session(&window).request(1).plane.time, 2.25);
    window.get_by_role_and_label(Role::RadioButton, "Coronal").click();
    settle(&mut window);
    assert_eq!(planes(&window), [Plane { time: 2.25, ..main_plane(MainPlane::Coronal, None) }; 4], "it stays");
    press_and_settle(&mut window, Modifiers::COMMAND, Key::Z);
    press_and_settle(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(times(&window), [1.0; 4]);
    let at = picture(&window, 0).center();
    window.hover_at(at);
    settle(&mut window);
    window.get_by_label("t 1.00");
    // A volume of one time has neither the slider nor the keys.
    let mut window = open_settled(VOLUME, HEIGHT);
    assert!(window.query_by_role_and_label(Role::Slider, "Position in time").is_none());
    let view = session(&window).view();
    press_and_settle(&mut window, Modifiers::SHIFT, Key::PageDown);
    assert_eq!((times(&window), session(&window).view()), (vec![0.0; 4], view));
    wheel_with(&mut window, 1, 1.0, both);
    assert_ne!(session(&window).view(), view, "the picture moves sideways");
}

/// The truth of a volume that is a formula is that of the plane, also between times.
#[test]
fn truth_of_a_formula_is_shown_on_every_plane() {
    let mut window = open_settled(SERIES, HEIGHT);
    type_command(&mut window, "time 1.5");
    type_command(&mut window, "plane 30,20");
    press_and_settle(&mut window, Modifiers::SHIFT, Key::T);
    let focused = session(&window).focused();
    assert_eq!(session(&window).request(focused).content, Content::Truth);
    assert_eq!(refusal(&window, focused), None);
    assert_eq!(session(&window).no_truth(focused), None);
}

#[test]
fn status_line_has_the_position_in_the_volume() {
    let mut window = open_settled(VOLUME, HEIGHT);
    type_command(&mut window, "plane sagittal");
    let at = picture(&window, 0).center();
    window.hover_at(at);
    settle(&mut window);
    window.get_by_label("x 12.00");
    let place = session(&window).place_in_volume(0, [9.5, 7.5]).expect("a volume");
    assert_eq!(place, [12.0, 9.5, 7.5]);
}

#[test]
fn three_planes_are_linked_by_a_click() {
    let mut window = open_settled(VOLUME, HEIGHT);
    type_command(&mut window, "three planes of a volume");
    assert_eq!(session(&window).link(), Link::Off);
    assert_eq!(
        planes(&window),
        [MainPlane::Axial, MainPlane::Coronal, MainPlane::Sagittal].map(|plane| main_plane(plane, None))
    );
    assert_eq!(
        (0..3).map(|index| session(&window).page_of(index).size().sides()).collect::<Vec<_>>(),
        [[24, 20], [24, 16], [20, 16]]
    );
    // A little off the middle of the axial plane.
    let rect = picture(&window, 0);
    let at = rect.center() + egui::vec2(0.2 * rect.width(), 0.0);
    window.hover_at(at);
    window.run_ok();
    window.drag_at(at);
    window.drop_at(at);
    settle(&mut window);
    let planes = planes(&window);
    assert_eq!(planes[0], main_plane(MainPlane::Axial, None));
    let slices = [planes[1].slice, planes[2].slice].map(|slice| slice.expect("a click has moved it"));
    assert!((slices[0] - 9.5).abs() < 0.6, "{slices:?}");
    assert!(slices[1] > 14.0 && slices[1] < 23.0, "{slices:?}");
}

#[test]
fn figure_one_of_document_two_opens_the_volume_and_wipes_between_two_oblique_planes() {
    let mut window = open_settled(BUILT_IN, HEIGHT);
    let figure = &FIGURE_GROUPS[1].figures[0];
    open_tab(&mut window, "Learn", Some("Figures"));
    window.get_by_label("Figures: B-splines").click();
    settle(&mut window);
    window.get_by_label_contains(figure.title).click();
    settle(&mut window);
    let shown = session(&window);
    assert!(figure.is_shown(shown));
    assert_eq!((shown.image().name(), shown.compare()), ("synth:marschner-lobb:64x64x64", Compare::Wipe));
    assert!(Volume::of(&shown.image().pages()[0]).is_some());
    assert!(planes(&window).iter().all(|plane| plane.orientation.is_oblique()));
    assert!((0..2).all(|index| refusal(&window, index).is_none()));
    assert_eq!(shown.images().len(), 2);
}
