//! Panels without a screen: how they come, go, change places, move together and are compared.

use std::sync::Arc;

use egui::{Event, Key, Modifiers, PointerButton, Role, Vec2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lerpscope::app::{
    Change, FIGURE_GROUPS, FigurePanels, Framing, Link, PANEL_SETS, Panel, PanelArea, PanelSet, Session,
};
use lerpscope::backend::{self, ColourMap, CpuBackend, PixelFormat, RenderRequest};
use lerpscope::image::{self, Channels, Depth, Image, Page, Raster, Samples, Size};
use lerpscope::sampling::{AddressMode, METHODS, Method, SamplingPath};
use lerpscope::view::View;

use crate::harness::documents::{embedded, open_images};
use crate::harness::painted::texts;
use crate::harness::side_bar::open_tab;
use crate::harness::waiting::press_and_rest as press;
use crate::harness::{Window, app};
use crate::lists::click_at;

fn open(images: Vec<Image>) -> Window {
    open_images(images, 860.0, 16)
}

fn basilica() -> Window {
    open(embedded())
}

fn methods(window: &Window) -> Vec<Method> {
    app(window).session().panels().iter().map(|panel| panel.sampler.method).collect()
}

/// Without waiting for the window to come to rest.
fn press_step(window: &mut Window, key: Key) {
    window.key_press(key);
    window.step();
    window.step();
}

fn size(width: u32, height: u32) -> Size {
    Size::new(width, height).expect("a size")
}

fn zeros(side: Size) -> Arc<Image> {
    let page = Page::new(Raster::zeros(side, Channels::Grey, Depth::EIGHT));
    Arc::new(Image::new(side.to_string(), vec![page]).expect("an image"))
}

fn session() -> Session {
    let mut session = Session::new(zeros(size(512, 512)));
    session.resize(size(500, 400));
    session
}

/// What panel `index` shows at an output position.
fn seen(session: &Session, index: usize, pos: [f64; 2]) -> [f64; 2] {
    let page = session.page_of(index).size();
    session.view_of(index).image_from_output(session.output(), page).at(pos)
}

fn assert_near(a: [f64; 2], b: [f64; 2]) {
    assert!((a[0] - b[0]).hypot(a[1] - b[1]) < 1e-9, "{a:?} is not {b:?}");
}

fn rendered(session: &Session, request: &RenderRequest) -> Raster {
    backend::render(&mut CpuBackend::new(), session.image(), request, PixelFormat::TEXTURE).expect("a picture")
}

const FOUR: [Method; 4] = [Method::Nearest, Method::Linear, Method::BSPLINE, Method::CATMULL_ROM];

#[test]
fn panels_are_added_and_closed_between_one_and_nine() {
    let mut window = basilica();
    for count in 5..=9 {
        press(&mut window, Modifiers::COMMAND, Key::N);
        assert_eq!(app(&window).session().panels().len(), count);
        let sizes: Vec<_> =
            (0..count).map(|index| app(&window).picture(index).expect("a picture").pixels().size()).collect();
        assert!(sizes.iter().all(|size| *size == app(&window).session().output()));
    }
    press(&mut window, Modifiers::COMMAND, Key::N);
    assert_eq!(app(&window).session().panels().len(), 9);
    window.get_by_label_contains("There are 9 panels");
    for count in (1..9).rev() {
        press(&mut window, Modifiers::COMMAND, Key::W);
        assert_eq!(app(&window).session().panels().len(), count);
    }
    press(&mut window, Modifiers::COMMAND, Key::W);
    assert_eq!(app(&window).session().panels().len(), 1);
    window.get_by_label_contains("The last panel cannot be closed");
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(app(&window).session().panels().len(), 2);
}

#[test]
fn panel_under_the_pointer_closes() {
    let mut window = basilica();
    let pos = window.get_by_label("Panel 2: Linear (lerp)").rect().center();
    window.hover_at(pos);
    window.run();
    assert_eq!(app(&window).reading().map(|reading| reading.values.len()), Some(4));
    press(&mut window, Modifiers::COMMAND, Key::W);
    assert_eq!(app(&window).reading().map(|reading| reading.values.len()), Some(3));
}

#[test]
fn focus_cycles_and_a_maximized_panel_is_restored() {
    let mut window = basilica();
    for expected in [1, 2, 3, 0] {
        press(&mut window, Modifiers::COMMAND, Key::Tab);
        assert_eq!(app(&window).session().focused(), expected);
    }
    press(&mut window, Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::Tab);
    assert_eq!(app(&window).session().focused(), 3);
    let small = app(&window).session().output();
    press(&mut window, Modifiers::NONE, Key::X);
    assert_eq!(app(&window).session().visible(), [3]);
    assert!(app(&window).session().output().area() > 3 * small.area());
    press(&mut window, Modifiers::NONE, Key::X);
    assert_eq!((app(&window).session().visible().len(), app(&window).session().output()), (4, small));
    let third = window.get_by_label("Panel 3: Cubic B-spline (bicubic)").rect().center();
    window.hover_at(third);
    window.drag_at(third);
    window.drop_at(third);
    window.run();
    assert_eq!(app(&window).session().focused(), 2);
}

#[test]
fn header_drag_and_keys_swap_panels() {
    let mut window = basilica();
    let header = |window: &Window, name: &str| window.get_by_label(name).rect().left_top() + Vec2::new(260.0, -15.0);
    let (from, to) = (header(&window, "Panel 1: Nearest (nerp)"), header(&window, "Panel 4: Catmull-Rom"));
    window.hover_at(from);
    window.run();
    window.drag_at(from);
    window.run();
    for step in 1..=8 {
        window.hover_at(from + (to + Vec2::new(0.0, 80.0) - from) * (step as f32 / 8.0));
        window.run();
    }
    window.drop_at(to + Vec2::new(0.0, 80.0));
    window.run();
    assert_eq!(methods(&window), [Method::CATMULL_ROM, Method::Linear, Method::BSPLINE, Method::Nearest]);
    assert_eq!(app(&window).session().focused(), 3);
    press(&mut window, Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::ArrowRight);
    assert_eq!(methods(&window), FOUR);
    press(&mut window, Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::ArrowLeft);
    assert_eq!(methods(&window), [Method::CATMULL_ROM, Method::Linear, Method::BSPLINE, Method::Nearest]);
}

#[test]
fn ctrl_l_and_ctrl_u_cycle_layout_and_link() {
    let mut window = basilica();
    let top = |window: &Window, name: &str| window.get_by_label(name).rect().top();
    press(&mut window, Modifiers::COMMAND, Key::L);
    assert_eq!(top(&window, "Panel 1: Nearest (nerp)"), top(&window, "Panel 4: Catmull-Rom"));
    press(&mut window, Modifiers::COMMAND, Key::L);
    assert!(top(&window, "Panel 1: Nearest (nerp)") < top(&window, "Panel 4: Catmull-Rom"));
    for link in [Link::Relative, Link::Off, Link::Absolute] {
        press(&mut window, Modifiers::COMMAND, Key::U);
        assert_eq!(app(&window).session().link(), link);
        window.get_by_label(link.row().help);
    }
}

#[test]
fn unlinked_panels_move_separately_and_go_back_separately() {
    let mut session = session();
    session.set_link(Link::Off);
    let fitted = session.view();
    session.fit_in(2);
    session.go_in(2, View::new([5.0, 6.0], 0.25).expect("a view"), Framing::Free, Change::Jump);
    session.pan_in(1, [10.0, 0.0]);
    assert_eq!(session.view_of(0), fitted);
    assert_eq!(session.view_of(1), fitted.panned([10.0, 0.0]));
    session.back();
    assert_eq!((session.view_of(1), session.view_of(2).scale()), (fitted, 0.25));
    session.resize(size(300, 200));
    assert_eq!(session.view_of(0), View::fit(size(300, 200), size(512, 512)));
    assert_eq!(session.view_of(2).scale(), 0.25);
    session.focus(2);
    session.set_link(Link::Absolute);
    assert!((0..4).all(|index| session.view_of(index).scale() == 0.25));
}

#[test]
fn relative_link_keeps_offset_and_ratio() {
    let mut session = session();
    session.set_link(Link::Off);
    session.go_in(1, View::new([40.0, -30.0], 0.5).expect("a view"), Framing::Free, Change::Jump);
    session.set_link(Link::Relative);
    let (first, second) = (session.view_of(0), session.view_of(1));
    let (about, elsewhere) = ([100.0, 50.0], [100.0, 50.0]);
    let held = seen(&session, 1, elsewhere);
    let to = first.zoomed_about(about, first.scale() / 4.0, session.output());
    session.go_in(0, to, Framing::Free, Change::Zoom);
    assert!((session.view_of(1).scale() - second.scale() / 4.0).abs() < 1e-12);
    assert_near(seen(&session, 1, elsewhere), held);
    session.pan_in(1, [7.0, 9.0]);
    assert_near(seen(&session, 1, [107.0, 59.0]), held);
    assert_near(seen(&session, 0, [107.0, 59.0]), to.image_from_output(session.output(), size(512, 512)).at(about));
    session.fit();
    session.resize(size(250, 200));
    assert_eq!(session.view_of(0), View::fit(size(250, 200), size(512, 512)));
    assert!((session.view_of(1).scale() / session.view_of(0).scale() - second.scale() / first.scale()).abs() < 1e-9);
}

#[test]
fn linked_images_of_different_sizes_show_the_same_samples() {
    let mut session = session();
    session.open_in(2, zeros(size(100, 700)));
    assert_eq!((session.image_of(2).name(), session.image_of(1).name()), ("100×700", "512×512"));
    // Fitted: both images are seen whole.
    let whole = View::fit(session.fit_area(), size(512, 700));
    assert_eq!(session.view().scale(), whole.scale());
    for pos in [[0.0, 0.0], [321.0, 99.5]] {
        assert_near(seen(&session, 0, pos), seen(&session, 2, pos));
    }
    session.go_in(2, View::new([9.0, -40.0], 0.125).expect("a view"), Framing::Free, Change::Jump);
    session.pan_in(3, [11.0, 13.0]);
    assert_near(seen(&session, 1, [40.0, 60.0]), seen(&session, 2, [40.0, 60.0]));
    session.show_at(1.0, session.middle(), Change::Jump);
    let corner = seen(&session, 2, [0.0, 0.0]);
    assert_eq!(corner, corner.map(f64::round));
    // The panels of the focused panel's image go on together; the other stays.
    session.show_image(1);
    assert!((0..4).all(|index| session.image_of(index).name() == "100×700"));
    assert_near(seen(&session, 0, [0.0, 0.0]), corner);
}

#[test]
fn replaced_image_keeps_the_view_and_a_fitted_one_stays_fitted() {
    let mut session = session();
    session.show_at(0.25, session.middle(), Change::Jump);
    let view = session.view();
    session.replace(0, zeros(size(512, 512)));
    assert_eq!(session.view(), view);
    let middle = seen(&session, 0, session.middle());
    session.replace(0, zeros(size(600, 400)));
    assert_eq!((seen(&session, 0, session.middle()), session.view().scale()), (middle, 0.25));
    session.fit();
    session.replace(0, zeros(size(51, 52)));
    assert_eq!(session.view(), View::fit(session.fit_area(), size(51, 52)));
    session.replace(7, zeros(size(1, 1)));
    assert_eq!(session.images().len(), 1);
}

/// Height of a header, in points.
const HEADER: f32 = 30.0;

/// The buttons in the header of each panel, by their names: the method and the chips. The panel's menu, and what all panels have alike,
/// are left out.
fn buttons_of_headers(window: &Window) -> Vec<Vec<String>> {
    let session = app(window).session();
    let buttons = |index: usize| {
        let name = format!("Panel {}: {}", index + 1, session.panel_name(index).whole());
        let picture = window.get_by_role_and_label(Role::Image, &name).rect();
        let header = egui::Rect::from_min_max(picture.left_top() - Vec2::new(0.0, HEADER), picture.right_top());
        let nodes = window.query_all_by(|node| node.role() == Role::Button && !node.is_hidden());
        let inside = nodes.filter(|node| header.contains(node.rect().center()));
        let names = inside.map(|node| node.accesskit_node().label().unwrap_or_default());
        let menu = format!("Panel {} menu", index + 1);
        names.filter(|name| *name != menu && !name.starts_with("all panels: ")).collect::<Vec<_>>()
    };
    (0..session.panels().len()).map(buttons).collect()
}

/// Panels of one method are told apart: what differs is in the name of each and in its header, and no two headers are alike.
fn assert_told_apart(window: &mut Window, method: Method, differing: &[&str]) {
    // Values under the pointer would need room in the headers.
    window.hover_at(egui::pos2(1.0, 1.0));
    window.run();
    let title = method.title();
    for (index, differs) in differing.iter().enumerate() {
        window.get_by_role_and_label(Role::Image, &format!("Panel {}: {title} · {differs}", index + 1));
    }
    let headers = buttons_of_headers(window);
    assert_eq!(headers.len(), differing.len());
    for (index, (header, differs)) in headers.iter().zip(differing).enumerate() {
        assert!(header.iter().any(|name| name == differs), "{differs} is not in {header:?}");
        assert!(!headers[..index].contains(header), "{header:?} is that of another panel, too");
    }
}

#[test]
fn panel_sets_are_chosen_in_the_menu() {
    let mut window = basilica();
    let choose = |window: &mut Window, title: &str| {
        for menu in ["Menu", "Panel"] {
            window.get_by_label(menu).click();
            window.run();
        }
        window.get_by_label_contains("Sets of panels").hover();
        window.run();
        window.get_by_label(title).click();
        window.run();
    };
    choose(&mut window, "All methods");
    // The method with a prefilter stands twice.
    let both = |method: Method| if method == Method::BSPLINE { vec![method; 2] } else { vec![method] };
    assert_eq!(methods(&window), METHODS.iter().flat_map(|row| both(row.method)).collect::<Vec<_>>());
    let session = app(&window).session();
    let names: Vec<String> = [2, 3].map(|index| session.panel_name(index).to_string()).into();
    assert_eq!(names, ["Cubic B-spline · no prefilter", "Cubic B-spline · prefiltered"]);
    choose(&mut window, "Address modes");
    let session = app(&window).session();
    let addresses: Vec<_> = session.panels().iter().map(|panel| panel.sampler.address).collect();
    assert_eq!(
        addresses,
        [AddressMode::Clamp, AddressMode::Border, AddressMode::Wrap, AddressMode::Mirror].map(|mode| [mode; 2])
    );
    let [left, top] = seen(session, 0, [0.0, 0.0]);
    assert!(left < -100.0 && top < -100.0, "the outside shows");
    let method = session.panels()[0].sampler.method;
    assert_told_apart(&mut window, method, &["clamp", "border", "wrap", "mirror"]);
    choose(&mut window, "Address modes, per axis");
    let session = app(&window).session();
    let names: Vec<String> = (0..9).map(|index| session.panel_name(index).to_string()).collect();
    let method = session.panels()[0].sampler.method.title().split(" (").next().expect("a title").to_owned();
    let pairs = [
        "clamp",
        "border × clamp",
        "wrap × clamp",
        "clamp × border",
        "border",
        "wrap × border",
        "clamp × wrap",
        "border × wrap",
        "wrap",
    ];
    assert_eq!(names, pairs.map(|pair| format!("{method} · {pair}")));
    assert!(session.inspect.state.shows_outside, "the outside is tinted");
    let [left, top] = seen(session, 0, [0.0, 0.0]);
    assert!(left < -100.0 && top < -100.0, "the outside shows");
    // Three across and three down.
    let corners: Vec<_> =
        (0..9).map(|index| window.get_by_label(&format!("Panel {} menu", index + 1)).rect().min).collect();
    for (index, corner) in corners.iter().enumerate() {
        assert!((corner.x - corners[index % 3].x).abs() < 2.0 && (corner.y - corners[index / 3 * 3].y).abs() < 2.0);
    }
    choose(&mut window, "Figures 16 and 23");
    let session = app(&window).session();
    let figures = ["16", "23"].map(|number| {
        let figure = FIGURE_GROUPS[0].figures.iter().find(|figure| figure.number == number).expect("a figure");
        let FigurePanels::One(panel) = figure.panels else { panic!("figure {number} is of one panel") };
        (panel.place.view(session.fit_area(), session.page().size()), panel.method, panel.address)
    });
    let shown = |(index, panel): (usize, &Panel)| (session.view_of(index), panel.sampler.method, panel.sampler.address);
    let shown: Vec<_> = session.panels().iter().enumerate().map(shown).collect();
    assert_eq!(shown, figures);
    choose(&mut window, "Filtered against exact");
    let paths: Vec<_> = app(&window).session().panels().iter().map(|panel| panel.sampler.path).collect();
    assert_eq!(paths, [SamplingPath::Filtered, SamplingPath::Auto]);
    choose(&mut window, "Prefilter on and off");
    let prefilters: Vec<_> = app(&window).session().panels().iter().map(|panel| panel.sampler.prefilter).collect();
    assert_eq!((prefilters, methods(&window)), (vec![false, true], vec![Method::BSPLINE; 2]));
    assert_told_apart(&mut window, Method::BSPLINE, &["no prefilter", "prefiltered"]);
    choose(&mut window, "The four");
    assert_eq!(methods(&window), FOUR);
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(methods(&window), [Method::BSPLINE; 2]);
    assert_eq!(PANEL_SETS[0].panel_set, PanelSet::Four);
}

#[test]
fn panel_menu_closes_it_or_changes_its_image() {
    let second = Raster::zeros(size(512, 512), Channels::Grey, Depth::EIGHT);
    let second = Image::new("second", vec![Page::new(second)]).expect("an image");
    let mut window = open(vec![image::embedded().expect("the embedded image").image, second]);
    window.get_by_label("Panel 2 menu").click();
    window.run();
    assert_eq!(app(&window).session().focused(), 1, "the panel of an open menu has the focus");
    window.get_all_by_label("second").last().expect("the image's name").click();
    window.run();
    let session = app(&window).session();
    let shown: Vec<_> = (0..session.panels().len()).map(|index| session.image_index_of(index)).collect();
    assert_eq!(shown, [0, 1, 0, 0]);
    window.get_by_label("Panel 3 menu").click();
    window.run();
    assert_eq!(app(&window).session().focused(), 2);
    window.get_all_by_label_contains("Close").last().expect("the item").click();
    window.run();
    assert_eq!(methods(&window), [Method::Nearest, Method::Linear, Method::CATMULL_ROM]);
}

#[test]
fn wipe_line_is_dragged_turned_and_moved() {
    let mut window = basilica();
    press(&mut window, Modifiers::COMMAND, Key::Tab);
    press(&mut window, Modifiers::NONE, Key::W);
    let session = app(&window).session();
    assert_eq!((session.areas(), session.visible()), (vec![PanelArea::Wipe([1, 2])], vec![1, 2]));
    let whole = window.get_by_label("Wipe: Linear (lerp) | Cubic B-spline (bicubic)").rect();
    for index in [1, 2] {
        let picture = app(&window).picture(index).expect("a picture").pixels();
        assert_eq!(picture.size(), session.output());
        assert_eq!(picture, &rendered(session, &session.request(index)));
    }
    let line = window.get_by_label("Wipe line").rect().center();
    assert!((line.x - whole.center().x).abs() <= 1.0);
    let to = whole.left() + whole.width() * 0.25;
    window.hover_at(line);
    window.run();
    window.drag_at(line);
    window.run();
    window.hover_at(egui::pos2(to, line.y));
    window.run();
    window.drop_at(egui::pos2(to, line.y));
    window.run();
    assert!((app(&window).session().line().share - 0.25).abs() < 1e-3);
    assert_eq!(app(&window).session().framing(), Framing::Fit, "the picture was not dragged");
    press(&mut window, Modifiers::SHIFT, Key::W);
    assert!(app(&window).session().line().is_horizontal);
    assert!(
        (window.get_by_label("Wipe line").rect().center().y - whole.lerp_inside(Vec2::new(0.0, 0.25)).y).abs() < 1.5
    );
    press(&mut window, Modifiers::NONE, Key::Period);
    assert!((app(&window).session().line().share - 0.28125).abs() < 1e-3);
    press(&mut window, Modifiers::NONE, Key::Space);
    assert_eq!(app(&window).session().areas(), [PanelArea::Wipe([2, 1])]);
    press(&mut window, Modifiers::NONE, Key::S);
    assert_eq!(app(&window).session().areas().len(), 4);
}

#[test]
fn click_within_one_frame_focuses_its_panel() {
    let mut window = basilica();
    for (name, index) in [("Panel 3: ", 2), ("Panel 2: ", 1)] {
        let pos = window.get_by_label_contains(name).rect().center();
        window.hover_at(pos);
        window.run();
        let button =
            |pressed| Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE };
        window.input_mut().events.extend([button(true), button(false)]);
        window.run();
        assert_eq!(app(&window).session().focused(), index, "{name}");
    }
}

