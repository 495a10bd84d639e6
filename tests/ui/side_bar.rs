//! Side bar, bar, status line and focus rings, without a screen: tabs, sections, number fields, sizes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use egui::epaint::{RectShape, Shape};
use egui::{
    Color32, Event, Key, Modifiers, MouseWheelSource, MouseWheelUnit, PointerButton, Pos2, Rect, Role, TouchPhase,
    Vec2, ViewportCommand, ViewportId,
};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lerpscope::app::{DrawerTool, Lerpscope, SIDE_SECTIONS, SIDE_TABS, SideBar, SideSection, SideSectionRow};
use lerpscope::backend::CpuBackend;
use lerpscope::image::{self, BUILT_IN};
use lerpscope::plots::PlotKind;
use lerpscope::sampling::AddressMode;

use crate::harness::documents::{CTRL_SHIFT, basilica, open, press, type_command, type_text, widen};
use crate::harness::painted::{faded, shapes, texts};
use crate::harness::pointer::drag_slowly;
use crate::harness::side_bar::{open_tab, unfold_display, unfold_numbers};
use crate::harness::{Window, app, window_of};

/// The built-in image in a window of this size.
fn sized(width: f32, height: f32) -> Window {
    let builder = Harness::builder().with_size([width, height]).with_max_steps(16);
    let mut window = window_of(builder, |ctx| {
        let image = image::embedded().expect("the built-in picture").image;
        Lerpscope::new(ctx, vec![image], Box::new(CpuBackend::new())).expect("an image")
    });
    window.run_ok();
    window
}

fn remembering(folder: &Path) -> Window {
    open(vec![PathBuf::from(BUILT_IN)], Some(folder))
}

fn field_rect(window: &Window, name: &str) -> Rect {
    window.get_by_role_and_label(Role::SpinButton, name).rect()
}

/// The text of a number field.
fn text_of(window: &Window, name: &str) -> String {
    let value = window.get_by_role_and_label(Role::SpinButton, name).accesskit_node().value();
    value.expect("a value").to_owned()
}

/// Puts the keyboard's focus on a number field, whose text is then edited.
fn edit(window: &mut Window, name: &str) {
    let pos = field_rect(window, name).center();
    window.hover_at(pos);
    for pressed in [true, false] {
        let button = PointerButton::Primary;
        window.event(Event::PointerButton { pos, button, pressed, modifiers: Modifiers::NONE });
    }
    window.run_ok();
}

#[test]
fn side_bar_has_one_place_for_every_control_in_every_view() {
    let mut window = basilica();
    unfold_numbers(&mut window);
    let names = ["Move x", "Samples per pixel", "Angle", "Exposure", "White"];
    let places = |window: &Window| names.map(|name| field_rect(window, name));
    let (before, overview) = (places(&window), window.get_by_label("Overview").rect());
    for key in [Key::Num4, Key::Num1, Key::Num9, Key::Minus, Key::F] {
        press(&mut window, Modifiers::NONE, key);
        assert_eq!((places(&window), window.get_by_label("Overview").rect()), (before, overview), "{key:?}");
    }
}

/// Roles of what stands below the tabs, besides texts.
const CONTROLS: [Role; 8] = [
    Role::Button,
    Role::CheckBox,
    Role::ComboBox,
    Role::DisclosureTriangle,
    Role::Image,
    Role::RadioButton,
    Role::Slider,
    Role::SpinButton,
];

/// The controls below the tabs of the side bar, by their names.
fn controls_below_tabs(window: &Window) -> Vec<(String, Rect)> {
    let tab = window.get_by_role_and_label(Role::Tab, "View tab").rect();
    let status = window.get_by_label("Unit of values").rect();
    let nodes = window.query_all_by(|node| CONTROLS.contains(&node.role()) && !node.is_hidden());
    let named = nodes.map(|node| (node.accesskit_node().label().unwrap_or_default(), node.rect()));
    let is_in_bar = |rect: &Rect| rect.left() > tab.left() - 14.0 && rect.top() > tab.bottom();
    named.filter(|(_, rect)| is_in_bar(rect) && rect.bottom() < status.top()).collect()
}

/// In the tab *View* with the sections as a new window folds them, and with all numbers unfolded; and in the tab *Panel*.
#[test]
fn no_control_of_the_tabs_view_and_panel_moves_with_the_view() {
    for (tab, unfolds, names) in [
        (
            "View",
            false,
            &["Overview", "Position", "Kernels of the panels", "Histogram", "Black handle", "Display", "Pins"][..],
        ),
        ("View", true, &["Overview", "Move x", "Samples per pixel", "Angle", "Exposure", "White", "Histogram"][..]),
        ("Panel", false, &["Method", "Address x", "Border", "Texture unit", "Prefilter", "Antialias", "Filters"][..]),
    ] {
        let mut window = basilica();
        if unfolds {
            unfold_numbers(&mut window);
        }
        open_tab(&mut window, tab, None);
        let before = controls_below_tabs(&window);
        for name in names {
            assert!(before.iter().any(|(found, _)| found == name), "{name} is not among {before:?}");
        }
        for key in [Key::Num4, Key::Num1, Key::Num9, Key::Minus, Key::F] {
            press(&mut window, Modifiers::NONE, key);
            assert_eq!(controls_below_tabs(&window), before, "{tab} after {key:?}");
        }
    }
}

#[test]
fn click_where_antialias_was_before_a_zoom_switches_it_after_the_zoom() {
    let mut window = basilica();
    open_tab(&mut window, "Panel", None);
    let place = window.get_by_role_and_label(Role::CheckBox, "Antialias").rect().center();
    press(&mut window, Modifiers::NONE, Key::Num4);
    let seen = |window: &Window| {
        let session = app(window).session();
        (session.view(), session.panels().iter().map(|panel| panel.sampler).collect::<Vec<_>>())
    };
    let (view, mut samplers) = seen(&window);
    click_at(&mut window, place);
    samplers[0].antialias = !samplers[0].antialias;
    assert_eq!(seen(&window), (view, samplers));
}

#[test]
fn controls_of_the_tab_view_end_at_one_edge() {
    for source in [BUILT_IN, "tests/data/formats/rgb.qoi"] {
        let mut window = open(vec![PathBuf::from(source)], None);
        unfold_numbers(&mut window);
        open_tab(&mut window, "View", None);
        let right = window.get_by_role_and_label(Role::SpinButton, "Stretch").rect().right();
        window.get_by_role_and_label(Role::ComboBox, "Colours");
        for name in ["Histogram", "White", "Colours"] {
            let control = window.query_all_by_label(name).map(|node| node.rect().right()).fold(0.0, f32::max);
            assert!((control - right).abs() <= 1.0, "{name} ends at {control}, the fields at {right}");
        }
    }
}

