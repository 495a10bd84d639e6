//! The first screen without a display: the opening detail with its hint, files fitted and antialiased, and what lies outside
//! dimmed until an address mode is chosen.

use std::path::PathBuf;

use egui::{
    Color32, Event, Key, Modifiers, MouseWheelSource, MouseWheelUnit, Pos2, Rect, Role, Shape, TouchPhase, Vec2,
};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lerpscope::app::{Framing, Lerpscope};
use lerpscope::backend::CpuBackend;
use lerpscope::image;
use lerpscope::sampling::{AddressMode, Sampler, SamplingPath};
use lerpscope::view::View;

use crate::harness::documents::{type_command, widen};
use crate::harness::painted::shapes;
use crate::harness::pointer::drag;
use crate::harness::waiting::press_and_rest as press;
use crate::harness::{Window, app, window_of};
use crate::lists::click_at;

const SIZE: [f32; 2] = [1280.0, 860.0];
const FIRST: &str = "Panel 1: Nearest (nerp)";
/// Colours of the surroundings in both themes, which cover what lies outside.
const COVERS: [Color32; 2] = [Color32::from_rgb(0x18, 0x18, 0x18), Color32::from_rgb(0xEB, 0xEB, 0xEB)];

/// A window on `source`, before its first frame `prepare`d.
fn open(source: &str, prepare: fn(&mut Lerpscope)) -> Window {
    let source = PathBuf::from(source);
    let builder = Harness::builder().with_size(SIZE).with_max_steps(32);
    let mut window = window_of(builder, move |ctx| {
        let images = vec![image::open_source(&source).expect("an image").image];
        let mut app = Lerpscope::new(ctx, images, Box::new(CpuBackend::new())).expect("an image");
        app.name_sources(&[source]);
        prepare(&mut app);
        app
    });
    window.run();
    window
}

fn first_screen() -> Window {
    open(image::SAILBOAT, Lerpscope::show_opening)
}

#[test]
fn lines_below_hint_and_tabs_meet_and_panels_are_a_line_apart() {
    for scale in [1.0, 1.5, 2.0] {
        let window = opening([1280.0, 860.0], scale);
        let level = |shape: Shape| match shape {
            Shape::LineSegment { points: [from, to], .. } if from.y == to.y && (to.x - from.x).abs() > 200.0 => {
                Some(from.y)
            }
            _ => None,
        };
        let all: Vec<f32> = shapes(&window).into_iter().filter_map(level).collect();
        let heights: Vec<f32> = all.iter().copied().filter(|y| (70.0..88.0).contains(y)).collect();
        assert!(heights.len() >= 2, "{all:?} at {scale}");
        let apart = heights.iter().map(|y| (y - heights[0]).abs()).fold(0.0, f32::max);
        assert!(apart * scale < 0.5, "{heights:?} at {scale}");
        let place = |name: &str| window.get_by_label(name).rect();
        let [first, second] = ["Panel 1: Nearest (nerp)", "Panel 2: Linear (lerp)"].map(place);
        // One more pixel where the panels do not divide the room.
        let pixels = (second.left() - first.right()) * scale;
        assert!((scale.round() - 0.01..scale.round() + 1.01).contains(&pixels), "{pixels} at {scale}");
    }
}

/// Number of panels in which something is dimmed.
fn dimmed(window: &Window) -> usize {
    let is_dim = |shape: &Shape| match shape {
        Shape::Mesh(mesh) => mesh.vertices.iter().any(|vertex| COVERS.contains(&vertex.color)),
        _ => false,
    };
    window.output().shapes.iter().filter(|clipped| is_dim(&clipped.shape)).count()
}

#[test]
fn first_screen_shows_the_detail_at_eight_times_with_a_hint_above_the_pictures() {
    let window = first_screen();
    let session = app(&window).session();
    assert!((0..4).all(|index| session.view_of(index).scale() == 0.125));
    for text in ["The same samples, four ways to interpolate", "Scroll to zoom · Drag to move"] {
        let hint = window.get_by_label(text).rect();
        let toolbar = window.get_by_role_and_label(Role::Button, "Zoom out").rect();
        assert!(hint.bottom() < pictures(&window).top() && hint.top() > toolbar.bottom(), "{text}: {hint:?}");
    }
    // The four pictures differ from each other in many pixels.
    for (one, other) in (0..4).flat_map(|one| (0..one).map(move |other| (one, other))) {
        let [a, b] = [one, other].map(|index| app(&window).picture(index).expect("a picture").pixels());
        let size = session.output();
        let differ = (0..size.height())
            .flat_map(|row| (0..size.width()).map(move |column| (column, row)))
            .filter(|&(column, row)| {
                (0..3).any(|channel| (a.number(column, row, channel) - b.number(column, row, channel)).abs() >= 4.0)
            })
            .count();
        assert!(differ * 5 > size.area(), "panels {one} and {other} differ in {differ} of {} pixels", size.area());
    }
}

