//! Headers of panels, and the status line, in wide and in narrow places: names stay, what has no room is in a menu or said to
//! be there, and nothing lies over anything else.

use egui::{Color32, FontFamily, FontId, Key, Modifiers, Pos2, Rect, Role, Shape, Theme, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lerpscope::app::{Framing, Lerpscope, PanelArea, PanelLayout};
use lerpscope::backend::CpuBackend;
use lerpscope::image::{self, Channels, Depth, Image, Page, Raster, Samples, Size};
use lerpscope::sampling::{AddressMode, METHODS, Method, Sampler, SamplingPath};
use lerpscope::view::View;

use crate::harness::painted::{shapes, texts};
use crate::harness::{Window, app, window_of};

/// A header's height, and a name's letters, in points.
const HEIGHT: f32 = 30.0;
const LETTERS: f32 = 13.0;

/// The windows: their size, how panels stand in them, and the pixels of a point.
const WINDOWS: [([f32; 2], PanelLayout, f32); 4] = [
    ([1280.0, 860.0], PanelLayout::Grid, 1.0),
    ([900.0, 600.0], PanelLayout::Grid, 2.0),
    ([900.0, 600.0], PanelLayout::Row, 1.0),
    ([640.0, 440.0], PanelLayout::Grid, 1.25),
];

fn open((size, layout, ppp): ([f32; 2], PanelLayout, f32), samplers: Vec<Sampler>, theme: Theme) -> Window {
    let builder = Harness::builder().with_size(size).with_pixels_per_point(ppp).with_theme(theme).with_max_steps(64);
    let mut window = window_of(builder, move |ctx| {
        let images = vec![image::embedded().expect("the embedded image").image];
        let mut app = Lerpscope::new(ctx, images, Box::new(CpuBackend::new())).expect("an image");
        app.arrange(&samplers);
        app.set_layout(layout);
        app
    });
    window.run();
    window
}

/// One panel of each method, and a prefiltered one.
fn samplers() -> Vec<Sampler> {
    let mut samplers: Vec<Sampler> = METHODS.iter().map(|row| Sampler::default().with_method(row.method)).collect();
    samplers.push(Sampler { prefilter: true, ..samplers[Method::BSPLINE.position().expect("a row")] });
    samplers
}

/// The buttons within `place`, by their names.
fn buttons(window: &Window, place: Rect) -> Vec<(String, Rect)> {
    let nodes = window.query_all_by(|node| node.role() == Role::Button && !node.is_hidden());
    let named = nodes.map(|node| (node.accesskit_node().label().unwrap_or_default(), node.rect()));
    named.filter(|(_, rect)| place.contains(rect.center())).collect()
}

/// The header over the picture called `name`.
fn header(window: &Window, name: &str) -> Rect {
    let picture = window.get_by_label(name).rect();
    Rect::from_min_max(picture.left_top() - vec2(0.0, HEIGHT), picture.right_top())
}

fn assert_apart(found: &[(String, Rect)], within: Rect) {
    for (place, (name, rect)) in found.iter().enumerate() {
        assert!(within.expand(0.5).contains_rect(*rect), "{name} at {rect:?} is not within {within:?}");
        for (other, over) in &found[..place] {
            let both = rect.intersect(*over);
            assert!(both.width() <= 0.5 || both.height() <= 0.5, "{name} at {rect:?} lies over {other} at {over:?}");
        }
    }
}

#[test]
fn narrow_header_keeps_the_method_name_and_folds_the_rest() {
    for theme in [Theme::Dark, Theme::Light] {
        for place in WINDOWS {
            let in_row = if place.1 == PanelLayout::Row { 6 } else { 9 };
            for samplers in [samplers(), samplers().into_iter().rev().collect()] {
                let window = open(place, samplers.into_iter().take(in_row).collect(), theme);
                check_headers(&window);
            }
        }
    }
}

fn check_headers(window: &Window) {
    let width = |text: &str| {
        let font = FontId::proportional(LETTERS);
        window.ctx.fonts_mut(|fonts| fonts.layout_no_wrap(text.to_owned(), font, Color32::WHITE).size().x)
    };
    for (index, panel) in app(window).session().panels().iter().enumerate() {
        let row = panel.sampler.method.row().expect("a named method");
        let name = app(window).session().panel_name(index).whole();
        let within = header(window, &format!("Panel {}: {name}", index + 1));
        let found = buttons(window, within);
        assert_apart(&found, within);
        let name = found.iter().find(|(name, _)| name == row.title).expect("the method's name").1;
        let is_whole = [row.title, row.title.split(" (").next().unwrap_or_default(), row.short]
            .iter()
            .any(|text| name.width() >= width(text) + 8.0);
        assert!(is_whole, "{} is cut in {within:?}", row.title);
    }
}

/// A window of nine panels of a reduced colour picture, whose headers all have the chips of `sampler`.
fn nine_of_a_colour_picture(size: [f32; 2], ppp: f32, sampler: Sampler) -> Window {
    let builder = Harness::builder().with_size(size).with_pixels_per_point(ppp).with_max_steps(64);
    let mut window = window_of(builder, move |ctx| {
        let size = Size::new(3000, 2000).expect("a size");
        let page = Page::new(Raster::zeros(size, Channels::Rgb, Depth::EIGHT));
        let images = vec![Image::new("colours.png", vec![page]).expect("an image")];
        let mut app = Lerpscope::new(ctx, images, Box::new(CpuBackend::new())).expect("an image");
        let of_method = |of_row: Sampler| Sampler { antialias: true, ..sampler.with_method(of_row.method) };
        let mut nine: Vec<Sampler> = samplers().into_iter().map(of_method).collect();
        nine[8].prefilter = true;
        app.arrange(&nine);
        app
    });
    window.run();
    window
}

/// Values come before chips that all panels have, and the headers stay alike.
#[test]
fn headers_of_nine_panels_of_a_colour_picture_show_the_values_under_the_cursor_whole() {
    for sampler in [Sampler::default(), Sampler { address: [AddressMode::Mirror; 2], ..Sampler::default() }] {
        for (size, ppp) in
            [([1280.0, 860.0], 1.0), ([1440.0, 900.0], 1.5), ([1440.0, 900.0], 1.0), ([1920.0, 1080.0], 1.0)]
        {
            let mut window = nine_of_a_colour_picture(size, ppp, sampler);
            let names: Vec<String> = (0..9)
                .map(|index| format!("Panel {}: {}", index + 1, app(&window).session().panel_name(index).whole()))
                .collect();
            window.hover_at(window.get_by_label(&names[4]).rect().center());
            window.run();
            for (index, name) in names.iter().enumerate() {
                let within = header(&window, name);
                let value = format!("Value of {}: ", app(&window).session().panel_name(index).numbered());
                let nodes = window.query_all_by(|node| node.role() == Role::Label && !node.is_hidden());
                let shown = nodes.map(|node| (node.accesskit_node().value().unwrap_or_default(), node.rect()));
                let shown: Vec<(String, Rect)> = shown.filter(|(_, rect)| within.contains(rect.center())).collect();
                let value = shown.iter().find(|(text, _)| text.starts_with(&value));
                // A wide window has all values in the status line.
                let numbered = app(&window).session().panel_name(index).numbered();
                let in_line = window
                    .query_all_by(|node| node.value().is_some_and(|text| text.starts_with(&format!("{numbered} "))));
                if value.is_none() && in_line.count() > 0 {
                    assert!(size[0] > 1900.0, "{name} at {size:?}");
                    continue;
                }
                let (_, place) = value.unwrap_or_else(|| panic!("no value in {name} at {size:?}: {shown:?}"));
                assert!(within.contains_rect(*place), "{place:?} in {within:?}");
                let found = buttons(&window, within);
                assert!(found.iter().all(|(_, rect)| rect.right() <= place.left() || rect.left() >= place.right()));
                assert!(
                    index == 0 || found.iter().all(|(text, _)| !text.starts_with("all panels: ")),
                    "{size:?}: {found:?}"
                );
            }
            // Where the pointer leaves the pictures nothing moves.
            let before: Vec<_> = names.iter().map(|name| buttons(&window, header(&window, name))).collect();
            window.hover_at(Pos2::new(1.0, 1.0));
            window.run();
            let after: Vec<_> = names.iter().map(|name| buttons(&window, header(&window, name))).collect();
            assert_eq!(before, after, "{size:?}");
        }
    }
}

/// Panels of one method are told apart in every window by what differs: its chip is the last that leaves a header.
#[test]
fn headers_of_one_method_say_what_differs_in_every_width() {
    let bspline = Sampler { antialias: true, ..Sampler::default().with_method(Method::BSPLINE) };
    let modes = [AddressMode::Clamp, AddressMode::Border, AddressMode::Wrap, AddressMode::Mirror];
    let by_mode: Vec<Sampler> = modes.map(|mode| Sampler { address: [mode; 2], prefilter: true, ..bspline }).to_vec();
    let by_prefilter: Vec<Sampler> = [false, true].map(|prefilter| Sampler { prefilter, ..bspline }).to_vec();
    for place in WINDOWS {
        for samplers in [&by_mode, &by_prefilter] {
            let window = open(place, samplers.clone(), Theme::Dark);
            for index in 0..samplers.len() {
                let name = app(&window).session().panel_name(index);
                let within = header(&window, &format!("Panel {}: {}", index + 1, name.whole()));
                let found = buttons(&window, within);
                let whole = name.to_string();
                let (_, differs) = whole.split_once(" · ").expect("what differs");
                assert!(found.iter().any(|(button, _)| button == differs), "{place:?}: {differs} of {found:?}");
                assert_apart(&found, within);
            }
        }
    }
}

/// The icon of a caret as a character, and half of the width of what is drawn of it, in points.
const CARET: &str = "\u{e008}";
const HALF_CARET: f32 = 3.2;

#[test]
fn headers_of_the_smallest_window_have_whole_names_carets_and_menus() {
    let methods: Vec<Sampler> = METHODS.iter().map(|row| Sampler::default().with_method(row.method)).collect();
    for ppp in [1.0, 1.25, 1.5, 2.0] {
        let window = open(([640.0, 440.0], PanelLayout::Grid, ppp), methods.clone(), Theme::Dark);
        for (index, row) in METHODS.iter().enumerate() {
            let name = app(&window).session().panel_name(index).whole();
            let within = header(&window, &format!("Panel {}: {name}", index + 1));
            let painted = texts(&window, within);
            let [number, name, caret, chips @ .., _] = &painted[..] else { panic!("{ppp}: {painted:?}") };
            assert!(chips.iter().all(|(text, _)| text == "+1") && chips.len() <= 1, "{ppp}: {painted:?}");
            assert_eq!((number.0.as_str(), caret.0.as_str()), ((index + 1).to_string().as_str(), CARET), "{ppp}");
            let title = row.title.split(" (").next().unwrap_or_default();
            assert!([title, row.short].contains(&name.0.as_str()), "{ppp}: {painted:?}");
            let menu = buttons(&window, within).into_iter().find(|(name, _)| name.ends_with(" menu"));
            let menu = menu.expect("the panel's menu").1;
            let caret = caret.1.center().x;
            assert!(
                name.1.right() + 2.0 <= caret - HALF_CARET && caret + HALF_CARET + 2.0 <= menu.left(),
                "{painted:?}"
            );
            assert!(menu.right() <= within.right() + 0.5, "{menu:?} in {within:?}");
        }
    }
}

/// Otherwise one looks for what the neighbour has.
#[test]
fn headers_have_the_buttons_of_their_menus_all_or_none() {
    let mut counts = Vec::new();
    for width in (400..1300).step_by(60) {
        let window = open(([width as f32, 440.0], PanelLayout::Grid, 1.0), samplers(), Theme::Dark);
        let count = window.query_all_by(|node| {
            let name = node.label().unwrap_or_default();
            node.role() == Role::Button && name.starts_with("Panel ") && name.ends_with(" menu")
        });
        counts.push(count.count());
    }
    let all = samplers().len();
    assert!(counts.iter().all(|count| [0, all].contains(count)), "{counts:?}");
    assert!(counts.contains(&0) && counts.contains(&all), "{counts:?}");
}

/// Two buttons beside each other are told apart by the caret of the first.
#[test]
fn header_with_the_button_of_the_menu_has_the_caret_of_the_methods() {
    for place in WINDOWS {
        let count = if place.1 == PanelLayout::Row { 6 } else { 9 };
        let window = open(place, samplers().into_iter().take(count).collect(), Theme::Dark);
        let mut menus = 0;
        for index in 0..count {
            let name = app(&window).session().panel_name(index).whole();
            let within = header(&window, &format!("Panel {}: {name}", index + 1));
            let painted = texts(&window, within);
            let has_caret = painted.iter().any(|(text, _)| text == CARET);
            let has_menu = buttons(&window, within).iter().any(|(name, _)| name.ends_with(" menu"));
            assert!(has_caret || !has_menu, "{painted:?}");
            assert!(painted.iter().all(|(text, _)| !text.contains('…')), "{painted:?}");
            menus += usize::from(has_menu);
        }
        assert!([0, count].contains(&menus), "{place:?}: {menus}");
    }
}

/// Distances from the dot to the number, and from there to the name, in a header.
fn gaps_of_name(window: &Window, within: Rect, name: &str) -> [f32; 2] {
    let painted = texts(window, within);
    let at = painted.iter().position(|(text, _)| text == name).expect(name);
    let number = painted[at - 1].1;
    let dot = shapes(window).into_iter().filter_map(|shape| match shape {
        Shape::Circle(dot) if within.contains(dot.center) && dot.center.x < number.left() => {
            Some(dot.center.x + dot.radius)
        }
        _ => None,
    });
    [number.left() - dot.fold(0.0, f32::max), painted[at].1.left() - number.right()]
}

#[test]
fn names_of_a_comparison_stand_as_in_a_panel_with_the_exchange_behind_them() {
    let pair = [Method::BSPLINE, Method::CATMULL_ROM].map(|method| Sampler::default().with_method(method));
    let mut window = open(WINDOWS[0], pair.to_vec(), Theme::Dark);
    let panel = |window: &Window, index: usize| {
        let name = app(window).session().panel_name(index).whole();
        header(window, &format!("Panel {}: {name}", index + 1))
    };
    let gaps = ["Cubic B-spline", "Catmull-Rom"].map(|name| {
        let index = usize::from(name == "Catmull-Rom");
        gaps_of_name(&window, panel(&window, index), name)
    });
    for (key, sign, painted_sign) in [(Key::D, "−", "minus"), (Key::W, "|", "|")] {
        window.key_press_modifiers(Modifiers::NONE, key);
        window.run();
        let title = if key == Key::D { "Difference" } else { "Wipe" };
        let within = header(&window, &format!("{title}: Cubic B-spline (bicubic) {sign} Catmull-Rom"));
        for (name, gaps) in ["Cubic B-spline", "Catmull-Rom"].into_iter().zip(gaps) {
            let found = gaps_of_name(&window, within, name);
            assert!(gaps.iter().zip(found).all(|(a, b)| (a - b).abs() < 0.6), "{name}: {found:?}, not {gaps:?}");
        }
        let painted = texts(&window, within);
        let place = |text: &str| painted.iter().find(|(found, _)| found == text).expect(text).1;
        let dot = shapes(&window).into_iter().find_map(|shape| match shape {
            Shape::Circle(dot) if within.contains(dot.center) && dot.center.x > place(painted_sign).right() => {
                Some(dot.center.x - dot.radius)
            }
            _ => None,
        });
        // As much is empty on both sides of the sign.
        let caret = painted.iter().find(|(text, _)| text == CARET).expect("a caret").1;
        let sign = place(painted_sign);
        let around = [sign.left() - caret.center().x - HALF_CARET, dot.expect("a dot") - sign.right()];
        assert!((around[0] - around[1]).abs() < 3.0 && around[0] > 6.0, "{around:?}");
        let exchange = window.get_by_label("Swap pair").rect();
        let second = buttons(&window, within).into_iter().find(|(name, _)| name.starts_with("Second panel"));
        let second = second.expect("the second name").1;
        assert!((0.0..8.0).contains(&(exchange.left() - second.right())), "{exchange:?} behind {second:?}");
    }
}

/// The name has a heavier font than the number beside it.
#[test]
fn names_have_a_medium_weight_and_numbers_a_regular_one() {
    let window = open(WINDOWS[0], samplers().into_iter().take(2).collect(), Theme::Dark);
    let within = header(&window, "Panel 1: Nearest (nerp)");
    let families = |wanted: &str| -> Vec<FontFamily> {
        let family = |shape| match shape {
            Shape::Text(shape) if shape.galley.text() == wanted && within.contains(shape.pos) => {
                Some(shape.galley.job.sections[0].format.font_id.family.clone())
            }
            _ => None,
        };
        shapes(&window).into_iter().filter_map(family).collect()
    };
    assert_eq!(families("Nearest"), [FontFamily::Name("Noto Sans Bold".into())]);
    assert_eq!(families("1"), [FontFamily::Proportional]);
}

#[test]
fn chips_stand_on_the_line_of_the_name() {
    let samplers = vec![Sampler { address: [AddressMode::Wrap; 2], ..Sampler::default() }, Sampler::default()];
    for ppp in [1.0, 1.5, 2.0] {
        let window = open(([1280.0, 860.0], PanelLayout::Grid, ppp), samplers.clone(), Theme::Dark);
        let within = header(&window, &format!("Panel 1: {}", app(&window).session().panel_name(0).whole()));
        let line = |text: &str| {
            shapes(&window).into_iter().find_map(|shape| match shape {
                Shape::Text(shape) if shape.galley.text() == text && within.contains(shape.pos) => {
                    let glyph = &shape.galley.rows[0].glyphs[0];
                    Some(shape.pos.y + shape.galley.rows[0].pos.y + glyph.pos.y)
                }
                _ => None,
            })
        };
        let (name, chip) = (line("Linear"), line("wrap"));
        let difference = name.zip(chip).map(|(name, chip)| (name - chip).abs());
        assert!(difference.is_some_and(|points| points < 0.05), "{name:?}, {chip:?} at {ppp}");
    }
}

#[test]
fn texts_of_the_status_line_stand_on_one_line() {
    for ppp in [1.0, 1.5, 2.0] {
        let mut window = open(([1280.0, 860.0], PanelLayout::Grid, ppp), vec![Sampler::default(); 2], Theme::Dark);
        // Labels of the side bar that are scrolled away lie below it.
        window.key_press_modifiers(Modifiers::COMMAND, Key::B);
        window.run();
        let mut lines = |expected: usize| {
            let texts = shapes(&window).into_iter().filter_map(|shape| match shape {
                // Icons are letters of their own. The window of a test has a margin of 8 points.
                Shape::Text(text)
                    if text.pos.y > 860.0 - 8.0 - 28.0 && text.galley.text().contains(char::is_alphanumeric) =>
                {
                    let (row, glyph) = (&text.galley.rows[0], &text.galley.rows[0].glyphs[0]);
                    Some((text.galley.text().to_owned(), text.pos.y + row.pos.y + glyph.pos.y))
                }
                _ => None,
            });
            let texts: Vec<(String, f32)> = texts.collect();
            assert!(texts.len() >= expected, "{texts:?}");
            assert!(texts.iter().all(|(_, line)| (line - texts[0].1).abs() < 0.05), "{texts:?} at {ppp}");
            window.hover_at(egui::pos2(200.0, 300.0));
            window.run();
        };
        // The hint, then the position and the values of both panels; with them the unit.
        lines(2);
        lines(5);
    }
}

/// Which chips a header of panel 1 shows, and which of their properties its menu has.
fn chips_and_items(window: &mut Window) -> ([bool; 3], [bool; 3]) {
    let name = app(window).session().panel_name(0).whole();
    let within = header(window, &format!("Panel 1: {name}"));
    let found = buttons(window, within);
    let shown =
        ["wrap", "prefiltered", "exact, texture reads"].map(|name| found.iter().any(|(found, _)| found == name));
    let menu = found.iter().find(|(name, _)| name == "Panel 1 menu").unwrap_or(&found[0]).1;
    window.hover_at(menu.center());
    window.drag_at(menu.center());
    window.drop_at(menu.center());
    window.run();
    let items: Vec<(String, Rect)> =
        buttons(window, Rect::EVERYTHING).into_iter().filter(|(_, rect)| rect.top() > within.bottom()).collect();
    let in_menu = ["Address mode: Wrap", "Prefilter", "Sampling: Exact, texture reads"];
    let in_menu = in_menu.map(|name| items.iter().any(|(found, _)| found == name));
    window.key_press(Key::Escape);
    window.run();
    (shown, in_menu)
}

#[test]
fn header_omits_its_last_chips_and_the_menu_has_every_property() {
    let mut sampler = Sampler { prefilter: true, ..Sampler::default().with_method(Method::BSPLINE) };
    (sampler.address, sampler.path) = ([AddressMode::Wrap; 2], SamplingPath::Lookup);
    let mut counts = Vec::new();
    for panels in 1..=6 {
        let window = (([1100.0, 600.0]), PanelLayout::Row, 1.0);
        let mut window = open(window, vec![sampler; panels], Theme::Dark);
        let (shown, in_menu) = chips_and_items(&mut window);
        assert_eq!(in_menu, [true; 3], "{panels} panels");
        assert!(shown.is_sorted_by(|a, b| a >= b), "the address mode stays longest: {shown:?}");
        counts.push(shown.into_iter().filter(|is_shown| *is_shown).count());
    }
    assert!(counts.is_sorted_by(|a, b| a >= b), "{counts:?}");
    assert_eq!((counts.first(), counts.last()), (Some(&3), Some(&0)));
}

#[test]
fn address_mode_is_changed_in_the_menu_of_the_panel() {
    let mut window = open(WINDOWS[0], samplers(), Theme::Dark);
    window.get_by_label("Panel 5 menu").click();
    window.run();
    window.get_by_label("Address mode: Clamp").click();
    window.run();
    window.get_by_label("Mirror along y").click();
    window.run();
    let panel = &app(&window).session().panels()[4];
    assert_eq!(
        (panel.sampler.address, app(&window).session().focused()),
        ([AddressMode::Clamp, AddressMode::Mirror], 4)
    );
}

#[test]
fn comparison_header_keeps_both_names_and_the_gain() {
    for (key, area) in [(Key::W, PanelArea::Wipe([0, 1])), (Key::D, PanelArea::Difference([0, 1]))] {
        for place in WINDOWS {
            let pair = [Method::BSPLINE, Method::MITCHELL].map(|method| Sampler::default().with_method(method));
            let mut window = open(place, pair.to_vec(), Theme::Dark);
            window.key_press_modifiers(Modifiers::NONE, key);
            window.run();
            assert_eq!(app(&window).session().areas(), [area]);
            let (title, between) = if key == Key::W { ("Wipe", "|") } else { ("Difference", "−") };
            let name = format!("{title}: Cubic B-spline (bicubic) {between} Mitchell-Netravali");
            let mut within = header(&window, &name);
            if key == Key::D {
                // The header of a difference spans the colour bar beside its picture.
                within.max.x = window.get_by_label_contains("Colour bar").rect().right();
            }
            // With a value under the cursor, which has no room everywhere.
            window.hover_at(within.center() + vec2(20.0, 100.0));
            window.run();
            let found = buttons(&window, within);
            assert_apart(&found, within);
            let has = |name: &str| found.iter().any(|(found, _)| found.starts_with(name));
            assert!(has("First panel") && has("Second panel") && has("Side by side"), "{found:?}");
            assert_eq!(has("More gain"), key == Key::D, "{found:?}");
            assert!(found.iter().all(|(_, rect)| rect.size().min_elem() > 23.9), "{found:?}");
            assert!(has("Swap pair") || has("Comparison menu"), "{found:?}");
        }
    }
}

#[test]
fn values_that_the_status_line_has_no_room_for_are_in_the_headers_or_counted() {
    for (place, count) in [(WINDOWS[0], 4), (WINDOWS[0], 9), (WINDOWS[1], 9), (WINDOWS[2], 6)] {
        let mut window = open(place, samplers().into_iter().take(count).collect(), Theme::Dark);
        // Labels of the side bar that are scrolled away lie below it.
        window.key_press_modifiers(Modifiers::COMMAND, Key::B);
        window.run();
        let names: Vec<String> = (0..count).map(|index| app(&window).session().panel_name(index).numbered()).collect();
        for under_pointer in [count - 1, 1] {
            let name = app(&window).session().panel_name(under_pointer).whole();
            let picture = window.get_by_label(&format!("Panel {}: {name}", under_pointer + 1)).rect();
            // An inset is at an edge.
            window.hover_at(picture.min + picture.size() * vec2(0.45, 0.5));
            window.run();
            // The status line with the margin of the test's window.
            let top = place.0[1] - 28.0 - 16.0;
            let nodes = window.query_all_by(|node| node.role() == Role::Label && !node.is_hidden());
            let named = nodes.map(|node| (node.accesskit_node().value().unwrap_or_default(), node.rect()));
            let (pieces, others): (Vec<_>, Vec<_>) = named.partition(|(_, rect)| rect.top() >= top);
            let line = Rect::from_min_max(egui::pos2(0.0, top), egui::pos2(place.0[0], place.0[1]));
            assert_apart(&pieces, line);
            let in_line = |name: &String| pieces.iter().any(|(text, _)| text.starts_with(&format!("{name} ")));
            let in_header =
                |name: &String| others.iter().any(|(text, _)| text.starts_with(&format!("Value of {name}: ")));
            assert!(in_line(&names[under_pointer]), "the panel under the pointer comes first: {pieces:?}");
            let more = pieces.iter().find_map(|(text, _)| text.strip_prefix('+'));
            let more: Option<usize> = more.map(|text| text.split(' ').next().unwrap_or_default().parse().expect(text));
            let missing = names.iter().filter(|name| !in_line(name) && !in_header(name)).count();
            assert_eq!(more.unwrap_or(0), missing, "{place:?}, {count}: {pieces:?} {others:?}");
            // Of more than four panels each header has the value.
            assert_eq!(count <= 4, names.iter().all(in_line), "{place:?}, {count}: {pieces:?}");
            assert!(count <= 4 || names.iter().all(in_header), "{place:?}, {count}: {others:?}");
            assert_eq!(missing, 0, "{place:?}: {pieces:?} {others:?}");
        }
    }
}

/// What all panels have alike stands once, in the status line where that has room and in the first header elsewhere, and is changed in all.
#[test]
fn chips_that_all_panels_have_stand_once_and_change_all_panels() {
    for (place, is_in_line) in [
        (WINDOWS[0], true),
        (([1000.0, 700.0], PanelLayout::Grid, 1.0), true),
        (([910.0, 700.0], PanelLayout::Grid, 1.0), false),
    ] {
        check_common_chips(place, is_in_line);
    }
}

fn check_common_chips(place: ([f32; 2], PanelLayout, f32), is_in_line: bool) {
    let sampler = Sampler { antialias: true, address: [AddressMode::Mirror; 2], ..Sampler::default() };
    let mut window = open(place, vec![sampler; 4], Theme::Dark);
    let samplers = |window: &Window| -> Vec<Sampler> {
        app(window).session().panels().iter().map(|panel| panel.sampler).collect()
    };
    let chips = |window: &Window, text: &str| -> Vec<Rect> {
        window.query_all_by_role_and_label(Role::Button, text).map(|node| node.rect()).collect()
    };
    let first = |window: &Window| {
        let name = app(window).session().panel_name(0).whole();
        header(window, &format!("Panel 1: {name}"))
    };
    if !is_in_line {
        // Without the side bar the first header has room for both.
        window.key_press_modifiers(Modifiers::COMMAND, Key::B);
        window.run();
    }
    for text in ["all panels: mirror", "all panels: antialiased"] {
        let found = chips(&window, text);
        let line = window.get_by_label("Unit of values").rect();
        let is_level = found.iter().all(|chip| (chip.center().y - line.center().y).abs() < 2.0);
        let is_there = if is_in_line { is_level } else { found.iter().all(|chip| first(&window).contains_rect(*chip)) };
        assert!(found.len() == 1 && is_there, "{text}: {found:?}");
    }
    assert!(["mirror", "antialiased"].iter().all(|text| chips(&window, text).is_empty()));
    window.get_by_role_and_label(Role::Button, "all panels: antialiased").click();
    window.run();
    assert!(samplers(&window).iter().all(|sampler| !sampler.antialias));
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    window.run();
    assert!(samplers(&window).iter().all(|sampler| sampler.antialias), "one step");
    window.get_by_role_and_label(Role::Button, "all panels: mirror").click();
    window.run();
    window.get_by_label("Wrap").click();
    window.run();
    assert!(samplers(&window).iter().all(|sampler| sampler.address == [AddressMode::Wrap; 2]));
    assert_eq!(chips(&window, "all panels: wrap").len(), 1);
    // What one panel has otherwise is said in each header.
    let mut state = app(&window).session().state();
    state.panels[2].sampler.address = [AddressMode::Mirror; 2];
    assert!(window.state_mut().as_mut().expect("the app").restore_state(&state));
    window.run();
    assert_eq!(["all panels: wrap", "wrap", "mirror"].map(|text| chips(&window, text).len()), [0, 3, 1]);
}

/// A line below each number has the colour of its channel: headers have no room for the letters of the status line.
#[test]
fn numbers_of_headers_have_the_colours_of_their_channels() {
    let channels = [[0xDC, 0x46, 0x3C], [0x3C, 0xAA, 0x50], [0x46, 0x78, 0xF0]];
    let channels = channels.map(|[red, green, blue]| Color32::from_rgb(red, green, blue));
    let mut window = nine_of_a_colour_picture([1280.0, 860.0], 1.0, Sampler::default());
    let name = format!("Panel 5: {}", app(&window).session().panel_name(4).whole());
    window.hover_at(window.get_by_label(&name).rect().center());
    (0..3).for_each(|_| {
        window.run();
    });
    let values: Vec<Rect> = window.query_all_by_label_contains("Value of ").map(|node| node.rect()).collect();
    assert_eq!(values.len(), 9);
    for value in values {
        let lines = shapes(&window).into_iter().filter_map(|shape| match shape {
            Shape::Rect(rect) if value.expand(0.5).contains_rect(rect.rect) && channels.contains(&rect.fill) => {
                Some(rect)
            }
            _ => None,
        });
        let mut lines: Vec<_> = lines.collect();
        lines.sort_by(|a, b| a.rect.left().total_cmp(&b.rect.left()));
        assert_eq!(lines.iter().map(|line| line.fill).collect::<Vec<_>>(), channels);
        let numbers = texts(&window, value);
        assert_eq!(numbers.len(), 3, "{numbers:?}");
        let decimals = |number: &str| number.split_once('.').map(|(_, decimals)| decimals.len());
        assert!(
            numbers.iter().all(|(number, _)| decimals(number) == Some(1)),
            "{numbers:?}: all have room for one decimal"
        );
        for ((number, place), line) in numbers.iter().zip(&lines) {
            assert!(place.bottom() < line.rect.top(), "{number}: {place:?} over {:?}", line.rect);
            assert!(line.rect.x_range().expand(1.0).contains(place.center().x), "{number}: {place:?} {:?}", line.rect);
        }
    }
}

/// Where headers show the values, the status line says how far the panel under the pointer is from the focused one.
#[test]
fn status_line_has_the_difference_from_the_focused_panel_beside_values_in_headers() {
    let mut window =
        open(([640.0, 440.0], PanelLayout::Grid, 1.0), samplers().into_iter().take(6).collect(), Theme::Dark);
    for under_pointer in [0, 2] {
        let name = app(&window).session().panel_name(under_pointer).whole();
        let picture = window.get_by_label(&format!("Panel {}: {name}", under_pointer + 1)).rect();
        // An inset is at the right.
        window.hover_at(picture.min + picture.size() * vec2(0.4, 0.35));
        (0..3).for_each(|_| {
            window.run();
        });
        let values = app(&window).reading().expect("a reading").values.clone();
        let difference = f64::from(values[0].1[0] - values[under_pointer].1[0]) * 255.0;
        let text = format!("1 − {} = {difference:+.2}", under_pointer + 1).replace('-', "−");
        let found = window.query_all_by(|node| node.value().is_some_and(|value| value.starts_with("1 − ")));
        let found: Vec<String> = found.filter_map(|node| node.value()).collect();
        let expected: Vec<String> = if under_pointer == 0 { vec![] } else { vec![text] };
        assert_eq!(found, expected, "of the focused panel there is none");
    }
}

/// Values come before everything but the names in windows of any size, and no header lacks what the others have.
#[test]
fn all_headers_show_their_values_or_none_does() {
    let mut with_values = 0;
    for size in [[640.0, 440.0], [760.0, 520.0], [900.0, 600.0], [960.0, 640.0], [1100.0, 700.0]] {
        for ppp in [1.0, 1.5, 2.0] {
            let mut window = nine_of_a_colour_picture(size, ppp, Sampler::default());
            let name = format!("Panel 5: {}", app(&window).session().panel_name(4).whole());
            window.hover_at(window.get_by_label(&name).rect().center());
            window.run();
            window.run();
            let values = window.query_all_by_label_contains("Value of ").count();
            assert!(values == 0 || values == 9, "{values} at {size:?}, {ppp}");
            with_values += usize::from(values == 9);
        }
    }
    assert_eq!(with_values, 15);
}

#[test]
fn values_in_headers_lie_beside_names_and_chips() {
    for place in [WINDOWS[1], ([760.0, 600.0], PanelLayout::Grid, 1.0)] {
        let mut window = open(place, samplers(), Theme::Dark);
        let pos = window.get_by_label("Panel 1: Nearest (nerp)").rect().center();
        window.hover_at(pos);
        window.run();
        window.run();
        let nodes = window.query_all_by_label_contains("Value of ");
        let values: Vec<Rect> = nodes.map(|node| node.rect()).collect();
        assert!(values.len() > 5, "{values:?}");
        for value in values {
            let row = value.expand2(vec2(4000.0, 0.0));
            let others = buttons(&window, row).into_iter().filter(|(_, rect)| rect.height() < 40.0);
            for (name, rect) in others {
                assert!(!rect.intersects(value.shrink(0.5)), "{name}: {rect:?} over {value:?}");
            }
        }
    }
}

#[test]
fn chips_without_room_are_counted_by_a_chip_with_the_menu_of_the_panel() {
    let sampler = Sampler { antialias: true, address: [AddressMode::Mirror; 2], ..Sampler::default() };
    let (mut counted, mut whole) = (0, 0);
    for panels in 1..=6 {
        let mut window = open(([900.0, 600.0], PanelLayout::Row, 1.0), vec![sampler; panels], Theme::Dark);
        let name = app(&window).session().panel_name(0).whole();
        let within = header(&window, &format!("Panel 1: {name}"));
        let found = buttons(&window, within);
        // Of several panels the chips are of all.
        let is_chip =
            |name: &str| ["mirror", "antialiased"].contains(&name.strip_prefix("all panels: ").unwrap_or(name));
        let chips = found.iter().filter(|(name, _)| is_chip(name)).count();
        let more = found.iter().find_map(|(name, _)| name.strip_prefix('+')?.parse::<usize>().ok());
        let has_menu = found.iter().any(|(name, _)| name.ends_with(" menu"));
        assert!(!has_menu || more.is_some() || chips == 2 || within.width() < 240.0, "{panels}: {found:?}");
        whole += usize::from(more.is_none() && chips == 2);
        let Some(more) = more else { continue };
        counted += 1;
        assert_eq!(chips + more, 2, "{panels}: {found:?}");
        window.query_all_by_label(&format!("+{more}")).next().expect("a chip").click();
        window.run();
        window.get_by_label("Address mode: Mirror");
    }
    assert!(counted > 0 && whole > 0, "{counted} {whole}");
}

/// The method menu's entries for kernels with parameters: chosen by their first entry, edited by their fields, named in the
/// header; fields of one kernel show the numbers of another that equals it.
#[test]
fn kernel_values_are_chosen_and_edited_in_the_method_menu() {
    let mut window = open(WINDOWS[0], vec![Sampler::default()], Theme::Dark);
    let method = |window: &Window| app(window).session().panels()[0].sampler.method;
    let click = |window: &mut Window, label: &str| {
        window.get_by_label(label).click();
        window.run();
    };
    window.get_by_role_and_label(Role::Button, &Method::Linear.title()).click();
    window.run();
    click(&mut window, "Hermite");
    assert_eq!(method(&window), Method::Hermite);
    window.get_by_role_and_label(Role::Button, "hermite").click();
    window.run();
    click(&mut window, "Lanczos (a)");
    click(&mut window, "lanczos=2.5");
    assert_eq!(method(&window), Method::lanczos(2.5).expect("in range"));
    // The field is edited while the menu stays open.
    let field = window.get_by_role_and_label(Role::SpinButton, "a");
    field.focus();
    window.run();
    window.key_press(Key::ArrowUp);
    window.run();
    let edited = method(&window);
    assert!(edited != Method::lanczos(2.5).expect("in range") && edited.form().name == "lanczos", "{edited}");
    window.key_press(Key::Escape);
    window.run();
    window.key_press(Key::Escape);
    window.run();
    assert!(window.query_all_by_role_and_label(Role::Button, &edited.title()).next().is_some(), "{edited}");
}

/// A blur that narrows kernels with negative lobes until their weights cancel: the methods' menu greys them.
#[test]
fn methods_with_cancelling_weights_are_greyed_out() {
    let sampler = Sampler { antialias: true, blur: 0.3, ..Sampler::default() };
    let mut window = open(WINDOWS[0], vec![sampler], Theme::Dark);
    let show_at = |window: &mut Window, scale: f64| {
        let mut state = app(window).session().state();
        state.panels[0].view = View::new([0.0; 2], scale).expect("a view");
        state.panels[0].framing = Framing::Free;
        assert!(window.state_mut().as_mut().expect("the app").restore_state(&state));
        window.run();
        window.get_by_role_and_label(Role::Button, &Method::Linear.title()).click();
        window.run();
        let is_greyed = |title: &str| window.get_all_by_label(title).all(|node| node.accesskit_node().is_disabled());
        let greyed = METHODS.iter().map(|row| is_greyed(row.title)).collect::<Vec<_>>();
        window.key_press(Key::Escape);
        window.run();
        greyed
    };
    let cancels: Vec<bool> = METHODS.iter().map(|row| row.method.kernel().min_stretch() > 0.36).collect();
    assert_eq!(show_at(&mut window, 1.2), cancels);
    assert_eq!(show_at(&mut window, 2.0), [false; 8]);
}

/// An audience reads names: the menus have no buttons of their own, and open from the names.
#[test]
fn headers_of_a_presentation_have_names_and_chips_and_no_menu_buttons() {
    let mut sampler = Sampler { prefilter: true, ..Sampler::default().with_method(Method::BSPLINE) };
    sampler.address = [AddressMode::Wrap; 2];
    let mut window = open(WINDOWS[0], vec![sampler, Sampler::default()], Theme::Dark);
    let has_menu = |window: &Window| window.query_by_label("Panel 1 menu").is_some();
    assert!(has_menu(&window));
    window.key_press(Key::F11);
    window.run();
    assert!(!has_menu(&window));
    for name in ["Cubic B-spline (bicubic)", "wrap", "prefiltered"] {
        window.get_by_role_and_label(Role::Button, name);
    }
    window.get_by_role_and_label(Role::Button, "Cubic B-spline (bicubic)").click();
    window.run();
    window.get_by_label("Address mode: Wrap");
    window.get_by_label("Mitchell-Netravali").click();
    window.run();
    assert_eq!(app(&window).session().panels()[0].sampler.method, Method::MITCHELL);
    window.key_press(Key::Escape);
    window.run();
    assert!(has_menu(&window));
}

#[test]
fn pointer_of_a_presentation_has_a_ring_in_every_panel_that_shows_its_position() {
    let rings = |window: &Window| -> Vec<Pos2> {
        let ring = |shape: Shape| match shape {
            Shape::Circle(circle) if circle.radius > 20.0 && circle.stroke.color == Color32::WHITE => {
                Some(circle.center)
            }
            _ => None,
        };
        shapes(window).into_iter().filter_map(ring).collect()
    };
    let mut window = open(WINDOWS[0], vec![Sampler::default(); 4], Theme::Dark);
    let places =
        |window: &Window| -> Vec<Rect> { window.query_all_by_role(Role::Image).map(|node| node.rect()).collect() };
    let at = places(&window)[0].center() + vec2(30.0, -20.0);
    window.hover_at(at);
    window.run();
    assert!(rings(&window).is_empty());
    window.key_press(Key::F11);
    window.run();
    let at = places(&window)[0].center() + vec2(30.0, -20.0);
    window.hover_at(at);
    window.run();
    let (found, places) = (rings(&window), places(&window));
    assert_eq!(found.len(), 4);
    for (ring, place) in found.iter().zip(&places) {
        let off = (*ring - place.min) - (at - places[0].min);
        assert!(off.length() <= 1.0, "{ring:?} in {place:?}");
    }
    window.key_press(Key::W);
    window.run();
    window.hover_at(window.ctx.content_rect().center() + vec2(100.0, 100.0));
    window.run();
    assert_eq!(rings(&window).len(), 1, "a wipe is one picture");
    window.key_press(Key::F11);
    window.run();
    assert!(rings(&window).is_empty());
}

#[test]
fn values_of_four_panels_of_a_colour_image_fit_with_the_letters_of_their_channels() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/formats/rgb.qoi");
    for (width, has_letters) in [(1280.0, true), (1000.0, false)] {
        let builder = Harness::builder().with_size([width, 860.0]).with_max_steps(64);
        let mut window = window_of(builder, move |ctx| {
            let images = vec![image::open(file.as_ref()).expect("an image").image];
            Lerpscope::new(ctx, images, Box::new(CpuBackend::new())).expect("an image")
        });
        window.run();
        window.hover_at(window.get_by_label("Panel 1: Nearest (nerp)").rect().center());
        window.run();
        let values = app(&window).reading().expect("a reading").values.clone();
        let names = ["1 Nearest", "2 Linear", "3 Cubic B-spline", "4 Catmull-Rom"];
        for (name, (_, values)) in names.into_iter().zip(values) {
            let channels = ["R", "G", "B"].iter().zip(values);
            let text = |(letter, value): (&&str, f32)| {
                if has_letters { format!("{letter} {:.2}", value * 255.0) } else { format!("{:.2}", value * 255.0) }
            };
            let label = format!("{name} {}", channels.map(text).collect::<Vec<_>>().join("  "));
            assert!(window.get_by_label(&label).rect().top() > 800.0, "{label}");
        }
    }
}