#[test]
fn tabs_fit_a_window_of_860_points_and_the_tab_view_one_of_812() {
    // The test's window has a margin of 8 points.
    for (tab, size) in SIDE_TABS.iter().map(|tab| (tab, 860.0)).chain([(&SIDE_TABS[0], 828.0)]) {
        let mut window = sized(1280.0, size);
        open_tab(&mut window, tab.title, None);
        assert_eq!(faded_edges(&window), [false, false], "{} scrolls", tab.title);
        let status = window.get_by_label("Unit of values").rect();
        // The sections of volumes, of complex numbers and of several images are not there for one picture.
        let is_of_picture = |row: &SideSectionRow| {
            !matches!(row.section, SideSection::Slice | SideSection::Component | SideSection::Images)
        };
        let is_there = |row: &&SideSectionRow| row.tab == tab.tab && is_of_picture(row);
        let titles = SIDE_SECTIONS.iter().filter(is_there);
        for row in titles {
            let title = window.get_by_role_and_label(Role::DisclosureTriangle, row.title).rect();
            assert!(title.bottom() <= status.top(), "{}: {title:?}", row.title);
        }
    }
}

/// The tab *View* says which address modes all panels have. A choice there is of all of them, also where it is that of the focused one.
#[test]
fn address_modes_of_all_panels_are_said_and_chosen_in_the_tab_view() {
    let mut window = sized(1280.0, 860.0);
    let title = |window: &Window| window.get_by_role_and_label(Role::DisclosureTriangle, "Address mode").rect();
    let said = |window: &Window, text: &str| {
        let row = title(window).with_max_x(1280.0);
        texts(window, row).iter().any(|(found, _)| found == text)
    };
    assert!(said(&window, "clamp"));
    let before = app(&window).session().panels()[0].sampler;
    let place = title(&window).center();
    click_at(&mut window, place);
    window.run_steps(20);
    let choose = |window: &mut Window, axis: &str, mode: &str| {
        let field = window.get_by_role_and_label(Role::ComboBox, axis).rect();
        click_at(window, field.center());
        window.run_steps(4);
        window.get_by_label_contains(mode).click();
        window.run_steps(4);
    };
    choose(&mut window, "Address x", "Wrap");
    assert!(said(&window, "wrap × clamp"));
    let addresses = |window: &Window| -> Vec<_> {
        app(window).session().panels().iter().map(|panel| panel.sampler.address).collect()
    };
    assert_eq!(addresses(&window), [[AddressMode::Wrap, AddressMode::Clamp]; 4]);
    assert_eq!(app(&window).session().panels()[0].sampler.method, before.method);
    // `A` is of the focused panel.
    press(&mut window, Modifiers::NONE, Key::A);
    window.run_steps(4);
    assert!(said(&window, "differs"));
    let of_focused = addresses(&window)[0];
    assert_ne!(of_focused, addresses(&window)[1]);
    let [x, y] = of_focused.map(|mode| mode.row().title);
    choose(&mut window, "Address x", x);
    choose(&mut window, "Address y", y);
    assert_eq!(addresses(&window), [of_focused; 4]);
}

/// Panels have a plot of their kernel each, in their order, with their numbers; that of the focused panel and that of the panel under the
/// pointer have stronger outlines.
#[test]
fn kernels_of_panels_have_a_plot_each() {
    let mut window = sized(1280.0, 860.0);
    let place = |window: &Window| window.get_by_role_and_label(Role::Button, "Kernels of the panels").rect();
    let of_four = place(&window);
    for panels in 4..=9 {
        if panels > 4 {
            window.key_press_modifiers(Modifiers::COMMAND, Key::N);
            window.run_steps(4);
        }
        let columns = if panels > 4 { 3 } else { 2 };
        let cells: Vec<Rect> = window.query_all_by_label_contains("Kernel of ").map(|node| node.rect()).collect();
        assert_eq!((place(&window), cells.len()), (of_four, panels), "nothing below the plots moves");
        for (index, cell) in cells.iter().enumerate() {
            assert!(
                of_four.expand(0.5).contains_rect(*cell) && cell.height() > 40.0,
                "{index}: {cell:?} in {of_four:?}"
            );
            assert!(cells[..index].iter().all(|other| !other.shrink(1.0).intersects(*cell)), "{index}: {cell:?}");
            let (below, number) =
                (cell.expand2(egui::vec2(4.0, 0.0)).with_max_y(cell.bottom() + 18.0), format!("{} ", index + 1));
            let named = texts(&window, below).into_iter().filter(|(text, _)| text.starts_with(&number)).count();
            assert_eq!(named, 1, "{number} below {cell:?}");
            assert_eq!((cell.left() - cells[index % columns].left(), cell.width()), (0.0, cells[0].width()));
        }
    }
    type_command(&mut window, "all methods");
    window.run_steps(8);
    window.event(Event::PointerGone);
    window.run_steps(4);
    press(&mut window, Modifiers::COMMAND, Key::Tab);
    press(&mut window, Modifiers::COMMAND, Key::Tab);
    assert_eq!(app(&window).session().focused(), 2);
    let marked = |window: &Window| -> Vec<usize> {
        let outline = |cell: Rect| {
            let is_cell = |shape: &RectShape| (shape.rect.min - cell.min).length() < 0.1 && shape.stroke.width > 0.0;
            let shapes = shapes(window).into_iter().filter_map(|shape| match shape {
                Shape::Rect(shape) => Some(shape),
                _ => None,
            });
            shapes.filter(is_cell).map(|shape| shape.stroke.color).next().expect("an outline")
        };
        let colours: Vec<Color32> =
            window.query_all_by_label_contains("Kernel of ").map(|node| outline(node.rect())).collect();
        let usual = colours[1];
        (0..9).filter(|index| colours[*index] != usual).collect()
    };
    assert_eq!(marked(&window), [2]);
    for panel in [5, 8] {
        let picture = window.get_by_label_contains(&format!("Panel {panel}: ")).rect();
        window.hover_at(picture.center());
        window.run_steps(4);
        assert_eq!(marked(&window), [2, panel - 1]);
    }
    // Pointed at, a plot says its panel and the weights of all, and a click opens the large plot.
    let seventh = window.query_all_by_label_contains("Kernel of 7 ").next().expect("a plot").rect();
    window.hover_at(seventh.center());
    window.run_ok();
    window.get_by_label_contains("Weight of a sample at distance");
    window.get_by_label_contains("7 Lanczos 2: 1.0000");
    click_at(&mut window, seventh.center());
    window.run_steps(8);
    let state = &app(&window).session().inspect.state;
    assert_eq!((state.drawer, state.plot), (Some(DrawerTool::Plots), PlotKind::Kernel));
}

