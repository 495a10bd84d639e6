//! Opening of volumes and of arrays: NIfTI-1, NPY and formulas of three dimensions.

use std::path::Path;

use rayon::prelude::*;

use super::Volume;
use crate::grid::{self, AnyGrid, Components, Grid, GridFileCause, GridFileError, OpenedGrid, VolumeFormula};
use crate::image::{Channels, Image, OpenError, Opened, Page, Raster, Samples, Size};
use crate::quality;
use crate::text::one_line;

/// Opens `source`: a volume, an array, or a source of [`quality::open_source`].
///
/// | source | image |
/// |---|---|
/// | `.nii`, `.nii.gz` of two or three axes | a volume; i runs along x, j up along y, k along z; the affine is not applied |
/// | `.nii`, `.nii.gz` of four axes | a page for each time t, each a volume |
/// | `.npy` of three axes | a volume of slices, rows and columns: z, y, x |
/// | `.npy` of four axes | a page for each index of the first, each a volume |
/// | `.npy` of rows, columns and 3 or 4 numbers | a picture, RGB or RGBA |
/// | `.npy` of rows and columns | a grey picture |
/// | `synth:NAME:WxHxD` | the volume of a formula |
///
/// Values are those of the file in single precision; numbers of an array of unsigned integers are divided by their largest.
///
/// ```
/// use lerpscope::volume::{Volume, open_source};
/// let image = open_source("synth:marschner-lobb:8x6x4".as_ref())?.image;
/// let volume = Volume::of(&image.pages()[0]).expect("a volume");
/// assert_eq!(volume.shape().size, [8, 6, 4]);
/// # Ok::<(), lerpscope::image::OpenError>(())
/// ```
///
/// # Errors
/// As [`quality::open_source`], and for a file that is no grid of these shapes.
pub fn open_source(source: &Path) -> Result<Opened, OpenError> {
    let Some(format) = format_of(source) else {
        return quality::open_source(source);
    };
    if matches!(format, Format::Nifti | Format::Npy) && source.is_dir() {
        return Err(OpenError::Directory { name: one_line(&source.display().to_string()) });
    }
    let OpenedGrid { grid, spacing, white, warnings, .. } = grid::open(source).map_err(of_grid_file)?;
    let fail = |cause: String| OpenError::Grid { name: one_line(&source.display().to_string()), cause };
    let grid = single(grid, white);
    if grid.components() == Components::Complex {
        return Err(fail("has complex numbers, which no picture shows".to_owned()));
    }
    let one = |page: Result<Page, String>| page.map(|page| vec![page]);
    let pages = match (format, grid.shape()) {
        (Format::Npy, &[height, width]) => one(picture(Channels::Grey, [width, height], &grid)),
        (Format::Npy, &[height, width, 3]) => one(picture(Channels::Rgb, [width, height], &grid)),
        (Format::Npy, &[height, width, 4]) => one(picture(Channels::Rgba, [width, height], &grid)),
        (Format::Npy | Format::Formula, [_, _, _]) => one(volume(grid, [1.0; 3], false)),
        (Format::Npy, &[_, depth, height, width]) => {
            let times = grid.values().chunks_exact(depth * height * width);
            times.map(|values| volume_of([width, height, depth], values.to_vec(), None)).collect()
        }
        (Format::Nifti, &[i, j]) => one(volume_of_file([i, j, 1, 1], &grid, spacing.as_deref(), 0)),
        (Format::Nifti, &[i, j, k]) => one(volume_of_file([i, j, k, 1], &grid, spacing.as_deref(), 0)),
        (Format::Nifti, &[i, j, k, times]) => {
            (0..times).map(|time| volume_of_file([i, j, k, times], &grid, spacing.as_deref(), time)).collect()
        }
        (_, shape) => {
            let (axes, s) = (shape.len(), if shape.len() == 1 { "axis" } else { "axes" });
            Err(format!("has {axes} {s}; pictures have two and volumes three, or four with time"))
        }
    };
    let name = match format {
        Format::Formula => source.display().to_string(),
        Format::Nifti | Format::Npy => source.file_name().unwrap_or(source.as_os_str()).to_string_lossy().into_owned(),
    };
    let image = Image::new(one_line(&name), pages.map_err(&fail)?).map_err(|error| fail(error.to_string()))?;
    Ok(Opened { image, format: format.name(), warnings })
}

