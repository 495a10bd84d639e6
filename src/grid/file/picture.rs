//! Pictures as grids: one is a grid of rows and columns, the pages of a file are slices of a volume.

use std::path::Path;

use super::error::{GridFileCause, GridFileError};
use super::{AnyGrid, OpenedGrid};
use crate::grid::{Components, Grid};
use crate::image::{OpenError, Opened, Samples};
use crate::quality::open_source;

/// Opens `source`.
pub(super) fn open(source: &Path) -> Result<OpenedGrid, GridFileError> {
    let fail = |cause: GridFileCause| GridFileError::of(source, cause);
    let Opened { image, warnings, .. } = open_source(source).map_err(|error| match error {
        OpenError::UnknownFormat { .. } => {
            fail(GridFileCause::Extension("a grid is .npy, .nii, .nii.gz, a picture, or synth:NAME:WxHxD"))
        }
        error => fail(error.into()),
    })?;
    let pages = image.pages();
    let first = pages[0].raster();
    let size = first.size();
    let mut values = Vec::with_capacity(size.area() * pages.len());
    for (index, page) in pages.iter().enumerate() {
        let raster = page.raster();
        if raster.channels().count() != 1 {
            return Err(fail(GridFileCause::Channels(raster.channels().count())));
        }
        if raster.size() != size {
            let (found, first) = (raster.size().to_string(), size.to_string());
            return Err(fail(GridFileCause::Slices { page: index + 1, found, first }));
        }
        match raster.samples() {
            Samples::U8 { values: numbers, maxval } => {
                values.extend(numbers.iter().map(|&number| f32::from(number) / f32::from(*maxval)));
            }
            Samples::U16 { values: numbers, maxval } => {
                values.extend(numbers.iter().map(|&number| f32::from(number) / f32::from(*maxval)));
            }
            Samples::F32(numbers) => values.extend_from_slice(numbers),
        }
    }
    let [width, height] = size.sides().map(|side| side as usize);
    let shape = if pages.len() == 1 { vec![height, width] } else { vec![pages.len(), height, width] };
    let grid = Grid::new(&shape, Components::Real, values).map_err(|error| fail(error.into()))?;
    Ok(OpenedGrid { warnings, ..OpenedGrid::in_unit(AnyGrid::Single(grid), first.depth()) })
}