/// Weights at the middle: nearest, linear and Catmull-Rom 1, the cubic B-spline 2/3.
#[test]
fn section_kernels_reads_the_weights_of_all_panels_and_opens_their_plot() {
    let mut window = sized(1280.0, 860.0);
    // Enlarged: a reduced view widens the kernels.
    press(&mut window, Modifiers::NONE, Key::Num8);
    let cell = window.get_by_label("Kernel of 4 Catmull-Rom").rect();
    window.hover_at(cell.center());
    window.run_ok();
    let tip = window.get_by_label_contains("Weight of a sample at distance").rect();
    assert!(tip.height() > 60.0, "a line for each panel: {tip:?}");
    for line in ["1 Nearest: 1.0000", "2 Linear: 1.0000", "3 Cubic B-spline: 0.6667", "4 Catmull-Rom: 1.0000"] {
        window.get_by_label_contains(line);
    }
    window.hover_at(cell.right_center() - Vec2::new(5.5, 0.0));
    window.run_ok();
    for text in ["distance 1.9", "2 Linear: 0.0000"] {
        window.get_by_label_contains(text);
    }
    window.get_by_role_and_label(Role::Button, "Kernels of the panels").click();
    window.run_ok();
    let state = &app(&window).session().inspect.state;
    assert_eq!((state.drawer, state.plot), (Some(DrawerTool::Plots), PlotKind::Kernel));
    // Folded, it stays so.
    window.get_by_role_and_label(Role::DisclosureTriangle, "Kernels").click();
    window.run_ok();
    assert!(window.query_by_role_and_label(Role::Button, "Kernels of the panels").is_none());
}

/// Edges of the side bar towards which its contents fade: `[top, bottom]`.
fn faded_edges(window: &Window) -> [bool; 2] {
    let tabs = window.get_by_role_and_label(Role::Tab, "View tab").rect();
    faded(window, window.ctx.content_rect().with_min_x(tabs.left() - 20.0).expand(1.0))
}

#[test]
fn contents_of_the_side_bar_fade_towards_an_edge_with_more_behind_it() {
    assert_eq!(faded_edges(&sized(1280.0, 860.0)), [false, false]);
    let mut window = sized(1280.0, 560.0);
    assert_eq!(faded_edges(&window), [false, true]);
    let over = window.get_by_label("Overview").rect().center();
    let scroll = |window: &mut Window, lines: f32| {
        window.hover_at(over);
        window.event(Event::MouseWheel {
            unit: MouseWheelUnit::Line,
            delta: Vec2::new(0.0, lines),
            phase: TouchPhase::Move,
            source: MouseWheelSource::Unknown,
            modifiers: Modifiers::NONE,
        });
        window.run_steps(30);
    };
    scroll(&mut window, -1.0);
    assert_eq!(faded_edges(&window), [true, true]);
    scroll(&mut window, -100.0);
    assert_eq!(faded_edges(&window), [true, false]);
}

#[test]
fn numbers_have_three_decimals_and_all_digits_while_edited_and_in_tooltips() {
    let mut window = basilica();
    unfold_numbers(&mut window);
    let scale = app(&window).session().view().scale();
    assert!(scale.to_string().len() > 10, "{scale}");
    let short = text_of(&window, "Samples per pixel");
    assert_eq!(short, format!("{scale:.3}").trim_end_matches('0'));
    assert!(window.query_by_label_contains(&scale.to_string()).is_none());
    window.hover_at(field_rect(&window, "Samples per pixel").center());
    window.run_ok();
    window.get_by_label_contains(&scale.to_string());
    window.get_by_label_contains("scaleFactor");
    edit(&mut window, "Samples per pixel");
    assert_eq!(text_of(&window, "Samples per pixel"), scale.to_string());
    // All of the text is selected: what is typed replaces it. Left as it is, it changes nothing.
    press(&mut window, Modifiers::NONE, Key::Enter);
    assert_eq!(app(&window).session().view().scale(), scale);
    edit(&mut window, "Samples per pixel");
    type_text(&mut window, "0.5");
    press(&mut window, Modifiers::NONE, Key::Enter);
    assert_eq!(app(&window).session().view().scale(), 0.5);
}

#[test]
fn number_field_evaluates_arithmetic() {
    let mut window = basilica();
    unfold_numbers(&mut window);
    for (text, value) in [("2*(3+1/4)", 6.5), ("512/3", 512.0 / 3.0), ("−1.5", -1.5), ("2^10", 1024.0)] {
        edit(&mut window, "Move x");
        type_text(&mut window, text);
        press(&mut window, Modifiers::NONE, Key::Enter);
        assert_eq!(app(&window).session().view().translation()[0], value, "{text}");
    }
    let before = app(&window).session().view();
    edit(&mut window, "Move x");
    type_text(&mut window, "2*(3");
    press(&mut window, Modifiers::NONE, Key::Enter);
    assert_eq!(app(&window).session().view(), before, "unfinished arithmetic changes nothing");
}

#[test]
fn dragged_label_changes_its_number_and_moves_nothing() {
    let mut window = basilica();
    unfold_numbers(&mut window);
    press(&mut window, Modifiers::NONE, Key::Num4);
    let before = app(&window).session().view();
    let label = window.get_by_role_and_label(Role::Label, "Move x (samples)").rect();
    let field = field_rect(&window, "Move x");
    drag_slowly(&mut window, label.center(), label.center() + Vec2::new(40.0, 0.0));
    let moved = app(&window).session().view().translation()[0] - before.translation()[0];
    assert!((moved - 40.0 * before.scale()).abs() <= before.scale(), "{moved}");
    assert_eq!(app(&window).session().view().translation()[1], before.translation()[1]);
    assert_eq!(field_rect(&window, "Move x"), field);
    press(&mut window, Modifiers::NONE, Key::Backspace);
    assert_eq!(app(&window).session().view(), before, "one drag is one step of the view history");
}

