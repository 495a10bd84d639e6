//! What the list of keys shows, without a screen.

use std::collections::BTreeSet;

use egui::epaint::RectShape;
use egui::{Color32, Key, Modifiers, Pos2, Rect, Role, Shape, Theme};
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::harness::Window;
use crate::harness::documents::{basilica, press, type_text};
use crate::lists::{cut_texts, dialog_shapes, frame, place_of, rects, sized, texts, themed};

const NONE: Modifiers = Modifiers::NONE;
/// What the foot says while the pointer is over no line.
pub(crate) const HINT: &str = "Point at a line to read what it does, click to run it";

/// Headings of the list with their places.
pub(crate) fn headings(window: &Window) -> Vec<(&'static str, Rect)> {
    let field = field(window);
    let titles = [
        "Start here",
        "Change and save",
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
        // Lines have a description.
        let labels = window.query_all_by_label(title).filter(|node| node.accesskit_node().description().is_none());
        let labels = labels.map(|node| node.rect());
        labels
            .filter(|rect| rect.top() > field.bottom())
            .min_by(|a, b| a.top().total_cmp(&b.top()))
            .map(|rect| (title, rect))
    };
    let mut found: Vec<_> = titles.into_iter().filter_map(place).collect();
    found.sort_by(|(_, a), (_, b)| a.top().total_cmp(&b.top()));
    // By columns.
    let lefts: Vec<f32> = found.iter().map(|(_, rect)| rect.left()).collect();
    found.sort_by_key(|(_, rect)| lefts.iter().filter(|left| **left < rect.left() - 100.0).count());
    found
}

pub(crate) fn field(window: &Window) -> Rect {
    window.get_by_role_and_label(Role::TextInput, "Find a command or key").rect()
}

/// Place of the button in the corner.
pub(crate) fn close_button(window: &Window) -> Rect {
    window.get_by_role_and_label(Role::Button, "Close").rect()
}

pub(crate) fn list_common(window: &mut Window) {
    press(window, NONE, Key::F1);
}

pub(crate) fn list_all(window: &mut Window) {
    press(window, NONE, Key::F1);
    window.get_by_label_contains("Keys: All ").click();
    window.run_ok();
}

/// Left edges of the columns.
fn columns(window: &Window) -> Vec<i32> {
    let mut lefts: Vec<i32> = headings(window).into_iter().map(|(_, rect)| rect.left().round() as i32).collect();
    assert!(lefts.is_sorted(), "{lefts:?}");
    lefts.dedup();
    lefts
}

/// The lines of the list with their places: the labels over the backdrop that have a description.
pub(crate) fn lines(window: &Window) -> Vec<(String, Rect)> {
    let labels = window.query_all_by_role(Role::Label);
    let painted: Vec<(String, Rect)> = dialog_shapes(window)
        .into_iter()
        .filter_map(|shape| match shape {
            Shape::Text(text) => Some((text.galley.text().to_owned(), text.visual_bounding_rect())),
            _ => None,
        })
        .collect();
    let is_painted = |title: &str, place: Rect| {
        painted.iter().any(|(text, rect)| text == title && place.expand(1.0).contains(rect.center()))
    };
    let line = |label: egui_kittest::Node<'_>| {
        let node = label.accesskit_node();
        node.description()?;
        let (title, place) = (node.label().or_else(|| node.value())?, label.rect());
        is_painted(&title, place).then_some((title, place))
    };
    labels.filter_map(line).collect()
}

/// Places of the lines with this title, from the left.
pub(crate) fn places(window: &Window, title: &str) -> Vec<Rect> {
    let mut found: Vec<Rect> =
        lines(window).into_iter().filter_map(|(other, rect)| (other == title).then_some(rect)).collect();
    found.sort_by(|a, b| a.left().total_cmp(&b.left()));
    found
}

/// The sheet.
pub(crate) fn sheet(window: &Window) -> RectShape {
    let place = frame(window, &[field(window), close_button(window)]);
    rects(window).into_iter().rev().find(|shape| shape.rect == place).expect("a sheet")
}

