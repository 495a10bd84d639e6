//! What the palette, the list of keys, the dialog for a file and notices show, without a screen.

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
use crate::harness::waiting::wait;
use crate::harness::{Window, app, window_of};

const NONE: Modifiers = Modifiers::NONE;

/// The shapes of the open dialog: those over its backdrop.
fn dialog_shapes(window: &Window) -> Vec<Shape> {
    let (all, whole) = (shapes(window), window.ctx.content_rect());
    let backdrop = all.iter().rposition(|shape| matches!(shape, Shape::Rect(rect) if rect.rect == whole));
    all[backdrop.expect("a backdrop") + 1..].to_vec()
}

/// The texts that are painted, with their places.
fn texts(window: &Window) -> Vec<(String, Rect)> {
    let text = |shape: Shape| match shape {
        Shape::Text(text) => Some((text.galley.text().to_owned(), text.visual_bounding_rect())),
        _ => None,
    };
    shapes(window).into_iter().filter_map(text).collect()
}

/// The texts that have no room and end in an ellipsis.
fn cut_texts(window: &Window) -> BTreeSet<String> {
    let cut = |shape: Shape| match shape {
        Shape::Text(text) if text.galley.elided => Some(text.galley.text().to_owned()),
        _ => None,
    };
    shapes(window).into_iter().filter_map(cut).collect()
}

/// The painted rectangles.
fn rects(window: &Window) -> Vec<RectShape> {
    let rect = |shape: Shape| match shape {
        Shape::Rect(rect) => Some(rect),
        _ => None,
    };
    shapes(window).into_iter().filter_map(rect).collect()
}

