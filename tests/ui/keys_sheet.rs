//! The sheet of the list of keys: its place, head and foot, without a screen.

use egui::epaint::RectShape;
use egui::{Color32, CornerRadius, Event, Key, Modifiers, MouseWheelUnit, Pos2, Rect, Role, Theme, TouchPhase};
use egui_kittest::kittest::Queryable as _;

use crate::harness::documents::{press, type_text};
use crate::harness::{Window, app};
use crate::keys::{HINT, close_button, field, headings, lines, list_all, list_common, places, sheet};
use crate::lists::{click_at, cut_texts, place_of, rects, sized, texts, themed};

#[test]
fn foot_says_what_the_line_under_the_pointer_does_and_there_is_no_tooltip() {
    for theme in [Theme::Dark, Theme::Light] {
        let mut window = themed([1280.0, 852.0], theme);
        list_common(&mut window);
        let hint = place_of(&window, HINT);
        let tooltips = |window: &Window| {
            let areas = window.ctx.memory(|memory| memory.areas().visible_layer_ids());
            areas.into_iter().filter(|layer| layer.order == egui::Order::Tooltip).count()
        };
        let fills = |window: &Window, place: Rect| {
            // As wide as a column: buttons of headers are behind the sheet.
            let is_behind = |shape: &RectShape| {
                shape.rect.contains_rect(place) && shape.rect.height() < 40.0 && shape.rect.width() >= 264.0
            };
            rects(window).into_iter().filter(is_behind).count()
        };
        for (title, help) in [
            ("Side by side", "Shows every panel in a place of its own"),
            ("Wipe", "Shows the focused panel and the next in one place, with a line between them to drag"),
            ("Turn", "Turns about the point where the drag began; with Alt in steps of 15°"),
        ] {
            let line = *places(&window, title).last().expect(title);
            assert_eq!(fills(&window, line), 0, "{title}");
            window.hover_at(line.center());
            window.run_steps(8);
            let text = format!("{title}  {help}");
            window.get_by_label(&text);
            let place = place_of(&window, &text);
            let is_at_hint =
                (place.left() - hint.left()).abs() < 2.0 && (place.center().y - hint.center().y).abs() < 2.0;
            assert!(is_at_hint, "{place:?} in place of {hint:?}");
            assert_eq!((tooltips(&window), fills(&window, line)), (0, 1), "{title}");
            assert!(texts(&window).iter().all(|(text, _)| text != HINT));
        }
        // Over a heading as over anything else that is no line.
        window.hover_at(headings(&window)[0].1.center());
        window.run_steps(8);
        assert_eq!(place_of(&window, HINT), hint);
    }
}

#[test]
fn sheet_has_round_corners_a_border_and_the_dimmed_window_around_it() {
    for theme in [Theme::Dark, Theme::Light] {
        for (size, across) in [
            ([1920.0, 1080.0], [485.0, 349.0]),
            ([1600.0, 900.0], [325.0, 189.0]),
            ([1280.0, 860.0], [165.0, 29.0]),
            ([1000.0, 700.0], [25.0, 18.0]),
            ([640.0, 440.0], [8.0; 2]),
        ] {
            let mut window = themed(size, theme);
            let mut frees = Vec::new();
            for (extent, across) in ["Keys: Common", "Keys: All 109 keys"].into_iter().zip(across) {
                if window.query_by_label(extent).is_none() {
                    list_common(&mut window);
                }
                window.get_by_label(extent).click();
                window.run_ok();
                let (sheet, whole) = (sheet(&window), window.ctx.content_rect());
                let (left, right) = (sheet.rect.left() - whole.left(), whole.right() - sheet.rect.right());
                let (top, bottom) = (sheet.rect.top() - whole.top(), whole.bottom() - sheet.rect.bottom());
                // It is in the middle between toolbar and status line. The common keys leave more of the window free.
                let is_as_wide = (left - across).abs() <= 1.0 && (right - left).abs() <= 1.0;
                let [above, below] = [top - 40.0, bottom - 32.0];
                assert!(
                    is_as_wide && above >= 0.0 && (below - above).abs() <= 1.0,
                    "{size:?}, {extent}: {:?}",
                    sheet.rect
                );
                frees.push(above);
                assert_eq!(
                    (sheet.corner_radius, sheet.stroke.width, sheet.fill.a()),
                    (CornerRadius::same(8), 1.0, 255)
                );
            }
            assert_eq!(frees[0] > frees[1] + 20.0, size[1] > 440.0, "{size:?}: {frees:?}");
        }
    }
}

#[test]
fn head_of_the_sheet_is_one_row_whose_choice_is_one_control() {
    for theme in [Theme::Dark, Theme::Light] {
        for (size, side) in [([1600.0, 900.0], 24.0), ([1280.0, 852.0], 24.0), ([900.0, 700.0], 16.0)] {
            let mut window = themed(size, theme);
            list_common(&mut window);
            let (sheet, field, close) = (sheet(&window).rect, field(&window), close_button(&window));
            let [common, all] = ["Keys: Common", "Keys: All "].map(|name| window.get_by_label_contains(name).rect());
            let title = place_of(&window, "Keys");
            // The drawing of the button, not its area, ends where the contents end.
            let ends = [title.left() - sheet.left() - side, sheet.right() - (close.right() - 8.0) - side];
            assert!(ends.iter().all(|off| off.abs() < 3.0), "{ends:?}: {title:?} {close:?} in {sheet:?}");
            let row = [title, field, common, all, close];
            assert!(row.is_sorted_by(|a, b| a.right() <= b.left() + 0.1), "{row:?}");
            assert!(row.iter().all(|part| (part.center().y - field.center().y).abs() < 4.0), "{row:?}");
            // The field fills what the others leave.
            let gaps = [common.left() - field.right(), close.left() - all.right()];
            assert!(gaps.iter().all(|gap| (4.0..24.0).contains(gap)), "{gaps:?}");
            // One outline is around both segments.
            assert!((all.left() - common.right()).abs() < 0.5, "{common:?} {all:?}");
            let is_outline = |shape: &RectShape| {
                (shape.rect.left() - common.left()).abs() < 0.5
                    && (shape.rect.right() - all.right()).abs() < 0.5
                    && shape.stroke.width > 0.0
                    && shape.fill == Color32::TRANSPARENT
            };
            assert_eq!(rects(&window).iter().filter(|shape| is_outline(shape)).count(), 1);
        }
    }
}

