//! Opening of volumes, of arrays and of complex images: NIfTI-1, NPY and formulas of three dimensions or complex numbers.

use std::path::Path;

use rayon::prelude::*;

use super::Volume;
use crate::complex::{ComplexError, ComplexFormula, ComplexImage, Component};
use crate::grid::{
    self, AnyGrid, BodyAxis, BodyFrame, Components, Grid, GridFileCause, GridFileError, OpenedGrid, VolumeError,
    VolumeFormula,
};
use crate::image::{Channels, Image, OpenError, Opened, Page, Raster, Samples, Size, pages_of};
use crate::memory::Memory;
use crate::quality;
use crate::text::one_line;

/// Opens `source`: a volume, an array, or a source of [`quality::open_source`].
///
/// | source | image |
/// |---|---|
/// | `.nii`, `.nii.gz` of two or three axes | a volume; x runs to the right of the body, y to the front and z to the head, by the axes of the file that are closest to these directions |
/// | `.nii`, `.nii.gz` of four axes | a volume that changes with the last axis, time |
/// | `.npy` of three axes | a volume of slices, rows and columns: z, y, x |
/// | `.npy` of four axes | a volume that changes with the first axis, time |
/// | `.npy` of rows, columns and 3 or 4 numbers | a picture, RGB or RGBA |
/// | `.npy` of rows and columns | a grey picture; of complex numbers a complex image |
/// | `volume:SOURCE` | the pages of SOURCE, a picture with two or more grey pages of one size, as slices: z, y, x |
/// | `synth:NAME:WxHxD`, `synth:NAME:WxHxDxT` | the volume of a formula, with T times |
/// | `synth:NAME:WxH` of [`COMPLEX_SOURCES`](crate::complex::COMPLEX_SOURCES) | a complex image |
/// | `synth:NAME:WxH:COMPONENT` of the same | the picture of the component's samples, such as phases |
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
    if let Some(text) = source.to_str().filter(|text| ComplexFormula::is_meant(text)) {
        return complex_formula(text);
    }
    if let Some(text) = source.to_str().filter(|text| VolumeFormula::is_meant(text)) {
        return volume_formula(text);
    }
    if let Some(original) = pages_of(source) {
        return volume_of_pages(source, original);
    }
    let Some(format) = format_of(source) else {
        return quality::open_source(source);
    };
    if source.is_dir() {
        return Err(OpenError::Directory { name: one_line(&source.display().to_string()) });
    }
    let OpenedGrid { grid, body, white, warnings, .. } = grid::open(source).map_err(of_grid_file)?;
    let fail = |cause: String| OpenError::Grid { name: one_line(&source.display().to_string()), cause };
    let grid = single(grid, white);
    let body = body.unwrap_or(BodyFrame { axes: BodyAxis::ALONG, spacing: [1.0; 3] });
    let as_stored = BodyFrame { axes: BodyAxis::ALONG, ..body };
    let one = |page: Result<Page, String>| page.map(|page| vec![page]);
    let is_complex = grid.components() == Components::Complex;
    let pages = match (format, grid.shape()) {
        (Format::Npy, &[height, width]) if is_complex => one(complex([width, height], &grid)),
        (_, shape) if is_complex => {
            Err(format!("has complex numbers and {}; complex pictures have two axes", axes_text(shape.len())))
        }
        (Format::Npy, &[height, width]) => one(picture(Channels::Grey, [width, height], &grid)),
        (Format::Npy, &[height, width, 3]) => one(picture(Channels::Rgb, [width, height], &grid)),
        (Format::Npy, &[height, width, 4]) => one(picture(Channels::Rgba, [width, height], &grid)),
        (Format::Npy, [_, _, _]) => one(volume(vec![grid], [1.0; 3], false)),
        (Format::Npy, &[_, depth, height, width]) => {
            let times = grid.values().par_chunks_exact(depth * height * width);
            one(volume(
                times.map(|values| of_slices([depth, height, width], values.to_vec())).collect(),
                [1.0; 3],
                false,
            ))
        }
        // A single slice is shown as it is stored.
        (Format::Nifti, &[i, j]) => one(volume_of_file([i, j, 1, 1], &grid, as_stored)),
        (Format::Nifti, &[i, j, k]) => one(volume_of_file([i, j, k, 1], &grid, body)),
        (Format::Nifti, &[i, j, k, times]) => one(volume_of_file([i, j, k, times], &grid, body)),
        (_, shape) => {
            Err(format!("has {}; pictures have two and volumes three, or four with time", axes_text(shape.len())))
        }
    };
    let name = source.file_name().unwrap_or(source.as_os_str()).to_string_lossy();
    let image = Image::new(one_line(&name), pages.map_err(&fail)?).map_err(|error| fail(error.to_string()))?;
    Ok(Opened { image, format: format.name(), warnings })
}

/// The image of a complex formula; with a component behind it, the picture of that component's samples.
fn complex_formula(text: &str) -> Result<Opened, OpenError> {
    let of_component = text.rsplit_once(':').and_then(|(rest, name)| Some((rest, Component::by_name(name)?)));
    let formula = of_component.map_or(text, |(formula, _)| formula);
    let formula: ComplexFormula =
        formula.parse().map_err(|error: ComplexError| OpenError::GridFormula(error.to_string()))?;
    let memory = Memory::Machine.check(&formula.demand());
    memory.map_err(|cause| OpenError::Memory { name: one_line(text), cause })?;
    let image = match of_component {
        Some((_, component)) => {
            let samples = formula.image().page(component).raster().clone();
            Image::of_page(format!("{formula}:{component}"), Page::new(samples))
        }
        None => Image::of_page(formula.to_string(), formula.image().into_page()),
    };
    Ok(Opened { image, format: FORMULA, warnings: Vec::new() })
}