/// The button says how many of the panels a comparison has; while the palette is open, its field is the only one.
#[test]
fn toolbar_says_the_number_of_panels_and_has_a_menu_of_their_sets() {
    let mut window = basilica();
    let said = |window: &Window| -> Vec<String> {
        let button = window.get_by_role_and_label(Role::Button, "Panels").rect();
        texts(window, button).into_iter().map(|(text, _)| text).filter(|text| text.is_ascii()).collect()
    };
    assert_eq!(said(&window), ["4 panels"]);
    press(&mut window, Modifiers::NONE, Key::D);
    assert_eq!(said(&window), ["2 of 4"]);
    press(&mut window, Modifiers::NONE, Key::S);
    for (item, count) in [("All methods", 9), ("Close panel", 8), ("Add panel", 9), ("The four", 4)] {
        window.get_by_role_and_label(Role::Button, "Panels").click();
        window.run();
        let is_item = |label: Option<String>| label.is_some_and(|label| label.starts_with(item));
        window.get_by(|node| node.role() == Role::Button && is_item(node.label())).click();
        window.run();
        assert_eq!((said(&window), methods(&window).len()), (vec![format!("{count} panels")], count), "{item}");
    }
    let find = |window: &Window| window.query_by_role_and_label(Role::Button, "Find").is_some();
    assert!(find(&window));
    press(&mut window, Modifiers::COMMAND | Modifiers::SHIFT, Key::P);
    assert!(!find(&window));
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert!(find(&window));
}