/// The opening in a window of this size in points.
fn opening(size: impl Into<Vec2>, pixels_per_point: f32) -> Window {
    let builder = Harness::builder().with_size(size).with_pixels_per_point(pixels_per_point).with_max_steps(32);
    let mut window = window_of(builder, |ctx| {
        let images = vec![image::sailboat().expect("the built-in image").image];
        let mut app = Lerpscope::new(ctx, images, Box::new(CpuBackend::new())).expect("an image");
        app.show_opening();
        app
    });
    window.run();
    window
}

#[test]
fn opening_detail_has_as_large_samples_on_each_display() {
    for (ppp, times) in [(1.0, 8.0), (1.25, 10.0), (1.5, 12.0), (2.0, 16.0)] {
        let mut window = opening(SIZE, ppp);
        assert_eq!(app(&window).session().view().scale(), 1.0 / times, "{ppp}");
        window.get_by_label_contains("ways to interpolate");
        window.get_by_label(&format!("{times}×"));
        press(&mut window, Modifiers::NONE, Key::Plus);
        assert!(app(&window).session().view().scale() < 1.0 / times, "the view is free: {ppp}");
    }
}

/// The place of the pictures with the headers between them.
fn pictures(window: &Window) -> Rect {
    let ends = [FIRST, "Panel 4: Catmull-Rom"].map(|name| window.get_by_label(name).rect());
    ends[0].union(ends[1])
}

#[test]
fn hint_is_closed_by_its_button_and_opens_the_lessons_by_the_other() {
    let mut window = first_screen();
    let view = app(&window).session().view();
    window.get_by_role_and_label(Role::Button, "Hide the hint").click();
    window.run();
    assert!(window.query_by_label_contains("ways to interpolate").is_none());
    assert_eq!(app(&window).session().view(), view);
    assert!(!app(&window).preferences().has_hint, "it stays closed");
    window.get_by_label_contains("The hint line is hidden: View · Hint line shows it");
    type_command(&mut window, "hint line");
    window.get_by_label_contains("ways to interpolate");
    let mut window = first_screen();
    window.get_by_role_and_label(Role::Button, "Lessons").click();
    window.run();
    window.get_by_label_contains("The interpolation problem");
    let has_hint = |window: &Window| window.query_by_label_contains("ways to interpolate").is_some();
    assert!(has_hint(&window), "the list of lessons leaves the panels as they are");
    press(&mut window, Modifiers::NONE, Key::F2);
    window.run();
    assert!(has_hint(&window), "it is closed");
}

/// Headers say how enlarged pictures, or the insets of reduced ones, look while the hint is shown, all or none.
#[test]
fn headers_say_how_pictures_look_while_the_hint_is_shown() {
    let looks = ["hard squares", "soft, with creases", "blurred, changes the samples", "sharp, overshoots a little"];
    let shown = |window: &Window| looks.map(|look| window.query_all_by_label(look).count());
    let mut window = first_screen();
    assert_eq!(shown(&window), [1; 4]);
    for (look, name) in looks.into_iter().zip(["Nearest", "Linear", "Cubic B-spline", "Catmull-Rom"]) {
        let name = window.get_by_role_and_label(Role::Button, &full(name)).rect();
        let look = window.get_by_label(look).rect();
        assert!(look.left() > name.right() && (look.center().y - name.center().y).abs() < 2.0, "{look:?} {name:?}");
    }
    press(&mut window, Modifiers::NONE, Key::W);
    assert_eq!(shown(&window), [0; 4], "a comparison names both");
    press(&mut window, Modifiers::NONE, Key::S);
    assert_eq!(shown(&window), [1; 4]);
    window.get_by_role_and_label(Role::Button, "Hide the hint").click();
    window.run();
    assert_eq!(shown(&window), [0; 4]);
    let mut window = open("synth:zone-plate:1500x1100", |_| ());
    assert_eq!(shown(&window), [1; 4], "the insets show it");
    type_command(&mut window, "detail insets");
    window.run();
    assert_eq!(shown(&window), [0; 4], "whole pictures look alike");
    press(&mut window, Modifiers::NONE, Key::Num8);
    assert_eq!(shown(&window), [1; 4]);
    // In narrow headers one or two words, in all of them, also where the hint has no room.
    let in_short = ["hard squares", "soft", "blurred", "sharp"];
    let shown_in_short = |window: &Window| in_short.map(|look| window.query_all_by_label(look).count());
    for size in [[790.0, 640.0], [640.0, 440.0]] {
        window.set_size(Vec2::from(size));
        window.run();
        assert_eq!((shown_in_short(&window), shown(&window)), ([1; 4], [1, 0, 0, 0]), "{size:?}");
    }
    window.set_size(Vec2::new(560.0, 440.0));
    window.run();
    assert_eq!(shown_in_short(&window), [0; 4], "panels of less than 300 points");
}