/// The frame of the dialog that has all of `parts`.
fn frame(window: &Window, parts: &[Rect]) -> Rect {
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

fn place_of(window: &Window, text: &str) -> Rect {
    let found = texts(window).into_iter().find(|(other, _)| other == text);
    found.unwrap_or_else(|| panic!("{text} is not painted")).1
}

/// A window of this size on the built-in image.
fn sized(size: [f32; 2]) -> Window {
    themed(size, Theme::Dark)
}

fn themed(size: [f32; 2], theme: Theme) -> Window {
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
    find(&mut window, "lanc");
    let rows = rows(&window);
    let titles: Vec<&str> = rows.iter().map(|(title, _)| title.as_str()).collect();
    assert_eq!(
        titles,
        ["Method: Lanczos 2", "Method: Lanczos 3", "Method: Lanczos 4", "Method: Lanczos with a radius…"]
    );
    let descriptions = [
        "Windowed sinc over 4 samples: close to Catmull-Rom",
        "Windowed sinc over 6 samples: sharp, rings at edges",
        "Windowed sinc over 8 samples: sharpest, rings widest",
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
        ("row", left("Lanczos 2")),
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
fn palette_is_over_the_panels_and_at_most_760_points_wide() {
    for width in [1280.0, 1000.0, 1600.0] {
        let mut window = sized([width, 852.0]);
        let panels = {
            let [first, second] = ["Panel 1: Nearest (nerp)", "Panel 2: Linear (lerp)"];
            window.get_by_label(first).rect().union(window.get_by_label(second).rect())
        };
        assert!(panels.right() < width - 200.0, "the side bar is shown");
        find(&mut window, "lanc");
        let field = window.get_by_role_and_label(Role::TextInput, "Find a command or a value").rect();
        let place = frame(&window, &[field, rows(&window)[0].1, window.get_by_label("choose").rect()]);
        assert!(place.width() <= 760.0 && place.width() > 600.0, "{place:?}");
        assert!(place.left() > panels.left() && place.right() < panels.right(), "{place:?} over {panels:?}");
        assert!((place.center().x - panels.center().x).abs() < 1.5, "{place:?} over {panels:?}");
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
fn palette_names_the_focused_panel_while_a_row_changes_it() {
    let mut window = basilica();
    press(&mut window, Modifiers::COMMAND, Key::Tab);
    find(&mut window, "lanczos3");
    let (applies, name) = (window.get_by_label("Applies to").rect(), window.get_by_label("2 Linear").rect());
    let gap = name.left() - applies.right();
    assert!((10.0..40.0).contains(&gap), "the dot of the panel is between them: {gap}");
    press(&mut window, Modifiers::COMMAND, Key::A);
    type_text(&mut window, "presentation");
    assert!(window.query_by_label("Applies to").is_none());
    press(&mut window, Modifiers::COMMAND, Key::A);
    type_text(&mut window, "blur 2");
    window.get_by_label("Applies to");
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

/// Headings of the list of keys with their places.
fn headings(window: &Window) -> Vec<(&'static str, Rect)> {
    let field = window.get_by_role_and_label(Role::TextInput, "Find a command or key").rect();
    let titles = [
        "Essentials",
        "Mouse and trackpad",
        "Edit",
        "View",
        "Panel",
        "Inspect",
        "File",
        "Compare",
        "Laboratory",
        "Lessons",
        "Window",
    ];
    let place = |title: &'static str| {
        let labels = window.query_all_by_label(title).map(|node| node.rect());
        labels
            .filter(|rect| rect.top() > field.bottom())
            .min_by(|a, b| a.top().total_cmp(&b.top()))
            .map(|rect| (title, rect))
    };
    let mut found: Vec<_> = titles.into_iter().filter_map(place).collect();
    found.sort_by(|(_, a), (_, b)| a.left().total_cmp(&b.left()).then(a.top().total_cmp(&b.top())));
    found
}

/// Opens the list of keys with all lines.
fn list_all(window: &mut Window) {
    press(window, NONE, Key::F1);
    window.get_by_label_contains("Keys: All ").click();
    window.run_ok();
}

fn columns(window: &Window) -> Vec<i32> {
    let mut lefts: Vec<i32> = headings(window).iter().map(|(_, rect)| rect.left().round() as i32).collect();
    assert!(lefts.is_sorted(), "{lefts:?}");
    lefts.dedup();
    lefts
}

#[test]
fn common_keys_fit_into_the_window_in_three_columns_and_all_in_four() {
    let mut window = sized([1280.0, 852.0]);
    let is_cut = |shape: &Shape| matches!(shape, Shape::Text(text) if text.galley.elided);
    let assert_fits = |window: &Window, lasts: &[&str]| {
        for last in lasts {
            let line = window.get_by_label(last).rect();
            assert!(line.bottom() < 852.0 - 24.0, "{last}: {line:?}");
        }
        assert!(!dialog_shapes(window).iter().any(is_cut), "{:?}", cut_texts(window));
    };
    press(&mut window, NONE, Key::F1);
    let in_menu_order = [
        ["Essentials", "Mouse and trackpad", "File", "Edit"].as_slice(),
        &["View", "Panel", "Compare", "Inspect", "Laboratory", "Lessons", "Window"],
    ];
    let titles: Vec<&str> = headings(&window).into_iter().map(|(title, _)| title).collect();
    assert_eq!((titles, columns(&window).len()), (in_menu_order.concat(), 3));
    assert_fits(&window, &["PgDn / PgUp", "[ / ]", "Esc"]);
    assert!(window.query_by_label("Ctrl+V").is_none(), "Paste is not among the common keys");
    window.get_by_label_contains("Keys: All ").click();
    window.run_ok();
    assert_eq!((headings(&window).len(), columns(&window).len()), (11, 4));
    // The last line of every column.
    assert_fits(&window, &["Ctrl+V", "Ctrl+U", "Ctrl+Q", "Esc"]);
    window.get_by_label("Keys: Common").click();
    window.run_ok();
    assert_eq!(columns(&window).len(), 3);
    // A search finds lines that are not common.
    type_text(&mut window, "paste");
    window.get_by_label("Ctrl+V");
}

/// The eye follows a line from each title to its keys.
#[test]
fn line_leads_from_the_title_of_a_key_to_its_caps() {
    let mut window = sized([1280.0, 852.0]);
    press(&mut window, NONE, Key::F1);
    let lines: Vec<[Pos2; 2]> = dialog_shapes(&window)
        .into_iter()
        .filter_map(|shape| match shape {
            Shape::LineSegment { points, .. } => Some(points),
            _ => None,
        })
        .collect();
    for (title, keys) in
        [("Redo", "Ctrl+Shift+Z or Ctrl+Y"), ("Undo", "Ctrl+Z"), ("Next / previous method", "K / Shift+K")]
    {
        let [title_place, keys_place] = [title, keys].map(|label| window.get_by_label(label).rect());
        let leads = |[from, to]: &&[Pos2; 2]| {
            let is_between = from.x > title_place.right() && to.x < keys_place.left();
            is_between && title_place.y_range().contains(from.y) && (to.x - keys_place.left()).abs() < 9.0
        };
        assert_eq!(lines.iter().filter(leads).count(), 1, "{title}: {title_place:?}, {keys_place:?}");
    }
}

#[test]
fn page_of_keys_covers_the_window_and_has_margins() {
    for theme in [Theme::Dark, Theme::Light] {
        for (size, side, top) in
            [([1600.0, 900.0], 200.0, 28.0), ([1280.0, 852.0], 48.0, 28.0), ([1000.0, 700.0], 20.0, 16.0)]
        {
            let mut window = themed(size, theme);
            press(&mut window, NONE, Key::F1);
            let field = window.get_by_role_and_label(Role::TextInput, "Find a command or key").rect();
            let [common, all] = ["Keys: Common", "Keys: All "].map(|name| window.get_by_label_contains(name).rect());
            let count = window.get_by_label_contains("Point at a line to read").rect();
            let whole = window.ctx.content_rect();
            let page = rects(&window).into_iter().rev().find(|shape| shape.rect.contains_rect(whole)).expect("a page");
            assert_eq!(page.fill.a(), 255, "what is behind it is not seen");
            let title = place_of(&window, "Keys");
            // The drawing of the button, not its area, ends where the contents end.
            let close = window.get_by_role_and_label(Role::Button, "Close").rect();
            let ends = [title.left() - side, size[0] - (close.right() - 8.0) - side, close.top() - top];
            assert!(ends.iter().all(|off| off.abs() < 3.0), "{ends:?}: {title:?} {close:?}");
            // Title, field, choice, hint and button are one row.
            let row = [title, field, common, all, count];
            assert!(row.is_sorted_by(|a, b| a.right() < b.left()), "{row:?}");
            assert!(row.iter().all(|part| (part.center().y - field.center().y).abs() < 4.0), "{row:?}");
            assert!((field.width() - 320.0).abs() < 1.0, "{field:?}");
        }
    }
}

#[test]
fn keys_are_in_the_middle_of_their_caps() {
    let mut window = sized([1280.0, 852.0]);
    list_all(&mut window);
    let (mut caps, mut found) = (Vec::new(), Vec::new());
    for shape in dialog_shapes(&window) {
        match shape {
            Shape::Rect(shape) if (shape.rect.height() - 18.0).abs() < 0.1 => caps.push(shape.rect),
            Shape::Text(text) => found.push((text.galley.text().to_owned(), text.visual_bounding_rect())),
            _ => {}
        }
    }
    let mut seen = BTreeSet::new();
    for cap in &caps {
        let (key, place) = found.iter().find(|(_, place)| cap.contains_rect(*place)).expect("a key");
        assert!((place.center().x - cap.center().x).abs() < 0.75, "{key}: {place:?} in {cap:?}");
        if !key.chars().any(|letter| letter.is_ascii()) {
            assert!((place.center().y - cap.center().y).abs() < 0.75, "{key}: {place:?} in {cap:?}");
        }
        seen.insert(key.as_str());
    }
    for key in ["J", "I", "←", "→", "↑", "↓", "Shift", "Backtick", "PgUp", "PgDn"] {
        assert!(seen.contains(key), "{key}");
    }
    // Caps of a chord have one gap; between those of two commands stands a slash in a wider one, and keys that both hold stand once.
    for (line, gaps) in [
        ("← / → / ↑ / ↓", &[2.0; 3][..]),
        ("Shift+← / Shift+→ / Shift+↑ / Shift+↓", &[2.0; 4]),
        ("PgDn / PgUp", &[15.0]),
        ("Ctrl+PgDn / Ctrl+PgUp", &[2.0, 15.0]),
        ("K / Shift+K", &[15.0, 2.0]),
    ] {
        let place = window.get_by_label(line).rect();
        let mut of_line: Vec<&Rect> = caps.iter().filter(|cap| place.expand(0.5).contains_rect(**cap)).collect();
        of_line.sort_by(|a, b| a.left().total_cmp(&b.left()));
        let found: Vec<f32> = of_line.windows(2).map(|pair| (pair[1].left() - pair[0].right()).round()).collect();
        assert_eq!(found, gaps, "{line}: {of_line:?}");
    }
}

#[test]
fn headings_and_essential_lines_of_keys_have_the_colour_of_text_and_others_are_weak() {
    for theme in [Theme::Dark, Theme::Light] {
        let mut window = themed([1280.0, 852.0], theme);
        list_all(&mut window);
        let look = |text: &str, below: f32| {
            let found = dialog_shapes(&window).into_iter().find_map(|shape| match shape {
                Shape::Text(shape) if shape.galley.text() == text && shape.pos.y > below => {
                    let format = &shape.galley.job.sections[0].format;
                    let is_open = format.color == Color32::PLACEHOLDER;
                    Some((if is_open { shape.fallback_color } else { format.color }, format.font_id.size))
                }
                _ => None,
            });
            found.unwrap_or_else(|| panic!("{text} is not painted"))
        };
        let (title, _) = look("Keys", 0.0);
        for (heading, _) in headings(&window) {
            assert_eq!(look(heading, 60.0), (title, 14.5), "{heading}");
        }
        assert_eq!(look("Add panel", 60.0), (title, 12.0));
        let (other, size) = look("Last image shown", 60.0);
        assert!(other != title && size == 12.0, "{other:?}");
    }
}

#[test]
fn narrower_windows_list_keys_in_fewer_columns_of_whole_groups() {
    for (width, count) in [(1000.0, 3), (720.0, 2), (480.0, 1)] {
        let mut window = sized([width, 700.0]);
        list_all(&mut window);
        assert_eq!(columns(&window).len(), count, "{width}: {:?}", headings(&window));
        // The first and the last line of a group are below its heading.
        for (title, first, last) in
            [("Essentials", "Open…", "Find…"), ("File", "Open recent…", "Quit"), ("Edit", "Redo", "Paste")]
        {
            let heading = headings(&window).into_iter().find(|(other, _)| *other == title).expect(title).1;
            for label in [first, last] {
                let line = window.get_by_label(label).rect();
                let is_below = (line.left() - heading.left()).abs() < 3.0 && line.top() > heading.bottom();
                assert!(is_below, "{label} of {title} at {width}");
            }
        }
    }
}

#[test]
fn list_of_keys_counts_what_its_search_finds() {
    let mut window = basilica();
    press(&mut window, NONE, Key::F1);
    let number = |text: &str| text.strip_prefix("All ").and_then(|number| number.parse::<usize>().ok());
    let all = texts(&window).iter().find_map(|(text, _)| number(text)).expect("the number of lines");
    assert!(all > 70, "{all}");
    let place = |window: &Window| window.get_by_role_and_label(Role::TextInput, "Find a command or key").rect();
    let field = place(&window);
    type_text(&mut window, "histogram");
    assert_eq!(place(&window), field, "the dialog stays where it is");
    window.get_by_label_contains(&format!("3 of {all}"));
    assert_eq!(
        headings(&window).iter().map(|(title, _)| *title).collect::<Vec<_>>(),
        ["Mouse and trackpad", "Inspect"]
    );
    press(&mut window, Modifiers::COMMAND, Key::A);
    type_text(&mut window, "qqq");
    window.get_by_label("No key for “qqq”. Ctrl+Shift+P finds what has no key");
    window.get_by_label_contains(&format!("0 of {all}"));
}

#[test]
fn number_of_keys_and_the_button_that_closes_them_lie_apart_in_each_window() {
    for width in [1280.0, 760.0, 700.0, 640.0, 480.0] {
        let mut window = sized([width, 440.0]);
        press(&mut window, NONE, Key::F1);
        type_text(&mut window, "zoom");
        let all = texts(&window);
        let (text, count) = all.into_iter().find(|(text, _)| text.contains(" of 1")).expect("the number of lines");
        let field = window.get_by_role_and_label(Role::TextInput, "Find a command or key").rect();
        let all = window.get_by_label_contains("Keys: All ").rect();
        assert!(field.right() < all.left() && all.right() < count.left(), "{all:?} at {width}");
        let close = window.get_by_role_and_label(Role::Button, "Close").rect();
        assert!(
            field.right() < count.left() && count.right() < close.left(),
            "{text} at {count:?}: {close:?}, {width}"
        );
    }
}

#[test]
fn descriptions_of_a_list_stay_in_their_column_while_a_search_is_typed() {
    let mut window = basilica();
    press(&mut window, CTRL_SHIFT, Key::P);
    let column = |window: &Window| place_of(window, "Windowed sinc over 6 samples: sharp, rings at edges").left();
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
fn click_at(window: &mut Window, pos: Pos2) {
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