#[test]
fn compared_panel_is_chosen_in_the_header() {
    let mut window = basilica();
    press(&mut window, Modifiers::NONE, Key::D);
    assert_eq!(app(&window).session().areas(), [PanelArea::Difference([0, 1])]);
    window.get_by_label_contains("Second panel").click();
    window.run();
    window.get_by_label("4 Catmull-Rom").click();
    window.run();
    assert_eq!(app(&window).session().areas(), [PanelArea::Difference([0, 3])]);
    window.get_by_label("Swap pair").click();
    window.run();
    assert_eq!(app(&window).session().areas(), [PanelArea::Difference([3, 0])]);
    window.get_by_label("Side by side").click();
    window.run();
    press(&mut window, Modifiers::COMMAND, Key::Tab);
    assert_eq!(app(&window).session().pair(), Some([0, 1]));
}

#[test]
fn difference_equals_the_backends_signed_and_absolute_at_every_gain() {
    let mut window = basilica();
    press(&mut window, Modifiers::NONE, Key::Num8);
    press(&mut window, Modifiers::COMMAND, Key::Tab);
    press(&mut window, Modifiers::NONE, Key::T);
    press(&mut window, Modifiers::NONE, Key::D);
    let parts: Vec<Raster> = [1, 2]
        .iter()
        .map(|&index| {
            let session = app(&window).session();
            let format = PixelFormat::file(Depth::Float);
            backend::render(&mut CpuBackend::new(), session.image(), &session.request(index), format).expect("values")
        })
        .collect();
    for (gain, absolute) in [(0, false), (5, false), (12, false), (12, true), (3, true)] {
        let wanted = f64::from(gain).exp2();
        while app(&window).session().gain() < wanted {
            press(&mut window, Modifiers::NONE, Key::CloseBracket);
        }
        while app(&window).session().gain() > wanted {
            press(&mut window, Modifiers::NONE, Key::OpenBracket);
        }
        if app(&window).session().difference().absolute != absolute {
            press(&mut window, Modifiers::SHIFT, Key::D);
        }
        window.get_by_label(&format!("Gain {}×", 1 << gain));
        let session = app(&window).session();
        let request = session.difference_request([1, 2]);
        let shown = app(&window).difference().pixels();
        assert_eq!(shown, &rendered(session, &request));
        let map = if absolute { ColourMap::Inferno } else { ColourMap::BlueBlackOrange };
        for (x, y) in [(0, 0), (101, 57), (300, 200), (333, 12)] {
            let gained = (parts[0].number(x, y, 0) - parts[1].number(x, y, 0)) * f32::from(1_u16 << gain);
            let colour = map.colour(if absolute { gained.abs() } else { (gained + 1.0) / 2.0 });
            for (channel, value) in colour.into_iter().enumerate() {
                let off = (shown.number(x, y, channel as u32 as usize) - (value * 255.0).round()).abs();
                assert!(off <= 2.0, "({x}, {y}) at 2^{gain}: {off}");
            }
        }
    }
    press(&mut window, Modifiers::NONE, Key::CloseBracket);
    window.get_by_label("Colour map").click();
    window.run();
    window.get_by_label("Viridis").click();
    window.run();
    assert_eq!(app(&window).session().difference().absolute_map, Some(ColourMap::Viridis));
    let value =
        window.get_by_label("Difference: Linear (lerp) · texture unit − Cubic B-spline (bicubic)").rect().center();
    window.hover_at(value);
    window.run();
    let reading = app(&window).reading().expect("a reading");
    let panels: Vec<_> = app(&window).session().panels()[1..=2].iter().map(Panel::id).collect();
    assert_eq!(reading.values.iter().map(|(panel, _)| *panel).collect::<Vec<_>>(), panels);
    // In the file's numbers, 0 … 255.
    let decimals = (3.0 - (255.0 / app(&window).session().gain()).log10()).ceil().clamp(2.0, 7.0) as usize;
    let text = format!("{:+.decimals$}", 255.0 * f64::from(reading.values[0].1[0] - reading.values[1].1[0]));
    let text = text.replace('-', "−");
    window.run();
    window.get_by_label(&format!("2 − 3 = {text}"));
}

