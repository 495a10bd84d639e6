//! Gestures of a trackpad in a window without a screen: a pinch zooms, two fingers turn, about the pointer.

use egui::{Event, Key, Modifiers, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use lerpscope::app::Lerpscope;
use lerpscope::backend::CpuBackend;
use lerpscope::image;

use crate::harness::documents::press;
use crate::harness::pointer::{pixel_centre, seen_at};
use crate::harness::{Window, app, window_of};

const FIRST: &str = "Panel 1: Nearest (nerp)";

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

fn assert_near(a: [f64; 2], b: [f64; 2]) {
    assert!((a[0] - b[0]).abs() < 1e-9 && (a[1] - b[1]).abs() < 1e-9, "{a:?} is not {b:?}");
}

#[test]
fn two_fingers_turn_the_view_about_the_pointer_after_a_free_angle() {
    let mut window = open();
    let pos = pixel_centre(window.get_by_label(FIRST).rect().center() + vec2(61.0, -37.0));
    window.hover_at(pos);
    window.run_ok();
    let (before, sample) = (app(&window).session().view(), seen_at(&window, FIRST, pos));
    // Clockwise, in radians: 10° do not turn the view, 30° turn it by 18°.
    window.event(Event::Rotate(10_f32.to_radians()));
    window.run_ok();
    assert_eq!(app(&window).session().view(), before);
    window.event(Event::Rotate(20_f32.to_radians()));
    window.run_ok();
    let view = app(&window).session().view();
    assert!((view.angle_deg() + 18.0).abs() < 1e-4, "{view:?}");
    assert_eq!(view.scale(), before.scale());
    assert_near(seen_at(&window, FIRST, pos), sample);
}

#[test]
fn pinch_zooms_about_the_pointer_by_its_factor() {
    let mut window = open();
    let pos = pixel_centre(window.get_by_label(FIRST).rect().center() + vec2(-80.0, 22.0));
    window.hover_at(pos);
    window.run_ok();
    let (scale, sample) = (app(&window).session().view().scale(), seen_at(&window, FIRST, pos));
    for factor in [1.25, 1.6] {
        window.event(Event::Zoom(factor));
        window.run_ok();
    }
    assert!((app(&window).session().view().scale() / (scale / 2.0) - 1.0).abs() < 1e-6);
    assert_near(seen_at(&window, FIRST, pos), sample);
}

#[test]
fn pinch_that_zooms_and_turns_in_one_frame_does_both_about_the_pointer() {
    let mut window = open();
    let pos = pixel_centre(window.get_by_label(FIRST).rect().center() + vec2(43.0, 58.0));
    window.hover_at(pos);
    window.run_ok();
    let (scale, sample) = (app(&window).session().view().scale(), seen_at(&window, FIRST, pos));
    // 32° less the free angle of 12°.
    window.input_mut().events.extend([Event::Zoom(1.25), Event::Rotate(-32_f32.to_radians())]);
    window.run_ok();
    let view = app(&window).session().view();
    assert!((view.scale() / (scale / 1.25) - 1.0).abs() < 1e-6, "{view:?}");
    assert!((view.angle_deg() - 20.0).abs() < 1e-4, "{view:?}");
    assert_near(seen_at(&window, FIRST, pos), sample);
}