/// A B-spline without prefilter is another method than one with it: a header that has no room for its chip counts it. Where no panel has the
/// other one, the values with their letters come first.
#[test]
fn headers_of_the_smallest_window_count_their_own_chips_beside_values() {
    let size = Size::new(700, 700).expect("a size");
    let raster = Raster::zeros(size, Channels::Rgb, Depth::EIGHT);
    let image = Image::new("black", vec![Page::new(raster)]).expect("an image");
    let builder = Harness::builder().with_size([640.0, 440.0]).with_max_steps(64);
    let mut window =
        window_of(builder, move |ctx| Lerpscope::new(ctx, vec![image], Box::new(CpuBackend::new())).expect("an image"));
    window.run();
    for (pointed, is_told) in [(false, false), (true, false), (true, true)] {
        if is_told {
            let mut key = |modifiers, key| {
                window.key_press_modifiers(modifiers, key);
                window.run();
            };
            // Panel 4 is the B-spline with its prefilter.
            (0..3).for_each(|_| key(Modifiers::COMMAND, Key::Tab));
            key(Modifiers::SHIFT, Key::K);
            key(Modifiers::NONE, Key::P);
        }
        let name = app(&window).session().panel_name(2).whole();
        if pointed {
            let picture = window.get_by_label(&format!("Panel 3: {name}")).rect();
            window.hover_at(picture.min + picture.size() * vec2(0.2, 0.5));
            (0..3).for_each(|_| {
                window.run();
            });
            assert_eq!(window.query_all_by_label_contains("Value of ").count(), 4);
        }
        let within = header(&window, &format!("Panel 3: {name}"));
        let found = buttons(&window, within);
        let has_chip = found.iter().any(|(name, _)| name == "no prefilter" || name.starts_with("+1"));
        assert_eq!(has_chip, is_told, "{found:?}");
        // The look stands in the place of the values.
        assert_eq!(window.query_all_by_label("blurred").count(), usize::from(!pointed));
        assert!(has_chip || !pointed || window.query_all_by_label_contains(" R 0  G 0  B 0").count() == 4, "{found:?}");
    }
}

