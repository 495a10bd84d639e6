//! Gestures of a trackpad in a window without a screen: a pinch zooms, two fingers turn, about the pointer.

use egui::{Event, Key, Modifiers, Pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use lerpscope::app::Lerpscope;
use lerpscope::backend::CpuBackend;
use lerpscope::image;

use crate::harness::{Window, app, window_of};

const FIRST: &str = "Panel 1: Nearest (nerp)";

fn press(window: &mut Window, modifiers: Modifiers, key: Key) {
    window.key_press_modifiers(modifiers, key);
    window.run_ok();
}

/// The built-in image at 8×, 60 frames a second.
fn open() -> Window {
    let builder = Harness::builder().with_size([1280.0, 860.0]).with_max_steps(64).with_step_dt(1.0 / 60.0);
    let mut window = window_of(builder, |ctx| {
        let images = vec![image::embedded().expect("the built-in picture").image];
        Lerpscope::new(ctx, images, Box::new(CpuBackend::new())).expect("an image")
    });
    window.run_ok();
    press(&mut window, Modifiers::NONE, Key::Num8);
    window
}

/// Position in the image under `pos`, which is over the first panel.
fn under(window: &Window, pos: Pos2) -> [f64; 2] {
    let session = app(window).session();
    let at = pos - window.get_by_label(FIRST).rect().min;
    let map = session.view().image_from_output(session.output(), session.page().size());
    map.at([f64::from(at.x) - 0.5, f64::from(at.y) - 0.5])
}

fn assert_near(a: [f64; 2], b: [f64; 2]) {
    assert!((a[0] - b[0]).abs() < 1e-9 && (a[1] - b[1]).abs() < 1e-9, "{a:?} is not {b:?}");
}

#[test]
fn two_fingers_turn_the_view_about_the_pointer_after_a_free_angle() {
    let mut window = open();
    let pos = window.get_by_label(FIRST).rect().center() + vec2(61.0, -37.0);
    window.hover_at(pos);
    window.run_ok();
    let (before, sample) = (app(&window).session().view(), under(&window, pos));
    // Clockwise, in radians: 10° do not turn the view, 30° turn it by 18°.
    window.event(Event::Rotate(10_f32.to_radians()));
    window.run_ok();
    assert_eq!(app(&window).session().view(), before);
    window.event(Event::Rotate(20_f32.to_radians()));
    window.run_ok();
    let view = app(&window).session().view();
    assert!((view.angle_deg() + 18.0).abs() < 1e-4, "{view:?}");
    assert_eq!(view.scale(), before.scale());
    assert_near(under(&window, pos), sample);
}

#[test]
fn pinch_zooms_about_the_pointer_by_its_factor() {
    let mut window = open();
    let pos = window.get_by_label(FIRST).rect().center() + vec2(-80.0, 22.0);
    window.hover_at(pos);
    window.run_ok();
    let (scale, sample) = (app(&window).session().view().scale(), under(&window, pos));
    for factor in [1.25, 1.6] {
        window.event(Event::Zoom(factor));
        window.run_ok();
    }
    assert!((app(&window).session().view().scale() / (scale / 2.0) - 1.0).abs() < 1e-6);
    assert_near(under(&window, pos), sample);
}

#[test]
fn pinch_that_zooms_and_turns_in_one_frame_does_both_about_the_pointer() {
    let mut window = open();
    let pos = window.get_by_label(FIRST).rect().center() + vec2(43.0, 58.0);
    window.hover_at(pos);
    window.run_ok();
    let (scale, sample) = (app(&window).session().view().scale(), under(&window, pos));
    // 32° less the free angle of 12°.
    window.input_mut().events.extend([Event::Zoom(1.25), Event::Rotate(-32_f32.to_radians())]);
    window.run_ok();
    let view = app(&window).session().view();
    assert!((view.scale() / (scale / 1.25) - 1.0).abs() < 1e-6, "{view:?}");
    assert!((view.angle_deg() - 20.0).abs() < 1e-4, "{view:?}");
    assert_near(under(&window, pos), sample);
}
