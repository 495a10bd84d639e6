//! Textures over arrays of one to three dimensions, of single-precision values with one, two or four numbers.

use std::sync::Arc;

use cudarc::driver::{CudaSlice, CudaStream, sys};

use super::array::{empty_resource, settle};
use super::device::Device;
use super::error::{Context as _, DriverError, check};

/// Sides of an array: x, y, z; a side of 0 is a dimension that it lacks.
pub(crate) type Sides = [usize; 3];

/// A texture with its array; coordinates are clamped to it. Freed when dropped, after the stream's work.
#[derive(Debug)]
pub(crate) struct VolumeTexture {
    handle: sys::CUtexObject,
    array: sys::CUarray,
    stream: Arc<CudaStream>,
}

#[expect(unsafe_code, reason = "the handle is a raw pointer, which is not Send by itself")]
// SAFETY: the driver's functions take a handle from any thread on which its context is current, and every function below makes
// it current first. Both handles are owned: moving them moves the right to free them.
unsafe impl Send for VolumeTexture {}

impl VolumeTexture {
    /// A copy of `values`, `components` numbers each, x fastest. `linear` says whether the texture unit interpolates.
    ///
    /// # Errors
    /// Where `values` has another number of them, or the device refuses the array or the texture.
    pub(crate) fn new(
        device: &Device,
        values: &CudaSlice<f32>,
        sides: Sides,
        components: usize,
        linear: bool,
    ) -> Result<Self, DriverError> {
        let [width, rows, slices] = [sides[0], sides[1].max(1), sides[2].max(1)];
        check(width * rows * slices * components <= values.len(), "an array is filled from too few values")?;
        let descriptor = sys::CUDA_ARRAY3D_DESCRIPTOR {
            Width: sides[0],
            Height: sides[1],
            Depth: sides[2],
            Format: sys::CUarray_format::CU_AD_FORMAT_FLOAT,
            NumChannels: components as u32,
            Flags: 0,
        };
        device.context.bind_to_thread().context("the context is lost")?;
        let mut array = std::ptr::null_mut();
        #[expect(unsafe_code, reason = "cudarc has no safe arrays")]
        // SAFETY: the driver reads the descriptor and writes the handle before it returns; both are locals that outlive the
        // call, and the device's context is current.
        let made = unsafe { sys::cuArray3DCreate_v2(&raw mut array, &raw const descriptor) };
        made.result().context(format_args!("an array of {width} × {rows} × {slices} is refused"))?;
        // Owned from here on, so that an error frees the array.
        let mut texture = Self { handle: 0, array, stream: Arc::clone(&device.stream) };
        let row_bytes = width * components * size_of::<f32>();
        let copy = sys::CUDA_MEMCPY3D {
            srcMemoryType: sys::CUmemorytype::CU_MEMORYTYPE_DEVICE,
            srcDevice: device.address(values),
            srcPitch: row_bytes,
            srcHeight: rows,
            dstMemoryType: sys::CUmemorytype::CU_MEMORYTYPE_ARRAY,
            dstArray: array,
            WidthInBytes: row_bytes,
            Height: rows,
            Depth: slices,
            ..no_copy()
        };
        #[expect(unsafe_code, reason = "a copy by addresses")]
        // SAFETY: the source holds the values, as checked; the destination is the whole of the array. Both stay until the copy
        // is done: device memory is freed in the order of the same stream, and an array waits for the stream.
        let copied = unsafe { sys::cuMemcpy3DAsync_v2(&raw const copy, device.stream.cu_stream()) };
        copied.result().context("a copy fails")?;
        let mut resource = empty_resource();
        resource.res.array.hArray = array;
        let filter = if linear {
            sys::CUfilter_mode::CU_TR_FILTER_MODE_LINEAR
        } else {
            sys::CUfilter_mode::CU_TR_FILTER_MODE_POINT
        };
        texture.handle = texture_of(device, &resource, filter)?;
        Ok(texture)
    }

    pub(crate) fn handle(&self) -> sys::CUtexObject {
        self.handle
    }
}

impl Drop for VolumeTexture {
    fn drop(&mut self) {
        settle(&self.stream);
        #[expect(unsafe_code, reason = "cudarc has no safe textures")]
        // SAFETY: the handles are this value's own and are destroyed once, here, the texture before its array; the stream's
        // work is done, and users in other streams have waited for theirs.
        unsafe {
            if self.handle != 0 {
                let _ = sys::cuTexObjectDestroy(self.handle);
            }
            let _ = sys::cuArrayDestroy(self.array);
        }
    }
}

