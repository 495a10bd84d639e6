//! NIfTI-1 files of one part (`.nii`), also compressed.
//!
//! The data are in Fortran order: i varies fastest. A grid has the axes i, j, k (and t) in this order, as nibabel's arrays do.

use std::io::Read;

use flate2::bufread::MultiGzDecoder;
use nifti::{DataElement, Endianness, InMemNiftiVolume, NiftiHeader, NiftiType};

use super::error::GridFileCause;
use super::npy::last_axis_fastest;
use super::orientation::BodyFrame;
use super::{AnyGrid, OpenedGrid};
use crate::grid::{Components, Grid, MAX_DIMENSIONS};
use crate::image::Depth;
use crate::memory::{Demand, Memory};
use crate::text::foreign_message;

const KNOWN: &str = "integers of 8, 16 and 32 bits, float32, float64 and complex64";
/// Bytes of the header, without the four that say whether extensions follow.
const HEADER: usize = 348;
/// Magic string of a file that holds header and data.
const ONE_PART: &[u8; 4] = b"n+1\0";
/// Largest expansion of Deflate.
const EXPANSION: u64 = 1032;

/// The grid in the bytes of a `.nii` file.
pub(super) fn open(bytes: &[u8]) -> Result<OpenedGrid, GridFileCause> {
    read(&mut &*bytes, bytes.len() as u64)
}

/// The grid in the bytes of a `.nii.gz` file.
pub(super) fn open_compressed(bytes: &[u8]) -> Result<OpenedGrid, GridFileCause> {
    read(&mut MultiGzDecoder::new(bytes), (bytes.len() as u64).saturating_mul(EXPANSION))
}

fn wrong(message: &str) -> GridFileCause {
    GridFileCause::Header { format: "NIfTI-1", message: foreign_message(message) }
}

/// Reads a file that has at most `most` bytes.
fn read(reader: &mut dyn Read, most: u64) -> Result<OpenedGrid, GridFileCause> {
    let mut start = Vec::new();
    reader.take(HEADER as u64).read_to_end(&mut start)?;
    if start.len() < HEADER {
        return Err(wrong("the header ends early"));
    }
    let header = NiftiHeader::from_reader(&start[..]).map_err(|error| wrong(&error.to_string()))?;
    if header.sizeof_hdr != HEADER as i32 {
        return Err(wrong("its first number is not 348"));
    }
    if &header.magic != ONE_PART {
        return Err(wrong("its data lie in another file"));
    }
    let shape = shape(&header)?;
    let kind = header.data_type().map_err(|error| wrong(&error.to_string()))?;
    let unknown = || GridFileCause::Type { found: format!("{kind:?}").to_lowercase(), known: KNOWN };
    let (components, memory) = match kind {
        NiftiType::Uint8 | NiftiType::Int8 | NiftiType::Uint16 | NiftiType::Int16 => (Components::Real, 4),
        NiftiType::Uint32 | NiftiType::Int32 | NiftiType::Float32 => (Components::Real, 4),
        NiftiType::Float64 => (Components::Real, 8),
        NiftiType::Complex64 => (Components::Complex, 8),
        _ => return Err(unknown()),
    };
    if usize::from(header.bitpix.unsigned_abs()) != 8 * kind.size_of() {
        return Err(wrong("the bits of its numbers are not those of their type"));
    }
    // At most 2^112.
    let count: u128 = shape.iter().map(|&len| len as u128).product();
    let needed = u64::try_from(count * kind.size_of() as u128).unwrap_or(u64::MAX);
    skip(reader, &header)?;
    if needed > most {
        // Counted, where memory for them would be reserved else.
        let found = std::io::copy(reader, &mut std::io::sink())?;
        return Err(GridFileCause::EndsEarly { needed, found });
    }
    let mut demand = Demand::default();
    let numbers = needed.saturating_add(u64::try_from(count * 2 * memory).unwrap_or(u64::MAX));
    demand.hold(|| "the numbers of the volume take".to_owned(), numbers);
    Memory::Machine.check(&demand)?;
    let mut data = Vec::new();
    reader.take(needed).read_to_end(&mut data)?;
    if (data.len() as u64) < needed {
        return Err(GridFileCause::EndsEarly { needed, found: data.len() as u64 });
    }
    let volume = InMemNiftiVolume::from_raw_fields(header.dim, kind, 0.0, 0.0, data, header.endianness)
        .map_err(|error| wrong(&error.to_string()))?;
    let single = |values: Vec<f32>| {
        let values = last_axis_fastest(&scaled(values, &header), &shape, components.count());
        Grid::new(&shape, components, values).map(AnyGrid::Single)
    };
    let grid = match kind {
        NiftiType::Uint8 => single(numbers_of::<u8>(volume)?)?,
        NiftiType::Int8 => single(numbers_of::<i8>(volume)?)?,
        NiftiType::Uint16 => single(numbers_of::<u16>(volume)?)?,
        NiftiType::Int16 => single(numbers_of::<i16>(volume)?)?,
        NiftiType::Float32 => single(typed::<f32>(volume)?)?,
        NiftiType::Complex64 => {
            // Pairs of floats, which are swapped as floats.
            let endianness = header.endianness;
            let float = |bytes: &[u8]| float(bytes, endianness);
            single(volume.raw_data().chunks_exact(4).map(float).collect())?
        }
        NiftiType::Uint32 => double(typed::<u32>(volume)?.into_iter().map(f64::from).collect(), &header, &shape)?,
        NiftiType::Int32 => double(typed::<i32>(volume)?.into_iter().map(f64::from).collect(), &header, &shape)?,
        NiftiType::Float64 => double(typed::<f64>(volume)?, &header, &shape)?,
        _ => return Err(unknown()),
    };
    let spacing = (1..=shape.len()).map(|axis| f64::from(header.pixdim[axis]).abs()).collect();
    let body = Some(BodyFrame::of_header(&header));
    Ok(OpenedGrid { spacing: Some(spacing), body, ..OpenedGrid::in_unit(grid, Depth::EIGHT) })
}