#[test]
fn lines_of_common_keys_are_in_sight_in_three_columns_and_all_in_four() {
    for size in [[1280.0, 852.0], [1280.0, 860.0], [1600.0, 900.0], [1920.0, 1080.0]] {
        let mut window = sized(size);
        let assert_shows = |window: &Window, shown: (usize, usize)| {
            assert_eq!((columns(window).len(), lines(window).len()), shown, "{size:?}");
            let foot = place_of(window, HINT);
            let list = sheet(window).rect.with_min_y(field(window).bottom()).with_max_y(foot.top());
            for (title, place) in lines(window) {
                assert!(list.contains_rect(place), "{title} at {place:?} in {list:?}, {size:?}");
            }
            let is_cut = |shape: &Shape| matches!(shape, Shape::Text(text) if text.galley.elided);
            assert!(!dialog_shapes(window).iter().any(is_cut), "{:?}", cut_texts(window));
        };
        list_common(&mut window);
        let columns =
            [["Start here", "Change and save"].as_slice(), &["Mouse and trackpad", "View"], &["Compare", "Inspect"]];
        let found = headings(&window);
        assert_eq!(found.iter().map(|(title, _)| *title).collect::<Vec<_>>(), columns.concat());
        // Groups side by side begin at one height.
        let top = |title: &str| found.iter().find(|(other, _)| *other == title).expect(title).1.top();
        for row in [["Start here", "Mouse and trackpad", "Compare"], ["Change and save", "View", "Inspect"]] {
            assert!(row.iter().all(|title| top(title) == top(row[0])), "{found:?}");
        }
        assert_shows(&window, (3, 24));
        assert!(window.query_by_label("Ctrl+V").is_none(), "Paste is not among the common keys");
        window.get_by_label("Keys: All 109 keys").click();
        window.run_ok();
        // The sheet is higher, and a line of it where the pointer is.
        window.event(egui::Event::PointerGone);
        window.run_ok();
        // All lines are in the groups of their topics.
        assert_eq!(headings(&window).len(), 10);
        assert_shows(&window, (4, 109));
        window.get_by_label("Ctrl+V");
        window.get_by_label("Keys: Common").click();
        window.run_ok();
        assert_shows(&window, (3, 24));
    }
}

#[test]
fn essential_lines_are_in_the_essentials_and_among_all_lines_in_their_own_groups() {
    let mut window = sized([1280.0, 852.0]);
    list_common(&mut window);
    let assert_is_below = |window: &Window, title: &str, group: &str| {
        let heading = headings(window).into_iter().find(|(title, _)| *title == group).expect("a heading").1;
        let [place] = places(window, title)[..] else { panic!("{title}: {:?}", places(window, title)) };
        assert!((place.left() - heading.left()).abs() < 1.0 && place.top() > heading.bottom(), "{title} in {group}");
    };
    const LINES: [(&str, &str, &str); 4] = [
        ("Open…", "Start here", "File"),
        ("Undo", "Change and save", "Edit"),
        ("Fit", "View", "View"),
        ("Difference", "Compare", "Compare"),
    ];
    LINES.iter().for_each(|(title, group, _)| assert_is_below(&window, title, group));
    window.get_by_label("Keys: All 109 keys").click();
    window.run_ok();
    LINES.iter().for_each(|(title, _, group)| assert_is_below(&window, title, group));
    window.get_by_label("Keys: Common").click();
    window.run_ok();
    // The essentials stand on a card that is as high as the columns beside it, and have lines at the same heights.
    let heading = |group: &str| headings(&window).iter().find(|(title, _)| *title == group).expect("a heading").1;
    let (first, last) = (heading("Start here"), places(&window, "Save panel…")[0]);
    let is_card =
        |shape: &&RectShape| shape.rect.contains_rect(first) && shape.rect.contains_rect(last) && shape.fill.a() == 255;
    let card = rects(&window).into_iter().filter(|shape| is_card(&shape)).min_by(by_width).expect("a card");
    let sheet = sheet(&window);
    assert!(card.fill != sheet.fill && sheet.rect.contains_rect(card.rect), "{card:?} on {sheet:?}");
    assert!((card.rect.left() - place_of(&window, HINT).left()).abs() < 2.0, "in line with the foot: {card:?}");
    for [own, beside] in [
        ["Open…", "Side by side"],
        ["Lessons", "Flip to the other panel"],
        ["Undo", "Sample grid"],
        ["Save panel…", "Loupe (hold)"],
    ] {
        let [own, beside] = [own, beside].map(|title| places(&window, title)[0]);
        assert!((own.center().y - beside.center().y).abs() < 1.5, "{own:?} {beside:?}");
    }
    assert!(heading("Mouse and trackpad").left() - card.rect.right() > 20.0, "{card:?}");
}

