//! CUDA arrays and the copies to and from them: what cudarc has no owned type for.

use std::sync::Arc;

use cudarc::driver::result::DriverError as DriverCode;
use cudarc::driver::{CudaSlice, CudaStream, sys};

use super::device::Device;
use super::error::{Context as _, DriverError, check};
use crate::backend::cuda::abi::sample_kind::SampleKind;
use crate::image::Size;

/// An array flag (cuda.h: `CUDA_ARRAY3D_SURFACE_LDST`).
const SURFACE_WRITES: u32 = 0x02;
/// An array flag (cuda.h: `CUDA_ARRAY3D_TEXTURE_GATHER`).
const GATHERS: u32 = 0x08;

/// Waits for all work of `stream` and leaves its context current on this thread. Where the context is lost nothing runs any
/// more, and destroying a handle is refused by the driver: there is nothing to do about it, so no error is reported.
pub(crate) fn settle(stream: &CudaStream) {
    let _ = stream.synchronize();
}

/// A two-dimensional CUDA array; freed when dropped, after the stream's work.
#[derive(Debug)]
pub(crate) struct Array {
    handle: sys::CUarray,
    size: Size,
    kind: SampleKind,
    channels: u32,
    stream: Arc<CudaStream>,
}

#[expect(unsafe_code, reason = "the handle is a raw pointer, which is not Send by itself")]
// SAFETY: the driver's functions take a handle from any thread on which its context is current, and every function below makes
// it current first. The array is owned: moving it moves the right to free it.
unsafe impl Send for Array {}
#[expect(unsafe_code, reason = "the handle is a raw pointer, which is not Sync by itself")]
// SAFETY: through a shared reference the handle is only read; copies are queued by the driver, which locks for itself.
unsafe impl Sync for Array {}

/// What an array is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArrayUse {
    /// Textures; gathered from where the device can.
    Texture,
    /// Surface writes.
    Surface,
}

impl Array {
    /// An array of unset pixels.
    pub(crate) fn new(
        device: &Device,
        size: Size,
        kind: SampleKind,
        channels: u32,
        purpose: ArrayUse,
    ) -> Result<Self, DriverError> {
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
        device.context.bind_to_thread().context("the context is lost")?;
        let mut handle = std::ptr::null_mut();
        let mut make = || {
            #[expect(unsafe_code, reason = "cudarc has no safe arrays")]
            // SAFETY: the driver reads the descriptor and writes the handle before it returns; both are locals that outlive
            // the call, and the device's context is current.
            unsafe { sys::cuArray3DCreate_v2(&raw mut handle, &raw const descriptor) }.result()
        };
        let mut made = make();
        if made == Err(DriverCode(sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY)) {
            // Buffers that were dropped are given back when the stream has come to that.
            device.finish()?;
            made = make();
        }
        made.context(format_args!("an array of {size} is refused"))?;
        Ok(Self { handle, size, kind, channels, stream: Arc::clone(&device.stream) })
    }

    pub(crate) fn size(&self) -> Size {
        self.size
    }

    /// Channels of a pixel.
    pub(super) fn channels(&self) -> u32 {
        self.channels
    }

    pub(super) fn handle(&self) -> sys::CUarray {
        self.handle
    }

    pub(super) fn stream(&self) -> &CudaStream {
        &self.stream
    }

    fn row_bytes(&self, width: u32) -> usize {
        width as usize * self.kind.bytes() * self.channels as usize
    }

    /// Fills it from device memory whose rows are `pitch` bytes apart.
    ///
    /// # Errors
    /// Where `from` holds fewer rows, or the copy fails.
    pub(crate) fn copy_from<T>(&self, device: &Device, from: &CudaSlice<T>, pitch: usize) -> Result<(), DriverError> {
        let width = self.row_bytes(self.size.width());
        let rows = self.size.height() as usize;
        let bytes = from.len() * size_of::<T>();
        check(pitch >= width && (rows - 1) * pitch + width <= bytes, "an array is filled from too few rows")?;
        let copy = sys::CUDA_MEMCPY2D {
            srcMemoryType: sys::CUmemorytype::CU_MEMORYTYPE_DEVICE,
            srcDevice: device.address(from),
            srcPitch: pitch,
            dstMemoryType: sys::CUmemorytype::CU_MEMORYTYPE_ARRAY,
            dstArray: self.handle,
            WidthInBytes: width,
            Height: rows,
            ..no_copy()
        };
        #[expect(unsafe_code, reason = "a copy by addresses")]
        // SAFETY: the source has `rows` rows, as checked; the destination is the whole of this array. Both stay until the
        // copy is done: device memory is freed in the order of the same stream, and an array waits for the stream.
        unsafe {
            copy_2d(device, &copy)
        }
    }

