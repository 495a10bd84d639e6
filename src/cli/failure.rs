//! Reports of failures: one line on standard error, and an exit code for the kind.

use std::borrow::Cow;
use std::io::{self, Write};

use anyhow::Context;
use clap::error::ContextValue;

use super::errors::{Interrupted, Usage};
use super::stdout;
use super::window::end_by_signal;
use crate::arguments::ArgumentError;
use crate::backend::{BackendError, RequestError};
use crate::grid::{GridError, GridFileCause, GridFileError, VolumeError};
use crate::image::synth::SynthError;
use crate::image::{OpenError, SaveError, WriteError};
use crate::lab::footprint::NoFootprint;
use crate::lab::one_dimension::SignalError;
use crate::lab::rotations::RotationError;
use crate::memory::MemoryError;
use crate::plots::PlotFileError;
use crate::quality::{CompareError, DecimateError};
use crate::sampling::{CustomError, MethodError};
use crate::sentence::sentence;
use crate::text::shortened;
use crate::view::ViewError;

/// No failure.
const SUCCEEDED: u8 = 0;
/// Failures of files, decoders and backends.
const FAILED: u8 = 1;
/// Wrong arguments, and requests that nothing can serve.
const USAGE: u8 = 2;

/// Prints `error` as one line on standard error and returns the exit code. Help and version, which clap returns as
/// errors, go to standard output. A closed pipe is no error, a closed standard output is one. A window that was closed
/// by a signal ends the process by that signal.
pub fn report(error: &anyhow::Error) -> u8 {
    if is_broken_pipe(error) {
        return SUCCEEDED;
    }
    if let Some(error) = error.downcast_ref::<clap::Error>()
        && !error.use_stderr()
    {
        let printed = stdout::check().and_then(|()| error.print().context("standard output"));
        return printed.map_or_else(|error| report(&error), |()| SUCCEEDED);
    }
    if let Some(code) = end_by_signal(error) {
        return code;
    }
    say(&line(error));
    exit_code(error)
}

/// Prints one line of the program on standard error; a closed standard error is ignored.
pub(super) fn say(line: &str) {
    let printable: String = line.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    let _ = writeln!(io::stderr().lock(), "lerpscope: {printable}");
}

fn exit_code(error: &anyhow::Error) -> u8 {
    if let Some(interrupted) = error.downcast_ref::<Interrupted>() {
        return interrupted.exit_code();
    }
    if error.chain().any(is_bad_file) || !error.chain().any(is_usage) { FAILED } else { USAGE }
}

/// Whether a file is at fault, that of a custom kernel or of a grid: the option that names it is not.
fn is_bad_file(error: &(dyn std::error::Error + 'static)) -> bool {
    error.is::<CustomError>()
        || error.downcast_ref().is_some_and(|error: &GridFileError| !is_wrong_source(error))
        || matches!(error.downcast_ref(), Some(MethodError::Custom(_)))
        || matches!(error.downcast_ref(), Some(ArgumentError::Method(MethodError::Custom(_))))
}

/// Whether the text that names a grid is at fault, or the memory.
fn is_wrong_source(error: &GridFileError) -> bool {
    use GridFileCause::{Formula, Image, Memory};
    matches!(error.cause, Formula(_) | Memory(_) | Image(OpenError::Formula(_)))
}

fn is_usage(error: &(dyn std::error::Error + 'static)) -> bool {
    let format = |error: &WriteError| !matches!(error, WriteError::Io(_));
    error.is::<clap::Error>()
        || error.is::<Usage>()
        || error.is::<ArgumentError>()
        || error.is::<ViewError>()
        || error.is::<SynthError>()
        || error.downcast_ref().is_some_and(|error: &GridError| !matches!(error, GridError::Cancelled))
        || error.is::<VolumeError>()
        || error.downcast_ref().is_some_and(is_wrong_source)
        || matches!(error.downcast_ref(), Some(OpenError::Formula(_) | OpenError::GridFormula(_)))
        || error.is::<RequestError>()
        || error.is::<NoFootprint>()
        || error.is::<SignalError>()
        || error.is::<CompareError>()
        || error.is::<DecimateError>()
        || matches!(error.downcast_ref(), Some(RotationError::Turns(_) | RotationError::TooSmall(_)))
        || error.is::<MemoryError>()
        || matches!(
            error.downcast_ref(),
            Some(BackendError::Request(_) | BackendError::HostMemory(_) | BackendError::Grid(_))
        )
        || matches!(error.downcast_ref(), Some(SaveError::UnknownFormat { .. }))
        || matches!(error.downcast_ref(), Some(PlotFileError::UnknownFormat { .. }))
        || error.downcast_ref().is_some_and(format)
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let kind = |error: &(dyn std::error::Error + 'static)| error.downcast_ref().map(io::Error::kind);
    error.chain().any(|error| {
        let kind = match error.downcast_ref() {
            Some(WriteError::Io(error)) => Some(error.kind()),
            _ => kind(error),
        };
        kind == Some(io::ErrorKind::BrokenPipe)
    })
}

/// The error and its causes, each once.
fn line(error: &anyhow::Error) -> String {
    if let Some(error) = error.downcast_ref::<clap::Error>() {
        return usage_line(error);
    }
    sentence(error.as_ref())
}

/// Clap's message in one line, without the synopsis and with long values cut.
fn usage_line(error: &clap::Error) -> String {
    let mut text = error.render().to_string();
    for (_, value) in error.context() {
        let values = match value {
            ContextValue::String(value) => std::slice::from_ref(value),
            ContextValue::Strings(values) => values,
            _ => &[],
        };
        // Short values stay unchanged.
        for value in values.iter().filter(|value| matches!(shortened(value), Cow::Owned(_))) {
            text = text.replace(value.as_str(), &shortened(value));
        }
    }
    let parts = text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
    let parts: Vec<_> = parts.filter(|line| !line.is_empty() && !line.starts_with("For more information")).collect();
    let line = parts.join(" ").replace(" tip: ", "; ");
    format!("{} (see --help)", line.strip_prefix("error: ").unwrap_or(&line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clap_errors_are_printed_in_one_line() {
        let wrong = |arguments: &[&str]| {
            let arguments = arguments.iter().map(std::ffi::OsString::from);
            line(&super::super::parse(arguments).expect_err("wrong arguments"))
        };
        assert_eq!(
            wrong(&["lerpscope", "render", "in.pgm"]),
            "the following required arguments were not provided: --output <OUT> (see --help)"
        );
        let method = wrong(&["lerpscope", "render", "in.pgm", "-o", "out.pgm", "--method", "cubic"]);
        let expected = "invalid value 'cubic' for '--method <METHOD>': method 'cubic' is cubic=B,C: it takes 2 parameters, not 0 (see --help)";
        assert_eq!(method, expected);
        assert!(!method.contains('\n'));
    }

    #[test]
    fn repeated_cause_is_printed_once() {
        let error = anyhow::anyhow!("no such file").context("a.pgm: no such file");
        assert_eq!(line(&error), "a.pgm: no such file");
        let error = anyhow::anyhow!("no such file").context("a.pgm cannot be read");
        assert_eq!(line(&error), "a.pgm cannot be read: no such file");
    }
}
