//! Values in files: NPY, CSV, and PGM of a raster of points.

use std::io::{self, Write};
use std::path::Path;

use npyz::num_complex::Complex;
use npyz::{AutoSerialize, WriteOptions, WriterBuilder};

use super::error::{GridFileCause, GridFileError};
use super::extension;
use crate::files;
use crate::grid::{Components, Number};
use crate::text::{number_text, write_message};

/// Format of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueFormat {
    /// NumPy's, of the shape of the points.
    Npy,
    /// A value a line; complex ones are two numbers with a comma between.
    Csv,
}

impl ValueFormat {
    /// The format that the extension of `path` names.
    pub fn of(path: &Path) -> Option<Self> {
        match extension(path).as_deref() {
            Some("npy") => Some(Self::Npy),
            Some("csv") => Some(Self::Csv),
            _ => None,
        }
    }
}

/// Values of points.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Single precision.
    Single(Vec<f32>),
    /// Double precision.
    Double(Vec<f64>),
}

/// Writes values of points whose array has this `shape`. The file is complete or unchanged.
///
/// # Errors
/// [`GridFileError`] with the file's name.
pub fn write_values(
    path: &Path,
    format: ValueFormat,
    (values, components): (&Values, Components),
    shape: &[usize],
) -> Result<(), GridFileError> {
    let written = files::write(path, |out| put(out, format, (values, components), shape));
    written.map_err(|error| GridFileError::of(path, GridFileCause::Write(write_message(&error))))
}

/// As [`write_values`], to `out`.
pub(crate) fn put(
    out: &mut dyn Write,
    format: ValueFormat,
    (values, components): (&Values, Components),
    shape: &[usize],
) -> io::Result<()> {
    match (format, values) {
        (ValueFormat::Npy, Values::Single(values)) => put_npy(out, values, components, shape),
        (ValueFormat::Npy, Values::Double(values)) => put_npy(out, values, components, shape),
        (ValueFormat::Csv, Values::Single(values)) => put_csv(out, values, components, number_text),
        (ValueFormat::Csv, Values::Double(values)) => put_csv(out, values, components, number_text),
    }
}

fn put_npy<T>(out: &mut dyn Write, values: &[T], components: Components, shape: &[usize]) -> io::Result<()>
where
    T: Number + AutoSerialize,
    Complex<T>: AutoSerialize,
{
    let shape: Vec<u64> = shape.iter().map(|&len| len as u64).collect();
    match components {
        Components::Real => put_array(out, values.iter().copied(), &shape),
        Components::Complex => {
            put_array(out, values.as_chunks::<2>().0.iter().map(|&[re, im]| Complex { re, im }), &shape)
        }
    }
}

fn put_array<T: AutoSerialize>(out: &mut dyn Write, values: impl Iterator<Item = T>, shape: &[u64]) -> io::Result<()> {
    let mut writer = WriteOptions::new().default_dtype().shape(shape).writer(out).begin_nd()?;
    writer.extend(values)?;
    writer.finish()
}

fn put_csv<T: Number>(
    out: &mut dyn Write,
    values: &[T],
    components: Components,
    text: impl Fn(T) -> String,
) -> io::Result<()> {
    for value in values.chunks_exact(components.count()) {
        let numbers: Vec<String> = value.iter().map(|&number| text(number)).collect();
        writeln!(out, "{}", numbers.join(","))?;
    }
    Ok(())
}