#[test]
fn difference_of_images_of_any_size_follows_a_replaced_image() {
    let grey = |value: u8, side: Size| {
        let samples = Samples::U8 { values: vec![value; side.area()], maxval: 200 };
        Page::new(Raster::new(side, Channels::Grey, samples).expect("a raster"))
    };
    let second = Image::new("second", vec![grey(1, size(9, 9)), grey(50, size(300, 700))]).expect("an image");
    let colour = Raster::zeros(size(512, 512), Channels::Rgb, Depth::EIGHT);
    let colour = Image::new("colour", vec![Page::new(colour)]).expect("an image");
    let mut window = open(vec![image::embedded().expect("the embedded image").image, second, colour]);
    let choose = |window: &mut Window, name: &str| {
        window.get_by_label("Panel 2 menu").click();
        window.run();
        window.get_all_by_label(name).last().expect("the image's name").click();
        window.run();
    };
    choose(&mut window, "second");
    press(&mut window, Modifiers::COMMAND, Key::PageDown);
    press(&mut window, Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::Tab);
    press(&mut window, Modifiers::NONE, Key::Num2);
    press(&mut window, Modifiers::NONE, Key::D);
    let session = app(&window).session();
    assert_eq!(session.areas(), [PanelArea::Difference([0, 1])]);
    let request = session.difference_request([0, 1]);
    assert_eq!(request.subtract.as_ref().expect("a second").page, 2);
    let values = |index: usize| {
        let (request, format) = (session.request(index), PixelFormat::file(Depth::Float));
        backend::render(&mut CpuBackend::new(), session.image_of(index), &request, format).expect("values")
    };
    let (first, other) = (values(0), values(1));
    let shown = app(&window).difference().pixels();
    for (x, y) in [(0, 0), (101, 57), (300, 200)] {
        let gain = session.gain() as f32;
        let value = gain * (first.number(x, y, 0) - other.number(x, y, 0));
        let colour = ColourMap::OrangeBlackBlue.colour((value + 1.0) / 2.0);
        for (channel, value) in colour.into_iter().enumerate() {
            assert!((shown.number(x, y, channel) - value * 255.0).abs() <= 1.0, "({x}, {y})");
        }
    }
    // Grey and colour have none, and that is said.
    press(&mut window, Modifiers::NONE, Key::S);
    choose(&mut window, "colour");
    press(&mut window, Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::Tab);
    press(&mut window, Modifiers::NONE, Key::D);
    window.get_by_label_contains("of the same channels only");
    press(&mut window, Modifiers::NONE, Key::W);
    let session = app(&window).session();
    for index in [0, 1] {
        let request = session.request(index);
        let expected = backend::render(&mut CpuBackend::new(), session.image_of(index), &request, PixelFormat::TEXTURE);
        assert_eq!(app(&window).picture(index).expect("a picture").pixels(), &expected.expect("pixels"));
    }
}

