//! Points and knots in files: NPY arrays, or CSV with a point on each line.

use std::path::Path;

use super::error::{GridFileCause, GridFileError};
use super::npy::{self, Array, Numbers};
use super::{bytes_of, extension};
use crate::text::one_line;

/// Coordinates of points, one after the other.
#[derive(Clone, Debug, PartialEq)]
pub enum Coordinates {
    /// Single precision.
    Single(Vec<f32>),
    /// Double precision.
    Double(Vec<f64>),
}

/// Points of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Points {
    /// Their coordinates, in the order of the grid's axes.
    pub coordinates: Coordinates,
    /// Number of points along each axis of the array: n, or rows and columns.
    pub shape: Vec<usize>,
}

impl Points {
    /// Number of points.
    pub fn count(&self) -> usize {
        self.shape.iter().product()
    }
}

/// Reads points of `dimensions` coordinates: an NPY array of n × N or H × W × N numbers (of one dimension also n), or CSV
/// with N numbers a line, after an optional line of names.
///
/// # Errors
/// [`GridFileError`] with the file's name, for CSV also with the line.
pub fn read_points(path: &Path, dimensions: usize) -> Result<Points, GridFileError> {
    let fail = |cause| GridFileError::of(path, cause);
    match extension(path).as_deref() {
        Some("npy") => {
            points_of_array(npy::read(&bytes_of(path).map_err(fail)?).map_err(fail)?, dimensions).map_err(fail)
        }
        Some("csv") => {
            let coordinates = rows(&bytes_of(path).map_err(fail)?, dimensions).map_err(fail)?;
            let shape = vec![coordinates.len() / dimensions];
            Ok(Points { coordinates: Coordinates::Double(coordinates), shape })
        }
        _ => Err(fail(GridFileCause::Extension("points are .npy or .csv"))),
    }
}

/// Reads the knots of an axis: an NPY array of one dimension, or CSV with one number a line.
///
/// # Errors
/// As [`read_points`].
pub fn read_knots(path: &Path) -> Result<Vec<f64>, GridFileError> {
    let Points { coordinates, .. } = read_points(path, 1)?;
    Ok(match coordinates {
        Coordinates::Single(values) => values.into_iter().map(f64::from).collect(),
        Coordinates::Double(values) => values,
    })
}

fn points_of_array(array: Array, dimensions: usize) -> Result<Points, GridFileCause> {
    let Array { shape, numbers } = array;
    let wanted = || format!("points are n × {dimensions} or H × W × {dimensions} numbers");
    let points = match shape[..] {
        [count] if dimensions == 1 => vec![count],
        [count, last] if last == dimensions => vec![count],
        [height, width, last] if last == dimensions => vec![height, width],
        _ => {
            let shape = shape.iter().map(usize::to_string).collect::<Vec<_>>().join("×");
            return Err(GridFileCause::Shape { shape, wanted: wanted() });
        }
    };
    let coordinates = match numbers {
        Numbers::F32(values) => Coordinates::Single(values),
        Numbers::F64(values) => Coordinates::Double(values),
        Numbers::U8(values) => Coordinates::Double(values.into_iter().map(f64::from).collect()),
        Numbers::U16(values) => Coordinates::Double(values.into_iter().map(f64::from).collect()),
        Numbers::C32(_) | Numbers::C64(_) => {
            return Err(GridFileCause::Shape { shape: "complex".to_owned(), wanted: wanted() });
        }
    };
    Ok(Points { coordinates, shape: points })
}

/// Rows of `columns` numbers each, separated by commas, semicolons or blanks. A first row without any number has names;
/// empty lines and those that begin with `#` are skipped.
fn rows(bytes: &[u8], columns: usize) -> Result<Vec<f64>, GridFileCause> {
    let text = std::str::from_utf8(bytes).map_err(|_| GridFileCause::Read("is not UTF-8 text".to_owned()))?;
    let mut numbers = Vec::new();
    let mut has_names = false;
    for (line, row) in (1..).zip(text.lines()).filter(|(_, row)| !row.trim().is_empty() && !row.starts_with('#')) {
        let before = numbers.len();
        let mut are_numbers = true;
        for field in row.split([',', ';']).flat_map(str::split_whitespace) {
            match field.parse::<f64>() {
                Ok(number) => numbers.push(number),
                Err(_) => are_numbers = false,
            }
        }
        if are_numbers && numbers.len() == before + columns {
            continue;
        }
        if before > 0 || numbers.len() > before || has_names {
            return Err(GridFileCause::Row { line, text: one_line(row), columns });
        }
        has_names = true;
    }
    Ok(numbers)
}