    /// Copies the first `size` pixels of each array to host memory, rows one after the other, and waits for all of them.
    ///
    /// # Errors
    /// Where a copy or the device fails.
    pub(crate) fn read<'a>(
        device: &Device,
        size: Size,
        reads: impl IntoIterator<Item = (&'a Self, &'a mut [u8])>,
    ) -> Result<(), DriverError> {
        // Waits also where one of them fails, or the iterator panics: those before it still write.
        let waiting = Waiting(device);
        let copied = reads.into_iter().try_for_each(|(array, to)| {
            #[expect(unsafe_code, reason = "the copy goes on")]
            // SAFETY: both are borrowed for `'a`, which outlives `waiting`.
            unsafe {
                array.start_read(device, size, to)
            }
        });
        copied.and(waiting.finish())
    }

    /// Starts the copy of one array of [`Array::read`].
    ///
    /// # Errors
    /// Where `to` or the array is too small, or the copy fails.
    ///
    /// # Safety
    /// The array and `to` stay where they are, and `to` is not used otherwise, until the stream was waited for.
    #[expect(unsafe_code, reason = "the copy outlives the borrow of what it writes")]
    unsafe fn start_read(&self, device: &Device, size: Size, to: &mut [u8]) -> Result<(), DriverError> {
        let (width, rows) = (self.row_bytes(size.width()), size.height() as usize);
        let is_inside = size.width() <= self.size.width() && size.height() <= self.size.height();
        check(is_inside && to.len() >= width * rows, "an array is read beyond its end")?;
        let copy = sys::CUDA_MEMCPY2D {
            srcMemoryType: sys::CUmemorytype::CU_MEMORYTYPE_ARRAY,
            srcArray: self.handle,
            dstMemoryType: sys::CUmemorytype::CU_MEMORYTYPE_HOST,
            dstHost: to.as_mut_ptr().cast(),
            dstPitch: width,
            WidthInBytes: width,
            Height: rows,
            ..no_copy()
        };
        // SAFETY: `size` lies within this array and `to` has room for it, as checked; that both stay is the caller's promise.
        unsafe { copy_2d(device, &copy) }
    }
}

impl Drop for Array {
    fn drop(&mut self) {
        settle(&self.stream);
        #[expect(unsafe_code, reason = "cudarc has no safe arrays")]
        // SAFETY: the handle is this array's own and is destroyed once, here. Textures and surfaces over it own it, so there
        // are none left, and the stream's work is done.
        let _ = unsafe { sys::cuArrayDestroy(self.handle) };
    }
}

/// Host memory to device memory, rows `from_pitch` bytes apart to rows `to_pitch` bytes apart; waits until it is done.
///
/// # Errors
/// Where either side holds fewer rows of `row_bytes`, or the copy fails.
pub(crate) fn upload_rows<T: Copy>(
    device: &Device,
    from: &[T],
    to: &mut CudaSlice<u8>,
    (row_bytes, rows): (usize, usize),
    to_pitch: usize,
) -> Result<(), DriverError> {
    let has_room = rows > 0 && to_pitch >= row_bytes && (rows - 1) * to_pitch + row_bytes <= to.len();
    check(has_room && size_of_val(from) == row_bytes * rows, "a plane is not full")?;
    let copy = sys::CUDA_MEMCPY2D {
        srcMemoryType: sys::CUmemorytype::CU_MEMORYTYPE_HOST,
        srcHost: from.as_ptr().cast(),
        srcPitch: row_bytes,
        dstMemoryType: sys::CUmemorytype::CU_MEMORYTYPE_DEVICE,
        dstDevice: device.address(to),
        dstPitch: to_pitch,
        WidthInBytes: row_bytes,
        Height: rows,
        ..no_copy()
    };
    let waiting = Waiting(device);
    #[expect(unsafe_code, reason = "a copy by addresses")]
    // SAFETY: both sides hold the rows, as checked, and are borrowed for longer than `waiting` lives.
    let copied = unsafe { copy_2d(device, &copy) };
    copied.and(waiting.finish())
}

/// Copies under way: they have ended when this is gone, by a panic too. Where waiting fails the context is lost, and the
/// driver has ended its copies.
struct Waiting<'a>(&'a Device);

impl Waiting<'_> {
    /// Waits for the stream.
    ///
    /// # Errors
    /// Where the device fails.
    fn finish(self) -> Result<(), DriverError> {
        let device = self.0;
        std::mem::forget(self);
        device.finish()
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        settle(&self.0.stream);
    }
}

pub(super) fn format_of(kind: SampleKind) -> sys::CUarray_format {
    match kind {
        SampleKind::U8 => sys::CUarray_format::CU_AD_FORMAT_UNSIGNED_INT8,
        SampleKind::U16 => sys::CUarray_format::CU_AD_FORMAT_UNSIGNED_INT16,
        SampleKind::F32 => sys::CUarray_format::CU_AD_FORMAT_FLOAT,
    }
}

/// A copy of nothing from nowhere, to be filled in.
fn no_copy() -> sys::CUDA_MEMCPY2D {
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

/// Queues a copy in the device's stream and does not wait for it.
///
/// # Safety
/// The rectangles lie within memory and arrays of the device's context, or host memory, that stay where they are until the
/// stream has come to the copy's end; host memory is not used otherwise until then.
#[expect(unsafe_code, reason = "the copy reads and writes by addresses")]
unsafe fn copy_2d(device: &Device, copy: &sys::CUDA_MEMCPY2D) -> Result<(), DriverError> {
    device.context.bind_to_thread().context("the context is lost")?;
    // SAFETY: the description outlives the call, which copies it; what it names is the caller's promise.
    let copied = unsafe { sys::cuMemcpy2DAsync_v2(&raw const *copy, device.stream.cu_stream()) }.result();
    copied.context("a copy fails")
}

/// A resource description with nothing in it yet; the whole union is set.
pub(super) fn empty_resource() -> sys::CUDA_RESOURCE_DESC {
    sys::CUDA_RESOURCE_DESC {
        resType: sys::CUresourcetype::CU_RESOURCE_TYPE_ARRAY,
        res: sys::CUDA_RESOURCE_DESC_st__bindgen_ty_1 {
            reserved: sys::CUDA_RESOURCE_DESC_st__bindgen_ty_1__bindgen_ty_5 { reserved: [0; 32] },
        },
        flags: 0,
    }
}
