//! Difference without a screen: the automatic gain, the controls of the header, the colour bar and its legend, and a difference
//! that is 0.

use std::path::PathBuf;

use egui::epaint::{RectShape, TextShape};
use egui::{Key, Modifiers, Pos2, Rect, Shape, Theme, Vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lerpscope::app::{Gain, Lerpscope, PanelArea};
use lerpscope::backend::{self, ColourMap, CpuBackend, Display, PixelFormat, RenderRequest};
use lerpscope::image::{self, BUILT_IN, Channels, Depth, Image, Page, Raster, Samples, Size};
use lerpscope::sampling::{Method, Sampler};

use crate::harness::painted::shapes;
use crate::harness::saving::save_as;
use crate::harness::side_bar::unfold_display;
use crate::harness::waiting::wait;
use crate::harness::{Window, app, window_of};

/// Both items of the menu of colour maps that select the signed or the absolute difference.
const KINDS: [&str; 2] = ["Signed", "Absolute"];

fn open(theme: Theme) -> Window {
    open_at(theme, ([1280.0, 860.0], 1.0))
}

fn open_at(theme: Theme, (size, ppp): ([f32; 2], f32)) -> Window {
    let builder = Harness::builder().with_size(size).with_pixels_per_point(ppp).with_theme(theme).with_max_steps(32);
    let mut window = window_of(builder, move |ctx| {
        let images = vec![image::embedded().expect("the embedded image").image];
        let mut app = Lerpscope::new(ctx, images, Box::new(CpuBackend::new())).expect("an image");
        app.name_sources(&[PathBuf::from(BUILT_IN)]);
        app
    });
    window.run();
    press(&mut window, Key::Num8);
    window
}

/// The difference of two panels of one page each, 64 × 64 samples: `first` by the column, and 100.
fn open_pages(first: fn(u32) -> u8) -> Window {
    let size = Size::new(64, 64).expect("a size");
    let page = move |value: &dyn Fn(u32) -> u8| {
        let values = (0..size.area()).map(|index| value(index as u32 % size.width())).collect();
        Page::new(Raster::new(size, Channels::Grey, Samples::U8 { values, maxval: 255 }).expect("a raster"))
    };
    let builder = Harness::builder().with_size([1280.0, 860.0]).with_max_steps(64).with_step_dt(1.0 / 60.0);
    let mut window = window_of(builder, move |ctx| {
        let image = Image::new("pages", vec![page(&first), page(&|_| 100)]).expect("an image");
        let mut app = Lerpscope::new(ctx, vec![image], Box::new(CpuBackend::new())).expect("an image");
        app.arrange(&[Sampler::default().with_method(Method::Nearest); 2]);
        let mut state = app.session().state();
        state.panels[1].page = 1;
        assert!(app.restore_state(&state));
        app
    });
    window.run();
    press(&mut window, Key::D);
    assert_eq!(app(&window).session().areas(), [PanelArea::Difference([0, 1])]);
    window
}

fn press(window: &mut Window, key: Key) {
    window.key_press_modifiers(Modifiers::NONE, key);
    window.run();
}

fn press_shift(window: &mut Window, key: Key) {
    window.key_press_modifiers(Modifiers::SHIFT, key);
    window.run();
}

fn click(window: &mut Window, name: &str) {
    window.get_by_label(name).click();
    window.run();
}

/// The gain, and the binary logarithm of the greatest power of two that is at most the one in force.
fn gain(window: &Window) -> (Gain, u8) {
    (app(window).session().difference().gain, app(window).session().gain_log2())
}

/// The texts within `place`, with their rectangles.
fn texts(window: &Window, place: Rect) -> Vec<(String, Rect)> {
    let text = |shape: Shape| match shape {
        Shape::Text(TextShape { pos, galley, .. }) => {
            Some((galley.text().to_owned(), galley.rect.translate(pos.to_vec2())))
        }
        _ => None,
    };
    shapes(window).into_iter().filter_map(text).filter(|(_, rect)| place.contains_rect(*rect)).collect()
}

#[test]
fn escape_leaves_a_comparison() {
    for key in [Key::D, Key::W] {
        let mut window = open(Theme::Dark);
        press(&mut window, Key::Escape);
        let side_by_side = app(&window).session().areas();
        assert_eq!(side_by_side.len(), 4, "{key:?}");
        press(&mut window, key);
        assert_eq!(app(&window).session().areas().len(), 1, "{key:?}");
        press(&mut window, Key::Escape);
        assert_eq!(app(&window).session().areas(), side_by_side, "{key:?}");
    }
}

#[test]
fn automatic_gain_is_the_greatest_within_the_scale_until_a_step_fixes_it() {
    // 26/255 is within the scale at gain 8.
    let mut window = open_pages(|_| 126);
    assert_eq!(gain(&window), (Gain::Automatic, 3));
    window.get_by_label("Gain 8×");
    let exposure = |window: &Window| app(window).session().difference_request([0, 1]).display.exposure;
    assert_eq!(exposure(&window), 3.0);
    for (step, fixed) in [(Key::CloseBracket, 4), (Key::OpenBracket, 2)] {
        press(&mut window, step);
        assert_eq!((gain(&window), exposure(&window)), ((Gain::Fixed(fixed), fixed), f32::from(fixed)));
        window.get_by_label(&format!("Gain {}×", 1 << fixed));
        click(&mut window, "Automatic gain");
        assert_eq!((gain(&window), exposure(&window)), ((Gain::Automatic, 3), 3.0));
    }
    for (step, fixed) in [("More gain", 4), ("Less gain", 3)] {
        click(&mut window, step);
        assert_eq!(gain(&window), (Gain::Fixed(fixed), fixed));
    }
    click(&mut window, "Automatic gain");
    click(&mut window, "Automatic gain");
    assert_eq!(gain(&window), (Gain::Fixed(3), 3), "the toggle also fixes the gain in force");
}

/// On the left the pages differ by 26/255, on the right by 155/255.
#[test]
fn automatic_gain_stays_while_the_view_moves_and_follows_at_rest() {
    let mut window = open_pages(|column| if column < 40 { 126 } else { 255 });
    // At 96×, ten of the left columns.
    (0..6).for_each(|_| press(&mut window, Key::Plus));
    let middle = window.get_by_label_contains("Difference: ").rect().center();
    let drag = |window: &mut Window, towards: f32| {
        window.hover_at(middle);
        window.run();
        window.drag_at(middle);
        window.step();
        let mut seen = Vec::new();
        for step in 1..=40_u8 {
            window.hover_at(middle + Vec2::new(towards * 10.0 * f32::from(step), 0.0));
            window.step();
            seen.push(gain(window));
        }
        // Held still, so that the view does not move on.
        (0..10).for_each(|_| window.step());
        window.drop_at(middle + Vec2::new(towards * 400.0, 0.0));
        window.run();
        seen.dedup();
        seen
    };
    let [left, right] = [(Gain::Automatic, 3), (Gain::Automatic, 0)];
    assert_eq!(gain(&window), left);
    assert_eq!((drag(&mut window, -1.0), gain(&window)), (vec![left], right));
    assert_eq!((drag(&mut window, 1.0), gain(&window)), (vec![right], left));
}

#[test]
fn automatic_gain_is_not_an_edit_and_its_fixing_is() {
    let mut window = open_pages(|_| 126);
    assert_eq!(gain(&window), (Gain::Automatic, 3));
    assert_eq!(app(&window).session().undoes(), Some("comparison"));
    press(&mut window, Key::CloseBracket);
    assert_eq!((gain(&window), app(&window).session().undoes()), ((Gain::Fixed(4), 4), Some("difference")));
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    window.run();
    assert_eq!((gain(&window), app(&window).session().undoes()), ((Gain::Automatic, 3), Some("comparison")));
}

#[test]
fn copied_command_names_the_automatic_gain_in_force() {
    let mut window = open(Theme::Dark);
    press(&mut window, Key::D);
    let (found, in_force) = (gain(&window), app(&window).session().gain());
    assert!(found.0 == Gain::Automatic && in_force > 1.0, "{in_force}");
    let commands = app(&window).command_lines().expect("commands");
    let exposure = in_force.log2() as f32;
    assert!(commands[0].contains(&format!(" --exposure {exposure} ")), "{commands:?}");
    // A session with an automatic gain has it again, and the same picture.
    let (state, pixels) = (app(&window).session().state(), app(&window).difference().pixels().clone());
    let mut other = open(Theme::Dark);
    assert!(other.state_mut().as_mut().expect("the app").restore_state(&state));
    other.run();
    assert_eq!((gain(&other), app(&other).session().gain()), (found, in_force));
    assert!(app(&other).difference().pixels() == &pixels);
}

/// The controls of the header, but for the icons that swap and close: each has the frame of a button, a toggle that is on another fill,
/// and the stepper is one frame around its value and both icons.
#[test]
fn controls_of_the_header_look_like_buttons_and_a_toggle_that_is_on_has_a_fill_of_its_own() {
    for theme in [Theme::Dark, Theme::Light] {
        let mut window = open(theme);
        press(&mut window, Key::D);
        let frame = |window: &Window, name: &str| {
            let node = window.get_by_label(name).rect();
            let of_control = |shape: &Shape| match shape {
                Shape::Rect(RectShape { rect, fill, stroke, .. })
                    if rect.expand(1.5).contains_rect(node) && node.expand(1.5).contains_rect(*rect) =>
                {
                    Some((*fill, stroke.width > 0.0 && stroke.color.a() > 0))
                }
                _ => None,
            };
            shapes(window).iter().find_map(of_control).unwrap_or_else(|| panic!("{name} has no frame"))
        };
        let is_on = |window: &Window, name: &str| {
            window.get_by_label(name).accesskit_node().toggled() == Some(egui::accesskit::Toggled::True)
        };
        let (raised, has_outline) = frame(&window, "Colour map");
        assert!(raised.a() == 255 && has_outline);
        let automatic = "Automatic gain";
        for clicked in [None, Some(automatic), Some(automatic)] {
            if let Some(name) = clicked {
                click(&mut window, name);
                window.hover_at(Pos2::ZERO);
                window.run();
            }
            let parts = ["Less gain", "More gain"].map(|name| window.get_by_label(name).rect());
            let stepper = parts[0].union(parts[1]);
            let is_its_frame = |shape: &Shape| match shape {
                Shape::Rect(RectShape { rect, fill, stroke, .. }) => {
                    let is_around = rect.expand(1.0).contains_rect(stepper) && stepper.expand(1.5).contains_rect(*rect);
                    is_around && *fill == raised && stroke.width > 0.0 && stroke.color.a() == 255
                }
                _ => false,
            };
            assert!(shapes(&window).iter().any(is_its_frame), "the stepper after {clicked:?}");
            let (fill, has_outline) = frame(&window, automatic);
            assert!(has_outline && fill.a() == 255, "after {clicked:?}");
            assert_eq!(fill != raised, is_on(&window, automatic), "after {clicked:?}");
        }
    }
}

#[test]
fn controls_of_the_header_are_at_least_24_points_in_both_directions() {
    for ppp in [1.0, 1.5, 2.0] {
        let mut window = open_at(Theme::Dark, ([1280.0, 860.0], ppp));
        press(&mut window, Key::D);
        for name in ["Less gain", "More gain", "Automatic gain", "Colour map", "Swap pair", "Side by side"] {
            let size = window.get_by_label(name).rect().size();
            assert!(size.min_elem() > 23.9, "{name}: {size:?} at {ppp}");
        }
        // Groups are farther apart than the parts of a group.
        let rect = |name: &str| window.get_by_label(name).rect();
        let gap = |left: &str, right: &str| rect(right).left() - rect(left).right();
        let within = gap("More gain", "Automatic gain");
        let between = [gap("Automatic gain", "Colour map"), gap("Colour map", "Side by side")];
        assert!((within - 8.0).abs() < 1.0, "{within:?}");
        assert!(between.iter().all(|gap| (gap - 16.0).abs() < 1.0), "{between:?}");
    }
}

/// Where the colour bar names `panel`, counted from 1, as the one with the larger values: `1 Nearest larger`.
fn larger(window: &Window, panel: usize) -> Rect {
    let is_mark = |text: &str| text.starts_with(&format!("{panel} ")) && text.ends_with(" larger");
    window.get_by(|node| node.value().is_some_and(|text| is_mark(&text))).rect()
}

#[test]
fn ends_of_the_colour_bar_name_the_panel_with_the_larger_values() {
    let mut window = open(Theme::Dark);
    press(&mut window, Key::D);
    for [first, second] in [[1, 2], [2, 1]] {
        let bar = window.get_by_label_contains("Colour bar from").rect();
        let [top, bottom] = [first, second].map(|panel| larger(&window, panel));
        assert!(bar.contains_rect(top) && bar.contains_rect(bottom));
        let zero = texts(&window, bar).into_iter().find(|(text, _)| text == "0  equal").expect("the tick of 0").1;
        assert!(top.bottom() < zero.top() && bottom.top() > zero.bottom());
        // The end of the colours has the mark of values beyond it; a second one would double it. Nothing has a panel's colour.
        let all = shapes(&window);
        for rect in [top, bottom] {
            let is_mark = |shape: &&Shape| matches!(shape, Shape::Path(path) if rect.expand(1.0).contains_rect(path.visual_bounding_rect()));
            assert!(!all.iter().any(|shape| is_mark(&shape)));
        }
        assert!(!all.iter().any(|shape| matches!(shape, Shape::Circle(circle) if bar.contains(circle.center))));
        click(&mut window, "Swap pair");
    }
    press_shift(&mut window, Key::D);
    assert!(window.query_by_label_contains(" larger").is_none(), "an absolute difference has no sign");
}

/// On the left the pages differ by 26/255, on the right by 155/255.
#[test]
fn values_beyond_the_scale_are_marked_at_their_end_with_their_share() {
    let mut window = open_pages(|column| if column < 40 { 126 } else { 255 });
    // Both parts are in the view, and nothing outside.
    (0..4).for_each(|_| press(&mut window, Key::Plus));
    let values = {
        let session = app(&window).session();
        let request = RenderRequest { display: Display::default(), ..session.difference_request([0, 1]) };
        let format = PixelFormat::file(Depth::Float);
        let image = session.difference_image([0, 1]);
        backend::render(&mut CpuBackend::new(), &image, &request, format).expect("values")
    };
    let size = values.size();
    let large = (0..size.width()).filter(|&column| values.number(column, 0, 0) > 0.5).count();
    let share = 100.0 * large as f64 / f64::from(size.width());
    assert!((5.0..95.0).contains(&share), "{share}");
    let marks = |window: &Window| -> Vec<String> {
        let label = |node: egui_kittest::Node<'_>| node.accesskit_node().value().unwrap_or_default();
        let labels = window.query_all_by_role(egui::Role::Label).map(label);
        labels.filter(|label| label.starts_with(['<', '>'])).collect()
    };
    let none: [&str; 0] = [];
    assert_eq!((gain(&window), marks(&window).as_slice()), ((Gain::Automatic, 0), &none.map(str::to_owned)[..]));
    press(&mut window, Key::CloseBracket);
    assert_eq!(marks(&window), ["> +128"]);
    // The mark is on the upper end of the colours, as wide as they are.
    let place = window.get_by_label("> +128").rect();
    let larger = larger(&window, 1);
    assert!(place.top() > larger.bottom() - 1.0, "{place:?} below {larger:?}");
    let is_mark = |shape: &Shape| match shape {
        Shape::Path(path) => {
            let rect = path.visual_bounding_rect();
            place.expand(2.0).contains(rect.center()) && (rect.width() - 14.0).abs() < 3.0
        }
        _ => false,
    };
    assert_eq!(shapes(&window).iter().filter(|shape| is_mark(shape)).count(), 1);
    window.hover_at(place.center());
    window.run_steps(60);
    let tip = window.get_by_label_contains("of the view is off the scale at this end");
    let tip = tip.accesskit_node().value().or_else(|| tip.accesskit_node().label()).expect("a text");
    let said: f64 = tip.split(' ').next().and_then(|number| number.parse().ok()).expect("a number");
    assert!((said - share).abs() < 0.6, "{said}, {share}");
    window.hover_at(Pos2::ZERO);
    click(&mut window, "Swap pair");
    assert_eq!(marks(&window), ["< −128"]);
    press_shift(&mut window, Key::D);
    assert_eq!(marks(&window), ["> 128"], "an absolute difference has one end");
    click(&mut window, "Automatic gain");
    assert!(marks(&window).is_empty());
}

#[test]
fn names_of_the_header_have_weak_numbers_and_the_carets_of_menus() {
    for theme in [Theme::Dark, Theme::Light] {
        let mut window = open(theme);
        press(&mut window, Key::D);
        for name in ["First panel: 1 Nearest", "Second panel: 2 Linear"] {
            let place = window.get_by_label(name).rect();
            let found: Vec<TextShape> = shapes(&window)
                .into_iter()
                .filter_map(|shape| match shape {
                    Shape::Text(text) if place.contains_rect(text.visual_bounding_rect()) => Some(text),
                    _ => None,
                })
                .collect();
            let [number, text, caret] = &found[..] else { panic!("{name}: {} texts", found.len()) };
            let (number, colour) = (number.fallback_color, text.fallback_color);
            let caret_colour = caret.galley.job.sections[0].format.color;
            assert!(number != colour, "{number:?}");
            assert_eq!((caret.galley.text(), caret_colour), ("\u{e008}", number));
            let (name, caret) = (text.visual_bounding_rect(), caret.visual_bounding_rect());
            assert!((5.0..12.0).contains(&(caret.center().x - name.right())), "{name:?} {caret:?}");
        }
    }
}

#[test]
fn menu_of_colour_maps_selects_the_signed_or_the_absolute_difference() {
    let mut window = open(Theme::Dark);
    press(&mut window, Key::D);
    let is_absolute = |window: &Window| app(window).session().difference().absolute;
    for (clicked, absolute) in [(0, false), (1, true), (1, true), (0, false)] {
        click(&mut window, "Colour map");
        let chosen = KINDS.map(|name| window.get_by_label(name).accesskit_node().toggled());
        let expected =
            [!is_absolute(&window), is_absolute(&window)].map(|is_on| Some(egui::accesskit::Toggled::from(is_on)));
        assert_eq!(chosen, expected);
        click(&mut window, KINDS[clicked]);
        assert_eq!(is_absolute(&window), absolute, "after a click on {}", KINDS[clicked]);
        assert!(window.query_by_label(KINDS[0]).is_none(), "the menu is closed");
    }
    press_shift(&mut window, Key::D);
    assert!(is_absolute(&window));
    // A header without room for the menu has it in its own.
    for width in (320_u16..=1280).step_by(40) {
        let mut window = open_at(Theme::Dark, ([f32::from(width), 600.0], 1.0));
        press(&mut window, Key::D);
        if window.query_by_label("Colour map").is_some() {
            click(&mut window, "Colour map");
            click(&mut window, KINDS[1]);
        } else {
            click(&mut window, "Comparison menu");
            window.get_by_label_contains("Absolute difference").click();
            window.run();
        }
        assert!(is_absolute(&window), "{width}");
    }
}

#[test]
fn controls_of_the_header_stay_while_the_cursor_comes_over_the_picture() {
    for width in (640_u16..=1280).step_by(80) {
        let mut window = open_at(Theme::Dark, ([f32::from(width), 600.0], 1.0));
        press(&mut window, Key::D);
        window.hover_at(Pos2::ZERO);
        window.run();
        let names = ["Automatic gain", "Colour map"];
        let places = |window: &Window| names.map(|name| window.query_by_label(name).map(|node| node.rect()));
        let before = places(&window);
        let middle = window.get_by_label_contains("Difference: ").rect().center();
        window.hover_at(middle);
        window.run();
        assert_eq!(places(&window), before, "{width}");
    }
}

/// The label of the histogram of the difference, and the texts in the title of *Histogram*.
fn values_section(window: &Window) -> (Option<String>, Vec<String>) {
    let label = |node: egui_kittest::Node<'_>| node.accesskit_node().label().expect("a label");
    let title = window.get_by_role_and_label(egui::Role::DisclosureTriangle, "Histogram").rect();
    let title = texts(window, title).into_iter().map(|(text, _)| text).collect();
    (window.query_by_label_contains("Histogram of the difference").map(label), title)
}

#[test]
fn section_of_values_has_the_histogram_of_the_difference_in_place_of_the_controls_of_the_image() {
    let mut window = open(Theme::Dark);
    unfold_display(&mut window);
    let controls = ["Black", "White", "Gamma", "Exposure", "Offset"];
    let has_controls = |window: &Window| {
        let found = controls.map(|name| window.query_by_role_and_label(egui::Role::SpinButton, name).is_some());
        let buttons = ["Normalize", "Reset"].map(|name| window.query_by_label(name).is_some());
        let image = window.query_by_role_and_label(egui::Role::Image, "Histogram").is_some();
        assert!(found.into_iter().chain(buttons).all(|has| has == image), "all or none: {found:?} {buttons:?} {image}");
        image
    };
    assert!(has_controls(&window) && values_section(&window).0.is_none());
    press(&mut window, Key::D);
    assert!(!has_controls(&window));
    let end = 255.0 / app(&window).session().gain();
    let (label, title) = values_section(&window);
    assert_eq!(label, Some(format!("Histogram of the difference from −{end:.2} to +{end:.2}")));
    assert!(title.contains(&"of the difference".to_owned()), "{title:?}");
    press(&mut window, Key::U);
    let end = 1.0 / app(&window).session().gain();
    let (label, _) = values_section(&window);
    assert!(label.as_ref().is_some_and(|label| label.contains(&format!(" to +{end:.4}"))), "{label:?}");
    press_shift(&mut window, Key::D);
    let (label, _) = values_section(&window);
    assert!(label.as_ref().is_some_and(|label| label.contains(" from 0 to ")), "{label:?}");
    press(&mut window, Key::I);
    assert!(values_section(&window).0.is_none() && !has_controls(&window), "the histogram is off");
    press(&mut window, Key::I);
    assert!(values_section(&window).0.is_some());
    for key in [Key::W, Key::S] {
        press(&mut window, key);
        assert!(has_controls(&window) && values_section(&window).0.is_none(), "{key:?}");
        assert!(values_section(&window).1.contains(&"of the image".to_owned()), "{key:?}");
    }
}

/// On five eighths of the picture the pages differ by 26/255, on the rest by 155/255.
#[test]
fn histogram_of_a_difference_has_the_shares_and_the_colours_of_its_values() {
    let mut window = open_pages(|column| if column < 40 { 126 } else { 255 });
    assert_eq!(gain(&window), (Gain::Automatic, 0));
    // The automatic gain is 1.5.
    let place = window.get_by_label("Histogram of the difference from −170 to +170").rect();
    // One point of outline, and a bin beyond each end with a gap.
    let scale = [place.left() + 9.0, place.right() - 9.0];
    let hover = |window: &mut Window, x: f32| -> Option<String> {
        window.hover_at(Pos2::ZERO);
        window.run();
        window.hover_at(Pos2::new(x, place.top() + 20.0));
        window.run_steps(60);
        let tip = window.query_by_label_contains("of the values")?.accesskit_node();
        tip.value().or_else(|| tip.label())
    };
    let x_of = |levels: f32| scale[0] + (levels / 170.0 + 1.0) / 2.0 * (scale[1] - scale[0]);
    for (x, expected) in [
        (x_of(26.0), ": 62.5 % of"),
        (x_of(155.0), ": 37.5 % of"),
        (x_of(-26.0), ": 0 % of"),
        (x_of(0.0), "−2.656 … +2.656: 0 % of"),
        (place.right() - 2.0, "Above +170: 0 % of"),
        (place.left() + 2.0, "Below −170: 0 % of"),
    ] {
        let tip = hover(&mut window, x).expect("a tooltip");
        assert!(
            tip.contains(expected) && tip.ends_with("Heights are logarithms of the counts"),
            "{tip}, not {expected}"
        );
    }
    // The scale of gain 2 ends before the larger value.
    window.hover_at(Pos2::ZERO);
    press(&mut window, Key::CloseBracket);
    let tip = hover(&mut window, place.right() - 2.0).expect("a tooltip");
    assert!(tip.starts_with("Above +127.5: 37.5 % of"), "{tip}");
    let vertices: Vec<egui::epaint::Vertex> = shapes(&window)
        .into_iter()
        .filter_map(|shape| match shape {
            Shape::Mesh(mesh) if place.contains_rect(mesh.calc_bounds()) => Some(mesh.vertices.clone()),
            _ => None,
        })
        .flatten()
        .collect();
    // 26 of 127.5 is 13.05 of 64 steps: in the bin from 13 to 15.
    for value in [14.0 / 64.0, 1.0] {
        let map = app(&window).session().difference_map([0, 1]);
        let [red, green, blue] = map.colour(0.5 + 0.5 * value).map(|value| (value * 255.0).round() as u8);
        let colour = egui::Color32::from_rgb(red, green, blue);
        assert!(vertices.iter().any(|vertex| vertex.color == colour), "{value}");
    }
}

#[test]
fn colour_bar_says_the_unit_of_its_numbers() {
    let mut window = open(Theme::Dark);
    press(&mut window, Key::D);
    // File's numbers, 0 … 1, 0 … 255, 0 … 65535, and 0 … 255 in the place of hexadecimal digits.
    for unit in ["in levels of 255", "where white is 1", "in levels of 255", "in levels of 65535", "in levels of 255"] {
        let bar = window.get_by_label_contains("Colour bar from").rect();
        let found = texts(&window, bar);
        assert!(found.iter().any(|(text, _)| text == unit), "{unit}: {found:?}");
        // It is said once.
        let one = unit.rsplit(' ').next().expect("a number");
        assert_eq!(found.iter().filter(|(text, _)| text.ends_with(&format!(" {one}"))).count(), 1, "{unit}: {found:?}");
        press(&mut window, Key::U);
    }
}

#[test]
fn texts_of_the_colour_bar_lie_apart_at_each_scale() {
    for (size, ppp) in [([1280.0, 860.0], 1.0), ([1280.0, 860.0], 1.5), ([1280.0, 860.0], 2.0), ([640.0, 440.0], 1.25)]
    {
        let mut window = open_at(Theme::Dark, (size, ppp));
        press(&mut window, Key::D);
        for _ in 0..14 {
            let bar = window.get_by_label_contains("Colour bar from").rect();
            let found = texts(&window, bar);
            assert!(found.len() >= 7, "{found:?}");
            for (index, (text, rect)) in found.iter().enumerate() {
                for (other, over) in &found[..index] {
                    assert!(!rect.shrink(0.5).intersects(over.shrink(0.5)), "{text} lies over {other}: {found:?}");
                }
            }
            // Ticks are farther apart than their texts are high.
            let mut ticks: Vec<f32> = found
                .iter()
                .filter(|(text, _)| text == "0  equal" || text.starts_with(['+', '−']))
                .map(|(_, rect)| rect.center().y)
                .collect();
            ticks.sort_by(f32::total_cmp);
            let are_apart = ticks.windows(2).all(|pair| pair[1] - pair[0] >= 40.0);
            // A mark of values beyond an end has the value of the end.
            let marks = found.iter().filter(|(text, _)| text.starts_with(['<', '>'])).count();
            assert!(ticks.len() + marks >= 3 && are_apart, "{ticks:?} and {marks} marks");
            press(&mut window, Key::CloseBracket);
        }
    }
}

#[test]
fn difference_of_equal_panels_is_said_to_be_none() {
    const NONE: &str = "No difference in this view";
    let mut window = open_pages(|column| if column < 40 { 100 } else { 101 });
    assert!(window.query_by_label(NONE).is_none());
    // The whole view is of equal samples.
    (0..20).for_each(|_| press(&mut window, Key::Plus));
    (0..20).for_each(|_| press(&mut window, Key::ArrowLeft));
    let picture = window.get_by_label_contains("Difference: ").rect();
    let said = window.get_by_label(NONE).rect();
    assert!((said.center() - picture.center()).length() < 2.0, "{said:?} in {picture:?}");
    press(&mut window, Key::S);
    assert!(window.query_by_label(NONE).is_none());
    press(&mut window, Key::D);
    window.get_by_label(NONE);
    press(&mut window, Key::F);
    assert!(window.query_by_label(NONE).is_none());
}

#[test]
fn header_and_menu_name_an_action_alike() {
    let mut window = open_at(Theme::Dark, ([1500.0, 860.0], 1.0));
    let names = ["Swap pair", "Automatic gain", "Less gain", "More gain", "Side by side"];
    press(&mut window, Key::D);
    for name in names {
        assert_eq!(window.query_all_by_label(name).count(), 1, "{name} in the header");
    }
    click(&mut window, "Compare");
    for name in names {
        let is_named = |label: Option<String>| label.is_some_and(|label| label.starts_with(name));
        let found = window.query_all_by(|node| is_named(node.label())).count();
        assert_eq!(found, 2, "{name} in the header and in the menu");
    }
}

#[test]
fn colour_bar_of_a_difference_has_its_range_in_the_unit_and_the_size_of_the_view() {
    let mut window = open(Theme::Dark);
    press(&mut window, Key::D);
    window.run();
    let label =
        |window: &Window| window.get_by_label_contains("Colour bar from").accesskit_node().label().expect("a label");
    let session = app(&window).session();
    let request = RenderRequest { display: Display::default(), ..session.difference_request([0, 1]) };
    let format = PixelFormat::file(Depth::Float);
    let values = backend::render(&mut CpuBackend::new(), session.image(), &request, format).expect("values");
    let size = values.size();
    let all = (0..size.height()).flat_map(|row| (0..size.width()).map(move |column| (column, row)));
    let all: Vec<f64> = all.map(|(column, row)| f64::from(values.number(column, row, 0))).collect();
    let rms = (all.iter().map(|value| value * value).sum::<f64>() / all.len() as f64).sqrt();
    let max = all.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
    // Both have the decimals of a thousandth of the end of the scale.
    let is_measured = |label: &str, one: f64, end: f64| {
        let decimals = (-(end / 1000.0).log10().floor()).max(0.0) as usize;
        let [rms, max] = [rms, max].map(|value| format!("{:.decimals$}", value * one));
        assert!(label.ends_with(&format!(". RMS {rms}, maximum {max}")), "{label}: {rms} {max}");
    };
    let found = label(&window);
    // The greatest gain at which at most 0.5 % of the values that differ lie beyond the ends of the bar, which say so.
    let powers = (0..=12).map(|log2| f64::from(log2).exp2());
    let gains = powers.flat_map(|power| [1.0, 1.25, 1.5, 1.75].map(|step| step * power));
    let differing = all.iter().filter(|value| value.abs() > 2e-6).count() as f64;
    let beyond = |gain: f64| all.iter().filter(|value| value.abs() * gain > 1.0 + 2e-6).count() as f64;
    let gain = gains.filter(|gain| beyond(*gain) <= 0.005 * differing).fold(1.0, f64::max);
    assert_eq!((app(&window).session().difference().gain, app(&window).session().gain()), (Gain::Automatic, gain));
    assert!(max * gain > 1.0, "the largest difference is beyond the bar");
    let is_mark = |text: String| text.starts_with("> +") || text.starts_with("< −");
    assert!(window.query_all_by(|node| node.value().is_some_and(is_mark)).count() > 0);
    let end = (255.0 / gain * 100.0).round() / 100.0;
    assert!(found.starts_with(&format!("Colour bar from −{end} to +{end}. ")), "{found}");
    (0..12).for_each(|_| press(&mut window, Key::OpenBracket));
    assert!(label(&window).starts_with("Colour bar from −255 to +255. "), "{}", label(&window));
    is_measured(&found, 255.0, 255.0 / gain);
    is_measured(&label(&window), 255.0, 255.0);
    (0..3).for_each(|_| press(&mut window, Key::CloseBracket));
    assert!(label(&window).starts_with("Colour bar from −31.88 to +31.88. "), "{}", label(&window));
    press(&mut window, Key::U);
    assert!(label(&window).starts_with("Colour bar from −0.125 to +0.125. "), "{}", label(&window));
    is_measured(&label(&window), 1.0, 0.125);
    window.key_press_modifiers(Modifiers::SHIFT, Key::D);
    window.run();
    assert!(label(&window).starts_with("Colour bar from 0 to 0.125. "), "{}", label(&window));
    // It stands beside the picture.
    let picture = window.get_by_label("Difference: Nearest (nerp) − Linear (lerp)").rect();
    let bar = window.get_by_label_contains("Colour bar from").rect();
    assert!((bar.left() - picture.right()).abs() < 1.0 && (bar.bottom() - picture.bottom()).abs() < 1.0);
    press(&mut window, Key::S);
    assert!(window.query_by_label_contains("Colour bar from").is_none());
}

#[test]
fn difference_has_a_map_with_the_lightness_of_the_theme() {
    for (theme, signed, absolute) in [
        (Theme::Dark, ColourMap::OrangeBlackBlue, ColourMap::Inferno),
        (Theme::Light, ColourMap::OrangeWhiteBlue, ColourMap::WhiteRed),
    ] {
        let mut window = open(theme);
        press(&mut window, Key::D);
        let map = |window: &Window| app(window).session().difference_request([0, 1]).display.colour_map;
        assert_eq!(map(&window), signed);
        window.key_press_modifiers(Modifiers::SHIFT, Key::D);
        window.run();
        assert_eq!(map(&window), absolute);
        // A chosen map stays, and the theme's returns by its own item.
        window.get_by_label("Colour map").click();
        window.run();
        window.get_by_label("Viridis").click();
        window.run();
        assert_eq!(map(&window), ColourMap::Viridis);
        window.get_by_label("Colour map").click();
        window.run();
        window.get_by_label_contains("As the theme").click();
        window.run();
        assert_eq!(map(&window), absolute);
    }
}

#[test]
fn value_of_a_difference_is_in_the_unit_of_the_status_line() {
    let mut window = open(Theme::Dark);
    press(&mut window, Key::D);
    let middle = window.get_by_label("Difference: Nearest (nerp) − Linear (lerp)").rect().center();
    // The two methods agree at some places.
    let difference = (0..100_u8).find_map(|step| {
        window.hover_at(middle + Vec2::new(3.0, 2.5) * (f32::from(step) - 50.0));
        window.run();
        let values = &app(&window).reading().expect("a reading").values;
        Some(f64::from(values[0].1[0] - values[1].1[0])).filter(|difference| difference.abs() > 1e-3)
    });
    let difference = difference.expect("a difference");
    // The units in the order of their key. A difference has no hexadecimal digits. The decimals tell a thousandth of the bar's end.
    let gain = app(&window).session().gain();
    for one in [255.0, 1.0, 255.0, 65535.0, 255.0] {
        let decimals = (3.0 - (one / gain).log10()).ceil().max(2.0) as usize;
        let text = format!("{:+.decimals$}", difference * one).replace('-', "−");
        let shown = window.get_by_label(&format!("1 − 2 = {text}")).rect();
        assert!(shown.top() > window.get_by_label_contains("Difference:").rect().bottom());
        press(&mut window, Key::U);
    }
}

#[test]
fn status_line_has_the_values_in_the_order_of_the_subtraction() {
    let mut window = open(Theme::Dark);
    press(&mut window, Key::D);
    for order in [[0, 1], [1, 0]] {
        assert_eq!(app(&window).session().areas(), [PanelArea::Difference(order)]);
        let pos = window.get_by_label_contains("Difference: ").rect().center();
        window.hover_at(pos);
        window.run();
        let left = |index: usize| {
            let name = app(&window).session().panel_name(index).numbered();
            let begin = format!("{name} ");
            let is_text = |value: &str| value.starts_with(&begin) && !value.ends_with(" larger");
            let is_value = |value: Option<String>| value.is_some_and(|value| is_text(&value));
            window.get_by(|node| is_value(node.value())).rect().left()
        };
        assert!(left(order[0]) < left(order[1]), "{order:?}");
        click(&mut window, "Swap pair");
    }
}

#[test]
fn ends_of_the_colour_bar_have_their_values() {
    let mut window = open_pages(|_| 126);
    // 26 of 255 at gain 8, which is automatic, then 16, 32, and down to 1: at the first gains values lie beyond the ends.
    for step in [Key::CloseBracket; 2].into_iter().chain([Key::OpenBracket; 6]) {
        let bar = window.get_by_label_contains("Colour bar from");
        let label = bar.accesskit_node().label().expect("a label");
        let found = texts(&window, bar.rect());
        let (low, high) =
            label.strip_prefix("Colour bar from ").and_then(|text| text.split_once(" to ")).expect("ends");
        let (high, _) = high.split_once(". ").expect("a sentence");
        for end in [low, high] {
            let value: f64 = end.trim_start_matches(['+', '−']).parse().expect("a number");
            // Beside the colours an end from 10 on is a whole number.
            let whole = format!("{}{}", &end[..end.len() - end.trim_start_matches(['+', '−']).len()], value.round());
            let shown = if value >= 10.0 { &whole } else { end };
            let count = found.iter().filter(|(text, _)| text.ends_with(shown)).count();
            assert_eq!(count, 1, "{end}: {found:?}");
        }
        press(&mut window, step);
    }
}

/// A difference of colour images shows its luminance in the map of the theme, or each channel by itself.
#[test]
fn difference_of_colour_images_shows_its_luminance_or_its_channels() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/formats/rgb.qoi");
    for (theme, of_theme) in [(Theme::Dark, ColourMap::OrangeBlackBlue), (Theme::Light, ColourMap::OrangeWhiteBlue)] {
        let builder = Harness::builder().with_size([1280.0, 860.0]).with_theme(theme).with_max_steps(32);
        let mut window = window_of(builder, move |ctx| {
            let images = vec![image::open(file.as_ref()).expect("an image").image];
            Lerpscope::new(ctx, images, Box::new(CpuBackend::new())).expect("an image")
        });
        window.run();
        press(&mut window, Key::D);
        let map = |window: &Window| app(window).session().difference_request([0, 1]).display.colour_map;
        let captions = |window: &Window| {
            let bar = window.get_by_label_contains("Colour bar from").rect();
            texts(window, bar).into_iter().map(|(text, _)| text).collect::<Vec<_>>()
        };
        assert_eq!(map(&window), of_theme);
        assert!(captions(&window).contains(&"of luminance".to_owned()), "{:?}", captions(&window));
        assert!(captions(&window).contains(&"Off scale".to_owned()), "{:?}", captions(&window));
        // The mark of the value under the cursor has the number that the colour shows.
        let middle = window.get_by_label_contains("Difference: ").rect().center();
        window.hover_at(middle);
        (0..3).for_each(|_| {
            window.run();
        });
        let values = &app(&window).reading().expect("a reading").values;
        let shares = [0.3, 0.59, 0.11];
        let luminance = |panel: usize| -> f64 {
            shares.iter().zip(&values[panel].1).map(|(share, value)| share * f64::from(*value) * 255.0).sum()
        };
        let difference = luminance(0) - luminance(1);
        let number = |text: &String| text.replace('−', "-").parse::<f64>().ok();
        // Of a scale that ends at 18 levels it has two decimals.
        let is_near = |number: f64| (number - difference).abs() <= 0.005 + 1e-6;
        assert!(captions(&window).iter().filter_map(number).any(is_near), "{difference}: {:?}", captions(&window));
        window.get_by_label("Colour map").click();
        window.run();
        assert!(window.query_by_label("Grey").is_none(), "colours are not shown in grey");
        window.get_by_label("RGB").click();
        window.run();
        assert_eq!(map(&window), ColourMap::Grey);
        assert!(captions(&window).contains(&"of each channel".to_owned()), "{:?}", captions(&window));
    }
}

