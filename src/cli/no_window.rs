//! What stands for the window in a build without the feature `window`: a call that would open one is refused.

use std::ffi::OsString;

use clap::Args;

use super::failure::Usage;
use crate::backend::{Backend, BenchOptions, LeftOut, Measurements};

/// Last line of the program's help.
pub(super) const WITHOUT_A_COMMAND: &str = "This build has no window: it lacks the feature 'window'.";

/// Why nothing that needs a window is done.
const REASON: &str = "this build lacks the feature 'window'";

/// Whatever the window would open with; none of it is read.
#[derive(Args, Debug)]
pub struct WindowOptions {
    /// Not served: this build has no window
    #[arg(value_name = "FILE", hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

/// Refuses to open a window.
///
/// # Errors
/// Always.
pub(super) fn run(_: WindowOptions) -> anyhow::Result<()> {
    Err(Usage(format!(
        "no window opens: {REASON}; render, synth, info, filters and bench work without (--help says more)"
    ))
    .into())
}

/// No window is closed by a signal.
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

/// How pictures of the backend reach the screen: not at all.
pub(super) fn way_to_screen(_: Box<dyn Backend>) -> String {
    format!("none opens: {REASON}")
}
