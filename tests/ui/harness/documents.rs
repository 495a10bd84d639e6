//! Windows with files, for tests without a screen.

use std::path::{Path, PathBuf};

use egui::{Event, Key, Modifiers, Vec2};
use egui_kittest::Harness;
use lerpscope::app::{AppPaths, Lerpscope, Restored};
use lerpscope::backend::CpuBackend;
use lerpscope::image::{self, BUILT_IN, Image};
use lerpscope::volume;

use crate::harness::waiting::{press_and_settle, settle};
use crate::harness::{Window, window_of};

pub(crate) const CTRL_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);

/// A window on `sources` that remembers in `folder`.
pub(crate) fn open(sources: Vec<PathBuf>, folder: Option<&Path>) -> Window {
    let places = folder.map(|folder| AppPaths {
        settings: folder.join("config/settings.toml"),
        session: folder.join("data/session.toml"),
        pasted: folder.join("data/pasted"),
    });
    let builder = Harness::builder().with_size([1280.0, 860.0]).with_max_steps(16);
    let mut window = window_of(builder, move |ctx| {
        let open = |source: &PathBuf| image::open_source(source).expect("an image").image;
        let images = sources.iter().map(open).collect();
        let mut app = Lerpscope::new(ctx, images, Box::new(CpuBackend::new())).expect("an image");
        if let Some(places) = places {
            app.remember_at(ctx, places);
        }
        app.name_sources(&sources);
        app
    });
    window.run_ok();
    window
}

pub(crate) fn basilica() -> Window {
    open(vec![PathBuf::from(BUILT_IN)], None)
}

/// Widens the window so that the titles of the menus have room.
pub(crate) fn widen(window: &mut Window) {
    let height = window.ctx.content_rect().height();
    window.set_size(Vec2::new(1500.0, height));
    window.run();
}

/// A window of 1280 × `height` points on `source`, of volumes and complex images as well, once all that it shows has come.
pub(crate) fn open_settled(source: &str, height: f32) -> Window {
    open_restored(source, height, None)
}

/// The same with what an earlier session left.
pub(crate) fn open_restored(source: &str, height: f32, restored: Option<Restored>) -> Window {
    let source = PathBuf::from(source);
    let builder = Harness::builder().with_size([1280.0, height]).with_max_steps(64);
    let mut window = window_of(builder, move |ctx| {
        let images = vec![volume::open_source(&source).expect("an image").image];
        let mut app = Lerpscope::new(ctx, images, Box::new(CpuBackend::new())).expect("an image");
        app.name_sources(&[source]);
        if let Some(restored) = restored {
            app.restore(restored);
        }
        app
    });
    settle(&mut window);
    window
}

/// A window of 1280 × `height` points on `images` without sources, at rest after at most `most` frames.
pub(crate) fn open_images(images: Vec<Image>, height: f32, most: u64) -> Window {
    let builder = Harness::builder().with_size([1280.0, height]).with_max_steps(most);
    let mut window =
        window_of(builder, move |ctx| Lerpscope::new(ctx, images, Box::new(CpuBackend::new())).expect("an image"));
    window.run();
    window
}

/// The built-in image alone.
pub(crate) fn embedded() -> Vec<Image> {
    vec![image::embedded().expect("the embedded image").image]
}

pub(crate) fn press(window: &mut Window, modifiers: Modifiers, key: Key) {
    window.key_press_modifiers(modifiers, key);
    window.run_ok();
}

pub(crate) fn type_text(window: &mut Window, text: &str) {
    window.event(Event::Text(text.to_owned()));
    window.run_ok();
}

/// Runs the first entry of the palette for a typed text.
pub(crate) fn type_command(window: &mut Window, text: &str) {
    press_and_settle(window, CTRL_SHIFT, Key::P);
    window.event(Event::Text(text.to_owned()));
    settle(window);
    press_and_settle(window, Modifiers::NONE, Key::Enter);
}
