//! Twin: kernels/texture.cuh. Arrays, textures and surfaces: what cudarc's driver API has no owned type for.

use cudarc::driver::result::DriverError;
use cudarc::driver::sys;

use super::device::{Device, Fault, because};
use super::kernels::SampleKind;
use crate::image::Size;
use crate::sampling::Address;

/// An array flag (cuda.h: `CUDA_ARRAY3D_SURFACE_LDST`).
const SURFACE_WRITES: u32 = 0x02;
/// An array flag (cuda.h: `CUDA_ARRAY3D_TEXTURE_GATHER`).
const GATHERS: u32 = 0x08;
/// A texture flag (cuda.h: `CU_TRSF_NORMALIZED_COORDINATES`).
const NORMALIZED: u32 = 0x02;

/// A two-dimensional CUDA array; freed when dropped.
#[derive(Debug)]
pub(super) struct Array {
    handle: sys::CUarray,
    size: Size,
    bytes_a_pixel: usize,
}

#[expect(unsafe_code, reason = "a handle may be used from any thread whose context is current")]
// SAFETY: the driver's calls take handles from any thread; `Device` makes its context current before each.
unsafe impl Send for Array {}

/// What an array is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArrayUse {
    /// Textures; gathered from where the device can.
    Texture,
    /// Surface writes.
    Surface,
}

impl Array {
    /// An array of unset pixels.
    pub(super) fn new(
        device: &Device,
        size: Size,
        kind: SampleKind,
        channels: u32,
        purpose: ArrayUse,
    ) -> Result<Self, Fault> {
        let gathers = size.width() <= device.limits.gather[0] && size.height() <= device.limits.gather[1];
        let descriptor = sys::CUDA_ARRAY3D_DESCRIPTOR {
            Width: size.width() as usize,
            Height: size.height() as usize,
            Depth: 0,
            Format: format_of(kind),
            NumChannels: channels,
            Flags: match purpose {
                ArrayUse::Surface => SURFACE_WRITES,
                ArrayUse::Texture if gathers => GATHERS,
                ArrayUse::Texture => 0,
            },
        };
        device.context.bind_to_thread().map_err(because("the context is lost"))?;
        let mut handle = std::ptr::null_mut();
        let mut make = || {
            #[expect(unsafe_code, reason = "cudarc has no safe arrays")]
            // SAFETY: both pointers are to values of this frame.
            unsafe { sys::cuArray3DCreate_v2(&raw mut handle, &raw const descriptor) }.result()
        };
        let mut made = make();
        if made == Err(DriverError(sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY)) {
            // Buffers that were dropped are given back when the stream has come to that.
            device.finish()?;
            made = make();
        }
        made.map_err(because(format_args!("an array of {size} is refused")))?;
        Ok(Self { handle, size, bytes_a_pixel: kind.bytes() * channels as usize })
    }

    pub(super) fn handle(&self) -> sys::CUarray {
        self.handle
    }

    pub(super) fn size(&self) -> Size {
        self.size
    }

    /// Fills it from device memory whose rows are `pitch` bytes apart.
    pub(super) fn copy_from(&self, device: &Device, from: sys::CUdeviceptr, pitch: usize) -> Result<(), Fault> {
        let copy = sys::CUDA_MEMCPY2D {
            srcMemoryType: sys::CUmemorytype::CU_MEMORYTYPE_DEVICE,
            srcDevice: from,
            srcPitch: pitch,
            dstMemoryType: sys::CUmemorytype::CU_MEMORYTYPE_ARRAY,
            dstArray: self.handle,
            WidthInBytes: self.size.width() as usize * self.bytes_a_pixel,
            Height: self.size.height() as usize,
            ..no_copy()
        };
        copy_2d(device, &copy)
    }