#[test]
fn space_bar_tap_flips_and_a_held_one_does_not() {
    let mut window = basilica();
    let tap = |window: &mut Window| {
        window.key_press(Key::Space);
        window.run();
    };
    tap(&mut window);
    assert_eq!(app(&window).session().areas()[0], PanelArea::Flipped { place: 0, shows: 1 });
    window.get_by_role_and_label(Role::Image, "Panel 1 shows panel 2: Linear (lerp)");
    tap(&mut window);
    assert_eq!(app(&window).session().areas()[0], PanelArea::Panel(0));
    // Space held while the picture is dragged is no tap.
    let middle = window.get_by_label("Panel 1: Nearest (nerp)").rect().center();
    window.hover_at(middle);
    window.key_down(Key::Space);
    window.run();
    window.drag_at(middle);
    window.run();
    window.drop_at(middle);
    window.run();
    window.key_up(Key::Space);
    window.run();
    assert_eq!(app(&window).session().areas()[0], PanelArea::Panel(0));
    // By itself it goes on and off with the time, and asks for no frame once it is off.
    press(&mut window, Modifiers::SHIFT, Key::Space);
    assert!(app(&window).session().flickers());
    press_step(&mut window, Key::CloseBracket);
    assert_eq!(app(&window).session().flips_a_second(), 4.0);
    let mut seen = Vec::new();
    for _ in 0..200 {
        window.step();
        seen.push(app(&window).session().areas()[0]);
    }
    seen.dedup();
    assert!(seen.len() > 2, "{seen:?}");
    press(&mut window, Modifiers::COMMAND, Key::Tab);
    assert!(!app(&window).session().flickers());
    assert!(window.run() <= 2);
}

