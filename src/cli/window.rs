//! `lerpscope [FILE…]`: the window, and measurements that need one.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::errors::Usage;
use super::options;
use super::output::Output;
use crate::app::{self, PANEL_LAYOUTS, PanelLayout, StartOptions, Terminated};
pub(super) use crate::app::{measure_frame, way_to_screen};
use crate::arguments::{PanelSpec, parse_panel};
use crate::bench::WindowTimes;
use crate::image::{Channels, Depth, FileFormat, SaveError};
use crate::lesson::EmbeddedLesson;
use crate::text::{one_line, shortened};

/// Last line of the program's help.
pub(super) const WITHOUT_A_COMMAND: &str =
    "Without a command, the window opens with the files, or with the built-in image.";

/// Options of the window.
#[derive(Args, Debug)]
pub struct WindowOptions {
    /// Images to open: files, synth:NAME:WxH, builtin:basilica, or builtin:sailboat
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Backend
    #[arg(long, value_name = "BACKEND", default_value = "auto", value_parser = options::interactive_backend())]
    backend: String,
    /// Session file to open
    #[arg(long, value_name = "FILE", conflicts_with = "files")]
    session: Option<PathBuf>,
    /// Lesson to start: its name, its file, or a folder of lessons
    #[arg(long, value_name = "FILE|NAME")]
    lesson: Option<PathBuf>,
    /// Step of the lesson, from 1
    #[arg(long, value_name = "N", requires = "lesson", value_parser = clap::value_parser!(u16).range(1..))]
    step: Option<u16>,
    /// Panel, in place of the default four:
    /// method=catmull-rom,address=wrap:mirror,path=filtered,filter=gaussian=2;negative, or method=truth; at most nine
    #[arg(long = "panel", value_name = "SPEC", value_parser = parse_panel)]
    panels: Vec<PanelSpec>,
    /// Layout of the panels
    #[arg(long, value_name = "NAME", value_parser = layout())]
    layout: Option<PanelLayout>,
    /// Save the window's contents to this file and close it
    #[arg(long, value_name = "OUT.png")]
    screenshot: Option<PathBuf>,
    /// Print when the first pictures were shown, and how long the window took to close
    #[arg(long)]
    times: bool,
}

/// Names of the layouts.
fn layout() -> impl TypedValueParser<Value = PanelLayout> {
    let values = PANEL_LAYOUTS.iter().map(|row| PossibleValue::new(row.name));
    PossibleValuesParser::new(values).try_map(|name| PanelLayout::by_name(&name).ok_or("no such layout"))
}

/// Opens a window with `source`, pans it for `frames` frames at `scale` samples per pixel, with each tool, and closes it.
///
/// # Errors
/// As [`run`].
pub(super) fn time_frames(source: PathBuf, backend: String, frames: usize, scale: f64) -> anyhow::Result<WindowTimes> {
    let bench = app::PanBench::new(frames, scale);
    app::run(StartOptions {
        inputs: vec![source],
        backend,
        pan_bench: Some(bench.clone()),
        ..StartOptions::default()
    })?;
    Ok(bench.results())
}

/// Opens the window and returns when it is closed.
///
/// # Errors
/// Too many panels, a file that cannot be opened or written, and errors of the window.
pub(super) fn run(options: WindowOptions) -> anyhow::Result<()> {
    let WindowOptions { files, backend, session, lesson, step, panels, layout, screenshot, times } = options;
    let lesson = lesson.map(|lesson| (lesson, step.map(|step| usize::from(step) - 1)));
    if let Some((lesson, _)) = &lesson {
        check_lesson(lesson)?;
    }
    if panels.len() > app::Session::MAX_PANELS {
        return Err(Usage(format!("there are at most {} panels", app::Session::MAX_PANELS)).into());
    }
    if let Some(file) = &screenshot {
        check_picture(file)?;
    }
    app::run(StartOptions {
        inputs: files,
        backend,
        session,
        lesson,
        panels,
        layout,
        screenshot,
        times,
        pan_bench: None,
    })
}

/// Ends the process by the signal that closed the window, if `error` is that; returns the signal's exit code if the
/// process continues.
pub(super) fn end_by_signal(error: &anyhow::Error) -> Option<u8> {
    error.downcast_ref::<Terminated>().map(|terminated| terminated.end_process())
}

/// Checks that a lesson that is given by its name is one of the program.
///
/// # Errors
/// [`Usage`] for a name without a file's ending that is neither a lesson nor a file or a folder.
fn check_lesson(lesson: &Path) -> Result<(), Usage> {
    let is_name = lesson.extension().is_none() && lesson.components().count() == 1;
    if !is_name || lesson.exists() || lesson.to_str().and_then(EmbeddedLesson::by_name).is_some() {
        return Ok(());
    }
    let name = one_line(&lesson.to_string_lossy());
    let name = shortened(&name);
    Err(Usage(format!("--lesson: there is no lesson and no file '{name}': lerpscope lesson list names the lessons")))
}

/// Checks that a file's format can store an image of the window, before a window opens.
///
/// # Errors
/// An error for an extension of no format, or of one without colour.
fn check_picture(file: &Path) -> anyhow::Result<()> {
    let format =
        FileFormat::from_path(file).ok_or_else(|| SaveError::UnknownFormat { file: file.display().to_string() })?;
    Output::File(file, format).check(Channels::Rgb, Depth::EIGHT)
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::super::{Command, parse};
    use super::*;

    #[test]
    fn file_named_like_a_command_opens_the_window() {
        let command = parse(["lerpscope", "a.pgm", "render"].map(OsString::from)).expect("arguments");
        let Command::Window(options) = command else { panic!("{command:?}") };
        assert_eq!(options.files, [PathBuf::from("a.pgm"), PathBuf::from("render")]);
    }

    #[test]
    fn window_without_arguments_has_no_files_and_backend_auto() {
        let command = parse(["lerpscope"].map(OsString::from)).expect("arguments");
        let Command::Window(options) = command else { panic!("{command:?}") };
        let WindowOptions { files, backend, session, lesson, step, panels, layout, screenshot, times } = options;
        assert!(lesson.is_none() && step.is_none());
        assert_eq!(backend, crate::backend::AUTO);
        assert!(files.is_empty() && session.is_none() && panels.is_empty());
        assert!(layout.is_none() && screenshot.is_none() && !times);
        let rendered = parse(["lerpscope", "render", "a.pgm", "-o", "b.pgm"].map(OsString::from)).expect("arguments");
        let Command::Render(options) = rendered else { panic!("{rendered:?}") };
        assert!(format!("{options:?}").contains("backend: \"auto\""), "{options:?}");
    }
}