/// Panels of one method with and without its prefilter have their chips and their looks.
#[test]
fn headers_of_nine_panels_say_in_one_or_two_words_how_pictures_look() {
    let mut window = first_screen();
    type_command(&mut window, "all methods");
    window.run();
    let looks = [
        ("hard squares", 1),
        ("soft", 1),
        ("blurred", 1),
        ("smooth", 1),
        ("sharp", 1),
        ("sharp, thin halo", 1),
        ("balanced", 1),
        ("sharp, rings", 1),
    ];
    for (look, count) in looks.into_iter().chain([("wide rings", 1), ("no prefilter", 1), ("prefiltered", 1)]) {
        assert_eq!(window.query_all_by_label(look).count(), count, "{look}");
    }
}

/// Name of a method's button in a header.
fn full(name: &str) -> String {
    match name {
        "Nearest" => "Nearest (nerp)".to_owned(),
        "Linear" => "Linear (lerp)".to_owned(),
        "Cubic B-spline" => "Cubic B-spline (bicubic)".to_owned(),
        name => name.to_owned(),
    }
}

/// A strip that came or went would move the pictures under the pointer.
#[test]
fn hint_stays_while_pictures_are_zoomed_and_dragged() {
    let mut window = first_screen();
    let first = pictures(&window);
    let pos = window.get_by_label("Panel 4: Catmull-Rom").rect().center();
    window.hover_at(pos);
    window.event(Event::MouseWheel {
        unit: MouseWheelUnit::Line,
        delta: Vec2::new(0.0, 1.0),
        phase: TouchPhase::Move,
        source: MouseWheelSource::Unknown,
        modifiers: Modifiers::NONE,
    });
    window.run_steps(12);
    assert!(app(&window).session().view().scale() < 0.125);
    drag(&mut window, pos, pos + Vec2::new(20.0, 5.0));
    window.get_by_label("The same samples, four ways to interpolate");
    assert_eq!(pictures(&window), first);
    let mut window = open("synth:zone-plate:1500x1100", |_| ());
    let first = pictures(&window);
    for (key, says) in [(Key::Num8, "ways to interpolate"), (Key::F, "Nearly alike at this size")] {
        press(&mut window, Modifiers::NONE, key);
        window.get_by_label_contains(says);
        assert_eq!(pictures(&window), first);
    }
}

#[test]
fn hint_takes_no_room_of_small_windows_presentations_and_plots() {
    let has_hint = |window: &Window| window.query_by_label("Hide the hint").is_some();
    let mut small = opening([640.0, 440.0], 1.0);
    assert!(!has_hint(&small));
    small.get_by_label("The same samples, four ways to interpolate");
    small.get_by_role_and_label(Role::Button, "Lessons").click();
    small.run();
    small.get_by_label_contains("The interpolation problem");
    assert!(first_screen().query_by_label_contains("Point at a picture to read its values").is_some());
    for key in [Key::H, Key::F11, Key::F3, Key::L] {
        let mut window = first_screen();
        assert!(has_hint(&window));
        press(&mut window, Modifiers::NONE, key);
        assert!(!has_hint(&window), "{key:?}");
        press(&mut window, Modifiers::NONE, key);
        assert!(has_hint(&window), "{key:?} again");
    }
}

#[test]
fn button_of_the_hint_over_a_fitted_file_enlarges_it_until_the_methods_differ() {
    let mut window = open("synth:zone-plate:1500x1100", |_| ());
    window.get_by_label("Nearly alike at this size; the insets show how they differ");
    window.get_by_role_and_label(Role::Button, "Zoom to detail").click();
    window.run();
    assert!((app(&window).session().view().scale() - 0.125).abs() < 1e-12);
    assert!(window.query_by_role_and_label(Role::Button, "Zoom to detail").is_none());
    press(&mut window, Modifiers::NONE, Key::F);
    window.get_by_role_and_label(Role::Button, "Zoom to detail");
}

/// The places of the insets.
fn insets(window: &Window) -> Vec<Rect> {
    window.query_all_by_label_contains("Detail of panel").map(|node| node.rect()).collect()
}

#[test]
fn insets_with_the_finest_detail_are_over_a_fitted_file_and_a_click_shows_it_in_whole_panels() {
    let mut window = open("synth:zone-plate:1500x1100", |_| ());
    let found = insets(&window);
    assert_eq!(found.len(), 4);
    for (number, inset) in (1..).zip(&found) {
        let panel = window.get_by_label_contains(&format!("Panel {number}: ")).rect();
        assert!(panel.contains_rect(*inset) && inset.size() == found[0].size(), "{inset:?} in {panel:?}");
    }
    // Each has a texture of its own, since methods differ there.
    let textures: Vec<egui::TextureId> = window
        .output()
        .shapes
        .iter()
        .filter_map(|clipped| match &clipped.shape {
            Shape::Mesh(mesh) => {
                let corner = mesh.vertices.first()?.pos;
                found.iter().any(|inset| (corner - inset.min).length() < 0.5).then_some(mesh.texture_id)
            }
            _ => None,
        })
        .collect();
    assert_eq!(textures.len(), 4);
    assert!((0..4).all(|one| (0..one).all(|other| textures[one] != textures[other])), "{textures:?}");
    // Of what lies below nothing is read.
    let reads = |window: &Window| window.query_by_label_contains("Point at a picture").is_none();
    window.hover_at(found[2].center());
    window.run();
    assert!(!reads(&window));
    window.hover_at(found[2].left_top() - Vec2::new(12.0, 12.0));
    window.run();
    assert!(reads(&window));
    let detail = window.query_all_by_label_contains("Detail of panel 3").next().expect("an inset");
    detail.click();
    window.run();
    let session = app(&window).session();
    assert_eq!((session.focused(), session.view().scale()), (2, 0.125));
    assert!(insets(&window).is_empty(), "samples are enlarged");
    press(&mut window, Modifiers::NONE, Key::F);
    assert_eq!(insets(&window).len(), 4, "the whole image again");
}