#[test]
fn difference_with_an_unsupported_path_offers_the_exact_path() {
    let mut window = basilica();
    let mut state = app(&window).session().state();
    state.panels[1].sampler.path = SamplingPath::Tiled;
    for panel in &mut state.panels {
        panel.view = panel.view.rotated(30.0).expect("an angle");
        panel.framing = Framing::Free;
    }
    assert!(window.state_mut().as_mut().expect("the app").restore_state(&state));
    window.run();
    press(&mut window, Modifiers::NONE, Key::D);
    assert_eq!(app(&window).session().areas(), [PanelArea::Difference([0, 1])]);
    window.get_by_label_contains("does not serve a rotated view");
    window.get_by_label("Use the exact path").click();
    window.run();
    assert_eq!(app(&window).session().panels()[1].sampler.path, SamplingPath::Auto);
    assert!(app(&window).difference().refusal().is_none());
}

#[test]
fn page_of_an_unlinked_panel_changes_alone() {
    let page = |value: u8| {
        let samples = Samples::U8 { values: vec![value; 16], maxval: 255 };
        Page::new(Raster::new(size(4, 4), Channels::Grey, samples).expect("a raster"))
    };
    let mut session = Session::new(Arc::new(Image::new("pages", vec![page(1), page(2), page(3)]).expect("an image")));
    session.show_page_in(2, 1);
    let pages = |session: &Session| session.panels().iter().map(|panel| panel.page_index()).collect::<Vec<_>>();
    assert_eq!(pages(&session), [0, 0, 1, 0]);
    let difference = session.difference_request([0, 2]);
    assert_eq!(difference.subtract.expect("another page").page, 1);
    session.show_page(9);
    assert_eq!(pages(&session), [2, 2, 2, 2]);
}

