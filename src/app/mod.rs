//! The graphical application. Rooms, from the bottom up: `widgets`; `session`; `render`, `commands` and `input`; `inspect` and
//! `files`; `lab` and `learn`; `bars`; `panels` and `dialogs`; `window`. A room imports only from rooms below it, which a test checks.

mod bars;
mod commands;
mod dialogs;
mod files;
mod input;
mod inspect;
mod lab;
mod learn;
mod panels;
mod render;
mod session;
mod widgets;
mod window;

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::Context as _;
#[cfg(all(unix, not(target_os = "macos")))]
use winit::raw_window_handle::{HasDisplayHandle as _, HasWindowHandle as _};

pub use self::commands::keymap::{UnknownCommand, bindings_table};
pub use self::commands::{
    COMMANDS, Choice, Chord, Command, CommandRow, InspectCommand, Keymap, LessonCommand, Menu, Pan, PanStep,
    ParseChordError, Setting,
};
pub use self::files::{
    AppPaths, DrawerHeight, ExportError, FieldError, LessonMarks, LessonProgress, NoSourceError, NotTomlError,
    NotUtf8Error, Restored, SIDE_SECTIONS, SIDE_TABS, SavedSession, SessionFileError, Settings, SideBar, SideSection,
    SideSectionRow, SideTab, SideTabRow, StepPart, TextFileError, TextScale, ThemeChoice,
};
pub use self::render::frame_bench::{measure_frame, measure_frame_with};
pub use self::render::gl::{GlError, ShaderRequest, ShaderSampler};
pub use self::render::hidden_window::HiddenWindowError;
pub use self::render::hidden_window::way_to_screen;
pub use self::render::picture::{Picture, PictureError};
pub use self::render::probe::Reading;
pub use self::session::address_names::index_text;
pub use self::session::coordinates::{COORDINATES, Coordinates, CoordinatesRow};
pub use self::session::figures::{
    FIGURE_GROUPS, Figure, FigureGroup, FigureGroupRow, FigurePanel, FigurePanels, FigurePlace,
};
pub use self::session::footprint::FootprintState;
pub use self::session::hint::{Hint, HintAction};
pub use self::session::history::{Change, Framing};
pub use self::session::inspect::{
    DRAWER_TOOLS, DrawerTool, DrawerToolRow, Inspect, InspectState, PairsState, QUALITY_SETS, QualitySet,
    QualitySetRow, RepeatedRotation, Tool,
};
pub use self::session::layout::{PANEL_LAYOUTS, PanelLayout, PanelLayoutRow};
pub use self::session::lesson::{LessonPlace, StepState, view_of_region};
pub use self::session::one_dimension::{
    CURVE_SETS, CurveSet, CurveSetRow, LINE_TABS, LineState, LineTab, LineTabRow, SampleSource,
};
pub use self::session::panel_sets::{PANEL_SETS, PanelSet, PanelSetRow};
pub use self::session::preferences::{Preferences, WHEEL_DEVICES, WheelDevice, WheelDeviceRow};
pub use self::session::texture_error::TextureErrorState;
pub use self::session::unit::{UNITS, Unit, UnitRow};
pub use self::session::{
    COMPARES, Compare, CompareRow, Difference, Gain, Ground, ImageId, KEPT_PLACES, KeptPlace, KeptPlaceRow, LINKS,
    Link, LinkRow, PANEL_TRAITS, Panel, PanelArea, PanelChip, PanelId, PanelMethod, PanelName, PanelState, PanelTrait,
    PanelTraitRow, RevertedStep, Session, SessionState, WipeLine,
};
pub use self::window::{BENCH_SIZE, Lerpscope, OpeningReport, PanBench, StartOptions, Terminated};

use self::learn::Shelf;
use self::render::hidden_window::names_display;
use self::widgets::icon;
#[cfg(unix)]
use self::window::Termination;
use self::window::{CloseRequest, print_close};
use self::window::{LEAST_SIZE, StartContent, WANTED_SIZE};
use crate::backend::{AUTO, CpuBackend, FallbackBackend};
use crate::image::{self, Image, OpenError};
use crate::panics;
use crate::volume;

