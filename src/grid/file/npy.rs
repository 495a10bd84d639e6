//! NumPy's NPY files.

use npyz::num_complex::{Complex32, Complex64};
use npyz::{DType, NpyFile, NpyHeader, Order, TypeChar};

use super::error::GridFileCause;
use super::{AnyGrid, OpenedGrid};
use crate::grid::{Components, Grid, GridError, MAX_DIMENSIONS};
use crate::image::Depth;
use crate::panics::caught;
use crate::text::foreign_message;

/// Types of numbers that are read.
const KNOWN: &str = "float32, float64, complex64, complex128, and integers of 8, 16 and 32 bits";
/// Bytes before the length of the header: the magic string and the version.
const BEFORE_LENGTH: usize = 8;
/// Levels of brackets in a header. A field of a structured type with a shape has four; the reader's time is exponential in them.
const MAX_LEVELS: usize = 4;

/// An array of numbers in C order.
pub(super) struct Array {
    /// Number of elements along each axis.
    pub(super) shape: Vec<usize>,
    /// The elements.
    pub(super) numbers: Numbers,
}

/// Elements of an array; complex ones are two numbers each.
pub(super) enum Numbers {
    U8(Vec<u8>),
    U16(Vec<u16>),
    F32(Vec<f32>),
    F64(Vec<f64>),
    C32(Vec<f32>),
    C64(Vec<f64>),
}

/// The grid in `bytes`.
pub(super) fn open(bytes: &[u8]) -> Result<OpenedGrid, GridFileCause> {
    let Array { shape, numbers } = read(bytes)?;
    let single = |components, values| Ok::<_, GridError>(AnyGrid::Single(Grid::new(&shape, components, values)?));
    let double = |components, values| Ok::<_, GridError>(AnyGrid::Double(Grid::new(&shape, components, values)?));
    let (white, depth) = match &numbers {
        Numbers::U8(_) => (f64::from(u8::MAX), Depth::EIGHT),
        Numbers::U16(_) => (f64::from(u16::MAX), Depth::SIXTEEN),
        _ => (1.0, Depth::EIGHT),
    };
    let grid = match numbers {
        Numbers::U8(values) => single(Components::Real, values.into_iter().map(f32::from).collect())?,
        Numbers::U16(values) => single(Components::Real, values.into_iter().map(f32::from).collect())?,
        Numbers::F32(values) => single(Components::Real, values)?,
        Numbers::F64(values) => double(Components::Real, values)?,
        Numbers::C32(values) => single(Components::Complex, values)?,
        Numbers::C64(values) => double(Components::Complex, values)?,
    };
    Ok(OpenedGrid { white, depth, ..OpenedGrid::in_unit(grid, depth) })
}

