//! Where a launch writes: the pixels of a surface, or values in memory. A destination borrows the surface or keeps the memory,
//! and what it says of their size was checked when it was made, so that a launch into it stays inside.

use std::sync::Arc;

use cudarc::driver::{CudaSlice, sys};

use super::device::Device;
use super::error::{DriverError, check};
use super::surface::Canvas;
use crate::backend::cuda::abi::arguments::Target;
use crate::backend::cuda::abi::output::Output;
use crate::image::Size;

/// Device memory that a destination keeps.
#[derive(Clone, Debug)]
pub(crate) enum DeviceBuffer {
    /// Values.
    Floats(Arc<CudaSlice<f32>>),
    /// A plane's bytes, that are to hold values.
    Bytes(Arc<CudaSlice<u8>>),
}

impl DeviceBuffer {
    fn bytes(&self) -> usize {
        match self {
            Self::Floats(memory) => memory.len() * size_of::<f32>(),
            Self::Bytes(memory) => memory.len(),
        }
    }

    fn address(&self, device: &Device) -> sys::CUdeviceptr {
        match self {
            Self::Floats(memory) => device.address(memory),
            Self::Bytes(memory) => device.address(memory),
        }
    }
}

/// Where a launch writes.
#[derive(Clone, Debug)]
pub(crate) struct Destination<'a> {
    place: Place<'a>,
    size_px: [u32; 2],
}

#[derive(Clone, Debug)]
enum Place<'a> {
    Surface(Canvas<'a>),
    Values { memory: DeviceBuffer, floats: usize },
}

impl<'a> Destination<'a> {
    /// The first `size` pixels of `canvas`.
    ///
    /// # Errors
    /// Where the canvas is smaller.
    pub(crate) fn surface(canvas: Canvas<'a>, size: Size) -> Result<Self, DriverError> {
        let is_inside = size.width() <= canvas.size().width() && size.height() <= canvas.size().height();
        check(is_inside, "a picture is larger than its surface")?;
        Ok(Self { place: Place::Surface(canvas), size_px: [size.width(), size.height()] })
    }

    /// Rows of values in single precision, `floats` a pixel, one row after the other.
    ///
    /// # Errors
    /// Where the memory holds fewer.
    pub(crate) fn values(memory: DeviceBuffer, size_px: [u32; 2], floats: usize) -> Result<Self, DriverError> {
        let values = size_px[0] as usize * size_px[1] as usize * floats;
        check(values * size_of::<f32>() <= memory.bytes(), "values are more than their memory holds")?;
        Ok(Self { place: Place::Values { memory, floats }, size_px })
    }

    /// Columns and rows.
    pub(crate) fn size_px(&self) -> [u32; 2] {
        self.size_px
    }

    /// What a kernel writes here.
    pub(crate) fn output(&self) -> Output {
        match &self.place {
            Place::Surface(canvas) if canvas.is_rgba() => Output::Rgba8,
            Place::Surface(_) => Output::Grey8,
            Place::Values { .. } => Output::Values,
        }
    }

    /// Refuses results that do not fit: more columns or rows, or more at each pixel, than there is room for.
    pub(crate) fn check(&self, size_px: [u32; 2], floats: usize) -> Result<(), DriverError> {
        let is_inside = size_px[0] <= self.size_px[0] && size_px[1] <= self.size_px[1];
        let has_room = match &self.place {
            // Grey fills four bytes; colour does not fit one.
            Place::Surface(canvas) => canvas.is_rgba() || floats == 1,
            Place::Values { floats: room, .. } => floats <= *room,
        };
        check(has_room && is_inside, "results do not fit where they go")
    }

    /// As kernels are told.
    pub(crate) fn target(&self, device: &Device) -> Target {
        let size_px = self.size_px.map(|side| side as i32);
        let output = self.output() as i32;
        match &self.place {
            Place::Surface(canvas) => Target { surface: canvas.handle(), size_px, output, ..Target::default() },
            Place::Values { memory, .. } => {
                Target { values: memory.address(device), size_px, output, ..Target::default() }
            }
        }
    }
}