#[test]
fn captions_of_fields_side_by_side_change_each_its_own_number() {
    let mut window = basilica();
    unfold_display(&mut window);
    let display = |window: &Window| app(window).session().panels()[0].display;
    for field in ["Offset", "Gamma", "Black", "White"] {
        let before = display(&window);
        let place = window.get_by_role_and_label(Role::Label, field).rect();
        let below = field_rect(&window, field);
        assert!((place.left() - below.left()).abs() <= 1.0 && place.bottom() <= below.top(), "{field}: {place:?}");
        drag_slowly(&mut window, place.center(), place.center() + Vec2::new(20.0, 0.0));
        let (now, numbers) = (display(&window), ["Offset", "Gamma", "Black", "White"]);
        let values = |of: lerpscope::backend::Display| [of.offset, of.gamma, of.window[0], of.window[1]];
        for (name, (a, b)) in numbers.into_iter().zip(values(before).into_iter().zip(values(now))) {
            assert_eq!(a != b, name == field, "{name} after a drag of {field}");
        }
    }
}

#[test]
fn tab_folded_sections_and_width_are_remembered() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = remembering(folder.path());
    assert!(window.query_by_role_and_label(Role::SpinButton, "Exposure").is_none());
    open_tab(&mut window, "View", Some("Display"));
    assert!(window.query_by_role_and_label(Role::SpinButton, "Exposure").is_some());
    let edge = Pos2::new(window.get_by_role_and_label(Role::Tab, "View tab").rect().left() - 14.0, 400.0);
    let output = app(&window).session().output().width();
    drag_slowly(&mut window, edge, edge - Vec2::new(60.0, 0.0));
    let left = window.get_by_role_and_label(Role::Tab, "View tab").rect().left();
    assert!((left - (edge.x + 14.0 - 60.0)).abs() <= 2.0, "{left} after {edge:?}");
    assert!(app(&window).session().output().width() < output);
    open_tab(&mut window, "Inspect", None);
    drop(window);
    let mut window = remembering(folder.path());
    window.get_by_label("Values in pixels");
    let again = window.get_by_role_and_label(Role::Tab, "View tab").rect().left();
    assert!((again - left).abs() <= 1.0, "{again} is not {left}");
    open_tab(&mut window, "View", None);
    assert!(window.query_by_role_and_label(Role::SpinButton, "Exposure").is_some());
    open_tab(&mut window, "View", Some("Display"));
    assert!(window.query_by_role_and_label(Role::SpinButton, "Exposure").is_none());
}

#[test]
fn side_bar_is_hidden_by_a_key_and_in_a_narrow_window() {
    let is_shown = |window: &Window| window.query_by_role_and_label(Role::Tab, "View tab").is_some();
    let mut window = basilica();
    let width = app(&window).session().output().width();
    press(&mut window, Modifiers::COMMAND, Key::B);
    assert!(!is_shown(&window) && app(&window).session().output().width() > width);
    press(&mut window, Modifiers::COMMAND, Key::B);
    assert!(is_shown(&window));
    window.set_size(Vec2::new(SideBar::LEAST_WINDOW_WIDTH - 1.0, 700.0));
    window.run_ok();
    assert!(!is_shown(&window));
    window.get_by_label("Side bar").click();
    window.run_ok();
    assert!(is_shown(&window), "asked for, it is shown in a narrow window, too");
    press(&mut window, Modifiers::COMMAND, Key::B);
    window.set_size(Vec2::new(1280.0, 860.0));
    window.run_ok();
    assert!(is_shown(&window), "a wide window has it again");
}

#[test]
fn histogram_command_reveals_the_histogram_and_a_pin_the_pins() {
    let mut window = basilica();
    let has_histogram = |window: &Window| window.query_by_role_and_label(Role::Image, "Histogram").is_some();
    assert!(has_histogram(&window), "a new window has it");
    press(&mut window, Modifiers::NONE, Key::I);
    assert!(!has_histogram(&window));
    open_tab(&mut window, "Learn", None);
    press(&mut window, Modifiers::NONE, Key::I);
    assert!(has_histogram(&window), "it was off");
    open_tab(&mut window, "Learn", None);
    press(&mut window, Modifiers::NONE, Key::I);
    assert!(has_histogram(&window), "it was out of sight");
    open_tab(&mut window, "View", Some("Histogram"));
    assert!(!has_histogram(&window), "it is folded");
    press(&mut window, Modifiers::NONE, Key::I);
    assert!(has_histogram(&window), "it was folded away");
    window.hover_at(window.get_by_label_contains("Panel 1:").rect().center());
    window.run_ok();
    press(&mut window, Modifiers::SHIFT, Key::P);
    window.get_by_label("Remove pin 1");
}