/// The bar beside the difference of a saved figure has the colours of the picture, from the larger values of the first panel down.
#[test]
fn bar_of_a_saved_difference_has_the_map_of_its_picture() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/formats/rgb.qoi");
    let folder = tempfile::tempdir().expect("a folder");
    let builder = Harness::builder().with_size([1280.0, 860.0]).with_theme(Theme::Dark).with_max_steps(32);
    let mut window = window_of(builder, move |ctx| {
        let images = vec![image::open(file.as_ref()).expect("an image").image];
        Lerpscope::new(ctx, images, Box::new(CpuBackend::new())).expect("an image")
    });
    window.run();
    press(&mut window, Key::D);
    for map in [None, Some(("RGB", ColourMap::Grey))] {
        if let Some((name, map)) = map {
            window.get_by_label("Colour map").click();
            window.run();
            window.get_by_label(name).click();
            window.run();
            assert_eq!(app(&window).session().difference_request([0, 1]).display.colour_map, map);
        }
        let name = folder.path().join(format!("{}.png", map.map_or("map", |(name, _)| name)));
        window.key_press_modifiers(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::S);
        window.run();
        save_as(&mut window, &name);
        wait(&mut window, "the figure", |_| name.exists());
        let figure = image::open(&name).expect("a figure").image;
        let figure = figure.pages()[0].raster();
        // A margin, the picture, a gap, and the middle of the bar.
        let width = app(&window).session().difference_request([0, 1]).size.width();
        let column = 16 + width + 10 + 7;
        let rgb = |row: u32| [0, 1, 2].map(|channel| figure.number(column, row, channel));
        let [top, middle, bottom] =
            [16 + 24 + 3, figure.size().height() / 2, figure.size().height() - 28 - 16 - 5].map(rgb);
        match map {
            None => {
                // The hues are those of the panels' own colours.
                assert!(top[2] > top[0] + 60.0, "blue: {top:?}");
                assert!(middle.iter().all(|value| *value < 60.0), "black: {middle:?}");
                assert!(bottom[0] > bottom[2] + 60.0, "orange: {bottom:?}");
            }
            Some(_) => {
                let is_grey = |[red, green, blue]: [f32; 3]| red == green && green == blue;
                assert!(is_grey(top) && is_grey(middle) && is_grey(bottom), "{top:?} {middle:?} {bottom:?}");
                assert!(top[0] > 240.0 && bottom[0] < 15.0, "{top:?} {bottom:?}");
            }
        }
    }
}
