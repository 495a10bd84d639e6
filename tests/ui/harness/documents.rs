//! Windows with files, for tests without a screen.

use std::path::{Path, PathBuf};

use egui::{Event, Key, Modifiers};
use egui_kittest::Harness;
use lerpscope::app::{AppPaths, Lerpscope};
use lerpscope::backend::CpuBackend;
use lerpscope::image::{self, BUILT_IN};

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

pub(crate) fn press(window: &mut Window, modifiers: Modifiers, key: Key) {
    window.key_press_modifiers(modifiers, key);
    window.run_ok();
}

pub(crate) fn type_text(window: &mut Window, text: &str) {
    window.event(Event::Text(text.to_owned()));
    window.run_ok();
}