/// A number that is cut would be read as another one.
#[test]
fn no_text_of_the_status_line_is_cut_at_any_width() {
    let size = Size::new(40, 30).expect("a size");
    let mut random = fastrand::Rng::with_seed(3);
    // All numbers have three figures before the point.
    let values = (0..40 * 30 * 3).map(|_| random.u8(200..)).collect();
    let raster = Raster::new(size, Channels::Rgb, Samples::U8 { values, maxval: 255 }).expect("a raster");
    let bright = Image::new("bright", vec![Page::new(raster)]).expect("an image");
    let mut most_letters = 0;
    for width in (640..1600).step_by(40) {
        let images = vec![bright.clone()];
        let builder = Harness::builder().with_size([width as f32, 860.0]).with_max_steps(64);
        let mut window =
            window_of(builder, move |ctx| Lerpscope::new(ctx, images, Box::new(CpuBackend::new())).expect("an image"));
        window.run();
        window.hover_at(window.get_by_label("Panel 1: Nearest (nerp)").rect().center());
        (0..3).for_each(|_| {
            window.run();
        });
        let mut letters = 0;
        for clipped in &window.output().shapes {
            let Shape::Text(text) = &clipped.shape else { continue };
            let place = text.visual_bounding_rect();
            if place.top() > 860.0 - 28.0 {
                let content = text.galley.text();
                letters += usize::from(content.contains('R') && content.contains('.'));
                assert!(clipped.clip_rect.expand(0.5).contains_rect(place), "{content}: {place:?} at {width}");
            }
        }
        most_letters = most_letters.max(letters);
    }
    assert_eq!(most_letters, 4, "a wide window has the letters of all panels");
}