#[test]
fn list_in_a_small_window_scrolls_between_head_and_foot() {
    let mut window = sized([640.0, 440.0]);
    list_common(&mut window);
    let (head, foot, sheet) = (field(&window), place_of(&window, HINT), sheet(&window).rect);
    assert!(sheet.contains_rect(foot) && sheet.contains_rect(head));
    let before = places(&window, "Open…")[0];
    window.hover_at(before.center());
    window.run_ok();
    // A description that one line has no room for has a second one.
    let longest = *places(&window, "Flip to the other panel").first().expect("a line");
    window.event(Event::MouseWheel {
        unit: MouseWheelUnit::Point,
        delta: egui::vec2(0.0, -(longest.center().y - 240.0)),
        phase: TouchPhase::Move,
        source: egui::MouseWheelSource::Unknown,
        modifiers: Modifiers::NONE,
    });
    window.run_steps(20);
    assert!(places(&window, "Open…")[0].top() < before.top() - 20.0, "the list scrolls");
    assert_eq!(field(&window), head, "the head stays");
    let line = *places(&window, "Flip to the other panel").first().expect("a line");
    assert!(line.top() > head.bottom() && line.bottom() < foot.top(), "{line:?}");
    window.hover_at(line.center());
    window.run_steps(4);
    let text = texts(&window).into_iter().find(|(text, _)| text.starts_with("Flip to the other panel  A tap"));
    let (text, place) = text.expect("the description");
    assert!(sheet.contains_rect(place) && text.ends_with("the panel itself"), "{place:?} in {sheet:?}");
    assert!(!cut_texts(&window).contains(&text));
}

#[test]
fn number_of_found_keys_is_in_the_field_in_each_window() {
    for width in [1280.0, 760.0, 700.0, 640.0, 480.0] {
        let mut window = sized([width, 440.0]);
        list_common(&mut window);
        type_text(&mut window, "zoom");
        let (text, count) =
            texts(&window).into_iter().find(|(text, _)| text.ends_with(" of 109")).expect("the number of lines");
        let (field, all) = (field(&window), window.get_by_label_contains("Keys: All ").rect());
        let close = close_button(&window);
        assert!(field.right() < all.left() && all.right() < close.left(), "{field:?} {all:?} {close:?} at {width}");
        // It is at the end of the field, before the icon, and behind what is typed.
        let typed = place_of(&window, "zoom");
        assert!(field.contains_rect(count) && typed.right() < count.left(), "{text} at {count:?} in {field:?}");
    }
}

#[test]
fn click_beside_the_sheet_closes_it_and_one_on_it_does_not() {
    let mut window = sized([1280.0, 852.0]);
    list_common(&mut window);
    let sheet = sheet(&window).rect;
    let heading = headings(&window)[0].1;
    click_at(&mut window, heading.center());
    assert!(window.query_by_label("Keys: Common").is_some());
    click_at(&mut window, Pos2::new(sheet.left() - 12.0, sheet.center().y));
    assert!(window.query_by_label("Keys: Common").is_none());
}

#[test]
fn click_on_the_line_of_one_command_runs_it_and_closes_the_list() {
    let mut window = sized([1280.0, 852.0]);
    let is_listed = |window: &Window| window.query_by_label("Keys: Common").is_some();
    // Lines of the pointer, and of two commands, say what they do and no more.
    list_common(&mut window);
    for title in ["Zoom to rectangle", "Next / previous method"] {
        let line = places(&window, title)[0].center();
        click_at(&mut window, line);
        assert!(is_listed(&window), "{title}");
    }
    press(&mut window, Modifiers::NONE, Key::Escape);
    for (title, count) in [("Add panel", 5), ("Close panel", 4)] {
        list_all(&mut window);
        let line = places(&window, title)[0].center();
        click_at(&mut window, line);
        assert_eq!((app(&window).session().panels().len(), is_listed(&window)), (count, false), "{title}");
    }
}

#[test]
fn enter_runs_the_only_line_that_a_search_finds_and_the_palette_has_its_key() {
    let mut window = sized([1280.0, 852.0]);
    list_common(&mut window);
    type_text(&mut window, "panel");
    press(&mut window, Modifiers::NONE, Key::Enter);
    assert!(app(&window).session().panels().len() == 4 && lines(&window).len() > 1, "several lines are found");
    // The field is typed into as before.
    press(&mut window, Modifiers::COMMAND, Key::A);
    type_text(&mut window, "duplicate");
    assert_eq!(lines(&window).iter().map(|(title, _)| title.as_str()).collect::<Vec<_>>(), ["Duplicate panel"]);
    press(&mut window, Modifiers::NONE, Key::Enter);
    assert_eq!(app(&window).session().panels().len(), 5);
    assert!(window.query_by_label("Keys: Common").is_none());
    list_common(&mut window);
    press(&mut window, Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::P);
    assert!(window.query_by_label("Keys: Common").is_none());
    window.get_by_role_and_label(Role::TextInput, "Find a command or a value");
}
