//! Where a launch writes: the pixels of a surface, or values in memory. A destination borrows the surface or keeps the memory,
//! and what it says of their size was checked when it was made, so that a launch into it stays inside.

use std::marker::PhantomData;
use std::sync::Arc;

use cudarc::driver::{CudaSlice, sys};

use super::device::Device;
use super::fault::Fault;
use super::texture::{RawSurface, check};
use crate::backend::cuda::abi::arguments::{Output, Target};
use crate::image::Size;

/// A surface, lent to be written: one of ours, or a texture of OpenGL's while it is mapped.
#[derive(Clone, Copy, Debug)]
pub(in crate::backend::cuda) struct Canvas<'a> {
    surface: sys::CUsurfObject,
    size: Size,
    /// Four bytes a pixel, not one.
    rgba: bool,
    lender: PhantomData<&'a RawSurface>,
}

impl<'a> Canvas<'a> {
    /// `surface`, over an array of `size`.
    pub(in crate::backend::cuda) fn new(surface: &'a RawSurface, size: Size, rgba: bool) -> Self {
        Self { surface: surface.handle(), size, rgba, lender: PhantomData }
    }

    /// Whether a pixel has four bytes, not one.
    pub(in crate::backend::cuda) fn is_rgba(&self) -> bool {
        self.rgba
    }

    /// The whole surface as pieces of 16 bytes, for plain stores. What a store writes beyond the surface is dropped.
    pub(in crate::backend::cuda) fn pieces(&self) -> Pieces<'a> {
        let pixels = if self.rgba { 4 } else { 16 };
        let size_px = [self.size.width().div_ceil(pixels) as i32, self.size.height() as i32];
        Pieces { target: Target { surface: self.surface, size_px, ..Target::default() }, lender: PhantomData }
    }
}

/// A surface as pieces of 16 bytes.
#[derive(Clone, Copy, Debug)]
pub(in crate::backend::cuda) struct Pieces<'a> {
    target: Target,
    lender: PhantomData<&'a RawSurface>,
}

impl Pieces<'_> {
    pub(in crate::backend::cuda) fn target(&self) -> &Target {
        &self.target
    }
}

/// Device memory that a destination keeps.
#[derive(Clone, Debug)]
pub(in crate::backend::cuda) enum DeviceBuffer {
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
pub(in crate::backend::cuda) struct Destination<'a> {
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
    pub(in crate::backend::cuda) fn surface(canvas: Canvas<'a>, size: Size) -> Result<Self, Fault> {
        let is_inside = size.width() <= canvas.size.width() && size.height() <= canvas.size.height();
        check(is_inside, "a picture is larger than its surface")?;
        Ok(Self { place: Place::Surface(canvas), size_px: [size.width(), size.height()] })
    }

    /// Rows of values in single precision, `floats` a pixel, one row after the other.
    ///
    /// # Errors
    /// Where the memory holds fewer.
    pub(in crate::backend::cuda) fn values(
        memory: DeviceBuffer,
        size_px: [u32; 2],
        floats: usize,
    ) -> Result<Self, Fault> {
        let values = size_px[0] as usize * size_px[1] as usize * floats;
        check(values * size_of::<f32>() <= memory.bytes(), "values are more than their memory holds")?;
        Ok(Self { place: Place::Values { memory, floats }, size_px })
    }

    /// Columns and rows.
    pub(in crate::backend::cuda) fn size_px(&self) -> [u32; 2] {
        self.size_px
    }

    /// What a kernel writes here.
    pub(in crate::backend::cuda) fn output(&self) -> Output {
        match &self.place {
            Place::Surface(canvas) if canvas.rgba => Output::Rgba8,
            Place::Surface(_) => Output::Grey8,
            Place::Values { .. } => Output::Values,
        }
    }

    /// Refuses results that do not fit: more columns or rows, or more at each pixel, than there is room for.
    pub(in crate::backend::cuda) fn check(&self, size_px: [u32; 2], floats: usize) -> Result<(), Fault> {
        let is_inside = size_px[0] <= self.size_px[0] && size_px[1] <= self.size_px[1];
        let has_room = match &self.place {
            // Grey fills four bytes; colour does not fit one.
            Place::Surface(canvas) => canvas.rgba || floats == 1,
            Place::Values { floats: room, .. } => floats <= *room,
        };
        check(has_room && is_inside, "results do not fit where they go")
    }

    /// As kernels are told.
    pub(in crate::backend::cuda) fn target(&self, device: &Device) -> Target {
        let size_px = self.size_px.map(|side| side as i32);
        let output = self.output() as i32;
        match &self.place {
            Place::Surface(canvas) => Target { surface: canvas.surface, size_px, output, ..Target::default() },
            Place::Values { memory, .. } => {
                Target { values: memory.address(device), size_px, output, ..Target::default() }
            }
        }
    }
}