/// The array in `bytes`.
pub(super) fn read(bytes: &[u8]) -> Result<Array, GridFileCause> {
    let wrong = |message: &str| GridFileCause::Header { format: "NPY", message: foreign_message(message) };
    if !bytes.starts_with(b"\x93NUMPY") {
        return Err(wrong("it does not begin with NumPy's magic string"));
    }
    // The reader would allocate what the header says that it takes.
    let after = bytes.get(BEFORE_LENGTH..).unwrap_or_default();
    let version_1 = bytes.get(6) == Some(&1);
    let header = if version_1 {
        after.split_first_chunk().map(|(length, rest)| rest.get(..usize::from(u16::from_le_bytes(*length))))
    } else {
        after.split_first_chunk().map(|(length, rest)| rest.get(..u32::from_le_bytes(*length) as usize))
    };
    let Some(header) = header.flatten() else { return Err(wrong("the header ends early")) };
    if levels(header) > MAX_LEVELS {
        return Err(wrong("its brackets are nested more than four levels deep"));
    }
    let mut rest = bytes;
    let header = caught(|| NpyHeader::from_reader(&mut rest)).map_err(|_| wrong("its shape is too large"))?;
    let header = header.map_err(|error| wrong(&error.to_string()))?;
    let unknown = || GridFileCause::Type { found: header.dtype().descr(), known: KNOWN };
    let DType::Plain(kind) = header.dtype() else { return Err(unknown()) };
    let size = kind.num_bytes().ok_or_else(unknown)?;
    let count = header.shape().iter().try_fold(1_u64, |product, &len| product.checked_mul(len));
    let needed = count.and_then(|count| count.checked_mul(size as u64)).unwrap_or(u64::MAX);
    if needed > rest.len() as u64 {
        return Err(GridFileCause::EndsEarly { needed, found: rest.len() as u64 });
    }
    let shape: Vec<usize> = header.shape().iter().map(|&len| len as usize).collect();
    let order = header.order();
    let file = NpyFile::with_header(header.clone(), rest);
    let (letter, bits) = (kind.type_char(), 8 * size);
    let numbers = match (letter, bits) {
        (TypeChar::Uint, 8) => Numbers::U8(in_c_order(file.into_vec()?, &shape, order, 1)),
        (TypeChar::Uint, 16) => Numbers::U16(in_c_order(file.into_vec()?, &shape, order, 1)),
        (TypeChar::Int, 8) => Numbers::F32(ordered::<i8, _>(file, &shape, order)?),
        (TypeChar::Int, 16) => Numbers::F32(ordered::<i16, _>(file, &shape, order)?),
        (TypeChar::Int, 32) => Numbers::F64(ordered::<i32, _>(file, &shape, order)?),
        (TypeChar::Uint, 32) => Numbers::F64(ordered::<u32, _>(file, &shape, order)?),
        (TypeChar::Float, 32) => Numbers::F32(in_c_order(file.into_vec()?, &shape, order, 1)),
        (TypeChar::Float, 64) => Numbers::F64(in_c_order(file.into_vec()?, &shape, order, 1)),
        (TypeChar::Complex, 64) => {
            let values: Vec<Complex32> = file.into_vec()?;
            Numbers::C32(in_c_order(values.into_iter().flat_map(|c| [c.re, c.im]).collect(), &shape, order, 2))
        }
        (TypeChar::Complex, 128) => {
            let values: Vec<Complex64> = file.into_vec()?;
            Numbers::C64(in_c_order(values.into_iter().flat_map(|c| [c.re, c.im]).collect(), &shape, order, 2))
        }
        _ => return Err(unknown()),
    };
    Ok(Array { shape, numbers })
}

/// Greatest number of brackets open at once, those within strings included.
fn levels(header: &[u8]) -> usize {
    let mut open = 0_usize;
    header.iter().fold(0, |most, byte| {
        match byte {
            b'(' | b'[' | b'{' => open += 1,
            b')' | b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        most.max(open)
    })
}

/// Elements of type `A` as numbers of type `B`.
fn ordered<A, B>(file: NpyFile<&[u8]>, shape: &[usize], order: Order) -> Result<Vec<B>, GridFileCause>
where
    A: npyz::Deserialize + Copy + Default + Into<B>,
    B: Copy + Default,
{
    let values: Vec<A> = file.into_vec()?;
    Ok(in_c_order(values.into_iter().map(Into::into).collect(), shape, order, 1))
}

fn in_c_order<T: Copy + Default>(values: Vec<T>, shape: &[usize], order: Order, components: usize) -> Vec<T> {
    match order {
        Order::C => values,
        Order::Fortran => last_axis_fastest(&values, shape, components),
    }
}

/// Values whose first axis varies fastest, with the last axis fastest.
pub(super) fn last_axis_fastest<T: Copy + Default>(values: &[T], shape: &[usize], components: usize) -> Vec<T> {
    // Distance of neighbours along each axis in the source.
    let mut strides = [0; MAX_DIMENSIONS + 2];
    let mut stride = components;
    for (axis, len) in shape.iter().enumerate().take(strides.len()) {
        strides[axis] = stride;
        stride *= len;
    }
    let mut out = Vec::with_capacity(values.len());
    let mut places = vec![0; shape.len()];
    for _ in 0..values.len() / components {
        let at: usize = places.iter().zip(&strides).map(|(place, stride)| place * stride).sum();
        out.extend_from_slice(&values[at..at + components]);
        if let Some(axis) = (0..shape.len()).rev().find(|&axis| places[axis] + 1 < shape[axis]) {
            places[axis] += 1;
            places[axis + 1..].fill(0);
        }
    }
    out
}