/// The middle of the panels, in samples.
fn middle(window: &Window) -> [f64; 2] {
    let session = app(window).session();
    let output = session.output();
    let middle_px = output.sides().map(|side| (f64::from(side) - 1.0) / 2.0);
    session.view().image_from_output(output, session.page().size()).at(middle_px)
}

/// Pixels of a sample in the inset of panel 2.
fn inset_times(window: &Window) -> f64 {
    let mut nodes = window.query_all_by_label_contains("Detail of panel 2");
    let label = nodes.find_map(|node| node.accesskit_node().label()).expect("a label");
    let (_, times) = label.rsplit_once(" at ").expect("a magnification");
    times.trim_end_matches('×').parse().expect("a number")
}

#[test]
fn click_on_an_inset_shows_the_place_that_is_clicked() {
    let mut window = open("synth:siemens-star:1500x1100", |_| ());
    let (inset, times) = (insets(&window)[1], inset_times(&window));
    let shown = [Vec2::new(-24.0, -12.0), Vec2::new(24.0, 12.0)].map(|from_middle| {
        click_at(&mut window, inset.center() + from_middle);
        assert_eq!((app(&window).session().focused(), app(&window).session().view().scale()), (1, 0.125));
        let shown = middle(&window);
        press(&mut window, Modifiers::NONE, Key::F);
        assert_eq!(insets(&window)[1], inset);
        shown
    });
    // Views are on whole pixels, of an eighth of a sample.
    let apart = [0, 1].map(|axis: usize| shown[1][axis] - shown[0][axis]);
    let is_near = |axis: usize, points: f64| (apart[axis] - points / times).abs() <= 0.25;
    assert!(is_near(0, 48.0) && is_near(1, 24.0), "{apart:?} at {times}×");
}

/// The sample under the pointer stays there while the wheel enlarges the detail that the inset shows.
#[test]
fn wheel_over_an_inset_zooms_into_what_it_shows() {
    for source in ["synth:siemens-star:1500x1100", "synth:zone-plate:700x700"] {
        let mut window = open(source, |_| ());
        let (inset, times) = (insets(&window)[1], inset_times(&window));
        let pos = inset.center() + Vec2::new(20.0, -12.0);
        click_at(&mut window, pos);
        let clicked = middle(&window);
        press(&mut window, Modifiers::NONE, Key::F);
        assert_eq!(insets(&window)[1], inset);
        let turn = |window: &mut Window, notches: f32| {
            let (unit, delta) = (MouseWheelUnit::Line, Vec2::new(0.0, notches));
            let (phase, source, modifiers) = (TouchPhase::Move, MouseWheelSource::Wheel, Modifiers::NONE);
            window.hover_at(pos);
            window.run();
            window.event(Event::MouseWheel { unit, delta, phase, source, modifiers });
            window.run();
        };
        let mut first = None;
        for notch in 1..8 {
            turn(&mut window, 1.0);
            let session = app(&window).session();
            let scale = session.view().scale();
            assert!((scale * times * 1.2_f64.powi(notch) - 1.0).abs() < 1e-9, "{source}: {scale} after {notch}");
            let panel = window.get_by_role_and_label(Role::Image, &picture_name(&window, 1)).rect();
            let map = session.shown_view_of(1).image_from_output(session.output(), session.page().size());
            let at = (pos - panel.min).floor();
            let seen = map.at([f64::from(at.x), f64::from(at.y)]);
            // A click shows its place in the middle, in a view on whole pixels; positions are those of pixels of the inset.
            let is_near = |axis: usize| (seen[axis] - clicked[axis]).abs() <= 0.5 / times + 0.5 / 8.0 + 1e-9;
            assert!(is_near(0) && is_near(1), "{source}: {seen:?}, not {clicked:?}");
            let first = *first.get_or_insert(seen);
            assert!((0..2).all(|axis| (seen[axis] - first[axis]).abs() < 1e-9), "{source}: {seen:?} after {first:?}");
        }
        // A zoom out is about the pointer, over an inset as well.
        press(&mut window, Modifiers::NONE, Key::F);
        let fitted = app(&window).session().view().scale();
        turn(&mut window, -1.0);
        assert!((app(&window).session().view().scale() / fitted - 1.2).abs() < 1e-9, "{source}");
    }
}