/// Toolbar, headers and status line begin and end as one.
#[test]
fn texts_and_dots_at_the_left_edge_of_a_wide_window_stand_one_above_the_other() {
    for theme in [Theme::Dark, Theme::Light] {
        let wide = ([1500.0, 860.0], PanelLayout::Grid, 1.0);
        let mut window = open(wide, samplers().into_iter().take(4).collect(), theme);
        let whole = window.get_by_label_contains("Panel 3: ").rect();
        // The position begins the status line once the pointer was over a picture.
        window.hover_at(whole.center());
        window.run();
        let first = |from: f32, to: f32| {
            let place = Rect::from_x_y_ranges(whole.left()..=whole.left() + 60.0, from..=to);
            texts(&window, place).first().map(|(_, rect)| rect.left()).expect("a text")
        };
        let (menu, status) = (first(0.0, 40.0), first(whole.bottom(), whole.bottom() + 40.0));
        let header = header(&window, &format!("Panel 3: {}", app(&window).session().panel_name(2).whole()));
        let dot = shapes(&window).into_iter().find_map(|shape| match shape {
            Shape::Circle(circle) if header.contains(circle.center) => Some(circle.center.x - circle.radius),
            _ => None,
        });
        let dot = dot.expect("the dot of panel 3");
        let (least, most) = (menu.min(status).min(dot), menu.max(status).max(dot));
        assert!(most - least <= 1.5, "menu {menu}, dot {dot}, status {status}");
        // In a narrower window the bars of the menus' icon, 12 points, stand there.
        window.set_size(vec2(1280.0, 860.0));
        window.run();
        let icon = window.get_by_label("Menu").rect().center().x - 6.0;
        assert!((icon - status).abs() <= 1.5, "icon {icon}, status {status}");
    }
}

