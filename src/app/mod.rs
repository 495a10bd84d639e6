//! The window.

mod bars;
mod commands;
mod dialogs;
mod files;
mod input;
mod inspect;
mod panels;
mod render;
mod session;
mod widgets;
mod window;

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use anyhow::Context as _;

pub use self::bars::status::Reading;
pub use self::commands::keymap::{UnknownCommand, bindings_table};
pub use self::commands::{Ask, COMMANDS, Chord, Command, CommandRow, Keymap, Menu, Pan, PanStep};
pub use self::dialogs::{Places, Restored, SavedSession, Settings, TextScale, ThemeChoice};
pub use self::render::frame_bench::{measure_frame, measure_frame_with};
pub use self::render::hidden_window::way_to_screen;
pub use self::render::picture::Picture;
pub use self::session::address_names::index_text;
pub use self::session::arrangements::{ARRANGEMENTS, Arrangement, ArrangementRow};
pub use self::session::figures::{PRESETS, Preset};
pub use self::session::history::{Change, Framing};
pub use self::session::inspect::{Inspect, Kept, Tool};
pub use self::session::layout::{LAYOUTS, Layout};
pub use self::session::preferences::{Preferences, WHEEL_DEVICES, WheelDevice};
pub use self::session::unit::{UNITS, Unit, UnitRow};
pub use self::session::{
    Area, COMPARES, Compare, CompareRow, Difference, ImageId, LINKS, Link, LinkRow, Panel, PanelId, PanelState,
    Session, State, WipeLine,
};
pub use self::window::Lerpscope;
pub use self::window::termination::Terminated;

use self::widgets::icon;
#[cfg(unix)]
use self::window::termination::Termination;
use crate::backend::Selected;
use crate::filter::Filters;
use crate::image::{self, Image};
use crate::panics;
use crate::sampling::Sampler;

/// What a window opens with.
#[derive(Clone, Debug, Default)]
pub struct Launch {
    /// Images, by path or as `synth:NAME:WxH`; none means the embedded Basilica.
    pub inputs: Vec<PathBuf>,
    /// The backend's name, or `auto`.
    pub backend: String,
    /// A session to show; its images come with it.
    pub session: Option<PathBuf>,
    /// The panels with their filters; none means the usual four.
    pub panels: Vec<(Sampler, Filters)>,
    /// How the panels stand.
    pub layout: Option<Layout>,
    /// Where to save what the window shows, which then closes.
    pub screenshot: Option<PathBuf>,
}

/// Opens the window and returns when it is closed.
///
/// SIGTERM, SIGINT and SIGHUP close the window as its own button does.
///
/// # Errors
/// Where there is no display, or it is lost; where an input cannot be opened, or the picture of the window not saved;
/// where frames keep failing; [`Terminated`] where a signal closed the window.
pub fn run(mut launch: Launch) -> anyhow::Result<()> {
    panics::report_in_one_line();
    let Selected { backend, unusable } = crate::backend::select(&launch.backend)?;
    // The status line has it in short.
    unusable.iter().for_each(|error| log::warn!("{error}"));
    let restored = launch.session.take().map(|file| Restored::open(&file).map_err(anyhow::Error::msg)).transpose()?;
    let is_bare = launch.inputs.is_empty() && restored.is_none();
    if launch.inputs.is_empty() {
        launch.inputs.push(PathBuf::from(image::BUILT_IN));
    }
    let open = |input: &PathBuf| {
        let opened = image::open_source(input)?;
        opened.warnings.iter().for_each(|warning| log::warn!("{warning}"));
        Ok::<Image, image::OpenError>(opened.image)
    };
    let images = launch.inputs.iter().map(open).collect::<Result<Vec<_>, _>>()?;
    let viewport = egui::ViewportBuilder::default()
        .with_app_id("lerpscope")
        .with_title("Lerpscope")
        .with_icon(icon::icon())
        .with_inner_size([1280.0, 860.0])
        .with_min_inner_size([640.0, 440.0]);
    let options = eframe::NativeOptions { viewport, dithering: false, ..Default::default() };
    let taken = Arc::new(Mutex::new(None));
    let saved = Arc::clone(&taken);
    #[cfg(unix)]
    let termination = Arc::new(Mutex::new(None));
    #[cfg(unix)]
    let watching = Arc::clone(&termination);
    let create = move |creation: &eframe::CreationContext<'_>| {
        let mut app = Lerpscope::new(&creation.egui_ctx, images, backend).ok_or("no image")?;
        unusable.into_iter().for_each(|error| app.note_unusable(error));
        if let Some(gl) = &creation.gl {
            #[expect(unsafe_code, reason = "eframe makes the context current")]
            // SAFETY: eframe makes the context of its window current before it calls the program, to create, to draw and to
            // end it, and drops the program before the context.
            unsafe { app.draw_with(Arc::clone(gl)) }?;
        }
        app.start(&creation.egui_ctx, (launch, is_bare), restored, saved);
        #[cfg(unix)]
        match (app.watch_signals(&creation.egui_ctx), watching.lock()) {
            (Ok(watch), Ok(mut kept)) => *kept = Some(watch),
            (Err(error), _) => log::warn!("signals end the program at once: {error}"),
            (_, Err(_)) => {}
        }
        Ok::<Box<dyn eframe::App>, Box<dyn std::error::Error + Send + Sync>>(Box::new(app))
    };
    // Frames catch their own panics; what is left is the window library's, and what it calls to draw.
    let ran = panics::caught(|| eframe::run_native("Lerpscope", options, Box::new(create)));
    // The window's own account names the cause that the window library's would only follow from.
    if let Some(problem) = taken.lock().ok().and_then(|mut problem| problem.take()) {
        return Err(anyhow::Error::msg(problem));
    }
    match ran {
        Ok(Ok(())) => {}
        Ok(Err(eframe::Error::Winit(_) | eframe::Error::WinitEventLoop(_))) if !names_display() => {
            anyhow::bail!("there is no display to open a window on; `lerpscope render` works without one")
        }
        Ok(Err(error)) => {
            let cause = failure_text(&error.to_string());
            return Err(anyhow::Error::msg(cause)).context("the window did not open; `lerpscope render` needs none");
        }
        Err(panicked) => anyhow::bail!("the window failed: {panicked}"),
    }
    #[cfg(unix)]
    if let Some(terminated) = termination.lock().ok().and_then(|kept| kept.as_ref().and_then(Termination::terminated)) {
        return Err(terminated.into());
    }
    Ok(())
}

/// What the window library says, in one line, without the place in its source that it says it of.
fn failure_text(text: &str) -> String {
    let words = text.split_whitespace();
    let is_place = |word: &&str| {
        let word = word.trim_matches(|c: char| "():,;".contains(c));
        let (file, line) = word.split_once(".rs:").unwrap_or((word, ""));
        file != word && line.chars().all(|c| c.is_ascii_digit() || c == ':')
    };
    words.filter(|word| !is_place(word)).collect::<Vec<_>>().join(" ")
}

/// Whether the environment names a display at all; elsewhere than on X11 and Wayland there always is one.
fn names_display() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(not(all(unix, not(target_os = "macos"))))
        || ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"].into_iter().any(is_set)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_told_without_its_place_in_a_source() {
        let said = "winit error: os error at /home/a/.cargo/registry/winit-0.30/src/linux/x11.rs:123: no\n such thing";
        assert_eq!(failure_text(said), "winit error: os error at no such thing");
        assert_eq!(
            failure_text("glutin error: provided display is not supported"),
            "glutin error: provided display is not supported"
        );
    }
}