/// What lies outside is looked at once an address mode is chosen: insets are over corners of the image then.
#[test]
fn insets_leave_the_outside_free_once_an_address_mode_is_chosen() {
    let mut window = open("synth:zone-plate:700x700", |_| ());
    let is_over = |window: &Window| {
        let found = insets(window);
        assert_eq!(found.len(), 4);
        (0..4).map(|index| place_of_image(window, index).contains_rect(found[index])).collect::<Vec<_>>()
    };
    assert_eq!(is_over(&window), [false; 4]);
    press(&mut window, Modifiers::NONE, Key::A);
    window.run();
    assert_eq!(is_over(&window), [true; 4]);
}

/// Reduced images look alike by their widened kernels; the insets differ by their own.
#[test]
fn kernels_are_those_of_the_insets_while_these_are_shown() {
    let mut window = open("synth:zone-plate:700x700", |_| ());
    let has_text = |window: &Window, is_so: &dyn Fn(&str) -> bool| {
        shapes(window).iter().any(|shape| matches!(shape, Shape::Text(text) if is_so(text.galley.text())))
    };
    let state = |window: &Window| {
        [
            has_text(window, &|text| text == "of the insets"),
            has_text(window, &|text| text.starts_with("antialiased: ") && text.ends_with("× as wide")),
        ]
    };
    assert_eq!(state(&window), [true, false]);
    type_command(&mut window, "detail insets");
    assert_eq!(state(&window), [false, true], "the reduced images");
    type_command(&mut window, "detail insets");
    assert_eq!(state(&window), [true, false]);
    // Enlarged images have no insets, and kernels of their own width.
    press(&mut window, Modifiers::NONE, Key::Num4);
    assert_eq!(state(&window), [false, false]);
    assert!(has_text(&window, &|text| text == "weight by distance"));
}

/// The image stands off the middle of its panel alone where it is shown: its view, its commands and its numbers are those of the whole
/// image.
#[test]
fn fitted_image_stands_beside_its_inset_and_moves_from_where_it_is_seen() {
    for (source, along) in
        [("synth:zone-plate:700x700", 0), ("synth:zone-plate:500x900", 1), ("synth:zone-plate:1500x560", 1)]
    {
        let mut window = open(source, |_| ());
        let session = app(&window).session();
        let page = session.page().size();
        assert_eq!(
            (session.view(), session.framing()),
            (View::fit(session.fit_area(), page), Framing::Fit),
            "{source}"
        );
        let found = insets(&window);
        assert_eq!(found.len(), 4, "{source}");
        for (index, inset) in found.iter().enumerate() {
            let panel = window.get_by_role_and_label(Role::Image, &picture_name(&window, index)).rect();
            let image = place_of_image(&window, index);
            assert!(panel.shrink(6.0).contains_rect(image) && panel.contains_rect(*inset), "{image:?} {inset:?}");
            let gap = inset.min[along] - image.max[along];
            assert!((8.0..14.0).contains(&gap), "{source}: {gap} between {image:?} and {inset:?}");
            let [before, after] = [image.min[along] - panel.min[along], panel.max[along] - inset.max[along]];
            assert!((before - after).abs() < 4.0, "both are in the middle: {before} and {after}");
        }
        let commands = |window: &Window| app(window).command_lines().expect("commands");
        let beside = commands(&window);
        type_command(&mut window, "detail insets");
        assert_eq!(commands(&window), beside, "of the whole image, wherever it stands");
        assert_eq!(app(&window).session().shown_view_of(0), app(&window).session().view());
        type_command(&mut window, "detail insets");
        // Nothing jumps where a drag begins.
        let panel = window.get_by_role_and_label(Role::Image, &picture_name(&window, 1)).rect();
        let shown = app(&window).session().shown_view_of(1);
        assert_ne!(shown, app(&window).session().view());
        drag(&mut window, panel.min + Vec2::new(90.0, 80.0), panel.min + Vec2::new(110.0, 91.0));
        let session = app(&window).session();
        let moved = session.shown_view_of(1).translation();
        let expected = shown.panned([20.0, 11.0]).translation();
        assert!((0..2).all(|axis| (moved[axis] - expected[axis]).abs() < 1e-6), "{moved:?}, not {expected:?}");
        press(&mut window, Modifiers::NONE, Key::F);
        assert_eq!(app(&window).session().shown_view_of(1), shown);
    }
}

/// The place of the image in panel `index`, in a window of one pixel a point.
fn place_of_image(window: &Window, index: usize) -> Rect {
    let session = app(window).session();
    let panel = window.get_by_role_and_label(Role::Image, &picture_name(window, index)).rect();
    let map = session.shown_view_of(index).image_from_output(session.output(), session.page().size());
    let place = |at: [f64; 2]| panel.min + Vec2::from(map.inverse_at(at).map(|at| at as f32 + 0.5));
    let [width, height] = session.page().size().sides().map(f64::from);
    Rect::from_min_max(place([-0.5; 2]), place([width - 0.5, height - 0.5]))
}

/// The name of the picture of panel `index`.
fn picture_name(window: &Window, index: usize) -> String {
    format!("Panel {}: {}", index + 1, app(window).session().panel_name(index).whole())
}

