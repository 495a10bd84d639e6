//! Grids, points and values in files: NPY, NIfTI-1, pictures, CSV, and formulas of volumes.

mod error;
mod nifti;
mod npy;
mod orientation;
mod picture;
mod points;
mod values;

use std::fs::File;
use std::io::Read;
use std::path::Path;

pub use error::{GridFileCause, GridFileError};
pub use orientation::{BodyAxis, BodyFrame};
pub use points::{Coordinates, Points, read_knots, read_points};
pub(crate) use values::put;
pub use values::{ValueFormat, Values, write_values};

use super::{Grid, GridAxis, GridError, VolumeFormula};
use crate::image::{Depth, pages_of};
use crate::memory::{Demand, Memory};

/// A grid of either precision.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyGrid {
    /// Single precision.
    Single(Grid<f32>),
    /// Double precision.
    Double(Grid<f64>),
}

impl AnyGrid {
    /// Number of samples of each axis.
    pub fn shape(&self) -> &[usize] {
        match self {
            Self::Single(grid) => grid.shape(),
            Self::Double(grid) => grid.shape(),
        }
    }

    /// As [`Grid::with_axis`].
    ///
    /// # Errors
    /// As [`Grid::with_axis`].
    pub fn with_axis(self, axis: usize, relation: GridAxis) -> Result<Self, GridError> {
        Ok(match self {
            Self::Single(grid) => Self::Single(grid.with_axis(axis, relation)?),
            Self::Double(grid) => Self::Double(grid.with_axis(axis, relation)?),
        })
    }
}

/// An opened grid.
#[derive(Clone, Debug)]
pub struct OpenedGrid {
    /// The grid; each axis in samples.
    pub grid: AnyGrid,
    /// Distance of neighbouring samples along each axis, where the file says it.
    pub spacing: Option<Vec<f64>>,
    /// How the first three axes lie in the body, where the file says it.
    pub body: Option<BodyFrame>,
    /// Value that a picture shows as white: 1, or the largest number of an array of integers without a sign.
    pub white: f64,
    /// Depth of a picture with as many steps as the file has.
    pub depth: Depth,
    /// One line each, with the file's name.
    pub warnings: Vec<String>,
}

/// Opens the grid named by `source`: `synth:NAME:WxHxD` or `synth:NAME:WxHxDxT`, an NPY file, a NIfTI-1 file (`.nii`, `.nii.gz`), or a picture, as
/// [`crate::quality::open_source`] opens it. The pages of a picture are slices of a grid of three dimensions, with `volume:` before its
/// name or without.
///
/// | source | axes | values |
/// |---|---|---|
/// | NPY | those of the array | its numbers: integers of 8 and 16 bits and `float32` in single precision, others in double |
/// | NIfTI-1 | i, j, k (and t), as in nibabel | number · `scl_slope` + `scl_inter`, in single precision |
/// | picture | rows, columns; slices before them | number / maxval |
/// | formula | (t,) z, y, x | in \[0, 1\] |
///
/// # Errors
/// [`GridFileError`] with the file's name. Nothing is allocated beyond what the file can fill.
pub fn open(source: &Path) -> Result<OpenedGrid, GridFileError> {
    let fail = |cause| GridFileError::of(source, cause);
    if let Some(text) = source.to_str().filter(|text| VolumeFormula::is_meant(text)) {
        let formula: VolumeFormula = text.parse().map_err(|error| fail(GridFileCause::Formula(error)))?;
        Memory::Machine.check(&formula.demand()).map_err(|error| fail(error.into()))?;
        return Ok(OpenedGrid::in_unit(AnyGrid::Single(formula.grid()), Depth::EIGHT));
    }
    match Format::of(source) {
        Some(format) => format.open(&bytes_of(source).map_err(fail)?).map_err(fail),
        None => picture::open(pages_of(source).unwrap_or(source)),
    }
}

/// Reads the grid in the bytes of a file named `name`: NPY or NIfTI-1, by its extension.
///
/// ```
/// use lerpscope::grid;
/// let error = grid::read("volume.nii", b"no volume").unwrap_err();
/// assert_eq!(error.to_string(), "volume.nii: is no NIfTI-1 file: the header ends early");
/// ```
///
/// # Errors
/// As [`open`], and for another extension.
pub fn read(name: &str, bytes: &[u8]) -> Result<OpenedGrid, GridFileError> {
    let name = Path::new(name);
    let format = Format::of(name).ok_or(GridFileCause::Extension("an array is .npy, a volume .nii or .nii.gz"));
    let grid = format.and_then(|format| if bytes.is_empty() { Err(GridFileCause::Empty) } else { format.open(bytes) });
    grid.map_err(|cause| GridFileError::of(name, cause))
}

/// Formats of files of grids.
#[derive(Clone, Copy, Debug)]
enum Format {
    Npy,
    Nifti,
    CompressedNifti,
}

impl Format {
    /// The format of the file `name`, by its extension.
    fn of(name: &Path) -> Option<Self> {
        match extension(name)?.as_str() {
            "npy" => Some(Self::Npy),
            "nii" => Some(Self::Nifti),
            "gz" => {
                let is_nifti = name.to_str()?.to_ascii_lowercase().ends_with(".nii.gz");
                is_nifti.then_some(Self::CompressedNifti)
            }
            _ => None,
        }
    }

    /// The grid in the bytes of such a file.
    fn open(self, bytes: &[u8]) -> Result<OpenedGrid, GridFileCause> {
        match self {
            Self::Npy => npy::open(bytes),
            Self::Nifti => nifti::open(bytes),
            Self::CompressedNifti => nifti::open_compressed(bytes),
        }
    }
}

impl OpenedGrid {
    /// A grid with values in [0, 1].
    fn in_unit(grid: AnyGrid, depth: Depth) -> Self {
        Self { grid, spacing: None, body: None, white: 1.0, depth, warnings: Vec::new() }
    }
}

/// Extension of `path` in lower case.
fn extension(path: &Path) -> Option<String> {
    path.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase)
}

/// The bytes of a regular file, if they fit the memory.
fn bytes_of(path: &Path) -> Result<Vec<u8>, GridFileCause> {
    let metadata = std::fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(GridFileCause::Kind);
    }
    let mut demand = Demand::default();
    // The numbers, once more.
    demand.hold(|| "the file and its numbers take".to_owned(), metadata.len().saturating_mul(2));
    Memory::Machine.check(&demand)?;
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0));
    File::open(path)?.read_to_end(&mut bytes)?;
    if bytes.is_empty() { Err(GridFileCause::Empty) } else { Ok(bytes) }
}