#[test]
fn comparison_of_one_panel_is_refused() {
    let mut window = basilica();
    for _ in 0..3 {
        press(&mut window, Modifiers::COMMAND, Key::W);
    }
    for key in [Key::W, Key::D, Key::Space] {
        press(&mut window, Modifiers::NONE, key);
        assert_eq!(app(&window).session().areas(), [PanelArea::Panel(0)]);
        window.get_by_label_contains("Only one panel is open");
    }
}

#[test]
fn values_of_unaligned_panels_are_of_one_position() {
    let mut window = basilica();
    press(&mut window, Modifiers::NONE, Key::Num8);
    press(&mut window, Modifiers::COMMAND, Key::U);
    press(&mut window, Modifiers::COMMAND, Key::U);
    assert_eq!(app(&window).session().link(), Link::Off);
    press(&mut window, Modifiers::SHIFT, Key::ArrowRight);
    assert_eq!(
        app(&window).session().view().translation()[0],
        app(&window).session().view_of(1).translation()[0] + 1.0
    );
    let pos = window.get_by_label("Panel 1: Nearest (nerp)").rect().center();
    window.hover_at(pos);
    window.run();
    let reading = app(&window).reading().expect("a reading").clone();
    let session = app(&window).session();
    for (panel, values) in reading.values {
        let index = session.index_of(panel).expect("it is open");
        let pixel = session.pixel_at(index, reading.pos_in_image).expect("it is seen");
        let format = PixelFormat::file(Depth::Float);
        let whole =
            backend::render(&mut CpuBackend::new(), session.image(), &session.request(index), format).expect("values");
        assert!((values[0] - whole.number(pixel[0], pixel[1], 0)).abs() < 2e-6, "panel {index}");
    }
    assert_ne!(session.pixel_at(0, reading.pos_in_image), session.pixel_at(1, reading.pos_in_image));
}

#[test]
fn number_entry_ended_by_a_click_in_another_panel_sets_its_own_panel() {
    let mut window = basilica();
    // The mode that reads the border's value.
    press(&mut window, Modifiers::NONE, Key::A);
    open_tab(&mut window, "Panel", None);
    window.get_by_role_and_label(Role::SpinButton, "Border").click();
    window.run();
    press(&mut window, Modifiers::COMMAND, Key::A);
    window.event(Event::Text("0.5".to_owned()));
    window.run();
    window.get_by_label("Panel 2: Linear (lerp)").click();
    window.run();
    let session = app(&window).session();
    let borders: Vec<f32> = session.panels().iter().map(|panel| panel.sampler.border).collect();
    assert_eq!((session.focused(), borders), (1, vec![0.5, 0.0, 0.0, 0.0]));
}