#[test]
fn drag_that_begins_on_an_inset_moves_the_picture() {
    let mut window = open("synth:zone-plate:1500x1100", |_| ());
    let from = insets(&window)[0].center();
    let before = app(&window).session().view();
    drag(&mut window, from, from - Vec2::new(40.0, 30.0));
    assert_ne!(app(&window).session().view().translation(), before.translation());
    assert_eq!(app(&window).session().view().scale(), before.scale());
}

#[test]
fn insets_go_where_panels_are_compared_or_alone_and_by_their_command() {
    for key in [Key::D, Key::W, Key::X, Key::H, Key::F4, Key::L] {
        let mut window = open("synth:zone-plate:1500x1100", |_| ());
        press(&mut window, Modifiers::NONE, key);
        assert!(insets(&window).is_empty(), "{key:?}");
        let back = if [Key::D, Key::W].contains(&key) { Key::S } else { key };
        press(&mut window, Modifiers::NONE, back);
        window.run();
        assert_eq!(insets(&window).len(), 4, "{key:?}, then {back:?}");
    }
    for source in ["synth:zone-plate:64x48", "synth:zone-plate:1500x8"] {
        assert!(insets(&open(source, |_| ())).is_empty(), "{source}");
    }
    let mut window = open("synth:zone-plate:1500x1100", |_| ());
    type_command(&mut window, "detail insets");
    window.get_by_label_contains("Detail insets are hidden");
    assert!(insets(&window).is_empty());
    type_command(&mut window, "detail insets");
    assert_eq!(insets(&window).len(), 4);
}

#[test]
fn plates_of_a_wipe_are_painted_over_the_covered_outside() {
    let mut window = open("synth:zone-plate:200x900", |_| ());
    press(&mut window, Modifiers::NONE, Key::W);
    let shapes = &window.output().shapes;
    let is_dim =
        |shape: &Shape| matches!(shape, Shape::Mesh(mesh) if mesh.vertices.iter().any(|v| COVERS.contains(&v.color)));
    let last_dim = shapes.iter().rposition(|clipped| is_dim(&clipped.shape)).expect("a covered outside");
    for name in ["1 Nearest", "2 Linear"] {
        let is_name = |shape: &Shape| matches!(shape, Shape::Text(text) if text.galley.text().starts_with(name));
        let plate = shapes.iter().rposition(|clipped| is_name(&clipped.shape)).expect("a plate");
        assert!(plate > last_dim, "{name}: {plate} of {}, the cover is {last_dim}", shapes.len());
    }
}

/// What the dimmed outside is called in the window's texts, each with its panel's place.
fn outside_names(window: &Window) -> Vec<String> {
    let text = |shape: &Shape| match shape {
        Shape::Text(text) => Some(text.galley.text().to_owned()),
        _ => None,
    };
    window
        .output()
        .shapes
        .iter()
        .filter_map(|clipped| text(&clipped.shape))
        .filter(|text| text.starts_with("Outside") && text.ends_with("clamp"))
        .collect()
}

#[test]
fn dimmed_outside_under_the_pointer_names_its_address_mode() {
    let pointed_at = |source: &str, pos: Pos2| {
        let mut window = open(source, |_| ());
        window.event(Event::PointerMoved(pos));
        window.run_ok();
        window
    };
    let corner = Pos2::new(20.0, 125.0);
    // Panels of the high image stand in four columns. Images of so few samples have no insets.
    for source in ["synth:zone-plate:1200x9", "synth:zone-plate:9x1200"] {
        let on_image = place_of_image(&open(source, |_| ()), 0).center();
        assert_eq!(
            outside_names(&pointed_at(source, corner)),
            ["Outside: clamp"; 2],
            "in the status line and the panel"
        );
        let inside = pointed_at(source, on_image);
        assert_eq!(outside_names(&inside), [""; 0], "the pointer is on the image");
    }
    let mut window = pointed_at("synth:zone-plate:300x200", Pos2::new(12.0, 200.0));
    assert_eq!(outside_names(&window), ["Outside: clamp"], "a narrow band has no room: the status line says it");
    // The status line is dimmed below a dialog; the picture says nothing about a place that a dialog covers.
    let mut covered = pointed_at("synth:zone-plate:9x1200", corner);
    press(&mut covered, Modifiers::NONE, Key::F1);
    covered.event(Event::PointerMoved(Pos2::new(640.0, 430.0)));
    covered.run_steps(4);
    assert!(outside_names(&covered).len() <= 1, "{:?}", outside_names(&covered));
    press(&mut window, Modifiers::NONE, Key::A);
    assert_eq!(outside_names(&window), [""; 0], "a chosen address mode is in the header");
    press(&mut window, Modifiers::COMMAND, Key::Z);
    press(&mut window, Modifiers::NONE, Key::Num8);
    assert_eq!(outside_names(&window), [""; 0], "nothing outside is seen");
}