/// Luminance relative to white by WCAG 2.
fn luminance(colour: Color32) -> f64 {
    let linear = |byte: u8| {
        let share = f64::from(byte) / 255.0;
        if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(colour.r()) + 0.7152 * linear(colour.g()) + 0.0722 * linear(colour.b())
}

#[test]
fn visible_part_of_the_overview_differs_from_what_is_around_it_in_both_themes() {
    for (theme, ground) in [
        (egui::Theme::Dark, Color32::from_rgb(0x18, 0x18, 0x18)),
        (egui::Theme::Light, Color32::from_rgb(0xEB, 0xEB, 0xEB)),
    ] {
        let mut window = basilica();
        window.ctx.set_theme(theme);
        window.run_ok();
        let overview = window.get_by_label("Overview").rect();
        let veils: Vec<Color32> = shapes(&window)
            .into_iter()
            .filter_map(|shape| match shape {
                // Four quads around the visible part, which begin at its corners.
                Shape::Mesh(mesh) if mesh.vertices.len() == 16 && overview.contains(mesh.vertices[0].pos) => {
                    Some(mesh.vertices[0].color)
                }
                _ => None,
            })
            .collect();
        let [veil] = veils[..] else { panic!("{theme:?}: {veils:?}") };
        let contrast = |under: Color32| {
            let (clear, covered) = (luminance(under) + 0.05, luminance(under.blend(veil)) + 0.05);
            clear.max(covered) / clear.min(covered)
        };
        assert!(contrast(Color32::WHITE) >= 1.8, "{theme:?}: {}", contrast(Color32::WHITE));
        // A light veil on light surroundings would not be seen; dark surroundings are dark enough beside a picture.
        assert!(theme == egui::Theme::Dark || contrast(ground) >= 1.8, "{theme:?}: {}", contrast(ground));
    }
}

/// Most samples of this image have one value, and some have each of the others.
#[test]
fn values_that_most_samples_have_do_not_flatten_the_rest_of_the_histogram() {
    let builder = Harness::builder().with_size([1280.0, 860.0]).with_max_steps(16);
    let mut window = window_of(builder, |ctx| {
        let size = image::Size::new(256, 100).expect("a size");
        let values = (0..25_600_u32).map(|at| if at < 23_000 { 0 } else { (at % 256) as u8 }).collect();
        let samples = image::Samples::U8 { values, maxval: 255 };
        let page = image::Page::new(image::Raster::new(size, image::Channels::Grey, samples).expect("a raster"));
        let image = image::Image::new("peak", vec![page]).expect("an image");
        Lerpscope::new(ctx, vec![image], Box::new(CpuBackend::new())).expect("an image")
    });
    window.run_ok();
    let place = window.get_by_role_and_label(Role::Image, "Histogram").rect();
    let bars = shapes(&window).into_iter().find_map(|shape| match shape {
        Shape::Mesh(mesh) if mesh.vertices.len() >= 4 * 85 && place.contains_rect(mesh.calc_bounds()) => Some(mesh),
        _ => None,
    });
    let bars = bars.expect("the bars");
    let heights: Vec<f32> =
        bars.vertices.chunks(4).map(|bar| Rect::from_points(&[bar[0].pos, bar[3].pos]).height()).collect();
    let tall = heights.iter().filter(|height| **height > 0.5 * place.height()).count();
    assert!(2 * tall > heights.len(), "{tall} of {heights:?} in {place:?}");
}

#[test]
fn unit_of_a_position_is_in_its_caption_and_that_of_an_angle_behind_its_number() {
    let mut window = basilica();
    unfold_numbers(&mut window);
    for (name, end) in [("Move x", ""), ("Move y", ""), ("Angle", "°"), ("Exposure", "EV")] {
        let field = field_rect(&window, name);
        let painted: String = texts(&window, field).into_iter().map(|(text, _)| text).collect();
        assert!(painted.ends_with(end) && !painted.contains("samples"), "{name}: {painted}");
        if end.is_empty() {
            let caption = window.get_by_role_and_label(Role::Label, &format!("{name} (samples)")).rect();
            assert!(caption.bottom() <= field.top() && (caption.left() - field.left()).abs() <= 1.0, "{caption:?}");
        }
        assert!(texts(&window, field).iter().all(|(_, text)| field.shrink(4.0).contains_rect(*text)), "{name}");
    }
}

#[test]
fn unit_ends_the_status_line_and_the_time_of_a_frame_comes_and_goes_before_it() {
    let mut window = basilica();
    window.run_steps(200);
    let place = |window: &Window, text: &str| window.get_by_label(text).rect();
    let unit = place(&window, "Unit of values");
    assert!(window.query_by_label_contains("CPU").is_none(), "the CPU needs no attention");
    window.key_press(Key::Num4);
    window.step();
    window.step();
    let time = window.get_by_label_contains(" ms").rect();
    assert!(time.right() < unit.left(), "{time:?} {unit:?}");
    assert_eq!(place(&window, "Unit of values"), unit, "nothing moves");
}

#[test]
fn tooltip_of_the_scale_says_pixels_and_on_a_dense_display_points_too() {
    for ppp in [1.0, 2.0] {
        let builder = Harness::builder().with_size([1280.0, 860.0]).with_pixels_per_point(ppp).with_max_steps(16);
        let mut window = window_of(builder, |ctx| {
            let image = image::embedded().expect("the built-in picture").image;
            Lerpscope::new(ctx, vec![image], Box::new(CpuBackend::new())).expect("an image")
        });
        window.run_ok();
        press(&mut window, Modifiers::NONE, Key::Num8);
        window.hover_at(window.get_by_label("8×").rect().center());
        window.run_ok();
        let tip = window.get_by_label_contains("Pixels of the screen per sample");
        let tip = tip.accesskit_node().value().unwrap_or_default();
        assert!(tip.contains("0.125 samples per pixel"), "{tip}");
        let points = "4 points per sample: a point is 2 pixels of this display";
        assert_eq!(tip.contains(points), ppp == 2.0, "{tip}");
    }
}

#[test]
fn mark_of_a_check_box_is_a_line_of_more_than_a_point() {
    let mut window = basilica();
    unfold_display(&mut window);
    let box_ = window.get_by_role_and_label(Role::CheckBox, "In all panels").rect();
    let marks: Vec<f32> = shapes(&window)
        .into_iter()
        .filter_map(|shape| match shape {
            Shape::Path(path) if box_.contains_rect(path.visual_bounding_rect()) => Some(path.stroke.width),
            _ => None,
        })
        .collect();
    assert!(matches!(marks[..], [width] if width >= 1.5), "{marks:?}");
}

#[test]
fn handles_of_the_histogram_set_black_and_white() {
    let mut window = basilica();
    let plot = window.get_by_role_and_label(Role::Image, "Histogram").rect();
    drag_slowly(&mut window, plot.left_center(), plot.left_center() + Vec2::new(0.25 * plot.width(), 0.0));
    drag_slowly(&mut window, plot.right_center(), plot.right_center() - Vec2::new(0.5 * plot.width(), 0.0));
    for panel in app(&window).session().panels() {
        let [black, white] = panel.display.window;
        assert!((black - 0.25).abs() < 0.02 && (white - 0.5).abs() < 0.02, "{black} {white}");
    }
}

#[test]
fn words_of_the_documents_are_in_tooltips() {
    let mut window = basilica();
    unfold_numbers(&mut window);
    for (tab, name, word) in [
        ("View", "Move x", "transl_x"),
        ("View", "Move y", "transl_y"),
        ("View", "Samples per pixel", "scaleFactor"),
        ("Panel", "Exact", "auto"),
        ("Panel", "Texture unit", "filtered"),
    ] {
        open_tab(&mut window, tab, None);
        let is_control = |node: &egui_kittest::Node<'_>| {
            matches!(node.accesskit_node().role(), Role::SpinButton | Role::Button | Role::RadioButton)
        };
        let nodes: Vec<Rect> = window.query_all_by_label(name).filter(is_control).map(|node| node.rect()).collect();
        window.hover_at(nodes.first().expect("a control").center());
        window.run_ok();
        assert!(window.query_all_by_label_contains(word).next().is_some(), "{name}");
    }
}

#[test]
fn unit_is_chosen_in_the_status_line() {
    let mut window = basilica();
    window.hover_at(window.get_by_label_contains("Panel 1:").rect().center());
    window.run_ok();
    let button = window.get_by_role_and_label(Role::Button, "Unit of values").rect();
    // The pointer leaves the picture on its way to the button, which stays where it is.
    click_at(&mut window, button.center());
    let again = window.get_by_role_and_label(Role::Button, "Unit of values").rect();
    assert!(app(&window).reading().is_none() && again == button, "{again:?} is not {button:?}");
    let item = window.get_by_label("0 … 1").rect().center();
    click_at(&mut window, item);
    assert_eq!(app(&window).preferences().unit.row().title, "0 … 1");
    assert!(button.height() >= 22.0);
}