    /// Copies its first `size` pixels to host memory, rows one after the other; done when the stream has come to it.
    pub(super) fn copy_to(&self, device: &Device, to: &mut [u8], size: Size) -> Result<(), Fault> {
        let width = size.width() as usize * self.bytes_a_pixel;
        assert!(to.len() >= width * size.height() as usize, "room for every pixel");
        assert!(size.width() <= self.size.width() && size.height() <= self.size.height(), "pixels that there are");
        let copy = sys::CUDA_MEMCPY2D {
            srcMemoryType: sys::CUmemorytype::CU_MEMORYTYPE_ARRAY,
            srcArray: self.handle,
            dstMemoryType: sys::CUmemorytype::CU_MEMORYTYPE_HOST,
            dstHost: to.as_mut_ptr().cast(),
            dstPitch: width,
            WidthInBytes: width,
            Height: size.height() as usize,
            ..no_copy()
        };
        copy_2d(device, &copy)
    }
}

impl Drop for Array {
    fn drop(&mut self) {
        #[expect(unsafe_code, reason = "cudarc has no safe arrays")]
        // SAFETY: the handle is this array's own, and nothing uses it after this. The driver waits for what runs; where
        // the context is lost there is nothing left to free, so its answer says nothing.
        let _ = unsafe { sys::cuArrayDestroy(self.handle) };
    }
}

fn format_of(kind: SampleKind) -> sys::CUarray_format {
    match kind {
        SampleKind::U8 => sys::CUarray_format::CU_AD_FORMAT_UNSIGNED_INT8,
        SampleKind::U16 => sys::CUarray_format::CU_AD_FORMAT_UNSIGNED_INT16,
        SampleKind::F32 => sys::CUarray_format::CU_AD_FORMAT_FLOAT,
    }
}

/// A copy of nothing from nowhere, to be filled in.
pub(super) fn no_copy() -> sys::CUDA_MEMCPY2D {
    sys::CUDA_MEMCPY2D {
        srcXInBytes: 0,
        srcY: 0,
        srcMemoryType: sys::CUmemorytype::CU_MEMORYTYPE_HOST,
        srcHost: std::ptr::null(),
        srcDevice: 0,
        srcArray: std::ptr::null_mut(),
        srcPitch: 0,
        dstXInBytes: 0,
        dstY: 0,
        dstMemoryType: sys::CUmemorytype::CU_MEMORYTYPE_HOST,
        dstHost: std::ptr::null_mut(),
        dstDevice: 0,
        dstArray: std::ptr::null_mut(),
        dstPitch: 0,
        WidthInBytes: 0,
        Height: 0,
    }
}

/// Runs a copy in the device's stream.
pub(super) fn copy_2d(device: &Device, copy: &sys::CUDA_MEMCPY2D) -> Result<(), Fault> {
    device.context.bind_to_thread().map_err(because("the context is lost"))?;
    #[expect(unsafe_code, reason = "cudarc has no safe copies of rectangles")]
    // SAFETY: the callers give rectangles within memory that they own and that outlives the stream's work on it: arrays,
    // device memory, and host memory that is waited for before it is read or freed.
    let copied = unsafe { sys::cuMemcpy2DAsync_v2(&raw const *copy, device.stream.cu_stream()) }.result();
    copied.map_err(because("a copy fails"))
}

/// What a texture reads from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reads<'a> {
    /// An array.
    Array(&'a Array),
    /// Rows in plain memory: address, kind, size, bytes from row to row.
    Rows(sys::CUdeviceptr, SampleKind, Size, usize),
    /// Plain memory as one line, by `tex1Dfetch`: address, kind, numbers.
    Line(sys::CUdeviceptr, SampleKind, usize),
}

/// A texture object; what it reads from must outlive it.
#[derive(Debug)]
pub(super) struct Texture(sys::CUtexObject);

/// How a texture is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TextureUse {
    /// What lies beyond, along x and y.
    pub(super) address: [Address; 2],
    /// Whether the texture unit interpolates.
    pub(super) linear: bool,
}

impl TextureUse {
    /// Whether coordinates run from 0 to 1, as wrap and mirror want it.
    pub(super) fn is_normalized(&self) -> bool {
        self.address.iter().any(|address| matches!(address, Address::Wrap | Address::Mirror))
    }
}