/// The formats of grids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Formula,
    Nifti,
    Npy,
}

impl Format {
    fn name(self) -> &'static str {
        match self {
            Self::Formula => "formula",
            Self::Nifti => "NIfTI-1",
            Self::Npy => "NPY",
        }
    }
}

/// The format of a grid that `source` names; `None` for any other source.
fn format_of(source: &Path) -> Option<Format> {
    if source.to_str().is_some_and(VolumeFormula::is_meant) {
        return Some(Format::Formula);
    }
    let name = source.file_name()?.to_string_lossy().to_ascii_lowercase();
    let is = |extension: &str| name.ends_with(extension);
    if is(".npy") { Some(Format::Npy) } else { (is(".nii") || is(".nii.gz")).then_some(Format::Nifti) }
}

fn of_grid_file(GridFileError { file: name, cause }: GridFileError) -> OpenError {
    match cause {
        GridFileCause::Image(error) => error,
        GridFileCause::Formula(error) => OpenError::VolumeFormula(error.to_string()),
        GridFileCause::Memory(cause) => OpenError::Memory { name, cause },
        cause => OpenError::Grid { name, cause: cause.to_string() },
    }
}

/// The grid in single precision, with `white` as 1.
fn single(grid: AnyGrid, white: f64) -> Grid<f32> {
    match grid {
        AnyGrid::Single(grid) if white == 1.0 => grid,
        AnyGrid::Single(grid) => mapped(&grid, |value: f32| (f64::from(value) / white) as f32),
        AnyGrid::Double(grid) => mapped(&grid, |value: f64| (value / white) as f32),
    }
}

fn mapped<T: grid::Number>(grid: &Grid<T>, value: impl Fn(T) -> f32 + Sync) -> Grid<f32> {
    let values = grid.values().par_iter().map(|&number| value(number)).collect();
    Grid::new(grid.shape(), grid.components(), values).expect("the shape of a grid")
}

/// A page of an array of two axes, or of three with the channels last.
fn picture(channels: Channels, [width, height]: [usize; 2], grid: &Grid<f32>) -> Result<Page, String> {
    let side = |side: usize| u32::try_from(side).unwrap_or(u32::MAX);
    let size = Size::new(side(width), side(height)).map_err(|error| error.to_string())?;
    let raster = Raster::new(size, channels, Samples::F32(grid.values().to_vec()));
    raster.map(Page::new).map_err(|error| error.to_string())
}

/// A volume of a grid with the axes z, y and x.
fn volume(grid: Grid<f32>, spacing: [f64; 3], is_y_up: bool) -> Result<Page, String> {
    Volume::new(grid, spacing, is_y_up).map(Volume::into_page).map_err(|error| error.to_string())
}

/// The volume at index `time` of a grid with the axes i, j, k and t.
fn volume_of_file(
    [i, j, k, times]: [usize; 4],
    grid: &Grid<f32>,
    spacing: Option<&[f64]>,
    time: usize,
) -> Result<Page, String> {
    let numbers = grid.values();
    let mut values = vec![0.0; i * j * k];
    values.par_chunks_mut(i).enumerate().for_each(|(row, values)| {
        let (z, y) = (row / j, row % j);
        let number = |x: usize| numbers[((x * j + y) * k + z) * times + time];
        values.iter_mut().enumerate().for_each(|(x, value)| *value = number(x));
    });
    volume_of([i, j, k], values, Some(spacing.unwrap_or_default()))
}

/// A volume of samples of which x varies fastest; with a spacing y runs up.
fn volume_of([width, height, depth]: [usize; 3], values: Vec<f32>, spacing: Option<&[f64]>) -> Result<Page, String> {
    let steps = [0, 1, 2].map(|axis| spacing.and_then(|spacing| spacing.get(axis).copied()).unwrap_or(1.0));
    let grid = Grid::new(&[depth, height, width], Components::Real, values).map_err(|error| error.to_string())?;
    volume(grid, steps, spacing.is_some())
}
