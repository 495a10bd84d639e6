//! Device limits.

use cudarc::driver::sys::CUdevice_attribute as Attribute;
use cudarc::driver::{CudaContext, DriverError as DriverCode};

use crate::image::Size;

/// Limits of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum width and height of a two-dimensional texture, in texels.
    pub texture: [u32; 2],
    /// Maximum width and height of a texture that supports gathers, in texels.
    pub gather: [u32; 2],
    /// Maximum width and height of a surface, in pixels.
    pub surface: [u32; 2],
    /// Maximum shared memory of a block, in bytes.
    pub shared_bytes: u32,
    /// Shared memory of a multiprocessor, in bytes.
    pub shared_bytes_in_all: u32,
    /// Number of multiprocessors.
    pub multiprocessors: u32,
}

impl Limits {
    /// The limits of an H200, for plans without a device.
    pub(crate) const H200: Self = Self {
        texture: [131_072, 65_536],
        gather: [32_768, 32_768],
        surface: [131_072, 65_536],
        shared_bytes: 232_448,
        shared_bytes_in_all: 233_472,
        multiprocessors: 132,
    };

    /// Whether the device supports surfaces of `size`.
    pub(crate) fn has_surface(&self, size: Size) -> bool {
        size.width() <= self.surface[0] && size.height() <= self.surface[1]
    }

    /// The limits of the device of `context`.
    ///
    /// # Errors
    /// If the driver fails to report an attribute.
    pub(crate) fn of(context: &CudaContext) -> Result<Self, DriverCode> {
        let ask = |attribute| Ok(u32::try_from(context.attribute(attribute)?).unwrap_or(0));
        Ok(Self {
            texture: [
                ask(Attribute::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH)?,
                ask(Attribute::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT)?,
            ],
            gather: [
                ask(Attribute::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH)?,
                ask(Attribute::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT)?,
            ],
            surface: [
                ask(Attribute::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH)?,
                ask(Attribute::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT)?,
            ],
            shared_bytes: ask(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?,
            shared_bytes_in_all: ask(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR)?,
            multiprocessors: ask(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
        })
    }
}
