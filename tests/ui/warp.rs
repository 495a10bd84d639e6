//! Warps in the window without a screen: chosen and edited in the side bar, handles dragged over a picture, the position in the status
//! line, what does not apply, undo.

use egui::{Event, Key, Modifiers, Role, vec2};
use egui_kittest::kittest::Queryable as _;
use lerpscope::app::Tool;
use lerpscope::image::BUILT_IN;
use lerpscope::warp::Warp;

use crate::harness::documents::open_settled;
use crate::harness::pictures::assert_pictures;
use crate::harness::pointer::drag_slowly;
use crate::harness::side_bar::open_tab;
use crate::harness::waiting::{press_and_settle, settle};
use crate::harness::{Window, app};

fn open() -> Window {
    let mut window = open_settled(BUILT_IN, 960.0);
    open_tab(&mut window, "Panel", None);
    window
}

fn warp(window: &Window, panel: usize) -> &Warp {
    &app(window).session().panels()[panel].warp
}

/// Chooses a warp in the side bar's list.
fn choose(window: &mut Window, title: &str) {
    window.get_by_role_and_label(Role::ComboBox, "Warp").click();
    settle(window);
    window.get_all_by_label(title).last().expect("an item").click();
    settle(window);
}

/// Every picture is the backend's for its request, and warped.
fn assert_warped_pictures(window: &Window) {
    let session = app(window).session();
    assert!(session.visible().into_iter().all(|index| &session.request(index).warp == warp(window, index)));
    assert_pictures(window);
}

fn picture(window: &Window) -> egui::Rect {
    window.get_by_label_contains("Panel 1: Nearest (nerp)").rect()
}

#[test]
fn warp_chosen_in_the_side_bar_is_that_of_all_panels_and_undone_in_one_step() {
    let mut window = open();
    press_and_settle(&mut window, Modifiers::NONE, Key::Num0);
    choose(&mut window, "Lens");
    let text = |window: &Window| [0, 1, 2, 3].map(|panel| warp(window, panel).to_string());
    assert_eq!(text(&window), ["lens=0.5,1"; 4]);
    assert_warped_pictures(&window);
    window.get_by_role_and_label(Role::SpinButton, "Strength").click();
    window.run_ok();
    window.get_by_role_and_label(Role::SpinButton, "Strength").type_text("-0.75");
    press_and_settle(&mut window, Modifiers::NONE, Key::Enter);
    assert_eq!(text(&window), ["lens=-0.75,1"; 4]);
    assert_warped_pictures(&window);
    press_and_settle(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(text(&window), ["lens=0.5,1"; 4]);
    press_and_settle(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(text(&window), ["none"; 4]);
    assert_warped_pictures(&window);
}

#[test]
fn handle_is_dragged_and_the_image_elsewhere() {
    let mut window = open();
    press_and_settle(&mut window, Modifiers::NONE, Key::Num0);
    choose(&mut window, "Handles");
    assert_eq!(app(&window).session().inspect.tool, Tool::Handles);
    let session = app(&window).session();
    let map = session.panels()[0].view().image_from_output(session.output(), session.page().size());
    let corner = picture(&window).min;
    let at = |place: [f64; 2]| {
        let [x, y] = map.inverse_at(place);
        corner + vec2(x as f32 + 0.5, y as f32 + 0.5)
    };
    // Handle (1, 1) of 4 × 4 stands at a third of the picture.
    let side = f64::from(session.page().size().width());
    let home = [side / 3.0 - 0.5; 2];
    let view = session.panels()[0].view();
    drag_slowly(&mut window, at(home), at([home[0] + side / 8.0, home[1] - side / 16.0]));
    let Warp::Grid(lattice) = warp(&window, 0) else { panic!("{:?}", warp(&window, 0)) };
    let [x, y] = lattice.shifts()[5];
    assert!((x - 0.125).abs() < 0.01 && (y + 0.0625).abs() < 0.01, "{x} {y}");
    assert_eq!(lattice.shifts().iter().filter(|shift| **shift != [0.0; 2]).count(), 1);
    assert_eq!(app(&window).session().panels()[0].view(), view, "the view stays");
    assert_eq!(warp(&window, 3), warp(&window, 0));
    assert_warped_pictures(&window);
    // Between handles the image is dragged.
    let between = [side / 6.0 - 0.5, side / 2.0 - 0.5];
    drag_slowly(&mut window, at(between), at(between) + vec2(30.0, 0.0));
    assert_ne!(app(&window).session().panels()[0].view(), view);
    press_and_settle(&mut window, Modifiers::NONE, Key::Escape);
    assert_eq!(app(&window).session().inspect.tool, Tool::Hand);
}

#[test]
fn status_line_has_the_position_of_the_source_and_overlays_of_samples_do_not_apply() {
    let mut window = open();
    press_and_settle(&mut window, Modifiers::NONE, Key::Num0);
    choose(&mut window, "Handles");
    window.get_by_label("Displacements as text, or a CSV file").click();
    window.run_ok();
    window.get_by_label("Displacements as text, or a CSV file").type_text("[0.25,0,0.25,0;0.25,0,0.25,0]");
    press_and_settle(&mut window, Modifiers::NONE, Key::Enter);
    assert_eq!(warp(&window, 2).to_string(), "grid=[0.25,0,0.25,0;0.25,0,0.25,0]");
    let pos = picture(&window).center();
    window.event(Event::PointerMoved(pos));
    settle(&mut window);
    let session = app(&window).session();
    let map = session.panels()[0].view().image_from_output(session.output(), session.page().size());
    let pixel = (pos - picture(&window).min).floor();
    let [x, _] = map.at([f64::from(pixel.x), f64::from(pixel.y)]);
    let source = x - 0.25 * f64::from(session.page().size().width());
    let shown = format!("x {source:.2}");
    assert!(window.query_by_label_contains(&shown).is_some(), "the status line has {shown}");
    press_and_settle(&mut window, Modifiers::NONE, Key::G);
    assert!(!app(&window).session().inspect.state.has_grid, "a grid of samples does not apply");
}
