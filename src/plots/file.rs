//! Charts as files.

use std::io;
use std::path::Path;

use super::chart::Chart;
use super::drawing::{self, DrawError};
use super::table;
use crate::arguments::listed;
use crate::files;
use crate::image::{self, FileFormat, Size, WriteError};
use crate::rows::rows;
use crate::text::one_line;

/// Description of a format of plots.
#[derive(Debug)]
pub struct PlotFormatRow {
    /// The format.
    pub format: PlotFormat,
    /// Its name, which is its extension.
    pub name: &'static str,
    /// One line about it.
    pub help: &'static str,
}

rows! {
    /// A format of plots.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum PlotFormat {
        /// A drawing of lines and text.
        Svg => { name: "svg", help: "a drawing of lines and text, for browsers and papers" },
        /// Pixels, two to a point.
        Png => { name: "png", help: "pixels, two to a point" },
        /// Numbers.
        Csv => { name: "csv", help: "the numbers, one line for each point" },
    }

    /// The formats.
    pub static PLOT_FORMATS: [PlotFormatRow { format, .. }];

    impl by_name, Display;
}

/// Reason why a plot was not written. One line with the file's name.
#[derive(thiserror::Error)]
pub enum PlotFileError {
    /// The extension is of no format of plots.
    #[error("{file}: unknown extension; plots are written as {}", listed(PLOT_FORMATS.iter().map(|row| row.name)))]
    UnknownFormat {
        /// The file.
        file: String,
    },
    /// The path is a directory.
    #[error("{file}: is a folder")]
    Directory {
        /// The path.
        file: String,
    },
    /// Writing failed.
    #[error("{file}: {cause}")]
    Write {
        /// The file.
        file: String,
        /// The cause.
        cause: WriteError,
    },
    /// Drawing failed.
    #[error("the plot cannot be drawn: {0}")]
    Draw(String),
}

impl From<DrawError> for PlotFileError {
    fn from(error: DrawError) -> Self {
        Self::Draw(error.0)
    }
}

impl PlotFormat {
    /// The format of the extension of `path`.
    ///
    /// # Errors
    /// [`PlotFileError::UnknownFormat`].
    pub fn from_path(path: &Path) -> Result<Self, PlotFileError> {
        let extension = path.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase);
        let format = extension.and_then(|extension| Self::by_name(&extension));
        format.ok_or_else(|| PlotFileError::UnknownFormat { file: one_line(&path.display().to_string()) })
    }
}

impl Chart {
    /// Usual size of a drawing, in points.
    pub fn usual_size() -> Size {
        Size::new(960, 540).expect("sides in range")
    }

    /// The bytes of a file in `format`, drawn `size` points large.
    ///
    /// # Errors
    /// [`PlotFileError::Draw`]; none in practice.
    pub fn to_bytes(&self, format: PlotFormat, size: Size) -> Result<Vec<u8>, PlotFileError> {
        match format {
            PlotFormat::Svg => Ok(drawing::svg(self, size)?.into_bytes()),
            PlotFormat::Csv => table::csv(self).map_err(|error| DrawError::new(error).into()),
            PlotFormat::Png => {
                let (raster, mut bytes) = (drawing::raster(self, size)?, Vec::new());
                image::write(&mut bytes, FileFormat::Png, &raster).map_err(DrawError::new)?;
                Ok(bytes)
            }
        }
    }

    /// Writes the file `path` in the format of its extension. On failure an existing file stays unchanged.
    ///
    /// # Errors
    /// [`PlotFileError`] for an unknown extension, a directory, and an error of writing.
    pub fn save(&self, path: &Path, size: Size) -> Result<(), PlotFileError> {
        let file = || one_line(&path.display().to_string());
        let format = PlotFormat::from_path(path)?;
        if path.is_dir() {
            return Err(PlotFileError::Directory { file: file() });
        }
        let bytes = self.to_bytes(format, size)?;
        let written = files::write(path, |out| out.write_all(&bytes));
        written.map_err(|error: io::Error| PlotFileError::Write { file: file(), cause: error.into() })
    }
}
