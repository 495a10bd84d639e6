//! The window.

mod arrangements;
mod commands;
mod comparing;
mod controls;
mod exchange;
mod files;
mod ghost;
mod gl;
mod header;
mod history;
mod icon;
mod input;
mod inputs;
mod layout;
mod number;
mod overlay;
mod panel;
mod perform;
mod picture;
mod presets;
mod probe;
mod screen;
mod session;
mod sharing;
mod status;
mod tap;
mod theme;
mod toast;
mod toolbar;
mod window;

use std::path::PathBuf;

use anyhow::Context as _;

pub use self::arrangements::{ARRANGEMENTS, Arrangement, ArrangementRow};
pub use self::commands::{COMMANDS, Command, CommandRow};
pub use self::history::{Change, Framing};
pub use self::layout::Layout;
pub use self::picture::Picture;
pub use self::presets::{PRESETS, Preset};
pub use self::screen::way_to_screen;
pub use self::session::{
    Area, COMPARES, Compare, CompareRow, Difference, LINKS, Link, LinkRow, Panel, Session, WipeLine,
};
pub use self::status::Reading;
pub use self::window::Lerpscope;

/// What a window opens with.
#[derive(Clone, Debug, Default)]
pub struct Launch {
    /// Images, by path or as `synth:NAME:WxH`; none means the embedded Basilica.
    pub inputs: Vec<PathBuf>,
    /// The backend's name, or `auto`.
    pub backend: String,
}

/// Opens the window and returns when it is closed.
///
/// # Errors
/// Where there is no display, or an input cannot be opened.
pub fn run(launch: &Launch) -> anyhow::Result<()> {
    let backend = crate::backend::open(&launch.backend)?;
    let images = inputs::open_all(&launch.inputs)?;
    let viewport = egui::ViewportBuilder::default()
        .with_app_id("lerpscope")
        .with_title("Lerpscope")
        .with_icon(icon::icon())
        .with_inner_size([1280.0, 860.0])
        .with_min_inner_size([640.0, 440.0]);
    let options = eframe::NativeOptions { viewport, dithering: false, ..Default::default() };
    let create = move |creation: &eframe::CreationContext<'_>| {
        let mut app = Lerpscope::new(&creation.egui_ctx, images, backend).ok_or("no image")?;
        if let Some(gl) = &creation.gl {
            app.draw_with(std::sync::Arc::clone(gl))?;
        }
        Ok::<Box<dyn eframe::App>, Box<dyn std::error::Error + Send + Sync>>(Box::new(app))
    };
    match eframe::run_native("Lerpscope", options, Box::new(create)) {
        Ok(()) => Ok(()),
        Err(eframe::Error::Winit(_) | eframe::Error::WinitEventLoop(_)) if !names_display() => {
            anyhow::bail!("there is no display to open a window on; `lerpscope render` works without one")
        }
        Err(error) => Err(anyhow::anyhow!("{error}")).context("the window did not open; `lerpscope render` needs none"),
    }
}

/// Whether the environment names a display at all; elsewhere than on X11 and Wayland there always is one.
fn names_display() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(not(all(unix, not(target_os = "macos"))))
        || ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"].into_iter().any(is_set)
}
