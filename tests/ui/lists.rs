//! What the palette, the dialog for a file and notices show, without a screen.

use std::collections::BTreeSet;
use std::path::{MAIN_SEPARATOR, Path};

use egui::epaint::RectShape;
use egui::{Color32, Event, Key, Modifiers, PointerButton, Pos2, Rect, Role, Shape, Theme};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lerpscope::app::{Compare, Lerpscope};
use lerpscope::backend::CpuBackend;
use lerpscope::image;
use lerpscope::sampling::Method;

use crate::harness::documents::{CTRL_SHIFT, basilica, open, press, type_text};
use crate::harness::painted::shapes;
use crate::harness::side_bar::open_tab;
use crate::harness::waiting::wait;
use crate::harness::{Window, app, window_of};

const NONE: Modifiers = Modifiers::NONE;

/// The shapes of the open dialog: those over its backdrop.
pub(crate) fn dialog_shapes(window: &Window) -> Vec<Shape> {
    let (all, whole) = (shapes(window), window.ctx.content_rect());
    let backdrop = all.iter().rposition(|shape| matches!(shape, Shape::Rect(rect) if rect.rect == whole));
    all[backdrop.expect("a backdrop") + 1..].to_vec()
}

/// The texts that are painted, with their places.
pub(crate) fn texts(window: &Window) -> Vec<(String, Rect)> {
    let text = |shape: Shape| match shape {
        Shape::Text(text) => Some((text.galley.text().to_owned(), text.visual_bounding_rect())),
        _ => None,
    };
    shapes(window).into_iter().filter_map(text).collect()
}

/// The texts that have no room and end in an ellipsis.
pub(crate) fn cut_texts(window: &Window) -> BTreeSet<String> {
    let cut = |shape: Shape| match shape {
        Shape::Text(text) if text.galley.elided => Some(text.galley.text().to_owned()),
        _ => None,
    };
    shapes(window).into_iter().filter_map(cut).collect()
}

/// The painted rectangles.
pub(crate) fn rects(window: &Window) -> Vec<RectShape> {
    let rect = |shape: Shape| match shape {
        Shape::Rect(rect) => Some(rect),
        _ => None,
    };
    shapes(window).into_iter().filter_map(rect).collect()
}

/// The frame of the dialog that has all of `parts`.
pub(crate) fn frame(window: &Window, parts: &[Rect]) -> Rect {
    let whole = window.ctx.content_rect();
    let has_parts = |rect: &Rect| parts.iter().all(|part| rect.contains_rect(*part)) && *rect != whole;
    rects(window).into_iter().map(|shape| shape.rect).filter(has_parts).last().expect("the frame of the dialog")
}