/// The smallest window has no room for *Fit*, 1:1 and the buttons of the steps.
#[test]
fn scale_of_the_smallest_window_is_a_menu_of_scales() {
    let mut window = open(WINDOWS[3], vec![Sampler::default(); 4], Theme::Dark);
    let scale = |window: &Window| app(window).session().view().scale();
    // Items end in their keys.
    for (item, wanted) in [("8× 8", 0.125), ("1:1 1", 1.0), ("2× 2", 0.5)] {
        let in_toolbar = Rect::from_min_max(Pos2::ZERO, egui::pos2(640.0, 36.0));
        let (shown, _) =
            buttons(&window, in_toolbar).into_iter().find(|(name, _)| name.ends_with('×')).expect("a scale");
        let magnification: f64 = shown.trim_end_matches('×').parse().expect("a number");
        assert!((magnification * scale(&window) - 1.0).abs() < 5e-3, "{shown}");
        window.get_by_role_and_label(Role::Button, &shown).click();
        window.run();
        window.get_by_label(item).click();
        window.run();
        assert!((scale(&window) - wanted).abs() < 1e-12, "{item}: {}", scale(&window));
    }
    let wide = open(WINDOWS[0], vec![Sampler::default(); 4], Theme::Dark);
    assert!(wide.query_by_label("Zoom in").is_some());
}

#[test]
fn toolbar_of_the_smallest_window_has_the_scale_beside_two_images() {
    for size in [[640.0, 440.0], [700.0, 440.0], [760.0, 440.0]] {
        let builder = Harness::builder().with_size(size).with_max_steps(64);
        let mut window = window_of(builder, |ctx| {
            let image = image::embedded().expect("the embedded image").image;
            Lerpscope::new(ctx, vec![image.clone(), image], Box::new(CpuBackend::new())).expect("images")
        });
        window.run();
        let in_toolbar = Rect::from_min_max(Pos2::ZERO, egui::pos2(size[0], 44.0));
        let found = buttons(&window, in_toolbar);
        let has_scale = found.iter().any(|(name, _)| name.ends_with('×') || name == "Zoom in");
        assert!(has_scale, "{size:?}: {found:?}");
        assert_apart(&found, in_toolbar);
    }
}