/// The outlines of rectangles in a frame: rectangle, width, colour.
fn outlines(window: &Window) -> Vec<(Rect, f32, Color32)> {
    fn collect(shape: &Shape, found: &mut Vec<(Rect, f32, Color32)>) {
        match shape {
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| collect(shape, found)),
            Shape::Rect(RectShape { rect, stroke, .. }) => found.push((*rect, stroke.width, stroke.color)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    window.output().shapes.iter().for_each(|clipped| collect(&clipped.shape, &mut found));
    found
}

#[test]
fn focus_ring_is_the_same_around_every_control() {
    let mut window = basilica();
    unfold_numbers(&mut window);
    let mut rings: Vec<(f32, Color32)> = Vec::new();
    let mut reached = Vec::new();
    for _ in 0..60 {
        press(&mut window, Modifiers::NONE, Key::Tab);
        let Some(focused) = window.query_all_by(|node| node.is_focused()).next() else { continue };
        let (rect, role, name) = (focused.rect(), focused.accesskit_node().role(), focused.accesskit_node().label());
        let ring = outlines(&window)
            .into_iter()
            .find(|(outline, width, _)| *width >= 2.0 && outline.center().distance(rect.center()) < 1.0);
        let (_, width, colour) = ring.unwrap_or_else(|| panic!("{role:?} {name:?} at {rect:?} has no ring"));
        rings.push((width, colour));
        reached.push(role);
    }
    rings.dedup();
    assert_eq!(rings.len(), 1, "{rings:?}");
    for role in [Role::Button, Role::Tab, Role::SpinButton, Role::CheckBox, Role::ComboBox, Role::DisclosureTriangle] {
        assert!(reached.contains(&role), "{role:?} is not among {reached:?}");
    }
}

#[test]
fn controls_of_the_toolbar_never_overlap() {
    for width in [640.0, 700.0, 760.0, 830.0, 870.0, 900.0, 950.0, 1000.0, 1280.0, 1380.0, 1390.0, 1600.0] {
        let window = sized(width, 500.0);
        let is_control = |role: Role| matches!(role, Role::Button | Role::RadioButton);
        let nodes = window.query_all_by(|node| is_control(node.role()) && !node.is_hidden());
        let found: Vec<(String, Rect)> = nodes
            .map(|node| (node.accesskit_node().label().unwrap_or_default().to_owned(), node.rect()))
            .filter(|(_, rect)| rect.bottom() < 50.0)
            .collect();
        let has = |name: &str| found.iter().any(|(found, _)| found == name);
        for name in ["Side bar", "Keys"] {
            assert!(has(name), "{name} at {width}: {found:?}");
        }
        // Menus without room for their titles are submenus of one.
        for name in ["File", "Edit", "View", "Panel", "Compare", "Inspect", "Window"] {
            assert_eq!((has(name), has("Menu")), (width >= 1384.0, width < 1384.0), "{name} at {width}: {found:?}");
        }
        // The name of the image and the comparison have more use than what is in a menu, too.
        for name in ["Find", "Zoom in", "Zoom out", "Fit", "1:1"] {
            assert_eq!(has(name), width >= 896.0, "{name} at {width}: {found:?}");
        }
        let name = window.query_all_by_label("basilica.pgm").map(|node| node.rect().width()).fold(0.0, f32::max);
        assert!(name >= 70.0, "the image's name has {name} points at {width}");
        for (index, (name, rect)) in found.iter().enumerate() {
            assert!(rect.left() >= 0.0 && rect.right() <= width, "{name} at {rect:?}");
            for (other, over) in &found[..index] {
                assert!(rect.intersect(*over).width() <= 0.5, "{name} lies over {other} at {width}: {found:?}");
            }
        }
    }
}

#[test]
fn window_asks_for_no_more_than_its_screen() {
    for (scale, most) in [(1.5, Vec2::new(1280.0, 800.0)), (2.0, Vec2::new(960.0, 600.0))] {
        let mut window = sized(1280.0, 860.0);
        let viewport = window.input_mut().viewports.entry(ViewportId::ROOT).or_default();
        viewport.monitor_size = Some(Vec2::new(1920.0, 1200.0) / scale);
        viewport.inner_rect = Some(Rect::from_min_size(Pos2::ZERO, Vec2::new(1280.0, 860.0)));
        window.step();
        let commands: Vec<ViewportCommand> =
            window.output().viewport_output.values().flat_map(|output| output.commands.clone()).collect();
        let asked = commands.iter().find_map(|command| match command {
            ViewportCommand::InnerSize(size) => Some(*size),
            _ => None,
        });
        let asked = asked.unwrap_or_else(|| panic!("no size is asked for: {commands:?}"));
        // The desktop's frame and bars need room, too.
        assert!(asked.x < most.x && asked.y < most.y - 60.0 && asked.y > 400.0, "{asked:?} at {scale}");
        window.step();
        let again = window.output().viewport_output.values().flat_map(|output| &output.commands).count();
        assert_eq!(again, 0, "the size is asked for once");
    }
}

#[test]
fn palette_toggles_the_side_bar() {
    let mut window = basilica();
    press(&mut window, CTRL_SHIFT, Key::P);
    type_text(&mut window, "side bar");
    press(&mut window, Modifiers::NONE, Key::Enter);
    assert!(window.query_by_role_and_label(Role::Tab, "View tab").is_none());
}

/// A click with the pointer at `pos`.
fn click_at(window: &mut Window, pos: Pos2) {
    window.hover_at(pos);
    window.run_ok();
    for pressed in [true, false] {
        window.event(Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE });
        window.run_ok();
    }
}

#[test]
fn tooltip_of_the_image_name_has_the_path_and_the_facts_of_the_image() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("pages.pgm");
    std::fs::write(&file, "P2 4 3 999\n1 2 3 4 5 6 7 8 9 1 2 3\nP2 1 1 9\n2\n").expect("a file");
    let built_in = format!("{BUILT_IN}\n512 × 512 · grey · 8 bit");
    let in_file = format!("{}\n4 × 3 · grey · 16 bit\n2 pages", file.display());
    for (source, name, tip) in [(file, "pages.pgm", in_file), (PathBuf::from(BUILT_IN), "basilica.pgm", built_in)] {
        let mut window = open(vec![source], None);
        let in_bar = window.query_all_by_label(name).map(|node| node.rect()).find(|rect| rect.bottom() < 50.0);
        window.hover_at(in_bar.expect("the name").center());
        window.run_ok();
        window.get_by_label(&tip);
    }
}