/// Contrast ratio by WCAG 2.
fn contrast(a: Color32, b: Color32) -> f64 {
    let luminance = |color: Color32| {
        let linear = |byte: u8| {
            let share = f64::from(byte) / 255.0;
            if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(color.r()) + 0.7152 * linear(color.g()) + 0.0722 * linear(color.b())
    };
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

pub(crate) fn place_of(window: &Window, text: &str) -> Rect {
    let found = texts(window).into_iter().find(|(other, _)| other == text);
    found.unwrap_or_else(|| panic!("{text} is not painted")).1
}

/// A window of this size on the built-in image.
pub(crate) fn sized(size: [f32; 2]) -> Window {
    themed(size, Theme::Dark)
}

pub(crate) fn themed(size: [f32; 2], theme: Theme) -> Window {
    let mut window = window_of(Harness::builder().with_size(size).with_theme(theme).with_max_steps(16), |ctx| {
        let images = vec![image::embedded().expect("the embedded image").image];
        Lerpscope::new(ctx, images, Box::new(CpuBackend::new())).expect("an image")
    });
    window.run_ok();
    window
}

fn find(window: &mut Window, text: &str) {
    press(window, CTRL_SHIFT, Key::P);
    type_text(window, text);
}

/// The rows of the palette, from the top.
fn rows(window: &Window) -> Vec<(String, Rect)> {
    let list = window.get_by_role_and_label(Role::TextInput, "Find a command or a value").rect();
    let node = |node: &egui_kittest::Node<'_>| (node.accesskit_node().label().unwrap_or_default(), node.rect());
    let buttons = window.query_all_by_role(Role::Button).map(|found| node(&found));
    let mut rows: Vec<_> =
        buttons.filter(|(_, rect)| rect.top() > list.bottom() && (rect.height() - 28.0).abs() < 0.5).collect();
    rows.sort_by(|(_, a), (_, b)| a.top().total_cmp(&b.top()));
    rows
}

#[test]
fn list_that_became_short_has_no_scroll_bar_at_once() {
    let mut window = basilica();
    press(&mut window, CTRL_SHIFT, Key::P);
    let bars = |window: &Window| {
        let field = window.get_by_role_and_label(Role::TextInput, "Find a command or a value").rect();
        let is_bar = |shape: &RectShape| {
            let (rect, is_seen) = (shape.rect, shape.fill.a() > 0);
            is_seen && rect.width() < 16.0 && rect.height() > 40.0 && (rect.right() - field.right()).abs() < 16.0
        };
        rects(window).into_iter().filter(|shape| is_bar(shape) && shape.rect.top() > field.bottom()).count()
    };
    assert!(bars(&window) > 0, "all rows have no room");
    window.event(Event::Text("lanc".to_owned()));
    for frame in 0..4 {
        window.step();
        // The list is filtered in the first frame and has its height in the second.
        assert!(frame < 2 || bars(&window) == 0, "frame {frame}");
    }
}

#[test]
fn rows_of_the_palette_have_their_texts_in_three_columns() {
    let mut window = basilica();
    // The plot of a kernel has the name of the method, too.
    open_tab(&mut window, "View", Some("Kernels"));
    press(&mut window, NONE, Key::X);
    find(&mut window, "lanc");
    let rows = rows(&window);
    let titles: Vec<&str> = rows.iter().map(|(title, _)| title.as_str()).collect();
    assert_eq!(
        titles,
        ["Method: Lanczos 2", "Method: Lanczos 3", "Method: Lanczos 4", "Method: Lanczos with a radius…"]
    );
    let descriptions = [
        "Close to Catmull-Rom",
        "Sharp, rings at edges",
        "Sharpest, rings widest",
        "Windowed sinc with a radius of 1 to 8 samples",
    ];
    let left = |text: &str| place_of(&window, text).left();
    assert!(descriptions.iter().all(|text| (left(text) - left(descriptions[0])).abs() < 2.0), "one column");
    let right = |text: &str| place_of(&window, text).right();
    for code in ["lanczos2", "lanczos3", "lanczos4", "lanczos=a"] {
        assert!((right(code) - right("lanczos2")).abs() < 2.0, "{code} is at the right end");
        assert!(left(code) > left(descriptions[0]));
    }
    let painted = |title: &str| title.strip_prefix("Method: ").expect("a method").to_owned();
    assert!(rows.iter().all(|(title, row)| row.height() >= 27.5 && left(&painted(title)) < left(descriptions[0])));
    // Their group is named once, above them.
    let groups = texts(&window).into_iter().filter_map(|(text, rect)| (text == "Method").then_some(rect));
    let [group] = groups.collect::<Vec<_>>()[..] else { panic!("the group is not named once") };
    let row = rows[0].1;
    assert!(group.bottom() <= row.top() && (group.left() - row.left() - 10.0).abs() < 2.0, "{group:?} above {row:?}");
    window.get_by_label("4 matches");
}

#[test]
fn texts_of_the_palette_have_one_left_edge() {
    let mut window = basilica();
    press(&mut window, NONE, Key::X);
    find(&mut window, "lanc");
    // The beginning of a line of text, whatever its first letter.
    let left = |text: &str| {
        let found = dialog_shapes(&window).into_iter().find_map(|shape| match shape {
            Shape::Text(shape) if shape.galley.text() == text => Some(shape.pos.x + shape.galley.rect.left()),
            _ => None,
        });
        found.unwrap_or_else(|| panic!("{text} is not painted"))
    };
    let edge = left("lanc");
    for (what, left) in [
        ("row", left("Lanczos 3")),
        ("last row", left("Lanczos with a radius…")),
        ("footer", window.get_by_label("↵").rect().left()),
    ] {
        assert!((left - edge).abs() <= 1.0, "{what} at {left}, typed text at {edge}");
    }
    press(&mut window, Modifiers::COMMAND, Key::A);
    type_text(&mut window, "lanczos3");
    window.get_by_label("1 match");
}

#[test]
fn palette_is_over_the_panels_and_leaves_the_focused_one_in_sight() {
    for (width, is_alone) in [(1280.0, false), (1000.0, false), (1600.0, false), (1280.0, true)] {
        let mut window = sized([width, 852.0]);
        let panels = {
            let [first, second] = ["Panel 1: Nearest (nerp)", "Panel 2: Linear (lerp)"];
            window.get_by_label(first).rect().union(window.get_by_label(second).rect())
        };
        assert!(panels.right() < width - 200.0, "the side bar is shown");
        if is_alone {
            press(&mut window, NONE, Key::X);
        }
        find(&mut window, "lanc");
        let field = window.get_by_role_and_label(Role::TextInput, "Find a command or a value").rect();
        let place = frame(&window, &[field, rows(&window)[0].1, window.get_by_label("choose").rect()]);
        assert!(place.left() > panels.left() && place.right() < panels.right(), "{place:?} over {panels:?}");
        if is_alone {
            assert!(
                (place.width() - 760.0).abs() < 1.5 && (panels.center().x - place.center().x).abs() < 1.5,
                "{place:?}"
            );
            continue;
        }
        // At the right, beside the first of two columns or over as little of it as is possible.
        let middle = panels.center().x;
        assert!((440.0..=640.0).contains(&place.width()) && panels.right() - place.right() < 17.5, "{place:?}");
        assert!(panels.width() < 1000.0 || place.left() > middle, "{place:?} over {panels:?}");
    }
    // Over panels that are too narrow it is in the middle of the window.
    let mut window = sized([560.0, 440.0]);
    find(&mut window, "lanc");
    let field = window.get_by_role_and_label(Role::TextInput, "Find a command or a value").rect();
    assert!((field.center().x - 280.0).abs() < 1.5 && field.left() > 16.0, "{field:?}");
}

#[test]
fn selected_row_has_round_corners_a_bar_and_matched_letters_with_a_contrast_of_4_5() {
    for theme in [Theme::Dark, Theme::Light] {
        let mut window = themed([1280.0, 852.0], theme);
        find(&mut window, "lanc");
        let row = rows(&window)[0].1;
        let filled: Vec<RectShape> =
            rects(&window).into_iter().filter(|shape| row.expand(0.5).contains_rect(shape.rect)).collect();
        let ground = filled.iter().find(|shape| (shape.rect.width() - row.width()).abs() < 1.0).expect("a fill");
        let fill = ground.fill;
        assert_eq!(ground.corner_radius, egui::CornerRadius::same(5), "as those of the field above");
        let bar = filled.iter().find(|shape| (shape.rect.width() - 3.0).abs() < 0.1).expect("a bar");
        assert!((bar.rect.left() - row.left() - 3.0).abs() < 0.1 && bar.rect.height() < row.height() - 8.0);
        assert!(contrast(bar.fill, fill) >= 3.0, "{}", contrast(bar.fill, fill));
        let matched = shapes(&window).into_iter().find_map(|shape| match shape {
            Shape::Text(text) if row.contains_rect(text.visual_bounding_rect()) => {
                let mut sections = text.galley.job.sections.iter();
                let colour =
                    sections.next().map(|part| part.format.color).filter(|colour| *colour != Color32::TRANSPARENT);
                colour.filter(|_| text.galley.job.sections.len() > 1)
            }
            _ => None,
        });
        let matched = matched.expect("matched letters");
        assert!(contrast(matched, fill) >= 4.5, "{theme:?}: {}", contrast(matched, fill));
    }
}

#[test]
fn palette_says_what_can_be_typed_and_which_keys_it_takes() {
    let mut window = basilica();
    press(&mut window, CTRL_SHIFT, Key::P);
    place_of(&window, "Commands, methods, address modes, zoom, pictures: try lanczos3, mirror x, 8x, zone plate");
    for (keys, what) in [("↵", "apply"), ("↑ / ↓", "choose"), ("Esc", "close")] {
        let (caps, what) = (window.get_by_label(keys).rect(), window.get_by_label(what).rect());
        assert!(caps.right() < what.left() && (caps.center().y - what.center().y).abs() < 2.0, "{keys}");
        assert!(caps.top() > rows(&window)[0].1.bottom());
    }
    press(&mut window, Modifiers::COMMAND, Key::A);
    type_text(&mut window, "qqq");
    window.get_by_label("Nothing is called “qqq”");
}

#[test]
fn palette_finds_misspelt_words_where_no_row_has_the_word_itself() {
    let mut window = basilica();
    press(&mut window, CTRL_SHIFT, Key::P);
    for (text, title) in [
        ("lanzcos", "Method: Lanczos 2"),
        ("bsplien", "Method: Cubic B-spline (bicubic)"),
        ("miror", "Address mode: Mirror"),
        ("histogarm", "Histogram"),
        ("catnul-rom", "Method: Catmull-Rom"),
        ("diference", "Difference"),
    ] {
        press(&mut window, Modifiers::COMMAND, Key::A);
        type_text(&mut window, text);
        let titles: Vec<String> = rows(&window).into_iter().map(|(title, _)| title).collect();
        assert!(titles.iter().take(6).any(|found| found == title), "{text}: {titles:?}");
    }
    // A word that rows have lists no other: Lens is near to it.
    press(&mut window, Modifiers::COMMAND, Key::A);
    type_text(&mut window, "lens");
    assert!(rows(&window).iter().all(|(title, _)| !title.contains("Mean")), "{:?}", rows(&window));
}

/// A dot in the panel's colour and its number, in the row of its method.
#[test]
fn palette_marks_methods_that_other_panels_have() {
    let mut window = basilica();
    press(&mut window, CTRL_SHIFT, Key::P);
    let all = rows(&window);
    let row = |title: &str| all.iter().find(|(found, _)| found == title).map(|(_, place)| *place).expect("a row");
    for (title, numbers) in
        [("Method: Nearest (nerp)", &[][..]), ("Method: Linear (lerp)", &["2"]), ("Method: Catmull-Rom", &["4"])]
    {
        let place = row(title);
        let inside = |rect: &Rect| place.contains_rect(*rect);
        let found: Vec<String> = texts(&window)
            .into_iter()
            .filter(|(text, rect)| inside(rect) && text.chars().all(|letter| letter.is_ascii_digit()))
            .map(|(text, _)| text)
            .collect();
        assert_eq!(found, numbers, "{title}");
        let dots = dialog_shapes(&window)
            .into_iter()
            .filter(|shape| matches!(shape, Shape::Circle(circle) if place.contains(circle.center)));
        assert_eq!(dots.count(), numbers.len(), "{title}");
    }
}

#[test]
fn palette_names_the_focused_panel_while_a_row_changes_it() {
    let mut window = basilica();
    press(&mut window, Modifiers::COMMAND, Key::Tab);
    find(&mut window, "lanczos3");
    // The method that the selected row sets takes the place of the panel's.
    let name = window.get_by_label("Panel 2: Linear").rect();
    let parts = ["Panel 2: Linear", "Lanczos 3"].map(|text| {
        let mut found = window.query_all_by_label(text).map(|node| node.rect());
        found.rfind(|rect| (rect.center().y - name.center().y).abs() < 4.0).expect(text)
    });
    assert!(
        parts.is_sorted_by(|a, b| a.right() + 10.0 < b.left() && b.left() < a.right() + 40.0),
        "a sign is between them: {parts:?}"
    );
    assert!(window.query_by_label("Changes").is_none());
    press(&mut window, Modifiers::COMMAND, Key::A);
    type_text(&mut window, "mirror x");
    let (changes, name) = (window.get_by_label("Changes").rect(), window.get_by_label("Panel 2: Linear").rect());
    let gap = name.left() - changes.right();
    assert!((10.0..40.0).contains(&gap), "the dot of the panel is between them: {gap}");
    press(&mut window, Modifiers::COMMAND, Key::A);
    type_text(&mut window, "presentation");
    assert!(window.query_by_label("Changes").is_none());
    press(&mut window, Modifiers::COMMAND, Key::A);
    type_text(&mut window, "blur 2");
    window.get_by_label("Changes");
}

/// A line from the start of the picture to its end, behind the description.
#[test]
fn methods_of_the_palette_have_a_picture_of_their_kernel_and_are_found_by_their_help() {
    let mut window = basilica();
    find(&mut window, "windowed");
    let rows: Vec<_> = rows(&window).into_iter().filter(|(title, _)| title.starts_with("Method: ")).collect();
    assert!(rows.len() >= 4, "{rows:?}");
    for (title, row) in rows {
        let lines = shapes(&window).into_iter().filter(|shape| match shape {
            Shape::Path(path) => path.points.len() > 8 && path.points.iter().all(|pos| row.contains(*pos)),
            _ => false,
        });
        let count = lines.count();
        assert_eq!(count, usize::from(!title.contains("with a radius")), "{title}");
    }
}

#[test]
fn empty_palette_lists_recent_commands_first_and_groups_below_headings() {
    let mut window = basilica();
    press(&mut window, CTRL_SHIFT, Key::P);
    assert_eq!(rows(&window)[0].0, "Method: Nearest (nerp)");
    assert!(window.query_by_label("Recent").is_none());
    press(&mut window, NONE, Key::Escape);
    for text in ["wipe", "lanczos=2.5"] {
        find(&mut window, text);
        press(&mut window, NONE, Key::Enter);
    }
    press(&mut window, NONE, Key::S);
    press(&mut window, CTRL_SHIFT, Key::P);
    let titles: Vec<String> = rows(&window).into_iter().take(3).map(|(title, _)| title).collect();
    assert_eq!(titles, ["Method: Lanczos with a radius of 2.5", "Wipe", "Method: Nearest (nerp)"]);
    let heading = window.get_by_label("Recent").rect();
    assert!(heading.bottom() <= rows(&window)[0].1.top());
    press(&mut window, NONE, Key::ArrowDown);
    press(&mut window, NONE, Key::Enter);
    assert_eq!(app(&window).session().compare(), Compare::Wipe);
}

#[test]
fn palette_runs_what_is_typed_in_the_frame_of_enter() {
    for (text, method) in [("lanczos4", Method::LANCZOS4), ("lanczos=2.5", Method::lanczos(2.5).expect("in range"))] {
        let mut window = basilica();
        press(&mut window, CTRL_SHIFT, Key::P);
        let key = |pressed| Event::Key { key: Key::Enter, physical_key: None, pressed, repeat: false, modifiers: NONE };
        window.input_mut().events.extend([Event::Text(text.to_owned()), key(true), key(false)]);
        window.run_ok();
        assert_eq!(app(&window).session().panels()[0].sampler.method, method, "{text}");
    }
}

#[test]
fn palette_in_a_small_window_is_inside_it() {
    let mut window = sized([640.0, 440.0]);
    press(&mut window, CTRL_SHIFT, Key::P);
    let footer = window.get_by_label("choose").rect();
    assert!(footer.bottom() < 440.0, "{footer:?}");
    let selected = rows(&window)[0].1;
    assert!(selected.bottom() < footer.top());
}

/// The pointer rests where rows of a list come to be: none is marked as pointed at before it moves.
#[test]
fn row_under_a_resting_pointer_is_marked_when_the_pointer_moves() {
    for (modifiers, key) in [(CTRL_SHIFT, Key::P), (NONE, Key::F1)] {
        let mut window = sized([1280.0, 852.0]);
        let pos = egui::pos2(700.0, 300.0);
        window.hover_at(pos);
        window.run_steps(2);
        press(&mut window, modifiers, key);
        window.run_steps(4);
        let is_fill = |shape: &Shape| match shape {
            Shape::Rect(shape) => (20.0..40.0).contains(&shape.rect.height()) && shape.rect.contains(pos),
            _ => false,
        };
        let fills = |window: &Window| dialog_shapes(window).iter().filter(|shape| is_fill(shape)).count();
        assert_eq!(fills(&window), 0, "{key:?}");
        window.hover_at(pos + egui::vec2(1.0, 0.0));
        window.run_steps(2);
        assert_eq!(fills(&window), 1, "{key:?}");
    }
}

/// A key opens a dialog over a control that shows its tooltip: the tooltip goes, and none comes until the pointer moves.
#[test]
fn tooltip_closes_when_a_key_opens_a_dialog_and_none_opens_before_the_pointer_moves() {
    for (modifiers, key) in [(NONE, Key::F1), (CTRL_SHIFT, Key::P), (Modifiers::COMMAND, Key::Comma)] {
        let mut window = sized([1280.0, 852.0]);
        let has_tooltip = |window: &Window| texts(window).iter().any(|(text, _)| text.contains("Next and previous: K"));
        // A panel's name that rows of the palette will cover.
        let pos = window.get_by_role_and_label(Role::Button, "Cubic B-spline (bicubic)").rect().center();
        window.hover_at(pos);
        window.run_steps(8);
        assert!(has_tooltip(&window), "{key:?}");
        let before = texts(&window).len();
        press(&mut window, modifiers, key);
        window.run_steps(12);
        assert!(!has_tooltip(&window), "{key:?}");
        let tooltips = |window: &Window| {
            let areas = window.ctx.memory(|memory| memory.areas().visible_layer_ids());
            areas.into_iter().filter(|layer| layer.order == egui::Order::Tooltip).count()
        };
        assert_eq!(tooltips(&window), 0, "{key:?}, of {before} texts");
        if key == Key::P {
            // Moved over a row, the pointer gets the tooltip of the row.
            window.hover_at(rows(&window)[2].1.center());
            window.run_steps(8);
            assert_eq!(tooltips(&window), 1);
        }
    }
}

#[test]
fn descriptions_of_a_list_stay_in_their_column_while_a_search_is_typed() {
    let mut window = basilica();
    press(&mut window, CTRL_SHIFT, Key::P);
    let column = |window: &Window| place_of(window, "Sharp, rings at edges").left();
    let first = column(&window);
    for text in ["lan", "czos", "3"] {
        type_text(&mut window, text);
        assert_eq!(column(&window), first, "{text}");
    }
    press(&mut window, Modifiers::COMMAND, Key::A);
    type_text(&mut window, "qqq");
    assert!(window.query_by_label("apply").is_none() && window.query_by_label("choose").is_none());
    window.get_by_label("close");
}

#[test]
fn filters_of_the_list_have_their_names_under_the_heading_of_their_stage() {
    let mut window = basilica();
    press(&mut window, Modifiers::COMMAND, Key::F);
    let heading = place_of(&window, "Before interpolation");
    assert!(place_of(&window, "Gamma").top() > heading.bottom());
    window.get_by_label("Before interpolation: Gamma");
    assert!(texts(&window).iter().all(|(text, _)| !text.contains(", before interpolation")));
}

/// What excludes each other is one control.
#[test]
fn choices_of_the_settings_are_joined_segments() {
    let mut window = basilica();
    press(&mut window, Modifiers::COMMAND, Key::Comma);
    let place = |label: &str| window.get_by_role_and_label(Role::RadioButton, label).rect();
    let segments = ["Theme: System", "Theme: Light", "Theme: Dark"].map(place);
    for pair in segments.windows(2) {
        assert!(
            (pair[1].left() - pair[0].right()).abs() < 0.5 && pair[0].y_range() == pair[1].y_range(),
            "{segments:?}"
        );
        assert!((pair[1].width() - pair[0].width()).abs() <= 1.0, "{segments:?}");
    }
    let whole = segments[0].union(segments[2]);
    let is_outline = |shape: &RectShape| shape.stroke.width > 0.0 && (shape.rect.size() - whole.size()).length() < 1.0;
    let outlines = rects(&window).into_iter().filter(|shape| is_outline(shape) && shape.rect.intersects(whole));
    assert_eq!(outlines.count(), 1);
}

#[test]
fn every_dialog_with_a_title_closes_by_the_button_in_its_corner() {
    let mut window = basilica();
    for (modifiers, key, title) in [
        (NONE, Key::F1, "Keys"),
        (Modifiers::COMMAND, Key::Comma, "Settings"),
        (Modifiers::COMMAND, Key::S, "Save panel"),
        (CTRL_SHIFT, Key::S, "Save figure"),
    ] {
        press(&mut window, modifiers, key);
        let heading = place_of(&window, title);
        let close: Vec<Rect> =
            window.query_all_by_role_and_label(Role::Button, "Close").map(|node| node.rect()).collect();
        let close = close.into_iter().find(|rect| (rect.center().y - heading.center().y).abs() < 6.0).expect(title);
        assert!(close.left() > heading.right());
        click_at(&mut window, close.center());
        let mut left = window.query_all_by_role_and_label(Role::Button, "Close").map(|node| node.rect());
        assert!(left.all(|rect| rect != close), "{title} is closed");
    }
    find(&mut window, "test pictures");
    press(&mut window, NONE, Key::Enter);
    window.get_by_role_and_label(Role::Button, "Close").click();
    window.run_ok();
    assert!(window.query_by_role_and_label(Role::Button, "Zone plate").is_none());
}

/// A click with the pointer at `pos`.
pub(crate) fn click_at(window: &mut Window, pos: Pos2) {
    window.hover_at(pos);
    window.run_ok();
    // In successive frames: a press of many frames is no click.
    for pressed in [true, false] {
        window.event(Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers: NONE });
        window.step();
    }
    window.run_ok();
}

#[test]
fn notice_goes_after_four_seconds_or_by_a_click_on_it() {
    let mut window = basilica();
    let shows = |window: &Window| window.query_by_label("There is nothing to undo").is_some();
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert!(shows(&window));
    // A step is a quarter of a second.
    window.run_steps(10);
    assert!(shows(&window));
    window.run_steps(10);
    assert!(!shows(&window), "after four seconds");
    press(&mut window, Modifiers::COMMAND, Key::Z);
    let text = window.get_by_label("There is nothing to undo").rect();
    click_at(&mut window, text.center());
    assert!(!shows(&window), "after a click");
}

#[test]
fn undo_names_the_panel_that_it_changes() {
    let mut window = basilica();
    press(&mut window, Modifiers::COMMAND, Key::Tab);
    find(&mut window, "lanczos3");
    press(&mut window, NONE, Key::Enter);
    assert_eq!(app(&window).session().panels()[1].sampler.method, Method::LANCZOS3);
    press(&mut window, NONE, Key::Num4);
    press(&mut window, Modifiers::COMMAND, Key::Z);
    window.get_by_label("Undone: method of 2 Lanczos 3");
    press(&mut window, CTRL_SHIFT, Key::Z);
    window.get_by_label("Redone: method of 2 Lanczos 3");
}

/// The text of the field of a dialog for a file.
fn typed(window: &Window) -> String {
    window.get_by_role_and_label(Role::TextInput, "File").value().unwrap_or_default()
}

/// Types `text` in place of the field's.
fn replace(window: &mut Window, text: &str) {
    press(window, Modifiers::COMMAND, Key::A);
    type_text(window, text);
}

/// Pictures and other files in `folder`.
fn write_files(folder: &Path) {
    for name in ["plot-1.pgm", "plot-2.pgm"] {
        std::fs::write(folder.join(name), "P2 2 1 9\n1 2\n").expect("a file");
    }
    std::fs::write(folder.join("plan.txt"), "").expect("a file");
    std::fs::create_dir(folder.join("plots")).expect("a folder");
    std::fs::write(folder.join("plots").join("inner.pgm"), "P2 1 1 9\n3\n").expect("a file");
}

/// The dialog that opens an image, which is shown where the system has none, by the dialog of a session.
fn open_session_dialog(window: &mut Window) {
    find(window, "open session");
    press(window, NONE, Key::Enter);
}

#[test]
fn path_is_completed_by_tab_and_walked_by_arrows() {
    let folder = tempfile::tempdir().expect("a folder");
    write_files(folder.path());
    let mut window = basilica();
    press(&mut window, Modifiers::COMMAND, Key::S);
    let begin = format!("{}{MAIN_SEPARATOR}", folder.path().display());
    replace(&mut window, &format!("{begin}p"));
    let is_listed = |name: &str| {
        let name = name.to_owned();
        move |window: &Window| window.query_by_role_and_label(Role::Button, &name).is_some()
    };
    wait(&mut window, "the folder", is_listed("plot-2.pgm"));
    let top = |window: &Window, name: &str| window.get_by_role_and_label(Role::Button, name).rect().top();
    let plots = format!("plots{MAIN_SEPARATOR}");
    let order = [&plots, "plot-1.pgm", "plot-2.pgm", "plan.txt"].map(|name| top(&window, name));
    assert!(order.is_sorted(), "folders, pictures, others: {order:?}");
    assert!(order[0] > window.get_by_role_and_label(Role::TextInput, "File").rect().bottom());
    press(&mut window, NONE, Key::Tab);
    assert_eq!(typed(&window), format!("{begin}pl"));
    type_text(&mut window, "ot");
    assert!(window.query_by_label("plan.txt").is_none());
    press(&mut window, NONE, Key::Tab);
    assert_eq!(typed(&window), format!("{begin}plot"), "a complete part is kept");
    // The focus moved: the field takes it again.
    window.get_by_role_and_label(Role::TextInput, "File").focus();
    window.run_ok();
    press(&mut window, NONE, Key::ArrowDown);
    press(&mut window, NONE, Key::Enter);
    assert_eq!(typed(&window), format!("{begin}{plots}"), "a folder is entered");
    wait(&mut window, "the inner folder", is_listed("inner.pgm"));
    press(&mut window, NONE, Key::Backspace);
    assert_eq!(typed(&window), begin, "Backspace behind a folder goes to its parent");
    wait(&mut window, "the folder", is_listed("plan.txt"));
    type_text(&mut window, &plots);
    wait(&mut window, "the inner folder", is_listed("inner.pgm"));
    // The first entry is the parent.
    press(&mut window, NONE, Key::ArrowDown);
    press(&mut window, NONE, Key::ArrowDown);
    press(&mut window, NONE, Key::Enter);
    assert_eq!(typed(&window), format!("{begin}{plots}inner.pgm"), "a file to write is named first");
    // What would be lost is said, and the button has the colour of errors.
    window.get_by_label("The file exists");
    let replace = window.get_by_role_and_label(Role::Button, "Replace").rect();
    let fill = |place: Rect| {
        let filled = rects(&window).into_iter().filter(|shape| shape.rect.expand(0.5).contains_rect(place));
        filled.min_by(|a, b| a.rect.area().total_cmp(&b.rect.area())).map(|shape| shape.fill)
    };
    assert_eq!(fill(replace), Some(Color32::from_rgb(0xF0, 0x80, 0x70)));
}

/// Clicks `times` at `pos` within one frame, behind a pause that ends earlier clicks.
fn click_times(window: &mut Window, pos: Pos2, times: usize) {
    window.hover_at(pos);
    window.run_steps(8);
    for pressed in [true, false].repeat(times) {
        let (button, modifiers) = (PointerButton::Primary, NONE);
        window.input_mut().events.push(Event::PointerButton { pos, button, pressed, modifiers });
    }
    window.run_ok();
}

#[test]
fn parent_folder_is_reached_from_the_list() {
    let folder = tempfile::tempdir().expect("a folder");
    write_files(folder.path());
    let mut window = basilica();
    press(&mut window, Modifiers::COMMAND, Key::S);
    let begin = format!("{}{MAIN_SEPARATOR}", folder.path().display());
    replace(&mut window, &format!("{begin}plots{MAIN_SEPARATOR}"));
    let parent = format!("..{MAIN_SEPARATOR}");
    wait(&mut window, "the folder", |window| window.query_by_role_and_label(Role::Button, &parent).is_some());
    let inside = typed(&window);
    let place = window.get_by_role_and_label(Role::Button, &parent).rect().center();
    click_times(&mut window, place, 1);
    assert_eq!(typed(&window), inside, "a click selects");
    click_times(&mut window, place, 2);
    assert_eq!(typed(&window), begin, "a double click opens");
    wait(&mut window, "its parent", |window| window.query_by_role_and_label(Role::Button, "plot-1.pgm").is_some());
}

#[test]
fn tilde_in_a_path_is_the_home_folder() {
    let Some(home) = std::env::home_dir().filter(|home| home.is_dir()) else { return };
    let Ok(folder) = tempfile::tempdir_in(&home) else { return };
    let name = folder.path().file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
    let mut window = basilica();
    press(&mut window, Modifiers::COMMAND, Key::S);
    replace(&mut window, &format!("~{MAIN_SEPARATOR}{}", &name[..name.len() - 1]));
    let shown = format!("{name}{MAIN_SEPARATOR}");
    wait(&mut window, "the home folder", |window| window.query_by_role_and_label(Role::Button, &shown).is_some());
    press(&mut window, NONE, Key::Tab);
    assert_eq!(typed(&window), format!("~{MAIN_SEPARATOR}{shown}"));
    type_text(&mut window, "a.png");
    window.get_by_role_and_label(Role::Button, "Save").click();
    window.run_ok();
    assert!(folder.path().join("a.png").is_file());
}

#[test]
fn file_to_open_is_opened_by_enter_on_its_entry() {
    let folder = tempfile::tempdir().expect("a folder");
    write_files(folder.path());
    let source = folder.path().join("plot-1.pgm");
    let mut window = open(vec![source], None);
    find(&mut window, "save session");
    press(&mut window, NONE, Key::Enter);
    let begin = format!("{}{MAIN_SEPARATOR}", folder.path().display());
    replace(&mut window, &format!("{begin}all.toml"));
    window.get_by_role_and_label(Role::Button, "Save").click();
    window.run_ok();
    press(&mut window, NONE, Key::K);
    open_session_dialog(&mut window);
    replace(&mut window, &begin);
    wait(&mut window, "the folder", |window| window.query_by_role_and_label(Role::Button, "all.toml").is_some());
    let top = |name: &str| window.get_by_role_and_label(Role::Button, name).rect().top();
    assert!(top("all.toml") < top("plot-1.pgm"), "sessions come first");
    // Behind the parent and the folder.
    for _ in 0..3 {
        press(&mut window, NONE, Key::ArrowDown);
    }
    press(&mut window, NONE, Key::Enter);
    wait(&mut window, "the session", |window| app(window).session().panels()[0].sampler.method == Method::Nearest);
}

#[test]
fn file_is_selected_by_a_click_and_opened_by_a_double_click_and_errors_stand_in_the_dialog() {
    let folder = tempfile::tempdir().expect("a folder");
    write_files(folder.path());
    std::fs::write(folder.path().join("plot-3.toml"), "no session").expect("a file");
    let mut window = open(vec![folder.path().join("plot-1.pgm")], None);
    open_session_dialog(&mut window);
    let begin = format!("{}{MAIN_SEPARATOR}", folder.path().display());
    replace(&mut window, &begin);
    let entry = |name: &'static str| {
        move |window: &Window| window.query_by_role_and_label(Role::Button, name).map(|node| node.rect())
    };
    wait(&mut window, "the folder", |window| entry("plan.txt")(window).is_some());
    let place = entry("plan.txt")(&window);
    click_times(&mut window, place.expect("the entry").center(), 1);
    assert_eq!(typed(&window), format!("{begin}plan.txt"));
    assert_eq!(entry("plan.txt")(&window), place, "the list stays");
    let session = entry("plot-3.toml")(&window).expect("the entry").center();
    click_times(&mut window, session, 2);
    wait(&mut window, "the reason", |window| window.query_by_label_contains("plot-3.toml: ").is_some());
    window.get_by_role_and_label(Role::TextInput, "File");
    replace(&mut window, &format!("{begin}gone.toml"));
    press(&mut window, NONE, Key::Enter);
    wait(&mut window, "the reason", |window| window.query_by_label_contains("gone.toml: does not exist").is_some());
    replace(&mut window, folder.path().join("plots").to_str().expect("a name"));
    press(&mut window, NONE, Key::Enter);
    assert_eq!(typed(&window), format!("{begin}plots{MAIN_SEPARATOR}"), "a folder is listed");
}