/// The volume of a formula.
fn volume_formula(text: &str) -> Result<Opened, OpenError> {
    let fail = |cause: String| OpenError::GridFormula(cause);
    let formula: VolumeFormula = text.parse().map_err(|error: VolumeError| fail(error.to_string()))?;
    let memory = Memory::Machine.check(&formula.demand());
    memory.map_err(|cause| OpenError::Memory { name: one_line(text), cause })?;
    let volume = Volume::of_formula(&formula).map_err(|error| fail(error.to_string()))?;
    Ok(Opened { image: Image::of_page(text, volume.into_page()), format: FORMULA, warnings: Vec::new() })
}

/// The pages of the picture `original` as the volume `source`.
fn volume_of_pages(source: &Path, original: &Path) -> Result<Opened, OpenError> {
    let label = one_line(&source.display().to_string());
    let fail = |cause: String| OpenError::Grid { name: label.clone(), cause };
    if format_of(original).is_some() || VolumeFormula::is_meant(&original.to_string_lossy()) {
        return Err(fail("has axes of its own; pages of pictures become a volume".to_owned()));
    }
    let OpenedGrid { grid, white, warnings, .. } = grid::open(original).map_err(of_grid_file)?;
    if grid.shape().len() < 3 {
        return Err(fail("has one page; a volume has two or more".to_owned()));
    }
    let page = volume(vec![single(grid, white)], [1.0; 3], false).map_err(&fail)?;
    let name = original.file_name().unwrap_or(original.as_os_str()).to_string_lossy();
    let image = Image::of_page(format!("{} as a volume", one_line(&name)), page);
    Ok(Opened { image, format: "volume of pages", warnings })
}

/// `1 axis`, `5 axes`.
fn axes_text(count: usize) -> String {
    format!("{count} {}", if count == 1 { "axis" } else { "axes" })
}

/// The format of formulas.
const FORMULA: &str = "formula";

/// The formats of files of grids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Nifti,
    Npy,
}

impl Format {
    fn name(self) -> &'static str {
        match self {
            Self::Nifti => "NIfTI-1",
            Self::Npy => "NPY",
        }
    }
}

/// The format of the file of a grid that `source` names; `None` for any other source.
fn format_of(source: &Path) -> Option<Format> {
    let name = source.file_name()?.to_string_lossy().to_ascii_lowercase();
    let is = |extension: &str| name.ends_with(extension);
    if is(".npy") { Some(Format::Npy) } else { (is(".nii") || is(".nii.gz")).then_some(Format::Nifti) }
}

fn of_grid_file(GridFileError { file: name, cause }: GridFileError) -> OpenError {
    match cause {
        GridFileCause::Image(error) => error,
        GridFileCause::Formula(error) => OpenError::GridFormula(error.to_string()),
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
    let size = size_of([width, height])?;
    let raster = Raster::new(size, channels, Samples::F32(grid.values().to_vec()));
    raster.map(Page::new).map_err(|error| error.to_string())
}

/// A page of an array of complex numbers.
fn complex(sides: [usize; 2], grid: &Grid<f32>) -> Result<Page, String> {
    Ok(ComplexImage::new(size_of(sides)?, grid.values()).into_page())
}

fn size_of(sides: [usize; 2]) -> Result<Size, String> {
    let [width, height] = sides.map(|side| u32::try_from(side).unwrap_or(u32::MAX));
    Size::new(width, height).map_err(|error| error.to_string())
}

/// A volume of a grid with the axes z, y and x for each time.
fn volume(times: Vec<Grid<f32>>, spacing: [f64; 3], is_y_up: bool) -> Result<Page, String> {
    Volume::series(times, spacing, is_y_up).map(Volume::into_page).map_err(|error| error.to_string())
}

/// The volume of a grid with the axes i, j, k and t, which lie along these directions of the body; y runs up.
fn volume_of_file(
    [i, j, k, times]: [usize; 4],
    grid: &Grid<f32>,
    BodyFrame { axes, spacing }: BodyFrame,
) -> Result<Page, String> {
    let numbers = grid.values();
    let (lens, strides) = ([i, j, k], [j * k * times, k * times, times]);
    // The axis of the file along x, y and z.
    let sources =
        [0, 1, 2].map(|direction| axes.iter().position(|axis| axis.direction == direction).unwrap_or(direction));
    let [width, height, depth] = sources.map(|axis| lens[axis]);
    let place = |direction: usize, index: usize| {
        let axis = sources[direction];
        let index = if axes[axis].is_reversed { lens[axis] - 1 - index } else { index };
        index * strides[axis]
    };
    let at = |time: usize| {
        let mut values = vec![0.0; width * height * depth];
        values.par_chunks_mut(width.max(1)).enumerate().for_each(|(row, values)| {
            let (z, y) = (row / height, row % height);
            let first = place(2, z) + place(1, y) + time;
            values.iter_mut().enumerate().for_each(|(x, value)| *value = numbers[first + place(0, x)]);
        });
        of_slices([depth, height, width], values)
    };
    volume((0..times).map(at).collect(), sources.map(|axis| spacing[axis]), true)
}

/// A grid of slices, rows and columns.
fn of_slices(shape: [usize; 3], values: Vec<f32>) -> Grid<f32> {
    Grid::new(&shape, Components::Real, values).expect("a value for each sample")
}
