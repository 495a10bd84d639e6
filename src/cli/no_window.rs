//! Replacement of the window in a build without the feature `window`: calls that would open it are refused.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::errors::Usage;
use crate::backend::{Backend, BenchOptions, LeftOut, Measurements};
use crate::bench::WindowTimes;

/// Last line of the program's help.
pub(super) const WITHOUT_A_COMMAND: &str = "This build has no window: it lacks the feature 'window'.";

/// Reason why window functions are unavailable.
const REASON: &str = "this build lacks the feature 'window'";

/// Arguments of the window, unused.
#[derive(Args, Debug)]
pub struct WindowOptions {
    /// Not served: this build has no window
    #[arg(value_name = "FILE", hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

/// Refuses to open a window.
///
/// # Errors
/// Always [`Usage`].
pub(super) fn run(_: WindowOptions) -> anyhow::Result<()> {
    Err(Usage(format!(
        "no window: {REASON}; render, synth, info, filters, bench and measure work without it (see --help)"
    ))
    .into())
}

/// `None`: there is no window to be closed.
pub(super) fn end_by_signal(_: &anyhow::Error) -> Option<u8> {
    None
}

/// Reports the frames of a window as not measured.
pub(super) fn measure_frame(_: Box<dyn Backend>, _: &BenchOptions) -> Measurements {
    let left_out = LeftOut {
        what: "frame of a window".to_owned(),
        how: "until all is done".to_owned(),
        pixels: "8-bit".to_owned(),
        scale: 0.0,
        why: REASON.to_owned(),
    };
    Measurements { left_out: vec![left_out], ..Measurements::default() }
}

/// Refuses to time frames of a window.
///
/// # Errors
/// Always [`Usage`].
pub(super) fn time_frames(_: PathBuf, _: String, _: usize, _: f64) -> anyhow::Result<WindowTimes> {
    Err(Usage(format!("no frames of a window: {REASON}")).into())
}

/// The path of pixels to the screen: none.
pub(super) fn way_to_screen(_: Box<dyn Backend>) -> String {
    format!("none: {REASON}")
}