/// Samples of each axis, without those of one sample behind the third.
fn shape(header: &NiftiHeader) -> Result<Vec<usize>, GridFileCause> {
    let dim = header.dim().map_err(|error| wrong(&error.to_string()))?;
    let mut shape: Vec<usize> = dim.iter().map(|&len| usize::from(len)).collect();
    while shape.len() > 3 && shape.last() == Some(&1) {
        shape.pop();
    }
    if shape.len() > MAX_DIMENSIONS {
        return Err(crate::grid::GridError::Dimensions(shape.len()).into());
    }
    Ok(shape)
}

/// Reads on to the data.
fn skip(reader: &mut dyn Read, header: &NiftiHeader) -> Result<(), GridFileCause> {
    let offset = header.vox_offset;
    if !(offset.is_finite() && offset >= HEADER as f32 && offset < 1e9) {
        return Err(wrong("its data begin inside the header, or nowhere"));
    }
    let needed = offset as u64 - HEADER as u64;
    let found = std::io::copy(&mut reader.take(needed), &mut std::io::sink())?;
    if found < needed { Err(GridFileCause::EndsEarly { needed, found }) } else { Ok(()) }
}

fn typed<T: DataElement>(volume: InMemNiftiVolume) -> Result<Vec<T>, GridFileCause> {
    volume.into_nifti_typed_data().map_err(|error| wrong(&error.to_string()))
}

fn numbers_of<T: DataElement + Into<f32>>(volume: InMemNiftiVolume) -> Result<Vec<f32>, GridFileCause> {
    Ok(typed::<T>(volume)?.into_iter().map(Into::into).collect())
}

fn float(bytes: &[u8], endianness: Endianness) -> f32 {
    let bytes = bytes.try_into().expect("four bytes");
    match endianness {
        Endianness::Little => f32::from_le_bytes(bytes),
        Endianness::Big => f32::from_be_bytes(bytes),
    }
}

/// number · slope + inter; a slope of 0 or no number leaves the numbers as they are. Of complex numbers the inter is real.
fn scaled(mut values: Vec<f32>, header: &NiftiHeader) -> Vec<f32> {
    if let Some([slope, inter]) = scale(header) {
        let is_complex = header.data_type().is_ok_and(|kind| kind == NiftiType::Complex64);
        for (k, value) in values.iter_mut().enumerate() {
            let inter = if is_complex && k % 2 == 1 { 0.0 } else { inter };
            *value = (f64::from(*value) * slope + inter) as f32;
        }
    }
    values
}

fn double(mut values: Vec<f64>, header: &NiftiHeader, shape: &[usize]) -> Result<AnyGrid, GridFileCause> {
    if let Some([slope, inter]) = scale(header) {
        values.iter_mut().for_each(|value| *value = *value * slope + inter);
    }
    Ok(AnyGrid::Double(Grid::new(shape, Components::Real, last_axis_fastest(&values, shape, 1))?))
}

fn scale(header: &NiftiHeader) -> Option<[f64; 2]> {
    let [slope, inter] = [header.scl_slope, header.scl_inter].map(f64::from);
    let is_used = slope.is_finite() && slope != 0.0;
    is_used.then_some([slope, if inter.is_finite() { inter } else { 0.0 }])
}