/// How long a device that was asked for by name is waited for before the window opens: one that is missing is an error
/// at once.
const MISSING_DEVICE: Duration = Duration::from_millis(100);

/// Opens the window and returns when it is closed. SIGTERM, SIGINT and SIGHUP close the window as its close button does.
///
/// # Errors
/// If there is no display or it is lost; if an input cannot be opened or the screenshot not saved; if frames keep failing;
/// [`Terminated`] if a signal closed the window.
pub fn run(mut options: StartOptions) -> anyhow::Result<()> {
    panics::report_in_one_line();
    // A device that was asked for by name opens while images are read and the window is created; otherwise `Lerpscope::start`
    // opens one behind the first frame, since the driver's start delays that of OpenGL.
    let mut backend = if options.backend == AUTO {
        FallbackBackend::new(Box::new(CpuBackend::new()))
    } else {
        crate::backend::start(&options.backend)?
    };
    let content = match options.session.take() {
        Some(file) => {
            let restored = Restored::open(&file)?;
            if let (Some(error), true) = (restored.missing.first(), options.screenshot.is_some()) {
                anyhow::bail!("{}: {error}", file.display());
            }
            restored.missing.iter().for_each(|error| log::warn!("{error}"));
            StartContent::Session(Box::new(restored))
        }
        None if options.inputs.is_empty() => StartContent::Default,
        None => StartContent::Images,
    };
    if let Some((path, _)) = &options.lesson {
        Shelf::default().open(path)?;
    }
    if options.inputs.is_empty() {
        options.inputs.push(PathBuf::from(image::SAILBOAT));
    }
    let OpenedInputs { images, inputs, report } = OpenedInputs::open(options.inputs)?;
    options.inputs = inputs;
    if let (Some(error), true) = (report.unopened.first(), options.screenshot.is_some()) {
        // The exit code of a screenshot says that it shows everything that was asked for.
        anyhow::bail!("{error}");
    }
    report.unopened.iter().for_each(|error| log::warn!("{error}"));
    report.warnings.iter().for_each(|warning| log::warn!("{warning}"));
    if options.backend != AUTO {
        backend.wait_for_device(MISSING_DEVICE)?;
    }
    let viewport = egui::ViewportBuilder::default()
        .with_app_id("lerpscope")
        .with_title("Lerpscope")
        .with_icon(icon::icon())
        .with_inner_size(if options.pan_bench.is_some() { BENCH_SIZE.into() } else { WANTED_SIZE })
        .with_min_inner_size(LEAST_SIZE);
    let mut native = eframe::NativeOptions { viewport, dithering: false, ..Default::default() };
    native.glow_options.vsync = options.pan_bench.is_none();
    let (prints_times, close_request) = (options.times, CloseRequest::default());
    let closing = Arc::clone(&close_request);
    let taken = Arc::new(Mutex::new(None));
    let failure = Arc::clone(&taken);
    #[cfg(unix)]
    let termination = Arc::new(Mutex::new(None));
    #[cfg(unix)]
    let watching = Arc::clone(&termination);
    let create = move |creation: &eframe::CreationContext<'_>| {
        let mut app = Lerpscope::with_backend(&creation.egui_ctx, images, backend).ok_or("no image")?;
        if let Some(gl) = &creation.gl {
            #[expect(unsafe_code, reason = "eframe makes the context current")]
            // SAFETY: eframe makes the context of its window current before it calls the application to create, draw or end it,
            // and drops the application before the context.
            unsafe { app.draw_with(Arc::clone(gl)) }?;
        }
        #[cfg(all(unix, not(target_os = "macos")))]
        if let (Ok(display), Ok(window)) = (creation.display_handle(), creation.window_handle()) {
            let (display, window) = (display.as_raw(), window.as_raw());
            #[expect(unsafe_code, reason = "eframe owns the window")]
            // SAFETY: eframe runs the event loop on this thread, and drops the application before its window, also while a panic
            // unwinds. The connection to the display belongs to the event loop, which eframe keeps until this thread ends.
            unsafe {
                app.read_system_pointer(&creation.egui_ctx, display, window);
            }
        }
        app.start(&creation.egui_ctx, options, content, report, failure);
        app.note_close_in(closing);
        #[cfg(unix)]
        match (app.watch_signals(&creation.egui_ctx), watching.lock()) {
            (Ok(watch), Ok(mut kept)) => *kept = Some(watch),
            (Err(error), _) => log::warn!("signals end the program at once: {error}"),
            (_, Err(_)) => {}
        }
        Ok::<Box<dyn eframe::App>, Box<dyn std::error::Error + Send + Sync>>(Box::new(app))
    };
    // Frames catch their own panics. Here remain panics of the window library and of drawing.
    let ran = panics::caught(|| eframe::run_native("Lerpscope", native, Box::new(create)));
    if prints_times {
        print_close(&close_request);
    }
    // The application's own reason is the cause of the window library's error.
    if let Some(failure) = taken.lock().ok().and_then(|mut failure| failure.take()) {
        return Err(failure.into());
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

/// The images of the command line.
struct OpenedInputs {
    images: Vec<Image>,
    /// The source of each image.
    inputs: Vec<PathBuf>,
    /// Why the other inputs were not opened, and warnings about the images.
    report: OpeningReport,
}

impl OpenedInputs {
    /// Opens `inputs`.
    ///
    /// # Errors
    /// The first error if no input can be opened, after the others as warnings; an invalid name of a synthetic image.
    fn open(inputs: Vec<PathBuf>) -> Result<Self, OpenError> {
        let mut opened = Self { images: Vec::new(), inputs: Vec::new(), report: OpeningReport::default() };
        for input in inputs {
            match volume::open_source(&input) {
                Ok(found) => {
                    opened.report.warnings.extend(found.warnings);
                    opened.images.push(found.image);
                    opened.inputs.push(input);
                }
                Err(error @ (OpenError::Formula(_) | OpenError::GridFormula(_))) => return Err(error),
                Err(error) => opened.report.unopened.push(error),
            }
        }
        if opened.images.is_empty() && !opened.report.unopened.is_empty() {
            let first = opened.report.unopened.remove(0);
            opened.report.unopened.iter().for_each(|error| log::warn!("{error}"));
            return Err(first);
        }
        Ok(opened)
    }
}

/// An error of the window library in one line, without the location in its source.
fn failure_text(text: &str) -> String {
    let words = text.split_whitespace();
    let is_place = |word: &&str| {
        let word = word.trim_matches(|c: char| "():,;".contains(c));
        let (file, line) = word.split_once(".rs:").unwrap_or((word, ""));
        file != word && line.chars().all(|c| c.is_ascii_digit() || c == ':')
    };
    words.filter(|word| !is_place(word)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_and_errors_of_the_inputs_are_in_the_report() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("clipped.pgm"), "P2 2 1 9\n1 12\n").expect("a file");
        std::fs::write(path("bad.pgm"), "P2 2 1").expect("a file");
        let inputs = vec![path("clipped.pgm"), path("bad.pgm")];
        let OpenedInputs { images, inputs, report } = OpenedInputs::open(inputs).expect("an image");
        assert_eq!((images.len(), inputs), (1, vec![path("clipped.pgm")]));
        assert!(report.warnings.len() == 1 && report.warnings[0].contains("clipped.pgm: "), "{:?}", report.warnings);
        assert_eq!(report.unopened.len(), 1);
    }

    #[test]
    fn failure_text_leaves_out_source_locations() {
        let said = "winit error: os error at /home/a/.cargo/registry/winit-0.30/src/linux/x11.rs:123: no\n such thing";
        assert_eq!(failure_text(said), "winit error: os error at no such thing");
        assert_eq!(
            failure_text("glutin error: provided display is not supported"),
            "glutin error: provided display is not supported"
        );
    }
}