/// Order of two shapes by their widths.
fn by_width(a: &RectShape, b: &RectShape) -> std::cmp::Ordering {
    a.rect.width().total_cmp(&b.rect.width())
}

/// The distance from a title to its keys is short: no line leads from one to the other.
#[test]
fn keys_end_at_the_edge_of_their_column_and_nothing_is_drawn_between_them_and_their_title() {
    for (extent, pitch, group) in [
        (list_common as fn(&mut Window), 33.0, ["Values in pixels", "Sample grid", "Line profile"]),
        (list_all, 19.0, ["Maximize panel", "Add panel", "Duplicate panel"]),
    ] {
        let mut window = sized([1280.0, 852.0]);
        extent(&mut window);
        let rules: Vec<[Pos2; 2]> = dialog_shapes(&window)
            .into_iter()
            .filter_map(|shape| match shape {
                Shape::LineSegment { points, .. } if points[0].y == points[1].y => Some(points),
                _ => None,
            })
            .collect();
        for (title, place) in lines(&window) {
            let crosses = |[from, to]: &&[Pos2; 2]| {
                place.y_range().contains(from.y) && to.x > place.left() && from.x < place.right() + 20.0
            };
            assert_eq!(rules.iter().filter(crosses).count(), 0, "{title}");
        }
        // Rules below headings are as wide as the columns; the keys of lines end there.
        for (title, keys) in [("Save panel…", "Ctrl+S"), ("Previous view", "Backspace"), ("Line profile", "L")] {
            let is_of_line = |label: String| label == keys || label.starts_with(&format!("{keys} or "));
            let keys = window.get_by(|node| node.label().or(node.value()).is_some_and(is_of_line)).rect();
            let title_place = places(&window, title)[0];
            let is_above =
                |[from, _]: &&[Pos2; 2]| from.y < title_place.top() && (from.x - title_place.left()).abs() < 1.0;
            let rule = rules.iter().filter(is_above).max_by(|a, b| a[0].y.total_cmp(&b[0].y)).expect("a rule");
            assert!((rule[1].x - keys.right()).abs() < 1.0, "{title}: {rule:?} {keys:?}");
            assert!((264.0..=282.0).contains(&(rule[1].x - rule[0].x)), "{rule:?}");
            assert!((title_place.center().y - keys.center().y).abs() <= 1.0, "{title}");
        }
        // Lines of a group have one distance.
        let tops = group.map(|title| places(&window, title)[0].top());
        assert!(tops.windows(2).all(|pair| pair[1] - pair[0] == pitch), "{tops:?}");
    }
}