#[test]
fn number_drag_during_a_focus_change_sets_its_own_panel() {
    let mut window = basilica();
    press(&mut window, Modifiers::NONE, Key::A);
    open_tab(&mut window, "Panel", None);
    let field = window.get_by_role_and_label(Role::SpinButton, "Border").rect().center();
    let borders = |window: &Window| app(window).session().panels().iter().map(|p| p.sampler.border).collect::<Vec<_>>();
    let drag_to = |window: &mut Window, right: f32| {
        window.event(Event::PointerMoved(field + egui::vec2(right, 0.0)));
        window.run();
    };
    window.hover_at(field);
    window.drag_at(field);
    window.run();
    drag_to(&mut window, 30.0);
    let dragged = borders(&window);
    assert!(dragged[0] > 0.0 && dragged[1..] == [0.0; 3], "{dragged:?}");
    press(&mut window, Modifiers::COMMAND, Key::Tab);
    drag_to(&mut window, 60.0);
    window.drop_at(field);
    window.run();
    assert_eq!((app(&window).session().focused(), borders(&window)), (1, dragged));
}

/// The menu of address modes stays open: both axes are chosen in it.
#[test]
fn modes_of_both_axes_are_chosen_in_one_menu() {
    let mut window = basilica();
    let pos = window.get_by_label("Panel 2: Linear (lerp)").rect().center();
    window.hover_at(pos);
    window.step();
    for pressed in [true, false] {
        let (button, modifiers) = (PointerButton::Secondary, Modifiers::NONE);
        window.event(Event::PointerButton { pos, button, pressed, modifiers });
        window.step();
    }
    window.run();
    let submenu = window.get_by_label_contains("Address mode: ").rect().center();
    click_at(&mut window, submenu);
    for choice in ["Wrap along x", "Mirror along y"] {
        let place = window.get_by_label(choice).rect().center();
        click_at(&mut window, place);
    }
    let session = app(&window).session();
    assert_eq!(session.panels()[1].sampler.address, [AddressMode::Wrap, AddressMode::Mirror]);
    assert_eq!(session.focused(), 1, "no click went through to a picture");
}

/// A click of the right button on a picture opens the menu of its panel; a drag of that button sets black and white and opens none.
#[test]
fn right_click_on_a_picture_opens_the_menu_of_its_panel() {
    let mut window = basilica();
    let pos = window.get_by_label("Panel 2: Linear (lerp)").rect().center();
    let right = |window: &mut Window, from: egui::Pos2, to: egui::Pos2| {
        for (pos, pressed) in [(from, true), (to, false)] {
            window.hover_at(pos);
            window.step();
            let (button, modifiers) = (PointerButton::Secondary, Modifiers::NONE);
            window.event(Event::PointerButton { pos, button, pressed, modifiers });
            window.step();
        }
        window.run();
    };
    let has_menu = |window: &Window| window.query_by_label_contains("Address mode: ").is_some();
    let window_of = |window: &Window| app(window).session().panels()[1].display.window;
    let usual = window_of(&window);
    right(&mut window, pos, pos + Vec2::new(60.0, 30.0));
    assert!(!has_menu(&window) && window_of(&window) != usual, "a drag");
    let dragged = window_of(&window);
    right(&mut window, pos, pos);
    assert!(has_menu(&window) && window_of(&window) == dragged, "a click");
    assert_eq!(app(&window).session().focused(), 1);
    window.get_by_label("Antialias").click();
    window.run();
    let antialias: Vec<bool> = app(&window).session().panels().iter().map(|panel| panel.sampler.antialias).collect();
    assert!(
        antialias.iter().enumerate().all(|(index, is_on)| (*is_on != antialias[0]) == (index == 1)),
        "{antialias:?}"
    );
    // Its last items are of the picture, and what it sets is for all panels by one item.
    right(&mut window, pos, pos);
    window.get_all_by_label_contains("Use settings in all panels").last().expect("an item").click();
    window.run();
    let session = app(&window).session();
    assert!(session.shares_settings() && session.panels().iter().all(|panel| panel.sampler.antialias == antialias[1]));
    let methods = methods(&window);
    // A tap has its press and its release in one frame.
    let first = window.get_by_label("Panel 1: Nearest (nerp)").rect().center();
    window.hover_at(first);
    window.run();
    for pressed in [true, false] {
        let (button, modifiers) = (PointerButton::Secondary, Modifiers::NONE);
        window.event(Event::PointerButton { pos: first, button, pressed, modifiers });
    }
    window.run();
    assert!(has_menu(&window));
    assert_eq!(app(&window).session().focused(), 0);
    press(&mut window, Modifiers::NONE, Key::Escape);
    press(&mut window, Modifiers::COMMAND, Key::Z);
    let after: Vec<bool> = app(&window).session().panels().iter().map(|panel| panel.sampler.antialias).collect();
    assert_eq!(after, antialias, "one step of undo");
    assert_eq!(methods, super::panels::methods(&window));
}