/// A texture over rows of plain memory, for `bench`; the memory is kept. Destroyed when dropped, after the stream's work.
#[derive(Debug)]
pub(crate) struct PitchTexture {
    handle: sys::CUtexObject,
    stream: Arc<CudaStream>,
    _memory: CudaSlice<f32>,
}

impl PitchTexture {
    /// A texture of `width` × `rows` values of two numbers, rows `pitch` bytes apart.
    ///
    /// # Errors
    /// Where the memory holds fewer rows, or the device refuses the texture.
    pub(crate) fn new(
        device: &Device,
        memory: CudaSlice<f32>,
        [width, rows]: [usize; 2],
        pitch: usize,
        linear: bool,
    ) -> Result<Self, DriverError> {
        let bytes = memory.len() * size_of::<f32>();
        let row_bytes = 2 * width * size_of::<f32>();
        let is_inside = rows > 0 && pitch >= row_bytes && (rows - 1) * pitch + row_bytes <= bytes;
        check(is_inside, "a texture reads beyond its memory")?;
        let mut resource = empty_resource();
        resource.resType = sys::CUresourcetype::CU_RESOURCE_TYPE_PITCH2D;
        resource.res.pitch2D = sys::CUDA_RESOURCE_DESC_st__bindgen_ty_1__bindgen_ty_4 {
            devPtr: device.address(&memory),
            format: sys::CUarray_format::CU_AD_FORMAT_FLOAT,
            numChannels: 2,
            width,
            height: rows,
            pitchInBytes: pitch,
        };
        let filter = if linear {
            sys::CUfilter_mode::CU_TR_FILTER_MODE_LINEAR
        } else {
            sys::CUfilter_mode::CU_TR_FILTER_MODE_POINT
        };
        let handle = texture_of(device, &resource, filter)?;
        Ok(Self { handle, stream: Arc::clone(&device.stream), _memory: memory })
    }

    pub(crate) fn handle(&self) -> sys::CUtexObject {
        self.handle
    }
}

impl Drop for PitchTexture {
    fn drop(&mut self) {
        settle(&self.stream);
        #[expect(unsafe_code, reason = "cudarc has no safe textures")]
        // SAFETY: the object is this one's own and is destroyed once, here; the stream's work is done, and handles are given
        // to kernels of that stream only.
        let _ = unsafe { sys::cuTexObjectDestroy(self.handle) };
    }
}

/// A texture of `resource` with clamped coordinates in texels.
fn texture_of(
    device: &Device,
    resource: &sys::CUDA_RESOURCE_DESC,
    filter: sys::CUfilter_mode,
) -> Result<sys::CUtexObject, DriverError> {
    let description = sys::CUDA_TEXTURE_DESC {
        addressMode: [sys::CUaddress_mode::CU_TR_ADDRESS_MODE_CLAMP; 3],
        filterMode: filter,
        flags: 0,
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
    // SAFETY: the descriptions outlive the call, which copies them. What the resource names holds what it says and is kept by
    // the caller's value as long as the handle.
    let made = unsafe {
        sys::cuTexObjectCreate(&raw mut handle, &raw const *resource, &raw const description, std::ptr::null())
    };
    made.result().context("a texture is refused")?;
    Ok(handle)
}

/// A copy of nothing from nowhere, to be filled in.
fn no_copy() -> sys::CUDA_MEMCPY3D {
    sys::CUDA_MEMCPY3D {
        srcXInBytes: 0,
        srcY: 0,
        srcZ: 0,
        srcLOD: 0,
        srcMemoryType: sys::CUmemorytype::CU_MEMORYTYPE_HOST,
        srcHost: std::ptr::null(),
        srcDevice: 0,
        srcArray: std::ptr::null_mut(),
        reserved0: std::ptr::null_mut(),
        srcPitch: 0,
        srcHeight: 0,
        dstXInBytes: 0,
        dstY: 0,
        dstZ: 0,
        dstLOD: 0,
        dstMemoryType: sys::CUmemorytype::CU_MEMORYTYPE_HOST,
        dstHost: std::ptr::null_mut(),
        dstDevice: 0,
        dstArray: std::ptr::null_mut(),
        reserved1: std::ptr::null_mut(),
        dstPitch: 0,
        dstHeight: 0,
        WidthInBytes: 0,
        Height: 0,
        Depth: 0,
    }
}