#[test]
fn keys_are_in_the_middle_of_their_caps() {
    for (extent, height) in [(list_common as fn(&mut Window), 22.0), (list_all, 16.0)] {
        let mut window = sized([1280.0, 852.0]);
        extent(&mut window);
        let (mut caps, mut found) = (Vec::new(), Vec::new());
        for shape in dialog_shapes(&window) {
            match shape {
                Shape::Rect(shape) if (shape.rect.height() - height).abs() < 0.1 => {
                    caps.push(shape.rect);
                }
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
        for key in ["G", "K", "Shift", "Backspace", "Drag"] {
            assert!(seen.contains(key), "{key}");
        }
        // Caps of a chord have one gap; between those of two commands stands a slash in a wider one, and keys that both hold stand
        // once.
        let mut of_lines = vec![("+ / −", &[15.0][..]), ("K / Shift+K", &[15.0, 3.0])];
        if height < 19.0 {
            of_lines.remove(0);
            of_lines.push(("PgDn / PgUp", &[15.0]));
            of_lines.push(("← / → / ↑ / ↓", &[3.0; 3]));
            of_lines.push(("Shift+← / Shift+→ / Shift+↑ / Shift+↓", &[3.0; 4]));
            of_lines.push(("Ctrl+PgDn / Ctrl+PgUp", &[3.0, 15.0]));
            assert!(["J", "Backtick", "←", "→", "↑", "↓"].iter().all(|key| seen.contains(key)));
        }
        for (line, gaps) in of_lines {
            for place in window.query_all_by_label(line).map(|node| node.rect()) {
                let mut of_line: Vec<&Rect> =
                    caps.iter().filter(|cap| place.expand(0.5).contains_rect(**cap)).collect();
                of_line.sort_by(|a, b| a.left().total_cmp(&b.left()));
                let found: Vec<f32> =
                    of_line.windows(2).map(|pair| (pair[1].left() - pair[0].right()).round()).collect();
                assert_eq!(found, gaps, "{line}: {of_line:?}");
            }
            assert!(window.query_all_by_label(line).count() > 0, "{line}");
        }
    }
}

#[test]
fn headings_and_essential_lines_have_the_colour_of_text_and_others_are_weak() {
    for theme in [Theme::Dark, Theme::Light] {
        for (extent, body) in [(list_common as fn(&mut Window), 13.0), (list_all, 12.0)] {
            let mut window = themed([1280.0, 852.0], theme);
            extent(&mut window);
            // Looks of the text below the head, from the left.
            let looks = |text: &str| {
                let mut found: Vec<(f32, Color32, f32)> = Vec::new();
                for shape in dialog_shapes(&window) {
                    if let Shape::Text(shape) = shape
                        && shape.galley.text() == text
                    {
                        let format = &shape.galley.job.sections[0].format;
                        let is_open = format.color == Color32::PLACEHOLDER;
                        let colour = if is_open { shape.fallback_color } else { format.color };
                        found.push((shape.pos.x, colour, format.font_id.size));
                    }
                }
                found.sort_by(|a, b| a.0.total_cmp(&b.0));
                found.into_iter().map(|(_, colour, size)| (colour, size)).collect::<Vec<_>>()
            };
            let title = looks("Inspect")[0].0;
            for (heading, _) in headings(&window) {
                assert!(looks(heading).contains(&(title, 15.0)), "{heading}: {:?}", looks(heading));
            }
            let [(weak, size)] = looks("Sample grid")[..] else { panic!("{:?}", looks("Sample grid")) };
            assert!(weak != title && size == body, "{weak:?}, {size}");
            let is_essential = headings(&window).iter().any(|(title, _)| *title == "Start here");
            assert_eq!(looks("Undo"), [(if is_essential { title } else { weak }, body)]);
        }
    }
}

#[test]
fn narrower_windows_list_keys_in_fewer_columns_of_whole_groups() {
    for (width, count) in [(1000.0, 3), (720.0, 2), (480.0, 1)] {
        let mut window = sized([width, 700.0]);
        list_all(&mut window);
        assert_eq!(columns(&window).len(), count, "{width}: {:?}", headings(&window));
        // The first and the last line of a group are below its heading.
        for (group, first, last) in
            [("Window", "Find…", "Close or cancel"), ("File", "Open…", "Quit"), ("Edit", "Undo", "Paste")]
        {
            let heading = headings(&window).into_iter().find(|(other, _)| *other == group).expect(group).1;
            for title in [first, last] {
                let is_below =
                    |line: &Rect| (line.left() - heading.left()).abs() < 3.0 && line.top() > heading.bottom();
                assert!(places(&window, title).iter().any(is_below), "{title} of {group} at {width}");
            }
        }
    }
}

#[test]
fn search_finds_each_line_once_in_its_own_group() {
    let mut window = basilica();
    list_common(&mut window);
    let number =
        |text: &str| text.strip_prefix("All ").and_then(|rest| rest.strip_suffix(" keys")?.parse::<usize>().ok());
    let all = texts(&window).iter().find_map(|(text, _)| number(text)).expect("the number of lines");
    assert_eq!(all, 109);
    let place = field(&window);
    type_text(&mut window, "histogram");
    assert_eq!(field(&window), place, "the dialog stays where it is");
    window.get_by_label("3 of 109");
    assert_eq!(
        headings(&window).iter().map(|(title, _)| *title).collect::<Vec<_>>(),
        ["Mouse and trackpad", "Inspect"]
    );
    // An essential line, and one that is not common.
    for (query, title) in [("undo", "Undo"), ("paste", "Paste"), ("wipe", "Wipe")] {
        press(&mut window, Modifiers::COMMAND, Key::A);
        type_text(&mut window, query);
        assert_eq!(places(&window, title).len(), 1, "{query}");
        assert!(headings(&window).iter().all(|(title, _)| !["Start here", "Look", "Change"].contains(title)));
        let found = lines(&window).len();
        window.get_by_label(&format!("{found} of 109"));
    }
    press(&mut window, Modifiers::COMMAND, Key::A);
    type_text(&mut window, "qqq");
    window.get_by_label("No key for “qqq”. Ctrl+Shift+P finds what has no key");
    window.get_by_label("0 of 109");
}
