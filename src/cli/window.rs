//! `lerpscope [FILE…]`: the window, and the measurements that need one.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::failure::Usage;
use super::options;
use super::output::Output;
use crate::app::{self, LAYOUTS, Layout, StartOptions, Terminated};
pub(super) use crate::app::{measure_frame, way_to_screen};
use crate::arguments::parse_panel;
use crate::filter::Filters;
use crate::image::{Channels, Depth, FileFormat, SaveError};
use crate::sampling::Sampler;

/// Last line of the program's help.
pub(super) const WITHOUT_A_COMMAND: &str =
    "Without a command, a window opens on the files, or on the Basilica where there is none.";

/// What the window opens with.
#[derive(Args, Debug)]
pub struct WindowOptions {
    /// Pictures to open: files, synth:NAME:WxH, or builtin:basilica
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// What renders
    #[arg(long, value_name = "BACKEND", default_value = "auto", value_parser = options::interactive_backend())]
    backend: String,
    /// Open a session that was saved in the window
    #[arg(long, value_name = "FILE", conflicts_with = "files")]
    session: Option<PathBuf>,
    /// A panel, instead of the usual four: method=catmull-rom,address=wrap:mirror,path=filtered,filter=gaussian=2;negative; up to nine times
    #[arg(long = "panel", value_name = "SPEC", value_parser = parse_panel)]
    panels: Vec<(Sampler, Filters)>,
    /// How the panels stand
    #[arg(long, value_name = "NAME", value_parser = layout())]
    layout: Option<Layout>,
    /// Save what the window shows, and close it
    #[arg(long, value_name = "OUT.png")]
    screenshot: Option<PathBuf>,
}

/// The layouts' names.
fn layout() -> impl TypedValueParser<Value = Layout> {
    let values = LAYOUTS.iter().map(|(_, name)| PossibleValue::new(*name));
    PossibleValuesParser::new(values).try_map(|name| Layout::by_name(&name).ok_or("no such layout"))
}

/// Opens the window and returns when it is closed.
///
/// # Errors
/// Where there are too many panels, where a file cannot be opened or written, or where no window opens.
pub(super) fn run(options: WindowOptions) -> anyhow::Result<()> {
    let WindowOptions { files, backend, session, panels, layout, screenshot } = options;
    if panels.len() > app::Session::MOST_PANELS {
        return Err(Usage(format!("there are at most {} panels", app::Session::MOST_PANELS)).into());
    }
    if let Some(file) = &screenshot {
        check_picture(file)?;
    }
    app::run(StartOptions { inputs: files, backend, session, panels, layout, screenshot })
}

/// Ends the process by the signal that closed the window, where `error` is that; the exit code that stands for the signal
/// where the process goes on.
pub(super) fn end_by_signal(error: &anyhow::Error) -> Option<u8> {
    error.downcast_ref::<Terminated>().map(|terminated| terminated.end_process())
}

/// Refuses a file whose format cannot hold a picture of the window, before a window is opened in vain.
///
/// # Errors
/// Where the end of the name is that of no format, or of one without colour.
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
    fn files_open_the_window_even_when_called_like_a_command() {
        let command = parse(["lerpscope", "a.pgm", "render"].map(OsString::from)).expect("arguments");
        let Command::Window(options) = command else { panic!("{command:?}") };
        assert_eq!(options.files, [PathBuf::from("a.pgm"), PathBuf::from("render")]);
    }

    #[test]
    fn without_arguments_the_window_opens_on_nothing_and_takes_the_best_backend() {
        let command = parse(["lerpscope"].map(OsString::from)).expect("arguments");
        let Command::Window(options) = command else { panic!("{command:?}") };
        let WindowOptions { files, backend, session, panels, layout, screenshot } = options;
        assert_eq!(backend, crate::backend::AUTO);
        assert!(files.is_empty() && session.is_none() && panels.is_empty());
        assert!(layout.is_none() && screenshot.is_none());
        let rendered = parse(["lerpscope", "render", "a.pgm", "-o", "b.pgm"].map(OsString::from)).expect("arguments");
        let Command::Render(options) = rendered else { panic!("{rendered:?}") };
        assert!(format!("{options:?}").contains("backend: \"auto\""), "{options:?}");
    }
}