impl Texture {
    /// A texture of values from 0 to 1 (integers), or as they are (floats).
    pub(super) fn new(device: &Device, from: Reads<'_>, how: TextureUse) -> Result<Self, Fault> {
        let mut resource = empty_resource();
        match from {
            Reads::Array(array) => {
                resource.resType = sys::CUresourcetype::CU_RESOURCE_TYPE_ARRAY;
                resource.res.array.hArray = array.handle();
            }
            Reads::Rows(address, kind, size, pitch) => {
                resource.resType = sys::CUresourcetype::CU_RESOURCE_TYPE_PITCH2D;
                resource.res.pitch2D = sys::CUDA_RESOURCE_DESC_st__bindgen_ty_1__bindgen_ty_4 {
                    devPtr: address,
                    format: format_of(kind),
                    numChannels: 1,
                    width: size.width() as usize,
                    height: size.height() as usize,
                    pitchInBytes: pitch,
                };
            }
            Reads::Line(address, kind, numbers) => {
                resource.resType = sys::CUresourcetype::CU_RESOURCE_TYPE_LINEAR;
                resource.res.linear = sys::CUDA_RESOURCE_DESC_st__bindgen_ty_1__bindgen_ty_3 {
                    devPtr: address,
                    format: format_of(kind),
                    numChannels: 1,
                    sizeInBytes: numbers * kind.bytes(),
                };
            }
        }
        let mode = |address: Address| match address {
            Address::Clamp => sys::CUaddress_mode::CU_TR_ADDRESS_MODE_CLAMP,
            Address::Border => sys::CUaddress_mode::CU_TR_ADDRESS_MODE_BORDER,
            Address::Wrap => sys::CUaddress_mode::CU_TR_ADDRESS_MODE_WRAP,
            Address::Mirror => sys::CUaddress_mode::CU_TR_ADDRESS_MODE_MIRROR,
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
        device.context.bind_to_thread().map_err(because("the context is lost"))?;
        let mut handle = 0;
        #[expect(unsafe_code, reason = "cudarc has no safe textures")]
        // SAFETY: the descriptions are of this frame, and what they name is alive.
        let made = unsafe {
            sys::cuTexObjectCreate(&raw mut handle, &raw const resource, &raw const description, std::ptr::null())
        };
        made.result().map_err(because("a texture is refused"))?;
        Ok(Self(handle))
    }

    pub(super) fn handle(&self) -> sys::CUtexObject {
        self.0
    }
}

impl Drop for Texture {
    fn drop(&mut self) {
        #[expect(unsafe_code, reason = "cudarc has no safe textures")]
        // SAFETY: the object is this one's own, and nothing uses it after this.
        let _ = unsafe { sys::cuTexObjectDestroy(self.0) };
    }
}

/// A surface object; the array that it writes must outlive it.
#[derive(Debug)]
pub(super) struct Surface(sys::CUsurfObject);

impl Surface {
    /// A surface over an array that allows surface writes: one of ours, or a mapped texture of OpenGL's.
    pub(super) fn new(array: sys::CUarray) -> Result<Self, DriverError> {
        let mut resource = empty_resource();
        resource.resType = sys::CUresourcetype::CU_RESOURCE_TYPE_ARRAY;
        resource.res.array.hArray = array;
        let mut handle = 0;
        #[expect(unsafe_code, reason = "cudarc has no safe surfaces")]
        // SAFETY: the description is of this frame, and its array is alive.
        unsafe { sys::cuSurfObjectCreate(&raw mut handle, &raw const resource) }.result()?;
        Ok(Self(handle))
    }

    pub(super) fn handle(&self) -> sys::CUsurfObject {
        self.0
    }
}

impl Drop for Surface {
    fn drop(&mut self) {
        #[expect(unsafe_code, reason = "cudarc has no safe surfaces")]
        // SAFETY: the object is this one's own, and nothing uses it after this.
        let _ = unsafe { sys::cuSurfObjectDestroy(self.0) };
    }
}

/// A resource description with nothing in it yet; the whole union is set.
fn empty_resource() -> sys::CUDA_RESOURCE_DESC {
    sys::CUDA_RESOURCE_DESC {
        resType: sys::CUresourcetype::CU_RESOURCE_TYPE_ARRAY,
        res: sys::CUDA_RESOURCE_DESC_st__bindgen_ty_1 {
            reserved: sys::CUDA_RESOURCE_DESC_st__bindgen_ty_1__bindgen_ty_5 { reserved: [0; 32] },
        },
        flags: 0,
    }
}
