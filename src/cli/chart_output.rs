//! Where a command writes its chart: a file in the format of its extension, or standard output, which gets the numbers as CSV.

use std::io::Write as _;
use std::path::Path;

use super::stdout;
use crate::image::Size;
use crate::plots::{Chart, PlotFormat};

/// The value of `-o`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChartOutput<'a> {
    /// `-`: CSV on standard output.
    Stdout,
    /// A file.
    File(&'a Path),
}

impl<'a> ChartOutput<'a> {
    /// The output that `path` names.
    pub(super) fn of(path: &'a Path) -> Self {
        if path == Path::new("-") { Self::Stdout } else { Self::File(path) }
    }

    /// Checks before any work that the chart can be written.
    ///
    /// # Errors
    /// A closed standard output, and an extension of no format.
    pub(super) fn check(self) -> anyhow::Result<()> {
        match self {
            Self::Stdout => stdout::check(),
            Self::File(path) => Ok(PlotFormat::from_path(path).map(drop)?),
        }
    }

    /// Writes `chart`, drawn `size` points large.
    ///
    /// # Errors
    /// Errors of drawing and of writing.
    pub(super) fn write(self, chart: &Chart, size: Size) -> anyhow::Result<()> {
        match self {
            Self::Stdout => {
                let bytes = chart.to_bytes(PlotFormat::Csv, size)?;
                stdout::write(|out| out.write_all(&bytes))
            }
            Self::File(path) => Ok(chart.save(path, size)?),
        }
    }
}
