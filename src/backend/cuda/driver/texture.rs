//! Twin: kernels/texture.cuh. Texture objects.
//!
//! A texture owns the memory that it reads, so no handle outlives its memory. Dropping a texture waits for the stream first:
//! the driver does not promise to wait for kernels that still read through the handle. Textures are destroyed when a plane
//! leaves the cache, which no frame waits for.

use std::sync::Arc;

use cudarc::driver::{CudaSlice, CudaStream, sys};

use super::array::{Array, empty_resource, format_of, settle};
use super::device::Device;
use super::error::{Context as _, DriverError, check};
use crate::backend::cuda::abi::sample_kind::SampleKind;
use crate::image::Size;
use crate::sampling::AddressMode;

/// A texture flag (cuda.h: `CU_TRSF_NORMALIZED_COORDINATES`).
const NORMALIZED: u32 = 0x02;

/// What a texture reads from, and keeps.
#[derive(Clone, Debug)]
pub(crate) enum TextureSource {
    /// An array.
    Array(Arc<Array>),
    /// Rows of one channel in plain memory.
    Rows {
        memory: Arc<CudaSlice<u8>>,
        kind: SampleKind,
        size: Size,
        /// Bytes from row to row.
        pitch: usize,
    },
    /// Plain memory as one line of numbers, by `tex1Dfetch`.
    Line { memory: Arc<CudaSlice<u8>>, kind: SampleKind },
}

/// A texture object and what it reads from; destroyed when dropped, after the stream's work.
#[derive(Debug)]
pub(crate) struct Texture {
    handle: sys::CUtexObject,
    stream: Arc<CudaStream>,
    _source: TextureSource,
}

/// How a texture is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TextureUse {
    /// What lies beyond, along x and y.
    pub(crate) address: [AddressMode; 2],
    /// Whether the texture unit interpolates.
    pub(crate) linear: bool,
}

impl TextureUse {
    /// Whether coordinates run from 0 to 1, which periodic address modes require.
    pub(crate) fn is_normalized(&self) -> bool {
        self.address.iter().any(|address| address.is_periodic())
    }
}

impl Texture {
    /// A texture of values from 0 to 1 (integers), or as they are (floats).
    ///
    /// # Errors
    /// Where the source's memory holds fewer rows than it says, or the device refuses the texture.
    pub(crate) fn new(device: &Device, source: TextureSource, how: TextureUse) -> Result<Self, DriverError> {
        let mut resource = empty_resource();
        match &source {
            TextureSource::Array(array) => {
                resource.resType = sys::CUresourcetype::CU_RESOURCE_TYPE_ARRAY;
                resource.res.array.hArray = array.handle();
            }
            TextureSource::Rows { memory, kind, size, pitch } => {
                let (width, rows) = (size.width() as usize * kind.bytes(), size.height() as usize);
                let is_inside = *pitch >= width && (rows - 1) * pitch + width <= memory.len();
                check(is_inside, "a texture reads beyond its memory")?;
                resource.resType = sys::CUresourcetype::CU_RESOURCE_TYPE_PITCH2D;
                resource.res.pitch2D = sys::CUDA_RESOURCE_DESC_st__bindgen_ty_1__bindgen_ty_4 {
                    devPtr: device.address(memory),
                    format: format_of(*kind),
                    numChannels: 1,
                    width: size.width() as usize,
                    height: size.height() as usize,
                    pitchInBytes: *pitch,
                };
            }
            TextureSource::Line { memory, kind } => {
                resource.resType = sys::CUresourcetype::CU_RESOURCE_TYPE_LINEAR;
                resource.res.linear = sys::CUDA_RESOURCE_DESC_st__bindgen_ty_1__bindgen_ty_3 {
                    devPtr: device.address(memory),
                    format: format_of(*kind),
                    numChannels: 1,
                    sizeInBytes: memory.len(),
                };
            }
        }
        let mode = |address: AddressMode| match address {
            AddressMode::Clamp => sys::CUaddress_mode::CU_TR_ADDRESS_MODE_CLAMP,
            AddressMode::Border => sys::CUaddress_mode::CU_TR_ADDRESS_MODE_BORDER,
            AddressMode::Wrap => sys::CUaddress_mode::CU_TR_ADDRESS_MODE_WRAP,
            AddressMode::Mirror => sys::CUaddress_mode::CU_TR_ADDRESS_MODE_MIRROR,
        };
        let filter = if how.linear {
            sys::CUfilter_mode::CU_TR_FILTER_MODE_LINEAR
        } else {
            sys::CUfilter_mode::CU_TR_FILTER_MODE_POINT
        };
        let description = sys::CUDA_TEXTURE_DESC {
            addressMode: [mode(how.address[0]), mode(how.address[1]), sys::CUaddress_mode::CU_TR_ADDRESS_MODE_CLAMP],
            filterMode: filter,
            flags: if how.is_normalized() { NORMALIZED } else { 0 },
            maxAnisotropy: 0,
            mipmapFilterMode: sys::CUfilter_mode::CU_TR_FILTER_MODE_POINT,
            mipmapLevelBias: 0.0,
            minMipmapLevelClamp: 0.0,
            maxMipmapLevelClamp: 0.0,
            borderColor: [0.0; 4],
            reserved: [0; 12],
        };
        device.context.bind_to_thread().context("the context is lost")?;
        let mut handle = 0;
        #[expect(unsafe_code, reason = "cudarc has no safe textures")]
        // SAFETY: the descriptions are locals that outlive the call, which copies them; the union's arm is the one that
        // `resType` names, the rest of it is zero. The memory holds what the description says, as checked, and the texture
        // keeps it.
        let made = unsafe {
            sys::cuTexObjectCreate(&raw mut handle, &raw const resource, &raw const description, std::ptr::null())
        };
        made.result().context("a texture is refused")?;
        Ok(Self { handle, stream: Arc::clone(&device.stream), _source: source })
    }

    pub(crate) fn handle(&self) -> sys::CUtexObject {
        self.handle
    }
}

impl Drop for Texture {
    fn drop(&mut self) {
        settle(&self.stream);
        #[expect(unsafe_code, reason = "cudarc has no safe textures")]
        // SAFETY: the object is this one's own and is destroyed once, here; the stream's work is done, and handles are given
        // to kernels of that stream only.
        let _ = unsafe { sys::cuTexObjectDestroy(self.handle) };
    }
}
