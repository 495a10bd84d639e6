//! Surfaces, and what borrows them to write pixels.

use std::marker::PhantomData;

use cudarc::driver::result::DriverError as DriverCode;
use cudarc::driver::sys;

use super::array::{Array, ArrayUse, empty_resource, settle};
use super::device::Device;
use super::error::Context as _;
use crate::backend::BackendError;
use crate::backend::cuda::abi::arguments::Target;
use crate::backend::cuda::abi::sample_kind::SampleKind;
use crate::image::Size;

/// A surface object by itself, over an array that others own; destroyed when dropped.
#[derive(Debug)]
pub(crate) struct RawSurface(sys::CUsurfObject);

impl RawSurface {
    /// A surface over `array`.
    ///
    /// # Safety
    /// A context is current on this thread, and `array` is one of its arrays that allow surface writes. Kernels write the
    /// surface only while the array is there and, where it is OpenGL's, mapped; they are done when the surface is dropped.
    #[expect(unsafe_code, reason = "the array is a handle whose lifetime is the caller's")]
    pub(crate) unsafe fn new(array: sys::CUarray) -> Result<Self, DriverCode> {
        let mut resource = empty_resource();
        resource.resType = sys::CUresourcetype::CU_RESOURCE_TYPE_ARRAY;
        resource.res.array.hArray = array;
        let mut handle = 0;
        // SAFETY: the description is a local that outlives the call, which copies it; the array is the caller's promise.
        unsafe { sys::cuSurfObjectCreate(&raw mut handle, &raw const resource) }.result()?;
        Ok(Self(handle))
    }

    pub(crate) fn handle(&self) -> sys::CUsurfObject {
        self.0
    }
}

impl Drop for RawSurface {
    fn drop(&mut self) {
        #[expect(unsafe_code, reason = "cudarc has no safe surfaces")]
        // SAFETY: the object is this one's own and is destroyed once, here; who made it promised that no kernel is at work on
        // it. Without a current context the driver refuses, and the object goes with its context.
        let _ = unsafe { sys::cuSurfObjectDestroy(self.0) };
    }
}

/// A surface with its array: bytes of one channel, or of four.
#[derive(Debug)]
pub(crate) struct Surface {
    raw: RawSurface,
    array: Array,
}

impl Surface {
    /// A surface of uninitialized pixels with 8 bits a channel: four channels if `rgba`, else one.
    ///
    /// # Errors
    /// If `size` exceeds the device's limit, or the device has too little memory.
    pub(crate) fn new(device: &Device, size: Size, rgba: bool) -> Result<Self, BackendError> {
        if !device.limits.has_surface(size) {
            return Err(BackendError::Limit { what: format!("an output of {size}") });
        }
        let array = Array::new(device, size, SampleKind::U8, if rgba { 4 } else { 1 }, ArrayUse::Surface)?;
        #[expect(unsafe_code, reason = "the surface is made over a handle")]
        // SAFETY: making the array made the context current, and the array allows surface writes. It is kept beside the
        // surface, whose drop waits for the stream before the object is destroyed.
        let raw = unsafe { RawSurface::new(array.handle()) }.context("a surface is refused")?;
        Ok(Self { raw, array })
    }

    /// The surface in `kept`. It is replaced by a new one of `size` if there is none or if it is smaller along an axis.
    ///
    /// # Errors
    /// As [`Surface::new`].
    pub(crate) fn reserve<'a>(
        device: &Device,
        kept: &'a mut Option<Self>,
        size: Size,
        rgba: bool,
    ) -> Result<&'a Self, BackendError> {
        let fits = |surface: &Self| {
            let available = surface.array.size();
            available.width() >= size.width() && available.height() >= size.height()
        };
        let surface = match kept.take().filter(fits) {
            Some(surface) => surface,
            None => Self::new(device, size, rgba)?,
        };
        Ok(kept.insert(surface))
    }

    /// The array of its pixels.
    pub(crate) fn array(&self) -> &Array {
        &self.array
    }

    /// A borrow of the surface for kernels that write it.
    pub(crate) fn canvas(&self) -> Canvas<'_> {
        Canvas::new(&self.raw, self.array.size(), self.array.channels() == 4)
    }
}

impl Drop for Surface {
    fn drop(&mut self) {
        // The object is destroyed after this, then its array.
        settle(self.array.stream());
    }
}

/// A surface, lent to be written: one of ours, or a texture of OpenGL's while it is mapped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Canvas<'a> {
    surface: sys::CUsurfObject,
    size: Size,
    /// Four bytes a pixel, not one.
    rgba: bool,
    lender: PhantomData<&'a RawSurface>,
}

impl<'a> Canvas<'a> {
    /// `surface`, over an array of `size`.
    pub(crate) fn new(surface: &'a RawSurface, size: Size, rgba: bool) -> Self {
        Self { surface: surface.handle(), size, rgba, lender: PhantomData }
    }

    pub(super) fn handle(&self) -> sys::CUsurfObject {
        self.surface
    }

    /// Columns and rows of the whole surface.
    pub(crate) fn size(&self) -> Size {
        self.size
    }

    /// Whether a pixel has four bytes, not one.
    pub(crate) fn is_rgba(&self) -> bool {
        self.rgba
    }

    /// The whole surface as pieces of 16 bytes, for plain stores. What a store writes beyond the surface is dropped.
    pub(crate) fn pieces(&self) -> Pieces<'a> {
        let pixels = if self.rgba { 4 } else { 16 };
        let size_px = [self.size.width().div_ceil(pixels) as i32, self.size.height() as i32];
        Pieces { target: Target { surface: self.surface, size_px, ..Target::default() }, lender: PhantomData }
    }
}

/// A surface as pieces of 16 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pieces<'a> {
    target: Target,
    lender: PhantomData<&'a RawSurface>,
}

impl Pieces<'_> {
    pub(crate) fn target(&self) -> &Target {
        &self.target
    }
}