#[test]
fn file_opens_fitted_and_antialiased_as_chips_and_commands_say() {
    let mut window = open("synth:zone-plate:1500x1100", |_| ());
    let session = app(&window).session();
    assert_eq!(
        (session.view(), session.framing()),
        (View::fit(session.fit_area(), session.page().size()), Framing::Fit)
    );
    assert!((0..4).all(|index| session.request(index).sampler.antialias));
    let chips = |window: &Window, text: &str| window.query_all_by_role_and_label(Role::Button, text).count();
    assert_eq!(
        ["all panels: antialiased", "antialiased"].map(|text| chips(&window, text)),
        [1, 0],
        "once, for all panels"
    );
    for _ in 0..4 {
        press(&mut window, Modifiers::CTRL, Key::Tab);
        press(&mut window, Modifiers::NONE, Key::X);
        assert_eq!(app(&window).session().areas().len(), 1);
        assert_eq!(["all panels: antialiased", "antialiased"].map(|text| chips(&window, text)), [0, 1], "alone");
        press(&mut window, Modifiers::NONE, Key::X);
    }
    let antialiased = |window: &Window| -> Vec<bool> {
        let commands = app(window).command_lines().expect("commands");
        let renders = commands.iter().filter(|command| command.starts_with("lerpscope render "));
        renders.map(|command| command.contains("--antialias")).collect()
    };
    assert_eq!(antialiased(&window), [true; 4]);
    // The chip switches its panels.
    window.get_by_role_and_label(Role::Button, "all panels: antialiased").click();
    window.run();
    assert_eq!(antialiased(&window), [false; 4]);
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(antialiased(&window), [true; 4]);
    // One that is switched in its menu alone is told from the others.
    window.get_by_label("Panel 2 menu").click();
    window.run();
    window.get_by_label("Antialias").click();
    window.run();
    assert_eq!(antialiased(&window), [true, false, true, true]);
    assert_eq!(["all panels: antialiased", "antialiased"].map(|text| chips(&window, text)), [0, 3]);
    press(&mut window, Modifiers::COMMAND, Key::Z);
    // An enlarged view has nothing to antialias.
    press(&mut window, Modifiers::NONE, Key::Num8);
    assert_eq!(["all panels: antialiased", "antialiased"].map(|text| chips(&window, text)), [0, 0]);
}

/// The texture unit does not widen kernels: its path renders a reduced view without antialiasing instead of none.
#[test]
fn texture_unit_renders_a_reduced_view_without_antialiasing() {
    let mut window = open("synth:zone-plate:1500x1100", |_| ());
    press(&mut window, Modifiers::NONE, Key::T);
    let sampler = app(&window).session().request(0).sampler;
    assert_eq!((sampler.path, sampler.antialias), (SamplingPath::Filtered, false));
    assert!(app(&window).picture(0).expect("a picture").refusal().is_none());
    assert!(window.query_all_by_role_and_label(Role::Button, "texture unit").next().is_some());
    press(&mut window, Modifiers::NONE, Key::T);
    let sampler = app(&window).session().request(0).sampler;
    assert_eq!((sampler.path, sampler.antialias), (SamplingPath::Auto, true));
}

#[test]
fn outside_is_dimmed_until_an_address_mode_is_chosen_and_again_after_undo() {
    let mut window = open("synth:zone-plate:300x300", |_| ());
    assert_eq!(dimmed(&window), 4);
    press(&mut window, Modifiers::NONE, Key::A);
    assert_eq!(app(&window).session().panels()[0].sampler.address, [AddressMode::Border; 2]);
    assert_eq!(dimmed(&window), 0);
    // The mode of a new window, but chosen.
    (0..3).for_each(|_| press(&mut window, Modifiers::NONE, Key::A));
    assert_eq!(app(&window).session().panels()[0].sampler.address, [AddressMode::Clamp; 2]);
    assert_eq!(dimmed(&window), 0);
    assert!(!app(&window).session().state().dims_outside);
    (0..4).for_each(|_| press(&mut window, Modifiers::COMMAND, Key::Z));
    assert_eq!(dimmed(&window), 4);
    press(&mut window, Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::Z);
    assert_eq!(dimmed(&window), 0);
}

#[test]
fn ghosts_take_the_place_of_the_dimming() {
    let mut window = open("synth:zone-plate:300x300", |_| ());
    press(&mut window, Modifiers::NONE, Key::B);
    assert_eq!(dimmed(&window), 0, "ghosts tint the outside");
    press(&mut window, Modifiers::NONE, Key::B);
    assert_eq!(dimmed(&window), 4);
}