#[test]
fn text_that_is_not_a_number_changes_nothing_and_its_field_says_so() {
    let mut window = basilica();
    unfold_numbers(&mut window);
    let field = field_rect(&window, "Move y");
    let before = app(&window).session().view();
    let marks = |window: &Window| {
        let is_mark = |(rect, width, _): &(Rect, f32, Color32)| *rect == field && *width == 1.5;
        outlines(window).into_iter().filter(is_mark).count()
    };
    edit(&mut window, "Move y");
    for text in ["12 apples", "1/0"] {
        // The refused text is selected: what is typed replaces it. The first text is not judged before it is entered; the one
        // after a refusal is judged as it stands.
        type_text(&mut window, text);
        assert_eq!(marks(&window), usize::from(text == "1/0"), "{text} is being typed");
        window.key_press(Key::Enter);
        window.run_steps(2);
        assert_eq!((app(&window).session().view(), marks(&window)), (before, 1), "{text}");
        let message =
            window.get_by_label_contains(&format!("'{text}' is not a number · Move y: −1.0737e9 to 1.0737e9")).rect();
        assert!(message.top() >= field.bottom() && message.top() < field.bottom() + 20.0, "{message:?} {field:?}");
    }
    type_text(&mut window, "3");
    assert_eq!(marks(&window), 0, "a number is mended as soon as it is one");
    press(&mut window, Modifiers::NONE, Key::Enter);
    assert!(window.query_by_label_contains("is not a number").is_none());
    assert_eq!((app(&window).session().view().translation()[1], marks(&window)), (3.0, 0));
}

/// The fields of the tabs *View* and *Panel*.
#[test]
fn every_number_field_refuses_what_it_does_not_take_and_says_its_range() {
    let mut window = basilica();
    unfold_numbers(&mut window);
    let mut seen = BTreeSet::new();
    walk_number_fields(&mut window, &mut seen);
    open_tab(&mut window, "Panel", None);
    walk_number_fields(&mut window, &mut seen);
    for name in
        ["Move x", "Samples per pixel", "Angle", "Stretch", "Gamma", "Black", "White", "Exposure", "Offset", "Blur"]
    {
        assert!(seen.contains(name), "{name} is not among {seen:?}");
    }
}

/// The fields of the laboratory's tools.
#[test]
fn every_number_field_of_a_tool_refuses_what_it_does_not_take_and_says_its_range() {
    let mut seen = BTreeSet::new();
    for key in [Key::F3, Key::F4, Key::F5, Key::F7, Key::F8, Key::F9, Key::F10] {
        let mut window = basilica();
        press(&mut window, Modifiers::COMMAND, Key::B);
        press(&mut window, Modifiers::NONE, key);
        walk_number_fields(&mut window, &mut seen);
    }
    for name in ["Position of point 1", "Turns"] {
        assert!(seen.contains(name), "{name} is not among {seen:?}");
    }
}

/// Types into each number field what it does not take: each refuses it in one line that says the range, keeps the text, shows the
/// number again after Esc, and takes a number of its range as arithmetic.
fn walk_number_fields(window: &mut Window, seen: &mut BTreeSet<String>) {
    let names: Vec<String> = window
        .query_all_by_role(Role::SpinButton)
        .filter(|node| !node.accesskit_node().is_disabled())
        .map(|node| node.accesskit_node().label().expect("a name"))
        .collect();
    for name in names {
        let node = window.get_by_role_and_label(Role::SpinButton, &name).accesskit_node();
        let most = node.max_numeric_value().unwrap_or_else(|| panic!("{name} has no limit"));
        let (before, rect) = (text_of(window, &name), field_rect(window, &name));
        let view = app(window).session().view();
        // A row of a table that is scrolled away takes no click.
        edit(window, &name);
        let is_edited = window.query_all_by(|node| node.is_focused()).any(|node| node.rect() == rect);
        press(window, Modifiers::NONE, Key::Escape);
        if !is_edited {
            continue;
        }
        for text in ["abc".to_owned(), format!("{most}*2+1"), "-1e300".to_owned()] {
            edit(window, &name);
            type_text(window, &text);
            window.key_press(Key::Enter);
            window.run_steps(2);
            let named = format!("{name}: ");
            let message = window.get_by_label_contains(&named);
            let said = message.accesskit_node().label().or(message.accesskit_node().value()).expect("a text");
            assert!(said.contains(" to ") && !said.contains('-'), "{name}: {said}");
            assert!(message.rect().height() < 24.0, "{name}: {said} takes more than a line");
            assert_eq!(text_of(window, &name), text, "{name} keeps the text");
            let is_mark = |(outline, width, _): &(Rect, f32, Color32)| *outline == rect && *width == 1.5;
            assert!(outlines(window).iter().any(is_mark), "{name} is marked");
            press(window, Modifiers::NONE, Key::Escape);
            assert_eq!(text_of(window, &name), before, "{name} after Esc");
            assert!(window.query_by_label_contains(&format!("{name}: ")).is_none(), "{name}");
        }
        assert_eq!(app(window).session().view(), view, "{name}");
        seen.insert(name);
    }
}

#[test]
fn message_of_a_refused_number_ends_with_the_next_key_or_click() {
    let mut window = basilica();
    unfold_numbers(&mut window);
    let picture = window.get_by_role_and_label(Role::Image, "Panel 1: Nearest (nerp)").rect().center();
    let refused = |window: &Window| window.query_by_label_contains("is not a number").is_some();
    for leave in [Key::Escape, Key::Tab] {
        edit(&mut window, "Move y");
        type_text(&mut window, "abc");
        window.key_press(Key::Enter);
        window.run_steps(2);
        assert!(refused(&window));
        press(&mut window, Modifiers::NONE, leave);
        assert_ne!(text_of(&window, "Move y"), "abc", "{leave:?}");
        press(&mut window, Modifiers::NONE, Key::Escape);
        assert!(!refused(&window), "{leave:?}");
    }
    // Esc takes no number, either.
    let before = app(&window).session().view();
    edit(&mut window, "Move y");
    type_text(&mut window, "77");
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert_eq!(app(&window).session().view(), before);
    edit(&mut window, "Move y");
    type_text(&mut window, "abc");
    click_at(&mut window, picture);
    click_at(&mut window, picture);
    assert!(!refused(&window), "a click elsewhere");
}

#[test]
fn sections_fold_within_120_ms_and_at_once_with_reduced_motion() {
    // egui's harness begins without animations: the setting is switched on, and off again.
    for (switches, is_reduced) in [(1, true), (2, false)] {
        let builder = Harness::builder().with_size([1280.0, 860.0]).with_max_steps(64).with_step_dt(0.02);
        let mut window = window_of(builder, |ctx| {
            let image = image::embedded().expect("the built-in picture").image;
            Lerpscope::new(ctx, vec![image], Box::new(CpuBackend::new())).expect("an image")
        });
        window.run_ok();
        press(&mut window, Modifiers::COMMAND, Key::Comma);
        for _ in 0..switches {
            window.get_by_role_and_label(Role::CheckBox, "Reduced motion").click();
            window.run_ok();
        }
        press(&mut window, Modifiers::NONE, Key::Escape);
        let top = |window: &Window| window.get_by_role_and_label(Role::DisclosureTriangle, "Pins").rect().top();
        let pos = window.get_by_role_and_label(Role::DisclosureTriangle, "Kernels").rect().center();
        let start = top(&window);
        // Down, up, and the frames after it.
        window.input_mut().events.push(Event::PointerMoved(pos));
        for pressed in [true, false] {
            let button = PointerButton::Primary;
            window.input_mut().events.push(Event::PointerButton { pos, button, pressed, modifiers: Modifiers::NONE });
        }
        let tops: Vec<f32> = (0..12)
            .map(|_| {
                window.step();
                top(&window)
            })
            .collect();
        let end = tops[11];
        let between = tops.iter().filter(|top| **top != end && **top != start).count();
        assert!(end < start - 100.0, "{start}: {tops:?}");
        // 6 frames of 20 ms.
        assert!(if is_reduced { between == 0 } else { (3..=6).contains(&between) }, "{is_reduced}: {tops:?}");
    }
}

#[test]
fn menus_have_groups_with_the_commonest_first() {
    for (menu, first, groups) in
        [("File", "Open…", 4), ("View", "Fit", 2), ("Panel", "Method", 3), ("Compare", "Side by side", 2)]
    {
        let mut window = basilica();
        widen(&mut window);
        window.get_by_role_and_label(Role::Button, menu).click();
        window.run_ok();
        let left = window.get_by_role_and_label(Role::Button, menu).rect().left();
        let is_item = |rect: &Rect| rect.top() > 40.0 && (left..left + 20.0).contains(&rect.left());
        let nodes = window.query_all_by(|node| node.role() == Role::Button && !node.is_hidden());
        let mut items: Vec<(Rect, String)> =
            nodes.map(|node| (node.rect(), node.accesskit_node().label().unwrap_or_default())).collect();
        items.retain(|(rect, _)| is_item(rect));
        items.sort_by(|a, b| a.0.top().total_cmp(&b.0.top()));
        assert!(items[0].1.starts_with(first), "{items:?}");
        // A line of a group stands between two items.
        let gaps: Vec<f32> = items.windows(2).map(|pair| pair[1].0.top() - pair[0].0.bottom()).collect();
        let least = gaps.iter().copied().fold(f32::INFINITY, f32::min);
        let lines = gaps.iter().filter(|gap| **gap > least + 3.0).count();
        assert!(lines >= groups, "{menu}: {lines} lines in {items:?}");
        // The titles of commands, of choices and of submenus are in one column.
        let bottom = window.get_by_label("Unit of values").rect().top();
        // Chips of headers lie below the menu.
        let in_menu = items.iter().filter(|(rect, _)| rect.bottom() < bottom && rect.width() > 150.0);
        let starts = in_menu.map(|(rect, title)| {
            // Other texts lie below the menu.
            let found = texts(&window, *rect).into_iter().find(|(text, _)| title.starts_with(text.as_str()));
            (found.expect("a title").1.left(), title)
        });
        let starts: Vec<(f32, &String)> = starts.collect();
        assert!(starts.iter().all(|(start, _)| (start - starts[0].0).abs() < 3.0), "{menu}: {starts:?}");
    }
}

#[test]
fn side_bar_scrolls_to_the_values_of_a_new_pin() {
    let mut window = basilica();
    let panel = window.get_by_label_contains("Panel 1:").rect();
    let status = window.get_by_label("Unit of values").rect();
    for number in 1..=3_u8 {
        // On the image, which is at the left of its inset.
        window.hover_at(panel.left_center() + Vec2::new(40.0, 0.0) * f32::from(number));
        window.run_ok();
        press(&mut window, Modifiers::SHIFT, Key::P);
        window.run_ok();
        let pin = window.get_by_label(&format!("Remove pin {number}")).rect();
        let last = window.get_all_by_label("4 Catmull-Rom").map(|node| node.rect()).filter(|rect| rect.left() > 900.0);
        let last = last.max_by(|a, b| a.top().total_cmp(&b.top())).expect("the values");
        assert!(pin.top() > 80.0 && last.top() > pin.bottom(), "{pin:?} {last:?}");
        assert!(last.bottom() <= status.top(), "{last:?} {status:?}");
    }
}

#[test]
fn numbers_of_images_and_pages_lie_over_no_other_control_of_the_toolbar() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = "P2 4 3 9\n1 2 3 4 5 6 7 8 9 1 2 3\n";
    for count in [1, 3] {
        let files: Vec<PathBuf> = (0..3).map(|place| folder.path().join(format!("{place}-{count}.pgm"))).collect();
        for file in &files {
            std::fs::write(file, page.repeat(count)).expect("a file");
        }
        for width in [640.0, 700.0, 760.0, 838.0, 900.0, 960.0, 1280.0] {
            let mut window = open(files.clone(), None);
            window.set_size(Vec2::new(width, 500.0));
            window.run_ok();
            let nodes = window.query_all_by(|node| node.role() == Role::Button && !node.is_hidden());
            let named = nodes.map(|node| (node.accesskit_node().label().unwrap_or_default(), node.rect()));
            let found: Vec<(String, Rect)> = named.filter(|(_, rect)| rect.bottom() < 50.0).collect();
            let numbers = ["Previous image", "Next image", "Previous page", "Next page"];
            // In a narrow toolbar the scale stays and the numbers give way.
            let shown = match width {
                ..=800.0 => 0,
                ..1000.0 => 2,
                _ if count > 1 => 4,
                _ => 2,
            };
            for name in numbers.into_iter().take(shown) {
                assert!(found.iter().any(|(found, _)| found == name), "{name} at {width}: {found:?}");
            }
            for (index, (name, rect)) in found.iter().enumerate() {
                for (other, over) in &found[..index] {
                    assert!(rect.intersect(*over).width() <= 0.5, "{name} lies over {other} at {width}: {found:?}");
                }
            }
        }
    }
}