/// The present address mode, chosen in every place that has address modes, ends the dimming.
#[test]
fn choice_of_the_present_address_mode_ends_the_dimming_wherever_it_is_made() {
    type Choose = fn(&mut Window);
    let places: [(&str, Choose); 5] = [
        ("menu of a panel", |window| {
            for label in ["Panel 2 menu", "Address mode: Clamp", "Clamp"] {
                window.get_by_label(label).click();
                window.run();
            }
        }),
        ("menu of a panel, one axis", |window| {
            for label in ["Panel 2 menu", "Address mode: Clamp", "Clamp along y"] {
                window.get_by_label(label).click();
                window.run();
            }
        }),
        ("menu bar", |window| {
            widen(window);
            for label in ["Panel", "Address mode", "Clamp aaa|abcd|ddd"] {
                window.get_by_role_and_label(Role::Button, label).click();
                window.run();
            }
        }),
        ("palette", |window| {
            type_command(window, "address mode clamp");
        }),
        ("side bar", |window| {
            window.get_by_label("Panel tab").click();
            window.run();
            window.get_by_role_and_label(Role::ComboBox, "Address x").click();
            window.run();
            window.get_by_label_contains("aaa|abcd|ddd").click();
            window.run();
        }),
    ];
    for (place, choose) in places {
        let mut window = open("synth:zone-plate:300x300", |_| ());
        assert_eq!(dimmed(&window), 4);
        choose(&mut window);
        assert_eq!(dimmed(&window), 0, "{place}");
        let state = window.state().as_ref().expect("the app").session().state();
        assert!(state.panels.iter().all(|panel| panel.sampler.address == Sampler::default().address), "{place}");
    }
}

#[test]
fn panned_off_picture_is_dimmed_and_a_view_inside_is_not() {
    let mut window = open("synth:zone-plate:300x300", |_| ());
    press(&mut window, Modifiers::NONE, Key::Num8);
    assert_eq!(dimmed(&window), 0, "no part of the outside is seen");
    (0..30).for_each(|_| press(&mut window, Modifiers::NONE, Key::ArrowRight));
    assert_eq!(dimmed(&window), 4);
}

#[test]
fn edge_of_a_dimmed_image_has_a_line_of_one_pixel() {
    for (theme, outline) in [
        (egui::Theme::Dark, Color32::from_rgb(0x66, 0x70, 0x80)),
        (egui::Theme::Light, Color32::from_rgb(0x85, 0x8D, 0x99)),
    ] {
        let mut window = open("synth:zone-plate:300x200", |_| ());
        window.ctx.set_theme(theme);
        window.run();
        let mut lines = 0;
        let pictures: Vec<Rect> = window.query_all_by_role(Role::Image).map(|node| node.rect()).collect();
        for clipped in &window.output().shapes {
            let Shape::Mesh(mesh) = &clipped.shape else { continue };
            if !mesh.vertices.iter().any(|vertex| COVERS.contains(&vertex.color)) {
                continue;
            }
            let corners: Vec<Pos2> =
                mesh.vertices.iter().filter(|vertex| vertex.color == outline).map(|vertex| vertex.pos).collect();
            let sides: Vec<Rect> = corners.chunks(4).map(Rect::from_points).collect();
            assert_eq!(sides.len(), 4, "{theme:?}: {sides:?}");
            // The line is whole: the picture is fitted with a margin of 8 points, of which it takes one.
            let outer = sides.iter().fold(Rect::NOTHING, |outer, side| outer.union(*side));
            let place = pictures.iter().find(|place| place.contains(outer.center())).expect("a panel");
            let margins = [outer.min - place.min, place.max - outer.max];
            assert!(margins.iter().all(|margin| margin.min_elem() > 6.4), "{theme:?}: {margins:?}");
            assert!(margins.iter().all(|margin| margin.min_elem() < 8.1), "{theme:?}: {margins:?}");
            for side in sides {
                let thin = side.width().min(side.height());
                assert!((thin - 1.0).abs() < 1e-3 && side.width().max(side.height()) > 100.0, "{side:?}");
            }
            lines += 1;
        }
        assert_eq!(lines, 4, "{theme:?}");
    }
}

/// The smallest window. Each header names its method and says how its picture looks, and nothing is beside the window.
#[test]
fn smallest_window_has_four_panels_two_by_two_with_whole_names() {
    for ppp in [1.0, 1.5, 2.0] {
        let window = opening([640.0, 420.0], ppp);
        let places: Vec<Rect> = window
            .query_all_by_role(Role::Image)
            .filter(|node| node.accesskit_node().label().is_some_and(|label| label.starts_with("Panel ")))
            .map(|node| node.rect())
            .collect();
        assert_eq!(places.len(), 4);
        let [first, second, third, fourth] = [places[0], places[1], places[2], places[3]];
        assert!((first.top(), third.top()) == (second.top(), fourth.top()) && first.left() == third.left());
        assert!(places.iter().all(|place| place.width() > 300.0 && place.height() > 120.0), "{places:?}");
        let all = Rect::from_min_size(Pos2::ZERO, Vec2::new(640.0, 420.0));
        assert!(places.iter().all(|place| all.contains_rect(*place)), "{places:?}");
        for name in ["Nearest", "Linear", "Cubic B-spline", "Catmull-Rom", "hard squares", "soft", "blurred", "sharp"] {
            let painted = window.output().shapes.iter().any(|clipped| says(&clipped.shape, name));
            assert!(painted, "{name} is elided at {ppp}");
        }
    }
}

/// Whether a shape is or has the text `wanted`.
fn says(shape: &Shape, wanted: &str) -> bool {
    match shape {
        Shape::Text(text) => text.galley.text() == wanted && !text.galley.elided,
        Shape::Vec(shapes) => shapes.iter().any(|shape| says(shape, wanted)),
        _ => false,
    }
}
